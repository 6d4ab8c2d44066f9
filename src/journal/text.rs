//! A game of the journal as the text of a record (`docs/notation.md`), for hosts that ask for it.

use core::fmt::{self, Write};

use super::history::History;
use super::record::{End, id};
use super::walk::Summary;
use crate::games::Game;
use crate::games::any::Setup;
use crate::games::gipf::Variant;

/// Lines break before this column.
const WIDTH: usize = 80;

/// The tags of a game, each on its line.
pub fn write_tags(game: &Summary, to: &mut impl Write) -> fmt::Result {
    writeln!(to, "[Game \"{}\"]", id(&game.setup))?;
    match game.setup {
        Setup::Lyngk(_, deal) => writeln!(to, "[Setup \"{deal}\"]")?,
        Setup::Gipf(Variant::Basic(Some(handicap))) => writeln!(to, "[Handicap \"{handicap}\"]")?,
        _ => {}
    }
    to.write_str("[Result \"")?;
    write_result(game, to)?;
    to.write_str("\"]\n")
}

fn write_result(game: &Summary, to: &mut impl Write) -> fmt::Result {
    match game.end {
        Some(End::Rules(outcome) | End::Resigned(_, outcome)) => write!(to, "{outcome}"),
        Some(End::Stopped) | None => to.write_str("none"),
    }
}

/// Writes words and breaks lines between them.
pub(super) struct Words<'a, W> {
    to: &'a mut W,
    column: usize,
}

impl<'a, W: Write> Words<'a, W> {
    pub(super) fn new(to: &'a mut W) -> Words<'a, W> {
        Words { to, column: 0 }
    }

    /// The steps that a history holds.
    pub(super) fn steps(&mut self, history: &History) -> fmt::Result {
        let position = history.position();
        history.steps().try_for_each(|step| self.word(|to| position.write_step(step, to)))
    }

    /// The result, which closes the record.
    pub(super) fn result(&mut self, game: &Summary) -> fmt::Result {
        self.word(|to| write_result(game, to))?;
        self.to.write_char('\n')
    }

    fn word(
        &mut self,
        write: impl FnOnce(&mut heapless::String<WIDTH>) -> fmt::Result,
    ) -> fmt::Result {
        let mut word = heapless::String::new();
        write(&mut word)?;
        if self.column > 0 && self.column + 1 + word.len() > WIDTH {
            self.to.write_char('\n')?;
            self.column = 0;
        } else if self.column > 0 {
            self.to.write_char(' ')?;
            self.column += 1;
        }
        self.column += word.len();
        self.to.write_str(&word)
    }
}

/// Keeps a part of what is written to it: whoever has little memory writes the whole several times.
pub struct Window<'a> {
    skip: usize,
    part: &'a mut [u8],
    len: usize,
    is_cut: bool,
}

impl<'a> Window<'a> {
    /// Keeps what comes after so many bytes, as far as it fits.
    pub fn new(skip: usize, part: &'a mut [u8]) -> Window<'a> {
        Window { skip, part, len: 0, is_cut: false }
    }

    /// What was kept, and whether something came after it. Records are ASCII: no character is cut.
    pub fn finish(self) -> (&'a str, bool) {
        let part: &[u8] = self.part;
        (core::str::from_utf8(&part[..self.len]).unwrap_or_default(), self.is_cut)
    }
}

impl Write for Window<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for &byte in text.as_bytes() {
            if self.skip > 0 {
                self.skip -= 1;
            } else if let Some(place) = self.part.get_mut(self.len) {
                *place = byte;
                self.len += 1;
            } else {
                self.is_cut = true;
            }
        }
        Ok(())
    }
}
