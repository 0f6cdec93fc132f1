//! What a row of the registry is: plain data about one index, and its code.
//!
//! A row ([`Index`]) holds the names, the formula as text, the range, which way is better, when the
//! index is undefined, the laws it obeys, its source, its parameters and its code. Everything else
//! is derived from rows: look-up, averages, evaluation over arrays, Python's names, the reference
//! pages and the tests of the laws. **To add an index: one row, and one independently sourced value
//! in `tests/data/golden/`. Nothing else.**
//!
//! The code is a list of forms, one for each statistic that the index can be read from ([`Form`]).
//! A form is a pure function. It gives a number, or the reason why there is none; the row says
//! which number is shown then. Where there are forms over counts and over a matrix they agree for
//! two classes. Where there is only the latter, a 2×2 table is read as a matrix of two classes.
//!
//! Forms are references to functions *or* closures, so that [`crate::index::define`] can make rows
//! of expressions while the program runs.

use std::fmt;

use crate::base::cost_matrix::CostMatrix;
use crate::base::error::{Refusal, Result};
use crate::index::form::{
    ClassForm, CostForm, CountForm, ExactForm, Form, MatrixForm, ProbabilitiesForm, QueryForm,
    Reads, ScoreTablesForm, ScoresForm, first,
};
use crate::index::parameter::{Parameter, Parameters};
use crate::index::scale::Scale;
use crate::index::sketched::form::Sketched;
use crate::index::spread::{Delta, NoInterval, Spread};
use crate::index::user::program::Program;

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
/// Laws that name a row may name their own, as `SELF`. They hold with the parameters at their
/// defaults, and whenever one side is undefined the other is too. That values lie in the row's
/// range is a law of every row and is not listed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    /// With actual and predicted exchanged it is the named index.
    Transposed(&'static str),
    /// With the positive and the negative class exchanged it is the named index. A row that names
    /// itself, and has a matrix form, does not change under any relabelling of the classes.
    Swapped(&'static str),
    /// It is one minus the named index.
    Complement(&'static str),
    /// All masses multiplied by one number leave it as it is.
    ScaleFree,
    /// All masses multiplied by one number multiply it by that number.
    Proportional,
    /// The masses of one actual class multiplied by one number leave it as it is: prevalence plays
    /// no part.
    PrevalenceFree,
    /// Its value when every prediction is right and every class occurs (all scores of positives
    /// above all of negatives).
    Perfect(f64),
    /// A strictly increasing change of the scores leaves it as it is.
    RankOnly,
    /// Its values for the scores and for the scores negated add up to this number.
    NegatedSum(f64),
}

/// The row itself, in a law of a row.
pub(crate) const SELF: &str = "";

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
                write!(f, "its values for scores and negated scores add up to {value}")
            }
        }
    }
}

/// How an index moves with the counts while the actual classes keep their sizes: where one more
/// positive row is predicted positive, tp rises and fn falls; where one more negative row is, fp
/// rises and tn falls. An index that does not change with one of them moves either way with it.
///
/// It holds with the parameters at their defaults, wherever the index is defined. So two corners
/// bound the values of all tables of a box ([`crate::bounds`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// It rises with tp and falls with fp, as precision does.
    UpDown,
    /// It falls with tp and rises with fp, as the error rate does.
    DownUp,
    /// It rises with both, as the share of rows that are predicted positive does.
    UpUp,
    /// It falls with both.
    DownDown,
    /// It moves both ways with one of them at least.
    Mixed,
}

