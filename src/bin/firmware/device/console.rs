//! The console task: the one place where everything comes together.
//!
//! In come scans, key events and what the host sends; out go lights, sounds, messages and records.
//! A record is in flash before anything that follows it goes out. Nothing here waits for the host
//! or for the LEDs; flash alone makes it wait.
//!
//! Until the library's console is in, this lights occupied points, answers `Hello` and says
//! `NotNow` to everything else.

use core::sync::atomic::Ordering;

use embassy_futures::select::{Either4, select4};
use embassy_time::Instant;
use lodestone::games::Id;
use lodestone::games::any::Setup;
use lodestone::geometry::Playfield;
use lodestone::journal::{End, Record};
use lodestone::keys::Change;
use lodestone::light::{DARK, Frame};
use lodestone::link::{BoardDecoder, Failure, FromBoard, Places, Text, ToBoard};
use lodestone::wiring::limits::occupied;
use smart_leds::RGB8;

use super::field::{self, Scan};
use super::flash::Shared;
use super::hook::{self, Ask};
use super::link::{LINE, Line, Outbox};
use super::store::Store;
use super::{keys, power, stack};

/// The light of an occupied point.
const OCCUPIED: RGB8 = RGB8::new(64, 64, 64);

/// What the console needs to know of this start.
pub(super) struct Start {
    pub(super) flash: Shared,
    pub(super) serial: &'static str,
    /// Restarts by watchdog or panic since the power came.
    pub(super) resets: u16,
}

#[embassy_executor::task]
pub(super) async fn run(start: Start) {
    let mut pieces = Pieces::none(Playfield::Hex);
    let mut desk = Desk {
        decoder: BoardDecoder::new(),
        outbox: Outbox::new(start.serial),
        store: Store::open(start.flash).await,
        start,
    };
    loop {
        let keys = keys::EVENTS.receive();
        let scans = field::SCANS.receive();
        // In this order: keys and scans come at their own pace, a host can send without end.
        match select4(keys, scans, LINE.receive(), hook::ASK.wait()).await {
            Either4::First(event) => {
                let (key, change) = (event.key as u8, event.change);
                if change != Change::Stuck {
                    defmt::info!("key {} {} at {} ms", key, change, event.at_ms);
                }
            }
            Either4::Second(scan) => pieces.update(&scan),
            Either4::Third(line) => desk.listen(line),
            Either4::Fourth(Ask::Report) => desk.report(),
            Either4::Fourth(Ask::Record) => desk.record().await,
        }
    }
}

/// What the host and the journal have to do with it.
struct Desk {
    decoder: BoardDecoder,
    outbox: Outbox,
    store: Store,
    start: Start,
}

impl Desk {
    fn listen(&mut self, line: Line) {
        match line {
            Line::Opened => {
                self.decoder.reset();
                self.outbox.open();
                self.outbox.greet();
            }
            Line::Closed => {
                self.decoder.reset();
                self.outbox.close();
            }
            Line::Bytes(bytes) => {
                self.outbox.open();
                let mut chunk = bytes.as_slice();
                while let Some(request) = self.decoder.next::<ToBoard>(&mut chunk) {
                    let answer = match request {
                        Ok(ToBoard::Hello { .. }) => self.outbox.hello(),
                        Ok(_) => refusal(Failure::NotNow),
                        Err(error) => refusal(error.into()),
                    };
                    self.outbox.send(&answer);
                }
            }
        }
    }

    /// What the hook wants to know.
    fn report(&mut self) {
        defmt::info!("stack: {} bytes used", stack::high_water());
        defmt::info!("resets: {}", self.start.resets);
        defmt::info!("scans left out: {}", field::LEFT_OUT.load(Ordering::Relaxed));
        defmt::info!("flash: {}", self.start.flash.longest());
        self.outbox.send(&FromBoard::Health {
            faulty: Places::default(),
            supply: power::supply(),
            uptime_s: Instant::now().as_secs() as u32,
            resets: self.start.resets,
        });
    }

    /// Writes a record that the hook asked for.
    async fn record(&mut self) {
        let record = if self.store.has_unfinished() {
            Record::End(End::Stopped)
        } else {
            Record::Start { setup: Setup::of(Id::Dvonn), lot: 0 }
        };
        match self.store.append(&record).await {
            Ok(()) => defmt::info!("journal: written"),
            Err(error) => defmt::error!("journal: {}", defmt::Debug2Format(&error)),
        }
    }
}

fn refusal(code: Failure) -> FromBoard<'static> {
    FromBoard::Error { code, text: Text::default() }
}

/// Which points are occupied, and the light that says so.
struct Pieces {
    playfield: Playfield,
    occupied: [bool; Playfield::POINTS_MAX],
    lights: Frame,
}

impl Pieces {
    fn none(playfield: Playfield) -> Pieces {
        let occupied = [false; Playfield::POINTS_MAX];
        Pieces { playfield, occupied, lights: Frame::dark(playfield) }
    }

    /// Takes in a scan.
    fn update(&mut self, scan: &Scan) {
        let mut changed = scan.playfield != self.playfield;
        if changed {
            *self = Pieces::none(scan.playfield);
        }
        for ((point, before), code) in
            self.playfield.points().zip(&mut self.occupied).zip(scan.codes)
        {
            let now = occupied(code, *before);
            if now != *before {
                *before = now;
                self.lights.set_point(point, if now { OCCUPIED } else { DARK });
                changed = true;
            }
        }
        if changed {
            field::LIGHTS.signal(self.lights.clone());
        }
    }
}
