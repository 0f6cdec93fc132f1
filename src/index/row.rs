//! The registry: one row per index, pure formulas over statistics.
//!
//! An index is a row of plain data ([`Index`]): its names, its formula as text, its range, which way is better, when it is
//! undefined, the laws it obeys, its source, its parameters, and its code. Rows stand in one file per family and are
//! collected in [`crate::index::FAMILIES`]; everything else (look-up, averages, evaluation over arrays, Python's names, the tables of the
//! documentation, the tests of the laws) is derived from them. **To add an index: one row, and one independently sourced
//! value in `tests/data/golden/`. Nothing else.**
//!
//! A row's code comes in up to six forms, one for each statistic that it can be read from:
//!
//! | form | reads | says |
//! |---|---|---|
//! | `counts` | [`BinaryCounts`] | the value of one 2×2 table: a class against the rest, a threshold, a group, a replicate |
//! | `matrix` | [`MatrixView`] | one value for all K classes |
//! | `class` | [`MatrixView`], a class | a class's value, where it is not `counts` of the class against the rest |
//! | `sweep` | [`Ranking`] | what needs every threshold |
//! | `probability` | [`ProbabilityView`] | the scores as probabilities |
//! | `score_tables` | [`ScoreTables`] | one value for the scores of K classes |
//!
//! A form is a pure function that answers with a number or with the reason why there is none ([`Outcome`]); the row says
//! which number then stands in its place. Where `counts` and `matrix` both exist they agree for two classes. Where only
//! `matrix` exists, a 2×2 table is read as a matrix of two classes.
//!
//! Forms are references to functions *or* closures, so that a row need not be known when the crate is compiled: [`crate::index::define`] makes
//! rows from expressions.

use std::fmt;

use crate::classes::score_tables::ScoreTables;
use crate::index::evaluate::CountFormula;
use crate::index::parameter::{Parameter, Parameters};
use crate::index::scale::Scale;
use crate::index::user::program::Program;
use crate::index::value::Outcome;
use crate::inference::interval::Spread;
use crate::labels::view::{BinaryCounts, MatrixView};
use crate::scores::calibration::probability_sums::ProbabilityView;
use crate::scores::ranking::Ranking;

/// Code over one 2×2 table: any such function or closure.
pub type CountForm = &'static dyn CountFormula;
/// Code over many 2×2 tables: their values, and the number given where there is none.
pub(crate) type TablesForm = fn(&[BinaryCounts], f64, &mut [f64]);
/// Code over a K×K matrix.
pub type MatrixForm = &'static (dyn Fn(&MatrixView, &Parameters) -> Outcome + Send + Sync);
/// Code over a K×K matrix and one class.
pub type ClassForm = &'static (dyn Fn(&MatrixView, usize, &Parameters) -> Outcome + Send + Sync);
/// Code over all thresholds.
pub type SweepForm = &'static (dyn Fn(&Ranking, &Parameters) -> Outcome + Send + Sync);
/// Code over sums of probabilities.
pub type ProbabilityForm =
    &'static (dyn Fn(&ProbabilityView, &Parameters) -> Outcome + Send + Sync);

/// Code over the scores of several classes.
pub type ScoreTablesForm = &'static (dyn Fn(&ScoreTables, &Parameters) -> Outcome + Send + Sync);

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// The higher the better.
    Higher,
    /// The lower the better.
    Lower,
    /// It describes, and does not judge.
    Neither,
}

