//! The machine under test, with everything it has said.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use board_sim::device::Flash;
use board_sim::emulator::{Emulator, Event, LedFrame, LogLine, Options, ResetReason, What};
use lodestone::geometry::{Playfield, Point};
use lodestone::link::{FrameError, FromBoard, HostDecoder, HostEncoder, ToBoard};
use lodestone::sense::Calibration;
use lodestone::wiring::flash::SETTINGS;
use lodestone::wiring::limits::ZERO_NOMINAL;
use lodestone::wiring::{test_hook, timing};

/// Where the image is, unless the image's own variable says otherwise.
const DEFAULT_ELF: &str = "target/image/lodestone.elf";
const ELF_VARIABLE: &str = "LODESTONE_ELF";

/// From plugging everything in to the first frame at the latest: USB, the LEDs' supply, one scan.
const START_MS: u64 = 100;

/// The scratch register of the test hook.
pub(crate) const HOOK_SCRATCH: u8 = 0;

/// What a hook asks for is done in this time, unless it goes on by itself.
const DONE_MS: u64 = 20;

/// How far a basic piece moves the code, in either direction.
pub(crate) const PIECE: u16 = 277;

pub(crate) struct Machine {
    pub(crate) emulator: Emulator,
    pub(crate) events: Vec<Event>,
}

impl Machine {
    /// Powered, nothing plugged in, not a step done.
    pub(crate) fn new(options: &Options) -> Machine {
        let elf = elf();
        assert!(
            elf.exists(),
            "there is no image at {}: run `cargo xtask image` first, or set {ELF_VARIABLE}",
            elf.display()
        );
        let emulator = Emulator::start(&elf, options).expect("the emulator starts");
        Machine { emulator, events: Vec::new() }
    }

    /// Running with this playfield and a USB host, the first (dark) frame shown.
    pub(crate) fn started(playfield: Playfield) -> Machine {
        let mut machine = Machine::new(&Options::default());
        machine.emulator.plug(Some(playfield)).unwrap();
        machine.emulator.set_usb_host(true).unwrap();
        machine.run_ms(START_MS);
        assert_eq!(machine.frames().len(), 1, "one frame, since nothing changes");
        machine
    }

    /// Sends a request.
    pub(crate) fn send(&mut self, request: &ToBoard<'_>) {
        self.emulator.send_usb(HostEncoder::new().encode(request).unwrap()).unwrap();
    }

    /// How many requests the board says it has carried out.
    pub(crate) fn acks(&self) -> usize {
        let mut acks = 0;
        Reader::new().read(&self.events, |message| {
            acks += usize::from(matches!(message, Ok(FromBoard::Ack { .. })));
        });
        acks
    }

    /// Runs for so long; returns what happened in that time.
    pub(crate) fn run(&mut self, time: Duration) -> &[Event] {
        let before = self.events.len();
        let events = self.emulator.run(time).unwrap_or_else(|error| {
            panic!("{error:#}\nlog:\n{}", self.log().collect::<Vec<_>>().join("\n"))
        });
        self.events.extend(events);
        for Event { at, what } in &self.events[before..] {
            if let What::Violation(text) = what {
                panic!("{at:?}: {text}");
            }
        }
        &self.events[before..]
    }

    pub(crate) fn run_ms(&mut self, ms: u64) -> &[Event] {
        self.run(Duration::from_millis(ms))
    }

    /// Long enough for any change of a sensor to be scanned and shown.
    pub(crate) fn run_rounds(&mut self, playfield: Playfield, rounds: u32) -> &[Event] {
        self.run(Duration::from_micros((timing::period_us(playfield) * rounds).into()))
    }

    /// Asks something of the image (`wiring::test_hook`) and waits until it is done.
    pub(crate) fn ask(&mut self, hook: u32) -> &[Event] {
        self.emulator.set_scratch(HOOK_SCRATCH, hook).unwrap();
        self.run_ms(test_hook::LOOK_MS + DONE_MS)
    }

