// What a person does in the console, in a real browser: node browser.mjs MODULES CHROMIUM BASE TOKEN. Ends with 0 if all of it holds.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [modules, chromium, base, token] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const puppeteer = require("puppeteer-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const PATIENCE = 120_000;

const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-gpu"] });
const wrong = [];
const open = async () => {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("console", (said) => { if (/Content Security Policy/.test(said.text())) wrong.push(said.text()); });
  return page;
};
const click = async (page, selector) => {
  await page.bringToFront();
  await Promise.all([page.waitForNavigation(), page.click(selector)]);
};
const cards = (page, count) =>
  page.waitForFunction((count) => document.querySelectorAll("[data-question]:not(.gone)").length === count, {}, count);
const say = (page, words) => page.type("#say", words).then(() => page.keyboard.press("Enter"));

// In, by a key behind a `#`.
const one = await open();
await one.goto(`${base}/login#${token}`);
await one.waitForSelector("nav");
assert.equal(new URL(one.url()).hash, "");

// A question of a bot, in two tabs; what is typed in one stays when it is answered in the other.
const two = await open();
await two.goto(base);
await one.goto(`${base}/bots/ana?chat=a`);
await say(one, "write");
await two.bringToFront();
await cards(two, 1);
await two.type("[data-question] input[name=note]", "half");
await one.bringToFront();
await cards(one, 1);
await click(one, ".yes");
await two.bringToFront();
await cards(two, 0);
assert.equal(await two.$eval("[data-question] input[name=note]", (field) => field.value), "half");
await one.bringToFront();
await one.waitForFunction(() => document.querySelector(".talk")?.innerText.includes("written"));

// A no with its reason; the page is reloaded in between.
await one.goto(`${base}/bots/ana?chat=b`);
await say(one, "write");
await cards(one, 1);
await one.reload();
await cards(one, 1);
await one.type("[data-question] input[name=note]", "not on Mondays");
await click(one, ".no");
await one.waitForFunction(() => document.querySelector(".talk")?.innerText.includes("confirm.declined") || document.querySelector(".call.refused"));

// Without scripts.
const plain = await open();
await plain.setJavaScriptEnabled(false);
await plain.goto(`${base}/bots/ana?chat=c`);
await plain.type("#say", "write");
await click(plain, ".say .go");
for (;;) {
  await plain.goto(base);
  if (await plain.$(".yes")) break;
}
await click(plain, ".yes");

// Undo.
await one.goto(`${base}/sessions`);
await one.waitForSelector(".rows a");
const sessions = await one.$$eval(".rows a", (links) => links.map((link) => link.href));
let undone = false;
for (const session of sessions) {
  await one.goto(session);
  const link = await one.$(".undo a");
  if (!link) continue;
  await click(one, ".undo a");
  if (!(await one.$(".yes"))) continue;
  await click(one, ".yes");
  undone = true;
  break;
}
assert.ok(undone, "nothing could be undone");

// Both languages.
await one.goto(base);
await click(one, ".bottom form:first-child button");
assert.equal(await one.$eval("html", (html) => html.lang), "es");
await click(one, ".bottom form:first-child button");
assert.equal(await one.$eval("html", (html) => html.lang), "en");

// A call of one's own goes through the gate, too.
await one.goto(`${base}/bots/ana/tools/file_write`);
await one.$eval("#arguments", (field) => { field.value = '{"path": "own.txt", "content": "x"}'; });
await click(one, ".try .go");
const trial = new URL(one.url()).pathname + new URL(one.url()).search;
await cards(one, 1);
await click(one, ".yes");
await one.waitForSelector(".result.done");

// Every page, at three widths, in light and dark: nothing scrolls sideways, and nobody is kept out.
await one.goto(`${base}/bots/ana?chat=d`);
await say(one, "write");
await cards(one, 1);
const question = await one.$eval("[data-question]", (card) => card.dataset.question);
await one.setBypassCSP(true);
for (const path of ["/", `/questions/${question}`, "/sessions", new URL(sessions[0]).pathname, "/bots", "/bots/ana?chat=d", "/bots/ana/files", "/bots/ana/files?search=x", "/tools", "/bots/ana/tools/file_write", trial, "/login", "/nowhere"]) {
  for (const value of ["light", "dark"]) {
    await one.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
    for (const width of [360, 820, 1280]) {
      await one.setViewport({ width, height: 900 });
      await one.goto(base + path);
      const [page, shown] = await one.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      assert.ok(page <= shown, `${path} is wider than ${width}`);
    }
    await one.evaluate(axe);
    const found = await one.evaluate(async () => (await window.axe.run(document)).violations);
    const serious = found.filter((one) => ["serious", "critical"].includes(one.impact));
    assert.deepEqual(serious.map((one) => [one.id, one.nodes.map((node) => node.html)]), [], `${path} in ${value}`);
  }
}
assert.deepEqual(wrong, []);
await browser.close();
console.log("all holds");
