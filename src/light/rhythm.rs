//! Rhythms: how bright something is at which time, as data.
//!
//! A rhythm is sixteen slots of equal length. All lengths are powers of two, so that a clock of 32
//! bits may wrap without a jump, and no division is needed.

/// How often rhythms move: within a tick of this length, counted from time 0, nothing changes.
/// About sixteen frames a second are enough for a soft breathing and leave the chain quiet.
pub const TICK_MS: u32 = 1 << TICK_BITS;
pub(super) const TICK_BITS: u32 = 6;

/// Levels are fractions with so many bits.
pub(super) const LEVEL_BITS: u32 = 8;
const FULL: u16 = 1 << LEVEL_BITS;

const SLOTS: usize = 16;

/// What a light does in time, over and over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Rhythm {
    levels: [u16; SLOTS],
    slot_bits: u32,
    glides: bool,
}

/// Always on.
pub(super) const STEADY: Rhythm = Rhythm::jumping(1024, b"9999999999999999");
/// To and fro between two colours.
pub(super) const ALTERNATION: Rhythm = Rhythm::jumping(256, b"9999000099990000");
/// As a sleeper breathes.
pub(super) const SLOW_BREATH: Rhythm = Rhythm::gliding(256, b"2234678998764322");
/// As somebody breathes who waits.
pub(super) const BREATH: Rhythm = Rhythm::gliding(128, b"2234678998764322");
/// Long light.
pub(super) const LONG_LIGHT: Rhythm = Rhythm::gliding(128, b"9999999999990000");
/// Long dark.
pub(super) const LONG_DARK: Rhythm = Rhythm::gliding(128, b"9999000000000000");
/// Two blinks, then a pause.
pub(super) const DOUBLE_BLINK: Rhythm = Rhythm::jumping(128, b"9900990000000000");
/// Short flashes, two a second: more than three would harm people who are sensitive to them.
pub(super) const FLASHES: Rhythm = Rhythm::jumping(128, b"9000900090009000");
/// The same in counter-phase: light, with short gaps.
pub(super) const GAPS: Rhythm = Rhythm::jumping(128, b"0999099909990999");
/// One after the other: eight places, each lights up in its own slot and glows in the others.
pub(super) const IN_TURN: Rhythm = Rhythm::jumping(512, b"9333333393333333");
/// A wave that runs over sixteen places, which never go dark.
pub(super) const RUNNING: Rhythm = Rhythm::gliding(128, b"9753333333333357");

impl Rhythm {
    /// Slots of this length with these levels, 0 = dark to 9 = full.
    const fn jumping(slot_ms: u32, digits: &[u8; SLOTS]) -> Rhythm {
        assert!(slot_ms.is_power_of_two() && slot_ms >= TICK_MS);
        let (mut levels, mut n) = ([0; SLOTS], 0);
        while n < SLOTS {
            // The eye sees about the square root of what a LED gives.
            let digit = (digits[n] - b'0') as u16;
            levels[n] = (digit * digit * FULL).div_ceil(81);
            n += 1;
        }
        Rhythm { levels, slot_bits: slot_ms.trailing_zeros(), glides: false }
    }

    /// The same, but from the level of each slot softly to that of the next.
    const fn gliding(slot_ms: u32, digits: &[u8; SLOTS]) -> Rhythm {
        Rhythm { glides: true, ..Rhythm::jumping(slot_ms, digits) }
    }

    /// The level at a time, of the place that is `place` slots late.
    pub(super) fn level(&self, now_ms: u32, place: u8) -> u16 {
        let slot = (now_ms >> self.slot_bits).wrapping_sub(place.into());
        let at = |slot: u32| i32::from(self.levels[slot as usize % SLOTS]);
        let here = at(slot);
        if !self.glides {
            return here as u16;
        }
        let within_ms = (now_ms & ((1 << self.slot_bits) - 1)) as i32;
        let rise = at(slot.wrapping_add(1)) - here;
        (here + ((rise * within_ms) >> self.slot_bits)) as u16
    }

    /// After how long it begins anew.
    #[cfg(test)]
    pub(super) fn period_ms(&self) -> u32 {
        let repeats =
            |slots: usize| (slots..SLOTS).all(|n| self.levels[n] == self.levels[n - slots]);
        let slots = [1, 2, 4, 8, 16].into_iter().find(|&slots| repeats(slots));
        (slots.unwrap_or(SLOTS) as u32) << self.slot_bits
    }
}
