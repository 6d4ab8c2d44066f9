//! GIPF: basic, standard and tournament game.
//!
//! Read `docs/rules/gipf.md` before working here: the code implements G1 to G22 and rests on the
//! *Decision*s of G17 (lines are settled one by one, until the next push), G19 and G22 (when an
//! empty reserve loses), G20 (who loses when the last GIPF-pieces of both go) and G21 (no draw, no
//! end of its own). G23 is kept by the referee: a step exists only once it is committed.
//!
//! The board has 37 spots and, around them, 24 dots, so a set of cells is one word:
//!
//! ```text
//!                  e9
//!               d8    f8
//!            c7    e8    g7
//!         b6    d7    f7    h6         dots: the outermost ring,
//!      a5    c6    e7    g6    i5            never occupied
//!         b5    d6    f6    h5         lines: 7 upright, 7 rising,
//!      a4    c5    e6    g5    i4             7 falling, of 4 to 7 spots
//!         b4    d5    f5    h4
//!      a3    c4    e5    g4    i3
//!         b3    d4    f4    h3
//!      a2    c3    e4    g3    i2
//!         b2    d3    f3    h2
//!      a1    c2    e3    g2    i1
//!         b1    d2    f2    h1
//!            c1    e2    g1
//!               d1    f1
//!                  e1
//! ```
//!
//! What a turn is made of, and what the position remembers of it:
//!
//! ```text
//!   pushed = false   take the rows that stand after the other's turn    due = their lines
//!                    push                                               due = none
//!   pushed = true    take the rows that stand after the push            due = their lines
//! ```
//!
//! Stages in which nothing is to be done are passed over at once. A line is *due* until a row of it
//! was taken or none is left on it; taking only ever removes pieces, so nothing becomes due by it.
//! A row of one's own on a line that is not due was therefore left standing, and its line is
//! settled (G17): this needs no memory of its own.

mod notation;
mod refusal;
mod setup;
mod steps;
mod table;
mod tables;
#[cfg(test)]
mod tests;

use core::fmt::{self, Write};

use super::{Game, Id, Malformed, Outcome, Player, Refusal, Score, Table};
use crate::geometry::{Board, Cell, CellSet, Cells, GIPF};
pub use refusal::Reason;
pub use setup::{Handicap, Variant};
use tables::{FOURS, Line, Lines, Push, ROW_MIN};

/// A position of GIPF.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gipf {
    id: Id,
    sides: [Side; 2],
    /// Which of the pieces on the board are GIPF-pieces.
    gipfs: Cells<1>,
    /// Who is to act, or was when the game ended.
    turn: Player,
    /// Whether he has pushed in this turn.
    pushed: bool,
    /// The lines whose rows he still has to take.
    due: Lines,
    end: Option<End>,
}

/// What one player has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Side {
    /// His pieces on the board, of both kinds.
    pieces: Cells<1>,
    /// Basic pieces in his reserve.
    reserve: u8,
    /// Basic pieces the other has captured from him.
    captured: u8,
    entry: Entry,
}

/// G10: what a player may bring in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Entry {
    /// His first piece, which must be a GIPF-piece.
    Gipf,
    /// Either kind.
    Either,
    /// Basic pieces for the rest of the game.
    Basic,
}

/// How the game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct End {
    loser: Player,
    /// The rule by which he lost, which refuses all further steps.
    reason: Reason,
}

/// The two kinds of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Piece {
    /// A single piece.
    Basic,
    /// Two basic pieces, stacked.
    Gipf,
}

impl Piece {
    /// How many basic pieces it is.
    const fn size(self) -> u8 {
        match self {
            Piece::Basic => 1,
            Piece::Gipf => 2,
        }
    }
}

/// What a player decides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// `a2-b3`, `Ga2-b3`: bring a piece in (G5).
    Push {
        /// The dot it is set on.
        from: Cell,
        /// The first spot of the line.
        to: Cell,
        /// What is brought in.
        piece: Piece,
    },
    /// `xc2-g4+d3+e4`: take a row and what extends it (G12).
    Take {
        /// The first piece of the run.
        low: Cell,
        /// The last piece of the run.
        high: Cell,
        /// GIPF-pieces of the run that are left standing (G16).
        left: Cells<1>,
    },
}

