"""The page's server: floods of malformed requests, viewers that connect and leave, and many that play levels while one imports large
files. It lives, answers, ends the searches that nobody watches, does not grow, and lets no level wait."""

from __future__ import annotations

import base64
import json
import os
import re
import signal
import socket
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from harness import Ended, Trials, start_process

GAMES = ["connect-four", "connect-four:10x11,hole=d3", "reversi", "reversi:4x4", "dots-and-boxes", "dots-and-boxes:2x2"]
PLAYERS = ["best", "uct", "mcgs", "pvs", "solver", "random", "uct:threads=2", "vote:uct+pvs"]
WRONG = ["", "x", "uct:threads=9999", "uct:memory-mib=65536", "pvs:eval=/etc/passwd", "./x.so", "uct:pad=10000", "human", "uct:", "vote:"]
PATHS = ["state", "edit", "analysis", "move", "solve", "import", "review", "export/svg", "matches", "sweeps", "about", "none",
         "analysis/x/tree", "matches/../x", "matches/x/events", "matches/x/games/1.2"]
FIELDS = ["game", "position", "moves", "cells", "to_move", "spot", "player", "players", "budget", "seed", "keep", "text", "base64",
          "name", "pairs", "vary", "against", "openings", "structure"]
# Limits of one search, and of the number of kept trees and searches.
MIB, SESSIONS, SEARCHES = 16, 4, 4
OPTIONS = ["--port", "0", "--threads", "2", "--memory-mib", str(MIB), "--sessions", str(SESSIONS), "--searches", str(SEARCHES)]
# MiB that the process may use beyond its trees and running searches, after any number of requests.
ALLOWANCE = 64.0
# Viewers of one trial, and requests of one flood.
VIEWERS, FLOOD = 200, 300
# Viewers who play levels, their moves, and the seconds that they think; meanwhile files are imported one after the
# other.
PEOPLE, MOVES, THINKING, IMPORTS = 200, 8, (1.0, 3.0), 10
# Bytes of an import, maximum MiB of the server while they play, and maximum seconds for the move of a level.
LARGEST, MOST_MIB, LATE = 6 << 20, 400, 1.0
# Seconds within which an answer arrives, and within which searches without viewers end on a busy machine.
PATIENCE, END = 20.0, 3.0


def run(trials: Trials) -> None:
    folder = trials.out / "serve-folder"
    folder.mkdir(parents=True, exist_ok=True)
    server = Server(trials.banyan, folder)
    slowest = highest = 0.0
    moves: list[float] = []

    def trial(trials: Trials, rng: Random, _folder: Path) -> None:
        nonlocal slowest, highest
        trials.n_runs += 1
        if not server.lives():
            server.start()
        kind = rng.choice([flood, viewers, garbage, unread, levels])
        problem = kind(server, rng) or server.problem()
        moves.extend(server.moves)
        server.moves.clear()
        slowest, highest = max(slowest, server.rested), max(highest, server.resident())
        if problem:
            trials.fail(problem, what=kind.__name__, stderr=server.stderr())
            server.kill()

    trials.each(trial)
    ended = server.stop()
    trials.check(ended)
    trials.note = f"at most {highest:.1f} MiB; without viewers at rest within {slowest:.2f} s"
    if moves:
        moves.sort()
        trials.note += f"; {len(moves)} moves of levels within {moves[-1]:.2f} s, half of them {moves[len(moves) // 2]:.3f} s"


