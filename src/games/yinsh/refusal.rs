//! Why a step is not legal.
//!
//! Whether a ring could go that way (Y3..Y8) is asked before whether it is time to move one, because
//! the lowest rule is named. After the end the same questions are asked for the player who would
//! have acted, and the rule that ended the game is one more.

use super::tables::{CELLS, direction, first, five, ray};
use super::{Phase, Step, Yinsh};
use crate::games::{Game, Reason as _, Refusal};
use crate::geometry::{Cell, Cells};

reasons! {
    /// Why a step of YINSH is refused.
    pub enum Reason {
        /// Y2: the point is not vacant, or not on the board.
        RingNeedsVacantPoint = 'Y' 2,
        /// Y2: both have their five rings on the board.
        RingsArePlaced = 'Y' 2,
        /// Y2: not all rings are on the board yet.
        RingsNotPlaced = 'Y' 2,
        /// Y3: no ring of whoever acts stands there.
        NotOwnRing = 'Y' 3,
        /// Y4: not on a line with the ring, or where it stands already.
        NotInLine = 'Y' 4,
        /// Y4: something stands on the point it would end on.
        EndsOnOccupied = 'Y' 4,
        /// Y6: it jumped and went on over a vacant point.
        PastTheLanding = 'Y' 6,
        /// Y8: a ring is in the way.
        RingInTheWay = 'Y' 8,
        /// Y10: the game is over, neither player could move.
        NobodyCouldMove = 'Y' 10,
        /// Y11: no five markers of one colour stand there.
        NoRow = 'Y' 11,
        /// Y12: the row belongs to the other player.
        RowOfTheOther = 'Y' 12,
        /// Y12: a row is to be taken before anything else.
        RowIsDue = 'Y' 12,
        /// Y12: a ring is to be taken for the row.
        RingIsDue = 'Y' 12,
        /// Y12: the ring to take must be one's own.
        TakesNotOwnRing = 'Y' 12,
        /// Y12: no row was taken, so no ring comes off.
        NoRowTaken = 'Y' 12,
        /// Y17: the ring for the last row comes before the next row.
        RingBeforeNextRow = 'Y' 17,
        /// Y18: the game is over, somebody has all the rings he needs.
        Won = 'Y' 18,
        /// Y20: the game is over, there is no marker left.
        PoolWasEmpty = 'Y' 20,
    }
}

impl Reason {
    fn at(self, cells: Cells<2>) -> Refusal<Reason> {
        Refusal::new(self, cells.widen())
    }
}

type Checked = Result<(), Refusal<Reason>>;

/// Just this cell; nothing for a cell of another board.
fn shown(cell: Cell) -> Cells<2> {
    if cell.index() < CELLS { Cells::of(cell) } else { Cells::EMPTY }
}

fn holds(cells: Cells<2>, cell: Cell) -> bool {
    !(cells & shown(cell)).is_empty()
}

impl Yinsh {
    /// Whether this step is legal; if not, the lowest rule that forbids it.
    pub(super) fn check_step(&self, step: Step) -> Checked {
        let broken = match step {
            Step::PlaceRing(cell) => self.check_place(cell),
            _ if self.phase == Phase::Place => Err(Reason::RingsNotPlaced.at(Cells::EMPTY)),
            Step::MoveRing { from, to } => self.check_move(from, to),
            Step::TakeRow { low, high } => self.check_row(low, high),
            Step::TakeRing(cell) => self.check_ring(cell),
        };
        let refusals = [broken, self.check_end()].into_iter().filter_map(Result::err);
        refusals.min_by_key(|refusal| refusal.reason.rule().number).map_or(Ok(()), Err)
    }

    /// Refuses everything once the game is over.
    fn check_end(&self) -> Checked {
        if self.turn().is_some() {
            return Ok(());
        }
        let won = self.taken.iter().any(|&rings| rings >= self.variant.rings_to_win());
        let reason = match self.pool() {
            _ if won => Reason::Won,
            0 => Reason::PoolWasEmpty,
            _ => Reason::NobodyCouldMove,
        };
        Err(reason.at(Cells::EMPTY))
    }

    fn check_place(&self, cell: Cell) -> Checked {
        if self.phase != Phase::Place {
            return Err(Reason::RingsArePlaced.at(Cells::EMPTY));
        }
        let vacant = cell.index() < CELLS && !holds(self.occupied(), cell);
        if vacant { Ok(()) } else { Err(Reason::RingNeedsVacantPoint.at(shown(cell))) }
    }

    fn check_move(&self, from: Cell, to: Cell) -> Checked {
        self.check_way(from, to)?;
        match self.phase {
            Phase::Row => Err(Reason::RowIsDue.at(self.due_markers())),
            Phase::Ring => Err(Reason::RingIsDue.at(self.own_rings())),
            Phase::Place | Phase::Move | Phase::Over => Ok(()),
        }
    }

    /// Y3..Y8, whatever is to be done now.
    fn check_way(&self, from: Cell, to: Cell) -> Checked {
        if !holds(self.own_rings(), from) {
            return Err(Reason::NotOwnRing.at(shown(from)));
        }
        let on_board = to.index() < CELLS;
        let Some(direction) = on_board.then(|| direction(from, to)).flatten() else {
            return Err(Reason::NotInLine.at(shown(to)));
        };
        if holds(self.occupied(), to) {
            return Err(Reason::EndsOnOccupied.at(shown(to)));
        }
        let between = ray(direction, from) - ray(direction, to) - Cells::of(to);
        if let Some(marker) = first(direction, between & self.all_markers()) {
            let behind = first(direction, between & (ray(direction, marker) - self.all_markers()));
            if let Some(landing) = behind.filter(|&cell| !holds(self.all_rings(), cell)) {
                return Err(Reason::PastTheLanding.at(shown(landing)));
            }
        }
        match first(direction, between & self.all_rings()) {
            Some(ring) => Err(Reason::RingInTheWay.at(shown(ring))),
            None => Ok(()),
        }
    }

    fn check_row(&self, low: Cell, high: Cell) -> Checked {
        let Some(five) = five(low, high) else {
            return Err(Reason::NoRow.at(Cells::EMPTY));
        };
        let (own, other) =
            (self.markers[self.turn.index()], self.markers[self.turn.other().index()]);
        let lacking = five.cells() - own;
        if five.is_in(other) {
            Err(Reason::RowOfTheOther.at(five.cells()))
        } else if !lacking.is_empty() {
            Err(Reason::NoRow.at(lacking))
        } else if self.phase == Phase::Ring {
            Err(Reason::RingBeforeNextRow.at(self.own_rings()))
        } else {
            Ok(())
        }
    }

    fn check_ring(&self, cell: Cell) -> Checked {
        match self.phase {
            Phase::Row => Err(Reason::RowIsDue.at(self.due_markers())),
            Phase::Ring if holds(self.own_rings(), cell) => Ok(()),
            Phase::Ring => Err(Reason::TakesNotOwnRing.at(shown(cell))),
            Phase::Place | Phase::Move | Phase::Over => Err(Reason::NoRowTaken.at(shown(cell))),
        }
    }

    /// The markers of all rows that are to be taken.
    fn due_markers(&self) -> Cells<2> {
        self.due_rows().fold(Cells::EMPTY, |markers, five| markers | five.cells())
    }
}
