//! Frames: a message, its check sum, byte stuffing and the zero that ends it.

use crc::{CRC_32_ISO_HDLC, Crc, Digest, NoTable};
use postcard::ser_flavors::{Cobs, Flavor, Slice};
use serde::{Deserialize, Serialize};

use super::Numbered;

/// Computed bit by bit: a table would cost 1 KiB and save a tenth of a millisecond a frame.
static CRC: Crc<u32, NoTable> = Crc::<u32, NoTable>::new(&CRC_32_ISO_HDLC);
const CRC_BYTES: usize = 4;

/// Bytes of the longest frame around a message of so many bytes: check sum, one byte of stuffing for
/// every 254 begun, the zero.
pub(super) const fn longest(message: usize) -> usize {
    let data = message + CRC_BYTES;
    data + data / 254 + 1 + 1
}

/// Why a frame is not read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(target_os = "none", derive(defmt::Format))]
pub enum FrameError {
    /// The byte stuffing leads beyond the frame's end.
    BadCobs,
    /// It is longer than any frame.
    Oversized,
    /// It ends before the message or the check sum does.
    Truncated,
    /// The check sum is that of other bytes.
    Checksum,
    /// No message has this number.
    UnknownMessage(u8),
    /// A field has a value that it cannot have, or something follows the last one.
    Malformed,
}

/// A message that does not fit into a frame of its direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(target_os = "none", derive(defmt::Format))]
pub struct Oversized;

/// Writes messages as frames of at most `N` bytes.
pub struct Encoder<const N: usize> {
    frame: [u8; N],
}

impl<const N: usize> Encoder<N> {
    /// An encoder; it has no state beside its buffer.
    pub const fn new() -> Encoder<N> {
        Encoder { frame: [0; N] }
    }

    /// The frame of a message, with its final zero. Every message of the direction the encoder is made
    /// for fits.
    pub fn encode(&mut self, message: &(impl Numbered + Serialize)) -> Result<&[u8], Oversized> {
        let stuffed = Cobs::try_new(Slice::new(&mut self.frame)).map_err(|_| Oversized)?;
        let summed = Summed { stuffed, sum: CRC.digest() };
        let frame = postcard::serialize_with_flavor(message, summed).map_err(|_| Oversized)?;
        Ok(frame)
    }
}

impl<const N: usize> Default for Encoder<N> {
    fn default() -> Encoder<N> {
        Encoder::new()
    }
}

/// Adds the check sum behind the message; both are stuffed.
struct Summed<'a> {
    stuffed: Cobs<Slice<'a>>,
    sum: Digest<'static, u32, NoTable>,
}

impl<'a> Flavor for Summed<'a> {
    type Output = &'a mut [u8];

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.sum.update(&[byte]);
        self.stuffed.try_push(byte)
    }

    fn finalize(mut self) -> postcard::Result<&'a mut [u8]> {
        self.stuffed.try_extend(&self.sum.finalize().to_le_bytes())?;
        self.stuffed.finalize()
    }
}

/// Reads messages from frames of at most `N` bytes, which may arrive in pieces of any size.
pub struct Decoder<const N: usize> {
    frame: [u8; N],
    /// Bytes of the frame so far; more than `N` when it is oversized.
    length: usize,
}

impl<const N: usize> Decoder<N> {
    /// A decoder at the beginning of a frame.
    pub const fn new() -> Decoder<N> {
        Decoder { frame: [0; N], length: 0 }
    }

    /// Forgets a frame that has begun, for a line that was cut and is up again.
    pub fn reset(&mut self) {
        self.length = 0;
    }

    /// The next message that ends within `chunk`, or what was wrong with it; what was used up is cut
    /// off the chunk. `None`: the chunk is used up, and a frame may have begun.
    ///
    /// ```
    /// use lodestone::link::{BoardDecoder, HostEncoder, ToBoard};
    ///
    /// let (mut host, mut board) = (HostEncoder::new(), BoardDecoder::new());
    /// let mut chunk = host.encode(&ToBoard::GetState).unwrap();
    /// while let Some(message) = board.next::<ToBoard>(&mut chunk) {
    ///     assert_eq!(message, Ok(ToBoard::GetState));
    /// }
    /// ```
    pub fn next<'a, M: Numbered + Deserialize<'a>>(
        &'a mut self,
        chunk: &mut &[u8],
    ) -> Option<Result<M, FrameError>> {
        let length = self.collect(chunk)?;
        Some(match self.frame.get_mut(..length) {
            Some(frame) => unpack(frame).and_then(parse),
            None => Err(FrameError::Oversized),
        })
    }

    /// Takes bytes until a frame that is not empty is complete; its length without the zero.
    fn collect(&mut self, chunk: &mut &[u8]) -> Option<usize> {
        while !chunk.is_empty() {
            let end = chunk.iter().position(|&byte| byte == 0);
            let (part, rest) = chunk.split_at(end.unwrap_or(chunk.len()));
            self.append(part);
            *chunk = rest.get(1..).unwrap_or_default();
            if end.is_some() && self.length > 0 {
                return Some(core::mem::take(&mut self.length));
            }
        }
        None
    }

    fn append(&mut self, part: &[u8]) {
        let end = self.length.saturating_add(part.len());
        if let Some(place) = self.frame.get_mut(self.length..end) {
            place.copy_from_slice(part);
            self.length = end;
        } else if !part.is_empty() {
            self.length = N + 1;
        }
    }
}

impl<const N: usize> Default for Decoder<N> {
    fn default() -> Decoder<N> {
        Decoder::new()
    }
}

/// The message in a frame whose check sum is right.
fn unpack(frame: &mut [u8]) -> Result<&[u8], FrameError> {
    let length = cobs::decode_in_place(frame).map_err(|_| FrameError::BadCobs)?;
    let data = frame.get(..length).ok_or(FrameError::BadCobs)?;
    let (message, sum) = data.split_last_chunk::<CRC_BYTES>().ok_or(FrameError::Truncated)?;
    if CRC.checksum(message).to_le_bytes() == *sum {
        Ok(message)
    } else {
        Err(FrameError::Checksum)
    }
}

fn parse<'a, M: Numbered + Deserialize<'a>>(message: &'a [u8]) -> Result<M, FrameError> {
    let number = *message.first().ok_or(FrameError::Truncated)?;
    if usize::from(number) >= M::NAMES.len() {
        return Err(FrameError::UnknownMessage(number));
    }
    match postcard::take_from_bytes(message) {
        Ok((message, [])) => Ok(message),
        Err(postcard::Error::DeserializeUnexpectedEnd) => Err(FrameError::Truncated),
        Ok(_) | Err(_) => Err(FrameError::Malformed),
    }
}
