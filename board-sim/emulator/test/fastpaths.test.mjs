// The fast paths of the PIO change nothing but the time it takes: a scan and an LED frame give the
// same events, samples and registers with and without them.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { Bench, scanWords } from './bench.mjs';

const [BANKS, CHANNELS, SCANS] = [3, 5, 4];

/// Everything observable of a few scans and frames, as one hash.
function digest(fastPaths) {
  const bench = new Bench({ fastPaths });
  const hash = createHash('sha256');
  const note = (...values) => hash.update(`${JSON.stringify(values)}\n`);
  const { clock, dma, pio } = bench.mcu;
  const { onSample } = bench.chip;
  bench.chip.onSample = (input) => {
    const code = onSample(input);
    note('sample', clock.nanos, code);
    return code;
  };
  const { edge } = bench.leds;
  bench.leds.edge = function (now, high) {
    note('edge', now, high);
    edge.call(this, now, high);
  };
  for (let n = 0; n < 16 * BANKS; n++) bench.board.setCode(n >> 4, n & 15, 1000 + 37 * n);
  bench.prepareScan();
  bench.prepareLeds();
  const count = 8 * BANKS * CHANNELS;
  for (let n = 0; n < SCANS; n++) {
    bench.scan(scanWords(BANKS, CHANNELS), count);
    bench.run(1700);
    note('cut short by the end of a run', pio[1].machines[0].x, clock.nanos);
    bench.run(1000);
    bench.light([0x12345600, 0xff00aa00, n << 24]);
    bench.run(700);
    note(bench.samples(count), dma.channels.map(({ ctrl, transCount }) => [ctrl, transCount]));
    note(pio.map(({ machines: [sm] }) => [sm.x, sm.y, sm.pc, sm.cycles, sm.outputShiftCount]));
  }
  note(bench.log, bench.board.statistics, clock.nanos);
  assert.deepEqual(bench.violations, []);
  assert.equal(bench.log.filter(([kind]) => kind === 'frame').length, SCANS);
  return { hash: hash.digest('hex'), bursts: bench.chip.bursts };
}

test('fast paths and single steps give the same SHA-256 over all events', () => {
  const [fast, slow] = [digest(true), digest(false)];
  assert.ok(fast.bursts.point > SCANS * 10 && fast.bursts.led === SCANS * 3, 'they were taken');
  assert.deepEqual(slow.bursts, { point: 0, led: 0 });
  assert.equal(fast.hash, slow.hash);
});

test('a conversion that is not plain is left to single steps', () => {
  const bench = new Bench();
  bench.board.setCode(0, 0, 2048);
  bench.prepareScan();
  bench.write(0x4004c018, 1); // the ADC's interrupt is wanted
  bench.scan(scanWords(1, 1), 9);
  bench.run(600);
  assert.equal(bench.chip.bursts.point, 0);
  assert.deepEqual(bench.samples(8), Array(8).fill(2048));
});
