"""What all kinds share: numbered trials with their seeds, processes with deadlines, and records of failures."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

# Maximum number of failures of one reason that are written to the folder; all are counted.
KEPT = 5
INTERRUPTED = 130
EXIT_CODES = {0, 1, 2, INTERRUPTED}


@dataclass
class Trials:
    """The trials of one kind: runs them until the time is over, counts them, and records those that fail."""

    kind: str
    banyan: list[str]
    seed: int
    seconds: float
    out: Path
    only: int | None = None
    n_runs: int = 0
    n_failures: int = 0
    number: int = 0
    reasons: Counter = field(default_factory=Counter)
    # Measurements of the kind, for the summary.
    note: str = ""

    def each(self, trial: Callable[["Trials", Random, Path], None]) -> None:
        """Calls `trial` with a random generator and an empty folder of its own, until the time is over."""
        if self.only is None and self.out.joinpath(self.kind).exists():
            shutil.rmtree(self.out / self.kind)
        start = shown = time.monotonic()
        self.number = self.only or 0
        while True:
            folder = Path(tempfile.mkdtemp(prefix="banyan-hostile-"))
            try:
                trial(self, Random(f"{self.seed} {self.kind} {self.number}"), folder)
            finally:
                shutil.rmtree(folder, ignore_errors=True)
            now = time.monotonic()
            if now - shown > 10:
                shown = now
                print(f"{self.kind}: {now - start:.0f} of {self.seconds:.0f} s, {self.counts()}", file=sys.stderr, flush=True)
            if self.only is not None or now - start > self.seconds:
                return
            self.number += 1

    def fail(self, reason: str, **details: object) -> None:
        """Records a failure: its seed, what was run and what came out."""
        self.n_failures += 1
        self.reasons[reason] += 1
        if self.reasons[reason] <= KEPT:
            print(f"{self.kind}: trial {self.number}: {reason}", file=sys.stderr, flush=True)
            folder = self.out / self.kind
            folder.mkdir(parents=True, exist_ok=True)
            record = {"reason": reason, "seed": self.seed, "trial": self.number, **details}
            path = folder / f"{self.number}-{self.n_failures}.json"
            path.write_text(json.dumps(record, indent=1, default=readable) + "\n")

    def check(self, ended: "Ended", **details: object) -> bool:
        """Checks what holds for every process: it ends by itself with a known code, and never panics."""
        if ended.panicked:
            reason = "panic"
        elif ended.code is None:
            reason = "does not end"
        elif ended.code < 0 and -ended.code not in ended.sent:
            reason = f"killed by {signal.Signals(-ended.code).name}"
        elif ended.code >= 0 and ended.code not in EXIT_CODES and ended.code - 128 not in ended.sent:
            reason = f"exit code {ended.code}"
        else:
            return True
        self.fail(reason, **details, **ended.details())
        return False

    def counts(self) -> str:
        return f"{self.n_runs:,} runs, {self.n_failures:,} failures"

    def summary(self) -> str:
        line = f"{self.kind}: {self.counts()}, seed {self.seed}"
        reasons = "; ".join(f"{reason} ({count})" for reason, count in self.reasons.most_common())
        line = f"{line}: {reasons}" if reasons else line
        return f"{line}; {self.note}" if self.note else line


@dataclass
class Ended:
    """How a process ended: its code (negative for a signal, None if only SIGKILL ended it) and its output."""

    args: list
    code: int | None
    stdout: bytes
    stderr: bytes
    seconds: float
    sent: frozenset[int] = frozenset()

    @property
    def panicked(self) -> bool:
        return any(words in self.stderr for words in (b"panicked at", b"RUST_BACKTRACE", b"memory allocation of"))

    def details(self) -> dict:
        return {"args": self.args, "code": self.code, "seconds": round(self.seconds, 2), "stdout": self.stdout, "stderr": self.stderr}


def execute(args: list, cwd: Path, limit: float, stdin=b"", stdout=subprocess.PIPE, interrupt: bool = False, **more) -> Ended:
    """Runs a command to its end. After `limit` seconds it is interrupted twice where that is allowed, and then killed."""
    start = time.monotonic()
    data = stdin if isinstance(stdin, bytes) else None
    process = start_process(args, cwd, stdin=stdin if data is None else subprocess.PIPE, stdout=stdout, **more)
    waits = [limit, 5.0, 5.0] if interrupt else [limit]
    for n, wait in enumerate(waits, 1):
        try:
            output = process.communicate(data if n == 1 else None, timeout=wait)
            code = process.returncode
            break
        except subprocess.TimeoutExpired:
            if n < len(waits):
                process.send_signal(signal.SIGINT)
    else:
        process.kill()
        output, code = process.communicate(), None
    sent = frozenset([signal.SIGINT]) if n > 1 else frozenset()
    return Ended(args, code, output[0] or b"", output[1] or b"", time.monotonic() - start, sent)


def start_process(args: list, cwd: Path, close: tuple = (), file_limit: int | None = None, **more) -> subprocess.Popen:
    """Starts a command with the descriptors in `close` closed. Files cannot grow beyond `file_limit` bytes."""

    def limits() -> None:
        # A shell starts background commands with interrupts ignored, and children inherit that.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for descriptor in close:
            os.close(descriptor)
        if file_limit is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))

    more.setdefault("stderr", subprocess.PIPE)
    raw = [os.fsencode(arg) for arg in args]
    return subprocess.Popen(raw, cwd=cwd, preexec_fn=limits, **more)


def readable(value: object) -> object:
    """Bytes and paths as JSON: text as it is, other bytes as escapes, both cut to a readable length."""
    if isinstance(value, bytes):
        text = value.decode("utf-8", "backslashreplace")
        return text if len(text) <= 20_000 else f"{text[:10_000]} ... {len(text) - 20_000} more ... {text[-10_000:]}"
    return str(value)
