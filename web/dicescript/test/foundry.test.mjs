// The module for Foundry in examples/foundry, against a stub of Foundry.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { load } from "dicescript";
import { annotate, attach, Odds } from "../../../examples/foundry/scripts/odds.mjs";

const dice = await load();
after(() => dice.close());

/** As much of the DOM as a card needs. */
class Element {
  children = [];
  className = "";
  textContent = "";
  ownerDocument = { createElement: () => new Element() };
  append(child) {
    this.children.push(child);
  }
  querySelectorAll(selector) {
    return this.children.flatMap((c) => [...(c.className === selector.slice(1) ? [c] : []), ...c.querySelectorAll(selector)]);
  }
  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }
}

function card(rolls) {
  const element = new Element();
  for (const _ of rolls) {
    const roll = new Element();
    roll.className = "dice-roll";
    element.append(roll);
  }
  return element;
}

const lines = (element) => element.querySelectorAll(".dice-roll").map((r) => r.querySelector(".dicescript-odds")?.textContent ?? null);

test("rolls of a card get their odds", async () => {
  const rolls = [
    { formula: "4d6kh3", total: 15 },
    { formula: "1d20 + 5[Dexterity]", total: 15 },
    { formula: "{1d8, 1d10}kh1", total: 10 },
    { formula: "1d6x", total: 7 }, // without end: exactly 7 is 6 and 1
    { formula: "5", total: 5 }, // no dice
    { formula: "1d6 / 2", total: 1.5 }, // a fraction
    { formula: "1d20ms>10", total: 3 }, // is not read
    { formula: "1d6<img src=x onerror=alert(1)>", total: 3 },
  ];
  const element = card(rolls);
  const odds = new Odds(dice);
  await annotate(odds, { rolls }, element);
  assert.deepEqual(lines(element), [
    "23.1 % this or more · 10.1 % exactly this", // 25/108 and 131/1296
    "55 % this or more · 5 % exactly this",
    "10 % this or more · 10 % exactly this",
    "16.7 % this or more · 2.78 % exactly this",
    null, null, null, null,
  ]);
  await annotate(odds, { rolls }, element); // a card that is shown again
  assert.equal(element.querySelectorAll(".dicescript-odds").length, 4);
  await annotate(odds, {}, card([])); // a message without rolls
});

test("every card is annotated, in both generations of hooks", async () => {
  const hooks = new Map();
  attach({ on: (name, f) => hooks.set(name, f) }, dice);
  assert.deepEqual([...hooks.keys()], ["renderChatMessageHTML", "renderChatMessage"]);
  const rolls = [{ formula: "2d6", total: 7 }];
  for (const [name, wrap] of [["renderChatMessageHTML", (e) => e], ["renderChatMessage", (e) => ({ 0: e, get: () => e })]]) {
    const element = card(rolls);
    hooks.get(name)({ rolls }, wrap(element));
    for (let i = 0; i < 200 && lines(element)[0] === null; i++) await new Promise((done) => setTimeout(done, 20));
    assert.equal(lines(element)[0], "58.3 % this or more · 16.7 % exactly this", name);
  }
});

test("the module says what it loads", () => {
  const folder = new URL("../../../examples/foundry/", import.meta.url);
  const { esmodules } = JSON.parse(readFileSync(new URL("module.json", folder), "utf8"));
  for (const file of esmodules) assert.ok(readFileSync(new URL(file, folder), "utf8").includes("Hooks"), file);
});
