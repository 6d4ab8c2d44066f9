//! Hands play whole games: what the referee commits is what they did, whatever they do.
//!
//! The hands see what people see: lights, questions, refusals. After every turn the pieces on the
//! table are compared with the referee's position, colours and stacks included. Sensors and pieces have
//! their whole error budget, gains are not taught.

use board_sim::hands::{self, CAREFUL, Hands, Mistake, Progress, SLOPPY, Style, acts, layout, tap};
use board_sim::table::{Fault, Table, Tolerances};
use lodestone::games::any::{Position, Setup, Step};
use lodestone::games::{Game, Id, dvonn, gipf, lyngk, yinsh};
use lodestone::geometry::Cell;
use lodestone::random::SplitMix64;
use lodestone::referee::{Effect, Key, Referee};
use lodestone::sense::{Calibration, Sense, ZeroRun};
use lodestone::wiring::timing::period_us;

/// Turns of each game and style.
const TURNS: usize = 60;
/// What people wait for an answer of the board, ms.
const PATIENCE_MS: u64 = 6000;

/// A table with hands, an observer and a referee.
struct Play {
    table: Table,
    hands: Hands,
    sense: Sense,
    referee: Box<Referee>,
    random: SplitMix64,
    now_us: u64,
    said: Vec<Effect>,
    /// What happened lately, for whoever has to find out why.
    log: Vec<String>,
    count: Count,
}

/// What came of a number of turns.
#[derive(Default, Debug)]
struct Count {
    turns: usize,
    questions: usize,
    refusals: usize,
    mistakes: usize,
    /// Turns that only came right after the pieces were put as the lights said.
    mended: usize,
    wrong: Vec<String>,
}

impl Play {
    fn new(id: Id, style: &'static Style, seed: u64) -> Play {
        let referee = Box::new(Referee::new(&Setup::of(id)));
        let position = *referee.position();
        let playfield = position.board().playfield();
        let mut table = Table::new(playfield, &Tolerances::BUDGET, seed);
        let mut run = ZeroRun::new();
        while !run.add(table.scan(0)) {}
        let mut calibration = Calibration::none(playfield);
        assert!(run.finish(&mut calibration).is_empty());
        let mut hands = Hands::new(position.board(), style, seed);
        hands.set_up(&position, &mut table);
        let mut play = Play {
            table,
            hands,
            sense: Sense::new(referee.profile(), calibration),
            referee,
            random: SplitMix64::new(seed),
            now_us: 0,
            said: Vec::new(),
            log: Vec::new(),
            count: Count::default(),
        };
        play.wait(500);
        play.key(Key::Ok);
        assert!(play.referee.is_in_play(), "{id}: the board is laid out");
        play
    }

    fn scan(&mut self) -> Progress {
        self.now_us += u64::from(period_us(self.table.playfield()));
        let progress = self.hands.advance(self.now_us, &mut self.table);
        if let Progress::Pressed(key) = progress {
            self.key(match key {
                hands::Key::Number(number) => Key::Number(number),
                hands::Key::Ok => Key::Ok,
                hands::Key::Undo => Key::Undo,
            });
        }
        let now_ms = self.now_ms();
        let events = self.sense.scan(now_ms, self.table.scan(self.now_us));
        let effects = self.referee.scan(now_ms, &mut self.sense, &events);
        self.hear(effects);
        progress
    }

    fn now_ms(&self) -> u32 {
        (self.now_us / 1000) as u32
    }

    fn hear(&mut self, effects: impl IntoIterator<Item = Effect>) {
        for effect in effects {
            let text = match effect {
                Effect::Committed { step, count, .. } => {
                    format!("committed {count} {}", text(self.referee.position(), step))
                }
                ref effect => format!("{effect:?}"),
            };
            self.log.push(format!("{} ms: {text}", self.now_us / 1000));
            self.count.questions += usize::from(matches!(effect, Effect::Question(..)));
            self.count.refusals += usize::from(matches!(effect, Effect::Refused(..)));
            self.said.push(effect);
        }
    }

    fn key(&mut self, key: Key) {
        let effects = self.referee.key(self.now_ms(), &mut self.sense, key);
        self.log.push(format!("{} ms: {key:?}", self.now_us / 1000));
        self.hear(effects);
    }

