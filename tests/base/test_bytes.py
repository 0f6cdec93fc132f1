"""The bytes of statistics: earlier versions are read, and sections that a later release may add are skipped or refused."""

from __future__ import annotations

import pickle
import struct
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs
from rocksteady import _rocksteady

DATA = Path(__file__).parents[1] / "data" / "bytes"
HEAD = 10

WEIGHTS = [0.5, 1.5, 2.25, 0.125]
FAR = [1e-300, 2.0, 3.0, 1e300]  # sums of them need more than 128 bits
PROBA = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7]]
FLAGS, SCORES = [[1, 0], [1, 1], [0, 1], [0, 0]], [[0.9, 0.4], [0.6, 0.3], [0.2, 0.8], [0.3, 0.1]]

# The statistics whose bytes of versions 1 and 2 are in the files of these names.
MAKERS = {
    "confusion_matrix": lambda: rs.ConfusionMatrix([0, 1, 2, 2], [0, 2, 2, 1]),
    "confusion_matrix_text": lambda: rs.ConfusionMatrix(["a", "b", "ja, å", "a"], ["b", "b", "a", "a"]),
    "confusion_matrix_weighted": lambda: rs.ConfusionMatrix([0, 1, 2, 2], [0, 2, 2, 1], sample_weight=WEIGHTS),
    "confusion_matrix_wide_weights": lambda: rs.ConfusionMatrix([0, 1, 1, 0], [0, 1, 0, 1], sample_weight=FAR),
    "score_table": lambda: rs.ScoreTable([0, 1, 1, 0], [0.1, 0.5, 0.9, 0.5]),
    "score_table_narrow": lambda: rs.ScoreTable(
        ["no", "yes", "yes", "no"], np.array([1, 5, 9, 5], "f4"), pos_label="yes"
    ),
    "score_table_weighted": lambda: rs.ScoreTable([0, 1, 1, 0], np.array([1, 5, 9, 5], "i4"), sample_weight=WEIGHTS),
    "score_table_wide_weights": lambda: rs.ScoreTable([0, 1, 1, 0], [0.1, 0.5, 0.9, 0.5], sample_weight=FAR),
    "probability_sums": lambda: rs.ProbabilitySums([0, 1, 1, 0], [0.25, 0.5, 0.875, 0.1]),
    "probability_sums_weighted": lambda: rs.ProbabilitySums(
        [0, 1, 1, 0], [0.25, 0.5, 0.875, 0.1], sample_weight=WEIGHTS
    ),
    # Of one class, whose side is not known; it can be read, but is refused where rows are counted.
    "probability_sums_open": lambda: rs.ProbabilitySums._of(
        _rocksteady.ProbabilityState.sum(([7, 7], [0.25, 0.5], None), None, "counts", False)
    ),
    "score_tables": lambda: rs.ScoreTables(["cat", "dog", "dog", "eel"], PROBA),
    "score_tables_weighted": lambda: rs.ScoreTables([0, 1, 1, 2], PROBA, sample_weight=WEIGHTS),
    "label_score_tables": lambda: rs.LabelScoreTables(FLAGS, SCORES, labels=["red", "round"]),
    "label_score_tables_weighted": lambda: rs.LabelScoreTables(FLAGS, SCORES, sample_weight=WEIGHTS),
}

# The bytes of a sum in the score tables with weights, which have three scores.
SUMS = {"score_table_weighted": 16, "score_table_wide_weights": 272}


def section(tag: int, content: bytes) -> bytes:
    return struct.pack("<BQ", tag, len(content)) + content


def test_every_file_is_read():
    for version in (1, 2):
        assert {file.stem for file in DATA.glob(f"*.v{version}")} == set(MAKERS)


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("name", MAKERS)
def test_earlier_versions_are_still_read(name, version):
    made, data = MAKERS[name](), (DATA / f"{name}.v{version}").read_bytes()
    assert data[HEAD - 1] == version
    read = type(made).from_bytes(data)
    if isinstance(made, rs.ScoreTables):  # earlier bytes have no top labels, nor has a sum with them
        made = (made + read) - read
    assert read == made
    assert read.to_bytes() == made.to_bytes()
    for cut in range(len(data)):
        with pytest.raises(rs.InputError, match=f"not the bytes of a {type(made).__name__}: "):
            type(made).from_bytes(data[:cut])


@pytest.mark.parametrize("name", MAKERS)
def test_version_2_is_version_1_in_a_section(name):
    old, data = ((DATA / f"{name}.v{version}").read_bytes() for version in (1, 2))
    assert data[: HEAD - 1] == old[: HEAD - 1]
    if not isinstance(MAKERS[name](), (rs.ScoreTables, rs.LabelScoreTables)):  # those have statistics inside, too
        core = old[HEAD:]
        if name in SUMS:  # version 1 has the power of two above all weights; now it is the one above their mean
            high = len(core) - 2 * 3 * SUMS[name] - 8 - 4
            new = data[HEAD + 9 :]
            assert new[high : high + 4] != core[high : high + 4]
            core = core[:high] + new[high : high + 4] + core[high + 4 :]
        assert data[HEAD:] == section(1, core)


@pytest.mark.parametrize("name", MAKERS)
def test_version_3_packs_the_scores_of_tables(name):
    made, old = MAKERS[name](), (DATA / f"{name}.v2").read_bytes()
    data = made.to_bytes()
    assert data[: HEAD - 1] == old[: HEAD - 1]
    assert data[HEAD - 1] == 3
    assert pickle.loads(pickle.dumps(made)) == made
    if isinstance(made, (rs.ConfusionMatrix, rs.ProbabilitySums)):
        assert data[HEAD:] == old[HEAD:]
    elif "wide" not in name:
        assert len(data) < len(old)


