"""Where the points of the two playfields lie and how the firmware reaches them.

Plain Python, for board makers and checks alike. The formulas are those of `src/geometry` and
`src/wiring.rs`; the light checks compare them with what the firmware prints.
Lengths are mm, x to the right and y DOWN as on a board file; the centre of the field is (0, 0).
"""

import csv
import math
from collections import namedtuple
from pathlib import Path

Point = namedtuple("Point", "name column row x y address channel led")

KEY_LEDS = 6  # K1..K6 on the controller come first in the LED chain

# The cable between controller and playfield, pin by pin; both boards read this.
# Two wires for every supply and ground; AGND beside the select lines as their return.
CONNECTOR = {
    1: "+5V_LED", 2: "+5V_LED", 3: "GND", 4: "GND", 5: "LED_CHAIN", 6: "GND",
    7: "BANK0", 8: "BANK1", 9: "BANK2", 10: "BANK3", 11: "/BANK_EN", 12: "AGND",
    13: "CH0", 14: "CH1", 15: "CH2", 16: "CH3", 17: "VA", 18: "AGND",
    19: "SENSE_LINE", 20: "FIELD_ID",
}


class Playfield:
    """A field of columns (banks) of points; columns stand upright."""

    def __init__(self, name, columns, rows, place, led_offset, strap):
        self.name = name
        self.columns = columns          # how many
        self.rows = rows                # column -> (lowest row, highest row)
        self.place = place              # (column, row) -> (x, y)
        self.led_offset = led_offset    # from a point to its LED
        self.strap = strap              # part that tells the controller which field this is
        self.points = self._points()

    def _points(self):
        points, index = [], 0
        for column in range(self.columns):
            low, high = self.rows(column)
            for row in range(low, high + 1):
                x, y = self.place(column, row)
                # Odd columns run downwards in the LED chain.
                led = index if column % 2 == 0 else index + (high - row) - (row - low)
                points.append(Point(f"{chr(97 + column)}{row}", column, row, x, y,
                                    self.columns - 1 - column, row - low, KEY_LEDS + led))
                index += 1
        return points

    def column(self, number):
        """The points of a column, lowest row first."""
        return [point for point in self.points if point.column == number]


def _hex_place(column, row):
    return ((column - 5) * 30 * math.sqrt(3) / 2, -30 * (row - 6 - (column - 5) / 2))


HEX = Playfield("hex", 11, lambda c: (max(1, c - 4), min(11, c + 6)), _hex_place,
                led_offset=(6.25, 10.825), strap="R_2K2")
SQUARE = Playfield("square", 15, lambda c: (1, 15), lambda c, r: (22 * (c - 7), -22 * (r - 8)),
                   led_offset=(7.5, 7.5), strap="R_4K7")


def pins():
    """The pins of the Pico: signal -> (gpio, pull), from pins.csv."""
    path = Path(__file__).parent.parent / "pins.csv"
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    return {row["signal"]: (int(row["gpio"]), row["pull"]) for row in csv.DictReader(lines)}
