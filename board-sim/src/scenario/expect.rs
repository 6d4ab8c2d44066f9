//! What an act is to bring about, as words.

use lodestone::link::{Phase, Task};
use lodestone::sound::Sound;
use serde::de::DeserializeOwned;

use super::read::Words;
use crate::pipe::Event;

/// What lights can mean, and the words for several meanings of one colour.
const LIGHTS: [(&str, &[&str]); 17] = [
    ("origin", &["origin"]),
    ("destination", &["destination"]),
    ("capture", &["capture"]),
    ("movable", &["movable"]),
    ("put", &["put"]),
    ("take", &["take"]),
    ("flip", &["flip"]),
    ("wrong", &["wrong"]),
    ("missing", &["missing"]),
    ("candidate", &["candidate"]),
    ("last-from", &["last-from"]),
    ("last-to", &["last-to"]),
    ("set-up", &["set-up"]),
    ("to-act", &["to-act"]),
    ("winner", &["winner"]),
    ("amber", &["put", "take", "flip"]),
    ("red", &["wrong", "missing"]),
];

/// Something that shall come out of the board.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Expected {
    Event(ExpectedEvent),
    /// Whatever happened so far.
    Anything,
    /// Nothing else happened so far, and nothing happens for so many ms.
    Nothing(u32),
    /// Exactly these points mean one of these now; with `...` others may, too.
    Lights(&'static [&'static str], Vec<String>),
    /// Exactly these lamps are lit now.
    Lamps(Vec<String>),
    /// This was heard since the last look.
    Sound(Sound),
    /// Nothing was heard since the last look.
    Silence,
    Phase(Phase),
    /// The last step made it this player's turn.
    Turn(u8),
    /// The last step brought this result.
    Result(String),
    /// The position line, as the board has it.
    Position(String),
}

/// An event, as far as scenarios look at it.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum ExpectedEvent {
    Committed(String),
    /// With so many steps left, if that is said.
    Undone(Option<u32>),
    /// This rule, `none` for no rule; at these points, if any are named.
    Refused(String, Vec<String>),
    BackInPlay,
    Question(Vec<String>),
    Prompt(Task, Vec<String>),
    Fault(Vec<String>),
}

fn named<T: DeserializeOwned>(word: &str) -> Result<T, String> {
    serde_json::from_value(word.into()).map_err(|_| format!("no such word: `{word}`"))
}

fn sound(word: &str) -> Result<Sound, String> {
    let all = [Sound::Accepted, Sound::Wrong, Sound::Turn, Sound::Question, Sound::End];
    all.into_iter().find(|sound| sound.name() == word).ok_or_else(|| format!("no sound `{word}`"))
}

fn lights(word: &str) -> Result<&'static [&'static str], String> {
    let found = LIGHTS.into_iter().find(|(name, _)| *name == word);
    found.map(|(_, meanings)| meanings).ok_or_else(|| format!("no light means `{word}`"))
}

impl Expected {
    pub(super) fn read(words: &mut Words) -> Result<Expected, String> {
        use ExpectedEvent as Of;
        Ok(Expected::Event(match words.word()? {
            "committed" => Of::Committed(words.word()?.into()),
            "undone" if words.is_empty() => Of::Undone(None),
            "undone" => Of::Undone(Some(words.number()?)),
            "refused" => Of::Refused(words.word()?.into(), words.all()),
            "back-in-play" => Of::BackInPlay,
            "question" => Of::Question(words.all()),
            "prompt" => Of::Prompt(named(words.word()?)?, words.all()),
            "fault" => Of::Fault(words.all()),
            "anything" => return Ok(Expected::Anything),
            "nothing" if words.is_empty() => return Ok(Expected::Nothing(0)),
            "nothing" => return Ok(Expected::Nothing(words.number()?)),
            "lights" => return Ok(Expected::Lights(lights(words.word()?)?, words.all())),
            "lamps" => return Ok(Expected::Lamps(words.all())),
            "sound" => return Ok(Expected::Sound(sound(words.word()?)?)),
            "silence" => return Ok(Expected::Silence),
            "phase" => return Ok(Expected::Phase(named(words.word()?)?)),
            "turn" => return Ok(Expected::Turn(words.number()?)),
            "result" => return Ok(Expected::Result(words.word()?.into())),
            "position" => return Ok(Expected::Position(words.rest())),
            word => return Err(format!("nothing is called `{word}`")),
        }))
    }
}

impl ExpectedEvent {
    pub(super) fn is(&self, event: &Event) -> bool {
        let same = |expected: &[String], points: &[String]| {
            let (mut a, mut b) = (expected.to_vec(), points.to_vec());
            a.sort_unstable();
            b.sort_unstable();
            a == b
        };
        match (self, event) {
            (ExpectedEvent::Committed(expected), Event::Committed { step, .. }) => expected == step,
            (ExpectedEvent::Undone(expected), Event::Undone { count }) => {
                expected.is_none_or(|expected| expected == *count)
            }
            (ExpectedEvent::Refused(expected, at), Event::Refused { rule, points, .. }) => {
                let is_rule = if expected == "none" { rule.is_empty() } else { expected == rule };
                is_rule && (at.is_empty() || same(at, points))
            }
            (ExpectedEvent::BackInPlay, Event::BackInPlay {}) => true,
            // Their order is that of the keys.
            (ExpectedEvent::Question(expected), Event::Question { points, .. }) => {
                expected == points
            }
            (ExpectedEvent::Prompt(expected, at), Event::Prompt { task, points, .. }) => {
                expected == task && (at.is_empty() || same(at, points))
            }
            (ExpectedEvent::Fault(expected), Event::Fault { points, .. }) => same(expected, points),
            _ => false,
        }
    }
}
