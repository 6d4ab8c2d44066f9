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
//! What happens at the limits: more than 32 events without a rest at the expected table make the
//! history unclear, and what needs it (landings) becomes a question; a search is done in slices of
//! at most 160 steps a scan and given up after 8,192: then takings are committed one at a time; after 2,048
//! steps the way back ends where the memory was full.

mod ask;
mod chips;
mod commit;
mod effect;
mod explain;
mod keys;
mod landing;
mod lead;
mod lights;
mod observe;
mod outlook;
mod picture;
mod reading;
mod record;
mod refuse;
mod stacks;
mod timing;
mod walk;

use crate::games::any::{Position, Reason, Setup, Step};
use crate::games::dvonn::Dvonn;
use crate::games::glux::Spots;
use crate::games::{self, Game, Table};
use crate::geometry::{Board, Cell, CellSet};
use crate::meaning::Kind;
use crate::sense::{Events, Profile, Sense};

pub use effect::{Act, Ask, CANDIDATES_MAX, EFFECTS_MAX, Effect, Effects, Notice, Refused, Why};
pub use outlook::Stage;
pub use picture::{HISTORY_MAX, Picture};
pub use record::STEPS_MAX;
pub use stacks::STACK_MAX;
pub use timing::*;

use ask::Question;
use picture::{History, NOTHING};
use reading::{Explained, Reading};
use record::Record;
use refuse::Refusal;
use stacks::EndRead;
use walk::Walk;

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
#[derive(Debug)]
struct Search {
    /// Which of the roots is being walked; all of them when the search is done.
    root: usize,
    walk: Walk,
    /// What may still be looked at in this scan.
    budget: u16,
    /// Beyond the roots: how many positions were looked at in vain, the provisional result and then
    /// those after a taking that is due.
    beyond: usize,
    /// One of these is being looked at.
    is_busy: bool,
    /// One of these explains the picture.
    is_held: bool,
    /// What is explained by this turn: the picture without what the other player has begun.
    seen: Picture,
}

impl Search {
    /// Begins anew, in place.
    fn clear(&mut self) {
        self.walk.clear();
        (self.root, self.beyond, self.is_busy, self.is_held) = (0, 0, false, false);
    }
}

/// The referee of one game.
#[allow(clippy::struct_excessive_bools)] // facts that have nothing to do with each other
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
    refused: Option<Refusal>,
    /// What was last asked to be done.
    prompted: Option<(Act, CellSet)>,
    /// What was asked and not yet answered.
    question: Question,
    /// DVONN and LYNGK: what the end of the last move read since it was committed.
    end_read: EndRead,
    /// DVONN and LYNGK: stacks that may have lost pieces since, by their last touch.
    lost: CellSet,
    /// Stacks that were to be cleared before play went on: they may stand or be taken off.
    debris: CellSet,
    /// What is in unrest and already looks otherwise: hardly felt, or a marker without its ring.
    fading: CellSet,
    /// Stacks that were in the air together.
    in_the_air: CellSet,
    /// Stacks that may stand in each other's places, and since when that is asked.
    swapped: Option<(CellSet, u32)>,
    /// GLÜX: the value told, and when.
    told: Option<(Spots, u32)>,
    /// GLÜX: where a step that was taken back covered a chip, until it is seen to come off.
    to_uncover: Option<Cell>,
    /// GLÜX: by how much the last step changed the chip it covered, if it was seen.
    cover_change: Option<i16>,
    /// GLÜX: where new chips were found to lie, and since when.
    found: (CellSet, u32),
    /// GLÜX: where new chips lay since the last commit that were taken away again.
    left: CellSet,
    /// A step that a host proposes: the lights lead through it.
    proposed: Option<Step>,
    /// The stack whose pieces were last told.
    stood: Option<Cell>,
    /// LYNGK's set-up: the colours of all points are shown.
    colours_shown: bool,
    /// The game was resumed, and the board not yet looked at.
    is_fresh: bool,
    /// Lights show what is legal.
    hints: bool,
    /// Rest before a commit; 0 until OK is pressed.
    settle_ms: u32,
    /// The time of the last scan.
    now_ms: u32,
    /// When something last happened, and whether that is so long ago that a hint is due.
    event_ms: u32,
    is_idle: bool,
    /// When something last moved on the board.
    unrest_ms: u32,
    /// When a player last committed a step.
    commit_ms: u32,
    /// When the first of the lifts that may be a sweep happened.
    sweep_ms: u32,
    swept: bool,
}

