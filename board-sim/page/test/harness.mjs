// A board of its own for each test, a browser that looks at it, and hands for the mouse.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PROGRAM = process.env.LODESTONE_SIM ?? `${ROOT}target/debug/board-sim`;
const BROWSER = process.env.LODESTONE_CHROMIUM ?? "chromium";
/** Scripts and styles from this folder instead of the program's own: tries a change without a build. */
const PAGE = process.env.LODESTONE_PAGE;
const PICTURES = `${ROOT}target/pictures`;
export const IS_QUICK = process.env.LODESTONE_EFFORT === "quick";
/** Nothing on the page takes longer, ms. */
const PATIENCE = 8000;

let browser;

/** The one browser of this test run. */
async function chromiumOnce() {
  const which = BROWSER.includes("/") ? BROWSER : `/usr/bin/${BROWSER}`;
  // Containers have no sandbox of their own to give.
  browser ??= await chromium.launch({ executablePath: which, args: ["--no-sandbox", "--disable-gpu"] });
  return browser;
}

const programs = [];

/** The end of a test file, whatever has failed. */
export async function closeAll() {
  programs.forEach((program) => program.kill());
  await browser?.close();
}

/** Starts the program; resolves to its address. */
export async function startBoard(...args) {
  const program = spawn(PROGRAM, args, { stdio: ["ignore", "pipe", "pipe"] });
  programs.push(program);
  let errors = "";
  program.stderr.on("data", (data) => { errors += data; });
  const address = await new Promise((resolve, reject) => {
    program.once("error", reject);
    program.once("exit", (code) => reject(new Error(`the program ended with ${code}: ${errors}`)));
    program.stdout.on("data", (data) => {
      const found = /http:\S+/.exec(data);
      if (found) resolve(found[0]);
    });
  });
  /** What it says beside its address, which may come a moment later. */
  const said = async (what) => {
    for (const end = Date.now() + PATIENCE; Date.now() < end && !what.test(errors);) await new Promise((resolve) => setTimeout(resolve, 15));
    return what.exec(errors)[1];
  };
  return { address, said, stop: () => program.kill() };
}

