//! The watchdog, and why the chip was reset.
//!
//! It is fed by a task of the thread executor, and only if the field task has finished a round
//! since the last look, or has left out a scan for which it was too late. So a hung task in either
//! executor, a fault handler that loops and a blocked interrupt all end in a reset.
//!
//! Scratch registers survive a reset, but not a loss of power: 0 is the test hook
//! (`wiring::test_hook`), 1 tells the next start that a panic caused the reset, 2 counts resets
//! since the power came. The boot ROM uses 4 to 7.

use core::sync::atomic::{AtomicBool, Ordering};

use embassy_rp::Peri;
use embassy_rp::pac;
use embassy_rp::peripherals::WATCHDOG;
use embassy_rp::watchdog::{ResetReason, Watchdog};
use embassy_time::{Duration, Timer};

/// Unfed for so long, it resets: many rounds of the field task, and longer than a flash erase.
const TIMEOUT: Duration = Duration::from_millis(1000);
/// How often the feeder looks; a round without strap takes 250 ms.
const LOOK_EVERY: Duration = Duration::from_millis(300);

const PANIC_SCRATCH: usize = 1;
const COUNT_SCRATCH: usize = 2;
const PANICKED: u32 = 0x9a21_c4ed;

static SCAN_IS_ALIVE: AtomicBool = AtomicBool::new(false);

/// The running watchdog.
pub(super) struct Guard(Watchdog);

impl Guard {
    /// Starts the watchdog and logs why the chip was reset; also says how often it was since the
    /// power came.
    pub(super) fn start(peripheral: Peri<'static, WATCHDOG>) -> (Guard, u16) {
        let mut watchdog = Watchdog::new(peripheral);
        watchdog.pause_on_debug(true);
        watchdog.start(TIMEOUT);
        let panicked = watchdog.get_scratch(PANIC_SCRATCH) == PANICKED;
        let reason = match watchdog.reset_reason() {
            _ if panicked => Some("panic"),
            Some(ResetReason::TimedOut) => Some("watchdog"),
            Some(ResetReason::Forced) => Some("forced"),
            None => None,
        };
        defmt::info!("reset by {=str}", reason.unwrap_or("power or reset pin"));
        let before = watchdog.get_scratch(COUNT_SCRATCH) as u16;
        let resets = if reason.is_some() { before.saturating_add(1) } else { 0 };
        watchdog.set_scratch(COUNT_SCRATCH, resets.into());
        watchdog.set_scratch(PANIC_SCRATCH, 0);
        (Guard(watchdog), resets)
    }
}

/// Tells the next start that this one ended in a panic.
pub(super) fn note_panic() {
    pac::WATCHDOG.scratch1().write_value(PANICKED);
}

/// What a test has put into its register, once.
pub(super) fn take_hook() -> u32 {
    let hook = pac::WATCHDOG.scratch0().read();
    if hook != 0 {
        pac::WATCHDOG.scratch0().write_value(0);
    }
    hook
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
