"""Searches of several threads at the memory cap: each ends with a move, and its process stays close to the cap."""

from __future__ import annotations

import json
import re
import subprocess
import time
from itertools import product
from pathlib import Path
from random import Random

from harness import Ended, Trials, start_process

GAMES = ["connect-four", "reversi", "dots-and-boxes"]
# The setting for the cap of a Monte Carlo player and of an alpha-beta player.
CAPS = {"uct": "memory-mib", "graph": "memory-mib", "mcgs": "memory-mib", "pvs": "table-mib"}
THREADS, MIB = [2, 4, 8], [16, 64, 256]
# MiB that a search may use beyond the cap, which counts nodes, edges and tables: threads, evaluators, and gaps in the
# heap.
ALLOWANCE = 8.0
# Additional MiB for the weights of an evaluation, which are expanded by stages of the game.
WEIGHTS = {"reversi": 18.0}
# One search of each game is LONG times as long as the others, which take between SHORTEST and LONGEST seconds.
LONG, SHORTEST, LONGEST = 10, 2.0, 60.0
# The share of the time spent in searches; processes start and end in the rest.
SEARCHED = 0.9
# Seconds after which a search that should have ended is killed.
LATE = 30.0


def run(trials: Trials) -> None:
    searches = list(product(GAMES, CAPS, THREADS, MIB))
    Random(f"{trials.seed} memory").shuffle(searches)
    # The longest search of a game is its first one in this order.
    lengths = [LONG if game not in [search[0] for search in searches[:n]] else 1 for n, (game, *_) in enumerate(searches)]
    unit = min(max(SEARCHED * trials.seconds / sum(lengths), SHORTEST), LONGEST)
    peaks: dict[int, tuple[float, str]] = {}
    idle = idle_peak(trials.banyan)

    def trial(trials: Trials, _rng: Random, folder: Path) -> None:
        n = trials.number % len(searches)
        game, player, threads, mib = searches[n]
        line = ["analyse", game, "--player", f"{player}:threads={threads},{CAPS[player]}={mib}", "--budget",
                f"{unit * lengths[n]:.1f}s", "--json"]
        peak = search(trials, line, folder, unit * lengths[n] + LATE, idle + mib + ALLOWANCE + WEIGHTS.get(game, 0.0))
        peaks[mib] = max(peaks.get(mib, (0.0, "")), (peak, f"{game} {player} of {threads} threads"))

    trials.each(trial)
    highest = [f"{peak:.1f} MiB at a cap of {mib} ({what})" for mib, (peak, what) in sorted(peaks.items())]
    trials.note = f"peaks {', '.join(highest)}; {idle:.1f} MiB without a search"


def idle_peak(banyan: list[str]) -> float:
    """The peak of a process that has answered without a search: its program and libraries, as far as they are in use."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(banyan + ["ugi"], text=True, **pipes) as process:
        process.stdin.write("ugi\nsetoption name Player value random\nuginewgame\nposition startpos\ngo nodes 1\n")
        process.stdin.flush()
        if not any(line.startswith("bestmove") for line in process.stdout):
            raise SystemExit("error: `banyan ugi` does not move")
        peak = peak_of(process.pid)
        process.stdin.write("quit\n")
    return peak


def search(trials: Trials, line: list[str], folder: Path, limit: float, allowed: float) -> float:
    """Runs a search and checks it. Returns its peak in MiB, of which `allowed` are allowed."""
    trials.n_runs += 1
    args = trials.banyan + line
    start = time.monotonic()
    with open(folder / "out", "wb") as out, open(folder / "err", "wb") as err:
        process = start_process(args, folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        peak = 0.0
        while process.poll() is None and time.monotonic() < start + limit:
            # The high-water mark only grows, so it is sufficient to read it at intervals.
            peak = max(peak, peak_of(process.pid))
            time.sleep(0.02)
    code = process.poll()
    if code is None:
        process.kill()
        process.wait()
    stdout, stderr = ((folder / name).read_bytes() for name in ("out", "err"))
    ended = Ended(args, code, stdout, stderr, time.monotonic() - start)
    details = {"peak_mib": round(peak, 2), **ended.details()}
    if not trials.check(ended, peak_mib=round(peak, 2)):
        return peak
    if code != 0 or not json.loads(stdout)["best"]:
        trials.fail("search without a move", **details)
    elif peak > allowed:
        trials.fail("peak above the cap", allowed_mib=round(allowed, 2), **details)
    return peak


def peak_of(pid: int) -> float:
    """The largest resident size of the process so far, in MiB; 0 if it has ended."""
    try:
        found = re.search(r"^VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(), re.M)
    except OSError:
        return 0.0
    return int(found.group(1)) / 1024 if found else 0.0
