//! GIPF and YINSH: which rule does a picture break that nothing legal explains?
//!
//! The step that was most likely meant is built from what differs and put to `check`, which names
//! the lowest rule. Where no step comes near it, no rule is named.

use super::effect::{Effect, Effects, Notice, Refused, Why};
use super::landing::Scene;
use super::picture::Picture;
use super::{QUIET_MS, Referee, SWEEP_MS, SWEEP_POINTS, chips, say, stacks, walk};
use crate::games::any::{Position, Reason};
use crate::games::slip::Slip;
use crate::games::{Game, Table, gipf, yinsh};
use crate::geometry::{Cell, CellSet, Cells, GIPF, GIPF_DOTS};
use crate::magnet::{Sign, Strength};
use crate::sense::Sense;

/// What is seen against what is expected.
struct Change {
    all: CellSet,
    /// Occupied, and should be empty.
    new: CellSet,
    /// Empty, and should be occupied.
    gone: CellSet,
}

impl Change {
    fn of(expected: &Table, seen: &Picture) -> Change {
        let all = seen.differs(expected);
        let (occupied, should_be) = (seen.occupied(), expected.occupied());
        Change { all, new: all & (occupied - should_be), gone: all & (should_be - occupied) }
    }
}

/// A refusal, and what the lights show of it beside what differs.
#[derive(Clone, Copy)]
pub(super) struct Refusal {
    /// What is said.
    pub(super) said: Refused,
    /// What does not belong there, though no class shows it.
    pub(super) wrong: CellSet,
    /// Where a part of it has to come back, though no class shows it.
    pub(super) put: CellSet,
    /// Where what was moved may go.
    pub(super) ends: CellSet,
    /// What differs but is right so: taken off, or left where something else came from.
    pub(super) hidden: CellSet,
}

impl From<Refused> for Refusal {
    fn from(said: Refused) -> Refusal {
        let none = CellSet::EMPTY;
        Refusal { said, wrong: none, put: none, ends: none, hidden: none }
    }
}

impl Referee {
    /// Says why what lies there is nothing legal.
    pub(super) fn refuse(&mut self, now_ms: u32, sense: &Sense, effects: &mut Effects) {
        let is_mended = self.picture.agrees(&self.expected);
        if self.refused.is_some() && !is_mended || self.record.position().turn().is_none() {
            return;
        }
        let lifts = self.history.lifted().len();
        let gone = self.expected.occupied() - self.picture.occupied();
        if gone.len() >= SWEEP_POINTS && lifts >= SWEEP_POINTS {
            let fast = now_ms.wrapping_sub(self.sweep_ms) <= SWEEP_MS + QUIET_MS;
            self.swept = fast;
            if fast {
                say(effects, Effect::Notice(Notice::Interrupted));
            }
        }
        let refusal = match self.record.position() {
            position @ (Position::Dvonn(_) | Position::Lyngk(_)) => {
                let (seen, history) = (&self.picture, &self.history);
                stacks::refuse(Scene { position, seen, history, sense })
            }
            Position::Glux(game) => {
                let strays = chips::strays(&self.record, &self.picture, &self.history, sense);
                chips::refuse(game, &self.picture, strays, self.told.map(|(spots, _)| spots))
            }
            position => refuse(position, &self.picture),
        };
        if is_mended && refusal.wrong.is_empty() {
            return self.back_in_play(effects);
        }
        self.refuse_by(refusal, effects);
        self.tell_stack(effects);
    }

    /// Says why, once; anew when all that was said is mended and something is wrong that no class
    /// shows.
    pub(super) fn refuse_by(&mut self, refusal: Refusal, effects: &mut Effects) {
        let is_other = |old: &Refusal| (old.wrong & refusal.wrong).is_empty();
        if self.picture.agrees(&self.expected) && self.refused.as_ref().is_some_and(is_other) {
            self.back_in_play(effects);
        }
        if self.refused.is_none() {
            self.refused = Some(refusal);
            self.prompted = None;
            say(effects, Effect::Refused(refusal.said));
        }
    }
}

