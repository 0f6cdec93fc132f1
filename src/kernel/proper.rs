//! Sums for the proper scoring rules: −ln of the probability given to what came true, and the squared error.
//!
//! One pass: a block of rows is lowered to two arrays of terms in cache ([`super::logarithm`], no branches), and each array
//! is added exactly ([`super::fast_sum`]). A term is a fixed function of its row and terms are added without rounding, so
//! the sums have the same bits for any order of the rows, any split and any number of threads.
//!
//! Cost: about 4 ns a row with AVX2, both rules together.
//! Rejected: the system's logarithm (slower, and its bits differ between machines); rounded sums.
#![allow(unsafe_code)]
// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]

use super::fast_sum::{BLOCK, add_block, add_one};
use super::logarithm::ln_normal;
use crate::error::{Refusal, Result, check_rows};
use crate::stat::ProbabilitySums;
use crate::threads::over_parts;

/// Adds rows to `sums`: `bits` holds 1 for a positive and 0 for a negative, `scores` the probability of being positive.
/// The probability of what came true is cut to `[epsilon, 1 - epsilon]` for the logarithmic loss; scikit-learn's choice is the
/// machine epsilon of the scores' type. All slices have one length, of any size. When it refuses, `sums` is unchanged
/// from the last whole block: work on a fresh one and merge.
///
/// # Errors
/// [`Refusal::Row`], counted from the slices' start: `y_score` outside [0, 1], `sample_weight` negative or not finite.
pub fn add_rows(
    sums: &mut ProbabilitySums,
    bits: &[u8],
    scores: &[f64],
    weights: Option<&[f64]>,
    epsilon: f64,
) -> Result<()> {
    for start in (0..scores.len()).step_by(BLOCK) {
        let range = start..(start + BLOCK).min(scores.len());
        let weights = weights.map(|weights| &weights[range.clone()]);
        add_rows_of_block(sums, &bits[range.clone()], &scores[range], weights, epsilon)
            .map_err(|refusal| refusal.later(start))?;
    }
    Ok(())
}

/// The sums over whole slices, on as many threads as may be used. See [`add_rows`].
///
/// # Errors
/// As [`add_rows`]; [`Refusal::Length`] and [`Refusal::Empty`].
pub fn probability_sums(
    bits: &[u8],
    scores: &[f64],
    weights: Option<&[f64]>,
    epsilon: f64,
) -> Result<ProbabilitySums> {
    let mut columns = vec![("y_true", bits.len()), ("y_score", scores.len())];
    columns.extend(weights.map(|weights| ("sample_weight", weights.len())));
    let rows = check_rows(&columns)?;
    let parts = over_parts(rows, |part| {
        let mut sums = ProbabilitySums::default();
        let weights = weights.map(|weights| &weights[part.clone()]);
        add_rows(
            &mut sums,
            &bits[part.clone()],
            &scores[part.clone()],
            weights,
            epsilon,
        )
        .map_err(|refusal| refusal.later(part.start))?;
        Ok(sums)
    })?;
    let mut sums = ProbabilitySums::default();
    for part in &parts {
        sums.merge(part);
    }
    Ok(sums)
}

fn add_rows_of_block(
    sums: &mut ProbabilitySums,
    bits: &[u8],
    scores: &[f64],
    weights: Option<&[f64]>,
    epsilon: f64,
) -> Result<()> {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, as was just asked.
        return unsafe { block_avx2(sums, bits, scores, weights, epsilon) };
    }
    block(sums, bits, scores, weights, epsilon)
}

