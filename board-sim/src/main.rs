//! `board-sim`: the tools around the lodestone board. `cargo sim --help` lists them.
//!
//! Exit status: 0 when all went well, 1 when what was asked for does not hold (an illegal record,
//! a missed figure), 2 when the command line is wrong.

mod tools;

use std::panic;
use std::process::{self, ExitCode};

use clap::Parser;

/// Whoever reads what is printed may have had enough (`| head`): then there is nothing left to do.
fn end_with_the_reader() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panicked| {
        let text = panicked.payload_as_str().unwrap_or_default();
        if text.starts_with("failed printing to stdout") && text.contains("Broken pipe") {
            process::exit(0);
        }
        usual(panicked);
    }));
}

fn main() -> ExitCode {
    end_with_the_reader();
    match tools::Tool::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
