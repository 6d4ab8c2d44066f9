//! `console`: the board behind a pipe; whoever is at the other end is the table and the clock.

use std::io;
use std::path::PathBuf;

use anyhow::{Context, Result};
use board_sim::device::{Build, Flash};
use board_sim::pipe::{self, EmulatedBoard, HostBoard};
use clap::{Args as ClapArgs, ValueEnum};
use lodestone::sense::Calibration;
use lodestone::text::Language;

use super::{Backend, Field, Lang};

#[derive(ClapArgs)]
pub(crate) struct Args {
    /// Which playfield is plugged in
    #[arg(long, value_enum, default_value_t)]
    playfield: Field,
    /// The flash: read at the start, written at every journal write; without it memory only
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// What the board knows of its sensors: `exact`, or `none` as a new board
    #[arg(long, value_enum, default_value_t)]
    calibration: Known,
    /// Also print what the lights mean
    #[arg(long)]
    meanings: bool,
    /// For draws by lot and shuffles
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Let hosts talk to the board through a pseudo-terminal; its path is printed to standard error
    #[arg(long)]
    pty: bool,
    /// Where the board runs: the console on this machine, or the real image in the emulator
    #[arg(long, value_enum, default_value_t)]
    backend: Backend,
    /// The image for the emulator, instead of the one that `cargo xtask image` makes
    #[arg(long)]
    elf: Option<PathBuf>,
    /// The language of texts; otherwise that of the board's options
    #[arg(long, value_enum)]
    lang: Option<Lang>,
}

#[derive(Clone, Copy, ValueEnum, Default)]
enum Known {
    #[default]
    Exact,
    None,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let flash = match &args.journal {
        Some(path) => Flash::in_file(path).with_context(|| path.display().to_string())?,
        None => Flash::erased(),
    };
    let playfield = args.playfield.into();
    let build = Build {
        playfield,
        calibration: match args.calibration {
            Known::Exact => Calibration::exact(playfield),
            Known::None => Calibration::none(playfield),
        },
        seed: args.seed,
        flash,
    };
    let language = args.lang.map(Language::from);
    let pty = args.pty.then(super::pty).transpose()?;
    let (input, out) = (io::stdin().lock(), io::BufWriter::new(io::stdout().lock()));
    match args.backend {
        Backend::Host => {
            let mut board = HostBoard::new(build, args.meanings, language);
            if let Some(pty) = pty {
                board.offer(pty);
            }
            Ok(pipe::run(board, input, out)?)
        }
        Backend::Emulator => {
            let elf = args.elf.clone().map_or_else(super::image, Ok)?;
            let mut board = EmulatedBoard::start(&elf, &build, args.meanings)?;
            if let Some(pty) = pty {
                board.offer(pty);
            }
            Ok(pipe::run(board, input, out)?)
        }
    }
}
