//! How a game of YINSH begins, and what the two variants ask for.

use super::{Phase, Yinsh};
use crate::games::Player;
use crate::geometry::Cells;

/// Y1: markers in the pool at the start.
pub(super) const MARKERS: usize = 51;
/// Y2: rings each player puts on the board.
pub(super) const RINGS_EACH: usize = 5;

/// Y18: how many rings win.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variant {
    /// Three.
    Normal,
    /// One.
    Blitz,
}

impl Variant {
    pub(super) const fn rings_to_win(self) -> u8 {
        match self {
            Variant::Normal => 3,
            Variant::Blitz => 1,
        }
    }
}

impl Yinsh {
    /// Y1: the empty board, White to begin.
    pub const fn new(variant: Variant) -> Yinsh {
        Yinsh {
            rings: [Cells::EMPTY; 2],
            markers: [Cells::EMPTY; 2],
            taken: [0; 2],
            variant,
            phase: Phase::Place,
            turn: Player::ONE,
            next: Player::ONE,
        }
    }
}
