#!/usr/bin/env python3
"""What each rule of replay and imagination changes downstream, from the runs that `checks/consequence.sh` has kept.

    python3 -m venv env && env/bin/pip install pyarrow pandas scipy
    env/bin/python checks/rule_consequences.py OUT

OUT has a sweep's folder for each world of `RULES`. A world's figure without a rule is held against the mean of the three arms in which nothing but the
luck of dreams differs; luck's own differences, each against the other two, stand beside it. p is of all 2^n signs of the paired differences, after
Holm's correction over the rules; intervals are by t at the level that the correction leaves. A consequence is found where that p is below .05, the sign
is the one expected, and the mean difference exceeds each of luck's three.
"""

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as parquet
from scipy import stats

LUCK = ["as-shipped", "other-luck", "other-luck-again"]
ALPHA = 0.05
# Arm, world, figure and the sign expected of taking the rule away (0: none is expected to be found).
RULES = [
    ("no-onset", "nightly", "regimes_a_claim", -1),
    ("cold-onset", "nightly", "fragments", -1),
    ("gain-by-surprise", "nightly", "arousal_behind", 1),
    ("gain-by-regret", "nightly", "unused_share", 1),
    ("need-by-recency", "nightly", "age_behind_insights", -1),
    ("need-by-likeness", "nightly", "age_behind_insights", 1),
    ("no-diversity", "quickstart", "regimes_a_claim", -1),
    ("no-decay", "nightly", "unused_share", 1),
    ("no-mood-bias", "moods", "bad_losses_behind_anxious", -1),
    ("no-curator-tags", "nightly", "unused_share", 1),
    ("no-reverse-replay", "attention", "claims", 1),
    ("no-forward-replay", "nightly", "trending_share", -1),
    ("no-perturbation", "hard-times", "guards_save", -1),
    ("mild-deviations", "hard-times", "guards_save", -1),
    ("no-strength", "nightly", "age_of_loudest", -1),
    ("no-depotentiation", "moods", "arousal_behind_read", 0),
    ("no-unmet-situations", "nightly", "imagined_circumstances", -1),
    ("no-creative-floor", "hard-times", "guards", 1),
    ("no-ideas", "nightly", "subjects", -1),
    ("no-counterfactuals", "nightly", "hypotheses_in_force", -1),
    ("no-threats", "nightly", "losses_behind", -1),
    ("no-confusion", "hard-times", "age_behind_insights", 1),
    ("same-intensity", "hard-times", "hypotheses", -1),
    ("no-micro-consolidation", "hard-times", "tagged_behind", -1),
    ("by-activity", "nightly", "entry_claims", 1),
]
# Claims are a golem's own, put to the test in its dreams; those that siblings tell or the dead leave don't count.
FIGURES = {
    "claims": "claims put to the test",
    "entry_claims": "claims about entries put to the test",
    "subjects": "different claims (strategy and circumstances) put to the test",
    "trending_share": "share of the claims that name a trending regime",
    "guards": "guards put to the test",
    "guards_save": "R that a guard put to the test says it saves, mean",
    "hypotheses": "hypotheses put to the test",
    "imagined_circumstances": "different circumstances named by hypotheses",
    "fragments": "fragments of the onset put to the test",
    "hypotheses_in_force": "hypotheses that became rules in force",
    "regimes_a_claim": "regimes that a claim's trades are of, mean",
    "losses_behind": "share of losses among the trades that claims rest on",
    "arousal_behind": "arousal at the trades that claims rest on, mean",
    "age_behind_insights": "ticks since the trades that insights rest on, mean",
    "tagged_behind": "share of anomalies tagged awake among the episodes read that claims rest on",
    "arousal_behind_read": "arousal at the trades read that claims rest on, mean",
    "bad_losses_behind_anxious": "share of losses of 1 R and more among the trades read that claims of anxious dreams rest on",
    "age_of_loudest": "ticks since the trade that spoke loudest in a decision, where one did, mean",
    "unused_share": "share of what memories stored that never spoke in a decision",
}


