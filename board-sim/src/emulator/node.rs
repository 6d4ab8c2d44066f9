//! The Node program: where it is, what it needs, and how to talk to it.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;

use anyhow::{Context, Result, anyhow, bail};
use serde::de::DeserializeOwned;

use super::protocol::{Answer, Request};

/// Names another folder than the one of the source tree.
const FOLDER_VARIABLE: &str = "LODESTONE_EMULATOR";

/// The running program.
pub(super) struct Pipe {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Pipe {
    /// Starts the program; installs its one package first if it is missing.
    pub(super) fn start() -> Result<Pipe> {
        let folder = folder();
        install(&folder)?;
        let mut child = Command::new("node")
            .arg(folder.join("src/main.mjs"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| explain(error, "node"))?;
        let requests = child.stdin.take().context("the pipe to Node has no input")?;
        let answers = BufReader::new(child.stdout.take().context("the pipe has no output")?);
        Ok(Pipe { child, requests, answers })
    }

    /// One request, one answer.
    pub(super) fn ask<T: DeserializeOwned>(&mut self, request: &Request) -> Result<T> {
        let mut line = serde_json::to_string(request)?;
        line.push('\n');
        self.requests.write_all(line.as_bytes()).context("the emulator has ended")?;
        line.clear();
        if self.answers.read_line(&mut line)? == 0 {
            bail!("the emulator has ended; its last words are on stderr");
        }
        match serde_json::from_str(&line).context("the emulator's answer cannot be read")? {
            Answer::Ok(answer) => Ok(answer),
            Answer::Error(text) => Err(anyhow!("emulator: {text}")),
        }
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // It may have ended by itself, which is just as well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn folder() -> PathBuf {
    match std::env::var_os(FOLDER_VARIABLE) {
        Some(folder) => folder.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("emulator"),
    }
}

/// Runs `npm ci` where the package is not there yet; one at a time.
fn install(folder: &Path) -> Result<()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock();
    if !folder.join("package.json").exists() {
        bail!(
            "there is no emulator in {}: run this in the source tree, or set {FOLDER_VARIABLE}",
            folder.display()
        );
    }
    if folder.join("node_modules/rp2040js/package.json").exists() {
        return Ok(());
    }
    eprintln!("emulator: running `npm ci` in {}", folder.display());
    let status = Command::new("npm")
        .args(["ci", "--no-audit", "--no-fund"])
        .current_dir(folder)
        .stdout(Stdio::null())
        .status()
        .map_err(|error| explain(error, "npm"))?;
    if !status.success() {
        bail!("`npm ci` failed in {}: is the package registry reachable?", folder.display());
    }
    Ok(())
}

fn explain(error: std::io::Error, program: &str) -> anyhow::Error {
    if error.kind() == ErrorKind::NotFound {
        anyhow!("`{program}` was not found: install Node 20 or newer and put it on the PATH")
    } else {
        anyhow::Error::new(error).context(format!("`{program}` could not be started"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_said_with_what_to_do() {
        let error = install(Path::new("no/such/folder")).unwrap_err().to_string();
        assert!(error.contains("no/such/folder") && error.contains(FOLDER_VARIABLE), "{error}");
        let error = explain(ErrorKind::NotFound.into(), "node").to_string();
        assert!(error.contains("install Node 20"), "{error}");
    }
}
