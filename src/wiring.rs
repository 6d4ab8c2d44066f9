//! Which wire goes where: the one place that knows pins, scan order, LED order, flash map and
//! electrical limits.
//!
//! Firmware, simulator and hardware checks all read this module; `hardware/pins.csv` states the
//! pins again for people and scripts, `memory.x` the flash map for the linker, and tests compare
//! them. Nothing here knows what a point means in a game.
//!
//! How a sensor is reached: each column of a playfield is a *bank* that is powered alone. The
//! decoder address selects the bank, the multiplexer channel the sensor in it. LEDs form one chain:
//! first the six keys, then the columns, up and down in turn.

pub mod scan;

use crate::geometry::{Playfield, Point};

/// One row of the pin table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pin {
    /// GPIO number of the RP2040.
    pub gpio: u8,
    /// Name of the net on the boards.
    pub signal: &'static str,
    /// Seen from the RP2040.
    pub direction: PinDirection,
    /// What holds it while nobody drives it.
    pub pull: Pull,
}

/// Which way a pin works, seen from the RP2040.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PinDirection {
    /// Digital output.
    Out,
    /// Digital input.
    In,
    /// Input of the ADC.
    Analog,
}

/// What holds a pin while nobody drives it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pull {
    /// Nothing.
    None,
    /// A 10 kΩ resistor on the board, to ground.
    Down,
    /// A 10 kΩ resistor on the board, to the supply.
    Up,
    /// The RP2040's own pull-up.
    Internal,
}

/// Decoder address lines, lowest bit first. With [`BANK_ENABLE`] and [`CHANNEL`] they stand side by
/// side from GP2 on, so that one PIO instruction sets all nine.
pub const BANK: [u8; 4] = [2, 3, 4, 5];
/// Low = the addressed bank has power. Pulled up: at reset all banks are off.
pub const BANK_ENABLE: u8 = 6;
/// Multiplexer channel lines, lowest bit first.
pub const CHANNEL: [u8; 4] = [7, 8, 9, 10];
/// Data of the LED chain, before the level shifter.
pub const LED_DATA: u8 = 11;
/// High = the LEDs have power.
pub const LED_ENABLE: u8 = 12;
/// Passive piezo, PWM slice 6 channel B.
pub const BUZZER: u8 = 13;
/// Keys K1..K6, low = pressed.
pub const KEYS: [u8; 6] = [14, 15, 16, 17, 18, 19];
/// The OK key, low = pressed.
pub const KEY_OK: u8 = 20;
/// The UNDO key, low = pressed.
pub const KEY_UNDO: u8 = 21;
/// Test point: high while a scan runs.
pub const SYNC: u8 = 22;
/// LED on the Pico module, heartbeat.
pub const HEARTBEAT: u8 = 25;
/// The joined line of all sensors, ADC input 0.
pub const SENSE: u8 = 26;
/// The strap that tells which playfield is plugged in, ADC input 1.
pub const FIELD_ID: u8 = 27;

/// All pins, by GPIO number.
pub const PINS: [Pin; 24] = {
    use PinDirection::{Analog, In, Out};
    const fn pin(gpio: u8, signal: &'static str, direction: PinDirection, pull: Pull) -> Pin {
        Pin { gpio, signal, direction, pull }
    }
    [
        pin(BANK[0], "BANK0", Out, Pull::Down),
        pin(BANK[1], "BANK1", Out, Pull::Down),
        pin(BANK[2], "BANK2", Out, Pull::Down),
        pin(BANK[3], "BANK3", Out, Pull::Down),
        pin(BANK_ENABLE, "/BANK_EN", Out, Pull::Up),
        pin(CHANNEL[0], "CH0", Out, Pull::None),
        pin(CHANNEL[1], "CH1", Out, Pull::None),
        pin(CHANNEL[2], "CH2", Out, Pull::None),
        pin(CHANNEL[3], "CH3", Out, Pull::None),
        pin(LED_DATA, "LED_DATA", Out, Pull::Down),
        pin(LED_ENABLE, "LED_EN", Out, Pull::Down),
        pin(BUZZER, "BUZZER", Out, Pull::None),
        pin(KEYS[0], "K1", In, Pull::Internal),
        pin(KEYS[1], "K2", In, Pull::Internal),
        pin(KEYS[2], "K3", In, Pull::Internal),
        pin(KEYS[3], "K4", In, Pull::Internal),
        pin(KEYS[4], "K5", In, Pull::Internal),
        pin(KEYS[5], "K6", In, Pull::Internal),
        pin(KEY_OK, "OK", In, Pull::Internal),
        pin(KEY_UNDO, "UNDO", In, Pull::Internal),
        pin(SYNC, "SYNC", Out, Pull::None),
        pin(HEARTBEAT, "HEARTBEAT", Out, Pull::None),
        pin(SENSE, "SENSE", Analog, Pull::None),
        pin(FIELD_ID, "FIELD_ID", Analog, Pull::Up),
    ]
};

