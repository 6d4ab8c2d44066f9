//! DVONN and LYNGK: where did a stack come down?
//!
//! A stack that lands makes the field of what it lands on rise, by an amount that follows from how
//! many pieces lie there and how many come: 69 codes for one piece on one, 13 for one on three,
//! nothing to be seen on ten. A nudge changes the field too, up or down, by at most an eighth. So a
//! landing is what rose by at least two thirds of what a landing there adds, and either by more than
//! a nudge can do, or not at once: what comes down from above is felt before it lands. Several such
//! cells, or one that a nudge can explain while the stack may stand where nothing shows it, or that was
//! pushed aside before and may only be centred again, are left open: that is a question.

use super::picture::{Event, History, Picture};
use super::stacks::{self, height};
use crate::games::Game;
use crate::games::any::Position;
use crate::geometry::{Cell, CellSet, Point};
use crate::sense::{Reference, Sense, TOUCH_DELTA};

/// A change from which on pieces came onto a single one or left it, codes: a nudge makes less.
pub(super) const LANDED_MIN: i16 = 45;
/// A rise that is no noise, codes: the stack may have landed.
pub(super) const FELT_MIN: i16 = 4;
/// A rise that is neither noise nor the field of what is carried by, codes.
const RISE_MIN: i16 = 10;
/// What of a rise does not come at once when a stack comes down, at least, codes: more than noise.
const CREPT_MIN: i16 = 6;

/// A fall between the last commit and the first lift, codes, from which on a stack may have been pushed
/// aside: centred again, it rises as if another had landed on it.
const PUSHED_MIN: i16 = 20;

/// What a landing adds, codes: by how many pieces lie there, 1 to 6, and how many come, 1 to 3 and
/// more. Higher stacks show nothing.
const RISES: [[i16; 4]; 6] = [
    [69, 95, 109, 115],
    [27, 39, 47, 50],
    [13, 20, 25, 27],
    [7, 12, 14, 16],
    [4, 7, 9, 11],
    [3, 5, 7, 8],
];

/// How much a landing makes a stack rise at least; `None` where it cannot be seen.
pub(super) fn least_rise(lying: usize, coming: usize) -> Option<i16> {
    let row = RISES.get(lying.checked_sub(1)?)?;
    let rise = row[coming.clamp(1, row.len()) - 1];
    (rise > RISE_MIN).then_some(RISE_MIN.max(2 * rise / 3))
}

/// The most that a nudge changes a stack that reads so much afterwards, codes.
pub(super) const fn most_nudge(rested: i16) -> i16 {
    rested / 8 + 6
}

/// Whether a stack that was touched has lost more since the last commit than by a nudge: pieces of it
/// are elsewhere.
pub(super) fn has_lost(sense: &Sense, point: Point) -> bool {
    let change = sense.change(point, Reference::Commit).unwrap_or(0);
    let is_kept = !sense.was_lifted_since(point, Reference::Commit);
    is_kept && -change >= LANDED_MIN.max(most_nudge(sense.rested(point)))
}

/// The most that a landing, and a nudge with it, makes a stack rise that read so much before, codes.
/// A strong piece among those that come counts twice, others up to a quarter more than most. More is
/// a stack that stood beside its point.
fn most_rise(lying: usize, coming: usize, has_strong: bool, before: i16) -> i16 {
    let row = lying.checked_sub(1).and_then(|row| RISES.get(row));
    let rise = row.map_or(0, |row| row[coming.clamp(1, row.len()) - 1]);
    let most = if has_strong { 2 * rise } else { rise + rise / 4 };
    most + most_nudge(before)
}

/// What is looked at to find a landing.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    /// Before the stack was lifted.
    pub(super) position: &'a Position,
    pub(super) seen: &'a Picture,
    pub(super) history: &'a History,
    pub(super) sense: &'a Sense,
}

/// Where a stack came down.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Landing {
    /// Here.
    At(Cell),
    /// Nothing shows that it has landed at all.
    Unseen,
    /// It may be one of several.
    Unclear,
}

