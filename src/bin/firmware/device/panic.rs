//! A panic: log it, remember it for the next start, reset.

use core::panic::PanicInfo;

use cortex_m::peripheral::SCB;

use super::watchdog;

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    // No task may go on beside a broken one.
    cortex_m::interrupt::disable();
    // Where is enough to find out what; spelling the message would cost kilobytes of the image.
    if let Some(place) = info.location() {
        defmt::error!(
            "panicked at {=str}:{=u32}:{=u32}",
            place.file(),
            place.line(),
            place.column()
        );
    }
    watchdog::note_panic();
    SCB::sys_reset()
}
