//! Why a step is not legal.
//!
//! After the end nobody is to act: then the rules about the stacks themselves still come first, as
//! if the owner of the stack wanted to move it, and last the rule that ended the game.

use super::steps::Survey;
use super::tables::RAYS;
use super::{CELLS, CLAIMS_MAX, Colour, Lyngk, Piece, Step, Variant};
use crate::games::{self, Refusal, Rule};
use crate::geometry::{Cell, CellSet};

/// Why a step is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// L3: a joker alone.
    LoneJoker,
    /// L5: the colour has an owner.
    ColourTaken,
    /// L5: the second claim in a turn.
    SecondClaimInTurn,
    /// L5: the third claim in the game.
    ThirdClaim,
    /// L7: no move would follow the claim.
    NoMoveAfterClaim,
    /// L8: nothing stands there.
    NoStack,
    /// L8: the stack belongs to the other player.
    NotHisStack,
    /// L10: the move would end on a vacant point.
    VacantEnd,
    /// L10: the end is not the first stack on a line, nor reached by links.
    NotMet,
    /// L11: more than five pieces.
    OverFive,
    /// L12: a colour twice.
    ColourTwice,
    /// L13: a neutral single piece on a higher stack.
    SingleOnHigher,
    /// L14: a neutral stack on a higher one.
    StackOnHigher,
    /// L26: the game ended because nobody had a step.
    NobodyHasAStep,
    /// L27: more than six pieces.
    OverSix,
    /// L29: the game was won by a stack of six.
    WonBySix,
}

impl games::Reason for Reason {
    fn rule(self) -> Rule {
        Rule { letter: 'L', number: self.entry().0 }
    }

    fn text(self) -> &'static str {
        self.entry().1
    }
}

impl Reason {
    /// Rule number and text.
    const fn entry(self) -> (u8, &'static str) {
        match self {
            Reason::LoneJoker => (3, "a joker alone cannot be moved"),
            Reason::ColourTaken => (5, "this colour has been claimed already"),
            Reason::SecondClaimInTurn => (5, "only one claim in a turn; a move must follow"),
            Reason::ThirdClaim => (5, "a player claims at most two colours"),
            Reason::NoMoveAfterClaim => (7, "after this claim there would be no move"),
            Reason::NoStack => (8, "there is no stack to move"),
            Reason::NotHisStack => (8, "the top colour belongs to the other player"),
            Reason::VacantEnd => (10, "a move never ends on a vacant point"),
            Reason::NotMet => (10, "a stack ends on the first stack it meets on a line"),
            Reason::OverFive => (11, "a stack has at most five pieces"),
            Reason::ColourTwice => (12, "no colour may occur twice in a stack"),
            Reason::SingleOnHigher => (13, "a neutral single piece ends only on a single piece"),
            Reason::StackOnHigher => (14, "a neutral stack never ends on a higher one"),
            Reason::NobodyHasAStep => (26, "the game is over: nobody has a legal step"),
            Reason::OverSix => (27, "a stack has at most six pieces"),
            Reason::WonBySix => (29, "the game is over: a stack of six has won"),
        }
    }
}

pub(super) fn check(game: &Lyngk, step: Step) -> Result<(), Refusal<Reason>> {
    match step {
        Step::Claim(colour) => check_claim(game, colour),
        Step::Move { from, to } => check_move(game, from, to),
    }
}

fn check_claim(game: &Lyngk, colour: Colour) -> Result<(), Refusal<Reason>> {
    let full = |player| game.claims(player).count() == CLAIMS_MAX;
    let leads_nowhere = |player| !Survey::of(game).claims(player).any(|legal| legal == colour);
    let nothing = CellSet::EMPTY;
    first_broken(&[
        (game.owner(colour).is_some(), Reason::ColourTaken, nothing),
        (game.claimed, Reason::SecondClaimInTurn, nothing),
        (game.turn.is_some_and(full), Reason::ThirdClaim, nothing),
        // What the rules before it leave is refused only for want of a move.
        (game.turn.is_some_and(leads_nowhere), Reason::NoMoveAfterClaim, nothing),
        (over_without_steps(game), Reason::NobodyHasAStep, nothing),
        (won_by_six(game), Reason::WonBySix, nothing),
    ])
}

fn check_move(game: &Lyngk, from: Cell, to: Cell) -> Result<(), Refusal<Reason>> {
    let (stack, below) = (game.stack(from), game.stack(to));
    let (origin, end) = (shown(from), shown(to));
    let colour = match stack.top() {
        None => return Err(Refusal::new(Reason::NoStack, origin)),
        Some(Piece::Joker) => return Err(Refusal::new(Reason::LoneJoker, origin)),
        Some(Piece::Coloured(colour)) => colour,
    };
    let owner = game.owner(colour);
    let his = owner.is_none() || game.turn.is_none() || owner == game.turn;
    let survey = Survey::of(game);
    let met = if owner.is_some() { survey.met_by_linking(from, colour) } else { survey.met(from) };
    let met: CellSet = met.widen();
    let meets = from != to && met.contains(to);
    let too_high = stack.height() + below.height() > game.variant.height_max();
    let six = game.variant == Variant::Six;
    let lower = owner.is_none() && stack.height() < below.height();
    let single = stack.height() == 1;
    first_broken(&[
        (!his, Reason::NotHisStack, origin),
        (below.is_empty(), Reason::VacantEnd, end),
        (!meets, Reason::NotMet, in_the_way(&survey, from, to)),
        (too_high && !six, Reason::OverFive, origin | end),
        (stack.shares_colour(below), Reason::ColourTwice, origin | end),
        (lower && single, Reason::SingleOnHigher, end),
        (lower && !single, Reason::StackOnHigher, end),
        (over_without_steps(game), Reason::NobodyHasAStep, CellSet::EMPTY),
        (too_high && six, Reason::OverSix, origin | end),
        (won_by_six(game), Reason::WonBySix, CellSet::EMPTY),
    ])
}

/// The rules stand in the order of their numbers, so the first broken one is the one to name.
fn first_broken(rules: &[(bool, Reason, CellSet)]) -> Result<(), Refusal<Reason>> {
    match rules.iter().find(|(broken, ..)| *broken) {
        Some(&(_, reason, cells)) => Err(Refusal::new(reason, cells)),
        None => Ok(()),
    }
}

fn over_without_steps(game: &Lyngk) -> bool {
    game.turn.is_none() && !won_by_six(game)
}

fn won_by_six(game: &Lyngk) -> bool {
    game.turn.is_none() && game.variant == Variant::Six && game.won != [0; 2]
}

/// Just this cell, if the board has it.
fn shown(cell: Cell) -> CellSet {
    if cell.index() < CELLS { CellSet::of(cell) } else { CellSet::EMPTY }
}

/// The stacks between two cells of a line.
fn in_the_way(survey: &Survey, from: Cell, to: Cell) -> CellSet {
    let (Some(rays), Some(beyond)) = (RAYS.get(from.index()), RAYS.get(to.index())) else {
        return CellSet::EMPTY;
    };
    let Some(direction) = rays.iter().position(|ray| ray.contains(to)) else {
        return CellSet::EMPTY;
    };
    let between = rays[direction] - beyond[direction];
    (between & survey.occupied()).widen() - CellSet::of(to)
}
