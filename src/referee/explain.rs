//! Looks for an explanation of the picture, rank by rank, and does what follows from it.

use super::effect::{Ask, Effects};
use super::landing::Scene;
use super::picture::{Event, Picture};
use super::reading::{Explained, Rank, Todo, UNPROVED_MAX};
use super::record::{Part, part};
use super::refuse::{Refusal, own_sign};
use super::walk::{self, SLICE, Turn, Walker, Ways, strength};
use super::{
    ASK_MS, Act, IN_HAND_MS, LONG_TOLD_MS, QUIET_MS, Referee, Search, chips, lights, stacks,
};
use crate::games::any::{Position, Step};
use crate::games::{Game, Table, gipf, yinsh};
use crate::geometry::{CellSet, GIPF_DOTS};
use crate::magnet::{Sign, Strength};
use crate::sense::{Profile, Reference, Sense};

/// Takings after which an early move of the next player is looked for; five rings are the most but
/// for rows of many GIPF-pieces.
const HELD_MAX: usize = 8;

/// From where turns are looked for.
const ROOTS: [Rank; 3] = [Rank::Further, Rank::Amended, Rank::AmendedBefore];

impl Referee {
    /// Looks for an explanation of the picture.
    pub(super) fn explain(&mut self, now_ms: u32, sense: &mut Sense, effects: &mut Effects) {
        // A board that was swept and is put back says nothing of what no class shows.
        if self.picture.agrees(&self.expected) && (self.swept || !self.is_changed(sense)) {
            self.as_expected(now_ms, sense, effects);
            return;
        }
        self.search.budget = SLICE;
        self.look_ahead();
        if !self.picture.is_still() || !self.read(sense) {
            return;
        }
        if !self.conclude(now_ms, sense, effects) {
            self.without_result(now_ms, sense, effects);
        }
    }

    /// Does what follows from an answer or from results; `false` if there are none. Apart, because
    /// stack is scarce.
    #[inline(never)]
    fn conclude(&mut self, now_ms: u32, sense: &mut Sense, effects: &mut Effects) -> bool {
        if let Some(answer) = self.answer_by_hand(effects) {
            self.commit(now_ms, sense, &answer, effects);
        } else if let Some(result) = self.reading.only().filter(|r| !self.is_asked(r)).cloned() {
            self.back_in_play(effects);
            if self.is_replied_to(&result) || self.has_settled(sense, &result) {
                self.commit(now_ms, sense, &result, effects);
                return true;
            }
            if self.settle_ms == 0 {
                let changed = self.expected.differs(&result.turn.position.table());
                self.prompt(Act::Confirm, changed, effects);
            }
            (self.provisional, self.is_stale) = (Some(result), false);
        } else if self.reading.results.is_empty() {
            return false;
        } else if (!self.question.is_open() || self.is_question_stale())
            && now_ms.wrapping_sub(self.unrest_ms) >= ASK_MS
        {
            let ask = match &self.reading.results[..] {
                [only] if only.turn.steps.is_empty() => Ask::TakenBack,
                [only] if only.turn.steps.iter().all(|&s| part(s) == Part::Taking) => Ask::TakenOff,
                _ if self.reading.is_doubtful => Ask::Unseen,
                _ => Ask::Which,
            };
            self.question.set_results(&self.reading.results);
            self.ask(ask, self.picture.agrees(&self.expected), effects);
        }
        true
    }

    /// Whether the next player is already at work on a result: with a second chip in GLÜX; else with
    /// what he began after it was at rest.
    fn is_replied_to(&self, result: &Explained) -> bool {
        if self.profile() == Profile::Chips {
            return !self.picture.agrees(&result.turn.position.table());
        }
        let begun = |event: &Event| self.early().contains(event.cell());
        let is_known = |known: &Explained| known.turn.position == result.turn.position;
        self.provisional.as_ref().is_some_and(is_known)
            && self.history.events().last().is_some_and(begun)
    }

