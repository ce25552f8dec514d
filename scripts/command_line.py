"""What the scripts share that are called by hand: the parser of their options, the folder that cargo builds in, the version, and the built
engine.
For programs that have asked for their Python by python_version.py."""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


class Parser(argparse.ArgumentParser):
    """Reports a wrong command line in one line."""

    def __init__(self, **options):
        super().__init__(allow_abbrev=False, **options)

    def error(self, message):
        self.exit(2, f"error: {message}; {self.prog} --help lists the options\n")


def fail(message, code=1):
    print(f"error: {message}", file=sys.stderr)
    sys.exit(code)


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
