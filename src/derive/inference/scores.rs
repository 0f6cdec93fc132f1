//! Confidence intervals for indices of a score table.
//!
//! The field `spreads` of a row says what its values follow from
//! ([`crate::index::spread::Spread::Scores`]):
//!
//! - an area under the ROC curve has intervals of its own ([`crate::inference::area`]), and so has
//!   the widest gap between the classes ([`crate::inference::gap`]);
//! - any other index has the sum of its squared influences as its variance
//!   ([`crate::inference::influence`]), on its own scale or on one that keeps it within its range.
//!   For means of losses, and indices that follow from them, the sum is multiplied by t / (t - 1),
//!   where t is the number of rows.
//!
//! | method | the bounds of a value v with standard error e |
//! |---|---|
//! | normal | v ± z e, cut to the range |
//! | logit | of the place v in the range, 0 to 1 or less: logit v ± z e / (v (1 - v)) |
//! | logarithm | with d the distance of v from the finite end of the range: d exp(± z e / d) |
//!
//! The standard errors of intercept and slope of recalibration are the sandwich's (HC0), which hold
//! where no line is the truth, too (White 1982, doi:10.2307/1912526). Fisher's, which most logistic
//! regressions print, covered 88 % there.
//!
//! Rows are taken to be independent, and sums of weights to be counts. With sampling weights, sums
//! of squares go over the weights of single rows (the sandwich), and numbers of rows are effective.

use crate::arith::products::Products;
use crate::arith::special::student_t_quantile;
use crate::arith::weight_kind::WeightKind;
use crate::base::error::{Refusal, Result};
use crate::classes::score_tables::ScoreTables;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::spread::{Base, Method, Spread};
use crate::index::value::{Outcome, Undefined, Value};
use crate::inference::area::{Area, logit_bounds};
use crate::inference::gap;
use crate::inference::influence::{Squares, rows_of};
use crate::inference::interval::{Ask, FEW, FEW_TELL, FEW_TELL_NOTE, Interval, telling};
use crate::scores::calibration::probability_sums::{LossMoments, ProbabilitySums};
use crate::scores::ranking::Ranking;
use crate::scores::score_table::{ScoreTable, first_place};

pub(super) const FEW_OF_A_CLASS: &str = "The rarer class has fewer than 20 rows: the interval may cover the true value less often \
                              than its level says.";
const FEW_NEGATIVES: &str = "Much of average precision rests on fewer than 20 negatives, and each stands for many: it is biased \
                             upwards, and the interval covers the true value less often than its level says.";
const FEW_POSITIVES: &str = "There are fewer than 20 positives: average precision is biased upwards, and the interval \
                             covers the true value less often than its level says.";

const ALL_CLASSES: &str = "has no interval for all classes together, since the tables of the classes do not tell which \
                           of their rows are the same";

/// What speaks against intervals of a table that has few rows of a class.
pub(crate) fn note_of_ranking(ranking: &Ranking) -> Option<&'static str> {
    let (positives, negatives) = rows_of(ranking);
    (positives.min(negatives) < FEW).then_some(FEW_OF_A_CLASS)
}

/// What speaks against the interval of an index that so many rows of a table tell the scatter of.
pub(super) fn note_of_base(base: Base, ranking: &Ranking, telling: f64) -> Option<&'static str> {
    let note = if base == Base::AveragePrecision {
        let few_positives = (rows_of(ranking).0 < FEW).then_some(FEW_POSITIVES);
        few_positives.or(rests_on_few_negatives(ranking).then_some(FEW_NEGATIVES))
    } else {
        note_of_ranking(ranking)
    };
    note.or((telling < enough(base)).then_some(FEW_TELL_NOTE))
}

/// Whether a fifth of the average precision of sampling weights comes before 20 effective
/// negatives.
fn rests_on_few_negatives(ranking: &Ranking) -> bool {
    let Some(squares) = ranking.squares() else {
        return false;
    };
    let table = ranking.table();
    let ((up, down), of_squares) = (table.totals(), squares.totals());
    if of_squares.1 / down < 2.0 * (of_squares.0 / up) {
        return false; // a negative stands for no more than a positive does
    }
    let is_enough = |place: usize| {
        let ((_, sum), (_, square)) =
            (table.at_or_above(place + 1), squares.at_or_above(place + 1));
        sum / square * sum >= FEW
    };
    let first = first_place(table.len(), is_enough);
    let (mut before, mut above) = (0.0, (0.0, 0.0));
    for (_, positives, negatives) in table.steps().take(first) {
        above = (above.0 + positives, above.1 + negatives);
        before += positives * (above.0 / (above.0 + above.1));
    }
    let all = ranking.average_precision().unwrap_or(f64::NAN) * table.totals().0;
    before > all / 5.0
}

