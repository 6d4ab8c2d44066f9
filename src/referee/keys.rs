//! What keys do: values, claims, answers, OK and UNDO.

use super::effect::{Ask, Effect, Effects, Refused, Why};
use super::landing::Scene;
use super::picture::Event;
use super::reading::{self, Explained, Rank};
use super::record::{Part, part};
use super::{
    ANSWER_MS, CLAIM_GUARD_MS, Phase, Referee, SETTLE_RANGE_MS, chips, lights, say, stacks,
};
use crate::games::any::{Position, Reason, Step};
use crate::games::glux::{self, Spots};
use crate::games::{Game, lyngk};
use crate::geometry::{Cell, CellSet};
use crate::sense::{Profile, Sense};

impl Referee {
    /// The number keys that mean something now, a bit for each, K1 the lowest: for their lamps.
    pub fn live_keys(&self, now_ms: u32) -> u8 {
        let bit = |number: usize| 1 << number;
        if self.is_answered_by_number() {
            return (0..self.candidates().len()).map(bit).sum();
        }
        match self.record.position() {
            _ if self.phase != Phase::Play => 0,
            Position::Lyngk(_) if now_ms.wrapping_sub(self.commit_ms) < CLAIM_GUARD_MS => 0,
            Position::Lyngk(game) => {
                let claim = |step| match step {
                    lyngk::Step::Claim(colour) => Some(bit(colour.index())),
                    lyngk::Step::Move { .. } => None,
                };
                // Claims come first.
                game.steps().map_while(claim).sum()
            }
            Position::Glux(game) => {
                let fits = |face: &Spots| self.reading.half.is_none_or(|half| half == face.sign());
                chips::faces(game).filter(fits).map(|f| bit(usize::from(f.number()) - 1)).sum()
            }
            _ => 0,
        }
    }

    pub(super) fn number(
        &mut self,
        now_ms: u32,
        sense: &mut Sense,
        number: u8,
        effects: &mut Effects,
    ) {
        let is_taken_back = self.question.asked.is_some_and(|asked| asked.ask == Ask::TakenBack);
        let may_be_claim = is_taken_back && self.may_claim(number);
        let answer_ms = if may_be_claim { CLAIM_GUARD_MS } else { ANSWER_MS };
        let is_hasty = self.is_hasty(now_ms, answer_ms);
        if is_hasty && self.profile() != Profile::Chips {
            return;
        }
        // GLÜX: what was pressed before the question could be read is a value, too, and what is no
        // candidate's number.
        let is_beyond = usize::from(number) > self.candidates().len();
        let is_no_answer =
            is_hasty || is_beyond || !self.is_answered_by_number() || self.is_passed_over();
        if is_no_answer && self.profile() == Profile::Chips {
            self.question.close();
        }
        if self.question.is_open() {
            return self.answer_by(now_ms, sense, usize::from(number).wrapping_sub(1), effects);
        }
        if self.phase != Phase::Play {
            return;
        }
        match self.record.position() {
            Position::Lyngk(_) => self.claim(now_ms, number, effects),
            Position::Glux(_) => self.tell(now_ms, sense, number, effects),
            _ => {}
        }
    }

    /// Answers the open question by one of its candidates, counted from 0.
    pub(super) fn answer_by(
        &mut self,
        now_ms: u32,
        sense: &mut Sense,
        candidate: usize,
        effects: &mut Effects,
    ) {
        if let Some(&cell) = self.candidates().get(candidate)
            && let Some(chosen) = self.choose(cell, effects)
        {
            self.commit(now_ms, sense, &chosen, effects);
        }
    }

    /// GLÜX: a value was told, for the chip to come or the one that lies there; right after a
    /// commit for the last one instead.
    pub(super) fn tell(
        &mut self,
        now_ms: u32,
        sense: &mut Sense,
        number: u8,
        effects: &mut Effects,
    ) {
        let Some(spots) = Spots::new(number) else { return };
        if let Some(result) = self.told_and_left() {
            // The next player is at work already: the value is for his chip.
            self.commit(now_ms, sense, &result, effects);
        }
        let Position::Glux(game) = self.record.position() else { return };
        let is_quiet = self.picture.agrees(&self.expected)
            && self.picture.is_still()
            && self.history.events().is_empty();
        if is_quiet
            && now_ms.wrapping_sub(self.commit_ms) < self.settle_ms.max(*SETTLE_RANGE_MS.start())
            && let Some(amended) = self.other_value(spots)
        {
            self.commit(now_ms, sense, &amended, effects);
        } else if chips::faces(game).any(|face| face == spots) {
            self.told = Some((spots, now_ms));
            self.prompted = None;
        } else {
            let why = Why::Step(Reason::Glux(glux::Reason::NoSuchChip));
            say(effects, Effect::Refused(Refused { why, cells: CellSet::EMPTY }));
            say(effects, Effect::BackInPlay);
        }
    }

