// Beside the board: who is to act, what the board says, the keys, the record, games and options.

import { draw } from "./board.js";
import { said, word } from "./words.js";

const KEYS = ["K1", "K2", "K3", "K4", "K5", "K6", "OK", "UNDO"];
const SETTLES = [150, 300, 500, 1000, 2000, 0];
/** How loud the board's sounds are here, of 1. */
const VOLUME = 0.05;
/** How long a refusal is to be read. */
const REFUSAL_MS = 5000;
/** A rule's number in a sentence, with or without isolates around it. */
const RULE = /\[[\u2066]?([A-Z]\d+)[\u2069]?\]/u;

const $ = (id) => document.getElementById(id);

/** Brings the board and what it says into sight: on a phone the list of games is far below. */
function toTop() {
  $("panel").scrollTo({ top: 0 });
  scrollTo({ top: 0 });
}

export class Panel {
  constructor(board, send) {
    this.board = board;
    this.send = send;
    this.makeKeys();
    $("lay-out").onclick = () => send({ do: "lay-out" });
    // Whoever takes back on a screen wants the pieces to follow.
    $("take-back").onclick = () => { send({ do: "host", request: "Undo" }); send({ do: "lay-out" }); };
    $("end-game").onclick = () => { send({ do: "host", request: { Resign: { player: 0 } } }); };
    $("watch-demo").onclick = () => { send({ do: "demo", speed: 1 }); toTop(); };
    $("speed").onchange = (event) => send({ do: "demo", speed: Number(event.target.value) });
    $("play-yinsh").onclick = () => { send({ do: "start", game: "yinsh" }); this.board.svg.focus(); };
    const option = (setting) => send({ do: "host", request: { SetOption: { setting } } });
    $("signs").checked = board.signs;
    $("signs").onchange = (event) => board.showSigns(event.target.checked);
    $("hints").onchange = (event) => option({ hints: event.target.checked });
    $("sound").onchange = (event) => option({ sound: event.target.checked });
    $("brightness").onchange = (event) => option({ brightness: Number(event.target.value) });
    $("settle").onchange = (event) => option({ settle: Number(event.target.value) });
  }

  makeKeys() {
    for (const key of KEYS) {
      const holder = document.createElement("div");
      holder.className = "key";
      holder.innerHTML = `<button type="button" id="key-${key}">${key}${key.startsWith("K") ? '<span class="lamp"></span>' : ""}</button><small id="legend-${key}"></small>`;
      const button = holder.firstChild;
      button.setAttribute("aria-describedby", `legend-${key}`);
      let isDown = false;
      const press = (down) => {
        if (down === isDown) return;
        isDown = down;
        button.classList.toggle("down", down);
        this.send({ do: "key", key, down });
      };
      button.addEventListener("pointerdown", (event) => { button.setPointerCapture(event.pointerId); press(true); });
      for (const end of ["pointerup", "pointercancel", "blur"]) button.addEventListener(end, () => press(false));
      button.addEventListener("keydown", (event) => { if ((event.key === "Enter" || event.key === " ") && !event.repeat) press(true); });
      button.addEventListener("keyup", (event) => { if (event.key === "Enter" || event.key === " ") press(false); });
      button.addEventListener("press", () => press(true));
      button.addEventListener("release", () => press(false));
      button.addEventListener("contextmenu", (event) => event.preventDefault());
      $("keys").append(holder);
    }
  }

  /** Fetches the list of games once. */
  async load() {
    this.games = await (await fetch("games.json")).json();
    const rows = new Map();
    for (const { id, letter } of this.games) {
      if (!rows.has(letter)) rows.set(letter, document.createElement("div"));
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.game = id;
      button.onclick = () => { this.send({ do: "start", game: id }); toTop(); };
      rows.get(letter).append(button);
    }
    $("games").append(...rows.values());
    this.nameGames();
  }

  nameGames() {
    for (const { id, name } of this.games) $("games").querySelector(`[data-game="${id}"]`).textContent = said(name);
  }

  /** Says everything again, in another language. */
  again() {
    this.nameGames();
    if (this.last) this.status(this.last);
  }

  status(news) {
    this.last = news;
    document.body.dataset.phase = news.phase ?? "off";
    document.body.dataset.steps = news.record.length;
    $("title").textContent = said(news.title);
    document.title = [said(news.title), "lodestone"].filter(Boolean).join(" · ");
    $("demo").hidden = news.demo === null;
    const isElsewhere = news.runs_on !== null;
    $("runs-on").hidden = !isElsewhere;
    $("runs-on").textContent = [news.is_real ? word("realBoard") : word("emulated"), news.absent ?? news.runs_on].join(" ");
    $("watch-demo").hidden = isElsewhere;
    $("turn").hidden = false;
    if (news.demo !== null) $("speed").value = String(news.demo);
    $("players").replaceChildren(...news.players.map((player, n) => this.player(news, player, n)));
    this.board.turn(news.turn);
    this.headlines(news);
    const letter = this.games.find(({ id }) => id === news.game)?.letter;
    for (const line of document.querySelectorAll(".how-a-turn-goes")) {
      line.hidden = !letter || news.phase !== "play" || news.demo !== null || Boolean(news.replay);
      line.textContent = word("turns")[letter] ?? "";
    }
    $("actions").hidden = news.demo !== null;
    $("lay-out").hidden = !news.can_lay_out;
    $("take-back").disabled = !news.record.length || !news.powered;
    $("end-game").disabled = !news.game || !news.turn;
    const record = news.record.map((step, n) => {
      const item = document.createElement("li");
      item.dataset.n = n + 1;
      item.textContent = step;
      return item;
    });
    $("record").replaceChildren(...record);
    $("record").scrollTop = 1e6;
    for (const button of $("games").querySelectorAll("button")) button.setAttribute("aria-current", button.dataset.game === news.game);
    KEYS.forEach((key, n) => {
      $(`legend-${key}`).textContent = said(news.legends[n]);
      $(`key-${key}`).classList.toggle("idle", !news.legends[n]);
    });
    if (news.options) this.options(news.options);
  }

