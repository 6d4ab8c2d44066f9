//! Reads the image's ELF and says what is wrong with it.
//!
//! An ELF can link without complaint and still not start on the chip: boot2 somewhere else, no
//! vector table behind it, code in the journal's sectors. The emulator starts such images too, so
//! it is checked here.

use std::fmt::Write;

use anyhow::{Context, Result, anyhow};
use lodestone::wiring::{Region, flash};
use object::elf::{PT_LOAD, SHF_ALLOC, SHT_NOBITS};
use object::read::elf::{ElfFile32, ProgramHeader, SectionHeader};
use object::{Endianness, Object, ObjectSymbol};

/// What the program may take of the flash: a quarter of its region, so that it stays quick to load.
const FLASH_BUDGET: u32 = 256 * 1024;
/// What static memory may take of the RAM; the rest is stack.
const RAM_BUDGET: u32 = 96 * 1024;
/// The RAM of `memory.x`; two small banks above it stay unused.
const RAM: Region = Region { start: 0x2000_0000, size: 256 * 1024 };

/// The boot ROM loads so much from the start of the flash and runs it.
const BOOT2_SIZE: usize = 256;
/// Where boot2 looks for the vector table.
const VECTORS: u32 = flash::ALL.start + BOOT2_SIZE as u32;
/// Where log decoders find the buffer.
const LOG_SYMBOL: &str = "_SEGGER_RTT";

/// A part of the file that goes to the chip, by physical address.
struct Segment<'a> {
    address: u32,
    bytes: &'a [u8],
}

/// A part of the program that occupies memory: its bytes in flash and in RAM.
struct Section {
    name: String,
    flash: u32,
    ram: u32,
}

/// What the ELF says, as far as it matters for flashing.
pub(super) struct Program<'a> {
    segments: Vec<Segment<'a>>,
    sections: Vec<Section>,
    entry: u32,
    has_log: bool,
}

