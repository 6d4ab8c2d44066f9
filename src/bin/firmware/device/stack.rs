//! How much of the stack was ever used. Before the start all of it is painted; where the paint is
//! gone, it was used. Both executors and all interrupts share this one stack.

use cortex_m_rt::STACK_PAINT_VALUE;

unsafe extern "C" {
    /// The linker's: the stack begins at its upper end and grows down.
    static _stack_start: u32;
    static _stack_end: u32;
}

/// Bytes used at most so far. Takes some milliseconds.
pub(super) fn high_water() -> u32 {
    let (low, high) = (&raw const _stack_end, &raw const _stack_start);
    let mut at = low;
    // SAFETY: from `low` to `high` everything is memory in whole words that anybody may read.
    while at < high && unsafe { at.read_volatile() } == STACK_PAINT_VALUE {
        at = at.wrapping_add(1);
    }
    high as u32 - at as u32
}
