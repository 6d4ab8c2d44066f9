//! Any of the five games behind one type, for whoever handles them all: tools, console, link.
//!
//! Code that must be quick (perft, search) goes through [`with_game!`](crate::with_game) once and
//! then works on the game itself; a [`Position`] is as large as the largest game.

use core::fmt::{self, Write};

use super::slip::Slip;
use super::{Game, Id, Malformed, Outcome, Player, Refusal, Rule, Score, Table};
use super::{dvonn, gipf, glux, lyngk, yinsh};
use crate::geometry::{Board, Cell, CellSet};

/// How a game begins: its id and what may be chosen beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Setup {
    /// GIPF; the basic game may have a handicap.
    Gipf(gipf::Variant),
    /// YINSH.
    Yinsh(yinsh::Variant),
    /// DVONN.
    Dvonn,
    /// LYNGK with its drawn pieces.
    Lyngk(lyngk::Variant, lyngk::Deal),
    /// GLÜX.
    Glux(glux::Variant),
}

impl Setup {
    /// The set-up of a game when nothing is chosen: no handicap; LYNGK dealt from seed 0.
    pub fn of(id: Id) -> Setup {
        match id {
            Id::GipfBasic => Setup::Gipf(gipf::Variant::Basic(None)),
            Id::Gipf => Setup::Gipf(gipf::Variant::Standard),
            Id::GipfTournament => Setup::Gipf(gipf::Variant::Tournament),
            Id::Yinsh => Setup::Yinsh(yinsh::Variant::Normal),
            Id::YinshBlitz => Setup::Yinsh(yinsh::Variant::Blitz),
            Id::Dvonn => Setup::Dvonn,
            Id::Lyngk => Setup::Lyngk(lyngk::Variant::Normal, lyngk::Deal::shuffle(0)),
            Id::LyngkSix => Setup::Lyngk(lyngk::Variant::Six, lyngk::Deal::shuffle(0)),
            Id::Glux2 => Setup::Glux(glux::Variant::Two),
            Id::Glux3 => Setup::Glux(glux::Variant::Three),
            Id::Glux4 => Setup::Glux(glux::Variant::Four),
        }
    }

    /// The position before the first step.
    pub fn position(&self) -> Position {
        match *self {
            Setup::Gipf(variant) => Position::Gipf(gipf::Gipf::new(variant)),
            Setup::Yinsh(variant) => Position::Yinsh(yinsh::Yinsh::new(variant)),
            Setup::Dvonn => Position::Dvonn(dvonn::Dvonn::new()),
            Setup::Lyngk(variant, deal) => Position::Lyngk(lyngk::Lyngk::new(variant, &deal)),
            Setup::Glux(variant) => Position::Glux(glux::Glux::new(variant)),
        }
    }
}

/// A position of any game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(clippy::large_enum_variant)] // positions are values without a heap
pub enum Position {
    /// Of GIPF.
    Gipf(gipf::Gipf),
    /// Of YINSH.
    Yinsh(yinsh::Yinsh),
    /// Of DVONN.
    Dvonn(dvonn::Dvonn),
    /// Of LYNGK.
    Lyngk(lyngk::Lyngk),
    /// Of GLÜX.
    Glux(glux::Glux),
}

/// A step of any game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Of GIPF.
    Gipf(gipf::Step),
    /// Of YINSH.
    Yinsh(yinsh::Step),
    /// Of DVONN.
    Dvonn(dvonn::Step),
    /// Of LYNGK.
    Lyngk(lyngk::Step),
    /// Of GLÜX.
    Glux(glux::Step),
}

/// Why a step of any game is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// By the rules of GIPF.
    Gipf(gipf::Reason),
    /// By the rules of YINSH.
    Yinsh(yinsh::Reason),
    /// By the rules of DVONN.
    Dvonn(dvonn::Reason),
    /// By the rules of LYNGK.
    Lyngk(lyngk::Reason),
    /// By the rules of GLÜX.
    Glux(glux::Reason),
    /// By the hand that moved the pieces.
    Slip(Slip),
    /// The step belongs to another game than the position, whose first rule is named.
    OtherGame(Id),
}

/// Runs the same code on the game inside a [`Position`]: `with_game!(position, game => ...)`.
#[macro_export]
macro_rules! with_game {
    ($position:expr, $game:ident => $body:expr) => {
        match $position {
            $crate::games::any::Position::Gipf($game) => $body,
            $crate::games::any::Position::Yinsh($game) => $body,
            $crate::games::any::Position::Dvonn($game) => $body,
            $crate::games::any::Position::Lyngk($game) => $body,
            $crate::games::any::Position::Glux($game) => $body,
        }
    };
}

/// Runs the same code on a position and a step of the same game, other code when they differ.
macro_rules! with_step {
    ($position:expr, $step:expr, ($game:ident, $its:ident) => $body:expr, else $other:expr) => {
        match ($position, $step) {
            (Position::Gipf($game), Step::Gipf($its)) => $body,
            (Position::Yinsh($game), Step::Yinsh($its)) => $body,
            (Position::Dvonn($game), Step::Dvonn($its)) => $body,
            (Position::Lyngk($game), Step::Lyngk($its)) => $body,
            (Position::Glux($game), Step::Glux($its)) => $body,
            _ => $other,
        }
    };
}