/// One row of the registry. A caller that asks for a hundred indices of one matrix waits for memory
/// rather than for arithmetic. So the forms of counts, of matrices and of classes are fields, and
/// the fields of an evaluation come first: for classes in one cache line, for a matrix in the next.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Index {
    /// The code over one 2×2 table.
    pub counts: Option<CountForm>,
    /// The code for one class of a matrix.
    pub class: Option<ClassForm>,
    /// The expression behind the forms, if a user defined the row: over many tables it runs in
    /// blocks.
    pub(crate) program: Option<&'static Program<Index>>,
    /// The number that stands in its place when it is undefined though there are rows: NaN, or a
    /// convention.
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
    /// The formula in plain text. `tp fp fn tn` are the counts, `n` their sum; for matrices
    /// `M[i,j]` are the masses of actual class i predicted to be j, `t[i]` and `p[j]` their row
    /// and column sums, `T` their sum, `K` the number of classes. The reference is typeset from it;
    /// its grammar, which refuses what it cannot read, opens `docs/formula.py`.
    pub formula: &'static str,
    /// What it tells, and what to beware of, in a sentence or two.
    pub about: &'static str,
    /// The least and the greatest value that it can take.
    pub range: (f64, f64),
    /// When it is undefined, and why; empty if it never is (without any rows every index is
    /// undefined).
    pub undefined: &'static str,
    /// The laws as the row lists them; [`Index::laws`] has them with its name.
    pub laws: &'static [Law],
    /// Author, year and DOI.
    pub source: &'static str,
    /// Whether the formula subtracts numbers that are rounded before, so that a column has fewer
    /// correct digits near 0.
    pub(crate) cancels: bool,
    /// What can be chosen.
    pub parameters: &'static [Parameter],
    /// The scales of words by which its values are read.
    pub scales: &'static [Scale],
    /// How its values scatter from sample to sample, where there is a closed or an exact form, the
    /// usual one first. Every other formula of counts has the interval of the delta method.
    pub spreads: &'static [Spread],
    /// The scale of that interval, or why there is none. A row with the law [`Law::Proportional`]
    /// need not say that it grows.
    pub delta: Delta,
    /// How it moves with the counts.
    pub joint: Joint,
    /// How it is bounded where only a sketch of the scores is known.
    pub sketched: Sketched,
    /// All forms.
    pub forms: &'static [Form],
}

/// A row of these forms with the defaults for all else: a share between 0 and 1, never undefined,
/// without parameters. Rows end in `..reading(&[…])`.
pub(crate) const fn reading(forms: &'static [Form]) -> Index {
    Index {
        counts: first!(forms, Counts),
        class: first!(forms, Class),
        program: None,
        when_undefined: f64::NAN,
        better: Better::Higher,
        matrix: first!(forms, Matrix),
        name: "",
        aliases: &[],
        title: "",
        formula: "",
        about: "",
        range: (0.0, 1.0),
        undefined: "",
        laws: &[],
        source: "",
        cancels: false,
        parameters: &[],
        scales: &[],
        spreads: &[],
        delta: Delta::OfRange,
        joint: Joint::Mixed,
        sketched: Sketched::No("it needs the scores within a cell, which a sketch does not keep"),
        forms,
    }
}

/// How far the entries of a column, which are computed in `f64`, may be from the single value,
/// which is rounded once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ColumnError {
    /// Both are computed in `f64`.
    None,
    /// Units in the last place.
    LastPlaces(f64),
    /// This much, or this much of the value where it is above 1.
    Size(f64),
    /// As far as the columns of the indices in an expression, and its own rounding.
    Parts,
}

impl fmt::Display for ColumnError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::None => f.write_str("the same as the single value"),
            Self::Parts => f.write_str("as near to the single value as those of its parts"),
            Self::LastPlaces(units) => {
                write!(f, "within {units} units in the last place of the single value")
            }
            Self::Size(size) => {
                write!(f, "within {size:e} of the single value, which near 0 may be fewer digits")
            }
        }
    }
}

impl Index {
    /// The laws, with the row's own name in place of `SELF`.
    pub fn laws(&self) -> impl Iterator<Item = Law> + use<> {
        let own = self.name;
        let named = move |name: &'static str| if name == SELF { own } else { name };
        self.laws.iter().map(move |&law| match law {
            Law::Transposed(name) => Law::Transposed(named(name)),
            Law::Swapped(name) => Law::Swapped(named(name)),
            law => law,
        })
    }