/// What always holds for an index. The tests walk every row's laws over random statistics.
///
/// Laws that name a row may name their own. They hold with the parameters at their defaults, and whenever one side is
/// undefined the other is too. That values lie in the row's range is a law of every row and is not listed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// With actual and predicted exchanged it is the named index.
    Transposed(&'static str),
    /// With the positive and the negative class exchanged it is the named index. A row that names itself, and has a matrix
    /// form, does not change under any relabelling of the classes.
    Swapped(&'static str),
    /// It is one minus the named index.
    Complement(&'static str),
    /// All amounts multiplied by one number leave it as it is.
    ScaleFree,
    /// All amounts multiplied by one number multiply it by that number.
    Proportional,
    /// The amounts of one actual class multiplied by one number leave it as it is: prevalence plays no part.
    PrevalenceFree,
    /// Its value when every prediction is right and every class occurs (all scores of positives above all of negatives).
    Perfect(f64),
    /// A strictly increasing change of the scores leaves it as it is.
    RankOnly,
    /// Its values for the scores and for the scores negated add up to this number.
    NegatedSum(f64),
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Transposed(name) => {
                write!(f, "with actual and predicted exchanged it is {name}")
            }
            Self::Swapped(name) => write!(f, "with the two classes exchanged it is {name}"),
            Self::Complement(name) => write!(f, "it is 1 - {name}"),
            Self::ScaleFree => f.write_str("all amounts times a number: unchanged"),
            Self::Proportional => f.write_str("all amounts times a number: times that number"),
            Self::PrevalenceFree => {
                f.write_str("amounts of one actual class times a number: unchanged")
            }
            Self::Perfect(value) => write!(f, "all right, every class present: {value}"),
            Self::RankOnly => f.write_str("only the order of the scores matters"),
            Self::NegatedSum(value) => {
                write!(
                    f,
                    "its values for scores and negated scores add up to {value}"
                )
            }
        }
    }
}

/// One row of the registry. What is read to evaluate it comes first, for classes in one cache line and for a matrix in the next: who asks
/// for a hundred indices of one matrix waits for memory more than for numbers.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Index {
    /// The code over one 2×2 table.
    pub counts: Option<CountForm>,
    /// The code for one class of a matrix.
    pub class: Option<ClassForm>,
    /// `counts` over many tables, where it is too long for the compiler to make a loop of vectors around it unless told to:
    /// `over_tables!`.
    pub(crate) tables: Option<TablesForm>,
    /// The expression behind the forms, if a user defined the row: over many tables it runs in blocks.
    pub(crate) program: Option<&'static Program>,
    /// The number that stands in its place when it is undefined though there are rows: NaN, or a convention.
    pub when_undefined: f64,
    /// Which way is better.
    pub better: Better,
    /// The code over a matrix.
    pub matrix: Option<MatrixForm>,
    /// The name, in lower case with underscores.
    pub name: &'static str,
    /// Other names that find it.
    pub aliases: &'static [&'static str],
    /// The name in full words.
    pub title: &'static str,
    /// The formula in plain text. `tp fp fn tn` are the counts, `n` their sum; for matrices `M[i,j]` are the amounts of actual
    /// class i predicted to be j, `t[i]` and `p[j]` their row and column sums, `T` their sum, `K` the number of classes.
    /// The reference is typeset from it; its grammar, which refuses what it cannot read, opens `docs/formula.py`.
    pub formula: &'static str,
    /// What it tells, and what to beware of, in a sentence or two.
    pub about: &'static str,
    /// The least and the greatest value that it can take.
    pub range: (f64, f64),
    /// When it is undefined, and why; empty if it never is (without any rows every index is undefined).
    pub undefined: &'static str,
    /// What always holds.
    pub laws: &'static [Law],
    /// Author, year and DOI.
    pub source: &'static str,
    /// What can be chosen.
    pub parameters: &'static [Parameter],
    /// The scales of words by which its values are read.
    pub scales: &'static [Scale],
    /// How its values scatter from sample to sample, the usual way first; empty if it has no interval of confidence.
    pub spreads: &'static [Spread],
    /// The code over all thresholds.
    pub sweep: Option<SweepForm>,
    /// The code over sums of probabilities.
    pub probability: Option<ProbabilityForm>,
    /// The code over the scores of several classes.
    pub score_tables: Option<ScoreTablesForm>,
}

/// What a row leaves unsaid: a share between 0 and 1, never undefined, without parameters. Rows end in `..BLANK`.
pub(crate) const BLANK: Index = Index {
    name: "",
    aliases: &[],
    title: "",
    formula: "",
    about: "",
    range: (0.0, 1.0),
    better: Better::Higher,
    undefined: "",
    when_undefined: f64::NAN,
    laws: &[],
    source: "",
    parameters: &[],
    scales: &[],
    spreads: &[],
    counts: None,
    matrix: None,
    class: None,
    sweep: None,
    probability: None,
    tables: None,
    program: None,
    score_tables: None,
};

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Index({} = {})", self.name, self.formula)
    }
}

impl PartialEq for Index {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
