//! The last scans of every point, and whether they are at rest.

use crate::geometry::Playfield;
use crate::wiring::timing::period_us;

/// How long a point must keep still to be at rest, ms.
pub(super) const REST_MS: u32 = 150;
/// How far a scan may be from the mean of its window, codes.
pub(super) const STABLE_BAND: u32 = 8;
/// How far the means of the older and the newer half may differ when rest begins, codes. Without
/// it a step of 9 to 16 codes would rest for an instant halfway. The fewer scans a half has, the
/// more noise is in its mean.
const fn halves_band(playfield: Playfield) -> u32 {
    match playfield {
        Playfield::Hex => 5,
        Playfield::Square => 6,
    }
}

/// Scans in [`REST_MS`].
const fn length(playfield: Playfield) -> usize {
    (REST_MS * 1000 / period_us(playfield)) as usize
}

const fn codes(playfield: Playfield) -> usize {
    playfield.point_count() * length(playfield)
}

const LENGTH_MAX: usize = length(Playfield::Hex);
const CODES_MAX: usize = codes(Playfield::Square);
const _: () = assert!(length(Playfield::Square) <= LENGTH_MAX);
const _: () = assert!(codes(Playfield::Hex) <= CODES_MAX);

/// The windows of all points, each a ring of the last [`REST_MS`].
pub(super) struct Windows {
    length: usize,
    /// The least time from scan to scan, ms. What comes sooner is left out: it would make rest
    /// come too soon.
    period_ms: u32,
    /// 2^20 / length: a mean in sixteenths without a division.
    reciprocal: u32,
    halves_band: u32,
    newest: usize,
    filled: usize,
    times_ms: [u32; LENGTH_MAX],
    codes: [u16; CODES_MAX],
}

impl Windows {
    pub(super) const fn new(playfield: Playfield) -> Windows {
        let length = length(playfield);
        Windows {
            length,
            period_ms: period_us(playfield) / 1000,
            reciprocal: (1 << 20) / length as u32,
            halves_band: halves_band(playfield),
            newest: length - 1,
            filled: 0,
            times_ms: [0; LENGTH_MAX],
            codes: [0; CODES_MAX],
        }
    }

    /// Whether a scan at this time is due.
    pub(super) fn is_due(&self, now_ms: u32) -> bool {
        self.filled == 0 || now_ms.wrapping_sub(self.times_ms[self.newest]) >= self.period_ms
    }

    /// Begins a scan: every point's oldest code is to be replaced.
    pub(super) fn begin(&mut self, now_ms: u32) {
        self.newest = self.oldest();
        self.times_ms[self.newest] = now_ms;
        self.filled = (self.filled + 1).min(self.length);
    }

    /// Scans in a window.
    pub(super) fn length(&self) -> u8 {
        self.length as u8
    }

    /// When the oldest scan of the windows was.
    pub(super) fn oldest_ms(&self) -> u32 {
        self.times_ms[self.oldest()]
    }

    fn oldest(&self) -> usize {
        if self.newest + 1 == self.length { 0 } else { self.newest + 1 }
    }

    /// Enters a point's code of this scan. Returns the window's mean in sixteenths of a code if the
    /// point is at rest. Rest begins when the whole window is in the band; it goes on as long as
    /// each new scan is, whatever becomes of older ones when the mean wanders.
    pub(super) fn push(&mut self, point: usize, code: u16, resting: bool) -> Option<u16> {
        let start = point * self.length;
        self.codes[start + self.newest] = code;
        let window = &self.codes[start..start + self.length];
        let sum: u32 = window.iter().map(|&code| u32::from(code)).sum();
        let rests =
            if resting { self.is_in_band(code, sum) } else { self.may_begin(window, sum, 0) };
        rests.then_some(((sum * self.reciprocal + (1 << 15)) >> 16) as u16)
    }

    /// Whether a point would be at rest but for one scan at most.
    pub(super) fn is_calm(&self, point: usize) -> bool {
        let window = &self.codes[point * self.length..][..self.length];
        self.may_begin(window, window.iter().map(|&code| u32::from(code)).sum(), 1)
    }

    /// Puts the code of the scan before this one right.
    pub(super) fn correct(&mut self, point: usize, code: u16) {
        let before = self.newest.checked_sub(1).unwrap_or(self.length - 1);
        self.codes[point * self.length + before] = code;
    }

    /// Whether a code is near the mean of its window.
    fn is_in_band(&self, code: u16, sum: u32) -> bool {
        (u32::from(code) * self.length as u32).abs_diff(sum) <= STABLE_BAND * self.length as u32
    }

    /// Whether rest may begin, with so many scans that are not in the band.
    fn may_begin(&self, window: &[u16], sum: u32, strays: usize) -> bool {
        let mut odd = window.iter().filter(|&&code| !self.is_in_band(code, sum));
        self.filled == self.length && odd.nth(strays).is_none() && self.is_level(window, sum)
    }

    /// Whether the older and the newer half of a window agree.
    fn is_level(&self, window: &[u16], sum: u32) -> bool {
        let half = window.len() / 2;
        let older = window.iter().cycle().skip(self.oldest()).take(half);
        let older: u32 = older.map(|&code| u32::from(code)).sum();
        (2 * older).abs_diff(sum) <= self.halves_band * half as u32
    }
}
