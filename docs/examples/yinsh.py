"""Plays the first moves of a YINSH game by itself, through the pipe: the rings, a turn that turns a
marker over, an illegal turn and its mending. Speaks for the magnets; docs/pipe.md has the format.

python3 yinsh.py [COMMAND...]     COMMAND is `cargo sim console`, also with `--backend emulator`
"""
import json, subprocess, sys

POINTS = [f"{column}{row}" for x, column in enumerate("abcdefghijk")
          for row in range(max(1, x - 4), min(11, x + 6) + 1)]  # column by column, 91 of them
ZERO, RING, MARKER = 2048, 134, 277  # what a sensor reads, and by how much a piece changes it
WHITE, BLACK = 1, -1  # north up, south up
PERIOD_MS = 12.5

board = subprocess.Popen(sys.argv[1:] or ["cargo", "sim", "console"], text=True, bufsize=1,
                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)
rings, markers, time_ms, events = {}, {}, 0, []

def say(**line):
    print(json.dumps({"t": time_ms} | line), file=board.stdin, flush=True)

def rest(ms):
    """Lets the board look at the table for so long, and takes in what it says."""
    global time_ms
    for _ in range(int(ms / PERIOD_MS)):
        time_ms += PERIOD_MS
        say(scan=[ZERO + RING * rings.get(p, 0) + MARKER * markers.get(p, 0) for p in POINTS])
    say(host="GetState")  # always answered: nothing said before it is still to come
    for line in board.stdout:
        answer = json.loads(line)
        if "state" in answer:
            return
        if "event" in answer:
            (name, fields), = answer["event"].items()
            print(f"{time_ms / 1000:6.1f} s  {name} {fields.get('step') or fields.get('rule') or ''}")
            events.append((name, fields))
    sys.exit("the board has gone")

def expect(name, **wanted):
    """Waits for an event with these fields; others may come before it."""
    for _ in range(50):
        while events:
            said, fields = events.pop(0)
            if said == name and wanted.items() <= fields.items():
                return
        rest(100)
    sys.exit(f"the board does not say {name} {wanted}")

def move(colour, start, end):
    """A marker into the ring, the ring up, the ring down."""
    markers[start] = colour
    rest(300)
    del rings[start]
    rest(300)
    rings[end] = colour

say(host={"NewGame": {"id": "yinsh"}})
rest(500)  # a game begins with an empty board
for number, point in enumerate("f2 a2 e1 a5 g2 b7 h3 c8 i4 d9".split()):
    rings[point] = BLACK if number % 2 else WHITE
    expect("committed", step=point)
for colour, start, end in (WHITE, "f2", "f4"), (BLACK, "a2", "a3"):
    move(colour, start, end)
    expect("committed", step=f"{start}-{end}")

move(WHITE, "e1", "g3")  # over the marker on f2
expect("prompt", do="flip", points=["f2"])
markers["f2"] = BLACK
expect("committed", step="e1-g3")

move(BLACK, "a5", "c6")  # not in a line
expect("refused", rule="Y4")
del rings["c6"]
rest(300)
rings["b6"] = BLACK
expect("back-in-play")
expect("committed", step="a5-b6", count=14)
print("played")
