//! Zero and gain of every point: made on an empty board, taught with a piece, kept in flash.
//!
//! Numbers are fixed point. A zero is a code in sixteenths; a scale is what a code's distance from
//! zero is multiplied with (the inverse of the sensor's gain), 1 = 2^14.

use crc::{CRC_32_ISO_HDLC, Crc, NoTable};

use crate::geometry::{Playfield, Point, PointSet};
use crate::wiring::limits::{ZERO_NOMINAL, ZERO_SPREAD};

/// A point without a zero.
const NO_ZERO: u16 = 0;
/// The scale of a nominal sensor.
const SCALE_ONE: u16 = 1 << SCALE_BITS;
const SCALE_BITS: u32 = 14;
/// Scales that sensor, depth and reference piece can add up to: gain ±5 %, depth ±9 %, magnet ±8 %.
const SCALES: core::ops::RangeInclusive<u16> = SCALE_ONE / 4 * 3..=SCALE_ONE / 3 * 4;
/// The largest value, in sixteenths.
const SCALED_MAX_Q4: i32 = 2047 << Q4;
/// Sixteenths of a code, as a shift.
pub(super) const Q4: u32 = 4;
/// How far a zero may be from nominal, in sixteenths: the part's tolerance, and 8 codes for the
/// earth, drift and the ADC.
const ZEROS: core::ops::RangeInclusive<u16> =
    (ZERO_NOMINAL - ZERO_SPREAD - 8) << Q4..=(ZERO_NOMINAL + ZERO_SPREAD + 8) << Q4;

/// Version of the stored form.
const VERSION: u8 = 1;
/// The check sum of the link; computed bit by bit, because it runs once per start and a table would
/// cost 1 KiB.
const CRC: Crc<u32, NoTable> = Crc::<u32, NoTable>::new(&CRC_32_ISO_HDLC);

/// Zero and scale of every point of a playfield.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Calibration {
    playfield: Playfield,
    zero_q4: [u16; Playfield::POINTS_MAX],
    scale: [u16; Playfield::POINTS_MAX],
}

/// Why a stored calibration is not used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoredError {
    /// Not as long as a calibration is.
    Length,
    /// The check sum does not match.
    CheckSum,
    /// A version this program does not know.
    Version,
    /// Made for the other playfield.
    Playfield,
    /// A zero or scale that no sensor has.
    Value,
}

/// Why a point could not be taught.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TeachError {
    /// The point is not at rest, has no zero or is not trusted.
    NotReady,
    /// The reading is too far from what the reference piece should give.
    Implausible,
}

impl Calibration {
    /// Bytes of the stored form.
    pub const BYTES: usize = 2 + 4 * Playfield::POINTS_MAX + 4;

    /// A board that was never zeroed.
    pub const fn none(playfield: Playfield) -> Calibration {
        Calibration {
            playfield,
            zero_q4: [NO_ZERO; Playfield::POINTS_MAX],
            scale: [SCALE_ONE; Playfield::POINTS_MAX],
        }
    }

    /// A board of nominal sensors: zero 2048, gain 1.
    pub const fn exact(playfield: Playfield) -> Calibration {
        let mut exact = Calibration::none(playfield);
        exact.zero_q4 = [ZERO_NOMINAL << Q4; Playfield::POINTS_MAX];
        exact
    }

    /// The playfield it is for.
    pub const fn playfield(&self) -> Playfield {
        self.playfield
    }

    /// The points that have no zero.
    pub fn unzeroed(&self) -> PointSet {
        self.playfield.points().filter(|&point| self.zero_q4(point).is_none()).collect()
    }

    /// A point's zero in sixteenths of a code.
    pub(super) fn zero_q4(&self, point: Point) -> Option<u16> {
        Some(self.zero_q4[point.index()]).filter(|&zero| zero != NO_ZERO)
    }

    /// A distance from zero as a nominal sensor would read it, both in sixteenths of a code. Ends at
    /// 2047 codes, beyond every piece.
    #[inline]
    pub(super) fn scaled_q4(&self, point: Point, off_q4: i32) -> i16 {
        // 2^16 times 4/3 of 2^14 fits.
        let scaled = off_q4 * i32::from(self.scale[point.index()]) + (1 << (SCALE_BITS - 1));
        (scaled >> SCALE_BITS).clamp(-SCALED_MAX_Q4, SCALED_MAX_Q4) as i16
    }

    /// Sets a point's scale from what the reference piece reads there, both in sixteenths of a code.
    pub(super) fn teach(
        &mut self,
        point: Point,
        off_q4: i32,
        reference_q4: u16,
    ) -> Result<(), TeachError> {
        let scale = (u32::from(reference_q4) << SCALE_BITS) / off_q4.unsigned_abs().max(1);
        let scale = u16::try_from(scale).ok().filter(|scale| SCALES.contains(scale));
        self.scale[point.index()] = scale.ok_or(TeachError::Implausible)?;
        Ok(())
    }

