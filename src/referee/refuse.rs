//! GIPF and YINSH: which rule does a picture break that nothing legal explains?
//!
//! The step that was most likely meant is built from what differs and put to `check`, which names
//! the lowest rule. Where no step comes near it, no rule is named.

use super::effect::{Effect, Effects, Notice, Refused, Why};
use super::picture::Picture;
use super::{QUIET_MS, Referee, SWEEP_MS, SWEEP_POINTS, chips, say, stacks};
use crate::games::any::{Position, Reason};
use crate::games::{Game, Rule, Table, gipf, yinsh};
use crate::geometry::{Cell, CellSet, Cells, GIPF, GIPF_DOTS};
use crate::magnet::{Sign, Strength};

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

impl Referee {
    pub(super) fn refuse(&mut self, now_ms: u32, effects: &mut Effects) {
        if self.refused.is_some() {
            return;
        }
        if self.record.position().turn().is_none() {
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
        let refused = match self.record.position() {
            Position::Dvonn(_) | Position::Lyngk(_) => {
                stacks::refuse(self.record.position(), &self.picture, &self.history)
            }
            Position::Glux(game) => {
                chips::refuse(game, &self.picture, self.told.map(|(spots, _)| spots))
            }
            position => refuse(position, &self.picture),
        };
        self.refused = Some(refused);
        self.prompted = None;
        say(effects, Effect::Refused(refused));
    }
}

/// Why this picture is nothing legal.
fn refuse(position: &Position, seen: &Picture) -> Refused {
    let expected = position.table();
    let change = Change::of(&expected, seen);
    let named = match position {
        Position::Gipf(game) => gipf(game, &change, seen),
        Position::Yinsh(game) => yinsh(game, &expected, &change, seen),
        _ => None,
    };
    named.unwrap_or(Refused { why: Why::Unexplained, cells: change.all })
}

/// The sign of the player to act.
fn own_sign(position: &impl Game) -> Option<Sign> {
    Some(if position.turn()?.index() == 0 { Sign::Plus } else { Sign::Minus })
}

fn gipf(game: &gipf::Gipf, change: &Change, seen: &Picture) -> Option<Refused> {
    let rule = |number| Rule { letter: 'G', number };
    let refused = |why, cells| Some(Refused { why, cells });
    let own = own_sign(game)?;
    let look = |cell| seen.table.at(cell);
    let of_the_other = |cell: &Cell| look(*cell).is_some_and(|(sign, _)| sign != own);
    // A piece of the other's colour beyond those that should be there was brought in.
    let count = |set: CellSet| set.len();
    let expected = game.table();
    let others = match own {
        Sign::Plus => count(seen.table.minus) > count(expected.minus),
        Sign::Minus => count(seen.table.plus) > count(expected.plus),
    };
    if others {
        let cells: CellSet = change.new.iter().filter(of_the_other).collect();
        let on_dot = !(cells & GIPF_DOTS.widen()).is_empty();
        let why = match game.turn() {
            Some(player) if !on_dot => Why::Turn(game.id(), player),
            _ => Why::WrongPiece(rule(9)),
        };
        return refused(why, cells);
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
                return refused(Why::Step(Reason::Gipf(broken.reason)), cells);
            }
        } else if change.gone.is_empty() {
            // From nowhere onto a spot: rows first, the wrong kind of piece, or no way in.
            let from = GIPF.playfield().directions().filter_map(|d| GIPF.next(cell, d));
            let mut entries = from.filter(|&from| GIPF_DOTS.contains(from));
            let broken = entries.find_map(|from| game.check(step(from, cell)).err());
            let why = match broken {
                Some(broken) => Why::Step(Reason::Gipf(broken.reason)),
                None => Why::Step(Reason::Gipf(gipf::Reason::NoWayIn)),
            };
            return refused(why, CellSet::of(cell));
        }
    }
    if change.new.is_empty() && !change.gone.is_empty() && change.all == change.gone {
        let (low, high) = (change.gone.lowest()?, change.gone.highest()?);
        let step = gipf::Step::Take { low, high, left: Cells::EMPTY };
        if let Err(broken) = game.check(step)
            && broken.reason != gipf::Reason::NoRow
        {
            return refused(Why::Step(Reason::Gipf(broken.reason)), broken.cells | change.gone);
        }
    }
    None
}

fn rule_number(reason: gipf::Reason) -> u8 {
    crate::games::Reason::rule(reason).number
}

fn yinsh(
    game: &yinsh::Yinsh,
    expected: &Table,
    change: &Change,
    seen: &Picture,
) -> Option<Refused> {
    let rule = |number| Rule { letter: 'Y', number };
    let refused = |why, cells| Some(Refused { why, cells });
    let own = own_sign(game)?;
    // A marker with the wrong face in a ring reads like a ring of the other.
    let turned = |cell: &Cell| match (expected.at(*cell), seen.table.at(*cell)) {
        (Some((before, Strength::Weak)), Some((now, Strength::Weak))) => before != now,
        _ => false,
    };
    let wrong_face: CellSet = change.all.iter().filter(turned).collect();
    if !wrong_face.is_empty() {
        return refused(Why::WrongPiece(rule(3)), wrong_face);
    }
    let rings_gone = (expected.weak & change.all) - seen.table.weak - seen.table.strong;
    let rings_new = (seen.table.weak & change.all) - expected.occupied();
    if let (Some(from), Some(to), 1) = (rings_gone.lowest(), rings_new.lowest(), rings_new.len()) {
        if let Err(broken) = game.check(yinsh::Step::MoveRing { from, to }) {
            let cells = broken.cells | CellSet::of(to);
            return refused(Why::Step(Reason::Yinsh(broken.reason)), cells);
        }
        // The move is legal; markers were turned, put or taken that it does not concern.
        let mut child = *game;
        child.play_unchecked(yinsh::Step::MoveRing { from, to });
        return refused(Why::WrongChange(rule(9)), seen.differs(&child.table()));
    }
    if let Some(at) = change.new.lowest().filter(|_| change.new.len() == 1) {
        let step = match seen.table.at(at)? {
            (sign, Strength::Weak) if sign == own => yinsh::Step::PlaceRing(at),
            (_, Strength::Weak) => {
                return refused(Why::Turn(game.id(), game.turn()?), change.new);
            }
            _ => {
                return refused(
                    Why::WrongPiece(rule(if is_placing(game) { 2 } else { 3 })),
                    change.new,
                );
            }
        };
        if let Err(broken) = game.check(step) {
            return refused(Why::Step(Reason::Yinsh(broken.reason)), change.new);
        }
    }
    let others_ring: CellSet = rings_gone
        .iter()
        .filter(|&ring| expected.at(ring).is_some_and(|(s, _)| s != own))
        .collect();
    if !others_ring.is_empty() {
        return refused(Why::Step(Reason::Yinsh(yinsh::Reason::NotOwnRing)), others_ring);
    }
    if change.all == change.gone && change.gone.len() > 5 && rings_gone.is_empty() {
        return refused(Why::WrongChange(rule(13)), change.gone);
    }
    None
}

fn is_placing(game: &yinsh::Yinsh) -> bool {
    matches!(game.steps().next(), Some(yinsh::Step::PlaceRing(_)))
}