/// Why this picture is nothing legal.
fn refuse(position: &Position, seen: &Picture) -> Refusal {
    let expected = position.table();
    let change = Change::of(&expected, seen);
    let named = match position {
        Position::Gipf(game) => gipf(game, &change, seen),
        Position::Yinsh(game) => yinsh(game, &expected, &change, seen),
        _ => None,
    };
    named.unwrap_or(Refused { why: Why::Unexplained, cells: change.all }.into())
}

/// The sign of the player to act.
pub(super) fn own_sign(position: &impl Game) -> Option<Sign> {
    Some(if position.turn()?.index() == 0 { Sign::Plus } else { Sign::Minus })
}

fn refused(why: Why, cells: CellSet) -> Refusal {
    Refused { why, cells }.into()
}

fn slipped(slip: Slip, cells: CellSet) -> Refusal {
    refused(Why::Step(Reason::Slip(slip)), cells)
}

fn gipf(game: &gipf::Gipf, change: &Change, seen: &Picture) -> Option<Refusal> {
    let own = own_sign(game)?;
    let look = |cell| seen.table.at(cell);
    let of_the_other = |cell: &Cell| look(*cell).is_some_and(|(sign, _)| sign != own);
    // A piece of the other's colour beyond those that should be there was brought in.
    let expected = game.table();
    let others = match own {
        Sign::Plus => seen.table.minus.len() > expected.minus.len(),
        Sign::Minus => seen.table.plus.len() > expected.plus.len(),
    };
    if others {
        let cells: CellSet = change.new.iter().filter(of_the_other).collect();
        let on_dot = !(cells & GIPF_DOTS.widen()).is_empty();
        return Some(match game.turn() {
            Some(player) if !on_dot => refused(Why::Turn(game.id(), player), cells),
            _ => slipped(Slip::OtherColourPushed, cells),
        });
    }
    for cell in change.new {
        let Some((_, strength)) = look(cell) else { continue };
        let piece =
            if strength == Strength::Strong { gipf::Piece::Gipf } else { gipf::Piece::Basic };
        let step = |from, to| gipf::Step::Push { from, to, piece };
        if GIPF_DOTS.contains(cell) {
            let next = GIPF.playfield().directions().filter_map(|d| GIPF.next(cell, d));
            let spots = next.filter(|&to| !GIPF_DOTS.contains(to));
            let tried = spots.map(|to| game.check(step(cell, to)).err());
            let broken = tried.flatten().min_by_key(|r| rule_number(r.reason));
            if let Some(broken) = broken {
                let cells = broken.cells | CellSet::of(cell);
                return Some(refused(Why::Step(Reason::Gipf(broken.reason)), cells));
            }
        } else if change.gone.is_empty() {
            // From nowhere onto a spot: rows first, the wrong kind of piece, or no way in.
            let from = GIPF.playfield().directions().filter_map(|d| GIPF.next(cell, d));
            let mut entries = from.filter(|&from| GIPF_DOTS.contains(from));
            let broken = entries.find_map(|from| game.check(step(from, cell)).err());
            let reason = broken.map_or(gipf::Reason::NoWayIn, |broken| broken.reason);
            return Some(refused(Why::Step(Reason::Gipf(reason)), CellSet::of(cell)));
        }
    }
    if change.all == change.gone { gipf_taken(game, change.gone) } else { None }
}

/// Pieces were taken off, and nothing else.
fn gipf_taken(game: &gipf::Gipf, gone: CellSet) -> Option<Refusal> {
    let due = walk::due(game);
    let beside = gone - due;
    if !(gone & due).is_empty() && !beside.is_empty() {
        let why = Why::Step(Reason::Gipf(gipf::Reason::NotTheRun));
        return Some(Refusal { hidden: due, ..refused(why, beside) });
    }
    let step = gipf::Step::Take { low: gone.lowest()?, high: gone.highest()?, left: Cells::EMPTY };
    let broken = game.check(step).err().filter(|b| b.reason != gipf::Reason::NoRow)?;
    Some(refused(Why::Step(Reason::Gipf(broken.reason)), broken.cells | gone))
}

