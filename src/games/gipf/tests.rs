//! Tables and shortcuts against their slow definitions, along random games. What the rules say is
//! in `tests/rules/cases/gipf.txt`.

use std::collections::HashSet;
use std::format;
use std::string::String;
use std::vec::Vec;

use super::tables::{FOURS, PUSHES, SPOTS};
use super::*;
use crate::geometry::{Direction, GIPF_DOTS, GIPF_SPOTS, Index, Playfield};
use crate::random::SplitMix64;

/// Where random games begin: the set-ups, and positions that are rare in random play.
const STARTS: [(Variant, &str); 6] = [
    (Variant::Basic(None), ""),
    (Variant::Standard, ""),
    (Variant::Tournament, ""),
    // Two rows of GIPF-pieces alone, which cross in one of them; the first is left standing.
    (
        Variant::Tournament,
        "Ga1-b2 Gc1-d2 Ga4-b5 a1-b2 Gd1-e2 a1-b2 Ge1-e2 a2-b3 Ga5-b5 c7-d7 Ge1-e2 d1-d2 Ga5-b5 \
         a1-b2 xb5-e5+b5+c5+d5+e5",
    ),
    // Two rows that cross in a GIPF-piece; one run holds all GIPF-pieces of both players.
    (
        Variant::Tournament,
        "Gc1-c2 Gc7-c6 Gc1-c2 h6-h5 c1-c2 c1-c2 h1-g2 e9-e8 h1-g2 h6-h5 d1-d2 e9-e8 d1-d2 i1-h2 \
         d1-d2 g7-g6 b1-c2",
    ),
    // One row for each player.
    (
        Variant::Basic(None),
        "c1-c2 a4-b4 c1-c2 d1-d2 c7-c6 d1-d2 c7-c6 d8-d7 a4-b4 d8-d7 g1-g2 d8-d7 a4-b4",
    ),
];
/// Enough for a random game to fill the board, make rows and empty reserves.
const STEPS_MAX: usize = 150;

/// Plays random games from every start and visits each position. Of some steps drawn the one with
/// most rows to take after it is played, then the one with most GIPF-pieces: so rows are common,
/// and GIPF-pieces are often left standing.
fn visit_positions(games: u64, mut visit: impl FnMut(&Gipf, &str)) {
    for ((variant, opening), seed) in
        STARTS.into_iter().flat_map(|start| (0..games).map(move |seed| (start, seed)))
    {
        let mut random = SplitMix64::new(seed);
        let mut position = played(variant, opening);
        for number in 0..STEPS_MAX {
            visit(&position, &format!("{variant:?} {opening:?}, seed {seed}, step {number}"));
            let steps: Vec<Step> = position.steps().collect();
            if steps.is_empty() {
                break;
            }
            let drawn = [0; 12].map(|_| steps[random.below(steps.len())]);
            let count = [1, 3, 12][random.below(3)];
            let wanted = drawn[..count].iter().max_by_key(|step| {
                let next = after(&position, **step);
                (next.due.len(), next.gipfs.len())
            });
            position = after(&position, *wanted.expect("at least one was drawn"));
        }
    }
}

/// A position after steps that must all be legal.
#[track_caller]
fn played(variant: Variant, steps: &str) -> Gipf {
    let mut position = Gipf::new(variant);
    for text in steps.split_whitespace() {
        let step = position.parse_step(text.as_bytes()).expect("a step text");
        position.play(step).unwrap_or_else(|refusal| panic!("{text}: {refusal:?}"));
    }
    position
}

fn after(position: &Gipf, step: Step) -> Gipf {
    let mut position = *position;
    position.play_unchecked(step);
    position
}

fn text(position: &Gipf, step: Step) -> String {
    let mut text = String::new();
    position.write_step(step, &mut text).expect("a string takes everything");
    text
}

/// All cells a step can be given, some of which the board does not have.
fn any_cells() -> impl Iterator<Item = Cell> + Clone {
    (0..=64).chain([127, 255]).map(Cell::new)
}

#[test]
fn a_position_is_small() {
    assert!(size_of::<Gipf>() <= 256, "{}", size_of::<Gipf>());
}

