"""Compare the speed of NDCG@10 over queries with ranx, trec_eval and a loop over scikit-learn; print a table.

    python benches/queries.py [--queries 100000] [--length 10]

CPU time in a process in which each library may use one thread. Contestants run in turn, and the shortest time of each
counts. scikit-learn runs over a part of the queries, whose time is multiplied. All answers must agree.

Bias disclosure: the authors of this file are the authors of rocksteady. rocksteady's time is from numpy arrays to the
value; "a ready statistic" is the value alone. ranx and pytrec_eval get ready objects, which take half a minute and two
seconds to make of the same arrays.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import time
import warnings
from collections.abc import Callable

_LIMITS = (
    "ROCKSTEADY_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
)
os.environ |= dict.fromkeys(_LIMITS, "1")

import numpy as np  # noqa: E402 (after the limits of threads)

import rocksteady as rs  # noqa: E402

_LOOP = 2_000
"""How many queries scikit-learn runs over."""


def _shortest(contestants: dict[str, tuple[Callable[[], float], float]], rounds: int) -> dict[str, float]:
    """Seconds of each, times its factor. Answers of whole runs must agree."""
    found = dict.fromkeys(contestants, float("inf"))
    answers = {}
    for _ in range(rounds):
        for name, (call, factor) in contestants.items():
            start = time.process_time()
            answer = call()
            found[name] = min(found[name], (time.process_time() - start) * factor)
            if factor == 1:
                answers[name] = answer
    expected = next(iter(answers.values()))
    assert all(abs(answer - expected) <= 1e-12 for answer in answers.values()), answers
    return found


def main() -> None:
    """Race, and print milliseconds and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--queries", type=int, default=100_000)
    parser.add_argument("--length", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    from sklearn.metrics import ndcg_score

    rng = np.random.default_rng(0)
    shape = (asked.queries, asked.length)
    query = np.repeat(np.arange(asked.queries), asked.length)
    relevance, score = rng.integers(0, 4, shape), rng.random(shape).astype(np.float32).astype(np.float64)
    order = rng.permutation(query.size)
    flat = (relevance.ravel(), score.ravel(), query)
    mixed = tuple(column[order] for column in flat)
    ready = rs.Queries(*flat)
    part = min(_LOOP, asked.queries)

    def loop() -> float:
        rows = zip(relevance[:part], score[:part], strict=True)
        return float(np.mean([ndcg_score([y], [p], k=10) for y, p in rows if y.any()]))

    assert abs(loop() - np.nanmean(ready.every("ndcg@10")[:part])) < 1e-12
    races: dict[str, tuple[Callable[[], float], float]] = {
        "rocksteady": (lambda: rs.Queries(*flat).value("ndcg@10", empty=0), 1),
        "rocksteady, rows in any order": (lambda: rs.Queries(*mixed).value("ndcg@10", empty=0), 1),
        "rocksteady, a ready statistic": (lambda: ready.value("ndcg@10", empty=0), 1),
        "scikit-learn, a loop": (loop, asked.queries / part),
    }
    documents = [f"d{place}" for place in range(asked.length)]
    keys = [f"q{place}" for place in range(asked.queries)]
    if importlib.util.find_spec("pytrec_eval"):
        import pytrec_eval

        qrels = {key: dict(zip(documents, row, strict=True)) for key, row in zip(keys, relevance.tolist(), strict=True)}
        run = {key: dict(zip(documents, row, strict=True)) for key, row in zip(keys, score.tolist(), strict=True)}
        judge = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"})
        races["pytrec-eval-terrier"] = (
            lambda: float(np.mean([found["ndcg_cut_10"] for found in judge.evaluate(run).values()])),
            1,
        )
    if importlib.util.find_spec("ranx"):
        import pandas as pd
        import ranx

        names = {"q_id": np.repeat(keys, asked.length), "doc_id": np.tile(documents, asked.queries)}
        frame = pd.DataFrame({**names, "score": relevance.ravel()}).astype({"q_id": object, "doc_id": object})
        judged = ranx.Qrels.from_df(frame)
        ran = ranx.Run.from_df(frame.assign(score=score.ravel()))
        ranx.evaluate(judged, ran, "ndcg@10")  # which compiles it
        races["ranx"] = (lambda: float(ranx.evaluate(judged, ran, "ndcg@10")), 1)
    found = _shortest(races, asked.rounds)
    own = found["rocksteady"]
    print(f"NDCG@10 of {asked.queries} queries x {asked.length} rows")
    for name, seconds in found.items():
        print(f"{name:32} {seconds * 1000:12.1f} ms {seconds / own:9.2f} x")


if __name__ == "__main__":
    main()
