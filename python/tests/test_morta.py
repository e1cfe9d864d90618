"""Memories written in Python live as those written in Rust do."""

import os
import re
import subprocess
import sys

import morta
import pytest
from ledger import Ledger

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
LEARNABLE = os.path.join(ROOT, "scenarios", "controls", "learnable.toml")


def live(memory, out=None, golems=4, ticks=300, **more):
    name = morta.runs.name_of(memory)
    cohorts = [{"name": "golems", "golems": golems, "memory": name}]
    changes = {"cohorts": cohorts, **more.pop("set", {})}
    return morta.run(LEARNABLE, memory, set=changes, ticks=ticks, out=out, **more)


def test_the_ledger_in_python_has_the_digest_of_the_ledger_in_rust():
    example = os.environ.get("MORTA_OWN_MEMORY")
    command = [example] if example else ["cargo", "run", "-q", "-p", "morta-lab", "--example", "own_memory", "--"]
    told = subprocess.run([*command, "2"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    rust = re.search(r"^digest ([0-9a-f]{64})$", told, re.M).group(1)
    assert live(Ledger, golems=8, ticks=None).digest == rust


def test_threads_make_no_difference():
    digests = {live(Ledger, threads=1).digest, live(Ledger, threads=2).digest, live(Ledger, plain=True).digest}
    assert len(digests) == 1


def test_tables_are_read_and_the_manifest_names_the_source(tmp_path):
    run = live(Ledger, out=tmp_path / "run")
    assert run.read("lives").num_rows == 4
    assert set(run.read("trades").column("strategy").to_pylist())
    own = run.manifest["scenario"]["memory"]["own"]["ledger"]
    assert own["source_sha256"] == morta.runs.source_of(Ledger)


def test_parameters_reach_the_memory():
    assert live(Ledger, set={"memory.own.ledger.prior_weight": 50.0}).digest != live(Ledger).digest
    assert live(Ledger, set={"memory.own.ledger.prior_weight": 5}).digest == live(Ledger).digest
    assert Ledger({"parameters": {}}).prior_weight == 5.0
    # What isn't declared would be lived without.
    with pytest.raises(morta.MemoryFault, match="memory.own.ledger has no key 'prior_wieght': the class declares 'prior_weight'"):
        live(Ledger, set={"memory.own.ledger.prior_wieght": 50.0})
    with pytest.raises(morta.MemoryFault, match="memory.own.ledger.prior_weight is 'much': its default, 5.0, is of another type"):
        live(Ledger, set={"memory.own.ledger.prior_weight": "much"})
    with pytest.raises(ValueError, match="cohorts"):
        live(Ledger, golems=0)


class Gambler(morta.Memory):
    """Expects what a draw says."""

    def advise(self, moment, candidates):
        return [self.random.normal() for _ in range(len(candidates))]

    def observe(self, experience):
        self.last = self.random.uniform()


def test_chance_is_keyed_by_the_world():
    assert live(Gambler).digest == live(Gambler, threads=2).digest
    assert live(Gambler).digest != live(Gambler, seed=2).digest


class Sleeper(Ledger):
    """Pays for some thought once in fifty ticks, and leaves what it knows."""

    name = "sleeper"

    def sleep(self, attention):
        if attention.age % 50 != 49 or not attention.idle:
            return None
        if attention.price_usdc(0, 1_000, 100) > attention.inference_left_usdc:
            return None
        return morta.Upkeep(seen=len(self.seen), tokens_read=1_000, tokens_written=100, asleep_ticks=2)

    def bequeath(self):
        best = sorted(self.seen.items(), key=lambda item: (-item[1][0], item[0]))[:3]
        return [morta.Lesson(key[1], sum_r / count, key[0], 0.6, count) for key, (count, sum_r) in best]

    def inherit(self, lessons):
        for lesson in lessons:
            self.seen.setdefault((lesson.regime, lesson.strategy, "long"), (1, lesson.expected_r))


def test_upkeep_is_paid_for_and_the_dead_are_drawn_from(tmp_path):
    changes = {
        "population.policy": "fixed", "mortality.hazard_scale": 1000.0, "lethe.draws_at_birth": 3,
        "lethe.delay_hours_max": 0.0, "lethe.delay_hours_min": 0.0,
        "mortality.thanatopsis.snapshot_interval_ticks": 20, "mortality.thanatopsis.snapshot_usdc": 0.0001,
    }
    run = live(Sleeper, out=tmp_path / "run", ticks=600, set=changes)
    kinds = run.read("events").column("kind").to_pylist()
    assert {"memory_kept", "memory_slept"} <= set(kinds)
    assert run.summary["inference_cost_usd"] > 0 and run.summary["ledger_conserved"]
    assert run.summary["bloodstains_left"] > 0 and run.summary["bloodstains_drawn"] > 0


class Raises(Ledger):
    """Fails at its tenth outcome."""

    def observe(self, experience):
        super().observe(experience)
        if sum(count for count, _ in self.seen.values()) == 10:
            raise RuntimeError("on purpose")


def test_a_memory_that_raises_ends_its_golems_life_and_not_the_run():
    run = live(Raises, ticks=600)
    assert set(run.summary["deaths"]) == {"fault"} and run.summary["deaths"]["fault"] >= 4
    assert run.summary["ledger_conserved"]


def test_the_kit_passes_the_ledger_and_catches_what_forgets():
    report = morta.conformance(Ledger)
    assert all(check["holds"] for check in report["checks"]), report
    count = len(report["checks"])
    assert repr(report).splitlines()[0] == f"ledger: conforms, {count} of {count} checks hold"

    class Forgets(Ledger):
        def save(self):
            return b""

        @classmethod
        def load(cls, saved):
            return cls({"parameters": {}})

    report = morta.conformance(Forgets)
    failed = [check["name"] for check in report["checks"] if not check["holds"]]
    assert "save-load" in failed
    assert "DOES NOT CONFORM" in repr(report) and "\nFAILS  save-load: " in repr(report)


def test_what_cant_be_written_down_says_so():
    class Hoards(morta.Memory):
        def __init__(self, birth):
            super().__init__(birth)
            self.seen = {1, 2}

    with pytest.raises(TypeError, match="set can't be written down"):
        Hoards({}).save()
    with pytest.raises(TypeError, match="subclass of morta.Memory, not one of its objects"):
        morta.run(LEARNABLE, Hoards({}))


QUESTION = {
    "name": "own-memory",
    "scenario": LEARNABLE,
    "seeds": {"first": 1, "count": 3},
    "set": {"ticks": 400},
    "arms": [
        {"name": name, "set": {"cohorts": [{"name": "golems", "golems": 4, "memory": name}]}} for name in ("none", "ledger")
    ],
    "preregistration": {
        "hypothesis": "Who remembers means makes more than who remembers nothing.",
        "baseline": "none",
        "analysis": "The sum of R over the same time, paired by world.",
        "test": "paired_permutation",
        "correction": "holm",
        "alpha": 0.05,
        "effect_of_interest": 50.0,
        "power": 0.9,
        "primary": {"measure": "total_r", "direction": "more", "cohort": "golems"},
    },
}


def test_a_sweep_compares_it_with_others_and_another_source_is_another_sweep(tmp_path):
    told = []
    swept = morta.sweep(QUESTION, tmp_path / "sweep", memories=[Ledger], progress=lambda done, total: told.append((done, total)))
    assert swept.complete and swept.failures == [] and swept.ran_now == 6
    assert told[-1] == (6, 6)
    assert any("ledger" in sentence for sentence in swept.sentences)
    assert set(swept.read().column("memory").to_pylist()) >= {"none", "ledger"}
    again = morta.sweep(QUESTION, tmp_path / "sweep", memories=[Ledger], resume=True)
    assert again.ran_now == 0

    class Other(Ledger):
        name = "ledger"

    with pytest.raises(ValueError):
        morta.sweep(QUESTION, tmp_path / "sweep", memories=[Other], resume=True)


def test_progress_is_told_and_what_it_raises_stops_the_run():
    told = []
    live(Ledger, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (300, 300)

    def enough(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        live(Ledger, ticks=1_000_000, progress=enough)


@pytest.mark.parametrize("page", ["docs/src/memory-python.md", "README.md"])
def test_what_pages_show_runs_as_it_stands(tmp_path, page):
    with open(os.path.join(ROOT, page), encoding="utf-8") as page:
        code = re.search(r"^```python\n(.*?)^```$", page.read(), re.M | re.S).group(1)
    code = code.replace("scenarios/", os.path.join(ROOT, "scenarios", "")).replace("runs/", str(tmp_path / "runs") + os.sep)
    file = tmp_path / "page.py"
    file.write_text(code, encoding="utf-8")
    told = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=True).stdout
    digest, lives = told.splitlines()[0].split()
    assert re.fullmatch("[0-9a-f]{64}", digest) and int(lives) >= 64
