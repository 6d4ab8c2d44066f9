//! Systems without terminals of this kind.

use std::convert::Infallible;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

fn unsupported<T>() -> io::Result<T> {
    let why = "the link needs a terminal of Linux or macOS on this side";
    Err(io::Error::new(io::ErrorKind::Unsupported, why))
}

macro_rules! absent {
    ($($(#[$about:meta])* $name:ident)*) => {$(
        $(#[$about])*
        pub struct $name(Infallible);

        impl Read for $name {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                match self.0 {}
            }
        }

        impl Write for $name {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                match self.0 {}
            }

            fn flush(&mut self) -> io::Result<()> {
                match self.0 {}
            }
        }
    )*};
}

absent! {
    /// The board's end of a pseudo-terminal.
    Pty
    /// The host's end of a port.
    Tty
}

impl Pty {
    /// Always fails here.
    pub fn open() -> io::Result<Pty> {
        unsupported()
    }

    /// What a host opens.
    pub fn path(&self) -> &Path {
        match self.0 {}
    }
}

impl Tty {
    /// Always fails here.
    pub fn open(_: &Path) -> io::Result<Tty> {
        unsupported()
    }

    /// Waits until there is something to read.
    pub fn wait(&self, _: Duration) -> io::Result<bool> {
        match self.0 {}
    }
}
