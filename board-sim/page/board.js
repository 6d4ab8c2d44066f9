// The board as it is seen: plate, lights, trays, pieces. Decides nothing.

import { pieceWord, word } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

/** A new element of a drawing. */
export function draw(name, attributes = {}, parent = null) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
}

/** How much wider the faint outer light of an LED is. */
const BLOOM = 1.25;
/** How far stacks rise at most, mm. */
const RISE_MAX = 17;
/** How much of its height a lifted piece is drawn higher. */
const LIFT_SHARE = 0.45;

/** Whether the visitor wants little motion; then lights stay lit for so long, ms. */
const CALM = matchMedia("(prefers-reduced-motion: reduce)");
const STEADY_MS = 1200;

/** A sign for each meaning of a light, for those who do not tell colours or rhythms apart. */
const SIGNS = {
  origin: "○", destination: "+", capture: "★", movable: "·", put: "↓", take: "↑", flip: "↻", wrong: "×", missing: "!",
  "to-act": "▸", winner: "★",
};

export class Board {
  constructor(svg) {
    this.svg = svg;
    this.meanings = new Map();
    this.signs = localStorage.getItem("signs") ? localStorage.getItem("signs") === "on" : CALM.matches;
    this.points = [];
    this.trays = [];
    this.pieces = new Map();
    this.lights = new Map();
    this.names = new Map();
    this.left = [];
    this.ready = Promise.resolve();
    new ResizeObserver(() => this.layOut()).observe(svg);
  }

  /** Fetches the drawings once. */
  async load() {
    const text = await (await fetch("symbols.svg")).text();
    const symbols = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    this.svg.append(...[...symbols.children].map((child) => document.importNode(child, true)));
    const layer = (name) => draw("g", { class: name }, this.svg);
    [this.plate, this.lightLayer, this.trayLayer, this.pieceLayer, this.heatLayer, this.signLayer, this.cursorLayer] =
      ["plate", "lights", "trays", "pieces", "heats", "signs", "cursors"].map(layer);
  }

  /** Forgets everything that is told anew after a connection. */
  forget() {
    this.pieces.forEach((piece) => piece.element.remove());
    this.pieces.clear();
  }

  /** Another game, another board. What is told meanwhile waits. */
  setUp(news) {
    this.forget();
    this.news = news;
    this.points = news.points.map(([x, y, name], index) => ({ x, y, name, index }));
    this.names = new Map(this.points.filter((p) => p.name).map((p) => [p.name, p]));
    this.lightLayer.replaceChildren();
    this.heatLayer.replaceChildren();
    this.lights.clear();
    this.ready = fetch(`board.svg?surface=${news.surface}`).then(async (answer) => {
      const svg = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
      if (news === this.news) this.plate.replaceChildren(...[...svg.children].map((child) => document.importNode(child, true)));
    });
    this.layOut(true);
    return this.ready;
  }

  /** Chooses where the trays are: beside the board, or below it on a narrow screen. */
  layOut(force = false) {
    if (!this.news) return;
    const narrow = matchMedia("(max-width: 60rem)").matches;
    if (!force && narrow === this.narrow) return;
    this.narrow = narrow;
    this.makeTrays();
    const [x, y, width, height] = this.news.view;
    const side = narrow ? 0 : this.trayWidth;
    const below = narrow ? this.trayHeight : 0;
    this.view = { x: x - side, y, width: width + 2 * side, height: height + below };
    this.svg.setAttribute("viewBox", `${this.view.x} ${this.view.y} ${this.view.width} ${this.view.height}`);
    this.svg.style.setProperty("--shape", `${this.view.width} / ${this.view.height}`);
  }

  makeTrays() {
    this.trayLayer.replaceChildren();
    this.trays = [];
    const { trays, view: [x, y, width, height] } = this.news;
    const columns = Math.max(1, ...trays.map((tray) => (tray.items.length > 3 ? 2 : 1)));
    const reach = (item) => Math.max(13, item.radius + 2);
    const cell = { w: 34, h: 19 + 2 * Math.max(...trays.flatMap((tray) => tray.items.map(reach))) };
    this.trayWidth = trays.length ? columns * cell.w + 18 : 0;
    const rows = Math.ceil(trays.length / 2);
    this.trayHeight = trays.length ? rows * 52 + 4 : 0;
    trays.forEach((tray, n) => {
      const group = draw("g", { class: "tray", "data-player": tray.player }, this.trayLayer);
      let box, place;
      if (this.narrow) {
        box = { w: width / 2 - 3, h: 48 };
        box.x = x + (n % 2) * (width / 2 + 1) + 1;
        box.y = y + height + 4 + Math.floor(n / 2) * 52;
        const pitch = Math.min(cell.w, (box.w - 6) / tray.items.length);
        const start = box.x + box.w / 2 - (pitch * (tray.items.length - 1)) / 2;
        place = (i) => [start + i * pitch, box.y + 20];
      } else {
        const tall = Math.ceil(tray.items.length / columns);
        box = { w: columns * cell.w + 8, h: tall * cell.h + 10 };
        const side = n % 2;
        const stacked = trays.filter((_, m) => m % 2 === side).length;
        const slot = Math.floor(n / 2);
        box.x = side ? x + width + 6 : x - 6 - box.w;
        box.y = y + height / 2 - (stacked * (box.h + 8) - 8) / 2 + slot * (box.h + 8);
        place = (i) => [box.x + 4 + cell.w * ((i % columns) + 0.5), box.y + 5 + cell.h * Math.floor(i / columns) + cell.h / 2 - 6];
      }
      draw("rect", { class: "tray-box", x: box.x, y: box.y, width: box.w, height: box.h, rx: 9 }, group);
      const items = tray.items.map((item, i) => {
        const [ix, iy] = place(i);
        const element = draw("g", { class: "tray-item", transform: `translate(${ix} ${iy})`, role: "button", tabindex: -1 }, group);
        const size = reach(item);
        draw("rect", { class: "ring", x: -size, y: -size - 1, width: 2 * size, height: 2 * size + 2, rx: 6 }, element);
        const pile = draw("g", {}, element);
        const count = draw("text", { class: "count", y: size + 9.5 }, element);
        return { ...item, element, pile, count, x: ix, y: iy, reach: size };
      });
      this.trays.push({ ...tray, box, items, group });
    });
    this.count(this.left);
    this.again();
  }