impl Referee {
    /// A referee without a game, for a `static`: it is far too large for a stack. Until
    /// [`Referee::start`] it looks after an empty board of DVONN.
    pub const fn vacant() -> Referee {
        Referee {
            record: Record::new(&Position::Dvonn(Dvonn::new())),
            expected: NOTHING,
            phase: Phase::SetUp,
            picture: Picture::EMPTY,
            known: NOTHING,
            history: History::new(),
            search: Search {
                root: 0,
                walk: Walk::new(),
                budget: 0,
                beyond: 0,
                is_busy: false,
                is_held: false,
                seen: Picture::EMPTY,
            },
            reading: Reading::new(),
            provisional: None,
            is_stale: false,
            refused: None,
            prompted: None,
            question: Question::new(),
            end_read: EndRead::NONE,
            lost: CellSet::EMPTY,
            debris: CellSet::EMPTY,
            fading: CellSet::EMPTY,
            in_the_air: CellSet::EMPTY,
            swapped: None,
            told: None,
            to_uncover: None,
            cover_change: None,
            found: (CellSet::EMPTY, 0),
            left: CellSet::EMPTY,
            proposed: None,
            stood: None,
            colours_shown: false,
            is_fresh: false,
            hints: true,
            settle_ms: SETTLE_MS,
            now_ms: 0,
            event_ms: 0,
            is_idle: false,
            unrest_ms: 0,
            commit_ms: 0,
            sweep_ms: 0,
            swept: false,
        }
    }

    /// Begins a game in place, whatever was before; options stay. The set-up is to be laid out.
    pub fn start(&mut self, setup: &Setup) {
        self.start_at(&setup.position(), 0);
    }

    fn start_at(&mut self, base: &Position, count: usize) {
        self.record.start(base, count);
        self.expected = self.record.position().table();
        self.phase = Phase::SetUp;
        (self.picture, self.known) = (Picture::EMPTY, NOTHING);
        self.history.clear();
        self.search.clear();
        self.reading.clear();
        self.question.close();
        (self.provisional, self.is_stale) = (None, false);
        (self.refused, self.prompted, self.told) = (None, None, None);
        (self.to_uncover, self.end_read, self.lost) = (None, EndRead::NONE, CellSet::EMPTY);
        (self.debris, self.in_the_air, self.swapped) = (CellSet::EMPTY, CellSet::EMPTY, None);
        (self.cover_change, self.proposed, self.stood) = (None, None, None);
        (self.found, self.left) = ((CellSet::EMPTY, 0), CellSet::EMPTY);
        (self.colours_shown, self.is_fresh, self.is_idle) = (false, false, false);
        (self.unrest_ms, self.commit_ms, self.sweep_ms, self.swept) = (0, 0, 0, false);
    }

    /// Goes on, in place, with a game after these steps: the pieces are to be put as they were. A
    /// step that is not legal ends it: what came before it stands. Returns how many were taken.
    pub fn start_from(&mut self, setup: &Setup, steps: impl IntoIterator<Item = Step>) -> usize {
        self.resume_at(&setup.position(), 0, steps)
    }

    /// The same for a game that stood at this position after so many steps that are not kept.
    pub fn resume_at(
        &mut self,
        base: &Position,
        count: usize,
        steps: impl IntoIterator<Item = Step>,
    ) -> usize {
        self.start_at(base, count);
        for step in steps {
            if self.record.position().check(step).is_err() {
                break;
            }
            self.record.push(step);
        }
        self.expected = self.record.position().table();
        if self.record.count() > 0 {
            (self.phase, self.is_fresh) = (Phase::Restore, true);
        }
        self.record.count()
    }

    /// As [`Referee::start`], by value: only where the stack is large.
    pub fn new(setup: &Setup) -> Referee {
        Referee::resume(setup, []).0
    }

    /// As [`Referee::start_from`], by value: only where the stack is large.
    pub fn resume(setup: &Setup, steps: impl IntoIterator<Item = Step>) -> (Referee, usize) {
        let mut referee = Referee::vacant();
        let count = referee.start_from(setup, steps);
        (referee, count)
    }

