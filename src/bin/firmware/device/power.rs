//! When the LEDs have power.
//!
//! A USB host grants the full current only to a configured device; a charger never resets the bus.
//! So: on when configured, or when no bus reset has come for a second after the start. A host that
//! takes the configuration back takes the light with it.

use core::cell::Cell;
use core::sync::atomic::{AtomicU32, Ordering};

use embassy_rp::gpio::Output;
use embassy_sync::blocking_mutex::Mutex;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::signal::Signal;
use embassy_time::{Instant, Timer, with_deadline};
use lodestone::link::Supply;
use lodestone::wiring::timing::{CHARGER_MS, LED_POWER_MS};

/// The USB bus, as far as it matters for current.
#[derive(Clone, Copy, PartialEq, Eq, defmt::Format)]
pub(super) enum Bus {
    /// A host is there and has not yet granted the full current.
    Reset,
    /// It has.
    Configured,
}

/// From the USB task; only the latest counts.
pub(super) static BUS: Signal<CriticalSectionRawMutex, Bus> = Signal::new();

/// Counts how often the LEDs' power was switched: odd = on.
static SWITCHED: AtomicU32 = AtomicU32::new(0);

static SUPPLY: Mutex<CriticalSectionRawMutex, Cell<Supply>> =
    Mutex::new(Cell::new(Supply::Waiting));

/// What feeds the board.
pub(super) fn supply() -> Supply {
    SUPPLY.lock(Cell::get)
}

/// Which stretch of power the LEDs are in, if any; a new one starts with all LEDs dark.
pub(super) fn led_stretch() -> Option<u32> {
    Some(SWITCHED.load(Ordering::Relaxed)).filter(|count| count % 2 == 1)
}

/// Switches the LEDs' power.
#[embassy_executor::task]
pub(super) async fn run(mut led_enable: Output<'static>) {
    let first = with_deadline(Instant::from_millis(CHARGER_MS), BUS.wait()).await;
    let charger = first.is_err();
    let mut granted = charger || first == Ok(Bus::Configured);
    defmt::info!("{=str}", if charger { "no USB host: charger" } else { "USB host" });
    for count in 1.. {
        while !granted {
            granted = BUS.wait().await == Bus::Configured;
        }
        let supply = if charger && count == 1 { Supply::Charger } else { Supply::Host };
        SUPPLY.lock(|cell| cell.set(supply));
        led_enable.set_high();
        Timer::after_millis(LED_POWER_MS).await;
        SWITCHED.store(2 * count - 1, Ordering::Relaxed);
        while granted {
            granted = BUS.wait().await == Bus::Configured;
        }
        SWITCHED.store(2 * count, Ordering::Relaxed);
        SUPPLY.lock(|cell| cell.set(Supply::Waiting));
        led_enable.set_low();
    }
}
