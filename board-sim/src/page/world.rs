//! The board on the screen, in real time: table, device, hands, and what pages are told.
//!
//! One thread owns everything. Pages come in as messages on a channel, each with its own way back;
//! a page that does not read fast enough is dropped and comes back by itself. Every scan period the
//! hands move, the sensors are read, the device takes the codes in, and whatever has changed goes
//! to all pages.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use lodestone::console::{Answer, Console, Effect, Event, Input};
use lodestone::games::any::{Position, Setup, Step};
use lodestone::games::{Game, Id};
use lodestone::geometry::{Board, GIPF_DOTS, HEX, Playfield, Point, SQUARE};
use lodestone::link::{Key, Phase, ToBoard};
use lodestone::sense::Calibration;
use lodestone::wiring;
use tokio::sync::mpsc::Sender;

use super::demo::{Demo, Turn, begun};
use super::hand::{Grips, nearest_point};
use super::mind::{Here, Mind};
use super::mirror::Heard;
use super::pieces::Pieces;
use super::protocol::{Both, Fault, News, PieceNews, ReplayNews, Request, Status, json};
use super::there::There;
use super::{Backend, report};
use crate::device::{Build, Device, Flash, Output};
use crate::draw::{self, Surface};
use crate::port::Port;
use crate::record::Record;
use crate::table::{self, PlaceMm, Table, Tolerances, distance_mm, place_mm};
use crate::text;

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

/// Codes of a sensor that is stuck, for the developers' switch.
const STUCK_CODE: u16 = 2500;
/// How much noise a noisy sensor has, codes.
const NOISY_CODES: f64 = 60.0;
/// Codes and fields go out so often.
const FIELDS_EVERY_US: u64 = 250_000;
/// No hand reaches further from the middle, mm.
const REACH_MM: f64 = 400.0;
/// Lights go out at most so often: a rhythm changes them sixteen times a second, a new meaning at
/// once.
const LIGHTS_EVERY_US: u64 = 15_000;

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

/// What pages have been told last.
#[derive(Default)]
struct Shown {
    board: Option<Line>,
    trays: Option<Line>,
    lights: Option<Line>,
    meanings: Option<Line>,
    status: Option<Line>,
    pieces: BTreeMap<u32, PieceNews>,
    lights_at: Option<u64>,
    fields_at: Option<u64>,
    /// What a real board's pieces were laid out as.
    real: Option<Position>,
}

/// A record that is stepped through: the board goes on from any of its positions.
struct Replay {
    record: Record,
    texts: Vec<String>,
    at: usize,
}