/// How a sensor is reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// What stands on the decoder's inputs: the bank.
    pub address: u8,
    /// What stands on the multiplexers' inputs: the sensor in the bank.
    pub channel: u8,
}

impl Slot {
    /// The state of the nine select lines from GP2 on: address, enable, channel.
    pub const fn lines(self, powered: bool) -> u16 {
        self.address as u16 | (!powered as u16) << 4 | (self.channel as u16) << 5
    }
}

/// The slot of a point. Points are scanned in point order: bank by bank, channel by channel.
///
/// Addresses run against the columns because the select lines then run straight on the board.
pub const fn slot(playfield: Playfield, point: Point) -> Slot {
    let (column, row) = playfield.place(point);
    let (low, _) = playfield.rows(column);
    Slot { address: playfield.column_count() as u8 - 1 - column as u8, channel: (row - low) as u8 }
}

/// LEDs of the keys K1..K6, the first of the chain.
pub const KEY_LED_COUNT: usize = KEYS.len();
/// LEDs of the longest chain: keys and square playfield.
pub const LED_COUNT_MAX: usize = KEY_LED_COUNT + Playfield::POINTS_MAX;

/// How many LEDs the chain has with this playfield.
pub const fn led_count(playfield: Playfield) -> usize {
    KEY_LED_COUNT + playfield.point_count()
}

/// A point's place in the LED chain: behind the keys, even columns upwards, odd ones downwards.
pub const fn led(playfield: Playfield, point: Point) -> usize {
    let table = match playfield {
        Playfield::Hex => &HEX_LEDS,
        Playfield::Square => &SQUARE_LEDS,
    };
    table[point.index()] as usize
}

/// Looked up, because the firmware does it for every point between a scan and an LED frame.
const HEX_LEDS: [u8; Playfield::POINTS_MAX] = leds(Playfield::Hex);
const SQUARE_LEDS: [u8; Playfield::POINTS_MAX] = leds(Playfield::Square);

const fn leds(playfield: Playfield) -> [u8; Playfield::POINTS_MAX] {
    let mut leds = [0; Playfield::POINTS_MAX];
    let mut index = 0;
    while let Some(point) = Point::new(playfield, index) {
        let (column, row) = playfield.place(point);
        let (low, high) = playfield.rows(column);
        let upwards = KEY_LED_COUNT + index;
        let turned = if column % 2 == 0 { 0 } else { (high - row) - (row - low) };
        leds[index] = (upwards as i16 + turned as i16) as u8;
        index += 1;
    }
    leds
}

/// Which playfield the strap's ADC code means: a divider of 10 kΩ to VA and 2.2 kΩ (hex, nominal
/// 739) or 4.7 kΩ (square, nominal 1310) to ground. Everything else is a fault and never guessed.
pub const fn playfield_of(strap_code: u16) -> Result<Playfield, StrapFault> {
    match strap_code {
        650..=830 => Ok(Playfield::Hex),
        1210..=1410 => Ok(Playfield::Square),
        3701.. => Err(StrapFault::Missing),
        _ => Err(StrapFault::Unknown),
    }
}

