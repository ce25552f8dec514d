"""Bad engines in matches, checks and killed matches: each loses with a reason in the record, and none is left running."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from harness import Ended, Trials, execute, start_process

ENGINE = Path(__file__).with_name("bad_engine.py")
FAULTS = ["hang", "spin", "crash", "signal", "exit", "close", "illegal", "nonsense", "flood", "flood line", "flood errors", "bytes",
          "partial", "slow"]
# Faults that have no meaning before the first move.
AT_A_MOVE = {"illegal", "nonsense"}
MOMENTS = ["start", "isready", "position", "1", "2"]
CHILDREN = ["child", "session", "hidden"]
SIGNALS = ["SIGKILL", "SIGTERM", "SIGHUP", "SIGINT"]
# A correct start takes less time even on a busy machine.
STARTUP = "5s"
# Seconds for a match or a check, and for the end of all processes after it.
DONE, GONE = 90.0, 5.0


def run(trials: Trials) -> None:
    trials.each(trial)


def trial(trials: Trials, rng: Random, folder: Path) -> None:
    trials.n_runs += 1
    # Part of the command line of every process of the engine, even of one that clears its environment.
    script = folder / f"engine-{rng.randrange(10**12)}-{os.getpid()}.py"
    shutil.copy(ENGINE, script)
    fault, moment = rng.choice(FAULTS), rng.choice(MOMENTS)
    if fault in AT_A_MOVE:
        moment = rng.choice(["1", "2"])
    how = rng.choice(["match", "match", "check", *SIGNALS])
    # SIGKILL leaves a match no time to end its engines' children; the system can end the engines only.
    modifiers = [word for word in ("ignore", rng.choice(CHILDREN)) if rng.random() < 0.4 and (how != "SIGKILL" or word == "ignore")]
    command = [sys.executable, str(script), fault, moment, *modifiers]
    (folder / "engines.toml").write_text(
        f'[bad]\ncommand = {json.dumps(command)}\nprotocol = "ugi"\nstartup = "{STARTUP}"\nmove = "500ms"\n')
    details = {"engine": command[2:]}
    try:
        if how == "match":
            play_match(trials, rng, folder, details)
        elif how == "check":
            ended = execute(trials.banyan + ["engines", "check", "bad", "--game", "connect-four:4x5"], folder, DONE)
            if trials.check(ended, **details) and ended.code == 0:
                trials.fail("check finds no fault", **details, **ended.details())
        else:
            kill_match(trials, rng, folder, signal.Signals[how], details)
        check_gone(trials, script.name, how, details)
    finally:
        for pid in processes_with(script.name):
            os.kill(pid, signal.SIGKILL)


def match_args(rng: Random) -> list[str]:
    return ["match", "connect-four:4x5", "bad", "random", "--pairs", "1", "--budget", "200ms", "--jobs", rng.choice(["1", "2"]), "--out",
            "match", "--openings", rng.choice(["none", "random:plies=2"])]


def play_match(trials: Trials, rng: Random, folder: Path, details: dict) -> None:
    ended = execute(trials.banyan + match_args(rng), folder, DONE)
    if not trials.check(ended, **details):
        return
    if ended.code == 2:
        # An engine that cannot start may be refused before the first game.
        if details["engine"][1] not in ("start", "isready") or b"error:" not in ended.stderr:
            trials.fail("match fails", **details, **ended.details())
        return
    games = [json.loads(line) for line in folder.joinpath("match/games.jsonl").read_bytes().splitlines()]
    if len(games) != 2:
        trials.fail("match without its two games", games=games, **details, **ended.details())
    for game in games:
        bad, other = ("first", "second") if game["players"][0] == "bad" else ("second", "first")
        if game["winner"] != other or game.get("fault_by") != bad or not game.get("fault"):
            trials.fail("bad engine does not lose with a reason", game=game, **details, **ended.details())


def kill_match(trials: Trials, rng: Random, folder: Path, sent: signal.Signals, details: dict) -> None:
    """Kills a match in progress."""
    args = trials.banyan + match_args(rng)
    start = time.monotonic()
    process = start_process(args, folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(rng.uniform(0.1, 1.5))
    process.send_signal(sent)
    try:
        code = process.wait(DONE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        code = None
    trials.check(Ended(args, code, b"", b"", time.monotonic() - start, frozenset([sent])), signal=sent.name, **details)


def check_gone(trials: Trials, name: str, how: str, details: dict) -> None:
    deadline = time.monotonic() + GONE
    while left := processes_with(name):
        if time.monotonic() > deadline:
            trials.fail(f"processes left after {how}", left=[arguments_of(pid) for pid in left], **details)
            return
        time.sleep(0.02)


def processes_with(name: str) -> list[int]:
    """The processes whose command line has the name, which no other program's has."""
    return [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and name in arguments_of(int(pid))]


def arguments_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return ""  # It has ended.
