//! Virtual hands: they carry out steps and mistakes on the [`Table`] as people do, in simulated
//! time.
//!
//! For the soak and the scenarios. [`acts`] says what a step asks for, [`Mistake::acts`] what
//! somebody does instead, [`Hands::restore`] puts everything as a position says. [`Hands`] own the
//! pieces, know which stands where, and move them: lifted, carried, slid, hovering, set down a bit
//! off, all by the figures of a [`Style`] and one seed. Same seed, same calls: same codes.
//!
//! The hands know pieces and cells, no referee: whoever plays decides what to do from the lights,
//! then calls [`Hands::advance`] before each scan until it says done.
//!
//! Important terms: an *act* is the smallest thing a hand does, and is data. *Beside the board*
//! is where pieces come from and go to; pieces keep their magnets there. A *load* is what moves
//! together.
//!
//! Where the model stops: bodies push each other in [`Act::Push`] only, and in line; of two hands one may hold a piece while the other works, but only one moves at a time.
//! A neighbour that is nudged stays within the style's seat: pushed further, it is put right by the
//! same hand. An act on a cell where its piece is missing takes its time and changes nothing.
//!
//! ```
//! use board_sim::hands::{CAREFUL, Hands, Progress, acts};
//! use board_sim::table::{Table, Tolerances};
//! use lodestone::games::any::Setup;
//! use lodestone::games::{Game, Id};
//! use lodestone::geometry::Playfield;
//!
//! let mut position = Setup::of(Id::Yinsh).position();
//! let mut table = Table::new(Playfield::Hex, &Tolerances::NONE, 1);
//! let mut hands = Hands::new(position.board(), &CAREFUL, 1);
//! let step = position.parse_step(b"f6").unwrap();
//! hands.play(acts(&position, step));
//! let mut now_us = 0;
//! while hands.advance(now_us, &mut table) != Progress::Done {
//!     now_us += 12_500;
//! }
//! let f6 = position.board().point(position.board().parse(b"f6").unwrap());
//! assert!(table.scan(now_us)[f6.index()] > 2048 + 100);
//! ```

mod acts;
mod dice;
mod layout;
mod mistake;
mod motion;
mod restore;
mod style;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use lodestone::games::any::Position;
use lodestone::geometry::{Board, Cell, CellSet};
use lodestone::random::SplitMix64;

pub use acts::{Act, Key, Part, acts, any_order, by_contact};
pub use layout::{Layout, Pile, Thing, layout};
pub use mistake::Mistake;
pub use restore::restore;
pub use style::{CAREFUL, SLOPPY, Style};

use crate::table::{Kind, PlaceMm, Table, distance_mm, place_mm};
use dice::Dice;
use motion::{Body, Load, Motion, Pose, Then, pose};

/// Where pieces beside the board are: so high that no sensor sees them.
const AWAY_MM: f64 = 300.0;
/// How far from the middle a hand lets go of what it takes off, mm.
const BESIDE_MM: f64 = 220.0;
/// How far a marker can be off the middle of the ring around it, mm.
const RING_PLAY_MM: f64 = 0.75;
/// Within this a piece is put when somebody centres it, mm.
const CENTRED_MM: f64 = 0.5;

/// How far the hands have come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// At work.
    Busy,
    /// At work, and this key was just pressed.
    Pressed(Key),
    /// Nothing left to do.
    Done,
}

/// An act or half of one.
enum Task {
    Whole(Act),
    /// Of a carry: pick up and keep in the hand.
    PickUp(Cell, Part),
    /// Of a carry: put what is in the hand down.
    PutDown(Cell),
}

/// The hands of those who play, and all pieces.
pub struct Hands {
    board: &'static Board,
    style: &'static Style,
    dice: Dice,
    /// What stands on each cell.
    piles: Vec<Pile<Body>>,
    /// What lies beside the board.
    beside: Vec<Body>,
    /// What one hand holds while the other works.
    held: Load,
    tasks: VecDeque<Task>,
    motion: Option<Motion>,
    /// What to put everything to, once the hands are free.
    goal: Option<Layout>,
    /// When the last motion ended, or was not begun yet.
    now_us: u64,
}

