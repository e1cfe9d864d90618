# %% [markdown]
# # Does replay pay, and how much of it?
#
# Dreams replay episodes and draw conclusions from them; they cost inference and time. Here the batch (episodes in a replay) is crossed with the interval
# (ticks between dreams), beside golems that don't dream. `pip install "./python[arrow]" pandas matplotlib` from the project's folder has all that this
# needs.

# %%
import tempfile

import matplotlib.pyplot as plt
import morta

room = tempfile.mkdtemp()

# %% [markdown]
# ## The question, written down first
#
# Batches and intervals are a full grid; a sixth arm doesn't dream. Eight worlds of 1,000 ticks are few: the point is to read what a small sweep can and
# can't say.

# %%
BATCHES, INTERVALS = (3, 10), (50, 200)
dreams = {"dream.enabled": True, "dream.tier": "hardened", "dream.schedule.mode": "interval", "dream.replay.intensity.scales_batch": False}
arms = [{"name": "no-dreams", "set": {"dream.enabled": False}}]
for batch in BATCHES:
    for interval in INTERVALS:
        settings = {**dreams, "dream.replay.batch_size": batch, "dream.dream_cycle_interval": interval}
        arms.append({"name": f"{batch}-every-{interval}", "set": settings})
question = {
    "name": "replay-ablation",
    "scenario": morta.scenario("learnable"),
    "seeds": {"first": 1, "count": 8},
    "set": {"ticks": 1000, "cohorts": [{"name": "golems", "golems": 8, "memory": "bardo"}]},
    "arms": arms,
    "preregistration": {
        "hypothesis": "Golems that dream make more R a golem-tick than golems that don't.",
        "baseline": "no-dreams",
        "analysis": "Each arm against no dreams, paired by world, corrected for four comparisons.",
        "test": "paired_permutation",
        "correction": "holm",
        "alpha": 0.05,
        "effect_of_interest": 0.002,
        "power": 0.8,
        "secondary": ["dreams", "episodes_replayed", "claims_promoted", "inference_usdc"],
        "primary": {"measure": "r_per_golem_tick", "direction": "more", "cohort": "golems"},
    },
}
swept = morta.sweep(question, f"{room}/sweep", progress=False)

# %% [markdown]
# ## Was anything ablated?
#
# Before a verdict is read: the arms must have done what their names say. More dreams, more episodes replayed, more paid for inference.

# %%
results = swept.results.to_pandas()
golems = results[results["cohort"] == "golems"]
golems.groupby("arm", sort=False)[["dreams", "episodes_replayed", "claims_promoted", "inference_usdc", "r_per_golem_tick"]].mean().round(4)

# %% [markdown]
# ## The verdict
#
# A sentence for each comparison: the difference with its interval, p after the correction, and whether so few worlds could have decided at all.

# %%
for sentence in swept.sentences:
    print("-", sentence)

# %%
swept.forest()

# %% [markdown]
# ## How many worlds would settle it?
#
# From the spread between worlds: how many are needed for a difference of .002 to be found four times in five.

# %%
for arm in swept.analysis["primary"]["arms"]:
    if arm.get("difference"):
        print(f"{arm['arm']:>14}: {arm['difference']['worlds_to_settle']} worlds")

# %%
figure, axes = plt.subplots(figsize=(6, 3))
means = golems.groupby("arm")["r_per_golem_tick"].mean()
for batch in BATCHES:
    axes.plot(INTERVALS, [means[f"{batch}-every-{interval}"] for interval in INTERVALS], "o-", label=f"batch of {batch}")
axes.axhline(means["no-dreams"], color="0.4", linestyle="--", label="no dreams")
axes.set(xlabel="ticks between dreams", ylabel="R a golem-tick, mean of 8 worlds")
axes.legend()
figure.tight_layout()
