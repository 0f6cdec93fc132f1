"""Random calls of our own objects against plain twins: containers, orders of rows, gaps, one class, weights.

A twin knows lists of Python and fractions, and the rules of docs/positive-class.md and docs/tasks/data-frames.md. It says
what each call gives, or that it is refused. Weights are eighths, so that sums are exact.
"""

import os
import random
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import rocksteady as rs

pa, pd, pl = (pytest.importorskip(name) for name in ("pyarrow", "pandas", "polars"))

# As many calls as `make thorough` asks for.
CALLS = int(os.environ.get("ROCKSTEADY_CALLS", "4000"))
LABELS = [(0, 1), (False, True), (-1, 1), (1, 2), (3, 7), ("no", "yes"), ("b", "a"), ("0", "1"), (0.0, 1.0)]
SCORES = [[0.1, 0.25, 0.5, 0.75, 0.9], [-2.5, 0.0, 3.0, 1e300], [1, 2, 3, 2**40], [0.5]]


def listed(values, _order):
    return list(values)


def array(values, _order):
    return np.array(values, object) if None in values else np.array(values)


def series(values, order):
    return pd.Series(values, index=order, dtype=object if None in values else None)


def nullable(values, order):
    kinds = {bool: "boolean", int: "Int64", float: "Float64", str: "string"}
    return pd.Series(values, index=order, dtype=kinds[type(next(value for value in values if value is not None))])


def categories(values, order):
    return pd.Series(values, index=order).astype("category")


def polars(values, _order):
    return pl.Series(values)


def arrow(values, _order):
    return pa.array(values)


def chunked(values, _order):
    return pa.chunked_array([pa.array(part, pa.array(values).type) for part in (values[:1], values[1:])])


def decimals(values, order):
    return series([None if value is None else Decimal(repr(value)) for value in values], order)


FORMS = [listed, array, series, nullable, polars, arrow, chunked]


