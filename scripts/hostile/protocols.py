"""Hostile lines to every protocol: damaged transcripts, random bytes and very long lines, then a request that must be answered."""

from __future__ import annotations

import json
import re
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from harness import Ended, Trials, start_process

GOLDEN = Path(__file__).resolve().parents[2] / "crates/protocols/tests/golden"
# Seconds until the request after the noise is answered, and from the end of input to the end of the process.
ANSWER, END = 60.0, 30.0
# Interval in seconds at which unlimited searches of the noise are stopped while an answer is awaited.
STOP_EVERY = 0.2

UGI = """ugi|isready|uginewgame|stop|go infinite|go movetime 5|go nodes 20|go playouts 20|go depth 2|query p1turn|query gameover
query result|position startpos|position startpos moves 4 4 3|position fen 7/7/7/7/7/7 x|position fen 4/4/4/xo2 x moves 1
go p1time 100 p2time 100 p1inc 1 p2inc 1|setoption name Game value connect-four:5x6,hole=b2|setoption name Game value reversi:6x6
setoption name Game value dots-and-boxes:2x2|setoption name Player value uct:c=1|setoption name Player value pvs:depth=3
setoption name Player value vote:greedy+random|setoption name Seed value 7|setoption name Threads value 2
setoption name MultiPV value 3|setoption name Overhead value 5|position startpos moves f5 d6|position startpos moves h0,0 v1,0"""
STRANGE = [b"", b" ", b"-1", b"0", b"99999999999999999999", b"1e308", b"NaN", b"\x00", b"\xff\xfe", b"\r", b"\x1b[2J", b"null", b"{", b"]",
           b'"', b"\\u0000", "４".encode(), "🦀".encode(), b"a" * 3_000, b"(;", b"[" * 2_000, b"pass", b"name", b"moves", b"4 " * 500]


@dataclass
class Protocol:
    """How a protocol is tested. A marker line is answered in words that nothing else is answered in, and so ends the noise."""

    args: list[str]
    lines: list[bytes]
    marker: tuple[bytes, bytes] | None = None
    request: tuple[bytes, bytes] | None = None
    stop: bytes = b""
    # Lines with these words are not sent: they end the program, or are answered like the marker.
    never: tuple[bytes, ...] = (b"quit",)


def golden(name: str) -> list[bytes]:
    """What the caller sends in a recorded session."""
    lines = (GOLDEN / f"{name}.txt").read_bytes().splitlines()
    return [line[2:] for line in lines if line.startswith(b"> ")]


def all_protocols() -> dict[str, Protocol]:
    limits = ["--budget", "playouts=20", "--player"]
    analysis = json.dumps({"id": "sane", "game": "connect-four", "moves": "4", "maxVisits": 10, "player": "uct"}).encode()
    game = b"(;GM[Othello]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5];)"
    return {
        "ugi": Protocol(
            ["ugi"], re.split(rb"[|\n]", UGI.encode()), (b"setoption name marker-70001 value 1", rb"marker-70001"),
            (b"setoption name Player value random\nsetoption name Game value connect-four\nuginewgame\nposition startpos moves 4\n"
             b"go playouts 10", rb"bestmove [1-7]\n"), b"stop\n"),
        "gtp": Protocol(["gtp", *limits, "uct"], golden("gtp"), (b"70001 name", rb"=70001 "),
                        (b"boardsize 8\nclear_board\nplay black f5\n70002 genmove white", rb"=70002 [A-H][1-8]\n")),
        "nboard": Protocol(["nboard", *limits, "uct"], golden("nboard"), (b"ping 70001", rb"pong 70001"),
                           (b"nboard 2\nset game " + game + b"\ngo", rb"=== [A-H][1-8]")),
        "sau": Protocol(["sau", *limits, "uct"], golden("sau"), (b"end\nname?", rb"name "), (b"new black", rb"move \d+ [AB]"),
                        never=(b"quit", b"name")),
        "analysis": Protocol(
            ["analysis", "--threads", "2", *limits, "uct"], golden("analysis"),
            (b'{"id":"m70001","action":"query_version"}', rb'"m70001"'),
            (analysis, rb'"id":"sane".*"best":"[1-7]"'),
            # Also ends the request if it waits for the noise, so it is sent again.
            b'{"id":"stop","action":"terminate_all"}\n' + analysis + b"\n"),
        "botzone": Protocol(["botzone", "--keep-running", *limits, "uct"], golden("botzone")),
        "botzone once": Protocol(["botzone", *limits, "uct"], golden("botzone_once")),
        "saiblo": Protocol(["saiblo", *limits, "uct"], golden("saiblo")),
    }


def run(trials: Trials) -> None:
    protocols = all_protocols()

    def trial(trials: Trials, rng: Random, folder: Path) -> None:
        name, protocol = rng.choice(list(protocols.items()))
        noise = make_noise(rng, protocol)
        trials.n_runs += noise.count(b"\n") + 1
        if protocol.marker is None or rng.random() < 0.1:
            # The input ends at once. Endless searches would have to finish first, so none is requested.
            noise = re.sub(rb"\d{3,}|\d[eE]\d", b"9", noise).replace(b"go ", b"go playouts 9 ")
            session(trials, name, Protocol(protocol.args, []), noise, folder)
        else:
            session(trials, name, protocol, noise, folder)

    trials.each(trial)


