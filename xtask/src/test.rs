//! `cargo xtask test`: everything that must hold before a change lands, one line per stage.
//!
//! A stage is a row of [`STAGES`]: what it is called, from which effort on it runs, and what it
//! does. Output of a stage is shown only when it fails. Installing what is missing is part of the
//! stage that needs it.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::command::{Run, TARGET, cargo, emulator};
use crate::{book, hardware, image, release, supply};

/// How much is run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Effort {
    /// Under five minutes: what one runs all the time.
    Quick,
    /// What continuous integration runs.
    Full,
    /// With the longest runs.
    Long,
}

impl Effort {
    /// As tests read it from the environment variable `LODESTONE_EFFORT`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Effort::Quick => "quick",
            Effort::Full => "full",
            Effort::Long => "long",
        }
    }
}

struct Stage {
    name: &'static str,
    from: Effort,
    run: fn(Effort) -> Result<()>,
}

const STAGES: &[Stage] = &[
    Stage { name: "format", from: Effort::Quick, run: format },
    Stage { name: "clippy (host)", from: Effort::Quick, run: clippy_host },
    Stage { name: "clippy (chip)", from: Effort::Quick, run: clippy_chip },
    Stage { name: "library for the chip", from: Effort::Quick, run: library_for_the_chip },
    Stage { name: "host tests", from: Effort::Quick, run: host_tests },
    Stage { name: "rules, two implementations", from: Effort::Quick, run: rules },
    Stage { name: "documentation", from: Effort::Quick, run: documentation },
    Stage { name: "documents: tables, links", from: Effort::Quick, run: documents },
    Stage { name: "image: size and ELF", from: Effort::Quick, run: image_gates },
    Stage { name: "emulator corrections", from: Effort::Quick, run: emulator_corrections },
    Stage { name: "page in a browser", from: Effort::Quick, run: browser },
    Stage { name: "hardware, light", from: Effort::Quick, run: hardware_light },
    Stage { name: "documents: commands", from: Effort::Full, run: document_commands },
    Stage { name: "dependencies", from: Effort::Full, run: dependencies },
    Stage { name: "oldest supported Rust", from: Effort::Full, run: oldest_rust },
    Stage { name: "two sensors fail", from: Effort::Full, run: two_sensors_fail },
    Stage { name: "image in the emulator", from: Effort::Full, run: image_tests },
    Stage { name: "image: times and load", from: Effort::Full, run: bench_image },
    Stage { name: "rules on the chip", from: Effort::Full, run: bench_chip },
    Stage { name: "simulator on its own", from: Effort::Full, run: simulator_alone },
    Stage { name: "fuzz targets", from: Effort::Full, run: fuzz },
    Stage { name: "hardware, with KiCad", from: Effort::Full, run: hardware_full },
    Stage { name: "image: every scenario", from: Effort::Long, run: |_| image_long("scenarios") },
    Stage { name: "image: whole games", from: Effort::Long, run: |_| image_long("same_hands") },
    Stage { name: "image: power cuts", from: Effort::Long, run: |_| image_long("a_cut") },
    Stage { name: "image: a million bytes", from: Effort::Long, run: |_| image_long("any_bytes") },
    Stage { name: "image: stack", from: Effort::Long, run: |_| image_long("stack") },
];

/// Runs all stages of this effort; an error when one failed.
pub(crate) fn run(effort: Effort) -> Result<()> {
    let (mut passed, mut failed, mut skipped) = (0, 0, Vec::new());
    let start = Instant::now();
    for stage in STAGES {
        if stage.from > effort {
            skipped.push(stage.name);
            continue;
        }
        let begin = Instant::now();
        let result = (stage.run)(effort);
        let seconds = begin.elapsed().as_secs_f32();
        let word = if result.is_ok() { "ok" } else { "FAILED" };
        println!("{:<28} {word:<7} {seconds:6.1} s", stage.name);
        match result {
            Ok(()) => passed += 1,
            Err(error) => {
                failed += 1;
                eprintln!("{error:#}\n");
            }
        }
    }
    if !skipped.is_empty() {
        println!("left out by --quick: {}", skipped.join(", "));
    }
    println!("{:.0} s in all", start.elapsed().as_secs_f32());
    println!("{passed} passed, {failed} failed, {} skipped", skipped.len());
    ensure!(failed == 0, "{failed} of {} stages failed", passed + failed);
    Ok(())
}

