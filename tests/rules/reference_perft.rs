//! What the second implementation must show before anything is compared with it: known counts,
//! position lines and hand-checked positions of the subtle rules.

use crate::reference::{Reference, Setup, new};

fn start(id: &str, setup: &str) -> Box<dyn Reference> {
    new(&Setup { id, handicap: "none", setup })
}

/// Leaves after so many steps.
fn perft(game: &dyn Reference, depth: u32) -> u64 {
    let moves = game.moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut leaves = 0;
    for step in moves {
        let mut after = game.clone_box();
        after.step(&step);
        leaves += perft(&*after, depth - 1);
    }
    leaves
}

#[track_caller]
fn check_perft(id: &str, setup: &str, steps: &str, counts: &[u64]) {
    let mut game = start(id, setup);
    steps.split_whitespace().for_each(|step| game.step(step));
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(perft(&*game, depth), count, "{id} {depth}");
    }
}

#[test]
fn perft_gipf() {
    check_perft("gipf-basic", "", "", &[42, 1764, 73_800, 3_066_768]);
    check_perft("gipf", "", "", &[42, 1764, 73_800, 3_066_768]);
}

#[test]
fn perft_yinsh() {
    let rings = "f6 a5 b6 c6 b4 b1 b7 k7 b5 b3";
    check_perft("yinsh", "", rings, &[63, 3891, 238_775]);
}

#[test]
fn perft_dvonn() {
    let placed = "g2 c1 f5 d1 h5 g5 i1 e1 f2 f1 e4 e5 j2 g1 b2 b1 h1 g4 d3 c2 e3 f4 c4 d4 a2 a1 d2 \
                  e2 a3 g3 d5 f3 i5 c3 h2 h3 k3 h4 k5 i4 i3 j5 i2 b3 j4 j3 k4 b4 c5";
    check_perft("dvonn", "", placed, &[43, 1765, 78_940, 3_502_964]);
}

#[test]
fn perft_lyngk() {
    check_perft(
        "lyngk",
        "KKBIBKGIKIRRGBIRWWWBRGGGGRGGBRKBKIIKBRIRIKB",
        "",
        &[167, 26_404, 3_909_924],
    );
}

#[test]
fn perft_glux() {
    check_perft("glux-2", "", "", &[6, 36, 432, 5184, 138_240, 3_685_680]);
    check_perft("glux-3", "", "", &[6, 36, 216, 2592, 46_656, 559_872]);
    check_perft("glux-4", "", "", &[6, 36, 216, 1296, 15_552, 186_624]);
}
