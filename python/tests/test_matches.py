"""Matches and folders."""

import csv
import io
import json
import os
import signal
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path
from xml.etree import ElementTree

import banyan

FIXTURES = Path(__file__).resolve().parents[2] / "crates/cli/tests/fixtures"


class Matches(unittest.TestCase):
    def play(self, **options):
        given = {"pairs": 6, "budget": "playouts=20", "openings": "random:plies=2", **options}
        return banyan.play_match("connect-four:6x7", ["uct", "random"], **given)

    def test_a_match_is_a_table(self):
        seen = []
        result = self.play(callback=seen.append)
        self.assertEqual(len(seen), 12)
        games, pairs, moves = result.games(), result.pairs(), result.moves()
        self.assertEqual((len(games), len(pairs)), (12, 6))
        self.assertEqual(set(games["first"]), {"uct", "random"})
        self.assertTrue(((0 <= pairs["points"]) & (pairs["points"] <= 2)).all())
        self.assertEqual(len(moves), sum(games["plies"]) - 2 * len(games))
        self.assertGreater(pairs["points"].sum(), 6, "uct beats random")
        self.assertEqual(result.result["games"], 12)

    def test_exports_are_those_of_the_command(self):
        result = banyan.read(FIXTURES / "match")
        self.assertEqual(json.loads(result.text(".json")), result.result)
        self.assertIn("|", result.text(".md"))
        self.assertTrue(result.text(".html").startswith("<!"))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "result.csv")
            result.export(path)
            self.assertEqual(Path(path).read_bytes().decode(), result.text(".csv"))
        with self.assertRaises(banyan.BanyanError):
            result.text(".xyz")

    @unittest.skipUnless(os.environ.get("BANYAN"), "no command beside the library: python/test --command FILE")
    def test_exports_have_the_bytes_of_the_command(self):
        endings = [".md", ".csv", ".games.csv", ".pairs.csv", ".moves.csv", ".table.csv", ".json", ".html", ".svg", ".course.md"]
        for name in ["match", "sweep", "tuning", "rating", "ladder"]:
            result = banyan.read(FIXTURES / name)
            with tempfile.TemporaryDirectory() as folder:
                files = [Path(folder, f"result{ending}") for ending in endings]
                options = [word for file in files for word in ["--export", str(file)]]
                subprocess.run([os.environ["BANYAN"], "show", FIXTURES / name, *options], check=True, capture_output=True)
                for ending, file in zip(endings, files):
                    self.assertEqual(result.text(ending).encode(), file.read_bytes(), f"{name}{ending}")

    def test_tables_are_the_exported_rows(self):
        result = banyan.read(FIXTURES / "match")
        for ending, rows in [(".games.csv", result.game_rows()), (".pairs.csv", result.pair_rows()), (".moves.csv", result.move_rows())]:
            exported = list(csv.DictReader(io.StringIO(result.text(ending))))
            self.assertEqual(len(exported), len(rows))
            self.assertEqual(exported[0].keys(), rows[0].keys())
            for name in ["pair", "player", "first", "ply", "points"]:
                if name in rows[0]:
                    self.assertEqual([row[name] for row in exported], [f"{row[name]:g}" if isinstance(row[name], float) else str(row[name]) for row in rows])

    def test_a_result_is_a_picture(self):
        for name in ["match", "sweep", "tuning", "rating", "ladder"]:
            picture = banyan.read(FIXTURES / name).svg()
            root = ElementTree.fromstring(picture)
            self.assertTrue(root.tag.endswith("svg"), name)
            self.assertIn("pairs", picture)
            self.assertEqual(picture._repr_svg_(), picture)

    def test_a_sweep_is_played_and_continued(self):
        with tempfile.TemporaryDirectory() as parent:
            folder = os.path.join(parent, "sweep")
            options = {"pairs": 3, "budget": "playouts=20", "openings": "random:plies=2", "folder": folder}
            result = banyan.play_sweep("connect-four:5x5", "uct", ["c=0.1,0.4,0.8"], **options)
            self.assertEqual([point["values"] for point in result.result["points"]], [[0.1], [0.4], [0.8]])
            self.assertEqual(len(result.games()), 18)
            again = banyan.play_sweep("connect-four:5x5", "uct", "c=0.1,0.4,0.8", **options)
            self.assertEqual(again.result, result.result)
            with self.assertRaises(banyan.BanyanError):
                banyan.play_sweep("connect-four:5x5", "uct", "c=0.1,0.4,0.9", **options)
        for vary in ["c", "nothing=1,2,3", ["c=1,2,3", "c=1,2,3"], "c=1,2", []]:
            with self.assertRaises(banyan.BanyanError):
                banyan.play_sweep("connect-four:5x5", "uct", vary, pairs=1)

    def test_every_kind_of_folder_is_read(self):
        for name in ["match", "sweep", "tuning", "rating", "ladder"]:
            result = banyan.read(FIXTURES / name)
            self.assertGreater(len(result.game_rows()), 0, name)
            self.assertIsInstance(result.result, dict)

    def test_a_match_is_continued(self):
        with tempfile.TemporaryDirectory() as parent:
            folder = os.path.join(parent, "match")

            def interrupted(record):
                raise KeyError("enough")

            with self.assertRaises(KeyError):
                self.play(folder=folder, callback=interrupted)
            played = len(banyan.read(folder).records())
            self.assertLess(played, 12)
            self.assertEqual(len(self.play(folder=folder).records()), 12)
            with self.assertRaises(banyan.BanyanError) as caught:
                self.play(folder=folder, seed=2)
            self.assertIn("a different match", str(caught.exception))

    def test_control_c_ends_a_match(self):
        timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            self.play(budget="2s", pairs=50)
        timer.join()

    def test_mistakes_have_one_line(self):
        for mistake in [
            lambda: banyan.play_match("connect-four", ["uct"]),
            lambda: self.play(pairs=0),
            lambda: self.play(openings="file:none"),
            lambda: banyan.play_match("connect-four", ["uct", "nobody"]),
            lambda: banyan.read(FIXTURES),
        ]:
            with self.assertRaises(banyan.BanyanError) as caught:
                mistake()
            self.assertNotIn("\n", str(caught.exception))
