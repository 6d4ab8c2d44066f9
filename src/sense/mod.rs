//! From ADC codes to what lies on each point, since when, and how sure that is.
//!
//! [`Sense`] takes one scan after the other and keeps a [`Class`] for every point. It knows fields
//! and time, no game: the referee tells it which pieces are in use ([`Profile`]), when to take a
//! reference and which points should be empty. Integers only; nothing is divided on the way of a
//! scan. Scans are due every 12.5 ms (hex) or 25 ms (square); slower ones only make rest come later.
//!
//! Important terms:
//! - *code*: what the ADC gives, 0..=4095; codes further up count as 4095. *Value*: the distance of
//!   a code from the point's zero, in codes of a nominal sensor (74.5 per mT), less what the
//!   pieces on the neighbouring points add.
//! - *at rest*: all scans of 150 ms within ±8 codes of their mean. One scan that stands out by up
//!   to 24 codes is taken for noise, which on a board of 225 sensors comes every minute; where rest
//!   begins it makes the class wait, and rest count from before it all the same.
//! - *class*: what is certain about a point. Occupied classes need rest; *empty* needs a value
//!   below the return limit for 75 ms, so that a hand passing above leaves it empty.
//! - *settled*: the last class that was not unknown. *Seen*: what the last scan alone looks like,
//!   for lights that must not wait.
//! - *held*: the value at rest by which changes are counted. It follows the mean until that has kept
//!   still for 300 ms, and then stands until the mean is 3 or 4 codes away: what lies on a limit is
//!   proved at once or not at all, and noise does not decide it later.
//! - *touched*: occupied before and after, and not at rest in between, or changed by 8 codes.
//! - Time is in milliseconds since power-up and may wrap (after 49 days); only differences count.
//!   Where it wraps a point that rested all the time looks freshly rested, which harms nothing.
//!
//! What is not told: heights, colours, owners. What is odd (a rail, a code that never changes,
//! jumps) is a [`Fault`]: such a point is unknown until it behaves again; nothing else stops.
//!
//! ```
//! use lodestone::geometry::Playfield;
//! use lodestone::sense::{Calibration, Class, Profile, Sense, Sign, Strength};
//!
//! let mut sense = Sense::new(Profile::Rings, Calibration::exact(Playfield::Hex));
//! let f6 = Playfield::Hex.at(5, 6).unwrap();
//! let mut codes = [2048; 91];
//! codes[f6.index()] += 134;
//! for scan in 0..12 {
//!     sense.scan(scan * 25 / 2, &codes);
//! }
//! assert_eq!(sense.class(f6), Class::Piece(Strength::Weak, Sign::Plus));
//! ```

mod calibration;
mod class;
mod health;
mod rest;
#[cfg(test)]
mod tests;

use core::num::NonZeroU16;
use core::ops::RangeInclusive;

use crate::geometry::{Playfield, Point, PointSet};
use crate::wiring::limits::ZERO_NOMINAL;
use crate::wiring::timing::period_us;

pub use crate::magnet::{Sign, Strength};
pub use calibration::{Calibration, StoredError, TeachError, ZeroRun};
pub use class::{Class, Doubt, Profile};
pub use health::Fault;

use calibration::Q4;
use class::Limits;
use health::Health;
use rest::{STABLE_BAND, Windows};

/// How long a point must be below the return limit to be empty, ms.
pub const GONE_MS: u32 = 75;
/// How long a point must keep still to be at rest, ms.
pub const REST_MS: u32 = rest::REST_MS;
/// A change of an occupied point from which on it counts as touched, codes.
pub const TOUCH_DELTA: i16 = 8;
/// A change of an occupied GLÜX square from which on it may be a cover, codes.
pub const COVER_MIN: i16 = 10;

