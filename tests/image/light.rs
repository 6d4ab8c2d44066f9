//! A board without zeros asks for every piece to be taken off: a piece on a point lights the LED of
//! that point, within the current that the supply has.

use lodestone::geometry::Playfield;
use lodestone::wiring::{
    self, KEY_LED_COUNT, led_count,
    limits::{self, ZERO_NOMINAL},
};

use crate::machine::{Machine, PIECE};

/// A change is scanned in the next round at the latest and shown in that round or the next.
const ROUNDS: u32 = 3;
/// One blink of a light that asks for a piece to be taken off.
const BLINK_MS: u64 = 2100;

/// Every point is told from all others by the rounds it is occupied in, as the bits of a number.
#[test]
fn a_magnet_over_any_point_lights_its_led_and_no_other() {
    for playfield in Playfield::ALL {
        let mut machine = Machine::started(playfield);
        for bit in 0..u8::BITS {
            let (mut codes, mut leds) = (Vec::new(), Vec::new());
            for point in playfield.points() {
                let is_occupied = (point.index() + 1) & 1 << bit != 0;
                codes.push((point, ZERO_NOMINAL + if is_occupied { PIECE } else { 0 }));
                leds.extend(is_occupied.then(|| wiring::led(playfield, point)));
            }
            leds.sort_unstable();
            machine.emulator.set_codes(playfield, &codes).unwrap();
            machine.run_rounds(playfield, ROUNDS);
            let before = machine.frames().len();
            machine.run_ms(BLINK_MS);
            let frames = machine.frames();
            let lit: Vec<_> = frames[before..].iter().map(|(_, frame)| frame.lit()).collect();
            assert!(lit.contains(&leds) || leds.is_empty(), "{playfield:?} bit {bit}: {lit:?}");
            assert!(lit.iter().all(|lit| lit.is_empty() || *lit == leds), "{playfield:?} {bit}");
        }
    }
}

#[test]
fn the_current_cap_holds_with_all_points_occupied() {
    for playfield in Playfield::ALL {
        let mut machine = Machine::started(playfield);
        let code = ZERO_NOMINAL + PIECE;
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
    let (zero, spread) = (ZERO_NOMINAL, limits::ZERO_SPREAD);
    let codes = [zero + spread, zero - spread, zero + PIECE - spread, zero - PIECE + spread];
    let codes: Vec<_> = points.iter().copied().zip(codes).collect();
    machine.emulator.set_codes(playfield, &codes).unwrap();
    machine.run_rounds(playfield, ROUNDS);
    let expected: Vec<usize> = points[2..].iter().map(|p| wiring::led(playfield, *p)).collect();
    assert_eq!(machine.last_frame().lit(), expected);
}
