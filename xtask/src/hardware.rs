//! `cargo xtask hardware`: makes boards, pieces and plate from their sources and checks them.
//!
//! The work is done by the scripts under `hardware/`; this module finds or installs their tools,
//! runs them in order and prints one line per check with its time. A failed check does not stop the
//! others, so that one run shows everything; the run then ends in an error. `light` runs only what
//! needs nothing but Python and the committed files.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

/// `KiCad`'s Python module is only known to the system's own Python.
const SYSTEM_PYTHON: &str = "/usr/bin/python3";
/// Where everything generated goes, below the target folder.
const OUT: &str = "target/hardware";
/// Boards and the `KiCad` steps each goes through, in the order of `checks/board.py`.
const BOARDS: [(&str, &[&str]); 4] = [
    ("hex", &["make", "again", "erc", "drc", "netlist", "outputs"]),
    ("square", &["make", "erc", "drc", "netlist", "outputs"]),
    ("controller", &["make", "erc", "drc", "netlist", "mutate", "outputs"]),
    ("cluster", &["make", "erc", "drc", "netlist", "outputs"]),
];
/// What the other scripts are called with: the line to print, the script, its folder of outputs.
const OTHERS: [(&str, &str, &str); 4] = [
    ("pieces: closed, size, weight", "checks/stl.py", "pieces"),
    ("plate and frame: drawings, sizes", "case/case.py", "case"),
    ("spice: power-up and settling against the firmware's times", "simulation/spice.py", "spice"),
    ("field and forces against the design figures", "simulation/field.py", "field"),
];

/// Runs the checks; `light` leaves out all that needs `KiCad`, `OpenSCAD` or ngspice.
pub(crate) fn run(light: bool) -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    let hardware = root.join("hardware");
    let out = root.join(OUT);
    println!("hardware, light checks (committed files and firmware):");
    let mut failed = usize::from(!passes_aloud("python3", &hardware.join("checks/light.py"))?);
    if light {
        ensure!(failed == 0, "a light hardware check failed");
        println!("left out (light): ERC, DRC, parity, outputs, pieces, plate, simulation");
        return Ok(());
    }

    install_tools(&hardware)?;
    std::fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
    println!("hardware, full checks:");
    for (board, steps) in BOARDS {
        let folder = out.join(board);
        for step in steps {
            let mut command = Command::new(SYSTEM_PYTHON);
            command.arg(hardware.join("checks/board.py")).args([step, &board]).arg(&folder);
            failed += usize::from(!check(&format!("{board}: {step}"), &mut command)?);
        }
    }
    for (name, script, folder) in OTHERS {
        let mut command = Command::new(SYSTEM_PYTHON);
        command.arg(hardware.join(script)).arg(out.join(folder));
        failed += usize::from(!check(name, &mut command)?);
    }
    ensure!(failed == 0, "{failed} hardware checks failed");
    println!("all passed; archives for ordering: {OUT}/lodestone-*.zip");
    Ok(())
}

/// Runs a script that prints its own lines.
fn passes_aloud(python: &str, script: &Path) -> Result<bool> {
    let status = Command::new(python).arg(script).status();
    Ok(status.with_context(|| format!("cannot start {python}"))?.success())
}

/// Runs one check and prints its line, and what it said when it failed.
fn check(name: &str, command: &mut Command) -> Result<bool> {
    let start = Instant::now();
    let output = command.output().with_context(|| format!("cannot start {SYSTEM_PYTHON}"))?;
    let passed = output.status.success();
    let verdict = if passed { "ok" } else { "FAILED" };
    println!("{verdict:7}{:6.2} s  {name}", start.elapsed().as_secs_f64());
    if !passed {
        std::io::stdout().write_all(&output.stdout)?;
        std::io::stdout().write_all(&output.stderr)?;
    }
    Ok(passed)
}

/// Installs `KiCad` 9, `OpenSCAD` and ngspice when one is missing and this process may.
fn install_tools(hardware: &Path) -> Result<()> {
    if tools_are_there() {
        return Ok(());
    }
    println!("installing KiCad 9, OpenSCAD and ngspice (about 1 GB, a minute or two)");
    let output = Command::new("sh").arg(hardware.join("install.sh")).output()?;
    ensure!(
        output.status.success() && tools_are_there(),
        "KiCad 9, OpenSCAD or ngspice is missing and hardware/install.sh failed:\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
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
