"""Matches that are killed at random moments, or meet a full disk, and are resumed until they are done."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path
from random import Random

from harness import Ended, Trials, execute, start_process

SIGNALS = [signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP]
# Fields of a game that differ from run to run.
TIMES = ("time_us", "at_ms", "check")
# Interruptions of one match, whose last run is left alone.
INTERRUPTIONS = 4
# Seconds that a match of this size may take, and that it may take to end after a signal that it can handle.
DONE, STOP = 60.0, 20.0


def run(trials: Trials) -> None:
    # The undisturbed games of each schedule drawn so far: seed of the match -> its games, its time and its largest
    # file.
    undisturbed: dict[int, tuple[Counter, float, int]] = {}

    def trial(trials: Trials, rng: Random, folder: Path) -> None:
        trials.n_runs += 1
        seed = rng.randrange(8)
        match = ["match", "connect-four:5x5", "uct", "uct:c=0.5", "--pairs", str(4 + 4 * seed), "--seed", str(seed), "--budget",
                 f"playouts={(20, 200)[seed // 2 % 2]}", "--quiet", "--jobs", str(1 + seed % 2)]
        if seed not in undisturbed:
            undisturbed[seed] = measure(trials, match, folder / "undisturbed")
        games, seconds, size = undisturbed[seed]
        log = disturb(trials, rng, match, folder / "match", seconds, size)
        if log is not None:
            compare(trials, games, folder / "match", match, log)

    trials.each(trial)


def measure(trials: Trials, match: list[str], out: Path) -> tuple[Counter, float, int]:
    ended = execute(trials.banyan + match + ["--out", out], out.parent, DONE)
    if ended.code != 0:
        raise SystemExit(f"error: an undisturbed match ends with {ended.code}: {ended.stderr.decode()}")
    games, _ = read_games(out)
    return games, ended.seconds, out.joinpath("games.jsonl").stat().st_size


def disturb(trials: Trials, rng: Random, match: list[str], out: Path, seconds: float, size: int) -> list | None:
    """Plays the match to its end in spite of interruptions. Returns what was done, or None after a failure."""
    log = []
    for n in range(INTERRUPTIONS + 1):
        args = trials.banyan + (["match", "--resume", out, "--quiet"] if out.exists() else match + ["--out", out])
        last = n == INTERRUPTIONS
        if last:
            ended = undisturbed_run(args, out, log)
        else:
            ended = interrupted(rng, args, out, seconds, size, log)
        if not trials.check(ended, log=log):
            return None
        refused = ended.code == 2 and log[-1]["interrupted"] in ("not at all", "too late")
        if refused and "--resume" in args:
            # A match whose folder was not written completely can only be begun again.
            ended = undisturbed_run(trials.banyan + match + ["--out", out], out, log)
            refused = ended.code == 2
        if refused:
            trials.fail("folder is neither resumed nor begun again", log=log, files=contents(out))
            return None
        if ended.code in (0, 1) or last:
            return log
    raise AssertionError("the last run returns")


def undisturbed_run(args: list, out: Path, log: list) -> Ended:
    ended = execute(args, out.parent, DONE)
    log.append({"args": args, "interrupted": "not at all", "code": ended.code, "stderr": ended.stderr})
    return ended


def interrupted(rng: Random, args: list, out: Path, seconds: float, size: int, log: list) -> Ended:
    """Starts a run and interrupts it, in one of three ways: with the first write, later, or by a full disk."""
    how = rng.choice(["first write", "later", "later", "full disk"])
    file_limit = rng.choice([rng.randint(0, 400), rng.randint(0, size)]) if how == "full disk" else None
    start = time.monotonic()
    process = start_process(args, out.parent, file_limit=file_limit, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    sent = None
    if how != "full disk":
        delay = rng.uniform(0, 0.003) if how == "first write" else rng.uniform(0, 1.1 * seconds)
        if how == "first write":
            while not out.exists() and process.poll() is None:
                pass
        time.sleep(delay)
        if process.poll() is None:
            sent = rng.choice(SIGNALS)
            process.send_signal(sent)
    try:
        output = process.communicate(timeout=DONE if sent is None else STOP)
        code = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        output, code = process.communicate(), None
    what = how if file_limit is not None else f"{how}, {sent.name}" if sent else "too late"
    log.append({"args": args, "interrupted": what, "after": time.monotonic() - start, "file_limit": file_limit, "code": code,
                "stderr": output[1]})
    return Ended(args, code, *output, time.monotonic() - start, frozenset([sent] if sent else []))


def compare(trials: Trials, expected: Counter, out: Path, match: list[str], log: list) -> None:
    games, torn = read_games(out)
    if torn:
        trials.fail("torn lines", lines=torn, match=match, log=log)
    elif games != expected:
        keys = Counter(key for key, _ in games.elements())
        wanted = Counter(key for key, _ in expected.elements())
        reason = "missing games" if wanted - keys else "games played twice" if keys - wanted else "different games"
        lines = out.joinpath("games.jsonl").read_bytes()
        trials.fail(reason, match=match, log=log, missing=list((expected - games)), surplus=list((games - expected)), games=lines)


def read_games(out: Path) -> tuple[Counter, list[bytes]]:
    """The games of a match, each as (pair, game) and its line without times, and the lines that cannot be read."""
    games: Counter = Counter()
    torn = []
    for line in out.joinpath("games.jsonl").read_bytes().splitlines(keepends=True):
        try:
            game = json.loads(line)
            key = (game["pair"], game["game"])
        except (ValueError, KeyError, TypeError):
            torn.append(line)
            continue
        if not line.endswith(b"\n"):
            torn.append(line)
        games[key, json.dumps({name: value for name, value in game.items() if name not in TIMES}, sort_keys=True)] += 1
    return games, torn


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes()[:2_000] for path in sorted(folder.iterdir()) if path.is_file()} if folder.exists() else {}
