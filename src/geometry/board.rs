//! Each game's board: which points it uses, in which order, under which names.
//!
//! One function, [`place`], says where every board lies; all tables follow from it. A [`Grid`] has
//! the tables of one board with their size in the type, for the rules; a [`Board`] is the same
//! behind one type, for whoever handles any game.

use core::fmt;
use core::num::NonZeroU8;

use super::playfield::{hex_corner, hex_distance};
use super::{CellSet, Direction, Playfield, Point, Set};

/// A place on a game's board: an index in the game's own point order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(target_os = "none", derive(defmt::Format))]
pub struct Cell(pub(super) u8);

impl Cell {
    /// The cell with this index. Boards number their cells from 0 without gaps.
    #[inline]
    pub const fn new(index: usize) -> Cell {
        Cell(index as u8)
    }

    /// Its place in the board's point order.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What players call a place: a column letter and a row number, as `f6`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Name {
    column: u8,
    row: u8,
}

/// Letters and numbers any board uses: a..o, 1..=15.
const NAME_SIDE: usize = 15;

impl Name {
    /// Reads a name at the beginning of `text`; returns it and how many bytes it took. Two digits
    /// are taken where they stand, so `b10` is never b1. Anything else is no name.
    pub const fn parse(text: &[u8]) -> Option<(Name, usize)> {
        if text.len() < 2 || text[0] < b'a' || text[0] >= b'a' + NAME_SIDE as u8 {
            return None;
        }
        if text[1] < b'1' || text[1] > b'9' {
            return None;
        }
        let column = text[0] - b'a';
        let tens = text[1] - b'0';
        if text.len() == 2 || !text[2].is_ascii_digit() {
            return Some((Name { column, row: tens }, 2));
        }
        let row = tens * 10 + (text[2] - b'0');
        if row as usize > NAME_SIDE { None } else { Some((Name { column, row }, 3)) }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column), self.row)
    }
}

/// The boards, as layouts of names over a playfield.
#[derive(Clone, Copy)]
enum Layout {
    Hex,
    Square,
    Gipf,
    Yinsh,
    Dvonn,
    Lyngk,
    Glux2,
}

impl Layout {
    const fn playfield(self) -> Playfield {
        match self {
            Layout::Square | Layout::Glux2 => Playfield::Square,
            _ => Playfield::Hex,
        }
    }
}

/// Where the place named (column 0.., row 1..) lies on the playfield, as its column and row.
const fn place(layout: Layout, column: i8, row: i8) -> Option<(i8, i8)> {
    let (c, r, belongs) = match layout {
        Layout::Hex | Layout::Square => (column, row, true),
        Layout::Yinsh => (column, row, !hex_corner(column, row)),
        // Every column is counted from 1 at its bottom; from GIPF's f on the bottom rises.
        Layout::Gipf => {
            let (c, r) = (column + 1, row + 1 + if column > 4 { column - 4 } else { 0 });
            (c, r, hex_distance(c, r) <= 4)
        }
        // GIPF's spots and the six tips, which are the dots in the middle of each side.
        Layout::Lyngk => {
            let (c, r) = (column + 1, row + 1);
            let tip = matches!((c, r), (1, 4) | (3, 2 | 8) | (7, 4 | 10) | (9, 8));
            (c, r, hex_distance(c, r) <= 3 || tip)
        }
        // Turned: letters run along the columns, numbers across the five in the middle.
        Layout::Dvonn => (row + 2, column + 1, row <= 5),
        Layout::Glux2 => (column + 1, row + 3, column < 13 && row <= 9),
    };
    if belongs && layout.playfield().at(c, r).is_some() { Some((c, r)) } else { None }
}

/// No cell, in the tables.
const NONE: u8 = u8::MAX;

/// The tables of a board of `N` cells.
pub struct Grid<const N: usize> {
    playfield: Playfield,
    points: [Point; N],
    names: [Name; N],
    next: [[u8; Playfield::DIRECTIONS_MAX]; N],
    by_point: [u8; Playfield::POINTS_MAX],
}

