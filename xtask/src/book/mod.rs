//! `cargo xtask docs`: what the documents say is what the code does.
//!
//! - *Tables* between `<!-- made: NAME -->` and `<!-- end -->` are made from the tables in the code
//!   (`tables`), and compared; `--update` writes them.
//! - *Names*: rule numbers, sentences in quotation marks, the oldest Rust; pages of players have the
//!   same structure in every language (`names`).
//! - *Links* between files lead somewhere (`links`).
//! - *Commands* in fenced blocks marked `run` are run, and their output compared (`commands`).

mod commands;
mod links;
mod looks;
mod names;
mod tables;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::command::root;

/// A document: where it lies, relative to the repository, and what it says.
struct Page {
    path: PathBuf,
    text: String,
}

impl Page {
    /// The text outside fenced blocks, with the numbers of its lines.
    fn prose(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut fenced = false;
        (1..).zip(self.text.lines()).filter(move |(_, line)| {
            let fence = line.trim_start().starts_with("```");
            fenced ^= fence;
            !fenced && !fence
        })
    }

    fn place(&self, line: usize) -> String {
        format!("{}:{line}", self.path.display())
    }
}

/// Checks tables, names and links; with `update` writes the tables first.
pub(crate) fn check(update: bool) -> Result<()> {
    let pages = pages()?;
    let mut faults = Vec::new();
    for page in &pages {
        let made = tables::made(&page.text).with_context(|| page.path.display().to_string())?;
        if made == page.text {
            continue;
        }
        if update {
            fs::write(root().join(&page.path), &made)?;
            println!("rewritten: {}", page.path.display());
        } else {
            faults.push(difference(page, &made));
        }
    }
    faults.extend(tables::unused(&pages));
    faults.extend(names::faults(&pages)?);
    faults.extend(links::faults(&pages));
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    Ok(())
}

/// Runs the commands of all documents.
pub(crate) fn run_commands() -> Result<()> {
    commands::run(&pages()?)
}

/// The first line in which a page differs from what the code gives.
fn difference(page: &Page, made: &str) -> String {
    let lines = (1..).zip(page.text.lines().zip(made.lines()));
    let first = lines.into_iter().find(|(_, (is, should))| is != should);
    let (line, is, should) = first.map_or((0, "", ""), |(n, (is, should))| (n, is, should));
    format!(
        "{}: a table differs from the code; `cargo xtask docs --update` rewrites it, words that \
         rest on it may have to follow\n  is      {is}\n  should  {should}",
        page.place(line)
    )
}

/// All documents of the repository.
fn pages() -> Result<Vec<Page>> {
    let mut paths = Vec::new();
    collect(&root(), &mut paths)?;
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path)?;
            Ok(Page { path: path.strip_prefix(root())?.into(), text })
        })
        .collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() && !["target", "node_modules", ".git"].iter().any(|n| name == *n) {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|ending| ending == "md") {
            paths.push(path);
        }
    }
    Ok(())
}
