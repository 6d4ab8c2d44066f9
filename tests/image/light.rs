//! A piece on a point lights the LED of that point, within the current that the supply has.

use lodestone::geometry::Playfield;
use lodestone::wiring::{self, KEY_LED_COUNT, led_count, limits};

use crate::machine::{Machine, PIECE, Piece};

/// A change is scanned in the next round at the latest and shown in that round.
const ROUNDS: u32 = 2;

#[test]
fn a_magnet_over_any_point_lights_its_led_and_no_other() {
    for playfield in Playfield::ALL {
        let mut machine = Machine::started(playfield);
        for point in playfield.points() {
            let piece = if point.index() % 2 == 0 { Piece::North } else { Piece::South };
            machine.set_piece(playfield, point, piece);
            machine.run_rounds(playfield, ROUNDS);
            let frame = machine.last_frame();
            assert_eq!(frame.rgb.len(), led_count(playfield));
            assert_eq!(frame.lit(), [wiring::led(playfield, point)], "{playfield:?} {point:?}");

            machine.set_piece(playfield, point, Piece::None);
            machine.run_rounds(playfield, ROUNDS);
            assert!(machine.last_frame().lit().is_empty(), "{playfield:?} {point:?} taken away");
        }
    }
}

#[test]
fn the_current_cap_holds_with_all_points_occupied() {
    for playfield in Playfield::ALL {
        let mut machine = Machine::started(playfield);
        let code = limits::ZERO_NOMINAL + PIECE;
        let codes: Vec<_> = playfield.points().map(|point| (point, code)).collect();
        machine.emulator.set_codes(playfield, &codes).unwrap();
        machine.run_rounds(playfield, ROUNDS);
        let frame = machine.last_frame();
        let all: Vec<usize> = (KEY_LED_COUNT..led_count(playfield)).collect();
        assert_eq!(frame.lit(), all, "{playfield:?}: all shine, dimmed");
        let (sum, most) = (frame.sum(), limits::led_sum_max(playfield));
        println!("{playfield:?}: {sum} of {most}");
        assert!(sum <= most && sum > most / 2, "{playfield:?}: {sum} of {most}");
    }
}

#[test]
fn a_piece_of_any_tolerance_is_seen_and_an_empty_point_of_any_zero_is_not() {
    let playfield = Playfield::Hex;
    let mut machine = Machine::started(playfield);
    let points: Vec<_> = playfield.points().take(4).collect();
    let (zero, spread) = (limits::ZERO_NOMINAL, limits::ZERO_SPREAD);
    let codes = [zero + spread, zero - spread, zero + PIECE - spread, zero - PIECE + spread];
    let codes: Vec<_> = points.iter().copied().zip(codes).collect();
    machine.emulator.set_codes(playfield, &codes).unwrap();
    machine.run_rounds(playfield, ROUNDS);
    let expected: Vec<usize> = points[2..].iter().map(|p| wiring::led(playfield, *p)).collect();
    assert_eq!(machine.last_frame().lit(), expected);
}