fn rule_number(reason: gipf::Reason) -> u8 {
    crate::games::Reason::rule(reason).number
}

fn yinsh(
    game: &yinsh::Yinsh,
    expected: &Table,
    change: &Change,
    seen: &Picture,
) -> Option<Refusal> {
    let own = own_sign(game)?;
    // A marker with the wrong face in a ring reads like a ring of the other.
    let turned = |cell: &Cell| match (expected.at(*cell), seen.table.at(*cell)) {
        (Some((before, Strength::Weak)), Some((now, Strength::Weak))) => before != now,
        _ => false,
    };
    let wrong_face: CellSet = change.all.iter().filter(turned).collect();
    if !wrong_face.is_empty() {
        return Some(slipped(Slip::MarkerWrongWayUp, wrong_face));
    }
    let rings_gone = (expected.weak & change.all) - seen.table.weak - seen.table.strong;
    let rings_new = (seen.table.weak & change.all) - expected.occupied();
    if let (Some(from), Some(to), 1) = (rings_gone.lowest(), rings_new.lowest(), rings_new.len()) {
        return Some(ring_moved(game, from, to, seen));
    }
    if let Some(at) = change.new.lowest().filter(|_| change.new.len() == 1) {
        let step = match seen.table.at(at)? {
            (sign, Strength::Weak) if sign == own => yinsh::Step::PlaceRing(at),
            (_, Strength::Weak) => {
                return Some(refused(Why::Turn(game.id(), game.turn()?), change.new));
            }
            _ if is_placing(game) => return Some(slipped(Slip::NotARing, change.new)),
            _ => return Some(slipped(Slip::MarkerOutsideRing, change.new)),
        };
        if let Err(broken) = game.check(step) {
            return Some(refused(Why::Step(Reason::Yinsh(broken.reason)), change.new));
        }
    }
    let of_the_other = |ring: &Cell| expected.at(*ring).is_some_and(|(sign, _)| sign != own);
    let others_ring: CellSet = rings_gone.iter().filter(of_the_other).collect();
    if !others_ring.is_empty() {
        return Some(refused(Why::Step(Reason::Yinsh(yinsh::Reason::NotOwnRing)), others_ring));
    }
    if change.all == change.gone { more_than_five(game, change.gone) } else { None }
}

/// A ring was moved in a way that is not legal, or more was changed than the move changes.
fn ring_moved(game: &yinsh::Yinsh, from: Cell, to: Cell, seen: &Picture) -> Refusal {
    let step = yinsh::Step::MoveRing { from, to };
    if let Err(broken) = game.check(step) {
        let why = Why::Step(Reason::Yinsh(broken.reason));
        let ends =
            if walk::due(game).is_empty() { game.destinations(from) } else { CellSet::EMPTY };
        let hidden = CellSet::of(from);
        return Refusal { ends, hidden, ..refused(why, broken.cells | CellSet::of(to)) };
    }
    // The move is legal; markers were turned, put or taken that it does not concern.
    let mut child = *game;
    child.play_unchecked(step);
    slipped(Slip::WronglyTurned, seen.differs(&child.table()))
}

/// Six or more markers of a run were taken: those that are too many at either end.
fn more_than_five(game: &yinsh::Yinsh, gone: CellSet) -> Option<Refusal> {
    let before = game.table().occupied();
    let left_over = game.steps().filter_map(|step| {
        let mut child = *game;
        child.play_unchecked(step);
        let five = before - child.table().occupied();
        let is_row = matches!(step, yinsh::Step::TakeRow { .. });
        (is_row && (five - gone).is_empty()).then_some(gone - five)
    });
    let in_a_run = (gone - walk::due(game)).is_empty();
    let ends = left_over.reduce(|all, ends| all | ends).filter(|e| in_a_run && !e.is_empty())?;
    Some(Refusal { hidden: gone - ends, ..slipped(Slip::MoreThanFive, ends) })
}

fn is_placing(game: &yinsh::Yinsh) -> bool {
    matches!(game.steps().next(), Some(yinsh::Step::PlaceRing(_)))
}
