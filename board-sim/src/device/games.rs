//! Games of the journal as records.

use embassy_futures::block_on;
use lodestone::games::Game;
use lodestone::games::any::{Setup, Step};
use lodestone::journal::End;

use super::{Device, loaded};
use crate::record::Record;

/// A game of the journal.
#[derive(Clone, Debug)]
pub struct StoredGame {
    /// Its number.
    pub number: u32,
    setup: Setup,
    end: Option<End>,
    steps: Vec<Step>,
}

impl StoredGame {
    /// The whole record.
    pub fn text(&self) -> String {
        let mut record = self.record();
        record.steps.clone_from(&self.steps);
        record.to_string()
    }

    /// The tags alone.
    pub fn tags(&self) -> String {
        let text = self.record().to_string();
        text.split("\n\n").next().unwrap_or_default().to_string()
    }

    fn record(&self) -> Record {
        let mut record = Record::new(self.setup.position().id(), self.setup);
        if let Some(End::Rules(outcome) | End::Resigned(_, outcome)) = self.end {
            record.result = outcome.to_string();
        }
        record.tags.push(("Result".into(), record.result.clone()));
        record
    }
}

impl Device {
    /// All games, oldest first, without their steps; the unfinished one is the last.
    pub(super) fn games(&mut self) -> Option<Vec<StoredGame>> {
        let journal = self.journal.as_mut()?;
        let mut games = Vec::new();
        block_on(journal.finished(|game| games.push(*game))).ok()?;
        games.extend(journal.unfinished());
        let stored = games.into_iter().map(|game| StoredGame {
            number: game.number.into(),
            setup: game.setup,
            end: game.end,
            steps: Vec::new(),
        });
        Some(stored.collect())
    }

    /// One game with its steps.
    pub(super) fn game(&mut self, number: u32) -> Option<StoredGame> {
        let game = self.games()?.into_iter().find(|game| game.number == number)?;
        let (history, _) = loaded(self.journal.as_mut()?, number as u16)?;
        Some(StoredGame { steps: history.steps().collect(), ..game })
    }
}
