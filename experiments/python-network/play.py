#!/usr/bin/env python3
"""Plays pairs of games of a search with the network against a player of Banyan at equal playouts, and prints the score with its interval.

Every move is a search that begins anew. The results have a line for the settings of a match and one for each finished pair. Pairs that
they have already, with the same players, playouts and weights, are not played again.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))
from python_version import require

require((3, 11))

import hashlib
import json
import math
import random
import time
from collections import Counter

sys.dont_write_bytecode = True
from command_line import Parser, fail, target_folder

import network

import banyan

FOLDER = Path(__file__).resolve().parent
# The tree of plain UCT, with one evaluation for each playout, too. c and fpu are guesses, untuned.
NETWORK = "uct:select=puct,c=1.5,fpu=0.2,reward=wdl,batch=8"
# The most positions of one call: the most that the setting batch allows.
MOST_BATCH = 64
# On 6x7 there are 714 openings, drawn until one is new.
MOST_PAIRS = 500
# Names of the players in the records.
PLAYERS = ("network", "opponent")


def openings(game, n, seed):
    """So many openings of two to four random plies, none of which is the mirror image of another."""
    rng = random.Random(seed)
    found = {}
    while len(found) < n:
        position = game.start()
        for _ in range(rng.randint(2, 4)):
            position = position.play(rng.choice(position.legal_moves))
        found.setdefault(position.key, position)
    return list(found.values())


class Player:
    """A search with its budget, and what it has used."""

    def __init__(self, text, budget, evaluator=None):
        self.text, self.budget, self.evaluator = text, budget, evaluator
        self.seconds, self.n_moves = 0.0, 0

    def move(self, position, seed):
        begun = time.perf_counter()
        analysis = position.analyse(self.text, self.budget, seed=seed, evaluator=self.evaluator)
        self.seconds += time.perf_counter() - begun
        self.n_moves += 1
        return analysis.best


def game_from(position, players, rng):
    """The end of a game between the player to move and the other one."""
    first = position.to_move
    while not position.is_over:
        player = players[0 if position.to_move == first else 1]
        position = position.play(player.move(position, rng.randrange(1, 1 << 31)))
    return position


def pair(number, opening, players, seed):
    """Both games of a pair: the network moves first in game 0. Its points are 0 to 2."""
    lines, points = [], 0.0
    for swapped in (False, True):
        rng = random.Random(f"{seed}/{number}/{swapped}")
        over = game_from(opening, players[::-1] if swapped else players, rng)
        margin = over.result if (opening.to_move == 0) != swapped else -over.result
        points += 1 if margin > 0 else 0.5 if margin == 0 else 0
        lines.append({"winner": PLAYERS[margin < 0] if margin else None, "moves": " ".join(over.moves[opening.ply :])})
    return {"pair": number, "opening": " ".join(opening.moves), "points": points, "games": lines}


def score(points):
    """The score of a game, 0 to 1, with its 95 % interval over pairs.

    Wilson's interval at the size of a sample of coin tosses with the same standard error, as in `banyan match` (Franco, Little, Louis and
    Slud 2019); with the normal quantile.
    """
    n, mean = len(points), sum(points) / len(points) / 2
    spread = sum((x / 2 - mean) ** 2 for x in points) / max(n - 1, 1)
    n *= max(mean * (1 - mean) / spread, 1) if spread > 0 else 1
    k = 1.96**2 / n
    centre, half = (mean + k / 2) / (1 + k), math.sqrt(k * (mean * (1 - mean) + k / 4)) / (1 + k)
    return mean, centre - half, centre + half


def elo(share):
    return -400 * math.log10(1 / share - 1) if 0 < share < 1 else math.copysign(math.inf, share - 0.5)


def summary(lines):
    """One line of text about the pairs of one match."""
    points = [line["points"] for line in lines]
    winners = Counter(game["winner"] for line in lines for game in line["games"])
    both = Counter("won" if x > 1 else "drawn" if x == 1 else "lost" for x in points)
    shares = score(points)
    percents = [f"{100 * share:.1f}" for share in shares]
    elos = [f"{elo(share):+.0f}" for share in shares]
    used = {name: sum(line[name] for line in lines) for name in ("network_s", "opponent_s", "leaves", "network_moves", "opponent_moves")}
    return (
        f"{len(lines)} pairs: {winners['network']} won, {winners[None]} drawn, {winners['opponent']} lost; pairs {both['won']} won, "
        f"{both['drawn']} even, {both['lost']} lost; {percents[0]} % ({percents[1]} .. {percents[2]}), Elo {elos[0]} ({elos[1]} .. {elos[2]}); "
        f"a move of the network {1000 * used['network_s'] / used['network_moves']:.1f} ms, {used['leaves'] / used['network_s']:.0f} leaves/s; "
        f"of the opponent {1000 * used['opponent_s'] / used['opponent_moves']:.2f} ms"
    )


def parse_arguments():
    parser = Parser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="connect-four:6x7", help="the board that the network was trained on (default: %(default)s)")
    parser.add_argument("--weights", type=Path, default=target_folder() / "python-network/weights.npz", help="what train.py wrote")
    parser.add_argument("--network", default=NETWORK, metavar="PLAYER", help="the search that calls the network (default: %(default)s)")
    parser.add_argument("--opponent", default="uct", metavar="PLAYER", help="the other player (default: %(default)s)")
    parser.add_argument("--playouts", type=int, default=400, help="for a move of the network (default: %(default)s)")
    parser.add_argument("--opponent-playouts", type=int, help="for a move of the opponent (default: the same)")
    parser.add_argument("--pairs", type=int, default=100, help="(default: %(default)s)")
    parser.add_argument("--seed", type=int, default=59, help="of openings and searches (default: %(default)s)")
    parser.add_argument("--results", type=Path, default=FOLDER / "results.jsonl", help="(default: results.jsonl beside this program)")
    return parser.parse_args()


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def append(path, line):
    with path.open("a") as file:
        print(json.dumps(line, separators=(",", ":")), file=file)


def settings(arguments):
    """What decides the games of a match, with a name made of it."""
    found = {
        "game": arguments.game, "network": f"{arguments.network}@playouts={arguments.playouts}",
        "opponent": f"{arguments.opponent}@playouts={arguments.opponent_playouts or arguments.playouts}", "seed": arguments.seed,
        "weights": hashlib.sha256(arguments.weights.read_bytes()).hexdigest()[:16],
    }
    return {"match": hashlib.sha256(json.dumps(found).encode()).hexdigest()[:8], **found, "version": banyan.__version__}


def recorded_pair(match, number, opening, players, seed):
    """The line of a pair, with what the players used in it."""
    before = [(player.seconds, player.n_moves) for player in players]
    n_positions = players[0].evaluator.n_positions
    line = {"match": match, **pair(number, opening, players, seed)}
    for name, player, (seconds, n_moves) in zip(PLAYERS, players, before):
        line[f"{name}_s"], line[f"{name}_moves"] = round(player.seconds - seconds, 4), player.n_moves - n_moves
    return {**line, "leaves": players[0].evaluator.n_positions - n_positions}


def main():
    arguments = parse_arguments()
    if not 1 <= arguments.pairs <= MOST_PAIRS:
        fail(f"--pairs {arguments.pairs}: expected 1 to {MOST_PAIRS}; leave it out for 100", 2)
    if not arguments.weights.is_file():
        fail(f"{arguments.weights}: no such file: expected the weights of a network; run train.py", 2)
    game = banyan.Game(arguments.game)
    evaluator = network.Evaluator(network.load(arguments.weights, game.plane_shape, game.n_actions))
    evaluator.prepare(game.plane_shape, MOST_BATCH)
    against = arguments.opponent_playouts or arguments.playouts
    players = [Player(arguments.network, f"playouts={arguments.playouts}", evaluator), Player(arguments.opponent, f"playouts={against}")]
    head, before = settings(arguments), read(arguments.results)
    of_match = [line for line in before if line["match"] == head["match"]]
    known = {line["pair"]: line for line in of_match if "pair" in line}
    lines = []
    for number, opening in enumerate(openings(game, arguments.pairs, arguments.seed)):
        line = known.get(number)
        if not line:
            line = recorded_pair(head["match"], number, opening, players, arguments.seed)
            if not of_match:
                append(arguments.results, head)
                of_match.append(head)
            append(arguments.results, line)
        lines.append(line)
        if len(lines) % 10 == 0 or len(lines) == arguments.pairs:
            print(summary(lines), flush=True)


if __name__ == "__main__":
    try:
        main()
    except ValueError as error:
        # A BanyanError is one.
        fail(str(error))
    except KeyboardInterrupt:
        sys.exit("interrupted; the pairs are kept")
