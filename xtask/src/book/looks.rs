//! How a light looks, read off the frames that the board would send.
//!
//! The library turns meanings into colours and rhythms; here they are watched for four seconds, as
//! a person would, and put into words by the tables of `words`.

use anyhow::{Context, Result};
use lodestone::geometry::{Playfield, Point};
use lodestone::light::{Brightness, Scene};
use lodestone::meaning::{Lamp, Lamps, Meaning, Meanings};
use lodestone::text::Language;
use lodestone::wiring::{self, KEY_LED_COUNT};

use super::words;

/// One character of a strip, and how many there are: four seconds, the longest rhythm.
const SLOT_MS: u32 = 128;
const SLOTS: u32 = 32;

pub(super) type Colour = [u8; 3];

/// What one LED shows, slot by slot.
pub(super) struct Look(Vec<Colour>);

/// The look of a light of a point.
pub(super) fn of(meaning: Meaning, playfield: Playfield) -> Look {
    let point = playfield.points().next().expect("a playfield has points");
    let mut meanings = Meanings::none(playfield);
    meanings.set(point, meaning);
    watch(&meanings, [None; KEY_LED_COUNT], wiring::led(playfield, point))
}

/// The look of the lamp of the first key.
pub(super) fn of_lamp(lamp: Lamp) -> Look {
    let mut lamps = [None; KEY_LED_COUNT];
    lamps[0] = Some(lamp);
    watch(&Meanings::none(Playfield::Hex), lamps, 0)
}

fn watch(meanings: &Meanings, lamps: Lamps, led: usize) -> Look {
    let at = |slot: u32| {
        let now_ms = slot * SLOT_MS;
        let brightness = Brightness::Highest;
        let scene = Scene { meanings, lamps: &lamps, brightness, touched_ms: now_ms };
        let word = scene.frame(now_ms).data().nth(led).unwrap_or_default();
        let [green, red, blue, _] = word.to_be_bytes();
        [red, green, blue]
    };
    Look((0..SLOTS).map(at).collect())
}

impl Look {
    fn light(colour: Colour) -> u32 {
        colour.iter().map(|&byte| u32::from(byte)).sum()
    }

    fn brightest(&self) -> Colour {
        self.0.iter().copied().max_by_key(|&colour| Look::light(colour)).unwrap_or_default()
    }

    /// The colour in words; two when it goes to and fro between them.
    pub(super) fn colour(&self, language: Language) -> Result<String> {
        let brightest = self.brightest();
        let hue = |colour: Colour| colour.map(|byte| byte > 0);
        let other = self.0.iter().find(|&&c| Look::light(c) > 0 && hue(c) != hue(brightest));
        let name = |colour: Colour| words::colour(colour, language);
        match other {
            None => name(brightest),
            Some(&other) => Ok([name(brightest)?, name(other)?].join(words::and(language))),
        }
    }

    /// Its brightness in time, a character for each 128 ms.
    pub(super) fn strip(&self) -> String {
        const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        let full = Look::light(self.brightest()).max(1);
        let character = |&colour: &Colour| match Look::light(colour) {
            0 => '·',
            light => LEVELS[(light * 8 / full).clamp(1, 8) as usize - 1],
        };
        self.0.iter().map(character).collect()
    }

    /// The rhythm in words.
    pub(super) fn rhythm(&self, language: Language) -> Result<&'static str> {
        words::rhythm(&self.strip(), language)
    }
}

/// The names of some points of a playfield.
pub(super) fn names(playfield: Playfield, points: &[Point]) -> Result<String> {
    let board = match playfield {
        Playfield::Hex => &lodestone::geometry::HEX,
        Playfield::Square => &lodestone::geometry::SQUARE,
    };
    let name = |point: &Point| Some(format!("`{}`", board.name(board.cell(*point)?)));
    let names: Option<Vec<String>> = points.iter().map(name).collect();
    Ok(names.context("a point that is not on its playfield")?.join(" "))
}
