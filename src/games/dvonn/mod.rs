//! DVONN: stacks move as far as they are high, and what loses contact with red is lost.
//!
//! Read `docs/rules/dvonn.md` first: this module implements D1..D15. That file has no *Decision*s.
//!
//! Three sets say what moves need to know: the stacks either player controls and those that hold a
//! red piece; together they are the occupied points. What a stack is made of is kept as links from
//! piece to piece. A piece is named by the cell it was placed on. A point that was left is never
//! occupied again (D8), so the lowest piece of a stack is always the one placed there, and a move
//! needs one new link only:
//!
//! ```text
//!    top[a] = c     top[b] = d                    top[b] = c
//!        c                                            c
//!        a              d          a -> b             a    under[a] = d
//!                       b                             d
//!                                                     b
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
pub use setup::Colour;
use tables::{AROUND, CELLS, connected};

/// What a player decides in DVONN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// D1: puts a piece on the board; its colour follows from D2. `g2`
    Place(Cell),
    /// D7: moves a stack onto another. `a1-b2`
    Move {
        /// Where the stack stands.
        from: Cell,
        /// Where it lands.
        to: Cell,
    },
}

/// A position of DVONN.
#[derive(Clone, Copy, Debug)]
pub struct Dvonn {
    /// D5: stacks by the player whose piece is on top.
    controlled: [Cells<1>; 2],
    /// Stacks with a red piece in them.
    with_red: Cells<1>,
    /// Pieces by colour, each at the cell it was placed on.
    pieces: [Cells<1>; Colour::COUNT],
    /// By cell: how many pieces the stack has. Means something only where a stack stands.
    height: [u8; CELLS],
    /// By cell: the piece on top of the stack. Means something only where a stack stands.
    top: [Cell; CELLS],
    /// By piece: the piece it lies on. Means nothing for the lowest one of a stack.
    under: [Cell; CELLS],
    phase: Phase,
    /// Who acts; after the end, who would have.
    turn: Player,
}

/// What is to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// D1: put a piece on the board.
    Place,
    /// D7: move a stack.
    Move,
    /// Nothing any more.
    Over,
}

/// Two positions are the same when the same colours lie on each other everywhere, whichever pieces
/// they are.
impl PartialEq for Dvonn {
    fn eq(&self, other: &Dvonn) -> bool {
        let same_stack = |cell| self.colours(cell).eq(other.colours(cell));
        (self.phase, self.turn, self.left()) == (other.phase, other.turn, other.left())
            && self.occupied() == other.occupied()
            && self.occupied().iter().all(same_stack)
    }
}

impl Eq for Dvonn {}

impl Dvonn {
    #[inline]
    fn occupied(&self) -> Cells<1> {
        self.controlled[0] | self.controlled[1] | self.with_red
    }

    /// How many pieces stand on a cell; none where the board has no such cell.
    pub fn height(&self, cell: Cell) -> usize {
        let stands = cell.index() < CELLS && self.occupied().contains(cell);
        if stands { self.height[cell.index()].into() } else { 0 }
    }

    /// Whether the same colours lie on each other on both cells.
    pub fn is_same_stack(&self, a: Cell, b: Cell) -> bool {
        self.height(a) == self.height(b)
            && (self.height(a) == 0 || self.colours(a).eq(self.colours(b)))
    }

    /// Pieces that are still to be placed.
    fn left(&self) -> usize {
        CELLS - self.pieces.iter().fold(Cells::EMPTY, |placed, &pieces| placed | pieces).len()
    }

    /// What the stack on this cell is made of, from top to bottom.
    pub fn colours(&self, cell: Cell) -> impl Iterator<Item = Colour> {
        let pieces = core::iter::successors(self.top.get(cell.index()).copied(), |piece| {
            self.under.get(piece.index()).copied()
        });
        let colour = |piece: Cell| {
            let found = Colour::ALL.into_iter().find(|c| self.pieces[c.index()].contains(piece));
            found.unwrap_or(Colour::Red)
        };
        pieces.take(self.height(cell)).map(colour)
    }

