"""Prints the figures that stats/tests/statistics/shrinkage.rs expects: shares of the mixture by scipy's SLSQP instead of expectation-maximisation.

    python -m venv venv && venv/bin/pip install -r requirements.txt && venv/bin/python shrinkage.py
"""

import numpy as np
from scipy import optimize, stats

EFFECTS = np.array([0.05, -0.31, 0.12, 0.02, 1.9, 0.44, -0.08, 0.27, 3.1, -0.15, 0.6, 0.01])
ERRORS = np.array([0.16, 0.16, 0.22, 0.16, 0.31, 0.18, 0.16, 0.22, 0.4, 0.13, 0.2, 0.1])


def shrunken(effects, errors):
    smallest = errors.min() / 10
    largest = max(2 * np.sqrt(max((effects**2 - errors**2).max(), 0)), 8 * smallest)
    spreads = [0.0]
    while (next_spread := smallest * np.sqrt(2) ** (len(spreads) - 1)) < largest * np.sqrt(2):
        spreads.append(next_spread)
    spreads = np.array(spreads)
    sd = np.sqrt(spreads**2 + errors[:, None] ** 2)
    density = stats.norm.pdf(effects[:, None], 0, sd)
    count = len(spreads)
    best = optimize.minimize(
        lambda shares: -np.log(density @ shares).sum(),
        np.full(count, 1 / count),
        jac=lambda shares: -(density / (density @ shares)[:, None]).sum(axis=0),
        bounds=[(0, 1)] * count,
        constraints={"type": "eq", "fun": lambda shares: shares.sum() - 1, "jac": lambda shares: np.ones(count)},
        method="SLSQP",
        options={"ftol": 1e-15, "maxiter": 10_000},
    )
    weights = density * best.x
    weights /= weights.sum(axis=1, keepdims=True)
    return (weights * spreads**2 / sd**2).sum(axis=1) * effects


print(", ".join(f"{value:.8f}" for value in shrunken(EFFECTS, ERRORS)))
# All true effects 0: what luck showed is drawn in to next to nothing.
LUCK = np.array([0.1, -0.12, 0.05, 0.14, -0.03, -0.09, 0.11, -0.06])
print(", ".join(f"{value:.8f}" for value in shrunken(LUCK, np.full(8, 0.16))))
