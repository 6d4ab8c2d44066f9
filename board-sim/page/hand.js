// What the visitor's hand does: pointer and keyboard. Says it to the board, shows nothing itself
// but the cursor.

import { draw } from "./board.js";
import { meaningWord, pieceWord, word } from "./words.js";

/** Pixels of a movement that is no longer a click. */
const MOVED = 4;
/** A mouse button held this long lifts; a finger held so long takes the top piece alone. ms */
const LIFT_MS = 140;
const LONG_PRESS_MS = 450;
/** Lights show where a lifted piece may go within this time, ms. */
const HINTS_MS = 400;
/** How near to a point a drop is seated on it, mm. */
const SNAP = { mouse: 8, touch: 12, pen: 8, keyboard: 1, none: 0 };

const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const KEYS = { 1: "K1", 2: "K2", 3: "K3", 4: "K4", 5: "K5", 6: "K6", o: "OK", O: "OK", u: "UNDO", U: "UNDO" };

export class Hand {
  constructor(board, send) {
    this.board = board;
    this.send = send;
    this.held = false;
    this.grip = { x: 0, y: 0 };
    const svg = board.svg;
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    svg.addEventListener("pointerup", (event) => this.up(event));
    svg.addEventListener("pointercancel", (event) => this.up(event));
    svg.addEventListener("dblclick", (event) => this.flipAt(board.place(event)));
    svg.addEventListener("contextmenu", (event) => event.preventDefault());
    addEventListener("keydown", (event) => this.keyDown(event));
    addEventListener("keyup", (event) => this.keyUp(event));
  }

  /** Another board: the hand is empty. */
  reset() {
    clearTimeout(this.timer);
    this.held = false;
    this.press = null;
    this.inTray = null;
    this.cursor = null;
    this.board.cursorLayer.replaceChildren();
    this.show();
  }

  show() { this.board.svg.classList.toggle("holding", this.held); }

  down(event) {
    document.body.classList.remove("by-keyboard");
    if (event.button > 0 || this.press || this.isReal) return;
    const at = this.board.place(event);
    this.board.svg.focus({ preventScroll: true });
    if (this.held) { // taken by a click on the tray, or by keyboard: put down by a click
      this.drop(at, event);
      return;
    }
    const slop = event.pointerType === "touch" ? 5 : 1.5;
    const item = this.board.trayItemAt(at);
    const piece = item ? null : this.board.pieceAt(at, { slop, inner: event.shiftKey });
    if (!item && !piece) return;
    event.preventDefault();
    this.board.svg.setPointerCapture(event.pointerId);
    this.press = { item, piece, at, x: event.clientX, y: event.clientY, top: event.shiftKey, slide: event.altKey };
    const wait = event.pointerType === "touch" ? LONG_PRESS_MS : LIFT_MS;
    const isTouch = event.pointerType === "touch";
    this.timer = setTimeout(() => { if (this.press) { this.press.top ||= isTouch; this.lift(); } }, wait);
  }

  /** The press becomes a grip. */
  lift() {
    clearTimeout(this.timer);
    const { item, piece, top, slide, at } = this.press;
    this.press.lifted = true;
    // A stack is taken where one sees it, which is above its point.
    this.grip = piece ? { x: piece.x - at.x, y: piece.y - at.y } : { x: 0, y: 0 };
    if (item) {
      if (!item.left) { this.press = null; return; }
      this.send({ do: "take", item: item.item });
    } else {
      this.send({ do: "grab", piece: piece.id, whole: !top, slide });
    }
    this.held = true;
    this.show();
    this.follow(at);
  }

  move(event) {
    const at = this.board.place(event);
    if (this.press && !this.press.lifted && Math.hypot(event.clientX - this.press.x, event.clientY - this.press.y) > MOVED) this.lift();
    if (this.held) this.follow(at);
    else if (event.pointerType !== "touch") {
      this.board.svg.classList.toggle("over-piece", Boolean(this.board.pieceAt(at, { slop: 1 })));
    }
  }

