"""The command line: it reads files and prints a table or JSON. It counts nothing itself.

| module | owns |
|---|---|
| `command` | commands, options, exit codes, error messages |
| `completion` | completions for the shell: options, indices, columns |
| `options` | the models, their columns, classes and costs; how to read files |
| `sources` | files and standard input, each opened in its format |
| `files` | their columns and types, batches of checked rows |
| `cells` | the cells of each row of a CSV file |
| `tally` | batches to statistics, the meaning of the labels |
| `bounded` | `--bounded`: its refusals and its output |
| `several_labels` | several of `--label`: its refusals, its counting and its output |
| `conditions` | the best thresholds, and requirements |
| `report` | statistics to named values |
| `differences` | differences between models |
| `show` | named values to a table or JSON |
| `output` | results to files, completely or not at all |
| `verify` | whether the files give the digest of a report |

The command line needs the extra `[cli]`. No other part of the package imports it.
"""
