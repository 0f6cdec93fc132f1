"""Arrow arrays that strangers made wrongly, each in a process of its own: a crash fails its test, and no other."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

# Capsules made by hand: `array` and `schema` give what `__arrow_c_array__` does.
MAKER = """
import ctypes as c
import numpy as np
import rocksteady as rs

class Schema(c.Structure):
    pass

class Array(c.Structure):
    pass

released = []
S_RELEASE, A_RELEASE = c.CFUNCTYPE(None, c.POINTER(Schema)), c.CFUNCTYPE(None, c.POINTER(Array))
Schema._fields_ = [
    ("format", c.c_char_p), ("name", c.c_char_p), ("metadata", c.c_char_p), ("flags", c.c_int64),
    ("n_children", c.c_int64), ("children", c.c_void_p), ("dictionary", c.POINTER(Schema)),
    ("release", S_RELEASE), ("private", c.c_void_p),
]
Array._fields_ = [
    ("length", c.c_int64), ("null_count", c.c_int64), ("offset", c.c_int64), ("n_buffers", c.c_int64),
    ("n_children", c.c_int64), ("buffers", c.POINTER(c.c_void_p)), ("children", c.c_void_p),
    ("dictionary", c.POINTER(Array)), ("release", A_RELEASE), ("private", c.c_void_p),
]

@S_RELEASE
def release_schema(it):
    released.append("schema")
    it.contents.release = S_RELEASE()

@A_RELEASE
def release_array(it):
    released.append("array")
    it.contents.release = A_RELEASE()

capsule = c.pythonapi.PyCapsule_New
capsule.restype, capsule.argtypes = c.py_object, [c.c_void_p, c.c_char_p, c.c_void_p]
kept = []

def buffer(values):
    if values is None:
        return None
    held = values if isinstance(values, np.ndarray) else np.frombuffer(bytes(values) + b"\\0" * 8, dtype=np.uint8)
    kept.append(held)
    return held.ctypes.data

class Made:
    def __init__(self, format, length, buffers, *, nulls=0, offset=0, dictionary=None, n_buffers=None):
        held = (c.c_void_p * max(len(buffers), 1))(*[buffer(one) for one in buffers])
        number = len(buffers) if n_buffers is None else n_buffers
        self.schema = Schema(format, b"", None, 0, 0, None, None, release_schema, None)
        self.array = Array(length, nulls, offset, number, 0, held, None, None, release_array, None)
        if dictionary is not None:
            self.schema.dictionary = c.pointer(dictionary.schema)
            self.array.dictionary = c.pointer(dictionary.array)
        kept.append((held, dictionary))

    def __arrow_c_array__(self, requested_schema=None):
        return (capsule(c.addressof(self.schema), b"arrow_schema", None),
                capsule(c.addressof(self.array), b"arrow_array", None))

def i32(*values):
    return np.array(values, dtype=np.int32)

def i64(*values):
    return np.array(values, dtype=np.int64)

def view(size, rest=(0, 0, 0)):
    return np.array([size, *rest], dtype=np.int32)

def asked(made):
    try:
        matrix = rs.ConfusionMatrix(made, [0] * max(min(made.array.length, 2), 0))
    except (rs.RocksteadyError, MemoryError) as error:
        assert not isinstance(error, rs.errors.InternalError), error
        print(type(error).__name__, error)
    else:
        print("read", matrix.labels)
    # What was moved out of the capsules is released, once.
    import gc
    gc.collect()
    assert released.count("array") <= 1 and released.count("schema") <= 1, released
