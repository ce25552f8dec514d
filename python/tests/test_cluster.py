"""Shards: what a worker does, and what the caller does with the parts, without the packages that start the workers."""

import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import textwrap
import time
import types
import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

import banyan
import banyan.cluster
from banyan import shard

# A command that plays a shard in no time: its seed and shard are its game. A seed of "killed" ends it by a signal as long as there are files
# named killed-N beside it, one for each time.
COMMAND = """\
    #!{python} -IS
    import os, pathlib, signal, sys
    here = pathlib.Path(__file__).parent
    words = sys.argv[1:]
    option = lambda name: words[words.index(name) + 1]
    if words == ["--version"]:
        print((here / "version").read_text())
    elif words[0] == "merge":
        parts = [pathlib.Path(word) for word in words[1:-2]]
        os.mkdir(words[-1])
        games = "".join(part.joinpath("sub/game").read_text() for part in parts)
        pathlib.Path(words[-1], "games").write_text(games)
        pathlib.Path(words[-1], "rating.json").write_text('{{"finished": %s}}' % str(games.count("after") > 3).lower())
    elif words[0] == "train" and "--shard" not in words:
        pathlib.Path(option("--out"), "weights").write_text(option("--threads"))
    elif option("--seed") == "refused":
        sys.exit("error: refused: expected a seed; choose one")
    else:
        for times in here.glob("killed-*"):
            times.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        part = pathlib.Path(option("--out"))
        os.makedirs(part / "sub")
        threads = option("--threads" if "--threads" in words else "--jobs")
        before = pathlib.Path(option("--after"), "games").read_text().replace(chr(10), "; ") + "after " if "--after" in words else ""
        (part / "sub/game").write_text(before + option("--seed") + " " + option("--shard") + " by " + threads + chr(10))
        with open(here / "played", "a") as file:
            file.write(option("--shard") + chr(10))
"""
MATCH = ["match", "connect-four", "uct", "uct:c=0.5", "--budget", "playouts=20", "--pairs", "6", "--openings", "random:plies=4"]


def in_turn(work):
    """An engine without workers."""
    for number in work.shards:
        for attempt in range(work.retries + 1):
            try:
                yield shard.play(work.task, number)
                break
            except ChildProcessError as killed:
                why = str(killed)
        else:
            yield banyan.cluster._lost(number, work.retries, why)


