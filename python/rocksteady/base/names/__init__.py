"""The public names of a namespace.

| module | owns |
|---|---|
| `lazy` | names that are imported when a program first asks for them |
| `missing` | what to say to a name that a namespace does not have |
"""