/// A lone scan this far from the rounded mean is noise, codes: from what may end the rest up to what
/// noise never makes.
const SPIKES: RangeInclusive<u16> = STABLE_BAND as u16..=24;
/// The value by which changes are counted follows the mean for so many windows after it last moved, and
/// then stands until it moves: else noise would now prove and now disprove what is on a limit.
const HELD_WINDOWS: u8 = 2;
/// A scan this far from the held value belongs to a change rather than to noise, codes.
const CHANGING_MIN: u16 = 6;
/// What has rested for longer than so many windows moves without unrest, if its held value follows.
const QUIET_WINDOWS: u32 = HELD_WINDOWS as u32 + 1;
/// Without a zero, points further than this from the nominal one are unknown, codes.
const UNZEROED_BAND: u16 = 40;
/// The zero of a point that should be empty follows its value by a code in this time, ms,
const TRACK_MS: u32 = 10_000;
/// up to this far from the calibrated one, codes.
const TRACK_MAX: u16 = 15;

/// No reference was taken: the point was empty, and a piece never reads 0.
const NO_REFERENCE: i16 = 0;
const REFERENCES: usize = 3;

/// From when on a change is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reference {
    /// The rest before the last touch; taken by sense itself with every touch.
    Touch,
    /// The last lift: for landings. An old nudge cannot spoil one.
    Lift,
    /// The last commit: for amendments. A stack split at leisure is not forgotten.
    Commit,
}

/// What one scan changed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Events {
    /// Occupied points whose reading just fell below their class; a hint, not yet certain.
    pub leaving: PointSet,
    /// Occupied points that became empty.
    pub lifted: PointSet,
    /// Empty points that became occupied.
    pub put: PointSet,
    /// Points that are occupied and were, and are at rest again after they were touched.
    pub touched: PointSet,
    /// Points whose sensor is not trusted any more, or again.
    pub fault_changed: PointSet,
}

/// What is known of one point.
#[derive(Clone, Copy)]
struct Spot {
    class: Class,
    settled: Class,
    seen: Class,
    // Values and codes in sixteenths of a code (q4), because corrections add up.
    /// Value of the last scan.
    value_q4: i16,
    /// Value when it was last at rest.
    rested_q4: i16,
    /// The same, held against noise: changes are counted by it.
    held_q4: i16,
    /// Value from which on it has been steady.
    steady_q4: i16,
    /// Value at the last put or touch.
    anchor_q4: i16,
    /// Values at the [`Reference`]s.
    references_q4: [i16; REFERENCES],
    /// What of the change since the last lift came by and by, and the most of it, away from zero.
    crept_q4: i16,
    crept_most_q4: i16,
    /// The value with which its last unrest began.
    onset_q4: i16,
    /// The window's mean when it was last at rest.
    mean_q4: u16,
    /// The zero in use, which follows drift; 0 without one.
    zero_q4: u16,
    /// What the pieces around add.
    crosstalk_q4: i16,
    /// Since when it has been calm, or has not.
    since_ms: u32,
    /// Since when it has been below the return limit, if it is.
    below_since_ms: Option<u32>,
    resting: bool,
    /// For how many scans the held value has followed noise only, up to [`HELD_WINDOWS`].
    steady_scans: u8,
    /// At rest, or would be but for a stray scan or a sensor that is suspect.
    calm: bool,
    /// The code of the last scan, if it was taken for noise.
    spike: Option<NonZeroU16>,
    /// Occupied, and not at rest since it settled.
    stirred: bool,
    /// Whether it was lifted since each reference.
    lifted_since: [bool; REFERENCES],
    health: Health,
}

impl Spot {
    /// Zeros only: that many are cleared where they stay, others would be made on the stack first.
    const NEW: Spot = Spot {
        class: Class::Unknown(Doubt::Moving),
        settled: Class::Unknown(Doubt::Moving),
        seen: Class::Unknown(Doubt::Moving),
        value_q4: 0,
        rested_q4: 0,
        held_q4: 0,
        steady_q4: 0,
        anchor_q4: 0,
        references_q4: [NO_REFERENCE; REFERENCES],
        crept_q4: 0,
        crept_most_q4: 0,
        onset_q4: 0,
        mean_q4: 0,
        zero_q4: 0,
        crosstalk_q4: 0,
        since_ms: 0,
        below_since_ms: None,
        resting: false,
        steady_scans: 0,
        calm: false,
        spike: None,
        stirred: false,
        lifted_since: [false; REFERENCES],
        health: Health::NEW,
    };