class Case(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        self.folder = self.place / "runs/long"
        self.command = self.place / "banyan"
        self.command.write_text(textwrap.dedent(COMMAND.format(python=sys.executable)))
        self.command.chmod(0o755)
        (self.place / "version").write_text("banyan 1.2.3")
        for patch in [mock.patch.dict(os.environ, BANYAN=str(self.command)), mock.patch.dict(banyan.cluster.ENGINES, turns=in_turn)]:
            patch.start()
            self.addCleanup(patch.stop)

    def run_shards(self, seed="7", command="match", **options):
        given = {"shards": 3, "on": "turns", **options}
        return banyan.cluster.run([command, "--seed", seed], self.folder, **given)

    def played(self):
        file = self.place / "played"
        return file.read_text().split() if file.exists() else []

    def refused(self, *words, **options):
        """The one line of the error of a call."""
        with self.assertRaises(banyan.BanyanError) as caught:
            self.run_shards(*words, **options)
        text = str(caught.exception)
        self.assertNotIn("\n", text)
        self.assertRegex(text, ": expected .+; ", "what was found, what was expected, what to do")
        return text


class Shards(Case):
    def test_parts_arrive_and_are_merged(self):
        seen = []
        whole = self.run_shards(callback=seen.append, jobs=2)
        self.assertEqual(whole, str(self.folder / "whole"))
        self.assertEqual((self.folder / "whole/games").read_text(), "7 1/3 by 2\n7 2/3 by 2\n7 3/3 by 2\n")
        self.assertEqual(seen, [banyan.cluster.Progress(number, number, 3, 1) for number in (1, 2, 3)])
        self.assertEqual(sorted(os.listdir(self.folder)), ["part-1", "part-2", "part-3", "shards.json", "whole"])
        self.assertTrue(stat.S_IMODE((self.folder / "part-1").stat().st_mode) & stat.S_IXUSR)

    def test_a_training_learns_from_the_whole(self):
        whole = self.run_shards(command="train", jobs=2)
        self.assertEqual(sorted(os.listdir(whole)), ["games", "rating.json", "weights"])
        self.assertEqual(Path(whole, "weights").read_text(), "2")

    def test_rounds_of_a_rating_begin_with_those_before(self):
        elsewhere = lambda work: in_turn(replace(work, task=work.with_files()))
        wholes = []
        for engine in (in_turn, elsewhere):
            seen = []

            def interrupted(progress):
                seen.append((progress.round, progress.done))
                if seen[-1] == (2, 2):
                    raise KeyboardInterrupt

            self.folder = self.place / engine.__name__
            with mock.patch.dict(banyan.cluster.ENGINES, turns=engine):
                with self.assertRaises(KeyboardInterrupt):
                    self.run_shards(command="rate", shards=2, callback=interrupted)
                wholes.append(Path(self.run_shards(command="rate", shards=2, callback=interrupted), "games").read_text())
            self.assertEqual(seen, [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)])
            self.assertEqual(sorted(os.listdir(self.folder)), ["round-1", "round-2", "round-3", "shards.json", "whole"])
        first = "7 1/2 by 1; 7 2/2 by 1; after "
        second = f"{first}7 1/2 by 1; {first}7 2/2 by 1; after "
        self.assertEqual(wholes, [f"{second}7 1/2 by 1\n{second}7 2/2 by 1\n"] * 2)

    def test_an_interrupted_call_continues(self):
        def interrupted(progress):
            if progress.done == 2:
                raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            self.run_shards(callback=interrupted)
        self.assertEqual(self.played(), ["1/3", "2/3"])
        self.assertFalse((self.folder / "whole").exists())
        self.run_shards()
        self.assertEqual(self.played(), ["1/3", "2/3", "3/3"])
        self.run_shards()
        self.assertEqual(self.played(), ["1/3", "2/3", "3/3"], "a whole is not played again")

    def test_the_engine_is_closed_when_a_run_ends_early(self):
        closed = []

        def closing(work):
            try:
                yield from in_turn(work)
            finally:
                closed.append(True)

        with mock.patch.dict(banyan.cluster.ENGINES, turns=closing):
            with self.assertRaises(KeyError):
                self.run_shards(callback=lambda progress: {}["none"])
        self.assertEqual(closed, [True])

    def test_a_repeated_shard_changes_nothing(self):
        def twice(work):
            for outcome in in_turn(work):
                yield outcome
                yield {"shard": outcome["shard"], "files": {"sub/game": b"another\n"}}

        seen = []
        with mock.patch.dict(banyan.cluster.ENGINES, turns=twice):
            self.run_shards(callback=seen.append)
        self.assertEqual([progress.done for progress in seen], [1, 1, 2, 2, 3, 3])
        self.assertNotIn("another", (self.folder / "whole/games").read_text())

    def test_a_killed_command_is_run_again_until_it_is_given_up(self):
        for times in range(5):
            (self.place / f"killed-{times}").touch()
        self.run_shards(retries=5)
        self.assertEqual(self.played(), ["1/3", "2/3", "3/3"])
        for times in range(3):
            (self.place / f"killed-{times}").touch()
        self.folder = self.place / "second"
        text = self.refused(retries=2)
        self.assertIn("shard 1/3: lost 3 times, the last time because worker ", text)
        self.assertIn("signal 9", text)
        self.run_shards(retries=2)

    def test_a_worker_has_the_version_of_the_caller(self):
        def upgraded(work):
            (self.place / "version").write_text("banyan 1.3.0")
            yield from in_turn(work)

        with mock.patch.dict(banyan.cluster.ENGINES, turns=upgraded):
            self.assertRegex(self.refused(), "shard 1/3: worker .*: banyan 1.3.0: expected banyan 1.2.3, as here; install the same version")
        self.assertEqual(self.played(), [])
        # Nor is the folder of one version continued by another.
        self.assertIn("its version: banyan 1.2.3: expected banyan 1.3.0", self.refused())

    def test_a_command_that_does_not_run_is_told(self):
        with mock.patch.dict(os.environ, BANYAN=str(self.place / "none")):
            self.assertIn("no program banyan: expected $BANYAN or banyan on the PATH", self.refused())
            outcome = shard.play({"command": [], "shards": 3, "version": "banyan 1.2.3"}, 1)
        self.assertRegex(outcome["error"], "worker .*: no program banyan: expected ")
        self.command.write_text("neither a script nor a program")
        self.assertIn("Exec format error", self.refused())
        outcome = shard.play({"command": [], "shards": 3, "version": "banyan 1.2.3"}, 1)
        self.assertRegex(outcome["error"], "Exec format error.*: expected banyan 1.2.3")

    def test_wrong_use_has_one_line(self):
        self.assertIn("shard 1/3: refused: expected a seed; choose one", self.refused("refused"))
        for words, found in [
            ([], "no command: expected one that has shards: match, sweep, ablate, ladder, rate, train, solve;"),
            (["tune", "connect-four"], "tune: expected one that has shards"),
            ("match connect-four", "match connect-four: one text: expected the words"),
            (["match", "--shard", "1/2"], "--shard: expected a command without it; give the number of shards"),
            (["match", "--out=here"], "--out: expected a command without it; give the folder"),
            (["match", "--resume", "here"], "--resume: expected a command without it; call again"),
            (["match", "--jobs", "2"], "--jobs: expected a command without it; give"),
        ]:
            with self.assertRaises(banyan.BanyanError) as caught:
                banyan.cluster.run(words, self.place / "none", shards=3)
            self.assertTrue(str(caught.exception).startswith(found), str(caught.exception))
        self.assertFalse((self.place / "none").exists())
        for options, found in [
            ({"shards": 0}, "shards=0: expected 1 or more"),
            ({"jobs": 0}, "jobs=0: expected 1 or more"),
            ({"retries": -1}, "retries=-1: expected 0 or more"),
            ({"on": "slurm"}, "slurm: expected one of ray, hyperqueue, turns"),
        ]:
            self.assertIn(found, self.refused(**options))

    def test_a_folder_belongs_to_one_run(self):
        self.run_shards()
        self.assertIn("its command: match --seed 7: expected match --seed 8; choose another folder", self.refused("8"))
        self.assertIn("its shards: 3: expected 4; choose another folder", self.refused(shards=4))
        (self.folder / "shards.json").write_text("{}")
        self.assertIn("damaged: expected the file of an earlier call", self.refused())
        (self.folder / "shards.json").unlink()
        self.assertIn("has part-1 and no shards.json: expected a new or empty folder", self.refused())
        self.folder = self.command
        self.assertIn("File exists: expected a folder that can be written", self.refused())
        self.assertEqual(self.played(), ["1/3", "2/3", "3/3"])


