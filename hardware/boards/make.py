"""Makes one board: `make.py NAME FOLDER` writes schematic, project, board, pads.csv and bom.csv.

Run with the system's Python. The schematic comes first: KiCad itself says how it calls the nets of
unused pins, and the board must call them so too.
"""

import importlib
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

from project import write_project
from schematic import write_schematic


def netlist(folder, name):
    """(ref, pin) -> net, as KiCad reads the schematic."""
    path = folder / f"{name}.xml"
    subprocess.run(["kicad-cli", "sch", "export", "netlist", "--format", "kicadxml", "-o", path,
                    folder / f"{name}.kicad_sch"], check=True, stdout=subprocess.DEVNULL)
    nodes = {}
    for net in xml.parse(path).getroot().iter("net"):
        for node in net.iter("node"):
            nodes[node.get("ref"), node.get("pin")] = net.get("name")
    return nodes


def main():
    name, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    module = importlib.import_module(f"board_{name}")
    circuit = module.circuit()
    write_project(circuit, folder)
    write_schematic(circuit, folder)
    nodes = netlist(folder, name)
    open_pins = {node: net for node, net in nodes.items() if net.startswith("unconnected-")}
    board = module.board(circuit, folder / f"{name}.kicad_pcb", open_pins)
    board.save()
    (folder / "pads.csv").write_text(board.pads_csv())
    (folder / "bom.csv").write_text(circuit.bom())


if __name__ == "__main__":
    main()
