"""How sure a value is: intervals of confidence.

Uses `base`. The statistics above call it: `cm.interval("f1")`.

| module | owns |
|---|---|
| `interval` | an index with its interval, words for values |
"""
