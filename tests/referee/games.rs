//! Whole games: every turn, carried out in some order of acts, commits exactly its steps.

use board_sim::table::Kind;
use lodestone::games::any::{Position, Step};
use lodestone::games::{Game, Id, dvonn, gipf, lyngk, yinsh};
use lodestone::geometry::Cell;
use lodestone::referee::{ANSWER_MS, Effect, Key};

use crate::desk::Desk;

/// Longer than any result needs.
const LONG_MS: u32 = 5000;

/// Plays games of this id with so many steps in all. Steps of one turn, and sometimes the first of
/// the next, are carried out without waiting for the referee.
fn play(id: Id, steps: usize) {
    let (mut made, mut seed, mut asked) = (0, 0, 0);
    while made < steps {
        seed += 1;
        let mut desk = Desk::new(id, seed);
        let mut truth = *desk.referee.position();
        while truth.turn().is_some() && made < steps {
            let (before, count) = (truth, desk.referee.step_count());
            let mut step = any_step(&mut desk, &truth);
            let mut in_one_go = 0;
            loop {
                let player = truth.turn();
                let is_certain = is_seen_to_land(&desk, step);
                desk.carry_out(&truth.clone(), step);
                truth.play_unchecked(step);
                (made, in_one_go) = (made + 1, in_one_go + 1);
                let goes_on = truth.turn() == player && is_taking(&truth);
                // A reply may come as soon as the turn before it was at rest for an instant.
                let replies =
                    !goes_on && truth.turn().is_some() && is_certain && desk.random.below(5) == 0;
                if !(replies || goes_on && desk.random.below(2) == 0) {
                    break;
                }
                let next = any_step(&mut desk, &truth);
                if replies {
                    // Who lifts the stack just moved may be changing his mind: that has to settle.
                    desk.wait(if begins_where_it_ended(next, step) { 800 } else { 200 });
                }
                step = next;
            }
            asked += usize::from(wait_for(&mut desk, &truth, step));
            let mut line = String::new();
            before.write_position(&mut line).unwrap();
            let at = format!("{id}, seed {seed}, {in_one_go} to {step:?} after {count}, {line}");
            assert!(*desk.referee.position() == truth, "{at} gave {:?}", desk.said);
            let committed =
                desk.said.iter().filter(|e| matches!(e, Effect::Committed { .. })).count();
            let allowed = |e: &Effect| {
                matches!(e, Effect::Committed { .. } | Effect::Prompt(..) | Effect::Question(..))
            };
            assert!(
                committed == in_one_go && desk.said.iter().all(allowed),
                "{at} and nothing else: {:?}",
                desk.said
            );
            desk.said.clear();
        }
    }
    println!("{id}: {made} steps in {seed} games, 0 wrong, {asked} questions");
}

/// Whether a stack moves on from where the last one landed.
fn begins_where_it_ended(next: Step, last: Step) -> bool {
    let ends = |step| match step {
        Step::Dvonn(dvonn::Step::Move { from, to })
        | Step::Lyngk(lyngk::Step::Move { from, to }) => Some((from, to)),
        _ => None,
    };
    ends(next).zip(ends(last)).is_some_and(|(next, last)| next.0 == last.1)
}

/// Landings on stacks may be asked for; then nobody can go on at once. On single pieces they are
/// certain, but for strong ones: a nudge changes those as much.
fn is_seen_to_land(desk: &Desk, step: Step) -> bool {
    match step {
        Step::Dvonn(dvonn::Step::Move { to, .. }) | Step::Lyngk(lyngk::Step::Move { to, .. }) => {
            let stack = &desk.stacks[to.index()];
            stack.len() == 1 && desk.table.piece(stack[0]).0.kind == Kind::Flat
        }
        _ => true,
    }
}

/// Whether pieces are to be taken off next.
fn is_taking(position: &Position) -> bool {
    position.steps().next().is_some_and(|step| {
        matches!(
            step,
            Step::Gipf(gipf::Step::Take { .. })
                | Step::Yinsh(yinsh::Step::TakeRow { .. } | yinsh::Step::TakeRing(_))
        )
    })
}

fn any_step(desk: &mut Desk, position: &Position) -> Step {
    // A row left standing as a whole is told by OK, not by hands.
    let is_seen = |step: &Step| {
        let mut after = *position;
        after.play_unchecked(*step);
        after.table() != position.table() || matches!(step, Step::Lyngk(_) | Step::Glux(_))
    };
    let steps: Vec<Step> = position.steps().filter(is_seen).collect();
    steps[desk.random.below(steps.len())]
}

/// Waits until the referee has come to this position and answers what it asks; tells whether it
/// asked.
fn wait_for(desk: &mut Desk, truth: &Position, step: Step) -> bool {
    let mut asked = false;
    for _ in 0..LONG_MS / 50 {
        desk.wait(50);
        if desk.referee.position() == truth {
            break;
        }
        let question = desk.said.iter().find_map(|effect| match effect {
            Effect::Question(_, cells) => Some(cells.clone()),
            _ => None,
        });
        if let Some(cells) = question.filter(|_| !asked) {
            asked = true;
            answer(desk, step, &cells);
        }
    }
    asked
}

/// Lifts the right candidate and sets it down, or presses its key; says yes to a push.
fn answer(desk: &mut Desk, step: Step, candidates: &[Cell]) {
    // Where the row of the other player was, a reply may be a piece of it.
    if let Step::Gipf(gipf::Step::Push { .. }) = step {
        desk.wait(ANSWER_MS);
        return desk.key(Key::Ok);
    }
    let (Step::Dvonn(dvonn::Step::Move { to, .. }) | Step::Lyngk(lyngk::Step::Move { to, .. })) =
        step
    else {
        panic!("only landings are asked for, not {step:?}")
    };
    let number = candidates.iter().position(|&c| c == to);
    // What was taken out after the landing cannot be tapped.
    let is_gone = desk.stacks[to.index()].is_empty();
    let by_key = is_gone || desk.random.below(2) == 0;
    if let Some(number) = number.filter(|_| by_key) {
        desk.wait(ANSWER_MS);
        desk.key(Key::Number(number as u8 + 1));
    } else {
        let stack = desk.lift(to);
        desk.wait(300);
        desk.drop(to, &stack);
        desk.wait(300);
    }
}

#[test]
fn gipf_basic() {
    play(Id::GipfBasic, 1500);
}

#[test]
fn gipf() {
    play(Id::Gipf, 1500);
}

#[test]
fn gipf_tournament() {
    play(Id::GipfTournament, 1500);
}

#[test]
fn yinsh() {
    play(Id::Yinsh, 1500);
}

#[test]
fn yinsh_blitz() {
    play(Id::YinshBlitz, 1500);
}

#[test]
fn dvonn() {
    play(Id::Dvonn, 2500);
}

#[test]
fn lyngk() {
    play(Id::Lyngk, 1500);
}

#[test]
fn lyngk_six() {
    play(Id::LyngkSix, 1500);
}

#[test]
fn glux_2() {
    play(Id::Glux2, 600);
}

#[test]
fn glux_3() {
    play(Id::Glux3, 300);
}

#[test]
fn glux_4() {
    play(Id::Glux4, 300);
}
