//! The real image in the emulator as a board behind the pipe.
//!
//! Scans become what the sensors give from then on, keys are pins, requests are frames over USB;
//! lights are read off the LED wire, everything else comes as messages of the link, which the board
//! behind the pipe always watches. Sentences for people are made from a console's mind, which is
//! closed here: texts are empty.
//!
//! The chip needs its own time: what comes of a line is said with a later one; with a still later one
//! if the board has to be asked first by which names the game calls its points. A request is waited
//! for, up to [`PATIENCE`], so that its answer comes with its line; the chip's clock may then be
//! ahead of the pipe's by that much.

use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail};
use lodestone::games::any::Setup;
use lodestone::games::{Game, Id};
use lodestone::geometry::{Playfield, Point};
use lodestone::link::{FromBoard, HostDecoder, ToBoard};
use lodestone::wiring::{KEY_LED_COUNT, Region, flash, led};

use super::board::KEYS;
use super::output::Naming;
use super::{Board, Input, Named, Output, names};
use crate::device::{Build, Flash};
use crate::emulator::{Emulator, LedFrame, Options, ResetReason, What};
use crate::shared::SharedLine;
use crate::tty::Pty;

/// How long an answer may take; after a loss of power USB has to come up first.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often one looks for it.
const LOOK: Duration = Duration::from_millis(1);
/// How late everything else may be: some scans, if the console has to think.
const LAG_MS: u32 = 100;

/// What outlives a loss of power.
const STORED: [Region; 2] = [flash::JOURNAL, flash::SETTINGS];

/// Who waits for the next answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    /// Nobody at the other end of the pipe.
    Ourselves,
    /// Somebody who wants all games.
    List,
    Somebody,
}

/// What came out, in order.
enum Item {
    Lights(LedFrame),
    /// The LEDs have lost their power.
    Dark,
    /// A message of the link, as its frame: it is read again when the game is known.
    Message(Vec<u8>),
}

/// An emulated board, and what it showed last.
pub struct EmulatedBoard {
    line: SharedLine,
    playfield: Playfield,
    /// What a file keeps of the flash, and after how many operations of it.
    file: Option<Flash>,
    filed: u32,
    says_meanings: bool,
    /// What the sensors shall give as soon as the chip's clock is not ahead any more: amid a scan
    /// some points would change before others.
    codes: Option<Vec<(Point, u16)>>,
    /// The frame that has begun to come.
    frame: Vec<u8>,
    items: Vec<Item>,
    /// The game whose names points have; perhaps not any more.
    game: Option<Id>,
    is_stale: bool,
    /// Requests that are not answered yet.
    asked: VecDeque<Asked>,
    /// Why the chip was reset so far.
    resets: Vec<ResetReason>,
    /// What came of a stored game so far.
    record: String,
    lights: Named<String>,
    lamps: Vec<&'static str>,
}

impl EmulatedBoard {
    /// Powers the image up on the flash of this build, with a USB host that watches.
    pub fn start(elf: &Path, build: &Build, says_meanings: bool) -> Result<EmulatedBoard> {
        build.flash.set_calibration(&build.calibration);
        let options = Options {
            seed: build.seed as u32,
            flash: STORED.map(|region| (region.start, build.flash.region(region))).to_vec(),
            ..Options::default()
        };
        let mut emulator = Emulator::start(elf, &options)?;
        emulator.plug(Some(build.playfield))?;
        emulator.set_usb_host(true)?;
        Ok(EmulatedBoard {
            line: SharedLine::new(emulator),
            playfield: build.playfield,
            file: Some(build.flash.clone()).filter(Flash::is_in_file),
            filed: 0,
            says_meanings,
            codes: None,
            frame: Vec::new(),
            items: Vec::new(),
            game: None,
            is_stale: true,
            asked: VecDeque::new(),
            resets: Vec::new(),
            record: String::new(),
            lights: Named(Vec::new()),
            lamps: Vec::new(),
        })
    }

    /// Lets hosts talk to it through a pseudo-terminal as well, from its first instruction on. They
    /// are served whenever something comes through the pipe.
    pub fn offer(&mut self, pty: Pty) {
        self.line.offer(pty);
    }

    /// The machine itself.
    pub fn emulator(&mut self) -> &mut Emulator {
        &mut self.line.emulator
    }

