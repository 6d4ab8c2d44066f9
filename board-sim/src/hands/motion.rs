//! Pieces in a hand and the way they go, in time.

use std::collections::VecDeque;

use super::acts::Key;
use super::layout::Thing;
use crate::table::{PieceId, PlaceMm, Table, distance_mm};
use lodestone::geometry::Cell;

/// A piece on the table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Body {
    pub(super) id: PieceId,
    pub(super) thing: Thing,
}

/// A place and a height, mm.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Pose {
    pub(super) place: PlaceMm,
    pub(super) z: f64,
}

impl Pose {
    fn distance_mm(self, other: Pose) -> f64 {
        distance_mm(self.place, other.place).hypot(self.z - other.z)
    }

    /// A share of the way to another.
    fn towards(self, other: Pose, share: f64) -> Pose {
        let mix = |a: f64, b: f64| a + share * (b - a);
        let (from, to) = (self.place, other.place);
        Pose { place: (mix(from.0, to.0), mix(from.1, to.1)), z: mix(self.z, other.z) }
    }
}

/// Pieces that move together, the one that leads first.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Load {
    pub(super) bodies: Vec<Body>,
    /// Whether only the first is held and the others move when they are touched.
    pub(super) pushes: bool,
}

impl Load {
    /// One piece.
    pub(super) fn of(body: Body) -> Load {
        Load { bodies: vec![body], pushes: false }
    }

    /// Where the leading piece is.
    pub(super) fn pose(&self, table: &Table) -> Option<Pose> {
        self.bodies.first().map(|body| pose(table, body.id))
    }

    /// Moves all so that the leading piece comes to a pose.
    pub(super) fn move_to(&self, table: &mut Table, to: Pose) {
        let Some(from) = self.pose(table) else { return };
        if from == to {
            return;
        }
        let by = (to.place.0 - from.place.0, to.place.1 - from.place.1, to.z - from.z);
        if self.pushes {
            self.push(table, to, (by.0, by.1));
            return;
        }
        for body in &self.bodies {
            let Pose { place, z } = pose(table, body.id);
            table.move_to(body.id, (place.0 + by.0, place.1 + by.1), z + by.2);
        }
    }

    /// Puts all right above the leading piece.
    pub(super) fn straighten(&self, table: &mut Table) {
        let Some(Pose { place, .. }) = self.pose(table) else { return };
        for body in &self.bodies[1..] {
            let z = pose(table, body.id).z;
            table.move_to(body.id, place, z);
        }
    }

    /// Moves the leading piece, and those it comes to touch out of its way. Fingers keep them in
    /// line, so they do not swerve.
    fn push(&self, table: &mut Table, to: Pose, by: (f64, f64)) {
        let Some((first, run)) = self.bodies.split_first() else { return };
        let length = by.0.hypot(by.1).max(f64::MIN_POSITIVE);
        let along = (by.0 / length, by.1 / length);
        table.move_to(first.id, to.place, to.z);
        let mut pusher = (to.place, first.thing.piece.kind.radius_mm());
        for body in run {
            let (Pose { place: (x, y), z }, radius) =
                (pose(table, body.id), body.thing.piece.kind.radius_mm());
            let ahead = (x - pusher.0.0) * along.0 + (y - pusher.0.1) * along.1;
            let pushed = (pusher.1 + radius - ahead).max(0.0);
            let place = (x + pushed * along.0, y + pushed * along.1);
            if pushed > 0.0 {
                table.move_to(body.id, place, z);
            }
            pusher = (place, radius);
        }
    }

    /// Turns all over where they are.
    pub(super) fn turn_over(&mut self, table: &mut Table) {
        for body in &mut self.bodies {
            table.flip(body.id);
            body.thing = body.thing.turned_over();
        }
    }
}

/// Where a piece is.
pub(super) fn pose(table: &Table, id: PieceId) -> Pose {
    let (_, place, z) = table.piece(id);
    Pose { place, z }
}

/// A part of the way.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Leg {
    to: Pose,
    us: u64,
    /// Whether the pieces are turned over at its end.
    turns: bool,
}

/// What the end of a motion means.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Then {
    /// The pieces stand on a cell.
    Stand(Cell),
    /// The pieces stand on the cells they stood on.
    StandOn(Vec<Cell>),
    /// The pieces stand on these cells, not all of them in their middle.
    Pushed(Vec<Cell>),
    /// The pieces are beside the board.
    Away,
    /// They stay in the hand, while the other one goes on.
    Keep,
    /// A key goes down.
    Press(Key),
}

/// A load on its way.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Motion {
    pub(super) load: Load,
    pub(super) then: Then,
    from: Pose,
    legs: VecDeque<Leg>,
    /// When the first of the legs that are left began, µs.
    pub(super) began_us: u64,
}

impl Motion {
    /// A load that stays where it is, to be sent on its way.
    pub(super) fn new(load: Load, from: Pose, then: Then, began_us: u64) -> Motion {
        Motion { load, then, from, legs: VecDeque::new(), began_us }
    }

    /// Where it will be at the end of the way so far.
    pub(super) fn end(&self) -> Pose {
        self.legs.back().map_or(self.from, |leg| leg.to)
    }

    /// Adds a way at a speed.
    pub(super) fn go(&mut self, to: Pose, mm_s: f64) {
        let us = (self.end().distance_mm(to) / mm_s * 1e6) as u64;
        self.legs.push_back(Leg { to, us, turns: false });
    }

    /// Adds a pause.
    pub(super) fn wait(&mut self, ms: f64) {
        self.legs.push_back(Leg { to: self.end(), us: (ms * 1e3) as u64, turns: false });
    }

    /// Turns the pieces over at the end of the way so far.
    pub(super) fn turn_over(&mut self) {
        self.legs.push_back(Leg { to: self.end(), us: 0, turns: true });
    }

    /// Moves the pieces to where they are at this time; whether they have arrived.
    pub(super) fn advance(&mut self, now_us: u64, table: &mut Table) -> bool {
        while let Some(&leg) = self.legs.front() {
            let gone_us = now_us.saturating_sub(self.began_us);
            if gone_us < leg.us {
                let share = gone_us as f64 / leg.us as f64;
                self.load.move_to(table, self.from.towards(leg.to, share));
                return false;
            }
            self.began_us += leg.us;
            self.from = leg.to;
            self.legs.pop_front();
            if leg.turns {
                self.load.turn_over(table);
            }
        }
        self.load.move_to(table, self.from);
        true
    }
}
