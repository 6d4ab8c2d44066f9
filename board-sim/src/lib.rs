//! The lodestone board on a PC.

pub mod emulator;
