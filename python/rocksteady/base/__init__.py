"""The base of all other modules: arguments, containers, tables and results."""
