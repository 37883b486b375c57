// The results of a run: the engine's report, in which each output's picture is a
// live one, with buttons to pin it, to really roll it, and to take it away.

import type { Chance, Recipe, Rolled, RunAnswer, View } from "dicescript";
import type { Backend } from "./backend.js";
import { Answer, type Look, rollsOf } from "./answer.js";
import { BarChart } from "./bars.js";
import { type Mode, RollChart, type Trace } from "./chart.js";
import { byId, h, icon, icons } from "./dom.js";
import { enlivenGrid } from "./heat.js";
import { fromReport } from "./safe.js";

/** A result that stays while others come. */
interface Pin {
  view: View;
  recipe: Recipe;
  place: number;
  name: string;
}

export interface ResultHooks {
  backend: Backend;
  /** Takes an output away, or all of them. */
  download(place: number | undefined): void;
  /** Puts the cursor where an output is made. */
  go(line: number): void;
  /** Asks for the result again, with the chances that are looked at. */
  again(): void;
}

/** The kinds of outputs in plain words. */
const plain: Record<string, string> = {
  DieRoll: "a roll", Prob: "a chance", Outcomes: "labels with chances", ProbTable: "a table of chances", Grid: "a grid", Comparison: "rolls compared", Plan: "a plan",
};
const drawnAtOnce = 12; // outputs
const most = 2; // rolls that make a comparison worth offering

