//! A host of the link: speaks to a board through its port, be it on USB or a pseudo-terminal.
//!
//! [`Client::connect`] opens the port and says hello. A request waits for its answer; what the board
//! says in between is kept for [`Client::events`]. Nothing here has a thread.
//!
//! What happens at the limits:
//!
//! - The cable is out, or the board off: [`Error::Gone`], now and at every later call, until
//!   [`Client::reconnect`] finds the board again at the same path and watches what was watched.
//! - The board has begun anew, or the host was too slow for it (`lodestone::link::service`): it says
//!   `Hello` without being asked. That is an event; a request that was waiting fails with
//!   [`Error::Restarted`]. What was missed has to be asked for, and watched again.
//! - Frames that cannot be read are left out: USB has check sums of its own, so they are what another
//!   program left on the line. For the same reason an `Error` about a frame that the board could not
//!   read is nobody's answer but an event; a request that was really lost ends in [`Error::Timeout`].

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use lodestone::geometry::Playfield;
use lodestone::link::{
    FROM_BOARD_FRAME_MAX, Failure, FromBoard, HostDecoder, HostEncoder, Text, ToBoard, VERSION,
};

use crate::tty::Tty;

/// How long a board may take to answer, to take a request, or to say more of a long answer.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often a board that is gone is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Why there is no answer.
#[derive(Debug)]
pub enum Error {
    /// The port cannot be opened, or nobody is there any more.
    Gone(io::Error),
    /// The board does not answer.
    Timeout,
    /// The board speaks another version of the protocol.
    Version(u16),
    /// The board has begun anew.
    Restarted,
    /// The board says no.
    Refused(Failure),
    /// The answer is one to another request.
    Unexpected(Message),
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Error::Gone(error) => write!(to, "the board is gone: {error}"),
            Error::Timeout => write!(to, "the board does not answer"),
            Error::Version(theirs) => {
                write!(to, "the board speaks version {theirs} of the link, this is {VERSION}")
            }
            Error::Restarted => write!(to, "the board has begun anew"),
            Error::Refused(failure) => write!(to, "the board says no: {failure:?}"),
            Error::Unexpected(message) => write!(to, "unexpected answer: {:?}", message.get()),
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Gone(error)
    }
}

/// A message of the board, kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message(Vec<u8>);

impl Message {
    pub(crate) fn new(message: &FromBoard) -> Message {
        let mut bytes = [0; FROM_BOARD_FRAME_MAX];
        Message(postcard::to_slice(message, &mut bytes).expect("it came in a frame").to_vec())
    }

    /// The message.
    pub fn get(&self) -> FromBoard<'_> {
        postcard::from_bytes(&self.0).expect("it was one when it came")
    }
}

/// What a board says of itself.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct About {
    /// Name and version of the firmware.
    pub firmware: String,
    /// What lies in the frame, if it is known.
    pub playfield: Option<Playfield>,
    /// The number of the board.
    pub serial: String,
}

/// A stored game, or its tags.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// Its number in the journal.
    pub number: u32,
    /// The record or its tags.
    pub text: String,
}

/// A board at the other end of a port.
pub struct Client {
    path: PathBuf,
    /// Nothing when it is gone.
    tty: Option<Tty>,
    encoder: HostEncoder,
    decoder: HostDecoder,
    about: About,
    watch: Option<ToBoard<'static>>,
    /// Read and not yet looked at.
    fresh: VecDeque<Message>,
    /// What was said while an answer was waited for.
    heard: VecDeque<Message>,
}

impl Client {
    /// Opens a port and says hello.
    pub fn connect(path: &Path) -> Result<Client, Error> {
        let mut client = Client {
            path: path.to_owned(),
            tty: None,
            encoder: HostEncoder::new(),
            decoder: HostDecoder::new(),
            about: About::default(),
            watch: None,
            fresh: VecDeque::new(),
            heard: VecDeque::new(),
        };
        client.open()?;
        Ok(client)
    }

