//! Texts of steps and positions.

use core::fmt::{self, Write};

use super::{Colour, Lyngk, Step, Variant};
use crate::games::notation::Reader;
use crate::games::{Malformed, Player};
use crate::geometry::LYNGK;

/// `R` or `a3-e5`.
pub(super) fn parse_step(text: &[u8]) -> Result<Step, Malformed> {
    let mut reader = Reader::new(text);
    let step = if let Some(colour) = Colour::ALL.into_iter().find(|c| reader.take(c.letter() as u8))
    {
        Step::Claim(colour)
    } else {
        let from = reader
            .cell(&LYNGK)
            .map_err(|malformed| Malformed { expected: "K, B, G, I, R or a point", ..malformed })?;
        reader.expect(b'-', "-")?;
        Step::Move { from, to: reader.cell(&LYNGK)? }
    };
    reader.end()?;
    Ok(step)
}

pub(super) fn write_step(step: Step, to: &mut impl Write) -> fmt::Result {
    match step {
        Step::Claim(colour) => to.write_char(colour.letter()),
        Step::Move { from, to: end } => write!(to, "{}-{}", LYNGK.name(from), LYNGK.name(end)),
    }
}

/// `a3:K b2:RG ... | claims K - taken 1 0`.
pub(super) fn write_position(game: &Lyngk, to: &mut impl Write) -> fmt::Result {
    for cell in LYNGK.cells().filter(|&cell| !game.stack(cell).is_empty()) {
        write!(to, "{}:", LYNGK.name(cell))?;
        game.stack(cell).pieces().try_for_each(|piece| to.write_char(piece.letter()))?;
        to.write_char(' ')?;
    }
    to.write_str("| claims")?;
    for player in [Player::ONE, Player::TWO] {
        to.write_char(' ')?;
        if game.claims(player).next().is_none() {
            to.write_char('-')?;
        }
        game.claims(player).try_for_each(|colour| to.write_char(colour.letter()))?;
    }
    match game.variant {
        Variant::Normal => write!(to, " taken {} {}", game.won[0], game.won[1]),
        // The stack of six that wins stays on the board.
        Variant::Six => to.write_str(" taken 0 0"),
    }
}
