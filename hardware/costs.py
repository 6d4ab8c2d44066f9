"""What the boards have and cost, added up from the part lists: prints the tables of README.md.

Prices are rough and in USD; those of boards and material are estimates for single pieces out of a
small order, without shipping and tax.
"""

import csv
import sys
from pathlib import Path

HARDWARE = Path(__file__).resolve().parent
sys.path.insert(0, str(HARDWARE / "pieces"))

SIZES = {"hex": "365 x 375", "square": "365 x 375", "controller": "165 x 62", "cluster": "90 x 128"}
BARE_BOARD = {"hex": 35, "square": 35, "controller": 4, "cluster": 3}
PLATE_AND_FRAME, CABLE = 60, 4
MAGNET_PRICE, BRASS_RING_PRICE, FILAMENT_PRICE = 0.05, 0.08, 0.025      # each, each, per g


def bom(board):
    with open(HARDWARE / "boards" / board / "bom.csv") as file:
        return list(csv.DictReader(file))


def parts_cost(board):
    return sum(float(row["total_usd"]) for row in bom(board))


def boards_table():
    lines = ["| board | size mm | layers | parts | kinds of part | sensors |",
             "|---|---|---|---|---|---|"]
    for board, size in SIZES.items():
        rows = bom(board)
        sensors = sum(int(row["count"]) for row in rows if row["value"] == "DRV5055A1")
        lines.append(f"| {board} | {size} | 2 | {sum(int(row['count']) for row in rows)} | "
                     f"{len(rows)} | {sensors} |")
    return "\n".join(lines)


def pieces_cost():
    from pieces import BALLAST_RING, PARTS, PIECES, PLA
    cost = 0.0
    for piece in PIECES:
        magnets = piece.magnets * (2 if piece.magnet == "5x2" else 1)
        plastic = sum(PARTS[part][0] for part in piece.parts) * PLA
        brass = BRASS_RING_PRICE if piece.ballast == BALLAST_RING else 0
        cost += piece.count * (magnets * MAGNET_PRICE + brass + plastic * FILAMENT_PRICE)
    return cost


def costs_table():
    rows = [(f"{board} board", BARE_BOARD[board], parts_cost(board)) for board in BARE_BOARD]
    lines = ["| item | bare board, material | parts | sum |", "|---|---|---|---|"]
    lines += [f"| {name} | {bare} | {parts:.0f} | {bare + parts:.0f} |"
              for name, bare, parts in rows]
    lines += [f"| plate, frame, panel (each playfield its own plate) | {PLATE_AND_FRAME} | | "
              f"{PLATE_AND_FRAME} |",
              f"| cable, screws | {CABLE} | | {CABLE} |",
              f"| pieces of all five games | {pieces_cost():.0f} | | {pieces_cost():.0f} |"]
    hexagonal = sum(bare + parts for name, bare, parts in rows
                    if name.startswith(("hex", "controller"))) + PLATE_AND_FRAME + CABLE
    lines.append("| **one table with the hex playfield, without pieces** | | | "
                 f"**{hexagonal:.0f}** |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(boards_table() + "\n\n" + costs_table())
