//! The hands of those who look at a page: what they hold, and how it moves in time.
//!
//! A hand lifts pieces straight up, carries them after the pointer, lowers them; or slides them
//! along the board. A piece on one of GIPF's dots always slides, on one of its lines, and pushes
//! what it meets one after the other, as fingers on both sides would. Everything else that slides
//! goes through other pieces: bodies are not modelled.

use lodestone::geometry::{Board, Cell, GIPF_DOTS};

use super::pieces::{Item, Pieces};
use super::protocol::Why;
use crate::table::{Kind, PlaceMm, Table, distance_mm, place_mm};

/// How high pieces are carried: no sensor takes them for lying ones.
const CARRY_MM: f64 = 26.0;
/// How high a piece is lifted to be turned over.
const TURN_MM: f64 = 16.0;
/// Up and down; across.
const LIFT_MM_S: f64 = 450.0;
const FOLLOW_MM_S: f64 = 3000.0;
const SLIDE_MM_S: f64 = 500.0;
/// Pieces that were pushed are put straight when they are this near to a point.
const STRAIGHTEN_MM: f64 = 11.0;

/// What a hand does.
#[derive(Clone, Copy, PartialEq)]
enum Doing {
    Carry,
    /// Goes down there.
    Lower(PlaceMm),
    /// Goes up to be turned over, then down where it was.
    Turn(PlaceMm),
    /// Stays on the board; on a line from a dot, if it began on one.
    Slide(Option<Cell>),
}

/// Pieces in a hand.
pub(super) struct Grip {
    /// Whose hand: the number of the page.
    pub(super) owner: u64,
    /// Numbers of the pieces, from the bottom up.
    pub(super) load: Vec<u32>,
    /// Where the pointer is.
    aim: PlaceMm,
    doing: Doing,
}

/// All hands.
#[derive(Default)]
pub(super) struct Grips(Vec<Grip>);

impl Grips {
    /// What a page holds and has not let go of.
    pub(super) fn held_by(&self, owner: u64) -> Option<&Grip> {
        self.0.iter().find(|grip| grip.owner == owner && grip.is_held())
    }

    fn held_by_mut(&mut self, owner: u64) -> Option<&mut Grip> {
        self.0.iter_mut().find(|grip| grip.owner == owner && grip.is_held())
    }

    fn holds(&self, id: u32) -> bool {
        self.0.iter().any(|grip| grip.load.contains(&id))
    }

    /// Lets go of everything at once, wherever it is.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes hold of pieces; why not, if that is not possible.
    pub(super) fn grab(
        &mut self,
        owner: u64,
        load: Vec<u32>,
        dot: Option<Cell>,
        slide: bool,
        (pieces, table): (&Pieces, &Table),
    ) -> Result<(), Why> {
        if self.held_by(owner).is_some() {
            return Err(Why::HandFull);
        }
        if load.iter().any(|&id| self.holds(id)) {
            return Err(Why::HeldByOther);
        }
        let first = load.first().and_then(|&id| pieces.get(id)).ok_or(Why::NoSuchPiece)?;
        let (_, aim, _) = table.piece(first.piece);
        let slides = slide || dot.is_some();
        let doing = if slides { Doing::Slide(dot) } else { Doing::Carry };
        self.0.push(Grip { owner, load, aim, doing });
        Ok(())
    }

    pub(super) fn follow(&mut self, owner: u64, aim: PlaceMm) {
        if let Some(grip) = self.held_by_mut(owner) {
            grip.aim = aim;
        }
    }

    /// Lets go there.
    pub(super) fn lower(&mut self, owner: u64, to: PlaceMm) {
        if let Some(grip) = self.held_by_mut(owner) {
            grip.aim = to;
            if grip.doing == Doing::Carry {
                grip.doing = Doing::Lower(to);
            } else {
                // Ends where it is.
                grip.owner = u64::MAX;
            }
        }
    }

    /// What a page holds is not in its hand any more.
    pub(super) fn take_back(&mut self, owner: u64) -> Option<Grip> {
        let index = self.0.iter().position(|grip| grip.owner == owner && grip.is_held())?;
        Some(self.0.swap_remove(index))
    }

