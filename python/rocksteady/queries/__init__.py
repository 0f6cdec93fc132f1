"""Rankings by query: retrieval, recommendation, search.

In the order in which data flow:

| module | owns |
|---|---|
| `queries` | the ranked list of each query, the measures of each, and their means |
"""
