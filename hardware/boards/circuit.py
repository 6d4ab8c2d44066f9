"""A circuit as one table, part -> kind and nets: source of schematic, board, part and pad list.

A circuit is a list of pages (of the schematic), a page a list of blocks (a title and parts that
belong together). Nothing here knows where a part lies on the board.
"""

import csv
import io
from collections import defaultdict, namedtuple

from parts import KINDS

Part = namedtuple("Part", "ref kind pins")
Block = namedtuple("Block", "title refs")


class Circuit:
    """The parts of a board. Naming a part or a pin twice is an error."""

    def __init__(self, name, title):
        self.name = name
        self.title = title
        self.parts = {}
        self.pages = []         # (page title, [Block])
        self.powered = []       # nets that ERC must take as supplied (a connector does not say)

    def page(self, title):
        """Opens a page of the schematic; following blocks stand on it."""
        self.pages.append((title, []))

    def block(self, title):
        """Opens a block on the page; following parts belong to it."""
        self.pages[-1][1].append(Block(title, []))

    def add(self, ref, kind, *nets, **numbered):
        """Adds a part. Nets are given in pin order, or by `p7="NET"`; unnamed pins stay open."""
        pins = {str(number): net for number, net in enumerate(nets, 1) if net}
        for pin, net in numbered.items():
            assert pin[1:] not in pins, f"{ref}: pin {pin} given twice"
            pins[pin[1:]] = net
        assert ref not in self.parts, f"{ref} is used twice"
        assert kind in KINDS, kind
        self.parts[ref] = Part(ref, kind, pins)
        self.pages[-1][1][-1].refs.append(ref)

    def nets(self):
        """Net -> set of (ref, pin)."""
        nets = defaultdict(set)
        for part in self.parts.values():
            for pin, net in part.pins.items():
                nets[net].add((part.ref, pin))
        return dict(nets)

    def bom(self):
        """The parts to buy as CSV, one row per order number."""
        groups = defaultdict(list)
        for part in self.parts.values():
            if KINDS[part.kind].mpn:
                groups[part.kind].append(part.ref)
        out = io.StringIO()
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["count", "value", "maker", "mpn", "footprint", "price_usd", "total_usd",
                       "references"])
        for name, refs in sorted(groups.items()):
            kind = KINDS[name]
            rows.writerow([len(refs), kind.value, kind.maker, kind.mpn, kind.footprint,
                           f"{kind.price:.3f}", f"{kind.price * len(refs):.2f}", " ".join(refs)])
        return out.getvalue()