/// How many rows have to tell the scatter.
fn enough(base: Base) -> f64 {
    match base {
        Base::AveragePrecision | Base::LogLoss => FEW, // they are skewed
        _ => FEW_TELL,
    }
}

/// The number of rows of some tables; with sampling weights, the effective number.
pub(super) fn effective<'a>(tables: impl IntoIterator<Item = &'a Ranking>) -> f64 {
    let both = |(positives, negatives): (f64, f64)| positives + negatives;
    let (mut sum, mut squares) = (0.0, 0.0);
    for table in tables {
        let weight = both(table.finite().totals());
        sum += weight;
        squares += table.squares().map_or(weight, |table| both(table.totals()));
    }
    if sum > 0.0 { sum / squares * sum } else { 0.0 }
}

/// The standard error of a mean, times a slope over it, from the sums of its rows.
pub(super) fn error_of_moments(moments: &LossMoments, mean: f64, weight: f64, slope: f64) -> f64 {
    /// A difference below this share of its terms is a rounding error.
    const NOTHING: f64 = 8.0 * f64::EPSILON;
    let whole = Products::default().plus(moments.squares, 1.0);
    let rest = whole.plus(-2.0 * mean, moments.sum).plus(mean * mean, moments.weight).value();
    let squares = if rest > NOTHING * moments.squares { rest } else { 0.0 };
    let influence = slope / weight;
    error_of_mean(influence * influence * squares, moments.rows(weight))
}

/// The sums of the weights at each score; none of rows without weights, and of sampling weights.
fn weights_of(table: &ScoreTable) -> impl Iterator<Item = f64> {
    let are_counts = table.is_weighted() && table.squares().is_none();
    let steps = are_counts.then(|| table.steps());
    steps.into_iter().flatten().flat_map(|(_, positives, negatives)| [positives, negatives])
}

/// The standard error of a mean over `rows`, from the sum of their squared influences.
pub(super) fn error_of_mean(squares: f64, rows: f64) -> f64 {
    if rows > 1.0 { (squares * (rows / (rows - 1.0))).sqrt() } else { 0.0 }
}

/// Whether certainly many rows tell how an area scatters: none moves it, or Gini's coefficient, by
/// more than one or two over the rows of its class. Saves a pass over the scores.
fn many_tell(ranking: &Ranking, error: f64) -> bool {
    let (positives, negatives) = ranking.totals();
    !ranking.is_weighted() && (error / 2.0 * positives.min(negatives)).powi(2) > FEW_TELL
}

