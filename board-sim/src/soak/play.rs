//! One game: what people mean, what they did, what the board said, and whether that is true.

use lodestone::console::{Event, Input};
use lodestone::games::any::{Position, Setup, Step};
use lodestone::games::{Game, Outcome, gipf, lyngk, yinsh};
use lodestone::geometry::{Cell, CellSet, Point, PointSet};
use lodestone::link::{Text, ToBoard};
use lodestone::meaning::Meaning;
use lodestone::random::SplitMix64;
use lodestone::referee::{Ask, END_MS, Notice, SETTLE_MS, TAKE_MS};
use lodestone::sense::REST_MS;
use lodestone::wiring::{led_count, scan, timing};

use super::boards::board;
use super::world::{Failing, World};
use super::{Failure, Plan, Tally, turns};
use crate::hands::{Layout, Pile, Progress, Thing, layout};
use crate::table::Fault;
use crate::text;

/// A game ends after so many turns, if not by its rules.
pub(super) const TURNS_MAX: u64 = 300;
/// How often it is noted where pieces are while they move, µs: more often than a piece must rest
/// to be seen.
const SEE_US: u64 = 100_000;
/// Simulated time in which sensors fail, µs.
const FAILING_US: u64 = 120_000_000;

/// Turns that people are about to make, and those they have made.
pub(super) struct Agenda {
    /// The position before the first step, and after each.
    pub(super) positions: Vec<Position>,
    pub(super) steps: Vec<Step>,
    /// How many of them the hands were told to do.
    pub(super) queued: usize,
    /// Positions before somebody changed his mind.
    pub(super) also: Vec<Position>,
}

impl Agenda {
    pub(super) fn new(from: &Position, steps: &[Step]) -> Agenda {
        let mut agenda =
            Agenda { positions: vec![*from], steps: Vec::new(), queued: 0, also: Vec::new() };
        agenda.extend(steps);
        agenda
    }

    pub(super) fn extend(&mut self, steps: &[Step]) {
        for &step in steps {
            let mut next = *self.end();
            next.play_unchecked(step);
            self.positions.push(next);
            self.steps.push(step);
        }
    }

    pub(super) fn end(&self) -> &Position {
        self.positions.last().expect("there is always the first one")
    }

    /// After how many of the steps a position is reached.
    pub(super) fn index_of(&self, position: &Position) -> Option<usize> {
        self.positions.iter().rposition(|at| at == position)
    }

    /// Whether a position is one that people have made, or are just making.
    fn explains(&self, position: &Position) -> bool {
        self.positions[..=self.queued].contains(position) || self.also.contains(position)
    }
}

/// A lift whose destinations are to be shown.
struct Hint {
    point: Point,
    /// The last scan before the field fell below the return limit.
    from_us: Option<u64>,
}

/// What happened in this turn.
#[derive(Default)]
pub(super) struct TurnSoFar {
    /// A mistake, or a change of mind.
    pub(super) is_odd: bool,
    pub(super) was_asked: bool,
    pub(super) was_refused: bool,
    /// How often a value was told for the same chip.
    pub(super) told_values: u32,
}

/// What candidates are asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Asks {
    /// Where it landed, or what came off.
    End,
    /// From where it came.
    Origin,
    /// Whether stacks are back in their places.
    Places,
}

/// A game that is being played.
pub(super) struct Play<'a> {
    pub(super) plan: &'a Plan,
    number: u64,
    pub(super) world: World,
    pub(super) random: SplitMix64,
    pub(super) start: Position,
    /// The steps the board said it committed, and where they lead.
    pub(super) told: Vec<Step>,
    pub(super) position: Position,
    pub(super) agenda: Agenda,
    /// What lay on each cell at some time of this turn.
    seen: Vec<Vec<Pile<Thing>>>,
    /// When people's doings were last looked at.
    seen_us: u64,
    /// What stood where after the last act, for the trace.
    before: Layout,
    /// What the board last said and nobody has done anything about yet.
    pub(super) standing: Option<Event>,
    last_said: Option<Event>,
    /// When it last said something new.
    pub(super) said_us: u64,
    /// Sensors it said have failed.
    pub(super) dead: PointSet,
    /// What the candidates' light asks for.
    pub(super) asks: Asks,
    /// UNDO was pressed: steps come off although they lie there.
    pub(super) undoing: bool,
    pub(super) turn: TurnSoFar,
    idle: bool,
    hint: Option<Hint>,
    pub(super) tally: Tally,
}