    /// Chooses the settle time: 0 waits for OK; what is out of [`SETTLE_RANGE_MS`] becomes the
    /// nearest that is in it.
    pub fn set_settle_ms(&mut self, settle_ms: u32) {
        let nearest = settle_ms.clamp(*SETTLE_RANGE_MS.start(), *SETTLE_RANGE_MS.end());
        self.settle_ms = if settle_ms == 0 { 0 } else { nearest };
    }

    /// Chooses whether the lights show what is legal. What is to be done and what is wrong they
    /// show in any case.
    pub fn set_hints(&mut self, hints: bool) {
        self.hints = hints;
    }

    /// Lets the lights lead people through a legal step that a host proposes, until a step is
    /// committed or taken back; `None` ends it. People may do something else all the same.
    pub fn propose(&mut self, step: Option<Step>) -> Result<(), games::Refusal<Reason>> {
        step.map_or(Ok(()), |step| self.record.position().check(step))?;
        self.proposed = step;
        Ok(())
    }

    /// The step that is proposed.
    pub fn proposed(&self) -> Option<Step> {
        self.proposed
    }

    /// DVONN and LYNGK: what should stand on a cell, bottom to top.
    pub fn stack(&self, cell: Cell) -> heapless::Vec<Kind, STACK_MAX> {
        stacks::kinds(self.record.position(), cell)
    }

    /// The position as committed.
    pub fn position(&self) -> &Position {
        self.record.position()
    }

    /// How many steps were made.
    pub fn step_count(&self) -> usize {
        self.record.count()
    }

    /// The last steps made: at least those of the current turn and the one before.
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
        self.phase == Phase::Play && self.refused.is_none() && !self.question.is_open()
    }

    /// What was said and is still open, for somebody who comes late: a question, a refusal, what is
    /// to be done.
    pub fn open(&self) -> Effects {
        let mut effects = Effects::new();
        if let Some(asked) = self.question.asked {
            say(&mut effects, Effect::Question(asked.ask, self.candidates()));
        }
        match self.refused {
            Some(_) if self.swept => say(&mut effects, Effect::Notice(Notice::Interrupted)),
            Some(refused) => say(&mut effects, Effect::Refused(refused.said)),
            None => {}
        }
        if let Some((act, cells)) = self.prompted {
            say(&mut effects, Effect::Prompt(act, cells));
        }
        effects
    }

    /// The pieces in use, for [`Sense`].
    pub fn profile(&self) -> Profile {
        match self.record.position() {
            Position::Yinsh(_) => Profile::Rings,
            Position::Glux(_) => Profile::Chips,
            Position::Gipf(_) | Position::Dvonn(_) | Position::Lyngk(_) => Profile::Pieces,
        }
    }

    fn board(&self) -> &'static Board {
        self.record.position().board()
    }

    /// Takes in what a scan of `sense` showed and changed.
    pub fn scan(&mut self, now_ms: u32, sense: &mut Sense, events: &Events) -> Effects {
        let mut effects = Effects::new();
        self.now_ms = now_ms;
        self.observe(now_ms, sense, events, &mut effects);
        match self.phase {
            Phase::SetUp | Phase::Restore => self.lead(sense, now_ms, &mut effects),
            Phase::Play => self.explain(now_ms, sense, &mut effects),
        }
        effects
    }

    /// Takes in a host's answer to the open question: one of its candidates, counted from 0.
    pub fn answer(&mut self, now_ms: u32, sense: &mut Sense, candidate: usize) -> Effects {
        let mut effects = Effects::new();
        self.answer_by(now_ms, sense, candidate, &mut effects);
        effects
    }

    /// Takes in a key that was pressed.
    pub fn key(&mut self, now_ms: u32, sense: &mut Sense, key: Key) -> Effects {
        let mut effects = Effects::new();
        (self.event_ms, self.is_idle) = (now_ms, false);
        if key != Key::Undo && self.has_moved_on() {
            self.question.close();
            return effects;
        }
        match key {
            Key::Ok => self.confirm(now_ms, sense, &mut effects),
            Key::Undo => self.undo(now_ms, sense, &mut effects),
            Key::Number(number) => self.number(now_ms, sense, number, &mut effects),
        }
        effects
    }
}

/// Nothing is lost when there is no room: the longest list of one call fits.
fn say(effects: &mut Effects, effect: Effect) {
    debug_assert!(!effects.is_full(), "more effects than a call can have");
    let _ = effects.push(effect);
}
