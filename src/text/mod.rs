//! Text: every sentence shown to people, by id and parameters, in every language.
//!
//! A [`Message`] is a value; [`write()`] says it in a [`Language`]. Each language is one file with one
//! table; the compiler sees to it that no sentence is missing in any. `golden/sentences.txt` shows
//! them all for reading through. For the page, the pipe and the tools; nothing here knows when
//! something is said.
//!
//! Sentences are one line of about 120 characters at most, without a final stop; only a long list of
//! points or pieces can make one longer. Of more than eight points the first eight are named. Point
//! names, numbers, rules, steps and keys are Latin in every language. Where people write from right
//! to left they are isolated (U+2066 to U+2069), so that they keep their order and their place.

mod english;
mod message;
mod parameter;
mod persian;
#[cfg(test)]
mod tests;

use core::fmt::{self, Write};

use crate::games::{Id, any::Reason};
use crate::meaning::Kind;
pub use message::Message;
use parameter::Parameter;
pub use parameter::{Places, Refused, Share, Stack, Tally, Who};

/// A language people are spoken to in.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Persian.
    Persian,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 2] = [Language::English, Language::Persian];

    /// Its code in ISO 639-1.
    pub const fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Persian => "fa",
        }
    }

    const fn words(self) -> &'static Words {
        match self {
            Language::English => &english::WORDS,
            Language::Persian => &persian::WORDS,
        }
    }
}

/// Says something.
pub fn write(language: Language, message: &Message, to: &mut impl Write) -> fmt::Result {
    let words = language.words();
    let mut rest = (words.sentence)(message);
    while let Some((before, after)) = rest.split_once('{') {
        words.literal(before, to)?;
        let (name, after) = after.split_once('}').ok_or(fmt::Error)?;
        message.parameter(name).ok_or(fmt::Error)?.write(words, to)?;
        rest = after;
    }
    words.literal(rest, to)
}

/// What a language consists of.
struct Words {
    /// The sentence of a message, with `{parameter}`s and Latin words in brackets.
    sentence: fn(&Message) -> &'static str,
    /// Why something is not legal.
    reason: fn(Reason) -> &'static str,
    /// What a game is called.
    game: fn(Id) -> &'static str,
    /// What a colour is called.
    colour: fn(Kind) -> &'static str,
    /// What LYNGK's white pieces are called.
    joker: &'static str,
    /// The two sides of games that have colours.
    sides: [&'static str; 2],
    /// A player of the others.
    player: &'static str,
    /// Between the items of a list.
    comma: &'static str,
    /// Between people.
    and: &'static str,
    /// What goes around Latin words, numbers and names.
    isolates: [&'static str; 2],
}

impl Words {
    /// Part of a sentence from the tables.
    fn literal(&self, text: &str, to: &mut impl Write) -> fmt::Result {
        text.split_inclusive(['[', ']']).try_for_each(|part| {
            let (text, isolate) = match part.strip_suffix('[') {
                Some(text) => (text, self.isolates[0]),
                None => part.strip_suffix(']').map_or((part, ""), |text| (text, self.isolates[1])),
            };
            to.write_str(text)?;
            to.write_str(isolate)
        })
    }

    /// Something that keeps its direction wherever it stands.
    fn isolated(&self, text: fmt::Arguments, to: &mut impl Write) -> fmt::Result {
        write!(to, "{}{text}{}", self.isolates[0], self.isolates[1])
    }
}
