"""Scenarios, lived; and what they leave behind."""

from __future__ import annotations

import difflib
import importlib.util
import json
import operator
import os
import re
import shutil
import sys
import tempfile
import weakref
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Literal, Mapping, NamedTuple, Optional, Sequence, Tuple, Type, Union, overload

from . import _morta
from .code import version_of
from .memory import Memory, name_of

if TYPE_CHECKING:
    # None of them is needed to be there, nor to have types.
    import pandas  # type: ignore[import-untyped,import-not-found,unused-ignore]
    import polars  # type: ignore[import-untyped,import-not-found,unused-ignore]
    import pyarrow  # type: ignore[import-untyped,import-not-found,unused-ignore]

PathLike = Union[str, "os.PathLike[str]"]
#: What becomes of a run whose memories raise; see `run`.
OnFault = Optional[Literal["raise", "warn", "ignore"]]
#: True, False, a function of (done, in all), or None: a bar where tqdm is there and somebody looks on.
Progress = Union[None, bool, Callable[[int, int], Any]]


def source_of(memory: Type[Memory]) -> Optional[str]:
    """SHA-256 of all that the class's code depends on (see `morta.code`); None where it can't be known."""
    return version_of(memory)[0]


def _notes(memories: Iterable[Type[Memory]]) -> Dict[str, str]:
    """The keys of a scenario that say which version of each class remembers."""
    versions = {f"memory.own.{name_of(memory)}.source_sha256": source_of(memory) for memory in memories}
    return {key: version for key, version in versions.items() if version is not None}


def _key(key: str) -> str:
    """A key as a scenario file would have it; "a.b" is `b` in the table `a`, as for `set`."""
    return key if re.fullmatch(r"[A-Za-z0-9_.-]+", key) else json.dumps(key)


def toml(value: Any) -> str:
    """A value as a scenario file would have it; numpy's scalars are the numbers they hold."""
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        # TOML wants U+007F escaped too, which JSON doesn't.
        return json.dumps(value).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {toml(part)}" for key, part in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml(part) for part in value) + "]"
    raise TypeError(f"a scenario has no place for {type(value).__name__}")


def _value(key: str, value: Any) -> str:
    """The same for the value of a key, which is named where it can't be one."""
    try:
        return toml(value)
    except TypeError as error:
        raise TypeError(f"{key}={value!r}: {error}: give a number, a text, a list or a dict") from None


class Fault(NamedTuple):
    """Faults of one kind: lives that ended because a line of a memory raised."""

    #: Name of the memory in scenarios, and the method that was called.
    memory: str
    method: str
    #: Type of the exception, and FILE:LINE where it came up.
    exception: str
    line: str
    #: Lives that ended by it.
    lives: int
    #: Of the first one: what it said, its golem, the world's seed, the tick, and the traceback.
    message: str
    golem: str
    seed: int
    tick: int
    traceback: str

    def __str__(self) -> str:
        lives = "1 life" if self.lives == 1 else f"{self.lives} lives"
        return (
            f"{lives} ended by {self.exception} in {self.method}() of memory {self.memory!r} ({self.line}), first at tick {self.tick} of seed "
            f"{self.seed}: {self.message}"
        )


class Table:
    """A table of a run or sweep. polars, DuckDB and pyarrow take it as it is (by the Arrow interface), `pandas.DataFrame(table)` too."""

    def __init__(self, arrow: "pyarrow.Table") -> None:
        self._arrow = arrow

    def to_arrow(self) -> "pyarrow.Table":
        """The table as pyarrow has it."""
        return self._arrow

    def to_pandas(self) -> "pandas.DataFrame":
        """The table as a DataFrame of pandas."""
        return self._arrow.to_pandas()

    def to_polars(self) -> "polars.DataFrame":
        """The table as a DataFrame of polars."""
        import polars

        frame = polars.from_arrow(self._arrow)
        assert isinstance(frame, polars.DataFrame), "what has columns is a frame"
        return frame

    @property
    def columns(self) -> List[str]:
        """The names of its columns."""
        return list(self._arrow.column_names)

    def __getattr__(self, name: str) -> Any:
        # What pyarrow's table can do, such as `num_rows` and `column`, this one can.
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._arrow, name)

    def __getitem__(self, column: str) -> Any:
        if column not in self.columns:
            raise KeyError(f"no column {column!r}{_near(column, self.columns)}")
        return self._arrow.column(column)

    def __len__(self) -> int:
        return int(self._arrow.num_rows)

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        """Row by row, as dicts."""
        return iter(self._arrow.to_pylist())

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._arrow.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"{len(self)} rows of {', '.join(self.columns)}"

    def _repr_html_(self) -> Optional[str]:
        if importlib.util.find_spec("pandas") is None:
            return None
        html: str = self.to_pandas().to_html(max_rows=20)
        return html


