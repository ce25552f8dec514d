#!/usr/bin/env python3
"""Replays random games of Banyan in OpenSpiel and reports the first position on which the two disagree.

Usage: random_games 100 1 connect-four:6x7 | open_spiel_rules.py
       open_spiel_rules.py --self-test

The example random_games (crates/banyan/examples) writes the games. A line names the board, and a line for each game follows:

    game connect-four:6x7
    0:4:1|2|3|4|5|6|7 1:3:1|2|3|4|5|6|7 .. = 12

Each ply is the mover (0 moves first), the move played and every legal move; after the equals sign stands the final margin seen by
the first player. The self-test replays a right game, and the same with one thing wrong, which must be reported. Exit status: 0 all
agree, 1 they do not, 2 the games could not be read.
"""

import os
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from python_version import require

require()

import importlib.metadata

import pyspiel

AGREE, DISAGREE, UNREADABLE = 0, 1, 2


def sign(number):
    return (number > 0) - (number < 0)


class ConnectFour:
    """Actions are columns, counted from 0."""

    def __init__(self, rows, columns):
        self.game = pyspiel.load_game("connect_four")

    def action(self, move):
        return int(move) - 1

    def margin(self, state):
        """One more than half the cells that are still free, for the winner."""
        return int(state.returns()[0]) * (1 + str(state).count(".") // 2)


class Reversi:
    """Actions are squares row by row from a1, then the pass."""

    def __init__(self, rows, columns):
        self.game = pyspiel.load_game("othello")

    def action(self, move):
        return 64 if move == "pass" else (int(move[1:]) - 1) * 8 + ord(move[0]) - ord("a")

    def margin(self, state):
        """The difference in discs, empty squares counted for the winner."""
        squares = [line.split()[1:9] for line in str(state).splitlines() if line[:1].isdigit()]
        discs = [square for row in squares for square in row]
        difference = discs.count("x") - discs.count("o")
        return difference + sign(difference) * discs.count("-")


class DotsAndBoxes:
    """Actions are horizontal edges row by row, then vertical ones."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.game = pyspiel.load_game(f"dots_and_boxes(num_rows={rows},num_cols={columns},utility_margin=true)")

    def action(self, move):
        row, column = (int(number) for number in move[1:].split(","))
        if move[0] == "h":
            return row * self.columns + column
        return (self.rows + 1) * self.columns + row * (self.columns + 1) + column

    def margin(self, state):
        """The difference in boxes, which OpenSpiel returns when asked for `utility_margin`."""
        return int(state.returns()[0])


# The boards that OpenSpiel supports, and the conversion of their actions.
BOARDS = {
    "connect-four:6x7": (ConnectFour, 6, 7),
    "reversi:8x8": (Reversi, 8, 8),
    "dots-and-boxes:2x2": (DotsAndBoxes, 2, 2),
    "dots-and-boxes:3x3": (DotsAndBoxes, 3, 3),
    "dots-and-boxes:5x5": (DotsAndBoxes, 5, 5),
}


class Disagreement(Exception):
    """The two sets of rules differ."""


def differ(what, banyan, open_spiel, state):
    played = " ".join(str(action) for action in state.history()) or "no move"
    return Disagreement(f"{what}: Banyan says {banyan}, OpenSpiel {open_spiel}, after {played}\n{state}")


class Board:
    """A board on both sides, with the actions of the moves met so far."""

    def __init__(self, spec):
        kind, rows, columns = BOARDS[spec]
        self.theirs = kind(rows, columns)
        self.actions = {}
        self.games, self.positions = 0, 0

    def action(self, move):
        if move not in self.actions:
            self.actions[move] = self.theirs.action(move)
        return self.actions[move]

    def replay(self, line):
        """Compares one game."""
        plies, margin = line.split("=")
        state = self.theirs.game.new_initial_state()
        for ply in plies.split():
            mover, move, legal = ply.split(":")
            mover, action = int(mover), self.action(move)
            legal = sorted(map(self.action, legal.split("|")))
            if state.is_terminal():
                raise differ("end of the game", "it goes on", "it is over", state)
            if mover != state.current_player():
                raise differ("side to move", mover, state.current_player(), state)
            if legal != state.legal_actions():
                raise differ("legal actions", legal, state.legal_actions(), state)
            if action not in legal:
                raise differ("action played", action, f"that only {legal} are legal", state)
            state.apply_action(action)
            self.positions += 1
        if not state.is_terminal():
            raise differ("end of the game", "it is over", "it goes on", state)
        if int(margin) != self.theirs.margin(state):
            raise differ("final margin", int(margin), self.theirs.margin(state), state)
        self.games += 1


def compare(lines):
    """Compares all games; returns what is to be said and whether all agree."""
    boards, spec = {}, None
    for line in lines:
        if line.startswith("game "):
            spec = line.split()[1]
            boards[spec] = Board(spec)
            continue
        try:
            boards[spec].replay(line)
        except Disagreement as difference:
            return f"{spec}, game {boards[spec].games + 1}: {difference}", False
    if not boards or not all(board.games for board in boards.values()):
        raise ValueError("a board without games")
    version = importlib.metadata.version("open_spiel")
    tally = [
        f"{spec}: {board.games} games agree with OpenSpiel {version}, {board.positions} positions"
        for spec, board in boards.items()
    ]
    return "\n".join(tally), True


def right_game():
    """4 5 4 5 4 5 4: the first player's column stands with the seventh stone, and 35 cells are free."""
    legal = "1|2|3|4|5|6|7"
    plies = " ".join(f"{ply % 2}:{4 + ply % 2}:{legal}" for ply in range(7))
    return f"game connect-four:6x7\n{plies} = 18\n"


# Faulty games, and the reports expected for them.
WRONG = [
    ("1:5:1|2|3|4|5|6|7 0:4:", "0:5:1|2|3|4|5|6|7 0:4:", "side to move: Banyan says 0, OpenSpiel 1, after 3"),
    (":1|2|3|4|5|6|7 =", ":1|2|4|5|6|7 =", "legal actions: Banyan says [0, 1, 3, 4, 5, 6], OpenSpiel [0, 1, 2, 3, 4, 5, 6]"),
    ("4:1|2|3|4|5|6|7 =", "9:1|2|3|4|5|6|7 =", "action played: Banyan says 8"),
    ("4:1|2|3|4|5|6|7 =", "3:1|2|3|4|5|6|7 =", "end of the game: Banyan says it is over"),
    (" =", " 1:5:1|2|3|4|5|6|7 =", "end of the game: Banyan says it goes on"),
    ("= 18", "= -18", "final margin: Banyan says -18, OpenSpiel 18"),
    ("= 18", "= 17", "final margin: Banyan says 17, OpenSpiel 18"),
]


def self_test():
    """Whether a right game passes, and wrong ones are reported; returns what failed, or None."""
    said, agree = compare(right_game().splitlines())
    if not agree:
        return f"a right game is reported: {said}"
    for found, replaced, report in WRONG:
        _, right = right_game().splitlines()
        wrong = right.replace(found, replaced, 1)
        said, agree = compare([*right_game().splitlines(), wrong])
        expected = f"connect-four:6x7, game 2: {report}"
        if wrong == right or agree or not said.startswith(expected):
            return f"{wrong}\nexpected {expected}\nfound {said}"
    return None


def main():
    if sys.argv[1:] == ["--self-test"]:
        failed = self_test()
        if failed:
            print(f"the self-test failed: {failed}")
        return DISAGREE if failed else AGREE
    if len(sys.argv) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return UNREADABLE
    try:
        said, agree = compare(sys.stdin)
    except (KeyError, ValueError, IndexError) as problem:
        print(f"the games could not be read: {problem!r}")
        return UNREADABLE
    print(said)
    return AGREE if agree else DISAGREE


if __name__ == "__main__":
    sys.exit(main())