    /// The window's mean as a code.
    fn mean(&self) -> u16 {
        (self.mean_q4 + (1 << (Q4 - 1))) >> Q4
    }

    /// The code to enter into the window: a lone scan that stands out a little is replaced.
    fn smoothed(&mut self, code: u16) -> u16 {
        let mean = self.mean();
        let is_lone = self.resting && self.spike.is_none();
        let is_spike = is_lone && SPIKES.contains(&code.abs_diff(mean));
        self.spike = NonZeroU16::new(code).filter(|_| is_spike);
        if self.spike.is_some() { mean } else { code }
    }

    /// Whether the held value follows the mean: until the piece has been steady for long enough.
    fn follows(&mut self, window: u8, limits: &Limits) -> bool {
        let enough = HELD_WINDOWS * window;
        let (from_q4, band_q4) = if self.steady_scans < enough {
            (self.steady_q4, limits.moving_q4)
        } else {
            (self.held_q4, limits.held_q4)
        };
        if self.stirred || self.rested_q4.abs_diff(from_q4) >= band_q4 {
            (self.steady_scans, self.steady_q4) = (0, self.rested_q4);
        }
        let follows = self.steady_scans < enough;
        self.steady_scans += u8::from(follows);
        follows
    }

    /// Corrects all values that later ones are compared with.
    fn shift(&mut self, by_q4: i16) {
        let references = self.references_q4.iter_mut().filter(|r| **r != NO_REFERENCE);
        let values =
            [&mut self.anchor_q4, &mut self.rested_q4, &mut self.held_q4, &mut self.steady_q4];
        for value in references.chain(values) {
            *value = value.saturating_add(by_q4);
        }
    }

    /// Takes the present rested value as a reference.
    fn mark(&mut self, reference: Reference) {
        let mut occupied = self.settled.is_occupied();
        if reference == Reference::Lift {
            // What was pushed by the hand that lifts something else counts from its next rest.
            occupied &= self.resting;
            (self.crept_q4, self.crept_most_q4) = (0, 0);
        }
        self.references_q4[reference as usize] = if occupied { self.held_q4 } else { NO_REFERENCE };
        self.lifted_since[reference as usize] = false;
    }

    /// Whether it is just changing, too slowly to be felt: its value is away from the held one, or that
    /// has followed it away from the last commit without unrest. What was lifted and set down lies
    /// otherwise, and is not changing.
    fn is_changing(&self, window: u8, now_ms: u32) -> bool {
        let commit_q4 = self.references_q4[Reference::Commit as usize];
        let is_away = |a: i16, b: i16| a.abs_diff(b) >= CHANGING_MIN << Q4;
        let has_crept = || {
            let is_kept = !self.lifted_since[Reference::Commit as usize];
            let is_quiet = now_ms.wrapping_sub(self.since_ms) > QUIET_WINDOWS * REST_MS;
            is_kept
                && is_quiet
                && self.steady_scans < HELD_WINDOWS * window
                && is_away(self.held_q4, commit_q4)
        };
        self.settled.is_occupied()
            && commit_q4 != NO_REFERENCE
            && (is_away(self.value_q4, self.held_q4) || has_crept())
    }

    /// Whether it has been below the return limit for long enough.
    fn gone(&mut self, is_below: bool, now_ms: u32) -> bool {
        self.below_since_ms = is_below.then(|| self.below_since_ms.unwrap_or(now_ms));
        self.below_since_ms.is_some_and(|since_ms| now_ms.wrapping_sub(since_ms) >= GONE_MS)
    }
}

