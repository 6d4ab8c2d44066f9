//! What the second implementation must show before anything is compared with it: known counts,
//! position lines and hand-checked positions of the subtle rules.

use crate::reference::lyngk::shuffled;
use crate::reference::{Reference, Setup, SplitMix64, new};

fn start(id: &str, setup: &str) -> Box<dyn Reference> {
    new(&Setup { id, handicap: "none", setup })
}

/// The game after these steps.
fn after(id: &str, setup: &str, steps: &str) -> Box<dyn Reference> {
    let mut game = start(id, setup);
    for step in steps.split_whitespace() {
        game.step(step);
    }
    game
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
    let game = after(id, setup, steps);
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(perft(&*game, depth), count, "{id} {depth}");
    }
}

#[test]
fn perft_gipf() {
    check_perft("gipf-basic", "", "", &[42, 1764, 73_800, 3_066_768]);
    check_perft("gipf", "", "", &[42, 1764, 73_800]);
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
    check_perft("glux-2", "", "", &[6, 36, 432, 5184, 138_240]);
    check_perft("glux-3", "", "", &[6, 36, 216, 2592, 46_656, 559_872]);
    check_perft("glux-4", "", "", &[6, 36, 216, 1296, 15_552, 186_624]);
}

#[test]
fn position_lines_at_the_start() {
    let lines = [
        ("gipf-basic", "b2:b b5:w e2:w e8:b h2:b h5:w | reserve 12 12 captured 0 0"),
        ("gipf", "b2:B b5:W e2:W e8:B h2:B h5:W | reserve 12 12 captured 0 0"),
        ("gipf-tournament", "| reserve 18 18 captured 0 0"),
        ("yinsh", "| pool 51 rings 0 0"),
        ("yinsh-blitz", "| pool 51 rings 0 0"),
        ("dvonn", "| left 49"),
        ("glux-2", "| bag 8/8/8 8/8/8"),
        ("glux-3", "| bag 8/8/8 8/8/8 8/8/8"),
        ("glux-4", "| bag 8/8/8 8/8/8 8/8/8 8/8/8"),
    ];
    for (id, line) in lines {
        assert_eq!(start(id, "").board(), line, "{id}");
    }
    let handicap = new(&Setup { id: "gipf-basic", handicap: "1+2", setup: "" });
    assert!(handicap.board().ends_with("| reserve 14 12 captured 0 0"));
    assert_eq!(handicap.score(), [17, 15]);
    assert_eq!(start("gipf", "").score(), [18, 18]);
}

#[test]
fn lyngk_letters_lie_in_point_order() {
    let game = start("lyngk", "KKBIBKGIKIRRGBIRWWWBRGGGGRGGBRKBKIIKBRIRIKB");
    assert_eq!(
        game.board(),
        "a3:K b2:K b3:B b4:I b5:B c1:K c2:G c3:I c4:K c5:I c6:R c7:R d2:G d3:B d4:I d5:R d6:W d7:W \
         e2:W e3:B e4:R e5:G e6:G e7:G e8:G f3:R f4:G f5:G f6:B f7:R f8:K g3:B g4:K g5:I g6:I g7:K \
         g8:B g9:R h5:I h6:R h7:I h8:K i7:B | claims - - taken 0 0"
    );
}

/// Letters worked out by another program from the definition in `notation.md`.
#[test]
fn lyngk_shuffle() {
    for (seed, letters) in [
        (0, "IGBWWGIKBIWKGRBIKIBKKIBRGRRIBGGGRKIBRBRKKRG"),
        (1, "WBBGBKGKIRKKGRIIIBKRRWIIBKKBIGBIRRBWGRGRGKG"),
        (u64::MAX, "IWGWKBRKWIRRKRRIRRBBIKBGGIIIIGBKRGKGBGKKBBG"),
    ] {
        assert_eq!(shuffled(seed), letters, "{seed}");
    }
    assert_eq!(start("lyngk", "").board(), start("lyngk", &shuffled(0)).board());
    assert_eq!(start("lyngk", "shuffle 1").board(), start("lyngk", &shuffled(1)).board());
}

/// Plays the steps, then compares all that can be asked.
#[track_caller]
fn check(id: &str, setup: &str, steps: &str, turn: u8, result: &str, moves: &str) {
    let game = after(id, setup, steps);
    assert_eq!(game.moves().join(" "), moves, "{}", game.board());
    assert_eq!((game.turn(), &game.result()[..]), (turn, result));
}

#[test]
fn origins_and_destinations() {
    let game = start("gipf-basic", "");
    assert_eq!(game.from().len(), 24);
    assert_eq!(game.to("a2"), ["b2", "b3"]);
    assert_eq!(game.to("a1"), ["b2"]);
    assert_eq!(game.to("e5"), [""; 0]);
    let game = after("gipf-basic", "", "a4-b5 i1-h2 a3-b4 i1-h2 a3-b3 i1-h2");
    assert_eq!(game.moves(), ["xe5-h2"]);
    assert_eq!((game.from(), game.to("h2")), (vec!["e5".into(), "h2".into()], vec!["e5".into()]));

    let lyngk = start("lyngk", "");
    assert!(lyngk.moves().contains(&"G".into()) && lyngk.from().iter().all(|p| p.len() == 2));
    let glux = start("glux-2", "");
    assert_eq!((glux.from(), glux.to("a1")), (vec!["a1".into()], vec!["a1".into()]));
    let yinsh = start("yinsh", "");
    assert_eq!((yinsh.from().len(), yinsh.to("e10")), (85, vec!["e10".into()]));
    assert_eq!(yinsh.from()[36..=38], ["e9", "e10", "f2"]);
}

