//! The model against the computed fields of the board's specification, and its speed.

use std::time::Instant;

use super::*;

const HEX: Playfield = Playfield::Hex;
const SQUARE: Playfield = Playfield::Square;

fn centre(playfield: Playfield) -> Point {
    match playfield {
        Playfield::Hex => HEX.at(5, 6).unwrap(),
        Playfield::Square => SQUARE.at(7, 8).unwrap(),
    }
}

/// White pieces at (kind, x, z), all in the plane of the centre's column of sensors.
fn field_at_centre(playfield: Playfield, pieces: &[(Kind, f64, f64)]) -> f64 {
    let mut table = Table::new(playfield, &Tolerances::NONE, 0);
    for &(kind, x, z) in pieces {
        let id = table.put(Piece::new(kind, Pole::Plus), (x, 0.0));
        table.move_to(id, (x, 0.0), z);
    }
    table.field_mt(centre(playfield))
}

fn height_mm(table: &Table, id: PieceId) -> i64 {
    table.piece(id).2.round() as i64
}

/// 1 % or 0.005 mT, whichever is larger.
#[track_caller]
fn check(what: &str, field: f64, exact: f64) {
    let allowed = (exact.abs() * 0.01).max(0.005);
    assert!((field - exact).abs() <= allowed, "{what}: {field:.4} mT instead of {exact:.4}");
}

#[test]
fn single_pieces_have_the_exact_fields() {
    use Kind::{Chip, GipfBasic, GipfBody, Marker, Ring, StrongFlat};
    // Kind, x, z of the underside, exact mT. A 5x1 lies 2.5 above the underside.
    for (kind, x, z, exact) in [
        (Marker, 0.0, 0.0, 3.7169),
        (Marker, 1.0, 0.0, 3.6155),
        (Marker, 2.0, 0.0, 3.3299),
        (Marker, 3.0, 0.0, 2.9103),
        (Marker, 4.0, 0.0, 2.422),
        (Marker, 5.0, 0.0, 1.9264),
        (Marker, 6.0, 0.0, 1.471),
        (Marker, 8.0, 0.0, 0.765),
        (Marker, 10.0, 0.0, 0.3382),
        (Marker, 12.0, 0.0, 0.110),
        (Marker, 14.0, 0.0, -0.001),
        (Marker, 15.0, 0.0, -0.0312),
        (Marker, 20.0, 0.0, -0.071),
        (Marker, 22.0, 0.0, -0.0679),
        (Marker, 30.0, 0.0, -0.0425),
        (Marker, 51.962, 0.0, -0.0113),
        (Marker, 60.0, 0.0, -0.0077),
        (GipfBasic, 0.0, 1.0, 2.814),
        (GipfBasic, 0.0, 2.0, 2.179),
        (GipfBasic, 0.0, 5.0, 1.1241),
        (GipfBasic, 0.0, 10.0, 0.4755),
        (GipfBasic, 0.0, 15.0, 0.243),
        (GipfBasic, 0.0, 20.0, 0.1405),
        (StrongFlat, 0.0, 0.0, 7.5375),
        (StrongFlat, 1.0, 0.0, 7.328),
        (StrongFlat, 2.0, 0.0, 6.739),
        (StrongFlat, 3.0, 0.0, 5.8767),
        (StrongFlat, 30.0, 0.0, -0.0851),
        (GipfBody, 0.0, 2.0, 4.401),
        (GipfBody, 0.0, 5.0, 2.263),
        (GipfBody, 0.0, 10.0, 0.955),
        (GipfBody, 0.0, 20.0, 0.282),
        (Ring, 0.0, 0.0, 1.8032),
        (Ring, 2.0, 0.0, 1.7543),
        (Ring, 3.0, 0.0, 1.6926),
        (Ring, 4.0, 0.0, 1.606),
        (Ring, 8.0, 0.0, 1.035),
        (Ring, 10.0, 0.0, 0.6770),
        (Ring, 15.0, 0.0, 0.0041),
        (Ring, 20.0, 0.0, -0.169),
        (Ring, 30.0, 0.0, -0.0823),
        (Ring, 0.0, 1.0, 1.532),
        (Ring, 0.0, 2.0, 1.303),
        (Ring, 0.0, 5.0, 0.814),
        (Ring, 0.0, 10.0, 0.397),
        (Ring, 0.0, 20.0, 0.120),
        (Chip, 0.0, 0.0, 0.931),
        (Chip, 1.0, 0.0, 0.907),
        (Chip, 2.0, 0.0, 0.847),
        (Chip, 3.0, 0.0, 0.758),
        (Chip, 22.0, 0.0, -0.0169),
        (Chip, 31.1, 0.0, -0.0121),
        (Chip, 44.0, 0.0, -0.0059),
        (Chip, 0.0, 2.0, 0.573),
        (Chip, 0.0, 5.0, 0.311),
        (Chip, 0.0, 10.0, 0.140),
    ] {
        let field = field_at_centre(HEX, &[(kind, x, z)]);
        check(&format!("{kind:?} at {x}, {z} up"), field, exact);
    }
}

