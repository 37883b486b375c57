// The page in a real browser: everything that a person can do there.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, test } from "node:test";
import { browse, host, paste, settled, write } from "./browser.mjs";

let server, browser, page;

before(async () => {
  server = await host();
  browser = await browse(server.url);
  page = browser.page;
});
after(async () => {
  await browser.close();
  await server.close();
});
afterEach(() => {
  const trouble = browser.trouble.splice(0);
  assert.deepEqual(trouble, [], "no errors on the console, and no requests to anywhere else");
});

const readout = (title) => page.locator(`[data-key^="${title}"] .readout`);
const section = (title) => page.locator(`[data-key^="${title}"]`);
/** Sets which chances everything shows. */
const look = (label) => page.locator(".look").getByText(label, { exact: true }).click();
const words = async (locator) => (await locator.innerText()).replace(/\s+/g, " ").trim();
/** The page as one who has never been here sees it. */
const fresh = async () => {
  await page.goto(server.url);
  await page.evaluate(() => localStorage.clear());
  await page.goto("about:blank");
  await page.goto(server.url);
  await settled(page);
};
const closeDialogs = () => page.evaluate(() => document.querySelectorAll("dialog").forEach((d) => d.close()));

test("the start recipe runs by itself", async () => {
  await page.goto(server.url);
  await settled(page);
  assert.match(await page.textContent("#status"), /^2 results in /);
  assert.equal(await page.locator("section.ds-output").count(), 1);
  assert.match(await words(readout("it hits")), /50\.0 % 1\/2/);
});

test("results follow the keys", async () => {
  await write(page, 'output("total", 2d6)');
  assert.match(await words(section("total")), /mean 7\.000/);
  await page.locator(".cm-content").press("End");
  await page.keyboard.type('\noutput("hit", 2d6 >= 10)');
  await section("hit").waitFor();
  assert.match(await words(readout("hit")), /16\.7 % 1\/6/);
});

test("a mistake is shown at its place, and the results of before stay", async () => {
  await write(page, 'x = 2d6\noutput("total", x)');
  await page.locator(".cm-content").press("End");
  await page.keyboard.type("\ny = explod(x)");
  await page.locator(".mistake", { hasText: "did you mean explode" }).waitFor();
  assert.match(await words(page.locator(".mistake")), /Line 3 .*explod.*did you mean explode/);
  assert.equal(await page.locator(".cm-lintRange-error").first().innerText(), "explod");
  assert.equal(await page.locator("#results.stale section.ds-output").count(), 1);
  await page.locator(".mistake").click();
  await page.keyboard.type("e_me"); // the cursor is where the mistake is
  await page.waitForFunction(() => document.querySelector(".cm-content").innerText.includes("e_meexplod"));
});

test("what a mistake suggests is written at a touch", async () => {
  await write(page, 'output("it beats fifty", beats(50))');
  await page.locator(".mistake").waitFor();
  await page.locator(".fix").click();
  await section("it beats fifty").waitFor();
  assert.match(await page.locator(".cm-content").innerText(), /^load\("rolemaster.star", "beats"\)\n/);
  await page.locator(".fix").waitFor({ state: "detached" });
  await write(page, "output(“two dice”, 2d6)");
  await page.locator(".fix").click();
  await section("two dice").waitFor();
});

test("names are completed", async () => {
  await write(page, "x = 3d6\n");
  await page.locator(".cm-content").press("ControlOrMeta+End");
  await page.keyboard.type("y = expl");
  await page.locator(".cm-tooltip-autocomplete li[aria-selected]").waitFor();
  assert.match(await page.locator(".cm-tooltip-autocomplete li[aria-selected]").innerText(), /^explode/);
  await page.waitForTimeout(120); // a completion is not taken at once, so that typing on is not misread
  await page.keyboard.press("Enter");
  await page.keyboard.type("(x).me");
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "mean" }).first().waitFor();
  await page.keyboard.press("Escape");
  assert.match(await page.locator(".cm-content").innerText(), /y = explode\(x\)\.me/);
});

