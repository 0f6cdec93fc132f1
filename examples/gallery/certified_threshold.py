"""
A threshold with a promise
==========================

The precision of the rows above each threshold, and what an exact test shows for the population. The tests go from the top down,
and end where the lower bound meets the limit: the threshold there is certified. The threshold at which these rows reach the limit
lies lower, and in the population its precision is as likely too low as not.
"""

import matplotlib.pyplot as plt
import numpy as np

import rocksteady as rs

rng = np.random.default_rng(4)
scores = rng.random(2_000)
table = rs.ScoreTable(rng.random(2_000) < scores, scores)
limit = 0.8
found = table.certify(f"precision >= {limit}")
counts = table.counts()
rows = counts.tp + counts.fp
bound = counts.interval("precision", method="clopper_pearson", side="lower")

fig, axes = plt.subplots(figsize=(7, 4), layout="constrained")
axes.plot(rows, counts["precision"], color="black", linewidth=1, label="precision on these rows")
axes.plot(rows, bound.low, color="C0", linewidth=1, label="at least, in the population (95 %, one test)")
axes.plot(rows, (1 + table.thresholds.clip(max=1)) / 2, color="C2", linestyle=":", label="precision in the population")
axes.axhline(limit, color="grey", linewidth=1, label=f"limit {limit}")
axes.axvspan(0, found.start_rows, color="grey", alpha=0.2, linewidth=0, label="not tested: chosen beforehand")
reached = table.target("precision", at_least=limit)
for place, name, colour in ((found, "certified", "C0"), (reached, "reached on these rows", "black")):
    axes.plot(place.tp + place.fp, place.tp / (place.tp + place.fp), "o", color=colour, label=name)
axes.set(xlim=(0, 1200), ylim=(0.7, 1), xlabel="rows above the threshold", ylabel="precision")
axes.legend(loc="upper right", fontsize="small")
plt.show()
