"""One engine: a process with what is asked of it."""

from __future__ import annotations

import asyncio
import builtins
from concurrent.futures import Future
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Callable, Mapping, Sequence

from ._errors import EngineError, RecipeError
from ._process import Process, find
from ._values import Chance, Result, chance_of, result_of

UNKNOWN_PROGRAM = -32001

Input = bool | int | float | str


@dataclass(frozen=True)
class Param:
    """An input of a recipe. type is "bool", "int", "float" or "string"."""

    name: str
    type: str
    default: Any
    help: str = ""
    min: Any = None
    max: Any = None
    choices: Sequence[Any] | None = None
    line: int = 0


@dataclass(frozen=True)
class Diagnostic:
    """A mistake, or with the severity "warning" what is likely one."""

    severity: str
    message: str
    line: int
    column: int
    end_line: int
    end_column: int
    kind: str = ""
    fixes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Throw:
    """What came up, and how often it does in the long run. Labels have no at_least and at_most."""

    seed: str
    result: int | str | bool
    exactly: Chance | None
    at_least: Chance | None = None
    at_most: Chance | None = None
    shown: str = ""
    record: Mapping[str, Any] = field(default_factory=dict)
    """The throw as data: every die, decisions and chances, as docs/rpc.md describes it."""

    def __str__(self) -> str:
        return f"{self.result}  {self.shown}".rstrip()


