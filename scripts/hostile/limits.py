"""Few descriptors and few threads: the trouble of the runner is no player's loss, and nothing panics."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from random import Random

from harness import Trials, execute
from long_commands import DONE, OUT, Undisturbed, one_line, prepare, with_engine

# A user without other processes, for whom the number of threads can be limited; root is exempt.
NOBODY = 65534
# Commands that use threads, and the file that they read.
THREADED = [
    "solve reversi --file positions.obf --threads 8 --out out",
    "solve connect-four:4x4 --threads 4",
    "analyse connect-four:5x5 --player uct:threads=4 --budget playouts=2000",
    "analyse reversi:6x6 --player pvs:threads=4 --budget nodes=20000",
    "analyse dots-and-boxes:2x3 --player solver:threads=4 --budget nodes=20000",
    "analyse connect-four:5x5 --player uct:threads=4,scheme=root --budget playouts=2000",
    "match connect-four:5x5 uct:threads=4 uct --pairs 4 --budget playouts=200 --jobs 4 --quiet --out out",
    "match connect-four:5x5 thinker uct --pairs 4 --budget playouts=200 --jobs 4 --quiet --out out",
    "sweep connect-four:5x5 uct --vary c=0.1..2/3 --pairs 2 --budget playouts=100 --jobs 4 --quiet --out out",
    "tune connect-four:5x5 uct --vary c=0.1..2 --pairs 24 --confirm 4 --budget playouts=100 --jobs 4 --quiet --out out",
    "rate connect-four:5x5 uct random --pairs 8 --budget playouts=100 --jobs 4 --quiet --out out",
    "ladder random --game connect-four:6x7 --pairs 1 --jobs 4 --quiet --out out",
    "train connect-four:5x5 --games 20 --epochs 1 --out out",
    "book make connect-four:5x5 --budget nodes=2000 --positions 30 --threads 4 --out out",
    "openings make connect-four:5x5 --count 20 --out out",
    "review m:0.0 --budget nodes=2000 --threads 4",
    "match --resume m --review nodes=500 --jobs 4 --export out.html",
    "bench --threads 4 --budget 100ms",
]


def run(trials: Trials) -> None:
    undisturbed = Undisturbed()
    with_threads = os.geteuid() == 0 and all(shutil.which(name) for name in ("setpriv", "prlimit"))

    def trial(trials: Trials, rng: Random, folder: Path) -> None:
        trials.n_runs += 1
        if with_threads and rng.random() < 0.6:
            few_threads(trials, rng, folder)
        else:
            few_descriptors(trials, rng, folder, undisturbed)

    trials.each(trial)
    trials.note = "" if with_threads else "threads are not limited: that needs root, setpriv and prlimit"


def few_descriptors(trials: Trials, rng: Random, folder: Path, undisturbed: Undisturbed) -> None:
    """Any of the matches with engines. The soft limit may be raised to the hard one."""
    prepare(folder, rng)
    command = rng.choice(list(with_engine(rng).values()))
    expected, _ = undisturbed.of(trials, command, folder)
    soft = rng.randint(8, 60)
    hard = rng.choice([soft, soft, 4096])
    args = [word for n, word in enumerate(command.begin) if "--jobs" not in command.begin[max(n - 1, 0):n + 1]]
    args += ["--jobs", rng.choice(["1", "4", "12", "40"])]
    ended = execute(["prlimit", f"--nofile={soft}:{hard}", *trials.banyan, *args], folder, DONE, stdin=subprocess.DEVNULL)
    log = [{"args": args, "soft": soft, "hard": hard, "code": ended.code, "stderr": ended.stderr}]
    if not trials.check(ended, command=command.name, log=log):
        return
    found = command.result(folder / OUT)
    lost = faults(folder / OUT)
    if lost:
        trials.fail(f"{command.name}: games lost for want of descriptors", games=lost, log=log)
    elif ended.code == 0 and found != expected:
        trials.fail(f"{command.name}: exit code 0 with other results", log=log)
    elif ended.code != 0 and hard == 4096:
        trials.fail(f"{command.name}: the soft limit of descriptors is not raised", log=log)
    elif ended.code == 2 and (fault := one_line(ended)):
        trials.fail(f"{command.name}: {fault}", log=log)


def few_threads(trials: Trials, rng: Random, folder: Path) -> None:
    """Any command that uses threads, as a user who may have few of them."""
    prepare(folder, rng)
    line = rng.choice(THREADED)
    # A copy that any user may run.
    program = folder / "banyan"
    shutil.copy(trials.banyan[0], program)
    program.chmod(0o755)
    banyan = [str(program), *trials.banyan[1:]]
    if " m" in line:
        made = "match connect-four:4x4 uct random --pairs 1 --budget playouts=20 --quiet --out m"
        execute(banyan + made.split(), folder, DONE, stdin=subprocess.DEVNULL)
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, NOBODY, NOBODY)
    n = rng.randint(1, 9)
    change = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "prlimit", f"--nproc={n}"]
    ended = execute(change + banyan + line.split(), folder, DONE, stdin=subprocess.DEVNULL)
    details = {"nproc": n, **ended.details()}
    lost = faults(folder / OUT)
    if not trials.check(ended, nproc=n):
        return
    if lost:
        trials.fail(f"games lost for want of threads: {line}", games=lost, **details)
    elif ended.code == 2 and (fault := one_line(ended)):
        trials.fail(f"{fault}: {line}", **details)


def faults(out: Path) -> list[dict]:
    """The games of a match that a fault decided."""
    path = out / "games.jsonl"
    if not path.is_file():
        return []
    games = [json.loads(line) for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
    return [game for game in games if game.get("fault_by")]
