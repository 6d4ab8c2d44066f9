//! Everything of the chip: pins and tasks.
//!
//! Two executors. What must not wait runs in the interrupt executor: the field task (scan, then
//! lights), keys and buzzer. Everything else runs in the thread executor, with the console in its
//! middle. The watchdog is fed only while both are alive.

mod answer;
mod buzzer;
mod console;
mod dma;
mod field;
mod flash;
mod heartbeat;
mod hook;
mod keys;
mod leds;
mod link;
mod panic;
mod power;
mod scan;
mod stack;
mod store;
mod strap;
mod usb;
mod watchdog;

use core::fmt::Write;

use defmt_rtt as _;
use embassy_executor::{InterruptExecutor, Spawner};
use embassy_rp::gpio::{Input, Level, Output, Pull};
use embassy_rp::interrupt::{self, InterruptExt, Priority};
use embassy_rp::peripherals::{DMA_CH0, PIO0, PIO1, USB};
use embassy_rp::pio::{self, Pio};
use embassy_rp::pwm::Pwm;
use heapless::String;
use lodestone::link::SERIAL_MAX;
use lodestone::wiring;
use static_cell::StaticCell;

embassy_rp::bind_interrupts!(struct Irqs {
    DMA_IRQ_0 => embassy_rp::dma::InterruptHandler<DMA_CH0>;
    PIO0_IRQ_0 => pio::InterruptHandler<PIO0>;
    PIO1_IRQ_0 => pio::InterruptHandler<PIO1>;
    USBCTRL_IRQ => embassy_rp::usb::InterruptHandler<USB>;
});

static FIELD_EXECUTOR: InterruptExecutor = InterruptExecutor::new();

#[embassy_rp::interrupt]
unsafe fn SWI_IRQ_1() {
    // SAFETY: the executor asks for this: called from its own interrupt and from nowhere else.
    unsafe { FIELD_EXECUTOR.on_interrupt() }
}

/// The number in a pin's name: embassy has a type per pin, `wiring` has numbers.
const fn pin_number(name: &str) -> u8 {
    let name = name.as_bytes();
    let (mut number, mut at) = (0, "PIN_".len());
    while at < name.len() {
        number = number * 10 + (name[at] - b'0');
        at += 1;
    }
    number
}

/// Takes a pin and fails the build when `wiring` says another number.
macro_rules! wire {
    ($p:ident.$pin:ident, $wire:expr) => {{
        const _: () = assert!(pin_number(stringify!($pin)) == $wire, "wiring has another pin");
        $p.$pin
    }};
}

/// The board's number as hosts read it.
fn serial_text(number: u64) -> &'static str {
    static TEXT: StaticCell<String<SERIAL_MAX>> = StaticCell::new();
    let mut text = String::new();
    // 16 digits always fit.
    let _ = write!(text, "{number:016x}");
    TEXT.init(text)
}

