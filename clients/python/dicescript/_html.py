"""What notebooks show: a chart of bars, and tables."""

from __future__ import annotations

from fractions import Fraction
from html import escape
from typing import Any, Sequence

MOST_BARS = 120
MOST_ROWS = 64


def bars(rows: Sequence[tuple[Any, Fraction]], caption: str) -> str:
    """An SVG chart of chances. Many outcomes are gathered, and a bar has their mean height."""
    if not rows:
        return ""
    width, height, left, bottom = 640, 180, 4, 18
    step = -(-len(rows) // MOST_BARS)
    groups = [rows[i : i + step] for i in range(0, len(rows), step)]
    heights = [float(sum((p for _, p in g), Fraction(0)) / len(g)) for g in groups]
    top = max(heights) or 1.0
    wide = (width - 2 * left) / len(groups)
    parts = [
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" xmlns="http://www.w3.org/2000/svg"'
        f' style="max-width:100%;font:11px sans-serif"><title>{escape(caption or "chances")}</title>'
    ]
    every = -(-len(groups) // 16)
    for i, (g, h) in enumerate(zip(groups, heights)):
        x = left + i * wide
        tall = h / top * (height - bottom - 16)
        name = escape(str(g[0][0]) if len(g) == 1 else f"{g[0][0]}..{g[-1][0]}")
        each = "each " if len(g) > 1 else ""
        parts.append(
            f'<rect x="{x:.2f}" y="{height - bottom - tall:.2f}" width="{max(wide - 1, 0.5):.2f}" height="{tall:.2f}" fill="#4878a8">'
            f"<title>{name}: {each}{h:.4%}</title></rect>"
        )
        if i % every == 0:
            parts.append(f'<text x="{x + wide / 2:.2f}" y="{height - 5}" text-anchor="middle" fill="currentColor">{escape(str(g[0][0]))}</text>')
    if caption:
        parts.append(f'<text x="{left}" y="11" fill="currentColor">{escape(caption)}</text>')
    return "".join(parts) + "</svg>"


def table(head: Sequence[Any], body: Sequence[Sequence[Any]]) -> str:
    """A table of texts."""
    out = "<table>"
    if head:
        out += "<tr>" + "".join(f"<th>{escape(str(h))}</th>" for h in head) + "</tr>"
    for row in body:
        out += "<tr>" + "".join(f"<td>{escape(str(c))}</td>" for c in row) + "</tr>"
    return out + "</table>"


def outcome_table(rows: Sequence[tuple[Any, Fraction]], inexact: bool) -> str:
    """The exact chances, folded away."""
    about = "≈ " if inexact else ""
    body = [[x, f"{float(p):.4%}", about + _short(p)] for x, p in rows[:MOST_ROWS]]
    more = f"<p>... and {len(rows) - MOST_ROWS} more</p>" if len(rows) > MOST_ROWS else ""
    return f"<details><summary>exact chances</summary>{table(['outcome', 'chance', 'exact'], body)}{more}</details>"


def _short(p: Fraction) -> str:
    if p.denominator.bit_length() > 64:
        return "1 in {:.4g}".format(1 / float(p)) if float(p) else ""
    return str(p)
