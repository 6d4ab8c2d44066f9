//! The board's flash in memory, and in a file if it shall outlive the program.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use embassy_futures::block_on;
use embedded_storage_async::nor_flash::{
    ErrorType, MultiwriteNorFlash, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash,
};
use lodestone::journal::{SETTINGS, Settings};
use lodestone::sense::Calibration;
use lodestone::wiring::{Region, flash};

const SECTOR: usize = 4096;

struct Contents {
    bytes: Vec<u8>,
    file: Option<File>,
}

/// A NOR flash of the chip's size; clones are the same flash.
#[derive(Clone)]
pub struct Flash(Arc<Mutex<Contents>>);

/// What a flash operation can fail with.
#[derive(Debug)]
pub enum FlashError {
    /// Not on whole words or sectors, or beyond the end.
    Bounds(NorFlashErrorKind),
    /// The file failed.
    File(io::Error),
}

impl fmt::Display for FlashError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FlashError::Bounds(kind) => write!(f, "the flash has no such place: {kind:?}"),
            FlashError::File(error) => write!(f, "the file of the flash: {error}"),
        }
    }
}

impl std::error::Error for FlashError {}

impl NorFlashError for FlashError {
    fn kind(&self) -> NorFlashErrorKind {
        match self {
            FlashError::Bounds(kind) => *kind,
            FlashError::File(_) => NorFlashErrorKind::Other,
        }
    }
}

impl From<io::Error> for FlashError {
    fn from(error: io::Error) -> FlashError {
        FlashError::File(error)
    }
}

impl Flash {
    /// An erased one in memory.
    pub fn erased() -> Flash {
        let bytes = vec![0xFF; flash::ALL.size as usize];
        Flash(Arc::new(Mutex::new(Contents { bytes, file: None })))
    }

    /// One that is kept in a file; what the file lacks is erased.
    pub fn in_file(path: &Path) -> io::Result<Flash> {
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        bytes.resize(flash::ALL.size as usize, 0xFF);
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&bytes)?;
        Ok(Flash(Arc::new(Mutex::new(Contents { bytes, file: Some(file) }))))
    }

    /// Stores a calibration, unless there is one for this playfield. One without zeros is none.
    pub fn set_calibration(&self, calibration: &Calibration) {
        let playfield = calibration.playfield();
        let stored = async {
            let mut settings = Settings::open(self.clone(), SETTINGS).await?;
            let is_none = calibration.unzeroed().len() == playfield.point_count();
            if is_none || settings.calibration(playfield).await?.is_some() {
                return Ok(());
            }
            settings.store_calibration(calibration).await
        };
        block_on(stored).expect("the flash takes settings");
    }

    /// What is in a region.
    pub fn region(&self, region: Region) -> Vec<u8> {
        let start = (region.start - flash::ALL.start) as usize;
        self.with(|contents| contents.bytes[start..start + region.size as usize].to_vec())
    }

    /// Whether a file keeps it.
    pub fn is_in_file(&self) -> bool {
        self.with(|contents| contents.file.is_some())
    }

    /// Makes a region what it is elsewhere; sectors that are the same are left alone.
    pub fn set_region(&self, region: Region, bytes: &[u8]) -> Result<(), FlashError> {
        let start = (region.start - flash::ALL.start) as usize;
        self.with(|contents| {
            for (at, sector) in (start..).step_by(SECTOR).zip(bytes.chunks(SECTOR)) {
                if contents.bytes[at..at + sector.len()] != *sector {
                    contents.change(at, sector.iter().copied())?;
                }
            }
            Ok(())
        })
    }

    /// So many bytes from an offset, if they are there and in whole units.
    fn range(&self, at: u32, len: usize, unit: usize) -> Result<Range<usize>, FlashError> {
        let range = at as usize..at as usize + len;
        if range.end > self.capacity() {
            return Err(FlashError::Bounds(NorFlashErrorKind::OutOfBounds));
        }
        if range.start % unit != 0 || range.end % unit != 0 {
            return Err(FlashError::Bounds(NorFlashErrorKind::NotAligned));
        }
        Ok(range)
    }

    fn with<R>(&self, work: impl FnOnce(&mut Contents) -> R) -> R {
        // A panic while it was locked left whole bytes behind, as a power cut would.
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Contents {
    fn change(&mut self, at: usize, bytes: impl Iterator<Item = u8>) -> Result<(), FlashError> {
        let mut end = at;
        for byte in bytes {
            self.bytes[end] = byte;
            end += 1;
        }
        if let Some(file) = &mut self.file {
            file.seek(SeekFrom::Start(at as u64))?;
            file.write_all(&self.bytes[at..end])?;
            file.flush()?;
        }
        Ok(())
    }
}

impl ErrorType for Flash {
    type Error = FlashError;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = 1;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), FlashError> {
        let at = self.range(offset, bytes.len(), 1)?.start;
        self.with(|contents| bytes.copy_from_slice(&contents.bytes[at..at + bytes.len()]));
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.with(|contents| contents.bytes.len())
    }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = 1;
    const ERASE_SIZE: usize = SECTOR;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), FlashError> {
        self.range(from, to.saturating_sub(from) as usize, SECTOR)?;
        let blank = (from..to).map(|_| 0xFF);
        self.with(|contents| contents.change(from as usize, blank))
    }

    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), FlashError> {
        let at = self.range(offset, bytes.len(), 1)?.start;
        self.with(|contents| {
            let old: Vec<u8> = contents.bytes[at..at + bytes.len()].to_vec();
            contents.change(at, old.into_iter().zip(bytes).map(|(old, new)| old & new))
        })
    }
}

impl MultiwriteNorFlash for Flash {}
