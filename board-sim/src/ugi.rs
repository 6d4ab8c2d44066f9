//! The rules behind a pipe: the Universal Game Interface, with some commands of our own.
//!
//! `docs/notation.md` has the table of commands. [`Session`] takes one line and writes the answer;
//! it does no I/O of its own beside that writer, so tests and fuzzers drive it directly. Any bytes
//! are answered; after an error everything is as it was before.

use std::io::{self, BufRead, Read, Write};

use lodestone::games::any::{Position, Setup};
use lodestone::games::{Game, Id};
use lodestone::text::Language;

use crate::setup_text::{decimal, with_deal, with_handicap};
use crate::{perft, rulebook, text};

/// Longer lines are refused.
const LINE_MAX: usize = 64 * 1024;

/// What happens after a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// The next line is awaited.
    GoOn,
    /// `quit` was said.
    Quit,
}

/// A conversation: the chosen set-up and the game so far.
pub struct Session {
    setup: Setup,
    /// Every position since the set-up, which is the first; never empty.
    positions: Vec<Position>,
}

/// The answer to a command that could not be carried out: the text after `error `.
type Failed = String;
/// The answer to a command: nothing, or whole lines.
type Answer = Result<String, Failed>;

impl Default for Session {
    fn default() -> Session {
        Session::new(Setup::of(Id::GipfBasic))
    }
}

impl Session {
    fn new(setup: Setup) -> Session {
        Session { setup, positions: vec![setup.position()] }
    }

    fn position(&self) -> &Position {
        self.positions.last().expect("the set-up is always there")
    }

    /// Answers one line, given without its line end.
    pub fn handle(&mut self, line: &[u8], out: &mut impl Write) -> io::Result<Flow> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() > LINE_MAX {
            writeln!(out, "error line longer than {LINE_MAX} bytes")?;
            return Ok(Flow::GoOn);
        }
        let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let Some(command) = words.next() else { return Ok(Flow::GoOn) };
        if command == b"quit" {
            return Ok(Flow::Quit);
        }
        match self.answer(command, &words.collect::<Vec<_>>()) {
            Ok(answer) => out.write_all(answer.as_bytes())?,
            Err(reason) => writeln!(out, "error {reason}")?,
        }
        Ok(Flow::GoOn)
    }

    fn answer(&mut self, command: &[u8], words: &[&[u8]]) -> Answer {
        match (command, words) {
            (b"ugi", []) => Ok(greeting()),
            (b"isready", []) => Ok("readyok\n".into()),
            (b"uginewgame", []) => Ok(self.begin(self.setup)),
            (b"setoption", [b"name", name, b"value", value @ ..]) => self.set_option(name, value),
            (b"setoption", _) => Err("expected setoption name NAME value VALUE".into()),
            (b"position", words) => self.set_position(words),
            (b"step", [step]) => self.step(step),
            (b"undo", []) => self.undo("1"),
            (b"undo", [count]) => self.undo(&text::printable(count)),
            (b"moves", []) => Ok(list("moves", &text::steps(self.position()).join(" "))),
            (b"from", []) => Ok(list("from", &self.names(self.position().origins()))),
            (b"to", [point]) => self.to(point),
            (b"query", [what]) => self.query(what),
            (b"perft", [depth]) => self.perft(depth),
            (b"divide", [depth]) => self.divide(depth),
            (b"rule", [number]) => rule(number),
            (b"go", _) => Err("no engine".into()),
            (b"stop", []) => Ok(String::new()),
            _ => Err(format!("unknown command: {}", text::printable(command))),
        }
    }

    /// Goes to a set-up; there is nothing to say about it.
    fn begin(&mut self, setup: Setup) -> String {
        *self = Session::new(setup);
        String::new()
    }

    fn set_option(&mut self, name: &[u8], value: &[&[u8]]) -> Answer {
        let value = String::from_utf8_lossy(&value.join(&b' ')).into_owned();
        let setup = match name {
            b"Game" => match Id::parse(value.as_bytes()) {
                Some(id) => Setup::of(id),
                None => return Err(format!("no such game: {}", text::printable(value.as_bytes()))),
            },
            b"Handicap" => with_handicap(self.setup, &value).map_err(|e| e.to_string())?,
            b"Setup" => with_deal(self.setup, &value).map_err(|e| e.to_string())?,
            _ => return Err(format!("no such option: {}", text::printable(name))),
        };
        Ok(self.begin(setup))
    }

    fn set_position(&mut self, words: &[&[u8]]) -> Answer {
        let steps = match words {
            [b"startpos"] => &[],
            [b"startpos", b"moves", steps @ ..] => steps,
            [b"fen", ..] => return Err("positions are reached by steps, not by fen".into()),
            _ => return Err("expected position startpos [moves STEP ...]".into()),
        };
        let mut fresh = Session::new(self.setup);
        for (n, step) in steps.iter().enumerate() {
            fresh.step(step).map_err(|reason| format!("step {} {reason}", n + 1))?;
        }
        *self = fresh;
        Ok(String::new())
    }

    fn step(&mut self, step: &[u8]) -> Answer {
        let mut position = *self.position();
        let failed = |reason: String| format!("{}: {reason}", text::printable(step));
        let parsed = position.parse_step(step).map_err(|e| failed(e.to_string()))?;
        position.play(parsed).map_err(|r| failed(text::refusal(position.board(), &r)))?;
        self.positions.push(position);
        Ok(String::new())
    }

    fn undo(&mut self, count: &str) -> Answer {
        let count: usize = decimal(count).ok_or("expected undo [N]")?;
        let steps = self.positions.len() - 1;
        if count > steps {
            return Err(format!("only {steps} steps to undo"));
        }
        self.positions.truncate(self.positions.len() - count);
        Ok(String::new())
    }

    fn names(&self, cells: lodestone::geometry::CellSet) -> String {
        text::cells(self.position().board(), cells)
    }

    fn to(&self, point: &[u8]) -> Answer {
        match self.position().board().parse(point) {
            Some(cell) => Ok(list("to", &self.names(self.position().destinations(cell)))),
            None => Err(format!("no such point: {}", text::printable(point))),
        }
    }

    fn query(&self, what: &[u8]) -> Answer {
        let position = self.position();
        let turn = text::turn(position);
        let response = match what {
            b"gameover" => position.outcome().is_some().to_string(),
            b"p1turn" => (turn == 1).to_string(),
            b"p2turn" => (turn == 2).to_string(),
            b"turn" => turn.to_string(),
            b"result" => text::result(position),
            b"score" => text::score(position),
            b"board" => text::position(position),
            _ => return Err(format!("no such query: {}", text::printable(what))),
        };
        Ok(format!("response {response}\n"))
    }

    fn perft(&self, depth: &[u8]) -> Answer {
        let depth = depth_of(depth)?;
        Ok(format!("perft {depth} {}\n", perft::leaves(self.position(), depth)))
    }

    fn divide(&self, depth: &[u8]) -> Answer {
        let depth = depth_of(depth)?;
        let position = self.position();
        let mut lines: Vec<String> = perft::divide(position, depth)
            .map(|(step, count)| format!("{} {count}\n", text::step(position, step)))
            .collect();
        lines.sort_unstable();
        Ok(lines.concat() + &self.perft(depth.to_string().as_bytes())?)
    }
}

