//! Proper scoring rules over the probabilities of several classes, in one pass over the rows.
//!
//! 1. A chunk of rows is lowered to classes (`crate::labels::classes`) and, row after row, to
//!    probabilities ([`crate::base::matrix`]).
//! 2. For each row the kernel picks the probability of its class, adds the squared errors of all
//!    classes, and checks that the probabilities sum to one. It adds in a fixed order, eight sums
//!    side by side from eight classes on, so the result has the same bits for any layout, order of
//!    rows and number of threads.
//! 3. The logarithms of a block are computed together ([`crate::arith::logarithm`]).
//! 4. Each block of terms is added exactly ([`crate::arith::fast_sum`]).
//!
//! One column means two classes: it has the probability of the second. Without weights it has a
//! separate kernel (`scores/calibration/strip.rs`).
//!
//! Cost at 1e6 rows of two classes: 0.9 ns a row for the logarithmic loss and 0.45 ns for the Brier
//! score. With weights 1.3 ns and more. For each further class 1 ns and its share of reading the
//! input.
//!
//! Tried and rejected:
//! - The sum of all squares, corrected for the true class: for good predictions it cancels to
//!   noise.
// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]

use crate::arith::exact::{ExactSums, Fixed, Wide};
use crate::arith::exact::{Span, Weights};
use crate::arith::fast_sum::{BLOCK, add_block, add_bounded, add_one};
use crate::arith::logarithm::ln_normal;
use crate::base::error::{Refusal, Result, check_rows};
use crate::base::input::{Label, LabelSet, Labels, ScoreMatrix, Scores};
use crate::base::matrix;
use crate::base::threads::over_parts;
use crate::base::wide::wide;
use crate::classes::probability_sums::{ClassProbabilitySums, Wanted, WeightedSum};
use crate::labels::classes::Classes;
use crate::scores::calibration::losses::not_a_probability;
use crate::scores::calibration::strip::{ROWS, Strip, within};
use crate::scores::sweep::rows::{STRIP, labels_near, scores_near};
use std::ops::Range;

/// The classes of the columns.
#[derive(Clone, Debug, PartialEq)]
pub enum Columns {
    /// The labels that occur, ascending.
    Found,
    /// These, ascending.
    Given(LabelSet),
    /// One column, the probability of this label; the only other label is its opposite. Without a
    /// label, the positive label is 1 if the labels are 0 and 1, or −1 and 1, or only one of them;
    /// otherwise it is the greater number.
    Positive(Option<Label>),
}

