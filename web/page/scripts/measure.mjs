// Measures the page in Chromium and writes MEASURES.md. Times are the least of
// several, since other programs only ever add to them.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { browse, dist, host, settled, write } from "../test/browser.mjs";

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const root = join(here, "../..");
const rounds = Number(process.env.ROUNDS ?? 5);
const least = (values) => Math.min(...values);
const lines = [];
const say = (...text) => lines.push(...text);
const ms = (n) => (n < 10 ? n.toFixed(1) : String(Math.round(n)));

const server = await host();

// What the first visit loads, and how long it takes.
const first = { typed: [], result: [], again: [] };
let sent;
let version;
for (let i = 0; i < rounds; i++) {
  server.sent.length = 0;
  const b = await browse(server.url);
  version = b.context.browser()?.version() ?? (await b.page.evaluate(() => navigator.userAgentData?.brands.map((v) => `${v.brand} ${v.version}`).join(", ") ?? navigator.userAgent));
  const visit = async () => {
    const began = performance.now();
    await b.page.goto(server.url, { waitUntil: "commit" });
    await b.page.locator(".cm-content").waitFor();
    const typed = performance.now() - began;
    await settled(b.page);
    return [typed, performance.now() - began];
  };
  const [typed, result] = await visit();
  sent ??= server.sent.slice();
  first.typed.push(typed);
  first.result.push(result);
  await b.page.evaluate(() => navigator.serviceWorker.ready);
  await b.page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
  for (let k = 0; k < 3; k++) {
    await b.page.goto("about:blank");
    first.again.push((await visit())[1]);
  }
  await b.close();
}

// Typing.
const b = await browse(server.url);
await b.page.goto(server.url);
await settled(b.page);
const recipes = {
  "the start recipe": undefined,
  "4d6kh3, six times the best": 'output("score", 4d6kh3)\noutput("best of six", dice_pool(1, 1) + max([4d6kh3] * 6))\n',
  "a ladder of labels": 'output("move", bucket(2d6 + 1, scale().step("miss").step("weak").step("strong"), 6, 9))\noutput("hit", max(2d20) >= 15)\n',
};
const typing = {};
for (const [name, text] of Object.entries(recipes)) {
  if (text) await write(b.page, text);
  await b.page.locator(".cm-content").press("ControlOrMeta+End");
  await b.page.evaluate(() => {
    window.keys = [];
    let pressed = 0;
    document.querySelector(".cm-content").addEventListener("beforeinput", () => (pressed = performance.now()), true);
    window.observer?.disconnect();
    window.observer = new MutationObserver(() => requestAnimationFrame(() => window.keys.push(performance.now() - pressed)));
    window.observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-ran"] });
  });
  for (const key of "# a word or two, to have more than a few keys") {
    const before = await b.page.evaluate(() => window.keys.length);
    await b.page.keyboard.insertText(key);
    await b.page.waitForFunction((n) => window.keys.length > n, before);
  }
  typing[name] = (await b.page.evaluate(() => window.keys)).sort((x, y) => x - y);
}

// A recipe that runs away gives way to the next key.
const away = [];
for (let i = 0; i < rounds; i++) {
  await b.page.locator(".cm-content").click();
  await b.page.keyboard.press("ControlOrMeta+a");
  await b.page.keyboard.insertText("while True:\n    pass");
  await b.page.locator("#progress").waitFor();
  const before = await b.page.evaluate(() => Number(document.documentElement.dataset.ran));
  await b.page.keyboard.press("ControlOrMeta+a");
  const began = performance.now();
  await b.page.keyboard.insertText(`output("back", d(${i + 4}))`);
  await b.page.waitForFunction((n) => Number(document.documentElement.dataset.ran) > n, before);
  away.push(performance.now() - began);
}
await b.close();
await server.close();

