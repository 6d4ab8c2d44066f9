//! Rays, their lengths, neighbours and rows of five, made at compile time from the grid.

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

/// By direction and cell: the cells from there to the edge, the cell itself left out.
pub(super) static RAYS: [[Cells<2>; CELLS]; DIRECTIONS] = {
    let mut rays = [[Cells::EMPTY; CELLS]; DIRECTIONS];
    let mut direction = 0;
    while direction < DIRECTIONS {
        let mut cell = 0;
        while cell < CELLS {
            rays[direction][cell] = grids::YINSH.ray(Cell::new(cell), direction);
            cell += 1;
        }
        direction += 1;
    }
    rays
};

/// How many cells each ray has.
static LENGTHS: [[u8; CELLS]; DIRECTIONS] = {
    let mut lengths = [[0; CELLS]; DIRECTIONS];
    let mut direction = 0;
    while direction < DIRECTIONS {
        let mut cell = 0;
        while cell < CELLS {
            lengths[direction][cell] = RAYS[direction][cell].len() as u8;
            cell += 1;
        }
        direction += 1;
    }
    lengths
};

/// The cells next to each cell.
pub(super) static AROUND: [Cells<2>; CELLS] = {
    let mut around = [Cells::EMPTY; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        around[cell] = grids::YINSH.around(Cell::new(cell));
        cell += 1;
    }
    around
};

/// Five cells next to each other on a line.
#[derive(Clone, Copy)]
pub(super) struct Five {
    pub(super) low: Cell,
    pub(super) high: Cell,
    pub(super) cells: Cells<2>,
}

/// Every place a row can have.
pub(super) static FIVES: [Five; 123] = {
    let nowhere = Five { low: Cell::new(0), high: Cell::new(0), cells: Cells::EMPTY };
    let mut fives = [nowhere; 123];
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
    let mut five = Five { low, high: low, cells: Cells::EMPTY.with_index(low.index()) };
    let mut count = 1;
    while count < ROW {
        let Some(next) = grids::YINSH.next(five.high, direction) else { return None };
        five.high = next;
        five.cells = five.cells.with_index(next.index());
        count += 1;
    }
    Some(five)
}

/// The five cells with these ends, the lower one first.
pub(super) fn five(low: Cell, high: Cell) -> Option<&'static Five> {
    FIVES.iter().find(|five| five.low == low && five.high == high)
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
    (0..DIRECTIONS).find(|&direction| RAYS[direction][from.index()].contains(to))
}

/// Whether five of these stand in a row through one of them.
#[inline]
pub(super) fn in_row(markers: Cells<2>, through: Cell) -> bool {
    let others = BOARD - markers;
    let run = |direction: usize| {
        let stop = first(direction, RAYS[direction][through.index()] & others);
        distance(direction, through, stop)
    };
    (0..RISING).any(|axis| run(axis) + 1 + run(axis + RISING) >= ROW)
}
