//! LYNGK: stacks of five colours and three jokers on 43 points.
//!
//! Before working on this file read `docs/rules/lyngk.md`. All of it is implemented here, L1 to L31.
//! The *Decision*s it rests on: a claim is a step of its own that must leave a move (L7), the point
//! a moving stack came from is vacant (L22), a neutral stack of five stays for good (L24), ties by
//! four, three, two, one (L26), neutral stacks of six count for nobody (L31).
//!
//! A position is one [`Stack`] per cell, the claims, the stacks won, and whose turn it is. Nothing
//! is kept that follows from the stacks: whoever looks for steps first makes a `Survey` of the
//! board, sets of cells by top colour, by colour inside and by height. A move is then a few set
//! operations:
//!
//! ```text
//!   stack R at c3, neutral            what it meets on six lines    {c4 d4 d3 c2 b2 b3}
//!         c4                        & stacks no higher than it      at_most[1]
//!      b3    d4                     - stacks that have red inside   with[Red]
//!         c3                        = where it can end
//!      b2    d3
//!         c2
//! ```
//!
//! The six variant differs in data only: one more piece to a stack, and the stack that is won stays
//! on the board and ends the game.

mod notation;
mod refusal;
mod setup;
mod stack;
mod steps;
mod table;
mod tables;
#[cfg(test)]
mod tests;

pub use refusal::Reason;
pub use setup::{Deal, DealError};
pub use stack::{Colour, Piece, Stack};

use core::cmp::Ordering;
use core::fmt;

use super::{Game, Id, Malformed, Outcome, Player, Refusal, Score, Table};
use crate::geometry::{self, Board, Cell, CellSet};
use steps::Survey;

/// How many cells the board has.
const CELLS: usize = 43;
/// Each player claims at most two colours (L5).
const CLAIMS_MAX: usize = 2;

/// Which LYNGK is played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variant {
    /// Stacks of five are taken off (L23).
    Normal,
    /// The first own stack of six wins (L27 to L31).
    Six,
}

impl Variant {
    /// L11, L27: the most pieces a stack may have.
    const fn height_max(self) -> usize {
        match self {
            Variant::Normal => 5,
            Variant::Six => 6,
        }
    }
}

/// What a player decides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// L5: makes a neutral colour his own; `R`.
    Claim(Colour),
    /// L8: moves a stack onto another, by whatever route; `a3-e5`.
    Move {
        /// Where the stack stands.
        from: Cell,
        /// What it ends on.
        to: Cell,
    },
}

/// A position of LYNGK.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lyngk {
    stacks: [Stack; CELLS],
    /// By player, in the order claimed.
    claims: [[Option<Colour>; CLAIMS_MAX]; 2],
    /// By player: stacks of five taken off (L23), or the stack of six that won (L29).
    won: [u8; 2],
    turn: Option<Player>,
    /// Whether the player has claimed in this turn and must move now.
    claimed: bool,
    variant: Variant,
}

impl Lyngk {
    /// A game that begins with these pieces on the board.
    pub fn new(variant: Variant, deal: &Deal) -> Lyngk {
        Lyngk {
            stacks: deal.pieces().map(Stack::single),
            claims: [[None; CLAIMS_MAX]; 2],
            won: [0; 2],
            // Player 1 always has a step: somewhere two different pieces lie side by side.
            turn: Some(Player::ONE),
            claimed: false,
            variant,
        }
    }

    /// What stands on a cell; nothing where the board has no such cell.
    pub fn stack(&self, cell: Cell) -> Stack {
        self.stacks.get(cell.index()).copied().unwrap_or(Stack::EMPTY)
    }

    /// The player who has claimed a colour; `None` while it is neutral.
    pub fn owner(&self, colour: Colour) -> Option<Player> {
        [Player::ONE, Player::TWO]
            .into_iter()
            .find(|player| self.claims[player.index()].contains(&Some(colour)))
    }

    /// The colours a player has claimed, in that order.
    pub fn claims(&self, player: Player) -> impl Iterator<Item = Colour> {
        self.claims.get(player.index()).into_iter().flatten().flatten().copied()
    }

