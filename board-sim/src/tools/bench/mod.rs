//! `bench`: figures of speed. Compare them as ratios within one run: machines are noisy.

mod image;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use board_sim::emulator::{Emulator, Options, What as Seen};
use board_sim::hands::SLOPPY;
use board_sim::table::{Kind, Piece, Pole, Table, Tolerances};
use board_sim::{perft, soak};
use clap::{Args, Subcommand};
use lodestone::games::any::{Position, Setup};
use lodestone::games::{Game, Id};
use lodestone::geometry::Playfield;
use lodestone::random::SplitMix64;
use lodestone::sense::{Calibration, Profile, Sense};
use lodestone::with_game;
use serde_json::{Value, json};

#[derive(Subcommand)]
pub(crate) enum What {
    /// The rules on this machine: perft leaves and random steps per second
    Rules {
        /// Fail when a game is slower than its goal, scaled by the yardstick
        #[arg(long)]
        check: bool,
        #[command(flatten)]
        form: Form,
    },
    /// The console on this machine: what a tick takes while people play, and a scan in `sense`
    Console {
        #[command(flatten)]
        form: Form,
    },
    /// The image in the emulator: sizes, load, stack, and how soon people see what they did
    Image {
        /// Fail when something is over its limit
        #[arg(long)]
        check: bool,
    },
    /// The rules and the console on the chip: cycles in the emulator, for each game
    Chip {
        /// Fail when something takes longer than the board can wait
        #[arg(long)]
        check: bool,
        #[command(flatten)]
        form: Form,
    },
}

/// For whom figures are printed.
#[derive(Args, Clone, Copy)]
pub(crate) struct Form {
    /// Print one JSON object a row instead of a table
    #[arg(long)]
    json: bool,
}

impl Form {
    /// What stands above rows, for people.
    fn head(self, text: &str) {
        if !self.json {
            println!("{text}");
        }
    }

    fn row(self, text: &str, figures: &Value) {
        if self.json {
            println!("{figures}");
        } else {
            println!("{text}");
        }
    }
}

pub(crate) fn run(what: &What) -> Result<()> {
    match what {
        What::Rules { check, form } => rules(*check, *form),
        What::Console { form } => {
            console(*form);
            Ok(())
        }
        What::Chip { check, form } => chip(*check, *form),
        What::Image { check } => image::run(*check),
    }
}

/// One row: a game, where its perft starts, how deep it goes, and the goal in million leaves per
/// second on a machine whose yardstick is [`YARDSTICK`].
struct Row {
    id: Id,
    deal: Option<&'static str>,
    steps: &'static str,
    depth: u32,
    goal: f64,
}

/// Million `SplitMix64` numbers per second where the goals were set.
const YARDSTICK: f64 = 825.0;

/// The positions are those of the perft data files; the goals are 1.5 times the fastest public
/// engines (GIPF and GLÜX: what the board wants).
const ROWS: [Row; 5] = [
    Row { id: Id::Gipf, deal: None, steps: "", depth: 4, goal: 20.0 },
    Row {
        id: Id::Yinsh,
        deal: None,
        steps: "f6 a5 b6 c6 b4 b1 b7 k7 b5 b3",
        depth: 4,
        goal: 1.5 * 71.0,
    },
    Row {
        id: Id::Dvonn,
        deal: None,
        steps: "g2 c1 f5 d1 h5 g5 i1 e1 f2 f1 e4 e5 j2 g1 b2 b1 h1 g4 d3 c2 e3 f4 c4 d4 a2 a1 d2 \
                e2 a3 g3 d5 f3 i5 c3 h2 h3 k3 h4 k5 i4 i3 j5 i2 b3 j4 j3 k4 b4 c5",
        depth: 4,
        goal: 1.5 * 92.0,
    },
    Row {
        id: Id::Lyngk,
        deal: Some("KKBIBKGIKIRRGBIRWWWBRGGGGRGGBRKBKIIKBRIRIKB"),
        steps: "",
        depth: 3,
        goal: 1.5 * 11.0,
    },
    Row { id: Id::Glux2, deal: None, steps: "", depth: 6, goal: 10.0 },
];

fn rules(check: bool, form: Form) -> Result<()> {
    let yardstick = yardstick();
    form.head(&format!(
        "yardstick: {yardstick:.0} million SplitMix64 numbers/s (goals are for {YARDSTICK:.0})"
    ));
    form.head("game        leaves M/s  goal here  ratio  random steps M/s");
    let mut slow = Vec::new();
    for row in &ROWS {
        let position = row.position()?;
        let leaves = rate(|| with_game!(&position, game => perft::count(game, row.depth))) / 1e6;
        let steps = rate(|| with_game!(&position, game => random_steps(game))) / 1e6;
        let goal = row.goal * yardstick / YARDSTICK;
        let id = row.id.name();
        form.row(
            &format!("{id:<10} {leaves:11.1} {goal:10.1} {:6.2} {steps:17.2}", leaves / goal),
            &json!({ "game": id, "leaves_m_s": leaves, "goal_m_s": goal, "steps_m_s": steps }),
        );
        if leaves < goal {
            slow.push(id);
        }
    }
    ensure!(!check || slow.is_empty(), "slower than the goal: {}", slow.join(", "));
    Ok(())
}

impl Row {
    fn position(&self) -> Result<Position> {
        let mut setup = Setup::of(self.id);
        if let Some(deal) = self.deal {
            setup = board_sim::setup_text::with_deal(setup, deal)?;
        }
        let mut position = setup.position();
        for step in self.steps.split_whitespace() {
            let step = position.parse_step(step.as_bytes()).expect("a step text");
            position.play(step).expect("a legal step");
        }
        Ok(position)
    }
}

