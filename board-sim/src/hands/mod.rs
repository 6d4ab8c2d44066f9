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
mod planning;
mod restore;
mod style;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use lodestone::games::any::Position;
use lodestone::geometry::{Board, Cell, CellSet};
use lodestone::random::SplitMix64;

pub use acts::{Act, Key, Part, acts, any_order, by_contact, tap};
pub use layout::{Layout, Pile, Thing, layout, thing_of};
pub use mistake::Mistake;
pub use restore::restore;
pub use style::{CAREFUL, SLOPPY, Style};

use crate::table::{PieceId, PlaceMm, Table, distance_mm, place_mm};
use dice::Dice;
use motion::{Body, Load, Motion, Pose, Then, pose};

/// Where pieces beside the board are: so high that no sensor sees them.
const AWAY_MM: f64 = 300.0;
/// How far from the middle a hand lets go of what it takes off, mm.
const BESIDE_MM: f64 = 220.0;

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
    /// Up to when the hands have worked or had nothing to do.
    now_us: u64,
    last_touch_us: u64,
    /// What stood where after each act, until somebody asks.
    layouts: Vec<Layout>,
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
            last_touch_us: 0,
            layouts: Vec::new(),
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

    /// Carries out the acts of a step after what is still to be done, in an order of the style. A
    /// turn of several steps is several calls: a claim comes before its move.
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

    /// What lies where, in a hand or not, by its place: everything that is nearer than this to a
    /// point and not so far above what it would rest on.
    pub fn lying(&self, table: &Table, near_mm: f64, up_mm: f64) -> Layout {
        let mut piles: Layout = vec![Pile::EMPTY; self.piles.len()];
        let standing = self.piles.iter().flat_map(|pile| pile.discs.iter().chain(&pile.ring));
        let moving = self.motion.iter().flat_map(|motion| &motion.load.bodies);
        for body in standing.chain(moving).chain(&self.held.bodies) {
            let Pose { place, z } = pose(table, body.id);
            let is_here = |&cell: &Cell| distance_mm(place, self.point_mm(cell)) < near_mm;
            let Some(cell) = self.board.cells().find(is_here) else { continue };
            let pile = &mut piles[cell.index()];
            let below: f64 = pile.discs.iter().map(|thing| thing.piece.kind.height_mm()).sum();
            if body.thing.is_ring() && z < up_mm && pile.ring.is_none() {
                pile.ring = Some(body.thing);
            } else if !body.thing.is_ring() && (z - below).abs() < up_mm {
                pile.discs.push(body.thing);
            }
        }
        piles
    }

    /// What stood where after each act since this was last asked for.
    pub fn take_layouts(&mut self) -> Vec<Layout> {
        std::mem::take(&mut self.layouts)
    }

    /// All pieces, those in hands and beside the board among them.
    pub fn things(&self) -> impl Iterator<Item = (PieceId, Thing)> + '_ {
        let piles = self.piles.iter().flat_map(|pile| pile.discs.iter().chain(&pile.ring));
        let moving = self.motion.iter().flat_map(|motion| &motion.load.bodies);
        let bodies = piles.chain(&self.beside).chain(&self.held.bodies).chain(moving);
        bodies.map(|body| (body.id, body.thing))
    }

    /// When the last act ended: a piece was let go of, or a key was pressed.
    pub fn last_touch_us(&self) -> u64 {
        self.last_touch_us
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
                self.last_touch_us = self.now_us;
                let key = self.arrive(motion, table);
                self.layouts.push(self.layout());
                if let Some(key) = key {
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