    /// GLÜX: a step that only waits for its time, if something else was touched since its chip.
    fn told_and_left(&mut self) -> Option<Explained> {
        self.told?;
        let result = self.provisional.as_ref()?;
        let &Step::Glux(step) = result.turn.steps.first()? else { return None };
        let is_there = self.picture.occupied().contains(step.cell);
        let is_about_it = match self.history.events().last()? {
            Event::Put(cell) | Event::Lift(cell) | Event::Touch(cell, _) => *cell == step.cell,
        };
        // The chip itself may still be on its way down.
        let unrest = self.picture.unrest - CellSet::of(step.cell);
        let is_left = !unrest.is_empty() || !is_about_it;
        self.provisional.take_if(|_| is_there && is_left)
    }

    /// GLÜX: the last step with another value of the same half.
    pub(super) fn other_value(&self, spots: Spots) -> Option<Explained> {
        let before = self.record.turn_before()?;
        let Some(&Step::Glux(last)) = self.record.steps().last() else { return None };
        let step = Step::Glux(glux::Step { spots, ..last });
        before.position.check(step).ok()?;
        let result = Explained::step(&before.position, before.count, step);
        // A covered square shows nothing of the upper chip's half; there it must not change.
        let same_half = last.spots.sign() == spots.sign();
        same_half.then_some(Explained { rank: Rank::AmendedBefore, ..result })
    }

    /// LYNGK: whether a number may be meant as a claim.
    fn may_claim(&self, number: u8) -> bool {
        let position = self.record.position();
        let is_legal = |step| position.check(Step::Lyngk(step)).is_ok();
        let claim = stacks::claim(number).filter(|_| matches!(position, Position::Lyngk(_)));
        self.history.lifted().is_empty() && claim.is_some_and(is_legal)
    }

    /// LYNGK: claims a colour, unless a stack is in the hand.
    pub(super) fn claim(&mut self, now_ms: u32, number: u8, effects: &mut Effects) {
        let Some(claim) = stacks::claim(number) else { return };
        let step = Step::Lyngk(claim);
        // Right after a move a claim would be made for the next player.
        let guarded = now_ms.wrapping_sub(self.commit_ms) < CLAIM_GUARD_MS
            && self.record.steps().last().is_some_and(|&last| part(last) == Part::Main);
        let late = guarded.then_some(Reason::Lyngk(lyngk::Reason::SecondClaimInTurn));
        let broken = self.record.position().check(step).err().map(|refusal| refusal.reason);
        if let Some(reason) = broken.or(late) {
            let refused = Refused { why: Why::Step(reason), cells: CellSet::EMPTY };
            say(effects, Effect::Refused(refused));
            say(effects, Effect::BackInPlay);
        } else if self.history.lifted().is_empty() {
            self.record.push(step);
            self.commit_ms = now_ms;
            say(effects, self.committed(step));
        }
    }

    /// OK: begins a game that is laid out, confirms the only answer to a question, makes a step
    /// count that waits for it, leaves a row of GIPF-pieces standing, says that a step was made
    /// which no sensor shows.
    pub(super) fn confirm(&mut self, now_ms: u32, sense: &mut Sense, effects: &mut Effects) {
        self.swapped = None;
        if self.is_hasty(now_ms, ANSWER_MS) {
            return;
        }
        if self.question.is_open() {
            let mut options = self.question.options(&self.record).filter(|o| self.fits(o));
            let only = options.next().filter(|_| options.next().is_none());
            drop(options);
            if let Some(only) = only {
                self.commit(now_ms, sense, &only, effects);
            }
            return;
        }
        match self.phase {
            Phase::SetUp if self.picture.agrees(&self.expected) => {
                say(effects, Effect::Started);
                self.begin(sense);
            }
            Phase::Restore if self.picture.agrees(&self.expected) => self.to_uncover = None,
            Phase::Play => {
                if let Some(result) = self.awaits_ok() {
                    self.commit(now_ms, sense, &result, effects);
                } else if !self.reading.unlanded.is_empty() && self.reading.results.is_empty() {
                    self.question.set_results(&self.reading.unlanded);
                    self.ask(Ask::Unseen, false, effects);
                } else if self.picture.agrees(&self.expected) {
                    self.confirm_unseen(now_ms, sense, effects);
                }
            }
            _ => {}
        }
    }

