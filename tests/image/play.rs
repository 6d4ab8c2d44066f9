//! Stretches of play on the chip: the same hands make the same steps as on the console of a PC, and
//! nothing that was committed is ever lost.
//!
//! Hands and eyes are all there is: games are chosen in the menu and resumed by keys, pieces are
//! moved over the sensors. What is drawn by lot is read off the LEDs.

use board_sim::device::{Build, Flash};
use board_sim::emulator::ResetReason;
use board_sim::hands::{self, CAREFUL, Hands, Progress, acts, layout, tap};
use board_sim::pipe::{Board, EmulatedBoard, Event, HostBoard, Input, Output, named_lights};
use board_sim::table::{Table, Tolerances};
use embassy_futures::block_on;
use lodestone::games::any::{Position, Setup, Step};
use lodestone::games::lyngk::Deal;
use lodestone::games::{Game, Id, dvonn, lyngk};
use lodestone::geometry::{Cell, Playfield};
use lodestone::journal::{GAMES, History, Journal, Record};
use lodestone::keys;
use lodestone::light::{Brightness, Scene};
use lodestone::link::{Key, ToBoard};
use lodestone::meaning::{Kind, Meaning, Meanings};
use lodestone::random::SplitMix64;
use lodestone::sense::Calibration;
use lodestone::wiring::KEY_LED_COUNT;
use lodestone::wiring::flash::JOURNAL;
use lodestone::wiring::test_hook;
use lodestone::wiring::timing::period_us;

use crate::flash::Copy;
use crate::machine::{HOOK_SCRATCH, elf, is_long, on_all_cores};

/// Whole games in a normal run, one on each playfield; with `LODESTONE_EFFORT=long` all.
const WHOLE: [Id; 2] = [Id::Dvonn, Id::Glux2];
/// Of games in which every landing is felt: nobody is asked anything.
const SEED: u64 = 1;
/// Steps of a game in which the power is cut.
const CUT_STEPS: usize = 3;
/// Cuts at random instants, and with `LODESTONE_EFFORT=long`.
const CUTS: usize = 20;
const CUTS_LONG: usize = 200;
/// Games in which they happen, and the steps that were made before.
pub(crate) const LONG_GAMES: [(Id, usize); 5] =
    [(Id::Gipf, 16), (Id::Yinsh, 30), (Id::Dvonn, 49), (Id::Lyngk, 10), (Id::Glux2, 20)];
/// What people wait after a step, ms: longer than any guard of it.
const PAUSE_MS: u64 = 2200;
/// And after the last one, which ends the game and is left some more time to be taken back.
const END_MS: u64 = 5000;
/// From power to the menu, ms.
const START_MS: u64 = 300;
/// How long a key is down, ms.
const PRESS_MS: u64 = 100;

/// What happens at the table.
#[derive(Clone)]
enum Given {
    Scan(Vec<u16>),
    Key(Key, bool),
}

/// What is pressed in the menu before OK: the game, then which of its kind.
const fn choice(id: Id) -> [Key; 2] {
    match id {
        Id::GipfBasic => [Key::K1, Key::K1],
        Id::Gipf => [Key::K1, Key::K2],
        Id::GipfTournament => [Key::K1, Key::K3],
        Id::Yinsh => [Key::K2, Key::K1],
        Id::YinshBlitz => [Key::K2, Key::K2],
        Id::Dvonn => [Key::K3, Key::K1],
        Id::Lyngk => [Key::K4, Key::K1],
        Id::LyngkSix => [Key::K4, Key::K2],
        Id::Glux2 => [Key::K5, Key::K1],
        Id::Glux3 => [Key::K5, Key::K2],
        Id::Glux4 => [Key::K5, Key::K3],
    }
}

/// A game that is played by hands: what happens when, µs.
pub(crate) struct Script {
    setup: Setup,
    /// Steps that were made before and are in the journal.
    before: Vec<Step>,
    lines: Vec<(u64, Given)>,
    steps: Vec<Step>,
    table: Table,
    now_us: u64,
    scan_us: u64,
}

impl Script {
    /// Random steps, so many or up to the end of the game.
    pub(crate) fn new(id: Id, count: usize) -> Script {
        Script::of(Setup::of(id), 0, count)
    }

    /// As many steps, after so many that were made before.
    pub(crate) fn resumed(id: Id, before: usize, count: usize) -> Script {
        Script::of(Setup::of(id), before, count)
    }

    /// The power has come, nothing else has happened yet.
    fn at_start(setup: Setup) -> Script {
        Script {
            setup,
            before: Vec::new(),
            lines: Vec::new(),
            steps: Vec::new(),
            table: Table::new(setup.position().board().playfield(), &Tolerances::NONE, 1),
            now_us: 0,
            scan_us: 0,
        }
    }

