// Labels of the page in both languages. Sentences of the board come from the board itself.

export const WORDS = {
  en: {
    language: "فارسی", theme: "light or dark", developers: "under the hood", board: "the board", keys: "keys of the board",
    demo: "The board is playing by itself. Touch it to take over.", playYinsh: "Play YINSH", speed: "speed",
    layOut: "Put the pieces for me", takeBack: "Take back", endGame: "End the game", record: "record", newGame: "new game", watchDemo: "Let it play",
    options: "Options", hints: "hints", sound: "sound", brightness: "brightness", settle: "a piece counts after", byOk: "by OK", howTo: "How to play here",
    power: "power and field", pull: "Pull the plug", plug: "Plug in", noise: "noise, codes", drift: "drift, mT", sensor: "a sensor", point: "point",
    dead: "kill", stuck: "stick", noisy: "noise", sound_again: "mend", heat: "fields on the board", referee: "the referee", effects: "effects",
    offline: "The board does not answer. Is the program still running?", unplugged: "the plug is out", player: "player", white: "White", black: "Black",
    empty: "empty", left: "left", taken: "taken", nothing: "nothing left", tray: "tray",
    signs: "signs on the lights", mayGo: "may go to", absent: "the board does not answer", realBoard: "A real board:", emulated: "The real image:",
    replay: "a recorded game", replayAt: "how many steps are played", first: "to the beginning", back: "a step back", forward: "a step on", last: "to the end",
    meanings: { origin: "it came from here", destination: "legal", capture: "legal, takes or completes something", movable: "may act", put: "put a piece here",
      take: "take this off", flip: "turn this over", wrong: "does not belong here", missing: "missing here", candidate: "this one?", "last-from": "the last step began here",
      "last-to": "the last step ended here", "set-up": "a piece goes here", winner: "the winner's" },
    refusals: { unreadable: "the board did not understand the page: load it again", "hand-full": "your hand holds something already", "hand-empty": "your hand is empty",
      "held-by-other": "another hand holds it", "none-left": "none of these is left", "no-such-piece": "this piece is gone", "no-such-point": "there is no such point",
      "no-such-game": "there is no such game", "not-a-step": "a step of this record is not legal", "no-record": "no record is being shown", "plug-out": "the plug is out",
      "on-real-board": "move the pieces on the real board", "only-here": "only the board in this program can do that" },
    how: [
      "Drag pieces from the tray onto points, from point to point, or back to the tray.",
      "Double click or <kbd>F</kbd> turns a piece over. <kbd>Shift</kbd> or a long press takes the top piece of a stack alone, <kbd>Alt</kbd> slides.",
      "Lights: green is legal, amber is to be done, red is wrong. Keys do what is written below them.",
      "Keyboard: arrows, <kbd>Enter</kbd> lifts and sets down, <kbd>T</kbd> goes to the tray, <kbd>1</kbd>–<kbd>6</kbd>, <kbd>O</kbd>, <kbd>U</kbd> are the keys.",
      "OK held long: the menu of the board. UNDO held long: end the game.",
    ],
    turns: {
      G: "Each turn: put a piece on a dot at the edge, then push it inwards; it moves the others along.",
      Y: "First ten rings from the trays, in turn. Then each turn: a marker into one of your rings, the ring away along a line, and turn over what it jumped.",
      D: "First all pieces are put on the board. Then each turn: a whole stack onto another one, straight on, as many points as it is high.",
      L: "Each turn: a stack onto another one, where it is green. Before that you may claim a colour by its key.",
      X: "Each turn: a chip on a square that counts from one of your chips, and its value by a key.",
    },
    pieces: { "gipf-w": "white piece", "gipf-b": "black piece", "gipf-W": "white GIPF-piece", "gipf-B": "black GIPF-piece",
      "yinsh-w": "marker, white up", "yinsh-b": "marker, black up", "yinsh-W": "white ring", "yinsh-B": "black ring",
      "dvonn-w": "white piece", "dvonn-b": "black piece", "dvonn-r": "red piece",
      "lyngk-K": "black piece", "lyngk-B": "blue piece", "lyngk-G": "green piece", "lyngk-I": "ivory piece", "lyngk-R": "red piece", "lyngk-W": "joker" },
    chip: (player, spots) => `chip of player ${player}, ${spots} up`,
  },
  fa: {
    language: "English", theme: "روشن یا تیره", developers: "زیر پوسته", board: "صفحه", keys: "کلیدهای صفحه",
    demo: "صفحه خودش بازی می‌کند. دست بزنید تا بازی را ادامه دهید.", playYinsh: "بازی یینش", speed: "سرعت",
    layOut: "مهره‌ها را بچین", takeBack: "پس گرفتن", endGame: "پایان بازی", record: "ثبت بازی", newGame: "بازی تازه", watchDemo: "خودش بازی کند",
    options: "تنظیمات", hints: "راهنمایی", sound: "صدا", brightness: "روشنایی", settle: "زمان آرام گرفتن مهره", byOk: "با ⁦OK⁩", howTo: "چگونه بازی کنیم",
    power: "برق و میدان", pull: "دوشاخه را بکش", plug: "دوشاخه را بزن", noise: "نوفه (کد)", drift: "رانش (⁦mT⁩)", sensor: "یک حسگر", point: "نقطه",
    dead: "خراب", stuck: "گیرکرده", noisy: "پرنوفه", sound_again: "سالم", heat: "میدان‌ها روی صفحه", referee: "داور", effects: "رویدادها",
    offline: "صفحه پاسخ نمی‌دهد. آیا برنامه هنوز اجرا می‌شود؟", unplugged: "دوشاخه بیرون است", player: "بازیکن", white: "سفید", black: "سیاه",
    empty: "خالی", left: "مانده", taken: "برداشته شد", nothing: "چیزی نمانده", tray: "سینی",
    signs: "نشانه روی چراغ‌ها", mayGo: "می‌تواند برود به", absent: "صفحه پاسخ نمی‌دهد", realBoard: "صفحهٔ واقعی:", emulated: "میان‌افزار واقعی:",
    replay: "بازی ثبت‌شده", replayAt: "چند حرکت انجام شده است", first: "به آغاز", back: "یک حرکت عقب", forward: "یک حرکت جلو", last: "به پایان",
    meanings: { origin: "از اینجا آمده", destination: "مجاز", capture: "مجاز، چیزی را می‌گیرد یا کامل می‌کند", movable: "می‌تواند حرکت کند", put: "مهره‌ای اینجا بگذارید",
      take: "این را بردارید", flip: "این را پشت‌ورو کنید", wrong: "جایش اینجا نیست", missing: "اینجا کم است", candidate: "این یکی؟", "last-from": "آخرین حرکت از اینجا شروع شد",
      "last-to": "آخرین حرکت اینجا تمام شد", "set-up": "مهره‌ای اینجا می‌آید", winner: "از آنِ برنده" },
    refusals: { unreadable: "صفحه این درخواست را نفهمید: دوباره بارش کنید", "hand-full": "دست شما پر است", "hand-empty": "دست شما خالی است",
      "held-by-other": "در دست دیگری است", "none-left": "از این‌ها چیزی نمانده", "no-such-piece": "این مهره دیگر نیست", "no-such-point": "چنین نقطه‌ای نیست",
      "no-such-game": "چنین بازی‌ای نیست", "not-a-step": "یکی از حرکت‌های این ثبت مجاز نیست", "no-record": "ثبتی نمایش داده نمی‌شود", "plug-out": "دوشاخه بیرون است",
      "on-real-board": "مهره‌ها را روی صفحهٔ واقعی جابه‌جا کنید", "only-here": "این کار تنها از صفحهٔ همین برنامه برمی‌آید" },
    how: [
      "مهره‌ها را از سینی به نقطه‌ها، از نقطه‌ای به نقطهٔ دیگر، یا به سینی بکشید.",
      "دوبار کلیک یا <kbd>F</kbd> مهره را پشت‌ورو می‌کند. <kbd>Shift</kbd> یا فشار طولانی تنها مهرهٔ رویی را برمی‌دارد و <kbd>Alt</kbd> می‌سراند.",
      "چراغ‌ها: سبز مجاز است، کهربایی باید انجام شود، قرمز نادرست است. کار هر کلید زیر آن نوشته شده است.",
      "صفحه‌کلید: جهت‌ها، <kbd>Enter</kbd> برمی‌دارد و می‌گذارد، <kbd>T</kbd> به سینی می‌رود، <kbd>1</kbd>–<kbd>6</kbd>، <kbd>O</kbd> و <kbd>U</kbd> کلیدها هستند.",
      "⁦OK⁩ را نگه دارید: فهرست صفحه. ⁦UNDO⁩ را نگه دارید: پایان بازی.",
    ],
    turns: {
      G: "در هر نوبت: مهره‌ای روی یک نقطهٔ ورود بگذارید و به درون برانید؛ مهره‌های دیگر را جلو می‌برد.",
      Y: "اول ده حلقه از سینی‌ها، به نوبت. بعد در هر نوبت: مهره‌ای درون یکی از حلقه‌های خود بگذارید، حلقه را در خط راست ببرید و آنچه از رویش پریده است پشت‌ورو کنید.",
      D: "اول همهٔ مهره‌ها چیده می‌شوند. بعد در هر نوبت: یک برج را در خط راست و به اندازهٔ بلندی‌اش روی برج دیگری ببرید.",
      L: "در هر نوبت: برجی را روی برج دیگری بگذارید که سبز است. پیش از آن می‌توانید رنگی را با کلیدش تصاحب کنید.",
      X: "در هر نوبت: ژتونی روی خانه‌ای که شمارش یکی از ژتون‌های شما به آن می‌رسد، و عددش را با کلید بگویید.",
    },
    pieces: { "gipf-w": "مهرهٔ سفید", "gipf-b": "مهرهٔ سیاه", "gipf-W": "مهرهٔ گیپف سفید", "gipf-B": "مهرهٔ گیپف سیاه",
      "yinsh-w": "مهره، سفید رو به بالا", "yinsh-b": "مهره، سیاه رو به بالا", "yinsh-W": "حلقهٔ سفید", "yinsh-B": "حلقهٔ سیاه",
      "dvonn-w": "مهرهٔ سفید", "dvonn-b": "مهرهٔ سیاه", "dvonn-r": "مهرهٔ قرمز",
      "lyngk-K": "مهرهٔ سیاه", "lyngk-B": "مهرهٔ آبی", "lyngk-G": "مهرهٔ سبز", "lyngk-I": "مهرهٔ عاجی", "lyngk-R": "مهرهٔ قرمز", "lyngk-W": "ژوکر" },
    chip: (player, spots) => `ژتون بازیکن ${player}، ${spots} رو به بالا`,
  },
};

