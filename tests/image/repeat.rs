//! The same inputs give the same events at the same simulated times.

use board_sim::emulator::{Event, Options};
use lodestone::geometry::Playfield;

use crate::machine::{Machine, Piece};

/// A short story with noise, pieces and USB, traced in full.
fn story(playfield: Playfield, options: &Options) -> (Vec<Event>, u64) {
    let mut machine = Machine::new(options);
    machine.emulator.set_trace(true).unwrap();
    machine.emulator.plug(Some(playfield)).unwrap();
    machine.emulator.set_usb_host(true).unwrap();
    machine.run_ms(60);
    for point in playfield.points().step_by(29) {
        machine.set_piece(playfield, point, Piece::South);
        machine.run_ms(37);
    }
    machine.emulator.send_usb(b"hello").unwrap();
    machine.run_ms(100);
    let cycles = machine.emulator.cycles();
    (machine.events, cycles)
}

fn noisy() -> Options {
    Options { noise: 2.7, ..Options::default() }
}

#[test]
fn two_runs_are_equal() {
    for playfield in Playfield::ALL {
        let (events, cycles) = story(playfield, &noisy());
        assert!(events.len() > 1000);
        assert!((events, cycles) == story(playfield, &noisy()), "{playfield:?}");
    }
}

#[test]
fn fast_paths_change_nothing() {
    for playfield in Playfield::ALL {
        let slow = Options { fast_paths: false, ..noisy() };
        assert!(story(playfield, &noisy()) == story(playfield, &slow), "{playfield:?}");
    }
}
