//! What people do, as words.

use lodestone::games::Id;
use lodestone::geometry::Point;
use lodestone::link::Key;

use super::read::Words;
use crate::table::{Fault, Kind, Piece, PlaceMm, Pole};

/// What of a point is taken hold of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// Everything.
    All,
    /// Only the ring.
    Ring,
    /// So many pieces from the top.
    Top(usize),
}

/// Something done at the table.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Act {
    /// A piece from beside the board is set down, so far from the middle of the point.
    Put(Piece, Point, PlaceMm),
    /// A piece from beside the board is taken into the hand.
    Bring(Piece),
    Lift(Part, Point),
    /// What was lifted last is set down.
    Down(Point, PlaceMm),
    /// What was lifted last is held over a point, so high.
    Hover(Point, f64),
    /// Everything in the hand leaves.
    Away,
    Move(Part, Point, Point),
    /// The same along the surface, in so many ms.
    Slide(Part, Point, Point, u32),
    /// Pieces leave the board, one point after the other.
    Off(Part, Vec<Point>),
    /// The same, all at once.
    Sweep(Vec<Point>),
    Turn(Part, Point),
    Nudge(Point, PlaceMm),
    /// Everything the beginning or the steps before ask for is laid out, where it is missing.
    Lay,
    Tap(Key),
    /// Pressed for longer than a second.
    Hold(Key),
    Press(Key),
    Release(Key),
    /// A request, as JSON.
    Host(String),
    PowerCut,
    Break(Point, Fault),
    /// A field over the whole board, mT.
    Ambient(f64),
    Wait(u32),
}

impl Act {
    pub(super) fn read(verb: &str, words: &mut Words) -> Result<Act, String> {
        Ok(match verb {
            "put" => Act::Put(words.piece()?, words.point()?, words.off()?),
            "bring" => Act::Bring(words.piece()?),
            "lift" => Act::Lift(words.part()?, words.point()?),
            "down" => Act::Down(words.point()?, words.off()?),
            "hover" => Act::Hover(words.point()?, words.number()?),
            "away" => Act::Away,
            "move" => Act::Move(words.part()?, words.point()?, words.point()?),
            "slide" => Act::Slide(words.part()?, words.point()?, words.point()?, words.number()?),
            "off" => Act::Off(words.part()?, words.points()?),
            "sweep" => Act::Sweep(words.points()?),
            "turn" => Act::Turn(words.part()?, words.point()?),
            "nudge" => Act::Nudge(words.point()?, words.mm()?),
            "lay" => Act::Lay,
            "tap" => Act::Tap(words.key()?),
            "hold" => Act::Hold(words.key()?),
            "press" => Act::Press(words.key()?),
            "release" => Act::Release(words.key()?),
            "host" => Act::Host(words.rest()),
            "power" => words.only("cut").map(|()| Act::PowerCut)?,
            "break" => Act::Break(words.point()?, words.fault()?),
            "ambient" => Act::Ambient(words.number()?),
            "wait" => Act::Wait(words.number()?),
            _ => return Err(format!("no act is called `{verb}`")),
        })
    }
}

/// The pieces of each game, told by the letter of its rules.
pub(super) fn piece(id: Id, word: &str) -> Option<Piece> {
    const fn turned(kind: Kind) -> Piece {
        Piece { turned: true, ..Piece::new(kind, Pole::Plus) }
    }
    Some(match (id.letter(), word) {
        ('G', "white") => Piece::new(Kind::GipfBasic, Pole::Plus),
        ('G', "black") => Piece::new(Kind::GipfBasic, Pole::Minus),
        ('G', "white-gipf") => Piece::new(Kind::GipfBody, Pole::Plus),
        ('G', "black-gipf") => Piece::new(Kind::GipfBody, Pole::Minus),
        ('Y', "white-ring") => Piece::new(Kind::Ring, Pole::Plus),
        ('Y', "black-ring") => Piece::new(Kind::Ring, Pole::Minus),
        ('Y', "white-marker") => Piece::new(Kind::Marker, Pole::Plus),
        ('Y', "black-marker") => turned(Kind::Marker),
        ('D', "red") | ('L', "joker") => Piece::new(Kind::StrongFlat, Pole::Plus),
        ('D', "white" | "black") | ('L', "black" | "blue" | "green" | "ivory" | "red") => {
            Piece::new(Kind::Flat, Pole::Plus)
        }
        ('X', "low") => Piece::new(Kind::Chip, Pole::Plus),
        ('X', "high") => turned(Kind::Chip),
        _ => return None,
    })
}
