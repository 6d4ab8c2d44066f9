"""A grid router for the few connections that follow no pattern.

Takes what is drawn on a board, marks the cells of a region that are too close to foreign copper,
and searches the cheapest way on two layers (A*). Nets are routed one after the other; a net that
finds no way is moved to the front and everything is tried again, a bounded number of times.
"""

import collections
import heapq
import math

import pcbnew as k

from draw import BACK, CLEARANCE, FRONT, ORIGIN, VIA
from schematic import net_text
from sizes import SIGNAL

STEP = 0.25         # grid, mm
TURN_COST = 0.4     # in steps
VIA_COST = 8
BACK_COST = 1.6     # per step on the back, so that the plane there stays whole
SLANT = 0.035       # a slanting step passes a corner this much closer than its two ends
BARE_MARGIN = 0.4   # more room around copper without a net: fiducials have an open mask
ATTEMPTS = 40
LAYERS = (FRONT, BACK)


class Maze:
    """Routes inside a rectangle of a board; `wide` gives nets their width, others are signals."""

    def __init__(self, board, x0, y0, x1, y1, wide=None):
        self.board, self.x0, self.y0 = board, x0, y0
        self.columns, self.rows = int((x1 - x0) / STEP) + 1, int((y1 - y0) / STEP) + 1
        self.wide = wide or {}
        self.shapes = self._shapes()

    def _shapes(self):
        """Copper on the board as (net, layers, is_hole, box or segment, radius)."""
        shapes = []
        for footprint in self.board.footprints.values():
            for pad in footprint.Pads():
                box = pad.GetBoundingBox()
                corners = self._mm(box.GetLeft(), box.GetTop()) + \
                    self._mm(box.GetRight(), box.GetBottom())
                layers = [layer for layer in LAYERS if pad.IsOnLayer(layer)]
                if pad.GetAttribute() == k.PAD_ATTRIB_NPTH:
                    layers = list(LAYERS)
                if not pad.GetNetname():
                    xa, ya, xb, yb = corners
                    more = BARE_MARGIN
                    corners = (xa - more, ya - more, xb + more, yb + more)
                shapes.append((pad.GetNetname() or "?bare", layers, corners, 0.0))
            for zone in footprint.Zones():
                box = zone.GetBoundingBox()
                corners = self._mm(box.GetLeft(), box.GetTop()) + \
                    self._mm(box.GetRight(), box.GetBottom())
                layers = [layer for layer in LAYERS if zone.IsOnLayer(layer)]
                shapes.append(("?keepout", layers, corners, 0.0))
        for track in self.board.board.GetTracks():
            start = self._mm(track.GetStart().x, track.GetStart().y)
            end = self._mm(track.GetEnd().x, track.GetEnd().y)
            if track.Type() == k.PCB_VIA_T:
                shapes.append((track.GetNetname(), list(LAYERS), start + start, VIA / 2))
            else:
                shapes.append((track.GetNetname(), [track.GetLayer()], start + end,
                               k.ToMM(track.GetWidth()) / 2))
        return shapes

    @staticmethod
    def _mm(x, y):
        return (k.ToMM(x) - ORIGIN[0], k.ToMM(y) - ORIGIN[1])

    def _blocked(self, net, reach):
        """Cells where the centre of copper that reaches so far must not lie, per layer."""
        own = net_text(net)
        grids = {layer: bytearray(self.columns * self.rows) for layer in LAYERS}
        for owner, layers, (xa, ya, xb, yb), radius in self.shapes:
            if owner == own:
                continue
            gap = radius + reach + CLEARANCE + SLANT
            for layer in layers:
                self._mark(grids[layer], xa, ya, xb, yb, gap, radius > 0)
        return grids

    def _mark(self, grid, xa, ya, xb, yb, gap, is_segment):
        first = max(0, math.ceil((min(xa, xb) - gap - self.x0) / STEP))
        last = min(self.columns - 1, math.floor((max(xa, xb) + gap - self.x0) / STEP))
        top = max(0, math.ceil((min(ya, yb) - gap - self.y0) / STEP))
        bottom = min(self.rows - 1, math.floor((max(ya, yb) + gap - self.y0) / STEP))
        for row in range(top, bottom + 1):
            y = self.y0 + row * STEP
            for column in range(first, last + 1):
                x = self.x0 + column * STEP
                if is_segment:
                    distance = segment_distance(x, y, xa, ya, xb, yb)
                else:
                    distance = math.hypot(max(xa - x, 0, x - xb), max(ya - y, 0, y - yb))
                if distance < gap:
                    grid[row * self.columns + column] = 1

    def _cells(self, terminal, tracks):
        """Where a track may end so that it meets the terminal: cells inside its pad, or the nearest
        one, from which `_draw` then adds the last bit."""
        x, y, layers = terminal[:3]
        inside = set()
        if len(terminal) > 3:
            half_x, half_y = terminal[3][0] / 2 - 0.1, terminal[3][1] / 2 - 0.1
            for column in range(math.ceil((x - half_x - self.x0) / STEP),
                                math.floor((x + half_x - self.x0) / STEP) + 1):
                for row in range(math.ceil((y - half_y - self.y0) / STEP),
                                 math.floor((y + half_y - self.y0) / STEP) + 1):
                    cx, cy = self._xy((column, row))
                    if ((cx - x) / half_x) ** 2 + ((cy - y) / half_y) ** 2 < 1:
                        inside |= {(column, row, layer) for layer in layers
                                   if not tracks[layer][row * self.columns + column]}
        return inside or {self._cell(x, y) + (layer,) for layer in layers}

    def _cell(self, x, y):
        return (round((x - self.x0) / STEP), round((y - self.y0) / STEP))

    def route(self, wanted):
        """Connects each net's terminals. `wanted`: [(net, [(x, y, layers), ...])]."""
        order = list(wanted)
        for _ in range(ATTEMPTS):
            shapes, drawn = list(self.shapes), []
            failed = None
            for entry in order:
                ways = self._route_net(*entry)
                if ways is None:
                    failed = entry
                    break
                drawn.append((entry[0], ways))
            if failed is None:
                for net, ways in drawn:
                    self._draw(net, ways)
                return
            self.shapes = shapes
            order.remove(failed)
            order.insert(0, failed)
        raise SystemExit(f"no way for {failed[0]}")

    def route_all(self, plane, first=(), fanned=None):
        """Connects all pads of all nets: those named first, then short ones before long ones.
        Pads of the plane's net that are on the front only get a via into the plane. `fanned` gives
        pins of fine pitch a place to start from: (ref, pin) -> (x, y), on the front."""
        fanned = fanned or {}
        terminals = {}
        for ref, footprint in self.board.footprints.items():
            for pad in footprint.Pads():
                net = self.board.circuit.parts[ref].pins.get(pad.GetNumber())
                layers = tuple(layer for layer in LAYERS if pad.IsOnLayer(layer))
                if net:
                    place = self._mm(pad.GetPosition().x, pad.GetPosition().y)
                    box = pad.GetBoundingBox()
                    size = (k.ToMM(box.GetWidth()), k.ToMM(box.GetHeight()))
                    end = (*place, layers, size)
                    if (ref, pad.GetNumber()) in fanned:
                        end = (*fanned[ref, pad.GetNumber()], (FRONT,))
                    terminals.setdefault(net, []).append(end)
        # Ground first: its vias need room beside the pads, tracks find another way.
        self.ground(plane, [t for t in terminals.pop(plane) if BACK not in t[2]])
        wanted = [(net, nearest_first(pads)) for net, pads in terminals.items() if len(pads) > 1]
        wanted.sort(key=lambda entry: (first.index(entry[0]) if entry[0] in first else len(first),
                                       length(entry[1])))
        self.route(wanted)

    def ground(self, net, terminals):
        """Leads each terminal to a via of its own into the plane on the back."""
        for x, y, layers, *_ in terminals:
            tracks, vias = self._blocked(net, SIGNAL / 2), self._blocked(net, VIA / 2)
            pads = [box for owner, _, box, radius in self.shapes if radius == 0]
            free = {(c, r, FRONT) for c in range(self.columns) for r in range(self.rows)
                    if self._free(c, r, x, y, vias, pads)}
            way = self._search({self._cell(x, y) + (layers[0],)}, free, tracks, vias)
            if way is None:
                raise SystemExit(f"no place for a via of {net} near {x:.1f}, {y:.1f}")
            exact = {self._cell(x, y): (x, y)}
            self._remember(net, way, SIGNAL)
            self.shapes.append((net_text(net), list(LAYERS), self._xy(way[-1]) * 2, VIA / 2))
            self._draw(net, [(way, exact, SIGNAL)])
            self.board.via(net, *self._xy(way[-1]))

    def stitch(self, net, pitch):
        """Joins the planes of both sides by vias wherever there is room for one and both sides
        have a plane that is not an island."""
        parts = self._plane_parts(net)
        vias = self._blocked(net, VIA / 2)
        pads = [box for _, _, box, radius in self.shapes if radius == 0]
        drilled = [box[:2] for owner, layers, box, radius in self.shapes
                   if owner == net_text(net) and len(layers) == 2]
        every = round(pitch / STEP)
        places = []
        for row in range(0, self.rows, every):
            for column in range(0, self.columns, every):
                place, index = self._xy((column, row)), row * self.columns + column
                ends = [parts[layer][index] for layer in LAYERS]
                if all(ends) and self._free(column, row, *place, vias, pads) and \
                        all(math.dist(place, other) > 1 for other in drilled):
                    places.append((ends, place))
        sizes = collections.Counter(part for part in parts[BACK] if part)
        whole = {sizes.most_common(1)[0][0]}
        grown = True
        while grown:
            more = {end for ends, _ in places for end in ends if whole & set(ends)} - whole
            whole |= more
            grown = bool(more)
        for ends, place in places:
            if whole & set(ends):
                self.board.via(net, *place)

    def _plane_parts(self, net):
        """Numbers the connected parts of the plane on either side; 0 where it has no copper."""
        blocked, parts, number = self._blocked(net, 0.2), {}, 0
        for layer in LAYERS:
            grid = parts[layer] = [0] * (self.columns * self.rows)
            for start in range(len(grid)):
                if grid[start] or blocked[layer][start]:
                    continue
                number += 1
                grid[start], todo = number, [start]
                while todo:
                    index = todo.pop()
                    column = index % self.columns
                    near = [index - self.columns, index + self.columns]
                    near += [index - 1] * (column > 0) + [index + 1] * (column < self.columns - 1)
                    for other in near:
                        if 0 <= other < len(grid) and not grid[other] and not blocked[layer][other]:
                            grid[other] = number
                            todo.append(other)
        return parts

    def _free(self, column, row, x, y, vias, pads):
        """Whether a via fits here: near the terminal, in nobody's way and in no pad."""
        vx, vy = self._xy((column, row))
        index = row * self.columns + column
        if abs(vx - x) > 3 or abs(vy - y) > 3 or vias[FRONT][index] or vias[BACK][index]:
            return False
        reach = VIA / 2 + 0.05
        return all(vx + reach < xa or vx - reach > xb or vy + reach < ya or vy - reach > yb
                   for xa, ya, xb, yb in pads)

    def _route_net(self, net, terminals):
        width = self.wide.get(net, SIGNAL)
        tracks = self._blocked(net, width / 2)
        vias = self._blocked(net, VIA / 2)
        reached = self._cells(terminals[0], tracks)
        ways = []
        for terminal in terminals[1:]:
            goal = self._cells(terminal, tracks)
            way = self._search(reached, goal, tracks, vias)
            if way is None:
                return None
            ways.append(way)
            reached |= set(way)
            reached |= goal
        for way in ways:
            self._remember(net, way, width)
        exact = {}
        for terminal in terminals:
            cells = self._cells(terminal, tracks)
            if len(cells) <= len(terminal[2]):
                exact.update({cell[:2]: terminal[:2] for cell in cells})
        return [(way, exact, width) for way in ways]

    def _search(self, starts, goals, tracks, vias):
        gx, gy, _ = next(iter(goals))

        def rest(column, row):
            dx, dy = abs(column - gx), abs(row - gy)
            return max(dx, dy) + 0.414 * min(dx, dy)

        queue = [(rest(c, r), 0.0, (c, r, layer), None, None) for c, r, layer in sorted(starts)]
        heapq.heapify(queue)
        came, best = {}, {}
        moves = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)]
        while queue:
            _, cost, node, before, heading = heapq.heappop(queue)
            if node in came:
                continue
            came[node] = before
            if node in goals:
                way = [node]
                while came[way[-1]] is not None:
                    way.append(came[way[-1]])
                return way[::-1]
            column, row, layer = node
            for move in moves:
                c, r = column + move[0], row + move[1]
                if not (0 <= c < self.columns and 0 <= r < self.rows):
                    continue
                target = (c, r, layer)
                if target in came or tracks[layer][r * self.columns + c] and target not in goals:
                    continue
                price = cost + math.hypot(*move) * (BACK_COST if layer == BACK else 1)
                price += TURN_COST if heading not in (None, move) else 0
                if price < best.get(target, 1e9):
                    best[target] = price
                    heapq.heappush(queue, (price + rest(c, r), price, target, node, move))
            other = BACK if layer == FRONT else FRONT
            index = row * self.columns + column
            target = (column, row, other)
            if target not in came and not vias[FRONT][index] and not vias[BACK][index]:
                price = cost + VIA_COST
                if price < best.get(target, 1e9):
                    best[target] = price
                    heapq.heappush(queue, (price + rest(column, row), price, target, node, None))
        return None

    def _xy(self, node):
        return (self.x0 + node[0] * STEP, self.y0 + node[1] * STEP)

    def _remember(self, net, way, width):
        owner, run = net_text(net), [self._xy(way[0])]
        for before, node in zip(way, way[1:]):
            if before[2] != node[2]:
                self._remember_run(owner, before[2], run, width)
                self.shapes.append((owner, list(LAYERS), self._xy(node) * 2, VIA / 2))
                run = []
            run.append(self._xy(node))
        self._remember_run(owner, way[-1][2], run, width)

    def _remember_run(self, owner, layer, run, width):
        points = corners(run)
        for start, end in zip(points, points[1:]):
            self.shapes.append((owner, [layer], start + end, width / 2))

    def _draw(self, net, ways):
        # A track is cut where another of its net begins: KiCad likes joints at ends.
        joints = {self._xy(way[0]) for way, _, _ in ways}
        for way, exact, width in ways:
            # The ends lie on the terminals themselves, which need not be on the grid.
            run = [exact.get(way[0][:2], self._xy(way[0])), self._xy(way[0])]
            for before, node in zip(way, way[1:]):
                if node[2] != before[2]:
                    self.board.track(net, before[2], width, *corners(run, joints))
                    self.board.via(net, *self._xy(node))
                    run = []
                run.append(self._xy(node))
            run.append(exact.get(way[-1][:2], run[-1]))
            self.board.track(net, way[-1][2], width, *corners(run, joints))


