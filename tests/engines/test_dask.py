"""rocksteady.dask: partitions that are empty, skewed or of one class, on threads and on workers that are killed."""

import os
import signal
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import rocksteady as rs

dd = pytest.importorskip("dask.dataframe", reason="the tests of engines need dask[dataframe]")
import dask

pytestmark = pytest.mark.filterwarnings("ignore")


def parts_of(rows=20_000):
    """Two of the parts are empty, two of one class, and one has most of the rows."""
    rng = np.random.default_rng(4)
    y = rng.random(rows) < 0.25
    frame = pd.DataFrame(
        {
            "y": np.where(y, "yes", "no"),
            "old": np.round(rng.normal(y * 1.0), 2),
            "new": rng.random(rows).astype(np.float32),
            "region": rng.integers(0, 6, rows),
            "weight": rng.exponential(1, rows),
        }
    )
    cuts = [0, 100, 100, 300, 800, 800, 900, rows]
    parts = [frame[start:end] for start, end in pairwise(cuts)]
    parts[2], parts[3] = parts[2][parts[2]["y"] == "yes"], parts[3][parts[3]["y"] == "no"]
    return parts


def load(place):
    return parts_of()[place]


@pytest.fixture(scope="module")
def rows():
    return pd.concat(parts_of())


@pytest.fixture(scope="module")
def df():
    return dd.from_map(load, range(7), meta=parts_of()[0][:0])


def same(found, whole):
    for name, model in whole.models.items():
        assert found.models[name].scores == model.scores
        assert found.models[name].confusion == model.confusion
    return True


def test_two_models_with_weights(df, rows):
    models = {"a": "old", "b": "new"}
    found = rs.dask.evaluate(df, "y", models, weight="weight", pos_label="yes")
    columns = {name: rows[column] for name, column in models.items()}
    whole = rs.evaluate(rows["y"], columns, sample_weight=rows["weight"], pos_label="yes")
    assert same(found, whole)
    assert found["roc_auc"] == whole["roc_auc"]


def test_groups_and_a_lazy_evaluation(df, rows):
    asked = {"pos_label": "yes", "threshold": 0.5}
    found = rs.dask.evaluate(df, "y", "old", by="region", compute=False, **asked)
    assert dask.is_dask_collection(found)
    found = found.compute(scheduler="sync")
    whole = rs.evaluate(rows["y"], rows["old"], by={"region": rows["region"]}, **asked)
    assert same(found, whole)
    assert found.groups == whole.groups


def test_many_partitions_are_merged_as_a_tree(rows):
    many = dd.from_pandas(rows, npartitions=100, sort=False)
    lazy = rs.dask.state(many, "y", "old", pos_label="yes")
    merges = [len(task) for task in _inputs_of_merges(lazy)]
    assert max(merges) <= 8
    assert lazy.compute().statistics == (rs.ScoreTable(rows["y"], rows["old"], pos_label="yes"),)


def _inputs_of_merges(lazy):
    graph = dict(lazy.__dask_graph__())
    for key, task in graph.items():
        if str(key).startswith("_merge"):
            yield {name for name in task.dependencies if str(name).startswith(("_merge", "_count"))}


def test_bounded(df, rows):
    found = rs.dask.evaluate(df, "y", "old", weight="weight", how="bounded", cells=100, pos_label="yes")
    sketch = rs.ScoreSketch(rows["y"], rows["old"], sample_weight=rows["weight"], cells=100, pos_label="yes")
    assert found.models["model"].sketch == sketch
    assert not sketch.is_exact


def test_refusals(df, rows):
    with pytest.raises(rs.InputTypeError, match="df is .* expected a Dask data frame"):
        rs.dask.evaluate(rows, "y", "old")
    with pytest.raises(rs.InputError, match=r"y has 'yes'; expected one of the labels|y\[\d+\] is \"yes\"; expected"):
        rs.dask.evaluate(df, "y", "old", labels=["no", "maybe"])
    with pytest.raises(rs.InputError, match="there are no rows"):
        rs.dask.evaluate(dd.from_pandas(rows[:0], npartitions=1), "y", "old")


def test_a_worker_that_is_killed(rows, tmp_path):
    distributed = pytest.importorskip("distributed", reason="the tests of engines need dask[distributed]: see .ci/run")
    killed = tmp_path / "killed"

    def unlucky(place):
        """The process of a worker ends while it reads the fourth part, once."""
        if place == 3 and not killed.exists():
            killed.write_text("")
            os.kill(os.getpid(), signal.SIGKILL)
        return parts_of()[place]

    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 3}),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=0
        ) as cluster,
        distributed.Client(cluster),
    ):
        df = dd.from_map(unlucky, range(7), meta=parts_of()[0][:0])
        found = rs.dask.evaluate(df, "y", "old", by="region", pos_label="yes", threshold=0.5)
    assert killed.exists()
    whole = rs.evaluate(rows["y"], rows["old"], by={"region": rows["region"]}, pos_label="yes", threshold=0.5)
    assert same(found, whole)
    assert found.groups == whole.groups
