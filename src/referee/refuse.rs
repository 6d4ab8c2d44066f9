//! GIPF and YINSH: which rule does a picture break that nothing legal explains?
//!
//! The step that was most likely meant is built from what differs and put to `check`, which names
//! the lowest rule. Where no step comes near it, no rule is named.

use super::effect::{Effect, Effects, Notice, Refused, Why};
use super::landing::Scene;
use super::picture::Picture;
use super::reading::Todo;
use super::{Referee, SWEEP_MS, SWEEP_POINTS, chips, say, stacks, walk};
use crate::games::any::{Position, Reason};
use crate::games::slip::Slip;
use crate::games::{Game, Table, gipf, yinsh};
use crate::geometry::{Cell, CellSet, Cells, GIPF, GIPF_DOTS};
use crate::magnet::{Sign, Strength};
use crate::sense::Sense;

/// So many turned pieces are tried one by one: more are turned only by many slips at once.
const TURNED_MAX: usize = 3;

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
    /// What has to be turned over.
    pub(super) flip: CellSet,
    /// Where what was moved may go.
    pub(super) ends: CellSet,
    /// What differs but is right so, or comes right with the rest: taken off, left where something
    /// else came from, pushed on. It shows when nothing else is left.
    pub(super) hidden: CellSet,
}

impl From<Refused> for Refusal {
    fn from(said: Refused) -> Refusal {
        let none = CellSet::EMPTY;
        Refusal { said, wrong: none, put: none, flip: none, ends: none, hidden: none }
    }
}

