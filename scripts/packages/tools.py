"""The programs that scripts/release builds with, in fixed versions, under target/; no root is needed."""

import os
import sys
from pathlib import Path

import foreign_compiler
import needs
from registry_program import installed

ROOT = Path(__file__).resolve().parents[2]
CARGO_DEB = "3.8.0"
PYTHON_TOOLS = needs.PythonPackages("tools of the packages", "release-tools/python", ("scripts/packages/tools.txt",))
# The folders of a target folder that hold tools only: a second target folder borrows them.
FOLDERS = ("release-tools", "tools", "wasm-tools")


def ready(target):
    """The path for programs with the tools first. Raises `NoProgram`, `needs.Missing` or `needs.Broken`."""
    place = needs.Place(ROOT, target, execute=foreign_compiler.run)
    PYTHON_TOOLS.provide(place)
    cargo_deb = installed("cargo-deb", CARGO_DEB, "cargo-deb", target / "tools")
    folders = [Path(PYTHON_TOOLS.python(place)).parent, cargo_deb.parent]
    return os.pathsep.join([*map(str, folders), os.environ.get("PATH", os.defpath)])


def borrow(source, target):
    """Gives another target folder the tools of this one."""
    target.mkdir(parents=True, exist_ok=True)
    for name in FOLDERS:
        if (source / name).is_dir() and not (target / name).exists():
            (target / name).symlink_to(source / name)
