// What rp2040js 1.4.1 gets wrong or lacks, put right from outside: one function per point.
//
// Each takes the chip (chip.mjs) and changes its `mcu`. `docs/emulator.md` lists what one sees when
// a correction is missing; test/corrections.test.mjs proves each by leaving it out.

import { BasePeripheral } from 'rp2040js';
import { pioLockStep } from './pio.mjs';

const SIO = 0xd0000000;

/// SEV is only written to the log: without the event a thread executor sleeps through wake-ups.
export function sev({ mcu }) {
  const { logger } = mcu;
  logger.info = (_name, text) => {
    if (text === 'SEV') mcu.core.eventRegistered = true;
  };
}

/// A change of FJOIN must empty both FIFOs; clearing them after a stalled scan relies on it.
export function pioJoin({ mcu }) {
  const SHIFTCTRL = 8;
  for (const sm of mcu.pio.flatMap((pio) => pio.machines)) {
    const write = sm.writeUint32.bind(sm);
    sm.writeUint32 = (offset, value) => {
      const joinChanges = offset === SHIFTCTRL && (sm.shiftCtrl ^ value) >>> 30 !== 0;
      write(offset, value);
      if (joinChanges) {
        sm.txFIFO.reset();
        sm.rxFIFO.reset();
        sm.updateDMATx();
        sm.updateDMARx();
      }
    };
  }
}

/// The output shift register starts empty, not full of 32 zero bits.
export function pioShiftCount({ mcu }) {
  for (const sm of mcu.pio.flatMap((pio) => pio.machines)) sm.outputShiftCount = 32;
}

/// AVAILABLE stays set until the host has taken or filled the buffer; the host is told instead.
export function usbAvailable(chip) {
  const BUFFER_CONTROL = [0x80, 0xff];
  const AVAILABLE = 0x400;
  chip.mcu.usbCtrl.DPRAMUpdated = (offset, value) => {
    const isControl = offset >= BUFFER_CONTROL[0] && offset <= BUFFER_CONTROL[1];
    if (isControl && value & AVAILABLE) {
      chip.onUsbBuffer((offset - BUFFER_CONTROL[0]) >> 3, (offset & 4) !== 0);
    }
  };
}

/// The ADC's DMA request must go when it is switched off or the FIFO falls below its threshold.
export function adcRequest({ mcu }) {
  const { adc, dma } = mcu;
  const [FCS, DREQ_EN] = [8, 8];
  adc.updateDMA = () => {
    const threshold = Math.max((adc.fcs >> 24) & 15, 1);
    if (adc.fcs & DREQ_EN && adc.fifo.itemCount >= threshold) dma.setDREQ(adc.dreq);
    else dma.clearDREQ(adc.dreq);
  };
  const write = adc.writeUint32.bind(adc);
  adc.writeUint32 = (offset, value) => {
    write(offset, value);
    if (offset === FCS) adc.updateDMA();
  };
}

/// The setter of the active input masks with the wrong constant: round robin reads wrong inputs.
export function adcRoundRobin({ mcu }) {
  const [SHIFT, MASK] = [12, 7];
  Object.defineProperty(mcu.adc, 'activeChannel', {
    get() {
      return (this.cs >> SHIFT) & MASK;
    },
    set(channel) {
      this.cs = (this.cs & ~(MASK << SHIFT)) | ((channel & MASK) << SHIFT);
    },
  });
}

/// START_ONCE clears itself; left standing, the next change of CS would start another conversion.
export function adcStartOnce({ mcu }) {
  const { adc } = mcu;
  const [CS, START_ONCE] = [0, 4];
  const write = adc.writeUint32.bind(adc);
  adc.writeUint32 = (offset, value) => {
    write(offset, value);
    if (offset === CS) adc.cs &= ~START_ONCE;
  };
}

/// Registers that only keep what is written, with bits that always read as set.
class Storage extends BasePeripheral {
  constructor(mcu, name, alwaysSet = {}) {
    super(mcu, name);
    this.words = new Map();
    this.alwaysSet = alwaysSet;
  }
  readUint32(offset) {
    return ((this.words.get(offset) ?? 0) | (this.alwaysSet[offset] ?? 0)) >>> 0;
  }
  writeUint32(offset, value) {
    this.words.set(offset, value);
  }
}

