//! A board at the other end of a link, as far as it has told: the image in the emulator, or a real
//! one on a port.
//!
//! [`Mirror::hear`] takes in every message and keeps what pages show; [`Mirror::asks`] are the
//! requests it needs to know more. Answers come in the order of the requests, so nothing waits
//! here. A board that begins anew says `Hello`, and everything is asked for again.
//!
//! What a link does not carry is read from the game as far as it goes: a task becomes the sentence
//! that the console would say in this position, a rule the reason that has it, and the lamps tell
//! which menu it is.

use lodestone::console::{Glow, legend_by_lamps, order, to_act};
use lodestone::games::any::{Position, Reason, Setup, Step};
use lodestone::games::{Game, Id, Outcome, Player, Reason as _};
use lodestone::geometry::{Board, CellSet, Playfield, Point, PointSet};
use lodestone::link::{FromBoard, Key, Numbered, Options, Phase, Places, Task, ToBoard};
use lodestone::meaning::Kind;
use lodestone::referee::Act;
use lodestone::text::{self, Message, Tally, Who};
use lodestone::wiring::KEY_LED_COUNT;

use super::protocol::{Both, Meant, RefereeNews, SoundNews, Status};
use super::report;
use crate::record;
use crate::text as notation;

/// How the lamps of K1..K6 look.
type Glows = [Glow; KEY_LED_COUNT];

/// What the board said of itself last.
#[derive(Clone, PartialEq, Eq)]
struct State {
    game: Option<Id>,
    options: Options,
    count: usize,
    turn: u8,
    phase: Phase,
    result: String,
}

/// Something for the log of the page.
pub(super) struct Heard {
    pub(super) kind: &'static str,
    pub(super) text: Option<Both>,
    pub(super) detail: String,
    pub(super) sound: Option<SoundNews>,
}

/// A game as it is known here.
struct Known {
    setup: Setup,
    steps: Vec<Step>,
    position: Position,
}

/// The board.
pub(super) struct Mirror {
    pub(super) playfield: Playfield,
    /// Name and version of its firmware; empty before it has said hello.
    pub(super) firmware: String,
    state: Option<State>,
    game: Option<Known>,
    /// What it asks for or refuses.
    standing: Option<Both>,
    candidates: Vec<usize>,
    keys: Vec<[u8; 3]>,
    points: Vec<[u8; 3]>,
    meanings: Vec<Meant>,
    pub(super) codes: Vec<u16>,
    faults: PointSet,
    /// The last game of the list that is being told.
    listed: Option<u32>,
    is_listing: bool,
    /// What came of a record so far.
    record: String,
    asks: Vec<ToBoard<'static>>,
    /// What the board shall tell unasked.
    watch: ToBoard<'static>,
}

impl Mirror {
    /// A board that has said nothing yet.
    pub(super) fn new(playfield: Playfield, watch: ToBoard<'static>) -> Mirror {
        Mirror {
            playfield,
            watch,
            firmware: String::new(),
            state: None,
            game: None,
            standing: None,
            candidates: Vec::new(),
            keys: vec![[0; 3]; KEY_LED_COUNT],
            points: Vec::new(),
            meanings: Vec::new(),
            codes: vec![0; playfield.point_count()],
            faults: PointSet::EMPTY,
            listed: None,
            is_listing: false,
            record: String::new(),
            asks: Vec::new(),
        }
    }