    /// The board looks as expected: nothing is going on, unless something is wrong or open that no
    /// class shows. Apart, because stack is scarce.
    #[inline(never)]
    fn as_expected(&mut self, now_ms: u32, sense: &mut Sense, effects: &mut Effects) {
        let asked = self.question.asked.filter(|asked| asked.is_unseen);
        if asked.is_some()
            && let Some(answer) = self.answer_by_hand(effects)
        {
            self.commit(now_ms, sense, &answer, effects);
            return;
        }
        if self.is_being_answered(now_ms) {
            return;
        }
        if let Some(slip) = self.slip(sense).filter(|_| asked.is_none()) {
            if now_ms.wrapping_sub(self.unrest_ms) >= QUIET_MS {
                self.refuse_by(slip, effects);
            }
            return;
        }
        self.back_in_play(effects);
        self.stood = None;
        self.guard_swap(now_ms, effects);
        if self.record.position().turn().is_some() {
            self.prompt_due(effects);
        }
        if self.profile() == Profile::Chips {
            // A chip set down again has a value of its own.
            let board = self.board();
            let lifted = self.history.lifted().iter().map(|cell| board.point(cell));
            let lifted = lifted.filter(|&point| !sense.is_changing(point)).collect();
            sense.mark_at(Reference::Commit, lifted);
        }
        self.left |= self.found.0 - self.expected.occupied();
        self.found = (CellSet::EMPTY, now_ms);
        let provisional = self.provisional.take();
        if self.is_on_its_way(now_ms) {
            self.forget_search();
            (self.provisional, self.is_stale) = (provisional, true);
            self.question.asked = asked;
            return;
        }
        let pushed = self.unseen_pushes();
        self.settle_down(sense);
        (self.provisional, self.is_stale) = (provisional, true);
        self.question.asked = asked;
        if !pushed.is_empty() && asked.is_none() {
            self.question.set_steps(&pushed);
            self.ask(Ask::Unseen, true, effects);
        }
    }

    /// Whether what is asked for was lifted, to be set down as an answer: beside dead points it may be
    /// all that did not lie as expected.
    fn is_being_answered(&self, now_ms: u32) -> bool {
        let events = self.history.since_mark();
        let is_asked = |event: &Event| self.candidates().contains(&event.cell());
        self.question.is_open()
            && self.profile() != Profile::Chips
            && now_ms.wrapping_sub(self.unrest_ms) < IN_HAND_MS
            && matches!(events.last(), Some(lift @ Event::Lift(_)) if is_asked(lift))
    }

    /// GIPF: whether a piece that left a dot may still be between two points, where no sensor sees
    /// it: then it is remembered where it came from, even if it did not rest there.
    fn is_on_its_way(&self, now_ms: u32) -> bool {
        let has_left = !self.history.lifted().is_empty() || self.history.brought().is_some();
        matches!(self.record.position(), Position::Gipf(_))
            && now_ms.wrapping_sub(self.unrest_ms) < ASK_MS
            && has_left
    }

    /// What a hand did wrong though every class is right.
    fn slip(&self, sense: &Sense) -> Option<Refusal> {
        match self.record.position() {
            position @ (Position::Dvonn(_) | Position::Lyngk(_)) => {
                position.turn()?;
                stacks::slip(position, &self.picture, sense)
            }
            Position::Glux(game) => {
                game.turn()?;
                let (seen, history) = (&self.picture, &self.history);
                let strays = chips::strays(&self.record, seen, history, sense, self.called_wrong());
                let told = self.told.map(|(spots, _)| spots);
                (!strays.is_empty()).then(|| chips::refuse(game, &self.picture, strays, told))
            }
            _ => None,
        }
    }

