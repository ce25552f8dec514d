"""Matches that are stopped for some seconds (SIGSTOP): the runner alone, as by Ctrl-Z, for engines have groups of their own, or the engines
too, as on a sleeping laptop. No game is lost by it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from random import Random

from engines import processes_with
from harness import Ended, Trials, start_process
from long_commands import prepare

# Seconds until a match has ended.
DONE = 120.0


def run(trials: Trials) -> None:
    trials.each(trial)


def trial(trials: Trials, rng: Random, folder: Path) -> None:
    trials.n_runs += 1
    script = prepare(folder, rng)
    players = rng.choice([["uct", "uct:c=0.5"], ["uct", "pvs"], ["uct:threads=2", "mcgs"], ["uct", "thinker"], ["uct", "slow"], ["slow", "uct"]])
    # Most stops happen during a move of the slow engine.
    budget = rng.choice(["300ms", "5s/game"] if "slow" in players else ["10ms", "100ms", "500ms/game+inc=20ms", "3s/game"])
    args = trials.banyan + ["match", "connect-four", *players, "--pairs", "2", "--budget", budget, "--openings", "random:plies=2",
                            "--jobs", rng.choice(["1", "2"]), "--quiet", "--out", "out"]
    all_sleep = rng.random() < 0.5
    process = start_process(args, folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True)
    start = time.monotonic()
    stops = []
    for _ in range(rng.randint(1, 3)):
        time.sleep(rng.uniform(0.02, 0.8))
        if process.poll() is not None:
            break
        length = rng.choice([rng.uniform(0.1, 1.0), rng.uniform(1.0, 3.5)])
        stopped = [process.pid, *(processes_with(script) if all_sleep else [])]
        send(stopped, signal.SIGSTOP)
        time.sleep(length)
        send(rng.sample(stopped, len(stopped)), signal.SIGCONT)
        stops.append(round(length, 2))
    try:
        output = process.communicate(timeout=DONE)
        code = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        output, code = process.communicate(), None
    ended = Ended(args, code, *output, time.monotonic() - start)
    check_games(trials, ended, folder / "out", {"stops": stops, "engines too": all_sleep})


def send(pids: list[int], sent: signal.Signals) -> None:
    for pid in pids:
        try:
            os.kill(pid, sent)
        except ProcessLookupError:
            pass  # It has ended.


def check_games(trials: Trials, ended: Ended, out: Path, details: dict) -> None:
    """Checks that all games were played and none was lost by a fault."""
    if not trials.check(ended, **details):
        return
    games = [json.loads(line) for line in (out / "games.jsonl").read_bytes().splitlines()] if out.exists() else []
    lost = [game for game in games if game.get("fault_by")]
    if ended.code != 0:
        trials.fail(f"exit code {ended.code}", **details, **ended.details())
    elif lost:
        trials.fail(f"game lost by fault: {lost[0]['ending']}", games=lost, **details, **ended.details())
