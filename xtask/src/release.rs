//! `cargo xtask release`: everything that people download, in one folder.
//!
//! The image, the simulator with its manual pages and completions, the hardware as one archive, the
//! notes, and check sums over all of it. The simulator is tried as somebody would who has nothing
//! else: copied away, with an empty environment, its page fetched.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};

use crate::command::{Run, cargo, files, root, target};
use crate::{hardware, image};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const SIMULATOR: &str = if cfg!(windows) { "board-sim.exe" } else { "board-sim" };
/// What `cargo xtask hardware` makes for people: endings of the files in `target/hardware`.
const MADE: [&str; 4] = ["zip", "stl", "dxf", "svg"];

/// Makes the folder.
pub(crate) fn run() -> Result<()> {
    let name = format!("lodestone-{VERSION}");
    let folder = root().join("target").join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder).context("the folder of the last release")?;
    }
    let sizes = image::make(&folder)?;
    println!("image       ok");
    simulator(&folder)?;
    println!("simulator   ok, runs on its own");
    hardware_archive(&folder)?;
    println!("hardware    ok");
    fs::write(folder.join("NOTES.md"), notes(&sizes)?)?;
    fs::write(folder.join("SHA256SUMS"), check_sums(&folder)?)?;
    for file in files(&folder)? {
        let size = fs::metadata(&file)?.len();
        println!("{size:>10}  target/{name}/{}", relative(&file, &folder));
    }
    Ok(())
}

/// Whether the simulator would run where there is nothing else: what a test run tries of a release.
pub(crate) fn check_simulator() -> Result<()> {
    runs_alone(&built_simulator()?)
}

fn built_simulator() -> Result<PathBuf> {
    cargo(["build", "--profile", "fast", "-p", "board-sim", "--locked"]).run()?;
    Ok(target().join("fast").join(SIMULATOR))
}

fn simulator(folder: &Path) -> Result<()> {
    let binary = folder.join(SIMULATOR);
    fs::copy(built_simulator()?, &binary).context("the simulator")?;
    // Line tables are for developers. Where there is no `strip`, the binary is merely larger.
    let _ = Run::new("strip", [&binary]).run();
    Run::new(&binary, ["manual"]).arg(folder).run()?;
    runs_alone(&binary)
}

/// Copies the binary away and asks it for its page, its rules and its version.
fn runs_alone(binary: &Path) -> Result<()> {
    let away = env::temp_dir().join(format!("lodestone-{}", std::process::id()));
    fs::create_dir_all(&away)?;
    let copy = away.join(SIMULATOR);
    fs::copy(binary, &copy)?;
    let said = Run::new(&copy, ["--version"]).within(&away).output()?;
    ensure!(said.trim() == format!("board-sim {VERSION}"), "--version said {said}");
    let fetched = fetch_page(&copy, &away);
    fs::remove_dir_all(&away)?;
    fetched
}

fn fetch_page(binary: &Path, away: &Path) -> Result<()> {
    let mut serving = Command::new(binary)
        .args(["play", "--port", "0"])
        .current_dir(away)
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("the simulator does not start")?;
    let answer = serving.stdout.take().context("its output").and_then(|said| {
        let mut line = String::new();
        BufReader::new(said).read_line(&mut line)?;
        let host = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let host = host.with_context(|| format!("no address in {line:?}"))?.trim();
        let mut stream = TcpStream::connect(host)?;
        write!(stream, "GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    });
    serving.kill()?;
    serving.wait()?;
    let answer = answer?;
    ensure!(answer.starts_with("HTTP/1.1 200") && answer.contains("</html>"), "{answer}");
    Ok(())
}

/// Sources, lists and documents as committed, and what is made of them: one archive.
fn hardware_archive(folder: &Path) -> Result<()> {
    hardware::full(|_| ())?;
    let staged = folder.join("hardware");
    let committed = Run::new("git", ["ls-files", "hardware"]).output()?;
    for file in committed.lines() {
        copy(&root().join(file), &folder.join(file))?;
    }
    let made = root().join("target/hardware");
    for file in files(&made)? {
        if file.extension().is_some_and(|ending| MADE.iter().any(|made| ending == *made)) {
            copy(&file, &staged.join("made").join(relative(&file, &made)))?;
        }
    }
    Run::new("tar", ["-czf", "lodestone-hardware.tar.gz", "hardware"]).within(folder).run()?;
    fs::remove_dir_all(staged).context("what the archive was made of")
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to.parent().context("a folder")?)?;
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    Ok(())
}

/// What is new, and what to do with the files.
fn notes(sizes: &str) -> Result<String> {
    let changes = fs::read_to_string(root().join("CHANGELOG.md"))?;
    let newest = changes.split("\n## ").nth(1).context("CHANGELOG.md has no section")?;
    let (_, newest) = newest.split_once('\n').context("an empty section")?;
    Ok(format!(
        "# lodestone {VERSION}\n\n\
         - `lodestone.uf2`: hold BOOTSEL on the Pico, plug it in, copy it onto the drive. Games,\n\
         \x20 options and calibration stay.\n\
         - `lodestone.elf`: the same for debuggers and the emulator.\n\
         - `{SIMULATOR}`: the board on a page in the browser; `man/` and `completions/` belong to it.\n\
         \x20 Only `--backend emulator` needs the repository: `LODESTONE_EMULATOR` names its folder\n\
         \x20 `board-sim/emulator`.\n\
         - `lodestone-hardware.tar.gz`: boards, pieces and plates, as sources and ready to order.\n\n\
         `sha256sum -c SHA256SUMS` checks the files.\n\n## New\n{newest}\n## Size of the image\n\n\
         ```text\n{sizes}```\n"
    ))
}

fn check_sums(folder: &Path) -> Result<String> {
    let mut sums = String::new();
    for file in files(folder)? {
        let sum = Sha256::digest(fs::read(&file)?);
        let sum = sum.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
        writeln!(sums, "{sum}  {}", relative(&file, folder))?;
    }
    Ok(sums)
}

fn relative(file: &Path, folder: &Path) -> String {
    file.strip_prefix(folder).unwrap_or(file).to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_say_what_is_new_and_what_the_files_are() {
        let notes = notes("total 1 2\n").unwrap();
        for part in [
            "# lodestone ",
            "lodestone.uf2",
            "board-sim",
            "SHA256SUMS",
            "### For players",
            "total 1 2",
        ] {
            assert!(notes.contains(part), "{part} is missing in\n{notes}");
        }
    }

    #[test]
    fn check_sums_are_those_of_sha256sum() {
        let folder = env::temp_dir().join(format!("lodestone-sums-{}", std::process::id()));
        fs::create_dir_all(folder.join("man")).unwrap();
        fs::write(folder.join("man/a"), "abc").unwrap();
        let sums = check_sums(&folder);
        fs::remove_dir_all(&folder).unwrap();
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sums.unwrap(), format!("{abc}  man/a\n"));
    }
}
