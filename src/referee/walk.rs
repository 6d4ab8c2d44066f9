//! GIPF and YINSH: which turn ends in this picture?
//!
//! In these two games the picture alone decides (counted over a million turns: no two turns of a
//! player end in the same picture with different positions), so the search plays the turn's steps
//! and compares. It is cut short: after the main step (push, ring move) a turn only takes pieces
//! off, so everything that is seen must belong there; and that step fills one cell only, so before it
//! no more than one may be seen occupied that is not.
//!
//! Before the main step the walk may pass from one player to the next: a row was to be taken or a
//! ring to be given, and the next player has already moved.
//!
//! The search is done in slices. Between two of them only the numbers of the steps being tried are
//! kept; the positions come from playing them again.

use heapless::Vec;

use super::picture::{Event, History, NOTHING, Picture};
use super::record::{Part, part};
use super::refuse::own_sign;
use crate::games::any::{Position, Step};
use crate::games::{Game, Table, gipf, yinsh};
use crate::geometry::{Cell, CellSet};
use crate::magnet::{Sign, Strength};

/// Steps a turn can have: five were counted at most, in YINSH (row, ring, move, row, ring).
pub(super) const TURN_MAX: usize = 8;
/// Different results kept; one is the rule, two is already a question.
pub(super) const RESULTS_MAX: usize = 4;
/// Turns kept whose ring was not seen to land: where two sensors fail there are two.
pub(super) const UNLANDED_MAX: usize = 2;
/// What a slice may cost: a step that is looked at counts as one, about a thousand cycles,
pub(super) const SLICE: u16 = 160;
/// and one that is played as so many more.
const PLAYED: u16 = 16;
/// Steps after which a search is given up.
pub(super) const SEARCH_MAX: u16 = 8192;

/// A game whose turns can be read off the picture.
pub(super) trait Walker: Game {
    /// The step behind the type for all games.
    fn any_step(step: Self::Step) -> Step;
    /// The position behind the type for all games.
    fn any(self) -> Position;
    /// Where a piece must have been seen landing, because it may be gone again.
    fn landing(step: Self::Step) -> Option<Cell>;
    /// Where a main step begins and ends.
    fn ends(step: Self::Step) -> Option<(Cell, Cell)>;
    /// Cells that a main step empties on its way though they may look the same after it: where what
    /// moves comes from, and GIPF's run.
    fn moved(step: Self::Step, before: &Table) -> CellSet;
    /// The end that was seen tells apart texts of the same result.
    fn telling(step: Self::Step) -> Option<Cell>;
    /// Whether something is to be taken off before anything else.
    fn is_to_take(&self) -> bool;
    /// Whether it takes all it can: others of the same run leave some.
    fn takes_all(step: Self::Step) -> bool;
    /// The fewest pieces that a taking removes.
    const ROW: usize;
    /// Whether the picture can be the end of this main step, as far as can be seen without playing
    /// it.
    fn may_end(step: Self::Step, scene: &Scene) -> bool;
    /// Whether the picture lies on the way from `before` by this main step, as far as can be seen
    /// without playing it; `Some(false)` if nothing of it is begun.
    fn on_the_way(step: Self::Step, own: Sign, before: &Table, seen: &Picture) -> Option<bool>;
    /// Main steps that change a cell, or make a row with it, move something on one of these.
    fn reach(cell: Cell, before: &Table) -> CellSet;
    /// Whether what the step changes beside its ends is as before or as after.
    fn turns_fit(step: Self::Step, before: &Table, after: &Table, seen: &Picture) -> bool;
}

/// What a main step is compared with before it is played.
pub(super) struct Scene<'a> {
    /// The sign of whoever makes it.
    own: Sign,
    before: Table,
    seen: &'a Picture,
    /// What came to where it was not before.
    brought: CellSet,
    /// Whether so much is gone that a row may be off, and pieces of the step with it.
    may_lack: bool,
}

impl Scene<'_> {
    fn of<'a, G: Walker>(position: &G, seen: &'a Picture) -> Scene<'a> {
        // After the end there are no steps, whoever would make them.
        let (own, before) = (own_sign(position).unwrap_or(Sign::Plus), position.table());
        let occupied = seen.occupied();
        let may_lack = before.occupied().len() + 1 >= occupied.len() + G::ROW;
        let brought = seen.differs(&before) & occupied;
        Scene { own, before, seen, brought, may_lack }
    }

    /// Whether a cell shows this, or nothing if a row may be off.
    fn shows(&self, cell: Cell, look: (Sign, Strength)) -> bool {
        self.seen.may_be(cell, look, self.may_lack)
    }
}

