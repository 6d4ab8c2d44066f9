//! What survives a power cut: the journal of games, options and calibration.
//!
//! Opened once at the start. A journal that cannot be opened is left as it is and said why; the
//! board then plays without one. What fails is logged here, callers only learn that it did.

use embassy_rp::flash::Error as FlashError;
use lodestone::geometry::Playfield;
use lodestone::journal::{
    Error, GAMES, History, Journal, Record, SETTINGS, Settings, Summary, VERSION,
};
use lodestone::link::Options;
use lodestone::sense::Calibration;

use super::flash::Shared;

/// The flash did not do it.
#[derive(Clone, Copy)]
pub(super) struct Failed;

pub(super) struct Store {
    flash: Shared,
    journal: Option<Journal<Shared>>,
    settings: Option<Settings<Shared>>,
}

impl Store {
    /// Opens everything, and says what is there.
    pub(super) async fn open(flash: Shared) -> Store {
        let journal = Journal::open(flash, GAMES).await;
        let settings = Settings::open(flash, SETTINGS).await;
        let mut store = Store {
            flash,
            journal: journal.inspect_err(|error| log("journal", error)).ok(),
            settings: settings.inspect_err(|error| log("settings", error)).ok(),
        };
        match store.unfinished() {
            None => {
                defmt::info!("journal: no unfinished game");
                store.erase_ahead().await;
            }
            Some(game) => {
                defmt::info!("journal: game {} unfinished, {} steps", game.number, game.steps);
            }
        }
        store
    }

    /// The calibration of a playfield; one of a board that was never zeroed when there is none, or
    /// none that can be used.
    pub(super) async fn calibration(&mut self, playfield: Playfield) -> Calibration {
        let none = Calibration::none(playfield);
        let Some(settings) = &mut self.settings else { return none };
        match settings.calibration(playfield).await {
            Ok(Some(Ok(calibration))) => {
                defmt::info!("calibration: {}", playfield);
                return calibration;
            }
            Ok(None) => {}
            Ok(Some(Err(error))) => {
                defmt::warn!("calibration: {}: StoredError {=u8}", playfield, error as u8);
            }
            Err(error) => log("settings", &error),
        }
        none
    }

    /// The options; those of a new board when there are none.
    pub(super) async fn options(&mut self) -> Options {
        let Some(settings) = &mut self.settings else { return Options::DEFAULT };
        settings
            .options()
            .await
            .inspect_err(|error| log("settings", error))
            .ok()
            .flatten()
            .unwrap_or(Options::DEFAULT)
    }

    /// Keeps the calibration; what is not kept is asked for again at the next start.
    pub(super) async fn save_calibration(&mut self, calibration: &Calibration) {
        if let Some(settings) = &mut self.settings
            && let Err(error) = settings.store_calibration(calibration).await
        {
            log("settings", &error);
        }
    }

    /// Keeps the options; those that are not kept are as before at the next start.
    pub(super) async fn save_options(&mut self, options: Options) {
        if let Some(settings) = &mut self.settings
            && let Err(error) = settings.store_options(options).await
        {
            log("settings", &error);
        }
    }

    /// The game that has begun and not ended.
    pub(super) fn unfinished(&self) -> Option<&Summary> {
        self.journal.as_ref()?.unfinished()
    }

    /// Writes a record; when this returns `Ok`, it is there whatever happens.
    pub(super) async fn append(&mut self, record: &Record) -> Result<(), Failed> {
        logged(self.journal.as_mut().ok_or(Failed)?.append(record).await)
    }

    /// Erases sectors ahead, so that no step has to; between games only, because it takes long.
    pub(super) async fn erase_ahead(&mut self) {
        if let Some(journal) = &mut self.journal {
            // What is not erased now is erased when it is needed.
            let _ = logged(journal.erase_ahead().await);
        }
    }

    /// Erases all games.
    pub(super) async fn format(&mut self) -> Result<(), Failed> {
        self.journal = None;
        self.journal = Some(logged(Journal::format(self.flash, GAMES).await)?);
        Ok(())
    }

    /// Reads a game into `history`.
    pub(super) async fn load(
        &mut self,
        number: u16,
        history: &mut History,
    ) -> Result<Option<Summary>, Failed> {
        logged(self.journal.as_mut().ok_or(Failed)?.load(number, history).await)
    }

    /// Writes a game as a record; `None` when it is not there.
    pub(super) async fn write_game(
        &mut self,
        number: u16,
        history: &mut History,
        to: &mut impl core::fmt::Write,
    ) -> Result<Option<Summary>, Failed> {
        logged(self.journal.as_mut().ok_or(Failed)?.write_game(number, history, to).await)
    }

    /// Shows all games, oldest first; the unfinished one is the last.
    pub(super) async fn games(&mut self, mut visit: impl FnMut(&Summary)) -> Result<(), Failed> {
        let journal = self.journal.as_mut().ok_or(Failed)?;
        logged(journal.finished(&mut visit).await)?;
        journal.unfinished().map(visit);
        Ok(())
    }
}

fn logged<T>(outcome: Result<T, Error<FlashError>>) -> Result<T, Failed> {
    outcome.map_err(|error| {
        log("journal", &error);
        Failed
    })
}

fn log(what: &str, error: &Error<FlashError>) {
    match error {
        Error::Version(version) => defmt::error!(
            "{=str}: of version {=u8}, this image reads {=u8}; it is left as it is",
            what,
            version,
            VERSION
        ),
        error => defmt::error!("{=str}: {}", what, error),
    }
}
