import asyncio
import doctest
import os
import signal
import stat
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
import types
import unittest
from fractions import Fraction
from unittest import mock

import dicescript as ds
from dicescript._process import find

ENDLESS = "def f():\n  n = 0\n  while n < 1000000000000:\n    n += 1\n  return n\noutput('first', d6)\nf()"


class Values(unittest.TestCase):
    LARGE = "x = 1\nfor i in range(30):\n  x *= 1 << 500\n"  # 2**15000

    def test_roll(self):
        r = ds.eval("2d6")
        self.assertEqual(list(r), [(s, Fraction(6 - abs(s - 7), 36)) for s in range(2, 13)])
        self.assertEqual((r.mean(), r.variance(), r.min(), r.max()), (7, Fraction(35, 6), 2, 12))
        self.assertIsInstance(r.mean(), Fraction)
        self.assertAlmostEqual(r.sd(), float(Fraction(35, 6)) ** 0.5)
        self.assertEqual((r.pmf(7), r.p_eq(7), r.pmf(1), r.pmf(13)), (Fraction(1, 6), Fraction(1, 6), 0, 0))
        for x in range(0, 15):
            below = sum((p for y, p in r if y < x), Fraction(0))
            self.assertEqual((r.p_lt(x), r.p_ge(x)), (below, 1 - below))
            self.assertEqual((r.p_le(x), r.cdf(x), r.p_gt(x)), (below + r.pmf(x), below + r.pmf(x), 1 - below - r.pmf(x)))
        self.assertEqual(r.p_in([7, 11, 40]), Fraction(2, 9))
        self.assertEqual((r.median(), r.mode(), r.quantile(0), r.quantile(1), r.quantile(Fraction(1, 36))), (7, [7], 2, 12, 2))
        self.assertEqual(r.quantile(Fraction(1, 36) + Fraction(1, 1000)), 3)
        self.assertEqual((r, hash(r)), (ds.eval("d6 + d6"), hash(ds.eval("d6 + d6"))))
        self.assertNotEqual(r, ds.eval("d6 * 2"))
        self.assertEqual(len(r), 11)
        with self.assertRaises(ValueError):
            r.quantile(2)

    def test_unlimited(self):
        r = ds.eval("explode(d6, None)")
        self.assertEqual(r.mean(), Fraction(21, 5))
        self.assertGreater(r.error, 0)
        self.assertGreater(r.pmf(3).error, 0)
        self.assertEqual((r.quantile(Fraction(3, 5)), r.quantile(Fraction(9, 10))), (4, 9))
        with self.assertRaises(ValueError):
            r.median()  # 3 or less is 1/2, but for the error
        for ask in (r.max, r.min, r.support):
            with self.assertRaises(ValueError):
                ask()
        self.assertIn("≈", r._repr_html_())

    def test_long(self):
        # Weights of more digits than Python reads at once.
        r = ds.eval(self.LARGE + "mixture([(x, 1), (1, 2)])")
        self.assertEqual(r.pmf(2), Fraction(1, 2**15000 + 1))
        self.assertEqual(sum(p for _, p in r), 1)
        self.assertEqual(ds.run(self.LARGE + "output([x])")[0], [2**15000])

    def test_kinds(self):
        result = ds.run(textwrap.dedent("""
            output("chance", 4d6kh3 >= 15)
            output("number", 2d6.mean() / 3)
            output("outcomes", versus(d6, d4))
            output("tuples", map(lambda a, b: (a, b), d(2), d(2)))
            output("table", prob_table([("a", d6 >= 5), ("b", d6 >= 6)]))
            output("grid", grid([1, 2], ["x", "y"], lambda r, c: d6 >= r, corner="k"))
            output("text", "hello")
            output("data", {"kind": "sword", "n": [1, 2.5, "x", None, True], "r": d6})
        """))
        self.assertEqual(result["chance"], Fraction(25, 108))
        self.assertEqual(result["number"], Fraction(7, 3))
        o = result["outcomes"]
        self.assertEqual(list(o), [("lose", Fraction(1, 4)), ("tie", Fraction(1, 6)), ("win", Fraction(7, 12))])
        self.assertEqual((o["win"], o.p_in(["win", "tie"]), o.labels), (Fraction(7, 12), Fraction(3, 4), ["lose", "tie", "win"]))
        with self.assertRaises(KeyError):
            o.pmf("draw")
        self.assertEqual(result["tuples"].pmf((1, 2)), Fraction(1, 4))
        self.assertEqual(result["table"], {"a": Fraction(1, 3), "b": Fraction(1, 6)})
        g = result["grid"]
        self.assertEqual((g[2, "x"], g.corner, g.rows, g.cols), (Fraction(5, 6), "k", [1, 2], ["x", "y"]))
        self.assertEqual(result["text"], "hello")
        self.assertEqual(result["data"], {"kind": "sword", "n": [1, 2.5, "x", None, True], "r": ds.eval("d6")})
        self.assertEqual(result.titles[0], "chance")
        self.assertEqual(result[-1], result["data"])
        with self.assertRaises(KeyError):
            result["nothing"]
        self.assertEqual(len(result.items()), len(result))
        html = result._repr_html_()
        self.assertIn("<svg", html)
        self.assertIn("25/108", html)

    def test_html_is_escaped_and_bounded(self):
        html = ds.eval("d(2).map(lambda x: '<b>' if x == 1 else '&')")._repr_html_()
        self.assertNotIn("<b>", html)
        self.assertIn("&lt;b&gt;", html)
        self.assertLess(len(ds.eval("100d100")._repr_html_()), 60_000)

    def test_frame(self):
        pandas = types.ModuleType("pandas")
        pandas.DataFrame = lambda columns: types.SimpleNamespace(columns=columns)  # what of it is used
        with mock.patch.dict(sys.modules, {"pandas": pandas}):
            frame = ds.eval("d4").to_frame()
            self.assertEqual(frame.columns["outcome"], [1, 2, 3, 4])
            self.assertEqual(frame.columns["chance"], [0.25] * 4)
            self.assertEqual(frame.columns["exact"], [Fraction(1, 4)] * 4)
        with mock.patch.dict(sys.modules, {"pandas": None}):
            with self.assertRaisesRegex(ImportError, "pandas"):
                ds.eval("d4").to_frame()

    def test_statements(self):
        self.assertEqual(ds.eval("x = 3\nx + 1"), 4)
        self.assertIsNone(ds.eval("x = 3"))