class Server:
    def __init__(self, banyan: list[str], folder: Path, options: list[str] = OPTIONS) -> None:
        self.banyan, self.folder, self.options, self.rested = banyan, folder, options, 0.0
        # Seconds taken by the moves of levels.
        self.moves: list[float] = []
        self.start()

    def start(self) -> None:
        self.killed = False
        self.args = self.banyan + ["serve", *self.options, "--dir", str(self.folder / "matches")]
        self.errors = open(self.folder / "err", "wb")
        self.process = start_process(self.args, self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors)
        url = self.process.stdout.readline().decode()
        self.port = int(re.search(r":(\d+)/", url).group(1))
        self.threads = self.status("Threads")

    def lives(self) -> bool:
        return self.process.poll() is None

    def stderr(self) -> bytes:
        return (self.folder / "err").read_bytes()

    def status(self, name: str) -> int:
        found = re.search(rf"^{name}:\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text(), re.M)
        return int(found.group(1)) if found else 0

    def resident(self) -> float:
        return self.status("VmRSS") / 1024 if self.lives() else 0.0

    def cpu(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def problem(self) -> str | None:
        """What is wrong with the server after its viewers have left."""
        if not self.lives():
            return "the server ended"
        if b"panicked at" in self.stderr():
            return "panic"
        try:
            answer = self.ask(b"GET /api/about HTTP/1.0\r\nHost: localhost\r\n\r\n")
        except OSError:
            return "no answer"
        if not answer.startswith(b"HTTP/1.0 200"):
            return "no answer"
        if not self.rests():
            return "searches that nobody watches go on"
        if self.resident() > (SESSIONS + SEARCHES) * MIB * 2 + ALLOWANCE:
            return "the server grows"
        return None

    def rests(self) -> bool:
        """Waits until the process does nothing: for a tenth of a second, so that it is sure."""
        start = time.monotonic()
        while time.monotonic() < start + END:
            before = self.cpu()
            time.sleep(0.1)
            if self.cpu() - before <= 0.02:
                self.rested = max(0.0, time.monotonic() - start - 0.1)
                return True
        return False

    def ask(self, request: bytes, patience: float = PATIENCE) -> bytes:
        with self.connect() as stream:
            stream.settimeout(patience)
            stream.sendall(request)
            return read_all(stream)

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def kill(self) -> None:
        self.killed = True
        self.process.kill()
        self.process.wait()

    def stop(self) -> Ended:
        start = time.monotonic()
        if self.lives():
            self.process.terminate()
        try:
            code = self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            code = None
        return Ended(self.args, code, b"", self.stderr(), time.monotonic() - start, frozenset([signal.SIGTERM, signal.SIGKILL] if self.killed else [signal.SIGTERM]))


def read_all(stream: socket.socket) -> bytes:
    pieces = []
    while piece := stream.recv(65536):
        pieces.append(piece)
    return b"".join(pieces)


def request(path: str, body: bytes, version: str = "1.0") -> bytes:
    return f"POST /api/{path} HTTP/{version}\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def each(number: int, threads: int, work, rng: Random) -> None:
    """Does work many times on several threads, each time with a generator of its own; connections that break are no failure."""

    def guarded(seed: int) -> None:
        try:
            work(Random(seed))
        except OSError:
            pass

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(guarded, [rng.randrange(1 << 48) for _ in range(number)]))


def value(rng: Random, depth: int = 0) -> object:
    text = rng.choice(GAMES + PLAYERS + WRONG + ["4", "f5", "h0,0", "7/7/7/7/7/7 x", "nodes=5", "1ms", "c=0.1..1/3", "é\0", "a" * 500])
    simple = [None, True, 0, -1, 1 << 70, 0.5, text, text, [text, text], [], [""], [[]]]
    if depth < 2 and rng.random() < 0.3:
        return {rng.choice(FIELDS): value(rng, depth + 1) for _ in range(rng.randrange(6))}
    return rng.choice(simple)


def body(rng: Random) -> bytes:
    fields = {rng.choice(FIELDS): value(rng) for _ in range(rng.randrange(8))}
    if rng.random() < 0.5:
        fields["spot"] = {"game": rng.choice(GAMES), "moves": value(rng)}
    # Requests that are valid by chance end soon.
    fields["budget"] = rng.choice(["1ms", "nodes=5+1ms", "x"])
    fields["pairs"] = rng.choice([0, -1, "x"])
    text = json.dumps(fields).encode()
    return text[: rng.randrange(len(text))] if rng.random() < 0.2 else text


def unread(server: Server, rng: Random) -> str | None:
    """Analyses that nobody reads keep no other from beginning."""

    def ask(query: dict) -> bytes:
        found = re.search(rb'"id":"(\w+)"', server.ask(request("analysis", json.dumps(query).encode())))
        return found.group(1) if found else b""

    query = {"spot": {"game": rng.choice(GAMES)}, "player": "uct"}
    each(200, 8, lambda _: ask(query), rng)
    begun = ask({**query, "budget": "playouts=10"})
    events = server.ask(b"GET /api/analysis/" + begun + b" HTTP/1.0\r\nHost: localhost\r\n\r\n")
    return None if b"event: done" in events else "an analysis that somebody reads does not begin"


def large_file(rng: Random) -> bytes:
    """The body of an import as large as may be: lines that are refused, or games of which the first are read."""
    kind = rng.choice(["lines", "moves", "ggf", "wthor", "record"])
    if kind == "wthor":
        n = (LARGEST * 3 // 4 - 200) // 68
        header = bytes(4) + n.to_bytes(4, "little") + bytes(8)
        games = (bytes(8) + bytes([56, 66]) + bytes(58)) * n
        return json.dumps({"base64": base64.b64encode(header + games).decode(), "name": "x.wtb"}).encode()
    ggf = "(;GM[Othello]PC[NBoard]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[F6];)\n"
    record = ('{"v":1,"event":"game_end","pair":0,"game":0,"spec":"connect-four","opening":0,"opening_plies":0,"players":["a","b"],"seats":[0,1],'
              '"seeds":[1,2],"moves":"4 4 4","margin":0,"winner":"draw","ending":"finished","time_us":[' + ",".join("1" * 300) + '],"at_ms":1}\n')
    line = {"lines": "4\n", "moves": "4453\n" * 30, "ggf": ggf, "record": record}[kind]
    most = {"moves": 199_000 // 30}.get(kind, 1 << 30)
    n = min((LARGEST - 100) // len(json.dumps(line)), most)
    return json.dumps({"text": line * n}).encode()


def levels(small: Server, rng: Random) -> str | None:
    """Viewers who play levels while one imports the largest files, on a server with the usual limits, under which all levels play."""
    folder = small.folder / "levels"
    folder.mkdir(exist_ok=True)
    server = Server(small.banyan, folder, ["--port", "0"])
    try:
        return levels_on(server, rng)
    finally:
        small.moves += server.moves
        server.stop()


def levels_on(server: Server, rng: Random) -> str | None:

    def move(query: dict) -> str | None:
        """The move of a level; the connection is that of a browser, which takes the events as they come."""
        start = time.monotonic()
        answer = server.ask(request("move", json.dumps(query).encode()))
        server.moves.append(time.monotonic() - start)
        found = re.search(rb'event: done\s+data: (.*)', answer)
        if not found:
            raise ValueError(answer[:500].decode(errors="replace"))
        return json.loads(found.group(1))["best"]

    def play(seed: int) -> str | None:
        rng = Random(seed)
        moves: list[str] = []
        spot = {"game": rng.choice(["connect-four", "reversi", "dots-and-boxes"]), "moves": moves}
        time.sleep(rng.uniform(0, THINKING[1]))
        for _ in range(MOVES):
            try:
                best = move({"spot": spot, "player": f"level-{rng.randint(1, 10)}", "budget": "1s", "seed": rng.randrange(1 << 30)})
            except (OSError, ValueError) as err:
                return f"a level did not move: {err}"
            if best is None:
                break
            moves.append(best)
            server.ask(request("state", json.dumps(spot).encode()))
            time.sleep(rng.uniform(*THINKING))
        return None

    def send_files(rng: Random) -> str | None:
        for _ in range(IMPORTS):
            # On a busy machine a large file takes long, which viewers must not notice.
            answer = server.ask(request("import", large_file(rng)), patience=6 * PATIENCE)
            if not re.match(rb"HTTP/1.0 (200|400) ", answer):
                return f"an import was answered by {answer[:200].decode(errors='replace')}"
        return None

    with ThreadPoolExecutor(PEOPLE + 1) as pool:
        sent = pool.submit(send_files, Random(rng.randrange(1 << 48)))
        played = pool.map(play, [rng.randrange(1 << 48) for _ in range(PEOPLE)])
        problem = next((problem for problem in [*played, sent.result()] if problem), None)
    if problem:
        return problem
    if server.lives() and server.status("VmHWM") > MOST_MIB * 1024:
        return f"the server took {server.status('VmHWM') >> 10} MiB"
    late = max(server.moves, default=0.0)
    return f"a level moved within {late:.2f} s" if late > LATE else None


def flood(server: Server, rng: Random) -> None:
    """Requests with JSON of any kind to every path."""

    def work(rng: Random) -> None:
        server.ask(request(rng.choice(PATHS), body(rng)))

    each(FLOOD, 8, work, rng)


def garbage(server: Server, rng: Random) -> None:
    """Bytes that are no request, or end too early, or claim to be longer than they are."""

    def work(rng: Random) -> None:
        with server.connect() as stream:
            head = rng.choice([b"", b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"POST /api/state HTTP/1.1\r\nContent-Length: 999999999\r\n\r\n",
                               b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n", b"POST /api/import HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"])
            stream.sendall(head + rng.randbytes(rng.randrange(2000)))
            if rng.random() < 0.5:
                stream.shutdown(socket.SHUT_WR)
                read_all(stream)

    each(FLOOD, 8, work, rng)


def viewers(server: Server, rng: Random) -> None:
    """Viewers who begin an analysis, look for a moment and leave without a word."""

    def work(rng: Random) -> None:
        spot = {"game": rng.choice(GAMES)}
        query = {"spot": spot, "player": rng.choice(PLAYERS), "keep": rng.choice(["", "one", str(rng.random())])}
        answer = server.ask(request("analysis", json.dumps(query).encode()))
        found = re.search(rb'"id":"(\w+)"', answer)
        if not found:
            return
        with server.connect() as stream:
            stream.sendall(b"GET /api/analysis/" + found.group(1) + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
            stream.settimeout(rng.choice([0.01, 0.2]))
            stream.recv(4096)

    each(VIEWERS, 32, work, rng)
