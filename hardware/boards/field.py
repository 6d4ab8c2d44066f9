"""The copper of a playfield: the same pattern for both, with their own numbers.

Seen from the front. Every column of points is a bank: sensors on a switched rail, LEDs on a
+5V trunk and a ground trunk of their own, all running down on the front to the strip below the
field. There each column has its transistor and multiplexer; on the left end sit decoder and
connector. What runs across columns runs on the back, the rest of which is analog ground:

    x from the sensor   -2.25     0      3.4     LX     LX+1.7 ...          (next column)
    front               rail   sensor   ground  LED    sense lanes
    back                          o-------------------------o    sensor to its lane

Sense lanes have the pitch of the multiplexer's pins and lie on their x, so they run straight in;
the lowest point is channel 0. The LED chain runs up and down in turn; each link changes sides
half-way between two LEDs by a hop on the back. LED ground and analog ground do not meet here.
"""

from draw import BACK, EDGE, FRONT, Board
from field_circuit import bank, chain_net, channel_pin, point_number
from maze import Maze
from sizes import (BAR, FIDUCIALS, GROUND, HOLES, OUTLINE, RAIL, SIGNAL, TRUNK, VA_BAR,
                   pillars)

RAIL_X, GROUND_X = -2.25, 3.4               # from the sensor
PITCH = 0.65                                # pins of mux and decoder, and the lanes
MUX_DX = 3.3                                # mux centre from the LED's x
STRIP_Y = 186.0                             # y of the mux centres

# y of what runs along the strip, from the mux centre
BAR_5V, BAR_GND, CHAIN_Y = -18.0, -15.46, -12.92
COMMON_Y, S1_Y, S0_Y, S2_Y, S3_Y, VA_Y = -1.6, -0.95, -0.3, 0.35, 1.0, 1.65    # below the mux
SENSE_Y, VA_BAR_Y = 2.3, 4.65
SELECT_Y = 9.2                              # the topmost select line
FET_X, FET_Y = -0.6, 5.6
CONNECTOR_AT = (-170.0, BAR_5V)             # pin 1; the rows of pins meet bars and chain
DECODER_X = -163.5
CORNER_X = -157.5                           # where the lines of the strip begin, right of it all
STRAIGHT_OUTPUTS = 11                       # decoder outputs 0..10 face the columns
WRAP_PITCH = 0.5                            # where lines lead round the end of a chip


def lane_offset(channel):
    """x of a lane from the mux centre: on its pin, or right of the mux for the far pin row."""
    return -1.625 + PITCH * channel if channel < 8 else 4.25 + PITCH * (channel - 8)


def board(field, circuit_, path, open_pins):
    """The board of a playfield, drawn and filled."""
    b = Board(circuit_, path, open_pins)
    b.outline(*OUTLINE)
    for column in range(field.columns):
        _draw_points(b, field, column)
        _draw_trunks(b, field, column)
        _draw_mux(b, field, column)
        _draw_switch(b, field, column)
    _draw_chain(b, field)
    _draw_bars(b, field)
    _draw_decoder(b, field)
    _draw_corner(b, field)
    _route_corner(b, field)
    x0, y0, x1, y1 = OUTLINE
    b.zone("AGND", BACK, x0 + EDGE, y0 + EDGE, x1 - EDGE, y1 - EDGE)
    _print(b, field)
    return b


def _column_x(field, column):
    return field.column(column)[0].x


def _led(field, point):
    return point.x + field.led_offset[0], point.y + field.led_offset[1]


def _mux_x(field, column):
    return _column_x(field, column) + field.led_offset[0] + MUX_DX


def _draw_points(b, field, column):
    for point in field.column(column):
        number, (x, y) = point_number(point), (point.x, point.y)
        rail, net = bank(column), f"S_{point.name}"
        b.place(f"U{number}", x, y, 180)
        b.track(rail, FRONT, SIGNAL, (x + 0.9375, y + 0.95), (x + RAIL_X, y + 0.95))
        b.track("AGND", FRONT, SIGNAL, (x - 0.9375, y), (x + 0.2, y))
        b.via("AGND", x + 0.2, y)
        # Sensor to its lane, on the back.
        lane = _mux_x(field, column) + lane_offset(point.channel)
        b.track(net, FRONT, SIGNAL, (x + 0.9375, y - 0.95), (x + 2.2, y - 0.95))
        b.via(net, x + 2.2, y - 0.95)
        b.track(net, BACK, SIGNAL, (x + 2.2, y - 0.95), (lane, y - 0.95))
        b.via(net, lane, y - 0.95)
        b.place(f"C{number}", x - 0.9, y + 3.4)
        b.track(rail, FRONT, SIGNAL, (x - 1.675, y + 3.4), (x + RAIL_X, y + 3.4))
        b.track("AGND", FRONT, SIGNAL, (x - 0.125, y + 3.4), (x + 1.1, y + 3.4))
        b.via("AGND", x + 1.1, y + 3.4)
        _draw_led(b, field, point)