/// The observer of one playfield.
pub struct Sense {
    profile: Profile,
    calibration: Calibration,
    windows: Windows,
    spots: [Spot; Playfield::POINTS_MAX],
    now_ms: u32,
    should_be_empty: PointSet,
    /// Counts scans up to those of [`TRACK_MS`], to visit every point once in that time.
    track_turn: u32,
    track_turns: u32,
    /// How many points had another code than in the scan before.
    changed_codes: usize,
}

impl Sense {
    /// An observer for a `static`, of a board that was never zeroed: it is too large for a small
    /// stack.
    pub const fn vacant() -> Sense {
        Sense {
            profile: Profile::Pieces,
            calibration: Calibration::none(Playfield::Hex),
            windows: Windows::new(Playfield::Hex),
            spots: const { [Spot::NEW; Playfield::POINTS_MAX] },
            now_ms: 0,
            should_be_empty: PointSet::EMPTY,
            track_turn: 0,
            track_turns: TRACK_MS * 1000 / period_us(Playfield::Hex),
            changed_codes: 0,
        }
    }

    /// An observer that has seen nothing yet.
    pub fn new(profile: Profile, calibration: Calibration) -> Sense {
        let mut sense = Sense::vacant();
        sense.start(profile, calibration);
        sense
    }

    /// Begins anew, in place, as one that has seen nothing yet.
    pub fn start(&mut self, profile: Profile, calibration: Calibration) {
        let playfield = calibration.playfield();
        self.profile = profile;
        self.windows = Windows::new(playfield);
        self.spots.fill(Spot::NEW);
        self.should_be_empty = PointSet::EMPTY;
        (self.track_turn, self.track_turns) = (0, TRACK_MS * 1000 / period_us(playfield));
        self.changed_codes = 0;
        self.set_calibration(calibration);
    }

    /// Other pieces come into use: all classes are found anew with the next scan.
    pub fn set_profile(&mut self, profile: Profile) {
        self.profile = profile;
        self.forget();
    }

    /// The calibration in use; zeros as calibrated, without the drift that was followed.
    pub fn calibration(&self) -> &Calibration {
        &self.calibration
    }

    /// Other zeros and gains come into use, of the same playfield: all classes are found anew with
    /// the next scan.
    pub fn set_calibration(&mut self, calibration: Calibration) {
        self.calibration = calibration;
        self.forget();
        for point in self.calibration.playfield().points() {
            self.spots[point.index()].zero_q4 = self.calibration.zero_q4(point).unwrap_or(0);
        }
    }

    /// Sets a point's gain from the reference piece that lies on it at rest, alone on the board: a
    /// marker or basic piece, in the profile of chips a chip, of middling strength.
    pub fn teach(&mut self, point: Point) -> Result<(), TeachError> {
        let spot = &self.spots[point.index()];
        if !spot.resting || spot.zero_q4 == 0 || spot.health.fault.is_some() {
            return Err(TeachError::NotReady);
        }
        let off_q4 = i32::from(spot.mean_q4) - i32::from(spot.zero_q4);
        self.calibration.teach(point, off_q4, self.profile.limits().reference_q4)
    }

    /// The points whose zero may follow drift; from the caller, who knows what should lie where.
    pub fn set_should_be_empty(&mut self, points: PointSet) {
        self.should_be_empty = points;
    }

    /// Takes in a scan: the codes of all points in point order, measured at this time. One that
    /// comes sooner than the period after the one before is left out.
    pub fn scan(&mut self, now_ms: u32, codes: &[u16]) -> Events {
        let mut events = Events::default();
        if !self.windows.is_due(now_ms) {
            return events;
        }
        // Most sensors change their code from scan to scan, or the world has no noise at all.
        let noise_shows = 2 * self.changed_codes > self.calibration.playfield().point_count();
        self.changed_codes = 0;
        self.now_ms = now_ms;
        self.windows.begin(now_ms);
        for (point, &code) in self.calibration.playfield().points().zip(codes) {
            self.observe(point, code.min(4095), noise_shows, &mut events);
        }
        self.track_zero();
        events
    }

