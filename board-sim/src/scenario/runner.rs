//! Playing a scenario: acts on the table, scans into the board, looking at what comes out.

use std::collections::{BTreeSet, VecDeque};

use embassy_futures::block_on;
use lodestone::games::Game;
use lodestone::games::any::Position;
use lodestone::geometry::Point;
use lodestone::journal::{GAMES, Journal, Record};
use lodestone::link::{Key, Text, ToBoard};
use lodestone::sense::Calibration;
use lodestone::sound::Sound;
use lodestone::wiring::timing::period_us;

use super::act::{Act, Part};
use super::expect::{Expected, ExpectedEvent};
use super::{Failure, Line, PAUSE_MS, Pairing, Scenario, World};
use crate::device::{Build, Flash};
use crate::pipe::{Board, Event, Input, Output, names};
use crate::table::{COMING_DOWN_MM, PlaceMm};

/// For everything that is drawn by lot.
const SEED: u64 = 1;
/// From power to the first request, ms: every board is up.
const START_MS: u32 = 200;
/// From the request for a new game to its pieces, ms: every board has seen that there are none.
const EMPTY_MS: u32 = 50;
/// From a piece in the hand to where it is set down, ms.
const CARRY_MS: u32 = 150;
const TAP_MS: u32 = 60;
const HOLD_MS: u32 = 1100;
/// From the pieces being laid out to the first act, ms: longer than any guard of the last step.
const SETTLED_MS: u32 = 1600;

struct Runner<'a, B> {
    scenario: &'a Scenario,
    board: B,
    world: World,
    now_us: u64,
    next_scan_us: u64,
    pairing: Pairing,
    /// What happened and was not yet expected.
    events: VecDeque<Event>,
    sounds: Vec<Sound>,
    meanings: Vec<(String, &'static str)>,
    lamps: Vec<&'static str>,
    /// Who acts next and the result, by the last step.
    last: Option<(u8, String)>,
    /// The last answer to a request.
    answer: Option<Output>,
    /// The first thing that was wrong while time passed.
    broken: Option<String>,
}

pub(super) fn build(scenario: &Scenario) -> Build {
    let playfield = scenario.setup.position().board().playfield();
    Build {
        playfield,
        calibration: Calibration::exact(playfield),
        seed: SEED,
        flash: flash(scenario),
    }
}

pub(super) fn run(scenario: &Scenario, board: impl Board) -> Result<(), Failure> {
    let playfield = board.playfield();
    let mut runner = Runner {
        scenario,
        board,
        world: World::new(playfield, SEED),
        now_us: 0,
        next_scan_us: 0,
        pairing: Pairing::default(),
        events: VecDeque::new(),
        sounds: Vec::new(),
        meanings: Vec::new(),
        lamps: Vec::new(),
        last: None,
        answer: None,
        broken: None,
    };
    runner.begin().map_err(|reason| Failure { line: 0, reason })?;
    for (line, what) in &scenario.lines {
        let done = match what {
            Line::Acts(acts) => runner.act_all(acts),
            Line::Expected(expected) => runner.expect_soon(expected),
        };
        let done = done.and_then(|()| runner.broken.take().map_or(Ok(()), Err));
        done.map_err(|reason| Failure { line: *line, reason })?;
    }
    let line = scenario.lines.last().map_or(0, |(line, _)| *line);
    runner.nothing().map_err(|reason| Failure { line, reason })
}

/// A flash with the game in it, if steps were made before.
fn flash(scenario: &Scenario) -> Flash {
    let flash = Flash::erased();
    if !scenario.before.is_empty() {
        let mut journal = block_on(Journal::open(flash.clone(), GAMES)).expect("a new flash opens");
        let mut write = |record| block_on(journal.append(&record)).expect("there is room");
        write(Record::Start { setup: scenario.setup, lot: 0 });
        for &step in &scenario.before {
            write(Record::step(step).expect("a legal step"));
        }
    }
    flash
}

/// The beginning.
impl<B: Board> Runner<'_, B> {
    fn begin(&mut self) -> Result<(), String> {
        let scenario = self.scenario;
        let position = self.position();
        let is_new = scenario.before.is_empty();
        // A game that goes on stands there before the power comes.
        if !is_new && !scenario.begins_empty {
            self.world.lay(&position);
        }
        self.wait(START_MS);
        if is_new {
            let text = "the texts were read before";
            let handicap = Text::new(&scenario.handicap).expect(text);
            let setup = Text::new(&scenario.deal).expect(text);
            self.host(ToBoard::NewGame { id: scenario.id, handicap, setup });
        } else {
            self.host(ToBoard::Resume);
        }
        if scenario.begins_empty {
            return Ok(());
        }
        if is_new {
            self.wait(EMPTY_MS);
            self.world.lay(&position);
        }
        self.wait(CARRY_MS + PAUSE_MS * 4);
        if is_new && self.world.occupied().next().is_some() {
            self.tap(Key::Ok, TAP_MS);
        }
        self.wait(SETTLED_MS);
        self.events.clear();
        self.sounds.clear();
        self.expect_soon(&Expected::Phase(lodestone::link::Phase::Play))
    }

    /// The position after the steps before.
    fn position(&self) -> Position {
        let mut position = self.scenario.setup.position();
        self.scenario.before.iter().for_each(|&step| position.play_unchecked(step));
        position
    }
}

