# %% [markdown]
# # A first run
#
# A world with mortal traders is lived, looked at, and asked one question in twelve worlds. `pip install "./python[arrow]" pandas matplotlib` from the
# project's folder has all that this needs.

# %%
import tempfile

import matplotlib.pyplot as plt
import morta
import pandas as pd

room = tempfile.mkdtemp()

# %% [markdown]
# ## One world
#
# `mortal` comes with the package: golems trade, remember with the architecture `bardo`, dream, and die of chance or of poverty. **R** is what a trade
# stood to lose at its stop. Same scenario, same seed, same build: the same digest, on any machine.

# %%
run = morta.run(morta.scenario("mortal"), seed=1, ticks=1500, out=f"{room}/run", progress=False)
print(run.digest)
print(run.summary["born"], "born,", run.summary["alive"], "alive, deaths:", run.summary["deaths"])

# %%
lives = run.lives.to_pandas()
lives[["golem", "born_tick", "lifespan_ticks", "cause", "trades", "total_r"]].sort_values("total_r").tail(5)

# %%
run.survival()

# %% [markdown]
# ## What happened to one of them
#
# Every table is a frame: here the trades of the golem that made most, by what the market was like.

# %%
best = lives.loc[lives["total_r"].idxmax(), "golem"]
trades = run.read("trades").to_pandas()
own = trades[trades["golem"] == best]
own.groupby(["true_regime", "strategy"])["realised_r"].agg(["count", "mean"]).round(3)

# %% [markdown]
# ## The same asked of twelve worlds
#
# One world can't say whether a memory pays: its golems share their luck. The question is written down first, and all arms live in the same worlds.

# %%
question = {
    "name": "does-memory-pay",
    "scenario": morta.scenario("learnable"),
    "seeds": {"first": 1, "count": 12},
    "set": {"ticks": 800},
    "arms": [{"name": memory, "set": {"cohorts": [{"name": "golems", "golems": 8, "memory": memory}]}} for memory in ("none", "window", "owm")],
    "preregistration": {
        "hypothesis": "Golems that remember make more than golems that remember nothing.",
        "baseline": "none",
        "analysis": "The sum of R over the same time, paired by world, each arm against none.",
        "test": "paired_permutation",
        "correction": "holm",
        "alpha": 0.05,
        "effect_of_interest": 20.0,
        "power": 0.9,
        "primary": {"measure": "total_r", "direction": "more", "cohort": "golems"},
    },
}
swept = morta.sweep(question, f"{room}/sweep", progress=False)
for sentence in swept.sentences:
    print("-", sentence)

# %%
swept.forest()

# %% [markdown]
# The same numbers on axes of matplotlib, beside each world by itself:

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3))
swept.forest(ax=left)
results = swept.results.to_pandas()
worlds = results[results["cohort"] == "golems"].pivot(index="seed", columns="arm", values="total_r")
right.plot(worlds.index, worlds.sub(worlds["none"], axis=0)[["window", "owm"]], "o", label=["window", "owm"])
right.axhline(0, color="0.4", linewidth=0.8)
right.set(xlabel="world (seed)", ylabel="R beyond none")
right.legend()
figure.tight_layout()