impl<'a> Program<'a> {
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Program<'a>> {
        let file = ElfFile32::<Endianness>::parse(bytes).context("not a 32-bit ELF file")?;
        let endian = file.endian();
        let mut segments = Vec::new();
        for header in file.elf_program_headers() {
            let bytes = header.data(endian, bytes).map_err(|()| anyhow!("the ELF is cut off"))?;
            if header.p_type(endian) == PT_LOAD && !bytes.is_empty() {
                segments.push(Segment { address: header.p_paddr(endian), bytes });
            }
        }
        let mut sections = Vec::new();
        let table = file.elf_section_table();
        for header in table.iter() {
            let (address, size) = (header.sh_addr(endian), header.sh_size(endian));
            if header.sh_flags(endian) & SHF_ALLOC != SHF_ALLOC || size == 0 {
                continue;
            }
            let name = table.section_name(endian, header).context("a section has no name")?;
            let stored = header.sh_type(endian) != SHT_NOBITS;
            let in_ram = holds(RAM, address, size as usize);
            sections.push(Section {
                name: String::from_utf8_lossy(name).into_owned(),
                flash: if stored { size } else { 0 },
                ram: if in_ram { size } else { 0 },
            });
        }
        let has_log = file.symbols().any(|symbol| symbol.name() == Ok(LOG_SYMBOL));
        Ok(Program { segments, sections, entry: file.entry() as u32, has_log })
    }

    /// What is to be written into the flash.
    pub(super) fn flashed(&self) -> impl Iterator<Item = (u32, &'a [u8])> {
        self.segments.iter().map(|segment| (segment.address, segment.bytes))
    }

    /// Flash and RAM by section, and the sums beside their budgets.
    pub(super) fn size_table(&self) -> String {
        let mut table = format!("{:<16}{:>8}{:>8}\n", "section", "flash", "RAM");
        let (flash, ram) = self.totals();
        let sum = [("total", flash, ram), ("budget", FLASH_BUDGET, RAM_BUDGET)];
        let sections = self.sections.iter().map(|part| (part.name.as_str(), part.flash, part.ram));
        for (name, flash, ram) in sections.chain(sum) {
            writeln!(table, "{name:<16}{flash:>8}{ram:>8}").expect("a string takes all");
        }
        table
    }

    /// Everything that speaks against flashing it; empty = sound.
    pub(super) fn faults(&self) -> Vec<String> {
        [self.boot2_fault(), self.vectors_fault(), self.log_fault()]
            .into_iter()
            .chain(self.segments.iter().map(region_fault))
            .chain(self.budget_faults())
            .flatten()
            .collect()
    }

    /// Bytes in flash.
    pub(super) fn flash_used(&self) -> u32 {
        self.totals().0
    }

    fn totals(&self) -> (u32, u32) {
        let flash = self.sections.iter().map(|part| part.flash).sum();
        (flash, self.sections.iter().map(|part| part.ram).sum())
    }

    /// The bytes that will lie there, if one segment holds them all.
    fn at(&self, address: u32, size: usize) -> Option<&'a [u8]> {
        self.flashed().find_map(|(start, bytes)| {
            bytes.get(address.checked_sub(start)? as usize..)?.get(..size)
        })
    }

    fn boot2_fault(&self) -> Option<String> {
        let start = flash::ALL.start;
        let Some(boot2) = self.at(start, BOOT2_SIZE) else {
            return Some(format!("no boot2 at {start:#010x}; is -Tlink-rp.x missing?"));
        };
        let (code, stored) = boot2.split_at(BOOT2_SIZE - 4);
        let (expected, stored) = (boot_checksum(code).to_le_bytes(), stored);
        (stored != expected).then(|| "the checksum of boot2 is wrong".to_owned())
    }

    fn vectors_fault(&self) -> Option<String> {
        let Some(vectors) = self.at(VECTORS, 8) else {
            return Some(format!("no vector table at {VECTORS:#010x}"));
        };
        let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| vectors[at + byte]));
        let (stack, reset) = (word(0), word(4));
        // A full stack begins right behind the RAM.
        if !holds(RAM, stack.wrapping_sub(4), 4) {
            return Some(format!("the stack would start at {stack:#010x}, outside of the RAM"));
        }
        (reset != self.entry || reset % 2 == 0).then(|| {
            format!(
                "the reset vector {reset:#010x} is not the program's entry {:#010x}",
                self.entry
            )
        })
    }

    fn log_fault(&self) -> Option<String> {
        (!self.has_log).then(|| format!("no symbol {LOG_SYMBOL}: nobody could read the log"))
    }

    fn budget_faults(&self) -> [Option<String>; 2] {
        let (flash, ram) = self.totals();
        [("flash", flash, FLASH_BUDGET), ("static RAM", ram, RAM_BUDGET)].map(
            |(what, used, budget)| {
                (used > budget).then(|| format!("{used} bytes of {what}, the budget is {budget}"))
            },
        )
    }
}

/// Whether a region holds all of this.
fn holds(region: Region, address: u32, size: usize) -> bool {
    let end = u64::from(address) + size as u64;
    address >= region.start && end <= u64::from(region.end())
}

/// Only the image's own region may be written.
fn region_fault(segment: &Segment) -> Option<String> {
    let (address, size) = (segment.address, segment.bytes.len());
    if holds(flash::IMAGE, address, size) {
        return None;
    }
    let end = u64::from(address) + size as u64;
    let touched = [("journal", flash::JOURNAL), ("settings", flash::SETTINGS)]
        .into_iter()
        .find(|(_, region)| u64::from(region.start) < end && address < region.end());
    let place = touched.map_or("no part of the image's flash".to_owned(), |(name, _)| {
        format!("in the region of the {name}")
    });
    Some(format!("{size} bytes at {address:#010x} are {place}"))
}

