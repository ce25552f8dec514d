"""Readers that leave: stdout or stderr closed after some bytes, as by `| head -1`. No command ends with 0 and its work unfinished."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from pathlib import Path
from random import Random

from harness import Ended, Trials, start_process
from long_commands import DONE, OUT, LongCommand, Undisturbed, all_commands, finish, prepare

# Commands that print one object for each game or position.
WITH_JSON = {"match", "solve", "sweep", "tune", "rate", "ladder"}


def run(trials: Trials) -> None:
    undisturbed = Undisturbed()

    def trial(trials: Trials, rng: Random, folder: Path) -> None:
        trials.n_runs += 1
        prepare(folder, rng)
        command = rng.choice(list(all_commands(rng).values()))
        expected, _ = undisturbed.of(trials, command, folder)
        args = talking(rng, command)
        leaves = rng.choice([["stdout"], ["stderr"], ["stdout", "stderr"]])
        at_start = rng.random() < 0.3
        after = rng.choice([1, 1, rng.randint(1, 3_000)])
        ended, said = watch(trials.banyan + args, folder, leaves, at_start, after)
        log = [{"args": args, "leaves": leaves, "at start": at_start, "after bytes": after, "code": ended.code, "stderr": ended.stderr,
                "stdout": said}]
        if not trials.check(ended, command=command.name, log=log):
            return
        if ended.code == 0 and command.result(folder / OUT) != expected:
            trials.fail(f"{command.name}: exit code 0 with its work unfinished", log=log)
        else:
            finish(trials, command, folder, expected, log)

    trials.each(trial)


def talking(rng: Random, command: LongCommand) -> list[str]:
    """The command line with progress, or with JSON where there is any."""
    args = [word for word in command.begin if word != "--quiet"]
    if command.name.split()[0] in WITH_JSON and rng.random() < 0.6:
        args.append("--json")
    return args


def watch(args: list[str], folder: Path, leaves: list[str], at_start: bool, after: int) -> tuple[Ended, bytes]:
    """Runs the command. The reader of some of its streams leaves, at the start or after some bytes."""
    start = time.monotonic()
    pipes = {name: os.pipe() for name in ("stdout", "stderr")}
    process = start_process(args, folder, stdin=subprocess.DEVNULL, stdout=pipes["stdout"][1], stderr=pipes["stderr"][1])
    readers, found = [], {"stdout": bytearray(), "stderr": bytearray()}
    for name, (reading, writing) in pipes.items():
        os.close(writing)
        limit = None if name not in leaves else 0 if at_start else after
        readers.append(threading.Thread(target=read, args=(reading, limit, found[name]), daemon=True))
        readers[-1].start()
    try:
        code = process.wait(DONE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        code = None
    for reader in readers:
        reader.join(5)
    ended = Ended(args, code, bytes(found["stdout"]), bytes(found["stderr"]), time.monotonic() - start)
    return ended, ended.stdout[:2_000]


def read(descriptor: int, limit: int | None, found: bytearray) -> None:
    """Reads to the end, or up to `limit` bytes."""
    while limit is None or len(found) < limit:
        part = os.read(descriptor, 4096 if limit is None else limit - len(found))
        if not part:
            break
        found += part
    os.close(descriptor)
