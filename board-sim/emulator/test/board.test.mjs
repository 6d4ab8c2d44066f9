// The electronics' checks see every way of mistreating them, and a sensor needs its time to settle.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Bench, scanWords, word } from './bench.mjs';

function scanned(words, { settingUp = () => {}, us = 1500 } = {}) {
  const bench = new Bench();
  for (let n = 0; n < 32; n++) bench.board.setCode(n >> 4, n & 15, n % 2 ? 200 : 3896);
  settingUp(bench);
  bench.prepareScan();
  bench.run(100); // banks have been off for long
  bench.scan(words, 1000);
  bench.run(us);
  return bench;
}

test('a proper scan reads every sensor, with the times of the board', () => {
  const bench = scanned(scanWords(2, 3));
  assert.deepEqual(bench.violations, []);
  const codes = [3896, 200, 3896, 3896, 200, 3896].flatMap((code) => Array(8).fill(code));
  assert.deepEqual(bench.samples(48), codes);
  const { gap, power, channel, spacing, samples_min, samples_max, worst_error } =
    bench.board.statistics;
  assert.deepEqual([gap, power, channel, spacing], [21_600, 400_800, 12_800, 2_400]);
  assert.deepEqual([samples_min, samples_max, worst_error], [8, 8, 0]);
});

test('visits tell lines, times and conversions', () => {
  const bench = scanned(scanWords(1, 2));
  const visits = bench.log.filter(([kind]) => kind === 'visit').map(([, visit]) => visit);
  const sampled = visits.filter(({ samples }) => samples > 0);
  const told = ({ address, powered, channel, samples }) => ({ address, powered, channel, samples });
  assert.deepEqual(sampled.map(told), [
    { address: 0, powered: true, channel: 0, samples: 8 },
    { address: 0, powered: true, channel: 1, samples: 8 },
  ]);
  assert.deepEqual(sampled.map(({ start, end }) => end - start), [420_000, 32_000]);
  assert.deepEqual(sampled.map(({ first, last }) => last - first), [7 * 2400, 7 * 2400]);
});

const on = (address, channel, settle) => word({ address, on: true, channel, settle, samples: 8 });
const off = (address) => word({ address });
const [first, second] = [on(0, 0, 400), on(0, 1, 400)];

for (const [what, words, violation] of [
  ['a bank is on too soon again', [off(0), first, off(0), second, off(0)], /off too shortly/],
  ['the address changes with power', [off(0), first, on(1, 0, 400), off(1)], /address changes/],
  ['address and power change at once', [off(0), off(0), on(1, 0, 400), off(1)], /address changes/],
  ['a sensor has just got power', [off(0), on(0, 0, 300), off(0)], /too soon after power/],
  ['a channel has just changed', [off(0), first, on(0, 1, 10), off(0)], /starts too soon: after/],
  ['no bank has power', [off(0), word({ samples: 8 })], /all banks off/],
  ['there is no such sensor', [off(9), off(9), on(9, 0, 400), off(9)], /at address 9 channel 0/],
]) {
  test(`violation: ${what}`, () => {
    const { violations } = scanned(words);
    assert.ok(violations.length > 0);
    for (const text of violations) assert.match(text, violation);
  });
}

test('violation: a conversion during an LED frame or its reset time', () => {
  const settingUp = (bench) => {
    bench.prepareLeds();
    bench.light(Array(30).fill(0));
  };
  const { violations } = scanned(scanWords(1, 1), { settingUp });
  assert.ok(violations.length > 0 && violations.every((text) => /LED frame/.test(text)));
});

test('a slow line shows as an error of the codes', () => {
  const settled = (tau) => {
    const settingUp = (bench) => (bench.board.config = { ...bench.board.config, tau_ns: tau });
    return scanned(scanWords(1, 3), { settingUp }).board.statistics.worst_error;
  };
  assert.equal(settled(1000), 0);
  assert.equal(settled(5000), Math.round(3696 * Math.exp(-12.8 / 5)));
});

test('a sensor without its power-on time reads zero', () => {
  const bench = scanned([off(0), on(0, 0, 200), off(0)]);
  assert.deepEqual(bench.samples(8), Array(8).fill(0));
});

test('noise is of the size asked for, and the strap has none', () => {
  const bench = new Bench();
  let state = 1;
  bench.board.random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  bench.board.config = { ...bench.board.config, noise: 2.7 };
  bench.board.volts = 2048;
  const codes = Array.from({ length: 4000 }, () => bench.board.sample(0) - 2048);
  const rms = Math.sqrt(codes.reduce((sum, code) => sum + code * code, 0) / codes.length);
  assert.ok(rms > 2.4 && rms < 3.0, `rms ${rms}`);
  bench.board.strapCode = 739;
  assert.equal(bench.board.sample(1), 739);
});
