"""Exact results: what outputs of a run are in Python."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from fractions import Fraction
from itertools import accumulate
from typing import Any, Hashable, Iterable, Iterator, Sequence

from ._html import bars, outcome_table, table


def big(text: str) -> int:
    """The integer of decimal digits, of which there may be any number."""
    if len(text) <= 4000:
        return int(text)
    half = len(text) // 2
    return big(text[:half]) * 10 ** (len(text) - half) + big(text[half:])


def fraction_of(text: str) -> Fraction:
    negative = text.startswith("-")
    over, _, under = text.lstrip("-").partition("/")
    value = Fraction(big(over), big(under or "1"))
    return -value if negative else value


class Chance(Fraction):
    """An exact number. error is how far the true value may be off: 0, but for what goes on without end."""

    error: float

    def __new__(cls, numerator: Any = 0, denominator: Any = None, *, error: float = 0) -> Chance:
        self = super().__new__(cls, numerator, denominator)
        self.error = error
        return self

    def __repr__(self) -> str:
        error = f", error={self.error!r}" if self.error else ""
        return f"Chance({self.numerator}, {self.denominator}{error})"

    def __reduce__(self) -> Any:
        return _chance, (self.numerator, self.denominator, self.error)

    def _repr_html_(self) -> str:
        return f"<span title='{float(self)}'>{'≈ ' if self.error else ''}{Fraction(self)}</span>"


def _chance(numerator: int, denominator: int, error: float) -> Chance:
    return Chance(numerator, denominator, error=error)


def chance_of(data: dict[str, Any]) -> Chance:
    return Chance(fraction_of(data["exact"]), error=data.get("error", 0))


def _frame(columns: dict[str, list[Any]]) -> Any:
    try:
        import pandas
    except ImportError as e:
        raise ImportError("to_frame needs pandas, which is not installed") from e
    return pandas.DataFrame(columns)


class _Distribution:
    """Outcomes with integer weights over one total."""

    error: float
    _outcomes: list[Any]
    _weights: list[int]
    _total: int

    def __iter__(self) -> Iterator[tuple[Any, Fraction]]:
        for x, w in zip(self._outcomes, self._weights):
            yield x, Fraction(w, self._total)

    def __len__(self) -> int:
        return len(self._outcomes)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.error == other.error and list(self) == list(other)  # type: ignore[attr-defined, call-overload]

    def __hash__(self) -> int:
        return hash(tuple(self))

    def outcomes(self) -> list[Any]:
        """What can come up, in order."""
        return list(self._outcomes)

    def to_frame(self) -> Any:
        """A pandas DataFrame with the columns outcome, chance (a float) and exact (a Fraction)."""
        exact = [p for _, p in self]
        return _frame({"outcome": list(self._outcomes), "chance": [float(p) for p in exact], "exact": exact})


class Roll(_Distribution):
    """A distribution over integers. Iterating gives (outcome, chance) in rising order.

    error bounds how far any chance may be off; it is 0, but for dice that explode without end.
    """

    def __init__(self, data: dict[str, Any]):
        pmf = data["pmf"]
        self.error: float = data.get("error", 0)
        self._outcomes: list[int] = [p["outcome"] for p in pmf]
        self._weights = [big(p["weight"]) for p in pmf]
        self._total = big(data["total"]) if pmf else 1
        self._below = [0, *accumulate(self._weights)]
        self._moments = {name: chance_of(data[name]) for name in ("mean", "variance") if name in data}

    def __repr__(self) -> str:
        if not self._outcomes:
            return "<Roll, empty>"
        mean = self._moments.get("mean")
        about = f", mean {float(mean):.3f}" if mean is not None else ""
        return f"<Roll {self._outcomes[0]}..{'' if self.error else self._outcomes[-1]}{about}>"

    def _moment(self, name: str) -> Fraction:
        if not self._outcomes:
            raise ValueError(f"{name}: the die is empty")
        if name not in self._moments:
            raise ValueError(f"{name}: it is not known of a roll that goes on without end")
        m = self._moments[name]
        return m if m.error else Fraction(m)

    def mean(self) -> Fraction:
        """The exact mean."""
        return self._moment("mean")

    def variance(self) -> Fraction:
        """The exact variance."""
        return self._moment("variance")

    def sd(self) -> float:
        """The standard deviation."""
        return math.sqrt(self.variance())

    def _chance(self, weight: int) -> Fraction:
        p = Fraction(weight, self._total)
        return Chance(p, error=self.error) if self.error else p

    def pmf(self, x: int) -> Fraction:
        """The chance of exactly x."""
        i = bisect_left(self._outcomes, x)
        found = i < len(self._outcomes) and self._outcomes[i] == x
        return self._chance(self._weights[i] if found else 0)

    p_eq = pmf

    def p_le(self, x: int) -> Fraction:
        """The chance of x or less."""
        return self._chance(self._below[bisect_right(self._outcomes, x)])

    cdf = p_le

    def p_lt(self, x: int) -> Fraction:
        """The chance of less than x."""
        return self._chance(self._below[bisect_left(self._outcomes, x)])

    def p_ge(self, x: int) -> Fraction:
        """The chance of x or more."""
        return self._chance(self._below[-1] - self._below[bisect_left(self._outcomes, x)])

    def p_gt(self, x: int) -> Fraction:
        """The chance of more than x."""
        return self._chance(self._below[-1] - self._below[bisect_right(self._outcomes, x)])

    def p_in(self, values: Iterable[int]) -> Fraction:
        """The chance of one of several results."""
        wanted = set(values)
        return self._chance(sum(w for x, w in zip(self._outcomes, self._weights) if x in wanted))

    def _bounded(self, name: str) -> None:
        if not self._outcomes:
            raise ValueError(f"{name}: the die is empty")
        if self.error:
            raise ValueError(f"{name}: the roll goes on without end")

    def min(self) -> int:
        """The least result."""
        self._bounded("min")
        return self._outcomes[0]

    def max(self) -> int:
        """The greatest result."""
        self._bounded("max")
        return self._outcomes[-1]

    def support(self) -> list[int]:
        """All results, in rising order."""
        self._bounded("support")
        return list(self._outcomes)

    def quantile(self, q: Fraction | float | int) -> int:
        """The smallest x with cdf(x) >= q."""
        q = Fraction(q)
        if not 0 <= q <= 1:
            raise ValueError(f"quantile: got {q}, want 0 to 1")
        if not self._outcomes:
            raise ValueError("quantile: the die is empty")
        i = min(bisect_left(self._below, math.ceil(q * self._total), 1), len(self._outcomes))
        if self.error and any(abs(Fraction(self._below[k], self._total) - q) <= self.error for k in (i - 1, i)):
            raise ValueError("quantile: it lies where the roll is not known exactly")
        return self._outcomes[i - 1]

    def median(self) -> int:
        """The smallest result that at least half of all rolls do not exceed."""
        return self.quantile(Fraction(1, 2))

    def mode(self) -> list[int]:
        """The most likely results, in rising order."""
        most = max(self._weights, default=0)
        return [x for x, w in zip(self._outcomes, self._weights) if w == most]

    def _repr_html_(self) -> str:
        rows = list(self)
        return bars(rows, repr(self)[1:-1]) + outcome_table(rows, bool(self.error))


class Outcomes(_Distribution):
    """A distribution over labels: strings, integers or tuples of them. Iterating gives (label, chance) in order."""

    def __init__(self, data: dict[str, Any]):
        self.error: float = data.get("error", 0)
        self._outcomes = [label_of(p["outcome"]) for p in data["pmf"]]
        if "total" in data and all("weight" in p for p in data["pmf"]):
            self._total = big(data["total"])
            self._weights = [big(p["weight"]) for p in data["pmf"]]
        else:
            chances = [fraction_of(p["exact"]) for p in data["pmf"]]
            self._total = math.lcm(*(c.denominator for c in chances))
            self._weights = [c.numerator * (self._total // c.denominator) for c in chances]

    def __repr__(self) -> str:
        return "<Outcomes " + ", ".join(f"{label}: {float(p):.4g}" for label, p in list(self)[:8]) + (", ...>" if len(self) > 8 else ">")

    @property
    def labels(self) -> list[Hashable]:
        """All labels, in order."""
        return self.outcomes()

    def pmf(self, label: Hashable) -> Fraction:
        """The chance of a label; one that there is not is a KeyError."""
        for x, p in self:
            if x == label and type(x) is type(label):
                return Chance(p, error=self.error) if self.error else p
        raise KeyError(f"there is no label {label!r}, want one of {', '.join(map(str, self._outcomes[:20]))}")

    __getitem__ = pmf

    def p_in(self, labels: Iterable[Hashable]) -> Fraction:
        """The chance of one of several labels."""
        return sum((self.pmf(label) for label in set(labels)), Fraction(0))

    def _repr_html_(self) -> str:
        rows = list(self)
        return bars(rows, "") + outcome_table(rows, bool(self.error))


class Table(dict):  # type: ignore[type-arg]
    """Chances of separate questions, by their labels."""

    def to_frame(self) -> Any:
        """A pandas DataFrame with the columns label, chance and exact."""
        return _frame({"label": list(self), "chance": [float(p) for p in self.values()], "exact": list(self.values())})

    def _repr_html_(self) -> str:
        return outcome_table(list(self.items()), any(p.error for p in self.values()))


class Grid:
    """A two-dimensional table of chances or numbers: grid[row, col]."""

    def __init__(self, data: dict[str, Any]):
        self.corner: str = data["corner"]
        self.rows = [label_of(r) for r in data["rows"]]
        self.cols = [label_of(c) for c in data["cols"]]
        self.cells: list[list[Chance | None]] = [
            [chance_of(c) if c["exact"] is not None else None for c in row] for row in data["cells"]
        ]

    def __getitem__(self, place: tuple[Hashable, Hashable]) -> Chance | None:
        row, col = place
        if row not in self.rows or col not in self.cols:
            raise KeyError(place)
        return self.cells[self.rows.index(row)][self.cols.index(col)]

    def __repr__(self) -> str:
        return f"<Grid {len(self.rows)} x {len(self.cols)}>"

    def to_frame(self) -> Any:
        """A pandas DataFrame of floats, with the rows as its index."""
        cells = [[None if c is None else float(c) for c in row] for row in self.cells]
        frame = _frame({str(col): [row[i] for row in cells] for i, col in enumerate(self.cols)})
        frame.index = [str(r) for r in self.rows]
        return frame

    def _repr_html_(self) -> str:
        body = [[r, *("" if c is None else f"{float(c):.4g}" for c in row)] for r, row in zip(self.rows, self.cells)]
        return table([self.corner, *self.cols], body)


class Comparison(dict):  # type: ignore[type-arg]
    """Several rolls side by side, by their names."""

    def to_frame(self) -> Any:
        """A pandas DataFrame with a column of chances for each roll."""
        outcomes = sorted({x for roll in self.values() for x, _ in roll})
        return _frame({"outcome": outcomes, **{name: [float(roll.pmf(x)) for x in outcomes] for name, roll in self.items()}})

    def _repr_html_(self) -> str:
        return "".join(f"<p>{table([name], [])}</p>{roll._repr_html_()}" for name, roll in self.items())


class Plan:
    """Best decisions: value is what they are worth, and decisions lists (state, move, value)."""

    def __init__(self, data: dict[str, Any]):
        self.value = chance_of(data)
        self.decisions = [(label_of(d["state"]), label_of(d["move"]), chance_of(d)) for d in data.get("decisions", [])]
        self.data = data

    def __repr__(self) -> str:
        return f"<Plan, value {float(self.value):.4g}>"

    def _repr_html_(self) -> str:
        return table(["state", "move", "value"], [[s, m, f"{float(v):.4g}"] for s, m, v in self.decisions])


Value = Roll | Chance | Outcomes | Table | Grid | Comparison | Plan | str | list | dict  # type: ignore[type-arg]


KINDS = {"DieRoll", "Prob", "Number", "Outcomes", "ProbTable", "Grid", "Comparison", "Plan"}


def label_of(label: Any) -> Hashable:
    return tuple(label_of(x) for x in label) if isinstance(label, list) else label


def value_of(data: dict[str, Any]) -> Any:
    """The value of an output."""
    kind = data["kind"]
    if kind == "DieRoll":
        return Roll(data)
    if kind == "Outcomes":
        return Outcomes(data)
    if kind == "ProbTable":
        return Table({label_of(r["label"]): chance_of(r) for r in data["rows"]})
    if kind == "Grid":
        return Grid(data)
    if "rolls" in data:
        return Comparison({r["label"]: Roll(r) for r in data["rolls"]})
    if "decisions" in data:
        return Plan(data)
    if "exact" in data:
        return chance_of(data)
    if "value" in data:
        return structured(data["value"])
    return data.get("text")


def structured(value: Any) -> Any:
    """A list or dict that was put out, with the values in it."""
    if isinstance(value, list):
        return [structured(x) for x in value]
    if isinstance(value, dict):
        if set(value) == {"exact", "value"}:
            return chance_of(value)
        if value.get("kind") in KINDS and ("error" in value or "pmf" in value or "rows" in value or "rolls" in value):
            return value_of(value)
        return {name: structured(x) for name, x in value.items()}
    return value


class Result(Sequence[Any]):
    """The outputs of a run, in order: result[0], or by title: result["damage"]."""

    def __init__(self, titles: list[str], values: list[Any], notes: list[str], params: list[dict[str, Any]], usage: dict[str, int]):
        self.titles, self.values, self.notes, self.params, self.usage = titles, values, notes, params, usage

    def __getitem__(self, which: Any) -> Any:
        if not isinstance(which, str):
            return self.values[which]
        found = [v for t, v in zip(self.titles, self.values) if t == which]
        if len(found) != 1:
            raise KeyError(f"{which!r}: {'several outputs have' if found else 'no output has'} this title; there are {', '.join(self.titles)}")
        return found[0]

    def __len__(self) -> int:
        return len(self.values)

    def items(self) -> list[tuple[str, Any]]:
        """The outputs as (title, value)."""
        return list(zip(self.titles, self.values))

    def __repr__(self) -> str:
        return "<Result " + ", ".join(f"{t}: {v!r}" for t, v in self.items()) + ">"

    def _repr_html_(self) -> str:
        out = ""
        for title, value in self.items():
            shown = value._repr_html_() if hasattr(value, "_repr_html_") else table([], [[value]])
            out += table([title], []) + shown
        return out


def result_of(answer: dict[str, Any]) -> Result:
    """The result of an answer."""
    outputs = answer["outputs"]
    return Result(
        [o["title"] for o in outputs], [value_of(o) for o in outputs], answer.get("notes", []), answer.get("params", []), answer.get("usage", {})
    )
