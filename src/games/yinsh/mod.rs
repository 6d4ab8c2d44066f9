//! YINSH: rings move and leave markers; five in a row cost a ring, and three rings win.
//!
//! Read `docs/rules/yinsh.md` first: this module implements Y1..Y21. It rests on the *Decision*s
//! of Y10 (who cannot move passes; if nobody can, the game ends as with an empty pool) and Y20
//! (the pool is looked at when a ring is to be moved, after all rows are taken).
//!
//! A position is four sets of cells (rings and markers of both), the rings taken off, and what is
//! to be done next by whom. Rows are never stored: none is left when a ring moves, so a new one
//! runs through a marker that was just placed or turned; while rows are being taken, the markers
//! show which are left. The pool is what the markers on the board leave of 51.
//!
//! Cells are numbered upwards along each column, column by column, so along any line the numbers
//! rise in one direction and fall in the other. The first obstacle on a ray is therefore the
//! lowest or the highest member of a set:
//!
//! ```text
//!   ring    vacant  vacant  marker  marker  vacant
//!    from ->  o  ->  o  ->    *       *   ->  o      stops behind the markers it jumped
//!                          obstacle        landing
//! ```

mod notation;
mod refusal;
mod setup;
mod steps;
mod table;
mod tables;
#[cfg(test)]
mod tests;

use core::fmt::{self, Write};

use crate::games::{Game, Id, Malformed, Outcome, Player, Refusal, Score, Table};
use crate::geometry::{self, Board, Cell, CellSet, Cells};
pub use refusal::Reason;
pub use setup::Variant;
use setup::{MARKERS, RINGS_EACH};
use tables::{CELLS, direction, five, ray};

/// What a player decides in YINSH.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Y2: puts a ring on the board. `f6`
    PlaceRing(Cell),
    /// Y3: puts a marker into a ring and moves the ring. `f6-f9`
    MoveRing {
        /// Where the ring stands and the marker stays.
        from: Cell,
        /// Where the ring goes.
        to: Cell,
    },
    /// Y12: takes five markers off. `xd3-h7`
    TakeRow {
        /// The end with the lower name.
        low: Cell,
        /// The other end.
        high: Cell,
    },
    /// Y12: takes a ring of one's own off. `xe5`
    TakeRing(Cell),
}

/// A position of YINSH.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Yinsh {
    /// By player.
    rings: [Cells<2>; 2],
    /// By the player whose colour is up.
    markers: [Cells<2>; 2],
    /// Rings taken off, by player.
    taken: [u8; 2],
    variant: Variant,
    phase: Phase,
    /// Who acts; after the end, who would have.
    turn: Player,
    /// Who moves a ring once all rows are taken; while nobody takes rows the same as `turn`.
    next: Player,
}

/// What is to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// Y2: put a ring on the board.
    Place,
    /// Y3: move a ring.
    Move,
    /// Y12: take a row.
    Row,
    /// Y12: take a ring, for the row just taken.
    Ring,
    /// Nothing any more.
    Over,
}

impl Yinsh {
    fn all_rings(&self) -> Cells<2> {
        self.rings[0] | self.rings[1]
    }

    fn all_markers(&self) -> Cells<2> {
        self.markers[0] | self.markers[1]
    }

    fn occupied(&self) -> Cells<2> {
        self.all_rings() | self.all_markers()
    }

    /// The rings of whoever acts.
    fn own_rings(&self) -> Cells<2> {
        self.rings[self.turn.index()]
    }

    /// Whether a row is to be taken, or a ring for one, before anything else.
    #[inline]
    pub fn is_to_take(&self) -> bool {
        matches!(self.phase, Phase::Row | Phase::Ring)
    }

    /// Y1: markers that are not on the board.
    fn pool(&self) -> usize {
        MARKERS.saturating_sub(self.all_markers().len())
    }

    /// Y2, then Y3: the next ring comes, or the first one moves.
    fn place_ring(&mut self, cell: Cell) {
        self.rings[self.turn.index()].insert(cell);
        self.turn = self.turn.other();
        self.next = self.turn;
        if self.rings.iter().all(|rings| rings.len() >= RINGS_EACH) {
            self.begin_move(self.turn);
        }
    }

