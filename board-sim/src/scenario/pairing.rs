//! Every refusal ends: by exactly one `back-in-play`, before the step that may come of it.

use lodestone::link::Task;

use crate::pipe::{Event, Output};

/// Watches what a board says for refusals that do not end as they should.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// A refusal that has not ended.
    is_refused: bool,
    /// Pieces are being put back, which ends in the same way.
    is_restored: bool,
}

impl Default for Pairing {
    /// At power-up: a game may be gone on with.
    fn default() -> Pairing {
        Pairing { is_refused: false, is_restored: true }
    }
}

impl Pairing {
    /// Whether a refusal has not ended yet.
    pub fn is_open(&self) -> bool {
        self.is_refused
    }

    /// The power went: nothing is open any more, and a game may be gone on with.
    pub fn power_cut(&mut self) {
        *self = Pairing::default();
    }

    /// Looks at the next thing a board says.
    pub fn see(&mut self, output: &Output) -> Result<(), String> {
        let Output::Event(event) = output else { return Ok(()) };
        match event {
            Event::Refused { .. } if self.is_refused => {
                return Err(format!("refused again without an end before: {event:?}"));
            }
            Event::Refused { .. } => self.is_refused = true,
            Event::BackInPlay {} if !self.is_refused && !self.is_restored => {
                return Err("back in play, but nothing was refused or restored".into());
            }
            Event::BackInPlay {} => (self.is_refused, self.is_restored) = (false, false),
            Event::Committed { .. } if self.is_refused => {
                return Err(format!("committed before the refusal ended: {event:?}"));
            }
            // A question may be cancelled, with nothing to put back.
            Event::Undone { .. }
            | Event::Prompt { task: Task::Restore, .. }
            | Event::Question { .. } => self.is_restored = true,
            _ => {}
        }
        Ok(())
    }
}
