// Boards that are not in the program that serves the page: on a port, in the emulator, in a file.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { IS_QUICK, ROOT, Visitor, closeAll, startBoard } from "./harness.mjs";

after(closeAll);

test("a recorded game, step by step, and on from there", { timeout: 60_000 }, async () => {
  const board = await startBoard("replay", `${ROOT}docs/pictures/yinsh.game`, "--page");
  const visitor = await Visitor.open(board.address);
  const count = visitor.status.replay.steps.length;
  assert.equal(visitor.status.record.length, 0);
  await visitor.page.click('[data-by="1000"]');
  await visitor.steps(count);
  await visitor.phase("play");
  await visitor.page.click('[data-by="-1"]');
  await visitor.steps(count - 1);
  await visitor.phase("play");
  await visitor.page.locator("#replay-at").fill("10");
  await visitor.steps(10);
  await visitor.phase("play");
  await visitor.picture("replay");
  // A board like any other: the last ring of the set-up can be taken back.
  await visitor.page.click("#take-back");
  await visitor.steps(9);
  await visitor.close();
  board.stop();
});

if (!IS_QUICK) {
  test("a board on a port", { timeout: 60_000 }, async () => {
    const board = await startBoard("play", "--game", "yinsh", "--pty");
    // A name that leads to whichever board is plugged in, as /dev/ttyACM0 does.
    const folder = mkdtempSync(join(tmpdir(), "lodestone-"));
    const port = join(folder, "board");
    symlinkSync(await board.said(/link: (\S+)/), port);
    const attached = await startBoard("attach", port);
    const visitor = await Visitor.open(attached.address);
    await visitor.until(() => visitor.status.game === "yinsh" && visitor.status.is_real, "the board is there");
    const owner = await Visitor.open(board.address);
    await owner.drag(await owner.tray("yinsh-W"), await owner.at("f6"));
    await owner.steps(1);
    await visitor.steps(1);
    assert.equal(await visitor.page.locator("#board .piece").count(), 1, "its piece is shown");
    await visitor.until(() => /Black places a ring/.test(visitor.said()), "whole sentences, though the link carries none");
    await owner.drag(await owner.tray("yinsh-W"), await owner.at("e5"));
    await visitor.until(() => /White .*\[Y1\]/.test(visitor.said()), "a refusal with the words of its rule");
    await owner.drag(await owner.at("e5"), await owner.tray("yinsh-W"));
    await visitor.phase("play");
    await visitor.lift(await visitor.at("f6"));
    await visitor.letGo(await visitor.at("e5"));
    await visitor.page.waitForTimeout(700);
    assert.equal(owner.status.phase, "play", "nobody lifts a real piece on a page");
    await visitor.key("UNDO");
    await owner.steps(0);
    await visitor.picture("attached");
    const ok = owner.page.locator("#key-OK");
    await ok.dispatchEvent("press");
    await visitor.phase("menu");
    await ok.dispatchEvent("release");
    await visitor.until(() => visitor.status.legends[2]?.en === "DVONN", "the lamps of its menu are told in words");
    await owner.close();
    board.stop();
    await visitor.until(() => /gone|answer/.test(visitor.status.absent), "it is gone, and why");
    await visitor.page.locator("#headlines.wrong", { hasText: "the board does not answer" }).waitFor();
    rmSync(port);
    const next = await startBoard("play", "--game", "dvonn", "--pty");
    symlinkSync(await next.said(/link: (\S+)/), port);
    await visitor.until(() => visitor.status.game === "dvonn", "another board is plugged in, and shown");
    next.stop();
    rmSync(folder, { recursive: true });
    await visitor.close();
    attached.stop();
  });

  const image = process.env.LODESTONE_IMAGE ?? `${ROOT}target/image/lodestone.elf`;
  test("the real image in the emulator", { timeout: 300_000, skip: !existsSync(image) && "no image was built" }, async () => {
    const board = await startBoard("play", "--backend", "emulator", "--elf", image, "--game", "yinsh");
    const visitor = await Visitor.open(board.address);
    visitor.patience = 120_000; // slower than real time
    await visitor.phase("play");
    await visitor.lift(await visitor.tray("yinsh-W"));
    await visitor.page.waitForTimeout(500);
    await visitor.letGo(await visitor.at("f6"));
    await visitor.steps(1);
    assert.deepEqual(await visitor.shining(), ["f6"], "its LEDs shine: the last step");
    await visitor.picture("emulator");
    await visitor.close();
    board.stop();
  });
}