/// The sums over rows of labels, probabilities and weights.
///
/// `y_score` has a column for each class, or one for the second of two.
///
/// # Errors
/// Columns of different lengths or without rows; numbers of classes and columns that differ; a
/// label that is missing, fractional or outside the classes; a probability outside [0, 1]; a weight
/// that is negative or not finite.
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::{Labels, ScoreMatrix};
/// use rocksteady_count::classes::losses::{Columns, class_probability_sums};
/// use rocksteady_count::base::matrix::Matrix;
/// use rocksteady_count::classes::probability_sums::Wanted;
///
/// let y_true = Labels::U8(Column::from_slice(&[0, 2, 1]));
/// let proba = [0.5, 0.25, 0.25, 0.0, 0.0, 1.0, 0.5, 0.5, 0.0];
/// let y_proba = ScoreMatrix::F64(Matrix::from_slice(&proba, 3));
/// let wanted = Wanted { log_loss: true, ..Wanted::default() };
/// let sums = class_probability_sums(&y_true, &y_proba, None, Columns::Found, wanted)?;
/// assert!((sums.log_loss() / sums.weight() - 2.0 / 3.0 * 2_f64.ln()).abs() < 1e-15);
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn class_probability_sums(
    y_true: &Labels,
    y_score: &ScoreMatrix,
    weights: Option<Weights>,
    columns: Columns,
    wanted: Wanted,
) -> Result<ClassProbabilitySums> {
    let rows = row_count(y_true, y_score, weights.as_ref())?;
    let count = y_score.columns();
    let (classes, least) = match columns {
        Columns::Positive(positive) => (positive_class(y_true, positive.as_ref())?, 1),
        Columns::Given(labels) => (Classes::given(y_true, labels)?, 2),
        Columns::Found => (Classes::found(y_true, count.max(2))?, 2),
    };
    let found = classes.labels.len();
    if found < least || found > count.max(2) || (count > 1 && found != count) {
        let found = format!("a matrix of {count} columns for {found} classes");
        let expected = "a column for each class, or one for two classes";
        return Err(Refusal::argument("y_score", found, expected));
    }
    let epsilon = epsilon(y_score);
    let tolerance = 1e-8 + epsilon.sqrt();
    let none = ClassProbabilitySums::new(classes.labels.clone(), wanted, epsilon);
    let alone = (count == 1).then(|| y_score.column(0));
    let parts = over_parts(rows, |part| {
        let mut sums = none.clone();
        let mut counts = vec![0_u64; sums.class_weights.len()];
        let is_strip = (wanted.log_loss || wanted.brier) && !wanted.squared_log_loss;
        if let (Some(scores), None, true) = (&alone, &weights, is_strip) {
            add_column((y_true, scores), &classes, part, &mut sums, &mut counts)?;
            sums.class_weights = ExactSums::from_counts(&counts);
            return Ok(sums);
        }
        let (mut out, mut gathered) = (Vec::new(), Vec::new());
        let mut codes = [0_u32; BLOCK];
        let mut terms = Terms::new();
        for range in matrix::chunks(part, count) {
            let codes = &mut codes[..range.len()];
            classes.lower(range.clone(), codes)?;
            let values = y_score.lowered(range.clone(), &mut out);
            let weights =
                weights.as_ref().map(|weights| weights.chunk(range.clone(), &mut gathered));
            let good = if let Some(scores) = &alone {
                let mut good = true;
                for start in (0..codes.len()).step_by(STRIP) {
                    let strip = start..(start + STRIP).min(codes.len());
                    let ahead =
                        (range.end + strip.start).min(rows)..(range.end + strip.end).min(rows);
                    labels_near(y_true, ahead.clone());
                    scores_near(scores, ahead);
                    let right = &mut terms.right[strip.clone()];
                    let square = &mut terms.square[strip.clone()];
                    good &=
                        column_widest(&values[strip.clone()], &codes[strip], right, square, wanted);
                }
                good
            } else {
                rows_widest(values, count, codes, &mut terms, wanted, tolerance)
            };
            if !good {
                let refusal = not_a_probability("y_score", values, count);
                return Err(refusal.later(range.start));
            }
            sums.sums_to_one &= terms.even;
            add_terms(&mut sums, &mut terms, codes, weights, &mut counts)
                .map_err(|refusal| refusal.later(range.start))?;
        }
        sums.class_weights = if weights.is_none() && wanted.classes {
            ExactSums::from_counts(&counts)
        } else {
            sums.class_weights.canonical()
        };
        Ok(sums)
    })?;
    parts
        .iter()
        .skip(1)
        .try_fold(parts.first().cloned().unwrap_or(none), |sums, part| sums.add(part))
}

/// The common number of rows of columns.
pub(crate) fn row_count(
    y_true: &Labels,
    y_score: &ScoreMatrix,
    weights: Option<&Weights>,
) -> Result<usize> {
    let columns = [
        ("y_true", y_true.len()),
        ("y_score", y_score.rows()),
        ("sample_weight", weights.map_or(y_true.len(), Weights::len)),
    ];
    let rows = check_rows(&columns)?;
    if y_score.columns() == 0 {
        let found = "a matrix without columns";
        let expected = "one or more";
        return Err(Refusal::argument("y_score", found, expected));
    }
    Ok(rows)
}

/// The classes of rows against a positive label, chosen as in [`Columns::Positive`].
///
/// # Errors
/// More than two labels; text without a positive label.
pub(crate) fn positive_class<'a>(
    y_true: &Labels<'a>,
    positive: Option<&Label>,
) -> Result<Classes<'a>> {
    let classes = Classes::found(y_true, 2)?;
    let labels = &classes.labels.values;
    let positive = match (positive, usual(labels), labels.last()) {
        (Some(label), _, _) => label.clone(),
        (None, true, _) => Label::Int(1),
        (None, false, Some(greatest @ Label::Int(_))) => greatest.clone(),
        (None, ..) => {
            let expected = "the label of the positive class, as the labels are text";
            return Err(Refusal::argument("pos_label", "None", expected));
        }
    };
    classes.against_the_rest(&positive)
}

