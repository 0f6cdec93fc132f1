//! Sums for the proper scoring rules: −ln of the probability of the true class, and the squared
//! error.
//!
//! 1. Rows without weights have a separate kernel (`strip.rs`). A block of other rows becomes two
//!    arrays of terms in cache ([`crate::arith::logarithm`]), without branches.
//! 2. Each array is added exactly ([`crate::arith::fast_sum`]).
//!
//! A term is a fixed function of its row and terms are added without rounding. So the sums have the
//! same bits for any order of the rows, any split and any number of threads.
//!
//! Cost at 1e6 rows: 2.4 ns a row, both rules together (6 with weights).
//!
//! Rejected:
//! - the system's logarithm (slower, and its bits differ between machines);
//! - rounded sums.
// Inlining is what compiles the loop for each instruction set.
#![allow(clippy::inline_always)]

use crate::arith::exact::{Fixed, Weights, Wide};
use crate::arith::fast_sum::{BLOCK, add_block, add_one};
use crate::arith::logarithm::ln_normal;
use crate::base::column::{CHUNK, chunks};
use crate::base::error::{Refusal, Result, check_part};
use crate::base::input::{Labels, NanPolicy, OMITTED, Scores};
use crate::base::memory::{Room, joined, with_room};
use crate::base::threads::over_parts;
use crate::base::wide::wide;
use crate::labels::binary::{LabelReader, Pair};
use crate::labels::binary_labels::BinaryLabels;
use crate::scores::calibration::probability_sums::Losses;
use crate::scores::calibration::probability_sums::ProbabilitySums;
use crate::scores::calibration::strip::{ROWS, Strip, within};
use crate::scores::keys::check_weights;
use crate::scores::sweep::rows::SweepOptions;
use crate::statistic::Statistic;

/// The sums over rows of labels, scores and weights.
///
/// # Errors
/// Columns of different lengths or without rows, a third label, a missing or fractional label, a
/// score outside [0, 1] (NaN is left out under [`NanPolicy::Omit`]), a weight that is negative or
/// not finite.
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::{Labels, Scores};
/// use rocksteady_count::scores::calibration::losses::probability_sums;
/// use rocksteady_count::scores::sweep::rows::SweepOptions;
///
/// let y_true = Labels::U8(Column::from_slice(&[0, 1]));
/// let y_score = Scores::F64(Column::from_slice(&[0.5, 0.5]));
/// let sums = probability_sums(&y_true, &y_score, None, &SweepOptions::default())?;
/// assert_eq!((sums.rows(), sums.brier()), (2, 0.5));
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn probability_sums(
    y_true: &Labels,
    y_score: &Scores,
    weights: Option<Weights>,
    options: &SweepOptions,
) -> Result<ProbabilitySums> {
    summed(y_true, y_score, weights, options, false)
}

/// [`probability_sums`] with the sums of squared losses, for intervals; for sampling weights also
/// all sums with squared weights.
///
/// # Errors
/// The errors of [`probability_sums`] and of [`WeightKind::squares`].
///
/// [`WeightKind::squares`]: crate::arith::weight_kind::WeightKind::squares
pub fn probability_sums_with_squares(
    y_true: &Labels,
    y_score: &Scores,
    weights: Option<Weights>,
    options: &SweepOptions,
) -> Result<ProbabilitySums> {
    let sums = summed(y_true, y_score, weights, options, true)?;
    let argument = options.arguments.sample_weight;
    match options.weight_kind.squares(weights, argument)? {
        None => Ok(sums),
        Some(squares) => {
            let squares = Some(Weights::from_slice(&squares));
            sums.with_squares(summed(y_true, y_score, squares, options, true)?)
        }
    }
}

/// A number of a row that its label and its score give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfRow {
    /// −ln of the probability of the true class.
    LogLoss,
    /// The squared error of the probability.
    Brier,
    /// The probability of the true class.
    Probability,
    /// The score.
    Score,
}

/// The numbers of rows, none of which is negative but scores.
#[derive(Clone, Debug, Default)]
pub struct NumbersOfRows {
    /// The number of each row.
    pub each: Vec<f64>,
    /// Their exact sum; 0 for scores.
    pub sum: Wide,
    /// Whether each row is positive, if that was asked for.
    pub bits: Vec<u8>,
}

