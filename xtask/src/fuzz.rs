//! The fuzz targets of `fuzz/`: built, and run for a fixed number of inputs from a fixed seed.

use anyhow::{Context, Result};

use crate::command::{Run, cargo, root};
use crate::test::Effort;

/// The version of cargo-fuzz the targets are run with.
const CARGO_FUZZ: &str = "0.13.2";

/// The targets, and how many inputs each gets in the test run.
const TARGETS: [(&str, u32); 3] = [("step_text", 20_000), ("record", 20_000), ("ugi", 5_000)];

/// With `--long` every target gets so many times as many.
const LONG_FACTOR: u32 = 50;

/// Builds and runs all targets.
pub(crate) fn run(effort: Effort) -> Result<()> {
    let tools = root().join("target/tools");
    let fuzz = tools.join("bin/cargo-fuzz");
    if !fuzz.exists() {
        let version = CARGO_FUZZ;
        cargo(["install", "cargo-fuzz", "--locked", "--version", version, "--root"])
            .arg(&tools)
            .run()
            .context("the fuzz targets need cargo-fuzz, which could not be installed")?;
    }
    let factor = if effort == Effort::Long { LONG_FACTOR } else { 1 };
    for (target, runs) in TARGETS {
        // No sanitizer: the code has no unsafe, and so the stable toolchain will do.
        Run::new(&fuzz, ["run", "--sanitizer", "none", target, "--"])
            .arg("-seed=1")
            .arg(format!("-runs={}", runs * factor))
            .run()
            .with_context(|| format!("fuzz target {target}; its input lies in fuzz/artifacts"))?;
    }
    Ok(())
}
