"""Top plates, frame and panel as flat drawings, with the checks that they fit boards and pieces.

`case.py FOLDER` writes DXF (for the cutter) and SVG (for the eye) and says what is wrong. The plate
is 6.0 mm thick and flat; marks are engraved at most 0.1 mm. Each point has a slot through the plate
from above its LED outwards to the middle between the points, filled flush with a clear diffuser, so
that a piece that lies off centre does not hide the light.

Lines on the hexagonal plate: all lines of YINSH thin, GIPF's heavy with its dots, DVONN's outline
red, LYNGK's points ringed blue. On the square plate: squares thin, the rooms of both GLUEX plans.
"""

import csv
import math
import re
import sys
from pathlib import Path

HARDWARE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HARDWARE / "boards"))

from drawing import Arc, Drawing, Line, Style
from playfields import HEX, SQUARE
from sizes import (HOLES, KEY_PITCH, KEY_X, KEY_Y, KEYS, LED_Y, OUTLINE, PANEL, PANEL_HOLES,
                   PIEZO_AT, PLATE, SPACER, pillars)

FRAME_WALL = 10.0               # around plate and board: 385 x 395 outside
LEDGE = 10.0                    # what carries the board's edge
NUT = 9.0                       # opening for a nylon nut
NOTCH = (-179.5, 160.0, -160.0, 198.0)      # room for the connector under the board
PLAY = 0.5                      # of the plate in the frame
SLOT = 3.0                      # width of a light slot
OUTLET = {"hex": 30 / math.sqrt(3), "square": 11 * math.sqrt(2)}    # from the point, outer end
SCREW = 3.2
PILLAR = 5.0

LAYERS = {
    "CUT": Style("black", 0.3, 7), "ENGRAVE_LINES": Style("#888888", 0.35, 8),
    "ENGRAVE_GIPF": Style("#222222", 0.9, 250), "ENGRAVE_DVONN": Style("#c03020", 0.7, 1),
    "ENGRAVE_LYNGK": Style("#2050b0", 0.5, 5), "ENGRAVE_NAMES": Style("#555555", 0.3, 9),
    "ENGRAVE_ROOMS_4": Style("#2050b0", 1.0, 5), "ENGRAVE_ROOMS_2": Style("#c03020", 0.7, 1),
}


# ---------------------------------------------------------------- plates

def plate(field):
    """What both plates have: edge, holes, light slots, names."""
    d = Drawing(LAYERS)
    d.rectangle("CUT", *OUTLINE)
    for x, y in HOLES:
        d.circle("CUT", x, y, SCREW / 2)
    for point in field.points:
        d.slot("CUT", *slot(field, point), SLOT)
    return d


def slot(field, point):
    """Both ends of a point's light slot: above the LED, and half-way between the points."""
    dx, dy = field.led_offset
    scale = OUTLET[field.name] / math.hypot(dx, dy)
    return point.x + dx, point.y + dy, point.x + scale * dx, point.y + scale * dy


def hex_distance(point):
    c, r = point.column - 5, point.row - 6
    return max(abs(c), abs(r), abs(c - r))


def is_corner(point):
    c, r = point.column - 5, point.row - 6
    return sum(abs(n) == 5 for n in (c, r, c - r)) == 2


def neighbours(field):
    """Pairs of points next to each other, each once."""
    places = {(p.column, p.row): p for p in field.points}
    for point in field.points:
        for step in ((0, 1), (1, 1), (1, 0)):
            other = places.get((point.column + step[0], point.row + step[1]))
            if other:
                yield point, other


LYNGK_TIPS = {(1, 4), (3, 2), (3, 8), (7, 4), (7, 10), (9, 8)}


def hex_plate():
    d = plate(HEX)
    for a, b in neighbours(HEX):
        if not is_corner(a) and not is_corner(b):
            d.line("ENGRAVE_LINES", a.x, a.y, b.x, b.y)
        if min(hex_distance(a), hex_distance(b)) <= 3:
            d.line("ENGRAVE_GIPF", a.x, a.y, b.x, b.y)
    for point in HEX.points:
        if hex_distance(point) == 4:
            d.circle("ENGRAVE_GIPF", point.x, point.y, 1.5)
        if hex_distance(point) <= 3 or (point.column, point.row) in LYNGK_TIPS:
            d.circle("ENGRAVE_LYNGK", point.x, point.y, 5.0)
    for column in range(HEX.columns):
        lowest = HEX.column(column)[0]
        d.text("ENGRAVE_NAMES", lowest.x - 10, lowest.y + 9, 5, chr(97 + column))
    for point in HEX.points:
        if point.column == 0 or (point.row == 11 - max(0, 5 - point.column) and point.column <= 5):
            d.text("ENGRAVE_NAMES", point.x - 12, point.y - 4, 4, str(point.row))
    draw_dvonn(d)
    return d