    /// GIPF: a piece lay on a dot and is gone; pushes from there that no sensor shows.
    fn unseen_pushes(&self) -> heapless::Vec<Step, UNPROVED_MAX> {
        let position = self.record.position();
        let Position::Gipf(_) = position else { return heapless::Vec::new() };
        let from_dot = |step: &Step| matches!(step, Step::Gipf(gipf::Step::Push { from, .. }) if self.history.was_put(*from));
        let is_hidden = !self.picture.dead.is_empty() && !self.history.lifted().is_empty();
        let steps = position.steps().filter(|step| is_hidden && from_dot(step));
        let steps = steps.filter(|&step| self.is_brought_as(&[step]));
        steps.filter(|&step| self.is_unseen(step)).take(UNPROVED_MAX).collect()
    }

    /// Whether a step changes the table on points without a sensor to trust, and nowhere else.
    pub(super) fn is_unseen(&self, step: Step) -> bool {
        if let Step::Glux(step) = step {
            // A cover changes no class.
            return self.picture.dead.contains(step.cell) && self.picture.agrees(&self.expected);
        }
        let mut after = *self.record.position();
        after.play_unchecked(step);
        let table = after.table();
        table != self.expected && self.picture.agrees(&table)
    }

    /// Whether something happened that changes no class: GLÜX, a chip on another or off it; DVONN
    /// and LYNGK, a stack that went on to another target, or one that no sensor saw leave.
    pub(super) fn is_changed(&self, sense: &Sense) -> bool {
        match self.record.position() {
            Position::Glux(_) => {
                let (record, seen, history) = (&self.record, &self.picture, &self.history);
                chips::is_changed(record, seen, history, sense, self.memory())
            }
            position @ (Position::Dvonn(_) | Position::Lyngk(_)) => {
                let (seen, history) = (&self.picture, &self.history);
                Scene { position, seen, history, sense }.has_hidden_move()
                    || stacks::is_back_unseen(&self.record, seen, self.end_read)
                    || stacks::moved_on(&self.record, seen, history, sense).is_some()
            }
            _ => false,
        }
    }

    /// GLÜX: what no sensor shows.
    fn memory(&self) -> chips::Memory {
        let age_ms = |&(_, at): &(_, u32)| self.now_ms.wrapping_sub(at);
        chips::Memory {
            told: self.told.map(|(spots, _)| spots),
            is_long_told: self.told.as_ref().is_some_and(|told| age_ms(told) >= LONG_TOLD_MS),
            cover_change: self.cover_change,
            called_wrong: self.called_wrong(),
            found: self.found.0,
            left: self.left,
        }
    }

    /// GLÜX: the chips that were said to lie where none may.
    pub(super) fn called_wrong(&self) -> CellSet {
        self.refused.map_or(CellSet::EMPTY, |refused| refused.wrong)
    }

    /// Finds what the picture can be; `false` while a search is under way.
    pub(super) fn read(&mut self, sense: &Sense) -> bool {
        match self.record.position() {
            Position::Gipf(_) | Position::Yinsh(_) => self.walk(),
            Position::Dvonn(_) | Position::Lyngk(_) => {
                let (record, seen, history) = (&self.record, &self.picture, &self.history);
                let back = self.in_the_air & seen.table.occupied();
                let known = (self.end_read, self.lost, back);
                stacks::read(record, seen, history, sense, known, &mut self.reading);
                true
            }
            Position::Glux(_) => {
                let memory = self.memory();
                let (record, seen, history) = (&self.record, &self.picture, &self.history);
                chips::read(record, seen, history, sense, memory, &mut self.reading);
                let put = self.reading.todo.put;
                if self.found.0 != put {
                    self.left |= self.found.0 - self.expected.occupied() - put;
                    self.found = (put, self.now_ms);
                }
                true
            }
        }
    }