    fn wait(&mut self, ms: u64) {
        let until_us = self.now_us + ms * 1000;
        while self.now_us < until_us {
            self.scan();
        }
    }

    /// Lets the hands finish.
    fn finish(&mut self) {
        while self.scan() != Progress::Done {}
    }

    /// Waits for the referee to come to a position; answers what it asks on the way.
    fn wait_for(&mut self, truth: &Position, step: Step) -> bool {
        let until_us = self.now_us + PATIENCE_MS * 1000;
        let (mut answered, mut is_pressed) = (0, false);
        while self.now_us < until_us && self.referee.position() != truth {
            self.wait(100);
            let asked = self.said.iter().rposition(|e| matches!(e, Effect::Question(..)));
            if let Some(at) = asked.filter(|&at| at >= answered) {
                answered = self.said.len();
                if let Effect::Question(_, cells) = self.said[at].clone() {
                    self.answer(step, &cells);
                }
            }
            if !is_pressed && self.now_us + PATIENCE_MS * 500 > until_us && answered == 0 {
                is_pressed = true;
                self.press_late(step);
            }
        }
        self.referee.position() == truth
    }

    /// Nothing came: a claim was too early, or no sensor shows the step, and OK tells of it.
    fn press_late(&mut self, step: Step) {
        match step {
            Step::Lyngk(lyngk::Step::Claim(colour)) => {
                self.key(Key::Number(colour.index() as u8 + 1));
            }
            _ if !self.sense.faults().is_empty() => self.key(Key::Ok),
            _ => {}
        }
    }

    fn answer(&mut self, step: Step, candidates: &[Cell]) {
        let Some(end) = end(step).or_else(|| self.taken(step, candidates)) else { return };
        let number = candidates.iter().position(|&cell| cell == end);
        let is_dead = self.sense.fault(self.referee.position().board().point(end)).is_some();
        match (number, tap(&self.hands.layout(), end)) {
            (Some(0), _) if candidates.len() == 1 => self.key(Key::Ok),
            (Some(number), _) if self.random.below(2) == 0 => {
                self.key(Key::Number(number as u8 + 1));
            }
            (_, Some(tap)) if !is_dead => {
                self.hands.follow(vec![tap]);
                self.finish();
            }
            (Some(number), _) => self.key(Key::Number(number as u8 + 1)),
            (None, _) => self.key(Key::Undo),
        }
    }

    /// Of the cells to choose from, the one by which people know what they took off.
    fn taken(&self, step: Step, candidates: &[Cell]) -> Option<Cell> {
        let before = *self.referee.position();
        let mut after = before;
        after.play_unchecked(step);
        let off = before.table().occupied() - after.table().occupied();
        let sensor = |cell: &Cell| self.sense.fault(before.board().point(*cell));
        let hidden = candidates.iter().copied().find(|cell| sensor(cell).is_some())?;
        let is_meant = |cell: &Cell| off.contains(hidden) == (*cell == hidden);
        candidates.iter().copied().find(is_meant)
    }

    /// Whether the pieces are where the referee thinks they are, if it is not still where it was.
    fn check(&mut self, before: &Position, what: &str) {
        let position = self.referee.position();
        let is_new = position != before && self.referee.is_in_play();
        if is_new && self.hands.layout() != layout(position) {
            let log = self.log[self.log.len().saturating_sub(30)..].join("\n  ");
            self.count.wrong.push(format!("{what}\n  {log}"));
            self.mend();
        }
    }

    /// Does what the lights say, from whatever lies there.
    fn mend(&mut self) {
        for _ in 0..3 {
            let position = *self.referee.position();
            self.hands.restore(&position);
            self.finish();
            self.wait(2500);
            if *self.referee.position() == position && self.referee.is_in_play() {
                return;
            }
            self.key(Key::Undo);
        }
        let log = self.log[self.log.len().saturating_sub(30)..].join("\n  ");
        self.count.wrong.push(format!("stuck\n  {log}"));
    }

