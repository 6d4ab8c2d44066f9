//! Hand-made codes: limits, rest, events, references, calibration, faults. What needs real fields
//! is in `tests/sense`.

use std::vec::Vec;

use super::*;
use crate::geometry::{HEX, SQUARE};
use crate::random::SplitMix64;

use Class::{Between, Empty, NotSeated, Piece, Unknown};
use Sign::{Minus, Plus};
use Strength::{Single, Strong, Weak};

/// The code of a scan, by its number.
type Codes = fn(u32) -> u16;

/// A board whose codes a test sets by hand.
struct World {
    sense: Sense,
    codes: Vec<u16>,
    scans: u32,
    /// Noise of up to three codes to either side.
    noise: Option<SplitMix64>,
    /// What the sensor of f6 gives instead.
    broken: Option<Codes>,
}

impl World {
    fn new(profile: Profile) -> World {
        let playfield = if profile == Profile::Chips { Playfield::Square } else { Playfield::Hex };
        World::with(profile, Calibration::exact(playfield))
    }

    fn with(profile: Profile, calibration: Calibration) -> World {
        let codes = std::vec![2048; calibration.playfield().point_count()];
        World {
            sense: Sense::new(profile, calibration),
            codes,
            scans: 0,
            noise: None,
            broken: None,
        }
    }

    fn noisy(mut self) -> World {
        self.noise = Some(SplitMix64::new(1));
        self
    }

    fn playfield(&self) -> Playfield {
        self.sense.calibration().playfield()
    }

    fn now_ms(&self) -> u32 {
        self.scans * (period_us(self.playfield()) / 100) / 10
    }

    fn scan(&mut self) -> Events {
        let mut codes = self.codes.clone();
        if let Some(random) = &mut self.noise {
            for code in &mut codes {
                *code = *code + random.below(7) as u16 - 3;
            }
        }
        if let Some(broken) = self.broken {
            codes[f6().index()] = broken(self.scans);
        }
        self.scans += 1;
        self.sense.scan(self.now_ms(), &codes)
    }

    /// Scans for this long; returns everything that happened.
    fn run(&mut self, ms: u32) -> Events {
        let mut all = Events::default();
        for _ in 0..ms * 1000 / period_us(self.playfield()) {
            let events = self.scan();
            all.leaving |= events.leaving;
            all.lifted |= events.lifted;
            all.put |= events.put;
            all.touched |= events.touched;
            all.fault_changed |= events.fault_changed;
        }
        all
    }

    fn set(&mut self, point: Point, value: i32) {
        self.codes[point.index()] = (2048 + value) as u16;
    }

    /// Sets a value, waits for rest and returns the class.
    fn rested(&mut self, point: Point, value: i32) -> Class {
        self.set(point, value);
        self.run(300);
        self.sense.class(point)
    }
}

fn f6() -> Point {
    HEX.point(HEX.parse(b"f6").unwrap())
}

fn h8() -> Point {
    SQUARE.point(SQUARE.parse(b"h8").unwrap())
}

fn middle(profile: Profile) -> Point {
    if profile == Profile::Chips { h8() } else { f6() }
}

