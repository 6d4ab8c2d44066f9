"""The square playfield: the pattern of field.py with the numbers of this field."""

import field
import field_circuit
from playfields import SQUARE


def circuit():
    return field_circuit.circuit(SQUARE, "lodestone square playfield")


def board(parts, path, open_pins):
    return field.board(SQUARE, parts, path, open_pins)
