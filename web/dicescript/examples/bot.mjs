// A chat bot: each line of standard input is a message, each line of standard
// output an answer. What people send is untrusted: every run has a timeout.
//
//   node examples/bot.mjs
//   4d6kh3 >= 15
//   4d6kh3 >= 15: 23.1 % (299/1296...)
//   !roll 2d6+1
//   8  [3 4] + 1  (58.3 % roll this or more)

import { createInterface } from "node:readline";
import { load } from "dicescript";

const dice = await load();

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === "") continue;
  try {
    console.log(await answer(line.trim()));
  } catch (why) {
    console.log(`sorry: ${why.message.split("\n")[0]}`);
  }
}

async function answer(message) {
  if (message.startsWith("!roll ")) {
    const [rolled] = await dice.roll(message.slice("!roll ".length));
    return `${rolled.dice ?? rolled.text}  (${rolled.note})`;
  }
  const text = message.includes("\n") || /^(while|for|def|output)\b/.test(message) ? message : `output(${JSON.stringify(message)}, ${message})`;
  const program = await dice.compile("message", text);
  const { outputs } = await program.run({ timeout: 2000 });
  return outputs.map(inWords).join("; ");
}

function inWords(o) {
  switch (o.kind) {
    case "Prob":
      return `${o.title}: ${(100 * o.value).toPrecision(3)} % (${o.exact})`;
    case "DieRoll":
      return `${o.title}: mean ${o.mean.value.toFixed(3)}, ${o.pmf[0].outcome} to ${o.pmf.at(-1).outcome}`;
    case "Outcomes":
      return `${o.title}: ${o.pmf.map((p) => `${p.outcome} ${(100 * p.value).toPrecision(3)} %`).join(", ")}`;
    default:
      return `${o.title}: ${o.text ?? o.exact ?? o.kind}`;
  }
}