fn format(_: Effort) -> Result<()> {
    cargo(["fmt", "--all", "--check"]).run().context("run `cargo fmt --all`")
}

fn clippy_host(_: Effort) -> Result<()> {
    cargo(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]).run()?;
    // Left out of plain `cargo test` because it needs Node, so `--all-targets` passes it over.
    cargo(["clippy", "--test", "image", "--", "-D", "warnings"]).run()
}

fn clippy_chip(_: Effort) -> Result<()> {
    image::install_target()?;
    cargo(["clippy", "--lib", "--bins", "--target", TARGET, "--", "-D", "warnings"]).run()
}

fn library_for_the_chip(_: Effort) -> Result<()> {
    cargo(["check", "--lib", "--target", TARGET]).run()
}

fn host_tests(_: Effort) -> Result<()> {
    cargo(["test", "--workspace"]).run()
}

/// The rule tests again, optimised: many games against the second implementation, deep perft.
fn rules(effort: Effort) -> Result<()> {
    cargo(["test", "--profile", "fast", "--test", "rules"])
        .env("LODESTONE_EFFORT", effort.name())
        .run()
}

fn documentation(_: Effort) -> Result<()> {
    cargo(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings").run()
}

fn documents(_: Effort) -> Result<()> {
    book::check(false)
}

fn document_commands(_: Effort) -> Result<()> {
    book::run_commands()
}

fn image_gates(_: Effort) -> Result<()> {
    image::make(Path::new(image::FOLDER)).map(drop)
}

fn emulator_corrections(_: Effort) -> Result<()> {
    Run::new("npm", ["test", "--silent"]).within(&emulator()?).run()
}

/// Virtual people play all games while sensors fail, careful ones and others.
fn two_sensors_fail(_: Effort) -> Result<()> {
    let soak = ["sim", "soak", "--game", "all", "--turns", "500", "--seed", "1", "--faults", "2"];
    ["careful", "sloppy"]
        .into_iter()
        .try_for_each(|hands| cargo(soak).args(["--hands", hands]).run())
}

fn image_tests(_: Effort) -> Result<()> {
    cargo(["test", "--test", "image"]).run()?;
    cargo(["test", "-p", "board-sim", "--test", "examples", "--", "--ignored"]).run()
}

/// Those tests on the image that can be long, in full: the ones whose names hold this.
fn image_long(named: &str) -> Result<()> {
    cargo(["test", "--test", "image", named]).env("LODESTONE_EFFORT", Effort::Long.name()).run()
}

fn bench_image(_: Effort) -> Result<()> {
    cargo(["sim", "bench", "image", "--check"]).run()
}

fn bench_chip(_: Effort) -> Result<()> {
    cargo(["sim", "bench", "chip", "--check"]).run()
}

fn simulator_alone(_: Effort) -> Result<()> {
    release::check_simulator()
}

fn fuzz(effort: Effort) -> Result<()> {
    crate::fuzz::run(effort)
}

fn browser(effort: Effort) -> Result<()> {
    crate::browser::run(effort)
}

fn dependencies(_: Effort) -> Result<()> {
    supply::dependencies()
}

fn oldest_rust(_: Effort) -> Result<()> {
    supply::oldest_rust()
}

fn hardware_light(_: Effort) -> Result<()> {
    hardware::light().map(drop)
}

fn hardware_full(_: Effort) -> Result<()> {
    hardware::full(|_| ())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::command::root;

    /// A test run inside the test run would never end; what the README shows of one is compared with
    /// the stages instead.
    #[test]
    fn the_readme_shows_stages_that_exist_in_their_order() {
        let readme = fs::read_to_string(root().join("README.md")).unwrap();
        let (_, block) = readme.split_once("```console stages\n").unwrap();
        let (block, _) = block.split_once("```").unwrap();
        let shown = block.lines().filter_map(|line| line.split_once(" ok ")).map(|(name, _)| name);
        let mut stages = STAGES.iter().filter(|stage| stage.from == Effort::Quick);
        let mut count = 0;
        for name in shown.map(str::trim) {
            assert!(stages.any(|stage| stage.name == name), "{name}");
            count += 1;
        }
        assert!(count > 0, "no stage is shown");
    }
}
