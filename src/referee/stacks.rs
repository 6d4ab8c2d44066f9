//! DVONN and LYNGK: which move do lifts and landings tell?
//!
//! The picture shows only where stacks stand. A move needs its origin lifted and its landing seen:
//! a touch that stands out, on a target. One that stands out elsewhere is a refusal, none at all a
//! question.

use super::effect::{Refused, Why};
use super::picture::{Event, History, Picture};
use super::reading::{Explained, Rank, Reading};
use super::record::Record;
use crate::games::any::{Position, Reason, Step};
use crate::games::{Game, Rule, Table, dvonn, lyngk};
use crate::geometry::{Cell, CellSet};
use crate::sense::{Reference, Sense, TOUCH_DELTA};

/// The claim a number key makes: K1 black, K2 blue, K3 green, K4 ivory, K5 red.
pub(super) fn claim(number: u8) -> Option<lyngk::Step> {
    let index = usize::from(number).checked_sub(1)?;
    lyngk::Colour::ALL.get(index).map(|&colour| lyngk::Step::Claim(colour))
}

/// What the picture can be.
pub(super) fn read(
    record: &Record,
    seen: &Picture,
    history: &History,
    sense: &Sense,
    reading: &mut Reading,
) {
    reading.clear();
    let position = record.position();
    further(position, record.count(), seen, history, reading);
    if let Some(before) = record.turn_before().filter(|_| !record.has_begun())
        && let Some(&last) = record.steps().last()
        && seen.agrees(&before.position.table())
        && is_taken_back(&before.position, last, history, sense)
    {
        reading.add(Explained::taken_back(&before.position, before.count));
    }
    if let Some(amended) = moved_on(record, seen, history, sense) {
        reading.add(amended);
    }
}

/// The stack of the last turn went on to another target: what lay on the one is gone, and lies on
/// the other. Classes may show nothing of it.
pub(super) fn moved_on(
    record: &Record,
    seen: &Picture,
    history: &History,
    sense: &Sense,
) -> Option<Explained> {
    let before = record.turn_before().filter(|_| !record.has_begun())?;
    let (from, to) =
        super::lights::ends(*record.steps().last()?).filter(|(from, to)| from != to)?;
    let board = before.position.board();
    let change = |cell| sense.change(board.point(cell), Reference::Commit).unwrap_or(0);
    if change(to) > -TOUCH_DELTA {
        return None;
    }
    // The one that rose most, twice as much as any other.
    let risen = |cell: &Cell| *cell != to && change(*cell) >= TOUCH_DELTA;
    let end = seen.table.occupied().iter().filter(risen).max_by_key(|&cell| change(cell))?;
    let rivals = |cell: &Cell| *cell != end && 2 * change(*cell) > change(end);
    let is_alone = !seen.table.occupied().iter().filter(risen).any(|cell| rivals(&cell));
    let own = CellSet::of(from) | CellSet::of(to) | CellSet::of(end);
    let step = move_step(&before.position, from, end)?;
    if !is_alone || !(history.lifted() - own).is_empty() || before.position.check(step).is_err() {
        return None;
    }
    let result = Explained::step(&before.position, before.count, step);
    let fits = seen.agrees(&result.turn.position.table());
    fits.then_some(Explained { rank: Rank::AmendedBefore, ..result })
}

/// Whether these stacks are not all alike, so that it matters which stands where.
pub(super) fn are_different(position: &Position, cells: CellSet) -> bool {
    let Some(first) = cells.lowest() else { return false };
    cells.iter().any(|cell| match position {
        Position::Dvonn(game) => !game.is_same_stack(first, cell),
        Position::Lyngk(game) => game.stack(first) != game.stack(cell),
        _ => false,
    })
}

