"""Tests of the scripts of this folder: python3 experiments/test_scripts.py"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "scripts"))
from python_version import require

require()

import io
import lzma
import os
import subprocess
import tarfile
import tempfile
import unittest
from contextlib import redirect_stderr
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from unittest import mock

sys.dont_write_bytecode = True
from command_line import banyan_command

FOLDER = Path(__file__).resolve().parent


def load(name):
    loader = SourceFileLoader(name.replace("-", "_"), str(FOLDER / name))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    sys.modules[loader.name] = module
    loader.exec_module(module)
    return module


RUN_ALL = load("run-all")
PLAY = RUN_ALL.PLAY
ABLATION = load("ablation/run")


def matches(**tables):
    entry = {"name": "a", "players": ["uct:eval=made.bin", "{strong}@nodes=5"], "game": "reversi", "budget": "1s"}
    return PLAY.expand({"define": {"strong": "pvs"}, "match": [entry], **tables})


class Ablation(unittest.TestCase):
    def test_the_page_of_techniques_has_the_results(self):
        text = ABLATION.TECHNIQUES.read_text()
        self.assertEqual(ABLATION.techniques(text), text)
        self.assertGreater(text.count("\n| row |"), 10)

    def test_a_table_gets_a_line_for_each_stage_that_played_its_row(self):
        line = {"elo_low": "1", "elo": "2", "elo_high": "3", "speed": "0.5", "verdict": "better"}
        stages = {"screen": {"reversi/uct": {"a, b": line}}, "confirm": {"reversi/mcgs": {"a, b": {**line, "verdict": "undecided"}}}, "long": {}}
        block = ["| row | any |", "|---|---|", "| a, b | old |", "| a, b, at 10 ms | old |"]
        table = [
            "| row | Reversi, `uct` | Reversi, `mcgs` |",
            "|---|---|---|",
            "| a, b | **+2 (+1 .. +3)** |  |",
            "| a, b, at 10 ms |  | +2 (+1 .. +3) |",
        ]
        self.assertEqual(ABLATION.table_of(block, stages), table)

    def test_a_base_that_records_moves_plays_rows_without_its_settings(self):
        def settings(stage, text):
            return ABLATION.against(ABLATION.STAGES[stage], {"settings": text})["settings"]

        self.assertEqual(settings("screen", "amaf=grave"), "amaf=grave")
        self.assertEqual(settings("lanes-off", "amaf=grave"), "amaf-weight=0.5,amaf=grave")
        self.assertEqual(settings("lanes-off", "eval=mast"), "amaf=off,amaf-weight=0.5,eval=mast")

    def test_a_stage_has_the_rows_that_it_names(self):
        def names(stage, cell="connect-four/uct"):
            return [row["name"] for row in ABLATION.passed(stage, cell, ABLATION.rows_of(cell, stage)[0])]

        self.assertEqual(names("thousand"), ["RAVE", "RAVE without exploration", "GRAVE", "GRAVE without exploration"])
        self.assertEqual(names("replies"), ["last good reply", "last good reply to two moves"])
        self.assertEqual(len(names("added")), 3)
        self.assertEqual(names("added", "connect-four/mcgs"), [])
        self.assertNotIn("static order", names("screen"))
        # What the screen places clearly below 0 is not played at equal time.
        self.assertNotIn("MAST", names("lanes-off"))

    def test_a_cell_without_a_result_has_the_reason(self):
        (mast,) = (row for row in ABLATION.all_rows() if row["name"] == "MAST")
        self.assertEqual(ABLATION.absent("screen", "reversi/mcgs", mast), "n/a")
        self.assertEqual(ABLATION.absent("confirm", "connect-four/uct", mast), "(below 0 in the screen)")


class Matches(unittest.TestCase):
    def test_files_are_those_that_a_player_names(self):
        files = {"made.bin": "train a", "e.bin": "train b", "de.bin": "train c"}
        (match,) = matches(files=files)
        self.assertEqual(match.files, {"made.bin": "train a"})
        self.assertEqual(match.players[1], "pvs@nodes=5")

    def test_a_missing_file_is_made_and_a_failure_named(self):
        (match,) = matches(files={"made.bin": "made.bin"})
        made = FOLDER / "made.bin"
        root, PLAY.ROOT = PLAY.ROOT, FOLDER
        try:
            with self.assertRaisesRegex(PLAY.Failure, "banyan made.bin ended with status 0 and without made.bin"):
                PLAY.make_files(match, ["true"])
            PLAY.make_files(match, ["touch"])
            self.assertTrue(made.exists())
            # It is there now.
            PLAY.make_files(match, ["false"])
            self.assertEqual(PLAY.digests(match)["made.bin"]["sha256"], "e3b0c44298fc1c14")
            recorded = {"files": PLAY.digests(match)}
            self.assertEqual(RUN_ALL.other_files(match, recorded), [])
            made.write_text("another")
            self.assertEqual(RUN_ALL.other_files(match, recorded), ["made.bin"])
        finally:
            PLAY.ROOT = root
            made.unlink(missing_ok=True)

    def test_paths_of_the_command_are_made_absolute(self):
        here = os.path.join(os.curdir, os.path.relpath(FOLDER / "play"))
        self.assertEqual(banyan_command(f"nice {here} a/b"), ["nice", str(FOLDER / "play"), "a/b"])
        self.assertEqual(banyan_command(None)[:2], ["cargo", "run"])
        with self.assertRaises(SystemExit) as stopped, redirect_stderr(io.StringIO()) as said:
            banyan_command(" ")
        self.assertEqual(stopped.exception.code, 2)
        self.assertEqual(said.getvalue().count("\n"), 1)

    def test_a_sequential_test_has_no_pairs(self):
        entry = {"name": "test", "players": ["pvs", "uct"], "game": "reversi", "budget": "10ms", "sprt": "0,20"}
        (match,) = PLAY.expand({"defaults": {"pairs": 100}, "match": [entry]})
        self.assertEqual(match.options, {"sprt": "0,20", "budget": "10ms"})
        with self.assertRaisesRegex(PLAY.Failure, "pairs and sprt"):
            PLAY.expand({"match": [{**entry, "pairs": 100}]})

    def test_games_at_a_time_are_in_the_command(self):
        list_of = lambda *options: subprocess.run(
            [FOLDER / "play", "published", "--only", "2019/ties-first/10ms", "--list", *options], capture_output=True, text=True
        )
        self.assertRegex(list_of().stdout, "--jobs 1\n$")
        self.assertRegex(list_of("--jobs", "16").stdout, "--jobs 16\n$")
        for wrong in ("0", "-1", "two", "١"):
            self.assertIn("expected 1 to 9999", list_of("--jobs=" + wrong).stderr)


class Results(unittest.TestCase):
    def test_compressed_lines_are_read_before_the_others(self):
        with tempfile.TemporaryDirectory() as folder:
            plain, compressed = Path(folder, "results.jsonl"), Path(folder, "results.jsonl.xz")
            self.assertEqual(PLAY.read_results(plain), {})
            compressed.write_bytes(lzma.compress(b'{"name":"a","n":1}\n{"name":"b","n":1}\n'))
            self.assertEqual(list(PLAY.read_results(plain)), ["a", "b"])
            plain.write_text('{"name":"b","n":2}\n')
            self.assertEqual([line["n"] for line in PLAY.read_results(plain).values()], [1, 2])
            compressed.write_bytes(b"text")
            with self.assertRaisesRegex(PLAY.Failure, "results.jsonl.xz: .*; restore it"):
                PLAY.read_results(plain)


class Unfinished(unittest.TestCase):
    def test_games_continue_in_another_checkout(self):
        with tempfile.TemporaryDirectory() as folder:
            here, kept, there = (Path(folder) / name for name in ("here", "kept/a_b.tar.xz", "there"))
            here.mkdir()
            (here / "games.jsonl").write_text("one\n")
            PLAY.pack(here, kept)
            (here / "games.jsonl").write_text("two\n")
            PLAY.unpack(kept, here)
            self.assertEqual((here / "games.jsonl").read_text(), "two\n", "games of this checkout were replaced")
            PLAY.unpack(kept, there)
            self.assertEqual((there / "games.jsonl").read_text(), "one\n")
            self.assertEqual([path.name for path in kept.parent.iterdir()], [kept.name])
            # The other checkout continues and packs again: this one has other games now.
            (there / "games.jsonl").write_text("three\n")
            PLAY.pack(there, kept)
            with self.assertRaisesRegex(PLAY.Failure, "different games of one match"):
                PLAY.unpack(kept, here)
            (here / PLAY.RECORDED).touch()
            PLAY.unpack(kept, here)
            self.assertEqual((here / "games.jsonl").read_text(), "three\n")
            self.assertFalse((here / PLAY.RECORDED).exists())

    def test_an_archive_is_unpacked_where_python_has_no_filters(self):
        with tempfile.TemporaryDirectory() as folder:
            here, kept, there = (Path(folder) / name for name in ("here", "kept.tar.xz", "there"))
            here.mkdir()
            (here / "games.jsonl").write_text("one\n")
            PLAY.pack(here, kept)
            extract = tarfile.TarFile.extractall
            with mock.patch.object(tarfile, "data_filter", None, create=True), mock.patch.object(
                tarfile.TarFile, "extractall", lambda self, path=".", members=None: extract(self, path, members)
            ):
                PLAY.unpack(kept, there)
            self.assertEqual((there / "games.jsonl").read_text(), "one\n")

    def test_a_damaged_archive_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            here, kept, there = (Path(folder) / name for name in ("here", "kept.tar.xz", "there"))
            here.mkdir()
            (here / "games.jsonl").write_text("one\n" * 100)
            PLAY.pack(here, kept)
            whole = kept.read_bytes()
            middle = len(whole) // 2
            flipped = bytes([whole[middle] ^ 1])
            for damaged in (b"", b"text", whole[:middle], whole[:middle] + flipped + whole[middle + 1 :]):
                kept.write_bytes(damaged)
                with self.assertRaisesRegex(PLAY.Failure, "kept.tar.xz: .*; delete it"):
                    PLAY.unpack(kept, there)
                self.assertFalse(there.exists())


class Samples(unittest.TestCase):
    EVEN = {"pairs": 200, "pentanomial": [20, 40, 80, 40, 20]}
    LOST = {"pairs": 200, "pentanomial": [200, 0, 0, 0, 0]}
    # Ten pairs whose interval is never within 0 and 1.
    WILD = {"pairs": 10, "pentanomial": [5, 0, 0, 0, 5]}

    def test_the_least_pairs_are_the_fewest_that_can_fail(self):
        for pairing in (self.EVEN, self.LOST):
            least = RUN_ALL.least_pairs(pairing)
            self.assertTrue(RUN_ALL.can_fail(pairing, least))
            self.assertFalse(least > 1 and RUN_ALL.can_fail(pairing, least - 1))
        self.assertGreater(RUN_ALL.least_pairs(self.EVEN), RUN_ALL.least_pairs(self.LOST))
        self.assertEqual(RUN_ALL.least_pairs(self.WILD), 10)
        self.assertFalse(RUN_ALL.can_fail(self.WILD, 10))

    def test_the_minutes_are_shared_out(self):
        costs, least = [0.1, 10, 100], [5, 4, 3]
        spent = lambda pairs: sum(n * cost for n, cost in zip(pairs, costs))
        enough = RUN_ALL.share_out(costs, least, 10)
        self.assertTrue(all(n >= few for n, few in zip(enough, least)), enough)
        self.assertTrue(400 < spent(enough) <= 600, enough)
        self.assertEqual(enough[0], RUN_ALL.QUICK_PAIRS)
        # The costliest row gets a single pair, and no more than that from what is left.
        few = RUN_ALL.share_out(costs, least, 4)
        self.assertEqual(few[2], 1)
        self.assertTrue(few[1] >= 4 and spent(few) <= 240, few)
        self.assertEqual(RUN_ALL.share_out(costs, least, 0), [1, 1, 1])
        self.assertEqual(RUN_ALL.share_out(costs, least, 1e6), [RUN_ALL.QUICK_PAIRS] * 3)


if __name__ == "__main__":
    unittest.main()
