//! What breaks in a board that is otherwise sound: a bank of sensors, the room in the flash, a sector
//! of it; or nobody is at the other end of the USB cable. Each is told, and the game goes on. (Hung
//! tasks are in `watchdog`, keys in `keys`, missing playfields in `strap`, cuts of power in `journal`
//! and `play`, cables pulled in `link`.)

use board_sim::device::{Build, Flash};
use board_sim::emulator::{Key, Options};
use board_sim::pipe::{Board, EmulatedBoard, Event, Input, Output};
use embassy_futures::block_on;
use lodestone::games::any::Setup;
use lodestone::games::{Game, Id};
use lodestone::geometry::{Playfield, Point};
use lodestone::journal::{End, Journal, Record};
use lodestone::link::{Procedure, Seat, Text, ToBoard};
use lodestone::sense::{Calibration, Fault};
use lodestone::wiring::flash::{JOURNAL, SECTOR};
use lodestone::wiring::timing::period_us;
use lodestone::wiring::{led, limits::ZERO_NOMINAL, slot};

use crate::flash::Copy;
use crate::machine::{Machine, Reader, elf, settings};

/// How far a ring of YINSH moves the code.
const RING: u16 = 134;
/// From a request to its answer, with its record.
const ANSWER_MS: u64 = 150;

const WATCH_EVENTS: ToBoard<'static> =
    ToBoard::Watch { events: true, lights: false, meanings: false, fields: false };

fn new_game(id: Id) -> ToBoard<'static> {
    ToBoard::NewGame { id, handicap: Text::default(), setup: Text::default() }
}

/// A point of YINSH.
fn ring_point(name: &str) -> Point {
    let board = Setup::of(Id::Yinsh).position().board();
    board.point(board.parse(name.as_bytes()).expect("a name"))
}

/// A board behind the pipe whose table is a row of codes.
struct Bench {
    board: EmulatedBoard,
    codes: Vec<u16>,
    now_us: u64,
}

impl Bench {
    fn new(playfield: Playfield) -> Bench {
        let calibration = Calibration::exact(playfield);
        let build = Build { playfield, calibration, seed: 1, flash: Flash::erased() };
        Bench {
            board: EmulatedBoard::start(&elf(), &build, false).expect("the emulator starts"),
            codes: vec![ZERO_NOMINAL; playfield.point_count()],
            now_us: 0,
        }
    }

    /// Sets all codes of the bank that this address selects; the names of its points.
    fn set_bank(&mut self, address: u8, code: u16) -> Vec<String> {
        let playfield = self.board.playfield();
        let board = board_sim::pipe::names(playfield);
        let bank = playfield.points().filter(|point| slot(playfield, *point).address == address);
        bank.map(|point| {
            self.codes[point.index()] = code;
            board.name(board.cell(point).expect("all have names")).to_string()
        })
        .collect()
    }

    /// What comes out in this time.
    fn pass(&mut self, ms: u64) -> Vec<Output> {
        let (end_us, mut outputs) = (self.now_us + ms * 1000, Vec::new());
        while self.now_us < end_us {
            outputs.extend(self.board.handle(self.now_us, Input::Scan(&self.codes)));
            self.now_us += u64::from(period_us(self.board.playfield()));
        }
        outputs
    }
}

fn events(outputs: &[Output]) -> Vec<Event> {
    let event = |output: &Output| match output {
        Output::Event(event) => Some(event.clone()),
        _ => None,
    };
    outputs.iter().filter_map(event).collect()
}

fn commits(outputs: &[Output], wanted: &str) -> bool {
    let is_it = |event: &Event| matches!(event, Event::Committed { step, .. } if step == wanted);
    events(outputs).iter().any(is_it)
}

