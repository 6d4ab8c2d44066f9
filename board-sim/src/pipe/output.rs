//! What a board says, in the words of the pipe.

use lodestone::geometry::{Board as Names, PointSet};
use lodestone::link::{Failure, FromBoard, Numbered, Procedure, Seat, Task};
use lodestone::sense::Fault;
use lodestone::sound::Sound;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// One line of output, without its time.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Output {
    /// Everything that shines, as it leaves for the LEDs: red, green, blue in hexadecimal.
    Lights(Named<String>),
    /// What the lights say.
    Meanings(Named<&'static str>),
    /// The keys whose lamps are lit.
    Lamps(Vec<&'static str>),
    /// What is to be heard.
    Sound(Sound),
    /// What happened.
    Event(Event),
    /// The answer to `GetPosition`.
    Position(String),
    /// Why a request is not carried out.
    Error(Failure),
    /// Any other answer, as the link has it.
    #[serde(untagged)]
    Answer(Value),
}

/// Values by name, in an order of their own.
#[derive(Clone, PartialEq, Debug)]
pub struct Named<T>(pub Vec<(String, T)>);

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// What happened, with names instead of numbers.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)] // as the messages of the link
pub enum Event {
    Committed {
        step: String,
        count: u32,
        /// 0 when the game is over.
        turn: u8,
        result: String,
    },
    Undone {
        count: u32,
    },
    Refused {
        rule: String,
        points: Vec<String>,
        text: String,
    },
    Prompt {
        #[serde(rename = "do")]
        task: Task,
        points: Vec<String>,
        text: String,
    },
    Question {
        points: Vec<String>,
        text: String,
    },
    BackInPlay {},
    Fault {
        points: Vec<String>,
        kind: Fault,
    },
    Report {
        procedure: Procedure,
        passed: bool,
        points: Vec<String>,
    },
}

/// How points are called.
#[derive(Clone, Copy)]
pub(super) struct Naming {
    /// By the playfield.
    pub(super) playfield: &'static Names,
    /// By the game.
    pub(super) game: &'static Names,
}

/// The names of points; those the board does not have are left out.
fn named(board: &Names, points: PointSet) -> Vec<String> {
    let cells = points.iter().filter_map(|point| board.cell(point));
    cells.map(|cell| board.name(cell).to_string()).collect()
}

impl Output {
    /// A message of the link in the words of the pipe; `text` is what it says to people.
    pub(super) fn of(message: FromBoard, naming: Naming, text: String) -> Output {
        let game = |points: PointSet| named(naming.game, points);
        let playfield = |points: PointSet| named(naming.playfield, points);
        let seat = |seat: Seat| seat.0.map_or(0, lodestone::games::Player::number);
        Output::Event(match message {
            FromBoard::Committed { step, count, turn, result } => Event::Committed {
                step: step.as_str().into(),
                count,
                turn: seat(turn),
                result: result.as_str().into(),
            },
            FromBoard::Undone { count } => Event::Undone { count },
            FromBoard::Refused { rule, points } => {
                Event::Refused { rule: rule.as_str().into(), points: game(points.0), text }
            }
            FromBoard::Prompt { task, points } => {
                Event::Prompt { task, points: game(points.0), text }
            }
            FromBoard::Question { points } => {
                let in_order = points.iter().flat_map(|&index| {
                    game(
                        lodestone::geometry::Point::new(naming.game.playfield(), index.into())
                            .into_iter()
                            .collect(),
                    )
                });
                Event::Question { points: in_order.collect(), text }
            }
            FromBoard::BackInPlay => Event::BackInPlay {},
            FromBoard::Fault { points, kind } => Event::Fault { points: playfield(points.0), kind },
            FromBoard::Report { procedure, passed, points } => {
                Event::Report { procedure, passed, points: playfield(points.0) }
            }
            FromBoard::Sound { sound } => return Output::Sound(sound),
            FromBoard::Position { line } => return Output::Position(line.as_str().into()),
            FromBoard::Error { code, .. } => return Output::Error(code),
            other => return Output::answer(&other),
        })
    }

    /// An answer as the link has it.
    pub(super) fn answer(message: &FromBoard) -> Output {
        let name = || Value::String(message.name().into());
        // Names and numbers always become JSON.
        Output::Answer(serde_json::to_value(message).unwrap_or_else(|_| name()))
    }

    /// A stored game, all in one.
    pub(super) fn game(number: u32, text: &str) -> Output {
        Output::Answer(serde_json::json!({
            "game": { "number": number, "offset": 0, "last": true, "text": text }
        }))
    }
}
