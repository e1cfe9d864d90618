// Pages in a real browser: names, contrast and keyboard by axe-core, and what answers the pointer, on reports and on the live view.
//
//     node tests/live_view/pages.mjs PATH_OF_MORTA [FOLDER_FOR_SCREENSHOTS]
//
// Installs axe-core and playwright-core into a folder of its own. Says SKIPPED, and ends with 0, where npm, its packages or Chromium aren't there;
// CI_NEEDS_BROWSER=1 makes that an error.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

// Pinned: a checker that learns a rule would otherwise fail a build that changed nothing.
const PACKAGES = ["axe-core@4.14.1", "playwright-core@1.65.1"];
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"];
const SIZES = [[1280, 900], [390, 844]];

const root = resolve(import.meta.dirname, "../..");
const morta = resolve(process.argv[2]);
const room = mkdtempSync(join(tmpdir(), "morta-pages-"));
const pictures = process.argv[3] ? resolve(process.argv[3]) : room;

function skip(why) {
  console.log(`pages in a browser: SKIPPED, ${why}`);
  rmSync(room, { recursive: true, force: true });
  process.exit(Number(process.env.CI_NEEDS_BROWSER ?? 0));
}

const chromium = ["chromium", "chromium-browser", "google-chrome"].map(name => spawnSync("which", [name]).stdout?.toString().trim()).find(path => path);
if (!chromium) skip("there is no Chromium");
const npm = spawnSync("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", room, ...PACKAGES], { timeout: 120_000 });
if (npm.status !== 0) skip("npm can't install axe-core and playwright-core");
const load = createRequire(join(room, "node_modules/"));
const axe = readFileSync(load.resolve("axe-core/axe.min.js"), "utf8");

const run = (...args) => execFileSync(morta, args, { cwd: room, stdio: ["ignore", "pipe", "pipe"] }).toString();

/// What the checker has against the page as it stands.
async function accessible(page, what) {
  const found = await page.evaluate(async rules => {
    const { violations } = await globalThis.axe.run(document, { runOnly: { type: "tag", values: rules } });
    return violations.map(one => `${one.id} (${one.impact}): ${one.help}: ${one.nodes.slice(0, 4).map(node => node.target.join(" ") + " " + (node.any[0]?.message ?? node.all[0]?.message ?? "")).join(" | ")}`);
  }, RULES);
  assert.deepEqual(found, [], what);
}

async function opened(browser, url, options) {
  const context = await browser.newContext({ bypassCSP: true, ...options });
  const page = await context.newPage();
  const errors = [];
  page.on("pageerror", error => errors.push(error.message));
  await page.addInitScript(axe);
  await page.goto(url);
  return { page, errors, close: () => context.close() };
}

async function fits(page, what) {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${what}: nothing is wider than the page`);
}

/// Each script of a live page, the reports' own among them, is below 12 KB as it is served.
async function sizes(page) {
  const bytes = await page.evaluate(() => [...document.querySelectorAll("body > script")].map(script => new TextEncoder().encode(script.textContent).length));
  assert.ok(bytes.length === 2 && bytes.every(length => length < 12 * 1024), `scripts have ${bytes} bytes`);
}

/// Values at the pointer, legends by keys, sorting, filtering, data.
async function answers(page) {
  const figure = page.locator("figure", { has: page.locator("[data-key][aria-pressed]") }).first();
  const frame = figure.locator("[data-from]").first();
  // hover scrolls by itself, and looks for the figure anew where the page has just drawn it again; to scroll beforehand fails then.
  await frame.hover();
  const tip = await page.locator("#tip").textContent();
  assert.match(tip, /^at [\d,.]+\n.+: /, "values under the pointer");
  const key = figure.locator("[data-key][aria-pressed]").first();
  const name = await key.getAttribute("data-key");
  const shown = () => figure.evaluate((own, name) => [...own.querySelectorAll("[data-series]")].filter(part => part.dataset.series === name && part.style.display !== "none").length, name);
  const before = await shown();
  assert.ok(before > 0, `${name} is drawn`);
  await key.focus();
  await page.keyboard.press("Enter");
  assert.equal(await key.getAttribute("aria-pressed"), "false");
  assert.equal(await shown(), 0, `${name} is switched off`);
  await page.keyboard.press("Space");
  assert.equal(await shown(), before, `${name} is back`);
  const [download] = await Promise.all([page.waitForEvent("download"), figure.locator("a[download]").click()]);
  const csv = readFileSync(await download.path(), "utf8").split("\n");
  assert.ok(csv.length > 2 && csv[0].includes("series"), `a figure's data: ${csv[0]}`);
}

