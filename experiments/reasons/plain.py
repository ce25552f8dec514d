"""The rules of the three games, written as plainly as possible: they share nothing with the engine and check what it claims."""

import functools


class ConnectFour:
    """Cells are (column, row), from 0 at the bottom left; sides are 0 and 1; a move is the number of a column, from 1, as text."""

    SPEC, COLUMNS, ROWS = "connect-four", 7, 6

    def __init__(self, stones=None, mover=0):
        self.stones, self.mover = dict(stones or {}), mover

    @classmethod
    def parse(cls, text):
        rows, side = text.split()
        game = cls(mover="xo".index(side))
        for row, line in zip(range(cls.ROWS - 1, -1, -1), rows.split("/")):
            column = 0
            for sign in line:
                if sign.isdigit():
                    column += int(sign)
                else:
                    game.stones[column, row] = "xo".index(sign)
                    column += 1
        return game

    def text(self):
        lines = []
        for row in range(self.ROWS - 1, -1, -1):
            line, run = "", 0
            for column in range(self.COLUMNS):
                if (column, row) in self.stones:
                    line += (str(run) if run else "") + "xo"[self.stones[column, row]]
                    run = 0
                else:
                    run += 1
            lines.append(line + (str(run) if run else ""))
        return "/".join(lines) + " " + "xo"[self.mover]

    def landing(self, column):
        free = [row for row in range(self.ROWS) if (column, row) not in self.stones]
        return (column, free[0]) if free else None

    def completes(self, cell, side):
        """Whether a stone of `side` on `cell` is part of four in a line."""
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            run = 1
            for sign in (1, -1):
                x, y = cell[0] + sign * dx, cell[1] + sign * dy
                while self.stones.get((x, y)) == side:
                    run, x, y = run + 1, x + sign * dx, y + sign * dy
            if run >= 4:
                return True
        return False

    def winner(self):
        for cell, side in self.stones.items():
            if self.completes(cell, side):
                return side
        return None

    def moves(self):
        if self.winner() is not None:
            return []
        return [str(column + 1) for column in range(self.COLUMNS) if self.landing(column)]

    def play(self, mv):
        cell = self.landing(int(mv) - 1)
        assert mv in self.moves(), (self.text(), mv)
        return type(self)({**self.stones, cell: self.mover}, 1 - self.mover)

    def is_over(self):
        return not self.moves()

    def margin(self):
        """The final margin, seen by side 0."""
        winner = self.winner()
        if winner is None:
            return 0
        points = 1 + (self.COLUMNS * self.ROWS - len(self.stones)) // 2
        return points if winner == 0 else -points

    def wins(self, side):
        """The cells on which a stone of `side` would land now and complete four."""
        landings = [self.landing(column) for column in range(self.COLUMNS)]
        return [cell for cell in landings if cell and self.completes(cell, side)]

    def threats(self, side):
        """The free cells that complete four for `side`."""
        cells = [(column, row) for column in range(self.COLUMNS) for row in range(self.ROWS)]
        return [cell for cell in cells if cell not in self.stones and self.completes(cell, side)]


def cell_name(cell):
    return "abcdefgh"[cell[0]] + str(cell[1] + 1)


class Reversi:
    """Squares are (column, row), from 0 at the top left; side 0 is black."""

    SPEC, SIZE = "reversi", 8

    def __init__(self, discs=None, mover=0):
        self.discs, self.mover = dict(discs or {}), mover

    @classmethod
    def start(cls):
        return cls({(3, 3): 1, (4, 4): 1, (4, 3): 0, (3, 4): 0})

    @classmethod
    def parse(cls, text):
        rows, side = text.split()[:2]
        game = cls(mover="xo".index(side))
        for row, line in enumerate(rows.split("/")):
            column = 0
            for sign in line:
                if sign.isdigit():
                    column += int(sign)
                else:
                    game.discs[column, row] = "xo".index(sign)
                    column += 1
        return game

    def text(self):
        lines = []
        for row in range(self.SIZE):
            line, run = "", 0
            for column in range(self.SIZE):
                if (column, row) in self.discs:
                    line += (str(run) if run else "") + "xo"[self.discs[column, row]]
                    run = 0
                else:
                    run += 1
            lines.append(line + (str(run) if run else ""))
        return "/".join(lines) + " " + "xo"[self.mover]

    def turned(self, square, side):
        if square in self.discs:
            return []
        found = []
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                run, x, y = [], square[0] + dx, square[1] + dy
                while (dx or dy) and self.discs.get((x, y)) == 1 - side:
                    run.append((x, y))
                    x, y = x + dx, y + dy
                if run and self.discs.get((x, y)) == side:
                    found += run
        return found

    def placements(self, side):
        squares = [(column, row) for row in range(self.SIZE) for column in range(self.SIZE)]
        return [square for square in squares if self.turned(square, side)]

    def is_over(self):
        return not self.placements(0) and not self.placements(1)

    def moves(self):
        if self.is_over():
            return []
        return [square_name(square) for square in self.placements(self.mover)] or ["pass"]

    def play(self, mv):
        assert mv in self.moves(), (self.text(), mv)
        if mv == "pass":
            return type(self)(self.discs, 1 - self.mover)
        square = square_of(mv)
        changed = {place: self.mover for place in [square, *self.turned(square, self.mover)]}
        return type(self)({**self.discs, **changed}, 1 - self.mover)

    def margin(self):
        owners = list(self.discs.values())
        difference, empty = owners.count(0) - owners.count(1), self.SIZE**2 - len(owners)
        return difference + (empty if difference > 0 else -empty if difference < 0 else 0)

    def region(self, square):
        """The empty squares connected with `square`, across corners too."""
        found, queue = {square}, [square]
        while queue:
            x, y = queue.pop()
            for place in [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]:
                on_board = 0 <= place[0] < self.SIZE and 0 <= place[1] < self.SIZE
                if on_board and place not in self.discs and place not in found:
                    found.add(place)
                    queue.append(place)
        return found

    def anchored(self, side):
        """The discs of `side` joined to a corner of its own along an edge without a gap."""
        last, found = self.SIZE - 1, set()
        for corner in [(0, 0), (0, last), (last, 0), (last, last)]:
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                x, y = corner
                while self.discs.get((x, y)) == side:
                    found.add((x, y))
                    x, y = x + dx, y + dy
        return found


