//! The USB line of an emulated board, shared by the program that runs the board and a guest: whoever
//! opens the pseudo-terminal that the program offers.
//!
//! The image has one line and takes all that comes on it for one host. Here requests go to the board
//! in whole frames, each with a note of who asked; it answers in their order, so every answer finds
//! its way. The board watches what either wants watched, and each hears only what it wants. Whoever
//! opens the pseudo-terminal is greeted, because `Hello` is asked for in its name. So each of the two
//! sees the line as if it were alone; frames of the guest pass as they are, for the image to judge.
//!
//! A guest that does not read is not listened to: one chunk of requests is under way at a time. When
//! too much waits for it (`WAITING_MAX`), the line begins anew with a `Hello`, as the board's own
//! does. There is no thread and no clock: the guest is served whenever the board runs.
//!
//! Without a guest's pseudo-terminal all passes as if this were not here.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::time::Duration;

use anyhow::{Result, anyhow};
use lodestone::console::Watch;
use lodestone::link::{BoardDecoder, FromBoard, HostDecoder, HostEncoder, ToBoard, VERSION};

use crate::emulator::{Emulator, Event, What};
use crate::tty::Pty;

/// Bytes that wait for the guest at most.
const WAITING_MAX: usize = 64 * 1024;
/// Bytes read at a time: what a USB packet takes.
const CHUNK: usize = 64;
/// Bytes kept of a frame without an end: more than the board takes, so that it still is too long.
const FRAME_MAX: usize = 1024;

/// An emulated board and its line.
pub struct SharedLine {
    /// The board.
    pub emulator: Emulator,
    guest: Option<Guest>,
}

impl SharedLine {
    /// The line of a board that has not run yet, with nobody else on it.
    pub fn new(emulator: Emulator) -> SharedLine {
        SharedLine { emulator, guest: None }
    }

    /// Lets others in by a pseudo-terminal, before anything is asked.
    pub fn offer(&mut self, pty: Pty) {
        self.guest = Some(Guest::new(pty));
    }

    /// Asks the board for something in the name of this program.
    pub fn ask(&mut self, request: &ToBoard) -> Result<()> {
        let frame = match &mut self.guest {
            Some(guest) => guest.note(Who::Owner, request),
            None => request.clone(),
        };
        self.emulator.send_usb(&encoded(&frame)?)
    }

    /// Lets the board run for so long; what happened, without what is the guest's alone.
    pub fn run(&mut self, time: Duration) -> Result<Vec<Event>> {
        let Some(guest) = &mut self.guest else { return self.emulator.run(time) };
        guest.write();
        let requests = guest.requests()?;
        if !requests.is_empty() {
            self.emulator.send_usb(&requests)?;
        }
        let mut events = Vec::new();
        for event in self.emulator.run(time)? {
            match &event.what {
                What::Usb(bytes) => {
                    for frame in guest.sort(bytes) {
                        events.push(Event { at: event.at, what: What::Usb(frame) });
                    }
                    continue;
                }
                What::UsbReady => guest.asked.push_front(Asked::by(Who::Both)),
                What::Reset(_) => guest.restart(),
                _ => {}
            }
            events.push(event);
        }
        guest.write();
        Ok(events)
    }
}

/// Who waits for an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    /// The program.
    Owner,
    Guest,
    /// The board greets whoever is there.
    Both,
    /// The program takes back what the guest watched.
    Nobody,
}

#[derive(Clone, Copy)]
struct Asked {
    who: Who,
    /// The answer is a `Game` for each, then an `Ack`.
    is_list: bool,
}

impl Asked {
    fn by(who: Who) -> Asked {
        Asked { who, is_list: false }
    }
}

struct Guest {
    pty: Pty,
    is_here: bool,
    /// Requests that are not answered yet.
    asked: VecDeque<Asked>,
    /// What the program and the guest want to hear unasked.
    own: Watch,
    watch: Watch,
    /// The frame of the guest and that of the board that have begun to come.
    request: Vec<u8>,
    frame: Vec<u8>,
    /// What the guest has not read yet.
    waiting: Vec<u8>,
}

