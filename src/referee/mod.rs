//! The referee: explains what is seen by what is legal; commits, asks, refuses, leads.
//!
//! It holds the game, the *expected table* (what should lie on the board now) and a picture of what
//! is seen. Whenever the picture changes it looks for an explanation, in this order:
//!
//! ```text
//!   1  the expected table          nothing is going on          needs no search, comes first
//!   2  finished from here          further steps of this turn
//!   3  this turn amended           other steps of this turn
//!   4  the last turn taken back
//!   5  the last turn amended
//!   6  an early reply              from the provisional result: commit it, go on
//!   7  on the way                  lights lead, nobody is hurried
//!   8  nothing legal               which rule, and where
//! ```
//!
//! Two principles. *Finished decides commits, on the way decides lights only*: people may do things
//! in an order nobody thought of. *A step needs evidence*: that it is the only legal explanation is
//! no proof, because people make illegal moves. Several results that nothing tells apart are a
//! question, never a guess.
//!
//! **The invariant** everything rests on: from any state, putting the pieces as the expected table
//! says brings the game back into play, with nothing lost.
//!
//! The caller gives every scan of [`Sense`] and every key, with the time, and gets [`Effects`]; what
//! the lights mean is [`Referee::meanings`]. Colours, lamps, texts and sounds are others' matters.
//!
//! Not in yet, and said so here until it is:
//! - OK for a YINSH ring that was given without being seen to land; YINSH without taught gains (a
//!   marker 3 mm off may read as a pair);
//! - GLÜX covers taken back by hand, or made by lifting the lower chip;
//! - stack games: a reply before an unseen landing was asked for; a stack split (D6, L9) or toppled
//!   being pointed out; LYNGK's left-over check; "show tops";
//! - dead points listed at the set-up, settling by OK only, breathing hints, the winner's lights;
//! - at the hard stop of the search, going on step by step.
//!
//! What happens at the limits: more than 32 events without a rest at the expected table make the
//! history unclear, and what needs it (landings) becomes a question; a search is done in slices of
//! 256 steps a scan and given up after 8,192; after 2,048 steps the way back ends where the memory
//! was full.

mod chips;
mod effect;
mod lights;
mod picture;
mod reading;
mod record;
mod refuse;
mod stacks;
mod timing;
mod walk;

use crate::games::any::{Position, Reason, Setup, Step};
use crate::games::glux::{self, Spots};
use crate::games::lyngk;
use crate::games::{Game, Id, Table};
use crate::geometry::{Board, Cell, CellSet, PointSet};
use crate::sense::{Class, Events, Profile, Reference, Sense};

pub use effect::{Act, Ask, CANDIDATES_MAX, EFFECTS_MAX, Effect, Effects, Notice, Refused, Why};
pub use picture::{HISTORY_MAX, Picture};
pub use record::STEPS_MAX;
pub use timing::*;

use picture::{Event, History};
use reading::{Explained, Rank, Reading, Todo};
use record::{Part, Record, part};
use walk::{SLICE, Turn, Walk, Ways, ways};

/// A key of the board, as far as the referee is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    /// K1 to K6, counted from 1: a colour to claim, a value, a candidate.
    Number(u8),
    /// Confirms.
    Ok,
    /// Takes back: a question, else a step.
    Undo,
}

/// What is going on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// The pieces are being laid out for the beginning.
    SetUp,
    /// The pieces are being put back to an earlier position.
    Restore,
    /// The game is on, or over.
    Play,
}

/// The walks of one picture, one after the other.
#[derive(Clone, Default, Debug)]
struct Search {
    /// Which of [`ROOTS`] is being walked; all of them when the search is done.
    root: usize,
    walk: Walk,
}

/// An open question.
struct Question {
    options: Options,
    /// How much of the history was before it.
    asked_at: usize,
    /// It is about something no picture shows, and stays open while the board looks as expected.
    is_unseen: bool,
}

/// What a question leaves to choose from.
#[allow(clippy::large_enum_variant)] // there is one question at a time, and no heap
enum Options {
    /// Results that nothing tells apart.
    Results(heapless::Vec<Explained, { walk::RESULTS_MAX }>),
    /// Steps that were not seen as a whole; there may be more than can be numbered.
    Steps(heapless::Vec<Step, { reading::UNPROVED_MAX }>),
}

