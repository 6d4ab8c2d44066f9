//! `board-sim`: the tools around the lodestone board. `cargo sim --help` lists them.
//!
//! Exit status: 0 when all went well, 1 when what was asked for does not hold (an illegal record,
//! a missed figure), 2 when the command line is wrong.

mod tools;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match tools::Tool::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
