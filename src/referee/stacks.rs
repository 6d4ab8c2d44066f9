//! DVONN and LYNGK: which move do lifts and landings tell?
//!
//! The picture shows only where stacks stand. A move needs its origin lifted and its landing seen:
//! a touch that stands out, on a target. One that stands out elsewhere is a refusal, none at all a
//! question.

use heapless::Vec;

use super::effect::{Refused, Why};
use super::landing::{self, FELT_MIN, LANDED_MIN, Landing, Scene, least_rise, most_nudge};
use super::picture::{Event, History, Picture};
use super::reading::{Explained, Rank, Reading};
use super::record::Record;
use super::refuse::Refusal;
use crate::games::any::{Position, Reason, Step};
use crate::games::slip::Slip;
use crate::games::{Game, Id, Rule, Table, dvonn, lyngk};
use crate::geometry::{Cell, CellSet};
use crate::meaning::Kind;
use crate::sense::{Reference, Sense, TOUCH_DELTA};

/// The highest stack there can be: all pieces of DVONN.
pub const STACK_MAX: usize = 49;

/// What two pieces read at least but where they lie far aside, and a single one never, codes.
const PAIR_MIN: i16 = 295;

/// Ways over points without a sensor that are asked for; more than two such points are rare.
const HIDDEN_WAYS_MAX: usize = 4;

/// The claim a number key makes: K1 black, K2 blue, K3 green, K4 ivory, K5 red.
pub(super) fn claim(number: u8) -> Option<lyngk::Step> {
    let index = usize::from(number).checked_sub(1)?;
    lyngk::Colour::ALL.get(index).map(|&colour| lyngk::Step::Claim(colour))
}

/// What the end of a move read since it was committed, codes.
#[derive(Clone, Copy)]
pub(super) struct EndRead {
    most: i16,
    /// The last that was seen of it, should it be lifted since.
    last: i16,
}

impl EndRead {
    pub(super) const NONE: EndRead = EndRead { most: 0, last: 0 };

    pub(super) fn note(&mut self, rested: i16) {
        *self = EndRead { most: self.most.max(rested), last: rested };
    }
}

/// What the picture can be; `lost` are stacks that may have lost pieces, `back` those that were in the
/// air together with others. Apart, because stack is scarce.
#[inline(never)]
pub(super) fn read(
    record: &Record,
    seen: &Picture,
    history: &History,
    sense: &Sense,
    (end_read, lost, back): (EndRead, CellSet, CellSet),
    reading: &mut Reading,
) {
    reading.clear();
    let position = record.position();
    let scene = Scene { position, seen, history, sense };
    further(scene, record.count(), reading);
    let is_back_unseen = is_back_unseen(record, seen, end_read);
    let has_lost = |cell: Cell| landing::has_lost(sense, position.board().point(cell));
    let is_doubtful = is_back_unseen
        || scene.has_hidden_move()
        || lost.iter().any(has_lost)
        || may_be_swapped(position, reading, back);
    let ways = hidden_ways(scene, reading);
    if is_doubtful || has_hidden_rival(reading, seen) || !ways.is_empty() {
        // Something was done that no sensor shows: what else was done may be the next turn.
        reading.uncleared = None;
        while let Some(result) = reading.results.pop() {
            let _ = reading.unproved.push(result.turn.steps[0]);
        }
        for step in ways {
            let _ = reading.unproved.push(step);
        }
    }
    if let Some(before) = record.turn_before().filter(|_| !record.has_begun())
        && let Some(&last) = record.steps().last()
        && seen.agrees(&before.position.table())
        && (is_back_unseen || is_taken_back(&before.position, last, scene))
    {
        reading.is_doubtful = is_back_unseen
            || may_be_another(record, scene)
            || may_be_a_part(&before.position, last, scene);
        reading.add(Explained::taken_back(&before.position, before.count));
    }
    if let Some(amended) = moved_on(record, seen, history, sense) {
        reading.add(amended);
    }
}