    /// Puts a magnet over a point, north or south up, or takes it away.
    pub(crate) fn set_piece(&mut self, playfield: Playfield, point: Point, piece: Piece) {
        let code = match piece {
            Piece::None => ZERO_NOMINAL,
            Piece::North => ZERO_NOMINAL + PIECE,
            Piece::South => ZERO_NOMINAL - PIECE,
        };
        self.emulator.set_codes(playfield, &[(point, code)]).unwrap();
    }

    /// The log so far, as `level: text`.
    pub(crate) fn log(&self) -> impl Iterator<Item = String> {
        self.events.iter().filter_map(|event| match &event.what {
            What::Log(LogLine { level, text, .. }) => Some(format!("{level}: {text}")),
            _ => None,
        })
    }

    pub(crate) fn has_logged(&self, line: &str) -> bool {
        self.log().any(|logged| logged == line)
    }

    /// The frames so far, with the time each was shown.
    pub(crate) fn frames(&self) -> Vec<(Duration, &LedFrame)> {
        let mut frames = Vec::new();
        for Event { at, what } in &self.events {
            if let What::Frame(frame) = what {
                frames.push((*at, frame));
            }
        }
        frames
    }

    /// Whether ever these LEDs shone and no other.
    pub(crate) fn has_lit(&self, leds: &[usize]) -> bool {
        self.frames().iter().any(|(_, frame)| frame.lit() == leds)
    }

    pub(crate) fn last_frame(&self) -> &LedFrame {
        self.frames().last().expect("a frame").1
    }

    /// The resets so far, with their times.
    pub(crate) fn resets(&self) -> Vec<(Duration, ResetReason)> {
        let reset = |event: &Event| match event.what {
            What::Reset(reason) => Some((event.at, reason)),
            _ => None,
        };
        self.events.iter().filter_map(reset).collect()
    }
}

/// Does something with each, on as many threads as there are processors; what comes of it, in order.
pub(crate) fn on_all_cores<T: Send, R: Send>(
    items: impl IntoIterator<Item = T, IntoIter: Send>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let (items, done) = (Mutex::new(items.into_iter().enumerate()), Mutex::new(Vec::new()));
    let next = || items.lock().unwrap().next();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((at, item)) = next() {
                    let result = work(item);
                    done.lock().unwrap().push((at, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Whether the longest runs are wanted.
pub(crate) fn is_long() -> bool {
    std::env::var("LODESTONE_EFFORT").as_deref() == Ok("long")
}

/// The flash of a board whose sensors were found to be nominal.
pub(crate) fn settings(playfield: Playfield) -> Vec<(u32, Vec<u8>)> {
    let flash = Flash::erased();
    flash.set_calibration(&Calibration::exact(playfield));
    vec![(SETTINGS.start, flash.region(SETTINGS))]
}

/// Reads what the board has sent.
pub(crate) struct Reader(HostDecoder);

impl Reader {
    pub(crate) fn new() -> Reader {
        Reader(HostDecoder::new())
    }

    pub(crate) fn read(
        &mut self,
        events: &[Event],
        mut visit: impl FnMut(Result<FromBoard<'_>, FrameError>),
    ) {
        for event in events {
            if let What::Usb(bytes) = &event.what {
                let mut chunk = bytes.as_slice();
                while let Some(message) = self.0.next(&mut chunk) {
                    visit(message);
                }
            }
        }
    }

    /// As text, so that it can be kept.
    pub(crate) fn texts(&mut self, events: &[Event]) -> Vec<String> {
        let mut texts = Vec::new();
        self.read(events, |message| texts.push(format!("{message:?}")));
        texts
    }
}

/// What stands on a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Piece {
    None,
    North,
    South,
}

/// Where the image is.
pub(crate) fn elf() -> PathBuf {
    match std::env::var_os(ELF_VARIABLE) {
        Some(path) => path.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join(DEFAULT_ELF),
    }
}
