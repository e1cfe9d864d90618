"""The package as somebody meets it who works with data in Python: types, unit tests, tables, figures, messages."""

import copy
import os
import pickle
import subprocess
import sys
import threading

import morta
import pytest
from ledger import Ledger
from test_morta import LEARNABLE, QUESTION, ROOT, live


def test_a_memory_has_unit_tests():
    memory = Ledger({"parameters": {"prior_weight": 1.0}})
    memory.random = morta.Random(7)
    moment = morta.Moment(regime="volatile")
    candidates = morta.Candidates([morta.Candidate("breakout", "long", prior_r=0.5), morta.Candidate("momentum", "short")])
    assert [advice.expected_r for advice in memory.advise(moment, candidates)] == [0.5, 0.0]
    memory.observe(morta.Experience(strategy="breakout", side="long", regime="volatile", realised_r=-1.5))
    assert memory.advise(moment, candidates)[0] == morta.Advice(-0.5, confidence=0.5)
    assert morta.Attention(inference_left_usdc=2.0).price_usdc(0, 1_000_000, 0) > 0
    assert morta.Random(7).uniform() == morta.Random(7).uniform() != morta.Random(8).uniform()


def test_what_a_memory_is_told_is_iterated_compared_and_pickled():
    candidates = morta.Candidates([morta.Candidate("breakout", "long", 0.25, prior_r=0.5), morta.Candidate("momentum", "short")])
    assert [one.strategy for one in candidates] == list(candidates.strategy) == ["breakout", "momentum"]
    assert candidates[-1].side == "short" and candidates[0].strength == 0.25
    with pytest.raises(IndexError, match="there are 2 candidates"):
        candidates[2]
    for told in (candidates, morta.Moment(price=5.0, embedding=[0.5, 0.25]), morta.Experience(realised_r=2.0), morta.Advice(1.0)):
        assert pickle.loads(pickle.dumps(told)) == told == copy.copy(told)
    assert "price=5.0" in repr(morta.Moment(price=5.0))


@pytest.mark.parametrize("wrong, said", [
    (lambda: morta.Moment(regime="sideways"), 'regime "sideways": must be trending_up'),
    (lambda: morta.Experience(side="up"), 'side "up": must be long, short or'),
    (lambda: morta.Candidates([morta.Candidate("hope", "long")]), 'strategy "hope": must be trend_following'),
])
def test_what_a_memory_is_told_cant_be_wrong(wrong, said):
    with pytest.raises(ValueError) as raised:
        wrong()
    assert said in str(raised.value)


def test_what_a_run_hands_over_is_what_a_unit_test_makes():
    seen = []

    class Looks(Ledger):
        def advise(self, moment, candidates):
            if not seen:
                seen.extend([moment, candidates])
            return super().advise(moment, candidates)

        def observe(self, experience):
            super().observe(experience)
            seen[2:] = [experience]

    live(Looks)
    moment, candidates, experience = pickle.loads(pickle.dumps(seen))
    # The slow range isn't shown, and so isn't kept.
    assert repr(moment) == repr(seen[0]) and repr(candidates) == repr(seen[1]) and experience == seen[2]
    assert len(moment.embedding) > 0 and len(candidates) > 0


RIGHT = """
from typing import Any, Dict, List
import morta

class Mean(morta.Memory):
    def __init__(self, birth: Dict[str, Any]) -> None:
        super().__init__(birth)
        self.sum_r = 0.0
    def advise(self, moment: morta.Moment, candidates: morta.Candidates) -> List[float]:
        return [prior + self.sum_r for prior in candidates.prior_r]
    def observe(self, experience: morta.Experience) -> None:
        self.sum_r += experience.REALISED

lived = morta.run("quickstart.toml", memory=MEMORY)
rows: int = len(lived.lives)
"""


def test_types_are_checked_where_mypy_is_there(tmp_path):
    pytest.importorskip("mypy")
    package = os.path.dirname(os.path.dirname(os.path.abspath(morta.__file__)))

    def said(realised, memory):
        # Each text has a name of its own: mypy takes a file of the same size and second for the one in its cache.
        file = tmp_path / f"{realised}_{memory}.py".lower()
        file.write_text(RIGHT.replace("REALISED", realised).replace("MEMORY", memory), encoding="utf-8")
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(file)]
        return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "MYPYPATH": package}).stdout

    assert "Success" in said("realised_r", "Mean")
    assert '"Experience" has no attribute "realized_r"' in said("realized_r", "Mean")
    assert 'Argument "memory" to "run" has incompatible type "int"' in said("realised_r", "3")


