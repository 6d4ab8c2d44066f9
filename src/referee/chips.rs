//! GLÜX: which square and which value?
//!
//! A chip on a free square shows itself and, by its sign, its half (1 to 3 or 4 to 6); a chip on
//! another one only as a change of that one's value: up when both show the same half, down when
//! not. The value itself is told by key, before or after.

use super::effect::{Refused, Why};
use super::picture::{Event, History, Picture};
use super::reading::{Explained, Rank, Reading};
use super::record::Record;
use crate::games::Game;
use crate::games::any::{Position, Reason, Step};
use crate::games::glux::{self, Glux, Spots};
use crate::geometry::{Cell, CellSet};
use crate::sense::{COVER_MIN, Reference, Sense};

/// What the picture can be, with the value that was told.
pub(super) fn read(
    record: &Record,
    seen: &Picture,
    history: &History,
    sense: &Sense,
    told: Option<Spots>,
    reading: &mut Reading,
) {
    reading.clear();
    let Position::Glux(game) = record.position() else { return };
    let new = seen.table.occupied() - game.table().occupied();
    if let Some(cell) = first_put(new, history) {
        let others = new - CellSet::of(cell);
        placed(record, game, seen, (cell, others), told, reading);
        moved_on(record, game, (seen, sense), cell, reading);
    } else if seen.agrees(&game.table()) {
        let covered = covered(game, sense, history);
        if let Some(cell) = covered.lowest() {
            reading.on_the_way = true;
            reading.todo.put = covered;
            let fitting = told.filter(|&spots| cover_fits(game, sense, cell, spots));
            if let Some(spots) = fitting.filter(|_| covered.len() == 1) {
                let step = Step::Glux(glux::Step { cell, spots });
                reading.add(Explained::step(record.position(), record.count(), step));
            }
        }
    }
    if let Some(before) = record.turn_before().filter(|_| !record.has_begun())
        && seen.agrees(&before.position.table())
        && !seen.agrees(&game.table())
    {
        reading.add(Explained::taken_back(&before.position, before.count));
    }
}

/// The new chip that lay there first: the one of the player in turn.
fn first_put(new: CellSet, history: &History) -> Option<Cell> {
    let put = |event: &Event| match event {
        Event::Put(cell) if new.contains(*cell) => Some(*cell),
        _ => None,
    };
    history.events().iter().find_map(put).or(new.lowest())
}

/// A chip on a free square; there may be `others` that came later.
fn placed(
    record: &Record,
    game: &Glux,
    seen: &Picture,
    (cell, others): (Cell, CellSet),
    told: Option<Spots>,
    reading: &mut Reading,
) {
    if !game.origins().contains(cell) {
        return;
    }
    reading.on_the_way = true;
    reading.todo.put = CellSet::of(cell);
    let Some(spots) = told.or_else(|| only_face(game, cell, seen)) else { return };
    let step = Step::Glux(glux::Step { cell, spots });
    let result = Explained::step(record.position(), record.count(), step);
    let next = &result.turn.position;
    // The next player may have placed his chip already.
    let rest = seen.differs(&next.table());
    let is_reply = rest.len() <= 1 && (rest - (others & next.origins())).is_empty();
    if record.position().check(step).is_ok() && is_reply {
        reading.add(result);
    }
}

/// The face of a chip of which only one kind is left in its half.
fn only_face(game: &Glux, cell: Cell, seen: &Picture) -> Option<Spots> {
    let (seen, _) = seen.table.at(cell)?;
    let mut faces = faces(game).filter(|&spots| spots.sign() == seen);
    faces.next().filter(|_| faces.next().is_none())
}

/// The faces the player in turn can show.
pub(super) fn faces(game: &Glux) -> impl Iterator<Item = Spots> {
    let bag = game.turn().map(|player| game.bag(player));
    Spots::all().filter(move |spots| bag.is_some_and(|bag| bag[spots.kind()] > 0))
}

/// The chip of the last turn lies on another square now: same value, another place.
fn moved_on(
    record: &Record,
    game: &Glux,
    (seen, sense): (&Picture, &Sense),
    cell: Cell,
    reading: &mut Reading,
) {
    let Some(before) = record.turn_before().filter(|_| !record.has_begun()) else { return };
    let Some(&Step::Glux(last)) = record.steps().last() else { return };
    let step = Step::Glux(glux::Step { cell, ..last });
    // A chip that covered another leaves a change behind, no empty square.
    let has_left = !seen.occupied().contains(last.cell) || has_changed(game, sense, last.cell);
    if before.position.check(step).is_err() || !has_left {
        return;
    }
    let result = Explained::step(&before.position, before.count, step);
    if seen.agrees(&result.turn.position.table()) {
        reading.add(Explained { rank: Rank::AmendedBefore, ..result });
    }
}

/// The squares with a chip that may be covered, and whose value has changed as by a cover. One that
/// was lifted and set down may be another chip, or lie otherwise: that proves nothing.
pub(super) fn covered(game: &Glux, sense: &Sense, history: &History) -> CellSet {
    let targets = (game.origins() & game.table().occupied()) - history.lifted();
    targets.iter().filter(|&cell| has_changed(game, sense, cell)).collect()
}

/// Whether the value of a square has changed since the last commit as by a cover.
pub(super) fn has_changed(game: &Glux, sense: &Sense, cell: Cell) -> bool {
    change(game, sense, cell).abs() >= COVER_MIN
}

fn change(game: &Glux, sense: &Sense, cell: Cell) -> i16 {
    sense.change(game.board().point(cell), Reference::Commit).unwrap_or(0)
}

/// Whether the change of a square fits a cover with this face: up with the half that lies there,
/// down with the other.
pub(super) fn cover_fits(game: &Glux, sense: &Sense, cell: Cell, spots: Spots) -> bool {
    let same_half = game.table().at(cell).is_some_and(|(lower, _)| lower == spots.sign());
    same_half == (change(game, sense, cell) > 0)
}

/// Why this picture is nothing legal.
pub(super) fn refuse(game: &Glux, seen: &Picture, told: Option<Spots>) -> Refused {
    let all = seen.differs(&game.table());
    let new = seen.table.occupied() - game.table().occupied();
    let missing = all - seen.occupied();
    let wrong = new - game.origins();
    let refusal = wrong.lowest().filter(|_| missing.is_empty()).and_then(|cell| {
        let spots = told.or_else(|| faces(game).next())?;
        game.check(glux::Step { cell, spots }).err()
    });
    match refusal {
        Some(refusal) => {
            Refused { why: Why::Step(Reason::Glux(refusal.reason)), cells: refusal.cells | wrong }
        }
        None => Refused { why: Why::Unexplained, cells: all },
    }
}
