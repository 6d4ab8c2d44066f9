//! The emulator is quick enough to be used for everything: simulated seconds take less than real
//! ones.

use std::time::{Duration, Instant};

use lodestone::geometry::Playfield;
use lodestone::wiring::led;

use crate::machine::{Machine, Piece};

const SIMULATED: Duration = Duration::from_secs(10);

/// Measured in processor time, because machines that run tests are often shared.
#[test]
fn ten_seconds_of_idle_scanning_take_less_than_ten() {
    for playfield in Playfield::ALL {
        let mut machine = Machine::started(playfield);
        machine.set_piece(playfield, playfield.points().next().unwrap(), Piece::North);
        let (started, cpu_before) = (Instant::now(), machine.emulator.cpu_time());
        let cycles_before = machine.emulator.cycles();
        machine.run(SIMULATED);
        let cpu = machine.emulator.cpu_time().saturating_sub(cpu_before);
        let load = (machine.emulator.cycles() - cycles_before) as f64 / 1.25e9 * 100.0;
        println!(
            "{playfield:?}: 10 s in {:.2} s, {:.2} s of them processor time; chip load {load:.2} %",
            started.elapsed().as_secs_f64(),
            cpu.as_secs_f64(),
        );
        let first = playfield.points().next().unwrap();
        assert!(machine.has_lit(&[led(playfield, first)]), "LEDs on");
        assert!(cpu < SIMULATED, "{playfield:?}: {cpu:?}");
    }
}
