//! What people are told: from what goes on to the sentences of `text`.
//!
//! The page and the pipe write them; a board without a host says the same by lights.

use super::{Console, Event, Menu, State};
use crate::games::any::{Position, Step};
use crate::games::{Game, Outcome, Player, dvonn, gipf, yinsh};
use crate::geometry::{Board, CellSet, GIPF_DOTS, HEX, Playfield, PointSet, SQUARE};
use crate::journal::End;
use crate::link::{Key, Procedure, STEP_MAX};
use crate::meaning::Kind;
use crate::referee::{Act, Ask, Notice, Refused, Stage, Why};
use crate::text::{self, Message, Places, Share, Tally, Who};

/// LYNGK: the colours that K1..K5 claim; K6 shows the tops.
pub(super) const CLAIMS: [Kind; 6] =
    [Kind::Black, Kind::Blue, Kind::Green, Kind::Ivory, Kind::Red, Kind::White];
/// LYNGK: the key whose lamp is lit while pieces of a kind are laid; K6 is for jokers.
pub(super) const LAID_LYNGK: [Kind; 6] = CLAIMS;
/// DVONN: the same while pieces are placed.
pub(super) const LAID_DVONN: [Kind; 3] = [Kind::White, Kind::Black, Kind::Red];

/// Points by the names that a playfield has for all of its own.
pub(super) fn bare_places(playfield: Playfield, points: PointSet) -> Places {
    let board: &'static Board = match playfield {
        Playfield::Hex => &HEX,
        Playfield::Square => &SQUARE,
    };
    Places { board, cells: points.iter().filter_map(|point| board.cell(point)).collect() }
}

/// What people are asked to do in a game.
pub fn order(position: &Position, act: Act, cells: CellSet) -> Message<'static> {
    let points = Places { board: position.board(), cells };
    match (act, position) {
        (Act::Put | Act::SetDown, Position::Gipf(_))
            if cells.iter().all(|cell| GIPF_DOTS.contains(cell)) =>
        {
            Message::ShowOnDot { points }
        }
        (Act::Put, Position::Gipf(_)) => Message::PushOn { points },
        (Act::Put | Act::SetUp, _) => Message::PutHere { points },
        (Act::Take, Position::Gipf(_)) if may_all_stay(position) => Message::OkLeavesRow { points },
        (Act::Take, Position::Yinsh(_)) => {
            // A ring may be given before the whole row is off, but the row is what is said first.
            let row = cells - position.table().weak;
            if row.is_empty() {
                Message::GiveRing { points }
            } else {
                Message::TakeRow { points: Places { cells: row, ..points } }
            }
        }
        (Act::Take, Position::Gipf(_)) => Message::TakeRow { points },
        (Act::Take, Position::Dvonn(_)) => Message::TakeLost { points },
        (Act::Take, Position::Lyngk(_)) => Message::TakeFive { points },
        (Act::Take, Position::Glux(_)) => Message::TakeOff { points },
        (Act::Flip, _) => Message::TurnOver { points },
        (Act::Restore, _) => Message::PutBack { points },
        (Act::Answer, _) => Message::TellValue { points },
        (Act::Centre, _) => Message::CentreIt { points },
        (Act::SetDown, _) => Message::PutRingDown,
        (Act::Confirm, _) => Message::OkCounts,
        (Act::Unseen, _) => Message::SetUpUnseen { points },
        (Act::LeftOver, _) => Message::LeftOver,
    }
}

/// Who is to act, and with what.
pub fn to_act(position: &Position, player: Who) -> Message<'static> {
    match position {
        Position::Yinsh(_) if places_ring(position) => Message::PlaceRing { player },
        Position::Dvonn(game) => match game.to_place() {
            Some(colour) => Message::PlacePiece { player, colour: kind(colour) },
            None => Message::ToAct { player },
        },
        Position::Glux(game) if game.is_setting_up(player.player) => {
            let cells = CellSet::of(game.start(player.player));
            Message::PlaceStart { player, points: Places { board: position.board(), cells } }
        }
        _ => Message::ToAct { player },
    }
}

const fn kind(colour: dvonn::Colour) -> Kind {
    match colour {
        dvonn::Colour::White => Kind::White,
        dvonn::Colour::Black => Kind::Black,
        dvonn::Colour::Red => Kind::Red,
    }
}

fn places_ring(position: &Position) -> bool {
    let first = position.steps().next();
    matches!(first, Some(Step::Yinsh(yinsh::Step::PlaceRing(_))))
}

/// GIPF: whether a row may be left as it is, because it consists of GIPF-pieces alone.
fn may_all_stay(position: &Position) -> bool {
    position.steps().any(|step| {
        let mut after = *position;
        after.play_unchecked(step);
        matches!(step, Step::Gipf(gipf::Step::Take { .. })) && after.table() == position.table()
    })
}