/// The stack of the last turn went on to another target: what lay on the one is gone, and lies on
/// the other, or has come off with it. Classes may show nothing of it.
pub(super) fn moved_on(
    record: &Record,
    seen: &Picture,
    history: &History,
    sense: &Sense,
) -> Option<Explained> {
    let turn = record.turn_before().filter(|_| !record.has_begun())?;
    // A claim of the same turn stays.
    let (last, claims) = record.steps_from(turn.count).split_last()?;
    let (from, to) = super::lights::ends(*last).filter(|(from, to)| from != to)?;
    let mut before = *turn;
    for &claim in claims {
        before.position.play_unchecked(claim);
        before.count += 1;
    }
    let board = before.position.board();
    let change = |cell| sense.change(board.point(cell), Reference::Commit).unwrap_or(0);
    let coming = height(&before.position, from);
    let least = |cell| least_rise(height(&before.position, cell), coming);
    // What was lifted as a whole and set down again stands otherwise, and tells nothing.
    let is_kept = |cell| !sense.was_lifted_since(board.point(cell), Reference::Commit);
    if -change(to) < least(to)? || !is_kept(to) {
        return None;
    }
    let gone = record.position().table().occupied() - seen.occupied() - seen.dead;
    let rose = |cell: &Cell| {
        *cell != to && is_kept(*cell) && least(*cell).is_some_and(|l| change(*cell) >= l)
    };
    let mut risen = seen.table.occupied().iter().filter(rose);
    // The only stack that is gone may be a five of LYNGK that came off.
    let end = gone.lowest().or_else(|| risen.next().filter(|_| risen.next().is_none()))?;
    let was_hit = |cell: Cell| {
        let least = least_rise(height(&before.position, cell), 1);
        ![to, end].contains(&cell) && least.is_some_and(|least| change(cell) >= least)
    };
    if seen.table.occupied().iter().any(was_hit) {
        return None;
    }
    // Two nudges look like a little less here and a little more there.
    let is_sure = -change(to) >= LANDED_MIN || change(end) >= LANDED_MIN;
    let own = CellSet::of(from) | CellSet::of(to) | CellSet::of(end);
    let step = move_step(&before.position, from, end)?;
    // What came down there may be another stack, even if something stands in its place again.
    let others = record.position().table().occupied() | history.lifted();
    let is_alone = is_sure && (others - own).iter().all(is_kept);
    let hidden = seen.dead & record.position().table().occupied();
    let is_rivalled = hidden.iter().any(|from| record.position().destinations(from).contains(end));
    if !is_alone || is_rivalled || before.position.check(step).is_err() {
        return None;
    }
    let result = Explained::step(&before.position, before.count, step);
    let fits = seen.agrees(&result.turn.position.table());
    fits.then_some(Explained { rank: Rank::AmendedBefore, ..result })
}

/// Whether a move that changes only what no sensor shows may have been made, by what is felt at its
/// end: anything that is no noise, for whoever made it says so.
pub(super) fn may_have_landed(scene: Scene, step: Step) -> bool {
    super::lights::ends(step).is_none_or(|(from, to)| {
        let is_seen =
            least_rise(height(scene.position, to), height(scene.position, from)).is_some();
        !is_seen || scene.seen.dead.contains(to) || scene.unseen_rise(to) >= FELT_MIN
    })
}

/// Whether these stacks are not all alike, so that it matters which stands where.
pub(super) fn are_different(position: &Position, cells: CellSet) -> bool {
    let Some(first) = cells.lowest() else { return false };
    cells.iter().any(|cell| match position {
        Position::Dvonn(game) => !game.is_same_stack(first, cell),
        Position::Lyngk(game) => game.stack(first) != game.stack(cell),
        _ => false,
    })
}

