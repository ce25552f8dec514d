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
        # Closed from the start, or after some bytes were read.
        after = rng.choice(["closed", 0, 1, 1, rng.randint(1, 3_000)])
        ended, said = watch(trials.banyan + args, folder, leaves, after)
        log = [{"args": args, "leaves": leaves, "after bytes": after, "code": ended.code, "stderr": ended.stderr, "stdout": said}]
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


def watch(args: list[str], folder: Path, leaves: list[str], after: int | str) -> tuple[Ended, bytes]:
    """Runs the command. Some of its streams are closed, or their reader leaves after some bytes."""
    start = time.monotonic()
    pipes = {name: os.pipe() for name in ("stdout", "stderr")}
    close = tuple({"stdout": 1, "stderr": 2}[name] for name in leaves if after == "closed")
    process = start_process(args, folder, close, stdin=subprocess.DEVNULL, stdout=pipes["stdout"][1], stderr=pipes["stderr"][1])
    readers, found = [], {"stdout": bytearray(), "stderr": bytearray()}
    for name, (reading, writing) in pipes.items():
        os.close(writing)
        limit = after if name in leaves and after != "closed" else None
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