/// [`block`], compiled for processors with AVX2; the same operations, so the same bits.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn block_avx2(
    sums: &mut ProbabilitySums,
    bits: &[u8],
    scores: &[f64],
    weights: Option<&[f64]>,
    epsilon: f64,
) -> Result<()> {
    block(sums, bits, scores, weights, epsilon)
}

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
    let mut good = true;
    for (((&bit, &score), loss), square) in bits
        .iter()
        .zip(scores)
        .zip(log_loss.iter_mut())
        .zip(brier.iter_mut())
    {
        let other = 1.0 - score;
        let (right, wrong) = if bit == 0 {
            (other, score)
        } else {
            (score, other)
        };
        // Not `clamp`, which may panic; not `max` and `min`, which cost more because of NaN.
        let right = if right > epsilon { right } else { epsilon };
        let right = if right < 1.0 - epsilon {
            right
        } else {
            1.0 - epsilon
        };
        *loss = -ln_normal(right);
        *square = wrong * wrong;
        good &= (0.0..=1.0).contains(&score);
    }
    if !good {
        let outside = |score: &f64| !(0.0..=1.0).contains(score);
        // Another thread may have changed the buffer since; then the first row is as good as any.
        let row = scores.iter().position(outside).unwrap_or(0);
        return Err(Refusal::row(
            "y_score",
            row,
            scores[row],
            "a probability in [0, 1]",
        ));
    }
    if let Some(weights) = weights {
        let mut copy = [0.0; BLOCK];
        let copy = &mut copy[..rows];
        copy.copy_from_slice(&weights[..rows]);
        let outside = |weight: &f64| !(0.0..f64::INFINITY).contains(weight);
        if let Some(row) = copy.iter().position(outside) {
            let expected = "a finite number that is not negative";
            return Err(Refusal::row("sample_weight", row, copy[row], expected));
        }
        for ((loss, square), &weight) in log_loss.iter_mut().zip(brier.iter_mut()).zip(copy.iter())
        {
            *loss = (*loss * weight).min(f64::MAX);
            *square *= weight;
        }
        add_block(&mut sums.weight, copy);
    } else {
        add_one(&mut sums.weight, rows as f64);
    }
    add_block(&mut sums.log_loss, log_loss);
    add_block(&mut sums.brier, brier);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What the sums must be, from the definitions.
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
        let score = prop_oneof![
            0.0..=1.0,
            Just(0.0),
            Just(1.0),
            (0.0..1.0).prop_map(|x: f64| x.powi(30))
        ];
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
                let mut sums = ProbabilitySums::default();
                add_rows(&mut sums, &bits, &scores, weights, f64::EPSILON).unwrap();
                (sums, naive(&bits, &scores, weights))
            };
            let (sums, (log_loss, brier)) = run(&rows);
            prop_assert!((sums.log_loss() / sums.weight() - log_loss).abs() <= 1e-12 * log_loss.abs());
            prop_assert!((sums.brier() / sums.weight() - brier).abs() <= 1e-12 * brier.abs() + 1e-300);
            let backwards: Vec<_> = rows.iter().rev().copied().collect();
            prop_assert_eq!(&run(&backwards).0, &sums);
            let cut = cut.min(rows.len());
            let mut merged = run(&rows[cut..]).0;
            merged.merge(&run(&rows[..cut]).0);
            prop_assert_eq!(&merged, &sums);
        }
    }

    #[test]
    fn every_number_of_threads_and_every_instruction_set_gives_the_same_bits() {
        let rows = 400_000_u32;
        let scores: Vec<f64> = (0..rows)
            .map(|i| f64::from(i * 7919 % rows) / f64::from(rows))
            .collect();
        let bits: Vec<u8> = (0..rows).map(|i| u8::from(i % 3 == 0)).collect();
        let whole = probability_sums(&bits, &scores, None, f64::EPSILON).unwrap();
        let mut plain = ProbabilitySums::default();
        for (bits, scores) in bits.chunks(1000).zip(scores.chunks(1000)) {
            block(&mut plain, bits, scores, None, f64::EPSILON).unwrap();
        }
        assert_eq!(whole, plain);
    }

    #[test]
    fn what_is_no_probability_is_refused_by_row() {
        let mut scores = vec![0.5; 5000];
        scores[4321] = 1.5;
        let refused = probability_sums(&[1; 5000], &scores, None, f64::EPSILON).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "y_score[4321] is 1.5; expected a probability in [0, 1]"
        );
        scores[4321] = f64::NAN;
        assert!(probability_sums(&[1; 5000], &scores, None, f64::EPSILON).is_err());
        let refused = probability_sums(&[1, 0], &[0.1, 0.2], Some(&[1.0, -1.0]), 1e-9).unwrap_err();
        assert!(refused.to_string().starts_with("sample_weight[1] is -1"));
    }

    #[test]
    fn perfect_predictions_lose_epsilon() {
        let sums = probability_sums(&[1, 0], &[1.0, 0.0], None, f64::EPSILON).unwrap();
        assert_eq!(sums.log_loss() / sums.weight(), -(1.0 - f64::EPSILON).ln());
        assert_eq!(sums.brier(), 0.0);
    }
}
