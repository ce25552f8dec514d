"""Matches, and the folders that the command and this package write, as tables."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import weakref
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

from . import _banyan
from .results import Picture, frame, rows

Path = Union[str, "os.PathLike[str]"]


class MatchResult:
    """The games of a match, sweep, ablation, tuning, rating or ladder, as they were in its folder when it was read."""

    def __init__(self, path: Path) -> None:
        self._folder = _banyan.Folder(os.fspath(path))

    @property
    def path(self) -> str:
        """The folder."""
        return str(self._folder.path)

    @property
    def result(self) -> Dict[str, Any]:
        """The result, as the command writes it to its JSON file (docs/json.md): for a match ``players`` and ``pairings`` with intervals."""
        result: Dict[str, Any] = json.loads(self.text(".json"))
        return result

    def records(self) -> List[Dict[str, Any]]:
        """The record of each game (docs/json.md), in the order of pairs."""
        return [json.loads(line) for line in self._folder.game_lines()]

    def game_rows(self) -> List[Dict[str, Any]]:
        """A row for each game.

        ``pair`` and ``game`` (0 or 1) name it; ``board``; ``opening``, the number of its opening; ``first`` and ``second``, the players;
        ``winner``, the name of one or ``None``; ``margin``, the final margin in points seen by the first side; ``ending``; ``plies``;
        ``first_ms`` and ``second_ms``, thinking time; ``moves``.
        """
        return rows(self._folder.columns("games"))

    def pair_rows(self) -> List[Dict[str, Any]]:
        """A row for each pair of games with the same opening: ``pair``, ``opening``, the names of two players as ``player`` and ``opponent``,
        and the ``points`` of the first of them in both games, 0 to 2."""
        return rows(self._folder.columns("pairs"))

    def move_rows(self) -> List[Dict[str, Any]]:
        """A row for each move that a player chose: ``pair``, ``game``, ``ply`` from 1, ``player``, ``move``, ``value`` for the mover from -1
        to 1, ``playouts``, ``nodes``, ``time_us`` in microseconds. What a record lacks is ``None``."""
        return rows(self._folder.columns("moves"))

    def games(self) -> Any:
        """`game_rows` as a data frame of pandas or polars, whichever is installed; otherwise a list of dicts."""
        return frame(self._folder.columns("games"))

    def pairs(self) -> Any:
        """`pair_rows`, as `games`."""
        return frame(self._folder.columns("pairs"))

    def moves(self) -> Any:
        """`move_rows`, as `games`."""
        return frame(self._folder.columns("moves"))

    def text(self, ending: str = ".md") -> str:
        """The result in the form of a file with this ending, the same as `banyan ... --export`: ``.md``, ``.csv`` (a row for each pairing),
        ``.games.csv``, ``.pairs.csv`` and ``.moves.csv`` (a row for each), ``.table.csv`` (the first table), ``.json``, ``.html``, ``.svg``."""
        return self._folder.export_text(f"result{ending}")

    def svg(self) -> Picture:
        """The result as a picture, which a notebook shows: the progress of a match, the curve of a sweep, the ratings of more players."""
        return Picture(self.text(".svg"))

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
    players = list(players)
    return _kept(
        folder,
        lambda path: _banyan.play_match(
            path,
            _game(game),
            players,
            pairs=pairs,
            budget=budget,
            openings=openings,
            seed=seed,
            jobs=jobs,
            gauntlet=gauntlet,
            cpu_time=cpu_time,
            callback=callback,
        ),
    )


def play_sweep(
    game: Union[str, _banyan.Game],
    player: str,
    vary: Union[str, Sequence[str]],
    *,
    against: Optional[str] = None,
    margin: bool = False,
    pairs: int = 200,
    budget: str = "playouts=1000",
    openings: str = "balanced",
    seed: int = 1,
    jobs: int = 1,
    cpu_time: bool = False,
    folder: Optional[Path] = None,
    callback: Optional[Callable[[Dict[str, Any]], Any]] = None,
) -> MatchResult:
    """Plays the values of one setting of a player, or of two, on common openings, as ``banyan sweep``.

    ``vary`` is ``"c=0.2..2/10"`` for ten equal steps, ``"c=0.1..1.6/5:log"`` for equal ratios, ``"c=0.2,0.4,0.8"``, or a list of two of these.
    All values meet ``against``, by default the player without the setting, in ``pairs`` pairs each. ``margin`` measures the final margin
    in points instead of the score. The rest is as for `play_match`.

    The ``result`` has the ``points`` with their means, the ``optimum`` of the fitted curve and a ``conclusion``.
    """
    varied = [vary] if isinstance(vary, str) else list(vary)
    return _kept(
        folder,
        lambda path: _banyan.play_sweep(
            path,
            _game(game),
            player,
            varied,
            against=against,
            margin=margin,
            pairs=pairs,
            budget=budget,
            openings=openings,
            seed=seed,
            jobs=jobs,
            cpu_time=cpu_time,
            callback=callback,
        ),
    )


def _game(game: Union[str, _banyan.Game]) -> _banyan.Game:
    return _banyan.Game(game) if isinstance(game, str) else game


def _kept(folder: Optional[Path], play: Callable[[str], None]) -> MatchResult:
    """Plays into a folder, or into one that lives as long as the result."""
    if folder is not None:
        path = os.fspath(folder)
        play(path)
        return MatchResult(path)
    temporary = tempfile.mkdtemp(prefix="banyan-")
    try:
        path = os.path.join(temporary, "match")
        play(path)
        result = MatchResult(path)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
    weakref.finalize(result, shutil.rmtree, temporary, ignore_errors=True)
    return result


def read(folder: Path) -> MatchResult:
    """The games in a folder of a match, sweep, ablation, tuning, rating or ladder, by the command or by this package."""
    return MatchResult(folder)
