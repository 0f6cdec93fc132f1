"""Rankings by query: retrieval, recommendation, search.

Uses `labels`. In the order in which data flow:

| module | owns |
|---|---|
| `queries` | the ranked list of each query, the measures of each, and their means |
"""
