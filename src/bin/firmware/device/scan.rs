//! One scan of all sensors, done by a PIO state machine and three DMA channels while the processor
//! sleeps.
//!
//! The state machine works off the words of `wiring::scan`. It starts each conversion itself: it
//! pushes a token, which DMA writes to the ADC's control register (through its bit-set alias, so
//! that the token is just the start bit). A third channel moves the results to memory and ends the
//! scan.
//!
//! If a conversion gets lost the buffer stays short for ever; then the scan times out, everything
//! is put back to its starting state with all banks off, and the samples are thrown away.

use embassy_rp::gpio::{Level, Output};
use embassy_rp::pac;
use embassy_rp::peripherals::PIO1;
use embassy_rp::pio::program::pio_asm;
use embassy_rp::pio::{Common, Config, Direction, Pin, ShiftConfig, ShiftDirection, StateMachine};
use embassy_rp::pio_programs::clock_divider::calculate_pio_clock_divider;
use embassy_time::{Duration, with_timeout};
use heapless::Vec;
use lodestone::geometry::Playfield;
use lodestone::wiring;
use lodestone::wiring::scan::{CLOCK_HZ, SAMPLES_MAX, WORDS_MAX, duration_us, words};
use lodestone::wiring::timing::{SAMPLES, SCAN_LATE_US};
use static_cell::ConstStaticCell;

use super::dma::{Move, Quiet};

/// Offset of the alias of a register in which written ones set bits.
const SET_ALIAS: u32 = 0x2000;
/// `BANK_ENABLE` among the select lines.
const BANK_ENABLE: usize = (wiring::BANK_ENABLE - wiring::BANK[0]) as usize;

/// The three ways of a scan.
pub(super) struct Channels {
    /// Words to the state machine.
    pub(super) words: Quiet,
    /// Tokens from the state machine to the ADC.
    pub(super) starts: Quiet,
    /// Results from the ADC to memory.
    pub(super) samples: embassy_rp::dma::Channel<'static>,
}

/// The scan did not end in time.
pub(super) struct Stuck;

/// What reads the sensors.
pub(super) struct Scanner {
    machine: StateMachine<'static, PIO1, 0>,
    config: Config<'static, PIO1>,
    select: [Pin<'static, PIO1>; 9],
    sync: Output<'static>,
    channels: Channels,
    words: &'static mut Vec<u32, WORDS_MAX>,
    samples: &'static mut [u16; SAMPLES_MAX],
}

impl Scanner {
    /// Takes over the select lines, all banks off.
    pub(super) fn new(
        common: &mut Common<'static, PIO1>,
        mut machine: StateMachine<'static, PIO1, 0>,
        select: [Pin<'static, PIO1>; 9],
        sync: Output<'static>,
        channels: Channels,
    ) -> Scanner {
        static WORDS: ConstStaticCell<Vec<u32, WORDS_MAX>> = ConstStaticCell::new(Vec::new());
        static BUFFER: ConstStaticCell<[u16; SAMPLES_MAX]> = ConstStaticCell::new([0; SAMPLES_MAX]);

        // The cycle counts are those of `wiring::scan`. y = START_ONCE of the ADC's CS.
        let program = pio_asm!(
            "    set y, 4",
            ".wrap_target",
            "    out pins, 9", // waits here for the next word; all lines change at once
            "    out x, 15",
            "settle:",
            "    jmp x-- settle [4]", // x + 1 µs
            "    out x, 8",
            "more:",
            "    jmp x-- sample", // none left: next word
            ".wrap",
            "sample:",
            "    in y, 32 [8]", // pushes a token, which starts a conversion
            "    jmp more [1]",
        );
        let word = ShiftConfig { threshold: 32, direction: ShiftDirection::Right, auto_fill: true };
        let mut config = Config::default();
        config.use_program(&common.load_program(&program.program), &[]);
        config.set_out_pins(&select.each_ref());
        config.clock_divider = calculate_pio_clock_divider(CLOCK_HZ);
        config.shift_in = word;
        config.shift_out = word;

        // "All off" must stand before the lines become outputs.
        machine.set_pins(Level::High, &[&select[BANK_ENABLE]]);
        machine.set_pin_dirs(Direction::Out, &select.each_ref());
        machine.set_config(&config);
        machine.set_enable(true);
        let (words, samples) = (WORDS.take(), BUFFER.take());
        Scanner { machine, config, select, sync, channels, words, samples }
    }

    /// Gets ready for the sensors of this playfield. On its own: the words are made on the stack.
    #[inline(never)]
    pub(super) fn prepare(&mut self, playfield: Playfield) {
        *self.words = words(playfield);
    }

    /// Reads every sensor. The samples of a point lie side by side, points in their order.
    pub(super) async fn scan(&mut self, playfield: Playfield) -> Result<&[u16], Stuck> {
        let count = playfield.point_count() * SAMPLES as usize;
        let timeout_us = duration_us(self.words) + SCAN_LATE_US;
        pac::ADC.fcs().write(|w| {
            w.set_en(true);
            w.set_dreq_en(true);
            w.set_thresh(1);
        });
        self.sync.set_high();
        // SAFETY: embassy asks that DMA can reach both: a register of the ADC and a static buffer,
        // which nobody else uses before the transfer ends or is dropped.
        let finished = unsafe {
            self.channels.samples.read(
                pac::ADC.fifo().as_ptr() as *const u16,
                &raw mut self.samples[..count],
                pac::dma::vals::TreqSel::ADC,
                false,
            )
        };
        self.channels.starts.start(&Move {
            from: self.machine.rx_fifo_ptr() as u32,
            to: pac::ADC.cs().as_ptr() as u32 + SET_ALIAS,
            count: count as u32,
            counting: false,
            pace: self.machine.rx_treq(),
            urgent: true,
        });
        self.channels.words.start(&Move {
            from: self.words.as_ptr() as u32,
            to: self.machine.tx_fifo_ptr() as u32,
            count: self.words.len() as u32,
            counting: true,
            pace: self.machine.tx_treq(),
            urgent: false,
        });
        let outcome = with_timeout(Duration::from_micros(timeout_us.into()), finished).await;
        self.sync.set_low();
        if outcome.is_err() {
            self.recover();
            return Err(Stuck);
        }
        Ok(&self.samples[..count])
    }

    /// Back to the starting state from anywhere, all banks off first. The loops wait for a few
    /// cycles, a conversion at most; should they not end, the watchdog does.
    fn recover(&mut self) {
        self.machine.set_enable(false);
        self.machine.set_pins(Level::High, &[&self.select[BANK_ENABLE]]);
        self.channels.words.abort();
        self.channels.starts.abort();
        self.machine.clear_fifos();
        self.machine.restart();
        self.machine.set_config(&self.config); // jumps to the program's start
        while !pac::ADC.cs().read().ready() {}
        while !pac::ADC.fcs().read().empty() {
            pac::ADC.fifo().read();
        }
        self.machine.set_enable(true);
    }
}
