"""SIGTERM and SIGHUP at random moments of every long command: it ends at once, leaves no process, and is resumed to the same result."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from random import Random

from engines import arguments_of, processes_with
from harness import Ended, Trials, start_process
from long_commands import OUT, Undisturbed, all_commands, finish, prepare, with_engine

# Seconds until the process has ended, and after that until its engines have ended.
STOP, GONE = 2.0, 1.0
# Maximum seconds that a process runs in total, and until the engine thinks.
DONE, THINKS = 15.0, 30.0


def run(trials: Trials) -> None:
    undisturbed = Undisturbed()
    slowest = 0.0

    def trial(trials: Trials, rng: Random, folder: Path) -> None:
        nonlocal slowest
        trials.n_runs += 1
        script = prepare(folder, rng)
        thinks = rng.random() < 0.4
        commands = with_engine(rng) if thinks else all_commands(rng)
        command = rng.choice(list(commands.values()))
        expected, seconds = undisturbed.of(trials, command, folder)
        sent = rng.choice([signal.SIGTERM, signal.SIGHUP])
        log: list = [{"signal": sent.name, "engine thinks": thinks}]
        start = time.monotonic()
        process = start_process(trials.banyan + command.begin, folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        time.sleep(rng.uniform(0, 1.1 * seconds))
        if thinks:
            (folder / "think").touch()
            while not (folder / "thinking").exists() and process.poll() is None and time.monotonic() < start + THINKS + seconds:
                time.sleep(0.005)
        late = process.poll() is not None
        at = time.monotonic()
        process.send_signal(sent)
        try:
            output = process.communicate(timeout=DONE)
        except subprocess.TimeoutExpired:
            process.kill()
            output = process.communicate()
        took = time.monotonic() - at
        for name in ("think", "thinking"):
            (folder / name).unlink(missing_ok=True)
        ended = Ended(process.args, process.returncode, *output, time.monotonic() - start, frozenset([sent]))
        log.append({"args": command.begin, "code": ended.code, "after": round(at - start, 3), "took": round(took, 3), "stderr": ended.stderr})
        if not late:
            slowest = max(slowest, took)
        left = still_there(script)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        if not trials.check(ended, command=command.name, log=log):
            return
        # A process that does not serve signals yet is ended by the system, and a shell shows the same code.
        codes = (128 + sent, -sent)
        if left:
            trials.fail(f"{command.name}: processes left after {sent.name}", log=log)
        elif not late and took > STOP:
            trials.fail(f"{command.name}: takes long to end after {sent.name}", log=log)
        elif not late and ended.code not in codes and not (ended.code == 0 and command.result(folder / OUT) == expected):
            trials.fail(f"{command.name}: exit code {ended.code} after {sent.name}", log=log)
        elif ended.code == 128 + sent and (folder / OUT / "match.toml").exists() and b"--resume" not in ended.stderr:
            trials.fail(f"{command.name}: no command to resume it", log=log)
        else:
            finish(trials, command, folder, expected, log)

    trials.each(trial)
    trials.note = f"ended within {slowest:.2f} s"


def still_there(script: str) -> list[int]:
    """The engines that are left some time after the process has ended."""
    deadline = time.monotonic() + GONE
    while (left := processes_with(script)) and time.monotonic() < deadline:
        time.sleep(0.02)
    return [pid for pid in left if script in arguments_of(pid)]
