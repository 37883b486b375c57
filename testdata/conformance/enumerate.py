#!/usr/bin/env python3
"""Expressions about dice with their exact answers, found by plain enumeration.

Every way in which the dice can fall is looked at, one after the other: nothing here knows
how to do better. Any dice tool can be held to the answers, which are in cases.json.

    python3 enumerate.py           writes cases.json
    python3 enumerate.py --check   compares it with what would be written
"""

import itertools
import json
import os
import sys
from collections import Counter
from fractions import Fraction
from math import floor

HERE = os.path.dirname(os.path.abspath(__file__))
cases = []


def ways(*dice):
    """Every way in which dice fall: a die is its number of sides, or its faces."""
    return itertools.product(*(range(1, d + 1) if isinstance(d, int) else d for d in dice))


def roll(f, *dice):
    """The chances of f of the faces."""
    found = Counter(f(*way) for way in ways(*dice))
    total = sum(found.values())
    return {x: Fraction(n, total) for x, n in sorted(found.items())}


def chance(f, *dice):
    return sum(p for x, p in roll(lambda *way: bool(f(*way)), *dice).items() if x)


def mean(pmf):
    return sum(x * p for x, p in pmf.items())


def variance(pmf):
    return sum((x - mean(pmf)) ** 2 * p for x, p in pmf.items())


def follow(first, then):
    """A roll that depends on another one: then(x) gives the chances after x."""
    out = Counter()
    for x, p in first.items():
        for y, q in then(x).items():
            out[y] += p * q
    return dict(sorted(out.items()))


def add(a, b):
    return follow(a, lambda x: {x + y: q for y, q in b.items()})


def always(x):
    return {x: Fraction(1)}


def several(one, n, start=0):
    """The sum of n independent ones."""
    total = always(start)
    for _ in range(n):
        total = add(total, one)
    return total


def hands(one, n):
    """The faces of n dice of given chances, as sorted tuples."""
    total = always(())
    for _ in range(n):
        total = follow(total, lambda way: {tuple(sorted(way + (x,))): p for x, p in one.items()})
    return total


def image(pmf, f):
    return follow(pmf, lambda x: always(f(x)))


def case(text, answer):
    if isinstance(answer, dict):
        answer = {str(x): str(p) for x, p in answer.items() if p}
    cases.append({"text": text, "answer": answer if isinstance(answer, dict) else str(Fraction(answer))})


def high(k):
    return lambda *way: sum(sorted(way)[len(way) - k:]) if k else 0


def low(k):
    return lambda *way: sum(sorted(way)[:k])


def die(sides):
    return roll(lambda x: x, sides)


# Sums, and arithmetic on them.
for n in (1, 2, 3):
    for s in (2, 3, 4, 6, 8, 10):
        case(f"{n}d{s}", roll(lambda *w: sum(w), *[s] * n))
