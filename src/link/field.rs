//! What messages are made of: texts with a bound, points, players, and the long lists as plain bytes.
//!
//! Texts and lists borrow from the frame they came in, so that a message is small and nothing is
//! copied. What is read is checked here: a field that is accepted can be used without a second look.

use core::fmt;

use serde::de::{Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smart_leds::RGB8;

use super::{CODES_MAX, LIGHTS_MAX, MEANINGS_MAX};
use crate::games::{Id, Player};
use crate::geometry::{Playfield, Point, PointSet};
use crate::light::Frame;
use crate::meaning::{Kind, Meaning, Meanings};
use crate::sense::Fault;
use crate::sound::Sound;
use crate::text::Language;
use crate::wiring::{self, KEY_LED_COUNT};

/// A text of at most `MAX` bytes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
#[serde(transparent)]
pub struct Text<'a, const MAX: usize>(&'a str);

impl<'a, const MAX: usize> Text<'a, MAX> {
    /// The text, unless it is too long.
    pub const fn new(text: &'a str) -> Option<Text<'a, MAX>> {
        if text.len() <= MAX { Some(Text(text)) } else { None }
    }

    /// Itself.
    pub const fn as_str(self) -> &'a str {
        self.0
    }
}

/// What fits there fits here.
impl<'a, const MAX: usize> From<&'a heapless::String<MAX>> for Text<'a, MAX> {
    fn from(text: &'a heapless::String<MAX>) -> Text<'a, MAX> {
        Text(text)
    }
}

impl<'de: 'a, 'a, const MAX: usize> Deserialize<'de> for Text<'a, MAX> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = <&str>::deserialize(from)?;
        Text::new(text).ok_or_else(|| Error::invalid_length(text.len(), &"a shorter text"))
    }
}

/// A player, or nobody: 1..=4, or 0.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Seat(pub Option<Player>);

impl Serialize for Seat {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u8(self.0.map_or(0, Player::number))
    }
}

impl<'de> Deserialize<'de> for Seat {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Seat, D::Error> {
        let number = u8::deserialize(from)?;
        if number == 0 {
            return Ok(Seat(None));
        }
        let player = player(number).ok_or_else(|| unexpected(number, &"0 to 4"))?;
        Ok(Seat(Some(player)))
    }
}

/// The player with this number, counted from 1.
fn player(number: u8) -> Option<Player> {
    let index = usize::from(number).checked_sub(1).filter(|&index| index < Player::MAX)?;
    Some(Player::from_index(index))
}

fn unexpected<E: Error>(number: u8, expected: &&str) -> E {
    E::invalid_value(Unexpected::Unsigned(number.into()), expected)
}

/// A set of points: their indices in rising order.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Places(pub PointSet);

impl Serialize for Places {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.0.iter().map(|point| point.index() as u8))
    }
}

impl<'de> Deserialize<'de> for Places {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Places, D::Error> {
        struct Rising;

        impl<'de> Visitor<'de> for Rising {
            type Value = PointSet;

            fn expecting(&self, to: &mut fmt::Formatter) -> fmt::Result {
                to.write_str("points in rising order")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<PointSet, A::Error> {
                let mut set = PointSet::EMPTY;
                while let Some(index) = items.next_element::<u8>()? {
                    let point = Point::new(Playfield::Square, index.into())
                        .filter(|&point| set.highest().is_none_or(|highest| highest < point))
                        .ok_or_else(|| unexpected(index, &"points in rising order"))?;
                    set.insert(point);
                }
                Ok(set)
            }
        }

        from.deserialize_seq(Rising).map(Places)
    }
}

/// Gives values of the library their numbers on the wire, and their names in formats that people read.
macro_rules! listed {
    ($($type:ident by $name:expr => { $($number:literal $value:ident)* })*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                if to.is_human_readable() {
                    return to.serialize_str($name(*self));
                }
                to.serialize_u8(match self {
                    $($type::$value => $number,)*
                })
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                if from.is_human_readable() {
                    let name = <&str>::deserialize(from)?;
                    let found = [$($type::$value),*].into_iter().find(|&value| $name(value) == name);
                    return found.ok_or_else(|| {
                        Error::invalid_value(Unexpected::Str(name), &"a known name")
                    });
                }
                match u8::deserialize(from)? {
                    $($number => Ok($type::$value),)*
                    other => Err(unexpected(other, &"a known number")),
                }
            }
        }
    )*};
}