class Call:
    """One call, drawn: the plain columns, what is passed, and the options."""

    def __init__(self, seed):
        draw = random.Random(seed)
        self.draw, self.check = draw, draw.choice(OBJECTS)
        rows = draw.choice([1, 2, 3, 5, 8, 20])
        self.pair = draw.choice(LABELS)
        share = draw.choice([0, 0.3, 0.5, 0.5, 0.5, 1])
        self.y = [self.pair[draw.random() < share] for _ in range(rows)]
        kinds = draw.choice(SCORES)
        self.s = [draw.choice(kinds) for _ in range(rows)]
        self.w = [draw.randint(0, 40) / 8 for _ in range(rows)] if draw.random() < 0.4 else None
        self.g = [draw.choice("uvw") for _ in range(rows)]
        self.pos = draw.choice([None, None, None, *self.pair])
        self.policy = draw.choice(["raise", "raise", "omit"])
        self.gaps = {name: [] for name in "ysw"}
        if draw.random() < 0.3:
            name = draw.choice("ysw" if self.w else "ys")
            self.gaps[name] = sorted(draw.sample(range(rows), draw.randint(1, max(1, rows // 3))))
        self.index = [f"r{row}" for row in range(rows)]
        self.aligned = draw.random() < 0.3 and self.check is not of_rows  # which takes rows by position
        draw.shuffle(self.index)
        self.columns = {name: self.column(name, getattr(self, name)) for name in "ysw"}

    def column(self, name, values):
        if values is None:
            return None
        values = [None if row in self.gaps[name] else value for row, value in enumerate(values)]
        draw, forms = self.draw, list(FORMS)
        if name == "y":
            forms.append(categories)
        elif all(value is None or abs(value) < 1e15 for value in values):
            forms.append(decimals)
        if all(value is None for value in values):
            forms = [listed, array]
        if self.aligned:
            forms = [form for form in forms if form in (series, nullable, categories)]
        order, form = self.index, draw.choice(forms or [series])
        if all(value is None for value in values) and form in (nullable, categories):
            form = series
        if self.aligned and name != "y":
            places = draw.sample(range(len(values)), len(values))
            values, order = [values[place] for place in places], [order[place] for place in places]
        return form(values, order)

    # The twin ---------------------------------------------------------------------------------------------------------

    def kept(self):
        """The rows that count, or None if the call is refused."""
        read = "y" if self.check is of_matrix else "ys"
        gone = {row for name in read for row in self.gaps[name]}
        if self.gaps["w"] or (self.policy == "raise" and gone):
            return None
        return [row for row in range(len(self.y)) if row not in gone]

    def positive(self, rows):
        """The positive label of these rows, None if that is not known. 0 and 1 belong together."""
        seen = {self.y[row] for row in rows}
        if self.pos is not None:
            return self.pos
        return max(seen) if len(seen) == 2 else 1 if seen & {0, 1} else None

    def weight(self, row):
        return Fraction(1 if self.w is None else self.w[row])

    def counts(self, rows, positive, threshold):
        found = dict.fromkeys(("tp", "fp", "fn", "tn"), Fraction(0))
        for row in rows:
            is_positive, is_above = self.y[row] == positive, self.s[row] >= threshold
            found[("tn", "fn", "fp", "tp")[2 * is_above + is_positive]] += self.weight(row)
        return found

    def area(self, rows, positive):
        """Won pairs over all; None without pairs."""
        won = pairs = Fraction(0)
        for i in (row for row in rows if self.y[row] == positive):
            for j in (row for row in rows if self.y[row] != positive):
                both = self.weight(i) * self.weight(j)
                pairs += both
                won += both * (Fraction(1, 2) if self.s[i] == self.s[j] else self.s[i] > self.s[j])
        return won / pairs if pairs else None

    def __str__(self):
        shown = {name: getattr(self, name) for name in ("y", "s", "w", "pos", "policy", "gaps", "aligned")}
        return f"{shown} {self.columns}"


def same(found, expected):
    return np.isnan(found) if expected is None else found == float(expected)


def check_counts(counts, expected):
    assert [float(getattr(counts, name)) for name in expected] == [float(amount) for amount in expected.values()]


def of_table(call, rows, positive, options, threshold):
    table = rs.ScoreTable(call.columns["y"], call.columns["s"], nan_policy=call.policy, **options)
    assert same(table["roc_auc"], call.area(rows, positive))
    check_counts(table.at(threshold), call.counts(rows, positive, threshold))
    assert rs.ScoreTable.from_bytes(table.to_bytes()) == table


def of_sketch(call, rows, positive, options, threshold):
    sketch = rs.ScoreSketch(call.columns["y"], call.columns["s"], nan_policy=call.policy, **options)
    assert same(sketch["roc_auc"], call.area(rows, positive))
    check_counts(sketch.at(threshold).counts(), call.counts(rows, positive, threshold))


def of_evaluation(call, rows, positive, options, threshold):
    ev = rs.evaluate(
        call.columns["y"], {"m": call.columns["s"]}, nan_policy=call.policy, threshold=threshold, **options
    )
    assert same(ev["roc_auc"], call.area(rows, positive))
    assert ev.pos_label == positive
    counts = call.counts(rows, positive, threshold)
    cells = ev.models["m"].confusion.reorder([next(label for label in ev.labels if label != positive), positive])
    assert cells.to_array().ravel().tolist() == [float(counts[name]) for name in ("tn", "fp", "fn", "tp")]
    total = sum(counts.values())
    assert same(ev["accuracy"], (counts["tp"] + counts["tn"]) / total if total else None)


def of_rows(call, rows, positive, options, threshold):
    options.pop("align")
    counts = rs.counts_at(call.columns["y"], call.columns["s"], threshold, nan_policy=call.policy, **options)
    check_counts(counts, call.counts(rows, positive, threshold))


def of_groups(call, rows, positive, options, threshold):
    by = rs.group_by(
        call.columns["y"],
        y_score=call.columns["s"],
        by=series(call.g, call.index) if call.aligned else call.g,
        nan_policy=call.policy,
        threshold=threshold,
        **options,
    )
    for key, value, area in zip(by.keys["group"], by.every("tp"), by.every("roc_auc"), strict=True):
        own = [row for row in rows if call.g[row] == key]
        assert value == float(call.counts(own, positive, threshold)["tp"])
        assert same(area, call.area(own, positive))


def of_matrix(call, rows, _positive, options, _threshold):
    options.pop("pos_label")
    matrix = rs.ConfusionMatrix(call.columns["y"], call.columns["y"], nan_policy=call.policy, **options)
    amounts = {label: sum(call.weight(row) for row in rows if call.y[row] == label) for label in matrix.labels}
    assert np.diag(matrix.to_array()).tolist() == [float(amount) for amount in amounts.values()]
    assert float(matrix.total) == float(sum(call.weight(row) for row in rows))


OBJECTS = [of_table, of_sketch, of_evaluation, of_rows, of_groups, of_matrix]


def tried(seed):
    """Make a call; how it ended."""
    call = Call(seed)
    threshold = call.draw.choice([*call.s, -(10.0**6), 0.3])
    rows, labelled = call.kept(), [row for row in range(len(call.y)) if row not in call.gaps["y"]]
    positive = call.positive(labelled)
    is_refused = rows is None or (bool(rows) and positive is None and call.check is not of_matrix)
    # Where all rows are left out, or those of a class, a call may take what is left or not.
    may_refuse = not is_refused and (not rows or call.positive(rows) is None)
    options = {"pos_label": call.pos, "sample_weight": call.columns["w"], "align": call.aligned}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", rs.RocksteadyWarning)
        try:
            call.check(call, rows, positive, options, threshold)
        except rs.RocksteadyError as error:
            if is_refused or may_refuse:
                return "refused"
            raise AssertionError(f"{call.check.__name__} refused: {error}\n{seed} {call}") from error
        except AssertionError as error:
            raise AssertionError(f"{call.check.__name__}: {error}\n{seed} {threshold} {call}") from error
    assert not is_refused, f"{call.check.__name__} took {seed} {call}"
    return "agreed"


def test_random_calls_of_objects_agree_with_plain_twins():
    ends = [tried(seed) for seed in range(CALLS)]
    assert ends.count("agreed") > CALLS / 3
    assert ends.count("refused") > CALLS / 10