    /// Why the chip was reset so far.
    pub fn resets(&self) -> &[ResetReason] {
        &self.resets
    }

    fn take(&mut self, now_us: u64, input: Input) -> Result<Vec<Output>> {
        self.run(Duration::from_micros(now_us).saturating_sub(self.line.emulator.now()))?;
        self.is_stale |= !matches!(input, Input::Scan(_) | Input::Tick);
        let is_request = matches!(input, Input::Host(_));
        match input {
            Input::Scan(codes) => {
                let codes = self.playfield.points().zip(codes.iter().copied());
                self.codes = Some(codes.collect());
            }
            Input::Key(key, down) => self.line.emulator.set_key(key.into(), down)?,
            Input::Host(request) => {
                let asked = match request {
                    ToBoard::ListGames => Asked::List,
                    _ => Asked::Somebody,
                };
                self.ask(&self.watching(request), asked)?;
                self.wait()?;
            }
            Input::Tick => {}
            Input::PowerCut => self.line.emulator.cut_power()?,
        }
        // It may be some instructions ahead.
        if self.line.emulator.now().as_micros() <= now_us.into()
            && let Some(codes) = self.codes.take()
        {
            self.line.emulator.set_codes(self.playfield, &codes)?;
        }
        if self.is_stale && self.items.iter().any(has_points) {
            self.ask(&ToBoard::GetState, Asked::Ourselves)?;
            self.is_stale = false;
        }
        if is_request {
            self.wait()?;
        }
        self.keep()?;
        if self.asked.contains(&Asked::Ourselves) {
            return Ok(Vec::new());
        }
        let items = std::mem::take(&mut self.items);
        let mut outputs = Vec::new();
        for item in items {
            self.say(item, &mut outputs);
        }
        Ok(outputs)
    }

    /// Runs for so long and sorts what comes out.
    fn run(&mut self, time: Duration) -> Result<()> {
        for event in self.line.run(time)? {
            match event.what {
                What::Frame(frame) if frame.powered => self.items.push(Item::Lights(frame)),
                What::LedPower(false) => self.items.push(Item::Dark),
                What::Usb(bytes) => bytes.into_iter().for_each(|byte| self.hear(byte)),
                What::UsbReady => {
                    let watch = ToBoard::Watch {
                        events: true,
                        lights: false,
                        meanings: self.says_meanings,
                        fields: false,
                    };
                    // The board greets whoever opens the port.
                    self.asked.push_front(Asked::Ourselves);
                    self.ask(&watch, Asked::Ourselves)?;
                }
                What::Reset(reason) => {
                    self.resets.push(reason);
                    self.frame.clear();
                    self.asked.clear();
                    self.is_stale = true;
                }
                What::Violation(text) => bail!("the electronics are mistreated: {text}"),
                _ => {}
            }
        }
        Ok(())
    }

    /// Writes to the file what the image has written to its flash, before anything is said of it.
    fn keep(&mut self) -> Result<()> {
        let emulator = &mut self.line.emulator;
        if let Some(file) = &self.file
            && self.filed != emulator.flash_operations()
        {
            self.filed = emulator.flash_operations();
            for region in STORED {
                file.set_region(region, &emulator.read_flash(region)?)?;
            }
        }
        Ok(())
    }

    fn hear(&mut self, byte: u8) {
        self.frame.push(byte);
        if byte != 0 {
            return;
        }
        let frame = std::mem::take(&mut self.frame);
        let mut decoder = HostDecoder::new();
        let Some(Ok(message)) = decoder.next::<FromBoard>(&mut frame.as_slice()) else { return };
        let waiting = self.asked.front().copied();
        let is_answer = match message {
            FromBoard::Hello { .. }
            | FromBoard::State { .. }
            | FromBoard::Position { .. }
            | FromBoard::Ack { .. }
            | FromBoard::Error { .. } => true,
            FromBoard::Game { last, .. } => last && waiting != Some(Asked::List),
            _ => false,
        };
        if let FromBoard::State { game, .. } = message {
            self.game = game;
        }
        if is_answer {
            self.asked.pop_front();
        }
        let is_for_nobody = is_answer && waiting == Some(Asked::Ourselves)
            || matches!(message, FromBoard::Health { .. });
        if !is_for_nobody {
            self.items.push(Item::Message(frame));
        }
    }