    /// GIPF and YINSH: goes on with the walks; `true` when all are done. Apart, because stack is
    /// scarce.
    #[inline(never)]
    pub(super) fn walk(&mut self) -> bool {
        while let Some(&rank) = ROOTS.get(self.search.root) {
            if let Some(root) = self.root(rank) {
                let (position, keep) = root;
                let is_further = rank == Rank::Further;
                let seen = if is_further { self.search.seen } else { self.picture };
                if !self.go_on(&position, &seen) {
                    return false;
                }
                if rank == Rank::AmendedBefore
                    && self.picture.agrees(&position.table())
                    && !self.is_hidden(&position.table())
                {
                    self.reading.add(Explained::taken_back(&position, keep));
                }
                self.take_in_turns(rank, &position, keep);
            }
            self.search.root += 1;
            self.search.walk.clear();
        }
        true
    }

    /// GIPF and YINSH: finds what this picture may be on the way to, once, and before it is known
    /// what it is: lights do not wait. Apart, because stack is scarce.
    #[inline(never)]
    fn look_ahead(&mut self) {
        let position = self.record.position();
        let is_walked = matches!(position, Position::Gipf(_) | Position::Yinsh(_));
        if !is_walked || self.reading.is_ahead {
            return;
        }
        self.search.seen = self.picture.with(self.early(), &self.expected);
        let ways = ways_of(position, &self.search.seen);
        self.search.budget = self.search.budget.saturating_sub(ways.cost);
        (self.reading.on_the_way, self.reading.todo) = (ways.results > 0, self.todo(&ways));
        self.reading.is_ahead = true;
    }

    /// GIPF and YINSH: where the other player has begun before his time, with a piece on a dot or a
    /// marker in one of his rings. Who is in turn is explained first; he waits.
    fn early(&self) -> CellSet {
        let (position, seen) = (self.record.position(), &self.picture.table);
        let begun = match position {
            Position::Gipf(_) => GIPF_DOTS.widen(),
            Position::Yinsh(_) => self.expected.weak & seen.strong,
            _ => CellSet::EMPTY,
        };
        match own_sign(position) {
            Some(Sign::Plus) => begun & seen.minus,
            Some(Sign::Minus) => begun & seen.plus,
            None => CellSet::EMPTY,
        }
    }

    /// Takes in the turns that a walk found. Apart, because stack is scarce.
    #[inline(never)]
    fn take_in_turns(&mut self, rank: Rank, root: &Position, keep: usize) {
        let is_unseen = !self.search.walk.is_found();
        for n in 0..self.search.walk.found.len() {
            let turn = self.search.walk.found[n].clone();
            if !turn.is_landed {
                if rank == Rank::Further && is_unseen {
                    let _ = self.reading.unlanded.push(Explained { rank, keep, turn });
                }
                continue;
            }
            let is_seen = match rank {
                Rank::Further => self.is_taken(root, &turn),
                _ => {
                    self.is_amended(root, keep, &turn)
                        && !self.is_hidden(&turn.position.table())
                        && !self.is_further(&turn)
                }
            };
            // What is committed already needs no proof.
            let made = self.record.steps_from(keep);
            let is_new = turn.steps.iter().any(|s| part(*s) == Part::Main && !made.contains(s));
            let changed = root.table().differs(&turn.position.table());
            let is_traceless = !turn.is_witnessed
                && self.history.brought().is_some()
                && !(changed & self.picture.dead).is_empty();
            if is_new && is_traceless && self.reading.on_the_way {
                continue;
            }
            if is_seen && self.is_brought_as(&turn.steps) {
                let is_doubtful = is_traceless
                    || self.is_half_shown(root, &turn.steps)
                    || self.may_be_left(root, &turn.steps);
                // A change of mind that no sensor shows as a whole may be somebody's slip.
                let after = turn.position.table();
                let is_half_seen = rank != Rank::Further
                    && !(self.expected.differs(&after) & self.picture.dead).is_empty();
                self.reading.is_doubtful |= is_new && (is_doubtful || is_half_seen)
                    || self.is_taken_unseen(root, &turn.steps, made);
                self.reading.add(Explained { rank, keep, turn });
            }
        }
    }

