//! What must survive a power cut: the games as records, options and calibration beside them.
//!
//! For the console, which writes before it shows, and for the link, which lists and reads. No task,
//! no clock, no chip: everything works on a NOR flash behind `embedded-storage-async`'s trait, and
//! the `async` functions need no executor of their own; whoever calls them awaits them.
//!
//! ```text
//! Journal    a ring of sectors, oldest record first (sequential-storage's queue)
//!   game 7: start step step undo step .. end   game 8: start step ..   | erased | oldest games ..
//! Settings   a few values by key (sequential-storage's map)
//! ```
//!
//! *Why sequential-storage*: it only appends, uses the sectors in turn, needs no cache or heap, was
//! made for power cuts and is tried by its authors with a cut at every operation; a change of its
//! layout is a new major version. It guarantees that after a cut everything stored before is there,
//! and that the item under way is there or not. Its check sums (16 bits over an item's length, 32
//! over its data) tell a damaged item, *but it then leaves the item out without a word*. That does
//! not suffice: a step missing in the middle would give another game. So every record has its place
//! in the game (`record`), and what does not follow is never played. It does not read back what it
//! writes (`medium` does), and takes a sector whose erase was cut for the youngest when the end went
//! before the beginning ([`Journal::open`] erases such a sector again before anything else).
//!
//! What is promised, and tested with a cut in every flash operation:
//! - When `append` returns `Ok`, the record is there after any power cut. The one under way is
//!   there or not. Order is kept.
//! - The oldest finished games are dropped, sector by sector, when space is needed; the unfinished
//!   one never. A game that fills the whole region by itself gets [`Error::Full`]: it can go on
//!   without journal, or be ended, which is always possible but may cost its record.
//! - When a record was not stored, no later one of its game is, but the end: what is there stays a
//!   beginning of the game as it was played.
//! - An erase stops the chip for some 45 ms. [`Journal::erase_ahead`] between games keeps two
//!   sectors erased: 620 records without an erase.
//! - A damaged record: its game is unsound from there on. The steps before are given, further ones
//!   refused; ending it is possible. (To go on: end it, start again, write the steps once more.)
//! - A record of another version: [`Error::Version`], nothing is changed. Whatever else cannot have
//!   been written by this code: [`Error::Unreadable`]. [`Journal::format`] is the way out of both.
//! - Places that do not keep what is written are passed over. A sector that takes nothing at all is
//!   the end of the journal, [`Error::Worn`]: what is there can be read, and the game goes on without.
//!
//! *Two years of play*: a record is 3 bytes, a step 1 to 3 more (nearly always 2), sequential-storage
//! adds 8: 13 bytes, so 314 steps a sector (4094 bytes) and 75,000 in 240 sectors. Three games of
//! 100 steps a day are 219,000 steps in two years: every sector is erased three times, and the games
//! of the last eight months are still there. The flash is made for 100,000 erases, which is 7.5
//! billion steps or 68,000 years; even one game after the other without a break, a step a second,
//! takes 238.

mod history;
mod medium;
mod record;
mod settings;
mod step;
#[cfg(test)]
mod tests;
mod text;
mod walk;

use core::cell::Cell;
use core::fmt::Write;
use core::ops::Range;

use embedded_storage_async::nor_flash::NorFlash;
use sequential_storage::Error as StorageError;
use sequential_storage::cache::Cache;
use sequential_storage::queue::{QueueConfig, QueueStorage};

use crate::wiring::{Region, flash};
pub use history::{History, Refused, STEPS_MAX};
use medium::{Fault, Medium, State};
pub use record::{BYTES_MAX, End, READ_MAX, Record, Unreadable, VERSION};
pub use settings::{Key, Settings};
pub use step::Packed;
pub use text::{Window, write_tags};
pub use walk::Summary;
use walk::{Taken, Walk};

/// Where games are, as offsets into the flash.
pub const GAMES: Range<u32> = offsets(flash::JOURNAL);
/// Where options and calibration are, as offsets into the flash.
pub const SETTINGS: Range<u32> = offsets(flash::SETTINGS);
/// The fewest sectors of a journal: those erased ahead, the one being filled, the one before.
pub const SECTORS_MIN: u32 = AHEAD + 2;
/// Sectors that are erased ahead.
const AHEAD: u32 = 2;
/// How often a record is tried, each time further on, before the sector counts as worn.
const ATTEMPTS: usize = 4;

