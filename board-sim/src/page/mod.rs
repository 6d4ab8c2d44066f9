//! The page: a board on the screen that people play on with mouse, finger or keyboard.
//!
//! [`serve`] runs the console of the image on the virtual table and shows it to browsers on this
//! machine. The page itself is plain HTML, CSS and JavaScript in `board-sim/page`, part of this
//! binary; nothing is fetched from elsewhere.
//!
//! ```text
//!   browser <-- JSON over a WebSocket --> server <-- channel --> world (a thread)
//!                                                                  table, device, hands
//! ```
//!
//! Only this machine gets in: the socket is bound to the loopback address, and every request must
//! come for this address and from this page (`Host`, `Origin`), so that no other page a visitor has
//! open can play along. What a page sends is bounded in size; what cannot be read is answered with
//! an error and changes nothing. Several pages may look at one board: each has a hand of its own.

mod demo;
mod hand;
mod pieces;
mod protocol;
mod report;
mod server;
#[cfg(test)]
mod tests;
mod world;

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::mpsc;
use std::thread;

use anyhow::{Context, Result};
use lodestone::games::Id;

use world::{Start, World};

/// How the page is served.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The port; 0 for one that is free.
    pub port: u16,
    /// The game to begin with; without one the board plays by itself, or shows its menu.
    pub game: Option<Id>,
    /// For everything drawn by lot.
    pub seed: u64,
    /// How fast the board plays by itself until somebody touches it.
    pub demo: Option<f64>,
}

/// Serves the page until the program ends. `ready` is told the address.
pub fn serve(options: Options, ready: impl FnOnce(&str)) -> Result<()> {
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, options.port)))
        .with_context(|| format!("port {} cannot be had", options.port))?;
    let port = listener.local_addr()?.port();
    listener.set_nonblocking(true)?;
    let (to_world, from_pages) = mpsc::channel();
    let start = Start { game: options.game, seed: options.seed, demo: options.demo };
    let world = move || World::new(start).run(&from_pages);
    thread::Builder::new().name("world".into()).spawn(world)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async move {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        ready(&format!("http://127.0.0.1:{port}/"));
        axum::serve(listener, server::routes(port, to_world)).await?;
        Ok(())
    })
}