/// A turn that ends in the picture.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    /// Its steps.
    pub(super) steps: Vec<Step, TURN_MAX>,
    /// The position after them.
    pub(super) position: Position,
    /// Whether its last step is a removal for which there was a choice.
    pub(super) chosen: bool,
    /// Whether something of its main step was seen: a piece it brought, which may be gone again, or
    /// where that came from.
    pub(super) is_witnessed: bool,
    /// Whether every ring it moves was seen to land; without that it is only offered.
    pub(super) is_landed: bool,
    /// How many events ago the dot it comes from, or the point its ring goes to, was seen to be
    /// used: that tells it from others.
    pub(super) age: Option<usize>,
}

/// A search that may be under way. Used in place: it is large.
#[derive(Debug)]
pub(super) struct Walk {
    /// For each position on the path, the number of the next step to try.
    next: Vec<u16, TURN_MAX>,
    tried: u16,
    is_begun: bool,
    /// The turns found, one for each position reached; of those with an unseen landing [`UNLANDED_MAX`].
    pub(super) found: Vec<Turn, { RESULTS_MAX + UNLANDED_MAX }>,
}

/// A position on the path.
struct Frame<G: Game> {
    position: G,
    main_done: bool,
    /// The step that led to it.
    step: Option<G::Step>,
}

impl Walk {
    /// Not begun.
    pub(super) const fn new() -> Walk {
        Walk { next: Vec::new(), tried: 0, is_begun: false, found: Vec::new() }
    }

    /// Forgets everything, in place.
    pub(super) fn clear(&mut self) {
        self.next.clear();
        self.found.clear();
        (self.tried, self.is_begun) = (0, false);
    }

    /// Goes on with the search for turns from `root` that end in `seen`; `true` when it is done.
    /// `budget` is what may still be tried in this slice.
    pub(super) fn go_on<G: Walker>(
        &mut self,
        root: &G,
        seen: &Picture,
        history: &History,
        budget: &mut u16,
    ) -> bool {
        if !may_be_brought(&root.table(), seen) {
            return true;
        }
        let mut frames = self.frames(root);
        while let Some(frame) = frames.last() {
            let (position, main_done) = (frame.position, frame.main_done);
            let scene = Scene::of(&position, seen);
            let first = self.next.last().copied().unwrap_or(0);
            let mut goes_on = false;
            for step in position.steps().skip(first.into()) {
                if *budget == 0 {
                    return false;
                }
                if self.tried >= SEARCH_MAX {
                    self.found.clear();
                    self.found.extend(one_taking(root, seen));
                    return true;
                }
                *budget -= 1;
                self.tried += 1;
                if let Some(next) = self.next.last_mut() {
                    *next += 1;
                }
                let is_main = part(G::any_step(step)) == Part::Main;
                if is_main && (main_done || !G::may_end(step, &scene)) {
                    continue;
                }
                *budget = budget.saturating_sub(PLAYED);
                let followed = frames.last().and_then(|f| f.follow(step, &scene.before, seen));
                let Some(child) = followed else { continue };
                let crossed = child.main_done && child.position.turn() != position.turn();
                let finished = seen.agrees(&child.position.table());
                if frames.push(child).is_err() {
                    continue;
                }
                if finished {
                    self.take_in(&frames, seen, history);
                }
                goes_on = !finished && !crossed && self.next.push(0).is_ok();
                if goes_on {
                    break;
                }
                frames.pop();
            }
            if !goes_on {
                frames.pop();
                self.next.pop();
            }
        }
        true
    }

    /// The positions on the path, played again.
    fn frames<G: Walker>(&mut self, root: &G) -> Vec<Frame<G>, { TURN_MAX + 1 }> {
        if !self.is_begun {
            self.is_begun = true;
            let _ = self.next.push(0);
        }
        let mut frames = Vec::new();
        let mut frame = Frame { position: *root, main_done: false, step: None };
        for (depth, &next) in (1..).zip(&self.next) {
            let step = frame.position.steps().nth(usize::from(next).saturating_sub(1));
            let below = step.map(|step| frame.child(step));
            let _ = frames.push(frame);
            match below {
                Some(below) if depth < self.next.len() => frame = below,
                _ => break,
            }
        }
        frames
    }