/// Million numbers per second of a plain generator loop.
fn yardstick() -> f64 {
    rate(|| {
        let mut random = SplitMix64::new(1);
        let numbers = 10_000_000;
        let sum = (0..numbers).fold(0u64, |sum, _| sum.wrapping_add(random.next()));
        black_box(sum);
        numbers
    }) / 1e6
}

/// Things done per second: the best of several runs, for about a second.
fn rate(mut work: impl FnMut() -> u64) -> f64 {
    let begin = Instant::now();
    let mut best = 0.0f64;
    while begin.elapsed() < Duration::from_secs(1) {
        let start = Instant::now();
        let done = black_box(work());
        best = best.max(done as f64 / start.elapsed().as_secs_f64());
    }
    best
}

/// Plays random games from here, always 20 of them from the same seed; returns the steps played.
fn random_steps<G: Game>(start: &G) -> u64 {
    let mut random = SplitMix64::new(7);
    let mut played = 0;
    for _ in 0..20 {
        let mut position = *start;
        for _ in 0..500 {
            let count = position.step_count();
            if count == 0 {
                break;
            }
            let step = position.steps().nth(random.below(count));
            position.play_unchecked(step.expect("there are so many steps"));
            played += 1;
        }
    }
    played
}

/// Prints what a tick of the console takes, median, 99th percentile and worst, in one game of each
/// id played by sloppy hands. The worst one mostly shows how busy the machine is.
fn console(form: Form) {
    form.head("tick of the console, µs   median     p99   worst");
    for id in Id::ALL {
        let plan =
            soak::Plan { id, seed: 1, style: &SLOPPY, faults: 0, taught: true, trace: false };
        let ticks = soak::ticks(&plan, 0);
        let [median, p99, worst] = soak::spread(&ticks).map(|tick| tick.as_nanos() as f64 / 1e3);
        form.row(
            &format!("{:<23} {median:8.1} {p99:7.1} {worst:7.1}", id.name()),
            &json!({ "tick": id.name(), "median_us": median, "p99_us": p99, "worst_us": worst }),
        );
    }
    form.head("scan in sense alone, µs");
    for (profile, kind, playfield) in [
        (Profile::Rings, Kind::Ring, Playfield::Hex),
        (Profile::Pieces, Kind::Flat, Playfield::Hex),
        (Profile::Chips, Kind::Chip, Playfield::Square),
    ] {
        let (name, us) = (format!("{profile:?}"), 1e6 / scans(profile, kind, playfield));
        form.row(&format!("{name:<23} {us:8.1}"), &json!({ "scan": name, "us": us }));
    }
}

/// Scans per second that sense takes in, on a resting board on which every other point is occupied.
fn scans(profile: Profile, kind: Kind, playfield: Playfield) -> f64 {
    let mut table = Table::new(playfield, &Tolerances::NOISE, 1);
    for point in playfield.points().filter(|point| point.index() % 2 == 0) {
        table.put(Piece::new(kind, Pole::Plus), table.place_mm(point));
    }
    let scans: Vec<Vec<u16>> = (0..64).map(|n| table.scan(n).to_vec()).collect();
    let mut sense = Sense::new(profile, Calibration::exact(playfield));
    let mut now_ms = 0;
    rate(|| {
        for codes in &scans {
            now_ms += 25;
            black_box(sense.scan(now_ms, codes));
        }
        scans.len() as u64
    })
}

/// What a question may take at most: 2 ms at 125 MHz,
const CYCLES_MAX: u32 = 250_000;
/// and a tick of the console: 5 ms.
const TICK_CYCLES_MAX: u32 = 625_000;
/// Simulated time after which the bench image must be done.
const CHIP_LIMIT: Duration = Duration::from_mins(2);

fn chip(check: bool, form: Form) -> Result<()> {
    let mut emulator = Emulator::start(&bench_image()?, &Options::default())?;
    form.head(&format!(
        "cycles on the chip                 mean    worst   (limit {CYCLES_MAX}, tick {TICK_CYCLES_MAX})"
    ));
    let mut slow = Vec::new();
    while emulator.now() < CHIP_LIMIT {
        for event in emulator.run(Duration::from_millis(100))? {
            let Seen::Log(line) = event.what else { continue };
            let words: Vec<&str> = line.text.split(' ').collect();
            match words[..] {
                ["done"] => {
                    ensure!(!check || slow.is_empty(), "over the limit: {}", slow.join(", "));
                    return Ok(());
                }
                [id, question, mean, worst] => {
                    let (name, most) = (format!("{id} {question}"), worst.parse::<u32>()?);
                    let limit = if question == "tick" { TICK_CYCLES_MAX } else { CYCLES_MAX };
                    form.row(
                        &format!("{name:<28} {mean:>8} {worst:>8}"),
                        &json!({ "cycles": name, "mean": mean.parse::<u32>()?, "worst": most, "limit": limit }),
                    );
                    if most > limit {
                        slow.push(name);
                    }
                }
                _ => bail!("the bench image says {:?}", line.text),
            }
        }
    }
    bail!("the bench image was not done after {CHIP_LIMIT:?} of its time")
}

/// Builds `src/bin/bench` for the chip; where the ELF is.
fn bench_image() -> Result<PathBuf> {
    const TARGET: &str = "thumbv6m-none-eabi";
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the repository")?;
    let built = Command::new("cargo")
        .args(["build", "--quiet", "--release", "--bin", "bench", "--target", TARGET])
        .current_dir(root)
        .status()
        .context("cannot start cargo")?;
    ensure!(built.success(), "the bench image does not build");
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    Ok(root.join(target).join(TARGET).join("release/bench"))
}
