"""Reads what the checks compare: committed pad and part lists, and the wiring the firmware has.

Plain Python. `Boards` answers the questions an ohmmeter would: which pin hangs on which net.
"""

import csv
import re
import subprocess
import sys
from collections import defaultdict, namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "hardware" / name) for name in ("boards", "pieces", ".")]

# pins: signal -> gpio; fields: field -> point -> (address, channel, led)
Wiring = namedtuple("Wiring", "pins fields")
BOARDS = ["hex", "square", "controller", "cluster"]


class Board:
    """The pads and parts of one board."""

    def __init__(self, pads, bom):
        self.pads = pads            # [ref, pin, net, x, y]
        self.bom = bom              # rows of bom.csv
        self.index()

    def index(self):
        """Builds the look-ups; to be called again after a change to the lists."""
        self.nets, self.places = {}, defaultdict(list)
        self.by_net = defaultdict(set)
        for ref, pin, net, x, y in self.pads:
            self.nets[ref, pin] = net
            self.by_net[net].add((ref, pin))
            self.places[ref].append((float(x), float(y)))
        self.value = {ref: row["value"] for row in self.bom for ref in row["references"].split()}

    def copy(self):
        return Board([list(pad) for pad in self.pads], [dict(row) for row in self.bom])

    def net(self, ref, pin):
        return self.nets.get((ref, str(pin)))

    def pins_on(self, net, value, pin=None):
        """The parts of this kind that have a pin on the net."""
        return sorted({(ref, number) for ref, number in self.by_net.get(net, ())
                       if self.value.get(ref) == value and (pin is None or number == str(pin))})

    def through(self, net, value):
        """The nets on the other side of two-pin parts of this kind."""
        return sorted({self.net(ref, 3 - int(pin)) for ref, pin in self.pins_on(net, value)})

    def centre(self, ref):
        places = self.places[ref]
        return tuple(sum(axis) / len(places) for axis in zip(*places))


def read_board(name, folder=ROOT / "hardware" / "boards"):
    with open(folder / name / "pads.csv") as file:
        pads = list(csv.reader(file))[1:]
    with open(folder / name / "bom.csv") as file:
        bom = list(csv.DictReader(file))
    return Board(pads, bom)


def parse_wiring(text):
    """The tables the firmware prints on a PC."""
    pins, fields, field = {}, {}, None
    for line in text.splitlines():
        words = line.split()
        if len(words) == 1:
            field = fields.setdefault(words[0].lower(), {})
        elif len(words) == 4 and words[0].isdigit():
            pins[words[1]] = int(words[0])
        elif len(words) == 4 and field is not None and words[1].isdigit():
            field[words[0]] = tuple(int(word) for word in words[1:])
    return Wiring(pins, fields)


def firmware_light():
    """How many mA of light the firmware allows: field -> mA, from the constants themselves."""
    source = (ROOT / "src" / "wiring.rs").read_text()
    return {field.lower(): int(milliamps) for field, milliamps in
            re.findall(r"Playfield::(\w+) => 51 \* (\d+),", source)}


def firmware_wiring():
    """What the firmware thinks, printed by itself."""
    run = subprocess.run(["cargo", "run", "--quiet", "-p", "lodestone", "--bin", "firmware"],
                         cwd=ROOT, capture_output=True, text=True, check=True)
    return parse_wiring(run.stdout)
