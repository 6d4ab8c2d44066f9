//! Games as text files: tags, steps and a result, as `docs/notation.md` says.
//!
//! Reading plays every step; what is not legal is refused with line, column and rule, and nothing
//! is returned. One file may hold several records. Comments are read over.

pub mod json;

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
            f.write_str(&tag(name, value))?;
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

/// The line of a tag.
fn tag(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]\n", value.replace('\\', "\\\\").replace('"', "\\\""))
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

#[cfg(test)]
mod tests {
    use super::*;

    const YINSH: &str = "[Game \"yinsh\"]\n[Place \"at home\"]\n[Result \"none\"]\n\n\
                         f6 a5 b6 c6 b4 b1 b7 k7 b5 b3 ; the rings\nf6-f9 a5-a3 none\n";

    #[test]
    fn the_example_of_the_notation_is_read_and_written() {
        let records = read(YINSH).expect("a legal record");
        assert_eq!(records.len(), 1);
        assert_eq!((records[0].steps.len(), records[0].tag("Place")), (12, Some("at home")));
        let again = read(&records[0].to_string());
        assert_eq!(again, Ok(records));
    }

    #[test]
    fn one_file_may_hold_several_records() {
        let records = read(&format!("; two games\n{YINSH}\n{YINSH}")).expect("legal records");
        assert_eq!(records.len(), 2);
        assert_eq!(read("  ; nothing\n\n"), Ok(Vec::new()));
    }

    #[test]
    fn writers_break_lines_before_column_81() {
        let steps = "a1 a2 a3 b1 b2 b3 b4 c1 c2 c3 c4 c5 d1 d2 d3 d4 d5 e1 e2 e3 e4 e5 f1 f2 f3 f4";
        let source = format!("[Game \"dvonn\"]\n\n{steps}\nf5 g1 g2 none\n");
        let written = read(&source).expect("a legal record")[0].to_string();
        assert!(written.lines().all(|line| line.len() <= WIDTH), "{written}");
        assert_eq!(written.lines().count(), 4, "{written}");
    }

    /// Each row spoils a legal record in one way, and meets the error at its place.
    #[test]
    fn errors_name_line_column_and_rule() {
        let check = |source: &str, expected: &str| {
            let error = read(source).expect_err(source).to_string();
            assert_eq!(error, expected, "{source}");
        };
        check("f6 a5 none", "line 1, column 1: expected `[Game \"...\"]`");
        check("[Place \"x\"]\n", "line 1, column 1: the first tag must be Game");
        check("[Game \"chess\"]\n", "line 1, column 1: no game chess");
        check("[Game yinsh]\n", "line 1, column 6: expected ` \"`");
        check("[Game \"yinsh]\n", "line 1, column 14: expected `\"`, `\\\"` or `\\\\`");
        check("[Game \"yinsh\"", "line 1, column 13: expected `\"]`");
        check("[ \"x\"]", "line 1, column 2: expected the name of a tag");
        check("[Game \"yinsh\"]\n[Game \"yinsh\"]\n", "line 2, column 1: a second tag Game");
        let wrong = "line 2, column 1: this game has no Handicap";
        check("[Game \"yinsh\"]\n[Handicap \"1+2\"]\n\nnone", wrong);
        let missing = "line 3, column 1: a record of LYNGK needs a tag Setup";
        check("[Game \"lyngk\"]\n\nnone", missing);
        let end = "line 3, column 6: expected a step or the closing result";
        check("[Game \"yinsh\"]\n\nf6 a5", end);
        let twice = "line 4, column 2: f6: a ring is put on a vacant point (f6) [Y2]";
        check("[Game \"yinsh\"]\n\nf6 ; first\n f6 none", twice);
        let text = "line 3, column 4: z9: expected a point of the board at byte 1";
        check("[Game \"yinsh\"]\n\nf6 z9 none", text);
        let tag = "line 4, column 4: the tag Result says draw";
        check("[Game \"yinsh\"]\n[Result \"draw\"]\n\nf6 none", tag);
        let player = "line 3, column 4: p3win: expected a point of the board at byte 1";
        check("[Game \"yinsh\"]\n\nf6 p3win", player);
        let share = "line 3, column 1: the result is none, not share-1-2";
        check("[Game \"glux-3\"]\n\nshare-1-2", share);
    }

    #[test]
    fn a_game_may_be_given_up_while_the_rules_give_no_result() {
        for result in ["p1win", "p2win", "draw", "none"] {
            let records = read(&format!("[Game \"yinsh\"]\n\nf6 {result}\n"));
            assert_eq!(records.expect("a legal record")[0].result, result);
        }
    }

    /// Once the rules give a result, no other can be written.
    #[test]
    fn a_finished_game_has_the_result_of_the_rules() {
        let mut position = Setup::of(Id::GipfBasic).position();
        let mut record = Record::new(Id::GipfBasic, Setup::of(Id::GipfBasic));
        while position.outcome().is_none() {
            let step = position.steps().next().expect("a step while there is no result");
            position.play_unchecked(step);
            record.steps.push(step);
        }
        let by_rules = text::result(&position);
        record.result = by_rules.clone();
        assert_eq!(read(&record.to_string()), Ok(vec![record.clone()]));
        for other in ["p1win", "p2win", "draw", "none"].into_iter().filter(|r| *r != by_rules) {
            record.result = other.into();
            let error = read(&record.to_string()).expect_err("another result");
            assert_eq!(error.reason, format!("the result is {by_rules}, not {other}"));
        }
    }
}