/// Why something was not done.
type Refusal = &'static str;

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
            Backend::Emulator { elf } => {
                Mind::There(Box::new(There::emulated(&elf, playfield, start.seed)?))
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
            _ if world.replay.is_some() => world.go_to(0).map_err(|why| anyhow!(why))?,
            (Some(id), _) => world.start(id).map_err(|why| anyhow!(why))?,
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
                    let now = Instant::now();
                    // After a sleep of the computer the world goes on as if nothing had been; an
                    // emulator that cannot keep up makes everything slower, not coarser.
                    let longest = if self.mind.is_slow() { 0.02 } else { 0.1 };
                    self.advance(now.duration_since(last).as_secs_f64().min(longest));
                    last = now;
                    next = now + self.period();
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
        let is_set = |phase| !matches!(phase, Phase::Menu | Phase::Calibration | Phase::SelfTest);
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
                    sound: Some(sound.name()),
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

    /// Tells the pages what has changed.
    fn tell(&mut self) {
        let now_us = self.clock_us;
        let is_due = |at: Option<u64>, every_us: u64| at.is_none_or(|at| now_us - at >= every_us);
        let board = self.board_news();
        if self.shown.board.as_ref() != Some(&board) {
            self.shown.pieces.clear();
            self.tell_all(&board);
            self.shown.board = Some(board);
        }
        let trays = json(&News::Trays { left: self.pieces.left() });
        if self.shown.trays.as_ref() != Some(&trays) {
            self.tell_all(&trays);
            self.shown.trays = Some(trays);
        }
        self.tell_pieces();
        if is_due(self.shown.lights_at, LIGHTS_EVERY_US) {
            let lights = self.lights();
            if self.shown.lights.as_ref() != Some(&lights) {
                self.tell_all(&lights);
                self.shown.lights = Some(lights);
                self.shown.lights_at = Some(now_us);
            }
            let points = if self.powered { self.mind.meanings() } else { Vec::new() };
            let meanings = json(&News::Meanings { points });
            if self.shown.meanings.as_ref() != Some(&meanings) {
                self.tell_all(&meanings);
                self.shown.meanings = Some(meanings);
            }
        }
        let status = json(&News::Status(Box::new(self.status())));
        if self.shown.status.as_ref() != Some(&status) {
            self.tell_all(&status);
            self.shown.status = Some(status);
        }
        let is_watched = self.viewers.values().any(|viewer| viewer.watches_fields);
        if is_watched && is_due(self.shown.fields_at, FIELDS_EVERY_US) {
            self.shown.fields_at = Some(now_us);
            let fields = self.fields();
            self.viewers.retain(|_, viewer| {
                !viewer.watches_fields || viewer.to.try_send(fields.clone()).is_ok()
            });
        }
    }

    fn tell_pieces(&mut self) {
        let news = self.pieces.news(&self.table);
        let is_there = |id: &u32| news.iter().any(|piece| piece.id == *id);
        let gone: Vec<u32> = self.shown.pieces.keys().filter(|id| !is_there(id)).copied().collect();
        let is_new = |piece: &&PieceNews| self.shown.pieces.get(&piece.id) != Some(*piece);
        let changed: Vec<PieceNews> = news.iter().filter(is_new).cloned().collect();
        if gone.is_empty() && changed.is_empty() {
            return;
        }
        self.shown.pieces = news.into_iter().map(|piece| (piece.id, piece)).collect();
        self.tell_all(&json(&News::Pieces { changed, gone }));
    }

    fn board_news(&self) -> Line {
        let surface = self.surface();
        let board = surface.board();
        let point = |point: Point| {
            let (x, y) = draw::place(self.playfield, point);
            let name = board.cell(point).map(|cell| board.name(cell).to_string());
            ((x * 100.0).round() / 100.0, (y * 100.0).round() / 100.0, name)
        };
        json(&News::Board {
            surface: report::surface_name(surface),
            hex: self.playfield == Playfield::Hex,
            view: draw::view(surface),
            points: self.playfield.points().map(point).collect(),
            trays: self.pieces.trays(),
            step: self.pieces.game.map_or(0.0, |id| draw::stack_step(id, 2)),
        })
    }

    fn lights(&self) -> Line {
        if !self.powered {
            return json(&News::Lights { points: Vec::new(), keys: vec![None; 6] });
        }
        let (keys, points) = self.mind.lights(self.playfield);
        let seen = |rgb: &[u8; 3]| {
            let ([r, g, b], strength) = draw::on_screen(*rgb)?;
            Some((format!("rgb({r},{g},{b})"), (strength * 100.0).round() / 100.0))
        };
        let light = |(index, rgb): (usize, &[u8; 3])| {
            let (colour, strength) = seen(rgb)?;
            Some((index, colour, strength))
        };
        json(&News::Lights {
            points: points.iter().enumerate().filter_map(light).collect(),
            keys: keys.iter().map(seen).collect(),
        })
    }

    fn status(&self) -> Status {
        let is_told = self.powered || self.mind.console().is_none();
        let mut status = if is_told { self.mind.status() } else { Status::default() };
        status.powered = self.powered;
        status.demo = self.demo.as_ref().map(|demo| demo.speed);
        status.can_lay_out &= self.demo.is_none() && !self.mind.is_real();
        status.replay = self.replay.as_ref().map(Replay::news);
        status.noise = self.noise;
        status.ambient = self.ambient;
        status
    }

    fn fields(&self) -> Line {
        let field = |point: Point| {
            let mt = match self.codes.get(point.index()) {
                Some(&code) if self.mind.is_real() => table::nominal_mt(code),
                _ => self.table.field_mt(point),
            };
            (mt * 100.0).round() as i32
        };
        json(&News::Fields {
            codes: &self.codes,
            fields: self.playfield.points().map(field).collect(),
            faults: self.mind.faults(),
            referee: self.mind.referee(),
        })
    }

    pub(super) fn take_in(&mut self, message: Incoming) {
        match message {
            Incoming::Join(page, to) => {
                let Shown { board, trays, lights, meanings, .. } = &self.shown;
                let all = [board, trays, lights, meanings];
                let pieces: Vec<PieceNews> = self.shown.pieces.values().cloned().collect();
                let pieces = json(&News::Pieces { changed: pieces, gone: Vec::new() });
                let lines = all.into_iter().flatten().chain([&pieces]).chain(&self.shown.status);
                if lines.cloned().all(|line| to.try_send(line).is_ok()) {
                    self.viewers.insert(page, Viewer { to, watches_fields: false });
                }
            }
            Incoming::Said(page, text) => {
                let done = match serde_json::from_str::<Request>(&text) {
                    Ok(request) => self.carry_out(page, request).map_err(str::to_string),
                    Err(error) => Err(error.to_string()),
                };
                if let Err(why) = done
                    && let Some(viewer) = self.viewers.get(&page)
                {
                    let line = json(&News::Error { text: &why });
                    if viewer.to.try_send(line).is_err() {
                        self.viewers.remove(&page);
                    }
                }
            }
            Incoming::Leave(page) => {
                self.viewers.remove(&page);
                // What the hand held drops where it is.
                if let Some(place) = self.held_at(page) {
                    self.grips.lower(page, place);
                }
            }
        }
    }

    fn held_at(&self, page: u64) -> Option<PlaceMm> {
        let grip = self.grips.held_by(page)?;
        let item = self.pieces.get(*grip.load.first()?)?;
        Some(self.table.piece(item.piece).1)
    }

    /// Does what a page asks for, or says why not.
    fn carry_out(&mut self, page: u64, request: Request) -> Result<(), Refusal> {
        let is_touch = !matches!(
            request,
            Request::Watch { .. }
                | Request::Demo { .. }
                | Request::Noise { .. }
                | Request::Ambient { .. }
                | Request::Host { request: ToBoard::SetOption { .. } }
        );
        if is_touch {
            self.end_demo();
        }
        if self.mind.is_real() && request.is_about_the_table() {
            return Err("the pieces are on the real board");
        }
        match request {
            Request::Grab { piece, whole, slide } => self.grab(page, piece, whole, slide)?,
            Request::Take { item } => {
                if self.grips.held_by(page).is_some() {
                    return Err("this hand holds something");
                }
                let away = (0.0, -REACH_MM);
                let item = self.pieces.take(&item, &mut self.table, away);
                let item = item.ok_or("none of these is left")?;
                self.table.move_to(item.piece, away, 30.0);
                self.grips.grab(page, vec![item.id], None, false, (&self.pieces, &self.table))?;
            }
            Request::Move { x, y } => self.grips.follow(page, within_reach(x, y)),
            Request::Drop { x, y, snap } => {
                let to = self.landing(page, within_reach(x, y), snap.clamp(0.0, 15.0));
                self.grips.lower(page, to);
            }
            Request::Stow => {
                let grip = self.grips.take_back(page).ok_or("this hand holds nothing")?;
                for id in grip.load {
                    self.pieces.stow(id, &mut self.table);
                }
            }
            Request::Flip { piece: None } => {
                let grip = self.grips.held_by(page).ok_or("this hand holds nothing")?;
                let load = grip.load.clone();
                for id in load {
                    self.pieces.flip(id, &mut self.table);
                }
            }
            Request::Flip { piece: Some(id) } => {
                let stack = self.pieces.stack_of(id, &self.table);
                let top = stack.last().ok_or("no such piece")?;
                let (_, at, _) = self.table.piece(top.piece);
                self.grips.turn(top.id, at)?;
            }
            Request::Key { key, down } => drop(self.powered_give(Input::Key(key, down))?),
            Request::Start { game, steps } => {
                let id = Id::parse(game.as_bytes()).ok_or("no such game")?;
                self.replay = None;
                if steps.is_empty() {
                    self.start(id)?;
                } else {
                    self.start_after(id, &steps)?;
                }
            }
            Request::LayOut => {
                let position = self.mind.position().filter(|_| self.powered);
                let position = *position.ok_or("there is no game")?;
                self.lay_out(&position);
            }
            Request::Goto { step } => self.go_to(step)?,
            Request::Host { request } => {
                if let Some(Answer::Error(_)) = self.powered_give(Input::Host(request))? {
                    return Err("the board cannot do that now");
                }
            }
            Request::Noise { codes } => {
                self.noise = codes.clamp(0.0, 100.0);
                self.table.set_noise_codes(self.noise);
            }
            Request::Ambient { mt } => {
                self.ambient = mt.clamp(-5.0, 5.0);
                self.table.set_ambient_mt(self.ambient);
            }
            Request::Fault { point, fault } => self.set_fault(point, fault)?,
            Request::Power { on } => self.set_power(on),
            Request::Demo { .. } if self.mind.console().is_none() => {
                return Err("only the board in this program plays by itself");
            }
            Request::Demo { speed } => match &mut self.demo {
                Some(demo) => demo.speed = speed.clamp(0.25, 8.0),
                None => self.start_demo(speed.clamp(0.25, 8.0)),
            },
            Request::Watch { fields } => {
                if let Some(viewer) = self.viewers.get_mut(&page) {
                    viewer.watches_fields = fields;
                }
            }
        }
        Ok(())
    }

    fn powered_give(&mut self, input: Input) -> Result<Option<Answer>, Refusal> {
        if self.powered { Ok(self.give(input)) } else { Err("the plug is out") }
    }

    fn grab(&mut self, page: u64, piece: u32, whole: bool, slide: bool) -> Result<(), Refusal> {
        let stack = self.pieces.stack_of(piece, &self.table);
        let from = if whole { 0 } else { stack.len().saturating_sub(1) };
        let load: Vec<u32> = stack[from..].iter().map(|item| item.id).collect();
        let item = stack.first().ok_or("no such piece")?;
        let (_, at, z) = self.table.piece(item.piece);
        let dot = self.dot_at(at).filter(|_| z < 1.0 && load.len() == 1);
        self.grips.grab(page, load, dot, slide, (&self.pieces, &self.table))
    }

    /// The dot of GIPF's board that is there.
    fn dot_at(&self, at: PlaceMm) -> Option<lodestone::geometry::Cell> {
        let is_gipf = self.pieces.game.is_some_and(|id| id.letter() == 'G');
        let board = self.board();
        let place = |cell| place_mm(board.playfield(), board.point(cell));
        let mut dots = GIPF_DOTS.iter().filter(|_| is_gipf);
        dots.find(|&dot| distance_mm(place(dot), at) < 12.0)
    }

    /// Where a load comes down: on a stack or a point that is near, else just there.
    fn landing(&mut self, page: u64, aim: PlaceMm, snap: f64) -> PlaceMm {
        let held: Vec<u32> = self.grips.held_by(page).map(|g| g.load.clone()).unwrap_or_default();
        let near = nearest_point(self.board(), aim, snap);
        let stacks = self.pieces.stacks(&self.table);
        let at = |stack: &Vec<super::pieces::Item>| self.table.piece(stack[0].piece);
        let stack = stacks
            .iter()
            .filter(|stack| !held.contains(&stack[0].id) && at(stack).2 < 0.1)
            .map(|stack| at(stack).1)
            .min_by(|a, b| distance_mm(*a, aim).total_cmp(&distance_mm(*b, aim)))
            .filter(|place| distance_mm(*place, aim) <= snap);
        match stack.or(near) {
            Some(place) => self.pieces.seat(place),
            None => aim,
        }
    }

    fn set_fault(&mut self, point: usize, fault: Option<Fault>) -> Result<(), Refusal> {
        let at = Point::new(self.playfield, point).ok_or("no such point")?;
        self.table.set_fault(
            at,
            fault.map(|fault| match fault {
                Fault::Dead => table::Fault::Dead,
                Fault::Stuck => table::Fault::Stuck(STUCK_CODE),
                Fault::Noisy => table::Fault::Noisy(NOISY_CODES),
            }),
        );
        match fault {
            Some(fault) => drop(self.faults.insert(point, fault)),
            None => drop(self.faults.remove(&point)),
        }
        Ok(())
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

    /// A new game, as a host asks for it.
    fn start(&mut self, id: Id) -> Result<(), Refusal> {
        self.demo = None;
        let playfield = Setup::of(id).position().board().playfield();
        if !self.mind.is_real() {
            self.plug(playfield);
        } else if playfield != self.playfield {
            return Err("the game needs the other playfield");
        }
        let request = ToBoard::NewGame {
            id,
            handicap: lodestone::link::Text::default(),
            setup: lodestone::link::Text::default(),
        };
        self.give(Input::Host(request));
        Ok(())
    }

    /// The record after so many steps.
    fn go_to(&mut self, step: usize) -> Result<(), Refusal> {
        let replay = self.replay.as_mut().ok_or("there is no record")?;
        replay.at = step.min(replay.record.steps.len());
        let (setup, steps) = (replay.record.setup, replay.record.steps[..replay.at].to_vec());
        self.go_on_after(setup, &steps)
    }

    /// The visitor takes over what the hands were playing.
    fn end_demo(&mut self) {
        let Some(mut demo) = self.demo.take() else { return };
        demo.finish(&mut self.table);
        self.pieces.adopt(demo.things());
        // What lies beside the board is in the trays.
        let beside = |item: &super::pieces::Item| self.table.piece(item.piece).2 > 150.0;
        let away: Vec<_> = self.pieces.items().iter().filter(|i| beside(i)).copied().collect();
        for item in away {
            self.pieces.stow(item.id, &mut self.table);
        }
        self.pieces.recount(&self.table);
    }

    /// The next game that plays itself, on a board of its own flash.
    fn start_demo(&mut self, speed: f64) {
        self.grips.clear();
        self.pieces.unpack(None, &mut self.table);
        let Some((mut demo, position, flash)) = Demo::new(self.demos, speed) else { return };
        self.demos += 1;
        self.resume_from(flash, position.board().playfield());
        self.pieces.unpack(Some(demo.id), &mut self.table);
        demo.set_up(&position, &mut self.table);
        self.demo = Some(demo);
    }

    /// A game that goes on after these steps.
    fn start_after(&mut self, id: Id, texts: &[String]) -> Result<(), Refusal> {
        let setup = Setup::of(id);
        let (mut position, mut steps) = (setup.position(), Vec::new());
        for text in texts {
            let step = position.parse_step(text.as_bytes()).map_err(|_| "not a step")?;
            position.play(step).map_err(|_| "not a legal step")?;
            steps.push(step);
        }
        self.go_on_after(setup, &steps)
    }

    /// A board whose unfinished game has these steps is powered up, its pieces laid out.
    fn go_on_after(&mut self, setup: Setup, steps: &[Step]) -> Result<(), Refusal> {
        if self.mind.console().is_none() {
            return Err("only the board in this program goes on in the middle of a game");
        }
        let mut position = setup.position();
        for &step in steps {
            position.play_unchecked(step);
        }
        let flash = begun(setup, steps).ok_or("the journal does not take it")?;
        self.grips.clear();
        self.resume_from(flash, position.board().playfield());
        self.lay_out(&position);
        Ok(())
    }

    /// A board with this flash is powered up, and its unfinished game accepted.
    fn resume_from(&mut self, flash: Flash, playfield: Playfield) {
        (self.flash, self.powered) = (flash, true);
        if playfield == self.playfield {
            self.renew_board();
        } else {
            self.plug(playfield);
        }
        self.give(Input::Key(Key::Ok, true));
        self.give(Input::Key(Key::Ok, false));
    }
}

impl Replay {
    fn new(record: Record) -> Replay {
        let texts = record.positions().zip(&record.steps).map(|(p, &step)| text::step(&p, step));
        Replay { texts: texts.collect(), record, at: 0 }
    }

    fn news(&self) -> ReplayNews {
        let players: Vec<&str> = ["White", "Black", "Player1", "Player2", "Player3", "Player4"]
            .iter()
            .filter_map(|tag| self.record.tag(tag))
            .collect();
        ReplayNews { name: players.join(" – "), steps: self.texts.clone(), at: self.at }
    }
}

fn build(playfield: Playfield, seed: u64, flash: &Flash) -> Build {
    Build { playfield, calibration: Calibration::exact(playfield), seed, flash: flash.clone() }
}

/// From a page's place to the table's.
fn within_reach(x: f64, y: f64) -> PlaceMm {
    (x.clamp(-REACH_MM, REACH_MM), -y.clamp(-REACH_MM, REACH_MM))
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
        let is_there = |piece: &&PieceNews| (piece.x - x).hypot(piece.y - y) < 10.0;
        self.shown.pieces.values().find(is_there).map(|piece| piece.id)
    }

    /// What pages have been told last, but for the lights.
    pub(super) fn told(&self) -> [Option<Line>; 3] {
        [self.shown.board.clone(), self.shown.trays.clone(), self.shown.status.clone()]
    }
}
