//! GIPF's lines, pushes and fours, made at compile time from the board.
//!
//! A line is a set of spots and nothing more: walked up, to the upper right or to the lower right,
//! it meets its spots in point order, so the order of the set is the order along the line.

use crate::geometry::{
    Cell, Cells, Direction, GIPF_DOTS, GIPF_SPOTS, Index, Playfield, Set, grids,
};

/// Cells of the board, spots and dots.
const CELL_COUNT: usize = 61;
/// G8: the lines of spots.
pub(super) const LINE_COUNT: usize = 21;
/// G8: both ends of every line.
pub(super) const PUSH_COUNT: usize = 2 * LINE_COUNT;
/// G11: how many pieces make a row.
pub(super) const ROW_MIN: usize = 4;
/// Spots of the longest lines.
const LINE_LENGTH_MAX: usize = 7;
/// Places for a row of just four: on three axes the lines have 4, 5, 6, 7, 6, 5 and 4 spots.
const FOUR_COUNT: usize = 3 * (1 + 2 + 3 + 4 + 3 + 2 + 1);
/// The directions in which the cells of a line come in point order.
const AXES: usize = 3;

/// One of the lines of spots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Line(u8);

/// Some of the lines.
pub(super) type Lines = Set<Line, 1>;

impl Index for Line {
    fn index(self) -> usize {
        usize::from(self.0)
    }

    fn from_index(index: usize) -> Line {
        Line(index as u8)
    }
}

impl Line {
    /// The line on which both spots lie, the lower first. None for one and the same spot, for dots
    /// and for cells that the board does not have.
    pub(super) fn through(low: Cell, high: Cell) -> Option<Line> {
        if low >= high || high.index() >= CELL_COUNT {
            return None;
        }
        let line = SPOTS.iter().position(|spots| spots.contains(low) && spots.contains(high))?;
        Some(Line(line as u8))
    }

    /// Its spots; their order is the order along the line.
    #[inline]
    pub(super) fn spots(self) -> Cells<1> {
        SPOTS[usize::from(self.0)]
    }
}

/// The spots of every line.
pub(super) static SPOTS: [Cells<1>; LINE_COUNT] = LINES;

/// The same, for the tables below.
const LINES: [Cells<1>; LINE_COUNT] = {
    let mut lines = [Cells::EMPTY; LINE_COUNT];
    let (mut count, mut axis) = (0, 0);
    while axis < AXES {
        let mut cell = 0;
        while cell < CELL_COUNT {
            // A line begins at the spot to which an axis leads from a dot.
            if is_first_spot(cell, axis) {
                lines[count] = walk(cell, axis, LINE_LENGTH_MAX);
                count += 1;
            }
            cell += 1;
        }
        axis += 1;
    }
    assert!(count == LINE_COUNT, "the board has another number of lines");
    lines
};

/// A place for a row of four; longer rows hold several.
pub(super) struct Four {
    pub(super) spots: Cells<1>,
    pub(super) line: Line,
}

/// Every place for a row of four.
pub(super) static FOURS: [Four; FOUR_COUNT] = {
    let mut fours = [const { Four { spots: Cells::EMPTY, line: Line(0) } }; FOUR_COUNT];
    let (mut count, mut axis) = (0, 0);
    while axis < AXES {
        let mut cell = 0;
        while cell < CELL_COUNT {
            let spots = walk(cell, axis, ROW_MIN);
            if spots.len() == ROW_MIN {
                fours[count] = Four { spots, line: line_around(spots) };
                count += 1;
            }
            cell += 1;
        }
        axis += 1;
    }
    assert!(count == FOUR_COUNT, "the board has another number of places for a row");
    fours
};

/// A way in.
pub(super) struct Push {
    /// The dot a piece is set on.
    pub(super) from: Cell,
    /// The first spot.
    pub(super) to: Cell,
    /// Where it is pushed to.
    pub(super) direction: Direction,
    /// The line that is entered.
    pub(super) line: Line,
}

/// G8: all ways in, ordered by their dots.
pub(super) static PUSHES: [Push; PUSH_COUNT] = {
    const UP: Direction = Direction::new(Playfield::Hex, 0).unwrap();
    const NO_PUSH: Push =
        Push { from: Cell::new(0), to: Cell::new(0), direction: UP, line: Line(0) };
    let mut pushes = [NO_PUSH; PUSH_COUNT];
    let (mut count, mut dot) = (0, 0);
    while dot < CELL_COUNT {
        let mut number = 0;
        while let Some(direction) = Direction::new(Playfield::Hex, number) {
            if let Some(to) = entry(dot, number) {
                let line = line_around(walk(to.index(), number, LINE_LENGTH_MAX));
                pushes[count] = Push { from: Cell::new(dot), to, direction, line };
                count += 1;
            }
            number += 1;
        }
        dot += 1;
    }
    assert!(count == PUSH_COUNT, "the board has another number of pushes");
    pushes
};

/// For each cell, how many pushes begin at lower ones: where its own begin in [`PUSHES`].
static PUSHES_BEFORE: [u8; CELL_COUNT] = {
    let mut before = [0; CELL_COUNT];
    let mut cell = 0;
    while cell < CELL_COUNT {
        while (before[cell] as usize) < PUSH_COUNT
            && PUSHES[before[cell] as usize].from.index() < cell
        {
            before[cell] += 1;
        }
        cell += 1;
    }
    before
};

impl Push {
    /// The push from this dot to this spot, if there is one. A dot has at most two.
    pub(super) fn between(from: Cell, to: Cell) -> Option<&'static Push> {
        let before = usize::from(*PUSHES_BEFORE.get(from.index())?);
        let pushes = PUSHES.get(before..)?;
        pushes.iter().take(2).find(|push| push.from == from && push.to == to)
    }
}

/// The first spot in this direction from a dot; none if the cell is no dot or no spot follows.
const fn entry(cell: usize, direction: usize) -> Option<Cell> {
    match grids::GIPF.next(Cell::new(cell), direction) {
        Some(next) if GIPF_DOTS.has_index(cell) && GIPF_SPOTS.has_index(next.index()) => Some(next),
        _ => None,
    }
}

/// Whether a dot lies behind this spot on this axis.
const fn is_first_spot(cell: usize, axis: usize) -> bool {
    match grids::GIPF.next(Cell::new(cell), axis + AXES) {
        Some(behind) => GIPF_SPOTS.has_index(cell) && GIPF_DOTS.has_index(behind.index()),
        None => false,
    }
}

/// This cell and those that follow it, as long as they are spots, and at most so many.
const fn walk(cell: usize, direction: usize, count_max: usize) -> Cells<1> {
    let (mut spots, mut here) = (Cells::EMPTY, Some(Cell::new(cell)));
    while let Some(spot) = here {
        if !GIPF_SPOTS.has_index(spot.index()) || spots.len() == count_max {
            break;
        }
        spots = spots.with_index(spot.index());
        here = grids::GIPF.next(spot, direction);
    }
    spots
}

/// The line that holds all these spots.
const fn line_around(spots: Cells<1>) -> Line {
    let mut line = 0;
    while spots.words()[0] & !LINES[line].words()[0] != 0 {
        line += 1;
    }
    Line(line as u8)
}
