//! Counting leaves: how many positions (by steps, not by diagrams) lie so many steps ahead.
//!
//! The usual proof of a rules engine, and its yardstick of speed. The last step is not carried out
//! but counted ("bulk counting").

use lodestone::games::{Game, any};
use lodestone::with_game;

/// Leaves after `depth` steps; a finished game has none below it; at depth 0 it is 1.
pub fn leaves(position: &any::Position, depth: u32) -> u64 {
    with_game!(position, game => count(game, depth))
}

/// The same on one game, without the cost of the common type.
pub fn count<G: Game>(position: &G, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.step_count() as u64,
        _ => children(position).map(|(_, child)| count(&child, depth - 1)).sum(),
    }
}

/// Every legal step with the leaves below it; nothing at depth 0.
pub fn divide(
    position: &any::Position,
    depth: u32,
) -> impl Iterator<Item = (any::Step, u64)> + use<'_> {
    let steps = children(position);
    steps
        .take_while(move |_| depth > 0)
        .map(move |(step, child)| (step, leaves(&child, depth.saturating_sub(1))))
}

fn children<G: Game>(position: &G) -> impl Iterator<Item = (G::Step, G)> + use<'_, G> {
    position.steps().map(|step| {
        let mut child = *position;
        child.play_unchecked(step);
        (step, child)
    })
}