impl Hands {
    /// Hands at an empty board.
    pub fn new(board: &'static Board, style: &'static Style, seed: u64) -> Hands {
        Hands {
            board,
            style,
            dice: Dice(SplitMix64::new(seed)),
            piles: vec![Pile::EMPTY; board.cell_count()],
            beside: Vec::new(),
            held: Load::default(),
            tasks: VecDeque::new(),
            motion: None,
            goal: None,
            now_us: 0,
        }
    }

    /// Puts all pieces of a position on the empty board in no time.
    pub fn set_up(&mut self, position: &Position, table: &mut Table) {
        for act in restore(&self.layout(), &layout(position)) {
            if let Act::Bring { thing, to } = act {
                let load = self.take_from_beside(thing, table);
                load.move_to(table, self.rest(to, thing, table));
                self.stand(load, to, table);
            }
        }
    }

    /// Carries out acts, in an order of the style.
    pub fn play(&mut self, acts: Vec<Act>) {
        let acts = if self.dice.chance(self.style.contact) { by_contact(acts) } else { acts };
        let acts = if self.style.any_order { any_order(acts, &mut self.dice.0) } else { acts };
        self.follow(acts);
    }

    /// Carries out acts in just this order.
    pub fn follow(&mut self, acts: Vec<Act>) {
        let mut acts = VecDeque::from(acts);
        while let Some(act) = acts.pop_front() {
            let free = acts.iter().take_while(|later| !later.needs(&act)).count();
            match act {
                Act::Carry { from, part, to, slides: false, .. }
                    if free > 0 && self.dice.chance(self.style.hold) =>
                {
                    let meanwhile = 1 + self.dice.0.below(free);
                    self.tasks.push_back(Task::PickUp(from, part));
                    self.tasks.extend(acts.drain(..meanwhile).map(Task::Whole));
                    self.tasks.push_back(Task::PutDown(to));
                }
                act => self.tasks.push_back(Task::Whole(act)),
            }
        }
    }

    /// Puts everything as a position says, from whatever lies there once the act that is going on
    /// has ended. What else was to be done is dropped.
    pub fn restore(&mut self, position: &Position) {
        self.tasks.clear();
        self.goal = Some(layout(position));
    }

    /// What stands where, as people see it. What is in a hand stands nowhere.
    pub fn layout(&self) -> Layout {
        self.piles.iter().map(|pile| pile.map(|body| body.thing)).collect()
    }

    /// Moves the pieces to where they are at this time. Keys come one at a call.
    pub fn advance(&mut self, now_us: u64, table: &mut Table) -> Progress {
        loop {
            if let Some(mut motion) = self.motion.take() {
                if !motion.advance(now_us, table) {
                    self.motion = Some(motion);
                    return Progress::Busy;
                }
                self.now_us = motion.began_us;
                if let Some(key) = self.arrive(motion, table) {
                    return Progress::Pressed(key);
                }
            }
            if let Some(task) = self.tasks.pop_front() {
                self.motion = Some(self.begin(task, table));
            } else if let Some(goal) = self.goal.take() {
                self.mend(&goal, table);
            } else {
                self.now_us = now_us;
                return Progress::Done;
            }
        }
    }

    /// Plans what leads to a layout, and straightens what stands beside its point.
    fn mend(&mut self, goal: &Layout, table: &mut Table) {
        let held = std::mem::take(&mut self.held);
        self.put_beside(held, table);
        let acts = restore(&self.layout(), goal);
        // First what is aside, while those still stand there that were pushed aside together.
        let aside = self.board.cells().filter(|&cell| self.is_aside(cell, table));
        let all: Vec<Task> = aside.map(Act::Centre).chain(acts).map(Task::Whole).collect();
        self.tasks.extend(all);
    }

    /// Whether something on a cell is further from its point than people leave it.
    fn is_aside(&self, cell: Cell, table: &Table) -> bool {
        let point = self.point_mm(cell);
        let is_far =
            |body: &Body| distance_mm(pose(table, body.id).place, point) > self.style.seat_mm;
        let pile = &self.piles[cell.index()];
        pile.discs.iter().chain(&pile.ring).any(is_far)
    }

