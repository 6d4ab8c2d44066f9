//! The image starts and says who it is; USB and LEDs come up with a host and without.

use std::time::Duration;

use board_sim::emulator::{Options, What};
use lodestone::geometry::Playfield;
use lodestone::wiring::{HEARTBEAT, Region, flash, led, test_hook, timing};

use crate::machine::{Machine, Piece};

#[test]
fn boots_and_logs_name_and_version() {
    let machine = Machine::started(Playfield::Hex);
    let log: Vec<String> = machine.log().collect();
    let name = format!("info: {} {}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    assert_eq!(log[..2], [&name, "info: reset by power or reset pin"]);
    assert!(machine.has_logged("info: playfield: Hex"), "{log:?}");
    assert!(log.iter().all(|line| line.starts_with("info: ")), "{log:?}");
    assert_eq!(machine.resets(), []);
}

#[test]
fn a_usb_host_sets_the_board_up_and_then_the_leds_get_power() {
    let machine = Machine::started(Playfield::Hex);
    let when =
        |wanted: &What| machine.events.iter().find(|event| event.what == *wanted).unwrap().at;
    // Painting the stack takes 4 ms, a bus reset 10; the journal is opened at the same time.
    assert!(when(&What::UsbReady) < Duration::from_millis(40));
    let power = when(&What::LedPower(true));
    let (_, first) = machine.frames()[0];
    assert!(first.powered && first.start >= power + Duration::from_millis(timing::LED_POWER_MS));
}

#[test]
fn the_leds_work_on_a_charger() {
    let mut machine = Machine::new(&Options::default());
    let point = Playfield::Hex.at(5, 6).unwrap();
    machine.emulator.plug(Some(Playfield::Hex)).unwrap();
    machine.set_piece(Playfield::Hex, point, Piece::North);
    machine.run_ms(timing::CHARGER_MS - 1);
    assert_eq!(machine.frames().len(), 0, "a host might still come");
    machine.run_ms(100);
    assert!(machine.has_logged("info: no USB host: charger"));
    machine.run_ms(2100);
    assert!(machine.has_lit(&[led(Playfield::Hex, point)]), "asks for it to be taken off");
}

#[test]
fn the_flash_holds_the_image_and_what_was_put_there() {
    let settings = (flash::SETTINGS.start, b"calibrated".to_vec());
    let mut machine = Machine::new(&Options { flash: vec![settings], ..Options::default() });
    machine.run_ms(10);
    let mut read = |start, size| machine.emulator.read_flash(Region { start, size }).unwrap();
    assert_eq!(read(flash::SETTINGS.start, 11), b"calibrated\xff");
    assert!(read(flash::IMAGE.start, 256).iter().any(|byte| *byte != 0xff), "boot2");
    assert!(read(flash::JOURNAL.start, flash::JOURNAL.size).iter().all(|byte| *byte == 0xff));
}

#[test]
fn a_fault_is_an_error_and_says_when() {
    // Without its correction the emulator does not know the register that resets the chip.
    let leave_out = vec![String::from("sysReset")];
    let mut machine = Machine::new(&Options { leave_out, ..Options::default() });
    machine.emulator.set_scratch(0, test_hook::PANIC).unwrap();
    let error = machine.emulator.run(Duration::from_secs(1)).unwrap_err().to_string();
    assert!(error.starts_with("the image faulted at 20") && error.contains("0xd0c"), "{error}");
}

#[test]
fn the_heart_beats() {
    let mut machine = Machine::new(&Options { watch: vec![HEARTBEAT], ..Options::default() });
    machine.emulator.plug(Some(Playfield::Hex)).unwrap();
    let beats = |events: &[_]| {
        let beat = |event: &&board_sim::emulator::Event| matches!(event.what, What::Pin { .. });
        events.iter().filter(beat).count()
    };
    machine.run_ms(100);
    let steady = beats(machine.run_ms(2000));
    assert_eq!(steady, 4, "half a second on, half off");
}
