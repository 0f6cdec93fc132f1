"""The base of all other modules.

In the order in which data flow:

| module | owns |
|---|---|
| `names` | the public names of a namespace: imported when a program asks for them, and what to say to others |
| `gaps` | what stands for no value |
| `bounds` | proven bounds of a value |
| `arguments` | reading arguments, or refusing them by name, value and expectation |
| `files` | files that are written whole or not at all |
| `containers` | what the extension does not open itself: data frames and other containers |
| `warning` | warnings at the line of the user's program |
| `hints` | refusals that name the argument that would have been right |
| `prevalence` | weights that give classes other shares of the rows |
| `taxonomy` | classes in a tree |
| `named_columns` | columns by the names of models, classes and headings of a frame, and what refusals call them |
| `ways_out` | dictionaries, data frames and CSV of all that has columns |
| `table` | a small table that prints, and turns into Markdown |
| `record` | single values by name: what results of one row share |
| `result` | named arrays of one length: what curves and tables of results share |
| `statistic` | indices by name, addition, equality, bytes: what statistics share |
"""