    fn of(setup: Setup, before: usize, count: usize) -> Script {
        let mut position = setup.position();
        let mut random = SplitMix64::new(SEED);
        let mut script = Script::at_start(setup);
        while script.before.len() < before {
            let legal: Vec<Step> = position.steps().collect();
            let step = legal[random.below(legal.len())];
            position.play_unchecked(step);
            script.before.push(step);
        }
        let mut hands = Hands::new(position.board(), &CAREFUL, 1);
        if before > 0 {
            hands.set_up(&position, &mut script.table);
            script.pass(START_MS);
            script.press(Key::Ok);
            script.pass(PAUSE_MS);
        } else {
            script.choose();
            hands.set_up(&position, &mut script.table);
            script.pass(PAUSE_MS);
            if layout(&position).iter().any(|pile| !pile.is_empty()) {
                script.press(Key::Ok);
                script.pass(PAUSE_MS);
            }
        }
        while script.steps.len() < count && position.outcome().is_none() {
            let legal: Vec<Step> = position.steps().collect();
            let step = legal[random.below(legal.len())];
            script.idle(&mut hands);
            hands.play(acts(&position, step));
            script.watch(&mut hands);
            // The board may ask where a stack has landed: lifted and set down again it tells.
            if let Some(answer) =
                onto_stack(&position, step).and_then(|to| tap(&hands.layout(), to))
            {
                script.idle(&mut hands);
                hands.follow(vec![answer]);
                script.watch(&mut hands);
            }
            position.play_unchecked(step);
            script.steps.push(step);
        }
        script.pass(END_MS);
        script
    }

    /// The hands had nothing to do up to now.
    fn idle(&mut self, hands: &mut Hands) {
        hands.advance(self.now_us, &mut self.table);
    }

    /// Lets the hands do what they are told, and the board make something of it.
    fn watch(&mut self, hands: &mut Hands) {
        loop {
            match hands.advance(self.now_us, &mut self.table) {
                Progress::Done => break,
                Progress::Pressed(key) => self.press(link_key(key)),
                Progress::Busy => self.pass(5),
            }
        }
        self.pass(PAUSE_MS);
    }

    fn playfield(&self) -> Playfield {
        self.table.playfield()
    }

    /// Goes through the menu.
    fn choose(&mut self) {
        self.pass(START_MS);
        for key in choice(self.setup.position().id()).into_iter().chain([Key::Ok]) {
            self.press(key);
            self.pass(PRESS_MS);
        }
    }

    fn press(&mut self, key: Key) {
        self.lines.push((self.now_us, Given::Key(key, true)));
        self.pass(PRESS_MS);
        self.lines.push((self.now_us, Given::Key(key, false)));
    }

    fn pass(&mut self, ms: u64) {
        self.now_us += ms * 1000;
        while self.scan_us < self.now_us {
            let codes = self.table.scan(self.scan_us).to_vec();
            self.lines.push((self.scan_us, Given::Scan(codes)));
            self.scan_us += u64::from(period_us(self.playfield()));
        }
    }

    /// The position after so many steps.
    fn position(&self, count: usize) -> Position {
        let mut position = self.setup.position();
        let steps = self.before.iter().chain(&self.steps[..count]);
        steps.for_each(|&step| position.play_unchecked(step));
        position
    }

    /// The texts of the steps.
    pub(crate) fn texts(&self) -> Vec<String> {
        let text = |(at, &step): (usize, &Step)| {
            let mut text = String::new();
            self.position(at).write_step(step, &mut text).unwrap();
            text
        };
        self.steps.iter().enumerate().map(text).collect()
    }

    pub(crate) fn play(&self, board: &mut impl Board) -> Vec<String> {
        self.lines.iter().flat_map(|line| give(board, line)).collect()
    }

    /// What the sensors give in the end.
    pub(crate) fn last_scan(&self) -> Vec<u16> {
        let scan = |(_, given): &(u64, Given)| match given {
            Given::Scan(codes) => Some(codes.clone()),
            Given::Key(..) => None,
        };
        self.lines.iter().rev().find_map(scan).expect("a scan")
    }

    fn build(&self) -> Build {
        let playfield = self.playfield();
        let calibration = Calibration::exact(playfield);
        let flash = Flash::erased();
        if !self.before.is_empty() {
            let mut journal = block_on(Journal::open(flash.clone(), GAMES)).unwrap();
            let steps = self.before.iter().filter_map(|&step| Record::step(step));
            for record in [Record::Start { setup: self.setup, lot: 0 }].into_iter().chain(steps) {
                block_on(journal.append(&record)).unwrap();
            }
        }
        Build { playfield, calibration, seed: 1, flash }
    }

