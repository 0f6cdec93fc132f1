"""How much freed memory is kept for the next call. How many threads count: `rocksteady.set_threads`."""

from rocksteady.base.names.lazy import lazily

__getattr__, __dir__, __all__ = lazily(__name__, __file__)
