//! Measures of k samples drawn from those of a task, whose order says nothing: the rows of a list
//! are samples, and their relevance is whether, or how well, they solve it.
//!
//! A value is its mean over all sets of k samples, in closed form. With n samples, c of them right:
//!
//! - none of k is right with probability C(n-c, k) / C(n, k), and all are with C(c, k) / C(n, k);
//! - the j-th lowest grade is the highest of C(j-1, k-1) of the C(n, k) sets.
//!
//! Cost: one pass over the list, and for the best of k a sort.

use crate::base::memory::Gather;
use crate::queries::list::{RankedList, Relevant};

/// The probability that all of `k` samples are among `chosen` of all `n`; `k` is at most `n`.
fn all_among(chosen: usize, n: usize, k: usize) -> f64 {
    if k > chosen {
        return 0.0;
    }
    // C(chosen, k) / C(n, k), as a product with the fewest factors.
    let (few, many) = (k.min(n - chosen), k.max(n - chosen));
    (0..few).map(|i| (n - many - i) as f64 / (n - i) as f64).product()
}

/// The probability that one of `k` samples at least is right; `None` of fewer samples.
pub fn any_right(list: &RankedList<'_>, relevant: Relevant, k: usize) -> Option<f64> {
    let (n, right) = (list.len(), list.relevant(relevant));
    (k <= n).then(|| 1.0 - all_among(n - right, n, k))
}

/// The probability that all of `k` samples are right; `None` of fewer samples.
pub fn all_right(list: &RankedList<'_>, relevant: Relevant, k: usize) -> Option<f64> {
    let (n, right) = (list.len(), list.relevant(relevant));
    (k <= n).then(|| all_among(right, n, k))
}

/// The mean of the highest grade of `k` samples, no judgment counting 0; `None` of fewer samples.
pub fn best(list: &RankedList<'_>, k: usize) -> Option<f64> {
    let n = list.len();
    if k > n || k == 0 {
        return None;
    }
    let mut grades: Vec<f64> = list.grades().map(|grade| grade.max(0.0)).gather();
    grades.sort_unstable_by(f64::total_cmp);
    let mut share = k as f64 / n as f64;
    let mut sum = 0.0;
    for place in (k..=n).rev() {
        sum += share * grades[place - 1];
        share *= (place - k) as f64 / (place - 1).max(1) as f64;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queries::row::{Row, Ties};

    #[test]
    fn values_are_means_over_all_sets() {
        for grades in
            [&[0.0, 1.0, 1.0, 0.0, 3.0][..], &[0.0; 4], &[2.0; 3], &[0.5], &[f64::NAN, 1.0]]
        {
            let rows: Vec<Row> =
                grades.iter().map(|&grade| Row { grade, ..Row::default() }).collect();
            let list = RankedList::new(&rows, Ties::Expected, 3.0);
            let relevant = Relevant::from(f64::NAN);
            for k in 1..=grades.len() {
                let sets: Vec<Vec<f64>> = (0_u32..1 << grades.len())
                    .filter(|set| set.count_ones() as usize == k)
                    .map(|set| {
                        (0..grades.len()).filter(|i| set >> i & 1 == 1).map(|i| grades[i]).collect()
                    })
                    .collect();
                let mean = |of: &dyn Fn(&[f64]) -> f64| {
                    sets.iter().map(|set| of(set)).sum::<f64>() / sets.len() as f64
                };
                let near =
                    |found: Option<f64>, expected: f64| (found.unwrap() - expected).abs() < 1e-12;
                let is = |grade: &f64| *grade > 0.0;
                assert!(near(
                    any_right(&list, relevant, k),
                    mean(&|set| f64::from(u8::from(set.iter().any(is))))
                ));
                assert!(near(
                    all_right(&list, relevant, k),
                    mean(&|set| f64::from(u8::from(set.iter().all(is))))
                ));
                assert!(near(best(&list, k), mean(&|set| set.iter().copied().fold(0.0, f64::max))));
            }
            assert_eq!(any_right(&list, relevant, grades.len() + 1), None);
            assert_eq!(best(&list, grades.len() + 1), None);
        }
    }
}
