//! What pages and the board on the screen say to each other: JSON, one message a frame.
//!
//! Places are millimetres from the middle of the playfield, y downwards, as in [`crate::draw`].
//! A page does not know the rules and decides nothing: it says what a hand does and shows what it
//! is told. Sentences come in every language at once, so that each page can have its own.

use lodestone::games::Id;
use lodestone::link::{Key, ToBoard};
use lodestone::meaning::Meaning;
use lodestone::sound::{Note, Sound};
use lodestone::text::{Language, Message, write};
use serde::{Deserialize, Serialize};

use crate::rulebook;

/// Bytes of the longest message a page may send.
pub(super) const REQUEST_MAX: usize = 2048;

/// What a page asks for: `{"move": {"x": 1, "y": 2}}`, `"stow"`.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Request<'a> {
    /// A hand takes hold of a piece: of its whole stack or the topmost alone; slid or lifted.
    Grab { piece: u32, whole: bool, slide: bool },
    /// A hand takes a piece from a tray.
    Take { item: String },
    /// The hand goes there.
    Move { x: f64, y: f64 },
    /// The hand sets down there; on a point or a stack if one is within `snap` mm.
    Drop { x: f64, y: f64, snap: f64 },
    /// The hand puts into the tray what it holds.
    Stow,
    /// A piece is turned over: that in the hand when none is named.
    Flip { piece: Option<u32> },
    /// A key goes down or comes up.
    Key { key: Key, down: bool },
    /// Start a game, or go on with one after these steps, laid out. The other playfield is put in if
    /// the game needs that one.
    Start {
        game: String,
        #[serde(default)]
        steps: Vec<String>,
    },
    /// All pieces are put as the game says.
    LayOut,
    /// A host's request.
    Host {
        #[serde(borrow)]
        request: ToBoard<'a>,
    },
    /// Noise of the sensors, codes.
    Noise { codes: f64 },
    /// A field that all sensors see, mT.
    Ambient { mt: f64 },
    /// Something is wrong with a sensor, or not any more.
    Fault { point: usize, fault: Option<Fault> },
    /// The plug is pulled or put in.
    Power { on: bool },
    /// The board plays by itself.
    Demo { speed: f64 },
    /// Codes and fields shall be sent to this page.
    Watch { fields: bool },
    /// The record is shown after so many steps.
    Goto { step: usize },
}

impl Request<'_> {
    /// Whether it moves pieces, or is about sensors and power that only exist here.
    pub(super) fn is_about_the_table(&self) -> bool {
        !matches!(
            self,
            Request::Key { .. }
                | Request::Start { .. }
                | Request::Host { .. }
                | Request::Watch { .. }
                | Request::Demo { .. }
        )
    }
}

/// What may be wrong with a sensor.
#[derive(Clone, Copy, Deserialize, Serialize, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Fault {
    Dead,
    Stuck,
    Noisy,
}

/// What pages are told.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(super) enum News<'a> {
    /// Everything that changes with the game only.
    Board {
        /// What to fetch as `/board.svg?surface=`.
        surface: &'a str,
        hex: bool,
        view: [f64; 4],
        /// Of all points: place, and the name in this game or nothing.
        points: Vec<(f64, f64, Option<String>)>,
        trays: Vec<TrayNews>,
        /// How much higher each piece of a stack is drawn, and at most in all.
        step: f64,
    },
    /// The trays' counts, in the order of `Board`.
    Trays { left: Vec<Vec<usize>> },
    /// LEDs that shine: number, colour, strength.
    Lights { points: Vec<(usize, String, f64)>, keys: Vec<Option<(String, f64)>> },
    /// What the lights say, for those who do not see colours or rhythms.
    Meanings { points: Vec<Meant> },
    /// Pieces that are new or moved, and those that are gone.
    Pieces { changed: Vec<PieceNews>, gone: Vec<u32> },
    /// What stands.
    Status(Box<Status>),
    /// Something happened.
    Event { kind: &'a str, text: Option<Both>, detail: String, sound: Option<SoundNews> },
    /// Codes, fields in hundredths of a mT, points that are not trusted.
    Fields { codes: &'a [u16], fields: Vec<i32>, faults: Vec<usize>, referee: RefereeNews },
    /// A request was not understood or could not be carried out; nothing has changed. The page has
    /// words for `why`, the board says `text`.
    Error { why: Option<Why>, text: Option<Both>, detail: &'a str },
}

impl News<'_> {
    /// What a page sent cannot be read.
    pub(super) fn unreadable(detail: &str) -> News<'_> {
        News::Error { why: Some(Why::Unreadable), text: None, detail }
    }
}