  player(news, player, n) {
    const item = document.createElement("li");
    const acts = news.turn === n + 1;
    item.className = acts ? "acts" : "";
    if (acts) item.setAttribute("aria-current", "true");
    const signs = document.createElement("span");
    signs.className = "signs";
    for (const symbol of player.symbols) {
      const svg = draw("svg", { viewBox: "-15 -17 30 30", "aria-hidden": "true" }, signs);
      draw("use", { href: `#${symbol}` }, svg);
    }
    const name = document.createElement("span");
    const sides = /^(gipf|yinsh|dvonn)/.test(news.game);
    name.textContent = sides ? word(["white", "black"][n]) : `${word("player")} ${n + 1}`;
    const score = document.createElement("b");
    score.textContent = player.score;
    item.append(signs, name, score);
    return item;
  }

  headlines(news) {
    const lines = news.absent ? [word("absent")] : news.powered ? news.headlines.map(said) : [word("unplugged")];
    const text = lines.join("\n") + news.phase;
    if (text === this.shownLines) return;
    this.shownLines = text;
    $("headlines").classList.toggle("wrong", news.phase === "mend" || Boolean(news.absent));
    $("headlines").replaceChildren(...lines.map((line) => this.line(line)));
    // Where a sentence asks for OK, the key is easy to find, and nothing else looks like the next thing to do.
    const isAsked = lines.some((line) => /\bOK\b/.test(line));
    $("key-OK").classList.toggle("asked", isAsked);
    $("lay-out").classList.toggle("main", !isAsked);
    if (this.openRule && !text.includes(this.openRule)) { $("rule").hidden = true; this.openRule = null; }
  }

  /** A sentence; a rule's number in it opens the rule. */
  line(text) {
    const paragraph = document.createElement("p");
    const found = RULE.exec(text);
    paragraph.textContent = found ? text.slice(0, found.index) : text;
    if (found) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "rule";
      button.textContent = found[1];
      button.onclick = () => this.rule(found[1]);
      paragraph.append(button, text.slice(found.index + found[0].length));
    }
    return paragraph;
  }

  async rule(number) {
    if (this.openRule === number) { $("rule").hidden = true; this.openRule = null; return; }
    const { lang, dir } = document.documentElement;
    const answer = await fetch(`rule/${number}?lang=${lang}`);
    if (!answer.ok) return;
    $("rule").textContent = `${number}: ${await answer.text()}`;
    $("rule").dir = dir;
    $("rule").hidden = false;
    this.openRule = number;
  }

  options(options) {
    $("hints").checked = options.hints;
    $("sound").checked = options.sound;
    $("brightness").value = options.brightness;
    const rows = SETTLES.map((ms) => new Option(ms ? `${ms} ms` : word("byOk"), ms));
    if ($("settle").options.length !== rows.length || $("settle").dataset.lang !== document.documentElement.lang) {
      $("settle").replaceChildren(...rows);
      $("settle").dataset.lang = document.documentElement.lang;
    }
    $("settle").value = options.settle;
    this.soundOn = options.sound;
  }

  /** The lamps of K1..K6. */
  lamps(keys) {
    keys.forEach((lit, n) => {
      const lamp = $(`key-K${n + 1}`).querySelector(".lamp");
      lamp.style.color = lit ? lit[0] : "transparent";
      lamp.style.setProperty("--lit", lit ? lit[1] : 0);
    });
  }

  /** Says for a while why something was not done. */
  refuse(why) {
    $("refusal").textContent = why;
    $("refusal").hidden = false;
    clearTimeout(this.refused);
    this.refused = setTimeout(() => { $("refusal").hidden = true; }, REFUSAL_MS);
  }

  event(news) {
    if (news.sound && this.soundOn && this.last?.demo === null) this.play(news.sound.notes);
  }

  /** Notes as the board plays them: Hz, 0 for silence, and ms. */
  play(notes) {
    if (!navigator.userActivation?.hasBeenActive) return;
    this.audio ??= new AudioContext();
    let at = this.audio.currentTime;
    for (const [hz, ms] of notes) {
      const end = at + ms / 1000;
      if (hz) {
        const tone = this.audio.createOscillator(), volume = this.audio.createGain();
        tone.frequency.value = hz;
        volume.gain.setValueAtTime(VOLUME, at);
        volume.gain.exponentialRampToValueAtTime(VOLUME / 50, end);
        tone.connect(volume).connect(this.audio.destination);
        tone.start(at);
        tone.stop(end);
      }
      at = end;
    }
  }
}
