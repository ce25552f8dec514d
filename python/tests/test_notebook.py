"""The notebooks of the repository run without an error, and have the outputs of this version: UPDATE=1 python/test writes them again.

docs/notebook.ipynb needs the package. experiments/ablation/table.ipynb reads the tables of an experiment that is still being played, and needs
only pandas and matplotlib; after a stage is played, this draws its tables and pictures again:

    UPDATE=1 python3 python/tests/test_notebook.py -k ablation

It is always run on the tables as they are, and each number of its table is compared with them. Its stored outputs are compared with the new ones
only while they list the same games: a stage that was played since then fails no test, but a change of the code without its outputs does.
Pictures by matplotlib are only required to exist, because its version decides their bytes.
"""

import copy
import csv
import os
import re
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock
from xml.etree import ElementTree

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs/notebook.ipynb"
ABLATION = ROOT / "experiments/ablation/table.ipynb"
# In bytes: what is read on the web should load at once.
LARGEST = {GUIDE: 250_000, ABLATION: 600_000}
STAGES = ["screen", "confirm", "long"]
COLUMNS = [f"{game}-{base}" for game in ("connect-four", "reversi", "dots-and-boxes") for base in ("uct", "mcgs")]


def executed(notebook, folder, private):
    """The notebook with the outputs of its code, run in a folder and without the settings of the user, for which `private` is used instead."""
    settings = ["JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "MPLCONFIGDIR"]
    result = copy.deepcopy(notebook)
    with mock.patch.dict(os.environ, {**dict.fromkeys(settings, private), "JUPYTER_PLATFORM_DIRS": "1"}):
        # Sockets in the folder need no network; their paths have to be short.
        config = Config({"ConnectionFileMixin": {"transport": "ipc", "connection_file": os.path.join(private, "k.json")}})
        options = {"timeout": 300, "record_timing": False, "coalesce_streams": True}
        NotebookClient(result, config=config, resources={"metadata": {"path": folder}}, **options).execute()
    result.metadata = notebook.metadata
    for cell in code_cells(result):
        for output in cell.outputs:
            plain(output)
    return result


def plain(output):
    """Leaves out what is different each time: the text that stands for a picture names an address in memory."""
    if any(form.startswith("image/") for form in output.get("data", {})):
        output.data.pop("text/plain", None)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def output_of(notebook, name, form):
    """The output of a cell in a form, of which it has one."""
    (cell,) = [cell for cell in notebook.cells if cell.id == name]
    (found,) = [output.data[form] for output in cell.outputs if form in output.get("data", {})]
    return found


def shown(cell):
    """The outputs, of pictures of matplotlib, whose bytes its version decides, only that they are there."""
    outputs = copy.deepcopy(cell.outputs)
    for output in outputs:
        for form, data in output.get("data", {}).items():
            if form == "image/png" or (form == "image/svg+xml" and "Matplotlib" in data):
                output.data[form] = ""
    return outputs


def rows_of_table(html):
    """The fields of each row of an HTML table, without marks such as bold."""
    rows = re.findall(r"<tr>(.*?)</tr>", html, re.DOTALL)
    return [[re.sub("<.*?>", "", field) for field in re.findall(r"<td>(.*?)</td>", row, re.DOTALL)] for row in rows]


def field(line):
    """What the table of the ablation shows of a line of its results."""
    if line["elo_low"] and line["elo_high"]:
        elo, low, high = (f"{float(line[name]):+.0f}" for name in ("elo", "elo_low", "elo_high"))
        text = f"{elo} ({low} .. {high})"
    else:
        text = f"{line['wins']}-{line['draws']}-{line['losses']}"
    text += "" if line["verdict"] == "undecided" else f", {line['verdict']}"
    return text + (f", {float(line['speed']):.2f}" if line["speed"] else "")


class Notebooks(unittest.TestCase):
    maxDiff = None

    def assert_shown(self, before, now):
        for cell, new in zip(code_cells(before), code_cells(now)):
            self.assertEqual(shown(cell), shown(new), f"UPDATE=1 python/test writes the outputs again; from\n{cell.source}")

    def test_the_guide_has_the_outputs_of_its_code(self):
        notebook = nbformat.read(str(GUIDE), 4)
        with tempfile.TemporaryDirectory() as folder:
            now = executed(notebook, folder, folder)
        if os.environ.get("UPDATE"):
            nbformat.write(now, str(GUIDE))
            return
        self.assert_shown(notebook, now)
        self.assertLess(GUIDE.stat().st_size, LARGEST[GUIDE])

    def test_the_ablation_shows_the_numbers_of_its_results(self):
        notebook = nbformat.read(str(ABLATION), 4)
        results = ABLATION.parent / "results"
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as private:
            tables = Path(folder, "results")
            tables.mkdir()
            for path in results.glob("*.csv"):
                shutil.copy(path, tables)
            now = executed(notebook, folder, private)
            lines = {(stage, column): tables / f"{stage}-{column}.csv" for stage in STAGES for column in COLUMNS}
            lines = {key: list(csv.DictReader(path.read_text().splitlines())) for key, path in lines.items() if path.exists()}
            pictures = {path.name: path.read_text() for path in tables.glob("*.svg")}
        self.assertEqual(len(pictures), 4)

        expected = {}
        for (stage, column), rows in lines.items():
            for line in rows:
                if int(line["pairs"]):
                    expected.setdefault((line["row"], stage), [""] * len(COLUMNS))[COLUMNS.index(column)] = field(line)
        found = {(row[0], row[1]): row[2:] for row in rows_of_table(output_of(now, "table", "text/html")) if row}
        self.assertEqual(found, expected)

        if os.environ.get("UPDATE"):
            nbformat.write(now, str(ABLATION))
            for name, text in pictures.items():
                (results / name).write_text(text)
            return
        form = "text/plain"
        if output_of(notebook, "read", form) == output_of(now, "read", form):
            self.assert_shown(notebook, now)
        # The pictures that README.md shows are those of the notebook.
        cells = {"pictures": "connect-four", "reversi": "reversi", "dots-and-boxes": "dots-and-boxes", "cost": "speed-and-gain"}
        for cell, name in cells.items():
            both = [output_of(notebook, cell, "image/svg+xml"), (results / f"{name}.svg").read_text()]
            self.assertEqual(*map(ElementTree.canonicalize, both), name)
        self.assertLess(ABLATION.stat().st_size, LARGEST[ABLATION])


if __name__ == "__main__":
    unittest.main()