  /** How many pieces are left in the trays. */
  count(left) {
    this.left = left;
    this.trays.forEach((tray, t) => tray.items.forEach((item, i) => {
      const n = left[t]?.[i] ?? 0;
      item.left = n;
      item.count.textContent = n;
      item.element.classList.toggle("none", n === 0);
      item.pile.replaceChildren();
      for (let k = 0; k < Math.min(Math.max(n, 1), 4); k++) draw("use", { href: `#${item.symbol}`, y: 4.5 - 1.6 * k }, item.pile);
      item.element.setAttribute("aria-label", `${pieceWord(item.symbol)}, ${n} ${word("left")}`);
    }));
  }

  /** Writes labels again, in another language. */
  again() {
    for (const tray of this.trays) for (const item of tray.items) item.element.setAttribute("aria-label", `${pieceWord(item.symbol)}, ${item.left ?? 0} ${word("left")}`);
  }

  /** Marks the tray of who is to act. */
  turn(player) {
    for (const tray of this.trays) tray.group.classList.toggle("acts", tray.player === player && player > 0);
  }

  /** The LEDs that shine: index, colour, strength. Who wants no motion sees no blinking. */
  light(shown) {
    const lit = CALM.matches ? this.steady(shown) : shown;
    const shining = new Set();
    for (const [index, colour, strength] of lit) {
      shining.add(index);
      const point = this.points[index];
      if (!point) continue;
      let halo = this.lights.get(index);
      if (!halo) {
        // Twice: what shines on the plate, and what it lends to the wood around.
        halo = draw("g", { transform: `translate(${point.x} ${point.y})`, "data-point": index }, this.lightLayer);
        const href = this.news.hex ? "#halo-hex" : "#halo-square";
        draw("use", { href, transform: `scale(${BLOOM})`, opacity: 0.4 }, halo);
        draw("use", { href }, halo);
        this.lights.set(index, halo);
      }
      halo.setAttribute("color", colour);
      halo.setAttribute("opacity", strength);
    }
    for (const [index, halo] of this.lights) if (!shining.has(index)) { halo.remove(); this.lights.delete(index); }
    this.svg.dispatchEvent(new Event("lights"));
  }

  /** What the lights say, point by point. */
  mean(points) {
    this.meanings = new Map(points.map(([index, name, more]) => [index, { name, more }]));
    this.drawSigns();
  }

  showSigns(on) {
    this.signs = on;
    localStorage.setItem("signs", on ? "on" : "off");
    this.drawSigns();
  }

  drawSigns() {
    this.signLayer.replaceChildren();
    if (!this.signs) return;
    for (const [index, { name, more }] of this.meanings) {
      const sign = name === "candidate" ? more : SIGNS[name];
      const point = this.points[index];
      if (!sign || !point) continue;
      const off = this.news.hex ? [7.5, 13] : [9, 9];
      const group = draw("g", { transform: `translate(${point.x + off[0]} ${point.y + off[1]})`, "data-meaning": name }, this.signLayer);
      draw("circle", { r: 5 }, group);
      draw("text", {}, group).textContent = sign;
    }
  }

  /** Points whose light has one of these meanings. */
  lit(...names) {
    return [...this.meanings].filter(([, { name }]) => names.includes(name)).map(([index]) => this.points[index]?.name).filter(Boolean);
  }

  /** Lights that blink, as if they did not: each stays at its brightest for a while. */
  steady(shown) {
    const now = performance.now();
    this.held ??= new Map();
    for (const [index, colour, strength] of shown) {
      const before = this.held.get(index);
      const brightest = before?.colour === colour ? Math.max(before.strength, strength) : strength;
      this.held.set(index, { colour, strength: brightest, until: now + STEADY_MS });
    }
    for (const [index, light] of this.held) if (light.until < now) this.held.delete(index);
    return [...this.held].map(([index, light]) => [index, light.colour, light.strength]);
  }

