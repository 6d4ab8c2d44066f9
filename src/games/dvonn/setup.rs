//! How a game of DVONN begins, and in which order the pieces come.

use super::tables::CELLS;
use super::{Dvonn, Phase};
use crate::games::Player;
use crate::geometry::{Cell, Cells};

/// D2: red pieces, which come first.
const REDS: usize = 3;

/// The colour of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// Of player 1.
    White,
    /// Of player 2.
    Black,
    /// Of nobody.
    Red,
}

impl Colour {
    pub(super) const COUNT: usize = 3;
    pub(super) const ALL: [Colour; Colour::COUNT] = [Colour::White, Colour::Black, Colour::Red];

    pub(super) const fn index(self) -> usize {
        self as usize
    }

    /// As the position line writes it.
    pub(super) const fn letter(self) -> char {
        match self {
            Colour::White => 'w',
            Colour::Black => 'b',
            Colour::Red => 'r',
        }
    }
}

impl Dvonn {
    /// D1: the empty board, White to begin.
    pub const fn new() -> Dvonn {
        Dvonn {
            controlled: [Cells::EMPTY; 2],
            with_red: Cells::EMPTY,
            pieces: [Cells::EMPTY; Colour::COUNT],
            height: [0; CELLS],
            top: [Cell::new(0); CELLS],
            under: [Cell::new(0); CELLS],
            phase: Phase::Place,
            turn: Player::ONE,
        }
    }

    /// D2: the colour of the piece to be placed now; `None` when all are.
    pub fn to_place(&self) -> Option<Colour> {
        (self.phase == Phase::Place).then(|| self.next_colour())
    }

    /// D2: the colour of the next piece to be placed.
    pub(super) fn next_colour(&self) -> Colour {
        match self.turn {
            _ if self.pieces[Colour::Red.index()].len() < REDS => Colour::Red,
            Player::ONE => Colour::White,
            _ => Colour::Black,
        }
    }
}

impl Default for Dvonn {
    fn default() -> Dvonn {
        Dvonn::new()
    }
}
