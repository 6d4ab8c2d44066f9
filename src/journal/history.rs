//! The steps of one game in memory, so far as undo can reach.

use heapless::Vec;

use super::record::id;
use super::step::Packed;
use crate::games::Game;
use crate::games::any::{Position, Setup, Step};

/// Steps that undo can reach. GIPF is the only game that can have more.
pub const STEPS_MAX: usize = 2048;

/// A game as it was played: where undo ends, and the steps since. About 9 KiB: keep one, in place.
#[derive(Clone, Debug)]
pub struct History {
    setup: Setup,
    base: Position,
    now: Position,
    steps: Vec<Packed, STEPS_MAX>,
}

/// Why a history does not change as asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The step is not legal here.
    Illegal,
    /// There are [`STEPS_MAX`] steps: a checkpoint is due.
    CheckpointDue,
    /// There is no step to take back.
    NothingToUndo,
}

impl History {
    /// A game before its first step.
    pub fn new(setup: Setup) -> History {
        let base = setup.position();
        History { setup, base, now: base, steps: Vec::new() }
    }

    /// Begins anew, in place.
    pub fn restart(&mut self, setup: Setup) {
        self.setup = setup;
        self.base = setup.position();
        self.now = self.base;
        self.steps.clear();
    }

    /// How the game began.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Where undo ends: the set-up, or the last checkpoint.
    pub fn base(&self) -> &Position {
        &self.base
    }

    /// The position after all steps.
    pub fn position(&self) -> &Position {
        &self.now
    }

    /// The steps since [`History::base`].
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        let id = id(&self.setup);
        self.steps.iter().filter_map(move |packed| packed.step(id))
    }

    /// How many steps undo can take back.
    pub fn depth(&self) -> usize {
        self.steps.len()
    }

    /// Plays a step.
    pub fn play(&mut self, packed: Packed) -> Result<(), Refused> {
        let step = packed.step(self.now.id()).ok_or(Refused::Illegal)?;
        if self.steps.is_full() {
            return Err(Refused::CheckpointDue);
        }
        self.now.play(step).map_err(|_| Refused::Illegal)?;
        self.steps.push(packed).map_err(|_| Refused::CheckpointDue)
    }

    /// Takes the last step back, by playing all others again.
    pub fn undo(&mut self) -> Result<(), Refused> {
        self.steps.pop().ok_or(Refused::NothingToUndo)?;
        let mut now = self.base;
        for step in self.steps() {
            now.play_unchecked(step);
        }
        self.now = now;
        Ok(())
    }

    /// Undo goes back to here only.
    pub fn checkpoint(&mut self) {
        self.base = self.now;
        self.steps.clear();
    }
}
