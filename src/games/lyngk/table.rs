//! What a position of LYNGK looks like to magnets: everything is north up, a joker alone is strong;
//! what else reads how strong depends on more than is known.

use super::{CELLS, Lyngk, Piece, Stack};
use crate::games::Table;
use crate::geometry::{Cell, CellSet, Cells};

impl Lyngk {
    pub(super) fn look(&self) -> Table {
        let cells = |is: fn(&Stack) -> bool| -> Cells<1> {
            (0..CELLS).filter(|&cell| is(&self.stacks[cell])).map(Cell::new).collect()
        };
        let occupied = cells(|stack| !stack.is_empty());
        // A joker is on top only of itself (L3).
        let strong = cells(|stack| stack.top() == Some(Piece::Joker));
        Table {
            plus: occupied.widen(),
            minus: CellSet::EMPTY,
            weak: CellSet::EMPTY,
            strong: strong.widen(),
            any_strength: (occupied - strong).widen(),
        }
    }
}