    /// What only OK is lacking to: a step when steps settle by OK, or a YINSH ring that was given
    /// before anybody saw it land.
    fn awaits_ok(&self) -> Option<Explained> {
        let is_seen = self.picture.is_still();
        let settled = self.reading.only().filter(|_| self.settle_ms == 0);
        let unlanded = match self.reading.unlanded.as_slice() {
            [only] if self.reading.results.is_empty() => Some(only),
            _ => None,
        };
        settled.or(unlanded).filter(|_| is_seen).cloned()
    }

    /// A row left standing as a whole, or a step on points without a sensor to trust. The one is
    /// committed at once if there is only one such row; everything else is asked.
    pub(super) fn confirm_unseen(&mut self, now_ms: u32, sense: &mut Sense, effects: &mut Effects) {
        let position = *self.record.position();
        let mut steps = heapless::Vec::<Step, { reading::UNPROVED_MAX }>::new();
        let mut is_left = true;
        // A chip that cannot be seen is one of the value that was told.
        let is_told = |step: &Step| match step {
            Step::Glux(step) => self.told.is_some_and(|(spots, _)| spots == step.spots),
            step => part(*step) != Part::Claim && self.is_brought_as(&[*step]),
        };
        for step in position.steps().filter(is_told) {
            let mut after = position;
            after.play_unchecked(step);
            let table = after.table();
            let changes_nothing = table == self.expected && part(step) == Part::Taking;
            let (seen, history) = (&self.picture, &self.history);
            let scene = Scene { position: &position, seen, history, sense };
            let is_unseen = self.is_unseen(step) && stacks::may_have_landed(scene, step);
            if !changes_nothing && !is_unseen {
                continue;
            }
            is_left &= changes_nothing;
            // Two texts of one result are one: that which ends where no sensor sees it, or the lower.
            let rank = |step: Step| {
                let ends = lights::ends(step);
                (ends.is_some_and(|(_, to)| !self.picture.dead.contains(to)), ends)
            };
            let is_same = |other: &&mut Step| {
                let mut result = position;
                result.play_unchecked(**other);
                result == after
            };
            if let Some(same) = steps.iter_mut().find(is_same) {
                if rank(step) < rank(*same) {
                    *same = step;
                }
            } else if steps.push(step).is_err() {
                // More than fit are no help to anybody.
                return;
            }
        }
        match steps.first() {
            Some(&step) if is_left && steps.len() == 1 => {
                let result = Explained::step(&position, self.record.count(), step);
                self.commit(now_ms, sense, &result, effects);
            }
            Some(_) => {
                self.question.set_steps(&steps);
                self.ask(if is_left { Ask::Which } else { Ask::Unseen }, true, effects);
            }
            None => {}
        }
    }

    /// GLÜX: the square on which the last step covered a chip. That it comes off again changes no
    /// class.
    fn last_cover(&self) -> Option<Cell> {
        let (Position::Glux(game), Some(&Step::Glux(last))) =
            (self.record.position(), self.record.steps().last())
        else {
            return None;
        };
        game.lower(last.cell).map(|_| last.cell)
    }

    /// UNDO: cancels a question, else takes a step back and leads the pieces there.
    pub(super) fn undo(&mut self, now_ms: u32, sense: &mut Sense, effects: &mut Effects) {
        if self.phase == Phase::SetUp {
            // The colours of a drawn set-up, for people whose left-over pieces are not right.
            self.colours_shown = matches!(self.record.position(), Position::Lyngk(_));
            return;
        }
        let is_denied = self.question.asked.is_some_and(|asked| asked.ask == Ask::TakenBack);
        if self.question.cancel(now_ms, self.commit_ms) {
            if is_denied && self.has_stacks() && self.picture.agrees(&self.expected) {
                // What was felt came of something else, perhaps of a step that no sensor shows.
                self.confirm_unseen(now_ms, sense, effects);
                if self.question.is_open() {
                    return;
                }
            }
            (self.phase, self.told) = (Phase::Restore, None);
            self.unrest_ms = now_ms;
            return;
        }
        if self.told.take().is_some() || !self.record.can_go_back() {
            return;
        }
        if self.refused.take().is_some() {
            say(effects, Effect::BackInPlay);
        }
        let has_debris = !self.debris.is_empty();
        let covered = self.last_cover();
        self.go_back(self.record.count() - 1);
        say(effects, Effect::Undone(self.record.count()));
        self.adopt(sense, CellSet::EMPTY);
        self.prompted = None;
        self.to_uncover = covered.filter(|&cell| !self.picture.dead.contains(cell));
        if has_debris || self.to_uncover.is_some() || !self.picture.agrees(&self.expected) {
            self.phase = Phase::Restore;
            self.unrest_ms = now_ms;
        }
    }
}
