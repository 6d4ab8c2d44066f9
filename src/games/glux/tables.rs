//! Boards, rooms and starts (X1 to X3) as the rules want them, made at compile time.

use crate::geometry::{self, Board, Cell, Grid, Room, grids, rooms};

/// Squares of the largest board, 15 x 15.
pub(super) const SQUARES_MAX: usize = 225;
const DIRECTIONS: usize = 4;

/// All that distinguishes one variant from another.
pub(super) struct Plan {
    pub(super) board: &'static Board,
    /// By square and direction: how many squares lie between it and the edge.
    pub(super) to_edge: &'static [[u8; DIRECTIONS]],
    /// By direction, up and clockwise: from the index of a square to the next one's.
    pub(super) strides: [isize; DIRECTIONS],
    /// By square; `None` on paths.
    pub(super) rooms: &'static [Option<Room>],
    /// By player.
    pub(super) starts: &'static [Cell],
}

impl Plan {
    /// A plan of 15 x 15 squares (X1) with these starts.
    const fn large(starts: &'static [Cell]) -> Plan {
        Plan {
            board: &geometry::GLUX_4,
            to_edge: &LARGE_TO_EDGE,
            strides: strides(15),
            rooms: &rooms::GLUX_4,
            starts,
        }
    }
}

pub(super) static TWO: Plan = Plan {
    board: &geometry::GLUX_2,
    to_edge: &SMALL_TO_EDGE,
    strides: strides(9),
    rooms: &rooms::GLUX_2,
    starts: &[grids::GLUX_2.named("a1"), grids::GLUX_2.named("m9")],
};

pub(super) static THREE: Plan = Plan::large(&[
    grids::SQUARE.named("a1"),
    grids::SQUARE.named("h15"),
    grids::SQUARE.named("o1"),
]);

pub(super) static FOUR: Plan = Plan::large(&[
    grids::SQUARE.named("a1"),
    grids::SQUARE.named("a15"),
    grids::SQUARE.named("o15"),
    grids::SQUARE.named("o1"),
]);

static SMALL_TO_EDGE: [[u8; DIRECTIONS]; 117] = to_edge(&grids::GLUX_2);
static LARGE_TO_EDGE: [[u8; DIRECTIONS]; SQUARES_MAX] = to_edge(&grids::SQUARE);

/// Squares are numbered column by column.
const fn strides(rows: isize) -> [isize; DIRECTIONS] {
    [1, rows, -1, -rows]
}

const fn to_edge<const N: usize>(grid: &Grid<N>) -> [[u8; DIRECTIONS]; N] {
    let mut squares = [[0; DIRECTIONS]; N];
    let mut square = 0;
    while square < N {
        let mut direction = 0;
        while direction < DIRECTIONS {
            squares[square][direction] = grid.ray::<4>(Cell::new(square), direction).len() as u8;
            direction += 1;
        }
        square += 1;
    }
    squares
}
