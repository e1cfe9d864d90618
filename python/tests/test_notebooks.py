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
    # What golems do changes with a build, and a notebook that isn't made again then says what doesn't hold. Figures and frames are drawn by packages of any version.
    said = [
        [[output.get("text", output.output_type) for output in cell.get("outputs", []) if output.get("name") != "stderr"] for cell in notebook.cells]
        for notebook in (kept, made)
    ]
    assert said[0] == said[1], "make it again: python/examples/make.py"
