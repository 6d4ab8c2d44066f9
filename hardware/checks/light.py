"""Checks of the boards that need nothing but Python and the committed lists.

`light.py` prints one line per check and ends with 1 when one failed. Each check gets the tables and
returns what is wrong, as sentences. At the end the tables are broken in memory, one fault at a
time, and the named check must see it: a check that cannot fail proves nothing.

What the chips do (which output an address selects, which pin a channel has) is stated here again,
from their data sheets, and not taken from the board makers.
"""

import math
import re
import sys
import time

from tables import BOARDS, ROOT, Wiring, firmware_light, firmware_wiring, read_board

import costs
import parts
import pieces
import playfields
import sizes

# 74HC154: inputs by weight, outputs by address. 74HC4067: select pins by weight, channel pins.
DECODER_INPUTS = [23, 22, 21, 20]
DECODER_OUTPUTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17]
DECODER_ENABLE, DECODER_LOW = 18, 19
MUX_SELECT = [10, 11, 14, 13]
MUX_CHANNELS = [9, 8, 7, 6, 5, 4, 3, 2, 23, 22, 21, 20, 19, 18, 17, 16]
MUX_COMMON, MUX_ENABLE = 1, 15
LED_OUT, LED_IN = 1, 3
# Pins of the Pico by GPIO, from its data sheet.
PICO = dict(zip([*range(0, 23), 26, 27, 28],
                [1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19, 20, 21, 22, 24, 25, 26, 27,
                 29, 31, 32, 34]))
FIELDS = {"hex": playfields.HEX, "square": playfields.SQUARE}


class Tables:
    """Everything the checks look at."""

    def __init__(self, boards, wiring, light, documents):
        self.boards, self.wiring, self.light, self.documents = boards, wiring, light, documents

    def copy(self):
        """One that may be broken without harm to this one."""
        fields = {name: dict(table) for name, table in self.wiring.fields.items()}
        return Tables({name: board.copy() for name, board in self.boards.items()},
                      Wiring(dict(self.wiring.pins), fields), dict(self.light),
                      dict(self.documents))

    def gpio_net(self, signal):
        """The net on the controller that the firmware's pin for a signal drives."""
        return self.boards["controller"].net("U1", PICO.get(self.wiring.pins.get(signal), 0))

    def cable_net(self, field, net):
        """The playfield's net on the far end of the cable."""
        found = {self.boards[field].net("J1", pin)
                 for ref, pin in self.boards["controller"].by_net.get(net, ()) if ref == "J1"}
        return found.pop() if len(found) == 1 else None


# ---------------------------------------------------------------- wiring

def check_wiring_table(tables):
    """The firmware's table has all points of both fields and the formulas agree."""
    for name, field in FIELDS.items():
        expected = {p.name: (p.address, p.channel, p.led) for p in field.points}
        if tables.wiring.fields.get(name) != expected:
            yield f"{name}: the firmware's table differs from the formulas of the boards"
    stated = {signal: gpio for signal, (gpio, _) in playfields.pins().items()}
    if tables.wiring.pins != stated:
        yield "pins: the firmware's table differs from pins.csv"


def check_select_lines(tables):
    """BANK, CH and enable lines reach decoder and multiplexers, lowest bit to lowest bit."""
    for name in FIELDS:
        board = tables.boards[name]
        for bit, pin in enumerate(DECODER_INPUTS):
            if board.net("U1", pin) != tables.cable_net(name, tables.gpio_net(f"BANK{bit}")):
                yield f"{name}: decoder input {bit} is not on BANK{bit}"
        if board.net("U1", DECODER_ENABLE) != tables.cable_net(name, tables.gpio_net("/BANK_EN")):
            yield f"{name}: the decoder's enable is not on /BANK_EN"
        if board.net("U1", DECODER_LOW) != "AGND":
            yield f"{name}: the decoder's second enable is not low"
        for ref in (ref for ref, value in board.value.items() if value == "74HC4067"):
            for bit, pin in enumerate(MUX_SELECT):
                if board.net(ref, pin) != tables.cable_net(name, tables.gpio_net(f"CH{bit}")):
                    yield f"{name}: {ref} select {bit} is not on CH{bit}"