/// Why the strap does not tell the playfield.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(target_os = "none", derive(defmt::Format))]
pub enum StrapFault {
    /// Nothing pulls the line down: no playfield is plugged in.
    Missing,
    /// A voltage no playfield gives.
    Unknown,
}

/// What a bank, a channel change and a conversion need, and how often a scan is due.
pub mod timing {
    use crate::geometry::Playfield;

    /// Banks off between two banks, µs: a bank falls to 0.5 V in 19.
    pub const GAP_US: u32 = 20;
    /// From power to the first conversion of a bank, µs: the sensor needs 330 at most.
    pub const POWER_US: u32 = 400;
    /// From a channel change to the first conversion, µs: half an LSB after 9.2.
    pub const CHANNEL_US: u32 = 12;
    /// One conversion, µs: 96 cycles of 48 MHz.
    pub const CONVERSION_US: u32 = 2;
    /// Conversions added up per point; eight 12-bit codes fit 16 bits.
    pub const SAMPLES: u32 = 8;
    /// One LED of 24 bits of 1.25 µs each, µs.
    pub const LED_US: u32 = 30;
    /// Low time that makes the LEDs show a frame, µs: 280 needed.
    pub const LED_RESET_US: u32 = 300;
    /// From LED power to the first frame, ms: the load switch starts slowly.
    pub const LED_POWER_MS: u64 = 10;
    /// Without a USB bus reset for so long after the start, the supply is a charger, ms.
    pub const CHARGER_MS: u64 = 1000;
    /// How much longer than planned a scan may take before it counts as stuck, µs.
    pub const SCAN_LATE_US: u32 = 1000;

    /// From scan to scan, µs: a scan, an LED frame and some slack.
    pub const fn period_us(playfield: Playfield) -> u32 {
        match playfield {
            Playfield::Hex => 12_500,
            Playfield::Square => 25_000,
        }
    }
}

/// Codes and currents that the electronics allow.
pub mod limits {
    use crate::geometry::Playfield;

    /// Code of a sensor without a field: half of 4096.
    pub const ZERO_NOMINAL: u16 = 2048;
    /// A zero further from nominal than this is a fault, codes: part tolerance 1.59..1.71 V.
    pub const ZERO_SPREAD: u16 = 74;
    /// Codes outside are a sensor fault: the output stage ends 0.2 V from either rail.
    pub const RAW: core::ops::RangeInclusive<u16> = 200..=3896;
    /// Codes per mT times 10 000: 60 mV/mT x 4096 / 3300 mV.
    pub const CODES_PER_10_T: u32 = 744_727;

    /// From here on a point counts as occupied, codes from [`ZERO_NOMINAL`]. Without calibration an
    /// empty point may show its zero's spread (74), a whole field of other pieces (0.476 mT = 35)
    /// and a step of the ADC (9): 118. A basic piece 2 mm off centre gives 248, at the worst zero
    /// still 174; a ring (134) or a GLÜX chip (69) is only seen once zeros are known.
    pub const OCCUPIED: u16 = FREE + 9;
    /// Below this it is free again; the 9 codes in between (0.12 mT) keep it from flickering.
    pub const FREE: u16 = ZERO_SPREAD + 35 + 9;

    /// Whether a point is occupied, from its code and what it was before.
    pub const fn occupied(code: u16, before: bool) -> bool {
        code.abs_diff(ZERO_NOMINAL) >= if before { FREE } else { OCCUPIED }
    }

    /// The largest sum of all channel bytes of an LED frame. A byte v draws v/51 mA (5 mA at 255);
    /// 450 mA from USB less module, one bank, idle LEDs and logic leave 230 mA (hex) and 110 mA
    /// (square) for light.
    pub const fn led_sum_max(playfield: Playfield) -> u32 {
        match playfield {
            Playfield::Hex => 51 * 230,
            Playfield::Square => 51 * 110,
        }
    }
}

