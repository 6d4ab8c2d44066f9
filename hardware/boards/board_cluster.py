"""Seven points to order and measure first: one point of the hex playfield and its neighbours.

Same sensors, LEDs, multiplexer, switch, distances and cable as the playfield, no decoder: enable
selects the one bank, the bank address is ignored. The strap says "hex", so the firmware runs as it
is and shows the seven points as the lowest seven of every column. Point 1 is the middle, 2 the one
above it, then clockwise.
"""

import math

from circuit import Circuit
from draw import BACK, EDGE, FRONT, Board
from maze import Maze
from playfields import CONNECTOR, HEX
from sizes import SIGNAL

PLACES = [(0.0, 0.0)] + [(30 * math.sin(math.radians(60 * n)), -30 * math.cos(math.radians(60 * n)))
                         for n in range(6)]
OUTLINE = (-42.0, -46.0, 48.0, 82.0)
HOLES = [(-37, -41), (43, -41), (-37, 77), (43, 77)]
FIDUCIALS = [(-30, -41), (36, -41), (36, 77)]
CHANNEL_PINS = [9, 8, 7, 6, 5, 4, 3, 2, 23, 22, 21, 20, 19, 18, 17, 16]
STRIP = {
    "U10": (0.0, 60.0, 0), "C10": (9.5, 55.0, 90), "R1": (-10.0, 54.0, 0), "Q1": (14.0, 62.0, 180),
    "R2": (19.0, 64.0, 0), "R3": (18.0, 60.0, 90), "C11": (11.0, 68.0, 0), "R4": (-16.0, 70.0, 90),
    "C12": (-20.0, 62.0, 90), "C13": (-20.0, 55.0, 90), "J1": (-32.0, 45.0, 0),
    "TP1": (30, 58, 0), "TP2": (30, 62, 0), "TP3": (30, 66, 0), "TP4": (30, 70, 0),
    "TP5": (36, 58, 0), "TP6": (36, 62, 0),
}
TEST_NETS = ["BANK", "COM", "VA", "AGND", "GND", "LED_END"]
WIDE = {"+5V_LED": 0.6, "GND": 0.6, "BANK": 0.5, "VA": 0.4}


def circuit():
    c = Circuit("cluster", "lodestone cluster of seven points")
    c.powered = ["+5V_LED", "GND", "VA", "AGND", "BANK"]
    c.page("Seven points")
    for number in range(1, 8):
        c.block(f"Point {number}: channel {number - 1}")
        c.add(f"U{number}", "SENSOR", "BANK", f"S_{number}", "AGND")
        c.add(f"C{number}", "C_10N", "BANK", "AGND")
        links = ["LED_CHAIN"] + [f"LED{n}" for n in range(2, 8)] + ["LED_END"]
        c.add(f"D{number}", "LED", links[number], "GND", links[number - 1], "+5V_LED")
        c.add(f"C{20 + number}", "C_100N", "+5V_LED", "GND")
    c.page("Multiplexer, switch, cable")
    c.block("Multiplexer")
    channels = {f"p{pin}": f"S_{n + 1}" if n < 7 else "AGND" for n, pin in enumerate(CHANNEL_PINS)}
    c.add("U10", "MUX", p1="COM", p10="CH0", p11="CH1", p12="AGND", p13="CH3", p14="CH2",
          p15="/BANK_EN", p24="VA", **channels)
    c.add("C10", "C_100N", "VA", "AGND")
    c.add("R1", "R_470", "COM", "SENSE_LINE")
    c.block("Power switch")
    c.add("Q1", "PFET", "GATE", "VA", "BANK")
    c.add("R2", "R_10K", "GATE", "/BANK_EN")
    c.add("R3", "R_100K", "VA", "GATE")
    c.add("C11", "C_100N", "BANK", "AGND")
    c.block("Cable, strap, bulk")
    nets = {f"p{pin}": net for pin, net in CONNECTOR.items() if not net.startswith("BANK")}
    c.add("J1", "HEADER", **nets)
    c.add("R4", "R_2K2", "FIELD_ID", "AGND")
    c.add("C12", "C_10U", "VA", "AGND")
    c.add("C13", "C_10U", "+5V_LED", "GND")
    c.block("Test pads, holes, fiducials")
    for number, net in enumerate(TEST_NETS, 1):
        c.add(f"TP{number}", "TEST", net)
    for number in range(len(HOLES)):
        c.add(f"H{number + 1}", "HOLE")
    for number in range(len(FIDUCIALS)):
        c.add(f"FID{number + 1}", "FIDUCIAL")
    return c


def fan_out(b, ref):
    """Leads the fine pins of the multiplexer outwards to a pitch the router can use."""
    ends = {}
    for pin, net in b.circuit.parts[ref].pins.items():
        x, y = b.pad(ref, pin)
        cx, cy, _ = STRIP[ref]
        side = 1 if x > cx else -1
        row = (y - cy) / 0.65
        end = (round((x + side * 3.6) * 4) / 4, cy + row)
        end = (end[0], round(end[1] * 4) / 4)
        b.track(net, FRONT, SIGNAL, (x, y), (x + side * 1.1, y), end)
        ends[ref, pin] = end
    return ends


def board(parts, path, open_pins):
    b = Board(parts, path, open_pins)
    x0, y0, x1, y1 = OUTLINE
    b.outline(*OUTLINE)
    for number, (x, y) in enumerate(PLACES, 1):
        lx, ly = x + HEX.led_offset[0], y + HEX.led_offset[1]
        b.place(f"U{number}", x, y, 180)
        b.place(f"C{number}", x - 0.9, y + 3.4)
        b.place(f"D{number}", lx, ly)
        b.place(f"C{20 + number}", lx - 4, ly + 1, 90)
        b.text(str(number), x - 4.5, y - 2.5, 2)
    for ref, (x, y, turn) in STRIP.items():
        b.place(ref, x, y, turn)
    for number, at in enumerate(HOLES, 1):
        b.place(f"H{number}", *at)
    for number, at in enumerate(FIDUCIALS, 1):
        b.place(f"FID{number}", *at)
    for number, net in enumerate(TEST_NETS, 1):
        x, y, _ = STRIP[f"TP{number}"]
        b.text(net, x, y + 1.7, 0.8)
    b.text("lodestone cluster, revision 1 (drawn, never built)", 3, y0 + 3, 1.5)
    ends = fan_out(b, "U10")
    maze = Maze(b, x0 + 0.75, y0 + 0.75, x1 - 0.75, y1 - 0.75, wide=WIDE)
    maze.route_all(plane="AGND", first=["BANK", "VA", "+5V_LED", "GND"], fanned=ends)
    maze.stitch("AGND", 2.5)
    for side in (FRONT, BACK):
        b.zone("AGND", side, x0 + EDGE, y0 + EDGE, x1 - EDGE, y1 - EDGE)
    return b
