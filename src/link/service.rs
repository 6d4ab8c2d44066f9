//! What stands between the bytes of a line and the console; for the image and the simulator alike.
//!
//! A [`Service`] takes bytes and hands out requests one by one, takes what the console says and
//! gives bytes. It moves none itself and has no clock. Whoever has the line does this, again and
//! again:
//!
//! ```text
//! opened, closed            -> open, close
//! bytes from the host       -> while next(&mut bytes) gives a request: console.handle, tell
//! effects of the console    -> tell, in their order
//! a scan, a new frame       -> lights, meanings, fields, health
//! wants_part()              -> send the next part of a long answer (Parts), end_answer
//! outgoing() has bytes      -> write some, sent(so many)
//! ```
//!
//! *Who hears what.* Answers are for everybody who asks, and so is the `Report` that an answer has
//! promised; events, sounds and now and then a `Health` are for hosts that watch events; `Lights`
//! and `Meanings` are sent when they have changed, `Fields` with every scan, each to hosts that
//! watch it. A host that opens the line finds a `Hello`, and watches nothing before it says so.
//!
//! *When the host does not read*, the board never waits for it:
//!
//! - `Lights`, `Meanings`, `Fields` and `Health` show a state. They only go into the half of the
//!   queue that others leave free; what finds no place is left out, and the newest is sent later.
//! - Answers: a request is not taken before there is room for the longest answer. Until then its
//!   bytes stay where they are, and the host waits, not the board.
//! - Events are never left out one by one: a host that misses a `Committed` without knowing has a
//!   wrong game. When one finds no place, *all* that waits is thrown away, the host watches nothing
//!   any more, and in place of it all it finds a zero byte (which ends a frame that was cut) and a
//!   `Hello`, as after a start. A `Hello` that was not asked for means: ask for the state anew. Not
//!   an `Error`: a host that ignores errors would go on as if nothing had been; every host knows
//!   what to do after a start.
//!
//! Every frame that cannot be read is answered by an `Error` and changes nothing.

#[cfg(test)]
mod tests;

use heapless::{String, Vec};

use super::{
    BoardDecoder, BoardEncoder, CODES_MAX, CodeBytes, FROM_BOARD_FRAME_MAX, Failure, FrameError,
    FromBoard, LIGHTS_MAX, LightBytes, MEANINGS_MAX, MeaningBytes, PART_MAX, Places, SERIAL_MAX,
    Supply, Text, ToBoard,
};
use crate::console::{Answer, Console, Effect, Event, Scratch, Watch};
use crate::geometry::Playfield;
use crate::journal::Window;
use crate::light::Frame;
use crate::meaning::Meanings;

/// Bytes that wait for the host at most: some answers and the longest frame.
const QUEUE: usize = 2048;
/// What messages that may be left out do not touch.
const RESERVE: usize = QUEUE / 2;
const _: () = assert!(QUEUE - RESERVE >= FROM_BOARD_FRAME_MAX && RESERVE >= FROM_BOARD_FRAME_MAX);

/// Seconds from one `Health` to the next.
pub const HEALTH_S: u32 = 10;

/// What a host that watches nothing watches.
const NOTHING: Watch = Watch { events: false, lights: false, meanings: false, fields: false };

/// One end of a line: the board's.
pub struct Service {
    decoder: BoardDecoder,
    outbox: Outbox,
    serial: String<SERIAL_MAX>,
    is_open: bool,
    /// An answer in several messages is under way.
    is_answering: bool,
    watch: Watch,
    /// What the host last saw of each.
    lights: Option<Frame>,
    meanings: Option<Meanings>,
    /// When it last heard how the board is.
    health_s: Option<u32>,
}

impl Service {
    /// A closed line of a board without a number; for a `static`.
    pub const fn new() -> Service {
        Service {
            decoder: BoardDecoder::new(),
            outbox: Outbox { encoder: BoardEncoder::new(), queue: Vec::new() },
            serial: String::new(),
            is_open: false,
            is_answering: false,
            watch: NOTHING,
            lights: None,
            meanings: None,
            health_s: None,
        }
    }

