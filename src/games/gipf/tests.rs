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

const VARIANTS: [Variant; 3] = [Variant::Basic(None), Variant::Standard, Variant::Tournament];
/// Far more than a random game of GIPF takes to fill the board, make rows and empty it again.
const STEPS_MAX: usize = 150;

/// Plays random games of every variant and visits each position. Of three steps drawn, one after
/// which somebody has a row to take is preferred; and GIPF-pieces come in as long as they may, so
/// that rows of them alone, left standing, are common.
fn visit_positions(games: u64, mut visit: impl FnMut(&Gipf, &str)) {
    for (variant, seed) in VARIANTS.into_iter().flat_map(|v| (0..games).map(move |g| (v, g))) {
        let mut random = SplitMix64::new(seed);
        let mut position = Gipf::new(variant);
        for number in 0..STEPS_MAX {
            visit(&position, &format!("{variant:?}, seed {seed}, step {number}"));
            let steps: Vec<Step> = position.steps().collect();
            if steps.is_empty() {
                break;
            }
            let drawn = [0; 3].map(|_| steps[random.below(steps.len())]);
            let makes_row = |step: &&Step| !after(&position, **step).due.is_empty();
            let brings_gipf = |step: &&Step| matches!(step, Step::Push { piece: Piece::Gipf, .. });
            let wanted = drawn.iter().find(makes_row).or(drawn.iter().find(brings_gipf));
            position = after(&position, *wanted.unwrap_or(&drawn[0]));
        }
    }
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

/// All cells a step can be given, some of which the board does not have.
fn any_cells() -> impl Iterator<Item = Cell> + Clone {
    (0..66).chain([127, 128, 255]).map(Cell::new)
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
    visit_positions(60, |position, at| {
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
                assert_eq!(stretch(line, pieces).map_or(0, |row| row.len()), length & !3 * usize::from(length >= 4) | length * usize::from(length >= 4), "{at}");
            }
        }
        let rows = position.rows(position.turn);
        assert!((position.due - rows).is_empty(), "{at}: due without a row");
        assert_eq!(position.turn().is_none(), position.outcome().is_some(), "{at}");
        assert_eq!(position.steps().next().is_none(), position.outcome().is_some(), "{at}");
    });
}
