//! Terminals of Linux and macOS.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, FdFlags, fcntl_setfd, ioctl_fionbio};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, QueueSelector, tcflush, tcgetattr, tcsetattr};

/// The board's end of a pseudo-terminal. Hosts come and go at its [`path`](Pty::path).
pub struct Pty {
    master: File,
    path: PathBuf,
}

impl Pty {
    /// A new one, with nobody at the other end.
    pub fn open() -> io::Result<Pty> {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
        // What this program starts must not keep it open.
        fcntl_setfd(&master, FdFlags::CLOEXEC)?;
        grantpt(&master)?;
        unlockpt(&master)?;
        ioctl_fionbio(&master, true)?;
        let path = PathBuf::from(OsStr::from_bytes(ptsname(&master, Vec::new())?.as_bytes()));
        // From its first closing on, the terminal tells whether somebody has it open; before, it
        // does not. What is set here stays set for those who come.
        drop(Tty::open(&path)?);
        Ok(Pty { master: File::from(master), path })
    }

    /// What a host opens.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Read for Pty {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let events = poll_within(&self.master, PollFlags::IN, Duration::ZERO)?;
        if events.contains(PollFlags::IN) {
            return gone_is_nothing(self.master.read(bytes));
        }
        if events.contains(PollFlags::HUP) {
            return Ok(0);
        }
        Err(ErrorKind::WouldBlock.into())
    }
}

impl Write for Pty {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Without a reader the bytes would wait for the next one.
        let events = poll_within(&self.master, PollFlags::OUT, Duration::ZERO)?;
        if events.contains(PollFlags::HUP) { Ok(0) } else { self.master.write(bytes) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.master.flush()
    }
}

/// The host's end of a port: of a board on USB, or of a [`Pty`].
pub struct Tty(File);

impl Tty {
    /// Opens a port. What others left there unread is thrown away.
    pub fn open(path: &Path) -> io::Result<Tty> {
        let file = open_quietly(path)?;
        ioctl_fionbio(&file, true)?;
        let mut settings = tcgetattr(&file)?;
        settings.make_raw();
        tcsetattr(&file, OptionalActions::Now, &settings)?;
        tcflush(&file, QueueSelector::IOFlush)?;
        Ok(Tty(file))
    }

    /// Waits until there is something to read, or nobody at the other end; whether there is.
    pub fn wait(&self, longest: Duration) -> io::Result<bool> {
        Ok(!poll_within(&self.0, PollFlags::IN, longest)?.is_empty())
    }
}

/// Without waiting for a modem, and without making the port the one that controls this program.
fn open_quietly(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}

impl Read for Tty {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        gone_is_nothing(self.0.read(bytes))
    }
}

impl Write for Tty {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// What is ready, within a time.
fn poll_within(fd: &impl AsFd, wanted: PollFlags, longest: Duration) -> io::Result<PollFlags> {
    let end = Instant::now() + longest;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let left = Timespec { tv_sec: left.as_secs() as _, tv_nsec: left.subsec_nanos().into() };
        let mut fds = [PollFd::new(fd, wanted)];
        match poll(&mut fds, Some(&left)) {
            Ok(_) => return Ok(fds[0].revents()),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// A terminal whose other end is closed fails with an I/O error.
fn gone_is_nothing(read: io::Result<usize>) -> io::Result<usize> {
    match read {
        Err(error) if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => Ok(0),
        read => read,
    }
}
