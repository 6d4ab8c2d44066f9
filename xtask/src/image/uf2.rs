//! Writes UF2, the format that the RP2040's USB drive takes: 512-byte blocks, each a page of 256
//! bytes with its address.
//!
//! The boot ROM may lose pages of a sector that is only partly in the file (erratum RP2040-E14), so
//! every sector that is touched is written whole.

use std::collections::BTreeMap;

use lodestone::wiring::flash;

const PAGE: u32 = 256;
const BLOCK: usize = 512;
const MAGIC: [u32; 2] = [0x0a32_4655, 0x9e5d_5157];
const MAGIC_END: u32 = 0x0ab1_6f30;
/// The header's last field names the family of chips.
const FAMILY_PRESENT: u32 = 0x2000;
const RP2040: u32 = 0xe48b_ff56;
/// What erased flash reads as.
const ERASED: u8 = 0xff;

/// The UF2 file for these pieces of (address, bytes); later ones overwrite earlier ones.
pub(super) fn pages<'a>(pieces: impl Iterator<Item = (u32, &'a [u8])>) -> Vec<u8> {
    let mut sectors: BTreeMap<u32, [u8; flash::SECTOR as usize]> = BTreeMap::new();
    for (start, bytes) in pieces {
        for (address, &byte) in (start..).zip(bytes) {
            let offset = address % flash::SECTOR;
            let sector = sectors.entry(address - offset);
            sector.or_insert([ERASED; flash::SECTOR as usize])[offset as usize] = byte;
        }
    }
    let pages: Vec<(u32, &[u8])> = sectors
        .iter()
        .flat_map(|(&start, sector)| {
            (start..).step_by(PAGE as usize).zip(sector.chunks(PAGE as usize))
        })
        .collect();
    let count = pages.len() as u32;
    (0..)
        .zip(pages)
        .flat_map(|(number, (address, page))| block(number, count, address, page))
        .collect()
}

fn block(number: u32, count: u32, address: u32, page: &[u8]) -> [u8; BLOCK] {
    let header = [MAGIC[0], MAGIC[1], FAMILY_PRESENT, address, PAGE, number, count, RP2040];
    let header = header.iter().flat_map(|word| word.to_le_bytes());
    let content = header.chain(page.iter().copied());
    let mut block = [0; BLOCK];
    block.iter_mut().zip(content).for_each(|(to, from)| *to = from);
    block[BLOCK - 4..].copy_from_slice(&MAGIC_END.to_le_bytes());
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(block: &[u8], index: usize) -> u32 {
        u32::from_le_bytes(block[4 * index..][..4].try_into().unwrap())
    }

    /// Reads a UF2 file back as the boot ROM would: address -> byte.
    fn read(file: &[u8]) -> BTreeMap<u32, u8> {
        let mut memory = BTreeMap::new();
        assert_eq!(file.len() % BLOCK, 0);
        for (number, block) in file.chunks(BLOCK).enumerate() {
            assert_eq!(
                [word(block, 0), word(block, 1), word(block, 127)],
                [0x0a32_4655, 0x9e5d_5157, 0x0ab1_6f30]
            );
            assert_eq!([word(block, 2), word(block, 7)], [0x2000, 0xe48b_ff56]);
            assert_eq!(word(block, 4), 256);
            assert_eq!(word(block, 5) as usize, number);
            assert_eq!(word(block, 6) as usize, file.len() / BLOCK);
            assert_eq!(word(block, 3) % 256, 0);
            assert!(block[32 + 256..508].iter().all(|&byte| byte == 0));
            for (address, &byte) in (word(block, 3)..).zip(&block[32..32 + 256]) {
                assert_eq!(memory.insert(address, byte), None, "{address:#x} is written twice");
            }
        }
        memory
    }

    #[test]
    fn nothing_gives_an_empty_file() {
        assert!(pages(std::iter::empty()).is_empty());
    }

    #[test]
    fn bytes_arrive_at_their_addresses_and_sectors_are_whole() {
        // Unordered, crossing a page and a sector, with a sector left out between them.
        let long: Vec<u8> = (0..600).map(|n| n as u8).collect();
        let pieces = [(0x1000_2ffe, &[1, 2, 3, 4][..]), (0x1000_0000, &long[..])];
        let memory = read(&pages(pieces.into_iter()));
        for (start, bytes) in pieces {
            for (address, byte) in (start..).zip(bytes) {
                assert_eq!(memory[&address], *byte, "{address:#x}");
            }
        }
        let sectors: Vec<u32> = memory.keys().copied().filter(|at| at % 4096 == 0).collect();
        assert_eq!(sectors, [0x1000_0000, 0x1000_2000, 0x1000_3000]);
        assert_eq!(memory.len(), 3 * 4096);
        assert_eq!(memory.values().filter(|&&byte| byte != 0xff).count(), 600 - 2 + 4);
    }
}