    /// Plays a step, perhaps after a mistake; `false` when the game is over.
    fn turn(&mut self, style: &Style) -> bool {
        let position = *self.referee.position();
        let legal: Vec<Step> = position.steps().filter(|&step| is_seen(&position, step)).collect();
        if legal.is_empty() {
            return false;
        }
        let step = legal[self.random.below(legal.len())];
        self.log.push(format!("{} ms: plays {}", self.now_us / 1000, text(&position, step)));
        if (self.random.below(1000) as f64) < 1000.0 * style.mistake {
            self.make_mistake(&position, step);
            if *self.referee.position() != position {
                // It happened to be legal.
                return true;
            }
        }
        let mut truth = position;
        truth.play_unchecked(step);
        self.said.clear();
        self.hands.play(acts(&position, step));
        self.finish();
        if !self.wait_for(&truth, step) {
            self.count.mended += 1;
            let name = text(&position, step);
            self.log.push(format!("{} ms: {name} did not come", self.now_us / 1000));
            self.check(&position, "after a step that did not come");
            self.mend();
        }
        self.wait(700);
        self.count.turns += 1;
        true
    }

    fn make_mistake(&mut self, position: &Position, step: Step) {
        let mistake = Mistake::ALL[self.random.below(Mistake::ALL.len())];
        let Some(acts) = mistake.acts(position, step, self.random.next()) else { return };
        self.log.push(format!("{} ms: {mistake:?}", self.now_us / 1000));
        self.count.mistakes += 1;
        self.hands.follow(acts);
        self.finish();
        let pause_ms = [200, 1000, 2500, 4000][self.random.below(4)];
        self.wait(pause_ms);
        self.hands.restore(position);
        self.finish();
        self.wait(2500);
        self.check(position, "after a mistake");
        if !self.referee.is_in_play() {
            self.mend();
        }
    }
}

fn text(position: &Position, step: Step) -> String {
    let mut text = String::new();
    position.write_step(step, &mut text).unwrap();
    text
}

/// Where a step ends, for answers.
fn end(step: Step) -> Option<Cell> {
    match step {
        Step::Gipf(gipf::Step::Push { to, .. })
        | Step::Yinsh(yinsh::Step::MoveRing { to, .. } | yinsh::Step::PlaceRing(to))
        | Step::Dvonn(dvonn::Step::Move { to, .. } | dvonn::Step::Place(to))
        | Step::Lyngk(lyngk::Step::Move { to, .. }) => Some(to),
        Step::Glux(step) => Some(step.cell),
        _ => None,
    }
}

/// A row left standing as a whole is told by OK, not by hands.
fn is_seen(position: &Position, step: Step) -> bool {
    let mut after = *position;
    after.play_unchecked(step);
    after.table() != position.table() || matches!(step, Step::Lyngk(_) | Step::Glux(_))
}

/// Plays so many turns and prints what came of them; fails on anything wrong.
fn soak(id: Id, style: &'static Style, faults: usize, turns: usize) {
    let (mut sum, mut seed) = (Count::default(), 0);
    while sum.turns < turns && seed < 40 {
        seed += 1;
        let mut play = Play::new(id, style, seed);
        let mut before = *play.referee.position();
        while sum.turns + play.count.turns < turns && play.turn(style) {
            play.check(&before, &format!("{id} {} seed {seed}", style.name));
            before = *play.referee.position();
            if play.count.turns == 10 && faults > 0 {
                for _ in 0..faults {
                    let cells: Vec<Cell> = play.referee.position().board().cells().collect();
                    let cell = cells[play.random.below(cells.len())];
                    let point = play.referee.position().board().point(cell);
                    play.table.set_fault(point, Some(Fault::Dead));
                }
                play.wait(3000);
            }
        }
        let Count { turns, questions, refusals, mistakes, mended, wrong } = play.count;
        sum.turns += turns;
        sum.questions += questions;
        sum.refusals += refusals;
        sum.mistakes += mistakes;
        sum.mended += mended;
        sum.wrong.extend(wrong);
    }
    let Count { turns, questions, refusals, mistakes, mended, ref wrong } = sum;
    println!(
        "{id} {} {faults}: {turns} turns, {questions} questions, {refusals} refusals, {mistakes} \
         mistakes, {mended} mended, {} wrong",
        style.name,
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn careful_hands() {
    for id in Id::ALL {
        soak(id, &CAREFUL, 0, TURNS);
    }
}

#[test]
fn sloppy_hands() {
    for id in Id::ALL {
        soak(id, &SLOPPY, 0, TURNS);
    }
}

#[test]
fn two_dead_sensors() {
    for id in Id::ALL {
        soak(id, &CAREFUL, 2, TURNS);
    }
}