#[test]
fn lines_are_those_of_the_board() {
    let lines: Vec<Cells<1>> = GIPF
        .lines(GIPF_SPOTS.widen())
        .map(|line| {
            let rest = GIPF.ray(line.start, line.direction).take(line.length - 1);
            core::iter::once(line.start).chain(rest).collect()
        })
        .collect();
    assert_eq!(lines.len(), SPOTS.len());
    for spots in SPOTS {
        assert!(lines.contains(&spots), "{spots:?}");
        let cells: Vec<Cell> = spots.iter().collect();
        let is_neighbour = |a, b| Playfield::Hex.directions().any(|d| GIPF.next(a, d) == Some(b));
        assert!(cells.windows(2).all(|pair| is_neighbour(pair[0], pair[1])), "{spots:?}");
    }
}

#[test]
fn two_cells_lie_on_one_line_or_none() {
    for (low, high) in any_cells().flat_map(|low| any_cells().map(move |high| (low, high))) {
        let is_spot = |cell: Cell| cell.index() < 61 && GIPF_SPOTS.contains(cell);
        let lines = (0..SPOTS.len()).map(Line::from_index);
        let mut on = lines
            .filter(|_| low < high && is_spot(low) && is_spot(high))
            .filter(|line| line.spots().contains(low) && line.spots().contains(high));
        assert_eq!(Line::through(low, high), on.next(), "{low:?} {high:?}");
        assert_eq!(on.next(), None, "{low:?} {high:?}");
    }
}

#[test]
fn fours_are_all_places_for_four() {
    for (n, line) in (0..SPOTS.len()).map(Line::from_index).enumerate() {
        let cells: Vec<Cell> = line.spots().iter().collect();
        let expected: Vec<Cells<1>> =
            cells.windows(ROW_MIN).map(|four| four.iter().copied().collect()).collect();
        let made: Vec<Cells<1>> =
            FOURS.iter().filter(|four| four.line == line).map(|four| four.spots).collect();
        assert_eq!(made, expected, "line {n}");
    }
}

#[test]
fn pushes_are_the_ways_from_a_dot_to_a_spot() {
    let direction = |from: Cell, to: Cell| -> Option<Direction> {
        let is_way = from.index() < 61 && to.index() < 61 && GIPF_DOTS.contains(from);
        let mut directions = Playfield::Hex.directions().filter(|_| is_way);
        directions.find(|&d| GIPF_SPOTS.contains(to) && GIPF.next(from, d) == Some(to))
    };
    let mut count = 0;
    for (from, to) in any_cells().flat_map(|from| any_cells().map(move |to| (from, to))) {
        let push = Push::between(from, to);
        assert_eq!(push.map(|push| push.direction), direction(from, to), "{from:?} {to:?}");
        if let Some(push) = push {
            let ray: Cells<1> = GIPF.ray(from, push.direction).collect();
            assert_eq!(ray & GIPF_SPOTS, push.line.spots());
            count += 1;
        }
    }
    assert_eq!(count, PUSHES.len());
}

/// The longest stretch of cells along a line, by walking it.
fn longest(line: Line, among: Cells<1>) -> usize {
    let mut length = 0;
    let lengths = line.spots().iter().map(|spot| {
        length = if among.contains(spot) { length + 1 } else { 0 };
        length
    });
    lengths.max().unwrap_or(0)
}

#[test]
fn positions_keep_their_invariants() {
    visit_positions(30, |position, at| {
        let occupied = position.occupied();
        assert!((occupied - GIPF_SPOTS).is_empty(), "{at}: a piece on a dot");
        assert!((position.sides[0].pieces & position.sides[1].pieces).is_empty(), "{at}");
        assert!((position.gipfs - occupied).is_empty(), "{at}: a GIPF-piece of nobody");
        let total = if position.id == Id::GipfBasic { 15 } else { 18 };
        for (side, &score) in position.sides.iter().zip(position.score().as_slice()) {
            assert_eq!(score + u16::from(side.captured), total, "{at}: pieces are conserved");
        }
        for player in [Player::ONE, Player::TWO] {
            let rows = position.rows(player);
            let pieces = position.side(player).pieces;
            for line in (0..SPOTS.len()).map(Line::from_index) {
                let length = longest(line, pieces);
                assert_eq!(rows.contains(line), length >= 4, "{at}: {line:?} of {player:?}");
                let row = stretch(line, pieces).map(|row| row.len());
                assert_eq!(row, (length >= 4).then_some(length), "{at}: {line:?}");
            }
        }
        let rows = position.rows(position.turn);
        assert!((position.due - rows).is_empty(), "{at}: due without a row");
        assert_eq!(position.turn().is_none(), position.outcome().is_some(), "{at}");
        assert_eq!(position.steps().next().is_none(), position.outcome().is_some(), "{at}");
    });
}

