//! Which steps are legal.

use super::{Chip, Glux, Spots, Step};
use crate::games::Player;
use crate::geometry::{Cell, CellSet};

/// All legal steps: every square that can be reached with every face that is left.
pub(super) fn all(game: &Glux) -> impl Iterator<Item = Step> {
    game.turn.into_iter().flat_map(|player| {
        let faces = game.faces(player);
        let targets = game.targets(player).iter();
        targets.flat_map(move |cell| faces.clone().map(move |spots| Step { cell, spots }))
    })
}

/// A straight count from one of a player's chips, as many squares as it shows spots (X7).
#[derive(Clone, Copy)]
pub(super) struct Count {
    from: usize,
    stride: isize,
    spots: u8,
}

impl Count {
    /// The squares in between.
    pub(super) fn way(self) -> impl Iterator<Item = Cell> {
        (1..self.spots).map(move |squares| self.after(squares))
    }

    /// Where it ends.
    pub(super) fn end(self) -> Cell {
        self.after(self.spots)
    }

    fn after(self, squares: u8) -> Cell {
        Cell::new(self.from.wrapping_add_signed(self.stride * isize::from(squares)))
    }
}

impl Glux {
    /// X5: whether this player's start chip is still to be placed.
    pub fn is_setting_up(&self, player: Player) -> bool {
        self.upper(self.start(player)).is_none()
    }

    /// X3: where a player begins.
    pub fn start(&self, player: Player) -> Cell {
        self.plan().starts[player.index()]
    }

    /// X6: the faces of the chips a player has left.
    pub(super) fn faces(&self, player: Player) -> impl Iterator<Item = Spots> + Clone + use<> {
        let bag = self.bag(player);
        Spots::all().filter(move |spots| bag[spots.kind()] > 0)
    }

    /// The squares where a player may place a chip.
    pub(super) fn targets(&self, player: Player) -> CellSet {
        if self.is_setting_up(player) {
            return CellSet::of(self.start(player));
        }
        self.ends(player).collect()
    }

    /// X12: whether a player has a chip left and a square to place it.
    pub(super) fn has_step(&self, player: Player) -> bool {
        self.bag(player) != [0; Spots::KINDS]
            && (self.is_setting_up(player) || self.ends(player).next().is_some())
    }

    /// Where the counts of a player end that keep X7 to X10; a square may come more than once.
    fn ends(&self, player: Player) -> impl Iterator<Item = Cell> {
        self.counts(player)
            .filter(move |count| self.is_open(player, count.end()) && self.is_free(*count))
            .map(Count::end)
    }

    /// The squares that the uncovered chip on a square counts to over free ones (X7, X8).
    pub fn reach(&self, cell: Cell) -> CellSet {
        let player = self.upper(cell).map(Chip::player);
        let counts = player.into_iter().flat_map(|player| self.counts(player));
        let own = counts.filter(|&count| count.from == cell.index() && self.is_free(count));
        own.map(Count::end).collect()
    }

    /// X7, X8, X11: all counts of a player's uncovered chips that stay on the board.
    pub(super) fn counts(&self, player: Player) -> impl Iterator<Item = Count> {
        let plan = self.plan();
        let chips = self.upper.iter().zip(plan.to_edge).enumerate();
        chips
            .filter_map(|(from, (chip, to_edge))| Some((from, (*chip)?, to_edge)))
            .filter(move |(_, chip, _)| chip.player() == player)
            .flat_map(move |(from, chip, to_edge)| {
                let spots = chip.spots();
                let directions = plan.strides.iter().zip(to_edge);
                directions
                    .filter(move |&(_, &to_edge)| spots <= to_edge)
                    .map(move |(&stride, _)| Count { from, stride, spots })
            })
    }

    /// X8: whether no chip lies on the way.
    pub(super) fn is_free(&self, count: Count) -> bool {
        count.way().all(|cell| self.upper(cell).is_none())
    }

    /// X9, X10: whether a player may place a chip on this square, free or not.
    fn is_open(&self, player: Player, cell: Cell) -> bool {
        self.lower(cell).is_none() && !self.is_start_of_another(player, cell)
    }

    /// X10. The chip that lies alone on a start is always the start chip.
    pub(super) fn is_start_of_another(&self, player: Player, cell: Cell) -> bool {
        self.players().any(|other| other != player && self.start(other) == cell)
    }
}
