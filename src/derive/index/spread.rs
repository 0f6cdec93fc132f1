//! How the values of an index scatter from sample to sample: what its row says about intervals.
//!
//! [`crate::inference`] makes the intervals.

use crate::index::form::{CountForm, MatrixForm};
use crate::index::parameter::Parameters;
use crate::index::value::Outcome;
use crate::labels::view::{BinaryCounts, MatrixView};
use crate::scores::ranking::Ranking;

/// How an interval is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The value plus and minus z standard errors.
    Normal,
    /// The same by Student's t distribution (means).
    T,
    /// All probabilities that a score test does not reject (shares only).
    Wilson,
    /// The normal one with z² trials added, half of them successes (shares only).
    AgrestiCoull,
    /// All probabilities that no exact binomial test rejects (shares only).
    ClopperPearson,
    /// Of a beta distribution with half a success and half a failure added (shares only).
    Jeffreys,
    /// All probabilities that a mixture of likelihood ratios never rejects: it holds at all numbers
    /// of trials at once (shares only).
    Anytime,
    /// The normal one for the logarithm (likelihood ratios).
    Logarithm,
    /// Hanley and McNeil's standard error of an area under a curve, for the curve through one
    /// point.
    HanleyMcNeil,
    /// Cohen's first standard error of kappa, which takes the agreement by chance as known.
    Cohen,
    /// Fleiss, Cohen and Everitt's standard error of kappa.
    Fleiss,
    /// For an area: Newcombe's interval with his variance scaled towards DeLong's.
    Blended,
    /// DeLong, DeLong and Clarke-Pearson's standard error of an area.
    DeLong,
    /// The normal one for the logit of the place within the range.
    Logit,
    /// Newcombe's score interval of an area (his method 5).
    Newcombe,
    /// The delta method over the cells, on a scale that suits the range of the index
    /// ([`crate::inference::delta`]).
    Delta,
    /// For the widest gap between two shares: the greatest bounds of all thresholds
    /// ([`crate::inference::gap`]).
    Envelope,
    /// All values that a test does not reject whose standard error is the one at that value.
    Score,
}

impl Method {
    /// Every method by its name.
    pub const ALL: [(&'static str, Self); 18] = [
        ("normal", Self::Normal),
        ("wilson", Self::Wilson),
        ("agresti_coull", Self::AgrestiCoull),
        ("clopper_pearson", Self::ClopperPearson),
        ("jeffreys", Self::Jeffreys),
        ("anytime", Self::Anytime),
        ("logarithm", Self::Logarithm),
        ("hanley_mcneil", Self::HanleyMcNeil),
        ("cohen", Self::Cohen),
        ("fleiss", Self::Fleiss),
        ("blended", Self::Blended),
        ("delong", Self::DeLong),
        ("logit", Self::Logit),
        ("newcombe", Self::Newcombe),
        ("delta", Self::Delta),
        ("envelope", Self::Envelope),
        ("score", Self::Score),
        ("t", Self::T),
    ];
    /// Those for shares, the default first.
    pub(crate) const OF_SHARES: [Self; 6] = [
        Self::Wilson,
        Self::ClopperPearson,
        Self::Jeffreys,
        Self::AgrestiCoull,
        Self::Normal,
        Self::Anytime,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(_, method)| *method == self);
        found.map_or("", |found| found.0)
    }
}

/// Successes and failures of a 2×2 table.
pub type Trials = fn(&BinaryCounts) -> (f64, f64);

/// Rows of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// Rows predicted right.
    Right,
    /// Rows predicted wrong.
    Wrong,
}

impl Rows {
    /// The number of these rows, and of the others.
    pub(crate) fn trials(self, view: &MatrixView) -> (f64, f64) {
        let (right, wrong) = (view.correct.iter().sum(), view.wrong());
        if self == Self::Right { (right, wrong) } else { (wrong, right) }
    }
}

/// How the values of an index scatter from sample to sample.
#[derive(Clone, Copy)]
pub enum Spread {
    /// The value is a share of independent trials: successes, failures.
    Share {
        /// Of one 2×2 table.
        counts: Trials,
        /// Which rows of a matrix.
        matrix: Option<Rows>,
    },
    /// The value, or its logarithm, is all but normal with this standard error.
    Error {
        /// Its name.
        method: Method,
        /// Of one 2×2 table.
        counts: Option<CountForm>,
        /// Of a matrix.
        matrix: Option<MatrixForm>,
    },
    /// The value of a matrix of several classes is the mean of this index over the classes that have
    /// it.
    Mean(&'static str),
    /// The value follows from an index of scores whose influence function is known.
    Scores {
        /// That index.
        base: Base,
        /// The slopes of the value over the base and over the prevalence, at these two.
        slopes: fn(f64, f64) -> [f64; 2],
        /// How intervals are made, the default first.
        methods: &'static [Method],
    },
    /// The value is the widest gap between the two classes over all thresholds.
    Gap,
    /// The bounds of an index of scores have a formula.
    Bounds {
        /// Its name.
        method: Method,
        /// From the parameters and a number of standard errors: the lower and the upper bound, the
        /// standard error, and what speaks against the interval.
        bounds: BoundsOfScores,
    },
}

/// The bounds of an index of scores; see [`Spread::Bounds`].
pub type BoundsOfScores =
    fn(&Ranking, &Parameters, f64) -> Outcome<([f64; 3], Option<&'static str>)>;

/// An index of scores whose influence function is known ([`crate::inference::influence`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The area under the ROC curve.
    RocAuc,
    /// Average precision.
    AveragePrecision,
    /// The area under the risk-coverage curve.
    Aurc,
    /// The area under the generalised risk-coverage curve.
    Augrc,
    /// The Brier score.
    Brier,
    /// The mean logarithmic loss.
    LogLoss,
    /// The mean probability of what came true.
    MeanProbability,
    /// The mean score.
    MeanScore,
    /// The mean score of the positives less that of the negatives.
    MeansApart,
    /// The intercept of recalibration.
    CalibrationIntercept,
    /// The slope of recalibration.
    CalibrationSlope,
    /// The intercept of recalibration for a slope of 1.
    CalibrationShift,
}

/// On which scale the delta method makes an interval, if it makes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delta {
    /// On the scale that suits the row's range: the logit, the logarithm, or the value itself.
    OfRange,
    /// On the scale of the value: the absolute value of a number that scatters evenly around 0.
    Plain,
    /// A mean of what rows cost: on the logit of its place between the least and the greatest cost of
    /// a row, for 2×2 tables.
    Cost,
    /// On the scale of its root: the square of such a number.
    Root,
    /// The same, of a mutual information: with r actual and c predicted classes it is on average too
    /// great by (r - 1) (c - 1) / 2 nats over the number of rows (Miller 1955).
    Information,
    /// There is none.
    None(NoInterval),
}

/// Why a formula over counts or a matrix has no interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoInterval {
    /// It grows with the number of rows.
    Grows,
    /// It is the result of a test.
    Test,
    /// Its slope vanishes, or nearly so, where margins agree, or everywhere.
    Flat,
    /// It takes the greatest or the size of something that is often a tie.
    Tied,
}

impl NoInterval {
    /// The reason as words that follow "has no interval of confidence: ".
    pub fn words(self) -> &'static str {
        match self {
            Self::Grows => {
                "it grows with the number of rows, so there is no true value to estimate"
            }
            Self::Test => "it is the result of a test, not an estimate",
            Self::Tied => {
                "it takes the greater of two numbers that are often nearly equal, where its scatter is not normal"
            }
            Self::Flat => "its slope vanishes, so that its scatter is not normal",
        }
    }
}
