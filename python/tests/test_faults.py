"""Nothing stale, nothing mixed, nothing silent: what went wrong once, kind by kind."""

import gc
import multiprocessing
import os
import subprocess
import sys
import textwrap
import threading
import types
import warnings
import weakref

import morta
import pytest
from ledger import Ledger
from morta.code import version_of
from test_morta import LEARNABLE, QUESTION, live

HERE = os.path.dirname(os.path.abspath(__file__))


def defined(body, **names):
    """The class `Own` as a cell of a notebook would define it: there is no source to be had."""
    scope = {"__name__": "__main__", "morta": morta, "Ledger": Ledger, **names}
    exec(textwrap.dedent(body), scope)
    return scope["Own"]


PLAIN = """
    class Own(morta.Memory):
        name = "ledger"
        def advise(self, moment, candidates):
            return [{0} for _ in candidates.prior_r]
        def observe(self, experience):
            pass
"""
HELPED = """
    {1}
    def worth(prior):
        return prior * {0}
    class Own(morta.Memory):
        name = "ledger"
        def advise(self, moment, candidates):
            return [worth(prior) for prior in candidates.prior_r]
        def observe(self, experience):
            pass
"""
DERIVED = """
    class Base(morta.Memory):
        def advise(self, moment, candidates):
            return [{0} for _ in candidates.prior_r]
    class Own(Base):
        name = "ledger"
        def observe(self, experience):
            pass
"""
TABLED = """
    WORTH = {{"breakout": {0}}}
    class Own(morta.Memory):
        name = "ledger"
        def advise(self, moment, candidates):
            return [WORTH.get(strategy, 0.0) for strategy in candidates.strategy]
        def observe(self, experience):
            pass
"""


@pytest.mark.parametrize("body", [PLAIN, HELPED, DERIVED, TABLED], ids=["class", "helper", "base", "table"])
def test_code_that_was_changed_has_another_version_and_the_same_code_the_same(body):
    first, again, other = (version_of(defined(body.format(worth, ""))) for worth in ("0.5", "0.5", "0.25"))
    assert first == again and first[0] is not None
    assert other[0] not in (None, first[0])
    assert version_of(defined(body.format("0.5", "# A comment changes nothing.")))[0] == first[0]


def test_a_module_of_ones_own_belongs_to_the_version():
    def helper(worth):
        module = types.ModuleType("my_helper")
        exec(f"def worth(prior):\n    return prior * {worth}\n", vars(module))
        return module

    body = """
        class Own(morta.Memory):
            def advise(self, moment, candidates):
                return [my_helper.worth(prior) for prior in candidates.prior_r]
            def observe(self, experience):
                pass
    """
    first, again, other = (version_of(defined(body, my_helper=helper(worth)))[0] for worth in (2, 2, 3))
    assert first is not None and first == again != other


def test_a_sweep_is_not_resumed_with_another_version_of_a_class_without_source(tmp_path):
    swept = morta.sweep(QUESTION, tmp_path / "sweep", memories=[defined(PLAIN.format("0.5"))])
    assert swept.complete and swept.ran_now == 6
    again = morta.sweep(QUESTION, tmp_path / "sweep", memories=[defined(PLAIN.format("0.5"))], resume=True)
    assert again.ran_now == 0
    with pytest.raises(ValueError, match="source_sha256"):
        morta.sweep(QUESTION, tmp_path / "sweep", memories=[defined(PLAIN.format("-9.0"))], resume=True)


def test_a_sweep_file_is_not_resumed_with_another_version_either(tmp_path):
    morta.sweep(QUESTION, tmp_path / "made", memories=[defined(PLAIN.format("0.5"))])
    file = tmp_path / "made.toml"
    swept = morta.sweep(file, tmp_path / "sweep", memories=[defined(PLAIN.format("0.5"))])
    assert swept.complete and swept.ran_now == 6
    assert morta.sweep(file, tmp_path / "sweep", memories=[defined(PLAIN.format("0.5"))], resume=True).ran_now == 0
    with pytest.raises(ValueError, match="source_sha256"):
        morta.sweep(file, tmp_path / "sweep", memories=[defined(PLAIN.format("-9.0"))], resume=True)


def test_what_cant_be_known_is_not_resumed_until_its_version_is_said(tmp_path):
    own = defined("""
        class Own(Ledger):
            name = "ledger"
            def observe(self, experience):
                with LOCK:
                    super().observe(experience)
    """, LOCK=threading.Lock())
    morta.sweep(QUESTION, tmp_path / "sweep", memories=[own])
    with pytest.raises(ValueError, match=r"it uses `LOCK`, a lock: say so yourself .* Own.version"):
        morta.sweep(QUESTION, tmp_path / "sweep", memories=[own], resume=True)
    own.version = "1"
    morta.sweep(QUESTION, tmp_path / "other", memories=[own])
    assert morta.sweep(QUESTION, tmp_path / "other", memories=[own], resume=True).ran_now == 0


