//! Everything about the lodestone board that decides anything, free of I/O.
//!
//! The same code runs in the RP2040 image, in the PC simulator and in the tests: no heap, no
//! floating point, no clock and no randomness of its own; time and seeds are arguments.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

#[cfg(test)]
mod golden;

pub mod console;
pub mod games;
pub mod geometry;
pub mod journal;
pub mod keys;
pub mod light;
pub mod link;
pub mod magnet;
pub mod meaning;
pub mod random;
pub mod referee;
pub mod sense;
pub mod sound;
pub mod text;
pub mod wiring;
