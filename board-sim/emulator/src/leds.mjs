// The LED chain: decodes WS2812 frames from the edges of the data line, and checks their timing.
//
// Terms: a *frame* is all bits between two resets, a *reset* a low time that makes the LEDs show
// what they got. A bit is read from the length of its high time. Times are in ns.

const BITS_PER_LED = 24;

export class LedLine {
  /// `timing`: { zero_high: [min, max], one_high: [min, max], bit: [min, max], reset }.
  constructor(pin, timing, report) {
    this.pin = pin;
    this.timing = timing;
    this.report = report;
    this.bytes = [];
    this.#clear();
  }

  /// Moves to a new chip (or the first): its clock decides when a frame is complete.
  attach(chip, base) {
    const { clock, gpio } = chip.mcu;
    this.base = base;
    this.clock = clock;
    this.#clear();
    this.lastEdge = -Infinity;
    this.alarm = clock.createAlarm(() => this.#resetDue());
    // While the chip does not drive the line, a resistor holds it low.
    let wasHigh = false;
    gpio[this.pin].addListener((state) => {
      const high = state === 1;
      if (high !== wasHigh) this.edge(clock.nanosCounter, high);
      wasHigh = high;
    });
    chip.ledLine = this;
  }

  /// From when on sensors may be sampled again: a frame disturbs them, and so does its end.
  get quietFrom() {
    return this.lastEdge + this.timing.reset;
  }

  /// The data line changed at `now` (ns of the chip's clock).
  edge(now, high) {
    this.lastEdge = now;
    if (!high) {
      if (this.riseAt >= 0) this.#bit(now - this.riseAt);
      return;
    }
    if (this.bitCount === 0) {
      this.startAt = now;
      this.alarm.schedule(now + this.timing.reset - this.clock.nanosCounter);
    } else {
      this.#check('bit', now - this.riseAt, now);
    }
    this.riseAt = now;
  }

  #bit(width) {
    const { zero_high: zero, one_high: one } = this.timing;
    const isOne = width >= (zero[1] + one[0]) / 2;
    this.#check(isOne ? 'one_high' : 'zero_high', width, this.lastEdge);
    this.byte = (this.byte << 1) | (isOne ? 1 : 0);
    this.bitCount += 1;
    if (this.bitCount % 8 === 0) {
      this.bytes.push(this.byte);
      this.byte = 0;
    }
  }

  #check(name, length, now) {
    const [min, max] = this.timing[name];
    if (length >= min && length <= max) return;
    this.report.violation(
      this.base + now,
      `LED data: ${name} lasts ${length} ns, allowed ${min} to ${max}`,
    );
  }

  /// One reset time after an edge: the frame ends here unless there were later edges.
  #resetDue() {
    this.alarm.scheduled = false;
    const now = this.clock.nanosCounter;
    if (now < this.quietFrom) {
      this.alarm.schedule(this.quietFrom - now);
      return;
    }
    if (this.bitCount % BITS_PER_LED !== 0) {
      this.report.violation(
        this.base + now,
        `LED data: a frame of ${this.bitCount} bits, not a multiple of ${BITS_PER_LED}`,
      );
    }
    this.report.frame(this.base + this.startAt, this.base + now, Uint8Array.from(this.bytes));
    this.#clear();
  }

  #clear() {
    this.bytes.length = 0;
    this.byte = 0;
    this.bitCount = 0;
    this.startAt = 0;
    this.riseAt = -1;
  }
}
