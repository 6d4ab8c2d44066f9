//! Why a step is not legal.
//!
//! The rules are asked in the order of their numbers, so the lowest that forbids a step is named.
//! After the end nobody is to act: what speaks of the one to act (his reserve, his rows, lines he
//! has settled) no longer applies, and a step that the board would allow is refused by the rule
//! that ended the game.

use super::tables::{Line, Push};
use super::{Entry, Gipf, Piece, stretch};
use crate::games::{Player, Refusal};
use crate::geometry::{Cell, Cells, GIPF_DOTS, GIPF_SPOTS};

reasons! {
    /// Why a step is not legal.
    pub enum Reason {
        /// G5: not from a dot to a spot next to it. Shows nothing.
        NoWayIn = 'G' 5,
        /// G7: every spot of the line is occupied. Shows them.
        LineFull = 'G' 7,
        /// G9: a piece takes one from the reserve, a GIPF-piece two. Shows nothing.
        ReserveTooSmall = 'G' 9,
        /// G10: a player's first piece is a GIPF-piece. Shows nothing.
        FirstMustBeGipf = 'G' 10,
        /// G10: not the tournament game, or a basic piece was brought in before. Shows nothing.
        NoMoreGipfs = 'G' 10,
        /// G11: there is no row on this line. Shows nothing.
        NoRow = 'G' 11,
        /// G12: everything that extends the row comes off with it. Shows the run.
        NotTheRun = 'G' 12,
        /// G12: a row is taken by its owner. Shows the row.
        RowOfTheOther = 'G' 12,
        /// G13: rows come off before anything else. Shows those that are due.
        RowsFirst = 'G' 13,
        /// G16: only GIPF-pieces of the run may be left. Shows what else was named.
        NotToBeLeft = 'G' 16,
        /// G17: the line is settled until the next push. Shows the row.
        Settled = 'G' 17,
        /// G19: the game is over, somebody had nothing to push. Shows nothing.
        NothingToPush = 'G' 19,
        /// G20: the game is over, somebody has no GIPF-piece left. Shows nothing.
        NoGipfPieceLeft = 'G' 20,
    }
}

type Check = Result<(), Refusal<Reason>>;

/// Refuses when something is wrong.
fn refuse_if(wrong: bool, reason: Reason, shown: Cells<1>) -> Check {
    if wrong { Err(Refusal::new(reason, shown.widen())) } else { Ok(()) }
}

fn refusal(reason: Reason) -> Refusal<Reason> {
    Refusal::new(reason, Cells::EMPTY)
}

impl Gipf {
    pub(super) fn check_push(&self, from: Cell, to: Cell, piece: Piece) -> Check {
        let push = Push::between(from, to).ok_or(refusal(Reason::NoWayIn))?;
        refuse_if(!self.is_open(push.line), Reason::LineFull, push.line.spots())?;
        self.check_running()?;
        self.may_bring(piece).map_err(refusal)?;
        refuse_if(!self.due.is_empty(), Reason::RowsFirst, self.rows_due())
    }

    pub(super) fn check_take(&self, low: Cell, high: Cell, left: Cells<1>) -> Check {
        let line = Line::through(low, high).ok_or(refusal(Reason::NoRow))?;
        let (owner, row) = self.row(line).ok_or(refusal(Reason::NoRow))?;
        let run = self.run(line).ok_or(refusal(Reason::NoRow))?;
        refuse_if((run.low, run.high) != (low, high), Reason::NotTheRun, run.pieces)?;
        let to_act = self.end.is_none().then_some(self.turn);
        refuse_if(to_act == Some(owner.other()), Reason::RowOfTheOther, row)?;
        // Only cells of the board are shown, whatever was named.
        let wrong = left - (run.pieces & self.gipfs);
        refuse_if(!wrong.is_empty(), Reason::NotToBeLeft, wrong & (GIPF_SPOTS | GIPF_DOTS))?;
        self.check_running()?;
        refuse_if(!self.due.contains(line), Reason::Settled, row)
    }

    /// G9, G10: whether the one to act may bring in such a piece.
    pub(super) fn may_bring(&self, piece: Piece) -> Result<(), Reason> {
        let side = self.side(self.turn);
        match (piece, side.entry) {
            _ if side.reserve < piece.size() => Err(Reason::ReserveTooSmall),
            (Piece::Basic, Entry::Gipf) => Err(Reason::FirstMustBeGipf),
            (Piece::Gipf, Entry::Basic) => Err(Reason::NoMoreGipfs),
            _ => Ok(()),
        }
    }

    fn check_running(&self) -> Check {
        self.end.map_or(Ok(()), |end| Err(refusal(end.reason)))
    }

    /// The row on a line, and whose it is: there is no room for two.
    fn row(&self, line: Line) -> Option<(Player, Cells<1>)> {
        let row_of = |player| Some((player, stretch(line, self.side(player).pieces)?));
        row_of(Player::ONE).or_else(|| row_of(Player::TWO))
    }

    /// The pieces of all rows that are due.
    fn rows_due(&self) -> Cells<1> {
        let rows = self.due.iter().filter_map(|line| stretch(line, self.side(self.turn).pieces));
        rows.fold(Cells::EMPTY, |all, row| all | row)
    }
}