#[embassy_executor::main]
async fn main(spawner: Spawner) -> ! {
    let p = embassy_rp::init(embassy_rp::config::Config::default());
    defmt::info!("{=str} {=str}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    let (watchdog, resets) = watchdog::Guard::start(p.WATCHDOG);

    let (flash, serial) = flash::Shared::new(p.FLASH);
    let serial = serial_text(serial);

    let mut pio1 = Pio::new(p.PIO1, Irqs);
    let select = [
        pio1.common.make_pio_pin(wire!(p.PIN_2, wiring::BANK[0])),
        pio1.common.make_pio_pin(wire!(p.PIN_3, wiring::BANK[1])),
        pio1.common.make_pio_pin(wire!(p.PIN_4, wiring::BANK[2])),
        pio1.common.make_pio_pin(wire!(p.PIN_5, wiring::BANK[3])),
        pio1.common.make_pio_pin(wire!(p.PIN_6, wiring::BANK_ENABLE)),
        pio1.common.make_pio_pin(wire!(p.PIN_7, wiring::CHANNEL[0])),
        pio1.common.make_pio_pin(wire!(p.PIN_8, wiring::CHANNEL[1])),
        pio1.common.make_pio_pin(wire!(p.PIN_9, wiring::CHANNEL[2])),
        pio1.common.make_pio_pin(wire!(p.PIN_10, wiring::CHANNEL[3])),
    ];
    let sync = Output::new(wire!(p.PIN_22, wiring::SYNC), Level::Low);
    let converter = strap::Converter::new(
        p.ADC,
        wire!(p.PIN_26, wiring::SENSE),
        wire!(p.PIN_27, wiring::FIELD_ID),
    );
    let channels = scan::Channels {
        words: dma::Quiet::new(p.DMA_CH1),
        starts: dma::Quiet::new(p.DMA_CH2),
        samples: embassy_rp::dma::Channel::new(p.DMA_CH0, Irqs),
    };
    let scanner = scan::Scanner::new(&mut pio1.common, pio1.sm0, select, sync, channels);

    let mut pio0 = Pio::new(p.PIO0, Irqs);
    let data = pio0.common.make_pio_pin(wire!(p.PIN_11, wiring::LED_DATA));
    let chain = leds::Chain::new(&mut pio0.common, pio0.sm0, &data, dma::Quiet::new(p.DMA_CH3));

    interrupt::SWI_IRQ_1.set_priority(Priority::P2);
    let field_spawner = FIELD_EXECUTOR.start(interrupt::SWI_IRQ_1);
    let (sender, scans) = field::scans();
    field_spawner.spawn(field::run(converter, scanner, chain, sender).unwrap());
    let keys = [
        Input::new(wire!(p.PIN_14, wiring::KEYS[0]), Pull::Up),
        Input::new(wire!(p.PIN_15, wiring::KEYS[1]), Pull::Up),
        Input::new(wire!(p.PIN_16, wiring::KEYS[2]), Pull::Up),
        Input::new(wire!(p.PIN_17, wiring::KEYS[3]), Pull::Up),
        Input::new(wire!(p.PIN_18, wiring::KEYS[4]), Pull::Up),
        Input::new(wire!(p.PIN_19, wiring::KEYS[5]), Pull::Up),
        Input::new(wire!(p.PIN_20, wiring::KEY_OK), Pull::Up),
        Input::new(wire!(p.PIN_21, wiring::KEY_UNDO), Pull::Up),
    ];
    field_spawner.spawn(keys::run(keys).unwrap());
    let buzzer = wire!(p.PIN_13, wiring::BUZZER);
    let buzzer = Pwm::new_output_b(p.PWM_SLICE6, buzzer, buzzer::silence(false));
    field_spawner.spawn(buzzer::run(buzzer).unwrap());

    let led_enable = Output::new(wire!(p.PIN_12, wiring::LED_ENABLE), Level::Low);
    let heartbeat = Output::new(wire!(p.PIN_25, wiring::HEARTBEAT), Level::Low);
    let (device, port) = usb::build(p.USB, serial);
    let (sender, receiver, control) = port.split_with_control();
    spawner.spawn(usb::run(device).unwrap());
    spawner.spawn(usb::receive(receiver).unwrap());
    spawner.spawn(usb::send(sender).unwrap());
    spawner.spawn(usb::watch(control).unwrap());
    spawner.spawn(console::run(console::Start { flash, serial, resets }, scans).unwrap());
    spawner.spawn(power::run(led_enable).unwrap());
    spawner.spawn(heartbeat::run(heartbeat).unwrap());
    spawner.spawn(watchdog::feed(watchdog).unwrap());
    spawner.spawn(hook::run().unwrap());
    // Never ends: embassy-rp counts the users of both PIO blocks together, and dropping the parts
    // of `pio0` and `pio1` that are not used would take the pins away from those that are.
    core::future::pending().await
}
