//! Terminals as lines of bytes: a pseudo-terminal for a simulated board, and the port of a board,
//! simulated or not, as its host opens it. Linux and macOS; elsewhere opening one says so.
//!
//! Both are raw (every byte passes as it is) and never wait by themselves. No bytes are read or
//! written (`Ok(0)`) when nobody is at the other end; `WouldBlock` means that somebody is, but says
//! nothing or does not listen.

#[cfg(not(unix))]
mod elsewhere;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use elsewhere::{Pty, Tty};
#[cfg(unix)]
pub use unix::{Pty, Tty};