test("hovering explains", async () => {
  await write(page, "x = 4d6kh3\ny = explode(d(6))\n");
  await page.locator(".cm-content .t-dice").first().hover();
  await page.locator(".hover").waitFor();
  assert.match(await page.locator(".hover").innerText(), /mean 12\.245, 3 to 18/);
  await page.mouse.move(5, 500);
  await page.locator(".hover").waitFor({ state: "detached" });
  await page.locator(".cm-content .t-call", { hasText: "explode" }).hover();
  await page.locator(".hover").waitFor();
  assert.match(await page.locator(".hover").innerText(), /explode\(.*max_depth/);
  await page.mouse.move(5, 500);
});

test("a call shows its parameters while it is written", async () => {
  await write(page, "x = 1\n");
  await page.locator(".cm-content").press("ControlOrMeta+End");
  await page.keyboard.type("y = explode(d(6), ");
  await page.locator(".call").waitFor();
  assert.match(await words(page.locator(".call")), /^explode\(roll, max_depth=2/);
  assert.match(await page.locator(".call b").innerText(), /max_depth/);
  await page.keyboard.press("Escape");
  await page.locator(".call").waitFor({ state: "detached" });
});

test("what is likely a mistake is said although the recipe runs", async () => {
  await write(page, 'output("ones", count(explode(5d10, None), 8..))');
  await page.locator(".remark").waitFor();
  assert.match(await words(page.locator(".remark")), /^Line 1 .*again=/);
  assert.ok((await page.locator(".cm-lintRange-warning").count()) > 0);
  await page.locator(".remark").click();
  await write(page, 'output("sum", 2d6)');
  await page.locator(".remark").waitFor({ state: "detached" });
});

test("a chart tells exact chances: exactly, at least, at most; by pointer and by keys", async () => {
  await write(page, 'output("total", 2d6)');
  const chart = section("total").locator("svg.chart");
  await chart.locator('.bar[data-outcome="10"]').hover();
  assert.match(await words(readout("total")), /^10 8\.33 % 1\/12$/);
  await look("At least");
  assert.match(await words(readout("total")), /^≥ 10 16\.7 % 1\/6$/);
  await look("At most");
  assert.match(await words(readout("total")), /^≤ 10 91\.7 % 11\/12$/);
  await chart.focus();
  await page.keyboard.press("ArrowRight");
  assert.match(await words(readout("total")), /^≤ 11 97\.2 % 35\/36$/);
  assert.equal(await chart.getAttribute("aria-valuetext"), "at most 11: 97.2 %, 35/36");
  await page.keyboard.press("Home");
  assert.match(await words(readout("total")), /^≤ 2 2\.78 % 1\/36$/);
  await page.keyboard.press("End");
  assert.match(await words(readout("total")), /^≤ 12 100(\.0)? % 1$/);
});

test("every outcome of a large roll can be asked", async () => {
  await write(page, 'output("sum", 100d6)');
  await look("Exactly");
  const chart = section("sum").locator("svg.chart");
  await chart.focus();
  await page.waitForFunction(() => /^350 2\.33 %/.test(document.querySelector(".readout").innerText.replace(/\s+/g, " ")));
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => /^351 2\.33 %/.test(document.querySelector(".readout").innerText.replace(/\s+/g, " ")));
});

test("labels, tables and grids tell exact chances, too", async () => {
  await write(page, `check = bucket(2d6, scale().step("miss").step("weak").step("strong"), 6, 9)
output("move", check)
output("chances", prob_table([("six", d(6) == 6), ("pair", d(6) == d(6))]))
output("grid", grid([1, 2], [10, 20], lambda r, c: d(c) <= r))`);
  await look("Exactly");
  await section("move").locator('[data-bar="1"]').hover();
  assert.match(await words(readout("move")), /^weak 41\.7 % 5\/12$/);
  await look("At least");
  await section("move").locator(".bars").focus();
  await page.keyboard.press("End");
  assert.match(await words(readout("move")), /^at least strong 16\.7 % 1\/6$/);
  await look("Exactly");
  await section("chances").locator('[data-bar="0"]').hover();
  assert.match(await words(readout("chances")), /^six 16\.7 % 1\/6$/);
  await section("grid").locator("td").nth(1).hover();
  assert.match(await words(readout("grid")), /^1 × 20 5\.00 % 1\/20$/);
  await section("grid").locator("td").nth(1).focus();
  await page.keyboard.press("ArrowDown");
  assert.match(await words(readout("grid")), /^2 × 20 10\.0 % 1\/10$/);
});

test("inputs are sliders, boxes and lists; they run at once and stay", async () => {
  await write(page, `bonus = param("bonus", 2, help="to hit", min=0, max=9)
sides = param("sides", 20)
half = param("half", False)
who = param("who", "you", choices=["you", "me"])
name = param("name", "orc")
output(who + " " + name, (d(sides) + bonus) // (2 if half else 1))`);
  const form = page.locator("#inputs");
  assert.match(await form.innerText(), /to hit/);
  await form.locator('input[type="range"]').focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => /mean 13\.500/.test(document.querySelector("#results").innerText));
  assert.equal(await form.getByLabel("bonus").last().inputValue(), "3");
  await form.getByLabel("sides").fill("10");
  await page.waitForFunction(() => /mean 8\.500/.test(document.querySelector("#results").innerText));
  await form.getByLabel("who").selectOption("me");
  await form.getByLabel("name").fill("elf");
  await page.waitForFunction(() => /me elf/.test(document.querySelector("#results").innerText));
  await form.getByLabel("half").check();
  await page.waitForFunction(() => /mean 4\.000/.test(document.querySelector("#results").innerText));
  await page.reload();
  await settled(page);
  await page.waitForFunction(() => /me elf .*mean 4\.000/.test(document.querySelector("#results").innerText.replace(/\s+/g, " ")));
  await form.getByText("Reset").click();
  await page.waitForFunction(() => /you orc .*mean 12\.500/.test(document.querySelector("#results").innerText.replace(/\s+/g, " ")));
});