/// G12: a row and every piece that extends it without a gap.
#[derive(Clone, Copy)]
struct Run {
    low: Cell,
    high: Cell,
    pieces: Cells<1>,
}

impl Gipf {
    #[inline]
    fn side(&self, player: Player) -> &Side {
        &self.sides[player.index()]
    }

    #[inline]
    fn side_mut(&mut self, player: Player) -> &mut Side {
        &mut self.sides[player.index()]
    }

    #[inline]
    fn occupied(&self) -> Cells<1> {
        self.sides[0].pieces | self.sides[1].pieces
    }

    /// Whether rows are to be taken before anything else.
    #[inline]
    pub fn is_to_take(&self) -> bool {
        self.end.is_none() && !self.due.is_empty()
    }

    /// Whether the step to come is a push.
    #[inline]
    fn is_to_push(&self) -> bool {
        self.end.is_none() && self.due.is_empty()
    }

    /// G7: whether a line can be entered.
    #[inline]
    fn is_open(&self, line: Line) -> bool {
        !(line.spots() - self.occupied()).is_empty()
    }

    /// G11: the lines on which a player has a row.
    fn rows(&self, player: Player) -> Lines {
        let pieces = self.side(player).pieces;
        let made = FOURS.iter().filter(|four| (four.spots - pieces).is_empty());
        made.map(|four| four.line).collect()
    }

    /// The run on a line that has a row.
    fn run(&self, line: Line) -> Option<Run> {
        let pieces = stretch(line, self.occupied())?;
        Some(Run { low: pieces.lowest()?, high: pieces.highest()?, pieces })
    }

    /// G6: sets a piece on the first spot; each piece in its way moves one spot on.
    fn push(&mut self, push: &Push, piece: Piece) {
        let mut coming = (self.turn, piece);
        for spot in GIPF.ray(push.from, push.direction) {
            let pushed_on = self.lift(spot);
            self.set(spot, coming);
            match pushed_on {
                Some(next) => coming = next,
                None => break,
            }
        }
        let side = self.side_mut(self.turn);
        side.reserve = side.reserve.saturating_sub(piece.size());
        side.entry = match piece {
            Piece::Basic => Entry::Basic,
            Piece::Gipf => Entry::Either,
        };
        self.pushed = true;
        self.due = self.rows(self.turn);
        self.go_on();
    }

    fn lift(&mut self, spot: Cell) -> Option<(Player, Piece)> {
        let owner = self.owner(spot)?;
        let piece = if self.gipfs.contains(spot) { Piece::Gipf } else { Piece::Basic };
        self.side_mut(owner).pieces.remove(spot);
        self.gipfs.remove(spot);
        Some((owner, piece))
    }

    fn set(&mut self, spot: Cell, (owner, piece): (Player, Piece)) {
        self.side_mut(owner).pieces.insert(spot);
        if piece == Piece::Gipf {
            self.gipfs.insert(spot);
        }
    }

    fn owner(&self, spot: Cell) -> Option<Player> {
        [Player::ONE, Player::TWO].into_iter().find(|&p| self.side(p).pieces.contains(spot))
    }

    /// G12, G16: takes the run of a line off, but for the GIPF-pieces left standing.
    fn take(&mut self, line: Line, left: Cells<1>) {
        let Some(run) = self.run(line) else { return };
        let off = run.pieces - left;
        let taker = self.turn;
        for player in [taker, taker.other()] {
            let pieces = self.side(player).pieces & off;
            let size = (pieces.len() + (pieces & self.gipfs).len()) as u8;
            let side = self.side_mut(player);
            side.pieces = side.pieces - off;
            let heap = if player == taker { &mut side.reserve } else { &mut side.captured };
            *heap = heap.saturating_add(size);
        }
        self.gipfs = self.gipfs - off;
        self.due = (self.due - Lines::of(line)) & self.rows(taker);
        match self.without_gipfs() {
            Some(loser) => self.finish(End { loser, reason: Reason::NoGipfPieceLeft }),
            None => self.go_on(),
        }
    }

