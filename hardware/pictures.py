"""Makes the pictures of the documents: `pictures.py FOLDER`, where FOLDER is the output folder of
`cargo xtask hardware`. Look at each before committing it.
"""

import re
import subprocess
import sys
from pathlib import Path

HARDWARE = Path(__file__).resolve().parent
PICTURES = HARDWARE / "pictures"

# picture -> board, options of the render
BOARDS = {
    "hex": ("hex", "-w 900 -h 920"),
    "hex-middle": ("hex", "-w 1000 -h 560 --zoom 5 --rotate -40,0,0 --perspective"),
    "square": ("square", "-w 900 -h 920"),
    "controller": ("controller", "-w 1200 -h 620 --zoom 1.7 --rotate -35,0,0 --perspective"),
    "cluster": ("cluster", "-w 800 -h 800 --zoom 0.75 --rotate -30,0,20 --perspective"),
}
SCENE = "--imgsize=1400,560 --camera=112,-34,0,38,0,8,335"


COPPER = (62, 52)       # mm of the square board's lower left corner that the copper picture shows


def copper(board):
    """The corner with connector and decoder, front red over back blue."""
    drawing = PICTURES / "copper.svg"
    subprocess.run(["kicad-cli", "pcb", "export", "svg", "--layers", "B.Cu,F.Cu", "--mode-single",
                    "--page-size-mode", "2", "--exclude-drawing-sheet", "-o", drawing, board],
                   check=True, stdout=subprocess.DEVNULL)
    width, height = COPPER
    text = drawing.read_text()
    bottom = float(re.search(r'viewBox="\S+ \S+ \S+ (\S+)"', text).group(1))
    window = (f'width="{width}mm" height="{height}mm" '
              f'viewBox="0 {bottom - height} {width} {height}"')
    text = re.sub(r'width="\S+" height="\S+" viewBox="[^"]+"', window, text, count=1)
    drawing.write_text(text)
    subprocess.run(["rsvg-convert", "-w", "1000", "-b", "white", "--unlimited", drawing,
                    "-o", PICTURES / "copper.png"], check=True)
    drawing.unlink()


def main():
    made = Path(sys.argv[1])
    for name, (board, options) in BOARDS.items():
        subprocess.run(["kicad-cli", "pcb", "render", "--side", "top", *options.split(), "-o",
                        PICTURES / f"{name}.png", made / board / f"{board}.kicad_pcb"],
                       check=True, stdout=subprocess.DEVNULL)
    copper(made / "square" / "square.kicad_pcb")
    subprocess.run(["xvfb-run", "-a", "openscad", "-q", HARDWARE / "pieces" / "scene.scad",
                    "-o", PICTURES / "pieces.png", *SCENE.split()], check=True)
    for name in ("plate-hex", "plate-square"):
        subprocess.run(["rsvg-convert", "-w", "760", made / "case" / f"{name}.svg",
                        "-o", PICTURES / f"{name}.png"], check=True)


if __name__ == "__main__":
    main()
