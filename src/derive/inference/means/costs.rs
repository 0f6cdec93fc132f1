//! Intervals of what the rows cost at one threshold.
//!
//! One row more changes an index by its slopes over the cost and over the costs of the two constant
//! predictions, times what the row costs in each ([`crate::index::form::CostFormula::slopes`]).
//! The variance of the index is that of these changes, whose second moments the table keeps
//! ([`CostTable::second`]). The number of rows is taken as given, so a total cost has the interval
//! of the mean cost, times the rows. Sums of weights count as rows.

use crate::arith::fraction::Fraction;
use crate::base::error::{Refusal, Result};
use crate::costs::cost_table::CostTable;
use crate::index::row::Index;
use crate::index::value::Undefined;
use crate::inference::interval::{Ask, Interval};
use crate::inference::means::mean::Mean;
use crate::inference::scores::error_of_mean;

impl Index {
    /// The interval of an index of costs, if the first `predicted` distinct scores are predicted
    /// positive.
    ///
    /// # Errors
    /// [`Refusal::Index`] for a row that is not about costs, for a method other than "t" and
    /// "normal", and for a table without the squares of its amounts.
    pub fn interval_of_costs(
        &self,
        table: &CostTable,
        predicted: usize,
        ask: &Ask,
    ) -> Result<Interval> {
        let form = self.form_of_costs()?;
        let view = table.view(predicted);
        let mut value = self.of_costs(&view)?;
        let [squares, products] = table.second().ok_or_else(|| Refusal::Index {
            name: self.name.to_owned(),
            problem: "has no interval of confidence here: some of these rows were counted without \
                      the squares of their amounts; CostCounts(..., squares=True) and \
                      CostTable(..., squares=True) keep them"
                .to_owned(),
        })?;
        let sharing = sharing(table, &squares, predicted);
        let sum = |of: &CostTable, outcomes: [usize; 2], predicted: usize| {
            let [a, b] = outcomes.map(|outcome| of.outcome_cost(outcome, predicted));
            a.plus(&b)
        };
        let last = table.table().len();
        let (positive, negative) = ([0, 1], [2, 3]);
        // The sums over the rows of the products of the costs: as predicted, always, never.
        let second = {
            let [as_positive, as_negative] =
                [(&squares, positive), (&squares, negative)].map(|(of, at)| sum(of, at, predicted));
            let [of_positive, of_negative] =
                [positive, negative].map(|at| sum(&products, at, predicted));
            let both = sum(&products, positive, last);
            [
                [
                    as_positive.plus(&as_negative),
                    as_positive.plus(&of_negative),
                    of_positive.plus(&as_negative),
                ],
                [as_positive.plus(&of_negative), sum(&squares, positive, last), both.clone()],
                [of_positive.plus(&as_negative), both, sum(&squares, negative, 0)],
            ]
        };
        let first = [&view.cost, &view.always, &view.never];
        let inverse = view.rows.inverse();
        let rows = view.rows.to_f64();
        let mut squares = 0.0;
        match form.slopes(&view.clone().map(|number: Fraction| number.to_f64())) {
            Ok(found) if found.is_kink => value.why = value.why.or(Some(Undefined::AtKink)),
            Ok(found) => {
                let slopes = &found.slopes[1..];
                for (second, (a, own)) in second.iter().zip(first.iter().zip(slopes)) {
                    for (second, (b, their)) in second.iter().zip(first.iter().zip(slopes)) {
                        let mean =
                            inverse.as_ref().map(|inverse| a.times(b).times(inverse).negated());
                        let about = mean.map_or_else(|| second.clone(), |mean| second.plus(&mean));
                        squares += own * their * about.to_f64();
                    }
                }
            }
            Err(why) => value.why = value.why.or(Some(why)),
        }
        let standard_error = error_of_mean(squares.max(0.0), rows);
        let range = self.range;
        Mean { value, count: rows, standard_error, share: None, range, sharing }
            .interval(self.name, ask)
    }
}

/// The number of rows that make up the scatter of the costs: the rows of each outcome that make up
/// its squares, pooled by the squares of the outcomes.
fn sharing(table: &CostTable, squares: &CostTable, predicted: usize) -> f64 {
    let (mut all, mut each) = (0.0, 0.0);
    for outcome in 0..4 {
        let of = |table: &CostTable| table.outcome_cost(outcome, predicted).to_f64();
        let (sum, square) = (of(table), of(squares));
        if square > 0.0 {
            all += square;
            each += square * square * square / (sum * sum);
        }
    }
    all * all / each
}
