//! Hall sensors and the ADC behind them: from a field to a code, with all their faults.

use lodestone::random::SplitMix64;
use lodestone::wiring::limits::{CODES_PER_10_T, ZERO_NOMINAL};

/// Codes of a field of 1 mT at nominal gain.
pub(super) const CODES_PER_MT: f64 = CODES_PER_10_T as f64 / 10_000.0;
/// Depth of the hall element below the playing surface, mm.
pub(super) const DEPTH_MM: f64 = 7.2;
/// Where the sensor's output stage ends, 0.2 V and 3.1 V, codes.
const OUTPUT: (f64, f64) = (248.0, 3848.0);
/// How long the zeros drift to where they end, µs.
const DRIFT_US: f64 = 3600e6;

/// How far the parts may be from nominal. Errors are drawn evenly between minus and plus these.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tolerances {
    /// Zero of a sensor, codes.
    pub zero_codes: f64,
    /// Gain of a sensor, as a share.
    pub gain: f64,
    /// Depth of a sensor, mm.
    pub depth_mm: f64,
    /// Strength of the magnets of a piece, as a share.
    pub magnet: f64,
    /// Where the zero of a sensor ends in the first hour, mT.
    pub drift_mt: f64,
    /// Noise of a scan (the mean of eight samples), codes rms.
    pub noise_codes: f64,
}

impl Tolerances {
    /// Everything nominal, no noise.
    pub const NONE: Tolerances = Tolerances {
        zero_codes: 0.0,
        gain: 0.0,
        depth_mm: 0.0,
        magnet: 0.0,
        drift_mt: 0.0,
        noise_codes: 0.0,
    };
    /// Nominal parts with the noise of real ones.
    pub const NOISE: Tolerances = Tolerances { noise_codes: 1.8, ..Tolerances::NONE };
    /// The whole error budget of the board.
    pub const BUDGET: Tolerances = Tolerances {
        zero_codes: 74.0,
        gain: 0.05,
        depth_mm: 0.3,
        magnet: 0.08,
        drift_mt: 0.05,
        noise_codes: 1.8,
    };
}

/// What may be wrong with a sensor.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fault {
    /// No power or a broken wire: the line is at ground.
    Dead,
    /// Always this code, without noise.
    Stuck(u16),
    /// So much more noise, codes rms.
    Noisy(f64),
}

/// One sensor as drawn.
#[derive(Clone, Copy)]
pub(super) struct Sensor {
    zero: f64,
    codes_per_mt: f64,
    drift: f64,
    pub(super) depth: f64,
    pub(super) fault: Option<Fault>,
}

impl Sensor {
    pub(super) fn draw(tolerances: &Tolerances, random: &mut SplitMix64) -> Sensor {
        Sensor {
            zero: f64::from(ZERO_NOMINAL) + even(random, tolerances.zero_codes),
            codes_per_mt: CODES_PER_MT * (1.0 + even(random, tolerances.gain)),
            drift: even(random, tolerances.drift_mt) * CODES_PER_MT,
            depth: DEPTH_MM + even(random, tolerances.depth_mm),
            fault: None,
        }
    }

    /// The code of a field. Draws noise, whatever the fault, so that one does not shift the others.
    pub(super) fn code(&self, mt: f64, now_us: u64, rms: f64, random: &mut SplitMix64) -> u16 {
        let noise = normal(random);
        let rms = match self.fault {
            Some(Fault::Dead) => return 0,
            Some(Fault::Stuck(code)) => return code,
            Some(Fault::Noisy(more)) => more.hypot(rms),
            None => rms,
        };
        let drift = self.drift * (now_us as f64 / DRIFT_US).min(1.0);
        let ideal = self.zero + drift + self.codes_per_mt * mt + rms * noise;
        converted(ideal.clamp(OUTPUT.0, OUTPUT.1))
    }
}

/// The field that a sensor without any tolerance would see, mT.
pub fn nominal_mt(code: u16) -> f64 {
    (f64::from(code) - f64::from(ZERO_NOMINAL)) / CODES_PER_MT
}

/// The ADC's bad codes (RP2040-E11): each stands for nine codes' worth of voltage.
const WIDE_CODES: [f64; 4] = [512.0, 1536.0, 2560.0, 3584.0];
const WIDE_HALF: f64 = 4.5;

/// What the ADC makes of an ideal code: flat around the bad codes, a little too steep in between.
fn converted(ideal: f64) -> u16 {
    let mut error = 0.0;
    for wide in WIDE_CODES {
        let off = ideal - wide;
        if off.abs() <= WIDE_HALF {
            return wide as u16;
        }
        // Halfway to the next bad code there is no error; beside a bad one it is the half width.
        if off.abs() < 512.0 {
            error = -WIDE_HALF.copysign(off) * (512.0 - off.abs()) / (512.0 - WIDE_HALF);
        }
    }
    (ideal + error).round() as u16
}

/// Evenly between minus and plus `spread`.
pub(super) fn even(random: &mut SplitMix64, spread: f64) -> f64 {
    let share = (random.next() >> 11) as f64 / (1_u64 << 53) as f64;
    spread * (2.0 * share - 1.0)
}

/// Nearly normal, variance 1: a count of 128 coin tosses. Needs no logarithm, so it is the same on
/// every machine, and its tails reach far enough for what matters here (one in a million).
fn normal(random: &mut SplitMix64) -> f64 {
    let heads = random.next().count_ones() + random.next().count_ones();
    (f64::from(heads) - 64.0) / 32_f64.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_codes_are_nine_wide_and_no_other_code_is_missing() {
        let mut widths = [0_u32; 4096];
        for tenth in 0..40_950 {
            widths[usize::from(converted(f64::from(tenth) / 10.0))] += 1;
        }
        for (code, &width) in widths.iter().enumerate().take(4095).skip(1) {
            let bad = WIDE_CODES.contains(&(code as f64));
            let expected = if bad { 90..=101 } else { 8..=11 };
            assert!(expected.contains(&width), "{code}: {width}");
        }
        assert_eq!([2048.0, 1024.0, 3072.0].map(converted), [2048, 1024, 3072]);
    }

    #[test]
    fn noise_has_its_size_and_no_mean() {
        let mut random = SplitMix64::new(1);
        let draws: Vec<f64> = (0..100_000).map(|_| normal(&mut random)).collect();
        let mean = draws.iter().sum::<f64>() / 1e5;
        let square = draws.iter().map(|x| x * x).sum::<f64>() / 1e5;
        let beyond_three = draws.iter().filter(|x| x.abs() > 3.0).count();
        assert!(mean.abs() < 0.02 && (square - 1.0).abs() < 0.02, "{mean} {square}");
        assert!((200..350).contains(&beyond_three), "{beyond_three}");
    }
}