def _draw_led(b, field, point):
    number, (x, y) = point_number(point), _led(field, point)
    ground = point.x + GROUND_X
    down = point.column % 2
    b.place(f"D{number}", x, y, 180 if down else 0)
    if down:
        b.track("+5V_LED", FRONT, SIGNAL, (x - 0.915, y + 0.55), (x, y + 0.55))
        b.track("GND", FRONT, SIGNAL, (x + 0.915, y - 0.55), (x + 0.915, y - 1.6))
        b.via("GND", x + 0.915, y - 1.6)
        b.track("GND", BACK, SIGNAL, (x + 0.915, y - 1.6), (ground, y - 1.6))
        b.via("GND", ground, y - 1.6)
    else:
        b.track("+5V_LED", FRONT, SIGNAL, (x + 0.915, y - 0.55), (x, y - 0.55))
        b.track("GND", FRONT, SIGNAL, (x - 0.915, y + 0.55), (ground, y + 0.55))
    b.place(f"C{2000 + number}", x - 1.65, y + 3.6, 180)
    b.track("+5V_LED", FRONT, SIGNAL, (x - 0.875, y + 3.6), (x, y + 3.6))
    b.track("GND", FRONT, SIGNAL, (x - 2.425, y + 3.6), (ground, y + 3.6))


def _draw_trunks(b, field, column):
    points = field.column(column)
    x, top, down = points[0].x, points[-1].y, column % 2
    led_x, led_top = _led(field, points[-1])
    b.track(bank(column), FRONT, RAIL, (x + RAIL_X, top + 0.95), (x + RAIL_X, STRIP_Y + FET_Y))
    for net, at, start, bar, width in [
            ("+5V_LED", led_x, led_top + (0.55 if down else -0.55), BAR_5V, TRUNK),
            ("GND", x + GROUND_X, led_top + (-1.6 if down else 0.55), BAR_GND, GROUND)]:
        b.track(net, FRONT, width, (at, start), (at, STRIP_Y + bar))
        for dx, dy in [(0, -0.6), (0, 0.6), (-0.9, 0)]:
            b.via(net, at + dx, STRIP_Y + bar + dy)
        b.track(net, FRONT, width, (at, STRIP_Y + bar - 0.6), (at, STRIP_Y + bar + 0.6))
        b.track(net, FRONT, width, (at - 0.9, STRIP_Y + bar), (at, STRIP_Y + bar))


def _draw_mux(b, field, column):
    letter, x, y = chr(97 + column), _mux_x(field, column), STRIP_Y
    ref = f"U{(column + 1) * 100}"
    b.place(ref, x, y, -90)
    points = field.column(column)
    for point in points:
        _draw_lane(b, ref, point, x, y)
    _tie_spare_channels(b, ref, len(points))
    for pin, net, line in [(10, "CH0", S0_Y), (11, "CH1", S1_Y), (14, "CH2", S2_Y),
                           (13, "CH3", S3_Y), (24, "VA", VA_Y), (1, f"COM_{letter}", COMMON_Y)]:
        px, py = b.pad(ref, pin)
        b.track(net, FRONT, SIGNAL, (px, py), (px, y + line))
        b.via(net, px, y + line)
    px, py = b.pad(ref, 12)
    b.track("AGND", FRONT, SIGNAL, (px, py), (px, y - 5.0))
    b.via("AGND", px, y - 5.0)
    # The common pin, by the back, to its resistor and on to the line all banks share.
    rx, number = x - 5.0, column + 1
    b.place(f"R{number * 10 + 1}", rx, y - 0.7, -90)
    b.track(f"COM_{letter}", BACK, SIGNAL, (x + 3.575, y + COMMON_Y), (rx + 0.85, y + COMMON_Y))
    b.via(f"COM_{letter}", rx + 0.85, y + COMMON_Y)
    b.track(f"COM_{letter}", FRONT, SIGNAL, (rx + 0.85, y + COMMON_Y), (rx, y + COMMON_Y))
    b.track("SENSE_LINE", FRONT, SIGNAL, (rx, y + 0.125), (rx, y + SENSE_Y))
    b.via("SENSE_LINE", rx, y + SENSE_Y)
    cx = x - 6.6
    b.place(f"C{number * 100}", cx, y - 1.0, 90)
    b.track("VA", FRONT, SIGNAL, (cx, y - 0.225), (cx, y + VA_Y))
    b.via("VA", cx, y + VA_Y)
    b.track("VA", FRONT, SIGNAL, (cx, y + VA_Y), (cx, y + VA_BAR_Y - 0.3))
    b.via("VA", cx, y + VA_BAR_Y - 0.3)
    b.track("AGND", FRONT, SIGNAL, (cx, y - 1.775), (cx, y - 2.9))
    b.via("AGND", cx, y - 2.9)


