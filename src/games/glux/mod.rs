//! GLÜX: chips with spots, counted out over rooms and paths.
//!
//! Before working on this file read `docs/rules/glux.md`. X6 to X18 are implemented here, the boards
//! and starts of X1 to X3 are tables, the set-up of X5 is the first step of each player. The
//! *Decision*s it rests on: the lot for who begins is drawn before (X5), the last chip is placed as
//! well (X13), no spots in a room give no points (X17). Who draws which chip is not known here: a
//! face is legal as long as its owner has a chip of that kind left (X6).
//!
//! A position is the upper and the lower chip of every square, and what is left in the bags. A
//! square is an index, columns one after the other, so that a count is a walk with a fixed stride:
//!
//! ```text
//!            +1                  a chip with three spots on square i:
//!   -rows  square  +rows         over i+1 and i+2, which must be free, to i+3
//!            -1
//! ```
//!
//! Where a chip can go does not depend on its face, so the legal steps are all squares that can be
//! reached times all faces that are left.

mod chip;
mod notation;
mod refusal;
mod scoring;
mod setup;
mod steps;
mod table;
mod tables;
#[cfg(test)]
mod tests;

pub use chip::{Chip, Spots};
pub use refusal::Reason;
pub use setup::Variant;

use core::fmt;

use super::{Game, Id, Malformed, Outcome, Player, Refusal, Score, Table};
use crate::geometry::{Board, Cell, CellSet};
use setup::CHIPS_PER_KIND;
use tables::{Plan, SQUARES_MAX};

/// What a player decides: a chip goes on this square with so many spots up; `c7=4`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// Where the chip goes.
    pub cell: Cell,
    /// The face it shows.
    pub spots: Spots,
}

/// A position of GLÜX.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Glux {
    /// The chip that is not covered, by square.
    upper: [Option<Chip>; SQUARES_MAX],
    /// The chip that is covered, by square.
    lower: [Option<Chip>; SQUARES_MAX],
    /// Chips not yet on the board, by player and kind.
    bags: [[u8; Spots::KINDS]; Player::MAX],
    turn: Option<Player>,
    variant: Variant,
}

impl Glux {
    /// A game that begins with an empty board.
    pub fn new(variant: Variant) -> Glux {
        Glux {
            upper: [None; SQUARES_MAX],
            lower: [None; SQUARES_MAX],
            bags: [[CHIPS_PER_KIND; Spots::KINDS]; Player::MAX],
            turn: Some(Player::ONE),
            variant,
        }
    }

    /// The chip on a square that is not covered.
    pub fn upper(&self, cell: Cell) -> Option<Chip> {
        self.upper.get(cell.index()).copied().flatten()
    }

    /// The chip on a square that is covered.
    pub fn lower(&self, cell: Cell) -> Option<Chip> {
        self.lower.get(cell.index()).copied().flatten()
    }

    /// The chips a player has not yet on the board, of kinds 1/6, 2/5 and 3/4.
    pub fn bag(&self, player: Player) -> [u8; Spots::KINDS] {
        self.bags.get(player.index()).copied().unwrap_or_default()
    }

    /// All who play, in turn order.
    fn players(&self) -> impl Iterator<Item = Player> + Clone + use<> {
        (0..self.variant.player_count()).map(Player::from_index)
    }

    fn plan(&self) -> &'static Plan {
        self.variant.plan()
    }

    /// The next player after this one who can place a chip, himself last (X12); nobody when the
    /// game is over (X13).
    fn next(&self, player: Player) -> Option<Player> {
        let count = self.variant.player_count();
        let mut from_next = self.players().cycle().skip(player.index() + 1).take(count);
        from_next.find(|&next| self.has_step(next))
    }
}

impl Game for Glux {
    type Step = Step;
    type Reason = Reason;

    fn id(&self) -> Id {
        self.variant.id()
    }

    fn board(&self) -> &'static Board {
        self.plan().board
    }

    fn turn(&self) -> Option<Player> {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.turn.is_some() { None } else { Some(scoring::outcome(self)) }
    }

    fn score(&self) -> Score {
        Score::new(scoring::points(self), self.variant.player_count())
    }

    fn table(&self) -> Table {
        self.look()
    }

    fn steps(&self) -> impl Iterator<Item = Step> {
        steps::all(self)
    }

    fn step_count(&self) -> usize {
        self.turn.map_or(0, |player| self.targets(player).len() * self.faces(player).count())
    }

    fn origins(&self) -> CellSet {
        self.turn.map_or(CellSet::EMPTY, |player| self.targets(player))
    }

    fn destinations(&self, origin: Cell) -> CellSet {
        self.origins() & CellSet::of(origin)
    }

    fn check(&self, step: Step) -> Result<(), Refusal<Reason>> {
        refusal::check(self, step)
    }

    fn play_unchecked(&mut self, step: Step) {
        let Some(player) = self.turn else { return };
        let square = step.cell.index();
        if square >= self.board().cell_count() {
            return;
        }
        self.lower[square] = self.upper[square].replace(Chip::new(player, step.spots));
        let left = &mut self.bags[player.index()][step.spots.kind()];
        *left = left.saturating_sub(1);
        self.turn = self.next(player);
    }

    fn parse_step(&self, text: &[u8]) -> Result<Step, Malformed> {
        notation::parse_step(self, text)
    }

    fn write_step(&self, step: Step, to: &mut impl fmt::Write) -> fmt::Result {
        notation::write_step(self, step, to)
    }

    fn write_position(&self, to: &mut impl fmt::Write) -> fmt::Result {
        notation::write_position(self, to)
    }
}
