//! How the values of an index scatter from sample to sample: what its row says about intervals.
//!
//! [`crate::inference`] makes the intervals.

use crate::index::form::{CountForm, MatrixForm};
use crate::labels::view::{BinaryCounts, MatrixView};

/// How an interval is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The value plus and minus z standard errors.
    Normal,
    /// All probabilities that a score test does not reject (shares only).
    Wilson,
    /// The normal one with z² trials added, half of them successes (shares only).
    AgrestiCoull,
    /// All probabilities that no exact binomial test rejects (shares only).
    ClopperPearson,
    /// Of a beta distribution with half a success and half a failure added (shares only).
    Jeffreys,
    /// The normal one for the logarithm (likelihood ratios).
    Logarithm,
    /// Hanley and McNeil's standard error of an area under a curve, for the curve through one
    /// point.
    HanleyMcNeil,
    /// Cohen's first standard error of kappa, which takes the agreement by chance as known.
    Cohen,
    /// Fleiss, Cohen and Everitt's standard error of kappa.
    Fleiss,
}

impl Method {
    /// Every method by its name.
    pub const ALL: [(&'static str, Self); 9] = [
        ("normal", Self::Normal),
        ("wilson", Self::Wilson),
        ("agresti_coull", Self::AgrestiCoull),
        ("clopper_pearson", Self::ClopperPearson),
        ("jeffreys", Self::Jeffreys),
        ("logarithm", Self::Logarithm),
        ("hanley_mcneil", Self::HanleyMcNeil),
        ("cohen", Self::Cohen),
        ("fleiss", Self::Fleiss),
    ];
    /// Those for shares, the default first.
    pub(crate) const OF_SHARES: [Self; 5] = [
        Self::Wilson,
        Self::ClopperPearson,
        Self::Jeffreys,
        Self::AgrestiCoull,
        Self::Normal,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        let found = Self::ALL.iter().find(|(_, method)| *method == self);
        found.map_or("", |found| found.0)
    }
}

/// Successes and failures of a statistic.
pub type Trials<Statistic> = fn(&Statistic) -> (f64, f64);

/// How the values of an index scatter from sample to sample.
#[derive(Clone, Copy)]
pub enum Spread {
    /// The value is a share of independent trials: successes, failures.
    Share {
        /// Of one 2×2 table.
        counts: Trials<BinaryCounts>,
        /// Of a matrix.
        matrix: Option<Trials<MatrixView>>,
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
}