    /// What is certain about a point.
    pub fn class(&self, point: Point) -> Class {
        self.spots[point.index()].class
    }

    /// The last class of a point that was not unknown; unknown only if there was none yet.
    pub fn settled(&self, point: Point) -> Class {
        self.spots[point.index()].settled
    }

    /// What the last scan alone looks like.
    pub fn seen(&self, point: Point) -> Class {
        self.spots[point.index()].seen
    }

    /// The value of the last scan.
    pub fn value(&self, point: Point) -> i16 {
        codes(self.spots[point.index()].value_q4)
    }

    /// The value when the point was last at rest, held against noise.
    pub fn rested(&self, point: Point) -> i16 {
        codes(self.spots[point.index()].held_q4)
    }

    /// How long all of these points have been at rest, ms; 0 if one is not. Points that are not
    /// trusted do not count.
    pub fn still_ms(&self, points: PointSet) -> u32 {
        let spots = points.iter().map(|point| &self.spots[point.index()]);
        let still =
            |spot: &Spot| if spot.resting { self.now_ms.wrapping_sub(spot.since_ms) } else { 0 };
        let trusted = spots.filter(|spot| spot.health.fault.is_none());
        trusted.map(still).min().unwrap_or(u32::MAX)
    }

    /// Takes the present rested values as a reference for [`Sense::change`].
    pub fn mark(&mut self, reference: Reference) {
        let count = self.calibration.playfield().point_count();
        self.spots[..count].iter_mut().for_each(|spot| spot.mark(reference));
    }

    /// The same at these points only.
    pub fn mark_at(&mut self, reference: Reference, points: PointSet) {
        for point in points {
            self.spots[point.index()].mark(reference);
        }
    }

    /// Whether the value of an occupied point is just changing, too slowly to be felt.
    pub fn is_changing(&self, point: Point) -> bool {
        self.spots[point.index()].is_changing(self.windows.length(), self.now_ms)
    }

    /// How much an occupied point's rested value changed since the reference, codes; positive is
    /// stronger. A point that was empty then counts from when it was put. `None` while the point
    /// is not at rest or not occupied. Lifting and putting back keeps the reference.
    pub fn change(&self, point: Point, reference: Reference) -> Option<i16> {
        let spot = &self.spots[point.index()];
        let from_q4 = spot.references_q4[reference as usize];
        (spot.class.is_occupied() && from_q4 != NO_REFERENCE)
            .then(|| codes(Sign::of(from_q4).along(spot.held_q4.saturating_sub(from_q4))))
    }

    /// How much of the change since the last lift came by and by, codes: the most that was seen, for
    /// noise does not disprove it. What comes down from above is felt before it lands; a nudge comes
    /// at once.
    pub fn crept(&self, point: Point) -> i16 {
        codes(self.spots[point.index()].crept_most_q4)
    }

    /// Whether the point was lifted since the reference, even if something lies there again.
    pub fn was_lifted_since(&self, point: Point, reference: Reference) -> bool {
        self.spots[point.index()].lifted_since[reference as usize]
    }

    /// The class of a point on which something was put while it was empty: in YINSH not a marker in
    /// its ring, which is never put as one. That tells more than the level alone.
    pub fn class_put(&self, point: Point) -> Class {
        let spot = &self.spots[point.index()];
        let strength = self.profile.limits().strength_put(codes(spot.rested_q4));
        match (spot.class.is_occupied(), spot.class.sign(), strength) {
            (true, Some(sign), Some(strength)) => Class::Piece(strength, sign),
            _ => spot.class,
        }
    }

