//! The registry: one row per index, pure formulas over statistics.