  /** Pieces that are new, moved or gone. */
  move({ changed, gone }) {
    for (const id of gone) { this.pieces.get(id)?.element.remove(); this.pieces.delete(id); }
    for (const piece of changed) {
      const old = this.pieces.get(piece.id);
      const known = old ?? { element: draw("g", { class: "piece", "data-id": piece.id }, this.pieceLayer) };
      const jumps = old && Math.hypot(old.x - piece.x, old.y - piece.y) > 25 && piece.lift < 1;
      const redraw = !old || old.symbol !== piece.symbol || old.turned !== piece.turned || old.level !== piece.level || old.of !== piece.of;
      Object.assign(known, piece);
      this.pieces.set(piece.id, known);
      if (redraw) this.drawPiece(known);
      known.element.classList.toggle("glide", Boolean(jumps));
      this.placePiece(known);
    }
    this.order();
    this.svg.dispatchEvent(new Event("pieces"));
  }

  drawPiece(piece) {
    const group = piece.element;
    group.replaceChildren();
    if (piece.level === 0) piece.shadow = draw("use", { href: "#shadow" }, group);
    else piece.shadow = null;
    piece.body = draw("use", { href: `#${piece.symbol}` }, group);
    if (piece.turned) draw("path", { d: "M-4-6 4 2M4-6-4 2", stroke: "#e03a2a", "stroke-width": 1.6, "stroke-linecap": "round" }, group);
    if (piece.symbol.startsWith("dvonn") && piece.of > 1 && piece.level === piece.of - 1) {
      const dark = piece.symbol !== "dvonn-w";
      const number = draw("text", { class: "number", y: -3.2, fill: dark ? "#f0e0c0" : "#5d4f3a" }, group);
      number.textContent = piece.of;
    }
  }

  /** How much higher than its place a piece of a stack is drawn. */
  rise(piece) {
    const step = Math.min(this.news.step || 3, RISE_MAX / Math.max(1, piece.of - 1));
    return piece.level * step;
  }

  placePiece(piece) {
    const up = piece.lift * LIFT_SHARE;
    const scale = 1 + piece.lift * 0.004;
    piece.element.setAttribute("transform", `translate(${piece.x} ${(piece.y - this.rise(piece) - up + 1.5).toFixed(2)}) scale(${scale.toFixed(3)})`);
    if (piece.shadow) {
      const size = piece.radius * (1.22 + piece.lift * 0.006);
      piece.shadow.setAttribute("transform", `translate(${2 + piece.lift * 0.12} ${(2.5 + up).toFixed(2)}) scale(${size.toFixed(2)})`);
      piece.shadow.setAttribute("opacity", (1 - Math.min(0.5, piece.lift / 60)).toFixed(2));
    }
  }

  /** Those behind first, then upwards, rings around what they hold, and what is lifted last. */
  order() {
    const row = (p) => Math.round((this.pieces.get(p.stack) ?? p).y / 4);
    const key = (p) => (p.lift > 3 ? 1e5 + p.lift : 0) + row(p) * 40 + p.level + (/yinsh-[WB]/.test(p.symbol) ? 0.5 : 0);
    const sorted = [...this.pieces.values()].sort((a, b) => key(a) - key(b) || a.x - b.x);
    const same = sorted.every((piece, n) => this.pieceLayer.children[n] === piece.element);
    if (!same) this.pieceLayer.append(...sorted.map((piece) => piece.element));
    this.ordered = sorted;
  }

  /** From the screen to the plate, mm. */
  place(event) {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return { x, y };
  }

  /** From the plate to the screen. */
  onScreen({ x, y }) {
    const at = new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM());
    return { x: at.x, y: at.y };
  }

  /** The uppermost piece there; a ring before what lies in it, unless the inner one is wanted. */
  pieceAt({ x, y }, { slop = 1, inner = false, lying = false } = {}) {
    const hit = (p) => Math.hypot(x - p.x, y - (p.y - this.rise(p) - p.lift * LIFT_SHARE - 1)) < p.radius + slop;
    const found = (this.ordered ?? []).filter((p) => hit(p) && !(lying && p.lift > 1)).reverse();
    if (inner) return found.find((p) => !/yinsh-[WB]/.test(p.symbol)) ?? found[0];
    return found[0];
  }

  trayItemAt({ x, y }) {
    for (const tray of this.trays) for (const item of tray.items) {
      if (Math.abs(x - item.x) <= item.reach && Math.abs(y - item.y) <= item.reach + 6) return item;
    }
    return null;
  }

  /** Whether a hand over this place is beside the board. */
  isBeside({ x, y }) {
    const [left, top, width, height] = this.news.view;
    return x < left || y < top || x > left + width || y > top + height;
  }

  /** How far it is to the nearest point, mm. */
  off({ x, y }) { return Math.min(...this.points.map((point) => Math.hypot(point.x - x, point.y - y))); }

  /** What lies on a point, from the bottom up. */
  on(point) {
    return (this.ordered ?? []).filter((p) => Math.hypot(p.x - point.x, p.y - point.y) < 8 && p.lift < 3);
  }
}
