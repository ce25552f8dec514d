"""Matches and folders."""

import json
import os
import signal
import tempfile
import threading
import unittest
from pathlib import Path

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