    /// The range, outwards where its ends are no numbers of `f64`, such as -1/3.
    pub(crate) fn range_outwards(&self) -> (f64, f64) {
        let is_exact = |end: f64| end.is_infinite() || (end * 1024.0).fract() == 0.0;
        let (low, high) = self.range;
        (
            if is_exact(low) { low } else { low.next_down() },
            if is_exact(high) { high } else { high.next_up() },
        )
    }

    /// How far the entries of a column may be from the single value.
    #[must_use]
    pub fn column_error(&self) -> ColumnError {
        match self.counts {
            _ if self.program.is_some() => ColumnError::Parts,
            Some(form) if form.rounds_once() && self.cancels => ColumnError::Size(1e-14),
            Some(form) if form.rounds_once() => ColumnError::LastPlaces(16.0),
            _ => ColumnError::None,
        }
    }

    /// The code over all thresholds, and what it reads.
    pub fn scores(&self) -> Option<(Reads, ScoresForm)> {
        self.forms.iter().find_map(|form| match *form {
            Form::Scores(reads, form) => Some((reads, form)),
            _ => None,
        })
    }

    /// What the form over scores reads; none if there is no such form.
    pub fn reads(&self) -> Option<Reads> {
        self.scores().map(|(reads, _)| reads)
    }

    /// The exact value over all thresholds, for an index that is a fraction.
    pub fn exact(&self) -> Option<ExactForm> {
        first!(self.forms, Exact)
    }

    /// The code over sums of probabilities.
    pub fn probabilities(&self) -> Option<ProbabilitiesForm> {
        first!(self.forms, Probabilities)
    }

    /// The code over the scores of several classes.
    pub fn score_tables(&self) -> Option<ScoreTablesForm> {
        first!(self.forms, ScoreTables)
    }

    /// The code over the ranked list of one query.
    pub fn queries(&self) -> Option<QueryForm> {
        first!(self.forms, Queries)
    }

    /// The code over the costs of rows at one threshold.
    pub fn costs(&self) -> Option<CostForm> {
        first!(self.forms, Costs)
    }

    /// Why a formula of counts or a matrix has no interval; none if it has one.
    pub fn no_interval(&self) -> Option<NoInterval> {
        match self.delta {
            Delta::None(why) => Some(why),
            _ if self.laws.contains(&Law::Proportional) => Some(NoInterval::Grows),
            _ => None,
        }
    }

    /// The scale of this name, or the first that the row has.
    ///
    /// # Errors
    /// [`Refusal::Index`] if there is none.
    pub fn scale(&self, name: Option<&str>) -> Result<&'static Scale> {
        let found = match name {
            Some(name) => self.scales.iter().find(|scale| scale.name == name),
            None => self.scales.first(),
        };
        found.ok_or_else(|| {
            let names: Vec<&str> = self.scales.iter().map(|scale| scale.name).collect();
            let problem = match name {
                Some(name) if !names.is_empty() => {
                    format!("has no scale {name:?}; its scales: {}", names.join(", "))
                }
                _ => "has no scale of words for its values".to_owned(),
            };
            Refusal::Index { name: self.name.to_owned(), problem }
        })
    }
}

impl Parameters {
    /// A row's defaults.
    pub fn defaults(index: &Index) -> Self {
        Self::defaults_of(index.parameters)
    }

    /// A row's defaults, but for the numbers given by name and the matrix of costs.
    ///
    /// # Errors
    /// [`Refusal::Index`] for a name that the row does not declare; [`Refusal::Argument`] for a
    /// number outside the parameter's domain, and for unit costs beside a matrix of costs.
    pub fn new(index: &Index, given: &[(&str, f64)], matrix: Option<CostMatrix>) -> Result<Self> {
        Self::checked(index.name, index.parameters, given, matrix)
    }
}

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
