"""Functions with scikit-learn's names, signatures, values, warnings and errors; scikit-learn itself is not needed.

The reference is scikit-learn 1.9. Change ``from sklearn.metrics import …`` to ``from rocksteady.metrics import …``.
"""

from rocksteady.base.names.lazy import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
