"""The results of searches, as dataclasses with tables."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from typing import Any, Dict, Iterable, List, Optional, Type, TypeVar

Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Proof:
    """Proven bounds of the final margin in points, seen by the side to move of the position analysed: it gets ``lower`` to ``upper``."""

    lower: int
    upper: int


@dataclass(frozen=True)
class AnalysedMove:
    """A move of an analysis."""

    move: str
    visits: int
    #: The expected result for the side to move, -1 certain loss to 1 certain win; ``None`` if nothing or only a bound is known.
    value: Optional[float] = None
    #: The expected final margin in points for the side to move; ``None`` from players that expect none.
    margin: Optional[float] = None
    #: Upper bounds of value and margin, from alpha-beta for a move that is not one of its lines.
    at_most: Optional[Dict[str, float]] = None
    #: Proven bounds.
    proof: Optional[Proof] = None
    #: The moves of the winner until the end, if they are proven and the game counts what is left over.
    ends_in: Optional[int] = None
    #: The line that is expected to follow, beginning with the move.
    pv: List[str] = field(default_factory=list)
    #: The output of a policy that stands for it: see `Position.legal_actions`.
    action: Optional[int] = None


@dataclass(frozen=True)
class Analysis:
    """The answer of a player to a position."""

    game: str
    position: str
    #: ``first`` or ``second``.
    to_move: str
    #: The chosen move; ``None`` if the game is over.
    best: Optional[str]
    #: The expected result for the side to move, -1 certain loss to 1 certain win.
    value: float
    #: Playouts, or evaluated leaves.
    playouts: int
    #: Nodes held; by alpha-beta, positions visited.
    nodes: int
    #: The share of an earlier search that was used again, 0 to 1.
    reused: float
    #: Milliseconds by the clock, and of the processor.
    elapsed_ms: float
    cpu_ms: float
    #: Bytes held by the search.
    memory_bytes: int
    #: Every move that was considered, the best first.
    moves: List[AnalysedMove]
    #: The line that is expected to follow.
    pv: List[str] = field(default_factory=list)
    #: The expected final margin in points for the side to move; ``None`` from players that expect none.
    margin: Optional[float] = None
    #: Proven bounds.
    proof: Optional[Proof] = None
    #: The moves of the winner until the end, if they are proven and the game counts what is left over.
    ends_in: Optional[int] = None
    #: The last finished depth of alpha-beta.
    depth: Optional[int] = None
    #: Whether the move is one of an opening book, or proven best by a book of exact values.
    book: bool = False

    def rows(self) -> List[Dict[str, Any]]:
        """A row for each move: ``move``, ``visits``, ``value``, ``margin``, ``lower``, ``upper``, ``pv``."""
        return [
            {
                "move": move.move,
                "visits": move.visits,
                "value": move.value,
                "margin": move.margin,
                "lower": move.proof.lower if move.proof else None,
                "upper": move.proof.upper if move.proof else None,
                "pv": " ".join(move.pv),
            }
            for move in self.moves
        ]

    def table(self) -> Any:
        """The rows as a data frame of pandas or polars, whichever is installed; otherwise a list of dicts."""
        names = ["move", "visits", "value", "margin", "lower", "upper", "pv"]
        return frame(_columns(names, self.rows()))


@dataclass(frozen=True)
class SolvedMove:
    """A move of a solved position: proven bounds of the final margin in points, seen by the side that makes it."""

    move: str
    #: The margin after it; ``None`` if it is not proven.
    margin: Optional[int]
    lower: int
    upper: int


@dataclass(frozen=True)
class Solved:
    """What is proven of a position, in points of the final margin, seen by the side to move."""

    game: str
    position: str
    #: ``first`` or ``second``.
    to_move: str
    #: The margin under best play; ``None`` if it is not proven.
    margin: Optional[int]
    #: It gets at least and at most this.
    lower: int
    upper: int
    #: Every move that is proven to reach the margin.
    best: List[str]
    #: Every legal move, the best first.
    moves: List[SolvedMove]
    #: The principal variation, up to the first move that was not proven; if only the winner was to be proven, a line that keeps the winner;
    #: otherwise empty while the margin is not proven.
    pv: List[str]
    #: Positions visited, milliseconds by the clock, and bytes held.
    nodes: int
    elapsed_ms: float
    memory_bytes: int
    #: The book of exact values that has the position, in words; ``None`` if none has.
    book: Optional[str] = None

    def rows(self) -> List[Dict[str, Any]]:
        """A row for each move: ``move``, ``margin``, ``lower``, ``upper``."""
        return [vars(move).copy() for move in self.moves]

    def table(self) -> Any:
        """The rows as a data frame of pandas or polars, whichever is installed; otherwise a list of dicts."""
        return frame(_columns(["move", "margin", "lower", "upper"], self.rows()))


class Picture(str):
    """The text of a picture in SVG, which a notebook shows."""

    def _repr_svg_(self) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"<picture in SVG, {len(self):,} characters>"


@dataclass(frozen=True)
class Valuation:
    """The value of a position, for the side that moves or has moved."""

    #: The expected result, -1 certain loss to 1 certain win.
    value: float
    #: The expected final margin in points; ``None`` if unknown.
    margin: Optional[float] = None
    #: Proven bounds.
    proof: Optional[Proof] = None


@dataclass(frozen=True)
class ReviewedMove:
    """A move of a review. Values are seen by the side that made it."""

    #: Its number in the game, from 1.
    ply: int
    move: str
    #: ``first`` or ``second``: the side that made it.
    to_move: str
    #: The position before it, and the number of legal moves there.
    position: str
    choices: int
    #: The values of the positions before and after it.
    before: Valuation
    after: Valuation
    #: What it lost against the best move, in the unit of the review and in percent of the expected result, and whether that is proven.
    loss: float
    loss_percent: float
    exact: bool
    #: ``?!``, ``?`` or ``??``; ``None`` for a move that lost little.
    mark: Optional[str]
    #: A best move, and the line expected after it.
    best: str
    pv: List[str] = field(default_factory=list)
    #: Why it lost something, the most important reason first, as data (docs/json.md).
    reasons: List[Dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class Review:
    """A game with the loss of every move."""

    game: str
    #: The position before the first move.
    position: str
    #: The names of the sides, the one that began first, and of the players, if they were given.
    sides: List[str]
    players: Optional[List[str]]
    #: The player that valued the positions, and its limit for each.
    reviewer: str
    budget: str
    #: The unit of losses: ``points``, or ``percent`` of the expected result.
    unit: str
    plies: int
    #: The final margin, seen by the side that began; ``None`` if the game is not over.
    result: Optional[int]
    #: Whether all moves are reviewed.
    complete: bool
    moves: List[ReviewedMove]
    #: For each side its ``accuracy`` in percent, ``mean_loss``, ``mistakes`` and others (docs/json.md).
    summary: List[Dict[str, Any]]
    elapsed_ms: float
    picture: Picture = field(default=Picture(), repr=False)
    opening: Optional[str] = None

    def rows(self) -> List[Dict[str, Any]]:
        """A row for each move: ``ply``, ``side``, ``move``, ``value`` before it, ``margin`` before it, ``loss``, ``loss_percent``, ``mark``,
        ``best``, ``pv``."""
        return [
            {
                "ply": move.ply,
                "side": move.to_move,
                "move": move.move,
                "value": move.before.value,
                "margin": move.before.margin,
                "loss": move.loss,
                "loss_percent": move.loss_percent,
                "mark": move.mark,
                "best": move.best,
                "pv": " ".join(move.pv),
            }
            for move in self.moves
        ]

    def table(self) -> Any:
        """The rows as a data frame of pandas or polars, whichever is installed; otherwise a list of dicts."""
        names = ["ply", "side", "move", "value", "margin", "loss", "loss_percent", "mark", "best", "pv"]
        return frame(_columns(names, self.rows()))

    def svg(self) -> Picture:
        """The value of every position as a curve with the marked moves, which a notebook shows."""
        return self.picture

    def _repr_svg_(self) -> str:
        return self.picture


def rows(columns: Dict[str, List[Any]]) -> List[Dict[str, Any]]:
    """Columns by name as a dict for each row."""
    return [dict(zip(columns, values)) for values in zip(*columns.values())]


def frame(columns: Dict[str, List[Any]]) -> Any:
    """A data frame of pandas, or of polars, or a list of dicts, whichever can be had."""
    try:
        import pandas  # type: ignore[import-untyped,unused-ignore]

        return pandas.DataFrame(columns)
    except ImportError:
        pass
    try:
        import polars  # type: ignore[import-not-found,unused-ignore]

        return polars.DataFrame(columns)
    except ImportError:
        return rows(columns)


def _columns(kind: Iterable[str], rows: List[Dict[str, Any]]) -> Dict[str, List[Any]]:
    return {name: [row[name] for row in rows] for name in kind}


def _made(kind: Type[Kind], data: Dict[str, Any], **given: Any) -> Kind:
    """An object of a dataclass from those entries of an object of JSON that it has."""
    names = {one.name for one in fields(kind)}  # type: ignore[arg-type]
    return kind(**{**{name: value for name, value in data.items() if name in names}, **given})


def _proof(data: Optional[Dict[str, int]]) -> Optional[Proof]:
    return Proof(data["lower"], data["upper"]) if data else None


def analysis(text: str, actions: Dict[str, int]) -> Analysis:
    """An `Analysis` from the JSON of ``banyan analyse --json`` and the action of each legal move."""
    data = json.loads(text)
    moves = [_made(AnalysedMove, move, proof=_proof(move.get("proof")), action=actions.get(move["move"])) for move in data["moves"]]
    return _made(Analysis, data, moves=moves, proof=_proof(data.get("proof")))


def _valuation(data: Dict[str, Any]) -> Valuation:
    return _made(Valuation, data, proof=_proof(data.get("proof")))


def review(text: str, picture: str) -> Review:
    """A `Review` from the JSON of ``banyan review --json`` and the picture of ``--svg``."""
    data = json.loads(text)
    moves = [_made(ReviewedMove, move, before=_valuation(move["before"]), after=_valuation(move["after"])) for move in data["moves"]]
    return _made(Review, data, moves=moves, picture=Picture(picture))


def solved(text: str) -> Solved:
    """A `Solved` from the JSON of ``banyan solve --json``."""
    data = json.loads(text)
    return _made(Solved, data, moves=[_made(SolvedMove, move) for move in data["moves"]])


def game(text: str) -> Dict[str, Any]:
    """The record of a game."""
    record: Dict[str, Any] = json.loads(text)
    return record
