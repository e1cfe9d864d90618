"""Scenarios, lived; and what they leave behind."""

import hashlib
import importlib.util
import inspect
import json
import os
import re
import sys

from . import _morta
from .memory import Memory


def name_of(memory):
    """The name a class is registered under: its `name`, or the class's own with hyphens (`MyMemory` is "my-memory")."""
    return memory.name or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", memory.__name__).lower()


def source_of(memory):
    """SHA-256 of the class's source; None where there is none to be had, as at a prompt."""
    try:
        return hashlib.sha256(inspect.getsource(memory).encode()).hexdigest()
    except (OSError, TypeError):
        return None


def _key(key):
    """A key as a scenario file would have it; "a.b" is `b` in the table `a`, as for `set`."""
    return key if re.fullmatch(r"[A-Za-z0-9_.-]+", key) else json.dumps(key)


def toml(value):
    """A value as a scenario file would have it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value)
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {toml(part)}" for key, part in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml(part) for part in value) + "]"
    raise TypeError(f"a scenario has no place for {type(value).__name__}")


class Run:
    """A run that was lived: its folder, its digest, what it came to."""

    def __init__(self, summary):
        #: The figures of `morta run --json`.
        self.summary = summary
        #: BLAKE3 over the event log, 64 hexadecimal digits.
        self.digest = summary["digest"]
        #: The folder; None when nothing was written.
        self.folder = summary["run_dir"]

    @property
    def manifest(self):
        """The manifest of its folder, as a dict."""
        with open(os.path.join(self.folder, "manifest.json"), encoding="utf-8") as file:
            return json.load(file)

    def read(self, table):
        """A table of the run, such as "lives", as an Arrow table."""
        return read(self.folder, table)


def read(folder, table):
    """A table of a run's folder as a `pyarrow.Table`, which polars, pandas and DuckDB take by its PyCapsule interface."""
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise ImportError("tables are read with pyarrow: pip install pyarrow") from None
    return parquet.read_table(os.path.join(folder, f"{table}.parquet"))


class _Bar:
    """Progress as tqdm draws it, in a terminal or a notebook; nothing where there is neither, or no tqdm."""

    def __init__(self, unit):
        self.unit, self.bar = unit, None

    def __call__(self, done, total):
        if self.bar is None:
            from tqdm.auto import tqdm

            self.bar = tqdm(total=total, unit=self.unit, leave=False)
        self.bar.update(done - self.bar.n)

    def close(self):
        if self.bar is not None:
            self.bar.close()


def _watched(unit, progress, work):
    """Does the work with what is asked for as `progress`: True, False, a function of (done, total), or None for what suits."""
    if progress is None:
        progress = (sys.stderr.isatty() or "ipykernel" in sys.modules) and importlib.util.find_spec("tqdm") is not None
    if not isinstance(progress, bool):
        return work(progress)
    bar = _Bar(unit) if progress else None
    try:
        return work(bar)
    finally:
        if bar is not None:
            bar.close()


def run(
    scenario, memory=None, *, set=None, cohorts=None, seed=None, ticks=None, out=None, threads=None, plain=False, progress=None
):
    """Lives through a scenario file.

    `memory` is a subclass of `Memory`; every cohort remembers with it, or those named in `cohorts` (none of them with `cohorts=()`, where
    `set` says who does). `set` changes keys as `--set` does: {"mortality.hazard_scale": 10}. Its parameters are
    {"memory.own.NAME.KEY": value}. Without `out` nothing is written. The SHA-256 of the class's source is in the
    manifest, as `memory.own.NAME.source_sha256` of the scenario. `progress` is True, False, a function that is called with (ticks done,
    ticks in all), or None: a bar where tqdm is there and somebody looks on. Ctrl-C stops it at the next tick.
    """
    changes = [f"{key}={toml(value)}" for key, value in (set or {}).items()]
    named = None
    if memory is not None:
        _demand(memory)
        named = (name_of(memory), memory)
        source = source_of(memory)
        if source is not None:
            changes.append(f"memory.own.{named[0]}.source_sha256={toml(source)}")
    cohorts = None if cohorts is None else list(cohorts)
    out = None if out is None else os.fspath(out)
    told = _watched("tick", progress, lambda progress: _morta.run(
        os.fspath(scenario), named, cohorts, changes, seed, ticks, out, threads, plain, progress
    ))
    return Run(json.loads(told))


class Sweep:
    """A sweep that was run: its folder, its analysis, what became of its cells."""

    def __init__(self, told):
        #: The folder.
        self.folder = told["sweep_dir"]
        #: Whether every cell has ended.
        self.complete = told["complete"]
        #: Cells that were lived now.
        self.ran_now = told["ran_now"]
        #: A line for each cell that failed.
        self.failures = told["failures"]
        #: `analysis.json`, as a dict.
        self.analysis = told["analysis"]

    @property
    def sentences(self):
        """The verdicts in words."""
        return self.analysis["sentences"]

    def read(self, table="results"):
        """A table of the sweep, such as "results", as an Arrow table."""
        return read(self.folder, table)


def sweep(file, out, *, memories=(), profile=None, seeds=None, jobs=None, resume=False, progress=None):
    """Runs a sweep file into a folder; its arms may name the `memories`, subclasses of `Memory`.

    The file is read from disk, or is a dict of what it would hold: then it is written to `out` with ".toml" added, with a note of each
    class's source (`memory.own.NAME.source_sha256` in `[set]`), so that cells of another version of a class are never taken for these.
    Cells of a memory in Python take turns at the interpreter: for more than a core's worth, split the seeds among processes, each with a
    folder of its own. `progress` is as in `run`, of cells.
    """
    for memory in memories:
        _demand(memory)
    if isinstance(file, dict):
        file = _written(file, f"{os.fspath(out)}.toml", memories)
    named = [(name_of(memory), memory) for memory in memories]
    told = _watched("cell", progress, lambda progress: _morta.sweep(
        os.fspath(file), os.fspath(out), named, profile, seeds, jobs, resume, progress
    ))
    return Sweep(json.loads(told))


def _written(sweep, path, memories):
    sources = {name_of(memory): source_of(memory) for memory in memories}
    notes = {f"memory.own.{name}.source_sha256": source for name, source in sources.items() if source is not None}
    with open(path, "w", encoding="utf-8") as file:
        for key, value in {**sweep, "set": {**sweep.get("set", {}), **notes}}.items():
            file.write(f"{_key(key)} = {toml(value)}\n")
    return path


def conformance(memory, seed=1):
    """Puts a class through the conformance kit. A dict with a list of checks, each with name, holds and found."""
    _demand(memory)
    return json.loads(_morta.conformance(name_of(memory), memory, seed))


def _demand(memory):
    if not (isinstance(memory, type) and issubclass(memory, Memory)):
        raise TypeError("memory: a subclass of morta.Memory is needed, not one of its objects")