fn depth_of(word: &[u8]) -> Result<u32, Failed> {
    decimal(&text::printable(word)).ok_or("expected a depth".into())
}

/// A word and what follows it, or the bare word.
fn list(word: &str, items: &str) -> String {
    format!("{word} {items}").trim_end().to_string() + "\n"
}

fn rule(number: &[u8]) -> Answer {
    let number = text::printable(number);
    match rulebook::rule(Language::English, &number) {
        Some(text) => Ok(format!("rule {number}: {text}\n")),
        None => Err(format!("no such rule: {number}")),
    }
}

fn greeting() -> String {
    let games = Id::ALL.map(Id::name).join(" var ");
    format!(
        "id name lodestone {}\n\
         id author the lodestone contributors\n\
         option name Game type combo default {} var {games}\n\
         option name Handicap type string default none\n\
         option name Setup type string default shuffle 0\n\
         ugiok\n",
        env!("CARGO_PKG_VERSION"),
        Id::GipfBasic,
    )
}

/// Reads commands until `quit` or the end of input, and answers each at once.
pub fn run(mut input: impl BufRead, mut out: impl Write) -> io::Result<()> {
    let mut session = Session::default();
    while let Some(line) = read_line(&mut input)? {
        let flow = session.handle(&line, &mut out)?;
        out.flush()?;
        if flow == Flow::Quit {
            break;
        }
    }
    Ok(())
}

/// The next line without its end. Of a line that is too long only so much is kept that
/// [`Session::handle`] sees it is.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    // One for the line end, one for a carriage return, one to see that it is too long.
    input.take(LINE_MAX as u64 + 3).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.pop_if(|&mut byte| byte == b'\n').is_none() && line.len() > LINE_MAX {
        input.skip_until(b'\n')?;
    }
    Ok(Some(line))
}
