"""Arrow arrays that strangers made wrongly, each in a process of its own: a crash fails its test, and no other."""

from __future__ import annotations

import os
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
    "bits beyond memory": ('Made(b"b", 1, [None, bytes(8)], offset=2**62)', "beyond all memory"),
    "more buffers than views name": ('Made(b"vu", 1, [None, view(1), i64()], n_buffers=2**40)', "more than views name"),
    "a buffer beyond memory": ('Made(b"vu", 1, [None, view(1), bytes(20), i64(2**62)])', "beyond all memory"),
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


#: Arrays with anything in their fields that the reader says it checks. What it has to believe, a length or a last offset of
#: less bytes than there are addresses, is true.
RANDOM = r"""
random = np.random.default_rng(SEED)
SLACK, DATA = 96, 300
FORMATS = [b"n", b"b", *(bytes([letter]) for letter in b"cCsSiIlLefg"), b"u", b"U", b"vu", b"+s", b"z", b"tdD", b"+l"]
FORMATS += [b"d:9,2", b"d:38,-3,128", b"d:9,2147483647", b"d:9,-2147483648,32", b"d:18,400,64", b"d:5,3,2147483640", b"d:,"]

def one(*choices):
    return choices[random.integers(len(choices))]

def beyond():
    return int(random.integers(2**51, 2**63 - 1)) if random.random() < 0.5 else one(2**62, 2**60, 2**59, 2**51, 2**63 - 1)

def wrong(true):
    return int(true) if random.random() < 0.85 else one(-1, -2**63, -int(random.integers(1, 2**40)), beyond(), beyond())

def offsets(dtype, last):
    found = np.sort(random.integers(0, DATA, SLACK)).astype(dtype)
    if random.random() < 0.5:
        place = int(random.integers(SLACK))
        far = one(-1, np.iinfo(dtype).min, *([2**62, 2**63 - 1] if dtype == np.int64 else []))
        found[place] = far if place == last or random.random() < 0.5 else np.iinfo(dtype).max
    return found

def drawn(depth=0):
    form = one(*FORMATS, random.bytes(int(random.integers(5))).replace(b"\0", b"?")) if random.random() < 0.97 else None
    length, offset = int(random.integers(40)), int(random.integers(40))
    texts = one(random.bytes(DATA), bytes(random.choice(np.frombuffer(b"abc", np.uint8), DATA)))
    first = [*one([None], [random.bytes(SLACK)], [bytes(SLACK)])]
    number = None
    if form in (b"u", b"U"):
        held = [*first, offsets(np.int32 if form == b"u" else np.int64, length + offset), texts]
    elif form == b"vu":
        parts = int(random.integers(4))
        views = random.integers(-2**31, 2**31, (SLACK, 4)).astype(np.int32)
        views[:, 0] = random.choice([0, 1, 5, 12, 13, 40, -1, 2**31 - 1], SLACK)
        views[:, 2:] = random.integers(-1, 5, (SLACK, 2)) if random.random() < 0.7 else views[:, 2:]
        held = [*first, views, *[texts] * parts, i64(*(wrong(DATA) for _ in range(parts)))]
        number = len(held)
    else:
        held = [*first, np.frombuffer(random.bytes(16 * SLACK), np.uint8)]
    if random.random() < 0.1:
        held[int(random.integers(len(held)))] = None
    number = len(held)
    if random.random() < 0.1 and form != b"vu":
        number = one(0, 1, 2, 3, 4, 6, -1, beyond())
    elif random.random() < 0.1:
        number = one(0, 1, 2, -1, 2**40, beyond())
    dictionary = drawn(depth + 1) if depth < 3 and random.random() < 0.15 else None
    made = Made(form, wrong(length), held, nulls=one(0, 0, -1, 1, length, length + 1, -2, wrong(0)),
                offset=wrong(offset), dictionary=dictionary, n_buffers=number)
    made.array.n_children, made.schema.n_children = wrong(0), wrong(0)
    made.schema.flags = int(random.integers(8))
    if random.random() < 0.02:
        made.array.buffers = c.cast(one(None, 1), c.POINTER(c.c_void_p))
    return made

refused = read = 0
for _ in range(CALLS):
    what = one("labels", "scores", "weights")
    try:
        rs._rocksteady.lowered(drawn(), what, "y_true")
        read += 1
    except rs.errors.InternalError:
        raise
    except (rs.RocksteadyError, MemoryError):
        refused += 1
    kept.clear()
    released.clear()
print(read, refused)
"""


@pytest.mark.parametrize("seed", [1, 2])
def test_random_arrays_are_read_or_refused(seed):
    calls = int(os.environ.get("ROCKSTEADY_CALLS", "4000"))
    read, refused = said(f"SEED, CALLS = {seed}, {calls}\n{RANDOM}").split()
    assert int(read) > calls // 20
    assert int(refused) > calls // 4
