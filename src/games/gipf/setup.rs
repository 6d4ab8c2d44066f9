//! How a game of GIPF begins (G1 to G4).

use core::fmt;

use super::tables::Lines;
use super::{Entry, Gipf, Side};
use crate::games::{Id, Player};
use crate::geometry::{Cells, grids};

/// The three games on the same board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// G1: without GIPF-pieces; one player may have some pieces more.
    Basic(Option<Handicap>),
    /// G2: three GIPF-pieces each on the board.
    Standard,
    /// G3: empty board, GIPF-pieces are brought in.
    Tournament,
}

/// G1: one player has one, two or three pieces more in the reserve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handicap {
    player: Player,
    pieces: u8,
}

impl Handicap {
    /// Reads `1+2`: two pieces more for player 1.
    pub fn parse(text: &[u8]) -> Option<Handicap> {
        match text {
            [player @ b'1'..=b'2', b'+', pieces @ b'1'..=b'3'] => Some(Handicap {
                player: Player::from_index(usize::from(player - b'1')),
                pieces: pieces - b'0',
            }),
            _ => None,
        }
    }
}

/// `1+2`.
impl fmt::Display for Handicap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.player.number(), self.pieces)
    }
}

/// G1: where the pieces of each player stand at the beginning.
const PLACES: [Cells<1>; 2] = [places(["b5", "e2", "h5"]), places(["b2", "e8", "h2"])];

const fn places(names: [&str; 3]) -> Cells<1> {
    let (mut cells, mut n) = (Cells::EMPTY, 0);
    while n < names.len() {
        cells = cells.with_index(grids::GIPF.named(names[n]).index());
        n += 1;
    }
    cells
}

impl Gipf {
    /// The position in which the game begins.
    pub fn new(variant: Variant) -> Gipf {
        let (id, places, reserve, entry) = match variant {
            Variant::Basic(_) => (Id::GipfBasic, PLACES, 12, Entry::Basic),
            Variant::Standard => (Id::Gipf, PLACES, 12, Entry::Basic),
            Variant::Tournament => (Id::GipfTournament, [Cells::EMPTY; 2], 18, Entry::Gipf),
        };
        let mut sides = places.map(|pieces| Side { pieces, reserve, captured: 0, entry });
        if let Variant::Basic(Some(handicap)) = variant {
            sides[handicap.player.index()].reserve += handicap.pieces;
        }
        let gipfs = match variant {
            Variant::Standard => PLACES[0] | PLACES[1],
            Variant::Basic(_) | Variant::Tournament => Cells::EMPTY,
        };
        // G4: White begins.
        let turn = Player::ONE;
        Gipf { id, sides, gipfs, turn, pushed: false, due: Lines::EMPTY, end: None }
    }
}
