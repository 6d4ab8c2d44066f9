//! Keys on the device: pressed, bouncing, stuck.

use board_sim::emulator::{Key, Options};
use lodestone::geometry::Playfield;

use crate::machine::Machine;

/// The lines about keys, without their times.
fn told(machine: &Machine) -> Vec<String> {
    let about_keys = |line: String| {
        let text = line.strip_prefix("info: key ").or(line.strip_prefix("warn: key "))?;
        Some(text.split(" at ").next().unwrap_or(text).to_owned())
    };
    machine.log().filter_map(about_keys).collect()
}

#[test]
fn a_press_and_a_release_are_seen_once_though_the_contact_bounces() {
    let mut machine = Machine::started(Playfield::Hex);
    for pressed in [true, false] {
        for _ in 0..3 {
            machine.emulator.set_key(Key::Number(2), pressed).unwrap();
            machine.run_ms(2);
            machine.emulator.set_key(Key::Number(2), !pressed).unwrap();
            machine.run_ms(1);
        }
        machine.emulator.set_key(Key::Number(2), pressed).unwrap();
        machine.run_ms(100);
    }
    assert_eq!(told(&machine), ["2 Down", "2 Up"]);
}

#[test]
fn every_key_has_its_own_line() {
    let mut machine = Machine::started(Playfield::Hex);
    let keys = (0..6).map(Key::Number).chain([Key::Ok, Key::Undo]);
    let mut expected = Vec::new();
    for (n, key) in keys.enumerate() {
        machine.emulator.set_key(key, true).unwrap();
        machine.run_ms(30);
        machine.emulator.set_key(key, false).unwrap();
        machine.run_ms(30);
        expected.extend([format!("{n} Down"), format!("{n} Up")]);
    }
    assert_eq!(told(&machine), expected);
}

#[test]
fn a_key_that_is_down_at_power_up_is_reported_and_ignored_until_released() {
    let mut machine = Machine::new(&Options::default());
    machine.emulator.plug(Some(Playfield::Hex)).unwrap();
    machine.emulator.set_key(Key::Ok, true).unwrap();
    machine.run_ms(300);
    assert_eq!(told(&machine), ["6 is stuck"]);
    for pressed in [false, true] {
        machine.emulator.set_key(Key::Ok, pressed).unwrap();
        machine.run_ms(100);
    }
    assert_eq!(told(&machine), ["6 is stuck", "6 Down"]);
}

#[test]
fn a_key_that_is_down_for_a_minute_counts_as_up_and_the_others_go_on() {
    let mut machine = Machine::started(Playfield::Hex);
    machine.emulator.set_key(Key::Number(0), true).unwrap();
    machine.run_ms(59_000);
    assert_eq!(told(&machine), ["0 Down"]);
    machine.run_ms(2000);
    for pressed in [true, false] {
        machine.emulator.set_key(Key::Undo, pressed).unwrap();
        machine.run_ms(100);
    }
    let mut lines = told(&machine);
    lines[1..3].sort(); // one is told by the keys, the other by the console
    assert_eq!(lines, ["0 Down", "0 Up", "0 is stuck", "7 Down", "7 Up"]);
    assert_eq!(machine.resets(), []);
}
