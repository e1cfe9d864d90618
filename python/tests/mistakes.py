"""Mistakes in calls of the package, and the first line of what is said of each: the table of docs/diaries/python.md.

    python python/tests/mistakes.py > table.md
"""

import io
import os
import re
import tempfile
import warnings

import morta
from ledger import Ledger

#: What is called, a line each. `W` is a small world, `Q` a small sweep of it, `own(...)` a class with these methods, `Ledger` one that is right.
CALLS = """
run("nope.toml")
run(3)
run(".")
run({})
run({**W, "sede": 1})
run({**W, "seed": "seven"})
run({**W, "ticks": {1, 2}})
run({**W, "cohorts": []})
run({**W, "cohorts": [{"name": "golems", "golems": 0, "memory": "none"}]})
run({**W, "cohorts": [{"name": "golems", "golems": 2, "memory": "opencaw"}]})
run({**W, "market": {"assets": [{"symbol": "X", "source": {"kind": "replay", "file": "nope.csv"}}]}})
run(morta.scenario("quikstart"))
run(Q)
run("sweep.toml")
run(W, Ledger({"parameters": {}}))
run(W, dict)
run(W, "opencaw")
run(W, own(advise=None))
run(W, own(observe=None))
run(W, own(advice=lambda self, moment, candidates: [], advise=None))
run(W, own(name="rag"))
run(W, own(name="my memory"))
run(W, Ledger, cohorts="nobody")
run(W, Ledger, cohorts=["golems", "nobody"])
run(W, seed=-1)
run(W, seed="x")
run(W, seed=1.5)
run(W, ticks=0)
run(W, ticks=2**70)
run(W, threads=100_000)
run(W, set={"mortality.hazard_scael": 1})
run(W, set={"mortality.hazard_scale": "much"})
run(W, set={"mortality.hazard_scale": float("nan")})
run(W, set={"mortality.hazard_scale": object()})
run(W, set=["ticks=5"])
run(W, out="file.txt")
run(W, out="full")
run(W, progress=3)
run(W, on_fault="stop")
run(W, checkpoint_every=10)
run(W, out="a", checkpoint_every=0)
run(W, out="b", checkpoint_every=10, threads=2)
run(W, resume=True)
run(W, out="nothing", resume=True)
run(W, out="ended", resume=True)
run(W, Ledger, out="cut", checkpoint_every=10)
run({**W, "seed": 9}, Ledger, out="cut", resume=True)
run({**W, "ticks": 50_000}, own(name="ledger", sleep=hoard), out="cut", resume=True)
run(W, own(observe=hoard), out="hoards", checkpoint_every=10)
run(W, own(advise=lambda self, moment, candidates: None))
run(W, own(advise=lambda self, moment, candidates: [0.0, 0.0]))
run(W, own(advise=lambda self, moment, candidates: "text"))
run(W, own(advise=lambda self, moment, candidates: [float("nan")] * len(candidates)))
run(W, own(advise=lambda self, moment, candidates: [morta.Advice(0.0, confidence=2.0)] * len(candidates)))
run(W, own(advise=lambda self, moment, candidates: [morta.Advice(0.0, size=-1.0)] * len(candidates)))
run(W, own(advise=lambda self, moment: []))
run(W, own(observe=lambda self, experience: experience.realized_r))
run(W, own(sleep=lambda self, attention: 5))
run(W, own(__init__=lambda self: None))
run(W, own(__init__=lambda self, birth: 1 / 0))
run(W, own(__init__=lambda self, birth: setattr(self, "f", print)), out="prints")
run(W).lives
run(W).manifest
run(W, tables=True).read("trade")
run(W, tables=True).lives["golems"]
run(W, tables=True).survival(ax=3)
run(W, tables=True).figures["survivals"]
morta.read("nowhere", "lives")
morta.open(".")
morta.open("cut")
sweep("nope.toml", "s0")
sweep({**Q, "sedes": 1}, "s1")
sweep({**Q, "scenario": W}, "s2")
sweep("world.toml", "s3")
sweep({**Q, "arms": [{"name": "no good", "set": {}}]}, "s4")
sweep({**Q, "arms": [{"name": "a", "set": {"cohorts.golems.memory": "ledger"}}]}, "s5")
sweep(Q, "s6", memories=[Ledger, Ledger])
sweep(Q, "s7", memories=[3])
sweep(Q, "s8", jobs=0)
sweep(Q, "s9", processes=0)
sweep(Q, "s10", profile="smok")
sweep(Q, "full")
sweep(Q, "swept")
sweep({**Q, "seeds": {"first": 5, "count": 2}}, "swept", resume=True)
morta.conformance(Ledger({"parameters": {}}))
morta.Moment(regime="sideways")
morta.Candidates([morta.Candidate("hope", "long")])
morta.Candidates([])[0]
morta.Random(7).below(0)
"""

