"""What an engine that runs on many machines needs: the four functions of an aggregation.

`Aggregator` has `empty`, `update`, `merge` and `value`. `rocksteady.spark` and `rocksteady.dask` are made of it, and any
other engine with an aggregation of its own can be: see "Engines" in the documentation.
"""

from __future__ import annotations

from rocksteady.engines.aggregator import Aggregator as Aggregator
from rocksteady.engines.aggregator import State as State
from rocksteady.engines.aggregator import sketch_sql as sketch_sql

__all__ = ["Aggregator", "State", "sketch_sql"]
