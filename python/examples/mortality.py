# %% [markdown]
# # What golems die of, and whether it matters
#
# Golems die of chance, of poverty and of knowledge gone stale. In `quickstart` nearly all die alike; here the arms are made to differ, so that causes,
# curves and tests have something to say. `pip install "./python[arrow]" pandas matplotlib` from the project's folder has all that this needs.

# %%
import tempfile

import matplotlib.pyplot as plt
import morta
import pandas as pd

room = tempfile.mkdtemp()

# %% [markdown]
# ## Four ways to die
#
# The number of golems is kept up (`population.policy = "fixed"`): every death has a successor, so arms differ in who lives and not in how many. `foreseeable`
# is without chance; in `dear-life` an hour costs double, and money runs out; in `struck-double` chance strikes twice as often.

# %%
arms = {
    "chance": {},
    "foreseeable": {"mortality.stochastic_clock": False, "mortality.hazard_scale": 0.0},
    "struck-double": {"mortality.hazard_scale": 180.0},
    "dear-life": {"golem.compute_usdc_per_tick": 0.06},
}
question = {
    "name": "mortality",
    "scenario": morta.scenario("mortal"),
    "seeds": {"first": 1, "count": 8},
    "set": {"ticks": 1200, "population.policy": "fixed"},
    "arms": [{"name": name, "set": settings} for name, settings in arms.items()],
    "preregistration": {
        "hypothesis": "Golems that chance spares live longer than golems that it strikes.",
        "baseline": "chance",
        "analysis": "The restricted mean of lifetimes, paired by world.",
        "test": "paired_permutation",
        "correction": "holm",
        "alpha": 0.05,
        "effect_of_interest": 50.0,
        "power": 0.8,
        "primary": {"measure": "restricted_mean_ticks", "direction": "more", "cohort": "golems"},
        "survival": {"cohort": "golems", "horizon_ticks": 1000},
    },
}
swept = morta.sweep(question, f"{room}/sweep", progress=False)

# %% [markdown]
# ## Causes
#
# A golem alive at the end is *censored*: it lived at least so long.

# %%
lives = swept.read("lives").to_pandas()
causes = pd.crosstab(lives["arm"], lives["cause"].fillna("alive at the end")).reindex(list(arms))
causes

# %%
assert causes.loc["foreseeable"].drop("alive at the end").sum() < causes.loc["chance", "stochastic"]
assert causes.loc["dear-life", "economic"] > causes.loc["chance"].get("economic", 0)

# %% [markdown]
# ## Curves
#
# Kaplan and Meier's estimate, with log-log bands: the report's own numbers, on axes of matplotlib.

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 3.5))
swept.survival(ax=left)
causes.drop(columns="alive at the end").plot.bar(stacked=True, ax=right, rot=15, xlabel="", ylabel="deaths in 8 worlds")
figure.tight_layout()

# %% [markdown]
# ## Tests
#
# The log-rank test over arms describes: lives of one world share their luck, so it takes them for more than they are. What decides is the restricted mean,
# world by world.

# %%
test = swept.analysis["survival"]["log_rank"]
print(f"log-rank: chi-square {test['chi_square']:.1f} on {test['degrees_of_freedom']}, p = {test['p']:.2g}")
for sentence in swept.sentences:
    print("-", sentence)

# %% [markdown]
# ## What death costs
#
# A successor begins with money and with what was left to it, and has to learn again. R a golem-tick says whether that shows.

# %%
results = swept.results.to_pandas()
golems = results[results["cohort"] == "golems"]
golems.groupby("arm", sort=False)[["deaths", "lifespan_mean_ticks", "r_per_golem_tick", "bloodstains_drawn", "endowments_usdc"]].mean().round(3)