    /// Turns a piece over where it lies.
    pub(super) fn turn(&mut self, id: u32, at: PlaceMm) -> Result<(), Why> {
        if self.holds(id) {
            return Err(Why::HeldByOther);
        }
        self.0.push(Grip { owner: u64::MAX, load: vec![id], aim: at, doing: Doing::Turn(at) });
        Ok(())
    }

    /// Moves everything that is held; whether something was.
    pub(super) fn advance(
        &mut self,
        seconds: f64,
        board: &Board,
        pieces: &mut Pieces,
        table: &mut Table,
    ) -> bool {
        let is_busy = !self.0.is_empty();
        self.0.retain_mut(|grip| !grip.advance(seconds, board, pieces, table));
        is_busy
    }
}

impl Grip {
    fn is_held(&self) -> bool {
        matches!(self.doing, Doing::Carry | Doing::Slide(_)) && self.owner != u64::MAX
    }

    /// Whether it has let go.
    fn advance(
        &mut self,
        seconds: f64,
        board: &Board,
        pieces: &mut Pieces,
        table: &mut Table,
    ) -> bool {
        let Some(first) = self.load.first().and_then(|&id| pieces.get(id)) else { return true };
        let (_, at, z) = table.piece(first.piece);
        let up = LIFT_MM_S * seconds;
        match self.doing {
            Doing::Carry => {
                let to = towards(at, self.aim, FOLLOW_MM_S * seconds);
                self.place(to, (z + up).min(CARRY_MM.max(z)), pieces, table);
                false
            }
            Doing::Turn(back) => {
                let rest = self.rest(back, pieces, table);
                self.place(back, (z + up).min(rest + TURN_MM), pieces, table);
                if z + up >= rest + TURN_MM {
                    self.load.iter().for_each(|&id| pieces.flip(id, table));
                    self.doing = Doing::Lower(back);
                }
                false
            }
            Doing::Lower(to) => {
                let next = towards(at, to, FOLLOW_MM_S * seconds);
                let rest = self.rest(to, pieces, table);
                let is_above = distance_mm(next, to) < 0.01;
                let z = if is_above { (z - up).max(rest) } else { z };
                self.place(next, z, pieces, table);
                is_above && z <= rest
            }
            Doing::Slide(dot) => {
                let is_over = self.owner == u64::MAX;
                if let Some(dot) = dot {
                    self.push(dot, seconds, is_over, board, pieces, table);
                } else {
                    let to = towards(at, self.aim, SLIDE_MM_S * seconds);
                    self.place(to, z, pieces, table);
                }
                is_over
            }
        }
    }

    /// Moves the load, each piece on the one below it.
    fn place(&self, to: PlaceMm, z: f64, pieces: &Pieces, table: &mut Table) {
        let mut z = z;
        for item in self.load.iter().filter_map(|&id| pieces.get(id)) {
            table.move_to(item.piece, to, z);
            z += item.thing.piece.kind.height_mm();
        }
    }

    /// How high the load comes to rest there: on what stands piece on piece from the board up.
    fn rest(&self, at: PlaceMm, pieces: &Pieces, table: &Table) -> f64 {
        let Some(first) = self.load.first().and_then(|&id| pieces.get(id)) else { return 0.0 };
        let is_ring = first.thing.is_ring();
        let is_below = |stack: &&Vec<Item>| {
            let bottom = stack[0];
            let (piece, place, z) = table.piece(bottom.piece);
            !self.load.contains(&bottom.id)
                && piece.kind.is_ring() == is_ring
                && z < 0.1
                && distance_mm(place, at) < piece.kind.radius_mm()
        };
        let stacks = pieces.stacks(table);
        let heights = stacks.iter().filter(is_below).map(|stack| {
            let others = stack.iter().filter(|item| !self.load.contains(&item.id));
            others.map(|item| item.thing.piece.kind.height_mm()).sum()
        });
        heights.fold(0.0, f64::max)
    }