/// Whether the labels are 0 and 1, or −1 and 1, or only one of these.
pub(crate) fn usual(labels: &[Label]) -> bool {
    let is = |labels: &[Label], numbers: &[i128]| {
        labels.len() == numbers.len()
            && labels.iter().zip(numbers).all(|(label, &x)| *label == Label::Int(x))
    };
    [&[0, 1][..], &[-1, 1], &[0], &[-1], &[1]].iter().any(|numbers| is(labels, numbers))
}

/// The machine epsilon of the scores' type; integers are exact and have the epsilon of `f64`. So do
/// floats in the opposite byte order, as in scikit-learn.
fn epsilon(scores: &ScoreMatrix) -> f64 {
    if scores.is_swapped() { f64::EPSILON } else { scores.kind().epsilon() }
}

/// The terms of the rows of a block.
struct Terms {
    /// The probability of the true class.
    right: [f64; BLOCK],
    /// The squared errors, summed over the classes.
    square: [f64; BLOCK],
    /// Whether the probabilities of every row sum to one.
    even: bool,
}

impl Terms {
    fn new() -> Self {
        Self { right: [0.0; BLOCK], square: [0.0; BLOCK], even: true }
    }
}

fn add_column(
    (y_true, y_score): (&Labels, &Scores),
    classes: &Classes,
    part: Range<usize>,
    sums: &mut ClassProbabilitySums,
    counts: &mut [u64],
) -> Result<()> {
    let rows = y_true.len();
    let epsilon = sums.wanted.log_loss.then_some(f64::from_bits(sums.epsilon));
    let mut strip = Strip::new(epsilon, sums.wanted.brier);
    let (mut codes, mut out) = ([0_u32; ROWS], Vec::new());
    for range in matrix::chunks(part, 1) {
        let values = y_score.lowered(range.clone(), &mut out);
        for (start, values) in range.clone().step_by(ROWS).zip(values.chunks(ROWS)) {
            let codes = &mut codes[..values.len()];
            classes.lower(start..start + values.len(), codes)?;
            let ahead = (start + AHEAD).min(rows)..(start + AHEAD + ROWS).min(rows);
            labels_near(y_true, ahead.clone());
            if !strip.add(values, codes, 1) {
                // A refused label takes precedence.
                classes.lower(start..range.end, &mut [0; BLOCK][..range.end - start])?;
                return Err(not_a_probability("y_score", values, 1).later(start));
            }
            scores_near(y_score, ahead);
            if sums.wanted.classes {
                count_classes(codes, counts);
            }
        }
        let found = strip.taken(range.len());
        sums.log_loss = sums.log_loss.plus(found.log_loss);
        // Both classes have the same error.
        sums.brier = sums.brier.plus(found.brier).plus(found.brier);
        add_one(&mut sums.weight, range.len() as f64);
    }
    Ok(())
}

/// Prefetch distance in rows.
const AHEAD: usize = 2 * ROWS;

wide! {
    /// [`column`], compiled for the widest instructions of the machine; the same operations, so the
    /// same bits.
    fn column_widest[](
        values: &[f64], codes: &[u32], right: &mut [f64], square: &mut [f64], wanted: Wanted,
    ) -> bool = column;
    /// [`rows`], compiled in the same way.
    fn rows_widest[](
        values: &[f64], columns: usize, codes: &[u32], terms: &mut Terms, wanted: Wanted, tolerance: f64,
    ) -> bool = rows;
    /// [`add_log_losses`], compiled in the same way.
    fn log_losses_widest[](
        sum: &mut Wide, squared: Option<&mut Wide>, terms: &mut [f64], epsilon: f64, weights: Option<&[f64]>,
    ) -> () = add_log_losses;
    /// [`add_squares`], compiled in the same way.
    fn squares_widest[](sum: &mut crate::arith::exact::Wide, terms: &mut [f64], weights: Option<&[f64]>) -> () = add_squares;
    /// [`add_weighed`], compiled in the same way.
    fn add_widest[](sum: &mut crate::arith::exact::Wide, terms: &mut [f64], weights: Option<&[f64]>) -> () = add_weighed;
    /// [`add_squared`], compiled in the same way.
    fn squared_widest[](sum: &mut Wide, terms: &[f64], weights: Option<&[f64]>) -> () = add_squared;
}

