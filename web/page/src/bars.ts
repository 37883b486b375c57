// The live chart of labelled chances: one bar for each, from 0 to 100 %.

import type { Bar, Chance } from "dicescript";
import { type Mode, chanceParts, inWords, spoken } from "./chart.js";
import { h } from "./dom.js";

export interface PinnedBars {
  name: string;
  bars: Bar[];
}

export class BarChart {
  readonly el: HTMLElement;
  private readonly list = h("div", { class: "bars", tabIndex: 0, role: "slider" });
  private readonly readout = h("div", { class: "readout" });
  private chosen = -1;

  constructor(private readonly bars: Bar[], ordered: boolean, private mode: Mode, title: string, private readonly pins: PinnedBars[], chosen = -1, private readonly onChoose: (bar: number) => void = () => {}) {
    const canOrder = ordered && bars.length > 2 && bars.every((b) => b.atLeast && b.atMost);
    if (!canOrder) this.mode = "exactly";
    this.el = h(
      "div",
      { class: "live-chart" },
      this.list,
      this.readout,
    );
    this.list.setAttribute("aria-label", `${title}: ${bars.length === 1 ? "one chance" : `${bars.length} chances`}. Arrow keys move from one to the next.`);
    this.list.setAttribute("aria-valuemin", "1");
    this.list.setAttribute("aria-valuemax", String(bars.length));
    this.list.setAttribute("aria-valuenow", "1");
    this.list.setAttribute("aria-valuetext", "no bar chosen");
    this.list.addEventListener("keydown", (e) => this.key(e));
    this.list.addEventListener("focus", () => this.chosen < 0 && this.choose(0));
    this.list.addEventListener("pointerover", (e) => this.point(e));
    this.list.addEventListener("pointerdown", (e) => this.point(e));
    this.draw();
    this.choose(chosen < bars.length ? chosen : -1);
  }

  private chance(b: Bar): Chance {
    return (this.mode === "exactly" ? undefined : b[this.mode]) ?? b.exactly;
  }

  private draw(): void {
    this.list.replaceChildren(
      ...this.bars.map((b, i) => {
        const c = this.chance(b);
        const marks = this.pins.map((p) => {
          const same = p.bars.find((o) => o.label === b.label);
          const mark = h("i", { class: "pin-mark", title: `${p.name}: ${same ? this.chance(same).percent : "0"} %` });
          mark.style.insetInlineStart = `${100 * (same ? this.chance(same).value : 0)}%`;
          return mark;
        });
        const fill = h("i", { class: "fill" });
        fill.style.width = `${100 * Math.min(1, Math.max(0, c.value))}%`;
        const row = h("div", { class: "bar-row" }, h("span", { class: "bar-label" }, b.label), h("span", { class: "track" }, fill, ...marks), h("span", { class: "bar-value" }, c.percent + " %"));
        row.dataset["bar"] = String(i);
        return row;
      }),
    );
  }

  private point(e: Event): void {
    const row = (e.target as HTMLElement).closest<HTMLElement>("[data-bar]");
    if (row) this.choose(Number(row.dataset["bar"]));
  }

  private key(e: KeyboardEvent): void {
    const last = this.bars.length - 1;
    const to: Record<string, number> = { ArrowRight: this.chosen + 1, ArrowDown: this.chosen + 1, ArrowLeft: this.chosen - 1, ArrowUp: this.chosen - 1, Home: 0, End: last };
    const next = to[e.key];
    if (next === undefined) return;
    e.preventDefault();
    this.choose(Math.min(Math.max(next, 0), last));
  }

  private choose(i: number): void {
    if (this.bars.length === 1) i = 0; // there is nothing to choose from
    this.chosen = i;
    this.onChoose(i);
    [...this.list.children].forEach((row, k) => row.classList.toggle("chosen", k === i && this.bars.length > 1));
    const b = this.bars[i];
    if (!b) {
      this.readout.replaceChildren(h("span", { class: "rest" }, "Point at a bar for its exact chance"));
      return;
    }
    const c = this.chance(b);
    const prefix = this.mode === "exactly" ? "" : spoken(this.mode) + " ";
    this.list.setAttribute("aria-valuenow", String(i + 1));
    this.list.setAttribute("aria-valuetext", `${prefix}${b.label}: ${inWords(c)}`);
    const pinned = this.pins.map((p) => {
      const same = p.bars.find((o) => o.label === b.label);
      return h("span", { class: "value pinned" }, h("span", { class: "who" }, p.name), ...(same ? chanceParts(this.chance(same)) : ["no such label"]));
    });
    this.readout.replaceChildren(h("b", { class: "outcome" }, prefix + b.label), h("span", { class: "value" }, ...chanceParts(c)), ...pinned);
  }
}
