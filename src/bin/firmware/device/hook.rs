//! What tests ask of the image (`wiring::test_hook`).

use core::sync::atomic::{AtomicBool, Ordering};

use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::signal::Signal;
use embassy_time::{Duration, Ticker};
use lodestone::sound::Sound;
use lodestone::wiring::test_hook;

use super::{buzzer, watchdog};

/// For the console: it shall report.
pub(super) static REPORT: Signal<CriticalSectionRawMutex, ()> = Signal::new();

static SCAN_HANGS: AtomicBool = AtomicBool::new(false);

#[embassy_executor::task]
pub(super) async fn run() {
    let mut ticker = Ticker::every(Duration::from_millis(test_hook::LOOK_MS));
    loop {
        ticker.next().await;
        match watchdog::take_hook() {
            0 => {}
            test_hook::HANG_THREADS => loop {
                cortex_m::asm::nop();
            },
            test_hook::HANG_SCAN => SCAN_HANGS.store(true, Ordering::Relaxed),
            test_hook::PANIC => panic!("asked for by the test hook"),
            test_hook::REPORT => REPORT.signal(()),
            other => {
                let sound = other.wrapping_sub(test_hook::SOUND) as usize;
                if let Some(sound) = Sound::ALL.get(sound) {
                    buzzer::SOUND.signal(*sound);
                }
            }
        }
    }
}

/// What the hook asks of the field task.
pub(super) async fn misbehave_in_scan() {
    if SCAN_HANGS.load(Ordering::Relaxed) {
        core::future::pending::<()>().await;
    }
}