/// What the tests along random games are worth depends on where these games come.
#[test]
fn random_games_come_to_rare_positions() {
    let (mut crossing, mut left_standing, mut of_both, mut empty, mut without) = (0, 0, 0, 0, 0);
    visit_positions(20, |position, _| {
        let settled = position.rows(position.turn) - position.due;
        let taking = !position.due.is_empty();
        crossing += usize::from(position.due.len() > 1);
        left_standing += usize::from(taking && !settled.is_empty());
        of_both += usize::from(taking && !position.rows(position.turn.other()).is_empty());
        let reason = position.end.map(|end| end.reason);
        empty += usize::from(reason == Some(Reason::NothingToPush));
        without += usize::from(reason == Some(Reason::NoGipfPieceLeft));
    });
    let counts = [crossing, left_standing, of_both, empty, without];
    assert!(counts.iter().all(|&count| count >= 10), "{counts:?}");
}

#[test]
fn steps_are_counted_and_distinct() {
    visit_positions(30, |position, at| {
        let steps: Vec<Step> = position.steps().collect();
        assert_eq!(steps.len(), position.step_count(), "{at}");
        assert_eq!(steps.iter().collect::<HashSet<_>>().len(), steps.len(), "{at}");
    });
}

#[test]
fn origins_and_destinations_are_those_of_the_steps() {
    visit_positions(30, |position, at| {
        let mut pairs = HashSet::new();
        for step in position.steps() {
            match step {
                Step::Push { from, to, .. } => pairs.extend([(from, to)]),
                Step::Take { low, high, .. } => pairs.extend([(low, high), (high, low)]),
            }
        }
        let origins: CellSet = pairs.iter().map(|&(from, _)| from).collect();
        assert_eq!(position.origins(), origins, "{at}");
        for origin in any_cells() {
            let ends = pairs.iter().filter(|&&(from, _)| from == origin).map(|&(_, to)| to);
            let ends: CellSet = ends.collect();
            assert_eq!(position.destinations(origin), ends, "{at}: from {origin:?}");
        }
    });
}

/// Every push between any two cells; every taking between any two cells that leaves nothing or one
/// cell; and for each line every taking between the ends of its run that leaves anything of it.
fn candidates(position: &Gipf) -> impl Iterator<Item = Step> {
    let pairs = any_cells().flat_map(|a| any_cells().map(move |b| (a, b)));
    let pushes = pairs.clone().flat_map(|(from, to)| {
        [Piece::Basic, Piece::Gipf].map(|piece| Step::Push { from, to, piece })
    });
    let nothing = pairs.map(|(low, high)| Step::Take { low, high, left: Cells::EMPTY });
    let runs = (0..SPOTS.len()).map(Line::from_index).filter_map(|line| position.run(line));
    let something = runs.flat_map(|Run { low, high, pieces }| {
        let single = (0..64).map(|cell| Cells::EMPTY.with_index(cell));
        let parts = steps::subsets(pieces).chain(single);
        parts.map(move |left| Step::Take { low, high, left })
    });
    pushes.chain(nothing).chain(something)
}

#[test]
fn check_allows_just_the_legal_steps() {
    visit_positions(2, |position, at| {
        let legal: HashSet<Step> = position.steps().collect();
        let mut allowed = HashSet::new();
        for step in candidates(position) {
            let check = position.check(step);
            assert_eq!(check.is_ok(), legal.contains(&step), "{at}: {step:?} {check:?}");
            match check {
                Ok(()) => drop(allowed.insert(step)),
                Err(refusal) => assert!(
                    refusal.cells.iter().all(|cell| cell.index() < GIPF.cell_count()),
                    "{at}: {step:?} {refusal:?}"
                ),
            }
        }
        assert_eq!(allowed, legal, "{at}");
    });
}

