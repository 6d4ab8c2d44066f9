//! The image one flashes. On a PC the same binary prints the wiring table.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
use {defmt_rtt as _, embassy_rp as _};

#[cfg(not(target_os = "none"))]
fn main() {}

#[cfg(target_os = "none")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    cortex_m::peripheral::SCB::sys_reset()
}

#[cfg(target_os = "none")]
#[cortex_m_rt::entry]
fn main() -> ! {
    loop {}
}
