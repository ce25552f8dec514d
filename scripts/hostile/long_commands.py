"""Long commands that write files: how each begins and is resumed, and what its files hold in the end."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random

from harness import Ended, Trials, execute

ENGINE = Path(__file__).with_name("thinking_engine.py")
# Fields of a game that differ from run to run: times, and the checksum of a line with them.
TIMES = ("time_us", "at_ms", "check")
# Seconds that such a command may take if nothing disturbs it, on a busy machine.
DONE = 240.0
OUT = "out"
POSITIONS = """\
XOOOO-O-XOOO-OO-XOOOO-OXXXXXXXO-XXOXXXO-OOOOXOOOOXXXOOOOOX-XXXXO X; E2:-12; F1:-2; H2:-14; F3:-14; H5:-14; H4:-16;
XXXXXX---XXXXXXXXXXXXOXOXXXXOXO-XXOOOOOOXOXOOOXOXXOOOXX-X--O-XXX X; B8:+10; E8:+8; H4:+4; C8:+4;
OOOO-XOOOOOOOOXOOOOXOO-OXXXXXXX-X-XXXXXXXXXXXX--XXXXXX--OOOOOOOO X;
"""


@dataclass(frozen=True)
class LongCommand:
    """A command with its output `out`, a folder or a file of the folder that it runs in."""

    name: str
    begin: list[str]
    resume: list[str]
    # The files in the output that must have the same content in the end; "" is the output itself.
    files: tuple[str, ...]

    @property
    def is_folder(self) -> bool:
        return self.files != ("",)

    def result(self, out: Path) -> dict[str, object]:
        """What the files hold, without times; None where one is missing, or torn."""
        return {name: read_result(out / name if name else out) for name in self.files}


def read_result(path: Path) -> object:
    try:
        data = path.read_bytes()
    except OSError:
        return None
    if path.suffix != ".jsonl":
        return data
    try:
        games = [json.loads(line) for line in data.splitlines()]
        return sorted(json.dumps({name: value for name, value in game.items() if name not in TIMES}, sort_keys=True) for game in games)
    except ValueError:
        return None


def played(name: str, *args: object, files: tuple[str, ...] = ()) -> LongCommand:
    words = [str(arg) for arg in args]
    jobs = words[words.index("--jobs"):][:2]
    return LongCommand(name, [name, *words, "--quiet", "--out", OUT], [name, "--resume", OUT, "--quiet", *jobs], ("games.jsonl", *files))


def repeated(words: list[str], *args: object, files: tuple[str, ...] = ("",)) -> LongCommand:
    """A command that continues when it is given again."""
    line = [*words, *(str(arg) for arg in args), "--out", OUT]
    return LongCommand(" ".join(words), line, line, files)


def all_commands(rng: Random, scale: int = 1) -> dict[str, LongCommand]:
    """The commands in a size that takes about a second, times `scale`, with one of a few seeds."""
    seed, jobs = ["--seed", 1 + rng.randrange(2)], ["--jobs", 1 + rng.randrange(2)]
    board, budget = "connect-four:5x5", ["--budget", "playouts=300"]
    commands = [
        played("match", board, "uct", "uct:c=0.5", "--pairs", 60 * scale, *budget, *seed, *jobs),
        played("sweep", board, "uct", "--vary", "c=0.1..2/4", "--pairs", 15 * scale, *budget, *seed, *jobs, files=("sweep.json",)),
        played("tune", board, "uct", "--vary", "c=0.1..2", "--pairs", 40 * scale, "--confirm", 20 * scale, *budget, *seed, *jobs,
               files=("confirm/games.jsonl", "tune.json")),
        played("rate", board, "uct", "uct:c=0.5", "random", "--pairs", 60 * scale, *budget, *seed, *jobs),
        played("ladder", "uct", "--game", "connect-four:6x7", "--pairs", scale, *budget, *seed, *jobs),
        repeated(["train", board], "--games", 40 * scale, "--epochs", 2, *seed, files=("games.txt", "weights.bin")),
        repeated(["book", "make", "connect-four:6x7"], "--budget", "nodes=20000", "--positions", 60 * scale, *seed),
        repeated(["solve", "reversi"], "--file", "positions.obf"),
        repeated(["openings", "make", "connect-four:6x7"], "--count", 300 * scale, *seed),
    ]
    return {command.name.split()[0]: command for command in commands}


def with_engine(rng: Random) -> dict[str, LongCommand]:
    """The commands that play games, with the engine `thinker`."""
    jobs = ["--jobs", 1 + rng.randrange(2)]
    board, budget = "connect-four:5x5", ["--budget", "playouts=100"]
    commands = [
        played("match", board, "thinker", "uct", "--pairs", 10, *budget, *jobs),
        played("sweep", board, "uct", "--vary", "c=0.1..2/3", "--against", "thinker", "--pairs", 4, *budget, *jobs),
        played("tune", board, "uct", "--vary", "c=0.1..2", "--against", "thinker", "--pairs", 24, "--confirm", 0, *budget, *jobs),
        played("rate", board, "thinker", "uct", "random", "--pairs", 20, *budget, *jobs),
        played("ladder", "thinker", "--game", "connect-four:6x7", "--pairs", 1, *budget, *jobs),
    ]
    return {command.name: command for command in commands}


def prepare(folder: Path, rng: Random) -> str:
    """Fills the folder that a command runs in. Returns the name of the engine's script, which no other process has."""
    # Several hundred positions, so that solving them takes a while.
    (folder / "positions.obf").write_text(POSITIONS * 60)
    script = folder / f"engine-{rng.randrange(10**12)}.py"
    shutil.copy(ENGINE, script)
    # The engine `slow` takes some time for every move.
    (folder / "engines.toml").write_text("".join(
        f'[{name}]\ncommand = {json.dumps([sys.executable, str(script), *delay])}\nprotocol = "ugi"\nstartup = "20s"\nmove = "60s"\n'
        for name, delay in [("thinker", []), ("slow", ["60"])]))
    return script.name


