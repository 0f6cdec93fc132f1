//! Functions that look for inputs that break rocksteady. Each takes any bytes and panics if a
//! promise is broken.
//!
//! libFuzzer calls them from `fuzz_targets/`; `tests/replay.rs` calls them with the inputs that are
//! kept in `corpus/`, on any toolchain. CONTRIBUTING.md says how to run both.
//!
//! | target | tries |
//! |---|---|
//! | [`bytes`] | every reader of stored statistics |
//! | [`formulas`] | expressions of user-defined indices, and conditions |
//! | [`labels`] | the confusion matrix of two columns of labels |
//! | [`scores`] | two classes and a score: tables, areas, thresholds, losses |
//! | [`classes`] | several classes, or several labels a row |
//! | [`indices`], [`doors`] | every index against its exact value; sums of weights |
//! | [`curves`] | curves over the thresholds, and calibration |
//! | [`arrow`] | Arrow arrays from anybody's code |
//! | [`states`] | readers of small states, such as sketches and groups, and their results |

pub mod arrow;
pub mod bytes;
pub mod classes;
pub mod curves;
pub mod doors;
pub mod formulas;
pub mod indices;
pub mod input;
pub mod labels;
pub mod scores;
pub mod states;

/// A target and its name.
pub type Target = (&'static str, fn(&[u8]));

/// All of them.
pub const TARGETS: &[Target] = &[
    ("bytes", bytes::run),
    ("formulas", formulas::run),
    ("labels", labels::run),
    ("scores", scores::run),
    ("classes", classes::run),
    ("indices", indices::run),
    ("states", states::run),
    ("curves", curves::run),
    ("arrow", arrow::run),
];