class _Tables(Mapping[str, Table]):
    """The tables of a folder, each read when it is asked for."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def __getitem__(self, table: str) -> Table:
        return read(self._folder, table)

    def __iter__(self) -> Iterator[str]:
        return iter(_tables_in(self._folder))

    def __len__(self) -> int:
        return len(_tables_in(self._folder))


def _tables_in(folder: str) -> List[str]:
    return sorted(file[: -len(".parquet")] for file in os.listdir(folder) if file.endswith(".parquet"))


#: Most of what is counted in 16 and in 63 bits.
_SHORT, _LONG = 2**16 - 1, 2**63 - 1


def _whole(argument: str, number: Any, least: int, most: int) -> int:
    """A whole number, numpy's too."""
    expected = f"must be a whole number from {least} to {most}"
    try:
        found = operator.index(number)
    except TypeError:
        raise TypeError(f"{argument}={number!r}: {expected}") from None
    if not least <= found <= most:
        raise ValueError(f"{argument}={found}: {expected}")
    return found


def _optional(argument: str, number: Optional[int], least: int, most: int) -> Optional[int]:
    return None if number is None else _whole(argument, number, least, most)


class _Room:
    """A temporary folder that goes with the last who holds it."""

    def __init__(self) -> None:
        self.name = tempfile.mkdtemp(prefix="morta-")
        self.cleanup = weakref.finalize(self, shutil.rmtree, self.name, ignore_errors=True)


#: Flags of the command line, as this module has them.
_WORDS = (
    (re.compile(r"--set ([\w.+-]+)="), r'set "\1" = '),
    (re.compile(r"--(ticks|seed|seeds|profile) (\S+?):"), r"\1=\2:"),
    (re.compile(r"check it with `morta sweep FILE --dry-run`"), "run it with morta.sweep"),
    (re.compile(r"live it with `morta run FILE`"), "live it with morta.run"),
    (re.compile(r"there is nothing to resume"), "there is nothing to resume; morta.open(folder) takes it up"),
    (re.compile(r"`?(morta run )?--resume\b`?"), "resume=True"),
    (re.compile(r"--checkpoint-every\b"), "`checkpoint_every`"),
    (re.compile(r", or be brought by --memory-process NAME=COMMAND"), ", or a subclass of morta.Memory"),
    (re.compile(r"--(out|set|ticks|seeds?|profile|jobs|threads)\b"), r"`\1`"),
)


def _in_python(line: str) -> str:
    """A line that the command line would say, in the words of who calls from Python."""
    for flag, word in _WORDS:
        line = flag.sub(word, line)
    return line


def _near(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, known, 1)
    return f": did you mean {near[0]!r}?" if near else f"; there are {', '.join(known)}"


def read(folder: PathLike, table: str) -> Table:
    """A table of a run's or sweep's folder, such as "lives"."""
    try:
        import pyarrow.parquet as parquet  # type: ignore[import-untyped,import-not-found,unused-ignore]
    except ImportError:
        raise ImportError("tables are read with pyarrow: pip install pyarrow") from None
    folder = os.fspath(folder)
    path = os.path.join(folder, f"{table}.parquet")
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"there is no folder {folder}")
    if not os.path.isfile(path):
        raise KeyError(f"{folder} has no table {table!r}{_near(table, _tables_in(folder))}")
    return Table(parquet.read_table(path))


class Figure:
    """A figure of the report, an SVG file; notebooks show it."""

    def __init__(self, name: str, svg: str) -> None:
        #: What it shows, in a word or two.
        self.name = name
        #: The file's text.
        self.svg = svg

    def _repr_svg_(self) -> str:
        # Notebooks put it into a page, where the declaration of a file of XML has no place.
        return self.svg[self.svg.index("<svg") :]

    def __repr__(self) -> str:
        return f"Figure {self.name!r}: {len(self.svg)} bytes of SVG"

    def save(self, path: PathLike) -> None:
        """Writes the file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


def _axes(ax: Any) -> Any:
    """Axes of matplotlib: those that were handed over, or new ones."""
    if ax is True:
        try:
            from matplotlib import pyplot  # type: ignore[import-untyped,import-not-found,unused-ignore]
        except ImportError:
            raise ImportError("ax=True: axes are matplotlib's: pip install matplotlib, or leave `ax` out for an SVG figure") from None
        return pyplot.subplots()[1]
    if not hasattr(ax, "fill_between"):
        raise TypeError(f"ax={ax!r}: must be axes of matplotlib, or True for new ones")
    return ax


def _draw_survival(ax: Any, groups: Sequence[str], lives: Iterable[Tuple[str, int, bool]], level: float, title: str) -> Any:
    """Kaplan and Meier's curves of groups of lives, each a group, its ticks and whether it outlived the run."""
    axes = _axes(ax)
    of: Dict[str, List[Tuple[int, bool]]] = {group: [] for group in groups}
    for group, ticks, censored in lives:
        if group in of:
            of[group].append((ticks, not censored))
    for group, known in of.items():
        if not known:
            continue
        steps = _morta.kaplan_meier([float(ticks) for ticks, _ in known], [died for _, died in known], level)
        times, shares = [0.0, *(step[0] for step in steps)], [1.0, *(step[1] for step in steps)]
        (line,) = axes.step(times, shares, where="post", label=group)
        band = [(time, *bounds) for time, _, bounds in steps if bounds is not None]
        if band:
            low_to_high = [[0.0, *(at[0] for at in band)], [1.0, *(at[1] for at in band)], [1.0, *(at[2] for at in band)]]
            axes.fill_between(*low_to_high, step="post", alpha=0.2, color=line.get_color(), linewidth=0)
    axes.set(ylim=(0.0, 1.02), xlabel="age (ticks)", ylabel="share surviving", title=title)
    axes.legend()
    return axes


