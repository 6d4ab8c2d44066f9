//! The strap decides which playfield it is; what it does not say is reported, not guessed.

use board_sim::emulator::Options;
use lodestone::geometry::Playfield;
use lodestone::wiring::{KEY_LED_COUNT, led, limits};

use crate::machine::{Machine, Piece};

/// Longer than any pause between two looks at the strap, and a round of scan and frame.
const NOTICED_MS: u64 = 1100;

/// Powered with a USB host and this strap; all sensors of the hex field are there, one occupied.
fn with_strap(code: u16) -> Machine {
    let mut machine = Machine::new(&Options::default());
    machine.emulator.plug(Some(Playfield::Hex)).unwrap();
    machine.set_piece(Playfield::Hex, Playfield::Hex.points().next().unwrap(), Piece::North);
    machine.emulator.set_strap(code).unwrap();
    machine.emulator.set_usb_host(true).unwrap();
    machine.run_ms(NOTICED_MS);
    machine
}

#[test]
fn none_or_a_wrong_one_is_reported_and_nothing_is_scanned() {
    for (code, report) in [
        (4095, "error: no playfield: strap Missing"),
        (0, "error: no playfield: strap Unknown"),
        (1000, "error: no playfield: strap Unknown"),
        (2048, "error: no playfield: strap Unknown"),
    ] {
        let mut machine = with_strap(code);
        let reports: Vec<String> =
            machine.log().filter(|line| line.contains("playfield")).collect();
        assert_eq!(reports, [report], "strap {code}, once");
        assert_eq!(machine.emulator.statistics().unwrap().conversions, 0, "strap {code}");

        // The keys blink, nothing else shines.
        let lit: Vec<Vec<usize>> = machine.frames().iter().map(|(_, frame)| frame.lit()).collect();
        assert!(lit.iter().flatten().all(|led| *led < KEY_LED_COUNT), "strap {code}: {lit:?}");
        assert!(lit.windows(2).all(|pair| pair[0] != pair[1]), "strap {code}: {lit:?}");
        assert!(lit.len() >= 4, "strap {code}: {lit:?}");
        assert!(
            machine.frames().iter().all(|(_, f)| f.sum() <= limits::led_sum_max(Playfield::Square))
        );
    }
}

#[test]
fn plugging_the_right_one_later_is_noticed() {
    for playfield in Playfield::ALL {
        let mut machine = with_strap(4095);
        let point = playfield.points().last().unwrap();
        machine.emulator.plug(Some(playfield)).unwrap();
        machine.set_piece(playfield, point, Piece::South);
        machine.run_ms(NOTICED_MS);
        assert!(machine.has_logged(&format!("info: playfield: {playfield:?}")));
        assert!(machine.has_lit(&[led(playfield, point)]));
    }
}

#[test]
fn unplugging_and_changing_are_noticed() {
    let mut machine = Machine::started(Playfield::Hex);
    // The strap first: it is looked at once a second, and until then there are sensors to scan.
    machine.emulator.set_strap(4095).unwrap();
    machine.run_ms(NOTICED_MS);
    assert!(machine.has_logged("error: no playfield: strap Missing"));
    machine.emulator.plug(Some(Playfield::Square)).unwrap();
    machine.run_ms(NOTICED_MS);
    assert!(machine.has_logged("info: playfield: Square"));
    assert_eq!(machine.resets(), []);
}
