//! Records as JSON: a list of objects with `tags` (pairs of name and value, in their order),
//! `steps` and `result`.
//!
//! Reading is as strict as that of the text: every step is played, and what does not come out
//! as it went in is refused.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Record;
use crate::text;

/// A record in the words of the notation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    tags: Vec<(String, String)>,
    steps: Vec<String>,
    result: String,
}

impl Words {
    fn of(record: &Record) -> Words {
        let steps = record.positions().zip(&record.steps).map(|(p, &step)| text::step(&p, step));
        Words { tags: record.tags.clone(), steps: steps.collect(), result: record.result.clone() }
    }
}

/// What is wrong with a JSON text of records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum JsonError {
    /// It is not JSON of this form.
    Form(String),
    /// The record with this number, counted from 1, is not legal, for this reason.
    Record(usize, String),
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JsonError::Form(reason) => f.write_str(reason),
            JsonError::Record(number, reason) => write!(f, "record {number}: {reason}"),
        }
    }
}

impl std::error::Error for JsonError {}

/// Writes records.
pub fn write(records: &[Record]) -> String {
    let words: Vec<Words> = records.iter().map(Words::of).collect();
    serde_json::to_string_pretty(&words).expect("words are JSON")
}

/// Reads records.
pub fn read(json: &str) -> Result<Vec<Record>, JsonError> {
    let all: Vec<Words> =
        serde_json::from_str(json).map_err(|error| JsonError::Form(error.to_string()))?;
    let record = |(number, words): (usize, &Words)| {
        record(words).map_err(|reason| JsonError::Record(number, reason))
    };
    (1..).zip(&all).map(record).collect()
}

/// Goes through the text, so that there is one reader of records.
fn record(words: &Words) -> Result<Record, String> {
    let tags = words.tags.iter().map(|(name, value)| super::tag(name, value)).collect::<String>();
    let text = format!("{tags}\n{}\n{}\n", words.steps.join("\n"), words.result);
    let records = super::read(&text).map_err(|error| error.reason)?;
    match <[Record; 1]>::try_from(records) {
        Ok([record]) if Words::of(&record) == *words => Ok(record),
        _ => Err("a tag, step or result is not a single word of the notation".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record;

    /// The records that the fuzzer starts from: every game that has texts of its own.
    const FILES: [&str; 4] = [
        include_str!("../../../fuzz/seeds/record/glux.game"),
        include_str!("../../../fuzz/seeds/record/lyngk.game"),
        include_str!("../../../fuzz/seeds/record/two.game"),
        include_str!("../../../fuzz/seeds/record/yinsh.game"),
    ];

    #[test]
    fn records_come_back_as_they_were() {
        for file in FILES {
            let records = record::read(file).expect("legal records");
            assert!(!records.is_empty());
            assert_eq!(read(&write(&records)), Ok(records));
        }
    }

    #[test]
    fn what_is_not_legal_is_refused_with_its_reason() {
        let check = |tags: &str, steps: &str, expected: &str| {
            let json = format!(r#"[{{"tags":[{tags}],"steps":[{steps}],"result":"none"}}]"#);
            assert_eq!(read(&json).expect_err(&json).to_string(), expected, "{json}");
        };
        let game = r#"["Game","yinsh"]"#;
        let twice = "record 1: f6: a ring is put on a vacant point (f6) [Y2]";
        check(game, r#""f6","f6""#, twice);
        check("", r#""f6""#, "record 1: expected `[Game \"...\"]`");
        let smuggled = "record 1: a tag, step or result is not a single word of the notation";
        check(game, r#""f6 f7""#, smuggled);
        check(game, r#""f6","; f7""#, smuggled);
        check(&format!(r#"{game},["A b","c"]"#), "", "record 1: expected ` \"`");
        assert!(matches!(read("{}"), Err(JsonError::Form(_))));
        let more = r#"[{"tags":[],"steps":[],"result":"none","more":1}]"#;
        assert!(matches!(read(more), Err(JsonError::Form(_))));
    }
}