impl Console {
    /// Tells people what an event is about; some say nothing.
    pub fn tell(&self, event: &Event, say: &mut dyn FnMut(Message)) {
        if let Event::Notice(Notice::Stood(cell)) = event {
            let position = self.referee.position();
            let points = Places { board: position.board(), cells: CellSet::of(*cell) };
            let pieces = self.referee.stack(*cell);
            let stack = text::Stack { game: position.id(), pieces: &pieces };
            say(Message::StoodHere { points, stack });
        } else if let Some(message) = self.event_text(event) {
            say(message);
        }
    }

    fn event_text(&self, event: &Event) -> Option<Message<'static>> {
        let board = self.referee.position().board();
        let places = |cells: CellSet| Places { board, cells };
        Some(match event {
            Event::Committed { .. } | Event::Undone(_) => return None,
            &Event::Report { procedure, passed, points } => {
                return self.report_text(procedure, passed, points);
            }
            Event::BackInPlay => Message::BackInPlay,
            Event::Refused(refused) => self.refused_text(refused),
            Event::Prompt(act, cells) => self.prompt_text(*act, *cells),
            Event::Question(ask, cells) => {
                let points = places(cells.iter().copied().collect());
                match ask {
                    Ask::Landing => Message::LiftAndSetDown { points },
                    Ask::Origin => Message::FromWhere { points },
                    Ask::TakenBack => Message::IsTakenBack { points },
                    Ask::TakenOff => Message::IsOff { points },
                    Ask::Unseen | Ask::Which if cells.len() == 1 => Message::OnThisPoint { points },
                    Ask::Unseen | Ask::Which => Message::WhichOne { points },
                }
            }
            Event::Notice(notice) => match *notice {
                Notice::Interrupted => Message::Interrupted,
                Notice::Swapped(cells) => Message::BackInPlaces { points: places(cells) },
                Notice::Foreign(_) => Message::SomethingMagnetic,
                Notice::CheckpointMade => Message::UndoEndsHere,
                Notice::Stood(_) => return None,
                Notice::Trusted(cells) => Message::Trusted { points: places(cells) },
                Notice::OtherHalf(cell) => {
                    Message::TurnOrOtherValue { points: places(CellSet::of(cell)) }
                }
            },
            &Event::Fault(points, _) => {
                Message::SensorFailed { points: bare_places(self.playfield(), points) }
            }
        })
    }

    /// How calibration or self-test has ended. Lights and keys that failed are known to who said so.
    fn report_text(
        &self,
        procedure: Procedure,
        passed: bool,
        points: PointSet,
    ) -> Option<Message<'static>> {
        let places = bare_places(self.playfield(), points);
        Some(match procedure {
            Procedure::Zero if passed => Message::Calibrated,
            Procedure::Zero => Message::CalibrationRefused { points: places },
            Procedure::Gain if passed => Message::GainTaught,
            Procedure::Gain => Message::TeachGain { points: places },
            Procedure::SelfTest if passed => Message::SelfTestPassed,
            Procedure::SelfTest if points.is_empty() => return None,
            Procedure::SelfTest => Message::SelfTestFailed { points: places },
        })
    }

    fn refused_text(&self, refused: &Refused) -> Message<'static> {
        let position = self.referee.position();
        let points = Places { board: position.board(), cells: refused.cells };
        match refused.why {
            Why::Step(reason) => {
                Message::NotLegal { refusal: text::Refused { reason, places: points } }
            }
            Why::Turn(game, player) => Message::OtherTurn {
                player: Who { game, player },
                rule: refused.why.rule().unwrap_or(crate::games::Rule { letter: 'G', number: 4 }),
            },
            Why::WrongPiece(_) => Message::OtherPieceHere { points },
            Why::WrongChange(_) => Message::DoesNotBelong { points },
            Why::Unexplained => Message::Unexplained { points },
        }
    }

    fn prompt_text(&self, act: Act, cells: CellSet) -> Message<'static> {
        match act {
            Act::SetUp => self.set_up_text(cells),
            Act::Confirm if self.referee.stage() == Stage::SetUp => Message::SetUpDone,
            act => order(self.referee.position(), act, cells),
        }
    }

    /// The kind of pieces to be laid out now; what lies where nothing should comes first.
    fn set_up_text(&self, cells: CellSet) -> Message<'static> {
        let position = self.referee.position();
        let board = position.board();
        let expected = self.referee.expected();
        let points = Places { board, cells: cells - expected.occupied() };
        if !points.cells.is_empty() {
            return Message::EmptyBoard { points };
        }
        let Some((colour, cells)) = self.referee.laying() else {
            return Message::OtherPieceHere { points: Places { board, cells } };
        };
        let points = Places { board, cells };
        match position {
            Position::Lyngk(_) if colour == Kind::White => Message::SetUpJokers { points },
            _ => Message::SetUpColour { colour, points },
        }
    }

    /// What stands now, most urgent first: for a page that shows it.
    pub fn headlines(&self, say: &mut dyn FnMut(Message)) {
        match &self.state {
            State::Menu(Menu::Games) => {
                say(Message::ChooseGame);
                let points = self.sense.faults();
                if !points.is_empty() {
                    say(Message::SelfTestFailed { points: bare_places(self.playfield(), points) });
                }
            }
            State::Menu(Menu::Variant { ids, chosen, .. }) => {
                if ids.len() > 1 {
                    say(Message::ChooseVariant);
                }
                say(Message::OkStarts { game: *chosen });
            }
            State::Menu(Menu::Options) => say(Message::MenuOptions),
            State::Menu(Menu::Care) => say(Message::MenuCare),
            State::Offer => say(Message::Resume { game: self.referee.position().id() }),
            State::EndOffer => say(Message::EndGame),
            State::Service(service) => say(service.message(self.playfield())),
            State::Over(end) => self.end_lines(end.as_ref(), say),
            State::Game => {
                if let Some(event) = &self.standing {
                    self.tell(event, say);
                }
                self.turn_line(say);
                if self.shows_tops() {
                    say(Message::TopsShown);
                }
            }
        }
        if self.is_unstored {
            say(Message::NotStored);
        }
    }

    fn end_lines(&self, end: Option<&End>, say: &mut dyn FnMut(Message)) {
        let position = self.referee.position();
        let game = position.id();
        let outcome = match end {
            Some(End::Stopped) => return say(Message::Stopped),
            Some(&End::Resigned(player, outcome)) => {
                say(Message::Resigned { player: Who { game, player } });
                Some(outcome)
            }
            Some(&End::Rules(outcome)) => Some(outcome),
            None => position.outcome(),
        };
        match outcome {
            Some(Outcome::Win(player)) => say(Message::Won { player: Who { game, player } }),
            Some(Outcome::Draw) => say(Message::Drawn),
            Some(Outcome::Share(winners)) => {
                say(Message::Shared { players: Share { game, winners } });
            }
            None => {}
        }
        say(Message::Score { score: Tally { game, score: position.score() } });
    }

    fn turn_line(&self, say: &mut dyn FnMut(Message)) {
        let position = self.referee.position();
        let game = position.id();
        let stage = self.referee.stage();
        if stage == Stage::SetUp {
            if self.referee.picture().agrees(self.referee.expected()) {
                say(Message::SetUpDone);
            }
            return;
        }
        let Some(player) = position.turn() else { return };
        let player = Who { game, player };
        say(to_act(position, player));
        if let Some(number) = self.referee.told_value() {
            say(Message::ValueTold { number: number.into() });
        }
        if let Some(step) = self.referee.proposed() {
            let mut text = heapless::String::<STEP_MAX>::new();
            if position.write_step(step, &mut text).is_ok() {
                say(Message::CarryOut { player, step: &text });
            }
        }
    }

    /// What a key means now; `None` for one that does nothing.
    pub fn legend(&self, key: Key) -> Option<Message<'static>> {
        let position = self.referee.position();
        let Some(number) = super::number(key) else { return self.button_legend(key) };
        let index = usize::from(number) - 1;
        match &self.state {
            State::Menu(menu) => menu.legend(index, self.playfield(), self.options),
            State::EndOffer if index < position.id().player_count() => {
                let player = Player::from_index(index);
                Some(Message::KeyResign { player: Who { game: position.id(), player } })
            }
            State::Game => self.game_legend(index),
            _ => None,
        }
    }

    fn game_legend(&self, index: usize) -> Option<Message<'static>> {
        let position = self.referee.position();
        let live = if self.claims_wait() { 0 } else { self.referee.live_keys(self.now_ms) };
        let is_live = live & 1 << index != 0;
        match position {
            _ if self.referee.is_answered_by_number() => {
                let cell = *self.referee.candidates().get(index)?;
                let points = Places { board: position.board(), cells: CellSet::of(cell) };
                Some(Message::KeyPoint { points })
            }
            Position::Dvonn(_) | Position::Lyngk(_) if index == 5 => Some(Message::KeyTops),
            Position::Lyngk(_) if is_live => Some(Message::KeyClaim { colour: CLAIMS[index] }),
            Position::Glux(_) if is_live => Some(Message::KeyValue { number: index as u16 + 1 }),
            _ => None,
        }
    }

    fn button_legend(&self, key: Key) -> Option<Message<'static>> {
        match (&self.state, key) {
            (
                State::Offer
                | State::EndOffer
                | State::Service(_)
                | State::Menu(Menu::Variant { .. }),
                Key::Ok,
            ) => Some(Message::KeyYes),
            (State::Offer | State::EndOffer | State::Service(_), _) => Some(Message::KeyNo),
            (State::Menu(_), Key::Undo) => Some(Message::MenuBack),
            (State::Menu(_), _) => None,
            (State::Game | State::Over(None), Key::Undo) => Some(Message::KeyUndo),
            (State::Game, _) => Some(Message::KeyYes),
            (State::Over(_), _) => Some(Message::KeyMenu),
        }
    }
}