export class Results {
  private readonly el = byId("results");
  private readonly pinBar = byId("pins");
  private readonly answers: Answer;
  /** Which chances are shown, of every output. */
  look: Look = { show: "summary", transposed: false };
  /** The outcomes and bars that are read out, by the output's key. */
  private readonly chosen = new Map<string, number | undefined>();
  private pins: Pin[] = [];
  private together = false;
  private readonly waiting = new Map<Element, () => void>();
  private readonly inView = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) this.draw(target);
    },
    { rootMargin: "600px" },
  );
  private answer: RunAnswer | undefined;
  private recipe: Recipe | undefined;

  constructor(private readonly hooks: ResultHooks) {
    this.answers = new Answer({
      look: (look) => {
        this.look = look;
        this.render();
        this.hooks.again();
      },
      roll: (place, into) => void this.roll(place, into),
      download: (place) => this.hooks.download(place),
      go: (line) => this.hooks.go(line),
    });
    window.addEventListener("beforeprint", () => [...this.waiting.keys()].forEach((section) => this.draw(section)));
  }

  private draw(section: Element): void {
    this.inView.unobserve(section);
    this.waiting.get(section)?.();
    this.waiting.delete(section);
  }

  /** Shows what a run gave. */
  show(answer: RunAnswer, recipe: Recipe): void {
    this.answer = answer;
    this.recipe = recipe;
    this.render();
  }

  /** Whether there is something to take away. */
  get views(): View[] {
    return this.answer?.views ?? [];
  }

  /** Says that what is shown is from before the last mistake. */
  stale(): void {
    if (this.el.classList.contains("stale") || this.el.childElementCount === 0) return;
    this.el.classList.add("stale");
    this.el.prepend(h("p", { class: "stale-words", role: "status" }, "From before the mistake: these are not the results of what is written now."));
  }

  /** Empties the results, for another file. */
  clear(): void {
    this.answer = undefined;
    this.el.replaceChildren();
    this.chosen.clear();
  }

  private render(): void {
    const { answer, recipe } = this;
    if (!answer || !recipe) return;
    this.inView.disconnect();
    this.waiting.clear();
    const focused = this.answers.el.contains(document.activeElement) ? undefined : document.activeElement?.closest<HTMLElement>("[data-key]")?.dataset["key"];
    const inAnswer = this.answers.el.contains(document.activeElement) ? (document.activeElement as HTMLElement) : undefined;
    const content = fromReport(answer.html ?? "");
    for (const table of content.querySelectorAll<HTMLElement>("section.ds-singles")) table.replaceWith(...this.apart(table));
    const sections = [...content.querySelectorAll<HTMLElement>("section.ds-output")];
    for (const section of sections) {
      const place = Number(/^ds-(\d+)-h$/.exec(section.getAttribute("aria-labelledby") ?? "")?.[1] ?? -1);
      const view = answer.views?.[place];
      if (view?.kind === "Prob" && !answer.document) section.remove(); // is a line of the answer
      else if (view) this.coming(section, view, place);
    }
    const article = h("article", { class: answer.document ? "document" : "outputs" });
    this.answers.show(answer.document ? this.views.filter((v) => v.kind !== "Prob") : this.views, this.look);
    if (!answer.document) article.append(this.answers.el);
    const rolls = rollsOf(this.views).length;
    if (rolls >= most || this.together) article.append(this.overlay(rolls));
    article.append(content);
    if (this.views.length === 0 && answer.ok && !answer.document) article.append(this.nothing());
    this.el.replaceChildren(article);
    this.el.classList.remove("stale");
    this.showPins();
    inAnswer?.focus({ preventScroll: true });
    if (focused) this.el.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"] [tabindex="0"]`)?.focus({ preventScroll: true });
  }

  /** Draws the first outputs now, and the others as they come into view: a recipe may have a thousand. */
  private coming(section: HTMLElement, view: View, place: number): void {
    const kind = section.querySelector<HTMLElement>(".ds-title small");
    if (kind && plain[view.kind]) {
      kind.title = view.kind;
      kind.textContent = (kind.textContent ?? "").replace(view.kind, plain[view.kind]!);
    }
    const draw = () => this.enliven(section, view, place);
    if (place < drawnAtOnce) return draw();
    section.classList.add("later");
    this.waiting.set(section, draw);
    this.inView.observe(section);
  }

  /** Single values that the report has put into one table, each with its own buttons. */
  private apart(table: HTMLElement): HTMLElement[] {
    return [...table.querySelectorAll<HTMLTableRowElement>("tbody tr")].map((row) => {
      const head = row.querySelector("th");
      const id = head?.id ?? "";
      const kind = this.views[Number(/^ds-(\d+)-h$/.exec(id)?.[1])]?.kind ?? "";
      const value = [...row.querySelectorAll("td")].map((cell) => cell.textContent?.trim()).filter(Boolean).join(" · ");
      return h(
        "section",
        { class: "ds-output single", "aria-labelledby": id },
        h("h2", { class: "ds-title", id }, head?.textContent ?? "", h("small", {}, ` · ${kind}`)),
        h("div", { class: "ds-body" }, h("p", { class: "ds-scroll" }, value)),
      );
    });
  }

  private nothing(): HTMLElement {
    return h("p", { class: "empty" }, "This recipe puts nothing out. Write ", h("code", {}, 'output("name", value)'), " to see a value.");
  }

  /** Gives the section of an output its live chart and its buttons. */
  private enliven(section: HTMLElement, view: View, place: number): void {
    const body = section.querySelector<HTMLElement>(".ds-body");
    if (!body) return;
    const key = `${view.title} ${place}`;
    section.dataset["key"] = key;
    const chart = this.chart(view, place, key, body);
    body.querySelector("figure")?.remove();
    if (view.kind === "Prob") {
      const table = body.querySelector<HTMLElement>(".ds-scroll"); // of a document: says what the bar says, to screen readers
      table?.classList.add("told");
      table?.removeAttribute("tabindex");
    }
    if (chart) body.prepend(h("div", { class: "figure" }, chart));
    const heading = section.querySelector(".ds-title");
    const rolled = h("div", { class: "rolled", role: "status" });
    const buttons = h("div", { class: "output-tools" });
    if (["DieRoll", "Outcomes", "Prob"].includes(view.kind)) buttons.append(tool("Really roll", icons.roll, view.title, () => void this.roll(place, rolled)));
    if (view.series?.length === 1 || (view.whole && view.bars)) buttons.append(tool("Pin", icons.pin, view.title, () => this.pin(view, place)));
    buttons.append(tool("Download", icons.save, view.title, () => this.hooks.download(place)));
    const head = h("div", { class: "output-head" });
    heading?.replaceWith(head);
    if (heading) head.append(heading);
    head.append(buttons);
    head.after(rolled);
    if (view.line && heading) {
      heading.addEventListener("dblclick", () => this.hooks.go(view.line!));
    }
  }

  private chart(view: View, place: number, key: string, body: HTMLElement): HTMLElement | undefined {
    const mode = this.mode;
    if (view.heat) {
      const table = body.querySelector("table");
      if (!table) return undefined;
      return enlivenGrid(table, view.heat, async (row, col) => (await this.hooks.backend.ask<[Chance]>("probe", { ...this.recipe, place, row, col }))[0]);
    }
    if (view.bars) {
      const pins = this.pinsFor(view).map((p) => ({ name: p.name, bars: p.view.bars ?? [] }));
      return new BarChart(view.bars, view.whole ?? false, mode, view.title, pins, this.chosen.get(key), (bar) => this.chosen.set(key, bar)).el;
    }
    if (!view.series || view.series.every((t) => t.low.length === 0)) return undefined;
    const traces = view.series.filter((t) => t.low.length > 0).map((_, i) => this.trace(view, this.recipe!, place, i));
    for (const p of this.pinsFor(view)) traces.push({ ...this.trace(p.view, p.recipe, p.place, 0), name: p.name, pinned: true });
    return new RollChart(traces, mode, view.title, this.chosen.get(key), (outcome) => this.chosen.set(key, outcome)).el;
  }

  /** Which chances charts show. */
  private get mode(): Mode {
    return this.look.show === "summary" ? "exactly" : this.look.show;
  }

  private trace(view: View, recipe: Recipe, place: number, index: number): Trace {
    const series = view.series![index]!;
    return {
      name: series.name || view.title,
      series,
      probe: (low, high) => this.hooks.backend.ask<[Chance, Chance, Chance]>("probe", { ...recipe, place, series: index, low, high }),
    };
  }

  /** All rolls of the result in one chart, for whoever asks. */
  private overlay(rolls: number): HTMLElement {
    const box = h("section", { class: "overlay", "aria-label": "Overlay" });
    box.dataset["key"] = "overlay";
    const button = h("button", { type: "button", class: "quiet", "aria-pressed": String(this.together), onclick: () => {
      this.together = !this.together;
      this.render();
      this.el.querySelector<HTMLElement>(".overlay button")?.focus();
    } }, this.together ? "Hide the overlay" : `Overlay all ${rolls} rolls`);
    box.append(button);
    if (!this.together) return box;
    const traces = this.views.flatMap((v, place) => (v.series ?? []).flatMap((s, i) => (s.low.length > 0 ? [this.trace(v, this.recipe!, place, i)] : [])));
    if (traces.length > 0) box.append(new RollChart(traces, this.mode, "All rolls", this.chosen.get("overlay"), (outcome) => this.chosen.set("overlay", outcome)).el);
    return box;
  }

  /** Really rolls an output. */
  private async roll(place: number, into: HTMLElement): Promise<void> {
    try {
      const [r] = await this.hooks.backend.ask<Rolled[]>("roll", { ...this.recipe, place, count: 1 });
      into.replaceChildren(h("b", { class: "face" }, r?.text ?? ""), h("span", {}, r?.note ?? ""));
    } catch (why) {
      into.textContent = why instanceof Error ? why.message : String(why);
    }
  }

  private pinsFor(view: View): Pin[] {
    return this.pins.filter((p) => p.view.title === view.title && p.view.kind === view.kind);
  }

  private pin(view: View, place: number): void {
    const inputs = Object.entries(this.recipe?.inputs ?? {}).map(([k, v]) => `${k} = ${v}`);
    const base = `${view.title} (${inputs.length > 0 ? inputs.join(", ") : "pinned"})`;
    const taken = new Set(this.pins.map((p) => p.name));
    let name = base;
    for (let n = 2; taken.has(name); n++) name = `${base} ${n}`;
    this.pins.push({ view, recipe: structuredClone(this.recipe!), place, name });
    this.render();
  }

  private showPins(): void {
    this.pinBar.hidden = this.pins.length === 0;
    this.pinBar.replaceChildren(
      ...this.pins.map((p) =>
        h("span", { class: "pin" }, p.name, h("button", { type: "button", class: "icon", "aria-label": `Unpin ${p.name}`, onclick: () => {
          this.pins = this.pins.filter((q) => q !== p);
          this.render();
        } }, icon(icons.close))),
      ),
    );
  }
}

function tool(what: string, path: string, title: string, onclick: () => void): HTMLElement {
  return h("button", { type: "button", class: "icon", title: what, "aria-label": `${what} ${title}`, onclick }, icon(path));
}
