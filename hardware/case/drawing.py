"""Flat drawings for laser or mill: a list of shapes per layer, written as DXF and SVG.

Lengths are mm, x to the right, y DOWN as on the boards; DXF counts y upwards, so it is turned over
there. Layer names say what to do: CUT goes through, ENGRAVE is at most 0.1 mm deep.
"""

import math
from collections import namedtuple

Line = namedtuple("Line", "layer x0 y0 x1 y1")
Circle = namedtuple("Circle", "layer x y radius")
Arc = namedtuple("Arc", "layer x y radius start end")     # degrees, anticlockwise, y up
Text = namedtuple("Text", "layer x y size words")
Style = namedtuple("Style", "colour width number")        # of a layer; number is DXF's colour


class Drawing:
    """Shapes in layers; `layers` maps a layer's name to its style."""

    def __init__(self, layers):
        self.layers, self.shapes = layers, []

    def line(self, layer, x0, y0, x1, y1):
        self.shapes.append(Line(layer, x0, y0, x1, y1))

    def circle(self, layer, x, y, radius):
        self.shapes.append(Circle(layer, x, y, radius))

    def text(self, layer, x, y, size, words):
        self.shapes.append(Text(layer, x, y, size, words))

    def rectangle(self, layer, x0, y0, x1, y1):
        corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)]
        for (xa, ya), (xb, yb) in zip(corners, corners[1:]):
            self.line(layer, xa, ya, xb, yb)

    def slot(self, layer, x0, y0, x1, y1, width):
        """A long hole with round ends between two points."""
        angle, radius = math.atan2(y1 - y0, x1 - x0), width / 2
        nx, ny = -math.sin(angle) * radius, math.cos(angle) * radius
        self.line(layer, x0 + nx, y0 + ny, x1 + nx, y1 + ny)
        self.line(layer, x0 - nx, y0 - ny, x1 - nx, y1 - ny)
        up = -math.degrees(angle)
        self.shapes.append(Arc(layer, x1, y1, radius, up - 90, up + 90))
        self.shapes.append(Arc(layer, x0, y0, radius, up + 90, up + 270))

    def dxf(self):
        """The drawing as DXF R12, which every cutter reads."""
        out = ["0", "SECTION", "2", "TABLES", "0", "TABLE", "2", "LAYER"]
        out += ["70", str(len(self.layers))]
        for name, style in self.layers.items():
            out += ["0", "LAYER", "2", name, "70", "0", "62", str(style.number), "6", "CONTINUOUS"]
        out += ["0", "ENDTAB", "0", "ENDSEC", "0", "SECTION", "2", "ENTITIES"]
        for shape in self.shapes:
            out += [code if isinstance(code, str) else f"{code:.4f}" for code in _dxf_codes(shape)]
        return "\n".join(out + ["0", "ENDSEC", "0", "EOF"]) + "\n"

    def svg(self, x0, y0, x1, y1):
        """The drawing as SVG, for the eye."""
        width, height = x1 - x0, y1 - y0
        out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
               f'viewBox="{x0} {y0} {width} {height}">',
               f'<rect x="{x0}" y="{y0}" width="{width}" height="{height}" fill="white"/>']
        out += [_svg_shape(shape, self.layers[shape.layer]) for shape in self.shapes]
        return "\n".join(out + ["</svg>"]) + "\n"


def _dxf_codes(shape):
    if isinstance(shape, Line):
        return ["0", "LINE", "8", shape.layer, "10", shape.x0, "20", -shape.y0,
                "11", shape.x1, "21", -shape.y1]
    if isinstance(shape, Circle):
        return ["0", "CIRCLE", "8", shape.layer, "10", shape.x, "20", -shape.y, "40", shape.radius]
    if isinstance(shape, Arc):
        return ["0", "ARC", "8", shape.layer, "10", shape.x, "20", -shape.y, "40", shape.radius,
                "50", shape.start % 360, "51", shape.end % 360]
    return ["0", "TEXT", "8", shape.layer, "10", shape.x, "20", -shape.y, "40", shape.size,
            "1", shape.words]


def _svg_shape(shape, style):
    pen = f'stroke="{style.colour}" stroke-width="{style.width}" fill="none" stroke-linecap="round"'
    if isinstance(shape, Line):
        return (f'<line x1="{shape.x0:.3f}" y1="{shape.y0:.3f}" x2="{shape.x1:.3f}" '
                f'y2="{shape.y1:.3f}" {pen}/>')
    if isinstance(shape, Circle):
        return f'<circle cx="{shape.x:.3f}" cy="{shape.y:.3f}" r="{shape.radius:.3f}" {pen}/>'
    if isinstance(shape, Arc):
        ends = [(shape.x + shape.radius * math.cos(math.radians(a)),
                 shape.y - shape.radius * math.sin(math.radians(a)))
                for a in (shape.start, shape.end)]
        (xa, ya), (xb, yb) = ends
        return (f'<path d="M {xa:.3f} {ya:.3f} A {shape.radius} {shape.radius} 0 0 0 {xb:.3f} '
                f'{yb:.3f}" {pen}/>')
    return (f'<text x="{shape.x:.3f}" y="{shape.y:.3f}" font-size="{shape.size}" '
            f'font-family="sans-serif" fill="{style.colour}">{shape.words}</text>')
