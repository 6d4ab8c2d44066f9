//! What lies where: the pieces a position asks for, as people see them.

use lodestone::games::any::Position;
use lodestone::games::{Game, Id};
use lodestone::geometry::Cell;

use crate::table::{Kind, Piece, Pole};

/// A piece as people see it: what it is made of, which way up it lies, and its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thing {
    /// Body, magnets and which way up.
    pub piece: Piece,
    /// What no sensor tells: the letter of its colour, for a chip its owner and kind. Markers have
    /// one colour, whichever side is up.
    pub colour: u8,
}

impl Thing {
    const fn new(kind: Kind, pole: Pole, colour: u8) -> Thing {
        Thing { piece: Piece::new(kind, pole), colour }
    }

    /// The same thing lying the other way up.
    #[must_use]
    pub const fn turned_over(mut self) -> Thing {
        self.piece.turned = !self.piece.turned;
        self
    }

    /// Whether it is the same thing, whichever way up.
    pub fn is_like(&self, other: &Thing) -> bool {
        *self == *other || self.turned_over() == *other
    }

    /// As the notation writes it in this game: a letter, of a chip its owner and the spots that
    /// are up.
    pub fn letters(&self, game: Id) -> String {
        let turned = self.piece.turned;
        match game.letter() {
            'X' => {
                let (player, low) = (self.colour / 10, self.colour % 10);
                format!("{player}{}", if turned { 7 - low } else { low })
            }
            'Y' if !self.is_ring() => (if turned { "b" } else { "w" }).into(),
            _ => char::from(self.colour).into(),
        }
    }

    /// Whether it goes over other pieces instead of onto them.
    pub const fn is_ring(&self) -> bool {
        self.piece.kind.is_ring()
    }
}

/// What stands on one cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pile<T> {
    /// Everything but rings, bottom to top.
    pub discs: Vec<T>,
    /// The ring around it.
    pub ring: Option<T>,
}

impl<T> Pile<T> {
    pub(super) const EMPTY: Pile<T> = Pile { discs: Vec::new(), ring: None };

    /// Whether nothing stands there.
    pub fn is_empty(&self) -> bool {
        self.discs.is_empty() && self.ring.is_none()
    }

    pub(super) fn map<U>(&self, see: impl Fn(&T) -> U) -> Pile<U> {
        Pile { discs: self.discs.iter().map(&see).collect(), ring: self.ring.as_ref().map(see) }
    }
}

/// The piles of all cells of a board, by cell index.
pub type Layout = Vec<Pile<Thing>>;

/// What a position asks for, read off its line.
pub fn layout(position: &Position) -> Layout {
    let mut line = String::new();
    position.write_position(&mut line).expect("writing to a String never fails");
    let board = position.board();
    let mut piles = vec![Pile::EMPTY; board.cell_count()];
    for word in line.split(' ').take_while(|&word| word != "|") {
        let (name, letters) = word.split_once(':').expect("a cell and what stands on it");
        let cell = board.parse(name.as_bytes()).expect("a cell of this board");
        piles[cell.index()] = pile(position.id(), letters.as_bytes());
    }
    piles
}

/// The cells with something on them.
pub(super) fn occupied(piles: &Layout) -> impl Iterator<Item = Cell> + '_ {
    (0..piles.len()).filter(|&index| !piles[index].is_empty()).map(Cell::new)
}

/// The piece that the notation writes like this in a game; see [`Thing::letters`].
pub fn thing_of(id: Id, letters: &str) -> Option<Thing> {
    let size = if id.letter() == 'X' { 2 } else { 1 };
    let pile = (letters.len() == size).then(|| pile(id, letters.as_bytes()))?;
    pile.discs.first().or(pile.ring.as_ref()).copied()
}

/// What the letters of one cell mean in a game.
fn pile(id: Id, letters: &[u8]) -> Pile<Thing> {
    let discs: Vec<Thing> = match id.letter() {
        'X' => letters.chunks(2).map(|chip| self::chip(chip[0] - b'0', chip[1] - b'0')).collect(),
        game => letters.iter().map(|&letter| thing(game, letter)).collect(),
    };
    match discs[..] {
        [ring] if ring.is_ring() => Pile { discs: Vec::new(), ring: Some(ring) },
        _ => Pile { discs, ring: None },
    }
}

/// The piece that a letter stands for in a game, told by the letter of its rules.
fn thing(game: char, letter: u8) -> Thing {
    let pole = if letter.eq_ignore_ascii_case(&b'b') { Pole::Minus } else { Pole::Plus };
    let marker = Thing::new(Kind::Marker, Pole::Plus, b'm');
    match (game, letter) {
        ('G', b'w' | b'b') => Thing::new(Kind::GipfBasic, pole, letter),
        ('G', _) => Thing::new(Kind::GipfBody, pole, letter),
        ('Y', b'w') => marker,
        ('Y', b'b') => marker.turned_over(),
        ('Y', _) => Thing::new(Kind::Ring, pole, letter),
        ('D', b'r') | ('L', b'W') => Thing::new(Kind::StrongFlat, Pole::Plus, letter),
        _ => Thing::new(Kind::Flat, Pole::Plus, letter),
    }
}

/// A player's chip with so many spots up; opposite sides have seven together.
fn chip(player: u8, spots: u8) -> Thing {
    let chip = |low: u8| Thing::new(Kind::Chip, Pole::Plus, 10 * player + low);
    if spots <= 3 { chip(spots) } else { chip(7 - spots).turned_over() }
}
