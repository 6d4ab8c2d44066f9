//! Which steps are legal: the definition that `check` abbreviates.
//!
//! Each of the four kinds of steps comes from a set or a list that is empty unless its phase is
//! on, so nothing needs a buffer.

use super::tables::{BOARD, CELLS, DIRECTIONS, FIVES, Five, distance, first, in_row, ray};
use super::{Phase, Step, Yinsh};
use crate::games::Player;
use crate::geometry::{Cell, Cells};

/// What a ring meets in one direction.
struct Way {
    /// The first ring or marker.
    obstacle: Option<Cell>,
    /// Y6: where it lands when it jumps.
    landing: Option<Cell>,
}

impl Yinsh {
    pub(super) fn all_steps(&self) -> impl Iterator<Item = Step> + use<> {
        let position = *self;
        let places = self.places().iter().map(Step::PlaceRing);
        let moves = self.movable().iter().flat_map(move |from| {
            position.reach(from).iter().map(move |to| Step::MoveRing { from, to })
        });
        let rows = self.due_rows().map(|five| Step::TakeRow { low: five.low(), high: five.high() });
        let rings = self.due_rings().iter().map(Step::TakeRing);
        places.chain(moves).chain(rows).chain(rings)
    }

    pub(super) fn count_steps(&self) -> usize {
        match self.phase {
            Phase::Place => self.places().len(),
            Phase::Move => self.movable().iter().map(|ring| self.reach_count(ring)).sum(),
            Phase::Row => self.due_rows().count(),
            Phase::Ring => self.due_rings().len(),
            Phase::Over => 0,
        }
    }

    pub(super) fn find_origins(&self) -> Cells<2> {
        let able = self.movable().iter().filter(|&ring| !self.reach(ring).is_empty());
        let ends = self.due_rows().flat_map(|five| [five.low(), five.high()]);
        able.chain(ends).collect::<Cells<2>>() | self.places() | self.due_rings()
    }

    pub(super) fn find_destinations(&self, origin: Cell) -> Cells<2> {
        if origin.index() >= CELLS {
            return Cells::EMPTY;
        }
        let in_place = (self.places() | self.due_rings()) & Cells::of(origin);
        let moves = self.movable().contains(origin);
        let moved = if moves { self.reach(origin) } else { Cells::EMPTY };
        let other_end = |five: &Five| match origin {
            end if end == five.low() => Some(five.high()),
            end if end == five.high() => Some(five.low()),
            _ => None,
        };
        in_place | moved | self.due_rows().filter_map(other_end).collect()
    }

    /// Y2: where a ring can be put.
    fn places(&self) -> Cells<2> {
        if self.phase == Phase::Place { BOARD - self.occupied() } else { Cells::EMPTY }
    }

    /// Y3: the rings one of which is to be moved.
    fn movable(&self) -> Cells<2> {
        if self.phase == Phase::Move { self.own_rings() } else { Cells::EMPTY }
    }

    /// Y12: the rings one of which is to be taken.
    fn due_rings(&self) -> Cells<2> {
        if self.phase == Phase::Ring { self.own_rings() } else { Cells::EMPTY }
    }

    /// Y12..Y14: the rows one of which is to be taken.
    pub(super) fn due_rows(&self) -> impl Iterator<Item = &'static Five> + use<> {
        let due = (self.phase == Phase::Row).then(|| self.rows(self.turn));
        due.into_iter().flatten()
    }

    /// Y11: every five markers of this player's colour that form a row.
    pub(super) fn rows(&self, player: Player) -> impl Iterator<Item = &'static Five> + use<> {
        let markers = self.markers[player.index()];
        FIVES.iter().filter(move |five| five.is_in(markers))
    }

    /// Whether this player has a row through one of these cells.
    pub(super) fn has_row_through(&self, player: Player, cells: Cells<2>) -> bool {
        let markers = self.markers[player.index()];
        (cells & markers).iter().any(|cell| in_row(markers, cell))
    }

    /// Y10: whether this player has a ring that can move.
    pub(super) fn can_move(&self, player: Player) -> bool {
        self.rings[player.index()].iter().any(|ring| !self.reach(ring).is_empty())
    }

    /// Y4..Y8: where the ring on this cell can go.
    pub(super) fn reach(&self, from: Cell) -> Cells<2> {
        let mut reach = Cells::EMPTY;
        for direction in 0..DIRECTIONS {
            let way = self.way(from, direction);
            let mut passed = ray(direction, from);
            if let Some(obstacle) = way.obstacle {
                passed = passed - ray(direction, obstacle) - Cells::of(obstacle);
            }
            reach |= passed | way.landing.map_or(Cells::EMPTY, Cells::of);
        }
        reach
    }

    /// How many cells `reach` has, without making the set.
    fn reach_count(&self, from: Cell) -> usize {
        let count = |direction| {
            let way = self.way(from, direction);
            distance(direction, from, way.obstacle) + usize::from(way.landing.is_some())
        };
        (0..DIRECTIONS).map(count).sum()
    }

    #[inline]
    fn way(&self, from: Cell, direction: usize) -> Way {
        let (rings, markers) = (self.all_rings(), self.all_markers());
        let obstacle = first(direction, ray(direction, from) & (rings | markers));
        let landing = obstacle
            .filter(|&cell| markers.contains(cell))
            .and_then(|cell| first(direction, ray(direction, cell) - markers))
            .filter(|&cell| !rings.contains(cell));
        Way { obstacle, landing }
    }
}
