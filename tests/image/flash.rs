//! A copy of a flash on the PC, so that the library can read what the image wrote.

use std::convert::Infallible;

use embassy_futures::block_on;
use embedded_storage_async::nor_flash::{ErrorType, NorFlash, ReadNorFlash};
use lodestone::journal::{GAMES, Journal};
use lodestone::wiring::flash::{ALL, JOURNAL, SECTOR};

use crate::machine::Machine;

/// The bytes of the journal's region.
pub(crate) struct Copy(pub(crate) Vec<u8>);

impl Copy {
    /// Before anything was written.
    pub(crate) fn blank() -> Copy {
        Copy(vec![0xff; JOURNAL.size as usize])
    }

    /// What a machine has.
    pub(crate) fn of(machine: &mut Machine) -> Copy {
        Copy(machine.emulator.read_flash(JOURNAL).unwrap())
    }

    /// Opened as the image would.
    pub(crate) fn journal(self) -> Journal<Copy> {
        block_on(Journal::open(self, GAMES)).expect("the journal can be read")
    }

    fn at(offset: u32) -> usize {
        (offset - GAMES.start) as usize
    }
}

impl ErrorType for Copy {
    type Error = Infallible;
}

impl ReadNorFlash for Copy {
    const READ_SIZE: usize = 1;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.copy_from_slice(&self.0[Copy::at(offset)..][..bytes.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        ALL.size as usize
    }
}

impl NorFlash for Copy {
    const WRITE_SIZE: usize = 1;
    const ERASE_SIZE: usize = SECTOR as usize;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), Infallible> {
        self.0[Copy::at(from)..Copy::at(to)].fill(0xff);
        Ok(())
    }

    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Infallible> {
        let place = &mut self.0[Copy::at(offset)..][..bytes.len()];
        place.iter_mut().zip(bytes).for_each(|(old, new)| *old &= new);
        Ok(())
    }
}
