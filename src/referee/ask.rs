//! Questions: what is asked, the candidates, and answers given by hand.

use super::effect::{Act, Ask, CANDIDATES_MAX, Effect, Effects};
use super::picture::Event;
use super::reading::{self, Explained};
use super::record::{Part, Record, part};
use super::{Referee, UNSEEN_END_MS, lights, say, walk};
use crate::games::Game;
use crate::games::any::{Position, Step};
use crate::games::yinsh;
use crate::geometry::{Cell, CellSet};
use crate::sense::Profile;

/// Where the main step of a result begins and ends.
fn main(result: &Explained) -> Option<(Cell, Cell)> {
    result.turn.steps.iter().copied().find_map(main_ends)
}

fn main_ends(step: Step) -> Option<(Cell, Cell)> {
    lights::ends(step).filter(|_| part(step) == Part::Main)
}

/// What is asked, and what there is to choose from. Filled in place: it is large.
pub(super) struct Question {
    /// `None` while nothing is asked.
    pub(super) asked: Option<Asked>,
    /// Results that nothing tells apart.
    results: heapless::Vec<Explained, { walk::RESULTS_MAX }>,
    /// Steps that were not seen as a whole; there may be more than can be numbered.
    steps: heapless::Vec<Step, { reading::UNPROVED_MAX }>,
    /// When one ended that nobody had answered.
    ended_ms: Option<u32>,
}

/// An open question.
#[derive(Clone, Copy)]
pub(super) struct Asked {
    /// What it is about.
    pub(super) ask: Ask,
    /// When it was asked.
    at_ms: u32,
    /// It is about something no picture shows, and stays open while the board looks as expected.
    pub(super) is_unseen: bool,
}

impl Question {
    /// Nothing is asked.
    pub(super) const fn new() -> Question {
        Question {
            asked: None,
            results: heapless::Vec::new(),
            steps: heapless::Vec::new(),
            ended_ms: None,
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.asked.is_some()
    }

    /// Whether it was open.
    pub(super) fn close(&mut self) -> bool {
        self.asked.take().is_some()
    }

    /// The board has answered it itself. Whether it was open.
    pub(super) fn end(&mut self, now_ms: u32) -> bool {
        let was_open = self.close();
        if was_open {
            self.ended_ms = Some(now_ms);
        }
        was_open
    }

    /// Cancels it, also when it just ended and no step was made since: who pressed UNDO has not seen
    /// that yet. Whether there was one.
    pub(super) fn cancel(&mut self, now_ms: u32, commit_ms: u32) -> bool {
        let ago = |at_ms| now_ms.wrapping_sub(at_ms);
        let limit_ms = ago(commit_ms).min(UNSEEN_END_MS);
        let has_just_ended = |ended_ms| ago(ended_ms) < limit_ms;
        let ended_ms = self.ended_ms.take();
        self.close() || ended_ms.is_some_and(has_just_ended)
    }

    /// Lets these be chosen from.
    pub(super) fn set_results(&mut self, results: &[Explained]) {
        self.steps.clear();
        self.results.clear();
        self.results.extend(results.iter().take(walk::RESULTS_MAX).cloned());
    }

    /// Lets these be chosen from.
    pub(super) fn set_steps(&mut self, steps: &[Step]) {
        self.results.clear();
        self.steps.clear();
        self.steps.extend(steps.iter().take(reading::UNPROVED_MAX).copied());
    }

    /// From where the stacks came whose landing is asked for, and the rings: a ring that stands so far
    /// off its point that its marker looks like it makes another seem to have moved, and only people
    /// know which.
    pub(super) fn origins(&self) -> CellSet {
        let is_landing = self.asked.is_some_and(|asked| asked.ask == Ask::Landing);
        let stacks = self.steps.iter().filter(|_| is_landing);
        let is_ring = |step: &&Step| matches!(step, Step::Yinsh(yinsh::Step::MoveRing { .. }));
        let rings = self.results.iter().flat_map(|result| &result.turn.steps).filter(is_ring);
        stacks.chain(rings).filter_map(|&step| lights::ends(step)).map(|(from, _)| from).collect()
    }

    /// What there is to choose from, in the order of their numbers.
    pub(super) fn options(&self, record: &Record) -> impl Iterator<Item = Explained> {
        let by_step = |&step: &Step| Explained::step(record.position(), record.count(), step);
        self.results.iter().cloned().chain(self.steps.iter().map(by_step))
    }
}

impl Referee {
    /// Asks which of the options that were just set it is. `is_unseen`: nothing on the board shows
    /// it, so that nothing there can end the question but an answer.
    ///
    /// Options that no cell tells apart are not asked for: of GIPF's pieces that is the strength of
    /// one that nobody saw. It is to be set down where it can be seen.
    pub(super) fn ask(&mut self, ask: Ask, is_unseen: bool, effects: &mut Effects) {
        // One thing at a time: the same light asks for both.
        self.swapped = None;
        self.history.mark();
        self.question.asked = Some(Asked { ask, at_ms: self.now_ms, is_unseen });
        let cells = self.candidates();
        let is_told = |n: usize| !cells[..n].contains(&cells[n]);
        let are_told = if self.is_taking() {
            cells.len() > 1 || self.question.results.len() == 1
        } else {
            self.has_stacks() || (1..cells.len()).all(is_told)
        };
        if !are_told {
            self.question.close();
            let origins = self.question.options(&self.record).filter_map(|option| main(&option));
            let origins = origins.map(|(from, _)| from).collect();
            return self.prompt(Act::SetDown, origins, effects);
        }
        say(effects, Effect::Question(ask, cells));
    }

