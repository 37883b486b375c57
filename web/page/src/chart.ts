// The live chart of one roll or of several: bars or lines over the outcomes. The
// pointer, a finger or the arrow keys choose an outcome, and its exact chances
// are read out. Heights are the engine's floats; what is read is the engine's words.

import type { Chance, Series } from "dicescript";
import { h, s } from "./dom.js";
import { percentMark, ticks } from "./scale.js";

/** Which chance is shown. */
export type Mode = "exactly" | "atLeast" | "atMost";

const modes: { mode: Mode; label: string; sign: string }[] = [
  { mode: "exactly", label: "Exactly", sign: "" },
  { mode: "atLeast", label: "At least", sign: "≥ " },
  { mode: "atMost", label: "At most", sign: "≤ " },
];

/** One roll of a chart. */
export interface Trace {
  name: string;
  series: Series;
  /** Asks the engine for chances that did not come with the series. */
  probe(low: number, high: number): Promise<[Chance, Chance, Chance]>;
  pinned?: boolean;
}

const height = 210;
const margin = { top: 14, right: 14, bottom: 30, left: 54 };
const colours = 6;

export class RollChart {
  readonly el: HTMLElement;
  private readonly svg = s("svg", { class: "chart", tabindex: 0, role: "slider" });
  private readonly readout = h("div", { class: "readout" });
  private width = 480;
  private chosen: number | undefined;
  private asked = 0;
  private readonly lo: number;
  private readonly hi: number;
  /** All outcomes that some trace has, rising. */
  private readonly outcomes: number[];

  constructor(private readonly traces: Trace[], private readonly mode: Mode, private readonly title: string, chosen?: number, private readonly onChoose: (outcome: number | undefined) => void = () => {}) {
    [this.lo, this.hi] = seen(traces);
    this.outcomes = [...new Set(traces.flatMap((t) => t.series.low))].filter((x) => x >= this.lo && x <= this.hi).sort((a, b) => a - b);
    this.svg.setAttribute("aria-valuemin", String(this.outcomes[0] ?? 0));
    this.svg.setAttribute("aria-valuemax", String(this.outcomes.at(-1) ?? 0));
    this.svg.setAttribute("aria-valuenow", String(this.likeliest() ?? this.outcomes[0] ?? 0));
    this.svg.setAttribute("aria-valuetext", "no outcome chosen");
    this.svg.addEventListener("pointermove", (e) => this.point(e));
    this.svg.addEventListener("pointerdown", (e) => this.point(e));
    this.svg.addEventListener("keydown", (e) => this.key(e));
    this.svg.addEventListener("focus", () => this.chosen === undefined && this.choose(this.likeliest()));
    const legend = traces.length > 1 ? h("ul", { class: "legend" }, ...traces.map((t, k) => h("li", { class: `trace-${k % colours}` + (t.pinned ? " pinned" : "") }, t.name))) : null;
    this.el = h("div", { class: "live-chart" }, legend ? h("div", { class: "chart-head" }, legend) : null, this.svg, this.readout);
    new ResizeObserver(([entry]) => {
      const width = Math.round(entry?.contentRect.width ?? 0);
      if (width > 0 && width !== this.width) {
        this.width = width;
        this.draw();
      }
    }).observe(this.el);
    this.chosen = chosen !== undefined && this.outcomes.includes(chosen) ? chosen : undefined;
    this.draw();
    if (this.chosen === undefined) this.rest();
    else void this.read(this.chosen);
  }

  private x(outcome: number): number {
    const n = this.hi - this.lo + 1;
    return margin.left + ((outcome - this.lo + 0.5) / n) * (this.width - margin.left - margin.right);
  }