def check_sensors(tables):
    """Address and channel of every point lead to the sensor under it, and power that one."""
    for name, field in FIELDS.items():
        board, table = tables.boards[name], tables.wiring.fields.get(name, {})
        for point in field.points:
            address, channel, _ = table.get(point.name, (15, 15, 0))
            yield from _check_sensor(board, name, point, address, channel)


def _check_sensor(board, name, point, address, channel):
    select = board.net("U1", DECODER_OUTPUTS[address])
    muxes = board.pins_on(select, "74HC4067", MUX_ENABLE)
    gates = board.through(select, "10k")
    if len(muxes) != 1 or len(gates) != 1:
        yield f"{name} {point.name}: address {address} selects {muxes} and {gates}"
        return
    switches = board.pins_on(gates[0], "AO3401A", 1)
    rails = {board.net(ref, 3) for ref, _ in switches if board.net(ref, 2) == "VA"}
    sensors = board.pins_on(board.net(muxes[0][0], MUX_CHANNELS[channel]), "DRV5055A1", 2)
    if len(sensors) != 1:
        yield f"{name} {point.name}: channel {channel} of {muxes[0][0]} has sensors {sensors}"
        return
    sensor = sensors[0][0]
    if {board.net(sensor, 1)} != rails or board.net(sensor, 3) != "AGND":
        yield f"{name} {point.name}: {sensor} is not supplied by its bank"
    if math.dist(board.centre(sensor), (point.x, point.y)) > 0.5:
        yield f"{name} {point.name}: {sensor} lies at {board.centre(sensor)}"
    common = board.through(board.net(muxes[0][0], MUX_COMMON), "470")
    if common != ["SENSE_LINE"]:
        yield f"{name} {point.name}: the common of {muxes[0][0]} leads to {common}"


def check_sense_line(tables):
    """The shared line reaches the ADC pin through its filter; the strap the other one."""
    controller = tables.boards["controller"]
    lines = controller.through(tables.gpio_net("SENSE"), "100")
    for name, strap in (("hex", "2.2k"), ("square", "4.7k")):
        board = tables.boards[name]
        if [tables.cable_net(name, line) for line in lines] != ["SENSE_LINE"]:
            yield f"{name}: the sense line does not reach the ADC"
        if board.through(tables.cable_net(name, tables.gpio_net("FIELD_ID")), strap) != ["AGND"]:
            yield f"{name}: no strap of {strap} on FIELD_ID"


def check_led_chain(tables):
    """Walks the chain from the Pico to its end: keys first, then every point in its place."""
    controller = tables.boards["controller"]
    shifted = {controller.net(ref, 4)
               for ref, _ in controller.pins_on(tables.gpio_net("LED_DATA"), "74AHCT1G125", 2)}
    start = [net for out in shifted for net in controller.through(out, "330")]
    if len(start) != 1:
        yield f"the chain does not begin behind the level shifter: {start}"
        return
    keys, net = walk(controller, start[0])
    key_x = [controller.centre(f"SW{number}")[0] for number in range(1, 7)]
    if [round(controller.centre(ref)[0], 1) for ref in keys] != [round(x, 1) for x in key_x]:
        yield f"key LEDs in the order {keys}"
    for name, field in FIELDS.items():
        board, table = tables.boards[name], tables.wiring.fields.get(name, {})
        chain, _ = walk(board, tables.cable_net(name, net))
        places = {}
        for point in field.points:
            led = table.get(point.name, (0, 0, 0))[2]
            places[led - len(keys)] = (point.x + field.led_offset[0], point.y + field.led_offset[1])
        if len(chain) != len(field.points):
            yield f"{name}: the chain has {len(chain)} LEDs"
        for position, ref in enumerate(chain):
            if math.dist(board.centre(ref), places.get(position, (1e9, 0))) > 0.5:
                yield f"{name}: LED {position + len(keys)} is {ref}, far from its point"


def walk(board, net):
    """The LEDs behind a net in the order of the chain, and the net behind the last."""
    chain = []
    while True:
        after = board.pins_on(net, "WS2812C-2020", LED_IN)
        if len(after) != 1 or after[0][0] in chain:
            return chain, net
        chain.append(after[0][0])
        net = board.net(after[0][0], LED_OUT)