    fn ask(&mut self, request: &ToBoard, asked: Asked) -> Result<()> {
        self.asked.push_back(asked);
        self.line.ask(request)
    }

    /// Gives the board some time to answer.
    fn wait(&mut self) -> Result<()> {
        let end = self.line.emulator.now() + PATIENCE;
        while !self.asked.is_empty() && self.line.emulator.now() < end {
            self.run(LOOK)?;
        }
        Ok(())
    }

    /// Whatever somebody wants to watch, this board watches events.
    fn watching<'a>(&self, request: ToBoard<'a>) -> ToBoard<'a> {
        match request {
            ToBoard::Watch { lights, meanings, fields, .. } => ToBoard::Watch {
                events: true,
                lights,
                meanings: meanings || self.says_meanings,
                fields,
            },
            other => other,
        }
    }

    fn say(&mut self, item: Item, outputs: &mut Vec<Output>) {
        let frame = match item {
            Item::Lights(frame) => return self.shine(|led| frame.rgb[led], outputs),
            Item::Dark => return self.shine(|_| [0; 3], outputs),
            Item::Message(frame) => frame,
        };
        let mut decoder = HostDecoder::new();
        match decoder.next::<FromBoard>(&mut frame.as_slice()) {
            Some(Ok(FromBoard::Meanings { points })) => {
                let board = names(self.playfield);
                let said = points.iter().filter_map(|(point, meaning)| {
                    let point = Point::new(self.playfield, point.index())?;
                    Some((board.name(board.cell(point)?).to_string(), meaning.name()))
                });
                outputs.push(Output::Meanings(Named(said.collect())));
            }
            Some(Ok(FromBoard::Game { number, last, text, .. })) => {
                self.record.push_str(text.as_str());
                if last {
                    outputs.push(Output::game(number, &std::mem::take(&mut self.record)));
                }
            }
            Some(Ok(message)) => {
                let playfield = names(self.playfield);
                let game = self.game.map_or(playfield, |id| Setup::of(id).position().board());
                outputs.push(Output::of(message, Naming { playfield, game }, String::new()));
            }
            _ => {}
        }
    }

    /// Says what shines, given the colour of each LED of the chain.
    fn shine(&mut self, rgb: impl Fn(usize) -> [u8; 3], outputs: &mut Vec<Output>) {
        let board = names(self.playfield);
        let points = self.playfield.points().filter_map(|point| {
            Some((board.name(board.cell(point)?).to_string(), led(self.playfield, point)))
        });
        let keys = KEYS.into_iter().enumerate().map(|(led, key)| (key.to_owned(), led));
        let lit = keys.chain(points).filter(|(_, led)| rgb(*led) != [0; 3]);
        let lights = Named(
            lit.map(|(name, led)| {
                let [r, g, b] = rgb(led);
                (name, format!("{r:02x}{g:02x}{b:02x}"))
            })
            .collect(),
        );
        if lights != self.lights {
            outputs.push(Output::Lights(lights.clone()));
            self.lights = lights;
        }
        let lamps: Vec<_> =
            (0..KEY_LED_COUNT).filter(|led| rgb(*led) != [0; 3]).map(|key| KEYS[key]).collect();
        if lamps != self.lamps {
            outputs.push(Output::Lamps(lamps.clone()));
            self.lamps = lamps;
        }
    }
}

impl Board for EmulatedBoard {
    fn playfield(&self) -> Playfield {
        self.playfield
    }

    /// A fault of the image ends the program: nothing after it can be believed.
    fn handle(&mut self, now_us: u64, input: Input) -> Vec<Output> {
        self.take(now_us, input).unwrap_or_else(|error| panic!("{error:#}"))
    }

    fn lag_ms(&self) -> u32 {
        LAG_MS
    }
}

/// Whether the message names points of the game.
fn has_points(item: &Item) -> bool {
    let Item::Message(frame) = item else { return false };
    let mut decoder = HostDecoder::new();
    matches!(
        decoder.next::<FromBoard>(&mut frame.as_slice()),
        Some(Ok(FromBoard::Refused { .. } | FromBoard::Prompt { .. } | FromBoard::Question { .. }))
    )
}