def _draw_lane(b, ref, point, x, y):
    net, lane = f"S_{point.name}", x + lane_offset(point.channel)
    px, py = b.pad(ref, channel_pin(point.channel))
    if point.channel < 8:
        b.track(net, FRONT, SIGNAL, (lane, point.y - 0.95), (px, py))
        return
    below = y + 4.4 + WRAP_PITCH * (point.channel - 8)
    b.track(net, FRONT, SIGNAL, (lane, point.y - 0.95), (lane, below), (px, below), (px, py))


def _tie_spare_channels(b, ref, used):
    """Unused inputs go to ground: neighbours joined, one via per row of pins."""
    for row, side in ((range(used, 8), -1), (range(max(used, 8), 16), 1)):
        pads = [b.pad(ref, channel_pin(channel)) for channel in row]
        if not pads:
            continue
        join = pads[0][1] + side * 1.5
        for px, py in pads:
            b.track("AGND", FRONT, SIGNAL, (px, py), (px, join))
        b.track("AGND", FRONT, SIGNAL, (pads[0][0], join), (pads[-1][0], join))
        px = pads[-1][0]
        b.track("AGND", FRONT, SIGNAL, (px, join), (px, STRIP_Y + side * 6.1))
        b.via("AGND", px, STRIP_Y + side * 6.1)


def _draw_switch(b, field, column):
    letter, number = chr(97 + column), column + 1
    x, y = _column_x(field, column) + FET_X, STRIP_Y + FET_Y
    gate, select = f"GATE_{letter}", f"SEL_{letter}"
    b.place(f"Q{number}", x, y, 180)
    b.place(f"R{number * 10 + 3}", x + 2.71, y + 0.125, -90)
    b.place(f"R{number * 10 + 2}", x + 4.93, y + 0.95)
    b.track("VA", FRONT, RAIL, (x + 0.9375, y - 0.95), (x + 2.71, y - 0.7))
    for dy in (-1.35, -0.55):
        b.via("VA", x + 1.9, y + dy)
        b.track("VA", FRONT, RAIL, (x + 1.9, y + dy), (x + 1.9, y - 0.9))
    b.track(gate, FRONT, SIGNAL, (x + 0.9375, y + 0.95), (x + 4.1, y + 0.95))
    enable = b.pad(f"U{number * 100}", 15)
    b.track(select, FRONT, SIGNAL, (x + 5.755, y + 0.95), (enable[0], y + 0.95))
    line = STRIP_Y + SELECT_Y + _select_line(field, column)
    b.track(select, FRONT, SIGNAL, enable, (enable[0], line))
    cx, cy = _column_x(field, column) - 0.9, STRIP_Y - 3.4
    b.place(f"C{2000 + number * 100}", cx, cy)
    b.track(bank(column), FRONT, SIGNAL, (cx - 0.775, cy), (cx - 1.35, cy))
    b.track("AGND", FRONT, SIGNAL, (cx + 0.775, cy), (cx + 2.0, cy))
    b.via("AGND", cx + 2.0, cy)


def _draw_chain(b, field):
    """The links between LEDs, in the order of the chain."""
    points = sorted(field.points, key=lambda point: point.led)
    for point, after in zip(points, points[1:]):
        net = chain_net(after.led)
        x0, y0 = b.pad(f"D{point_number(point)}", 1)
        x1, y1 = b.pad(f"D{point_number(after)}", 3)
        if point.column == after.column:
            cross = (y0 + y1) / 2
        elif point.column % 2 == 0:
            cross = min(y0, y1) - 2.45
        else:
            cross = max(y0, y1) + 2.45
        b.track(net, FRONT, SIGNAL, (x0, y0), (x0, cross))
        b.via(net, x0, cross)
        b.track(net, BACK, SIGNAL, (x0, cross), (x1, cross))
        b.via(net, x1, cross)
        b.track(net, FRONT, SIGNAL, (x1, cross), (x1, y1))


