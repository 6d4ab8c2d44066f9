//! Tables and shortcuts against their slow definitions, in random games.

use std::collections::HashSet;
use std::string::String;
use std::vec::Vec;

use super::*;
use crate::geometry::Room;
use crate::random::SplitMix64;

const VARIANTS: [Variant; 3] = [Variant::Two, Variant::Three, Variant::Four];

/// All steps anybody could think of, also on squares the board does not have.
fn candidates() -> impl Iterator<Item = Step> {
    let cells = (0..256).map(Cell::new);
    cells.flat_map(|cell| Spots::all().map(move |spots| Step { cell, spots }))
}

/// Plays random games and shows `visit` every position, the set-up and the end included. Some
/// games cover whatever they can, some stay near the start, so that ends differ.
fn play_random_games(games: u64, mut visit: impl FnMut(&Glux, &str)) {
    for seed in 0..games {
        for variant in VARIANTS {
            let mut random = SplitMix64::new(seed);
            let mut game = Glux::new(variant);
            let cover_chance = [0, 20, 90][random.below(3)];
            for number in 0.. {
                visit(&game, &std::format!("{variant:?}, seed {seed}, step {number}"));
                let steps: Vec<Step> = game.steps().collect();
                let covering: Vec<Step> =
                    steps.iter().copied().filter(|step| game.upper(step.cell).is_some()).collect();
                let cover = !covering.is_empty() && random.below(100) < cover_chance;
                let pool = if cover { covering } else { steps };
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
    assert!(size_of::<Glux>() <= 640, "{}", size_of::<Glux>());
}

#[test]
fn faces_belong_to_three_kinds_of_chips() {
    let kinds: Vec<usize> = Spots::all().map(Spots::kind).collect();
    assert_eq!(kinds, [0, 1, 2, 2, 1, 0]);
    assert_eq!((Spots::new(0), Spots::new(7), Spots::new(255)), (None, None, None));
    for player in (0..Player::MAX).map(Player::from_index) {
        for spots in Spots::all() {
            let chip = Chip::new(player, spots);
            assert_eq!((chip.player(), chip.spots()), (player, spots.number()));
        }
    }
}

#[test]
fn strides_and_edges_are_those_of_the_board() {
    for variant in VARIANTS {
        let plan = variant.plan();
        assert_eq!(plan.rooms.len(), plan.board.cell_count());
        assert_eq!(plan.to_edge.len(), plan.board.cell_count());
        assert_eq!(plan.starts.len(), variant.player_count());
        for cell in plan.board.cells() {
            for direction in plan.board.playfield().directions() {
                let ray: Vec<usize> = plan.board.ray(cell, direction).map(Cell::index).collect();
                let stride = plan.strides[direction.index()];
                let walked: Vec<usize> =
                    (1..=isize::from(plan.to_edge[cell.index()][direction.index()]))
                        .map(|n| cell.index().checked_add_signed(n * stride).unwrap())
                        .collect();
                assert_eq!(ray, walked, "{variant:?} {}", plan.board.name(cell));
            }
        }
    }
}

#[test]
fn check_agrees_with_the_list_of_steps_and_the_list_with_itself() {
    play_random_games(8, |game, at| {
        let steps: Vec<Step> = game.steps().collect();
        let set: HashSet<Step> = steps.iter().copied().collect();
        assert_eq!(steps.len(), set.len(), "a step twice: {at}");
        assert_eq!(steps.len(), game.step_count(), "{at}");
        assert_eq!(steps.is_empty(), game.outcome().is_some(), "{at}");
        for step in candidates() {
            assert_eq!(game.check(step).is_ok(), set.contains(&step), "{step:?}: {at}");
        }
        let cells: CellSet = steps.iter().map(|step| step.cell).collect();
        assert_eq!(game.origins(), cells, "{at}");
        for cell in (0..256).map(Cell::new) {
            assert_eq!(game.destinations(cell), cells & CellSet::of(cell), "{at}");
        }
    });
}

#[test]
fn chips_are_conserved_and_nobody_comes_back_in() {
    let mut out = HashSet::new();
    play_random_games(40, |game, at| {
        let mut count = [0; Player::MAX];
        for cell in game.board().cells() {
            assert!(game.upper(cell).is_some() || game.lower(cell).is_none(), "{at}");
            for chip in [game.upper(cell), game.lower(cell)].into_iter().flatten() {
                count[chip.player().index()] += 1;
            }
        }
        if count == [0; Player::MAX] {
            out.clear();
        }
        for player in game.players() {
            let left: u8 = game.bag(player).iter().sum();
            assert_eq!(left + count[player.index()], 24, "{at}");
            // X12: squares only fill up.
            assert!(!(out.contains(&player) && game.has_step(player)), "{at}");
            if !game.has_step(player) {
                out.insert(player);
            }
        }
    });
}

/// X14 to X18 once more, a room and a player at a time.
fn slow_score(game: &Glux) -> Vec<u16> {
    let spots = |room: usize, player: Player| -> u16 {
        let inside = |cell: &Cell| game.plan().rooms[cell.index()].map(Room::index) == Some(room);
        let own = game.board().cells().filter(inside).filter_map(|cell| game.upper(cell));
        own.filter(|chip| chip.player() == player).map(|chip| u16::from(chip.spots())).sum()
    };
    let worth = |room: usize, player: Player| {
        let own = spots(room, player);
        let better = game.players().filter(|&other| spots(room, other) > own).count();
        match better {
            _ if own == 0 => 0,
            0 => 4,
            // Second: exactly one player has more, whom nobody ties.
            1 if game.variant != Variant::Two => 2,
            _ => 0,
        }
    };
    game.players().map(|player| (0..Room::COUNT).map(|room| worth(room, player)).sum()).collect()
}

#[test]
fn points_are_those_of_a_slow_count() {
    play_random_games(10, |game, at| {
        assert_eq!(game.score().as_slice(), slow_score(game), "{at}");
    });
}

#[test]
fn step_texts_make_the_round_trip_and_others_are_refused() {
    play_random_games(1, |game, at| {
        for step in game.steps() {
            let mut text = String::new();
            game.write_step(step, &mut text).unwrap();
            assert_eq!(game.parse_step(text.as_bytes()), Ok(step), "{text}: {at}");
        }
    });
    let game = Glux::new(Variant::Two);
    for (text, at) in [
        ("", 0),
        ("n1=1", 0),
        ("a10=1", 0),
        ("A1=1", 0),
        ("a1", 2),
        ("a1-1", 2),
        ("a1=", 3),
        ("a1=0", 3),
        ("a1=7", 3),
        ("a1=11", 4),
        ("a1=1 ", 4),
    ] {
        assert_eq!(game.parse_step(text.as_bytes()).map_err(|e| e.at), Err(at), "{text:?}");
    }
}

/// What an illegal step gives is unspecified, but the position stays one that can be asked anything.
#[test]
fn any_step_can_be_played_unchecked_without_a_panic() {
    let candidates: Vec<Step> = candidates().collect();
    let mut random = SplitMix64::new(5);
    for variant in VARIANTS {
        let mut game = Glux::new(variant);
        for _ in 0..1000 {
            game.play_unchecked(candidates[random.below(candidates.len())]);
            assert_eq!(game.step_count(), game.steps().count());
            game.write_position(&mut String::new()).unwrap();
            let _ = (game.score(), game.outcome(), game.origins());
        }
    }
}