#[test]
fn a_dead_bank_is_told_and_the_game_goes_on_around_it() {
    for playfield in Playfield::ALL {
        // One without power reads as zero, one whose ground is broken as full.
        for (address, code) in [(5, 0), (2, 4095)] {
            let mut bench = Bench::new(playfield);
            let bank = bench.set_bank(address, code);
            let outputs = bench.pass(180 * u64::from(period_us(playfield)) / 1000 + 300);
            let told = events(&outputs);
            let fault = Event::Fault { points: bank.clone(), kind: Fault::OutOfRange };
            let procedure = Procedure::SelfTest;
            let report = Event::Report { procedure, passed: false, points: bank.clone() };
            assert_eq!(told, [fault, report], "{playfield:?} {address}");
            // In the menu they are red.
            let is_bank = |output: &Output| match output {
                Output::Lights(lights) => bank.iter().all(|name| {
                    lights.0.iter().any(|(lit, rgb)| lit == name && rgb.ends_with("0000"))
                }),
                _ => false,
            };
            assert!(outputs.iter().any(is_bank), "{playfield:?} {address}");
        }
    }
    let mut bench = Bench::new(Playfield::Hex);
    bench.pass(500);
    bench.board.handle(bench.now_us, Input::Host(new_game(Id::Yinsh)));
    bench.pass(500);
    bench.set_bank(5, 0);
    bench.pass(500);
    bench.codes[ring_point("e5").index()] = ZERO_NOMINAL + RING;
    assert!(commits(&bench.pass(5000), "e5"));
    // When its power is back, it is trusted again.
    bench.set_bank(5, ZERO_NOMINAL);
    bench.pass(4000);
    bench.codes[ring_point("f6").index()] = ZERO_NOMINAL - RING;
    assert!(commits(&bench.pass(3000), "f6"));
    assert_eq!(bench.board.resets(), []);
}

/// What `--journal` gives: the flash in a file, for the next program.
#[test]
fn a_file_keeps_the_flash_of_an_emulated_board() {
    let path = std::env::temp_dir().join(format!("lodestone-{}.flash", std::process::id()));
    let playfield = Playfield::Hex;
    for is_new in [true, false] {
        let flash = Flash::in_file(&path).unwrap();
        let build = Build { playfield, calibration: Calibration::exact(playfield), seed: 1, flash };
        let mut board = EmulatedBoard::start(&elf(), &build, false).expect("the emulator starts");
        let request = if is_new { new_game(Id::Yinsh) } else { ToBoard::Resume };
        let outputs = board.handle(500_000, Input::Host(request));
        let is_done = |output: &Output| matches!(output, Output::Answer(_));
        assert!(outputs.iter().any(is_done), "{outputs:?}");
    }
    std::fs::remove_file(path).unwrap();
}

fn plugged(journal: Vec<u8>) -> Machine {
    let mut flash = settings(Playfield::Hex);
    flash.push((JOURNAL.start, journal));
    let mut machine = Machine::new(&Options { flash, ..Options::default() });
    machine.emulator.plug(Some(Playfield::Hex)).unwrap();
    machine.emulator.set_usb_host(true).unwrap();
    machine
}

fn append(journal: &mut Journal<Copy>, record: &Record) -> bool {
    block_on(journal.append(record)).is_ok()
}

#[test]
fn without_any_usb_host_a_game_is_chosen_by_keys_played_and_stored() {
    let flash = settings(Playfield::Hex);
    let mut machine = Machine::new(&Options { flash, ..Options::default() });
    machine.emulator.plug(Some(Playfield::Hex)).unwrap();
    machine.run_ms(2000);
    for key in [Key::Number(1), Key::Number(0), Key::Ok] {
        for pressed in [true, false] {
            machine.emulator.set_key(key, pressed).unwrap();
            machine.run_ms(60);
        }
    }
    machine.run_ms(1000);
    let ring = ring_point("e5");
    machine.emulator.set_codes(Playfield::Hex, &[(ring, ZERO_NOMINAL + RING)]).unwrap();
    machine.run_ms(3000);
    let frame = machine.last_frame();
    let is_lit = frame.lit().contains(&led(Playfield::Hex, ring));
    assert!(frame.powered && is_lit, "the last step is shown: {:?}", frame.lit());
    machine.emulator.cut_power().unwrap();
    machine.run_ms(500);
    assert!(machine.has_logged("info: journal: game 0 unfinished, 1 steps"));
    assert_eq!(machine.resets().len(), 1, "the cut");
}

