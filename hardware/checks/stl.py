"""Makes pieces and case parts with OpenSCAD and checks every mesh: closed, one body, right size and
volume.

`stl.py FOLDER` writes the STL files there. Closed means: every edge belongs to exactly two facets,
once in each direction. A mesh with one facet taken away must fail, or the check itself is broken.
"""

import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

HARDWARE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HARDWARE / "pieces"))

from pieces import PARTS as PIECE_PARTS, PIECES, grams

# part -> (volume mm3, size x, y, z)
CASE_PARTS = {
    "spacer": (54.4, 7, 7, 1.85), "pillar": (36.3, 5, 5, 1.85),
    "diffuser_hex": (123.5, 7.72, 2.9, 6), "diffuser_square": (125.8, 7.85, 2.9, 6),
}
PARTS = PIECE_PARTS | CASE_PARTS


def make(part, folder):
    """Runs OpenSCAD for one part."""
    arguments = ["-D", f'part="{part}"']
    if part.startswith("chip_half_"):
        arguments = ["-D", 'part="chip_half"', "-D", f"spots={part[-1]}"]
    path = folder / f"{part}.stl"
    source = "case/case.scad" if part in CASE_PARTS else "pieces/pieces.scad"
    subprocess.run(["openscad", "-q", *arguments, "-o", path, HARDWARE / source], check=True)
    return path


def facets(path):
    """The triangles of an ASCII STL file."""
    numbers = re.findall(r"vertex\s+(\S+)\s+(\S+)\s+(\S+)", path.read_text())
    corners = [tuple(float(n) for n in corner) for corner in numbers]
    return [tuple(corners[i:i + 3]) for i in range(0, len(corners), 3)]


def is_closed(triangles):
    edges = Counter()
    for a, b, c in triangles:
        for edge in ((a, b), (b, c), (c, a)):
            edges[edge] += 1
    return all(count == 1 and edges[end, start] == 1 for (start, end), count in edges.items())


def body_count(triangles):
    """How many pieces do not touch each other."""
    near = defaultdict(set)
    for triangle in triangles:
        for corner in triangle:
            near[corner].update(triangle)
    left, bodies = set(near), 0
    while left:
        bodies += 1
        todo = [left.pop()]
        while todo:
            more = near[todo.pop()] & left
            left -= more
            todo.extend(more)
    return bodies


def volume(triangles):
    return sum(a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
               + a[2] * (b[0] * c[1] - b[1] * c[0]) for a, b, c in triangles) / 6


def errors(part, triangles):
    expected, *size = PARTS[part]
    if not is_closed(triangles):
        yield f"{part}: the surface is not closed"
    if body_count(triangles) != 1:
        yield f"{part}: {body_count(triangles)} bodies"
    extent = [max(c[i] for t in triangles for c in t) - min(c[i] for t in triangles for c in t)
              for i in range(3)]
    if any(abs(got - want) > 0.05 for got, want in zip(extent, size)):
        yield f"{part}: size {extent} instead of {size}"
    if abs(volume(triangles) - expected) > 0.02 * expected:
        yield f"{part}: volume {volume(triangles):.0f} mm3, the table says {expected}"


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for part in PARTS:
        triangles = facets(make(part, folder))
        found += errors(part, triangles)
        if not list(errors(part, triangles[1:])):
            found.append(f"{part}: a missing facet is not seen")
    for piece in PIECES:
        if grams(piece) < piece.least:
            found.append(f"{piece.game} {piece.name}: {grams(piece):.2f} g, too light")
    print("\n".join(found) or f"{len(PARTS)} parts closed, of the right size and weight")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