    /// Keeps a turn that ends in the picture, if what it needs was seen. Apart, because stack is
    /// scarce.
    #[inline(never)]
    fn take_in<G: Walker>(&mut self, frames: &[Frame<G>], seen: &Picture, history: &History) {
        let (Some(root), Some(last)) = (frames.first(), frames.last()) else { return };
        let (root_table, last_table) = (root.position.table(), last.position.table());
        let steps = || frames.iter().filter_map(|frame| frame.step);
        let landed = |step| {
            G::landing(step).is_none_or(|cell| {
                let stands = last_table.weak.contains(cell) && !root_table.weak.contains(cell);
                stands && !seen.dead.contains(cell) || history.was_put(cell)
            })
        };
        let is_landed = steps().all(landed);
        if !is_landed && self.found.iter().filter(|turn| !turn.is_landed).count() >= UNLANDED_MAX {
            return;
        }
        let position = last.position.any();
        let chosen = frames.len() >= 2 && {
            let before = &frames[frames.len() - 2].position;
            last.step.is_some_and(|step| part(G::any_step(step)) == Part::Taking)
                && before.step_count() > 1
        };
        let is_witnessed = frames.windows(2).all(|pair| {
            let is_main = pair[1].main_done && !pair[0].main_done;
            let (before, after) = (pair[0].position.table(), pair[1].position.table());
            let brought = before.differs(&after) & after.occupied();
            // What lay there all the time was brought by nobody.
            let is_new = |cell| {
                let is_other = |lies| root_table.at(cell) != Some(lies);
                last_table.at(cell).is_some_and(is_other) && !seen.dead.contains(cell)
            };
            !is_main || brought.iter().any(|cell| is_new(cell) || history.was_put(cell))
        });
        // After a row that was to be taken, the next player's step needs a trace of its own.
        let is_first = |step| part(G::any_step(step)) == Part::Main;
        let is_landed = is_landed && (is_witnessed || steps().next().is_some_and(is_first));
        let steps: Vec<Step, TURN_MAX> = steps().map(G::any_step).collect();
        let told = |steps: &[Step]| steps.iter().find_map(|&step| telling::<G>(step, history));
        let age = told(&steps).map(|(age, ..)| age).filter(|&age| age < usize::MAX);
        let is_witnessed = is_witnessed || age.is_some();
        let turn = Turn { steps, position, chosen, is_witnessed, is_landed, age };
        let rank = |turn: &Turn| told(&turn.steps);
        match self.found.iter_mut().find(|known| known.position == position) {
            Some(known) if (!is_landed, rank(&turn)) < (!known.is_landed, rank(known)) => {
                *known = turn;
            }
            Some(_) => {}
            None => drop(self.found.push(turn)),
        }
    }

    /// Whether a turn that was seen as a whole ends in the picture.
    pub(super) fn is_found(&self) -> bool {
        self.found.iter().any(|turn| turn.is_landed)
    }
}

/// Orders main steps of the same result: seen last first, then by name.
fn telling<G: Walker>(step: Step, history: &History) -> Option<(usize, Cell, Cell)> {
    let (from, to, telling) = match step {
        Step::Gipf(step) => named::<gipf::Gipf>(step)?,
        Step::Yinsh(step) => named::<yinsh::Yinsh>(step)?,
        _ => return None,
    };
    let seen = history.events().iter().rposition(|&event| event == Event::Put(telling));
    let age = match history.brought() {
        Some((dot, _)) if dot == telling => 0,
        _ => seen.map_or(usize::MAX, |at| history.events().len() - at),
    };
    Some((age, from, to))
}

fn named<G: Walker>(step: G::Step) -> Option<(Cell, Cell, Cell)> {
    let (from, to) = G::ends(step)?;
    Some((from, to, G::telling(step)?))
}

impl<G: Walker> Frame<G> {
    fn child(&self, step: G::Step) -> Frame<G> {
        let mut position = self.position;
        position.play_unchecked(step);
        let main_done = self.main_done || part(G::any_step(step)) == Part::Main;
        Frame { position, main_done, step: Some(step) }
    }