def length(terminals):
    """How long a net is that visits its terminals in this order."""
    return sum(math.dist(a[:2], b[:2]) for a, b in zip(terminals, terminals[1:]))


def nearest_first(terminals):
    """The terminals so that each is near to one of those before it."""
    order, rest = terminals[:1], terminals[1:]
    while rest:
        chosen = min(rest, key=lambda t: min(math.dist(t[:2], o[:2]) for o in order))
        rest.remove(chosen)
        order.append(chosen)
    return order


def corners(points, keep=()):
    """The points without those that lie on the straight way between their neighbours."""
    kept = points[:1]
    for before, here, after in zip(points, points[1:], points[2:]):
        cross = (here[0] - before[0]) * (after[1] - here[1]) - \
            (here[1] - before[1]) * (after[0] - here[0])
        if abs(cross) > 1e-6 or here in keep:
            kept.append(here)
    return kept + points[-1:] if len(points) > 1 else kept


def segment_distance(x, y, xa, ya, xb, yb):
    """From a point to a segment."""
    dx, dy = xb - xa, yb - ya
    length = dx * dx + dy * dy
    t = 0 if length == 0 else max(0, min(1, ((x - xa) * dx + (y - ya) * dy) / length))
    return math.hypot(x - xa - t * dx, y - ya - t * dy)
