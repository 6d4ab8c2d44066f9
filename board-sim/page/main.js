// Wires the page up: the socket, and who is told what.

import { Board } from "./board.js";
import { Drawer } from "./drawer.js";
import { Hand } from "./hand.js";
import { Panel } from "./panel.js";
import { Replay } from "./replay.js";
import { applyLanguage, language, said, setLanguage, word } from "./words.js";

const board = new Board(document.getElementById("board"));
let socket;

/** Says something to the board; nothing is kept for later when it cannot be heard. */
function send(request) {
  const { do: name, ...fields } = request;
  const message = Object.keys(fields).length ? { [name]: fields } : name;
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

const hand = new Hand(board, send);
const panel = new Panel(board, send);
const drawer = new Drawer(board, send);
const replay = new Replay(send);

const HEARD = {
  board: (news) => board.setUp(news).then(() => { hand.reset(); drawer.points(); }),
  trays: (news) => board.count(news.left),
  lights: (news) => { board.light(news.points); panel.lamps(news.keys); },
  meanings: (news) => board.mean(news.points),
  pieces: (news) => board.move(news),
  status: (news) => { panel.status(news); drawer.status(news); replay.status(news.replay); hand.isReal = news.is_real; },
  event: (news) => { panel.event(news); if (news.kind === "error") panel.refuse(said(news.text)); drawer.log(news.kind, news.detail, news.text, news.sound); },
  fields: (news) => drawer.fields(news),
  error: (news) => {
    const why = news.text ? said(news.text) : word("refusals")[news.why];
    panel.refuse(why);
    drawer.log("error", [why, news.detail].filter(Boolean).join(": "));
  },
};

function connect() {
  socket = new WebSocket(`ws://${location.host}/socket`);
  socket.onopen = () => {
    document.getElementById("offline").hidden = true;
    board.forget();
    drawer.watch();
  };
  socket.onmessage = (message) => {
    const news = JSON.parse(message.data);
    HEARD[news.type]?.(news);
  };
  socket.onclose = () => {
    document.getElementById("offline").hidden = false;
    setTimeout(connect, 1000);
  };
}

document.getElementById("language").onclick = () => {
  setLanguage(language === "en" ? "fa" : "en");
  panel.again();
  drawer.again();
  board.again();
};

const themes = ["dark", "light"];
const storedTheme = localStorage.getItem("theme");
if (themes.includes(storedTheme)) document.documentElement.dataset.theme = storedTheme;
document.getElementById("theme").onclick = () => {
  const isLight = getComputedStyle(document.documentElement).colorScheme.includes("light");
  const next = isLight ? "dark" : "light";
  document.documentElement.dataset.theme = next;
  localStorage.setItem("theme", next);
};

applyLanguage();
await Promise.all([board.load(), panel.load()]);
connect();