    /// The position after a step, if the picture can still be reached from it. `table` is that of
    /// this position.
    fn follow(&self, step: G::Step, table: &Table, seen: &Picture) -> Option<Frame<G>> {
        let is_taking = part(G::any_step(step)) == Part::Taking;
        let child = self.child(step);
        let after = child.position.table();
        let possible = if is_taking {
            let off = table.occupied() - after.occupied();
            let is_off = if self.main_done {
                (off & seen.occupied()).is_empty()
            } else {
                may_be_brought(&after, seen)
            };
            // What changes nothing cannot be seen: it is told by OK.
            is_off && !(off - seen.dead).is_empty()
        } else {
            !(table.differs(&after) - seen.dead).is_empty() && seen.only_lacks(&after)
        };
        possible.then_some(child)
    }
}

/// Whether one main step can bring what is seen and does not lie in this table: it fills one cell, all
/// others it changes are occupied before.
fn may_be_brought(before: &Table, seen: &Picture) -> bool {
    (seen.occupied() - before.occupied()).len() <= 1
}

/// Where a search is given up, the steps are taken one at a time: the taking that fits what of its
/// run is off and what still lies there, if there is one only.
fn one_taking<G: Walker>(root: &G, seen: &Picture) -> Option<Turn> {
    let (before, due) = (root.table().occupied(), due(root));
    let is_taking = |&step: &G::Step| part(G::any_step(step)) == Part::Taking;
    let mut fitting = root.steps().take_while(is_taking).filter_map(|step| {
        let mut child = *root;
        child.play_unchecked(step);
        let off = before - child.table().occupied();
        let fits = !off.is_empty()
            && (off & seen.occupied()).is_empty()
            && due - off == due & seen.occupied();
        fits.then_some((step, child))
    });
    let (step, child) = fitting.next()?;
    let steps = Vec::from_iter([G::any_step(step)]);
    let position = child.any();
    let turn =
        Turn { steps, position, chosen: true, is_witnessed: true, is_landed: true, age: None };
    fitting.next().is_none().then_some(turn)
}

/// The ways on which a picture lies: for lights only.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ways {
    /// What it cost to find them, as a part of a slice.
    pub(super) cost: u16,
    /// How many different results they lead to, two for more.
    pub(super) results: usize,
    /// Whether something of them is begun.
    pub(super) is_begun: bool,
    /// What the first of them looks like.
    pub(super) result: Table,
    /// Where they begin.
    pub(super) origins: CellSet,
    /// Where they end.
    pub(super) ends: CellSet,
    /// Those of the ends after which something is to be taken off.
    pub(super) captures: CellSet,
    /// Where they still lack a piece.
    pub(super) lacking: CellSet,
    /// Pieces that are to be taken off.
    pub(super) off: CellSet,
}

impl Ways {
    /// On none.
    pub(super) const NONE: Ways = Ways {
        cost: 0,
        results: 0,
        is_begun: false,
        result: NOTHING,
        origins: CellSet::EMPTY,
        ends: CellSet::EMPTY,
        captures: CellSet::EMPTY,
        lacking: CellSet::EMPTY,
        off: CellSet::EMPTY,
    };
}