const fn offsets(region: Region) -> Range<u32> {
    region.start - flash::ALL.start..region.end() - flash::ALL.start
}

/// Why something is not stored or read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(target_os = "none", derive(defmt::Format))]
pub enum Error<E> {
    /// The flash refused an operation.
    Flash(E),
    /// The flash does not keep what is written.
    Worn,
    /// The unfinished game fills the whole region, or settings do.
    Full,
    /// The record cannot come here: a step without a game, an undo without a step, a step of a
    /// damaged game, a step when a checkpoint is due.
    Misplaced,
    /// There is a record of this version, which this program cannot read.
    Version(u8),
    /// What is there was not written by any version.
    Unreadable,
    /// The region does not consist of enough whole sectors.
    Region,
}

impl<E> From<Fault<E>> for Error<E> {
    fn from(fault: Fault<E>) -> Error<E> {
        match fault {
            Fault::Flash(error) => Error::Flash(error),
            Fault::NotKept => Error::Worn,
        }
    }
}

impl<E> From<StorageError<Fault<E>>> for Error<E> {
    fn from(error: StorageError<Fault<E>>) -> Error<E> {
        match error {
            StorageError::Storage { value } => value.into(),
            StorageError::FullStorage => Error::Full,
            _ => Error::Unreadable,
        }
    }
}

/// The games of a flash region.
pub struct Journal<F> {
    flash: F,
    region: Range<u32>,
    walk: Walk,
    read_at: Cell<u32>,
}

impl<F: NorFlash> Journal<F> {
    /// Opens the journal of a region, which may be erased or in whatever state a power cut left it.
    /// Reads all of it.
    pub async fn open(flash: F, region: Range<u32>) -> Result<Journal<F>, Error<F::Error>> {
        let mut journal = Journal::unopened(flash, region)?;
        journal.mend().await?;
        let mut walk = Walk::default();
        let mut other = None;
        journal
            .scan(|sector, read| {
                if let Err(Unreadable::Version(version)) = read {
                    other = other.or(Some(version));
                }
                walk.take(sector, read);
            })
            .await?;
        journal.walk = walk;
        other.map_or(Ok(journal), |version| Err(Error::Version(version)))
    }

    /// Erases the region, whatever is there, and opens it.
    pub async fn format(flash: F, region: Range<u32>) -> Result<Journal<F>, Error<F::Error>> {
        let mut journal = Journal::unopened(flash, region)?;
        for n in 0..journal.sector_count() {
            journal.erase(n).await?;
        }
        Ok(journal)
    }

    fn unopened(flash: F, region: Range<u32>) -> Result<Journal<F>, Error<F::Error>> {
        let whole = QueueConfig::<F>::try_new(region.clone()).is_ok();
        if !whole || region.len() < SECTORS_MIN as usize * F::ERASE_SIZE {
            return Err(Error::Region);
        }
        Ok(Journal { flash, region, walk: Walk::default(), read_at: Cell::new(0) })
    }

    /// Gives the flash back.
    pub fn close(self) -> F {
        self.flash
    }

    /// The game that has no end yet; at a start, the one to be resumed.
    pub fn unfinished(&self) -> Option<&Summary> {
        self.walk.running.as_ref().map(|game| &game.summary)
    }

    /// Stores a record.
    pub async fn append(&mut self, record: &Record) -> Result<(), Error<F::Error>> {
        let count = self.walk.count(record).ok_or(Error::Misplaced)?;
        let written = self.write(&record.encode(count), matches!(record, Record::End(_))).await;
        if written.is_err()
            && let Some(game) = &mut self.walk.running
        {
            // A shorter record might still find room, and would make another game of it.
            game.summary.sound = false;
        }
        written?;
        // The last thing that was read back is the record.
        let sector = self.sector_of(self.read_at.get());
        self.walk.take(sector, Ok((count, *record)));
        Ok(())
    }

    /// Makes two sectors ready, so that no record needs an erase for a long time. Between games:
    /// each sector takes some 45 ms. Says how many were erased.
    pub async fn erase_ahead(&mut self) -> Result<u32, Error<F::Error>> {
        let youngest = self.youngest().await?;
        let mut erased = 0;
        for n in 1..=AHEAD {
            let sector = (youngest + n) % self.sector_count();
            if self.is_needed(sector) {
                break;
            }
            if self.state(sector).await? != State::Open {
                self.erase(sector).await?;
                erased += 1;
            }
        }
        Ok(erased)
    }

