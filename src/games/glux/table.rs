//! What a position of GLÜX looks like to magnets: a face of one to three spots is north up.
//!
//! On a covered square the lower chip is nearer to the sensor and keeps its sign.

use super::{Chip, Glux, Spots};
use crate::games::{Game, Table};
use crate::geometry::{Cell, CellSet};
use crate::magnet::Sign;

/// Faces with so many spots and fewer are north up.
const LOW_MAX: u8 = 3;

impl Spots {
    /// Which pole is up when this face is.
    pub const fn sign(self) -> Sign {
        if self.number() <= LOW_MAX { Sign::Plus } else { Sign::Minus }
    }
}

impl Glux {
    pub(super) fn look(&self) -> Table {
        let nearest = |cell| self.lower(cell).or(self.upper(cell));
        let cells = |is: fn(Chip) -> bool| -> CellSet {
            let squares = (0..self.board().cell_count()).map(Cell::new);
            squares.filter(|&cell| nearest(cell).is_some_and(is)).collect()
        };
        Table {
            plus: cells(|chip| chip.spots() <= LOW_MAX),
            minus: cells(|chip| chip.spots() > LOW_MAX),
            ..Table::default()
        }
    }
}
