//! What a position of LYNGK looks like to magnets: everything is north up, a joker alone is strong;
//! what else reads how strong depends on more than is known.

use super::{Lyngk, Piece};
use crate::games::Table;
use crate::geometry::{Cell, CellSet, Cells};

impl Lyngk {
    pub(super) fn look(&self) -> Table {
        let (mut occupied, mut strong) = (Cells::<1>::EMPTY, Cells::<1>::EMPTY);
        for (index, stack) in self.stacks.iter().enumerate() {
            let Some(top) = stack.top() else { continue };
            occupied.insert(Cell::new(index));
            // A joker is on top only of itself (L3).
            if top == Piece::Joker {
                strong.insert(Cell::new(index));
            }
        }
        Table {
            plus: occupied.widen(),
            minus: CellSet::EMPTY,
            weak: CellSet::EMPTY,
            strong: strong.widen(),
            any_strength: (occupied - strong).widen(),
        }
    }
}