class Undisturbed:
    """The results and the seconds of commands that nothing disturbs, each run once."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[dict[str, object], float]] = {}

    def of(self, trials: Trials, command: LongCommand, folder: Path) -> tuple[dict[str, object], float]:
        """`folder` is prepared, and is left as it is."""
        key = " ".join(command.begin)
        if key not in self.known:
            out = folder / OUT
            ended = execute(trials.banyan + command.begin, folder, DONE)
            if ended.code != 0:
                raise SystemExit(f"error: {key}: ends with {ended.code} undisturbed: {ended.stderr.decode()}")
            self.known[key] = command.result(out), ended.seconds
            remove(out)
        return self.known[key]


def remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


def finish(trials: Trials, command: LongCommand, folder: Path, expected: dict[str, object], log: list) -> bool:
    """Resumes a disturbed command, or begins it again if nothing was written, and compares its result."""
    out = folder / OUT
    ended = logged(trials, command.resume if out.exists() else command.begin, folder, log)
    if ended.code == 2 and command.resume != command.begin and out.exists():
        ended = logged(trials, command.begin, folder, log)
    if not trials.check(ended, command=command.name, log=log):
        return False
    result = command.result(out)
    if ended.code != 0:
        trials.fail(f"{command.name}: neither resumed nor begun again", log=log)
    elif result != expected:
        wrong = [name for name, value in result.items() if value != expected[name]]
        trials.fail(f"{command.name}: other results after it was resumed", files=wrong, log=log,
                    found={name: result[name] for name in wrong}, expected={name: expected[name] for name in wrong})
    else:
        return True
    return False


def logged(trials: Trials, args: list[str], folder: Path, log: list) -> Ended:
    ended = execute(trials.banyan + args, folder, DONE)
    log.append({"args": args, "code": ended.code, "seconds": round(ended.seconds, 2), "stderr": ended.stderr})
    return ended


def one_line(ended: Ended) -> str | None:
    """What is wrong with the message of a command that ended with an error."""
    lines = [line for line in ended.stderr.decode("utf-8", "replace").splitlines() if line.startswith("error:")]
    return None if len(lines) == 1 else "error without a line of its own" if not lines else "error of several lines"