    /// The board's number, in hexadecimal; one that is too long is none.
    pub fn set_serial(&mut self, serial: &str) {
        self.serial = String::try_from(serial).unwrap_or_default();
    }

    /// A host has opened the line, or the board has just started: it is greeted.
    pub fn open(&mut self, console: &Console) {
        self.close();
        self.is_open = true;
        self.greet(console);
    }

    /// The host is gone; nobody is waited for.
    pub fn close(&mut self) {
        self.is_open = false;
        self.decoder.reset();
        self.forget();
    }

    /// What the host watches.
    pub fn watch(&self) -> Watch {
        self.watch
    }

    /// The next request that ends within `bytes`; what was used up is cut off them. A frame that
    /// cannot be read is already answered. `None`: the bytes are used up, or they have to wait until
    /// more of the answers is [`sent`](Service::sent).
    pub fn next<'a>(&'a mut self, bytes: &mut &[u8]) -> Option<Result<ToBoard<'a>, FrameError>> {
        if self.is_answering || !self.outbox.has_room() {
            return None;
        }
        let heard = self.decoder.next::<ToBoard>(bytes)?;
        // Whoever speaks listens, even if nobody said that the line is open.
        self.is_open = true;
        match heard {
            Ok(ToBoard::Watch { events, lights, meanings, fields }) => {
                self.watch = Watch { events, lights, meanings, fields };
                (self.lights, self.meanings, self.health_s) = (None, None, None);
            }
            Ok(_) => {}
            Err(error) => {
                // There is room.
                self.outbox.send(&refusal(error.into()), 0);
            }
        }
        Some(heard)
    }

    /// Says what an effect of the console means to the host, if anything.
    pub fn tell(&mut self, console: &Console, effect: &Effect) {
        let is_for_all = matches!(effect, Effect::Answer(_) | Effect::Event(Event::Report { .. }));
        if self.is_open && (is_for_all || self.watch.events) {
            let mut scratch = self.scratch();
            if let Some(message) = console.message(effect, &mut scratch) {
                self.send(console, &message);
            }
        }
    }

    /// Sends an answer that the console does not know: those of the journal. Without room the line
    /// begins anew.
    pub fn send(&mut self, console: &Console, message: &FromBoard) {
        if self.is_open && !self.outbox.send(message, 0) {
            self.greet(console);
        }
    }

    /// An answer in several messages begins; no request is taken until its end.
    pub fn begin_answer(&mut self) {
        self.is_answering = self.is_open;
    }

    /// Its last message is sent.
    pub fn end_answer(&mut self) {
        self.is_answering = false;
    }

    /// Whether such an answer is under way. No longer, when the line was closed or began anew: what
    /// is left of the answer is to be forgotten then.
    pub fn is_answering(&self) -> bool {
        self.is_answering
    }

    /// Whether there is room for its next message.
    pub fn wants_part(&self) -> bool {
        self.is_answering && self.outbox.has_room()
    }

    /// What the LEDs show now.
    pub fn lights(&mut self, playfield: Playfield, frame: &Frame) {
        if self.watch.lights && self.lights.as_ref() != Some(frame) {
            let leds = &mut [0; LIGHTS_MAX];
            let leds = LightBytes::pack(playfield, frame, leds);
            if self.outbox.send(&FromBoard::Lights { leds }, RESERVE) {
                self.lights = Some(frame.clone());
            }
        }
    }

    /// What the lights mean now.
    pub fn meanings(&mut self, meanings: &Meanings) {
        if self.watch.meanings && self.meanings.as_ref() != Some(meanings) {
            let points = &mut [0; MEANINGS_MAX];
            let points = MeaningBytes::pack(meanings, points);
            if self.outbox.send(&FromBoard::Meanings { points }, RESERVE) {
                self.meanings = Some(meanings.clone());
            }
        }
    }

    /// A scan.
    pub fn fields(&mut self, codes: &[u16]) {
        if self.watch.fields {
            let bytes = &mut [0; CODES_MAX];
            let codes = CodeBytes::pack(codes, bytes);
            // The next one is as good.
            self.outbox.send(&FromBoard::Fields { codes }, RESERVE);
        }
    }

    /// How the board is, so many seconds after its start; sent every [`HEALTH_S`].
    pub fn health(&mut self, console: &Console, uptime_s: u32, supply: Supply, resets: u16) {
        let is_due = self.health_s.is_none_or(|last| uptime_s.wrapping_sub(last) >= HEALTH_S);
        if self.watch.events && is_due {
            let faulty = Places(console.sense().faults());
            let health = FromBoard::Health { faulty, supply, uptime_s, resets };
            if self.outbox.send(&health, RESERVE) {
                self.health_s = Some(uptime_s);
            }
        }
    }

    /// What is to be written to the line.
    pub fn outgoing(&self) -> &[u8] {
        &self.outbox.queue
    }

    /// So many bytes of it were.
    pub fn sent(&mut self, count: usize) {
        let count = count.min(self.outbox.queue.len());
        self.outbox.queue.drain(..count);
    }

    /// Throws away what waits and says who is here.
    fn greet(&mut self, console: &Console) {
        self.forget();
        // Ends the frame that may be half on its way.
        let _ = self.outbox.queue.push(0);
        let mut scratch = self.scratch();
        if let Some(hello) = console.message(&Effect::Answer(Answer::Hello), &mut scratch) {
            self.outbox.send(&hello, 0);
        }
    }

    fn forget(&mut self) {
        self.outbox.queue.clear();
        (self.watch, self.is_answering) = (NOTHING, false);
    }

    fn scratch(&self) -> Scratch {
        let mut scratch = Scratch::default();
        scratch.serial.clone_from(&self.serial);
        scratch
    }
}