def check_cluster(tables):
    """The cluster's channels and LEDs follow its numbers, six points 30 mm around the first."""
    board = tables.boards["cluster"]
    centres = [board.centre(f"U{number}") for number in range(1, 8)]
    for number in range(1, 8):
        on_channel = board.pins_on(board.net("U10", MUX_CHANNELS[number - 1]), "DRV5055A1", 2)
        if on_channel != [(f"U{number}", "2")]:
            yield f"channel {number - 1} has {on_channel}"
        if number > 1 and abs(math.dist(centres[0], centres[number - 1]) - 30) > 0.01:
            yield f"point {number} is not 30 mm from the first"
    chain, _ = walk(board, "LED_CHAIN")
    if chain != [f"D{number}" for number in range(1, 8)]:
        yield f"the chain runs {chain}"
    for pin, net in playfields.CONNECTOR.items():
        if board.net("J1", pin) not in (net, None):
            yield f"pin {pin} of the cable is {board.net('J1', pin)}"


def check_keys(tables):
    """Every key, the piezo and the LED switch hang on the pins the firmware uses."""
    controller = tables.boards["controller"]
    keys = ["K1", "K2", "K3", "K4", "K5", "K6", "UNDO", "OK"]
    for number, signal in enumerate(keys, 1):
        nets = {controller.net(f"SW{number}", 1), controller.net(f"SW{number}", 2)}
        if nets != {tables.gpio_net(signal), "GND"}:
            yield f"key {signal} (SW{number}) is on {nets}"
    if not controller.pins_on(tables.gpio_net("LED_EN"), "TPS22917", 3):
        yield "LED_EN does not reach the load switch"
    if controller.through(tables.gpio_net("BUZZER"), "220") != ["PIEZO"]:
        yield "BUZZER does not reach the piezo"
    for signal, (_, pull) in playfields.pins().items():
        to = {"down": ["GND"], "up": ["VA"]}.get(pull)
        if to and controller.through(tables.gpio_net(signal), "10k") != to:
            yield f"{signal} has no pull {pull}"


# ---------------------------------------------------------------- parts

def check_bom(tables):
    """Every part on a board is in its list, with order number and footprint, and counted right."""
    bare = {kind.value for kind in parts.KINDS.values() if not kind.mpn}
    for name, board in tables.boards.items():
        on_board = {ref for ref in board.places if not ref.startswith(("TP", "NT"))}
        for row in board.bom:
            refs = row["references"].split()
            if not row["mpn"] or ":" not in row["footprint"] or row["value"] in bare:
                yield f"{name}: {row['value']} has no order number or footprint"
            if int(row["count"]) != len(refs) or len(set(refs)) != len(refs):
                yield f"{name}: {row['value']}: count {row['count']}, {len(refs)} references"
            if abs(float(row["price_usd"]) * len(refs) - float(row["total_usd"])) > 0.006:
                yield f"{name}: {row['value']}: total is not count times price"
        if set(board.value) != on_board:
            yield f"{name}: list and board differ: {sorted(set(board.value) ^ on_board)[:5]}"


def check_heights(tables):
    """Nothing on the front of a playfield reaches the plate, 1.85 mm above the board."""
    heights = {kind.value: kind.height for kind in parts.KINDS.values()}
    for name in FIELDS:
        for ref, value in tables.boards[name].value.items():
            if ref != "J1" and heights[value] > 1.85 - 0.3:
                yield f"{name}: {ref} ({value}) is {heights[value]} mm high"


# ---------------------------------------------------------------- currents

# mA, worst cases of the design; what the LEDs may shine is the firmware's cap.
LED_IDLE, LED_FULL, SENSOR, MODULE, LOGIC = 0.6, 15.0, 10.0, 40, 5
USB_ALLOWED = 450
FUSE_HOLD, FUSE_AT_60_DEGREES = 750, 0.65
LDO_MAX = 600
COPPER_MM = 0.035
OHM_MM = 1.72e-5            # of copper, per mm of length and mm2


def track_limit_ma(width):
    """What an outer track carries when it may grow 10 K warmer (IPC-2221)."""
    area_mil2 = width * COPPER_MM / 0.0254 ** 2
    return 1000 * 0.048 * 10 ** 0.44 * area_mil2 ** 0.725


