//! Reading a file: every word is checked before anything is played.

use lodestone::games::any::{Position, Setup};
use lodestone::games::{Game, Id};
use lodestone::geometry::{Board as Names, Point};
use lodestone::link::Key;

use super::act::{Act, Part, piece};
use super::expect::Expected;
use super::{Failure, Line, Scenario};
use crate::pipe::names;
use crate::setup_text::{with_deal, with_handicap};
use crate::table::{Fault, Piece, PlaceMm};

/// The words of one line, and the game they are about.
pub(super) struct Words<'a> {
    id: Id,
    board: &'static Names,
    rest: &'a str,
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start();
        if text.is_empty() {
            return None;
        }
        let end = text.find(' ').unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        Some(word)
    }

    fn peek(&self) -> Option<&'a str> {
        self.rest.split_whitespace().next()
    }

    pub(super) fn word(&mut self) -> Result<&'a str, String> {
        self.next().ok_or_else(|| "something is missing at the end".into())
    }

    pub(super) fn rest(&mut self) -> String {
        std::mem::take(&mut self.rest).trim().to_string()
    }

    pub(super) fn all(&mut self) -> Vec<String> {
        self.rest().split_whitespace().map(String::from).collect()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.peek().is_none()
    }

    fn end(&mut self) -> Result<(), String> {
        if self.is_empty() { Ok(()) } else { Err(format!("what is `{}`?", self.rest())) }
    }

    pub(super) fn only(&mut self, expected: &str) -> Result<(), String> {
        let word = self.word()?;
        if word == expected { Ok(()) } else { Err(format!("`{expected}` expected, not `{word}`")) }
    }

    pub(super) fn number<N: std::str::FromStr>(&mut self) -> Result<N, String> {
        let word = self.word()?;
        word.parse().map_err(|_| format!("`{word}` is no number"))
    }

    pub(super) fn mm(&mut self) -> Result<PlaceMm, String> {
        Ok((self.number()?, self.number()?))
    }

    /// `off 3 0`, or nothing for the middle.
    pub(super) fn off(&mut self) -> Result<PlaceMm, String> {
        if self.is_empty() {
            return Ok((0.0, 0.0));
        }
        self.only("off")?;
        self.mm()
    }

    /// A point of the game, or with `@` of the playfield.
    pub(super) fn point(&mut self) -> Result<Point, String> {
        let word = self.word()?;
        let (board, name) = match word.strip_prefix('@') {
            Some(name) => (names(self.board.playfield()), name),
            None => (self.board, word),
        };
        let cell = board.parse(name.as_bytes()).ok_or_else(|| format!("no point `{word}`"))?;
        Ok(board.point(cell))
    }

    pub(super) fn points(&mut self) -> Result<Vec<Point>, String> {
        let mut points = Vec::new();
        while !self.is_empty() {
            points.push(self.point()?);
        }
        Ok(points)
    }

    pub(super) fn piece(&mut self) -> Result<Piece, String> {
        let word = self.word()?;
        piece(self.id, word).ok_or_else(|| format!("no piece of this game is called `{word}`"))
    }

    /// `ring`, `top`, `top 2`, or nothing for everything.
    pub(super) fn part(&mut self) -> Result<Part, String> {
        Ok(match self.peek() {
            Some("ring") => self.only("ring").map(|()| Part::Ring)?,
            Some("top") => {
                self.only("top")?;
                let counted = self.peek().is_some_and(|word| word.parse::<usize>().is_ok());
                Part::Top(if counted { self.number()? } else { 1 })
            }
            _ => Part::All,
        })
    }

    pub(super) fn key(&mut self) -> Result<Key, String> {
        let word = self.word()?;
        serde_json::from_value(word.into()).map_err(|_| format!("no key `{word}`"))
    }

    /// `dead`, `stuck 2048`, `noisy 20`.
    pub(super) fn fault(&mut self) -> Result<Fault, String> {
        Ok(match self.word()? {
            "dead" => Fault::Dead,
            "stuck" => Fault::Stuck(self.number()?),
            "noisy" => Fault::Noisy(self.number()?),
            word => return Err(format!("no fault `{word}`")),
        })
    }
}

