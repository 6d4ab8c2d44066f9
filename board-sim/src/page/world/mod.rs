//! The board on the screen, in real time: table, device, hands, and what pages are told.
//!
//! One thread owns everything. Pages come in as messages on a channel, each with its own way back;
//! a page that does not read fast enough is dropped and comes back by itself. Every scan period the
//! hands move, the sensors are read, the device takes the codes in, and whatever has changed goes
//! to all pages.

mod begin;
mod requests;
mod tell;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use lodestone::console::{Answer, Console, Effect, Event, Input};
use lodestone::games::any::Position;
use lodestone::games::{Game, Id};
use lodestone::geometry::{Board, HEX, Playfield, SQUARE};
use lodestone::link::Phase;
use lodestone::sense::Calibration;
use lodestone::wiring;
use tokio::sync::mpsc::Sender;

use super::demo::{Demo, Turn};
use super::hand::Grips;
use super::mind::{Here, Mind};
use super::mirror::Heard;
use super::pieces::Pieces;
use super::protocol::{Both, Fault, News, Refusal, SoundNews, json};
use super::there::There;
use super::{Backend, report};
use crate::device::{Build, Device, Flash, Output};
use crate::draw::Surface;
use crate::port::Port;
use crate::record::Record;
use crate::table::{Table, Tolerances};
use crate::text;
use begin::Replay;
use tell::Shown;

/// How far the world may be behind the clock; what it cannot make up for is forgotten.
const BEHIND_MAX: Duration = Duration::from_millis(100);
/// The longest step of an emulated board.
const SLOW_STEP: Duration = Duration::from_millis(20);

/// A message as it is sent.
type Line = Arc<str>;

/// What comes from the pages.
pub(super) enum Incoming {
    /// A page begins to look, and wants to be told here.
    Join(u64, Sender<Line>),
    /// A page says something.
    Said(u64, String),
    /// A page is gone.
    Leave(u64),
}

/// How it begins.
#[derive(Default)]
pub(super) struct Start {
    pub(super) game: Option<Id>,
    pub(super) seed: u64,
    /// The board plays by itself, so fast.
    pub(super) demo: Option<f64>,
    /// A record to step through.
    pub(super) replay: Option<Record>,
    /// What runs the board.
    pub(super) backend: Backend,
}

/// A page that looks.
struct Viewer {
    to: Sender<Line>,
    watches_fields: bool,
}

/// Everything.
pub(super) struct World {
    playfield: Playfield,
    table: Table,
    mind: Mind,
    flash: Flash,
    seed: u64,
    powered: bool,
    /// How long it has been there.
    clock_us: u64,
    /// When the power came.
    power_us: u64,
    pieces: Pieces,
    grips: Grips,
    demo: Option<Demo>,
    demos: u64,
    replay: Option<Replay>,
    noise: f64,
    ambient: f64,
    faults: BTreeMap<usize, Fault>,
    codes: Vec<u16>,
    viewers: BTreeMap<u64, Viewer>,
    shown: Shown,
}

impl World {
    pub(super) fn new(start: Start) -> Result<World> {
        let replay = start.replay.map(Replay::new);
        let game = start.game.or(replay.as_ref().map(|r| r.record.setup.position().id()));
        let playfield = game.map_or(Playfield::Hex, |id| Surface::Game(id).board().playfield());
        let flash = Flash::erased();
        let mind = match start.backend {
            Backend::Here { pty } => {
                let (device, _) = Device::new(build(playfield, start.seed, &flash));
                Mind::Here(Box::new(Here { device, port: pty.map(Port::new) }))
            }
            Backend::Emulator { elf, pty } => {
                Mind::There(Box::new(There::emulated(&elf, pty, playfield, start.seed)?))
            }
            Backend::Port { path } => Mind::There(Box::new(There::attached(path)?)),
        };
        let mut world = World {
            playfield,
            table: Table::new(playfield, &Tolerances::NOISE, start.seed),
            mind,
            flash,
            seed: start.seed,
            powered: true,
            clock_us: 0,
            power_us: 0,
            pieces: Pieces::none(start.seed),
            grips: Grips::default(),
            demo: None,
            demos: start.seed,
            replay,
            noise: Tolerances::NOISE.noise_codes,
            ambient: 0.0,
            faults: BTreeMap::new(),
            codes: vec![0; playfield.point_count()],
            viewers: BTreeMap::new(),
            shown: Shown::default(),
        };
        match (start.game, start.demo) {
            _ if world.replay.is_some() => world.go_to(0).map_err(unable)?,
            (Some(id), _) => world.start(id).map_err(unable)?,
            (None, Some(speed)) => world.start_demo(speed),
            (None, None) => {}
        }
        Ok(world)
    }

