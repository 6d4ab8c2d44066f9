//! Boards that are elsewhere: the image in the emulator, which sees the virtual table, and a real
//! board on a port, which has a table of its own. Both are known by their link alone.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use lodestone::console::Input;
use lodestone::geometry::Playfield;
use lodestone::link::{FromBoard, HostDecoder, HostEncoder, ToBoard};
use lodestone::sense::Calibration;
use lodestone::wiring::flash;

use super::mirror::{Heard, Mirror};
use super::protocol::Status;
use crate::client::{self, Client, Message};
use crate::device::Flash;
use crate::emulator::{Emulator, LedFrame, Options, What};
use crate::shared::SharedLine;
use crate::tty::Pty;

/// How often a board is asked what it is doing, us.
const LOOK_EVERY_US: u64 = 500_000;
/// How long a port is listened to before requests are looked for.
const LISTEN: Duration = Duration::from_millis(10);
/// How often a port is tried again.
const AGAIN: Duration = Duration::from_millis(500);

/// A board that is elsewhere.
pub(super) struct There {
    pub(super) mirror: Mirror,
    line: Line,
    looked_us: u64,
    /// What is wrong with it, for the page.
    pub(super) trouble: Option<String>,
}

enum Line {
    Emulated(Box<Emulated>),
    Port { requests: Sender<Vec<u8>>, heard: Receiver<FromPort> },
}

/// What a port's thread says.
enum FromPort {
    Here,
    Gone(String),
    Said(Message),
}

struct Emulated {
    line: SharedLine,
    decoder: HostDecoder,
    /// What the LEDs were told last.
    shown: Option<LedFrame>,
    /// How much of real time it keeps up with, measured a second at a time.
    speed: Option<f64>,
    measured: (Instant, Duration),
}

/// What an emulated board is asked to tell: the table knows its fields, the wire its lights.
const WATCH_EMULATED: ToBoard<'static> =
    ToBoard::Watch { events: true, lights: false, meanings: true, fields: false };
/// What a real one is asked to tell.
const WATCH_REAL: ToBoard<'static> =
    ToBoard::Watch { events: true, lights: true, meanings: true, fields: true };

impl There {
    /// The image in the emulator, as a board that knows its sensors.
    pub(super) fn emulated(
        elf: &Path,
        pty: Option<Pty>,
        playfield: Playfield,
        seed: u64,
    ) -> Result<There> {
        let memory = Flash::erased();
        for playfield in Playfield::ALL {
            memory.set_calibration(&Calibration::exact(playfield));
        }
        let regions = [flash::JOURNAL, flash::SETTINGS];
        let options = Options {
            seed: seed as u32,
            flash: regions.map(|region| (region.start, memory.region(region))).to_vec(),
            ..Options::default()
        };
        let mut emulator = Emulator::start(elf, &options)?;
        emulator.plug(Some(playfield))?;
        emulator.set_usb_host(true)?;
        let (decoder, measured) = (HostDecoder::new(), (Instant::now(), emulator.now()));
        let mut line = SharedLine::new(emulator);
        if let Some(pty) = pty {
            line.offer(pty);
        }
        let emulated = Emulated { line, decoder, shown: None, speed: None, measured };
        Ok(There::new(playfield, WATCH_EMULATED, Line::Emulated(Box::new(emulated))))
    }

    /// The board on a port; it may come and go.
    pub(super) fn attached(port: PathBuf) -> Result<There> {
        let (requests, to_send) = mpsc::channel();
        let (say, heard) = mpsc::channel();
        let attend = move || attend(&port, &to_send, &say);
        thread::Builder::new().name("port".into()).spawn(attend)?;
        let mut there = There::new(Playfield::Hex, WATCH_REAL, Line::Port { requests, heard });
        there.trouble = Some("looking for the board".into());
        Ok(there)
    }

    fn new(playfield: Playfield, watch: ToBoard<'static>, line: Line) -> There {
        There { mirror: Mirror::new(playfield, watch), line, looked_us: 0, trouble: None }
    }

    /// Whether it sees the virtual table.
    pub(super) const fn is_emulated(&self) -> bool {
        matches!(self.line, Line::Emulated(_))
    }

    /// What the chain of LEDs was told last.
    pub(super) fn chain(&self) -> Vec<[u8; 3]> {
        let Line::Emulated(emulated) = &self.line else { return Vec::new() };
        let shown = emulated.shown.as_ref().filter(|frame| frame.powered);
        shown.map(|frame| frame.rgb.clone()).unwrap_or_default()
    }

    /// Everything beside the board.
    pub(super) fn status(&self) -> Status {
        let mut status = match &self.line {
            Line::Emulated(_) => self.mirror.status(&self.chain()),
            Line::Port { .. } => self.mirror.status(self.mirror.lights().0),
        };
        status.is_real = !self.is_emulated();
        let firmware = &self.mirror.firmware;
        status.runs_on = Some(match &self.line {
            Line::Emulated(there) => match there.speed {
                Some(speed) => format!("{firmware}, emulated at {speed:.1} × real time"),
                None => "starting".into(),
            },
            Line::Port { .. } => firmware.clone(),
        });
        status.absent.clone_from(&self.trouble);
        status
    }

