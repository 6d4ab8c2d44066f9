//! Everything of the chip: pins and tasks.
//!
//! Two executors. The field task (scan, then lights) runs in the interrupt executor, so that no
//! other work moves a scan; everything else runs in the thread executor. The watchdog is fed only
//! while both are alive.

mod dma;
mod field;
mod heartbeat;
mod leds;
mod panic;
mod power;
mod scan;
mod strap;
mod usb;
mod watchdog;

use defmt_rtt as _;
use embassy_executor::{InterruptExecutor, Spawner};
use embassy_rp::gpio::{Level, Output};
use embassy_rp::interrupt::{self, InterruptExt, Priority};
use embassy_rp::peripherals::{DMA_CH0, PIO0, PIO1, USB};
use embassy_rp::pio::{self, Pio};
use lodestone::wiring;

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

#[embassy_executor::main]
async fn main(spawner: Spawner) -> ! {
    let p = embassy_rp::init(embassy_rp::config::Config::default());
    defmt::info!("{=str} {=str}", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    let (watchdog, hook) = watchdog::Guard::start(p.WATCHDOG);

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
    field_spawner.spawn(field::run(converter, scanner, chain, hook).unwrap());

    let led_enable = Output::new(wire!(p.PIN_12, wiring::LED_ENABLE), Level::Low);
    let heartbeat = Output::new(wire!(p.PIN_25, wiring::HEARTBEAT), Level::Low);
    let (device, port) = usb::build(p.USB);
    spawner.spawn(usb::run(device).unwrap());
    spawner.spawn(usb::receive(port).unwrap());
    spawner.spawn(power::run(led_enable).unwrap());
    spawner.spawn(heartbeat::run(heartbeat).unwrap());
    spawner.spawn(watchdog::feed(watchdog).unwrap());
    spawner.spawn(watchdog::misbehave(hook).unwrap());
    // Never ends: embassy-rp counts the users of both PIO blocks together, and dropping the parts
    // of `pio0` and `pio1` that are not used would take the pins away from those that are.
    core::future::pending().await
}
