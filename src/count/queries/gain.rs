//! Measures of graded relevance, and rank-biased precision: each place has a discount.
//!
//! Rows with equal scores share the mean discount of their places. This is the mean over all their
//! orders, because the sums are linear in the gains. Expected reciprocal rank is a product along
//! the list. Let `q_i` be the probability that row i of a tie does not stop the user; the mean of
//! the product of q over the first j rows is `p_j` = `e_j(q)` / C(n, j), where `e_j` is the
//! elementary symmetric polynomial. The user stops at place j with probability p_(j-1) - `p_j`.
//!
//! Cost: one pass over the list, and for NDCG a sort of the relevant grades. For expected
//! reciprocal rank the cost is the square of the number of rows of a tie. So a list with a tie of
//! more than 32,768 rows has no value unless a cutoff is near.
//!
//! Source: Järvelin, Kekäläinen 2002, doi:10.1145/582415.582418 (DCG); Burges et al. 2005,
//! doi:10.1145/1102351.1102363 (exponential gain); Moffat, Zobel 2008, doi:10.1145/1416950.1416952;
//! Chapelle et al. 2009, doi:10.1145/1645953.1646033; ties as in `McSherry`, Najork 2008,
//! doi:10.1007/978-3-540-78646-7_38.

use std::cell::RefCell;
use std::sync::LazyLock;

use crate::base::interrupt;
use crate::base::memory::{Gather, Room};
use crate::queries::list::{RankedList, Relevant, Tie};
use crate::queries::row::{FEW, places};

/// The gain of a relevance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gain {
    /// The relevance itself.
    Linear,
    /// 2^relevance - 1.
    Exponential,
}

impl Gain {
    /// The gain of a relevance; 0 for a row without judgment.
    #[inline]
    fn of(self, grade: f64) -> f64 {
        match self {
            _ if grade.is_nan() => 0.0,
            Self::Linear => grade,
            Self::Exponential => grade.exp2() - 1.0,
        }
    }
}

/// The number of stored discounts.
const KEPT: usize = 4096;

static DISCOUNTS: LazyLock<Vec<f64>> = LazyLock::new(|| (0..KEPT).map(discount_of).gather());

fn discount_of(place: usize) -> f64 {
    1.0 / (place as f64 + 2.0).log2()
}

/// 1 / log2(1 + place); the first place, here 0, counts as 1.
#[inline]
fn discount(discounts: &[f64], place: usize) -> f64 {
    discounts.get(place).copied().unwrap_or_else(|| discount_of(place))
}

/// Discounted cumulative gain of the first `k` rows.
pub fn dcg(list: &RankedList<'_>, gain: Gain, k: usize) -> f64 {
    let discounts = DISCOUNTS.as_slice();
    let mut sum = 0.0;
    for tie in list.ties() {
        if tie.above >= k {
            break;
        }
        sum += if let [row] = tie.rows {
            gain.of(row.grade) * discount(discounts, tie.above)
        } else {
            let end = (tie.above + tie.rows.len()).min(k);
            let gains: f64 = tie.rows.iter().map(|row| gain.of(row.grade)).sum();
            let shared = (tie.above..end).map(|place| discount(discounts, place));
            gains * shared.sum::<f64>() / tie.rows.len() as f64
        };
    }
    sum
}

thread_local! {
    /// Memory for the grades of one list in their best order.
    static BEST: RefCell<Vec<f64>> = const { RefCell::new(Vec::new()) };
}

/// The greatest gain of `k` rows: the rows of the list, retrieved or not, in the order of their
/// relevance.
pub fn ideal_dcg(list: &RankedList<'_>, gain: Gain, k: usize) -> f64 {
    let discounts = DISCOUNTS.as_slice();
    if list.len() <= FEW {
        return ideal_of_few(list, gain, k, discounts);
    }
    BEST.with_borrow_mut(|best| {
        best.clear();
        best.grow_with(list.grades().filter(|&grade| grade > 0.0));
        if best.len() > k.saturating_mul(4) && k > 0 {
            best.select_nth_unstable_by(k - 1, |a, b| b.total_cmp(a));
            best.truncate(k);
        }
        best.sort_unstable_by(|a, b| b.total_cmp(a));
        let gains = best.iter().take(k).map(|&grade| gain.of(grade));
        gains.enumerate().map(|(place, gain)| gain * discount(discounts, place)).sum()
    })
}

