// The buzzer: what one hears, from the edges of its line.
//
// A *tone* is a run of periods of the same length. It is told when it is over: when the period
// changes, or when nothing has happened for a while. Times are in ns.

const SILENCE_NS = 10e6; // a longer period is no tone
const SAME = 0.02; // periods that differ by less are of the same tone
const PERIODS_MIN = 3; // fewer are a click

export class Buzzer {
  constructor(pin, report) {
    this.pin = pin;
    this.report = report;
  }

  /// Moves to a new chip (or the first), which starts silent.
  attach(chip, base) {
    const { clock, gpio } = chip.mcu;
    this.base = base;
    this.tone = null;
    this.roseAt = -Infinity;
    this.silence = clock.createAlarm(() => this.#silenceDue(clock.nanosCounter));
    let wasHigh = false;
    gpio[this.pin].addListener((state) => {
      const high = state === 1;
      if (high && !wasHigh) this.#rise(clock.nanosCounter);
      wasHigh = high;
    });
  }

  #rise(now) {
    const period = now - this.roseAt;
    const { tone } = this;
    if (tone && Math.abs(period - tone.period) < SAME * tone.period) {
      tone.end = now;
      tone.periods += 1;
    } else {
      this.#tell();
      const start = this.roseAt;
      this.tone = period < SILENCE_NS ? { start, end: now, period, periods: 1 } : null;
    }
    this.roseAt = now;
    if (!this.silence.scheduled) this.silence.schedule(SILENCE_NS);
  }

  /// One silence after some edge: the tone is over unless there were later edges.
  #silenceDue(now) {
    this.silence.scheduled = false;
    const quiet = now - this.roseAt;
    if (quiet < SILENCE_NS) this.silence.schedule(SILENCE_NS - quiet);
    else this.#tell();
  }

  #tell() {
    const { tone } = this;
    this.tone = null;
    if (!tone || tone.periods < PERIODS_MIN) return;
    const { start, end, period, periods } = tone;
    const hz = (periods * 1e9) / (end - start);
    this.report.tone(this.base + start, this.base + end + period, hz); // with the one under way
  }
}