    /// Who has the colour on top of a stack.
    fn holder(&self, stack: Stack) -> Option<Player> {
        match stack.top() {
            Some(Piece::Coloured(colour)) => self.owner(colour),
            _ => None,
        }
    }

    /// How many stacks of this height a player holds: one of his colours is on top.
    fn held(&self, player: Player, height: usize) -> usize {
        let held =
            |stack: &&Stack| stack.height() == height && self.holder(**stack) == Some(player);
        self.stacks.iter().filter(held).count()
    }

    /// L26, L31: who stands better by a count of each player's stacks.
    fn compare(&self) -> Ordering {
        let by_height = (1..self.variant.height_max())
            .rev()
            .map(|height| self.held(Player::ONE, height).cmp(&self.held(Player::TWO, height)));
        by_height.fold(self.won[0].cmp(&self.won[1]), Ordering::then)
    }

    fn claim(&mut self, player: Player, colour: Colour) {
        if let Some(free) = self.claims[player.index()].iter_mut().find(|claim| claim.is_none()) {
            *free = Some(colour);
            self.claimed = true;
        }
    }

    fn move_stack(&mut self, player: Player, from: Cell, to: Cell) {
        let stack = self.stack(from).put_on(self.stack(to));
        let wins =
            stack.height() == self.variant.height_max() && self.holder(stack) == Some(player);
        let comes_off = wins && self.variant == Variant::Normal;
        let Ok([origin, end]) = self.stacks.get_disjoint_mut([from.index(), to.index()]) else {
            return;
        };
        *origin = Stack::EMPTY;
        *end = if comes_off { Stack::EMPTY } else { stack };
        self.claimed = false;
        if wins {
            self.won[player.index()] = self.won[player.index()].saturating_add(1);
        }
        self.turn = if wins && self.variant == Variant::Six { None } else { self.next(player) };
    }

    /// Who acts after this player: the other; he himself if that one has no step (L25); nobody if
    /// neither has (L26).
    fn next(&self, player: Player) -> Option<Player> {
        let survey = Survey::of(self);
        [player.other(), player].into_iter().find(|&next| survey.has_step(next))
    }
}

impl Game for Lyngk {
    type Step = Step;
    type Reason = Reason;

    fn id(&self) -> Id {
        match self.variant {
            Variant::Normal => Id::Lyngk,
            Variant::Six => Id::LyngkSix,
        }
    }

    fn board(&self) -> &'static Board {
        &geometry::LYNGK
    }

    fn turn(&self) -> Option<Player> {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.turn.is_some() {
            return None;
        }
        Some(match self.compare() {
            Ordering::Greater => Outcome::Win(Player::ONE),
            Ordering::Less => Outcome::Win(Player::TWO),
            Ordering::Equal => Outcome::Draw,
        })
    }

    fn score(&self) -> Score {
        let score = |player: Player| {
            let held = match self.variant {
                Variant::Normal => 0,
                Variant::Six => self.held(player, 5),
            };
            usize::from(self.won[player.index()]) + held
        };
        Score::of_two(score(Player::ONE), score(Player::TWO))
    }

    fn table(&self) -> Table {
        self.look()
    }

    fn steps(&self) -> impl Iterator<Item = Step> {
        steps::all(self)
    }

    fn step_count(&self) -> usize {
        steps::count(self)
    }

    fn origins(&self) -> CellSet {
        steps::origins(self)
    }

    fn destinations(&self, origin: Cell) -> CellSet {
        steps::destinations(self, origin)
    }

    fn check(&self, step: Step) -> Result<(), Refusal<Reason>> {
        refusal::check(self, step)
    }

    fn play_unchecked(&mut self, step: Step) {
        let Some(player) = self.turn else { return };
        match step {
            Step::Claim(colour) => self.claim(player, colour),
            Step::Move { from, to } => self.move_stack(player, from, to),
        }
    }

    fn parse_step(&self, text: &[u8]) -> Result<Step, Malformed> {
        notation::parse_step(text)
    }

    fn write_step(&self, step: Step, to: &mut impl fmt::Write) -> fmt::Result {
        notation::write_step(step, to)
    }

    fn write_position(&self, to: &mut impl fmt::Write) -> fmt::Result {
        notation::write_position(self, to)
    }
}