def figures(run):
    """The figures of one run."""
    rules, trades, replays, dreams, lives = (parquet.read_table(run / f"{table}.parquet").to_pandas()
                                             for table in ("rules", "trades", "replays", "dreams", "lives"))
    staged = rules[rules.step == "staged"].drop_duplicates("rule")
    claims = staged[staged.provenance == "own"]
    lived = trades.drop_duplicates("episode").set_index("episode")
    of_kind = {kind: claims[claims.kind == kind] for kind in ("insight", "hypothesis", "fragment", "guard")}
    behind = claims[["rule", "tick", "kind"]].assign(episode=claims.learned_from.fillna("").str.split()).explode("episode")
    behind = behind.merge(lived, left_on="episode", right_index=True)
    read = replays[replays.read.eq(True) & (replays.claims > 0)]
    anxious = set(dreams.dream[dreams.mood_bias == "anxious"])
    known = read.join(lived[["realised_r", "arousal"]], on="episode").dropna(subset=["arousal"])
    of_anxious = known[known.dream.isin(anxious)]
    words = trades.loudest_voice.fillna("").str.split(" ", n=1)
    heard = trades[words.str[0] == "episode"].assign(heard=words.str[1])
    admitted = rules[rules.step == "admitted"].rule.map(staged.set_index("rule").kind)
    insights = behind[behind.kind == "insight"]
    weighted = lambda values, of: np.average(values, weights=of.claims) if len(of) else np.nan
    return {
        "claims": len(claims),
        "entry_claims": (claims.about == "entry").sum(),
        "subjects": len(claims[["strategy", "circumstances"]].drop_duplicates()),
        "trending_share": claims.circumstances.str.contains("trending").mean(),
        "guards": len(of_kind["guard"]),
        "guards_save": of_kind["guard"].expected_r.mean(),
        "hypotheses": len(of_kind["hypothesis"]),
        "imagined_circumstances": of_kind["hypothesis"].circumstances.nunique(),
        "fragments": len(of_kind["fragment"]),
        "hypotheses_in_force": (admitted == "hypothesis").sum(),
        "regimes_a_claim": behind.groupby("rule").regime_read.nunique().mean(),
        "losses_behind": (behind.realised_r < 0).mean(),
        "arousal_behind": behind.arousal.mean(),
        "age_behind_insights": (insights.tick - insights.closed_tick).mean(),
        "tagged_behind": weighted(read.curator_boost > 1, read),
        "arousal_behind_read": weighted(known.arousal, known),
        "bad_losses_behind_anxious": weighted(of_anxious.realised_r <= -1, of_anxious),
        "age_of_loudest": (heard.opened_tick - heard.heard.map(lived.closed_tick)).mean(),
        "unused_share": lives.memory_unused.sum() / lives.memory_stored.sum(),
    }


def of_sweep(folder):
    """Figures by arm and seed. They are kept in the folder, and gone on with."""
    kept = folder / "figures.csv"
    rows = pd.read_csv(kept).to_dict("records") if kept.exists() else []
    done = {(row["arm"], row["seed"]) for row in rows}
    for record in sorted(folder.glob("cells/*/cell.json")):
        cell = json.loads(record.read_text())
        if (cell["arm"], cell["seed"]) not in done:
            rows.append({"arm": cell["arm"], "seed": cell["seed"], **figures(record.parent / "run")})
    table = pd.DataFrame(rows)
    table.to_csv(kept, index=False)
    return table.set_index(["arm", "seed"])


def p_of_signs(differences):
    """Share of all signs that give a sum at least as far from 0."""
    sums = np.zeros(1)
    for difference in differences:
        sums = np.concatenate([sums + difference, sums - difference])
    return np.mean(np.abs(sums) >= abs(differences.sum()) * (1 - 1e-12))


def holm(ps):
    """Holm's step-down."""
    order, corrected, most = np.argsort(ps), np.empty(len(ps)), 0.0
    for place, at in enumerate(order):
        most = max(most, min(1.0, (len(ps) - place) * ps[at]))
        corrected[at] = most
    return corrected


def main(out):
    tables, found = {}, []
    for arm, world, figure, sign in RULES:
        if world not in tables:
            tables[world] = of_sweep(out / world)
        column = tables[world][figure].unstack(0)[[*LUCK, arm]].dropna()
        level = column[LUCK].mean(axis=1)
        # Against the other two: (x − mean of all) · 3/2.
        luck = [((column[name] - level) * 1.5).mean() for name in LUCK]
        found.append((arm, world, figure, sign, level.mean(), luck, (column[arm] - level).to_numpy()))
    corrected = holm(np.array([p_of_signs(row[-1]) for row in found]))
    print("| without | world | figure | shipped | difference | luck's | p | verdict |\n|---|---|---|---|---|---|---|---|")
    for (arm, world, figure, sign, level, luck, differences), p in zip(found, corrected):
        mean, n = differences.mean(), len(differences)
        half = stats.t.ppf(1 - ALPHA / len(found) / 2, n - 1) * differences.std(ddof=1) / n**0.5
        beyond = abs(mean) > max(map(abs, luck))
        is_beyond_luck = p < ALPHA and beyond
        verdict = ("consequence" if np.sign(mean) == sign else "the other way" if sign else "not expected") if is_beyond_luck else "not found"
        short = lambda value, plus="": f"{value:{plus}.4g}"
        print(f"| `{arm}` | {world}, {n} | {FIGURES[figure]} | {short(level)} | {short(mean, '+')} [{short(mean - half)}, {short(mean + half)}]"
              f" | {', '.join(short(value, '+') for value in luck)} | {p:.2g} | {verdict} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
