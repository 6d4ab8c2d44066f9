//! The examples of the documentation that are programs of their own, on the console of this machine
//! and on the real image. What needs the image is left out by plain `cargo test`; `cargo xtask test`
//! runs it with the other tests on the image.

use std::path::{Path, PathBuf};
use std::process::Command;

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

#[test]
fn the_python_example_plays_yinsh_through_the_pipe() {
    yinsh(&["console"]);
}

#[test]
#[ignore = "needs the image"]
fn the_python_example_plays_yinsh_on_the_image() {
    yinsh(&["console", "--backend", "emulator"]);
}