/// Results by one more step from a position.
fn further(scene: Scene, keep: usize, into: &mut Reading) {
    let Scene { position: from, seen, history, .. } = scene;
    let before = from.table();
    let gone = before.occupied() - seen.occupied() - seen.dead;
    let new = seen.table.occupied() - before.occupied();
    if is_placing(from) {
        if let Some(cell) = new.lowest() {
            placed(scene, keep, cell, into);
        }
        return;
    }
    if !new.is_empty() {
        return;
    }
    // In LYNGK a move, which takes long to play, takes off its own two stacks at most, and the next
    // player may have lifted one more.
    let is_lyngk = matches!(from, Position::Lyngk(_));
    if is_lyngk && gone.len() > 3 {
        return;
    }
    let hidden = seen.dead & before.occupied();
    let (mut taken, mut under_way) = (CellSet::EMPTY, CellSet::EMPTY);
    for origin in gone | hidden {
        let ends = from.destinations(origin);
        // The same for most ends.
        let mut landed = None;
        let mut captures = CellSet::EMPTY;
        for end in ends {
            let Some(step) = move_step(from, origin, end) else { continue };
            if is_lyngk && (gone - CellSet::of(origin) - CellSet::of(end)).len() > 1 {
                continue;
            }
            let after = played(from, step);
            let table = after.table();
            let off = before.occupied() - table.occupied();
            let (standing, others) = (off & seen.occupied(), gone - off);
            if off != CellSet::of(origin) || after.outcome().is_some() {
                captures.insert(end);
            }
            if hidden.contains(origin) {
                let has_risen = scene.has_risen(origin, end);
                if has_risen && others.is_empty() && !standing.is_empty() {
                    into.on_the_way = true;
                    into.todo.take = standing;
                } else if has_risen && others.len() <= 1 || !gone.is_empty() && seen.agrees(&table)
                {
                    let _ = into.unproved.push(step);
                }
                continue;
            }
            let since = history.since_lift(origin).unwrap_or(&[]);
            // The next player may have lifted a stack of his since, but not the one that landed.
            let is_his = |cell| after.origins().contains(cell) && cell != end;
            let is_since = |cell| since.contains(&Event::Lift(cell));
            let replies = others.len() == 1 && others.iter().all(|c| is_his(c) && is_since(c));
            let landing = match landed {
                Some((later, landing)) if later == others => landing,
                _ => scene.landing(origin, others),
            };
            landed = Some((others, landing));
            // A five that came off: its point was emptied after the origin.
            let is_five = is_lyngk && off.contains(end);
            let is_won = is_five && since.contains(&Event::Lift(end));
            let is_seen = landing == Landing::At(end) || is_won && landing == Landing::Unseen;
            if is_seen && seen.agrees(&table) {
                into.add(Explained::step_to(&after, keep, step));
            } else if is_seen && others.is_empty() {
                into.on_the_way = true;
                into.todo.take = standing;
                under_way.insert(end);
            } else if is_seen && replies {
                into.uncleared = Some((step, standing));
            } else if is_seen {
                taken.insert(end);
            } else if !matches!(landing, Landing::At(_)) {
                if seen.agrees(&table) || replies && standing.is_empty() {
                    let _ = into.unproved.push(step);
                }
                // In the hand, or landed unseen: what it cuts off may still stand.
                if others.is_empty() && into.todo.take.is_empty() {
                    into.on_the_way = true;
                    (into.todo.origins, into.todo.ends) = (CellSet::of(origin), ends);
                }
            }
        }
        if into.todo.origins.contains(origin) {
            into.todo.captures = captures;
        }
    }
    // What was seen to land there came from elsewhere, or from where no sensor shows it; unless
    // something was felt there before another stack was lifted.
    let is_taken = |step: &Step| {
        super::lights::ends(*step).is_some_and(|(from, to)| {
            taken.contains(to) && !hidden.contains(from) && !history.was_felt_first(from, to)
        })
    };
    // While that is being cleared away, one from where no sensor shows it can wait.
    let is_early = |&step: &Step| {
        super::lights::ends(step).is_some_and(|(start, to)| {
            under_way.contains(to)
                && hidden.contains(start)
                && !seen.agrees(&played(from, step).table())
        })
    };
    into.unproved.retain(|step| !is_taken(step) && !is_early(step));
    likeliest_first(scene, into);
}

