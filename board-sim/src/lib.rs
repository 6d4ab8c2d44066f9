//! The lodestone board on a PC: everything around the library that needs an operating system.

pub mod client;
pub mod device;
pub mod draw;
pub mod emulator;
pub mod hands;
pub mod page;
pub mod perft;
pub mod pipe;
pub mod port;
pub mod record;
pub mod rulebook;
pub mod scenario;
pub mod setup_text;
pub mod shared;
pub mod soak;
pub mod table;
pub mod text;
pub mod tty;
pub mod ugi;
