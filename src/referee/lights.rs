//! What the lights mean, from what the referee knows.
//!
//! Later lines win over earlier ones on the same point: who is to act, the last step, what may be
//! done, what is to be done, what is wrong, what is asked.

use super::reading::Todo;
use super::refuse::Refusal;
use super::{Act, Phase, Referee, stacks, walk};
use crate::games::any::{Position, Step};
use crate::games::{Game, Outcome, Player, dvonn, gipf, lyngk, yinsh};
use crate::geometry::{Cell, CellSet, GIPF_DOTS, Point};
use crate::magnet::Sign;
use crate::meaning::{Kind, Meaning, Meanings, TURN_CORNERS};

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
            Phase::Restore => {
                self.say_way_back(&mut say);
                say(self.to_uncover.into_iter().collect(), Meaning::Take);
            }
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

    /// DVONN and LYNGK: the colour of every stack's top piece, which no sensor sees; for people who
    /// want to find a wrong one.
    pub fn tops(&self) -> Meanings {
        let board = self.board();
        let mut meanings = Meanings::none(board.playfield());
        for cell in self.expected.occupied() {
            if let Some(&kind) = stacks::kinds(self.record.position(), cell).last() {
                meanings.set(board.point(cell), Meaning::SetUp(kind));
            }
        }
        meanings
    }

    /// The lights of a game that ended before its end: who won, if anybody.
    pub fn ended(&self, outcome: Option<Outcome>) -> Meanings {
        let board = self.board();
        let mut meanings = Meanings::none(board.playfield());
        self.say_winners(outcome, &mut |cells: CellSet, meaning| {
            cells.iter().for_each(|cell| meanings.set(board.point(cell), meaning));
        });
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
        let corners = TURN_CORNERS.get(player.index()).into_iter().flatten();
        corners.map(|&point| (point, player)).collect()
    }

    /// The next kind of pieces to lay out, and what should not be there.
    fn say_set_up(&self, say: &mut impl FnMut(CellSet, Meaning)) {
        let differs = self.picture.differs(&self.expected);
        let missing = differs - self.picture.occupied();
        let shown = if self.colours_shown { self.expected.occupied() } else { missing };
        let is_drawn = matches!(self.record.position(), Position::Lyngk(_));
        for kind in KINDS {
            let cells: CellSet = shown.iter().filter(|&cell| self.kind(cell) == kind).collect();
            say(cells, Meaning::SetUp(kind.1));
            // A drawn set-up is led colour by colour.
            if is_drawn && !self.colours_shown && !cells.is_empty() {
                break;
            }
        }
        // What moves, or was not seen yet, is not called wrong.
        say(differs - missing - self.picture.unrest, Meaning::Wrong);
    }

    /// The kind of pieces that is to be laid out next, and where; `None` when nothing is missing.
    pub fn laying(&self) -> Option<(Kind, CellSet)> {
        if self.phase != Phase::SetUp {
            return None;
        }
        let differs = self.picture.differs(&self.expected);
        let missing = differs - self.picture.occupied();
        KINDS.iter().find_map(|&kind| {
            let cells: CellSet = missing.iter().filter(|&cell| self.kind(cell) == kind).collect();
            (!cells.is_empty()).then_some((kind.1, cells))
        })
    }

    /// The kind of piece the set-up has on a cell; whether it is strong, and its colour.
    fn kind(&self, cell: Cell) -> (bool, Kind) {
        let strong = self.expected.strong.contains(cell);
        let of_sign = match self.expected.at(cell) {
            Some((Sign::Minus, _)) => Kind::Black,
            _ => Kind::White,
        };
        (strong, stacks::kinds(self.record.position(), cell).last().copied().unwrap_or(of_sign))
    }

    fn say_play(&self, say: &mut impl FnMut(CellSet, Meaning)) {
        let differs = self.picture.differs(&self.expected);
        if self.hints && self.is_idle && differs.is_empty() {
            say(self.record.position().origins(), Meaning::Movable);
        }
        self.say_winners(self.record.position().outcome(), say);
        if let Some((from, to)) = self.record.steps().last().and_then(|&step| ends(step)) {
            if let Position::Glux(game) = self.record.position() {
                // A wrong value is seen by the squares it counts to.
                say(game.reach(to), Meaning::LastFrom);
            }
            say(CellSet::of(from), Meaning::LastFrom);
            say(CellSet::of(to), Meaning::LastTo);
        }
        if self.question.is_open() {
            say(self.question.origins(), Meaning::Origin);
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
        if let Some(refusal) = self.refused {
            if self.swept {
                // No flood of red: the lights lead back.
                self.say_way_back(say);
                return;
            }
            let Refusal { ends, put, hidden, .. } = refusal;
            self.say_todo(&Todo { ends, put, ..Todo::NONE }, say);
            say(self.due() & self.picture.occupied(), Meaning::Take);
            let shown = (differs - hidden) | refusal.wrong;
            let shown = if shown.is_empty() { differs } else { shown };
            let missing = (differs & shown) - self.picture.occupied();
            say(missing, Meaning::Missing);
            say(shown - missing, Meaning::Wrong);
            say(refusal.flip & differs, Meaning::Flip);
            return;
        }
        say(self.due() & self.picture.occupied(), Meaning::Take);
        match self.proposed {
            Some(step) if self.due().is_empty() => self.say_proposed(step, say),
            _ => self.say_todo(&self.hints(differs), say),
        }
        if let Some((Act::Centre, cells)) = self.prompted {
            say(cells & self.picture.loose, Meaning::Put);
        }
    }

    /// What is to be done, and where what is in the hand may go. While something moves, what is not
    /// certain counts as lifted.
    fn hints(&self, differs: CellSet) -> Todo {
        let position = self.record.position();
        let todo = self.reading.todo;
        if self.reading.on_the_way && todo != Todo::NONE {
            return todo;
        }
        if self.told.is_some() {
            // GLÜX: the chip is in the hand, or lies where it is not seen.
            let ends = position.origins();
            return Todo { ends, captures: ends & self.expected.occupied(), ..Todo::NONE };
        }
        let moved: CellSet =
            differs.iter().filter(|&cell| !position.destinations(cell).is_empty()).collect();
        // Neighbours feel what is lifted beside them: what looks otherwise tells more than what moves.
        let unclear = self.picture.unrest | self.picture.loose | self.picture.overload;
        let gone = moved - (unclear - self.fading);
        let lifted = if gone.is_empty() { moved } else { gone };
        match lifted.lowest() {
            Some(origin) if lifted.len() == 1 && self.due().is_empty() => {
                let (ends, before) =
                    (position.destinations(origin) - lifted, self.expected.occupied());
                let completes = |&end: &Cell| completes(position, before, origin, end);
                let captures = ends.iter().filter(completes).collect();
                Todo { origins: lifted, ends, captures, ..Todo::NONE }
            }
            _ => todo,
        }
    }

    /// Leads back to what is expected; what lies there and is another piece is wrong.
    fn say_way_back(&self, say: &mut impl FnMut(CellSet, Meaning)) {
        let todo = Todo::towards(&self.expected, &self.picture);
        let differs = self.picture.differs(&self.expected) - self.picture.unrest;
        say(differs - todo.put - todo.take - todo.flip, Meaning::Wrong);
        self.say_todo(&todo, say);
    }

    /// Leads through a step that a host proposes.
    fn say_proposed(&self, step: Step, say: &mut impl FnMut(CellSet, Meaning)) {
        let mut after = *self.record.position();
        after.play_unchecked(step);
        let mut todo = Todo::towards(&after.table(), &self.picture);
        if let Some((from, to)) = ends(step).filter(|(from, to)| from != to) {
            let (from, to) = (CellSet::of(from), CellSet::of(to));
            let is_lifted = (from & self.picture.occupied() & self.expected.occupied()).is_empty();
            // The stack, ring or piece that moves; what is under it or stays behind comes later.
            say(from, if is_lifted { Meaning::Origin } else { Meaning::Movable });
            say(to, if is_lifted { Meaning::Put } else { Meaning::Destination });
            (todo.take, todo.put) = (todo.take - from, todo.put - to);
        } else if todo == Todo::NONE {
            // A chip on another changes no class.
            todo.put = ends(step).map_or(CellSet::EMPTY, |(_, to)| CellSet::of(to));
        }
        self.say_todo(&todo, say);
    }

    fn say_todo(&self, todo: &Todo, say: &mut impl FnMut(CellSet, Meaning)) {
        say(todo.origins, Meaning::Origin);
        if matches!(self.record.position(), Position::Gipf(_)) {
            // A piece that waits on its dot is to go in.
            say(todo.origins & self.picture.occupied() & GIPF_DOTS.widen(), Meaning::Take);
        }
        if self.hints {
            say(todo.ends, Meaning::Destination);
            say(todo.captures, Meaning::Capture);
        }
        say(todo.put, Meaning::Put);
        say(todo.take, Meaning::Take);
        say(todo.flip, Meaning::Flip);
    }

    /// After the end: the score of everybody who won, counted out from his own pieces on.
    fn say_winners(&self, outcome: Option<Outcome>, say: &mut impl FnMut(CellSet, Meaning)) {
        let Some(outcome) = outcome else { return };
        let score = self.record.position().score();
        let all = CellSet::first(self.board().cell_count());
        let mut count_out = |player: Player| {
            let own: CellSet = all.iter().filter(|&cell| self.is_of(cell, player)).collect();
            let points = score.as_slice().get(player.index()).copied().unwrap_or(0);
            let lit = if points == 0 { own.len() } else { points.into() };
            let cells = own.iter().chain(all - own).take(lit);
            for (number, cell) in (0..=u8::MAX).zip(cells) {
                say(CellSet::of(cell), Meaning::Winner(player, number));
            }
        };
        match outcome {
            Outcome::Win(player) => count_out(player),
            Outcome::Share(winners) => winners.iter().for_each(count_out),
            Outcome::Draw => {}
        }
    }

    /// Whether what lies on a cell counts for a player.
    fn is_of(&self, cell: Cell, player: Player) -> bool {
        let colour =
            if player == Player::ONE { dvonn::Colour::White } else { dvonn::Colour::Black };
        let sign = if player == Player::ONE { Sign::Plus } else { Sign::Minus };
        match self.record.position() {
            Position::Dvonn(game) => game.colours(cell).next() == Some(colour),
            Position::Lyngk(game) => match game.stack(cell).top() {
                Some(lyngk::Piece::Coloured(colour)) => game.owner(colour) == Some(player),
                _ => false,
            },
            Position::Glux(game) => game.upper(cell).is_some_and(|chip| chip.player() == player),
            Position::Gipf(_) | Position::Yinsh(_) => {
                self.expected.at(cell).is_some_and(|(seen, _)| seen == sign)
            }
        }
    }
}

/// Whether a legal step to this end takes something of what stood `before`, makes a row or ends the
/// game.
fn completes(position: &Position, before: CellSet, from: Cell, to: Cell) -> bool {
    let step = match position {
        Position::Gipf(_) => Step::Gipf(gipf::Step::Push { from, to, piece: gipf::Piece::Basic }),
        Position::Yinsh(_) => Step::Yinsh(yinsh::Step::MoveRing { from, to }),
        // A chip that covers another.
        Position::Glux(_) => return before.contains(to),
        _ => match stacks::move_step(position, from, to) {
            Some(step) => step,
            None => return false,
        },
    };
    let mut after = *position;
    after.play_unchecked(step);
    match after {
        Position::Gipf(game) => !walk::due(&game).is_empty(),
        Position::Yinsh(game) => !walk::due(&game).is_empty(),
        _ => {
            let off = before - after.table().occupied() - CellSet::of(from);
            !off.is_empty() || after.outcome().is_some()
        }
    }
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