def draw_dvonn(d):
    """An outline around its five columns d..h, and the links of f1 and f11, which YINSH lacks."""
    for a, b in neighbours(HEX):
        if (is_corner(a) or is_corner(b)) and 3 <= a.column and b.column <= 7:
            d.line("ENGRAVE_DVONN", a.x, a.y, b.x, b.y)
    left, middle, right = HEX.column(3), HEX.column(5), HEX.column(7)
    half, rise = 13.0, 7.5
    corners = [(left[0].x - half, left[0].y + rise - 7.5), (middle[0].x, middle[0].y + rise),
               (right[0].x + half, right[0].y + rise - 7.5),
               (right[-1].x + half, right[-1].y - rise + 7.5), (middle[-1].x, middle[-1].y - rise),
               (left[-1].x - half, left[-1].y - rise + 7.5)]
    for (xa, ya), (xb, yb) in zip(corners, corners[1:] + corners[:1]):
        d.line("ENGRAVE_DVONN", xa, ya, xb, yb)


def room_plan(name):
    """(column, row) -> room of a GLUEX plan, read from the firmware's own table."""
    source = (HARDWARE.parent / "src" / "geometry" / "board.rs").read_text()
    table = source[source.index(f"const {name}: [Option<Room>"):]
    table = table[:table.index(");")]
    rooms = {}
    for room, c0, r0, c1, r1 in re.findall(r'\((\d), "([a-o])(\d+)", "([a-o])(\d+)"\)', table):
        for column in range(ord(c0) - 97, ord(c1) - 96):
            for row in range(int(r0), int(r1) + 1):
                rooms[column, row] = int(room)
    return rooms


def square_plate():
    d = plate(SQUARE)
    for n in range(16):
        at = 22 * n - 165
        d.line("ENGRAVE_LINES", at, -165, at, 165)
        d.line("ENGRAVE_LINES", -165, at, 165, at)
    draw_rooms(d, "ENGRAVE_ROOMS_4", room_plan("GLUX_4"), 0, 0, 1.0)
    draw_rooms(d, "ENGRAVE_ROOMS_2", room_plan("GLUX_2"), 1, 3, 2.2)
    x0, y0 = SQUARE.place(1, 12)        # the 13 x 9 board lies in columns b..n, rows 4..12
    x1, y1 = SQUARE.place(13, 4)
    d.rectangle("ENGRAVE_ROOMS_2", x0 - 11, y0 - 11, x1 + 11, y1 + 11)
    for n in range(15):
        d.text("ENGRAVE_NAMES", 22 * (n - 7) - 1.2, 171, 4, chr(97 + n))
        d.text("ENGRAVE_NAMES", -172.5, 22 * (7 - n) + 1.5, 4, str(n + 1))
    return d


def draw_rooms(d, layer, rooms, columns, rows, inset):
    """The borders of rooms, drawn inside by `inset`, on the playfield moved by columns and rows."""
    reach = 11 - inset
    for (column, row), room in rooms.items():
        x, y = SQUARE.place(column + columns, row + rows)
        same = {step: rooms.get((column + step[0], row + step[1])) == room
                for step in ((-1, 0), (1, 0), (0, -1), (0, 1))}
        left, right = (-11 if same[-1, 0] else -reach), (11 if same[1, 0] else reach)
        up, down = (-11 if same[0, 1] else -reach), (11 if same[0, -1] else reach)
        if not same[-1, 0]:
            d.line(layer, x - reach, y + up, x - reach, y + down)
        if not same[1, 0]:
            d.line(layer, x + reach, y + up, x + reach, y + down)
        if not same[0, 1]:
            d.line(layer, x + left, y - reach, x + right, y - reach)
        if not same[0, -1]:
            d.line(layer, x + left, y + reach, x + right, y + reach)


# ---------------------------------------------------------------- frame and panel

