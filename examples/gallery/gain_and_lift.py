"""
Gain and lift
=============

Which share of all buyers do you reach if you contact the best tenth of the customers? The gain curve answers that. Lift
compares it with contacting customers at random.
"""

import matplotlib.pyplot as plt
import numpy as np

import rocksteady as rs

rng = np.random.default_rng(4)
bought = rng.random(20_000) < 0.1
table = rs.ScoreTable(bought, rng.normal(bought * 1.4))

figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
rs.plot.GainDisplay.from_tables(table, ax=axes[0])
rs.plot.LiftDisplay.from_tables(table, ax=axes[1])

# %%
# The same as a table of tenths:

gains = table.gains(10)
print("gain", gains.gain.round(3))
print("lift", gains.lift.round(2))
