//! A DMA channel that works silently: no interrupt, nobody waits for it.
//!
//! For transfers whose end is known otherwise: by a clock (LED frame) or by another channel that
//! is awaited (scan). embassy's own channels interrupt the processor at the end of each transfer.

use embassy_rp::Peri;
use embassy_rp::dma::ChannelInstance;
use embassy_rp::pac::{self, dma::vals};

/// Single-cycle I/O: the processor's own registers, which DMA cannot reach on the chip.
const SIO_BASE: u32 = 0xd000_0000;

/// What is moved where, word by word.
pub(super) struct Move {
    /// Source address; counts up with [`Move::counting`].
    pub(super) from: u32,
    /// Target register.
    pub(super) to: u32,
    /// Number of 32-bit words.
    pub(super) count: u32,
    /// Whether the source is memory (counts up) or a register.
    pub(super) counting: bool,
    /// Who paces it.
    pub(super) pace: vals::TreqSel,
    /// Served before channels without it.
    pub(super) urgent: bool,
}

/// A channel without interrupt.
pub(super) struct Quiet {
    registers: pac::dma::Channel,
    number: u8,
}

impl Quiet {
    pub(super) fn new<T: ChannelInstance>(_owned: Peri<'static, T>) -> Quiet {
        Quiet { registers: T::regs(), number: T::number() }
    }

    /// Starts a transfer and returns at once. What lies at the addresses must stay there and, if
    /// memory, unchanged until the transfer is over: callers use static buffers.
    pub(super) fn start(&mut self, transfer: &Move) {
        defmt::debug_assert!(transfer.from < SIO_BASE && transfer.to < SIO_BASE);
        self.registers.read_addr().write_value(transfer.from);
        self.registers.write_addr().write_value(transfer.to);
        self.registers.trans_count().write_value(transfer.count);
        // The buffer's last writes come before the start.
        core::sync::atomic::compiler_fence(core::sync::atomic::Ordering::SeqCst);
        self.registers.ctrl_trig().write(|w| {
            w.set_treq_sel(transfer.pace);
            w.set_data_size(vals::DataSize::SIZE_WORD);
            w.set_incr_read(transfer.counting);
            w.set_high_priority(transfer.urgent);
            w.set_chain_to(self.number); // to itself: no chain
            w.set_irq_quiet(true);
            w.set_en(true);
        });
    }

    /// Ends a transfer wherever it is.
    pub(super) fn abort(&mut self) {
        pac::DMA.chan_abort().write(|w| w.set_chan_abort(1 << self.number));
        while self.registers.ctrl_trig().read().busy() {}
    }
}