def check_currents(tables):
    """Supply, fuse, regulator and tracks carry the worst frame and the worst bank."""
    for name, field in FIELDS.items():
        column = max(len(field.column(n)) for n in range(field.columns))
        bank = SENSOR * column
        leds = tables.light[name] + LED_IDLE * (len(field.points) + playfields.KEY_LEDS)
        fused = leds + bank + LOGIC
        demands = [
            ("USB", fused + MODULE, USB_ALLOWED),
            ("fuse, warm", fused, FUSE_HOLD * FUSE_AT_60_DEGREES),
            ("regulator", bank + LOGIC, LDO_MAX),
            ("rail of a bank", bank, track_limit_ma(sizes.RAIL)),
            ("LED trunk", min(leds, column * LED_FULL), track_limit_ma(sizes.TRUNK)),
            ("LED bar", leds, track_limit_ma(sizes.BAR)),
            ("VBUS track", fused, track_limit_ma(sizes.CONTROLLER["VBUS"])),
            ("+5V_LED track", leds, track_limit_ma(sizes.CONTROLLER["+5V_LED"])),
            ("analog supply track", bank + LOGIC, track_limit_ma(sizes.CONTROLLER["VA"])),
        ]
        for what, current, limit in demands:
            if current > limit:
                yield f"{name}: {what} carries {current:.0f} mA of at most {limit:.0f}"
        # Along a trunk and back on its ground; the current falls from LED to LED, so half counts.
        length = sizes.OUTLINE[3] - sizes.OUTLINE[1]
        ohm = length * OHM_MM / COPPER_MM * (1 / sizes.TRUNK + 1 / sizes.GROUND)
        drop = ohm * min(leds, column * LED_FULL) / 2
        if drop > 250:
            yield f"{name}: the LEDs at the far end lack {drop:.0f} mV"


# ---------------------------------------------------------------- documents

DOCUMENTS = {"README.md": [costs.boards_table, costs.costs_table], "PIECES.md": [pieces.tables]}
PICTURE_BYTES = 300_000


def check_documents(tables):
    """Documents show the tables as computed, and pictures that exist and are small."""
    for path in sorted((ROOT / "hardware").glob("*.md")):
        text = tables.documents[path.name]
        for table in DOCUMENTS.get(path.name, []):
            if table() not in text:
                yield f"{path.name}: a table is not what {table.__module__}.{table.__name__} says"
        for name in re.findall(r"\]\(([\w/.-]+)(?:#[\w-]*)?\)", text):
            target = ROOT / "hardware" / name
            if not target.exists():
                yield f"{path.name}: {name} does not exist"
            elif target.suffix == ".png" and target.stat().st_size > PICTURE_BYTES:
                yield f"{path.name}: {name} is too large"


# ---------------------------------------------------------------- mutations

def swap_pads(board, first, second):
    """Swaps the nets of two pads."""
    rows = {(pad[0], pad[1]): pad for pad in board.pads}
    rows[first][2], rows[second][2] = rows[second][2], rows[first][2]
    board.index()


def set_row(board, value, key, text):
    next(row for row in board.bom if row["value"] == value)[key] = text
    board.index()


def swap_pins(tables, first, second):
    pins = tables.wiring.pins
    pins[first], pins[second] = pins[second], pins[first]


def swap_points(tables, field, first, second):
    table = tables.wiring.fields[field]
    table[first], table[second] = table[second], table[first]


