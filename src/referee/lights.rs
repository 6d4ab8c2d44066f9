//! What the lights mean, from what the referee knows.
//!
//! Later lines win over earlier ones on the same point: who is to act, the last step, what may be
//! done, what is to be done, what is wrong, what is asked.

use super::reading::Todo;
use super::{Phase, Referee};
use crate::games::any::{Position, Step};
use crate::games::{Game, Player, dvonn, gipf, lyngk, yinsh};
use crate::geometry::{Cell, CellSet, Playfield, Point};
use crate::magnet::Sign;
use crate::meaning::{Kind, Meaning, Meanings};

/// Where a step on the board begins and ends.
pub(super) fn ends(step: Step) -> Option<(Cell, Cell)> {
    match step {
        Step::Gipf(gipf::Step::Push { from, to, .. })
        | Step::Yinsh(yinsh::Step::MoveRing { from, to })
        | Step::Dvonn(dvonn::Step::Move { from, to })
        | Step::Lyngk(lyngk::Step::Move { from, to }) => Some((from, to)),
        Step::Gipf(gipf::Step::Take { low, high, .. })
        | Step::Yinsh(yinsh::Step::TakeRow { low, high }) => Some((low, high)),
        Step::Yinsh(yinsh::Step::PlaceRing(cell) | yinsh::Step::TakeRing(cell))
        | Step::Dvonn(dvonn::Step::Place(cell)) => Some((cell, cell)),
        Step::Glux(step) => Some((step.cell, step.cell)),
        Step::Lyngk(lyngk::Step::Claim(_)) => None,
    }
}

/// The corners of the hex playfield that say who is to act; no game uses them.
const CORNERS: [[(i8, i8); 2]; 2] = [[(0, 1), (10, 6)], [(0, 6), (10, 11)]];

impl Referee {
    /// What every light means now.
    pub fn meanings(&self) -> Meanings {
        let board = self.board();
        let mut meanings = Meanings::none(board.playfield());
        let mut say = |cells: CellSet, meaning: Meaning| {
            for cell in cells {
                meanings.set(board.point(cell), meaning);
            }
        };
        match self.phase {
            Phase::SetUp => self.say_set_up(&mut say),
            Phase::Restore => say_todo(&Todo::towards(&self.expected, &self.picture), &mut say),
            Phase::Play => self.say_play(&mut say),
        }
        if self.phase == Phase::Play {
            for (point, player) in self.to_act() {
                if meanings.at(point).is_none() {
                    meanings.set(point, Meaning::ToAct(player));
                }
            }
        }
        for point in self.picture.stray {
            meanings.set(point, Meaning::Wrong);
        }
        meanings
    }

    /// The points that say who is to act: corners that no game uses; in GLÜX his start.
    fn to_act(&self) -> heapless::Vec<(Point, Player), 2> {
        let position = self.record.position();
        let Some(player) = position.turn() else { return heapless::Vec::new() };
        if let Position::Glux(game) = position {
            let start = self.board().point(game.start(player));
            return heapless::Vec::from_iter([(start, player)]);
        }
        let corners = CORNERS.get(player.index()).into_iter().flatten();
        let points = corners.filter_map(|&(column, row)| Playfield::Hex.at(column, row));
        points.map(|point| (point, player)).collect()
    }

    /// The next kind of pieces to lay out, and what should not be there.
    fn say_set_up(&self, say: &mut impl FnMut(CellSet, Meaning)) {
        let differs = self.picture.differs(&self.expected);
        let missing = differs - self.picture.occupied();
        say(differs - missing, Meaning::Wrong);
        let is_drawn = matches!(self.record.position(), Position::Lyngk(_));
        for kind in KINDS {
            let cells: CellSet = missing.iter().filter(|&cell| self.kind(cell) == kind).collect();
            say(cells, Meaning::SetUp(kind.1));
            // A drawn set-up is led colour by colour.
            if is_drawn && !cells.is_empty() {
                break;
            }
        }
    }

    /// The kind of piece the set-up has on a cell; whether it is strong, and its colour.
    fn kind(&self, cell: Cell) -> (bool, Kind) {
        let strong = self.expected.strong.contains(cell);
        let kind = match self.record.position() {
            Position::Lyngk(game) => match game.stack(cell).top() {
                Some(lyngk::Piece::Coloured(colour)) => KIND_OF_COLOUR[colour.index()],
                _ => Kind::White,
            },
            _ if self.expected.at(cell).is_some_and(|(sign, _)| sign == Sign::Minus) => Kind::Black,
            _ => Kind::White,
        };
        (strong, kind)
    }

    fn say_play(&self, say: &mut impl FnMut(CellSet, Meaning)) {
        if let Some((from, to)) = self.record.steps().last().and_then(|&step| ends(step)) {
            say(CellSet::of(from), Meaning::LastFrom);
            say(CellSet::of(to), Meaning::LastTo);
        }
        if self.question.is_open() {
            for (number, cell) in (0..).zip(self.candidates()) {
                say(CellSet::of(cell), Meaning::Candidate(number));
            }
            return;
        }
        say(self.debris, Meaning::Take);
        if let Some((cells, _)) = self.swapped {
            for (number, cell) in (0..).zip(cells) {
                say(CellSet::of(cell), Meaning::Candidate(number));
            }
        }
        let differs = self.picture.differs(&self.expected);
        if self.refused.is_some() {
            if self.swept {
                // No flood of red: the lights lead back.
                say_todo(&Todo::towards(&self.expected, &self.picture), say);
                return;
            }
            let missing = differs - self.picture.occupied();
            say(missing, Meaning::Missing);
            say(differs - missing, Meaning::Wrong);
            return;
        }
        say(self.due() & self.picture.occupied(), Meaning::Take);
        say_todo(&self.hints(differs), say);
    }

    /// What is to be done, and where what is in the hand may go. While something moves, what is not
    /// certain counts as lifted.
    fn hints(&self, differs: CellSet) -> Todo {
        let position = self.record.position();
        let (on_the_way, todo) = match position {
            Position::Gipf(_) | Position::Yinsh(_) => self.ways(position),
            _ => (self.reading.on_the_way, self.reading.todo),
        };
        if on_the_way && todo != Todo::NONE {
            return todo;
        }
        let moved = differs & position.origins();
        match moved.lowest() {
            Some(origin) if moved.len() == 1 && self.due().is_empty() => {
                Todo { origins: moved, ends: position.destinations(origin) - moved, ..Todo::NONE }
            }
            _ => todo,
        }
    }
}

fn say_todo(todo: &Todo, say: &mut impl FnMut(CellSet, Meaning)) {
    say(todo.origins, Meaning::Origin);
    say(todo.ends, Meaning::Destination);
    say(todo.put, Meaning::Put);
    say(todo.take, Meaning::Take);
    say(todo.flip, Meaning::Flip);
}

/// In the order in which a set-up is laid out: strong pieces first.
const KINDS: [(bool, Kind); 8] = [
    (true, Kind::White),
    (true, Kind::Black),
    (false, Kind::Black),
    (false, Kind::Blue),
    (false, Kind::Green),
    (false, Kind::Ivory),
    (false, Kind::Red),
    (false, Kind::White),
];
/// By index of LYNGK's colours.
const KIND_OF_COLOUR: [Kind; lyngk::Colour::COUNT] =
    [Kind::Black, Kind::Blue, Kind::Green, Kind::Ivory, Kind::Red];
