//! The two playfields: which points there are and which lie next to each other.

/// Columns of the hex playfield, a..k; its rows are numbered 1..=11 too.
const HEX_SIDE: i8 = 11;
/// Columns and rows of the square playfield, a..o and 1..=15.
const SQUARE_SIDE: i8 = 15;

/// The piece of wood that lies in the frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(target_os = "none", derive(defmt::Format))]
pub enum Playfield {
    /// Hexagon of 91 points for GIPF, YINSH, DVONN and LYNGK.
    Hex,
    /// Square of 15 x 15 points for GLÜX.
    Square,
}

/// A place on a playfield: an index in its point order (column letter, then row number).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(target_os = "none", derive(defmt::Format))]
pub struct Point(pub(super) u8);

/// One of a playfield's six or four directions, counted clockwise from "up".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Direction(u8);

/// The steps (columns, rows) of the directions.
const HEX_STEPS: [(i8, i8); 6] = [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)];
const SQUARE_STEPS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

impl Direction {
    /// The direction with this number; `None` when the playfield has fewer.
    pub const fn new(playfield: Playfield, number: usize) -> Option<Direction> {
        if number < playfield.direction_count() { Some(Direction(number as u8)) } else { None }
    }

    /// Its number, 0 = up, clockwise.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Playfield {
    /// Both, for whoever must treat every one.
    pub const ALL: [Playfield; 2] = [Playfield::Hex, Playfield::Square];
    /// The most points any playfield has.
    pub const POINTS_MAX: usize = 225;
    /// The most directions any playfield has.
    pub const DIRECTIONS_MAX: usize = 6;

    /// How many points it has.
    pub const fn point_count(self) -> usize {
        match self {
            Playfield::Hex => 91,
            Playfield::Square => 225,
        }
    }

    /// How many columns it has.
    pub const fn column_count(self) -> usize {
        match self {
            Playfield::Hex => HEX_SIDE as usize,
            Playfield::Square => SQUARE_SIDE as usize,
        }
    }

    /// How many directions it has: six or four.
    pub const fn direction_count(self) -> usize {
        self.steps().len()
    }

    /// All its points in point order.
    pub fn points(self) -> impl DoubleEndedIterator<Item = Point> + ExactSizeIterator {
        (0..self.point_count() as u8).map(Point)
    }

    /// All its directions, clockwise from "up".
    pub fn directions(self) -> impl Iterator<Item = Direction> {
        (0..self.direction_count() as u8).map(Direction)
    }

    /// The direction that leads back.
    pub const fn opposite(self, direction: Direction) -> Direction {
        let count = self.direction_count() as u8;
        let turned = direction.0 + count / 2;
        Direction(if turned >= count { turned - count } else { turned })
    }

    /// The lowest and highest row of a column (0 = a), both included.
    pub const fn rows(self, column: i8) -> (i8, i8) {
        match self {
            Playfield::Hex if column > 5 => (column - 4, 11),
            Playfield::Hex => (1, column + 6),
            Playfield::Square => (1, SQUARE_SIDE),
        }
    }

    /// The point at (column 0.., row 1..), if the playfield has it.
    pub const fn at(self, column: i8, row: i8) -> Option<Point> {
        if column < 0 || column >= self.column_count() as i8 {
            return None;
        }
        let (low, high) = self.rows(column);
        if row < low || row > high {
            return None;
        }
        Some(Point(self.before(column) + (row - low) as u8))
    }

    /// Column (0..) and row (1..) of a point.
    pub const fn place(self, point: Point) -> (i8, i8) {
        let mut column = self.column_count() as i8 - 1;
        while self.before(column) > point.0 {
            column -= 1;
        }
        (column, self.rows(column).0 + (point.0 - self.before(column)) as i8)
    }

    /// The point next to this one.
    pub const fn neighbour(self, point: Point, direction: Direction) -> Option<Point> {
        let (column, row) = self.place(point);
        let (columns, rows) = self.steps()[direction.index()];
        self.at(column + columns, row + rows)
    }

    const fn steps(self) -> &'static [(i8, i8)] {
        match self {
            Playfield::Hex => &HEX_STEPS,
            Playfield::Square => &SQUARE_STEPS,
        }
    }

    /// How many points lie in the columns before this one.
    const fn before(self, column: i8) -> u8 {
        let (mut count, mut c) = (0, 0);
        while c < column {
            let (low, high) = self.rows(c);
            count += (high - low + 1) as u8;
            c += 1;
        }
        count
    }
}

impl Point {
    /// The point with this index, if the playfield has so many.
    pub const fn new(playfield: Playfield, index: usize) -> Option<Point> {
        if index < playfield.point_count() { Some(Point(index as u8)) } else { None }
    }

    /// Its place in the playfield's point order.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Distance of (column, row) from the centre f6 of the hex playfield, in points.
pub(super) const fn hex_distance(column: i8, row: i8) -> i8 {
    let (c, r) = (column - 5, row - 6);
    let (a, b, d) = (c.abs(), r.abs(), (c - r).abs());
    let ab = if a > b { a } else { b };
    if ab > d { ab } else { d }
}

/// Whether (column, row) is one of the six corners of the hex playfield.
pub(super) const fn hex_corner(column: i8, row: i8) -> bool {
    let (c, r) = (column - 5, row - 6);
    (c.abs() == 5) as u8 + (r.abs() == 5) as u8 + ((c - r).abs() == 5) as u8 == 2
}
