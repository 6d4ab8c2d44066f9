//! Light: what the LED chain shall show, from what every light means.
//!
//! A [`Scene`] says what is meant: at the points, at the keys, how bright people want it and when
//! somebody last touched the board. [`Scene::frame`] turns it into a [`Frame`] for a moment in
//! time, with colours and rhythms from one table (`language`). A frame can only leave as
//! [`Frame::data`], which never draws more than the budget. For the console; the firmware's LED
//! driver and the simulator's view take the frames.
//!
//! Time is a count of milliseconds that may wrap. A scene's frame changes with time only from one
//! tick of [`TICK_MS`] to the next, and only where a rhythm moves: whoever compares frames sends at
//! most sixteen a second, and none while everything is steady. A new scene shows at once.
//!
//! Lights do not know why they are lit. Candidates beyond the eighth blink with an earlier one;
//! questions have at most six.

mod frame;
mod language;
mod rhythm;
#[cfg(test)]
mod tests;

use smart_leds::RGB8;

use crate::meaning::{Lamps, Meanings};
pub use frame::{DARK, Frame};
use language::Look;
use rhythm::TICK_BITS;
pub use rhythm::TICK_MS;

/// Without a touch for so long, the board dims. It brightens again for as long when the clock of 32
/// bits has gone round without a touch, after seven weeks.
pub const IDLE_MS: u32 = 5 * 60 * 1000;
/// A dimmed board has a quarter of the light.
const IDLE_SHIFT: u32 = 2;

/// How bright people want it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Brightness {
    /// For a dark room.
    Lowest,
    /// For the evening.
    Low,
    /// For a lit room.
    #[default]
    High,
    /// For daylight.
    Highest,
}

impl Brightness {
    /// From dark to bright.
    pub const ALL: [Brightness; 4] =
        [Brightness::Lowest, Brightness::Low, Brightness::High, Brightness::Highest];

    /// The part of the full light, in 256ths.
    const fn scale(self) -> u32 {
        match self {
            Brightness::Lowest => 32,
            Brightness::Low => 64,
            Brightness::High => 128,
            Brightness::Highest => 256,
        }
    }
}

/// Everything a frame shows.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// What the points say.
    pub meanings: &'a Meanings,
    /// What the keys say.
    pub lamps: &'a Lamps,
    /// How bright.
    pub brightness: Brightness,
    /// When somebody last moved a piece or pressed a key; not later than the frame's time.
    pub touched_ms: u32,
}

impl Scene<'_> {
    /// What is to be seen now.
    pub fn frame(&self, now_ms: u32) -> Frame {
        let tick_ms = now_ms & !(TICK_MS - 1);
        let scale = self.scale(now_ms);
        let playfield = self.meanings.playfield();
        let mut frame = Frame::dark(playfield);
        for (key, lamp) in self.lamps.iter().enumerate() {
            if let Some(lamp) = *lamp {
                let colour = Look::of_lamp(lamp, key as u8).at(tick_ms);
                frame.set_key(key, dimmed(colour, scale));
            }
        }
        for (point, meaning) in self.meanings.iter() {
            let colour = Look::of(meaning, playfield).at(tick_ms);
            frame.set_point(point, dimmed(colour, scale));
        }
        frame
    }

    /// The part of the full light, in 256ths. Counted in whole ticks, as everything that changes.
    fn scale(&self, now_ms: u32) -> u32 {
        let ticks = (now_ms >> TICK_BITS).wrapping_sub(self.touched_ms >> TICK_BITS);
        let idle = ticks & (u32::MAX >> TICK_BITS) > IDLE_MS >> TICK_BITS;
        self.brightness.scale() >> if idle { IDLE_SHIFT } else { 0 }
    }
}

/// Rounded up: what shines at all still shines when dimmed.
fn dimmed(colour: RGB8, scale: u32) -> RGB8 {
    let dim = |byte: u8| (u32::from(byte) * scale).div_ceil(256) as u8;
    RGB8::new(dim(colour.r), dim(colour.g), dim(colour.b))
}