    /// Whether what lies on a point may be a piece of this strength, with every part as far off as
    /// it may be. Only YINSH needs it: elsewhere classes do not overlap.
    pub fn may_be(&self, point: Point, strength: Strength) -> bool {
        let spot = &self.spots[point.index()];
        spot.class.is_occupied() && self.profile.limits().may_read(strength, codes(spot.rested_q4))
    }

    /// The class of a point that is known to have been of this strength at the reference. In YINSH
    /// the difference tells rings, markers and pairs where the level alone may fail (a weak sensor,
    /// a piece 3 mm off); unless the point was lifted since, or changed its sign. Sense cannot know
    /// that strength by itself: a marker held still reads like a ring.
    pub fn class_knowing(&self, point: Point, was: Strength, reference: Reference) -> Class {
        let (spot, reference_index) = (&self.spots[point.index()], reference as usize);
        let sign = Sign::of(spot.references_q4[reference_index]);
        if spot.lifted_since[reference_index] || spot.class.sign() != Some(sign) {
            return spot.class;
        }
        let limits = self.profile.limits();
        let change = self.change(point, reference);
        let told = change.and_then(|change| limits.after_change(was, change));
        // Small changes that add up are told by the level.
        let told = told.filter(|&strength| limits.may_read(strength, codes(spot.rested_q4)));
        told.map_or(spot.class, |strength| Class::Piece(strength, sign))
    }

    /// What is wrong with a point's sensor.
    pub fn fault(&self, point: Point) -> Option<Fault> {
        self.spots[point.index()].health.fault
    }

    /// The points whose sensors are not trusted.
    pub fn faults(&self) -> PointSet {
        let points = self.calibration.playfield().points();
        points.filter(|&point| self.fault(point).is_some()).collect()
    }

    fn observe(&mut self, point: Point, code: u16, noise_shows: bool, events: &mut Events) {
        let spot = &mut self.spots[point.index()];
        self.changed_codes += usize::from(spot.health.is_change(code));
        let first = match spot.spike {
            Some(first) if code.abs_diff(first.get()) < code.abs_diff(spot.mean()) => Some(first),
            _ => None,
        };
        let kept = spot.smoothed(code);
        let may_be_piece = self.profile.limits().may_be_piece(code);
        let is_news = spot.health.check(code, noise_shows, may_be_piece, spot.resting);
        let mean_q4 = self.windows.push(point.index(), kept, spot.resting);
        if let Some(first) = first {
            // It was no noise: a movement has begun.
            self.windows.correct(point.index(), first.get());
        }
        self.rest(point, mean_q4);
        if is_news {
            events.fault_changed.insert(point);
            self.settle(point, Class::Unknown(Doubt::Faulty));
        }
        let spot = &mut self.spots[point.index()];
        if spot.health.fault.is_some() {
            (spot.class, spot.seen) =
                (Class::Unknown(Doubt::Faulty), Class::Unknown(Doubt::Faulty));
        } else if spot.zero_q4 == 0 {
            let near = code.abs_diff(ZERO_NOMINAL) <= UNZEROED_BAND;
            let class = if near { Class::Empty } else { Class::Unknown(Doubt::NoZero) };
            (spot.class, spot.seen) = (class, class);
        } else {
            self.judge(point, code, events);
        }
    }

    /// Enters whether the point is at rest. Neither a stray scan nor a suspect sensor makes rest count
    /// from later on.
    fn rest(&mut self, point: Point, mean_q4: Option<u16>) {
        let spot = &mut self.spots[point.index()];
        if spot.resting {
            if let Some(mean_q4) = mean_q4 {
                spot.mean_q4 = mean_q4;
            } else {
                (spot.resting, spot.calm, spot.since_ms) = (false, false, self.now_ms);
                spot.stirred |= spot.settled.is_occupied();
            }
            return;
        }
        let is_calm = mean_q4.is_some() || self.windows.is_calm(point.index());
        if is_calm && !spot.calm {
            spot.since_ms = self.windows.oldest_ms();
        }
        spot.calm = is_calm;
        if let Some(mean_q4) = mean_q4 {
            spot.resting = !spot.health.is_suspect();
            spot.mean_q4 = mean_q4;
        }
    }

