//! Representation, tables and shortcuts against their slow definitions, in random games.

use std::collections::HashSet;
use std::string::String;
use std::vec::Vec;

use super::tables::RAYS;
use super::*;
use crate::random::SplitMix64;

const VARIANTS: [Variant; 2] = [Variant::Normal, Variant::Six];

/// All steps anybody could think of on this board, and some on cells it does not have.
fn candidates() -> Vec<Step> {
    let cells: Vec<Cell> = (0..CELLS).chain([CELLS, 63, 64, 255]).map(Cell::new).collect();
    let moves = cells.iter().flat_map(|&from| cells.iter().map(move |&to| Step::Move { from, to }));
    Colour::ALL.into_iter().map(Step::Claim).chain(moves).collect()
}

/// Plays random games and shows `visit` every position, the set-up and the end included. Claims
/// come more often than by chance in some games and hardly ever in others.
fn play_random_games(games: u64, mut visit: impl FnMut(&Lyngk, &str)) {
    for seed in 0..games {
        for variant in VARIANTS {
            let mut random = SplitMix64::new(seed);
            let mut game = Lyngk::new(variant, &Deal::shuffle(seed));
            let claim_chance = [0, 5, 50][random.below(3)];
            for number in 0.. {
                visit(&game, &std::format!("{variant:?}, seed {seed}, step {number}"));
                let (claims, moves): (Vec<Step>, Vec<Step>) =
                    game.steps().partition(|step| matches!(step, Step::Claim(_)));
                let claim = moves.is_empty() || random.below(100) < claim_chance;
                let pool = if claim && !claims.is_empty() { claims } else { moves };
                if pool.is_empty() {
                    break;
                }
                game.play(pool[random.below(pool.len())]).unwrap();
            }
        }
    }
}

#[test]
fn a_position_is_small() {
    assert!(size_of::<Lyngk>() <= 256, "{}", size_of::<Lyngk>());
}

#[test]
fn rays_are_those_of_the_board_and_the_first_three_lead_forward() {
    let board = &geometry::LYNGK;
    for cell in board.cells() {
        for direction in board.playfield().directions() {
            let ray = RAYS[cell.index()][direction.index()];
            assert_eq!(ray, board.ray(cell, direction).collect());
            let forward = direction.index() < tables::FORWARD;
            assert!(ray.iter().all(|other| (other > cell) == forward));
        }
    }
}

#[test]
fn stacks_keep_their_pieces_in_order() {
    let mut random = SplitMix64::new(1);
    for _ in 0..1000 {
        let mut draw = |count: usize| -> Vec<Piece> {
            (0..count).map(|_| Piece::ALL[random.below(Piece::ALL.len())]).collect()
        };
        let pile = |pieces: &[Piece]| {
            pieces.iter().fold(Stack::EMPTY, |below, &piece| Stack::single(piece).put_on(below))
        };
        let (lower, upper) = (draw(3), draw(3));
        let both: Vec<Piece> = lower.iter().chain(&upper).copied().collect();
        let stack = pile(&upper).put_on(pile(&lower));
        assert_eq!(stack.pieces().collect::<Vec<_>>(), both);
        assert_eq!((stack.height(), stack.top()), (6, upper.last().copied()));
        for colour in Colour::ALL {
            assert_eq!(stack.has(colour), both.contains(&Piece::Coloured(colour)));
        }
        let shared = lower.iter().any(|&piece| piece != Piece::Joker && upper.contains(&piece));
        assert_eq!(pile(&lower).shares_colour(pile(&upper)), shared);
    }
    assert_eq!(Stack::EMPTY.top(), None);
}

#[test]
fn check_agrees_with_the_list_of_steps_and_the_list_with_itself() {
    let candidates = candidates();
    play_random_games(40, |game, at| {
        let steps: Vec<Step> = game.steps().collect();
        let set: HashSet<Step> = steps.iter().copied().collect();
        assert_eq!(steps.len(), set.len(), "a step twice: {at}");
        assert_eq!(steps.len(), game.step_count(), "{at}");
        assert_eq!(steps.is_empty(), game.outcome().is_some(), "{at}");
        for &step in &candidates {
            assert_eq!(game.check(step).is_ok(), set.contains(&step), "{step:?}: {at}");
        }
    });
}

#[test]
fn origins_and_destinations_are_those_of_the_steps() {
    play_random_games(40, |game, at| {
        let mut origins = CellSet::EMPTY;
        for from in (0..256).map(Cell::new) {
            let ends: CellSet = game
                .steps()
                .filter_map(|step| match step {
                    Step::Move { from: origin, to } if origin == from => Some(to),
                    _ => None,
                })
                .collect();
            assert_eq!(game.destinations(from), ends, "{from:?}: {at}");
            if !ends.is_empty() {
                origins.insert(from);
            }
        }
        assert_eq!(game.origins(), origins, "{at}");
    });
}

