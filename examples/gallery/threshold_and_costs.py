"""
Where to set the threshold
==========================

Precision, recall and F2 over the threshold. A point marks the best value of each. On the right: what every threshold
costs if a miss costs five false alarms.
"""

import matplotlib.pyplot as plt
import numpy as np

import rocksteady as rs

rng = np.random.default_rng(2)
fraud = rng.random(10_000) < 0.1
score = 1 / (1 + np.exp(2 - 2.5 * fraud - rng.normal(size=fraud.size)))
table = rs.ScoreTable(fraud, score)
best = table.best("cost", fp=1, fn=5)

figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
rs.plot.ThresholdIndicesDisplay.from_tables(
    table, indices={"precision": {}, "recall": {}, "fbeta": {"beta": 2}}, ax=axes[0]
)
rs.plot.ThresholdIndicesDisplay.from_tables(table, indices={"mean_cost": {"fp": 1, "fn": 5}}, ax=axes[1])
axes[1].set_title(f"cheapest at {best.threshold:.3f}")
plt.show()