    /// GIPF: whether pushes bring the kind of piece that was seen on a dot. On a spot with a sensor
    /// that shows the piece only a strong one counts: it reads like a basic one while it waits
    /// halfway.
    pub(super) fn is_brought_as(&self, steps: &[Step]) -> bool {
        let known = self.history.brought().and_then(|(_, strength)| strength);
        let differs = |step: &Step| match *step {
            Step::Gipf(gipf::Step::Push { to, piece, .. }) if self.picture.dead.contains(to) => {
                known.is_some_and(|known| known != strength(piece))
            }
            Step::Gipf(gipf::Step::Push { piece: gipf::Piece::Basic, .. }) => {
                known == Some(Strength::Strong)
            }
            _ => false,
        };
        !steps.iter().any(differs)
    }

    /// Whether it was not seen where the piece of a main step came from or went, so that what is seen
    /// of it may be a slip. GIPF: no sensor shows its end; or it was not seen on its dot, and the push
    /// changes a spot that no sensor shows, or one from where a piece was seen does. YINSH: no sensor
    /// shows whether the ring has left; a marker held still reads like it.
    fn is_half_shown(&self, root: &Position, steps: &[Step]) -> bool {
        let (mut at, dead) = (*root, self.picture.dead);
        if dead.is_empty() {
            return false;
        }
        let dot = self.history.brought().map(|(dot, _)| dot);
        let is_from_dot = |step: &Step| matches!(step, Step::Gipf(gipf::Step::Push { from, .. }) if Some(*from) == dot);
        let is_hidden = |at: &Position, step| {
            let mut after = *at;
            after.play_unchecked(step);
            !(at.table().differs(&after.table()) & dead).is_empty()
        };
        steps.iter().any(|&step| {
            let before = at;
            at.play_unchecked(step);
            match step {
                Step::Gipf(gipf::Step::Push { to, .. }) => {
                    let mut others = before.steps().filter(is_from_dot);
                    dead.contains(to)
                        || self.may_lie_elsewhere(&before.table(), &at.table(), step)
                        || !is_from_dot(&step)
                            && (is_hidden(&before, step) || others.any(|s| is_hidden(&before, s)))
                }
                Step::Yinsh(yinsh::Step::MoveRing { from, .. }) => dead.contains(from),
                _ => false,
            }
        })
    }

    /// GIPF: whether a push moves the last piece of its run to where no sensor shows it, and something
    /// was felt elsewhere: the piece may have come down there.
    fn may_lie_elsewhere(&self, before: &Table, after: &Table, push: Step) -> bool {
        let Step::Gipf(push) = push else { return false };
        let filled = after.occupied() - before.occupied();
        let others = self.history.cells() - gipf::Gipf::moved(push, before);
        !filled.is_empty() && (filled - self.picture.dead).is_empty() && !others.is_empty()
    }

    /// Whether one of the steps that are not made yet takes off what no sensor shows: it may be next.
    #[inline(never)]
    fn is_taken_unseen(&self, root: &Position, steps: &[Step], made: &[Step]) -> bool {
        let same = steps.iter().zip(made).take_while(|(step, made)| step == made).count();
        let mut at = *root;
        steps.iter().zip(0..).any(|(&step, n)| {
            let before = at.table().occupied();
            at.play_unchecked(step);
            let off = before - at.table().occupied();
            part(step) == Part::Taking && n >= same && !(off & self.picture.dead).is_empty()
        })
    }