impl<'a> Play<'a> {
    /// The device is on, its game chosen, the board empty.
    pub(super) fn new(plan: &'a Plan, number: u64) -> Play<'a> {
        let mut seeds = SplitMix64::new(plan.seed ^ (plan.id as u64) << 56);
        let mut random = SplitMix64::new(seeds.next() ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let setup = match Setup::of(plan.id) {
            Setup::Lyngk(variant, _) => {
                Setup::Lyngk(variant, lyngk::Deal::shuffle(random.next() >> 32))
            }
            setup => setup,
        };
        let start = setup.position();
        let cells = start.board();
        let board = board(cells.playfield(), plan.taught, number);
        let mut world = World::new(cells, board, plan.style, random.next());
        world.failing = failing(&start, plan.faults, &mut random).into();
        let mut play = Play {
            plan,
            number,
            world,
            random,
            start,
            told: Vec::new(),
            position: start,
            agenda: Agenda::new(&start, &[]),
            seen: Vec::new(),
            seen_us: 0,
            before: layout(&start),
            standing: None,
            last_said: None,
            said_us: 0,
            dead: PointSet::EMPTY,
            asks: Asks::End,
            undoing: false,
            turn: TurnSoFar::default(),
            idle: true,
            hint: None,
            tally: Tally { games: 1, ..Tally::default() },
        };
        play.choose(&setup);
        play
    }

    fn choose(&mut self, setup: &Setup) {
        let letters = match setup {
            Setup::Lyngk(_, deal) => deal.to_string(),
            _ => String::new(),
        };
        let setup = Text::new(&letters).expect("a set-up is short enough");
        let request = ToBoard::NewGame { id: self.plan.id, handicap: Text::default(), setup };
        self.world.give(Input::Host(request), &mut Vec::new());
    }

    /// Plays to the end, or to a failure.
    pub(super) fn run(mut self) -> Tally {
        for failing in &self.world.failing {
            let cell = self.position.board().cell(failing.point);
            let name = cell.map(|cell| self.position.board().name(cell).to_string());
            let at_s = failing.at_us as f64 / 1e6;
            self.say(|| {
                format!("the sensor of {name:?} fails at {at_s:.3} s: {:?}", failing.fault)
            });
        }
        let ended = self.play();
        if let Err(failure) = ended {
            self.say(|| format!("FAILED {}", failure.what));
            self.tally.failures.push(failure);
        }
        self.tally.simulated_ms = self.world.now_ms();
        self.tally
    }

    /// Goes on to the next scan; whether the hands have nothing to do.
    pub(super) fn tick(&mut self) -> Result<bool, Failure> {
        let mut said = Vec::new();
        let progress = self.world.tick(&mut said);
        self.idle = progress == Progress::Done;
        for layout in self.world.hands.take_layouts() {
            self.say(|| format!("hands: {}", self.changed(&layout)));
            self.note(&layout);
            self.before = layout;
        }
        if !self.idle && self.world.now_us >= self.seen_us + SEE_US {
            self.seen_us = self.world.now_us;
            self.world.lying().iter().for_each(|layout| self.note(layout));
        }
        if let Progress::Pressed(key) = progress {
            self.say(|| format!("presses {key:?}"));
        }
        self.watch_hint();
        if !said.is_empty() {
            self.hear(said)?;
        }
        Ok(self.idle)
    }

    /// People have done something about what was said: said again, it is new.
    pub(super) fn forget_said(&mut self) {
        self.last_said = None;
    }

    /// Keeps what lies on each cell.
    fn note(&mut self, layout: &Layout) {
        for (seen, pile) in self.seen.iter_mut().zip(layout) {
            if !seen.contains(pile) {
                seen.push(pile.clone());
            }
        }
    }

    pub(super) fn hear(&mut self, said: Vec<Event>) -> Result<(), Failure> {
        let is_amended = said.iter().any(|event| matches!(event, Event::Undone(_)));
        let is_committed = said.iter().any(|event| matches!(event, Event::Committed { .. }));
        let mut waited_ms = None;
        for event in said {
            // What is said again is nothing new.
            if self.last_said.as_ref() == Some(&event) {
                continue;
            }
            self.last_said = Some(event.clone());
            self.said_us = self.world.now_us;
            self.say(|| self.spell(&event));
            match event {
                Event::Committed { step, count, outcome, .. } => {
                    let before = self.position;
                    let refused = self.position.play(step).is_err();
                    self.told.push(step);
                    if refused || count != self.told.len() {
                        return Err(self.failure(true, &format!("step {count} is not legal")));
                    }
                    waited_ms = Some(waiting_ms(&before, step, outcome, is_amended));
                    self.standing = None;
                }
                Event::Undone(count) => {
                    self.told.truncate(count);
                    self.position = self.start;
                    self.told.iter().for_each(|&step| self.position.play_unchecked(step));
                    self.standing = None;
                }
                Event::BackInPlay => self.standing = None,
                Event::Fault(points, _) => self.dead |= points,
                // What stood there adds to what is to be done.
                Event::Report { .. } | Event::Notice(Notice::Stood(_)) => {}
                Event::Notice(Notice::Swapped(_)) => self.asks = Asks::Places,
                event => {
                    if let Event::Question(ask, _) = &event {
                        self.asks = if *ask == Ask::Origin { Asks::Origin } else { Asks::End };
                        self.turn.was_asked = true;
                    }
                    self.turn.was_refused |= matches!(event, Event::Refused(_));
                    self.standing = Some(event);
                }
            }
        }
        if let Some(waited_ms) = waited_ms {
            self.time_commit(waited_ms);
        }
        if is_amended || is_committed { self.judge() } else { Ok(()) }
    }

    /// Whether the board's position is one that was done: what people meant, or what lies there, as
    /// far as it differs from where the turn began.
    /// While they are at work or just were, each cell must have been so at some time of this turn;
    /// later only those from which something was lifted.
    fn judge(&self) -> Result<(), Failure> {
        if self.undoing || self.agenda.explains(&self.position) {
            return Ok(());
        }
        let [sure, perhaps] = self.world.lying();
        let (before, claimed) = (layout(&self.agenda.positions[0]), layout(&self.position));
        let to_clear = self.lit(|meaning| meaning == Meaning::Take);
        // The board believes only what has rested, and learns it with the scan after that.
        let touched_us = self.world.hands.last_touch_us();
        let rest_us = u64::from(1000 * REST_MS + 2 * timing::period_us(self.world.playfield()));
        let is_fresh = self.world.now_us - touched_us <= rest_us;
        let is_done = |index: usize| {
            let is_same = |lying: &Pile<Thing>| self.is_same_pile(lying, &claimed[index]);
            let is_debris = claimed[index].is_empty() && to_clear.contains(&Cell::new(index));
            let may_be_old = !self.idle || is_fresh || sure[index].is_empty();
            let was_so = || may_be_old && self.seen[index].iter().any(is_same);
            let is_claimed = before[index] != claimed[index];
            !is_claimed
                || is_debris
                || self.is_trusted(index, &claimed[index])
                || is_same(&sure[index])
                || is_same(&perhaps[index])
                || self.is_held(&perhaps[index], &claimed[index])
                || was_so()
        };
        let not_done: CellSet =
            (0..claimed.len()).filter(|&index| !is_done(index)).map(Cell::new).collect();
        if not_done.is_empty() {
            return Ok(());
        }
        let cells = text::cells(self.position.board(), not_done);
        let line = text::position(&self.position);
        Err(self.failure(true, &format!("not so: {cells}; the board has {line}")))
    }

    /// YINSH: whether a marker was there that the board has to trust people to turn over, since no
    /// sensor shows it.
    fn is_trusted(&self, index: usize, claimed: &Pile<Thing>) -> bool {
        let point = self.position.board().point(Cell::new(index));
        let is_it =
            |lay: &Pile<Thing>| lay.ring == claimed.ring && lay.discs.len() == claimed.discs.len();
        matches!(self.position, Position::Yinsh(_))
            && self.dead.contains(point)
            && self.seen[index].iter().any(is_it)
    }

    /// DVONN: whether a piece is held over the vacant point where it is to be placed. A red one in
    /// the wrong place reads like a basic one until it lies there, and is refused then.
    fn is_held(&self, over: &Pile<Thing>, claimed: &Pile<Thing>) -> bool {
        let is_placing =
            matches!(self.agenda.positions[0], Position::Dvonn(game) if game.to_place().is_some());
        is_placing && over.discs.len() == claimed.discs.len()
    }

    /// Whether two piles are the same as far as the board can know: of GLÜX's chips the half, and
    /// no colours while DVONN's pieces are placed, the last one too.
    pub(super) fn is_same_pile(&self, lying: &Pile<Thing>, claimed: &Pile<Thing>) -> bool {
        let is_same = |(a, b): (&Thing, &Thing)| match self.agenda.positions[0] {
            Position::Glux(_) => a.piece.turned == b.piece.turned,
            Position::Dvonn(game) if game.to_place().is_some() => a.piece == b.piece,
            _ => a == b,
        };
        lying.ring == claimed.ring
            && lying.discs.len() == claimed.discs.len()
            && lying.discs.iter().zip(&claimed.discs).all(is_same)
    }

    /// Whether two layouts are the same as far as the board can know.
    pub(super) fn is_same(&self, lying: &Layout, claimed: &Layout) -> bool {
        lying.iter().zip(claimed).all(|(lying, claimed)| self.is_same_pile(lying, claimed))
    }

    /// The cells whose light says this.
    pub(super) fn lit(&self, is_it: impl Fn(Meaning) -> bool) -> Vec<Cell> {
        let board = self.position.board();
        let meanings = self.world.meanings();
        let lit = meanings.iter().filter(|&(_, meaning)| is_it(meaning));
        lit.filter_map(|(point, _)| board.cell(point)).collect()
    }

    /// Whether everything lies as the board has it.
    pub(super) fn lies_as(&self, position: &Position) -> bool {
        self.is_same(&self.world.hands.layout(), &layout(position))
    }

    pub(super) fn failure(&self, is_wrong: bool, what: &str) -> Failure {
        let meant: Vec<String> = self
            .agenda
            .steps
            .iter()
            .zip(&self.agenda.positions)
            .map(|(&step, at)| text::step(at, step))
            .collect();
        let what = format!("{what}; meant {} ({} done)", meant.join(" "), self.agenda.queued);
        Failure {
            id: self.plan.id,
            number: self.number,
            is_wrong,
            step: self.told.len(),
            at_ms: self.world.now_ms(),
            what,
        }
    }

    /// A new turn begins: what lay there before is forgotten.
    pub(super) fn begin_turn(&mut self, agenda: Agenda) {
        self.agenda = agenda;
        self.seen = self.world.hands.layout().into_iter().map(|pile| vec![pile]).collect();
        self.turn = TurnSoFar::default();
    }

    /// Enters how long a commit took, if nothing but the hands' last touch led to it.
    fn time_commit(&mut self, waited_ms: u32) {
        let is_clean = !(self.turn.is_odd || self.turn.was_asked || self.turn.was_refused);
        if !self.idle || !is_clean || self.agenda.queued < self.agenda.steps.len() {
            return;
        }
        let took_ms = ((self.world.now_us - self.world.hands.last_touch_us()) / 1000) as u32;
        let late_ms = took_ms as i32 - waited_ms as i32;
        self.say(|| format!("committed {late_ms} ms late"));
        self.tally.commit_ms.push(took_ms);
        self.tally.late_ms.push((late_ms, self.number));
    }

    /// From now on the destinations of this stack are waited for.
    pub(super) fn expect_hint(&mut self, step: Step) {
        let point = turns::origin_of_stack(step).map(|from| self.position.board().point(from));
        let point = point.filter(|&point| !self.dead.contains(point));
        self.hint = point.map(|point| Hint { point, from_us: None });
    }

    fn watch_hint(&mut self) {
        let Some(hint) = &mut self.hint else { return };
        let now_us = self.world.now_us;
        if hint.from_us.is_none() {
            if self.world.device.console().sense().seen(hint.point).is_occupied() {
                return;
            }
            hint.from_us = Some(now_us - u64::from(timing::period_us(self.world.playfield())));
        }
        let from_us = hint.from_us.unwrap_or(now_us);
        let shown = self
            .world
            .meanings()
            .iter()
            .any(|(_, meaning)| matches!(meaning, Meaning::Destination | Meaning::Capture));
        if shown {
            let playfield = self.world.playfield();
            let frame_us = led_count(playfield) as u32 * timing::LED_US + timing::LED_RESET_US;
            let scan_us = scan::duration_us(&scan::words(playfield));
            let took_us = now_us - from_us + u64::from(frame_us + scan_us);
            self.say(|| format!("destinations after {took_us} µs"));
            self.tally.hint_ms.push(((took_us / 1000) as u32, self.number));
            self.hint = None;
        } else if now_us - from_us > 500_000 || self.idle {
            self.tally.hints_missing += 1;
            self.hint = None;
        }
    }

    /// Prints what happens, if somebody wants to know.
    pub(super) fn say(&self, what: impl FnOnce() -> String) {
        if self.plan.trace {
            eprintln!("{:>9.3} s  {}", self.world.now_us as f64 / 1e6, what());
        }
    }

    /// The cells that an act has changed, with what stands there now, bottom to top.
    fn changed(&self, layout: &Layout) -> String {
        let board = self.position.board();
        let is_new = |index: &usize| self.before[*index] != layout[*index];
        let cells = (0..layout.len()).filter(is_new).map(|index| {
            let name = board.name(Cell::new(index));
            let pile = &layout[index];
            let things = pile.discs.iter().chain(&pile.ring);
            let spell = |thing: &Thing| {
                let side = if thing.piece.turned { "'" } else { "" };
                match thing.colour {
                    letter if letter.is_ascii_alphabetic() => {
                        format!("{}{side}", char::from(letter))
                    }
                    chip => format!("({chip}{side})"),
                }
            };
            format!("{name}:{}", things.map(spell).collect::<String>())
        });
        cells.collect::<Vec<_>>().join(" ")
    }

    fn spell(&self, event: &Event) -> String {
        match event {
            Event::Committed { step, count, .. } => {
                format!("board: {count} {}", text::step(&self.position, *step))
            }
            Event::Prompt(act, cells) => {
                format!("board: {act:?} {}", text::cells(self.position.board(), *cells))
            }
            Event::Refused(refused) => {
                let cells = text::cells(self.position.board(), refused.cells);
                format!("board: refused {:?} {cells}", refused.why)
            }
            Event::Question(ask, cells) => {
                let cells = text::cells(self.position.board(), cells.iter().copied().collect());
                format!("board: question {ask:?} {cells}")
            }
            event => format!("board: {event:?}"),
        }
    }
}

/// The waiting time of the table protocol for the result this step makes.
fn waiting_ms(before: &Position, step: Step, outcome: Option<Outcome>, is_amended: bool) -> u32 {
    let is_chosen = match step {
        Step::Yinsh(yinsh::Step::TakeRing(_)) | Step::Gipf(gipf::Step::Take { .. }) => true,
        // Five of six markers, or one of two rows.
        Step::Yinsh(yinsh::Step::TakeRow { .. }) => before.steps().nth(1).is_some(),
        _ => false,
    };
    if outcome.is_some() {
        END_MS
    } else if is_chosen || is_amended {
        TAKE_MS
    } else {
        SETTLE_MS
    }
}

/// Draws sensors of the game's board that fail, and when.
fn failing(start: &Position, count: usize, random: &mut SplitMix64) -> Vec<Failing> {
    let board = start.board();
    let mut failing: Vec<Failing> = (0..count)
        .map(|_| {
            let cell = board.cells().nth(random.below(board.cell_count()));
            let fault = match random.below(3) {
                0 => Fault::Dead,
                1 => Fault::Stuck(1500 + random.below(1100) as u16),
                _ => Fault::Noisy(30.0 + random.below(100) as f64),
            };
            Failing {
                at_us: random.next() % FAILING_US,
                point: board.point(cell.expect("so many cells")),
                fault,
            }
        })
        .collect();
    failing.sort_by_key(|failing| failing.at_us);
    failing
}
