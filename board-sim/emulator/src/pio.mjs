// PIO in step with the clock. rp2040js runs it on `setTimeout` and ignores the clock divider; here
// every state machine has an alarm of the simulated clock, fires at its own next instruction, and
// is not scheduled at all while it is stalled.
//
// Fast paths (a switch turns them off; both ways give the same events, by test): while the CPU
// sleeps and no alarm lies between, nobody else can act. Then a machine runs ahead without the
// alarm queue, a delay loop is skipped in one go, the samples of one point are taken at once
// (`pointBurst`) and so are the remaining bits of an LED's word (`ledBurst`). Anything unusual
// falls back to single steps.

// Register offsets of a PIO block, and of a state machine.
const CTRL = 0x000;
const INSTR_MEM = [0x048, 0x0c4];
const CLKDIV = 0x00;
const INSTR = 0x10;

const AUTOPUSH = 1 << 16;
const AUTOPULL = 1 << 17;
const SHIFT_RIGHT = 1 << 19;

// ADC registers as the DMA sees them, and their bits.
const ADC_CS_SET = 0x4004e000;
const ADC_FIFO = 0x4004c00c;
const START_ONCE = 4;
const CS_CHECKED = 0x001f0009; // round robin, START_MANY, EN
const CS_EXPECTED = 1;
const FCS_CHECKED = 0x0f00000f; // threshold, DREQ_EN, ERR, SHIFT, EN
const FCS_EXPECTED = 0x01000009;
const DREQ_ADC = 36;

// DMA control bits: byte swap, ring size, increments and data size.
const DMA_CHECKED = (1 << 22) | (0xf << 6) | (1 << 5) | (1 << 4) | (3 << 2);
const DMA_WORDS_FIXED = 2 << 2;
const DMA_HALVES_TO_BUFFER = (1 << 5) | (1 << 2);

const [SRAM_START, SRAM_END] = [0x20000000, 0x20042000];
const FUNCTION_PIO0 = 6;
const LOW = 0;

/// The correction itself: replaces the package's way of running both PIO blocks.
export function pioLockStep(chip) {
  for (const pio of chip.mcu.pio) {
    const runners = pio.machines.map((sm) => new Runner(chip, pio, sm));
    pio.run = pio.step = () => {};
    pio.checkChangedPins = () => showChangedPins(pio);
    const write = pio.writeUint32.bind(pio);
    pio.writeUint32 = (offset, value) => {
      write(offset, value);
      if (offset === CTRL) for (const runner of runners) runner.startOrStop();
      if (offset >= INSTR_MEM[0] && offset <= INSTR_MEM[1]) {
        for (const runner of runners) runner.recognise();
      }
    };
  }
}

/// Tells the pins that changed, and no others.
function showChangedPins(pio) {
  let changed =
    (pio.oldPinDirections ^ pio.pinDirections) | (pio.oldPinValues ^ pio.pinValues);
  if (changed === 0) return;
  pio.oldPinDirections = pio.pinDirections;
  pio.oldPinValues = pio.pinValues;
  const { gpio } = pio.rp2040;
  while (changed !== 0) {
    const bit = changed & -changed;
    gpio[31 - Math.clz32(bit)]?.checkForUpdates();
    changed &= ~bit;
  }
}

/// Runs one state machine.
class Runner {
  constructor(chip, pio, sm) {
    this.chip = chip;
    this.pio = pio;
    this.sm = sm;
    this.stepping = false;
    this.alarm = chip.mcu.clock.createAlarm(() => this.run());
    chip.mcu.addClockListener(() => this.setCycle());
    this.#wrapRegisters();
    this.#wrapStalls();
    // No phase of the divider is kept, so there is nothing to restart.
    sm.clkDivRestart = () => {};
    this.setCycle();
    this.recognise();
  }

