//! GLÜX: which square and which value?
//!
//! A chip on a free square shows itself and, by its sign, its half (1 to 3 or 4 to 6); a chip on
//! another one only as a change of that one's value: up when both show the same half, down when
//! not. The value itself is told by key, before or after.
//!
//! A third chip on a square lies so far up that it changes the field by five codes at most, less
//! than a nudge of a millimetre does (`tests/sense`). It is not seen, and nothing comes of it: while
//! a value is told and no chip is found, the squares where it may lie are lit.

use super::effect::{Refused, Why};
use super::picture::{Event, History, Picture};
use super::reading::{Explained, Rank, Reading};
use super::record::Record;
use super::refuse::Refusal;
use crate::games::Game;
use crate::games::any::{Position, Reason, Step};
use crate::games::glux::{self, Glux, Spots};
use crate::geometry::{Cell, CellSet};
use crate::magnet::Sign;
use crate::sense::{COVER_MIN, Reference, Sense};

/// What no sensor shows.
#[derive(Clone, Copy)]
pub(super) struct Memory {
    /// The value that was told.
    pub(super) told: Option<Spots>,
    /// It was told so long ago that no chip is on its way any more.
    pub(super) is_long_told: bool,
    /// By how much the last step changed the chip it covered, codes.
    pub(super) cover_change: Option<i16>,
    /// The chips that were said to lie where none may.
    pub(super) called_wrong: CellSet,
    /// The squares where new chips were found.
    pub(super) found: CellSet,
    /// Those where chips lay that were taken away again.
    pub(super) left: CellSet,
}

/// What the picture can be. Apart, because stack is scarce.
#[inline(never)]
pub(super) fn read(
    record: &Record,
    seen: &Picture,
    history: &History,
    sense: &Sense,
    memory: Memory,
    reading: &mut Reading,
) {
    reading.clear();
    let Position::Glux(game) = record.position() else { return };
    if !strays(record, seen, history, sense, memory.called_wrong).is_empty() {
        return;
    }
    let new = seen.table.occupied() - game.table().occupied();
    if let Some(cell) = first_put(new, history) {
        let others = new - CellSet::of(cell);
        let covers = covered(game, sense, history, memory.found);
        placed(record, game, seen, (cell, others, covers), memory.told, reading);
        // The chip of the last turn may have been taken off for this one.
        let is_uncovered = uncovered(record, game, history, sense, memory.cover_change).is_some();
        reading.is_doubtful = is_uncovered && !record.has_begun();
        moved_on(record, game, (seen, sense), cell, reading);
    } else if seen.agrees(&game.table()) {
        read_covers(record, seen, history, sense, memory, reading);
    } else if let Some(cell) = other_cover(record, game, history, sense) {
        moved_on(record, game, (seen, sense), cell, reading);
    }
    if let Some(before) = record.turn_before().filter(|_| !record.has_begun())
        && seen.agrees(&before.position.table())
        && !seen.agrees(&game.table())
    {
        reading.add(Explained::taken_back(&before.position, before.count));
    }
}

/// No class has changed: a chip was put on another, or taken off one.
fn read_covers(
    record: &Record,
    seen: &Picture,
    history: &History,
    sense: &Sense,
    memory: Memory,
    reading: &mut Reading,
) {
    let Position::Glux(game) = record.position() else { return };
    let covered = covered(game, sense, history, memory.found);
    let mut cover = |cell, spots| {
        let step = Step::Glux(glux::Step { cell, spots });
        if record.position().check(step).is_ok() {
            reading.add(Explained::step(record.position(), record.count(), step));
        }
    };
    if let Some(cell) = covered.lowest() {
        let is_one = covered.len() == 1;
        let fitting = memory.told.filter(|&spots| cover_fits(game, sense, cell, spots));
        if let Some(spots) = fitting.filter(|_| is_one) {
            cover(cell, spots);
        }
        // A chip that lay elsewhere and is gone may lie beside this one, which changes it as well.
        reading.is_doubtful = !memory.left.is_empty() && !reading.results.is_empty();
        reading.half = half_on_top(game, sense, cell).filter(|_| is_one);
        reading.on_the_way = true;
        reading.todo.put = covered;
    } else {
        let faint = replaced(game, history, memory.told)
            .or_else(|| faintly_covered(game, sense, history, memory));
        let possible = faint.into_iter().chain(hidden(game, seen, memory));
        possible.for_each(|(cell, spots)| cover(cell, spots));
        reading.is_doubtful = !reading.results.is_empty();
    }
    if let Some(before) = record.turn_before().filter(|_| !record.has_begun())
        && let Some(is_certain) = uncovered(record, game, history, sense, memory.cover_change)
    {
        reading.add(Explained::taken_back(&before.position, before.count));
        reading.is_doubtful |= !is_certain;
    }
}

