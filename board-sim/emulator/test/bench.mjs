// A chip without an image: its registers are written by the test, its CPU sleeps. Runs the scan and
// LED programs of the firmware, with whatever words a test wants.

import { Board } from '../src/board.mjs';
import { Chip } from '../src/chip.mjs';
import { LedLine } from '../src/leds.mjs';

export const PIO0 = 0x50200000;
export const PIO1 = 0x50300000;
export const DMA = 0x50000000;
export const ADC = 0x4004c000;
const GPIO_CTRL = (pin) => 0x40014004 + 8 * pin;
const SRAM = 0x20000000;
const [WORDS, BUFFER, LIGHTS] = [SRAM + 0x1000, SRAM + 0x4000, SRAM + 0x8000];

const SCAN_PROGRAM = [0xe044, 0x6009, 0x602f, 0x0443, 0x6028, 0x0046, 0x4840, 0x0105];
const LED_PROGRAM = [0x6021, 0xe101, 0xa401, 0xe100];
const LED_PIN = 11;

export const boardConfig = {
  select: { address: [2, 3, 4, 5], enable: 6, channel: [7, 8, 9, 10] },
  pulled_up: [6],
  sense: 26,
  strap: 27,
  noise: 0,
  tau_ns: 1000,
  sensor_ready_ns: 330_000,
  least_ns: { gap: 20_000, power: 400_000, channel: 12_000 },
};
export const ledTiming = {
  zero_high: [220, 380],
  one_high: [580, 1000],
  bit: [1100, 1400],
  reset: 300_000,
};

/// A word of the scan program.
export function word({ address = 0, on = false, channel = 0, settle = 10, samples = 0 }) {
  const lines = address | ((on ? 0 : 1) << 4) | (channel << 5);
  return (lines | ((settle - 1) << 9) | (samples << 24)) >>> 0;
}

/// The words of a proper scan of so many banks and channels.
export function scanWords(banks, channels) {
  const words = [];
  for (let bank = 0; bank < banks; bank++) {
    words.push(word({ address: Math.max(bank - 1, 0) }), word({ address: bank }));
    for (let channel = 0; channel < channels; channel++) {
      const settle = channel === 0 ? 400 : 12;
      words.push(word({ address: bank, on: true, channel, settle, samples: 8 }));
    }
  }
  words.push(word({ address: banks - 1, settle: 1 }));
  return words;
}

export class Bench {
  constructor(options = {}) {
    this.chip = new Chip(options);
    this.mcu = this.chip.mcu;
    this.log = [];
    const write = (kind) => (...values) => this.log.push([kind, ...values]);
    const report = { violation: write('violation'), frame: write('frame'), visit: write('visit') };
    this.leds = new LedLine(LED_PIN, ledTiming, report);
    this.board = new Board(boardConfig, this.leds, () => 0.5, report);
    this.board.traces = true;
    this.board.attach(this.chip, 0);
    this.leds.attach(this.chip, 0);
    this.mcu.core.waiting = true;
  }

  get violations() {
    return this.log.filter(([kind]) => kind === 'violation').map(([, , text]) => text);
  }

  write(address, ...values) {
    values.forEach((value, n) => this.mcu.writeUint32(address + 4 * n, value));
  }

  /// Runs for so many µs.
  run(us) {
    this.chip.run(this.mcu.clock.nanos + us * 1000);
  }

  program(pio, instructions, { divider, execctrl, shiftctrl, pinctrl, pins }) {
    this.write(pio + 0x48, ...instructions);
    this.write(pio + 0xc8, divider * 0x10000, execctrl, shiftctrl);
    this.write(pio + 0xdc, pinctrl);
    for (const pin of pins) this.write(GPIO_CTRL(pin), pio === PIO0 ? 6 : 7);
    const block = this.mcu.pio[pio === PIO0 ? 0 : 1];
    block.pinDirections = pins.reduce((mask, pin) => mask | (1 << pin), 0);
    this.write(pio, 1);
  }

  dma(channel, from, to, count, request, { size, incrementRead = 0, incrementWrite = 0 }) {
    const [quiet, pace, noChain] = [1 << 21, request << 15, channel << 11];
    const steps = (incrementWrite << 5) | (incrementRead << 4);
    const control = quiet | pace | noChain | steps | (size << 2) | 1;
    this.write(DMA + 0x40 * channel, from, to, count, control);
  }

  /// Sets the scan program up, all banks off.
  prepareScan() {
    const wrap = (5 << 12) | (1 << 7);
    const shiftctrl = (1 << 19) | (1 << 18) | (1 << 17) | (1 << 16);
    const pins = [2, 3, 4, 5, 6, 7, 8, 9, 10];
    this.mcu.pio[1].pinValues = 1 << 6;
    this.program(PIO1, SCAN_PROGRAM, {
      divider: 25, execctrl: wrap, shiftctrl, pinctrl: (9 << 20) | 2, pins,
    });
    this.write(ADC, 1);
    this.write(ADC + 8, (1 << 24) | 9);
  }

  /// Starts a scan of these words; one sample more than there will be keeps the channels running.
  scan(words, samples) {
    this.write(WORDS, ...words);
    this.dma(0, ADC + 12, BUFFER, samples, 36, { size: 1, incrementWrite: 1 });
    this.dma(2, PIO1 + 0x20, ADC + 0x2000, samples, 12, { size: 2 });
    this.dma(1, WORDS, PIO1 + 0x10, words.length, 8, { size: 2, incrementRead: 1 });
  }

  samples(count) {
    return Array.from({ length: count }, (_, n) => this.mcu.readUint16(BUFFER + 2 * n));
  }

  prepareLeds() {
    const shiftctrl = (24 << 25) | (1 << 17);
    const pinctrl = (1 << 26) | (1 << 20) | (LED_PIN << 5) | LED_PIN;
    this.program(PIO0, LED_PROGRAM, {
      divider: 15 + 160 / 256, execctrl: 3 << 12, shiftctrl, pinctrl, pins: [LED_PIN],
    }); // 8 MHz
  }

  light(words) {
    this.write(LIGHTS, ...words);
    this.dma(3, LIGHTS, PIO0 + 0x10, words.length, 0, { size: 2, incrementRead: 1 });
  }
}
