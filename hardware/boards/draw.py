"""A small layer over KiCad's `pcbnew`: places the parts of a circuit and draws copper.

Needs the system's Python, where KiCad puts `pcbnew`. Lengths are mm; (0, 0) is the centre of the
field, y points down. A part or pin that the circuit does not know is an error. The same calls
always give the same file, byte for byte.
"""

import csv
import functools
import io

import pcbnew as k

from parts import KINDS
from schematic import net_text

FOOTPRINTS = "/usr/share/kicad/footprints"
ORIGIN = (210.0, 190.0)         # where (0, 0) lies on KiCad's sheet
FRONT, BACK = k.F_Cu, k.B_Cu
VIA, DRILL = 0.6, 0.3
CLEARANCE = 0.2
EDGE = 0.5                      # copper to the edge of the board


def _at(x, y):
    return k.VECTOR2I_MM(ORIGIN[0] + x, ORIGIN[1] + y)


@functools.cache
def _load(library, name):
    return k.FootprintLoad(f"{FOOTPRINTS}/{library}.pretty", name)


# Colours of the boxes that stand for parts in pictures: red, green, blue.
COLOURS = {"LED": "0.95 0.95 0.9", "R": "0.15 0.15 0.15", "C": "0.65 0.5 0.35",
           "PICO": "0.1 0.45 0.2", "HEADER": "0.2 0.2 0.25"}
CHIP_COLOUR = "0.2 0.2 0.2"


def body_box(footprint, kind_name, height, folder):
    """Writes a box as large as the drawn body, for pictures: KiCad's own models are gigabytes.
    VRML counts in tenths of an inch and has y upwards."""
    bodies = [item.GetBoundingBox() for item in footprint.GraphicalItems()
              if item.GetLayer() == k.F_Fab and isinstance(item, k.PCB_SHAPE)]
    x0, x1 = min(b.GetLeft() for b in bodies), max(b.GetRight() for b in bodies)
    y0, y1 = min(b.GetTop() for b in bodies), max(b.GetBottom() for b in bodies)
    size = [k.ToMM(x1 - x0) / 2.54, k.ToMM(y1 - y0) / 2.54, height / 2.54]
    middle = [k.ToMM(x0 + x1) / 5.08, -k.ToMM(y0 + y1) / 5.08, height / 5.08]
    colour = COLOURS.get(kind_name) or COLOURS.get(kind_name.split("_")[0], CHIP_COLOUR)
    path = folder / "models" / f"{kind_name}.wrl"
    path.parent.mkdir(exist_ok=True)
    path.write_text("#VRML V2.0 utf8\nTransform { translation %.4f %.4f %.4f children Shape { "
                    "appearance Appearance { material Material { diffuseColor %s } } "
                    "geometry Box { size %.4f %.4f %.4f } } }\n" % (*middle, colour, *size))
    model = k.FP_3DMODEL()
    model.m_Filename = f"${{KIPRJMOD}}/models/{kind_name}.wrl"
    return model


