//! The rules and the console measured on the chip, in cycles.
//!
//! `cargo sim bench chip` builds this image, runs it in the emulator and prints the table. It plays
//! random games of every id and measures, at 200 positions each, listing all legal steps, the
//! destinations of every origin, and playing a step; then whole ticks of the console. The log is the
//! result: one line per id and question, and `done` at the end.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod console;

#[cfg(target_os = "none")]
mod device {
    use core::hint::black_box;

    use cortex_m::peripheral::SYST;
    use cortex_m::peripheral::syst::SystClkSource;
    use defmt_rtt as _;
    use lodestone::console::{Console, Effects};
    use lodestone::games::any::{Position, Setup};
    use lodestone::games::{Game, Id};
    use lodestone::random::SplitMix64;
    use lodestone::with_game;
    use static_cell::ConstStaticCell;

    use super::console;

    const POSITIONS: u32 = 200;
    /// Measured at every third step, so that 200 positions span several phases of a game.
    const STRIDE: u32 = 3;

    /// Mean and worst of one question.
    pub(super) struct Cost {
        question: &'static str,
        sum: u64,
        count: u32,
        worst: u32,
    }

    impl Cost {
        pub(super) fn new(question: &'static str) -> Cost {
            Cost { question, sum: 0, count: 0, worst: 0 }
        }

        /// Cycles that `work` takes; the counter runs down and wraps at 24 bits.
        pub(super) fn measure<R>(&mut self, work: impl FnOnce() -> R) {
            let start = SYST::get_current();
            black_box(work());
            let cycles = start.wrapping_sub(SYST::get_current()) & 0x00ff_ffff;
            self.sum += u64::from(cycles);
            self.count += 1;
            self.worst = self.worst.max(cycles);
        }

        pub(super) fn report(&self, id: Id) {
            let mean = (self.sum / u64::from(self.count.max(1))) as u32;
            defmt::info!("{=str} {=str} {=u32} {=u32}", id.name(), self.question, mean, self.worst);
        }
    }

    /// Plays random games of this id and measures on the way.
    fn bench(id: Id) {
        let mut steps = Cost::new("steps");
        let mut destinations = Cost::new("destinations");
        let mut play = Cost::new("play");
        let mut random = SplitMix64::new(1);
        let mut position = Setup::of(id).position();
        let mut played = 0;
        while steps.count < POSITIONS {
            let count = position.step_count();
            if count == 0 {
                position = Setup::of(id).position();
                continue;
            }
            let step = position.steps().nth(random.below(count));
            if played % STRIDE == 0 {
                measure_at(&position, &mut steps, &mut destinations);
            }
            if let Some(step) = step {
                play.measure(|| position.play(step).is_ok());
            }
            played += 1;
        }
        for cost in [steps, destinations, play] {
            cost.report(id);
        }
    }

    fn measure_at(position: &Position, steps: &mut Cost, destinations: &mut Cost) {
        with_game!(position, game => {
            steps.measure(|| game.steps().map(black_box).count());
            for origin in game.origins() {
                destinations.measure(|| game.destinations(origin));
            }
        });
    }

    #[cortex_m_rt::entry]
    fn main() -> ! {
        static CONSOLE: ConstStaticCell<Console> = ConstStaticCell::new(Console::vacant());
        static EFFECTS: ConstStaticCell<Effects> = ConstStaticCell::new(Effects::new());
        let _clocks = embassy_rp::init(embassy_rp::config::Config::default());
        if let Some(mut core) = cortex_m::Peripherals::take() {
            core.SYST.set_clock_source(SystClkSource::Core);
            core.SYST.set_reload(0x00ff_ffff);
            core.SYST.clear_current();
            core.SYST.enable_counter();
        }
        Id::ALL.into_iter().for_each(bench);
        let (board, effects) = (CONSOLE.take(), EFFECTS.take());
        for id in Id::ALL {
            console::bench(id, board, effects);
        }
        defmt::info!("done");
        loop {
            cortex_m::asm::wfe();
        }
    }

    #[panic_handler]
    fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
        defmt::error!("{}", defmt::Display2Format(info));
        cortex_m::peripheral::SCB::sys_reset()
    }
}

#[cfg(not(target_os = "none"))]
fn main() {
    println!("this image runs on the chip: `cargo sim bench chip`");
}