    /// The cells to choose from, in the order of their numbers.
    pub fn candidates(&self) -> heapless::Vec<Cell, CANDIDATES_MAX> {
        let mut cells = heapless::Vec::new();
        for option in self.question.options(&self.record).filter(|_| self.question.is_open()) {
            let cell = self.telling_cell(&option);
            let is_there = self.is_narrowed() && cells.contains(&cell);
            if !is_there && cells.push(cell).is_err() {
                break;
            }
        }
        cells
    }

    /// The cell by which people tell a result from the others that are asked for: where its main
    /// step ends, or that of the steps which are taken back; else where it begins; else what it
    /// alone takes off, or where the steps ended that it takes back.
    fn telling_cell(&self, result: &Explained) -> Cell {
        let off = |of: &Explained| self.expected.occupied() - of.turn.position.table().occupied();
        let ends = |of: &Explained| {
            let taken_back = self.record.steps_from(of.keep).iter().copied().find_map(main_ends);
            let made = main(of).map(|(from, to)| (from, self.changed_end(of, to)));
            made.or(taken_back.filter(|_| of.turn.steps.is_empty())).unzip()
        };
        let ((from, to), mut alone) = (ends(result), off(result));
        // A stack is told by where it lies, or asked for by where it came from.
        let is_origin = self.question.asked.is_some_and(|asked| asked.ask == Ask::Origin);
        if let (Some(from), Some(to), true) = (from, to, self.has_stacks()) {
            return if is_origin { from } else { to };
        }
        let (mut begins, mut leads) = (from, to);
        let is_other = |option: &Explained| option.turn.position != result.turn.position;
        for other in self.question.options(&self.record).filter(is_other) {
            let (other_from, other_to) = ends(&other);
            begins = begins.filter(|_| other_from != from);
            leads = leads.filter(|_| other_to != to);
            alone = alone - off(&other);
        }
        let hidden = alone & self.picture.dead;
        alone = if hidden.is_empty() { alone } else { hidden };
        if alone.is_empty() && self.is_taking() {
            // Several of a row that no sensor shows: one after the other.
            let others = self.question.options(&self.record).filter(is_other);
            let left =
                others.fold(CellSet::EMPTY, |left, other| left | (off(result) - off(&other)));
            alone = left & self.picture.dead;
        }
        // A chip of GLÜX that moved on, or another one: told by what it had covered.
        let left = self.record.steps_from(result.keep).iter().copied().find_map(main_ends);
        let told = leads.or(begins).or(alone.lowest()).or(left.map(|(_, left)| left)).or(to);
        told.or(off(result).lowest()).unwrap_or(Cell::new(0))
    }

    /// Where a result has brought a piece to: GIPF, a run of one colour looks the same where the push
    /// begins.
    fn changed_end(&self, result: &Explained, to: Cell) -> Cell {
        let after = result.turn.position.table();
        let come = (after.occupied() - self.expected.occupied()).lowest();
        come.filter(|_| after.at(to) == self.expected.at(to)).unwrap_or(to)
    }

    /// Somebody chose a cell: the result that is told by it. Moves that end there alike are asked
    /// for once more, by where they begin; rows from which it came off, by what else did.
    pub(super) fn choose(&mut self, cell: Cell, effects: &mut Effects) -> Option<Explained> {
        let is_told = |o: &Explained| self.telling_cell(o) == cell && self.fits(o);
        let mut told = self.question.options(&self.record).filter(is_told);
        let first = told.next()?;
        if told.next().is_none() {
            return Some(first);
        }
        drop(told);
        if self.is_taking() {
            return self.narrow(cell, effects);
        }
        let may_ask = |asked: &Asked| asked.ask != Ask::Origin && self.has_stacks();
        let asked = self.question.asked.filter(may_ask)?;
        let ends_there = |step: &Step| lights::ends(*step).is_some_and(|(_, to)| to == cell);
        self.question.steps.retain(ends_there);
        self.ask(Ask::Origin, asked.is_unseen, effects);
        None
    }

