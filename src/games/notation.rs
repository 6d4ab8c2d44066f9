//! What the step texts of all games share: a reader that takes any bytes and never allocates.

use core::fmt;

use crate::geometry::{Board, Cell, Name};

/// A text that is no step: what was expected, and at which byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Malformed {
    /// What would have been right there.
    pub expected: &'static str,
    /// Counted from 0.
    pub at: usize,
}

/// `expected a point at byte 3` (counted from 1, for people).
impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} at byte {}", self.expected, self.at + 1)
    }
}

/// Reads a text from left to right.
#[derive(Clone)]
pub struct Reader<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// At the beginning of `text`.
    pub fn new(text: &'a [u8]) -> Reader<'a> {
        Reader { text, at: 0 }
    }

    /// The byte that comes next, if there is one.
    pub fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Takes the next byte if it is this one.
    pub fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// Takes the next byte, which must be this one.
    pub fn expect(&mut self, byte: u8, expected: &'static str) -> Result<(), Malformed> {
        if self.take(byte) { Ok(()) } else { Err(self.malformed(expected)) }
    }

    /// Takes a digit of this range.
    pub fn digit(
        &mut self,
        range: core::ops::RangeInclusive<u8>,
        expected: &'static str,
    ) -> Result<u8, Malformed> {
        let digit = self.peek().map_or(u8::MAX, |byte| byte.wrapping_sub(b'0'));
        if !range.contains(&digit) {
            return Err(self.malformed(expected));
        }
        self.at += 1;
        Ok(digit)
    }

    /// Takes the name of a cell that the board has.
    pub fn cell(&mut self, board: &Board) -> Result<Cell, Malformed> {
        let named = Name::parse(self.text.get(self.at..).unwrap_or_default());
        let found = named.and_then(|(name, length)| Some((board.find(name)?, length)));
        let (cell, length) = found.ok_or(self.malformed("a point of the board"))?;
        self.at += length;
        Ok(cell)
    }

    /// Nothing may follow.
    pub fn end(&self) -> Result<(), Malformed> {
        if self.at == self.text.len() { Ok(()) } else { Err(self.malformed("the end")) }
    }

    /// An error at this place.
    pub fn malformed(&self, expected: &'static str) -> Malformed {
        Malformed { expected, at: self.at }
    }
}
