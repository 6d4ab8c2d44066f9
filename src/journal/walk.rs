//! Which records make which game: the one reading of the sequence, for writing and for reading.

use super::history::STEPS_MAX;
use super::record::{End, Record, Unreadable};
use crate::games::any::Setup;

/// What is known of a game without playing it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Its number; wraps, but never within what fits the flash.
    pub number: u16,
    /// How it began.
    pub setup: Setup,
    /// What lots were drawn from.
    pub lot: u64,
    /// Steps that were not taken back.
    pub steps: u32,
    /// How it ended; `None` while it goes on, or when the end was lost.
    pub end: Option<End>,
    /// Whether no record is missing or odd. The steps before the damage are right all the same.
    pub sound: bool,
}

/// The game a walk is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running {
    pub(super) summary: Summary,
    /// Of the last record: its count, itself.
    count: u16,
    last: Record,
    /// Steps that undo can reach.
    depth: usize,
    /// Where its start lies.
    pub(super) sector: u32,
}

/// Goes from record to record.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Walk {
    pub(super) running: Option<Running>,
    /// The number of the next game.
    number: u16,
}

/// What a record did.
pub(super) struct Taken {
    /// Whether it belongs to a game and follows what came before.
    pub(super) counts: bool,
    /// The game that is over by it.
    pub(super) over: Option<Summary>,
}

impl Walk {
    /// The count a record gets if it comes next; `None` if it cannot come next.
    pub(super) fn count(&self, record: &Record) -> Option<u16> {
        match (&self.running, record) {
            (None, Record::Start { .. }) => Some(self.number),
            // The end of a damaged game is the one thing that can follow.
            (Some(game), _) if game.accepts(record) => Some(game.count.wrapping_add(1)),
            _ => None,
        }
    }

    /// Takes in what was read from, or written to, this sector. What comes before the first start
    /// belongs to a game that was dropped.
    pub(super) fn take(&mut self, sector: u32, read: Result<(u16, Record), Unreadable>) -> Taken {
        if let Ok((number, last @ Record::Start { setup, lot })) = read {
            let summary = Summary { number, setup, lot, steps: 0, end: None, sound: true };
            let before =
                self.running.replace(Running { summary, count: 0, last, depth: 0, sector });
            self.number = number.wrapping_add(1);
            // A start that had to be written twice is one; a game without an end lost it.
            let lost = before.filter(|game| game.summary.number != number);
            let over = lost.map(|game| Summary { sound: false, ..game.summary });
            return Taken { counts: true, over };
        }
        let Some(game) = self.running.as_mut() else { return Taken { counts: false, over: None } };
        let counts = game.take(read);
        let over = game.summary.end.map(|_| game.summary);
        if over.is_some() {
            self.running = None;
        }
        Taken { counts, over }
    }
}

impl Running {
    /// Takes in what comes behind the start; whether it follows what came before. The end of a
    /// damaged game counts wherever it comes.
    fn take(&mut self, read: Result<(u16, Record), Unreadable>) -> bool {
        match read {
            Ok((_, Record::End(end))) if !self.summary.sound => self.summary.end = Some(end),
            // Had to be written twice.
            Ok(twice) if twice == (self.count, self.last) => {}
            Ok((count, record)) if count == self.count.wrapping_add(1) && self.accepts(&record) => {
                self.go_on(count, record);
                return true;
            }
            _ => self.summary.sound = false,
        }
        false
    }

    /// Whether a record can follow.
    fn accepts(&self, record: &Record) -> bool {
        match record {
            Record::Start { .. } => false,
            Record::Step(_) => self.summary.sound && self.depth < STEPS_MAX,
            Record::Undo => self.summary.sound && self.depth > 0,
            Record::Checkpoint => self.summary.sound,
            Record::End(_) => true,
        }
    }

    fn go_on(&mut self, count: u16, record: Record) {
        (self.count, self.last) = (count, record);
        match record {
            Record::Step(_) => {
                self.depth += 1;
                self.summary.steps += 1;
            }
            Record::Undo => {
                self.depth -= 1;
                self.summary.steps -= 1;
            }
            Record::Checkpoint => self.depth = 0,
            Record::End(end) => self.summary.end = Some(end),
            Record::Start { .. } => {}
        }
    }
}
