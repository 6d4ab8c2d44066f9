//! The `ugi` interface as conversations: `*.txt` beside this file.
//!
//! A line that begins with `> ` is said; the lines up to the next one are the whole answer. `#`
//! starts a comment line, `...` at the end of an answer line stands for any rest of that line.
//! `UPDATE=1 cargo test --test ugi` writes the answers anew, for a person to read through.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use board_sim::ugi;

fn conversations() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ugi");
    let entries = fs::read_dir(folder).expect("the folder of conversations");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "txt")).collect();
    paths.sort();
    paths
}

/// What a session answers to one line.
fn ask(session: &mut ugi::Session, line: &str) -> String {
    let mut answer = Vec::new();
    session.handle(line.as_bytes(), &mut answer).expect("a Vec takes everything");
    String::from_utf8(answer).expect("answers are text")
}

/// Whether an answer is what the conversation says, line by line.
fn fits(said: &str, expected: &str) -> bool {
    let same = |(said, expected): (&str, &str)| match expected.strip_suffix("...") {
        Some(beginning) => said.starts_with(beginning),
        None => said == expected,
    };
    said.lines().count() == expected.lines().count() && said.lines().zip(expected.lines()).all(same)
}

#[test]
fn conversations_go_as_written() {
    let update = std::env::var_os("UPDATE").is_some();
    for path in conversations() {
        let text = fs::read_to_string(&path).expect("text");
        let mut session = ugi::Session::default();
        let mut written = String::new();
        for block in text.split_inclusive('\n').fold(Vec::<String>::new(), into_blocks) {
            let (line, expected) = block.split_once('\n').unwrap_or((&block, ""));
            let Some(said) = line.strip_prefix("> ") else {
                written += &block;
                continue;
            };
            let answer = ask(&mut session, said);
            let kept = if fits(&answer, expected) { expected } else { &answer };
            assert!(update || kept == expected, "{}\n{line}\n{answer}", path.display());
            writeln!(written, "{line}\n{}", kept.trim_end()).expect("strings take all");
            if kept.is_empty() {
                written.pop();
            }
        }
        if update {
            fs::write(&path, written).expect("the conversation can be written");
        }
    }
}

/// Every line that is said, or is a comment, begins a block; answers join the block before.
fn into_blocks(mut blocks: Vec<String>, line: &str) -> Vec<String> {
    match blocks.last_mut() {
        Some(last) if !line.starts_with("> ") && !line.starts_with('#') => last.push_str(line),
        _ => blocks.push(line.into()),
    }
    blocks
}

fn run(input: &[u8]) -> String {
    let mut out = Vec::new();
    ugi::run(input, &mut out).expect("a Vec takes everything");
    String::from_utf8(out).expect("answers are text")
}

#[test]
fn lines_may_be_long_empty_or_end_in_a_carriage_return() {
    assert_eq!(run(b"\n\r\n  \nisready\r\n"), "readyok\n");
    let longest = vec![b' '; 64 * 1024 - b"isready".len()];
    let fitting = [b"isready".as_slice(), &longest, b"\nisready\n"].concat();
    assert_eq!(run(&fitting), "readyok\nreadyok\n");
    let too_long = [b"isready ".as_slice(), &longest, b"\nisready\n"].concat();
    assert_eq!(run(&too_long), "error line longer than 65536 bytes\nreadyok\n");
    let far_too_long = [b"x".repeat(200_000).as_slice(), b"\nisready"].concat();
    assert_eq!(run(&far_too_long), "error line longer than 65536 bytes\nreadyok\n");
}

#[test]
fn bytes_that_cannot_be_printed_are_shown_as_question_marks() {
    assert_eq!(run(b"step \xff\x01f6\n"), "error ??f6: expected a point of the board at byte 1\n");
    let long = [b"step ".as_slice(), &b"z".repeat(100), b"\n"].concat();
    let shown = "z".repeat(40);
    assert_eq!(run(&long), format!("error {shown}: expected a point of the board at byte 1\n"));
}

#[test]
fn quit_ends_the_conversation() {
    assert_eq!(run(b"isready\nquit\nisready\n"), "readyok\n");
}
