//! The messages. Their order is their number on the wire and never changes; new ones go to the end.

use serde::{Deserialize, Serialize};

use super::field::{CodeBytes, LightBytes, MeaningBytes, Places, Seat, Text};
use super::{
    CANDIDATES_MAX, FIRMWARE_MAX, FrameError, HANDICAP_MAX, PART_MAX, POSITION_MAX, RESULT_MAX,
    RULE_MAX, SERIAL_MAX, SETUP_MAX, STEP_MAX, TEXT_ID_MAX, VERSION,
};
use crate::games::Id;
use crate::geometry::Playfield;
use crate::sense::Fault;
use crate::sound::Sound;
use crate::text::Language;

/// Messages that are known by number.
pub trait Numbered {
    /// The name of each, by number.
    const NAMES: &'static [&'static str];

    /// The name of this one.
    fn name(&self) -> &'static str;

    /// Its number on the wire.
    fn number(&self) -> u8 {
        let same = |name: &&str| **name == *self.name();
        Self::NAMES.iter().position(same).map_or(u8::MAX, |number| number as u8)
    }
}

/// Makes an enum of messages that knows their names.
macro_rules! messages {
    ($(#[$about:meta])* pub enum $enum:ident<'a> {
        $($(#[$doc:meta])* $name:ident $({ $($(#[$what:meta])* $field:ident: $type:ty),* $(,)? })?,)*
    }) => {
        #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
        $(#[$about])*
        pub enum $enum<'a> {
            $($(#[$doc])* $name $({ $($(#[$what])* $field: $type),* })?,)*
        }

        impl Numbered for $enum<'_> {
            const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];

            fn name(&self) -> &'static str {
                match self {
                    $($enum::$name { .. } => stringify!($name),)*
                }
            }
        }
    };
}

messages! {
    /// What a host asks of the board. In formats that people read, fields that have a default may be
    /// left out.
    pub enum ToBoard<'a> {
        /// I am here. Answered by `Hello`.
        Hello {
            /// The version the host speaks.
            #[serde(default = "current_version")]
            version: u16,
        },
        /// Answered by `State`.
        GetState,
        /// Answered by `Position`.
        GetPosition,
        /// What to send unasked from now on.
        Watch {
            /// `Committed` to `Sound`.
            #[serde(default)]
            events: bool,
            /// `Lights`, whenever they change.
            #[serde(default)]
            lights: bool,
            /// `Meanings`, whenever they change.
            #[serde(default)]
            meanings: bool,
            /// `Fields`, every scan.
            #[serde(default)]
            fields: bool,
        },
        /// Begin with the set-up of a game.
        NewGame {
            /// Which one.
            id: Id,
            /// `1+2`; `none` or empty is none.
            #[serde(borrow, default)]
            handicap: Text<'a, HANDICAP_MAX>,
            /// LYNGK: 43 letters or `shuffle N`; empty lets the board draw.
            #[serde(borrow, default)]
            setup: Text<'a, SETUP_MAX>,
        },
        /// Go on with the unfinished game.
        Resume,
        /// Take the last step back.
        Undo,
        /// End the game before its end.
        Resign {
            /// Who gives up; nobody: it is stopped without a result.
            #[serde(default)]
            player: Seat,
        },
        /// A step that people shall carry out on the table; the lights lead them.
        Propose {
            /// As the notation writes it.
            #[serde(borrow)]
            step: Text<'a, STEP_MAX>,
        },
        /// The answer to the open `Question`.
        Answer {
            /// Which of its candidates, from 0.
            candidate: u8,
        },
        /// As if this key were pressed or released.
        Key {
            /// Which one.
            key: Key,
            /// Whether it goes down.
            down: bool,
        },
        /// Change an option.
        SetOption {
            /// Which, and to what.
            setting: Setting,
        },
        /// Answered by a `Game` with the tags of each stored game, then `Ack`.
        ListGames,
        /// Answered by the `Game`s that make its record.
        GetGame {
            /// Its number in the journal.
            number: u32,
        },
        /// Learn the sensors anew; people do what the lights say. `Ack`, and `Report` at the end.
        Calibrate {
            /// Zeros or gains.
            procedure: Procedure,
        },
        /// Try lights, keys and sensors. `Ack`, and `Report` at the end.
        SelfTest,
        /// Leave for the boot loader. Somebody has to hold OK.
        EnterBootloader,
        /// Forget all games. Somebody has to hold OK.
        EraseJournal,
    }
}

