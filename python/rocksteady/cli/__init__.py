"""The command line: files in, a table or JSON out. It counts nothing itself.

| module | owns |
|---|---|
| `command` | options, exit codes, the sentence for every refusal |
| `options` | which models there are, their columns, classes and costs |
| `files` | which files, their columns and types, batches of checked rows |
| `tally` | batches into statistics, the meaning of the labels |
| `report` | statistics into named values |
| `show` | named values into a table or JSON |
| `output` | answers into files, whole or not at all |

It needs the extra `[cli]`. Nothing else in the package imports it.
"""
