"""Writes a circuit as KiCad schematic pages.

Page 1 lists the others; every further page shows blocks of parts. Each pin has a short wire and a
label with the name of its net, unused pins a cross. Labels instead of long wires keep hundreds of
equal cells readable and the writer simple. All identifiers are derived from names, so the same
circuit always gives the same text.
"""

import uuid

from parts import KINDS
from symbols import pins, symbol, write

GRID = 2.54
STUB = 2.54
PAPERS = {"A3": (420, 297), "A2": (594, 420)}   # a page takes the smallest that holds it
MARGIN = 15.24
TITLE_BLOCK = 38            # height at the bottom that KiCad's frame uses on the right
SPACE = uuid.UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")

# Angle of a pin (into the body) -> step away from the body, angle and justification of the label.
OUTWARDS = {0: (-1, 0, 180, "right"), 180: (1, 0, 0, "left"),
            90: (0, 1, 270, "right"), 270: (0, -1, 90, "left")}


def net_text(net):
    """A net name as KiCad writes it in its files: a slash would be a path."""
    return net.replace("/", "{slash}")


def ident(*names):
    """A stable identifier."""
    return f'"{uuid.uuid5(SPACE, "/".join(map(str, names)))}"'


def mm(value):
    """A length as text; rounded so that sums like 0.1 + 0.2 look alike everywhere."""
    return f"{round(value, 4):g}"


