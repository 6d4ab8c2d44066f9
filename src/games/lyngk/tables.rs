//! The lines of the board, made at compile time.

use super::CELLS;
use crate::geometry::{Cell, Cells, grids};

/// A set of the board's cells.
pub(super) type Area = Cells<1>;

/// Directions in which cells come later in point order: up, rising, falling. They are the first
/// three; the other three lead back.
pub(super) const FORWARD: usize = 3;
const DIRECTIONS: usize = 2 * FORWARD;

/// By cell and direction: all cells from there to the edge.
pub(super) static RAYS: [[Area; DIRECTIONS]; CELLS] = {
    let mut rays = [[Area::EMPTY; DIRECTIONS]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let mut direction = 0;
        while direction < DIRECTIONS {
            rays[cell][direction] = grids::LYNGK.ray(Cell::new(cell), direction);
            direction += 1;
        }
        cell += 1;
    }
    rays
};