    /// Lives until there is nobody left who could come.
    pub(super) fn run(mut self, incoming: &Receiver<Incoming>) {
        let mut last = Instant::now();
        let mut next = last;
        loop {
            let wait = next.saturating_duration_since(Instant::now());
            match incoming.recv_timeout(wait) {
                Ok(message) => self.take_in(message),
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {
                    // After a sleep of the computer the world goes on as if nothing had been.
                    let now = Instant::now();
                    last = last.max(now.checked_sub(BEHIND_MAX).unwrap_or(now));
                    // An emulator that was kept waiting catches up; it takes time in small steps.
                    let longest = if self.mind.is_slow() { SLOW_STEP } else { BEHIND_MAX };
                    let step = now.duration_since(last).min(longest);
                    self.advance(step.as_secs_f64());
                    last += step;
                    next = last + self.period();
                }
            }
        }
    }

    fn period(&self) -> Duration {
        Duration::from_micros(wiring::timing::period_us(self.playfield).into())
    }

    fn now_us(&self) -> u64 {
        self.clock_us - self.power_us
    }

    /// Some time has passed, a scan period or more.
    fn advance(&mut self, seconds: f64) {
        self.clock_us += (seconds * 1e6) as u64;
        self.move_hands(seconds);
        if !self.mind.is_real() {
            self.codes = self.table.scan(self.clock_us).to_vec();
        }
        if self.powered {
            let codes = std::mem::take(&mut self.codes);
            self.give(Input::Scan(&codes));
            self.codes = codes;
            self.listen(seconds);
        }
        self.follow_game();
        self.tell();
    }

    /// What a board that is elsewhere says.
    fn listen(&mut self, seconds: f64) {
        let Mind::There(there) = &mut self.mind else { return };
        let heard = match there.advance(self.clock_us, seconds) {
            Ok(heard) => heard,
            Err(error) => return self.give_up(&error),
        };
        for Heard { kind, text, detail, sound } in heard {
            self.tell_all(&json(&News::Event { kind, text, detail, sound }));
        }
        self.follow_real();
    }

    /// A board that is elsewhere has stopped for good.
    fn give_up(&mut self, error: &anyhow::Error) {
        if let Mind::There(there) = &mut self.mind {
            eprintln!("the board has stopped: {error:#}");
            there.trouble = Some(format!("the board has stopped: {error:#}"));
            self.powered = false;
        }
    }

    /// The page shows a real board's pieces where its game says they are.
    fn follow_real(&mut self) {
        let Mind::There(there) = &self.mind else { return };
        if !self.mind.is_real() {
            return;
        }
        if there.mirror.playfield != self.playfield {
            self.playfield = there.mirror.playfield;
            self.pieces.unpack(None, &mut self.table);
            self.table = Table::new(self.playfield, &Tolerances::NONE, self.seed);
        }
        self.codes.clone_from(&there.mirror.codes);
        let position = there.mirror.position().copied();
        if self.shown.real != position {
            self.shown.real = position;
            match position {
                Some(position) => self.lay_out(&position),
                None => self.pieces.unpack(None, &mut self.table),
            }
        }
    }

    fn move_hands(&mut self, seconds: f64) {
        let board = self.board();
        self.grips.advance(seconds, board, &mut self.pieces, &mut self.table);
        let Some(mut demo) = self.demo.take() else { return };
        let Some(console) = self.mind.console() else { return };
        let turn = demo.advance(seconds, console, &mut self.table);
        self.pieces.adopt(demo.things());
        self.pieces.recount(&self.table);
        let speed = demo.speed;
        self.demo = Some(demo);
        match turn {
            Turn::Nothing => {}
            Turn::Press(key) => {
                self.give(Input::Key(key, true));
                self.give(Input::Key(key, false));
            }
            Turn::Over => self.start_demo(speed),
        }
    }