/// Whether something happened that changes no class.
pub(super) fn is_changed(
    record: &Record,
    seen: &Picture,
    history: &History,
    sense: &Sense,
    memory: Memory,
) -> bool {
    let Position::Glux(game) = record.position() else { return false };
    let is_still = seen.is_still();
    !covered(game, sense, history, memory.found).is_empty()
        || is_still && replaced(game, history, memory.told).is_some()
        || is_still && faintly_covered(game, sense, history, memory).is_some()
        || is_still && hidden(game, seen, memory).next().is_some()
        || is_still && uncovered(record, game, history, sense, memory.cover_change).is_some()
}

/// A chip that may be covered was lifted and set down after a value was told: it may have been put
/// back together with the new one, or only looked at.
fn replaced(game: &Glux, history: &History, told: Option<Spots>) -> Option<(Cell, Spots)> {
    let spots = told?;
    let cell = history.lifted().lowest().filter(|_| history.lifted().len() == 1)?;
    let targets = game.origins() & game.table().occupied();
    (targets.contains(cell) && history.was_put(cell)).then_some((cell, spots))
}

/// The change from which on a chip may have been covered when a value was told, codes: less than
/// [`COVER_MIN`] because both chips may lie 3 mm off; more than a nudge makes.
const FAINT_MIN: i16 = 6;

/// The only chip that may be covered and whose value has changed a little, long after a value was
/// told.
fn faintly_covered(
    game: &Glux,
    sense: &Sense,
    history: &History,
    memory: Memory,
) -> Option<(Cell, Spots)> {
    let spots = memory.told.filter(|_| memory.is_long_told)?;
    let targets = (game.origins() & game.table().occupied()) - history.lifted();
    let is_faint = |&cell: &Cell| {
        change(game, sense, cell).abs() >= FAINT_MIN && cover_fits(game, sense, cell, spots)
    };
    let mut faint = targets.iter().filter(is_faint);
    faint.next().filter(|_| faint.next().is_none()).map(|cell| (cell, spots))
}

/// Where the chip may lie whose value was told long ago: no sensor sees these squares.
fn hidden(game: &Glux, seen: &Picture, memory: Memory) -> impl Iterator<Item = (Cell, Spots)> {
    let told = memory.told.filter(|_| memory.is_long_told && !seen.dead.is_empty());
    let cells = told.map_or(CellSet::EMPTY, |_| game.origins() & seen.dead);
    told.into_iter().flat_map(move |spots| cells.iter().map(move |cell| (cell, spots)))
}

/// How near a change must come to that of the cover to be its contrary, codes.
const UNCOVERED_BAND: i16 = 4;
/// A rise from which on it is no slip of the pieces, codes: a pile that lay aside and is pushed to its
/// middle makes up to 13, and with noise 15.
const UNCOVERED_MIN: i16 = 20;

/// Whether the chip of the last step, which covered another, is off again; `Some(true)` when that
/// is certain.
fn uncovered(
    record: &Record,
    game: &Glux,
    history: &History,
    sense: &Sense,
    cover_change: Option<i16>,
) -> Option<bool> {
    let Some(&Step::Glux(last)) = record.steps().last() else { return None };
    game.lower(last.cell)?;
    let change = change(game, sense, last.cell);
    let is_contrary = match cover_change {
        Some(cover) => (change + cover).abs() <= UNCOVERED_BAND,
        None => change > 0 || game.table().at(last.cell)?.0 == last.spots.sign(),
    };
    let is_off = change.abs() >= COVER_MIN && is_contrary && !history.lifted().contains(last.cell);
    is_off.then_some(change >= UNCOVERED_MIN && cover_change.is_some())
}

/// The chip of the last turn is gone from its free square, and this one was covered instead.
fn other_cover(record: &Record, game: &Glux, history: &History, sense: &Sense) -> Option<Cell> {
    let before = record.turn_before().filter(|_| !record.has_begun())?;
    let Some(&Step::Glux(last)) = record.steps().last() else { return None };
    let targets = before.position.origins() & before.position.table().occupied();
    let changed = |&cell: &Cell| has_changed(game, sense, cell);
    let covered: CellSet = (targets - history.lifted()).iter().filter(changed).collect();
    let cell = covered.lowest().filter(|_| covered.len() == 1)?;
    cover_fits(game, sense, cell, last.spots).then_some(cell)
}

/// The new chip that lay there first: the one of the player in turn.
fn first_put(new: CellSet, history: &History) -> Option<Cell> {
    let put = |event: &Event| match event {
        Event::Put(cell) if new.contains(*cell) => Some(*cell),
        _ => None,
    };
    history.events().iter().find_map(put).or(new.lowest())
}

