"""The memory of own_memory.rs in Python's standard library: same arithmetic in the same order, so the same bytes.

morta memory conformance ledger --memory-process ledger='python3 lab/examples/ledger.py'
"""

import json
import sys

memories = {}  # By number: the weight of the prior, and outcomes with their sum by regime, strategy and side.


def advise(memory, moment, candidates):
    prior_weight, seen = memory
    for strategy, side, prior_r in zip(candidates["strategy"], candidates["side"], candidates["prior_r"]):
        count, sum_r = seen.get(f"{moment['regime']} {strategy} {side}", (0, 0.0))
        weight = prior_weight + count
        yield {"expected_r": (prior_weight * prior_r + sum_r) / weight, "confidence": count / weight}


def answer(request):
    call, number = request["call"], request.get("memory")
    if call == "hello":
        return {"protocol": 1, "name": "ledger.py", "methods": ["save"]}
    if call == "birth":
        memories[number] = (request["birth"]["parameters"].get("prior_weight", 5.0), {})
    elif call == "advise":
        return {"advice": list(advise(memories[number], request["moment"], request["candidates"]))}
    elif call == "observe":
        outcome, seen = request["outcome"], memories[number][1]
        key = f"{outcome['regime']} {outcome['strategy']} {outcome['side']}"
        count, sum_r = seen.get(key, (0, 0.0))
        seen[key] = (count + 1, sum_r + outcome["realised_r"])
    elif call == "save":
        return {"saved": json.dumps(memories[number], sort_keys=True)}
    elif call == "load":
        memories[number] = json.loads(request["saved"])
    elif call == "forget":
        del memories[number]
    return {}


for line in sys.stdin:
    try:
        said = answer(json.loads(line))
    except Exception as error:  # The golem whose memory raised dies by fault; the run goes on.
        said = {"error": repr(error)}
    print(json.dumps(said), flush=True)
