//! The link of a [`Device`] on this machine: its bytes over anything that reads and writes, such as
//! a pseudo-terminal ([`Pty`]).
//!
//! The owner of the device lets everything that happens pass through [`Port::handle`], which is
//! [`Device::handle`] and what hosts hear of it; there is no thread and no clock here. Bytes are read
//! and written whenever something happens, so a host is answered as often as there are scans.
//!
//! A stream must not wait: it says `WouldBlock` when there is nothing to read or no room to write.
//! No bytes and any other error mean that nobody is there now; the port asks again every time, and
//! greets whoever comes.
//!
//! [`Pty`]: crate::tty::Pty

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};

use lodestone::console::{Effect, Input};
use lodestone::link::service::{Parts, Service};
use lodestone::link::{FromBoard, PART_MAX, Supply};

use crate::device::{Device, Output};

/// The number of a board that is none.
const SERIAL: &str = "0000000000000000";
/// Bytes read at a time: what a USB packet takes.
const CHUNK: usize = 64;

/// A line to a host.
pub struct Port<S> {
    stream: S,
    service: Box<Service>,
    is_open: bool,
    /// Bytes that the service has not taken yet.
    unread: Vec<u8>,
    /// What is left of an answer in several messages.
    owed: VecDeque<Output>,
    /// The game of it that is under way.
    parts: Option<Parts>,
}

impl<S: Read + Write> Port<S> {
    /// A line on which nobody was yet.
    pub fn new(stream: S) -> Port<S> {
        let mut service = Box::new(Service::new());
        service.set_serial(SERIAL);
        let (unread, owed) = (Vec::new(), VecDeque::new());
        Port { stream, service, is_open: false, unread, owed, parts: None }
    }

    /// The stream.
    pub fn stream(&self) -> &S {
        &self.stream
    }

    /// Lets something happen to the device, and tells the host; then carries out what the host asks
    /// for. Gives back all that the device did, without the answers to this host; those to a request
    /// that comes in here are for whoever asked.
    pub fn handle(&mut self, device: &mut Device, now_us: u64, input: Input) -> Vec<Output> {
        if let Input::Scan(codes) = input {
            self.service.fields(codes);
        }
        let mut outputs = device.handle(now_us, input);
        for effect in outputs.iter().filter(|output| !is_answer(output)).filter_map(effect) {
            self.service.tell(device.console(), effect);
        }
        outputs.extend(self.serve(device, now_us));
        outputs
    }

    /// The device has just started, after a power cut for instance: its host begins anew.
    pub fn restart(&mut self, device: &Device) {
        if self.is_open {
            self.open(device);
            self.write(device);
        }
    }

    fn open(&mut self, device: &Device) {
        self.is_open = true;
        self.unread.clear();
        self.service.open(device.console());
    }

    fn close(&mut self) {
        self.is_open = false;
        self.unread.clear();
        self.service.close();
    }

    /// Requests in, messages out.
    fn serve(&mut self, device: &mut Device, now_us: u64) -> Vec<Output> {
        let mut outputs = Vec::new();
        self.show(device, now_us);
        self.write(device);
        while self.read(device) {
            self.listen(device, now_us, &mut outputs);
            self.write(device);
        }
        outputs
    }

    /// Whether there are bytes that the service may take. The host may come or go.
    fn read(&mut self, device: &Device) -> bool {
        if !self.unread.is_empty() {
            // They wait for room; all that was said before is on its way when there is some again.
            return self.service.outgoing().is_empty();
        }
        let mut chunk = [0; CHUNK];
        let count = match self.stream.read(&mut chunk) {
            Err(error) if is_later(&error) => 0,
            Ok(0) | Err(_) => {
                self.close();
                return false;
            }
            Ok(count) => count,
        };
        if !self.is_open {
            self.open(device);
        }
        self.unread.extend_from_slice(&chunk[..count]);
        count > 0
    }

    fn listen(&mut self, device: &mut Device, now_us: u64, outputs: &mut Vec<Output>) {
        let unread = std::mem::take(&mut self.unread);
        let mut bytes = unread.as_slice();
        while let Some(heard) = self.service.next(&mut bytes) {
            // What cannot be read is already answered.
            let Ok(request) = heard else { continue };
            let answers = device.handle(now_us, Input::Host(request));
            self.answer(device, &answers);
            outputs.extend(answers.into_iter().filter(|output| !is_answer(output)));
        }
        self.unread = bytes.to_vec();
    }

    /// Tells what came of a request.
    fn answer(&mut self, device: &Device, answers: &[Output]) {
        if !answers.iter().any(is_answer) {
            // The one request without an answer: the device has begun anew.
            self.service.open(device.console());
        } else if answers.iter().any(|output| matches!(output, Output::Game { .. })) {
            self.service.begin_answer();
            self.owed = answers.iter().cloned().collect();
            self.parts = None;
        } else {
            answers.iter().filter_map(effect).for_each(|e| self.service.tell(device.console(), e));
        }
    }

    /// What there is to be seen.
    fn show(&mut self, device: &Device, now_us: u64) {
        let console = device.console();
        let watch = self.service.watch();
        if watch.lights {
            self.service.lights(console.playfield(), &console.frame());
        }
        if watch.meanings {
            self.service.meanings(&console.meanings());
        }
        let uptime_s = (now_us / 1_000_000) as u32;
        self.service.health(console, uptime_s, Supply::Host, 0);
    }

    /// Writes as much as the stream takes.
    fn write(&mut self, device: &Device) {
        self.continue_answer(device);
        while self.is_open && !self.service.outgoing().is_empty() {
            match self.stream.write(self.service.outgoing()) {
                Err(error) if is_later(&error) => break,
                Ok(0) | Err(_) => self.close(),
                Ok(count) => self.service.sent(count),
            }
            self.continue_answer(device);
        }
    }

    /// Goes on with an answer in several messages, as far as there is room.
    fn continue_answer(&mut self, device: &Device) {
        while self.service.wants_part() {
            match self.owed.front() {
                Some(Output::Game { number, text }) => {
                    let parts = self.parts.get_or_insert_with(|| Parts::of(*number));
                    let mut part = [0; PART_MAX];
                    let mut window = parts.window(&mut part);
                    // A window takes everything.
                    let _ = std::fmt::Write::write_str(&mut window, text);
                    let message = parts.message(window);
                    self.service.send(device.console(), &message);
                    if matches!(message, FromBoard::Game { last: true, .. }) {
                        self.parts = None;
                        self.owed.pop_front();
                    }
                }
                Some(Output::Effect(effect)) => {
                    self.service.tell(device.console(), effect);
                    self.owed.pop_front();
                }
                None => self.service.end_answer(),
            }
        }
    }
}

/// Whether somebody has asked for it.
fn is_answer(output: &Output) -> bool {
    matches!(output, Output::Game { .. } | Output::Effect(Effect::Answer(_)))
}

fn effect(output: &Output) -> Option<&Effect> {
    match output {
        Output::Effect(effect) => Some(effect),
        Output::Game { .. } => None,
    }
}

/// Whether an error only says that it has to be tried again.
fn is_later(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
