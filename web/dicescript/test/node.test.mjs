// The package in Node: against chances that anyone can count.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { DicescriptError, RunError, load } from "dicescript";

const here = fileURLToPath(new URL("..", import.meta.url));
const dice = await load();
after(() => dice.close());

test("a run gives exact chances", async () => {
  const program = await dice.compile("two.star", 'output("total", 2d6)\noutput("high", 2d6 >= 10)');
  const { outputs, usage } = await program.run();
  const seven = outputs[0].pmf.find((p) => p.outcome === 7);
  assert.equal(seven.exact, "1/6");
  assert.equal(outputs[0].mean.exact, "7");
  assert.equal(outputs[1].exact, "1/6");
  assert.ok(usage.steps > 0);
});

test("inputs are described and set", async () => {
  const program = await dice.compile("p.star", 'bonus = param("bonus", 2, help="to the roll", min=0, max=9)\noutput("x", d(20) + bonus >= 21)');
  assert.deepEqual(program.params, [{ name: "bonus", type: "int", default: 2, help: "to the roll", min: 0, max: 9, line: 1 }]);
  assert.equal((await program.run()).outputs[0].exact, "1/10");
  const nine = await program.run({ inputs: { bonus: 9 } });
  assert.equal(nine.outputs[0].exact, "9/20");
  assert.deepEqual(nine.inputs, { bonus: 9 });
  await assert.rejects(program.run({ inputs: { bonus: 10 } }), (e) => e instanceof RunError && e.kind === "input" && /bonus/.test(e.message));
  await assert.rejects(program.run({ inputs: { bonsu: 1 } }), { kind: "input" });
});

test("inputs may be bigints, and what JSON cannot write is an error of kind input", async () => {
  const program = await dice.compile("p.star", 'b = param("b", 2)\ns = param("s", "a")\noutput("x", b)\noutput("rolled", d(1) + b)');
  const seven = await program.run({ inputs: { b: 7n, s: undefined } });
  assert.equal(seven.outputs[0].exact, "7");
  assert.deepEqual(seven.inputs, { b: 7, s: "a" });
  const large = await program.run({ inputs: { b: 2n ** 60n + 1n } });
  assert.equal(large.outputs[0].exact, "1152921504606846977");
  assert.equal(large.inputs.b, "1152921504606846977");
  assert.equal((await program.run({ inputs: large.inputs })).outputs[0].exact, "1152921504606846977");
  assert.match(await dice.render(large, "text"), /1152921504606846977/);
  assert.ok((await program.roll(1, { inputs: { b: 8n } }))[0].text === "9");
  const loop = {};
  loop.loop = loop;
  const forever = await dice.compile("f.star", "while True:\n    pass");
  const beside = forever.run({ timeout: 400 }); // what is refused has no place behind it
  const began = performance.now();
  for (const b of [NaN, Infinity, null, [7], { seven: 7 }, () => 7, Symbol("7"), loop]) {
    await assert.rejects(program.run({ inputs: { b } }), (e) => e instanceof DicescriptError && e.kind === "input" && /^b: got /.test(e.message), String(typeof b));
    await assert.rejects(program.roll(1, { inputs: { b } }), { kind: "input" });
  }
  await assert.rejects(dice.compile("p.star", "x = 1", { files: { "a.star": 7n } }), { kind: "input" });
  await assert.rejects(dice.compile("p.star", "x = 1", { files: loop }), { kind: "input" });
  for (const timeout of [NaN, Infinity, 0, -1, 2 ** 31]) await assert.rejects(program.run({ timeout }), { kind: "input" });
  assert.ok(performance.now() - began < 350, "what is refused has waited");
  await assert.rejects(beside, { kind: "deadline" });
  assert.equal((await program.run({ inputs: { b: 9n } })).outputs[0].exact, "9");
});

test("inputs that cannot be written beside other runs leave them alone", async () => {
  const program = await dice.compile("p.star", 'b = param("b", 2)\noutput("x", 3d6 + b)');
  const runs = [1, 2n, () => 3, 4n, NaN, 6].map((b) => program.run({ inputs: { b } }));
  const ended = await Promise.allSettled(runs);
  assert.deepEqual(ended.map((e) => e.value?.outputs[0].mean.exact ?? e.reason.kind), ["23/2", "25/2", "input", "29/2", "input", "33/2"]);
});

