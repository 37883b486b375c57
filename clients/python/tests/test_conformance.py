import json
import os
import unittest
from fractions import Fraction

import dicescript as ds

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "testdata", "conformance", "cases.json")


class Conformance(unittest.TestCase):
    def test_cases(self):
        with open(CASES, encoding="utf-8") as f:
            cases = json.load(f)
        self.assertGreaterEqual(len(cases), 400)
        for case in cases:
            with self.subTest(case["text"]):
                value, answer = ds.eval(case["text"]), case["answer"]
                if isinstance(answer, str):
                    self.assertIsInstance(value, Fraction)
                    self.assertEqual(value, Fraction(answer))
                    continue
                self.assertEqual({str(x): p for x, p in value if p}, {x: Fraction(p) for x, p in answer.items()})


if __name__ == "__main__":
    unittest.main()