/// DVONN: a piece was placed here.
fn placed(scene: Scene, keep: usize, cell: Cell, into: &mut Reading) {
    let Scene { position: from, seen, .. } = scene;
    let step = Step::Dvonn(dvonn::Step::Place(cell));
    let table = played(from, step).table();
    // The last piece too must be of its strength, though moves do not ask for it.
    let is_red = seen.table.strong.contains(cell);
    let is_right = is_red == table.strong.contains(cell) && !seen.vague.contains(cell);
    if from.check(step).is_ok() && is_right && seen.agrees(&table) {
        into.add(Explained::step(from, keep, step));
    }
}

/// What was touched at all, or cannot be seen, is the likelier answer.
fn likeliest_first(scene: Scene, into: &mut Reading) {
    let is_unlikely = |step: &Step| {
        super::lights::ends(*step).is_some_and(|(_, end)| {
            !scene.history.was_touched(end) && !scene.seen.dead.contains(end)
        })
    };
    let (all, is_likely) = (into.unproved.clone(), |step: &&Step| !is_unlikely(step));
    let likely = all.iter().filter(is_likely);
    into.unproved = likely.chain(all.iter().filter(|step| is_unlikely(step))).copied().collect();
}

/// Whether the last step was undone by hand: its stack split, the upper part back in its place.
fn is_taken_back(before: &Position, last: Step, scene: Scene) -> bool {
    let Scene { position, seen, history, sense } = scene;
    let (Step::Dvonn(dvonn::Step::Move { from, to }) | Step::Lyngk(lyngk::Step::Move { from, to })) =
        last
    else {
        // A placement: the piece is gone again, if the picture shows it. Who placed the last one
        // moves next, and may have lifted it for that.
        return super::lights::ends(last).is_none_or(|(cell, _)| {
            let may_move = !is_placing(position) && !position.destinations(cell).is_empty();
            !seen.dead.contains(cell) && !may_move
        });
    };
    // A single piece left alone has lost what lay on it; of higher stacks only unrest is certain.
    let is_single = height(before, to) == 1;
    let fell = sense
        .change(before.board().point(to), Reference::Commit)
        .is_some_and(|change| change <= -TOUCH_DELTA);
    let split = if is_single { fell } else { history.was_touched(to) };
    history.was_put(from)
        && (split || history.was_put(to))
        && risen_besides(before, to, sense).is_empty()
}

/// Whether what lies where the last move began may be another stack, which no sensor shows leave:
/// unless the end of that move has lost what no nudge explains.
fn may_be_another(record: &Record, scene: Scene) -> bool {
    let Some((_, to)) = last_move(record) else { return false };
    let point = scene.position.board().point(to);
    let fell = scene.sense.change(point, Reference::Commit).is_some_and(|by| by <= -LANDED_MIN);
    !fell && !(scene.seen.dead & scene.position.table().occupied()).is_empty()
}

/// Whether what lies where the last move began may be only a part of what had moved, as when a stack
/// falls over: it reads like a single piece, or something may have come down elsewhere.
fn may_be_a_part(before: &Position, last: Step, scene: Scene) -> bool {
    let Some((from, to)) = super::lights::ends(last).filter(|(from, to)| from != to) else {
        return false;
    };
    let point = |cell| before.board().point(cell);
    let is_single = scene.sense.rested(point(from)).abs() < PAIR_MIN;
    let was_hit = |cell: Cell| {
        let change = scene.sense.change(point(cell), Reference::Commit).unwrap_or(0);
        let is_kept = !scene.sense.was_lifted_since(point(cell), Reference::Commit);
        is_kept && least_rise(height(before, cell), 1).is_some_and(|least| change >= least)
    };
    let others = before.table().occupied() - CellSet::of(from) - CellSet::of(to);
    height(before, from) > 1 && is_single || others.iter().any(was_hit)
}

