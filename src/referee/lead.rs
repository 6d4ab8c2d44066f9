//! Leading people: the set-up, the way back to a position, and what is still to be done.

use super::effect::{Act, Effect, Effects, Notice};
use super::{Phase, QUIET_MS, Referee, say, walk};
use crate::games::any::Position;
use crate::geometry::CellSet;
use crate::sense::{Reference, Sense};

impl Referee {
    /// Set-up and restore: a picture to reach.
    pub(super) fn lead(&mut self, sense: &mut Sense, now_ms: u32, effects: &mut Effects) {
        if self.picture.agrees(&self.expected) {
            let needs_ok = !self.expected.occupied().is_empty();
            match self.phase {
                Phase::SetUp if needs_ok => return,
                Phase::SetUp => say(effects, Effect::Started),
                _ => say(effects, Effect::BackInPlay),
            }
            self.begin(sense);
        } else if self.picture.is_still() && now_ms.wrapping_sub(self.unrest_ms) >= QUIET_MS {
            let act = if self.phase == Phase::SetUp { Act::SetUp } else { Act::Restore };
            let cells = self.picture.differs(&self.expected);
            self.prompt(act, cells, effects);
        }
    }

    pub(super) fn begin(&mut self, sense: &mut Sense) {
        self.phase = Phase::Play;
        self.know_expected();
        self.refused = None;
        self.settle_down(sense);
        sense.mark(Reference::Commit);
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
