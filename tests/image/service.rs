//! What the board does for itself, on the image: zeros, gains and the self-test. People do what the
//! lights say and nothing else; results come as lights, over the link and into the flash.

use board_sim::device::Flash;
use board_sim::emulator::{Key, LedFrame, Options};
use embassy_futures::block_on;
use embedded_storage_async::nor_flash::NorFlash;
use lodestone::geometry::{Playfield, Point};
use lodestone::journal;
use lodestone::sense::{Calibration, ZeroRun};
use lodestone::wiring::flash::{ALL, SETTINGS};
use lodestone::wiring::limits::ZERO_NOMINAL;
use lodestone::wiring::timing::period_us;
use lodestone::wiring::{KEY_LED_COUNT, led, led_count};

use crate::machine::{Machine, PIECE, Reader, settings};

/// How far a chip of middling strength, the reference of the square playfield, moves the code.
const CHIP: u16 = 69;
/// How long a key is down, and what passes until the next.
const PRESS_MS: u64 = 60;
/// A light that asks for something is dark for less than this.
const BLINK_MS: u64 = 2100;
/// The self-test of the start is over: 180 scans of the slower playfield, and its own start.
const STARTED_MS: u64 = 5000;

fn plugged(playfield: Playfield, flash: Vec<(u32, Vec<u8>)>) -> Machine {
    let mut machine = Machine::new(&Options { flash, ..Options::default() });
    machine.emulator.plug(Some(playfield)).unwrap();
    machine.emulator.set_usb_host(true).unwrap();
    machine
}

fn press(machine: &mut Machine, key: Key) {
    for pressed in [true, false] {
        machine.emulator.set_key(key, pressed).unwrap();
        machine.run_ms(PRESS_MS);
    }
}

/// Through the menu: options, what the board does for itself, one of it.
fn choose(machine: &mut Machine, number: usize) {
    for key in [5, 5, number] {
        press(machine, Key::Number(key));
    }
}

/// The reports so far.
fn reports(machine: &Machine) -> Vec<String> {
    let texts = Reader::new().texts(&machine.events);
    texts.into_iter().filter(|text| text.contains("Report")).collect()
}

/// Whether a report of this procedure says this, and how many there are.
fn is_last_report(machine: &Machine, procedure: &str, passed: bool) -> bool {
    let wanted = format!("procedure: {procedure}, passed: {passed}");
    reports(machine).last().is_some_and(|report| report.contains(&wanted))
}

/// The points of the playfield that shine, by the places of their LEDs.
fn lit_points(playfield: Playfield, frame: &LedFrame) -> Vec<Point> {
    let lit = frame.lit();
    playfield.points().filter(|point| lit.contains(&led(playfield, *point))).collect()
}

/// The calibration in a machine's flash, as the words of its stored form: zeros, then scales.
fn stored(machine: &mut Machine, playfield: Playfield) -> Vec<u16> {
    let mut flash = Flash::erased();
    let bytes = machine.emulator.read_flash(SETTINGS).unwrap();
    block_on(flash.write(SETTINGS.start - ALL.start, &bytes)).expect("it is erased");
    let mut settings = block_on(journal::Settings::open(flash, journal::SETTINGS)).expect("sound");
    let calibration = block_on(settings.calibration(playfield)).expect("sound");
    let bytes = calibration.expect("there is one").expect("it can be used").to_bytes();
    bytes[2..].chunks_exact(2).map(|word| u16::from_le_bytes([word[0], word[1]])).collect()
}

/// A sensor's own code of an empty point.
fn own_zero(point: Point) -> u16 {
    ZERO_NOMINAL - 15 + point.index() as u16 % 31
}

#[test]
fn a_new_board_asks_to_be_emptied_and_then_knows_its_zeros_for_ever() {
    for playfield in Playfield::ALL {
        let mut machine = plugged(playfield, Vec::new());
        let left = playfield.points().nth(40).unwrap();
        let codes: Vec<_> = playfield.points().map(|point| (point, own_zero(point))).collect();
        machine.emulator.set_codes(playfield, &codes).unwrap();
        machine.emulator.set_codes(playfield, &[(left, own_zero(left) + PIECE)]).unwrap();
        machine.run_ms(BLINK_MS);
        assert!(machine.has_lit(&[led(playfield, left)]), "{playfield:?}: take it off");
        press(&mut machine, Key::Ok);
        machine.emulator.set_codes(playfield, &[(left, own_zero(left))]).unwrap();
        machine.run_ms(BLINK_MS);
        assert!(!reports(&machine).iter().any(|report| report.contains("Zero")), "not yet");

        press(&mut machine, Key::Ok);
        let run_ms = u64::from(ZeroRun::SCANS) * u64::from(period_us(playfield)) / 1000;
        machine.run_ms(run_ms + 500);
        assert!(is_last_report(&machine, "Zero", true), "{:?}", reports(&machine));
        let zeros = stored(&mut machine, playfield);
        for point in playfield.points() {
            assert_eq!(zeros[point.index()], own_zero(point) << 4, "{playfield:?} {point:?}");
        }

        machine.emulator.cut_power().unwrap();
        machine.run_ms(BLINK_MS);
        assert!(machine.has_logged(&format!("info: calibration: {playfield:?}")));
        // The menu: what can be played.
        let lit = machine.last_frame().lit();
        assert!(!lit.is_empty() && lit.iter().all(|led| *led < KEY_LED_COUNT), "{lit:?}");
    }
}