/// Whether what landed may as well have come from a point without a sensor to trust, while the stack
/// that is gone was cut off and cleared away.
fn has_hidden_rival(reading: &Reading, seen: &Picture) -> bool {
    let ends = |step: &Step| super::lights::ends(*step);
    let steps = reading.results.iter().filter_map(|result| ends(&result.turn.steps[0]));
    let is_rivalled = |(_, end): (Cell, Cell)| {
        let hidden = reading.unproved.iter().filter_map(ends);
        hidden.into_iter().any(|(from, to)| to == end && seen.dead.contains(from))
    };
    steps.into_iter().any(is_rivalled)
}

/// Moves that may have been made instead of the one that was found, if a stack from a point without a
/// sensor came down where that one ends: the next player's, or the same stack that went on from there.
#[inline(never)]
fn hidden_ways(scene: Scene, reading: &Reading) -> Vec<Step, HIDDEN_WAYS_MAX> {
    let Scene { position, seen, sense, .. } = scene;
    if seen.dead.is_empty() {
        return Vec::new();
    }
    let may_lie_on = |from, over| {
        let rise = sense.change(position.board().point(over), Reference::Lift).unwrap_or(0);
        let least = least_rise(height(position, over), height(position, from));
        seen.dead.contains(over) || least.is_none_or(|least| rise >= least)
    };
    let steps = reading.results.iter().map(|result| result.turn.steps[0]);
    let found = steps.filter_map(super::lights::ends);
    let ways = found.flat_map(|(from, to)| {
        let ends = position.destinations(from) - CellSet::of(to);
        ends.iter().filter(move |&over| may_lie_on(from, over)).filter_map(move |over| {
            let step = move_step(position, from, over)?;
            let next = played(position, step);
            let ends_there = |hidden: Cell| {
                let reply = move_step(&next, hidden, to);
                let reply = reply.filter(|&reply| next.check(reply).is_ok());
                reply.is_some_and(|reply| seen.agrees(&played(&next, reply).table()))
            };
            (seen.dead & next.table().occupied()).iter().any(ends_there).then_some(step)
        })
    });
    ways.take(HIDDEN_WAYS_MAX).collect()
}

/// Whether another stack was in the air together with the one that was found to move, and is back: they
/// may have been taken for each other. The stack on which it landed may be lifted with it.
fn may_be_swapped(position: &Position, reading: &Reading, back: CellSet) -> bool {
    let mut steps = reading.results.iter().map(|result| result.turn.steps[0]);
    steps.any(|step| {
        super::lights::ends(step).is_some_and(|(from, to)| {
            let others = back - CellSet::of(to);
            !others.is_empty() && are_different(position, others | CellSet::of(from))
        })
    })
}

/// Where something came down while the last step was still to be committed, from a point without a
/// sensor: that is another step.
pub(super) fn landed_early(record: &Record, seen: &Picture, sense: &Sense) -> CellSet {
    match record.steps().last().and_then(|&last| super::lights::ends(last)) {
        Some((_, to)) if !seen.dead.is_empty() => risen_besides(record.position(), to, sense),
        _ => CellSet::EMPTY,
    }
}

/// The stacks but this one onto which something came since the last commit.
fn risen_besides(position: &Position, but: Cell, sense: &Sense) -> CellSet {
    let has_risen = |cell: &Cell| {
        let point = position.board().point(*cell);
        let change = sense.change(point, Reference::Commit).unwrap_or(0);
        let is_kept = !sense.was_lifted_since(point, Reference::Commit);
        is_kept && change > most_nudge(sense.rested(point))
    };
    (position.table().occupied() - CellSet::of(but)).iter().filter(has_risen).collect()
}