#[test]
fn limits_are_those_of_the_board() {
    use Profile::{Chips, Pieces, Rings};
    // Each row: profile, then values that follow each other on one point, and their classes.
    let rows: &[(Profile, &[(i32, Class)])] = &[
        (Rings, &[(44, Empty), (45, NotSeated(Plus)), (40, NotSeated(Plus)), (34, Empty)]),
        (Rings, &[(71, Piece(Weak, Plus)), (56, Piece(Weak, Plus)), (55, NotSeated(Plus))]),
        (Rings, &[(-134, Piece(Weak, Minus)), (-44, Empty), (-70, NotSeated(Minus))]),
        (Rings, &[(172, Piece(Weak, Plus)), (191, Piece(Weak, Plus)), (192, Piece(Single, Plus))]),
        (
            Rings,
            &[(277, Piece(Single, Plus)), (173, Piece(Single, Plus)), (172, Piece(Weak, Plus))],
        ),
        (Rings, &[(182, Between(Plus)), (173, Between(Plus)), (172, Piece(Weak, Plus))]),
        (Rings, &[(328, Between(Plus)), (338, Piece(Strong, Plus)), (320, Piece(Strong, Plus))]),
        (Rings, &[(-411, Piece(Strong, Minus)), (-277, Piece(Single, Minus))]),
        (Rings, &[(277, Piece(Single, Plus)), (-277, Piece(Single, Minus)), (0, Empty)]),
        (Pieces, &[(73, Empty), (74, NotSeated(Plus)), (133, NotSeated(Plus)), (64, Empty)]),
        (Pieces, &[(134, Piece(Single, Plus)), (104, Piece(Single, Plus)), (103, NotSeated(Plus))]),
        (Pieces, &[(372, Between(Plus)), (411, Piece(Strong, Plus)), (372, Piece(Strong, Plus))]),
        (Pieces, &[(-561, Piece(Strong, Minus)), (-277, Piece(Single, Minus)), (-9, Empty)]),
        (Chips, &[(21, Empty), (36, NotSeated(Plus)), (37, Piece(Single, Plus))]),
        (Chips, &[(-69, Piece(Single, Minus)), (-28, Piece(Single, Minus)), (-12, Empty)]),
        (Pieces, &[(1489, Piece(Strong, Plus)), (1490, Unknown(Doubt::Overload))]),
    ];
    for (profile, values) in rows {
        let (mut world, point) = (World::new(*profile), middle(*profile));
        world.run(300);
        for &(value, class) in *values {
            assert_eq!(world.rested(point, value), class, "{profile:?} {value} of {values:?}");
        }
    }
}

#[test]
fn differences_tell_pairs_that_levels_would_miss() {
    use Reference::{Commit, Touch};
    // Ring at the reference, a later value, the class by level, the class by difference.
    for (ring, value, level, told) in [
        // A weak sensor: the pair reads like a marker.
        (110, 310, Piece(Single, Plus), Piece(Strong, Plus)),
        (-110, -310, Piece(Single, Minus), Piece(Strong, Minus)),
        (110, 205, Piece(Single, Plus), Piece(Single, Plus)),
        (110, 100, Piece(Weak, Plus), Piece(Weak, Plus)),
        // At a limit.
        (134, 330, Between(Plus), Piece(Strong, Plus)),
        // The wrong marker in a ring: no difference speaks of another sign.
        (134, -143, Piece(Weak, Minus), Piece(Weak, Minus)),
        (134, 0, Empty, Empty),
    ] {
        let mut world = World::new(Profile::Rings);
        world.rested(f6(), ring);
        world.sense.mark(Commit);
        assert_eq!(world.rested(f6(), value), level, "{ring} {value}");
        assert_eq!(world.sense.class_knowing(f6(), Weak, Commit), told, "{ring} {value}");
    }
    // A strong sensor, where a marker reads like a pair: ring off, marker stays; and back on.
    let mut world = World::new(Profile::Rings);
    world.rested(f6(), -510);
    assert_eq!(world.rested(f6(), -345), Piece(Strong, Minus));
    assert_eq!(world.sense.class_knowing(f6(), Strong, Touch), Piece(Single, Minus));
    world.sense.mark(Commit);
    world.rested(f6(), -510);
    assert_eq!(world.sense.class_knowing(f6(), Single, Commit), Piece(Strong, Minus));
    // Lifted in between, differences prove nothing.
    world.rested(f6(), 0);
    world.rested(f6(), -510);
    world.sense.mark(Commit);
    world.rested(f6(), 0);
    assert_eq!(world.rested(f6(), -345), Piece(Strong, Minus));
    assert_eq!(world.sense.class_knowing(f6(), Strong, Commit), Piece(Strong, Minus));
}

#[test]
fn rest_and_gone_take_their_time() {
    for (profile, value, rest_scans, gone_scans) in
        [(Profile::Pieces, 277, 12, 7), (Profile::Chips, 69, 6, 4)]
    {
        let (mut world, point) = (World::new(profile), middle(profile));
        world.run(1000);
        world.set(point, value);
        let mut scans = 1;
        while !world.scan().put.contains(point) {
            assert!(!world.sense.class(point).is_occupied());
            scans += 1;
        }
        assert_eq!(scans, rest_scans, "{profile:?}");
        // Stillness is counted from the first scan that showed the piece.
        let period_ms = period_us(world.playfield()) / 1000;
        let still = world.sense.still_ms(PointSet::of(point));
        assert!(still.abs_diff(REST_MS - period_ms) <= 1, "{still}");
        world.set(point, 0);
        let first = world.scan();
        assert!(first.leaving.contains(point), "a hint needs one scan");
        assert_eq!(
            (world.sense.seen(point), world.sense.class(point)),
            (Empty, Unknown(Doubt::Moving))
        );
        let mut scans = 2;
        while !world.scan().lifted.contains(point) {
            scans += 1;
        }
        assert_eq!(scans, gone_scans, "{profile:?}");
        assert_eq!(world.sense.class(point), Empty);
    }
}