const chosen = new URLSearchParams(location.search).get("lang") ?? localStorage.getItem("language");
export let language = WORDS[chosen] ? chosen : "en";

/** A label in the language of the page. */
export const word = (key) => WORDS[language][key];

/** A sentence of the board, which comes in every language. */
export const said = (both) => (both ? both[language] : "");

/** What a piece is called. */
export function pieceWord(symbol) {
  const chip = /^glux-(\d)(\d)$/.exec(symbol);
  return chip ? WORDS[language].chip(chip[1], chip[2]) : WORDS[language].pieces[symbol] ?? symbol;
}

/** What a light says; lights that belong to the whole board say nothing of their point. */
export function meaningWord(meaning) {
  const said = meaning && WORDS[language].meanings[meaning.name];
  return said && meaning.more ? `${said} (${meaning.more})` : said ?? "";
}

export function setLanguage(next) {
  language = next;
  localStorage.setItem("language", next);
  applyLanguage();
}

/** Writes all fixed labels. */
export function applyLanguage() {
  document.documentElement.lang = language;
  document.documentElement.dir = language === "fa" ? "rtl" : "ltr";
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = word(element.dataset.t);
  for (const element of document.querySelectorAll("[data-label]")) element.setAttribute("aria-label", word(element.dataset.label));
  document.getElementById("open-drawer").setAttribute("aria-label", word("developers"));
  document.getElementById("language").textContent = word("language");
  const how = document.getElementById("how-to");
  how.innerHTML = word("how").map((line) => `<li>${line}</li>`).join("");
}
