//! Tables against the board, `check` against the list of steps, texts, and play that never breaks.

use std::collections::HashSet;
use std::string::String;
use std::vec::Vec;

use super::*;
use crate::random::SplitMix64;
use tables::{BOARD, DIRECTIONS, FIVES, RISING, distance, first};

const VARIANTS: [Variant; 2] = [Variant::Normal, Variant::Blitz];

/// Plays a random game, which the pool keeps short, and shows every position on the way.
fn random_game(variant: Variant, seed: u64, mut look: impl FnMut(&Yinsh)) {
    let mut random = SplitMix64::new(seed);
    let mut position = Yinsh::new(variant);
    loop {
        look(&position);
        let Some(bound) = Some(position.step_count()).filter(|&count| count > 0) else { return };
        let step = position.steps().nth(random.below(bound)).unwrap();
        position.play(step).unwrap_or_else(|refusal| panic!("seed {seed}, {step:?}: {refusal:?}"));
    }
}

/// Cells of the board and some that it does not have.
fn cells_and_others() -> impl Iterator<Item = Cell> + Clone {
    (0..CELLS).chain([CELLS, 127, 128, 255]).map(Cell::new)
}

fn candidates() -> Vec<Step> {
    let pairs = cells_and_others().flat_map(|from| cells_and_others().map(move |to| (from, to)));
    let single = |cell| [Step::PlaceRing(cell), Step::TakeRing(cell)];
    let double = |(from, to)| [Step::MoveRing { from, to }, Step::TakeRow { low: from, high: to }];
    cells_and_others().flat_map(single).chain(pairs.flat_map(double)).collect()
}

#[test]
fn a_position_is_small() {
    assert!(size_of::<Yinsh>() <= 256);
}

#[test]
fn tables_agree_with_the_board() {
    let board = &geometry::YINSH;
    assert_eq!(DIRECTIONS, board.playfield().direction_count());
    assert_eq!(CELLS, board.cell_count());
    for cell in board.cells() {
        for direction in board.playfield().directions() {
            let ray: Vec<Cell> = board.ray(cell, direction).collect();
            let d = direction.index();
            assert!(ray.is_sorted() == (d < RISING) || ray.len() < 2, "numbers rise or fall");
            assert_eq!(tables::ray(d, cell), ray.iter().copied().collect());
            assert_eq!(distance(d, cell, None), ray.len());
            assert_eq!(first(d, tables::ray(d, cell)), ray.first().copied());
            for (n, &stop) in ray.iter().enumerate() {
                assert_eq!(distance(d, cell, Some(stop)), n);
                assert_eq!(tables::direction(cell, stop), Some(d));
            }
        }
        assert_eq!(tables::direction(cell, cell), None);
    }
    let places: usize = board.lines(BOARD.widen()).map(|line| line.length.saturating_sub(4)).sum();
    assert_eq!(FIVES.len(), places);
    let ends: HashSet<_> = FIVES.iter().map(|five| (five.low(), five.high())).collect();
    assert_eq!(ends.len(), FIVES.len());
    for five in &FIVES {
        let direction = tables::direction(five.low(), five.high()).unwrap();
        assert!(direction < RISING && five.cells().len() == 5);
        assert_eq!(distance(direction, five.low(), Some(five.high())), 3);
        assert!(five.is_in(five.cells()) && !five.is_in(five.cells() - Cells::of(five.high())));
    }
}

/// Y4..Y8 walked point by point.
fn walk(position: &Yinsh, ring: Cell) -> Cells<2> {
    let board = &geometry::YINSH;
    let mut ends = Cells::EMPTY;
    for direction in board.playfield().directions() {
        let mut jumped = false;
        for cell in board.ray(ring, direction) {
            if position.all_rings().contains(cell) {
                break;
            }
            if position.all_markers().contains(cell) {
                jumped = true;
                continue;
            }
            ends.insert(cell);
            if jumped {
                break;
            }
        }
    }
    ends
}

#[test]
fn rings_reach_what_a_walk_along_the_lines_reaches() {
    for seed in 0..50 {
        random_game(Variant::Normal, seed, |position| {
            for player in [Player::ONE, Player::TWO] {
                let rings = position.rings[player.index()];
                let ends: Vec<_> = rings.iter().map(|ring| walk(position, ring)).collect();
                let reach: Vec<_> = rings.iter().map(|ring| position.reach(ring)).collect();
                assert_eq!(reach, ends, "seed {seed}");
                let any = ends.iter().any(|ends| !ends.is_empty());
                assert_eq!(position.can_move(player), any, "seed {seed}");
            }
        });
    }
}

