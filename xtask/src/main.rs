//! `cargo xtask`: builds and checks.

mod book;
mod browser;
mod command;
mod fuzz;
mod hardware;
mod image;
mod release;
mod supply;
mod test;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use test::Effort;

/// Builds and checks of the lodestone repository.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run everything that must hold before a change lands, one line per stage
    Test {
        /// Leave out the slow stages (under five minutes)
        #[arg(long, conflicts_with = "long")]
        quick: bool,
        /// Add the longest runs
        #[arg(long)]
        long: bool,
    },
    /// Build the image for the board: ELF and UF2 in one folder, checked, with its size
    Image {
        /// Where to put them
        #[arg(long, value_name = "DIR", default_value = image::FOLDER)]
        out: PathBuf,
    },
    /// Make and check boards, pieces and plates; installs their tools when it may
    Hardware {
        /// Only what needs nothing but Python: the committed lists against the firmware's wiring
        #[arg(long)]
        light: bool,
    },
    /// Check the documents: tables, names and links, then the commands marked `run`
    Docs {
        /// Rewrite the tables that are made from the code, and run no commands
        #[arg(long)]
        update: bool,
    },
    /// Make the folder that people download: image, simulator, hardware, notes, check sums
    Release,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> anyhow::Result<()> {
    match Arguments::parse().task {
        Task::Test { quick, long } => test::run(match (quick, long) {
            (true, _) => Effort::Quick,
            (_, true) => Effort::Long,
            _ => Effort::Full,
        }),
        Task::Image { out } => {
            print!("{}", image::make(&out)?);
            Ok(())
        }
        Task::Hardware { light } => hardware::run(light),
        Task::Docs { update: true } => book::check(true),
        Task::Docs { update: false } => book::check(false).and_then(|()| book::run_commands()),
        Task::Release => release::run(),
    }
}
