"""TradeMemory's recall and stakes beside Morta's, on random memories in which both are defined alike: contexts are complete, and every memory has an
outcome. And a database that the package has written, imported. Set MORTA_MEMORY to the program.
"""

import asyncio
import json
import os
import random
import subprocess
import tempfile
from datetime import datetime, timedelta, timezone

import tradememory.mcp_server
from tradememory.db import Database
from tradememory.owm.context import ContextVector
from tradememory.owm.kelly import kelly_from_memory
from tradememory.owm.recall import ScoredMemory, outcome_weighted_recall

CASES = 200
NEAR = 1e-6
luck = random.Random(21)


def owm(command, *args):
    done = subprocess.run([os.environ["MORTA_MEMORY"], "owm", command, *args], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def context():
    return {
        "regime": luck.choice(["trending_up", "trending_down", "ranging", "volatile"]),
        "volatility_regime": luck.choice(["low", "normal", "high", "extreme"]),
        "session": luck.choice(["asia", "london", "newyork", "overlap"]),
        "atr_d1": luck.uniform(10, 60), "atr_h1": luck.uniform(1, 9), "spread_as_atr_pct": luck.uniform(0.01, 0.3),
        "drawdown_pct": luck.uniform(0.01, 0.3), "price": luck.uniform(1800, 2600),
    }


def far(ours, theirs):
    return abs(ours - theirs) > NEAR * max(1.0, abs(theirs))


def recall(room):
    """Whether all scores and their order are the same."""
    now = datetime.now(timezone.utc)
    trades = [
        {
            "id": f"t{n}", "timestamp": (now - timedelta(days=luck.uniform(300 - 10 * n - 9, 300 - 10 * n))).isoformat(), "symbol": "X", "strategy_name": "s",
            "direction": "long", "entry_price": 1.0, "pnl_r": luck.gauss(0.2, 1.5), "confidence": luck.random(), "context": context(),
        }
        for n in range(luck.randint(2, 30))
    ]
    present, mood = context(), {"drawdown_state": luck.random(), "consecutive_losses": luck.randint(0, 6)}
    files = {"log": "".join(json.dumps(trade) + "\n" for trade in trades), "keys": 'score.spread = { policy = "fixed", sigma_r = 1.5 }\n'}
    asked = {"now": now.isoformat(), "query_context": present, "affective_state": mood, "memory_types": ["episodic"], "limit": 30}
    files["asked"] = json.dumps(asked)
    for name, text in files.items():
        with open(f"{room}/{name}", "w") as file:
            file.write(text)
    owm("remember", f"{room}/store", f"{room}/log", "--strict", "--config", f"{room}/keys")
    ours = owm("recall", f"{room}/asked", "--store", f"{room}/store", "--whole")["ranked"]
    memories = [{**trade, "memory_type": "episodic"} for trade in trades]
    theirs = outcome_weighted_recall(ContextVector(**present), memories, mood, limit=30)
    return [one["id"] for one in ours] == [one.memory_id for one in theirs] and not any(far(a["score"], b.score) for a, b in zip(ours, theirs))


def stake(room):
    """Whether the fraction is the same; there is a gain and a loss among the outcomes."""
    outcomes = [1.0, -1.0] + [luck.gauss(0.3, 1.5) for _ in range(luck.randint(0, 40))]
    scores = [luck.random() for _ in outcomes]
    appetite = luck.uniform(0.1, 1)
    memories = [{"score": score, "pnl_r": r} for score, r in zip(scores, outcomes)]
    with open(f"{room}/asked", "w") as file:
        json.dump({"memories": memories, "risk_appetite": appetite, "cap": 0.5}, file)
    theirs = kelly_from_memory([ScoredMemory("m", "episodic", score, {}, {"pnl_r": r}) for score, r in zip(scores, outcomes)], risk_appetite=appetite)
    return not far(owm("kelly", f"{room}/asked")["kelly"], theirs)


async def remembered(trades):
    for n in range(trades):
        won = n % 3 != 0
        await tradememory.mcp_server.remember_trade(
            symbol="XAUUSD", direction="long", entry_price=2000.0 + n, exit_price=2015.0 + n if won else 1990.0 + n, pnl=150.0 if won else -100.0,
            pnl_r=1.5 if won else -1.0, strategy_name="breakout", market_context="quiet", context_regime="ranging", context_atr_d1=30.0, reflection=f"r{n}",
        )


def imported(trades):
    """Trades that are taken over from the package's own database, with their regime and price."""
    with tempfile.TemporaryDirectory() as room:
        tradememory.mcp_server._db = Database(db_path=f"{room}/tradememory.db")
        asyncio.run(remembered(trades))
        owm("import", f"{room}/store", f"{room}/tradememory.db")
        done = subprocess.run([os.environ["MORTA_MEMORY"], "owm", "export", f"{room}/store"], capture_output=True, text=True, check=True)
    told = [json.loads(line) for line in done.stdout.splitlines()]
    prices = sorted(trade["entry_price"] for trade in told)
    assert prices == [2000.0 + n for n in range(len(told))] and all(trade["context"]["regime"] == "ranging" for trade in told), told
    return len(told)


def shared(trades):
    """Both programs on one database: each has what the other wrote, and the package's own tools read what Morta wrote."""
    with tempfile.TemporaryDirectory() as room:
        log = [{"id": f"morta-{n}", "timestamp": f"2026-01-{1 + n:02d}T10:00:00Z", "symbol": "XAUUSD", "strategy_name": "fade", "direction": "short",
                "entry_price": 2000.0, "exit_price": 1990.0, "pnl": 100.0 if n % 2 else -50.0, "pnl_r": 1.0 if n % 2 else -0.5, "context_regime": "ranging",
                "lot_size": 0.1, "hold_duration_seconds": 600} for n in range(trades)]
        with open(f"{room}/log", "w") as file:
            file.write("".join(json.dumps(trade) + "\n" for trade in log))
        owm("remember", f"{room}/store", f"{room}/log", "--strict")
        written = owm("share", f"{room}/store", "--db", f"{room}/tradememory.db")["written"]
        server = tradememory.mcp_server
        server._db = Database(db_path=f"{room}/tradememory.db")
        asyncio.run(remembered(trades))
        done = asyncio.run(server.get_strategy_performance())["strategies"]
        assert done["fade"]["trade_count"] == done["breakout"]["trade_count"] == trades, done
        found = asyncio.run(server.recall_memories(symbol="XAUUSD", market_context="quiet", context_regime="ranging", strategy_name="fade"))
        assert any(str(memory.get("memory_id", memory.get("id"))).startswith("morta-") for memory in found["memories"]), found
        assert asyncio.run(server.get_trade_reflection("morta-1"))["pnl"] == 100.0
        asyncio.run(server.check_active_plans(context_regime="ranging"))
        assert asyncio.run(server.get_agent_state()) and asyncio.run(server.get_behavioral_analysis())
        taken = owm("share", f"{room}/store", "--db", f"{room}/tradememory.db")
        assert owm("share", f"{room}/store", "--db", f"{room}/tradememory.db")["taken"] == 0
        assert owm("state", f"{room}/store")["episodes"] == 2 * trades
    return min(written, taken["taken"])


def count(compare):
    same = 0
    for _ in range(CASES):
        with tempfile.TemporaryDirectory() as room:
            same += compare(room)
    return same


TRADES = 40
recalls, stakes, trades, both = count(recall), count(stake), imported(TRADES), shared(TRADES // 2)
print(f"originals: TradeMemory beside Morta: {recalls} of {CASES} recalls and {stakes} of {CASES} stakes the same to {NEAR}; {trades} of {TRADES} trades of its database imported, "
      f"{both} of {TRADES // 2} of each in one database")
raise SystemExit((recalls, stakes, trades, both) != (CASES, CASES, TRADES, TRADES // 2))
