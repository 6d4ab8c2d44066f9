//! The flash as the journal sees it: nothing counts as written before it was read back.

use core::cell::Cell;

use embedded_storage_async::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash,
};

/// What a sector says of itself by its first and last byte, which sequential-storage writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Neither is written: erased.
    Open,
    /// The first is: being filled.
    Filling,
    /// Both are: full.
    Closed,
    /// Only the last is: an erase that was cut.
    Torn,
}

/// Why the medium fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault<E> {
    /// The flash says so.
    Flash(E),
    /// What was written or erased reads differently.
    NotKept,
}

impl<E: NorFlashError> NorFlashError for Fault<E> {
    fn kind(&self) -> NorFlashErrorKind {
        match self {
            Fault::Flash(error) => error.kind(),
            Fault::NotKept => NorFlashErrorKind::Other,
        }
    }
}

/// Reads back all that it writes or erases, and notes where it read last: the queue does not tell
/// where an item lies, but its data is the last thing read of it.
pub(super) struct Medium<'a, F> {
    pub(super) flash: &'a mut F,
    pub(super) read_at: &'a Cell<u32>,
}

/// What is read back at once; a multiple of every word size.
const CHUNK: usize = 64;

impl<F: NorFlash> Medium<'_, F> {
    /// Whether a range that consists of whole chunks is erased.
    pub(super) async fn is_blank(&mut self, from: u32, to: u32) -> Result<bool, Fault<F::Error>> {
        let mut chunk = [0; CHUNK];
        for at in (from..to).step_by(CHUNK) {
            self.read(at, &mut chunk).await?;
            if chunk != [0xFF; CHUNK] {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The state of the sector at this address. Half of a marker's bits decide, as in
    /// sequential-storage.
    pub(super) async fn state(&mut self, sector: u32) -> Result<State, Fault<F::Error>> {
        let first = self.is_marked(sector).await?;
        let last = self.is_marked(sector + (F::ERASE_SIZE - F::READ_SIZE) as u32).await?;
        Ok(match (first, last) {
            (false, false) => State::Open,
            (true, false) => State::Filling,
            (true, true) => State::Closed,
            (false, true) => State::Torn,
        })
    }

    async fn is_marked(&mut self, at: u32) -> Result<bool, Fault<F::Error>> {
        let mut chunk = [0xFF; CHUNK];
        self.read(at, &mut chunk[..F::READ_SIZE]).await?;
        Ok(chunk.iter().map(|byte| byte.count_zeros()).sum::<u32>() >= 4)
    }
}

impl<F: NorFlash> ErrorType for Medium<'_, F> {
    type Error = Fault<F::Error>;
}

impl<F: NorFlash> ReadNorFlash for Medium<'_, F> {
    const READ_SIZE: usize = F::READ_SIZE;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Self::Error> {
        self.read_at.set(offset);
        self.flash.read(offset, bytes).await.map_err(Fault::Flash)
    }

    fn capacity(&self) -> usize {
        self.flash.capacity()
    }
}

impl<F: NorFlash> NorFlash for Medium<'_, F> {
    const WRITE_SIZE: usize = F::WRITE_SIZE;
    const ERASE_SIZE: usize = F::ERASE_SIZE;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), Self::Error> {
        self.flash.erase(from, to).await.map_err(Fault::Flash)?;
        if self.is_blank(from, to).await? { Ok(()) } else { Err(Fault::NotKept) }
    }

    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Self::Error> {
        self.flash.write(offset, bytes).await.map_err(Fault::Flash)?;
        let mut chunk = [0; CHUNK];
        let mut at = offset;
        for written in bytes.chunks(CHUNK) {
            let read = &mut chunk[..written.len()];
            self.read(at, read).await?;
            if read != written {
                return Err(Fault::NotKept);
            }
            at += written.len() as u32;
        }
        Ok(())
    }
}
