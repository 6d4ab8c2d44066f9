//! Questions: what is asked, the candidates, and answers given by hand.

use super::effect::{Ask, CANDIDATES_MAX, Effect, Effects};
use super::picture::Event;
use super::reading::{self, Explained};
use super::record::Record;
use super::{Referee, lights, say, walk};
use crate::games::any::Step;
use crate::games::{Game, Table};
use crate::geometry::Cell;

/// An open question.
pub(super) struct Question {
    pub(super) options: Options,
    /// How much of the history was before it.
    pub(super) asked_at: usize,
    /// It is about something no picture shows, and stays open while the board looks as expected.
    pub(super) is_unseen: bool,
}

/// What a question leaves to choose from.
#[allow(clippy::large_enum_variant)] // there is one question at a time, and no heap
pub(super) enum Options {
    /// Results that nothing tells apart.
    Results(heapless::Vec<Explained, { walk::RESULTS_MAX }>),
    /// Steps that were not seen as a whole; there may be more than can be numbered.
    Steps(heapless::Vec<Step, { reading::UNPROVED_MAX }>),
}

impl Options {
    /// All of them, in the order of their numbers.
    pub(super) fn iter(&self, record: &Record) -> impl Iterator<Item = Explained> {
        let (results, steps): (&[Explained], &[Step]) = match self {
            Options::Results(results) => (results, &[]),
            Options::Steps(steps) => (&[], steps),
        };
        let by_step = |&step: &Step| Explained::step(record.position(), record.count(), step);
        results.iter().cloned().chain(steps.iter().map(by_step))
    }
}

impl Referee {
    /// Asks which of several it is.
    pub(super) fn ask(&mut self, ask: Ask, options: Options, effects: &mut Effects) {
        if self.question.is_none() {
            let asked_at = self.history.events().len();
            let is_unseen = self.picture.agrees(&self.expected);
            self.question = Some(Question { options, asked_at, is_unseen });
            say(effects, Effect::Question(ask, self.candidates()));
        }
    }

    /// The cells to choose from, in the order of their numbers.
    pub fn candidates(&self) -> heapless::Vec<Cell, CANDIDATES_MAX> {
        let options = self.question.iter().flat_map(|q| q.options.iter(&self.record));
        options.take(CANDIDATES_MAX).map(|result| telling_cell(&self.expected, &result)).collect()
    }

    /// What was lifted and set down again since the question was asked.
    pub(super) fn answer_by_hand(&self) -> Option<Explained> {
        let question = self.question.as_ref()?;
        let events = self.history.events().get(question.asked_at..)?;
        let is_tapped = |result: &Explained| {
            let cell = telling_cell(&self.expected, result);
            let lift = events.iter().position(|&event| event == Event::Lift(cell));
            lift.is_some_and(|at| events[at..].contains(&Event::Put(cell)))
                && self.picture.agrees(&result.turn.position.table())
        };
        let mut tapped = question.options.iter(&self.record).filter(is_tapped);
        tapped.next().filter(|_| tapped.next().is_none())
    }
}

/// The cell by which people tell a result from others: where its main step ends.
pub(super) fn telling_cell(expected: &Table, result: &Explained) -> Cell {
    let changed = expected.differs(&result.turn.position.table());
    let named = result.turn.steps.iter().find_map(|&step| lights::ends(step).map(|(_, to)| to));
    named.or(changed.lowest()).unwrap_or(Cell::new(0))
}