/// The number of each row; `None` where a score is no probability.
///
/// # Errors
/// Columns of different lengths, a third label, a missing label.
pub fn numbers_of_rows(
    y_true: &Labels,
    y_score: &Scores,
    of: OfRow,
    options: &SweepOptions,
    with_bits: bool,
) -> Result<Option<NumbersOfRows>> {
    let arguments = options.arguments;
    let columns = [(arguments.y_true, y_true.len()), (arguments.y_score, y_score.len())];
    let rows = check_part(&columns, options.takes_no_rows())?;
    let labels = LabelReader {
        labels: *y_true,
        nan_policy: NanPolicy::Raise,
        argument: arguments.y_true,
        rest: options.rest && options.pos_label.is_some(),
    };
    let found = labels.discover([options.pos_label.clone(), None], options.pos_label.as_ref())?;
    let pair = Pair::of(found, options.pos_label.as_ref());
    let epsilon = y_score.kind().epsilon();
    let parts = over_parts(rows, |part| {
        let mut found = NumbersOfRows { each: with_room(part.len()), ..Default::default() };
        let mut converted = Vec::new();
        let (mut bits, mut copy) = ([0; CHUNK], [0.0; CHUNK]);
        for range in chunks(part) {
            let (bits, copy) = (&mut bits[..range.len()], &mut copy[..range.len()]);
            labels.lower(range.clone(), &pair, bits)?;
            let scores = y_score.lowered(range, &mut converted);
            if !fill_numbers(bits, scores, of, epsilon, copy) {
                return Ok(None);
            }
            found.each.grow_by(copy);
            if of != OfRow::Score {
                add_to(&mut found.sum, copy);
            }
            if with_bits {
                found.bits.grow_by(bits);
            }
        }
        Ok(Some(found))
    })?;
    let Some(parts): Option<Vec<_>> = parts.into_iter().collect() else {
        return Ok(None);
    };
    let sum = parts.iter().fold(Wide::default(), |sum, part| sum.plus(part.sum));
    let (each, bits): (Vec<_>, Vec<_>) =
        parts.into_iter().map(|part| (part.each, part.bits)).unzip();
    Ok(Some(NumbersOfRows { each: joined(each), sum, bits: joined(bits) }))
}

wide! {
    fn fill_numbers[](bits: &[u8], scores: &[f64], of: OfRow, epsilon: f64, to: &mut [f64]) -> bool
        = numbers;
    fn add_to[](sum: &mut Wide, numbers: &mut [f64]) -> () = add_block;
}

/// Writes the numbers of rows. Returns whether all scores were probabilities, if that matters.
#[inline(always)]
fn numbers(bits: &[u8], scores: &[f64], of: OfRow, epsilon: f64, to: &mut [f64]) -> bool {
    let (mut outside, is_score) = (false, of == OfRow::Score);
    let rows = bits.iter().zip(scores).zip(to.iter_mut());
    for ((&bit, &score), to) in rows {
        outside |= !(0.0..=1.0).contains(&score);
        *to = if bit == 1 || is_score { score } else { 1.0 - score };
    }
    match of {
        OfRow::LogLoss => {
            for right in to {
                *right = -ln_normal(within(*right, epsilon));
            }
        }
        OfRow::Brier => {
            for ((&bit, &score), to) in bits.iter().zip(scores).zip(to) {
                let wrong = if bit == 1 { 1.0 - score } else { score };
                *to = wrong * wrong;
            }
        }
        OfRow::Probability | OfRow::Score => {}
    }
    is_score || !outside
}

