//! How much stack the image uses.

use board_sim::emulator::Key;
use lodestone::geometry::Playfield;
use lodestone::wiring::test_hook;

use crate::machine::{Machine, Piece};

/// The budget of the whole image.
const STACK_MAX: u32 = 12 * 1024;

#[test]
fn the_stack_stays_within_its_budget() {
    let playfield = Playfield::Square;
    let mut machine = Machine::started(playfield);
    machine.set_piece(playfield, playfield.points().next().unwrap(), Piece::North);
    machine.emulator.set_key(Key::Undo, true).unwrap();
    machine.emulator.send_usb(&[0x55; 500]).unwrap();
    machine.ask(test_hook::SOUND);
    machine.ask(test_hook::REPORT);
    machine.run_ms(100);
    let lines: Vec<String> = machine.log().collect();
    println!("{}", lines[lines.len() - 4..].join("\n"));
    let stack = |line: &String| {
        line.strip_prefix("info: stack: ")?.strip_suffix(" bytes used")?.parse::<u32>().ok()
    };
    let used = lines.iter().find_map(stack).expect("a report");
    assert!((1000..=STACK_MAX).contains(&used), "{used} bytes");
}
