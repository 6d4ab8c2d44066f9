//! What is seen: the picture of this moment, and the history of how it came about.
//!
//! - *Picture*: what lies on every cell at rest. Cells in *unrest* (something moves there) and
//!   *loose* ones (occupied, but not seated) agree with nothing, *dead* ones (no sensor to trust)
//!   with everything. Points that the game does not use are looked at for [`Picture::stray`] only.
//! - *History*: lifts, puts and touches in order, since the board last looked as expected.

use heapless::Vec;

use super::FOREIGN_POINTS;
use super::landing::FELT_MIN;
use crate::games::Table;
use crate::geometry::{Board, Cell, CellSet, PointSet};
use crate::magnet::{Sign, Strength};
use crate::sense::{Class, Doubt, Profile, Sense, TOUCH_DELTA};

/// Events kept; more than any turn needs (a YINSH turn with five flips and a row has 23).
pub const HISTORY_MAX: usize = 32;

/// A table on which nothing lies.
pub(super) const NOTHING: Table = Table {
    plus: CellSet::EMPTY,
    minus: CellSet::EMPTY,
    weak: CellSet::EMPTY,
    strong: CellSet::EMPTY,
    any_strength: CellSet::EMPTY,
};

/// What lies where at this moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Picture {
    /// What rests on each cell.
    pub table: Table,
    /// Occupied cells whose strength cannot be told.
    pub vague: CellSet,
    /// Something moves there.
    pub unrest: CellSet,
    /// Something rests there but is not seated.
    pub loose: CellSet,
    /// The sensor cannot be trusted.
    pub dead: CellSet,
    /// The field is stronger than any piece's.
    pub overload: CellSet,
    /// Points outside the game's board on which something lies.
    pub stray: PointSet,
}

impl Picture {
    /// An empty board.
    pub(super) const EMPTY: Picture = Picture {
        table: NOTHING,
        vague: CellSet::EMPTY,
        unrest: CellSet::EMPTY,
        loose: CellSet::EMPTY,
        dead: CellSet::EMPTY,
        overload: CellSet::EMPTY,
        stray: PointSet::EMPTY,
    };

    /// Looks at the whole playfield. In YINSH `known` tells a ring from a marker where the level
    /// alone may fail: what was there, and by how much it changed.
    pub(super) fn of(sense: &Sense, profile: Profile, board: &Board, known: &Table) -> Picture {
        let mut picture = Picture::EMPTY;
        for point in board.playfield().points() {
            let Some(cell) = board.cell(point) else {
                if sense.class(point).sign().is_some() {
                    picture.stray.insert(point);
                }
                continue;
            };
            let class = sense.class(point);
            let known = match (profile, class.sign()) {
                (Profile::Rings, Some(_)) if class.is_occupied() => known.at(cell),
                _ => None,
            };
            let known = known.filter(|&(sign, _)| class.sign() == Some(sign));
            picture
                .enter(cell, known.map_or(class, |(sign, strength)| Class::Piece(strength, sign)));
        }
        picture
    }

    fn enter(&mut self, cell: Cell, class: Class) {
        match class {
            Class::Empty => {}
            Class::Piece(strength, sign) => self.table.put(cell, sign, strength),
            Class::Between(sign) => {
                self.table.put(cell, sign, Strength::Single);
                self.vague.insert(cell);
            }
            Class::NotSeated(_) => self.loose.insert(cell),
            Class::Unknown(Doubt::Moving) => self.unrest.insert(cell),
            Class::Unknown(Doubt::Overload) => self.overload.insert(cell),
            Class::Unknown(Doubt::NoZero | Doubt::Faulty) => self.dead.insert(cell),
        }
    }

    /// The cells on which the picture is not what `table` says.
    pub fn differs(&self, table: &Table) -> CellSet {
        let unclear = self.unrest | self.loose | self.overload | (self.vague - table.any_strength);
        (table.differs(&self.table) | unclear) - self.dead
    }

    /// Whether everything lies at rest as `table` says.
    pub fn agrees(&self, table: &Table) -> bool {
        self.differs(table).is_empty()
    }

    /// Whether everything that is there belongs there: `table` with some pieces off.
    pub(super) fn only_lacks(&self, table: &Table) -> bool {
        (self.differs(table) & self.occupied()).is_empty()
    }

    /// Whether a cell shows this, or nothing where it `may_lack`; or has no sensor to trust.
    pub(super) fn may_be(&self, cell: Cell, look: (Sign, Strength), may_lack: bool) -> bool {
        let unclear = [&self.unrest, &self.loose, &self.overload, &self.vague];
        let fits = self.table.at(cell).map_or(may_lack, |shown| shown == look);
        fits && !unclear.iter().any(|cells| cells.contains(cell)) || self.dead.contains(cell)
    }

