//! Virtual people play every game against the whole device: nothing that was not done is committed,
//! no game gets stuck, questions are rare, and the board is as quick as it should be.
//!
//! The same with more turns: `cargo sim soak --game all --turns 20000`.

use board_sim::hands::{CAREFUL, SLOPPY, Style};
use board_sim::soak::{Plan, game, soak};
use lodestone::games::Id;

/// Of each game, for each style.
const TURNS: u64 = 500;
/// From the end of its waiting time to a commit, ms.
const LATE_MS: i32 = 50;
/// From a lift to the end of the frame that shows where the stack may go, ms, on the hex playfield.
const HINT_MS: u32 = 40;

fn plan(id: Id, style: &'static Style) -> Plan {
    Plan { id, seed: 1, style, faults: 0, taught: true, trace: false }
}

/// Plays all games; `percent` of turns may have a question, more in LYNGK and in DVONN.
fn play(style: &'static Style, percent: f64, lyngk: f64, dvonn: f64) {
    for id in Id::ALL {
        let tally = soak(&plan(id, style), TURNS, |_| ());
        assert!(tally.failures.is_empty(), "{id}: {:?}", tally.failures);
        let most = match id {
            Id::Lyngk | Id::LyngkSix => lyngk,
            Id::Dvonn => dvonn,
            _ => percent,
        };
        let asked = tally.questions_percent();
        assert!(asked <= most, "{id}: questions in {asked:.1} % of turns");
        let late = tally.late_ms.iter().max();
        assert!(late.is_some_and(|&late| late <= LATE_MS), "{id}: {late:?} ms late");
        let hint = tally.hint_ms.iter().max();
        assert!(hint.is_none_or(|&hint| hint <= HINT_MS), "{id}: {hint:?} ms to the hint");
    }
}

#[test]
fn careful_hands() {
    play(&CAREFUL, 1.0, 3.0, 5.0);
}

#[test]
fn sloppy_hands() {
    play(&SLOPPY, 5.0, 8.0, 10.0);
}

#[test]
fn a_game_is_the_same_whoever_plays_it() {
    let plan = plan(Id::Yinsh, &SLOPPY);
    let [first, second] = [game(&plan, 3), game(&plan, 3)];
    assert_eq!(first.simulated_ms, second.simulated_ms);
    assert_eq!(first.commit_ms, second.commit_ms);
    assert_ne!(first.simulated_ms, game(&plan, 4).simulated_ms);
}
