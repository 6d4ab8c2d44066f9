//! `render`: draws a position, as the board would light it, to a file.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use board_sim::draw::{self, Lit, Picture, Surface};
use board_sim::pipe::names;
use board_sim::setup_text;
use clap::{Args as ClapArgs, ValueEnum};
use lodestone::games::any::{Setup, Step};
use lodestone::games::{Game, Player};
use lodestone::geometry::{Board, Cell, Playfield};
use lodestone::light::Frame;
use lodestone::meaning::{Kind, Meaning, Meanings};
use serde::Deserialize;

#[derive(ClapArgs)]
pub(crate) struct Args {
    /// Which game; without steps its beginning is drawn
    #[arg(long, required_unless_present_any = ["record", "bare"])]
    id: Option<String>,
    /// LYNGK's set-up: 43 letters, or shuffle:SEED
    #[arg(long, value_name = "LETTERS|shuffle:SEED", requires = "id")]
    setup: Option<String>,
    /// Steps to play first
    #[arg(long, num_args = 1.., value_name = "STEP", requires = "id")]
    steps: Vec<String>,
    /// A file of game records, instead of --id
    #[arg(long, value_name = "FILE", conflicts_with = "id")]
    record: Option<PathBuf>,
    /// Which record of the file, counted from 1
    #[arg(long, default_value_t = 1, requires = "record")]
    game: usize,
    /// Draw the record after so many steps; at its end when not given
    #[arg(long, value_name = "N", requires = "record")]
    step: Option<usize>,
    /// Draw an empty playfield, without any game
    #[arg(long, value_enum, conflicts_with_all = ["id", "record", "lift", "hints"])]
    bare: Option<Field>,
    /// Lift the piece on this point, and light what the referee would (on a dot of GIPF: bring a
    /// piece in)
    #[arg(long, value_name = "POINT")]
    lift: Option<String>,
    /// Light the pieces that may act, or the points on which a piece may be put
    #[arg(long, conflicts_with = "lift")]
    hints: bool,
    /// Light these instead: a file of lines such as `f6 destination`, `b2 candidate 0`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["lift", "hints"])]
    meanings: Option<PathBuf>,
    /// Light these colours instead: a file with a line that `console` says, {"lights":{"f6":"00a000"}}
    #[arg(long, value_name = "FILE", conflicts_with_all = ["lift", "hints", "meanings"])]
    frame: Option<PathBuf>,
    /// At which time of their rhythms the lights are drawn
    #[arg(long, value_name = "MS", default_value_t = 1024)]
    time: u32,
    /// Where to write: a name that ends in .svg or .png
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How many pixels wide a PNG is
    #[arg(long, default_value_t = 1000)]
    width: u32,
}

#[derive(Clone, Copy, ValueEnum)]
enum Field {
    Hex,
    Square,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let (mut picture, meanings) = match args.bare {
        Some(field) => bare(field, args.meanings.as_deref())?,
        None => game(args)?,
    };
    if let Some(meanings) = meanings {
        picture.light(&draw::frame(&meanings, args.time));
    }
    if let Some(file) = &args.frame {
        picture.light(&frame(picture.playfield(), file)?);
    }
    write(&picture.svg(), &args.out, args.width)
}

fn write(svg: &str, out: &Path, width: u32) -> Result<()> {
    let bytes = match out.extension().and_then(|ending| ending.to_str()) {
        Some("svg") => svg.as_bytes().to_vec(),
        Some("png") => draw::png(svg, width)?,
        _ => {
            bail!("cannot tell what to write from {}; end the name in .svg or .png", out.display())
        }
    };
    fs::write(out, bytes).with_context(|| format!("cannot write {}", out.display()))
}

fn bare(field: Field, file: Option<&Path>) -> Result<(Picture, Option<Meanings>)> {
    let surface = Surface::Bare(match field {
        Field::Hex => Playfield::Hex,
        Field::Square => Playfield::Square,
    });
    let meanings = file.map(|file| meanings(surface.board(), file)).transpose()?;
    Ok((Picture::of(surface), meanings))
}

fn game(args: &Args) -> Result<(Picture, Option<Meanings>)> {
    let (setup, steps) = played(args)?;
    let mut position = setup.position();
    for &step in &steps {
        position.play_unchecked(step);
    }
    let board = position.board();
    if let Some(file) = &args.meanings {
        return Ok((Picture::position(&position), Some(meanings(board, file)?)));
    }
    let mut lit = match &args.lift {
        None if !args.hints => return Ok((Picture::position(&position), None)),
        _ => Lit::new(&setup, &steps)?,
    };
    let meanings = match &args.lift {
        Some(name) => {
            let cell = cell(board, name)?;
            lit.lift(cell).with_context(|| {
                format!("cannot lift {name} (--hints lights where a new piece may be put)")
            })?;
            lit.meanings()
        }
        None => lit.hints(),
    };
    Ok((lit.into_picture(), Some(meanings)))
}

