//! USB: a serial port, and the bytes of the link through it.
//!
//! A cable that goes in or out in mid-message, a bus reset and a host that stops reading all end in
//! the same way: what was under way is lost, and `link` begins anew when the port is opened.

use embassy_rp::Peri;
use embassy_rp::peripherals::USB;
use embassy_rp::usb::Driver;
use embassy_usb::class::cdc_acm::{CdcAcmClass, ControlChanged, Receiver, Sender, State};
use embassy_usb::{Builder, Config, Handler, UsbDevice};
use static_cell::{ConstStaticCell, StaticCell};

use super::Irqs;
use super::link::{LINE, Line, OUT, PACKET_MAX, Packet};
use super::power::{BUS, Bus};

/// pid.codes, which lends numbers to open hardware; this product number is the one for tests.
const VENDOR: u16 = 0x1209;
const PRODUCT: u16 = 0x0001;
/// What the board draws at most, mA (`wiring::limits` keeps 10 % below).
const CURRENT_MA: u16 = 500;

type Device = UsbDevice<'static, Driver<'static, USB>>;
type Port = CdcAcmClass<'static, Driver<'static, USB>>;

/// The device and its serial port; `serial` is the number under which hosts know the board.
pub(super) fn build(usb: Peri<'static, USB>, serial: &'static str) -> (Device, Port) {
    // Configuration 75 bytes with this one class, no BOS capabilities, control data of 7 bytes.
    static CONFIGURATION: ConstStaticCell<[u8; 128]> = ConstStaticCell::new([0; 128]);
    static CAPABILITIES: ConstStaticCell<[u8; 32]> = ConstStaticCell::new([0; 32]);
    static CONTROL: ConstStaticCell<[u8; 64]> = ConstStaticCell::new([0; 64]);
    static PORT: StaticCell<State<'static>> = StaticCell::new();
    static CURRENT: ConstStaticCell<Current> = ConstStaticCell::new(Current);

    let mut config = Config::new(VENDOR, PRODUCT);
    config.manufacturer = Some("lodestone");
    config.product = Some("lodestone board");
    config.serial_number = Some(serial);
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
    let port = CdcAcmClass::new(&mut builder, PORT.init(State::new()), PACKET_MAX as u16);
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

/// Bytes from the host. While the console does not take them the host waits.
#[embassy_executor::task]
pub(super) async fn receive(mut port: Receiver<'static, Driver<'static, USB>>) {
    loop {
        port.wait_connection().await;
        let mut packet = Packet::from_array([0; PACKET_MAX]);
        while let Ok(count) = port.read_packet(&mut packet).await {
            let mut bytes = packet.clone();
            bytes.truncate(count);
            LINE.send(Line::Bytes(bytes)).await;
        }
    }
}

/// Bytes to the host.
#[embassy_executor::task]
pub(super) async fn send(mut port: Sender<'static, Driver<'static, USB>>) {
    let mut packet = [0; PACKET_MAX];
    loop {
        let count = OUT.read(&mut packet).await;
        let mut sent = port.write_packet(&packet[..count]).await;
        // A full packet means that more follows; an empty one takes that back.
        if sent.is_ok() && count == PACKET_MAX && OUT.is_empty() {
            sent = port.write_packet(&[]).await;
        }
        if sent.is_err() {
            port.wait_connection().await;
        }
    }
}

/// Programs that open and close the port. A bus reset closes it as well.
#[embassy_executor::task]
pub(super) async fn watch(control: ControlChanged<'static>) {
    let mut was_open = false;
    loop {
        control.control_changed().await;
        let is_open = control.dtr();
        if is_open != was_open {
            was_open = is_open;
            LINE.send(if is_open { Line::Opened } else { Line::Closed }).await;
        }
    }
}
