"""The notebook in examples shows what its cells give: they are run as Jupyter would."""

import ast
import contextlib
import io
import json
import os
import unittest

NOTEBOOK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "examples", "notebook.ipynb")


def run(source, names):
    """The outputs of a cell: what it prints, and the value of its last expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(keepends=True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = value._repr_html_().splitlines(keepends=True)
        outputs.append({"data": data, "metadata": {}, "output_type": "execute_result"})
    return outputs


class Notebook(unittest.TestCase):
    def test_cells(self):
        with open(NOTEBOOK, encoding="utf-8") as f:
            book = json.load(f)
        self.assertEqual((book["nbformat"], book["nbformat_minor"]), (4, 5))
        names, count, stale = {"__name__": "__main__"}, 0, False
        for cell in book["cells"]:
            self.assertTrue(cell["id"])
            if cell["cell_type"] != "code":
                continue
            count += 1
            outputs = run("".join(cell["source"]), names)
            for o in outputs:
                if o["output_type"] == "execute_result":
                    o["execution_count"] = count
            if (cell["outputs"], cell["execution_count"]) != (outputs, count):
                cell["outputs"], cell["execution_count"], stale = outputs, count, True
        self.assertGreaterEqual(count, 6)
        if stale and os.environ.get("UPDATE"):
            with open(NOTEBOOK, "w", encoding="utf-8") as f:
                f.write(json.dumps(book, indent=1, ensure_ascii=False) + "\n")
            return
        self.assertFalse(stale, "the notebook shows something else; UPDATE=1 writes what its cells give")


if __name__ == "__main__":
    unittest.main()
