//! Which steps are legal: while rows are due only takings, else only pushes.

use super::tables::{PUSHES, Push, SPOTS};
use super::{Gipf, Piece, Run, Step};
use crate::geometry::{Cell, Cells};

impl Gipf {
    /// Every way to take a row that is due: each GIPF-piece of its run comes off or stays (G16).
    pub(super) fn takes(&self) -> impl Iterator<Item = Step> {
        self.runs_due().flat_map(|Run { low, high, pieces }| {
            subsets(pieces & self.gipfs).map(move |left| Step::Take { low, high, left })
        })
    }

    /// Every way to bring a piece in; none while it is not time to push.
    pub(super) fn pushes(&self) -> impl Iterator<Item = Step> {
        self.open_pushes().flat_map(|&Push { from, to, .. }| {
            self.pieces_to_bring().map(move |piece| Step::Push { from, to, piece })
        })
    }

    pub(super) fn take_count(&self) -> usize {
        self.runs_due().map(|run| 1 << (run.pieces & self.gipfs).len()).sum()
    }

    pub(super) fn push_count(&self) -> usize {
        if !self.is_to_push() {
            return 0;
        }
        let occupied = self.occupied();
        let open = SPOTS.iter().filter(|&&spots| !(spots - occupied).is_empty()).count();
        // Every line has two ends (G8).
        2 * open * self.pieces_to_bring().count()
    }

    /// The dots from which one can push and both ends of each run to take.
    pub(super) fn origin_cells(&self) -> Cells<1> {
        let ends = self.runs_due().flat_map(|run| [run.low, run.high]);
        ends.chain(self.open_pushes().map(|push| push.from)).collect()
    }

    /// The first spots that can be entered from a dot, or the other ends of the runs that end here.
    pub(super) fn destination_cells(&self, origin: Cell) -> Cells<1> {
        let other_ends = self.runs_due().filter_map(|run| match origin {
            _ if origin == run.low => Some(run.high),
            _ if origin == run.high => Some(run.low),
            _ => None,
        });
        let entered = self.open_pushes().filter(|push| push.from == origin).map(|push| push.to);
        other_ends.chain(entered).collect()
    }

    fn runs_due(&self) -> impl Iterator<Item = Run> {
        self.due.iter().filter_map(|line| self.run(line))
    }

    fn open_pushes(&self) -> impl Iterator<Item = &'static Push> {
        let pushes: &[Push] = if self.is_to_push() { &PUSHES } else { &[] };
        pushes.iter().filter(|push| self.is_open(push.line))
    }

    fn pieces_to_bring(&self) -> impl Iterator<Item = Piece> {
        [Piece::Basic, Piece::Gipf].into_iter().filter(|&piece| self.may_bring(piece).is_ok())
    }
}

/// All subsets, from none to all: counting upwards through the bits of the set alone.
pub(super) fn subsets(of: Cells<1>) -> impl Iterator<Item = Cells<1>> {
    let [all] = *of.words();
    let next = move |&subset: &u64| (subset != all).then(|| subset.wrapping_sub(all) & all);
    core::iter::successors(Some(0), next).map(|subset| Cells::from_words([subset]))
}