    pub(crate) fn emulated(&self) -> EmulatedBoard {
        EmulatedBoard::start(&elf(), &self.build(), false).expect("the emulator starts")
    }
}

/// DVONN and LYNGK: where a move lands on a stack of several pieces.
fn onto_stack(position: &Position, step: Step) -> Option<Cell> {
    let (Step::Dvonn(dvonn::Step::Move { to, .. }) | Step::Lyngk(lyngk::Step::Move { to, .. })) =
        step
    else {
        return None;
    };
    (layout(position)[to.index()].discs.len() > 1).then_some(to)
}

/// Gives a line to a board; the steps that it commits.
fn give(board: &mut impl Board, line: &(u64, Given)) -> Vec<String> {
    committed(given(board, line))
}

fn given(board: &mut impl Board, (now_us, given): &(u64, Given)) -> Vec<Output> {
    let input = match given {
        Given::Scan(codes) => Input::Scan(codes),
        Given::Key(key, down) => Input::Key(*key, *down),
    };
    board.handle(*now_us, input)
}

/// What a board begins a game with that is chosen in its menu, seen by its lights: LYNGK's pieces are
/// dealt by lot, and K6 held shows them all in their colours.
fn dealt(id: Id, board: &mut impl Board) -> Setup {
    const KINDS: [(Kind, u8); 6] = [
        (Kind::White, b'W'),
        (Kind::Black, b'K'),
        (Kind::Blue, b'B'),
        (Kind::Green, b'G'),
        (Kind::Ivory, b'I'),
        (Kind::Red, b'R'),
    ];
    let setup = Setup::of(id);
    let Setup::Lyngk(variant, _) = setup else { return setup };
    let mut script = Script::at_start(setup);
    script.choose();
    script.lines.push((script.now_us, Given::Key(Key::K6, true)));
    script.pass(PRESS_MS);
    let mut lit = Vec::new();
    for line in &script.lines {
        for output in given(board, line) {
            if let Output::Lights(lights) = output {
                lit = lights.0;
            }
        }
    }
    let cells = setup.position().board();
    let letter = |cell| {
        let is_it = |&&(kind, _): &&(Kind, u8)| {
            let mut meanings = Meanings::none(cells.playfield());
            meanings.set(cells.point(cell), Meaning::SetUp(kind));
            lit.contains(&light(&meanings))
        };
        KINDS.iter().find(is_it).expect("a piece").1
    };
    let letters: Vec<u8> = cells.cells().map(letter).collect();
    Setup::Lyngk(variant, Deal::parse(&letters).expect("43 pieces"))
}

/// The name and the colour of the only light.
fn light(meanings: &Meanings) -> (String, String) {
    let (lamps, brightness) = (&[None; KEY_LED_COUNT], Brightness::default());
    let scene = Scene { meanings, lamps, brightness, touched_ms: 0 };
    named_lights(meanings.playfield(), &scene.frame(0)).0.remove(0)
}

fn link_key(key: hands::Key) -> Key {
    match key {
        hands::Key::Number(number) => keys::ALL[usize::from(number) - 1],
        hands::Key::Ok => Key::Ok,
        hands::Key::Undo => Key::Undo,
    }
}

fn committed(outputs: Vec<Output>) -> Vec<String> {
    let step = |output| match output {
        Output::Event(Event::Committed { step, .. }) => Some(step),
        _ => None,
    };
    outputs.into_iter().filter_map(step).collect()
}

/// What the tests below begin with: resumed games go on as the scripts mean them.
#[test]
fn scripts_of_resumed_games_hold_on_the_pc() {
    for (id, before) in LONG_GAMES {
        let script = Script::resumed(id, before, CUT_STEPS);
        let steps = script.play(&mut HostBoard::new(script.build(), false, None));
        assert_eq!(steps, script.texts(), "{id}");
    }
}

/// A whole game on a board that `start` powers up: the steps that were meant and those it made.
fn whole<B: Board>(id: Id, start: impl Fn(&Script) -> B) -> [Vec<String>; 2] {
    let setup = dealt(id, &mut start(&Script::at_start(Setup::of(id))));
    let script = Script::of(setup, 0, usize::MAX);
    [script.texts(), script.play(&mut start(&script))]
}

#[test]
fn the_same_hands_make_the_same_steps_on_both_boards() {
    let ids: &[Id] = if is_long() { &Id::ALL } else { &WHOLE };
    on_all_cores(ids, |&id| {
        let [meant, made] = whole(id, |script| HostBoard::new(script.build(), false, None));
        assert_eq!(made, meant, "{id} on the PC");
        let [meant, made] = whole(id, Script::emulated);
        assert_eq!(made, meant, "{id} on the chip");
        println!("{id}: {} steps", made.len());
    });
}