    /// GIPF: whether all that a push brings lies where the other player's row was, and did not come from
    /// its dot as far as was seen: it may be a piece of the row, turned over or set down again.
    #[inline(never)]
    fn may_be_left(&self, root: &Position, steps: &[Step]) -> bool {
        let takings = steps.iter().take_while(|&&step| part(step) == Part::Taking).count();
        let Some(&Step::Gipf(gipf::Step::Push { from, .. })) = steps.get(takings) else {
            return false;
        };
        let (before, mut at) = (root.table(), *root);
        steps[..takings].iter().for_each(|&step| at.play_unchecked(step));
        let off = if at.turn() == root.turn() {
            self.taken_unseen()
        } else {
            before.occupied() - at.table().occupied()
        };
        at.play_unchecked(steps[takings]);
        let after = at.table();
        let brought = before.differs(&after) & after.occupied();
        !off.is_empty() && (brought - off).is_empty() && !self.history.was_put(from)
    }

    /// What the last turn took off, if no sensor shows all of it: people may be putting it back.
    fn taken_unseen(&self) -> CellSet {
        let before = self.record.turn_before().filter(|_| !self.record.has_begun());
        let before = before.map_or(CellSet::EMPTY, |turn| turn.position.table().occupied());
        let off = before - self.expected.occupied();
        if (off & self.picture.dead).is_empty() { CellSet::EMPTY } else { off }
    }

    /// Whether everything that a turn takes off before its main step was seen to leave, even where
    /// that step then brings something else: what still stands there may just not be taken off yet.
    fn is_taken(&self, root: &Position, turn: &Turn) -> bool {
        let mut at = *root;
        let takings = turn.steps.iter().take_while(|&&step| part(step) == Part::Taking);
        let mut off = CellSet::EMPTY;
        for &step in takings {
            let before = at.table().occupied();
            at.play_unchecked(step);
            off |= before - at.table().occupied();
        }
        ((off & self.picture.occupied()) - self.history.lifted()).is_empty()
    }

    /// Whether a change of mind that leads to this table shows only where no sensor does, beside
    /// what may be a step of whoever is in turn: that is not to be preferred to it.
    fn is_hidden(&self, table: &Table) -> bool {
        let further = self.reading.results.iter().filter(|result| result.rank == Rank::Further);
        let mut tables = further.map(|result| result.turn.position.table());
        let is_begun = || {
            self.reading.on_the_way
                && !(self.expected.differs(table) & self.picture.dead).is_empty()
        };
        tables.any(|other| other != *table) || is_begun()
    }

    /// Whether a turn only takes pieces off, and further steps lead to the same table: nothing could tell
    /// that the main step was taken back for it.
    fn is_further(&self, turn: &Turn) -> bool {
        let table = turn.position.table();
        let mut results = self.reading.results.iter();
        turn.steps.iter().all(|&step| part(step) == Part::Taking)
            && results.any(|r| r.rank == Rank::Further && r.turn.position.table() == table)
    }

    /// Whether it was seen that a turn from `root` was made instead of the one committed: another
    /// main step must have brought its pieces to where it has them. Without that it is only another
    /// way to remove the same pieces.
    pub(super) fn is_amended(&self, root: &Position, keep: usize, turn: &Turn) -> bool {
        let is_main = |step: &&Step| part(**step) == Part::Main;
        let committed = self.record.steps_from(keep).iter().find(is_main);
        if turn.steps.iter().find(is_main) == committed {
            return true;
        }
        let mut after_main = *root;
        for &step in &turn.steps {
            after_main.play_unchecked(step);
            if part(step) == Part::Main {
                break;
            }
        }
        let table = after_main.table();
        let brought = self.expected.differs(&table) & table.occupied();
        // A strong piece that lies aside reads like another: to be another it must have been lifted.
        let is_there = |cell| {
            let sign = |table: &Table| table.at(cell).map(|(sign, _)| sign);
            let is_same = sign(&self.expected) == sign(&table);
            is_same && !self.history.lifted().contains(cell) && !self.history.was_put(cell)
        };
        if !brought.is_empty() && brought.iter().all(is_there) {
            return false;
        }
        // What only points without a sensor could show is no change of mind.
        if !brought.is_empty() && (brought - self.picture.dead).is_empty() {
            return false;
        }
        let unseen = brought & self.picture.differs(&table);
        unseen.iter().all(|cell| self.history.was_put(cell))
    }

