//! What people do with the pieces to carry out a step, and in which orders it can be done.

use lodestone::games::any::{Position, Step};
use lodestone::games::{Game, dvonn, gipf, glux, lyngk, yinsh};
use lodestone::geometry::{Cell, CellSet};
use lodestone::random::SplitMix64;

use super::layout::{Layout, Thing, layout, occupied};
use crate::table::PlaceMm;

/// A key of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    /// K1 to K6, counted from 1.
    Number(u8),
    /// OK.
    Ok,
    /// UNDO.
    Undo,
}

/// What of a cell is taken hold of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The ring.
    Ring,
    /// So many of the other pieces, from the top.
    Top(usize),
}

/// The smallest thing a hand does.
#[derive(Clone, PartialEq, Debug)]
pub enum Act {
    /// A piece from beside the board is put on a cell.
    Bring {
        /// The piece, the way up it will lie.
        thing: Thing,
        /// Where it goes.
        to: Cell,
    },
    /// Pieces go from a cell to another, or back to the same.
    Carry {
        /// Where they stand.
        from: Cell,
        /// Which.
        part: Part,
        /// Over which cells, on which they may be set down on the way.
        via: Vec<Cell>,
        /// Where they go.
        to: Cell,
        /// Whether they must stay on the board on the way; otherwise the style decides.
        slides: bool,
    },
    /// What stands on the first of these cells is pushed onto the second, and by contact pushes
    /// what stands there onto the third, and so on.
    Push(Vec<Cell>),
    /// Pieces leave the board.
    TakeOff {
        /// Where they stand.
        from: Cell,
        /// Which.
        part: Part,
    },
    /// The topmost piece of a cell, not its ring, is turned over.
    TurnOver(Cell),
    /// A key is pressed.
    Press(Key),
    /// Everything on a cell is put in its middle, as well as one can.
    Centre(Cell),
    /// Everything on these cells is pushed aside together, and still belongs to its cell.
    Shove {
        /// What is pushed.
        cells: CellSet,
        /// How far, mm.
        by_mm: PlaceMm,
    },
    /// Everything on these cells is swept off the board at once.
    Sweep(CellSet),
    /// A piece from beside the board is held over a cell, and away again.
    Hold {
        /// The piece.
        thing: Thing,
        /// Over which cell.
        over: Cell,
        /// How high, mm.
        up_mm: f64,
        /// How long.
        ms: u64,
    },
}

impl Act {
    /// The cells it changes, each with whether it is the ring there or the other pieces.
    pub(super) fn touches(&self) -> Vec<(Cell, bool)> {
        let both = |cell| [(cell, true), (cell, false)];
        match *self {
            Act::Bring { thing, to } => vec![(to, thing.is_ring())],
            Act::Carry { from, part, to, .. } => {
                vec![(from, part == Part::Ring), (to, part == Part::Ring)]
            }
            Act::Push(ref line) => line.iter().map(|&cell| (cell, false)).collect(),
            Act::TakeOff { from, part } => vec![(from, part == Part::Ring)],
            Act::TurnOver(cell) => vec![(cell, false)],
            Act::Press(_) => Vec::new(),
            Act::Centre(cell) | Act::Hold { over: cell, .. } => both(cell).to_vec(),
            Act::Shove { cells, .. } | Act::Sweep(cells) => cells.iter().flat_map(both).collect(),
        }
    }

    /// Whether this act can only be done after an earlier one: both change the same pieces. A ring
    /// and a marker in it come and go without each other, but nobody takes a marker out of a ring.
    pub fn needs(&self, earlier: &Act) -> bool {
        let out_of_ring = match (self, earlier) {
            (Act::TakeOff { from, .. }, Act::Carry { from: ring, .. }) => from == ring,
            _ => false,
        };
        let mine = self.touches();
        out_of_ring || earlier.touches().iter().any(|touch| mine.contains(touch))
    }
}

/// An order of acts that the table allows, drawn evenly at each choice.
pub fn any_order(acts: Vec<Act>, random: &mut SplitMix64) -> Vec<Act> {
    let mut left = acts;
    let mut ordered = Vec::with_capacity(left.len());
    while !left.is_empty() {
        let is_free = |&later: &usize| !left[..later].iter().any(|act| left[later].needs(act));
        let free: Vec<usize> = (0..left.len()).filter(is_free).collect();
        let next = left.remove(free[random.below(free.len())]);
        ordered.push(next);
    }
    ordered
}

/// The same acts, but pieces that were to slide after each other from cell to cell pushed by contact
/// in one go.
pub fn by_contact(acts: Vec<Act>) -> Vec<Act> {
    let mut joined: Vec<Act> = Vec::with_capacity(acts.len());
    for act in acts {
        match (joined.last_mut(), act) {
            (Some(Act::Push(line)), Act::Carry { from, to, slides: true, .. }) if line[0] == to => {
                line.insert(0, from);
            }
            (_, Act::Carry { from, to, slides: true, .. }) => {
                joined.push(Act::Push(vec![from, to]));
            }
            (_, act) => joined.push(act),
        }
    }
    joined
}