/// Whether the stack of the last move seems to be back where no sensor shows it, by what it left:
/// it read less, when it was last seen, than the most that it read since the commit.
pub(super) fn is_back_unseen(record: &Record, seen: &Picture, read: EndRead) -> bool {
    let Some((from, to)) = last_move(record) else { return false };
    // It is only asked for, so the loss of a single piece counts, though it may be a nudge.
    let least = least_rise(height(record.position(), to).saturating_sub(1), 1).unwrap_or(i16::MAX);
    let least = least.min(most_nudge(read.last) + 1);
    seen.dead.contains(from) && read.most - read.last >= least
}

/// Where the last move led from and to, while nobody has begun another turn.
pub(super) fn last_move(record: &Record) -> Option<(Cell, Cell)> {
    let last = record.steps().last().filter(|_| !record.has_begun())?;
    super::lights::ends(*last).filter(|(from, to)| from != to)
}

pub(super) fn height(position: &Position, cell: Cell) -> usize {
    match position {
        Position::Dvonn(game) => game.height(cell),
        Position::Lyngk(game) => game.stack(cell).height(),
        _ => 0,
    }
}

/// Whether a stack holds a red piece of DVONN or a joker of LYNGK, which have stronger magnets.
pub(super) fn has_strong(position: &Position, cell: Cell) -> bool {
    match position {
        Position::Dvonn(game) => game.colours(cell).any(|colour| colour == dvonn::Colour::Red),
        Position::Lyngk(game) => {
            game.stack(cell).pieces().any(|piece| piece == lyngk::Piece::Joker)
        }
        _ => false,
    }
}

/// Whether the picture is the provisional result with a stack of the next player lifted, or one
/// more piece placed by him, and nothing else touched.
pub(super) fn is_reply(
    provisional: &Explained,
    expected: &Table,
    seen: &Picture,
    history: &History,
) -> bool {
    let next = &provisional.turn.position;
    let table = next.table();
    let own = expected.differs(&table)
        | provisional.turn.steps.iter().fold(CellSet::EMPTY, |cells, &step| cells | ends(step));
    let changed = seen.differs(&table);
    let Some(cell) = changed.lowest().filter(|_| changed.len() == 1) else { return false };
    if own.contains(cell) {
        return false;
    }
    if is_placing(next) {
        return seen.agrees(&played(next, Step::Dvonn(dvonn::Step::Place(cell))).table());
    }
    history.lifted().contains(cell) && next.origins().contains(cell)
}

fn ends(step: Step) -> CellSet {
    match super::lights::ends(step) {
        Some((from, to)) => CellSet::of(from) | CellSet::of(to),
        None => CellSet::EMPTY,
    }
}

fn played(from: &Position, step: Step) -> Position {
    let mut after = *from;
    after.play_unchecked(step);
    after
}

/// Whether DVONN's pieces are still being placed.
pub(super) fn is_placing(position: &Position) -> bool {
    match position {
        Position::Dvonn(game) => matches!(game.steps().next(), Some(dvonn::Step::Place(_))),
        _ => false,
    }
}

pub(super) fn move_step(position: &Position, from: Cell, to: Cell) -> Option<Step> {
    match position {
        Position::Dvonn(_) => Some(Step::Dvonn(dvonn::Step::Move { from, to })),
        Position::Lyngk(_) => Some(Step::Lyngk(lyngk::Step::Move { from, to })),
        _ => None,
    }
}

/// The pieces on a cell, bottom to top, as far as a game has stacks.
pub(super) fn kinds(position: &Position, cell: Cell) -> Vec<Kind, STACK_MAX> {
    match position {
        Position::Dvonn(game) => {
            let mut kinds: Vec<Kind, STACK_MAX> = game.colours(cell).map(kind_in_dvonn).collect();
            kinds.reverse();
            kinds
        }
        Position::Lyngk(game) => game.stack(cell).pieces().map(kind_in_lyngk).collect(),
        _ => Vec::new(),
    }
}

