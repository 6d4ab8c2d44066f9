//! What a position looks like to magnets: the link between rules and sensors.
//!
//! A sensor tells a sign (which pole is up) and a strength, nothing else. A [`Table`] says which of
//! these every cell should show; all of it is sets, so comparing two is a handful of word
//! operations. Colours and heights that magnets do not show are not in it.

use crate::geometry::{Cell, CellSet};
use crate::magnet::{Sign, Strength};

/// What lies on every cell, as far as magnets show it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Table {
    /// Occupied with north up.
    pub plus: CellSet,
    /// Occupied with south up.
    pub minus: CellSet,
    /// Of these, the weak ones.
    pub weak: CellSet,
    /// Of these, the strong ones.
    pub strong: CellSet,
    /// Of these, the ones whose strength says nothing: stacks of unknown make.
    pub any_strength: CellSet,
}

impl Table {
    /// All occupied cells.
    #[inline]
    pub fn occupied(&self) -> CellSet {
        self.plus | self.minus
    }

    /// The cells on which `seen` is not what this table says.
    #[inline]
    pub fn differs(&self, seen: &Table) -> CellSet {
        let strength = ((self.weak ^ seen.weak) | (self.strong ^ seen.strong)) - self.any_strength;
        (self.plus ^ seen.plus) | (self.minus ^ seen.minus) | strength
    }

    /// What lies on one cell; `None` when nothing does.
    pub fn at(&self, cell: Cell) -> Option<(Sign, Strength)> {
        let sign = match (self.plus.contains(cell), self.minus.contains(cell)) {
            (true, _) => Sign::Plus,
            (_, true) => Sign::Minus,
            _ => return None,
        };
        let strength = match (self.weak.contains(cell), self.strong.contains(cell)) {
            (true, _) => Strength::Weak,
            (_, true) => Strength::Strong,
            _ => Strength::Single,
        };
        Some((sign, strength))
    }

    /// Takes away what lies on a cell.
    pub fn clear(&mut self, cell: Cell) {
        let Table { plus, minus, weak, strong, any_strength } = self;
        for set in [plus, minus, weak, strong, any_strength] {
            set.remove(cell);
        }
    }

    /// Puts something on a cell where nothing lies.
    pub fn put(&mut self, cell: Cell, sign: Sign, strength: Strength) {
        match sign {
            Sign::Plus => self.plus.insert(cell),
            Sign::Minus => self.minus.insert(cell),
        }
        match strength {
            Strength::Weak => self.weak.insert(cell),
            Strength::Single => {}
            Strength::Strong => self.strong.insert(cell),
        }
    }
}
