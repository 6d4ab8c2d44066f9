// The pipe: one JSON request per line on stdin, one JSON answer per line on stdout. The driving
// side, board-sim's module `emulator`, documents the protocol; this file only carries it out.

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Machine } from './machine.mjs';

const FLASH_START = 0x10000000;

let machine = null;

/// Requests by name; each gets its fields and returns the fields of the answer.
const requests = {
  load({ elf, config }) {
    machine = new Machine(config, readFileSync(elf));
  },
  run({ ns }) {
    machine.run(ns);
    const events = machine.events.splice(0);
    const { user, system } = process.cpuUsage();
    const { cycles } = machine;
    const { flashOperations: flash_operations } = machine.chip;
    const now = Math.round(machine.now());
    return { now, cycles, flash_operations, cpu_us: user + system, events };
  },
  sensors({ codes }) {
    for (const [address, channel, code] of codes) machine.board.setCode(address, channel, code);
  },
  unplug() {
    machine.board.clearSensors();
  },
  strap({ code }) {
    machine.board.strapCode = code;
  },
  key({ pin, pressed }) {
    machine.setKey(pin, pressed);
  },
  usb({ present, reading }) {
    machine.usb.setPresent(present);
    machine.usb.setReading(reading);
  },
  usb_send({ bytes }) {
    machine.usb.send(Buffer.from(bytes, 'hex'));
  },
  scratch({ index, value }) {
    machine.chip.watchdog.scratchData[index] = value;
  },
  trace({ on }) {
    machine.board.traces = on;
  },
  statistics() {
    const { statistics } = machine.board;
    machine.board.clearStatistics();
    return statistics; // what was never seen is infinite, which JSON writes as null
  },
  flash({ address, size }) {
    const start = address - FLASH_START;
    const part = machine.chip.mcu.flash.subarray(start, start + size);
    return { bytes: Buffer.from(part).toString('hex') };
  },
  dead_sector({ address }) {
    machine.chip.deadSectors.add(address - FLASH_START);
  },
  cut_power({ operation }) {
    machine.chip.cutIn = operation;
  },
  cut_power_now() {
    machine.chip.requestReset('power_cut');
  },
};

// Whoever asked is gone: nothing is left to do.
process.stdout.on('error', () => process.exit());

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    const [[name, fields]] = Object.entries(JSON.parse(line));
    answer = { ok: requests[name](fields) ?? {} };
  } catch (error) {
    answer = { error: error.stack };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