/// What a legal step asks of the hands, in the order of the rules.
pub fn acts(position: &Position, step: Step) -> Vec<Act> {
    let mut next = *position;
    next.play_unchecked(step);
    let (before, after) = (layout(position), layout(&next));
    match step {
        Step::Gipf(gipf::Step::Push { from, to, .. }) => push(position, &before, &after, from, to),
        Step::Gipf(gipf::Step::Take { .. }) => {
            let off = taken_off(&before, &after, &[]);
            // A row of which everything is left standing.
            if off.is_empty() { vec![Act::Press(Key::Ok)] } else { off }
        }
        Step::Yinsh(yinsh::Step::PlaceRing(cell)) | Step::Dvonn(dvonn::Step::Place(cell)) => {
            vec![bring(&after, cell)]
        }
        Step::Yinsh(yinsh::Step::MoveRing { from, to }) => move_ring(&before, &after, from, to),
        Step::Yinsh(yinsh::Step::TakeRow { .. } | yinsh::Step::TakeRing(_)) => {
            taken_off(&before, &after, &[])
        }
        Step::Dvonn(dvonn::Step::Move { from, to })
        | Step::Lyngk(lyngk::Step::Move { from, to }) => {
            let part = Part::Top(before[from.index()].discs.len());
            let via = links(position, from, to);
            let mut acts = vec![Act::Carry { from, part, via, to, slides: false }];
            if after[to.index()].is_empty() {
                // An own five.
                let part =
                    Part::Top(before[from.index()].discs.len() + before[to.index()].discs.len());
                acts.push(Act::TakeOff { from: to, part });
            }
            acts.extend(taken_off(&before, &after, &[from, to]));
            acts
        }
        Step::Lyngk(lyngk::Step::Claim(colour)) => vec![Act::Press(claim_key(colour))],
        Step::Glux(glux::Step { cell, spots }) => {
            vec![bring(&after, cell), Act::Press(Key::Number(spots.number()))]
        }
    }
}

/// The links of a LYNGK move (L18), on the way with the fewest.
fn links(position: &Position, from: Cell, to: Cell) -> Vec<Cell> {
    let Position::Lyngk(game) = position else { return Vec::new() };
    let (board, top) = (game.board(), game.stack(from).top());
    // By cell: how one came there.
    let mut ways: Vec<(Cell, Vec<Cell>)> = vec![(from, Vec::new())];
    let mut next = 0;
    while let Some((at, way)) = ways.get(next).cloned() {
        next += 1;
        for direction in board.playfield().directions() {
            let is_met = |&cell: &Cell| cell != from && !game.stack(cell).is_empty();
            let Some(met) = board.ray(at, direction).find(is_met) else { continue };
            if met == to {
                return way;
            }
            let is_new = ways.iter().all(|(cell, _)| *cell != met);
            if is_new && game.stack(met).top() == top {
                ways.push((met, way.iter().copied().chain([met]).collect()));
            }
        }
    }
    Vec::new()
}

/// The key that claims a colour.
pub(super) fn claim_key(colour: lyngk::Colour) -> Key {
    Key::Number(colour.index() as u8 + 1)
}

/// The topmost piece a cell is to have, from beside the board.
fn bring(after: &Layout, to: Cell) -> Act {
    let pile = &after[to.index()];
    let thing = *pile.discs.last().or(pile.ring.as_ref()).expect("the step put something there");
    Act::Bring { thing, to }
}

/// Everything but a ring goes from one cell to another.
pub(super) fn carry(before: &Layout, from: Cell, to: Cell) -> Act {
    let part = Part::Top(before[from.index()].discs.len());
    Act::Carry { from, part, via: Vec::new(), to, slides: false }
}

/// What stood before and does not stand after.
fn taken_off(before: &Layout, after: &Layout, but: &[Cell]) -> Vec<Act> {
    let gone = |cell: &Cell| after[cell.index()].is_empty() && !but.contains(cell);
    occupied(before).filter(gone).map(|from| take_off(before, from)).collect()
}

/// All that stands on a cell leaves the board, its ring if it has one.
pub(super) fn take_off(before: &Layout, from: Cell) -> Act {
    Act::TakeOff { from, part: whole(before, from) }
}

/// All that stands on a cell, its ring if it has one.
fn whole(before: &Layout, cell: Cell) -> Part {
    let pile = &before[cell.index()];
    if pile.ring.is_some() { Part::Ring } else { Part::Top(pile.discs.len()) }
}

/// What stands on a cell is lifted and put back, its ring if it has one: the answer to a question.
/// Nothing where nothing stands.
pub fn tap(before: &Layout, cell: Cell) -> Option<Act> {
    let part = whole(before, cell);
    let act = Act::Carry { from: cell, part, via: Vec::new(), to: cell, slides: false };
    (part != Part::Top(0)).then_some(act)
}

/// The piece onto the dot, the run one spot on from its far end, the piece in.
fn push(position: &Position, before: &Layout, after: &Layout, dot: Cell, first: Cell) -> Vec<Act> {
    let board = position.board();
    let mut directions = board.playfield().directions();
    let along = directions.find(|&direction| board.next(dot, direction) == Some(first));
    let along = along.expect("the first spot is next to its dot");
    let is_run = |cell: &Cell| !before[cell.index()].is_empty();
    let run: Vec<Cell> = board.ray(dot, along).take_while(is_run).collect();
    let slide = |from: Cell| {
        let to = board.next(from, along).expect("a line that can be entered has a free spot");
        Act::Carry { from, part: Part::Top(1), via: Vec::new(), to, slides: true }
    };
    let thing = after[first.index()].discs[0];
    let mut acts = vec![Act::Bring { thing, to: dot }];
    acts.extend(run.into_iter().rev().chain([dot]).map(slide));
    acts
}

/// The marker into the ring, the ring off and down, the markers it jumped turned over.
fn move_ring(before: &Layout, after: &Layout, from: Cell, to: Cell) -> Vec<Act> {
    let is_turned = |cell: &Cell| {
        let (was, is) = (&before[cell.index()].discs, &after[cell.index()].discs);
        !was.is_empty() && was != is
    };
    let mut acts = vec![
        Act::Bring { thing: after[from.index()].discs[0], to: from },
        Act::Carry { from, part: Part::Ring, via: Vec::new(), to, slides: false },
    ];
    acts.extend(occupied(before).filter(is_turned).map(Act::TurnOver));
    acts
}