impl<const N: usize> Grid<N> {
    const fn lay(layout: Layout) -> Grid<N> {
        let playfield = layout.playfield();
        let mut grid = Grid {
            playfield,
            points: [Point(0); N],
            names: [Name { column: 0, row: 0 }; N],
            next: [[NONE; Playfield::DIRECTIONS_MAX]; N],
            by_point: [NONE; Playfield::POINTS_MAX],
        };
        let (mut count, mut column) = (0, 0);
        while column < NAME_SIDE {
            let mut row = 1;
            while row <= NAME_SIDE {
                if let Some((c, r)) = place(layout, column as i8, row as i8) {
                    let point = playfield.at(c, r).unwrap();
                    grid.points[count] = point;
                    grid.names[count] = Name { column: column as u8, row: row as u8 };
                    grid.by_point[point.index()] = count as u8;
                    count += 1;
                }
                row += 1;
            }
            column += 1;
        }
        assert!(count == N, "the layout has another number of cells");
        grid.link();
        grid
    }

    /// Fills in the neighbours.
    const fn link(&mut self) {
        let mut cell = 0;
        while cell < N {
            let mut number = 0;
            while let Some(direction) = Direction::new(self.playfield, number) {
                if let Some(point) = self.playfield.neighbour(self.points[cell], direction) {
                    self.next[cell][number] = self.by_point[point.index()];
                }
                number += 1;
            }
            cell += 1;
        }
    }

    /// The cell next to this one.
    pub const fn next(&self, cell: Cell, direction: usize) -> Option<Cell> {
        let next = self.next[cell.index()][direction];
        if next == NONE { None } else { Some(Cell(next)) }
    }

    /// All cells from this one, which is left out, to the edge.
    pub const fn ray<const W: usize>(&self, from: Cell, direction: usize) -> Set<Cell, W> {
        let (mut ray, mut cell) = (Set::EMPTY, from);
        while let Some(next) = self.next(cell, direction) {
            ray = ray.with_index(next.index());
            cell = next;
        }
        ray
    }

    /// All cells next to this one.
    pub const fn around<const W: usize>(&self, cell: Cell) -> Set<Cell, W> {
        let (mut around, mut direction) = (Set::EMPTY, 0);
        while direction < self.playfield.direction_count() {
            if let Some(next) = self.next(cell, direction) {
                around = around.with_index(next.index());
            }
            direction += 1;
        }
        around
    }

    /// The cell with this name; for tables made at compile time from names that exist.
    pub const fn named(&self, name: &str) -> Cell {
        let Some((name, _)) = Name::parse(name.as_bytes()) else { panic!("no such name") };
        let mut cell = 0;
        while self.names[cell].column != name.column || self.names[cell].row != name.row {
            cell += 1;
        }
        Cell(cell as u8)
    }
}

/// The tables of every board, with their sizes. `HEX` and `SQUARE` are the playfields themselves.
pub mod grids {
    use super::{Grid, Layout};

    /// The hex playfield under its own names.
    pub const HEX: Grid<91> = Grid::lay(Layout::Hex);
    /// The square playfield; the board of `glux-3` and `glux-4`.
    pub const SQUARE: Grid<225> = Grid::lay(Layout::Square);
    /// GIPF: 37 spots and 24 dots.
    pub const GIPF: Grid<61> = Grid::lay(Layout::Gipf);
    /// YINSH: all but the corners.
    pub const YINSH: Grid<85> = Grid::lay(Layout::Yinsh);
    /// DVONN: the five middle columns, turned.
    pub const DVONN: Grid<49> = Grid::lay(Layout::Dvonn);
    /// LYNGK: GIPF's spots and six tips.
    pub const LYNGK: Grid<43> = Grid::lay(Layout::Lyngk);
    /// `glux-2`: 13 x 9 in the middle of the square playfield.
    pub const GLUX_2: Grid<117> = Grid::lay(Layout::Glux2);
}