    /// The stored form: version, playfield, zeros, scales, CRC-32 of all before; little-endian.
    pub fn to_bytes(&self) -> [u8; Calibration::BYTES] {
        let mut bytes = [0; Calibration::BYTES];
        bytes[0] = VERSION;
        bytes[1] = self.playfield as u8;
        let words = self.zero_q4.iter().chain(&self.scale);
        for (place, word) in bytes[2..].chunks_exact_mut(2).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        let (body, sum) = bytes.split_at_mut(Calibration::BYTES - 4);
        sum.copy_from_slice(&CRC.checksum(body).to_le_bytes());
        bytes
    }

    /// Reads the stored form; whatever is odd about it is refused as a whole.
    pub fn from_bytes(playfield: Playfield, bytes: &[u8]) -> Result<Calibration, StoredError> {
        if bytes.len() != Calibration::BYTES {
            return Err(StoredError::Length);
        }
        let (body, sum) = bytes.split_at(Calibration::BYTES - 4);
        if CRC.checksum(body).to_le_bytes() != sum {
            return Err(StoredError::CheckSum);
        }
        if body[0] != VERSION {
            return Err(StoredError::Version);
        }
        if body[1] != playfield as u8 {
            return Err(StoredError::Playfield);
        }
        let mut read = Calibration::none(playfield);
        let words = read.zero_q4.iter_mut().chain(&mut read.scale);
        for (word, place) in words.zip(body[2..].chunks_exact(2)) {
            *word = u16::from_le_bytes([place[0], place[1]]);
        }
        let zeros_fit = read.zero_q4.iter().all(|zero| *zero == NO_ZERO || ZEROS.contains(zero));
        let scales_fit = read.scale.iter().all(|scale| SCALES.contains(scale));
        if zeros_fit && scales_fit { Ok(read) } else { Err(StoredError::Value) }
    }
}

/// Takes the zeros of an empty board: the mean of 512 scans of every point.
///
/// It cannot know whether the board is empty: a chip (69 codes) hides in the tolerance of the zeros
/// (±82), a ring (134) does on half of the sensors. People are asked to clear the board.
pub struct ZeroRun {
    scans: u32,
    sum: [u32; Playfield::POINTS_MAX],
    low: [u16; Playfield::POINTS_MAX],
    high: [u16; Playfield::POINTS_MAX],
}

impl ZeroRun {
    /// Scans of a run: 6.4 s on the hex, 12.8 s on the square playfield.
    pub const SCANS: u32 = 512;
    /// Codes between the lowest and the highest scan beyond which something moved. Noise alone
    /// spreads over 12.
    const SPREAD_MAX: u16 = 24;

    /// A run that begins with the next scan.
    pub const fn new() -> ZeroRun {
        ZeroRun {
            scans: 0,
            sum: [0; Playfield::POINTS_MAX],
            low: [u16::MAX; Playfield::POINTS_MAX],
            high: [0; Playfield::POINTS_MAX],
        }
    }

    /// Takes in a scan; says whether the run is complete. Scans after that count for nothing.
    pub fn add(&mut self, codes: &[u16]) -> bool {
        if self.scans < ZeroRun::SCANS {
            self.scans += 1;
            for (n, &code) in codes.iter().enumerate().take(Playfield::POINTS_MAX) {
                self.sum[n] += u32::from(code);
                self.low[n] = self.low[n].min(code);
                self.high[n] = self.high[n].max(code);
            }
        }
        self.scans == ZeroRun::SCANS
    }

    /// Enters the zeros of a complete run and returns the points that were refused: they moved, or
    /// their zero is none that a sensor has. Those keep what they had. Scales stay.
    pub fn finish(&self, calibration: &mut Calibration) -> PointSet {
        let mut refused = PointSet::EMPTY;
        for point in calibration.playfield.points() {
            let n = point.index();
            // A sum of 512 codes is the mean in sixteenths times 32.
            let zero_q4 = ((self.sum[n] + 16) / 32) as u16;
            let steady = self.high[n].saturating_sub(self.low[n]) <= ZeroRun::SPREAD_MAX;
            if self.scans == ZeroRun::SCANS && steady && ZEROS.contains(&zero_q4) {
                calibration.zero_q4[n] = zero_q4;
            } else {
                refused.insert(point);
            }
        }
        refused
    }
}

impl Default for ZeroRun {
    fn default() -> ZeroRun {
        ZeroRun::new()
    }
}
