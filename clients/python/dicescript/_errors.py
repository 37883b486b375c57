"""What can go wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._values import Result


class DicescriptError(Exception):
    """All errors of this package."""


class EngineError(DicescriptError):
    """The command can't be found or started, has ended, or refuses a call."""

    def __init__(self, message: str, code: int | None = None):
        super().__init__(message)
        self.code = code  # of JSON-RPC, None when the process itself failed


class RecipeError(DicescriptError):
    """Something is wrong with a recipe, an expression or an input.

    kind is "syntax", "name", "runtime", "limit", "deadline", "cancelled", "module", "input" or "internal".
    """

    def __init__(self, failure: dict[str, Any], result: Result | None = None, errors: list[dict[str, Any]] | None = None):
        self.kind: str = failure["kind"]
        self.message: str = failure["message"]
        self.file: str = failure.get("file", "")
        self.line: int = failure.get("line", 0)
        self.column: int = failure.get("column", 0)
        self.backtrace: list[dict[str, Any]] = failure.get("backtrace", [])
        self.result = result  # what was put out before the failure
        self.errors = [RecipeError(f) for f in errors or []]  # all mistakes, where there are several
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else ""
        super().__init__(place + self.message)
