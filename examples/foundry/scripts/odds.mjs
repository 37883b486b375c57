// Odds beside the rolls of chat cards. Foundry and the engine are handed in, so that both
// can be stubs.

/** One recipe for all rolls, which is compiled once. */
const RECIPE = `
formula = param("formula", "1d20")
total = param("total", 0)

result = roll(formula, dialect="foundry")
output("at least", result >= total)
output("exactly", result == total)
output("always", result.support_size() == 1 if result.error == 0 else False)
`;

const MOST_KEPT = 500;

/** Odds of formulas, of which those asked last are kept. */
export class Odds {
  #program;
  #known = new Map();

  constructor(dice) {
    this.#program = dice.compile("odds.star", RECIPE);
  }

  /**
   * How often a formula comes to a total or more: "28.7 % this or more · 9.65 % exactly this". It is null where
   * there is nothing to say: for a number without dice, a total with fractions, and notation that is not read.
   */
  async of(formula, total) {
    if (!Number.isSafeInteger(total)) return null;
    const key = `${total} ${formula}`;
    let line = this.#known.get(key);
    if (line === undefined) {
      line = this.#ask(formula, total);
      this.#known.set(key, line);
      if (this.#known.size > MOST_KEPT) this.#known.delete(this.#known.keys().next().value);
    }
    return line;
  }

  async #ask(formula, total) {
    try {
      const { outputs } = await (await this.#program).run({ inputs: { formula, total } });
      const [atLeast, exactly, always] = outputs;
      if (always.text === "True") return null;
      return `${percent(atLeast)} this or more · ${percent(exactly)} exactly this`;
    } catch (e) {
      if (e.kind === "runtime" || e.kind === "limit" || e.kind === "deadline") return null;
      throw e;
    }
  }
}

/** A chance with three digits. What is not certain is neither 0 nor 100. */
function percent({ value }) {
  if (value === 0 || value === 1) return `${100 * value} %`;
  const shown = Number((100 * value).toPrecision(3));
  return `${Math.min(Math.max(shown, 1e-6), 99.9)} %`;
}

/** Adds the odds to each roll of a chat card. element is the card, as a hook of Foundry has it. */
export async function annotate(odds, message, element) {
  const card = element instanceof Array || typeof element.get === "function" ? element[0] : element; // jQuery before version 13
  const places = card.querySelectorAll(".dice-roll");
  await Promise.all((message.rolls ?? []).map(async (roll, i) => {
    const line = await odds.of(roll.formula, roll.total);
    const place = places[i];
    if (!line || !place || place.querySelector(".dicescript-odds")) return;
    const shown = card.ownerDocument.createElement("div");
    shown.className = "dicescript-odds";
    shown.textContent = line; // formulas are written by players
    place.append(shown);
  }));
}

/** Has every card that is shown annotated. */
export function attach(hooks, dice) {
  const odds = new Odds(dice);
  const show = (message, element) => {
    annotate(odds, message, element).catch((e) => console.warn("dicescript-odds:", e.message));
  };
  hooks.on("renderChatMessageHTML", show); // from version 13 on
  hooks.on("renderChatMessage", show); // before
  return odds;
}