/// What a test can ask of the image: it puts one of these into watchdog scratch register 0. The image
/// looks there every [`LOOK_MS`](test_hook::LOOK_MS) from its start on, clears it and does it once, so
/// the next start is sound. The register is zero after power-on, and nothing but a debugger can write
/// it from outside.
pub mod test_hook {
    /// The thread executor hangs in a busy loop.
    pub const HANG_THREADS: u32 = 0x7e57_0001;
    /// The scan task waits for ever; everything else goes on.
    pub const HANG_SCAN: u32 = 0x7e57_0002;
    /// A panic.
    pub const PANIC: u32 = 0x7e57_0003;
    /// Logs how much stack was used, how often the chip was reset, how many scans the console was too
    /// late for, and how long flash took.
    pub const REPORT: u32 = 0x7e57_0004;
    /// Plays the first of `Sound::ALL`; the n-th is n more.
    pub const SOUND: u32 = 0x7e57_0010;
    /// How often the image looks.
    pub const LOOK_MS: u64 = 200;
}

/// A part of the flash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region {
    /// Its first address.
    pub start: u32,
    /// Its size in bytes.
    pub size: u32,
}

impl Region {
    /// The first address behind it.
    pub const fn end(self) -> u32 {
        self.start + self.size
    }
}

/// Who owns which part of the 2 MiB of flash.
pub mod flash {
    use super::Region;

    /// All of it.
    pub const ALL: Region = Region { start: 0x1000_0000, size: 2048 * 1024 };
    /// Second-stage boot loader and program; the only part an update writes.
    pub const IMAGE: Region = Region { start: 0x1000_0000, size: 1024 * 1024 };
    /// The journal of games.
    pub const JOURNAL: Region = Region { start: 0x1010_0000, size: 960 * 1024 };
    /// Options and calibration.
    pub const SETTINGS: Region = Region { start: 0x101F_0000, size: 64 * 1024 };
    /// What is erased at once.
    pub const SECTOR: u32 = 4096;

    const _: () = assert!(IMAGE.start == ALL.start && IMAGE.end() == JOURNAL.start);
    const _: () = assert!(JOURNAL.end() == SETTINGS.start && SETTINGS.end() == ALL.end());
}

