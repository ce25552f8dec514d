"""Special files as every file that a command takes: a FIFO without a writer, /dev/zero, /dev/full, a folder, a socket, a loop of links.
Each command ends, or serves signals; none takes the memory of the machine."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from random import Random

import commands
from harness import Ended, Trials, start_process

NAMES = ["fifo", "/dev/zero", "/dev/full", "/dev/tty", "folder", "socket", "loop", "unreadable", "missing/file", "fifo-in/match.toml"]
# Valid command lines, in which one FILE or DIR is replaced by a special file.
LINES = """\
match connect-four:4x4 random greedy --pairs 1 --out FILE
match connect-four:4x4 random greedy --pairs 1 --openings file:FILE --out new
match connect-four:4x4 random greedy --pairs 1 --out new --export FILE.md
match connect-four:4x4 random greedy --pairs 1 --out new --engines FILE
match connect-four:4x4 random mcgs:book=FILE --pairs 1 --out new
match --resume FILE
sweep --resume FILE
sweep connect-four:4x4 uct --vary c=0.1..2/3 --pairs 1 --budget playouts=5 --quiet --out FILE
tune --resume FILE
tune connect-four:4x4 uct --vary c=0.1..2 --pairs 24 --confirm 0 --budget playouts=5 --quiet --out FILE
rate --resume FILE
rate connect-four:4x4 random greedy --pairs 2 --out FILE
ladder --resume FILE
ladder random --pairs 1 --out FILE
ladder random --pairs 1 --out new --html FILE
merge FILE
merge match FILE
merge match --out FILE
review FILE --budget nodes=50
review match:0.0 --budget nodes=50 --html FILE
show --record FILE
show --record match --game 0.0 --svg FILE
show --record match --game 0.0 --ccgc FILE
analyse connect-four:4x4 --budget nodes=50 --tree FILE.svg
analyse connect-four:4x4 --budget nodes=50 --player mcgs:book=FILE
analyse connect-four:4x4 --budget nodes=50 --player mcgs:eval=FILE
analyse connect-four:4x4 --budget nodes=50 --player FILE.so
train connect-four:4x4 --games 4 --epochs 1 --out FILE
train connect-four:4x4 --games 4 --epochs 1 --out new --exclude FILE
train connect-four:4x4 --games 4 --epochs 1 --out new --also FILE
book make connect-four:4x4 --budget nodes=50 --positions 4 --out FILE
book show FILE
solve reversi --file FILE
solve reversi --file positions.obf --out FILE
openings make connect-four:4x4 --count 4 --plies 4 --out FILE
openings check FILE connect-four:4x4
engines list --engines FILE
engines check FILE
accuracy reversi pvs --file FILE --budget depth=1
gtp --player mcgs:book=FILE --budget nodes=50
play connect-four:4x4 --first random --second random --budget nodes=50 --engines FILE
serve --port 0 --dir FILE""".splitlines()
# Seconds after which a command that has not ended receives SIGTERM, and within which it must then end.
PATIENCE, STOP = 4.0, 2.0
# The maximum resident size in MiB, and the interval in seconds at which it is read.
MOST_MIB, LOOK = 1024, 0.02


def run(trials: Trials) -> None:
    largest = 0.0
    with tempfile.TemporaryDirectory(prefix="banyan-hostile-") as name:
        template = Path(name)
        commands.prepare(trials.banyan, template)
        (template / "positions.obf").write_text("OOOO-XOOOOOOOOXOOOOXOO-OXXXXXXX-X-XXXXXXXXXXXX--XXXXXX--OOOOOOOO X;\n")

        def trial(trials: Trials, rng: Random, folder: Path) -> None:
            nonlocal largest
            trials.n_runs += 1
            for path in template.iterdir():
                subprocess.run(["cp", "-r", str(path), str(folder)], check=True)
            line, name = rng.choice(LINES), rng.choice(NAMES)
            largest = max(largest, try_line(trials, line, name, folder))

        trials.each(trial)
    trials.note = f"at most {largest:.0f} MiB"


def make_special(folder: Path) -> socket.socket:
    """Creates the special files. The socket has a name while the object lives."""
    os.mkfifo(folder / "fifo")
    (folder / "folder").mkdir()
    (folder / "fifo-in").mkdir()
    os.mkfifo(folder / "fifo-in/match.toml")
    os.mkfifo(folder / "fifo-in/games.jsonl")
    (folder / "loop").symlink_to("loop")
    (folder / "unreadable").write_text("x\n")
    (folder / "unreadable").chmod(0)
    # The path of a socket must be short.
    here = os.open(".", os.O_RDONLY)
    os.chdir(folder)
    try:
        listener = socket.socket(socket.AF_UNIX)
        listener.bind("socket")
    finally:
        os.chdir(here)
        os.close(here)
    return listener


def try_line(trials: Trials, line: str, name: str, folder: Path) -> float:
    """Runs the command with the special file; returns its largest resident size in MiB."""
    with make_special(folder):
        special = name[:-len("/match.toml")] if name.startswith("fifo-in") else name
        extension = re.search(r"FILE(\.\w+)", line)
        if extension and not special.startswith("/dev"):
            # Names with an extension are links to the special file.
            (folder / f"link{extension.group(1)}").symlink_to(special)
            line = line.replace(f"FILE{extension.group(1)}", f"link{extension.group(1)}")
        args = trials.banyan + line.replace(extension.group(0) if extension else "FILE", special).replace("FILE", special).split()
        start = time.monotonic()
        process = start_process(args, folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True)
        peak, sent = watch(process, start + PATIENCE), None
        if process.poll() is None and peak <= MOST_MIB:
            sent = signal.SIGTERM
            process.send_signal(sent)
        try:
            output = process.communicate(timeout=STOP)
            code = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            output, code = process.communicate(), None
        ended = Ended(args, code, *output, time.monotonic() - start, frozenset([sent] if sent else []))
    if peak > MOST_MIB:
        trials.fail(f"{line}: more than {MOST_MIB} MiB with {name}", **ended.details())
    elif code is None:
        trials.fail(f"{line}: does not end on SIGTERM with {name}", **ended.details())
    elif trials.check(ended, special=name) and code == 2 and (fault := commands.fault_of_message(ended, False)):
        trials.fail(f"{line}: {fault} with {name}", **ended.details())
    return peak


def watch(process: subprocess.Popen, until: float) -> float:
    """Waits for the end of the process, or for a size or a time that is too large."""
    peak = 0.0
    while process.poll() is None and time.monotonic() < until and peak <= MOST_MIB:
        try:
            found = re.search(r"^VmHWM:\s+(\d+) kB", Path(f"/proc/{process.pid}/status").read_text(), re.M)
        except OSError:
            break
        peak = max(peak, int(found.group(1)) / 1024 if found else 0.0)
        time.sleep(LOOK)
    return peak
