//! The link: messages between a host and the board, and how they travel as bytes.
//!
//! For firmware, simulator and clients alike; knows no USB. This header is the specification of the
//! wire format for people who write clients in other languages; `docs/link.md` has the same with
//! the numbers of all messages.
//!
//! # Frames
//!
//! ```text
//! COBS( message, CRC-32 of the message ) 00
//! ```
//!
//! - The *message* is 1 byte, its number, and then its fields in their order.
//! - The *CRC-32* is that of ISO-HDLC (zlib, Ethernet, PNG; `cbf43926` for the text `123456789`), as
//!   4 bytes, lowest first.
//! - *COBS* (consistent overhead byte stuffing) removes all zero bytes: the data with a zero put
//!   behind it is cut after every zero and after every 254 bytes without one; each piece is sent as
//!   its length plus one, then its bytes but for the zero.
//! - A zero byte ends the frame. Empty frames (a zero after a zero) mean nothing: a sender may begin
//!   with one to shake off what stands on the line.
//!
//! A receiver that cannot read a frame says why ([`FrameError`]), changes nothing and goes on behind
//! the next zero byte. The board answers every bad frame with an `Error`. A frame to the board has at
//! most [`TO_BOARD_FRAME_MAX`] bytes, one from the board at most [`FROM_BOARD_FRAME_MAX`].
//!
//! # Fields
//!
//! The encoding is postcard's:
//!
//! | field | bytes |
//! |---|---|
//! | `u8` | itself |
//! | `u16`, `u32` | 7 bits a byte, lowest first; the highest bit says that more bytes follow |
//! | `bool` | 0 or 1 |
//! | `Option` | 0 for nothing; 1 and the value |
//! | [`Text`], UTF-8 | its length as a `u32`, then its bytes |
//! | bytes, lists | their length as a `u32`, then the items |
//! | enumerations | 1 byte, counted from 0 in the order of the enum |
//! | `struct` | its fields in their order |
//!
//! Points are indices in the playfield's point order (column letter, then row number: hex 0..=90 are
//! a1 .. k11, square 0..=224 are a1 .. o15), whatever the game calls them; sets of points are lists in
//! rising order. Players are 1..=4; 0 is nobody. Steps, positions, results, handicaps and set-ups
//! travel as the texts of the notation, in the game's own point names.
//!
//! # Conversation
//!
//! A host sends `Hello` with its [`VERSION`]; the board answers with its own. When the two differ the
//! host goes away or speaks the board's. The number and the first field of both `Hello`s stay what they
//! are in every version. Numbers of messages and enumerations never change their meaning; a new one
//! goes to the end. What else changes, changes the version.
//!
//! Every request is answered in the order of arrival: by what it asks for, else by `Ack` or `Error`.
//! Events (`Committed` .. `Sound`) come in between at any time, `Lights`, `Meanings` and `Fields` after
//! a `Watch` that asks for them. A record may be longer than a frame and comes in several `Game`s; the
//! longest position line fits into one frame.

mod field;
mod frame;
mod message;
pub mod service;
#[cfg(test)]
mod tests;

pub use field::{CodeBytes, LightBytes, MeaningBytes, Places, Seat, Text};
pub use frame::{Decoder, Encoder, FrameError, Oversized};
pub use message::{
    Failure, FromBoard, Key, Numbered, Options, Phase, Procedure, Setting, Supply, Task, ToBoard,
};

use crate::geometry::Playfield;
use crate::wiring::LED_COUNT_MAX;

/// The version of the protocol.
pub const VERSION: u16 = 1;

/// Bytes of the longest step text, `xe2-e8` and seven GIPF-pieces of three bytes that stay: no line of
/// GIPF has more than seven spots. Steps of other games have eight at most (`xd10-h10`).
pub const STEP_MAX: usize = 6 + 7 * 3;
/// Bytes of the longest position line, which is one of `glux-4`: no game has more pieces, longer
/// names or more to say about one piece. Its 96 chips lie side by side (a covering chip adds two
/// bytes, one of its own square six or more); 90 of its 225 squares have names of three bytes
/// (`o15:46 `), six of the chips lie on others; then `| bag` and ` 0/0/0` for each of four.
pub const POSITION_MAX: usize = 90 * 7 + 6 * 6 + 5 + 4 * 6;
/// Bytes of the longest result, `share-1-2-3-4`.
pub const RESULT_MAX: usize = 13;
/// Bytes of the longest rule number: a letter and a `u8`.
pub const RULE_MAX: usize = 4;
/// Bytes of the longest handicap, `none`.
pub const HANDICAP_MAX: usize = 4;
/// Bytes of the longest set-up, LYNGK's 43 letters (`shuffle` and 64 bits have 28).
pub const SETUP_MAX: usize = 43;
/// Bytes of the longest name and version of a firmware.
pub const FIRMWARE_MAX: usize = 32;
/// Bytes of a serial number: 64 bits in hexadecimal.
pub const SERIAL_MAX: usize = 16;
/// Bytes of the longest id of a sentence in `text`.
pub const TEXT_ID_MAX: usize = 24;
/// Bytes of a record in one `Game`.
pub const PART_MAX: usize = 512;
/// Candidates of a question: one for each of K1..K6.
pub const CANDIDATES_MAX: usize = 6;
/// Bytes of `Lights`: red, green and blue of every LED.
pub const LIGHTS_MAX: usize = 3 * LED_COUNT_MAX;
/// Bytes of `Meanings`: point, meaning and argument of every point.
pub const MEANINGS_MAX: usize = 3 * Playfield::POINTS_MAX;
/// Bytes of `Fields`: a code of 16 bits of every point.
pub const CODES_MAX: usize = 2 * Playfield::POINTS_MAX;

/// Bytes of the longest message to the board, a `NewGame`: number, id and two texts.
const TO_BOARD_MAX: usize = 2 + (1 + HANDICAP_MAX) + (1 + SETUP_MAX);
/// Bytes of the longest message from the board, a `Position`: number and a text.
const FROM_BOARD_MAX: usize = 1 + (2 + POSITION_MAX);
// The other long ones are a list of bytes too, or a part of a record behind two numbers and a flag.
// All others are far shorter.
const _: () = assert!(
    LIGHTS_MAX <= POSITION_MAX
        && MEANINGS_MAX <= POSITION_MAX
        && CODES_MAX <= POSITION_MAX
        && 5 + 5 + 1 + PART_MAX <= POSITION_MAX
        && STEP_MAX <= SETUP_MAX
);

/// Bytes of the longest frame to the board, with the zero that ends it.
pub const TO_BOARD_FRAME_MAX: usize = frame::longest(TO_BOARD_MAX);
/// Bytes of the longest frame from the board, with the zero that ends it.
pub const FROM_BOARD_FRAME_MAX: usize = frame::longest(FROM_BOARD_MAX);
// One USB packet takes any request; the image has several buffers of the other size.
const _: () = assert!(TO_BOARD_FRAME_MAX <= 64 && FROM_BOARD_FRAME_MAX <= 712);

/// Writes a host's requests.
pub type HostEncoder = Encoder<TO_BOARD_FRAME_MAX>;
/// Reads them on the board.
pub type BoardDecoder = Decoder<TO_BOARD_FRAME_MAX>;
/// Writes the board's answers and events.
pub type BoardEncoder = Encoder<FROM_BOARD_FRAME_MAX>;
/// Reads them on the host.
pub type HostDecoder = Decoder<FROM_BOARD_FRAME_MAX>;
