//! Leading people: the set-up, the way back to a position, and what is still to be done.

use super::effect::{Act, Effect, Effects, Notice};
use super::picture::Event;
use super::{Phase, QUIET_MS, Referee, say, stacks, walk};
use crate::games::Game;
use crate::games::any::Position;
use crate::geometry::{Cell, CellSet};
use crate::sense::{COVER_MIN, Reference, Sense};

impl Referee {
    /// Set-up and restore: a picture to reach. Apart, because stack is scarce.
    #[inline(never)]
    pub(super) fn lead(&mut self, sense: &mut Sense, now_ms: u32, effects: &mut Effects) {
        if !self.picture.agrees(&self.expected) {
            if self.picture.is_still() {
                self.lead_on(sense, now_ms, effects);
            }
            return;
        }
        if let Some(cell) = self.to_uncover.filter(|&cell| !self.is_uncovered(sense, cell)) {
            return self.prompt(Act::Take, CellSet::of(cell), effects);
        }
        match self.phase {
            Phase::SetUp => {
                if let Some((act, cells)) = self.before_start() {
                    return self.prompt(act, cells, effects);
                }
                say(effects, Effect::Started);
            }
            _ => say(effects, Effect::BackInPlay),
        }
        self.begin(sense);
    }

    /// GLÜX: whether the upper chip came off, or the lower one was set down anew.
    fn is_uncovered(&self, sense: &Sense, cell: Cell) -> bool {
        let change = sense.change(self.board().point(cell), Reference::Commit);
        change.is_some_and(|change| change.abs() >= COVER_MIN)
            || self.history.lifted().contains(cell)
    }

    /// What OK is asked for before the game begins: what cannot be seen, what is left over, or just
    /// that the pieces lie right. An empty board needs none.
    fn before_start(&self) -> Option<(Act, CellSet)> {
        match self.record.position() {
            _ if !self.picture.dead.is_empty() => Some((Act::Unseen, self.picture.dead)),
            Position::Lyngk(_) => Some((Act::LeftOver, CellSet::EMPTY)),
            _ if !self.expected.occupied().is_empty() => Some((Act::Confirm, CellSet::EMPTY)),
            _ => None,
        }
    }

    /// Says what is still to be put right.
    fn lead_on(&mut self, sense: &mut Sense, now_ms: u32, effects: &mut Effects) {
        if core::mem::take(&mut self.is_fresh) && self.begin_in_the_hand(sense) {
            self.event_ms = now_ms;
            say(effects, Effect::BackInPlay);
            return;
        }
        if now_ms.wrapping_sub(self.unrest_ms) < QUIET_MS {
            return;
        }
        let differs = self.picture.differs(&self.expected);
        if self.phase == Phase::SetUp {
            let cells = self.laying().map_or(differs, |(_, cells)| cells);
            self.prompt(Act::SetUp, cells, effects);
        } else {
            self.prompt(Act::Restore, differs, effects);
            self.tell_stack(effects);
        }
    }

    /// DVONN and LYNGK, after a power cut: nothing is missing but a stack that may move. It was in
    /// somebody's hand and may go on from there.
    fn begin_in_the_hand(&mut self, sense: &mut Sense) -> bool {
        let position = self.record.position();
        let gone = self.picture.differs(&self.expected) - self.picture.occupied();
        let origin = gone.lowest().filter(|_| gone == self.picture.differs(&self.expected));
        let Some(origin) = origin.filter(|_| (gone - position.origins()).is_empty()) else {
            return false;
        };
        if gone.len() != 1 || !matches!(position, Position::Dvonn(_) | Position::Lyngk(_)) {
            return false;
        }
        self.begin(sense);
        sense.mark(Reference::Lift);
        self.history.note(Event::Lift(origin));
        true
    }

    /// Says what stood on the first cell that lacks a stack of several pieces, once: lights show
    /// only the top one.
    pub(super) fn tell_stack(&mut self, effects: &mut Effects) {
        let missing = self.expected.occupied() - self.picture.occupied() - self.picture.dead;
        let is_high = |&cell: &Cell| stacks::height(self.record.position(), cell) > 1;
        let stood = missing.iter().find(is_high);
        if let Some(cell) = stood.filter(|_| stood != self.stood) {
            say(effects, Effect::Notice(Notice::Stood(cell)));
        }
        self.stood = stood;
    }

    pub(super) fn begin(&mut self, sense: &mut Sense) {
        (self.phase, self.to_uncover) = (Phase::Play, None);
        (self.colours_shown, self.is_fresh, self.stood) = (false, false, None);
        (self.end_read, self.lost) = (stacks::EndRead::NONE, CellSet::EMPTY);
        self.know_expected();
        self.refused = None;
        self.settle_down(sense);
        sense.mark(Reference::Commit);
        sense.mark(Reference::Touch);
    }

    /// GLÜX: a chip lies there, its value is not told or does not fit the face.
    pub(super) fn ask_value(&mut self, effects: &mut Effects) {
        let cells = self.reading.todo.put;
        let other_half = self.told.is_some().then(|| cells.lowest()).flatten();
        if self.prompted == Some((Act::Answer, cells)) && other_half.is_none() {
            return;
        }
        match other_half {
            Some(cell) => {
                self.told = None;
                say(effects, Effect::Notice(Notice::OtherHalf(cell)));
            }
            None => self.prompt(Act::Answer, cells, effects),
        }
    }

    /// Says what is to be done, unless it was said already.
    pub(super) fn prompt(&mut self, act: Act, cells: CellSet, effects: &mut Effects) {
        if self.prompted != Some((act, cells)) {
            self.prompted = Some((act, cells));
            say(effects, Effect::Prompt(act, cells));
        }
    }

    pub(super) fn prompt_todo(&mut self, effects: &mut Effects) {
        let todo = self.reading.todo;
        for (act, cells) in [(Act::Flip, todo.flip), (Act::Take, todo.take), (Act::Put, todo.put)] {
            if !cells.is_empty() {
                self.prompt(act, cells, effects);
                return;
            }
        }
    }

    /// Says which pieces the player in turn has to take off.
    pub(super) fn prompt_due(&mut self, effects: &mut Effects) {
        let due = self.due();
        if due.is_empty() {
            self.prompted = None;
        } else {
            self.prompt(Act::Take, due, effects);
        }
    }

    /// What the player in turn has to take off before anything else.
    pub(super) fn due(&self) -> CellSet {
        let due = |position: &Position| match position {
            Position::Gipf(game) => walk::due(game),
            Position::Yinsh(game) => walk::due(game),
            _ => CellSet::EMPTY,
        };
        due(self.record.position())
    }
}
