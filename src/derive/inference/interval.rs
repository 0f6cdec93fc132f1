//! Confidence intervals for indices of counts, at any level, two-sided or one-sided.
//!
//! The field `spreads` of a row says how its values scatter from sample to sample ([`Spread`]):
//!
//! - the value is a share of independent trials, and has every method for shares
//!   ([`crate::inference::proportion`]);
//! - or the value, or its logarithm, has a standard error.
//!
//! Every other smooth formula of counts has the interval of the delta method
//! ([`crate::inference::delta`]).
//!
//! Rows of the data are taken to be independent, and sums of weights to be counts of rows;
//! [`crate::inference::effective`] handles sampling weights.
//!
//! ```
//! use rocksteady_derive::index;
//! use rocksteady_derive::index::parameter::Parameters;
//! use rocksteady_derive::index::spread::Method;
//! use rocksteady_derive::inference::interval::{Ask, Side};
//! use rocksteady_derive::labels::view::BinaryCounts;
//!
//! let counts = BinaryCounts { tp: 79.0, fp: 16.0, fn_: 14.0, tn: 91.0 };
//! let exact = Ask::new(0.95, Some(Method::ClopperPearson), Side::Both)?;
//! let accuracy = index::find("accuracy")?;
//! let interval = accuracy.interval_of_counts(&counts, &Parameters::defaults(accuracy), &exact)?;
//! assert_eq!(interval.estimate, 0.85);
//! assert!((interval.low - 0.792_841_296_331_449).abs() < 1e-14);
//! assert!((interval.high - 0.896_450_476_478_137).abs() < 1e-14);
//! # Ok::<(), rocksteady_derive::base::error::Refusal>(())
//! ```

use std::slice::from_ref;

use crate::arith::number::is_whole;
use crate::arith::special::{normal_quantile, student_t_quantile};
use crate::base::error::{Refusal, Result};
use crate::base::memory::Gather;
use crate::index::average::How;
use crate::index::parameter::Parameters;
use crate::index::registry::find;
use crate::index::row::Index;
use crate::index::spread::{Method, Spread};
use crate::index::value::{Outcome, Undefined, Value};
use crate::inference::proportion;
use crate::labels::view::{BinaryCounts, MatrixView};

/// The number of shares whose bounds are computed together.
const AT_A_TIME: usize = 256;

/// The rows added to each cell of a 2×2 table with an empty cell.
pub(super) const ADDED: f64 = 0.5;

/// With fewer rows of a class, intervals by a standard error hold their level only on average.
pub(super) const FEW: f64 = 20.0;
/// With fewer rows that tell how a value scatters, its interval holds its level only on average.
pub(crate) const FEW_TELL: f64 = 5.0;
pub(crate) const FEW_TELL_NOTE: &str = "Few rows tell how far the value scatters: intervals may cover the true value, and tests reject, \
                             less or more often than their level says.";
const FEW_OF_A_CLASS: &str = "A class has fewer than 20 rows or predictions: the interval may cover the true value less \
                              often than its level says.";
pub(crate) const NOT_WHOLE: &str = "Weights that are not whole count as rows here. If they are inverse probabilities or importances, \
                         pass weight_kind=\"sampling\" where the rows are counted.";

/// Which bounds are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Both bounds, with half of the error beyond each.
    Both,
    /// The lower bound; the upper bound is the end of the index's range.
    Lower,
    /// The upper bound; the lower bound is the end of the index's range.
    Upper,
}