  private draw(): void {
    const { svg, width, lo, hi } = this;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("width", String(width));
    svg.setAttribute("height", String(height));
    svg.setAttribute("aria-label", this.description());
    const bottom = height - margin.bottom;
    const most = this.mode === "exactly" ? Math.max(1e-12, ...this.traces.map((t) => greatest(t.series.exactly))) : 1;
    const marks = ticks(0, most, 4);
    const top = Math.max(most, marks.at(-1) ?? most);
    const y = (p: number) => bottom - (p / top) * (bottom - margin.top);
    const parts: SVGElement[] = [];
    for (const p of marks) {
      parts.push(s("line", { class: "axis", x1: margin.left, x2: width - margin.right, y1: y(p), y2: y(p) }));
      parts.push(s("text", { x: margin.left - 8, y: y(p) + 4, "text-anchor": "end" }, percentMark(p)));
    }
    const perMark = 18 + 8 * Math.max(String(lo).length, String(hi).length);
    for (const v of ticks(lo, hi, Math.max(2, (width - margin.left) / perMark), true)) {
      parts.push(s("text", { x: this.x(v), y: height - 10, "text-anchor": "middle" }, String(v)));
    }
    const [first] = this.traces;
    const single = this.traces.length === 1 || this.traces.slice(1).every((t) => t.pinned);
    if (single && first) parts.push(...this.bars(first, y, bottom));
    this.traces.forEach((t, k) => {
      if (!(single && k === 0)) parts.push(this.line(t, k, y, bottom));
    });
    if (this.traces.length === 1 && first?.series.meanAt !== undefined && first.series.meanAt >= lo && first.series.meanAt <= hi) {
      const at = this.x(first.series.meanAt);
      parts.push(s("path", { class: "mean", d: `M${at} ${bottom}l4 7h-8z` }, s("title", {}, `mean ${first.series.mean ?? ""}`)));
    }
    parts.push(s("g", { class: "cursor" }));
    svg.replaceChildren(...parts);
    this.mark();
  }

  /** Bars, or where they would be too thin an area. */
  private bars(t: Trace, y: (p: number) => number, bottom: number): SVGElement[] {
    const values = t.series[this.mode];
    const step = (this.width - margin.left - margin.right) / (this.hi - this.lo + 1);
    if (step < 2.5) return [s("path", { class: "area", d: this.steps(t, y, bottom, true) }), s("path", { class: "curve trace-0", d: this.steps(t, y, bottom, false) })];
    const gap = Math.min(3, step / 5);
    const out: SVGElement[] = [];
    const bar = (outcome: number, p: number, between: boolean) => {
      const at = this.x(outcome) - step / 2 + gap / 2;
      const to = Math.max(bottom - y(p), 0.75);
      const width = Math.min(step - gap, 80);
      const middle = (step - gap - width) / 2;
      out.push(s("rect", { class: between ? "bar between" : "bar", "data-outcome": between ? undefined : outcome, x: (at + middle).toFixed(2), width: width.toFixed(2), y: (bottom - to).toFixed(2), height: to.toFixed(2), rx: Math.min(2, step / 6) }));
    };
    let next = this.lo;
    t.series.low.forEach((low, i) => {
      const p = values[i] ?? 0;
      if (low < this.lo || low > this.hi) return;
      // At least and at most are chances of what cannot be rolled itself, too.
      const between = this.mode === "atLeast" ? p : this.mode === "atMost" ? (values[i - 1] ?? 0) : 0;
      for (; next < low; next++) if (between > 0) bar(next, between, true);
      next = low + 1;
      if (p > 0) bar(low, p, false);
    });
    return out;
  }

  private line(t: Trace, k: number, y: (p: number) => number, bottom: number): SVGElement {
    return s("path", { class: `curve trace-${k % colours}` + (t.pinned ? " pinned" : ""), d: this.steps(t, y, bottom, false) });
  }

