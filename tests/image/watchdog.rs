//! Whatever hangs or breaks, the board comes back by itself.

use std::time::Duration;

use board_sim::emulator::{Options, ResetReason};
use lodestone::geometry::Playfield;
use lodestone::wiring::{led, test_hook};

use crate::machine::{Machine, Piece};

/// Watchdog timeout and one look of its feeder, on top of the hook's delay.
const BACK_MS: u64 = test_hook::LOOK_MS + 1000 + 300;

/// A board that misbehaves in this way once; it has come back and shows a piece.
fn recovered(hook: u32) -> Machine {
    let mut machine = Machine::new(&Options::default());
    let point = Playfield::Hex.at(5, 6).unwrap();
    machine.emulator.plug(Some(Playfield::Hex)).unwrap();
    machine.emulator.set_usb_host(true).unwrap();
    machine.ask(hook);
    machine.run_ms(BACK_MS);
    assert_eq!(machine.resets().len(), 1, "reset once, by then");
    machine.set_piece(Playfield::Hex, point, Piece::North);
    machine.run_ms(3 * BACK_MS);
    assert_eq!(machine.resets().len(), 1, "and sound from then on");
    assert!(machine.has_lit(&[led(Playfield::Hex, point)]));
    machine.ask(test_hook::REPORT);
    assert!(machine.has_logged("info: resets: 1"), "and says so");
    machine
}

fn after_the_hook(at: Duration) -> bool {
    at >= Duration::from_millis(test_hook::LOOK_MS)
}

#[test]
fn a_hung_thread_task_trips_the_watchdog() {
    let machine = recovered(test_hook::HANG_THREADS);
    let (at, reason) = machine.resets()[0];
    assert_eq!(reason, ResetReason::Watchdog);
    assert!(after_the_hook(at) && machine.has_logged("info: reset by watchdog"));
}

#[test]
fn a_hung_scan_trips_the_watchdog() {
    let machine = recovered(test_hook::HANG_SCAN);
    let (at, reason) = machine.resets()[0];
    assert_eq!(reason, ResetReason::Watchdog);
    assert!(after_the_hook(at) && machine.has_logged("info: reset by watchdog"));
}

#[test]
fn a_panic_is_logged_and_resets() {
    let machine = recovered(test_hook::PANIC);
    let (at, reason) = machine.resets()[0];
    assert_eq!(reason, ResetReason::SysReset);
    assert!(after_the_hook(at) && machine.has_logged("info: reset by panic"));
    let told = |line: String| line.starts_with("error: ") && line.contains("device/hook.rs");
    assert!(machine.log().any(told));
}

#[test]
fn a_sound_image_is_never_reset() {
    let mut machine = Machine::started(Playfield::Square);
    machine.run_ms(5000);
    assert_eq!(machine.resets(), []);
}
