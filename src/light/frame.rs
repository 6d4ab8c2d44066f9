//! A picture for the LED chain, never more than the supply can give.
//!
//! A [`Frame`] holds a colour for every LED, as wanted. The only way out of it is
//! [`Frame::data`], which dims the whole frame until its current fits the budget of
//! `wiring::limits`; whoever feeds the LEDs cannot exceed it.

use smart_leds::RGB8;

use crate::geometry::{Playfield, Point};
use crate::wiring::{self, KEY_LED_COUNT, LED_COUNT_MAX, limits::led_sum_max};

/// Fraction bits of the dimming ratio: one byte times less than one fits 32 bits.
const RATIO_BITS: u32 = 16;

/// Everything dark.
pub const DARK: RGB8 = RGB8::new(0, 0, 0);

/// A picture for the keys and the points of one playfield.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    playfield: Playfield,
    /// In the order of the chain; beyond the playfield's last LED unused and dark.
    leds: [RGB8; LED_COUNT_MAX],
}

impl Frame {
    /// A frame in which nothing shines.
    pub const fn dark(playfield: Playfield) -> Frame {
        Frame { playfield, leds: [DARK; LED_COUNT_MAX] }
    }

    /// Lights a key, 0 = K1. Keys that do not exist are ignored.
    pub fn set_key(&mut self, key: usize, colour: RGB8) {
        if let Some(led) = self.leds[..KEY_LED_COUNT].get_mut(key) {
            *led = colour;
        }
    }

    /// Lights a point. Points of another, larger playfield are ignored.
    pub fn set_point(&mut self, point: Point, colour: RGB8) {
        if point.index() < self.playfield.point_count() {
            self.leds[wiring::led(self.playfield, point)] = colour;
        }
    }

    /// What goes over the wire, LED by LED: green, red, blue in the upper three bytes, highest bit
    /// first, dimmed to the budget.
    pub fn data(&self) -> impl ExactSizeIterator<Item = u32> {
        let leds = &self.leds[..wiring::led_count(self.playfield)];
        let bytes = leds.iter().flat_map(|led| [led.r, led.g, led.b]);
        let sum: u32 = bytes.map(u32::from).sum();
        let sum_max = led_sum_max(self.playfield);
        let ratio = if sum > sum_max { (sum_max << RATIO_BITS) / sum } else { 1 << RATIO_BITS };
        // byte x sum_max / sum, rounded down, so that the sum stays at or below the limit. Without a
        // divide instruction a division per byte would eat a good part of the slack; a product
        // with the rounded ratio is exact or one too low.
        let dim = move |byte: u8| {
            let byte = u32::from(byte);
            let low = (byte * ratio) >> RATIO_BITS;
            if sum > sum_max && (low + 1) * sum <= byte * sum_max { low + 1 } else { low }
        };
        leds.iter().map(move |led| dim(led.g) << 24 | dim(led.r) << 16 | dim(led.b) << 8)
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn sum(data: impl Iterator<Item = u32>) -> u32 {
        data.map(|word| (word >> 24) + (word >> 16 & 255) + (word >> 8 & 255)).sum()
    }

    /// A frame with this colour on all keys and points.
    fn full(playfield: Playfield, colour: RGB8) -> Frame {
        let mut frame = Frame::dark(playfield);
        (0..KEY_LED_COUNT).for_each(|key| frame.set_key(key, colour));
        playfield.points().for_each(|point| frame.set_point(point, colour));
        frame
    }

    #[test]
    fn a_point_and_a_key_shine_at_their_place_in_the_chain() {
        for playfield in Playfield::ALL {
            for point in playfield.points() {
                let mut frame = Frame::dark(playfield);
                frame.set_point(point, RGB8::new(1, 2, 3));
                let data: Vec<u32> = frame.data().collect();
                assert_eq!(data.len(), wiring::led_count(playfield));
                assert_eq!(data[wiring::led(playfield, point)], 0x0201_0300);
                assert_eq!(sum(data.into_iter()), 6);
            }
        }
        let mut frame = Frame::dark(Playfield::Hex);
        frame.set_key(5, RGB8::new(9, 0, 0));
        frame.set_key(6, RGB8::new(9, 0, 0));
        assert_eq!(frame.data().position(|word| word != 0), Some(5));
        assert_eq!(sum(frame.data()), 9);
    }

    #[test]
    fn a_point_of_the_other_playfield_is_ignored() {
        let mut frame = Frame::dark(Playfield::Hex);
        let beyond = Point::new(Playfield::Square, 91).unwrap();
        frame.set_point(beyond, RGB8::new(1, 1, 1));
        assert_eq!(frame, Frame::dark(Playfield::Hex));
    }

    #[test]
    fn only_what_exceeds_the_budget_is_dimmed() {
        // Keys included, 97 x 3 bytes of 40 are 11 640 of 11 730; 231 x 3 of 8 are 5 544 of 5 610.
        for (playfield, fits) in [(Playfield::Hex, 40), (Playfield::Square, 8)] {
            let frame = full(playfield, RGB8::new(fits, fits, fits));
            assert!(frame.data().all(|word| word == u32::from(fits) * 0x0101_0100));
            let brighter = fits + 1;
            let frame = full(playfield, RGB8::new(brighter, brighter, brighter));
            assert!(frame.data().all(|word| word == u32::from(fits) * 0x0101_0100));
        }
    }

    proptest! {
        #[test]
        fn no_frame_leaves_above_the_budget(
            square: bool,
            brightest in 0_u8..=255,
            colours in vec(any::<[u8; 3]>(), LED_COUNT_MAX),
        ) {
            let playfield = if square { Playfield::Square } else { Playfield::Hex };
            let mut frame = Frame::dark(playfield);
            for (led, colour) in colours.into_iter().enumerate() {
                let [r, g, b] = colour.map(|byte| byte.min(brightest));
                match Point::new(playfield, led.wrapping_sub(KEY_LED_COUNT)) {
                    Some(point) => frame.set_point(point, RGB8::new(r, g, b)),
                    None => frame.set_key(led, RGB8::new(r, g, b)),
                }
            }
            let max = led_sum_max(playfield);
            prop_assert!(sum(frame.data()) <= max);
            // The definition, byte by byte.
            let wanted = frame.leds[..wiring::led_count(playfield)].iter();
            let total: u32 = wanted.clone().flat_map(|led| [led.r, led.g, led.b]).map(u32::from).sum();
            for (led, word) in wanted.zip(frame.data()) {
                let bytes = [led.g, led.r, led.b, 0].map(u32::from);
                let dimmed = bytes.map(|byte| (byte * max.min(total) / total.max(1)) as u8);
                prop_assert_eq!(word, u32::from_be_bytes(dimmed));
            }
        }
    }

    #[test]
    fn the_brightest_frame_keeps_the_budget() {
        for playfield in Playfield::ALL {
            let frame = full(playfield, RGB8::new(255, 255, 255));
            assert!(sum(frame.data()) <= led_sum_max(playfield));
        }
    }
}
