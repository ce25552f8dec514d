"""Banyan as the player of a Reversi course platform in Python.

Platforms of the form of "miniAlphaGo for Reversi" call `AIPlayer(color).get_move(board)` and expect a square such as "D3",
or None without a legal move. This file asks `banyan ugi` for it, a process that is started at the first move and restarted
if it ends. It needs Python 3.8 or later and the command `banyan`, nothing else. See docs/course-platforms.md.

Settings are arguments, or variables of the environment where the platform makes the player:

    BANYAN          the command [default: banyan]
    BANYAN_PLAYER   a player of `banyan players` [default: best]
    BANYAN_SECONDS  seconds for each move [default: 5]
"""

import os
import queue
import subprocess
import sys
import threading

# Seconds that the process may need besides its search, to start and to answer.
LEEWAY = 20.0


class BanyanError(Exception):
    """Why there is no answer, in one line."""


class Banyan:
    """A process of `banyan ugi` that searches positions of Reversi."""

    def __init__(self, command, player, size):
        self.lines = queue.Queue()
        try:
            self.process = subprocess.Popen(
                [command, "ugi"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                universal_newlines=True, bufsize=1)
        except OSError as err:
            reason = err.strerror or err
            raise BanyanError("cannot run {!r}: {}; set BANYAN to the path of banyan".format(command, reason)) from None
        threading.Thread(target=self._read, daemon=True).start()
        try:
            self._send("setoption name Game value reversi:{0}x{0}".format(size))
            self._send("setoption name Player value " + player)
            self._send("uginewgame")
            self._wait_until_ready()
        except BanyanError:
            self.close()
            raise

    def best_move(self, position, seconds):
        """The best move of a position, such as "d3"."""
        self._send("position fen " + position)
        self._wait_until_ready()
        self._send("go movetime {}".format(max(1, int(seconds * 1000))))
        while True:
            words = self._receive(seconds + LEEWAY).split()
            if len(words) > 1 and words[0] == "bestmove":
                return words[1]

    def close(self):
        """Ends the process."""
        self.process.kill()
        self.process.wait()
        try:
            self.process.stdin.close()
        except OSError:
            pass  # The rest of the output has no reader any more.

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.strip())
        self.lines.put(None)

    def _send(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise BanyanError("the process of banyan has ended") from None

    def _receive(self, seconds):
        try:
            line = self.lines.get(timeout=seconds)
        except queue.Empty:
            raise BanyanError("no answer within {:.0f} s".format(seconds)) from None
        if line is None:
            self.lines.put(None)
            raise BanyanError("the process of banyan has ended")
        return line

    def _wait_until_ready(self):
        error = None
        self._send("isready")
        while True:
            line = self._receive(LEEWAY)
            if line.startswith("info string error: "):
                error = error or line[len("info string error: "):]
            elif line == "readyok" and error:
                raise BanyanError(error)
            elif line == "readyok":
                return


class AIPlayer:
    """A player of the platform. `color` is "X" for black, who begins, or "O" for white."""

    def __init__(self, color, player=None, seconds=None, command=None):
        self.banyan = None
        self.color = color
        self.player = player or os.environ.get("BANYAN_PLAYER", "best")
        self.seconds = float(seconds or os.environ.get("BANYAN_SECONDS", 5))
        self.command = command or os.environ.get("BANYAN", "banyan")

    def get_move(self, board):
        """The best move as one of the legal actions of the board, or None without any. The board stays as it is.

        Without an answer of Banyan it prints the reason in one line to stderr, and returns the first legal action.
        """
        actions = list(board.get_legal_actions(self.color))
        if len(actions) < 2:
            return actions[0] if actions else None
        try:
            move = self._ask(position_of(board, self.color), len(board._board))
            square = (int(move[1:]) - 1, ord(move[0]) - ord("a"))
            return {square_of(board, action): action for action in actions}[square]
        except (BanyanError, KeyError, ValueError) as err:
            reason = err if isinstance(err, BanyanError) else "an answer that is no legal move: {!r}".format(move)
            print("banyan: {}; playing {}, the first legal move".format(reason, actions[0]), file=sys.stderr)
            return actions[0]

    def close(self):
        """Ends the process of Banyan; the next move starts another one."""
        banyan, self.banyan = self.banyan, None
        if banyan:
            banyan.close()

    def __del__(self):
        self.close()

    def __deepcopy__(self, memo):
        # Platforms copy the objects that they hold; a process cannot be shared.
        return AIPlayer(self.color, self.player, self.seconds, self.command)

    def _ask(self, position, size):
        if self.banyan:
            try:
                return self.banyan.best_move(position, self.seconds)
            except BanyanError:
                # It may have been killed between two moves: one more process is started.
                self.close()
        self.banyan = Banyan(self.command, self.player, size)
        try:
            return self.banyan.best_move(position, self.seconds)
        except BanyanError:
            self.close()
            raise


def position_of(board, color):
    """The position as Banyan reads it: the squares row by row from a1, then the side to move."""
    squares = "".join(disc if disc in ("X", "O") else "-" for row in board._board for disc in row)
    return squares + " " + color


def square_of(board, action):
    """Row and column of an action, from 0."""
    if hasattr(board, "board_num"):
        return tuple(board.board_num(action))
    return (int(action[1:]) - 1, ord(action[0].upper()) - ord("A"))
