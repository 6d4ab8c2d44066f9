//! What a value means: the classes of each profile, their limits, and what neighbours add.

use core::ops::RangeInclusive;

use crate::magnet::{Sign, Strength};
use crate::wiring::limits::{ZERO_NOMINAL, ZERO_SPREAD};

/// What a point shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(target_os = "none", derive(defmt::Format))]
#[repr(u8)] // so that the first is zeros
pub enum Class {
    /// Cannot be told.
    Unknown(Doubt),
    /// Nothing lies there.
    Empty,
    /// Something lies near, too far off for a piece in its place.
    NotSeated(Sign),
    /// A piece lies there; its reading is too near a limit to tell its strength.
    Between(Sign),
    /// A piece lies there.
    Piece(Strength, Sign),
}

impl Class {
    /// Whether a piece lies there, of whatever strength.
    pub const fn is_occupied(self) -> bool {
        matches!(self, Class::Piece(..) | Class::Between(_))
    }

    /// Whether it is anything but unknown.
    pub const fn is_known(self) -> bool {
        !matches!(self, Class::Unknown(_))
    }

    /// The sign of what lies there.
    pub const fn sign(self) -> Option<Sign> {
        match self {
            Class::NotSeated(sign) | Class::Between(sign) | Class::Piece(_, sign) => Some(sign),
            Class::Unknown(_) | Class::Empty => None,
        }
    }
}

/// Why a point is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(target_os = "none", derive(defmt::Format))]
pub enum Doubt {
    /// It is not at rest, or was not looked at for long enough yet.
    Moving,
    /// The field is stronger than any piece's: a foreign magnet.
    Overload,
    /// It has no zero, and its code is not near the nominal one.
    NoZero,
    /// Its sensor is not trusted.
    Faulty,
}

/// Which pieces are in use, and so which limits apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(target_os = "none", derive(defmt::Format))]
pub enum Profile {
    /// YINSH: rings, markers, markers in rings.
    Rings,
    /// GIPF, DVONN, LYNGK: pieces and strong pieces.
    Pieces,
    /// GLÜX: chips.
    Chips,
}

/// Within this many codes of an inner limit the class stays what it was.
const HYSTERESIS: u16 = 9;
/// More than this many codes (20 mT) is no piece of ours.
const OVERLOAD: u16 = 1489;
/// More than this is no chip: two of one half read 83, with every part as far off as it may be 120.
const CHIPS_OVERLOAD: u16 = 180;

/// What a change of the value says of a point whose class before is known. Zero and neighbours
/// cancel in it, so it tells more than the level.
struct Difference {
    before: Strength,
    /// Change in codes, away from zero.
    change: RangeInclusive<i16>,
    after: Strength,
}

/// The limits of a profile in codes.
pub(super) struct Limits {
    /// From where on each strength reads; the first is where empty ends.
    strengths: &'static [(Strength, u16)],
    /// Below this an occupied point is empty again.
    off: u16,
    /// From here on an empty point has something near it that is not seated. Above what zero drift
    /// (4), the earth (4) and the neighbours whose share is not subtracted (12) can add up to.
    near: u16,
    differences: &'static [Difference],
    /// From where on each strength reads on a point that was empty, where nothing comes in pairs.
    put: &'static [(Strength, u16)],
    /// What each strength may read within the whole error budget, gain not taught, 3 mm off.
    reach: &'static [(Strength, RangeInclusive<u16>)],
    /// What is more than this is no piece in use.
    most: u16,
    /// From where on a value that follows its mean has moved, in sixteenths of a code: less for chips,
    /// of which one that comes down slowly adds little.
    pub(super) moving_q4: u16,
    /// The same for one that stands: what noise seldom makes.
    pub(super) held_q4: u16,
    /// What the teaching piece should read, in sixteenths of a code: a marker or basic piece at
    /// 3.717 mT, a chip at 0.931.
    pub(super) reference_q4: u16,
}

static RINGS: Limits = Limits {
    strengths: &[(Strength::Weak, 71), (Strength::Single, 182), (Strength::Strong, 328)],
    off: 56,
    near: 45,
    // Within the whole error budget a marker is worth 149 (in a ring that stands 3 mm off) to 342
    // codes, a ring 100 to 180; a nudge of a millimetre changes them by less than 45. Where ranges
    // meet, what is left must read as its strength may.
    differences: &[
        Difference { before: Strength::Weak, change: -60..=66, after: Strength::Weak },
        Difference { before: Strength::Weak, change: 160..=400, after: Strength::Strong },
        Difference { before: Strength::Single, change: -90..=66, after: Strength::Single },
        Difference { before: Strength::Single, change: 67..=200, after: Strength::Strong },
        Difference { before: Strength::Strong, change: -400..=-201, after: Strength::Weak },
        Difference { before: Strength::Strong, change: -200..=-67, after: Strength::Single },
    ],
    put: &[(Strength::Weak, 71), (Strength::Single, 167), (Strength::Strong, 380)],
    reach: &[
        (Strength::Weak, 71..=170),
        (Strength::Single, 165..=380),
        (Strength::Strong, 290..=OVERLOAD),
    ],
    most: OVERLOAD,
    moving_q4: 48,
    held_q4: 64,
    reference_q4: 4429,
};

static PIECES: Limits = Limits {
    strengths: &[(Strength::Single, 134), (Strength::Strong, 372)],
    off: 104,
    near: 74,
    differences: &[],
    put: &[(Strength::Single, 134), (Strength::Strong, 372)],
    reach: &[],
    most: OVERLOAD,
    moving_q4: 48,
    held_q4: 64,
    reference_q4: 4429,
};