  /** The chances of a trace in steps, from outcome to outcome. */
  private steps(t: Trace, y: (p: number) => number, bottom: number, closed: boolean): string {
    const { low, high } = t.series;
    const values = t.series[this.mode];
    const half = (this.width - margin.left - margin.right) / (this.hi - this.lo + 1) / 2;
    const before = this.mode === "atLeast" ? 1 : 0;
    const after = this.mode === "atMost" ? 1 : 0;
    let d = "";
    let last = this.lo - 0.5;
    let level = before;
    const move = (x: number, p: number) => {
      d += d === "" ? `M${x.toFixed(1)} ${y(closed ? 0 : p).toFixed(1)}` + (closed ? `V${y(p).toFixed(1)}` : "") : `H${x.toFixed(1)}V${y(p).toFixed(1)}`;
    };
    for (let i = 0; i < low.length; i++) {
      const x = low[i]!;
      if (x < this.lo) {
        if (this.mode === "atMost") level = values[i]!;
        continue;
      }
      if (x > this.hi) break;
      if (d === "") move(this.x(this.lo) - half, last + 1 < x ? (this.mode === "atLeast" ? values[i]! : level) : values[i]!);
      if (this.mode === "exactly" && x > last + 1 && d !== "") move(this.x(last) + half, 0);
      move(this.x(x) - half, values[i]!);
      level = values[i]!;
      last = high ? high[i]! : x;
      if (this.mode === "atLeast" && i + 1 < low.length && low[i + 1]! <= this.hi) move(this.x(x) + half, values[i + 1]!);
    }
    const end = this.x(Math.min(last, this.hi)) + half;
    move(end, last >= this.hi ? level : this.mode === "atMost" ? level : 0);
    if (last < this.hi) move(this.x(this.hi) + half, after);
    return closed ? d + `V${bottom}Z` : d;
  }

  /** What a screen reader says of the chart. */
  private description(): string {
    const names = this.traces.map((t) => t.name).join(", ");
    return `${this.title}: chances of outcomes from ${this.lo} to ${this.hi}` + (this.traces.length > 1 ? `, for ${names}` : "") + ". Arrow keys move from outcome to outcome.";
  }

  private likeliest(): number | undefined {
    const series = this.traces[0]?.series;
    if (!series) return undefined;
    let best = 0;
    series.exactly.forEach((p, i) => {
      if (p > (series.exactly[best] ?? 0)) best = i;
    });
    return series.low[best];
  }

  private point(e: PointerEvent): void {
    const box = this.svg.getBoundingClientRect();
    const x = ((e.clientX - box.left) / box.width) * this.width;
    const n = this.hi - this.lo + 1;
    const at = this.lo + ((x - margin.left) / (this.width - margin.left - margin.right)) * n - 0.5;
    this.choose(nearest(this.outcomes, at));
  }

  private key(e: KeyboardEvent): void {
    const i = this.chosen === undefined ? -1 : this.outcomes.indexOf(this.chosen);
    const page = Math.max(1, Math.round(this.outcomes.length / 10));
    const to: Record<string, number> = {
      ArrowRight: i + 1, ArrowUp: i + 1, ArrowLeft: i - 1, ArrowDown: i - 1,
      Home: 0, End: this.outcomes.length - 1, PageUp: i + page, PageDown: i - page,
    };
    const next = to[e.key];
    if (next === undefined) return;
    e.preventDefault();
    this.choose(this.outcomes[Math.min(Math.max(next, 0), this.outcomes.length - 1)]);
  }

  private choose(outcome: number | undefined): void {
    this.chosen = outcome;
    this.onChoose(outcome);
    this.mark();
    if (outcome === undefined) {
      this.rest();
      return;
    }
    void this.read(outcome);
  }

  /** What stands below the chart when nothing is chosen. */
  private rest(): void {
    this.asked++;
    this.readout.replaceChildren(h("span", { class: "rest" }, "Point at an outcome for its exact chance"));
  }

