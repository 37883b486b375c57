// All outputs of a recipe side by side: chances as bars on one scale, rolls as mean,
// deviation, ends and quartiles over one axis, or outcome by outcome. One state, which
// the switch above it sets, says which chances everything below shows.

import { type TemplateResult, html, nothing, render, svg } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import type { Chance, Series, View } from "dicescript";
import type { Mode } from "./chart.js";

/** What the page shows of every output. */
export interface Look {
  /** Rolls by their mean and spread, or by the chances of their outcomes. */
  show: "summary" | Mode;
  /** Outputs as rows and outcomes as columns. */
  transposed: boolean;
}

export interface AnswerHooks {
  look(look: Look): void;
  roll(place: number, into: HTMLElement): void;
  download(place: number): void;
  go(line: number): void;
}

interface Chances {
  name: string;
  place: number;
  chance: Chance;
  line: number | undefined;
}

interface Roll {
  name: string;
  place: number;
  series: Series;
  line: number | undefined;
}

const shows: { show: Look["show"]; label: string }[] = [
  { show: "summary", label: "Summary" },
  { show: "exactly", label: "Exactly" },
  { show: "atLeast", label: "At least" },
  { show: "atMost", label: "At most" },
];
/** Outcomes that one table sets side by side. */
const mostOutcomes = 200;

/** The table of all chances and rolls of a result. */
export class Answer {
  readonly el = document.createElement("section");

  constructor(private readonly hooks: AnswerHooks) {
    this.el.className = "answer";
    this.el.setAttribute("aria-label", "All results");
  }

  /** Shows the outputs. Rolls are compared when there are several. */
  show(views: View[], look: Look): void {
    const chances = views.flatMap((v, place): Chances[] => (v.kind === "Prob" && v.bars?.[0] ? [{ name: v.title, place, chance: v.bars[0].exactly, line: v.line }] : []));
    const rolls = rollsOf(views);
    this.el.hidden = views.length === 0;
    render(
      html`${this.switch(look, rolls.length > 1)} ${chances.length > 0 ? this.chances(chances) : nothing}
      ${rolls.length > 1 ? (look.show === "summary" ? this.summary(rolls, look.transposed) : this.outcomes(rolls, look.show, look.transposed)) : nothing}`,
      this.el,
    );
  }

  private switch(look: Look, several: boolean): TemplateResult {
    const offered = several ? shows : shows.slice(1);
    const shown = several || look.show !== "summary" ? look.show : "exactly";
    return html`<div class="look">
      <fieldset class="modes">
        <legend class="visually-hidden">Show</legend>
        ${offered.map(
          (s) => html`<label><input type="radio" name="look" .checked=${s.show === shown} @change=${() => this.hooks.look({ ...look, show: s.show })} /><span>${s.label}</span></label>`,
        )}
      </fieldset>
      ${several
        ? html`<button type="button" class="quiet" aria-pressed=${look.transposed} @click=${() => this.hooks.look({ ...look, transposed: !look.transposed })}>Transposed</button>`
        : nothing}
    </div>`;
  }

  /** Each chance is one line: its name, a bar from 0 to 100 %, and its value. */
  private chances(chances: Chances[]): TemplateResult {
    return html`<div class="ds-scroll"><table class="chances">
      <thead class="visually-hidden"><tr><th scope="col">chance of</th><th scope="col">bar</th><th scope="col">%</th><th scope="col">fraction</th><th scope="col">throw</th></tr></thead>
      <tbody>${repeat(
        chances,
        (c) => c.place,
        (c) => html`<tr data-key=${`${c.name} ${c.place}`}>
          <th scope="row" title="a chance" @dblclick=${() => c.line && this.hooks.go(c.line)}>${c.name}</th>
          <td class="picture" aria-hidden="true"><span class="track"><i class="fill" style=${`width:${100 * Math.min(1, Math.max(0, c.chance.value))}%`}></i></span></td>
          <td class="readout"><b>${c.chance.percent} %</b> <span class="fraction">${c.chance.fraction}</span>${c.chance.exact && c.chance.exact !== c.chance.fraction ? html` <span class="whole">${c.chance.exact}</span>` : nothing}</td>
          <td class="throw"><button type="button" class="icon" title="Really roll" aria-label=${`Really roll ${c.name}`} @click=${(e: Event) => this.thrown(e, c.place)}>⚄</button><button type="button" class="icon" title="Download" aria-label=${`Download ${c.name}`} @click=${() => this.hooks.download(c.place)}>⤓</button><span class="rolled" role="status"></span></td>
        </tr>`,
      )}</tbody>
    </table></div>`;
  }

  private thrown(e: Event, place: number): void {
    this.hooks.roll(place, (e.currentTarget as HTMLElement).parentElement!.querySelector<HTMLElement>(".rolled")!);
  }

