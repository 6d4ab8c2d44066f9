//! The boards games are played on: sensors drawn by lot, zeroed as a board is, and taught or not.

use std::sync::OnceLock;

use lodestone::geometry::{Playfield, Point};
use lodestone::sense::{Calibration, Profile, Sense, ZeroRun};
use lodestone::wiring::timing::period_us;

use crate::table::{Kind, Piece, Pole, Table, Tolerances};

/// Boards of each playfield; the games of a soak take turns on them.
const BOARDS: usize = 16;
/// Scans after which the reference piece is surely at rest: the window of `sense` and some more.
const REST_SCANS: u64 = 16;

/// A board: its sensors come from the seed, and its calibration is as people would have made it.
pub(super) struct Board {
    pub(super) seed: u64,
    pub(super) calibration: Calibration,
}

/// The board for a game with this number. Made once: to teach one takes as long as a short game.
pub(super) fn board(playfield: Playfield, taught: bool, number: u64) -> &'static Board {
    static MADE: [[[OnceLock<Board>; BOARDS]; 2]; 2] =
        [const { [const { [const { OnceLock::new() }; BOARDS] }; 2] }; 2];
    let seed = number % BOARDS as u64;
    let made = &MADE[usize::from(playfield == Playfield::Square)][usize::from(taught)];
    made[seed as usize]
        .get_or_init(|| Board { seed, calibration: calibrated(playfield, taught, seed) })
}

fn calibrated(playfield: Playfield, taught: bool, seed: u64) -> Calibration {
    let mut table = Table::new(playfield, &Tolerances::BUDGET, seed);
    let mut run = ZeroRun::new();
    while !run.add(table.scan(0)) {}
    let mut calibration = Calibration::none(playfield);
    let refused = run.finish(&mut calibration);
    assert!(refused.is_empty(), "every zero is within its tolerance");
    if !taught {
        return calibration;
    }
    let (profile, kind) = match playfield {
        Playfield::Hex => (Profile::Pieces, Kind::GipfBasic),
        Playfield::Square => (Profile::Chips, Kind::Chip),
    };
    let mut sense = Sense::new(profile, calibration);
    let mut now_us = 0;
    playfield.points().for_each(|point| teach(&mut sense, &mut table, point, kind, &mut now_us));
    sense.calibration().clone()
}

/// Lays the reference piece on a point until it is at rest.
fn teach(sense: &mut Sense, table: &mut Table, point: Point, kind: Kind, now_us: &mut u64) {
    let piece = table.put_of_strength(Piece::new(kind, Pole::Plus), table.place_mm(point), 1.0);
    for _ in 0..REST_SCANS {
        *now_us += u64::from(period_us(table.playfield()));
        // Drift belongs to the game, not to the calibration.
        sense.scan((*now_us / 1000) as u32, table.scan(0));
    }
    assert!(sense.teach(point).is_ok(), "a piece at rest teaches its point");
    table.remove(piece);
}