async function tables(page) {
  const table = page.locator("table", { has: page.locator("button.sort") }).first();
  const column = () => table.evaluate(own => [...own.tBodies[0].rows].map(row => row.cells[0].textContent));
  const head = table.locator("th").first();
  await head.locator("button").focus();
  await page.keyboard.press("Enter");
  assert.equal(await head.getAttribute("aria-sort"), "ascending");
  const up = await column();
  await page.keyboard.press("Enter");
  assert.deepEqual(await column(), up.toReversed(), "sorted the other way");
  const filter = page.locator(".filter input").first();
  await filter.fill("parquet");
  const rows = await filter.evaluate(input => [...input.closest("label").nextElementSibling.querySelectorAll("tbody tr")].map(row => [row.hidden, row.textContent.includes("parquet")]));
  assert.ok(rows.every(([hidden, has]) => hidden !== has), "only rows with the word are shown");
  await filter.fill("");
}

async function report(browser, file, what, check) {
  for (const [width, height] of SIZES) {
    for (const colorScheme of ["light", "dark"]) {
      const { page, errors, close } = await opened(browser, `file://${file}`, { viewport: { width, height }, colorScheme });
      await accessible(page, `${what}, ${width}, ${colorScheme}`);
      await fits(page, what);
      if (colorScheme === "light") {
        await check(page);
        await page.screenshot({ path: join(pictures, `${what}-${width}.png`), fullPage: true });
      }
      assert.deepEqual(errors, [], `${what} runs without an error`);
      await close();
    }
  }
  // Without script everything is there, figures' data too.
  const { page, close } = await opened(browser, `file://${file}`, { javaScriptEnabled: false });
  const links = await page.locator("figure a[download]").count();
  assert.ok(links > 0 && links === await page.locator("figure").count(), `${what}: every figure has its data`);
  await close();
}

/// A table of a live page keeps the order and the filter that somebody has chosen, and the focus, when there is news.
async function staysSorted(page, heading, filter, news) {
  const head = page.locator("main th", { hasText: heading }).first();
  const shown = () => head.evaluate(own => [...own.closest("table").tBodies[0].rows].map(row => [row.cells[own.cellIndex].textContent, row.hidden, row.textContent]));
  await head.locator("button").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Space");
  assert.equal(await head.getAttribute("aria-sort"), "descending", "announced");
  if (filter) {
    await page.locator(".filter input").fill(filter);
    await head.locator("button").focus();
  }
  const first = await head.evaluateHandle(own => own.closest("table").tBodies[0].rows[0]);
  await news(() => first.evaluate(row => !row.isConnected));
  assert.equal(await head.getAttribute("aria-sort"), "descending", "still announced");
  const rows = await shown(), values = rows.map(([value]) => value);
  assert.ok(rows.length > 2 && new Set(values).size > 1, `something to sort: ${values}`);
  assert.deepEqual(values, values.toSorted((a, b) => b.localeCompare(a, "en", { numeric: true })), "new rows are in the chosen order");
  if (filter) assert.ok(rows.some(([, hidden]) => hidden) && rows.every(([, hidden, text]) => hidden !== text.includes(filter)), "new rows are filtered");
  assert.ok(await head.evaluate(own => own.contains(document.activeElement)), "the focus stays");
}

/// Looks until it is so.
async function until(what, look) {
  for (const end = Date.now() + 60_000; !(await look());) {
    assert.ok(Date.now() < end, `in vain: ${what}`);
    await new Promise(soon => setTimeout(soon, 50));
  }
}

/// Looks at what is watched, and ends it.
async function shown(args, look) {
  const process = spawn(morta, args, { cwd: room });
  try {
    await look(await new Promise(found => { let said = ""; process.stdout.on("data", data => { said += data; const at = said.match(/http:\S+/); if (at && said.includes("\n")) found(at[0]); }); }));
  } finally {
    process.kill("SIGKILL");
  }
}

