"""The hex playfield: the pattern of field.py with the numbers of this field."""

import field
from playfields import HEX


def circuit():
    return field.circuit(HEX, "lodestone hex playfield")


def board(parts, path, open_pins):
    return field.board(HEX, parts, path, open_pins)
