//! `bench image`: what the image needs, and how soon people see and hear what they did.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use board_sim::device::Flash;
use board_sim::emulator::{Emulator, Event, Options, What};
use board_sim::hands::{CAREFUL, Hands, Progress, acts};
use board_sim::table::{Table, Tolerances};
use embassy_futures::block_on;
use lodestone::games::any::{Position, Setup, Step};
use lodestone::games::{Game, Id};
use lodestone::geometry::{Playfield, Point};
use lodestone::journal::{GAMES, Journal, Record};
use lodestone::link::{FromBoard, HostDecoder, HostEncoder, ToBoard};
use lodestone::random::SplitMix64;
use lodestone::sense::Calibration;
use lodestone::wiring::limits::ZERO_NOMINAL;
use lodestone::wiring::{SYNC, flash, led, test_hook, timing};

/// What the image may need.
const STACK_MAX: u32 = 12 * 1024;
const LOAD_MAX: f64 = 40.0;
const fn hint_max_ms(playfield: Playfield) -> f64 {
    match playfield {
        Playfield::Hex => 40.0,
        Playfield::Square => 75.0,
    }
}
/// Processor cycles in a second.
const CLOCK_HZ: f64 = 125e6;
/// Lifts that are timed, and steps that are played.
const LIFTS: usize = 10;
const STEPS: usize = 4;
/// From resuming to rest, and from a piece put back to rest.
const REST: Duration = Duration::from_millis(2200);
/// Every light has shown itself by then, whatever its rhythm, and no step counts yet.
const SHOWN: Duration = Duration::from_millis(450);
/// How often the table changes while hands move.
const MOTION: Duration = Duration::from_micros(2500);

/// Games under way: after some pieces are placed, or all.
const GAMES_UNDER_WAY: [(Id, usize); 5] =
    [(Id::Gipf, 16), (Id::Yinsh, 30), (Id::Dvonn, 49), (Id::Lyngk, 10), (Id::Glux2, 8)];

pub(super) fn run(check: bool) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the repository")?;
    let built = Command::new("cargo").args(["xtask", "image"]).current_dir(root).status()?;
    ensure!(built.success(), "`cargo xtask image` failed");
    let elf = super::super::image()?;
    let mut over = Vec::new();
    for (id, placed) in GAMES_UNDER_WAY {
        let mut bench = Bench::start(&elf, id, placed)?;
        println!("\n{id}, {:?}", bench.playfield());
        let period = bench.period()?;
        println!("scan period          {:8.3} ms", ms(period));
        let idle = bench.load(|bench| bench.run(REST))?;
        println!("load at rest         {idle:8.1} %");
        let hints = spread(bench.hints()?)?;
        println!("lift to hint         {:8.1} ms median, {:.1} worst", hints.0, hints.1);
        let is_late = hints.1 > hint_max_ms(bench.playfield());
        let mut commits = Vec::new();
        let play = bench.load(|bench| {
            commits = bench.play()?;
            Ok(())
        })?;
        let commits = spread(commits)?;
        println!("touch to commit      {:8.1} ms median, {:.1} worst", commits.0, commits.1);
        println!("load in play         {play:8.1} %");
        let stack = bench.stack()?;
        println!("stack                {stack:8} bytes");
        if is_late || play > LOAD_MAX || stack > STACK_MAX {
            over.push(id.name());
        }
    }
    ensure!(!check || over.is_empty(), "over a limit: {}", over.join(", "));
    Ok(())
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Median and worst, ms.
fn spread(mut times: Vec<Duration>) -> Result<(f64, f64)> {
    times.sort_unstable();
    let worst = times.last().context("nothing was measured")?;
    Ok((ms(times[times.len() / 2]), ms(*worst)))
}

/// A game that goes on, with its pieces on the table.
struct Bench {
    emulator: Emulator,
    position: Position,
    table: Table,
    hands: Hands,
    decoder: HostDecoder,
    random: SplitMix64,
}

