// The first minute: what this is, a recipe to change, a field that takes any roll, and
// the commonest rules of games at a touch.

import { h } from "./dom.js";

/** What a person sees who comes for the first time. */
export const startRecipe = `armour = param("armour", 16, min=8, max=24, help="that the attack has to reach")
output("it hits", d(20) + 5 >= armour)
output("damage", either(d(20) + 5 >= armour, 1d8 + 3, 0))
`;

const commonest: { name: string; text: string }[] = [
  { name: "advantage", text: 'output("with advantage", max(2d20) + 5 >= 16)\noutput("without", d(20) + 5 >= 16)\noutput("with disadvantage", min(2d20) + 5 >= 16)\n' },
  { name: "ability scores", text: 'output("4d6, drop the lowest", 4d6kh3)\noutput("3d6 in order", 3d6)\noutput("best of six", max([4d6kh3] * 6))\n' },
  { name: "counting successes", text: 'dice = param("dice", 6, min=1, max=15)\nhits = count(dice_pool(dice, 10), at_least(8))\noutput("successes", hits)\noutput("three or more", hits >= 3)\n' },
  { name: "exploding dice", text: 'output("a d6 that explodes", explode(d(6)))\noutput("and is 8 or more", explode(d(6)) >= 8)\n' },
  { name: "rolling against each other", text: 'output("who rolls higher", versus(d(20) + 3, d(20) + 5))\n' },
  { name: "hit and damage", text: startRecipe },
];

export interface StartHooks {
  /** Opens a text to look at and to change. */
  attempt(name: string, text: string): void;
}

/** Fills the box that greets. */
export function startWelcome(box: HTMLElement, hooks: StartHooks): void {
  const field = h("input", { id: "expression", type: "text", placeholder: "4d6kh3 >= 15", autocomplete: "off", spellcheck: false, autocapitalize: "off" });
  box.replaceChildren(
    h("p", {}, h("b", {}, "The exact chances of any dice rule, as you type."), " Write a roll, or begin with a rule that many games have:"),
    h("form", { class: "quick", onsubmit: (e: Event) => {
      e.preventDefault();
      const text = field.value.trim();
      if (text !== "") hooks.attempt("roll.star", text + "\n");
    } }, h("label", { for: "expression", class: "visually-hidden" }, "A roll"), field, h("button", { class: "primary" }, "Show its chances")),
    h("div", { class: "chips" }, ...commonest.map((c) => h("button", { type: "button", onclick: () => hooks.attempt(c.name + ".star", c.text) }, c.name))),
  );
}
