//! The page: a board on the screen that people play on with mouse, finger or keyboard.
//!
//! [`serve`] runs the console of the image on the virtual table and shows it to browsers on this
//! machine. The page itself is plain HTML, CSS and JavaScript in `board-sim/page`, part of this
//! binary; nothing is fetched from elsewhere.
//!
//! ```text
//!   browser <-- JSON over a WebSocket --> server <-- channel --> world (a thread)
//!                                                                  table, hands, mind
//! ```
//!
//! The *mind* is what runs the board: the console in this program, the real image in the emulator,
//! or a real board on a port, whose pieces the page only shows.
//!
//! Only this machine gets in: the socket is bound to the loopback address, and every request must
//! come for this address and from this page (`Host`, `Origin`), so that no other page a visitor has
//! open can play along. What a page sends is bounded in size; what cannot be read is answered with
//! an error and changes nothing. Several pages may look at one board: each has a hand of its own.

mod demo;
mod hand;
mod mind;
mod mirror;
mod pieces;
mod protocol;
mod report;
mod server;
#[cfg(test)]
mod tests;
mod there;
mod world;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;

use anyhow::{Context, Result};
use lodestone::games::Id;

use crate::record::Record;
use crate::tty::Pty;
use world::{Start, World};

/// What runs the board.
pub enum Backend {
    /// The console in this program; hosts may talk to it through a pseudo-terminal.
    Here {
        /// Where.
        pty: Option<Pty>,
    },
    /// The real image in the emulator.
    Emulator {
        /// The image.
        elf: PathBuf,
        /// Where hosts may talk to it beside the page.
        pty: Option<Pty>,
    },
    /// A real board.
    Port {
        /// Its serial port.
        path: PathBuf,
    },
}

impl Default for Backend {
    fn default() -> Backend {
        Backend::Here { pty: None }
    }
}

/// How the page is served.
#[derive(Default)]
pub struct Options {
    /// The port; 0 for one that is free.
    pub port: u16,
    /// The game to begin with; without one the board plays by itself, or shows its menu.
    pub game: Option<Id>,
    /// For everything drawn by lot.
    pub seed: u64,
    /// How fast the board plays by itself until somebody touches it.
    pub demo: Option<f64>,
    /// A record to step through, instead of a game.
    pub replay: Option<Record>,
    /// What runs the board.
    pub backend: Backend,
}

/// Serves the page until the program ends. `ready` is told the address.
pub fn serve(options: Options, ready: impl FnOnce(&str)) -> Result<()> {
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, options.port)))
        .with_context(|| format!("port {} cannot be had", options.port))?;
    let port = listener.local_addr()?.port();
    listener.set_nonblocking(true)?;
    let (to_world, from_pages) = mpsc::channel();
    let Options { game, seed, demo, replay, backend, .. } = options;
    let world = World::new(Start { game, seed, demo, replay, backend })?;
    thread::Builder::new().name("world".into()).spawn(move || world.run(&from_pages))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async move {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        ready(&format!("http://127.0.0.1:{port}/"));
        axum::serve(listener, server::routes(port, to_world)).await?;
        Ok(())
    })
}