impl Bench {
    /// Resumes a game after so many random steps, and waits until all is at rest.
    fn start(elf: &Path, id: Id, placed: usize) -> Result<Bench> {
        let setup = Setup::of(id);
        let mut random = SplitMix64::new(3);
        let (position, steps) = random_steps(&setup, placed, &mut random);
        let playfield = position.board().playfield();
        let mut table = Table::new(playfield, &Tolerances::NONE, 1);
        let mut hands = Hands::new(position.board(), &CAREFUL, 1);
        hands.set_up(&position, &mut table);

        let stored = Flash::erased();
        stored.set_calibration(&Calibration::exact(playfield));
        let mut journal =
            block_on(Journal::open(stored.clone(), GAMES)).expect("a new flash opens");
        let start = Record::Start { setup, lot: 0 };
        for record in [Some(start)].into_iter().chain(steps.into_iter().map(Record::step)) {
            let record = record.context("a step")?;
            block_on(journal.append(&record)).expect("there is room");
        }
        let regions = [flash::JOURNAL, flash::SETTINGS];
        let options = Options {
            flash: regions.map(|region| (region.start, stored.region(region))).to_vec(),
            watch: vec![SYNC],
            ..Options::default()
        };
        let mut emulator = Emulator::start(elf, &options)?;
        emulator.plug(Some(playfield))?;
        emulator.set_usb_host(true)?;
        let decoder = HostDecoder::new();
        let mut bench = Bench { emulator, position, table, hands, decoder, random };
        bench.lay()?;
        let watch = ToBoard::Watch { events: true, lights: false, meanings: false, fields: false };
        for request in [ToBoard::Resume, watch] {
            let mut encoder = HostEncoder::new();
            let frame = encoder.encode(&request).ok().context("a short request")?;
            bench.emulator.send_usb(frame)?;
        }
        bench.run(REST)?;
        Ok(bench)
    }

    fn playfield(&self) -> Playfield {
        self.table.playfield()
    }

    fn run(&mut self, time: Duration) -> Result<()> {
        self.emulator.run(time).map(drop)
    }

    /// What the sensors give of the table as it is now.
    fn lay(&mut self) -> Result<()> {
        let playfield = self.playfield();
        let codes = self.table.scan(self.emulator.now().as_micros() as u64);
        let codes: Vec<_> = playfield.points().zip(codes.iter().copied()).collect();
        self.emulator.set_codes(playfield, &codes)
    }

    /// How busy the processor is meanwhile, per cent.
    fn load(&mut self, work: impl FnOnce(&mut Bench) -> Result<()>) -> Result<f64> {
        let (cycles, now) = (self.emulator.cycles(), self.emulator.now());
        work(self)?;
        let seconds = self.emulator.now().saturating_sub(now).as_secs_f64();
        Ok((self.emulator.cycles() - cycles) as f64 / CLOCK_HZ / seconds * 100.0)
    }

    fn period(&mut self) -> Result<Duration> {
        const SCANS: u32 = 40;
        let period = Duration::from_micros(timing::period_us(self.playfield()).into());
        let events = self.emulator.run(period * (SCANS + 2))?;
        let start = |event: &Event| {
            matches!(event.what, What::Pin { pin: SYNC, high: true }).then_some(event.at)
        };
        let starts: Vec<Duration> = events.iter().filter_map(start).collect();
        ensure!(starts.len() > SCANS as usize, "the scans are not on their raster");
        Ok(starts[SCANS as usize].saturating_sub(starts[0]) / SCANS)
    }

    /// Times from a piece gone to the end of the first frame that shows something new.
    fn hints(&mut self) -> Result<Vec<Duration>> {
        let mut times = Vec::new();
        let board = self.position.board();
        // Where what lies never moves, any that is lifted is missed.
        let occupied = self.position.table().occupied();
        let origins = self.position.origins() & occupied;
        let origins = if origins.is_empty() { occupied } else { origins };
        let origins: Vec<Point> = origins.iter().map(|cell| board.point(cell)).collect();
        for _ in 0..LIFTS {
            let known: BTreeSet<Vec<usize>> = lit(&self.emulator.run(REST)?).map(|f| f.1).collect();
            self.emulator.run(Duration::from_micros(self.random.below(25_000) as u64))?;
            // One whose own light says nothing yet.
            let is_dark = |point: &&Point| {
                let led = led(self.playfield(), **point);
                known.iter().all(|lit| !lit.contains(&led))
            };
            let dark: Vec<&Point> = origins.iter().filter(is_dark).collect();
            let point = *dark[self.random.below(dark.len())];
            let from = self.emulator.now();
            self.emulator.set_codes(self.playfield(), &[(point, ZERO_NOMINAL)])?;
            let events = self.emulator.run(SHOWN)?;
            let shown = lit(&events).find(|(_, lit)| !known.contains(lit));
            let (at, _) = shown.context("a lift that shows nothing")?;
            times.push(at.saturating_sub(from));
            self.lay()?;
        }
        self.run(REST)?;
        Ok(times)
    }