    /// Along a line of the board from its dot, towards the pointer; at the end what was pushed is
    /// put straight.
    fn push(
        &self,
        dot: Cell,
        seconds: f64,
        is_over: bool,
        board: &Board,
        pieces: &mut Pieces,
        table: &mut Table,
    ) {
        let at = |cell: Cell| place_mm(board.playfield(), board.point(cell));
        let from = at(dot);
        let wish = (self.aim.0 - from.0, self.aim.1 - from.1);
        let along = |cell: Cell| {
            let (x, y) = (at(cell).0 - from.0, at(cell).1 - from.1);
            let length = x.hypot(y);
            (x / length, y / length, length)
        };
        let spots = board.playfield().directions().filter_map(|d| board.next(dot, d));
        let ways = spots.filter(|&cell| !GIPF_DOTS.contains(cell)).map(along);
        let reach = |way: &(f64, f64, f64)| wish.0 * way.0 + wish.1 * way.1;
        let Some(way) = ways.max_by(|a, b| reach(a).total_cmp(&reach(b))) else { return };
        let Some(first) = self.load.first().and_then(|&id| pieces.get(id)) else { return };
        let (_, now, z) = table.piece(first.piece);
        let aim = reach(&way).clamp(0.0, way.2);
        let to = towards(now, (from.0 + way.0 * aim, from.1 + way.1 * aim), SLIDE_MM_S * seconds);
        table.move_to(first.piece, to, z);
        push_ahead((first.id, to), (way.0, way.1), pieces, table);
        if is_over {
            straighten(board, (from, (way.0, way.1)), pieces, table);
        }
    }
}

/// Pieces ahead on the line that are touched go on before it, one pushing the next.
fn push_ahead(
    (pusher, place): (u32, PlaceMm),
    way: (f64, f64),
    pieces: &Pieces,
    table: &mut Table,
) {
    let along = |p: PlaceMm| (p.0 - place.0) * way.0 + (p.1 - place.1) * way.1;
    let aside = |p: PlaceMm| ((p.0 - place.0) * way.1 - (p.1 - place.1) * way.0).abs();
    let radius = Kind::GipfBasic.radius_mm();
    let mut line: Vec<_> = pieces
        .items()
        .iter()
        .filter(|item| item.id != pusher)
        .map(|item| (item.piece, table.piece(item.piece).1, table.piece(item.piece).2))
        .filter(|&(_, p, z)| z < 1.0 && along(p) > 0.0 && aside(p) < radius)
        .collect();
    line.sort_by(|a, b| along(a.1).total_cmp(&along(b.1)));
    let mut front = 0.0;
    for (piece, p, z) in line {
        let pushed = front + 2.0 * radius - along(p);
        if pushed > 0.0 {
            let to = (p.0 + way.0 * pushed, p.1 + way.1 * pushed);
            table.move_to(piece, to, z);
            front = along(to);
        } else {
            break;
        }
    }
}

/// Puts the pieces on a line into the middle of their points.
fn straighten(
    board: &Board,
    (from, way): (PlaceMm, (f64, f64)),
    pieces: &mut Pieces,
    table: &mut Table,
) {
    let aside = |p: PlaceMm| ((p.0 - from.0) * way.1 - (p.1 - from.1) * way.0).abs();
    for item in pieces.items().to_vec() {
        let (_, place, z) = table.piece(item.piece);
        if z < 1.0
            && aside(place) < 8.0
            && let Some(point) = nearest_point(board, place, STRAIGHTEN_MM)
        {
            let seat = pieces.seat(point);
            table.move_to(item.piece, seat, z);
        }
    }
}

/// The middle of the nearest point of the board, if one is that near.
pub(super) fn nearest_point(board: &Board, place: PlaceMm, within: f64) -> Option<PlaceMm> {
    let places = board.playfield().points().map(|point| place_mm(board.playfield(), point));
    let nearest = places.min_by(|a, b| distance_mm(*a, place).total_cmp(&distance_mm(*b, place)));
    nearest.filter(|point| distance_mm(*point, place) <= within)
}

fn towards(from: PlaceMm, to: PlaceMm, step: f64) -> PlaceMm {
    let way = distance_mm(from, to);
    if way <= step {
        return to;
    }
    let share = step / way;
    (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1))
}