impl Options {
    /// All of them, in the order of their numbers.
    fn iter(&self, record: &Record) -> impl Iterator<Item = Explained> {
        let (results, steps): (&[Explained], &[Step]) = match self {
            Options::Results(results) => (results, &[]),
            Options::Steps(steps) => (&[], steps),
        };
        let by_step = |&step: &Step| Explained::step(record.position(), record.count(), step);
        results.iter().cloned().chain(steps.iter().map(by_step))
    }
}

/// Takings after which an early move of the next player is looked for; five rings are the most but
/// for rows of many GIPF-pieces.
const HELD_MAX: usize = 8;

/// From where turns are looked for.
const ROOTS: [Rank; 3] = [Rank::Further, Rank::Amended, Rank::AmendedBefore];

/// The referee of one game.
pub struct Referee {
    record: Record,
    expected: Table,
    phase: Phase,
    picture: Picture,
    /// What is known of occupied cells: as expected at the last commit, and then by each change.
    known: Table,
    history: History,
    search: Search,
    reading: Reading,
    /// The last result that was at rest, but not yet for its settle time.
    provisional: Option<Explained>,
    /// Whether the board looked as expected since: then only a finished reply counts, such as a push
    /// in GIPF that moves on the piece just brought in.
    is_stale: bool,
    /// A refusal that was said and not yet mended.
    refused: Option<Refused>,
    /// What was last asked to be done.
    prompted: Option<(Act, CellSet)>,
    /// What was asked and not yet answered.
    question: Option<Question>,
    /// Stacks that were to be cleared before play went on: they may stand or be taken off.
    debris: CellSet,
    /// Stacks that were in the air together.
    in_the_air: CellSet,
    /// Stacks that may stand in each other's places, and since when that is asked.
    swapped: Option<(CellSet, u32)>,
    /// GLÜX: the value told, and when.
    told: Option<(Spots, u32)>,
    settle_ms: u32,
    /// When something last moved on the board.
    unrest_ms: u32,
    /// When a player last committed a step.
    commit_ms: u32,
    /// When the first of the lifts that may be a sweep happened.
    sweep_ms: u32,
    swept: bool,
}

impl Referee {
    /// A game that begins: the set-up is to be laid out first.
    pub fn new(setup: &Setup) -> Referee {
        let record = Record::new(&setup.position());
        let expected = record.position().table();
        Referee {
            record,
            expected,
            phase: Phase::SetUp,
            picture: Picture::default(),
            known: Table::default(),
            history: History::default(),
            search: Search::default(),
            reading: Reading::default(),
            provisional: None,
            is_stale: false,
            refused: None,
            prompted: None,
            question: None,
            debris: CellSet::EMPTY,
            in_the_air: CellSet::EMPTY,
            swapped: None,
            told: None,
            settle_ms: SETTLE_MS,
            unrest_ms: 0,
            commit_ms: 0,
            sweep_ms: 0,
            swept: false,
        }
    }

    /// A game that goes on after these steps: the pieces are to be put as they were. A step that
    /// is not legal ends it: what came before it stands, and the number of steps taken is returned
    /// beside the referee.
    pub fn resume(setup: &Setup, steps: impl IntoIterator<Item = Step>) -> (Referee, usize) {
        let mut referee = Referee::new(setup);
        for step in steps {
            if referee.record.position().check(step).is_err() {
                break;
            }
            referee.record.push(step);
        }
        if referee.record.count() > 0 {
            referee.phase = Phase::Restore;
        }
        referee.expected = referee.record.position().table();
        let count = referee.record.count();
        (referee, count)
    }

    /// Chooses the settle time; out of [`SETTLE_RANGE_MS`] the nearest that is in it.
    pub fn set_settle_ms(&mut self, settle_ms: u32) {
        self.settle_ms = settle_ms.clamp(*SETTLE_RANGE_MS.start(), *SETTLE_RANGE_MS.end());
    }

    /// The position as committed.
    pub fn position(&self) -> &Position {
        self.record.position()
    }

    /// How many steps were made.
    pub fn step_count(&self) -> usize {
        self.record.count()
    }

    /// The last steps made, as many as are kept.
    pub fn steps(&self) -> &[Step] {
        self.record.steps()
    }

