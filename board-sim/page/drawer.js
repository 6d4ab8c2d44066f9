// For developers: fields, the referee, effects, and what can be broken.

import { draw } from "./board.js";
import { said, word } from "./words.js";

const LOG_MAX = 200;
const $ = (id) => document.getElementById(id);

export class Drawer {
  constructor(board, send) {
    this.board = board;
    this.send = send;
    $("open-drawer").onclick = () => this.toggle();
    $("power").onclick = () => send({ do: "power", on: !this.powered });
    $("noise").oninput = (event) => send({ do: "noise", codes: Number(event.target.value) });
    $("ambient").oninput = (event) => send({ do: "ambient", mt: Number(event.target.value) });
    $("heat").onchange = () => { this.board.heatLayer.replaceChildren(); this.watch(); };
    for (const button of document.querySelectorAll(".fault")) {
      button.onclick = () => send({ do: "fault", point: Number($("fault-point").value), fault: button.dataset.fault || null });
    }
  }

  toggle() {
    const open = $("drawer").hidden;
    $("drawer").hidden = !open;
    document.body.classList.toggle("hood", open);
    $("open-drawer").setAttribute("aria-expanded", open);
    this.watch();
  }

  watch() { this.send({ do: "watch", fields: !$("drawer").hidden || $("heat").checked }); }

  again() { if (this.last) this.status(this.last); }

  points() {
    $("fault-point").replaceChildren(...this.board.points.filter((p) => p.name).map((p) => new Option(p.name, p.index)));
  }

  status(news) {
    this.last = news;
    this.powered = news.powered;
    $("power").textContent = word(news.powered ? "pull" : "plug");
    for (const part of document.querySelectorAll(".table-only")) part.hidden = news.is_real;
    $("noise").value = news.noise;
    $("noise-now").textContent = news.noise.toFixed(1);
    $("ambient").value = news.ambient;
    $("ambient-now").textContent = news.ambient.toFixed(2);
  }

  log(kind, detail, text, sound) {
    const item = document.createElement("li");
    const name = document.createElement("b");
    name.textContent = kind;
    const rest = document.createElement("span");
    rest.textContent = sound?.name ?? [detail, said(text)].filter(Boolean).join(" · ");
    item.append(name, rest);
    $("log").prepend(item);
    while ($("log").children.length > LOG_MAX) $("log").lastChild.remove();
  }

  fields({ codes, fields, faults, referee }) {
    const rows = [["stage", referee.stage], ["legal steps", referee.legal], ["differs at", referee.differs], ["candidates", referee.candidates],
      ...referee.explained.map(([why, steps]) => [why, steps || "—"]), ...referee.meanings, ["position", referee.position]];
    $("referee").replaceChildren(...rows.filter(([, value]) => value !== "").flatMap(([name, value]) => {
      const term = document.createElement("dt"), what = document.createElement("dd");
      term.textContent = name;
      what.textContent = value;
      return [term, what];
    }));
    if (!$("heat").checked || $("drawer").hidden) { this.board.heatLayer.replaceChildren(); return; }
    this.heat(codes, fields, new Set(faults));
  }

  /** Each point in the colour of its field, with field and code. */
  heat(codes, fields, faults) {
    const layer = this.board.heatLayer;
    const size = this.board.news.hex ? 12 : 10;
    if (layer.children.length !== this.board.points.length) {
      layer.replaceChildren(...this.board.points.map((point) => {
        const group = draw("g", { transform: `translate(${point.x} ${point.y})` });
        draw("circle", { r: size }, group);
        draw("text", { class: "heat", y: -0.5 }, group);
        draw("text", { class: "heat", y: 5.5 }, group);
        return group;
      }));
    }
    this.board.points.forEach((point, n) => {
      const [circle, upper, lower] = layer.children[n].children;
      const mt = fields[n] / 100, share = Math.min(1, Math.abs(mt) / 5);
      circle.setAttribute("fill", faults.has(n) ? "#ff00d4" : mt >= 0 ? "#ff5533" : "#3388ff");
      circle.setAttribute("fill-opacity", faults.has(n) ? 0.8 : Math.abs(mt) < 0.005 ? 0 : 0.12 + 0.7 * share);
      upper.textContent = mt.toFixed(2);
      lower.textContent = codes[n];
    });
  }
}
