//! Whether a sensor can be trusted.
//!
//! A sound sensor keeps to the range of its output stage, always has a little noise, and follows
//! hands, which move smoothly from scan to scan. What does otherwise for a while is faulty, and
//! sound again when it behaves for two seconds.

use crate::wiring::limits::RAW;

/// What is wrong with a sensor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(target_os = "none", derive(defmt::Format))]
pub enum Fault {
    /// At a rail: no power, a short or a broken wire.
    OutOfRange = 1, // so that none is zeros
    /// Exactly the same code all the time, while the other sensors show their noise.
    Stuck,
    /// Jumps to and fro, or never comes to rest.
    Noisy,
}

impl Fault {
    /// All of them.
    pub const ALL: [Fault; 3] = [Fault::OutOfRange, Fault::Stuck, Fault::Noisy];
}

/// Scans in a row outside the range that make a fault.
const OUT_OF_RANGE_SCANS: u8 = 4;
/// Scans in a row with the same code that make a fault: a sound sensor repeats a code in one scan
/// out of five.
const STUCK_SCANS: u8 = 128;
/// Scans in a row with the same code from which on nothing new is believed. A sound sensor loses a
/// scan by that in one of two thousand decisions.
const SUSPECT_SCANS: u8 = 5;
/// The ADC's bad codes are nine codes wide and swallow most of the noise: 79 scans of 80 may show
/// the same. So many repeats of them count as one; a sound sensor makes 1024 in none of 250,000.
const WIDE_CODES: [u16; 4] = [512, 1536, 2560, 3584];
const WIDE_REPEATS: u8 = 8;
/// Two steps in a row of more than this many codes to and fro are a jump. Noise of 1.8 codes makes
/// one in some hundred scans, of 5 codes one in five.
const JUMP_CODES: i16 = 6;
/// A jump counts up by this, any other scan down by one; at the limit the sensor is noisy.
const JUMP_WEIGHT: u8 = 6;
const JUMP_LIMIT: u8 = 240;
/// Scans in a row without rest that make a fault, a minute or two: no hand does that.
const RESTLESS_SCANS: u16 = 4800;
/// Good scans in a row after which a faulty sensor is trusted again.
const GOOD_SCANS: u8 = 160;
/// Repeats of a code that are still good.
const GOOD_REPEATS: u8 = 8;

/// The record of one sensor.
#[derive(Clone, Copy)]
pub(super) struct Health {
    pub(super) fault: Option<Fault>,
    last_code: u16,
    last_step: i16,
    outside: u8,
    repeats: u8,
    /// Repeats of a bad code that were not counted yet.
    wide: u8,
    jumps: u8,
    restless: u16,
    good: u8,
}

impl Health {
    pub(super) const NEW: Health = Health {
        fault: None,
        last_code: 0,
        last_step: 0,
        outside: 0,
        repeats: 0,
        wide: 0,
        jumps: 0,
        restless: 0,
        good: 0,
    };

    /// Whether this code differs from that of the scan before.
    #[inline]
    pub(super) const fn is_change(&self, code: u16) -> bool {
        code != self.last_code
    }

    /// Whether it may be stuck: a sensor that fails at the code of a piece must not put one.
    #[inline]
    pub(super) const fn is_suspect(&self) -> bool {
        self.repeats >= SUSPECT_SCANS
    }

    /// Takes in a scan and says whether the fault changed. `noise_shows`: the other sensors are not
    /// noiseless (in a simulated world they may be). `may_be_piece`: pieces in use read so.
    /// `resting`: the point is at rest.
    pub(super) fn check(
        &mut self,
        code: u16,
        noise_shows: bool,
        may_be_piece: bool,
        resting: bool,
    ) -> bool {
        let jumped = self.count(code, noise_shows, may_be_piece);
        self.restless = if resting { 0 } else { (self.restless + 1).min(RESTLESS_SCANS) };
        let found = if self.outside >= OUT_OF_RANGE_SCANS {
            Some(Fault::OutOfRange)
        } else if self.repeats >= STUCK_SCANS {
            Some(Fault::Stuck)
        } else if self.jumps >= JUMP_LIMIT || self.restless >= RESTLESS_SCANS {
            Some(Fault::Noisy)
        } else {
            None
        };
        let before = self.fault;
        if found.is_some() {
            (self.fault, self.good) = (found, 0);
        } else if self.fault.is_some() {
            let good = resting && !jumped && self.outside == 0 && self.repeats <= GOOD_REPEATS;
            self.good = if good { self.good + 1 } else { 0 };
            if self.good >= GOOD_SCANS {
                (self.fault, self.good, self.jumps) = (None, 0, 0);
            }
        }
        self.fault != before
    }

    /// Counts what is odd about a code; says whether it was a jump.
    fn count(&mut self, code: u16, noise_shows: bool, may_be_piece: bool) -> bool {
        let step = code as i16 - self.last_code as i16;
        self.outside =
            if RAW.contains(&code) { 0 } else { (self.outside + 1).min(OUT_OF_RANGE_SCANS) };
        if step != 0 {
            (self.repeats, self.wide) = (0, 0);
        } else if noise_shows {
            self.wide += 1;
            let is_wide = may_be_piece && WIDE_CODES.contains(&code);
            if !is_wide || self.wide >= WIDE_REPEATS {
                self.repeats = (self.repeats + 1).min(STUCK_SCANS);
                self.wide = 0;
            }
        }
        let (large, larger) = (step.abs() > JUMP_CODES, self.last_step.abs() > JUMP_CODES);
        let jumped = large && larger && (step < 0) != (self.last_step < 0);
        self.jumps = if jumped {
            self.jumps.saturating_add(JUMP_WEIGHT).min(JUMP_LIMIT)
        } else {
            self.jumps.saturating_sub(1)
        };
        (self.last_code, self.last_step) = (code, step);
        jumped
    }
}
