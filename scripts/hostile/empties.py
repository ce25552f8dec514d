"""The page's server with an empty list, text, object or null as every part of every JSON body: it answers, and lives."""

from __future__ import annotations

import copy
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from harness import Trials
from serve import Server, request

# Seconds until a match of the page has ended.
ENDS = 10.0
EMPTY = [[], "", {}, None, [[]], [""], [None], 0, False, [[], []], {"": []}]
SPOT = {"game": "connect-four:4x4", "position": "4/4/4/4 x", "moves": "1 2"}
# A correct body of every request; all of them end soon.
BODIES: dict[str, dict] = {
    "state": SPOT,
    "edit": {"game": "connect-four:4x4", "cells": "..../..../..../XO..", "to_move": 0},
    "export/svg": {**SPOT, "structure": True},
    "import": {"text": "4 4 3", "name": "a.txt", "game": "connect-four:4x4"},
    "analysis": {"spot": SPOT, "player": "uct", "budget": "1ms", "seed": 1, "keep": "one"},
    "move": {"spot": SPOT, "player": "uct", "budget": "1ms", "seed": 1, "keep": "one"},
    "solve": {"spot": SPOT, "budget": "nodes=50"},
    "review": {"spot": SPOT, "player": "uct", "budget": "1ms", "players": ["one", "other"]},
    "matches": {"game": "connect-four:4x4", "players": ["random", "greedy"], "pairs": 1, "budget": "playouts=5", "openings": "none", "seed": 1,
                "gauntlet": False},
    "sweeps": {"game": "connect-four:4x4", "player": "uct", "vary": ["c=0.1..1/3", "fpu=0..1/3"], "against": "random", "pairs": 1,
               "budget": "playouts=5", "openings": "none", "seed": 1},
}


def run(trials: Trials) -> None:
    folder = trials.out / "empties-folder"
    folder.mkdir(parents=True, exist_ok=True)
    server = Server(trials.banyan, folder)
    bodies = list(all_bodies())
    Random(f"{trials.seed} empties").shuffle(bodies)

    def trial(trials: Trials, rng: Random, _folder: Path) -> None:
        trials.n_runs += 1
        if not server.lives():
            server.start()
        n_errors = len(server.stderr())
        # Each part alone, and then two or three at once.
        path, body = bodies[trials.number] if trials.number < len(bodies) else damaged(rng)
        details = {"path": path, "body": body}
        try:
            answer = server.ask(request(path, json.dumps(body).encode()))
        except OSError as error:
            trials.fail(f"{path}: no answer", error=str(error), stderr=server.stderr(), **details)
            server.kill()
            return
        status = re.match(rb"HTTP/1\.[01] (\d+)", answer)
        code = int(status.group(1)) if status else 0
        if b"panicked at" in server.stderr()[n_errors:]:
            trials.fail(f"{path}: panic", answer=answer, stderr=server.stderr()[n_errors:], **details)
        elif not server.lives():
            trials.fail(f"{path}: the server ended", answer=answer, stderr=server.stderr(), **details)
        elif code == 0 or code >= 500 and code != 503:
            trials.fail(f"{path}: status {code}", answer=answer, **details)
        elif code >= 400 and not is_json(answer):
            trials.fail(f"{path}: an error that is no JSON", answer=answer, **details)
        elif path in ("matches", "sweeps") and code == 202:
            look_at(trials, server, answer, details)

    trials.each(trial)
    trials.check(server.stop())
    trials.note = f"{len(bodies)} bodies with one empty part"


def look_at(trials: Trials, server: Server, answer: bytes, details: dict) -> None:
    """Waits for the end of a match that the server accepted, and reads all that is shown of it."""
    found = re.search(rb'"id":"([^"]+)"', answer)
    name = found.group(1).decode() if found else ""
    deadline = time.monotonic() + ENDS
    while b'"state":"running"' in server.ask(get(f"/api/matches/{name}")) and time.monotonic() < deadline:
        time.sleep(0.02)
    if b"panicked at" in server.stderr():
        trials.fail(f"{details['path']}: panic", stderr=server.stderr(), **details)
        server.kill()
        return
    for path in (f"/api/matches/{name}", f"/api/matches/{name}/games", "/api/matches"):
        try:
            shown = server.ask(get(path))
        except OSError as error:
            shown = str(error).encode()
        if not re.match(rb"HTTP/1\.[01] 200", shown):
            trials.fail(f"{details['path']}: accepted, but cannot be shown", shown=shown, stderr=server.stderr(), **details)
            return


def get(path: str) -> bytes:
    return f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode()


def is_json(answer: bytes) -> bool:
    try:
        return isinstance(json.loads(answer.partition(b"\r\n\r\n")[2]), dict)
    except ValueError:
        return False


def all_bodies() -> Iterator[tuple[str, object]]:
    """Every body with one empty part."""
    for path, body in BODIES.items():
        for empty in EMPTY:
            yield path, empty
            for place in places(body):
                yield path, with_part(body, place, empty)


def damaged(rng: Random) -> tuple[str, object]:
    """A body with two or three empty parts."""
    path, body = rng.choice(list(BODIES.items()))
    result: object = body
    for place in rng.sample(list(places(body)), 2):
        try:
            result = with_part(result, place, rng.choice(EMPTY))
        except (KeyError, IndexError, TypeError):
            continue  # It was in a part that is empty now.
    return path, result


def places(body: object, at: tuple = ()) -> Iterator[tuple]:
    """The places of all parts."""
    parts = body.items() if isinstance(body, dict) else enumerate(body) if isinstance(body, list) else ()
    for name, part in parts:
        yield (*at, name)
        yield from places(part, (*at, name))


def with_part(body: object, place: tuple, part: object) -> object:
    body = copy.deepcopy(body)
    inner = body
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = part
    return body
