// Every game: a legal turn by dragging, hints at lift, a refusal with its reason, mended, taken back.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { IS_QUICK, Visitor, closeAll, startBoard } from "./harness.mjs";

const RINGS = "f6 e5 g7 d4 h6 c5 f8 g4 e7 f4".split(" ");
const PLACED = ("g2 c1 f5 d1 h5 g5 i1 e1 f2 f1 e4 e5 j2 g1 b2 b1 h1 g4 d3 c2 e3 f4 c4 d4 a2 a1 d2 " +
  "e2 a3 g3 d5 f3 i5 c3 h2 h3 k3 h4 k5 i4 i3 j5 i2 b3 j4 j3 k4 b4 c5").split(" ");

/** What a tray's item is called, and where things go. `lit` lifts stacks until lights show a way. */
const push = (white, black) => ({ steps: [], bring: [white, "a3"], move: ["a3", "b3"], wrong: { bring: [black, "e5"] } });
const stack = (steps) => ({ steps, lit: true });
const chip = { steps: [], bring: ["glux-11", "a1"], key: "K1", wrong: { bring: ["glux-21", "d4"] } };
const ring = { steps: RINGS, bring: ["yinsh-w", "f6"], move: ["f6", "f7"], wrong: { move: ["f8", "i9"] } };
const GAMES = {
  "gipf-basic": push("gipf-w", "gipf-b"), gipf: push("gipf-w", "gipf-b"), "gipf-tournament": push("gipf-W", "gipf-B"),
  yinsh: ring, "yinsh-blitz": ring, dvonn: stack(PLACED), lyngk: stack([]), "lyngk-six": stack([]),
  "glux-2": chip, "glux-3": chip, "glux-4": chip,
};
const CHOSEN = IS_QUICK ? ["yinsh"] : Object.keys(GAMES);

let board, visitor;
before(async () => {
  board = await startBoard("play", "--game", "yinsh", "--seed", "1");
  visitor = await Visitor.open(board.address);
});
after(async () => {
  await visitor?.close();
  await closeAll();
  board?.stop();
});

/** A legal turn; returns the hints that were seen on the way. */
async function turn(how) {
  const { bring, move, key } = how;
  if (how.lit) return litTurn();
  const [piece, to] = bring;
  if (key) await visitor.page.waitForFunction((index) => document.querySelector(`#board .lights > [data-point="${index}"]`), visitor.all.findIndex((point) => point[2] === to));
  await visitor.drag(await visitor.tray(piece), await visitor.at(to));
  await visitor.page.waitForTimeout(700);
  if (key) {
    await visitor.key(key);
    return [to];
  }
  await visitor.lift(await visitor.at(move[0]));
  const hints = await visitor.hints();
  await visitor.letGo(await visitor.at(move[1]));
  return hints;
}

/** Lifts one stack after the other until lights show a way, and goes it. */
async function litTurn(land = (hints) => hints[0]) {
  for (const name of visitor.points.keys()) {
    const from = await visitor.top(name);
    if (!from) continue;
    await visitor.lift(from);
    const hints = await visitor.green();
    const to = hints.length ? land(hints) : name;
    await visitor.letGo(await visitor.at(to));
    if (hints.length) return [name, ...hints];
    await visitor.page.waitForTimeout(800);
  }
  assert.fail("no stack has a way to go");
}

/** Something illegal: where it lies, and how to find where it belongs. */
async function goWrong(how, vacant) {
  if (how.lit) { // a stack onto the point that the last one left
    const [from] = await litTurn(() => vacant);
    return { at: vacant, home: () => visitor.at(from) };
  }
  const { bring, move } = how.wrong;
  const home = () => (bring ? visitor.tray(bring[0]) : visitor.at(move[0]));
  const at = bring ? bring[1] : move[1];
  await visitor.drag(await home(), await visitor.at(at));
  return { at, home };
}

for (const id of CHOSEN) {
  test(`${id}: a turn, a refusal, a take-back`, { timeout: 90_000 }, async () => {
    const how = GAMES[id];
    await visitor.start(id, how.steps);
    const before = how.steps.length;

    const hints = await turn(how);
    assert.ok(hints.length > 0, "hints at lift");
    await visitor.steps(before + 1);
    await visitor.phase("play");
    assert.ok(await visitor.page.locator("#board .piece use").count() > 0, "pieces are drawn");
    await visitor.picture(id);

    const wrong = await goWrong(how, hints[0]);
    await visitor.phase("mend");
    const rule = visitor.page.locator("#headlines.wrong .rule").first();
    const number = await rule.textContent();
    await rule.click();
    await visitor.page.locator("#rule", { hasText: new RegExp(`^${number}: .{20}`) }).waitFor();
    await visitor.picture(`${id}-refused`);

    await visitor.drag(await visitor.at(wrong.at), await wrong.home());
    await visitor.phase("play");
    assert.equal(visitor.status.record.length, before + 1, "nothing was lost");

    await visitor.page.click("#take-back");
    await visitor.steps(before);
    await visitor.phase("play");
  });
}
