//! The board behind a pipe: JSON lines in, JSON lines out, for whoever brings a world of their own.
//!
//! The other end of the pipe is the table, the hands and the clock: it sends scans, keys, requests
//! and time; it gets lights, sounds, events and answers. For tests in any language, for other
//! simulators and for robots; `docs/pipe.md` is the description for them. `board-sim console` is
//! [`run`] on standard input and output.
//!
//! ```text
//!   line --Line::read--> Input --Board::handle--> Outputs --> lines
//! ```
//!
//! A [`Board`] is anything that takes an [`Input`] and says what comes of it: [`HostBoard`] is the
//! device on this machine, [`EmulatedBoard`] the real image in the emulator. The scenarios use the same entrance without the JSON.
//!
//! Same input, same output, byte for byte: the only clock is the `t` of the lines. What cannot be
//! read, is longer than [`LINE_MAX`] or goes back in time is answered by an error, and changes
//! nothing. Of a line that is too long no more than that is ever kept. The end of input ends it.

mod board;
mod emulated;
mod line;
mod output;

use std::io::{self, BufRead, Read, Write};

use lodestone::geometry::{Board as Names, HEX, Playfield, SQUARE};
use lodestone::link::{Key, ToBoard};
use serde::Serialize;
use serde_json::value::RawValue;

pub use board::{HostBoard, named_lights};
pub use emulated::EmulatedBoard;
pub use output::{Event, Named, Output};

use line::Line;

/// Bytes of the longest line, without its end.
pub const LINE_MAX: usize = 64 * 1024;

/// What happens to a board.
#[derive(Clone, Debug)]
pub enum Input<'a> {
    /// A scan: the codes of all points in point order.
    Scan(&'a [u16]),
    /// A key goes down or comes up.
    Key(Key, bool),
    /// A host asks for something.
    Host(ToBoard<'a>),
    /// Time passes.
    Tick,
    /// The power goes and comes back at once.
    PowerCut,
}

/// A board, wherever it runs.
pub trait Board {
    /// The playfield in its frame.
    fn playfield(&self) -> Playfield;

    /// Takes in what happens at this time, and says what comes of it, in order.
    fn handle(&mut self, now_us: u64, input: Input) -> Vec<Output>;

    /// How far what it says may be behind what happens, ms: a chip needs its own time.
    fn lag_ms(&self) -> u32 {
        0
    }
}

/// The names of all points of a playfield.
pub fn names(playfield: Playfield) -> &'static Names {
    match playfield {
        Playfield::Hex => &HEX,
        Playfield::Square => &SQUARE,
    }
}

/// A conversation with a board.
pub struct Session<B> {
    board: B,
    now_us: u64,
}

/// What one line says, behind the time as it was given.
#[derive(Serialize)]
struct Timed<'a> {
    t: &'a RawValue,
    #[serde(flatten)]
    output: Output,
}

impl<B: Board> Session<B> {
    /// A conversation that begins at power-up.
    pub fn new(board: B) -> Session<B> {
        Session { board, now_us: 0 }
    }

    /// The board.
    pub fn board(&self) -> &B {
        &self.board
    }

    /// Answers one line, given without its line end.
    pub fn handle(&mut self, line: &[u8], out: &mut impl Write) -> io::Result<()> {
        match Line::read(line, self.board.playfield(), self.now_us) {
            Ok(line) => {
                self.now_us = line.now_us;
                let t = line.t;
                for output in self.board.handle(self.now_us, line.input()) {
                    serde_json::to_writer(&mut *out, &Timed { t, output })?;
                    out.write_all(b"\n")?;
                }
                Ok(())
            }
            Err(reason) => {
                serde_json::to_writer(&mut *out, &serde_json::json!({ "error": reason }))?;
                out.write_all(b"\n")
            }
        }
    }
}

/// Answers every line until the end of input.
pub fn run<B: Board>(board: B, mut input: impl BufRead, mut out: impl Write) -> io::Result<()> {
    let mut session = Session::new(board);
    let mut line = Vec::new();
    while read_line(&mut input, &mut line)? {
        session.handle(&line, &mut out)?;
        out.flush()?;
    }
    Ok(())
}

/// The next line without its end; `false` when there is none. Of a line that is too long only so
/// much is kept that [`Line::read`] sees it is.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    // One for the line end, one to see that it is too long.
    input.take(LINE_MAX as u64 + 2).read_until(b'\n', line)?;
    if line.is_empty() {
        return Ok(false);
    }
    if line.pop_if(|&mut byte| byte == b'\n').is_none() && line.len() > LINE_MAX {
        input.skip_until(b'\n')?;
    }
    Ok(true)
}