    /// The cells on which something is seen, at rest or not.
    pub fn occupied(&self) -> CellSet {
        (self.table.occupied() | self.unrest | self.loose | self.overload) - self.dead
    }

    /// Whether nothing moves on the board, and no foreign magnet is near.
    pub fn is_still(&self) -> bool {
        self.unrest.is_empty() && self.overload.len() <= FOREIGN_POINTS
    }

    /// Lets cells agree with everything, whatever lies there.
    pub(super) fn ignore(&mut self, cells: CellSet) {
        *self = self.with(cells, &NOTHING);
        self.dead |= cells;
    }

    /// The same with some cells as a table has them.
    #[must_use]
    pub(super) fn with(&self, cells: CellSet, table: &Table) -> Picture {
        let mix = |seen: CellSet, other: CellSet| (seen - cells) | (other & cells);
        let (seen, unclear) = (&self.table, CellSet::EMPTY);
        Picture {
            table: Table {
                plus: mix(seen.plus, table.plus),
                minus: mix(seen.minus, table.minus),
                weak: mix(seen.weak, table.weak),
                strong: mix(seen.strong, table.strong),
                any_strength: mix(seen.any_strength, table.any_strength),
            },
            vague: mix(self.vague, unclear),
            unrest: mix(self.unrest, unclear),
            loose: mix(self.loose, unclear),
            overload: mix(self.overload, unclear),
            ..*self
        }
    }

    /// The same with all that moves or is not seated taken off: what is certain.
    #[must_use]
    pub(super) fn certain(&self) -> Picture {
        Picture { unrest: CellSet::EMPTY, loose: CellSet::EMPTY, overload: CellSet::EMPTY, ..*self }
    }
}

/// What happened on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    /// What rested there is gone.
    Lift(Cell),
    /// Something came to rest on the empty cell.
    Put(Cell),
    /// It was and is occupied, and moved in between; the change of its value since the first lift,
    /// in codes. Of several touches of a cell in a row the last one counts.
    Touch(Cell, i16),
}

impl Event {
    pub(super) fn cell(self) -> Cell {
        match self {
            Event::Lift(cell) | Event::Put(cell) | Event::Touch(cell, _) => cell,
        }
    }

    /// Whether it was hardly felt.
    fn is_little(self) -> bool {
        matches!(self, Event::Touch(_, by) if by.abs() < TOUCH_DELTA)
    }
}

/// What happened since the board last looked as expected.
#[derive(Debug)]
pub(super) struct History {
    events: Vec<Event, HISTORY_MAX>,
    /// How many of them came before the open question.
    before_mark: usize,
    /// All cells that were lifted, also those that found no room.
    lifted: CellSet,
    /// More happened than could be kept: what needs the history becomes a question.
    unclear: bool,
    /// GIPF: the dot on which a piece of the player in turn was last seen, and its strength, if that
    /// is certain.
    brought: Option<(Cell, Option<Strength>)>,
}

impl History {
    /// Nothing happened.
    pub(super) const fn new() -> History {
        History {
            events: Vec::new(),
            before_mark: 0,
            lifted: CellSet::EMPTY,
            unclear: false,
            brought: None,
        }
    }

    /// Notes what happened, in order.
    pub(super) fn note(&mut self, event: Event) {
        if let Event::Touch(cell, _) = event {
            let is_same = |e: &Event| matches!(e, Event::Touch(c, _) if *c == cell);
            let since =
                self.events.iter().rposition(|e| matches!(e, Event::Lift(_) | Event::Put(_)));
            let recent = since.map_or(0, |at| at + 1);
            if let Some(at) = self.events.iter().rposition(is_same).filter(|&at| at >= recent) {
                self.events[at] = event;
                return;
            }
        }
        if let Event::Lift(cell) = event {
            self.lifted.insert(cell);
        }
        if self.events.is_full() {
            // What was hardly felt makes room first, then what was first.
            let little = self.events.iter().position(|event| event.is_little());
            self.unclear |= little.is_none();
            let at = little.unwrap_or(0);
            self.events.remove(at);
            self.before_mark -= usize::from(at < self.before_mark);
        }
        let _ = self.events.push(event);
    }

    /// A question is asked: what happens from now on may answer it.
    pub(super) fn mark(&mut self) {
        self.before_mark = self.events.len();
    }