for text, f in [
    ("2d6 + 3", lambda a, b: a + b + 3), ("2d6 - 5", lambda a, b: a + b - 5), ("2d6 * 2", lambda a, b: 2 * (a + b)),
    ("2d6 // 2", lambda a, b: (a + b) // 2), ("2d6 % 4", lambda a, b: (a + b) % 4), ("-2d6", lambda a, b: -(a + b)),
    ("(2d6 - 7) // 2", lambda a, b: (a + b - 7) // 2), ("(2d6 - 7) % 3", lambda a, b: (a + b - 7) % 3), ("abs(2d6 - 7)", lambda a, b: abs(a + b - 7)),
    ("10 - 2d6", lambda a, b: 10 - a - b),
]:
    case(text, roll(f, 6, 6))
for a, b in [(4, 6), (6, 6), (6, 8), (8, 10), (3, 12)]:
    case(f"d{a} + d{b}", roll(lambda x, y: x + y, a, b))
    case(f"d{a} - d{b}", roll(lambda x, y: x - y, a, b))
    case(f"d{a} * d{b}", roll(lambda x, y: x * y, a, b))
    case(f"min(d{a}, d{b})", roll(min, a, b))
    case(f"max(d{a}, d{b})", roll(max, a, b))
    for op, f in [(">", lambda x, y: x > y), (">=", lambda x, y: x >= y), ("==", lambda x, y: x == y), ("<", lambda x, y: x < y), ("!=", lambda x, y: x != y)]:
        case(f"d{a} {op} d{b}", chance(f, a, b))
    won = roll(lambda x, y: (x > y) - (x < y), a, b)
    case(f"versus(d{a}, d{b})", {"lose": won[-1], "tie": won[0], "win": won[1]})

# Dice that are kept and dropped.
for n, s in [(2, 6), (3, 4), (3, 6), (4, 6), (2, 20), (5, 4)]:
    for k in range(1, min(n, 4)):
        case(f"{n}d{s}kh{k}", roll(high(k), *[s] * n))
        case(f"{n}d{s}kl{k}", roll(low(k), *[s] * n))
        case(f"{n}d{s}dl{k}", roll(high(n - k), *[s] * n))
        case(f"{n}d{s}dh{k}", roll(low(n - k), *[s] * n))
for k in (1, 2, 3):
    case(f"order_stat(pool(d4, d6, d8), {k})", roll(lambda *w: sorted(w)[3 - k], 4, 6, 8))
case("pool(d4, d6, d8).highest(2)", roll(high(2), 4, 6, 8))
case("pool(d4, d6, d8).lowest(2)", roll(low(2), 4, 6, 8))
case("middle_of(5d4, 3)", roll(lambda *w: sum(sorted(w)[1:4]), 4, 4, 4, 4, 4))
case("3d6kh1 + 2d4kl1", add(roll(max, 6, 6, 6), roll(min, 4, 4)))

# Chances.
for x in range(2, 14):
    case(f"2d6 >= {x}", chance(lambda a, b: a + b >= x, 6, 6))
for x in range(3, 19):
    case(f"4d6kh3 >= {x}", chance(lambda *w: high(3)(*w) >= x, 6, 6, 6, 6))
for x in range(6, 26, 2):
    case(f"1d20 + 5 >= {x}", chance(lambda a: a + 5 >= x, 20))
for x in range(3, 18, 2):
    case(f"3d6 == {x}", chance(lambda *w: sum(w) == x, 6, 6, 6))
    case(f"3d6 < {x}", chance(lambda *w: sum(w) < x, 6, 6, 6))
case("2d6 in [7, 11]", chance(lambda a, b: a + b in (7, 11), 6, 6))
case("2d6 in 7..9", chance(lambda a, b: 7 <= a + b <= 9, 6, 6))
case("3d6 in ..8", chance(lambda *w: sum(w) <= 8, 6, 6, 6))
case("(2d6 >= 7) & (d20 >= 11)", Fraction(21, 36) * Fraction(1, 2))
case("(2d6 >= 7) | (d20 >= 11)", 1 - Fraction(15, 36) * Fraction(1, 2))
case("~(2d6 >= 7)", Fraction(15, 36))
for a, b in [("3d6", "2d10"), ("4d4", "3d6"), ("2d8", "3d6"), ("5d2", "2d4")]:
    dice = [[int(x) for x in t.split("d")] for t in (a, b)]
    n = dice[0][0]
    both = [dice[0][1]] * n + [dice[1][1]] * dice[1][0]
    case(f"{a} >= {b}", chance(lambda *w: sum(w[:n]) >= sum(w[n:]), *both))
    case(f"{a} == {b}", chance(lambda *w: sum(w[:n]) == sum(w[n:]), *both))

# Moments, and what lies where.
for text, pmf in [
    ("2d6", roll(lambda *w: sum(w), 6, 6)), ("4d6kh3", roll(high(3), 6, 6, 6, 6)), ("d20", die(20)), ("2d20kh1", roll(max, 20, 20)),
    ("(3d6 * 2 - 1)", roll(lambda *w: 2 * sum(w) - 1, 6, 6, 6)), ("(d4 * d6)", roll(lambda a, b: a * b, 4, 6)), ("4dF", roll(lambda *w: sum(w), *[(-1, 0, 1)] * 4)),
]:
    case(f"({text}).mean()", mean(pmf))
    case(f"({text}).variance()", variance(pmf))
    case(f"({text}).min()", min(pmf))
    case(f"({text}).max()", max(pmf))
    case(f"({text}).quantile(1/4)", next(x for x in sorted(pmf) if sum(p for y, p in pmf.items() if y <= x) >= Fraction(1, 4)))
    case(f"({text}).median()", next(x for x in sorted(pmf) if 2 * sum(p for y, p in pmf.items() if y <= x) >= 1))
case("4dF", roll(lambda *w: sum(w), *[(-1, 0, 1)] * 4))
case("1d% // 10", roll(lambda x: x // 10, 100))

# Counting, sets and runs.
for n, s, lo in [(4, 6, 5), (5, 6, 6), (3, 10, 8), (6, 4, 3), (5, 3, 2)]:
    case(f"count({n}d{s}, {lo}..)", roll(lambda *w: sum(x >= lo for x in w), *[s] * n))
    case(f"({n}d{s}).count([1, {s}])", roll(lambda *w: sum(x in (1, s) for x in w), *[s] * n))
    case(f"({n}d{s}).p_any({lo}..)", chance(lambda *w: any(x >= lo for x in w), *[s] * n))
    case(f"({n}d{s}).p_none(..{lo - 1})", chance(lambda *w: not any(x < lo for x in w), *[s] * n))
    case(f"({n}d{s}).p_at_least(2, {lo}..)", chance(lambda *w: sum(x >= lo for x in w) >= 2, *[s] * n))


def run(w):
    faces, best = set(w), 0
    for x in faces:
        length = 0
        while x + length in faces:
            length += 1
        best = max(best, length)
    return best


for n, s in [(3, 6), (4, 6), (5, 4), (5, 6)]:
    case(f"({n}d{s}).largest_set()", roll(lambda *w: max(Counter(w).values()), *[s] * n))
    case(f"({n}d{s}).unique()", roll(lambda *w: len(set(w)), *[s] * n))
    case(f"({n}d{s}).pairs()", roll(lambda *w: sum(c // 2 for c in Counter(w).values()), *[s] * n))
    case(f"({n}d{s}).longest_run()", roll(lambda *w: run(w), *[s] * n))
    case(f"({n}d{s}).sets(2)", roll(lambda *w: sum(c >= 2 for c in Counter(w).values()), *[s] * n))


# Dice that are rolled again, explode, and are changed.
def exploded(s, depth, on=None):
    on = on or {s}
    return follow(die(s), lambda x: image(exploded(s, depth - 1, on), lambda y: x + y) if x in on and depth else always(x))


def rerolled(pmf, on, times):
    for _ in range(times):
        first = pmf
        pmf = follow(first, lambda x: base_of(first) if x in on else always(x))
    return pmf


def base_of(pmf):
    return die(max(pmf))


def conditional(pmf, holds):
    kept = {x: p for x, p in pmf.items() if holds(x)}
    return {x: p / sum(kept.values()) for x, p in kept.items()}


for s in (4, 6, 10):
    for depth in (1, 2, 3):
        case(f"explode(d{s}, {depth})", exploded(s, depth))
    case(f"explode(d{s}, 2, on=[1, {s}])", exploded(s, 2, {1, s}))
    case(f"reroll(d{s}, 1)", rerolled(die(s), {1}, 1))
    case(f"reroll(d{s}, ..2)", rerolled(die(s), {1, 2}, 1))
    case(f"reroll(d{s}, 1, 3)", rerolled(die(s), {1}, 3))
    case(f"reroll(d{s}, 1, None)", conditional(die(s), lambda x: x > 1))
    case(f"d({s}).keep(2..)", conditional(die(s), lambda x: x >= 2))
    case(f"d({s}).clamp(2, 3)", image(die(s), lambda x: min(max(x, 2), 3)))
    case(f"d({s}).convert(1, 0)", image(die(s), lambda x: 0 if x == 1 else x))
    case(f"times(d4, d{s})", follow(die(4), lambda n: several(die(s), n)))
    case(f"times(3, d{s})", several(die(s), 3))
case("sum(2d6).keep(7..)", conditional(roll(lambda *w: sum(w), 6, 6), lambda x: x >= 7))
case("mixture([(1, d6), (2, d8)])", follow({6: Fraction(1, 3), 8: Fraction(2, 3)}, die))
case("either(1/4, d20, 2d6)", follow({0: Fraction(1, 4), 1: Fraction(3, 4)}, lambda x: roll(lambda *w: sum(w), 6, 6) if x else die(20)))
case("coin(3/8)", {0: Fraction(5, 8), 1: Fraction(3, 8)})
case("uniform(-2, 2)", {x: Fraction(1, 5) for x in range(-2, 3)})
case("die_faces([1, 1, 2, 3, 5, 8])", roll(lambda x: x, [1, 1, 2, 3, 5, 8]))
case("die_faces({0: 3, 1: 2, 2: 1})", {0: Fraction(1, 2), 1: Fraction(1, 3), 2: Fraction(1, 6)})
for text, f, dice in [
    ("map(lambda a, b: a if a == b else 0, d6, d6)", lambda a, b: a if a == b else 0, (6, 6)),
    ("map(lambda a, b: max(a, b) - min(a, b), d8, d8)", lambda a, b: abs(a - b), (8, 8)),
    ("map(lambda a: a * a, d6)", lambda a: a * a, (6,)),
    ("(3d6).map(lambda faces: faces[0] * 100 + faces[2])", lambda a, b, c: a * 100 + c, (6, 6, 6)),
    ("map_sorted(lambda f: f[-1] - f[0], 4d6)", lambda *w: max(w) - min(w), (6,) * 4),
    ("map_sorted(lambda a, b: len([x for x in a if x > b[-1]]), 3d6, 2d6)", lambda *w: sum(x > max(w[3:]) for x in w[:3]), (6,) * 5),
    ("d6.map(lambda x: x // 2 + 1 if x > 3 else -x)", lambda x: x // 2 + 1 if x > 3 else -x, (6,)),
]:
    case(text, roll(f, *dice))
case("d6.map(lambda x: 2d4 if x == 6 else x)", follow(die(6), lambda x: roll(lambda *w: sum(w), 4, 4) if x == 6 else always(x)))
case('d20.map(lambda x: "crit" if x == 20 else "hit" if x >= 11 else "miss")', {"miss": Fraction(10, 20), "hit": Fraction(9, 20), "crit": Fraction(1, 20)})
case('bucket(2d6, scale().step("miss").step("weak").step("strong"), 6, 9)', {"miss": Fraction(15, 36), "weak": Fraction(15, 36), "strong": Fraction(6, 36)})
case("deck({1: 2, 2: 2}).deal(2).highest()", roll(lambda w: max(w), [(a, b) for a, b in itertools.permutations([1, 1, 2, 2], 2)]))
case('count(deck({"a": 4, "b": 6}).deal(3), "a")', roll(lambda w: sum(x < 4 for x in w), list(itertools.permutations(range(10), 3))))


# What tabletops share.
def sum_of(one, n):
    return several(one, n)


def kept(one, n, f):
    return image(hands(one, n), f)


once = lambda s, on: rerolled(die(s), set(on), 1)
until = lambda s, on: conditional(die(s), lambda x: x not in on)
for n, s in [(3, 6), (2, 8), (4, 4)]:
    case(f'roll("{n}d{s}ro1")', sum_of(once(s, [1]), n))
    case(f'roll("{n}d{s}ro<=2")', sum_of(once(s, [1, 2]), n))
    case(f'roll("{n}d{s}rr1")', sum_of(until(s, [1]), n))
    case(f'roll("{n}d{s}rr<=2")', sum_of(until(s, [1, 2]), n))
    case(f'roll("{n}d{s}mi2")', sum_of(image(die(s), lambda x: max(x, 2)), n))
    case(f'roll("{n}d{s}ma3")', sum_of(image(die(s), lambda x: min(x, 3)), n))
    case(f'roll("{n}d{s}>=3")', sum_of(image(die(s), lambda x: int(x >= 3)), n))
    case(f'roll("{n}d{s}<=2")', sum_of(image(die(s), lambda x: int(x <= 2)), n))
    case(f'roll("{n}d{s}=4")', sum_of(image(die(s), lambda x: int(x == 4)), n))
    case(f'roll("{n}d{s}ro1kh1 + 2")', image(kept(once(s, [1]), n, lambda w: w[-1]), lambda x: x + 2))
case('roll("2d6 * 2 - 1d4 // 2")', roll(lambda a, b, c: (a + b) * 2 - c // 2, 6, 6, 4))
case('roll("(d8 + d6)kh1")', roll(max, 8, 6))

# What single tabletops read, as their documents say.
for n, s in [(4, 6), (3, 8), (3, 4)]:
    foundry = {
        f"{n}d{s}k2": roll(high(2), *[s] * n), f"{n}d{s}d1": roll(high(n - 1), *[s] * n), f"{n}d{s}dh1": roll(low(n - 1), *[s] * n),
        f"{n}d{s}kl": roll(min, *[s] * n), f"{n}d{s}r1": sum_of(once(s, [1]), n), f"{n}d{s}r<3": sum_of(once(s, [1, 2]), n),
        f"{n}d{s}rr<=2": sum_of(until(s, [1, 2]), n), f"{n}d{s}xo": sum_of(exploded(s, 1), n),
        f"{n}d{s}xo>2": sum_of(follow(die(s), lambda x: image(die(s), lambda y: x + y) if x > 2 else always(x)), n),
        f"{n}d{s}min2": sum_of(image(die(s), lambda x: max(x, 2)), n), f"{n}d{s}max3": sum_of(image(die(s), lambda x: min(x, 3)), n),
        f"{n}d{s}cs>=3": sum_of(image(die(s), lambda x: int(x >= 3)), n), f"{n}d{s}cs>3": sum_of(image(die(s), lambda x: int(x > 3)), n),
        f"{n}d{s}cs2": sum_of(image(die(s), lambda x: int(x == 2)), n), f"{n}d{s}cf<2": sum_of(image(die(s), lambda x: int(x < 2)), n),
        f"{n}d{s}even": sum_of(image(die(s), lambda x: int(x % 2 == 0)), n), f"{n}d{s}odd": sum_of(image(die(s), lambda x: x % 2), n),
        f"{n}d{s}cs>=3df1": sum_of(image(die(s), lambda x: -1 if x == 1 else int(x >= 3)), n),
        f"{n}d{s}sf<2": sum_of(image(die(s), lambda x: -x if x < 2 else x), n),
        f"{n}d{s}kh2cs>=3": roll(lambda *w: sum(x >= 3 for x in sorted(w)[-2:]), *[s] * n),
    }
    roll20 = {
        f"{n}d{s}k2": roll(high(2), *[s] * n), f"{n}d{s}d1": roll(high(n - 1), *[s] * n), f"{n}d{s}kl1": roll(min, *[s] * n),
        f"{n}d{s}r1": sum_of(until(s, [1]), n), f"{n}d{s}r<2": sum_of(until(s, [1, 2]), n), f"{n}d{s}ro<2": sum_of(once(s, [1, 2]), n),
        f"{n}d{s}r1r3": sum_of(until(s, [1, 3]), n), f"{n}d{s}>3": sum_of(image(die(s), lambda x: int(x >= 3)), n),
        f"{n}d{s}<2": sum_of(image(die(s), lambda x: int(x <= 2)), n), f"{n}d{s}=4": sum_of(image(die(s), lambda x: int(x == 4)), n),
        f"{n}d{s}>3f1": sum_of(image(die(s), lambda x: 1 if x >= 3 else -int(x == 1)), n),
        f"{n}d{s}<2f>4": sum_of(image(die(s), lambda x: 1 if x <= 2 else -int(x >= 4)), n), f"{n}d{s}cs>2": roll(lambda *w: sum(w), *[s] * n),
    }
    avrae = {
        f"{n}d{s}kh2": roll(high(2), *[s] * n), f"{n}d{s}k3": sum_of(image(die(s), lambda x: x if x == 3 else 0), n),
        f"{n}d{s}k>2": sum_of(image(die(s), lambda x: x if x > 2 else 0), n), f"{n}d{s}p1": sum_of(image(die(s), lambda x: x if x != 1 else 0), n),
        f"{n}d{s}pl1": roll(high(n - 1), *[s] * n), f"{n}d{s}ro<3": sum_of(once(s, [1, 2]), n), f"{n}d{s}rr<3": sum_of(until(s, [1, 2]), n),
        f"{n}d{s}mi2": sum_of(image(die(s), lambda x: max(x, 2)), n), f"{n}d{s}ma3": sum_of(image(die(s), lambda x: min(x, 3)), n),
        f"{n}d{s}ra{s}": follow(roll(lambda *w: (sum(w), s in w), *[s] * n), lambda x: image(die(s), lambda y: x[0] + y) if x[1] else always(x[0])),
        f"{n}d{s} > 9": roll(lambda *w: int(sum(w) > 9), *[s] * n), f"{n}d{s} / 2": roll(lambda *w: sum(w) // 2, *[s] * n),
    }
    for dialect, readings in (("foundry", foundry), ("roll20", roll20), ("avrae", avrae)):
        for text, pmf in readings.items():
            case(f'roll("{text}", dialect="{dialect}")', pmf)
for dialect, text, pmf in [
    ("foundry", "{1d8, 1d10}kh1", roll(max, 8, 10)), ("foundry", "{2d6, 1d8, 4}kh2", roll(lambda a, b, c: sum(sorted([a + b, c, 4])[1:]), 6, 6, 8)),
    ("foundry", "{1d8, 1d10, 1d4}cs>=4", roll(lambda *w: sum(x >= 4 for x in w), 8, 10, 4)), ("foundry", "floor(2d6 / 2)", roll(lambda a, b: (a + b) // 2, 6, 6)),
    ("foundry", "ceil(2d6 / 4)", roll(lambda a, b: -(-(a + b) // 4), 6, 6)), ("foundry", "round(1d10 / 4)", roll(lambda a: floor(Fraction(a, 4) + Fraction(1, 2)), 10)),
    ("foundry", "max(1d6, 1d8) - min(1d4, 3)", roll(lambda a, b, c: max(a, b) - min(c, 3), 6, 8, 4)), ("foundry", "abs(1d6 - 4)[gap]", roll(lambda a: abs(a - 4), 6)),
    ("foundry", "2d6[fire] + 1d4[cold]", roll(lambda *w: sum(w), 6, 6, 4)), ("foundry", "4dF + 1", roll(lambda *w: sum(w) + 1, *[(-1, 0, 1)] * 4)),
    ("roll20", "{2d6 + 2d4}k2", roll(high(2), 6, 6, 4, 4)), ("roll20", "{2d6, 1d10}k1", roll(lambda a, b, c: max(a + b, c), 6, 6, 10)),
    ("roll20", "{1d6, 1d8, 1d4}>4f1", roll(lambda *w: sum(1 if x >= 4 else -int(x == 1) for x in w), 6, 8, 4)),
    ("roll20", "floor(3d6 / 2) + ceil(1d4 / 3)", roll(lambda a, b, c, e: (a + b + c) // 2 - (-e // 3), 6, 6, 6, 4)),
    ("avrae", "(1d4 + 1, 3, 2d6kl1)kh1", roll(lambda a, b, c: max(a + 1, 3, min(b, c)), 4, 6, 6)), ("avrae", "(1d6, 1d8, 1d4)p<3", roll(lambda *w: sum(x for x in w if x >= 3), 6, 8, 4)),
    ("avrae", "-1d6 // 4", roll(lambda a: -a // 4, 6)), ("avrae", "-1d6 % 4", roll(lambda a: -a % 4, 6)), ("avrae", "1d6 * 0.5 + 1d4 * 0.5", roll(lambda a, b: (a + b) // 2, 6, 4)),
]:
    case(f'roll("{text}", dialect="{dialect}")', pmf)
case('roll("(@level)d6 + @mod", dialect="foundry", inputs={"level": 3, "mod": 2})', roll(lambda *w: sum(w) + 2, 6, 6, 6))
case('roll("1d20 + @{strength}", dialect="roll20", inputs={"strength": -1})', roll(lambda a: a - 1, 20))


def main():
    texts = [c["text"] for c in cases]
    assert len(texts) == len(set(texts)), [t for t, n in Counter(texts).items() if n > 1]
    assert len(cases) >= 400, len(cases)
    written = "[\n" + ",\n".join(json.dumps(c, separators=(", ", ": ")) for c in cases) + "\n]\n"
    path = os.path.join(HERE, "cases.json")
    if "--check" in sys.argv:
        with open(path, encoding="utf-8") as f:
            if f.read() != written:
                sys.exit("cases.json is stale: python3 testdata/conformance/enumerate.py writes it anew")
        print(f"{len(cases)} cases are as enumerated")
        return
    with open(path, "w", encoding="utf-8") as f:
        f.write(written)


if __name__ == "__main__":
    main()
