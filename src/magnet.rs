//! What a magnet shows to a sensor: the words that rules and sensing share.
//!
//! `games` says with them what a position looks like from below, `sense` what it sees.

/// Which way a piece lies, as its sensor sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(target_os = "none", derive(defmt::Format))]
pub enum Sign {
    /// North up, codes above the zero.
    Plus,
    /// South up, codes below the zero.
    Minus,
}

impl Sign {
    /// The sign of a value; 0 counts as plus.
    pub const fn of(value: i16) -> Sign {
        if value < 0 { Sign::Minus } else { Sign::Plus }
    }

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Sign {
        match self {
            Sign::Plus => Sign::Minus,
            Sign::Minus => Sign::Plus,
        }
    }

    /// A signed value as seen from this sign: positive when it points the same way.
    pub const fn along(self, value: i16) -> i16 {
        match self {
            Sign::Plus => value,
            Sign::Minus => value.saturating_neg(),
        }
    }
}

/// How strong a piece is. What that means is the matter of the pieces in use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(target_os = "none", derive(defmt::Format))]
pub enum Strength {
    /// A ring.
    Weak,
    /// A marker, a piece, a chip.
    Single,
    /// A marker in a ring; a piece with the double magnet, or a stack.
    Strong,
}