/// The options of an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ask {
    method: Option<Method>,
    side: Side,
    /// The probability beyond one bound.
    tail: f64,
    /// The standard errors between the estimate and a bound.
    z: f64,
    /// Whether each class was sampled by itself, so that its number of rows is not random.
    is_by_class: bool,
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
        let tail = match side {
            Side::Both => (1.0 - level) / 2.0,
            Side::Lower | Side::Upper => 1.0 - level,
        };
        Ok(Self { method, side, tail, z: normal_quantile(tail), is_by_class: false })
    }

    /// The same interval of classes that were sampled each by itself, or not.
    #[must_use]
    pub fn by_class(self, is_by_class: bool) -> Self {
        Self { is_by_class, ..self }
    }

    /// Whether each class was sampled by itself.
    pub fn is_by_class(&self) -> bool {
        self.is_by_class
    }

    pub(crate) fn method(&self) -> Option<Method> {
        self.method
    }

    pub(crate) fn z(&self) -> f64 {
        self.z
    }

    pub(crate) fn tail(&self) -> f64 {
        self.tail
    }

    /// The bounds of a mean with this standard error, within the range of its index: by Student's t
    /// distribution with `freedom` degrees of freedom, or by the normal distribution without.
    pub fn bounds_of_mean(
        &self,
        mean: f64,
        error: f64,
        freedom: Option<f64>,
        range: (f64, f64),
    ) -> (f64, f64) {
        let times = freedom.map_or(self.z, |freedom| student_t_quantile(self.tail, freedom));
        let within = |bound: f64| bound.clamp(range.0, range.1);
        let (low, high) = (within(mean - times * error), within(mean + times * error));
        self.bounds(low, high, range)
    }

    /// The same with both bounds, by the default method.
    pub(super) fn of_parts(&self) -> Self {
        Self { method: None, side: Side::Both, ..*self }
    }

    /// The requested bounds; a bound that is not requested is the end of the range.
    pub(crate) fn bounds(&self, low: f64, high: f64, range: (f64, f64)) -> (f64, f64) {
        match self.side {
            Side::Both => (low, high),
            Side::Lower => (low, range.1),
            Side::Upper => (range.0, high),
        }
    }
}

/// A confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The value.
    pub estimate: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
    /// The standard error of the value.
    pub standard_error: f64,
    /// The method.
    pub method: Method,
    /// Why there are no bounds; they are NaN then.
    pub why: Option<Undefined>,
    /// A reason to doubt the interval, if there is one.
    pub note: Option<&'static str>,
}

impl Interval {
    /// The value without bounds, as it does not scatter.
    pub(super) fn without_spread(self) -> Self {
        let [low, high, standard_error] = [f64::NAN; 3];
        let why = if self.estimate.is_nan() { self.why } else { Some(Undefined::NoSpread) };
        Self { low, high, standard_error, why, note: None, ..self }
    }

    /// The same with a note if a class has few rows or predictions.
    pub(super) fn of_margins(self, mut margins: impl Iterator<Item = f64>) -> Self {
        let is_few = self.why.is_none() && margins.any(|margin| margin < FEW);
        Self { note: is_few.then_some(FEW_OF_A_CLASS).or(self.note), ..self }
    }

    /// The same with a note if few rows tell how the value scatters ([`telling`]).
    pub(super) fn of_telling(self, rows: f64) -> Self {
        let is_few = self.why.is_none() && rows < FEW_TELL;
        Self { note: self.note.or(is_few.then_some(FEW_TELL_NOTE)), ..self }
    }

    /// The same with a note if weights that count as rows are not whole; it goes before any other.
    #[must_use]
    pub fn of_weights(self, mut weights: impl Iterator<Item = f64>) -> Self {
        let is_doubtful = self.why.is_none() && !weights.all(is_whole);
        Self { note: if is_doubtful { Some(NOT_WHOLE) } else { self.note }, ..self }
    }
}

impl Index {
    /// The methods for intervals of this row, the default first; empty if there is no interval. The
    /// methods for shares and for logarithms are better than the delta method.
    pub fn methods(&self) -> Vec<Method> {
        let mut all: Vec<Method> = self.spreads.iter().flat_map(methods_of).copied().collect();
        if self.has_delta() {
            let is_better = |method: &Method| matches!(method, Method::Wilson | Method::Logarithm);
            let place = if all.first().is_some_and(is_better) { all.len() } else { 0 };
            all.insert(place, Method::Delta);
        }
        all
    }

