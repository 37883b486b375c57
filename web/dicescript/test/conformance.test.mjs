// The same cases as every other way into dicescript: answers by plain enumeration.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { load } from "dicescript";

const dice = await load();
after(() => dice.close());

const cases = JSON.parse(readFileSync(new URL("../../../testdata/conformance/cases.json", import.meta.url), "utf8"));

test("the values of expressions are those of plain enumeration", async () => {
  assert.ok(cases.length >= 400);
  const atOnce = 100;
  for (let from = 0; from < cases.length; from += atOnce) {
    const some = cases.slice(from, from + atOnce);
    const source = some.map((c, i) => `output("${i}", ${c.text})`).join("\n");
    const { outputs } = await (await dice.compile("cases.star", source)).run();
    for (const [i, { text, answer }] of some.entries()) {
      const out = outputs[i];
      assert.equal(out.error, 0, text);
      if (typeof answer === "string") {
        assert.equal(out.exact, answer, text);
        continue;
      }
      const chances = out.pmf.filter((p) => p.exact !== "0").map((p) => [String(p.outcome), p.exact]);
      assert.deepEqual(Object.fromEntries(chances), answer, text);
    }
  }
});
