//! What survives a power cut: the journal of games, options and calibration.
//!
//! Opened once at the start. A journal that cannot be opened is left as it is and said why; the
//! board then plays without one.

use defmt::Debug2Format;
use embassy_rp::flash::Error as FlashError;
use lodestone::geometry::Playfield;
use lodestone::journal::{Error, GAMES, Journal, Key, Record, SETTINGS, Settings};

use super::flash::Shared;

/// The most bytes of stored options.
const OPTIONS_MAX: usize = 32;

pub(super) struct Store {
    journal: Result<Journal<Shared>, Error<FlashError>>,
}

impl Store {
    /// Opens everything, and says what is there.
    pub(super) async fn open(flash: Shared) -> Store {
        let journal = Journal::open(flash, GAMES).await;
        match journal.as_ref().map(Journal::unfinished) {
            Ok(None) => defmt::info!("journal: no unfinished game"),
            Ok(Some(game)) => {
                defmt::info!("journal: game {} unfinished, {} steps", game.number, game.steps);
            }
            Err(error) => defmt::error!("journal: {}", Debug2Format(error)),
        }
        match Settings::open(flash, SETTINGS).await {
            Ok(settings) => tell(settings).await,
            Err(error) => defmt::error!("settings: {}", Debug2Format(&error)),
        }
        let mut store = Store { journal };
        store.make_room().await;
        store
    }

    /// Writes a record; when this returns `Ok`, it is there whatever happens.
    pub(super) async fn append(&mut self, record: &Record) -> Result<(), Error<FlashError>> {
        let journal = self.journal.as_mut().map_err(|error| *error)?;
        journal.append(record).await?;
        self.make_room().await;
        Ok(())
    }

    /// Whether a game has begun and not ended.
    pub(super) fn has_unfinished(&self) -> bool {
        self.journal.as_ref().is_ok_and(|journal| journal.unfinished().is_some())
    }

    /// Erases sectors ahead, so that no step has to; between games only, because it takes long.
    async fn make_room(&mut self) {
        let Ok(journal) = &mut self.journal else { return };
        if journal.unfinished().is_none()
            && let Err(error) = journal.erase_ahead().await
        {
            defmt::warn!("journal: {}", Debug2Format(&error));
        }
    }
}

/// Says which settings are there.
async fn tell(mut settings: Settings<Shared>) {
    for playfield in Playfield::ALL {
        match settings.calibration(playfield).await {
            Ok(None) => {}
            Ok(Some(Ok(_))) => defmt::info!("calibration: {}", playfield),
            Ok(Some(Err(error))) => {
                defmt::warn!("calibration: {}: {}", playfield, Debug2Format(&error));
            }
            Err(error) => defmt::error!("settings: {}", Debug2Format(&error)),
        }
    }
    match settings.load(Key::Options, &mut [0; OPTIONS_MAX]).await {
        Ok(None) => {}
        Ok(Some(_)) => defmt::info!("options: stored"),
        Err(error) => defmt::error!("settings: {}", Debug2Format(&error)),
    }
}
