// A USB host with one CDC serial port: enumerates the board, opens the port (DTR), moves bytes.
//
// The package's own host completes reads with empty packets and asks the wrong recipient for DTR,
// so this one talks to the controller's buffers itself. A buffer the board has armed waits here
// until the host wants it: not at all without a host, later when the host does not read.

const AVAILABLE = 0x400;
const FULL = 0x8000;
const LENGTH = 0x3ff;

const PACKET_NS = 55_000; // a full packet of 64 bytes at 12 Mbit/s, with its overhead

// Standard and CDC requests: [bmRequestType, bRequest].
const GET_DESCRIPTOR = [0x80, 6];
const SET_ADDRESS = [0x00, 5];
const SET_CONFIGURATION = [0x00, 9];
const SET_LINE_CODING = [0x21, 0x20];
const SET_CONTROL_LINE_STATE = [0x21, 0x22];

// Descriptor types and what marks the serial port in them.
const [DEVICE, CONFIGURATION, STRING, INTERFACE, ENDPOINT] = [1, 2, 3, 4, 5];
const [CLASS_COMMUNICATION, CLASS_DATA] = [2, 10];
const BULK = 2;

const ENGLISH = 0x0409;
const BAUD_115200_8N1 = [0x00, 0xc2, 0x01, 0x00, 0, 0, 8];
const DTR_AND_RTS = 3;

export class UsbHost {
  constructor(report) {
    this.report = report;
    this.present = false;
    this.reading = true;
    this.toSend = [];
    this.#forget();
  }

  /// Moves to a new chip (or the first), which starts detached.
  attach(chip, base) {
    this.base = base;
    this.chip = chip;
    this.controller = chip.mcu.usbCtrl;
    this.enabled = false;
    this.armed = new Map();
    this.#forget();
    chip.onUsbBuffer = (endpoint, isOut) => this.#bufferArmed(endpoint, isOut);
    this.controller.onUSBEnabled = () => {
      this.enabled = true;
      if (this.present) this.controller.resetDevice();
    };
    this.controller.onResetReceived = () => this.#enumerate();
  }

  /// Plugs the cable in or out. Without a host (charger) nothing ever happens on the bus.
  setPresent(present) {
    if (present === this.present) return;
    this.present = present;
    this.#forget();
    if (present && this.enabled) this.controller.resetDevice();
  }

  /// A host program that stops reading leaves the board's packets where they are.
  setReading(reading) {
    this.reading = reading;
    this.#serveAll();
  }

  send(bytes) {
    this.toSend.push(...bytes);
    this.#serveAll();
  }

