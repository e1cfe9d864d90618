"""Runs that are stopped or killed go on to the bytes of the uninterrupted one, or say why they can't."""

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import morta
import pytest
from ledger import Ledger
from test_morta import LEARNABLE, live

HERE = os.path.dirname(os.path.abspath(__file__))


def files(folder):
    """The bytes of all that a run leaves, but for its manifest, which has the time of day."""
    names = sorted(name for name in os.listdir(folder) if name != "manifest.json" and os.path.isfile(folder / name) and not name.startswith("."))
    return {name: (folder / name).read_bytes() for name in names}


def same(run, whole):
    return run.complete and run.digest == whole.digest and files(pathlib.Path(run.folder)) == files(pathlib.Path(whole.folder))


class Stops(Ledger):
    """Asks to stop in the middle of a tick, once."""

    name = "ledger"
    version = "1"
    at = [None]

    def advise(self, moment, candidates):
        if self.at[0] is not None and moment.tick >= self.at[0]:
            self.at[0] = None
            raise KeyboardInterrupt
        return super().advise(moment, candidates)


@pytest.mark.parametrize("stopped_at", [37, 100, 170, 299])
def test_a_run_that_is_stopped_within_a_tick_goes_on_to_the_same_bytes(tmp_path, stopped_at):
    whole = live(Stops, out=tmp_path / "whole")
    assert same(live(Stops, out=tmp_path / "kept", checkpoint_every=50), whole)
    Stops.at[0] = stopped_at
    with pytest.raises(KeyboardInterrupt) as stopped:
        live(Stops, out=tmp_path / "cut", checkpoint_every=50)
    assert stopped.value.run is None and not os.path.exists(tmp_path / "cut" / "manifest.json")
    if sys.version_info >= (3, 11):
        assert "resume=True" in stopped.value.__notes__[0]
    with pytest.raises(ValueError, match="resume=True"):
        live(Stops, out=tmp_path / "cut", checkpoint_every=50)
    assert same(live(Stops, out=tmp_path / "cut", resume=True), whole)


class Waits(Ledger):
    """Waits at a tick until the stop was asked for, because on a fast machine a run may end before its progress is first reported."""

    name = "ledger"
    version = "1"
    at = [None]
    asked = threading.Event()

    def advise(self, moment, candidates):
        if self.at[0] is not None and moment.tick >= self.at[0]:
            assert self.asked.wait(60), "progress was not reported for a minute"
        return super().advise(moment, candidates)


def test_a_run_that_is_stopped_between_ticks_again_and_again_goes_on(tmp_path):
    whole = live(Waits, out=tmp_path / "whole", ticks=2000)

    def stop(done, total):
        if Waits.at[0] is not None and done >= 0.9 * Waits.at[0]:
            Waits.at[0] = None
            Waits.asked.set()
            raise KeyboardInterrupt

    for stopped_at in (400, 900, 1400):
        Waits.at[0] = stopped_at
        Waits.asked.clear()
        with pytest.raises(KeyboardInterrupt):
            live(Waits, out=tmp_path / "cut", ticks=2000, checkpoint_every=100, resume=True, progress=stop)
    assert same(live(Waits, out=tmp_path / "cut", ticks=2000, checkpoint_every=100, resume=True, progress=stop), whole)


SCRIPT = """
import sys
sys.path.insert(0, {here!r})
from ledger import Ledger
from test_morta import live
live(Ledger, out={out!r}, ticks=10_000, checkpoint_every=20, resume=True)
"""


def test_a_run_whose_process_is_killed_goes_on_in_another(tmp_path):
    whole = live(Ledger, out=tmp_path / "whole", ticks=10_000)
    cut = tmp_path / "cut"
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(here=HERE, out=str(cut)))
    kills = 0
    for _ in range(3):
        process = subprocess.Popen([sys.executable, str(script)])
        state = cut / "checkpoint" / "state.bin"
        begun = state.stat().st_mtime_ns if state.exists() else 0
        while process.poll() is None and not (state.exists() and state.stat().st_mtime_ns != begun):
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.wait()
        kills += not (cut / "manifest.json").exists()
    assert kills > 0, "the machine is too fast for this test: lengthen the run"
    assert same(live(Ledger, out=cut, ticks=10_000, resume=True), whole)


