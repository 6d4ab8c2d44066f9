//! Faces and chips.

use core::num::NonZeroU8;

use crate::games::Player;

/// A face of a chip: one to six spots.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spots(NonZeroU8);

impl Spots {
    /// The most spots a face shows; opposite faces of a chip show seven together.
    const MAX: u8 = 6;
    /// How many kinds of chips there are: 1/6, 2/5, 3/4.
    pub const KINDS: usize = 3;

    /// The face with so many spots.
    pub const fn new(number: u8) -> Option<Spots> {
        match NonZeroU8::new(number) {
            Some(spots) if number <= Spots::MAX => Some(Spots(spots)),
            _ => None,
        }
    }

    /// All faces, one spot first.
    pub fn all() -> impl Iterator<Item = Spots> + Clone {
        (1..=Spots::MAX).filter_map(Spots::new)
    }

    /// How many spots.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0.get()
    }

    /// The kind of chip that has this face: 0 for 1/6, 1 for 2/5, 2 for 3/4.
    #[inline]
    pub const fn kind(self) -> usize {
        let number = self.number();
        (if number <= Spots::MAX / 2 { number - 1 } else { Spots::MAX - number }) as usize
    }
}

/// A chip on the board: whose it is, and the face it shows. One byte, also as an `Option`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Chip(NonZeroU8);

/// The bits below the player's that hold the spots.
const SPOT_BITS: u8 = 3;

impl Chip {
    /// A chip of this player with this face up.
    #[inline]
    pub const fn new(player: Player, spots: Spots) -> Chip {
        Chip(spots.0.saturating_add((player.index() as u8) << SPOT_BITS))
    }

    /// Whose it is.
    #[inline]
    pub const fn player(self) -> Player {
        Player::from_index((self.0.get() >> SPOT_BITS) as usize)
    }

    /// How many spots it shows.
    #[inline]
    pub const fn spots(self) -> u8 {
        self.0.get() & ((1 << SPOT_BITS) - 1)
    }
}