fn summed(
    y_true: &Labels,
    y_score: &Scores,
    weights: Option<Weights>,
    options: &SweepOptions,
    keeps_squares: bool,
) -> Result<ProbabilitySums> {
    let arguments = options.arguments;
    let mut columns = vec![(arguments.y_true, y_true.len()), (arguments.y_score, y_score.len())];
    columns.grow_with(weights.map(|weights| (arguments.sample_weight, weights.len())));
    let rows = check_part(&columns, options.takes_no_rows())?;
    let labels = LabelReader {
        labels: *y_true,
        nan_policy: options.nan_policy,
        argument: arguments.y_true,
        rest: options.rest && options.pos_label.is_some(),
    };
    let found = labels.discover([options.pos_label.clone(), None], options.pos_label.as_ref())?;
    let pair = Pair::of(found, options.pos_label.as_ref());
    let labels_of_sums = BinaryLabels::from_column(y_true, pair.clone(), options.pos_label.clone());
    let none = ProbabilitySums::new(labels_of_sums, keeps_squares);
    let (epsilon, omits) = (y_score.kind().epsilon(), options.nan_policy == NanPolicy::Omit);
    let named = |refusal| match refusal {
        Refusal::Row { argument: "y_score", row, value, expected } => {
            Refusal::Row { argument: arguments.y_score, row, value, expected }
        }
        Refusal::Row { argument: "sample_weight", row, value, expected } => {
            Refusal::Row { argument: arguments.sample_weight, row, value, expected }
        }
        other => other,
    };
    let parts = over_parts(rows, |part| {
        let mut sums = none.clone();
        let (mut converted, mut gathered) = (Vec::new(), Vec::new());
        let mut codes = [0; CHUNK];
        for range in chunks(part) {
            let codes = &mut codes[..range.len()];
            let omitted = labels.lower(range.clone(), &pair, codes)?;
            let scores = y_score.lowered(range.clone(), &mut converted);
            let weights = weights.as_ref().map(|w| w.chunk(range.clone(), &mut gathered));
            if omitted || omits && scores.iter().any(|score| score.is_nan()) {
                add_kept(&mut sums, codes, scores, weights, omits, epsilon)
            } else {
                add_rows(&mut sums, codes, scores, weights, epsilon)
            }
            .map_err(|refusal| named(refusal.later(range.start)))?;
        }
        Ok(sums)
    })?;
    parts.iter().try_fold(none, |sums, part| sums.add(part))
}

/// Adds rows to `sums`: `bits` holds 1 for a positive and 0 for a negative, `scores` the
/// probability of being positive. The probability of the true class is clamped to `[epsilon, 1 -
/// epsilon]` for the logarithmic loss; scikit-learn uses the machine epsilon of the scores' type.
/// All slices have the same length. After a refusal `sums` holds the rows of earlier blocks: pass
/// new sums and add them afterwards.
///
/// # Errors
/// [`Refusal::Row`], counted from the slices' start: `y_score` outside [0, 1], `sample_weight`
/// negative or not finite.
pub(crate) fn add_rows(
    sums: &mut ProbabilitySums,
    bits: &[u8],
    scores: &[f64],
    weights: Option<&[f64]>,
    epsilon: f64,
) -> Result<()> {
    let is_plain = weights.is_none() && sums.squared_losses.is_none();
    for start in (0..scores.len()).step_by(BLOCK) {
        let range = start..(start + BLOCK).min(scores.len());
        if is_plain {
            plain_block(sums, &bits[range.clone()], &scores[range], epsilon)
                .map_err(|refusal| refusal.later(start))?;
            continue;
        }
        let weights = weights.map(|weights| &weights[range.clone()]);
        block_widest(sums, &bits[range.clone()], &scores[range], weights, epsilon)
            .map_err(|refusal| refusal.later(start))?;
    }
    Ok(())
}

/// Adds at most [`BLOCK`] rows without weights.
fn plain_block(
    sums: &mut ProbabilitySums,
    bits: &[u8],
    scores: &[f64],
    epsilon: f64,
) -> Result<()> {
    let mut strip = Strip::new(Some(epsilon), true);
    let both = &mut sums.sums;
    for (losses, positive) in [Some(&mut both.losses), both.turned.as_mut()].into_iter().zip([1, 0])
    {
        let Some(losses) = losses else { continue };
        let mut strips = scores.chunks(ROWS).zip(bits.chunks(ROWS));
        if !strips.all(|(scores, bits)| strip.add(scores, bits, positive)) {
            return Err(not_a_probability("y_score", scores, 1));
        }
        *losses = losses.plus(strip.taken(scores.len()));
    }
    sums.rows += scores.len() as u64;
    add_one(&mut sums.weight, scores.len() as f64);
    Ok(())
}

/// Adds the rows that are kept: rows with a label and, if `omits`, with a score. One by one, as
/// they are rare. Invalid values in other rows are refused, too.
fn add_kept(
    sums: &mut ProbabilitySums,
    codes: &[u8],
    scores: &[f64],
    weights: Option<&[f64]>,
    omits: bool,
    epsilon: f64,
) -> Result<()> {
    let (mut bits, mut kept, mut heavy) = (Vec::new(), Vec::new(), Vec::new());
    let mut places = Vec::new();
    for (row, (&code, &score)) in codes.iter().zip(scores).enumerate() {
        if code != OMITTED && !(omits && score.is_nan()) {
            bits.grow(code);
            kept.grow(score);
            heavy.grow_with(weights.map(|weights| weights[row]));
            places.grow(row);
        } else if !(score.is_nan() || (0.0..=1.0).contains(&score)) {
            return Err(not_a_probability("y_score", &scores[row..], 1).later(row));
        }
    }
    if let Some(weights) = weights {
        check_weights(weights, 0, "sample_weight")?;
    }
    let weights = weights.map(|_| heavy.as_slice());
    add_rows(sums, &bits, &kept, weights, epsilon).map_err(|refusal| match refusal {
        Refusal::Row { argument, row, value, expected } => {
            Refusal::Row { argument, row: places[row], value, expected }
        }
        other => other,
    })
}

