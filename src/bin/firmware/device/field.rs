//! The playfield: scan, then lights, on a fixed raster; never both at once.
//!
//! An LED frame disturbs the sensors, so one task does both in turn. Scans are due on a raster of
//! the playfield's period; if something (a flash erase) held the processor up, missed scans are
//! left out and the next one is on the raster again.
//!
//! A scan goes to the console in the thread executor. Lights it makes of it go out in the same
//! round when they come before the last moment that leaves the next scan alone, else in the next.
//!
//! Which playfield it is, the strap says, looked at when the task starts and then every second. No
//! strap or an unknown one: nothing is scanned, the fault is logged, and the keys blink.

use core::cell::RefCell;
use core::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use embassy_sync::blocking_mutex::Mutex;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::signal::Signal;
use embassy_sync::zerocopy_channel::{Channel, Receiver, Sender};
use embassy_time::{Duration, Instant, Timer, with_deadline};
use lodestone::geometry::Playfield;
use lodestone::light::Frame;
use lodestone::wiring::timing::{SAMPLES, period_us};
use lodestone::wiring::{KEY_LED_COUNT, StrapFault, led_count};
use smart_leds::RGB8;
use static_cell::{ConstStaticCell, StaticCell};

use super::leds::{self, Chain};
use super::scan::Scanner;
use super::strap::Converter;
use super::{hook, watchdog};

/// A scan that could only start so late is left out: it has no place on the raster any more.
const LATE: Duration = Duration::from_millis(1);
/// What it takes to turn lights into data for the chain.
const TURN: Duration = Duration::from_millis(1);
/// How often the strap of a running playfield is looked at.
const STRAP_EVERY: Duration = Duration::from_secs(1);
/// How often a missing or unknown strap is looked at; the keys change with each look.
const FAULT_EVERY: Duration = Duration::from_millis(250);
/// The light of keys that report a fault.
pub(super) const FAULT: RGB8 = RGB8::new(64, 0, 0);

/// A scan, for the console.
pub(super) struct Scan {
    pub(super) playfield: Playfield,
    /// When, ms since the start: its number times the period.
    pub(super) at_ms: u32,
    /// In point order; those beyond the last point mean nothing.
    pub(super) codes: [u16; Playfield::POINTS_MAX],
}

/// The console's end of the way scans take.
pub(super) type Scans = Receiver<'static, CriticalSectionRawMutex, Scan>;

/// From here to the console. When the console is late by more scans than this, those that find no
/// room are left out: a scan that waits too long is of no use. Scans are written and read where
/// they are: a copy in this task would be on top of whatever stack the console is using.
pub(super) fn scans() -> (Sender<'static, CriticalSectionRawMutex, Scan>, Scans) {
    const NONE: Scan =
        Scan { playfield: Playfield::Hex, at_ms: 0, codes: [0; Playfield::POINTS_MAX] };
    static ROOM: ConstStaticCell<[Scan; 2]> = ConstStaticCell::new([NONE; 2]);
    static WAY: StaticCell<Channel<'static, CriticalSectionRawMutex, Scan>> = StaticCell::new();
    WAY.init(Channel::new(ROOM.take())).split()
}

/// How many were left out.
pub(super) static LEFT_OUT: AtomicU32 = AtomicU32::new(0);

/// From the console to here: what is to be shown. Written and read where it is, as scans are.
static LIGHTS: Mutex<CriticalSectionRawMutex, RefCell<Frame>> =
    Mutex::new(RefCell::new(Frame::dark(Playfield::Hex)));

/// There are new ones.
static RELIT: Signal<CriticalSectionRawMutex, ()> = Signal::new();

/// Shows this with the next frame.
pub(super) fn light(frame: &Frame) {
    LIGHTS.lock(|lights| lights.borrow_mut().clone_from(frame));
    RELIT.signal(());
}

/// The playfield that is scanned: its place in `Playfield::ALL`, or beyond.
static PLAYFIELD: AtomicU8 = AtomicU8::new(u8::MAX);

/// The playfield that is known and scanned.
pub(super) fn playfield() -> Option<Playfield> {
    Playfield::ALL.get(usize::from(PLAYFIELD.load(Ordering::Relaxed))).copied()
}