#[test]
fn short_visits_and_short_absences_are_no_events() {
    let mut world = World::new(Profile::Pieces);
    world.run(300);
    world.set(f6(), 277);
    world.run(100);
    world.set(f6(), 0);
    let events = world.run(500);
    assert!(events.put.is_empty() && events.lifted.is_empty());
    world.rested(f6(), 277);
    world.set(f6(), 20);
    world.run(62);
    world.set(f6(), 270);
    let events = world.run(500);
    assert!(events.lifted.is_empty() && events.touched.contains(f6()));
}

#[test]
fn scans_that_come_too_quickly_do_not_make_rest_any_sooner() {
    let mut sense = Sense::new(Profile::Pieces, Calibration::exact(Playfield::Hex));
    let mut codes = [2048; 91];
    codes[f6().index()] = 2048 + 277;
    // Every twelfth counts, and twelve of them make it.
    for ms in 0..11 * 12 {
        sense.scan(ms, &codes);
        assert_eq!(sense.class(f6()), Unknown(Doubt::Moving), "{ms}");
    }
    sense.scan(11 * 12, &codes);
    assert_eq!(sense.class(f6()), Piece(Single, Plus));
}

#[test]
fn time_may_wrap() {
    let mut sense = Sense::new(Profile::Pieces, Calibration::exact(Playfield::Hex));
    let mut codes = [2048; 91];
    let mut now = u32::MAX - 400;
    let mut run = |sense: &mut Sense, codes: &[u16], scans| {
        let (mut put, mut lifted) = (false, false);
        for _ in 0..scans {
            now = now.wrapping_add(13);
            let events = sense.scan(now, codes);
            put |= events.put.contains(f6());
            lifted |= events.lifted.contains(f6());
        }
        (put, lifted)
    };
    run(&mut sense, &codes, 20);
    codes[f6().index()] += 277;
    assert_eq!(run(&mut sense, &codes, 14), (true, false));
    codes[f6().index()] -= 277;
    assert_eq!(run(&mut sense, &codes, 14), (false, true));
}

#[test]
fn one_odd_scan_is_noise_and_two_are_a_movement() {
    let mut world = World::new(Profile::Pieces);
    world.rested(f6(), 277);
    for (odd_scans, odd, moves) in
        [(1, 20, false), (2, 20, true), (1, 60, true), (5, 8, false), (1, -24, false)]
    {
        world.set(f6(), 277 + odd);
        let mut unrest = false;
        for _ in 0..odd_scans {
            world.scan();
            unrest |= world.sense.still_ms(PointSet::of(f6())) == 0;
        }
        world.set(f6(), 277);
        assert_eq!(unrest, moves, "{odd_scans} scans of {odd}");
        world.run(500);
    }
}

/// How long the middle has been still after some scans with these values.
fn still_after(profile: Profile, before: i32, values: &[i32]) -> (u32, u32) {
    let (mut world, point) = (World::new(profile), middle(profile));
    world.rested(point, before);
    for &value in values {
        world.set(point, value);
        world.scan();
    }
    (world.sense.still_ms(PointSet::of(point)), period_us(world.playfield()))
}

#[test]
fn neither_a_stray_scan_nor_the_first_of_a_movement_makes_rest_count_later() {
    for profile in [Profile::Pieces, Profile::Chips] {
        let came = [69; 40];
        let (plain, period_us) = still_after(profile, 0, &came);
        // The third scan after something came is noise.
        let mut stray = came;
        stray[3] = 69 + 12;
        assert_eq!(still_after(profile, 0, &stray).0, plain, "{profile:?}");
        // Two are more than noise: rest counts from the last of them, or after it.
        (stray[3], stray[4]) = (69 + 20, 69 + 20);
        let later = plain - still_after(profile, 0, &stray).0;
        let last_ms = 4 * period_us / 1000;
        assert!((last_ms..=last_ms * 5 / 4 + 1).contains(&later), "{profile:?}: {later}");
        // A small movement begins with what may be noise.
        let small = still_after(profile, 50, &came).0;
        assert!((plain..=plain + period_us / 1000 + 1).contains(&small), "{profile:?}: {small}");
    }
}