    /// Shows all finished games, oldest first.
    pub async fn finished(
        &mut self,
        mut visit: impl FnMut(&Summary),
    ) -> Result<(), Error<F::Error>> {
        let mut walk = Walk::default();
        let show = |sector, read| {
            if let Some(over) = walk.take(sector, read).over {
                visit(&over);
            }
        };
        self.scan(show).await
    }

    /// Reads a game, finished or not, into `history`; `None` when it is not there. Every step is
    /// checked by the rules; up to the first one that is odd the history is right, and the summary
    /// says whether that is all.
    pub async fn load(
        &mut self,
        number: u16,
        history: &mut History,
    ) -> Result<Option<Summary>, Error<F::Error>> {
        self.follow(number, history, |_| {}).await
    }

    /// Writes a game as the text of a record; `None` when it is not there. `history` is room to work
    /// in. Steps that came before a checkpoint are written as well.
    pub async fn write_game(
        &mut self,
        number: u16,
        history: &mut History,
        to: &mut impl Write,
    ) -> Result<Option<Summary>, Error<F::Error>> {
        let running = self.unfinished().copied();
        let mut found = running.filter(|game| game.number == number);
        self.finished(|game| found = found.or(Some(*game).filter(|game| game.number == number)))
            .await?;
        let Some(game) = found else { return Ok(None) };
        // Only who gave it to us can make it fail, and knows that it did.
        let _ = write_tags(&game, to).and_then(|()| to.write_char('\n'));
        let mut words = text::Words::new(to);
        let before_checkpoint = |full: &History| {
            let _ = words.steps(full);
        };
        self.follow(number, history, before_checkpoint).await?;
        let _ = words.steps(history).and_then(|()| words.result(&game));
        Ok(Some(game))
    }

    /// Reads a game into `history`, which is shown each time before a checkpoint empties it.
    async fn follow(
        &mut self,
        number: u16,
        history: &mut History,
        mut before_checkpoint: impl FnMut(&History),
    ) -> Result<Option<Summary>, Error<F::Error>> {
        let mut walk = Walk::default();
        let mut found = None;
        let mut legal = true;
        self.scan(|sector, read| {
            let Taken { counts, over } = walk.take(sector, read);
            let running = walk.running.map(|game| game.summary);
            let is_it = |game: &Summary| game.number == number;
            found = running.filter(is_it).or(over.filter(is_it)).or(found);
            let concerns = running.or(over).is_some_and(|game| is_it(&game));
            if let Ok((_, record)) = read
                && concerns
                && counts
            {
                if record == Record::Checkpoint && legal {
                    before_checkpoint(history);
                }
                legal = legal && follow(history, &record);
            }
        })
        .await?;
        if let Some(game) = self.walk.running.as_mut().filter(|game| game.summary.number == number)
        {
            game.summary.sound &= legal;
        }
        Ok(found.map(|game| Summary { sound: game.sound && legal, ..game }))
    }
}

/// Does to a history what a record says; whether that was possible.
fn follow(history: &mut History, record: &Record) -> bool {
    match record {
        Record::Start { setup, .. } => history.restart(*setup),
        Record::Step(packed) => return history.play(*packed).is_ok(),
        Record::Undo => return history.undo().is_ok(),
        Record::Checkpoint => history.checkpoint(),
        Record::End(_) => {}
    }
    true
}