class Recipes(unittest.TestCase):
    SOURCE = "bonus = param('bonus', 5, help='to hit', max=10)\noutput('hit', d(20) + bonus >= 15)"

    def test_compile(self):
        recipe = ds.compile(self.SOURCE)
        self.assertEqual([(p.name, p.type, p.default, p.help, p.max) for p in recipe.params], [("bonus", "int", 5, "to hit", 10)])
        self.assertEqual(recipe()["hit"], Fraction(11, 20))
        self.assertEqual(recipe(bonus=7)["hit"], Fraction(13, 20))
        self.assertEqual(ds.run(self.SOURCE, bonus=Fraction(7))["hit"], Fraction(13, 20))
        for bad in ({"bonus": 11}, {"bonus": "a"}, {"bonsu": 1}):
            with self.assertRaises(ds.RecipeError) as caught:
                recipe(**bad)
            self.assertEqual(caught.exception.kind, "input")
        for bad in ([1], None, Fraction(1, 3), float("nan")):
            with self.assertRaises(TypeError):
                recipe(bonus=bad)

    def test_a_recipe_outlives_its_handle(self):
        recipe = ds.compile(self.SOURCE)
        for i in range(300):
            ds.compile(f"output('x', {i})")
        self.assertEqual(recipe(bonus=7)["hit"], Fraction(13, 20))

    def test_errors(self):
        with self.assertRaises(ds.RecipeError) as caught:
            ds.run("output('a', d6)\nx = 1\nfail('no')")
        e = caught.exception
        self.assertEqual((e.kind, e.line, list(e.result)), ("runtime", 3, [ds.eval("d6")]))
        with self.assertRaises(ds.RecipeError) as caught:
            ds.compile("x = a\ny = b")
        self.assertEqual([f.line for f in caught.exception.errors], [1, 2])
        with self.assertRaises(ds.RecipeError) as caught:
            ds.eval("100d100", limits={"work": 10})
        self.assertEqual(caught.exception.kind, "limit")
        with self.assertRaises(ds.EngineError):
            ds.eval("d6", limits={"wokr": 10})
        with self.assertRaises(ValueError):
            ds.eval("d6", timeout=0)

    def test_check_throw_doc(self):
        (d,) = ds.check("x = lenn([])")
        self.assertEqual((d.severity, d.line, d.column, d.fixes), ("error", 1, 5, ("len",)))
        t = ds.throw("4d6kh3 + 2", seed=5)
        self.assertEqual(t, ds.throw("4d6kh3 + 2", seed=5))
        self.assertEqual(t.at_least, ds.eval("4d6kh3 + 2").p_ge(t.result))
        self.assertIn("[", t.shown)
        self.assertIn("highest", ds.engine().doc("keep_highest"))
        with self.assertRaises(ds.RecipeError):
            ds.throw("'a'")
        with self.assertRaises(ds.RecipeError):
            ds.engine().doc("no such thing")


