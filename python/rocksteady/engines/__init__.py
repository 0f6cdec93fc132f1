"""The four functions of an aggregation, for engines that run on many machines.

`Aggregator` has `empty`, `update`, `merge` and `value`. `rocksteady.spark` and `rocksteady.dask` use it, and any
other engine with user-defined aggregations can: see "Engines" in the documentation.

| module | owns |
|---|---|
| `aggregator` | the four functions, and the state that they merge |
"""

from rocksteady.base.names.lazy import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