/// Acts.
impl<B: Board> Runner<'_, B> {
    /// Acts of one line happen at once.
    fn act_all(&mut self, acts: &[Act]) -> Result<(), String> {
        acts.iter().try_for_each(|act| self.act(act))?;
        if !matches!(acts, [Act::Wait(_)]) {
            self.wait(PAUSE_MS);
        }
        Ok(())
    }

    fn act(&mut self, act: &Act) -> Result<(), String> {
        match act {
            Act::Put(piece, at, off) => self.world.put(*piece, *at, *off),
            Act::Bring(piece) => self.world.bring(*piece),
            Act::Lift(part, from) => self.world.lift(*part, *from),
            Act::Down(at, off) => self.down(*at, *off),
            Act::Hover(over, up_mm) => self.world.hover(*over, *up_mm),
            Act::Away => self.world.away(),
            Act::Move(part, from, to) => {
                self.world.lift(*part, *from);
                self.wait(CARRY_MS);
                self.down(*to, (0.0, 0.0));
            }
            Act::Slide(part, from, to, ms) => self.slide(*part, *from, *to, *ms),
            Act::Off(part, points) => {
                for &point in points {
                    self.world.remove(*part, point);
                    self.wait(PAUSE_MS);
                }
            }
            Act::Sweep(points) => {
                for &point in points {
                    self.world.remove(Part::All, point);
                }
            }
            Act::Turn(part, at) => {
                self.world.lift(*part, *at);
                self.world.turn_over();
                self.wait(CARRY_MS);
                self.world.down(*at, (0.0, 0.0));
            }
            Act::Nudge(at, by) => self.world.nudge(*at, *by),
            Act::Lay => {
                let position = self.position();
                self.world.lay(&position);
            }
            Act::Tap(key) => self.tap(*key, TAP_MS),
            Act::Hold(key) => self.tap(*key, HOLD_MS),
            Act::Press(key) => self.give(Input::Key(*key, true)),
            Act::Release(key) => self.give(Input::Key(*key, false)),
            Act::Host(request) => {
                let read = serde_json::from_str(request).map_err(|error| error.to_string())?;
                self.host(read);
            }
            Act::PowerCut => {
                self.pairing.power_cut();
                self.give(Input::PowerCut);
            }
            Act::Break(at, fault) => self.world.break_sensor(*at, *fault),
            Act::Ambient(mt) => self.world.ambient(*mt),
            Act::Wait(ms) => self.wait(*ms),
        }
        Ok(())
    }

    /// A stack comes down on another by and by; everything else is there at once.
    fn down(&mut self, at: Point, off: PlaceMm) {
        for up_mm in COMING_DOWN_MM {
            if self.world.lower(at, off, up_mm) {
                self.scan();
            }
        }
        self.world.down(at, off);
    }

    fn slide(&mut self, part: Part, from: Point, to: Point, ms: u32) {
        let scans = (ms * 1000 / period_us(self.board.playfield())).max(1);
        for scan in 1..=scans {
            self.world.slide(part, from, to, f64::from(scan) / f64::from(scans));
            self.scan();
        }
    }

    fn tap(&mut self, key: Key, ms: u32) {
        self.give(Input::Key(key, true));
        self.wait(ms);
        self.give(Input::Key(key, false));
    }

    fn host(&mut self, request: ToBoard) {
        self.answer = None;
        self.give(Input::Host(request));
    }

    fn wait(&mut self, ms: u32) {
        let until_us = self.now_us + u64::from(ms) * 1000;
        while self.next_scan_us <= until_us {
            self.scan();
        }
        self.now_us = until_us;
    }

    fn scan(&mut self) {
        self.now_us = self.next_scan_us.max(self.now_us);
        self.next_scan_us = self.now_us + u64::from(period_us(self.board.playfield()));
        let said = self.board.handle(self.now_us, Input::Scan(self.world.scan(self.now_us)));
        self.hear(said);
    }

    fn give(&mut self, input: Input) {
        let said = self.board.handle(self.now_us, input);
        self.hear(said);
    }

    fn hear(&mut self, said: Vec<Output>) {
        for output in said {
            if let Err(reason) = self.pairing.see(&output) {
                self.broken.get_or_insert(reason);
            }
            match output {
                // A report comes by itself after every start.
                Output::Event(Event::Report { .. }) | Output::Lights(_) => {}
                Output::Event(event) => {
                    if let Event::Committed { turn, result, .. } = &event {
                        self.last = Some((*turn, result.clone()));
                    }
                    self.events.push_back(event);
                }
                Output::Sound(sound) => self.sounds.push(sound),
                Output::Meanings(meanings) => self.meanings = meanings.0,
                Output::Lamps(lamps) => self.lamps = lamps,
                answer => self.answer = Some(answer),
            }
        }
    }
}

