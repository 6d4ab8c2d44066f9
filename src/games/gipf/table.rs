//! What a position of GIPF looks like to magnets: White is north up, GIPF-pieces are strong.

use super::Gipf;
use crate::games::Table;
use crate::geometry::CellSet;

impl Gipf {
    pub(super) fn look(&self) -> Table {
        Table {
            plus: self.sides[0].pieces.widen(),
            minus: self.sides[1].pieces.widen(),
            weak: CellSet::EMPTY,
            strong: self.gipfs.widen(),
            any_strength: CellSet::EMPTY,
        }
    }
}
