"""The recipes of docs/engines.md: on Ray and Beam where these are installed, else driven by stand-ins in their order."""

import importlib.util
import re
import sys
import types
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import rocksteady as rs

PAGE = Path(__file__).parents[2] / "docs" / "engines.md"
pytestmark = pytest.mark.filterwarnings("ignore")


def recipe(heading, names):
    """What the blocks below a heading define."""
    if not PAGE.exists():
        pytest.skip("a source distribution has no docs/")
    section = PAGE.read_text(encoding="utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    (code,) = re.findall(r"^```python\n(.*?)^```", section, re.DOTALL | re.MULTILINE)
    exec(code, names)
    return names


def is_installed(name):
    return importlib.util.find_spec(name) is not None


@pytest.fixture
def rows():
    rng = np.random.default_rng(6)
    y = rng.random(4_000) < 0.3
    return pa.table({"y": y, "p": np.round(rng.normal(y * 1.0), 2), "region": rng.integers(0, 3, 4_000)})


@pytest.fixture
def blocks(rows):
    """Batches, two of which are empty."""
    return [
        rows.slice(start, end - start)
        for start, end in ((0, 0), (0, 900), (900, 1_000), (1_000, 1_000), (1_000, 4_000))
    ]


@pytest.fixture
def aggregator():
    return rs.engines.Aggregator("y", "p", by="region", pos_label=True, threshold=0.5)


@pytest.fixture
def whole(rows):
    return rs.evaluate(rows["y"], rows["p"], by={"region": rows["region"]}, pos_label=True, threshold=0.5)


def same(found, whole):
    assert found.models["model"].scores == whole.models["model"].scores
    assert found.models["model"].confusion == whole.models["model"].confusion
    assert found.groups == whole.groups


def stand_in(monkeypatch, name, **members):
    """A module of this name with these members."""
    for place in range(1, name.count(".") + 2):
        part = ".".join(name.split(".")[:place])
        monkeypatch.setitem(sys.modules, part, types.ModuleType(part))
    vars(sys.modules[name]).update(members)


class AggregateFnV2:
    """Ray's: the constructor alone."""

    def __init__(self, name, zero_factory, *, on, ignore_nulls):
        self.name, self.zero_factory = name, zero_factory


class Dataset:
    """Ray's: an accumulator of each block is combined with that so far, and these with each other."""

    def __init__(self, blocks):
        self.blocks = blocks

    def aggregate(self, of):
        halves = []
        for half in (self.blocks[:2], self.blocks[2:]):
            accumulator = of.zero_factory()
            for block in half:
                accumulator = of.combine(accumulator, of.aggregate_block(block))
            halves.append(accumulator)
        return {of.name: of.combine(of.combine(of.zero_factory(), halves[1]), halves[0])}


def test_ray_in_its_order(monkeypatch, blocks, aggregator, whole):
    stand_in(monkeypatch, "ray.data.aggregate", AggregateFnV2=AggregateFnV2)
    same(recipe("Ray Data", {})["evaluate"](Dataset(blocks), aggregator), whole)


@pytest.mark.skipif(not is_installed("ray"), reason="ray is not installed")
def test_ray(rows, aggregator, whole):
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        dataset = ray.data.from_arrow([rows.slice(start, 500) for start in range(0, 4_000, 500)])
        # The class is sent by value, as it is in no module that the workers have.
        same(recipe("Ray Data", {"__name__": "__main__"})["evaluate"](dataset, aggregator), whole)
    finally:
        ray.shutdown()


def test_beam_in_its_order(monkeypatch, blocks, aggregator, whole):
    stand_in(monkeypatch, "apache_beam", CombineFn=object)
    combine = recipe("Apache Beam", {})["Evaluate"](aggregator)
    accumulators = []
    for bundle in (blocks[:2], blocks[2:4], blocks[4:]):
        accumulator = combine.create_accumulator()
        for batch in bundle:
            accumulator = combine.add_input(accumulator, batch)
        accumulators.append(accumulator)
    merged = combine.merge_accumulators([combine.merge_accumulators(accumulators[1:]), accumulators[0]])
    same(combine.extract_output(merged), whole)


@pytest.mark.skipif(not is_installed("apache_beam"), reason="apache_beam is not installed")
def test_beam(blocks, aggregator, whole):
    import apache_beam as beam

    combine = recipe("Apache Beam", {})["Evaluate"](aggregator)
    found = []
    with beam.Pipeline(runner="DirectRunner") as pipeline:
        evaluation = pipeline | beam.Create(range(len(blocks))) | beam.Map(lambda place: blocks[place])
        (
            evaluation
            | beam.CombineGlobally(combine)
            | beam.Map(lambda ev: found.append(ev.models["model"].scores.to_bytes()))
        )
    # The pipeline may run in another process, whose list is not this one.
    if found:
        assert found == [whole.models["model"].scores.to_bytes()]
