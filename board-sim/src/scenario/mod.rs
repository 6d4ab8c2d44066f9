//! Scenarios: what people do at the table and what the board makes of it, one behaviour a file.
//!
//! A file is text: a head, then acts and what they bring about, line by line. `tests/scenarios`
//! has them all, and its `README.md` the words.
//!
//! ```text
//! title    A piece goes over its dot onto the board
//! idea     GIPF 1
//! game     gipf-basic
//!
//! put white a2
//! > lights destination b2 b3
//! move a2 b3
//! > nothing 400
//! wait 300
//! > committed a2-b3
//! ```
//!
//! Acts move magnets over the [`Table`](crate::table), press keys or send requests; expectations
//! look only at what comes out of a [`Board`]. So the same files try any board, wherever it runs:
//! [`run`] is given a way to power one up.
//!
//! What is expected is strict: steps, take-backs, refusals, questions and faults must come in the
//! order written, and none may come that is not written. Prompts, sounds and lights are looked at
//! where the file asks. After each act [`PAUSE_MS`] pass. Everything is drawn from one seed.

mod act;
mod expect;
mod pairing;
mod read;
mod runner;
mod world;

use lodestone::games::Id;
use lodestone::games::any::{Setup, Step};

use crate::device::Build;
use crate::pipe::Board;
use act::Act;
use expect::Expected;

pub use pairing::Pairing;
pub use world::World;

/// What passes after each act, ms.
pub const PAUSE_MS: u32 = 40;

/// What a file says.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The behaviour in one line.
    pub title: String,
    /// Which ideas of the table protocol it carries out, as `GIPF 1`.
    pub ideas: Vec<String>,
    /// Which rows of its tables of mistakes it shows, as `YINSH 3` or `common 2`.
    pub mistakes: Vec<String>,
    /// The game.
    pub id: Id,
    setup: Setup,
    /// The texts that ask a host for this set-up.
    handicap: String,
    deal: String,
    /// Steps made before.
    before: Vec<Step>,
    /// Whether it begins with the pieces still beside the board.
    begins_empty: bool,
    lines: Vec<(usize, Line)>,
}

#[derive(Clone, Debug)]
enum Line {
    /// All at once.
    Acts(Vec<Act>),
    Expected(Expected),
}

/// What a scenario does not hold, and in which line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The line of the file, from 1; 0 before its first act.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for Failure {}

impl Scenario {
    /// Reads a file.
    pub fn read(text: &str) -> Result<Scenario, Failure> {
        read::scenario(text)
    }

    /// The board it begins with: the game before its first act is in the flash.
    pub fn build(&self) -> Build {
        runner::build(self)
    }
}

/// Plays a scenario on a board, powered up by `start`.
pub fn run<B: Board>(scenario: &Scenario, start: impl FnOnce(Build) -> B) -> Result<(), Failure> {
    run_on(scenario, start(scenario.build()))
}

/// Plays a scenario on a board that was powered up as its [`Scenario::build`] says.
pub fn run_on(scenario: &Scenario, board: impl Board) -> Result<(), Failure> {
    runner::run(scenario, board)
}
