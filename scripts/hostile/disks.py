"""Full disks for everything that writes a file: an error, a good old file that stays as it was, and a result that can be completed."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from harness import Trials, execute
from long_commands import DONE, OUT, Undisturbed, all_commands, finish, one_line, prepare

# Commands that replace a file: their words, and the file.
REPLACING = [
    ("openings make connect-four:5x5 --count 40 --seed {seed} --out old.txt", "old.txt"),
    ("match --resume m --quiet --export old.md", "old.md"),
    ("match --resume m --quiet --export old.csv", "old.csv"),
    ("match --resume m --quiet --export old.json", "old.json"),
    ("match --resume m --quiet --export old.html", "old.html"),
    ("match --resume m --quiet --review nodes=500 --export old.html", "old.html"),
    ("merge m --export old.html", "old.html"),
    ("match --resume m --quiet", "m/summary.json"),
    ("sweep --resume s --quiet", "s/sweep.json"),
    ("sweep --resume s --quiet", "s/sweep.svg"),
    ("rate --resume r --quiet", "r/rating.json"),
    ("rate --resume r --quiet", "r/report.html"),
    ("tune --resume t --quiet", "t/report.html"),
    ("ladder --resume l --quiet --html old.html", "old.html"),
    ("ladder --resume l --quiet", "l/report.html"),
    ("review m:0.0 --budget nodes=500 --html old.html", "old.html"),
    ("analyse connect-four:4x4 --budget nodes=500 --tree old.svg", "old.svg"),
    ("analyse connect-four:4x4 --budget nodes=500 --tree old.json", "old.json"),
    ("show connect-four --svg old.svg", "old.svg"),
    ("train connect-four:4x4 --games 40 --epochs 1 --out tr", "tr/weights.bin"),
    ("train connect-four:4x4 --games 40 --epochs 1 --out tr", "tr/fit.state"),
    ("train connect-four:4x4 --games 40 --epochs 1 --out tr", "tr/curve.svg"),
]
# The block size of a disk in memory, and its size if nothing is limited.
PAGE, LARGE = 4096, 1 << 26
FIXTURE = """\
match connect-four:4x4 uct random --pairs 3 --budget playouts=20 --out m
sweep connect-four:4x4 uct --vary c=0.1..2/3 --pairs 2 --budget playouts=20 --out s
rate connect-four:4x4 uct random --pairs 4 --budget playouts=20 --out r
tune connect-four:4x4 uct --vary c=0.1..2 --pairs 24 --confirm 2 --budget playouts=20 --out t
ladder greedy --game connect-four:6x7 --pairs 1 --openings random:plies=2 --out l
train connect-four:4x4 --games 40 --epochs 1 --out tr"""


def run(trials: Trials) -> None:
    undisturbed = Undisturbed()

    def trial(trials: Trials, rng: Random, folder: Path) -> None:
        trials.n_runs += 1
        if rng.random() < 0.5:
            prepare(folder, rng)
            replace(trials, rng, folder)
        elif os.geteuid() == 0 and rng.random() < 0.5:
            with small_disk(folder / "disk") as disk:
                prepare(disk, rng)
                fill(trials, rng, disk, undisturbed, on_disk=True)
        else:
            prepare(folder, rng)
            fill(trials, rng, folder, undisturbed, on_disk=False)

    trials.each(trial)
    if os.geteuid() != 0:
        trials.note = "only files are limited: a small disk needs root"


def fill(trials: Trials, rng: Random, folder: Path, undisturbed: Undisturbed, on_disk: bool) -> None:
    """A long command on a disk that is too small, or with files that cannot grow."""
    command = rng.choice(list(all_commands(rng).values()))
    expected, _ = undisturbed.of(trials, command, folder)
    sizes = [len(data) for data in expected.values() if isinstance(data, bytes)] + [20_000]
    limit = rng.choice([rng.randint(0, 600), rng.randint(0, max(sizes))])
    if on_disk:
        # The space in use, and some pages more.
        used = sum(-(-path.stat().st_size // PAGE) * PAGE for path in folder.rglob("*"))
        limit = used + PAGE * rng.randint(1, 2 + max(sizes) // PAGE)
        resize(folder, limit)
    ended = execute(trials.banyan + command.begin, folder, DONE, stdin=subprocess.DEVNULL, file_limit=None if on_disk else limit)
    if on_disk:
        resize(folder, LARGE)
    log = [{"args": command.begin, "disk" if on_disk else "limit": limit, "code": ended.code, "stderr": ended.stderr}]
    if not trials.check(ended, command=command.name, log=log):
        return
    if ended.code == 0:
        if command.result(folder / OUT) != expected:
            trials.fail(f"{command.name}: exit code 0 on a full disk without its result", log=log)
    elif fault := one_line(ended):
        trials.fail(f"{command.name}: {fault} on a full disk", log=log)
    else:
        finish(trials, command, folder, expected, log)


@contextmanager
def small_disk(path: Path) -> Iterator[Path]:
    path.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={LARGE}", "tmpfs", str(path)], check=True)
    try:
        yield path
    finally:
        subprocess.run(["umount", "-l", str(path)], check=True)


def resize(path: Path, size: int) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", str(path)], check=True)


def replace(trials: Trials, rng: Random, folder: Path) -> None:
    """Replaces a good old file on a full disk, by the same command that succeeds without a limit."""
    line, name = rng.choice(REPLACING)
    for made in FIXTURE.splitlines():
        if made.split()[-1] in line.split() or made.split()[-1] + ":0.0" in line:
            ended = execute(trials.banyan + made.split(), folder, DONE, stdin=subprocess.DEVNULL)
            if ended.code not in (0, 1):
                raise SystemExit(f"error: {made}: ends with {ended.code}: {ended.stderr.decode()}")
    path = folder / name
    args = trials.banyan + line.format(seed=1).split()
    if not path.exists():
        execute(args, folder, DONE, stdin=subprocess.DEVNULL)
    if not path.exists():
        raise SystemExit(f"error: {line}: does not write {name}")
    old = path.read_bytes()
    limit = rng.randint(0, len(old))
    args = trials.banyan + line.format(seed=2).split()
    ended = execute(args, folder, DONE, stdin=subprocess.DEVNULL, file_limit=limit)
    details = {"file": name, "old size": len(old), "limit": limit}
    if not trials.check(ended, **details):
        return
    new = path.read_bytes() if path.exists() else None
    if ended.code not in (0, 1) and new != old:
        again = execute(args, folder, DONE, stdin=subprocess.DEVNULL)
        # With several files, those before the full one may be new, but each is complete.
        if new is None or len(new) <= limit and again.code in (0, 1) and path.read_bytes() != new:
            trials.fail(f"{name} is destroyed on a full disk: {line}", old=old, new=new, **details, **ended.details())
    elif ended.code in (0, 1) and new is not None and len(new) <= limit < len(old) and new != old and not line.startswith("openings"):
        trials.fail(f"exit code {ended.code} on a full disk: {line}", old=old, new=new, **details, **ended.details())
    elif ended.code == 2 and (fault := one_line(ended)):
        trials.fail(f"{fault}: {line}", **details, **ended.details())