class _Figures(Dict[str, Figure]):
    """Figures by name; one that isn't there is refused with those that are."""

    def __missing__(self, name: str) -> Figure:
        raise KeyError(f"no figure {name!r}{_near(name, list(self)) if self else '; there are none'}")


class _Folder:
    """What runs and sweeps have in common: a folder with tables, and the faults of memories."""

    #: The folder; None when nothing was written.
    folder: Optional[str]
    #: Faults of memories written in Python, by kind.
    faults: List[Fault]

    def _place(self) -> str:
        if self.folder is None:
            raise ValueError("nothing was kept of this run: give `out`, a folder, or `tables=True`")
        return self.folder

    @property
    def tables(self) -> Mapping[str, Table]:
        """All tables, by name."""
        return _Tables(self._place())

    @property
    def figures(self) -> Dict[str, Figure]:
        """The figures of the report, by name."""
        return _Figures((name, Figure(name, svg)) for name, svg in _morta.report(self._place())[1])

    def write_report(self, path: PathLike) -> None:
        """Writes the report, the page that `morta report` makes."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(_morta.report(self._place())[0])



class Run(_Folder):
    """A run that was lived: its folder, its digest, what it came to."""

    def __init__(self, summary: Dict[str, Any], faults: Sequence[Fault] = (), room: Any = None) -> None:
        #: The figures of `morta run --json`.
        self.summary = summary
        #: BLAKE3 over the event log, 64 hexadecimal digits.
        self.digest: str = summary["digest"]
        self.folder = summary["run_dir"]
        self.faults = list(faults)
        #: Whether it was lived to its end. Where not, its memories weren't asked any more in the last tick.
        self.complete: bool = not summary["interrupted"]
        # A temporary folder goes with the last who holds it.
        self._room = room

    @property
    def manifest(self) -> Dict[str, Any]:
        """The manifest of its folder, as a dict."""
        with open(os.path.join(self._place(), "manifest.json"), encoding="utf-8") as file:
            manifest: Dict[str, Any] = json.load(file)
            return manifest

    @property
    def lives(self) -> Table:
        """One row a life: born, died, of what, balances, R."""
        return self.read("lives")

    def read(self, table: str) -> Table:
        """A table of the run, such as "lives"."""
        return read(self._place(), table)

    @overload
    def survival(self) -> Figure: ...
    @overload
    def survival(self, ax: Any) -> Any: ...
    def survival(self, ax: Any = None) -> Any:
        """The survival curves of its cohorts, as the report has them: a `Figure`.

        With `ax`, axes of matplotlib (True makes some), the same numbers are drawn there, and the axes are returned.
        """
        if ax is None:
            return self.figures["survival"]
        rows = zip(*(self.lives[column].to_pylist() for column in ("cohort", "lifespan_ticks", "censored")))
        cohorts = [cohort["name"] for cohort in self.manifest["scenario"]["cohorts"]]
        return _draw_survival(ax, cohorts, rows, 0.95, "Survival by cohort")

    def _lines(self) -> List[str]:
        figures = self.summary
        deaths = ", ".join(f"{cause} {count}" for cause, count in figures["deaths"].items()) or "none"
        lines = [
            f"{figures['ticks']} ticks of seed {figures['seed']}{'' if self.complete else ', INTERRUPTED'}",
            f"digest {self.digest}",
            f"{figures['born']} born, {figures['alive']} alive; deaths: {deaths}",
            f"{figures['golem_ticks_per_s']:,.0f} golem-ticks/s",
            f"written to {self.folder}" if self._room is None and self.folder else "written nowhere",
        ]
        return lines + [f"FAULT: {fault}" for fault in self.faults]

    def __repr__(self) -> str:
        return "Run: " + "\n     ".join(self._lines())

    def _repr_html_(self) -> str:
        return _html("Run", self._lines())


def _html(title: str, lines: Sequence[str]) -> str:
    from html import escape

    return f"<b>{title}</b><br>" + "<br>".join(escape(line) for line in lines)


class _Bar:
    """Progress as tqdm draws it, in a terminal or a notebook; nothing where there is neither, or no tqdm."""

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.bar: Any = None

    def __call__(self, done: int, total: int) -> None:
        if self.bar is None:
            from tqdm.auto import tqdm  # type: ignore[import-untyped,import-not-found,unused-ignore]

            self.bar = tqdm(total=total, unit=self.unit, leave=False)
        self.bar.update(done - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


_Answer = Tuple[Optional[str], str, Optional[BaseException]]


def _watched(unit: str, progress: Progress, work: Callable[[Any], _Answer]) -> Tuple[Optional[Dict[str, Any]], List[Fault], Optional[BaseException]]:
    """Does the work with what is asked for as `progress`: what was done, the faults, and what ended it."""
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise TypeError(f"progress={progress!r}: must be True, False, None or a function of (done, in all)")
    if progress is None:
        progress = (sys.stderr.isatty() or "ipykernel" in sys.modules) and importlib.util.find_spec("tqdm") is not None
    bar = _Bar(unit) if progress is True else None
    try:
        done, faults, ended = work(bar if isinstance(progress, bool) else progress)
    except (ValueError, RuntimeError) as error:
        if type(error) not in (ValueError, RuntimeError):
            raise
        raise type(error)(_in_python(str(error))) from error.__cause__
    finally:
        if bar is not None:
            bar.close()
    return None if done is None else json.loads(done), [Fault(**fault) for fault in json.loads(faults)], ended


Scenario = Union[PathLike, Mapping[str, Any]]


def run(
    scenario: Scenario,
    memory: Union[None, str, Type[Memory]] = None,
    *,
    set: Optional[Mapping[str, Any]] = None,
    cohorts: Union[None, str, Iterable[str]] = None,
    seed: Optional[int] = None,
    ticks: Optional[int] = None,
    out: Optional[PathLike] = None,
    tables: bool = False,
    threads: Optional[int] = None,
    plain: bool = False,
    checkpoint_every: Optional[int] = None,
    resume: bool = False,
    on_fault: OnFault = None,
    progress: Progress = None,
) -> Run:
    """Lives through a scenario: a file, or a dict of what one would hold.

    `memory` is a subclass of `Memory`, or the name of a shipped one; every cohort remembers with it, or those named in `cohorts` (none of
    them with `cohorts=()`, where `set` says which do). `set` changes keys as `--set` does: {"mortality.hazard_scale": 10}. Parameters of
    a class are {"memory.own.NAME.KEY": value}. Without `out` nothing is written; `tables=True` keeps the tables all the same, for as long
    as the `Run` is held. A hash of the class's code is in the manifest, as `memory.own.NAME.source_sha256` of the scenario.

    A memory that raises ends its golem's life. `on_fault` says what becomes of the run: "raise" ends it at the first fault with a
    `MemoryFault`, "warn" warns of the first, "ignore" only counts. None warns of the first, and ends the run once each of the first hundred
    lives, or all there are, ended so. Kinds and counts are in `faults`.

    `threads` defaults to one for a memory in Python, whose golems take turns at the interpreter; memories that wait (for a model, a disk)
    gain from more. `progress` is True, False, a function that is called with (ticks done, ticks in all), or None: a bar where tqdm is there
    and somebody looks on.

    Ctrl-C, or what a memory raises besides `Exception`, stops the run when the call under way returns; the exception's `run` is the `Run`
    so far.

    `checkpoint_every=500` writes the world into `out` every 500 ticks, memories by their `save`, and makes no difference to what happens.
    Where such a run was stopped, or its process killed, the same call with `resume=True` goes on from the last checkpoint to the bytes that
    the uninterrupted run has; where nothing was begun it begins. It is refused where the scenario, the data or the class has changed
    meanwhile. Tables come at the end (so a stopped run has no `Run`), and `faults` are those since it was resumed.
    """
    own = memory if isinstance(memory, type) else None
    if set is not None and not isinstance(set, Mapping):
        raise TypeError(f"set={set!r}: must be a dict of keys and values, such as {{'mortality.hazard_scale': 10}}")
    changes = dict(set or {})
    named: Optional[Tuple[str, Optional[Type[Memory]]]] = None
    if own is not None:
        _demand(own)
        named = (name_of(own), own)
        changes.update(_notes([own]))
    elif isinstance(memory, str):
        known = _morta.memories()
        if memory not in known:
            raise ValueError(f"memory={memory!r}: no shipped memory has this name{_near(memory, known)}")
        named = (memory, None)
    elif memory is not None:
        raise TypeError(f"memory={memory!r}: must be a subclass of morta.Memory, not one of its objects, or the name of a shipped memory")
    lines = [f"{key}={_value(key, value)}" for key, value in changes.items()]
    checkpoint_every = _optional("checkpoint_every", checkpoint_every, 1, _LONG)
    resume = _resumes(resume, checkpoint_every, out, threads, own)
    seed, ticks, threads = _optional("seed", seed, 0, _LONG), _optional("ticks", ticks, 1, _LONG), _optional("threads", threads, 1, _SHORT)
    cohorts = [cohorts] if isinstance(cohorts, str) else None if cohorts is None else list(cohorts)
    room = _Room() if tables and out is None else None
    folder = os.path.join(room.name, "run") if room is not None else out
    place = None if folder is None else os.fspath(folder)
    with _file_of(scenario) as path:
        told, faults, ended = _watched("tick", progress, lambda progress: _morta.run(
            path, named, cohorts, lines, seed, ticks, place, threads, plain, checkpoint_every, resume, on_fault, progress
        ))
    lived = None if told is None else Run(told if ended is None else {**told, "interrupted": True}, faults, room)
    if ended is not None:
        ended.run = lived  # type: ignore[attr-defined]
        if lived is None and (resume or checkpoint_every is not None) and hasattr(ended, "add_note"):
            ended.add_note(f"{place} holds a checkpoint: the same call with resume=True goes on from there")
        raise ended
    assert lived is not None, "a run that isn't ended by anything has been lived"
    return lived


#: Keys of a scenario that name files and folders, which the file of one has relative to itself.
_PATHS = ("file", "start_from", "persist", "cassette")


def _placed(value: Any, key: str = "") -> Any:
    """A dict of what a scenario would hold, with paths that work from anywhere: in Python they are relative to the working directory."""
    if isinstance(value, Mapping):
        return {name: _placed(part, str(name).rpartition(".")[2]) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_placed(part) for part in value]
    return os.path.abspath(value) if key in _PATHS and isinstance(value, (str, os.PathLike)) else value


def _resumes(resume: bool, every: Optional[int], out: Optional[PathLike], threads: Optional[int], own: Optional[Type[Memory]]) -> bool:
    """Whether there is something to go on with; refuses what can't be gone on with, now or later."""
    if not resume and every is None:
        return False
    argument = "resume=True" if resume else f"checkpoint_every={every}"
    if out is None:
        raise ValueError(f"{argument}: give `out`, the folder that holds the checkpoints")
    if threads is not None:
        raise ValueError(f"{argument}: a run with checkpoints is lived by one thread: leave `threads` out")
    if not resume:
        return False
    _demand_known(own, out)
    # A script says the same each time it is started; the first time there is nothing yet, or nothing but the lock of a process that was killed.
    return every is None or (os.path.isdir(out) and any(name != _LOCK for name in os.listdir(out)))