macro_rules! wrap_reason {
    ($($variant:ident from $reason:ty;)*) => {
        $(impl From<$reason> for Reason {
            fn from(reason: $reason) -> Reason {
                Reason::$variant(reason)
            }
        })*

        impl Reason {
            /// Every reason that a rule gives.
            pub fn all() -> impl Iterator<Item = Reason> {
                core::iter::empty()$(.chain(<$reason>::ALL.iter().map(|&reason| reason.into())))*
            }
        }
    };
}
wrap_reason! {
    Gipf from gipf::Reason;
    Yinsh from yinsh::Reason;
    Dvonn from dvonn::Reason;
    Lyngk from lyngk::Reason;
    Glux from glux::Reason;
    Slip from Slip;
}

impl super::Reason for Reason {
    fn rule(self) -> Rule {
        match self {
            Reason::Gipf(reason) => reason.rule(),
            Reason::Yinsh(reason) => reason.rule(),
            Reason::Dvonn(reason) => reason.rule(),
            Reason::Lyngk(reason) => reason.rule(),
            Reason::Glux(reason) => reason.rule(),
            Reason::Slip(slip) => slip.rule(),
            Reason::OtherGame(id) => Rule { letter: id.letter(), number: 1 },
        }
    }
}

/// The steps of one of the games.
enum Steps<A, B, C, D, E> {
    Gipf(A),
    Yinsh(B),
    Dvonn(C),
    Lyngk(D),
    Glux(E),
}

impl<A, B, C, D, E> Iterator for Steps<A, B, C, D, E>
where
    A: Iterator<Item = gipf::Step>,
    B: Iterator<Item = yinsh::Step>,
    C: Iterator<Item = dvonn::Step>,
    D: Iterator<Item = lyngk::Step>,
    E: Iterator<Item = glux::Step>,
{
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        match self {
            Steps::Gipf(steps) => steps.next().map(Step::Gipf),
            Steps::Yinsh(steps) => steps.next().map(Step::Yinsh),
            Steps::Dvonn(steps) => steps.next().map(Step::Dvonn),
            Steps::Lyngk(steps) => steps.next().map(Step::Lyngk),
            Steps::Glux(steps) => steps.next().map(Step::Glux),
        }
    }
}

impl Game for Position {
    type Step = Step;
    type Reason = Reason;

    fn id(&self) -> Id {
        with_game!(self, game => game.id())
    }

    fn board(&self) -> &'static Board {
        with_game!(self, game => game.board())
    }

    fn turn(&self) -> Option<Player> {
        with_game!(self, game => game.turn())
    }

    fn outcome(&self) -> Option<Outcome> {
        with_game!(self, game => game.outcome())
    }

    fn score(&self) -> Score {
        with_game!(self, game => game.score())
    }

    fn table(&self) -> Table {
        with_game!(self, game => game.table())
    }

    fn steps(&self) -> impl Iterator<Item = Step> {
        match self {
            Position::Gipf(game) => Steps::Gipf(game.steps()),
            Position::Yinsh(game) => Steps::Yinsh(game.steps()),
            Position::Dvonn(game) => Steps::Dvonn(game.steps()),
            Position::Lyngk(game) => Steps::Lyngk(game.steps()),
            Position::Glux(game) => Steps::Glux(game.steps()),
        }
    }

    fn step_count(&self) -> usize {
        with_game!(self, game => game.step_count())
    }

    fn origins(&self) -> CellSet {
        with_game!(self, game => game.origins())
    }

    fn destinations(&self, origin: Cell) -> CellSet {
        with_game!(self, game => game.destinations(origin))
    }

    fn check(&self, step: Step) -> Result<(), Refusal<Reason>> {
        with_step!(self, step, (game, its) => {
            game.check(its).map_err(|r| Refusal::new(r.reason.into(), r.cells))
        }, else Err(Refusal::new(Reason::OtherGame(self.id()), CellSet::EMPTY)))
    }

    fn play_unchecked(&mut self, step: Step) {
        with_step!(self, step, (game, its) => game.play_unchecked(its), else ());
    }

    fn parse_step(&self, text: &[u8]) -> Result<Step, Malformed> {
        match self {
            Position::Gipf(game) => game.parse_step(text).map(Step::Gipf),
            Position::Yinsh(game) => game.parse_step(text).map(Step::Yinsh),
            Position::Dvonn(game) => game.parse_step(text).map(Step::Dvonn),
            Position::Lyngk(game) => game.parse_step(text).map(Step::Lyngk),
            Position::Glux(game) => game.parse_step(text).map(Step::Glux),
        }
    }

    fn write_step(&self, step: Step, to: &mut impl Write) -> fmt::Result {
        with_step!(self, step, (game, its) => game.write_step(its, to), else Err(fmt::Error))
    }

    fn write_position(&self, to: &mut impl Write) -> fmt::Result {
        with_game!(self, game => game.write_position(to))
    }
}
