//! What a light says, before it has a colour: the words between referee, light and link.
//!
//! The referee says what every point means; `light` turns that into colour and rhythm; hosts read
//! it by name. Nothing here knows a colour or a time.

use crate::games::Player;
use crate::geometry::{Playfield, Point};
use crate::wiring::KEY_LED_COUNT;

/// What the light of a point says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// The piece in the hand came from here.
    Origin,
    /// It may go here.
    Destination,
    /// It may go here, and takes or completes something.
    Capture,
    /// A piece that may act.
    Movable,
    /// To be done: put a piece here.
    Put,
    /// To be done: take this off.
    Take,
    /// To be done: turn this over.
    Flip,
    /// Does not belong here.
    Wrong,
    /// Is missing here.
    Missing,
    /// Which one? The n-th candidate of a question, counted from 0.
    Candidate(u8),
    /// The last step began here.
    LastFrom,
    /// The last step ended here.
    LastTo,
    /// Set-up: a piece of this kind goes here.
    SetUp(Kind),
    /// This player is to act.
    ToAct(Player),
    /// This player won; the n-th light of his score, counted from 0.
    Winner(Player, u8),
}

/// The kinds of pieces a set-up tells apart by colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// White pieces, and LYNGK's jokers.
    White,
    /// Black pieces.
    Black,
    /// LYNGK's blue.
    Blue,
    /// LYNGK's green.
    Green,
    /// LYNGK's ivory.
    Ivory,
    /// LYNGK's and DVONN's red.
    Red,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 6] =
        [Kind::White, Kind::Black, Kind::Blue, Kind::Green, Kind::Ivory, Kind::Red];
}

impl Meaning {
    /// Those that need nothing beside them.
    pub const PLAIN: [Meaning; 11] = [
        Meaning::Origin,
        Meaning::Destination,
        Meaning::Capture,
        Meaning::Movable,
        Meaning::Put,
        Meaning::Take,
        Meaning::Flip,
        Meaning::Wrong,
        Meaning::Missing,
        Meaning::LastFrom,
        Meaning::LastTo,
    ];

    /// The name by which hosts know it.
    pub const fn name(self) -> &'static str {
        match self {
            Meaning::Origin => "origin",
            Meaning::Destination => "destination",
            Meaning::Capture => "capture",
            Meaning::Movable => "movable",
            Meaning::Put => "put",
            Meaning::Take => "take",
            Meaning::Flip => "flip",
            Meaning::Wrong => "wrong",
            Meaning::Missing => "missing",
            Meaning::Candidate(_) => "candidate",
            Meaning::LastFrom => "last-from",
            Meaning::LastTo => "last-to",
            Meaning::SetUp(_) => "set-up",
            Meaning::ToAct(_) => "to-act",
            Meaning::Winner(..) => "winner",
        }
    }
}

/// What all lights of a playfield say; a dark one says nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meanings {
    playfield: Playfield,
    points: [Option<Meaning>; Playfield::POINTS_MAX],
}

impl Meanings {
    /// Nothing is said.
    pub const fn none(playfield: Playfield) -> Meanings {
        Meanings { playfield, points: [None; Playfield::POINTS_MAX] }
    }

    /// The playfield it is about.
    pub const fn playfield(&self) -> Playfield {
        self.playfield
    }

    /// Says this at a point, whatever was said there before.
    pub fn set(&mut self, point: Point, meaning: Meaning) {
        self.points[point.index()] = Some(meaning);
    }

    /// What is said at a point.
    pub fn at(&self, point: Point) -> Option<Meaning> {
        self.points[point.index()]
    }

    /// All points that say something, in point order.
    pub fn iter(&self) -> impl Iterator<Item = (Point, Meaning)> + '_ {
        self.playfield.points().filter_map(|point| Some((point, self.at(point)?)))
    }
}

/// The corners of the hex playfield that say who is to act, by the player's index; no game uses them.
pub const TURN_CORNERS: [[Point; 2]; 2] = {
    const fn point(column: i8, row: i8) -> Point {
        Playfield::Hex.at(column, row).unwrap()
    }
    [[point(0, 1), point(10, 6)], [point(0, 6), point(10, 11)]]
};

/// What the lamp of a key says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lamp {
    /// The key does something now.
    Ready,
    /// What the key stands for is chosen: a value told, an option that is on.
    Chosen,
    /// The key stands for pieces of this kind: claims, set-up.
    Kind(Kind),
    /// The key answers a question: K1 means candidate 0, and so on.
    Candidate,
}

/// The lamps of K1..K6, by index from 0; a dark key does nothing now.
pub type Lamps = [Option<Lamp>; KEY_LED_COUNT];

#[cfg(test)]
mod tests {
    use std::string::ToString;

    use super::*;
    use crate::geometry::{DVONN, GIPF, HEX, LYNGK, YINSH};

    #[test]
    fn no_game_is_played_on_the_corners_that_say_whose_turn_it_is() {
        let name = |point| HEX.name(HEX.cell(point).unwrap()).to_string();
        assert_eq!(TURN_CORNERS.map(|pair| pair.map(name)), [["a1", "k6"], ["a6", "k11"]]);
        for point in TURN_CORNERS.into_iter().flatten() {
            assert!([&GIPF, &YINSH, &DVONN, &LYNGK].iter().all(|b| b.cell(point).is_none()));
        }
    }
}
