//! Looks for an explanation of the picture, rank by rank, and does what follows from it.

use super::effect::{Ask, Effects};
use super::picture::Picture;
use super::reading::{Explained, Rank, Todo};
use super::record::{Part, part};
use super::walk::{SLICE, Turn, Ways, ways};
use super::{ASK_MS, Act, QUIET_MS, Referee, chips, stacks};
use crate::games::Game;
use crate::games::any::{Position, Step};
use crate::geometry::CellSet;
use crate::sense::{Profile, Reference, Sense};

/// Takings after which an early move of the next player is looked for; five rings are the most but
/// for rows of many GIPF-pieces.
const HELD_MAX: usize = 8;

/// From where turns are looked for.
const ROOTS: [Rank; 3] = [Rank::Further, Rank::Amended, Rank::AmendedBefore];

impl Referee {
    /// Looks for an explanation of the picture.
    pub(super) fn explain(&mut self, now_ms: u32, sense: &mut Sense, effects: &mut Effects) {
        if self.picture.agrees(&self.expected) && !self.is_changed(sense) {
            let asked = self.question.asked.filter(|asked| asked.is_unseen);
            self.back_in_play(effects);
            self.guard_swap(now_ms, effects);
            if self.record.position().turn().is_some() {
                self.prompt_due(effects);
            }
            // A chip set down again has a value of its own.
            if self.profile() == Profile::Chips && !self.history.lifted().is_empty() {
                sense.mark(Reference::Commit);
            }
            let provisional = self.provisional.take();
            self.settle_down(sense);
            (self.provisional, self.is_stale) = (provisional, true);
            self.question.asked = asked;
            return;
        }
        if !self.picture.is_still() {
            return;
        }
        if !self.read(sense) {
            return;
        }
        if let Some(answer) = self.answer_by_hand() {
            self.commit(now_ms, sense, &answer, effects);
            return;
        }
        if let Some(result) = self.reading.only().cloned() {
            self.back_in_play(effects);
            // A second chip in GLÜX: the next player is already at work.
            let is_early = !self.picture.agrees(&result.turn.position.table());
            if is_early || self.has_settled(sense, &result) {
                self.commit(now_ms, sense, &result, effects);
            } else {
                (self.provisional, self.is_stale) = (Some(result), false);
            }
        } else if self.reading.results.is_empty() {
            self.without_result(now_ms, sense, effects);
        } else if !self.question.is_open() && now_ms.wrapping_sub(self.unrest_ms) >= ASK_MS {
            self.question.set_results(&self.reading.results);
            self.ask(Ask::Which, effects);
        }
    }

    /// Whether something happened that changes no class: GLÜX, a chip on another; DVONN and LYNGK,
    /// a stack that went on to another target.
    pub(super) fn is_changed(&self, sense: &Sense) -> bool {
        match self.record.position() {
            Position::Glux(game) => !chips::covered(game, sense, &self.history).is_empty(),
            Position::Dvonn(_) | Position::Lyngk(_) => {
                stacks::moved_on(&self.record, &self.picture, &self.history, sense).is_some()
            }
            _ => false,
        }
    }

    /// Finds what the picture can be; `false` while a search is under way.
    pub(super) fn read(&mut self, sense: &Sense) -> bool {
        match self.record.position() {
            Position::Gipf(_) | Position::Yinsh(_) => self.walk(),
            Position::Dvonn(_) | Position::Lyngk(_) => {
                let (record, seen, history) = (&self.record, &self.picture, &self.history);
                stacks::read(record, seen, history, sense, &mut self.reading);
                true
            }
            Position::Glux(_) => {
                let told = self.told.map(|(spots, _)| spots);
                let (record, seen, history) = (&self.record, &self.picture, &self.history);
                chips::read(record, seen, history, sense, told, &mut self.reading);
                true
            }
        }
    }

