// The axes of charts: steps that people count in.

/** Values at which an axis from lo to hi is marked, at most so many. */
export function ticks(lo: number, hi: number, most: number, whole = false): number[] {
  if (!(hi > lo)) return [lo];
  const step = niceStep((hi - lo) / Math.max(1, most), whole);
  const out: number[] = [];
  for (let x = Math.ceil(lo / step) * step; x <= hi + step * 1e-9; x += step) out.push(Math.round(x / step) * step);
  return out;
}

/** The least of 1, 2, 2.5, 5, 10, ... that is no less than a step. */
export function niceStep(step: number, whole = false): number {
  if (whole && step <= 1) return 1;
  const unit = 10 ** Math.floor(Math.log10(step));
  for (const k of whole && unit === 1 ? [1, 2, 5, 10] : [1, 2, 2.5, 5, 10]) if (k * unit >= step * (1 - 1e-9)) return k * unit;
  return 10 * unit;
}

/** A mark of an axis of chances: 25 %, 0.5 %. */
export function percentMark(p: number): string {
  return `${Number((p * 100).toPrecision(3))} %`;
}
