// The page of `dicescript serve`: the same page, over the files of a folder.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { browse, dist, settled, write } from "./browser.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
let folder, command, browser, page, url;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "dicescript-serve-"));
  mkdirSync(join(folder, "recipes"));
  writeFileSync(join(folder, "recipes/attack.star"), 'load("./house.star", "bonus")\noutput("attack", d(20) + bonus)\n');
  writeFileSync(join(folder, "recipes/house.star"), "bonus = 2\n");
  const env = { ...process.env, PATH: [process.env.PATH, "/usr/local/go/bin"].join(delimiter) };
  const binary = join(folder, "dicescript");
  execFileSync("go", ["build", "-o", binary, "./cmd/dicescript"], { cwd: root, env });
  command = spawn(binary, ["serve", "--site", dist, join(folder, "recipes")], { stdio: ["ignore", "pipe", "inherit"] });
  url = await new Promise((resolve, reject) => {
    command.on("exit", (code) => reject(new Error(`it ended with ${code}`)));
    command.stdout.on("data", (text) => resolve(String(text).match(/^(http:\S+)/)[1]));
  });
  browser = await browse(url);
  page = browser.page;
});
after(async () => {
  await browser?.close();
  const ended = new Promise((resolve) => command.on("exit", resolve));
  command.kill("SIGINT");
  assert.equal(await ended, 0, "Ctrl-C ends it well");
  rmSync(folder, { recursive: true });
});

const mean = (text) => page.waitForFunction((text) => document.querySelector("#results").innerText.includes("mean " + text), text);

test("the files of the folder are shown and run natively", async () => {
  await page.goto(url);
  await settled(page);
  assert.equal(await page.textContent("#file-name"), "attack.star");
  await mean("12.500");
  assert.equal(await page.evaluate(() => performance.getEntriesByType("resource").some((r) => r.name.includes("engine.wasm"))), false, "no engine is loaded");
  await page.locator("svg.chart").first().focus();
  await page.waitForFunction(() => /1\/20/.test(document.querySelector(".readout").innerText));
  await page.locator(".cm-content .t-call", { hasText: "output" }).hover();
  await page.locator(".hover").waitFor();
});

test("what is written is saved back", async () => {
  await write(page, 'load("./house.star", "bonus")\noutput("attack", d(12) + bonus)\n');
  await mean("8.500");
  for (let i = 0; i < 100 && !readFileSync(join(folder, "recipes/attack.star"), "utf8").includes("d(12)"); i++) await page.waitForTimeout(50);
  assert.match(readFileSync(join(folder, "recipes/attack.star"), "utf8"), /d\(12\) \+ bonus/);
});

test("what others change is shown", async () => {
  writeFileSync(join(folder, "recipes/house.star"), "bonus = 7\n");
  await mean("13.500");
  writeFileSync(join(folder, "recipes/attack.star"), 'output("another", d(4))\n');
  await mean("2.500");
  assert.match(await page.locator(".cm-content").innerText(), /another/);
});

test("a run that is given up ends, and there is no trouble", async () => {
  await write(page, 'output("x", d(6))');
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText("while True:\n    pass");
  await page.locator("#progress").waitFor();
  await page.click("#stop");
  await page.locator("#progress").waitFor({ state: "hidden" });
  await write(page, 'output("y", d(8))');
  await mean("4.500");
  assert.deepEqual(browser.trouble, []);
});
