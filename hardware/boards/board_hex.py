"""The hex playfield: the pattern of field.py with the numbers of this field."""

import field
import field_circuit
from playfields import HEX


def circuit():
    return field_circuit.circuit(HEX, "lodestone hex playfield")


def board(parts, path, open_pins):
    return field.board(HEX, parts, path, open_pins)