    /// The method for 2×2 tables.
    ///
    /// # Errors
    /// [`Refusal::Index`] for a row without intervals or without this method.
    pub fn method(&self, ask: &Ask) -> Result<Method> {
        Ok(self.way(ask, |_| true)?.1)
    }

    /// The interval of one 2×2 table.
    ///
    /// # Errors
    /// As [`Index::of_counts`]; [`Refusal::Index`] for a row without intervals or without this
    /// method.
    pub fn interval_of_counts(
        &self,
        counts: &BinaryCounts,
        parameters: &Parameters,
        ask: &Ask,
    ) -> Result<Interval> {
        let value = self.of_counts(counts, parameters)?;
        let way = self.way(ask, |_| true)?;
        self.interval_by(way, counts, parameters, value, ask)
    }

    /// The intervals of many 2×2 tables, handed to `put` in their order.
    ///
    /// # Errors
    /// As [`Index::interval_of_counts`].
    pub fn intervals_of_counts(
        &self,
        tables: &[BinaryCounts],
        parameters: &Parameters,
        ask: &Ask,
        mut put: impl FnMut(Interval),
    ) -> Result<()> {
        let way = self.way(ask, |_| true)?;
        let (Some(Spread::Share { counts: form, .. }), method) = way else {
            for counts in tables {
                let value = self.of_counts(counts, parameters)?;
                put(self.interval_by(way, counts, parameters, value, ask)?);
            }
            return Ok(());
        };
        let is_beta = matches!(method, Method::ClopperPearson | Method::Jeffreys) && ask.z > 0.0;
        let mut bounds = [(f64::NAN, f64::NAN); AT_A_TIME];
        for tables in tables.chunks(AT_A_TIME) {
            if is_beta {
                let trials: Vec<_> = tables.iter().map(form).gather();
                proportion::beta_bounds(method, &trials, ask.z, ask.tail, &mut bounds);
            }
            for (counts, &(low, high)) in tables.iter().zip(&bounds) {
                let trials = form(counts);
                let value = match share(trials) {
                    Some(value) => value,
                    None => self.of_counts(counts, parameters)?,
                };
                let scatter = if is_beta {
                    Scatter::Bounds([low, high], trials)
                } else {
                    Scatter::of_trials(trials)
                };
                put(self.interval(value, scatter, method, ask));
            }
        }
        Ok(())
    }

    fn interval_by(
        &self,
        (spread, method): Way,
        counts: &BinaryCounts,
        parameters: &Parameters,
        value: Value,
        ask: &Ask,
    ) -> Result<Interval> {
        let scatter = match spread {
            None => {
                let mut found = self.delta_of_counts(counts, parameters, value, ask)?;
                let excess = self.excess(1.0, counts.total(), parameters);
                found.low = less_excess(found.low, value.number, excess);
                return Ok(found.of_margins(margins(counts)));
            }
            Some(Spread::Share { counts: form, .. }) => Scatter::of_trials(form(counts)),
            Some(Spread::Error { counts: Some(form), .. }) if method == Method::Logarithm => {
                let rows = with_none_empty(counts);
                let middle =
                    if rows == *counts { value } else { self.of_counts(&rows, parameters)? };
                let error = form.value(&rows, parameters);
                error.map_or_else(Scatter::None, |error| Scatter::Logarithm(middle.number, error))
            }
            Some(Spread::Error { counts: Some(form), .. }) => {
                Scatter::of_error(form.value(counts, parameters))
            }
            Some(Spread::Error { matrix: Some(form), .. }) => {
                Scatter::of_error(form.value(&MatrixView::from_binary(counts), parameters))
            }
            Some(
                Spread::Error { .. }
                | Spread::Scores { .. }
                | Spread::Bounds { .. }
                | Spread::Mean(_)
                | Spread::Gap,
            ) => {
                return Err(self.no_interval_by(ask.method));
            }
        };
        let found = self.interval(value, scatter, method, ask);
        if matches!(scatter, Scatter::Trials(..)) {
            return Ok(found);
        }
        let rows = self.telling_of_counts(counts, parameters)?;
        Ok(found.of_telling(rows).of_margins(margins(counts)))
    }