/// L18 to L22 as they are written: the origin is vacant, every line is walked point by point, and
/// each link is used once.
fn met_by_walking(game: &Lyngk, from: Cell, colour: Colour) -> CellSet {
    let board = game.board();
    let vacant = |cell: Cell| cell == from || game.stack(cell).is_empty();
    let (mut met, mut used, mut pending) = (CellSet::EMPTY, CellSet::EMPTY, Vec::from([from]));
    while let Some(start) = pending.pop() {
        for direction in board.playfield().directions() {
            let Some(end) = board.ray(start, direction).find(|&cell| !vacant(cell)) else {
                continue;
            };
            met.insert(end);
            if game.stack(end).top() == Some(Piece::Coloured(colour)) && !used.contains(end) {
                used.insert(end);
                pending.push(end);
            }
        }
    }
    met
}

#[test]
fn linking_over_sets_is_linking_point_by_point() {
    let mut longer = 0;
    play_random_games(40, |game, at| {
        let survey = Survey::of(game);
        for from in game.board().cells() {
            if let Some(Piece::Coloured(colour)) = game.stack(from).top() {
                let met: CellSet = survey.met_by_linking(from, colour).widen();
                let slow = met_by_walking(game, from, colour);
                assert_eq!(met - CellSet::of(from), slow, "{from:?}: {at}");
                longer += usize::from(met.len() > survey.met(from).len());
            }
        }
    });
    assert!(longer > 1000, "links were hardly used: {longer}");
}

#[test]
fn pieces_are_conserved_and_stacks_obey_their_limits() {
    play_random_games(100, |game, at| {
        let taken = match game.variant {
            Variant::Normal => usize::from(game.won[0] + game.won[1]),
            Variant::Six => 0,
        };
        let standing: usize = game.stacks.iter().map(|stack| stack.height()).sum();
        assert_eq!(standing + 5 * taken, CELLS, "{at}");
        for stack in game.stacks.iter().filter(|stack| stack.height() > 1) {
            assert!(stack.height() <= game.variant.height_max(), "L11, L27: {at}");
            assert_ne!(stack.top(), Some(Piece::Joker), "L3: {at}");
            for colour in Colour::ALL {
                let count = stack.pieces().filter(|&p| p == Piece::Coloured(colour)).count();
                assert!(count <= 1, "L12: {at}");
            }
        }
    });
}

#[test]
fn step_texts_make_the_round_trip_and_others_are_refused() {
    play_random_games(4, |game, at| {
        for step in game.steps() {
            let mut text = String::new();
            game.write_step(step, &mut text).unwrap();
            assert_eq!(game.parse_step(text.as_bytes()), Ok(step), "{text}: {at}");
        }
    });
    let game = Lyngk::new(Variant::Normal, &Deal::shuffle(0));
    for (text, at) in [
        ("", 0),
        ("W", 0),
        ("k", 0),
        ("RR", 1),
        ("a1-b2", 0),
        ("a3", 2),
        ("a3b2", 2),
        ("a3-", 3),
        ("a3-b1", 3),
        ("a3-b2 ", 5),
        (" a3-b2", 0),
    ] {
        assert_eq!(game.parse_step(text.as_bytes()).map_err(|e| e.at), Err(at), "{text:?}");
    }
}

/// What an illegal step gives is unspecified, but the position stays one that can be asked anything.
#[test]
fn any_step_can_be_played_unchecked_without_a_panic() {
    let candidates = candidates();
    let mut random = SplitMix64::new(5);
    for round in 0..200 {
        let mut game = Lyngk::new(VARIANTS[round % 2], &Deal::shuffle(round as u64));
        for _ in 0..100 {
            game.play_unchecked(candidates[random.below(candidates.len())]);
            assert_eq!(game.step_count(), game.steps().count());
            game.write_position(&mut String::new()).unwrap();
            let _ = (game.score(), game.outcome(), game.origins());
        }
    }
}

#[test]
fn set_ups_are_read_and_drawn_as_the_notation_says() {
    for seed in 0..100 {
        let deal = Deal::shuffle(seed);
        assert_eq!(Deal::parse(std::format!("{deal}").as_bytes()), Ok(deal));
    }
    // Step by step from the text of the notation, apart from `SplitMix64::shuffle`.
    let mut letters: Vec<char> = "KKKKKKKKBBBBBBBBGGGGGGGGIIIIIIIIRRRRRRRRWWW".chars().collect();
    let mut random = SplitMix64::new(7);
    for i in (1..=42).rev() {
        letters.swap(i, (random.next() % (i as u64 + 1)) as usize);
    }
    assert_eq!(std::format!("{}", Deal::shuffle(7)), letters.iter().collect::<String>());
}

#[test]
fn wrong_set_ups_are_refused_with_what_is_wrong() {
    let good = std::format!("{}", Deal::shuffle(0));
    let check = |text: &str, error: &str| {
        let refused = Deal::parse(text.as_bytes()).unwrap_err();
        assert_eq!(std::format!("{refused}"), error);
    };
    check(&good[1..], "expected 43 letters, found 42");
    check("", "expected 43 letters, found 0");
    check(&good.replacen('W', "X", 1), &{
        let at = good.find('W').unwrap() + 1;
        std::format!("expected K, B, G, I, R or W at byte {at}")
    });
    check(&good.replacen('B', "G", 1), "expected 8 times B, found 7");
    check(&good.replacen('W', "R", 1), "expected 8 times R, found 9");
}