#[test]
fn a_small_step_never_rests_halfway() {
    for step in 9..=30 {
        let mut world = World::new(Profile::Chips);
        world.rested(h8(), 69);
        world.sense.mark(Reference::Commit);
        world.set(h8(), 69 + step);
        let mut touched = 0;
        for _ in 0..20 {
            if world.scan().touched.contains(h8()) {
                touched += 1;
                let change = i32::from(world.sense.change(h8(), Reference::Commit).unwrap());
                assert!(step - change <= 3, "{change} of {step}");
            }
        }
        assert_eq!(touched, 1, "{step}");
        assert_eq!(world.sense.change(h8(), Reference::Commit), Some(step as i16));
    }
}

#[test]
fn changes_are_counted_from_their_references() {
    let mut world = World::new(Profile::Pieces);
    let (from, onto) = (HEX.point(HEX.parse(b"a1").unwrap()), f6());
    world.set(from, 277);
    world.set(onto, -300);
    world.run(300);
    world.sense.mark(Reference::Commit);
    assert_eq!(world.rested(onto, -280), Piece(Single, Minus));
    world.set(from, 0);
    assert!(world.run(300).lifted.contains(from));
    world.sense.mark(Reference::Lift);
    world.set(onto, -350);
    assert!(world.run(300).touched.contains(onto));
    assert_eq!(world.sense.change(onto, Reference::Lift), Some(70), "away from zero is stronger");
    assert_eq!(world.sense.change(onto, Reference::Commit), Some(50));
    // In motion nothing is told; lifted and put back it counts from before; a new piece from its
    // first rest.
    world.set(onto, -200);
    world.scan();
    assert_eq!(world.sense.change(onto, Reference::Commit), None);
    world.set(onto, 0);
    world.run(300);
    assert_eq!(world.sense.change(onto, Reference::Commit), None);
    world.rested(onto, -290);
    assert_eq!(world.sense.change(onto, Reference::Commit), Some(-10));
    world.sense.mark(Reference::Lift);
    world.rested(from, 250);
    world.rested(from, 265);
    assert_eq!(world.sense.change(from, Reference::Lift), Some(15));
}

#[test]
fn slow_changes_are_touches_too() {
    let mut world = World::new(Profile::Pieces);
    world.rested(f6(), 400);
    let mut touched = 0;
    for value in 400..=424 {
        world.set(f6(), value);
        touched += usize::from(world.run(100).touched.contains(f6()));
        assert!(world.sense.class(f6()).is_occupied(), "never in motion");
    }
    assert_eq!(touched, 3);
}

#[test]
fn noise_does_not_change_what_is_held() {
    let mut world = World::new(Profile::Pieces);
    world.rested(f6(), 400);
    world.run(500);
    world.sense.mark(Reference::Lift);
    let mut change = |value, ms| {
        world.set(f6(), value);
        world.run(ms);
        (world.sense.change(f6(), Reference::Lift), world.sense.crept(f6()))
    };
    assert_eq!(change(402, 400), (Some(0), 0));
    assert_eq!(change(398, 400), (Some(0), 0));
    // More is no noise; what comes right after it counts to the code.
    assert_eq!(change(404, 200), (Some(4), 4));
    assert_eq!(change(405, 400), (Some(5), 5));
    assert_eq!(change(407, 400), (Some(5), 5));
}

#[test]
fn noise_does_not_change_a_class_on_a_limit() {
    let mut world = World::new(Profile::Pieces);
    assert_eq!(world.rested(f6(), 381), Between(Plus));
    world.run(500);
    for (value, class) in [(384, Between(Plus)), (385, Piece(Strong, Plus))] {
        world.set(f6(), value);
        world.run(500);
        assert_eq!(world.sense.class(f6()), class, "{value}");
    }
}