/// One game, of which steps were played and taken back until nothing more went into the journal.
fn full_flash() -> Copy {
    let mut journal = Copy::blank().journal();
    let setup = Setup::of(Id::Yinsh);
    let step = setup.position().parse_step(b"f6").expect("a step");
    let records = [Record::step(step).expect("one of the notation"), Record::Undo];
    assert!(append(&mut journal, &Record::Start { setup, lot: 0 }));
    let mut count = 0;
    while append(&mut journal, &records[count % records.len()]) {
        count += 1;
    }
    println!("{count} records fill the flash");
    journal.close()
}

#[test]
fn a_full_flash_keeps_what_it_has_and_the_game_goes_on_and_can_be_ended() {
    let full = full_flash();
    let mut machine = plugged(full.0.clone());
    while !machine.log().any(|line| line.starts_with("info: journal: game 0 unfinished")) {
        machine.run_ms(1000);
    }
    machine.run_ms(5000); // the game is read once more, to be offered
    assert_eq!(machine.resets(), []);
    println!("read after {:?}", machine.emulator.now());

    let ring = |machine: &mut Machine, name: &str, code| {
        let point = ring_point(name);
        machine.emulator.set_codes(Playfield::Hex, &[(point, code)]).unwrap();
        machine.run_ms(2000);
    };
    machine.send(&WATCH_EVENTS);
    machine.send(&ToBoard::Resume);
    machine.run_ms(1000);
    let is_begun = Copy(full.0.clone()).journal().unfinished().unwrap().steps == 1;
    if is_begun {
        ring(&mut machine, "f6", ZERO_NOMINAL + RING);
        ring(&mut machine, "e5", ZERO_NOMINAL - RING);
    } else {
        ring(&mut machine, "e5", ZERO_NOMINAL + RING);
    }
    let texts = Reader::new().texts(&machine.events);
    let committed = |text: &String| text.contains("Committed") && text.contains("e5");
    assert!(texts.iter().any(committed), "{texts:?}");
    assert!(machine.has_logged("error: journal: Full"));
    assert!(Copy::of(&mut machine).0 == full.0, "nothing more goes in");

    // Its end does, at the cost of its beginning; then there is room for others.
    machine.send(&ToBoard::Resign { player: Seat(None) });
    machine.run_ms(ANSWER_MS);
    assert!(Copy::of(&mut machine).journal().unfinished().is_none());
    machine.send(&new_game(Id::Dvonn));
    machine.run_ms(ANSWER_MS);
    assert!(Copy::of(&mut machine).journal().unfinished().is_some());
    assert_eq!(machine.resets(), []);
}

/// A journal whose first sector has no room for a further game; how many there are.
fn full_sector() -> (Copy, usize) {
    let (mut full, mut games) = (Copy::blank(), 0);
    loop {
        let mut journal = Copy(full.0.clone()).journal();
        assert!(append(&mut journal, &Record::Start { setup: Setup::of(Id::Dvonn), lot: 0 }));
        assert!(append(&mut journal, &Record::End(End::Stopped)));
        let next = journal.close();
        if next.0[SECTOR as usize..].iter().any(|byte| *byte != 0xff) {
            return (full, games);
        }
        (full, games) = (next, games + 1);
    }
}

#[test]
fn behind_a_dead_sector_nothing_is_stored_what_was_stays_and_games_go_on() {
    let (full, games) = full_sector();
    let mut machine = plugged(full.0);
    machine.emulator.kill_sector(JOURNAL.start + SECTOR).unwrap();
    machine.run_ms(500);
    let mut asked = 0;
    while !machine.has_logged("error: journal: Worn") {
        machine.send(&new_game(Id::Dvonn));
        machine.run_ms(ANSWER_MS);
        asked += 1;
        assert!(asked < 10, "{:?}", machine.log().last());
    }
    assert_eq!(machine.acks(), asked, "the game has begun all the same");
    machine.send(&ToBoard::Resign { player: Seat(None) });
    machine.run_ms(ANSWER_MS);
    assert_eq!(machine.acks(), asked + 1);
    machine.emulator.cut_power().unwrap();
    machine.run_ms(500);
    let mut finished = 0;
    block_on(Copy::of(&mut machine).journal().finished(|_| finished += 1)).unwrap();
    assert!(finished >= games, "{finished} of {games}");
    assert_eq!(machine.resets().len(), 1, "the cut");
}
