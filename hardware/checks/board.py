"""Checks of one board with KiCad: `board.py STEP NAME FOLDER`, run with the system's Python.

Steps, in this order: `make` the files and compare the lists with the committed ones; `erc`; `drc`
with schematic parity; `netlist` against pads; `outputs` for the maker; for one board also `again`
(same bytes at a second run) and `mutate` (KiCad sees faults that are put in on purpose).
Prints what is wrong and ends with 1, or prints one line and ends with 0.
"""

import csv
import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

HARDWARE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HARDWARE / "boards"))

LAYERS = "F.Cu,B.Cu,F.Mask,B.Mask,F.Paste,B.Paste,F.SilkS,B.SilkS,Edge.Cuts"
OLDEST = (1980, 1, 1, 0, 0, 0)      # of files in an archive, so that it is the same every time


def kicad(*arguments):
    """Runs kicad-cli; its findings are in the files it writes."""
    run = subprocess.run(["kicad-cli", *map(str, arguments)], capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(f"kicad-cli {arguments[0]} {arguments[1]}: {run.stdout}{run.stderr}")


def make(name, folder):
    run = subprocess.run([sys.executable, HARDWARE / "boards" / "make.py", name, folder],
                         capture_output=True, text=True)
    if run.returncode:
        return [f"make.py failed: {run.stdout}{run.stderr}"]
    differing = [file for file in ("pads.csv", "bom.csv")
                 if (folder / file).read_text() != (HARDWARE / "boards" / name / file).read_text()]
    return [f"{file} is not the committed one; if the change is meant, copy it from {folder}"
            for file in differing]


def erc(name, folder):
    report = folder / "erc.json"
    kicad("sch", "erc", "--format", "json", "--severity-all", "-o", report,
          folder / f"{name}.kicad_sch")
    return [f"{item['type']}: {item['description']}"
            for sheet in json.loads(report.read_text())["sheets"] for item in sheet["violations"]]


def drc(name, folder):
    report = folder / "drc.json"
    kicad("pcb", "drc", "--schematic-parity", "--format", "json", "--severity-all", "-o", report,
          folder / f"{name}.kicad_pcb")
    found = json.loads(report.read_text())
    return [f"{item['type']}: {item['description']}"
            for part in ("violations", "unconnected_items", "schematic_parity")
            for item in found[part]]


def netlist(name, folder):
    """The nets KiCad reads from the schematic are those of the pads, pin by pin."""
    from make import netlist as read
    nodes = {pin: net.replace("{slash}", "/") for pin, net in read(folder, name).items()
             if not net.startswith("unconnected-")}
    with open(folder / "pads.csv") as file:
        pads = {(row["ref"], row["pin"]): row["net"] for row in csv.DictReader(file)}
    return [f"{ref} pin {pin}: schematic {nodes.get((ref, pin))}, board {pads.get((ref, pin))}"
            for ref, pin in sorted(set(nodes) | set(pads))
            if nodes.get((ref, pin)) != pads.get((ref, pin))]


def again(name, folder):
    second = folder.parent / f"{name}-again"
    shutil.rmtree(second, ignore_errors=True)
    make(name, second)
    files = [f"{name}.kicad_pcb", *(path.name for path in folder.glob("*.kicad_sch"))]
    return [f"{file} differs at a second run" for file in files
            if (folder / file).read_bytes() != (second / file).read_bytes()]


def mutate(name, folder):
    """Three faults, each in a copy: swapped pads, a missing track, a misspelt label."""
    import pcbnew
    copy = folder.parent / f"{name}-broken"

    def fresh():
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy)
        return pcbnew.LoadBoard(str(copy / f"{name}.kicad_pcb"))

    missed = []
    board = fresh()
    first, second = [board.FindFootprintByReference("J1").FindPadByNumber(n) for n in ("13", "16")]
    net = first.GetNet()
    first.SetNet(second.GetNet())
    second.SetNet(net)
    pcbnew.SaveBoard(str(copy / f"{name}.kicad_pcb"), board)
    if not drc(name, copy):
        missed.append("two swapped pads are not seen")
    board = fresh()
    tracks = sorted((t for t in board.GetTracks() if t.GetNetname() == "CH0"),
                    key=lambda t: -t.GetLength())
    board.Delete(tracks[0])
    pcbnew.SaveBoard(str(copy / f"{name}.kicad_pcb"), board)
    if not any(line.startswith("unconnected") for line in drc(name, copy)):
        missed.append("a missing track is not seen")
    fresh()
    page = next(path for path in sorted(copy.glob("*-*.kicad_sch")) if '"CH0"' in path.read_text())
    page.write_text(page.read_text().replace('global_label "CH0"', 'global_label "CHO"', 1))
    if not drc(name, copy) or not erc(name, copy):
        missed.append("a misspelt label is not seen")
    return missed


def outputs(name, folder):
    """Everything a board maker and an assembler need, in one archive per board."""
    out = folder / "release"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    board, sheet = folder / f"{name}.kicad_pcb", folder / f"{name}.kicad_sch"
    kicad("pcb", "export", "gerbers", "--layers", LAYERS, "--subtract-soldermask",
          "--no-protel-ext", "-o", f"{out}/", board)
    kicad("pcb", "export", "drill", "--format", "excellon", "--excellon-separate-th",
          "--drill-origin", "absolute", "-o", f"{out}/", board)
    kicad("pcb", "export", "pos", "--format", "csv", "--units", "mm", "--side", "both",
          "--use-drill-file-origin", "-o", out / f"{name}-positions.csv", board)
    pdf = out / f"{name}-schematic.pdf"
    kicad("sch", "export", "pdf", "-o", pdf, sheet)
    pdf.write_bytes(re.sub(rb"\(D:\d{14}\)", b"(D:19800101000000)", pdf.read_bytes()))
    kicad("pcb", "render", "--side", "top", "-w", "1400", "-h", "1400", "-o",
          out / f"{name}-top.png", board)
    shutil.copy(folder / "bom.csv", out / f"{name}-bom.csv")
    for file in [*out.glob("*.gbr"), *out.glob("*.drl"), *out.glob("*.gbrjob")]:
        undated = re.sub(r"(?m)^.*(CreationDate|G04 Created|DRILL file|Date).*\n", "",
                         file.read_text())
        file.write_text(undated)
    with zipfile.ZipFile(folder.parent / f"lodestone-{name}-1.zip", "w",
                         zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(out.iterdir()):
            archive.writestr(zipfile.ZipInfo(file.name, OLDEST), file.read_bytes())
    second_reader(out / f"{name}-F_Cu.gbr")
    with open(out / f"{name}-positions.csv") as file:
        placed = sum(1 for _ in csv.DictReader(file))
    with open(folder / "bom.csv") as file:
        listed = sum(int(row["count"]) for row in csv.DictReader(file))
    return [] if placed == listed else [f"{placed} positions, {listed} parts in the list"]


def second_reader(gerber):
    """A program that is not KiCad must be able to read what is sent out."""
    picture = gerber.parent.parent / "gerbv.png"
    picture.unlink(missing_ok=True)
    subprocess.run(["gerbv", "-x", "png", "-D", "100", "-o", picture, gerber], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if picture.stat().st_size < 5000:
        raise SystemExit("gerbv sees an empty front side")


STEPS = {step.__name__: step for step in (make, erc, drc, netlist, again, mutate, outputs)}


def main():
    step, name, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    found = STEPS[step](name, folder)
    print("\n".join(found[:20]) or "nothing found")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
