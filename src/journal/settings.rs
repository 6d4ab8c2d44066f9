//! Options and calibration: a few values by key, each replaced as a whole.
//!
//! A power cut while a value is replaced leaves the old or the new one. Each value has a version of
//! its own, which its owner checks; a calibration that cannot be used is as good as none, and says
//! why.

use core::cell::Cell;
use core::ops::Range;

use embedded_storage_async::nor_flash::NorFlash;
use sequential_storage::cache::Cache;
use sequential_storage::map::{MapConfig, MapStorage};

use super::medium::Medium;
use super::{Error, Journal};
use crate::geometry::Playfield;
use crate::link::Options;
use crate::sense::{Calibration, StoredError};

/// What is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Key {
    /// What people chose in the menu.
    Options = 1,
    /// Zero and gain of the hex playfield.
    HexCalibration = 2,
    /// Zero and gain of the square playfield.
    SquareCalibration = 3,
}

impl Key {
    const fn calibration(playfield: Playfield) -> Key {
        match playfield {
            Playfield::Hex => Key::HexCalibration,
            Playfield::Square => Key::SquareCalibration,
        }
    }
}

/// Bytes of stored options at most: five small fields.
const OPTIONS_MAX: usize = 16;
/// The most bytes of a value.
const VALUE_MAX: usize = Calibration::BYTES;
/// A value with its key, in whole words of any flash.
const BUFFER: usize = (1 + VALUE_MAX).next_multiple_of(32);

/// The values of a flash region.
pub struct Settings<F> {
    pub(super) flash: F,
    region: Range<u32>,
}

impl<F: NorFlash> Settings<F> {
    /// Opens the settings of a region, which may be erased or in whatever state a power cut left it.
    /// It is a ring of sectors as the journal is, and mended alike.
    pub async fn open(flash: F, region: Range<u32>) -> Result<Settings<F>, Error<F::Error>> {
        let mut ring = Journal::unopened(flash, region.clone())?;
        ring.mend().await?;
        Ok(Settings { flash: ring.close(), region })
    }

    /// Gives the flash back.
    pub fn close(self) -> F {
        self.flash
    }

    /// Replaces a value. The same value again writes nothing.
    pub async fn store(&mut self, key: Key, value: &[u8]) -> Result<(), Error<F::Error>> {
        if value.len() > VALUE_MAX {
            return Err(Error::Full);
        }
        let mut buffer = [0; BUFFER];
        let read_at = Cell::new(0);
        let config = MapConfig::try_new(self.region.clone()).map_err(|_| Error::Region)?;
        let medium = Medium { flash: &mut self.flash, read_at: &read_at };
        let mut map = MapStorage::<u8, _, _>::new(medium, config, Cache::new_uncached());
        let old = map.fetch_item::<&[u8]>(&mut buffer, &(key as u8)).await?;
        if old == Some(value) {
            return Ok(());
        }
        Ok(map.store_item(&mut buffer, &(key as u8), &value).await?)
    }

    /// Reads a value into `to` and returns it; `None` when it was never stored.
    pub async fn load<'a>(
        &mut self,
        key: Key,
        to: &'a mut [u8],
    ) -> Result<Option<&'a [u8]>, Error<F::Error>> {
        let mut buffer = [0; BUFFER];
        let read_at = Cell::new(0);
        let config = MapConfig::try_new(self.region.clone()).map_err(|_| Error::Region)?;
        let medium = Medium { flash: &mut self.flash, read_at: &read_at };
        let mut map = MapStorage::<u8, _, _>::new(medium, config, Cache::new_uncached());
        let Some(value) = map.fetch_item::<&[u8]>(&mut buffer, &(key as u8)).await? else {
            return Ok(None);
        };
        let place = to.get_mut(..value.len()).ok_or(Error::Unreadable)?;
        place.copy_from_slice(value);
        Ok(Some(place))
    }

    /// Keeps the options.
    pub async fn store_options(&mut self, options: Options) -> Result<(), Error<F::Error>> {
        let mut bytes = [0; OPTIONS_MAX];
        let bytes = postcard::to_slice(&options, &mut bytes).map_err(|_| Error::Full)?;
        self.store(Key::Options, bytes).await
    }

    /// The options, if they were kept and can be read.
    pub async fn options(&mut self) -> Result<Option<Options>, Error<F::Error>> {
        let mut bytes = [0; OPTIONS_MAX];
        let stored = self.load(Key::Options, &mut bytes).await?;
        Ok(stored.and_then(|bytes| postcard::from_bytes(bytes).ok()))
    }

    /// Stores a calibration.
    pub async fn store_calibration(
        &mut self,
        calibration: &Calibration,
    ) -> Result<(), Error<F::Error>> {
        self.store(Key::calibration(calibration.playfield()), &calibration.to_bytes()).await
    }

    /// The calibration of a playfield: `None` when there is none, or why it is not used.
    pub async fn calibration(
        &mut self,
        playfield: Playfield,
    ) -> Result<Option<Result<Calibration, StoredError>>, Error<F::Error>> {
        let mut bytes = [0; VALUE_MAX];
        let stored = self.load(Key::calibration(playfield), &mut bytes).await?;
        Ok(stored.map(|bytes| Calibration::from_bytes(playfield, bytes)))
    }
}
