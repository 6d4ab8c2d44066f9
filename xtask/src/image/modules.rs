//! Who takes how much of the flash: the symbols of the ELF, added up by crate, and by module for our
//! own. What has no symbol (constants without a name, the texts of panics) is one row.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::{Context, Result};
use lodestone::wiring::flash;
use object::read::elf::ElfFile32;
use object::{Endianness, Object, ObjectSymbol};

/// Smaller ones are added up.
const WORTH_A_ROW: u64 = 1024;
/// The crates of which modules are told apart.
const OURS: [&str; 2] = ["lodestone", "firmware"];

/// The table; `total` is all that is in flash.
pub(super) fn table(elf: &[u8], total: u64) -> Result<String> {
    let file = ElfFile32::<Endianness>::parse(elf).context("not a 32-bit ELF file")?;
    let in_flash = u64::from(flash::ALL.start)..u64::from(flash::ALL.end());
    let mut places = BTreeMap::new();
    for symbol in file.symbols().filter(|symbol| in_flash.contains(&symbol.address())) {
        // Functions that came out alike are one place with several names.
        if symbol.size() > 0 {
            places.insert(symbol.address(), (symbol.size(), symbol.name().unwrap_or_default()));
        }
    }
    let mut sizes = BTreeMap::<String, u64>::new();
    for (size, name) in places.values() {
        *sizes.entry(module(name)).or_default() += size;
    }
    let unnamed = total.saturating_sub(sizes.values().sum());
    let (rows, small): (Vec<_>, Vec<_>) =
        sizes.into_iter().partition(|(_, size)| *size >= WORTH_A_ROW);
    let small = small.into_iter().map(|(_, size)| size).sum();
    let mut rows = rows;
    rows.extend([("smaller ones".into(), small), ("without a name".into(), unnamed)]);
    rows.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    let mut table = String::from("by module                 flash\n");
    for (name, size) in rows {
        writeln!(table, "{name:<22}{size:>9}")?;
    }
    Ok(table)
}

/// The crate of a mangled name, and its module if it is ours: of a method, where its type is.
fn module(symbol: &str) -> String {
    let words: Vec<&str> = symbol
        .split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .flat_map(|part| part.split("_ZN"))
        .map(|word| word.trim_matches(|letter: char| letter.is_ascii_digit() || letter == '_'))
        .filter(|word| !word.is_empty() && !matches!(*word, "LT" | "RF" | "u7b" | "impl"))
        .collect();
    let text = words.join(" ");
    for ours in OURS {
        if let Some((_, rest)) = text.split_once(ours) {
            let name = |letter: &char| letter.is_ascii_alphabetic() || *letter == '_';
            let rest = rest.trim_start_matches(|letter: char| !name(&letter));
            let module: String = rest.chars().take_while(name).collect();
            return format!("{ours}::{module}");
        }
    }
    let known = ["core", "compiler_builtins", "sequential_storage", "embassy_usb", "embassy_rp"];
    let known = known.into_iter().chain(["embassy", "defmt", "postcard", "heapless"]);
    known.into_iter().find(|name| symbol.contains(name)).unwrap_or("others").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_belongs_to_its_crate_and_ours_to_their_modules() {
        for (symbol, expected) in [
            ("_ZN9lodestone7referee7Referee3key17h09645bf98cbeb9feE", "lodestone::referee"),
            (
                "_ZN68_$LT$lodestone..games..glux..Glux$u20$as$u20$lodestone..games..Game$GT$5check17hd086E",
                "lodestone::games",
            ),
            ("_ZN8firmware6device7console4Desk4show17h6cbbE", "firmware::device"),
            ("_RNvMs_NtCs123_4core3fmtNtB4_9Formatter3pad", "core"),
            ("_ZN16embassy_executor3raw20TaskStorage$LT$F$GT$4poll17h07E", "embassy"),
            ("__aeabi_memcpy", "others"),
        ] {
            assert_eq!(module(symbol), expected, "{symbol}");
        }
    }
}
