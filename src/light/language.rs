//! The language of the lights: which colour and which rhythm says what.
//!
//! Nothing depends on colour alone. What may be seen at the same time differs in rhythm or clearly
//! in brightness; where it does not, place or occasion tell it apart. `golden/apart.txt` lists how
//! every two are told apart. Mostly light asks for something to be there (put, missing), mostly
//! dark asks for it to go (take off, wrong).

use smart_leds::RGB8;

use super::DARK;
use super::rhythm::{
    ALTERNATION, BREATH, DOUBLE_BLINK, FLASHES, GAPS, IN_TURN, LEVEL_BITS, LONG_DARK, LONG_LIGHT,
    RUNNING, Rhythm, SLOW_BREATH, STEADY,
};
use crate::games::Player;
use crate::geometry::Playfield;
use crate::meaning::{Kind, Lamp, Meaning};

const WHITE_DIM: RGB8 = RGB8::new(24, 24, 24);
const WHITE_SOFT: RGB8 = RGB8::new(40, 40, 40);
const WHITE_BRIGHT: RGB8 = RGB8::new(120, 120, 120);
const GREEN: RGB8 = RGB8::new(0, 160, 0);
const AMBER: RGB8 = RGB8::new(180, 80, 0);
const RED: RGB8 = RGB8::new(220, 0, 0);
const MAGENTA: RGB8 = RGB8::new(160, 0, 160);
/// Blue looks dim anyway; a third of it is a clear step down.
const BLUE_DIM: RGB8 = RGB8::new(0, 0, 96);
const BLUE_DIMMEST: RGB8 = RGB8::new(0, 0, 32);

/// The players' colours: white, violet for black, and two more for GLÜX.
const PLAYERS: [RGB8; Player::MAX] =
    [RGB8::new(80, 80, 80), RGB8::new(40, 0, 72), RGB8::new(0, 80, 80), RGB8::new(110, 50, 0)];

/// How something looks: its colour where its rhythm is full, another where the rhythm is dark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Look {
    pub(super) colour: RGB8,
    pub(super) rest: RGB8,
    pub(super) rhythm: &'static Rhythm,
    /// How many slots of the rhythm it is late, for what runs from place to place.
    place: u8,
}

const fn look(colour: RGB8, rhythm: &'static Rhythm) -> Look {
    Look { colour, rest: DARK, rhythm, place: 0 }
}

impl Look {
    /// The table: meaning, colour, rhythm.
    pub(super) const fn of(meaning: Meaning, playfield: Playfield) -> Look {
        match meaning {
            Meaning::Origin => look(WHITE_DIM, &STEADY),
            Meaning::Destination => look(GREEN, &STEADY),
            Meaning::Capture => Look { rest: WHITE_DIM, ..look(GREEN, &ALTERNATION) },
            Meaning::Movable => look(WHITE_SOFT, &SLOW_BREATH),
            Meaning::Put => look(AMBER, &LONG_LIGHT),
            Meaning::Take => look(AMBER, &LONG_DARK),
            Meaning::Flip => look(AMBER, &DOUBLE_BLINK),
            Meaning::Wrong => look(RED, &FLASHES),
            Meaning::Missing => look(RED, &GAPS),
            Meaning::Candidate(n) => look(MAGENTA, &IN_TURN).late(n),
            Meaning::LastFrom => look(BLUE_DIMMEST, &STEADY),
            Meaning::LastTo => look(BLUE_DIM, &STEADY),
            Meaning::SetUp(kind) => look(piece(kind), &STEADY),
            // On the hex playfield at corners of its own, on the square one amid the game.
            Meaning::ToAct(player) => match playfield {
                Playfield::Hex => look(PLAYERS[player.index()], &STEADY),
                Playfield::Square => look(PLAYERS[player.index()], &BREATH),
            },
            Meaning::Winner(player, n) => look(PLAYERS[player.index()], &RUNNING).late(n),
        }
    }

    /// The same for the lamp of a key, counted from 0.
    pub(super) const fn of_lamp(lamp: Lamp, key: u8) -> Look {
        match lamp {
            Lamp::Ready => look(WHITE_DIM, &STEADY),
            Lamp::Chosen => look(WHITE_BRIGHT, &STEADY),
            Lamp::Kind(kind) => look(piece(kind), &STEADY),
            Lamp::Candidate => look(MAGENTA, &IN_TURN).late(key),
        }
    }

    const fn late(self, place: u8) -> Look {
        Look { place, ..self }
    }

    /// The colour at a time.
    pub(super) fn at(&self, now_ms: u32) -> RGB8 {
        let level = i32::from(self.rhythm.level(now_ms, self.place));
        let mix = |colour: u8, rest: u8| {
            let (colour, rest) = (i32::from(colour), i32::from(rest));
            (rest + (((colour - rest) * level) >> LEVEL_BITS)) as u8
        };
        let (colour, rest) = (self.colour, self.rest);
        RGB8::new(mix(colour.r, rest.r), mix(colour.g, rest.g), mix(colour.b, rest.b))
    }
}

/// The colour of a piece; a black one is a dim violet.
const fn piece(kind: Kind) -> RGB8 {
    match kind {
        Kind::White => WHITE_BRIGHT,
        Kind::Black => RGB8::new(24, 0, 40),
        Kind::Blue => RGB8::new(0, 0, 160),
        Kind::Green => RGB8::new(0, 140, 0),
        Kind::Ivory => RGB8::new(140, 105, 45),
        Kind::Red => RGB8::new(160, 0, 0),
    }
}
