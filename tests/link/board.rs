//! A board that runs while hosts talk to it, about as fast as the machine can.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use board_sim::device::{Build, Device, Flash};
use board_sim::port::Port;
use board_sim::tty::Pty;
use embassy_futures::block_on;
use lodestone::console::Input;
use lodestone::games::any::{Setup, Step};
use lodestone::games::{Game, Id, Outcome};
use lodestone::geometry::Playfield;
use lodestone::journal::{End, GAMES, Journal, Record};
use lodestone::link::PART_MAX;
use lodestone::random::SplitMix64;
use lodestone::sense::Calibration;

/// The codes of an empty hex board.
const EMPTY: [u16; 91] = [2048; 91];
/// How far the code of a white ring is from that.
const RING: u16 = 134;

/// A board in a thread of its own. Dropping it takes it off the line.
pub(crate) struct Board {
    path: PathBuf,
    codes: Arc<Mutex<[u16; 91]>>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Board {
    /// Powers a board up.
    pub(crate) fn start(flash: &Flash) -> Board {
        let pty = Pty::open().expect("this system has pseudo-terminals");
        let path = pty.path().to_owned();
        let codes = Arc::new(Mutex::new(EMPTY));
        let is_over = Arc::new(AtomicBool::new(false));
        let (table, end, flash) = (codes.clone(), is_over.clone(), flash.clone());
        let thread = thread::spawn(move || {
            let mut device = Device::new(build(flash)).0;
            let mut port = Port::new(pty);
            for scan in 1.. {
                if end.load(Ordering::Relaxed) {
                    break;
                }
                let codes = *table.lock().expect("nobody panics with it");
                port.handle(&mut device, scan * 12_500, Input::Scan(&codes));
                thread::sleep(Duration::from_millis(1));
            }
        });
        Board { path, codes, is_over, thread: Some(thread) }
    }

    /// What a host opens.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Somebody puts a white ring of YINSH on the table.
    pub(crate) fn put_ring(&self, name: &str) {
        let board = Setup::of(Id::Yinsh).position().board();
        let point = board.point(board.parse(name.as_bytes()).expect("a name"));
        self.codes.lock().expect("nobody panics with it")[point.index()] = EMPTY[0] + RING;
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(thread::panicking() || matches!(ended, Some(Ok(()))), "the board has panicked");
    }
}

/// A board with a hex playfield that knows its sensors.
pub(crate) fn build(flash: Flash) -> Build {
    let playfield = Playfield::Hex;
    Build { playfield, calibration: Calibration::exact(playfield), seed: 1, flash }
}

/// A game that was played at random.
struct Played {
    steps: Vec<Step>,
    outcome: Outcome,
    /// Steps and result as a record has them.
    words: String,
}

fn played(setup: &Setup, seed: u64) -> Played {
    let mut random = SplitMix64::new(seed);
    let mut position = setup.position();
    let (mut steps, mut words) = (Vec::new(), String::new());
    loop {
        if let Some(outcome) = position.outcome() {
            words += &outcome.to_string();
            return Played { steps, outcome, words };
        }
        let choices: Vec<_> = position.steps().collect();
        let step = choices[random.next() as usize % choices.len()];
        position.write_step(step, &mut words).expect("strings take all");
        words.push(' ');
        position.play_unchecked(step);
        steps.push(step);
    }
}

/// A flash with one game of YINSH whose record needs more than one part; its result, and its steps
/// and result as the record has them.
pub(crate) fn flash_with_game() -> (Flash, String, String) {
    let setup = Setup::of(Id::Yinsh);
    let is_long = |played: &Played| played.words.len() > PART_MAX;
    let played = (0..100).map(|seed| played(&setup, seed)).find(is_long).expect("one is long");
    let flash = Flash::erased();
    let mut journal = block_on(Journal::open(flash.clone(), GAMES)).expect("an empty journal");
    let mut store = |record: &Record| block_on(journal.append(record)).expect("there is room");
    store(&Record::Start { setup, lot: 0 });
    for &step in &played.steps {
        store(&Record::step(step).expect("a step of the notation"));
    }
    store(&Record::End(End::Rules(played.outcome)));
    (flash, played.outcome.to_string(), played.words)
}