def make_noise(rng: Random, protocol: Protocol) -> bytes:
    lines = []
    first = rng.randrange(len(protocol.lines))
    for n in range(rng.randint(1, 80)):
        # Half of the sessions follow the transcript, so that damaged lines meet a game in progress.
        line = protocol.lines[(first + n) % len(protocol.lines)] if first % 2 else rng.choice(protocol.lines)
        for _ in range(rng.choice([0, 1, 1, 2, 4])):
            line = damage(rng, line)
        if rng.random() < 0.01:
            line = rng.choice([rng.randbytes(rng.choice([9, 3_000])), line * 2_000, b"9" * 2_000_000, b"[" * 100_000])
        # Some protocols remove control characters.
        if not any(word in re.sub(rb"[\x00-\x1f\x7f]", b"", line) for word in protocol.never):
            lines.append(line)
    return rng.choice([b"\n", b"\n", b"\r\n"]).join(lines)


def damage(rng: Random, line: bytes) -> bytes:
    words = line.split(b" ")
    at = rng.randrange(len(words))
    place = rng.randint(0, len(line))
    kind = rng.randrange(8)
    if kind == 0:
        words[at] = rng.choice(STRANGE)
    elif kind == 1:
        del words[at]
    elif kind == 2:
        words.insert(at, rng.choice(words))
    elif kind == 3:
        rng.shuffle(words)
    elif kind == 4:
        return line[:place] + rng.choice(STRANGE) + line[place:]
    elif kind == 5:
        return line[:place] + line[place + rng.randint(1, 9):]
    elif kind == 6:
        return line[:place] + bytes([rng.randrange(256)]) + line[place + 1:]
    else:
        return re.sub(rb"\d+", lambda _: rng.choice([b"0", b"-1", b"1", b"3", b"7", b"10", b"4294967296", b"1.5"]), line, count=2)
    return b" ".join(words)


def session(trials: Trials, name: str, protocol: Protocol, noise: bytes, folder: Path) -> None:
    """One process: the noise, the marker, the request, the end of input."""
    start = time.monotonic()
    process = start_process(trials.banyan + protocol.args, folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    output, errors = Collected(process.stdout), Collected(process.stderr)
    sender = threading.Thread(target=write, args=(process, noise + b"\n" * (protocol.marker is not None)), daemon=True)
    sender.start()
    missing = None
    if protocol.marker is not None:
        at = 0
        for what, (line, answer) in [("marker", protocol.marker), ("request", protocol.request)]:
            write_after(sender, process, line + b"\n")
            at = output.wait_for(answer, at, ANSWER, lambda: write_after(sender, process, protocol.stop))
            if at is None:
                missing = f"{name}: no answer to the {what} after the noise"
                break
    # Also ends searches of the noise that the request did not have to wait for.
    write_after(sender, process, protocol.stop)
    try:
        process.stdin.close()
    except OSError:
        pass
    try:
        code = process.wait(END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        code = None
    ended = Ended(process.args, code, output.all(), errors.all(), time.monotonic() - start)
    if trials.check(ended, protocol=name, noise=noise) and missing:
        trials.fail(missing, noise=noise, **ended.details())


def write(process: subprocess.Popen, data: bytes) -> None:
    try:
        process.stdin.write(data)
        process.stdin.flush()
    except OSError:
        pass  # It has ended, as its exit code shows.


def write_after(sender: threading.Thread, process: subprocess.Popen, data: bytes) -> None:
    """Writes once the noise has been taken."""
    sender.join(ANSWER)
    if data and not sender.is_alive():
        write(process, data)


class Collected:
    """All that a pipe delivers, collected by a thread."""

    def __init__(self, pipe) -> None:
        self.data = bytearray()
        self.pipe = pipe
        self.thread = threading.Thread(target=self.collect, daemon=True)
        self.thread.start()

    def collect(self) -> None:
        while part := self.pipe.read1(1 << 16):
            self.data += part

    def wait_for(self, pattern: bytes, start: int, seconds: float, meanwhile: Callable[[], None]) -> int | None:
        """Where a match of the pattern ends; None if there is none in time, or can be none any more."""
        deadline = time.monotonic() + seconds
        next_stop = time.monotonic() + STOP_EVERY
        while True:
            over = not self.thread.is_alive()
            if found := re.compile(pattern).search(bytes(self.data[start:])):
                return start + found.end()
            if over or time.monotonic() > deadline:
                return None
            if time.monotonic() > next_stop:
                meanwhile()
                next_stop += STOP_EVERY
            time.sleep(0.002)

    def all(self) -> bytes:
        self.thread.join(5)
        return bytes(self.data)