    /// Finds the class of a trusted, zeroed point.
    fn judge(&mut self, point: Point, code: u16, events: &mut Events) {
        let limits = self.profile.limits();
        let spot = &mut self.spots[point.index()];
        let value_q4 = |code_q4: u16| {
            let off_q4 = i32::from(code_q4) - i32::from(spot.zero_q4);
            self.calibration.scaled_q4(point, off_q4).saturating_sub(spot.crosstalk_q4)
        };
        let mean_q4 = value_q4(spot.mean_q4);
        spot.value_q4 = value_q4(code << Q4);
        if spot.resting {
            spot.rested_q4 = mean_q4;
            let from_q4 = if spot.stirred { spot.onset_q4 } else { spot.held_q4 };
            if !spot.settled.is_occupied() {
                (spot.held_q4, spot.steady_q4, spot.steady_scans) = (mean_q4, mean_q4, 0);
            } else if spot.follows(self.windows.length(), limits) {
                spot.held_q4 = mean_q4;
                let by_q4 = mean_q4.saturating_sub(from_q4);
                spot.crept_q4 = spot.crept_q4.saturating_add(by_q4);
                let crept_q4 = Sign::of(mean_q4).along(spot.crept_q4);
                spot.crept_most_q4 = spot.crept_most_q4.max(crept_q4);
            }
        } else if spot.since_ms == self.now_ms {
            spot.onset_q4 = spot.value_q4;
        }
        let now = codes(spot.value_q4);
        let gone = spot.gone(limits.is_below_return(now), self.now_ms);
        let before = spot.settled;
        spot.class = if spot.resting {
            limits.classify(codes(spot.held_q4), before)
        } else if gone && !spot.health.is_suspect() {
            Class::Empty
        } else {
            Class::Unknown(Doubt::Moving)
        };
        let seen = if spot.resting && spot.class.is_known() {
            spot.class
        } else {
            limits.glance(now, spot.seen)
        };
        if before.is_occupied() && spot.seen.is_occupied() && has_fallen(spot.seen, seen) {
            events.leaving.insert(point);
        }
        spot.seen = seen;
        if spot.class.is_known() {
            self.enter(point, before, events);
        }
    }

    /// Enters a class that is certain, and what happened since the last one.
    fn enter(&mut self, point: Point, before: Class, events: &mut Events) {
        let spot = &mut self.spots[point.index()];
        let after = spot.class;
        let moved = codes(spot.rested_q4.saturating_sub(spot.anchor_q4)).abs() >= TOUCH_DELTA;
        match (before.is_occupied(), after.is_occupied()) {
            (true, true) if spot.stirred || moved => {
                events.touched.insert(point);
                spot.references_q4[Reference::Touch as usize] = spot.anchor_q4;
                spot.lifted_since[Reference::Touch as usize] = false;
                let lift = &mut spot.references_q4[Reference::Lift as usize];
                if *lift == NO_REFERENCE {
                    *lift = spot.rested_q4;
                }
                spot.anchor_q4 = spot.rested_q4;
            }
            (true, false) => {
                events.lifted.insert(point);
                spot.lifted_since = [true; REFERENCES];
            }
            (false, true) => {
                if before.is_known() {
                    events.put.insert(point);
                }
                spot.references_q4[Reference::Touch as usize] = NO_REFERENCE;
                for reference in spot.references_q4.iter_mut().filter(|r| **r == NO_REFERENCE) {
                    *reference = spot.rested_q4;
                }
                spot.anchor_q4 = spot.rested_q4;
            }
            _ => {}
        }
        spot.stirred = false;
        if after != before {
            self.settle(point, after);
        }
    }

