//! `scenario`: plays scenario files and says which do not hold.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use board_sim::pipe::HostBoard;
use board_sim::scenario::{self, Scenario};
use clap::Args as ClapArgs;

#[derive(ClapArgs)]
pub(crate) struct Args {
    /// The files, as those of tests/scenarios
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let mut failed = 0;
    for file in &args.files {
        let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
        let played = Scenario::read(&text)
            .and_then(|read| scenario::run(&read, |build| HostBoard::new(build, true, None)));
        match played {
            Ok(()) => println!("ok      {}", file.display()),
            Err(failure) => {
                println!("FAILED  {}, {failure}", file.display());
                failed += 1;
            }
        }
    }
    ensure!(failed == 0, "{failed} of {} scenarios do not hold", args.files.len());
    Ok(())
}