/// Expectations.
impl<B: Board> Runner<'_, B> {
    /// A board that needs its own time may take it for what is to come.
    fn expect_soon(&mut self, expected: &Expected) -> Result<(), String> {
        let is_to_come = !matches!(expected, Expected::Nothing(_) | Expected::Silence);
        let until_us = self.now_us + u64::from(self.board.lag_ms()) * 1000;
        loop {
            match self.expect(expected) {
                Err(_) if is_to_come && self.now_us < until_us => self.scan(),
                seen => return seen,
            }
        }
    }

    fn expect(&mut self, expected: &Expected) -> Result<(), String> {
        match expected {
            Expected::Event(event) => self.expect_event(event),
            Expected::Anything => {
                self.events.clear();
                Ok(())
            }
            Expected::Nothing(ms) => {
                self.nothing()?;
                self.wait(*ms);
                self.nothing()
            }
            Expected::Lights(meanings, points) => self.expect_lights(meanings, points),
            Expected::Lamps(lamps) => same("lamps", lamps, &self.lamps),
            Expected::Sound(sound) => {
                let heard = std::mem::take(&mut self.sounds);
                if heard.contains(sound) { Ok(()) } else { Err(format!("heard {heard:?}")) }
            }
            Expected::Silence => {
                same("sounds", &Vec::<Sound>::new(), &std::mem::take(&mut self.sounds))
            }
            Expected::Phase(phase) => {
                self.host(ToBoard::GetState);
                let Some(Output::Answer(state)) = &self.answer else {
                    return Err("no answer".into());
                };
                let wanted = serde_json::to_value(phase).map_err(|error| error.to_string())?;
                same("phase", &wanted, &state["state"]["phase"])
            }
            Expected::Turn(turn) => {
                same("turn", &Some(*turn), &self.last.as_ref().map(|last| last.0))
            }
            Expected::Result(result) => {
                same("result", &Some(result), &self.last.as_ref().map(|last| &last.1))
            }
            Expected::Position(line) => {
                self.host(ToBoard::GetPosition);
                same("position", &Some(Output::Position(line.clone())), &self.answer)
            }
        }
    }

    /// The next event that counts; prompts before it are passed over.
    fn expect_event(&mut self, expected: &ExpectedEvent) -> Result<(), String> {
        let is_prompt = |event: &Event| matches!(event, Event::Prompt { .. });
        let wants_prompt = matches!(expected, ExpectedEvent::Prompt(..));
        while let Some(event) = self.events.front() {
            if expected.is(event) {
                self.events.pop_front();
                return Ok(());
            }
            if !is_prompt(event) {
                return Err(format!("{expected:?} expected, but there was {event:?}"));
            }
            if wants_prompt && self.events.iter().all(|event| !expected.is(event)) {
                break;
            }
            self.events.pop_front();
        }
        Err(format!("{expected:?} expected, but there was nothing but {:?}", self.events))
    }

    fn nothing(&mut self) -> Result<(), String> {
        let counts = |event: &&Event| !matches!(event, Event::Prompt { .. });
        match self.events.iter().find(counts) {
            None => Ok(()),
            Some(event) => Err(format!("nothing expected, but there was {event:?}")),
        }
    }

    fn expect_lights(&self, meanings: &[&str], points: &[String]) -> Result<(), String> {
        let lit = self.meanings.iter().filter(|(_, said)| meanings.contains(said));
        let lit: BTreeSet<String> = lit.map(|(name, _)| self.game_name(name)).collect();
        let mut wanted: BTreeSet<String> = points.iter().cloned().collect();
        if wanted.remove("...") && wanted.is_subset(&lit) {
            return Ok(());
        }
        same(&meanings.join(" or "), &wanted, &lit)
    }

    /// What the game calls a point of the playfield; `@` and the playfield's name outside it.
    fn game_name(&self, name: &str) -> String {
        let board = self.scenario.setup.position().board();
        let all = names(board.playfield());
        let cell = all.parse(name.as_bytes()).and_then(|cell| board.cell(all.point(cell)));
        cell.map_or_else(|| format!("@{name}"), |cell| board.name(cell).to_string())
    }
}

fn same<A: std::fmt::Debug + PartialEq<B>, B: std::fmt::Debug>(
    what: &str,
    expected: &A,
    found: &B,
) -> Result<(), String> {
    if expected == found {
        Ok(())
    } else {
        Err(format!("{what}: {expected:?} expected, but there was {found:?}"))
    }
}
