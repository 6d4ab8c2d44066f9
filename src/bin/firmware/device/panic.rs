//! A panic: log it, remember it for the next start, reset.

use core::panic::PanicInfo;

use cortex_m::peripheral::SCB;

use super::watchdog;

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    // No task may go on beside a broken one.
    cortex_m::interrupt::disable();
    defmt::error!("{}", defmt::Display2Format(info));
    watchdog::note_panic();
    SCB::sys_reset()
}
