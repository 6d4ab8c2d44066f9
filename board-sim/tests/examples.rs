//! The examples of the documentation that are programs of their own.

use std::path::Path;
use std::process::Command;

/// It says itself what it waits for, and fails when that does not come.
#[test]
fn the_python_example_plays_yinsh_through_the_pipe() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/examples/yinsh.py");
    let mut python = Command::new("python3");
    python.arg(script).args([env!("CARGO_BIN_EXE_board-sim"), "console"]);
    let played = python.output().expect("python3");
    let said = String::from_utf8_lossy(&played.stdout);
    assert!(played.status.success(), "{said}{}", String::from_utf8_lossy(&played.stderr));
    for step in ["committed e1-g3", "refused Y4", "back-in-play", "committed a5-b6"] {
        assert!(said.contains(step), "{step} is missing in\n{said}");
    }
}