test("a result is pinned, and the next one is laid over it", async () => {
  await write(page, 'bonus = param("bonus", 0, min=0, max=5)\noutput("roll", 2d6 + bonus)');
  await section("roll").getByLabel("Pin roll").click();
  await page.locator("#inputs").getByLabel("bonus").last().fill("3");
  await page.waitForFunction(() => /mean 10\.000/.test(document.querySelector("#results").innerText));
  assert.equal(await section("roll").locator(".curve.pinned").count(), 1);
  await section("roll").locator("svg.chart").focus();
  await page.keyboard.press("Home");
  await page.waitForFunction(() => /1\/36/.test(document.querySelector(".readout").innerText));
  const text = await words(readout("roll"));
  assert.match(text, /^2 roll 0 % 0.* roll \(pinned\) 2\.78 % 1\/36/);
  await page.getByLabel("Unpin roll (pinned)").click();
  await section("roll").locator(".curve.pinned").waitFor({ state: "detached" });
});

test("all rolls are laid over each other", async () => {
  await write(page, 'output("one", 3d6)\noutput("two", 4d6kh3)');
  await page.getByText("Overlay all 2 rolls").click();
  const overlay = page.locator(".overlay");
  await overlay.locator("svg.chart").focus();
  await page.keyboard.press("End");
  await page.waitForFunction(() => /7\/432/.test(document.querySelector(".overlay .readout").innerText));
  assert.match(await words(overlay.locator(".readout")), /^18 one 0\.46 % 1\/216 two 1\.62 % 7\/432$/);
  await page.getByText("Hide the overlay").click();
});

test("outputs and notation are really rolled", async () => {
  await write(page, 'output("four", constant(4))');
  await section("four").getByLabel("Really roll four").click();
  await section("four").locator(".rolled .face").waitFor();
  assert.match(await words(section("four").locator(".rolled")), /^4 always$/);
  await page.click("#roll");
  await page.locator("dialog input").fill("4d6kh3 + 2");
  await page.keyboard.press("Enter");
  await page.locator(".rolls li").waitFor();
  assert.match(await words(page.locator(".rolls li")), /^\d+ 4d6kh3 → \[.*\d\u0336.*\] \d+ \+ 2 = \d+ \d+ or more: .*%$/);
  await page.locator("dialog input").fill("4d6q3");
  await page.keyboard.press("Enter");
  await page.locator(".rolls .wrong").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
});