    /// Plays some steps; times from the last touch to the commit.
    fn play(&mut self) -> Result<Vec<Duration>> {
        let mut times = Vec::new();
        for _ in 0..STEPS {
            let legal: Vec<Step> = self.position.steps().collect();
            let step = legal[self.random.below(legal.len())];
            // The hands were idle up to now.
            self.hands.advance(self.emulator.now().as_micros() as u64, &mut self.table);
            self.hands.play(acts(&self.position, step));
            let mut committed = None;
            let mut rests = 0;
            while committed.is_none() && rests < 1000 {
                let now_us = self.emulator.now().as_micros() as u64;
                let progress = self.hands.advance(now_us, &mut self.table);
                if let Progress::Pressed(key) = progress {
                    self.press(key)?;
                }
                rests += u32::from(progress == Progress::Done);
                self.lay()?;
                let events = self.emulator.run(MOTION)?;
                committed = self.committed(&events);
            }
            let at = committed.context("a step was not committed")?;
            times.push(at.saturating_sub(Duration::from_micros(self.hands.last_touch_us())));
            self.position.play_unchecked(step);
            self.run(REST)?;
        }
        Ok(times)
    }

    fn press(&mut self, key: board_sim::hands::Key) -> Result<()> {
        use board_sim::emulator::Key;
        let key = match key {
            board_sim::hands::Key::Number(number) => Key::Number(usize::from(number) - 1),
            board_sim::hands::Key::Ok => Key::Ok,
            board_sim::hands::Key::Undo => Key::Undo,
        };
        for pressed in [true, false] {
            self.emulator.set_key(key, pressed)?;
            self.run(Duration::from_millis(60))?;
        }
        Ok(())
    }

    fn committed(&mut self, events: &[Event]) -> Option<Duration> {
        let mut at = None;
        for event in events {
            let What::Usb(bytes) = &event.what else { continue };
            let mut bytes = bytes.as_slice();
            while let Some(message) = self.decoder.next::<FromBoard>(&mut bytes) {
                if matches!(message, Ok(FromBoard::Committed { .. })) {
                    at = Some(event.at);
                }
            }
        }
        at
    }

    /// The most of the stack that was ever used.
    fn stack(&mut self) -> Result<u32> {
        self.emulator.set_scratch(0, test_hook::REPORT)?;
        for event in self.emulator.run(Duration::from_millis(test_hook::LOOK_MS + 100))? {
            if let What::Log(line) = event.what
                && let Some(rest) = line.text.strip_prefix("stack: ")
                && let Some(bytes) = rest.strip_suffix(" bytes used")
            {
                return Ok(bytes.parse()?);
            }
        }
        bail!("the image does not report its stack")
    }
}

/// Which LEDs shone in each frame.
fn lit(events: &[Event]) -> impl Iterator<Item = (Duration, Vec<usize>)> {
    events.iter().filter_map(|event| match &event.what {
        What::Frame(frame) => Some((event.at, frame.lit())),
        _ => None,
    })
}

fn random_steps(setup: &Setup, count: usize, random: &mut SplitMix64) -> (Position, Vec<Step>) {
    let mut position = setup.position();
    let mut steps = Vec::new();
    for _ in 0..count {
        let legal: Vec<Step> = position.steps().collect();
        let step = legal[random.below(legal.len())];
        position.play_unchecked(step);
        steps.push(step);
    }
    (position, steps)
}