    /// What it has to be asked now.
    pub(super) fn asks(&mut self) -> Vec<ToBoard<'static>> {
        std::mem::take(&mut self.asks)
    }

    /// Whether all is as it was: asked now and then, because menus say nothing unasked.
    pub(super) fn look(&mut self) {
        if self.state.is_some() {
            self.asks.push(ToBoard::GetState);
        }
    }

    pub(super) fn phase(&self) -> Option<Phase> {
        self.state.as_ref().map(|state| state.phase)
    }

    /// The position, when a game is on.
    pub(super) fn position(&self) -> Option<&Position> {
        self.game.as_ref().map(|game| &game.position)
    }

    /// What the lamps of the keys and the LEDs of the points show.
    pub(super) fn lights(&self) -> (&[[u8; 3]], &[[u8; 3]]) {
        (&self.keys, &self.points)
    }

    pub(super) fn meanings(&self) -> Vec<Meant> {
        self.meanings.clone()
    }

    pub(super) fn faults(&self) -> Vec<usize> {
        self.faults.iter().map(Point::index).collect()
    }

    /// Takes in a message; what of it goes into the log.
    pub(super) fn hear(&mut self, message: &FromBoard) -> Option<Heard> {
        match message {
            FromBoard::Hello { firmware, playfield, .. } => {
                self.restart(firmware.as_str(), playfield.unwrap_or(self.playfield));
                self.asks = vec![self.watch.clone(), ToBoard::GetState];
            }
            FromBoard::State { game, options, count, turn, phase, result } => {
                self.take_state(State {
                    game: *game,
                    options: *options,
                    count: *count as usize,
                    turn: turn.0.map_or(0, Player::number),
                    phase: *phase,
                    result: result.as_str().into(),
                });
                return None;
            }
            FromBoard::Lights { leds } => self.shine(leds.iter().map(|led| [led.r, led.g, led.b])),
            FromBoard::Meanings { points } => {
                self.meanings = points.iter().map(|(p, m)| Meant::of(p.index(), m)).collect();
            }
            FromBoard::Fields { codes } => self.codes = codes.iter().collect(),
            FromBoard::Health { faulty, .. } => self.faults = faulty.0,
            FromBoard::Game { number, offset, last, text } => {
                self.take_record(*number, *offset, *last, text.as_str());
            }
            FromBoard::Ack { request } if *request == ToBoard::ListGames.number() => {
                self.is_listing = false;
                match self.listed {
                    Some(number) => self.asks.push(ToBoard::GetGame { number }),
                    None => self.begin(""),
                }
            }
            FromBoard::Ack { .. } | FromBoard::Position { .. } => {}
            event => return Some(self.take_event(event)),
        }
        None
    }

    /// The board begins anew, or is gone: nothing is known but what it says of itself.
    pub(super) fn restart(&mut self, firmware: &str, playfield: Playfield) {
        *self = Mirror::new(playfield, self.watch.clone());
        self.firmware = firmware.into();
    }

    fn take_state(&mut self, state: State) {
        let known = self.game.as_ref().map(|game| (game.position.id(), game.steps.len()));
        let is_told = known == state.game.map(|id| (id, state.count));
        match state.game {
            None => self.game = None,
            Some(_) if !is_told && !self.is_listing => {
                (self.listed, self.is_listing) = (None, true);
                self.asks.push(ToBoard::ListGames);
            }
            Some(_) => {}
        }
        self.state = Some(state);
    }

    /// The list of games ends with the current one.
    fn take_record(&mut self, number: u32, offset: u32, last: bool, text: &str) {
        if self.is_listing {
            self.listed = Some(number);
            return;
        }
        if offset == 0 {
            self.record.clear();
        }
        self.record.push_str(text);
        if last {
            let record = std::mem::take(&mut self.record);
            self.begin(&record);
        }
    }

    /// Begins with the last stored game if it is the one that is on; a game without a step may not
    /// be stored yet.
    fn begin(&mut self, record: &str) {
        let Some(State { game: Some(id), count, .. }) = self.state else { return };
        let stored = record::read(record).ok().and_then(|mut records| records.pop());
        let stored = stored.map(|record| (record.setup, record.steps));
        let is_this = |(setup, steps): &(Setup, Vec<Step>)| {
            setup.position().id() == id && steps.len() == count
        };
        let (setup, steps) = stored.filter(is_this).unwrap_or((Setup::of(id), Vec::new()));
        self.game = Some(Known { setup, position: setup.position(), steps: Vec::new() });
        for step in steps {
            self.play(step);
        }
    }

    fn play(&mut self, step: Step) {
        if let Some(game) = &mut self.game
            && game.position.play(step).is_ok()
        {
            game.steps.push(step);
        }
    }

    fn take_event(&mut self, event: &FromBoard) -> Heard {
        let mut heard = Heard {
            kind: kind(event),
            text: None,
            detail: report::short(&format!("{event:?}")),
            sound: None,
        };
        match event {
            FromBoard::Committed { step, count, .. } => {
                heard.detail = format!("{count}. {}", step.as_str());
                let position = self.position();
                let step = position.and_then(|p| p.parse_step(step.as_str().as_bytes()).ok());
                if let Some(step) = step {
                    self.play(step);
                }
                self.standing = None;
            }
            FromBoard::Undone { count } => {
                self.take_back_to(*count as usize);
                self.standing = None;
            }
            FromBoard::Sound { sound } => {
                heard.sound = Some(SoundNews::of(*sound));
                heard.detail.clear();
                return heard;
            }
            FromBoard::Fault { points, .. } => {
                self.faults |= points.0;
                heard.text = Some(self.say(&points.0, |points| Message::SensorFailed { points }));
            }
            FromBoard::Question { points } => {
                self.candidates = points.iter().map(|point| usize::from(*point)).collect();
                self.standing = Some(self.question());
            }
            FromBoard::BackInPlay | FromBoard::Report { .. } => self.standing = None,
            FromBoard::Prompt { task, points } => self.standing = Some(self.prompt(*task, points)),
            FromBoard::Refused { rule, points } => {
                self.standing = Some(self.refusal(rule.as_str(), &points.0));
            }
            FromBoard::Error { code, .. } => {
                heard.text = Some(Both::say(&report::failed(*code)));
                return heard;
            }
            _ => {}
        }
        self.asks.push(ToBoard::GetState);
        heard.text = heard.text.or_else(|| self.standing.clone());
        heard
    }

    fn take_back_to(&mut self, count: usize) {
        let Some(game) = &mut self.game else { return };
        let steps: Vec<Step> = game.steps.drain(..).take(count).collect();
        game.position = game.setup.position();
        for step in steps {
            self.play(step);
        }
    }

    /// Which of the candidates?
    fn question(&self) -> Both {
        let point = |index: &usize| Point::new(self.playfield, *index);
        let points: PointSet = self.candidates.iter().filter_map(point).collect();
        if self.candidates.len() == 1 {
            self.say(&points, |points| Message::OnThisPoint { points })
        } else {
            self.say(&points, |points| Message::WhichOne { points })
        }
    }

    /// What the board asks for. A task is less than the board knows: what stands behind it is read
    /// from the game.
    fn prompt(&self, task: Task, points: &Places) -> Both {
        let Some(position) = self.position() else {
            return self.say(&points.0, |points| Message::PutHere { points });
        };
        let cells = self.cells(&points.0);
        let points = text::Places { board: position.board(), cells };
        let is_set_up = self.phase() == Some(Phase::SetUp);
        let order = |act| order(position, act, cells);
        Both::say(&match (task, position) {
            (Task::Put, Position::Yinsh(_)) if cells.is_empty() => order(Act::SetDown),
            (Task::Put, _) => order(Act::Put),
            (Task::Take, _) => order(Act::Take),
            (Task::Flip, Position::Glux(_)) => Message::TurnOrOtherValue { points },
            (Task::Flip, _) => order(Act::Flip),
            (Task::SetUp, Position::Lyngk(_)) if cells.is_empty() => Message::LeftOver,
            (Task::SetUp, _) => order(Act::SetUp),
            (Task::Restore, _) => order(Act::Restore),
            (Task::Answer, _) if is_set_up => Message::SetUpDone,
            (Task::Answer, Position::Glux(_)) => order(Act::Answer),
            (Task::Answer, Position::Dvonn(_) | Position::Lyngk(_)) if cells.len() > 1 => {
                Message::BackInPlaces { points }
            }
            (Task::Answer, _) => order(Act::Confirm),
        })
    }

    /// Why something was refused: the board names the rule and shows the points. Where a rule has
    /// several reasons, the rule itself is said.
    fn refusal(&self, rule: &str, points: &PointSet) -> Both {
        if rule.is_empty() {
            return self.say(points, |points| Message::Unexplained { points });
        }
        let mut reasons = Reason::all().filter(|reason| reason.rule().to_string() == rule);
        match (reasons.next(), reasons.next()) {
            (Some(reason), None) => self.say(points, |places| Message::NotLegal {
                refusal: text::Refused { reason, places },
            }),
            _ => Both::rule(rule),
        }
    }

    /// A sentence about points, in the names of the game.
    fn say(&self, points: &PointSet, message: impl Fn(text::Places) -> Message<'static>) -> Both {
        Both::say(&message(text::Places { board: self.board(), cells: self.cells(points) }))
    }

    fn cells(&self, points: &PointSet) -> CellSet {
        let board = self.board();
        let cell = |point: Point| board.cell(Point::new(self.playfield, point.index())?);
        points.iter().filter_map(cell).collect()
    }

    fn board(&self) -> &'static Board {
        self.position().map_or_else(|| super::world::bare(self.playfield), Game::board)
    }

    fn shine(&mut self, leds: impl Iterator<Item = [u8; 3]>) {
        self.points = leds.collect();
        let count = KEY_LED_COUNT.min(self.points.len());
        self.keys = self.points.drain(..count).collect();
        self.keys.resize(KEY_LED_COUNT, [0; 3]);
    }

    /// Everything beside the board.
    pub(super) fn status(&self, keys: &[[u8; 3]]) -> Status {
        let Some(state) = &self.state else { return Status::default() };
        let glows = glows(keys);
        let mut status = Status {
            phase: Some(state.phase),
            options: Some(state.options),
            can_lay_out: report::can_lay_out(state.phase),
            legends: report::KEYS
                .map(|key| self.legend(state, key, glows).map(|m| Both::say(&m)))
                .to_vec(),
            ..Status::default()
        };
        if let Some(game) = &self.game {
            let steps = game.steps.iter().map(|&step| notation::step(&game.position, step));
            report::describe(&mut status, &game.position, state.turn, steps.collect());
        }
        status.headlines = self.headlines(state);
        status
    }

    /// What a key means now, as far as the phase and the position tell.
    fn legend(&self, state: &State, key: Key, glows: Glows) -> Option<Message<'static>> {
        if matches!(state.phase, Phase::StartUp | Phase::Menu) {
            return match key {
                Key::Ok => None,
                Key::Undo => Some(Message::MenuBack),
                key => legend_by_lamps(&glows, key as usize, self.playfield, state.options),
            };
        }
        let position = self.position()?;
        match (state.phase, key) {
            (Phase::Resume | Phase::Calibration | Phase::SelfTest, Key::Ok) => {
                Some(Message::KeyYes)
            }
            (Phase::Resume | Phase::Calibration | Phase::SelfTest, Key::Undo) => {
                Some(Message::KeyNo)
            }
            (Phase::End, Key::Undo) => None,
            (Phase::End, Key::Ok) => Some(Message::KeyMenu),
            (_, Key::Ok) => Some(Message::KeyYes),
            (_, Key::Undo) => Some(Message::KeyUndo),
            (Phase::Question, number) => {
                let point = Point::new(self.playfield, *self.candidates.get(number as usize)?)?;
                let cells = CellSet::of(position.board().cell(point)?);
                Some(Message::KeyPoint { points: text::Places { board: position.board(), cells } })
            }
            (Phase::Play, number) => match position {
                Position::Glux(_) => Some(Message::KeyValue { number: number as u16 + 1 }),
                Position::Dvonn(_) | Position::Lyngk(_) if number == Key::K6 => {
                    Some(Message::KeyTops)
                }
                Position::Lyngk(_) => Some(Message::KeyClaim { colour: CLAIMS[number as usize] }),
                _ => None,
            },
            _ => None,
        }
    }

    fn headlines(&self, state: &State) -> Vec<Both> {
        let position = self.position();
        let Some((game, position)) = position.map(|position| (position.id(), position)) else {
            let is_menu = matches!(state.phase, Phase::StartUp | Phase::Menu);
            return is_menu.then(|| Both::say(&Message::ChooseGame)).into_iter().collect();
        };
        match state.phase {
            Phase::StartUp | Phase::Menu => vec![Both::say(&Message::ChooseGame)],
            Phase::Resume if self.standing.is_none() => vec![Both::say(&Message::Resume { game })],
            Phase::End => {
                let score = Message::Score { score: Tally { game, score: position.score() } };
                let won = outcome(&state.result, game);
                won.into_iter().chain([Both::say(&score)]).collect()
            }
            _ => {
                let player = state.turn.checked_sub(1).map(|n| Player::from_index(n.into()));
                let turn = player.map(|player| to_act(position, Who { game, player }));
                self.standing.iter().cloned().chain(turn.map(|turn| Both::say(&turn))).collect()
            }
        }
    }

    /// What it makes of the board, for developers.
    pub(super) fn referee(&self) -> RefereeNews {
        let (Some(state), Some(position)) = (&self.state, self.position()) else {
            return RefereeNews::default();
        };
        let bare = super::world::bare(self.playfield);
        let name = |index: &usize| {
            let cell = bare.cell(Point::new(self.playfield, *index)?)?;
            Some(bare.name(cell).to_string())
        };
        let candidates: Vec<String> = self.candidates.iter().filter_map(name).collect();
        RefereeNews {
            stage: format!("{:?}", state.phase),
            position: notation::position(position),
            legal: position.steps().count(),
            candidates: candidates.join(" "),
            meanings: report::by_name(position.board(), self.playfield, &self.meanings),
            ..RefereeNews::default()
        }
    }
}

