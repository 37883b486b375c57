// Really rolling: notation as virtual tabletops have it, and the dice that came up.

import type { Rolled } from "dicescript";
import type { Backend } from "./backend.js";
import { openDialog } from "./dialog.js";
import { freshId, h } from "./dom.js";

/** What was rolled last, for the next time. */
let last = "4d6kh3";
const mostLines = 100;

export function openRoll(backend: Backend): void {
  const id = freshId();
  const box = h("input", { id, type: "text", autofocus: true, value: last, autocomplete: "off", spellcheck: false });
  const go = h("button", { class: "primary" }, "Roll");
  const list = h("ol", { class: "rolls", role: "log", "aria-label": "What came up", reversed: true });
  const form = h("form", { class: "roll-form", onsubmit: (e: Event) => (e.preventDefault(), void roll()) }, h("label", { for: id }, "Dice"), box, go);
  openDialog("Roll", "narrow", form, h("p", { class: "soft" }, "4d6kh3 keeps the highest three; 5d10!>=9 explodes; 2d20kl is disadvantage. What is struck out was not kept, 6! has exploded."), list);
  box.select();

  async function roll(): Promise<void> {
    last = box.value.trim();
    if (last === "") return;
    let line: HTMLElement;
    try {
      const [r] = await backend.ask<Rolled[]>("roll", { name: "roll", text: "", expr: last });
      line = h("li", {}, h("b", { class: "face" }, r!.text), h("code", {}, r!.dice ?? last), h("small", {}, r!.note ?? ""));
    } catch (why) {
      line = h("li", { class: "wrong" }, why instanceof Error ? why.message : String(why));
    }
    list.prepend(line);
    while (list.children.length > mostLines) list.lastElementChild!.remove();
  }
}
