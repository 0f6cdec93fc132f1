//! What an index answers: a number, and where there is none, why.

use std::fmt;

use crate::arith::number::Number;

/// What a formula answers: a number, or the reason why there is none.
pub type Outcome<N = f64> = Result<N, Undefined>;

/// What the evaluation of a row answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The value; where it is undefined the row's convention, mostly NaN.
    pub number: f64,
    /// Why it is undefined, if it is.
    pub why: Option<Undefined>,
}

/// Why an index has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// There are no rows, or all weigh nothing.
    NoRows,
    /// tp + fn = 0.
    NoActualPositives,
    /// fp + tn = 0.
    NoActualNegatives,
    /// tp + fp = 0.
    NoPredictedPositives,
    /// fn + tn = 0.
    NoPredictedNegatives,
    /// tp + fp + fn = 0.
    NoPositives,
    /// tn + fp + fn = 0.
    NoNegatives,
    /// fp = 0.
    NoFalsePositives,
    /// fn = 0.
    NoFalseNegatives,
    /// tn = 0.
    NoTrueNegatives,
    /// All rows are of one actual class.
    OneActualClass,
    /// All rows are predicted to be of one class.
    OnePredictedClass,
    /// All rows are of one class and predicted to be of it, so that chance alone agrees always.
    CertainAgreement,
    /// There is only one label.
    OneLabel,
    /// No row is of the class or predicted to be of it.
    AbsentClass,
    /// An average over classes none of which has a value.
    NoClassDefined,
    /// No row is predicted wrong.
    NothingWrong,
    /// A class that occurs is never predicted, which no logarithm can say.
    NeverPredicted,
    /// There are no pairs of rows: none are together, or a mass is a fraction of a row.
    NoPairs,
    /// The formula divides by zero.
    ZeroDenominator,
    /// The formula takes a root or a logarithm that there is not.
    OutsideDomain,
    /// The formula leaves the range of `f64`.
    OutOfRange,
    /// A score lies outside [0, 1].
    NotProbabilities,
    /// All scores are equal.
    OneScore,
    /// Rows have weights, so ties have no row after row.
    WeightedRows,
    /// Earlier bytes do not tell how confident the highest score of a row is.
    NoTopLabel,
    /// One of several classes has no rows.
    ClassWithoutRows,
    /// All that could be predicted costs the same.
    EqualCosts,
    /// Predicting one class always, the cheapest, costs nothing or less.
    NothingToSave,
    /// The least of two numbers that bound a range is not less than the greatest.
    EmptyRange,
    /// The scores of the two classes do not overlap.
    NoOverlap,
    /// No row of a query is relevant.
    NoRelevantRows,
    /// All rows of a query are relevant.
    OnlyRelevantRows,
    /// A query has fewer rows than k.
    FewerThanK,
    /// No row of a query was retrieved.
    NothingRetrieved,
    /// So many rows are tied that their orders cannot be counted.
    TooManyTies,
    /// The p-value of a test of counts, of sampling weights.
    SamplingWeights,
    /// No query has a value.
    NoQueryDefined,
    /// So few groups have rows that no degree of freedom is left.
    TooFewGroups,
    /// No bin has two rows.
    NoPairsInBins,
    /// An interval where the slopes to either side of the value differ.
    AtKink,
    /// An interval where the value does not change, or infinitely fast, with the cells.
    NoSlope,
    /// An interval of a value that lies at an end of its range, or outside it.
    AtEnd,
    /// An interval of a value that grows with the number of rows.
    GrowsWithRows,
    /// An interval of kappa, or of another index, whose standard error is 0.
    NoError,
    /// A class has one row, so that there is no variance between its rows.
    OneRowOfAClass,
    /// All rows count alike, so that the sample does not show how the value scatters.
    NoSpread,
}