impl Guest {
    fn new(pty: Pty) -> Guest {
        Guest {
            pty,
            is_here: false,
            asked: VecDeque::new(),
            own: Watch::default(),
            watch: Watch::default(),
            request: Vec::new(),
            frame: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// Notes who asks; what the board is to be asked so that both are served.
    fn note<'a>(&mut self, who: Who, request: &ToBoard<'a>) -> ToBoard<'a> {
        self.asked.push_back(Asked { who, is_list: *request == ToBoard::ListGames });
        let &ToBoard::Watch { events, lights, meanings, fields } = request else {
            return request.clone();
        };
        let watch = Watch { events, lights, meanings, fields };
        if who == Who::Guest {
            self.watch = watch;
        } else {
            self.own = watch;
        }
        ToBoard::Watch {
            events: self.own.events || self.watch.events,
            lights: self.own.lights || self.watch.lights,
            meanings: self.own.meanings || self.watch.meanings,
            fields: self.own.fields || self.watch.fields,
        }
    }

    /// What the guest asks the board for. The guest may come or go.
    fn requests(&mut self) -> Result<Vec<u8>> {
        let mut requests = Vec::new();
        while self.waiting.is_empty() && !self.asked.iter().any(|asked| asked.who == Who::Guest) {
            let mut chunk = [0; CHUNK];
            let count = match self.pty.read(&mut chunk) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => 0,
                Ok(0) | Err(_) => {
                    requests.extend(self.leave()?);
                    break;
                }
                Ok(count) => count,
            };
            if !self.is_here {
                requests.extend(self.greet()?);
            }
            if count == 0 {
                break;
            }
            for &byte in &chunk[..count] {
                requests.extend(self.take(byte)?);
            }
        }
        Ok(requests)
    }

    /// Takes in a byte of the guest; the frame that it ends.
    fn take(&mut self, byte: u8) -> Result<Vec<u8>> {
        if byte != 0 && self.request.len() >= FRAME_MAX {
            return Ok(Vec::new());
        }
        self.request.push(byte);
        if byte != 0 {
            return Ok(Vec::new());
        }
        let frame = std::mem::take(&mut self.request);
        let mut decoder = BoardDecoder::new();
        match decoder.next::<ToBoard>(&mut frame.as_slice()) {
            Some(Ok(request @ ToBoard::Watch { .. })) => encoded(&self.note(Who::Guest, &request)),
            Some(Ok(request)) => {
                self.note(Who::Guest, &request);
                Ok(frame)
            }
            Some(Err(_)) => {
                self.asked.push_back(Asked::by(Who::Guest));
                Ok(frame)
            }
            None => Ok(Vec::new()),
        }
    }

    /// Begins anew with the guest: asks who is here in its name.
    fn greet(&mut self) -> Result<Vec<u8>> {
        self.is_here = true;
        encoded(&self.note(Who::Guest, &ToBoard::Hello { version: VERSION }))
    }

    /// Nobody is there any more; nothing is watched for anybody's sake.
    fn leave(&mut self) -> Result<Vec<u8>> {
        let watched = self.forget();
        self.is_here = false;
        self.request.clear();
        if watched == Watch::default() {
            return Ok(Vec::new());
        }
        let Watch { events, lights, meanings, fields } = self.own;
        encoded(&self.note(Who::Nobody, &ToBoard::Watch { events, lights, meanings, fields }))
    }

    /// Throws away what the guest has not heard; what it watched.
    fn forget(&mut self) -> Watch {
        for asked in self.asked.iter_mut().filter(|asked| asked.who == Who::Guest) {
            asked.who = Who::Nobody;
        }
        self.waiting.clear();
        std::mem::take(&mut self.watch)
    }

    /// The board begins anew: it watches nothing and owes nothing.
    fn restart(&mut self) {
        self.asked.clear();
        self.frame.clear();
        (self.own, self.watch) = (Watch::default(), Watch::default());
    }

    /// Takes in what the board says; the frames for the program.
    fn sort(&mut self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut frames = Vec::new();
        for &byte in bytes {
            self.frame.push(byte);
            if byte != 0 {
                continue;
            }
            let frame = std::mem::take(&mut self.frame);
            let mut decoder = HostDecoder::new();
            let Some(Ok(message)) = decoder.next::<FromBoard>(&mut frame.as_slice()) else {
                continue;
            };
            let (owner, guest) = self.hearers(&message);
            if guest && self.is_here {
                self.waiting.extend(&frame);
            }
            if owner {
                frames.push(frame);
            }
        }
        frames
    }

    /// Whether a message is for the program, and for the guest.
    fn hearers(&mut self, message: &FromBoard) -> (bool, bool) {
        let is_last = match message {
            FromBoard::Hello { .. }
            | FromBoard::State { .. }
            | FromBoard::Position { .. }
            | FromBoard::Ack { .. }
            | FromBoard::Error { .. } => true,
            FromBoard::Game { last, .. } => {
                *last && !self.asked.front().is_some_and(|asked| asked.is_list)
            }
            FromBoard::Report { .. } => return (true, true),
            FromBoard::Lights { .. } => return (self.own.lights, self.watch.lights),
            FromBoard::Meanings { .. } => return (self.own.meanings, self.watch.meanings),
            FromBoard::Fields { .. } => return (self.own.fields, self.watch.fields),
            _ => return (self.own.events, self.watch.events),
        };
        let who = self.asked.front().map_or(Who::Owner, |asked| asked.who);
        if is_last {
            self.asked.pop_front();
        }
        (matches!(who, Who::Owner | Who::Both), matches!(who, Who::Guest | Who::Both))
    }

    /// Lets the guest read what it will.
    fn write(&mut self) {
        while !self.waiting.is_empty() {
            match self.pty.write(&self.waiting) {
                Ok(count) if count > 0 => drop(self.waiting.drain(..count)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                // Gone; that is seen when it is listened to next.
                Ok(_) | Err(_) => self.waiting.clear(),
            }
        }
        if self.waiting.len() > WAITING_MAX {
            self.forget();
            // Ends the frame that was cut; the greeting follows when this is read.
            self.waiting.push(0);
            self.is_here = false;
        }
    }
}

