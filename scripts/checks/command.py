"""The command line of `./test`: which parts run, what they may install, and the exit code."""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import needs
import parts
from run import Run, Stopped

ROOT = Path(__file__).resolve().parents[2]


class Parser(argparse.ArgumentParser):
    """Reports a wrong command line in one line."""

    def error(self, message):
        refuse(f"{message}; ./test --help lists the options")


def refuse(message):
    print(f"error: {message}", file=sys.stderr)
    sys.exit(2)


def parse_arguments(words):
    parser = Parser(
        prog="./test",
        allow_abbrev=False,
        description="Run every check of the project and end with a table of them.",
        epilog="npm packages and Python environments are installed under target/. Exit code: 0 if nothing failed, 1 if a part failed, "
        "2 for a wrong command line, 130 after Ctrl-C. With CI=true, --install is on and a skipped part is a failure, unless it is "
        "optional or a download was refused twice.",
    )
    parser.add_argument("--only", metavar="PART", action="append", default=[], help="run this part; repeatable, or several separated by commas")
    parser.add_argument("--list", action="store_true", help="list the parts and run nothing")
    parser.add_argument("--install", action="store_true", help="first install missing programs from Debian: Chromium with a Chinese font, Node with npm, venv of Python")
    parser.add_argument("--deep", action="store_true", help="check more positions, games and moves, and larger boards")
    return parser.parse_args(words)


def chosen(only):
    """The parts of --only in the order of all parts; all of them without it."""
    names = [name for names in only for name in names.split(",")]
    known = [part.name for part in parts.ALL]
    for name in names:
        if name not in known:
            refuse(f"--only {name}: expected one of {', '.join(known)}; ./test --list describes them")
    return [part for part in parts.ALL if not only or part.name in names]


def list_parts():
    width = max(len(part.name) for part in parts.ALL)
    for part in parts.ALL:
        wanted = ", ".join(need.name for need in part.needs)
        print(f"{part.name:{width}}  {part.title}{f' [{wanted}]' if wanted else ''}{' (optional)' if part.optional else ''}")


def target_folder():
    """The folder that cargo builds in."""
    try:
        found = subprocess.run(["cargo", "metadata", "--format-version=1", "--no-deps", "--offline"], cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError:
        refuse("cargo: not found: expected Rust 1.95 or later; install it with rustup")
    if found.returncode != 0:
        refuse(f"cargo metadata: {needs.error_line(found.stderr)}")
    return Path(json.loads(found.stdout)["target_directory"])


def main(words):
    arguments = parse_arguments(words)
    selected = chosen(arguments.only)
    if arguments.list:
        list_parts()
        return 0
    ci = os.environ.get("CI") == "true"
    if arguments.deep:
        os.environ["BANYAN_DEEP"] = "1"
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    # The language of what is tested; tests of a language name it.
    os.environ["LC_ALL"] = "C"
    if shutil.which("clippy-driver"):
        # Clippy's driver compiles all packages of this workspace: it reports its lints and also generates code, so that
        # nothing is compiled twice. `cargo clippy` selects it by the same two variables.
        os.environ.update(RUSTC_WORKSPACE_WRAPPER="clippy-driver", CLIPPY_ARGS="-Dwarnings")
    place = needs.Place(ROOT, target_folder(), install=ci or arguments.install)
    try:
        return Run(selected, place, strict=ci).all()
    except Stopped as stopped:
        print(f"\nerror: stopped by {stopped}; ./test begins again", file=sys.stderr)
        return 128 + stopped.signal
    except BrokenPipeError:
        # The output has no reader any more; data that Python still buffers for standard output is not written either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