/// A chip on a free square; there may be `others` that came later, or `covers`.
fn placed(
    record: &Record,
    game: &Glux,
    seen: &Picture,
    (cell, others, covers): (Cell, CellSet, CellSet),
    told: Option<Spots>,
    reading: &mut Reading,
) {
    if !game.origins().contains(cell) {
        return;
    }
    reading.on_the_way = true;
    reading.todo.put = CellSet::of(cell);
    reading.half = seen.table.at(cell).map(|(half, _)| half);
    let Some(spots) = told.or_else(|| only_face(game, cell, seen)) else { return };
    let step = Step::Glux(glux::Step { cell, spots });
    let result = Explained::step(record.position(), record.count(), step);
    let next = &result.turn.position;
    // The next player may have placed his chip already.
    let rest = seen.differs(&next.table()) | covers;
    let is_reply = rest.len() <= 1 && (rest - ((others | covers) & next.origins())).is_empty();
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

/// Whether the chip of the last turn is gone from its square. One that covered another leaves a
/// change behind, no empty square; where no sensor sees it, it stays.
fn has_left(record: &Record, game: &Glux, seen: &Picture, sense: &Sense) -> bool {
    let Some(&Step::Glux(last)) = record.steps().last() else { return false };
    let is_cover = game.lower(last.cell).is_some();
    let is_there = (seen.occupied() | seen.dead).contains(last.cell);
    !is_there || is_cover && has_changed(game, sense, last.cell)
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
    if before.position.check(step).is_err() || !has_left(record, game, seen, sense) {
        return;
    }
    let result = Explained::step(&before.position, before.count, step);
    if seen.agrees(&result.turn.position.table()) {
        reading.add(Explained { rank: Rank::AmendedBefore, ..result });
    }
}

/// The squares with a chip that may be covered, and whose value has changed as by a cover. One that
/// was lifted and set down may be another chip, or lie otherwise: that proves nothing. What was
/// `found` covered stays so until it is clearly not: a cover may lie on the limit.
fn covered(game: &Glux, sense: &Sense, history: &History, found: CellSet) -> CellSet {
    let is_covered = |&cell: &Cell| {
        let limit = if found.contains(cell) { FAINT_MIN } else { COVER_MIN };
        change(game, sense, cell).abs() >= limit
    };
    let chips = game.table().occupied() - history.lifted();
    let changed: CellSet = chips.iter().filter(is_covered).collect();
    // Where one may go takes long to find, and there is seldom a change.
    if changed.is_empty() { changed } else { changed & game.origins() }
}

/// The same for squares where nobody may cover: a chip was put there all the same. What was
/// `called_wrong` stays so until it is clearly mended: a nudge may lie on the limit.
pub(super) fn strays(
    record: &Record,
    seen: &Picture,
    history: &History,
    sense: &Sense,
    called_wrong: CellSet,
) -> CellSet {
    let Position::Glux(game) = record.position() else { return CellSet::EMPTY };
    // The last chip may be taken off what it covered.
    let last = record.steps().last().and_then(|&step| super::lights::ends(step));
    let is_stray = |&cell: &Cell| {
        let is_last = last.is_some_and(|(_, end)| end == cell) && game.lower(cell).is_some();
        let limit = if called_wrong.contains(cell) { FAINT_MIN } else { COVER_MIN };
        !is_last && change(game, sense, cell).abs() >= limit
    };
    let chips = game.table().occupied() - history.lifted();
    let strays: CellSet = chips.iter().filter(is_stray).collect();
    if strays.is_empty() {
        return strays;
    }
    // The chip of the last step may be on its way to another square.
    let before = record.turn_before().filter(|_| has_left(record, game, seen, sense));
    strays - game.origins() - before.map_or(CellSet::EMPTY, |before| before.position.origins())
}

/// What the player in turn has already covered while the last step was still to be committed.
pub(super) fn covered_early(game: &Glux, sense: &Sense, history: &History) -> CellSet {
    covered(game, sense, history, CellSet::EMPTY)
}

/// Whether the value of a square has changed since the last commit as by a cover.
fn has_changed(game: &Glux, sense: &Sense, cell: Cell) -> bool {
    change(game, sense, cell).abs() >= COVER_MIN
}

fn change(game: &Glux, sense: &Sense, cell: Cell) -> i16 {
    sense.change(game.board().point(cell), Reference::Commit).unwrap_or(0)
}

/// The half that a cover shows by its change: up is the one that lies there, down the other.
fn half_on_top(game: &Glux, sense: &Sense, cell: Cell) -> Option<Sign> {
    let (lower, _) = game.table().at(cell)?;
    Some(if change(game, sense, cell) > 0 { lower } else { lower.other() })
}

/// Whether the change of a square fits a cover with this face.
fn cover_fits(game: &Glux, sense: &Sense, cell: Cell, spots: Spots) -> bool {
    half_on_top(game, sense, cell) == Some(spots.sign())
}

/// Why this picture, with chips put on others where none may be, is nothing legal.
pub(super) fn refuse(game: &Glux, seen: &Picture, strays: CellSet, told: Option<Spots>) -> Refusal {
    let all = seen.differs(&game.table());
    let new = seen.table.occupied() - game.table().occupied();
    let missing = all - seen.occupied();
    let wrong = (new - game.origins()) | strays;
    let refusal = wrong.lowest().filter(|_| missing.is_empty()).and_then(|cell| {
        let spots = told.or_else(|| faces(game).next())?;
        game.check(glux::Step { cell, spots }).err()
    });
    let said = match refusal {
        Some(refusal) => {
            Refused { why: Why::Step(Reason::Glux(refusal.reason)), cells: refusal.cells | wrong }
        }
        None => Refused { why: Why::Unexplained, cells: all | strays },
    };
    Refusal { wrong: strays, ..Refusal::from(said) }
}