  /** Reads out the chances of an outcome. */
  private async read(outcome: number): Promise<void> {
    const asked = ++this.asked;
    const answers = this.traces.map((t) => this.words(t, outcome));
    const waits = answers.some((a) => a instanceof Promise);
    if (waits) this.svg.setAttribute("aria-valuetext", String(outcome));
    const words = await Promise.all(answers.map((a) => Promise.resolve(a).catch(() => undefined)));
    if (asked !== this.asked) return;
    const { sign } = modes.find((m) => m.mode === this.mode)!;
    const index = modes.findIndex((m) => m.mode === this.mode);
    const label = this.label(outcome);
    const texts: string[] = [];
    const rows = this.traces.map((t, k) => {
      const chance = words[k]?.[index];
      const several = this.traces.length > 1;
      texts.push((several ? t.name + " " : "") + inWords(chance));
      return h("span", { class: "value" + (several ? ` trace-${k % colours}` : "") + (t.pinned ? " pinned" : "") }, several ? h("span", { class: "who" }, t.name) : null, ...chanceParts(chance));
    });
    this.svg.setAttribute("aria-valuenow", String(outcome));
    this.svg.setAttribute("aria-valuetext", `${spoken(this.mode)} ${label}: ${texts.join("; ")}`);
    this.readout.replaceChildren(h("b", { class: "outcome" }, sign + label), ...rows);
  }

  private words(t: Trace, outcome: number): [Chance, Chance, Chance] | Promise<[Chance, Chance, Chance]> {
    const i = t.series.low.indexOf(outcome);
    const words = i >= 0 ? t.series.words?.[i] : undefined;
    return words ?? t.probe(outcome, i >= 0 ? (t.series.high?.[i] ?? outcome) : outcome);
  }

  /** The outcome, or the outcomes of a point. */
  private label(outcome: number): string {
    const t = this.traces.find((t) => t.series.low.includes(outcome));
    const high = t?.series.high?.[t.series.low.indexOf(outcome)];
    if (high === undefined || high === outcome) return String(outcome);
    return this.mode === "atLeast" ? String(outcome) : this.mode === "atMost" ? String(high) : `${outcome} to ${high}`;
  }

  private mark(): void {
    for (const bar of this.svg.querySelectorAll(".bar")) {
      const outcome = Number(bar.getAttribute("data-outcome"));
      bar.classList.toggle("chosen", outcome === this.chosen);
    }
    const cursor = this.svg.querySelector(".cursor");
    cursor?.replaceChildren();
    if (this.chosen === undefined || !cursor) return;
    const x = this.x(this.chosen);
    cursor.append(s("line", { x1: x, x2: x, y1: margin.top, y2: height - margin.bottom }));
  }
}

/** A chance as it is read: percent, fraction, and the whole fraction where it is another. */
export function chanceParts(c: Chance | undefined): (HTMLElement | string)[] {
  if (!c) return ["…"];
  const parts = [h("b", {}, c.percent + " %"), h("span", { class: "fraction" }, c.fraction)];
  if (c.exact && c.exact !== c.fraction) parts.push(h("span", { class: "whole" }, c.exact));
  return parts;
}

export function inWords(c: Chance | undefined): string {
  return c ? `${c.percent} %, ${c.fraction}` : "not known yet";
}

export function spoken(mode: Mode): string {
  return { exactly: "exactly", atLeast: "at least", atMost: "at most" }[mode];
}

function greatest(values: number[]): number {
  let most = 0;
  for (const v of values) if (v > most) most = v;
  return most;
}

/** The outcomes worth drawing: tails that nobody could see are left out when there are many. */
function seen(traces: Trace[]): [number, number] {
  let lo = Infinity;
  let hi = -Infinity;
  for (const { series } of traces) {
    const n = series.low.length;
    if (n === 0) continue;
    let first = 0;
    let last = n - 1;
    if (series.low[last]! - series.low[first]! > 64) {
      while (first < last && series.atMost[first]! < 0.0005) first++;
      while (last > first && series.atLeast[last]! < 0.0005) last--;
    }
    lo = Math.min(lo, series.low[first]!);
    hi = Math.max(hi, series.high ? series.high[last]! : series.low[last]!);
  }
  return lo <= hi ? [lo, hi] : [0, 0];
}

/** The element of a rising list that is nearest to a value. */
function nearest(list: number[], value: number): number | undefined {
  let lo = 0;
  let hi = list.length - 1;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (list[mid]! < value) lo = mid + 1;
    else hi = mid;
  }
  const after = list[lo];
  const before = list[lo - 1];
  if (after === undefined || before === undefined) return after;
  return value - before < after - value ? before : after;
}