/// The power has gone after these steps were committed: they are in the journal, and the game can be
/// resumed after them.
fn nothing_is_lost(script: &Script, board: &mut EmulatedBoard, done: &[String], what: &str) {
    assert_eq!(board.resets(), [ResetReason::PowerCut], "{what}");
    let mut journal = Copy(board.emulator().read_flash(JOURNAL).unwrap()).journal();
    let Some(game) = journal.unfinished().copied() else {
        assert!(done.is_empty(), "{what}: no game");
        return;
    };
    let mut history = Box::new(History::new(script.setup));
    block_on(journal.load(game.number, &mut history)).unwrap().expect("the game");
    let kept = history.depth() - script.before.len();
    assert!(kept == done.len() || kept == done.len() + 1, "{what}: {kept} of {}", done.len());
    let position = script.position(kept);
    assert!(*history.position() == position, "{what}");
    if position.outcome().is_some() {
        return; // over by its rules: closed at the start
    }

    let mut ask = |request| {
        let now_us = board.emulator().now().as_micros() as u64;
        board.handle(now_us, Input::Host(request))
    };
    ask(ToBoard::Resume);
    let mut line = String::new();
    position.write_position(&mut line).unwrap();
    let answers = ask(ToBoard::GetPosition);
    assert!(answers.contains(&Output::Position(line)), "{what}: {answers:?}");
}

/// Plays until the power has gone; the steps that were committed.
fn play_until_cut(script: &Script, board: &mut EmulatedBoard) -> Vec<String> {
    let mut done = Vec::new();
    for line in &script.lines {
        done.extend(give(board, line));
        if !board.resets().is_empty() {
            break;
        }
    }
    done
}

#[test]
fn a_cut_in_any_flash_operation_of_a_game_loses_no_committed_step() {
    let script = Script::new(Id::Yinsh, CUT_STEPS);
    let mut whole = script.emulated();
    assert_eq!(script.play(&mut whole), script.texts());
    let operations = whole.emulator().flash_operations();
    println!("{CUT_STEPS} steps take {operations} flash operations");
    on_all_cores(1..=operations, |operation| {
        let mut board = script.emulated();
        board.emulator().cut_power_at(operation).unwrap();
        let done = play_until_cut(&script, &mut board);
        nothing_is_lost(&script, &mut board, &done, &format!("operation {operation}"));
    });
}

#[test]
fn a_cut_at_any_instant_loses_no_committed_step() {
    let scripts = LONG_GAMES.map(|(id, before)| Script::resumed(id, before, CUT_STEPS));
    on_all_cores(0..if is_long() { CUTS_LONG } else { CUTS }, |cut| {
        let script = &scripts[cut % scripts.len()];
        let mut random = SplitMix64::new(cut as u64);
        let at = 1 + random.below(script.lines.len() - 1);
        let mut board = script.emulated();
        let mut done = Vec::new();
        for line in &script.lines[..at] {
            done.extend(give(&mut board, line));
        }
        let now_us = script.lines[at - 1].0 + random.below(12_500) as u64;
        done.extend(committed(board.handle(now_us, Input::PowerCut)));
        done.extend(committed(board.handle(now_us + 1000, Input::Tick)));
        nothing_is_lost(script, &mut board, &done, &format!("cut {cut}, line {at}"));
    });
}

#[test]
fn after_a_panic_the_board_says_so_and_the_game_goes_on() {
    let script = Script::new(Id::Yinsh, 2);
    let mut board = script.emulated();
    let texts = script.texts();
    let (mut done, mut second) = (Vec::new(), 0);
    while done.is_empty() {
        done.extend(give(&mut board, &script.lines[second]));
        second += 1;
    }
    assert_eq!(done, texts[..1], "the first step is made");
    board.emulator().set_scratch(HOOK_SCRATCH, test_hook::PANIC).unwrap();
    let mut now_us = board.emulator().now().as_micros() as u64;
    let mut shown = Vec::new();
    for _ in 0..100 {
        now_us += 10_000;
        shown.extend(board.handle(now_us, Input::Tick));
    }
    assert_eq!(board.resets(), [ResetReason::SysReset]);
    let lamps = |output: &Output| matches!(output, Output::Lamps(lit) if lit.len() == 6);
    assert!(shown.iter().any(lamps), "all keys say that it restarted: {shown:?}");

    board.handle(now_us, Input::Host(ToBoard::Resume));
    let shift = now_us + PAUSE_MS * 1000 - script.lines[second].0;
    for (at_us, given) in &script.lines[second..] {
        done.extend(give(&mut board, &(at_us + shift, given.clone())));
    }
    assert_eq!(done, texts);
}