def stopped(memory, out, **more):
    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        live(memory, out=out, ticks=100_000, checkpoint_every=50, progress=stop, **more)


def test_another_class_or_scenario_is_not_gone_on_with(tmp_path):
    stopped(Ledger, tmp_path / "cut")

    class Other(Ledger):
        name = "ledger"

    with pytest.raises(ValueError, match="source_sha256 was .* and is (.|\n)*this is not the run that was begun here: put back what was changed"):
        live(Other, out=tmp_path / "cut", ticks=100_000, resume=True)
    with pytest.raises(ValueError, match="scenario.ticks was 100000 and is 300"):
        live(Ledger, out=tmp_path / "cut", resume=True)
    with pytest.raises(ValueError, match="scenario.cohorts.golems.memory was"):
        morta.run(LEARNABLE, "rag", set={"cohorts": [{"name": "golems", "golems": 4, "memory": "rag"}]}, ticks=100_000, out=tmp_path / "cut", resume=True)


def test_a_folder_may_be_resumed_from_another_working_directory(tmp_path, monkeypatch):
    scenario = morta.scenario("quickstart")
    changes = {"ticks": 50_000, "cohorts": [{"name": "golems", "golems": 2, "memory": "ledger"}]}

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        morta.run(scenario, Ledger, set=changes, cohorts=(), out=tmp_path / "cut", checkpoint_every=10, progress=stop)
    monkeypatch.chdir(tmp_path)
    calls = []

    def stop_again(done, total):
        calls.append(done)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        morta.run(os.path.relpath(scenario), Ledger, set=changes, cohorts=(), out="cut", resume=True, progress=stop_again)
    assert calls


class Locked(Ledger):
    """Nobody knows what it is."""

    lock = threading.Lock()


class Hoards(Ledger):
    """Can be saved when it is born, and not any more once it has seen something."""

    def observe(self, experience):
        super().observe(experience)
        self.hoard = {1, 2}


def test_what_cant_be_resumed_says_why(tmp_path):
    live(Ledger, out=tmp_path / "ended", checkpoint_every=100)
    with pytest.raises(ValueError, match="this run has ended: there is nothing to resume; morta.open"):
        live(Ledger, out=tmp_path / "ended", resume=True)
    with pytest.raises(ValueError, match="there is no such folder"):
        live(Ledger, out=tmp_path / "nothing", resume=True)
    live(Ledger, out=tmp_path / "nothing", resume=True, checkpoint_every=100)
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "notes.txt").write_text("mine")
    with pytest.raises(ValueError, match="only runs begun with `checkpoint_every` can be resumed"):
        live(Ledger, out=tmp_path / "foreign", resume=True)
    with pytest.raises(ValueError, match="checkpoint_every=5: give `out`"):
        live(Ledger, checkpoint_every=5)
    with pytest.raises(ValueError, match="leave `threads` out"):
        live(Ledger, out=tmp_path / "threads", checkpoint_every=5, threads=2)
    with pytest.raises(ValueError, match="checkpoint_every=0: must be a whole number from 1"):
        live(Ledger, out=tmp_path / "zero", checkpoint_every=0)
    with pytest.raises(ValueError, match="Locked.version"):
        live(Locked, out=tmp_path / "locked", checkpoint_every=100, resume=True)
    with pytest.raises(ValueError, match=r"golem L\d+.G\d+ can't be saved \(TypeError: Hoards.hoard: set can't be written down"):
        live(Hoards, out=tmp_path / "hoards", checkpoint_every=100)