wide! {
    /// [`block`], compiled for the widest instructions of the machine; the same operations, so the
    /// same bits.
    fn block_widest[](
        sums: &mut ProbabilitySums,
        bits: &[u8],
        scores: &[f64],
        weights: Option<&[f64]>,
        epsilon: f64,
    ) -> Result<()> = block;
}

/// Refuses the first value outside [0, 1], in rows of `columns` columns.
#[cold]
pub(crate) fn not_a_probability(argument: &'static str, values: &[f64], columns: usize) -> Refusal {
    let is_outside = |value: &f64| !(0.0..=1.0).contains(value);
    // Another thread may have changed the buffer; then the first row will do.
    let place = values.iter().position(is_outside).unwrap_or(0);
    let expected = "a probability in [0, 1]";
    Refusal::row(argument, place / columns, values[place], expected)
}

/// Adds at most [`BLOCK`] rows.
#[inline(always)]
fn block(
    sums: &mut ProbabilitySums,
    bits: &[u8],
    scores: &[f64],
    weights: Option<&[f64]>,
    epsilon: f64,
) -> Result<()> {
    let rows = bits.len().min(scores.len()).min(BLOCK);
    let (mut log_loss, mut brier) = ([0.0; BLOCK], [0.0; BLOCK]);
    let (log_loss, brier) = (&mut log_loss[..rows], &mut brier[..rows]);
    if !losses(bits, 1, scores, epsilon, log_loss, brier) {
        return Err(not_a_probability("y_score", scores, 1));
    }
    let mut copy = [1.0; BLOCK];
    let copy = &mut copy[..rows];
    if let Some(weights) = weights {
        copy.copy_from_slice(&weights[..rows]);
        check_weights(copy, 0, "sample_weight")?;
    }
    let weighed = weights.map(|_| &*copy);
    let squared = sums.squared_losses.as_mut();
    let (squared, squared_turned) = match squared {
        Some(both) => (Some(&mut both.losses), both.turned.as_mut()),
        None => (None, None),
    };
    add_losses(&mut sums.sums.losses, squared, log_loss, brier, weighed);
    if let Some(turned) = &mut sums.sums.turned {
        losses(bits, 0, scores, epsilon, log_loss, brier);
        add_losses(turned, squared_turned, log_loss, brier, weighed);
    }
    if weights.is_some() {
        sums.rows += copy.iter().filter(|&&weight| weight > 0.0).count() as u64;
        add_block(&mut sums.weight, copy);
    } else {
        sums.rows += rows as u64;
        add_one(&mut sums.weight, rows as f64);
    }
    Ok(())
}

/// Writes the losses of rows; rows whose bit is `positive` are positive. Returns whether all scores
/// were probabilities.
#[inline(always)]
fn losses(
    bits: &[u8],
    positive: u8,
    scores: &[f64],
    epsilon: f64,
    log_loss: &mut [f64],
    brier: &mut [f64],
) -> bool {
    let mut good = true;
    let terms = log_loss.iter_mut().zip(brier);
    for ((&bit, &score), (loss, square)) in bits.iter().zip(scores).zip(terms) {
        let other = 1.0 - score;
        let (right, wrong) = if bit == positive { (score, other) } else { (other, score) };
        *loss = -ln_normal(within(right, epsilon));
        *square = wrong * wrong;
        good &= (0.0..=1.0).contains(&score);
    }
    good
}

/// Adds losses times their weights, and their squares if kept. Overwrites the losses.
#[inline(always)]
fn add_losses(
    sums: &mut Losses,
    squared: Option<&mut Losses>,
    log_loss: &mut [f64],
    brier: &mut [f64],
    weights: Option<&[f64]>,
) {
    if let Some(sums) = squared {
        for (losses, sum) in [(&*log_loss, &mut sums.log_loss), (&*brier, &mut sums.brier)] {
            let mut squares = [0.0; BLOCK];
            let squares = &mut squares[..losses.len()];
            for (to, loss) in squares.iter_mut().zip(losses) {
                *to = loss * loss;
            }
            add_weighed(sum, squares, weights);
        }
    }
    add_weighed(&mut sums.log_loss, log_loss, weights);
    add_weighed(&mut sums.brier, brier, weights);
}