#[test]
fn a_chip_that_comes_down_slowly_counts_to_the_code() {
    let mut world = World::new(Profile::Chips);
    let a1 = Playfield::Square.points().next().unwrap();
    world.rested(a1, 60);
    world.run(500);
    world.sense.mark(Reference::Commit);
    for value in [64, 66, 68] {
        world.set(a1, value);
        world.run(250);
    }
    assert!(world.sense.is_changing(a1), "it has just come");
    world.run(500);
    assert_eq!(world.sense.change(a1, Reference::Commit), Some(8));
    assert!(!world.sense.is_changing(a1), "it stands");
}

#[test]
fn pieces_that_lay_there_before_power_up_are_known_but_no_event() {
    let mut world = World::new(Profile::Pieces);
    world.set(f6(), 277);
    let events = world.run(500);
    assert_eq!(events, Events::default());
    assert_eq!(world.sense.class(f6()), Piece(Single, Plus));
    world.sense.set_profile(Profile::Rings);
    assert_eq!(world.sense.class(f6()), Unknown(Doubt::Moving));
    assert_eq!(world.scan(), Events::default());
    assert_eq!(world.sense.class(f6()), Piece(Single, Plus), "found anew with the next scan");
}

#[test]
fn without_a_zero_only_points_near_nominal_are_empty() {
    let mut world = World::with(Profile::Rings, Calibration::none(Playfield::Hex));
    for (value, class) in [(0, Empty), (40, Empty), (-40, Empty), (41, Unknown(Doubt::NoZero))] {
        assert_eq!(world.rested(f6(), value), class, "{value}");
    }
    assert_eq!(world.sense.calibration().unzeroed().len(), 91);
}

#[test]
fn a_zero_run_finds_zeros_and_refuses_what_cannot_be_one() {
    let points: Vec<Point> = Playfield::Hex.points().collect();
    let mut run = ZeroRun::new();
    let mut codes = [2048; 91];
    codes[0] = 2048 + 82;
    codes[1] = 2048 + 83;
    codes[2] = 0;
    for scan in 0..ZeroRun::SCANS {
        // Three quarters of a code above 2000.
        codes[3] = if scan % 4 == 0 { 2000 } else { 2001 };
        // Something moves.
        codes[4] = if scan == 100 { 2073 } else { 2048 };
        assert_eq!(run.add(&codes), scan + 1 == ZeroRun::SCANS);
    }
    codes = [0; 91];
    assert!(run.add(&codes), "what comes later does not count");
    let mut calibration = Calibration::none(Playfield::Hex);
    let refused = run.finish(&mut calibration);
    assert_eq!(refused, [points[1], points[2], points[4]].into_iter().collect());
    assert_eq!(calibration.unzeroed(), refused);
    assert_eq!(calibration.zero_q4(points[0]), Some(2130 << 4));
    assert_eq!(calibration.zero_q4(points[3]), Some((2000 << 4) + 12));
    assert_eq!(ZeroRun::new().finish(&mut calibration).len(), 91, "an empty run gives nothing");
    assert_eq!(calibration.unzeroed(), refused, "and takes nothing");
}

#[test]
fn a_taught_point_reads_like_a_nominal_one() {
    let mut world = World::new(Profile::Rings);
    assert_eq!(world.sense.teach(f6()), Err(TeachError::NotReady));
    world.rested(f6(), 240);
    assert_eq!(world.sense.teach(f6()), Ok(()));
    world.run(100);
    assert_eq!(world.sense.rested(f6()), 277);
    // A ring of 116 codes there is one of 134.
    world.rested(f6(), 116);
    assert_eq!(world.sense.rested(f6()), 134);
    for value in [0, 150, 420] {
        world.rested(f6(), value);
        assert_eq!(world.sense.teach(f6()), Err(TeachError::Implausible), "{value}");
    }
    world.rested(f6(), 116);
    assert_eq!(world.sense.rested(f6()), 134, "refused teaching changes nothing");
}

