//! The keys: read at a steady pace beside the scan, told to the console.
//!
//! In the interrupt executor, so that a press is timed rightly while the console computes. What a
//! reading means is decided in the library (`keys`).

use embassy_rp::gpio::Input;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_time::{Duration, Instant, Ticker};
use lodestone::keys::{ALL, Change, EVENTS_MAX, Event, Keys, POLL_MS};

/// Presses and releases for the console. While it is full the keys wait, and nothing is lost but
/// pulses.
pub(super) static EVENTS: Channel<CriticalSectionRawMutex, Event, EVENTS_MAX> = Channel::new();

#[embassy_executor::task]
pub(super) async fn run(pins: [Input<'static>; ALL.len()]) {
    let mut keys = Keys::new();
    let mut ticker = Ticker::every(Duration::from_millis(POLL_MS.into()));
    loop {
        ticker.next().await;
        let level = |(n, pin): (usize, &Input<'_>)| u8::from(pin.is_low()) << n;
        let pressed = pins.iter().enumerate().map(level).sum();
        for event in keys.poll(Instant::now().as_millis() as u32, pressed) {
            if event.change == Change::Stuck {
                defmt::warn!("key {} is stuck", event.key as u8);
            }
            EVENTS.send(event).await;
        }
    }
}
