//! The rules of the five games: positions, legal steps, results, refusals with rule numbers.
//!
//! A *step* is the smallest thing a player decides: a push, a row taken off, a claim, a placement,
//! a move. A turn is one or more steps of one player. A forced pass is not a step: the turn goes
//! on by itself. A position is a small `Copy` value without heap, clock or history; whoever wants
//! to go back keeps the old one.
//!
//! Every game answers to the verbs of [`Game`] and has the same files: `mod.rs` (the position and
//! what a step does to it), `steps.rs` (which steps are legal), `refusal.rs` (why others are not),
//! `notation.rs` (texts), `setup.rs` (how a game begins), `table.rs` (what its pieces look like to
//! magnets), `tables.rs` (made at compile time), `tests.rs`. The numbered rules they implement stand
//! in `docs/rules/`. What only a hand can do wrong is in `slip.rs`. Games know nothing of sensors,
//! lights or time, and have no sentences: reasons are values with a rule number, `text` says them.

/// Enumerates why something is refused: in each row the reason, the letter and the number of the
/// rule that forbids it.
macro_rules! reasons {
    ($(#[$about:meta])* pub enum $enum:ident {
        $($(#[$doc:meta])* $reason:ident = $letter:literal $number:literal,)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $enum {
            $($(#[$doc])* $reason,)*
        }

        impl $enum {
            /// All of them, by rule number.
            pub const ALL: &'static [$enum] = &[$($enum::$reason),*];
        }

        impl $crate::games::Reason for $enum {
            fn rule(self) -> $crate::games::Rule {
                let (letter, number) = match self {
                    $($enum::$reason => ($letter, $number),)*
                };
                $crate::games::Rule { letter, number }
            }
        }
    };
}

pub mod any;
pub mod dvonn;
pub mod gipf;
pub mod glux;
pub mod lyngk;
pub mod notation;
pub mod slip;
pub mod table;
pub mod yinsh;

use core::fmt::{self, Write};

use crate::geometry::{Board, Cell, CellSet};
use crate::random::SplitMix64;
pub use notation::Malformed;
pub use table::Table;

/// What all five games can be asked.
pub trait Game: Copy + Eq {
    /// What a player decides.
    type Step: Copy + Eq + fmt::Debug;
    /// Why something is not legal.
    type Reason: Reason;

    /// Which of the eleven games this is.
    fn id(&self) -> Id;

    /// Where it is played.
    fn board(&self) -> &'static Board;

    /// Who is to act; `None` when the game is over.
    fn turn(&self) -> Option<Player>;

    /// How the game ended; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// The score of each player as the game counts it.
    fn score(&self) -> Score;

    /// What lies where, as magnets show it.
    fn table(&self) -> Table;

    /// All legal steps, each once, in no particular order; none when the game is over.
    fn steps(&self) -> impl Iterator<Item = Self::Step>;

    /// How many legal steps there are: `steps().count()`, but quicker.
    fn step_count(&self) -> usize {
        self.steps().count()
    }

    /// The cells at which a legal step can begin. A row to be taken begins at either end; a claim
    /// has no cell.
    fn origins(&self) -> CellSet;

    /// Where a legal step that begins at this cell can end: for a row its other end, for a step on
    /// one cell (a placement, a ring to take off) the cell itself.
    fn destinations(&self, origin: Cell) -> CellSet;

    /// Whether a step is legal, and if not, by which rule. When several rules forbid it, the one
    /// with the lowest number is named.
    fn check(&self, step: Self::Step) -> Result<(), Refusal<Self::Reason>>;

    /// Carries out a step that is known to be legal. What another one gives is unspecified, but
    /// never a panic.
    fn play_unchecked(&mut self, step: Self::Step);

    /// Carries out a legal step; an illegal one is refused and changes nothing.
    fn play(&mut self, step: Self::Step) -> Result<(), Refusal<Self::Reason>> {
        self.check(step)?;
        self.play_unchecked(step);
        Ok(())
    }

    /// Reads a step text, which must be exactly of the notation's form.
    fn parse_step(&self, text: &[u8]) -> Result<Self::Step, Malformed>;

    /// Writes a step as text.
    fn write_step(&self, step: Self::Step, to: &mut impl Write) -> fmt::Result;

    /// Writes the position in one line.
    fn write_position(&self, to: &mut impl Write) -> fmt::Result;
}

/// A player, counted from 1 in turn order; 1 begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(target_os = "none", derive(defmt::Format))]
pub struct Player(u8);

impl Player {
    /// The most players a game has.
    pub const MAX: usize = 4;
    /// Player 1, White where there are colours.
    pub const ONE: Player = Player(0);
    /// Player 2, Black where there are colours.
    pub const TWO: Player = Player(1);

    /// The player with this index, counted from 0.
    pub const fn from_index(index: usize) -> Player {
        debug_assert!(index < Player::MAX);
        Player(index as u8)
    }

    /// Counted from 0, for tables.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Counted from 1, for people.
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// The other one, in a game of two.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Player {
        Player(self.0 ^ 1)
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// One player won.
    Win(Player),
    /// Nobody did.
    Draw,
    /// Several of three or four players share the victory.
    Share(Winners),
}

/// The players who share a victory.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Winners(u8);

impl Winners {
    /// These and one more.
    #[must_use]
    pub const fn with(self, player: Player) -> Winners {
        Winners(self.0 | 1 << player.0)
    }

    /// In turn order.
    pub fn iter(self) -> impl Iterator<Item = Player> {
        (0..Player::MAX).map(Player::from_index).filter(move |p| self.0 & 1 << p.0 != 0)
    }
}

/// `p1win`, `draw`, `share-1-3`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win(player) => write!(f, "p{}win", player.number()),
            Outcome::Draw => f.write_str("draw"),
            Outcome::Share(winners) => {
                f.write_str("share")?;
                winners.iter().try_for_each(|player| write!(f, "-{}", player.number()))
            }
        }
    }
}

/// A number for each player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Score {
    points: [u16; Player::MAX],
    players: u8,
}

