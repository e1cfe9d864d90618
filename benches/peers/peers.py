"""What Morta is measured against, served over standard input and output.

Every line asks for a case, as JSON: {"case": "faiss_flat_ip", "n": 100000, "d": 64, "k": 64, "rounds": 5}. The answer
is a line too: {"nanoseconds": [...]}, one number a round, taken by a monotonic clock around the operation alone, or
{"error": "..."}. Preparing data isn't measured, and is done once for the same n, d and batch. {"case": "about"} tells
the versions; {"case": "forget"} frees the data. With --check the cases are compared with each other instead.

All libraries use one thread.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import importlib.metadata
import json
import platform
import sys
import time

import cpprb
import faiss
import numpy as np

import owm
import owm_numpy
import utility

faiss.omp_set_num_threads(1)
SEED = 1


def best(scores, k):
    """The places of the k highest scores, highest first."""
    k = min(k, len(scores))
    chosen = np.argpartition(scores, len(scores) - k)[len(scores) - k:]
    return chosen[np.argsort(-scores[chosen], kind="stable")]


def numpy_dot(n, d=64, k=64, **_):
    """The dot product of a query with n rows, and the k best."""
    rows, query = utility.embeddings(n, d, SEED)
    return lambda: best(rows @ query, k)


def numpy_utility(n, d=64, k=64, **_):
    """The whole utility of n episodes, and the k best."""
    episodes = utility.Episodes(n, d, SEED)
    return lambda: best(episodes.utilities(), k)


def faiss_flat_ip(n, d=64, k=64, **_):
    """The k largest dot products by faiss's exhaustive index."""
    rows, query = utility.embeddings(n, d, SEED)
    index = faiss.IndexFlatIP(d)
    index.add(rows)
    query = query[np.newaxis, :]
    return lambda: index.search(query, min(k, n))


def cpprb_prioritized(n, batch=64, **_):
    """A batch drawn with its weights and contents, and new priorities for it."""
    random = np.random.default_rng(SEED)
    contents = {"obs": {"shape": 8}, "rew": {}, "done": {}}
    buffer = cpprb.PrioritizedReplayBuffer(n, contents, alpha=0.6)
    buffer.add(
        obs=random.standard_normal((n, 8)),
        rew=random.standard_normal(n),
        done=np.zeros(n),
        priorities=random.random(n),
    )
    errors = random.random((64, batch)).astype(np.float32)
    turn = 0

    def sample_and_update():
        nonlocal turn
        turn = (turn + 1) % len(errors)
        drawn = buffer.sample(batch, beta=0.4)
        buffer.update_priorities(drawn["indexes"], errors[turn])
        return drawn

    return sample_and_update


def owm_python(n, k=10, **_):
    """Outcome-weighted recall in plain Python."""
    memories, query, mood, now = owm.scene(n, SEED)
    return lambda: owm.recall(query, memories, mood, now, limit=k)


def owm_columns(n, k=10, **_):
    """Outcome-weighted recall with numpy."""
    memories, query, mood, now = owm.scene(n, SEED)
    columns = owm_numpy.Columns(memories)
    return lambda: columns.recall(query, mood, now, limit=k)


CASES = {
    "numpy_dot": numpy_dot,
    "numpy_utility": numpy_utility,
    "faiss_flat_ip": faiss_flat_ip,
    "cpprb_prioritized": cpprb_prioritized,
    "owm_python": owm_python,
    "owm_numpy": owm_columns,
}


def about():
    return {
        "python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in ("numpy", "faiss-cpu", "cpprb")},
    }


def measure(operation, rounds):
    times = []
    for _ in range(rounds):
        begun = time.perf_counter_ns()
        kept = operation()
        times.append(time.perf_counter_ns() - begun)
        del kept
    return times


def serve():
    prepared = {}
    for line in sys.stdin:
        try:
            asked = json.loads(line)
            case = asked.pop("case")
            if case == "about":
                answer = about()
            elif case == "forget":
                prepared.clear()
                answer = {}
            elif case in CASES:
                rounds = asked.pop("rounds", 1)
                key = (case, tuple(sorted(asked.items())))
                if key not in prepared:
                    prepared[key] = CASES[case](**asked)
                answer = {"nanoseconds": measure(prepared[key], rounds)}
            else:
                answer = {"error": f"there is no case {case}; there are {', '.join(CASES)}"}
        except Exception as error:  # the asker is told of everything
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


def check():
    """Peers that do the same must agree."""
    found = faiss_flat_ip(5_000, d=32)()[1][0]
    assert list(found) == list(numpy_dot(5_000, d=32)()), "faiss and numpy find the same"
    episodes = utility.Episodes(2_000, 32, SEED)
    single = [episodes.utility(slot) for slot in range(2_000)]
    assert np.allclose(episodes.utilities(), single, rtol=1e-5, atol=1e-7), "columns have the utility of single episodes"
    for mood in (owm.Mood(), owm.Mood(drawdown_state=0.6), owm.Mood(consecutive_losses=3)):
        memories, query, _, now = owm.scene(2_000, SEED)
        plain = owm.recall(query, memories, mood, now, limit=25)
        places, scores = owm_numpy.Columns(memories).recall(query, mood, now, limit=25)
        assert [one.memory["id"] for one in plain] == [memories[place]["id"] for place in places], "the same memories"
        assert np.allclose([one.score for one in plain], scores, rtol=1e-9), "the same scores"
    drawn = cpprb_prioritized(1_000)()
    assert len(drawn["indexes"]) == len(drawn["weights"]) == 64
    print("the peers agree")


if __name__ == "__main__":
    if "--check" in sys.argv:
        check()
    else:
        serve()
