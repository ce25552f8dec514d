"""The examples of the documentation run."""

import contextlib
import io
import os
import re
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Documentation(unittest.TestCase):
    def test_examples_run(self):
        for file in [ROOT / "docs/python.md", ROOT / "docs/python-from-elsewhere.md", ROOT / "python/README.md"]:
            blocks = re.findall(r"^```python\n(.*?)^```", file.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
            self.assertGreater(len(blocks), 0, file.name)
            names = {}
            with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
                before = os.getcwd()
                os.chdir(folder)
                try:
                    for block in blocks:
                        exec(compile(block, str(file), "exec"), names)
                finally:
                    os.chdir(before)
