"""Reads single symbols out of KiCad's libraries: their text, to embed, and their pins, to wire.

The libraries are large, so a symbol is cut out by its indentation and only that part is parsed.
"""

import functools
import re
from collections import namedtuple
from pathlib import Path

LIBRARIES = Path("/usr/share/kicad/symbols")
Pin = namedtuple("Pin", "number name type x y angle")


def parse(text):
    """An s-expression as nested lists; strings keep their quotes: writing is the inverse."""
    stack = [[]]
    for token in re.findall(r'"(?:\\.|[^"\\])*"|[()]|[^\s()]+', text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0][0]


def write(tree):
    """The text of nested lists."""
    return "(" + " ".join(write(i) if isinstance(i, list) else i for i in tree) + ")"


def children(tree, head):
    """The lists inside `tree` that begin with `head`."""
    return [item for item in tree if isinstance(item, list) and item[0] == head]


@functools.cache
def _raw(library, name):
    text = (LIBRARIES / f"{library}.kicad_sym").read_text()
    start = text.index(f'\n\t(symbol "{name}"')
    return parse(text[start:text.index("\n\t)", start) + 3])


@functools.cache
def symbol(full_name):
    """The symbol `library:name`, complete: one that extends another takes over its drawing."""
    library, name = full_name.split(":")
    tree = _raw(library, name)
    base = children(tree, "extends")
    if base:
        parent_name = base[0][1].strip('"')
        parent = symbol(f"{library}:{parent_name}")
        own = {item[1]: item for item in children(tree, "property")}
        merged = []
        for item in parent:
            if isinstance(item, list) and item[0] == "property":
                item = own.pop(item[1], item)
            elif isinstance(item, list) and item[0] == "symbol":
                item = ["symbol", item[1].replace(parent_name, name)] + item[2:]
            merged.append(item)
        at = next(i for i, item in enumerate(merged)
                  if isinstance(item, list) and item[0] == "symbol")
        tree = merged[:at] + list(own.values()) + merged[at:]
    return tree[:1] + [f'"{full_name}"'] + tree[2:]


@functools.cache
def pins(full_name):
    """The pins of a symbol; (x, y) is where a wire ends, angle points into the body."""
    found = []
    for unit in children(symbol(full_name), "symbol"):
        number = unit[1].strip('"').split("_")[-2]
        assert number in "01", f"{full_name} has several units"
        for pin in children(unit, "pin"):
            at = children(pin, "at")[0]
            found.append(Pin(children(pin, "number")[0][1].strip('"'),
                             children(pin, "name")[0][1].strip('"'), pin[1],
                             float(at[1]), float(at[2]), int(float(at[3]))))
    return found