fn kind_in_dvonn(colour: dvonn::Colour) -> Kind {
    match colour {
        dvonn::Colour::White => Kind::White,
        dvonn::Colour::Black => Kind::Black,
        dvonn::Colour::Red => Kind::Red,
    }
}

fn kind_in_lyngk(piece: lyngk::Piece) -> Kind {
    match piece {
        lyngk::Piece::Joker => Kind::White,
        lyngk::Piece::Coloured(lyngk::Colour::Black) => Kind::Black,
        lyngk::Piece::Coloured(lyngk::Colour::Blue) => Kind::Blue,
        lyngk::Piece::Coloured(lyngk::Colour::Green) => Kind::Green,
        lyngk::Piece::Coloured(lyngk::Colour::Ivory) => Kind::Ivory,
        lyngk::Piece::Coloured(lyngk::Colour::Red) => Kind::Red,
    }
}

/// What a hand did wrong that changes no class: a stack was split, or a piece put on another while
/// pieces are placed. What was lifted as a whole since the commit says nothing.
pub(super) fn slip(position: &Position, seen: &Picture, sense: &Sense) -> Option<Refusal> {
    let board = position.board();
    let change = |cell: Cell| {
        let point = board.point(cell);
        let kept = !sense.was_lifted_since(point, Reference::Commit);
        sense.change(point, Reference::Commit).filter(|_| kept).unwrap_or(0)
    };
    let stacks = seen.table.occupied();
    let risen: CellSet = stacks.iter().filter(|&cell| change(cell) >= LANDED_MIN).collect();
    if is_placing(position) {
        let reason = Reason::Dvonn(dvonn::Reason::PieceNeedsVacantPoint);
        let is_more = |&cell: &Cell| change(cell) > most_nudge(sense.rested(board.point(cell)));
        let on_another: CellSet = risen.iter().filter(is_more).collect();
        let said = Refused { why: Why::Step(reason), cells: on_another };
        return (!on_another.is_empty())
            .then_some(Refusal { wrong: on_another, ..Refusal::from(said) });
    }
    let is_split = |cell: &Cell| height(position, *cell) > 1 && change(*cell) <= -LANDED_MIN;
    let from = stacks.iter().filter(is_split).min_by_key(|&cell| change(cell))?;
    let to = risen.iter().max_by_key(|&cell| change(cell))?;
    let slip = match position {
        Position::Dvonn(_) => Slip::DvonnStackSplit,
        _ => Slip::LyngkStackSplit,
    };
    let (from, to) = (CellSet::of(from), CellSet::of(to));
    let said = Refused { why: Why::Step(Reason::Slip(slip)), cells: from | to };
    Some(Refusal { wrong: to, put: from, ..Refusal::from(said) })
}

/// Why this picture is nothing legal.
pub(super) fn refuse(scene: Scene) -> Refusal {
    let Scene { position, seen, .. } = scene;
    let expected = position.table();
    let all = seen.differs(&expected);
    let gone = expected.occupied() - seen.occupied() - seen.dead;
    let new = seen.table.occupied() - expected.occupied();
    let refused = |why, cells| Refusal::from(Refused { why, cells });
    if is_placing(position) {
        return refuse_placing(position, seen, all, new);
    }
    // One stack was lifted: it came down where it may not, or should not have been lifted at all.
    if let (Some(from), 1) = (gone.lowest(), gone.len()) {
        let landed = match scene.landing(from, CellSet::EMPTY) {
            _ if new.len() == 1 => new.lowest(),
            Landing::At(cell) => Some(cell),
            _ => None,
        };
        let tried = landed.and_then(|to| {
            let broken = position.check(move_step(position, from, to)?).err()?;
            let to = CellSet::of(to);
            let why = Why::Step(broken.reason);
            let ends = position.destinations(from);
            Some(Refusal { wrong: to, ends, ..refused(why, broken.cells | to) })
        });
        if let Some(tried) = tried {
            return tried;
        }
        if is_full(position, from) {
            return refused(Why::Step(Reason::Slip(Slip::NeutralFiveTaken)), gone);
        }
        if !position.origins().contains(from)
            && let Some(reason) = why_not_moved(position, from)
        {
            return refused(Why::Step(reason), gone);
        }
    }
    if let Some(refusal) = refuse_taken(scene, gone).filter(|_| new.is_empty()) {
        return refusal;
    }
    if !new.is_empty() {
        let rule = match position {
            Position::Dvonn(_) => Rule { letter: 'D', number: 8 },
            _ => Rule { letter: 'L', number: 10 },
        };
        return refused(Why::WrongChange(rule), new);
    }
    refused(Why::Unexplained, all)
}

