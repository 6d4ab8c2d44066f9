//! The fuzz targets of `fuzz/`: built, and run for a fixed number of inputs from a fixed seed.
//!
//! Each run starts from the committed seeds alone, so that the same code gets the same inputs.

use std::fs;

use anyhow::{Context, Result};

use crate::command::{Run, cargo_tool, root};
use crate::test::Effort;

/// The version of cargo-fuzz the targets are run with.
const CARGO_FUZZ: &str = "0.13.2";

/// The targets, and how many inputs each gets in the test run.
const TARGETS: [(&str, u32); 5] = [
    ("step_text", 300_000),
    ("record", 300_000),
    ("ugi", 20_000),
    ("link", 300_000),
    ("console", 5_000),
];

/// With `--long` every target gets so many times as many.
const LONG_FACTOR: u32 = 5;

/// Builds and runs all targets.
pub(crate) fn run(effort: Effort) -> Result<()> {
    let fuzz = cargo_tool("cargo-fuzz", CARGO_FUZZ)?;
    let factor = if effort == Effort::Long { LONG_FACTOR } else { 1 };
    for (target, runs) in TARGETS {
        let found = root().join("target/fuzz").join(target);
        if found.exists() {
            fs::remove_dir_all(&found).context("the inputs of the last run")?;
        }
        fs::create_dir_all(&found).context("a folder for inputs")?;
        // No sanitizer: the code has no unsafe, and so the stable toolchain will do.
        Run::new(&fuzz, ["run", "--sanitizer", "none", target])
            .arg(&found)
            .arg(root().join("fuzz/seeds").join(target))
            .args(["--", "-seed=1", "-len_control=0", "-max_len=2048"])
            .arg(format!("-runs={}", runs * factor))
            .run()
            .with_context(|| format!("fuzz target {target}; its input lies in fuzz/artifacts"))?;
    }
    Ok(())
}
