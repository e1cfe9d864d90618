"""Outcome-weighted recall with numpy: the same scores as owm.py, over columns that are prepared once."""

from datetime import datetime

import numpy as np

import owm


class Columns:
    """Episodes with all fields known."""

    def __init__(self, memories):
        self.made = np.array([datetime.fromisoformat(memory["timestamp"]).timestamp() for memory in memories])
        self.outcome = np.array([memory["pnl_r"] for memory in memories])
        self.trust = 0.5 + 0.5 * np.clip([memory["confidence"] for memory in memories], 0.0, 1.0)
        self.codes = {}
        self.labels = {}
        for name in owm.LABELS:
            values, codes = np.unique([memory[name] for memory in memories], return_inverse=True)
            self.codes[name] = {str(value): code for code, value in enumerate(values)}
            self.labels[name] = codes.astype(np.uint8)
        self.measures = {name: np.array([memory[name] for memory in memories]) for name in owm.MEASURES}

    def recall(self, query, mood, now, limit=10):
        """Places of the best and their scores, best first."""
        spread = max(owm.LEAST_SPREAD, np.sqrt(np.mean(self.outcome * self.outcome)))
        score = 1.0 / (1.0 + np.exp(-owm.SENSITIVITY / spread * self.outcome))
        earned = np.zeros(len(score))
        weights = sum(owm.LABELS.values()) + sum(weight for weight, _ in owm.MEASURES.values())
        for name, weight in owm.LABELS.items():
            earned += weight * (self.labels[name] == self.codes[name].get(query[name], 255))
        for name, (weight, bandwidth) in owm.MEASURES.items():
            then = self.measures[name]
            z = (then - query[name]) / (bandwidth * then)
            earned += weight * np.exp(-0.5 * z * z)
        score *= earned / weights
        days, exponent = owm.FADING["episodic"]
        age_days = np.maximum(0.0, (now.timestamp() - self.made) / 86_400)
        score *= (1.0 + age_days / days) ** -exponent
        score *= self.trust
        if mood.drawdown_state > 0.5:
            relevance = np.where(self.outcome < -1.5, 0.5, np.where(self.outcome > 2.0, 0.3, 0.0))
            score *= 1.0 + owm.AFFECT * relevance
        elif mood.consecutive_losses >= 3:
            score *= 1.0 + owm.AFFECT * np.where(self.outcome > 0.0, 0.3, -0.2)
        limit = min(limit, len(score))
        chosen = np.argpartition(score, len(score) - limit)[len(score) - limit:]
        chosen = chosen[np.argsort(-score[chosen], kind="stable")]
        return chosen, score[chosen]
