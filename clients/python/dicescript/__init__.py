"""Exact chances of dice.

    >>> import dicescript as ds
    >>> ds.eval("4d6kh3").mean()
    Fraction(15869, 1296)
    >>> ds.eval("4d6kh3 >= 15")
    Chance(25, 108)

The numbers come from the command `dicescript`, which a process of its own runs: that of
the environment variable DICESCRIPT, on PATH, or beside this package. It is started with
the first call, answers calls from any thread, and ends with the program.
"""

from __future__ import annotations

import atexit
import threading
from typing import Any, Mapping

from ._engine import Diagnostic, Engine, Param, Recipe, Throw
from ._errors import DicescriptError, EngineError, RecipeError
from ._values import Chance, Comparison, Grid, Outcomes, Plan, Result, Roll, Table, Value

__all__ = [
    "Chance", "Comparison", "Diagnostic", "DicescriptError", "Engine", "EngineError", "Grid", "Outcomes", "Param",
    "Plan", "Recipe", "RecipeError", "Result", "Roll", "Table", "Throw", "Value",
    "check", "compile", "engine", "eval", "eval_async", "run", "run_async", "throw",
]

_lock = threading.Lock()
_engine: Engine | None = None


def engine() -> Engine:
    """The engine that the functions of this module share. One that has ended is started anew."""
    global _engine
    with _lock:
        if _engine is None or not _engine.alive():
            if _engine is not None:
                _engine.close()
            _engine = Engine()
        return _engine


@atexit.register
def _close() -> None:
    with _lock:
        if _engine is not None:
            _engine.close()


def eval(text: str, *, timeout: float | None = None, limits: Mapping[str, int] | None = None) -> Any:
    """The value of an expression: a Roll, Chance, Outcomes and so on; see Value.

    The timeout is in seconds. The limits are those of the run, by their names.
    """
    return engine().eval(text, timeout=timeout, limits=limits)


def run(source: str, /, **inputs: bool | int | float | str) -> Result:
    """The outputs of a recipe, whose inputs are given by name."""
    return engine().run(source, inputs)


def compile(source: str, *, name: str = "recipe.star") -> Recipe:
    """A recipe that is run many times: recipe(bonus=7)."""
    return engine().compile(source, name=name)


def check(source: str, *, name: str = "recipe.star") -> list[Diagnostic]:
    """What is wrong with a recipe, or likely to be, without running it."""
    return engine().check(source, name=name)


def throw(expression: str, *, seed: int | str | None = None) -> Throw:
    """Really rolls an expression once. The same seed gives the same dice."""
    return engine().throw(expression, seed=seed)


async def eval_async(text: str, *, timeout: float | None = None, limits: Mapping[str, int] | None = None) -> Any:
    """As eval, without blocking: calls that are awaited together run side by side."""
    return await engine().eval_async(text, timeout=timeout, limits=limits)


async def run_async(source: str, /, **inputs: bool | int | float | str) -> Result:
    """As run, without blocking."""
    return await engine().run_async(source, inputs)
