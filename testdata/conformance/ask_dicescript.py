#!/usr/bin/env python3
"""Answers the cases with dicescript, for run.py: one line in, one line out.

    python3 run.py python3 ask_dicescript.py [PATH OF dicescript]
"""

import json
import subprocess
import sys


def answer(report):
    """What a report says, as run.py reads it; null for what dicescript refuses."""
    if "error" in report or len(report["outputs"]) != 1:
        return None
    output = report["outputs"][0]
    if "pmf" in output:
        return {str(x["outcome"]): x["exact"] for x in output["pmf"]}
    return output.get("exact")


def main():
    command = sys.argv[1] if len(sys.argv) > 1 else "dicescript"
    texts = sys.stdin.read().splitlines()
    calls = [{"jsonrpc": "2.0", "id": i, "method": "eval", "params": {"expression": t, "fractions": "exact"}} for i, t in enumerate(texts)]
    lines = "".join(json.dumps(c) + "\n" for c in calls)
    done = subprocess.run([command, "rpc"], input=lines, stdout=subprocess.PIPE, encoding="utf-8", check=True)
    results = {}
    for line in done.stdout.splitlines():
        message = json.loads(line)
        if "result" in message:
            results[message["id"]] = message["result"]
    for i in range(len(texts)):
        print(json.dumps(answer(results[i]) if i in results else None))


if __name__ == "__main__":
    main()
