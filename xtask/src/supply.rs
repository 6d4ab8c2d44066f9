//! What the build rests on: the licences, versions and sources of every dependency (`deny.toml`),
//! and the oldest Rust that people may have.

use anyhow::{Context, Result};

use crate::command::{Run, cargo_tool, root};

const CARGO_DENY: &str = "0.20.2";
/// As `Cargo.toml` states it: `1.95`.
const OLDEST_RUST: &str = env!("CARGO_PKG_RUST_VERSION");

/// Licences, bans, duplicates and sources; known holes where their database can be reached.
pub(crate) fn dependencies() -> Result<()> {
    let deny = cargo_tool("cargo-deny", CARGO_DENY)?;
    let check = |what: &[&str]| {
        Run::new(&deny, ["--manifest-path"])
            .arg(root().join("Cargo.toml"))
            .args(["--locked", "--workspace", "check", "--hide-inclusion-graph"])
            .args(what)
            .run()
    };
    check(&["licenses", "bans", "sources"])?;
    if let Err(error) = Run::new(&deny, ["fetch", "db"]).run() {
        let reason = error.to_string();
        println!("  known holes not looked for: {}", reason.lines().last().unwrap_or_default());
        return Ok(());
    }
    check(&["advisories"])
}

/// Builds everything with the oldest supported Rust, unless this whole run does so already.
pub(crate) fn oldest_rust() -> Result<()> {
    let running = Run::new("rustc", ["--version"]).output()?;
    if running.starts_with(&format!("rustc {OLDEST_RUST}.")) {
        return Ok(());
    }
    let toolchain = format!("{OLDEST_RUST}.0");
    Run::new("rustup", ["toolchain", "install", "--profile", "minimal", &toolchain])
        .run()
        .with_context(|| format!("Rust {toolchain}, the oldest supported one, cannot be had"))?;
    Run::new("rustup", ["run", &toolchain, "cargo", "check", "--workspace", "--locked"])
        .env("CARGO_TARGET_DIR", root().join("target/oldest"))
        .run()
}