    /// D1..D4: the next piece comes, or the first stack moves.
    fn place(&mut self, cell: Cell) {
        let colour = self.next_colour();
        self.pieces[colour.index()].insert(cell);
        match colour {
            Colour::White => self.controlled[0].insert(cell),
            Colour::Black => self.controlled[1].insert(cell),
            Colour::Red => self.with_red.insert(cell),
        }
        self.height[cell.index()] = 1;
        self.top[cell.index()] = cell;
        if self.left() == 0 {
            self.begin_move(Player::ONE);
        } else {
            self.turn = self.turn.other();
        }
    }

    /// D6: the whole stack goes on top of the other.
    fn move_stack(&mut self, from: Cell, to: Cell) {
        let (f, t) = (from.index(), to.index());
        self.under[f] = self.top[t];
        self.top[t] = self.top[f];
        self.height[t] = self.height[t].saturating_add(self.height[f]);
        let ends = Cells::of(from) | Cells::of(to);
        self.controlled = self.controlled.map(|stacks| stacks - ends);
        self.controlled[self.turn.index()].insert(to);
        let red_moved = self.with_red.contains(from);
        if red_moved {
            self.with_red.remove(from);
            self.with_red.insert(to);
        }
        self.lose_contact(from, red_moved);
        self.begin_move(self.turn.other());
    }

    /// D11, D12: what is no longer connected with red is taken out.
    fn lose_contact(&mut self, left: Cell, red_moved: bool) {
        let occupied = self.occupied();
        // Before the move everything was connected with red. Where red stayed, and the neighbours
        // of the point just left are connected with each other, every way that led through it has
        // a way round it.
        let around = AROUND[left.index()] & occupied;
        let one = around.lowest().map_or(Cells::EMPTY, Cells::of);
        if red_moved || connected(one, around) != around {
            let kept = connected(self.with_red, occupied);
            self.controlled = self.controlled.map(|stacks| stacks & kept);
        }
    }

    /// D4, D10, D14: it is this player's turn to move, if he can; else the other's; else the game
    /// is over.
    fn begin_move(&mut self, player: Player) {
        let able = [player, player.other()].into_iter().find(|&p| self.can_move(p));
        self.turn = able.unwrap_or(player);
        self.phase = if able.is_some() { Phase::Move } else { Phase::Over };
    }

    /// D15: the pieces in the stacks a player controls.
    fn piece_count(&self, player: Player) -> usize {
        let stacks = self.controlled[player.index()];
        stacks.iter().map(|cell| usize::from(self.height[cell.index()])).sum()
    }
}

impl Game for Dvonn {
    type Step = Step;
    type Reason = Reason;

    fn id(&self) -> Id {
        Id::Dvonn
    }

    fn board(&self) -> &'static Board {
        &geometry::DVONN
    }

    fn turn(&self) -> Option<Player> {
        (self.phase != Phase::Over).then_some(self.turn)
    }

    /// D15: more pieces wins.
    fn outcome(&self) -> Option<Outcome> {
        if self.phase != Phase::Over {
            return None;
        }
        Some(match self.piece_count(Player::ONE).cmp(&self.piece_count(Player::TWO)) {
            core::cmp::Ordering::Greater => Outcome::Win(Player::ONE),
            core::cmp::Ordering::Less => Outcome::Win(Player::TWO),
            core::cmp::Ordering::Equal => Outcome::Draw,
        })
    }

    fn score(&self) -> Score {
        Score::of_two(self.piece_count(Player::ONE), self.piece_count(Player::TWO))
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
            Step::Place(cell) if on_board(cell) => self.place(cell),
            Step::Move { from, to } if on_board(from) && on_board(to) => self.move_stack(from, to),
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
