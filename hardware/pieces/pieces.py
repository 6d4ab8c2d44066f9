"""What is printed for which game: counts, colours, magnets, weights. Plain tables.

`pieces.py` prints the tables of PIECES.md; the light checks compare them with the file.
Volumes are those OpenSCAD makes (the full check measures them again); weights follow with solid
PLA, brass ballast and the magnets.
"""

from collections import namedtuple

PLA, BRASS, NEODYMIUM = 1.24e-3, 8.5e-3, 7.5e-3     # g per mm3
BALLAST_RING = 3.1416 / 4 * (14 ** 2 - 8 ** 2) * 1.2
BALLAST_WIRE = 3.1416 / 4 * 1.5 ** 2 * 3.1416 * 21.5
MAGNET = {"5x1": 3.1416 / 4 * 25, "5x2": 3.1416 / 4 * 50, "3x1": 3.1416 / 4 * 9}

# part -> (volume mm3, size x, y, z)
PARTS = {
    "marker_white": (410, 16, 16, 2.5), "marker_black": (410, 16, 16, 2.5),
    "ring_half": (1231, 24, 24, 7),
    "piece_20": (1418, 20, 20, 6), "piece_20_strong": (1407, 20, 20, 6),
    "gipf_basic": (3360, 28, 28, 6), "gipf_piece": (6426, 28, 28, 11),
    "lid": (259, 15, 15, 2), "lid_strong": (249, 15, 15, 1.5),
    "chip_half_1": (872, 18, 18, 4), "chip_half_2": (869, 18, 18, 4),
    "chip_half_3": (866, 18, 18, 4), "chip_half_4": (864, 18, 18, 4),
    "chip_half_5": (861, 18, 18, 4), "chip_half_6": (859, 18, 18, 4),
    "jig": (10458, 50, 24, 9),
}

# name, game, count and colours, printed parts, magnets, pole, ballast mm3, least weight g
Piece = namedtuple("Piece", "name game count colours parts magnet magnets pole ballast least")
PIECES = [
    Piece("marker", "YINSH", 51, "white and black half", ["marker_white", "marker_black"],
          "5x1", 1, "north to the white face", BALLAST_RING, 2.2),
    Piece("ring, white", "YINSH", 5, "white", ["ring_half", "ring_half"], "3x1", 10,
          "all north poles outwards", 2 * BALLAST_WIRE, 5.0),
    Piece("ring, black", "YINSH", 5, "black", ["ring_half", "ring_half"], "3x1", 10,
          "all north poles inwards", 2 * BALLAST_WIRE, 5.0),
    Piece("basic piece", "GIPF", 36, "18 white, 18 black", ["gipf_basic", "lid"], "5x1", 1,
          "white: north up, black: south up", 0, 4.0),
    Piece("GIPF-piece", "GIPF", 18, "9 white, 9 black", ["gipf_piece", "lid_strong"], "5x2", 1,
          "white: north up, black: south up", 0, 7.0),
    Piece("piece", "DVONN", 46, "23 white, 23 black", ["piece_20", "lid"], "5x1", 1, "north up",
          BALLAST_RING, 2.5),
    Piece("DVONN piece", "DVONN", 3, "red", ["piece_20_strong", "lid_strong"], "5x2", 1,
          "north up", BALLAST_RING, 2.5),
    Piece("piece", "LYNGK", 45, "9 each of ivory, blue, red, green, black", ["piece_20", "lid"],
          "5x1", 1, "north up", BALLAST_RING, 2.5),
    Piece("joker", "LYNGK", 3, "white", ["piece_20_strong", "lid_strong"], "5x2", 1, "north up",
          BALLAST_RING, 2.5),
    Piece("chip 1/6", "GLÜX", 32, "8 each in 4 colours", ["chip_half_1", "chip_half_6"], "3x1", 1,
          "north to the face of 1", BALLAST_RING, 2.5),
    Piece("chip 2/5", "GLÜX", 32, "8 each in 4 colours", ["chip_half_2", "chip_half_5"], "3x1", 1,
          "north to the face of 2", BALLAST_RING, 2.5),
    Piece("chip 3/4", "GLÜX", 32, "8 each in 4 colours", ["chip_half_3", "chip_half_4"], "3x1", 1,
          "north to the face of 3", BALLAST_RING, 2.5),
]


def grams(piece):
    """The weight of one piece."""
    plastic = sum(PARTS[part][0] for part in piece.parts) * PLA
    return plastic + piece.ballast * BRASS + piece.magnets * MAGNET[piece.magnet] * NEODYMIUM


def tables():
    """The tables of PIECES.md."""
    lines = ["| game | piece | count | colours | parts | magnets | poles | g each (at least) |",
             "|---|---|---|---|---|---|---|---|"]
    for piece in PIECES:
        lines.append(f"| {piece.game} | {piece.name} | {piece.count} | {piece.colours} | "
                     f"{' + '.join(piece.parts)} | {piece.magnets} of {piece.magnet} | "
                     f"{piece.pole} | {grams(piece):.1f} ({piece.least:.1f}) |")
    lines += ["", "| to buy | count |", "|---|---|"]
    # A 5x2 is two 5x1 on top of each other.
    thin = sum(p.count * p.magnets * (2 if p.magnet == "5x2" else 1)
               for p in PIECES if p.magnet != "3x1")
    small = sum(p.count * p.magnets for p in PIECES if p.magnet == "3x1")
    rings = sum(p.count for p in PIECES if p.ballast == BALLAST_RING)
    wire = sum(p.count for p in PIECES if p.ballast == 2 * BALLAST_WIRE)
    plastic = sum(p.count * sum(PARTS[part][0] for part in p.parts) * PLA for p in PIECES)
    lines += [f"| magnet N35 5 x 1 mm, axial (a 5 x 2 is two of them) | {thin} |",
              f"| magnet N35 3 x 1 mm, axial | {small} |",
              f"| brass ring 14 / 8 x 1.2 mm | {rings} |",
              f"| brass wire 1.5 mm | {wire * 2 * 0.0675:.1f} m |",
              f"| filament | {plastic:.0f} g |"]
    return "\n".join(lines)


if __name__ == "__main__":
    print(tables())