test("a print that throws ends its run alone", async () => {
  const program = await dice.compile("p.star", 'print("x")\noutput("x", d(6))');
  const fault = new Error("the receiver is at fault");
  await assert.rejects(program.run({ print: () => { throw fault; } }), fault);
  assert.equal((await program.run()).outputs[0].mean.exact, "7/2");
});

test("errors have their kind and place", async () => {
  await assert.rejects(dice.compile("a.star", "x = 1\ny = (2"), (e) => e instanceof DicescriptError && e.kind === "syntax" && e.line >= 2 && e.file === "a.star");
  await assert.rejects(dice.compile("a.star", "x = explod(d(6))\nz = hihgest"), (e) => e.kind === "name" && e.mistakes.length === 2 && e.column === 5 && /explode/.test(e.message));
  const program = await dice.compile("a.star", 'output("first", d(4))\ndef f():\n    return d(0)\nf()');
  await assert.rejects(program.run(), (e) => e instanceof RunError && e.kind === "runtime" && e.line === 3 && e.frames.length === 2 && e.result.outputs[0].title === "first");
  assert.deepEqual(await dice.check("a.star", "x = 2d6"), []);
  assert.equal((await dice.check("a.star", "x = nothing"))[0].line, 1);
});

test("what a recipe makes and lets go again bounds nothing, what it holds does", async () => {
  const garbage = await dice.compile("g.star", 'for i in range(40000):\n    x = [0] * 1000\noutput("x", d(6) >= 6)');
  assert.equal((await garbage.run({ timeout: 60_000 })).outputs[0].exact, "1/6");
  const table = await dice.compile("t.star", "x = dice_pool(20000, 100).sum()");
  await assert.rejects(table.run(), { kind: "limit", message: /bytes of memory at once/ });
});

test("a run that passes its timeout is ended, and the next one works", async () => {
  const forever = await dice.compile("a.star", "while True:\n    pass");
  await assert.rejects(forever.run({ timeout: 100 }), { kind: "deadline" });
  assert.equal((await (await dice.compile("b.star", "output(d(6) == 6)")).run()).outputs[0].exact, "1/6");
});

test("a run can be aborted, while it runs and before", async () => {
  const forever = await dice.compile("a.star", "while True:\n    pass");
  const abort = new AbortController();
  const run = forever.run({ signal: abort.signal, timeout: 60_000 });
  const next = dice.compile("b.star", "output(d(6))"); // waits behind it
  setTimeout(() => abort.abort(), 50);
  await assert.rejects(run, { name: "AbortError" });
  assert.equal((await (await next).run()).outputs.length, 1);
  await assert.rejects(forever.run({ signal: AbortSignal.abort() }), { name: "AbortError" });
});

test("reports in every format", async () => {
  const result = await (await dice.compile("a.md", "# A rule\n\n```\noutput(\"x\", d(4))\n```\n")).run();
  assert.match(await dice.render(result, "markdown"), /\| 1 \| 25\.0 \| 1\/4 \|/);
  assert.match(await dice.render(result, "csv"), /1\/4/);
  assert.equal(JSON.parse(await dice.render(result, "json")).outputs[0].pmf.length, 4);
  assert.match(await dice.render(result, "svg"), /^<svg/);
  assert.match(await dice.render(result, "text"), /DieRoll · mean 2\.500/);
  assert.match(await dice.render(result, "html", { weave: true }), /<h1[^>]*>A rule/);
  await assert.rejects(dice.render(result, "pdf"), DicescriptError);
});

test("files beside the recipe, and what it prints", async () => {
  const program = await dice.compile("a.star", 'load("./house.star", "bonus")\nprint("hello")\noutput(d(6) + bonus)', { files: { "house.star": "bonus = 10" } });
  const heard = [];
  const result = await program.run({ print: (text) => heard.push(text) });
  assert.equal(result.outputs[0].mean.exact, "27/2");
  assert.deepEqual(heard, ["hello"]);
  assert.equal(result.printed, "hello\n");
});