#: File by which a process keeps others from writing to its folder.
_LOCK = "lock"


def _demand_known(memory: Optional[Type[Memory]], out: PathLike) -> None:
    """Refuses to resume with a class of which nobody can know whether it is what it was."""
    why = None if memory is None else version_of(memory)[1]
    if memory is not None and why is not None:
        raise ValueError(
            f"resume=True: whether {memory.__name__} is still what lived in {os.fspath(out)} can't be known, as it uses {why}: say so "
            f"yourself with a text on the class, {memory.__name__}.version = \"1\", that changes with what it does (and begin anew, in "
            "another folder)"
        )


class _file_of:
    """A scenario as a file: the one that is named, or for the time of a run, one of what a dict holds."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.room: Any = None

    def __enter__(self) -> str:
        if not isinstance(self.scenario, Mapping):
            if not isinstance(self.scenario, (str, os.PathLike)):
                raise TypeError(f"scenario={self.scenario!r}: must be the path of a scenario file, or a dict of what one would hold")
            path = os.fspath(self.scenario)
            if not os.path.isfile(path):
                raise FileNotFoundError(f"there is no scenario {path}")
            return path
        self.room = _Room()
        path = os.path.join(self.room.name, "scenario.toml")
        scenario = {"name": "python", **self.scenario}
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f"{_key(key)} = {_value(key, value)}\n" for key, value in _placed(scenario).items())
        return path

    def __exit__(self, _: Any, error: Optional[BaseException], __: Any) -> None:
        if self.room is not None:
            self.room.cleanup()
            if type(error) is ValueError:
                # A dict has no file that its reader would know.
                raise ValueError(str(error).replace(os.path.join(self.room.name, "scenario.toml"), "scenario")) from error.__cause__


#: Verdicts that don't tell arms apart, in whose colour the report's figure has them too.
_NOT_TOLD_APART = (None, "same_bytes", "cannot_be_computed", "alike", "not_settled")


class Sweep(_Folder):
    """A sweep that was run: its folder, its analysis, what became of its cells."""

    def __init__(self, told: Dict[str, Any], faults: Sequence[Fault] = ()) -> None:
        self.folder = told["sweep_dir"]
        self.faults = list(faults)
        #: Whether every cell has ended, and no golem by a fault of a memory in Python.
        self.complete: bool = told["complete"] and not self.faults
        #: Cells that were lived now.
        self.ran_now: int = told["ran_now"]
        #: A line for each cell that failed, and for each kind of fault.
        self.failures: List[str] = [*told["failures"], *map(str, self.faults)]
        #: What a reader of its verdicts should know: seeds that were used before, prices that worlds share, a horizon beyond the end, as the command line notes them.
        self.notes: List[str] = list(told["notes"])
        #: `analysis.json`, as a dict.
        self.analysis: Dict[str, Any] = told["analysis"]

    @property
    def sentences(self) -> List[str]:
        """The verdicts in words."""
        return list(self.analysis["sentences"])

    @property
    def results(self) -> Table:
        """One row for each cell and cohort."""
        return self.read("results")

    def read(self, table: str = "results") -> Table:
        """A table of the sweep, such as "results"."""
        return read(self._place(), table)

    @overload
    def survival(self) -> Figure: ...
    @overload
    def survival(self, ax: Any) -> Any: ...
    def survival(self, ax: Any = None) -> Any:
        """The survival curves of its arms, lives of all worlds pooled, as the report has them; `ax` is as for `Run.survival`."""
        if ax is None:
            return self.figures["survival"]
        primary = self.analysis["primary"]
        cohort = (self.analysis.get("survival") or primary)["cohort"]
        lives = self.read("lives")
        columns = (lives[column].to_pylist() for column in ("arm", "lifespan_ticks", "censored", "cohort"))
        rows = [(arm, ticks, censored) for arm, ticks, censored, of in zip(*columns) if cohort in ("all", of)]
        others = [arm["arm"] for arm in primary["arms"] if arm["arm"] != primary["baseline"]]
        return _draw_survival(ax, [primary["baseline"], *others], rows, primary["confidence"], f"Survival by arm, lives of {cohort}")

    @overload
    def forest(self) -> Figure: ...
    @overload
    def forest(self, ax: Any) -> Any: ...
    def forest(self, ax: Any = None) -> Any:
        """The differences from the baseline with their intervals, as the report has them; `ax` is as for `Run.survival`."""
        if ax is None:
            return self.figures["differences"]
        axes, primary = _axes(ax), self.analysis["primary"]
        rows = [(arm["arm"], arm["difference"]) for arm in primary["arms"] if arm.get("difference") and arm["difference"]["effect"] is not None]
        if primary.get("effect_of_interest") is not None:
            axes.axvspan(-primary["effect_of_interest"], primary["effect_of_interest"], color="0.92", zorder=0)
        axes.axvline(0.0, color="0.4", linewidth=0.8)
        for place, (_, found) in enumerate(rows):
            colour = "0.35" if found.get("verdict") in _NOT_TOLD_APART else "C0"
            interval = found["interval"]
            if isinstance(interval, dict) and "low" in interval:
                axes.hlines(place, interval["low"], interval["high"], color=colour)
            axes.plot([found["effect"]], [place], "o", color=colour)
        axes.set_yticks(range(len(rows)), [name for name, _ in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xlabel(f"difference of {primary['measure']} of {primary['cohort']} ({primary['unit']})")
        axes.set_title(f"Differences of {primary['measure']} from {primary['baseline']}")
        return axes

    def _lines(self) -> List[str]:
        state = "every cell has ended" if self.complete else "NOT COMPLETE"
        return [f"{state}; {self.ran_now} cells lived now, in {self.folder}", *self.sentences, *self.failures, *(f"note: {note}" for note in self.notes)]

    def __repr__(self) -> str:
        return "Sweep: " + "\n       ".join(self._lines())

    def _repr_html_(self) -> str:
        return _html("Sweep", self._lines())


def sweep(
    file: Scenario,
    out: PathLike,
    *,
    memories: Union[Type[Memory], Iterable[Type[Memory]]] = (),
    profile: Optional[str] = None,
    seeds: Optional[int] = None,
    jobs: Optional[int] = None,
    processes: Optional[int] = None,
    resume: bool = False,
    on_fault: OnFault = None,
    progress: Progress = None,
) -> Sweep:
    """Runs a sweep file into a folder; its arms may name the `memories`, subclasses of `Memory`.

    The file is read from disk, or is a dict of what it would hold: then it is written to `out` with ".toml" added. Every arm notes the
    version of each class (a hash of its code, or its `version`), so that `resume` never takes cells of another version for these; where a
    class's code can't be known, `resume` is refused. `on_fault` is as in `run`; faults are in `failures` too, and such a sweep isn't
    `complete`. `jobs` cells are lived at a time, by default as many as there are cores; with `memories` one, because cells take turns at the
    interpreter (say more for memories that wait): `processes` has them lived by so many new ones, which import the classes; a script that asks for it keeps its own work under `if __name__ == "__main__":`. `progress` is as in `run`, of cells. A sweep that Ctrl-C stops is gone on with by `resume=True`;
    other processes end the cells that they are at first.
    """
    memories = [memories] if isinstance(memories, type) else list(memories)
    seeds, jobs = _optional("seeds", seeds, 1, _LONG), _optional("jobs", jobs, 1, _SHORT)
    for memory in memories:
        _demand(memory)
        if resume:
            _demand_known(memory, out)
    if isinstance(file, Mapping):
        path = _written(file, f"{os.fspath(out)}.toml")
    else:
        path = os.fspath(file)
        if not os.path.isfile(path):
            raise FileNotFoundError(f"there is no sweep file {path}")
    named = [(name_of(memory), memory) for memory in memories]
    notes = list(_notes(memories).items())
    if processes is not None:
        whole = (path, os.fspath(out), named, notes, profile, seeds)
        return _swept_by(_whole("processes", processes, 1, _SHORT), whole, resume, on_fault, progress)
    told, faults, ended = _watched("cell", progress, lambda progress: _morta.sweep(
        path, os.fspath(out), named, notes, profile, seeds, jobs, resume, None, on_fault, progress
    ))
    swept = None if told is None else Sweep({**told, "complete": told["complete"] and ended is None}, faults)
    if ended is not None:
        ended.run = swept  # type: ignore[attr-defined]
        raise ended
    assert swept is not None, "a sweep that isn't ended by anything has been run"
    return swept


#: Shares for each process: the more, the less waits for the last one or is lost at an interrupt; each costs the reading of the sweep, 15 to 35 ms.
#: With 4, two processes waited a tenth of their time for the last share of two cells; with 16 the reading costs what is gained.
_SHARES = 8

_Whole = Tuple[str, str, List[Tuple[str, Type[Memory]]], List[Tuple[str, str]], Optional[str], Optional[int]]


def _share(whole: _Whole, share: Tuple[int, int], on_fault: OnFault) -> Tuple[int, List[Fault]]:
    """Lives the cells of a share, in a process of its own: how many, and the faults."""
    path, out, named, notes, profile, seeds = whole
    if dict(notes) != _notes(memory for _, memory in named):
        names = ", ".join(memory.__name__ for _, memory in named)
        raise ValueError(f"{names}: the file has changed since it was imported: import it again, and run the sweep anew")
    told, faults, ended = _watched("cell", False, lambda _: _morta.sweep(
        path, out, named, notes, profile, seeds, 1, False, share, on_fault, None
    ))
    if ended is not None:
        raise ended
    assert told is not None, "what isn't ended by anything has been lived"
    return told["ran_now"], faults


def _swept_by(processes: int, whole: _Whole, resume: bool, on_fault: OnFault, progress: Progress) -> Sweep:
    import concurrent.futures
    import multiprocessing

    path, out, named, notes, profile, seeds = whole
    main = sys.modules["__main__"]
    for _, memory in named:
        if memory.__module__ == "__main__" and not hasattr(main, "__file__"):
            raise ValueError(
                f"processes={processes}: other processes can't import {memory.__name__} from a notebook or a prompt: put the class into a file "
                "beside it, and import it from there"
            )
    if os.path.isdir(out) and os.listdir(out) and not resume:
        raise FileExistsError(f"{out} is not empty: resume=True goes on with what is there, or choose another `out`")
    count = processes * _SHARES
    ran: List[int] = []
    faults: List[Fault] = []

    def work(report: Any) -> _Answer:
        # A fork would be refused where this process has lived something.
        context = multiprocessing.get_context("spawn")
        with concurrent.futures.ProcessPoolExecutor(processes, mp_context=context) as pool:
            shares = [pool.submit(_share, whole, (number, count), on_fault) for number in range(count)]
            try:
                for done, share in enumerate(concurrent.futures.as_completed(shares), 1):
                    cells, found = share.result()
                    ran.append(cells)
                    faults.extend(found)
                    if report is not None:
                        report(done, count)
            except BaseException:
                for share in shares:
                    share.cancel()
                raise
        return _morta.sweep(path, out, named, notes, profile, seeds, 1, False, (count, count), on_fault, None)

    told, _, ended = _watched("share", progress, work)
    if ended is not None:
        raise ended
    assert told is not None, "what isn't ended by anything has been collected"
    return Sweep({**told, "ran_now": sum(ran)}, _merged(faults))


def _merged(faults: Iterable[Fault]) -> List[Fault]:
    """One for each kind."""
    kinds: Dict[Any, Fault] = {}
    for fault in faults:
        kind = (fault.memory, fault.method, fault.exception, fault.line)
        first = kinds.get(kind)
        kinds[kind] = fault if first is None else first._replace(lives=first.lives + fault.lives)
    return list(kinds.values())


#: First line of the files that a dict was written to.
_OURS = "# Written by morta.sweep\n"


def _written(sweep: Mapping[str, Any], path: str) -> str:
    """Writes the file of a sweep; never over a file that says something else. Its scenario is relative to the working directory."""
    scenario = sweep.get("scenario")
    if isinstance(scenario, Mapping):
        raise TypeError("scenario={...}: a sweep varies the file of a scenario: give its path, and keys that it hasn't in `set`")
    if isinstance(scenario, (str, os.PathLike)):
        sweep = {**sweep, "scenario": os.path.relpath(scenario, os.path.dirname(os.path.abspath(path)))}
    text = _OURS + "".join(f"{_key(key)} = {_value(key, value)}\n" for key, value in sweep.items())
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            there = file.read()
        # What was refused, and left no folder, may be mended under the same name.
        is_refused = there.startswith(_OURS) and not os.path.exists(path[: -len(".toml")])
        if there != text and not is_refused:
            raise FileExistsError(f"{path} holds another sweep: choose another `out`, or move the file away")
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


class Conformance(Dict[str, Any]):
    """What the conformance kit found: a dict with `conforms`, a list of `checks`, each with name, holds and found, and the `faults` that its golems died of."""

    def _lines(self) -> List[str]:
        held = [check["holds"] for check in self["checks"]]
        head = f"{self['memory']}: {'conforms' if self['conforms'] else 'DOES NOT CONFORM'}, {sum(held)} of {len(held)} checks hold"
        checks = [f"{'holds' if check['holds'] else 'FAILS'}  {check['name']}: {check['found']}" for check in self["checks"]]
        return [head, *checks, *map(str, self["faults"])]

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _repr_html_(self) -> str:
        return _html("Conformance", self._lines())


def conformance(memory: Type[Memory], seed: int = 1) -> Conformance:
    """Puts a class through the conformance kit: the same bytes by every driver and through save and load, no vetoes where nothing can be known, bounded size."""
    _demand(memory)
    told, faults, ended = _watched("check", False, lambda _: _morta.conformance(name_of(memory), memory, seed))
    if ended is not None:
        raise ended
    assert told is not None, "what isn't ended by anything has been checked"
    return Conformance(told, conforms=all(check["holds"] for check in told["checks"]), faults=faults)


def scenario(name: str = "quickstart") -> str:
    """The path of a scenario that comes with the package, for `run`, or to be copied and changed; its prices lie beside it."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "scenarios")
    known = sorted(file[: -len(".toml")] for file in os.listdir(folder) if file.endswith(".toml"))
    if name not in known:
        raise ValueError(f"scenario {name!r}: none of this name comes with the package{_near(name, known)}")
    return os.path.join(folder, f"{name}.toml")