#[test]
fn the_ways_to_ask_for_steps_agree() {
    for (seed, variant) in (0..100).zip(VARIANTS.into_iter().cycle()) {
        random_game(variant, seed, |position| {
            let steps: Vec<Step> = position.steps().collect();
            assert_eq!(position.step_count(), steps.len(), "seed {seed}");
            assert_eq!(steps.iter().collect::<HashSet<_>>().len(), steps.len(), "seed {seed}");
            assert_eq!(steps.is_empty(), position.outcome().is_some(), "seed {seed}");
            assert_eq!(steps.is_empty(), position.turn().is_none(), "seed {seed}");
            let mut ends: Vec<(Cell, Cell)> = Vec::new();
            for step in steps {
                match step {
                    Step::PlaceRing(cell) | Step::TakeRing(cell) => ends.push((cell, cell)),
                    Step::MoveRing { from, to } => ends.push((from, to)),
                    Step::TakeRow { low, high } => ends.extend([(low, high), (high, low)]),
                }
            }
            assert_eq!(position.origins(), ends.iter().map(|&(from, _)| from).collect());
            for cell in cells_and_others() {
                let there = ends.iter().filter(|&&(from, _)| from == cell).map(|&(_, to)| to);
                assert_eq!(position.destinations(cell), there.collect(), "seed {seed}, {cell:?}");
            }
        });
    }
}

#[test]
fn check_allows_exactly_the_listed_steps() {
    let candidates = candidates();
    for (seed, variant) in (0..12).zip(VARIANTS.into_iter().cycle()) {
        random_game(variant, seed, |position| {
            let steps: HashSet<Step> = position.steps().collect();
            for &step in &candidates {
                let legal = position.check(step).is_ok();
                assert_eq!(legal, steps.contains(&step), "seed {seed}, {step:?}");
            }
        });
    }
}

#[test]
fn no_row_is_left_when_a_ring_is_to_move_and_nothing_gets_lost() {
    for seed in 0..200 {
        random_game(Variant::Normal, seed, |position| {
            let rows = |player| position.rows(player).count();
            match position.phase {
                Phase::Move => assert_eq!(rows(Player::ONE) + rows(Player::TWO), 0, "seed {seed}"),
                Phase::Row => assert!(rows(position.turn) > 0, "seed {seed}"),
                Phase::Place | Phase::Ring | Phase::Over => {}
            }
            let sets = [position.rings, position.markers].concat();
            let pieces: usize = sets.iter().map(Cells::len).sum();
            assert_eq!(position.occupied().len(), pieces, "seed {seed}: two pieces on a point");
            if position.phase != Phase::Place {
                for player in 0..2 {
                    let rings = position.rings[player].len() + usize::from(position.taken[player]);
                    assert_eq!(rings, RINGS_EACH, "seed {seed}");
                }
            }
        });
    }
}

#[test]
fn step_texts_make_the_round_trip() {
    let position = Yinsh::new(Variant::Normal);
    let read = |step| {
        let mut text = String::new();
        position.write_step(step, &mut text).unwrap();
        position.parse_step(text.as_bytes())
    };
    let foreign = |cell: Cell| cell.index() >= CELLS;
    for step in candidates() {
        match step {
            Step::PlaceRing(cell) | Step::TakeRing(cell) if foreign(cell) => {}
            Step::MoveRing { from, to } if foreign(from) || foreign(to) => {}
            Step::TakeRow { low, high } if foreign(low) || foreign(high) => {}
            Step::TakeRow { low, high } if low >= high => assert!(read(step).is_err()),
            _ => assert_eq!(read(step), Ok(step)),
        }
    }
}

/// Y10: a position that hardly comes up in play, so it is put up here: two rings in the corner and
/// markers on every line they look along.
#[test]
fn when_neither_can_move_the_game_ends_as_with_an_empty_pool() {
    let [white, black] = ["a2", "a3"].map(|name| geometry::YINSH.parse(name.as_bytes()).unwrap());
    let mut position = Yinsh::new(Variant::Normal);
    let seen = |ring| {
        (0..DIRECTIONS).fold(Cells::EMPTY, |seen, direction| seen | tables::ray(direction, ring))
    };
    position.rings = [white, black].map(Cells::of);
    position.markers[0] = (seen(white) | seen(black)) - position.all_rings();
    for (taken, outcome) in [([1, 1], Outcome::Draw), ([1, 2], Outcome::Win(Player::TWO))] {
        position.taken = taken;
        position.begin_move(Player::ONE);
        assert!(position.pool() > 0);
        assert_eq!((position.outcome(), position.turn()), (Some(outcome), None));
        let ring = position.check(Step::TakeRing(white)).unwrap_err();
        assert_eq!(ring.reason, Reason::NobodyCouldMove);
    }
    // One marker less, and Black has a jump: White passes.
    position.markers[0].remove(geometry::YINSH.parse(b"a5").unwrap());
    position.begin_move(Player::ONE);
    assert_eq!(position.turn(), Some(Player::TWO));
    assert_eq!(position.step_count(), 1);
}

#[test]
fn illegal_steps_played_unchecked_never_panic() {
    let candidates = candidates();
    let mut random = SplitMix64::new(1);
    let mut position = Yinsh::new(Variant::Normal);
    for n in 0..20_000 {
        if n % 500 == 0 {
            position = Yinsh::new(Variant::Normal);
        }
        position.play_unchecked(candidates[random.below(candidates.len())]);
        assert_eq!(position.step_count(), position.steps().count());
        position.write_position(&mut String::new()).unwrap();
    }
}
