"""Short games beside busy loops: a player of ours that keeps its CPU time never loses by the scheduler."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from harness import Trials, execute
from suspension import check_games

# Busy loops for each core. They end by themselves, whatever happens to this program.
LOOPS, LONGEST = 4, 60.0
DONE = 50.0
BUSY = f"import time\nend = time.monotonic() + {LONGEST}\nwhile time.monotonic() < end: pass"


def run(trials: Trials) -> None:
    trials.each(trial)


def trial(trials: Trials, rng: Random, folder: Path) -> None:
    trials.n_runs += 1
    players = rng.choice([["uct", "uct:c=0.5"], ["uct", "pvs"], ["mcgs", "greedy"], ["solver", "uct"], ["vote:uct+pvs", "mtdf"]])
    args = trials.banyan + ["match", "connect-four", *players, "--pairs", "1", "--budget", rng.choice(["5ms", "10ms", "20ms", "300ms/game"]),
                            "--openings", "random:plies=4", "--jobs", rng.choice(["1", "2", "4"]), "--quiet", "--out", "out"]
    n = LOOPS * (os.cpu_count() or 1)
    loops = [subprocess.Popen([sys.executable, "-c", BUSY], stdin=subprocess.DEVNULL) for _ in range(n)]
    try:
        time.sleep(0.2)
        ended = execute(args, folder, DONE, stdin=subprocess.DEVNULL)
    finally:
        for loop in loops:
            loop.kill()
        for loop in loops:
            loop.wait()
    check_games(trials, ended, folder / "out", {"busy loops": n})