class Board:
    """The board file of a circuit. `open_pins` are KiCad's names for the nets of unused pins."""

    def __init__(self, circuit, path, open_pins):
        k.KIID.SeedGenerator(1)         # the same identifiers at every run
        self.circuit, self.path = circuit, path
        self.board = k.NewBoard(str(path))
        self.board.GetDesignSettings().SetAuxOrigin(_at(0, 0))
        self.board.GetDesignSettings().SetGridOrigin(_at(0, 0))
        self.nets = {}
        for net in sorted(set(circuit.nets()) | set(open_pins.values())):
            item = k.NETINFO_ITEM(self.board, net_text(net))
            self.board.Add(item)
            self.nets[net] = item
        self.open_pins = open_pins
        self.footprints = {}

    def place(self, ref, x, y, turn=0, back=False):
        """Puts a part on the board, turned anticlockwise as seen from the front."""
        part = self.circuit.parts[ref]
        kind = KINDS[part.kind]
        library, name = kind.footprint.split(":")
        footprint = k.Cast_to_FOOTPRINT(_load(library, name).Duplicate())
        footprint.SetFPID(k.LIB_ID(library, name))
        footprint.SetReference(ref)
        if kind.height:
            model = body_box(_load(library, name), part.kind, kind.height, self.path.parent)
            footprint.Models().clear()
            footprint.Add3DModel(model)
        footprint.SetValue(kind.value)
        self.board.Add(footprint)
        footprint.SetPosition(_at(x, y))
        if back:
            footprint.Flip(_at(x, y), k.FLIP_DIRECTION_LEFT_RIGHT)
            turn += 180         # flipping left to right turns a footprint upside down as well
        footprint.SetOrientationDegrees(turn)
        footprint.Reference().SetLayer(k.B_Fab if back else k.F_Fab)
        footprint.SetExcludedFromBOM(not kind.mpn)
        footprint.SetExcludedFromPosFiles(not kind.mpn)
        for pad in footprint.Pads():
            net = part.pins.get(pad.GetNumber()) or self.open_pins.get((ref, pad.GetNumber()))
            if net:
                pad.SetNet(self.nets[net])
        self.footprints[ref] = footprint
        return footprint

    def pad(self, ref, pin):
        """The centre of a pad."""
        position = self.footprints[ref].FindPadByNumber(str(pin)).GetPosition()
        return (k.ToMM(position.x) - ORIGIN[0], k.ToMM(position.y) - ORIGIN[1])

    def track(self, net, layer, width, *points):
        """A track through the points."""
        for start, end in zip(points, points[1:]):
            if abs(start[0] - end[0]) + abs(start[1] - end[1]) < 1e-6:
                continue
            track = k.PCB_TRACK(self.board)
            track.SetStart(_at(*start))
            track.SetEnd(_at(*end))
            track.SetWidth(k.FromMM(width))
            track.SetLayer(layer)
            track.SetNet(self.nets[net])
            self.board.Add(track)

    def via(self, net, x, y):
        """A plated hole that joins both sides."""
        via = k.PCB_VIA(self.board)
        via.SetPosition(_at(x, y))
        via.SetWidth(k.FromMM(VIA))
        via.SetDrill(k.FromMM(DRILL))
        via.SetNet(self.nets[net])
        self.board.Add(via)

    def outline(self, x0, y0, x1, y1):
        """The edge of the board, a rectangle."""
        corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)]
        for start, end in zip(corners, corners[1:]):
            line = k.PCB_SHAPE(self.board, k.SHAPE_T_SEGMENT)
            line.SetStart(_at(*start))
            line.SetEnd(_at(*end))
            line.SetLayer(k.Edge_Cuts)
            line.SetWidth(k.FromMM(0.1))
            self.board.Add(line)

    def zone(self, net, layer, x0, y0, x1, y1, priority=0):
        """A plane."""
        zone = k.ZONE(self.board)
        zone.SetLayer(layer)
        zone.SetNet(self.nets[net])
        zone.SetLocalClearance(k.FromMM(0.25))
        zone.SetMinThickness(k.FromMM(0.25))
        zone.SetThermalReliefGap(k.FromMM(0.3))
        zone.SetThermalReliefSpokeWidth(k.FromMM(0.5))
        zone.SetAssignedPriority(priority)
        outline = zone.Outline()
        outline.NewOutline()
        for x, y in [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]:
            outline.Append(_at(x, y))
        self.board.Add(zone)

    def text(self, words, x, y, size=1.2, back=False):
        """Print on the board, centred."""
        text = k.PCB_TEXT(self.board)
        text.SetText(words)
        text.SetPosition(_at(x, y))
        text.SetLayer(k.B_SilkS if back else k.F_SilkS)
        text.SetMirrored(back)
        text.SetTextSize(k.VECTOR2I_MM(size, size))
        text.SetTextThickness(k.FromMM(max(0.15, size * 0.14)))
        self.board.Add(text)

    def circle(self, x, y, radius):
        """A printed circle."""
        circle = k.PCB_SHAPE(self.board, k.SHAPE_T_CIRCLE)
        circle.SetCenter(_at(x, y))
        circle.SetEnd(_at(x + radius, y))
        circle.SetLayer(k.F_SilkS)
        circle.SetWidth(k.FromMM(0.15))
        self.board.Add(circle)

    def save(self):
        """Fills the planes, last of all, and writes the file.

        The board is read back before: only then KiCad has the design rules of the project, which
        the planes must keep.
        """
        missing = set(self.circuit.parts) - set(self.footprints)
        assert not missing, f"not placed: {sorted(missing)}"
        k.SaveBoard(str(self.path), self.board)
        written = k.LoadBoard(str(self.path))
        k.ZONE_FILLER(written).Fill(written.Zones())
        k.SaveBoard(str(self.path), written)

    def pads_csv(self):
        """Every connected pad as CSV: what the light checks read instead of the board file."""
        rows = []
        for ref, footprint in self.footprints.items():
            for pad in footprint.Pads():
                pin = pad.GetNumber()
                net = self.circuit.parts[ref].pins.get(pin)
                if net:
                    x, y = (k.ToMM(c) for c in pad.GetPosition())
                    rows.append((ref, pin, net, f"{x - ORIGIN[0]:.3f}", f"{y - ORIGIN[1]:.3f}"))
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["ref", "pin", "net", "x", "y"])
        writer.writerows(sorted(rows))
        return out.getvalue()