test("a link holds the whole recipe with its inputs, and opens in a fresh profile", async () => {
  const text = '# ünïcode 🎲\nbonus = param("bonus", 0, min=0, max=5)\noutput("roll <b>bold</b>", d(6) + bonus)';
  await write(page, text);
  await page.locator("#inputs").getByLabel("bonus").last().fill("4");
  await page.waitForFunction(() => /mean 7\.500/.test(document.querySelector("#results").innerText));
  await page.click("#share");
  const link = await page.locator("dialog textarea").first().inputValue();
  const frame = await page.locator("dialog textarea").last().inputValue();
  await page.keyboard.press("Escape");
  assert.match(link, /#r=[\w-]+$/);
  const other = await browse(server.url);
  try {
    await other.page.goto(link);
    await settled(other.page);
    assert.match(await other.page.locator("#results").innerText(), /roll <b>bold<\/b>[\s\S]*mean 7\.500/);
    assert.match(await other.page.locator(".cm-content").innerText(), /ünïcode 🎲/);
    assert.deepEqual(other.trouble, []);
    await other.page.goto(frame.match(/src="([^"]+)"/)[1]);
    await settled(other.page);
    assert.ok(await other.page.locator("#results svg.chart").isVisible());
    assert.ok(!(await other.page.locator("#editor").isVisible()));
    assert.ok(await other.page.locator(".open-full").isVisible());
  } finally {
    await other.close();
  }
});

test("a damaged link says so; a hostile one is only text and ends at its timeout", async () => {
  await page.goto(server.url + "#r=nonsense");
  await page.locator(".notice").waitFor();
  assert.match(await page.locator(".notice").innerText(), /link is damaged/);
  const evil = '<img src=x onerror="document.title=1">';
  const hostile = await page.evaluate(async (evil) => {
    const text = `output(${JSON.stringify(evil)}, "<script>document.title=2</script>")\nprint(${JSON.stringify(evil)})\nfail(${JSON.stringify(evil)})`;
    const stream = new Blob([JSON.stringify({ n: evil, t: text })]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    return "r=" + btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  }, evil);
  await page.goto("about:blank");
  await page.goto(server.url + "#" + hostile);
  await settled(page);
  assert.match(await page.locator("#results").innerText(), /<img src=x/);
  assert.match(await page.locator("#mistakes").innerText(), /<img src=x/);
  assert.match(await page.locator("#printed").textContent(), /<img src=x/);
  assert.equal(await page.locator("#results img, #results script, #mistakes img, header img[src=x]").count(), 0);
  assert.match(await page.title(), /onerror/); // the name of the file, as it is
});

test("a bomb in a link is refused", async () => {
  const bomb = await page.evaluate(async () => {
    const stream = new Blob([JSON.stringify({ n: "a", t: " ".repeat(50_000_000) })]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    let s = "";
    for (const b of bytes) s += String.fromCharCode(b);
    return "r=" + btoa(s).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  });
  await page.goto("about:blank");
  await page.goto(server.url + "#" + bomb);
  await page.locator(".notice").waitFor();
  assert.match(await page.locator(".notice").innerText(), /more than a recipe may have/);
});

test("a recipe that runs away can be stopped, gives way to the next key, and ends at its timeout", async () => {
  await page.goto(server.url);
  await settled(page);
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText("while True:\n    pass");
  await page.locator("#progress").waitFor();
  assert.match(await page.locator("#progress").innerText(), /of at most 20 s/);
  await page.click("#learn"); // the page lives
  await page.locator(".shelves a").first().waitFor();
  await closeDialogs();
  await page.click("#stop");
  await page.locator("#progress").waitFor({ state: "hidden" });
  assert.equal(await page.textContent("#status"), "Stopped");

  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.locator("#progress").waitFor();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText('output("after", d(6))');
  await section("after").waitFor();

  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText("while True:\n    pass");
  await page.locator(".mistake", { hasText: "time" }).waitFor();
  await write(page, 'output("and on", d(6))');
  await section("and on").waitFor();
});

test("nothing is lost: files stay, are made, renamed and deleted", async () => {
  await page.click("#files");
  await page.getByText("New recipe").click();
  await page.waitForFunction(() => /^recipe/.test(document.querySelector("#file-name").textContent));
  await page.keyboard.type('output("mine", 3d6)');
  await section("mine").waitFor();
  await page.click("#files");
  await page.getByLabel("Name of this file").fill("mine.star");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#file-name").textContent === "mine.star");
  await page.reload();
  await settled(page);
  assert.equal(await page.textContent("#file-name"), "mine.star");
  assert.match(await page.locator(".cm-content").innerText(), /output\("mine", 3d6\)/);
  await page.click("#files");
  await page.getByText("New document").click();
  await page.waitForFunction(() => /^document/.test(document.querySelector("#file-name").textContent));
  await page.click("#files");
  await page.locator(".files .open", { hasText: "mine.star" }).click();
  await section("mine").waitFor();
  await page.locator(".cm-content").press("ControlOrMeta+z");
  assert.match(await page.locator(".cm-content").innerText(), /output\("mine", 3d6\)/, "what was done in another file cannot be undone here");
  page.once("dialog", (d) => void d.accept());
  await page.click("#files");
  await page.getByLabel("Delete mine.star").click();
  await page.locator(".files .open", { hasText: "mine.star" }).waitFor({ state: "detached" });
  await closeDialogs();
});

test("a file loads another", async () => {
  await page.click("#files");
  await page.getByText("New recipe").click();
  await page.keyboard.insertText("strong = 2");
  await page.click("#files");
  await page.getByLabel("Name of this file").fill("house.star");
  await page.keyboard.press("Enter");
  await page.click("#files");
  await page.getByText("New recipe").click();
  await write(page, 'load("./house.star", "strong")\noutput("with house", d(6) + strong)');
  assert.match(await words(section("with house")), /mean 5\.500/);
});

test("the tutorial opens, runs, and becomes one's own when it is changed", async () => {
  await page.click("#learn");
  await page.locator("dialog input").fill("opposed grids");
  await page.locator(".shelves a", { hasText: "11. Opposed rolls and grids" }).click();
  await settled(page);
  await page.waitForFunction(() => document.querySelectorAll(".document section.ds-output").length > 3);
  assert.match(await page.locator(".document h1").innerText(), /Opposed rolls/);
  assert.match(page.url(), /#open=tutorial\/11/);
  await page.locator(".cm-content").press("ControlOrMeta+End");
  await page.keyboard.type("\nMy own words.");
  await page.waitForFunction(() => /My own words/.test(document.querySelector(".document").innerText));
  assert.ok(!/#open/.test(page.url()));
  await page.reload();
  await settled(page);
  assert.match(await page.locator(".document").innerText(), /My own words/);
});

test("every page of the library runs", async (t) => {
  await page.click("#learn");
  await page.locator(".shelves a").first().waitFor();
  const paths = await page.locator(".shelves a").evaluateAll((all) => all.map((a) => a.getAttribute("href")));
  await closeDialogs();
  assert.ok(paths.length > 60, `${paths.length} pages`);
  for (const shelf of ["tutorial/", "cookbook/", "atlas/", "modules/"]) assert.ok(paths.some((p) => p.startsWith("#open=" + shelf)), shelf);
  await page.evaluate(() => (document.documentElement.dataset.timeout = "300000")); // the machine may be busy
  t.after(() => page.evaluate(() => delete document.documentElement.dataset.timeout));
  for (const path of paths) {
    const before = await page.evaluate(() => Number(document.documentElement.dataset.ran));
    await page.evaluate((path) => (location.hash = path), path);
    await page.waitForFunction((n) => Number(document.documentElement.dataset.ran) > n, before);
    await settled(page);
    const mistakes = (await page.locator("#mistakes .mistake").allInnerTexts()).join("\n");
    assert.equal(mistakes, "", path);
    const results = await page.locator("section.ds-output").count();
    if (!/checks\.star|14-embedding|coming-from/.test(path)) assert.ok(results > 0, `${path} shows something`);
  }
});

test("the reference is searched, and an example tried", async () => {
  await page.click("#reference");
  await page.locator(".topics .doc").first().waitFor();
  await page.locator("dialog input").fill("highest");
  assert.match(await page.locator(".topics .doc h3").first().textContent(), /highest/); // it may be out of sight
  await page.locator("dialog input").fill("explode");
  await page.getByLabel("Try explode").first().click();
  await settled(page);
  await page.waitForFunction(() => /21\/5/.test(document.querySelector("#results").innerText));
});

test("results are taken away in every format", async () => {
  await write(page, 'output("total", 2d6)\noutput("hit", 2d6 >= 10)');
  const get = async (name) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("dialog .choice", { has: page.locator("b", { hasText: new RegExp(`^${name}$`) }) }).click()]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  };
  await page.click("#download");
  const svg = await get("SVG");
  assert.match(svg.name, /\.svg$/);
  assert.match(svg.bytes.toString(), /^<svg[\s\S]*total/);
  const png = await get("PNG");
  assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
  assert.ok(png.bytes.readUInt32BE(16) >= 900, "width");
  assert.ok(png.bytes.length > 5000, "it is not empty");
  assert.match((await get("CSV")).bytes.toString(), /total,DieRoll,.*7,1\/6/);
  assert.match((await get("MD")).bytes.toString(), /\| 7 \| 16\.7 \| 1\/6 \|/);
  assert.equal(JSON.parse((await get("JSON")).bytes).outputs[0].pmf[5].exact, "1/6");
  assert.match((await get("HTML")).bytes.toString(), /^<!DOCTYPE html>/);
  assert.match((await get("Recipe")).bytes.toString(), /^output\("total"/);
  await closeDialogs();
  await section("hit").getByLabel("Download hit").click();
  const one = JSON.parse((await get("JSON")).bytes);
  assert.deepEqual(one.outputs.map((o) => o.title), ["hit"]);
  await closeDialogs();
});

test("on a phone, everything fits and works by touch", async () => {
  const phone = await browse(server.url, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  try {
    const p = phone.page;
    await p.goto(server.url);
    await settled(p);
    const fits = () => p.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    assert.ok(await fits(), "nothing is wider than the window");
    for (const id of ["files", "learn", "reference", "roll", "download", "share", "theme"]) {
      const box = await p.locator("#" + id).boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= 361 && box.height >= 40, `${id}: ${JSON.stringify(box)}`);
    }
    const chart = p.locator("svg.chart").first();
    await chart.scrollIntoViewIfNeeded();
    const bar = await chart.locator('.bar[data-outcome="7"]').boundingBox();
    await p.touchscreen.tap(bar.x + bar.width / 2, bar.y + bar.height - 2);
    assert.match((await p.locator('[data-key^="damage"] .readout').innerText()).replace(/\s+/g, " "), /^7 6\.25 % 1\/16/);
    await p.goto(server.url + "#open=tutorial/11-opposed-rolls-and-grids.md");
    await p.locator(".document h1").waitFor();
    assert.ok(await fits(), "a document fits");
    await p.click("#learn");
    await p.locator(".shelves a").first().waitFor();
    assert.ok(await fits(), "a dialog fits");
    assert.deepEqual(phone.trouble, []);
  } finally {
    await phone.close();
  }
});

test("dark and light, as the system or as chosen, with enough contrast", async () => {
  await page.goto(server.url);
  await settled(page);
  const contrast = () =>
    page.evaluate(() => {
      const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      const rgb = (css) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = css;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
      };
      const light = (c) => {
        const [r, g, b] = rgb(c).map((v) => ((v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const root = getComputedStyle(document.documentElement);
      const of = (name) => light(root.getPropertyValue(name));
      const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      const least = {};
      for (const ink of ["--ink", "--soft", "--accent", "--wrong", "--keyword", "--dice", "--string", "--comment", "--c0", "--c1", "--c2", "--c3", "--c4", "--c5"]) least[ink] = Math.min(ratio(of(ink), of("--paper")), ratio(of(ink), of("--wash")));
      return { least, dark: of("--paper") < 0.2 };
    });
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme });
    const { least, dark } = await contrast();
    assert.equal(dark, scheme === "dark");
    for (const [name, ratio] of Object.entries(least)) assert.ok(ratio >= 4.5, `${scheme} ${name}: ${ratio.toFixed(2)}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.click("#theme");
  await page.click("#theme");
  assert.equal(await page.getAttribute("#theme", "aria-label"), "Colours: dark");
  assert.equal((await contrast()).dark, true);
  await page.reload();
  assert.equal((await contrast()).dark, true, "the choice stays");
  await page.click("#theme");
  assert.equal((await contrast()).dark, false);
});

test("the keyboard alone does it all", async () => {
  await page.goto(server.url);
  await settled(page);
  await page.click(".brand");
  await page.locator('[data-key^="it hits"]').waitFor();
  await page.evaluate(() => document.activeElement.blur());
  const reach = async (what, most = 60) => {
    for (let i = 0; i < most; i++) {
      if (await page.evaluate((what) => document.activeElement?.matches(what), what)) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`${what} cannot be reached`);
  };
  await reach("#files");
  await page.keyboard.press("Enter");
  await page.locator("dialog").waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.id), "files", "focus comes back");
  await reach("#share");
  await reach(".cm-content");
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.press("Enter");
  await page.keyboard.type('output("by keys", 2d6)');
  await page.locator('[data-key^="by keys"]').waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.ok(!(await page.evaluate(() => document.activeElement.matches(".cm-content"))), "Escape and Tab leave the editor");
  await reach("#divider");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.getAttribute("#divider", "aria-valuenow"), "48");
  await reach('#inputs input[type="range"]');
  await reach(".modes input");
  await page.keyboard.press("ArrowRight");
  await page.locator('.modes input:checked + span', { hasText: "Exactly" }).waitFor();
  await page.keyboard.press("ArrowRight");
  await reach("svg.chart");
  await page.keyboard.press("ArrowRight");
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-valuetext")), /^at least /);
});

test("a screen reader finds names for everything", async () => {
  await page.click(".brand");
  await write(page, 'bonus = param("bonus", 0, min=0, max=5)\noutput("total", 2d6 + bonus)\noutput("grid", grid([1, 2], [3, 4], lambda r, c: d(c) <= r))');
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll("button, a, input, select, textarea, [role=slider], [role=separator]")]
      .filter((el) => el.checkVisibility())
      .filter((el) => !(el.getAttribute("aria-label") || el.getAttribute("aria-labelledby") || el.textContent.trim() || el.labels?.length || el.querySelector?.("img[alt]:not([alt=''])")))
      .map((el) => el.outerHTML.slice(0, 120)),
  );
  assert.deepEqual(nameless, []);
  const tree = await page.locator("body").ariaSnapshot();
  for (const role of ["banner", "navigation", "main", "region \"Recipe\"", "region \"Results\"", "textbox \"Text of the recipe\"", "slider \"total: chances of outcomes from 2 to 12", "heading \"total", "table", "radio \"At least\""]) assert.ok(tree.includes(role), `${role} in\n${tree}`);
  assert.equal(await page.evaluate(() => new Set([...document.querySelectorAll("[id]")].map((e) => e.id)).size === document.querySelectorAll("[id]").length), true, "ids are unique");
});

test("after the first visit it needs no network", async () => {
  const own = await host();
  const fresh = await browse(own.url);
  try {
    await fresh.page.goto(own.url);
    await settled(fresh.page);
    await fresh.page.evaluate(() => navigator.serviceWorker.ready);
    await fresh.page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
    await own.close();
    await fresh.page.reload();
    await settled(fresh.page);
    assert.match(await fresh.page.textContent("#status"), /^2 results/);
    await fresh.page.click("#learn");
    await fresh.page.locator(".shelves a", { hasText: "1. One die" }).click();
    await fresh.page.locator(".document h1").waitFor();
    assert.deepEqual(fresh.trouble, []);
  } finally {
    await fresh.close();
  }
});

test("it may be hosted in any folder", async () => {
  const deep = await host(undefined, { prefix: "/some/where/" });
  const other = await browse(deep.url);
  try {
    await other.page.goto(deep.url);
    await settled(other.page);
    assert.match(await other.page.textContent("#status"), /^2 results/);
    assert.deepEqual(other.trouble, []);
  } finally {
    await other.close();
    await deep.close();
  }
});

test("the page's policy forbids what it does not need", async () => {
  await page.goto(server.url);
  const policy = await page.getAttribute('meta[http-equiv="Content-Security-Policy"]', "content");
  for (const part of ["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'"]) assert.ok(policy.includes(part), part);
  const refused = await page.evaluate(() => fetch("https://example.org/").then(() => false, () => true));
  assert.ok(refused);
  const inline = await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "window.bad = 1";
    document.body.append(script);
    return window.bad === undefined;
  });
  assert.ok(inline);
  browser.trouble.length = 0; // the browser reports both on the console, as it should
});

test("a program of AnyDice is pasted and runs", async () => {
  await page.goto(server.url);
  await settled(page);
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+a");
  await paste(page, "\\ three dice \\\nX: 3\noutput Xd6 named \"three dice\"\noutput [highest 1 of 2d20] named \"advantage\"\n");
  await page.waitForFunction(() => /\.anydice$/.test(document.querySelector("#file-name").textContent));
  await settled(page);
  await section("three dice").waitFor();
  assert.match(await words(section("three dice")), /mean 10\.500/);
  await section("advantage").locator("svg.chart").focus();
  await page.keyboard.press("End");
  assert.match(await words(readout("advantage")), /^20 9\.75 % 39\/400$/);
  await page.locator(".cm-content").press("ControlOrMeta+End");
  await page.keyboard.type("output [higest 1 of 2d6]");
  await page.locator(".mistake").waitFor();
  assert.match(await words(page.locator(".mistake")), /^Line 5/);

  // What is written rather than pasted is asked about.
  await page.click("#files");
  await page.getByText("New recipe").click();
  await page.keyboard.type("output 2d6");
  await page.locator("#offer button").click();
  await page.waitForFunction(() => /\.anydice$/.test(document.querySelector("#file-name").textContent));
  await page.waitForFunction(() => /mean 7\.000/.test(document.querySelector("#results").innerText));
});

test("Back and Forward lead from text to text, and lose none", async () => {
  const at = (name) => page.waitForFunction((n) => document.querySelector("#file-name").textContent === n, name);
  await fresh();
  await write(page, 'output("mine", 3d6)');
  const mine = await page.textContent("#file-name");
  await page.goto(server.url + "#open=cookbook/advantage.md");
  await at("advantage.md");
  await page.locator(".brand").click();
  await at("attack.star");
  await page.goBack();
  await at("advantage.md");
  await page.goBack();
  await at(mine);
  await section("mine").waitFor();
  await page.goForward();
  await at("advantage.md");
  await page.reload();
  await at("advantage.md");
});

test("a shared recipe that one writes on is there again by Back", async () => {
  await fresh();
  await write(page, 'output("to share", 2d6)');
  await page.locator("#share").click();
  const link = await page.locator("dialog textarea").first().inputValue();
  await page.goto("about:blank");
  await page.goto(link);
  await section("to share").waitFor();
  await page.locator(".cm-content").press("ControlOrMeta+End");
  await page.keyboard.type('\noutput("more", 1d4)');
  await section("more").waitFor();
  await page.goBack();
  await page.waitForFunction(() => !document.querySelector("#results").innerText.includes("more") && document.querySelector("#results").innerText.includes("to share"));
  assert.equal(page.url(), link);
});

test("an input that is moved in a text that was only looked at stays over a reload", async () => {
  await fresh();
  await page.locator(".brand").click();
  await page.locator('#inputs input[type="number"]').fill("20");
  await settled(page);
  const before = await words(readout("it hits"));
  await page.reload();
  await page.waitForFunction((w) => document.querySelector('[data-key^="it hits"] .readout')?.innerText.replace(/\s+/g, " ").trim() === w, before);
  assert.equal(await page.locator('#inputs input[type="number"]').inputValue(), "20");
  assert.match(before, /30\.0 % 3\/10/);
});

test("what is pasted is recognised: a document, a bare roll, a recipe again", async () => {
  await fresh();
  const replaced = async (text) => {
    const before = await page.evaluate(() => Number(document.documentElement.dataset.ran));
    await page.locator(".cm-content").click();
    await page.keyboard.press("ControlOrMeta+a");
    await paste(page, text);
    await page.waitForFunction((n) => Number(document.documentElement.dataset.ran) > n, before);
    await settled(page);
  };
  await replaced('# Two dice\n\nThe usual throw.\n\n```dice\noutput("two", 2d6)\n```\n');
  assert.match(await page.textContent("#file-name"), /\.md$/);
  assert.equal(await page.locator(".mistake").count(), 0);
  assert.match(await words(section("two")), /mean 7\.000/);
  await replaced("4d6kh3");
  assert.equal(await page.locator(".mistake, .remark").count(), 0);
  assert.match(await words(section("4d6kh3")), /mean 12\.24/);
  await replaced("4d6kh3 >= 15");
  assert.match(await words(readout("4d6kh3 >= 15")), /23\.1 % 25\/108/);
  assert.equal(await page.locator(".mistake, .remark").count(), 0);
});

test("an embedded recipe shows its bars, and its mistakes", async () => {
  await fresh();
  const link = async (text) => {
    await write(page, text);
    await page.locator("#share").click();
    const frame = await page.locator("dialog textarea").nth(1).inputValue();
    await closeDialogs();
    return /src="([^"]*)"/.exec(frame)[1];
  };
  const good = await link('output("sum", 2d6)');
  const bad = await link('output("sum", 2d6 + nothing)');
  const framed = await browser.context.newPage();
  await framed.goto(good);
  await framed.locator("rect.bar").first().waitFor();
  assert.equal(await framed.locator("rect.bar").count(), 11);
  assert.ok(await framed.locator("rect.bar").first().isVisible());
  await framed.goto("about:blank");
  await framed.goto(bad);
  await framed.locator(".mistake").waitFor();
  assert.ok(await framed.locator(".mistake").isVisible());
  assert.match(await framed.locator(".mistake").innerText(), /nothing/);
  await framed.close();
});

test("on paper there are bars, and wide tables are whole", async () => {
  const cols = Array.from({ length: 60 }, (_, i) => i + 1).join(", ");
  await write(page, `output("sum", 2d6)\noutput("grid", grid([1, 2], [${cols}], lambda r, c: d(c) <= r))`);
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.locator("rect.bar").first().isVisible());
  assert.ok(!(await page.locator(".masthead").isVisible()));
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  const wide = await page.locator("table.grid-table").evaluate((t) => t.getBoundingClientRect().width);
  assert.ok(wide <= 700, `a table of 60 columns is ${wide} pixels wide`);
  await page.emulateMedia({ media: null });
});

test("a thousand outputs leave the page as quick as one", async () => {
  await write(page, 'for i in range(1000):\n    output("roll %d" % i, times(i % 5 + 1, d(6)))\n');
  await page.waitForFunction(() => document.querySelectorAll("section.ds-output").length === 1000);
  const drawn = await page.locator(".live-chart").count();
  assert.ok(drawn < 100, `${drawn} of 1000 charts are drawn though few are seen`);
  await page.locator('section[aria-labelledby="ds-900-h"]').scrollIntoViewIfNeeded();
  await page.locator('[data-key^="roll 900"] svg.chart').waitFor();
});

test("a grid of many cells tells each of them", async () => {
  await write(page, 'n = [x for x in range(1, 71)]\noutput("grid", grid(n, n, lambda r, c: d(c) <= r))');
  await section("grid").locator("td").nth(1).hover();
  await page.waitForFunction(() => /1 × 2 50\.0 % 1\/2/.test(document.querySelector('[data-key^="grid"] .readout').innerText.replace(/\s+/g, " ")));
});

test("what another tab writes is not undone here", async () => {
  await write(page, 'output("mine", 2d6)');
  const name = await page.textContent("#file-name");
  const other = await browser.context.newPage();
  await other.goto("about:blank");
  await other.goto(server.url);
  await settled(other);
  assert.equal(await other.textContent("#file-name"), name);
  await other.locator(".cm-content").press("ControlOrMeta+End");
  await other.keyboard.type("\n# from the other tab");
  await page.waitForFunction(() => document.querySelector(".cm-content").innerText.includes("other tab"));
  await page.locator(".cm-content").click();
  for (let i = 0; i < 3; i++) await page.keyboard.press("ControlOrMeta+z");
  assert.match(await page.locator(".cm-content").innerText(), /from the other tab/);
  await other.close();
});

test("results from before a mistake say that they are", async () => {
  await write(page, 'output("sum", 2d6)');
  await page.locator(".cm-content").press("ControlOrMeta+End");
  await page.keyboard.type("\nx = nothing");
  await page.locator(".stale-words").waitFor();
  assert.match(await page.locator(".stale-words").innerText(), /From before the mistake/);
});
