"""One flipped bit in a file that was written: it is refused with one line, or changes nothing. Never another result in silence."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random

from harness import Ended, Trials, execute
from long_commands import DONE, POSITIONS, one_line


@dataclass(frozen=True)
class Written:
    """A command that writes files, those whose bits are flipped, and the commands that read them again."""

    make: str
    files: tuple[str, ...]
    read: tuple[str, ...]
    # Files that must be equal after the commands, besides their output.
    results: tuple[str, ...] = ()
    # A file that is truncated to half its lines, so that reading it continues the work.
    cut: str = ""


@dataclass(frozen=True)
class Template:
    """The folder that the trials begin with, what the undamaged files give, and the warnings with that."""

    folder: Path
    expected: list
    warnings: set


MATCH = "connect-four:4x4 uct random --pairs 4 --budget playouts=20 --quiet"
ALL = {
    "match": Written(f"match {MATCH} --openings file:openings.in --out m", ("m/match.toml", "m/games.jsonl", "m/openings.txt"),
                     ("merge m --json", "match --resume m --json"), ("m/games.jsonl",)),
    "unfinished match": Written(f"match {MATCH} --out m", ("m/match.toml", "m/games.jsonl"),
                                ("match --resume m --quiet", "merge m --json"), ("m/games.jsonl",), "m/games.jsonl"),
    "sweep": Written("sweep connect-four:4x4 uct --vary c=0.1..2/3 --pairs 3 --budget playouts=20 --quiet --out s",
                     ("s/match.toml", "s/games.jsonl"), ("sweep --resume s --json",), ("s/games.jsonl", "s/sweep.json"), "s/games.jsonl"),
    "tune": Written("tune connect-four:4x4 uct --vary c=0.1..2 --pairs 24 --confirm 4 --budget playouts=20 --quiet --out t",
                    ("t/match.toml", "t/games.jsonl"), ("tune --resume t --json",), ("t/games.jsonl", "t/tune.json"), "t/games.jsonl"),
    "rate": Written("rate connect-four:4x4 uct random greedy --pairs 12 --budget playouts=20 --quiet --out r",
                    ("r/match.toml", "r/games.jsonl"), ("rate --resume r --json",), ("r/games.jsonl",), "r/games.jsonl"),
    "ladder": Written("ladder greedy --game connect-four:6x7 --pairs 1 --openings random:plies=4 --quiet --out l",
                      ("l/match.toml", "l/games.jsonl"), ("ladder --resume l --json",), ("l/games.jsonl",), "l/games.jsonl"),
    "train": Written("train connect-four:4x4 --games 20 --epochs 2 --out tr", ("tr/train.toml", "tr/games.txt", "tr/fit.state"),
                     ("train connect-four:4x4 --games 20 --epochs 3 --out tr",), ("tr/weights.bin",)),
    "unfinished train": Written("train connect-four:4x4 --games 20 --epochs 2 --out tr", ("tr/train.toml", "tr/games.txt", "tr/fit.state"),
                                ("train connect-four:4x4 --games 20 --epochs 2 --out tr",), ("tr/weights.bin",), "tr/games.txt"),
    "weights": Written("train connect-four:4x4 --games 20 --epochs 2 --out tr", ("tr/weights.bin",),
                       ("analyse connect-four:4x4 --player mcgs:node-eval=0.3,eval=tr/node_eval.bin --budget playouts=200 --json",)),
    "book": Written("book make connect-four:4x4 --budget nodes=500 --positions 40 --out b.book", ("b.book",),
                    ("book show b.book --json", "analyse connect-four:4x4 --player mcgs:book=b.book --budget playouts=50 --json",
                     "book make connect-four:4x4 --budget nodes=500 --positions 60 --out b.book"), ("b.book",)),
    "solve": Written("solve reversi --file positions.obf --out so.obf", ("so.obf",), ("solve reversi --file positions.obf --out so.obf",),
                     ("so.obf",)),
    "scores": Written("solve reversi --file positions.obf --out so.obf", ("so.obf",), ("solve reversi --file so.obf --prove value --json",)),
    "openings": Written("openings make connect-four:4x4 --count 20 --plies 4 --out o.txt", ("o.txt",),
                        ("openings check o.txt connect-four:4x4",)),
    "reviews": Written(f"match {MATCH} --review nodes=500 --export e.json --out m", ("m/reviews.jsonl",),
                       ("match --resume m --review nodes=500 --export e.json --json",), ("e.json",)),
}
# Parts of the output or the files that differ from run to run, and checksums: a line without its checksum is accepted.
VARIES = re.compile(rb'"(?:time_us|cpu_ms|at_ms|seconds|elapsed_ms|ms_per_move|nodes_per_second|first_ms|second_ms|time_ms|spending|time)":'
                    rb'(?:\[[^\]]*\]|\{[^}]*\}|[^,}\]]*)|[0-9.]+ (?:s|M nodes/s)\b'
                    rb'|,"[^"]{1,6}":"[^"]{4,8}"\}$| ?%.*$|^#.*$')


def run(trials: Trials) -> None:
    with tempfile.TemporaryDirectory(prefix="banyan-hostile-") as name:
        made: dict[str, Template] = {}

        def trial(trials: Trials, rng: Random, folder: Path) -> None:
            trials.n_runs += 1
            what = rng.choice(list(ALL))
            written = ALL[what]
            if what not in made:
                made[what] = make(trials, written, Path(name) / what)
            shutil.copytree(made[what].folder, folder, dirs_exist_ok=True)
            flip(trials, rng, folder, what, written, made[what])

        trials.each(trial)


def make(trials: Trials, written: Written, template: Path) -> Template:
    """The folder that the trials begin with, and what the undamaged files give."""
    template.mkdir()
    (template / "positions.obf").write_text(POSITIONS)
    (template / "openings.in").write_text("1 2\n2 3\n3 3\n1 1\n")
    ended = execute(trials.banyan + written.make.split(), template, DONE, stdin=subprocess.DEVNULL)
    if ended.code != 0:
        raise SystemExit(f"error: {written.make}: ends with {ended.code}: {ended.stderr.decode()}")
    if written.cut:
        lines = (template / written.cut).read_bytes().splitlines(keepends=True)
        (template / written.cut).write_bytes(b"".join(lines[:len(lines) // 2]))
    copy = template.with_name(template.name + " read")
    shutil.copytree(template, copy)
    ended = [execute(trials.banyan + line.split(), copy, DONE, stdin=subprocess.DEVNULL) for line in written.read]
    outcome = [*map(outcome_of, ended), *(read_file(copy / path) for path in written.results)]
    return Template(template, outcome, announced(b"".join(one.stderr for one in ended)))


def outcome_of(ended: Ended) -> tuple[int | None, bytes]:
    return ended.code, VARIES.sub(b"", ended.stdout)


def read_file(path: Path) -> object:
    data = path.read_bytes() if path.exists() else None
    if data is None or path.suffix not in (".jsonl", ".json", ".obf"):
        return data
    if path.suffix == ".obf":
        # Stones and moves are accepted in either case.
        return sorted(VARIES.sub(b"", line.upper()).strip() for line in data.splitlines())
    return sorted(VARIES.sub(b"", line) for line in data.splitlines())


def flip(trials: Trials, rng: Random, folder: Path, what: str, written: Written, template: Template) -> None:
    expected = template.expected
    name = rng.choice(written.files)
    path = folder / name
    data = bytearray(path.read_bytes())
    # Text has few bytes of importance; an equal choice among files compensates for their sizes.
    at, bit = rng.randrange(len(data)), rng.randrange(8)
    before = bytes(data[max(at - 40, 0):at + 40])
    data[at] ^= 1 << bit
    path.write_bytes(data)
    details = {"file": name, "byte": at, "bit": bit, "around": before, "becomes": bytes(data[max(at - 40, 0):at + 40])}
    # Times are measured, and no result of a match depends on them.
    in_time = name.endswith("games.jsonl") and is_only_time(path, at)
    found: list = []
    stderr = b""
    for line in written.read:
        ended = execute(trials.banyan + line.split(), folder, DONE, stdin=subprocess.DEVNULL)
        if not trials.check(ended, **details):
            return
        if ended.code == 2:
            if fault := one_line(ended):
                trials.fail(f"{what}: {fault}", **details, **ended.details())
            return
        if ended.code == 1 and expected[len(found)][0] == 0:
            return  # A check or a comparison that names the fault.
        found.append(outcome_of(ended))
        stderr += ended.stderr
    found += [read_file(folder / path) for path in written.results]
    # With a new warning the change is not silent, and the results that it announces may differ.
    if found != expected and not in_time and not announced(stderr) - template.warnings:
        wrong = [n for n, (one, other) in enumerate(zip(found, expected)) if one != other]
        trials.fail(f"{what}: another result from {name.split('/')[-1]}", wrong=wrong, stderr=stderr, found=[found[n] for n in wrong],
                    expected=[expected[n] for n in wrong], **details)


def announced(stderr: bytes) -> set[bytes]:
    return {line for line in stderr.splitlines() if line.startswith((b"note: ", b"warning: "))}


def is_only_time(path: Path, at: int) -> bool:
    """Whether the byte at this place belongs to a measured time of a game, or to what measures the work of a search."""
    data = path.read_bytes()
    start = data.rfind(b"\n", 0, at) + 1
    before = data[start:at + 1]
    fields = re.findall(rb'"([a-z_]+)":', before)
    measured = (b"time_us", b"at_ms", b"memory_bytes", b"playouts", b"nodes", b"value", b"reused", b"depth")
    try:
        json.loads(data[start:].split(b"\n", 1)[0])
    except ValueError:
        return False
    return bool(fields) and fields[-1] in measured
