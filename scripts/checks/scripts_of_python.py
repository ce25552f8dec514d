"""The Python scripts of the repository, and the oldest Python that each is written for."""

import os
import re
from functools import lru_cache
from pathlib import Path

from python_version import OLDEST

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("bench", "contrib", "crates/cli/tests", "experiments", "scripts")


@lru_cache(maxsize=None)
def all_scripts():
    """Programs, by their first line, and modules."""
    paths = [Path(folder, name) for top in FOLDERS for folder, _, names in os.walk(ROOT / top) for name in sorted(names)]
    return [path for path in paths if path.suffix == ".py" or (not path.suffix and is_program(path))]


def is_program(path):
    with path.open("rb") as file:
        return re.match(rb"#!.*\bpython", file.readline()) is not None


def declared(path):
    """The newest version that a script of the folder requires: its modules are imported after that."""
    texts = [other.read_text() for other in all_scripts() if other.parent == path.parent]
    found = [tuple(map(int, pair)) for text in texts for pair in re.findall(r"^require\(\((\d+), (\d+)\)", text, re.MULTILINE)]
    return max(found, default=OLDEST)
