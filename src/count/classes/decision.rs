//! Predicts the class of least risk for each row, from the probabilities of its classes and the
//! costs of errors.
//!
//! The risk of class j for a row is the expected cost of predicting it, `sum_i P(i) C[i,j]`. The
//! rows of the matrix of costs are actual classes, its columns predicted ones. The first class of
//! least risk is the prediction. If even the least risk is above the cost of rejecting a row, the
//! row is rejected.
//!
//! 1. A chunk of rows is lowered row after row ([`crate::base::matrix`]).
//! 2. Sixteen rows at a time are transposed, so that their probabilities of one class lie side by
//!    side.
//! 3. Vectors compute the risks, the least of them and its place, without branches. A risk is
//!    summed in the order of the classes, so a row's result depends on that row only.
//!
//! One column means two classes: it has the probability of the second.
//!
//! Cost at 1e6 rows of K classes: K² multiplications a row, and one read of the input. Source:
//! Elkan 2001, The foundations of cost-sensitive learning, IJCAI, pp. 973-978; rejection: Chow
//! 1970, doi:10.1109/TIT.1970.1054406.
//!
//! Tried and rejected:
//! - Row by row: five times slower, since the branch on the least risk is mispredicted.
// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]

use crate::base::cost_matrix::CostMatrix;
use crate::base::error::{Refusal, Result};
use crate::base::input::ScoreMatrix;
use crate::base::matrix;
use crate::base::memory::{Gather, Room, joined};
use crate::base::threads::over_parts;
use crate::base::wide::wide;
use crate::scores::calibration::losses::not_a_probability;

/// The decision for a rejected row.
pub const REJECTED: i64 = -1;

/// The class of least risk for each row, or [`REJECTED`] if its risk is above `reject_cost`.
///
/// `y_proba` has a column for each class, in the order of the costs, or one for the second of two
/// classes. Rows need not sum to one: scaling a row keeps its class of least risk, but scales the
/// risk that is compared with `reject_cost`.
///
/// # Errors
/// [`Refusal::Argument`] for a matrix of costs with a wrong number of classes and for a NaN cost of
/// rejection; [`Refusal::Row`] for a probability outside [0, 1].
///
/// ```
/// use rocksteady_count::base::cost_matrix::CostMatrix;
/// use rocksteady_count::base::input::ScoreMatrix;
/// use rocksteady_count::classes::decision::bayes_decisions;
/// use rocksteady_count::base::matrix::Matrix;
///
/// // To miss the second class costs ten times a false alarm.
/// let costs = CostMatrix::new(2, vec![0.0, 1.0, 10.0, 0.0])?;
/// let y_proba = ScoreMatrix::F64(Matrix::from_slice(&[0.95, 0.05, 0.85, 0.15], 2));
/// assert_eq!(bayes_decisions(&y_proba, &costs, None)?, [0, 1]);
/// assert_eq!(bayes_decisions(&y_proba, &costs, Some(0.6))?, [0, -1]);
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn bayes_decisions(
    y_proba: &ScoreMatrix,
    costs: &CostMatrix,
    reject_cost: Option<f64>,
) -> Result<Vec<i64>> {
    let limit = reject_cost.unwrap_or(f64::INFINITY);
    if limit.is_nan() {
        return Err(Refusal::argument("reject_cost", limit, "a number"));
    }
    check(y_proba, costs)?;
    let (columns, classes) = (y_proba.columns(), costs.classes());
    // For each prediction, its cost for each actual class.
    let cells = (0..classes).flat_map(|j| (0..classes).map(move |i| (i, j)));
    let prices: Vec<f64> = cells.map(|(i, j)| costs.cost(i, j)).gather();
    let parts = over_parts(y_proba.rows(), |part| {
        let mut decided = vec![0_i64; part.len()];
        let (mut out, mut work, mut done) = (Vec::new(), Vec::new(), 0);
        for range in matrix::chunks(part, columns) {
            let values = y_proba.lowered(range.clone(), &mut out);
            let to = &mut decided[done..done + range.len()];
            if !decide_widest(values, columns, &prices, limit, to, &mut work) {
                let refusal = not_a_probability("y_proba", values, columns);
                return Err(refusal.later(range.start));
            }
            done += range.len();
        }
        Ok(decided)
    })?;
    Ok(joined(parts))
}

