//! The figures of a soak.

use lodestone::games::Id;

/// The most from the end of its waiting time to a commit, ms.
pub const LATE_MS: i32 = 50;
/// The most from a lift to the end of the frame that shows where the stack may go, ms.
pub const HINT_MS: u32 = 40;

/// A game that failed: how, and what reproduces it.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The game.
    pub id: Id,
    /// Its number; the seed and it lead to the same game again.
    pub number: u64,
    /// Whether something was committed that was not done; otherwise nothing got the game on.
    pub is_wrong: bool,
    /// Steps committed before.
    pub step: usize,
    /// Simulated time, ms.
    pub at_ms: u64,
    /// What happened.
    pub what: String,
}

/// What was counted in games of one id.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Turns that people meant to play and that came to an end.
    pub turns: u64,
    /// Turns with a question.
    pub questions: u64,
    /// Mistakes made.
    pub mistakes: u64,
    /// Mistakes after which the game went on.
    pub mended: u64,
    /// Changes of mind.
    pub changes: u64,
    /// Replies before the commit.
    pub early: u64,
    /// Turns without mistake or change of mind in which something was refused.
    pub unfair: u64,
    /// Legal steps committed that nobody meant.
    pub unmeant: u64,
    /// From the last touch to the commit, less the waiting time for that result, ms; and the game.
    pub late_ms: Vec<(i32, u64)>,
    /// From the last touch to the commit, ms.
    pub commit_ms: Vec<u32>,
    /// From a lift to the end of the frame that shows where the stack may go, ms; and the game.
    pub hint_ms: Vec<(u32, u64)>,
    /// Lifts whose destinations were never shown.
    pub hints_missing: u64,
    /// Games that failed.
    pub failures: Vec<Failure>,
    /// Simulated time, ms.
    pub simulated_ms: u64,
}

impl Tally {
    /// Adds the figures of more games.
    pub fn add(&mut self, other: Tally) {
        self.games += other.games;
        self.turns += other.turns;
        self.questions += other.questions;
        self.mistakes += other.mistakes;
        self.mended += other.mended;
        self.changes += other.changes;
        self.early += other.early;
        self.unfair += other.unfair;
        self.unmeant += other.unmeant;
        self.late_ms.extend(other.late_ms);
        self.commit_ms.extend(other.commit_ms);
        self.hint_ms.extend(other.hint_ms);
        self.hints_missing += other.hints_missing;
        self.failures.extend(other.failures);
        self.simulated_ms += other.simulated_ms;
    }

    /// Wrong commits.
    pub fn wrong(&self) -> usize {
        self.failures.iter().filter(|failure| failure.is_wrong).count()
    }

    /// Stuck games.
    pub fn stuck(&self) -> usize {
        self.failures.len() - self.wrong()
    }

    /// Questions in percent of turns.
    pub fn questions_percent(&self) -> f64 {
        100.0 * self.questions as f64 / self.turns.max(1) as f64
    }
}

/// Median, 99th percentile and worst of some figures; zeros of none.
pub fn spread<T: Copy + Ord + Default>(figures: &[T]) -> [T; 3] {
    let mut sorted = figures.to_vec();
    sorted.sort_unstable();
    let Some(last) = sorted.len().checked_sub(1) else { return [T::default(); 3] };
    [sorted[last / 2], sorted[last * 99 / 100], sorted[last]]
}
