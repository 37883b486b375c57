// Package dicescript in a browser without a bundler, as its README says.

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { readFileSync } from "node:fs";
import { browse, host } from "./browser.mjs";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../dicescript");

test("the example of the README runs in a browser", async () => {
  const server = await host(folder);
  const { page, trouble, close } = await browse(server.url);
  try {
    await page.goto(server.url + "package.json");
    trouble.length = 0;
    const code = readFileSync(join(folder, "README.md"), "utf8").match(/<script type="module">\n([\s\S]*?)<\/script>/)[1].replace('"dicescript"', `"${server.url}dist/browser.js"`);
    await page.evaluate((code) => {
      const script = document.createElement("script");
      script.type = "module";
      script.textContent = code;
      document.head.append(script);
    }, code);
    await page.locator("svg").first().waitFor();
    assert.match(await page.locator("svg").first().textContent(), /strength/);
    const forever = await page.evaluate(async (base) => {
      const { load, DicescriptError } = await import(base + "dist/browser.js");
      const dice = await load();
      const program = await dice.compile("a.star", "while True:\n    pass");
      const why = await program.run({ timeout: 100 }).catch((e) => e);
      const abort = new AbortController();
      setTimeout(() => abort.abort(), 100);
      const aborted = await program.run({ signal: abort.signal }).catch((e) => e.name);
      const next = await (await dice.compile("b.star", "output(d(6) == 6)")).run();
      return [why instanceof DicescriptError, why.kind, aborted, next.outputs[0].exact];
    }, server.url);
    assert.deepEqual(forever, [true, "deadline", "AbortError", "1/6"]);
    assert.deepEqual(trouble, []);
  } finally {
    await close();
    await server.close();
  }
});
