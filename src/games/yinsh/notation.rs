//! Step texts and the position line of YINSH.

use core::fmt::{self, Write};

use super::{Step, Yinsh};
use crate::games::Malformed;
use crate::games::notation::Reader;
use crate::geometry::YINSH;

/// Reads `f6`, `f6-f9`, `xd3-h7` or `xe5`.
pub(super) fn parse_step(text: &[u8]) -> Result<Step, Malformed> {
    let mut reader = Reader::new(text);
    let takes = reader.take(b'x');
    let from = reader.cell(&YINSH)?;
    if reader.peek().is_none() {
        return Ok(if takes { Step::TakeRing(from) } else { Step::PlaceRing(from) });
    }
    reader.expect(b'-', "'-' or the end")?;
    let second = reader.clone();
    let to = reader.cell(&YINSH)?;
    reader.end()?;
    if !takes {
        Ok(Step::MoveRing { from, to })
    } else if from < to {
        Ok(Step::TakeRow { low: from, high: to })
    } else {
        Err(second.malformed("the end with the higher name"))
    }
}

pub(super) fn write_step(step: Step, to: &mut impl Write) -> fmt::Result {
    let name = |cell| YINSH.name(cell);
    match step {
        Step::PlaceRing(cell) => write!(to, "{}", name(cell)),
        Step::MoveRing { from, to: end } => write!(to, "{}-{}", name(from), name(end)),
        Step::TakeRow { low, high } => write!(to, "x{}-{}", name(low), name(high)),
        Step::TakeRing(cell) => write!(to, "x{}", name(cell)),
    }
}

impl Yinsh {
    pub(super) fn write_line(&self, to: &mut impl Write) -> fmt::Result {
        let contents = [
            (self.rings[0], 'W'),
            (self.rings[1], 'B'),
            (self.markers[0], 'w'),
            (self.markers[1], 'b'),
        ];
        for cell in self.occupied() {
            let content = contents.iter().find(|(cells, _)| cells.contains(cell));
            let letter = content.map_or(' ', |&(_, letter)| letter);
            write!(to, "{}:{letter} ", YINSH.name(cell))?;
        }
        write!(to, "| pool {} rings {} {}", self.pool(), self.taken[0], self.taken[1])
    }
}