def snap(value):
    """Up to the next grid line."""
    return -(-value // GRID) * GRID


def quote(text):
    return '"' + text.replace('"', '\\"') + '"'


def label_length(net):
    return 1.1 * len(net) + 4


class Cell:
    """A part with the room its wires and labels take, relative to its origin."""

    def __init__(self, part):
        self.part = part
        self.symbol = KINDS[part.kind].symbol
        left = right = top = bottom = 5.08
        self.names_at = self._names_at()
        words = max(len(part.ref), len(KINDS[part.kind].value))
        right = max(right, self.names_at[0] + 1.2 * words)
        top = max(top, 2.54 - self.names_at[1])
        for pin in pins(self.symbol):
            dx, dy, _, _ = OUTWARDS[pin.angle]
            reach = STUB + label_length(part.pins.get(pin.number, ""))
            x, y = pin.x, -pin.y
            left, right = max(left, -x - dx * reach), max(right, x + dx * reach)
            top, bottom = max(top, -y - dy * reach), max(bottom, y + dy * reach)
        self.left, self.right = snap(left), snap(right)
        self.top, self.bottom = snap(top) + GRID, snap(bottom) + GRID

    def _names_at(self):
        """Where reference and value stand: beside a small part, above a chip, clear of labels."""
        all_pins = pins(self.symbol)
        if len(all_pins) <= 2:
            lying = all_pins and all_pins[0].angle in (0, 180)
            return (-2.54, -5.08 - max(p.y for p in all_pins)) if lying else (2.54, -1.27)
        above = [pin.x for pin in all_pins if pin.angle == 270]
        if self.part.kind == "PFET":
            return 5.08, -1.27
        top = -max(pin.y for pin in all_pins)
        if above:
            return max(above) + 2.54, top - 3.81
        return -max(pin.x for pin in all_pins) + 2.54, top - 6.35


class Page:
    """One .kicad_sch file being written."""

    def __init__(self, circuit, name, title, path):
        self.circuit, self.name, self.title = circuit, name, title
        self.path = path                # identifiers of the sheets that lead here
        self.paper = "A3"
        self.used = {}                  # symbols to embed
        self.items = []

    def text(self, x, y, words, size=2.0):
        self.items.append(f'(text {quote(words)} (exclude_from_sim no) (at {mm(x)} {mm(y)} 0) '
                          f'(effects (font (size {size} {size})) (justify left bottom)) '
                          f'(uuid {ident(self.name, "text", words, x, y)}))')

    def symbol(self, ref, full_name, x, y, fields, in_bom=True):
        """Places a symbol; fields are shown from its upper right corner on."""
        self.used[full_name] = symbol(full_name)
        board = "no" if ref.startswith("#") else "yes"
        lines = [f'(symbol (lib_id "{full_name}") (at {mm(x)} {mm(y)} 0) (unit 1) '
                 f'(exclude_from_sim no) (in_bom {"yes" if in_bom else "no"}) '
                 f'(on_board {board}) (dnp no) (uuid {ident(self.name, ref)})']
        for name, value, (dx, dy), hidden in fields:
            lines.append(f'(property "{name}" {quote(value)} (at {mm(x + dx)} {mm(y + dy)} 0) '
                         f'(effects (font (size 1.27 1.27)) (justify left) '
                         f'{"(hide yes)" if hidden else ""}))')
        for pin in pins(full_name):
            lines.append(f'(pin "{pin.number}" (uuid {ident(self.name, ref, pin.number)}))')
        lines.append(f'(instances (project "{self.circuit.name}" (path "{self.path}" '
                     f'(reference "{ref}") (unit 1)))))')
        self.items.append("\n".join(lines))

    def wire_pin(self, ref, pin, x, y, net):
        """The stub and label of a pin, or the cross of an unused one."""
        x0, y0 = x + pin.x, y - pin.y
        key = (self.name, ref, pin.number)
        if net is None:
            if pin.type != "no_connect":
                self.items.append(f'(no_connect (at {mm(x0)} {mm(y0)}) (uuid {ident(*key, "nc")}))')
            return
        dx, dy, angle, justify = OUTWARDS[pin.angle]
        x1, y1 = x0 + dx * STUB, y0 + dy * STUB
        self.items.append(f'(wire (pts (xy {mm(x0)} {mm(y0)}) (xy {mm(x1)} {mm(y1)})) '
                          f'(stroke (width 0) (type default)) (uuid {ident(*key, "wire")}))')
        self.items.append(f'(global_label {quote(net_text(net))} (shape passive) '
                          f'(at {mm(x1)} {mm(y1)} {angle}) (effects (font (size 1.27 1.27)) '
                          f'(justify {justify})) (uuid {ident(*key, "label")}))')

    def cell(self, cell, x, y):
        """Draws a part with its origin at (x, y)."""
        part, kind = cell.part, KINDS[cell.part.kind]
        at = cell.names_at
        self.symbol(part.ref, cell.symbol, x, y, [
            ("Reference", part.ref, at, False),
            ("Value", kind.value, (at[0], at[1] + 2.0), False),
            ("Footprint", kind.footprint, (0, 0), True),
            ("MPN", kind.mpn, (0, 0), True)], in_bom=bool(kind.mpn))
        done = set()
        for pin in pins(cell.symbol):
            place = (pin.x, pin.y)
            if place in done:       # pins drawn on top of each other are joined by the symbol
                continue
            done.add(place)
            self.wire_pin(part.ref, pin, x, y, part.pins.get(pin.number))

    def blocks(self, blocks):
        """Lays the blocks out and draws them, on the smallest paper that holds them."""
        rows = [[Cell(self.circuit.parts[ref]) for ref in block.refs] for block in blocks]
        for self.paper, (width, height) in PAPERS.items():
            places, bottom = flow(blocks, rows, width)
            if bottom < height - TITLE_BLOCK:
                break
        else:
            raise SystemExit(f"{self.name}: too much for a page ({bottom:.0f} mm)")
        for block, cells, (x, y) in zip(blocks, rows, places):
            self.text(x, y, block.title)
            y0 = snap(y + 2.54 + max(cell.top for cell in cells))
            for cell in cells:
                self.cell(cell, snap(x + cell.left), y0)
                x = snap(x + cell.left + cell.right)

    def file(self, sheets="", paths=""):
        """The text of the page."""
        embedded = "\n".join(write(tree) for tree in self.used.values())
        return (f'(kicad_sch (version 20250114) (generator "eeschema") (generator_version "9.0")\n'
                f'(uuid {ident(self.name)}) (paper "{self.paper}")\n'
                f'(title_block (title {quote(self.title)}) (rev "1") (company "lodestone"))\n'
                f'(lib_symbols\n{embedded}\n)\n' + "\n".join(self.items) +
                f'\n{sheets}\n{paths}(embedded_fonts no))\n')


def flow(blocks, rows, width):
    """Places for the blocks, line by line, and where the last line ends."""
    places, x, y, line = [], MARGIN, MARGIN + 7.62, 0
    for block, cells in zip(blocks, rows):
        wide = max(sum(snap(cell.left + cell.right) for cell in cells), 1.8 * len(block.title))
        tall = max(cell.top for cell in cells) + max(cell.bottom for cell in cells) + 5.08
        if x > MARGIN and x + wide > width - MARGIN:
            x, y, line = MARGIN, y + line + 5.08, 0
        places.append((x, y))
        x, line = snap(x + wide + 7.62), max(line, tall)
    return places, y + line


def sheet_box(circuit, number, title, x, y, root):
    """A page as a box on page 1."""
    name = f"{circuit.name}-{number}"
    return (f'(sheet (at {mm(x)} {mm(y)}) (size 58.42 15.24) (exclude_from_sim no) (in_bom yes) '
            f'(on_board yes) (dnp no) (stroke (width 0.15) (type solid)) '
            f'(fill (color 0 0 0 0.0)) (uuid {ident(name, "sheet")}) '
            f'(property "Sheetname" {quote(title)} (at {mm(x)} {mm(y - 0.8)} 0) '
            f'(effects (font (size 1.5 1.5)) (justify left bottom))) '
            f'(property "Sheetfile" "{name}.kicad_sch" (at {mm(x)} {mm(y + 16)} 0) '
            f'(effects (font (size 1.27 1.27)) (justify left top))) '
            f'(instances (project "{circuit.name}" (path "/{root}" (page "{number}")))))')


def write_schematic(circuit, folder):
    """Writes all pages into the folder; the root page is `<name>.kicad_sch`."""
    root_id = ident(circuit.name).strip('"')
    root = Page(circuit, circuit.name, circuit.title, f"/{root_id}")
    boxes = []
    for index, (title, blocks) in enumerate(circuit.pages):
        number = index + 2
        name = f"{circuit.name}-{number}"
        sheet_id = ident(name, "sheet").strip('"')
        page = Page(circuit, name, f"{circuit.title}: {title}", f"/{root_id}/{sheet_id}")
        page.blocks(blocks)
        (folder / f"{name}.kicad_sch").write_text(page.file())
        boxes.append(sheet_box(circuit, number, title, MARGIN + 76.2 * (index % 5),
                               45.72 + 35.56 * (index // 5), root_id))
    root.text(MARGIN, 25.4, circuit.title, 4)
    root.text(MARGIN, 33.02, "Nets are joined by the names on their labels, across all pages.")
    for number, net in enumerate(circuit.powered):
        x, y = MARGIN + 5.08 + 30.48 * (number % 12), 215.9 + 20.32 * (number // 12)
        root.symbol(f"#FLG{number + 1:02}", "power:PWR_FLAG", x, y,
                    [("Reference", f"#FLG{number + 1:02}", (0, 0), True),
                     ("Value", "PWR_FLAG", (0, 0), True)], in_bom=False)
        root.wire_pin(f"#FLG{number + 1:02}", pins("power:PWR_FLAG")[0], x, y, net)
    paths = '(sheet_instances (path "/" (page "1")))\n'
    (folder / f"{circuit.name}.kicad_sch").write_text(root.file("\n".join(boxes), paths))
