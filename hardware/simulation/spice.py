"""Simulates what the firmware's waiting times rest on and compares: `spice.py FOLDER`.

Two circuits of the playfield in ngspice. Power-up: the longest bank, its transistor, all its
capacitors and sensors, the regulator's output capacitor. Channel change: a sensor that may only
deliver 1 mA drives, through multiplexer and series resistor, the line that all banks share, the
cable and the filter at the ADC. The times allowed are read from `src/wiring.rs`.

The transistor is a plain MOS model fitted to its data sheet's resistance, threshold and gate
charge; the multiplexer's resistance at 3.3 V is assumed. Both stand in MEASURE.md.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

POWER_UP = """bank power-up
.param sensors={sensors} milliamps={milliamps}
VREG reg 0 3.3
RREG reg va 0.1
CVA va cva 10u
RCVA cva 0 10m
* decoder output: high at first, low from 1 us to 101 us
VSEL sel 0 PULSE(3.3 0 1u 20n 20n 100u 1)
RGATE sel gate 10k
RPULL va gate 100k
VAMM va source 0
MSW bank gate source source PSW W=1 L=1
CGD gate bank 80p
CGS gate source 550p
.model PSW PMOS (LEVEL=1 VTO=-0.9 KP=9 LAMBDA=0)
CBANK bank cb 100n
RCB cb 0 20m
CSENS bank cs {{sensors*10n}}
RCS cs 0 20m
* a sensor draws its current once it has some supply
BSENS bank 0 I={{sensors*milliamps*1m}}*min(1,max(0,V(bank))/1.0)
.tran 10n 200u
.meas tran up WHEN V(bank)=2.97 CROSS=1
.meas tran down WHEN V(bank)=0.5 FALL=1 TD=101u
.meas tran lowest MIN V(va) FROM=1u TO=50u
.meas tran peak MAX I(VAMM) FROM=1u TO=50u
.end
"""

SETTLE = """channel change
.param other={others}
* the sensor: wants 3.1 V after 0.2 V, delivers at most 1 mA
VWANT want 0 PULSE(0.2 3.1 1u 10n 10n 100u 1)
BOUT 0 out I=max(-1m,min(1m,(V(want)-V(out))/50))
RMUX out com {mux}
CCOM com 0 50p
RSER com line 470
* the other banks' commons hang on the line behind their resistors
ROTH line oth {{470/other}}
COTH oth 0 {{other*50p}}
CCABLE line 0 100p
RADC line adc 100
CADC adc 0 225p
.tran 5n 90u
.meas tran settled WHEN V(adc)=3.0996 RISE=1
.end
"""


def ngspice(name, text, folder):
    """Runs a circuit; ngspice ends with 0 even when a measurement failed, so the text counts."""
    path = folder / f"{name}.cir"
    path.write_text(text)
    run = subprocess.run(["ngspice", "-b", path], capture_output=True, text=True)
    output = run.stdout + run.stderr
    values = {key: float(value)
              for key, value in re.findall(r"(?m)^(\w+)\s+=\s+([-+\d.eE]+)", output)}
    asked = re.findall(r"(?m)^\.meas tran (\w+)", text)
    if any(key not in values for key in asked):
        raise SystemExit(f"ngspice {name}: {output[-1500:]}")
    return values


def firmware_time(name):
    source = (ROOT / "src" / "wiring.rs").read_text()
    return int(re.search(rf"pub const {name}: u32 = (\d+);", source).group(1))


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    found, start = [], 1.0
    sensor_start = 330          # power-on time of the sensor, at most, us
    for sensors, milliamps in ((15, 10), (15, 2), (6, 2)):
        m = ngspice(f"power-{sensors}-{milliamps}",
                    POWER_UP.format(sensors=sensors, milliamps=milliamps), folder)
        up, down, dip = m["up"] * 1e6 - start, m["down"] * 1e6 - 101, (3.3 - m["lowest"]) * 1e3
        print(f"bank of {sensors} at {milliamps} mA: 90 % after {up:.1f} us, VA dips {dip:.0f} mV, "
              f"peak {m['peak']:.2f} A, below 0.5 V after {down:.0f} us")
        if up + sensor_start > firmware_time("POWER_US"):
            found.append(f"power-up {up:.1f} us is too slow for POWER_US")
        if dip > 150:
            found.append(f"VA dips by {dip:.0f} mV")
        if m["peak"] > 1.0:
            found.append(f"{m['peak']:.2f} A at power-up")
    # A bank may still fade while the next is read: its multiplexer is off, so only the worst case
    # of the design, full sensor current, is held against the gap.
    full = ngspice("fade", POWER_UP.format(sensors=15, milliamps=10), folder)
    if full["down"] * 1e6 - 101 > 1.5 * firmware_time("GAP_US"):
        found.append(f"a bank fades in {full['down'] * 1e6 - 101:.0f} us")
    settled = ngspice("settle", SETTLE.format(others=14, mux=250), folder)["settled"] * 1e6 - start
    print(f"channel change: half a step after {settled:.1f} us")
    if settled > firmware_time("CHANNEL_US"):
        found.append(f"settling {settled:.1f} us is too slow for CHANNEL_US")
    # The check must see a line that is too slow: ten times the resistance, twice the load.
    slow = ngspice("slow", SETTLE.format(others=30, mux=2500), folder)["settled"] * 1e6 - start
    if slow <= firmware_time("CHANNEL_US"):
        found.append("a much slower line is not seen")
    print("\n".join(found) or "within the firmware's times")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
