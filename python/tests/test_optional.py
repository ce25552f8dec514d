"""What the package does without packages that it can use."""

import subprocess
import sys
import types
import unittest
from unittest import mock

import banyan

OPTIONAL = ["pandas", "polars", "matplotlib", "IPython", "pettingzoo", "gymnasium"]

# Everything that needs none of them, in a process in which they cannot be imported.
ALONE = f"""
import sys

sys.modules.update(dict.fromkeys({OPTIONAL!r}))
import banyan

position = banyan.Game("connect-four:5x6").start()
assert isinstance(position.analyse("uct", "playouts=50").table(), list)
assert position._repr_svg_().startswith("<svg")
result = banyan.play_match("connect-four:5x6", ["uct", "random"], pairs=2, budget="playouts=10", openings="random:plies=2")
assert [row["pair"] for row in result.games()] == [0, 0, 1, 1]
assert result.svg().startswith("<svg")
try:
    import banyan.pettingzoo
except ImportError as error:
    print(error)
"""


class Optional(unittest.TestCase):
    def rows(self, **modules):
        position = banyan.Game("connect-four:5x6").start()
        with mock.patch.dict(sys.modules, modules):
            return position.analyse("uct", "playouts=50").table()

    def test_tables_are_frames_of_pandas_then_polars_then_lists(self):
        polars = types.ModuleType("polars")
        polars.DataFrame = lambda columns: ("polars", sorted(columns))
        self.assertEqual(type(self.rows(polars=polars)).__module__.split(".")[0], "pandas")
        self.assertEqual(self.rows(pandas=None, polars=polars)[0], "polars")
        rows = self.rows(pandas=None, polars=None)
        self.assertIsInstance(rows, list)
        self.assertEqual(list(rows[0]), ["move", "visits", "value", "margin", "lower", "upper", "pv"])

    def test_the_package_works_alone(self):
        found = subprocess.run([sys.executable, "-c", ALONE], capture_output=True, text=True)
        self.assertEqual((found.returncode, found.stderr), (0, ""))
        self.assertEqual(found.stdout, "gymnasium: not installed: expected PettingZoo and Gymnasium; run pip install pettingzoo\n")

    def test_it_imports_none_of_them(self):
        program = f"import sys, banyan; print([name for name in {OPTIONAL!r} if name in sys.modules])"
        found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual(found.stdout, "[]\n")
