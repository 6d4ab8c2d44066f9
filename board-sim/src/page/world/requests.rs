//! What pages ask for: hands, keys, games, and what developers break.

use lodestone::console::{Answer, Input};
use lodestone::games::Id;
use lodestone::geometry::{Cell, GIPF_DOTS, Point};
use lodestone::link::ToBoard;
use lodestone::text::Message;

use super::{Incoming, World};
use crate::page::hand::nearest_point;
use crate::page::pieces::Item;
use crate::page::protocol::{Fault, News, Refusal, Request, Why, json};
use crate::page::report;
use crate::table::{self, PlaceMm, distance_mm, place_mm};

/// Codes of a sensor that is stuck, for the developers' switch.
const STUCK_CODE: u16 = 2500;
/// How much noise a noisy sensor has, codes.
const NOISY_CODES: f64 = 60.0;
/// No hand reaches further from the middle, mm.
const REACH_MM: f64 = 400.0;

impl World {
    pub(in crate::page) fn take_in(&mut self, message: Incoming) {
        match message {
            Incoming::Join(page, to) => self.join(page, to),
            Incoming::Said(page, text) => {
                let done = match serde_json::from_str::<Request>(&text) {
                    Ok(request) => self.carry_out(page, request).map_err(|why| json(&why.news())),
                    Err(error) => Err(json(&News::unreadable(&error.to_string()))),
                };
                if let Err(line) = done
                    && let Some(viewer) = self.viewers.get(&page)
                    && viewer.to.try_send(line).is_err()
                {
                    self.viewers.remove(&page);
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
            return Err(Why::OnRealBoard.into());
        }
        match request {
            Request::Grab { piece, whole, slide } => self.grab(page, piece, whole, slide)?,
            Request::Take { item } => self.take_from_tray(page, &item)?,
            Request::Move { x, y } => self.grips.follow(page, within_reach(x, y)),
            Request::Drop { x, y, snap } => {
                let to = self.landing(page, within_reach(x, y), snap.clamp(0.0, 15.0));
                self.grips.lower(page, to);
            }
            Request::Stow => {
                let grip = self.grips.take_back(page).ok_or(Why::HandEmpty)?;
                grip.load.into_iter().for_each(|id| self.pieces.stow(id, &mut self.table));
            }
            Request::Flip { piece } => self.flip(page, piece)?,
            Request::Key { key, down } => drop(self.powered_give(Input::Key(key, down))?),
            Request::Start { game, steps } => self.start_named(&game, &steps)?,
            Request::LayOut => {
                let position = self.mind.position().filter(|_| self.powered);
                let position = *position.ok_or(Refusal::Board(Message::NoGame))?;
                self.lay_out(&position);
            }
            Request::Goto { step } => self.go_to(step)?,
            Request::Host { request } => self.ask_board(request)?,
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
            Request::Demo { speed } => self.play_by_itself(speed.clamp(0.25, 8.0))?,
            Request::Watch { fields } => {
                if let Some(viewer) = self.viewers.get_mut(&page) {
                    viewer.watches_fields = fields;
                }
            }
        }
        Ok(())
    }

    fn take_from_tray(&mut self, page: u64, item: &str) -> Result<(), Refusal> {
        if self.grips.held_by(page).is_some() {
            return Err(Why::HandFull.into());
        }
        let away = (0.0, -REACH_MM);
        let item = self.pieces.take(item, &mut self.table, away).ok_or(Why::NoneLeft)?;
        self.table.move_to(item.piece, away, 30.0);
        Ok(self.grips.grab(page, vec![item.id], None, false, (&self.pieces, &self.table))?)
    }

    /// Turns over a piece where it lies, or what the hand holds.
    fn flip(&mut self, page: u64, piece: Option<u32>) -> Result<(), Refusal> {
        let Some(id) = piece else {
            let grip = self.grips.held_by(page).ok_or(Why::HandEmpty)?;
            for id in grip.load.clone() {
                self.pieces.flip(id, &mut self.table);
            }
            return Ok(());
        };
        let stack = self.pieces.stack_of(id, &self.table);
        let top = stack.last().ok_or(Why::NoSuchPiece)?;
        let (_, at, _) = self.table.piece(top.piece);
        Ok(self.grips.turn(top.id, at)?)
    }

    fn start_named(&mut self, game: &str, steps: &[String]) -> Result<(), Refusal> {
        let id = Id::parse(game.as_bytes()).ok_or(Why::NoSuchGame)?;
        self.replay = None;
        if steps.is_empty() { self.start(id) } else { self.start_after(id, steps) }
    }

    fn play_by_itself(&mut self, speed: f64) -> Result<(), Refusal> {
        if self.mind.console().is_none() {
            return Err(Why::OnlyHere.into());
        }
        match &mut self.demo {
            Some(demo) => demo.speed = speed,
            None => self.start_demo(speed),
        }
        Ok(())
    }

    /// A request of a host; a board that is elsewhere answers it later.
    fn ask_board(&mut self, request: ToBoard) -> Result<(), Refusal> {
        match self.powered_give(Input::Host(request))? {
            Some(Answer::Error(failure)) => Err(Refusal::Board(report::failed(failure))),
            _ => Ok(()),
        }
    }

    fn powered_give(&mut self, input: Input) -> Result<Option<Answer>, Refusal> {
        if self.powered { Ok(self.give(input)) } else { Err(Why::PlugOut.into()) }
    }

    fn grab(&mut self, page: u64, piece: u32, whole: bool, slide: bool) -> Result<(), Refusal> {
        let stack = self.pieces.stack_of(piece, &self.table);
        let from = if whole { 0 } else { stack.len().saturating_sub(1) };
        let load: Vec<u32> = stack[from..].iter().map(|item| item.id).collect();
        let item = stack.first().ok_or(Why::NoSuchPiece)?;
        let (_, at, z) = self.table.piece(item.piece);
        let dot = self.dot_at(at).filter(|_| z < 1.0 && load.len() == 1);
        Ok(self.grips.grab(page, load, dot, slide, (&self.pieces, &self.table))?)
    }

    /// The dot of GIPF's board that is there.
    fn dot_at(&self, at: PlaceMm) -> Option<Cell> {
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
        let at = |stack: &Vec<Item>| self.table.piece(stack[0].piece);
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
        let at = Point::new(self.playfield, point).ok_or(Why::NoSuchPoint)?;
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
}

/// From a page's place to the table's.
fn within_reach(x: f64, y: f64) -> PlaceMm {
    (x.clamp(-REACH_MM, REACH_MM), -y.clamp(-REACH_MM, REACH_MM))
}