    /// Takes in what happens, as the console would.
    pub(super) fn give(&mut self, input: Input) -> Result<()> {
        match (&mut self.line, input) {
            (Line::Emulated(there), Input::Scan(codes)) => {
                let playfield = self.mirror.playfield;
                let codes: Vec<_> = playfield.points().zip(codes.iter().copied()).collect();
                there.line.emulator.set_codes(playfield, &codes)
            }
            (Line::Emulated(there), Input::Key(key, down)) => {
                there.line.emulator.set_key(key.into(), down)
            }
            (Line::Port { .. }, Input::Key(key, down)) => self.ask(&ToBoard::Key { key, down }),
            (_, Input::Host(request)) => self.ask(&request),
            _ => Ok(()),
        }
    }

    /// Another playfield is put in; that takes the power away.
    pub(super) fn plug(&mut self, playfield: Playfield) -> Result<()> {
        let Line::Emulated(there) = &mut self.line else {
            bail!("the board has its own playfield");
        };
        there.line.emulator.plug(Some(playfield))?;
        self.mirror.restart("", playfield);
        self.cut()
    }

    /// The power goes and comes back.
    pub(super) fn cut(&mut self) -> Result<()> {
        self.mirror.restart("", self.mirror.playfield);
        match &mut self.line {
            Line::Emulated(there) => {
                there.shown = None;
                there.line.emulator.cut_power()
            }
            Line::Port { .. } => bail!("the plug of a real board is on its cable"),
        }
    }

    /// Lets some time pass; what is said meanwhile.
    pub(super) fn advance(&mut self, now_us: u64, seconds: f64) -> Result<Vec<Heard>> {
        let messages = match &mut self.line {
            Line::Emulated(there) => there.run(Duration::from_secs_f64(seconds))?,
            Line::Port { heard, .. } => {
                let mut messages = Vec::new();
                loop {
                    match heard.try_recv() {
                        Ok(FromPort::Here) => self.trouble = None,
                        Ok(FromPort::Gone(why)) => {
                            self.mirror.restart("", self.mirror.playfield);
                            self.trouble = Some(why);
                        }
                        Ok(FromPort::Said(message)) => messages.push(message),
                        Err(TryRecvError::Empty) => break,
                        Err(TryRecvError::Disconnected) => bail!("nobody attends the port"),
                    }
                }
                messages
            }
        };
        let heard = messages.iter().filter_map(|message| self.mirror.hear(&message.get()));
        let heard = heard.collect();
        if now_us - self.looked_us >= LOOK_EVERY_US {
            self.looked_us = now_us;
            self.mirror.look();
        }
        for request in self.mirror.asks() {
            self.ask(&request)?;
        }
        Ok(heard)
    }

    fn ask(&mut self, request: &ToBoard) -> Result<()> {
        match &mut self.line {
            Line::Emulated(there) => there.line.ask(request),
            Line::Port { requests, .. } => {
                let mut encoder = HostEncoder::new();
                let Ok(frame) = encoder.encode(request) else { bail!("the request is too long") };
                Ok(requests.send(frame.to_vec())?)
            }
        }
    }
}

impl Emulated {
    fn run(&mut self, time: Duration) -> Result<Vec<Message>> {
        let mut messages = Vec::new();
        for event in self.line.run(time)? {
            match event.what {
                What::Frame(frame) => self.shown = Some(frame),
                What::Usb(bytes) => {
                    let mut bytes = bytes.as_slice();
                    while let Some(message) = self.decoder.next::<FromBoard>(&mut bytes) {
                        messages.extend(message.ok().map(|message| Message::new(&message)));
                    }
                }
                What::Reset(_) => self.decoder.reset(),
                What::Violation(text) => bail!("the electronics are mistreated: {text}"),
                _ => {}
            }
        }
        let (since, then) = self.measured;
        if since.elapsed() > Duration::from_secs(1) {
            let now = self.line.emulator.now();
            self.speed =
                Some(now.saturating_sub(then).as_secs_f64() / since.elapsed().as_secs_f64());
            self.measured = (Instant::now(), now);
        }
        Ok(messages)
    }
}

/// Attends a port as long as somebody is interested: looks for the board, passes on what both say.
fn attend(port: &Path, requests: &Receiver<Vec<u8>>, say: &Sender<FromPort>) {
    loop {
        let gone = match Client::connect(port) {
            Ok(mut client) => {
                // What was asked while nobody was there is not meant any more.
                while requests.try_recv().is_ok() {}
                let hello = client.hello();
                if say.send(FromPort::Here).is_err() || say.send(FromPort::Said(hello)).is_err() {
                    return;
                }
                match talk(&mut client, requests, say) {
                    Some(error) => error,
                    None => return,
                }
            }
            Err(error) => error,
        };
        if say.send(FromPort::Gone(format!("{}: {gone}", port.display()))).is_err() {
            return;
        }
        thread::sleep(AGAIN);
    }
}

/// Talks until the board is gone, or nobody is interested any more.
fn talk(
    client: &mut Client,
    requests: &Receiver<Vec<u8>>,
    say: &Sender<FromPort>,
) -> Option<client::Error> {
    loop {
        loop {
            match requests.try_recv() {
                Ok(frame) => {
                    if let Err(error) = client.post(&frame) {
                        return Some(error);
                    }
                }
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return None,
            }
        }
        match client.events(LISTEN).next() {
            Some(Ok(message)) => say.send(FromPort::Said(message)).ok()?,
            Some(Err(error)) => return Some(error),
            None => {}
        }
    }
}