impl Index {
    /// The interval of an index over all thresholds of a score table.
    ///
    /// # Errors
    /// As [`Index::of_scores`]; [`Refusal::Index`] for a row without intervals or without this
    /// method.
    ///
    /// ```
    /// use rocksteady_derive::base::column::Column;
    /// use rocksteady_derive::base::input::{Labels, Scores};
    /// use rocksteady_derive::index::find;
    /// use rocksteady_derive::index::parameter::Parameters;
    /// use rocksteady_derive::index::spread::Method;
    /// use rocksteady_derive::inference::interval::{Ask, Side};
    /// use rocksteady_derive::scores::ranking::Ranking;
    /// use rocksteady_derive::scores::sweep::all_thresholds::score_table;
    /// use rocksteady_derive::scores::sweep::rows::SweepOptions;
    ///
    /// let y_true = Labels::U8(Column::from_slice(&[0, 0, 1, 1]));
    /// let y_score = Scores::F64(Column::from_slice(&[0.1, 0.4, 0.35, 0.8]));
    /// let table = score_table(&y_true, &y_score, None, &SweepOptions::default())?;
    /// let delong = Ask::new(0.95, Some(Method::DeLong), Side::Both)?;
    /// let auc = find("roc_auc")?;
    /// let parameters = Parameters::defaults(auc);
    /// let found = auc.interval_of_scores(&Ranking::from(table), &parameters, &delong)?;
    /// assert_eq!((found.estimate, found.standard_error), (0.75, 0.125_f64.sqrt()));
    /// assert!((found.low - 0.057_048).abs() < 1e-6 && found.high == 1.0);
    /// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
    /// ```
    pub fn interval_of_scores(
        &self,
        ranking: &Ranking,
        parameters: &Parameters,
        ask: &Ask,
    ) -> Result<Interval> {
        let value = self.of_scores(ranking, parameters)?;
        match *self.spreads {
            [Spread::Gap] => {
                let bounds =
                    || Ok((gap::bounds(ranking, value.number, ask.tail()), Some(gap::WIDE)));
                let found = self.around(value, self.method(ask)?, ask, bounds);
                return Ok(found.of_weights(weights_of(ranking)));
            }
            [Spread::Bounds { .. }] if ask.is_by_class() => {
                return Err(Refusal::Index {
                    name: self.name.to_owned(),
                    problem: "has no interval of classes that were sampled each by itself"
                        .to_owned(),
                });
            }
            [Spread::Bounds { bounds, .. }] => {
                let bounds = || bounds(ranking, parameters, ask.z());
                let found = self.around(value, self.method(ask)?, ask, bounds);
                return Ok(found.of_weights(weights_of(ranking)));
            }
            _ => {}
        }
        let influence = self.influence().ok_or_else(|| self.only_drawn())?;
        let (method, z) = (self.method(ask)?, ask.z());
        let (rows, base) = (effective([ranking]), influence.base());
        let found = self.around(value, method, ask, || {
            let of_area = (base == Base::RocAuc).then(|| self.of_area(ranking, method, z));
            let of_area = of_area.transpose()?;
            if let Some(bounds) = of_area
                && many_tell(ranking, bounds[2])
            {
                return Ok((bounds, note_of_base(base, ranking, f64::INFINITY)));
            }
            let [squares, telling] = influence.scatter(ranking, ask.is_by_class());
            // Satterthwaite's degrees of freedom of a variance that so few rows tell.
            let freedom = (method == Method::T).then_some(2.0 * telling);
            let z = freedom.map_or(z, |freedom| student_t_quantile(ask.tail(), freedom));
            let bounds = match base {
                Base::RocAuc => of_area.ok_or(Undefined::OneActualClass),
                Base::AveragePrecision
                | Base::CalibrationIntercept
                | Base::CalibrationSlope
                | Base::CalibrationShift => self.of_error(value.number, squares.sqrt(), method, z),
                _ if ask.is_by_class() => self.of_error(value.number, squares.sqrt(), method, z),
                _ => self.of_error(value.number, error_of_mean(squares, rows), method, z),
            };
            Ok((bounds?, note_of_base(base, ranking, telling)))
        });
        Ok(found.of_weights(weights_of(ranking)))
    }

    /// The interval of a mean loss, or of its root, from the sums of the squared losses.
    ///
    /// # Errors
    /// As [`Index::of_probabilities`]; [`Refusal::Index`] for a row without intervals or without
    /// this method, and for sums that do not keep the squares.
    pub fn interval_of_probabilities(&self, sums: &ProbabilitySums, ask: &Ask) -> Result<Interval> {
        let value = self.of_probabilities(sums, &Parameters::defaults(self))?;
        let influence = self.influence().ok_or_else(|| self.only_drawn())?;
        let (method, z) = (self.method(ask)?, ask.z());
        let moments = match influence.base() {
            Base::Brier => sums.moments(|losses| &losses.brier),
            _ => sums.moments(|losses| &losses.log_loss),
        };
        let moments = moments.ok_or_else(|| Refusal::Index {
            name: self.name.to_owned(),
            problem: "has no interval of confidence here: some of these rows were summed without \
                      the squares of their losses; ProbabilitySums(..., squares=True) keeps them"
                .to_owned(),
        })?;
        let weight = sums.weight();
        let mean = match influence.base() {
            Base::Brier => sums.brier() / weight,
            _ => sums.log_loss() / weight,
        };
        let found = self.around(value, method, ask, || {
            let error = error_of_moments(&moments, mean, weight, influence.slope_over(mean));
            Ok((self.of_error(value.number, error, method, z)?, None))
        });
        let are_counts = sums.weight_kind() == WeightKind::Counts;
        let telling = (mean * weight).powi(2) / moments.squares; // of the sum: fourth powers are not kept
        Ok(found.of_telling(telling).of_weights(are_counts.then_some(weight).into_iter()))
    }

