//! The table of a scenario: which pieces stand where, and what the hands hold.

use lodestone::games::Game;
use lodestone::games::any::Position;
use lodestone::geometry::{Playfield, Point};

use super::act::Part;
use crate::hands::layout;
use crate::table::{Fault, Piece, PieceId, PlaceMm, Table, Tolerances};

/// Higher than anything a sensor sees.
const AWAY_MM: f64 = 400.0;

/// Pieces on points, and in the hand.
pub struct World {
    table: Table,
    /// What stands on each point, bottom to top, rings last.
    piles: Vec<Vec<PieceId>>,
    /// What was lifted and not set down, the last one at the end.
    hand: Vec<Vec<PieceId>>,
}

impl World {
    /// An empty board with nominal parts and real noise.
    pub fn new(playfield: Playfield, seed: u64) -> World {
        World {
            table: Table::new(playfield, &Tolerances::NOISE, seed),
            piles: vec![Vec::new(); playfield.point_count()],
            hand: Vec::new(),
        }
    }

    /// Lays out what a position asks for, on the points where nothing stands.
    pub fn lay(&mut self, position: &Position) {
        let board = position.board();
        for (cell, pile) in board.cells().zip(layout(position)) {
            let point = board.point(cell);
            if !self.piles[point.index()].is_empty() {
                continue;
            }
            for thing in pile.discs.iter().chain(&pile.ring) {
                self.put(thing.piece, point, (0.0, 0.0));
            }
        }
    }

    /// The points with something on them.
    pub fn occupied(&self) -> impl Iterator<Item = Point> + '_ {
        let points = self.table.playfield().points();
        points.filter(|point| !self.piles[point.index()].is_empty())
    }

    pub(super) fn put(&mut self, piece: Piece, at: Point, off: PlaceMm) {
        let id = self.table.put(piece, self.place(at, off));
        self.piles[at.index()].push(id);
    }

    pub(super) fn bring(&mut self, piece: Piece) {
        let id = self.table.put(piece, (0.0, 0.0));
        self.table.move_to(id, (0.0, 0.0), AWAY_MM);
        self.hand.push(vec![id]);
    }

    /// Takes pieces of a point into the hand; nothing when there are none.
    pub(super) fn lift(&mut self, part: Part, from: Point) {
        let load = self.grab(part, from);
        for &id in &load {
            self.table.move_to(id, (0.0, 0.0), AWAY_MM);
        }
        self.hand.push(load);
    }

    fn grab(&mut self, part: Part, from: Point) -> Vec<PieceId> {
        let pile = &mut self.piles[from.index()];
        match part {
            Part::All => std::mem::take(pile),
            Part::Top(count) => pile.split_off(pile.len().saturating_sub(count)),
            Part::Ring => {
                let is_ring = |&id: &PieceId| self.table.piece(id).0.kind.is_ring();
                let (rings, rest) = std::mem::take(pile).into_iter().partition(is_ring);
                *pile = rest;
                rings
            }
        }
    }

    /// Holds what was lifted last over what stands on a point; `false` where it makes no stack.
    pub(super) fn lower(&mut self, at: Point, off: PlaceMm, up_mm: f64) -> bool {
        let (place, lying) = (self.place(at, off), self.piles[at.index()].len());
        let load = self.hand.last().map_or(&[][..], Vec::as_slice);
        let is_flat = |id: &PieceId| self.table.piece(*id).0.kind.is_flat();
        let makes_a_stack = lying > 0 && load.iter().all(is_flat);
        if makes_a_stack {
            self.table.hold_above(load, place, lying, up_mm);
        }
        makes_a_stack
    }

    /// Sets down what was lifted last.
    pub(super) fn down(&mut self, at: Point, off: PlaceMm) {
        let place = self.place(at, off);
        let load = self.hand.pop().unwrap_or_default();
        self.table.set_down_stack(&load, place);
        self.piles[at.index()].extend(load);
    }

    /// Holds what was lifted last over a point.
    pub(super) fn hover(&mut self, over: Point, up_mm: f64) {
        let place = self.table.place_mm(over);
        for &id in self.hand.last().into_iter().flatten() {
            self.table.move_to(id, place, up_mm);
        }
    }

    /// Takes pieces off the board for good.
    pub(super) fn remove(&mut self, part: Part, from: Point) {
        for id in self.grab(part, from) {
            self.table.remove(id);
        }
    }

    /// Everything in the hand leaves for good.
    pub(super) fn away(&mut self) {
        for id in self.hand.drain(..).flatten() {
            self.table.remove(id);
        }
    }

    /// Moves pieces along the surface, this share of the way from their own point to another.
    pub(super) fn slide(&mut self, part: Part, from: Point, to: Point, share: f64) {
        let ((x, y), (to_x, to_y)) = (self.table.place_mm(from), self.table.place_mm(to));
        let place = (x + (to_x - x) * share, y + (to_y - y) * share);
        let load = self.grab(part, from);
        for &id in &load {
            self.table.set_down(id, place);
        }
        let end = if share < 1.0 { from } else { to };
        self.piles[end.index()].extend(load);
    }

    /// Moves everything on a point aside.
    pub(super) fn nudge(&mut self, at: Point, by: PlaceMm) {
        for &id in &self.piles[at.index()] {
            let (_, (x, y), z_mm) = self.table.piece(id);
            self.table.move_to(id, (x + by.0, y + by.1), z_mm);
        }
    }

    /// Turns over what was lifted last.
    pub(super) fn turn_over(&mut self) {
        for &id in self.hand.last().into_iter().flatten() {
            self.table.flip(id);
        }
    }

    pub(super) fn break_sensor(&mut self, at: Point, fault: Fault) {
        self.table.set_fault(at, Some(fault));
    }

    pub(super) fn ambient(&mut self, mt: f64) {
        self.table.set_ambient_mt(mt);
    }

    pub(super) fn scan(&mut self, now_us: u64) -> &[u16] {
        self.table.scan(now_us)
    }

    fn place(&self, at: Point, off: PlaceMm) -> PlaceMm {
        let (x, y) = self.table.place_mm(at);
        (x + off.0, y + off.1)
    }
}
