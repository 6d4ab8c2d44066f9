//! How much stack the image uses: at the start, and in the midst of every game.

use std::time::Duration;

use board_sim::emulator::{Emulator, Key, What};
use board_sim::pipe::{Board, EmulatedBoard, Input};
use lodestone::geometry::Playfield;
use lodestone::link::ToBoard;
use lodestone::wiring::test_hook;

use crate::machine::{HOOK_SCRATCH, Machine, Piece, is_long, on_all_cores};
use crate::play::{LONG_GAMES, Script};

/// The budget of the whole image.
const STACK_MAX: u32 = 12 * 1024;
/// Steps that are played in the midst of each game, and with `LODESTONE_EFFORT=long`.
const STEPS: usize = 3;
const STEPS_LONG: usize = 20;

/// The most that was ever used.
fn used(emulator: &mut Emulator) -> u32 {
    emulator.set_scratch(HOOK_SCRATCH, test_hook::REPORT).unwrap();
    let events = emulator.run(Duration::from_millis(test_hook::LOOK_MS + 100)).unwrap();
    let stack = events.iter().find_map(|event| match &event.what {
        What::Log(line) => line.text.strip_prefix("stack: ")?.strip_suffix(" bytes used"),
        _ => None,
    });
    stack.expect("a report").parse().unwrap()
}

/// Takes everything off the board and puts it back, and asks the host's questions: what people do
/// beside playing.
fn disturb(board: &mut EmulatedBoard, script: &Script) {
    let mut now_us = board.emulator().now().as_micros() as u64;
    let empty = vec![2048; board.playfield().point_count()];
    for codes in [&empty, &script.last_scan()] {
        board.handle(now_us, Input::Scan(codes));
        for request in [ToBoard::GetState, ToBoard::GetPosition, ToBoard::Undo] {
            now_us += 2_500_000;
            board.handle(now_us, Input::Host(request));
        }
    }
}

#[test]
fn the_stack_stays_within_its_budget_in_every_game() {
    let all = on_all_cores(LONG_GAMES, |(id, before)| {
        let script = Script::resumed(id, before, if is_long() { STEPS_LONG } else { STEPS });
        let mut board = script.emulated();
        assert_eq!(script.play(&mut board), script.texts(), "{id}");
        disturb(&mut board, &script);
        (id, used(board.emulator()))
    });
    println!("bytes of stack: {all:?}");
    assert!(all.iter().all(|(_, used)| (1000..=STACK_MAX).contains(used)), "{all:?}");
}

#[test]
fn the_stack_stays_within_its_budget_without_a_game() {
    let playfield = Playfield::Square;
    let mut machine = Machine::started(playfield);
    machine.set_piece(playfield, playfield.points().next().unwrap(), Piece::North);
    machine.emulator.set_key(Key::Undo, true).unwrap();
    machine.emulator.send_usb(&[0x55; 500]).unwrap();
    machine.ask(test_hook::SOUND);
    let used = used(&mut machine.emulator);
    println!("{used} bytes of stack");
    assert!((1000..=STACK_MAX).contains(&used), "{used} bytes");
}