    /// The game's board, or all points when there is no game.
    fn board(&self) -> &'static Board {
        self.surface().board()
    }

    fn surface(&self) -> Surface {
        match self.pieces.game {
            Some(id) => Surface::Game(id),
            None => Surface::Bare(self.playfield),
        }
    }

    /// A game that was chosen by keys brings its pieces.
    fn follow_game(&mut self) {
        let is_set = |phase| {
            use Phase::{Calibration, Menu, SelfTest, StartUp};
            !matches!(phase, StartUp | Menu | Calibration | SelfTest)
        };
        let phase = self.mind.phase().filter(|_| self.powered);
        let game = self.mind.position().map(Game::id);
        if let Some(id) = game.filter(|_| phase.is_some_and(is_set))
            && self.pieces.game != Some(id)
        {
            self.grips.clear();
            self.pieces.unpack(Some(id), &mut self.table);
        }
    }

    /// The board takes something in; what it says goes to the pages. The answer to a host's request
    /// comes back, or later as an event if the board is elsewhere.
    fn give(&mut self, input: Input) -> Option<Answer> {
        let now_us = self.now_us();
        match &mut self.mind {
            Mind::Here(here) => {
                let outputs = here.handle(now_us, input);
                self.pass_on(&outputs)
            }
            Mind::There(there) => {
                if let Err(error) = there.give(input) {
                    self.give_up(&error);
                }
                None
            }
        }
    }

    fn pass_on(&mut self, outputs: &[Output]) -> Option<Answer> {
        let mut answer = None;
        for output in outputs {
            let Output::Effect(effect) = output else { continue };
            let Some(console) = self.mind.console() else { continue };
            let line = match effect {
                Effect::Answer(said) => {
                    answer = Some(*said);
                    continue;
                }
                Effect::Event(event) => World::event(console, event),
                Effect::Sound(sound) => json(&News::Event {
                    kind: "sound",
                    text: None,
                    detail: String::new(),
                    sound: Some(SoundNews::of(*sound)),
                }),
                Effect::Store(record) => json(&News::Event {
                    kind: "store",
                    text: None,
                    detail: report::short(&format!("{record:?}")),
                    sound: None,
                }),
                Effect::SaveOptions | Effect::SaveCalibration | Effect::EraseAhead => continue,
            };
            self.tell_all(&line);
        }
        answer
    }

    fn event(console: &Console, event: &Event) -> Line {
        let mut text = None;
        console.tell(event, &mut |message| text = Some(Both::say(&message)));
        let detail = match (event, console.game()) {
            (Event::Committed { step, count, .. }, Some(referee)) => {
                format!("{count}. {}", text::step(referee.position(), *step))
            }
            _ => report::short(&format!("{event:?}")),
        };
        json(&News::Event { kind: report::kind(event), text, detail, sound: None })
    }

    fn tell_all(&mut self, line: &Line) {
        self.viewers.retain(|_, viewer| viewer.to.try_send(line.clone()).is_ok());
    }

    fn set_power(&mut self, on: bool) {
        if on && !self.powered {
            self.power_us = self.clock_us;
            match &mut self.mind {
                Mind::Here(here) => {
                    let outputs = here.cut();
                    self.pass_on(&outputs);
                }
                Mind::There(there) => {
                    if let Err(error) = there.cut() {
                        return self.give_up(&error);
                    }
                }
            }
        }
        self.powered = on;
    }

    /// Puts the pieces as a position says.
    fn lay_out(&mut self, position: &Position) {
        self.grips.clear();
        if self.pieces.game != Some(position.id()) {
            self.pieces.unpack(Some(position.id()), &mut self.table);
        }
        self.pieces.lay_out(position, &mut self.table);
    }

    /// Puts another playfield in, if it is another; its pieces are put away.
    fn plug(&mut self, playfield: Playfield) {
        self.grips.clear();
        self.pieces.unpack(None, &mut self.table);
        self.set_power(true);
        if playfield == self.playfield {
            return;
        }
        self.playfield = playfield;
        self.faults.clear();
        self.power_on_new();
    }

    fn power_on_new(&mut self) {
        self.table = Table::new(self.playfield, &Tolerances::NOISE, self.seed);
        self.table.set_noise_codes(self.noise);
        self.table.set_ambient_mt(self.ambient);
        self.codes = vec![0; self.playfield.point_count()];
        self.renew_board();
    }

    /// Powers up a board with this playfield and this flash.
    fn renew_board(&mut self) {
        self.power_us = self.clock_us;
        match &mut self.mind {
            Mind::Here(here) => {
                let (device, outputs) = Device::new(build(self.playfield, self.seed, &self.flash));
                here.replace(device);
                self.pass_on(&outputs);
            }
            Mind::There(there) => {
                if let Err(error) = there.plug(self.playfield) {
                    self.give_up(&error);
                }
            }
        }
    }
}

fn unable(why: Refusal) -> anyhow::Error {
    anyhow!("the game cannot begin: {}", why.name())
}

fn build(playfield: Playfield, seed: u64, flash: &Flash) -> Build {
    Build { playfield, calibration: Calibration::exact(playfield), seed, flash: flash.clone() }
}

/// The board of a playfield without a game.
pub(super) fn bare(playfield: Playfield) -> &'static Board {
    match playfield {
        Playfield::Hex => &HEX,
        Playfield::Square => &SQUARE,
    }
}

#[cfg(test)]
impl World {
    /// So much time passes at once, scan by scan.
    pub(super) fn let_pass(&mut self, time: Duration) {
        let period = self.period();
        for _ in 0..time.as_micros() / period.as_micros() {
            self.advance(period.as_secs_f64());
        }
    }

    pub(super) fn console(&self) -> &Console {
        self.mind.console().expect("the console is here")
    }

    /// How many steps the game has.
    pub(super) fn count(&self) -> Option<usize> {
        let status = self.mind.status();
        status.game.map(|_| status.record.len())
    }

    pub(super) fn phase(&self) -> Option<Phase> {
        self.mind.phase()
    }

    /// The number of the piece nearest to a place, if one lies there.
    pub(super) fn piece_near(&self, (x, y): (f64, f64)) -> Option<u32> {
        let is_there =
            |piece: &&super::protocol::PieceNews| (piece.x - x).hypot(piece.y - y) < 10.0;
        self.shown.pieces.values().find(is_there).map(|piece| piece.id)
    }

    /// What pages have been told last, but for the lights.
    pub(super) fn told(&self) -> [Option<Line>; 3] {
        [self.shown.board.clone(), self.shown.trays.clone(), self.shown.status.clone()]
    }
}
