"""A stand-in for the board of a course platform, of our own, and games of contrib/banyan_player.py on it.

The test passes the folder of that file and what to do; prints what came of it.
"""

import copy
import sys

sys.path.insert(0, sys.argv[1])
from banyan_player import AIPlayer  # noqa: E402

LINES = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


class Board:
    empty = "."

    def __init__(self):
        self._board = [["."] * 8 for _ in range(8)]
        self._board[3][3] = self._board[4][4] = "O"
        self._board[3][4] = self._board[4][3] = "X"

    @staticmethod
    def board_num(action):
        return int(action[1]) - 1, "ABCDEFGH".index(action[0])

    @staticmethod
    def num_board(square):
        return "ABCDEFGH"[square[1]] + str(square[0] + 1)

    def flips(self, square, color):
        other, found = "XO"[color == "X"], []
        if self._board[square[0]][square[1]] != ".":
            return found
        for down, right in LINES:
            row, column, line = square[0] + down, square[1] + right, []
            while 0 <= row < 8 and 0 <= column < 8 and self._board[row][column] == other:
                line.append((row, column))
                row, column = row + down, column + right
            if 0 <= row < 8 and 0 <= column < 8 and self._board[row][column] == color:
                found += line
        return found

    def get_legal_actions(self, color):
        for row in range(8):
            for column in range(8):
                if self.flips((row, column), color):
                    yield self.num_board((row, column))

    def _move(self, action, color):
        square = self.board_num(action)
        flipped = self.flips(square, color)
        for row, column in flipped + ([square] if flipped else []):
            self._board[row][column] = color
        return [self.num_board(place) for place in flipped] or False

    def count(self, color):
        return sum(row.count(color) for row in self._board)


class First:
    """Plays the first legal move."""

    def __init__(self, color):
        self.color = color

    def get_move(self, board):
        return next(board.get_legal_actions(self.color), None)


def play(players, between=lambda players: None):
    """Plays a game and returns the difference of the discs."""
    board, passed, side = Board(), 0, 0
    while passed < 2:
        before = copy.deepcopy(board._board)
        action = players[side].get_move(board)
        assert board._board == before, "get_move changed the board"
        color = players[side].color
        if action is None:
            assert not list(board.get_legal_actions(color)), "a pass with legal moves"
            passed += 1
        else:
            assert board._move(action, color), "illegal: " + action
            passed = 0
        between(players)
        side = 1 - side
    return board.count("X") - board.count("O")


def kill(players):
    for player in players:
        if getattr(player, "banyan", None):
            player.banyan.process.kill()
            player.banyan.process.wait()


def answer(text, color):
    board = Board()
    board._board = [list(text[8 * row:8 * row + 8].replace("-", ".")) for row in range(8)]
    return AIPlayer(color).get_move(board)


what = sys.argv[2]
if what == "games":
    for banyan, first in ("XO", "OX"):
        players = sorted([AIPlayer(banyan), First(first)], key=lambda player: "XO".index(player.color))
        margin = play([copy.deepcopy(player) for player in players]) * (1 if banyan == "X" else -1)
        print("won" if margin > 0 else "not won", "as", banyan)
elif what == "killed":
    play([AIPlayer("X"), First("O")], kill)
    print("played to the end")
elif what == "answer":
    print(answer(sys.argv[3], sys.argv[4]))
