"""Writes the pairs that stats/tests/statistics/information.rs reads, and prints the figures it expects of them.

    python -m venv venv && venv/bin/pip install -r requirements.txt && venv/bin/python information.py

The pairs in steps are multiples of 1/8, so that equal distances are equal to the last bit.
"""

import pathlib

import numpy as np
from sklearn.feature_selection._mutual_info import _compute_mi_cc
from sklearn.preprocessing import scale

DATA = pathlib.Path(__file__).parent.parent / "data"
PAIRS = 160
NEIGHBOURS = range(3, 8)


def pairs():
    generator = np.random.default_rng(17)
    x, noise = generator.standard_normal(PAIRS), generator.standard_normal(PAIRS)
    yield "normal", x, 0.6 * x + 0.8 * noise
    yield "independent", generator.standard_normal(PAIRS), generator.exponential(3.0, PAIRS)
    yield "wave", 5 * generator.uniform(size=PAIRS), None
    steps = np.round(2 * generator.standard_normal(PAIRS)) / 8
    yield "steps", steps, np.round(8 * (steps + 0.3 * generator.standard_normal(PAIRS))) / 8


columns = {}
for name, x, y in pairs():
    if y is None:
        y = 1e-3 * np.round(1e6 * (np.sin(2 * x) + 0.2 * np.cos(37 * x))) / 1e3
    columns[f"{name}_x"], columns[f"{name}_y"] = x, y
    raw = [float(_compute_mi_cc(x, y, k)) for k in NEIGHBOURS]
    scaled = [float(_compute_mi_cc(scale(x, with_mean=False), scale(y, with_mean=False), k)) for k in NEIGHBOURS]
    print(name, "as they are", raw, "standardised", scaled, sep="\n  ")

rows = [",".join(repr(float(value)) for value in row) for row in zip(*columns.values())]
(DATA / "information.csv").write_text("\n".join([",".join(columns), *rows]) + "\n")