    /// Looks for the board at its path until it is there, for so long; then watches what was watched.
    pub fn reconnect(&mut self, longest: Duration) -> Result<(), Error> {
        let end = Instant::now() + longest;
        loop {
            match self.open() {
                Err(Error::Gone(_) | Error::Timeout | Error::Restarted) if Instant::now() < end => {
                    std::thread::sleep(LOOK_EVERY);
                }
                Err(error) => return Err(error),
                Ok(()) => break,
            }
        }
        match self.watch.clone() {
            Some(watch) => self.done(&watch),
            None => Ok(()),
        }
    }

    /// What the board said of itself.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// The same as the board said it.
    pub fn hello(&self) -> Message {
        let About { firmware, playfield, serial } = &self.about;
        Message::new(&FromBoard::Hello {
            version: VERSION,
            firmware: Text::new(firmware).unwrap_or_default(),
            playfield: *playfield,
            serial: Text::new(serial).unwrap_or_default(),
        })
    }

    /// Sends the frame of a request and waits for nothing: the answer comes among the events.
    pub fn post(&mut self, frame: &[u8]) -> Result<(), Error> {
        self.write(frame)
    }

    /// Asks for something that is answered by one message.
    pub fn request(&mut self, request: &ToBoard) -> Result<Message, Error> {
        self.send(request)?;
        self.answer()
    }

    /// Asks for something that is only done or refused.
    pub fn done(&mut self, request: &ToBoard) -> Result<(), Error> {
        let answer = self.request(request)?;
        let FromBoard::Ack { .. } = answer.get() else { return Err(Error::Unexpected(answer)) };
        if let &ToBoard::Watch { events, lights, meanings, fields } = request {
            self.watch = Some(ToBoard::Watch { events, lights, meanings, fields });
        }
        Ok(())
    }

    /// The position line of the game.
    pub fn position(&mut self) -> Result<String, Error> {
        let answer = self.request(&ToBoard::GetPosition)?;
        match answer.get() {
            FromBoard::Position { line } => Ok(line.as_str().to_owned()),
            _ => Err(Error::Unexpected(answer)),
        }
    }

    /// The tags of all stored games, oldest first.
    pub fn games(&mut self) -> Result<Vec<Game>, Error> {
        self.send(&ToBoard::ListGames)?;
        let mut games = Vec::new();
        loop {
            let answer = self.answer()?;
            match answer.get() {
                FromBoard::Game { number, text, .. } => {
                    games.push(Game { number, text: text.as_str().to_owned() });
                }
                FromBoard::Ack { .. } => return Ok(games),
                _ => return Err(Error::Unexpected(answer)),
            }
        }
    }

    /// The record of a stored game.
    pub fn game(&mut self, number: u32) -> Result<Game, Error> {
        self.send(&ToBoard::GetGame { number })?;
        let mut game = Game { number, text: String::new() };
        loop {
            let answer = self.answer()?;
            match answer.get() {
                FromBoard::Game { number, offset, last, text }
                    if number == game.number && offset as usize == game.text.len() =>
                {
                    game.text += text.as_str();
                    if last {
                        return Ok(game);
                    }
                }
                _ => return Err(Error::Unexpected(answer)),
            }
        }
    }

    /// What the board says unasked. Ends when it has said nothing for so long, or after an error.
    pub fn events(&mut self, quiet: Duration) -> impl Iterator<Item = Result<Message, Error>> {
        let mut is_over = false;
        std::iter::from_fn(move || {
            if is_over {
                return None;
            }
            match self.heard.pop_front().map_or_else(|| self.read(Instant::now() + quiet), Ok) {
                Err(Error::Timeout) => None,
                heard => {
                    is_over = heard.is_err();
                    Some(heard)
                }
            }
        })
    }