class Processes(unittest.TestCase):
    def test_context_manager(self):
        printed = []
        with ds.Engine(print=printed.append, timeout=60, limits={"steps": 10**6}) as e:
            self.assertEqual(e.eval("d6 >= 3"), Fraction(2, 3))
            e.run("print('a', 1)")
            with self.assertRaises(ds.RecipeError) as caught:
                e.run(ENDLESS)
            self.assertEqual((caught.exception.kind, caught.exception.result.titles), ("limit", ["first"]))
        self.assertEqual(printed, ["a 1"])
        self.assertFalse(e.alive())
        with self.assertRaises(ds.EngineError):
            e.eval("d6")

    def test_modules(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "house.star"), "w") as f:
                f.write("def bonus():\n  return 3\n")
            with ds.Engine(modules=folder) as e:
                self.assertEqual(e.run("load('./house.star', 'bonus')\noutput(bonus())")[0], 3)

    def test_timeout(self):
        with self.assertRaises(ds.RecipeError) as caught:
            ds.engine().run(ENDLESS, timeout=0.05)
        self.assertEqual(caught.exception.kind, "deadline")

    def test_threads(self):
        got = {}

        def ask(i):
            got[i] = [ds.eval(f"d{i} + {n}").min() for n in range(20)]

        threads = [threading.Thread(target=ask, args=(i,)) for i in range(1, 17)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(got, {i: [n + 1 for n in range(20)] for i in range(1, 17)})

    def test_async(self):
        async def play():
            rolls = await asyncio.gather(*(ds.eval_async(f"{i}d6") for i in range(1, 200)))
            self.assertEqual([r.max() for r in rolls], [6 * i for i in range(1, 200)])
            recipe = ds.compile(Recipes.SOURCE)
            self.assertEqual((await recipe.run_async({"bonus": 7}))["hit"], Fraction(13, 20))
            with ds.Engine() as e:
                long = asyncio.create_task(e.run_async("" + ENDLESS, limits={"steps": -1}))
                await asyncio.sleep(0.1)
                long.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await long
                self.assertEqual((await e.eval_async("d6")).max(), 6)

        asyncio.run(play())

    def test_server_killed(self):
        e = ds.Engine()
        failed = []

        def ask():
            try:
                e.run(ENDLESS, limits={"steps": -1}, timeout=600)
            except ds.EngineError as error:
                failed.append(error)

        asking = threading.Thread(target=ask)
        asking.start()
        e.eval("d6")
        e._process._child.kill()
        asking.join(30)
        self.assertEqual(len(failed), 1)
        self.assertFalse(e.alive())
        e.close()

    def test_the_shared_engine_is_started_anew(self):
        ds.engine()._process._child.kill()
        deadline = time.monotonic() + 30
        while ds.engine()._process._ended and time.monotonic() < deadline:
            time.sleep(0.01)
        for _ in range(3):  # the end of a process may be seen with the next call
            try:
                self.assertEqual(ds.eval("d6").max(), 6)
                return
            except ds.EngineError:
                time.sleep(0.1)
        self.fail("it is not started anew")

    @unittest.skipUnless(hasattr(os, "fork"), "processes are not forked here")
    def test_forked(self):
        ds.eval("d6")
        child = os.fork()
        if child == 0:
            try:
                os._exit(0 if ds.eval("d8").max() == 8 else 1)
            finally:
                os._exit(2)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        self.assertEqual(ds.eval("d6").max(), 6)

    def test_client_killed(self):
        # Its engine ends with it, whatever is being computed.
        code = f"import dicescript as ds\ne = ds.Engine(print=lambda t: print(e._process._child.pid, flush=True))\ne.run('print(1)\\n' + {ENDLESS!r}, limits={{'steps': -1}}, timeout=600)"
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=os.environ) as client:
            engine = int(client.stdout.readline())
            client.kill()
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                os.kill(engine, 0)
            except ProcessLookupError:
                return
            with open(f"/proc/{engine}/stat") as f:
                if f.read().rsplit(")", 1)[1].split()[0] == "Z":
                    return
            time.sleep(0.05)
        os.kill(engine, signal.SIGKILL)
        self.fail("the engine goes on")

    def stub(self, folder, text):
        path = os.path.join(folder, "dicescript")
        with open(path, "w") as f:
            f.write(f"#!{sys.executable}\n" + textwrap.dedent(text))
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
        return path

    def test_a_command_that_speaks_otherwise(self):
        with tempfile.TemporaryDirectory() as folder:
            with ds.Engine(self.stub(folder, "import sys\nsys.stdin.readline()\nprint('half a li', end='')")) as e:
                with self.assertRaises(ds.EngineError):
                    e.eval("d6")
            with ds.Engine(self.stub(folder, "")) as e:
                with self.assertRaises(ds.EngineError):
                    e.eval("d6")
        with self.assertRaises(ds.EngineError):
            ds.Engine("/nowhere/dicescript")

    def test_find(self):
        with tempfile.TemporaryDirectory() as folder:
            path = self.stub(folder, "")
            with mock.patch.dict(os.environ, {"DICESCRIPT": "", "PATH": folder}):
                self.assertEqual(find(), path)
            with mock.patch.dict(os.environ, {"DICESCRIPT": "/named"}):
                self.assertEqual(find(), "/named")
            with mock.patch.dict(os.environ, {"DICESCRIPT": "", "PATH": ""}):
                with mock.patch.object(sys, "executable", os.path.join(folder, "python")):
                    self.assertEqual(find(), path)
                with mock.patch.object(sys, "executable", "/nowhere/python"), self.assertRaises(ds.EngineError):
                    find()


def load_tests(loader, tests, ignore):
    tests.addTests(doctest.DocTestSuite(ds))
    return tests


if __name__ == "__main__":
    unittest.main()