#[test]
fn pieces_together_have_the_exact_fields() {
    use Kind::{Chip, Marker, Ring};
    for (pieces, exact) in [
        (vec![(Ring, 0.0, 0.0), (Marker, 0.0, 0.0)], 5.520),
        (vec![(Ring, 3.0, 0.0), (Marker, 3.0, 0.0)], 4.603),
        (vec![(Ring, 3.0, 0.0), (Marker, 0.0, 0.0)], 5.410),
        (vec![(Ring, 0.0, 5.0), (Marker, 0.0, 0.0)], 4.531),
        (vec![(Ring, 0.0, 20.0), (Marker, 0.0, 0.0)], 3.837),
        (vec![(Chip, 0.0, 0.0), (Chip, 0.0, 8.0)], 1.119),
    ] {
        check(&format!("{pieces:?}"), field_at_centre(HEX, &pieces), exact);
    }
}

#[test]
fn stacks_have_the_exact_fields_below_and_beside_them() {
    // Height, own sensor, at 30 mm, at 60 mm.
    for (height, own, beside, further) in [
        (1, 3.717, -0.043, -0.008),
        (2, 4.644, -0.059, -0.014),
        (3, 5.001, -0.058, -0.019),
        (5, 5.271, -0.034, -0.023),
        (6, 5.3299, -0.020, -0.024),
        (10, 5.429, 0.020, -0.019),
        (20, 5.479, 0.055, -0.005),
        (49, 5.495, 0.070, 0.006),
    ] {
        let mut table = Table::new(HEX, &Tolerances::NONE, 0);
        let foot = table.place_mm(centre(HEX));
        for _ in 0..height {
            table.put(Piece::new(Kind::Flat, Pole::Plus), foot);
        }
        for (row, exact) in [(6, own), (7, beside), (8, further)] {
            let point = HEX.at(5, row).unwrap();
            check(&format!("stack of {height}, row {row}"), table.field_mt(point), exact);
        }
    }
    // A strong piece at each level of a stack of five.
    for (strong, exact) in [(0, 9.09), (1, 6.21), (2, 5.63), (3, 5.44), (4, 5.37)] {
        let kind = |level| if level == strong { Kind::StrongFlat } else { Kind::Flat };
        let stack: Vec<_> = (0..5).map(|n| (kind(n), 0.0, 6.0 * f64::from(n))).collect();
        check(&format!("strong at {strong}"), field_at_centre(HEX, &stack), exact);
    }
}

#[test]
fn full_boards_have_the_exact_crosstalk() {
    let crosstalk = |playfield: Playfield, kind, reach_mm: f64| {
        let mut table = Table::new(playfield, &Tolerances::NONE, 0);
        let middle = centre(playfield);
        for point in playfield.points().filter(|&point| point != middle) {
            if distance_mm(table.place_mm(point), (0.0, 0.0)) < reach_mm {
                table.put(Piece::new(kind, Pole::Plus), table.place_mm(point));
            }
        }
        table.field_mt(middle)
    };
    check("six markers", crosstalk(HEX, Kind::Marker, 31.0), -0.255);
    check("six rings", crosstalk(HEX, Kind::Ring, 31.0), -0.494);
    check("all markers", crosstalk(HEX, Kind::Marker, 500.0), -0.476);
    check("all strong", crosstalk(HEX, Kind::StrongFlat, 500.0), -0.953);
    check("all chips", crosstalk(SQUARE, Kind::Chip, 500.0), -0.271);
}

#[test]
fn poles_turning_and_covers_have_their_signs() {
    let mut table = Table::new(SQUARE, &Tolerances::NONE, 0);
    let (point, place) = (centre(SQUARE), (0.0, 0.0));
    let lower = table.put(Piece::new(Kind::Chip, Pole::Plus), place);
    let upper = table.put(Piece::new(Kind::Chip, Pole::Plus), place);
    check("same face", table.field_mt(point), 1.119);
    table.flip(upper);
    check("other face", table.field_mt(point), 0.743);
    table.flip(lower);
    check("both turned", table.field_mt(point), -1.119);
    table.remove(upper);
    check("uncovered", table.field_mt(point), -0.931);

    let mut table = Table::new(HEX, &Tolerances::NONE, 0);
    let ring = table.put(Piece::new(Kind::Ring, Pole::Minus), place);
    table.flip(ring);
    check("turned ring", table.field_mt(centre(HEX)), -1.803);
    let marker = table.put(Piece::new(Kind::Marker, Pole::Plus), place);
    assert_eq!(height_mm(&table, marker), 0, "a marker goes into a ring");
    // A difference of two fields is as exact as its parts.
    assert!((table.field_mt(centre(HEX)) - 1.914).abs() < 0.01 * (3.717 + 1.803));
    // A flat piece is not the same both ways up: its magnet then lies 1 mm higher.
    let turned = Piece { turned: true, ..Piece::new(Kind::Flat, Pole::Plus) };
    let mut table = Table::new(HEX, &Tolerances::NONE, 0);
    table.put(turned, place);
    check("turned flat piece", table.field_mt(centre(HEX)), -2.814);
}

