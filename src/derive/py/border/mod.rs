//! The border: the one place where arrays enter.
//!
//! Anything array-like becomes [`HeldLabels`], [`HeldScores`] or [`HeldWeights`], which keep the
//! caller's memory alive and lend labels, scores and columns to kernels while the interpreter is
//! released. Nothing is copied where the buffer allows: any stride (negative, zero), either byte
//! order, misaligned and read-only memory are read in place.
//!
//! An argument is taken as the first of these that it is:
//!
//! 1. a numpy array (`array.rs`): one dimension; bool, integers, floats of 16, 32, 64 bits as they
//!    lie; `U` and `S` strings hashed in place; `StringDType` and objects as in 2; masked entries
//!    are missing;
//! 2. a list or tuple (`objects.rs`): all float, all int or all bool become numbers; anything else
//!    is coded object by object, so that text and numbers are never mixed silently;
//! 3. a pandas `Series`, `Index` or array: its numpy array and mask, its categories, or its Arrow
//!    array;
//! 4. whatever has `__arrow_c_array__` or `__arrow_c_stream__` (`arrow.rs`): polars, pyarrow, …;
//! 5. a torch tensor, or whatever else has `__dlpack__`, on the CPU;
//! 6. whatever has `__array__` or numpy's array interface;
//! 7. a buffer: `memoryview`, `array.array`, …;
//! 8. any other sequence, as a list.
//!
//! From 3 on the container is opened in `base/containers.py`, which gives back one of the
//! few forms of `Opened`; a numpy array never goes through Python. Missing values (None, NaN, NA, a
//! null, a masked entry) become [`MISSING`](crate::base::input::MISSING) codes or NaN, and the
//! kernels refuse them or leave them out, as the caller's policy says.
//!
//! `HeldIndicator` takes zeros and ones, dense or as scipy's compressed rows. [`HeldMatrix`] takes
//! two dimensions of numbers, and lends a [`ScoreMatrix`](crate::base::input::ScoreMatrix).
//!
//! Objects are read with the interpreter held. Numbers are read once, by the kernels, with it
//! released.
//!
//! What other threads may do meanwhile, on interpreters with and without their lock:
//!
//! - Write numbers and fixed-width text to an array: each element is read once and checked.
//! - Change a list: each item is taken by a call that locks the list.
//! - Hand the same Arrow capsule to two calls: it is locked while it is moved out.
//! - Use one statistic or collector: the classes are frozen, and what they remember is behind
//!   `OnceLock` or `Mutex`. No lock is held while Python code runs.
//!
//! Without the lock, nobody may replace an array's objects or its shape while it is read. numpy has
//! no lock that could prevent it, and asks the same of every use of its arrays.
//!
//! In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | `text` | the text of a string |
//! | `what` | what an argument is to be; words for what it is |
//! | `numbers` | a column of numbers and the owner of its memory |
//! | `read` | what has been read: numbers or codes, and what is missing |
//! | `objects`, `array`, `arrow` | Python objects, numpy arrays, Arrow arrays |
//! | `scalar` | single labels and sets of labels, from Python and back |
//! | `held` | columns of labels, scores and weights, from whatever is array-like |
//! | `matrix`, `indicator` | two dimensions of numbers; zeros and ones |
//! | `report` | how an argument is read |

pub(crate) mod array;
pub(crate) mod arrow;
pub(crate) mod held;
pub(crate) mod indicator;
pub(crate) mod matrix;
pub(crate) mod numbers;
pub(crate) mod objects;
pub(crate) mod read;
pub(crate) mod report;
pub(crate) mod scalar;
pub(crate) mod text;
pub(crate) mod what;

pub(crate) use held::{
    HeldLabels, HeldScores, HeldWeights, label_set_from_python, labels_from_python, nan_policy,
    pos_label_from_python,
};