    /// Makes a class the settled one and tells the points around what it adds to theirs.
    fn settle(&mut self, point: Point, class: Class) {
        let before = self.spots[point.index()].settled;
        let (old, new) = (self.profile.crosstalk_q4(before), self.profile.crosstalk_q4(class));
        self.spots[point.index()].settled = class;
        if old == new {
            return;
        }
        // What was not known before was there all the same: then only the picture changes, and the
        // values that later ones are compared with change with it.
        let is_news = before.is_known() && class.is_known();
        for (near, is_corner) in around(self.calibration.playfield(), point) {
            let change_q4 = if is_corner { new.1 - old.1 } else { new.0 - old.0 };
            let spot = &mut self.spots[near.index()];
            spot.crosstalk_q4 += change_q4;
            if !is_news {
                spot.shift(-change_q4);
            }
        }
    }

    /// Lets the zero of one point follow its drift; every point has its turn once in `TRACK_MS`.
    fn track_zero(&mut self) {
        let playfield = self.calibration.playfield();
        let turn = self.track_turn;
        self.track_turn = if turn + 1 == self.track_turns { 0 } else { turn + 1 };
        let Some(point) = Point::new(playfield, turn as usize) else { return };
        let Some(calibrated) = self.calibration.zero_q4(point) else { return };
        let settled_around: PointSet = around(playfield, point).map(|(near, _)| near).collect();
        let spot = &self.spots[point.index()];
        if spot.class != Class::Empty
            || !self.should_be_empty.contains(point)
            || self.still_ms(settled_around | PointSet::of(point)) < TRACK_MS
        {
            return;
        }
        let moved = match codes(spot.rested_q4) {
            1.. => spot.zero_q4 + (1 << Q4),
            0 => spot.zero_q4,
            _ => spot.zero_q4 - (1 << Q4),
        };
        let reach = TRACK_MAX << Q4;
        self.spots[point.index()].zero_q4 = moved.clamp(calibrated - reach, calibrated + reach);
    }

    /// Forgets all classes and references; what is at rest stays so.
    fn forget(&mut self) {
        for spot in &mut self.spots {
            *spot = Spot {
                mean_q4: spot.mean_q4,
                zero_q4: spot.zero_q4,
                since_ms: spot.since_ms,
                resting: spot.resting,
                calm: spot.calm,
                spike: spot.spike,
                health: spot.health,
                ..Spot::NEW
            };
        }
    }
}

/// Sixteenths of a code as codes.
#[inline]
const fn codes(value_q4: i16) -> i16 {
    value_q4.saturating_add(1 << (Q4 - 1)) >> Q4
}

/// Whether a reading shows less than one before: nothing, something weaker, or the other sign.
fn has_fallen(before: Class, after: Class) -> bool {
    match (before, after) {
        (Class::Piece(was, sign), Class::Piece(is, s)) => s != sign || is < was,
        (_, after) => !after.is_occupied(),
    }
}

/// The points whose fields mix with a point's, and whether they lie at a corner: all six of the hex
/// playfield, eight of the square one.
fn around(playfield: Playfield, point: Point) -> impl Iterator<Item = (Point, bool)> {
    const HEX: [(i8, i8, bool); 6] = [
        (0, 1, false),
        (1, 1, false),
        (1, 0, false),
        (0, -1, false),
        (-1, -1, false),
        (-1, 0, false),
    ];
    const SQUARE: [(i8, i8, bool); 8] = [
        (0, 1, false),
        (1, 1, true),
        (1, 0, false),
        (1, -1, true),
        (0, -1, false),
        (-1, -1, true),
        (-1, 0, false),
        (-1, 1, true),
    ];
    let steps: &[(i8, i8, bool)] = match playfield {
        Playfield::Hex => &HEX,
        Playfield::Square => &SQUARE,
    };
    let (column, row) = playfield.place(point);
    steps.iter().filter_map(move |&(columns, rows, is_corner)| {
        Some((playfield.at(column + columns, row + rows)?, is_corner))
    })
}
