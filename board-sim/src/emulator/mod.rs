//! The real image on an emulated RP2040, with the board's electronics around it.
//!
//! For tests and tools that want to know what the very ELF one would flash does: it boots, scans
//! sensors whose codes are set here, drives LEDs, and talks USB. [`Emulator`] starts a Node program
//! (folder `board-sim/emulator`, over the package rp2040js) and drives it through a pipe. Time is
//! simulated, nothing is random but by seed: the same calls give the same events at the same times.
//!
//! What it cannot prove, and what was put right in rp2040js, is in `docs/emulator.md`.
//!
//! # Terms
//! - *code*: what the ADC reads, 0..=4095. *frame*: what the LED chain was told between two resets.
//! - *visit*: the time between two changes of the select lines. *violation*: the image treats the
//!   electronics in a way they do not bear (two banks with power, a sample too early or during an
//!   LED frame, LED data out of time). Violations are events; nothing stops.
//! - *fault*: what would be a `HardFault`, or something the emulator knows it does wrong. It stops
//!   the machine and is the error of the call that runs it.
//!
//! # Protocol
//! One JSON object per line each way, strictly request and answer. A request is `{"name": {...}}`
//! with the names and fields of `protocol::Request`; an answer is `{"ok": {...}}` or
//! `{"error": "text"}`. Bytes are hex strings, times integers in ns since power-on. Events
//! (`protocol::Event`) come in the answer of `run`, in their order. At the end of its input the
//! program ends.

mod log;
mod node;
mod protocol;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use lodestone::geometry::{Playfield, Point};
use lodestone::link;
use lodestone::wiring::{self, Region, limits};

pub use log::LogLine;
pub use protocol::{ResetReason, Tone, Visit};

use log::LogDecoder;
use node::Pipe;
use protocol::{Config, Done, Flash, Ran, RawEvent, RawStatistics, Request};

/// Strap codes of the dividers' nominal resistors, and of an open plug.
const STRAP_HEX: u16 = 739;
const STRAP_SQUARE: u16 = 1310;
const STRAP_OPEN: u16 = 4095;

/// How a machine is started.
#[derive(Clone, Debug)]
pub struct Options {
    /// Decides noise and the chip's random bits.
    pub seed: u32,
    /// Off: every step of a PIO machine by itself. Slower, same events.
    pub fast_paths: bool,
    /// Noise of a sensor, codes rms per sample.
    pub noise: f64,
    /// Time constant of the line from the sensors to the ADC.
    pub settling: Duration,
    /// Flash contents beside the image's own: address and bytes.
    pub flash: Vec<(u32, Vec<u8>)>,
    /// The flash's own number, which becomes the board's serial number.
    pub flash_id: u64,
    /// Pins whose changes become events.
    pub watch: Vec<u8>,
    /// Corrections of the package to leave out, by name: only to see what goes wrong then.
    pub leave_out: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            seed: 1,
            fast_paths: true,
            noise: 0.0,
            settling: Duration::from_micros(1),
            flash: Vec::new(),
            flash_id: 0xe661_3893_5f2c_8a21,
            watch: Vec::new(),
            leave_out: Vec::new(),
        }
    }
}

/// A key of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    /// K1..K6, counted from 0.
    Number(usize),
    /// OK.
    Ok,
    /// UNDO.
    Undo,
}

impl From<link::Key> for Key {
    fn from(key: link::Key) -> Key {
        match key {
            link::Key::Ok => Key::Ok,
            link::Key::Undo => Key::Undo,
            number => Key::Number(number as usize),
        }
    }
}

impl Key {
    const fn pin(self) -> u8 {
        match self {
            Key::Number(index) => wiring::KEYS[index],
            Key::Ok => wiring::KEY_OK,
            Key::Undo => wiring::KEY_UNDO,
        }
    }
}

/// Something that happened, and when (since power-on).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// When.
    pub at: Duration,
    /// What.
    pub what: What,
}

/// What can happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// The LEDs show new data.
    Frame(LedFrame),
    /// The LEDs' supply was switched.
    LedPower(bool),
    /// The buzzer played a tone; told when it is over, the event's time is its start.
    Tone(Tone),
    /// A visit ended (only when traced); the event's time is its start.
    Visit(Visit),
    /// The electronics are mistreated. At most 20 of a kind are told.
    Violation(String),
    /// Bytes from the board over USB.
    Usb(Vec<u8>),
    /// The host has set the board up and opened its serial port.
    UsbReady,
    /// A line of the image's log, read at most 1 ms late.
    Log(LogLine),
    /// The chip was reset and starts again (except [`ResetReason::UsbBoot`], where it stays).
    Reset(ResetReason),
    /// A watched pin changed.
    Pin {
        /// GPIO number.
        pin: u8,
        /// Its new level.
        high: bool,
    },
}

