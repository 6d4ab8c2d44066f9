//! The page in a real browser: `board-sim/page/test`, run by Node in headless Chromium.
//!
//! Installs what is missing: Debian's Chromium if this process may, and one pinned npm package.
//! Pictures of everything that was tried are in `target/pictures` afterwards.

use std::path::Path;

use anyhow::{Context, Result};

use crate::command::{Run, cargo, npm_packages, root, target};
use crate::test::Effort;

const CHROMIUM: &str = "/usr/bin/chromium";
/// What the browser needs on a bare Debian; the font has Latin and Persian letters.
const PACKAGES: [&str; 2] = ["chromium", "fonts-dejavu-core"];

/// Runs the browser tests; quick ones try one game only.
pub(crate) fn run(effort: Effort) -> Result<()> {
    install_chromium()?;
    let folder = root().join("board-sim/page/test");
    npm_packages(&folder)?;
    cargo(["build", "-p", "board-sim"]).run()?;
    let said = Run::new("node", ["--test", "--test-concurrency=1"])
        .args(["games.test.mjs", "page.test.mjs", "elsewhere.test.mjs", "pictures.test.mjs"])
        .within(&folder)
        .env("LODESTONE_EFFORT", effort.name())
        .env("LODESTONE_SIM", target().join("debug/board-sim"))
        .output()?;
    for figure in said.lines().filter_map(|line| line.strip_prefix("# from drag end")) {
        println!("  from drag end{figure}");
    }
    Ok(())
}

fn install_chromium() -> Result<()> {
    if Path::new(CHROMIUM).exists() {
        return Ok(());
    }
    println!("installing Chromium (about 400 MB)");
    let apt = |args: &[&str]| {
        Run::new("apt-get", args).env("DEBIAN_FRONTEND", "noninteractive").run().context(
            "the browser tests need /usr/bin/chromium, which could not be installed; \
             on Debian: apt install chromium",
        )
    };
    apt(&["update", "-q"])?;
    apt(&[&["install", "-qy", "--no-install-recommends"], &PACKAGES[..]].concat())
}
