//! Names in the documents that the code has too: rules, sentences, the oldest Rust, and that pages
//! for players say the same in every language.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use super::{Page, tables};
use crate::command::{files, root};

/// Everything that does not fit.
pub(super) fn faults(pages: &[Page]) -> Result<Vec<String>> {
    let mut faults = rules(pages);
    faults.extend(translations(pages));
    faults.extend(sentences(pages)?);
    faults.extend(languages(pages));
    faults.extend(oldest_rust(pages));
    faults.extend(pipe(pages)?);
    Ok(faults)
}

/// Rule numbers that no rule book has.
fn rules(pages: &[Page]) -> Vec<String> {
    let is_book = |page: &&Page| page.path.starts_with("docs/rules");
    let books = pages.iter().filter(is_book).flat_map(|page| page.text.lines());
    let known: BTreeSet<&str> = books
        .filter_map(|line| line.strip_prefix("- **")?.split_once("** ").map(|(name, _)| name))
        .collect();
    let mut faults = Vec::new();
    for page in pages {
        for (number, line) in page.prose() {
            for name in line.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| is_rule(w)) {
                if !known.contains(name) {
                    faults.push(format!("{}: there is no rule {name}", page.place(number)));
                }
            }
        }
    }
    faults
}

/// Rules whose Persian text is missing or was made from another English text. Each ends in a mark
/// that says from which: the first digits of its SHA-256.
fn translations(pages: &[Page]) -> Vec<String> {
    let texts = |page: &Page| -> Vec<(String, String)> {
        let rules = page.text.lines().filter_map(|line| line.strip_prefix("- **"));
        rules.filter_map(|line| line.split_once("** ")).map(|(n, t)| (n.into(), t.into())).collect()
    };
    let mut faults = Vec::new();
    for page in pages.iter().filter(|page| page.path.parent() == Some(Path::new("docs/rules"))) {
        let Some(name) = page.path.file_name() else { continue };
        let path = Path::new("docs/rules/fa").join(name);
        let twin = pages.iter().find(|page| page.path == path).map(texts).unwrap_or_default();
        for (rule, text) in texts(page) {
            let digest = Sha256::digest(text.as_bytes());
            let mark = format!("<!-- {:02x}{:02x}{:02x} -->", digest[0], digest[1], digest[2]);
            if !twin.iter().any(|(number, text)| *number == rule && text.ends_with(&mark)) {
                let path = path.display();
                faults.push(format!("{path}: {rule} has changed; follow it, then mark it {mark}"));
            }
        }
    }
    faults
}

/// A letter of a game and a number.
fn is_rule(word: &str) -> bool {
    let Some(number) = word.strip_prefix(['G', 'Y', 'D', 'L', 'X']) else { return false };
    !number.is_empty() && number.len() <= 2 && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// Sentences of the board that it does not say. In pages for players what stands between “ and ” or
/// between « and » is what the board says; `…` stands for what differs from case to case.
fn sentences(pages: &[Page]) -> Result<Vec<String>> {
    let known = said()?;
    let is_said = |quoted: &str| {
        known.iter().any(|line| {
            let mut rest = Some(line.as_str());
            for part in quoted.split('…').map(str::trim) {
                rest = rest.and_then(|rest| rest.split_once(part).map(|(_, after)| after));
            }
            rest.is_some()
        })
    };
    let mut faults = Vec::new();
    for page in pages.iter().filter(|page| page.path.starts_with("docs/players")) {
        let prose: Vec<&str> = page.prose().map(|(_, line)| line.trim()).collect();
        let prose = plain(&prose.join(" "));
        for quoted in quoted(&prose, '“', '”').chain(quoted(&prose, '«', '»')) {
            if !is_said(quoted) {
                faults.push(format!("{}: no sentence: {quoted}", page.path.display()));
            }
        }
    }
    Ok(faults)
}

/// The sentences that somebody says: a message that no code makes is not among them. The golden
/// file has three lines for each: its id, English, Persian.
fn said() -> Result<Vec<String>> {
    let golden = fs::read_to_string(root().join("src/text/golden/sentences.txt"))
        .context("the sentences of the board")?;
    let mut sources = String::new();
    for folder in ["src/console", "src/referee", "src/link", "src/bin", "board-sim/src"] {
        for file in files(&root().join(folder))? {
            sources += &fs::read_to_string(file)?;
        }
    }
    let is_made = |id: &str| {
        let name = format!("Message::{id}");
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric());
        id.contains(['(', ' ']) || sources.split(&name).skip(1).any(ends)
    };
    let lines: Vec<&str> = golden.lines().collect();
    let made = lines.chunks(3).filter(|of| is_made(of[0]));
    Ok(made.flat_map(|of| &of[1..]).map(|line| plain(line)).collect())
}

/// Without the marks that keep Latin words in their place.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '\u{2066}'..='\u{2069}' | '`')).collect()
}

fn quoted(text: &str, open: char, close: char) -> impl Iterator<Item = &str> {
    text.split(open).skip(1).filter_map(move |rest| rest.split_once(close).map(|(text, _)| text))
}

/// Pages for players that differ in structure between the languages.
fn languages(pages: &[Page]) -> Vec<String> {
    let outline = |page: &Page| -> Vec<usize> {
        let marks = page.prose().filter_map(|(_, line)| line.split_once("# ").map(|(m, _)| m));
        marks.filter(|mark| mark.bytes().all(|byte| byte == b'#')).map(str::len).collect()
    };
    let tables = |page: &Page| page.text.matches("<!-- made: ").count();
    let pictures = |page: &Page| page.text.matches("![").count();
    let of = |code: &str| {
        let folder = root().join("docs/players").join(code);
        let folder = folder.strip_prefix(root()).map(ToOwned::to_owned).unwrap_or_default();
        pages
            .iter()
            .filter_map(move |page| Some((page.path.strip_prefix(&folder).ok()?.to_owned(), page)))
    };
    let mut faults = Vec::new();
    for (code, other) in [("en", "fa"), ("fa", "en")] {
        for (name, page) in of(code) {
            let Some((_, twin)) = of(other).find(|(twin, _)| *twin == name) else {
                faults.push(format!("{} has no twin in {other}", page.path.display()));
                continue;
            };
            for (what, is, twin) in [
                ("headings", outline(page), outline(twin)),
                ("tables", vec![tables(page)], vec![tables(twin)]),
                ("pictures", vec![pictures(page)], vec![pictures(twin)]),
            ] {
                if is != twin {
                    let path = page.path.display();
                    faults.push(format!("{path}: {what} {is:?}, in {other} {twin:?}"));
                }
            }
        }
    }
    faults
}

/// Names that come out of the pipe and that its page does not have.
fn pipe(pages: &[Page]) -> Result<Vec<String>> {
    let page = pages.iter().find(|page| page.path == Path::new("docs/pipe.md"));
    let text = &page.context("docs/pipe.md")?.text;
    let words: BTreeSet<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
    let missing = tables::spoken()?.into_iter().filter(|name| !words.contains(name.as_str()));
    Ok(missing.map(|name| format!("docs/pipe.md does not name {name}")).collect())
}

/// Pages that name another Rust than `Cargo.toml` does.
fn oldest_rust(pages: &[Page]) -> Vec<String> {
    let stated = format!("Rust {}", env!("CARGO_PKG_RUST_VERSION"));
    ["README.md", "CONTRIBUTING.md"]
        .iter()
        .filter(|name| {
            !pages.iter().any(|page| page.path.as_os_str() == **name && page.text.contains(&stated))
        })
        .map(|name| format!("{name} does not say {stated}, as Cargo.toml does"))
        .collect()
}
