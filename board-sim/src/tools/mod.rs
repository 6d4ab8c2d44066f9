//! One file per tool; this one is the list.

mod bench;
mod console;
mod manual;
mod perft;
mod play;
mod record;
mod render;
mod replay;
mod scenario;
mod soak;
mod terminal;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use anyhow::{Context, Result, anyhow, bail, ensure};
use board_sim::record::Record;
use board_sim::tty::Pty;
use board_sim::{setup_text, text};
use clap::{Parser, Subcommand, ValueEnum};
use lodestone::games::any::{Position, Setup, Step};
use lodestone::games::{Game, Id};
use lodestone::geometry::Playfield;
use lodestone::text::Language;

/// The lodestone board on a PC.
#[derive(Parser)]
#[command(version, about, args_conflicts_with_subcommands = true)]
pub(crate) struct Tool {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    play: play::Args,
}

#[derive(Subcommand)]
enum Command {
    /// Play on a board on a page in the browser (the default)
    Play(play::Args),
    /// The board behind a pipe: bring your own table, hands and clock (JSON lines)
    Console(console::Args),
    /// The same page, where the board plays by itself
    Demo(play::DemoArgs),
    /// A real board on a serial port, shown on the same page
    Attach(play::AttachArgs),
    /// Speak the Universal Game Interface on standard input and output
    Ugi,
    /// Count the leaves so many steps ahead
    Perft(perft::Args),
    /// Check a file of game records and show how they end
    Replay(replay::Args),
    /// Turn game records into JSON, and back
    Record(record::Args),
    /// Draw a position as SVG or PNG, with the lights of the board
    Render(render::Args),
    /// Let virtual people play whole games against the device
    Soak(soak::Args),
    /// Play scenario files: what people do, and what the board makes of it
    Scenario(scenario::Args),
    /// Measure speed
    #[command(subcommand)]
    Bench(bench::What),
    /// Write manual pages and shell completions of all tools
    Manual(manual::Args),
}

/// Where the board runs.
#[derive(Clone, Copy, ValueEnum, Default)]
enum Backend {
    /// The console in this program
    #[default]
    Host,
    /// The image one would flash, in the emulator
    Emulator,
}

/// The language of what people read.
#[derive(Clone, Copy, ValueEnum)]
enum Lang {
    /// English
    En,
    /// Persian
    Fa,
}

impl From<Lang> for Language {
    fn from(lang: Lang) -> Language {
        match lang {
            Lang::En => Language::English,
            Lang::Fa => Language::Persian,
        }
    }
}

/// The playfield in the frame.
#[derive(Clone, Copy, ValueEnum, Default)]
enum Field {
    #[default]
    Hex,
    Square,
}

impl From<Field> for Playfield {
    fn from(field: Field) -> Playfield {
        match field {
            Field::Hex => Playfield::Hex,
            Field::Square => Playfield::Square,
        }
    }
}

impl Tool {
    pub(crate) fn run(self) -> Result<()> {
        match self.command.unwrap_or(Command::Play(self.play)) {
            Command::Play(args) => play::run(&args),
            Command::Console(args) => console::run(&args),
            Command::Demo(args) => play::demo(&args),
            Command::Attach(args) => play::attach(&args),
            Command::Ugi => Ok(board_sim::ugi::run(io::stdin().lock(), io::stdout().lock())?),
            Command::Perft(args) => perft::run(&args),
            Command::Replay(args) => replay::run(&args),
            Command::Record(args) => record::run(&args),
            Command::Render(args) => render::run(&args),
            Command::Soak(args) => soak::run(&args),
            Command::Scenario(args) => scenario::run(&args),
            Command::Bench(what) => bench::run(&what),
            Command::Manual(args) => manual::run(&args),
        }
    }
}

/// The set-up of a game by its id and what may be chosen beside it.
fn setup(id: &str, deal: Option<&str>, handicap: Option<&str>) -> Result<Setup> {
    let Some(id) = Id::parse(id.as_bytes()) else {
        bail!("no game {id:?}; the games are {}", Id::ALL.map(Id::name).join(" "));
    };
    let mut setup = Setup::of(id);
    if let Some(handicap) = handicap {
        setup = setup_text::with_handicap(setup, handicap)?;
    }
    if let Some(deal) = deal {
        setup = setup_text::with_deal(setup, deal)?;
    }
    Ok(setup)
}

/// Plays step texts from the set-up.
fn play(setup: &Setup, texts: &[String]) -> Result<(Position, Vec<Step>)> {
    let mut position = setup.position();
    let mut steps = Vec::new();
    for text in texts {
        let step = position.parse_step(text.as_bytes());
        let step = step.map_err(|error| anyhow!("{text}: {error}"))?;
        position
            .play(step)
            .map_err(|refusal| anyhow!("{text}: {}", text::refusal(position.board(), &refusal)))?;
        steps.push(step);
    }
    Ok((position, steps))
}

/// Where `cargo xtask image` puts the image; makes it when it is not there.
fn image() -> Result<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the repository")?;
    let elf = root.join("target/image/lodestone.elf");
    if !elf.exists() {
        eprintln!("building the image first: cargo xtask image");
        let mut make = Process::new("cargo");
        make.args(["xtask", "image"]).current_dir(root);
        // What a tool says itself may be read by a program.
        let built = make.stdout(io::stderr()).status().context("cargo is not here")?;
        ensure!(built.success(), "`cargo xtask image` failed");
    }
    Ok(elf)
}

/// A line for hosts.
fn pty() -> Result<Pty> {
    let pty = Pty::open().context("no pseudo-terminal")?;
    eprintln!("link: {}", pty.path().display());
    Ok(pty)
}

/// The text of a file.
fn read(file: &Path) -> Result<String> {
    let name = file.display();
    let source = fs::read(file).with_context(|| format!("cannot read {name}"))?;
    String::from_utf8(source).map_err(|_| anyhow!("{name} is not UTF-8 text"))
}

/// All records of a file.
fn records(file: &Path) -> Result<Vec<Record>> {
    let source = read(file)?;
    board_sim::record::read(&source).map_err(|error| anyhow!("{}: {error}", file.display()))
}
