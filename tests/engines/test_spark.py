"""rocksteady.spark on a local Spark: partitions that are empty, skewed or of one class, and tasks that are killed."""

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs

pytest.importorskip("pyspark", reason="the tests of engines need pyspark: see .ci/run")
pytest.importorskip("pyarrow")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Spark needs Java", allow_module_level=True)
pytestmark = pytest.mark.filterwarnings("ignore")

from pyspark.sql import SparkSession, functions

PACKAGE = str(Path(rs.__file__).parent.parent)
ROWS, PARTITIONS = 60_000, 12


@pytest.fixture(scope="module")
def spark():
    with pytest.MonkeyPatch.context() as patch:
        # The tasks run this Python, with this rocksteady.
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [PACKAGE, *sys.path])))
        session = (
            SparkSession.builder.master("local[2,3]")  # a task may fail twice
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "4")
            .config("spark.sql.execution.arrow.maxRecordsPerBatch", "700")
            .getOrCreate()
        )
        session.sparkContext.setLogLevel("OFF")
        yield session
        session.stop()


@pytest.fixture(scope="module")
def df(spark):
    """Two partitions are empty, two of one class, and one has most of the rows."""
    part = functions.floor(functions.col("id") / (ROWS // PARTITIONS))
    uneven = (part == 11) | (functions.col("id") % 40 == 0)
    one_class = functions.when(part == 4, 1).when(part == 5, 0)
    random = functions.abs(functions.xxhash64("id"))
    label = functions.coalesce(one_class, (random % 100 < 30).cast("int"))
    return (
        spark.range(0, ROWS, numPartitions=PARTITIONS)
        .where(~part.isin(2, 7) & uneven)
        .select(
            label.alias("y"),
            ((random % 1009) / 1009 + label / 4).alias("old"),
            (functions.abs(functions.xxhash64("id", functions.lit(7))) / 2.0**63).cast("float").alias("new.score"),
            (random % 8).alias("region"),
            functions.concat(functions.lit("k"), random % 3).alias("kind"),
            ((random % 17) / 7).alias("weight"),
        )
    )


@pytest.fixture(scope="module")
def rows(df):
    return df.toPandas()


def same(found, whole):
    for name, model in whole.models.items():
        assert found.models[name].scores == model.scores
        assert found.models[name].confusion == model.confusion
    assert found.rows_left_out == whole.rows_left_out
    return True


def test_the_partitions_are_what_they_should_be(df):
    counted = df.groupBy(functions.spark_partition_id().alias("part")).agg(functions.avg("y"), functions.count("*"))
    found = {row[0]: (row[1], row[2]) for row in counted.collect()}
    assert set(found) == set(range(PARTITIONS)) - {2, 7}
    assert (found[4][0], found[5][0]) == (1, 0)
    assert found[11][1] > 20 * found[0][1]


def test_two_models_with_weights(df, rows):
    models = {"old": "old", "new": "new.score"}
    found = rs.spark.evaluate(df, "y", models, weight="weight")
    whole = rs.evaluate(
        rows["y"], {name: rows[column] for name, column in models.items()}, sample_weight=rows["weight"]
    )
    assert same(found, whole)
    assert found["roc_auc"] == whole["roc_auc"]


def test_groups_merge_too(df, rows):
    asked = {"pos_label": 1, "threshold": 0.5}
    found = rs.spark.evaluate(df, "y", "old", by=["region", "kind"], **asked)
    whole = rs.evaluate(rows["y"], rows["old"], by={"region": rows["region"], "kind": rows["kind"]}, **asked)
    assert same(found, whole)
    assert found.groups == whole.groups
    assert len(found.groups) == 24


def test_a_task_that_is_killed_is_run_again(df, rows, tmp_path):
    killed = tmp_path / "killed"

    def unlucky(batches):
        from pyspark import TaskContext

        context = TaskContext.get()
        for batch in batches:
            yield batch
            if context.partitionId() == 11 and context.attemptNumber() == 0:
                killed.write_text("")
                os.kill(os.getpid(), signal.SIGKILL)

    few = df.select("y", "old")
    found = rs.spark.evaluate(few.mapInArrow(unlucky, few.schema), "y", "old")
    assert killed.exists()
    assert same(found, rs.evaluate(rows["y"], rows["old"]))


def test_expressions_decimals_and_what_is_missing(df, rows):
    score = functions.when(functions.col("region") != 3, functions.col("old")).cast("decimal(12,10)")
    found = rs.spark.evaluate(df, functions.col("y") == 1, score, nan_policy="omit")
    decimals = rows["old"].round(10).where(rows["region"] != 3)
    assert same(found, rs.evaluate(rows["y"] == 1, decimals, nan_policy="omit"))
    with pytest.raises(rs.InputError, match=r"score\[\d+\] is NaN; expected a finite number") as refused:
        rs.spark.evaluate(df, "y", score)
    assert type(refused.value) is rs.InputError
    with pytest.raises(rs.InputTypeError, match="df is .* expected a Spark data frame"):
        rs.spark.evaluate(rows, "y", "old")
    with pytest.raises(rs.InputError, match="there are no rows"):
        rs.spark.evaluate(df.where("false"), "y", "old")


def test_a_lazy_state_is_written_and_added(df, rows, spark, tmp_path, monkeypatch):
    monkeypatch.setattr(rs.spark, "_PIECE", 5000)  # the driver makes no pieces: only the tasks do
    lazy = rs.spark.state(df.where("region < 4"), "y", "old")
    lazy.write.parquet(str(tmp_path / "state"))
    rs.spark.state(df.where("region >= 4"), "y", "old").write.mode("append").parquet(str(tmp_path / "state"))
    state = rs.spark.read_state(spark.read.parquet(str(tmp_path / "state")))
    assert state.statistics == (rs.ScoreTable(rows["y"], rows["old"]),)


def test_a_query_in_sql(df, rows, spark):
    df.createOrReplaceTempView("predictions")
    query = rs.engines.sketch_sql("predictions", "y", "old", thresholds=[0.3], where="weight > 1")
    found = spark.sql(query).toArrow()
    columns = [found[name] for name in ("least", "greatest", "positives", "negatives")]
    asked = {"cells": 300, "thresholds": [0.3]}
    sketch = rs.ScoreSketch.from_counts(*columns, **asked)
    part = rows[rows["weight"] > 1]
    assert sketch == rs.ScoreSketch(part["y"], part["old"], labels=[0, 1], pos_label=1, **asked)
    assert not sketch.is_exact


def test_bounded(df, rows):
    found = rs.spark.evaluate(df, "y", {"old": "old", "new": "new.score"}, how="bounded", cells=200, threshold=0.4)
    for name, column in (("old", "old"), ("new", "new.score")):
        assert found.models[name].sketch == rs.ScoreSketch(rows["y"], rows[column], cells=200, thresholds=[0.4])
        assert not found.models[name].sketch.is_exact


def test_pieces_of_states_come_in_any_order(monkeypatch):
    monkeypatch.setattr(rs.spark, "_PIECE", 100)
    rng = np.random.default_rng(2)
    tables = [rs.ScoreTable(rng.integers(0, 2, 50), rng.random(50)) for _ in range(4)]
    states = [rs.engines.State([table]) for table in tables]
    pieces = [piece for part, state in enumerate(states) for piece in rs.spark._pieces(part, state)]
    rng.shuffle(pieces)
    assert rs.merge(rs.spark._states_of(pieces)) == rs.merge(states)
    assert max(piece["data"].nbytes for piece in pieces) < 120


CONNECT = """
import sys
import rocksteady as rs
from pyspark.sql import SparkSession, functions

spark = SparkSession.builder.remote("local[2]").config("spark.ui.enabled", "false").getOrCreate()
df = spark.range(0, 9000, numPartitions=5).selectExpr(
    "id % 3 = 0 as y", "xxhash64(id) / pow(2, 63) as p", "id % 4 as region"
)
assert "connect" in type(df).__module__
rows = df.toPandas()
found = rs.spark.evaluate(df.where("id < 1800 or id >= 3600"), "y", functions.col("p"), by="region")
part = rows[(rows.index < 1800) | (rows.index >= 3600)]
whole = rs.evaluate(part["y"], part["p"])
assert found.models["model"].scores == whole.models["model"].scores
assert len(found.groups) == 4
print("the same bits")
spark.stop()
"""


def test_connect(tmp_path):
    if not all(importlib.util.find_spec(name) for name in ("grpc", "grpc_status", "zstandard")):
        pytest.skip("Spark Connect needs pyspark[connect]")
    environment = {
        **os.environ,
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": os.pathsep.join(filter(None, [PACKAGE, *sys.path])),
    }
    # A process of its own: one program has either a classic session or one of Connect.
    run = subprocess.run(
        [sys.executable, "-c", CONNECT], env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=280
    )
    assert "the same bits" in run.stdout, run.stderr[-3000:]
