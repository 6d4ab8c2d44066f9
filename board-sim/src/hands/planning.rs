//! From acts to motions: which way pieces go, how fast, and where they come to rest.

use lodestone::geometry::{Cell, CellSet};

use super::acts::{Act, Part};
use super::layout::Thing;
use super::motion::{Body, Load, Motion, Pose, Then, pose};
use super::{BESIDE_MM, Hands, Task};
use crate::table::{Kind, PlaceMm, Table, distance_mm};

/// How far a marker can be off the middle of the ring around it, mm.
const RING_PLAY_MM: f64 = 0.75;
/// Within this a piece is put when somebody centres it, mm.
const CENTRED_MM: f64 = 0.5;
/// Where a hand is that holds nothing; it matters to nobody.
const NOWHERE: Pose = Pose { place: (0.0, 0.0), z: 0.0 };

impl Hands {
    /// Where a piece comes to rest that is now set on a cell.
    pub(super) fn rest(&mut self, cell: Cell, thing: Thing, table: &Table) -> Pose {
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
        let from = load.pose(table).unwrap_or(NOWHERE);
        let mut motion = Motion::new(load, from, then, self.now_us);
        motion.wait(self.dice.within(self.style.between_ms));
        motion
    }

    /// Starts a task at the time the last one ended.
    pub(super) fn begin(&mut self, task: Task, table: &mut Table) -> Motion {
        match task {
            Task::Whole(act) => {
                if let Some(&(cell, _)) = act.touches().first() {
                    self.nudge_beside(cell, table);
                }
                self.begin_act(&act, table)
            }
            Task::PickUp(from, part) => {
                let load = self.grip(from, part, table);
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
                self.carry((from, part), via, to, slides, table)
            }
            Act::TakeOff { from, part } => {
                let load = self.grip(from, part, table);
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
                load.straighten(table);
                let mut motion = self.motion(load, Then::StandOn(cells), table);
                let place = self.dice.near(self.point_mm(cell), CENTRED_MM);
                motion.go(Pose { place, ..motion.end() }, self.style.slide_mm_s.0);
                motion
            }
            Act::Shove { cells, by_mm } => {
                let (load, cells) = self.grab_all(cells);
                self.sweep(load, Then::StandOn(cells), by_mm, table)
            }
            Act::Sweep(cells) => {
                let (load, _) = self.grab_all(cells);
                self.sweep(load, Then::Away, (2.0 * BESIDE_MM, 0.0), table)
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

    fn carry(
        &mut self,
        (from, part): (Cell, Part),
        via: &[Cell],
        to: Cell,
        slides: bool,
        table: &mut Table,
    ) -> Motion {
        let load = self.grip(from, part, table);
        let is_free = self.is_free_way(&load, from, to, table);
        let slides = slides || is_free && self.dice.chance(self.style.slide);
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

    /// A sleeve or an arm takes pieces along.
    fn sweep(&mut self, load: Load, then: Then, by_mm: PlaceMm, table: &Table) -> Motion {
        let mut motion = self.motion(load, then, table);
        let Pose { place: (x, y), z } = motion.end();
        motion.go(Pose { place: (x + by_mm.0, y + by_mm.1), z }, self.style.carry_mm_s.1);
        motion
    }

    /// Takes hold of pieces; a hand that does so straightens a stack.
    fn grip(&mut self, from: Cell, part: Part, table: &mut Table) -> Load {
        let load = self.grab(from, part);
        load.straighten(table);
        load
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
        from != to && stands && !bodies.any(blocks)
    }

    /// Now and then a neighbour of a cell is pushed a little, but never so far that it stands aside.
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
        let Some(Pose { place, z }) = load.pose(table) else { return };
        self.stand_each(load.clone(), &cells, table);
        // At the edge of its seat half of all ways lead out of it: draw another.
        for _ in 0..16 {
            let nudged = self.dice.near(place, self.style.nudge_mm);
            load.move_to(table, Pose { place: nudged, z });
            if !self.is_aside(pushed, table) {
                return;
            }
        }
        load.move_to(table, Pose { place, z });
    }
}

/// How far a place is from the straight way between two others.
fn off_way_mm((x, y): PlaceMm, ((x0, y0), (x1, y1)): (PlaceMm, PlaceMm)) -> f64 {
    let (dx, dy) = (x1 - x0, y1 - y0);
    let length_squared = (dx * dx + dy * dy).max(f64::MIN_POSITIVE);
    let share = (((x - x0) * dx + (y - y0) * dy) / length_squared).clamp(0.0, 1.0);
    distance_mm((x, y), (x0 + share * dx, y0 + share * dy))
}
