//! Between the USB port and the console: packets of bytes, both ways. What they say, and who waits
//! for whom, is the matter of the library's `link::service`.

use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::pipe::Pipe;
use heapless::Vec;

/// The largest packet of a full-speed bulk endpoint.
pub(super) const PACKET_MAX: usize = 64;

/// Bytes of one packet.
pub(super) type Packet = Vec<u8, PACKET_MAX>;

/// What comes from the port.
pub(super) enum Line {
    /// A program has opened it.
    Opened,
    /// It was closed, or the cable is out.
    Closed,
    /// Bytes to the board.
    Bytes(Packet),
}

/// From the port to the console. While it is full the host waits.
pub(super) static LINE: Channel<CriticalSectionRawMutex, Line, 2> = Channel::new();

/// From the console to the port: the packet that is being sent and the next.
pub(super) static OUT: Pipe<CriticalSectionRawMutex, { 2 * PACKET_MAX }> = Pipe::new();
