//! Step texts and the position line of DVONN.

use core::fmt::{self, Write};

use super::tables::CELLS;
use super::{Dvonn, Step};
use crate::games::Malformed;
use crate::games::notation::Reader;
use crate::geometry::DVONN;

/// Reads `g2` or `a1-b2`.
pub(super) fn parse_step(text: &[u8]) -> Result<Step, Malformed> {
    let mut reader = Reader::new(text);
    let from = reader.cell(&DVONN)?;
    if reader.peek().is_none() {
        return Ok(Step::Place(from));
    }
    reader.expect(b'-', "'-' or the end")?;
    let to = reader.cell(&DVONN)?;
    reader.end()?;
    Ok(Step::Move { from, to })
}

pub(super) fn write_step(step: Step, to: &mut impl Write) -> fmt::Result {
    match step {
        Step::Place(cell) => write!(to, "{}", DVONN.name(cell)),
        Step::Move { from, to: end } => write!(to, "{}-{}", DVONN.name(from), DVONN.name(end)),
    }
}

impl Dvonn {
    pub(super) fn write_line(&self, to: &mut impl Write) -> fmt::Result {
        for cell in self.occupied() {
            write!(to, "{}:", DVONN.name(cell))?;
            // The links lead from top to bottom, the line from bottom to top. A stack of all 49
            // pieces would fill this.
            let mut letters = [' '; CELLS];
            let mut height = 0;
            for (letter, colour) in letters.iter_mut().zip(self.colours(cell)) {
                *letter = colour.letter();
                height += 1;
            }
            letters.iter().take(height).rev().try_for_each(|&letter| to.write_char(letter))?;
            to.write_char(' ')?;
        }
        write!(to, "| left {}", self.left())
    }
}