def _draw_bars(b, field):
    """What runs along the whole strip, on the back, from the corner to the last column."""
    last = field.columns - 1
    mux = _mux_x(field, last)
    end = _column_x(field, last)
    led = field.led_offset[0]
    for net, line, x1, width in [
            ("+5V_LED", BAR_5V, end + led, BAR), ("GND", BAR_GND, end + GROUND_X, BAR)]:
        b.track(net, BACK, width, (CONNECTOR_AT[0], STRIP_Y + line), (x1, STRIP_Y + line))
    b.track("VA", BACK, 0.3, (_mux_x(field, 0) - 6.6, STRIP_Y + VA_Y),
            (mux + 3.575, STRIP_Y + VA_Y))
    for net, line, x1, width in [
            ("CH0", S0_Y, mux - 2.275, SIGNAL), ("CH1", S1_Y, mux - 2.925, SIGNAL),
            ("CH2", S2_Y, mux - 2.925, SIGNAL), ("CH3", S3_Y, mux - 3.575, SIGNAL),
            ("SENSE_LINE", SENSE_Y, mux - 5.0, SIGNAL),
            ("VA", VA_BAR_Y, mux - 6.6, VA_BAR)]:
        b.track(net, BACK, width, (CORNER_X, STRIP_Y + line), (x1, STRIP_Y + line))
    # The first LED of the field, straight from the cable.
    b.place("J1", CONNECTOR_AT[0], STRIP_Y + CONNECTOR_AT[1], 0, back=True)
    first = next(point for point in field.points if point.led == 6)
    x, y = b.pad(f"D{point_number(first)}", 3)
    b.track("LED_CHAIN", FRONT, SIGNAL, (x, y), (x, STRIP_Y + CHAIN_Y))
    b.via("LED_CHAIN", x, STRIP_Y + CHAIN_Y)
    b.track("LED_CHAIN", BACK, SIGNAL, (x, STRIP_Y + CHAIN_Y), b.pad("J1", 5))
    px, py = b.pad("J1", 17)
    bar = STRIP_Y + VA_BAR_Y
    b.track("VA", BACK, VA_BAR, (px, py), (px + 2.5, py), (px + 2.5 + bar - py, bar),
            (CORNER_X, bar))
    b.track("GND", BACK, GROUND, b.pad("J1", 4), b.pad("J1", 6))
    b.track("+5V_LED", BACK, BAR, b.pad("J1", 1), b.pad("J1", 2))
    b.track("GND", BACK, BAR, b.pad("J1", 3), b.pad("J1", 4))


def _select_line(field, column):
    """y of a column's select line from the topmost one: lines that lead round the decoder are
    closer, the step to the straight ones is wider."""
    wrapped = field.columns - STRAIGHT_OUTPUTS
    if column < wrapped:
        return WRAP_PITCH * column
    straight = PITCH * (column - max(wrapped, 0))
    return straight + (WRAP_PITCH * (wrapped - 1) + 1.975 if wrapped > 0 else 0)


def _draw_decoder(b, field):
    wrapped = max(0, field.columns - STRAIGHT_OUTPUTS)
    top_straight = STRIP_Y + SELECT_Y + _select_line(field, wrapped)
    y = top_straight + 2.925
    b.place("U1", DECODER_X, y, 180)
    for column in range(field.columns):
        output = field.columns - 1 - column
        net, line = f"SEL_{chr(97 + column)}", STRIP_Y + SELECT_Y + _select_line(field, column)
        end = b.pad(f"U{(column + 1) * 100}", 15)[0]
        if output < STRAIGHT_OUTPUTS:
            b.track(net, FRONT, SIGNAL, b.pad("U1", output + 1), (end, line))
            continue
        px, py = b.pad("U1", output + 2)
        out = px - 1.1 - WRAP_PITCH * (output - STRAIGHT_OUTPUTS)
        b.track(net, FRONT, SIGNAL, (px, py), (out, py), (out, line), (end, line))
    # Both ground pins meet under the chip.
    px, py = b.pad("U1", 12)
    qx, qy = b.pad("U1", 19)
    b.track("AGND", FRONT, SIGNAL, (px, py), (DECODER_X, py), (DECODER_X, qy), (qx, qy))
    b.via("AGND", DECODER_X, qy)
    for pin in (18, 20, 21, 22, 23, 24):
        net = b.circuit.parts["U1"].pins[str(pin)]
        px, py = b.pad("U1", pin)
        b.track(net, FRONT, SIGNAL, (px, py), (px - 1.2, py), _fan(b, pin)[:2])


