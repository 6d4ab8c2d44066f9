//! Running other programs: quiet while they succeed, everything they said when they fail.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// The chip.
pub(crate) const TARGET: &str = "thumbv6m-none-eabi";

/// The top of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository").into()
}

/// Where Cargo puts what it builds.
pub(crate) fn target() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

/// A tool from the registry, exactly this version of it; built when it is not there yet, without
/// optimising, because building is most of what it costs.
pub(crate) fn cargo_tool(name: &str, version: &str) -> Result<PathBuf> {
    let folder = root().join("target/tools").join(format!("{name}-{version}"));
    let tool = folder.join("bin").join(name);
    if !tool.exists() {
        cargo(["install", name, "--locked", "--debug", "--version", version, "--root"])
            .arg(&folder)
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .run()
            .with_context(|| format!("{name} {version} is needed and could not be installed"))?;
    }
    Ok(tool)
}

/// The npm packages of this folder, as its lock file names them; installed when they are not there
/// yet.
pub(crate) fn npm_packages(folder: &Path) -> Result<()> {
    // The file that npm writes last.
    if folder.join("node_modules/.package-lock.json").exists() {
        return Ok(());
    }
    Run::new("npm", ["ci", "--no-audit", "--no-fund"]).within(folder).run().with_context(|| {
        format!("{} needs Node 20 or newer and the npm registry", folder.display())
    })
}

/// The emulator, with its packages.
pub(crate) fn emulator() -> Result<PathBuf> {
    let folder = root().join("board-sim/emulator");
    npm_packages(&folder)?;
    Ok(folder)
}

/// All files below a folder, in order.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.append(&mut files(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// A program to be run at the top of the repository, or elsewhere.
pub(crate) struct Run(Command);

/// Cargo with these arguments.
pub(crate) fn cargo<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Run {
    Run::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()), args)
}

impl Run {
    /// A program with these arguments.
    pub(crate) fn new<S: AsRef<OsStr>>(
        program: impl AsRef<OsStr>,
        args: impl IntoIterator<Item = S>,
    ) -> Run {
        let mut command = Command::new(program);
        command.args(args).current_dir(root()).stdin(Stdio::null());
        Run(command)
    }

    /// With one more argument.
    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Run {
        self.0.arg(arg);
        self
    }

    /// With more arguments.
    pub(crate) fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Run {
        self.0.args(args);
        self
    }

    /// In this folder instead.
    pub(crate) fn within(mut self, folder: &Path) -> Run {
        self.0.current_dir(folder);
        self
    }

    /// With this environment variable.
    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Run {
        self.0.env(name, value);
        self
    }

    /// Runs it; an error with all its output when it fails.
    pub(crate) fn run(self) -> Result<()> {
        self.output().map(drop)
    }

    /// Runs it and returns what it wrote to standard output.
    pub(crate) fn output(mut self) -> Result<String> {
        let shown = format!("{:?}", self.0).replace('"', "");
        let output = self.0.output().with_context(|| format!("cannot start {shown}"))?;
        if !output.status.success() {
            let (out, err) = (&output.stdout, &output.stderr);
            let text = String::from_utf8_lossy(out) + String::from_utf8_lossy(err);
            bail!("{shown}: {}\n{}", output.status, text.trim_end());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}