# (what is broken, how, which check must see it)
MUTATIONS = [
    ("firmware swaps two points", lambda t: swap_points(t, "hex", "f6", "f7"),
     check_wiring_table),
    ("firmware swaps two pins", lambda t: swap_pins(t, "K1", "K2"), check_wiring_table),
    ("firmware swaps BANK0, BANK1", lambda t: swap_pins(t, "BANK0", "BANK1"),
     check_select_lines),
    ("board swaps CH0, CH3",
     lambda t: swap_pads(t.boards["square"], ("J1", "13"), ("J1", "16")), check_select_lines),
    ("board swaps two sensor nets",
     lambda t: swap_pads(t.boards["hex"], ("U101", "2"), ("U1111", "2")), check_sensors),
    ("two pads of a mux swapped",
     lambda t: swap_pads(t.boards["square"], ("U100", "9"), ("U100", "8")), check_sensors),
    ("two banks' selects swapped",
     lambda t: swap_pads(t.boards["hex"], ("U1", "11"), ("U1", "10")), check_sensors),
    ("two banks' rails swapped",
     lambda t: swap_pads(t.boards["hex"], ("Q1", "3"), ("Q2", "3")), check_sensors),
    ("firmware swaps two points", lambda t: swap_points(t, "square", "a1", "a2"), check_sensors),
    ("sense and strap swapped in the cable",
     lambda t: swap_pads(t.boards["hex"], ("J1", "19"), ("J1", "20")), check_sense_line),
    ("wrong strap", lambda t: set_row(t.boards["square"], "4.7k", "value", "2.2k"),
     check_sense_line),
    ("two LED links swapped",
     lambda t: swap_pads(t.boards["hex"], ("D103", "3"), ("D303", "3")), check_led_chain),
    ("an LED turned round",
     lambda t: swap_pads(t.boards["hex"], ("D606", "1"), ("D606", "3")), check_led_chain),
    ("two key LEDs swapped",
     lambda t: swap_pads(t.boards["controller"], ("D2", "3"), ("D3", "3")), check_led_chain),
    ("two sensors of the cluster swapped",
     lambda t: swap_pads(t.boards["cluster"], ("U2", "2"), ("U3", "2")), check_cluster),
    ("two keys swapped",
     lambda t: swap_pads(t.boards["controller"], ("SW7", "1"), ("SW8", "1")), check_keys),
    ("pull to the wrong side",
     lambda t: swap_pads(t.boards["controller"], ("R5", "2"), ("R1", "2")), check_keys),
    ("no order number", lambda t: set_row(t.boards["hex"], "10n", "mpn", ""), check_bom),
    ("wrong count", lambda t: set_row(t.boards["hex"], "10n", "count", "90"), check_bom),
    ("a part not in the list", lambda t: set_row(t.boards["hex"], "2.2k", "references", ""),
     check_bom),
    ("firmware allows more light", lambda t: t.light.update(hex=300), check_currents),
    ("a wrong number in a table",
     lambda t: t.documents.update({"PIECES.md": t.documents["PIECES.md"].replace("51", "50")}),
     check_documents),
    ("a link to nowhere",
     lambda t: t.documents.update({"README.md": t.documents["README.md"] + "[x](no.png)"}),
     check_documents),
    ("a tall part", lambda t: set_row(t.boards["hex"], "2.2k", "value", "2x10"), check_heights),
]

CHECKS = [check_wiring_table, check_select_lines, check_sensors, check_sense_line, check_led_chain,
          check_keys, check_cluster, check_bom, check_heights, check_currents, check_documents]


def report(name, errors, start):
    print(f"{name:<32} {'FAILED' if errors else 'ok':<7} {time.time() - start:6.1f} s")
    for error in errors[:8]:
        print(f"        {error}")
    return bool(errors)


def run_mutations(tables):
    missed = []
    for what, change, check in MUTATIONS:
        broken = tables.copy()
        change(broken)
        if not list(check(broken)):
            missed.append(f"{what}: {check.__name__} does not see it")
    seen = {check for _, _, check in MUTATIONS}
    return missed + [f"{check.__name__} has no mutation" for check in CHECKS if check not in seen]


def main():
    start = time.time()
    documents = {path.name: path.read_text() for path in (ROOT / "hardware").glob("*.md")}
    boards = {name: read_board(name) for name in BOARDS}
    tables = Tables(boards, firmware_wiring(), firmware_light(), documents)
    failed = report("light: firmware says wiring", [], start)
    for check in CHECKS:
        start = time.time()
        name = "light: " + check.__name__.removeprefix("check_").replace("_", " ")
        failed |= report(name, list(check(tables)), start)
    start = time.time()
    failed |= report(f"light: {len(MUTATIONS)} faults are seen",
                     run_mutations(tables), start)
    return failed


if __name__ == "__main__":
    sys.exit(main())