#[test]
fn stored_calibrations_come_back_or_are_refused() {
    let mut calibration = Calibration::exact(Playfield::Hex);
    calibration.teach(f6(), 4000, 4429).unwrap();
    let bytes = calibration.to_bytes();
    assert_eq!(Calibration::from_bytes(Playfield::Hex, &bytes), Ok(calibration));
    let read = |bytes: &[u8]| Calibration::from_bytes(Playfield::Hex, bytes).map(|_| ());
    for n in 0..bytes.len() {
        for bit in 0..8 {
            let mut spoilt = bytes;
            spoilt[n] ^= 1 << bit;
            assert_eq!(read(&spoilt), Err(StoredError::CheckSum), "byte {n}, bit {bit}");
        }
    }
    assert_eq!(read(&bytes[1..]), Err(StoredError::Length));
    assert_eq!(
        Calibration::from_bytes(Playfield::Square, &bytes),
        Err(StoredError::Playfield),
        "a calibration belongs to its playfield"
    );
    // Well summed, but no sensor's.
    let resummed = |change: fn(&mut [u8])| {
        let mut bytes = bytes;
        change(&mut bytes);
        let (body, sum) = bytes.split_at_mut(Calibration::BYTES - 4);
        let crc = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC);
        sum.copy_from_slice(&crc.checksum(body).to_le_bytes());
        read(&bytes)
    };
    assert_eq!(resummed(|bytes| bytes[0] = 9), Err(StoredError::Version));
    assert_eq!(resummed(|bytes| bytes[3] = 1), Err(StoredError::Value));
    assert_eq!(resummed(|bytes| bytes[2 + 450 + 1] = 0xFF), Err(StoredError::Value));
}

#[test]
fn zeros_follow_drift_slowly_and_not_far() {
    let mut world = World::new(Profile::Chips);
    let other = SQUARE.point(SQUARE.parse(b"a1").unwrap());
    world.sense.set_should_be_empty(PointSet::of(h8()));
    for point in [h8(), other] {
        world.set(point, 10);
    }
    world.run(10_000);
    assert_eq!(world.sense.rested(h8()), 10, "nothing before it rested for ten seconds");
    world.run(50_000);
    assert!((4..=6).contains(&world.sense.rested(h8())), "{}", world.sense.rested(h8()));
    assert_eq!(world.sense.rested(other), 10, "only where the caller says so");
    world.run(100_000);
    assert_eq!(world.sense.rested(h8()), 0);
    for (value, rested) in [(20, 5), (-20, -5)] {
        let mut world = World::new(Profile::Chips);
        world.sense.set_should_be_empty(PointSet::of(h8()));
        world.set(h8(), value);
        world.run(400_000);
        assert_eq!(world.sense.rested(h8()), rested, "15 codes at most");
    }
    // A hand at work next to it stops it.
    let mut world = World::new(Profile::Chips);
    world.sense.set_should_be_empty(PointSet::first(225));
    world.set(h8(), 10);
    let beside = SQUARE.point(SQUARE.parse(b"h9").unwrap());
    for n in 0..20 {
        world.set(beside, if n % 2 == 0 { 69 } else { 0 });
        world.run(5_000);
    }
    assert_eq!(world.sense.rested(h8()), 10);
}

#[test]
fn neighbours_are_subtracted() {
    let mut world = World::new(Profile::Rings);
    world.run(300);
    // Six white rings around: -6.1 codes each, and a black ring inside.
    let near: Vec<Point> = around(Playfield::Hex, f6()).map(|(point, _)| point).collect();
    assert_eq!(near.len(), 6);
    for &point in &near {
        world.set(point, 134);
    }
    world.rested(f6(), -37 - 134);
    assert_eq!(world.sense.rested(f6()), -134);
    for &point in &near {
        world.set(point, 0);
    }
    world.rested(f6(), -134);
    assert_eq!(world.sense.rested(f6()), -134, "and not when they are gone");
    world.sense.set_profile(Profile::Pieces);
    world.run(300);
    assert_eq!(world.sense.rested(f6()), -134);
}