#[test]
fn pieces_rest_on_what_lies_below_their_middle() {
    let mut table = Table::new(HEX, &Tolerances::NONE, 0);
    let piece = Piece::new(Kind::Flat, Pole::Plus);
    let lower = table.put(piece, (0.0, 0.0));
    let upper = table.put(piece, (2.0, 0.0));
    let beside = table.put(piece, (13.0, 0.0));
    assert_eq!([lower, upper, beside].map(|id| height_mm(&table, id)), [0, 6, 0]);
    table.set_down(lower, (0.0, 30.0));
    table.set_down(upper, (0.0, 0.5));
    assert_eq!([lower, upper].map(|id| height_mm(&table, id)), [0, 0]);
    assert_eq!(table.pieces().count(), 3);
}

#[test]
fn the_same_seed_gives_the_same_codes_and_faults_do_not_shift_others() {
    let run = |seed, broken: bool| {
        let mut table = Table::new(HEX, &Tolerances::BUDGET, seed);
        table.put(Piece::new(Kind::Marker, Pole::Plus), (0.0, 0.0));
        if broken {
            table.set_fault(centre(HEX), Some(Fault::Stuck(1234)));
        }
        (0..5).map(|n| table.scan(n * 12_500).to_vec()).collect::<Vec<_>>()
    };
    assert_eq!(run(7, false), run(7, false));
    assert_ne!(run(7, false), run(8, false));
    let (sound, broken) = (run(7, false), run(7, true));
    for (sound, broken) in sound.iter().zip(&broken) {
        let middle = centre(HEX).index();
        assert_eq!(broken[middle], 1234);
        assert!(sound.iter().zip(broken).enumerate().all(|(n, (a, b))| n == middle || a == b));
    }
}

#[test]
fn faults_drift_and_ambient_fields_show_in_the_codes() {
    let mut table = Table::new(HEX, &Tolerances::NONE, 3);
    let points: Vec<Point> = HEX.points().take(4).collect();
    table.set_fault(points[0], Some(Fault::Dead));
    table.set_fault(points[1], Some(Fault::Stuck(2100)));
    table.set_fault(points[2], Some(Fault::Noisy(20.0)));
    table.set_ambient_mt(0.1);
    let spread = (0..100).map(|n| table.scan(n)[2].abs_diff(2048)).max().unwrap();
    assert!((30..120).contains(&spread), "{spread}");
    assert_eq!([table.scan(0)[0], table.scan(0)[1], table.scan(0)[3]], [0, 2100, 2056]);

    let drifting = Tolerances { drift_mt: 0.05, ..Tolerances::NONE };
    let mut table = Table::new(HEX, &drifting, 3);
    assert!(table.scan(0).iter().all(|&code| code == 2048));
    let after: Vec<u16> = table.scan(3_600_000_000).to_vec();
    assert!(after.iter().all(|code| code.abs_diff(2048) <= 4));
    assert!(after.iter().any(|code| code.abs_diff(2048) >= 3));
    assert_eq!(table.scan(7_200_000_000), after);
}

/// Speed is what the soak lives on; the limits are ten times what a slow machine needs.
#[test]
fn scans_are_quick() {
    let mut table = Table::new(HEX, &Tolerances::BUDGET, 1);
    for point in HEX.points() {
        table.put(Piece::new(Kind::Marker, Pole::Plus), table.place_mm(point));
    }
    let ring = table.put(Piece::new(Kind::Ring, Pole::Plus), (0.0, 0.0));
    let mut time = |moving: bool| {
        let start = Instant::now();
        for n in 0..2000_u64 {
            if moving {
                table.move_to(ring, (n as f64 / 100.0, 0.0), 5.0);
            }
            table.scan(n);
        }
        start.elapsed().as_secs_f64() * 1e6 / 2000.0
    };
    let (resting, moving) = (time(false), time(true));
    println!("scan of 91 points: {resting:.1} µs at rest, {moving:.1} µs while a ring moves");
    assert!(resting < 50.0 && moving < 150.0, "{resting:.1} µs, {moving:.1} µs");
}
