//! The LED chain: frames go out by PIO and DMA in WS2812 timing.
//!
//! A frame is sent when it differs from the last one, and again after a second in case a LED
//! missed it. Nothing is sent while the LEDs have no power: the data line would feed them.

use embassy_rp::gpio::Level;
use embassy_rp::peripherals::PIO0;
use embassy_rp::pio::program::pio_asm;
use embassy_rp::pio::{
    Common, Config, Direction, FifoJoin, Pin, ShiftConfig, ShiftDirection, StateMachine,
};
use embassy_rp::pio_programs::clock_divider::calculate_pio_clock_divider;
use embassy_time::{Duration, Instant, Timer};
use lodestone::light::Frame;
use lodestone::wiring::LED_COUNT_MAX;
use lodestone::wiring::timing::{LED_RESET_US, LED_US};
use static_cell::ConstStaticCell;

use super::dma::{Move, Quiet};
use super::power;

/// Ten cycles are a bit of 1.25 µs.
const CLOCK_HZ: u32 = 8_000_000;
/// How often an unchanged frame is sent again.
const REPEAT: Duration = Duration::from_secs(1);
/// For the start of the DMA and the microsecond at which the clock was read.
const MARGIN_US: u32 = 5;

/// From the start of a frame to the moment the LEDs show it.
pub(super) fn duration(led_count: usize) -> Duration {
    Duration::from_micros((led_count as u32 * LED_US + LED_RESET_US + MARGIN_US).into())
}

/// The keys' and the playfield's LEDs.
pub(super) struct Chain {
    machine: StateMachine<'static, PIO0, 0>,
    channel: Quiet,
    /// What the LEDs are to show.
    words: &'static mut [u32; LED_COUNT_MAX],
    count: usize,
    /// In which stretch of power they were told so.
    told_in: Option<u32>,
    repeat_at: Instant,
}

impl Chain {
    pub(super) fn new(
        common: &mut Common<'static, PIO0>,
        mut machine: StateMachine<'static, PIO0, 0>,
        data: &Pin<'static, PIO0>,
        channel: Quiet,
    ) -> Chain {
        static WORDS: ConstStaticCell<[u32; LED_COUNT_MAX]> =
            ConstStaticCell::new([0; LED_COUNT_MAX]);

        // A bit: 250 ns high, 625 ns the bit's own level, 375 ns low. Between frames it waits low.
        let program = pio_asm!(
            ".wrap_target",
            "    out x, 1",
            "    set pins, 1 [1]",
            "    mov pins, x [4]",
            "    set pins, 0 [1]",
            ".wrap",
        );
        let mut config = Config::default();
        config.use_program(&common.load_program(&program.program), &[]);
        config.set_out_pins(&[data]);
        config.set_set_pins(&[data]);
        config.clock_divider = calculate_pio_clock_divider(CLOCK_HZ);
        config.fifo_join = FifoJoin::TxOnly;
        config.shift_out =
            ShiftConfig { threshold: 24, direction: ShiftDirection::Left, auto_fill: true };
        machine.set_pins(Level::Low, &[data]);
        machine.set_pin_dirs(Direction::Out, &[data]);
        machine.set_config(&config);
        machine.set_enable(true);
        let (words, repeat_at) = (WORDS.take(), Instant::MIN);
        Chain { machine, channel, words, count: 0, told_in: None, repeat_at }
    }

    /// Sets what is to be shown from now on.
    pub(super) fn set(&mut self, frame: &Frame) {
        let data = frame.data();
        if data.len() != self.count {
            self.count = data.len();
            self.told_in = None;
        }
        for (word, led) in self.words.iter_mut().zip(data) {
            if *word != led {
                *word = led;
                self.told_in = None;
            }
        }
    }

    /// Tells the LEDs if it is news or due again; returns when they have taken it.
    pub(super) async fn show(&mut self) {
        let Some(stretch) = power::led_stretch() else { return };
        let now = Instant::now();
        if self.told_in == Some(stretch) && now < self.repeat_at {
            return;
        }
        self.told_in = Some(stretch);
        self.repeat_at = now + REPEAT;
        self.channel.start(&Move {
            from: self.words.as_ptr() as u32,
            to: self.machine.tx_fifo_ptr() as u32,
            count: self.count as u32,
            counting: true,
            pace: self.machine.tx_treq(),
            urgent: false,
        });
        Timer::at(now + duration(self.count)).await;
    }
}
