// The page beside the games: power, keyboard, several pages, phone, Persian, demo, manners, speed.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { IS_QUICK, Visitor, closeAll, startBoard } from "./harness.mjs";

let board;
before(async () => { board = await startBoard("play", "--game", "yinsh"); });
after(async () => {
  await closeAll();
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
    // Of the points that the game does not use those of the player to act shine: they change with a step.
    const unused = visitor.all.flatMap((point, index) => (point[2] ? [] : [`.lights > [data-point="${index}"]`]));
    await visitor.page.evaluate((unused) => {
      const svg = document.getElementById("board");
      const corners = () => [...svg.querySelectorAll(unused)].map((halo) => halo.dataset.point).sort().join();
      const before = corners();
      svg.addEventListener("pointerup", () => { window.dropped = performance.now(); }, { once: true, capture: true });
      window.changed = new Promise((resolve) => {
        new MutationObserver((_, observer) => {
          if ([before, ""].includes(corners())) return;
          observer.disconnect();
          resolve(performance.now());
        }).observe(svg.querySelector(".lights"), { childList: true });
      });
    }, unused.join());
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
  await visitor.page.waitForFunction(() => document.body.dataset.phase === "off" && !document.querySelector("#board .lights > *"));
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
      if (news.type === "error") heard.push(news.why);
      if (heard.length === sent.length) { socket.close(); resolve(heard); }
    };
  }));
  assert.deepEqual(answers, [...Array(5).fill("unreadable"), "no-such-game", "unreadable"]);
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
    // A finger drags as well: from the tray to a point, from point to point, and back into the tray.
    await visitor.finger(await visitor.tray("yinsh-B"), await visitor.at("e5"));
    await visitor.steps(2);
    await visitor.finger(await visitor.at("e5"), await visitor.at("g7"));
    await visitor.until(() => visitor.status.record[1] === "g7", "the ring was put elsewhere");
    await visitor.finger(await visitor.at("g7"), await visitor.tray("yinsh-B"));
    await visitor.steps(1);
    assert.equal(await visitor.page.evaluate(() => scrollY), 0, "the page does not scroll under the finger");
    const right = await visitor.page.evaluate(() => document.getElementById("key-UNDO").getBoundingClientRect().right);
    assert.ok(right <= 390, "nothing sticks out");
    await visitor.picture("phone");
  });

  look("in Persian, from right to left", { lang: "fa" }, async (visitor) => {
    assert.equal(await visitor.page.getAttribute("html", "dir"), "rtl");
    assert.match(await visitor.page.textContent("#headlines"), /[\u0600-\u06ff]/u);
    await visitor.drag(await visitor.tray("yinsh-W"), await visitor.at("f6"));
    await visitor.steps(1);
    // White again is refused, in Persian, with the rule in Persian.
    await visitor.drag(await visitor.tray("yinsh-W"), await visitor.at("e5"));
    await visitor.phase("mend");
    await visitor.page.locator("#headlines.wrong .rule").first().click();
    await visitor.page.locator("#rule", { hasText: /[\u0600-\u06ff]{3}/u }).waitFor();
    await visitor.picture("persian");
    // What cannot be done is said in Persian, too.
    await visitor.page.click("#open-drawer");
    await visitor.page.click("#power");
    await visitor.page.waitForFunction(() => document.body.dataset.phase === "off");
    await visitor.key("K1");
    await visitor.page.locator("#refusal", { hasText: /[\u0600-\u06ff]{3}/u }).waitFor();
    await visitor.page.click("#power");
  });

  look("a marker is turned over by mistake, and back", {}, async (visitor) => {
    await visitor.start("yinsh", "f6 e5 g7 d4 h6 c5 f8 g4 e7 f4 f6-f7".split(" "));
    await visitor.page.mouse.dblclick(...await visitor.at("f6"));
    await visitor.phase("mend");
    await visitor.page.mouse.dblclick(...await visitor.at("f6"));
    await visitor.phase("play");
    assert.equal(visitor.status.record.length, 11, "nothing was lost");
  });

  look("a piece that slides stays on the board", {}, async (visitor) => {
    await visitor.start("yinsh", "f6 e5 g7 d4 h6 c5 f8 g4 e7 f4".split(" "));
    await visitor.page.keyboard.down("Alt");
    await visitor.lift(await visitor.at("f8"));
    await visitor.page.mouse.move(...await visitor.at("f9"), { steps: 8 });
    await visitor.page.waitForTimeout(300);
    const highest = await visitor.page.evaluate(() => Math.max(...[...document.querySelectorAll("#board .piece")].map((piece) => Number(/scale\(([\d.]+)/.exec(piece.getAttribute("transform"))[1]))));
    assert.equal(highest, 1, "nothing is in the air");
    await visitor.page.mouse.up();
    await visitor.page.keyboard.up("Alt");
    await visitor.until(() => /f8/.test(visitor.said()), "the marker that the ring should have left is asked for");
  });

  look("what lights say without colour or motion", { reducedMotion: "reduce" }, async (visitor) => {
    await visitor.start("yinsh", "f6 e5 g7 d4 h6 c5 f8 g4 e7 f4".split(" "));
    await visitor.drag(await visitor.tray("yinsh-w"), await visitor.at("f6"));
    await visitor.page.waitForTimeout(700);
    await visitor.lift(await visitor.at("f6"));
    const hints = await visitor.hints();
    const signs = await visitor.page.locator('#board .signs [data-meaning="destination"]').count();
    assert.equal(signs, hints.length, "every destination has its sign");
    await visitor.picture("signs");
    await visitor.letGo(await visitor.at("f7"));
    await visitor.steps(11);
  });

  look("everything has a name for screen readers", {}, async (visitor) => {
    const nameless = await visitor.page.evaluate(() => [...document.querySelectorAll("button, select, input, [role]")].filter((element) => {
      const name = element.getAttribute("aria-label") || element.textContent.trim() || element.closest("label")?.textContent.trim();
      const isSpoken = ["alert", "status"].includes(element.getAttribute("role"));
      return !name && !isSpoken;
    }).map((element) => element.outerHTML));
    assert.deepEqual(nameless, []);
    // The keyboard hears where a piece may go.
    await visitor.start("yinsh", "f6 e5 g7 d4 h6 c5 f8 g4 e7 f4".split(" "));
    await visitor.drag(await visitor.tray("yinsh-w"), await visitor.at("f6"));
    await visitor.page.waitForTimeout(700);
    await visitor.page.focus("#board");
    await visitor.page.keyboard.press("ArrowUp"); // the cursor begins in the middle, at f6
    await visitor.page.keyboard.press("Enter");
    await visitor.page.waitForFunction(() => /may go to: .*f7/.test(document.getElementById("live").textContent));
  });

  look("the menu by keys, as on the device", {}, async (visitor) => {
    const hold = async (key, ms) => {
      await visitor.page.locator(`#key-${key}`).dispatchEvent("press");
      await visitor.page.waitForTimeout(ms);
      await visitor.page.locator(`#key-${key}`).dispatchEvent("release");
    };
    await hold("OK", 2500);
    await visitor.phase("menu");
    assert.match(await visitor.page.textContent("#legend-K3"), /DVONN/);
    await visitor.key("K3");
    await visitor.until(() => /DVONN/.test(visitor.said()), "DVONN is offered");
    await visitor.key("OK");
    await visitor.until(() => visitor.status.game === "dvonn", "DVONN has begun");
  });

  look("the key that a sentence asks for is easy to find", {}, async (visitor) => {
    const isMarked = () => visitor.page.evaluate(() => document.getElementById("key-OK").classList.contains("asked"));
    assert.equal(await isMarked(), false, "White places a ring");
    await visitor.say({ start: { game: "gipf" } });
    await visitor.page.click("#lay-out");
    await visitor.page.locator("#key-OK.asked").waitFor();
    const said = await visitor.page.locator("#headlines p").allTextContents();
    assert.equal(new Set(said).size, said.length, "nothing is said twice");
    await visitor.picture("set-up");
    await visitor.key("OK");
    await visitor.phase("play");
    assert.equal(await isMarked(), false, "the game has begun");
  });

  look("under the hood", {}, async (visitor) => {
    await visitor.page.click("#open-drawer");
    const slide = (id, value) => visitor.page.locator(id).fill(value);
    await slide("#noise", "6");
    await visitor.until(() => visitor.status.noise === 6, "more noise");
    await slide("#ambient", "0.2");
    await visitor.until(() => visitor.status.ambient === 0.2, "a field from outside");
    await slide("#ambient", "0");
    await slide("#noise", "1.8");
    await visitor.page.selectOption("#fault-point", { label: "f6" });
    await visitor.page.click('[data-fault="dead"]');
    await visitor.page.waitForFunction(() => [...document.querySelectorAll("#log b")].some((kind) => kind.textContent === "fault"));
    await visitor.page.click('[data-fault=""]');
    await visitor.drag(await visitor.tray("yinsh-W"), await visitor.at("e5"));
    await visitor.page.waitForFunction(() => /finished/.test(document.getElementById("referee").textContent), null, { polling: 20 });
    await visitor.steps(1);
    await visitor.page.waitForFunction(() => [...document.querySelectorAll("#log b")].some((kind) => kind.textContent === "committed"));
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
