//! How long the referee waits, all in milliseconds of rest unless said otherwise.

use crate::sense::{GONE_MS, REST_MS};

/// Default of the settle time: rest from the last unrest near a change until it is committed.
pub const SETTLE_MS: u32 = 500;
/// The shortest and the longest settle time one can choose.
pub const SETTLE_RANGE_MS: core::ops::RangeInclusive<u32> = 150..=2000;
/// At least this for chosen removals and for changes of mind.
pub const TAKE_MS: u32 = 1500;
/// At least this for a result that ends the game.
pub const END_MS: u32 = 3000;
/// Rest of the whole board before anything is refused.
pub const QUIET_MS: u32 = 700;
/// Rest before a question is asked or something is to be centred.
pub const ASK_MS: u32 = 1000;
/// A key that is pressed sooner after a question was not meant for it; one that may be a claim, until
/// [`CLAIM_GUARD_MS`].
pub const ANSWER_MS: u32 = 500;
/// UNDO that is pressed sooner after a question has ended by itself was meant for it.
pub const UNSEEN_END_MS: u32 = 1500;
/// Rest before a landing is asked for where none was noticed at all: the stack may be in the hand.
pub const IN_HAND_MS: u32 = 3000;
/// After a commit, how long claims of the next player are not taken.
pub const CLAIM_GUARD_MS: u32 = 1500;
/// Without anything happening for this long, what may act is shown.
pub const IDLE_HINT_MS: u32 = 8000;
/// A told value is kept for this long without a chip.
pub const TOLD_MS: u32 = 30_000;
/// GLÜX: after so long no chip is on its way any more: what has hardly changed is asked about.
pub const LONG_TOLD_MS: u32 = 3_000;
/// How long the question after a possible swap is shown.
pub const SWAP_MS: u32 = 10_000;
/// So many points emptied
pub const SWEEP_POINTS: usize = 8;
/// within this time are a sweep.
pub const SWEEP_MS: u32 = 2000;
/// More points at once than this, in overload or with something that is not seated, are a foreign
/// magnet.
pub const FOREIGN_POINTS: usize = 6;

const _: () = {
    assert!(GONE_MS < REST_MS && REST_MS <= *SETTLE_RANGE_MS.start());
    assert!(SETTLE_MS < QUIET_MS && QUIET_MS < ASK_MS && ASK_MS < IN_HAND_MS);
    assert!(*SETTLE_RANGE_MS.start() <= SETTLE_MS && SETTLE_MS <= *SETTLE_RANGE_MS.end());
    assert!(SETTLE_MS < TAKE_MS && TAKE_MS < END_MS);
};
