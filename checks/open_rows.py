#!/usr/bin/env python3
"""The table of `checks/open-rows.sh`: each rule taken away, by the figure and sign that exploration on seeds below 100 chose for it.

    checks/open_rows.py MORTA OUT FIRST_SEED WORLDS

MORTA takes a rule away by MORTA_WITHOUT. Figures, luck, p, Holm's correction and the verdict are those of `rule_consequences.py`.
"""

import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pyarrow.parquet as parquet

import rule_consequences as rules

# Arm, world, what is taken away, figure, sign. As `RULES`, with the word for MORTA_WITHOUT.
ROWS = [
    ("one-response", "nightly", "responses", "imagined_circumstances", -1),
    ("keyword-by-halves", "nightly", "cosine", "age_behind_insights", -1),
    ("morning-with-the-batches", "nightly", "morning", "forward_replays", 1),
    ("taxonomy-drawn-anew", "forgetful", "taxonomy", "imagined_circumstances", -1),
]
# Scenario, settings, and how many times as many worlds: what is kept of what was forgotten shows where much is forgotten, and less clearly.
WORLDS = {
    "nightly": ("nightly.toml", ["ticks=6480"], 1),
    "forgetful": ("hard-times.toml", ["ticks=6000", "memory.bardo.grimoire.capacity=40"], 2),
}
rules.FIGURES["forward_replays"] = "prospects gone through"


def lived(morta, out, world, arm, without, luck, seed):
    """The figures of one run, which is dropped afterwards."""
    scenario, settings, _ = WORLDS[world]
    settings = [word for setting in [*settings, "record.events=false", f"dream.luck={luck}"] for word in ("--set", setting)]
    run = out / f"{world}-{arm}-{seed}"
    subprocess.run(
        [morta, "run", Path(__file__).parent.parent / "scenarios" / scenario, "--seed", str(seed), *settings, "--out", run],
        check=True, capture_output=True, env={**os.environ, "MORTA_WITHOUT": without})
    figures = rules.figures(run) | {"forward_replays": parquet.read_table(run / "dreams.parquet")["forward_replays"].to_pandas().sum()}
    subprocess.run(["rm", "-r", run], check=True)
    return {"arm": arm, "seed": seed, **figures}


def main(morta, out, first, worlds):
    arms = [(name, "", luck) for luck, name in enumerate(rules.LUCK)]
    for world in WORLDS:
        kept = out / world / "figures.csv"
        kept.parent.mkdir(exist_ok=True)
        rows = pd.read_csv(kept).to_dict("records") if kept.exists() else []
        done = {(row["arm"], row["seed"]) for row in rows}
        here = arms + [(arm, without, 0) for arm, of, without, _, _ in ROWS if of == world]
        for arm, without, luck in here:
            for seed in range(first, first + worlds * WORLDS[world][2]):
                if (arm, seed) not in done:
                    rows.append(lived(morta, out, world, arm, without, luck, seed))
                    pd.DataFrame(rows).to_csv(kept, index=False)
    rules.RULES[:] = [(arm, world, figure, sign) for arm, world, _, figure, sign in ROWS]
    rules.main(out)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
