//! The link from end to end: a simulated board behind a pseudo-terminal and hosts that talk to it,
//! the `Client` and a program in another language. Linux and macOS.
#![cfg(unix)]

mod board;
mod client;
mod pipe;
mod python;
