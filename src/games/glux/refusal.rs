//! Why a step is not legal.

use super::steps::Count;
use super::{Glux, Step};
use crate::games::{self, Player, Refusal, Rule};
use crate::geometry::{Cell, CellSet};

/// Why a step is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// X5: the first chip goes elsewhere than on the start mark.
    NotOnStart,
    /// X6: all chips of this kind are on the board.
    NoSuchChip,
    /// X7: no chip of his shows the right number of spots in a straight line.
    NothingCounts,
    /// X8: chips lie on the way.
    ChipsOnTheWay,
    /// X9: two chips lie there.
    Closed,
    /// X10: another player's start chip lies there.
    StartOfAnother,
    /// X13: nobody can place a chip.
    Over,
}

impl games::Reason for Reason {
    fn rule(self) -> Rule {
        Rule { letter: 'X', number: self.entry().0 }
    }

    fn text(self) -> &'static str {
        self.entry().1
    }
}

impl Reason {
    /// Rule number and text.
    const fn entry(self) -> (u8, &'static str) {
        match self {
            Reason::NotOnStart => (5, "the first chip goes on the player's start"),
            Reason::NoSuchChip => (6, "no chip with this face is left"),
            Reason::NothingCounts => (7, "no chip of the player counts to this square"),
            Reason::ChipsOnTheWay => (8, "the squares in between must be free"),
            Reason::Closed => (9, "a square with two chips is closed"),
            Reason::StartOfAnother => (10, "another player's start chip is never covered"),
            Reason::Over => (13, "the game is over: nobody can place a chip"),
        }
    }
}

/// After the end nobody is to act, and only what holds for every player comes before X13.
pub(super) fn check(game: &Glux, step: Step) -> Result<(), Refusal<Reason>> {
    let refuse = |reason, cells| Err(Refusal::new(reason, cells));
    let Some(player) = game.turn else {
        return check_closed(game, step.cell).and(refuse(Reason::Over, CellSet::EMPTY));
    };
    let start = game.start(player);
    if game.is_setting_up(player) && step.cell != start {
        return refuse(Reason::NotOnStart, CellSet::of(start));
    }
    if !game.faces(player).any(|face| face == step.spots) {
        return refuse(Reason::NoSuchChip, CellSet::EMPTY);
    }
    if game.is_setting_up(player) {
        return Ok(());
    }
    check_counts(game, player, step.cell)?;
    check_closed(game, step.cell)?;
    if game.is_start_of_another(player, step.cell) {
        return refuse(Reason::StartOfAnother, CellSet::of(step.cell));
    }
    Ok(())
}

/// X7, X8: some chip of the player counts to this square, over free ones.
fn check_counts(game: &Glux, player: Player, cell: Cell) -> Result<(), Refusal<Reason>> {
    let counts = || game.counts(player).filter(|count| count.end() == cell);
    if counts().next().is_none() {
        return Err(Refusal::new(Reason::NothingCounts, CellSet::EMPTY));
    }
    if !counts().any(|count| game.is_free(count)) {
        let way = counts().flat_map(Count::way).filter(|&cell| game.upper(cell).is_some());
        return Err(Refusal::new(Reason::ChipsOnTheWay, way.collect()));
    }
    Ok(())
}

/// X9.
fn check_closed(game: &Glux, cell: Cell) -> Result<(), Refusal<Reason>> {
    match game.lower(cell) {
        Some(_) => Err(Refusal::new(Reason::Closed, CellSet::of(cell))),
        None => Ok(()),
    }
}
