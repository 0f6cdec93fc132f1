"""The bytes of statistics: version 1 is still read, and sections that a later release may add are skipped or refused."""

from __future__ import annotations

import pickle
import struct
from pathlib import Path

import numpy as np
import pytest

import rocksteady as rs

DATA = Path(__file__).parent / "data" / "bytes"
HEAD = 10

WEIGHTS = [0.5, 1.5, 2.25, 0.125]
FAR = [1e-300, 2.0, 3.0, 1e300]  # sums of them need more than 128 bits
PROBA = [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3], [0.5, 0.4, 0.1], [0.1, 0.2, 0.7]]
FLAGS, SCORES = [[1, 0], [1, 1], [0, 1], [0, 0]], [[0.9, 0.4], [0.6, 0.3], [0.2, 0.8], [0.3, 0.1]]

# The statistics whose bytes of version 1 are in the files of these names.
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
    "probability_sums_open": lambda: rs.ProbabilitySums([7, 7], [0.25, 0.5]),
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
    assert {file.stem for file in DATA.glob("*.v1")} == set(MAKERS)


@pytest.mark.parametrize("name", MAKERS)
def test_version_1_is_still_read(name):
    made, data = MAKERS[name](), (DATA / f"{name}.v1").read_bytes()
    assert data[HEAD - 1] == 1
    read = type(made).from_bytes(data)
    assert read == made
    assert read.to_bytes() == made.to_bytes()
    for cut in range(len(data)):
        with pytest.raises(rs.InputError, match=f"not the bytes of a {type(made).__name__}: "):
            type(made).from_bytes(data[:cut])


@pytest.mark.parametrize("name", MAKERS)
def test_version_2_is_version_1_in_a_section(name):
    made, old = MAKERS[name](), (DATA / f"{name}.v1").read_bytes()
    data = made.to_bytes()
    assert data[: HEAD - 1] == old[: HEAD - 1]
    assert data[HEAD - 1] == 2
    assert pickle.loads(pickle.dumps(made)) == made
    if not isinstance(made, (rs.ScoreTables, rs.LabelScoreTables)):  # those have statistics inside, with sections too
        core = old[HEAD:]
        if name in SUMS:  # version 1 has the power of two above all weights; now it is the one above their mean
            high = len(core) - 2 * 3 * SUMS[name] - 8 - 4
            new = data[HEAD + 9 :]
            assert new[high : high + 4] != core[high : high + 4]
            core = core[:high] + new[high : high + 4] + core[high + 4 :]
        assert data[HEAD:] == section(1, core)


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
        (head[:-1] + b"\3" + core, "they are of version 3; this release reads versions 1 and 2"),
        (head[:8] + b"?\2" + core, "they are of kind 63; expected"),
    ]:
        with pytest.raises(rs.InputError, match=words):
            type(made).from_bytes(broken)