    fn point_mm(&self, cell: Cell) -> PlaceMm {
        place_mm(self.board.playfield(), self.board.point(cell))
    }
}

/// Taking hold of pieces and letting go of them.
impl Hands {
    /// Takes pieces from a cell, as far as they are there.
    fn grab(&mut self, from: Cell, part: Part) -> Load {
        let pile = &mut self.piles[from.index()];
        let bodies = match part {
            Part::Ring => pile.ring.take().into_iter().collect(),
            Part::Top(count) => pile.discs.split_off(pile.discs.len().saturating_sub(count)),
        };
        Load { bodies, pushes: false }
    }

    /// Takes everything from these cells, and says which cell each piece is from.
    fn grab_all(&mut self, cells: CellSet) -> (Load, Vec<Cell>) {
        let (mut load, mut from) = (Load::default(), Vec::new());
        for cell in cells.iter().filter(|cell| cell.index() < self.board.cell_count()) {
            let pile = std::mem::replace(&mut self.piles[cell.index()], Pile::EMPTY);
            load.bodies.extend(pile.discs.into_iter().chain(pile.ring));
            from.resize(load.bodies.len(), cell);
        }
        (load, from)
    }

    /// Takes a piece from beside the board, which has any number of each.
    fn take_from_beside(&mut self, thing: Thing, table: &mut Table) -> Load {
        let found = self.beside.iter().position(|body| body.thing.is_like(&thing));
        let body = found.map_or_else(
            || Body { id: table.put(thing.piece, (BESIDE_MM, 0.0)), thing },
            |index| self.beside.swap_remove(index),
        );
        let mut load = Load::of(body);
        if body.thing != thing {
            load.turn_over(table);
        }
        load
    }

    fn put_beside(&mut self, load: Load, table: &mut Table) {
        for body in load.bodies {
            table.move_to(body.id, (BESIDE_MM, 0.0), AWAY_MM);
            self.beside.push(body);
        }
    }

    /// Enters what stands on a cell now. A ring that comes over another one drives it off.
    fn stand(&mut self, load: Load, on: Cell, table: &mut Table) {
        for body in load.bodies {
            let pile = &mut self.piles[on.index()];
            if !body.thing.is_ring() {
                pile.discs.push(body);
            } else if let Some(driven_off) = pile.ring.replace(body) {
                self.put_beside(Load::of(driven_off), table);
            }
        }
    }

    /// The same for pieces of several cells.
    fn stand_each(&mut self, load: Load, on: &[Cell], table: &mut Table) {
        for (body, &cell) in load.bodies.into_iter().zip(on) {
            self.stand(Load::of(body), cell, table);
        }
    }

    /// What the end of a motion brings about; a key if one was pressed.
    fn arrive(&mut self, motion: Motion, table: &mut Table) -> Option<Key> {
        let Motion { load, then, .. } = motion;
        match then {
            Then::Stand(cell) => self.stand(load, cell, table),
            Then::StandOn(cells) => self.stand_each(load, &cells, table),
            Then::Pushed(cells) => {
                self.stand_each(load, &cells, table);
                // What one sees standing aside is put right, from the far end.
                for cell in cells {
                    if self.is_aside(cell, table) {
                        self.tasks.push_front(Task::Whole(Act::Centre(cell)));
                    }
                }
            }
            Then::Away => self.put_beside(load, table),
            Then::Keep => self.held = load,
            Then::Press(key) => return Some(key),
        }
        None
    }
}

/// Planning motions.
impl Hands {
    /// Where a piece comes to rest that is now set on a cell.
    fn rest(&mut self, cell: Cell, thing: Thing, table: &Table) -> Pose {
        let pile = &self.piles[cell.index()];
        let below = pile.discs.iter().map(|body| body.thing.piece.kind.height_mm());
        let z = if thing.is_ring() { 0.0 } else { below.sum() };
        let around = if thing.is_ring() { pile.discs.first() } else { pile.ring.as_ref() };
        let around = around.map(|body| pose(table, body.id).place);
        Pose { place: self.seat(cell, around), z }
    }

