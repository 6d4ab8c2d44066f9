//! The pieces on the board at the start: drawn, or given as 43 letters.

use core::fmt::{self, Write};

use super::{CELLS, Piece};
use crate::random::SplitMix64;

/// L1: how many of each kind are on the board, in the order of [`Piece::ALL`].
const COUNTS: [usize; Piece::ALL.len()] = [8, 8, 8, 8, 8, 3];

/// A set-up: one piece for each cell in point order, in the right numbers (L1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deal([Piece; CELLS]);

/// A text that is no set-up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DealError {
    /// It has so many bytes instead of 43.
    Length(usize),
    /// The byte at this place, counted from 0, is no letter of a piece.
    Letter(usize),
    /// So many of this kind instead of eight (jokers: three).
    Count(Piece, usize),
}

impl fmt::Display for DealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            DealError::Length(found) => write!(f, "expected {CELLS} letters, found {found}"),
            DealError::Letter(at) => write!(f, "expected K, B, G, I, R or W at byte {}", at + 1),
            DealError::Count(piece, found) => {
                let expected = COUNTS[piece.index()];
                write!(f, "expected {expected} times {}, found {found}", piece.letter())
            }
        }
    }
}

impl Deal {
    /// Reads 43 letters, one for each cell in point order.
    pub fn parse(text: &[u8]) -> Result<Deal, DealError> {
        let letters: &[u8; CELLS] = text.try_into().map_err(|_| DealError::Length(text.len()))?;
        let mut pieces = [Piece::Joker; CELLS];
        for (at, (piece, &letter)) in pieces.iter_mut().zip(letters).enumerate() {
            *piece = Piece::from_letter(letter).ok_or(DealError::Letter(at))?;
        }
        for kind in Piece::ALL {
            let found = pieces.iter().filter(|&&piece| piece == kind).count();
            if found != COUNTS[kind.index()] {
                return Err(DealError::Count(kind, found));
            }
        }
        Ok(Deal(pieces))
    }

    /// Draws a set-up; the same seed gives the same one everywhere.
    pub fn shuffle(seed: u64) -> Deal {
        let mut pieces = [Piece::Joker; CELLS];
        let sorted = Piece::ALL
            .into_iter()
            .flat_map(|kind| core::iter::repeat_n(kind, COUNTS[kind.index()]));
        pieces.iter_mut().zip(sorted).for_each(|(piece, kind)| *piece = kind);
        SplitMix64::new(seed).shuffle(&mut pieces);
        Deal(pieces)
    }

    /// In point order.
    pub(super) fn pieces(&self) -> [Piece; CELLS] {
        self.0
    }
}

/// The 43 letters.
impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|piece| f.write_char(piece.letter()))
    }
}
