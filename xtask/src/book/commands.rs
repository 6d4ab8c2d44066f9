//! Commands in the documents: fenced blocks marked `run` are run as written.
//!
//! The mark stands behind the language: `console run` compares the output exactly, `console
//! run-like` all but numbers, `sh run` only wants success. A line `...` stands for any lines. Lines
//! before the first `$ ` belong to nobody. A command that serves (`cargo sim`) is ended as soon as
//! it has said what is written.
//!
//! `cargo sim` runs the build that the tests use, which is the same program; what cargo itself says of
//! building is left out.

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use super::Page;
use crate::command::{Run, emulator, root};

/// Longer than any of them takes, builds included.
const TIMEOUT: Duration = Duration::from_mins(15);

/// What is written: commands, each with its output.
struct Block {
    place: String,
    likeness: Likeness,
    commands: Vec<(String, Vec<String>)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Likeness {
    /// Letter by letter.
    Exact,
    /// All but numbers.
    Numbers,
    /// The output does not matter.
    Any,
}

/// Runs the blocks of all pages.
pub(super) fn run(pages: &[Page]) -> Result<()> {
    let blocks: Vec<Block> = pages.iter().flat_map(blocks).collect();
    ensure!(!blocks.is_empty(), "no document has a block that is run");
    // The simulator would install it at its first use and say so in the midst of a command.
    emulator()?;
    let mut faults = Vec::new();
    for block in &blocks {
        for (command, expected) in &block.commands {
            if let Err(fault) = run_one(command, expected, block.likeness) {
                faults.push(format!("{}: $ {command}\n{fault:#}", block.place));
            }
        }
    }
    ensure!(faults.is_empty(), "{}", faults.join("\n\n"));
    Ok(())
}

fn blocks(page: &Page) -> Vec<Block> {
    let mut found = Vec::new();
    let mut lines = (1..).zip(page.text.lines());
    while let Some((number, line)) = lines.next() {
        let Some(mark) = line.strip_prefix("```") else { continue };
        let body = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
        let body: Vec<&str> = body.collect();
        let likeness = match mark {
            "console run" => Likeness::Exact,
            "console run-like" => Likeness::Numbers,
            "sh run" => Likeness::Any,
            _ => continue,
        };
        let commands = if likeness == Likeness::Any {
            vec![(body.join("\n"), Vec::new())]
        } else {
            commands(&body)
        };
        found.push(Block { place: page.place(number), likeness, commands });
    }
    found
}

fn commands(body: &[&str]) -> Vec<(String, Vec<String>)> {
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    for line in body {
        if let Some(command) = line.strip_prefix("$ ") {
            commands.push((command.to_owned(), Vec::new()));
        } else if let Some((_, output)) = commands.last_mut() {
            output.push((*line).to_owned());
        }
    }
    commands
}

fn run_one(command: &str, expected: &[String], likeness: Likeness) -> Result<()> {
    let mut child = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .current_dir(root())
        .env("CARGO_ALIAS_SIM", "run -p board-sim --bin board-sim --")
        .env("CARGO_TERM_QUIET", "true")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .process_group(0)
        .spawn()
        .context("cannot start sh")?;
    let heard = listen(&mut child, expected, likeness);
    if !matches!(heard, Ok((_, true))) {
        // The whole group: a server would outlive the shell that started it.
        Run::new("kill", ["--".to_owned(), format!("-{}", child.id())]).run()?;
    }
    let status = child.wait()?;
    let (said, _) = heard?;
    ensure!(likeness != Likeness::Any || status.success(), "failed:\n{}", said.join("\n"));
    ensure!(
        likeness == Likeness::Any || agrees(&said, expected, likeness),
        "it says\n{}\nbut the document has\n{}",
        said.join("\n"),
        expected.join("\n")
    );
    Ok(())
}

/// What the command says, until it ends or has said what is expected and goes on; whether it ended.
fn listen(
    child: &mut Child,
    expected: &[String],
    likeness: Likeness,
) -> Result<(Vec<String>, bool)> {
    let output = BufReader::new(child.stdout.take().context("its output")?);
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
    });
    let mut said: Vec<String> = Vec::new();
    loop {
        let complete = likeness != Likeness::Any && agrees(&said, expected, likeness);
        let patience = if complete { Duration::from_secs(2) } else { TIMEOUT };
        match lines.recv_timeout(patience) {
            Ok(line) => said.push(line.trim_end().to_owned()),
            Err(mpsc::RecvTimeoutError::Timeout) if !complete => bail!("no end in sight"),
            Err(reason) => return Ok((said, reason == mpsc::RecvTimeoutError::Disconnected)),
        }
    }
}

/// Whether the output is what is written; `...` stands for any lines.
fn agrees(said: &[String], expected: &[String], likeness: Likeness) -> bool {
    match expected {
        [] => said.is_empty(),
        [first, rest @ ..] if first == "..." => {
            (0..=said.len()).any(|skipped| agrees(&said[skipped..], rest, likeness))
        }
        [first, rest @ ..] => said.split_first().is_some_and(|(line, below)| {
            is_like(line, first, likeness) && agrees(below, rest, likeness)
        }),
    }
}

fn is_like(line: &str, written: &str, likeness: Likeness) -> bool {
    if likeness == Likeness::Exact {
        return line == written;
    }
    // Every run of digits, points and spaces counts as one mark: columns shift with their numbers.
    let shape = |text: &str| {
        let parts = text.split(|c: char| c.is_ascii_digit() || matches!(c, '.' | ' ' | '_'));
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("#")
    };
    shape(line) == shape(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn output_agrees_exactly_but_for_what_is_left_out() {
        let said = lines("one\ntwo 2\nthree");
        let exact = |written| agrees(&said, &lines(written), Likeness::Exact);
        assert!(exact("one\ntwo 2\nthree"));
        assert!(exact("one\n...\nthree"));
        assert!(exact("...\ntwo 2\n..."));
        assert!(!exact("one\ntwo 3\nthree"));
        assert!(!exact("one\n..."[..3].trim_end()));
        assert!(!exact("...\nfour"));
    }

    #[test]
    fn numbers_may_differ_where_that_is_said() {
        let like = |line, written| is_like(line, written, Likeness::Numbers);
        assert!(like("flash    257 276 of 262 144", "flash 1 of 2"));
        assert!(like("at http://127.0.0.1:40123/", "at http://127.0.0.1:5000/"));
        assert!(!like("flash 1 of 2", "ram 1 of 2"));
    }

    #[test]
    fn only_marked_blocks_are_run() {
        let text = "```console run\n$ a\nb\n```\n```console\n$ c\n```\n```sh run\nd\ne\n```\n";
        let page = Page { path: "x.md".into(), text: text.into() };
        let blocks = blocks(&page);
        assert_eq!(blocks.len(), 2);
        assert_eq!(blocks[0].commands, [("a".to_owned(), lines("b"))]);
        assert_eq!(blocks[1].commands, [("d\ne".to_owned(), vec![])]);
        assert_eq!(blocks[1].place, "x.md:8");
    }
}
