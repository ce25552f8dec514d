"""Matches, and the folders that the command and this package write, as tables."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import weakref
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

from . import _banyan
from .results import frame

Path = Union[str, "os.PathLike[str]"]


class MatchResult:
    """A folder of games: those of a match, sweep, tuning, rating or ladder, also while they are played."""

    def __init__(self, path: Path) -> None:
        self._folder = _banyan.Folder(os.fspath(path))

    @property
    def path(self) -> str:
        """The folder."""
        return str(self._folder.path)

    @property
    def result(self) -> Dict[str, Any]:
        """The result, as the command writes it to its JSON file (docs/json.md): for a match ``players`` and ``pairings`` with intervals."""
        result: Dict[str, Any] = json.loads(self._folder.result_json())
        return result

    def records(self) -> List[Dict[str, Any]]:
        """The record of each game (docs/json.md), in the order of pairs."""
        records = [json.loads(line) for line in self._folder.game_lines()]
        return sorted(records, key=lambda record: (record["pair"], record["game"]))

    def game_rows(self) -> List[Dict[str, Any]]:
        """A row for each game.

        ``pair`` and ``game`` (0 or 1) name it; ``board``; ``opening``, the number of its opening; ``first`` and ``second``, the players;
        ``winner``, the name of one or ``None``; ``margin``, the final margin in points seen by the first side; ``ending``; ``plies``;
        ``first_ms`` and ``second_ms``, thinking time; ``moves``.
        """
        return [_game_row(record) for record in self.records()]

    def pair_rows(self) -> List[Dict[str, Any]]:
        """A row for each pair of games with the same opening: ``pair``, ``opening``, the names of two players as ``player`` and ``opponent``,
        and the points of the first of them in both games, 0 to 2."""
        halves: Dict[int, List[Dict[str, Any]]] = {}
        for record in self.records():
            halves.setdefault(record["pair"], []).append(record)
        return [_pair_row(games) for games in halves.values() if len(games) == 2]

    def move_rows(self) -> List[Dict[str, Any]]:
        """A row for each move that a player chose: ``pair``, ``game``, ``ply`` from 1, ``player``, ``move``, ``value`` for the mover from -1
        to 1, ``playouts``, ``nodes``, ``time_us`` in microseconds. What a record lacks is ``None``."""
        return [row for record in self.records() for row in _move_rows(record)]

    def games(self) -> Any:
        """`game_rows` as a data frame of pandas or polars, whichever is installed; otherwise a list of dicts."""
        return frame(self.game_rows())

    def pairs(self) -> Any:
        """`pair_rows`, as `games`."""
        return frame(self.pair_rows())

    def moves(self) -> Any:
        """`move_rows`, as `games`."""
        return frame(self.move_rows())

    def text(self, ending: str = ".md") -> str:
        """The result in the form of a file with this ending: ``.md``, ``.csv``, ``.json``, ``.html``, the same as `banyan ... --export`."""
        return self._folder.export_text(f"result{ending}")

    def export(self, path: Path) -> None:
        """Writes the result to a file, in the form that its ending names."""
        text = self._folder.export_text(os.fspath(path))
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)

    def __repr__(self) -> str:
        return f"MatchResult({self.path!r})"

    def _repr_markdown_(self) -> str:
        return self.text(".md")


def play_match(
    game: Union[str, _banyan.Game],
    players: Sequence[str],
    *,
    pairs: int = 100,
    budget: str = "100ms",
    openings: str = "balanced",
    seed: int = 1,
    jobs: int = 1,
    gauntlet: bool = False,
    cpu_time: bool = False,
    folder: Optional[Path] = None,
    callback: Optional[Callable[[Dict[str, Any]], Any]] = None,
) -> MatchResult:
    """Plays a match: every opening twice with sides swapped.

    ``players`` are at least two texts such as ``"mcgs"`` or ``"uct:c=0.5@playouts=500"``; ``budget`` is that of players without their own.
    All meet each other, or, with ``gauntlet``, the first one all others. ``jobs`` games are played at a time. ``cpu_time`` counts the time of
    a player's thread, not of the clock. ``callback`` is called with the record of each finished game; an exception of it ends the match.

    With a ``folder`` the match can be interrupted and continued by the same call; without one its games are kept as long as the result.
    """
    options: Dict[str, Any] = {
        "game": _banyan.Game(game) if isinstance(game, str) else game,
        "players": list(players),
        "pairs": pairs,
        "budget": budget,
        "openings": openings,
        "seed": seed,
        "jobs": jobs,
        "gauntlet": gauntlet,
        "cpu_time": cpu_time,
        "callback": callback,
    }
    if folder is not None:
        return _played(os.fspath(folder), options)
    temporary = tempfile.mkdtemp(prefix="banyan-")
    try:
        result = _played(os.path.join(temporary, "match"), options)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    weakref.finalize(result, shutil.rmtree, temporary, ignore_errors=True)
    return result


def _played(path: str, options: Dict[str, Any]) -> MatchResult:
    _banyan.play_match(path, **options)
    return MatchResult(path)


def read(folder: Path) -> MatchResult:
    """The games in a folder of a match, sweep, tuning, rating or ladder, by the command or by `play_match`."""
    return MatchResult(folder)


def _mover(record: Dict[str, Any], i: int) -> int:
    """The side that made move ``i`` after the opening."""
    movers = record.get("movers")
    return int(movers[i]) if movers else (record["opening_plies"] + i) % 2


def _game_row(record: Dict[str, Any]) -> Dict[str, Any]:
    first, second = record["players"]
    times = [0.0, 0.0]
    for i, time in enumerate(record.get("time_us", [])):
        times[_mover(record, i)] += time / 1000
    return {
        "pair": record["pair"],
        "game": record["game"],
        "board": record["spec"],
        "opening": record["opening"],
        "first": first,
        "second": second,
        "winner": {"first": first, "second": second}.get(record["winner"]),
        "margin": record.get("margin"),
        "ending": record["ending"],
        "plies": len(record["moves"].split()),
        "first_ms": times[0],
        "second_ms": times[1],
        "moves": record["moves"],
    }


def _pair_row(games: List[Dict[str, Any]]) -> Dict[str, Any]:
    player, opponent = games[0]["players"]
    points = 0.0
    for side, record in enumerate(games):
        winner = {"first": 0, "second": 1}.get(record["winner"])
        points += 0.5 if winner is None else float(winner == side)
    return {"pair": games[0]["pair"], "opening": games[0]["opening"], "player": player, "opponent": opponent, "points": points}


def _move_rows(record: Dict[str, Any]) -> List[Dict[str, Any]]:
    plies = record["opening_plies"]

    def entry(name: str, i: int) -> Any:
        return record[name][i] if name in record else None

    return [
        {
            "pair": record["pair"],
            "game": record["game"],
            "ply": plies + i + 1,
            "player": record["players"][_mover(record, i)],
            "move": move,
            "value": entry("value", i),
            "playouts": entry("playouts", i),
            "nodes": entry("nodes", i),
            "time_us": entry("time_us", i),
        }
        for i, move in enumerate(record["moves"].split()[plies:])
    ]