async function watched(browser) {
  const flags = ["--ticks", "1500", "--out", "watched", "--ticks-per-second", "400"];
  await shown(["watch", join(root, "scenarios/quickstart.toml"), ...flags], async url => {
    for (const [width, height] of SIZES) {
      const { page, errors, close } = await opened(browser, url, { viewport: { width, height } });
      await page.waitForFunction(() => state !== null && state.tick > 150);
      assert.equal(await page.locator("#speed").inputValue(), "400", "the box shows the speed");
      await page.locator("#dots a").first().click();
      await page.waitForFunction(() => document.querySelector("#golem-told figure svg"));
      if (await page.locator("#pause").textContent() === "Pause") await page.locator("#pause").click();
      await page.waitForFunction(() => state.state === "paused");
      await staysSorted(page, "awake", null, isNew => until("other numbers", async () => {
        await page.locator("#step").evaluate(button => button.click());
        return isNew();
      }));
      assert.match(new URL(page.url()).hash, /^#L\d+\.G\d+$/, "a golem's page has an address");
      await page.locator("#plots [data-from]").first().hover();
      await page.waitForFunction(() => /^at /.test(document.querySelector("#tip").textContent));
      await answers(page);
      await page.mouse.move(1, 1);
      await accessible(page, `the live view, ${width}`);
      await fits(page, "the live view");
      await page.screenshot({ path: join(pictures, `watch-${width}.png`), fullPage: true });
      await sizes(page);
      assert.deepEqual(errors, [], "the live view runs without an error");
      await close();
    }
    await withoutScript(browser, url);
  });
}

async function sweepWatched(browser, folder) {
  await shown(["watch", folder], async url => {
    for (const [width, height] of SIZES) {
      const { page, errors, close } = await opened(browser, url, { viewport: { width, height } });
      await page.waitForFunction(() => document.querySelectorAll("#intervals circle").length > 0);
      await accessible(page, `a sweep, ${width}`);
      await fits(page, "a sweep");
      await page.screenshot({ path: join(pictures, `sweep-watch-${width}.png`), fullPage: true });
      await sizes(page);
      assert.deepEqual(errors, [], "the page of a sweep runs without an error");
      await close();
    }
    await withoutScript(browser, url);
  });
}

/// A sweep of ten arms whose last cells are lived while its page is open.
async function sweepGoesOn(browser) {
  const arms = [...Array(10).keys()].map(n => `{ name = "arm-${n}", set = { cohorts.golems.golems = ${n + 1} } }`);
  writeFileSync(join(room, "tiny.toml"), `name = "tiny"
seed = 7
ticks = 60
market.warmup_ticks = 50
market.assets = [{ symbol = "GOLD", source = { kind = "synthetic" } }]
cohorts = [{ name = "golems", golems = 4, memory = "bardo" }]
`);
  writeFileSync(join(room, "ten.toml"), `name = "ten"\nscenario = "tiny.toml"\nseeds = { count = 3 }\narms = [${arms.join(", ")}]\n`);
  const folder = join(room, "ten");
  for (const [width, height] of SIZES) {
    rmSync(folder, { recursive: true, force: true });
    run("sweep", "ten.toml", "--out", "ten");
    // As if it had been stopped before its last cell.
    rmSync(join(folder, "cells", readdirSync(join(folder, "cells")).toSorted().at(-1)), { recursive: true });
    const manifest = join(folder, "sweep.json");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace('"complete"', '"stopped"'));
    await shown(["watch", folder], async url => {
      const { page, errors, close } = await opened(browser, url, { viewport: { width, height } });
      await page.waitForFunction(() => state !== null && state.done === state.cells - 1 && document.querySelector(".filter"));
      await accessible(page, `a sweep under way, ${width}`);
      await page.screenshot({ path: join(pictures, `sweep-under-way-${width}.png`), fullPage: true });
      await staysSorted(page, "arm", "arm-1", async isNew => {
        run("sweep", "ten.toml", "--out", "ten", "--resume");
        await until("the last cell", isNew);
      });
      await page.waitForFunction(() => document.querySelector("#verdict pre"));
      await fits(page, "a sweep of ten arms");
      await page.screenshot({ path: join(pictures, `sweep-sorted-${width}.png`), fullPage: true });
      assert.deepEqual(errors, [], "the page of a sweep under way runs without an error");
      await close();
    });
  }
}

/// Without script a live page has the state of when it was loaded, in words and tables.
async function withoutScript(browser, url) {
  const { page, close } = await opened(browser, url, { javaScriptEnabled: false });
  assert.ok(await page.locator("tbody tr").count() > 1 && (await page.locator("#name").textContent()).length > 2, "there without script");
  await close();
}

let browser;
try {
  run("run", join(root, "scenarios/quickstart.toml"), "--ticks", "900", "--out", "run");
  run("report", "run");
  run("sweep", join(root, "scenarios/levers/affect.toml"), "--profile", "smoke", "--seeds", "3", "--out", "sweep");
  run("report", "sweep");
  run("stats", "survival", join(root, "stats/tests/data/waltons.csv"), "--duration", "T", "--event", "E", "--group", "group", "--report", "survival.html");
  run("stats", "compare", "sweep/results.csv", "--score", "mean_r", "--arm", "arm", "--pair", "seed", "--only", "cohort=all", "--report", "compare.html");
  browser = await load("playwright-core").chromium.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
  await report(browser, join(room, "run/report.html"), "run", async page => { await answers(page); await tables(page); });
  await report(browser, join(room, "sweep/report.html"), "sweep", answers);
  await report(browser, join(room, "survival.html"), "survival", answers);
  await report(browser, join(room, "compare.html"), "compare", async () => {});
  await watched(browser);
  await sweepWatched(browser, "sweep");
  await sweepGoesOn(browser);
  console.log("pages at 1280 and 390 pixels, in light and dark, with and without script: names, contrast, keys, values, legends, tables, data");
} finally {
  await browser?.close();
  rmSync(room, { recursive: true, force: true });
}
