"""What a thousand states cost to merge, and what a trillion rows would: bytes, hops and seconds.

    python benches/thousand_states.py [--states N] [--rows N] [--fan N]

States of sketches are made of random rows, one after another, and written to bytes, as an engine sends them. They are then
merged as a tree of nodes that take `fan` states each. The lines at the end scale what was measured to 1e12 rows.

CPU time of one process. Bias disclosure: the authors of this file are the authors of rocksteady.
"""

from __future__ import annotations

import argparse
import math
import time

import numpy as np

import rocksteady as rs
from rocksteady.engines import Aggregator, State


def _batches(rows: int, seed: int, size: int = 1 << 20) -> list[dict[str, np.ndarray]]:
    """Rows of a smooth population with 10 % positives."""
    rng = np.random.default_rng(seed)
    found = []
    for start in range(0, rows, size):
        y = rng.random(min(size, rows - start)) < 0.1
        found.append({"y": y, "p": 1 / (1 + np.exp(2 - rng.normal(y * 1.5)))})
    return found


def main(states: int, rows: int, fan: int) -> None:
    aggregator = Aggregator("y", "p", pos_label=True, how="bounded")
    counting, sizes, level = 0.0, [], []
    for seed in range(states):
        batches = _batches(rows, seed)
        began = time.process_time()
        data = aggregator.count(batches).to_bytes()
        counting += time.process_time() - began
        sizes.append(len(data))
        level.append(data)
    print(
        f"{states} states of {rows:,} rows: {counting / states / rows * 1e9:.1f} ns a row, {np.mean(sizes):,.0f} bytes each"
    )
    hops, merging = 0, 0.0
    while len(level) > 1:
        began = time.process_time()
        nodes = [level[start : start + fan] for start in range(0, len(level), fan)]
        level = [rs.merge(map(State.from_bytes, node)).to_bytes() for node in nodes]
        spent = time.process_time() - began
        merging += spent
        hops += 1
        print(
            f"hop {hops}: {len(nodes)} nodes, {spent:.2f} s of CPU, {spent / len(nodes):.3f} s a node, {len(level[0]):,} bytes each"
        )
    each = merging / (states - 1)
    sketch = aggregator.value(State.from_bytes(level[0])).models["model"].sketch
    print(f"{each * 1e3:.2f} ms a merge; {sketch}; AUC {sketch.bounds('roc_auc')}")
    direct = rs.merge(map(State.from_bytes, level))
    assert direct.to_bytes() == level[0]

    print("1e12 rows, in partitions of 1e7 rows:")
    partitions = 100_000
    levels = math.ceil(math.log(partitions, fan))
    row = counting / states / rows
    print(f"  counting {row * 1e12 / 3600:.1f} hours of CPU, {row * 1e12 / 1000:.0f} s on 1,000 cores")
    print(
        f"  {levels} hops; {partitions * np.mean(sizes) / 1e9:.1f} GB between tasks in all, {len(level[0]):,} bytes to the driver"
    )
    print(f"  merging {partitions * each:.0f} s of CPU; {levels * fan * each:.2f} s on the longest path")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=int, default=1000)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--fan", type=int, default=10)
    given = parser.parse_args()
    main(given.states, given.rows, given.fan)
