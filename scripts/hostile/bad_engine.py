"""A UGI engine of Connect Four that is correct up to one moment and then goes wrong: `bad_engine.py FAULT MOMENT MODIFIER...`.

The moment is `start`, `isready`, `position`, or the number of the move in a game that it happens at. A modifier makes it ignore signals, or
start a process that stays: `child`, `session` (in a session of its own) or `hidden` (with an empty environment as well).
"""

import os
import signal
import subprocess
import sys
import time

FAULT, MOMENT, *MODIFIERS = sys.argv[1:]


def main() -> None:
    if FAULT == "stay":
        wait()
    if "ignore" in MODIFIERS:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
    start_child()
    happen("start")
    columns, stones, n_go = 7, [], 0
    for line in sys.stdin:
        words = line.split()
        word = words[0] if words else ""
        if word == "ugi":
            say("id name Bad\nid author nobody\noption name Game type combo default connect-four var connect-four\nugiok")
        elif word == "setoption" and "Game" in words:
            columns = int(words[-1].partition(":")[2].partition("x")[2] or 7)
        elif word == "uginewgame":
            n_go = 0
        elif word == "isready":
            happen("isready")
            say("readyok")
        elif word == "position":
            happen("position")
            stones = words[words.index("moves") + 1:] if "moves" in words else []
        elif word == "go":
            n_go += 1
            happen(str(n_go))
            heights = {str(column): stones.count(str(column)) for column in range(1, columns + 1)}
            say(f"bestmove {min(heights, key=heights.get)}")
        elif word == "quit":
            if FAULT == "stays at quit":
                wait()
            return


def start_child() -> None:
    if not {"child", "session", "hidden"}.isdisjoint(MODIFIERS):
        subprocess.Popen([sys.executable, sys.argv[0], "stay", "-", *(["ignore"] if "ignore" in MODIFIERS else [])],
                         stdin=subprocess.DEVNULL, stdout=None if "child" in MODIFIERS else subprocess.DEVNULL,
                         start_new_session="child" not in MODIFIERS, env={} if "hidden" in MODIFIERS else None)


def happen(moment: str) -> None:
    """Goes wrong if this is the moment."""
    if moment != MOMENT:
        return
    if FAULT == "hang":
        wait()
    elif FAULT == "spin":
        while True:
            pass
    elif FAULT == "crash":
        print("the engine crashes", file=sys.stderr)
        os._exit(3)
    elif FAULT == "signal":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif FAULT == "exit":
        os._exit(0)
    elif FAULT == "close":
        os.close(1)
        wait()
    elif FAULT == "illegal":
        say("bestmove 99")
    elif FAULT == "nonsense":
        say("bestmove \x1b[31mqueen\u202e takes\nbestmove\nhello\n\x00")
    elif FAULT == "flood":
        while True:
            os.write(1, b"info string flood\n" * 1_000)
    elif FAULT == "flood line":
        while True:
            os.write(1, b"x" * 10_000)
    elif FAULT == "flood errors":
        while True:
            os.write(2, b"flood\n" * 1_000)
    elif FAULT == "bytes":
        os.write(1, os.urandom(10_000))
        wait()
    elif FAULT == "partial":
        os.write(1, b"bestmo")
        wait()
    elif FAULT == "slow":
        # Longer than the time limit to start.
        time.sleep(8)


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def wait() -> None:
    # Ends eventually even if nothing ends it.
    time.sleep(600)
    os._exit(0)


main()
