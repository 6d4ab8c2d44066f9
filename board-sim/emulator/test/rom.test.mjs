// The stand-in for the mask ROM: what the program looks up and calls.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Bench } from './bench.mjs';

const RETURN = 0x20000100;

/// Calls a routine of the ROM as the program does, with the address it looks up.
function call(bench, code, ...registers) {
  const { core } = bench.mcu;
  const enter = (address, args) => {
    core.registers.set(args);
    core.LR = RETURN | 1;
    core.PC = address & ~1;
    core.executeInstruction();
    core.executeInstruction();
    assert.equal(core.PC & ~1, RETURN);
    return core.registers[0];
  };
  core.waiting = false;
  const table = bench.mcu.readUint16(0x14);
  const lookUp = bench.mcu.readUint16(0x18);
  const address = enter(lookUp, [table, code.charCodeAt(0) | (code.charCodeAt(1) << 8)]);
  return address && enter(address, registers);
}

test('unknown routines have no address', () => {
  assert.equal(call(new Bench(), 'XX'), 0);
});

test('flash is erased to ones and programmed by clearing bits, and is busy meanwhile', () => {
  const bench = new Bench();
  const { flash, sram } = bench.mcu;
  flash.fill(0, 0x1000, 0x3000);
  sram.set([0xf0, 0x0f], 0);
  call(bench, 'RE', 0x1000, 0x1000, 0x10000, 0xd8);
  assert.ok(flash.subarray(0x1000, 0x2000).every((byte) => byte === 0xff));
  assert.equal(flash[0x2000], 0);
  assert.equal(bench.chip.extraNs, 45e6);
  call(bench, 'RP', 0x1000, 0x20000000, 256);
  call(bench, 'RP', 0x1001, 0x20000000, 1);
  assert.deepEqual([...flash.subarray(0x1000, 0x1003)], [0xf0, 0x00, 0x00]);
});

test('a dead sector stays as it is, and its neighbours do not', () => {
  const bench = new Bench();
  const { flash, sram } = bench.mcu;
  bench.chip.deadSectors.add(0x1000);
  flash.fill(0x55, 0, 0x3000);
  call(bench, 'RE', 0, 0x3000);
  assert.deepEqual([flash[0xfff], flash[0x1000], flash[0x1fff], flash[0x2000]], [0xff, 0x55, 0x55, 0xff]);
  sram.fill(0, 0, 0x200);
  call(bench, 'RP', 0xf00, 0x20000000, 0x200);
  assert.deepEqual([flash[0xfff], flash[0x1000]], [0, 0x55]);
  assert.equal(bench.chip.flashOperations, 5, 'it is busy all the same');
});

test('power fails in the middle of the n-th operation', () => {
  const bench = new Bench();
  const { flash } = bench.mcu;
  bench.chip.cutIn = 2;
  flash.fill(0, 0, 0x2000);
  call(bench, 'RE', 0, 0x1000);
  assert.equal(bench.chip.resetReason, null);
  call(bench, 'RE', 0x1000, 0x1000);
  assert.equal(bench.chip.resetReason, 'power_cut');
  assert.deepEqual([flash[0xfff], flash[0x17ff], flash[0x1800]], [0xff, 0xff, 0]);
});

test('a call that spans several pages or sectors is as many operations', () => {
  const bench = new Bench();
  const { flash, sram } = bench.mcu;
  call(bench, 'RE', 0, 0x3000);
  assert.equal(bench.chip.flashOperations, 3);
  assert.equal(bench.chip.extraNs, 3 * 45e6);
  sram.fill(0, 0, 0x300);
  bench.chip.cutIn = 2;
  call(bench, 'RP', 0, 0x20000000, 0x300);
  assert.equal(bench.chip.flashOperations, 5, 'none behind the cut');
  assert.deepEqual([flash[0xff], flash[0x17f], flash[0x180], flash[0x200]], [0, 0, 0xff, 0xff]);
});

test('memory and bit routines', () => {
  const bench = new Bench();
  bench.mcu.sram.set([1, 2, 3, 4], 0);
  call(bench, 'C4', 0x20000010, 0x20000000, 4);
  call(bench, 'MS', 0x20000014, 0xab, 2);
  assert.deepEqual([...bench.mcu.sram.subarray(0x10, 0x17)], [1, 2, 3, 4, 0xab, 0xab, 0]);
  assert.equal(call(bench, 'P3', 0xf00000f1), 9);
  assert.equal(call(bench, 'R3', 0x80000002), 0x40000001);
  assert.equal(call(bench, 'L3', 0x00010000), 15);
  assert.equal(call(bench, 'T3', 0x00010000), 16);
});

test('the way into the boot loader', () => {
  const bench = new Bench();
  call(bench, 'UB', 0, 0);
  assert.equal(bench.chip.resetReason, 'usb_boot');
});
