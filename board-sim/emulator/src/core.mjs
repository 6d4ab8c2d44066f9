// The frequent instructions, quicker: found by their upper bits, with RAM and flash read where they
// are. The package compares an instruction with one pattern after the other, which was most of the
// time that a run took.
//
// Whatever could be more than registers and memory is left to the package, before anything has
// changed: interrupts, code outside the flash, registers of peripherals, rare instructions. Times and
// results are the same; the image's tests compare both ways event by event (`fast_paths`).

const FLASH_START = 0x10000000;
const SRAM_START = 0x20000000;
const [SP, LR, PC] = [13, 14, 15];

/// Gives what executes plain instructions until `limit` cycles have passed or the next one is to be
/// left to the package; it returns the cycles they took.
export function quickSteps({ core, flash, sram }) {
  const r = core.registers;
  const [flash16, sram16] = [flash, sram].map((m) => new Uint16Array(m.buffer, m.byteOffset));
  const [flash32, sram32] = [flash, sram].map((m) => new Uint32Array(m.buffer, m.byteOffset));
  const [flashSize, sramSize] = [flash.length, sram.length];

  // Each of the following returns the cycles of an instruction, or 0 when it is not plain.

  /// Where something lies in RAM or flash; -1 elsewhere or across a border of words.
  const inSram = (address, mask) => {
    const offset = (address - SRAM_START) >>> 0;
    return offset < sramSize && (offset & mask) === 0 ? offset : -1;
  };
  const inFlash = (address, mask) => {
    const offset = (address - FLASH_START) >>> 0;
    return offset < flashSize && (offset & mask) === 0 ? offset : -1;
  };

  /// Ends an instruction that goes on with the next one.
  const done = (cycles) => {
    r[PC] += 2;
    return cycles;
  };

  const flags = (result) => {
    core.N = (result & 0x80000000) !== 0;
    core.Z = (result | 0) === 0;
  };

  const load32 = (rt, address) => {
    let at = inSram(address, 3);
    if (at >= 0) r[rt] = sram32[at >> 2];
    else if ((at = inFlash(address, 3)) >= 0) r[rt] = flash32[at >> 2];
    else return 0;
    return done(2);
  };
  const load16 = (rt, address) => {
    let at = inSram(address, 1);
    if (at >= 0) r[rt] = sram16[at >> 1];
    else if ((at = inFlash(address, 1)) >= 0) r[rt] = flash16[at >> 1];
    else return 0;
    return done(2);
  };
  const load8 = (rt, address) => {
    let at = inSram(address, 0);
    if (at >= 0) r[rt] = sram[at];
    else if ((at = inFlash(address, 0)) >= 0) r[rt] = flash[at];
    else return 0;
    return done(2);
  };
  const store32 = (rt, address) => {
    const at = inSram(address, 3);
    if (at < 0) return 0;
    sram32[at >> 2] = r[rt];
    return done(2);
  };
  const store16 = (rt, address) => {
    const at = inSram(address, 1);
    if (at < 0) return 0;
    sram16[at >> 1] = r[rt];
    return done(2);
  };
  const store8 = (rt, address) => {
    const at = inSram(address, 0);
    if (at < 0) return 0;
    sram[at] = r[rt];
    return done(2);
  };

  /// LDM, STM, POP and PUSH move as many words as bits are set.
  const bits = Uint8Array.from({ length: 256 }, (_, n) => n.toString(2).replaceAll('0', '').length);
  const inOnePiece = (address, count) =>
    inSram(address, 3) >= 0 && inSram(address + 4 * count, 3) >= 0;
  const loadMany = (list, address) => {
    let at = (address - SRAM_START) >> 2;
    for (let n = 0; n < 8; n++) if (list & (1 << n)) r[n] = sram32[at++];
  };
  const storeMany = (list, address) => {
    let at = (address - SRAM_START) >> 2;
    for (let n = 0; n < 8; n++) if (list & (1 << n)) sram32[at++] = r[n];
  };

  const push = (opcode) => {
    const list = opcode & 0xff;
    const hasLr = (opcode >> 8) & 1;
    const count = bits[list];
    const address = r[SP] - 4 * (count + hasLr);
    if (!inOnePiece(address, count + hasLr)) return 0;
    storeMany(list, address);
    if (hasLr) sram32[(address - SRAM_START + 4 * count) >> 2] = r[LR];
    r[SP] = address;
    return done(1 + count);
  };
  const pop = (opcode) => {
    const list = opcode & 0xff;
    const count = bits[list];
    const address = r[SP];
    if (!inOnePiece(address, count + 1)) return 0;
    if (opcode & 0x100) {
      const target = sram32[(address - SRAM_START + 4 * count) >> 2];
      if (target >>> 28 === 0b1111) return 0; // perhaps the end of an interrupt
      loadMany(list, address);
      r[SP] = address + 4 * count + 4;
      r[PC] = target & ~1;
      return 3 + count;
    }
    loadMany(list, address);
    r[SP] = address + 4 * count;
    return done(1 + count);
  };
  const multiple = (opcode, isLoad) => {
    const list = opcode & 0xff;
    const rn = (opcode >> 8) & 7;
    const count = bits[list];
    const address = r[rn];
    if (list & (1 << rn) || !inOnePiece(address, count)) return 0;
    if (isLoad) loadMany(list, address);
    else storeMany(list, address);
    r[rn] = address + 4 * count;
    return done(1 + count);
  };

  const branch = (offset, cycles) => {
    r[PC] += 4 + offset;
    return cycles;
  };

  const step = () => {
    const at = r[PC] - FLASH_START;
    if (!(at >= 0 && at < flashSize - 2)) return 0;
    const opcode = flash16[at >> 1];
    const rd = opcode & 7;
    const rn = (opcode >> 3) & 7;
    const rm = (opcode >> 6) & 7;
    const rt = (opcode >> 8) & 7;
    const imm5 = (opcode >> 6) & 31;
    const imm8 = opcode & 0xff;
    switch (opcode >> 11) {
      case 0b00000: { // LSLS
        const input = r[rn];
        if (imm5) core.C = (input & (1 << (32 - imm5))) !== 0;
        flags((r[rd] = input << imm5));
        return done(1);
      }
      case 0b00001: { // LSRS
        const input = r[rn];
        core.C = ((input >>> (imm5 ? imm5 - 1 : 31)) & 1) !== 0;
        flags((r[rd] = imm5 ? input >>> imm5 : 0));
        return done(1);
      }
      case 0b00011: { // ADDS, SUBS with a register or three bits
        const operand = opcode & 0x400 ? rm : r[rm];
        r[rd] = opcode & 0x200
          ? core.substractUpdateFlags(r[rn], operand)
          : core.addUpdateFlags(r[rn], operand);
        return done(1);
      }
      case 0b00100: // MOVS
        r[rt] = imm8;
        flags(imm8);
        return done(1);
      case 0b00101: // CMP
        core.substractUpdateFlags(r[rt], imm8);
        return done(1);
      case 0b00110: // ADDS
        r[rt] = core.addUpdateFlags(r[rt], imm8);
        return done(1);
      case 0b00111: // SUBS
        r[rt] = core.substractUpdateFlags(r[rt], imm8);
        return done(1);
      case 0b01000:
        switch ((opcode >> 6) & 31) {
          case 0b00000: flags((r[rd] &= r[rn])); return done(1); // ANDS
          case 0b00001: flags((r[rd] ^= r[rn])); return done(1); // EORS
          case 0b01000: flags(r[rd] & r[rn]); return done(1); // TST
          case 0b01001: r[rd] = core.substractUpdateFlags(0, r[rn]); return done(1); // NEGS
          case 0b01010: core.substractUpdateFlags(r[rd], r[rn]); return done(1); // CMP
          case 0b01100: flags((r[rd] |= r[rn])); return done(1); // ORRS
          case 0b01101: flags((r[rd] = Math.imul(r[rn], r[rd]))); return done(1); // MULS
          case 0b01110: flags((r[rd] &= ~r[rn])); return done(1); // BICS
          case 0b01111: flags((r[rd] = ~r[rn])); return done(1); // MVNS
          case 0b11000: case 0b11001: case 0b11010: case 0b11011: { // MOV
            const to = ((opcode >> 4) & 8) | rd;
            const from = (opcode >> 3) & 15;
            if (to === PC || from === PC) return 0;
            r[to] = to === SP ? r[from] & ~3 : r[from];
            return done(1);
          }
          default: return 0;
        }
      case 0b01001: return load32(rt, ((r[PC] + 4) & ~3) + 4 * imm8);
      case 0b01010:
        switch ((opcode >> 9) & 3) {
          case 0: return store32(rd, r[rm] + r[rn]);
          case 1: return store16(rd, r[rm] + r[rn]);
          case 2: return store8(rd, r[rm] + r[rn]);
          default: return 0; // LDRSB
        }
      case 0b01011:
        switch ((opcode >> 9) & 3) {
          case 0: return load32(rd, r[rm] + r[rn]);
          case 1: return load16(rd, r[rm] + r[rn]);
          case 2: return load8(rd, r[rm] + r[rn]);
          default: return 0; // LDRSH
        }
      case 0b01100: return store32(rd, r[rn] + 4 * imm5);
      case 0b01101: return load32(rd, r[rn] + 4 * imm5);
      case 0b01110: return store8(rd, r[rn] + imm5);
      case 0b01111: return load8(rd, r[rn] + imm5);
      case 0b10000: return store16(rd, r[rn] + 2 * imm5);
      case 0b10001: return load16(rd, r[rn] + 2 * imm5);
      case 0b10010: return store32(rt, r[SP] + 4 * imm8);
      case 0b10011: return load32(rt, r[SP] + 4 * imm8);
      case 0b10101: // ADD to SP
        r[rt] = r[SP] + 4 * imm8;
        return done(1);
      case 0b10110:
        if (((opcode >> 9) & 3) === 0b10) return push(opcode);
        switch ((opcode >> 6) & 31) {
          case 0b00000: case 0b00001: r[SP] += 4 * (opcode & 127); return done(1);
          case 0b00010: case 0b00011: r[SP] -= 4 * (opcode & 127); return done(1);
          case 0b01000: r[rd] = (r[rn] << 16) >> 16; return done(1); // SXTH
          case 0b01001: r[rd] = (r[rn] << 24) >> 24; return done(1); // SXTB
          case 0b01010: r[rd] = r[rn] & 0xffff; return done(1); // UXTH
          case 0b01011: r[rd] = r[rn] & 0xff; return done(1); // UXTB
          default: return 0;
        }
      case 0b10111:
        return ((opcode >> 9) & 3) === 0b10 ? pop(opcode) : 0;
      case 0b11000: return multiple(opcode, false);
      case 0b11001: return multiple(opcode, true);
      case 0b11010:
      case 0b11011: {
        const condition = (opcode >> 8) & 15;
        if (condition >= 14) return 0;
        return core.checkCondition(condition) ? branch((imm8 << 24) >> 23, 2) : done(1);
      }
      case 0b11100: return branch((opcode << 21) >> 20, 2);
      case 0b11110: { // BL
        const second = flash16[(at >> 1) + 1];
        if (second >> 14 !== 0b11 || !(second & 0x1000)) return 0;
        const sign = (opcode >> 10) & 1;
        const bit = (n) => ~(sign ^ (second >> n)) & 1;
        const high = (sign ? 0xff << 24 : 0) | (bit(13) << 23) | (bit(11) << 22);
        r[LR] = (r[PC] + 4) | 1;
        return branch(high | ((opcode & 0x3ff) << 12) | ((second & 0x7ff) << 1), 3);
      }
      default: return 0;
    }
  };

  return (limit) => {
    let cycles = 0;
    while (cycles < limit && !core.interruptsUpdated) {
      const taken = step();
      if (taken === 0) break;
      cycles += taken;
    }
    core.cycles += cycles;
    return cycles;
  };
}
