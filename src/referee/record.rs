//! The steps of a game, where its turns began, and the way back.
//!
//! A turn is what one player does before another acts: takings, one main step, takings. After a
//! forced pass the same player begins a new turn. Going back is playing again from the beginning:
//! positions keep no history. When the memory for steps is full the game goes on from where it is,
//! and the way back ends there. All steps are kept small, as the journal has them; those of the last
//! turns, which are looked at all the time, also as they are.

use heapless::Vec;

use crate::games::any::{Position, Step};
use crate::games::{Game, gipf, lyngk, yinsh};
use crate::journal::Packed;

/// Steps kept. Only GIPF has no bound of its own.
pub const STEPS_MAX: usize = 2048;
/// The last steps, kept as they are; the older half goes when there is no room. Two turns always
/// fit a half.
const RECENT_MAX: usize = 4 * super::walk::TURN_MAX;

/// What a step is in its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// Takes pieces off, before or after the main step.
    Taking,
    /// Goes before the main step and changes nothing on the board.
    Claim,
    /// What a turn has one of.
    Main,
}

/// What a step is in its turn.
pub(super) fn part(step: Step) -> Part {
    match step {
        Step::Gipf(gipf::Step::Take { .. })
        | Step::Yinsh(yinsh::Step::TakeRow { .. } | yinsh::Step::TakeRing(_)) => Part::Taking,
        Step::Lyngk(lyngk::Step::Claim(_)) => Part::Claim,
        _ => Part::Main,
    }
}

/// A position of the game and how many steps led to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    /// The position.
    pub(super) position: Position,
    /// Steps before it.
    pub(super) count: usize,
}

/// The game so far.
pub(super) struct Record {
    /// Where the kept steps begin: the set-up, or where the memory was full.
    base: Moment,
    steps: Vec<Packed, STEPS_MAX>,
    /// The last of them.
    recent: Vec<Step, RECENT_MAX>,
    now: Moment,
    /// Where the current turn began.
    turn: Moment,
    /// Where the turn before it began.
    turn_before: Option<Moment>,
    /// Whether the main step of the current turn is made.
    main_done: bool,
}

impl Record {
    /// No step yet.
    pub(super) const fn new(position: &Position) -> Record {
        let base = Moment { position: *position, count: 0 };
        Record {
            base,
            steps: Vec::new(),
            recent: Vec::new(),
            now: base,
            turn: base,
            turn_before: None,
            main_done: false,
        }
    }

    /// Begins anew, in place (a record is too large for a stack), where so many steps have led to.
    pub(super) fn start(&mut self, position: &Position, count: usize) {
        self.base = Moment { position: *position, count };
        self.go_back(count);
    }

    /// The position now.
    pub(super) fn position(&self) -> &Position {
        &self.now.position
    }

    /// How many steps were made.
    pub(super) fn count(&self) -> usize {
        self.now.count
    }

    /// The last steps: at least those of the current turn and the one before.
    pub(super) fn steps(&self) -> &[Step] {
        &self.recent
    }

    /// All steps that are kept, from the beginning or from where the memory was full.
    pub(super) fn kept(&self) -> impl Iterator<Item = Step> {
        let id = self.base.position.id();
        self.steps.iter().filter_map(move |packed| packed.step(id))
    }

    /// The steps after so many; of those before the last two turns not all.
    pub(super) fn steps_from(&self, count: usize) -> &[Step] {
        let first = self.now.count - self.recent.len();
        self.recent.get(count.saturating_sub(first)..).unwrap_or(&[])
    }

    /// Where the current turn began.
    pub(super) fn turn(&self) -> &Moment {
        &self.turn
    }

    /// Where the turn before the current one began; `None` in the first turn and where the kept
    /// steps begin.
    pub(super) fn turn_before(&self) -> Option<&Moment> {
        self.turn_before.as_ref()
    }

    /// Whether the player in turn has made a step of his turn.
    pub(super) fn has_begun(&self) -> bool {
        self.turn.count != self.now.count
    }

    /// Adds a legal step. `true` when the memory was full and the way back begins here anew.
    pub(super) fn push(&mut self, step: Step) -> bool {
        let full = self.steps.is_full();
        if full {
            (self.base, self.turn, self.turn_before) = (self.now, self.now, None);
            self.steps.clear();
            self.recent.clear();
        }
        // Every step of a position has a number, and there is room.
        let _ = Packed::new(step).map(|packed| self.steps.push(packed));
        self.play(step);
        full
    }

    fn play(&mut self, step: Step) {
        if self.recent.is_full() {
            self.recent.drain(..RECENT_MAX / 2);
        }
        let _ = self.recent.push(step);
        let player = self.now.position.turn();
        self.now.position.play_unchecked(step);
        self.now.count += 1;
        self.main_done |= part(step) == Part::Main;
        let now = &self.now.position;
        let passed = self.main_done && now.steps().next().is_some_and(|s| part(s) != Part::Taking);
        if now.turn() != player || passed {
            self.turn_before = Some(self.turn);
            self.turn = self.now;
            self.main_done = false;
        }
    }

    /// Goes back to when so many steps were made; not further than the kept steps reach.
    pub(super) fn go_back(&mut self, count: usize) {
        let keep = count.saturating_sub(self.base.count).min(self.steps.len());
        self.steps.truncate(keep);
        self.recent.clear();
        (self.now, self.turn, self.turn_before, self.main_done) =
            (self.base, self.base, None, false);
        let id = self.base.position.id();
        for at in 0..keep {
            if let Some(step) = self.steps[at].step(id) {
                self.play(step);
            }
        }
    }

    /// Whether there is a step to go back.
    pub(super) fn can_go_back(&self) -> bool {
        !self.steps.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Id;
    use crate::games::any::Setup;

    fn record(texts: &str) -> Record {
        let mut record = Record::new(&Setup::of(Id::GipfBasic).position());
        for text in texts.split(' ') {
            let step = record.position().parse_step(text.as_bytes()).unwrap();
            assert!(record.position().check(step).is_ok(), "{text}");
            record.push(step);
        }
        record
    }

    #[test]
    fn a_turn_lasts_until_its_rows_are_taken() {
        let mut record = record("e1-e2 c1-c2 e1-e2 g1-g2 e1-e2");
        assert!(record.has_begun());
        assert_eq!(record.turn().count, 4);
        let take = record.position().parse_step(b"xe2-e5").unwrap();
        record.push(take);
        assert!(!record.has_begun());
        assert_eq!(record.turn_before().unwrap().count, 4);
    }

    #[test]
    fn going_back_is_playing_again() {
        let shorter = record("a2-b3 a3-b4");
        let mut longer = record("a2-b3 a3-b4 e1-e2 c1-c2");
        longer.go_back(2);
        assert!(longer.position() == shorter.position());
        assert_eq!((longer.count(), longer.steps().len(), longer.turn().count), (2, 2, 2));
        longer.go_back(0);
        assert!(!longer.can_go_back() && longer.turn_before().is_none());
    }
}