  #wrapRegisters() {
    const { pio, sm } = this;
    const write = sm.writeUint32.bind(sm);
    sm.writeUint32 = (offset, value) => {
      write(offset, value);
      if (offset === INSTR) pio.checkChangedPins(); // an instruction forced by the CPU
      else this.recognise();
      if (offset === CLKDIV) this.setCycle();
    };
  }

  /// The end of a stall, wherever it comes from, puts the machine back on the clock.
  #wrapStalls() {
    const { pio, sm } = this;
    const checkWait = sm.checkWait.bind(sm);
    sm.checkWait = () => {
      if (!sm.waiting || !sm.enabled) return;
      checkWait();
      if (sm.waiting || this.stepping) return;
      pio.checkChangedPins();
      this.alarm.schedule((1 + Math.max(0, sm.waitDelay)) * this.ns);
    };
  }

  /// Nanoseconds per PIO cycle.
  setCycle() {
    const { clockDivInt, clockDivFrac } = this.sm;
    this.ns = ((clockDivInt || 0x10000) + clockDivFrac / 256) * this.chip.cycleNs;
  }

  startOrStop() {
    const { alarm, sm } = this;
    if (!sm.enabled) alarm.cancel();
    else if (sm.waiting) sm.checkWait();
    else if (!alarm.scheduled) alarm.schedule(0);
  }

  run() {
    const { alarm, chip, sm } = this;
    const { clock } = chip.mcu;
    alarm.scheduled = false;
    while (sm.enabled) {
      if (sm.pc === this.point.at) this.pointBurst();
      if (sm.pc === this.led.at) this.ledBurst();
      const before = sm.cycles;
      this.step();
      if (sm.waiting) return;
      const pause = Math.max(1, sm.cycles - before) * this.ns;
      if (alarm.scheduled || clock.nanosCounter + pause >= this.horizon()) {
        alarm.schedule(pause);
        return;
      }
      clock.nanosCounter += pause;
    }
  }

  step() {
    const { pio, sm } = this;
    const op = pio.instructions[sm.pc];
    const countsDown = (op & 0xe0ff) === (0x0040 | sm.pc) && sm.sidesetCount === 0; // jmp x-- here
    if (countsDown && this.#skipDelay(1 + delayOf(op))) return;
    this.stepping = true;
    sm.step();
    this.stepping = false;
    pio.checkChangedPins();
  }

  /// Takes as many turns of a delay loop at once as nobody can notice.
  #skipDelay(cyclesPerTurn) {
    const { chip, sm } = this;
    const free = this.horizon() - chip.mcu.clock.nanosCounter;
    const turns = Math.min(sm.x, Math.ceil(free / (cyclesPerTurn * this.ns)) - 1);
    if (turns <= 0) return false;
    sm.x -= turns;
    sm.cycles += turns * cyclesPerTurn;
    return true;
  }

  /// Until when nobody but this machine can act: the CPU sleeps and no alarm is due.
  horizon() {
    const { chip } = this;
    const { clock, core } = chip.mcu;
    if (!chip.fastPaths || !core.waiting) return -Infinity;
    return clock.nextAlarm ? Math.min(clock.nextAlarm.nanos, chip.until) : chip.until;
  }

  /// Finds the two loops that have a fast path in the program, by their shape.
  recognise() {
    this.point = this.#pointLoop() ?? { at: -1 };
    this.led = this.#ledLoop() ?? { at: -1 };
  }

  /// `t: jmp x-- go` ... `go: in y, 32; jmp t`: x times "start a conversion".
  #pointLoop() {
    const { sm, pio } = this;
    const ops = pio.instructions;
    const pushesWords = sm.shiftCtrl & AUTOPUSH && sm.pushThreshold === 32;
    if (!pushesWords || sm.sidesetCount !== 0) return null;
    for (let at = 0; at < 32; at++) {
      const go = ops[at] & 31;
      const back = (go + 1) & 31;
      const fits =
        (ops[at] & 0xe0e0) === 0x0040 &&
        (ops[go] & 0xe0ff) === 0x4040 &&
        (ops[back] & 0xe0ff) === at &&
        go !== sm.wrapTop;
      if (!fits) continue;
      const start = 1 + delayOf(ops[at]);
      return { at, start, cycles: start + 2 + delayOf(ops[go]) + delayOf(ops[back]) };
    }
    return null;
  }

  /// `out x, 1; set pins, 1; mov pins, x; set pins, 0` with wrap: WS2812 bits.
  #ledLoop() {
    const { sm, pio } = this;
    const at = sm.wrapBottom;
    const ops = [0, 1, 2, 3].map((n) => pio.instructions[(at + n) & 31]);
    const sameShape = [0x6021, 0xe001, 0xa001, 0xe000].every((op, n) => (ops[n] & 0xe0ff) === op);
    const onePin = sm.setCount === 1 && sm.outCount === 1 && sm.setBase === sm.outBase;
    const pulls = sm.shiftCtrl & AUTOPULL;
    if (!sameShape || !onePin || !pulls || sm.wrapTop !== at + 3 || sm.sidesetCount) return null;
    const [low, high, bit, rest] = ops.map((op) => 1 + delayOf(op));
    const [zero, one] = [low + high, low + high + bit];
    return { at, rise: low, fall: [zero, one], cycles: one + rest };
  }

  /// Takes all samples of a point at once. The machine stands at `jmp x--`.
  pointBurst() {
    const { chip, sm } = this;
    const { adc, clock, dma } = chip.mcu;
    const count = sm.x;
    const period = this.point.cycles * this.ns;
    const toStart = this.point.start * this.ns;
    const end = clock.nanosCounter + count * period;
    if (count === 0 || end >= this.horizon()) return;
    if (toStart + adc.sampleTime * 1000 > period || !this.#samplingIsPlain()) return;
    const tokens = theChannel(dma, sm.dreqRx, count, DMA_WORDS_FIXED);
    const results = theChannel(dma, DREQ_ADC, count, DMA_HALVES_TO_BUFFER);
    const rxAddress = 0x50200020 + 0x100000 * this.pio.index + 4 * sm.index;
    if (tokens?.readAddr !== rxAddress || tokens.writeAddr !== ADC_CS_SET) return;
    if (results?.readAddr !== ADC_FIFO || results.writeAddr < SRAM_START) return;
    if (results.writeAddr + 2 * count > SRAM_END) return;

    const began = clock.nanosCounter;
    for (let n = 0; n < count; n++) {
      clock.nanosCounter = began + n * period + toStart;
      adc.result = chip.onSample(adc.activeChannel) & 0xfff;
      chip.mcu.writeUint16(results.writeAddr, adc.result);
      results.writeAddr += 2;
    }
    tokens.transCount -= count;
    results.transCount -= count;
    sm.x = 0;
    sm.cycles += count * this.point.cycles;
    clock.nanosCounter = end;
    chip.bursts.point += 1;
  }

  /// Nothing else reacts to conversions or tokens, and none is under way.
  #samplingIsPlain() {
    const { pio, sm } = this;
    const { adc } = this.chip.mcu;
    const interrupts = adc.intEnable | adc.intForce | pio.irq0IntEnable | pio.irq1IntEnable;
    const idle = !adc.busy && adc.fifo.empty && sm.rxFIFO.empty && sm.inputShiftCount === 0;
    const set = (adc.cs & CS_CHECKED) === CS_EXPECTED && (adc.fcs & FCS_CHECKED) === FCS_EXPECTED;
    return interrupts === 0 && idle && set && sm.y === START_ONCE;
  }

  /// Sends the rest of an LED's word at once. The machine stands at `out x, 1`, the line is low.
  ledBurst() {
    const { chip, led, sm } = this;
    const { clock } = chip.mcu;
    const count = sm.pullThreshold - sm.outputShiftCount;
    const period = led.cycles * this.ns;
    const end = clock.nanosCounter + count * period;
    if (count <= 0 || end >= this.horizon() || !this.#onlyLedsListen(sm.outBase)) return;

    const right = sm.shiftCtrl & SHIFT_RIGHT;
    for (let n = 0; n < count; n++) {
      const began = clock.nanosCounter + n * period;
      sm.x = right ? sm.outputShiftReg & 1 : sm.outputShiftReg >>> 31;
      sm.outputShiftReg = right ? sm.outputShiftReg >>> 1 : sm.outputShiftReg << 1;
      chip.ledLine.edge(began + led.rise * this.ns, true);
      chip.ledLine.edge(began + led.fall[sm.x] * this.ns, false);
    }
    sm.outputShiftCount += count;
    sm.cycles += count * led.cycles;
    clock.nanosCounter = end;
    chip.bursts.led += 1;
  }

  #onlyLedsListen(pin) {
    const { chip, pio } = this;
    const gpio = chip.mcu.gpio[pin];
    const drives = gpio.ctrl === FUNCTION_PIO0 + pio.index && gpio.value === LOW;
    return drives && chip.ledLine?.pin === pin && gpio.listeners.size === 1;
  }
}

/// Delay cycles of an instruction of a program without side-set.
function delayOf(op) {
  return (op >> 8) & 31;
}

/// The one running DMA channel that this request paces, if it is set up like that and has more
/// than `count` transfers left; the last one, which may interrupt, is never taken by a burst.
function theChannel(dma, request, count, control) {
  const channels = dma.channels.filter((channel) => channel.active && channel.treq === request);
  const [channel] = channels;
  const fits =
    channels.length === 1 &&
    (channel.ctrl & DMA_CHECKED) === control &&
    channel.transCount > count;
  return fits ? channel : undefined;
}
