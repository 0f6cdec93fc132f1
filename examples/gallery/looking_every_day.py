"""
Looking every day
=================

Labels arrive row by row. An ordinary interval of 95 % is right at one look; looked at after each row it is wrong sooner or
later. Of streams like these it leaves the true accuracy in four of ten at some time; this is one of them, and marks show where.
The interval by ``method="anytime"`` holds at all times at once, and is wider.
"""

import matplotlib.pyplot as plt
import numpy as np

import rocksteady as rs

rng = np.random.default_rng(6)
true, rows = 0.8, np.arange(1, 1001)
right = np.cumsum(rng.random(len(rows)) < true)
counts = rs.Counts(tp=right, fp=np.zeros(len(rows)), fn=rows - right, tn=np.zeros(len(rows)))

fig, axes = plt.subplots(figsize=(7, 4), layout="constrained")
for method, colour, name in (("anytime", "C0", "at all times at once"), ("clopper_pearson", "C1", "for one look")):
    found = counts.interval("recall", method=method)
    axes.fill_between(rows, found.low, found.high, color=colour, alpha=0.25, label=f"95 % interval {name}")
    wrong = (found.low > true) | (found.high < true)
    axes.plot(rows[wrong], np.full(wrong.sum(), true), "|", color=colour, markersize=12)
axes.plot(rows, right / rows, color="black", linewidth=1, label="accuracy so far")
axes.axhline(true, color="black", linestyle=":", label="true accuracy, marked where an interval leaves it out")
axes.set(xscale="log", xlim=(5, 1000), ylim=(0.5, 1), xlabel="rows", ylabel="accuracy")
axes.legend(loc="lower right", fontsize="small")
plt.show()
