// Each game in the middle of play, with lights that show what is legal: the pictures of the README.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { IS_QUICK, ROOT, Visitor, closeAll, startBoard } from "./harness.mjs";

after(closeAll);

/** What is done after the last step of `docs/pictures/NAME.game`: lifted, brought or told by key. */
const GAMES = { gipf: { bring: ["gipf-b", "i4"] }, yinsh: { lift: "f6" }, dvonn: { lift: "e4" }, lyngk: { lift: "h7" }, glux: { key: "K3" } };
/** How far a lifted piece is held from its point, pixels. */
const HELD = [26, 14];

for (const [name, { bring, lift, key }] of IS_QUICK ? [] : Object.entries(GAMES)) {
  test(`${name} in the middle of play`, { timeout: 60_000 }, async () => {
    const board = await startBoard("replay", `${ROOT}docs/pictures/${name}.game`, "--page");
    const visitor = await Visitor.open(board.address);
    const { steps } = visitor.status.replay;
    await visitor.page.click('[data-by="1000"]');
    await visitor.steps(steps.length);
    await visitor.phase("play");
    // As a game of one's own; LYNGK's set-up is drawn by lot, so it stays the recorded one.
    if (name !== "lyngk") await visitor.start(visitor.status.game, steps);
    await visitor.page.waitForTimeout(1500); // the last step has come to rest
    if (bring) await visitor.drag(await visitor.tray(bring[0]), await visitor.at(bring[1]));
    if (key) await visitor.key(key);
    if (lift) {
      const from = await visitor.top(lift);
      await visitor.lift(from);
      await visitor.page.mouse.move(from[0] + HELD[0], from[1] + HELD[1], { steps: 4 });
    }
    assert.ok((await visitor.hints()).length > 0, "what is legal is lit");
    await visitor.page.waitForTimeout(300);
    await visitor.picture(`play-${name}`);
    await visitor.page.mouse.up();
    await visitor.close();
    board.stop();
  });
}