class Engine:
    """A process of dicescript. It is closed by close, or at the end of a with statement.

    timeout (seconds) and limits hold for calls that name none; modules is a folder whose
    modules recipes load with ./; print receives what recipes print.
    """

    def __init__(
        self, command: str | None = None, *, timeout: float | None = None, limits: Mapping[str, int] | None = None,
        modules: str | None = None, print: Callable[[str], None] = builtins.print,
    ):
        words = [command or find(), "rpc"]
        if modules is not None:
            words += ["--", modules]
        self._timeout = timeout
        self._limits = dict(limits or {})
        self._process = Process(words, print)

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process."""
        self._process.close()

    def alive(self) -> bool:
        """Whether the process answers calls."""
        return self._process.alive()

    def eval(self, text: str, *, timeout: float | None = None, limits: Mapping[str, int] | None = None) -> Any:
        """The value of an expression; where it has several, the last one, and None where it has none."""
        return _value(self._wait("eval", self._evaluation(text, timeout, limits)))

    async def eval_async(self, text: str, *, timeout: float | None = None, limits: Mapping[str, int] | None = None) -> Any:
        """As eval, without blocking."""
        return _value(await self._await("eval", self._evaluation(text, timeout, limits)))

    def run(
        self, source: str, inputs: Mapping[str, Input] | None = None, *, name: str = "recipe.star",
        timeout: float | None = None, limits: Mapping[str, int] | None = None,
    ) -> Result:
        """The outputs of a recipe."""
        return _result(self._wait("run", self._run(source, inputs, name, timeout, limits)))

    async def run_async(
        self, source: str, inputs: Mapping[str, Input] | None = None, *, name: str = "recipe.star",
        timeout: float | None = None, limits: Mapping[str, int] | None = None,
    ) -> Result:
        """As run, without blocking."""
        return _result(await self._await("run", self._run(source, inputs, name, timeout, limits)))

    def compile(self, source: str, *, name: str = "recipe.star") -> Recipe:
        """A recipe that is run many times."""
        return Recipe(self, source, name)

    def check(self, source: str, *, name: str = "recipe.star") -> list[Diagnostic]:
        """What is wrong with a recipe, or likely to be."""
        found = []
        for d in self._wait("check", {"source": source, "name": name})["diagnostics"]:
            fixes = tuple(f["text"] for f in d.get("fixes", []))
            found.append(Diagnostic(d["severity"], d["message"], kind=d.get("kind", ""), fixes=fixes, **d["range"]))
        return found

    def doc(self, name: str = "") -> str:
        """What the reference says about a name; without one, its index."""
        answer = self._wait("doc", {"name": name})
        if "error" in answer:
            raise RecipeError(answer["error"])
        return answer["text"]

    def throw(self, expression: str, *, seed: int | str | None = None) -> Throw:
        """Really rolls an expression once."""
        params: dict[str, Any] = {"expression": expression, **self._bounds(None, None)}
        if seed is not None:
            params["seed"] = seed
        answer = self._wait("throw", params)
        if "error" in answer:
            raise RecipeError(answer["error"])
        out = answer["outputs"][0]
        chance = {name: chance_of(c) for name, c in out["chance"].items()}
        return Throw(answer["seed"], out["result"], chance.get("exactly"), chance.get("at_least"), chance.get("at_most"), answer.get("text", ""), answer)

    def _evaluation(self, text: str, timeout: float | None, limits: Mapping[str, int] | None) -> dict[str, Any]:
        return {"expression": text, "fractions": "weights", **self._bounds(timeout, limits)}

    def _run(
        self, source: str, inputs: Mapping[str, Input] | None, name: str, timeout: float | None, limits: Mapping[str, int] | None
    ) -> dict[str, Any]:
        return {"source": source, "name": name, "inputs": sendable(inputs), "fractions": "weights", **self._bounds(timeout, limits)}

    def _bounds(self, timeout: float | None, limits: Mapping[str, int] | None) -> dict[str, Any]:
        bounds: dict[str, Any] = {}
        timeout = self._timeout if timeout is None else timeout
        if timeout is not None:
            if not timeout > 0:
                raise ValueError(f"timeout: got {timeout}, want seconds above 0")
            bounds["timeout"] = timeout * 1000
        limits = {**self._limits, **(limits or {})}
        if limits:
            bounds["limits"] = limits
        return bounds

    def _wait(self, method: str, params: dict[str, Any]) -> Any:
        future: Future[Any] = self._process.call(method, params)
        try:
            return future.result()
        except BaseException:
            future.cancel()  # an interrupt stops what is computed
            raise

    async def _await(self, method: str, params: dict[str, Any]) -> Any:
        return await asyncio.wrap_future(self._process.call(method, params))


@dataclass
class Recipe:
    """A compiled recipe: recipe(bonus=7) runs it, and params are its inputs."""

    engine: Engine
    source: str
    name: str
    params: list[Param] = field(init=False)
    notes: list[str] = field(init=False)
    _program: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        answer = self.engine._wait("compile", {"source": self.source, "name": self.name})
        if "error" in answer:
            raise RecipeError(answer["error"], errors=answer.get("errors"))
        self._program = answer["program"]
        self.params = [Param(**p) for p in answer["params"]]
        self.notes = answer.get("notes", [])

    def __call__(self, **inputs: Input) -> Result:
        """Runs the recipe with its inputs by name."""
        return self.run(inputs)

    def run(
        self, inputs: Mapping[str, Input] | None = None, *, timeout: float | None = None, limits: Mapping[str, int] | None = None
    ) -> Result:
        """Runs the recipe."""
        try:
            return _result(self.engine._wait("run", self._call(inputs, timeout, limits)))
        except EngineError as e:
            if e.code != UNKNOWN_PROGRAM:
                raise
        return self.engine.run(self.source, inputs, name=self.name, timeout=timeout, limits=limits)

    async def run_async(
        self, inputs: Mapping[str, Input] | None = None, *, timeout: float | None = None, limits: Mapping[str, int] | None = None
    ) -> Result:
        """As run, without blocking."""
        try:
            return _result(await self.engine._await("run", self._call(inputs, timeout, limits)))
        except EngineError as e:
            if e.code != UNKNOWN_PROGRAM:
                raise
        return await self.engine.run_async(self.source, inputs, name=self.name, timeout=timeout, limits=limits)

    def _call(self, inputs: Mapping[str, Input] | None, timeout: float | None, limits: Mapping[str, int] | None) -> dict[str, Any]:
        return {"program": self._program, "inputs": sendable(inputs), "fractions": "weights", **self.engine._bounds(timeout, limits)}


def sendable(inputs: Mapping[str, Any] | None) -> dict[str, Any]:
    """Inputs as JSON has them. A Fraction is sent as a float only where it is one."""
    out: dict[str, Any] = {}
    for name, value in (inputs or {}).items():
        if isinstance(value, Fraction):
            if Fraction(float(value)) != value:
                raise TypeError(f"{name}: an input is a bool, int, float or str, and {value} is none of them exactly")
            value = int(value) if value.denominator == 1 else float(value)
        elif not isinstance(value, (bool, int, float, str)):
            raise TypeError(f"{name}: got {type(value).__name__}, want a bool, int, float or str")
        out[name] = value
    return out


def _result(answer: dict[str, Any]) -> Result:
    result = result_of(answer)
    if "error" in answer:
        raise RecipeError(answer["error"], result, answer.get("errors"))
    return result


def _value(answer: dict[str, Any]) -> Any:
    result = _result(answer)
    return result[-1] if len(result) else None