/// On which ways from this position a picture lies: those of which something is begun; if there are
/// none, those after which something that is gone comes off. None if nothing has begun. What moves
/// counts as lifted; what is not seated counts as on its way to where it lies.
pub(super) fn ways<G: Walker>(from: &G, picture: &Picture) -> Ways {
    let before = from.table();
    let seen = &picture.certain();
    let changed = seen.differs(&before);
    if changed.is_empty() {
        return Ways::NONE;
    }
    let mut ways = Ways { off: to_come_off(from), ..Ways::NONE };
    if !ways.off.is_empty() {
        let on_the_way = (changed & seen.occupied()).is_empty() && comes_off(from, changed);
        ways.results = if on_the_way { 2 } else { 0 };
        ways.is_begun = on_the_way;
        return ways;
    }
    let Some(own) = own_sign(from) else { return ways };
    let has_come = !(changed & seen.occupied()).is_empty();
    let reach = changed.lowest().map_or(CellSet::EMPTY, |cell| G::reach(cell, &before));
    for step in from.steps() {
        let Some((origin, end)) = G::ends(step) else { continue };
        if (G::moved(step, &before) & reach).is_empty() {
            continue;
        }
        let Some(is_begun) = G::on_the_way(step, own, &before, seen) else { continue };
        if !is_begun && (ways.is_begun || has_come) {
            continue;
        }
        let mut child = *from;
        child.play_unchecked(step);
        ways.cost += PLAYED;
        if !is_begun && !child.is_to_take() {
            continue;
        }
        let after = child.table();
        let off = to_come_off(&child);
        let moved = if has_come { G::moved(step, &before) } else { CellSet::of(origin) };
        // Rows that follow may be off already; elsewhere nothing may have changed.
        let elsewhere = changed - before.differs(&after) - moved;
        let only_taken = (elsewhere & seen.occupied()).is_empty() && (elsewhere - off).is_empty();
        let lies_aside = picture.loose - before.occupied() - after.occupied() - CellSet::of(origin);
        if !only_taken || !lies_aside.is_empty() || !G::turns_fit(step, &before, &after, seen) {
            continue;
        }
        if is_begun && !ways.is_begun {
            ways = Ways { cost: ways.cost, is_begun, ..Ways::NONE };
        }
        if ways.results == 0 {
            (ways.results, ways.result) = (1, after);
        } else if ways.result != after {
            ways.results = 2;
        }
        ways.origins.insert(origin);
        ways.ends.insert(end);
        if child.is_to_take() {
            ways.captures.insert(end);
        }
        ways.lacking |= after.occupied() - off - seen.occupied() - seen.dead;
    }
    ways
}

/// What the takings that are due may remove: rows, and the ring for one.
fn to_come_off<G: Walker>(position: &G) -> CellSet {
    let (off, first) = takings(position);
    match first {
        Some(child) if child.turn() == position.turn() => off | takings(&child).0,
        _ => off,
    }
}

/// Whether all of these may come off by one taking, or by one and what may follow it.
fn comes_off<G: Walker>(position: &G, gone: CellSet) -> bool {
    let before = position.table().occupied();
    let mut takings = position.steps().take_while(|&s| part(G::any_step(s)) == Part::Taking);
    takings.any(|step| {
        let mut child = *position;
        child.play_unchecked(step);
        let rest = gone - (before - child.table().occupied());
        let goes_on = child.turn() == position.turn();
        rest.is_empty() || goes_on && (rest - self::takings(&child).0).is_empty()
    })
}

/// What the player in turn has to take off before anything else.
pub(super) fn due<G: Walker>(position: &G) -> CellSet {
    takings(position).0
}

/// What the takings of a position remove, and the position after the first of them.
fn takings<G: Walker>(position: &G) -> (CellSet, Option<G>) {
    let (before, mut off, mut first) = (position.table().occupied(), CellSet::EMPTY, None);
    if !position.is_to_take() {
        return (off, first);
    }
    for step in position.steps().filter(|&step| G::takes_all(step)) {
        let mut child = *position;
        child.play_unchecked(step);
        off |= before - child.table().occupied();
        first = first.or(Some(child));
    }
    (off, first)
}

impl Walker for gipf::Gipf {
    fn any_step(step: gipf::Step) -> Step {
        Step::Gipf(step)
    }

    fn any(self) -> Position {
        Position::Gipf(self)
    }

    fn landing(_: gipf::Step) -> Option<Cell> {
        None
    }

    fn ends(step: gipf::Step) -> Option<(Cell, Cell)> {
        match step {
            gipf::Step::Push { from, to, .. } => Some((from, to)),
            gipf::Step::Take { .. } => None,
        }
    }

    fn moved(step: gipf::Step, before: &Table) -> CellSet {
        let Some((from, to)) = Self::ends(step) else { return CellSet::EMPTY };
        let spots = run(from, to, before).unwrap_or_default();
        spots.into_iter().chain([from]).collect()
    }

    fn telling(step: gipf::Step) -> Option<Cell> {
        Self::ends(step).map(|(from, _)| from)
    }

    /// Three of four may be GIPF-pieces that stay.
    const ROW: usize = 1;

    fn is_to_take(&self) -> bool {
        gipf::Gipf::is_to_take(self)
    }