impl Default for Service {
    fn default() -> Service {
        Service::new()
    }
}

/// Frames that wait for the host.
struct Outbox {
    encoder: BoardEncoder,
    queue: Vec<u8, QUEUE>,
}

impl Outbox {
    /// Whether any message fits.
    fn has_room(&self) -> bool {
        QUEUE - self.queue.len() >= FROM_BOARD_FRAME_MAX
    }

    /// Queues a message if so many bytes stay free behind it; whether it is.
    fn send(&mut self, message: &FromBoard, reserve: usize) -> bool {
        // Every message of this direction fits into a frame.
        let Ok(frame) = self.encoder.encode(message) else { return false };
        let fits = self.queue.len() + frame.len() + reserve <= QUEUE;
        fits && self.queue.extend_from_slice(frame).is_ok()
    }
}

/// A stored game on its way to the host, part by part, written anew for each: there is no room for
/// the whole.
pub struct Parts {
    number: u32,
    offset: u32,
}

impl Parts {
    /// The game with this number, from its beginning.
    pub const fn of(number: u32) -> Parts {
        Parts { number, offset: 0 }
    }

    /// What the record is to be written to next.
    pub fn window<'a>(&self, part: &'a mut [u8; PART_MAX]) -> Window<'a> {
        Window::new(self.offset as usize, part)
    }

    /// The message when it is written; whether it is the last one, it says itself.
    pub fn message<'a>(&mut self, window: Window<'a>) -> FromBoard<'a> {
        let (text, is_cut) = window.finish();
        let (number, offset) = (self.number, self.offset);
        self.offset += text.len() as u32;
        // A window holds no more than a part.
        FromBoard::Game { number, offset, last: !is_cut, text: Text::new(text).unwrap_or_default() }
    }
}

/// The answer to what is not done.
fn refusal(code: Failure) -> FromBoard<'static> {
    FromBoard::Error { code, text: Text::default() }
}