  /** The hand goes there, once a frame. */
  follow(at) {
    this.goal = { x: at.x + this.grip.x, y: at.y + this.grip.y };
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = null;
      if (this.held) this.send({ do: "move", x: this.goal.x, y: this.goal.y });
    });
  }

  up(event) {
    const press = this.press;
    this.press = null;
    clearTimeout(this.timer);
    if (!press) return;
    if (press.lifted) this.drop(this.board.place(event), event);
    else if (press.item && press.item.left) { // a click on the tray: it stays in the hand
      this.send({ do: "take", item: press.item.item });
      this.grip = { x: 0, y: 0 };
      this.held = true;
      this.show();
      this.follow(press.at);
    }
  }

  drop(pointer, event) {
    // On a stack, wherever one points at it; else where the pointer or the piece is nearer to a point.
    const under = event.altKey ? null : this.board.pieceAt(pointer, { slop: 0, lying: true });
    const own = { x: pointer.x + this.grip.x, y: pointer.y + this.grip.y };
    const at = under ? { x: under.x, y: under.y } : this.board.off(own) < this.board.off(pointer) ? own : pointer;
    if (this.board.isBeside(pointer)) this.send({ do: "stow" });
    else this.send({ do: "drop", x: at.x, y: at.y, snap: event.altKey ? SNAP.none : SNAP[event.pointerType] ?? SNAP.mouse });
    this.dropped = performance.now();
    this.held = false;
    this.show();
  }

  flipAt(at) {
    const piece = this.board.pieceAt(at, { inner: true });
    if (piece) this.send({ do: "flip", piece: piece.id });
  }

  keyDown(event) {
    document.body.classList.add("by-keyboard");
    if (event.target.closest?.("input, select, textarea") || event.ctrlKey || event.metaKey) return;
    const key = KEYS[event.key];
    if (key) {
      if (!event.repeat) document.getElementById(`key-${key}`)?.dispatchEvent(new CustomEvent("press"));
      return;
    }
    const onBoard = event.target === this.board.svg || event.target === document.body;
    if (!onBoard) return;
    const moves = ["Enter", " ", "t", "T", "f", "F"].includes(event.key);
    if (moves && this.isReal) return;
    if (ARROWS[event.key]) { event.preventDefault(); this.inTray ? this.stepTray(event.key) : this.step(ARROWS[event.key]); }
    else if (event.key === "Enter" || event.key === " ") { event.preventDefault(); this.act(event.shiftKey); }
    else if (event.key === "t" || event.key === "T") this.tray();
    else if (event.key === "f" || event.key === "F") this.flip();
    else if (event.key === "Escape" && this.inTray) this.leaveTray();
  }

  keyUp(event) {
    const key = KEYS[event.key];
    if (key) document.getElementById(`key-${key}`)?.dispatchEvent(new CustomEvent("release"));
  }

  /** The cursor goes to the next point in a direction. */
  step([dx, dy]) {
    const points = this.board.points.filter((p) => p.name);
    if (!this.cursor) this.cursor = points.reduce((a, b) => (Math.hypot(a.x, a.y) < Math.hypot(b.x, b.y) ? a : b));
    else {
      let best = null, least = Infinity;
      for (const point of points) {
        const [x, y] = [point.x - this.cursor.x, point.y - this.cursor.y];
        const along = x * dx + y * dy, aside = Math.abs(x * dy - y * dx);
        if (along < 1 || aside > along * 1.8) continue;
        const cost = along + 2 * aside;
        if (cost < least) [best, least] = [point, cost];
      }
      if (!best) return;
      this.cursor = best;
    }
    if (this.held) this.send({ do: "move", x: this.cursor.x, y: this.cursor.y });
    this.showCursor();
    this.say(this.describe(this.cursor));
  }

  describe(point) {
    const on = this.board.on(point).map((piece) => pieceWord(piece.symbol));
    const light = meaningWord(this.board.meanings.get(point.index));
    return `${point.name}: ${on.length ? on.join(", ") : word("empty")}${light ? `; ${light}` : ""}`;
  }

  /** After a lift: what is in the hand, and where it may go. */
  sayTaken(symbol) {
    const taken = `${word("taken")}: ${pieceWord(symbol)}`;
    this.say(taken);
    setTimeout(() => {
      const ways = this.board.lit("destination", "capture");
      if (this.held && ways.length) this.say(`${taken}. ${word("mayGo")}: ${ways.join(", ")}`);
    }, HINTS_MS);
  }

  showCursor() {
    this.board.cursorLayer.replaceChildren();
    if (this.cursor) draw("circle", { class: "cursor", cx: this.cursor.x, cy: this.cursor.y, r: 13 }, this.board.cursorLayer);
  }

  /** Lifts what is under the cursor, or puts down what is held. */
  act(top) {
    if (this.inTray) { this.takeChosen(); return; }
    if (!this.cursor) { this.step([0, 0]); return; }
    if (this.held) {
      this.send({ do: "drop", x: this.cursor.x, y: this.cursor.y, snap: SNAP.keyboard });
      this.dropped = performance.now();
      this.held = false;
      this.show();
      setTimeout(() => this.say(this.describe(this.cursor)), 300);
      return;
    }
    const on = this.board.on(this.cursor);
    const ring = on.find((piece) => /yinsh-[WB]/.test(piece.symbol));
    const piece = top ? on.find((p) => p !== ring) ?? ring : ring ?? on.at(-1);
    if (!piece) return;
    this.send({ do: "grab", piece: piece.id, whole: !top, slide: false });
    this.grip = { x: 0, y: 0 };
    this.held = true;
    this.show();
    this.sayTaken(piece.symbol);
  }

  flip() {
    if (this.held) { this.send({ do: "flip", piece: null }); return; }
    const on = this.cursor ? this.board.on(this.cursor) : [];
    const piece = on.filter((p) => !/yinsh-[WB]/.test(p.symbol)).at(-1) ?? on[0];
    if (piece) this.send({ do: "flip", piece: piece.id });
  }

  /** To the trays; what is held goes into them. */
  tray() {
    if (this.held) {
      this.send({ do: "stow" });
      this.held = false;
      this.show();
      return;
    }
    const items = this.items();
    if (!items.length) return;
    if (this.inTray) { this.leaveTray(); return; }
    const acting = this.board.trays.find((tray) => tray.group.classList.contains("acts"));
    this.choose(acting?.items.find((item) => item.left) ?? items[0]);
  }

  items() { return this.board.trays.flatMap((tray) => tray.items); }

  choose(item) {
    this.leaveTray();
    this.inTray = item;
    item.element.classList.add("chosen");
    this.say(item.element.getAttribute("aria-label"));
  }

  leaveTray() {
    this.inTray?.element.classList.remove("chosen");
    this.inTray = null;
  }

  stepTray(key) {
    const items = this.items();
    const by = key === "ArrowUp" || key === "ArrowLeft" ? -1 : 1;
    this.choose(items[(items.indexOf(this.inTray) + by + items.length) % items.length]);
  }

  takeChosen() {
    const item = this.inTray;
    this.leaveTray();
    if (!item.left) { this.say(word("nothing")); return; }
    this.send({ do: "take", item: item.item });
    this.grip = { x: 0, y: 0 };
    if (!this.cursor) this.step([0, 0]);
    else this.send({ do: "move", x: this.cursor.x, y: this.cursor.y });
    this.held = true;
    this.show();
    this.sayTaken(item.symbol);
  }

  say(text) { document.getElementById("live").textContent = text; }
}
