//! What a position of YINSH looks like to magnets: White is north up, rings are weak.

use super::Yinsh;
use crate::games::Table;
use crate::geometry::CellSet;

impl Yinsh {
    pub(super) fn look(&self) -> Table {
        Table {
            plus: (self.rings[0] | self.markers[0]).widen(),
            minus: (self.rings[1] | self.markers[1]).widen(),
            weak: self.all_rings().widen(),
            strong: CellSet::EMPTY,
            any_strength: CellSet::EMPTY,
        }
    }
}