    /// Opens the port and says hello. `State` behind it tells the answer from a greeting: after it, a
    /// `Hello` was not asked for.
    fn open(&mut self) -> Result<(), Error> {
        self.tty = Some(Tty::open(&self.path)?);
        self.decoder.reset();
        self.fresh.clear();
        self.heard.clear();
        self.write(&[0])?;
        self.send(&ToBoard::Hello { version: VERSION })?;
        self.send(&ToBoard::GetState)?;
        let end = Instant::now() + PATIENCE;
        let mut about = None;
        loop {
            let message = self.read(end)?;
            match message.get() {
                FromBoard::Hello { version: VERSION, firmware, playfield, serial } => {
                    let (firmware, serial) = (firmware.as_str().into(), serial.as_str().into());
                    about = Some(About { firmware, playfield, serial });
                }
                FromBoard::Hello { version, .. } => return Err(Error::Version(version)),
                FromBoard::State { .. } if about.is_some() => break,
                _ => {}
            }
        }
        self.about = about.unwrap_or_default();
        Ok(())
    }

    fn send(&mut self, request: &ToBoard) -> Result<(), Error> {
        let frame = self.encoder.encode(request).expect("every request fits").to_vec();
        self.write(&frame)
    }

    fn write(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        let end = Instant::now() + PATIENCE;
        while !bytes.is_empty() {
            let tty = self.tty.as_mut().ok_or_else(gone)?;
            match tty.write(bytes) {
                Ok(count @ 1..) => bytes = &bytes[count..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if Instant::now() > end {
                        return Err(Error::Timeout);
                    }
                    std::thread::sleep(Duration::from_millis(1));
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Ok(_) => return Err(self.lost(gone())),
                Err(error) => return Err(self.lost(error)),
            }
        }
        Ok(())
    }

    /// The next message that is an answer; others are kept.
    fn answer(&mut self) -> Result<Message, Error> {
        let end = Instant::now() + PATIENCE;
        loop {
            let message = self.read(end)?;
            match message.get() {
                FromBoard::Error { code, .. } if !is_about_line(code) => {
                    return Err(Error::Refused(code));
                }
                FromBoard::State { .. }
                | FromBoard::Position { .. }
                | FromBoard::Ack { .. }
                | FromBoard::Game { .. } => return Ok(message),
                FromBoard::Hello { .. } => {
                    self.heard.push_back(message);
                    return Err(Error::Restarted);
                }
                _ => self.heard.push_back(message),
            }
        }
    }

    /// The next message, whatever it is, until then.
    fn read(&mut self, end: Instant) -> Result<Message, Error> {
        loop {
            if let Some(message) = self.fresh.pop_front() {
                return Ok(message);
            }
            let left = end.saturating_duration_since(Instant::now());
            let tty = self.tty.as_mut().ok_or_else(gone)?;
            if !tty.wait(left)? {
                return Err(Error::Timeout);
            }
            let mut chunk = [0; 1024];
            match tty.read(&mut chunk) {
                Ok(count @ 1..) => self.decode(&chunk[..count]),
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                Ok(_) => return Err(self.lost(gone())),
                Err(error) => return Err(self.lost(error)),
            }
        }
    }

    fn decode(&mut self, mut bytes: &[u8]) {
        while let Some(message) = self.decoder.next::<FromBoard>(&mut bytes) {
            if let Ok(message) = message {
                self.fresh.push_back(Message::new(&message));
            }
        }
    }

    fn lost(&mut self, error: io::Error) -> Error {
        self.tty = None;
        Error::Gone(error)
    }
}

fn gone() -> io::Error {
    io::Error::new(ErrorKind::NotConnected, "nobody at the other end")
}

/// Whether a failure is about bytes and not about a request.
fn is_about_line(failure: Failure) -> bool {
    use Failure::{BadCobs, Checksum, Oversized, Truncated};
    matches!(failure, BadCobs | Checksum | Oversized | Truncated)
}
