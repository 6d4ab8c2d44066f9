//! USB: a serial port. For now it takes bytes and throws them away; the link will live here.

use embassy_rp::Peri;
use embassy_rp::peripherals::USB;
use embassy_rp::usb::Driver;
use embassy_usb::class::cdc_acm::{CdcAcmClass, State};
use embassy_usb::{Builder, Config, Handler, UsbDevice};
use static_cell::{ConstStaticCell, StaticCell};

use super::Irqs;
use super::power::{BUS, Bus};

/// pid.codes, which lends numbers to open hardware; this product number is the one for tests.
const VENDOR: u16 = 0x1209;
const PRODUCT: u16 = 0x0001;
/// The largest packet of a full-speed bulk endpoint.
const PACKET_SIZE: u16 = 64;
/// What the board draws at most, mA (`wiring::limits` keeps 10 % below).
const CURRENT_MA: u16 = 500;

type Device = UsbDevice<'static, Driver<'static, USB>>;
type Port = CdcAcmClass<'static, Driver<'static, USB>>;

/// The device and its serial port.
pub(super) fn build(usb: Peri<'static, USB>) -> (Device, Port) {
    // Configuration 75 bytes with this one class, no BOS capabilities, control data of 7 bytes.
    static CONFIGURATION: ConstStaticCell<[u8; 128]> = ConstStaticCell::new([0; 128]);
    static CAPABILITIES: ConstStaticCell<[u8; 32]> = ConstStaticCell::new([0; 32]);
    static CONTROL: ConstStaticCell<[u8; 64]> = ConstStaticCell::new([0; 64]);
    static PORT: StaticCell<State<'static>> = StaticCell::new();
    static CURRENT: ConstStaticCell<Current> = ConstStaticCell::new(Current);

    let mut config = Config::new(VENDOR, PRODUCT);
    config.manufacturer = Some("lodestone");
    config.product = Some("lodestone board");
    config.max_power = CURRENT_MA;
    let mut builder = Builder::new(
        Driver::new(usb, Irqs),
        config,
        CONFIGURATION.take(),
        CAPABILITIES.take(),
        &mut [],
        CONTROL.take(),
    );
    builder.handler(CURRENT.take());
    let port = CdcAcmClass::new(&mut builder, PORT.init(State::new()), PACKET_SIZE);
    (builder.build(), port)
}

/// Tells `power` what the host grants.
struct Current;

impl Handler for Current {
    fn reset(&mut self) {
        BUS.signal(Bus::Reset);
    }

    fn configured(&mut self, configured: bool) {
        defmt::info!("USB configured: {}", configured);
        BUS.signal(if configured { Bus::Configured } else { Bus::Reset });
    }
}

/// The USB stack itself.
#[embassy_executor::task]
pub(super) async fn run(mut device: Device) {
    device.run().await;
}

/// Empties the port, so that a host never waits.
#[embassy_executor::task]
pub(super) async fn receive(mut port: Port) {
    let mut packet = [0; PACKET_SIZE as usize];
    loop {
        port.wait_connection().await;
        while port.read_packet(&mut packet).await.is_ok() {}
    }
}