    /// A place within the style's seat; near what already stands there if one goes into the other.
    fn seat(&mut self, cell: Cell, around: Option<PlaceMm>) -> PlaceMm {
        let (point, seat_mm) = (self.point_mm(cell), self.style.seat_mm);
        let Some(around) = around else { return self.dice.near(point, seat_mm) };
        // The two circles may touch in a point only: then the middle of the one will do.
        let draws = (0..16).map(|_| self.dice.near(around, RING_PLAY_MM));
        let drawn = draws.into_iter().find(|&place| distance_mm(place, point) <= seat_mm);
        drawn.unwrap_or(around)
    }

    /// The hand goes to the pieces first.
    fn motion(&mut self, load: Load, then: Then, table: &Table) -> Motion {
        let from = load.pose(table).unwrap_or(Pose { place: (BESIDE_MM, 0.0), z: AWAY_MM });
        let mut motion = Motion::new(load, from, then, self.now_us);
        motion.wait(self.dice.within(self.style.between_ms));
        motion
    }

    fn begin(&mut self, task: Task, table: &mut Table) -> Motion {
        match task {
            Task::Whole(act) => {
                if let Some(&(cell, _)) = act.touches().first() {
                    self.nudge_beside(cell, table);
                }
                self.begin_act(&act, table)
            }
            Task::PickUp(from, part) => {
                let load = self.grab(from, part);
                let mut motion = self.motion(load, Then::Keep, table);
                self.lift(&mut motion);
                motion
            }
            Task::PutDown(to) => {
                let load = std::mem::take(&mut self.held);
                let mut motion = self.motion(load, Then::Stand(to), table);
                self.set_down(&mut motion, to, table);
                motion
            }
        }
    }

    fn begin_act(&mut self, act: &Act, table: &mut Table) -> Motion {
        match *act {
            Act::Bring { thing, to } => {
                let load = self.reach_beside(thing, to, table);
                let mut motion = self.motion(load, Then::Stand(to), table);
                self.set_down(&mut motion, to, table);
                motion
            }
            Act::Carry { from, part, ref via, to, slides } => {
                let load = self.grab(from, part);
                let slides = slides
                    || self.is_free_way(&load, from, to, table)
                        && self.dice.chance(self.style.slide);
                let mut motion = self.motion(load, Then::Stand(to), table);
                if slides {
                    self.slide(&mut motion, from, to, table);
                } else {
                    self.lift(&mut motion);
                    for &link in via {
                        self.pass(&mut motion, link, table);
                    }
                    self.set_down(&mut motion, to, table);
                }
                motion
            }
            Act::TakeOff { from, part } => {
                let load = self.grab(from, part);
                let mut motion = self.motion(load, Then::Away, table);
                self.lift(&mut motion);
                self.leave(&mut motion);
                motion
            }
            Act::Push(ref line) => self.push(line, table),
            Act::TurnOver(cell) => self.turn_over(cell, table),
            Act::Press(key) => self.motion(Load::default(), Then::Press(key), table),
            Act::Centre(cell) => {
                let (load, cells) = self.grab_all(CellSet::of(cell));
                let mut motion = self.motion(load, Then::StandOn(cells), table);
                let place = self.dice.near(self.point_mm(cell), CENTRED_MM);
                motion.go(Pose { place, ..motion.end() }, self.style.slide_mm_s.0);
                motion
            }
            Act::Shove { cells, by_mm } => {
                let (load, cells) = self.grab_all(cells);
                let mut motion = self.motion(load, Then::StandOn(cells), table);
                let Pose { place, z } = motion.end();
                let place = (place.0 + by_mm.0, place.1 + by_mm.1);
                motion.go(Pose { place, z }, self.style.slide_mm_s.1);
                motion
            }
            Act::Sweep(cells) => {
                let (load, _) = self.grab_all(cells);
                let mut motion = self.motion(load, Then::Away, table);
                let Pose { place, z } = motion.end();
                let place = (place.0 + 2.0 * BESIDE_MM, place.1);
                motion.go(Pose { place, z }, self.style.carry_mm_s.1);
                motion
            }
            Act::Hold { thing, over, up_mm, ms } => {
                let load = self.reach_beside(thing, over, table);
                let mut motion = self.motion(load, Then::Away, table);
                let above = Pose { z: up_mm, ..self.rest(over, thing, table) };
                self.go_above(&mut motion, above);
                motion.go(above, self.style.lower_mm_s.0);
                motion.wait(ms as f64);
                self.lift(&mut motion);
                self.leave(&mut motion);
                motion
            }
        }
    }

