"""What an engine that runs on many machines needs: the four functions of an aggregation.

`Aggregator` has `empty`, `update`, `merge` and `value`. `rocksteady.spark` and `rocksteady.dask` are made of it, and any
other engine with an aggregation of its own can be: see "Engines" in the documentation.
"""

from rocksteady.base.lazy import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