impl Undefined {
    /// The reason as a sentence.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::NoRows => "There are no rows, or all weigh nothing.",
            Self::NoActualPositives => "No row is actually positive.",
            Self::NoActualNegatives => "No row is actually negative.",
            Self::NoPredictedPositives => "No row is predicted positive.",
            Self::NoPredictedNegatives => "No row is predicted negative.",
            Self::NoPositives => "No row is positive, neither actually nor as predicted.",
            Self::NoNegatives => "No row is negative, neither actually nor as predicted.",
            Self::NoFalsePositives => "There are no false positives to divide by.",
            Self::NoFalseNegatives => "There are no false negatives to divide by.",
            Self::NoTrueNegatives => "There are no true negatives to divide by.",
            Self::OneActualClass => "All rows are actually of one class.",
            Self::OnePredictedClass => "All rows are predicted to be of one class.",
            Self::CertainAgreement => {
                "All rows are of one class and predicted to be of it: chance alone agrees always."
            }
            Self::OneLabel => "There is only one class, so nothing can be confused.",
            Self::AbsentClass => "No row is of this class or predicted to be of it.",
            Self::NoClassDefined => "No class has a value to average.",
            Self::NothingWrong => "No row is predicted wrong.",
            Self::NeverPredicted => {
                "A class that occurs is never predicted, so that no finite value could tell its surprise."
            }
            Self::NoPairs => {
                "There are no pairs of rows to count: none are together, or an amount is a fraction of one row."
            }
            Self::ZeroDenominator => "The denominator of the formula is 0.",
            Self::OutsideDomain => {
                "The formula takes a root or a logarithm of a number that has none."
            }
            Self::OutOfRange => "The formula comes to a number too large to be held.",
            Self::NotProbabilities => {
                "A score lies outside [0, 1], so the scores are not probabilities."
            }
            Self::NoTopLabel => "It was read from bytes that have no ranking of the top labels.",
            Self::OneScore => "All scores are equal, so that no two rows have an order.",
            Self::WeightedRows => {
                "Rows have weights, so that the rows of a tie cannot be put in order one by one."
            }
            Self::ClassWithoutRows => "No row is actually of one of the classes.",
            Self::EqualCosts => "Whatever is predicted costs the same.",
            Self::NoOverlap => {
                "The scores of the two classes do not overlap, so that no finite slope fits best."
            }
            Self::NoRelevantRows => "No row of the query is relevant.",
            Self::OnlyRelevantRows => "All rows of the query are relevant.",
            Self::FewerThanK => "The query has fewer than k rows.",
            Self::NothingRetrieved => "No row of the query was retrieved.",
            Self::TooManyTies => {
                "Too many rows of the query are tied for a mean over all their orders. Break ties: ties=\"stable\" or \"trec_eval\"."
            }
            Self::SamplingWeights => {
                "The rows have sampling weights, which are no counts, so the test does not apply."
            }
            Self::NoQueryDefined => "No query has a value to average.",
            Self::TooFewGroups => {
                "Fewer than three groups have rows, so that no degree of freedom is left."
            }
            Self::NoPairsInBins => "No bin has two rows, so that nothing tells gaps from chance.",
            Self::OneRowOfAClass => {
                "A class has a single row, which does not show how its rows scatter."
            }
            Self::NoSpread => {
                "All rows count alike, so the sample does not show how the value scatters."
            }
            Self::NothingToSave => {
                "To predict one class always, the cheapest one, costs nothing or less: there is nothing to save."
            }
            Self::AtKink => {
                "The formula has a kink here: its slopes to either side differ, so there is no standard error. Resample the cells instead (bootstrap)."
            }
            Self::NoSlope => {
                "The value does not change with the cells here, or infinitely fast, so there is no standard error. Resample the cells instead (bootstrap)."
            }
            Self::AtEnd => {
                "The value lies at an end of its range, where there is no standard error. Resample the cells instead (bootstrap)."
            }
            Self::GrowsWithRows => {
                "The value grows with the number of rows, so there is no true value to estimate."
            }
            Self::NoError => "The standard error is 0 here, so the interval would have no width.",
            Self::EmptyRange => "The range is empty: its lower end is not below its upper end.",
        }
    }
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sentence())
    }
}

/// A number, unless it left the range of `f64`.
#[inline]
pub(crate) fn finite<N: Number>(number: N) -> Outcome<N> {
    if number.is_in_range() { Ok(number) } else { Err(Undefined::OutOfRange) }
}

/// A ratio, or why there is none. Of weights of either sign, which scikit-learn's face lets in,
/// masses may be negative.
#[inline(always)]
#[allow(clippy::inline_always)] // It must be inlined to be compiled for wider instructions.
pub(crate) fn ratio<N: Number>(numerator: N, denominator: N, otherwise: Undefined) -> Outcome<N> {
    if denominator.is_zero() { Err(otherwise) } else { Ok(numerator / denominator) }
}
