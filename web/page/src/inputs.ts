// The inputs of a recipe as sliders, boxes and lists. A control that is in use
// stays the same element while the recipe runs again.

import type { Param, Value } from "dicescript";
import { freshId, h } from "./dom.js";

/** A range of so many steps is a slider. */
const mostSteps = 1000;

export class Inputs {
  private shape = "";
  private setters = new Map<string, (value: Value) => void>();

  constructor(private readonly form: HTMLFormElement, private readonly onInput: (name: string, value: Value | undefined) => void) {
    form.addEventListener("submit", (e) => e.preventDefault());
  }

  /** Shows the inputs of a recipe with their values. */
  show(params: Param[], values: Record<string, Value>): void {
    this.form.hidden = params.length === 0;
    const shape = JSON.stringify(params.map(({ line: _, ...p }) => p));
    if (shape !== this.shape) {
      this.shape = shape;
      this.setters.clear();
      const reset = h("button", { type: "button", class: "quiet", onclick: () => params.forEach((p) => this.put(p, undefined)) }, "Reset");
      this.form.replaceChildren(...params.map((p) => this.control(p)), reset);
    }
    for (const p of params) this.setters.get(p.name)?.(values[p.name] ?? p.default);
  }

  private put(p: Param, value: Value | undefined): void {
    this.setters.get(p.name)?.(value ?? p.default);
    this.onInput(p.name, value === p.default ? undefined : value);
  }

  private control(p: Param): HTMLElement {
    const id = freshId();
    const help = p.help ? h("small", { id: id + "-help" }, p.help) : null;
    const label = h("label", { for: id }, p.name);
    const described = p.help ? { "aria-describedby": id + "-help" } : {};
    const set = (setter: (value: Value) => void) => this.setters.set(p.name, setter);
    const row = (...parts: (HTMLElement | null)[]) => h("div", { class: "input" }, ...parts, help);
    if (p.choices) {
      const select = h("select", { id, ...described, onchange: () => this.put(p, p.choices![select.selectedIndex]) }, ...p.choices.map((c) => h("option", {}, String(c))));
      set((value) => (select.selectedIndex = p.choices!.indexOf(value)));
      return row(label, select);
    }
    if (p.type === "bool") {
      const box = h("input", { id, type: "checkbox", role: "switch", ...described, onchange: () => this.put(p, box.checked) });
      set((value) => (box.checked = value === true));
      return row(label, box);
    }
    if (p.type === "string") {
      const box = h("input", { id, type: "text", ...described, oninput: () => this.put(p, box.value) });
      set((value) => document.activeElement !== box && (box.value = String(value)));
      return row(label, box);
    }
    const step = p.type === "int" ? 1 : fineStep(p);
    const number = h("input", { id, type: "number", step: p.type === "int" ? "1" : "any", ...described, ...(p.min !== undefined && { min: String(p.min) }), ...(p.max !== undefined && { max: String(p.max) }) });
    number.addEventListener("input", () => {
      if (number.value !== "" && number.validity.valid) this.put(p, Number(number.value));
    });
    if (p.min === undefined || p.max === undefined || (p.max - p.min) / step > mostSteps) {
      set((value) => document.activeElement !== number && (number.value = String(value)));
      return row(label, number);
    }
    const slider = h("input", { type: "range", "aria-label": p.name, min: String(p.min), max: String(p.max), step: String(step), oninput: () => this.put(p, Number(slider.value)) });
    set((value) => {
      if (document.activeElement !== slider) slider.value = String(value);
      if (document.activeElement !== number) number.value = String(value);
    });
    return row(label, slider, number);
  }
}

function fineStep(p: Param): number {
  const span = (p.max ?? 1) - (p.min ?? 0);
  return span > 0 ? 10 ** Math.floor(Math.log10(span / 50)) : 1;
}
