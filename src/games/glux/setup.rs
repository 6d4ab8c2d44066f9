//! How a game begins: who plays where, with what.

use super::tables::{FOUR, Plan, THREE, TWO};
use crate::games::Id;

/// Chips of each kind in a full bag.
pub(super) const CHIPS_PER_KIND: u8 = 8;

/// How many play; each number has its board and its starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variant {
    /// `glux-2`, on 13 x 9 squares.
    Two,
    /// `glux-3`, on 15 x 15 squares.
    Three,
    /// `glux-4`, on 15 x 15 squares.
    Four,
}

impl Variant {
    /// How many play.
    pub const fn player_count(self) -> usize {
        self.id().player_count()
    }

    pub(super) const fn id(self) -> Id {
        match self {
            Variant::Two => Id::Glux2,
            Variant::Three => Id::Glux3,
            Variant::Four => Id::Glux4,
        }
    }

    pub(super) fn plan(self) -> &'static Plan {
        match self {
            Variant::Two => &TWO,
            Variant::Three => &THREE,
            Variant::Four => &FOUR,
        }
    }
}
