//! The watchdog, and what tests do to it.
//!
//! It is fed by a task of the thread executor, and only if the field task has finished a round
//! since the last look. So a hung task in either executor, a fault handler that loops and a
//! blocked interrupt all end in a reset.
//!
//! Scratch registers survive a reset: 0 is the test hook (`wiring::test_hook`), 1 tells the next
//! start that a panic caused the reset. The boot ROM uses 4 to 7.

use core::sync::atomic::{AtomicBool, Ordering};

use embassy_rp::Peri;
use embassy_rp::peripherals::WATCHDOG;
use embassy_rp::watchdog::{ResetReason, Watchdog};
use embassy_time::{Duration, Instant, Timer};
use lodestone::wiring::test_hook;

/// Unfed for so long, it resets: many rounds of the field task, and longer than a flash erase.
const TIMEOUT: Duration = Duration::from_millis(1000);
/// How often the feeder looks; a round without strap takes 250 ms.
const LOOK_EVERY: Duration = Duration::from_millis(300);

const HOOK_SCRATCH: usize = 0;
const PANIC_SCRATCH: usize = 1;
const PANICKED: u32 = 0x9a21_c4ed;

static SCAN_IS_ALIVE: AtomicBool = AtomicBool::new(false);

/// How this start shall misbehave.
#[derive(Clone, Copy, PartialEq, Eq, defmt::Format)]
pub(super) enum Hook {
    HangThreads,
    HangScan,
    Panic,
}

/// The running watchdog.
pub(super) struct Guard(Watchdog);

impl Guard {
    /// Starts the watchdog, logs why the chip was reset, and reads the test hook.
    pub(super) fn start(peripheral: Peri<'static, WATCHDOG>) -> (Guard, Option<Hook>) {
        let mut watchdog = Watchdog::new(peripheral);
        watchdog.pause_on_debug(true);
        watchdog.start(TIMEOUT);
        let panicked = watchdog.get_scratch(PANIC_SCRATCH) == PANICKED;
        let reason = match watchdog.reset_reason() {
            _ if panicked => "panic",
            Some(ResetReason::TimedOut) => "watchdog",
            Some(ResetReason::Forced) => "forced",
            None => "power or reset pin",
        };
        defmt::info!("reset by {=str}", reason);
        let hook = match watchdog.get_scratch(HOOK_SCRATCH) {
            test_hook::HANG_THREADS => Some(Hook::HangThreads),
            test_hook::HANG_SCAN => Some(Hook::HangScan),
            test_hook::PANIC => Some(Hook::Panic),
            _ => None,
        };
        watchdog.set_scratch(PANIC_SCRATCH, 0);
        watchdog.set_scratch(HOOK_SCRATCH, 0);
        (Guard(watchdog), hook)
    }
}

/// Tells the next start that this one ended in a panic.
pub(super) fn note_panic() {
    embassy_rp::pac::WATCHDOG.scratch1().write_value(PANICKED);
}

/// The field task has done a round.
pub(super) fn scan_is_alive() {
    SCAN_IS_ALIVE.store(true, Ordering::Relaxed);
}

/// Feeds the watchdog while everybody is alive.
#[embassy_executor::task]
pub(super) async fn feed(mut guard: Guard) {
    loop {
        Timer::after(LOOK_EVERY).await;
        // A load and a store, because this core has no swap; a round between the two is not lost,
        // as the next one follows before the next look.
        if SCAN_IS_ALIVE.load(Ordering::Relaxed) {
            SCAN_IS_ALIVE.store(false, Ordering::Relaxed);
            guard.0.feed(TIMEOUT);
        }
    }
}

/// What the hook asks of the thread executor.
#[embassy_executor::task]
pub(super) async fn misbehave(hook: Option<Hook>) {
    Timer::at(Instant::from_millis(test_hook::DELAY_MS)).await;
    match hook {
        Some(Hook::HangThreads) => loop {
            cortex_m::asm::nop();
        },
        Some(Hook::Panic) => panic!("asked for by the test hook"),
        Some(Hook::HangScan) | None => {}
    }
}

/// What the hook asks of the field task.
pub(super) async fn misbehave_in_scan(hook: Option<Hook>) {
    if hook == Some(Hook::HangScan) && Instant::now().as_millis() >= test_hook::DELAY_MS {
        core::future::pending::<()>().await;
    }
}