/// What the LED chain was told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LedFrame {
    /// When its first bit began.
    pub start: Duration,
    /// Red, green and blue, in the order of the chain.
    pub rgb: Vec<[u8; 3]>,
    /// Whether the LEDs had power: without, nothing shines.
    pub powered: bool,
}

impl LedFrame {
    /// Which LEDs shine, by their place in the chain.
    pub fn lit(&self) -> Vec<usize> {
        let shines = |led: &usize| self.powered && self.rgb[*led] != [0, 0, 0];
        (0..self.rgb.len()).filter(shines).collect()
    }

    /// Sum of all channel bytes, which is what the current depends on.
    pub fn sum(&self) -> u32 {
        self.rgb.iter().flatten().map(|byte| u32::from(*byte)).sum()
    }
}

/// How the scan went since the last look: shortest times and worst values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Statistics {
    /// Conversions of the sensor line.
    pub conversions: u64,
    /// Visits, with and without conversions.
    pub visits: u64,
    /// Shortest time with all banks off between two banks.
    pub gap: Option<Duration>,
    /// Shortest time from a bank's power to a conversion.
    pub power: Option<Duration>,
    /// Shortest time from a change of lines to a conversion.
    pub channel: Option<Duration>,
    /// Shortest time from conversion to conversion.
    pub spacing: Option<Duration>,
    /// Fewest and most conversions of a visit that had any.
    pub samples: Option<(u32, u32)>,
    /// Largest difference between what was read (without noise) and the sensor's code.
    pub worst_error: u64,
}

/// A running machine. Dropping it ends the Node program.
pub struct Emulator {
    pipe: Pipe,
    log: LogDecoder,
    usb_present: bool,
    usb_reading: bool,
    now: Duration,
    cycles: u64,
    flash_operations: u32,
    cpu_time: Duration,
}

impl Emulator {
    /// Powers a board with this image up to the first instruction. Nothing is plugged in: no
    /// playfield, no USB host.
    pub fn start(elf: &Path, options: &Options) -> Result<Emulator> {
        let path = elf.canonicalize().with_context(|| format!("no image at {}", elf.display()))?;
        let log = LogDecoder::new(&std::fs::read(&path)?)?;
        let mut pipe = Pipe::start()?;
        let _: Done =
            pipe.ask(&Request::Load { elf: path, config: Config::new(options).into() })?;
        let mut emulator = Emulator {
            pipe,
            log,
            usb_present: false,
            usb_reading: true,
            now: Duration::ZERO,
            cycles: 0,
            flash_operations: 0,
            cpu_time: Duration::ZERO,
        };
        emulator.plug(None)?;
        Ok(emulator)
    }

    /// Runs for so long and returns what happened. A fault of the image is an error.
    pub fn run(&mut self, time: Duration) -> Result<Vec<Event>> {
        let ran: Ran = self.pipe.ask(&Request::Run { ns: time.as_nanos() as u64 })?;
        self.now = ran.now;
        self.cycles = ran.cycles;
        self.flash_operations = ran.flash_operations;
        self.cpu_time = Duration::from_micros(ran.cpu_us);
        let mut events = Vec::new();
        for event in ran.events {
            self.take(&event, &mut events)?;
        }
        Ok(events)
    }

    /// Plugs a playfield in, all points empty (nominal zero), or takes it off.
    pub fn plug(&mut self, playfield: Option<Playfield>) -> Result<()> {
        let _: Done = self.pipe.ask(&Request::Unplug {})?;
        let Some(playfield) = playfield else {
            return self.set_strap(STRAP_OPEN);
        };
        let codes: Vec<_> = playfield.points().map(|point| (point, limits::ZERO_NOMINAL)).collect();
        self.set_codes(playfield, &codes)?;
        self.set_strap(match playfield {
            Playfield::Hex => STRAP_HEX,
            Playfield::Square => STRAP_SQUARE,
        })
    }

    /// Sets what the strap's input reads.
    pub fn set_strap(&mut self, code: u16) -> Result<()> {
        self.tell(&Request::Strap { code })
    }

    /// Sets what the sensors under these points give.
    pub fn set_codes(&mut self, playfield: Playfield, codes: &[(Point, u16)]) -> Result<()> {
        let by_slot = |&(point, code): &(Point, u16)| {
            let slot = wiring::slot(playfield, point);
            (slot.address, slot.channel, code)
        };
        self.tell(&Request::Sensors { codes: codes.iter().map(by_slot).collect() })
    }

