//! The flash behind the image, as the journal wants it.
//!
//! Code runs from this very flash: while it erases (45 ms, 400 at worst) or programs (0.4 ms, 3 at
//! worst) the processor stands still with interrupts off. A scan that runs is not harmed, since DMA
//! carries it; scans that become due are left out (`field`), the watchdog waits longer than that.
//! Between operations, and now and then while reading, other tasks get their turn: opening a full
//! journal takes seconds.

use core::cell::RefCell;

use embassy_futures::yield_now;
use embassy_rp::Peri;
use embassy_rp::flash::{Blocking, ERASE_SIZE, Error, Flash, READ_SIZE, WRITE_SIZE};
use embassy_rp::peripherals::FLASH;
use embassy_time::{Duration, Instant};
use embedded_storage_async::nor_flash::{ErrorType, NorFlash, ReadNorFlash};
use lodestone::wiring::flash::{ALL, SECTOR};
use static_cell::StaticCell;

/// How long one reads without letting others have their turn.
const READ_STRETCH: Duration = Duration::from_micros(500);

const _: () = assert!(ERASE_SIZE == SECTOR as usize);

/// The flash and what is known of its operations.
struct Chip {
    flash: Flash<'static, FLASH, Blocking, { ALL.size as usize }>,
    turn_at: Instant,
    longest: Longest,
}

impl Chip {
    fn erase(&mut self, sector: u32) -> Result<(), Error> {
        let start = Instant::now();
        self.flash.blocking_erase(sector, sector + SECTOR)?;
        let longest = &mut self.longest.erase_us;
        *longest = (start.elapsed().as_micros() as u32).max(*longest);
        Ok(())
    }

    fn program(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Error> {
        let start = Instant::now();
        self.flash.blocking_write(offset, bytes)?;
        let longest = &mut self.longest.program_us;
        *longest = (start.elapsed().as_micros() as u32).max(*longest);
        Ok(())
    }
}

/// The longest times the processor stood still.
#[derive(Clone, Copy, defmt::Format)]
pub(super) struct Longest {
    pub(super) program_us: u32,
    pub(super) erase_us: u32,
}

/// A hold on the flash; all holds are of the same one, and used by the same task.
#[derive(Clone, Copy)]
pub(super) struct Shared(&'static RefCell<Chip>);

impl Shared {
    /// The flash, and its own number, which no other has.
    pub(super) fn new(peripheral: Peri<'static, FLASH>) -> (Shared, u64) {
        static CHIP: StaticCell<RefCell<Chip>> = StaticCell::new();
        let mut flash = Flash::new_blocking(peripheral);
        let mut id = [0; 8];
        // Cannot fail on this core; zeros are a number as well.
        let _ = flash.blocking_unique_id(&mut id);
        let longest = Longest { program_us: 0, erase_us: 0 };
        let chip = Chip { flash, turn_at: Instant::MIN, longest };
        (Shared(CHIP.init(RefCell::new(chip))), u64::from_be_bytes(id))
    }

    /// The longest operations since the start.
    pub(super) fn longest(self) -> Longest {
        self.0.borrow().longest
    }

    async fn let_others_go(self) {
        yield_now().await;
        self.0.borrow_mut().turn_at = Instant::now();
    }
}

impl ErrorType for Shared {
    type Error = Error;
}

impl ReadNorFlash for Shared {
    const READ_SIZE: usize = READ_SIZE;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Error> {
        let turn_at = self.0.borrow().turn_at;
        if turn_at.elapsed() > READ_STRETCH {
            self.let_others_go().await;
        }
        self.0.borrow_mut().flash.blocking_read(offset, bytes)
    }

    fn capacity(&self) -> usize {
        ALL.size as usize
    }
}

impl NorFlash for Shared {
    const WRITE_SIZE: usize = WRITE_SIZE;
    const ERASE_SIZE: usize = ERASE_SIZE;

    /// Sector by sector, so that scans go on between them.
    async fn erase(&mut self, from: u32, to: u32) -> Result<(), Error> {
        for sector in (from..to).step_by(ERASE_SIZE) {
            self.0.borrow_mut().erase(sector)?;
            self.let_others_go().await;
        }
        Ok(())
    }

    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Error> {
        self.0.borrow_mut().program(offset, bytes)?;
        self.let_others_go().await;
        Ok(())
    }
}
