//! Confidence intervals for indices of counts, at any level, on one side or both.
//!
//! A row says how its values scatter from sample to sample ([`Spread`]), in its field `spreads`:
//!
//! - the value is a share of independent trials, which gets every method for shares
//!   ([`crate::inference::proportion`]);
//! - or it has a standard error, on its own axis or on that of its logarithm.
//!
//! The rows of the data are taken to be independent, and sums of weights to be counts.
//!
//! ```
//! use rocksteady::index;
//! use rocksteady::index::spread::Method;
//! use rocksteady::inference::interval::{Ask, Side};
//! use rocksteady::labels::view::BinaryCounts;
//!
//! let counts = BinaryCounts { tp: 79.0, fp: 16.0, fn_: 14.0, tn: 91.0 };
//! let exact = Ask::new(0.95, Some(Method::ClopperPearson), Side::Both)?;
//! let interval = index::find("accuracy")?.interval_of_counts(&counts, &exact)?;
//! assert_eq!(interval.estimate, 0.85);
//! assert!((interval.low - 0.792_841_296_331_449).abs() < 1e-14);
//! assert!((interval.high - 0.896_450_476_478_137).abs() < 1e-14);
//! # Ok::<(), rocksteady::base::error::Refusal>(())
//! ```

use crate::arith::special::normal_quantile;
use crate::base::error::{Refusal, Result};
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::spread::{Method, Spread};
use crate::index::value::{Outcome, Undefined, Value};
use crate::inference::proportion;
use crate::labels::view::{BinaryCounts, MatrixView};

/// Which bounds are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Both, with half of what the level leaves beyond each.
    Both,
    /// The lower only: the upper is the end of the index's range.
    Lower,
    /// The upper only: the lower is the end of the index's range.
    Upper,
}

/// What interval is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ask {
    level: f64,
    method: Option<Method>,
    side: Side,
}

impl Ask {
    /// An interval at a level between 0 and 1, by a method or the row's own.
    ///
    /// # Errors
    /// [`Refusal::Argument`] for a level that is not between 0 and 1.
    pub fn new(level: f64, method: Option<Method>, side: Side) -> Result<Self> {
        if !(level > 0.0 && level < 1.0) {
            let expected = "a number between 0 and 1, neither of them";
            return Err(Refusal::argument("level", level, expected));
        }
        Ok(Self {
            level,
            method,
            side,
        })
    }

    /// What is left beyond one bound.
    fn tail(&self) -> f64 {
        match self.side {
            Side::Both => (1.0 - self.level) / 2.0,
            Side::Lower | Side::Upper => 1.0 - self.level,
        }
    }
}

/// An interval of confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The value.
    pub estimate: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
    /// The standard error of the value; of its logarithm for [`Method::Logarithm`].
    pub standard_error: f64,
    /// How it was made.
    pub method: Method,
    /// Why there is none, if so; then the bounds are NaN.
    pub why: Option<Undefined>,
}

impl Index {
    /// The methods for intervals of this row, its default first; none if there is no interval.
    pub fn methods(&self) -> Vec<Method> {
        let of = |spread: &Spread| match *spread {
            Spread::Share { .. } => Method::OF_SHARES.to_vec(),
            Spread::Error { method, .. } => vec![method],
            Spread::Scores { .. } => Vec::new(), // no interval is made of them yet
        };
        self.spreads.iter().flat_map(of).collect()
    }

    /// The interval of one 2×2 table.
    ///
    /// # Errors
    /// [`Refusal::Index`] for a row without intervals or without this method.
    pub fn interval_of_counts(&self, counts: &BinaryCounts, ask: &Ask) -> Result<Interval> {
        let parameters = Parameters::defaults(self);
        let value = self.of_counts(counts, &parameters)?;
        let (spread, method) = self.spread(ask)?;
        let scatter = match spread {
            Spread::Share { counts: form, .. } => Scatter::of_trials(form(counts)),
            Spread::Error {
                counts: Some(form), ..
            } => Scatter::of_error(form.value(counts, &parameters)),
            Spread::Error {
                matrix: Some(form), ..
            } => Scatter::of_error(form.value(&MatrixView::of_binary(counts), &parameters)),
            Spread::Error { .. } | Spread::Scores { .. } => {
                return Err(self.no_interval(ask.method));
            }
        };
        Ok(self.interval(value, scatter, method, ask))
    }

