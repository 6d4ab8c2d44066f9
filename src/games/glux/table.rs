//! What a position of GLÜX looks like to magnets: a face of one to three spots is north up.
//!
//! On a covered square the lower chip is nearer to the sensor and keeps its sign.

use super::{Glux, Spots};
use crate::games::Table;
use crate::geometry::Cell;
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
        let mut table = Table::default();
        let squares = self.upper.iter().zip(&self.lower).enumerate();
        for (square, (upper, lower)) in squares {
            // What is covered lies nearer to the sensor.
            let Some(chip) = lower.or(*upper) else { continue };
            let half = if chip.spots() <= LOW_MAX { &mut table.plus } else { &mut table.minus };
            half.insert(Cell::new(square));
        }
        table
    }
}
