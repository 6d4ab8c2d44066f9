//! Scenario files on the image: what holds on the console of a PC holds on the chip.

use std::fs;
use std::path::Path;

use board_sim::pipe::EmulatedBoard;
use board_sim::scenario::{Scenario, run};

use crate::machine::elf;

/// Files whose expectations leave the chip the time it needs; YINSH is in `play`.
const FILES: [&str; 4] =
    ["gipf-01-over-its-dot", "dvonn-03-a-move", "lyngk-02-a-move", "glux-02-value-then-chip"];

#[test]
fn scenarios_hold_on_the_chip() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let mut wrong = Vec::new();
    for name in FILES {
        let text = fs::read_to_string(folder.join(name).with_extension("txt")).unwrap();
        let scenario = Scenario::read(&text).unwrap();
        let outcome = run(&scenario, |build| {
            EmulatedBoard::start(&elf(), &build, true).expect("the emulator starts")
        });
        if let Err(failure) = outcome {
            wrong.push(format!("{name}: {failure}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