def test_a_scenario_is_a_file_or_a_dict_and_a_memory_a_class_or_a_name(tmp_path, monkeypatch):
    scenario = {
        "seed": 7, "ticks": 60, "market": {"warmup_ticks": 50, "assets": [{"symbol": "GOLD", "source": {"kind": "synthetic"}}]},
        "cohorts": [{"name": "golems", "golems": 2, "memory": "none"}],
    }
    assert morta.run(scenario).digest == morta.run(scenario, memory="none").digest != morta.run(scenario, memory="rag").digest
    monkeypatch.chdir(ROOT)
    gold = {"symbol": "XAU", "source": {"kind": "replay", "file": "sim-data/xauusd_hour.csv.gz"}}
    assert morta.run({**scenario, "market": {"warmup_ticks": 50, "assets": [gold]}}).complete
    with pytest.raises(TypeError, match="a sweep varies the file of a scenario"):
        morta.sweep({**QUESTION, "scenario": scenario}, tmp_path / "none")
    swept = morta.sweep({**QUESTION, "scenario": os.path.relpath(LEARNABLE), "seeds": {"first": 1, "count": 2}}, tmp_path / "s", memories=[Ledger])
    assert swept.complete


def test_numbers_of_numpy_are_numbers():
    numpy = pytest.importorskip("numpy")
    changes = {"mortality.hazard_scale": numpy.float64(2.0)}
    assert live(Ledger, seed=numpy.int64(3), ticks=numpy.int32(50), set=changes).digest == live(Ledger, seed=3, ticks=50, set={"mortality.hazard_scale": 2.0}).digest


def test_tables_are_in_hand_without_a_folder():
    run = live(Ledger, tables=True)
    assert len(run.lives) == 4 and run.lives.columns[0] == "lineage" and "trades" in run.tables
    assert [row["golem"] for row in run.lives] == run.lives["golem"].to_pylist()
    with pytest.raises(KeyError, match="did you mean 'lives'"):
        run.read("life")
    assert run.survival()._repr_svg_().startswith("<svg") and run.digest in run._repr_html_()
    folder = run.folder
    del run
    assert not os.path.exists(folder)
    with pytest.raises(ValueError, match="tables=True"):
        live(Ledger, ticks=20).lives


def test_tables_are_frames_of_pandas():
    pandas = pytest.importorskip("pandas")
    lives = live(Ledger, tables=True).lives
    frame = lives.to_pandas()
    assert list(frame["golem"]) == list(pandas.DataFrame(lives)["golem"]) == lives["golem"].to_pylist()


def test_a_folder_is_opened_again(tmp_path):
    run = live(Ledger, out=tmp_path / "run")
    again = morta.open(tmp_path / "run")
    assert again.digest == run.digest and len(again.lives) == 4 and again.summary["deaths"] == run.summary["deaths"]
    with pytest.raises(FileNotFoundError, match="holds no run that has ended"):
        morta.open(tmp_path)