class Worker(Case):
    def test_the_program_writes_a_part_and_prints_the_outcome(self):
        task = json.dumps({"command": ["match", "--seed", "7", "--jobs", "1"], "shards": 3, "version": "banyan 1.2.3"})
        words = [sys.executable, shard.__file__, task, "2", str(self.place / "part-2")]
        for _ in range(2):
            done = subprocess.run(words, capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr, json.loads(done.stdout)), (0, "", {"shard": 2}))
            self.assertEqual((self.place / "part-2/sub/game").read_text(), "7 2/3 by 1\n")
        (self.place / "killed-1").touch()
        done = subprocess.run(words, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual([name for name in os.listdir(self.place) if name.startswith(".")], [])

    @unittest.skipUnless(sys.platform == "linux", "only Linux ends the command with its worker")
    def test_the_command_ends_with_its_worker(self):
        self.command.write_text(f"#!/bin/sh\n[ $1 = --version ] && echo v && exit\necho $$ > {self.place}/started\nexec sleep 60\n")
        task = json.dumps({"command": ["match"], "shards": 1, "version": "v"})
        worker = subprocess.Popen([sys.executable, shard.__file__, task, "1", str(self.place / "part-1")])
        started = self.place / "started"
        self.wait_until(lambda: started.exists() and started.read_text().endswith("\n"))
        worker.kill()
        worker.wait()
        self.wait_until(lambda: not running(int(started.read_text())))

    def wait_until(self, condition):
        end = time.monotonic() + 30
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)


