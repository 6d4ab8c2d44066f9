//! How much of the stack was ever used. Before the start all of it is painted; where the paint is
//! gone, it was used. Both executors and all interrupts share this one stack.
//!
//! Once, before anything else needs memory, the console is made on the stack and moved to where it
//! stays: it has no other way in that costs no flash. Then the stack is painted anew, so that the
//! mark shows what the board needs from then on.

use cortex_m::register::msp;
use cortex_m_rt::STACK_PAINT_VALUE;

unsafe extern "C" {
    /// The linker's: the stack begins at its upper end and grows down.
    static _stack_start: u32;
    static _stack_end: u32;
}

/// So much below the stack pointer may be in use by an interrupt that comes just now.
const MARGIN: u32 = 2048;

/// Paints again what is not in use now.
#[inline(never)]
pub(super) fn paint() {
    let end = (msp::read() - MARGIN) as *mut u32;
    let mut at = (&raw const _stack_end).cast_mut();
    while at < end {
        // SAFETY: memory of the stack below everything that is in use, in whole words.
        unsafe { at.write_volatile(STACK_PAINT_VALUE) };
        at = at.wrapping_add(1);
    }
}

/// Bytes used at most since it was painted. Takes some milliseconds.
pub(super) fn high_water() -> u32 {
    let (low, high) = (&raw const _stack_end, &raw const _stack_start);
    let mut at = low;
    // SAFETY: from `low` to `high` everything is memory in whole words that anybody may read.
    while at < high && unsafe { at.read_volatile() } == STACK_PAINT_VALUE {
        at = at.wrapping_add(1);
    }
    high as u32 - at as u32
}