messages! {
    /// What the board says.
    #[serde(rename_all = "kebab-case")]
    pub enum FromBoard<'a> {
        /// The answer to `Hello`, and the first thing said after a start.
        Hello {
            /// The version the board speaks.
            version: u16,
            /// Name and version of the firmware.
            #[serde(borrow)]
            firmware: Text<'a, FIRMWARE_MAX>,
            /// What lies in the frame, if it is known.
            playfield: Option<Playfield>,
            /// The number of this board, in hexadecimal.
            #[serde(borrow)]
            serial: Text<'a, SERIAL_MAX>,
        },
        /// Everything but the position.
        State {
            /// The game, if there is one.
            game: Option<Id>,
            /// All options.
            options: Options,
            /// Steps committed in this game.
            count: u32,
            /// Who is to act; nobody when the game is over.
            turn: Seat,
            /// What the board is doing.
            phase: Phase,
            /// `none` while the game goes on.
            #[serde(borrow)]
            result: Text<'a, RESULT_MAX>,
        },
        /// The position.
        Position {
            /// In one line of the notation.
            #[serde(borrow)]
            line: Text<'a, POSITION_MAX>,
        },
        /// A step counts, and is stored.
        Committed {
            /// As the notation writes it.
            #[serde(borrow)]
            step: Text<'a, STEP_MAX>,
            /// Steps of this game with it.
            count: u32,
            /// Who acts next; nobody when the game is over.
            turn: Seat,
            /// `none` while the game goes on.
            #[serde(borrow)]
            result: Text<'a, RESULT_MAX>,
        },
        /// A step is taken back.
        Undone {
            /// Steps that are left.
            count: u32,
        },
        /// Something is to be done on the table.
        Prompt {
            /// What.
            #[serde(rename = "do")]
            task: Task,
            /// Where.
            points: Places,
        },
        /// Nothing legal explains the board.
        Refused {
            /// The rule against it, such as `Y8`; empty when no rule comes near.
            #[serde(borrow)]
            rule: Text<'a, RULE_MAX>,
            /// Where one sees it.
            points: Places,
        },
        /// Which one? Answered by `Answer`, a key or a hand.
        Question {
            /// The candidates, in the order of the keys K1..K6.
            points: heapless::Vec<u8, CANDIDATES_MAX>,
        },
        /// All is well after a `Refused` or a `Prompt` to restore.
        BackInPlay,
        /// Sensors that are not trusted any more.
        Fault {
            /// Where.
            points: Places,
            /// Why.
            kind: Fault,
        },
        /// What is to be heard.
        Sound {
            /// Which one.
            sound: Sound,
        },
        /// What the LEDs show.
        Lights {
            /// Colours.
            #[serde(borrow)]
            leds: LightBytes<'a>,
        },
        /// What the lights say.
        Meanings {
            /// Point by point.
            #[serde(borrow)]
            points: MeaningBytes<'a>,
        },
        /// A scan.
        Fields {
            /// Code by code.
            #[serde(borrow)]
            codes: CodeBytes<'a>,
        },
        /// How the board is; sent now and then to hosts that watch events.
        Health {
            /// Sensors that are not trusted.
            faulty: Places,
            /// What feeds the board.
            supply: Supply,
            /// Seconds since the start.
            uptime_s: u32,
            /// Restarts by watchdog or panic since the power came.
            resets: u16,
        },
        /// Done, or begun.
        Ack {
            /// The number of the request.
            request: u8,
        },
        /// Not done; nothing has changed.
        Error {
            /// Why, for programs.
            code: Failure,
            /// Why, for people: the id of a sentence, or empty.
            #[serde(borrow)]
            text: Text<'a, TEXT_ID_MAX>,
        },
        /// A part of a stored game, or only its tags when games are listed.
        Game {
            /// Its number in the journal.
            number: u32,
            /// Where in the record the part begins, in bytes.
            offset: u32,
            /// Whether it is the last part.
            last: bool,
            /// The part. It never ends inside a character.
            #[serde(borrow)]
            text: Text<'a, PART_MAX>,
        },
        /// How a calibration or a self-test ended.
        Report {
            /// Which one.
            procedure: Procedure,
            /// Whether all is well.
            passed: bool,
            /// Points that are not.
            points: Places,
        },
    }
}

