//! GIPF's texts: steps and positions.

use core::fmt::{self, Write};

use super::{Gipf, Piece, Step};
use crate::games::Player;
use crate::games::notation::{Malformed, Reader};
use crate::geometry::{Cell, Cells, GIPF};

/// Reads `a2-b3`, `Ga2-b3`, `xb2-b5` or `xc2-g4+d3+e4`.
pub(super) fn parse_step(text: &[u8]) -> Result<Step, Malformed> {
    let mut reader = Reader::new(text);
    let step = if reader.take(b'x') { parse_take(&mut reader)? } else { parse_push(&mut reader)? };
    reader.end()?;
    Ok(step)
}

fn parse_push(reader: &mut Reader) -> Result<Step, Malformed> {
    let piece = if reader.take(b'G') { Piece::Gipf } else { Piece::Basic };
    let from = reader.cell(&GIPF)?;
    reader.expect(b'-', "-")?;
    let to = reader.cell(&GIPF)?;
    Ok(Step::Push { from, to, piece })
}

fn parse_take(reader: &mut Reader) -> Result<Step, Malformed> {
    let low = reader.cell(&GIPF)?;
    reader.expect(b'-', "-")?;
    let high = cell_after(low, reader)?;
    let mut left = Cells::EMPTY;
    while reader.take(b'+') {
        let cell = match left.highest() {
            Some(last) => cell_after(last, reader)?,
            None => reader.cell(&GIPF)?,
        };
        left.insert(cell);
    }
    Ok(Step::Take { low, high, left })
}

/// Takes a cell that comes after `last` in point order.
fn cell_after(last: Cell, reader: &mut Reader) -> Result<Cell, Malformed> {
    let malformed = reader.malformed("a point that comes after the one before");
    reader.cell(&GIPF).and_then(|cell| if cell > last { Ok(cell) } else { Err(malformed) })
}

pub(super) fn write_step(step: Step, to: &mut impl Write) -> fmt::Result {
    match step {
        Step::Push { from, to: spot, piece } => {
            let prefix = if piece == Piece::Gipf { "G" } else { "" };
            write!(to, "{prefix}{}-{}", GIPF.name(from), GIPF.name(spot))
        }
        Step::Take { low, high, left } => {
            write!(to, "x{}-{}", GIPF.name(low), GIPF.name(high))?;
            left.iter().try_for_each(|cell| write!(to, "+{}", GIPF.name(cell)))
        }
    }
}

pub(super) fn write_position(position: &Gipf, to: &mut impl Write) -> fmt::Result {
    for cell in position.occupied() {
        let letter =
            match (position.side(Player::ONE).pieces.contains(cell), position.gipfs.contains(cell))
            {
                (true, false) => 'w',
                (true, true) => 'W',
                (false, false) => 'b',
                (false, true) => 'B',
            };
        write!(to, "{}:{letter} ", GIPF.name(cell))?;
    }
    let [one, two] = &position.sides;
    write!(to, "| reserve {} {} ", one.reserve, two.reserve)?;
    write!(to, "captured {} {}", one.captured, two.captured)
}
