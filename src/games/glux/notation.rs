//! Texts of steps and positions.

use core::fmt::{self, Write};

use super::{Glux, Spots, Step};
use crate::games::notation::Reader;
use crate::games::{Game, Malformed};

/// `c7=4`.
pub(super) fn parse_step(game: &Glux, text: &[u8]) -> Result<Step, Malformed> {
    const SPOTS: &str = "spots from 1 to 6";
    let mut reader = Reader::new(text);
    let cell = reader.cell(game.board())?;
    reader.expect(b'=', "=")?;
    let missing = reader.malformed(SPOTS);
    let spots = Spots::new(reader.digit(1..=6, SPOTS)?).ok_or(missing)?;
    reader.end()?;
    Ok(Step { cell, spots })
}

pub(super) fn write_step(game: &Glux, step: Step, to: &mut impl Write) -> fmt::Result {
    write!(to, "{}={}", game.board().name(step.cell), step.spots.number())
}

/// `a1:13 m9:2614 | bag 8/8/7 7/8/8`.
pub(super) fn write_position(game: &Glux, to: &mut impl Write) -> fmt::Result {
    for cell in game.board().cells().filter(|&cell| game.upper(cell).is_some()) {
        write!(to, "{}:", game.board().name(cell))?;
        for chip in [game.lower(cell), game.upper(cell)].into_iter().flatten() {
            write!(to, "{}{}", chip.player().number(), chip.spots())?;
        }
        to.write_char(' ')?;
    }
    to.write_str("| bag")?;
    game.players().try_for_each(|player| {
        let [ones, twos, threes] = game.bag(player);
        write!(to, " {ones}/{twos}/{threes}")
    })
}