    /// Where the walk of a rank begins, and how many steps are kept then; `None` if it is not to be
    /// looked at.
    pub(super) fn root(&self, rank: Rank) -> Option<(Position, usize)> {
        let record = &self.record;
        match rank {
            Rank::Further => Some((*record.position(), record.count())),
            Rank::Amended => {
                let turn = record.turn();
                record.has_begun().then_some((turn.position, turn.count))
            }
            Rank::TakenBack | Rank::AmendedBefore => {
                let is_idle = !record.has_begun() && self.history.brought().is_none();
                let before = record.turn_before().filter(|_| is_idle)?;
                Some((before.position, before.count))
            }
        }
    }

    /// Goes on with the walk from a position; `true` when it is done.
    fn go_on(&mut self, from: &Position, seen: &Picture) -> bool {
        let Search { walk, budget, .. } = &mut self.search;
        match from {
            Position::Gipf(game) => walk.go_on(game, seen, &self.history, budget),
            Position::Yinsh(game) => walk.go_on(game, seen, &self.history, budget),
            _ => true,
        }
    }

    /// GIPF and YINSH: what is to be done on these ways.
    fn todo(&self, ways: &Ways) -> Todo {
        let (seen, from) = (self.search.seen.certain(), self.record.position());
        // What was brought in may still go to any of its ends; else something is left to be done.
        let ends = ways.ends - seen.differs(&self.expected);
        if !ends.is_empty() {
            let captures = ways.captures & ends;
            return Todo { origins: ways.origins, ends, captures, ..Todo::NONE };
        }
        // A run of GIPF that is not pushed on yet differs in sign too; nothing is turned there.
        let turns = matches!(from, Position::Yinsh(_)) && ways.results == 1;
        let flip = if turns { Todo::towards(&ways.result, &seen).flip } else { CellSet::EMPTY };
        Todo { put: ways.lacking, take: ways.off & seen.occupied(), flip, ..Todo::NONE }
    }

    /// No result explains the picture. Apart, because stack is scarce.
    #[inline(never)]
    pub(super) fn without_result(&mut self, now_ms: u32, sense: &mut Sense, effects: &mut Effects) {
        if let Some(early) = self.early_reply() {
            self.back_in_play(effects);
            self.commit(now_ms, sense, &early, effects);
            return;
        }
        if self.search.is_busy && self.search.beyond == 0 || self.question.is_open() {
            return;
        }
        if let Some((step, standing)) = self.reading.uncleared {
            let result = Explained::step(self.record.position(), self.record.count(), step);
            self.back_in_play(effects);
            self.commit(now_ms, sense, &result, effects);
            self.debris |= standing;
            return;
        }
        let quiet_ms = now_ms.wrapping_sub(self.unrest_ms);
        if !self.reading.unproved.is_empty() {
            self.back_in_play(effects);
            let ends = self.reading.unproved.iter().filter_map(|&step| lights::ends(step));
            let is_touched = ends.map(|(_, end)| end).any(|end| self.history.was_touched(end));
            let wait_ms = if is_touched { ASK_MS } else { IN_HAND_MS };
            // A stack that comes down slowly changes what it comes near to without unrest.
            if now_ms.wrapping_sub(self.event_ms) >= wait_ms {
                self.question.set_steps(&self.reading.unproved);
                self.ask(Ask::Landing, self.picture.agrees(&self.expected), effects);
            }
        } else if self.reading.on_the_way {
            self.back_in_play(effects);
            match self.record.position() {
                Position::Glux(_) if !self.picture.loose.is_empty() => {
                    if quiet_ms >= ASK_MS {
                        self.prompt(Act::Centre, self.picture.loose, effects);
                    }
                }
                Position::Glux(_) => self.ask_value(effects),
                _ if !self.reading.unlanded.is_empty() => {
                    self.prompt(Act::SetDown, self.reading.todo.ends, effects);
                }
                _ => self.prompt_todo(effects),
            }
        } else if self.is_held() {
            // The next player was early: his move waits for what is still to be taken off.
        } else if !self.picture.loose.is_empty() && quiet_ms >= ASK_MS {
            self.prompt(Act::Centre, self.picture.loose, effects);
        } else if self.picture.loose.is_empty() && quiet_ms >= QUIET_MS {
            self.refuse(sense, effects);
        }
    }