/// [`ideal_dcg`] for few rows.
fn ideal_of_few(list: &RankedList<'_>, gain: Gain, k: usize, discounts: &[f64]) -> f64 {
    let mut grades = [0.0; FEW];
    for (to, grade) in grades.iter_mut().zip(list.grades()) {
        *to = grade.max(0.0); // 0 of NaN
    }
    let grades = &grades[..list.len().min(FEW)];
    let mut sum = 0.0;
    for (&grade, place) in grades.iter().zip(places(grades)) {
        if (place as usize) < k {
            sum += gain.of(grade) * discounts[place as usize];
        }
    }
    sum
}

/// Rank-biased precision of the first `k` rows at persistence `p`: (1 - p) Σ p^(place - 1) over
/// relevant places.
pub fn rank_biased_precision(
    list: &RankedList<'_>,
    relevant: Relevant,
    persistence: f64,
    k: usize,
) -> f64 {
    let (mut sum, mut reached) = (0.0, 1.0);
    for tie in list.hits(relevant) {
        let within = tie.within(k);
        if within == 0 {
            break;
        }
        // (1 - p) times the sum of p^0 to p^(m-1) is 1 - p^m.
        let left = if within == 1 { persistence } else { persistence.powf(within as f64) };
        if tie.hits > 0 {
            sum += reached * (1.0 - left) * (tie.hits as f64 / tie.rows as f64);
        }
        reached *= left;
    }
    sum
}

/// Expected reciprocal rank of the first `k` rows: a row of relevance g satisfies the user with
/// probability (2^g - 1) / 2^`top`.
///
/// None if ties would take too many steps.
pub fn expected_reciprocal_rank(list: &RankedList<'_>, top: f64, k: usize) -> Option<f64> {
    let scale = top.exp2();
    let goes_on = |grade: f64| 1.0 - Gain::Exponential.of(grade) / scale;
    let (mut sum, mut reached) = (0.0, 1.0);
    for tie in list.ties() {
        if tie.above >= k || reached == 0.0 {
            break;
        }
        if let [row] = tie.rows {
            let next = goes_on(row.grade);
            sum += reached * (1.0 - next) / (tie.above + 1) as f64;
            reached *= next;
        } else {
            sum += reached * stop_in(&tie, goes_on, k)?;
            let goes = tie.rows.iter().map(|row| goes_on(row.grade));
            reached *= goes.product::<f64>();
        }
    }
    Some(sum)
}

/// The most steps for a tie.
const MOST_STEPS: usize = 1 << 30;

/// The mean reciprocal place at which the user stops within a tie; a place beyond the tie or beyond
/// `k` counts 0.
fn stop_in(tie: &Tie<'_>, goes_on: impl Fn(f64) -> f64, k: usize) -> Option<f64> {
    let within = (k - tie.above).min(tie.rows.len());
    if within.saturating_mul(tie.rows.len()) > MOST_STEPS {
        return None;
    }
    // means[j] is the mean of the product of q over j of the rows so far.
    let mut means: Vec<f64> = Vec::new();
    means.grow_to(within + 1, 0.0);
    means[0] = 1.0;
    for (rows, row) in (1_usize..).zip(tie.rows) {
        interrupt::check();
        let (own, all) = (goes_on(row.grade), rows as f64);
        for j in (1..=within.min(rows)).rev() {
            let without = if j == rows { 0.0 } else { means[j] };
            means[j] = ((rows - j) as f64 * without + j as f64 * own * means[j - 1]) / all;
        }
    }
    let places = (tie.above + 1..).zip(means.windows(2));
    let stops = places.map(|(place, pair)| (pair[0] - pair[1]) / place as f64);
    Some(stops.sum())
}
