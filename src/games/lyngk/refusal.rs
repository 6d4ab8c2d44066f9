//! Why a step is not legal.
//!
//! After the end nobody is to act: then the rules about the stacks themselves still come first, as
//! if the owner of the stack wanted to move it, and last the rule that ended the game.

use super::steps::Survey;
use super::tables::RAYS;
use super::{CELLS, CLAIMS_MAX, Colour, Lyngk, Piece, Step, Variant};
use crate::games::Refusal;
use crate::geometry::{Cell, CellSet};

reasons! {
    /// Why a step is not legal.
    pub enum Reason {
        /// L3: a joker alone.
        LoneJoker = 'L' 3,
        /// L5: the colour has an owner.
        ColourTaken = 'L' 5,
        /// L5: the second claim in a turn.
        SecondClaimInTurn = 'L' 5,
        /// L5: the third claim in the game.
        ThirdClaim = 'L' 5,
        /// L7: no move would follow the claim.
        NoMoveAfterClaim = 'L' 7,
        /// L8: nothing stands there.
        NoStack = 'L' 8,
        /// L8: the stack belongs to the other player.
        NotHisStack = 'L' 8,
        /// L10: the move would end on a vacant point.
        VacantEnd = 'L' 10,
        /// L10: the end is not the first stack on a line, nor reached by links.
        NotMet = 'L' 10,
        /// L11: more than five pieces.
        OverFive = 'L' 11,
        /// L12: a colour twice.
        ColourTwice = 'L' 12,
        /// L13: a neutral single piece on a higher stack.
        SingleOnHigher = 'L' 13,
        /// L14: a neutral stack on a higher one.
        StackOnHigher = 'L' 14,
        /// L26: the game ended because nobody had a step.
        NobodyHasAStep = 'L' 26,
        /// L27: more than six pieces.
        OverSix = 'L' 27,
        /// L29: the game was won by a stack of six.
        WonBySix = 'L' 29,
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
