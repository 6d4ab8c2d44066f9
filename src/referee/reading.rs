//! What a picture can be: results that would explain it, and what is still to be done.

use heapless::Vec;

use super::picture::Picture;
use super::record::{Part, part};
use super::walk::{RESULTS_MAX, Turn, UNLANDED_MAX};
use crate::games::any::{Position, Step};
use crate::games::{Game, Table};
use crate::geometry::CellSet;
use crate::magnet::Sign;

/// Landings to choose from; a stack has at most 16 targets.
pub(super) const UNPROVED_MAX: usize = 16;

/// From where a result is reached; lower ones come first, but never decide alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Rank {
    /// Further steps of this turn.
    Further,
    /// Other steps of this turn.
    Amended,
    /// The turn before is taken back.
    TakenBack,
    /// The turn before was another one.
    AmendedBefore,
}

/// A result that explains the picture.
#[derive(Clone, Debug)]
pub(super) struct Explained {
    /// From where.
    pub(super) rank: Rank,
    /// The steps after which the others come; later ones are taken back.
    pub(super) keep: usize,
    /// The steps to make.
    pub(super) turn: Turn,
}

impl Explained {
    /// A single further step.
    pub(super) fn step(from: &Position, keep: usize, step: Step) -> Explained {
        let mut position = *from;
        position.play_unchecked(step);
        Explained::step_to(&position, keep, step)
    }

    /// A single further step that leads to this position.
    pub(super) fn step_to(position: &Position, keep: usize, step: Step) -> Explained {
        let steps = Vec::from_iter([step]);
        let turn = Turn { steps, ..Explained::taken_back(position, keep).turn };
        Explained { rank: Rank::Further, keep, turn }
    }

    /// The position of a moment again, later steps taken back.
    pub(super) fn taken_back(position: &Position, keep: usize) -> Explained {
        let turn = Turn {
            steps: Vec::new(),
            position: *position,
            chosen: false,
            is_witnessed: true,
            is_landed: true,
            age: None,
        };
        Explained { rank: Rank::TakenBack, keep, turn }
    }
}

/// What is still to be done, and where what is in the hand may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Todo {
    /// Where the piece in the hand came from.
    pub(super) origins: CellSet,
    /// Where it may go.
    pub(super) ends: CellSet,
    /// Those of them where it takes something, makes a row or ends the game.
    pub(super) captures: CellSet,
    /// Put a piece here.
    pub(super) put: CellSet,
    /// Take what is here off.
    pub(super) take: CellSet,
    /// Turn what is here over.
    pub(super) flip: CellSet,
}

impl Todo {
    /// Nothing.
    pub(super) const NONE: Todo = Todo {
        origins: CellSet::EMPTY,
        ends: CellSet::EMPTY,
        captures: CellSet::EMPTY,
        put: CellSet::EMPTY,
        take: CellSet::EMPTY,
        flip: CellSet::EMPTY,
    };

    /// What lies with the other face up than it should.
    pub(super) fn turned(should: &Table, seen: &Table) -> CellSet {
        (should.plus & seen.minus) | (should.minus & seen.plus)
    }

    /// What leads from the picture to a table.
    pub(super) fn towards(table: &Table, seen: &Picture) -> Todo {
        let differs = seen.differs(table);
        let (occupied, should_be) = (seen.occupied(), table.occupied());
        Todo {
            put: differs & (should_be - occupied),
            take: differs & (occupied - should_be),
            flip: differs & Todo::turned(table, &seen.table),
            ..Todo::NONE
        }
    }
}

/// What a picture can be. Filled and cleared in place: it is large.
#[derive(Debug)]
pub(super) struct Reading {
    /// Results it can be, all with the evidence they need, different positions only.
    pub(super) results: Vec<Explained, RESULTS_MAX>,
    /// Steps it would be if their landing had been seen: for a question.
    pub(super) unproved: Vec<Step, UNPROVED_MAX>,
    /// YINSH: what it would be if the ring that is gone had been seen to land.
    pub(super) unlanded: Vec<Explained, UNLANDED_MAX>,
    /// A step that is complete but for stacks to be cleared without choice, these, while the next
    /// player has already lifted one of his.
    pub(super) uncleared: Option<(Step, CellSet)>,
    /// Its result has to be confirmed: other things look the same.
    pub(super) is_doubtful: bool,
    /// GIPF and YINSH: whether it was looked at what it may be on the way to.
    pub(super) is_ahead: bool,
    /// Whether it is on the way to a legal result.
    pub(super) on_the_way: bool,
    /// What is to be done.
    pub(super) todo: Todo,
    /// GLÜX: the half that the chip to be told a value shows, where it can be seen.
    pub(super) half: Option<Sign>,
}

impl Reading {
    /// It was not looked at yet.
    pub(super) const fn new() -> Reading {
        Reading {
            results: Vec::new(),
            unproved: Vec::new(),
            unlanded: Vec::new(),
            uncleared: None,
            is_doubtful: false,
            is_ahead: false,
            on_the_way: false,
            todo: Todo::NONE,
            half: None,
        }
    }

    /// Forgets everything, in place.
    pub(super) fn clear(&mut self) {
        self.results.clear();
        self.unproved.clear();
        self.unlanded.clear();
        self.uncleared = None;
        (self.is_doubtful, self.is_ahead) = (false, false);
        (self.on_the_way, self.todo, self.half) = (false, Todo::NONE, None);
    }

    /// The one result that explains the picture; `None` when there is none, or several that nothing
    /// tells apart. Of several, those are excluded whose main step left no trace: a piece that came
    /// and went must have been seen; and if it was seen from which dot the last piece came, or where
    /// the last ring landed, all that begin or end elsewhere.
    ///
    /// Two crossing rows of GIPF-pieces may come off in two ways that leave the same pieces: in one
    /// step with a row still due, or in two with none. The shorter one leaves the choice open, and
    /// leaving the rest standing leads from it to the same position; so it is no guess.
    pub(super) fn only(&self) -> Option<&Explained> {
        let age = self.results.iter().filter_map(|result| result.turn.age).min();
        let is_told = |result: &&Explained| age.is_none() || result.turn.age == age;
        let witnessed = || self.results.iter().filter(|r| r.turn.is_witnessed).filter(is_told);
        let shortest = match self.results.len() {
            _ if self.is_doubtful => return None,
            1 => return self.results.first(),
            _ => witnessed().min_by_key(|result| result.turn.steps.len())?,
        };
        let leaves_it_open = |other: &Explained| {
            let (short, long) = (&shortest.turn, &other.turn);
            let takes = short.position.steps().next().map(part) == Some(Part::Taking);
            shortest.rank == other.rank && short.steps.len() < long.steps.len() && takes
        };
        let mut others = witnessed().filter(|other| !core::ptr::eq(*other, shortest));
        others.all(leaves_it_open).then_some(shortest)
    }

    /// Takes in a result, unless one with the same position is there.
    pub(super) fn add(&mut self, result: Explained) {
        let is_same = |known: &Explained| known.turn.position == result.turn.position;
        if !self.results.iter().any(is_same) {
            let _ = self.results.push(result);
        }
    }
}