    /// The interval of a whole matrix.
    ///
    /// # Errors
    /// As [`Index::of_matrix`], and for a row without intervals or without this method.
    pub fn interval_of_matrix(
        &self,
        view: &MatrixView,
        parameters: &Parameters,
        ask: &Ask,
    ) -> Result<Interval> {
        let value = self.of_matrix(view, parameters)?;
        let has_matrix = |spread: &Spread| match spread {
            Spread::Share { matrix, .. } => matrix.is_some(),
            Spread::Error { matrix, .. } => matrix.is_some(),
            Spread::Scores { .. } | Spread::Bounds { .. } | Spread::Mean(_) | Spread::Gap => false,
        };
        let (spread, method) = self.way(ask, has_matrix)?;
        let scatter = match spread {
            None => {
                if let Some(of) = self.mean_of(view) {
                    return of.interval_of_average(
                        view,
                        How::Macro,
                        f64::NAN,
                        &Parameters::defaults(of),
                        ask,
                    );
                }
                let mut found = self.delta_of_view(view, value, ask, |view| {
                    self.slopes_of_matrix(view, parameters)
                })?;
                let classes = |margin: &[f64]| margin.iter().filter(|&&rows| rows > 0.0).count();
                let [actual, predicted] = [&view.actual, &view.predicted].map(|each| classes(each));
                let free = actual.saturating_sub(1) * predicted.saturating_sub(1);
                let excess = self.excess(free as f64, view.total, parameters);
                found.low = less_excess(found.low, value.number, excess);
                return Ok(found);
            }
            Some(Spread::Share { matrix: Some(rows), .. }) => Scatter::of_trials(rows.trials(view)),
            Some(Spread::Error { matrix: Some(form), .. }) => {
                Scatter::of_error(form.value(view, parameters))
            }
            Some(_) => return Err(self.no_interval_by(ask.method)),
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
        parameters: &Parameters,
        ask: &Ask,
    ) -> Result<Interval> {
        match positive {
            Some(class)
                if view.classes() == 2
                    && self.counts.is_some()
                    && parameters.matrix().is_none() =>
            {
                self.interval_of_counts(&view.one_vs_rest(class), parameters, ask)
            }
            _ => self.interval_of_matrix(view, parameters, ask),
        }
    }

    /// The interval of one class: of the row's own form for classes, else of the class against the
    /// rest.
    ///
    /// # Errors
    /// As [`Index::of_class`], and for a row without intervals or without this method.
    pub fn interval_of_class(
        &self,
        view: &MatrixView,
        class: usize,
        parameters: &Parameters,
        ask: &Ask,
    ) -> Result<Interval> {
        let value = self.of_class(view, class, parameters)?;
        if self.class.is_none() {
            return self.interval_of_counts(&view.one_vs_rest(class), parameters, ask);
        }
        self.check_delta(ask)?;
        self.delta_of_view(view, value, ask, |view| self.slopes_of_class(view, class, parameters))
    }

    /// The row whose mean over the classes this one is, where there are more than two.
    pub(super) fn mean_of(&self, view: &MatrixView) -> Option<&'static Index> {
        let of = |spread: &Spread| match spread {
            Spread::Mean(name) => find(name).ok(),
            _ => None,
        };
        self.spreads.iter().find_map(of).filter(|_| view.classes() > 2)
    }

    /// Refuses a method other than the delta method, and a row that does not have it.
    pub(crate) fn check_delta(&self, ask: &Ask) -> Result<()> {
        if self.has_delta() && ask.method.is_none_or(|method| method == Method::Delta) {
            return Ok(());
        }
        let problem = match ask.method {
            Some(method) if self.has_delta() => {
                format!("has no interval by the method {:?} here, only by \"delta\"", method.name())
            }
            _ => return Err(self.no_interval_by(ask.method)),
        };
        Err(Refusal::Index { name: self.name.to_owned(), problem })
    }

