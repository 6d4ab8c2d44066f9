//! Lines, rays, their lengths and rows of five, made at compile time from the grid.

use crate::geometry::{Cell, Cells, grids};

/// Points of the board.
pub(super) const CELLS: usize = 85;
/// All of them.
pub(super) const BOARD: Cells<2> = Cells::first(CELLS);
/// Directions of the hex playfield, clockwise from "up".
pub(super) const DIRECTIONS: usize = 6;
/// In the first half of the directions the cells' numbers rise, in the second half they fall.
pub(super) const RISING: usize = 3;
/// Y11: markers in a row.
const ROW: usize = 5;

/// Lines of the board, eleven on each axis.
const LINE_COUNT: usize = 33;

/// The cells of every line.
static LINES: [Cells<2>; LINE_COUNT] = {
    let mut lines = [Cells::EMPTY; LINE_COUNT];
    let (mut axis, mut cell) = (0, 0);
    while axis < RISING {
        while cell < CELLS {
            let line = LINE_OF[axis][cell] as usize;
            lines[line] = lines[line].with_index(cell);
            cell += 1;
        }
        (axis, cell) = (axis + 1, 0);
    }
    lines
};

/// By axis and cell: which line runs through it. Rays would be ten times as large.
static LINE_OF: [[u8; CELLS]; RISING] = {
    let mut line_of = [[0; CELLS]; RISING];
    let (mut count, mut axis, mut cell) = (0, 0, 0);
    while axis < RISING {
        while cell < CELLS {
            // Behind a cell lies one with a lower number, whose line is known already.
            if let Some(behind) = grids::YINSH.next(Cell::new(cell), axis + RISING) {
                line_of[axis][cell] = line_of[axis][behind.index()];
            } else {
                line_of[axis][cell] = count;
                count += 1;
            }
            cell += 1;
        }
        (axis, cell) = (axis + 1, 0);
    }
    assert!(count as usize == LINE_COUNT, "the board has another number of lines");
    line_of
};

/// The cells from this one, which is left out, to the edge.
#[inline]
pub(super) fn ray(direction: usize, from: Cell) -> Cells<2> {
    let line_through = |axis: usize| LINES[usize::from(LINE_OF[axis][from.index()])];
    if direction < RISING {
        line_through(direction) - Cells::first(from.index() + 1)
    } else {
        line_through(direction - RISING) & Cells::first(from.index())
    }
}

/// How many cells each ray has.
static LENGTHS: [[u8; CELLS]; DIRECTIONS] = {
    let mut lengths = [[0; CELLS]; DIRECTIONS];
    let mut direction = 0;
    while direction < DIRECTIONS {
        let mut cell = 0;
        while cell < CELLS {
            let ray: Cells<2> = grids::YINSH.ray(Cell::new(cell), direction);
            lengths[direction][cell] = ray.len() as u8;
            cell += 1;
        }
        direction += 1;
    }
    lengths
};

/// Five cells next to each other on a line, in their order.
pub(super) struct Five([Cell; ROW]);

impl Five {
    pub(super) fn low(&self) -> Cell {
        self.0[0]
    }

    pub(super) fn high(&self) -> Cell {
        self.0[ROW - 1]
    }

    pub(super) fn cells(&self) -> Cells<2> {
        self.0.into_iter().collect()
    }

    /// Whether all of them are among these.
    #[inline]
    pub(super) fn is_in(&self, cells: Cells<2>) -> bool {
        self.0.iter().all(|&cell| cells.contains(cell))
    }
}

/// Every place a row can have.
pub(super) static FIVES: [Five; 123] = {
    let mut fives = [const { Five([Cell::new(0); ROW]) }; 123];
    let (mut count, mut direction) = (0, 0);
    while direction < RISING {
        let mut cell = 0;
        while cell < CELLS {
            if let Some(five) = five_from(Cell::new(cell), direction) {
                fives[count] = five;
                count += 1;
            }
            cell += 1;
        }
        direction += 1;
    }
    assert!(count == fives.len(), "the board has another number of rows");
    fives
};

const fn five_from(low: Cell, direction: usize) -> Option<Five> {
    let (mut cells, mut count) = ([low; ROW], 1);
    while count < ROW {
        let Some(next) = grids::YINSH.next(cells[count - 1], direction) else { return None };
        cells[count] = next;
        count += 1;
    }
    Some(Five(cells))
}

/// The five cells with these ends, the lower one first.
pub(super) fn five(low: Cell, high: Cell) -> Option<&'static Five> {
    FIVES.iter().find(|five| five.low() == low && five.high() == high)
}

/// The cell of a set one meets first in this direction, when all of the set lies on one ray.
#[inline]
pub(super) fn first(direction: usize, on_ray: Cells<2>) -> Option<Cell> {
    if direction < RISING { on_ray.lowest() } else { on_ray.highest() }
}

/// How many cells lie on the ray from `from` before `stop`, or before the edge.
#[inline]
pub(super) fn distance(direction: usize, from: Cell, stop: Option<Cell>) -> usize {
    let lengths = &LENGTHS[direction];
    let all = usize::from(lengths[from.index()]);
    stop.map_or(all, |stop| all - usize::from(lengths[stop.index()]) - 1)
}

/// The direction that leads from one cell to another on the same line.
#[inline]
pub(super) fn direction(from: Cell, to: Cell) -> Option<usize> {
    (0..DIRECTIONS).find(|&direction| ray(direction, from).contains(to))
}

/// Whether five of these stand in a row through one of them.
#[inline]
pub(super) fn in_row(markers: Cells<2>, through: Cell) -> bool {
    let others = BOARD - markers;
    let run = |direction: usize| {
        let stop = first(direction, ray(direction, through) & others);
        distance(direction, through, stop)
    };
    (0..RISING).any(|axis| run(axis) + 1 + run(axis + RISING) >= ROW)
}