def path(d, layer, corners):
    """A closed line through the corners."""
    for (xa, ya), (xb, yb) in zip(corners, corners[1:] + corners[:1]):
        d.line(layer, xa, ya, xb, yb)


def frame_upper():
    """Around plate and board, 9.5 mm high in all: 6.0 + 1.85 + 1.6 and a hair."""
    d = Drawing(LAYERS)
    x0, y0, x1, y1 = OUTLINE
    d.rectangle("CUT", x0 - FRAME_WALL, y0 - FRAME_WALL, x1 + FRAME_WALL, y1 + FRAME_WALL)
    d.rectangle("CUT", x0 - PLAY, y0 - PLAY, x1 + PLAY, y1 + PLAY)
    return d


def frame_lower():
    """Carries the edge of the board; round openings for the nuts, a notch for the connector."""
    d = Drawing(LAYERS)
    x0, y0, x1, y1 = OUTLINE
    d.rectangle("CUT", x0 - FRAME_WALL, y0 - FRAME_WALL, x1 + FRAME_WALL, y1 + FRAME_WALL)
    left, top, right, bottom = NOTCH
    path(d, "CUT", [(x0 + LEDGE, y0 + LEDGE), (x1 - LEDGE, y0 + LEDGE), (x1 - LEDGE, y1 - LEDGE),
                    (x0 + LEDGE, y1 - LEDGE), (x0 + LEDGE, bottom), (left, bottom), (left, top),
                    (x0 + LEDGE, top)])
    for x, y in HOLES:
        d.circle("CUT", x, y, NUT / 2)
    return d


def frame_foot():
    """The lowest layer, as the one above but open at the front left, where the cable leaves."""
    d = Drawing(LAYERS)
    x0, y0, x1, y1 = OUTLINE
    left, top, right, _ = NOTCH
    out = FRAME_WALL
    path(d, "CUT", [(x0 - out, y0 - out), (x1 + out, y0 - out), (x1 + out, y1 + out),
                    (right, y1 + out), (right, y1 - LEDGE), (x1 - LEDGE, y1 - LEDGE),
                    (x1 - LEDGE, y0 + LEDGE), (x0 + LEDGE, y0 + LEDGE), (x0 + LEDGE, top),
                    (left, top), (left, y1 + out), (x0 - out, y1 + out)])
    return d


def panel():
    """The cover of the controller: keys, key lights, sound."""
    d = Drawing(LAYERS)
    d.rectangle("CUT", 0, 0, *PANEL)
    for x, y in PANEL_HOLES:
        d.circle("CUT", x, y, SCREW / 2)
    for number, name in enumerate(KEYS):
        x = KEY_X + KEY_PITCH * number
        d.circle("CUT", x, KEY_Y, 3.75)
        d.text("ENGRAVE_NAMES", x - 1.6 * len(name), KEY_Y + 9, 4, name)
        if number < 6:
            d.circle("CUT", x, LED_Y, 1.5)
    for angle in range(0, 360, 60):
        d.circle("CUT", PIEZO_AT[0] + 3.5 * math.cos(math.radians(angle)),
                 PIEZO_AT[1] + 3.5 * math.sin(math.radians(angle)), 0.75)
    return d


DRAWINGS = {"plate-hex": hex_plate, "plate-square": square_plate, "frame-upper": frame_upper,
            "frame-lower": frame_lower, "frame-foot": frame_foot, "panel": panel}


# ---------------------------------------------------------------- checks

def slot_errors(field, places):
    """Slots start above the LEDs of the board and end nearer to their own point than to others,
    well apart from each other, from screws and from the edge."""
    slots = {point: slot(field, point) for point in field.points}
    for point, (x0, y0, x1, y1) in slots.items():
        led = places[f"D{100 * (point.column + 1) + point.row}"]
        if math.dist(led, (x0, y0)) > 0.1:
            yield f"{field.name} {point.name}: the slot is not above its LED"
        middle = ((x0 + x1) / 2, (y0 + y1) / 2)
        nearest = min(field.points, key=lambda other: math.dist((other.x, other.y), middle))
        if nearest != point:
            yield f"{field.name} {point.name}: the light lies nearer to {nearest.name}"
        if math.hypot(x1 - point.x, y1 - point.y) + SLOT / 2 < 14 + 1.5:
            yield f"{field.name} {point.name}: a piece of 28 mm hides the light"
        for x, y in HOLES:
            if min(math.dist((x, y), (x0, y0)), math.dist((x, y), (x1, y1))) < 6:
                yield f"{field.name} {point.name}: the slot meets a screw"
        ends = [end for other, (*_, a, b) in slots.items() if other != point for end in [(a, b)]]
        if min(math.dist((x1, y1), end) for end in ends) < SLOT + 2:
            yield f"{field.name} {point.name}: two slots meet"


