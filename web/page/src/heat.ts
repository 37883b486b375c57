// A grid as a heat map that is its own table: the stronger the colour, the greater
// the value. A cell that is pointed at, or reached by the arrow keys, is read out
// exactly.

import type { Chance, Heat } from "dicescript";
import { chanceParts } from "./chart.js";
import { h } from "./dom.js";

/** Makes the table of a report live. Its rows and cells are those of the grid; `probe` asks for a value that did not come in words. */
export function enlivenGrid(table: HTMLTableElement, heat: Heat, probe: (row: number, col: number) => Promise<Chance>): HTMLElement {
  const readout = h("div", { class: "readout" }, h("span", { class: "rest" }, "Point at a cell for its exact value"));
  const rows = [...table.tBodies[0]!.rows].map((r) => [...r.querySelectorAll("td")]);
  const [lo, hi] = heat.prob ? [0, 1] : ends(heat.values);
  let at: HTMLElement | undefined;
  const choose = async (r: number, c: number, focus: boolean) => {
    const cell = rows[r]?.[c];
    if (!cell || heat.values[r]?.[c] === undefined) return;
    at?.classList.remove("chosen");
    if (at) at.tabIndex = -1;
    at = cell;
    cell.classList.add("chosen");
    cell.tabIndex = 0;
    if (focus) cell.focus();
    const value = heat.cells?.[r]?.[c] ?? (await probe(r, c).catch(() => undefined));
    if (at !== cell || !value) return;
    const words = heat.prob ? chanceParts(value) : [h("b", {}, cell.textContent ?? ""), h("span", { class: "fraction" }, value.exact ?? "")];
    readout.replaceChildren(h("b", { class: "outcome" }, `${heat.rows[r]} × ${heat.cols[c]}`), h("span", { class: "value" }, ...words));
    cell.setAttribute("aria-label", `${heat.rows[r]}, ${heat.cols[c]}: ${cell.textContent}${heat.prob ? " %" : ""}, ${value.fraction}`);
  };
  /** The place of the cell that an event is in. */
  const placeOf = (e: Event): [number, number] | undefined => {
    const cell = (e.target as Element).closest("td");
    const row = cell?.closest("tr");
    if (!cell || !row || row.parentElement !== table.tBodies[0]) return undefined;
    return [row.sectionRowIndex, rows[row.sectionRowIndex]!.indexOf(cell)];
  };
  const pointed = (e: Event) => {
    const place = placeOf(e);
    if (place) void choose(...place, false);
  };
  table.addEventListener("pointerover", pointed);
  table.addEventListener("pointerdown", pointed);
  table.addEventListener("focusin", (e) => e.target !== at && pointed(e));
  table.addEventListener("keydown", (e) => {
    const step: Record<string, [number, number]> = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
    const by = step[e.key];
    const place = placeOf(e);
    if (!by || !place) return;
    e.preventDefault();
    const within = (n: number, length: number) => Math.min(Math.max(n, 0), length - 1);
    const r = within(place[0] + by[0], rows.length);
    void choose(r, within(place[1] + by[1], rows[r]!.length), true);
  });
  rows.forEach((cells, r) =>
    cells.forEach((cell, c) => {
      const value = heat.values[r]?.[c];
      if (value === undefined) return;
      const shade = hi > lo ? (value - lo) / (hi - lo) : 0;
      cell.classList.add("heat");
      cell.style.setProperty("--shade", `${Math.round(5 + 95 * Math.min(1, Math.max(0, shade)))}%`);
      cell.tabIndex = r === 0 && c === 0 ? 0 : -1;
    }),
  );
  table.classList.add("grid-table");
  return readout;
}

function ends(values: number[][]): [number, number] {
  let [lo, hi] = [Infinity, -Infinity];
  for (const row of values) for (const v of row) [lo, hi] = [Math.min(lo, v), Math.max(hi, v)];
  return [lo, hi];
}
