//! The example of `docs/link.md` against a simulated board.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

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

#[test]
fn the_python_example_reads_a_game_and_sees_a_step() {
    let (flash, result, words) = flash_with_game();
    let board = Board::start(&flash);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/examples/link.py");
    let mut command = Command::new("python3");
    let mut example = Running(
        command.arg(script).arg(board.path()).stdout(Stdio::piped()).spawn().expect("python3"),
    );
    let output = BufReader::new(example.0.stdout.take().expect("a pipe"));
    let (say, heard) = mpsc::channel();
    thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| say.send(line)));
    let next = || heard.recv_timeout(LONG).expect("the example goes on");
    assert!(next().starts_with("Hello from lodestone "));
    assert_eq!(next(), "[Game \"yinsh\"]");
    assert_eq!(next(), format!("[Result \"{result}\"]"));
    assert_eq!(next(), "");
    let mut body = String::new();
    while body.len() < words.len() {
        body += &next();
        body.push(' ');
    }
    assert_eq!(body.trim_end(), words);
    // The first player may act.
    while next() != "Sound [2]" {}
    board.put_ring("f6");
    while next() != "Committed f6" {}
}
