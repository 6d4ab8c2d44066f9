//! The playfield: scan, then lights, on a fixed raster; never both at once.
//!
//! An LED frame disturbs the sensors, so one task does both in turn. Scans are due on a raster of
//! the playfield's period; if something (a flash erase) held the processor up, missed scans are
//! left out and the next one is on the raster again.
//!
//! Which playfield it is, the strap says, looked at when the task starts and then every second. No
//! strap or an unknown one: nothing is scanned, the fault is logged, and the keys blink.

use core::sync::atomic::{AtomicBool, Ordering};

use embassy_time::{Duration, Instant, Timer};
use lodestone::geometry::Playfield;
use lodestone::light::{DARK, Frame};
use lodestone::wiring::limits::occupied;
use lodestone::wiring::timing::{SAMPLES, period_us};
use lodestone::wiring::{KEY_LED_COUNT, StrapFault};
use smart_leds::RGB8;

use super::leds::Chain;
use super::scan::Scanner;
use super::strap::Converter;
use super::watchdog::{self, Hook};

/// How often the strap of a running playfield is looked at.
const STRAP_EVERY: Duration = Duration::from_secs(1);
/// How often a missing or unknown strap is looked at; the keys change with each look.
const FAULT_EVERY: Duration = Duration::from_millis(250);
/// The light of an occupied point.
const OCCUPIED: RGB8 = RGB8::new(64, 64, 64);
/// The light of keys that report a fault.
const FAULT: RGB8 = RGB8::new(64, 0, 0);

/// Whether the playfield is known and scanned, for the heartbeat.
pub(super) static KNOWN: AtomicBool = AtomicBool::new(false);

/// Serves whatever playfield is plugged in.
#[embassy_executor::task]
pub(super) async fn run(
    mut converter: Converter,
    mut scanner: Scanner,
    mut chain: Chain,
    hook: Option<Hook>,
) {
    loop {
        let strap = converter.playfield();
        KNOWN.store(strap.is_ok(), Ordering::Relaxed);
        match strap {
            Ok(playfield) => {
                defmt::info!("playfield: {}", playfield);
                serve(playfield, &mut converter, &mut scanner, &mut chain, hook).await;
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
    hook: Option<Hook>,
) {
    let period = Duration::from_micros(period_us(playfield).into());
    let mut pieces = Pieces::none(playfield);
    scanner.prepare(playfield);
    let mut due = Instant::now();
    let mut look_at = due + STRAP_EVERY;
    loop {
        Timer::at(due).await;
        watchdog::misbehave_in_scan(hook).await;
        if let Ok(samples) = scanner.scan(playfield).await {
            pieces.update(samples);
        } else {
            defmt::warn!("a scan got stuck; its samples are thrown away");
        }
        chain.show(&pieces.lights).await;
        watchdog::scan_is_alive();

        let now = Instant::now();
        if now >= look_at {
            look_at = now + STRAP_EVERY;
            if converter.playfield() != Ok(playfield) {
                return;
            }
        }
        due = next_due(due, period, now);
    }
}

/// The first point in time of the raster that lies ahead.
fn next_due(due: Instant, period: Duration, now: Instant) -> Instant {
    let (late_us, period_us) = ((now - due).as_micros() as u32, period.as_micros() as u32);
    due + period * (late_us / period_us + 1)
}

/// Shows the fault on the keys until the strap says something else: none plugged in, all blink;
/// unknown, odd and even keys take turns. Dark LEDs for the longest chain, current for the least.
async fn report(fault: StrapFault, converter: &mut Converter, chain: &mut Chain) {
    let mut turn = 0;
    while converter.playfield() == Err(fault) {
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
        chain.show(&frame).await;
        watchdog::scan_is_alive();
        Timer::after(FAULT_EVERY).await;
        turn = 1 - turn;
    }
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
    fn update(&mut self, samples: &[u16]) {
        let sums = samples.chunks_exact(SAMPLES as usize).map(|point| point.iter().sum::<u16>());
        for ((point, before), sum) in self.playfield.points().zip(&mut self.occupied).zip(sums) {
            let now = occupied(sum / SAMPLES as u16, *before);
            if now != *before {
                *before = now;
                self.lights.set_point(point, if now { OCCUPIED } else { DARK });
            }
        }
    }
}