/** A page that looks at a board, and what the board has told it. */
export class Visitor {
  static async open(address, { lang = "en", ...context } = {}) {
    const visitor = new Visitor();
    const chrome = await chromiumOnce();
    visitor.context = await chrome.newContext({ viewport: { width: 1280, height: 860 }, colorScheme: "dark", ...context });
    visitor.page = await visitor.context.newPage();
    visitor.errors = [];
    visitor.patience = PATIENCE;
    visitor.page.on("pageerror", (error) => visitor.errors.push(error.message));
    visitor.page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => visitor.hear(JSON.parse(payload))));
    if (PAGE) await visitor.page.route(/\.(js|css)$/, (route) => route.fulfill({ path: PAGE + new URL(route.request().url()).pathname }));
    await visitor.page.goto(`${address}?lang=${lang}`);
    await visitor.until(() => visitor.status && visitor.points, "the board says what it is doing");
    return visitor;
  }

  hear(news) {
    if (news.type === "board") this.points = new Map(news.points.filter((p) => p[2]).map(([x, y, name]) => [name, { x, y }]));
    if (news.type === "board") this.all = news.points;
    if (news.type === "status") this.status = news;
  }

  async close() {
    await this.context.close();
    assert.deepEqual(this.errors, [], "no errors in the page");
  }

  /** Waits until something is so. */
  async until(holds, what) {
    const end = Date.now() + this.patience;
    while (!holds()) {
      assert.ok(Date.now() < end, `${what}; the board is at ${this.status?.phase}: ${this.said()}`);
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  }

  said() { return this.status?.headlines.map((line) => line.en).join(" / "); }

  /** Waits until the board is in a phase, and the page shows it. */
  async phase(phase) {
    await this.until(() => this.status.phase === phase, `phase ${phase}`);
    await this.page.waitForFunction((phase) => document.body.dataset.phase === phase, phase);
  }

  /** Waits until the record has so many steps, and the page lists them. */
  async steps(count) {
    await this.until(() => this.status.record.length === count, `${count} steps`);
    await this.page.waitForFunction((count) => document.querySelectorAll("#record li").length === count, count);
  }

  /** Says something to the board as the page would. */
  async say(request) {
    await this.page.evaluate((text) => new Promise((resolve) => {
      const socket = new WebSocket(`ws://${location.host}/socket`);
      socket.onopen = () => { socket.send(text); setTimeout(() => { socket.close(); resolve(); }, 60); };
    }), typeof request === "string" ? request : JSON.stringify(request));
  }

  /** A new game after these steps; settled quickly. */
  async start(game, steps = []) {
    await this.say({ start: { game, steps } });
    await this.until(() => this.status.game === game && this.status.record.length === steps.length, `a game of ${game}`);
    await this.page.waitForTimeout(400); // an empty set-up starts by itself
    if (this.status.phase === "set-up") {
      // An empty one may begin in this very moment: then there is nothing to click any more.
      await this.page.click("#lay-out", { timeout: 2000 }).catch(() => assert.equal(this.status.phase, "play"));
      await this.until(() => this.status.phase === "play" || /OK/.test(this.said()), "the set-up is right");
      if (this.status.phase !== "play") await this.key("OK");
    }
    await this.phase("play");
    await this.page.waitForTimeout(300);
  }

  /** From a point's name or a place on the plate to the screen. */
  async at(where) {
    const place = typeof where === "string" ? this.points.get(where) : where;
    assert.ok(place, `there is a point ${where}`);
    return this.page.evaluate(({ x, y }) => {
      const at = new DOMPoint(x, y).matrixTransform(document.getElementById("board").getScreenCTM());
      return [at.x, at.y];
    }, place);
  }

  /** Where a tray's item is on the screen. */
  async tray(symbol) {
    const box = await this.page.locator(".tray-item").filter({ has: this.page.locator(`use[href="#${symbol}"]`) }).first().boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2 - 4];
  }

  /** Takes hold of what is there on the screen, and lifts it. */
  async lift([x, y]) {
    await this.page.mouse.move(x, y);
    await this.page.mouse.down();
    await this.page.mouse.move(x + 6, y);
    await this.page.mouse.move(x, y);
    await this.page.waitForTimeout(250);
  }

  async letGo([x, y]) {
    await this.page.mouse.move(x, y, { steps: 4 });
    await this.page.waitForTimeout(60);
    await this.page.mouse.up();
  }

  async drag(from, to) {
    await this.lift(from);
    await this.letGo(to);
  }

  /** A finger goes down, from place to place, and up; the browser takes it for a real one. */
  async finger(...places) {
    this.touch ??= await this.context.newCDPSession(this.page);
    const at = (type, touchPoints) => this.touch.send("Input.dispatchTouchEvent", { type, touchPoints });
    const point = ([x, y]) => [{ x, y }];
    await at("touchStart", point(places[0]));
    for (const [n, to] of places.slice(1).entries()) {
      const from = places[n];
      for (let part = 0.25; part <= 1; part += 0.25) {
        await at("touchMove", point([0, 1].map((axis) => from[axis] + (to[axis] - from[axis]) * part)));
        await this.page.waitForTimeout(80);
      }
    }
    await at("touchEnd", []);
  }

  async key(key) {
    const button = this.page.locator(`#key-${key}`);
    await button.dispatchEvent("press");
    await this.page.waitForTimeout(80);
    await button.dispatchEvent("release");
  }

  /** Names of the points around which the page draws a light, of any colour or of one. */
  async shining(isWanted = () => true) {
    const halos = await this.page.locator("#board .lights > [data-point]").evaluateAll((halos) => halos.map((halo) => [halo.dataset.point, halo.getAttribute("color")]));
    const wanted = halos.filter(([, colour]) => isWanted(...colour.match(/\d+/g).map(Number)));
    return wanted.map(([index]) => this.all[index][2]).filter(Boolean);
  }

  green() { return this.shining((r, g, b) => g > 200 && r < 160 && b < 160); }

  /** Waits until something green shines; where. */
  async hints() {
    for (const end = Date.now() + this.patience; Date.now() < end;) {
      const green = await this.green();
      if (green.length) return green;
    }
    assert.fail("no light shows where it may go");
  }

  /** The piece on top of a point, on the screen. */
  async top(name) {
    const { x, y } = this.points.get(name);
    const spot = await this.page.evaluate(([x, y]) => {
      const on = [...document.querySelectorAll("#board .piece")].filter((piece) => {
        const [px, py] = piece.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
        return Math.abs(px - x) < 6 && py < y + 6 && py > y - 22;
      });
      const box = on.at(-1)?.querySelector("use:last-of-type").getBoundingClientRect();
      return box && [box.x + box.width / 2, box.y + box.height * 0.4];
    }, [x, y]);
    return spot;
  }

  async picture(name) {
    mkdirSync(PICTURES, { recursive: true });
    await this.page.screenshot({ path: `${PICTURES}/page-${name}.png` });
  }
}
