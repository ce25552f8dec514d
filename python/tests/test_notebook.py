"""The notebook of the documentation runs, and has the outputs of this version: UPDATE=1 python/test writes them again."""

import copy
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs/notebook.ipynb"
# In bytes: what is read on the web should load at once.
LARGEST = 250_000


def executed(notebook, folder):
    """The notebook with the outputs of its code, run in a folder and without the settings of the user."""
    private = ["JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "MPLCONFIGDIR"]
    result = copy.deepcopy(notebook)
    with mock.patch.dict(os.environ, {**dict.fromkeys(private, folder), "JUPYTER_PLATFORM_DIRS": "1"}):
        # Sockets in the folder need no network; their paths have to be short.
        config = Config({"ConnectionFileMixin": {"transport": "ipc", "connection_file": os.path.join(folder, "k.json")}})
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


def shown(cell):
    """The outputs, of pictures of matplotlib, whose bytes its version decides, only that they are there."""
    outputs = copy.deepcopy(cell.outputs)
    for output in outputs:
        if "image/png" in output.get("data", {}):
            output.data["image/png"] = ""
    return outputs


class Notebook(unittest.TestCase):
    maxDiff = None

    def test_the_notebook_has_the_outputs_of_its_code(self):
        notebook = nbformat.read(str(NOTEBOOK), 4)
        with tempfile.TemporaryDirectory() as folder:
            now = executed(notebook, folder)
        if os.environ.get("UPDATE"):
            nbformat.write(now, str(NOTEBOOK))
            return
        for before, after in zip(code_cells(notebook), code_cells(now)):
            self.assertEqual(shown(before), shown(after), f"UPDATE=1 python/test writes the outputs again; from\n{before.source}")
        self.assertLess(NOTEBOOK.stat().st_size, LARGEST)
