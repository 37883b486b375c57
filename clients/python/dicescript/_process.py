"""The process that computes, and the messages to and from it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from concurrent.futures import Future
from typing import Any, Callable

from ._errors import EngineError


def find() -> str:
    """The path of the command: what DICESCRIPT names, on PATH, or beside this package or Python."""
    named = os.environ.get("DICESCRIPT")
    if named:
        return named
    here = os.path.dirname(os.path.abspath(__file__))
    on_path = shutil.which("dicescript")
    if on_path:
        return on_path
    for folder in (here, os.path.dirname(here), os.path.dirname(sys.executable)):
        beside = shutil.which("dicescript", path=folder)
        if beside:
            return beside
    raise EngineError(
        "there is no command dicescript: set DICESCRIPT to its path, or put it on PATH (go install ./cmd/dicescript in a clone)"
    )


def _loads(line: bytes) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError:
        raise
    except ValueError:  # an integer of more digits than Python reads at once
        from ._values import big

        return json.loads(line, parse_int=lambda text: -big(text[1:]) if text.startswith("-") else big(text))


class Process:
    """Answers calls, any number of them at once and from any thread."""

    def __init__(self, command: list[str], on_print: Callable[[str], None]):
        try:
            self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as e:
            raise EngineError(f"{command[0]}: {e.strerror or e}") from e
        self._on_print = on_print
        self._lock = threading.Lock()  # of what follows
        self._writing = threading.Lock()
        self._calls: dict[int, Future[Any]] = {}
        self._last = 0
        self._ended = False
        self._owner = os.getpid()
        self._reader = threading.Thread(target=self._read, name="dicescript", daemon=True)
        self._reader.start()

    def alive(self) -> bool:
        """Whether calls are answered. A process that was forked has no reader."""
        return not self._ended and self._owner == os.getpid()

    def call(self, method: str, params: dict[str, Any]) -> Future[Any]:
        """Sends a call; the future has its result. Cancelling the future stops the call."""
        future: Future[Any] = Future()
        with self._lock:
            if self._ended:
                raise EngineError("the engine has ended")
            self._last += 1
            number = self._last
            self._calls[number] = future
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        try:
            line = json.dumps(message, separators=(",", ":"), allow_nan=False)
        except (TypeError, ValueError) as e:
            self._forget(number)
            raise TypeError(f"an input can't be sent: {e}") from e
        future.add_done_callback(lambda f: self._cancelled(f, number))
        self._write(line)
        return future

    def _cancelled(self, future: Future[Any], number: int) -> None:
        if future.cancelled() and self._forget(number) is not None:
            self._write(json.dumps({"jsonrpc": "2.0", "method": "cancel", "params": {"id": number}}))

    def _forget(self, number: int) -> Future[Any] | None:
        with self._lock:
            return self._calls.pop(number, None)

    def _write(self, line: str) -> None:
        assert self._child.stdin is not None
        try:
            with self._writing:
                self._child.stdin.write(line.encode() + b"\n")
                self._child.stdin.flush()
        except (OSError, ValueError):
            self._end("the engine has ended")

    def _read(self) -> None:
        assert self._child.stdout is not None
        try:
            for line in self._child.stdout:
                self._take(_loads(line))
        except Exception as e:  # whatever it is, nobody else would tell the callers
            self._end(f"the engine sent what can't be read: {e}")
        finally:
            self._end("the engine has ended")

    def _take(self, message: dict[str, Any]) -> None:
        if message.get("method") == "print":
            self._on_print(message["params"]["text"])
            return
        future = self._forget(message["id"]) if message.get("id") is not None else None
        if future is None or not future.set_running_or_notify_cancel():
            return
        if "error" in message:
            future.set_exception(EngineError(message["error"]["message"], message["error"]["code"]))
        else:
            future.set_result(message["result"])

    def _end(self, why: str) -> None:
        with self._lock:
            self._ended = True
            calls, self._calls = self._calls, {}
        for future in calls.values():
            if future.set_running_or_notify_cancel():
                future.set_exception(EngineError(why))

    def close(self) -> None:
        """Ends the process; calls that are not answered fail."""
        with self._lock:
            self._ended = True
        if self._owner != os.getpid():
            return
        self._child.terminate()
        try:
            self._child.wait(5)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
        if threading.current_thread() is not self._reader:
            self._reader.join(5)
        for stream in (self._child.stdin, self._child.stdout):
            try:
                if stream is not None:
                    stream.close()
            except OSError:
                pass
