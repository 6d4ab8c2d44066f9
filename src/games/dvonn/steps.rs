//! Which steps are legal: the definition that `check` abbreviates.
//!
//! Both kinds of steps come from a set that is empty unless its phase is on, so nothing needs a
//! buffer.

use super::tables::{AROUND, BOARD, CELLS, targets};
use super::{Dvonn, Phase, Step};
use crate::games::Player;
use crate::geometry::{Cell, Cells};

impl Dvonn {
    pub(super) fn all_steps(&self) -> impl Iterator<Item = Step> {
        let moves = self
            .movable()
            .iter()
            .flat_map(|from| self.reach(from).iter().map(move |to| Step::Move { from, to }));
        self.places().iter().map(Step::Place).chain(moves)
    }

    pub(super) fn count_steps(&self) -> usize {
        match self.phase {
            Phase::Place => self.places().len(),
            Phase::Move => self.movable().iter().map(|cell| self.reach(cell).len()).sum(),
            Phase::Over => 0,
        }
    }

    pub(super) fn find_origins(&self) -> Cells<1> {
        let able = self.movable().iter().filter(|&cell| !self.reach(cell).is_empty());
        able.collect::<Cells<1>>() | self.places()
    }

    pub(super) fn find_destinations(&self, origin: Cell) -> Cells<1> {
        if origin.index() >= CELLS {
            Cells::EMPTY
        } else if self.movable().contains(origin) {
            self.reach(origin)
        } else {
            self.places() & Cells::of(origin)
        }
    }

    /// D1: where a piece can be put.
    fn places(&self) -> Cells<1> {
        if self.phase == Phase::Place { BOARD - self.occupied() } else { Cells::EMPTY }
    }

    /// D5: the stacks one of which is to be moved.
    fn movable(&self) -> Cells<1> {
        let own = self.controlled[self.turn.index()];
        if self.phase == Phase::Move { own } else { Cells::EMPTY }
    }

    /// D10: whether this player has a stack that can move.
    pub(super) fn can_move(&self, player: Player) -> bool {
        self.controlled[player.index()].iter().any(|cell| !self.reach(cell).is_empty())
    }

    /// D7..D9: where the stack on this cell can go.
    #[inline]
    pub(super) fn reach(&self, from: Cell) -> Cells<1> {
        if self.surrounded(from) {
            return Cells::EMPTY;
        }
        targets(from, self.height[from.index()]) & self.occupied()
    }

    /// D9: whether all six neighbours are there and occupied.
    #[inline]
    pub(super) fn surrounded(&self, cell: Cell) -> bool {
        (AROUND[cell.index()] - self.occupied()).is_empty()
    }
}