fn encoded(request: &ToBoard) -> Result<Vec<u8>> {
    let mut encoder = HostEncoder::new();
    let frame = encoder.encode(request).map_err(|_| anyhow!("the request is too long"))?;
    Ok(frame.to_vec())
}

#[cfg(all(test, unix))]
mod tests {
    use lodestone::link::{BoardEncoder, Failure, Numbered, Text};

    use super::*;
    use crate::tty::Tty;

    const WATCH_EVENTS: ToBoard<'static> =
        ToBoard::Watch { events: true, lights: false, meanings: false, fields: false };
    const NOT_WATCHING: ToBoard<'static> =
        ToBoard::Watch { events: false, lights: false, meanings: false, fields: false };
    const HELLO: FromBoard<'static> = FromBoard::Hello {
        version: VERSION,
        firmware: Text::new("").unwrap(),
        playfield: None,
        serial: Text::new("").unwrap(),
    };
    const BACK: FromBoard<'static> = FromBoard::BackInPlay;

    struct Bench {
        guest: Guest,
        host: Tty,
    }

    impl Bench {
        /// Somebody has opened the pseudo-terminal, and is greeted.
        fn new() -> Bench {
            let pty = Pty::open().expect("this system has pseudo-terminals");
            let host = Tty::open(pty.path()).expect("a port");
            let mut bench = Bench { guest: Guest::new(pty), host };
            assert_eq!(bench.requests(), ["Hello"]);
            assert_eq!(bench.say(&[HELLO]), (vec![], vec!["Hello"]));
            bench
        }

        /// What goes on to the board.
        fn requests(&mut self) -> Vec<&'static str> {
            let bytes = self.guest.requests().unwrap();
            let (mut decoder, mut rest, mut names) = (BoardDecoder::new(), &bytes[..], vec![]);
            while let Some(request) = decoder.next::<ToBoard>(&mut rest) {
                names.push(request.map_or("unreadable", |request| request.name()));
            }
            names
        }

        fn guest_asks(&mut self, request: &ToBoard) -> Vec<&'static str> {
            self.host.write_all(&encoded(request).unwrap()).unwrap();
            self.requests()
        }

        /// The board says this; who hears what.
        fn say(&mut self, messages: &[FromBoard]) -> (Vec<&'static str>, Vec<&'static str>) {
            let mut own = Vec::new();
            for message in messages {
                let mut encoder = BoardEncoder::new();
                own.extend(self.guest.sort(encoder.encode(message).unwrap()).concat());
            }
            self.guest.write();
            let mut heard = [0; 4096];
            let count = self.host.read(&mut heard).unwrap_or(0);
            (names(&own), names(&heard[..count]))
        }
    }

    fn names(mut frames: &[u8]) -> Vec<&'static str> {
        let (mut decoder, mut names) = (HostDecoder::new(), Vec::new());
        while let Some(message) = decoder.next::<FromBoard>(&mut frames) {
            names.push(message.expect("whole frames").name());
        }
        names
    }

    fn ack(request: &ToBoard) -> FromBoard<'static> {
        FromBoard::Ack { request: request.number() }
    }

    #[test]
    fn answers_find_whoever_asked() {
        let mut bench = Bench::new();
        bench.guest.note(Who::Owner, &ToBoard::GetPosition);
        assert_eq!(bench.guest_asks(&ToBoard::ListGames), ["ListGames"]);
        bench.guest.note(Who::Owner, &ToBoard::Resume);
        let game = FromBoard::Game { number: 0, offset: 0, last: true, text: Text::default() };
        let heard = bench.say(&[
            FromBoard::Position { line: Text::default() },
            game.clone(),
            game,
            ack(&ToBoard::ListGames),
            ack(&ToBoard::Resume),
        ]);
        assert_eq!(heard, (vec!["Position", "Ack"], vec!["Game", "Game", "Ack"]));
        // What cannot be read is for the board to refuse.
        bench.host.write_all(&[0, 0, 9, 9, 0]).unwrap();
        assert_eq!(bench.requests(), ["unreadable"]);
        let refused = FromBoard::Error { code: Failure::BadCobs, text: Text::default() };
        assert_eq!(bench.say(&[refused]), (vec![], vec!["Error"]));
    }

    #[test]
    fn each_hears_what_it_watches() {
        let mut bench = Bench::new();
        assert_eq!(bench.guest.note(Who::Owner, &WATCH_EVENTS), WATCH_EVENTS);
        assert_eq!(bench.say(&[ack(&WATCH_EVENTS), BACK]), (vec!["Ack", "BackInPlay"], vec![]));
        bench.guest_asks(&WATCH_EVENTS);
        assert_eq!(bench.say(&[ack(&WATCH_EVENTS), BACK]).1, ["Ack", "BackInPlay"]);
        // One of them goes on watching.
        assert_eq!(bench.guest.note(Who::Owner, &NOT_WATCHING), WATCH_EVENTS);
        assert_eq!(bench.say(&[ack(&WATCH_EVENTS), BACK]), (vec!["Ack"], vec!["BackInPlay"]));
    }

    #[test]
    fn a_guest_that_goes_leaves_nothing_and_one_that_does_not_read_begins_anew() {
        let mut bench = Bench::new();
        bench.guest_asks(&WATCH_EVENTS);
        bench.say(&[ack(&WATCH_EVENTS)]);
        bench.guest.waiting = vec![1; 4 * WAITING_MAX];
        bench.guest.write();
        assert!(bench.guest.waiting == [0]);
        let mut unread = vec![0; 8192];
        while bench.host.read(&mut unread).is_ok() {}
        bench.guest.write();
        assert_eq!(bench.requests(), ["Hello"]);
        while bench.host.read(&mut unread).is_ok() {}
        assert_eq!(bench.say(&[HELLO, BACK]), (vec![], vec!["Hello"]));
        bench.guest_asks(&WATCH_EVENTS);
        bench.say(&[ack(&WATCH_EVENTS)]);
        drop(bench.host);
        assert_eq!(bench.guest.requests().unwrap(), encoded(&NOT_WATCHING).unwrap());
    }
}
