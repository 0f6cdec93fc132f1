"""Rankings by query: retrieval, recommendation, search.

In the order in which data flow:

| module | owns |
|---|---|
| `runs` | judgements and runs: nested mappings, data frames, the files of trec_eval |
| `queries` | the ranked list of each query, the measures of each, and their means |
"""
