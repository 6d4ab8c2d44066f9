//! What goes through the pipe, both ways. Names and fields are those of the JSON text.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use lodestone::wiring::{self, PinDirection, Pull, timing};
use serde::{Deserialize, Deserializer, Serialize};

use super::{Options, Statistics};

/// From power to a valid output of a sensor, at most.
const SENSOR_READY_US: u64 = 330;
/// What a WS2812C-2020 takes for a zero and a one: how long the line is high, ns.
const LED_ZERO_HIGH_NS: [u64; 2] = [220, 380];
const LED_ONE_HIGH_NS: [u64; 2] = [580, 1000];
/// How far a bit's length may be off, ns.
const LED_BIT_TOLERANCE_NS: u64 = 150;
const BITS_PER_LED: u64 = 24;

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Request {
    /// A new machine, powered up to its first instruction.
    Load { elf: PathBuf, config: Box<Config> },
    /// Runs for so long; answered by [`Ran`].
    Run { ns: u64 },
    /// Sets sensors: (address, channel, code) each.
    Sensors { codes: Vec<(u8, u8, u16)> },
    /// Takes all sensors away.
    Unplug {},
    /// Sets what the strap's input reads.
    Strap { code: u16 },
    /// Presses or releases a key.
    Key { pin: u8, pressed: bool },
    /// The USB host.
    Usb { present: bool, reading: bool },
    /// Bytes to the board.
    UsbSend { bytes: String },
    /// Writes a scratch register of the watchdog.
    Scratch { index: u8, value: u32 },
    /// Whether visits become events.
    Trace { on: bool },
    /// Answered by [`RawStatistics`], which start anew.
    Statistics {},
    /// Reads flash; answered by [`Flash`].
    Flash { address: u32, size: u32 },
    /// A sector of the flash stays as it is from now on.
    DeadSector { address: u32 },
    /// Power fails at the n-th flash operation.
    CutPower { operation: u32 },
    /// Power fails at once.
    CutPowerNow {},
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Answer<T> {
    Ok(T),
    Error(String),
}

/// Nothing to tell.
#[derive(Deserialize)]
pub(super) struct Done {}

#[derive(Deserialize)]
pub(super) struct Ran {
    #[serde(deserialize_with = "time")]
    pub(super) now: Duration,
    pub(super) cycles: u64,
    pub(super) flash_operations: u32,
    pub(super) cpu_us: u64,
    pub(super) events: Vec<Event>,
}

#[derive(Deserialize)]
pub(super) struct Event {
    #[serde(deserialize_with = "time")]
    pub(super) at: Duration,
    pub(super) what: RawEvent,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RawEvent {
    Frame {
        #[serde(deserialize_with = "time")]
        start: Duration,
        bytes: String,
        powered: bool,
    },
    LedPower {
        on: bool,
    },
    Tone(Tone),
    Visit(Visit),
    Violation {
        text: String,
    },
    Usb {
        bytes: String,
    },
    UsbReady {},
    Log {
        bytes: String,
    },
    Reset {
        reason: ResetReason,
    },
    Pin {
        pin: u8,
        high: bool,
    },
    Fault {
        text: String,
    },
}

/// The select lines between two changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct Visit {
    /// When the lines changed again.
    #[serde(deserialize_with = "time")]
    pub end: Duration,
    /// Bank address.
    pub address: u8,
    /// Whether that bank had power.
    pub powered: bool,
    /// Multiplexer channel.
    pub channel: u8,
    /// How many conversions started.
    pub samples: u32,
    /// When the first did.
    #[serde(deserialize_with = "maybe_time")]
    pub first: Option<Duration>,
    /// When the last did.
    #[serde(deserialize_with = "maybe_time")]
    pub last: Option<Duration>,
}

/// What the buzzer plays: periods of the same length without a break.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct Tone {
    /// When it ended.
    #[serde(deserialize_with = "time")]
    pub end: Duration,
    /// Its frequency.
    pub hz: u32,
}

/// Why the chip was reset. A panic is a [`ResetReason::SysReset`] after its text in the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ResetReason {
    /// The watchdog was not fed.
    Watchdog,
    /// The program asked for it.
    SysReset,
    /// The power failed, as asked for by a test.
    PowerCut,
    /// The program asked for the boot loader; the chip waits there.
    UsbBoot,
}

#[derive(Deserialize)]
pub(super) struct Flash {
    pub(super) bytes: String,
}

#[derive(Deserialize)]
pub(super) struct RawStatistics {
    conversions: u64,
    visits: u64,
    #[serde(deserialize_with = "maybe_time")]
    gap: Option<Duration>,
    #[serde(deserialize_with = "maybe_time")]
    power: Option<Duration>,
    #[serde(deserialize_with = "maybe_time")]
    channel: Option<Duration>,
    #[serde(deserialize_with = "maybe_time")]
    spacing: Option<Duration>,
    samples_min: Option<u32>,
    samples_max: u32,
    worst_error: u64,
}

impl From<RawStatistics> for Statistics {
    fn from(raw: RawStatistics) -> Statistics {
        Statistics {
            conversions: raw.conversions,
            visits: raw.visits,
            gap: raw.gap,
            power: raw.power,
            channel: raw.channel,
            spacing: raw.spacing,
            samples: raw.samples_min.map(|least| (least, raw.samples_max)),
            worst_error: raw.worst_error,
        }
    }
}

