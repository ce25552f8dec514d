#!/usr/bin/env python3
"""OpenSpiel's MCTS bot as an engine that speaks UGI, for the games that both sides know.

Run it with a Python that has the package open_spiel. A budget of playouts or nodes is taken as simulations, which are all
that the bot can be limited by.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))
from python_version import require

require()

import re
import time

import pyspiel

# Banyan's name of the game: OpenSpiel's, and what an action is called, from OpenSpiel's word for it.
GAMES = {
    "connect-four": ("connect_four", lambda word: str(int(word[1:]) + 1)),
    "connect-four:6x7": ("connect_four", lambda word: str(int(word[1:]) + 1)),
    "reversi": ("othello", lambda word: word),
    "reversi:8x8": ("othello", lambda word: word),
}
BOXES = "dots-and-boxes"


def box_edge(word):
    """`P1(h,2,3)` is h2,3."""
    kind, row, column = word[word.index("(") + 1 : -1].split(",")
    return f"{kind}{row},{column}"


class Refused(Exception):
    """What cannot be done, in words."""


class Engine:
    def __init__(self):
        self.seed = 1
        self.set_game("connect-four")

    def set_game(self, name):
        size = re.fullmatch(BOXES + r"(?::(\d+)x(\d+))?", name)
        if name in GAMES:
            spiel_name, self.word = GAMES[name]
        elif size:
            rows, columns = size.groups(default="5")
            spiel_name = f"dots_and_boxes(num_rows={rows},num_cols={columns},utility_margin=true)"
            self.word = box_edge
        else:
            raise Refused(f"{name}: OpenSpiel plays connect-four:6x7, reversi:8x8 and dots-and-boxes")
        self.game = pyspiel.load_game(spiel_name)
        self.state = self.game.new_initial_state()

    def names(self):
        mover = self.state.current_player()
        return {self.word(self.state.action_to_string(mover, action)): action for action in self.state.legal_actions()}

    def set_position(self, words):
        if not words or words[0] != "startpos":
            raise Refused("positions have to begin with startpos")
        self.state = self.game.new_initial_state()
        for word in words[2:]:
            actions = self.names()
            if word not in actions:
                raise Refused(f"{word} is no legal move")
            self.state.apply_action(actions[word])

    def search(self, simulations):
        evaluator = pyspiel.RandomRolloutEvaluator(1, self.seed)
        bot = pyspiel.MCTSBot(self.game, evaluator, 2.0, simulations, 256, True, self.seed, False)
        return bot.step(self.state)

    def simulations(self, words):
        if words[:1] != ["nodes"]:
            raise Refused("expected go nodes N: give it a budget of nodes or playouts")
        return int(words[1])

    def go(self, words):
        if self.state.is_terminal():
            raise Refused("the game is over")
        n = self.simulations(words)
        begun = time.monotonic()
        action = self.search(max(2, n))
        taken = max(1, int(1000 * (time.monotonic() - begun)))
        best = next(name for name, known in self.names().items() if known == action)
        print(f"info time {taken} nodes {n} nps {1000 * n // taken} pv {best}")
        print(f"bestmove {best}")

    def obey(self, line):
        words = line.split()
        if not words:
            return
        if words[0] == "ugi":
            print("id name OpenSpiel MCTSBot\nid author the authors of OpenSpiel")
            print("id extensions errors\noption name Game type string default connect-four")
            print("option name Seed type spin default 1 min 0 max 2147483647\nugiok")
        elif words[0] == "isready":
            print("readyok")
        elif words[:2] == ["setoption", "name"] and words[3:4] == ["value"] and len(words) == 5:
            if words[2] == "Game":
                self.set_game(words[4])
            elif words[2] == "Seed":
                self.seed = int(words[4])
        elif words[0] == "uginewgame":
            self.state = self.game.new_initial_state()
        elif words[0] == "position":
            self.set_position(words[1:])
        elif words[0] == "go":
            self.go(words[1:])


def main():
    engine = Engine()
    for line in sys.stdin:
        if line.strip() == "quit":
            return
        try:
            engine.obey(line)
        except Refused as refused:
            print(f"info string error: {refused}")
            if line.startswith("go"):
                print("bestmove none")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
