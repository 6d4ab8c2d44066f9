"""The square playfield: the pattern of field.py with the numbers of this field."""

import field
from playfields import SQUARE


def circuit():
    return field.circuit(SQUARE, "lodestone square playfield")


def board(parts, path, open_pins):
    return field.board(SQUARE, parts, path, open_pins)