    /// GIPF and YINSH: goes on with the walks; `true` when all are done.
    pub(super) fn walk(&mut self) -> bool {
        let mut budget = SLICE;
        while let Some(&rank) = ROOTS.get(self.search.root) {
            if let Some(root) = self.root(rank) {
                let (position, keep) = root;
                let (walk, seen, history) = (&mut self.search.walk, &self.picture, &self.history);
                let is_done = match position {
                    Position::Gipf(game) => walk.go_on(&game, seen, history, &mut budget),
                    Position::Yinsh(game) => walk.go_on(&game, seen, history, &mut budget),
                    _ => true,
                };
                if !is_done {
                    return false;
                }
                if rank == Rank::AmendedBefore && self.picture.agrees(&position.table()) {
                    self.reading.add(Explained::taken_back(&position, keep));
                }
                for n in 0..self.search.walk.found.len() {
                    let turn = self.search.walk.found[n].clone();
                    let amended = rank != Rank::Further;
                    if !amended || self.is_amended(&position, keep, &turn) {
                        self.reading.add(Explained { rank, keep, turn });
                    }
                }
            }
            self.search.root += 1;
            self.search.walk.clear();
        }
        let reading = self.ways(&self.record.position().clone());
        (self.reading.on_the_way, self.reading.todo) = reading;
        true
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
                let before = record.turn_before().filter(|_| !record.has_begun())?;
                Some((before.position, before.count))
            }
        }
    }

    /// GIPF and YINSH: whether what is certain of the picture is on the way from a position, and
    /// what is to be done.
    pub(super) fn ways(&self, from: &Position) -> (bool, Todo) {
        let ways = ways_of(from, &self.picture);
        let seen = self.picture.certain();
        // What was brought in may still go to any of its ends; else something is left to be done.
        let ends = ways.ends - seen.differs(&from.table());
        let todo = if ends.is_empty() {
            // A run of GIPF that is not pushed on yet differs in sign too; nothing is turned there.
            let turns = matches!(from, Position::Yinsh(_)) && ways.results == 1;
            let flip = if turns { Todo::towards(&ways.result, &seen).flip } else { CellSet::EMPTY };
            Todo { put: ways.lacking, take: ways.off & seen.occupied(), flip, ..Todo::NONE }
        } else {
            Todo { origins: ways.origins, ends, ..Todo::NONE }
        };
        (ways.results > 0, todo)
    }

    /// No result explains the picture.
    pub(super) fn without_result(&mut self, now_ms: u32, sense: &mut Sense, effects: &mut Effects) {
        if let Some(early) = self.early_reply() {
            self.back_in_play(effects);
            self.commit(now_ms, sense, &early, effects);
            return;
        }
        if self.question.is_open() {
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
            if quiet_ms >= ASK_MS {
                self.question.set_steps(&self.reading.unproved);
                self.ask(Ask::Landing, effects);
            }
        } else if self.reading.on_the_way {
            self.back_in_play(effects);
            match self.record.position() {
                Position::Glux(_) => self.ask_value(effects),
                _ => self.prompt_todo(effects),
            }
        } else if self.is_held() {
            // The next player was early: his move waits for what is still to be taken off.
        } else if !self.picture.loose.is_empty() && quiet_ms >= ASK_MS {
            self.prompt(Act::Centre, self.picture.loose, effects);
        } else if self.picture.loose.is_empty() && quiet_ms >= QUIET_MS {
            self.refuse(now_ms, effects);
        }
    }

    /// The provisional result, if the next player's hand is already at work on it.
    pub(super) fn early_reply(&mut self) -> Option<Explained> {
        let provisional = self.provisional.clone()?;
        let next = &provisional.turn.position;
        next.turn()?;
        let is_reply = match next {
            // A second chip is part of the reading.
            Position::Glux(_) => false,
            Position::Gipf(_) | Position::Yinsh(_) => {
                let seen = self.picture;
                !self.is_stale && self.ways(next).0 || self.is_finished_from(next, &seen)
            }
            _ if self.is_stale => false,
            _ => stacks::is_reply(&provisional, &self.expected, &self.picture, &self.history),
        };
        is_reply.then_some(provisional)
    }

    /// GIPF and YINSH: whether something is still to be taken off and the rest of the picture is
    /// what the next player may make of it.
    pub(super) fn is_held(&mut self) -> bool {
        let position = *self.record.position();
        let due = self.due();
        let takings = position.steps().filter(|&step| part(step) == Part::Taking);
        takings.take(HELD_MAX).any(|step| {
            let mut next = position;
            next.play_unchecked(step);
            let seen = self.picture.with(due, &next.table());
            ways_of(&next, &seen).results > 0 || self.is_finished_from(&next, &seen)
        })
    }

    /// Whether a turn from this position ends in the picture; looked at in one go, because it is
    /// nearly always a single step. The search for other explanations is done by then, so its walk
    /// is free.
    pub(super) fn is_finished_from(&mut self, next: &Position, seen: &Picture) -> bool {
        let (walk, mut budget) = (&mut self.search.walk, SLICE);
        walk.clear();
        match next {
            Position::Gipf(game) => walk.go_on(game, seen, &self.history, &mut budget),
            Position::Yinsh(game) => walk.go_on(game, seen, &self.history, &mut budget),
            _ => false,
        };
        let is_finished = !walk.found.is_empty();
        walk.clear();
        is_finished
    }
}

/// GIPF and YINSH: on which ways from a position a picture lies.
fn ways_of(from: &Position, seen: &Picture) -> Ways {
    match from {
        Position::Gipf(game) => ways(game, seen),
        Position::Yinsh(game) => ways(game, seen),
        _ => Ways::NONE,
    }
}