def constant(worth):
    return defined(PLAIN.format(worth))


def test_classes_of_one_name_at_once_are_not_mixed():
    classes = [constant(worth) for worth in (1.0, -1.0, 0.5, 0.25)]
    alone = [live(memory).digest for memory in classes]
    assert len(set(alone)) > 1
    at_once = [None] * len(classes)

    def work(place):
        at_once[place] = live(classes[place]).digest

    threads = [threading.Thread(target=work, args=(place,)) for place in range(len(classes))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert at_once == alone


def test_classes_are_freed_with_their_run():
    own = constant(0.5)
    gone = weakref.ref(own)
    live(own)
    del own
    gc.collect()
    assert gone() is None


def digest_of(seed):
    return live(Ledger, seed=seed, ticks=100).digest


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_processes_have_the_right_digests(method):
    seeds = [1, 2]
    here = [digest_of(seed) for seed in seeds]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(digest_of, seeds) == here


def told(script):
    """What a program of its own says: standard output, standard error, exit code."""
    # Whatever is begun in the background of a shell ignores interrupts, and so would the program.
    head = f"import os, signal, sys, threading, time\nsignal.signal(signal.SIGINT, signal.default_int_handler)\nsys.path.insert(0, {HERE!r})\n"
    head += "import morta\nfrom ledger import Ledger\nfrom test_morta import live\n"
    done = subprocess.run([sys.executable, "-c", head + textwrap.dedent(script)], capture_output=True, text=True, timeout=60, cwd=HERE)
    return done.stdout, done.stderr, done.returncode


def test_a_fork_after_a_run_says_what_to_do_and_does_not_hang():
    out, err, _ = told("""
        live(Ledger, ticks=20)
        if os.fork() == 0:
            try:
                live(Ledger, ticks=20)
            except RuntimeError as error:
                print(error, flush=True)
            os._exit(0)
        os.wait()
    """)
    assert "was forked" in out and "spawn" in out, err


def test_a_fork_before_the_first_run_lives():
    out, err, _ = told("""
        if os.fork() == 0:
            print(live(Ledger, ticks=20).digest, flush=True)
            os._exit(0)
        os.wait()
        print(live(Ledger, ticks=20).digest)
    """)
    child, parent = out.split()
    assert child == parent, err


@pytest.mark.parametrize("raised, code", [("sys.exit(3)", 3), ("raise KeyboardInterrupt", -2)])
def test_what_ends_a_program_stops_the_run_and_the_run_so_far_is_kept(raised, code):
    out, err, found = told(f"""
        class Ends(Ledger):
            def observe(self, experience):
                {raised}
        try:
            live(Ends)
        except BaseException as error:
            print(type(error).__name__, error.run.complete, 0 < error.run.summary["ticks"] < 300)
            raise
    """)
    assert out.split()[1:] == ["False", "True"] and found in (code, 130), err
    if "exit" in raised:
        assert "observe()" in err and "SystemExit" in err


def test_ctrl_c_stops_between_two_calls():
    out, err, _ = told("""
        class Slow(Ledger):
            def advise(self, moment, candidates):
                time.sleep(0.2)
                return candidates.prior_r
        def interrupt():
            interrupt.at = time.monotonic()
            os.kill(os.getpid(), signal.SIGINT)
        threading.Timer(1.0, interrupt).start()
        try:
            live(Slow, golems=64, tables=True)
        except KeyboardInterrupt as error:
            print(time.monotonic() - interrupt.at, len(error.run.lives))
    """)
    seconds, lives = out.split()
    # A tick of all 64 golems would take 12.8 s. An idle machine needs 0.2 s and less, a busy one has tables to write to its disk besides.
    assert float(seconds) < 3.0 and lives == "64", err


def test_a_memory_without_advise_is_refused_at_once():
    class Misspelt(morta.Memory):
        def advice(self, moment, candidates):
            return candidates.prior_r

        def observe(self, experience):
            pass

    with pytest.raises(TypeError, match=r"Misspelt has no advise: .* \(is advice meant to be advise\?\)"):
        live(Misspelt)


class Broken(Ledger):
    """Raises whenever it is asked."""

    def advise(self, moment, candidates):
        raise ZeroDivisionError("always")


class Seldom(Ledger):
    """Raises at its tenth outcome."""

    def observe(self, experience):
        super().observe(experience)
        if sum(count for count, _ in self.seen.values()) == 10:
            raise RuntimeError("on purpose")


def test_a_run_whose_every_life_ends_by_fault_is_none():
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        with pytest.raises(morta.MemoryFault, match="each of the first 100 lives") as raised:
            live(Broken)
    # Said once: in the exception, and in a warning where the hundredth fault was long after the first.
    assert len(said) <= 1 and all("ZeroDivisionError: always" in str(one.message) for one in said)
    assert isinstance(raised.value.__cause__, ZeroDivisionError)
    run = raised.value.run
    assert not run.complete and run.faults[0].lives >= 100 and run.faults[0].method == "advise"
    # Fewer lives than a hundred, and none that ended otherwise.
    with pytest.raises(morta.MemoryFault, match="all 4 lives"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        live(Broken, set={"population.policy": "extinction"})


def test_faults_are_raised_warned_of_or_counted_as_asked():
    with pytest.raises(morta.MemoryFault, match="on purpose") as raised:
        live(Seldom, on_fault="raise")
    assert raised.value.run.faults[0].lives == 1 and isinstance(raised.value.__cause__, RuntimeError)
    for asked, expected in ((None, 1), ("warn", 1), ("ignore", 0)):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            run = live(Seldom, ticks=600, on_fault=asked)
        assert len(said) == expected and all(one.filename.endswith("test_morta.py") for one in said)
        [fault] = run.faults
        assert fault.lives == run.summary["deaths"]["fault"] >= 4 and "test_faults.py:" in fault.line
        assert "on purpose" in repr(run)
    with pytest.raises(ValueError, match="on_fault=\"quiet\""):
        live(Seldom, on_fault="quiet")


def test_faults_of_a_sweep_are_failures(tmp_path):
    own = type("Ledger", (Seldom,), {"name": "ledger"})
    swept = morta.sweep({**QUESTION, "set": {"ticks": 600}}, tmp_path / "sweep", memories=[own], on_fault="ignore")
    assert swept.ran_now == 6 and not swept.complete
    assert any("RuntimeError" in line and "observe()" in line for line in swept.failures)


def test_an_init_that_raises_for_a_successor_ends_its_life_and_not_the_process():
    class Late(Seldom):
        def __init__(self, birth):
            super().__init__(birth)
            if birth["generation"]:
                raise LookupError("no successors")

    run = live(Late, ticks=600, on_fault="ignore")
    assert {(fault.method, fault.exception) for fault in run.faults} == {("observe", "RuntimeError"), ("__init__", "LookupError")}


class Text(Ledger):
    def save(self):
        return "text"


class Nothing(Ledger):
    @classmethod
    def load(cls, saved):
        return None


class Function(Ledger):
    def __init__(self, birth):
        super().__init__(birth)
        self.worth = lambda prior: prior


@pytest.mark.parametrize("memory, found", [
    (Text, "save() must return bytes, not str"),
    (Nothing, "load() must return a Nothing, not NoneType"),
    (Function, "Function.worth: function can't be written down"),
    (Broken, "always"),
])
def test_conformance_reports_what_it_finds(memory, found, capfd):
    report = morta.conformance(memory)
    assert not report["conforms"]
    assert found in str([check["found"] for check in report["checks"] if not check["holds"]]) + str(report["faults"])
    assert "panicked" not in capfd.readouterr().err


def test_what_cant_be_saved_is_told_at_the_first_run():
    with pytest.warns(morta.MemorySaveWarning, match="Function.worth: function can't be written down"):
        live(Function, ticks=20)


@pytest.mark.parametrize("method, answer, said", [
    ("advise", None, "advise() must return a number or morta.Advice for each candidate, not NoneType"),
    ("advise", "x", "answers for"),
    ("sleep", 1, "sleep() must return None or morta.Upkeep, not int"),
])
def test_an_answer_that_is_none_is_named(method, answer, said):
    own = type("Own", (Ledger,), {method: lambda self, *told: answer})
    with pytest.raises(morta.MemoryFault) as raised:
        live(own, on_fault="raise")
    assert said in str(raised.value)


def test_a_class_whose_init_raises_is_refused_with_the_cause():
    class Unmade(Ledger):
        def __init__(self, birth):
            raise ValueError("prior_weight must be above 0")

    with pytest.raises(morta.MemoryFault, match="can't be made: __init__.. raised ValueError: prior_weight") as raised:
        live(Unmade)
    assert isinstance(raised.value.__cause__, ValueError) and raised.value.run is None