impl Scene<'_> {
    /// Where what was lifted from a cell came down, before any of `later` was lifted.
    pub(super) fn landing(&self, origin: Cell, later: CellSet) -> Landing {
        let Some(since) = self.history.since_lift(origin) else { return Landing::Unseen };
        let is_later = |e: &Event| matches!(e, Event::Lift(cell) if later.contains(*cell));
        let before = since.iter().position(is_later).map(|at| &since[..at]);
        // What came down before it was lifted, and since the first lift, is not this stack.
        let events = self.history.events();
        let first = events.iter().position(|event| matches!(event, Event::Lift(_))).unwrap_or(0);
        let earlier = events.get(first..events.len() - since.len()).unwrap_or(&[]);
        let change = |cell: Cell| {
            let by = match before {
                Some(events) => last_touch(events, cell),
                None => self.change(cell, since),
            };
            // What has hardly changed counts from the last lift on.
            let was = last_touch(earlier, cell);
            if was.abs() < TOUCH_DELTA { by } else { by - was }
        };
        let coming = height(self.position, origin);
        let point = |cell: Cell| self.position.board().point(cell);
        let least = |cell: Cell| least_rise(height(self.position, cell), coming);
        let has_strong = stacks::has_strong(self.position, origin);
        let has_risen = |&cell: &Cell| {
            let before = (self.sense.rested(point(cell)) - change(cell)).max(0);
            let most = most_rise(height(self.position, cell), coming, has_strong, before);
            let risen = self.sense.change(point(cell), Reference::Commit);
            // What was pushed aside and is back has risen, and is no higher than it was.
            let is_higher = |least: i16| risen.is_none_or(|risen| 3 * risen >= least);
            least(cell).is_some_and(|l| (l..=most).contains(&change(cell)) && is_higher(l))
        };
        // Where several are put back, none of them was there to land on.
        let is_put = |event: &&Event| matches!(event, Event::Put(_));
        let put: CellSet = since.iter().filter(is_put).map(|event| event.cell()).collect();
        let away = if put.len() > 1 { put } else { CellSet::EMPTY } | CellSet::of(origin);
        let lying = self.position.table().occupied();
        let stacks = lying - self.seen.dead - away;
        let risen: CellSet = stacks.iter().filter(has_risen).collect();
        let is_certain = |&cell: &Cell| change(cell) > most_nudge(self.sense.rested(point(cell)));
        let certain: CellSet = risen.iter().filter(is_certain).collect();
        let most = if certain.is_empty() { risen } else { certain };
        let Some(landed) = most.lowest() else { return Landing::Unseen };
        let ends = self.position.destinations(origin) - CellSet::of(landed);
        let hides = |cell: Cell| self.seen.dead.contains(cell) || least(cell).is_none();
        let has_crept = |cell: Cell| self.sense.crept(point(cell)) >= CREPT_MIN;
        let is_felt = || has_crept(landed) && !ends.iter().any(hides);
        // A piece came down on another end as well: it may be the stack's, or a part of it.
        let is_hit = |cell: Cell| {
            let least = least_rise(height(self.position, cell), 1);
            has_crept(cell) && least.is_some_and(|least| change(cell) >= least)
        };
        let is_rivalled = ends.iter().any(is_hit);
        let grown = |reference| self.sense.change(point(landed), reference).unwrap_or(0);
        let may_be_centred = grown(Reference::Lift) - grown(Reference::Commit) >= PUSHED_MIN;
        // What was set down where nothing stands and lifted again may be a part of the stack: it must
        // have come down since.
        let vacated = |e: &Event| matches!(e, Event::Lift(cell) if !lying.contains(*cell));
        let is_held = since
            .iter()
            .rposition(vacated)
            .is_some_and(|at| change(landed) - last_touch(&since[..at], landed) < RISE_MIN);
        let is_clear = most.len() == 1 && !is_rivalled && !may_be_centred && !is_held;
        let is_sure = is_clear && (!certain.is_empty() || is_felt());
        if is_sure && !self.history.is_unclear() { Landing::At(landed) } else { Landing::Unclear }
    }

    /// Whether a stack has risen since the last commit and before anything was lifted, as if one
    /// had landed that nobody saw leave.
    pub(super) fn has_risen(&self, origin: Cell, end: Cell) -> bool {
        let least = least_rise(height(self.position, end), height(self.position, origin));
        least.is_some_and(|least| self.unseen_rise(end) >= least)
    }

    /// By how much a stack has risen since the last commit and before anything was lifted.
    pub(super) fn unseen_rise(&self, end: Cell) -> i16 {
        let point = self.position.board().point(end);
        let since = |reference| self.sense.change(point, reference).unwrap_or(0);
        if self.history.lifted().is_empty() {
            since(Reference::Commit).max(since(Reference::Touch))
        } else if self.history.lifted().contains(end) {
            // It was lifted in its turn: what counts is what was felt before.
            last_touch(self.history.events(), end)
        } else {
            since(Reference::Commit) - since(Reference::Lift)
        }
    }

    /// Whether a stack may have left a cell without a sensor to trust, by what it landed on.
    pub(super) fn has_hidden_move(&self) -> bool {
        let position = self.position;
        let hidden = self.seen.dead & position.table().occupied();
        hidden
            .iter()
            .any(|from| position.destinations(from).iter().any(|end| self.has_risen(from, end)))
    }

    /// By how much a stack has risen since the first lift; one that was lifted itself, when it was
    /// last touched before.
    fn change(&self, cell: Cell, since: &[Event]) -> i16 {
        let point = self.position.board().point(cell);
        if self.sense.was_lifted_since(point, Reference::Lift) {
            let is_lift = |&event: &Event| event == Event::Lift(cell);
            let before = since.iter().position(is_lift).map_or(since, |at| &since[..at]);
            return last_touch(before, cell);
        }
        self.sense.change(point, Reference::Lift).unwrap_or(0)
    }
}

/// The change of a cell when it was last touched.
pub(super) fn last_touch(events: &[Event], cell: Cell) -> i16 {
    let touch = |event: &Event| match event {
        Event::Touch(touched, change) if *touched == cell => Some(*change),
        _ => None,
    };
    events.iter().rev().find_map(touch).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_landing_is_seen_on_low_stacks() {
        assert_eq!(least_rise(1, 1), Some(46));
        assert_eq!(least_rise(3, 1), Some(10));
        assert_eq!((least_rise(4, 1), least_rise(4, 2)), (None, Some(10)));
        assert_eq!((least_rise(0, 1), least_rise(7, 9)), (None, None));
    }

    #[test]
    fn a_stack_that_is_centred_rises_more_than_by_a_landing() {
        // Two pieces that stood 4 mm aside, and two that come: 225 codes become 344.
        assert!(most_rise(2, 2, true, 225) < 344 - 225);
        for (lying, row) in RISES.iter().enumerate() {
            for (coming, &rise) in row.iter().enumerate() {
                assert!(rise <= most_rise(lying + 1, coming + 1, false, 0));
            }
        }
    }

    #[test]
    fn of_several_touches_the_last_one_counts() {
        let [a, b] = [0, 1].map(Cell::new);
        let events = [Event::Touch(a, 40), Event::Touch(b, 9), Event::Touch(a, 1)];
        assert_eq!((last_touch(&events, a), last_touch(&events, b)), (1, 9));
        assert_eq!(last_touch(&events, Cell::new(2)), 0);
    }
}
