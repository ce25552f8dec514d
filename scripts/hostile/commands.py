"""Hostile command lines: made from the grammar that the help pages describe, then damaged."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random

from harness import Ended, Trials, execute

# Maximum length of a message in bytes, regardless of the length of the argument that it quotes.
LONGEST_MESSAGE = 2_000
# Maximum length of a usage message, besides the arguments: it may list all commands, and quote an argument in full and
# in a tip.
LONGEST_USAGE = 5_000
# The beginning of the lines that `engines check` writes before each step.
PROGRESS = "...     "
# The folder of a long command is printed before it begins.
FOLDERS = ("match in ", "sweep in ", "tuning in ", "rating in ", "ladder in ")
# Seconds that a command with small limits may take, and after which a damaged one is interrupted.
SMALL, DAMAGED = 30.0, 2.0

GAMES = ["connect-four", "connect-four:4x4", "connect-four:5x6,hole=b2", "reversi:4x4", "reversi:6x6,count=discs", "dots-and-boxes:1x1",
         "dots-and-boxes:2x3", "connect-four:4-6x4-6,holes=1"]
PLAYERS = ["best", "random", "greedy", "uct", "graph", "mcgs", "pvs", "mtdf", "negamax", "vote:uct+pvs", "human", "false", "cat", "gone"]
BUDGETS = ["playouts=20", "5ms", "nodes=50", "depth=2", "playouts=30+10ms", "50ms/game", "50ms/game+inc=1ms+playouts=9"]
FILES = ["engines.toml", "openings.txt", "garbage", "match", "match/games.jsonl", "match/match.toml", "new", "new.svg", "new.md", ".",
         "no/such", "-", "/dev/full", "/dev/null"]
VALUES = {
    "GAME": GAMES, "PLAYER": PLAYERS, "BUDGET": BUDGETS, "B": BUDGETS, "FILE": FILES, "DIR": FILES, "PATH": FILES, "LIB": FILES,
    "MOVES": ["", "4 4 3", "1 1 1", "f5 d6", "a2 a1", "h0,0 v0,0", "44", "pass"],
    "TEXT": ["7/7/7/7/7/7 x", "8/8/8/3ox3/3xo3/8/8/8 x", "4/4/4/xo2 x", "1/1/10 o 0-0"],
    "SPEC": ["none", "random:plies=2", "balanced:plies=2", "file:openings.txt"], "I/N": ["1/1", "1/2", "2/2"],
    "TIME": ["10ms", "1s"], "PAIR.GAME": ["0.0", "1.1", "99.0"], "WHEN": ["auto", "always", "never"], "CLOCK": ["wall", "cpu"],
    "E0,E1": ["0,10", "5,-5"], "SHELL": ["bash", "zsh", "fish"], "LL,LD,EVEN,WD,WW": ["5,10,40,20,25"], "NAME": PLAYERS, "MIB": ["1", "16"],
}
NUMBERS = ["0", "1", "2", "3"]
# Without these options a command takes longer than a test should.
LIMITS = {"--budget": BUDGETS, "--judge-budget": ["playouts=9"], "--pairs": ["1", "2"], "--max-pairs": ["2"], "--count": ["1", "2"],
          "--depth": NUMBERS, "--playouts": ["9"], "--runs": ["1"], "--jobs": ["1", "2"]}
STRANGE = ["", " ", "-", "--", "-1", "1e400", "NaN", "inf", "-0", "0x10", "99999999999999999999", "18446744073709551616", "4294967296",
           "9223372036854775807", "٤", "4", "e\u0301", "🦀" * 40, "\u202e", "\ufeff", "\x1b[31m",
           "\n", "\r\n", "\t", "'", '"', "%s%n", "a" * 5_000, "9" * 400, "(" * 2_000, "\udcff\udcfe", "=", ":", "@", "+", ",", "\\", "/"]
STDIN = [b"", b"4\n4\nhint\nundo\nmoves\nsave new.txt\nload garbage\nhelp\nquit\n", b"\xff\xfe\x00\n" * 20, b"4" * 100_000, b"ugi\nisready\n",
         b'{"id":"a","game":"connect-four","maxVisits":5}\n', b"\n" * 1_000]


@dataclass
class Command:
    """A subcommand: its words, its options with the names of their values, and its positional arguments."""

    words: list[str]
    options: list[tuple[str, str | None]]
    positionals: list[str]


def run(trials: Trials) -> None:
    with tempfile.TemporaryDirectory(prefix="banyan-hostile-") as name:
        template = Path(name)
        commands, settings = prepare(trials.banyan, template)

        def trial(trials: Trials, rng: Random, folder: Path) -> None:
            shutil.copytree(template, folder, dirs_exist_ok=True)
            line, small = command_line(rng, commands, settings)
            stdin = rng.choice(["empty", "closed", *STDIN])
            stdout = rng.choices(["pipe", "full", "closed"], [8, 1, 1])[0]
            check_line(trials, line, folder, small, stdin, stdout)

        trials.each(trial)


def prepare(banyan: list[str], folder: Path) -> tuple[list[Command], list[str]]:
    """Fills the folder that every trial begins with. Returns all commands, and settings of players."""
    commands = read_grammar(banyan, [], folder)
    commands += [Command(["help"], [], ["NAME"]), Command(["--version"], [], []), Command(["--help"], [], [])]
    players = execute(banyan + ["players"], folder, 30).stdout.decode()
    settings = re.findall(r"^  ([a-z][a-z-]*=\S+)  \(", players, re.M)
    if not settings:
        raise SystemExit("error: `banyan players` lists no settings as `  name=default  (values)`")
    (folder / "engines.toml").write_text("".join(
        f'[{name}]\ncommand = ["{command}"]\nprotocol = "ugi"\nstartup = "300ms"\nmove = "300ms"\n'
        for name, command in [("false", "false"), ("cat", "cat"), ("gone", "./gone")]))
    (folder / "openings.txt").write_text("4 4\n3 4\n")
    (folder / "garbage").write_bytes(bytes(range(256)) * 8)
    execute(banyan + "match connect-four:4x4 random greedy --pairs 2 --budget playouts=9 --out match".split(), folder, 30)
    return commands, settings


def check_line(trials: Trials, line: list[str], folder: Path, small: bool, stdin: object, stdout: str) -> None:
    trials.n_runs += 1
    close = (0,) * (stdin == "closed") + (1,) * (stdout == "closed")
    source = stdin if isinstance(stdin, bytes) else subprocess.DEVNULL
    limit = SMALL if small else DAMAGED
    args = trials.banyan + line
    details = {"stdin": stdin, "stdout_is": stdout}
    if stdout == "full":
        with open("/dev/full", "wb") as full:
            ended = execute(args, folder, limit, source, full, interrupt=True, close=close)
    else:
        ended = execute(args, folder, limit, source, interrupt=True, close=close)
    if not trials.check(ended, **details):
        return
    if small and ended.sent:
        trials.fail("small command takes long", **details, **ended.details())
    elif fault := fault_of_message(ended, "always" in line):
        trials.fail(fault, **details, **ended.details())
    elif stdout == "full" and ended.code == 0:
        again = execute(args, folder, limit, source, interrupt=True, close=close)
        if again.code == 0 and again.stdout:
            trials.fail("full stdout goes unnoticed", **details, **ended.details())


def fault_of_message(ended: Ended, colours: bool) -> str | None:
    """What is wrong with the message of a command that failed."""
    if ended.code != 2:
        return None
    text = ended.stderr.decode("utf-8", "replace")
    is_usage = "try '--help'" in text or "Usage:" in text
    longest = LONGEST_USAGE + 3 * max(len(os.fsencode(arg)) for arg in ended.args) if is_usage else LONGEST_MESSAGE
    shown = ("warning:", "note:", *FOLDERS, PROGRESS)
    # The speeds of several threads are printed as they are measured.
    # So is the command that resumes an unfinished folder.
    text = re.sub(r"^resume with\n  .*\n", "", text, flags=re.M)
    errors = [line for line in text.splitlines() if not line.startswith(shown) and not line.endswith(" simulations/s")]
    if not text.strip():
        return "error without a message"
    if len(ended.stderr) > longest:
        return "long message"
    if not is_usage and len(errors) > 1:
        return "error of several lines"
    if not is_usage and not colours and re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text):
        return "control characters in a message"
    return None


def command_line(rng: Random, commands: list[Command], settings: list[str]) -> tuple[list[str], bool]:
    """A command line without paths outside its folder, and whether it is undamaged and ends soon."""
    command = rng.choice(commands)
    parts = [[value(rng, name, settings)] for name in command.positionals if rng.random() < 0.95]
    for option, name in command.options:
        if option in LIMITS and rng.random() < 0.97:
            parts.append([option, rng.choice(LIMITS[option])])
        elif option not in ("--help", "--resume") and rng.random() < 0.12:
            parts.append([option] if name is None else [option, value(rng, name, settings)])
    rng.shuffle(parts)
    line = command.words + [word for part in parts for word in part]
    limited = all(option in line for option, _ in command.options if option in LIMITS)
    # The signature of `bench` has no limit, `serve` runs until it is interrupted, and /dev/full has no end.
    small = limited and rng.random() < 0.4 and command.words not in (["bench"], ["serve"]) and "/dev/full" not in line
    if not small:
        every_option = [option for other in commands for option, _ in other.options]
        for _ in range(rng.randint(1, 4)):
            damage(rng, line, len(command.words) if rng.random() < 0.9 else 0, every_option)
    return [inside(word) for word in line], small


def value(rng: Random, name: str, settings: list[str]) -> str:
    text = rng.choice(VALUES.get(name, NUMBERS))
    if name == "PLAYER" and rng.random() < 0.3:
        text += ":" + ",".join(rng.choice(settings) for _ in range(rng.randint(1, 3)))
    if name == "PLAYER" and rng.random() < 0.1:
        text += "@" + rng.choice(BUDGETS)
    return text


def damage(rng: Random, line: list[str], start: int, options: list[str]) -> None:
    """Damages one word, of those from `start` on if there are any."""
    at = rng.randrange(start if start < len(line) else 0, max(len(line), 1))
    kind = rng.randrange(8)
    if kind == 0:
        line[at] = rng.choice(STRANGE)
    elif kind == 1 and len(line) > 1:
        del line[at]
    elif kind == 2:
        line.insert(at, line[rng.randrange(len(line))])
    elif kind == 3:
        line.insert(at, rng.choice(options))
    elif kind == 4:
        line.insert(at, rng.choice(STRANGE))
    elif kind == 5:
        line[at] = line[at] * rng.choice([2, 3, 500])
    elif kind == 6:
        line[at] = line[at].replace("=", rng.choice(["==", "=-", "", "=1e9", "=9999999999"]))
    else:
        cut = rng.randint(0, len(line[at]))
        line[at] = line[at][:cut] + rng.choice(STRANGE + [rng.choice(rng.choice(GAMES))]) + line[at][cut + rng.randint(0, 2):]


def inside(word: str) -> str:
    """The word without a path that leads out of the folder, and short enough for an argument: Linux takes 128 KiB of bytes."""
    if word not in ("/dev/full", "/dev/null"):
        word = re.sub(r"(^|[=:@])/+", r"\1", word).replace("../", "_")
    return word[:30_000]


def read_grammar(banyan: list[str], words: list[str], folder: Path) -> list[Command]:
    """The commands below `words`, as their help describes them."""
    text = execute(banyan + words + ["--help"], folder, 30).stdout.decode()
    options = [(name, value) for name, value in re.findall(r"^ +(?:-\w, )?(--[\w-]+)(?: <([^>]+)>)?", text, re.M)]
    section = re.search(r"^Commands:\n(.*?)\n\n", text, re.M | re.S)
    if section is None:
        usage = re.search(r"^Usage: (.*?)\n\n", text, re.M | re.S).group(1)
        positionals = re.findall(r"(?<!-)[\[<]([A-Z][^\]>]*)[\]>]", re.sub(r"--[\w-]+ <[^>]+>|\[OPTIONS\]", "", usage))
        positionals += positionals[-1:] * ("..." in usage)
        # `calc` names three numbers at once: <W D L | --pentanomial ...>.
        return [Command(words, options, [name for names in positionals for name in names.split(" |")[0].split()])]
    names = re.findall(r"^  ([a-z][\w-]*)  ", section.group(1), re.M)
    return [command for name in names if name != "help" for command in read_grammar(banyan, words + [name], folder)]
