"""
An index of your own over the threshold
=======================================

Define an index in one line. It then works like a built-in one: for a matrix, a class, at every threshold, in a chart.
"""

import numpy as np

import rocksteady as rs

rng = np.random.default_rng(8)
y = rng.random(10_000) < 0.3
table = rs.ScoreTable(y, 1 / (1 + np.exp(1 - 2 * y - rng.normal(size=y.size))))

rs.define_index("profit", "(50*tp - 20*(tp + fp)) / n", title="Profit per customer", better="higher")
rs.plot.ThresholdIndicesDisplay.from_tables(table, indices={"profit": {}})
print(table.best("profit"))
rs.undefine_index("profit")