/// Adds terms times their weights, and overwrites them.
#[inline(always)]
fn add_weighed(sum: &mut Wide, terms: &mut [f64], weights: Option<&[f64]>) {
    if let Some(weights) = weights {
        for (term, &weight) in terms.iter_mut().zip(weights) {
            *term = (*term * weight).min(f64::MAX);
        }
    }
    add_block(sum, terms);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Label, LabelKind};
    use proptest::prelude::*;

    /// The sums of no rows, with labels 0 and 1.
    fn none() -> ProbabilitySums {
        let labels = BinaryLabels {
            pair: Pair::of([Some(Label::Int(0)), Some(Label::Int(1))], None),
            pos_label: None,
            kind: LabelKind::Int,
        };
        ProbabilitySums::new(labels, false)
    }

    /// The sums of columns, with label 1 as positive.
    fn of_slices(bits: &[u8], scores: &[f64], weights: Option<&[f64]>) -> Result<ProbabilitySums> {
        let options = SweepOptions { pos_label: Some(Label::Int(1)), ..SweepOptions::default() };
        let y_true = Labels::U8(Column::from_slice(bits));
        let y_score = Scores::F64(Column::from_slice(scores));
        probability_sums(&y_true, &y_score, weights.map(Column::from_slice), &options)
    }

    #[test]
    fn what_is_wrong_in_a_row_that_is_left_out_is_refused() {
        let options = SweepOptions { nan_policy: NanPolicy::Omit, ..SweepOptions::default() };
        let y_true = Labels::F64(Column::from_slice(&[0.0, f64::NAN, 1.0]));
        let sums = |score: f64, weight: f64| {
            let (scores, weights) = ([0.5, score, 0.2], [1.0, weight, 1.0]);
            let scores = Scores::F64(Column::from_slice(&scores));
            let weights = Some(Column::from_slice(&weights));
            probability_sums(&y_true, &scores, weights, &options).map(|sums| sums.rows())
        };
        assert_eq!([sums(0.1, 1.0), sums(f64::NAN, 1.0)], [Ok(2), Ok(2)]);
        for (score, weight, argument) in [
            (-f64::INFINITY, 1.0, "y_score"),
            (1.5, 1.0, "y_score"),
            (0.1, -1.0, "sample_weight"),
            (f64::NAN, f64::NAN, "sample_weight"),
        ] {
            let refusal = sums(score, weight).unwrap_err().to_string();
            assert!(refusal.starts_with(&format!("{argument}[1] is")), "{refusal}");
        }
    }

    fn masses(sums: &ProbabilitySums) -> (u64, Wide, Losses) {
        (sums.rows, sums.weight, sums.sums.losses)
    }

    /// The sums by definition.
    fn naive(bits: &[u8], scores: &[f64], weights: Option<&[f64]>) -> (f64, f64) {
        let (mut log_loss, mut brier, mut weight) = (0.0, 0.0, 0.0);
        for (row, (&bit, &p)) in bits.iter().zip(scores).enumerate() {
            let w = weights.map_or(1.0, |weights| weights[row]);
            let q = if bit == 1 { p } else { 1.0 - p };
            log_loss -= w * q.clamp(f64::EPSILON, 1.0 - f64::EPSILON).ln();
            brier += w * (p - f64::from(bit)).powi(2);
            weight += w;
        }
        (log_loss / weight, brier / weight)
    }

    fn rows() -> impl Strategy<Value = Vec<(u8, f64, f64)>> {
        let score =
            prop_oneof![0.0..=1.0, Just(0.0), Just(1.0), (0.0..1.0).prop_map(|x: f64| x.powi(30))];
        prop::collection::vec((0u8..2, score, 0.0..3.0), 1..200)
    }

    proptest! {
        #[test]
        fn sums_are_the_definitions_and_do_not_depend_on_order_or_split(
            rows in rows(), cut in 0usize..200, weighted: bool,
        ) {
            let run = |rows: &[(u8, f64, f64)]| {
                let bits: Vec<u8> = rows.iter().map(|row| row.0).collect();
                let scores: Vec<f64> = rows.iter().map(|row| row.1).collect();
                let weights: Vec<f64> = rows.iter().map(|row| row.2).collect();
                let weights = weighted.then_some(weights.as_slice());
                let mut sums = none();
                add_rows(&mut sums, &bits, &scores, weights, f64::EPSILON).unwrap();
                (sums, naive(&bits, &scores, weights))
            };
            let (sums, (log_loss, brier)) = run(&rows);
            prop_assert!((sums.log_loss() / sums.weight() - log_loss).abs() <= 1e-12 * log_loss.abs());
            prop_assert!((sums.brier() / sums.weight() - brier).abs() <= 1e-12 * brier.abs() + 1e-300);
            let backwards: Vec<_> = rows.iter().rev().copied().collect();
            prop_assert_eq!(&run(&backwards).0, &sums);
            let cut = cut.min(rows.len());
            let merged = run(&rows[cut..]).0.add(&run(&rows[..cut]).0).unwrap();
            prop_assert_eq!(&merged, &sums);
        }
    }

    #[test]
    fn every_number_of_threads_and_every_instruction_set_gives_the_same_bits() {
        let rows = 400_000_u32;
        let scores: Vec<f64> =
            (0..rows).map(|i| f64::from(i * 7919 % rows) / f64::from(rows)).collect();
        let bits: Vec<u8> = (0..rows).map(|i| u8::from(i % 3 == 0)).collect();
        let whole = of_slices(&bits, &scores, None).unwrap();
        let mut plain = none();
        for (bits, scores) in bits.chunks(1000).zip(scores.chunks(1000)) {
            block(&mut plain, bits, scores, None, f64::EPSILON).unwrap();
        }
        assert_eq!(masses(&whole), masses(&plain));
    }

    #[test]
    fn what_is_no_probability_is_refused_by_row() {
        let mut scores = vec![0.5; 5000];
        scores[4321] = 1.5;
        let refused = of_slices(&[1; 5000], &scores, None).unwrap_err();
        assert_eq!(refused.to_string(), "y_score[4321] is 1.5; expected a probability in [0, 1]");
        scores[4321] = f64::NAN;
        assert!(of_slices(&[1; 5000], &scores, None).is_err());
        let refused = of_slices(&[1, 0], &[0.1, 0.2], Some(&[1.0, -1.0])).unwrap_err();
        assert!(refused.to_string().starts_with("sample_weight[1] is -1"));
    }

    #[test]
    fn perfect_predictions_lose_epsilon() {
        let sums = of_slices(&[1, 0], &[1.0, 0.0], None).unwrap();
        assert_eq!(sums.log_loss() / sums.weight(), -(1.0 - f64::EPSILON).ln());
        assert_eq!(sums.brier(), 0.0);
    }

    #[test]
    fn labels_and_scores_of_any_type_give_the_sums_of_slices() {
        let labels = [2_i64, 5, 5, 2, 5];
        let scores = [0.25_f32, 0.5, 1.0, 0.0, 0.125];
        let weights = [1.0, 0.5, 0.0, 2.0, 1.0];
        let wide: Vec<f64> = scores.iter().map(|&score| f64::from(score)).collect();
        let y_true = Labels::I64(Column::from_slice(&labels));
        let y_score = Scores::F32(Column::from_slice(&scores));
        let column = Some(Column::from_slice(&weights));
        let found = probability_sums(&y_true, &y_score, column, &SweepOptions::default()).unwrap();
        let epsilon = f64::from(f32::EPSILON);
        let mut expected = none();
        add_rows(&mut expected, &[0, 1, 1, 0, 1], &wide, Some(&weights), epsilon).unwrap();
        assert_eq!(masses(&found), masses(&expected));
        assert_eq!((found.rows(), found.weight()), (4, 4.5));
    }

    #[test]
    fn missing_rows_are_left_out_on_request_only() {
        let (labels, scores) = ([1.0, f64::NAN, 0.0, 1.0], [0.5, 0.5, f64::NAN, 0.25]);
        let y_true = Labels::F64(Column::from_slice(&labels));
        let y_score = Scores::F64(Column::from_slice(&scores));
        let omit = SweepOptions { nan_policy: NanPolicy::Omit, ..SweepOptions::default() };
        let found = probability_sums(&y_true, &y_score, None, &omit).unwrap();
        let expected = of_slices(&[1, 1], &[0.5, 0.25], None).unwrap();
        assert_eq!(masses(&found), masses(&expected));
        assert!(probability_sums(&y_true, &y_score, None, &SweepOptions::default()).is_err());
    }
}