def pads_of(name, start):
    """Pads of the parts whose reference begins so: ref -> [(x, y)], from the committed list."""
    pads = {}
    with open(HARDWARE / "boards" / name / "pads.csv") as file:
        for row in csv.DictReader(file):
            if row["ref"].startswith(start):
                pads.setdefault(row["ref"], []).append((float(row["x"]), float(row["y"])))
    return pads


def led_places(name):
    """Centres of the LEDs."""
    return {ref: tuple(sum(axis) / len(pads) for axis in zip(*pads))
            for ref, pads in pads_of(name, "D").items()}


def pillar_errors(field, parts):
    """Pillars stand on bare board: clear of all pads and of the light slots."""
    for x, y in pillars(field):
        pads = [pad for ref, places in parts.items() if ref[:2] not in ("J1", "TP")
                for pad in places]
        slots = [end for point in field.points for end in (slot(field, point)[:2],
                                                           slot(field, point)[2:])]
        if min(math.dist((x, y), pad) for pad in pads) < PILLAR / 2 + 1.0 or \
                min(math.dist((x, y), end) for end in slots) < PILLAR / 2 + SLOT / 2 + 0.5:
            yield f"{field.name}: the pillar at {x:.1f}, {y:.1f} is in the way"


def notch_errors(name):
    """The connector's body, 3.4 mm beside and 5.1 mm beyond its pins, stays clear of the frame."""
    left, top, right, bottom = NOTCH
    for x, y in pads_of(name, "J1")["J1"]:
        if not (left < x - 3.4 and x + 3.4 < right and top < y - 5.1 and y + 5.1 < bottom):
            yield f"{name}: the connector meets the frame"
            return


def errors():
    for field in (HEX, SQUARE):
        places = led_places(field.name)
        yield from slot_errors(field, places)
        yield from notch_errors(field.name)
        parts = pads_of(field.name, "")
        yield from pillar_errors(field, parts)
        beside = {"X": [(x + 1, y) for x, y in pillars(field)]}
        if not list(pillar_errors(field, beside)):
            yield f"{field.name}: a part under a pillar is not seen"
        moved = {ref: (x + 1, y) for ref, (x, y) in places.items()}
        if not list(slot_errors(field, moved)):
            yield f"{field.name}: LEDs moved by 1 mm are not seen"
    if abs(PLATE + SPACER - 7.85) > 1e-9:
        yield "the board does not lie 7.85 mm below the playing surface"
    for drawing, counts in ((hex_plate(), 91), (square_plate(), 225)):
        if sum(isinstance(shape, Arc) for shape in drawing.shapes) != 2 * counts:
            yield f"{counts} light slots expected"
    heavy = [s for s in hex_plate().shapes if s.layer == "ENGRAVE_GIPF" and isinstance(s, Line)]
    # 37 spots: 90 links between them and 42 to the dots, the ends of the 21 lines.
    if len(heavy) != 90 + 42:
        yield f"GIPF has {len(heavy)} links"
    # Four corner rooms, four of the sides, the middle room.
    for name, squares in (("GLUX_4", 4 * 4 + 4 * 7 + 9), ("GLUX_2", 4 * 4 + 2 * 8 + 2 * 7 + 9)):
        if len(room_plan(name)) != squares:
            yield f"{name}: {len(room_plan(name))} squares in rooms"


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    x0, y0, x1, y1 = OUTLINE
    for name, draw in DRAWINGS.items():
        drawing = draw()
        view = (-5, -5, PANEL[0] + 5, PANEL[1] + 5) if name == "panel" else \
            (x0 - 15, y0 - 15, x1 + 15, y1 + 15)
        (folder / f"{name}.dxf").write_text(drawing.dxf())
        (folder / f"{name}.svg").write_text(drawing.svg(*view))
    found = list(errors())
    print("\n".join(found) or f"{len(DRAWINGS)} drawings")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
