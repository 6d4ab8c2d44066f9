//! The scan as data: the words that a PIO state machine works off, one after the other.
//!
//! A word says: put this on the nine select lines, wait so long, then start so many conversions.
//! The firmware hands a playfield's words to the state machine by DMA and the processor sleeps;
//! the program that understands them is `src/bin/firmware/device/scan.rs`. Its cycle counts are
//! stated here, because they decide how long a scan takes.
//!
//! Bank after bank: the old bank goes off, the address changes in the middle of the gap, the new
//! bank comes on and gets its time. So no two banks ever have power, and no address changes under
//! power. The last word leaves all banks off.

use heapless::Vec;

use super::{Slot, slot, timing};
use crate::geometry::Playfield;

/// The state machine's clock, Hz: five cycles are the microsecond in which words count.
pub const CLOCK_HZ: u32 = 5_000_000;
/// Words of the longest scan: two for the gap before each bank, one per point, one for "all off".
pub const WORDS_MAX: usize = 2 * 15 + Playfield::POINTS_MAX + 1;
/// Conversions of the longest scan.
pub const SAMPLES_MAX: usize = Playfield::POINTS_MAX * timing::SAMPLES as usize;

/// Cycles of a word besides waiting and sampling: two lines out, two counters.
const WORD_CYCLES: u32 = 4;
/// Cycles from one conversion's start to the next: 2.4 µs.
const SAMPLE_CYCLES: u32 = 12;
const CYCLES_PER_US: u32 = CLOCK_HZ / 1_000_000;
const _: () = assert!(SAMPLE_CYCLES > timing::CONVERSION_US * CYCLES_PER_US);

/// Where a scan ends and the next one begins: the last column has decoder address 0, and its lines
/// are also what a reset leaves.
const END: Slot = Slot { address: 0, channel: 0 };

/// One word: bits 0-8 the lines, 9-23 the settling time in µs less one, 24-31 the conversions.
const fn word(lines: u16, settle_us: u32, samples: u32) -> u32 {
    lines as u32 | (settle_us - 1) << 9 | samples << 24
}
const _: () = assert!(timing::CHANNEL_US > 0 && timing::GAP_US > 1 && timing::POWER_US <= 1 << 15);
const _: () = assert!(timing::SAMPLES < 1 << 8);

/// The words of one scan, in the order of the points.
pub fn words(playfield: Playfield) -> Vec<u32, WORDS_MAX> {
    let mut words = Vec::new();
    let mut add = |lines, settle_us, samples| {
        // Cannot be full: a test counts the words of both playfields.
        let _ = words.push(word(lines, settle_us, samples));
    };
    let (mut before, mut powered) = (END, false);
    for point in playfield.points() {
        let now = slot(playfield, point);
        let settle_us = if powered && now.address == before.address {
            timing::CHANNEL_US
        } else {
            add(before.lines(false), timing::GAP_US / 2, 0);
            add(now.lines(false), timing::GAP_US / 2, 0);
            timing::POWER_US
        };
        add(now.lines(true), settle_us, timing::SAMPLES);
        (before, powered) = (now, true);
    }
    add(END.lines(false), 1, 0);
    words
}

/// How long the state machine works on these words, µs, rounded up.
pub fn duration_us(words: &[u32]) -> u32 {
    let cycles = |word: &u32| {
        let (settle_us, samples) = ((word >> 9 & 0x7fff) + 1, word >> 24);
        WORD_CYCLES + settle_us * CYCLES_PER_US + samples * SAMPLE_CYCLES
    };
    words.iter().map(cycles).sum::<u32>().div_ceil(CYCLES_PER_US)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::vec::Vec;

    use super::*;

    /// Lines, settling time and samples of a word, taken apart as the state machine does.
    fn taken_apart(word: u32) -> (Slot, bool, u32, u32) {
        let slot = Slot { address: (word & 15) as u8, channel: (word >> 5 & 15) as u8 };
        (slot, word & 16 == 0, (word >> 9 & 0x7fff) + 1, word >> 24)
    }

    #[test]
    fn every_point_is_sampled_once_and_in_order() {
        for playfield in Playfield::ALL {
            let words = words(playfield);
            let sampled: Vec<Slot> = words
                .iter()
                .map(|&word| taken_apart(word))
                .filter(|&(.., samples)| samples > 0)
                .map(|(slot, powered, _, samples)| {
                    assert!(powered && samples == timing::SAMPLES);
                    slot
                })
                .collect();
            let expected: Vec<Slot> = playfield.points().map(|p| slot(playfield, p)).collect();
            assert_eq!(sampled, expected);
        }
    }

    #[test]
    fn banks_get_their_gap_and_their_time() {
        for playfield in Playfield::ALL {
            let words = words(playfield);
            // What the lines show when the scan starts: the end of the scan before.
            let (mut lines, mut on, ..) = taken_apart(*words.last().unwrap());
            assert!(!on);
            let (mut off_us, mut seen) = (0, BTreeSet::new());
            for (slot, powered, settle_us, _) in words.iter().map(|&word| taken_apart(word)) {
                if slot.address != lines.address {
                    assert!(!on && !powered, "address changes under power");
                }
                if powered && !on {
                    assert!(off_us >= timing::GAP_US && settle_us >= timing::POWER_US);
                    assert!(seen.insert(slot.address), "a bank comes on twice");
                }
                if powered && on {
                    assert!(settle_us >= timing::CHANNEL_US);
                }
                off_us = if powered { 0 } else { off_us + settle_us };
                (lines, on) = (slot, powered);
            }
            assert_eq!(seen.len(), playfield.column_count());
        }
    }

    #[test]
    fn length_and_duration_are_those_of_the_drawing() {
        // 11 x 441.6 + 80 x 32 and 15 x 441.6 + 210 x 32, and "all off".
        for (playfield, count, us) in
            [(Playfield::Hex, 114, 7_418 + 2), (Playfield::Square, 256, 13_344 + 2)]
        {
            let words = words(playfield);
            assert_eq!((words.len(), duration_us(&words)), (count, us));
            assert!(words.len() <= WORDS_MAX);
        }
    }
}
