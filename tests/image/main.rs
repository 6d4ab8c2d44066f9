//! Tests on the image: the very ELF one would flash, in the emulator.
//!
//! The image comes from `cargo xtask image`, or from where the variable `LODESTONE_ELF` says. No
//! test may end with a violation of the electronics: [`machine::Machine`] looks after that.

mod boot;
mod light;
mod machine;
mod repeat;
mod scan;
mod speed;
mod strap;
mod watchdog;
