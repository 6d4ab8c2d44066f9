//! `cargo xtask image`: what one flashes, checked.
//!
//! Builds the firmware for the chip, refuses it when the ELF would not start, would overwrite the
//! journal or is over its budget, and leaves `lodestone.elf` (debugger, emulator, log decoder) and
//! `lodestone.uf2` (the board's USB drive) in one folder. A refused image leaves no files.

mod elf;
mod uf2;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};

const TARGET: &str = "thumbv6m-none-eabi";

/// Builds the image into the folder `out`, relative to the repository.
pub(crate) fn run(out: &Path) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    let out = root.join(out);
    for name in ["lodestone.elf", "lodestone.uf2"] {
        let old = out.join(name);
        if old.exists() {
            fs::remove_file(&old).with_context(|| format!("cannot remove {}", old.display()))?;
        }
    }

    install_target()?;
    let path = build(&root)?;
    let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
    let program = elf::Program::parse(&bytes)?;
    print!("{}", program.size_table());
    let faults = program.faults();
    ensure!(faults.is_empty(), "the image is refused:\n- {}", faults.join("\n- "));

    let pages = uf2::pages(program.flashed());
    fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
    for (name, content) in [("lodestone.elf", bytes.as_slice()), ("lodestone.uf2", &pages)] {
        let path = out.join(name);
        fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))?;
        println!("{}", path.strip_prefix(&root).unwrap_or(&path).display());
    }
    Ok(())
}

/// Gets the compiler's library for the chip if rustup has not got it yet.
fn install_target() -> Result<()> {
    let Ok(listed) = Command::new("rustup").args(["target", "list", "--installed"]).output() else {
        return Ok(()); // Rust without rustup brings its targets itself; the build will tell.
    };
    if String::from_utf8_lossy(&listed.stdout).lines().any(|line| line == TARGET) {
        return Ok(());
    }
    let status = Command::new("rustup").args(["target", "add", TARGET]).status();
    let added = status.is_ok_and(|status| status.success());
    ensure!(added, "the Rust target {TARGET} is missing and `rustup target add` failed");
    Ok(())
}

/// Builds the firmware; where the ELF is.
fn build(root: &Path) -> Result<PathBuf> {
    let target_dir = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let status = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()))
        .current_dir(root)
        .args(["build", "--quiet", "--release", "--bin", "firmware", "--target", TARGET])
        .arg("--target-dir")
        .arg(&target_dir)
        .status()
        .context("cannot start cargo")?;
    ensure!(status.success(), "the firmware does not build");
    Ok(root.join(target_dir).join(TARGET).join("release/firmware"))
}