/// What the reference piece reads on a point: up to a tenth more or less.
fn own_piece(playfield: Playfield, point: Point) -> u16 {
    let reference = match playfield {
        Playfield::Hex => PIECE,
        Playfield::Square => CHIP,
    };
    reference * (90 + point.index() as u16 % 21) / 100
}

#[test]
fn one_piece_that_walks_where_the_lights_say_teaches_the_gains() {
    // All points, and some with an end by OK.
    for (playfield, count) in [(Playfield::Hex, 91), (Playfield::Square, 20)] {
        let mut machine = plugged(playfield, settings(playfield));
        machine.run_ms(STARTED_MS);
        choose(&mut machine, 1);
        let mut walked: Vec<Point> = Vec::new();
        loop {
            let lit = lit_points(playfield, machine.last_frame());
            if let [point] = lit[..]
                && walked.last() != Some(&point)
            {
                assert!(!walked.contains(&point), "{playfield:?}: {point:?} again");
                let off = walked.last().map(|last| (*last, ZERO_NOMINAL));
                if walked.len() == count {
                    machine.emulator.set_codes(playfield, off.as_slice()).unwrap();
                    press(&mut machine, Key::Ok);
                    break;
                }
                let on = (point, ZERO_NOMINAL + own_piece(playfield, point));
                let codes: Vec<_> = off.into_iter().chain([on]).collect();
                machine.emulator.set_codes(playfield, &codes).unwrap();
                walked.push(point);
            }
            if reports(&machine).iter().any(|report| report.contains("Gain")) {
                break;
            }
            machine.run_ms(25);
            let since = machine.emulator.now().as_millis() as usize - STARTED_MS as usize;
            assert!(since < 5000 * (walked.len() + 1), "{playfield:?}: stuck at {walked:?}");
        }
        machine.run_ms(200);
        assert_eq!(walked.len(), count, "{playfield:?}");
        assert!(is_last_report(&machine, "Gain", true), "{:?}", reports(&machine));

        let scales = stored(&mut machine, playfield).split_off(Playfield::POINTS_MAX);
        let untaught = Calibration::exact(playfield).to_bytes();
        let one =
            u16::from_le_bytes(untaught[2 + 2 * Playfield::POINTS_MAX..][..2].try_into().unwrap());
        let reference = u32::from(if playfield == Playfield::Hex { PIECE } else { CHIP });
        for point in playfield.points() {
            let is_taught = walked.contains(&point);
            let reads = if is_taught { own_piece(playfield, point).into() } else { reference };
            let (scale, meant) =
                (u32::from(scales[point.index()]), u32::from(one) * reference / reads);
            // The nominal reference has a fraction of a code.
            assert!(scale.abs_diff(meant) <= meant / 100, "{point:?}: {scale}, not {meant}");
        }
        assert_eq!(machine.resets(), []);
    }
}

#[test]
fn the_self_test_shows_every_led_in_four_colours_and_asks_for_every_key() {
    for playfield in Playfield::ALL {
        let mut machine = plugged(playfield, settings(playfield));
        machine.run_ms(STARTED_MS);
        assert!(is_last_report(&machine, "SelfTest", true), "at the start");
        assert!(machine.has_logged("info: test: passed true, points at fault 0"));
        let broken = playfield.points().nth(33).unwrap();
        for is_sound in [true, false] {
            choose(&mut machine, 2);
            let before = machine.frames().len();
            machine.run_ms(4100);
            let mut colours: Vec<[bool; 3]> = Vec::new();
            for (_, frame) in &machine.frames()[before..] {
                let points = &frame.rgb[KEY_LED_COUNT..led_count(playfield)];
                let colour = points[0].map(|byte| byte > 0);
                if points.iter().all(|rgb| rgb.map(|byte| byte > 0) == colour) {
                    colours.push(colour);
                }
            }
            colours.sort_unstable();
            colours.dedup();
            let each = |n: usize| core::array::from_fn(|channel| channel == n);
            let mut expected = vec![[true; 3], each(0), each(1), each(2)];
            expected.sort_unstable();
            assert_eq!(colours, expected, "{playfield:?}");

            if !is_sound {
                machine.emulator.set_codes(playfield, &[(broken, 0)]).unwrap();
            }
            press(&mut machine, Key::Ok);
            for key in 0..KEY_LED_COUNT {
                press(&mut machine, Key::Number(key));
            }
            if !is_sound {
                let before = machine.frames().len();
                machine.run_ms(BLINK_MS);
                let frames = machine.frames();
                let reds = frames[before..].iter().map(|(_, frame)| lit_points(playfield, frame));
                assert!(reds.into_iter().any(|lit| lit == [broken]), "{playfield:?}: it is red");
            }
            press(&mut machine, Key::Ok);
            machine.run_ms(100);
            assert!(is_last_report(&machine, "SelfTest", is_sound), "{:?}", reports(&machine));
        }
        assert_eq!(reports(&machine).len(), 3, "of the start and two more");
        assert_eq!(machine.resets(), []);
    }
}