/// Sectors, counted from the region's first.
impl<F: NorFlash> Journal<F> {
    fn medium(&mut self) -> Medium<'_, F> {
        Medium { flash: &mut self.flash, read_at: &self.read_at }
    }

    fn sector_count(&self) -> u32 {
        (self.region.len() / F::ERASE_SIZE) as u32
    }

    fn sector_of(&self, address: u32) -> u32 {
        address.saturating_sub(self.region.start) / F::ERASE_SIZE as u32
    }

    fn address(&self, sector: u32) -> u32 {
        self.region.start + sector * F::ERASE_SIZE as u32
    }

    async fn state(&mut self, sector: u32) -> Result<State, Error<F::Error>> {
        let address = self.address(sector);
        Ok(self.medium().state(address).await?)
    }

    async fn erase(&mut self, sector: u32) -> Result<(), Error<F::Error>> {
        let (from, to) = (self.address(sector), self.address(sector + 1));
        Ok(self.medium().erase(from, to).await?)
    }

    /// Whether the unfinished game begins in this sector.
    fn is_needed(&self, sector: u32) -> bool {
        self.walk.running.is_some_and(|game| game.sector == sector)
    }

    /// The sector of the next record: the one being filled, else the first erased one behind a full
    /// one, else the first.
    async fn youngest(&mut self) -> Result<u32, Error<F::Error>> {
        let mut after_closed = None;
        let mut before = self.state(self.sector_count() - 1).await?;
        for sector in 0..self.sector_count() {
            let state = self.state(sector).await?;
            if state == State::Filling {
                return Ok(sector);
            }
            if state == State::Open && before == State::Closed {
                after_closed = Some(sector);
            }
            before = state;
        }
        Ok(after_closed.unwrap_or(0))
    }

    /// Erases again what a cut left half erased. Only sectors behind the youngest are ever erased,
    /// so that is where it can be: one that says it is torn; one that seems to be being filled, but
    /// not behind a full one; one that seems erased and is not. More than one of the first two
    /// kinds is no work of a power cut.
    async fn mend(&mut self) -> Result<(), Error<F::Error>> {
        let mut odd = None;
        let mut closed = 0;
        let mut before = self.state(self.sector_count() - 1).await?;
        for sector in 0..self.sector_count() {
            let state = self.state(sector).await?;
            closed += u32::from(state == State::Closed);
            let is_odd = match state {
                State::Torn => true,
                State::Filling => before != State::Closed,
                State::Open | State::Closed => false,
            };
            if is_odd && odd.replace((sector, state)).is_some() {
                return Err(Error::Unreadable);
            }
            before = state;
        }
        if closed == self.sector_count() {
            return Err(Error::Unreadable);
        }
        // The very first sector to be filled follows none that is full.
        if let Some((sector, state)) = odd
            && (closed > 0 || state == State::Torn)
        {
            self.erase(sector).await?;
        }
        let youngest = self.youngest().await?;
        for n in 0..=AHEAD {
            let sector = (youngest + n) % self.sector_count();
            let (from, to) = (self.address(sector), self.address(sector + 1));
            let seems_erased = self.state(sector).await? == State::Open;
            if seems_erased && !self.medium().is_blank(from, to).await? {
                self.erase(sector).await?;
            }
        }
        Ok(())
    }

    /// Shows every record that is whole, oldest first, with its sector.
    async fn scan(
        &mut self,
        mut visit: impl FnMut(u32, Result<(u16, Record), Unreadable>),
    ) -> Result<(), Error<F::Error>> {
        let (start, size) = (self.region.start, F::ERASE_SIZE as u32);
        let config = QueueConfig::try_new(self.region.clone()).map_err(|_| Error::Region)?;
        let medium = Medium { flash: &mut self.flash, read_at: &self.read_at };
        let mut queue = QueueStorage::new(medium, config, Cache::new_uncached());
        let mut buffer = [0; READ_MAX];
        let mut items = queue.iter().await?;
        while let Some(item) = items.next(&mut buffer).await? {
            let sector = (self.read_at.get() - start) / size;
            visit(sector, Record::decode(&item));
        }
        Ok(())
    }

    /// Writes a record behind all others. One that was not kept is tried again further on.
    async fn write(&mut self, bytes: &[u8], ending: bool) -> Result<(), Error<F::Error>> {
        let mut outcome = Ok(());
        for _ in 0..ATTEMPTS {
            outcome = self.push(bytes).await;
            if let Err(Error::Full) = outcome {
                let oldest = (self.youngest().await? + 1) % self.sector_count();
                if self.is_needed(oldest) && !ending {
                    break;
                }
                // With its start the game that is ending goes as well.
                outcome = match self.erase(oldest).await {
                    Ok(()) => self.push(bytes).await,
                    failed => failed,
                };
            }
            if !matches!(outcome, Err(Error::Worn)) {
                break;
            }
        }
        outcome
    }

    async fn push(&mut self, bytes: &[u8]) -> Result<(), Error<F::Error>> {
        let config = QueueConfig::try_new(self.region.clone()).map_err(|_| Error::Region)?;
        let mut queue = QueueStorage::new(self.medium(), config, Cache::new_uncached());
        Ok(queue.push(bytes, false).await?)
    }
}
