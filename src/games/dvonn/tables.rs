//! Neighbours and targets, made at compile time from the grid.

use crate::geometry::{Cell, Cells, grids};

/// Points of the board.
pub(super) const CELLS: usize = 49;
/// All of them.
pub(super) const BOARD: Cells<1> = Cells::first(CELLS);
/// Directions of the hex playfield.
pub(super) const DIRECTIONS: usize = 6;
/// The farthest a stack can move: the longest line has eleven points, a3 to k3.
pub(super) const FARTHEST: usize = 10;
/// D9: stands for every neighbour that a point at the edge lacks. Never occupied.
pub(super) const MISSING: usize = 63;

/// The cells next to each cell, with [`MISSING`] among them at the edge.
pub(super) static AROUND: [Cells<1>; CELLS] = {
    let mut around = [Cells::EMPTY; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        around[cell] = grids::DVONN.around(Cell::new(cell));
        if around[cell].len() < DIRECTIONS {
            around[cell] = around[cell].with_index(MISSING);
        }
        cell += 1;
    }
    around
};

/// By cell and distance less one: the cells that lie so far away in a straight line.
static TARGETS: [[Cells<1>; FARTHEST]; CELLS] = {
    let mut targets = [[Cells::EMPTY; FARTHEST]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let mut direction = 0;
        while direction < DIRECTIONS {
            let (mut end, mut distance) = (Cell::new(cell), 0);
            while let Some(next) = grids::DVONN.next(end, direction) {
                targets[cell][distance] = targets[cell][distance].with_index(next.index());
                end = next;
                distance += 1;
            }
            direction += 1;
        }
        cell += 1;
    }
    targets
};

/// D7: where a stack of this height would land. Higher than [`FARTHEST`]: nowhere.
#[inline]
pub(super) fn targets(cell: Cell, height: u8) -> Cells<1> {
    let targets = TARGETS[cell.index()].get(usize::from(height).wrapping_sub(1));
    targets.copied().unwrap_or(Cells::EMPTY)
}

/// All cells of `within` that can be reached from `seeds` over neighbours in `within`.
#[inline]
pub(super) fn connected(seeds: Cells<1>, within: Cells<1>) -> Cells<1> {
    let mut reached = seeds & within;
    let mut waiting = reached;
    while let Some(cell) = waiting.lowest() {
        let found = (AROUND[cell.index()] & within) - reached;
        reached |= found;
        waiting |= found;
        waiting.remove(cell);
    }
    reached
}
