//! From a result to the record: how long it must rest, and what is expected afterwards.

use super::effect::{Act, Effect, Effects, Notice};
use super::picture::Event;
use super::reading::{Explained, Rank};
use super::{END_MS, Referee, TAKE_MS, chips, lights, say, stacks};
use crate::games::Game;
use crate::games::any::{Position, Step};
use crate::geometry::{Board, Cell, CellSet, PointSet};
use crate::sense::{REST_MS, Reference, Sense};

/// A cover is found at most so long after it lies there, ms: its window, and what noise adds.
const FOUND_MS: u32 = REST_MS + 75;

/// A chip held still 2 mm up reads 43 codes, one that lies 3 mm off 56.
const HOVERING_MAX: i16 = 47;

impl Referee {
    /// Whether a result has been at rest for as long as it needs.
    pub(super) fn has_settled(&self, sense: &Sense, result: &Explained) -> bool {
        if self.settle_ms == 0 {
            return false;
        }
        let over = result.turn.position.outcome().is_some();
        let amends = match result.rank {
            Rank::Amended | Rank::AmendedBefore => true,
            // Nothing shows how many pieces went back: the others may follow.
            Rank::TakenBack => {
                let last = self.record.steps().last().and_then(|&last| lights::ends(last));
                last.is_some_and(|(from, _)| stacks::height(&result.turn.position, from) > 1)
            }
            Rank::Further => false,
        };
        let wait_ms = match self.settle_ms {
            // Also while what was swept is being put back.
            settle_ms if over || self.swept || self.is_swept() => settle_ms.max(END_MS),
            settle_ms
                if result.turn.chosen
                    || amends
                    || self.is_half_seen(result)
                    || self.may_hover(sense, result) =>
            {
                settle_ms.max(TAKE_MS)
            }
            settle_ms => settle_ms,
        };
        // A cover may change no class, and too slowly to be felt.
        let ends = result.turn.steps.iter().filter_map(|&step| lights::ends(step));
        let ends: CellSet = ends.map(|(_, to)| to).collect();
        let changed = self.picture.differs(&self.expected) | self.history.cells() | ends;
        sense.still_ms(self.with_neighbours(changed)) >= wait_ms
            && (!self.is_cover(result) || self.has_lain(wait_ms))
    }

    /// GLÜX: whether a result puts a chip on another one.
    fn is_cover(&self, result: &Explained) -> bool {
        matches!(result.turn.steps.first(), Some(Step::Glux(step)) if self.expected.at(step.cell).is_some())
    }

    /// GLÜX: whether the new chip has lain there for this time. One that is carried over another may
    /// change its value as a cover does, too slowly to be felt; rest tells nothing then.
    fn has_lain(&self, wait_ms: u32) -> bool {
        self.now_ms.wrapping_sub(self.found.1).saturating_add(FOUND_MS) >= wait_ms
    }

    /// Whether a result changes what no sensor shows: somebody may still be at work there.
    fn is_half_seen(&self, result: &Explained) -> bool {
        let changed = self.expected.differs(&result.turn.position.table());
        !(changed & self.picture.dead).is_empty()
    }

    /// GLÜX: whether the new chip may still be held over its square: at rest it is rarely so weak.
    fn may_hover(&self, sense: &Sense, result: &Explained) -> bool {
        let Some(&Step::Glux(step)) = result.turn.steps.first() else { return false };
        let is_new = self.expected.at(step.cell).is_none();
        is_new && sense.rested(self.board().point(step.cell)).abs() < HOVERING_MAX
    }

    /// The points of these cells and of those next to them.
    pub(super) fn with_neighbours(&self, cells: CellSet) -> PointSet {
        let board = self.board();
        let playfield = board.playfield();
        let mut points = PointSet::EMPTY;
        for point in cells.iter().map(|cell| board.point(cell)) {
            points.insert(point);
            points |=
                playfield.directions().filter_map(|d| playfield.neighbour(point, d)).collect();
        }
        points
    }