    fn takes_all(step: gipf::Step) -> bool {
        matches!(step, gipf::Step::Take { left, .. } if left.is_empty())
    }

    /// The dot is left, its piece is on the first spot and the run one further, or off again with a
    /// row; nothing else has come.
    fn may_end(step: gipf::Step, scene: &Scene) -> bool {
        let gipf::Step::Push { from, to, piece } = step else { return false };
        let new = (scene.own, strength(piece));
        if !scene.shows(to, new) || scene.seen.occupied().contains(from) {
            return false;
        }
        let Some(spots) = run(from, to, &scene.before) else { return false };
        let shifted = |pair: &[Cell]| match scene.before.at(pair[0]) {
            Some(look) => scene.shows(pair[1], look),
            None => false,
        };
        let own: CellSet = spots.iter().copied().collect();
        (scene.brought - own).is_empty() && spots.windows(2).all(shifted)
    }

    /// Each piece of the run, and the new one, is seen at its old place, at its new one or nowhere.
    /// From the far end of the run backwards: `unused` is the first piece (counted from the new
    /// one, 0) that is already accounted for.
    fn on_the_way(step: gipf::Step, own: Sign, before: &Table, seen: &Picture) -> Option<bool> {
        let gipf::Step::Push { from: dot, to: first, piece } = step else { return None };
        let new = (own, strength(piece));
        let waiting = seen.table.at(dot);
        if waiting.is_some_and(|look| look != new) {
            return None;
        }
        let spots = run(dot, first, before)?;
        let piece = |number: usize| match number {
            0 => Some(new),
            _ => before.at(spots[number - 1]),
        };
        let (mut unused, mut is_begun) = (spots.len(), waiting.is_some());
        for number in (1..=spots.len()).rev() {
            let look = seen.table.at(spots[number - 1]);
            is_begun |= look != piece(number);
            if look.is_none() {
                continue;
            }
            if number < unused && piece(number) == look {
                unused = number;
            } else if number - 1 < unused && piece(number - 1) == look {
                unused = number - 1;
            } else {
                return None;
            }
        }
        (unused > 0 || waiting.is_none()).then_some(is_begun)
    }

    /// From here on along its lines, up to the first spots that are free.
    fn reach(spot: Cell, before: &Table) -> CellSet {
        let (board, occupied) = (&crate::geometry::GIPF, before.occupied());
        let mut reach = CellSet::of(spot);
        for direction in board.playfield().directions() {
            for next in board.ray(spot, direction) {
                reach.insert(next);
                if !occupied.contains(next) {
                    break;
                }
            }
        }
        reach
    }

    fn turns_fit(_: gipf::Step, _: &Table, _: &Table, _: &Picture) -> bool {
        true
    }
}

pub(super) fn strength(piece: gipf::Piece) -> Strength {
    match piece {
        gipf::Piece::Basic => Strength::Single,
        gipf::Piece::Gipf => Strength::Strong,
    }
}

/// The spots a push changes: those of the run, and the free one behind it.
fn run(dot: Cell, first: Cell, before: &Table) -> Option<Vec<Cell, 8>> {
    let board = &crate::geometry::GIPF;
    let playfield = board.playfield();
    let direction = playfield.directions().find(|&d| board.next(dot, d) == Some(first))?;
    let mut spots = Vec::new();
    for spot in board.ray(dot, direction) {
        spots.push(spot).ok()?;
        if before.at(spot).is_none() {
            return Some(spots);
        }
    }
    None
}

impl Walker for yinsh::Yinsh {
    fn any_step(step: yinsh::Step) -> Step {
        Step::Yinsh(step)
    }

    fn any(self) -> Position {
        Position::Yinsh(self)
    }

    fn landing(step: yinsh::Step) -> Option<Cell> {
        Self::telling(step)
    }

    fn ends(step: yinsh::Step) -> Option<(Cell, Cell)> {
        match step {
            yinsh::Step::MoveRing { from, to } => Some((from, to)),
            _ => None,
        }
    }

    fn moved(step: yinsh::Step, _: &Table) -> CellSet {
        Self::ends(step).map_or(CellSet::EMPTY, |(from, _)| CellSet::of(from))
    }

    fn telling(step: yinsh::Step) -> Option<Cell> {
        Self::ends(step).map(|(_, to)| to)
    }

    const ROW: usize = 5;