#[test]
fn no_step_is_too_wrong_to_be_played_unchecked() {
    visit_positions(1, |position, _| {
        for step in candidates(position) {
            let _ = after(position, step);
        }
    });
    // Over and over: reserves stay within their bounds.
    let push = Step::Push { from: Cell::new(0), to: Cell::new(6), piece: Piece::Gipf };
    let mut position = Gipf::new(Variant::Basic(None));
    for _ in 0..300 {
        position.play_unchecked(push);
        let takes: Vec<Step> =
            candidates(&position).filter(|s| matches!(s, Step::Take { .. })).collect();
        for take in takes {
            position.play_unchecked(take);
        }
    }
}

/// What is still to be taken belongs to a position; in which order lines were settled does not.
#[test]
fn equal_positions_have_the_same_future() {
    let crossing = "Ga1-b2 Gc1-d2 Ga4-b5 a1-b2 Gd1-e2 a1-b2 Ge1-e2 a2-b3 Ga5-b5 c7-d7 Ge1-e2 \
                    d1-d2 Ga5-b5 a1-b2";
    let [falling, upright] = ["xb5-e5+b5+c5+d5+e5", "xe2-e5+e2+e3+e4+e5"];
    let after =
        |takes: &[&str]| played(Variant::Tournament, &format!("{crossing} {}", takes.join(" ")));
    assert_eq!(after(&[falling, upright]), after(&[upright, falling]));
    let different = [after(&[]), after(&[falling]), after(&[upright]), after(&[falling, upright])];
    for (n, position) in different.iter().enumerate() {
        assert!(!different[..n].contains(position), "{n}");
    }
}

#[test]
fn texts_round_trip() {
    visit_positions(30, |position, at| {
        for step in position.steps() {
            let text = text(position, step);
            assert_eq!(position.parse_step(text.as_bytes()), Ok(step), "{at}: {text}");
        }
    });
}

#[test]
fn other_texts_are_no_steps() {
    let position = Gipf::new(Variant::Tournament);
    let wrong = [
        ("", "a point of the board", 0),
        ("a2", "-", 2),
        ("a2-", "a point of the board", 3),
        ("a2-b3 ", "the end", 5),
        ("a2-b3+b4", "the end", 5),
        ("a6-b6", "a point of the board", 0),
        ("j1-i1", "a point of the board", 0),
        ("ga2-b3", "a point of the board", 0),
        ("GGa2-b3", "a point of the board", 1),
        ("Gxb2-b5", "a point of the board", 1),
        ("xb2", "-", 3),
        ("xb5-b2", "a point that comes after the one before", 4),
        ("xb2-b2", "a point that comes after the one before", 4),
        ("xb2-b5+", "a point of the board", 7),
        ("xb2-b5+b4+b3", "a point that comes after the one before", 10),
        ("xb2-b5+b3+b3", "a point that comes after the one before", 10),
        ("xb2-b5b3", "the end", 6),
    ];
    for (text, expected, at) in wrong {
        assert_eq!(position.parse_step(text.as_bytes()), Err(Malformed { expected, at }), "{text}");
    }
}

#[test]
fn handicaps_are_one_to_three_pieces_for_one_player() {
    for player in *b"0123" {
        for pieces in *b"01234" {
            let text = [player, b'+', pieces];
            let handicap = Handicap::parse(&text);
            let is_one = (b'1'..=b'2').contains(&player) && (b'1'..=b'3').contains(&pieces);
            assert_eq!(handicap.is_some(), is_one, "{text:?}");
            if let Some(handicap) = handicap {
                assert_eq!(format!("{handicap}").as_bytes(), text);
                let position = Gipf::new(Variant::Basic(Some(handicap)));
                let more = |p: u8| if p == player { pieces - b'0' } else { 0 };
                assert_eq!(
                    position.sides.map(|side| side.reserve),
                    [12 + more(b'1'), 12 + more(b'2')]
                );
            }
        }
    }
    for text in [&b""[..], b"none", b"1+", b"1+12", b" 1+2", b"1-2"] {
        assert_eq!(Handicap::parse(text), None, "{text:?}");
    }
}