/// G10: GIPF-pieces first, none after the first basic piece.
#[test]
fn tournament_begins_with_gipf_pieces() {
    let mut game = start("gipf-tournament", "");
    let count = |game: &dyn Reference| {
        let moves = game.moves();
        let gipf = moves.iter().filter(|step| step.starts_with('G')).count();
        (gipf, moves.len() - gipf)
    };
    for (expected, step) in [
        ((42, 0), "Ga1-b2"),
        ((42, 0), "Gi1-h2"),
        ((42, 42), "a2-b3"),
        ((42, 42), "Gi2-h2"),
        ((0, 42), "a1-b2"),
        ((42, 42), "i2-h2"),
    ] {
        assert_eq!(count(&*game), expected, "before {step}");
        game.step(step);
    }
}

/// G16, G17: any choice of GIPF-pieces may be left, even all; the line is then settled until the
/// next push, whoever makes it.
#[test]
fn row_of_gipf_pieces_only() {
    let made = "Ga4-b5 Gi4-h4 Ga2-b2 Gf8-e8 Gb1-b2 Gd1-e2 Gb6-b5";
    let choices = "xb2-b5 xb2-b5+b2 xb2-b5+b2+b3 xb2-b5+b2+b3+b4 xb2-b5+b2+b3+b4+b5 \
                   xb2-b5+b2+b3+b5 xb2-b5+b2+b4 xb2-b5+b2+b4+b5 xb2-b5+b2+b5 xb2-b5+b3 \
                   xb2-b5+b3+b4 xb2-b5+b3+b4+b5 xb2-b5+b3+b5 xb2-b5+b4 xb2-b5+b4+b5 xb2-b5+b5";
    check("gipf-tournament", "", made, 1, "none", choices);
    let left = format!("{made} xb2-b5+b2+b3+b4+b5 Gd1-e2");
    check("gipf-tournament", "", &left, 1, "none", choices);
    let all_off = format!("{made} xb2-b5");
    check("gipf-tournament", "", &all_off, 0, "p2win", ""); // G20
}

/// X9, X10, X12: the only chip of player 4 that counts cannot reach a square that is open.
#[test]
fn glux_player_shut_in() {
    let shut = "a1=6 a15=2 o15=6 o1=5 g1=5 a13=2 o9=3 o6=1 l1=6 a13=6 o6=5";
    let game = after("glux-4", "", shut);
    assert_eq!(game.turn(), 1);
    assert_eq!(
        game.board(),
        "a1:16 a13:2226 a15:22 g1:15 l1:16 o1:45 o6:4135 o9:33 o15:36 \
         | bag 6/7/8 7/6/8 7/7/7 7/7/8"
    );
    assert_eq!(game.score(), [4, 4, 4, 4]);
}

/// X14 to X17: player 3 comes second, level and first in the room of player 1.
#[test]
fn glux_rooms() {
    let before = "a1=3 h15=6 o1=6 a4=1 b15=1 i1=6 a5=1 b14=1 c1=1 a6=1 b13=1";
    for (step, score) in [("b1=2", [4, 4, 6]), ("b1=3", [4, 4, 8]), ("b1=5", [2, 4, 8])] {
        let mut game = after("glux-3", "", before);
        assert_eq!(game.score(), [4, 4, 4]);
        game.step(step);
        assert_eq!(game.score(), score, "{step}");
    }
}

/// X15: with two players there is nothing for the second.
#[test]
fn glux_rooms_of_two() {
    let mut game = after("glux-2", "", "a1=6 m9=6 g1=3 m3=5 j1=6 h3=3 j7=1 e3=2");
    assert_eq!(game.score(), [8, 4]); // rooms 1 and 2; room 9
    game.step("i7=1");
    game.step("e1=2");
    assert_eq!(game.score(), [8, 4]); // second in room 2
}

/// Steps are there exactly while there is no result, each once and in byte order.
#[test]
fn random_play_ends_with_a_result() {
    for id in [
        "gipf-basic",
        "gipf",
        "gipf-tournament",
        "yinsh",
        "yinsh-blitz",
        "dvonn",
        "lyngk",
        "lyngk-six",
        "glux-2",
        "glux-3",
        "glux-4",
    ] {
        for seed in 0..10 {
            let mut random = SplitMix64(seed);
            let mut game = start(id, &format!("shuffle {seed}"));
            for _ in 0..2000 {
                let moves = game.moves();
                let over = moves.is_empty();
                assert!(moves.is_sorted_by(|a, b| a < b), "{id} {seed}: {moves:?}");
                assert_eq!(
                    (game.result() != "none", game.turn() == 0),
                    (over, over),
                    "{id} {seed}"
                );
                if over {
                    break;
                }
                game.step(&moves[(random.next() % moves.len() as u64) as usize]);
            }
        }
    }
}