/// Why something was not done: what only a page can ask for, by a name that it has words for.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Why {
    Unreadable,
    HandFull,
    HandEmpty,
    HeldByOther,
    NoneLeft,
    NoSuchPiece,
    NoSuchPoint,
    NoSuchGame,
    NotAStep,
    NoRecord,
    PlugOut,
    OnRealBoard,
    OnlyHere,
}

#[cfg(test)]
impl Why {
    pub(super) const ALL: [Why; 13] = [
        Why::Unreadable,
        Why::HandFull,
        Why::HandEmpty,
        Why::HeldByOther,
        Why::NoneLeft,
        Why::NoSuchPiece,
        Why::NoSuchPoint,
        Why::NoSuchGame,
        Why::NotAStep,
        Why::NoRecord,
        Why::PlugOut,
        Why::OnRealBoard,
        Why::OnlyHere,
    ];
}

/// Why something was not done.
#[derive(Clone, Copy)]
pub(super) enum Refusal {
    Page(Why),
    Board(Message<'static>),
}

impl From<Why> for Refusal {
    fn from(why: Why) -> Refusal {
        Refusal::Page(why)
    }
}

impl Refusal {
    /// Its name.
    pub(super) fn name(self) -> String {
        match self {
            Refusal::Page(why) => format!("{why:?}"),
            Refusal::Board(message) => message.id().into(),
        }
    }

    pub(super) fn news(self) -> News<'static> {
        match self {
            Refusal::Page(why) => News::Error { why: Some(why), text: None, detail: "" },
            Refusal::Board(message) => {
                News::Error { why: None, text: Some(Both::say(&message)), detail: "" }
            }
        }
    }
}

/// What the light of a point says: its number, the meaning's name, and which candidate or kind.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub(super) struct Meant(pub(super) usize, pub(super) &'static str, pub(super) Option<String>);

impl Meant {
    pub(super) fn of(point: usize, meaning: Meaning) -> Meant {
        let more = match meaning {
            Meaning::Candidate(n) => Some(format!("K{}", n + 1)),
            Meaning::SetUp(kind) => Some(format!("{kind:?}").to_lowercase()),
            _ => None,
        };
        Meant(point, meaning.name(), more)
    }
}

/// What is heard, as the board plays it.
#[derive(Serialize)]
pub(super) struct SoundNews {
    name: &'static str,
    /// Frequencies, Hz, 0 for silence; lengths, ms.
    notes: Vec<(u16, u16)>,
}

impl SoundNews {
    pub(super) fn of(sound: Sound) -> SoundNews {
        let notes = sound.notes().iter().map(|&Note { hz, ms }| (hz, ms));
        SoundNews { name: sound.name(), notes: notes.collect() }
    }
}

/// A game that can be started.
#[derive(Serialize)]
pub(super) struct GameNews {
    id: &'static str,
    /// The letter of its rules: the same for all ids of one game.
    letter: char,
    name: Both,
}

impl GameNews {
    pub(super) fn of(game: Id) -> GameNews {
        let name = Both::say(&Message::Game { game });
        GameNews { id: game.name(), letter: game.letter(), name }
    }
}

#[derive(Serialize)]
pub(super) struct TrayNews {
    /// Whose, from 1; 0 for everybody's.
    pub(super) player: usize,
    pub(super) items: Vec<ItemNews>,
}

