//! What a position looks like to magnets: the link between rules and sensors.
//!
//! A sensor tells a sign (which pole is up) and a strength, nothing else. [`Table`] says which of
//! these every cell of a position should show; comparing two tables is a handful of word
//! operations, because all of it is sets.

use crate::geometry::{Cell, CellSet};

/// Which pole is up: north is `Plus`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sign {
    /// North up: white in YINSH and GIPF, everything in DVONN and LYNGK, low faces in GLÜX.
    Plus,
    /// South up: black in YINSH and GIPF, high faces in GLÜX.
    Minus,
}

/// How strong the field is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Strength {
    /// A ring alone.
    Weak,
    /// A single piece, marker or chip.
    Single,
    /// A GIPF-piece, a red piece, a joker, or a marker inside a ring.
    Strong,
}

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
    /// Stacks of more than one piece, whose strength says nothing.
    pub stacks: CellSet,
}

impl Table {
    /// All occupied cells.
    pub fn occupied(&self) -> CellSet {
        self.plus | self.minus
    }

    /// The cells on which `seen` is not what this table says.
    pub fn differs(&self, seen: &Table) -> CellSet {
        let strength = ((self.weak ^ seen.weak) | (self.strong ^ seen.strong)) - self.stacks;
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

    /// Puts something on a cell, or clears it.
    pub fn set(&mut self, cell: Cell, look: Option<(Sign, Strength)>) {
        for set in [&mut self.plus, &mut self.minus, &mut self.weak, &mut self.strong] {
            set.remove(cell);
        }
        self.stacks.remove(cell);
        let Some((sign, strength)) = look else { return };
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
