// The USB host against a small device made of register writes: it enumerates, opens the port, and
// moves bytes both ways, at the host's pace.

import assert from 'node:assert/strict';
import test from 'node:test';
import { UsbHost } from '../src/usb.mjs';
import { Bench } from './bench.mjs';

const DPRAM = 0x50100000;
const [IN, OUT] = [0, 1];
const AVAILABLE = 0x400;
const FULL = 0x8000;
const [BULK_IN, BULK_OUT] = [2, 3]; // endpoint numbers, told apart on purpose

const CONFIGURATION = [
  ...[9, 2, 48, 0, 2, 1, 0, 0x80, 250],
  ...[9, 4, 0, 0, 1, 2, 2, 0, 0], // interface 0: communication
  ...[7, 5, 0x81, 3, 8, 0, 255],
  ...[9, 4, 1, 0, 2, 10, 0, 0, 0], // interface 1: data
  ...[7, 5, 0x80 | BULK_IN, 2, 64, 0, 0],
  ...[7, 5, BULK_OUT, 2, 64, 0, 0],
];

/// The board's side: answers control requests, keeps what arrives.
class Device {
  constructor() {
    this.bench = new Bench();
    this.requests = [];
    this.received = [];
    this.reports = [];
    this.host = new UsbHost({
      usbBytes: (at, bytes) => this.reports.push([at, ...bytes]),
      usbReady: () => this.reports.push('ready'),
    });
    this.host.attach(this.bench.chip, 0);
    const controller = this.bench.mcu.usbCtrl;
    controller.resetDevice = () => controller.onResetReceived();
    controller.sendSetupPacket = (packet) => this.setup(packet);
    controller.indicateBufferReady = (endpoint, isOut) => this.done(endpoint, isOut);
    this.bench.write(DPRAM + 8 * BULK_IN, 0x200); // buffers of the endpoints
    this.bench.write(DPRAM + 8 * BULK_OUT + 4, 0x240);
    controller.onUSBEnabled();
  }

  arm(endpoint, direction, bytes = []) {
    this.bench.mcu.usbDPRAM.set(bytes, endpoint === 0 ? 0x100 : 0x200);
    const length = direction === IN ? bytes.length | FULL : 64;
    this.bench.write(DPRAM + 0x80 + 8 * endpoint + 4 * direction, length | AVAILABLE);
  }

  setup([type, request, value, kind, index, , size]) {
    this.requests.push([type, request, value, kind, index]);
    const answer = kind === 2 ? CONFIGURATION : [18, 1];
    this.answer = type & 0x80 ? answer.slice(0, size) : null;
    if (this.answer) this.arm(0, IN, this.answer);
    else this.arm(0, size ? OUT : IN);
  }

  done(endpoint, isOut) {
    const { usbDPRAM, usbDPRAMView } = this.bench.mcu;
    if (endpoint === 0) {
      if (this.answer && !isOut) this.arm(0, OUT);
      if (!this.answer && isOut) this.arm(0, IN);
    } else if (isOut) {
      const length = usbDPRAMView.getUint32(0x84 + 8 * endpoint, true) & 0x3ff;
      this.received.push(...usbDPRAM.subarray(0x240, 0x240 + length));
      this.arm(endpoint, OUT);
    }
  }
}

function opened() {
  const device = new Device();
  device.host.setPresent(true);
  device.bench.run(5000);
  assert.deepEqual(device.reports.splice(0), ['ready']);
  return device;
}

test('without a host nothing happens', () => {
  const device = new Device();
  device.bench.run(5000);
  assert.deepEqual(device.requests, []);
});

test('enumerates and opens the port: address, configuration, line coding, DTR', () => {
  const { requests } = opened();
  const orders = requests.filter(([type]) => type < 0x80).map(([type, request]) => [type, request]);
  assert.deepEqual(orders, [[0, 5], [0, 9], [0x21, 0x20], [0x21, 0x22]]);
  assert.deepEqual(requests.at(-1), [0x21, 0x22, 3, 0, 0]); // DTR and RTS, interface 0
});

test('bytes to the board arrive in order, in packets', () => {
  const device = opened();
  const bytes = Array.from({ length: 200 }, (_, n) => n);
  device.host.send(bytes);
  device.arm(BULK_OUT, OUT);
  device.bench.run(3 * 55 + 10);
  assert.equal(device.received.length, 192, '64 bytes per packet of 55 µs');
  device.bench.run(100);
  assert.deepEqual(device.received, bytes);
});

test('a host that does not read leaves the packet, and gets it later', () => {
  const device = opened();
  device.host.setReading(false);
  device.arm(BULK_IN, IN, [1, 2, 3]);
  device.bench.run(1000);
  assert.deepEqual(device.reports, []);
  device.host.setReading(true);
  const now = device.bench.mcu.clock.nanos;
  device.bench.run(1000);
  assert.deepEqual(device.reports, [[now + 55_000, 1, 2, 3]]);
});

test('unplugged and plugged in again, everything starts anew', () => {
  const device = opened();
  device.host.setPresent(false);
  device.arm(BULK_IN, IN, [1]);
  device.bench.run(1000);
  assert.deepEqual(device.reports, []);
  device.host.setPresent(true);
  device.bench.run(5000);
  assert.equal(device.reports[0], 'ready');
});
