//! The link between USB and the console.
//!
//! Towards the board every byte counts: while the console is busy the host waits. Towards the host
//! nothing ever waits: [`Outbox::send`] puts a frame into a queue or decides at once that it will
//! not be sent.
//!
//! - Without a host that listens, everything is dropped.
//! - `Lights`, `Meanings` and `Fields` show a state and will come again: they only go into the half
//!   of the queue that others leave free.
//! - Answers and events are never left out one by one. When they do not fit, the host has not been
//!   reading for a while: all that waits is thrown away, and the host finds a `Hello` in its place,
//!   as after a start. Then it knows that it has missed something, and asks for the state.
//!
//! A host that opens the port is greeted by a `Hello` as well. Before each such `Hello` comes a zero
//! byte, which ends whatever frame was cut off.

use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::pipe::Pipe;
use heapless::Vec;
use lodestone::link::{
    BoardEncoder, FIRMWARE_MAX, FROM_BOARD_FRAME_MAX, FromBoard, SERIAL_MAX, Text, VERSION,
};

use super::field;

/// The largest packet of a full-speed bulk endpoint.
pub(super) const PACKET_MAX: usize = 64;

/// What comes from the port.
pub(super) enum Line {
    /// A program has opened it.
    Opened,
    /// It was closed, or the cable is out.
    Closed,
    /// Bytes to the board.
    Bytes(Vec<u8, PACKET_MAX>),
}

/// From the port to the console.
pub(super) static LINE: Channel<CriticalSectionRawMutex, Line, 2> = Channel::new();

/// Bytes that wait for the host: some answers and the longest frame.
const QUEUE: usize = 2048;
/// What frames that may be dropped leave free.
const RESERVE: usize = QUEUE / 2;
const _: () = assert!(QUEUE - RESERVE >= FROM_BOARD_FRAME_MAX);

/// From the console to the port.
pub(super) static OUT: Pipe<CriticalSectionRawMutex, QUEUE> = Pipe::new();

const FIRMWARE: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));

/// Sends messages to the host.
pub(super) struct Outbox {
    encoder: BoardEncoder,
    serial: &'static str,
    is_open: bool,
}

impl Outbox {
    pub(super) fn new(serial: &'static str) -> Outbox {
        Outbox { encoder: BoardEncoder::new(), serial, is_open: false }
    }

    /// The host that was there is gone.
    pub(super) fn close(&mut self) {
        self.is_open = false;
        OUT.clear();
    }

    /// Somebody listens. Without a greeting when they were the first to speak.
    pub(super) fn open(&mut self) {
        self.is_open = true;
    }

    /// Throws away what waits, and says who is here.
    pub(super) fn greet(&mut self) {
        OUT.clear();
        push(&[0]);
        let hello = self.hello();
        self.send(&hello);
    }

    /// Who is here.
    pub(super) fn hello(&self) -> FromBoard<'static> {
        const { assert!(FIRMWARE.len() <= FIRMWARE_MAX) };
        let firmware: Option<Text<'static, FIRMWARE_MAX>> = Text::new(FIRMWARE);
        let serial: Option<Text<'static, SERIAL_MAX>> = Text::new(self.serial);
        FromBoard::Hello {
            version: VERSION,
            firmware: firmware.unwrap_or_default(),
            playfield: field::playfield(),
            serial: serial.unwrap_or_default(),
        }
    }

    /// Sends a message, or drops it by the rules above.
    pub(super) fn send(&mut self, message: &FromBoard<'_>) {
        if !self.is_open {
            return;
        }
        let may_be_dropped = matches!(
            message,
            FromBoard::Lights { .. } | FromBoard::Meanings { .. } | FromBoard::Fields { .. }
        );
        let Ok(frame) = self.encoder.encode(message) else {
            defmt::error!("a message does not fit a frame");
            return;
        };
        let reserve = if may_be_dropped { RESERVE } else { 0 };
        if frame.len() + reserve <= OUT.free_capacity() {
            push(frame);
        } else if !may_be_dropped {
            defmt::warn!("the host does not read");
            self.greet();
        }
    }
}

/// Puts bytes that fit into the queue, in two parts where its end is reached.
fn push(mut bytes: &[u8]) {
    while let Ok(count) = OUT.try_write(bytes)
        && count < bytes.len()
    {
        bytes = &bytes[count..];
    }
}
