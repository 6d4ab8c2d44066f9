//! What people play: legal turns by lot, with a liking for what is rare.

use lodestone::games::any::{Position, Step};
use lodestone::games::{Game, dvonn, gipf, lyngk, yinsh};
use lodestone::geometry::{Cell, CellSet};
use lodestone::random::SplitMix64;

use crate::text;

/// Candidates of which one that does something unusual is preferred.
const CANDIDATES: usize = 6;

/// A turn: the steps one player makes before another acts.
pub(super) fn any_turn(position: &Position, random: &mut SplitMix64) -> Vec<Step> {
    let (player, mut at, mut steps) = (position.turn(), *position, Vec::new());
    while at.turn() == player && player.is_some() {
        let step = any_step(&at, random);
        at.play_unchecked(step);
        steps.push(step);
        let is_main = !is_taking(step) && !is_claim(step);
        if is_main && !at.steps().next().is_some_and(is_taking) {
            break;
        }
    }
    steps
}

/// Another turn than this one, if there is one.
pub(super) fn another_turn(
    position: &Position,
    turn: &[Step],
    random: &mut SplitMix64,
) -> Option<Vec<Step>> {
    (0..8).map(|_| any_turn(position, random)).find(|other| other != turn)
}

fn any_step(position: &Position, random: &mut SplitMix64) -> Step {
    let steps: Vec<Step> = position.steps().collect();
    let pieces = |at: &Position| {
        let line = text::position(at);
        line.split('|').next().unwrap_or_default().split_whitespace().map(str::len).sum::<usize>()
    };
    let before = pieces(position);
    let mut step = steps[random.below(steps.len())];
    for _ in 0..random.below(CANDIDATES) {
        let mut after = *position;
        after.play_unchecked(step);
        if after.steps().next().is_some_and(is_taking) || pieces(&after) < before {
            break;
        }
        step = steps[random.below(steps.len())];
    }
    step
}

/// Takes pieces off as a step of its own.
pub(super) fn is_taking(step: Step) -> bool {
    matches!(
        step,
        Step::Gipf(gipf::Step::Take { .. })
            | Step::Yinsh(yinsh::Step::TakeRow { .. } | yinsh::Step::TakeRing(_))
    )
}

/// The cells that a step empties.
pub(super) fn off(position: &Position, step: Step) -> CellSet {
    let mut after = *position;
    after.play_unchecked(step);
    position.table().occupied() - after.table().occupied()
}

/// Told by key, before the move.
pub(super) fn is_claim(step: Step) -> bool {
    matches!(step, Step::Lyngk(lyngk::Step::Claim(_)))
}

/// Where people see a step end.
pub(super) fn end(step: Step) -> Option<Cell> {
    match step {
        Step::Gipf(gipf::Step::Push { to, .. })
        | Step::Yinsh(yinsh::Step::MoveRing { to, .. })
        | Step::Dvonn(dvonn::Step::Move { to, .. })
        | Step::Lyngk(lyngk::Step::Move { to, .. }) => Some(to),
        Step::Gipf(gipf::Step::Take { high, .. })
        | Step::Yinsh(yinsh::Step::TakeRow { high, .. }) => Some(high),
        Step::Yinsh(yinsh::Step::PlaceRing(cell) | yinsh::Step::TakeRing(cell))
        | Step::Dvonn(dvonn::Step::Place(cell)) => Some(cell),
        Step::Glux(step) => Some(step.cell),
        Step::Lyngk(lyngk::Step::Claim(_)) => None,
    }
}

/// From where something is moved or pushed.
pub(super) fn origin(step: Step) -> Option<Cell> {
    match step {
        Step::Gipf(gipf::Step::Push { from, .. })
        | Step::Yinsh(yinsh::Step::MoveRing { from, .. }) => Some(from),
        step => origin_of_stack(step),
    }
}

/// From where a stack is moved.
pub(super) fn origin_of_stack(step: Step) -> Option<Cell> {
    match step {
        Step::Dvonn(dvonn::Step::Move { from, .. })
        | Step::Lyngk(lyngk::Step::Move { from, .. }) => Some(from),
        _ => None,
    }
}