/// A game's board: cells, their names, and where they lie on the playfield.
pub struct Board {
    playfield: Playfield,
    points: &'static [Point],
    names: &'static [Name],
    next: &'static [[u8; Playfield::DIRECTIONS_MAX]],
    by_point: &'static [u8; Playfield::POINTS_MAX],
}

/// The hex playfield under its own names.
pub static HEX: Board = Board::of(&grids::HEX);
/// The square playfield under its own names.
pub static SQUARE: Board = Board::of(&grids::SQUARE);
/// GIPF's board: spots and dots.
pub static GIPF: Board = Board::of(&grids::GIPF);
/// YINSH's board.
pub static YINSH: Board = Board::of(&grids::YINSH);
/// DVONN's board.
pub static DVONN: Board = Board::of(&grids::DVONN);
/// LYNGK's board.
pub static LYNGK: Board = Board::of(&grids::LYNGK);
/// The board of `glux-2`.
pub static GLUX_2: Board = Board::of(&grids::GLUX_2);
/// The board of `glux-3` and `glux-4`.
pub static GLUX_4: Board = Board::of(&grids::SQUARE);

/// A straight row of neighbouring cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// Its first cell.
    pub start: Cell,
    /// Where it goes on from there.
    pub direction: Direction,
    /// How many cells it has.
    pub length: usize,
}

impl Board {
    const fn of<const N: usize>(grid: &'static Grid<N>) -> Board {
        Board {
            playfield: grid.playfield,
            points: &grid.points,
            names: &grid.names,
            next: &grid.next,
            by_point: &grid.by_point,
        }
    }

    /// The playfield it lies on.
    pub const fn playfield(&self) -> Playfield {
        self.playfield
    }

    /// How many cells it has.
    pub const fn cell_count(&self) -> usize {
        self.points.len()
    }

    /// Its cells in point order.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = Cell> + use<> {
        (0..self.points.len() as u8).map(Cell)
    }

    /// The point a cell lies on.
    pub fn point(&self, cell: Cell) -> Point {
        self.points[cell.index()]
    }

    /// The cell on a point, if the game uses it.
    pub fn cell(&self, point: Point) -> Option<Cell> {
        Some(self.by_point[point.index()]).filter(|&cell| cell != NONE).map(Cell)
    }

    /// What players call a cell.
    pub fn name(&self, cell: Cell) -> Name {
        self.names[cell.index()]
    }

    /// The cell with this name, if the game has it.
    pub fn find(&self, name: Name) -> Option<Cell> {
        // Names are in point order, so theirs is the order of the cells.
        self.names.binary_search(&name).ok().map(Cell::new)
    }

    /// The cell whose name `text` is, exactly.
    pub fn parse(&self, text: &[u8]) -> Option<Cell> {
        let (name, length) = Name::parse(text)?;
        if length == text.len() { self.find(name) } else { None }
    }

    /// The cell next to this one.
    pub fn next(&self, cell: Cell, direction: Direction) -> Option<Cell> {
        Some(self.next[cell.index()][direction.index()]).filter(|&next| next != NONE).map(Cell)
    }

    /// The cells from this one, which is left out, to the edge.
    pub fn ray(&self, cell: Cell, direction: Direction) -> impl Iterator<Item = Cell> + '_ {
        core::iter::successors(self.next(cell, direction), move |&c| self.next(c, direction))
    }

    /// All lines of more than one cell that lie in `within` and cannot be made longer there.
    pub fn lines(&self, within: CellSet) -> impl Iterator<Item = Line> + '_ {
        // Half of the directions; the other half would give each line again from its other end.
        let forward = self.playfield.directions().take(self.playfield.direction_count() / 2);
        let inside = move |cell: &Cell| within.contains(*cell);
        forward.flat_map(move |direction| {
            let back = self.playfield.opposite(direction);
            within
                .iter()
                .filter(move |&cell| !self.next(cell, back).as_ref().is_some_and(inside))
                .map(move |start| {
                    let length = 1 + self.ray(start, direction).take_while(inside).count();
                    Line { start, direction, length }
                })
                .filter(|line| line.length > 1)
        })
    }
}

