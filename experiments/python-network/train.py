#!/usr/bin/env python3
"""Plays games by a player of Banyan against itself, and trains the network on their positions for at most so many seconds."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))
from python_version import require

require((3, 11))

import hashlib
import json
import time

sys.dont_write_bytecode = True
from command_line import Parser, fail, target_folder

import games
import network

import jax
import jax.numpy as jnp
import numpy

import banyan

FOLDER = target_folder() / "python-network"
BATCH = 256
RATE = 2e-3
WEIGHT_DECAY = 1e-4
# One game in this number is unseen.
UNSEEN = 20


def loss_of(weights, planes, values, policies):
    """Squared error of the values and cross-entropy with the visits."""
    found, logits = network.applied(weights, planes)
    return jnp.mean((found - values) ** 2) - jnp.mean(jnp.sum(policies * jax.nn.log_softmax(logits), axis=1))


@jax.jit
def step(weights, first, second, number, rate, planes, values, policies):
    """One step of Adam with weight decay (Loshchilov and Hutter 2019); returns weights and moments."""
    gradient = jax.grad(loss_of)(weights, planes, values, policies)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradient)
    second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradient)

    def moved(w, m, v):
        return w - rate * (m / (1 - 0.9**number) / (jnp.sqrt(v / (1 - 0.999**number)) + 1e-8) + WEIGHT_DECAY * w)

    return jax.tree.map(moved, weights, first, second), first, second


def batch_of(data, rng):
    """Positions at random, half of them mirrored: the network does not know that the board is symmetric."""
    planes, values, policies = data
    chosen = rng.integers(len(values), size=BATCH)
    planes, values, policies = planes[chosen], values[chosen], policies[chosen]
    half = BATCH // 2
    # In Connect Four the outputs of a policy are the columns.
    planes[:half], policies[:half] = planes[:half, :, :, ::-1].copy(), policies[:half, ::-1].copy()
    return planes, values, policies


def trained(weights, data, seconds, rng):
    """The weights after so many seconds, with the compilation, and the number of steps. The rate falls as a cosine over the time."""
    begun = time.monotonic()
    first = second = jax.tree.map(jnp.zeros_like, weights)
    n_steps = 0
    while True:
        spent = time.monotonic() - begun
        if spent >= seconds:
            break
        rate = numpy.float32(RATE * 0.5 * (1 + numpy.cos(numpy.pi * spent / seconds)))
        n_steps += 1
        weights, first, second = step(weights, first, second, numpy.float32(n_steps), rate, *batch_of(data, rng))
        if n_steps % 100 == 0:
            jax.block_until_ready(weights)
    return jax.block_until_ready(weights), n_steps


def measured(weights, data):
    """Errors on positions: root mean square of the values, cross-entropy, and the share of positions whose most visited move is predicted."""
    planes, values, policies = data
    answers = [network.applied(weights, planes[i : i + 1000]) for i in range(0, len(values), 1000)]
    found, logits = (numpy.concatenate(part) for part in zip(*answers))
    logs = numpy.asarray(jax.nn.log_softmax(logits))
    positive = numpy.where(policies > 0, policies, 1)
    return {
        "value_error": float(numpy.sqrt(numpy.mean((found - values) ** 2))),
        "value_spread": float(values.std()),
        "cross_entropy": float(-(policies * logs).sum(1).mean()),
        "entropy": float(-(policies * numpy.log(positive)).sum(1).mean()),
        "predicted": float((logs.argmax(1) == policies.argmax(1)).mean()),
    }


def parse_arguments():
    parser = Parser(description=__doc__)
    parser.add_argument("--game", default="connect-four:6x7", help="a board of Connect Four (default: %(default)s)")
    parser.add_argument("--player", default="mcgs", help="the player of the games (default: %(default)s)")
    parser.add_argument("--budget", default="playouts=800", help="its budget for a move (default: %(default)s)")
    parser.add_argument("--games", type=int, default=6000, help="number of games (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=300, help="time of the training (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of games and training (default: %(default)s)")
    parser.add_argument("--weights", type=Path, default=FOLDER / "weights.npz", help="the file that is written (default: under target/)")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    game = banyan.Game(arguments.game)
    if not game.spec.startswith("connect-four"):
        fail(f"--game {arguments.game}: expected a board of Connect Four, whose positions can be mirrored; try connect-four:6x7", 2)
    if arguments.games < UNSEEN:
        fail(f"--games {arguments.games}: expected at least {UNSEEN}, of which one is unseen; leave it out for 6000", 2)
    path = FOLDER / f"games-{arguments.game}-{arguments.player}-{arguments.budget}-{arguments.seed}.jsonl"
    generation = games.generate(path, game, arguments.player, arguments.budget, arguments.seed, arguments.games)
    *data, numbers = games.positions(path, game, arguments.games)
    unseen = numbers % UNSEEN == UNSEEN - 1
    rng = numpy.random.default_rng(arguments.seed)
    weights = network.initial(game.plane_shape, game.n_actions, rng)
    weights, n_steps = trained(weights, [array[~unseen] for array in data], arguments.seconds, rng)
    network.save(arguments.weights, weights)
    report = {
        "game": game.spec, "player": arguments.player, "budget": arguments.budget, "games": arguments.games, "seed": arguments.seed,
        "positions": len(numbers), "unseen_positions": int(unseen.sum()), "generation_s": round(generation, 1),
        "training_s": arguments.seconds, "steps": n_steps, "weights": sum(array.size for array in weights.values()),
        **measured(network.load(arguments.weights, game.plane_shape, game.n_actions), [array[unseen] for array in data]),
        "sha256": hashlib.sha256(arguments.weights.read_bytes()).hexdigest()[:16],
    }
    print(json.dumps(report))


if __name__ == "__main__":
    try:
        main()
    except banyan.BanyanError as error:
        fail(str(error))
    except KeyboardInterrupt:
        sys.exit("interrupted; the games are kept")
