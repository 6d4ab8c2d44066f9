//! From any wrong state of the pieces to the right one.
//!
//! What stands rightly from the bottom up stays. Everything else goes straight to where it is
//! missing if it fits there as it is, and beside the board if not; what is then missing is brought.

use lodestone::geometry::Cell;

use super::acts::{Act, Part};
use super::layout::{Layout, Pile, Thing};

/// The acts that make one layout out of another, each possible after those before it.
pub fn restore(now: &Layout, goal: &Layout) -> Vec<Act> {
    let mut mending = Mending { now: now.clone(), goal, acts: Vec::new() };
    for cell in (0..goal.len()).map(Cell::new) {
        mending.clear_ring(cell);
        mending.clear_discs(cell);
    }
    for cell in (0..goal.len()).map(Cell::new) {
        mending.fill(cell);
    }
    mending.acts
}

/// The layout as the acts so far leave it.
struct Mending<'a> {
    now: Layout,
    goal: &'a Layout,
    acts: Vec<Act>,
}

impl Mending<'_> {
    /// Takes a ring away that should not be there, to a cell that lacks it if there is one.
    fn clear_ring(&mut self, from: Cell) {
        let Some(ring) = self.now[from.index()].ring else { return };
        if self.goal[from.index()].ring == Some(ring) {
            return;
        }
        self.now[from.index()].ring = None;
        let lacks = |(now, goal): (&Pile<Thing>, &Pile<Thing>)| {
            now.ring.is_none() && goal.ring == Some(ring)
        };
        match self.now.iter().zip(self.goal).position(lacks) {
            Some(index) => {
                let to = Cell::new(index);
                self.now[index].ring = Some(ring);
                self.acts.push(Act::Carry {
                    from,
                    part: Part::Ring,
                    via: Vec::new(),
                    to,
                    slides: false,
                });
            }
            None => self.acts.push(Act::TakeOff { from, part: Part::Ring }),
        }
    }

    /// Takes away what stands above the part of a pile that is right: all of it at once to a cell
    /// that lacks just that, else piece by piece.
    fn clear_discs(&mut self, from: Cell) {
        let right = right_discs(&self.now[from.index()], &self.goal[from.index()]);
        let mut count = self.now[from.index()].discs.len() - right;
        while self.now[from.index()].discs.len() > right {
            let height = self.now[from.index()].discs.len();
            let moved = self.now[from.index()].discs.split_off(height - count);
            let part = Part::Top(count);
            if let Some(to) = self.lacking(&moved) {
                self.now[to.index()].discs.extend(moved);
                self.acts.push(Act::Carry { from, part, via: Vec::new(), to, slides: false });
            } else if count == 1 {
                self.acts.push(Act::TakeOff { from, part });
            } else {
                self.now[from.index()].discs.extend(moved);
                count = 1;
            }
        }
    }

    /// A cell that lacks just these pieces on top of what is right there.
    fn lacking(&self, moved: &[Thing]) -> Option<Cell> {
        let lacks = |(now, goal): (&Pile<Thing>, &Pile<Thing>)| {
            let rest = goal.discs.strip_prefix(&now.discs[..]);
            rest.is_some_and(|rest| rest.starts_with(moved))
        };
        self.now.iter().zip(self.goal).position(lacks).map(Cell::new)
    }

    /// Turns over and brings what a cell still lacks.
    fn fill(&mut self, to: Cell) {
        let (now, goal) = (&self.now[to.index()], &self.goal[to.index()]);
        if now.discs.last().is_some_and(|top| *top != goal.discs[now.discs.len() - 1]) {
            self.acts.push(Act::TurnOver(to));
        }
        let missing = goal.discs[now.discs.len()..].iter();
        let ring = goal.ring.iter().filter(|_| now.ring.is_none());
        self.acts.extend(missing.chain(ring).map(|&thing| Act::Bring { thing, to }));
    }
}

/// How many discs from the bottom up are right. The topmost of all may lie the wrong way up: it
/// can be turned over where it is.
fn right_discs(now: &Pile<Thing>, goal: &Pile<Thing>) -> usize {
    let top = now.discs.len().wrapping_sub(1);
    let pairs = now.discs.iter().zip(&goal.discs).enumerate();
    let is_right = |&(level, (is, should)): &(usize, (&Thing, &Thing))| {
        is == should || level == top && is.is_like(should)
    };
    pairs.take_while(is_right).count()
}