/// The set-up and the steps that lead to the position.
fn played(args: &Args) -> Result<(Setup, Vec<Step>)> {
    let Some(file) = &args.record else {
        let id = args.id.as_deref().context("say which game: --id")?;
        let setup = super::setup(id, args.setup.as_deref(), None)?;
        let (_, steps) = super::play(&setup, &args.steps)?;
        return Ok((setup, steps));
    };
    let records = super::records(file)?;
    let count = records.len();
    let record = args.game.checked_sub(1).and_then(|index| records.into_iter().nth(index));
    let mut record = record
        .ok_or_else(|| anyhow!("no game {} in {}, which has {count}", args.game, file.display()))?;
    if let Some(step) = args.step {
        let count = record.steps.len();
        ensure!(step <= count, "no step {step}; the game has {count} steps");
        record.steps.truncate(step);
    }
    Ok((record.setup, record.steps))
}

fn cell(board: &Board, name: &str) -> Result<Cell> {
    board.parse(name.as_bytes()).ok_or_else(|| {
        let first = board.cells().next().map(|cell| board.name(cell).to_string());
        anyhow!("the board has no point {name:?}; its first is {}", first.unwrap_or_default())
    })
}

/// Reads what lights shall mean: on each line a point, a meaning and its argument.
fn meanings(board: &Board, file: &Path) -> Result<Meanings> {
    let source = super::read(file)?;
    let mut meanings = Meanings::none(board.playfield());
    for (number, line) in (1..).zip(source.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let place = || format!("{}, line {number}", file.display());
        let [point, name, argument @ ..] = &words[..] else {
            bail!("{}: expected a point and a meaning", place());
        };
        let cell = cell(board, point).with_context(place)?;
        let meaning = meaning(name, argument.first().copied()).with_context(place)?;
        meanings.set(board.point(cell), meaning);
    }
    Ok(meanings)
}

/// Reads the colours of LEDs by the playfield's names, as the pipe says them. Lamps are not drawn.
fn frame(playfield: Playfield, file: &Path) -> Result<Frame> {
    #[derive(Deserialize)]
    struct Line {
        lights: BTreeMap<String, String>,
    }
    let name = file.display();
    let line: Line = serde_json::from_str(super::read(file)?.trim())
        .with_context(|| format!("{name} has no line with lights"))?;
    let board = names(playfield);
    let mut frame = Frame::dark(playfield);
    for (point, colour) in line.lights.iter().filter(|(point, _)| !point.starts_with('K')) {
        let cell = cell(board, point).with_context(|| name.to_string())?;
        let number = u32::from_str_radix(colour, 16).ok().filter(|_| colour.len() == 6);
        let number = number.with_context(|| format!("{name}: {colour:?} is no colour"))?;
        let [_, r, g, b] = number.to_be_bytes();
        frame.set_point(board.point(cell), [r, g, b].into());
    }
    Ok(frame)
}

const KINDS: [(&str, Kind); 6] = [
    ("white", Kind::White),
    ("black", Kind::Black),
    ("blue", Kind::Blue),
    ("green", Kind::Green),
    ("ivory", Kind::Ivory),
    ("red", Kind::Red),
];

/// A meaning by the name hosts know it by.
fn meaning(name: &str, argument: Option<&str>) -> Result<Meaning> {
    let player = || {
        let number = argument.and_then(setup_text::decimal::<usize>);
        let number = number.filter(|number| (1..=Player::MAX).contains(number));
        number.map(|number| Player::from_index(number - 1))
    };
    let kind = || KINDS.iter().find(|(kind, _)| Some(*kind) == argument).map(|(_, kind)| *kind);
    let (found, wants) = match name {
        "candidate" => (argument.and_then(setup_text::decimal).map(Meaning::Candidate), "a number"),
        "set-up" => (kind().map(Meaning::SetUp), "white, black, blue, green, ivory or red"),
        "to-act" => (player().map(Meaning::ToAct), "a player, 1 to 4"),
        "winner" => (player().map(|player| Meaning::Winner(player, 0)), "a player, 1 to 4"),
        _ => (Meaning::PLAIN.into_iter().find(|meaning| meaning.name() == name), ""),
    };
    found.ok_or_else(|| match wants {
        "" => {
            let names = Meaning::PLAIN.map(Meaning::name).join(" ");
            anyhow!("no meaning {name:?}; there are {names} candidate set-up to-act winner")
        }
        wants => anyhow!("{name} wants {wants} behind it"),
    })
}