/// Serves whatever playfield is plugged in.
#[embassy_executor::task]
pub(super) async fn run(
    mut converter: Converter,
    mut scanner: Scanner,
    mut chain: Chain,
    mut scans: Sender<'static, CriticalSectionRawMutex, Scan>,
) {
    loop {
        let strap = converter.playfield();
        let place = Playfield::ALL.iter().position(|known| strap == Ok(*known));
        PLAYFIELD.store(place.map_or(u8::MAX, |place| place as u8), Ordering::Relaxed);
        match strap {
            Ok(playfield) => {
                defmt::info!("playfield: {}", playfield);
                serve(playfield, &mut converter, &mut scanner, &mut chain, &mut scans).await;
            }
            Err(fault) => {
                defmt::error!("no playfield: strap {}", fault);
                report(fault, &mut converter, &mut chain).await;
            }
        }
    }
}

/// Scans and lights until the strap says something else.
async fn serve(
    playfield: Playfield,
    converter: &mut Converter,
    scanner: &mut Scanner,
    chain: &mut Chain,
    scans: &mut Sender<'static, CriticalSectionRawMutex, Scan>,
) {
    let period = Duration::from_micros(period_us(playfield).into());
    let frame = leds::duration(led_count(playfield));
    scanner.prepare(playfield);
    darken(chain, playfield);
    RELIT.reset();
    let mut due = next_due(period, Instant::now());
    let mut look_at = due + STRAP_EVERY;
    loop {
        Timer::at(due).await;
        if Instant::now() > due + LATE {
            watchdog::scan_is_alive(); // held up, for as long as sectors are erased, but not hung
            due = next_due(period, Instant::now());
            continue;
        }
        hook::misbehave_in_scan().await;
        if let Ok(samples) = scanner.scan(playfield).await {
            if let Some(scan) = scans.try_send() {
                (scan.playfield, scan.at_ms) = (playfield, due.as_millis() as u32);
                average(samples, &mut scan.codes);
                scans.send_done();
            } else {
                LEFT_OUT.store(LEFT_OUT.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
            }
        } else {
            defmt::warn!("a scan got stuck; its samples are thrown away");
        }
        if with_deadline(due + period - frame - TURN, RELIT.wait()).await.is_ok() {
            LIGHTS.lock(|lights| chain.set(&lights.borrow()));
        }
        chain.show().await;
        watchdog::scan_is_alive();

        let now = Instant::now();
        if now >= look_at {
            look_at = now + STRAP_EVERY;
            if converter.playfield() != Ok(playfield) {
                return;
            }
        }
        due = next_due(period, now);
    }
}

/// The mean of each point's samples.
fn average(samples: &[u16], codes: &mut [u16]) {
    for (code, point) in codes.iter_mut().zip(samples.chunks_exact(SAMPLES as usize)) {
        *code = point.iter().sum::<u16>() / SAMPLES as u16;
    }
}

/// On its own, so that what it needs of the stack is not part of every round.
#[inline(never)]
fn darken(chain: &mut Chain, playfield: Playfield) {
    chain.set(&Frame::dark(playfield));
}

/// The first point in time of the raster that lies ahead. The raster begins with the clock, so that
/// a scan's time follows from its number.
fn next_due(period: Duration, now: Instant) -> Instant {
    let number = now.as_micros() / period.as_micros() + 1;
    Instant::from_micros(number * period.as_micros())
}

/// Shows the fault on the keys until the strap says something else: none plugged in, all blink;
/// unknown, odd and even keys take turns. Dark LEDs for the longest chain, current for the least.
async fn report(fault: StrapFault, converter: &mut Converter, chain: &mut Chain) {
    let mut turn = 0;
    while converter.playfield() == Err(fault) {
        blink(chain, fault, turn);
        chain.show().await;
        watchdog::scan_is_alive();
        Timer::after(FAULT_EVERY).await;
        turn = 1 - turn;
    }
}

#[inline(never)]
fn blink(chain: &mut Chain, fault: StrapFault, turn: usize) {
    let mut frame = Frame::dark(Playfield::Square);
    for key in 0..KEY_LED_COUNT {
        let shines = match fault {
            StrapFault::Missing => turn,
            StrapFault::Unknown => (turn + key) % 2,
        };
        if shines == 0 {
            frame.set_key(key, FAULT);
        }
    }
    chain.set(&frame);
}