#[derive(Serialize)]
pub(super) struct ItemNews {
    /// As the notation writes it.
    pub(super) item: String,
    /// Its drawing.
    pub(super) symbol: String,
    pub(super) radius: f64,
}

/// A piece as it is drawn.
#[derive(Serialize, Clone, PartialEq)]
pub(super) struct PieceNews {
    pub(super) id: u32,
    pub(super) symbol: String,
    pub(super) x: f64,
    pub(super) y: f64,
    /// Above what it stands on or would stand on, mm.
    pub(super) lift: f64,
    /// The lowest piece of its stack, its place from there, and how many there are.
    pub(super) stack: u32,
    pub(super) level: usize,
    pub(super) of: usize,
    pub(super) radius: f64,
    /// The face that is up should be down.
    pub(super) turned: bool,
}

/// A sentence in every language.
#[derive(Serialize, Clone, PartialEq, Eq, Default)]
pub(super) struct Both {
    en: String,
    fa: String,
}

impl Both {
    pub(super) fn say(message: &Message) -> Both {
        let say = |language| {
            let mut text = String::new();
            write(language, message, &mut text).expect("a string takes every sentence");
            text
        };
        Both { en: say(Language::English), fa: say(Language::Persian) }
    }

    /// A rule as the rule books have it, with its number, which opens it on the page.
    pub(super) fn rule(number: &str) -> Both {
        let text = |language| rulebook::rule(language, number).unwrap_or_default();
        Both {
            en: format!("{} [{number}]", text(Language::English)),
            fa: format!("{} [\u{2066}{number}\u{2069}]", text(Language::Persian)),
        }
    }
}

/// What stands: everything beside the board.
#[derive(Serialize, PartialEq, Clone, Default)]
pub(super) struct Status {
    pub(super) phase: Option<lodestone::link::Phase>,
    pub(super) game: Option<&'static str>,
    pub(super) title: Option<Both>,
    /// Who is to act, from 1; 0 for nobody.
    pub(super) turn: u8,
    pub(super) players: Vec<PlayerNews>,
    pub(super) headlines: Vec<Both>,
    /// Of K1..K6, OK and UNDO.
    pub(super) legends: Vec<Option<Both>>,
    pub(super) record: Vec<String>,
    pub(super) options: Option<lodestone::link::Options>,
    pub(super) powered: bool,
    /// How fast the board plays by itself, if it does.
    pub(super) demo: Option<f64>,
    /// Whether pieces could be put as the game says.
    pub(super) can_lay_out: bool,
    /// What runs the board, if it is not the console in this program.
    pub(super) runs_on: Option<String>,
    /// Why it does not answer.
    pub(super) absent: Option<String>,
    /// Whether the pieces are those of a real board: then hands on the page hold nothing.
    pub(super) is_real: bool,
    /// The record that is stepped through.
    pub(super) replay: Option<ReplayNews>,
    pub(super) noise: f64,
    pub(super) ambient: f64,
}

/// A record, and how far it is played.
#[derive(Serialize, PartialEq, Clone)]
pub(super) struct ReplayNews {
    pub(super) name: String,
    pub(super) steps: Vec<String>,
    pub(super) at: usize,
}

#[derive(Serialize, PartialEq, Clone)]
pub(super) struct PlayerNews {
    pub(super) score: u16,
    /// Pieces that stand for the player.
    pub(super) symbols: Vec<String>,
}

/// What the referee makes of the board, for developers.
#[derive(Serialize, Default)]
pub(super) struct RefereeNews {
    pub(super) stage: String,
    pub(super) position: String,
    pub(super) legal: usize,
    /// Where the board differs from what is expected.
    pub(super) differs: String,
    pub(super) candidates: String,
    /// Results that would explain what is seen, and how they are reached.
    pub(super) explained: Vec<(&'static str, String)>,
    /// Points by what their lights mean.
    pub(super) meanings: Vec<(String, String)>,
}

/// A message as it is sent.
pub(super) fn json(news: &News) -> std::sync::Arc<str> {
    serde_json::to_string(news).expect("news are plain data").into()
}