    /// Asks once more, for those results only that are told by a cell.
    fn narrow(&mut self, cell: Cell, effects: &mut Effects) -> Option<Explained> {
        let asked = self.question.asked?;
        let results = &self.question.results;
        let told: heapless::Vec<bool, { walk::RESULTS_MAX }> =
            results.iter().map(|result| self.telling_cell(result) == cell).collect();
        let mut told = told.into_iter();
        self.question.results.retain(|_| told.next() == Some(true));
        self.ask(asked.ask, asked.is_unseen, effects);
        None
    }

    /// Whether only rows are asked for, of which no sensor shows what was left standing.
    fn is_taking(&self) -> bool {
        let only_takes = |result: &Explained| {
            let steps = &result.turn.steps;
            !steps.is_empty() && steps.iter().all(|&step| part(step) == Part::Taking)
        };
        self.question.steps.is_empty() && self.question.results.iter().all(only_takes)
    }

    /// Whether several may be told by one cell: then they are asked for once more.
    fn is_narrowed(&self) -> bool {
        self.has_stacks() || self.is_taking()
    }

    /// Whether the picture can be this result, as far as it is at rest: as a whole, or with a stack
    /// of the next player already in his hand. GIPF: with the kind of piece seen on its dot since.
    pub(super) fn fits(&self, result: &Explained) -> bool {
        if !self.is_brought_as(&result.turn.steps) {
            return false;
        }
        let next = &result.turn.position;
        let differs = self.picture.differs(&next.table()) - self.picture.unrest;
        let lifted = differs - self.picture.occupied();
        differs.is_empty()
            || self.has_stacks()
                && lifted.len() == 1
                && (differs - (lifted & next.origins())).is_empty()
    }

    pub(super) fn has_stacks(&self) -> bool {
        matches!(self.record.position(), Position::Dvonn(_) | Position::Lyngk(_))
    }

    /// Whether numbers choose from what is asked for. In GLÜX, where they are values as well, only where
    /// there is something to choose: a yes is told by OK.
    pub fn is_answered_by_number(&self) -> bool {
        // Looked at with every scan, and candidates take long to find.
        self.question.is_open() && (self.profile() != Profile::Chips || self.candidates().len() > 1)
    }

    /// Whether a key is no answer: it was pressed before anybody could have read the question.
    pub(super) fn is_hasty(&self, now_ms: u32, answer_ms: u32) -> bool {
        let is_new = |asked: Asked| now_ms.wrapping_sub(asked.at_ms) < answer_ms;
        self.question.asked.is_some_and(is_new)
    }

    /// GLÜX: whether somebody went on playing instead of answering: then a number is a value. Who
    /// reaches for a key may touch a chip on the way; a chip comes or goes by playing only.
    pub(super) fn is_passed_over(&self) -> bool {
        let is_played = |event: &Event| !matches!(event, Event::Touch(..));
        self.profile() == Profile::Chips
            && (!self.picture.is_still() || self.history.since_mark().iter().any(is_played))
    }

    /// DVONN and LYNGK: whether a stack was lifted after the question and is not back: then a key does
    /// not answer what was asked before.
    pub(super) fn has_moved_on(&self) -> bool {
        let is_away = |event: &Event| match *event {
            Event::Lift(cell) => !self.picture.occupied().contains(cell),
            _ => false,
        };
        self.has_stacks()
            && self.question.is_open()
            && self.history.since_mark().iter().any(is_away)
    }

    /// Whether none of what is asked for is what lies there any more, or a piece was seen on its dot
    /// since that tells more.
    pub(super) fn is_question_stale(&self) -> bool {
        let mut options = self.question.options(&self.record);
        !options.any(|option| self.fits(&option))
            || self.question.options(&self.record).any(|o| !self.is_brought_as(&o.turn.steps))
    }

    /// Whether a result is one of those that are asked for, and nothing new speaks for it. While
    /// somebody gives an answer by hand only that decides, whatever else the picture shows.
    pub(super) fn is_asked(&self, result: &Explained) -> bool {
        let since = self.history.since_mark();
        let is_tapping = since.iter().any(|e| matches!(e, Event::Lift(_)));
        let is_same = |option: Explained| option.turn.position == result.turn.position;
        self.question.is_open()
            && (is_tapping || since.is_empty())
            && self.question.options(&self.record).any(is_same)
    }

    /// What was lifted and set down again since the question was asked.
    pub(super) fn answer_by_hand(&mut self, effects: &mut Effects) -> Option<Explained> {
        self.question.asked?;
        let events = self.history.since_mark();
        let is_tapped = |result: &Explained| {
            let cell = self.telling_cell(result);
            let lift = events.iter().position(|&event| event == Event::Lift(cell));
            lift.is_some_and(|at| events[at..].contains(&Event::Put(cell))) && self.fits(result)
        };
        let tapped = self.question.options(&self.record).filter(is_tapped);
        let mut cells = tapped.map(|result| self.telling_cell(&result));
        let cell = cells.next().filter(|first| cells.all(|cell| cell == *first))?;
        drop(cells);
        self.choose(cell, effects)
    }
}
