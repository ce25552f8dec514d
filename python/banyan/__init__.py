"""Connect Four, Reversi, and Dots and Boxes: rules, searches, exact values and matches.

    >>> import banyan
    >>> game = banyan.Game("connect-four:6x7")
    >>> position = game.after("d d c")
    >>> analysis = position.analyse("mcgs", "playouts=1000")
    >>> analysis.best in position.legal_moves
    True

Positions do not change: ``play`` and ``undo`` return others. Searches release the lock of the interpreter, and end on Ctrl-C. What goes wrong
is a `BanyanError`, whose text is what was found, what was expected and what to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._banyan import BanyanError, Game, Position, __version__, games
from .folders import MatchResult, play_match, play_sweep, read
from .results import AnalysedMove, Analysis, Picture, Proof, Review, ReviewedMove, Solved, SolvedMove, Valuation

if TYPE_CHECKING:
    from ._banyan import Array as Array

__all__ = [
    "AnalysedMove",
    "Analysis",
    "BanyanError",
    "Game",
    "MatchResult",
    "Picture",
    "Position",
    "Proof",
    "Review",
    "ReviewedMove",
    "Solved",
    "SolvedMove",
    "Valuation",
    "__version__",
    "games",
    "play_match",
    "play_sweep",
    "read",
]