/// The terms of rows with the probability of the second of two classes; returns whether all were
/// probabilities.
#[inline(always)]
fn column(
    values: &[f64],
    codes: &[u32],
    right: &mut [f64],
    square: &mut [f64],
    wanted: Wanted,
) -> bool {
    let good = values.iter().fold(true, |good, value| good & (0.0..=1.0).contains(value));
    if wanted.log_loss {
        for ((right, &code), &value) in right.iter_mut().zip(codes).zip(values) {
            *right = if code == 1 { value } else { 1.0 - value };
        }
    }
    if wanted.brier {
        for ((square, &code), &value) in square.iter_mut().zip(codes).zip(values) {
            let wrong = if code == 1 { 1.0 - value } else { value };
            *square = 2.0 * (wrong * wrong);
        }
    }
    good
}

/// The terms of rows with a probability for each class; returns whether all were probabilities.
#[inline(always)]
fn rows(
    values: &[f64],
    columns: usize,
    codes: &[u32],
    terms: &mut Terms,
    wanted: Wanted,
    tolerance: f64,
) -> bool {
    match columns {
        2 => few::<2>(values, codes, terms, tolerance),
        3 => few::<3>(values, codes, terms, tolerance),
        4 => few::<4>(values, codes, terms, tolerance),
        5 => few::<5>(values, codes, terms, tolerance),
        6 => few::<6>(values, codes, terms, tolerance),
        7 => few::<7>(values, codes, terms, tolerance),
        _ => many(values, columns, codes, terms, wanted, tolerance),
    }
}

#[inline(always)]
fn few<const K: usize>(values: &[f64], codes: &[u32], terms: &mut Terms, tolerance: f64) -> bool {
    let (mut good, mut even) = (true, true);
    let (rows, _) = values.as_chunks::<K>();
    let out = terms.right.iter_mut().zip(&mut terms.square);
    for ((row, &code), (right, square)) in rows.iter().zip(codes).zip(out) {
        let (mut sum, mut squares, mut picked) = (0.0, 0.0, 0.0);
        for (place, &value) in (0..).zip(row) {
            let wrong = if place == code { 1.0 - value } else { value };
            picked = if place == code { value } else { picked };
            squares += wrong * wrong;
            sum += value;
            good &= (0.0..=1.0).contains(&value);
        }
        even &= (sum - 1.0).abs() <= tolerance;
        *right = picked;
        *square = squares;
    }
    terms.even = even;
    good
}

#[inline(always)]
fn many(
    values: &[f64],
    columns: usize,
    codes: &[u32],
    terms: &mut Terms,
    wanted: Wanted,
    tolerance: f64,
) -> bool {
    const LANES: usize = 8;
    let (mut bad, mut even) = ([0_u64; LANES], true);
    let out = terms.right.iter_mut().zip(&mut terms.square);
    for ((row, &code), (right, square)) in values.chunks_exact(columns).zip(codes).zip(out) {
        let (mut sums, mut squares) = ([0.0; LANES], [0.0; LANES]);
        let (groups, tail) = row.as_chunks::<LANES>();
        // Classes are below the number of columns: the caller checks this.
        let picked = row.get(code as usize).copied().unwrap_or(0.0);
        for group in groups {
            for (lane, &value) in group.iter().enumerate() {
                sums[lane] += value;
                bad[lane] |= u64::from(!(0.0..=1.0).contains(&value));
            }
        }
        for (lane, &value) in tail.iter().enumerate() {
            sums[lane] += value;
            bad[lane] |= u64::from(!(0.0..=1.0).contains(&value));
        }
        if wanted.brier {
            // All other classes first, then the true class, whose term may be much larger.
            let mut place = 0;
            for group in groups {
                for (lane, &value) in group.iter().enumerate() {
                    let other = if place + lane as u32 == code { 0.0 } else { value };
                    squares[lane] += other * other;
                }
                place += LANES as u32;
            }
            for (lane, &value) in tail.iter().enumerate() {
                let other = if place + lane as u32 == code { 0.0 } else { value };
                squares[lane] += other * other;
            }
            let missed = 1.0 - picked;
            *square = fold(squares) + missed * missed;
        }
        even &= (fold(sums) - 1.0).abs() <= tolerance;
        *right = picked;
    }
    terms.even = even;
    bad == [0; LANES]
}

/// The sum of eight lanes in a fixed order.
#[inline(always)]
fn fold(x: [f64; 8]) -> f64 {
    ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]))
}