    /// What happened since the mark.
    pub(super) fn since_mark(&self) -> &[Event] {
        self.events.get(self.before_mark..).unwrap_or(&[])
    }

    /// Forgets what happened; the board looks as expected.
    pub(super) fn clear(&mut self) {
        self.events.clear();
        self.before_mark = 0;
        self.lifted = CellSet::EMPTY;
        (self.unclear, self.brought) = (false, None);
    }

    /// GIPF: the player in turn has a piece on a dot. Until it rests it looks weaker than it is, and
    /// one that was certain counts more than one that only passes.
    pub(super) fn note_brought(&mut self, dot: Cell, strength: Strength, is_at_rest: bool) {
        let certain = Some(strength).filter(|&s| is_at_rest || s == Strength::Strong);
        if certain.is_some() || self.brought.is_none_or(|(_, known)| known.is_none()) {
            self.brought = Some((dot, certain));
        }
    }

    /// GIPF: the dot on which a piece of the player in turn was last seen, and its strength, if that
    /// is certain. He has begun then: the last turn is not changed any more.
    pub(super) fn brought(&self) -> Option<(Cell, Option<Strength>)> {
        self.brought
    }

    /// In the order in which they happened.
    pub(super) fn events(&self) -> &[Event] {
        &self.events
    }

    /// All cells on which something happened that was more than hardly felt: that may be noise.
    pub(super) fn cells(&self) -> CellSet {
        self.events.iter().filter(|event| !event.is_little()).map(|event| event.cell()).collect()
    }

    /// All cells that were lifted.
    pub(super) fn lifted(&self) -> CellSet {
        self.lifted
    }

    /// Whether something came to rest on this cell while it was empty.
    pub(super) fn was_put(&self, cell: Cell) -> bool {
        self.events.contains(&Event::Put(cell))
    }

    /// Whether this cell was touched while it was occupied.
    pub(super) fn was_touched(&self, cell: Cell) -> bool {
        self.events.iter().any(|event| matches!(event, Event::Touch(c, _) if *c == cell))
    }

    /// What happened after the last time this cell was lifted; `None` if it was not.
    pub(super) fn since_lift(&self, cell: Cell) -> Option<&[Event]> {
        let at = self.events.iter().rposition(|&event| event == Event::Lift(cell))?;
        self.events.get(at + 1..)
    }

    /// Whether a landing was felt on a cell after another one was lifted, before anything else was.
    pub(super) fn was_felt_first(&self, lifted: Cell, cell: Cell) -> bool {
        let since = self.since_lift(lifted).unwrap_or(&[]).iter();
        let mut before = since.take_while(|event| !matches!(event, Event::Lift(_)));
        before.any(|event| matches!(*event, Event::Touch(at, by) if at == cell && by >= FELT_MIN))
    }

    /// Whether more happened than could be kept.
    pub(super) fn is_unclear(&self) -> bool {
        self.unclear
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_events_than_fit_make_the_history_unclear() {
        let (a, b) = (Cell::new(0), Cell::new(1));
        let mut history = History::new();
        for _ in 0..HISTORY_MAX {
            assert!(!history.is_unclear());
            history.note(Event::Put(a));
        }
        history.note(Event::Lift(b));
        assert!(history.is_unclear());
        assert!(history.lifted().contains(b), "lifts are never forgotten");
    }

    #[test]
    fn what_answers_a_question_finds_room_in_a_full_history() {
        let (a, b) = (Cell::new(0), Cell::new(1));
        let mut history = History::new();
        history.note(Event::Lift(a));
        history.note(Event::Touch(b, 0));
        for _ in 2..HISTORY_MAX {
            history.note(Event::Put(a));
        }
        history.mark();
        assert_eq!(history.since_mark(), []);
        history.note(Event::Lift(b));
        assert!(!history.is_unclear(), "what was hardly felt made room");
        history.note(Event::Put(b));
        assert!(history.is_unclear());
        assert_eq!(history.since_mark(), [Event::Lift(b), Event::Put(b)]);
    }

    #[test]
    fn touches_in_a_row_are_one() {
        let (a, b) = (Cell::new(0), Cell::new(1));
        let mut history = History::new();
        for event in [Event::Touch(a, 1), Event::Touch(b, 2), Event::Touch(a, 3)] {
            history.note(event);
        }
        assert_eq!(history.events(), [Event::Touch(a, 3), Event::Touch(b, 2)]);
        history.note(Event::Lift(b));
        history.note(Event::Touch(a, 4));
        assert_eq!(history.events().len(), 4);
    }
}