    /// Presses or releases a key.
    pub fn set_key(&mut self, key: Key, pressed: bool) -> Result<()> {
        self.tell(&Request::Key { pin: key.pin(), pressed })
    }

    /// Plugs the USB cable into a host or out of it. Out of it, power comes from elsewhere.
    pub fn set_usb_host(&mut self, present: bool) -> Result<()> {
        self.usb_present = present;
        self.tell_usb()
    }

    /// Whether the host's program reads what the board sends.
    pub fn set_usb_reading(&mut self, reading: bool) -> Result<()> {
        self.usb_reading = reading;
        self.tell_usb()
    }

    /// Sends bytes to the board as soon as its port is open.
    pub fn send_usb(&mut self, bytes: &[u8]) -> Result<()> {
        self.tell(&Request::UsbSend { bytes: protocol::to_hex(bytes) })
    }

    /// Writes a scratch register of the watchdog, which survives resets; see `wiring::test_hook`.
    pub fn set_scratch(&mut self, index: u8, value: u32) -> Result<()> {
        self.tell(&Request::Scratch { index, value })
    }

    /// Whether visits become events.
    pub fn set_trace(&mut self, on: bool) -> Result<()> {
        self.tell(&Request::Trace { on })
    }

    /// How the scan went since the last call.
    pub fn statistics(&mut self) -> Result<Statistics> {
        let raw: RawStatistics = self.pipe.ask(&Request::Statistics {})?;
        Ok(raw.into())
    }

    /// Reads the flash, without the image's help.
    pub fn read_flash(&mut self, region: Region) -> Result<Vec<u8>> {
        let flash: Flash =
            self.pipe.ask(&Request::Flash { address: region.start, size: region.size })?;
        protocol::from_hex(&flash.bytes)
    }

    /// Lets a sector of the flash die: neither erasing nor programming changes it any more.
    pub fn kill_sector(&mut self, address: u32) -> Result<()> {
        self.tell(&Request::DeadSector { address })
    }

    /// Lets the power fail in the middle of the `operation`-th erase or program of flash from now
    /// on, counted from 1; 0 takes that back.
    pub fn cut_power_at(&mut self, operation: u32) -> Result<()> {
        self.tell(&Request::CutPower { operation })
    }

    /// Lets the power fail and come back here and now. What the flash holds survives.
    pub fn cut_power(&mut self) -> Result<()> {
        self.tell(&Request::CutPowerNow {})
    }

    /// Sectors erased and pages programmed since power-on.
    pub fn flash_operations(&self) -> u32 {
        self.flash_operations
    }

    /// Time since power-on.
    pub fn now(&self) -> Duration {
        self.now
    }

    /// Cycles in which the processor worked, since power-on.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Processor time that the Node program has used.
    pub fn cpu_time(&self) -> Duration {
        self.cpu_time
    }

    fn tell_usb(&mut self) -> Result<()> {
        self.tell(&Request::Usb { present: self.usb_present, reading: self.usb_reading })
    }

    fn tell(&mut self, request: &Request) -> Result<()> {
        let _: Done = self.pipe.ask(request)?;
        Ok(())
    }

    /// Adds one event of the pipe to `events`; log bytes may become several, or none yet.
    fn take(&mut self, event: &protocol::Event, events: &mut Vec<Event>) -> Result<()> {
        let at = event.at;
        let what = match &event.what {
            RawEvent::Frame { start, bytes, powered } => What::Frame(LedFrame {
                start: *start,
                rgb: protocol::colours(&protocol::from_hex(bytes)?),
                powered: *powered,
            }),
            RawEvent::LedPower { on } => What::LedPower(*on),
            RawEvent::Tone(tone) => What::Tone(*tone),
            RawEvent::Visit(visit) => What::Visit(*visit),
            RawEvent::Violation { text } => What::Violation(text.clone()),
            RawEvent::Usb { bytes } => What::Usb(protocol::from_hex(bytes)?),
            RawEvent::UsbReady {} => What::UsbReady,
            RawEvent::Pin { pin, high } => What::Pin { pin: *pin, high: *high },
            RawEvent::Reset { reason } => {
                self.log.restart();
                What::Reset(*reason)
            }
            RawEvent::Fault { text } => bail!("the image faulted at {at:?}: {text}"),
            RawEvent::Log { bytes } => {
                let lines = self.log.decode(&protocol::from_hex(bytes)?)?;
                events.extend(lines.into_iter().map(|line| Event { at, what: What::Log(line) }));
                return Ok(());
            }
        };
        events.push(Event { at, what });
        Ok(())
    }
}
