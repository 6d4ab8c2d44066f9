//! The examples of `docs/link.md` against a simulated board.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use board_sim::device::Flash;

use crate::board::{Board, flash_with_game};

/// Longer than a start of Python and a turn take, on any machine.
const LONG: Duration = Duration::from_secs(30);

/// Ends the program when the test does.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn example(name: &str, board: &Board) -> Command {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples").join(name);
    let mut command = Command::new("python3");
    command.arg(script).arg(board.path());
    command
}

#[test]
fn one_python_example_reads_a_game() {
    let (flash, result, words) = flash_with_game();
    let board = Board::start(&flash);
    let output = example("record.py", &board).output().expect("python3");
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    let (hello, record) = said.split_once('\n').expect("lines");
    assert!(hello.starts_with("Hello from lodestone "), "{hello}");
    let (tags, body) = record.split_once("\n\n").expect("tags and steps");
    assert_eq!(tags, format!("[Game \"yinsh\"]\n[Result \"{result}\"]"));
    assert_eq!(body.split_whitespace().collect::<Vec<_>>().join(" "), words);
}

#[test]
fn the_other_sees_a_step() {
    let board = Board::start(&Flash::erased());
    let mut link = example("link.py", &board);
    let mut link = Running(link.stdout(Stdio::piped()).spawn().expect("python3"));
    let output = BufReader::new(link.0.stdout.take().expect("a pipe"));
    let (say, heard) = mpsc::channel();
    thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| say.send(line)));
    let next = || heard.recv_timeout(LONG).expect("the example goes on");
    // The first player may act.
    while next() != "Sound [2]" {}
    board.put_ring("f6");
    while next() != "Committed f6" {}
}