/// How the lamps look, from their colours.
fn glows(keys: &[[u8; 3]]) -> Glows {
    let strength =
        |index: usize| keys.get(index).map_or(0, |rgb| rgb.iter().copied().max().unwrap_or(0));
    let strengths: [u8; KEY_LED_COUNT] = std::array::from_fn(strength);
    let dimmest = strengths.into_iter().filter(|&strength| strength > 0).min().unwrap_or(0);
    strengths.map(|strength| match strength {
        0 => Glow::Dark,
        bright if bright > dimmest => Glow::Bright,
        _ => Glow::Dim,
    })
}

/// LYNGK: the colours that K1..K5 claim.
const CLAIMS: [Kind; 5] = [Kind::Black, Kind::Blue, Kind::Green, Kind::Ivory, Kind::Red];

/// How a game ended, from its text.
fn outcome(result: &str, game: Id) -> Option<Both> {
    let players = (0..game.player_count()).map(Player::from_index);
    let won = players.map(|player| (player, Outcome::Win(player).to_string()));
    let winner = won.into_iter().find(|(_, text)| text == result).map(|(player, _)| player);
    match (winner, result) {
        (Some(player), _) => Some(Both::say(&Message::Won { player: Who { game, player } })),
        (None, "draw") => Some(Both::say(&Message::Drawn)),
        (None, "none" | "") => Some(Both::say(&Message::Stopped)),
        _ => None,
    }
}

/// The kind of an event, for the log.
const fn kind(event: &FromBoard) -> &'static str {
    match event {
        FromBoard::Committed { .. } => "committed",
        FromBoard::Undone { .. } => "undone",
        FromBoard::Refused { .. } => "refused",
        FromBoard::Prompt { .. } => "prompt",
        FromBoard::Question { .. } => "question",
        FromBoard::BackInPlay => "back-in-play",
        FromBoard::Fault { .. } => "fault",
        FromBoard::Report { .. } => "report",
        FromBoard::Sound { .. } => "sound",
        FromBoard::Error { .. } => "error",
        _ => "board",
    }
}