    fn is_to_take(&self) -> bool {
        yinsh::Yinsh::is_to_take(self)
    }

    fn takes_all(_: yinsh::Step) -> bool {
        true
    }

    /// Where the ring was lies its marker, and the ring where it goes to, or they are off again with
    /// a row; a ring that is put stays.
    fn may_end(step: yinsh::Step, scene: &Scene) -> bool {
        let (marker, ring) = ((scene.own, Strength::Single), (scene.own, Strength::Weak));
        match step {
            yinsh::Step::MoveRing { from, to } => {
                scene.shows(from, marker) && scene.shows(to, ring)
            }
            yinsh::Step::PlaceRing(cell) => scene.seen.may_be(cell, ring, false),
            _ => false,
        }
    }

    /// The ring is at its old place, at its new one or in the hand; jumped markers may be turned
    /// once the ring has company or is gone.
    fn on_the_way(step: yinsh::Step, own: Sign, _: &Table, seen: &Picture) -> Option<bool> {
        let (from, to) = Self::ends(step)?;
        let at_from = seen.table.at(from);
        if at_from.is_some_and(|(sign, _)| sign != own) {
            return None;
        }
        let has_ring = at_from.is_some_and(|(_, strength)| strength != Strength::Single);
        let landed = match seen.table.at(to) {
            None => false,
            Some(look) if look == (own, Strength::Weak) && !has_ring => true,
            Some(_) => return None,
        };
        (landed || at_from != Some((own, Strength::Weak))).then_some(true)
    }

    /// Anywhere: a ring turns what it jumps.
    fn reach(_: Cell, _: &Table) -> CellSet {
        CellSet::first(crate::geometry::YINSH.cell_count())
    }

    fn turns_fit(step: yinsh::Step, before: &Table, after: &Table, seen: &Picture) -> bool {
        let Some((from, to)) = Self::ends(step) else { return false };
        let untouched = seen.table.at(from) == before.at(from);
        let jumped = before.differs(after) - CellSet::of(from) - CellSet::of(to);
        let marker = |cell: Cell| match seen.table.at(cell) {
            None => true,
            Some((s, Strength::Single)) => {
                Some((s, Strength::Single)) == before.at(cell) || !untouched
            }
            Some(_) => false,
        };
        jumped.iter().all(marker)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    #[test]
    fn where_a_search_is_given_up_a_taking_is_one_step() {
        let mut game = gipf::Gipf::new(gipf::Variant::Basic(None));
        for text in ["e1-e2", "c1-c2", "e1-e2", "g1-g2", "e1-e2"] {
            let step = game.parse_step(text.as_bytes()).unwrap();
            assert!(game.play(step).is_ok(), "{text}");
        }
        let all_there = Picture { table: game.table(), ..Picture::EMPTY };
        assert!(one_taking(&game, &all_there).is_none(), "nothing is off");
        let mut after = game;
        assert!(after.play(game.parse_step(b"xe2-e5").unwrap()).is_ok());
        // The next player has already done something.
        let mut table = after.table();
        table.put(Cell::new(0), crate::magnet::Sign::Minus, Strength::Single);
        let turn = one_taking(&game, &Picture { table, ..Picture::EMPTY }).unwrap();
        assert!(turn.position == Position::Gipf(after));
    }

    #[test]
    fn a_push_that_makes_a_row_is_in_reach_of_each_of_its_pieces() {
        let mut random = SplitMix64::new(7);
        let mut pieces = 0;
        for _ in 0..200 {
            let mut game = gipf::Gipf::new(gipf::Variant::Tournament);
            while game.outcome().is_none() {
                let before = game.table();
                for step in game.steps().filter(|&step| gipf::Gipf::ends(step).is_some()) {
                    let mut child = game;
                    child.play_unchecked(step);
                    let moved = gipf::Gipf::moved(step, &before);
                    for piece in (to_come_off(&child) & before.occupied()) - moved {
                        let reach = gipf::Gipf::reach(piece, &before);
                        assert!(!(moved & reach).is_empty(), "{piece:?} {step:?}");
                        pieces += 1;
                    }
                }
                let step = game.steps().nth(random.below(game.step_count())).unwrap();
                game.play_unchecked(step);
            }
        }
        assert!(pieces > 10_000, "{pieces} pieces");
    }
}