// Work: the engine in the browser beside the same engine on the machine.
const work = {
  "11 x 11 opposed table": readFileSync(join(root, "examples/opposed_tables.star"), "utf8"),
  "1000d6": 'output("sum", 1000d6)\n',
  "`map` of two d100": 'def f(a, b):\n    if a == b:\n        return "tie"\n    return "win" if a > b and a <= 60 else "lose"\n\noutput("contest", map(f, d(100), d(100)))\n',
};
const folder = mkdtempSync(join(tmpdir(), "dicescript-measure-"));
const binary = join(folder, "dicescript");
execFileSync("go", ["build", "-o", binary, "./cmd/dicescript"], { cwd: root, env: { ...process.env, PATH: [process.env.PATH, "/usr/local/go/bin"].join(delimiter) } });
const command = spawn(binary, ["serve", "--site", dist, folder], { stdio: ["ignore", "pipe", "inherit"] });
const native = await new Promise((resolve) => command.stdout.on("data", (text) => resolve(String(text).match(/^(http:\S+)/)[1])));
const plain = await host(join(root, "web/dicescript"));
const w = await browse(plain.url);
await w.page.goto(plain.url + "package.json");
const took = {};
for (const [name, text] of Object.entries(work)) {
  const inBrowser = [];
  const natively = [];
  for (let i = 0; i < rounds; i++) {
    const recipe = { name: "work.star", text: `${text}\n# ${i}`, timeout: 60_000 }; // another text each time: nothing is at hand
    inBrowser.push(
      await w.page.evaluate(async ([base, recipe]) => {
        window.engine ??= await (await import(base + "dist/browser.js")).load();
        const run = await window.engine.workshop.ask("run", recipe);
        if (!run.ok) throw new Error(run.mistakes[0].message);
        return run.millis;
      }, [plain.url, recipe]),
    );
    const response = await fetch(native + "api/call/run", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(recipe) });
    natively.push((await response.json()).result.millis);
  }
  took[name] = [least(inBrowser), least(natively)];
}
await w.close();
await plain.close();
command.kill("SIGINT");
rmSync(folder, { recursive: true });

// The page.
const brotli = (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
const packed = (path) => /\.(br)$/.test(path);
let totals = [0, 0];
say("# What the page weighs and how fast it is", "", `Made by \`npm run measure\` in Chromium (${version}), on ${cpus().length} x ${cpus()[0].model.trim()}. Times are the`, `least of ${rounds} or more rounds, on a machine that other programs used as well (load ${loadavg()[0].toFixed(0)}).`, "");
say("## Size of the first visit", "", "| file | bytes | gzip | brotli |", "|---|---:|---:|---:|");
for (const { path } of sent.filter((s, i) => sent.findIndex((o) => o.path === s.path) === i)) {
  const bytes = readFileSync(join(dist, path === "/" ? "index.html" : path));
  const sizes = packed(path) ? [bytes.length, bytes.length] : [gzipSync(bytes, { level: 9 }).length, brotli(bytes)];
  totals = totals.map((t, i) => t + sizes[i]);
  say(`| ${path === "/" ? "the page" : path.slice(1).replace(/-[\w-]{8}(?=\.)/, "")} | ${bytes.length} | ${sizes[0]} | ${sizes[1]} |`);
}
say(`| **together** | | **${totals[0]}** | **${totals[1]}** |`, "", "The engine is kept compressed by brotli, so that it is as small on a host that compresses", "nothing. After the first result the page fetches the library and keeps all of it for offline", "use.", "");
const engine = readFileSync(join(root, "web/dicescript/build/engine.wasm"));
say(`The engine alone: ${engine.length} bytes, ${gzipSync(engine, { level: 9 }).length} by gzip, ${readFileSync(join(root, "web/dicescript/dist/engine.wasm.br")).length} by brotli.`, "");
say("## Times", "", "| | milliseconds |", "|---|---:|");
say(`| cold, until a person can read and type | ${ms(least(first.typed))} |`, `| cold, until the first result | ${ms(least(first.result))} |`, `| from cache, until the first result | ${ms(least(first.again))} |`);
for (const [name, times] of Object.entries(typing)) say(`| from a key to new results, ${name}: least, median of ${times.length} keys | ${ms(times[0])}, ${ms(times[times.length >> 1])} |`);
say(`| from a key to new results while a recipe runs away | ${ms(least(away))} |`, "");
say("## Work", "", "| | browser, ms | native, ms | times |", "|---|---:|---:|---:|");
for (const [name, [slow, fast]] of Object.entries(took)) say(`| ${name} | ${ms(slow)} | ${ms(fast)} | ${(slow / fast).toFixed(1)} |`);
writeFileSync(join(here, "MEASURES.md"), lines.join("\n") + "\n");
console.log(lines.join("\n"));
