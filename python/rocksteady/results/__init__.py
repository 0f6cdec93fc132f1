"""What calls return, and programs rarely construct: curves, intervals, tables, what was found at a threshold.

Their names are for annotations and for ``isinstance``.

>>> import rocksteady as rs
>>> isinstance(rs.ScoreTable([0, 1], [0.1, 0.4]).roc_curve(), rs.results.RocCurve)
True
"""

from rocksteady.base.names.lazy import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