impl Referee {
    /// Says why what lies there is nothing legal.
    pub(super) fn refuse(&mut self, sense: &Sense, effects: &mut Effects) {
        let is_mended = self.picture.agrees(&self.expected);
        if self.refused.is_some() && !is_mended || self.record.position().turn().is_none() {
            return;
        }
        if self.is_swept() {
            // No rule and no flood of red: the lights lead back.
            self.swept = true;
            let cells = self.picture.differs(&self.expected);
            self.refused = Some(Refused { why: Why::Unexplained, cells }.into());
            self.prompted = None;
            say(effects, Effect::Notice(Notice::Interrupted));
            self.tell_stack(effects);
            return;
        }
        let refusal = match self.record.position() {
            position @ (Position::Dvonn(_) | Position::Lyngk(_)) => {
                let (seen, history) = (&self.picture, &self.history);
                stacks::refuse(Scene { position, seen, history, sense })
            }
            Position::Glux(game) => {
                let (seen, history) = (&self.picture, &self.history);
                let strays = chips::strays(&self.record, seen, history, sense, self.called_wrong());
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

    /// Whether so much left the board in so short a time that somebody swept it.
    pub(super) fn is_swept(&self) -> bool {
        let gone = self.expected.occupied() - self.picture.occupied();
        gone.len() >= SWEEP_POINTS
            && self.history.lifted().len() >= SWEEP_POINTS
            && self.event_ms.wrapping_sub(self.sweep_ms) <= SWEEP_MS
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
            // A value told for what is taken back would be taken for that of the next chip.
            (self.prompted, self.told) = (None, None);
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
    if let Some(flip) = turned_over(game, change, seen) {
        return Some(Refusal { flip, ..slipped(Slip::OtherColourPushed, flip) });
    }
    // How many more there are of a colour than there should be.
    let expected = game.table();
    let of = |table: &Table, is_own| {
        if (own == Sign::Plus) == is_own { table.plus } else { table.minus }
    };
    let more = |is_own| {
        let [now, before] = [of(&seen.table, is_own), of(&expected, is_own) - seen.dead];
        now.len() as isize - before.len() as isize
    };
    let others = change.new & of(&seen.table, false);
    if more(false) > 0 && !others.is_empty() {
        let on_dot = !(others & GIPF_DOTS.widen()).is_empty();
        return Some(match game.turn() {
            Some(player) if !on_dot => refused(Why::Turn(game.id(), player), others),
            _ => slipped(Slip::OtherColourPushed, others),
        });
    }
    let dots = change.new & GIPF_DOTS.widen();
    if let Some(refusal) = dots.iter().find_map(|dot| no_way_in(game, dot, seen)) {
        return Some(refusal);
    }
    let without_dots = seen.with(dots, &expected);
    if !dots.is_empty() {
        // A push was made, and another piece lies on a dot.
        let is_pushed = walk::ways(game, &without_dots).is_begun;
        let refusal = Refusal { hidden: change.all - dots, ..slipped(Slip::LeftOnDot, dots) };
        return is_pushed.then_some(refusal);
    }
    if let Some(spot) = change.new.lowest().filter(|_| change.gone.is_empty()) {
        // From nowhere onto a spot: rows first, the wrong kind of piece, or no way in.
        let from = GIPF.playfield().directions().filter_map(|d| GIPF.next(spot, d));
        let mut entries = from.filter(|&from| GIPF_DOTS.contains(from));
        let broken = entries.find_map(|from| game.check(push(from, spot, seen)).err());
        let reason = broken.map_or(gipf::Reason::NoWayIn, |broken| broken.reason);
        return Some(refused(Why::Step(Reason::Gipf(reason)), CellSet::of(spot)));
    }
    if more(true) == 1 && more(false) == 0 && is_on_one_line(change.all) {
        return Some(slipped(Slip::RunNotMoved, change.all));
    }
    if change.all == change.gone { gipf_taken(game, change.gone) } else { None }
}

/// The push of what lies on a cell.
fn push(from: Cell, to: Cell, seen: &Picture) -> gipf::Step {
    let strong = seen.table.strong.contains(from) || seen.table.strong.contains(to);
    gipf::Step::Push {
        from,
        to,
        piece: if strong { gipf::Piece::Gipf } else { gipf::Piece::Basic },
    }
}

/// Why a piece cannot come in from this dot, or has come out there: the lowest rule that a push
/// from it breaks.
fn no_way_in(game: &gipf::Gipf, dot: Cell, seen: &Picture) -> Option<Refusal> {
    let next = GIPF.playfield().directions().filter_map(|d| GIPF.next(dot, d));
    let spots = next.filter(|&to| !GIPF_DOTS.contains(to));
    let tried = spots.map(|to| game.check(push(dot, to, seen)).err());
    let broken = tried.flatten().min_by_key(|r| rule_number(r.reason))?;
    let why = Why::Step(Reason::Gipf(broken.reason));
    Some(Refusal { hidden: broken.cells, ..refused(why, broken.cells | CellSet::of(dot)) })
}

/// Whether these lie on one line of the board.
fn is_on_one_line(cells: CellSet) -> bool {
    let rays = GIPF_DOTS.iter().flat_map(|dot| {
        let directions = GIPF.playfield().directions();
        directions.map(move |direction| GIPF.ray(dot, direction).collect::<CellSet>())
    });
    { rays }.any(|line| (cells - line).is_empty())
}

/// What was turned over, where that alone keeps the picture from being on its way.
fn turned_over<G: walk::Walker>(game: &G, change: &Change, seen: &Picture) -> Option<CellSet> {
    let (expected, now) = (game.table(), &seen.table);
    let other_strength = (expected.weak | now.weak) | (expected.strong ^ now.strong);
    let turned = (change.all & Todo::turned(&expected, now)) - other_strength;
    if change.all == turned {
        return Some(turned);
    }
    let is_it = |cells: &CellSet| {
        let ways = walk::ways(game, &seen.with(*cells, &expected));
        // On the first spot it is a piece of the wrong colour.
        ways.is_begun && (ways.ends & *cells).is_empty()
    };
    turned.iter().take(TURNED_MAX).map(CellSet::of).find(is_it)
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
    if let Some(flip) = turned_over(game, change, seen) {
        return Some(Refusal { flip, ..slipped(Slip::WronglyTurned, flip) });
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
    let after = child.table();
    let moved = game.table().differs(&after);
    let wrong = seen.differs(&after) - (walk::due(&child) - seen.occupied());
    let turned = wrong & Todo::turned(&after, &seen.table);
    let strays = wrong & (seen.occupied() - after.occupied());
    let from = CellSet::of(from);
    let said = match (strays.is_empty(), turned.is_empty()) {
        (false, _) => slipped(Slip::MarkerOutsideRing, strays),
        (_, false) => slipped(Slip::WronglyTurned, turned),
        _ => slipped(Slip::WronglyTurned, wrong),
    };
    let (put, flip) = ((wrong & from) - seen.occupied(), turned - (moved - from));
    Refusal { put, flip, hidden: moved, ..said }
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
