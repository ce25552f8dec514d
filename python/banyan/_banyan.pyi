from os import PathLike
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, Union

import numpy
import numpy.typing

from .results import Analysis, Review, Solved

__version__: str

Array = numpy.typing.NDArray[numpy.float32]

class BanyanError(ValueError):
    """What was found, what was expected, and what to do, in one line."""

def games() -> List[str]:
    """The names of the games."""

class Game:
    """A game with its board, such as ``Game("connect-four:10x11,hole=d3")``."""

    def __init__(self, spec: str) -> None: ...
    @property
    def spec(self) -> str:
        """The shortest text that names the game and its board."""
    @property
    def sides(self) -> Tuple[str, str]:
        """The names of the sides, the one that begins first."""
    @property
    def max_plies(self) -> int:
        """The most plies that a game can have."""
    @property
    def plane_shape(self) -> Optional[List[int]]:
        """Channels, rows and columns of the planes of a position; ``None`` if the game has none."""
    @property
    def plane_names(self) -> List[str]:
        """The meaning of each channel, seen by the side to move."""
    @property
    def n_actions(self) -> int:
        """The number of outputs of a policy; 0 if the game has no planes."""
    def start(self) -> Position:
        """The first position."""
    def position(self, text: str) -> Position:
        """The position that a line of text describes, in the form of `Position.text`."""
    def after(self, moves: str) -> Position:
        """The position after moves from the start, separated by spaces."""

class Position:
    """A position, with the moves that led to it. It does not change; equal positions of one game are equal."""

    @property
    def game(self) -> Game: ...
    @property
    def to_move(self) -> int:
        """The side to move: 0 for the one that began, or 1."""
    @property
    def legal_moves(self) -> List[str]:
        """The legal moves; empty if the game is over."""
    @property
    def legal_actions(self) -> List[int]:
        """The outputs of a policy that stand for them, in the same order, numbered as the actions of OpenSpiel's game."""
    @property
    def moves(self) -> List[str]:
        """The moves from the first position to this one."""
    @property
    def ply(self) -> int:
        """The number of moves since the start of the game."""
    @property
    def is_over(self) -> bool: ...
    @property
    def result(self) -> Optional[int]:
        """The final margin in points, seen by the side that began: above 0 if it won, 0 for a draw; ``None`` before the end."""
    @property
    def text(self) -> str:
        """The position as one line of text."""
    @property
    def key(self) -> int:
        """Equal for positions that a symmetry of the board maps onto each other, with the same score."""
    def play(self, *moves: Union[str, int]) -> Position:
        """The position after one or more moves, each as text or as one of `legal_actions`."""
    def undo(self, n: int = 1) -> Position:
        """The position ``n`` moves before."""
    def symmetries(self) -> List[Position]:
        """Its images under the symmetries of the board, itself first, without the moves before."""
    def planes(self) -> Array:
        """The position as numbers, ``[channels, rows, columns]``, seen by the side to move; all 0 if the game is over."""
    def svg(self, structure: bool = False) -> str:
        """The board as a picture in SVG; with the structure of the position marked if ``structure``."""
    def analyse(
        self,
        player: str = "best",
        budget: str = "1s",
        *,
        seed: int = 1,
        lines: Optional[int] = None,
        callback: Optional[Callable[[Analysis], Any]] = None,
        evaluator: Optional[Callable[[Array], Union[Any, Tuple[Any, Any]]]] = None,
    ) -> Analysis:
        """Searches the position.

        ``player`` is a preset with settings, such as ``"mcgs:c=0.5"`` or ``"pvs:threads=2"``; ``budget`` is ``"1s"``, ``"playouts=1000"``,
        ``"nodes=1e6"`` or ``"depth=12"``. ``lines`` is the number of moves with a value instead of a bound; all by default.

        ``callback`` is called with the analysis so far, at most ten times in a second; the search ends if it returns False.

        ``evaluator`` is called with planes, ``[n, channels, rows, columns]``, and returns the expected results, ``[n]``, -1 certain loss to 1
        certain win for the side to move, or a tuple of these and a number from 0 on for each output of a policy, ``[n, n_actions]``, of which
        those of legal moves are read and normalised. The player is then a Monte Carlo search, whose setting ``batch`` is the largest ``n``:
        ``"mcgs:batch=64"``.
        """
    def review(
        self,
        player: str = "best",
        budget: str = "500ms",
        *,
        seed: int = 1,
        players: Optional[Sequence[str]] = None,
        callback: Optional[Callable[[Review], Any]] = None,
    ) -> Review:
        """Reviews the game whose `moves` led to this position: what each of them lost, and what was better.

        ``player`` values every position within the ``budget``, from the last one on. ``players`` are the names of the two players, for the
        title. ``callback`` is called with the review so far after each position; the review ends if it returns False.
        """
    def solve(
        self,
        budget: str = "60s",
        *,
        prove: Optional[str] = None,
        threads: int = 1,
        memory_mib: int = 256,
        book: Union[str, PathLike[str], None] = None,
        callback: Optional[Callable[[Analysis], Any]] = None,
    ) -> Solved:
        """Proves the value of the position and of its moves, or bounds of them, within a time, a number of nodes (``"nodes=1e9"``) or both.

        ``prove`` is ``"winner"``, ``"value"``, ``"best"`` (the value and every move that reaches it) or ``"all"`` (the value of every move). By
        default ``"all"``, in Connect Four ``"value"``. ``book`` is a file of exact values that ``banyan book solve`` made, ``"built-in"`` or ``"off"``; by
        default the built-in book, if the game has one. `Solved.book` names the book that has the position.
        """
    def _repr_svg_(self) -> Optional[str]: ...

class Folder:
    def __init__(self, path: Union[str, PathLike[str]]) -> None: ...
    @property
    def path(self) -> Any: ...
    def game_lines(self) -> List[str]: ...
    def columns(self, kind: str) -> Dict[str, List[Any]]: ...
    def export_text(self, name: str) -> str: ...

def play_match(
    folder: Union[str, PathLike[str]],
    game: Game,
    players: Sequence[str],
    *,
    pairs: int,
    budget: str,
    openings: str,
    seed: int,
    jobs: int,
    gauntlet: bool,
    cpu_time: bool,
    callback: Optional[Callable[[Dict[str, Any]], Any]],
) -> None: ...

def play_sweep(
    folder: Union[str, PathLike[str]],
    game: Game,
    player: str,
    vary: Sequence[str],
    *,
    against: Optional[str],
    margin: bool,
    pairs: int,
    budget: str,
    openings: str,
    seed: int,
    jobs: int,
    cpu_time: bool,
    callback: Optional[Callable[[Dict[str, Any]], Any]],
) -> None: ...
