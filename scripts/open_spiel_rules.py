#!/usr/bin/env python3
"""Replays games written by Banyan in OpenSpiel and reports the first position on which the two disagree.

Usage: open_spiel_rules.py VENV < games

VENV is a folder for a virtual environment with OpenSpiel; it is made on first use. Games come one per line after the
line that names their board:

    board connect-four:6x7
    0:7f:3 1:7f:2 0:7f:3 = 12

Each ply is the mover (0 moves first), the set of legal actions as a hexadecimal mask, and the action played; after the
equals sign stands the final margin seen by the first player. Actions are numbered as in OpenSpiel: columns, squares
row by row from a1 with 64 for a pass, edges. Exit status: 0 all agree, 1 they do not, 2 the games could not be read,
3 OpenSpiel cannot be had here.
"""

import os
import shutil
import subprocess
import sys

VERSION = "2.0.2"
AGREE, DISAGREE, UNREADABLE, UNAVAILABLE = 0, 1, 2, 3


def sign(number):
    return (number > 0) - (number < 0)


def connect_four_margin(state):
    """One more than half the cells that are still free, for the winner."""
    return int(state.returns()[0]) * (1 + str(state).count(".") // 2)


def othello_margin(state):
    """The difference in discs, empty squares counted for the winner."""
    squares = [line.split()[1:9] for line in str(state).splitlines() if line[:1].isdigit()]
    discs = [square for row in squares for square in row]
    difference = discs.count("x") - discs.count("o")
    return difference + sign(difference) * discs.count("-")


def dots_margin(state):
    """The difference in boxes, which OpenSpiel returns when asked for `utility_margin`."""
    return int(state.returns()[0])


def dots(rows, columns):
    return f"dots_and_boxes(num_rows={rows},num_cols={columns},utility_margin=true)", dots_margin


# Board as Banyan names it: the game as OpenSpiel names it, and the margin of a finished state in Banyan's points.
BOARDS = {
    "connect-four:6x7": ("connect_four", connect_four_margin),
    "reversi:8x8": ("othello", othello_margin),
    "dots-and-boxes:2x2": dots(2, 2),
    "dots-and-boxes:3x3": dots(3, 3),
    "dots-and-boxes:5x5": dots(5, 5),
}


class Disagreement(Exception):
    """The two sets of rules differ."""


def differ(what, banyan, open_spiel, state):
    played = " ".join(str(action) for action in state.history()) or "no move"
    return Disagreement(f"{what}: Banyan says {banyan}, OpenSpiel {open_spiel}, after {played}\n{state}")


def actions_of(mask):
    return [action for action in range(mask.bit_length()) if mask >> action & 1]


def replay(game, margin_of, line):
    """Compares one game and returns its number of plies."""
    plies, margin = line.split("=")
    plies = plies.split()
    state = game.new_initial_state()
    for ply in plies:
        mover, mask, action = ply.split(":")
        mover, mask, action = int(mover), int(mask, 16), int(action)
        legal = state.legal_actions()
        if state.is_terminal():
            raise differ("end of the game", "it goes on", "it is over", state)
        if mover != state.current_player():
            raise differ("side to move", mover, state.current_player(), state)
        # Compared as a mask first, which is many times faster than building the list.
        if mask != sum(map((1).__lshift__, legal)):
            raise differ("legal actions", actions_of(mask), legal, state)
        if action not in legal:
            raise differ("action played", action, f"that only {legal} are legal", state)
        state.apply_action(action)
    if not state.is_terminal():
        raise differ("end of the game", "it is over", "it goes on", state)
    if int(margin) != margin_of(state):
        raise differ("final margin", int(margin), margin_of(state), state)
    return len(plies)


def compare(lines):
    """Compares all games and prints one line per board."""
    import pyspiel

    board, tally = None, {}
    for line in lines:
        if line.startswith("board "):
            board = line.split()[1]
            name, margin_of = BOARDS[board]
            game = pyspiel.load_game(name)
            tally[board] = [0, 0]
            continue
        try:
            tally[board][1] += replay(game, margin_of, line)
        except Disagreement as difference:
            print(f"{board}, game {tally[board][0] + 1}: {difference}")
            return DISAGREE
        tally[board][0] += 1
    for board, (games, positions) in tally.items():
        print(f"{board}: {games} games agree with OpenSpiel {VERSION}, {positions} positions")
    return AGREE


def works(python):
    probe = [python, "-c", "import pyspiel"]
    return os.path.exists(python) and subprocess.run(probe, capture_output=True).returncode == 0


def install(venv, python):
    """Makes the environment anew; returns what went wrong, or None. The module needs none of its dependencies."""
    shutil.rmtree(venv, ignore_errors=True)
    pip = [python, "-m", "pip", "--disable-pip-version-check", "--retries=1", "install", "--quiet"]
    package = ["--no-deps", "--only-binary=:all:", f"open_spiel=={VERSION}"]
    for step in ([sys.executable, "-m", "venv", venv], [*pip, *package]):
        done = subprocess.run(step, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            said = (done.stderr or done.stdout).strip().splitlines()
            return said[-1] if said else f"{step[2]} failed"
    return None if works(python) else f"open_spiel {VERSION} was installed but cannot be imported"


def prepare(venv):
    """Makes sure that OpenSpiel is there; returns why it is not, or None. Safe to run several times at once."""
    import fcntl

    os.makedirs(os.path.dirname(os.path.abspath(venv)), exist_ok=True)
    python = os.path.join(venv, "bin", "python")
    with open(venv + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return None if works(python) else install(venv, python)


def main():
    if sys.argv[1:2] == ["--compare"]:
        try:
            return compare(sys.stdin)
        except (KeyError, ValueError, NameError) as problem:
            print(f"the games could not be read: {problem!r}")
            return UNREADABLE
    if len(sys.argv) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return UNREADABLE
    venv = sys.argv[1]
    try:
        problem = prepare(venv)
    except (ImportError, OSError) as cause:
        problem = str(cause)
    if problem:
        print(f"OpenSpiel {VERSION} cannot be had: {problem}")
        return UNAVAILABLE
    python = os.path.join(venv, "bin", "python")
    sys.stdout.flush()
    os.execv(python, [python, os.path.abspath(__file__), "--compare"])


if __name__ == "__main__":
    sys.exit(main())