/// Adds −ln of probabilities, clamped to [epsilon, 1 − epsilon], times their weights. Overwrites
/// the probabilities.
#[inline(always)]
fn add_log_losses(
    sum: &mut Wide,
    squared: Option<&mut Wide>,
    terms: &mut [f64],
    epsilon: f64,
    weights: Option<&[f64]>,
) {
    for term in terms.iter_mut() {
        *term = -ln_normal(within(*term, epsilon));
    }
    if let Some(squared) = squared {
        add_squared(squared, terms, weights);
    }
    match weights {
        // −ln of the machine epsilon is 36.04.
        None => add_bounded::<6>(sum, terms),
        weights => add_weighed(sum, terms, weights),
    }
}

/// Adds squared errors times their weights, and overwrites them.
#[inline(always)]
fn add_squares(sum: &mut crate::arith::exact::Wide, terms: &mut [f64], weights: Option<&[f64]>) {
    // Probabilities that do not sum to one may have larger errors.
    let great = terms.iter().filter(|&&term| term >= 4.0).count();
    if weights.is_none() && great == 0 {
        add_bounded::<2>(sum, terms);
    } else {
        add_weighed(sum, terms, weights);
    }
}

/// Adds terms times their weights, and overwrites them.
#[inline(always)]
fn add_weighed(sum: &mut crate::arith::exact::Wide, terms: &mut [f64], weights: Option<&[f64]>) {
    if let Some(weights) = weights {
        for (term, &weight) in terms.iter_mut().zip(weights) {
            *term = (*term * weight).min(f64::MAX);
        }
    }
    add_block(sum, terms);
}

/// Adds the squares of at most [`BLOCK`] terms times their weights.
#[inline(always)]
pub(crate) fn add_squared(sum: &mut Wide, terms: &[f64], weights: Option<&[f64]>) {
    let mut squares = [0.0; BLOCK];
    let squares = &mut squares[..terms.len()];
    for (square, term) in squares.iter_mut().zip(terms) {
        *square = (term * term).min(f64::MAX);
    }
    add_weighed(sum, squares, weights);
}

/// Adds the terms of rows to the sums.
fn add_terms(
    sums: &mut ClassProbabilitySums,
    terms: &mut Terms,
    codes: &[u32],
    weights: Option<&[f64]>,
    counts: &mut [u64],
) -> Result<()> {
    let rows = codes.len();
    let mut copy = [0.0; BLOCK];
    let weights = weights.map(|weights| checked(weights, &mut copy)).transpose()?;
    let heavy = weights.map(|(weights, _)| weights);
    if sums.wanted.log_loss {
        let epsilon = f64::from_bits(sums.epsilon);
        let squared = sums.wanted.squared_log_loss.then_some(&mut sums.squared_log_loss);
        let right = &mut terms.right[..rows];
        log_losses_widest(&mut sums.log_loss, squared, right, epsilon, heavy);
    }
    if sums.wanted.brier {
        squares_widest(&mut sums.brier, &mut terms.square[..rows], heavy);
    }
    if let Some((weights, span)) = weights {
        if sums.wanted.classes {
            sums.class_weights.add_all(span, codes, weights);
        }
        add_weight(&mut sums.weight, weights);
    } else {
        if sums.wanted.classes {
            count_classes(codes, counts);
        }
        add_one(&mut sums.weight, rows as f64);
    }
    Ok(())
}

fn count_classes(codes: &[u32], counts: &mut [u64]) {
    if let [negatives, positives] = counts {
        let ones = codes.iter().map(|&code| u64::from(code)).sum::<u64>();
        *positives += ones;
        *negatives += codes.len() as u64 - ones;
        return;
    }
    for &code in codes {
        if let Some(count) = counts.get_mut(code as usize) {
            *count += 1;
        }
    }
}

/// A checked copy of weights, and their span.
pub(crate) fn checked<'b>(
    weights: &[f64],
    copy: &'b mut [f64; BLOCK],
) -> Result<(&'b [f64], Span)> {
    let copy = &mut copy[..weights.len()];
    copy.copy_from_slice(weights);
    let span = Span::from_slice(copy)?;
    Ok((copy, span))
}

pub(crate) fn add_weight(sum: &mut crate::arith::exact::Wide, weights: &[f64]) {
    let mut terms = [0.0; BLOCK];
    let terms = &mut terms[..weights.len()];
    terms.copy_from_slice(weights);
    add_widest(sum, terms, None);
}