// What the scan's state machine relies on: nine neighbouring lines in this order.
const _: () = {
    let mut n = 0;
    while n < 4 {
        assert!(BANK[n] == BANK[0] + n as u8 && CHANNEL[n] == BANK[0] + 5 + n as u8);
        n += 1;
    }
    assert!(BANK_ENABLE == BANK[0] + 4);
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::format;
    use std::vec::Vec;

    use super::*;

    #[test]
    fn pins_are_those_of_the_hardware_files() {
        let csv = include_str!("../hardware/pins.csv");
        let stated: Vec<&str> = csv.lines().filter(|line| !line.starts_with('#')).collect();
        let mut expected = std::vec![std::string::String::from("gpio,signal,direction,pull")];
        expected.extend(PINS.iter().map(|pin| {
            let direction = format!("{:?}", pin.direction).to_lowercase();
            let pull = format!("{:?}", pin.pull).to_lowercase();
            format!("{},{},{direction},{pull}", pin.gpio, pin.signal)
        }));
        assert_eq!(stated, expected);
    }

    #[test]
    fn no_pin_is_used_twice() {
        let gpios: BTreeSet<u8> = PINS.iter().map(|pin| pin.gpio).collect();
        assert_eq!(gpios.len(), PINS.len());
        assert!(PINS.is_sorted_by_key(|pin| pin.gpio));
    }

    #[test]
    fn every_sensor_has_a_slot_of_its_own_in_the_order_of_the_scan() {
        for playfield in Playfield::ALL {
            let slots: Vec<Slot> = playfield.points().map(|point| slot(playfield, point)).collect();
            let unique: BTreeSet<(u8, u8)> = slots.iter().map(|s| (s.address, s.channel)).collect();
            assert_eq!(unique.len(), playfield.point_count());
            assert!(slots.iter().all(|s| s.address < 15 && s.channel < 16));
            // Banks one after the other, addresses falling; channels from 0 without a gap.
            for pair in slots.windows(2) {
                let same_bank = pair[0].address == pair[1].address;
                let next = if same_bank {
                    Slot { channel: pair[0].channel + 1, ..pair[0] }
                } else {
                    Slot { address: pair[0].address - 1, channel: 0 }
                };
                assert_eq!(pair[1], next);
            }
        }
        let f6 = Playfield::Hex.at(5, 6).unwrap();
        assert_eq!(slot(Playfield::Hex, f6), Slot { address: 5, channel: 5 });
        let a1 = Playfield::Square.at(0, 1).unwrap();
        assert_eq!(slot(Playfield::Square, a1), Slot { address: 14, channel: 0 });
    }

    #[test]
    fn select_lines_are_address_enable_channel() {
        let slot = Slot { address: 0b1010, channel: 0b0110 };
        assert_eq!(slot.lines(true), 0b0_1100_1010);
        assert_eq!(slot.lines(false), 0b0_1101_1010);
    }

    #[test]
    fn the_led_chain_meanders_through_the_columns() {
        for playfield in Playfield::ALL {
            let leds: BTreeSet<usize> = playfield.points().map(|p| led(playfield, p)).collect();
            let all: BTreeSet<usize> = (KEY_LED_COUNT..led_count(playfield)).collect();
            assert_eq!(leds, all);
        }
        let at = |column, row| led(Playfield::Hex, Playfield::Hex.at(column, row).unwrap());
        assert_eq!([at(0, 1), at(0, 6), at(1, 7), at(1, 1), at(2, 1)], [6, 11, 12, 18, 19]);
        assert_eq!(at(10, 11), 96);
    }

    #[test]
    fn the_strap_tells_the_playfield_or_nothing() {
        for (codes, expected) in [
            (0..=649, Err(StrapFault::Unknown)),
            (650..=830, Ok(Playfield::Hex)),
            (831..=1209, Err(StrapFault::Unknown)),
            (1210..=1410, Ok(Playfield::Square)),
            (1411..=3700, Err(StrapFault::Unknown)),
            (3701..=4095, Err(StrapFault::Missing)),
        ] {
            for code in codes {
                assert_eq!(playfield_of(code), expected, "{code}");
            }
        }
        // The dividers themselves: R / (R + 10 kΩ) of full scale.
        assert_eq!(playfield_of((4096 * 22 / 122) as u16), Ok(Playfield::Hex));
        assert_eq!(playfield_of((4096 * 47 / 147) as u16), Ok(Playfield::Square));
    }

    #[test]
    fn the_linker_has_the_same_flash_map() {
        let script = include_str!("../memory.x");
        let flat: std::string::String = script.split_whitespace().collect();
        let size = flash::IMAGE.size / 1024;
        let start = flash::IMAGE.start;
        for line in [
            format!("BOOT2:ORIGIN=0x{start:08X},LENGTH=0x100"),
            format!("FLASH:ORIGIN=0x{:08X},LENGTH={size}K-0x100", start + 0x100),
        ] {
            assert!(flat.contains(&line), "memory.x lacks {line}");
        }
    }

    #[test]
    fn a_late_scan_and_an_led_frame_fit_into_the_period() {
        for playfield in Playfield::ALL {
            let scan = scan::duration_us(&scan::words(playfield)) + timing::SCAN_LATE_US;
            let frame = led_count(playfield) as u32 * timing::LED_US + timing::LED_RESET_US;
            assert!(scan + frame < timing::period_us(playfield), "{playfield:?}");
        }
    }

    #[test]
    fn a_point_is_occupied_by_either_pole_and_does_not_flicker() {
        use limits::{FREE, OCCUPIED, ZERO_NOMINAL, ZERO_SPREAD, occupied};
        for pole in [-1, 1] {
            let code = |codes: u16| (i32::from(ZERO_NOMINAL) + pole * i32::from(codes)) as u16;
            assert!(!occupied(code(OCCUPIED - 1), false) && occupied(code(OCCUPIED), false));
            assert!(!occupied(code(FREE - 1), true) && occupied(code(FREE), true));
            // The worst zero of an empty point; a basic piece 2 mm off centre at the worst zero.
            assert!(!occupied(code(ZERO_SPREAD), true));
            assert!(occupied(code(248 - ZERO_SPREAD), false));
        }
    }
}
