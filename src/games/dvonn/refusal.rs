//! Why a step is not legal.
//!
//! No reason says that the game is over (D14): it ends when neither player has a move, so whatever
//! is tried then breaks a lower rule.

use super::tables::{AROUND, CELLS, targets};
use super::{Dvonn, Phase, Step};
use crate::games::{self, Refusal, Rule};
use crate::geometry::{Cell, Cells};

/// Why a step of DVONN is refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// D1: the point is not vacant, or not on the board.
    PieceNeedsVacantPoint,
    /// D2: all 49 pieces have been placed.
    PiecesArePlaced,
    /// D2: not all pieces are on the board yet.
    PiecesNotPlaced,
    /// D5: nothing stands there.
    NoStack,
    /// D5: the stack is a single red piece.
    RedAlone,
    /// D5: the other player controls the stack.
    StackOfTheOther,
    /// D7: not on a line with the stack, or not as far away as it is high.
    NotItsHeight,
    /// D8: the point it would end on is vacant.
    EndsOnVacant,
    /// D9: all six neighbours are occupied.
    Surrounded,
}

impl Reason {
    const fn entry(self) -> (u8, &'static str) {
        match self {
            Reason::PieceNeedsVacantPoint => (1, "a piece is put on a vacant point"),
            Reason::PiecesArePlaced => (2, "all pieces have been placed"),
            Reason::PiecesNotPlaced => (2, "all 49 pieces are placed first"),
            Reason::NoStack => (5, "no stack stands there"),
            Reason::RedAlone => (5, "a single red piece belongs to nobody"),
            Reason::StackOfTheOther => (5, "only its controller moves a stack"),
            Reason::NotItsHeight => (7, "a stack moves straight on, as far as it is high"),
            Reason::EndsOnVacant => (8, "a stack ends on an occupied point"),
            Reason::Surrounded => (9, "a stack with six neighbours cannot move"),
        }
    }

    fn at(self, cells: Cells<1>) -> Refusal<Reason> {
        Refusal::new(self, cells.widen())
    }
}

impl games::Reason for Reason {
    fn rule(self) -> Rule {
        Rule { letter: 'D', number: self.entry().0 }
    }

    fn text(self) -> &'static str {
        self.entry().1
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