/// Adds one number for each row, and its square if asked for, times the row's weight if there are
/// weights. Overwrites the numbers.
///
/// # Errors
/// A weight that is negative or not finite; its row is counted from the slice's start.
pub(crate) fn add_rows(
    sum: &mut WeightedSum,
    terms: &mut [f64],
    weights: Option<&[f64]>,
    squares: bool,
) -> Result<()> {
    let mut copy = [0.0; BLOCK];
    let weights = weights.map(|weights| checked(weights, &mut copy)).transpose()?;
    let weights = weights.map(|(weights, _)| weights);
    match weights {
        Some(weights) => add_weight(&mut sum.weight, weights),
        None => add_one(&mut sum.weight, terms.len() as f64),
    }
    if squares {
        squared_widest(&mut sum.squared, terms, weights);
    }
    add_widest(&mut sum.total, terms, weights);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::matrix::Matrix;
    use proptest::prelude::*;

    const ALL: Wanted =
        Wanted { log_loss: true, squared_log_loss: true, brier: true, classes: true };

    /// The losses by definition: logarithmic and squared, of the predictions and of the class
    /// frequencies.
    fn naive(classes: &[u8], rows: &[Vec<f64>], weights: &[f64]) -> [f64; 4] {
        let columns = rows[0].len();
        let total: f64 = weights.iter().sum();
        let frequencies: Vec<f64> = (0..columns)
            .map(|k| {
                let own = classes.iter().zip(weights).filter(|row| usize::from(*row.0) == k);
                own.map(|row| row.1).sum::<f64>() / total
            })
            .collect();
        let losses = |row: &[f64], class: u8| {
            let own = row[usize::from(class)].clamp(f64::EPSILON, 1.0 - f64::EPSILON);
            let truth = |k: usize| f64::from(u8::from(k == usize::from(class)));
            (-own.ln(), row.iter().enumerate().map(|(k, p)| (truth(k) - p).powi(2)).sum::<f64>())
        };
        let mut sums = [0.0; 4];
        for ((&class, row), &weight) in classes.iter().zip(rows).zip(weights) {
            let (own, null) = (losses(row, class), losses(&frequencies, class));
            for (sum, loss) in sums.iter_mut().zip([own.0, own.1, null.0, null.1]) {
                *sum += weight * loss;
            }
        }
        sums
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-11 * b.abs().max(1.0)
    }

    proptest! {
        #[test]
        fn sums_are_the_definitions_and_do_not_depend_on_order_or_layout(
            columns in 2usize..20,
            seeds in prop::collection::vec((any::<u8>(), 0.0..2.0, prop::collection::vec(prop_oneof![0.0..=1.0, Just(0.0)], 20)), 20..120),
            weighted: bool,
        ) {
            // Every class occurs.
            let classes: Vec<u8> = (0..).zip(&seeds).map(|(i, seed)| if i < columns { i as u8 } else { seed.0 % columns as u8 }).collect();
            let rows: Vec<Vec<f64>> = seeds.iter().map(|seed| {
                let row = &seed.2[..columns];
                let sum: f64 = row.iter().sum();
                row.iter().map(|p| if sum > 0.0 { (p / sum).min(1.0) } else { 1.0 / columns as f64 }).collect()
            }).collect();
            let weights: Vec<f64> = seeds.iter().map(|seed| if weighted { seed.1 } else { 1.0 }).collect();
            let [log_loss, brier, null_log, null_brier] = naive(&classes, &rows, &weights);
            let flat = rows.concat();
            let held = weighted.then(|| Column::from_slice(&weights));
            let y_true = Labels::U8(Column::from_slice(&classes));
            let matrix = Matrix::from_slice(&flat, columns);
            let sums = class_probability_sums(&y_true, &ScoreMatrix::F64(matrix), held, Columns::Found, ALL).unwrap();
            prop_assert!(near(sums.log_loss(), log_loss));
            prop_assert!(near(sums.brier(), brier));
            prop_assert!(near(1.0 - sums.log_loss_saved(), log_loss / null_log));
            prop_assert!(near(1.0 - sums.brier_saved(), brier / null_brier));
            prop_assert!(sums.sums_to_one());
            // Backwards, and in column order.
            let back: Vec<u8> = classes.iter().rev().copied().collect();
            let heavy: Vec<f64> = weights.iter().rev().copied().collect();
            let turned: Vec<f64> = (0..columns).flat_map(|k| rows.iter().rev().map(move |row| row[k])).collect();
            let matrix = Matrix::from_slice(&turned, rows.len()).transposed();
            let held = weighted.then(|| Column::from_slice(&heavy));
            let y_true = Labels::U8(Column::from_slice(&back));
            let other = class_probability_sums(&y_true, &ScoreMatrix::F64(matrix), held, Columns::Found, ALL).unwrap();
            prop_assert_eq!(&other, &sums);
            // In two parts that show the same classes.
            if let Some(cut) = (columns..=rows.len() - columns).next().filter(|&cut| (0..columns as u8).all(|class| classes[cut..].contains(&class))) {
                let part = |range: std::ops::Range<usize>| {
                    let values = &flat[range.start * columns..range.end * columns];
                    let y_true = Labels::U8(Column::from_slice(&classes[range.clone()]));
                    let held = weighted.then(|| Column::from_slice(&weights[range]));
                    class_probability_sums(&y_true, &ScoreMatrix::F64(Matrix::from_slice(values, columns)), held, Columns::Found, ALL).unwrap()
                };
                prop_assert_eq!(part(0..cut).add(&part(cut..rows.len())).unwrap(), sums);
            }
        }
    }

    proptest! {
        #[test]
        fn one_column_gives_the_sums_of_its_rows_one_by_one(
            rows in prop::collection::vec((0_u8..2, prop_oneof![
                0.0..=1.0,
                Just(-0.0),
                Just(1.0),
                (0.0..1.0).prop_map(|x: f64| x.powi(30)),
                (0.0..1.0).prop_map(|x: f64| 1.0 - x.powi(12)),
                (0..=1.0_f64.to_bits()).prop_map(f64::from_bits),
            ]), 1..800),
        ) {
            let (labels, values): (Vec<u8>, Vec<f64>) = [(0, 0.5), (1, 0.5)].into_iter().chain(rows).unzip();
            let y_true = Labels::U8(Column::from_slice(&labels));
            let y_proba = ScoreMatrix::F64(Matrix::from_slice(&values, 1));
            let found = class_probability_sums(&y_true, &y_proba, None, Columns::Found, ALL).unwrap();
            let [mut log_loss, mut brier] = [crate::arith::exact::Wide::default(); 2];
            for (&label, &value) in labels.iter().zip(&values) {
                let (right, wrong) = if label == 1 { (value, 1.0 - value) } else { (1.0 - value, value) };
                add_one(&mut log_loss, -ln_normal(right.clamp(f64::EPSILON, 1.0 - f64::EPSILON)));
                add_one(&mut brier, 2.0 * (wrong * wrong));
            }
            prop_assert_eq!((found.log_loss, found.brier), (log_loss, brier));
            // Rows of weight one take another path.
            let ones = vec![1.0; values.len()];
            let weighed = class_probability_sums(&y_true, &y_proba, Some(Column::from_slice(&ones)), Columns::Found, ALL);
            prop_assert_eq!(found, weighed.unwrap());
        }
    }

    #[test]
    fn a_column_refuses_what_is_no_probability_after_labels_of_no_class() {
        let mut labels: Vec<u8> = (0..5000).map(|row| (row % 2) as u8).collect();
        let mut values = vec![0.5; 5000];
        let refusal = |labels: &[u8], values: &[f64], wanted: Wanted| {
            let y_true = Labels::U8(Column::from_slice(labels));
            let y_proba = ScoreMatrix::F64(Matrix::from_slice(values, 1));
            class_probability_sums(&y_true, &y_proba, None, Columns::Found, wanted)
                .unwrap_err()
                .to_string()
        };
        let wanted = |place: u8| Wanted {
            log_loss: place & 1 != 0,
            squared_log_loss: false,
            brier: place & 2 != 0,
            classes: place & 4 != 0,
        };
        for value in [f64::NAN, -0.5, 1.0 + f64::EPSILON, f64::INFINITY] {
            values[4321] = value;
            for wanted in (0..8).map(wanted) {
                let found = refusal(&labels, &values, wanted);
                assert!(found.starts_with("y_score[4321] is "), "{wanted:?}");
            }
        }
        labels[4999] = 2;
        let found = refusal(&labels, &values, ALL);
        assert!(found.starts_with("y_true[4999] is of another class"));
    }

    #[test]
    fn every_number_of_threads_and_every_instruction_set_gives_the_same_bits() {
        let rows = 300_000_usize;
        let scores: Vec<f64> = (0..rows).map(|i| (i * 7919 % rows) as f64 / rows as f64).collect();
        let labels: Vec<i64> = (0..rows).map(|i| i64::from(i % 3 == 0)).collect();
        let of = |labels: &[i64], scores: &[f64]| {
            let y_true = Labels::I64(Column::from_slice(labels));
            let y_proba = ScoreMatrix::F64(Matrix::from_slice(scores, 1));
            class_probability_sums(&y_true, &y_proba, None, Columns::Found, ALL).unwrap()
        };
        let whole = of(&labels, &scores);
        let parts =
            labels.chunks(1000).zip(scores.chunks(1000)).map(|(labels, scores)| of(labels, scores));
        let merged = parts.reduce(|sum, part| sum.add(&part).unwrap()).unwrap();
        assert_eq!(whole, merged);
    }

    #[test]
    fn one_column_stands_for_two() {
        let labels = [2, 5, 5, 2, 5_i32];
        let single = [0.25, 0.5, 1.0, 0.0, 0.125_f32];
        let both: Vec<f32> = single.iter().flat_map(|&p| [1.0 - p, p]).collect();
        let y_true = Labels::I32(Column::from_slice(&labels));
        let of = |matrix, columns| {
            class_probability_sums(&y_true, &ScoreMatrix::F32(matrix), None, columns, ALL).unwrap()
        };
        let one = of(Matrix::from_slice(&single, 1), Columns::Found);
        assert_eq!(one, of(Matrix::from_slice(&both, 2), Columns::Found));
        assert_eq!(one, of(Matrix::from_slice(&single, 1), Columns::Positive(None)));
        let turned: Vec<f32> = single.iter().map(|p| 1.0 - p).collect();
        let turned = of(Matrix::from_slice(&turned, 1), Columns::Positive(Some(Label::Int(2))));
        assert_eq!((turned.log_loss(), turned.brier()), (one.log_loss(), one.brier()));
    }

    #[test]
    fn which_label_is_positive_without_being_asked() {
        let code = |labels: &[i64]| {
            let mut codes = vec![0; labels.len()];
            let y_true = Labels::I64(Column::from_slice(labels));
            positive_class(&y_true, None)
                .unwrap()
                .lower(0..labels.len(), &mut codes)
                .map(|()| codes)
        };
        assert_eq!(code(&[0, 1, 0]).unwrap(), [0, 1, 0]);
        assert_eq!(code(&[0, 0]).unwrap(), [0, 0]);
        assert_eq!(code(&[-1, -1]).unwrap(), [0, 0]);
        assert_eq!(code(&[1]).unwrap(), [1]);
        assert_eq!(code(&[3, 2]).unwrap(), [1, 0]);
        assert_eq!(code(&[2, 2]).unwrap(), [1, 1]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let y_true = Labels::U8(Column::from_slice(&[0, 1, 2]));
        let of = |values: &[f64], columns| {
            let y_proba = ScoreMatrix::F64(Matrix::from_slice(values, columns));
            class_probability_sums(&y_true, &y_proba, None, Columns::Found, ALL)
        };
        assert!(of(&[0.5; 9], 3).is_ok_and(|sums| !sums.sums_to_one()));
        assert!(of(&[0.5; 6], 2).is_err());
        assert!(of(&[0.5; 12], 4).is_err());
        assert!(of(&[0.5; 3], 1).is_err());
        let mut values = [0.5; 9];
        values[5] = -1.0;
        let refusal = of(&values, 3).unwrap_err().to_string();
        assert_eq!(refusal, "y_score[1] is -1; expected a probability in [0, 1]");
        let sums = class_probability_sums(
            &Labels::U8(Column::from_slice(&[0, 1])),
            &ScoreMatrix::F64(Matrix::from_slice(&[0.5, 0.5], 1)),
            None,
            Columns::Found,
            Wanted { brier: true, ..Wanted::default() },
        )
        .unwrap();
        assert_eq!((sums.brier(), sums.weight()), (1.0, 2.0));
    }
}
