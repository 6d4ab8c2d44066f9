//! What a position of DVONN looks like to magnets: everything is north up, a red piece is strong.
//!
//! While pieces are placed each is told from red by its strength. Later only a red piece alone is:
//! what a stack reads depends on more than is known.

use super::{Colour, Dvonn, Phase};
use crate::games::Table;
use crate::geometry::{CellSet, Cells};

impl Dvonn {
    pub(super) fn look(&self) -> Table {
        let occupied = self.occupied();
        let alone = occupied.iter().filter(|cell| self.height[cell.index()] == 1);
        let strong = alone.collect::<Cells<1>>() & self.pieces[Colour::Red.index()];
        let placing = self.phase == Phase::Place;
        let any_strength = if placing { Cells::EMPTY } else { occupied - strong };
        Table {
            plus: occupied.widen(),
            minus: CellSet::EMPTY,
            weak: CellSet::EMPTY,
            strong: strong.widen(),
            any_strength: any_strength.widen(),
        }
    }
}