    /// Takes back what the result takes back and makes its steps. Apart, because stack is scarce.
    #[inline(never)]
    pub(super) fn commit(
        &mut self,
        now_ms: u32,
        sense: &mut Sense,
        result: &Explained,
        effects: &mut Effects,
    ) {
        let made = self.record.steps_from(result.keep);
        let same = made.iter().zip(&result.turn.steps).take_while(|(a, b)| a == b).count();
        let others = made[same..].iter().chain(&result.turn.steps[same..]);
        let own = others.filter_map(|&step| lights::ends(step)).map(|(_, to)| to).collect();
        if same < made.len() {
            self.go_back(result.keep + same);
            say(effects, Effect::Undone(self.record.count()));
        }
        for &step in &result.turn.steps[same..] {
            if self.record.push(step) {
                say(effects, Effect::Notice(Notice::CheckpointMade));
            }
            say(effects, self.committed(step));
        }
        self.commit_ms = now_ms;
        (self.told, self.proposed) = (None, None);
        self.cover_change = self.seen_cover(sense);
        let changed = self.expected.differs(&self.record.position().table());
        let unseen = changed & (self.picture.dead - self.debris);
        if !unseen.is_empty() {
            say(effects, Effect::Notice(Notice::Trusted(unseen)));
        }
        let early = self.early_landings(sense, result.rank, own);
        self.adopt(sense, early);
        self.prompt_due(effects);
    }

    /// Where something comes down while a result is committed that has nothing to do with it; `own` is
    /// where its steps end.
    fn early_landings(&self, sense: &Sense, rank: Rank, own: CellSet) -> CellSet {
        let is_further = rank == Rank::Further;
        match self.record.position() {
            Position::Glux(game) => {
                let is_changing = |&cell: &Cell| sense.is_changing(game.board().point(cell));
                let chips = game.table().occupied() - own;
                let coming: CellSet = chips.iter().filter(is_changing).collect();
                let covered = chips::covered_early(game, sense, &self.history);
                if is_further { covered | coming } else { coming }
            }
            Position::Dvonn(_) | Position::Lyngk(_) if is_further => {
                stacks::landed_early(&self.record, &self.picture, sense)
            }
            _ => CellSet::EMPTY,
        }
    }

    /// What is said of the step just made.
    pub(super) fn committed(&self, step: Step) -> Effect {
        let (position, count) = (self.record.position(), self.record.count());
        Effect::Committed { step, count, turn: position.turn(), outcome: position.outcome() }
    }

    /// GLÜX: by how much the chip under the last one changed; `None` if it lies on none.
    fn seen_cover(&self, sense: &Sense) -> Option<i16> {
        let (Position::Glux(game), Some(&Step::Glux(last))) =
            (self.record.position(), self.record.steps().last())
        else {
            return None;
        };
        game.lower(last.cell)?;
        sense.change(game.board().point(last.cell), Reference::Commit)
    }

    /// What was to be cleared may be needed again.
    pub(super) fn go_back(&mut self, count: usize) {
        self.record.go_back(count);
        (self.cover_change, self.proposed) = (None, None);
        self.debris = CellSet::EMPTY;
    }

    /// The position has changed: from now on its table is expected. What is in the hand stays in
    /// the history, and what came onto another piece `early` stays a change.
    pub(super) fn adopt(&mut self, sense: &mut Sense, early: CellSet) {
        self.expected = self.record.position().table();
        (self.in_the_air, self.swapped, self.left) = (CellSet::EMPTY, None, CellSet::EMPTY);
        (self.end_read, self.lost) = (stacks::EndRead::NONE, CellSet::EMPTY);
        self.settle_down(sense);
        self.know_expected();
        let board = self.board();
        let all = PointSet::first(board.playfield().point_count());
        sense.mark_at(Reference::Commit, all - points(board, early));
        sense.mark(Reference::Lift);
        sense.mark(Reference::Touch);
        let seen = self.picture.occupied() | self.picture.dead;
        for cell in self.expected.occupied() - seen {
            self.history.note(Event::Lift(cell));
        }
        for cell in self.picture.table.occupied() - self.expected.occupied() {
            self.history.note(Event::Put(cell));
        }
    }

    /// Nothing is going on any more.
    pub(super) fn settle_down(&mut self, sense: &mut Sense) {
        let board = self.board();
        let all = PointSet::first(board.playfield().point_count());
        sense.set_should_be_empty(all - points(board, self.expected.occupied()));
        self.history.clear();
        self.forget_search();
    }

    /// Nothing is looked for or asked any more.
    pub(super) fn forget_search(&mut self) {
        self.search.clear();
        self.reading.clear();
        self.provisional = None;
        self.question.close();
        self.swept = false;
    }

    pub(super) fn back_in_play(&mut self, effects: &mut Effects) {
        if self.refused.take().is_some() {
            say(effects, Effect::BackInPlay);
        }
        let is_idle = self.picture.agrees(&self.expected) && !self.reading.on_the_way;
        if self.question.end(self.now_ms) || is_idle {
            self.prompted = self.prompted.filter(|(act, _)| *act == Act::Take);
        }
    }
}

/// The points of these cells.
fn points(board: &Board, cells: CellSet) -> PointSet {
    cells.iter().map(|cell| board.point(cell)).collect()
}
