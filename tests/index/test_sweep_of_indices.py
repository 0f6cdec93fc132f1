"""All indices of counts, over all small 2x2 tables and over multiples of them."""

import itertools

import numpy as np
import pytest

import rocksteady as rs

TABLES = np.array(list(itertools.product([0.0, 1.0, 2.0, 5.0], repeat=4)))[1:]
SIZES = [1.0, 2.0**40, 1e9, 0.1, 1e-300, 1e300]
ROWS = [row for row in map(rs.index, (row.name for row in rs.indices())) if {"counts", "matrix"} & set(row.forms)]
UNCHANGED = "all amounts times a number: unchanged"


def counts(tables: np.ndarray) -> rs.Counts:
    return rs.Counts(*(np.ascontiguousarray(cell) for cell in tables.T))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_values_lie_in_the_range_or_have_a_reason(row: rs.results.Index) -> None:
    first = None
    for size in SIZES:
        tables = TABLES * size
        values = np.asarray(counts(tables).value(row.name))
        defined = ~np.isnan(values)
        assert (values[defined] >= row.low).all(), size
        assert (values[defined] <= row.high).all(), size
        for table in tables[~np.isfinite(values)][:8]:
            assert counts(table[None]).why(row.name) is not None, table
            assert row.undefined, table
        if first is None:
            first = values
        elif UNCHANGED in row.laws:
            np.testing.assert_allclose(values, first, rtol=1e-11, atol=1e-11)