    /// The spread that has the requested method, or the first one that fits; `None` for the delta
    /// method.
    pub(crate) fn way(&self, ask: &Ask, fits: impl Fn(&Spread) -> bool) -> Result<Way> {
        let by = |wanted: Method| -> Option<Way> {
            if wanted == Method::Delta {
                return self.has_delta().then_some((None, wanted));
            }
            let mut spreads = self.spreads.iter();
            let found = spreads.find(|spread| methods_of(spread).contains(&wanted));
            let found = found.filter(|spread| fits(spread));
            found.map(|spread| (Some(*spread), wanted))
        };
        let found = match ask.method {
            Some(method) => by(method),
            None => self.methods().into_iter().find_map(by),
        };
        found.ok_or_else(|| self.no_interval_by(ask.method))
    }

    fn no_interval_by(&self, wanted: Option<Method>) -> Refusal {
        let methods = self.methods();
        let names: Vec<&str> = methods.iter().copied().map(Method::name).collect();
        let problem = match (wanted, self.no_interval()) {
            (_, Some(why)) => format!("has no interval of confidence: {}", why.words()),
            (Some(method), None) if methods.contains(&method) => format!(
                "has an interval by the method {:?} for two classes and for each class only, not for a whole matrix",
                method.name()
            ),
            (Some(method), None) if !names.is_empty() => format!(
                "has no interval by the method {:?}; its methods: {}",
                method.name(),
                names.join(", ")
            ),
            _ => "has no interval of confidence here".to_owned(),
        };
        Refusal::Index { name: self.name.to_owned(), problem }
    }

    #[inline]
    fn interval(&self, value: Value, scatter: Scatter, method: Method, ask: &Ask) -> Interval {
        let mut interval = Interval {
            estimate: value.number,
            low: f64::NAN,
            high: f64::NAN,
            standard_error: f64::NAN,
            method,
            why: value.why,
            note: None,
        };
        if value.why.is_some() {
            return interval;
        }
        // An error of 0 is known up to rounding.
        let rounding = 8.0 * f64::EPSILON * value.number.abs();
        let (low, high);
        (low, high, interval.standard_error) = match scatter {
            Scatter::Trials(successes, failures) => {
                let (low, high) = proportion::bounds(method, successes, failures, ask.z, ask.tail);
                (low, high, proportion::standard_error(successes, failures))
            }
            Scatter::Bounds([low, high], (successes, failures)) => {
                (low, high, proportion::standard_error(successes, failures))
            }
            Scatter::Error(error) if error <= rounding => {
                interval.why = Some(Undefined::NoError);
                return interval;
            }
            Scatter::Logarithm(middle, error) => {
                let factor = (ask.z * error).exp();
                let (low, high) = (middle / factor, middle * factor);
                (low.min(value.number), high.max(value.number), middle * error)
            }
            Scatter::Error(error) => {
                let (low, high) = (value.number - ask.z * error, value.number + ask.z * error);
                let (least, greatest) = self.range;
                // A bound may be NaN, as the bound of an infinite error can be; it becomes the end
                // of the range.
                let (low, high) = (low.max(least), high.min(greatest));
                (low.min(greatest), high.max(least), error)
            }
            Scatter::None(why) => {
                interval.why = Some(why);
                return interval;
            }
        };
        if low == high && ask.z != 0.0 {
            interval.why = Some(Undefined::NoError);
            return interval;
        }
        (interval.low, interval.high) = ask.bounds(low, high, self.range);
        let (Scatter::Trials(successes, failures) | Scatter::Bounds(_, (successes, failures))) =
            scatter
        else {
            return interval;
        };
        // These cover whatever the number of trials.
        if matches!(method, Method::ClopperPearson | Method::Anytime) {
            return interval;
        }
        let rows = successes + failures;
        let (p, q) = (successes / rows, failures / rows);
        interval.of_telling(rows * p * q / (p * p * p + q * q * q)).of_margins([rows].into_iter())
    }
}

