// The analog world behind the select lines: which sensor stands on the ADC line, how it settles,
// and whether the scan treats the electronics as it must.
//
// The line is one capacitor (time constant tau): it follows the addressed sensor while its bank has
// power, is pulled to zero until a sensor just powered is ready, and floats with all banks off.
// A *visit* is the time between two changes of the select lines. Times are in ns.

const HIGH = 1;
const LOW = 0;
const ADC_FIRST_PIN = 26;
const CODE_MAX = 4095;

export class Board {
  /// `config`: pins and minimum times as the driving side states them (main.mjs, `load`).
  constructor(config, leds, random, report) {
    this.config = config;
    this.leds = leds;
    this.random = random;
    this.report = report;
    this.traces = false;
    this.strapCode = CODE_MAX;
    /// Codes by `address * 16 + channel`; undefined = no sensor there.
    this.codes = [];
    this.volts = 0; // of the line, in codes
    this.clearStatistics();
  }

  setCode(address, channel, code) {
    this.#checkLines();
    this.#settle(this.now());
    this.codes[address * 16 + channel] = code;
  }

  clearSensors() {
    this.codes = [];
  }

  clearStatistics() {
    this.statistics = {
      conversions: 0,
      visits: 0,
      gap: Infinity,
      power: Infinity,
      channel: Infinity,
      spacing: Infinity,
      samples_min: Infinity,
      samples_max: 0,
      worst_error: 0,
    };
  }

  /// Moves to a new chip (or the first). Its pins are inputs then, so that the pulls decide.
  attach(chip, base) {
    const { clock, gpio } = chip.mcu;
    const { select, pulled_up: pulledUp } = this.config;
    this.base = base;
    this.clock = clock;
    for (const pin of pulledUp) gpio[pin].setInputValue(true);
    this.lines = 0;
    const idle = (pin) => (pulledUp.includes(pin) ? HIGH : LOW);
    [...select.address, select.enable, ...select.channel].forEach((pin, bit) => {
      this.lines |= idle(pin) << bit;
      gpio[pin].addListener((state) => {
        this.#lineChanged(bit, state === HIGH || state === LOW ? state : idle(pin));
      });
    });
    this.enableBit = select.address.length;
    this.previous = this.lines;
    this.changedAt = this.voltsAt = clock.nanosCounter;
    this.unchecked = false;
    this.onAt = -Infinity;
    this.offAt = clock.nanosCounter;
    this.conversionAt = -Infinity;
    this.#openVisit();
    chip.onSample = (channel) => this.sample(channel);
  }

  now() {
    return this.clock.nanosCounter;
  }

  address(lines = this.lines) {
    return lines & ((1 << this.enableBit) - 1);
  }

  isOn(lines = this.lines) {
    return ((lines >> this.enableBit) & 1) === 0;
  }

  channel(lines = this.lines) {
    return lines >> (this.enableBit + 1);
  }

  /// A conversion starts: what does the ADC see?
  sample(adcChannel) {
    const pin = ADC_FIRST_PIN + adcChannel;
    if (pin === this.config.strap) return this.strapCode;
    if (pin !== this.config.sense) return 0;
    const now = this.now();
    this.#checkLines();
    this.#settle(now);
    this.#checkSample(now);
    const code = Math.round(this.volts);
    const error = Math.abs(code - (this.#target() ?? code));
    this.statistics.worst_error = Math.max(this.statistics.worst_error, error);
    const noise = this.config.noise ? Math.round(this.config.noise * this.#gauss()) : 0;
    return Math.min(CODE_MAX, Math.max(0, code + noise));
  }

  /// Several lines may change at one instant: they are judged together, when time has passed.
  #lineChanged(bit, level) {
    const now = this.now();
    if (now !== this.changedAt) {
      this.#checkLines();
      this.#settle(now);
      this.#closeVisit(now);
      this.previous = this.lines;
      this.changedAt = now;
      this.#openVisit();
    }
    this.unchecked = true;
    this.lines = (this.lines & ~(1 << bit)) | (level << bit);
  }

  /// Judges the last change: never two banks with power, not even by a line being slower.
  #checkLines() {
    if (!this.unchecked) return;
    this.unchecked = false;
    const at = this.changedAt;
    const [wasOn, isOn] = [this.isOn(this.previous), this.isOn()];
    if (this.address(this.previous) !== this.address() && (wasOn || isOn)) {
      this.#violation(at, 'the bank address changes while a bank has power');
    }
    if (!wasOn && isOn) {
      this.#minimum('gap', at - this.offAt, at, 'banks are off too shortly');
      this.onAt = at;
    }
    if (wasOn && !isOn) this.offAt = at;
  }

  #checkSample(now) {
    const { statistics } = this;
    statistics.conversions += 1;
    if (!this.isOn()) this.#violation(now, 'a conversion starts with all banks off');
    else if (this.#target() === undefined) {
      this.#violation(now, `no sensor at address ${this.address()} channel ${this.channel()}`);
    }
    if (now < this.leds.quietFrom) {
      this.#violation(now, 'a conversion starts during an LED frame or its reset time');
    }
    this.#minimum('power', now - this.onAt, now, 'a conversion starts too soon after power');
    if (this.changedAt !== this.onAt) {
      this.#minimum('channel', now - this.changedAt, now, 'a conversion starts too soon');
    }
    statistics.spacing = Math.min(statistics.spacing, now - this.conversionAt);
    this.conversionAt = now;
    if (this.visit.samples === 0) this.visit.first = Math.round(this.base + now);
    this.visit.last = Math.round(this.base + now);
    this.visit.samples += 1;
  }

  #minimum(name, length, at, text) {
    const least = this.config.least_ns[name];
    this.statistics[name] = Math.min(this.statistics[name], length);
    if (length < least) this.#violation(at, `${text}: after ${length} ns, ${least} needed`);
  }

  #violation(at, text) {
    this.report.violation(this.base + at, text);
  }

  /// The code that the addressed sensor gives, if there is one.
  #target() {
    return this.codes[this.address() * 16 + this.channel()];
  }

  /// Brings the line's voltage to `now`, under the select lines as they have been.
  #settle(now) {
    const readyAt = this.onAt + this.config.sensor_ready_ns;
    if (this.isOn()) {
      const waitedUntil = Math.min(now, Math.max(readyAt, this.voltsAt));
      this.#relax(0, waitedUntil - this.voltsAt);
      this.#relax(this.#target() ?? 0, now - waitedUntil);
    }
    this.voltsAt = now;
  }

  #relax(target, time) {
    if (time <= 0) return;
    this.volts = target + (this.volts - target) * Math.exp(-time / this.config.tau_ns);
  }

  #openVisit() {
    this.visit = { samples: 0, first: null, last: null };
  }

  #closeVisit(now) {
    const { samples } = this.visit;
    const { statistics } = this;
    statistics.visits += 1;
    if (samples > 0) {
      statistics.samples_min = Math.min(statistics.samples_min, samples);
      statistics.samples_max = Math.max(statistics.samples_max, samples);
    }
    if (!this.traces) return;
    this.report.visit({
      start: this.base + this.changedAt,
      end: Math.round(this.base + now),
      address: this.address(),
      powered: this.isOn(),
      channel: this.channel(),
      ...this.visit,
    });
  }

  /// Normally distributed, mean 0, deviation 1.
  #gauss() {
    const radius = Math.sqrt(-2 * Math.log(1 - this.random()));
    return radius * Math.cos(2 * Math.PI * this.random());
  }
}