/// XIP_CTRL is missing; erasing flash waits for its stream counter and FIFO flags.
export function xipControl({ mcu }) {
  mcu.peripherals[0x14000] = new Storage(mcu, 'XIP_CTRL', { 8: 3 });
}

/// The flash does not answer commands: the one for its own number (four idle bytes, then eight).
export function flashId({ mcu, flashId }) {
  const [DATA, READ_UNIQUE_ID, IDLE] = [0x60, 0x4b, [0, 0, 0, 0]];
  const ssi = mcu.peripherals[0x18000];
  const [read, write] = [ssi.readUint32.bind(ssi), ssi.writeUint32.bind(ssi)];
  let answer = [];
  ssi.writeUint32 = (offset, value) => {
    if (offset === DATA) answer = (value & 0xff) === READ_UNIQUE_ID ? [...IDLE, ...flashId] : [];
    write(offset, value);
  };
  ssi.readUint32 = (offset) => (offset === DATA && answer.length ? answer.shift() : read(offset));
}

/// AIRCR is missing: a reset asked for by the program would only warn.
export function sysReset(chip) {
  const { ppb } = chip.mcu;
  const [AIRCR, SYSRESETREQ] = [0xd0c, 4];
  const [read, write] = [ppb.readUint32.bind(ppb), ppb.writeUint32.bind(ppb)];
  ppb.readUint32 = (offset) => (offset === AIRCR ? 0xfa050000 : read(offset));
  ppb.writeUint32 = (offset, value) => {
    if (offset !== AIRCR) write(offset, value);
    else if (value & SYSRESETREQ) chip.requestReset('sys_reset');
  };
}

/// A watchdog that has fired must stop: it would fire again at the same instant, for ever.
export function watchdogOnce({ watchdog }) {
  const trigger = watchdog.onWatchdogTrigger;
  watchdog.onWatchdogTrigger = () => {
    watchdog.timer.enable = false;
    watchdog.alarm.enable = false;
    trigger();
  };
}

/// ROSC, VREG and the DMA's abort register read as all ones and warn. Random bits come from the
/// run's seed, so that draws by lot differ by seed and repeat with it.
export function quietRegisters({ mcu, randomBit }) {
  const [ROSC_STATUS, ROSC_RANDOMBIT, STABLE] = [0x18, 0x1c, 0x80001000];
  const rosc = new Storage(mcu, 'ROSC', { [ROSC_STATUS]: STABLE });
  const read = rosc.readUint32.bind(rosc);
  rosc.readUint32 = (offset) => (offset === ROSC_RANDOMBIT ? randomBit() : read(offset));
  mcu.peripherals[0x40060] = rosc;

  const REGULATED = 1 << 12;
  mcu.peripherals[0x40064] = new Storage(mcu, 'VREG_AND_CHIP_RESET', { 0: REGULATED });

  const { dma } = mcu;
  const CHAN_ABORT = 0x444; // reads 0 as soon as the channels have stopped, which is at once
  const readDma = dma.readUint32.bind(dma);
  dma.readUint32 = (offset) => (offset === CHAN_ABORT ? 0 : readDma(offset));
}

/// On the chip the DMA cannot reach SIO; here it can, so using it that way is a fault.
export function dmaReach(chip) {
  const { dma } = chip.mcu;
  const write = dma.writeUint32.bind(dma);
  dma.writeUint32 = (offset, value) => {
    write(offset, value);
    for (const { active, index, readAddr, writeAddr } of dma.channels) {
      if (active && (readAddr >>> 0 >= SIO || writeAddr >>> 0 >= SIO)) {
        chip.fail(`DMA channel ${index} is to reach SIO, which the chip cannot`);
      }
    }
  };
}

export const corrections = {
  sev,
  pioLockStep,
  pioJoin,
  pioShiftCount,
  usbAvailable,
  adcRequest,
  adcRoundRobin,
  adcStartOnce,
  xipControl,
  flashId,
  sysReset,
  watchdogOnce,
  quietRegisters,
  dmaReach,
};
