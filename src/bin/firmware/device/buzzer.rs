//! The buzzer: plays sounds by PWM, note by note. A new sound cuts off the one that plays.

use embassy_rp::pwm::{Config, Pwm};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::signal::Signal;
use embassy_time::{Duration, with_timeout};
use lodestone::sound::{Note, Sound};

/// What to play next; only the latest counts.
pub(super) static SOUND: Signal<CriticalSectionRawMutex, Sound> = Signal::new();

/// Divides the 125 MHz of the system clock to steps of 1 µs.
const DIVIDER: u8 = 125;
const STEPS_PER_S: u32 = 1_000_000;
/// Longer than a period of the lowest note: then the output has come to rest.
const REST: Duration = Duration::from_millis(5);

#[embassy_executor::task]
pub(super) async fn run(mut pwm: Pwm<'static>) {
    loop {
        let mut sound = SOUND.wait().await;
        while let Some(next) = play(&mut pwm, sound).await {
            sound = next;
        }
        // The counter stops only after the line is low: it would hold a piezo bent.
        pwm.set_config(&silence(false));
    }
}

/// A configuration in which the line is low from the end of the period under way on.
pub(super) fn silence(enable: bool) -> Config {
    let mut config = Config::default();
    config.enable = enable;
    config.divider = DIVIDER.into();
    config.top = 999;
    config
}

/// Plays a sound to its end; or stops where another one comes, and returns that.
async fn play(pwm: &mut Pwm<'static>, sound: Sound) -> Option<Sound> {
    for note in sound.notes() {
        pwm.set_config(&tone(*note));
        let length = Duration::from_millis(note.ms.into());
        if let Ok(next) = with_timeout(length, SOUND.wait()).await {
            return Some(next);
        }
    }
    pwm.set_config(&silence(true));
    with_timeout(REST, SOUND.wait()).await.ok()
}

/// Half of each period high; nothing for a pause.
fn tone(note: Note) -> Config {
    let mut config = silence(true);
    if let Some(period) = STEPS_PER_S.checked_div(note.hz.into()) {
        config.top = (period - 1) as u16; // notes have 300 Hz or more
        config.compare_b = (period / 2) as u16;
    }
    config
}
