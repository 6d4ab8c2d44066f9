//! `play`, `demo` and `attach`: a board on a page in the browser.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::Result;
use board_sim::page;
use clap::Args as ClapArgs;
use lodestone::games::Id;
use lodestone::text::Language;

use super::{Backend, Lang, terminal};

#[derive(ClapArgs)]
pub(crate) struct Args {
    #[command(flatten)]
    site: Site,
    /// Start this game at once (gipf-basic, yinsh, dvonn, ...)
    #[arg(long, value_name = "ID", value_parser = id)]
    game: Option<Id>,
    /// No page: the bare board in the terminal, with the real image in the emulator
    #[arg(long)]
    terminal: bool,
    /// Where the board runs: the console on this machine, or the real image in the emulator
    #[arg(long, value_enum, default_value_t, conflicts_with = "terminal")]
    backend: Backend,
    /// Let hosts talk to the board through a pseudo-terminal; its path is printed to standard error
    #[arg(long, conflicts_with = "terminal")]
    pty: bool,
    #[command(flatten)]
    bare: terminal::BareArgs,
}

#[derive(ClapArgs)]
pub(crate) struct AttachArgs {
    /// The board's serial port, such as /dev/ttyACM0, or the pseudo-terminal of a simulated one
    #[arg(value_name = "PORT")]
    serial: PathBuf,
    #[command(flatten)]
    site: Site,
}

#[derive(ClapArgs)]
pub(crate) struct DemoArgs {
    #[command(flatten)]
    site: Site,
    /// How fast the hands are: 1 is a calm person
    #[arg(long, default_value_t = 1.0, value_parser = speed)]
    speed: f64,
}

/// Where the page is and how it is opened.
#[derive(ClapArgs)]
pub(super) struct Site {
    /// The port on 127.0.0.1; a free one when none is given
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// The language of the page; otherwise the one that was last chosen on it
    #[arg(long, value_enum)]
    lang: Option<Lang>,
    /// For everything drawn by lot
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// How fast the board plays by itself until somebody touches it.
const IDLE_SPEED: f64 = 1.0;

pub(crate) fn run(args: &Args) -> Result<()> {
    if args.terminal {
        return terminal::run(&args.bare);
    }
    let pty = args.pty.then(super::pty).transpose()?;
    let backend = match args.backend {
        Backend::Host => page::Backend::Here { pty },
        Backend::Emulator => page::Backend::Emulator { elf: args.bare.elf()?, pty },
    };
    let plays_itself = args.game.is_none() && matches!(backend, page::Backend::Here { .. });
    let demo = plays_itself.then_some(IDLE_SPEED);
    serve(&args.site, page::Options { game: args.game, demo, backend, ..page::Options::default() })
}

pub(crate) fn demo(args: &DemoArgs) -> Result<()> {
    serve(&args.site, page::Options { demo: Some(args.speed), ..page::Options::default() })
}

pub(crate) fn attach(args: &AttachArgs) -> Result<()> {
    let backend = page::Backend::Port { path: args.serial.clone() };
    serve(&args.site, page::Options { backend, ..page::Options::default() })
}

/// Serves the page there until the program ends.
pub(super) fn serve(site: &Site, options: page::Options) -> Result<()> {
    let options = page::Options { port: site.port, seed: site.seed, ..options };
    page::serve(options, |address| {
        let language = site.lang.map(|lang| format!("?lang={}", Language::from(lang).code()));
        let address = format!("{address}{}", language.unwrap_or_default());
        println!("the board is at {address}  (Ctrl-C ends)");
        if site.open && !open(&address) {
            eprintln!("no browser could be started; open the address yourself");
        }
    })
}

/// Starts the browser of this system.
fn open(address: &str) -> bool {
    let (program, args): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(args).arg(address).stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(Stdio::null()).spawn().is_ok()
}

fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse().ok().filter(|speed| (0.25..=8.0).contains(speed));
    speed.ok_or_else(|| "the speed is from 0.25 to 8".into())
}

fn id(name: &str) -> Result<Id, String> {
    let unknown = || format!("the games are {}", Id::ALL.map(Id::name).join(" "));
    Id::parse(name.as_bytes()).ok_or_else(unknown)
}