def running(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # One whose parent has not waited for it has ended, too.
    return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"


class Engines(Case):
    def test_a_missing_package_is_named_with_its_installation(self):
        for name in ["ray", "hyperqueue"]:
            with mock.patch.dict(sys.modules, {name: None}), mock.patch.object(sys, "version_info", (3, 10, 0)):
                self.assertRegex(self.refused(on=name), f"expected the package {name}; run pip install {name}$")
        with mock.patch.object(sys, "version_info", (3, 9, 1)):
            self.assertEqual(self.refused(on="ray"), "Python 3.9: expected 3.10 or newer for ray; use that")

    def ray(self, nodes, init=lambda **options: None):
        """A stand-in for Ray that has these nodes and starts nothing."""
        ray = types.ModuleType("ray")
        ray.is_initialized, ray.init, ray.shutdown = (lambda: False), init, (lambda: None)
        ray.nodes = lambda: nodes
        return mock.patch.dict(sys.modules, ray=ray), mock.patch.object(sys, "version_info", (3, 10, 0))

    def test_a_cluster_without_workers_is_told(self):
        head = {"Alive": True, "Resources": {"memory": 1e9}}
        lost = {"Alive": False, "Resources": {"CPU": 8.0}}
        for nodes, jobs, found in [([], 1, 0), ([head, lost], 1, 0), ([{"Alive": True, "Resources": {"CPU": 2.0}}], 4, 2)]:
            module, python = self.ray(nodes)
            with module, python:
                text = self.refused(on="ray", jobs=jobs)
            self.assertTrue(text.startswith(f"no worker of Ray has more than {found} cores: expected {jobs}, as many as jobs=; start"), text)

        def unreachable(**options):
            raise ConnectionError("ray://there:1 cannot\nbe reached")

        module, python = self.ray([], unreachable)
        with module, python:
            self.assertIn("ray://there:1 cannot be reached: expected a running cluster", self.refused(on="ray"))


@unittest.skipUnless(os.environ.get("BANYAN"), "no command beside the library: python/test --command FILE")
class Command(unittest.TestCase):
    """With the command itself."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        patch = mock.patch.dict(banyan.cluster.ENGINES, turns=in_turn)
        patch.start()
        self.addCleanup(patch.stop)

    def run_shards(self, name, *words, shards=3):
        return banyan.cluster.run([*MATCH, *words], self.place / name, shards=shards, on="turns")

    def test_shards_come_to_the_games_of_one(self):
        whole = banyan.read(self.run_shards("shared"))
        one = banyan.read(self.run_shards("alone", shards=1))
        without_times = lambda rows: [{name: row[name] for name in row if not name.endswith("_ms")} for row in rows]
        self.assertEqual(len(whole.game_rows()), 12)
        self.assertEqual(without_times(whole.game_rows()), without_times(one.game_rows()))

    def test_a_rating_in_rounds_comes_to_the_games_of_one(self):
        pool = ["rate", "connect-four:4x5", "random", "greedy", "uct@playouts=20", "--budget", "playouts=5", "--pairs", "20", "--los", "99.99"]
        whole = banyan.cluster.run(pool, self.place / "rating", shards=2, on="turns")
        subprocess.run([os.environ["BANYAN"], *pool, "--quiet", "--out", self.place / "alone"], check=True)
        shared, alone = banyan.read(whole), banyan.read(self.place / "alone")
        self.assertEqual([row["moves"] for row in shared.game_rows()], [row["moves"] for row in alone.game_rows()])
        self.assertEqual(shared.result, alone.result)

    def test_a_part_of_another_match_is_refused_and_nothing_lost(self):
        self.run_shards("first")
        other = Path(self.run_shards("second", "--seed", "2"))
        shutil.rmtree(other)
        shutil.rmtree(other.with_name("part-2"))
        os.rename(self.place / "first/part-2", other.with_name("part-2"))
        with self.assertRaises(banyan.BanyanError) as caught:
            self.run_shards("second", "--seed", "2")
        self.assertIn("part-2", str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))
        self.assertFalse(other.exists())
        shutil.rmtree(other.with_name("part-2"))
        self.assertEqual(len(banyan.read(self.run_shards("second", "--seed", "2")).game_rows()), 12)

    def test_a_part_that_lacks_games_is_refused(self):
        whole = Path(self.run_shards("torn"))
        shutil.rmtree(whole)
        games = whole.with_name("part-2") / "games.jsonl"
        games.write_text("".join(games.read_text().splitlines(keepends=True)[:2]))
        with self.assertRaisesRegex(banyan.BanyanError, "torn: 1 of 6 pairs are missing.*; remove a part that does not belong here, and call again$"):
            self.run_shards("torn")
        self.assertEqual(sorted(path.name for path in whole.parent.iterdir()), ["part-1", "part-2", "part-3", "shards.json"])

    def test_what_the_command_refuses_is_told(self):
        with self.assertRaises(banyan.BanyanError) as caught:
            self.run_shards("third", "--seed", "soon")
        self.assertRegex(str(caught.exception), "^shard 1/3: --seed soon: expected a whole number")