    /// Y3, Y9: the marker stays where the ring stood, and those the ring jumped are turned over.
    fn move_ring(&mut self, from: Cell, to: Cell) {
        let mover = self.turn.index();
        self.rings[mover].remove(from);
        self.rings[mover].insert(to);
        let passed = direction(from, to)
            .map_or(Cells::EMPTY, |direction| ray(direction, from) - ray(direction, to));
        let jumped = passed & self.all_markers();
        self.markers[0] ^= jumped;
        self.markers[1] ^= jumped;
        self.markers[mover].insert(from);
        self.next = self.turn.other();
        let mut changed = jumped;
        changed.insert(from);
        self.settle(|position, player| position.has_row_through(player, changed));
    }

    fn take_row(&mut self, low: Cell, high: Cell) {
        if let Some(five) = five(low, high) {
            let own = &mut self.markers[self.turn.index()];
            *own = *own - five.cells();
        }
        self.phase = Phase::Ring;
    }

    /// Y12, Y18: the ring is kept as a sign; the last one needed wins at once.
    fn take_ring(&mut self, cell: Cell) {
        let player = self.turn.index();
        self.rings[player].remove(cell);
        self.taken[player] = self.taken[player].saturating_add(1);
        if self.taken[player] >= self.variant.rings_to_win() {
            self.phase = Phase::Over;
        } else {
            self.settle(|position, player| position.rows(player).next().is_some());
        }
    }

    /// Y15, Y16: the mover takes all of his rows first, then the other takes his; then the other
    /// moves.
    fn settle(&mut self, has_row: impl Fn(&Yinsh, Player) -> bool) {
        for player in [self.next.other(), self.next] {
            if has_row(self, player) {
                self.turn = player;
                self.phase = Phase::Row;
                return;
            }
        }
        self.begin_move(self.next);
    }

    /// Y10, Y20: it is this player's turn to move a ring, if he can; else the other's; else the
    /// game is over, as it is when there is no marker left.
    fn begin_move(&mut self, player: Player) {
        let able = [player, player.other()].into_iter().find(|&p| self.can_move(p));
        self.turn = able.unwrap_or(player);
        self.next = self.turn;
        let over = able.is_none() || self.pool() == 0;
        self.phase = if over { Phase::Over } else { Phase::Move };
    }
}

impl Game for Yinsh {
    type Step = Step;
    type Reason = Reason;

    fn id(&self) -> Id {
        match self.variant {
            Variant::Normal => Id::Yinsh,
            Variant::Blitz => Id::YinshBlitz,
        }
    }

    fn board(&self) -> &'static Board {
        &geometry::YINSH
    }

    fn turn(&self) -> Option<Player> {
        (self.phase != Phase::Over).then_some(self.turn)
    }

    /// Y18..Y21: in every ending, more rings taken off wins.
    fn outcome(&self) -> Option<Outcome> {
        if self.phase != Phase::Over {
            return None;
        }
        Some(match self.taken[0].cmp(&self.taken[1]) {
            core::cmp::Ordering::Greater => Outcome::Win(Player::ONE),
            core::cmp::Ordering::Less => Outcome::Win(Player::TWO),
            core::cmp::Ordering::Equal => Outcome::Draw,
        })
    }

    fn score(&self) -> Score {
        Score::of_two(self.taken[0].into(), self.taken[1].into())
    }

    fn table(&self) -> Table {
        self.look()
    }

    fn steps(&self) -> impl Iterator<Item = Step> {
        self.all_steps()
    }

    fn step_count(&self) -> usize {
        self.count_steps()
    }

    fn origins(&self) -> CellSet {
        self.find_origins().widen()
    }

    fn destinations(&self, origin: Cell) -> CellSet {
        self.find_destinations(origin).widen()
    }

    fn check(&self, step: Step) -> Result<(), Refusal<Reason>> {
        self.check_step(step)
    }

    /// A step with a cell of another board changes nothing.
    fn play_unchecked(&mut self, step: Step) {
        let on_board = |cell: Cell| cell.index() < CELLS;
        match step {
            Step::PlaceRing(cell) if on_board(cell) => self.place_ring(cell),
            Step::MoveRing { from, to } if on_board(from) && on_board(to) => {
                self.move_ring(from, to);
            }
            Step::TakeRow { low, high } => self.take_row(low, high),
            Step::TakeRing(cell) if on_board(cell) => self.take_ring(cell),
            _ => {}
        }
    }

    fn parse_step(&self, text: &[u8]) -> Result<Step, Malformed> {
        notation::parse_step(text)
    }

    fn write_step(&self, step: Step, to: &mut impl Write) -> fmt::Result {
        notation::write_step(step, to)
    }

    fn write_position(&self, to: &mut impl Write) -> fmt::Result {
        self.write_line(to)
    }
}