    /// The interval of a whole matrix.
    ///
    /// # Errors
    /// As [`Index::of_matrix`], and for a row without intervals or without this method.
    pub fn interval_of_matrix(&self, view: &MatrixView, ask: &Ask) -> Result<Interval> {
        let parameters = Parameters::defaults(self);
        let value = self.of_matrix(view, &parameters)?;
        let (spread, method) = self.spread(ask)?;
        let scatter = match spread {
            Spread::Share {
                matrix: Some(form), ..
            } => Scatter::of_trials(form(view)),
            Spread::Error {
                matrix: Some(form), ..
            } => Scatter::of_error(form.value(view, &parameters)),
            _ => return Err(self.no_interval(ask.method)),
        };
        Ok(self.interval(value, scatter, method, ask))
    }

    /// The interval of a matrix: of the class `positive` where there are two classes and the row
    /// has a formula over counts, else of the whole matrix.
    ///
    /// # Errors
    /// As [`Index::interval_of_matrix`].
    pub fn interval_overall(
        &self,
        view: &MatrixView,
        positive: Option<usize>,
        ask: &Ask,
    ) -> Result<Interval> {
        match positive {
            Some(class) if view.classes() == 2 && self.counts.is_some() => {
                self.interval_of_counts(&view.one_vs_rest(class), ask)
            }
            _ => self.interval_of_matrix(view, ask),
        }
    }

    /// The spread that has the method asked for, or the first.
    fn spread(&self, ask: &Ask) -> Result<(Spread, Method)> {
        let known = |wanted: Method| {
            self.spreads.iter().find(|spread| match spread {
                Spread::Share { .. } => Method::OF_SHARES.contains(&wanted),
                Spread::Error { method, .. } => *method == wanted,
                Spread::Scores { methods, .. } => methods.contains(&wanted),
            })
        };
        let found = match ask.method {
            Some(method) => known(method).map(|spread| (*spread, method)),
            None => self.spreads.first().map(|spread| match *spread {
                Spread::Share { .. } => (*spread, Method::OF_SHARES[0]),
                Spread::Error { method, .. } => (*spread, method),
                Spread::Scores { methods, .. } => (*spread, methods[0]),
            }),
        };
        found.ok_or_else(|| self.no_interval(ask.method))
    }

    fn no_interval(&self, wanted: Option<Method>) -> Refusal {
        let names: Vec<&str> = self.methods().into_iter().map(Method::name).collect();
        let problem = match wanted {
            Some(method) if self.methods().contains(&method) => format!(
                "has an interval by the method {:?} for two classes and for each class only, not for a whole matrix",
                method.name()
            ),
            Some(method) if !names.is_empty() => format!(
                "has no interval by the method {:?}; its methods: {}",
                method.name(),
                names.join(", ")
            ),
            _ => "has no interval of confidence here".to_owned(),
        };
        Refusal::Index {
            name: self.name.to_owned(),
            problem,
        }
    }

    fn interval(&self, value: Value, scatter: Scatter, method: Method, ask: &Ask) -> Interval {
        let tail = ask.tail();
        let z = normal_quantile(tail);
        let mut interval = Interval {
            estimate: value.number,
            low: f64::NAN,
            high: f64::NAN,
            standard_error: f64::NAN,
            method,
            why: value.why,
        };
        if value.why.is_some() {
            return interval;
        }
        (interval.low, interval.high, interval.standard_error) = match scatter {
            Scatter::Trials(successes, failures) => (
                proportion::lower(method, successes, failures, tail),
                proportion::upper(method, successes, failures, tail),
                proportion::standard_error(successes, failures),
            ),
            Scatter::Error(error) if method == Method::Logarithm => {
                let factor = (z * error).exp();
                (value.number / factor, value.number * factor, error)
            }
            Scatter::Error(error) => (value.number - z * error, value.number + z * error, error),
            Scatter::None(why) => {
                interval.why = Some(why);
                return interval;
            }
        };
        match ask.side {
            Side::Both => {}
            Side::Lower => interval.high = self.range.1,
            Side::Upper => interval.low = self.range.0,
        }
        interval
    }
}

/// How one value scatters.
#[derive(Clone, Copy)]
enum Scatter {
    Trials(f64, f64),
    Error(f64),
    None(Undefined),
}

impl Scatter {
    fn of_trials((successes, failures): (f64, f64)) -> Self {
        Self::Trials(successes, failures)
    }

    fn of_error(error: Outcome) -> Self {
        error.map_or_else(Self::None, Self::Error)
    }
}
