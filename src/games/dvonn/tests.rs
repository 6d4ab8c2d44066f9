//! Tables against the board, `check` against the list of steps, texts, and play that never breaks.

use std::collections::HashSet;
use std::string::String;
use std::vec::Vec;

use super::*;
use crate::random::SplitMix64;
use tables::{BOARD, DIRECTIONS, FARTHEST, MISSING, targets};

/// Plays a random game, which is short because every move takes a stack away, and shows every
/// position on the way with the step that led there.
fn random_game(seed: u64, mut look: impl FnMut(&Dvonn, Option<Step>)) {
    let mut random = SplitMix64::new(seed);
    let mut position = Dvonn::new();
    look(&position, None);
    while let Some(count) = Some(position.step_count()).filter(|&count| count > 0) {
        let step = position.steps().nth(random.below(count)).unwrap();
        position.play(step).unwrap_or_else(|refusal| panic!("seed {seed}, {step:?}: {refusal:?}"));
        look(&position, Some(step));
    }
}

/// Cells of the board and some that it does not have.
fn cells_and_others() -> impl Iterator<Item = Cell> + Clone {
    (0..CELLS).chain([CELLS, 63, 64, 255]).map(Cell::new)
}

fn candidates() -> Vec<Step> {
    let pairs = cells_and_others().flat_map(|from| cells_and_others().map(move |to| (from, to)));
    let moves = pairs.map(|(from, to)| Step::Move { from, to });
    cells_and_others().map(Step::Place).chain(moves).collect()
}

fn line(position: &Dvonn) -> String {
    let mut line = String::new();
    position.write_position(&mut line).unwrap();
    line
}

#[test]
fn a_position_is_small() {
    assert!(size_of::<Dvonn>() <= 256);
}

#[test]
fn tables_agree_with_the_board() {
    let board = &geometry::DVONN;
    assert_eq!(CELLS, board.cell_count());
    assert_eq!(DIRECTIONS, board.playfield().direction_count());
    let mut farthest = 0;
    for cell in board.cells() {
        let rays: Vec<Vec<Cell>> = board
            .playfield()
            .directions()
            .map(|direction| board.ray(cell, direction).collect())
            .collect();
        for height in 0..=CELLS as u8 {
            let at = |ray: &Vec<Cell>| ray.get(usize::from(height).checked_sub(1)?).copied();
            let expected: Cells<1> = rays.iter().filter_map(at).collect();
            assert_eq!(targets(cell, height), expected, "{cell:?}, {height}");
            if !expected.is_empty() {
                farthest = farthest.max(usize::from(height));
            }
        }
        let neighbours = targets(cell, 1);
        let at_edge = neighbours.len() < DIRECTIONS;
        assert_eq!(AROUND[cell.index()] & BOARD, neighbours);
        assert_eq!(AROUND[cell.index()].has_index(MISSING), at_edge);
    }
    assert_eq!(farthest, FARTHEST);
}

/// D11 by the book: grows from red, neighbour by neighbour, until nothing is added.
fn slowly_connected(seeds: Cells<1>, within: Cells<1>) -> Cells<1> {
    let board = &geometry::DVONN;
    let mut reached = seeds;
    loop {
        let beside = |cell: &Cell| {
            let mut neighbours =
                board.playfield().directions().filter_map(|direction| board.next(*cell, direction));
            neighbours.any(|next| reached.contains(next))
        };
        let grown = reached | within.iter().filter(beside).collect();
        if grown == reached {
            return reached;
        }
        reached = grown;
    }
}

#[test]
fn what_a_move_takes_out_is_what_is_not_connected_with_red() {
    let mut lost = 0;
    for seed in 0..200 {
        let mut before = Dvonn::new();
        random_game(seed, |position, step| {
            if let Some(Step::Move { from, .. }) = step {
                let occupied = before.occupied() - Cells::of(from);
                let kept = slowly_connected(position.with_red, occupied);
                assert_eq!(position.occupied(), kept, "seed {seed}");
                lost += (occupied - kept).len();
            }
            before = *position;
        });
    }
    assert!(lost > 0);
}