    /// What should lie on the board.
    pub fn expected(&self) -> &Table {
        &self.expected
    }

    /// What is seen on the board.
    pub fn picture(&self) -> &Picture {
        &self.picture
    }

    /// Whether the game is on and nothing is wrong, asked or to be restored.
    pub fn is_in_play(&self) -> bool {
        self.phase == Phase::Play && self.refused.is_none() && self.question.is_none()
    }

    /// The pieces in use, for [`Sense`].
    pub fn profile(&self) -> Profile {
        match self.record.position().id() {
            Id::Yinsh | Id::YinshBlitz => Profile::Rings,
            Id::Glux2 | Id::Glux3 | Id::Glux4 => Profile::Chips,
            _ => Profile::Pieces,
        }
    }

    fn board(&self) -> &'static Board {
        self.record.position().board()
    }

    /// Takes in what a scan of `sense` showed and changed.
    pub fn scan(&mut self, now_ms: u32, sense: &mut Sense, events: &Events) -> Effects {
        let mut effects = Effects::new();
        self.observe(now_ms, sense, events, &mut effects);
        match self.phase {
            Phase::SetUp | Phase::Restore => self.lead(sense, now_ms, &mut effects),
            Phase::Play => self.explain(now_ms, sense, &mut effects),
        }
        effects
    }

    /// Takes in a key that was pressed.
    pub fn key(&mut self, now_ms: u32, sense: &mut Sense, key: Key) -> Effects {
        let mut effects = Effects::new();
        match key {
            Key::Ok => self.confirm(now_ms, sense, &mut effects),
            Key::Undo => self.undo(now_ms, sense, &mut effects),
            Key::Number(number) => self.number(now_ms, sense, number, &mut effects),
        }
        effects
    }

    /// Brings picture and history up to date.
    fn observe(&mut self, now_ms: u32, sense: &mut Sense, events: &Events, effects: &mut Effects) {
        self.told = self.told.filter(|&(_, at)| now_ms.wrapping_sub(at) < TOLD_MS);
        let board = self.board();
        let cells = |points: PointSet| points.iter().filter_map(|point| board.cell(point));
        for cell in cells(events.lifted) {
            if self.history.lifted().is_empty() {
                sense.mark(Reference::Lift);
                self.sweep_ms = now_ms;
            }
            self.history.note(Event::Lift(cell));
            self.known.clear(cell);
        }
        for cell in cells(events.touched | events.put) {
            self.know(sense, cell);
        }
        for cell in cells(events.touched) {
            self.refuse_cover(sense, cell, effects);
            let point = board.point(cell);
            let since_lift = sense.change(point, Reference::Lift).unwrap_or(0);
            self.history.note(Event::Touch(cell, since_lift));
        }
        for cell in cells(events.put) {
            self.history.note(Event::Put(cell));
        }
        let mut picture = Picture::of(sense, self.profile(), board, &self.known);
        self.debris &= picture.occupied();
        picture.ignore(self.debris);
        let gone = self.expected.occupied() - picture.occupied() - picture.dead;
        if gone.len() > 1 {
            self.in_the_air |= gone;
        }
        self.swapped = self
            .swapped
            .filter(|&(_, since_ms)| gone.is_empty() && now_ms.wrapping_sub(since_ms) < SWAP_MS);
        let foreign = picture.overload.len() > FOREIGN_POINTS;
        if foreign && self.picture.overload.len() <= FOREIGN_POINTS {
            let points = picture.overload.iter().map(|cell| board.point(cell)).collect();
            say(effects, Effect::Notice(Notice::Foreign(points)));
        }
        if !picture.is_still() {
            self.unrest_ms = now_ms;
        }
        let is_news = picture != self.picture || *events != Events::default();
        self.picture = picture;
        if is_news {
            self.search = Search::default();
            self.reading = Reading::default();
        }
    }

    /// What lies as expected is known to be what it should.
    fn know_expected(&mut self) {
        let right = self.expected.occupied() - self.picture.differs(&self.expected);
        for cell in right {
            if let Some((sign, strength)) = self.expected.at(cell) {
                self.known.clear(cell);
                self.known.put(cell, sign, strength);
            }
        }
    }

    /// Keeps what a cell shows after a change: the change tells more than the level.
    fn know(&mut self, sense: &Sense, cell: Cell) {
        let point = self.board().point(cell);
        let class = match self.known.at(cell) {
            Some((_, was)) => sense.class_knowing(point, was, Reference::Touch),
            None => sense.class(point),
        };
        self.known.clear(cell);
        if let Class::Piece(strength, sign) = class {
            self.known.put(cell, sign, strength);
        }
    }

    /// GLÜX: refuses a chip that was put where none may be covered, if a value was told for it.
    fn refuse_cover(&self, sense: &Sense, cell: Cell, effects: &mut Effects) {
        let Position::Glux(game) = self.record.position() else { return };
        let Some((spots, _)) = self.told.filter(|_| self.phase == Phase::Play) else { return };
        if self.refused.is_none()
            && chips::has_changed(game, sense, cell)
            && let Err(refusal) = game.check(glux::Step { cell, spots })
        {
            let (why, cells) = (Why::Step(Reason::Glux(refusal.reason)), refusal.cells);
            let refused = Refused { why, cells: cells | CellSet::of(cell) };
            say(effects, Effect::Refused(refused));
            say(effects, Effect::BackInPlay);
        }
    }

    /// The number keys that mean something now, a bit for each, K1 the lowest: for their lamps.
    pub fn live_keys(&self, now_ms: u32) -> u8 {
        let bit = |number: usize| 1 << number;
        if self.question.is_some() {
            return (0..self.candidates().len()).map(bit).sum();
        }
        match self.record.position() {
            _ if self.phase != Phase::Play => 0,
            Position::Lyngk(_) if now_ms.wrapping_sub(self.commit_ms) < CLAIM_GUARD_MS => 0,
            Position::Lyngk(game) => {
                let legal = |&n: &usize| {
                    stacks::claim(n as u8 + 1).is_some_and(|claim| game.check(claim).is_ok())
                };
                (0..CANDIDATES_MAX).filter(legal).map(bit).sum()
            }
            Position::Glux(game) => {
                let lying = self.reading.todo.put.lowest();
                let seen = lying.and_then(|cell| self.picture.table.at(cell));
                let covers = lying.is_some_and(|cell| self.expected.at(cell).is_some());
                let fits = |face: &Spots| covers || seen.is_none_or(|(s, _)| s == face.sign());
                chips::faces(game).filter(fits).map(|f| bit(usize::from(f.number()) - 1)).sum()
            }
            _ => 0,
        }
    }

    /// Set-up and restore: a picture to reach.
    fn lead(&mut self, sense: &mut Sense, now_ms: u32, effects: &mut Effects) {
        if self.picture.agrees(&self.expected) {
            let needs_ok = !self.expected.occupied().is_empty();
            match self.phase {
                Phase::SetUp if needs_ok => return,
                Phase::SetUp => say(effects, Effect::Started),
                _ => say(effects, Effect::BackInPlay),
            }
            self.begin(sense);
        } else if self.picture.is_still() && now_ms.wrapping_sub(self.unrest_ms) >= QUIET_MS {
            let act = if self.phase == Phase::SetUp { Act::SetUp } else { Act::Restore };
            let cells = self.picture.differs(&self.expected);
            self.prompt(act, cells, effects);
        }
    }

    fn begin(&mut self, sense: &mut Sense) {
        self.phase = Phase::Play;
        self.know_expected();
        self.refused = None;
        self.settle_down(sense);
        sense.mark(Reference::Commit);
    }

    /// Looks for an explanation of the picture.
    fn explain(&mut self, now_ms: u32, sense: &mut Sense, effects: &mut Effects) {
        if self.picture.agrees(&self.expected) && !self.is_changed(sense) {
            let question = self.question.take_if(|question| question.is_unseen);
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
            self.question = question;
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
        } else if now_ms.wrapping_sub(self.unrest_ms) >= ASK_MS {
            self.ask(Ask::Which, Options::Results(self.reading.results.clone()), effects);
        }
    }

    /// Whether something happened that changes no class: GLÜX, a chip on another; DVONN and LYNGK,
    /// a stack that went on to another target.
    fn is_changed(&self, sense: &Sense) -> bool {
        match self.record.position() {
            Position::Glux(game) => !chips::covered(game, sense, &self.history).is_empty(),
            Position::Dvonn(_) | Position::Lyngk(_) => {
                stacks::moved_on(&self.record, &self.picture, &self.history, sense).is_some()
            }
            _ => false,
        }
    }

    /// DVONN and LYNGK: different stacks were in the air together and are back.
    fn guard_swap(&mut self, now_ms: u32, effects: &mut Effects) {
        let cells = core::mem::take(&mut self.in_the_air);
        if stacks::are_different(self.record.position(), cells) {
            self.swapped = Some((cells, now_ms));
            say(effects, Effect::Notice(Notice::Swapped(cells)));
        }
    }

    /// Finds what the picture can be; `false` while a search is under way.
    fn read(&mut self, sense: &Sense) -> bool {
        match self.record.position() {
            Position::Gipf(_) | Position::Yinsh(_) => self.walk(),
            Position::Dvonn(_) | Position::Lyngk(_) => {
                self.reading = stacks::read(&self.record, &self.picture, &self.history, sense);
                true
            }
            Position::Glux(_) => {
                let told = self.told.map(|(spots, _)| spots);
                self.reading = chips::read(&self.record, &self.picture, &self.history, sense, told);
                true
            }
        }
    }

    /// GIPF and YINSH: goes on with the walks; `true` when all are done.
    fn walk(&mut self) -> bool {
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
                for turn in core::mem::take(&mut self.search.walk.found) {
                    let amended = rank != Rank::Further;
                    if !amended || self.is_amended(&position, keep, &turn) {
                        self.reading.add(Explained { rank, keep, turn });
                    }
                }
            }
            self.search = Search { root: self.search.root + 1, walk: Walk::default() };
        }
        let reading = self.ways(&self.record.position().clone());
        (self.reading.on_the_way, self.reading.todo) = reading;
        true
    }

    /// Whether it was seen that a turn from `root` was made instead of the one committed: another
    /// main step must have brought its pieces to where it has them. Without that it is only another
    /// way to remove the same pieces.
    fn is_amended(&self, root: &Position, keep: usize, turn: &Turn) -> bool {
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
    fn root(&self, rank: Rank) -> Option<(Position, usize)> {
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
    fn ways(&self, from: &Position) -> (bool, Todo) {
        let ways = ways_of(from, &self.picture);
        let seen = self.picture.certain();
        // What was brought in may still go to any of its ends; else something is left to be done.
        let ends = ways.ends - seen.differs(&from.table());
        let todo = if ends.is_empty() {
            // A run of GIPF that is not pushed on yet differs in sign too; nothing is turned there.
            let turns = matches!(from, Position::Yinsh(_)) && ways.results == 1;
            let flip = if turns { Todo::towards(&ways.result, &seen).flip } else { CellSet::EMPTY };
            Todo { put: ways.lacking, take: ways.off & seen.occupied(), flip, ..Todo::default() }
        } else {
            Todo { origins: ways.origins, ends, ..Todo::default() }
        };
        (ways.results > 0, todo)
    }

    /// No result explains the picture.
    fn without_result(&mut self, now_ms: u32, sense: &mut Sense, effects: &mut Effects) {
        if let Some(early) = self.early_reply() {
            self.back_in_play(effects);
            self.commit(now_ms, sense, &early, effects);
            return;
        }
        if self.question.is_some() {
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
                let steps = self.reading.unproved.clone();
                self.ask(Ask::Landing, Options::Steps(steps), effects);
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

    /// GLÜX: a chip lies there, its value is not told or does not fit the face.
    fn ask_value(&mut self, effects: &mut Effects) {
        let cells = self.reading.todo.put;
        let other_half = self.told.is_some().then(|| cells.lowest()).flatten();
        if self.prompted == Some((Act::Answer, cells)) && other_half.is_none() {
            return;
        }
        match other_half {
            Some(cell) => {
                self.told = None;
                say(effects, Effect::Notice(Notice::OtherHalf(cell)));
            }
            None => self.prompt(Act::Answer, cells, effects),
        }
    }

    /// The provisional result, if the next player's hand is already at work on it.
    fn early_reply(&self) -> Option<Explained> {
        let provisional = self.provisional.as_ref()?;
        let next = &provisional.turn.position;
        next.turn()?;
        let is_reply = match next {
            // A second chip is part of the reading.
            Position::Glux(_) => false,
            Position::Gipf(_) | Position::Yinsh(_) => {
                !self.is_stale && self.ways(next).0 || self.is_finished_from(next, &self.picture)
            }
            _ if self.is_stale => false,
            _ => stacks::is_reply(provisional, &self.expected, &self.picture, &self.history),
        };
        is_reply.then(|| provisional.clone())
    }

    /// GIPF and YINSH: whether something is still to be taken off and the rest of the picture is
    /// what the next player may make of it.
    fn is_held(&self) -> bool {
        let position = self.record.position();
        let due = self.due();
        let takings = position.steps().filter(|&step| part(step) == Part::Taking);
        takings.take(HELD_MAX).any(|step| {
            let mut next = *position;
            next.play_unchecked(step);
            let seen = self.picture.with(due, &next.table());
            ways_of(&next, &seen).results > 0 || self.is_finished_from(&next, &seen)
        })
    }

    /// Whether a turn from this position ends in the picture; looked at in one go, because it is
    /// nearly always a single step.
    fn is_finished_from(&self, next: &Position, seen: &Picture) -> bool {
        let (mut walk, mut budget) = (Walk::default(), SLICE);
        match next {
            Position::Gipf(game) => walk.go_on(game, seen, &self.history, &mut budget),
            Position::Yinsh(game) => walk.go_on(game, seen, &self.history, &mut budget),
            _ => false,
        };
        !walk.found.is_empty()
    }

    /// Whether a result has been at rest for as long as it needs.
    fn has_settled(&self, sense: &Sense, result: &Explained) -> bool {
        let over = result.turn.position.outcome().is_some();
        let amends = matches!(result.rank, Rank::Amended | Rank::AmendedBefore);
        let wait_ms = match self.settle_ms {
            settle_ms if over || self.swept => settle_ms.max(END_MS),
            settle_ms if result.turn.chosen || amends => settle_ms.max(TAKE_MS),
            settle_ms => settle_ms,
        };
        let changed = self.picture.differs(&self.expected) | self.history.cells();
        sense.still_ms(self.with_neighbours(changed)) >= wait_ms
    }

    /// The points of these cells and of those next to them.
    fn with_neighbours(&self, cells: CellSet) -> PointSet {
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

    /// Takes back what the result takes back and makes its steps.
    fn commit(
        &mut self,
        now_ms: u32,
        sense: &mut Sense,
        result: &Explained,
        effects: &mut Effects,
    ) {
        let made = self.record.steps_from(result.keep);
        let same = made.iter().zip(&result.turn.steps).take_while(|(a, b)| a == b).count();
        if same < made.len() {
            self.go_back(result.keep + same);
            say(effects, Effect::Undone(self.record.count()));
        }
        for &step in &result.turn.steps[same..] {
            if self.record.push(step) {
                say(effects, Effect::Notice(Notice::CheckpointMade));
            }
            say(effects, Effect::Committed(step, self.record.count()));
        }
        self.commit_ms = now_ms;
        self.told = None;
        self.adopt(sense);
        self.prompt_due(effects);
    }

    /// What was to be cleared may be needed again.
    fn go_back(&mut self, count: usize) {
        self.record.go_back(count);
        self.debris = CellSet::EMPTY;
    }

    /// The position has changed: from now on its table is expected. What is in the hand stays in
    /// the history.
    fn adopt(&mut self, sense: &mut Sense) {
        self.expected = self.record.position().table();
        (self.in_the_air, self.swapped) = (CellSet::EMPTY, None);
        self.settle_down(sense);
        self.know_expected();
        sense.mark(Reference::Commit);
        sense.mark(Reference::Lift);
        let seen = self.picture.occupied() | self.picture.dead;
        for cell in self.expected.occupied() - seen {
            self.history.note(Event::Lift(cell));
        }
        for cell in self.picture.table.occupied() - self.expected.occupied() {
            self.history.note(Event::Put(cell));
        }
    }

    /// Nothing is going on any more.
    fn settle_down(&mut self, sense: &mut Sense) {
        let board = self.board();
        let cells = CellSet::first(board.cell_count()) - self.expected.occupied();
        sense.set_should_be_empty(cells.iter().map(|cell| board.point(cell)).collect());
        self.history.clear();
        self.search = Search::default();
        self.reading = Reading::default();
        self.provisional = None;
        self.question = None;
        self.swept = false;
    }

    fn back_in_play(&mut self, effects: &mut Effects) {
        if self.refused.take().is_some() {
            say(effects, Effect::BackInPlay);
        }
        if self.question.take().is_some() || self.picture.agrees(&self.expected) {
            self.prompted = self.prompted.filter(|(act, _)| *act == Act::Take);
        }
    }

    fn refuse(&mut self, now_ms: u32, effects: &mut Effects) {
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
            position => refuse::refuse(position, &self.picture),
        };
        self.refused = Some(refused);
        self.prompted = None;
        say(effects, Effect::Refused(refused));
    }

    /// Says what is to be done, unless it was said already.
    fn prompt(&mut self, act: Act, cells: CellSet, effects: &mut Effects) {
        if self.prompted != Some((act, cells)) {
            self.prompted = Some((act, cells));
            say(effects, Effect::Prompt(act, cells));
        }
    }

    fn prompt_todo(&mut self, effects: &mut Effects) {
        let todo = self.reading.todo;
        for (act, cells) in [(Act::Flip, todo.flip), (Act::Take, todo.take), (Act::Put, todo.put)] {
            if !cells.is_empty() {
                self.prompt(act, cells, effects);
                return;
            }
        }
    }

    /// Says which pieces the player in turn has to take off.
    fn prompt_due(&mut self, effects: &mut Effects) {
        let due = self.due();
        if due.is_empty() {
            self.prompted = None;
        } else {
            self.prompt(Act::Take, due, effects);
        }
    }

    /// What the player in turn has to take off before anything else.
    fn due(&self) -> CellSet {
        let due = |position: &Position| match position {
            Position::Gipf(game) => walk::due(game),
            Position::Yinsh(game) => walk::due(game),
            _ => CellSet::EMPTY,
        };
        due(self.record.position())
    }

    /// Asks which of several it is.
    fn ask(&mut self, ask: Ask, options: Options, effects: &mut Effects) {
        if self.question.is_none() {
            let asked_at = self.history.events().len();
            let is_unseen = self.picture.agrees(&self.expected);
            self.question = Some(Question { options, asked_at, is_unseen });
            say(effects, Effect::Question(ask, self.candidates()));
        }
    }

    /// The cells to choose from, in the order of their numbers.
    fn candidates(&self) -> heapless::Vec<Cell, CANDIDATES_MAX> {
        let options = self.question.iter().flat_map(|q| q.options.iter(&self.record));
        options.take(CANDIDATES_MAX).map(|result| telling_cell(&self.expected, &result)).collect()
    }

    /// What was lifted and set down again since the question was asked.
    fn answer_by_hand(&self) -> Option<Explained> {
        let question = self.question.as_ref()?;
        let events = self.history.events().get(question.asked_at..)?;
        let is_tapped = |result: &Explained| {
            let cell = telling_cell(&self.expected, result);
            let lift = events.iter().position(|&event| event == Event::Lift(cell));
            lift.is_some_and(|at| events[at..].contains(&Event::Put(cell)))
                && self.picture.agrees(&result.turn.position.table())
        };
        let mut tapped = question.options.iter(&self.record).filter(is_tapped);
        tapped.next().filter(|_| tapped.next().is_none())
    }

    fn number(&mut self, now_ms: u32, sense: &mut Sense, number: u8, effects: &mut Effects) {
        if let Some(question) = &self.question {
            let index = usize::from(number).wrapping_sub(1);
            let chosen = question.options.iter(&self.record).take(CANDIDATES_MAX).nth(index);
            let fits = |c: &Explained| self.picture.agrees(&c.turn.position.table());
            if let Some(chosen) = chosen.filter(fits) {
                self.commit(now_ms, sense, &chosen, effects);
            }
            return;
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

    /// GLÜX: a value was told, for the chip to come or the one that lies there; right after a
    /// commit for the last one instead.
    fn tell(&mut self, now_ms: u32, sense: &mut Sense, number: u8, effects: &mut Effects) {
        let Position::Glux(game) = self.record.position() else { return };
        let Some(spots) = Spots::new(number) else { return };
        let in_play = self.picture.agrees(&self.expected);
        if in_play
            && now_ms.wrapping_sub(self.commit_ms) < self.settle_ms
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

    /// GLÜX: the last step with another value of the same half.
    fn other_value(&self, spots: Spots) -> Option<Explained> {
        let before = self.record.turn_before()?;
        let Some(&Step::Glux(last)) = self.record.steps().last() else { return None };
        let step = Step::Glux(glux::Step { spots, ..last });
        before.position.check(step).ok()?;
        let result = Explained::step(&before.position, before.count, step);
        // A covered square shows nothing of the upper chip's half; there it must not change.
        let same_half = last.spots.sign() == spots.sign();
        same_half.then_some(Explained { rank: Rank::AmendedBefore, ..result })
    }

    /// LYNGK: claims a colour, unless a stack is in the hand.
    fn claim(&mut self, now_ms: u32, number: u8, effects: &mut Effects) {
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
            say(effects, Effect::Committed(step, self.record.count()));
        }
    }

    /// OK: begins a game that is laid out, confirms the only answer to a question, leaves a row of
    /// GIPF-pieces standing, says that a step was made which no sensor shows.
    fn confirm(&mut self, now_ms: u32, sense: &mut Sense, effects: &mut Effects) {
        self.swapped = None;
        if let Some(question) = &self.question {
            let mut options = question.options.iter(&self.record);
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
            Phase::Play if self.picture.agrees(&self.expected) => {
                self.confirm_unseen(now_ms, sense, effects);
            }
            _ => {}
        }
    }

    /// A row left standing as a whole, or a step on points without a sensor to trust. The one is
    /// committed at once if there is only one such row; everything else is asked.
    fn confirm_unseen(&mut self, now_ms: u32, sense: &mut Sense, effects: &mut Effects) {
        let position = *self.record.position();
        let mut steps = heapless::Vec::<Step, { reading::UNPROVED_MAX }>::new();
        let mut is_left = true;
        for step in position.steps().filter(|&step| part(step) != Part::Claim) {
            let mut after = position;
            after.play_unchecked(step);
            let table = after.table();
            let changes_nothing = table == self.expected && part(step) == Part::Taking;
            let is_unseen = table != self.expected && self.picture.agrees(&table);
            if !changes_nothing && !is_unseen {
                continue;
            }
            is_left &= changes_nothing;
            // Two texts of one result are one; the lower is kept.
            let is_same = |other: &&mut Step| {
                let mut result = position;
                result.play_unchecked(**other);
                result == after
            };
            if let Some(same) = steps.iter_mut().find(is_same) {
                if lights::ends(step) < lights::ends(*same) {
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
            Some(_) => self.ask(Ask::Which, Options::Steps(steps), effects),
            None => {}
        }
    }

    /// UNDO: cancels a question, else takes a step back and leads the pieces there.
    fn undo(&mut self, now_ms: u32, sense: &mut Sense, effects: &mut Effects) {
        if self.question.take().is_some() {
            self.phase = Phase::Restore;
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
        self.go_back(self.record.count() - 1);
        say(effects, Effect::Undone(self.record.count()));
        self.adopt(sense);
        self.prompted = None;
        if has_debris || !self.picture.agrees(&self.expected) {
            self.phase = Phase::Restore;
            self.unrest_ms = now_ms;
        }
    }
}

/// GIPF and YINSH: on which ways from a position a picture lies.
fn ways_of(from: &Position, seen: &Picture) -> Ways {
    match from {
        Position::Gipf(game) => ways(game, seen),
        Position::Yinsh(game) => ways(game, seen),
        _ => Ways::default(),
    }
}

/// The cell by which people tell a result from others: where its main step ends.
fn telling_cell(expected: &Table, result: &Explained) -> Cell {
    let changed = expected.differs(&result.turn.position.table());
    let named = result.turn.steps.iter().find_map(|&step| lights::ends(step).map(|(_, to)| to));
    named.or(changed.lowest()).unwrap_or(Cell::new(0))
}

/// Nothing is lost when there is no room: the longest list of one call fits.
fn say(effects: &mut Effects, effect: Effect) {
    debug_assert!(!effects.is_full(), "more effects than a call can have");
    let _ = effects.push(effect);
}
