// What outlives a reset, with an image of a few instructions.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Machine } from '../src/machine.mjs';
import { boardConfig, ledTiming } from './bench.mjs';

const FLASH = 0x10000000;

/// An ELF file with one segment at the start of the flash.
function elf(halfwords) {
  const code = Uint8Array.from(halfwords.flatMap((half) => [half & 255, half >> 8]));
  const file = new DataView(new ArrayBuffer(52 + 32 + code.length));
  file.setUint32(0, 0x7f454c46);
  file.setUint16(4, 0x0101);
  file.setUint32(28, 52, true); // program headers: where, size, how many
  file.setUint16(42, 32, true);
  file.setUint16(44, 1, true);
  [1, 84, FLASH, FLASH, code.length, code.length].forEach((value, n) => {
    file.setUint32(52 + 4 * n, value, true);
  });
  const bytes = new Uint8Array(file.buffer);
  bytes.set(code, 84);
  return bytes;
}

const WAIT = [0xbf20, 0xe7fd]; // WFE; back
// ldr r0, AIRCR; ldr r1, request; str r1, [r0]; stay
const RESET_ITSELF = [0x4801, 0x4902, 0x6001, 0xe7fe, 0xed0c, 0xe000, 0x0004, 0x05fa];

function machine(code, changes = {}) {
  const led = { pin: 11, power: 12, timing: ledTiming };
  const options = { seed: 1, fast_paths: true, leave_out: [], flash: [], watch: [] };
  const parts = { buzzer: 13, flash_id: '0001020304050607' };
  return new Machine({ ...options, ...parts, led, board: boardConfig, ...changes }, elf(code));
}

const kinds = ({ events }) => events.map(({ what }) => Object.keys(what)[0]);

test('what is no ELF is refused', () => {
  const config = { flash: [] };
  assert.throws(() => new Machine(config, new Uint8Array(100)), /not a 32-bit little-endian ELF/);
});

test('time goes on through resets; RAM and scratch registers stay', () => {
  const reset = machine(RESET_ITSELF);
  reset.chip.watchdog.scratchData[3] = 77;
  reset.chip.mcu.sram[5] = 88;
  reset.run(1000);
  const times = reset.events.map(({ at }) => at);
  assert.ok(times.length > 5 && times.every((at, n) => n === 0 || at > times[n - 1]), `${times}`);
  assert.deepEqual(reset.events[0].what, { reset: { reason: 'sys_reset' } });
  assert.equal(reset.chip.watchdog.scratchData[3], 77);
  assert.equal(reset.chip.mcu.sram[5], 88);
  assert.ok(reset.now() >= 1000 && reset.now() < 1100);
});

test('a power cut leaves nothing but the flash', () => {
  const cut = machine(WAIT, { flash: [{ address: FLASH + 0x1f0000, bytes: 'c0ffee' }] });
  cut.run(1000);
  cut.chip.watchdog.scratchData[3] = 77;
  cut.chip.mcu.sram[5] = 88;
  cut.chip.requestReset('power_cut');
  cut.run(1000);
  assert.deepEqual(kinds(cut), ['reset']);
  assert.equal(cut.chip.watchdog.scratchData[3], 0);
  assert.equal(cut.chip.mcu.sram[5], 0);
  assert.deepEqual([...cut.chip.mcu.flash.subarray(0x1f0000, 0x1f0004)], [0xc0, 0xff, 0xee, 0xff]);
});

test('in the boot loader the machine stands still', () => {
  const boot = machine(WAIT);
  boot.chip.requestReset('usb_boot');
  boot.run(1000);
  boot.run(1000);
  assert.deepEqual(boot.events, [{ at: 0, what: { reset: { reason: 'usb_boot' } } }]);
});

test('a fault stops the machine and says what and when', () => {
  const broken = machine([0xde07]); // UDF #7
  broken.run(1000);
  broken.run(1000);
  assert.deepEqual(kinds(broken), ['fault', 'fault']);
  assert.match(broken.events[0].what.fault.text, /trap 7/);
});

test('a pressed key is low, also after a reset', () => {
  const board = { ...boardConfig, pulled_up: [6, 14] };
  const pressed = machine(WAIT, { board });
  const level = () => pressed.chip.mcu.gpio[14].rawInputValue;
  assert.equal(level(), true);
  pressed.setKey(14, true);
  assert.equal(level(), false);
  pressed.chip.requestReset('watchdog');
  pressed.run(1000);
  assert.equal(level(), false);
  pressed.setKey(14, false);
  assert.equal(level(), true);
});

test('of one kind of violation only the first twenty are told', () => {
  const many = machine(WAIT);
  for (let n = 0; n < 100; n++) many.violation(n, `number ${n} of a kind`);
  many.violation(100, 'of another kind');
  assert.equal(many.events.length, 21);
});

test('random bits depend on the seed alone', () => {
  const bits = (seed) => Array.from({ length: 64 }, machine(WAIT, { seed }).randomBit).join('');
  assert.equal(bits(1), bits(1));
  assert.notEqual(bits(1), bits(2));
});
