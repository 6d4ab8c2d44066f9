// What one hears, from the PWM's own edges.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Buzzer } from '../src/buzzer.mjs';
import { Bench } from './bench.mjs';

const [SLICE6, PIN, FUNCTION_PWM] = [0x40050000 + 6 * 0x14, 13, 4];
const [CSR, DIV, CC, TOP] = [0x00, 0x04, 0x0c, 0x10];

/// A buzzer on the pin of PWM slice 6, with what it has told.
function listening() {
  const bench = new Bench();
  const tones = [];
  const buzzer = new Buzzer(PIN, { tone: (start, end, hz) => tones.push({ start, end, hz }) });
  buzzer.attach(bench.chip, 0);
  bench.write(0x40014004 + 8 * PIN, FUNCTION_PWM);
  bench.write(SLICE6 + DIV, 125 << 4); // steps of 1 µs
  return { bench, tones };
}

/// Sets a period in µs, half of it high; 0 is silence.
function play(bench, period) {
  if (period) bench.write(SLICE6 + TOP, period - 1);
  bench.write(SLICE6 + CC, (period / 2) << 16);
  bench.write(SLICE6 + CSR, 1);
}

const heard = (tones) => tones.map(({ hz }) => Math.round(hz));

test('a tone is told with its frequency, start and end when it is over', () => {
  const { bench, tones } = listening();
  play(bench, 500);
  bench.run(100_000);
  assert.deepEqual(tones, []);
  play(bench, 0);
  bench.run(30_000);
  assert.deepEqual(heard(tones), [2000]);
  const [{ start, end }] = tones;
  assert.ok(Math.abs(end - start - 100e6) < 1e6, `${start} to ${end}`);
});

test('notes without a pause between them are told apart', () => {
  const { bench, tones } = listening();
  for (const period of [1000, 800, 0]) {
    play(bench, period);
    bench.run(50_000);
  }
  assert.deepEqual(heard(tones), [1000, 1250]);
});

test('a click is no tone', () => {
  const { bench, tones } = listening();
  play(bench, 1000);
  bench.run(2_500);
  play(bench, 0);
  bench.run(50_000);
  assert.deepEqual(tones, []);
});