def square_name(square):
    return "abcdefgh"[square[0]] + str(square[1] + 1)


def square_of(name):
    return "abcdefgh".index(name[0]), int(name[1:]) - 1


class DotsAndBoxes:
    """Edges are names such as h0,1; boxes are (row, column)."""

    SPEC, SIZE = "dots-and-boxes", 5

    def __init__(self, drawn=frozenset(), mover=0, scored=(0, 0)):
        self.drawn, self.mover, self.scored = frozenset(drawn), mover, tuple(scored)

    @classmethod
    @functools.cache
    def edges(cls):
        n = cls.SIZE
        horizontal = [f"h{row},{column}" for row in range(n + 1) for column in range(n)]
        return horizontal + [f"v{row},{column}" for row in range(n) for column in range(n + 1)]

    @classmethod
    def boxes(cls):
        return [(row, column) for row in range(cls.SIZE) for column in range(cls.SIZE)]

    @classmethod
    def sides(cls, box):
        row, column = box
        return [f"h{row},{column}", f"h{row + 1},{column}", f"v{row},{column}", f"v{row},{column + 1}"]

    @classmethod
    @functools.cache
    def beside(cls, edge):
        return [box for box in cls.boxes() if edge in cls.sides(box)]

    @classmethod
    def parse(cls, text):
        edges, side, *score = text.split()
        signs = edges.replace("/", "")
        drawn = [edge for edge, sign in zip(cls.edges(), signs) if sign == "1"]
        return cls(drawn, "xo".index(side), map(int, score[0].split("-")) if score else (0, 0))

    def text(self):
        signs = "".join("1" if edge in self.drawn else "0" for edge in self.edges())
        n, lines = self.SIZE, []
        for length in [n] * (n + 1) + [n + 1] * n:
            lines.append(signs[:length])
            signs = signs[length:]
        return "/".join(lines) + " " + "xo"[self.mover] + " %d-%d" % self.scored

    def left(self, box):
        return [edge for edge in self.sides(box) if edge not in self.drawn]

    def moves(self):
        return [edge for edge in self.edges() if edge not in self.drawn]

    def is_over(self):
        return not self.moves()

    def closed_by(self, edge):
        return [box for box in self.beside(edge) if self.left(box) == [edge]]

    def play(self, edge):
        assert edge not in self.drawn, edge
        n, scored = len(self.closed_by(edge)), list(self.scored)
        scored[self.mover] += n
        return type(self)(self.drawn | {edge}, self.mover if n else 1 - self.mover, scored)

    def margin(self):
        return self.scored[0] - self.scored[1]

    def takeable(self):
        """The number of boxes that can be taken one after another, and the position after that."""
        game, n = self, 0
        while True:
            box = next((box for box in self.boxes() if len(game.left(box)) == 1), None)
            if box is None:
                return n, game
            edge = game.left(box)[0]
            n += len(game.closed_by(edge))
            game = game.play(edge)

    def is_quiet(self):
        return all(len(self.left(box)) != 1 for box in self.boxes())

    def safe(self):
        """The edges that close no box and put none on offer."""
        return [edge for edge in self.moves() if all(len(self.left(box)) > 2 for box in self.beside(edge))]

    def neighbours(self, box):
        return [other for edge in self.left(box) for other in self.beside(edge) if other != box]

    def string(self, box):
        """The boxes of two undrawn edges connected with `box`, one of them."""
        found, queue = {box}, [box]
        while queue:
            for other in self.neighbours(queue.pop()):
                if len(self.left(other)) == 2 and other not in found:
                    found.add(other)
                    queue.append(other)
        return found

    def strings(self):
        """Chains and loops of a quiet position: the boxes, and whether it is a loop."""
        found, seen = [], set()
        for box in self.boxes():
            if len(self.left(box)) == 2 and box not in seen:
                string = self.string(box)
                seen |= string
                edges = {edge for one in string for edge in self.left(one)}
                found.append((string, len(edges) == len(string)))
        return found
