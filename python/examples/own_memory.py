# %% [markdown]
# # Bring a memory, and put it to the test
#
# A memory is written in a dozen lines, tested by itself, held to the contract, lived with once, interrupted and resumed, and then swept against shipped
# ones in worlds of the same luck. `pip install "./python[arrow]" pandas matplotlib` from the project's folder has all that this needs.

# %%
import tempfile

import morta

SCENARIO = morta.scenario("learnable")
room = tempfile.mkdtemp()

# %% [markdown]
# ## The memory
#
# It keeps the mean R of each strategy, side and regime, and trusts it the more the oftener it was seen: `prior_weight` outcomes are what the market-blind
# prior counts for. That is a parameter: a scenario may set `memory.own.ledger.prior_weight`, and any other key is refused. What it keeps is made of
# numbers, text, tuples and dicts, so that it is written down and read back without further words.


# %%
class Ledger(morta.Memory):
    """Means by regime, strategy and side."""

    parameters = {"prior_weight": 5.0}

    def __init__(self, birth):
        super().__init__(birth)
        self.seen = {}

    def advise(self, moment, candidates):
        return [
            morta.Advice.mean(each, self.prior_weight, self.seen.get((moment.regime, each.strategy, each.side), (0, 0.0)))
            for each in candidates
        ]

    def observe(self, experience):
        key = (experience.regime, experience.strategy, experience.side)
        count, sum_r = self.seen.get(key, (0, 0.0))
        self.seen[key] = (count + 1, sum_r + experience.realised_r)


# %% [markdown]
# ## Unit tests
#
# All that a memory is told can be made by hand. These are functions that pytest would find; a notebook calls them.


# %%
def test_it_expects_the_prior_before_it_has_seen_anything():
    memory = Ledger({"parameters": {}})
    candidates = morta.Candidates([morta.Candidate("breakout", "long", prior_r=0.5)])
    assert memory.advise(morta.Moment(regime="volatile"), candidates) == [morta.Advice(0.5, confidence=0.0)]


def test_it_expects_less_after_a_loss_in_that_regime_alone():
    memory = Ledger({"parameters": {"prior_weight": 1.0}})
    candidates = morta.Candidates([morta.Candidate("breakout", "long", prior_r=0.5)])
    memory.observe(morta.Experience(strategy="breakout", side="long", regime="volatile", realised_r=-1.5))
    assert memory.advise(morta.Moment(regime="volatile"), candidates)[0].expected_r == -0.5
    assert memory.advise(morta.Moment(regime="range_bound"), candidates)[0].expected_r == 0.5


def test_it_is_read_back_as_it_was_written_down():
    memory = Ledger({"parameters": {}})
    memory.observe(morta.Experience(realised_r=2.0))
    assert Ledger.load(memory.save()).seen == memory.seen


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
        print("passed", name)

# %% [markdown]
# ## Does it keep the contract?

# %%
report = morta.conformance(Ledger)
for check in report["checks"]:
    print("ok  " if check["holds"] else "FAIL", check["name"].ljust(10), check["found"])
assert report["conforms"]

# %% [markdown]
# ## One world, interrupted
#
# Eight golems live through it. The digest is the same on any number of threads, and that of the same memory written in Rust
# (`lab/examples/own_memory.rs`). A run with checkpoints that is stopped, or whose process is killed, goes on from the last one, to the same bytes. Here
# a function that hears of the progress stops it as Ctrl-C would.

# %%
golems = {"cohorts": [{"name": "golems", "golems": 8, "memory": "ledger"}]}
run = morta.run(SCENARIO, Ledger, set=golems, ticks=2000, out=f"{room}/whole", progress=False)
print(run.digest)


def stop(done, of):
    if done > of / 4:
        raise KeyboardInterrupt


begun = dict(scenario=SCENARIO, memory=Ledger, set=golems, ticks=2000, out=f"{room}/cut", checkpoint_every=200, resume=True)
try:
    resumed = morta.run(**begun, progress=stop)
except KeyboardInterrupt:
    resumed = morta.run(**begun, progress=False)
assert resumed.digest == run.digest

# %%
resumed.lives.to_pandas()[["golem", "memory", "trades", "total_r"]].head(4)

# %% [markdown]
# ## Against others
#
# The question is written down before anybody lives: what decides, against which baseline, by which test, on which worlds. All arms live in the same worlds.

# %%
memories = ["none", "window", "rag", "owm", "ledger", "oracle"]
question = {
    "name": "ledger-arena",
    "scenario": SCENARIO,
    "seeds": {"first": 1, "count": 10},
    "set": {"ticks": 800},
    "arms": [{"name": name, "set": {"cohorts": [{"name": "golems", "golems": 8, "memory": name}]}} for name in memories],
    "preregistration": {
        "hypothesis": "Means by regime, strategy and side make more than nothing remembered.",
        "baseline": "none",
        "ceiling": "oracle",
        "analysis": "The sum of R over the same time, paired by world, each arm against none.",
        "test": "paired_permutation",
        "correction": "holm",
        "alpha": 0.05,
        "effect_of_interest": 50.0,
        "power": 0.9,
        "primary": {"measure": "total_r", "direction": "more", "cohort": "golems"},
    },
}
swept = morta.sweep(question, f"{room}/sweep", memories=[Ledger], progress=False)
for sentence in swept.sentences:
    print("-", sentence)

# %%
swept.forest()