W = {
    "seed": 1, "ticks": 120, "market": {"warmup_ticks": 50, "assets": [{"symbol": "GOLD", "source": {"kind": "synthetic"}}]},
    "cohorts": [{"name": "golems", "golems": 4, "memory": "none"}],
}
Q = {"name": "q", "scenario": "world.toml", "seeds": {"first": 1, "count": 2}, "arms": [{"name": "a", "set": {}}, {"name": "b", "set": {"seed": 3}}]}
Q["arms"][1]["set"] = {"mortality.hazard_scale": 9.0}


def own(**methods):
    """A class like `Ledger` with other methods, or without those that are None."""
    base = Ledger if None not in methods.values() else morta.Memory
    kept = {name: method for name, method in vars(Ledger).items() if callable(method) and name not in methods}
    return type("Own", (base,), {**(kept if base is morta.Memory else {}), **{name: method for name, method in methods.items() if method is not None}})


def hoard(self, _):
    self.hoard = {1, 2}


def prepare():
    """What the calls find in the working directory."""
    run, sweep = morta.run, morta.sweep

    def stop(done, of):
        raise KeyboardInterrupt

    with open("world.toml", "w", encoding="utf-8") as file:
        file.writelines(f"{key} = {morta.runs.toml(value)}\n" for key, value in {"name": "world", **W}.items())
    with open("file.txt", "w", encoding="utf-8") as file:
        file.write("mine")
    os.mkdir("full")
    open(os.path.join("full", "notes.txt"), "w").close()
    run(W, out="ended", checkpoint_every=50)
    try:
        run({**W, "ticks": 50_000}, Ledger, out="cut", checkpoint_every=10, progress=stop)
    except KeyboardInterrupt:
        pass
    sweep(Q, "swept")
    os.rename("swept.toml", "sweep.toml")


def said(call):
    """The type and the first line of what comes of a call."""
    names = {"run": morta.run, "sweep": morta.sweep, "morta": morta, "W": W, "Q": Q, "own": own, "hoard": hoard, "Ledger": Ledger}
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            eval(call, names)
            what = "nothing: it is lived"
        except Exception as error:
            what = f"{type(error).__name__}: {str(error).splitlines()[0]}"
    # The warning of a fault says once more what the exception says.
    others = [warning for warning in warned if not issubclass(warning.category, morta.MemoryFaultWarning)]
    return what + "".join(f" (warns: {str(warning.message).splitlines()[0]})" for warning in others)


def table(out):
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as room:
        os.chdir(room)
        try:
            prepare()
            for call in CALLS.strip().splitlines():
                what = said(call).replace(room + os.sep, "").replace(os.path.dirname(os.path.abspath(morta.__file__)), "SITE/morta")
                what = re.sub(r"0x[0-9a-f]+", "0x..", re.sub(re.escape(tempfile.gettempdir()) + r"/morta-\w+", "TMP", what))
                out.write("| `{}` | {} |\n".format(call.replace("|", "\\|"), ("`` " + what[:230] + " ``").replace("|", "\\|")))
        finally:
            os.chdir(here)


if __name__ == "__main__":
    found = io.StringIO()
    table(found)
    print("| what was called | what is said |\n|---|---|")
    print(found.getvalue(), end="")