listed! {
    Id by Id::name => {
        0 GipfBasic 1 Gipf 2 GipfTournament 3 Yinsh 4 YinshBlitz 5 Dvonn 6 Lyngk 7 LyngkSix
        8 Glux2 9 Glux3 10 Glux4
    }
    Playfield by playfield_name => { 0 Hex 1 Square }
    Fault by fault_name => { 0 OutOfRange 1 Stuck 2 Noisy }
    Sound by Sound::name => { 0 Accepted 1 Wrong 2 Turn 3 Question 4 End }
    Language by Language::code => { 0 English 1 Persian }
}

const fn playfield_name(playfield: Playfield) -> &'static str {
    match playfield {
        Playfield::Hex => "hex",
        Playfield::Square => "square",
    }
}

const fn fault_name(fault: Fault) -> &'static str {
    match fault {
        Fault::OutOfRange => "out-of-range",
        Fault::Stuck => "stuck",
        Fault::Noisy => "noisy",
    }
}

/// Makes types of checked bytes.
macro_rules! packed {
    ($($(#[$about:meta])* $type:ident: $valid:expr;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
        #[serde(transparent)]
        pub struct $type<'a>(&'a [u8]);

        impl<'de: 'a, 'a> Deserialize<'de> for $type<'a> {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let bytes = <&[u8]>::deserialize(from)?;
                let valid: fn(&[u8]) -> bool = $valid;
                if valid(bytes) {
                    Ok($type(bytes))
                } else {
                    Err(Error::invalid_value(Unexpected::Bytes(bytes), &"whole and valid items"))
                }
            }
        }
    )*};
}

packed! {
    /// What the LEDs show: red, green and blue of K1..K6, then of every point in point order, as sent to
    /// them.
    LightBytes: |bytes| bytes.len() <= LIGHTS_MAX && bytes.len().is_multiple_of(3);
    /// The code of every point in point order, 16 bits each, lowest byte first.
    CodeBytes: |bytes| bytes.len() <= CODES_MAX && bytes.len().is_multiple_of(2);
    /// Three bytes for every light that says something, points in rising order: the point, the number of
    /// the meaning and its argument, which is 0 where it has none.
    ///
    /// | number | meaning | argument |
    /// |---|---|---|
    /// | 0 .. 8 | origin, destination, capture, movable, put, take, flip, wrong, missing | |
    /// | 9 | candidate | which one, from 0 |
    /// | 10, 11 | last-from, last-to | |
    /// | 12 | set-up | 0 white, 1 black, 2 blue, 3 green, 4 ivory, 5 red |
    /// | 13 | to-act | player, from 1 |
    /// | 14 .. 17 | winner: player 1 .. 4 | which light of the score, from 0 |
    MeaningBytes: valid_meanings;
}

impl<'a> LightBytes<'a> {
    /// What a frame shows on its playfield.
    pub fn pack(
        playfield: Playfield,
        frame: &Frame,
        bytes: &'a mut [u8; LIGHTS_MAX],
    ) -> LightBytes<'a> {
        for (led, word) in frame.data().enumerate() {
            // Every other column of the chain runs against the point order. Turning a column round is
            // its own inverse, so the way from points to LEDs is also the way back.
            let point = led.checked_sub(KEY_LED_COUNT).and_then(|n| Point::new(playfield, n));
            let place = point.map_or(led, |point| wiring::led(playfield, point));
            let [green, red, blue, _] = word.to_be_bytes();
            if let Some(place) = bytes.get_mut(3 * place..3 * place + 3) {
                place.copy_from_slice(&[red, green, blue]);
            }
        }
        LightBytes(&bytes[..3 * wiring::led_count(playfield)])
    }

    /// The colours: K1..K6, then the points.
    pub fn iter(self) -> impl Iterator<Item = RGB8> + 'a {
        self.0.chunks_exact(3).map(|led| RGB8::new(led[0], led[1], led[2]))
    }
}

