"""The registry of indices in Python.

| module | owns |
|---|---|
| `registry` | a row of the registry; `index` and `indices` find rows |
| `definition` | indices that a user defines |
| `selection` | which indices a summary has |
"""
