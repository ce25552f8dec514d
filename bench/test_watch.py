"""Tests of bench/watch and of what it takes from bench/compare: python3 bench/test_watch.py"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "scripts"))
from python_version import require

require()

import contextlib
import io
import json
import stat
import subprocess
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from types import SimpleNamespace
from unittest import mock

sys.dont_write_bytecode = True
FOLDER = Path(__file__).resolve().parent


def load(name):
    loader = SourceFileLoader(name, str(FOLDER / name))
    module = module_from_spec(spec_from_loader(name, loader))
    sys.modules[name] = module
    loader.exec_module(module)
    return module


WATCH = load("watch")
COMPARE = WATCH.COMPARE

# A stand-in for `banyan` with what the script reads: its `match` ends at once, and its `bench` has the rows RATES.
PROGRAM = """#!/usr/bin/env python3
import json, pathlib, sys
words = sys.argv[1:]
if words == ["ugi", "--help"]:
    print("Usage: banyan ugi [OPTIONS]", "--clock <CLOCK>" if CLOCK else "")
elif words[0] == "match":
    place = pathlib.Path(words[-1])
    (place.parent / "calls").open("a").write(" ".join(words[1:-1]) + "\\n")
    if words[1] == "reversi" and FAILS:
        sys.exit("note: no matter\\nerror: out of paper")
    place.mkdir(exist_ok=True)
    (place / "match.toml").touch()
    pairing = {"wdl": WDL, "elo": ELO}
    warning = {"kind": "overruns", "text": "slow"}
    (place / "summary.json").write_text(json.dumps({"pairings": [pairing], "warnings": [warning]}))
    print(json.dumps({"event": "stats", "pairs": 1, "of": 2, "wdl": WDL, "elo": ELO}))
elif words[0] == "bench":
    for what, rate in RATES.items():
        print(json.dumps({"what": what, "rate": rate}))
