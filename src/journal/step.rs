//! A step as a small number: what the journal writes and the history in memory keeps.
//!
//! Each game counts its steps out in mixed digits: cells by their index, the rarer and longer kinds
//! last, so that the common ones stay below 2^16. The largest number of all, a GIPF row with seven
//! pieces left standing, is below 2^19.
//!
//! | game | number |
//! |---|---|
//! | GIPF | push: piece + 2 (to + 61 from); row: 7442 + high + 61 low + 3721 left |
//! | YINSH | ring placed: cell; ring taken: 85 + cell; move: 170 + to + 85 from; row: 7395 + high + 85 low |
//! | DVONN | placed: cell; move: 49 + to + 49 from |
//! | LYNGK | claim: colour; move: 5 + to + 43 from |
//! | GLÜX | spots - 1 + 6 cell |
//!
//! `left` has a bit for each spot of the row from the low end on, set where a GIPF-piece stays.

use crate::games::any::Step;
use crate::games::gipf::Piece;
use crate::games::lyngk::Colour;
use crate::games::{Id, dvonn, gipf, glux, lyngk, yinsh};
use crate::geometry::{self, Board, Cell, Cells};

/// A step as a number. Means something only together with the game's id.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Packed(u32);

/// How many cells the boards have.
const GIPF: u32 = 61;
const YINSH: u32 = 85;
const DVONN: u32 = 49;
const LYNGK: u32 = 43;
/// Pieces that can be pushed.
const PIECES: u32 = 2;
/// Where the rows of GIPF begin.
const GIPF_ROWS: u32 = PIECES * GIPF * GIPF;
/// Where the rings taken, the moves and the rows of YINSH begin.
const YINSH_TAKEN: u32 = YINSH;
const YINSH_MOVES: u32 = 2 * YINSH;
const YINSH_ROWS: u32 = YINSH_MOVES + YINSH * YINSH;
/// Where the moves of DVONN and LYNGK begin.
const DVONN_MOVES: u32 = DVONN;
const LYNGK_MOVES: u32 = Colour::COUNT as u32;
/// Faces of a GLÜX chip.
const FACES: u32 = 6;
/// Spots of the longest GIPF line.
const LINE_MAX: usize = 7;

impl Packed {
    /// The most bytes of one.
    pub const BYTES_MAX: usize = 3;

    /// Packs a step. `None` only for what no position has: cells of another board, GIPF-pieces left
    /// beside the row.
    pub fn new(step: Step) -> Option<Packed> {
        let number = match step {
            Step::Gipf(step) => gipf_number(step)?,
            Step::Yinsh(step) => match step {
                yinsh::Step::PlaceRing(at) => digit(at, YINSH)?,
                yinsh::Step::TakeRing(at) => YINSH_TAKEN + digit(at, YINSH)?,
                yinsh::Step::MoveRing { from, to } => YINSH_MOVES + pair(from, to, YINSH)?,
                yinsh::Step::TakeRow { low, high } => YINSH_ROWS + pair(low, high, YINSH)?,
            },
            Step::Dvonn(step) => match step {
                dvonn::Step::Place(at) => digit(at, DVONN)?,
                dvonn::Step::Move { from, to } => DVONN_MOVES + pair(from, to, DVONN)?,
            },
            Step::Lyngk(step) => match step {
                lyngk::Step::Claim(colour) => colour.index() as u32,
                lyngk::Step::Move { from, to } => LYNGK_MOVES + pair(from, to, LYNGK)?,
            },
            Step::Glux(glux::Step { cell, spots }) => {
                u32::from(spots.number()) - 1 + FACES * cell.index() as u32
            }
        };
        Some(Packed(number))
    }

    /// The step it is in this game; `None` when the game has no such step.
    pub fn step(self, id: Id) -> Option<Step> {
        let n = self.0;
        Some(match id {
            Id::GipfBasic | Id::Gipf | Id::GipfTournament => Step::Gipf(gipf_step(n)?),
            Id::Yinsh | Id::YinshBlitz => Step::Yinsh(yinsh_step(n)?),
            Id::Dvonn => Step::Dvonn(match n.checked_sub(DVONN_MOVES) {
                None => dvonn::Step::Place(cell(n)),
                Some(n) => {
                    let (from, to) = cells(n, DVONN)?;
                    dvonn::Step::Move { from, to }
                }
            }),
            Id::Lyngk | Id::LyngkSix => Step::Lyngk(match n.checked_sub(LYNGK_MOVES) {
                None => lyngk::Step::Claim(Colour::ALL[n as usize]),
                Some(n) => {
                    let (from, to) = cells(n, LYNGK)?;
                    lyngk::Step::Move { from, to }
                }
            }),
            Id::Glux2 => glux_step(n, &geometry::GLUX_2)?,
            Id::Glux3 | Id::Glux4 => glux_step(n, &geometry::GLUX_4)?,
        })
    }

