// A grid as a heat map that is its own table: the stronger the colour, the greater
// the value. A cell that is pointed at, or reached by the arrow keys, is read out
// exactly.

import type { Heat } from "dicescript";
import { chanceParts } from "./chart.js";
import { h } from "./dom.js";

/** Makes the table of a report live. Its rows and cells are those of the grid. */
export function enlivenGrid(table: HTMLTableElement, heat: Heat): HTMLElement {
  const readout = h("div", { class: "readout" }, h("span", { class: "rest" }, "Point at a cell for its exact value"));
  const rows = [...table.tBodies[0]!.rows].map((r) => [...r.querySelectorAll("td")]);
  const values = heat.cells.flat().map((c) => c.value);
  const lo = heat.prob ? 0 : values.reduce((a, b) => Math.min(a, b), Infinity);
  const hi = heat.prob ? 1 : values.reduce((a, b) => Math.max(a, b), -Infinity);
  let at: HTMLElement | undefined;
  const choose = (r: number, c: number, focus: boolean) => {
    const cell = rows[r]?.[c];
    const value = heat.cells[r]?.[c];
    if (!cell || !value) return;
    at?.classList.remove("chosen");
    if (at) at.tabIndex = -1;
    at = cell;
    cell.classList.add("chosen");
    cell.tabIndex = 0;
    if (focus) cell.focus();
    const where = `${heat.rows[r]} × ${heat.cols[c]}`;
    const words = heat.prob ? chanceParts(value) : [h("b", {}, cell.textContent ?? ""), h("span", { class: "fraction" }, value.exact ?? "")];
    readout.replaceChildren(h("b", { class: "outcome" }, where), h("span", { class: "value" }, ...words));
    cell.setAttribute("aria-label", `${heat.rows[r]}, ${heat.cols[c]}: ${cell.textContent}${heat.prob ? " %" : ""}, ${value.fraction}`);
  };
  rows.forEach((cells, r) =>
    cells.forEach((cell, c) => {
      const value = heat.cells[r]?.[c];
      if (!value) return;
      const shade = hi > lo ? (value.value - lo) / (hi - lo) : 0;
      cell.classList.add("heat");
      cell.style.setProperty("--shade", `${Math.round(4 + 76 * Math.min(1, Math.max(0, shade)))}%`);
      cell.tabIndex = r === 0 && c === 0 ? 0 : -1;
      cell.addEventListener("pointerenter", () => choose(r, c, false));
      cell.addEventListener("pointerdown", () => choose(r, c, false));
      cell.addEventListener("focus", () => at !== cell && choose(r, c, false));
      cell.addEventListener("keydown", (e) => {
        const step: Record<string, [number, number]> = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
        const by = step[e.key];
        if (!by) return;
        e.preventDefault();
        choose(Math.min(Math.max(r + by[0], 0), rows.length - 1), Math.min(Math.max(c + by[1], 0), cells.length - 1), true);
      });
    }),
  );
  table.classList.add("grid-table");
  return readout;
}