  private summary(rolls: Roll[], transposed: boolean): TemplateResult {
    const axis = axisOf(rolls);
    const heads = ["mean", "sd", "least", "¼", "½", "¾", "greatest"];
    const values = ({ series: s }: Roll) => [s.mean ?? "?", s.sd ?? "?", ...(s.five ?? [s.low[0], "?", "?", "?", s.low.at(-1)])].map(String);
    if (transposed) {
      return table("Rolls side by side", "", rolls.map(nameOf), heads.map((head, i) => ({ head, cells: rolls.map((r) => values(r)[i]!) })));
    }
    return html`<div class="ds-scroll"><table class="rolls-table">
      <caption class="visually-hidden">Rolls side by side</caption>
      <thead><tr><th scope="col"><span class="visually-hidden">roll</span></th><th scope="col" class="picture">${axis.lo} to ${axis.hi}</th>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
      <tbody>${repeat(
        rolls,
        (r) => `${r.place} ${r.name}`,
        (r) => html`<tr data-summary=${r.name}><th scope="row" @dblclick=${() => r.line && this.hooks.go(r.line)}>${r.name}</th><td class="picture" aria-hidden="true">${box(r.series, axis)}</td>${values(r).map((v) => html`<td>${v}</td>`)}</tr>`,
      )}</tbody>
    </table></div>`;
  }

  /** The chances of each outcome of each roll, in percent. */
  private outcomes(rolls: Roll[], mode: Mode, transposed: boolean): TemplateResult {
    const all = [...new Set(rolls.flatMap((r) => r.series.low))].sort((a, b) => a - b);
    if (all.length > mostOutcomes) return html`<p class="soft">These rolls have ${all.length} outcomes, too many for one table: the charts below tell each.</p>`;
    const sign = { exactly: "", atLeast: "≥ ", atMost: "≤ " }[mode];
    const outcomes = all.map((x) => sign + x);
    const columns = rolls.map((r) => all.map((x) => percentOf(r.series, x, mode)));
    if (transposed) return table("Chances in percent", "", outcomes, rolls.map((r, i) => ({ head: r.name, cells: columns[i]! })));
    return table("Chances in percent", "", rolls.map(nameOf), outcomes.map((head, i) => ({ head, cells: columns.map((c) => c[i]!) })));
  }
}

function table(caption: string, corner: string, cols: string[], rows: { head: string; cells: string[] }[]): TemplateResult {
  return html`<div class="ds-scroll"><table class="rolls-table">
    <caption class="visually-hidden">${caption}</caption>
    <thead><tr><th scope="col">${corner || html`<span class="visually-hidden">row</span>`}</th>${cols.map((c) => html`<th scope="col">${c}</th>`)}</tr></thead>
    <tbody>${rows.map((r) => html`<tr><th scope="row">${r.head}</th>${r.cells.map((c) => html`<td>${c}</td>`)}</tr>`)}</tbody>
  </table></div>`;
}

const nameOf = (r: Roll) => r.name;

/** The rolls of all outputs, those of comparisons too. */
export function rollsOf(views: View[]): Roll[] {
  return views.flatMap((v, place) => (v.series ?? []).filter((s) => s.low.length > 0).map((series) => ({ name: series.name || v.title, place, series, line: v.line })));
}

/** The chance of an outcome, of it or more, or of it or less, in percent; also where the roll has no such outcome. */
function percentOf(s: Series, x: number, mode: Mode): string {
  const i = s.low.indexOf(x);
  if (i >= 0) return s.words?.[i]?.[["exactly", "atLeast", "atMost"].indexOf(mode)]?.percent ?? percent(s[mode][i] ?? 0);
  if (mode === "exactly") return "";
  const next = s.low.findIndex((y) => y > x); // the first outcome above
  if (mode === "atLeast") return next < 0 ? "" : (s.words?.[next]?.[1].percent ?? percent(s.atLeast[next] ?? 0));
  const before = (next < 0 ? s.low.length : next) - 1;
  return before < 0 ? "" : (s.words?.[before]?.[2].percent ?? percent(s.atMost[before] ?? 0));
}

const percent = (p: number) => String(Number((100 * p).toPrecision(3)));

interface Axis {
  lo: number;
  hi: number;
}

function axisOf(rolls: Roll[]): Axis {
  return {
    lo: Math.min(...rolls.map((r) => r.series.five?.[0] ?? r.series.low[0]!)),
    hi: Math.max(...rolls.map((r) => r.series.five?.[4] ?? r.series.low.at(-1)!)),
  };
}

/** A roll over the axis of all: its ends, its quartiles as a box, its median and its mean. */
function box(s: Series, { lo, hi }: Axis): TemplateResult | typeof nothing {
  if (!s.five) return nothing;
  const at = (x: number) => (hi > lo ? 2 + (196 * (x - lo)) / (hi - lo) : 100);
  const [least, first, median, third, greatest] = s.five.map(at) as [number, number, number, number, number];
  return html`<svg viewBox="0 0 200 22" width="200" height="22" class="box">
    ${svg`<line x1=${least} x2=${greatest} y1="11" y2="11" /><rect x=${first - 1} width=${Math.max(2, third - first + 2)} y="4" height="14" rx="2" /><line class="median" x1=${median} x2=${median} y1="3" y2="19" />`}
    ${s.meanAt === undefined ? nothing : svg`<circle cx=${at(s.meanAt)} cy="11" r="2.5" />`}
  </svg>`;
}