    /// A piece from beside the board, over the edge nearest to where it will go.
    fn reach_beside(&mut self, thing: Thing, to: Cell, table: &mut Table) -> Load {
        let load = self.take_from_beside(thing, table);
        let (x, y) = self.point_mm(to);
        let z = self.dice.within(self.style.carry_mm);
        load.move_to(table, Pose { place: (BESIDE_MM.copysign(x), y), z });
        load
    }

    fn push(&mut self, line: &[Cell], table: &Table) -> Motion {
        let (mut load, mut onto) = (Load { pushes: true, ..Load::default() }, Vec::new());
        for pair in line.windows(2) {
            load.bodies.extend(self.grab(pair[0], Part::Top(1)).bodies);
            onto.resize(load.bodies.len(), pair[1]);
        }
        let mut motion = self.motion(load, Then::Pushed(onto), table);
        self.slide(&mut motion, line[0], line[1], table);
        motion
    }

    fn turn_over(&mut self, cell: Cell, table: &Table) -> Motion {
        let load = self.grab(cell, Part::Top(1));
        let mut motion = self.motion(load, Then::Stand(cell), table);
        let Some(&Body { thing, .. }) = motion.load.bodies.first() else { return motion };
        self.lift(&mut motion);
        motion.turn_over();
        let rest = self.rest(cell, thing, table);
        motion.go(rest, self.dice.within(self.style.lower_mm_s));
        motion
    }

    /// Straight up to where pieces are carried.
    fn lift(&mut self, motion: &mut Motion) {
        let Pose { place, z } = motion.end();
        let z = z + self.dice.within(self.style.carry_mm);
        motion.go(Pose { place, z }, self.dice.within(self.style.lift_mm_s));
    }

    /// Off the board over its nearer side.
    fn leave(&mut self, motion: &mut Motion) {
        let Pose { place: (x, y), z } = motion.end();
        let place = (BESIDE_MM.copysign(x), y);
        motion.go(Pose { place, z }, self.dice.within(self.style.carry_mm_s));
    }

    /// At the height it has, or that of its place if that is higher.
    fn go_above(&mut self, motion: &mut Motion, rest: Pose) {
        let z = motion.end().z.max(rest.z);
        motion.go(Pose { place: rest.place, z }, self.dice.within(self.style.carry_mm_s));
    }

    /// Over a cell on the way, perhaps with a rest on what stands there.
    fn pass(&mut self, motion: &mut Motion, over: Cell, table: &Table) {
        let Some(&Body { thing, .. }) = motion.load.bodies.first() else { return };
        let rest = self.rest(over, thing, table);
        self.go_above(motion, rest);
        if self.dice.chance(self.style.link) {
            motion.go(rest, self.dice.within(self.style.lower_mm_s));
            motion.wait(self.dice.within(self.style.pause_ms));
            self.lift(motion);
        }
    }

    /// From the air to a cell: over it, perhaps waiting there, down, and perhaps once more.
    fn set_down(&mut self, motion: &mut Motion, to: Cell, table: &Table) {
        let Some(&Body { thing, .. }) = motion.load.bodies.first() else { return };
        let style = self.style;
        let rest = self.rest(to, thing, table);
        self.go_above(motion, rest);
        if self.dice.chance(style.hover) {
            let z = rest.z + self.dice.within(style.hover_mm);
            motion.go(Pose { z, ..rest }, self.dice.within(style.lower_mm_s));
            motion.wait(self.dice.within(style.hover_ms));
        }
        motion.go(rest, self.dice.within(style.lower_mm_s));
        if self.dice.chance(style.again) {
            motion.wait(self.dice.within(style.pause_ms));
            let z = rest.z + self.dice.within(style.hover_mm);
            motion.go(Pose { z, ..rest }, self.dice.within(style.lift_mm_s));
            let rest = self.rest(to, thing, table);
            motion.go(rest, self.dice.within(style.lower_mm_s));
        }
    }