    /// The provisional result, if the next player's hand is already at work on it. Apart, because
    /// stack is scarce.
    #[inline(never)]
    pub(super) fn early_reply(&mut self) -> Option<Explained> {
        if self.search.beyond > 0 {
            return None;
        }
        // A change of mind takes its time, whatever comes after it.
        let is_hurried = |rank| rank == Rank::Further || self.has_stacks();
        let is_reply = match self.provisional.clone() {
            Some(provisional)
                if provisional.turn.position.turn().is_some() && is_hurried(provisional.rank) =>
            {
                self.is_reply(&provisional).then_some(provisional)
            }
            _ => None,
        };
        self.search.beyond = usize::from(!self.search.is_busy);
        is_reply
    }

    fn is_reply(&mut self, provisional: &Explained) -> bool {
        let next = &provisional.turn.position;
        match next {
            // A second chip is part of the reading.
            Position::Glux(_) => false,
            Position::Gipf(_) | Position::Yinsh(_) => {
                let seen = self.picture;
                !self.is_stale && self.is_on_the_way(next, &seen)
                    || self.is_finished_from(next, &seen)
            }
            _ if self.is_stale => false,
            _ => stacks::is_reply(provisional, &self.expected, &self.picture, &self.history),
        }
    }

    /// GIPF and YINSH: whether something is still to be taken off and the rest of the picture is
    /// what the next player may make of it. One taking a scan is looked at; until all are, it may be.
    /// Apart, because stack is scarce.
    #[inline(never)]
    pub(super) fn is_held(&mut self) -> bool {
        let due = self.due();
        if due.is_empty() || self.search.is_held {
            return self.search.is_held;
        }
        let position = *self.record.position();
        let takings = position.steps().filter(|&step| part(step) == Part::Taking);
        let at = self.search.beyond.saturating_sub(1);
        let Some(step) = takings.take(HELD_MAX).nth(at) else {
            return false;
        };
        let mut next = position;
        next.play_unchecked(step);
        let seen = self.picture.with(due, &next.table());
        self.search.is_held =
            self.is_on_the_way(&next, &seen) || self.is_finished_from(&next, &seen);
        self.search.beyond += usize::from(!self.search.is_busy);
        true
    }

    /// Whether the picture is on the way from this position; looked at once, before the search for a
    /// turn that ends in it.
    fn is_on_the_way(&mut self, from: &Position, seen: &Picture) -> bool {
        if self.search.is_busy {
            return false;
        }
        let ways = ways_of(from, seen);
        self.search.budget = self.search.budget.saturating_sub(ways.cost);
        ways.results > 0
    }

    /// Whether a turn from this position ends in the picture; the search is busy while that is looked
    /// for. The one for other explanations is done by then, so its walk is free.
    fn is_finished_from(&mut self, next: &Position, seen: &Picture) -> bool {
        self.search.is_busy = !self.go_on(next, seen);
        if self.search.is_busy {
            return false;
        }
        let is_finished = self.search.walk.is_found();
        self.search.walk.clear();
        is_finished
    }
}

/// GIPF and YINSH: on which ways from a position a picture lies.
fn ways_of(from: &Position, seen: &Picture) -> Ways {
    match from {
        Position::Gipf(game) => walk::ways(game, seen),
        Position::Yinsh(game) => walk::ways(game, seen),
        _ => Ways::NONE,
    }
}
