//! A NOR flash as the RP2040 has one: pages of 256 bytes are programmed, bits only go from 1 to 0;
//! sectors of 4096 bytes are erased. Power can go at any operation, and inside it.

use embedded_storage_async::nor_flash::{
    ErrorType, MultiwriteNorFlash, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash,
};
use std::collections::BTreeSet;
use std::vec;
use std::vec::Vec;

pub(super) const SECTOR: usize = 4096;
const PAGE: usize = 256;

/// Which bytes of an operation are done when the power goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    None,
    FirstHalf,
    SecondHalf,
    Middle,
    Outside,
    All,
}

impl Part {
    pub(super) const ALL: [Part; 6] =
        [Part::None, Part::FirstHalf, Part::SecondHalf, Part::Middle, Part::Outside, Part::All];

    fn has(self, byte: usize, of: usize) -> bool {
        let middle = (of / 4..of - of / 4).contains(&byte);
        match self {
            Part::None => false,
            Part::FirstHalf => byte < of / 2,
            Part::SecondHalf => byte >= of / 2,
            Part::Middle => middle,
            Part::Outside => !middle,
            Part::All => true,
        }
    }
}

/// The flash; `WORD` is what is read and written at once.
#[derive(Clone)]
pub(super) struct Nor<const WORD: usize> {
    pub(super) bytes: Vec<u8>,
    /// By sector.
    pub(super) erases: Vec<u32>,
    /// Pages programmed and sectors erased.
    pub(super) operations: usize,
    /// The operation in which the power goes.
    pub(super) cut: Option<(usize, Part)>,
    /// Addresses whose bits stay as they are.
    pub(super) stuck: BTreeSet<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    PowerCut,
    Misaligned,
}

impl NorFlashError for Fault {
    fn kind(&self) -> NorFlashErrorKind {
        NorFlashErrorKind::Other
    }
}

impl<const WORD: usize> Nor<WORD> {
    pub(super) fn new(sectors: usize) -> Nor<WORD> {
        Nor {
            bytes: vec![0xFF; sectors * SECTOR],
            erases: vec![0; sectors],
            operations: 0,
            cut: None,
            stuck: BTreeSet::new(),
        }
    }

    pub(super) fn sectors(&self) -> u32 {
        (self.bytes.len() / SECTOR) as u32
    }

    /// The same flash with power again.
    pub(super) fn powered(mut self) -> Nor<WORD> {
        self.cut = None;
        self.operations = 0;
        self
    }

    fn operate(
        &mut self,
        at: usize,
        change: &[u8],
        op: impl Fn(u8, u8) -> u8,
    ) -> Result<(), Fault> {
        let part = match self.cut {
            Some((when, _)) if self.operations > when => return Err(Fault::PowerCut),
            Some((when, part)) if self.operations == when => part,
            _ => Part::All,
        };
        for (n, &new) in change.iter().enumerate() {
            if part.has(n, change.len()) && !self.stuck.contains(&(at + n)) {
                self.bytes[at + n] = op(self.bytes[at + n], new);
            }
        }
        self.operations += 1;
        let is_cut = self.cut.is_some_and(|(when, _)| self.operations > when);
        if is_cut { Err(Fault::PowerCut) } else { Ok(()) }
    }
}

impl<const WORD: usize> ErrorType for Nor<WORD> {
    type Error = Fault;
}

impl<const WORD: usize> ReadNorFlash for Nor<WORD> {
    const READ_SIZE: usize = WORD;

    async fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Fault> {
        let at = offset as usize;
        if !at.is_multiple_of(WORD) || !bytes.len().is_multiple_of(WORD) {
            return Err(Fault::Misaligned);
        }
        bytes.copy_from_slice(&self.bytes[at..at + bytes.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.bytes.len()
    }
}

impl<const WORD: usize> NorFlash for Nor<WORD> {
    const WRITE_SIZE: usize = WORD;
    const ERASE_SIZE: usize = SECTOR;

    async fn erase(&mut self, from: u32, to: u32) -> Result<(), Fault> {
        let (from, to) = (from as usize, to as usize);
        if !from.is_multiple_of(SECTOR) || !to.is_multiple_of(SECTOR) {
            return Err(Fault::Misaligned);
        }
        for at in (from..to).step_by(SECTOR) {
            self.erases[at / SECTOR] += 1;
            self.operate(at, &[0xFF; SECTOR], |_, new| new)?;
        }
        Ok(())
    }

    async fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Fault> {
        let mut at = offset as usize;
        if !at.is_multiple_of(WORD) || !bytes.len().is_multiple_of(WORD) {
            return Err(Fault::Misaligned);
        }
        let mut left = bytes;
        while !left.is_empty() {
            let (page, rest) = left.split_at(left.len().min(PAGE - at % PAGE));
            self.operate(at, page, |old, new| old & new)?;
            at += page.len();
            left = rest;
        }
        Ok(())
    }
}

impl<const WORD: usize> MultiwriteNorFlash for Nor<WORD> {}
