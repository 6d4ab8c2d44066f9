//! Which steps are legal.

use super::stack::HEIGHT_MAX;
use super::tables::{Area, FORWARD, RAYS};
use super::{CELLS, CLAIMS_MAX, Colour, Lyngk, Piece, Stack, Step};
use crate::games::Player;
use crate::geometry::{Cell, CellSet};

/// All legal steps: claims, then moves by origin.
pub(super) fn all(game: &Lyngk) -> impl Iterator<Item = Step> {
    let survey = Survey::of(game);
    game.turn.into_iter().flat_map(move |player| {
        let claims = survey.claims(player).map(Step::Claim);
        let moves = survey.movable(player).flat_map(move |from| {
            survey.ends(player, from).iter().map(move |to| Step::Move { from, to })
        });
        claims.chain(moves)
    })
}

/// How many legal steps there are.
pub(super) fn count(game: &Lyngk) -> usize {
    let Some(player) = game.turn else { return 0 };
    let survey = Survey::of(game);
    let moves: usize = survey.movable(player).map(|from| survey.ends(player, from).len()).sum();
    // Any move at all keeps every claim legal (L7).
    let claims =
        if moves > 0 { survey.free_colours(player).count() } else { survey.claims(player).count() };
    claims + moves
}

/// Where a legal move can begin.
pub(super) fn origins(game: &Lyngk) -> CellSet {
    let Some(player) = game.turn else { return CellSet::EMPTY };
    let survey = Survey::of(game);
    survey.movable(player).filter(|&from| !survey.ends(player, from).is_empty()).collect()
}

/// Where a legal move from this cell can end.
pub(super) fn destinations(game: &Lyngk, origin: Cell) -> CellSet {
    let Some(player) = game.turn else { return CellSet::EMPTY };
    Survey::of(game).ends(player, origin).widen()
}

/// The board sorted into sets of cells; everything about steps is asked here.
#[derive(Clone, Copy)]
pub(super) struct Survey<'a> {
    game: &'a Lyngk,
    /// By height: all stacks up to it. Long enough for any three-bit height.
    at_most: [Area; 8],
    /// By colour: stacks with it on top.
    topped: [Area; Colour::COUNT],
    /// By colour: stacks with it inside.
    with: [Area; Colour::COUNT],
}

impl<'a> Survey<'a> {
    pub(super) fn of(game: &'a Lyngk) -> Survey<'a> {
        let mut survey = Survey {
            game,
            at_most: [Area::EMPTY; 8],
            topped: [Area::EMPTY; Colour::COUNT],
            with: [Area::EMPTY; Colour::COUNT],
        };
        // Plain loops: this is half of what a step costs on the chip.
        for (index, stack) in game.stacks.iter().enumerate() {
            if stack.is_empty() {
                continue;
            }
            let here = Area::of(Cell::new(index));
            survey.at_most[stack.height()] |= here;
            if let Some(Piece::Coloured(colour)) = stack.top() {
                survey.topped[colour.index()] |= here;
            }
            let mut colours = stack.colours();
            for with in &mut survey.with {
                if colours & 1 != 0 {
                    *with |= here;
                }
                colours >>= 1;
            }
        }
        for height in 1..survey.at_most.len() {
            survey.at_most[height] |= survey.at_most[height - 1];
        }
        survey
    }

    /// All cells with a stack.
    pub(super) fn occupied(&self) -> Area {
        self.at_most[HEIGHT_MAX as usize]
    }

    /// Whether a player, at the beginning of a turn, has a legal step (L25).
    pub(super) fn has_step(&self, player: Player) -> bool {
        self.has_move(player) || self.claims(player).next().is_some()
    }

    fn has_move(&self, player: Player) -> bool {
        self.movable(player).any(|from| !self.ends(player, from).is_empty())
    }

    /// L8: stacks with an own or a neutral colour on top.
    fn movable(&self, player: Player) -> impl Iterator<Item = Cell> + use<> {
        Colour::ALL
            .into_iter()
            .filter(|&colour| self.game.owner(colour).is_none_or(|owner| owner == player))
            .fold(Area::EMPTY, |movable, colour| movable | self.topped[colour.index()])
            .iter()
    }

    /// L5: the colours a player may claim now, if he then has a move.
    pub(super) fn free_colours(&self, player: Player) -> impl Iterator<Item = Colour> + use<'a> {
        let game = self.game;
        let allowed = !game.claimed && game.claims(player).count() < CLAIMS_MAX;
        Colour::ALL.into_iter().filter(move |&colour| allowed && game.owner(colour).is_none())
    }