def test_a_sweep_has_its_figures_and_its_verdicts(tmp_path):
    swept = morta.sweep(QUESTION, tmp_path / "sweep", memories=[Ledger])
    assert swept.forest()._repr_svg_().startswith("<svg") and len(swept.results) > 0
    assert swept.sentences[0] in repr(swept) and "<b>Sweep</b>" in swept._repr_html_()
    other = morta.sweep({**QUESTION, "name": "other"}, tmp_path / "other", memories=[Ledger])
    assert swept.notes == [] and "has used seeds 1 to 3" in other.notes[0] and f"note: {other.notes[0]}" in repr(other)
    swept.write_report(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!")


@pytest.mark.parametrize("processes", [1, 2])
def test_a_sweep_by_processes_has_the_same_bytes(tmp_path, processes):
    alone = morta.sweep(QUESTION, tmp_path / "alone", memories=[Ledger])
    swept = morta.sweep(QUESTION, tmp_path / "by", memories=[Ledger], processes=processes)
    assert swept.complete and swept.ran_now == alone.ran_now == 6
    for file in ("results.csv", "analysis.json"):
        assert (tmp_path / "by" / file).read_bytes() == (tmp_path / "alone" / file).read_bytes()
    assert morta.sweep(QUESTION, tmp_path / "by", memories=[Ledger], processes=processes, resume=True).ran_now == 0
    with pytest.raises(FileExistsError, match="resume=True"):
        morta.sweep(QUESTION, tmp_path / "by", memories=[Ledger], processes=processes)


@pytest.mark.parametrize("wrong, kind, said", [
    (lambda at: morta.run(at / "none.toml"), FileNotFoundError, "there is no scenario"),
    (lambda at: morta.run(LEARNABLE, ticks=0), ValueError, "ticks=0: must be a whole number from 1 to"),
    (lambda at: morta.run(LEARNABLE, ticks=1.5), TypeError, "ticks=1.5: must be a whole number"),
    (lambda at: morta.run(LEARNABLE, threads=0), ValueError, "threads=0"),
    (lambda at: morta.run(LEARNABLE, memory="rga"), ValueError, "memory='rga': no shipped memory has this name: did you mean 'rag'?"),
    (lambda at: morta.run(LEARNABLE, memory=3), TypeError, "memory=3: must be a subclass of morta.Memory"),
    (lambda at: morta.run(LEARNABLE, set={"tiks": 3}), ValueError, 'set "tiks" = 3: no such key: did you mean ticks?'),
    (lambda at: morta.run(LEARNABLE, out=at / "full"), ValueError, "choose another with `out`"),
    (lambda at: morta.sweep({**QUESTION, "arms": []}, at / "full", memories=[Ledger]), FileExistsError, "holds another sweep"),
    (lambda at: morta.sweep(LEARNABLE, at / "new"), ValueError, "this is a scenario, not a sweep file: live it with morta.run"),
    (lambda at: morta.run(at / "full.toml"), ValueError, "run it with morta.sweep"),
    (lambda at: morta.sweep(at / "none.toml", at / "new"), FileNotFoundError, "there is no sweep file"),
    (lambda at: morta.sweep(QUESTION, at / "full", memories=[Ledger]), ValueError, "resume=True"),
])
def test_mistakes_are_told_in_pythons_words_and_nothing_is_overwritten(tmp_path, wrong, kind, said):
    morta.sweep(QUESTION, tmp_path / "full", memories=[Ledger], seeds=2)
    before = (tmp_path / "full.toml").read_text(encoding="utf-8")
    with pytest.raises(kind) as raised:
        wrong(tmp_path)
    assert said in str(raised.value) and "--" not in str(raised.value)
    assert (tmp_path / "full.toml").read_text(encoding="utf-8") == before


def test_a_sweep_that_was_refused_is_mended_under_its_name(tmp_path):
    with pytest.raises(ValueError):
        morta.sweep({**QUESTION, "sedes": {}}, tmp_path / "sweep", memories=[Ledger])
    assert morta.sweep(QUESTION, tmp_path / "sweep", memories=[Ledger], seeds=2).complete


@pytest.mark.parametrize("name", ["quickstart", "synthetic", "mortal", "drift", "hard-times", "learnable", "martingale"])
def test_scenarios_come_with_the_package(name):
    assert morta.run(morta.scenario(name), ticks=5).complete


def test_a_scenario_that_doesnt_come_with_it_is_named():
    with pytest.raises(ValueError, match="did you mean 'quickstart'"):
        morta.scenario("quikstart")


def test_figures_are_drawn_on_axes_of_matplotlib_too(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    run = live(Ledger, tables=True, golems=8, ticks=600, set={"population.policy": "fixed", "mortality.hazard_scale": 2000.0})
    assert run.summary["deaths"]
    axes = run.survival(ax=True)
    (curve,) = axes.get_lines()
    # By hand, as the report's table has it: at each death the share falls by one of those still at risk.
    lives = sorted(zip(run.lives["lifespan_ticks"].to_pylist(), run.lives["censored"].to_pylist()))
    share, expected = 1.0, {}
    for place, (ticks, censored) in enumerate(lives):
        share *= 1.0 if censored else 1 - 1 / (len(lives) - place)
        expected[ticks] = share
    assert dict(zip(curve.get_xdata(), curve.get_ydata())) == pytest.approx({0.0: 1.0, **expected})
    swept = morta.sweep(QUESTION, tmp_path / "sweep", memories=[Ledger])
    figure = axes.figure
    forest, survival = (figure.add_subplot(1, 3, place) for place in (2, 3))
    assert swept.forest(ax=forest) is forest and swept.survival(ax=survival) is survival
    difference = swept.analysis["primary"]["arms"][1]["difference"]
    assert [label.get_text() for label in forest.get_yticklabels()] == ["ledger"]
    assert forest.get_lines()[-1].get_xdata()[0] == difference["effect"]
    assert survival.get_legend_handles_labels()[1] == ["none", "ledger"]
    with pytest.raises(TypeError, match="must be axes of matplotlib, or True"):
        swept.forest(ax=3)


def test_cells_of_memories_in_python_are_lived_one_at_a_time_unless_asked(tmp_path):
    question = {name: part for name, part in QUESTION.items() if name != "preregistration"}
    meeting, met, threads = threading.Barrier(3), [], set()

    class Meets(Ledger):
        name = "ledger"

        def __init__(self, birth):
            super().__init__(birth)
            threads.add(threading.get_ident())
            if meets and not met:
                meeting.wait(60)  # until three cells have come this far
                met.append(True)

    meets = False
    assert morta.sweep(question, tmp_path / "one", memories=Meets).complete
    assert len(threads) == 1
    meets = True
    assert morta.sweep(question, tmp_path / "three", memories=Meets, jobs=3).complete
    assert met