#[test]
fn stacks_are_what_the_sets_say() {
    for seed in 0..100 {
        random_game(seed, |position, _| {
            let mut pieces = 0;
            for cell in position.occupied() {
                let colours: Vec<Colour> = position.colours(cell).collect();
                let with_red = colours.contains(&Colour::Red);
                assert_eq!(colours.len(), position.height[cell.index()].into(), "seed {seed}");
                assert_eq!(with_red, position.with_red.contains(cell), "seed {seed}");
                for (player, colour) in [(0, Colour::White), (1, Colour::Black)] {
                    let controlled = position.controlled[player].contains(cell);
                    assert_eq!(controlled, colours[0] == colour, "seed {seed}");
                }
                pieces += colours.len();
            }
            assert!(pieces + position.left() <= CELLS, "seed {seed}");
            assert!(position.left() == 0 || pieces + position.left() == CELLS, "seed {seed}");
        });
    }
}

#[test]
fn the_ways_to_ask_for_steps_agree() {
    for seed in 0..100 {
        random_game(seed, |position, _| {
            let steps: Vec<Step> = position.steps().collect();
            assert_eq!(position.step_count(), steps.len(), "seed {seed}");
            assert_eq!(steps.iter().collect::<HashSet<_>>().len(), steps.len(), "seed {seed}");
            assert_eq!(steps.is_empty(), position.outcome().is_some(), "seed {seed}");
            assert_eq!(steps.is_empty(), position.turn().is_none(), "seed {seed}");
            let ends = |step: &Step| match *step {
                Step::Place(cell) => (cell, cell),
                Step::Move { from, to } => (from, to),
            };
            assert_eq!(position.origins(), steps.iter().map(|step| ends(step).0).collect());
            for cell in cells_and_others() {
                let there = steps.iter().map(ends).filter(|&(from, _)| from == cell);
                let expected = there.map(|(_, to)| to).collect();
                assert_eq!(position.destinations(cell), expected, "seed {seed}, {cell:?}");
            }
        });
    }
}

#[test]
fn check_allows_exactly_the_listed_steps() {
    let candidates = candidates();
    for seed in 0..40 {
        random_game(seed, |position, _| {
            let steps: HashSet<Step> = position.steps().collect();
            for &step in &candidates {
                let legal = position.check(step).is_ok();
                assert_eq!(legal, steps.contains(&step), "seed {seed}, {step:?}");
            }
        });
    }
}

/// The same two stacks put on a third in either order: the links differ, the position does not
/// unless their colours do.
#[test]
fn positions_are_equal_when_their_colours_are() {
    let (mut equal, mut different) = (0, 0);
    for seed in 0..10 {
        random_game(seed, |position, _| {
            if position.phase != Phase::Move {
                return;
            }
            let moves: Vec<(Cell, Cell)> = position
                .steps()
                .filter_map(|step| match step {
                    Step::Move { from, to } => Some((from, to)),
                    Step::Place(_) => None,
                })
                .collect();
            for &(one, to) in &moves {
                for &(two, _) in moves.iter().filter(|&&(two, end)| end == to && two > one) {
                    let play = |order: [Cell; 2]| {
                        let mut end = *position;
                        for from in order {
                            end.move_stack(from, to);
                            end.turn = position.turn;
                        }
                        end
                    };
                    let (ab, ba) = (play([one, two]), play([two, one]));
                    if ab.phase != ba.phase {
                        continue;
                    }
                    assert_eq!(ab == ba, line(&ab) == line(&ba), "seed {seed}");
                    *if ab == ba { &mut equal } else { &mut different } += 1;
                }
            }
        });
    }
    assert!(equal > 0 && different > 0);
}

#[test]
fn step_texts_make_the_round_trip() {
    let position = Dvonn::new();
    let foreign = |cell: Cell| cell.index() >= CELLS;
    for step in candidates() {
        match step {
            Step::Place(cell) if foreign(cell) => {}
            Step::Move { from, to } if foreign(from) || foreign(to) => {}
            _ => {
                let mut text = String::new();
                position.write_step(step, &mut text).unwrap();
                assert_eq!(position.parse_step(text.as_bytes()), Ok(step));
            }
        }
    }
}

#[test]
fn illegal_steps_played_unchecked_never_panic() {
    let candidates = candidates();
    let mut random = SplitMix64::new(1);
    let mut position = Dvonn::new();
    for n in 0..20_000 {
        if n % 500 == 0 {
            position = Dvonn::new();
        }
        position.play_unchecked(candidates[random.below(candidates.len())]);
        assert_eq!(position.step_count(), position.steps().count());
        assert!(!line(&position).is_empty());
    }
    // A stack moved onto itself over and over: its height has a bound.
    for _ in 0..10 {
        position.play_unchecked(Step::Move { from: Cell::new(0), to: Cell::new(0) });
        assert!(!line(&position).is_empty());
    }
}
