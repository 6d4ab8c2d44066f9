//! The image one flashes. On a PC the same binary prints the wiring table.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod device;

#[cfg(not(target_os = "none"))]
fn main() {
    use lodestone::geometry::Playfield;
    use lodestone::wiring;

    println!("GPIO  signal     direction  pull");
    for pin in wiring::PINS {
        let (direction, pull) = (format!("{:?}", pin.direction), format!("{:?}", pin.pull));
        println!("{:<6}{:<11}{direction:<11}{pull}", pin.gpio, pin.signal);
    }
    for playfield in Playfield::ALL {
        println!("\n{playfield:?}\npoint  bank address  channel  LED");
        for point in playfield.points() {
            let (column, row) = playfield.place(point);
            let name = format!("{}{row}", char::from(b'a' + column as u8));
            let wiring::Slot { address, channel } = wiring::slot(playfield, point);
            println!("{name:<7}{address:<14}{channel:<9}{}", wiring::led(playfield, point));
        }
    }
}