def packed(values: list[int]) -> tuple[int, bytes]:
    """The width of a block, and its bytes, bit by bit."""
    width = max(value.bit_length() for value in values)
    bits = "".join(f"{value:0{width}b}" for value in reversed(values)) if width else ""
    return width, int(bits or "0", 2).to_bytes(-(-len(values) * width // 8), "little")


@pytest.mark.parametrize("rows", [1, 2, 127, 128, 129, 1000])
def test_a_score_table_is_written_as_the_page_says(rows):
    """`docs/bytes.md`, followed by hand."""
    rng = np.random.default_rng(rows)
    y, scores = rng.integers(0, 2, rows), rng.integers(0, 5000, rows).astype("i8")
    table = rs.ScoreTable(y, scores, pos_label=1)
    distinct = sorted(set(scores.tolist()), reverse=True)
    keys = [score + 2**63 for score in distinct]
    core = struct.pack("<B", 2)  # int64
    one = struct.pack("<B", 1) + (1).to_bytes(16, "little")
    zero = struct.pack("<B", 1) + bytes(16)
    negative = zero if (y == 0).any() else b"\0"
    core += b"\1" + negative + one + one + struct.pack("<QBQ", len(keys), 0, keys[0])
    for start in range(0, len(keys), 128):
        gaps, amounts, positives = [], [], []
        for place in range(start, min(start + 128, len(keys))):
            gaps.append(keys[place - 1] - keys[place] - 1 if place else 0)
            there = scores == distinct[place]
            amounts.append(int(there.sum()) - 1)
            positives.append(int(y[there].sum()))
        blocks = [packed(values) for values in (gaps, amounts, positives)]
        core += bytes(width for width, _ in blocks) + b"".join(block for _, block in blocks)
    assert table.to_bytes() == b"rockstedS\3" + section(1, core)


@pytest.mark.parametrize("kind", ["f8", "f4", "f2", "i8", "u4"])
@pytest.mark.parametrize("weighted", [False, True])
def test_tables_come_back_and_bytes_of_others_are_refused(kind, weighted):
    rng = np.random.default_rng(4)
    scores = (rng.normal(size=700) * 1000).astype(kind) if kind != "u4" else rng.integers(0, 2**32, 700).astype(kind)
    weights = rng.random(700).round(3) if weighted else None
    table = rs.ScoreTable(rng.integers(0, 2, 700), scores, sample_weight=weights)
    data = table.to_bytes()
    assert rs.ScoreTable.from_bytes(data) == table
    for cut in [*range(60), *rng.integers(60, len(data), 60).tolist()]:
        with pytest.raises(rs.InputError, match="not the bytes of a ScoreTable"):
            rs.ScoreTable.from_bytes(data[:cut])
    for place in rng.integers(0, len(data), 300):
        changed = bytearray(data)
        changed[place] ^= 1 << rng.integers(8)
        try:
            read = rs.ScoreTable.from_bytes(bytes(changed))
        except rs.InputError:
            continue
        assert read.to_bytes() == bytes(changed)
    for _ in range(50):
        with pytest.raises(rs.InputError):
            rs.ScoreTable.from_bytes(data[:40] + rng.bytes(int(rng.integers(0, 400))))


def test_a_million_scores_take_at_most_six_bytes_each():
    rng = np.random.default_rng(5)
    actual = rng.random(1_000_000) < 0.1
    for scores in (rng.random(1_000_000), rng.normal(size=1_000_000), rng.beta(0.1, 3, 1_000_000)):
        table = rs.ScoreTable(actual, scores)
        assert len(table) > 990_000
        data = table.to_bytes()
        assert len(data) <= 6 * len(table)
        assert rs.ScoreTable.from_bytes(data).to_bytes() == data
    few = rs.ScoreTable(actual[:1000], rng.random(1000))
    assert len(few.to_bytes()) <= 8 * len(few)


@pytest.mark.parametrize("name", MAKERS)
def test_sections_of_a_later_release(name):
    made = MAKERS[name]()
    data = made.to_bytes()
    read = type(made).from_bytes(data + section(2, b"what a later release adds") + section(10, b""))
    assert read == made
    assert read.to_bytes() == data
    with pytest.raises(
        rs.InputError, match="they need section 5, which this release does not know; a newer rocksteady"
    ):
        type(made).from_bytes(data + section(5, b"what must be known"))


@pytest.mark.parametrize("name", MAKERS)
def test_sections_that_make_no_statistic_are_refused(name):
    made = MAKERS[name]()
    data, core = made.to_bytes(), made.to_bytes()[HEAD:]
    head = data[:HEAD]
    for broken, words in [
        (head, "section 1 is missing; expected the whole state"),
        (head + section(2, b""), "section 1 is missing"),
        (data + core, "section 1 follows section 1; expected each section once, in ascending order"),
        (head + section(2, b"") + core, "section 1 follows section 2; expected each section once"),
        (data + b"\x02", "8 bytes expected where 0 are left"),
        (head + struct.pack("<BQ", 1, 2**64 - 1) + core, "18446744073709551615 entries promised"),
        (head + struct.pack("<BQ", 1, len(core)) + core[9:], "entries promised"),
        (head + section(1, core[9:] + b"\0"), "1 bytes follow its end"),
        (head[:-1] + b"\4" + core, "they are of version 4; this release reads versions 1 to 3"),
        (head[:8] + b"?\3" + core, "they are of kind 63; expected"),
    ]:
        with pytest.raises(rs.InputError, match=words):
            type(made).from_bytes(broken)
