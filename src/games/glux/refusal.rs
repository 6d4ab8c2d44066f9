//! Why a step is not legal.

use super::steps::Count;
use super::{Glux, Step};
use crate::games::{Player, Refusal};
use crate::geometry::{Cell, CellSet};

reasons! {
    /// Why a step is not legal.
    pub enum Reason {
        /// X5: the first chip goes elsewhere than on the start mark.
        NotOnStart = 'X' 5,
        /// X6: all chips of this kind are on the board.
        NoSuchChip = 'X' 6,
        /// X7: no chip of his shows the right number of spots in a straight line.
        NothingCounts = 'X' 7,
        /// X8: chips lie on the way.
        ChipsOnTheWay = 'X' 8,
        /// X9: two chips lie there.
        Closed = 'X' 9,
        /// X10: another player's start chip lies there.
        StartOfAnother = 'X' 10,
        /// X13: nobody can place a chip.
        Over = 'X' 13,
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
