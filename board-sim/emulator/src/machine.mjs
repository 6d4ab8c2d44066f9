// The whole machine: a chip with its image, the board around it, a USB host, and everything that
// must outlive a reset. Time is counted from power-on, in ns, and goes on through resets.

import { Board } from './board.mjs';
import { Buzzer } from './buzzer.mjs';
import { Chip } from './chip.mjs';
import { parseElf } from './elf.mjs';
import { LedLine } from './leds.mjs';
import { UsbHost } from './usb.mjs';

const SRAM_START = 0x20000000;
const SRAM_SIZE = 264 * 1024;
// The log's ring buffer has 1 KB and the image drops what does not fit.
const LOG_EVERY_NS = 1e6;
// Of one kind; a broken scan would repeat its violation a thousand times a second.
const VIOLATIONS_MAX = 20;

const toHex = (bytes) => Buffer.from(bytes).toString('hex');

export class Machine {
  /// `config` as in `load` (main.mjs); `elf`: the image's bytes.
  constructor(config, elf) {
    this.config = config;
    this.image = parseElf(elf);
    this.events = [];
    this.violations = new Map();
    this.base = 0;
    this.target = 0;
    this.cyclesBefore = 0;
    this.inBootLoader = false;
    this.ledPower = false;
    const random = generator(config.seed);
    this.randomBit = () => (random() < 0.5 ? 0 : 1);
    this.leds = new LedLine(config.led.pin, config.led.timing, this);
    this.buzzer = new Buzzer(config.buzzer, this);
    this.board = new Board(config.board, this.leds, random, this);
    this.usb = new UsbHost(this);
    this.keysDown = new Set();
    this.#insert(this.#newChip());
    for (const segment of this.image.segments) this.chip.load(segment);
    for (const { address, bytes } of config.flash) {
      this.chip.load({ address, bytes: Buffer.from(bytes, 'hex') });
    }
    this.chip.boot();
  }

  now() {
    return this.base + this.chip.mcu.clock.nanosCounter;
  }

  get cycles() {
    return this.cyclesBefore + this.chip.mcu.core.cycles;
  }

  /// Runs so many more ns. Resets are handled inside; a fault ends everything, and is told again
  /// by every later run.
  run(duration) {
    this.target += duration;
    while (this.now() < this.target && !this.chip.failure && !this.inBootLoader) {
      this.chip.run(this.target - this.base);
      if (this.chip.resetReason && !this.chip.failure) this.#reset(this.chip.resetReason);
    }
    this.#readLog();
    if (this.chip.failure) this.#emit('fault', this.now(), { text: this.chip.failure });
  }

  setKey(pin, pressed) {
    if (pressed) this.keysDown.add(pin);
    else this.keysDown.delete(pin);
    this.chip.mcu.gpio[pin].setInputValue(!pressed);
  }

  // What the parts report; every event carries its time.

  frame(start, at, bytes) {
    const powered = this.ledPower;
    this.#emit('frame', at, { start: Math.round(start), bytes: toHex(bytes), powered });
  }

  tone(start, end, hz) {
    this.#emit('tone', start, { end: Math.round(end), hz: Math.round(hz) });
  }

  visit({ start, ...visit }) {
    this.#emit('visit', start, visit);
  }

  violation(at, text) {
    const kind = text.replaceAll(/\d+/g, '#');
    const count = (this.violations.get(kind) ?? 0) + 1;
    this.violations.set(kind, count);
    if (count <= VIOLATIONS_MAX) this.#emit('violation', at, { text });
  }

  usbBytes(at, bytes) {
    this.#emit('usb', at, { bytes: toHex(bytes) });
  }

  usbReady(at) {
    this.#emit('usb_ready', at, {});
  }

  #emit(kind, at, fields) {
    this.events.push({ at: Math.round(at), what: { [kind]: fields } });
  }

  #newChip() {
    const { fast_paths: fastPaths, leave_out: leaveOut, flash_id: id } = this.config;
    const flashId = [...Buffer.from(id, 'hex')];
    return new Chip({ fastPaths, leaveOut, flashId, randomBit: this.randomBit });
  }

  /// Connects a chip with the world around it.
  #insert(chip) {
    this.chip = chip;
    const { clock, gpio } = chip.mcu;
    this.board.attach(chip, this.base);
    this.leds.attach(chip, this.base);
    this.buzzer.attach(chip, this.base);
    this.usb.attach(chip, this.base);
    for (const pin of this.keysDown) gpio[pin].setInputValue(false);
    gpio[this.config.led.power].addListener((state) => this.#ledPowerIs(state === 1));
    for (const pin of this.config.watch) {
      gpio[pin].addListener((state) => {
        this.#emit('pin', this.now(), { pin, high: state === 1 });
      });
    }
    const log = clock.createAlarm(() => {
      log.scheduled = false;
      this.#readLog();
      log.schedule(LOG_EVERY_NS);
    });
    log.schedule(LOG_EVERY_NS);
  }

  #ledPowerIs(on) {
    if (on === this.ledPower) return;
    this.ledPower = on;
    this.#emit('led_power', this.now(), { on });
  }

  #reset(reason) {
    this.#readLog();
    this.#emit('reset', this.now(), { reason });
    this.inBootLoader = reason === 'usb_boot';
    if (this.inBootLoader) return; // waits there for a new image
    const old = this.chip;
    this.base = this.now();
    this.cyclesBefore = this.cycles;
    this.#ledPowerIs(false); // its pin is an input again, and pulled down
    const chip = this.#newChip();
    chip.inherit(old, { powerLost: reason === 'power_cut' });
    this.#insert(chip);
    chip.boot();
  }

  /// Empties the up-channel 0 of RTT, where defmt writes.
  #readLog() {
    const { sram, sramView } = this.chip.mcu;
    const block = this.image.symbols.get('_SEGGER_RTT');
    if (block === undefined) return;
    const field = (n) => block - SRAM_START + 24 + 4 * n;
    const [buffer, size, write, read] = [1, 2, 3, 4].map((n) => sramView.getUint32(field(n), true));
    const start = buffer - SRAM_START;
    const isSetUp = start >= 0 && start + size <= SRAM_SIZE && write < size && read < size;
    if (!isSetUp || write === read) return;
    const at = (n) => sram[start + ((read + n) % size)];
    const bytes = Uint8Array.from({ length: (write - read + size) % size }, (_, n) => at(n));
    sramView.setUint32(field(4), write, true);
    this.#emit('log', this.now(), { bytes: toHex(bytes) });
  }
}

/// Uniform numbers from 0 to below 1, the same for the same seed (the mulberry32 recipe).
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