/// What a host speaks that does not say.
const fn current_version() -> u16 {
    VERSION
}

/// A key on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[allow(missing_docs)] // as printed on it
pub enum Key {
    K1,
    K2,
    K3,
    K4,
    K5,
    K6,
    Ok,
    Undo,
}

/// A new value for an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Setting {
    /// Whether lights show what is legal.
    Hints(bool),
    /// 1..=4.
    Brightness(u8),
    /// How long pieces must rest before a step counts, ms: 150..=2000; 0: until OK is pressed.
    Settle(u16),
    /// Whether there are sounds.
    Sound(bool),
    /// The language of the texts.
    Language(Language),
}

/// All options; see [`Setting`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Options {
    pub hints: bool,
    pub brightness: u8,
    pub settle: u16,
    pub sound: bool,
    pub language: Language,
}

impl Options {
    /// As a new board has them.
    pub const DEFAULT: Options = Options {
        hints: true,
        brightness: 3,
        settle: 500,
        sound: true,
        language: Language::English,
    };
}

impl Default for Options {
    fn default() -> Options {
        Options::DEFAULT
    }
}

/// What the board is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// The menu, while the self-test of the start goes on and nobody has pressed a key.
    StartUp,
    /// Somebody chooses.
    Menu,
    /// Pieces are put where the game begins.
    SetUp,
    /// People play.
    Play,
    /// It asks something.
    Question,
    /// Something is wrong on the table.
    Mend,
    /// The game is over.
    End,
    /// It learns its sensors.
    Calibration,
    /// It tries itself.
    SelfTest,
    /// An unfinished game is offered, or its pieces are put back.
    Resume,
}

/// What is to be done on the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Put a piece.
    Put,
    /// Take pieces off.
    Take,
    /// Turn pieces over.
    Flip,
    /// Put pieces where the game begins.
    SetUp,
    /// Put everything back as it was.
    Restore,
    /// Answer.
    Answer,
}

/// What feeds the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Supply {
    /// A host that has not yet granted the full current: LEDs are off.
    Waiting,
    /// A host that has.
    Host,
    /// A charger.
    Charger,
}

/// What ends with a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Procedure {
    /// Zeros of the empty board.
    Zero,
    /// Gains, with one piece that walks from point to point.
    Gain,
    /// The self-test.
    SelfTest,
}

/// Why a request is not carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// The byte stuffing leads beyond the frame's end.
    BadCobs,
    /// The frame is longer than any request.
    Oversized,
    /// The frame ends before the message or the check sum does.
    Truncated,
    /// The check sum is that of other bytes.
    Checksum,
    /// No request has this number.
    UnknownMessage,
    /// A field has a value that it cannot have, or something follows the last one.
    Malformed,
    /// Not in this phase.
    NotNow,
    /// There is no game.
    NoGame,
    /// The journal has no game with this number.
    NoSuchGame,
    /// The game needs the other playfield.
    OtherPlayfield,
    /// No set-up or handicap of this game.
    NoSuchSetup,
    /// No step text of this game.
    NotAStep,
    /// The step is not legal.
    NotLegal,
    /// An option, a player, a candidate or a procedure beyond what there is.
    OutOfRange,
    /// Somebody has to hold OK on the board.
    HoldOk,
    /// The flash failed.
    Storage,
}

/// How the board answers a frame that it cannot read.
impl From<FrameError> for Failure {
    fn from(error: FrameError) -> Failure {
        match error {
            FrameError::BadCobs => Failure::BadCobs,
            FrameError::Oversized => Failure::Oversized,
            FrameError::Truncated => Failure::Truncated,
            FrameError::Checksum => Failure::Checksum,
            FrameError::UnknownMessage(_) => Failure::UnknownMessage,
            FrameError::Malformed => Failure::Malformed,
        }
    }
}