/// Results by one more step from a position.
fn further(from: &Position, keep: usize, seen: &Picture, history: &History, into: &mut Reading) {
    let before = from.table();
    let gone = before.occupied() - seen.occupied() - seen.dead;
    let new = seen.table.occupied() - before.occupied();
    if is_placing(from) {
        if let Some(cell) = new.lowest() {
            let step = Step::Dvonn(dvonn::Step::Place(cell));
            let after = played(from, step);
            if from.check(step).is_ok() && seen.agrees(&after.table()) {
                into.add(Explained::step(from, keep, step));
            }
        }
        return;
    }
    if !new.is_empty() {
        return;
    }
    for origin in gone & from.origins() {
        for end in from.destinations(origin) {
            let Some(step) = move_step(from, origin, end) else { continue };
            let after = played(from, step);
            let table = after.table();
            let landing = landing(history, step, &table);
            let off = before.occupied() - table.occupied();
            if seen.agrees(&table) {
                match landing {
                    Landing::Seen => into.add(Explained::step(from, keep, step)),
                    Landing::Unseen => drop(into.unproved.push(step)),
                    Landing::Elsewhere => {}
                }
            } else if landing == Landing::Seen {
                let standing = off & seen.occupied();
                let others = gone - off;
                if others.is_empty() {
                    into.on_the_way = true;
                    into.todo.take = standing;
                } else if others.len() == 1 && (others - after.origins()).is_empty() {
                    into.uncleared = Some((step, standing));
                }
            }
        }
    }
    // What was touched at all is the likelier answer.
    let is_untouched =
        |step: &Step| super::lights::ends(*step).is_some_and(|(_, end)| !history.was_touched(end));
    into.unproved.sort_unstable_by_key(is_untouched);
    // A stack in the hand: nothing has come down yet.
    if let (Some(origin), 1) = (gone.lowest(), gone.len())
        && from.origins().contains(origin)
        && into.results.is_empty()
        && !into.on_the_way
        && has_not_landed(history, origin)
    {
        into.on_the_way = true;
        into.todo.origins = gone;
        into.todo.ends = from.destinations(origin);
    }
}

fn has_not_landed(history: &History, origin: Cell) -> bool {
    let since = history.since_lift(origin).unwrap_or(&[]);
    let is_strong = |e: &Event| matches!(e, Event::Touch(_, by) if by.abs() >= TOUCH_DELTA);
    !since.iter().any(is_strong)
}

/// What the history says of a landing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Landing {
    Seen,
    /// Nothing stands out.
    Unseen,
    /// It came down somewhere else.
    Elsewhere,
}

fn landing(history: &History, step: Step, after: &Table) -> Landing {
    let Some((origin, end)) = super::lights::ends(step) else { return Landing::Unseen };
    let Some(since) = history.since_lift(origin) else { return Landing::Unseen };
    let is_won = matches!(step, Step::Lyngk(_)) && !after.plus.contains(end);
    match history.landing(origin) {
        Some(cell) if cell == end => Landing::Seen,
        Some(_) => Landing::Elsewhere,
        // A five that comes off: its point was emptied after the origin.
        None if is_won && since.contains(&Event::Lift(end)) => Landing::Seen,
        None => Landing::Unseen,
    }
}

/// Whether the last step was undone by hand: its stack split, the upper part back in its place.
fn is_taken_back(before: &Position, last: Step, history: &History, sense: &Sense) -> bool {
    let (Step::Dvonn(dvonn::Step::Move { from, to }) | Step::Lyngk(lyngk::Step::Move { from, to })) =
        last
    else {
        // A placement: the piece is gone again, as the picture shows.
        return true;
    };
    // A single piece left alone has lost what lay on it; of higher stacks only unrest is certain.
    let is_single = height(before, to) == 1;
    let fell = sense
        .change(before.board().point(to), Reference::Commit)
        .is_some_and(|change| change <= -TOUCH_DELTA);
    let split = if is_single { fell } else { history.was_touched(to) };
    history.was_put(from) && (split || history.was_put(to))
}

fn height(position: &Position, cell: Cell) -> usize {
    match position {
        Position::Dvonn(game) => game.height(cell),
        Position::Lyngk(game) => game.stack(cell).height(),
        _ => 0,
    }
}