  #forget() {
    this.port = null;
    this.requests = [];
    this.ready = false;
  }

  #bufferArmed(endpoint, isOut) {
    const key = endpoint * 2 + (isOut ? 1 : 0);
    let buffer = this.armed.get(key);
    if (!buffer) {
      const alarm = this.chip.mcu.clock.createAlarm(() => {
        alarm.scheduled = false;
        this.#transfer(buffer);
      });
      buffer = { endpoint, isOut, alarm, waits: false };
      this.armed.set(key, buffer);
    }
    buffer.waits = true;
    this.#serve(buffer);
  }

  #serveAll() {
    for (const buffer of this.armed?.values() ?? []) this.#serve(buffer);
  }

  /// Starts the packet if both sides want it.
  #serve(buffer) {
    if (buffer.waits && !buffer.alarm.scheduled && this.#wants(buffer)) {
      buffer.alarm.schedule(PACKET_NS);
    }
  }

  #wants({ endpoint, isOut }) {
    if (!this.present) return false;
    if (endpoint === 0) return this.requests.length > 0;
    if (!this.ready) return false;
    if (isOut) return endpoint === this.port.out && this.toSend.length > 0;
    return endpoint === this.port.in && this.reading;
  }

  /// The packet has crossed the wire.
  #transfer(buffer) {
    if (!this.#wants(buffer)) return;
    const { endpoint, isOut } = buffer;
    const { usbDPRAM, usbDPRAMView } = this.chip.mcu;
    const control = 0x80 + endpoint * 8 + (isOut ? 4 : 0);
    const data = this.controller.getEndpointBufferOffset(endpoint, isOut);
    let word = usbDPRAMView.getUint32(control, true) & ~AVAILABLE;
    const length = word & LENGTH;
    buffer.waits = false;
    let received = null;
    if (isOut) {
      const packet = endpoint === 0 ? this.#controlOut(length) : this.toSend.splice(0, length);
      usbDPRAM.set(packet, data);
      word = (word & ~LENGTH) | packet.length | FULL;
    } else {
      received = usbDPRAM.slice(data, data + length);
      word &= ~FULL;
    }
    usbDPRAMView.setUint32(control, word, true);
    this.controller.indicateBufferReady(endpoint, isOut);
    if (endpoint === 0) this.#controlDone(isOut, received);
    else if (received) this.report.usbBytes(this.base + this.chip.mcu.clock.nanosCounter, received);
  }

  // Control transfers: one request at a time, each { setup, data, answer, then }.

  #request([type, request], value, index, { length = 0, data = null, then = () => {} } = {}) {
    const size = data ? data.length : length;
    const halves = [value, index, size].flatMap((half) => [half & 255, half >> 8]);
    const setup = [type, request, ...halves];
    this.requests.push({ setup, isIn: type >= 0x80, size, data, answer: [], then });
    if (this.requests.length === 1) this.#sendSetup();
  }

  #sendSetup() {
    const [request] = this.requests;
    if (request) this.controller.sendSetupPacket(Uint8Array.from(request.setup));
  }

  /// What goes out next on endpoint 0: the rest of a request's data, or an empty status packet.
  #controlOut(length) {
    return this.requests[0].data?.splice(0, length) ?? [];
  }

  /// The last packet of a transfer is the status, which goes against the data's direction.
  #controlDone(isOut, received) {
    const [request] = this.requests;
    if (received) request.answer.push(...received);
    if (isOut !== request.isIn) return;
    request.then(request.answer); // may queue more requests behind this one
    this.requests.shift();
    this.#sendSetup();
  }

  #enumerate() {
    if (!this.present) return;
    this.#forget();
    this.#request(GET_DESCRIPTOR, DEVICE << 8, 0, { length: 18 });
    this.#request(SET_ADDRESS, 1, 0);
    const then = (header) => this.#configure(header);
    this.#request(GET_DESCRIPTOR, CONFIGURATION << 8, 0, { length: 9, then });
  }

  #configure(header) {
    const length = header[2] | (header[3] << 8);
    const then = (descriptors) => (this.port = findPort(descriptors));
    this.#request(GET_DESCRIPTOR, CONFIGURATION << 8, 0, { length, then });
    this.#request(GET_DESCRIPTOR, STRING << 8, 0, { length: 255 });
    this.#request(GET_DESCRIPTOR, (STRING << 8) | 2, ENGLISH, { length: 255 });
    this.#request(SET_CONFIGURATION, 1, 0, { then: () => this.#openPort() });
  }

  #openPort() {
    const { communication } = this.port;
    this.#request(SET_LINE_CODING, 0, communication, { data: [...BAUD_115200_8N1] });
    this.#request(SET_CONTROL_LINE_STATE, DTR_AND_RTS, communication, {
      then: () => {
        this.ready = true;
        this.report.usbReady(this.base + this.chip.mcu.clock.nanosCounter);
        this.#serveAll();
      },
    });
  }
}

/// The interface and endpoint numbers of the first serial port in a configuration.
function findPort(descriptors) {
  const port = {};
  let isData = false;
  for (let at = 0; at + 1 < descriptors.length && descriptors[at] > 0; at += descriptors[at]) {
    const [, type, number, attributes, , interfaceClass] = descriptors.slice(at);
    if (type === INTERFACE) {
      isData = interfaceClass === CLASS_DATA;
      if (interfaceClass === CLASS_COMMUNICATION) port.communication ??= number;
    }
    if (type === ENDPOINT && isData && attributes === BULK) {
      if (number & 0x80) port.in ??= number & 15;
      else port.out ??= number;
    }
  }
  return port;
}
