//! Tests on the image: the very ELF one would flash, in the emulator.
//!
//! The image comes from `cargo xtask image`, or from where the variable `LODESTONE_ELF` says. No
//! test may end with a violation of the electronics: [`machine::Machine`] looks after that.

mod boot;
mod failures;
mod flash;
mod journal;
mod keys;
mod light;
mod link;
mod machine;
mod play;
mod repeat;
mod scan;
mod scenarios;
mod service;
mod sound;
mod speed;
mod stack;
mod strap;
mod watchdog;
