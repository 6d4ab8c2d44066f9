// One check per correction: right with it, wrong without it. So an update of the package shows what
// has changed, and no correction is kept for nothing.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { corrections } from '../src/corrections.mjs';
import { ADC, Bench, DMA, PIO0 } from './bench.mjs';

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url)));

test('the package is exactly the version that was examined', () => {
  assert.equal(read('../package.json').dependencies.rp2040js, '1.4.1');
  assert.equal(read('../node_modules/rp2040js/package.json').version, '1.4.1');
});

const ID = [0xe6, 0x61, 0x38, 0x93, 0x5f, 0x2c, 0x8a, 0x21];

/// Each returns whether the chip behaves as it should.
const checks = {
  sev(bench) {
    const { core, sram } = bench.mcu;
    sram.set([0x40, 0xbf, 0x20, 0xbf], 0); // SEV; WFE
    core.PC = 0x20000000;
    core.waiting = false;
    core.executeInstruction();
    core.executeInstruction();
    return !core.waiting;
  },

  pioLockStep(bench) {
    const edges = [];
    bench.mcu.gpio[3].addListener((state) => state < 2 && edges.push(bench.mcu.clock.nanos));
    bench.program(PIO0, [0xe101, 0xe100], {
      divider: 125, execctrl: 1 << 12, shiftctrl: 0, pinctrl: (1 << 26) | (3 << 5), pins: [3],
    }); // high for 2 µs, low for 2 µs
    bench.run(9);
    bench.mcu.pio[0].stop();
    return JSON.stringify(edges.map((at) => at - edges[0])) === '[0,2000,4000,6000,8000]';
  },

  pioJoin(bench) {
    bench.write(PIO0 + 0x10, 1);
    bench.write(PIO0 + 0x10, 2);
    bench.write(PIO0 + 0xd0, 1 << 30);
    return bench.mcu.readUint32(PIO0 + 0x0c) === 0; // FLEVEL
  },

  pioShiftCount(bench) {
    bench.program(PIO0, [0x6001], {
      divider: 125, execctrl: 0, shiftctrl: 1 << 17, pinctrl: 1 << 20, pins: [],
    }); // out pins, 1 from an empty FIFO: stalls at once
    bench.run(5);
    const stalls = bench.mcu.pio[0].machines[0].waiting;
    bench.mcu.pio[0].stop();
    return stalls;
  },

  usbAvailable(bench) {
    const control = 0x50100084;
    bench.write(control, 0x440); // EP0 OUT: available, 64 bytes
    return (bench.mcu.readUint32(control) & 0x400) !== 0;
  },

  adcRequest(bench) {
    const [enabled, withRequest] = [(1 << 24) | 1, (1 << 24) | 9];
    bench.write(ADC + 8, withRequest);
    bench.write(ADC, 5);
    bench.run(3); // one sample is in the FIFO
    bench.write(ADC + 8, enabled);
    bench.mcu.readUint32(ADC + 12);
    bench.write(ADC + 8, withRequest);
    return !bench.mcu.dma.dreq[36];
  },

  adcRoundRobin(bench) {
    bench.write(ADC, (0b1010 << 16) | (1 << 12) | 5); // inputs 1 and 3, from 1
    bench.run(3);
    return bench.mcu.adc.activeChannel === 3;
  },

  adcStartOnce(bench) {
    let conversions = 0;
    bench.chip.onSample = () => conversions++;
    bench.write(ADC, 5);
    bench.run(3);
    bench.write(ADC, bench.mcu.readUint32(ADC) | (1 << 12)); // another input, no start
    bench.run(3);
    return conversions === 1;
  },

  xipControl(bench) {
    return bench.mcu.readUint32(0x14000008) === 3 && !bench.chip.failure;
  },

  flashId(bench) {
    bench.chip.flashId.push(...ID);
    const DATA = 0x18000060;
    bench.mcu.writeUint8(DATA, 0x4b);
    const answer = Array.from({ length: 12 }, () => bench.mcu.readUint8(DATA));
    return JSON.stringify(answer) === JSON.stringify([0, 0, 0, 0, ...ID]);
  },

  sysReset(bench) {
    const AIRCR = 0xe000ed0c;
    bench.write(AIRCR, ((bench.mcu.readUint32(AIRCR) & 0x700) | 0x05fa0004) >>> 0);
    return bench.chip.resetReason === 'sys_reset' && !bench.chip.failure;
  },

  watchdogOnce(bench) {
    const { watchdog } = bench.chip;
    const trigger = watchdog.onWatchdogTrigger;
    let fired = 0;
    watchdog.onWatchdogTrigger = () => {
      trigger();
      if (++fired > 3) throw new Error('again and again at the same instant');
    };
    bench.write(0x40058004, 2 * 1000); // counts twice per µs: 1 ms
    bench.write(0x40058000, 1 << 30);
    try {
      bench.mcu.clock.tick(2e6);
    } catch {
      return false;
    }
    return fired === 1 && bench.chip.resetReason === 'watchdog';
  },

  quietRegisters(bench) {
    const [ROSC_STATUS, VREG, CHAN_ABORT] = [0x40060018, 0x40064000, DMA + 0x444];
    const stable = bench.mcu.readUint32(ROSC_STATUS) >>> 31 === 1;
    const regulated = (bench.mcu.readUint32(VREG) & 0x1000) !== 0;
    const stopped = bench.mcu.readUint32(CHAN_ABORT) === 0;
    return stable && regulated && stopped && !bench.chip.failure;
  },

  dmaReach(bench) {
    bench.dma(0, 0x20000000, 0xd0000014, 1, 63, { size: 2 });
    return /SIO/.test(bench.chip.failure);
  },
};

for (const [name, behavesWell] of Object.entries(checks)) {
  test(`correction ${name}: right with it, wrong without`, () => {
    assert.equal(behavesWell(new Bench()), true, 'with the correction');
    assert.equal(behavesWell(new Bench({ leaveOut: [name] })), false, 'without it');
  });
}

test('every correction has its check', () => {
  assert.deepEqual(Object.keys(checks).sort(), Object.keys(corrections).sort());
});

test('a name that is no correction is refused', () => {
  assert.throws(() => new Bench({ leaveOut: ['nonsense'] }), /no correction "nonsense"/);
});

test('random bits come from outside', () => {
  const bits = [1, 0, 1];
  const bench = new Bench({ randomBit: () => bits.shift() });
  assert.deepEqual([0, 0, 0].map(() => bench.mcu.readUint32(0x4006001c)), [1, 0, 1]);
});

test('a warning is a fault, but for the eight registers that embassy clears', () => {
  const bench = new Bench();
  for (const offset of [0x48, 0x5c, 0x7c, 0x80, 0x84, 0x88, 0x8c, 0x98]) {
    bench.write(0x50110000 + offset, 0);
  }
  assert.equal(bench.chip.failure, null);
  bench.write(0x50110048, 1);
  assert.match(bench.chip.failure, /USB: Unimplemented peripheral write to 0x48: 0x1/);
});

test('a trap outside the ROM is a fault', () => {
  const bench = new Bench();
  bench.mcu.sram.set([0x00, 0xde], 0); // UDF #0
  bench.mcu.core.PC = 0x20000000;
  bench.mcu.core.waiting = false;
  bench.mcu.core.executeInstruction();
  assert.match(bench.chip.failure, /trap 0 at 0x20000002/);
});