/// The risk of each prediction, row after row, one number for each class.
///
/// # Errors
/// Like [`bayes_decisions`].
pub fn bayes_risks(y_proba: &ScoreMatrix, costs: &CostMatrix) -> Result<Vec<f64>> {
    check(y_proba, costs)?;
    let (columns, classes) = (y_proba.columns(), costs.classes());
    let cells = (0..classes).flat_map(|i| (0..classes).map(move |j| (i, j)));
    let prices: Vec<f64> = cells.map(|(i, j)| costs.cost(i, j)).gather();
    let parts = over_parts(y_proba.rows(), |part| {
        let mut risks = vec![0.0; part.len() * classes];
        let (mut out, mut done) = (Vec::new(), 0);
        for range in matrix::chunks(part, columns) {
            let values = y_proba.lowered(range.clone(), &mut out);
            let len = range.len() * classes;
            if !risks_widest(values, columns, &prices, &mut risks[done..done + len]) {
                let refusal = not_a_probability("y_proba", values, columns);
                return Err(refusal.later(range.start));
            }
            done += len;
        }
        Ok(risks)
    })?;
    Ok(joined(parts))
}

/// Refuses costs whose number of classes differs from the probabilities.
fn check(y_proba: &ScoreMatrix, costs: &CostMatrix) -> Result<()> {
    let columns = y_proba.columns();
    let classes = if columns == 1 { 2 } else { columns };
    if columns == 0 {
        let found = "a matrix without columns";
        let expected = "one or more";
        return Err(Refusal::argument("y_proba", found, expected));
    }
    if costs.classes() != classes {
        let found = format!("{0} by {0}", costs.classes());
        let expected = format!("{classes} by {classes}, as y_proba is of {classes} classes");
        return Err(Refusal::argument("costs", found, expected));
    }
    Ok(())
}

wide! {
    /// [`decide`], compiled for the widest instructions of the machine; the same operations, so the
    /// same bits.
    fn decide_widest[](
        values: &[f64], columns: usize, prices: &[f64], limit: f64, to: &mut [i64], work: &mut Vec<[f64; LANES]>,
    ) -> bool = decide;
    /// [`risk`], compiled in the same way.
    fn risks_widest[](values: &[f64], columns: usize, prices: &[f64], to: &mut [f64]) -> bool = risk;
}

/// The number of rows whose risks are computed side by side.
const LANES: usize = 16;

/// Decides rows; returns whether all numbers were probabilities. `work` is scratch; `prices` are
/// stored column after column.
#[inline(always)]
fn decide(
    values: &[f64],
    columns: usize,
    prices: &[f64],
    limit: f64,
    to: &mut [i64],
    work: &mut Vec<[f64; LANES]>,
) -> bool {
    match columns {
        1 => alone(values, prices, limit, to),
        2 => some::<2>(values, prices, limit, to),
        3 => some::<3>(values, prices, limit, to),
        4 => some::<4>(values, prices, limit, to),
        5 => some::<5>(values, prices, limit, to),
        6 => some::<6>(values, prices, limit, to),
        _ => {
            work.clear();
            work.grow_to(columns, [0.0; LANES]);
            side_by_side(values, columns, prices, limit, to, work)
        }
    }
}

/// [`side_by_side`] for a number of columns known to the compiler.
#[inline(always)]
fn some<const K: usize>(values: &[f64], prices: &[f64], limit: f64, to: &mut [i64]) -> bool {
    side_by_side(values, K, prices, limit, to, &mut [[0.0; LANES]; K])
}

#[inline(always)]
fn side_by_side(
    values: &[f64],
    columns: usize,
    prices: &[f64],
    limit: f64,
    to: &mut [i64],
    turned: &mut [[f64; LANES]],
) -> bool {
    let mut good = [true; LANES];
    let blocks = to.chunks_mut(LANES).zip(values.chunks(columns * LANES));
    for (to, rows) in blocks {
        // Values of the previous block in unused lanes of the last block do no harm.
        for (lane, row) in rows.chunks_exact(columns).enumerate() {
            for (column, &p) in turned.iter_mut().zip(row) {
                column[lane] = p;
            }
        }
        for column in turned.iter() {
            for (good, p) in good.iter_mut().zip(column) {
                *good &= (0.0..=1.0).contains(p);
            }
        }
        let (mut best, mut places) = ([f64::INFINITY; LANES], [0_i64; LANES]);
        for (class, costs) in (0_i64..).zip(prices.chunks_exact(columns)) {
            let mut risks = [0.0; LANES];
            for (column, &cost) in turned.iter().zip(costs) {
                for (risk, p) in risks.iter_mut().zip(column) {
                    *risk += p * cost;
                }
            }
            for lane in 0..LANES {
                let less = risks[lane] < best[lane];
                best[lane] = if less { risks[lane] } else { best[lane] };
                places[lane] = if less { class } else { places[lane] };
            }
        }
        for lane in 0..LANES {
            places[lane] = if best[lane] > limit { REJECTED } else { places[lane] };
        }
        to.copy_from_slice(&places[..to.len()]);
    }
    good == [true; LANES]
}

