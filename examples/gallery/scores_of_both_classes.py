"""
The scores of both classes
==========================

The less the histograms overlap, the better the model separates the classes. KS is the greatest distance between the
two cumulative shares.
"""

import matplotlib.pyplot as plt
import numpy as np

import rocksteady as rs

rng = np.random.default_rng(5)
bad = rng.random(10_000) < 0.08
table = rs.ScoreTable(bad, 1 / (1 + np.exp(2 - 1.8 * bad - rng.normal(size=bad.size))))

figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
rs.plot.ScoreDistributionDisplay.from_tables(table, threshold=table.ks().threshold, ax=axes[0])
rs.plot.KsDisplay.from_tables(table, ax=axes[1])
plt.show()
