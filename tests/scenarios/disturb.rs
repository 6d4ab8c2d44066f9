//! Anything may happen at the table: whatever it is, every refusal ends once, before the next step.
//!
//! Scenarios are drawn by lot and played; the player of scenarios watches refusals and their ends.

use std::fmt::Write;

use board_sim::pipe::HostBoard;
use board_sim::scenario::{Scenario, run};
use lodestone::games::any::Setup;
use lodestone::games::{Game, Id};
use lodestone::geometry::Board;
use lodestone::random::SplitMix64;

const GAMES: u64 = 3;
const ACTS: usize = 60;

/// The pieces of a game.
fn pieces(id: Id) -> &'static [&'static str] {
    match id.letter() {
        'G' => &["white", "black", "white-gipf", "black-gipf"],
        'Y' => &["white-ring", "black-ring", "white-marker", "black-marker"],
        'D' => &["white", "red"],
        'L' => &["red", "joker"],
        _ => &["low", "high"],
    }
}

/// A game with some steps made before, and then a lot of nonsense.
fn scenario(id: Id, seed: u64) -> String {
    let mut random = SplitMix64::new(seed);
    let mut position = Setup::of(id).position();
    let mut text = format!("title    disturbed by {seed}\ngame     {id}\nbefore  ");
    for _ in 0..random.below(60) {
        let count = position.step_count();
        let Some(step) = position.steps().nth(random.below(count.max(1))) else { break };
        let mut after = position;
        after.play_unchecked(step);
        if after.outcome().is_some() {
            break;
        }
        write!(text, " {}", board_sim::text::step(&position, step)).unwrap();
        position = after;
    }
    for _ in 0..ACTS {
        write!(text, "\n{}\nwait {}", act(id, position.board(), &mut random), pause(&mut random))
            .unwrap();
    }
    text + "\nwait 3000\n> anything\n"
}

fn pause(random: &mut SplitMix64) -> usize {
    [0, 100, 400, 1000, 2500][random.below(5)]
}

fn act(id: Id, board: &Board, random: &mut SplitMix64) -> String {
    let mut point = || {
        let cell = board.cells().nth(random.below(board.cell_count())).unwrap();
        board.name(cell).to_string()
    };
    let (a, b) = (point(), point());
    match random.below(12) {
        0..=2 => format!("put {} {a}", pieces(id)[random.below(pieces(id).len())]),
        3 | 4 => format!("lift {a}"),
        5 | 6 => format!("down {b}"),
        7 => format!("move {a} {b}"),
        8 => format!("turn {a}"),
        9 => format!("nudge {a} {} {}", random.below(20), random.below(20)),
        10 => format!("off {a} {b}"),
        _ => {
            let keys = ["K1", "K2", "K3", "K4", "K5", "K6", "OK", "UNDO"];
            format!("tap {}", keys[random.below(keys.len())])
        }
    }
}

#[test]
fn every_refusal_ends_once_whatever_happens() {
    let mut wrong = Vec::new();
    for id in Id::ALL {
        for seed in 0..GAMES {
            let read = Scenario::read(&scenario(id, seed));
            let played =
                read.and_then(|read| run(&read, |build| HostBoard::new(build, true, None)));
            wrong.extend(played.err().map(|failure| format!("{id} {seed}: {failure}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