/// The boot ROM's checksum of boot2: CRC-32/MPEG-2, highest bit first, nothing inverted at the end.
fn boot_checksum(bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0x04c1_1db7;
    bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte) << 24, |crc, _| {
            crc << 1 ^ if crc >> 31 == 1 { POLYNOMIAL } else { 0 }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A section with a segment of its own; without bytes it only takes memory.
    #[derive(Clone)]
    struct Part {
        name: &'static str,
        physical: u32,
        address: u32,
        bytes: Vec<u8>,
        size: u32,
    }

    /// What an ELF shall hold; tests spoil one thing at a time.
    #[derive(Clone)]
    struct Recipe {
        entry: u32,
        parts: Vec<Part>,
        symbol: &'static str,
    }

    impl Recipe {
        /// boot2, vectors, code, data and some zeroed memory, all in order.
        fn sound() -> Recipe {
            let part = |name, physical, address, bytes: Vec<u8>| {
                let size = bytes.len() as u32;
                Part { name, physical, address, bytes, size }
            };
            let mut boot2 = vec![0x5a; 252];
            boot2.extend(boot_checksum(&boot2).to_le_bytes());
            let vectors = [0x2004_0000_u32, 0x1000_0109].map(u32::to_le_bytes).concat();
            let parts = vec![
                part(".boot2", 0x1000_0000, 0x1000_0000, boot2),
                part(".vector_table", 0x1000_0100, 0x1000_0100, vectors),
                part(".text", 0x1000_0108, 0x1000_0108, vec![0; 1000]),
                part(".data", 0x1000_04f0, 0x2000_0000, vec![1; 16]),
                Part { size: 4096, ..part(".bss", 0x2000_0010, 0x2000_0010, vec![]) },
            ];
            Recipe { entry: 0x1000_0109, parts, symbol: "_SEGGER_RTT" }
        }

        fn part(&mut self, name: &str) -> &mut Part {
            self.parts.iter_mut().find(|part| part.name == name).unwrap()
        }

        /// The ELF file: header, program headers, contents, symbols, names, section headers.
        fn elf(&self) -> Vec<u8> {
            let words = |words: &[u32]| -> Vec<u8> {
                words.iter().flat_map(|word| word.to_le_bytes()).collect()
            };
            let count = self.parts.len() as u32;
            let mut names = vec![0];
            let mut name = |text: &str| {
                let at = names.len() as u32;
                names.extend(text.bytes().chain([0]));
                at
            };
            let (mut segments, mut sections, mut contents) = (vec![], vec![0; 40], vec![]);
            let contents_at = 52 + 32 * count;
            for Part { name: text, physical, address, bytes, size } in &self.parts {
                let (at, stored) = (contents_at + contents.len() as u32, bytes.len() as u32);
                segments.extend(words(&[1, at, *address, *physical, stored, *size, 7, 4]));
                let kind = if stored == 0 { 8 } else { 1 };
                sections.extend(words(&[name(text), kind, 2, *address, at, *size, 0, 0, 4, 0]));
                contents.extend(bytes);
            }
            let symbols =
                [words(&[0; 4]), words(&[name(self.symbol), 0x2000_0010, 4, 0xfff1_0011])];
            let symbols_at = contents_at + contents.len() as u32;
            let names_at = symbols_at + 32;
            sections.extend(words(&[0, 2, 0, 0, symbols_at, 32, count + 2, 1, 4, 16]));
            sections.extend(words(&[0, 3, 0, 0, names_at, names.len() as u32, 0, 0, 1, 0]));
            let sections_at = names_at + names.len() as u32;
            let ident = words(&[0x464c_457f, 0x0001_0101, 0, 0, 0x0028_0002, 1, self.entry]);
            let tables = words(&[52, sections_at, 0x0500_0200]);
            let sizes = [52, 32, count as u16, 40, count as u16 + 3, count as u16 + 2];
            let sizes: Vec<u8> = sizes.into_iter().flat_map(u16::to_le_bytes).collect();
            let symbols = symbols.concat();
            [ident, tables, sizes, segments, contents, symbols, names, sections].concat()
        }
    }

    /// Spoils a sound program and expects exactly this complaint.
    #[track_caller]
    fn check(complaint: &str, spoil: impl FnOnce(&mut Recipe)) {
        let mut recipe = Recipe::sound();
        spoil(&mut recipe);
        let elf = recipe.elf();
        let faults = Program::parse(&elf).unwrap().faults();
        assert!(faults.len() == 1 && faults[0].contains(complaint), "{faults:?}");
    }

    #[test]
    fn a_sound_program_has_no_faults_and_a_size() {
        let elf = Recipe::sound().elf();
        let program = Program::parse(&elf).unwrap();
        assert_eq!(program.faults(), Vec::<String>::new());
        assert_eq!(program.totals(), (256 + 8 + 1000 + 16, 16 + 4096));
        let table = program.size_table();
        assert!(table.contains(".data                 16      16\n"), "{table}");
        assert!(table.contains("total               1280    4112\n"), "{table}");
        // .bss is not in the file.
        assert_eq!(program.flashed().map(|(_, bytes)| bytes.len()).sum::<usize>(), 1280);
    }

    #[test]
    fn the_checksum_is_the_published_one() {
        // The check value that catalogues give for CRC-32/MPEG-2.
        assert_eq!(boot_checksum(b"123456789"), 0x0376_e6e7);
    }

    #[test]
    fn boot2_must_be_whole_and_where_the_chip_looks() {
        check("no boot2", |recipe| recipe.part(".boot2").physical = 0x1000_1280);
        check("no boot2", |recipe| recipe.part(".boot2").bytes.truncate(252));
        check("checksum", |recipe| recipe.part(".boot2").bytes[100] ^= 1);
        check("checksum", |recipe| recipe.part(".boot2").bytes[255] ^= 1);
    }

    #[test]
    fn the_vector_table_must_follow() {
        check("no vector table", |recipe| recipe.part(".vector_table").physical = 0x1000_2000);
        check("stack", |recipe| recipe.part(".vector_table").bytes[3] = 0x10);
        check("reset vector", |recipe| recipe.part(".vector_table").bytes[4] ^= 2);
        check("reset vector", |recipe| {
            recipe.entry -= 1;
            recipe.part(".vector_table").bytes[4] -= 1;
        });
    }

    #[test]
    fn nothing_may_lie_outside_the_image() {
        check("region of the journal", |recipe| recipe.part(".data").physical = 0x1010_0000);
        check("region of the journal", |recipe| recipe.part(".data").physical = 0x100f_fff8);
        check("region of the settings", |recipe| recipe.part(".data").physical = 0x101f_fff0);
        check("no part of", |recipe| recipe.part(".data").physical = 0x1020_0000);
        check("no part of", |recipe| recipe.part(".data").physical = 0x2000_0000);
    }

    #[test]
    fn the_log_must_be_readable() {
        check("_SEGGER_RTT", |recipe| recipe.symbol = "_SEGGER_RTX");
    }

    #[test]
    fn the_budgets_count_to_the_last_byte() {
        let text_max = FLASH_BUDGET - 256 - 8 - 16;
        let bss_max = RAM_BUDGET - 16;
        let fill = |recipe: &mut Recipe, text: u32, bss: u32| {
            recipe.part(".data").physical = 0x1008_0000;
            *recipe.part(".text") =
                Part { bytes: vec![0; text as usize], size: text, ..recipe.part(".text").clone() };
            recipe.part(".bss").size = bss;
        };
        let mut full = Recipe::sound();
        fill(&mut full, text_max, bss_max);
        assert_eq!(Program::parse(&full.elf()).unwrap().faults(), Vec::<String>::new());
        check("of flash", |recipe| fill(recipe, text_max + 1, bss_max));
        check("of static RAM", |recipe| fill(recipe, text_max, bss_max + 1));
    }

    #[test]
    fn what_is_no_elf_is_refused() {
        assert!(Program::parse(b"MZ").is_err());
        let elf = Recipe::sound().elf();
        for length in 0..elf.len() {
            assert!(Program::parse(&elf[..length]).is_err(), "{length}");
        }
    }
}