    /// The colours a player can legally claim.
    pub(super) fn claims(self, player: Player) -> impl Iterator<Item = Colour> + use<'a> {
        let mut free = self.free_colours(player).peekable();
        let can_move = free.peek().is_some() && self.has_move(player);
        free.filter(move |&colour| can_move || self.opens_a_move(colour))
    }

    /// L7: whether the owner of this colour, once claimed, could move a stack it tops.
    fn opens_a_move(&self, colour: Colour) -> bool {
        self.topped[colour.index()].iter().any(|from| !self.ends_as(from, colour, true).is_empty())
    }

    /// Where a player can move the stack on this cell; nowhere if it is not his to move.
    fn ends(&self, player: Player, from: Cell) -> Area {
        let Some(Piece::Coloured(colour)) = self.game.stack(from).top() else {
            return Area::EMPTY;
        };
        match self.game.owner(colour) {
            Some(owner) if owner != player => Area::EMPTY,
            owner => self.ends_as(from, colour, owner.is_some()),
        }
    }

    /// Where the stack on this cell, topped by `colour`, can end, neutral or claimed by its mover.
    fn ends_as(&self, from: Cell, colour: Colour, claimed: bool) -> Area {
        let fitting = self.fitting(self.game.stack(from), claimed);
        if fitting.is_empty() {
            return Area::EMPTY;
        }
        let met = if claimed { self.met_by_linking(from, colour) } else { self.met(from) };
        (met & fitting) - Area::of(from)
    }

    /// L11 to L15: the stacks this one could end on if it met them.
    fn fitting(&self, stack: Stack, claimed: bool) -> Area {
        let room = self.game.variant.height_max().saturating_sub(stack.height());
        let height_max = if claimed { room } else { room.min(stack.height()) };
        Colour::ALL
            .into_iter()
            .filter(|&colour| stack.has(colour))
            .fold(self.at_most[height_max], |fitting, colour| fitting - self.with[colour.index()])
    }

    /// L10: the first stack on each line from this cell.
    pub(super) fn met(&self, from: Cell) -> Area {
        let Some(rays) = RAYS.get(from.index()) else { return Area::EMPTY };
        let (forward, back) = rays.split_at(FORWARD);
        let occupied = self.occupied();
        let ahead = forward.iter().filter_map(|&ray| (ray & occupied).lowest());
        let behind = back.iter().filter_map(|&ray| (ray & occupied).highest());
        ahead.chain(behind).collect()
    }

    /// L18: what a claimed stack meets, directly and over links of its own colour.
    ///
    /// The origin counts as occupied here although it is vacant while the stack moves (L22): what
    /// lies beyond it on a line is met from the origin itself. Reaching each link once is enough,
    /// so nothing is lost by L20.
    pub(super) fn met_by_linking(&self, from: Cell, colour: Colour) -> Area {
        let mut unused = self.topped[colour.index()];
        let (mut met, mut pending) = (Area::EMPTY, Area::of(from));
        while let Some(link) = pending.lowest() {
            unused.remove(link);
            pending.remove(link);
            let next = self.met(link);
            met |= next;
            pending |= next & unused;
        }
        met
    }
}

const _: () = assert!(CELLS <= 64, "an area is one word");
