"""Compares what each script needs, by vermin, with the oldest Python that it is written for. Run by ./test with the packages of
scripts.txt."""

import os
import subprocess
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from python_version import require

require()

from scripts_of_python import ROOT, all_scripts, declared


def main():
    vermin = os.path.join(os.path.dirname(sys.executable), "vermin")
    targets = {}
    for path in all_scripts():
        targets.setdefault(declared(path), []).append(str(path.relative_to(ROOT)))
    failed = False
    for (major, minor), paths in sorted(targets.items()):
        options = ["--no-tips", "--eval-annotations", f"--target={major}.{minor}-", "--violations"]
        found = subprocess.run([vermin, *options, *paths], cwd=ROOT, capture_output=True, text=True)
        failed |= found.returncode != 0
        print(f"{len(paths)} scripts for Python {major}.{minor}" + (f":\n{found.stdout}{found.stderr}" if found.returncode else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