fn methods_of(spread: &Spread) -> &[Method] {
    match spread {
        Spread::Share { .. } => &Method::OF_SHARES,
        Spread::Error { method, .. } | Spread::Bounds { method, .. } => from_ref(method),
        Spread::Scores { methods, .. } => methods,
        Spread::Gap => &[Method::Envelope],
        Spread::Mean(_) => &[],
    }
}

/// The number of rows that tell how a value scatters: as many as would share their scatter, if it
/// were made up of equal parts. From the sums of the squares of the influences of the rows, and of
/// their fourth powers.
///
/// A share of n trials with few successes has about as many as successes. Below [`FEW_TELL`],
/// intervals at 95 % of counts and of scores cover 80 to 100 % in simulations of nearly separate
/// classes.
pub(crate) fn telling(squares: f64, fourths: f64) -> f64 {
    (squares / fourths * squares).max(0.0) // 0 of no scatter
}

/// The lower bound on the scale of the root, around a value less its excess.
pub(crate) fn less_excess(low: f64, value: f64, excess: f64) -> f64 {
    if excess == 0.0 || low.is_nan() {
        return low;
    }
    let less = value.sqrt() - (value - excess).max(0.0).sqrt();
    (low.sqrt() - less).max(0.0).powi(2)
}

/// The table with half a row more in every cell, if one cell is empty.
pub(super) fn with_none_empty(counts: &BinaryCounts) -> BinaryCounts {
    let BinaryCounts { tp, fp, fn_, tn } = *counts;
    if [tp, fp, fn_, tn].contains(&0.0) { counts.map(|mass| mass + ADDED) } else { *counts }
}

/// The rows and the predictions of both classes.
fn margins(counts: &BinaryCounts) -> impl Iterator<Item = f64> {
    let BinaryCounts { tp, fp, fn_, tn } = *counts;
    [tp + fn_, fp + tn, tp + fp, fn_ + tn].into_iter()
}

/// A share of whole numbers, which one division rounds once; `None` for fractions, or without
/// trials.
#[inline]
fn share((successes, failures): (f64, f64)) -> Option<Value> {
    let trials = successes + failures;
    let is_plain = is_whole(successes) && is_whole(failures) && trials > 0.0;
    is_plain.then_some(Value { number: successes / trials, why: None })
}

/// The way an interval is made: by a spread that the row names, or by the delta method.
pub(crate) type Way = (Option<Spread>, Method);

/// The scatter of one value.
#[derive(Clone, Copy)]
enum Scatter {
    Trials(f64, f64),
    /// Known bounds of trials.
    Bounds([f64; 2], (f64, f64)),
    Error(f64),
    /// A value, half a row added where a cell is empty, and the standard error of its logarithm.
    Logarithm(f64, f64),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Labels, Scores};
    use crate::scores::ranking::Ranking;
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::scores::sweep::rows::SweepOptions;

    #[test]
    fn a_lone_bound_at_a_level_below_a_half_stays_within_the_range() {
        let ask = |method, side| Ask::new(0.1, Some(method), side).unwrap();
        let kappa = find("kappa").unwrap();
        let table = BinaryCounts { tp: 3.0, fp: 1.0, fn_: 0.0, tn: 1.0 };
        let ask_kappa = ask(Method::Fleiss, Side::Lower);
        let found = kappa.interval_of_counts(&table, &Parameters::defaults(kappa), &ask_kappa);
        assert_eq!(found.unwrap().low, 1.0);
        let labels = Labels::U8(Column::from_slice(&[1, 0, 1, 0]));
        let scores = Scores::F64(Column::from_slice(&[0.0, 1.0, 0.5, 0.9]));
        let table = score_table(&labels, &scores, None, &SweepOptions::default()).unwrap();
        let ranking = Ranking::from(table);
        let error = find("root_mean_squared_error").unwrap();
        for method in [Method::Logarithm, Method::Normal] {
            let (given, ask) = (Parameters::defaults(error), ask(method, Side::Lower));
            let found = error.interval_of_scores(&ranking, &given, &ask);
            assert_eq!(found.unwrap().low, 1.0, "{method:?}");
        }
    }
}
