//! Games as text files: tags, steps and a result, as `docs/notation.md` says.
//!
//! Reading plays every step; what is not legal is refused with line, column and rule, and nothing
//! is returned. One file may hold several records. Comments are read over.

use std::fmt;

use lodestone::games::any::{Position, Setup, Step};
use lodestone::games::{Game, Id};

use crate::setup_text::{with_deal, with_handicap};
use crate::text;

/// Writers break lines before this column.
const WIDTH: usize = 80;

/// A game: what stands in its tags, its steps, how it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// All tags as (name, value) in their order; `Game` is the first.
    pub tags: Vec<(String, String)>,
    /// How the game began, from the tags.
    pub setup: Setup,
    /// Its steps, all legal.
    pub steps: Vec<Step>,
    /// The result as `query result` prints it; may be a win or a draw that the rules do not give
    /// (resigned, agreed), `none` while unfinished.
    pub result: String,
}

/// What is wrong with a record, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError {
    /// Counted from 1.
    pub line: usize,
    /// Counted from 1, in bytes.
    pub column: usize,
    /// What is wrong there.
    pub reason: String,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.reason)
    }
}

impl std::error::Error for RecordError {}

impl Record {
    /// A record of this set-up without any steps.
    pub fn new(id: Id, setup: Setup) -> Record {
        let mut tags = vec![("Game".to_string(), id.to_string())];
        match setup {
            Setup::Lyngk(_, deal) => tags.push(("Setup".into(), deal.to_string())),
            Setup::Gipf(lodestone::games::gipf::Variant::Basic(Some(handicap))) => {
                tags.push(("Handicap".into(), handicap.to_string()));
            }
            _ => {}
        }
        Record { tags, setup, steps: Vec::new(), result: "none".into() }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The positions from the set-up to the end.
    pub fn positions(&self) -> impl Iterator<Item = Position> + '_ {
        let start = self.setup.position();
        std::iter::once(start).chain(self.steps.iter().scan(start, |position, &step| {
            position.play_unchecked(step);
            Some(*position)
        }))
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            writeln!(f, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))?;
        }
        writeln!(f)?;
        let texts = self.positions().zip(&self.steps).map(|(p, &step)| text::step(&p, step));
        let mut column = 0;
        for word in texts.chain([self.result.clone()]) {
            if column > 0 && column + 1 + word.len() > WIDTH {
                writeln!(f)?;
                column = 0;
            } else if column > 0 {
                write!(f, " ")?;
                column += 1;
            }
            write!(f, "{word}")?;
            column += word.len();
        }
        writeln!(f)
    }
}

/// Reads all records of a file.
pub fn read(text: &str) -> Result<Vec<Record>, RecordError> {
    let mut source = Source { rest: text, line: 1, column: 1 };
    let mut records = Vec::new();
    loop {
        source.skip_blank();
        if source.rest.is_empty() {
            return Ok(records);
        }
        records.push(record(&mut source)?);
    }
}

/// What is still to be read, and where that is.
struct Source<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Source<'a> {
    fn error(&self, reason: impl Into<String>) -> RecordError {
        RecordError { line: self.line, column: self.column, reason: reason.into() }
    }

    fn advance(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        for byte in taken.bytes() {
            self.column += 1;
            if byte == b'\n' {
                self.line += 1;
                self.column = 1;
            }
        }
        self.rest = rest;
        taken
    }

    /// Reads over white space and comments.
    fn skip_blank(&mut self) {
        loop {
            let blank = self.rest.len() - self.rest.trim_start().len();
            let comment = if self.rest.starts_with(';') {
                self.rest.find('\n').unwrap_or(self.rest.len())
            } else {
                0
            };
            if blank + comment == 0 {
                return;
            }
            self.advance(blank.max(comment));
        }
    }

    /// The next word, up to white space or a comment.
    fn word(&self) -> &'a str {
        let end = self.rest.find(|c: char| c.is_whitespace() || c == ';');
        &self.rest[..end.unwrap_or(self.rest.len())]
    }

    fn expect(&mut self, text: &str) -> Result<(), RecordError> {
        if !self.rest.starts_with(text) {
            return Err(self.error(format!("expected `{text}`")));
        }
        self.advance(text.len());
        Ok(())
    }

    /// `[Name "value"]`, with `\"` and `\\` in the value.
    fn tag(&mut self) -> Result<(String, String), RecordError> {
        self.expect("[")?;
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let name = self.advance(end.unwrap_or(self.rest.len())).to_string();
        if name.is_empty() {
            return Err(self.error("expected the name of a tag"));
        }
        self.expect(" \"")?;
        let mut value = String::new();
        loop {
            let end = self.rest.find(['"', '\\', '\n']);
            let end = end.ok_or_else(|| self.error("the value of a tag has no end"))?;
            value.push_str(self.advance(end));
            match self.rest.as_bytes() {
                [b'"', ..] => break,
                [b'\\', byte @ (b'"' | b'\\'), ..] => value.push(char::from(*byte)),
                _ => return Err(self.error("expected `\"`, `\\\"` or `\\\\`")),
            }
            self.advance(2);
        }
        self.expect("\"]")?;
        Ok((name, value))
    }
}

