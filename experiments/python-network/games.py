"""Games of a player of Banyan against itself, as targets of a network: a line of JSON for each game, continued where it ended."""

import json
import random
import time

import numpy

import banyan

# Random moves before the first position that counts: 0 to this number.
MOST_RANDOM = 12
# Moves chosen in proportion to visits, after which the best is played.
SAMPLED = 10
# Share of later moves that are random, for positions that good players do not reach.
ASTRAY = 0.05
# Share of the result of the game in the target of a value; the rest is the value of the search. Guess, untuned.
RESULT_SHARE = 0.5


def random_start(game, rng):
    """A position after random moves, which is not over."""
    while True:
        position = game.start()
        for _ in range(rng.randint(0, MOST_RANDOM)):
            if not position.is_over:
                position = position.play(rng.choice(position.legal_moves))
        if not position.is_over:
            return position


def policy_of(position, analysis):
    """Visits by the outputs of a policy; one for the best move if the search has proven its value and made none."""
    actions = dict(zip(position.legal_moves, position.legal_actions))
    visits = [0] * position.game.n_actions
    for move in analysis.moves:
        visits[actions[move.move]] = move.visits
    if not any(visits):
        visits[actions[analysis.best]] = 1
    return visits


def is_proven(proof):
    """Whether the proven bounds decide who wins."""
    return proof is not None and (proof.lower > 0 or proof.upper < 0 or proof.lower == proof.upper)


def played(game, player, budget, seed, number):
    """The record of one game."""
    rng = random.Random(f"{seed}/{number}")
    position = start = random_start(game, rng)
    moves, visits, values, proven = [], [], [], []
    while not position.is_over:
        analysis = position.analyse(player, budget, seed=rng.randrange(1, 1 << 31))
        visits.append(policy_of(position, analysis))
        values.append(round(analysis.value, 4))
        proven.append(int(is_proven(analysis.proof)))
        move = analysis.best
        if len(moves) < SAMPLED:
            of_action = dict(zip(position.legal_actions, position.legal_moves))
            move = of_action[rng.choices(range(len(visits[-1])), visits[-1])[0]]
        elif rng.random() < ASTRAY:
            move = rng.choice(position.legal_moves)
        moves.append(move)
        position = position.play(move)
    record = {"game": number, "start": " ".join(start.moves), "moves": " ".join(moves)}
    return {**record, "values": values, "proven": proven, "visits": visits, "margin": position.result}


def generate(path, game, player, budget, seed, n_games):
    """Appends what is missing of so many games; returns the seconds that it took here."""
    begun = time.monotonic()
    path.parent.mkdir(parents=True, exist_ok=True)
    # A line that was cut off is played again.
    lines = [line for line in path.read_text().splitlines(keepends=True) if line.endswith("\n")] if path.exists() else []
    done = len(lines)
    with path.open("w") as file:
        file.writelines(lines)
        file.flush()
        for number in range(done, n_games):
            print(json.dumps(played(game, player, budget, seed, number), separators=(",", ":")), file=file)
            if number % 500 == 499:
                print(f"{number + 1} of {n_games} games, {time.monotonic() - begun:.0f} s", flush=True)
    return time.monotonic() - begun


def result_for(side, margin):
    """The result, -1 to 1, for a side; the margin is seen by the one that began."""
    return float(numpy.sign(margin)) * (1 if side == 0 else -1)


def positions(path, game, n_games):
    """Planes `[n, channels, rows, columns]`, values `[n]`, policies `[n, actions]` and the number of its game `[n]` for all positions."""
    planes, values, policies, numbers = [], [], [], []
    for line in path.read_text().splitlines()[:n_games]:
        record = json.loads(line)
        position = game.after(record["start"])
        for move, value, proven, visits in zip(record["moves"].split(), record["values"], record["proven"], record["visits"]):
            share = 0 if proven else RESULT_SHARE
            planes.append(position.planes())
            values.append(share * result_for(position.to_move, record["margin"]) + (1 - share) * value)
            policies.append(numpy.array(visits, "float32") / sum(visits))
            numbers.append(record["game"])
            position = position.play(move)
    return numpy.stack(planes), numpy.array(values, "float32"), numpy.stack(policies), numpy.array(numbers)
