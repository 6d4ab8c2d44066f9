// A stand-in for the mask ROM: the function table that embassy-rp looks into, and flash operations.
//
// Every routine is `BKPT #n; BX LR`; the breakpoint handler does the work on the core's registers.
// So nothing of the real ROM is copied, and a call costs the run loop nothing.

const ROM_END = 0x4000;
const FUNCTION_TABLE = 0x40;
const DATA_TABLE = 0xf0;
const ROUTINES = 0x100;

// Busy times of the flash: typical values of a W25Q16 class part.
const ERASE_SECTOR_NS = 45e6;
const PROGRAM_PAGE_NS = 0.4e6;
const SECTOR = 4096;
const PAGE = 256;

const none = () => {};

/// What each routine does, by its two-letter code; r = core registers. The first is the look-up.
const routines = [
  ['lookup', ({ mcu }, r) => (r[0] = lookUp(mcu, r[1]))],
  ['IF', none], // connect flash
  ['EX', none], // leave XIP
  ['RE', (chip, r) => erase(chip, r[0], r[1])],
  ['RP', (chip, r) => program(chip, r[0], r[1], r[2])],
  ['FC', none], // flush cache
  ['CX', none], // enter XIP
  ['UB', (chip) => chip.requestReset('usb_boot')],
  ['MC', copy],
  ['C4', copy],
  ['MS', fill],
  ['S4', fill],
  ['P3', (_, r) => (r[0] = bits(r[0]).filter((bit) => bit === '1').length)],
  ['R3', (_, r) => (r[0] = Number(`0b${bits(r[0]).reverse().join('')}`))],
  ['L3', (_, r) => (r[0] = Math.clz32(r[0]))],
  ['T3', (_, r) => (r[0] = r[0] ? 31 - Math.clz32(r[0] & -r[0]) : 32)],
];

const bits = (word) => [...word.toString(2).padStart(32, '0')];
const codeOf = (name) => name.charCodeAt(0) | (name.charCodeAt(1) << 8);
const addressOf = (index) => ROUTINES + 4 * index;

/// Writes the stub into the chip's ROM and answers its breakpoints. Any other breakpoint (or `udf`,
/// which is where a trap of the compiler ends) is a fault: the chip would stop or HardFault there.
export function installRom(chip) {
  const { mcu } = chip;
  const rom = new DataView(mcu.bootrom.buffer);
  rom.setUint8(0x13, 2); // version
  rom.setUint16(0x14, FUNCTION_TABLE, true);
  rom.setUint16(0x16, DATA_TABLE, true);
  rom.setUint16(0x18, addressOf(0) | 1, true);
  routines.forEach(([name], index) => {
    if (index > 0) {
      const entry = FUNCTION_TABLE + 4 * (index - 1);
      rom.setUint16(entry, codeOf(name), true);
      rom.setUint16(entry + 2, addressOf(index) | 1, true);
    }
    rom.setUint16(addressOf(index), 0xbe00 | index, true); // BKPT #index
    rom.setUint16(addressOf(index) + 2, 0x4770, true); // BX LR
  });
  mcu.onBreak = (number) => {
    const { core } = mcu;
    if (core.PC < ROM_END) routines[number][1](chip, core.registers);
    else chip.fail(`breakpoint or trap ${number} at 0x${core.PC.toString(16)}`);
  };
}

function lookUp(mcu, code) {
  const index = routines.findIndex(([name], i) => i > 0 && codeOf(name) === code);
  return index < 0 ? 0 : addressOf(index) | 1;
}

function copy({ mcu }, r) {
  for (let i = 0; i < r[2]; i++) mcu.writeUint8(r[0] + i, mcu.readUint8(r[1] + i));
}

function fill({ mcu }, r) {
  for (let i = 0; i < r[2]; i++) mcu.writeUint8(r[0] + i, r[1]);
}

/// Sector by sector, each an operation of its own; after a power cut nothing follows.
function erase(chip, offset, size) {
  for (let at = offset; at < offset + size && !chip.resetReason; at += SECTOR) {
    const done = chip.flashOperation(SECTOR);
    if (!chip.deadSectors.has(at)) chip.mcu.flash.fill(0xff, at, at + done);
    chip.extraNs += ERASE_SECTOR_NS;
  }
}

/// Page by page. NOR flash: programming only clears bits.
function program(chip, offset, source, size) {
  const { mcu } = chip;
  for (let page = 0; page < size && !chip.resetReason; page += PAGE) {
    const done = chip.flashOperation(Math.min(PAGE, size - page));
    for (let i = page; i < page + done; i++) {
      const at = offset + i;
      if (!chip.deadSectors.has(at - (at % SECTOR))) mcu.flash[at] &= mcu.readUint8(source + i);
    }
    chip.extraNs += PROGRAM_PAGE_NS;
  }
}
