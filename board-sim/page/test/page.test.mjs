// The page beside the games: power, keyboard, several pages, phone, Persian, demo, manners, speed.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { IS_QUICK, Visitor, closeBrowser, startBoard } from "./harness.mjs";

let board;
before(async () => { board = await startBoard("play", "--game", "yinsh"); });
after(async () => {
  await closeBrowser();
  board?.stop();
});

/** A test with a page of its own on a new game of YINSH. */
function look(name, options, run) {
  test(name, { timeout: 60_000 }, async () => {
    const visitor = await Visitor.open(board.address, options);
    await visitor.start("yinsh");
    await run(visitor);
    await visitor.close();
  });
}

look("the first ring, and how soon its light changes", {}, async (visitor) => {
  const times = [];
  for (const [n, name] of ["f6", "e5", "g7", "d4"].entries()) {
    await visitor.page.evaluate(() => {
      const svg = document.getElementById("board");
      svg.addEventListener("pointerup", () => { window.dropped = performance.now(); }, { once: true, capture: true });
      window.changed = new Promise((resolve) => {
        new MutationObserver((_, observer) => { observer.disconnect(); resolve(performance.now()); })
          .observe(document.body, { attributeFilter: ["data-steps"] });
      });
    });
    await visitor.drag(await visitor.tray(n % 2 ? "yinsh-B" : "yinsh-W"), await visitor.at(name));
    await visitor.steps(n + 1);
    times.push(await visitor.page.evaluate(async () => (await window.changed) - window.dropped));
  }
  const settle = visitor.status.options.settle;
  const beyond = times.map((time) => Math.round(time - settle));
  console.log(`from drag end to the light, beyond the settle time of ${settle} ms: ${beyond.join(", ")} ms (goal 150)`);
  // Loose: machines are busy. What is far beyond the goal is broken.
  assert.ok(Math.min(...beyond) < 600, `${beyond}`);
});

look("the plug is pulled, and the game goes on", {}, async (visitor) => {
  await visitor.drag(await visitor.tray("yinsh-W"), await visitor.at("f6"));
  await visitor.steps(1);
  await visitor.page.click("#open-drawer");
  await visitor.page.click("#power");
  await visitor.until(() => !visitor.status.powered && visitor.lights.length === 0, "dark");
  await visitor.page.click("#power");
  await visitor.phase("resume");
  await visitor.key("OK");
  await visitor.phase("play");
  assert.equal(visitor.status.record.length, 1, "the ring still counts");
  await visitor.page.check("#heat");
  await visitor.page.waitForFunction(() => document.querySelectorAll("#board .heat").length > 100);
  await visitor.page.waitForFunction(() => document.getElementById("referee").textContent.includes("Play"));
  await visitor.picture("drawer");
});

look("a turn by keyboard alone", {}, async (visitor) => {
  const { keyboard } = visitor.page;
  await visitor.page.focus("#board");
  for (const key of ["ArrowUp", "t", "Enter", "ArrowUp", "ArrowRight", "Enter"]) {
    await keyboard.press(key);
    await visitor.page.waitForTimeout(120);
  }
  await visitor.steps(1);
  assert.match(await visitor.page.textContent("#live"), /white ring/, "a screen reader hears what lies there");
  await keyboard.press("u", { delay: 80 });
  await visitor.steps(0);
});

look("what is malformed changes nothing", {}, async (visitor) => {
  const before = JSON.stringify(visitor.status);
  const answers = await visitor.page.evaluate(() => new Promise((resolve) => {
    const heard = [];
    const socket = new WebSocket(`ws://${location.host}/socket`);
    const sent = ["", "nonsense", "{}", '{"grab":{"piece":1}}', '{"move":{"x":"a","y":1}}', '{"start":{"game":"chess"}}', '{"drop":{"x":1,"y":1,"snap":1,"more":1}}'];
    socket.onopen = () => sent.forEach((text) => socket.send(text));
    socket.onmessage = (message) => {
      const news = JSON.parse(message.data);
      if (news.type === "error") heard.push(news.text);
      if (heard.length === sent.length) { socket.close(); resolve(heard); }
    };
  }));
  assert.equal(answers.length, 7);
  const closed = await visitor.page.evaluate(() => new Promise((resolve) => {
    const socket = new WebSocket(`ws://${location.host}/socket`);
    socket.onopen = () => socket.send("x".repeat(5000));
    socket.onclose = () => resolve(true);
  }));
  assert.ok(closed, "who sends too much is sent away");
  assert.equal(JSON.stringify(visitor.status), before);
});

if (!IS_QUICK) {
  look("two pages in step", {}, async (visitor) => {
    const other = await Visitor.open(board.address);
    await visitor.drag(await visitor.tray("yinsh-W"), await visitor.at("f6"));
    await visitor.steps(1);
    await other.steps(1);
    await other.drag(await other.tray("yinsh-B"), await other.at("e5"));
    await visitor.steps(2);
    const pieces = (who) => who.page.locator("#board .piece").count();
    assert.equal(await pieces(visitor), await pieces(other));
    await other.close();
  });

  look("as small as a phone", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }, async (visitor) => {
    const tap = async (at) => { await visitor.page.touchscreen.tap(...at); await visitor.page.waitForTimeout(150); };
    await tap(await visitor.tray("yinsh-W"));
    await tap(await visitor.at("f6"));
    await visitor.steps(1);
    const right = await visitor.page.evaluate(() => document.getElementById("key-UNDO").getBoundingClientRect().right);
    assert.ok(right <= 390, "nothing sticks out");
    await visitor.picture("phone");
  });

  look("in Persian, from right to left", { lang: "fa" }, async (visitor) => {
    assert.equal(await visitor.page.getAttribute("html", "dir"), "rtl");
    assert.match(await visitor.page.textContent("#headlines"), /[\u0600-\u06ff]/u);
    await visitor.drag(await visitor.tray("yinsh-W"), await visitor.at("f6"));
    await visitor.steps(1);
    await visitor.picture("persian");
  });

  look("in the light", { colorScheme: "light" }, (visitor) => visitor.picture("light"));

  test("it plays by itself until somebody touches it", { timeout: 60_000 }, async () => {
    const own = await startBoard("demo", "--speed", "4");
    const visitor = await Visitor.open(own.address);
    const begun = visitor.status.record.length;
    await visitor.until(() => visitor.status.record.length >= begun + 2, "two steps by itself");
    await visitor.picture("demo");
    await visitor.page.locator("#board").click({ position: { x: 20, y: 20 } });
    const { x, y } = await visitor.page.evaluate(() => {
      const box = document.querySelector("#board .piece use:last-of-type").getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + 4 };
    });
    await visitor.lift([x, y]);
    await visitor.until(() => visitor.status.demo === null, "the visitor has taken over");
    await visitor.letGo([x, y]);
    await visitor.close();
    own.stop();
  });
}
