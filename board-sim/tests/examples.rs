//! The examples of the documentation that are programs of their own, on the console of this machine
//! and on the real image. What needs the image is left out by plain `cargo test`; `cargo xtask test`
//! runs it with the other tests on the image.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

/// Longer than a start of the emulator or of Python and a turn take, on any machine.
const LONG: Duration = Duration::from_mins(1);
/// From scan to scan, ms.
const PERIOD: f64 = 12.5;
/// The code of a vacant point, and that of a white ring of YINSH.
const EMPTY: u16 = 2048;
const RING: u16 = EMPTY + 134;
/// The place of f6 among the points.
const F6: usize = 45;

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/examples").join(name)
}

/// It says itself what it waits for, and fails when that does not come.
fn yinsh(board: &[&str]) {
    let mut python = Command::new("python3");
    python.arg(example("yinsh.py")).arg(env!("CARGO_BIN_EXE_board-sim")).args(board);
    let played = python.output().expect("python3");
    let said = String::from_utf8_lossy(&played.stdout);
    assert!(played.status.success(), "{said}{}", String::from_utf8_lossy(&played.stderr));
    for step in ["committed e1-g3", "refused Y4", "back-in-play", "committed a5-b6"] {
        assert!(said.contains(step), "{step} is missing in\n{said}");
    }
}

/// Ends the program when the test does.
struct Running(Child);

impl Running {
    fn start(command: &mut Command) -> Running {
        Running(command.spawn().expect("a program that can be started"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The lines that come.
fn lines(from: impl Read + Send + 'static) -> Receiver<String> {
    let (say, heard) = mpsc::channel();
    thread::spawn(move || {
        BufReader::new(from).lines().map_while(Result::ok).try_for_each(|line| say.send(line))
    });
    heard
}

/// The first line that begins like this, without its beginning.
fn wait_for(heard: &Receiver<String>, beginning: &str) -> String {
    loop {
        let line = heard.recv_timeout(LONG).unwrap_or_else(|_| panic!("no {beginning:?}"));
        if let Some(rest) = line.strip_prefix(beginning) {
            return rest.into();
        }
    }
}

/// The example, and the board whose pseudo-terminal it talks to; they end in this order.
struct Linked {
    said: Receiver<String>,
    _example: Running,
    _board: Running,
}

impl Linked {
    /// `clock` is the table of a board that has none of its own, once it runs.
    fn start(board: &[&str], clock: impl FnOnce(&mut Child)) -> Linked {
        let mut command = Command::new(env!("CARGO_BIN_EXE_board-sim"));
        command.args(board).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut board = Running::start(&mut command);
        let path = wait_for(&lines(board.0.stderr.take().expect("a pipe")), "link: ");
        clock(&mut board.0);
        let mut python = Command::new("python3");
        python.arg(example("link.py")).arg(path).stdout(Stdio::piped());
        let mut example = Running::start(&mut python);
        let said = lines(example.0.stdout.take().expect("a pipe"));
        Linked { said, _example: example, _board: board }
    }
}

/// The empty table in front of a pipe, at the pace of real time; at a word there is a ring on f6.
fn table(mut pipe: ChildStdin, ring: Receiver<()>) {
    let mut codes = [EMPTY; 91];
    thread::spawn(move || {
        for scan in 0.. {
            if ring.try_recv().is_ok() {
                codes[F6] = RING;
            }
            let line = format!("{{\"t\":{},\"scan\":{codes:?}}}\n", f64::from(scan) * PERIOD);
            if pipe.write_all(line.as_bytes()).is_err() {
                break;
            }
            thread::sleep(Duration::from_secs_f64(PERIOD / 1000.0));
        }
    });
}

#[test]
fn the_python_example_plays_yinsh_through_the_pipe() {
    yinsh(&["console"]);
}

#[test]
#[ignore = "needs the image"]
fn the_python_example_plays_yinsh_on_the_image() {
    yinsh(&["console", "--backend", "emulator"]);
}

#[test]
#[ignore = "needs the image"]
fn the_python_client_talks_to_the_image_behind_the_pipe() {
    let (put, ring) = mpsc::channel();
    let linked = Linked::start(&["console", "--backend", "emulator", "--pty"], |board| {
        table(board.stdin.take().expect("a pipe"), ring);
    });
    wait_for(&linked.said, "Sound [2]"); // the first player may act
    put.send(()).expect("the table is there");
    wait_for(&linked.said, "Committed f6");
}

#[test]
#[ignore = "needs the image"]
fn the_python_client_talks_to_the_image_behind_the_page() {
    let linked = Linked::start(&["play", "--backend", "emulator", "--pty"], |_| ());
    wait_for(&linked.said, "Sound [2]");
}
