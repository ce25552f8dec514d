"""A use of the package that mypy checks by its stubs; it is not run."""

from __future__ import annotations

from typing import List, Optional, Tuple

import numpy

import banyan
import banyan.cluster
import banyan.pettingzoo


def evaluate(planes: banyan.Array) -> Tuple[numpy.typing.NDArray[numpy.float32], numpy.typing.NDArray[numpy.float32]]:
    return numpy.zeros(len(planes), numpy.float32), numpy.ones((len(planes), 7), numpy.float32)


def use() -> None:
    game: banyan.Game = banyan.Game("connect-four")
    position: banyan.Position = game.start().play("d", "d").undo()
    moves: List[str] = position.legal_moves
    analysis: banyan.Analysis = position.analyse("mcgs:batch=64", "playouts=100", evaluator=evaluate, callback=lambda so_far: so_far.value > 0.9)
    best: Optional[str] = analysis.best
    proof: Optional[banyan.Proof] = analysis.moves[0].proof
    margin: Optional[int] = position.solve("nodes=1000").margin
    result: banyan.MatchResult = banyan.play_match(game, ["uct", "random"], pairs=1, callback=lambda record: print(record["moves"]))
    points: float = sum(row["points"] for row in result.pair_rows())
    print(moves, best, proof, margin, points)
    environment = banyan.pettingzoo.raw_env(game, render_mode="svg")
    environment.reset()
    after: banyan.Position = environment.position
    print(after)
    whole: str = banyan.cluster.run(["match", "connect-four", "uct", "mcgs"], "runs/long", shards=16, callback=lambda progress: print(progress.done))
    print(banyan.read(whole))