test("completion, hover, the reference, and real dice", async () => {
  const words = await dice.complete("a.star", "x = expl", 8);
  assert.equal(words.from, 4);
  assert.ok(words.options.some((o) => o.label === "explode"));
  const hover = await dice.hover("a.star", "x = 4d6kh3", 6);
  assert.match(hover.text, /mean 12\.245/);
  assert.equal(await dice.hover("a.star", "# x", 2), null);
  const call = await dice.signature("a.star", "x = explode(d(6), ", 18);
  assert.match(call.text, /^explode\(/);
  assert.equal(call.active, 1);
  assert.equal(await dice.signature("a.star", "x = 1", 5), null);
  assert.deepEqual(await dice.remarks("a.star", "output('x', 3d6)"), []);
  const [remark] = await dice.remarks("a.star", "x = exlode(3d6)");
  assert.deepEqual([remark.from, remark.to, remark.warning], [4, 10, false]);
  assert.deepEqual(remark.fixes, [{ from: 4, to: 10, text: "explode" }]);
  assert.ok((await dice.reference()).some((t) => t.name === "explode"));
  assert.ok((await dice.modules()).some((m) => m.name === "rolemaster.star"));
  const rolled = await dice.roll("4d6kh3", { count: 3, seed: 1 });
  assert.equal(rolled.length, 3);
  assert.match(rolled[0].dice, /^4d6kh3 → \[.*\d\u0336.*\] \d+$/);
  assert.deepEqual(await dice.roll("4d6kh3", { count: 3, seed: 1 }), rolled);
  const program = await dice.compile("a.star", "output(constant(4))");
  assert.equal((await program.roll(0))[0].text, "4");
});

test("a closed engine refuses", async () => {
  const other = await load({ module: dice.workshop.compiled() });
  const open = other.compile("a.star", "x = 1");
  other.close();
  await assert.rejects(open, { kind: "cancelled" });
  await assert.rejects(other.compile("a.star", "x = 1"), { kind: "cancelled" });
});

test("an engine that cannot be started says so", async () => {
  await assert.rejects(load({ engine: join(here, "package.json") }), { kind: "internal" });
});

test("the example of the README runs, and the process ends by itself", () => {
  const readme = readFileSync(join(here, "README.md"), "utf8");
  const [, code, , printed] = readme.match(/```js node\n([\s\S]*?)```[\s\S]*?```(text)\n([\s\S]*?)```/);
  const folder = mkdtempSync(join(here, "test/readme-"));
  try {
    writeFileSync(join(folder, "example.mjs"), code);
    assert.equal(execFileSync(process.execPath, [join(folder, "example.mjs")], { encoding: "utf8", timeout: 60_000 }), printed);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the bot answers", () => {
  const lines = ["4d6kh3 >= 15", "!roll 2d6+1", "1d6 / 0 +", "while True: pass"];
  const { stdout, status } = spawnSync(process.execPath, [join(here, "examples/bot.mjs")], { input: lines.join("\n") + "\n", encoding: "utf8", timeout: 60_000 });
  assert.equal(status, 0);
  const answers = stdout.trim().split("\n");
  assert.equal(answers.length, 4, stdout);
  assert.match(answers[0], /23\.1 % \(/);
  assert.match(answers[1], /^2d6 → \[\d, \d\] \d+ \+ 1 = \d+/);
  assert.match(answers[2], /^sorry: /);
  assert.match(answers[3], /^sorry: .*time/);
});

test("npm pack holds what is needed and nothing else", () => {
  const folder = mkdtempSync(join(tmpdir(), "dicescript-pack-"));
  try {
    const [pack] = JSON.parse(execFileSync("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], { cwd: here, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
    const files = pack.files.map((f) => f.path).sort();
    for (const file of files) assert.match(file, /^(dist\/[\w-]+\.(js|d\.ts)|dist\/engine\.wasm\.br|dist\/tiny-brotli-dec-wasm\.wasm|README\.md|LICENSE|NOTICE|package\.json)$/);
    for (const file of ["dist/node.js", "dist/browser.js", "dist/browser.d.ts", "dist/engine.wasm.br", "dist/wasm_exec.js", "README.md", "LICENSE", "NOTICE"]) assert.ok(files.includes(file), file);
    // It works where nothing but the package is installed.
    execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", "--prefix", folder, join(folder, pack.filename)], { stdio: "ignore" });
    writeFileSync(join(folder, "try.mjs"), 'import { load } from "dicescript";\nconst d = await load();\nconsole.log((await (await d.compile("a", "output(d(6) == 6)")).run()).outputs[0].exact);\n');
    assert.equal(execFileSync(process.execPath, [join(folder, "try.mjs")], { encoding: "utf8", timeout: 60_000 }), "1/6\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
