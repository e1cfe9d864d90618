"""The notebooks of this folder from their sources: each `NAME.py`, in jupytext's percent format, is executed and written to `NAME.ipynb`.

    pip install jupytext nbclient ipykernel pandas matplotlib pyarrow
    python python/examples/make.py [NAME]...

Sources are what is edited and reviewed; a notebook is what comes of one, outputs included. Where a build changes what golems do, they are made again.
"""

import os
import sys

import jupytext
import nbclient
import nbformat

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = sorted(file[: -len(".py")] for file in os.listdir(HERE) if file.endswith(".py") and os.path.join(HERE, file) != os.path.abspath(__file__))
#: Seconds that a cell may take; the longest is a sweep of half a minute in a build without optimisation.
CELL_S = 600


def source(name):
    """A notebook without outputs, as its source has it."""
    notebook = jupytext.read(os.path.join(HERE, f"{name}.py"))
    # Names of cells are random, and what jupytext says of itself has a version: neither would be the same next time.
    for place, cell in enumerate(notebook.cells):
        cell.id = str(place)
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return notebook


def executed(name):
    """The notebook with its outputs; raises what a cell raises."""
    notebook = source(name)
    nbclient.NotebookClient(notebook, timeout=CELL_S, kernel_name="python3", record_timing=False, resources={"metadata": {"path": HERE}}).execute()
    notebook.metadata.pop("language_info", None)
    return notebook


if __name__ == "__main__":
    for name in sys.argv[1:] or NAMES:
        nbformat.write(executed(name), os.path.join(HERE, f"{name}.ipynb"))
        print(f"{name}.ipynb")
