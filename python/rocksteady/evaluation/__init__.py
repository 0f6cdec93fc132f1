"""One or several models judged on the same rows.

Uses `models`, `comparison`, and the painters `plot` and `report`. In the order in which data flow:

| module | owns |
|---|---|
| `evaluate` | columns in, an evaluation out |
| `bounded` | models judged in bounded memory, every index within proven bounds |
| `paired` | how the models fall together on the same rows, for differences with intervals |
| `evaluation` | the models together: look-up, summary, tables; pictures and page by the painters |
"""
