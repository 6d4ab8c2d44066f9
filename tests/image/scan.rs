//! Every sensor is read as the electronics want it: in order, settled, alone, and in the dark
//! between LED frames.

use std::time::Duration;

use board_sim::emulator::{Event, Visit, What};
use lodestone::geometry::Playfield;
use lodestone::wiring::{self, Slot, limits, timing};

use crate::machine::{Machine, Piece};

const ROUNDS: u32 = 4;

/// Visits with conversions, in their order, with their start.
fn sampled(events: &[Event]) -> Vec<(Duration, Visit)> {
    let visit = |event: &Event| match event.what {
        What::Visit(visit) if visit.samples > 0 => Some((event.at, visit)),
        _ => None,
    };
    events.iter().filter_map(visit).collect()
}

fn us(us: u32) -> Duration {
    Duration::from_micros(us.into())
}

/// Neighbours on the line as far apart as codes can be, so that settling matters most.
fn set_extreme_codes(machine: &mut Machine, playfield: Playfield) {
    let code = |index: usize| {
        if index.is_multiple_of(2) { *limits::RAW.start() } else { *limits::RAW.end() }
    };
    let codes: Vec<_> = playfield.points().map(|point| (point, code(point.index()))).collect();
    machine.emulator.set_codes(playfield, &codes).unwrap();
}

#[test]
fn all_points_in_wiring_order_eight_samples_each() {
    for playfield in Playfield::ALL {
        let mut machine = Machine::started(playfield);
        machine.emulator.set_trace(true).unwrap();
        let visits = sampled(machine.run_rounds(playfield, ROUNDS));
        assert!(visits.iter().all(|(_, visit)| visit.powered));
        assert!(visits.iter().all(|(_, visit)| visit.samples == timing::SAMPLES));

        // The run may begin within a scan: look from the first slot on.
        let slots: Vec<Slot> = playfield.points().map(|p| wiring::slot(playfield, p)).collect();
        let read: Vec<Slot> = visits
            .iter()
            .map(|(_, visit)| Slot { address: visit.address, channel: visit.channel })
            .skip_while(|slot| *slot != slots[0])
            .collect();
        assert!(read.len() >= slots.len() * (ROUNDS as usize - 1), "{playfield:?}");
        for (index, slot) in read.iter().enumerate() {
            assert_eq!(*slot, slots[index % slots.len()], "{playfield:?}, visit {index}");
        }
    }
}

#[test]
fn with_at_least_the_settle_times_which_suffice() {
    for playfield in Playfield::ALL {
        let mut machine = Machine::started(playfield);
        set_extreme_codes(&mut machine, playfield);
        machine.run_rounds(playfield, 2);
        machine.emulator.statistics().unwrap();
        machine.run_rounds(playfield, ROUNDS);
        let seen = machine.emulator.statistics().unwrap();
        println!("{playfield:?}: {seen:?}");
        assert!(seen.gap.unwrap() >= us(timing::GAP_US));
        assert!(seen.power.unwrap() >= us(timing::POWER_US));
        assert!(seen.channel.unwrap() >= us(timing::CHANNEL_US));
        assert!(seen.spacing.unwrap() >= us(timing::CONVERSION_US));
        assert_eq!(seen.samples, Some((timing::SAMPLES, timing::SAMPLES)));
        assert!(
            seen.worst_error <= 1,
            "{} codes off with a time constant of 1 µs",
            seen.worst_error
        );
    }
}

#[test]
fn never_two_banks_with_power() {
    for playfield in Playfield::ALL {
        let mut machine = Machine::started(playfield);
        machine.emulator.set_trace(true).unwrap();
        let powered: Vec<(Duration, Visit)> = machine
            .run_rounds(playfield, ROUNDS)
            .iter()
            .filter_map(|event| match event.what {
                What::Visit(visit) if visit.powered => Some((event.at, visit)),
                _ => None,
            })
            .collect();
        let banks = powered.chunk_by(|(_, one), (_, next)| one.address == next.address);
        let spans: Vec<(Duration, Duration)> =
            banks.map(|bank| (bank[0].0, bank[bank.len() - 1].1.end)).collect();
        assert!(spans.len() >= playfield.column_count() * (ROUNDS as usize - 1));
        for pair in spans.windows(2) {
            assert!(pair[1].0 >= pair[0].1 + us(timing::GAP_US), "{playfield:?}: {pair:?}");
        }
    }
}

#[test]
fn on_a_fixed_raster() {
    for playfield in Playfield::ALL {
        let mut machine = Machine::started(playfield);
        machine.emulator.set_trace(true).unwrap();
        let visits = sampled(machine.run_rounds(playfield, ROUNDS * 4));
        let first = wiring::slot(playfield, playfield.points().next().unwrap());
        let starts: Vec<Duration> = visits
            .iter()
            .filter(|(_, v)| (v.address, v.channel) == (first.address, first.channel))
            .map(|(at, _)| *at)
            .collect();
        assert!(starts.len() >= 15);
        for pair in starts.windows(2) {
            let off = pair[1].abs_diff(pair[0] + us(timing::period_us(playfield)));
            assert!(off < Duration::from_micros(5), "{playfield:?}: {off:?} off the raster");
        }
    }
}

#[test]
fn never_during_an_led_frame() {
    for playfield in Playfield::ALL {
        let mut machine = Machine::started(playfield);
        machine.emulator.set_trace(true).unwrap();
        let point = playfield.points().next().unwrap();
        let before = machine.events.len();
        for round in 0..16 {
            let piece = if round % 2 == 0 { Piece::North } else { Piece::None };
            machine.set_piece(playfield, point, piece);
            machine.run_rounds(playfield, 1);
        }
        // A frame's time is when its reset ends, 300 µs after its last edge.
        let spans: Vec<(Duration, Duration)> =
            machine.frames().iter().map(|(at, frame)| (frame.start, *at)).collect();
        assert!(spans.len() >= 16, "a frame per round");
        for (_, visit) in sampled(&machine.events[before..]) {
            let first = visit.first.unwrap();
            let last = visit.last.unwrap();
            assert!(
                spans.iter().all(|(start, end)| last < *start || first >= *end),
                "{playfield:?}: conversions from {first:?} to {last:?}"
            );
        }
    }
}
