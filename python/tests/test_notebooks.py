"""The notebooks of `python/examples` are what their sources say, and every cell of them runs."""

import importlib.util
import os

import pytest
from test_morta import ROOT

for needed in ("jupytext", "nbclient", "ipykernel", "matplotlib", "pandas"):
    pytest.importorskip(needed)
spec = importlib.util.spec_from_file_location("make", os.path.join(ROOT, "python", "examples", "make.py"))
make = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make)


def test_there_are_four():
    assert make.NAMES == ["first_run", "mortality", "own_memory", "replay_ablation"]


@pytest.mark.parametrize("name", make.NAMES)
def test_a_notebook_runs_and_was_made_from_its_source(name, monkeypatch):
    # The kernel imports the package that is tested.
    monkeypatch.setenv("PYTHONPATH", os.path.dirname(os.path.dirname(make.sys.modules["morta"].__file__)))
    made = make.executed(name)
    kept = make.nbformat.read(os.path.join(make.HERE, f"{name}.ipynb"), as_version=4)
    assert [cell.source for cell in kept.cells] == [cell.source for cell in made.cells], "make it again: python/examples/make.py"
    # What a golem does may change with a build; that a cell says, shows or draws something may not.
    kinds = [[[output.output_type for output in cell.get("outputs", [])] for cell in notebook.cells] for notebook in (kept, made)]
    assert kinds[0] == kinds[1]
