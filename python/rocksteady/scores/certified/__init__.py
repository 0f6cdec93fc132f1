"""Thresholds that are certified for the population, and what proves a certificate again.

In the order in which data flow:

| module | owns |
|---|---|
| `conditions` | conditions on shares of the population, and which of them an exact binomial test shows |
| `certificate` | the threshold that a sequence of tests in a fixed order reaches, and its proof again |
"""