impl Score {
    /// A score for the first `players` players.
    pub const fn new(points: [u16; Player::MAX], players: usize) -> Score {
        Score { points, players: players as u8 }
    }

    /// A score for two.
    pub const fn of_two(one: usize, two: usize) -> Score {
        Score::new([one as u16, two as u16, 0, 0], 2)
    }

    /// In turn order.
    pub fn as_slice(&self) -> &[u16] {
        self.points.get(..usize::from(self.players)).unwrap_or(&self.points)
    }
}

/// A numbered rule, such as Y8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(target_os = "none", derive(defmt::Format))]
pub struct Rule {
    /// The letter of the game: G, Y, D, L or X.
    pub letter: char,
    /// Its number.
    pub number: u8,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.letter, self.number)
    }
}

/// Why something is not legal: the part of a [`Refusal`] that each game enumerates. `text` has the
/// sentences.
pub trait Reason: Copy + Eq + fmt::Debug + Into<any::Reason> {
    /// The rule that forbids it.
    fn rule(self) -> Rule;
}

/// A step that is not legal: why, and the cells that show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Refusal<R> {
    /// Why.
    pub reason: R,
    /// Where one sees it: the ring that is in the way, the row that is to be taken.
    pub cells: CellSet,
}

impl<R: Reason> Refusal<R> {
    /// A refusal with the cells that show why.
    pub fn new(reason: R, cells: CellSet) -> Refusal<R> {
        Refusal { reason, cells }
    }
}

/// The eleven games one can play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(target_os = "none", derive(defmt::Format))]
pub enum Id {
    /// GIPF without GIPF-pieces.
    GipfBasic,
    /// GIPF, three GIPF-pieces on the board at the start.
    Gipf,
    /// GIPF, empty board, GIPF-pieces brought in.
    GipfTournament,
    /// YINSH to three rings.
    Yinsh,
    /// YINSH to one ring.
    YinshBlitz,
    /// DVONN.
    Dvonn,
    /// LYNGK.
    Lyngk,
    /// LYNGK to a stack of six.
    LyngkSix,
    /// GLÜX for two.
    Glux2,
    /// GLÜX for three.
    Glux3,
    /// GLÜX for four.
    Glux4,
}

impl Id {
    /// All of them.
    pub const ALL: [Id; 11] = [
        Id::GipfBasic,
        Id::Gipf,
        Id::GipfTournament,
        Id::Yinsh,
        Id::YinshBlitz,
        Id::Dvonn,
        Id::Lyngk,
        Id::LyngkSix,
        Id::Glux2,
        Id::Glux3,
        Id::Glux4,
    ];

    /// As texts write it.
    pub const fn name(self) -> &'static str {
        match self {
            Id::GipfBasic => "gipf-basic",
            Id::Gipf => "gipf",
            Id::GipfTournament => "gipf-tournament",
            Id::Yinsh => "yinsh",
            Id::YinshBlitz => "yinsh-blitz",
            Id::Dvonn => "dvonn",
            Id::Lyngk => "lyngk",
            Id::LyngkSix => "lyngk-six",
            Id::Glux2 => "glux-2",
            Id::Glux3 => "glux-3",
            Id::Glux4 => "glux-4",
        }
    }

    /// The game with this name.
    pub fn parse(name: &[u8]) -> Option<Id> {
        Id::ALL.into_iter().find(|id| id.name().as_bytes() == name)
    }

    /// The letter of its rules.
    pub const fn letter(self) -> char {
        match self {
            Id::GipfBasic | Id::Gipf | Id::GipfTournament => 'G',
            Id::Yinsh | Id::YinshBlitz => 'Y',
            Id::Dvonn => 'D',
            Id::Lyngk | Id::LyngkSix => 'L',
            Id::Glux2 | Id::Glux3 | Id::Glux4 => 'X',
        }
    }

    /// Which seat, counted clockwise from 0, begins and so is player 1: drawn by lot in LYNGK (L2) and
    /// GLÜX (X4). Elsewhere White begins, and whoever sits in seat 0 has White.
    pub const fn first_seat(self, random: &mut SplitMix64) -> usize {
        match self.letter() {
            'L' | 'X' => random.below(self.player_count()),
            _ => 0,
        }
    }

    /// How many play it.
    pub const fn player_count(self) -> usize {
        match self {
            Id::Glux3 => 3,
            Id::Glux4 => 4,
            _ => 2,
        }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_names_of_their_own() {
        for id in Id::ALL {
            assert_eq!(Id::parse(id.name().as_bytes()), Some(id));
        }
        assert_eq!(Id::parse(b"chess"), None);
    }

    #[test]
    fn the_lot_is_fair_and_the_same_for_the_same_seed() {
        for id in Id::ALL {
            let draw = |seed| id.first_seat(&mut SplitMix64::new(seed));
            let mut begun = [0_usize; Player::MAX];
            (0..4000).for_each(|seed| begun[draw(seed)] += 1);
            assert_eq!(draw(7), draw(7));
            let seats = if matches!(id.letter(), 'L' | 'X') { id.player_count() } else { 1 };
            let share = 4000 / seats;
            for (seat, count) in begun.into_iter().enumerate() {
                let expected = if seat < seats { share } else { 0 };
                assert!(count.abs_diff(expected) <= share / 10, "{id}: {begun:?}");
            }
        }
    }
}
