"""What the scripts share that are called by hand: the parser of their options, how banyan is called, the folder that cargo builds in, the version,
and the built engine.
For programs that have asked for their Python by python_version.py."""

import argparse
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# How banyan is called without an option for it.
CARGO = ["cargo", "run", "--release", "--quiet", "--manifest-path", str(ROOT / "Cargo.toml"), "--"]


class Parser(argparse.ArgumentParser):
    """Reports a wrong command line in one line, which names the program by its path from the root."""

    def __init__(self, **options):
        super().__init__(prog=os.path.relpath(os.path.realpath(sys.argv[0]), ROOT), allow_abbrev=False, **options)

    def error(self, message):
        self.exit(2, f"error: {message}; {self.prog} --help lists the options\n")


def fail(message, code=1):
    print(f"error: {message}", file=sys.stderr)
    sys.exit(code)


def add_banyan(parser):
    """Adds the option --banyan, whose value is for banyan_command."""
    parser.add_argument("--banyan", metavar="COMMAND", help="how to call banyan [default: cargo run --release --quiet --]")


def banyan_command(text):
    """The words of --banyan; those that are paths from here are made absolute, since commands may run elsewhere. Without one, cargo run."""
    if text is None:
        return CARGO
    words = shlex.split(text)
    if not words:
        fail("--banyan: expected a command; leave the option out for cargo run", 2)
    return [os.path.abspath(word) if os.sep in word and os.path.exists(word) else word for word in words]


def target_folder():
    """The folder that cargo builds in."""
    return Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").resolve()


def workspace_version():
    found = re.search(r'^\[workspace\.package\]\n(?:.*\n)*?version = "([^"]+)"', (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.MULTILINE)
    if not found:
        fail("Cargo.toml: no version of [workspace.package]: expected the file of this repository; restore it")
    return found.group(1)


def built_engine(folder, names):
    """The folder with the engine for browsers: this one, or that of scripts/wasm, which is run first. It has the files of these names."""
    if not folder:
        code = subprocess.run([str(ROOT / "scripts/wasm"), "--for", "web"]).returncode
        if code != 0:
            sys.exit(code)
        folder = target_folder() / "wasm-pkg/web"
    for name in names:
        if not (folder / name).is_file():
            fail(f"{folder}: no {name}: expected the folder that scripts/wasm writes; run scripts/wasm")
    return folder
