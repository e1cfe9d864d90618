"""The utility of replaying an episode, with numpy: gain times need, less what was replayed just now.

The formulas and constants are those of Morta's defaults (see the documentation of morta_engine::replay::utility). The
yardsticks of gain are given and embeddings have length 1 already, as somebody who scores often would keep them.
"""

import numpy as np

NOW = 100_000
REGIME = 1
RECENCY_HALF_LIFE = 2_160.0
SPACING_HALF_LIFE = 500.0
REGIME_MISMATCH = 0.3
SPACING_WEIGHT = 0.5
REPLAY_DECAY = 0.85
BLOODSTAIN_BOOST = 1.2
CURATOR_BOOST = 2.0
GAIN_WEIGHTS = (0.4, 0.3, 0.3)
NEED_WEIGHTS = (0.4, 0.3, 0.3)
YARDSTICK_QUANTILE = 0.95


def embeddings(n, d, seed):
    """n rows of length 1 and a query."""
    random = np.random.default_rng(seed)
    rows = random.standard_normal((n, d), dtype=np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    query = random.standard_normal(d, dtype=np.float32)
    return rows, query / np.linalg.norm(query)


class Episodes:
    """Episodes as columns."""

    def __init__(self, n, d, seed):
        random = np.random.default_rng(seed + 1)
        self.rows, self.query = embeddings(n, d, seed)
        self.surprise = random.exponential(1.0, n).astype(np.float32)
        self.significance = random.exponential(0.1, n).astype(np.float32)
        self.regret = random.exponential(0.5, n).astype(np.float32)
        columns = (self.surprise, self.significance, self.regret)
        self.yardsticks = [np.float32(np.quantile(column, YARDSTICK_QUANTILE)) for column in columns]
        self.regime = random.integers(0, 4, n).astype(np.uint8)
        self.age = random.integers(0, 20_000, n).astype(np.float32)
        self.replays = random.integers(0, 6, n).astype(np.uint8)
        since = random.integers(0, 5_000, n).astype(np.float32)
        self.since_replay = np.where(self.replays > 0, since, np.float32(np.inf))
        self.bloodstain = random.random(n) < 0.1
        self.tagged = random.random(n) < 0.05
        self.decays = (REPLAY_DECAY ** np.arange(16)).astype(np.float32)

    def utilities(self):
        """All of them at once."""
        gain = GAIN_WEIGHTS[0] * np.minimum(self.surprise / self.yardsticks[0], 1.0)
        gain += GAIN_WEIGHTS[1] * np.minimum(self.significance / self.yardsticks[1], 1.0)
        gain += GAIN_WEIGHTS[2] * np.minimum(self.regret / self.yardsticks[2], 1.0)
        np.clip(gain, 0.0, 1.0, out=gain)
        gain *= self.decays[self.replays]
        gain *= np.where(self.bloodstain, np.float32(BLOODSTAIN_BOOST), np.float32(1.0))
        need = NEED_WEIGHTS[0] * np.clip(self.rows @ self.query, 0.0, 1.0)
        need += NEED_WEIGHTS[1] * np.where(self.regime == REGIME, np.float32(1.0), np.float32(REGIME_MISMATCH))
        need += NEED_WEIGHTS[2] * np.exp2(self.age * np.float32(-1.0 / RECENCY_HALF_LIFE))
        np.clip(need, 0.0, 1.0, out=need)
        rested = 1.0 - SPACING_WEIGHT * np.exp2(self.since_replay * np.float32(-1.0 / SPACING_HALF_LIFE))
        return gain * need * rested * np.where(self.tagged, np.float32(CURATOR_BOOST), np.float32(1.0))

    def utility(self, slot):
        """One of them, in double precision, step by step."""
        columns = (self.surprise, self.significance, self.regret)
        shares = [min(float(column[slot]) / float(yardstick), 1.0) for column, yardstick in zip(columns, self.yardsticks)]
        gain = min(sum(weight * share for weight, share in zip(GAIN_WEIGHTS, shares)), 1.0)
        gain *= REPLAY_DECAY ** int(self.replays[slot])
        gain *= BLOODSTAIN_BOOST if self.bloodstain[slot] else 1.0
        likeness = min(max(float(self.rows[slot] @ self.query), 0.0), 1.0)
        regime = 1.0 if self.regime[slot] == REGIME else REGIME_MISMATCH
        recency = 2.0 ** (-float(self.age[slot]) / RECENCY_HALF_LIFE)
        terms = (likeness, regime, recency)
        need = min(sum(weight * term for weight, term in zip(NEED_WEIGHTS, terms)), 1.0)
        spacing = 2.0 ** (-float(self.since_replay[slot]) / SPACING_HALF_LIFE)
        curator = CURATOR_BOOST if self.tagged[slot] else 1.0
        return gain * need * (1.0 - SPACING_WEIGHT * spacing) * curator