#[inline(always)]
fn alone(values: &[f64], prices: &[f64], limit: f64, to: &mut [i64]) -> bool {
    let &[tn, fn_, fp, tp] = prices else {
        return false;
    };
    let mut good = true;
    for (to, &p) in to.iter_mut().zip(values) {
        let q = 1.0 - p;
        good &= (0.0..=1.0).contains(&p);
        let (negative, positive) = (q * tn + p * fn_, q * fp + p * tp);
        let place = i64::from(positive < negative);
        let best = if positive < negative { positive } else { negative };
        *to = if best > limit { REJECTED } else { place };
    }
    good
}

/// The risks of one row.
#[inline(always)]
fn add_risks(row: &[f64], prices: &[f64], risks: &mut [f64]) -> bool {
    let mut good = true;
    risks.fill(0.0);
    for (&p, costs) in row.iter().zip(prices.chunks_exact(risks.len().max(1))) {
        good &= (0.0..=1.0).contains(&p);
        for (risk, cost) in risks.iter_mut().zip(costs) {
            *risk += p * cost;
        }
    }
    good
}

/// The risks of rows; returns whether all numbers were probabilities.
#[inline(always)]
fn risk(values: &[f64], columns: usize, prices: &[f64], to: &mut [f64]) -> bool {
    let mut good = true;
    if columns == 1 {
        for (to, &p) in to.chunks_exact_mut(2).zip(values) {
            good &= (0.0..=1.0).contains(&p);
            add_risks(&[1.0 - p, p], prices, to);
        }
        return good;
    }
    for (to, row) in to.chunks_exact_mut(columns).zip(values.chunks_exact(columns)) {
        good &= add_risks(row, prices, to);
    }
    good
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::matrix::Matrix;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn decisions_have_the_least_risk(
            columns in 1_usize..12,
            numbers in prop::collection::vec(0_u8..=8, 150..400),
            costs in prop::collection::vec(-4_i8..20, 144),
            limit in prop::option::of(-2_i8..10),
        ) {
            let classes = columns.max(2);
            let rows = numbers.len() / columns;
            let proba: Vec<f64> = numbers[..rows * columns].iter().map(|&x| f64::from(x) / 8.0).collect();
            let prices: Vec<f64> = costs[..classes * classes].iter().map(|&cost| cost.into()).collect();
            let costs = CostMatrix::new(classes, prices).unwrap();
            let limit = limit.map(f64::from);
            let single: Vec<f32> = proba.iter().map(|&p| p as f32).collect();
            let matrix = ScoreMatrix::F64(Matrix::from_slice(&proba, columns));
            let decided = bayes_decisions(&matrix, &costs, limit).unwrap();
            let other = ScoreMatrix::F32(Matrix::from_slice(&single, columns));
            prop_assert_eq!(&decided, &bayes_decisions(&other, &costs, limit).unwrap());
            let risks = bayes_risks(&matrix, &costs).unwrap();
            prop_assert_eq!((decided.len(), risks.len()), (rows, rows * classes));
            for row in 0..rows {
                let own = &proba[row * columns..(row + 1) * columns];
                let own = if columns == 1 { vec![1.0 - own[0], own[0]] } else { own.to_vec() };
                // Eighths times small integers add up exactly.
                let risk = |j: usize| (0..classes).map(|i| own[i] * costs.cost(i, j)).sum::<f64>();
                let mut expected = (risk(0), 0);
                for j in 0..classes {
                    prop_assert_eq!(risks[row * classes + j], risk(j));
                    if risk(j) < expected.0 { expected = (risk(j), j as i64); }
                }
                let rejected = limit.is_some_and(|limit| expected.0 > limit);
                prop_assert_eq!(decided[row], if rejected { REJECTED } else { expected.1 });
            }
        }
    }

    #[test]
    fn what_is_no_probability_is_refused_with_its_row() {
        let costs = CostMatrix::new(2, vec![0.0, 1.0, 1.0, 0.0]).unwrap();
        let mut proba = vec![0.5; 2 * 70_000];
        proba[2 * 68_000 + 1] = 1.5;
        let matrix = ScoreMatrix::F64(Matrix::from_slice(&proba, 2));
        for refused in [
            bayes_decisions(&matrix, &costs, None).unwrap_err(),
            bayes_risks(&matrix, &costs).unwrap_err(),
        ] {
            assert_eq!(
                refused.to_string(),
                "y_proba[68000] is 1.5; expected a probability in [0, 1]"
            );
        }
        let narrow = ScoreMatrix::F64(Matrix::from_slice(&proba, 4));
        assert!(bayes_decisions(&narrow, &costs, None).is_err());
        assert!(bayes_decisions(&matrix, &costs, Some(f64::NAN)).is_err());
    }
}