/// GIPF's 37 inner points.
pub const GIPF_SPOTS: Set<Cell, 1> = gipf_ring(0, 3);
/// GIPF's 24 outer points, where pieces come in.
pub const GIPF_DOTS: Set<Cell, 1> = gipf_ring(4, 4);

/// GIPF's cells from this to that distance from the centre.
const fn gipf_ring(low: i8, high: i8) -> Set<Cell, 1> {
    let (mut set, mut cell) = (Set::EMPTY, 0);
    while cell < grids::GIPF.points.len() {
        let (column, row) = Playfield::Hex.place(grids::GIPF.points[cell]);
        let distance = hex_distance(column, row);
        if low <= distance && distance <= high {
            set = set.with_index(cell);
        }
        cell += 1;
    }
    set
}

/// A room of a GLÜX board, 1..=9.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room(NonZeroU8);

impl Room {
    /// How many rooms a plan has.
    pub const COUNT: usize = 9;
    /// The middle room, which breaks ties (X18).
    pub const MIDDLE: Room = Room(NonZeroU8::new(5).unwrap());

    /// Its number less one.
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The plans of rooms: for each cell its room, or `None` on a path.
pub mod rooms {
    use super::{Grid, NonZeroU8, Room, grids};

    /// X2: the plan of `glux-2`. Rows: room, lower left and upper right corner of a rectangle.
    pub const GLUX_2: [Option<Room>; 117] = plan(
        &grids::GLUX_2,
        &[
            (1, "a1", "b2"),
            (2, "e1", "i1"),
            (2, "e2", "e2"),
            (2, "g2", "g2"),
            (2, "i2", "i2"),
            (3, "l1", "m2"),
            (4, "b4", "c6"),
            (4, "d5", "d5"),
            (5, "f4", "h6"),
            (6, "k4", "l6"),
            (6, "j5", "j5"),
            (7, "a8", "b9"),
            (8, "e9", "i9"),
            (8, "e8", "e8"),
            (8, "g8", "g8"),
            (8, "i8", "i8"),
            (9, "l8", "m9"),
        ],
    );

    /// X1: the plan of `glux-3` and `glux-4`.
    pub const GLUX_4: [Option<Room>; 225] = plan(
        &grids::SQUARE,
        &[
            (1, "a1", "b2"),
            (2, "g3", "i4"),
            (2, "h5", "h5"),
            (3, "n1", "o2"),
            (4, "c7", "d9"),
            (4, "e8", "e8"),
            (5, "g7", "i9"),
            (6, "l7", "m9"),
            (6, "k8", "k8"),
            (7, "a14", "b15"),
            (8, "g12", "i13"),
            (8, "h11", "h11"),
            (9, "n14", "o15"),
        ],
    );

    const fn plan<const N: usize>(
        grid: &Grid<N>,
        rectangles: &[(u8, &str, &str)],
    ) -> [Option<Room>; N] {
        let mut rooms = [None; N];
        let mut n = 0;
        while n < rectangles.len() {
            let (room, low, high) = rectangles[n];
            let (low, high) =
                (grid.names[grid.named(low).index()], grid.names[grid.named(high).index()]);
            let mut cell = 0;
            while cell < N {
                let name = grid.names[cell];
                if low.column <= name.column
                    && name.column <= high.column
                    && low.row <= name.row
                    && name.row <= high.row
                {
                    assert!(rooms[cell].is_none(), "two rooms share a square");
                    rooms[cell] = Some(Room(NonZeroU8::new(room).unwrap()));
                }
                cell += 1;
            }
            n += 1;
        }
        rooms
    }
}