#[test]
fn faulty_sensors_are_found_and_trusted_again_when_they_behave() {
    let kinds: [(Fault, Codes, u32); 4] = [
        (Fault::OutOfRange, |_| 0, 100),
        (Fault::OutOfRange, |_| 4000, 100),
        (Fault::Stuck, |_| 2053, 2000),
        (Fault::Noisy, |scan| if scan % 2 == 0 { 2018 } else { 2078 }, 3000),
    ];
    for (fault, code, within_ms) in kinds {
        let mut world = World::new(Profile::Pieces).noisy();
        world.rested(f6(), 277);
        world.broken = Some(code);
        let events = world.run(within_ms);
        assert_eq!(events.fault_changed, PointSet::of(f6()), "{fault:?}");
        assert_eq!(world.sense.fault(f6()), Some(fault));
        assert_eq!(world.sense.faults(), PointSet::of(f6()));
        assert_eq!(world.sense.class(f6()), Unknown(Doubt::Faulty));
        assert!(world.sense.still_ms(PointSet::first(91)) > 0, "the others count");
        world.broken = None;
        let events = world.run(1900);
        assert!(events.fault_changed.is_empty(), "{fault:?}: not at once");
        let events = world.run(2000);
        assert_eq!(events.fault_changed, PointSet::of(f6()), "{fault:?}");
        assert!(events.put.is_empty() && events.lifted.is_empty());
        assert_eq!(world.sense.class(f6()), Piece(Single, Plus));
    }
}

#[test]
fn a_world_without_noise_has_no_stuck_sensors_and_bad_codes_need_longer() {
    let mut world = World::new(Profile::Pieces);
    world.set(f6(), 277);
    assert!(world.run(20_000).fault_changed.is_empty());
    // A strong piece on a weak sensor may read 2560 nearly all the time,
    let mut world = World::new(Profile::Pieces).noisy();
    world.broken = Some(|scan| if scan % 80 == 0 { 2565 } else { 2560 });
    assert!(world.run(60_000).fault_changed.is_empty());
    assert_eq!(world.sense.class(f6()), Piece(Strong, Plus));
    // but not for ever.
    world.broken = Some(|_| 2560);
    assert!(!world.run(15_000).fault_changed.is_empty());
    assert_eq!(world.sense.fault(f6()), Some(Fault::Stuck));
}

#[test]
fn a_lone_scan_of_noise_does_not_end_a_rest() {
    let mut world = World::new(Profile::Pieces);
    // The first one makes the mean seem nearer to the second one than it is.
    world.broken = Some(|scan| match scan {
        30 => 2331,
        42 => 2334,
        _ => 2325,
    });
    world.run(300);
    for _ in 24..60 {
        world.scan();
        assert_eq!(world.sense.class(f6()), Piece(Single, Plus), "scan {}", world.scans - 1);
    }
}

#[test]
fn a_sensor_that_never_rests_is_noisy() {
    let mut world = World::new(Profile::Pieces);
    let mut scans = 0;
    while world.sense.faults().is_empty() {
        // A slow swing, too smooth to be a jump.
        let phase = scans % 64;
        world.set(f6(), if phase < 32 { phase * 3 } else { (64 - phase) * 3 });
        world.scan();
        scans += 1;
        assert!(scans < 6000);
    }
    assert_eq!(world.sense.fault(f6()), Some(Fault::Noisy));
    assert!(scans > 4000);
}

#[test]
fn any_codes_are_taken() {
    let mut random = SplitMix64::new(5);
    for profile in [Profile::Rings, Profile::Pieces, Profile::Chips] {
        for playfield in Playfield::ALL {
            for calibration in [Calibration::exact(playfield), Calibration::none(playfield)] {
                let mut sense = Sense::new(profile, calibration);
                sense.set_should_be_empty(PointSet::first(playfield.point_count()));
                for scan in 0..300_u32 {
                    let length = random.below(300);
                    let codes: Vec<u16> = (0..length).map(|_| random.next() as u16).collect();
                    let extreme = if scan % 2 == 0 { [u16::MAX; 225] } else { [0; 225] };
                    sense.scan(random.next() as u32, &codes);
                    sense.scan(scan * 13, &extreme);
                    if let Some(point) = Point::new(playfield, random.below(225)) {
                        let _ = sense.teach(point);
                        let _ = sense.change(point, Reference::Lift);
                    }
                    sense.mark(Reference::Lift);
                }
            }
        }
    }
}

#[test]
fn it_fits_its_share_of_the_memory() {
    let size = size_of::<Sense>();
    std::println!("Sense: {size} bytes, ZeroRun: {}", size_of::<ZeroRun>());
    assert!(size <= 20 * 1024, "{size}");
    assert!(size_of::<ZeroRun>() <= 2 * 1024);
}
