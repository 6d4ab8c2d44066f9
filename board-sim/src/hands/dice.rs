//! Draws by lot for the hands.

use lodestone::random::SplitMix64;

use super::style::Range;
use crate::table::PlaceMm;

/// A stream of draws.
pub(super) struct Dice(pub(super) SplitMix64);

impl Dice {
    fn share(&mut self) -> f64 {
        self.0.below(1 << 20) as f64 / f64::from(1 << 20)
    }

    /// Whether something happens that happens in this share of cases.
    pub(super) fn chance(&mut self, share: f64) -> bool {
        self.share() < share
    }

    /// Evenly from a range.
    pub(super) fn within(&mut self, (low, high): Range) -> f64 {
        low + self.share() * (high - low)
    }

    /// Evenly from the circle of this radius around a place.
    pub(super) fn near(&mut self, (x, y): PlaceMm, radius_mm: f64) -> PlaceMm {
        let turn = self.share() * std::f64::consts::TAU;
        let radius = radius_mm * self.share().sqrt();
        (x + radius * turn.cos(), y + radius * turn.sin())
    }

    /// One of these; none of none.
    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        (!from.is_empty()).then(|| from[self.0.below(from.len())])
    }
}