static CHIPS: Limits = Limits {
    strengths: &[(Strength::Single, 37)],
    off: 28,
    near: 22,
    differences: &[],
    put: &[(Strength::Single, 37)],
    reach: &[],
    most: CHIPS_OVERLOAD,
    moving_q4: 24,
    held_q4: 48,
    reference_q4: 1109,
};

impl Profile {
    pub(super) fn limits(self) -> &'static Limits {
        match self {
            Profile::Rings => &RINGS,
            Profile::Pieces => &PIECES,
            Profile::Chips => &CHIPS,
        }
    }

    /// What a `+` piece adds at the points next to it, in sixteenths of a code: side by side (30 mm
    /// on the hex, 22 mm on the square playfield) and at a corner (31 mm).
    ///
    /// PIECES has one figure for all: a strong single (-101) cannot be told from a stack of three
    /// (-69) or five (-40), and its limits are far from zero anyway.
    pub(super) const fn crosstalk_q4(self, class: Class) -> (i16, i16) {
        let (side, corner) = match (self, class) {
            (Profile::Rings, Class::Piece(Strength::Weak, _)) => (-98, 0),
            (Profile::Rings, Class::Piece(Strength::Single, _)) => (-51, 0),
            (Profile::Rings, Class::Piece(Strength::Strong, _)) => (-149, 0),
            (Profile::Pieces, Class::Piece(..) | Class::Between(_)) => (-54, 0),
            (Profile::Chips, Class::Piece(..)) => (-20, -14),
            _ => (0, 0),
        };
        match class.sign() {
            Some(Sign::Minus) => (-side, -corner),
            _ => (side, corner),
        }
    }
}

impl Limits {
    /// Whether a value is below the limit where an occupied point becomes empty.
    #[inline]
    pub(super) const fn is_below_return(&self, value: i16) -> bool {
        value.unsigned_abs() < self.off
    }

    /// Whether a piece in use may read this code, wherever the zero is.
    #[inline]
    pub(super) const fn may_be_piece(&self, code: u16) -> bool {
        code.abs_diff(ZERO_NOMINAL) <= self.most + ZERO_SPREAD
    }

    /// The class of a single scan, which may be in the middle of a movement: hysteresis against
    /// what was seen before, never a doubt.
    pub(super) fn glance(&self, value: i16, before: Class) -> Class {
        let (size, sign) = (value.unsigned_abs(), Sign::of(value));
        let held = self.rung(before, sign);
        let mut class = Class::Empty;
        for (rung, &(strength, from)) in (1..).zip(self.strengths) {
            let limit = match (rung, held >= rung) {
                (1, false) => from,
                (1, true) => self.off,
                (_, false) => from + HYSTERESIS,
                (_, true) => from - HYSTERESIS,
            };
            if size >= limit {
                class = Class::Piece(strength, sign);
            }
        }
        class
    }

    /// The class of a value at rest. `before` is the last class that was certain.
    pub(super) fn classify(&self, value: i16, before: Class) -> Class {
        let (size, sign) = (value.unsigned_abs(), Sign::of(value));
        if size > self.most {
            return Class::Unknown(Doubt::Overload);
        }
        let held = self.rung(before, sign);
        let on = if held > 0 { self.off } else { self.strengths[0].1 };
        if size < on {
            let not_seated = matches!(before, Class::NotSeated(s) if s == sign);
            let near = if not_seated { self.near - HYSTERESIS } else { self.near };
            return if size < near { Class::Empty } else { Class::NotSeated(sign) };
        }
        let mut class = Class::Piece(self.strengths[0].0, sign);
        for (rung, &(strength, from)) in (1..).zip(self.strengths).skip(1) {
            if size.abs_diff(from) <= HYSTERESIS {
                let beside = held == rung || held + 1 == rung;
                return if beside && held > 0 { before } else { Class::Between(sign) };
            }
            if size > from {
                class = Class::Piece(strength, sign);
            }
        }
        class
    }

    /// Which of the strengths a class is, from 1; 0 for anything but a piece of this sign. A piece
    /// between two strengths counts as the first: it only keeps the point occupied.
    fn rung(&self, class: Class, sign: Sign) -> usize {
        match class {
            Class::Piece(strength, s) if s == sign => {
                1 + self.strengths.iter().position(|&(known, _)| known == strength).unwrap_or(0)
            }
            Class::Between(s) if s == sign => 1,
            _ => 0,
        }
    }

    /// The strength of something that was put on an empty point, by its value.
    pub(super) fn strength_put(&self, value: i16) -> Option<Strength> {
        let reads = |&&(_, from): &&(Strength, u16)| value.unsigned_abs() >= from;
        self.put.iter().rev().find(reads).map(|&(strength, _)| strength)
    }

    /// Whether a piece of this strength may read this value.
    pub(super) fn may_read(&self, strength: Strength, value: i16) -> bool {
        let reaches = |(of, reach): &(Strength, RangeInclusive<u16>)| {
            *of == strength && reach.contains(&value.unsigned_abs())
        };
        self.reach.iter().any(reaches)
    }

    /// The strength of a point that was of this one and has changed by so many codes since.
    pub(super) fn after_change(&self, before: Strength, change: i16) -> Option<Strength> {
        let told = |d: &&Difference| d.before == before && d.change.contains(&change);
        self.differences.iter().find(told).map(|d| d.after)
    }
}