def _fan(b, pin):
    """Where the router takes over a pin on the decoder's left: on its grid, spread to 1 mm."""
    px, py = b.pad("U1", 21)
    return round(px * 4) / 4 - 2.75, round(py * 4) / 4 + 0.5 + 1.0 * (pin - 21), (FRONT,)


def _draw_corner(b, field):
    """The parts around connector and decoder that follow no pattern."""
    x, y = CONNECTOR_AT[0], STRIP_Y
    b.place("C2", x + 6.0, y + BAR_5V - 3.2, -90)
    b.place("C3", x + 9.0, y + BAR_5V - 3.2, -90)
    b.place("C4", x + 4.5, y + 6.5)
    b.place("R1", x - 7.0, y + 8.0, 90)
    dx, dy = b.pad("U1", 24)
    b.place("C1", dx + 0.6, dy + 2.6, 0)
    for number, at in enumerate([(x + 5, y - 26), (x + 9, y - 26), (x - 8.5, y + 13),
                                 (x - 8.5, y - 6), (x - 8.5, y + 0)]):
        b.place(f"TP{number + 1}", *at, back=True)
    last = max(field.points, key=lambda point: point.led)
    px, py = b.pad(f"D{point_number(last)}", 1)
    b.place("TP6", px, py - 4)
    b.track(f"LED{last.led + 1}", FRONT, SIGNAL, (px, py), (px, py - 4))
    for number, at in enumerate(HOLES):
        b.place(f"H{number + 1}", *at)
    for number, at in enumerate(FIDUCIALS):
        b.place(f"FID{number + 1}", *at)


def _route_corner(b, field):
    """Connects the corner; terminals are pads and the left ends of the lines of the strip."""
    both, front, back = (FRONT, BACK), (FRONT,), (BACK,)
    y = STRIP_Y

    def pad(ref, pin):
        layers = both if ref == "J1" else back if ref.startswith("TP") else front
        return (*b.pad(ref, pin), layers)

    def line(dy):
        return (CORNER_X, y + dy, back)

    maze = Maze(b, OUTLINE[0] + 0.75, y - 30, CORNER_X, OUTLINE[3] - 0.75,
                wide={"VA": 0.3, "+5V_LED": 0.8, "GND": 0.8, "AGND": 0.8})
    maze.route([
        ("AGND", [pad("TP4", 1), pad("J1", 12), pad("J1", 18)]),
        ("VA", [line(VA_BAR_Y), pad("C4", 1), pad("TP3", 1), pad("C1", 1),
                _fan(b, 24)]),
        ("SENSE_LINE", [pad("J1", 19), line(SENSE_Y), pad("TP5", 1)]),
        ("CH0", [pad("J1", 13), line(S0_Y)]), ("CH1", [pad("J1", 14), line(S1_Y)]),
        ("CH2", [pad("J1", 15), line(S2_Y)]), ("CH3", [pad("J1", 16), line(S3_Y)]),
        ("FIELD_ID", [pad("J1", 20), pad("R1", 1)]),
        ("BANK0", [pad("J1", 7), _fan(b, 23)]), ("BANK1", [pad("J1", 8), _fan(b, 22)]),
        ("BANK2", [pad("J1", 9), _fan(b, 21)]), ("BANK3", [pad("J1", 10), _fan(b, 20)]),
        ("/BANK_EN", [pad("J1", 11), _fan(b, 18)]),
        ("+5V_LED", [(b.pad("J1", 1)[0] + 4, y + BAR_5V, back), pad("C2", 1), pad("C3", 1),
                     pad("TP1", 1)]),
        ("GND", [(b.pad("J1", 3)[0] + 4, y + BAR_GND, back), pad("C2", 2), pad("C3", 2),
                 pad("TP2", 1)]),
    ])
    maze.ground("AGND", [pad("R1", 2), pad("C1", 2), pad("C4", 2)])


def _print(b, field):
    x0, y0, x1, y1 = OUTLINE
    for point in field.points:
        b.text(point.name, point.x - 4.6, point.y - 2.6, 1.5)
    for x, y in pillars(field):
        b.circle(x, y, 2.6)
    for column in range(field.columns):
        b.text(f"bank {chr(97 + column)}", _mux_x(field, column), STRIP_Y + 0.2, 1.0)
    b.text(f"lodestone {field.name} playfield, revision 1 (drawn, never built)", 80, y0 + 4, 2.5)
    for number in (1, 20):
        px, py = b.pad("J1", number)
        b.text(str(number), px + (5.5 if number % 2 else -5.5), py, 1.2, back=True)
