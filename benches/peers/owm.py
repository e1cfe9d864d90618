"""Outcome-weighted recall in plain Python: memories are dictionaries, times are texts, every candidate is scored with
all its factors and the list is sorted.

Score = Q * Sim * Rec * Conf * Aff. Written from the formulas of outcome-weighted memory, in the way a Python author
would write them down first.
"""

import math
import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

SENSITIVITY = 2.0
USUAL_SPREAD = 1.5
LEAST_SPREAD = 0.5
AFFECT = 0.3
LABELS = {"regime": 0.25, "volatility_regime": 0.15, "session": 0.10}
MEASURES = {
    "atr_d1": (0.15, 0.3),
    "atr_h1": (0.10, 0.3),
    "spread_as_atr_pct": (0.05, 0.5),
    "drawdown_pct": (0.10, 0.1),
    "price": (0.10, 0.2),
}
FADING = {"episodic": (30.0, 0.5), "semantic": (180.0, 0.3), "prospective": (180.0, 0.3)}


@dataclass
class Mood:
    drawdown_state: float = 0.0
    consecutive_losses: int = 0


@dataclass
class Recalled:
    memory: dict
    score: float
    components: dict = field(default_factory=dict)


def sigmoid(x):
    if x < 0:
        power = math.exp(x)
        return power / (1.0 + power)
    return 1.0 / (1.0 + math.exp(-x))


def quality(memory, spread):
    """How good the outcome was; a half while it isn't known."""
    outcome = memory.get("pnl_r")
    return 0.5 if outcome is None else sigmoid(SENSITIVITY * outcome / spread)


def similarity(memory, query):
    """How alike the circumstances are, as a share of what all fields weigh."""
    earned = weights = 0.0
    for name, weight in LABELS.items():
        weights += weight
        label = memory.get(name)
        if label is not None and label == query.get(name):
            earned += weight
    for name, (weight, bandwidth) in MEASURES.items():
        weights += weight
        then, now = memory.get(name), query.get(name)
        if then and now is not None:
            z = (then - now) / (bandwidth * abs(then))
            earned += weight * math.exp(-0.5 * z * z)
    return earned / weights


def recency(memory, now):
    """What time has left of it; a half when its time can't be read."""
    try:
        made = datetime.fromisoformat(memory["timestamp"])
        age_days = max(0.0, (now - made).total_seconds() / 86_400)
    except (KeyError, TypeError, ValueError):
        return 0.5
    days, exponent = FADING[memory["type"]]
    return (1.0 + age_days / days) ** -exponent


def trust(memory):
    confidence = memory.get("confidence")
    return 0.75 if confidence is None else 0.5 + 0.5 * min(1.0, max(0.0, confidence))


def affect(memory, mood):
    """What the state of mind makes of it."""
    outcome = memory.get("pnl_r")
    relevance = 0.0
    if mood.drawdown_state > 0.5:
        if outcome is not None and outcome < -1.5:
            relevance = 0.5
        elif outcome is not None and outcome > 2.0:
            relevance = 0.3
    elif mood.consecutive_losses >= 3:
        relevance = 0.3 if outcome is not None and outcome > 0.0 else -0.2
    return 1.0 + AFFECT * relevance


def spread_of(memories):
    outcomes = [memory["pnl_r"] for memory in memories if memory.get("pnl_r") is not None]
    if not outcomes:
        return USUAL_SPREAD
    return max(LEAST_SPREAD, math.sqrt(sum(r * r for r in outcomes) / len(outcomes)))


def recall(query, memories, mood, now, limit=10):
    """The best memories, best first."""
    spread = spread_of(memories)
    recalled = []
    for memory in memories:
        components = {
            "Q": quality(memory, spread),
            "Sim": similarity(memory, query),
            "Rec": recency(memory, now),
            "Conf": trust(memory),
            "Aff": affect(memory, mood),
        }
        score = math.prod(components.values())
        shown = {name: round(value, 4) for name, value in components.items()}
        recalled.append(Recalled(memory, score, shown))
    recalled.sort(key=lambda one: one.score, reverse=True)
    return recalled[:limit]


def scene(n, seed):
    """n memories, one an hour until now, a query, a mood and now."""
    luck = random.Random(seed)
    now = datetime(2026, 1, 1, tzinfo=timezone.utc)

    def circumstances():
        return {
            "regime": luck.choice(["trending_up", "trending_down", "ranging", "volatile"]),
            "volatility_regime": luck.choice(["low", "normal", "high"]),
            "session": luck.choice(["asia", "london", "newyork"]),
            "atr_d1": luck.uniform(50.0, 150.0),
            "atr_h1": luck.uniform(10.0, 40.0),
            "spread_as_atr_pct": luck.uniform(0.05, 0.45),
            "drawdown_pct": luck.uniform(0.0, 0.2),
            "price": luck.uniform(2_000.0, 5_000.0),
        }

    def memory(place):
        return circumstances() | {
            "id": f"memory-{place}",
            "type": "episodic",
            "timestamp": (now - timedelta(hours=n - place)).isoformat(),
            "pnl_r": luck.gauss(0.0, 1.5),
            "confidence": luck.random(),
        }

    return [memory(place) for place in range(n)], circumstances(), Mood(), now