/// Everything the Node program must know of the board: it has no facts of its own.
#[derive(Serialize)]
pub(super) struct Config {
    seed: u32,
    fast_paths: bool,
    leave_out: Vec<String>,
    flash: Vec<FlashPart>,
    watch: Vec<u8>,
    flash_id: String,
    buzzer: u8,
    led: LedConfig,
    board: BoardConfig,
}

#[derive(Serialize)]
struct FlashPart {
    address: u32,
    bytes: String,
}

#[derive(Serialize)]
struct LedConfig {
    pin: u8,
    power: u8,
    timing: LedTiming,
}

/// Allowed lengths, ns: from and to.
#[derive(Serialize)]
struct LedTiming {
    zero_high: [u64; 2],
    one_high: [u64; 2],
    bit: [u64; 2],
    reset: u64,
}

#[derive(Serialize)]
struct BoardConfig {
    select: Select,
    pulled_up: Vec<u8>,
    sense: u8,
    strap: u8,
    noise: f64,
    tau_ns: u64,
    sensor_ready_ns: u64,
    least_ns: Least,
}

#[derive(Serialize)]
struct Select {
    address: [u8; 4],
    enable: u8,
    channel: [u8; 4],
}

/// Shortest allowed times, ns.
#[derive(Serialize)]
struct Least {
    gap: u64,
    power: u64,
    channel: u64,
}

impl Config {
    pub(super) fn new(options: &Options) -> Config {
        let part = |(address, bytes): &(u32, Vec<u8>)| FlashPart {
            address: *address,
            bytes: to_hex(bytes),
        };
        Config {
            seed: options.seed,
            fast_paths: options.fast_paths,
            leave_out: options.leave_out.clone(),
            flash: options.flash.iter().map(part).collect(),
            watch: options.watch.clone(),
            flash_id: to_hex(&options.flash_id.to_be_bytes()),
            buzzer: wiring::BUZZER,
            led: LedConfig {
                pin: wiring::LED_DATA,
                power: wiring::LED_ENABLE,
                timing: LedTiming::new(),
            },
            board: BoardConfig::new(options),
        }
    }
}

impl LedTiming {
    fn new() -> LedTiming {
        let bit = ns(timing::LED_US) / BITS_PER_LED;
        LedTiming {
            zero_high: LED_ZERO_HIGH_NS,
            one_high: LED_ONE_HIGH_NS,
            bit: [bit - LED_BIT_TOLERANCE_NS, bit + LED_BIT_TOLERANCE_NS],
            reset: ns(timing::LED_RESET_US),
        }
    }
}

impl BoardConfig {
    fn new(options: &Options) -> BoardConfig {
        let is_up = |pin: &&wiring::Pin| {
            matches!(pin.pull, Pull::Up | Pull::Internal) && pin.direction != PinDirection::Analog
        };
        BoardConfig {
            select: Select {
                address: wiring::BANK,
                enable: wiring::BANK_ENABLE,
                channel: wiring::CHANNEL,
            },
            pulled_up: wiring::PINS.iter().filter(is_up).map(|pin| pin.gpio).collect(),
            sense: wiring::SENSE,
            strap: wiring::FIELD_ID,
            noise: options.noise,
            tau_ns: options.settling.as_nanos() as u64,
            sensor_ready_ns: SENSOR_READY_US * 1000,
            least_ns: Least {
                gap: ns(timing::GAP_US),
                power: ns(timing::POWER_US),
                channel: ns(timing::CHANNEL_US),
            },
        }
    }
}

/// Times are numbers of ns.
fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    Ok(Duration::from_nanos(u64::deserialize(deserializer)?))
}

/// The same, or null for what never happened.
fn maybe_time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    Ok(Option::<u64>::deserialize(deserializer)?.map(Duration::from_nanos))
}

fn ns(us: u32) -> u64 {
    u64::from(us) * 1000
}

pub(super) fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = |byte: &u8| [byte >> 4, byte & 15].map(|n| char::from(DIGITS[usize::from(n)]));
    bytes.iter().flat_map(digits).collect()
}

pub(super) fn from_hex(text: &str) -> anyhow::Result<Vec<u8>> {
    let byte = |pair: &[u8]| match pair {
        [_, _] => u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok(),
        _ => None,
    };
    let pairs = text.as_bytes().chunks(2);
    pairs.map(byte).collect::<Option<_>>().context("the emulator sent bytes that are not hex")
}

/// The chain's bytes are green, red, blue.
pub(super) fn colours(bytes: &[u8]) -> Vec<[u8; 3]> {
    bytes.chunks_exact(3).map(|led| [led[1], led[0], led[2]]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_the_pipe() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(from_hex(&to_hex(&all)).unwrap(), all);
        for wrong in ["0", "0g", "\u{fc}"] {
            assert!(from_hex(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn colours_come_green_first() {
        assert_eq!(colours(&[2, 1, 3, 0, 255, 0]), [[1, 2, 3], [255, 0, 0]]);
    }

    #[test]
    fn events_are_read_with_their_times() {
        let text = r#"{"at":1500,"what":{"visit":{"end":2500,"address":3,"powered":true,
            "channel":4,"samples":0,"first":null,"last":null}}}"#;
        let event: Event = serde_json::from_str(text).unwrap();
        assert_eq!(event.at, Duration::from_nanos(1500));
        let RawEvent::Visit(visit) = event.what else { panic!("not a visit") };
        assert_eq!((visit.end, visit.first), (Duration::from_nanos(2500), None));
    }
}
