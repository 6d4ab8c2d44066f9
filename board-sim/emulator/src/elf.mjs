// Reads what the emulator needs from an ELF file: what goes into the flash, and where symbols are.

const PT_LOAD = 1;
const SHT_SYMTAB = 2;

/// `segments`: [{ address, bytes }] by physical (load) address; `symbols`: name -> address.
export function parseElf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const u16 = (at) => view.getUint16(at, true);
  const u32 = (at) => view.getUint32(at, true);
  if (bytes.length < 52 || u32(0) !== 0x464c457f || bytes[4] !== 1 || bytes[5] !== 1) {
    throw new Error('not a 32-bit little-endian ELF file');
  }

  const segments = [];
  const [segmentTable, segmentSize, segmentCount] = [u32(28), u16(42), u16(44)];
  for (let i = 0; i < segmentCount; i++) {
    const at = segmentTable + i * segmentSize;
    const [type, offset, address, size] = [u32(at), u32(at + 4), u32(at + 12), u32(at + 16)];
    if (type === PT_LOAD && size > 0) {
      segments.push({ address, bytes: bytes.subarray(offset, offset + size) });
    }
  }

  const symbols = new Map();
  const [sectionTable, sectionSize, sectionCount] = [u32(32), u16(46), u16(48)];
  const section = (i) => sectionTable + i * sectionSize;
  for (let i = 0; i < sectionCount; i++) {
    if (u32(section(i) + 4) !== SHT_SYMTAB) continue;
    const [start, size, link] = [u32(section(i) + 16), u32(section(i) + 20), u32(section(i) + 24)];
    const names = u32(section(link) + 16);
    for (let at = start; at < start + size; at += 16) {
      const name = names + u32(at);
      const text = String.fromCharCode(...bytes.subarray(name, bytes.indexOf(0, name)));
      if (text) symbols.set(text, u32(at + 4));
    }
  }
  return { segments, symbols };
}
