// The divider between text and results, by pointer and by arrow keys.

import { byId } from "./dom.js";

const key = "dicescript/divider";
const least = 22;
const most = 78;

export function startDivider(): void {
  const divider = byId("divider");
  const main = divider.parentElement!;
  const set = (percent: number) => {
    const at = Math.round(Math.min(most, Math.max(least, percent)));
    main.style.setProperty("--split", `${at}%`);
    divider.setAttribute("aria-valuenow", String(at));
    return at;
  };
  const keep = (percent: number) => {
    try {
      localStorage.setItem(key, String(set(percent)));
    } catch {
      // no storage: for now
    }
  };
  divider.setAttribute("aria-valuemin", String(least));
  divider.setAttribute("aria-valuemax", String(most));
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(key);
  } catch {
    // no storage
  }
  set(Number(kept ?? 46) || 46);
  divider.addEventListener("pointerdown", (e) => {
    e.preventDefault();
    divider.setPointerCapture(e.pointerId);
  });
  divider.addEventListener("pointermove", (e) => {
    if (!divider.hasPointerCapture(e.pointerId)) return;
    const box = main.getBoundingClientRect();
    keep((100 * (e.clientX - box.left)) / box.width);
  });
  divider.addEventListener("keydown", (e) => {
    const by: Record<string, number> = { ArrowLeft: -2, ArrowRight: 2 };
    const step = by[e.key];
    if (step !== undefined) keep(Number(divider.getAttribute("aria-valuenow")) + step);
  });
}