/// What the head says, before it is put together.
#[derive(Default)]
struct Head {
    title: Option<String>,
    ideas: Vec<String>,
    mistakes: Vec<String>,
    id: Option<Id>,
    handicap: String,
    deal: String,
    before: String,
    begins_empty: bool,
}

impl Head {
    /// Takes a line if it belongs to the head.
    fn take(&mut self, verb: &str, rest: &str) -> Result<bool, String> {
        let rest = rest.trim();
        match verb {
            "title" => self.title = Some(rest.into()),
            "idea" => self.ideas.push(rest.into()),
            "mistake" => self.mistakes.push(rest.into()),
            "game" => {
                let id = Id::parse(rest.as_bytes()).ok_or_else(|| format!("no game `{rest}`"))?;
                self.id = Some(id);
            }
            "handicap" => self.handicap = rest.into(),
            "setup" => self.deal = rest.into(),
            "before" => self.before = format!("{} {rest}", self.before),
            "begin" if rest == "set-up" => self.begins_empty = true,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn scenario(mut self) -> Result<Scenario, String> {
        let id = self.id.ok_or("which `game`?")?;
        let mut setup = Setup::of(id);
        if let Setup::Lyngk(..) = setup {
            if self.deal.is_empty() {
                self.deal = "shuffle 0".into();
            }
            setup = with_deal(setup, &self.deal).map_err(|error| error.to_string())?;
        }
        if !self.handicap.is_empty() {
            setup = with_handicap(setup, &self.handicap).map_err(|error| error.to_string())?;
        }
        Ok(Scenario {
            title: self.title.ok_or("which `title`?")?,
            ideas: self.ideas,
            mistakes: self.mistakes,
            id,
            before: steps(&mut setup.position(), &self.before)?,
            setup,
            handicap: self.handicap,
            deal: self.deal,
            begins_empty: self.begins_empty,
            lines: Vec::new(),
        })
    }
}

fn steps(position: &mut Position, texts: &str) -> Result<Vec<lodestone::games::any::Step>, String> {
    let mut steps = Vec::new();
    for text in texts.split_whitespace() {
        let step = position.parse_step(text.as_bytes()).map_err(|_| format!("no step `{text}`"))?;
        position.play(step).map_err(|_| format!("`{text}` is not legal"))?;
        steps.push(step);
    }
    Ok(steps)
}

pub(super) fn scenario(text: &str) -> Result<Scenario, Failure> {
    let mut head = Some(Head::default());
    let mut scenario = None;
    for (line, text) in (1..).zip(text.lines()) {
        let at = |reason: String| Failure { line, reason };
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let (verb, rest) = text.split_once(' ').unwrap_or((text, ""));
        if let Some(open) = &mut head
            && open.take(verb, rest).map_err(at)?
        {
            continue;
        }
        if let Some(head) = head.take() {
            scenario = Some(head.scenario().map_err(at)?);
        }
        let Some(scenario) = &mut scenario else { continue };
        scenario.lines.push((line, read_line(scenario, verb, rest).map_err(at)?));
    }
    scenario.ok_or_else(|| Failure { line: 0, reason: "nothing is done".into() })
}

fn read_line(scenario: &Scenario, verb: &str, rest: &str) -> Result<Line, String> {
    let board = scenario.setup.position().board();
    let words = |rest| Words { id: scenario.id, board, rest };
    if verb == ">" {
        let mut words = words(rest);
        let expected = Expected::read(&mut words)?;
        return words.end().map(|()| Line::Expected(expected));
    }
    let mut acts = Vec::new();
    for (n, part) in rest.split(" ; ").enumerate() {
        let mut words = words(part);
        let verb = if n == 0 { verb } else { words.word()? };
        acts.push(Act::read(verb, &mut words)?);
        words.end()?;
    }
    Ok(Line::Acts(acts))
}
