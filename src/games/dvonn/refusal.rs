//! Why a step is not legal.
//!
//! No reason says that the game is over (D14): it ends when neither player has a move, so whatever
//! is tried then breaks a lower rule.

use super::tables::{AROUND, CELLS, targets};
use super::{Dvonn, Phase, Step};
use crate::games::Refusal;
use crate::geometry::{Cell, Cells};

reasons! {
    /// Why a step of DVONN is refused.
    pub enum Reason {
        /// D1: the point is not vacant, or not on the board.
        PieceNeedsVacantPoint = 'D' 1,
        /// D2: all 49 pieces have been placed.
        PiecesArePlaced = 'D' 2,
        /// D2: not all pieces are on the board yet.
        PiecesNotPlaced = 'D' 2,
        /// D5: nothing stands there.
        NoStack = 'D' 5,
        /// D5: the stack is a single red piece.
        RedAlone = 'D' 5,
        /// D5: the other player controls the stack.
        StackOfTheOther = 'D' 5,
        /// D7: not on a line with the stack, or not as far away as it is high.
        NotItsHeight = 'D' 7,
        /// D8: the point it would end on is vacant.
        EndsOnVacant = 'D' 8,
        /// D9: all six neighbours are occupied.
        Surrounded = 'D' 9,
    }
}

impl Reason {
    fn at(self, cells: Cells<1>) -> Refusal<Reason> {
        Refusal::new(self, cells.widen())
    }
}

type Checked = Result<(), Refusal<Reason>>;

/// Just this cell; nothing for a cell of another board.
fn shown(cell: Cell) -> Cells<1> {
    if cell.index() < CELLS { Cells::of(cell) } else { Cells::EMPTY }
}

fn holds(cells: Cells<1>, cell: Cell) -> bool {
    !(cells & shown(cell)).is_empty()
}

impl Dvonn {
    /// Whether this step is legal; if not, the lowest rule that forbids it.
    pub(super) fn check_step(&self, step: Step) -> Checked {
        match step {
            Step::Place(cell) => self.check_place(cell),
            Step::Move { from, to } => self.check_move(from, to),
        }
    }

    fn check_place(&self, cell: Cell) -> Checked {
        if cell.index() >= CELLS || holds(self.occupied(), cell) {
            Err(Reason::PieceNeedsVacantPoint.at(shown(cell)))
        } else if self.phase != Phase::Place {
            Err(Reason::PiecesArePlaced.at(Cells::EMPTY))
        } else {
            Ok(())
        }
    }

    fn check_move(&self, from: Cell, to: Cell) -> Checked {
        if self.phase == Phase::Place {
            return Err(Reason::PiecesNotPlaced.at(Cells::EMPTY));
        }
        if !holds(self.controlled[self.turn.index()], from) {
            let others = holds(self.controlled[self.turn.other().index()], from);
            let reason = match holds(self.occupied(), from) {
                true if others => Reason::StackOfTheOther,
                true => Reason::RedAlone,
                false => Reason::NoStack,
            };
            return Err(reason.at(shown(from)));
        }
        if !holds(targets(from, self.height[from.index()]), to) {
            Err(Reason::NotItsHeight.at(shown(from)))
        } else if !holds(self.occupied(), to) {
            Err(Reason::EndsOnVacant.at(shown(to)))
        } else if self.surrounded(from) {
            Err(Reason::Surrounded.at(AROUND[from.index()]))
        } else {
            Ok(())
        }
    }
}
