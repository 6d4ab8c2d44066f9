//! `cargo xtask hardware`: makes boards, pieces and plates from their sources and checks them.
//!
//! The work is done by the scripts under `hardware/`; this module finds or installs their tools,
//! runs them in order and prints one line per check with its time. A failed check does not stop the
//! others, so that one run shows everything; the run then ends in an error.

use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::command::{Run, root};

/// The module of `KiCad` is only known to the system's own Python.
const SYSTEM_PYTHON: &str = "/usr/bin/python3";
/// Where everything generated goes.
const OUT: &str = "target/hardware";
/// Boards and the steps of `checks/board.py` each goes through.
const BOARDS: [(&str, &[&str]); 4] = [
    ("hex", &["make", "again", "erc", "drc", "netlist", "outputs"]),
    ("square", &["make", "erc", "drc", "netlist", "outputs"]),
    ("controller", &["make", "erc", "drc", "netlist", "mutate", "outputs"]),
    ("cluster", &["make", "erc", "drc", "netlist", "outputs"]),
];
/// The other checks: the line to print, the script, its folder of outputs.
const OTHERS: [(&str, &str, &str); 4] = [
    ("pieces: closed, size, weight", "checks/stl.py", "pieces"),
    ("plates and frame: fit", "case/case.py", "case"),
    ("spice: the firmware's times", "simulation/spice.py", "spice"),
    ("fields and forces", "simulation/field.py", "field"),
];

/// Runs all checks, or only the [`light`] ones.
pub(crate) fn run(only_light: bool) -> Result<()> {
    print!("{}", light()?);
    if only_light {
        println!("left out by --light: ERC, DRC, parity, outputs, pieces, plates, simulation");
        return Ok(());
    }
    full(|line| println!("{line}"))?;
    println!("all passed; to order: {OUT}/lodestone-*.zip");
    Ok(())
}

/// Runs everything that needs tools and says a line per check; installs them when they are missing.
pub(crate) fn full(say: impl Fn(&str)) -> Result<()> {
    install_tools()?;
    let mut failed = 0;
    for (name, run) in full_checks() {
        let begin = Instant::now();
        let result = run.run();
        let seconds = begin.elapsed().as_secs_f32();
        let word = if result.is_ok() { "ok" } else { "FAILED" };
        say(&format!("{name:<32} {word:<7} {seconds:6.1} s"));
        if let Err(error) = result {
            failed += 1;
            eprintln!("{error:#}\n");
        }
    }
    ensure!(failed == 0, "{failed} hardware checks failed");
    Ok(())
}

/// What needs nothing but Python, the committed lists and the firmware's own table; returns its
/// lines. Wants no `KiCad`, so that every test run can have it.
pub(crate) fn light() -> Result<String> {
    let script = root().join("hardware/checks/light.py");
    Run::new("python3", [script]).output().context("a light hardware check failed")
}

/// The checks that need tools, with the line to print for each.
fn full_checks() -> Vec<(String, Run)> {
    let (hardware, out) = (root().join("hardware"), root().join(OUT));
    let python = |script: &str| Run::new(SYSTEM_PYTHON, [hardware.join(script)]);
    let mut checks = Vec::new();
    for (board, steps) in BOARDS {
        for step in steps {
            let run = python("checks/board.py").args([step, board]).arg(out.join(board));
            checks.push((format!("{board}: {step}"), run));
        }
    }
    for (name, script, folder) in OTHERS {
        checks.push((name.to_owned(), python(script).arg(out.join(folder))));
    }
    checks
}

/// Installs what is missing of the tools, if this process may.
fn install_tools() -> Result<()> {
    if !tools_are_there() {
        println!("installing KiCad 9, OpenSCAD and ngspice (1 GB, about a minute)");
        let script = root().join("hardware/install.sh");
        Run::new("sh", [script]).run().context("KiCad 9, OpenSCAD or ngspice is missing")?;
        ensure!(tools_are_there(), "hardware/install.sh did not bring KiCad 9");
    }
    Ok(())
}

/// Whether `KiCad` is new enough and the other tools exist.
fn tools_are_there() -> bool {
    let says = |tool: &str, argument: &str| Command::new(tool).arg(argument).output().ok();
    let kicad = says("kicad-cli", "version")
        .and_then(|output| String::from_utf8_lossy(&output.stdout).split('.').next()?.parse().ok())
        .is_some_and(|major: u32| major >= 9);
    kicad && says("openscad", "--version").is_some() && says("ngspice", "--version").is_some()
}