"""


def said(program: str) -> str:
    """What a program prints that ends well."""
    done = subprocess.run([sys.executable, "-c", MAKER + textwrap.dedent(program)], capture_output=True, text=True)
    assert done.returncode == 0, (done.returncode, done.stderr)
    return done.stdout


WRONG = {
    "bad text": (r'Made(b"u", 1, [None, i32(0, 1), b"\xff"])', "y_true[0] is not valid Unicode"),
    "bad large text": (r'Made(b"U", 1, [None, i64(0, 2), b"a\xc3"])', "y_true[0] is not valid Unicode"),
    "bad text of a view": (r'Made(b"vu", 1, [None, view(1, (0xFF, 0, 0)), i64()])', "y_true[0] is not valid Unicode"),
    "bad text in a dictionary": (
        r'Made(b"i", 1, [None, i32(0)], dictionary=Made(b"u", 1, [None, i32(0, 1), b"\xff"]))',
        "y_true[0] is not valid Unicode",
    ),
    "offsets that go down": ('Made(b"u", 3, [None, i32(0, 3, 1, 3), b"abc"])', "text 1 is from 3 to 1"),
    "an offset beyond the last": (
        'Made(b"u", 2, [None, i32(0, 10**9, 3), b"abc"])',
        "text 0 ends at 1000000000, and its last one at 3",
    ),
    "negative offsets": ('Made(b"u", 1, [None, i32(-5, 1), b"abc"])', "text 0 is from -5 to 1"),
    "large offsets": ('Made(b"U", 1, [None, i64(0, 2**63 - 1), b"abc"])', "text 0 lies in no buffer"),
    "no bytes": ('Made(b"u", 1, [None, i32(0, 3), None])', "text 0 lies in no buffer"),
    "no offsets": ('Made(b"u", 2, [None, None, b"abc"])', "2 values and no buffer"),
    "a view beyond its buffer": (
        'Made(b"vu", 1, [None, view(20, (0, 0, 10)), bytes(20), i64(20)])',
        "text 0 lies in no buffer",
    ),
    "a view of no buffer": ('Made(b"vu", 1, [None, view(20, (0, 7, 0)), bytes(20), i64(20)])', "text 0 lies in no"),
    "a view of negative length": ('Made(b"vu", 1, [None, view(-1), i64()])', "text 0 lies in no buffer"),
    "views without lengths": ('Made(b"vu", 1, [None, view(1), bytes(20), None])', "the lengths of its buffers"),
    "a buffer of negative length": ('Made(b"vu", 1, [None, view(1), bytes(20), i64(-3)])', "length of a buffer is -3"),
    "negative length": ('Made(b"l", -1, [None, i64(1)])', "length is -1"),
    "negative offset": ('Made(b"l", 1, [None, i64(1)], offset=-1)', "offset is -1"),
    "length beyond memory": ('Made(b"l", 2**62, [None, i64(1)])', "beyond all memory"),
    "offset beyond memory": ('Made(b"l", 1, [None, i64(1)], offset=2**63 - 1)', "beyond all memory"),
    "nulls beyond memory": ('Made(b"n", 2**60, [])', "MemoryError"),
    "no numbers": ('Made(b"l", 3, [None, None])', "3 values and no buffer"),
    "too few buffers": ('Made(b"l", 1, [None])', "1 buffers instead of 2"),
    "too many buffers": ('Made(b"l", 1, [None, i64(1), i64(1)])', "3 buffers instead of 2"),
    "negative buffers": ('Made(b"l", 1, [None, i64(1)], n_buffers=-1)', "number of buffers is -1"),
    "nulls that are not told": ('Made(b"l", 2, [None, i64(1, 2)], nulls=1)', "does not tell which"),
    "more nulls than values": ('Made(b"l", 1, [b"\\0", i64(1)], nulls=5)', "5 of its 1 values are null"),
    "a dictionary of no values": ('Made(b"i", 1, [None, i32(0)], dictionary=Made(b"n", 0, []))', "the key 0"),
    "a key beyond its dictionary": (
        'Made(b"i", 2, [None, i32(0, 7)], dictionary=Made(b"u", 1, [None, i32(0, 1), b"a"]))',
        "y_true[1] is the key 7; expected below the 1 values of its dictionary",
    ),
    "a negative key": (
        'Made(b"i", 1, [None, i32(-1)], dictionary=Made(b"u", 1, [None, i32(0, 1), b"a"]))',
        "y_true[0] is the key -1",
    ),
    "keys of floats": (
        'Made(b"f", 1, [None, np.zeros(1, np.float32)], dictionary=Made(b"n", 0, []))',
        "a dictionary without integers as keys",
    ),
    "an unknown format": ('Made(b"?!", 1, [None, i64(1)])', 'unknown format "?!"'),
    "a long format": ('Made(b"?" * 100_000, 1, [None, i64(1)])', "unknown format"),
    "a format that is no text": (r'Made(b"\xff\xfe", 1, [None, i64(1)])', "unknown format"),
    "no format": ("Made(None, 1, [None, i64(1)])", "no format"),
    "bytes": (r'Made(b"z", 1, [None, i32(0, 1), b"\xff"])', "an Arrow array of bytes"),
    "lists": ('Made(b"+l", 1, [None, i32(0, 1)])', "an Arrow array of lists"),
}


@pytest.mark.parametrize("case", WRONG)
def test_arrow_arrays_that_are_wrong_are_refused(case):
    made, expected = WRONG[case]
    found = said(f"asked({made})")
    assert expected in found
    assert not found.startswith("read")
    assert len(found) < 700


def test_arrow_arrays_made_by_hand_are_read_and_released():
    for made, expected in (
        ('Made(b"u", 2, [None, i32(0, 1, 2), b"ab"])', "['a' 'b']"),
        ('Made(b"U", 1, [None, i64(0, 1, 2), b"ab"], offset=1)', "['b']"),
        ('Made(b"vu", 1, [None, view(1, (ord("x"), 0, 0)), i64()])', "['x']"),
        ('Made(b"i", 2, [None, i32(0, 0)], dictionary=Made(b"u", 1, [None, i32(0, 1), b"a"]))', "['a']"),
    ):
        program = f"""
            made = {made}
            print(rs._rocksteady.lowered(made, "labels", "y_true")["labels"])
            assert sorted(released) == ["array", "schema"], released
            assert not made.array.release and not made.schema.release
            try:
                rs.ConfusionMatrix(made, [0])
            except rs.RocksteadyError as error:
                assert "imported before" in str(error)
            else:
                raise AssertionError("read twice")
        """
        assert said(program).strip() == expected


def test_pyarrow_texts_that_are_not_unicode_are_refused():
    pytest.importorskip("pyarrow")
    found = said(r"""
        import pyarrow as pa
        wrong = pa.array([b"\xff"])
        for values in (wrong.view(pa.string()), wrong.cast(pa.large_binary()).view(pa.large_string())):
            for given in (values, pa.chunked_array([values]), values.dictionary_encode()):
                try:
                    rs.ConfusionMatrix(given, ["a"])
                except rs.InputError as error:
                    print(error)
    """)
    assert found.splitlines() == ["y_true[0] is not valid Unicode; expected text in valid Unicode (bytes in UTF-8)"] * 6


def test_capsules_of_another_kind_are_refused():
    found = said("""
        class Pair:
            def __init__(self, *pair):
                self.pair = pair
            def __arrow_c_array__(self, requested_schema=None):
                return self.pair
        made = Made(b"l", 1, [None, i64(1)])
        schema, array = made.__arrow_c_array__()
        for pair in ((array, schema), (schema, 1), (schema,), ()):
            try:
                rs.ConfusionMatrix(Pair(*pair), [0])
            except Exception as error:
                print(type(error).__name__)
    """)
    assert len(found.splitlines()) == 4
    assert "PanicException" not in found
    assert "InternalError" not in found
