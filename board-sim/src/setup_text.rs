//! What may be chosen for a set-up, from its texts: GIPF's handicap and LYNGK's deal.

use std::fmt;

use lodestone::games::any::Setup;
use lodestone::games::{gipf, lyngk};

/// A set-up text that cannot be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// The game has no such choice.
    NotInThisGame(&'static str),
    /// No handicap reads so.
    Handicap,
    /// No seed reads so.
    Seed,
    /// No deal of LYNGK's pieces reads so.
    Deal(lyngk::DealError),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::NotInThisGame(option) => write!(f, "this game has no {option}"),
            SetupError::Handicap => f.write_str(
                "expected none, or player + pieces, as 1+2 (players 1, 2; pieces 1 to 3)",
            ),
            SetupError::Seed => f.write_str("expected a seed of 64 bits in decimal"),
            SetupError::Deal(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for SetupError {}

/// GIPF basic with the handicap `none` or `1+2`.
pub fn with_handicap(setup: Setup, text: &str) -> Result<Setup, SetupError> {
    let Setup::Gipf(gipf::Variant::Basic(_)) = setup else {
        return Err(SetupError::NotInThisGame("Handicap"));
    };
    let handicap = match text {
        "none" => None,
        _ => Some(gipf::Handicap::parse(text.as_bytes()).ok_or(SetupError::Handicap)?),
    };
    Ok(Setup::Gipf(gipf::Variant::Basic(handicap)))
}

/// LYNGK with 43 letters, or dealt by `shuffle SEED` (also `shuffle:SEED`, one word for shells).
pub fn with_deal(setup: Setup, text: &str) -> Result<Setup, SetupError> {
    let Setup::Lyngk(variant, _) = setup else {
        return Err(SetupError::NotInThisGame("Setup"));
    };
    let seed = text.strip_prefix("shuffle").and_then(|rest| rest.strip_prefix([' ', ':']));
    let deal = match seed {
        Some(seed) => lyngk::Deal::shuffle(decimal(seed).ok_or(SetupError::Seed)?),
        None => lyngk::Deal::parse(text.as_bytes()).map_err(SetupError::Deal)?,
    };
    Ok(Setup::Lyngk(variant, deal))
}

/// A number of digits only: no sign, no blanks.
pub fn decimal<N: std::str::FromStr>(text: &str) -> Option<N> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}
