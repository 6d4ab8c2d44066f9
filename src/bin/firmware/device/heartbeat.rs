//! The LED on the module: half a second on, half off while a playfield is scanned; five quick
//! blinks a second when the strap names none.

use embassy_rp::gpio::Output;
use embassy_time::Timer;

use super::field;

/// Half a period with and without a known playfield.
const KNOWN_MS: u64 = 500;
const UNKNOWN_MS: u64 = 100;

#[embassy_executor::task]
pub(super) async fn run(mut led: Output<'static>) {
    loop {
        led.toggle();
        let known = field::playfield().is_some();
        Timer::after_millis(if known { KNOWN_MS } else { UNKNOWN_MS }).await;
    }
}
