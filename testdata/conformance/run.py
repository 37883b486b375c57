#!/usr/bin/env python3
"""Holds a dice tool to the cases.

    python3 run.py COMMAND [ARGUMENT...]

COMMAND reads the text of one case a line and answers each with one line of JSON: a fraction such as "1/6" for a
chance or a number, an object {"outcome": "fraction"} for a roll, or null for what the tool has no word for.
"""

import json
import os
import subprocess
import sys
from fractions import Fraction

HERE = os.path.dirname(os.path.abspath(__file__))


def read(answer):
    """An answer as exact fractions, outcomes that can't happen left out."""
    if not isinstance(answer, dict):
        return Fraction(answer)
    chances = {str(x): Fraction(p) for x, p in answer.items()}
    return {x: p for x, p in chances.items() if p}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    with open(os.path.join(HERE, "cases.json"), encoding="utf-8") as f:
        cases = json.load(f)
    questions = "".join(c["text"] + "\n" for c in cases)
    tool = subprocess.run(sys.argv[1:], input=questions, stdout=subprocess.PIPE, encoding="utf-8", check=False)
    if tool.returncode != 0:
        sys.exit(f"the command ended with status {tool.returncode}")
    answers = tool.stdout.splitlines()
    if len(answers) != len(cases):
        sys.exit(f"the command gave {len(answers)} lines for {len(cases)} cases")
    right = wrong = left_out = 0
    for case, line in zip(cases, answers):
        answer = json.loads(line)
        if answer is None:
            left_out += 1
        elif read(answer) == read(case["answer"]):
            right += 1
        else:
            wrong += 1
            print(f"wrong: {case['text']}: {line}, not {json.dumps(case['answer'])}")
    print(f"{right} right, {wrong} wrong, {left_out} left out, of {len(cases)}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
