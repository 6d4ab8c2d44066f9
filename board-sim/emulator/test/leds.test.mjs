// WS2812 data is decoded from edges, and data out of time is told.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Bench } from './bench.mjs';

/// Sends edges of (high, low) lengths in ns, then waits for the reset.
function sent(bits) {
  const bench = new Bench();
  let now = 1000;
  for (const [high, low] of bits) {
    bench.mcu.clock.nanosCounter = now;
    bench.leds.edge(now, true);
    bench.leds.edge(now + high, false);
    now += high + low;
  }
  bench.run(400);
  return bench;
}

const [ZERO, ONE] = [[250, 1000], [875, 375]];
const frames = (bench) => bench.log.filter(([kind]) => kind === 'frame');
const led = (text) => [...text].map((bit) => (bit === '1' ? ONE : ZERO));
const REST = led('0'.repeat(23));

test('bits become bytes, and the frame ends one reset time after its last edge', () => {
  const bench = sent(led('101000001111111100000001'));
  assert.deepEqual(bench.violations, []);
  const [[, start, at, bytes]] = frames(bench);
  assert.deepEqual([...bytes], [0xa0, 0xff, 0x01]);
  assert.equal(start, 1000);
  assert.equal(at, 1000 + 23 * 1250 + 875 + 300_000);
});

for (const [what, bits, violation] of [
  ['a high time between zero and one', [...REST, [480, 770]], /one_high lasts 480 ns/],
  ['a zero too short', [...REST, [200, 1050]], /zero_high lasts 200 ns/],
  ['a pause within the data', [[250, 5000], ...REST], /bit lasts 5250 ns/],
  ['half an LED', led('010101010101'), /a frame of 12 bits/],
]) {
  test(`violation: ${what}`, () => {
    const { violations } = sent(bits);
    assert.equal(violations.length, 1);
    assert.match(violations[0], violation);
  });
}

test('the machine sends 250/875 ns highs in 1250 ns bits', () => {
  const bench = new Bench({ fastPaths: false });
  const edges = [];
  bench.mcu.gpio[11].addListener(() => edges.push(bench.mcu.clock.nanos));
  bench.prepareLeds();
  bench.light([0x80000000]);
  bench.run(400);
  const lengths = edges.slice(-48).map((at, n, all) => all[n + 1] - at);
  assert.deepEqual(lengths.slice(0, 4), [875, 375, 250, 1000]);
  assert.deepEqual([...frames(bench)[0][3]], [0x80, 0, 0]);
});
