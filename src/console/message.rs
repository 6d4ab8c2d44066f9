//! From effects to messages of the link.

use core::fmt::Write;

use heapless::String;

use super::State;
use super::{Answer, Console, Effect, Event};
use crate::games::{Game, Outcome};
use crate::geometry::{Board, CellSet, PointSet};
use crate::journal::End;
use crate::link::{
    self, FromBoard, Places, RESULT_MAX, RULE_MAX, SERIAL_MAX, STEP_MAX, Seat, Task, Text, VERSION,
};
use crate::referee::{Act, Notice, Referee};

/// Name and version of the firmware.
pub const FIRMWARE: &str = concat!("lodestone ", env!("CARGO_PKG_VERSION"));

/// Room for the texts of one message.
#[derive(Default)]
pub struct Scratch {
    line: String<{ link::POSITION_MAX }>,
    step: String<STEP_MAX>,
    result: String<RESULT_MAX>,
    rule: String<RULE_MAX>,
    /// The board's number, in hexadecimal; set once by who knows it.
    pub serial: String<SERIAL_MAX>,
}

impl Console {
    /// What an effect says to a host; nothing for those that are no host's business, and for the
    /// answers that only the journal can give.
    pub fn message<'a>(&self, effect: &Effect, scratch: &'a mut Scratch) -> Option<FromBoard<'a>> {
        match effect {
            Effect::Event(event) => self.event_message(event, scratch),
            Effect::Answer(answer) => self.answer_message(*answer, scratch),
            Effect::Sound(sound) => Some(FromBoard::Sound { sound: *sound }),
            _ => None,
        }
    }

    fn event_message<'a>(&self, event: &Event, scratch: &'a mut Scratch) -> Option<FromBoard<'a>> {
        let position = self.referee.position();
        let places = |cells: CellSet| Places(points(position.board(), cells));
        Some(match event {
            &Event::Committed { step, count, turn, outcome } => {
                scratch.step.clear();
                position.write_step(step, &mut scratch.step).ok()?;
                write_result(outcome, &mut scratch.result);
                FromBoard::Committed {
                    step: (&scratch.step).into(),
                    count: count as u32,
                    turn: Seat(turn),
                    result: (&scratch.result).into(),
                }
            }
            Event::Undone(count) => FromBoard::Undone { count: *count as u32 },
            Event::Refused(refused) => {
                scratch.rule.clear();
                if let Some(rule) = refused.why.rule() {
                    write!(scratch.rule, "{rule}").ok()?;
                }
                let rule = (&scratch.rule).into();
                FromBoard::Refused { rule, points: places(refused.cells) }
            }
            Event::Prompt(act, cells) => {
                FromBoard::Prompt { task: task(*act), points: places(*cells) }
            }
            Event::Question(_, cells) => {
                let index = |&cell| position.board().point(cell).index() as u8;
                FromBoard::Question { points: cells.iter().map(index).collect() }
            }
            Event::Notice(notice) => {
                let (task, points) = match *notice {
                    Notice::Interrupted => {
                        let gone = self.referee.picture().differs(self.referee.expected());
                        (Task::Restore, places(gone))
                    }
                    Notice::Swapped(cells) => (Task::Answer, places(cells)),
                    Notice::OtherHalf(cell) => (Task::Flip, places(CellSet::of(cell))),
                    Notice::Foreign(points) => (Task::Take, Places(points)),
                    Notice::Stood(cell) => (Task::Restore, places(CellSet::of(cell))),
                    Notice::CheckpointMade | Notice::Trusted(_) => return None,
                };
                FromBoard::Prompt { task, points }
            }
            Event::BackInPlay => FromBoard::BackInPlay,
            Event::Fault(points, kind) => FromBoard::Fault { points: Places(*points), kind: *kind },
            Event::Report { procedure, passed, points } => FromBoard::Report {
                procedure: *procedure,
                passed: *passed,
                points: Places(*points),
            },
        })
    }

    fn answer_message<'a>(
        &self,
        answer: Answer,
        scratch: &'a mut Scratch,
    ) -> Option<FromBoard<'a>> {
        Some(match answer {
            Answer::Hello => FromBoard::Hello {
                version: VERSION,
                firmware: Text::new(FIRMWARE)?,
                playfield: Some(self.playfield()),
                serial: (&scratch.serial).into(),
            },
            Answer::State => {
                let game = self.game().map(Referee::position);
                let outcome = self.outcome();
                write_result(outcome, &mut scratch.result);
                FromBoard::State {
                    game: game.map(Game::id),
                    options: self.options,
                    count: game.map_or(0, |_| self.referee.step_count() as u32),
                    turn: Seat(game.and_then(Game::turn).filter(|_| outcome.is_none())),
                    phase: self.phase(),
                    result: (&scratch.result).into(),
                }
            }
            Answer::Position => {
                scratch.line.clear();
                self.referee.position().write_position(&mut scratch.line).ok()?;
                FromBoard::Position { line: (&scratch.line).into() }
            }
            Answer::Ack(request) => FromBoard::Ack { request },
            Answer::Error(code) => FromBoard::Error { code, text: Text::default() },
            Answer::ListGames
            | Answer::Game(_)
            | Answer::EraseJournal
            | Answer::EnterBootloader => return None,
        })
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.state {
            State::Over(Some(End::Resigned(_, outcome) | End::Rules(outcome))) => Some(outcome),
            State::Over(Some(End::Stopped)) => None,
            _ => self.game().and_then(|referee| referee.position().outcome()),
        }
    }
}

/// The points of cells.
pub(super) fn points(board: &'static Board, cells: CellSet) -> PointSet {
    cells.iter().map(|cell| board.point(cell)).collect()
}

fn write_result(outcome: Option<Outcome>, to: &mut String<RESULT_MAX>) {
    to.clear();
    // The longest one fits.
    let _ = match outcome {
        Some(outcome) => write!(to, "{outcome}"),
        None => to.write_str("none"),
    };
}

const fn task(act: Act) -> Task {
    match act {
        Act::Put | Act::Centre | Act::SetDown => Task::Put,
        Act::Take => Task::Take,
        Act::Flip => Task::Flip,
        Act::SetUp | Act::Unseen | Act::LeftOver => Task::SetUp,
        Act::Restore => Task::Restore,
        Act::Answer | Act::Confirm => Task::Answer,
    }
}
