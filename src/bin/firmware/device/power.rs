//! When the LEDs have power.
//!
//! A USB host grants the full current only to a configured device; a charger never resets the bus.
//! So: on when configured, or when no bus reset has come for a second after the start. A host that
//! takes the configuration back takes the light with it.

use core::sync::atomic::{AtomicBool, Ordering};

use embassy_rp::gpio::Output;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::signal::Signal;
use embassy_time::{Instant, TimeoutError, Timer, with_deadline};
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

static LEDS_HAVE_POWER: AtomicBool = AtomicBool::new(false);

/// Whether LEDs may be talked to.
pub(super) fn leds_have_power() -> bool {
    LEDS_HAVE_POWER.load(Ordering::Relaxed)
}

/// Switches the LEDs' power.
#[embassy_executor::task]
pub(super) async fn run(mut led_enable: Output<'static>) {
    let mut granted = match with_deadline(Instant::from_millis(CHARGER_MS), BUS.wait()).await {
        Ok(bus) => bus == Bus::Configured,
        Err(TimeoutError) => {
            defmt::info!("no USB host: charger");
            true
        }
    };
    loop {
        if granted {
            led_enable.set_high();
            Timer::after_millis(LED_POWER_MS).await;
            LEDS_HAVE_POWER.store(true, Ordering::Relaxed);
        } else {
            LEDS_HAVE_POWER.store(false, Ordering::Relaxed);
            led_enable.set_low();
        }
        granted = BUS.wait().await == Bus::Configured;
    }
}