    /// Along the board, perhaps with a pause: anywhere, or worse, on a point.
    fn slide(&mut self, motion: &mut Motion, from: Cell, to: Cell, table: &Table) {
        let Some(&Body { thing, .. }) = motion.load.bodies.first() else { return };
        let style = self.style;
        let (start, rest) = (motion.end().place, self.rest(to, thing, table));
        let mm_s = self.dice.within(style.slide_mm_s);
        // A ring goes over the marker it leaves.
        let over = self.piles[from.index()].discs.first();
        let z = over.map_or(0.0, |body| body.thing.piece.kind.height_mm() + 1.0);
        motion.go(Pose { place: start, z }, mm_s);
        if self.dice.chance(style.pause) {
            let on_way = |cell: &Cell| {
                let ends = (self.point_mm(from), self.point_mm(to));
                *cell != from && *cell != to && off_way_mm(self.point_mm(*cell), ends) < 1.0
            };
            let points: Vec<Cell> = self.board.cells().filter(on_way).collect();
            let share = self.dice.within((0.1, 0.9));
            let anywhere = (
                start.0 + share * (rest.place.0 - start.0),
                start.1 + share * (rest.place.1 - start.1),
            );
            let on_point = self.dice.chance(0.5).then(|| self.dice.pick(&points)).flatten();
            let place = on_point.map_or(anywhere, |cell| self.seat(cell, None));
            motion.go(Pose { place, z }, mm_s);
            motion.go(Pose { place, z: 0.0 }, mm_s);
            motion.wait(self.dice.within(style.pause_ms));
        }
        motion.go(Pose { z, ..rest }, mm_s);
        motion.go(rest, mm_s);
    }

    /// Whether pieces can be slid from cell to cell: they stand on the board, their goal is free,
    /// and they touch nothing on the way.
    fn is_free_way(&self, load: &Load, from: Cell, to: Cell, table: &Table) -> bool {
        let Some(first) = load.bodies.first() else { return false };
        let width_mm = |kind: Kind| first.thing.piece.kind.radius_mm() + kind.radius_mm();
        let ends = (self.point_mm(from), self.point_mm(to));
        let blocks = |body: &Body| {
            let kind = body.thing.piece.kind;
            off_way_mm(pose(table, body.id).place, ends) < width_mm(kind)
        };
        let others = self.board.cells().filter(|&cell| cell != from);
        let mut bodies = others.flat_map(|cell| {
            let pile = &self.piles[cell.index()];
            pile.discs.iter().chain(&pile.ring)
        });
        let stands = pose(table, first.id).z <= 0.0;
        stands && !bodies.any(blocks)
    }

    /// Now and then a neighbour of a cell is pushed a little.
    fn nudge_beside(&mut self, cell: Cell, table: &mut Table) {
        if !self.dice.chance(self.style.nudge) {
            return;
        }
        let directions = self.board.playfield().directions();
        let around = directions.filter_map(|direction| self.board.next(cell, direction));
        let around: Vec<Cell> =
            around.filter(|cell| !self.piles[cell.index()].is_empty()).collect();
        let Some(pushed) = self.dice.pick(&around) else { return };
        let (load, cells) = self.grab_all(CellSet::of(pushed));
        if let Some(Pose { place, z }) = load.pose(table) {
            let place = self.dice.near(place, self.style.nudge_mm);
            if distance_mm(place, self.point_mm(pushed)) <= self.style.seat_mm {
                load.move_to(table, Pose { place, z });
            }
        }
        self.stand_each(load, &cells, table);
    }
}

/// How far a place is from the straight way between two others.
fn off_way_mm((x, y): PlaceMm, ((x0, y0), (x1, y1)): (PlaceMm, PlaceMm)) -> f64 {
    let (dx, dy) = (x1 - x0, y1 - y0);
    let length_squared = (dx * dx + dy * dy).max(f64::MIN_POSITIVE);
    let share = (((x - x0) * dx + (y - y0) * dy) / length_squared).clamp(0.0, 1.0);
    distance_mm((x, y), (x0 + share * dx, y0 + share * dy))
}
