//! One file per tool; this one is the list.

mod bench;
mod perft;
mod play;
mod replay;

use std::io;

use anyhow::Result;
use clap::{Parser, Subcommand};

/// The lodestone board on a PC.
#[derive(Parser)]
#[command(version, about, arg_required_else_help = false)]
pub(crate) struct Tool {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Show the board live in the terminal, with the real image in the emulator (the default)
    Play(play::Args),
    /// Speak the Universal Game Interface on standard input and output
    Ugi,
    /// Count the leaves so many steps ahead
    Perft(perft::Args),
    /// Check a file of game records and show how they end
    Replay(replay::Args),
    /// Measure speed
    #[command(subcommand)]
    Bench(bench::What),
}

impl Tool {
    pub(crate) fn run(self) -> Result<()> {
        match self.command.unwrap_or_else(|| Command::Play(play::Args::default())) {
            Command::Play(args) => play::run(&args),
            Command::Ugi => Ok(board_sim::ugi::run(io::stdin().lock(), io::stdout().lock())?),
            Command::Perft(args) => perft::run(&args),
            Command::Replay(args) => replay::run(&args),
            Command::Bench(what) => bench::run(&what),
        }
    }
}