fn record(source: &mut Source<'_>) -> Result<Record, RecordError> {
    let (tags, setup) = header(source)?;
    let mut record = Record { tags, setup, steps: Vec::new(), result: String::new() };
    let mut position = setup.position();
    loop {
        source.skip_blank();
        let word = source.word();
        if is_result(word, &position) {
            check_result(source, &record, &position, word)?;
            record.result = word.to_string();
            source.advance(word.len());
            return Ok(record);
        }
        if word.is_empty() || word.starts_with('[') {
            return Err(source.error("expected a step or the closing result"));
        }
        let shown = text::printable(word.as_bytes());
        let step = position.parse_step(word.as_bytes());
        let step = step.map_err(|e| source.error(format!("{shown}: {e}")))?;
        position.play(step).map_err(|refusal| {
            source.error(format!("{shown}: {}", text::refusal(position.board(), &refusal)))
        })?;
        record.steps.push(step);
        source.advance(word.len());
    }
}

/// The tags and the set-up they give.
fn header(source: &mut Source<'_>) -> Result<(Vec<(String, String)>, Setup), RecordError> {
    let mut tags: Vec<(String, String)> = Vec::new();
    let mut setup = None;
    let mut dealt = false;
    while source.rest.starts_with('[') {
        let start = Source { ..*source };
        let (name, value) = source.tag()?;
        if tags.iter().any(|(tag, _)| *tag == name) {
            return Err(start.error(format!("a second tag {name}")));
        }
        setup = Some(match (setup, name.as_str()) {
            (None, "Game") => Id::parse(value.as_bytes()).map(Setup::of).ok_or_else(|| {
                start.error(format!("no game {}", text::printable(value.as_bytes())))
            })?,
            (None, _) => return Err(start.error("the first tag must be Game")),
            (Some(setup), "Handicap") => {
                with_handicap(setup, &value).map_err(|e| start.error(e.to_string()))?
            }
            (Some(setup), "Setup") => {
                dealt = true;
                with_deal(setup, &value).map_err(|e| start.error(e.to_string()))?
            }
            (Some(setup), _) => setup,
        });
        tags.push((name, value));
        source.skip_blank();
    }
    let setup = setup.ok_or_else(|| source.error("expected `[Game \"...\"]`"))?;
    if matches!(setup, Setup::Lyngk(..)) && !dealt {
        return Err(source.error("a record of LYNGK needs a tag Setup"));
    }
    Ok((tags, setup))
}

/// Whether a word can close a record of this game.
fn is_result(word: &str, position: &Position) -> bool {
    let players = position.id().player_count();
    matches!(word, "none" | "draw")
        || (1..=players).any(|player| word == format!("p{player}win"))
        || (players > 2 && word.starts_with("share-"))
}

/// The closing result must be the rules', where they give one, and that of the tag.
fn check_result(
    source: &Source<'_>,
    record: &Record,
    position: &Position,
    word: &str,
) -> Result<(), RecordError> {
    let by_rules = text::result(position);
    if word != by_rules && (by_rules != "none" || word.starts_with("share-")) {
        return Err(source.error(format!("the result is {by_rules}, not {word}")));
    }
    match record.tag("Result") {
        Some(tag) if tag != word => {
            Err(source.error(format!("the tag Result says {}", text::printable(tag.as_bytes()))))
        }
        _ => Ok(()),
    }
}
