//! `scenario`: plays scenario files and says which do not hold.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use board_sim::pipe::{EmulatedBoard, HostBoard};
use board_sim::scenario::{self, Failure, Scenario};
use clap::Args as ClapArgs;
use serde_json::json;

use super::Backend;

#[derive(ClapArgs)]
pub(crate) struct Args {
    /// The files, as those of tests/scenarios
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Where the board runs: the console on this machine, or the real image in the emulator
    #[arg(long, value_enum, default_value_t)]
    backend: Backend,
    /// The image for the emulator, instead of the one that `cargo xtask image` makes
    #[arg(long)]
    elf: Option<PathBuf>,
    /// Print one JSON object a file instead of lines for people
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let elf = match args.backend {
        Backend::Host => None,
        Backend::Emulator => Some(args.elf.clone().map_or_else(super::image, Ok)?),
    };
    let mut failed = 0;
    for file in &args.files {
        let played = play(file, elf.as_deref())?;
        let failure = played.as_ref().err();
        failed += usize::from(failure.is_some());
        let name = file.display().to_string();
        match failure {
            _ if args.json => {
                let (line, reason) = failure.map(|failure| (failure.line, &failure.reason)).unzip();
                println!(
                    "{}",
                    json!({ "file": name, "holds": failure.is_none(), "line": line, "reason": reason })
                );
            }
            None => println!("ok      {name}"),
            Some(failure) => println!("FAILED  {name}, {failure}"),
        }
    }
    ensure!(failed == 0, "{failed} of {} scenarios do not hold", args.files.len());
    Ok(())
}

/// Plays a file on this machine, or on the image in the emulator.
fn play(file: &Path, elf: Option<&Path>) -> Result<Result<(), Failure>> {
    let scenario = match Scenario::read(&super::read(file)?) {
        Ok(scenario) => scenario,
        Err(failure) => return Ok(Err(failure)),
    };
    let build = scenario.build();
    Ok(match elf {
        None => scenario::run_on(&scenario, HostBoard::new(build, true, None)),
        Some(elf) => scenario::run_on(&scenario, EmulatedBoard::start(elf, &build, true)?),
    })
}