def open_run(folder: PathLike) -> Run:
    """A run that another time or program has lived, from its folder."""
    folder = os.fspath(folder)
    path = os.path.join(folder, "manifest.json")
    if not os.path.isfile(path):
        is_cut = os.path.isdir(os.path.join(folder, "checkpoint"))
        why = "it was cut off: run(..., resume=True) goes on with it" if is_cut else "it has no manifest.json"
        raise FileNotFoundError(f"{folder} holds no run that has ended: {why}")
    with open(path, encoding="utf-8") as file:
        manifest = json.load(file)
    lives = read(folder, "lives")
    causes = [cause for cause in lives["cause"].to_pylist() if cause is not None]
    wall_s = manifest["observed"]["wall_s"]
    return Run({
        "run_dir": folder,
        "seed": manifest["seed"],
        "ticks": manifest["ticks"],
        "born": len(lives),
        "alive": len(lives) - len(causes),
        "deaths": {cause: causes.count(cause) for cause in sorted({*causes})},
        "digest": manifest["digest"],
        "wall_s": wall_s,
        "golem_ticks_per_s": manifest["golem_ticks"] / wall_s if wall_s else float("nan"),
        "ledger_conserved": manifest["ledger_conserved"],
        "interrupted": manifest["interrupted"],
    })


def _demand(memory: Any) -> None:
    if not (isinstance(memory, type) and issubclass(memory, Memory)):
        raise TypeError(f"memory={memory!r}: must be a subclass of morta.Memory")
    missing = [method for method in ("advise", "observe") if getattr(memory, method) is getattr(Memory, method)]
    if missing:
        own = [name for name in dir(memory) if not hasattr(Memory, name)]
        near = [f"(is {close[0]} meant to be {name}?)" for name in missing for close in [difflib.get_close_matches(name, own, 1)] if close]
        text = f"{memory.__name__} has no {' and no '.join(missing)}: a memory must have advise(self, moment, candidates) and observe(self, experience)"
        raise TypeError(" ".join([text, *near]))