/// LYNGK: whether a stack of five stands there that belongs to nobody; others come off at once.
fn is_full(position: &Position, cell: Cell) -> bool {
    matches!(position, Position::Lyngk(game)
        if game.id() == Id::Lyngk && game.stack(cell).height() == 5)
}

/// A move was made, and more was taken off than it takes off.
fn refuse_taken(scene: Scene, gone: CellSet) -> Option<Refusal> {
    let position = scene.position;
    let before = position.table().occupied();
    let moved = (gone & position.origins()).iter().find_map(|from| {
        let Landing::At(to) = scene.landing(from, CellSet::EMPTY) else { return None };
        let step = move_step(position, from, to)?;
        position.check(step).ok()?;
        Some(before - played(position, step).table().occupied())
    })?;
    let others = gone - moved;
    let lowest = others.lowest()?;
    let why = match position {
        // D12: a stack with a red piece always stays.
        Position::Dvonn(game) if game.colours(lowest).any(|c| c == dvonn::Colour::Red) => {
            Why::WrongChange(Rule { letter: 'D', number: 12 })
        }
        Position::Dvonn(_) => Why::Step(Reason::Slip(Slip::TakenInContact)),
        _ if is_full(position, lowest) => Why::Step(Reason::Slip(Slip::NeutralFiveTaken)),
        _ => return None,
    };
    let hidden = gone & moved;
    Some(Refusal { hidden, ..Refusal::from(Refused { why, cells: others }) })
}

/// Why this stack cannot be moved at all: a rule about the stack itself forbids all ends, one with a
/// lower number about an end only some.
fn why_not_moved(position: &Position, from: Cell) -> Option<Reason> {
    let others = position.table().occupied() - CellSet::of(from);
    let broken =
        others.iter().filter_map(|to| position.check(move_step(position, from, to)?).err());
    let number = |reason: &Reason| crate::games::Reason::rule(*reason).number;
    broken.map(|broken| broken.reason).max_by_key(number)
}

fn refuse_placing(position: &Position, seen: &Picture, all: CellSet, new: CellSet) -> Refusal {
    let refused = |why, cells| Refusal::from(Refused { why, cells });
    if let (Some(cell), 1) = (new.lowest(), new.len()) {
        let step = Step::Dvonn(dvonn::Step::Place(cell));
        let strength = seen.differs(&played(position, step).table());
        if position.check(step).is_ok() && (strength - new).is_empty() {
            return refused(Why::Step(Reason::Slip(Slip::RedsComeFirst)), new);
        }
    }
    let on_another = all & seen.occupied();
    if new.is_empty() && on_another == all {
        let reason = Reason::Dvonn(dvonn::Reason::PieceNeedsVacantPoint);
        return refused(Why::Step(reason), all);
    }
    if new.is_empty() {
        return refused(Why::Unexplained, all);
    }
    refused(Why::Step(Reason::Slip(Slip::SeveralPlaced)), all)
}
