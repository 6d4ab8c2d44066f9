//! The soak: virtual people play whole games against the device, through fields and sensors.
//!
//! For `cargo sim soak` and the tests. A game is a [`Plan`] and a number: same plan, same number,
//! same game, whoever plays it and on however many threads. People know the rules and what they did,
//! see the lights and hear the sentences; the referee's mind is closed to them. They make the
//! mistakes of their [`Style`], follow what they are told, answer questions rightly and put pieces
//! back as shown.
//!
//! What is checked, after every commit and every turn:
//! - *wrong*: the board's position is one that was not done: neither what people meant nor what lies
//!   there. A legal step that somebody did not mean is not wrong.
//! - *stuck*: nothing gets the game on although everything was put as shown, several times.
//!
//! Where the model stops: reserves are never miscounted, set-ups are laid out without mistakes, and
//! nobody resigns.

mod boards;
mod people;
mod play;
mod tally;
#[cfg(test)]
mod tests;
mod turns;
mod world;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use lodestone::games::Id;

use crate::hands::Style;

pub use tally::{Failure, HINT_MS, LATE_MS, Tally, spread};

/// What is played and how.
#[derive(Clone, Copy)]
pub struct Plan {
    /// Which game.
    pub id: Id,
    /// Where everything drawn by lot comes from.
    pub seed: u64,
    /// The hands that play.
    pub style: &'static Style,
    /// Sensors of a game that fail at some time.
    pub faults: usize,
    /// Whether gains were taught.
    pub taught: bool,
    /// Whether everything that happens is printed.
    pub trace: bool,
}

/// Plays one game to its end.
pub fn game(plan: &Plan, number: u64) -> Tally {
    play::Play::new(plan, number).run()
}

/// What each tick of the console took in a game, on this machine: a scan taken in, and the frame of
/// lights made.
pub fn ticks(plan: &Plan, number: u64) -> Vec<Duration> {
    let mut play = play::Play::new(plan, number);
    play.world.ticks = Some(Vec::new());
    // Whatever comes of the game.
    drop(play.play());
    play.world.ticks.unwrap_or_default()
}

/// Plays games until there are so many turns, on all cores. `progress` hears of the turns of every
/// game that counts.
pub fn soak(plan: &Plan, turns: u64, progress: impl Fn(u64) + Sync) -> Tally {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (next, done) = (AtomicU64::new(0), Mutex::new(BTreeMap::new()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let tally = game(plan, number);
                    let mut done = done.lock().expect("no game panics");
                    progress(tally.turns);
                    done.insert(number, tally);
                    if counted(&done, turns).is_some() {
                        break;
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no game panics");
    let enough = counted(&done, turns).unwrap_or(done.len() as u64);
    let mut total = Tally::default();
    done.retain(|&number, _| number < enough);
    for tally in done.into_values() {
        total.add(tally);
    }
    total
}

/// After how many games in the order of their numbers there are enough turns.
fn counted(done: &BTreeMap<u64, Tally>, turns: u64) -> Option<u64> {
    let mut sum = 0;
    for (expected, (&number, tally)) in (0..).zip(done) {
        sum += tally.turns;
        if number != expected {
            return None;
        }
        // A game that failed at once counts for nothing, but must not go on for ever.
        if sum >= turns || number >= turns {
            return Some(number + 1);
        }
    }
    None
}