    /// The interval of an index of several classes: a mean over the rows, each read at its own
    /// class.
    ///
    /// # Errors
    /// As [`Index::of_score_tables`]; [`Refusal::Index`] for any other index, since tables do not
    /// tell which rows of two columns are the same, and for a method that the row does not have.
    pub fn interval_of_score_tables(&self, tables: &ScoreTables, ask: &Ask) -> Result<Interval> {
        let value = self.of_score_tables(tables, &Parameters::defaults(self))?;
        let base = self.influence().map(|influence| influence.base());
        let Some(base @ (Base::LogLoss | Base::MeanProbability)) = base else {
            return Err(Refusal::Index {
                name: self.name.to_owned(),
                problem: format!("{ALL_CLASSES}; every_interval has one for each class"),
            });
        };
        let (method, z) = (self.method(ask)?, ask.z());
        let rows = effective((0..tables.classes()).map(|class| tables.cell(class, class)));
        let weight = tables.total();
        let found = self.around(value, method, ask, || {
            let (mut squares, mut fourths) = (0.0, 0.0);
            for class in 0..tables.classes() {
                let own = tables.cell(class, class);
                let (share, mut sums) = (own.totals().0 / weight, Squares::of(own));
                base.each(own, value.number, |at| sums.add(&at, share));
                fourths += sums.fourths;
                squares += sums.sum();
            }
            let error = error_of_mean(squares, rows);
            let is_few = telling(squares, fourths) < enough(base);
            Ok((self.of_error(value.number, error, method, z)?, is_few.then_some(FEW_TELL_NOTE)))
        });
        let own = (0..tables.classes()).flat_map(|class| weights_of(tables.cell(class, class)));
        Ok(found.of_weights(own))
    }

    /// The interval around a value, or why there is none.
    pub(super) fn around(
        &self,
        value: Value,
        method: Method,
        ask: &Ask,
        bounds: impl FnOnce() -> Outcome<([f64; 3], Option<&'static str>)>,
    ) -> Interval {
        let found = value.why.map_or_else(bounds, Err);
        let ([low, high, standard_error], note) = found.unwrap_or(([f64::NAN; 3], None));
        let (low, high) = match found {
            Ok(_) => ask.bounds(low, high, self.range),
            Err(_) => (low, high),
        };
        Interval {
            estimate: value.number,
            low,
            high,
            standard_error,
            method,
            why: found.err(),
            note,
        }
    }

    /// The greatest value with two classes, where more classes allow a greater one.
    fn most_of_two_classes(&self) -> f64 {
        match self.influence().map(|influence| influence.base()) {
            Some(Base::Brier) => 1.0,
            _ => f64::INFINITY,
        }
    }

    /// The bounds of an index that is a straight line over the area.
    fn of_area(&self, ranking: &Ranking, method: Method, z: f64) -> Outcome<[f64; 3]> {
        let area = Area::of(ranking).ok_or(Undefined::OneActualClass)?;
        let [low, high, error] = area.bounds(method, z)?;
        let (least, greatest) = self.range;
        let along = |t: f64| least + (greatest - least) * t;
        Ok([along(low), along(high), (greatest - least) * error])
    }

    /// The bounds of a value with a standard error.
    pub(super) fn of_error(
        &self,
        value: f64,
        error: f64,
        method: Method,
        z: f64,
    ) -> Outcome<[f64; 3]> {
        // A Brier score of two classes is at most 1.
        let (least, greatest) = (self.range.0, self.range.1.min(self.most_of_two_classes()));
        // The distance up from 0, or down from the greatest value.
        let (end, sign) = if least.is_finite() { (least, 1.0) } else { (greatest, -1.0) };
        let distance = (value - end).abs();
        // Where all rows count alike, the error is a rounding error.
        let size = if distance.is_finite() { distance.max(value.abs()) } else { value.abs() };
        let rounding = 8.0 * f64::EPSILON * size;
        if error.is_nan() || error <= rounding || value <= least || value >= greatest {
            return Err(Undefined::NoSpread);
        }
        Ok(match method {
            Method::Logit => {
                let width = greatest - least;
                let bounds = logit_bounds((value - least) / width, z * error / width);
                [least + width * bounds[0], least + width * bounds[1], error]
            }
            Method::Logarithm => {
                let share = error / distance;
                let far = |z: f64| end + sign * distance * (sign * z * share).exp();
                [far(-z).min(greatest), far(z).min(greatest), error]
            }
            _ => [
                (value - z * error).max(least).min(greatest),
                (value + z * error).min(greatest).max(least),
                error,
            ],
        })
    }

    /// The refusal of an index of scores that only the bootstrap gives intervals for.
    pub(super) fn only_drawn(&self) -> Refusal {
        Refusal::Index {
            name: self.name.to_owned(),
            problem: format!(
                "has no interval of confidence by a formula; ScoreTable.bootstrap({:?}) draws one",
                self.name
            ),
        }
    }
}