impl<'a> CodeBytes<'a> {
    /// A scan; codes beyond the largest playfield are left out.
    pub fn pack(codes: &[u16], bytes: &'a mut [u8; CODES_MAX]) -> CodeBytes<'a> {
        for (place, code) in bytes.chunks_exact_mut(2).zip(codes) {
            place.copy_from_slice(&code.to_le_bytes());
        }
        CodeBytes(&bytes[..2 * codes.len().min(Playfield::POINTS_MAX)])
    }

    /// The codes in point order.
    pub fn iter(self) -> impl Iterator<Item = u16> + 'a {
        self.0.chunks_exact(2).map(|code| u16::from_le_bytes([code[0], code[1]]))
    }
}

impl<'a> MeaningBytes<'a> {
    /// What the lights say.
    pub fn pack(meanings: &Meanings, bytes: &'a mut [u8; MEANINGS_MAX]) -> MeaningBytes<'a> {
        let mut length = 0;
        for (place, (point, meaning)) in bytes.chunks_exact_mut(3).zip(meanings.iter()) {
            let (number, argument) = meaning_number(meaning);
            place.copy_from_slice(&[point.index() as u8, number, argument]);
            length += 3;
        }
        MeaningBytes(&bytes[..length])
    }

    /// The points that say something, in point order. Whether the playfield has them is not known here.
    pub fn iter(self) -> impl Iterator<Item = (Point, Meaning)> + 'a {
        self.0.chunks_exact(3).filter_map(|item| said(item[0], item[1], item[2]))
    }
}

fn valid_meanings(bytes: &[u8]) -> bool {
    let items = bytes.chunks_exact(3);
    items.remainder().is_empty()
        && items.clone().is_sorted_by(|a, b| a[0] < b[0])
        && items.clone().all(|item| said(item[0], item[1], item[2]).is_some())
}

fn said(index: u8, number: u8, argument: u8) -> Option<(Point, Meaning)> {
    let point = Point::new(Playfield::Square, index.into())?;
    Some((point, numbered_meaning(number, argument)?))
}

const fn meaning_number(meaning: Meaning) -> (u8, u8) {
    match meaning {
        Meaning::Origin => (0, 0),
        Meaning::Destination => (1, 0),
        Meaning::Capture => (2, 0),
        Meaning::Movable => (3, 0),
        Meaning::Put => (4, 0),
        Meaning::Take => (5, 0),
        Meaning::Flip => (6, 0),
        Meaning::Wrong => (7, 0),
        Meaning::Missing => (8, 0),
        Meaning::Candidate(which) => (9, which),
        Meaning::LastFrom => (10, 0),
        Meaning::LastTo => (11, 0),
        Meaning::SetUp(kind) => (12, kind_number(kind)),
        Meaning::ToAct(player) => (13, player.number()),
        Meaning::Winner(player, which) => (13 + player.number(), which),
    }
}

fn numbered_meaning(number: u8, argument: u8) -> Option<Meaning> {
    Some(match (number, argument) {
        (0, 0) => Meaning::Origin,
        (1, 0) => Meaning::Destination,
        (2, 0) => Meaning::Capture,
        (3, 0) => Meaning::Movable,
        (4, 0) => Meaning::Put,
        (5, 0) => Meaning::Take,
        (6, 0) => Meaning::Flip,
        (7, 0) => Meaning::Wrong,
        (8, 0) => Meaning::Missing,
        (9, which) => Meaning::Candidate(which),
        (10, 0) => Meaning::LastFrom,
        (11, 0) => Meaning::LastTo,
        (12, kind) => Meaning::SetUp(Kind::ALL.into_iter().find(|&k| kind_number(k) == kind)?),
        (13, number) => Meaning::ToAct(player(number)?),
        (14..=17, which) => Meaning::Winner(player(number - 13)?, which),
        _ => return None,
    })
}

const fn kind_number(kind: Kind) -> u8 {
    match kind {
        Kind::White => 0,
        Kind::Black => 1,
        Kind::Blue => 2,
        Kind::Green => 3,
        Kind::Ivory => 4,
        Kind::Red => 5,
    }
}