    /// G20: who has lost his last GIPF-piece; if both have, the one who took. In the tournament game
    /// both have pushed before there is anything to take.
    fn without_gipfs(&self) -> Option<Player> {
        let has_none = |player: &Player| (self.side(*player).pieces & self.gipfs).is_empty();
        let concerned = self.id != Id::GipfBasic;
        [self.turn, self.turn.other()].into_iter().find(|player| concerned && has_none(player))
    }

    /// Passes over the stages in which nothing is to be done (G14), up to the push that cannot be
    /// made (G19).
    fn go_on(&mut self) {
        if self.due.is_empty() && self.pushed {
            self.turn = self.turn.other();
            self.pushed = false;
            self.due = self.rows(self.turn);
        }
        if self.due.is_empty() && self.side(self.turn).reserve == 0 {
            self.finish(End { loser: self.turn, reason: Reason::NothingToPush });
        }
    }

    fn finish(&mut self, end: End) {
        self.due = Lines::EMPTY;
        self.end = Some(end);
    }
}

/// Four or more of these cells side by side on a line: no line is so long that there are two such
/// stretches.
fn stretch(line: Line, among: Cells<1>) -> Option<Cells<1>> {
    let mut stretch = Cells::EMPTY;
    for spot in line.spots() {
        if among.contains(spot) {
            stretch.insert(spot);
        } else if stretch.len() < ROW_MIN {
            stretch = Cells::EMPTY;
        } else {
            break;
        }
    }
    (stretch.len() >= ROW_MIN).then_some(stretch)
}

impl Game for Gipf {
    type Step = Step;
    type Reason = Reason;

    fn id(&self) -> Id {
        self.id
    }

    fn board(&self) -> &'static Board {
        &GIPF
    }

    fn turn(&self) -> Option<Player> {
        if self.end.is_some() { None } else { Some(self.turn) }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.end.map(|end| Outcome::Win(end.loser.other()))
    }

    /// Pieces not captured, on the board and in reserve, a GIPF-piece as two.
    fn score(&self) -> Score {
        let [one, two] = self.sides.map(|side| {
            let on_board = side.pieces.len() + (side.pieces & self.gipfs).len();
            on_board + usize::from(side.reserve)
        });
        Score::of_two(one, two)
    }

    fn table(&self) -> Table {
        self.look()
    }

    fn steps(&self) -> impl Iterator<Item = Step> {
        self.takes().chain(self.pushes())
    }

    fn step_count(&self) -> usize {
        self.take_count() + self.push_count()
    }

    fn origins(&self) -> CellSet {
        self.origin_cells().widen()
    }

    fn destinations(&self, origin: Cell) -> CellSet {
        self.destination_cells(origin).widen()
    }

    fn check(&self, step: Step) -> Result<(), Refusal<Reason>> {
        match step {
            Step::Push { from, to, piece } => self.check_push(from, to, piece),
            Step::Take { low, high, left } => self.check_take(low, high, left),
        }
    }

    fn play_unchecked(&mut self, step: Step) {
        match step {
            Step::Push { from, to, piece } => {
                if let Some(push) = Push::between(from, to) {
                    self.push(push, piece);
                }
            }
            Step::Take { low, high, left } => {
                if let Some(line) = Line::through(low, high) {
                    self.take(line, left);
                }
            }
        }
    }

    fn parse_step(&self, text: &[u8]) -> Result<Step, Malformed> {
        notation::parse_step(text)
    }

    fn write_step(&self, step: Step, to: &mut impl Write) -> fmt::Result {
        notation::write_step(step, to)
    }

    fn write_position(&self, to: &mut impl Write) -> fmt::Result {
        notation::write_position(self, to)
    }
}
