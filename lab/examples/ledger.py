"""The memory of own_memory.rs in Python's standard library: same arithmetic in the same order, so the same bytes.

morta memory conformance ledger --memory-process ledger='python3 lab/examples/ledger.py'
"""

import json
import sys


def advise(prior_weight, seen, moment, candidates):
    for strategy, side, prior_r in zip(candidates["strategy"], candidates["side"], candidates["prior_r"]):
        count, sum_r = seen.get(f"{moment['regime']} {strategy} {side}", (0, 0.0))
        weight = prior_weight + count
        yield {"expected_r": (prior_weight * prior_r + sum_r) / weight, "confidence": count / weight}


def answer(request):
    call, kept = request["call"], request.get("kept")
    if call == "hello":
        return {"protocol": 1, "name": "ledger.py", "methods": ["keep"], "parameters": {"prior_weight": 5.0}}
    if call == "birth":  # What is kept: the weight of the prior, and outcomes with their sum by regime, strategy and side.
        kept = (request["birth"]["parameters"]["prior_weight"], {})
    elif call == "advise":
        return {"advice": list(advise(*kept, request["moment"], request["candidates"]))}
    elif call == "observe":
        outcome, seen = request["outcome"], kept[1]
        key = f"{outcome['regime']} {outcome['strategy']} {outcome['side']}"
        count, sum_r = seen.get(key, (0, 0.0))
        seen[key] = (count + 1, sum_r + outcome["realised_r"])
    return {"kept": kept}


for line in sys.stdin:
    try:
        said = answer(json.loads(line))
    except Exception as error:  # The golem whose memory raised dies by fault; the run goes on.
        said = {"error": repr(error)}
    print(json.dumps(said), flush=True)