/// Whether the picture is the provisional result with a stack of the next player lifted, or one
/// more piece placed by him, and nothing else touched.
pub(super) fn is_reply(
    provisional: &Explained,
    expected: &Table,
    seen: &Picture,
    history: &History,
) -> bool {
    let next = &provisional.turn.position;
    let table = next.table();
    let own = expected.differs(&table)
        | provisional.turn.steps.iter().fold(CellSet::EMPTY, |cells, &step| cells | ends(step));
    let changed = seen.differs(&table);
    let Some(cell) = changed.lowest().filter(|_| changed.len() == 1) else { return false };
    if own.contains(cell) {
        return false;
    }
    if is_placing(next) {
        return seen.agrees(&played(next, Step::Dvonn(dvonn::Step::Place(cell))).table());
    }
    history.lifted().contains(cell) && next.origins().contains(cell)
}

fn ends(step: Step) -> CellSet {
    match super::lights::ends(step) {
        Some((from, to)) => CellSet::of(from) | CellSet::of(to),
        None => CellSet::EMPTY,
    }
}

fn played(from: &Position, step: Step) -> Position {
    let mut after = *from;
    after.play_unchecked(step);
    after
}

/// Whether DVONN's pieces are still being placed.
pub(super) fn is_placing(position: &Position) -> bool {
    match position {
        Position::Dvonn(game) => matches!(game.steps().next(), Some(dvonn::Step::Place(_))),
        _ => false,
    }
}

fn move_step(position: &Position, from: Cell, to: Cell) -> Option<Step> {
    match position {
        Position::Dvonn(_) => Some(Step::Dvonn(dvonn::Step::Move { from, to })),
        Position::Lyngk(_) => Some(Step::Lyngk(lyngk::Step::Move { from, to })),
        _ => None,
    }
}

/// Why this picture is nothing legal.
pub(super) fn refuse(position: &Position, seen: &Picture, history: &History) -> Refused {
    let expected = position.table();
    let all = seen.differs(&expected);
    let gone = expected.occupied() - seen.occupied() - seen.dead;
    let new = seen.table.occupied() - expected.occupied();
    let refused = |why, cells| Refused { why, cells };
    let tried = |from, to| {
        let step = move_step(position, from, to)?;
        let broken = position.check(step).err()?;
        Some(refused(Why::Step(broken.reason), broken.cells | CellSet::of(to)))
    };
    if is_placing(position) {
        return refuse_placing(position, seen, all, new);
    }
    // One stack was lifted: it came down where it may not, or should not have been lifted at all.
    if let (Some(from), 1) = (gone.lowest(), gone.len()) {
        let landed = new.lowest().or_else(|| history.landing(from));
        if let Some(refused) = landed.and_then(|to| tried(from, to)) {
            return refused;
        }
        if !position.origins().contains(from)
            && let Some(reason) = why_not_moved(position, from)
        {
            return refused(Why::Step(reason), gone);
        }
    }
    if !new.is_empty() {
        let rule = match position {
            Position::Dvonn(_) => Rule { letter: 'D', number: 8 },
            _ => Rule { letter: 'L', number: 10 },
        };
        return refused(Why::WrongChange(rule), new);
    }
    refused(Why::Unexplained, all)
}

/// Why this stack cannot be moved at all: a rule about the stack itself forbids all ends, one with a
/// lower number about an end only some.
fn why_not_moved(position: &Position, from: Cell) -> Option<Reason> {
    let others = position.table().occupied() - CellSet::of(from);
    let broken =
        others.iter().filter_map(|to| position.check(move_step(position, from, to)?).err());
    let number = |reason: &Reason| crate::games::Reason::rule(*reason).number;
    broken.map(|broken| broken.reason).max_by_key(number)
}

fn refuse_placing(position: &Position, seen: &Picture, all: CellSet, new: CellSet) -> Refused {
    if let (Some(cell), 1) = (new.lowest(), new.len()) {
        let step = Step::Dvonn(dvonn::Step::Place(cell));
        let strength = seen.differs(&played(position, step).table());
        if position.check(step).is_ok() && strength == new {
            return Refused { why: Why::WrongPiece(Rule { letter: 'D', number: 2 }), cells: new };
        }
    }
    let number = if new.is_empty() { None } else { Some(1) };
    let why =
        number.map_or(Why::Unexplained, |number| Why::WrongChange(Rule { letter: 'D', number }));
    Refused { why, cells: all }
}