"""


def program(path, clock=True, fails=False, wdl=(1, 0, 1), elo=(-9, 0, 9), rates=None):
    """Writes the program that answers with these results."""
    values = {"CLOCK": clock, "FAILS": fails, "WDL": list(wdl), "ELO": list(elo), "RATES": rates or {"uct": 2e6, "mcgs": 1e6}}
    text = "".join(f"{name} = {value!r}\n" for name, value in values.items())
    path.write_text(PROGRAM.replace("words = sys.argv[1:]\n", text + "words = sys.argv[1:]\n"))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def speed(other, this, what="uct"):
    return WATCH.Speed("reversi", what, [other], [this])


def match(low, elo, high):
    return WATCH.Strength("reversi", [1, 2, 3], [low, elo, high], [])


class Compare(unittest.TestCase):
    def test_rows_of_both_programs_are_measured_in_turn(self):
        calls = []

        def measure(program, game, run):
            calls.append(program)
            return {"both": run + 1, program: 5}

        rows = COMPARE.compared("old", "new", 3, "reversi", measure)
        self.assertEqual(rows, [("both", [1, 2, 3], [1, 2, 3])])
        self.assertEqual(calls, ["old", "new", "new", "old", "old", "new"])
        self.assertAlmostEqual(COMPARE.geometric_mean([0.5, 2, 1]), 1)

    def test_its_command_line_prints_medians_and_ratios(self):
        with tempfile.TemporaryDirectory() as folder:
            old, new = (program(Path(folder) / name, rates={"uct": rate}) for name, rate in (("old", 2e6), ("new", 3e6)))
            found = subprocess.run([FOLDER / "compare", old, new, "2", "reversi"], capture_output=True, text=True, check=True).stdout
        row, mean = found.splitlines()
        self.assertEqual(row.split(), ["reversi", "uct", "2.000", "3.000", "1.500"])
        self.assertEqual(mean, "geometric mean of 1 rows: 1.500")


class Verdict(unittest.TestCase):
    def test_only_an_interval_below_zero_is_worse(self):
        for elo in [(-9, 0, 9), (-9, -5, 0), (1, 5, 9), (None, None, None), (300, None, None)]:
            self.assertEqual(WATCH.faults([match(*elo)], []), [], elo)
        for elo in [(-9, -5, -1), (None, None, -300)]:
            self.assertEqual(WATCH.faults([match(0, 0, 0), match(*elo)], []), ["reversi lost strength"], elo)

    def test_the_mean_and_the_worst_row_have_limits(self):
        self.assertEqual(WATCH.faults([], [speed(100, 98), speed(100, 98.1)]), [])
        self.assertEqual(WATCH.faults([], [speed(100, 97), speed(100, 98)]), ["the geometric mean is below 0.98"])
        self.assertEqual(WATCH.faults([], [speed(100, 94), speed(100, 110)]), ["the worst row is below 0.95"])
        self.assertEqual(len(WATCH.faults([match(-9, -5, -1)], [speed(100, 90)])), 3)

    def test_a_row_is_the_ratio_of_medians_with_the_range_of_the_runs(self):
        row = WATCH.Speed("reversi", "uct", [1, 2, 4], [2, 2, 2])
        self.assertEqual((row.ratio(), row.range()), (1, (0.5, 2)))


class Table(unittest.TestCase):
    def test_one_table_has_games_and_rows_and_ends_with_the_worst(self):
        lines = WATCH.table([match(-52.4, -30, -8), match(None, None, 12)], [speed(2e6, 1.8e6, "mcgs"), speed(1e6, 1e6)])
        words = [line.split() for line in lines]
        self.assertEqual(words[1], ["reversi", "1-2-3", "-30", "-52", "..", "-8", "worse"])
        self.assertEqual(words[2], ["reversi", "1-2-3", "?", "?", "..", "+12"])
        self.assertEqual(words[4], ["reversi", "mcgs", "2.000", "1.800", "0.900", "0.900", "..", "0.900", "worse"])
        self.assertEqual(words[-2], ["all", "geometric", "mean", "of", "2", "rows", "0.949", "worse"])
        self.assertEqual(words[-1], ["reversi", "worst:", "mcgs", "0.900", "worse"])
        # The columns of all lines end at the same places.
        self.assertEqual(lines[1].index("-30") + 3, lines[4].index("0.900") + 5)
        self.assertEqual(len(WATCH.table([match(0, 0, 0)], [])), 2)

    def test_a_standing_is_shown_while_a_match_is_played(self):
        stats = {"pairs": 3, "of": 100, "wdl": [1, 2, 3], "elo": [None, 7.4, 20]}
        self.assertEqual(WATCH.standing(stats), "3 of 100 pairs, 1-2-3, Elo +7 (? .. +20)")


class Parsing(unittest.TestCase):
    def test_engines_are_started_alike(self):
        for clock, command in [("cpu", '["./this", "ugi", "--clock", "cpu"]'), ("wall", '["./this", "ugi"]')]:
            this, other = WATCH.engines_file(clock).split("\n\n")
            self.assertIn(f"command = {command}\n", this)
            self.assertEqual(this.replace("this", "other"), other.rstrip("\n"))

    def test_the_reason_of_a_failure_takes_one_line(self):
        for errors, line in [
            ("note: x\nerror: y: expected z\n", "y: expected z"),
            ("fatal: not a repository\n", "not a repository"),
            ("thread panicked\n\n", "thread panicked"),
            ("", "ended with status 3"),
        ]:
            self.assertEqual(WATCH.last_line(errors, 3), line)

    def test_measurements_are_kept_by_program_game_and_run(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bench.jsonl"
            self.assertEqual(WATCH.read_measurements(path), {})
            line = {"program": "this", "game": "reversi", "run": 0, "rates": {"uct": 1.5}}
            path.write_text(json.dumps(line) + "\n")
            self.assertEqual(WATCH.read_measurements(path), {("this", "reversi", 0): {"uct": 1.5}})
            for wrong in ('{"program":', "{}", "7"):
                path.write_text(json.dumps(line) + "\n" + wrong)
                with self.assertRaisesRegex(WATCH.Failure, "bench.jsonl: line 2 is no measurement"):
                    WATCH.read_measurements(path)

    def test_programs_that_are_not_of_a_commit_are_told_apart(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "banyan"
            path.write_text("")
            self.assertEqual(WATCH.label("0123456789abcdef"), "0123456789ab")
            self.assertEqual(WATCH.label("0123456789abcdef", path), "0123456789ab+e3b0c442")


class Command(unittest.TestCase):
    """The whole command, with programs that answer at once."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.patches = contextlib.ExitStack()
        self.addCleanup(self.patches.close)
        for patch in [
            mock.patch.object(WATCH, "WATCH", self.folder / "watch"),
            mock.patch.object(WATCH, "git", lambda *words: "" if words[0] == "status" else "0123456789abcdef"),
        ]:
            self.patches.enter_context(patch)

    def watch(self, *options):
        """Exit code, output and progress."""
        words = ["watch", "HEAD", "--banyan", str(self.folder / "a"), "--other", str(self.folder / "b"), *options]
        out, err = io.StringIO(), io.StringIO()
        with mock.patch.object(sys, "argv", words), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = WATCH.main()
        return code, out.getvalue(), err.getvalue()

    def calls(self):
        return "".join(path.read_text() for path in self.folder.glob("watch/*/calls")).splitlines()

    def test_matches_are_resumed_and_measurements_kept(self):
        program(self.folder / "a")
        program(self.folder / "b", rates={"uct": 2e6, "mcgs": 1e6, "old": 1})
        code, out, err = self.watch("--pairs", "2", "--runs", "1", "--bench", "reversi")
        self.assertEqual(code, 0, out + err)
        self.assertEqual(len(out.splitlines()), 1 + 1 + 3 + 1 + 2 + 2 + 1, out)
        self.assertIn("CPU time of each engine", out)
        self.assertNotIn("slow", out)
        self.assertEqual(len(self.calls()), 3)
        self.assertTrue(all("--pairs 2 " in call and call.endswith("--out") for call in self.calls()), self.calls())
        self.assertEqual(err.count("bench reversi"), 2)
        self.assertEqual(len(list((self.folder / "watch").iterdir())), 1)
        _, again, err = self.watch("--pairs", "2", "--runs", "1", "--bench", "reversi")
        self.assertEqual(again, out)
        self.assertNotIn("bench reversi", err)
        self.assertTrue(all(call.endswith("--resume") for call in self.calls()[3:]), self.calls())

    def test_what_is_worse_is_named_by_the_exit_code(self):
        program(self.folder / "a", elo=(-9, -5, -1), rates={"uct": 1e6})
        program(self.folder / "b", clock=False, rates={"uct": 2e6})
        code, out, err = self.watch("--runs", "2", "--bench", "reversi")
        self.assertEqual(code, 1)
        self.assertIn("wall time", out)
        self.assertIn("reversi: slow", out)
        # A row below the limit is measured by as many runs again.
        self.assertEqual(err.count("bench reversi"), 8)
        self.assertRegex(out, "worse: .*reversi lost strength.*geometric mean.*worst row")

    def test_a_failure_is_one_line(self):
        program(self.folder / "a", fails=True)
        program(self.folder / "b")
        with self.assertRaises(WATCH.Failure) as failed:
            self.watch("--runs", "0")
        self.assertEqual(str(failed.exception), "reversi: out of paper")
        for wrong, message in [(("--jobs", "0"), "'0': expected 1 to 9999"), (("--pairs", "x"), "expected 0"), (("--other", "/"), "expected a program")]:
            with self.assertRaisesRegex(WATCH.Failure, message):
                self.watch(*wrong)

    def test_an_unknown_commit_is_an_error(self):
        found = subprocess.run([FOLDER / "watch", "no-such-commit"], capture_output=True, text=True)
        self.assertEqual((found.returncode, found.stdout), (2, ""))
        self.assertEqual(found.stderr, "error: no-such-commit: expected a commit of this repository\n")


if __name__ == "__main__":
    unittest.main()
