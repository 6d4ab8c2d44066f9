// One RP2040 from reset to reset: rp2040js with corrections, our ROM, and a run loop of our own.
//
// Everything happens in simulated time and synchronously: the same inputs give the same events at
// the same times. A reset is not survived: whoever owns the chip (machine.mjs) makes a new one.

import { RP2040 } from 'rp2040js';
import { quickSteps } from './core.mjs';
import { corrections } from './corrections.mjs';
import { installRom } from './rom.mjs';

const FLASH_START = 0x10000000;
const BOOT2_SIZE = 0x100;
// Where the mask ROM copies the second-stage boot loader to, at the end of the SRAM.
const BOOT2_RAM = 0x20041f00;
const SRAM_START = 0x20000000;
const WATCHDOG = 0x40058;

// embassy-rp clears all USB registers at start, some of which rp2040js does not know.
const CLEARED_USB_REGISTERS = ['48', '5c', '7c', '80', '84', '88', '8c', '98'];
const ALLOWED_WARNINGS = new Set(
  CLEARED_USB_REGISTERS.map((offset) => `USB: Unimplemented peripheral write to 0x${offset}: 0x0`),
);

export class Chip {
  /// `leaveOut`: names of corrections to leave out (tests); `randomBit`: the ring oscillator's bit;
  /// `flashId`: the eight bytes of the flash's own number.
  constructor({ fastPaths = true, leaveOut = [], randomBit = () => 0, flashId = [] } = {}) {
    this.fastPaths = fastPaths;
    this.flashId = flashId;
    this.randomBit = randomBit;
    this.mcu = new RP2040();
    this.watchdog = this.mcu.peripherals[WATCHDOG];
    /// Why the chip wants to be reset; ends `run`.
    this.resetReason = null;
    /// What went wrong, which on a chip would be a HardFault or silent damage; ends `run`.
    this.failure = null;
    /// Time the flash was busy, to be added after the current instruction.
    this.extraNs = 0;
    /// How many flash operations from now the power fails, 0 = never.
    this.cutIn = 0;
    /// How many there were since the first power-on.
    this.flashOperations = 0;
    /// Sectors that neither erasing nor programming changes any more, by their offset.
    this.deadSectors = new Set();
    /// How far a PIO machine may run ahead: as long as the CPU sleeps (pio.mjs).
    this.until = 0;
    /// How often a fast path was taken, so that tests can tell that it was.
    this.bursts = { point: 0, led: 0 };
    /// Outside world, set by the machine.
    this.onSample = () => 0;
    this.onUsbBuffer = () => {};
    this.ledLine = null;

    /// Executes plain instructions for so many cycles; how many it took, 0 if the next one is not.
    this.quick = fastPaths ? quickSteps(this.mcu) : () => 0;

    this.#installLogger();
    installRom(this);
    this.watchdog.onWatchdogTrigger = () => this.requestReset('watchdog');
    this.#installAdc();
    this.#setCycle(this.mcu.clkSys);
    this.mcu.addClockListener((hertz) => this.#setCycle(hertz));
    for (const name of leaveOut) {
      if (!(name in corrections)) throw new Error(`there is no correction "${name}"`);
    }
    for (const [name, correct] of Object.entries(corrections)) {
      if (!leaveOut.includes(name)) correct(this);
    }
  }

  /// Sets everything up as the mask ROM leaves it: boot2 copied into RAM and about to run.
  boot() {
    const { core, flash, sram } = this.mcu;
    sram.set(flash.subarray(0, BOOT2_SIZE), BOOT2_RAM - SRAM_START);
    core.VTOR = 0;
    core.SP = core.PC = BOOT2_RAM;
    core.LR = 0;
  }

  /// Writes into flash by address, as a programmer would before power-on.
  load({ address, bytes }) {
    this.mcu.flash.set(bytes, address - FLASH_START);
  }

  /// Takes over what survives a reset. A power cut leaves only the flash.
  inherit(old, { powerLost }) {
    this.mcu.flash.set(old.mcu.flash);
    this.flashOperations = old.flashOperations;
    this.deadSectors = old.deadSectors;
    if (powerLost) return;
    this.mcu.sram.set(old.mcu.sram);
    this.watchdog.scratchData.set(old.watchdog.scratchData);
    this.watchdog.reason = old.watchdog.reason;
  }

  /// Runs until `until` (ns since this chip's reset), or until it fails or wants a reset. It may
  /// overshoot by the instruction it is at.
  run(until) {
    const { clock, core } = this.mcu;
    while (clock.nanosCounter < until && !this.resetReason && !this.failure) {
      this.until = core.waiting ? until : 0;
      if (core.waiting) {
        const alarm = clock.nextAlarm;
        if (!alarm || alarm.nanos > until) {
          clock.nanosCounter = until;
          break;
        }
        // Not by tick(), which would set the clock back when a PIO machine has run ahead.
        clock.nextAlarm = alarm.next;
        clock.nanosCounter = Math.max(clock.nanosCounter, alarm.nanos);
        alarm.callback();
      } else {
        const quiet = Math.min(clock.nextAlarm?.nanos ?? until, until) - clock.nanosCounter;
        const cycles = this.quick(quiet / this.cycleNs) || core.executeInstruction();
        clock.tick(cycles * this.cycleNs);
      }
      if (this.extraNs) {
        const busy = this.extraNs;
        this.extraNs = 0;
        clock.tick(busy);
      }
    }
  }

  /// The first request counts.
  requestReset(reason) {
    this.resetReason ??= reason;
  }

  /// The first failure counts.
  fail(text) {
    this.failure ??= text;
  }

  /// Called for every erase or program: how many of its bytes are done. When the power fails, that
  /// is the first half.
  flashOperation(size) {
    this.flashOperations += 1;
    if (this.cutIn === 0 || --this.cutIn > 0) return size;
    this.requestReset('power_cut');
    return size >> 1;
  }

  #installLogger() {
    const complain = (name, text) => {
      if (!ALLOWED_WARNINGS.has(`${name}: ${text}`)) this.fail(`${name}: ${text}`);
    };
    this.mcu.logger = { debug() {}, info() {}, warn: complain, error: complain };
  }

  /// A conversion samples when it starts and takes 2 µs.
  #installAdc() {
    const { adc, clock } = this.mcu;
    let code = 0;
    const done = clock.createAlarm(() => {
      done.scheduled = false;
      adc.completeADCRead(code, false);
    });
    adc.onADCRead = (channel) => {
      code = this.onSample(channel);
      done.schedule(adc.sampleTime * 1000);
    };
  }

  /// A cycle in ns, rounded to 1/1024: then all sums of cycles are exact, in whatever order they
  /// are added, and running ahead gives the same times as single steps.
  #setCycle(hertz) {
    this.cycleNs = Math.round((1e9 / hertz) * 1024) / 1024;
  }
}
