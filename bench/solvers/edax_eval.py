#!/usr/bin/env python3
"""Write weights for the evaluation of Edax 4.6 (github.com/abulmo/edax-reversi), which has none in its sources: `edax_eval.py FILE`.

They are no learned weights: each line counts the squares where the side to move turns discs along it, minus those of the other side, and each corner
region its corner and the squares beside an empty one. So Edax can be measured at all, but with a weaker order of moves than with its own file.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "scripts"))
from python_version import require

require()

import struct
from itertools import product

sys.dont_write_bytecode = True
from command_line import Parser

OWN, OTHER, EMPTY = 0, 1, 2
# Phases of the file, each with all weights.
PHASES = 61
# 1 / 128 discs. Guesses.
MOVE, CORNER, DIAGONAL, BESIDE = 70, 900, -350, -120
# How the cells of each kind of pattern are renamed by a reflection, by digits from the last cell on.
CORNER_10 = (9, 8, 7, 6, 4, 5, 3, 2, 1, 0)
CORNER_9 = (0, 2, 1, 4, 3, 5, 7, 6, 8)


def reversed_cells(n_cells):
    return tuple(range(n_cells))[::-1]


def places(line, own, other):
    """Empty cells of a line where a disc of `own` turns some of `other`."""
    n = 0
    for i, cell in enumerate(line):
        if cell != EMPTY:
            continue
        for step in (-1, 1):
            j = i + step
            while 0 <= j < len(line) and line[j] == other:
                j += step
            if abs(j - i) > 1 and 0 <= j < len(line) and line[j] == own:
                n += 1
                break
    return n


def line_value(line):
    return MOVE * (places(line, OWN, OTHER) - places(line, OTHER, OWN))


def corner_value(cells):
    sign = {OWN: 1, OTHER: -1, EMPTY: 0}
    corner, beside, diagonal = cells[0], cells[1:3], cells[3]
    if corner != EMPTY:
        return CORNER * sign[corner]
    return DIAGONAL * sign[diagonal] + BESIDE * sum(sign[cell] for cell in beside)


def edge_value(cells):
    return line_value(cells[1:9])


def packed(n_cells, symmetry, value):
    """The weights of a kind of pattern: one for each pair of reflections, where the first of both is."""
    weights, power = [], [3**i for i in range(n_cells)]
    for number, cells in enumerate(product(range(3), repeat=n_cells)):
        reflected = sum(number // power[symmetry[i]] % 3 * power[i] for i in range(n_cells))
        if reflected >= number:
            weights.append(value(cells))
    return weights


def main():
    parser = Parser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, help="file to write, 14 MB")
    args = parser.parse_args()
    nothing = lambda _cells: 0
    weights = packed(9, CORNER_9, corner_value) + packed(10, CORNER_10, nothing)
    weights += packed(10, reversed_cells(10), edge_value) + packed(10, reversed_cells(10), nothing)
    for n_cells in (8, 8, 8, 8, 7, 6, 5, 4):
        weights += packed(n_cells, reversed_cells(n_cells), line_value)
    weights.append(0)
    if len(weights) != 114364:
        sys.exit(f"{len(weights)} weights: expected 114364")
    header = struct.pack("<4s4s3id", b"XADE", b"LAVE", 3, 2, 5, 0.0)
    phase = struct.pack(f"<{len(weights)}h", *weights)
    args.file.write_bytes(header + phase * PHASES)


if __name__ == "__main__":
    main()
