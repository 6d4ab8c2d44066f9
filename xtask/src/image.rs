//! `cargo xtask image`: what one flashes, checked.
//!
//! Builds the firmware for the chip, refuses it when the ELF would not start, would overwrite the
//! journal or is over its budget, and leaves `lodestone.elf` (debugger, emulator, log decoder) and
//! `lodestone.uf2` (the board's USB drive) in one folder. A refused image leaves no files.

mod elf;
mod modules;
mod uf2;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result, ensure};

use crate::command::{Run, TARGET, cargo, root, target};

/// Where Cargo looks for options of the compiler for the chip.
const FLAGS: &str = "CARGO_TARGET_THUMBV6M_NONE_EABI_RUSTFLAGS";
/// Where the image goes, relative to the repository, unless somebody says otherwise.
pub(crate) const FOLDER: &str = "target/image";

/// Builds the image into the folder `out`, relative to the repository; returns the table of sizes
/// and the names of the files.
pub(crate) fn make(out: &Path) -> Result<String> {
    let out = root().join(out);
    for name in ["lodestone.elf", "lodestone.uf2"] {
        let old = out.join(name);
        if old.exists() {
            fs::remove_file(&old).with_context(|| format!("cannot remove {}", old.display()))?;
        }
    }

    install_target()?;
    let path = build()?;
    let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let program = elf::Program::parse(&bytes)?;
    let mut report = program.size_table();
    let faults = program.faults();
    ensure!(faults.is_empty(), "{report}the image is refused:\n- {}", faults.join("\n- "));
    report = modules::table(&bytes, program.flash_used().into())? + &report;

    let pages = uf2::pages(program.flashed());
    fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
    for (name, content) in [("lodestone.elf", bytes.as_slice()), ("lodestone.uf2", &pages)] {
        let path = out.join(name);
        fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))?;
        writeln!(report, "{}", path.strip_prefix(root()).unwrap_or(&path).display())?;
    }
    Ok(report)
}

/// Gets the compiler's library for the chip if rustup has not got it yet.
pub(crate) fn install_target() -> Result<()> {
    let Ok(listed) = Run::new("rustup", ["target", "list", "--installed"]).output() else {
        return Ok(()); // Rust without rustup brings its targets itself; the build will tell.
    };
    if listed.lines().any(|line| line == TARGET) {
        return Ok(());
    }
    let added = Run::new("rustup", ["target", "add", TARGET]).run();
    added.with_context(|| format!("the Rust target {TARGET} is missing and cannot be had"))
}

/// Options of the compiler that keep where this machine has its crates out of the image: panics name
/// their files, and two kilobytes of that would be the way to the registry's folder.
fn paths_cut_short() -> String {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo"))).unwrap_or_default();
    let registries = fs::read_dir(home.join("registry/src")).into_iter().flatten().flatten();
    let cut = registries.map(|folder| format!("--remap-path-prefix={}=", folder.path().display()));
    cut.collect::<Vec<_>>().join(" ")
}

/// Builds the firmware; where the ELF is.
fn build() -> Result<PathBuf> {
    cargo(["build", "--release", "--bin", "firmware", "--target", TARGET])
        .env(FLAGS, paths_cut_short())
        .run()?;
    Ok(target().join(TARGET).join("release/firmware"))
}