    /// Low byte first, without leading zeros but at least one byte.
    pub(super) fn bytes(self) -> ([u8; 4], usize) {
        let zeros = self.0.leading_zeros() as usize / 8;
        (self.0.to_le_bytes(), (4 - zeros).max(1))
    }

    /// The number with these bytes, which must be as few as [`Packed::bytes`] would make of it.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Packed> {
        if bytes.len() > Packed::BYTES_MAX {
            return None;
        }
        let number = bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte));
        (Packed(number).bytes().1 == bytes.len()).then_some(Packed(number))
    }
}

fn cell(digit: u32) -> Cell {
    Cell::new(digit as usize)
}

/// A cell as a digit; `None` when the board has no such cell.
fn digit(cell: Cell, count: u32) -> Option<u32> {
    Some(cell.index() as u32).filter(|&digit| digit < count)
}

fn pair(high: Cell, low: Cell, count: u32) -> Option<u32> {
    Some(digit(high, count)? * count + digit(low, count)?)
}

fn cells(number: u32, count: u32) -> Option<(Cell, Cell)> {
    (number < count * count).then(|| (cell(number / count), cell(number % count)))
}

fn gipf_number(step: gipf::Step) -> Option<u32> {
    Some(match step {
        gipf::Step::Push { from, to, piece } => {
            u32::from(piece == Piece::Gipf) + PIECES * pair(from, to, GIPF)?
        }
        gipf::Step::Take { low, high, left } => {
            let ends = pair(low, high, GIPF)?;
            let mut bits = 0;
            let mut beside = left;
            for (n, spot) in spots(low, high).enumerate().take(LINE_MAX) {
                bits |= u32::from(left.contains(spot)) << n;
                beside.remove(spot);
            }
            if !beside.is_empty() {
                return None;
            }
            GIPF_ROWS + ends + GIPF * GIPF * bits
        }
    })
}

fn gipf_step(number: u32) -> Option<gipf::Step> {
    let Some(row) = number.checked_sub(GIPF_ROWS) else {
        let (from, to) = cells(number / PIECES, GIPF)?;
        let piece = if number.is_multiple_of(PIECES) { Piece::Basic } else { Piece::Gipf };
        return Some(gipf::Step::Push { from, to, piece });
    };
    let (low, high) = cells(row % (GIPF * GIPF), GIPF)?;
    let bits = row / (GIPF * GIPF);
    let line = || spots(low, high).take(LINE_MAX);
    let left: Cells<1> =
        line().enumerate().filter(|(n, _)| bits & 1 << n != 0).map(|(_, spot)| spot).collect();
    (bits < 1 << line().count()).then_some(gipf::Step::Take { low, high, left })
}

/// The spots of a row from end to end; none when the two are on no line.
fn spots(low: Cell, high: Cell) -> impl Iterator<Item = Cell> {
    let board = &geometry::GIPF;
    let towards = board.playfield().directions().find(|&d| board.ray(low, d).any(|c| c == high));
    let behind = towards.into_iter().flat_map(move |direction| board.ray(low, direction));
    let between = behind.take_while(move |&spot| spot != high);
    towards.map(|_| low).into_iter().chain(between).chain(towards.map(|_| high))
}

fn yinsh_step(number: u32) -> Option<yinsh::Step> {
    Some(if let Some(row) = number.checked_sub(YINSH_ROWS) {
        let (low, high) = cells(row, YINSH)?;
        yinsh::Step::TakeRow { low, high }
    } else if let Some(ring) = number.checked_sub(YINSH_MOVES) {
        let (from, to) = cells(ring, YINSH)?;
        yinsh::Step::MoveRing { from, to }
    } else if let Some(taken) = number.checked_sub(YINSH_TAKEN) {
        yinsh::Step::TakeRing(cell(taken))
    } else {
        yinsh::Step::PlaceRing(cell(number))
    })
}

fn glux_step(number: u32, board: &Board) -> Option<Step> {
    let square = number / FACES;
    let spots = glux::Spots::new((number % FACES + 1) as u8)?;
    ((square as usize) < board.cell_count())
        .then(|| Step::Glux(glux::Step { cell: cell(square), spots }))
}
