//! Rows of two classes sorted by score, as distinct scores: the rows of one group, in cache.
//!
//! 1. Pack a row into a word: the class is the lowest bit, the distance of the key from the least
//!    key the other bits. The gap between the negative and the positive scores is left out: as
//!    keys, two scores around zero lie a thousand binades apart.
//! 2. Radix sort by the leading bits of the words: two passes of 8 bits for a thousand rows, more
//!    bits for more rows. Both histograms come from one pass. Few words stay in the wrong order.
//! 3. Mend the rest by insertion sort. Where scores are so uneven that it moves many words, an
//!    ordinary sort takes over.
//!
//! Cost: 6 ns a row for groups of 300 to 10,000 rows, where an ordinary sort takes 10 to 14. The
//! memory is twice the memory of the largest group.
//!
//! Tried and rejected: as many cells as rows, each sorted by insertion, as its branches cannot be
//! predicted (10 to 14 ns); a radix sort of all bits.
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use crate::base::interrupt;
use crate::base::memory::Room;
use crate::base::switch::switch_at;
use crate::base::wide::wide;
use crate::scores::keys::Key;

/// From this many rows on, the radix sort is faster.
pub(crate) const MANY_ROWS: usize = switch_at(96, 8);
/// From this many rows on, there is a third pass.
const THREE_PASSES: usize = 1 << 14;
/// The most bits of a pass.
const BITS: u32 = 11;
/// Rows moved by insertion, per row, before an ordinary sort takes over.
const PATIENCE: usize = 4;

/// Buffers for words, shared by all groups.
#[derive(Default)]
pub(crate) struct Sorter {
    words: Vec<u64>,
    others: Vec<u64>,
    counts: Vec<u32>,
}

/// How keys become words, and words keys.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Folding {
    /// The offsets of keys whose highest bit is 0, and of the other keys.
    less: [u64; 2],
    /// Distances from here on belong to keys whose highest bit is 1.
    cut: u64,
}

impl Folding {
    /// Folds the keys between two bounds in either half, and gives the greatest distance. `None` if
    /// a distance leaves no bit for the class.
    fn new(low: [u64; 2], high: [u64; 2]) -> Option<(Self, u64)> {
        let width = |half: usize| (u128::from(high[half]) + 1).saturating_sub(low[half].into());
        let cut = width(0);
        let span = cut + width(1);
        if span > 1 << 63 {
            return None;
        }
        let folding = Self { less: [low[0], low[1].wrapping_sub(cut as u64)], cut: cut as u64 };
        Some((folding, (span as u64).saturating_sub(1)))
    }

    #[inline(always)]
    pub(crate) fn key<K: Key>(self, word: u64) -> K {
        let distance = word >> 1;
        let less = if distance < self.cut { self.less[0] } else { self.less[1] };
        K::narrow(distance.wrapping_add(less))
    }
}

/// The least and the greatest key, and the same of keys with their highest bit turned.
#[inline(always)]
fn extents_body<K: Key>(keys: &[K]) -> [K; 4] {
    let (mut low, mut high) = (K::MAX, K::default());
    let (mut low_turned, mut high_turned) = (K::MAX, K::default());
    for &key in keys {
        low = low.min(key);
        high = high.max(key);
        let turned = key.turned();
        low_turned = low_turned.min(turned);
        high_turned = high_turned.max(turned);
    }
    [low, high, low_turned, high_turned]
}

/// The least and the greatest key whose highest bit is 0, and likewise of the other keys; (1, 0)
/// where there is none.
fn halves<K: Key>(keys: &[K]) -> ([u64; 2], [u64; 2]) {
    let [low, high, low_turned, high_turned] = extents(keys);
    let top = 1 << (K::BITS - 1);
    let (mut lows, mut highs) = ([1; 2], [0; 2]);
    if !keys.is_empty() && low.wide() < top {
        (lows[0], highs[0]) = (low.wide(), high_turned.turned().wide());
    }
    if high.wide() >= top {
        (lows[1], highs[1]) = (low_turned.turned().wide(), high.wide());
    }
    (lows, highs)
}

/// Words of keys of one class.
#[inline(always)]
fn fold_body<K: Key>(keys: &[K], class: u64, folding: Folding, words: &mut [u64]) {
    for (word, &key) in words.iter_mut().zip(keys) {
        let less = if key.above(K::BITS - 1) == 1 { folding.less[1] } else { folding.less[0] };
        *word = key.wide().wrapping_sub(less) << 1 | class;
    }
}

/// Words of keys, each beside a code whose lowest bit is its class.
#[inline(always)]
fn fold_mixed_body<K: Key>(keys: &[K], codes: &[u32], folding: Folding, words: &mut [u64]) {
    for ((word, &key), &code) in words.iter_mut().zip(keys).zip(codes) {
        let less = if key.above(K::BITS - 1) == 1 { folding.less[1] } else { folding.less[0] };
        *word = key.wide().wrapping_sub(less) << 1 | u64::from(code & 1);
    }
}

wide! {
    fn fold_mixed[K: Key](keys: &[K], codes: &[u32], folding: Folding, words: &mut [u64]) -> ()
        = fold_mixed_body;
    fn extents[K: Key](keys: &[K]) -> [K; 4] = extents_body;
    fn fold[K: Key](keys: &[K], class: u64, folding: Folding, words: &mut [u64]) -> () = fold_body;
}

impl Sorter {
    /// The sorted words of rows and how to read them; the order of classes among equal scores is
    /// open. `keys` are the keys of negatives, and from `middle` on the keys of positives. `None`
    /// if there is no bit for the class.
    pub(crate) fn sorted<K: Key>(
        &mut self,
        keys: &[K],
        middle: usize,
    ) -> Option<(&[u64], Folding)> {
        self.sorted_by(keys, |folding, words| {
            let (n, p) = words.split_at_mut(middle);
            fold(&keys[..middle], 0, folding, n);
            fold(&keys[middle..], 1, folding, p);
        })
    }

    /// As [`Self::sorted`] for keys in any order; the lowest bits of `codes` are their classes.
    pub(crate) fn sorted_mixed<K: Key>(
        &mut self,
        keys: &[K],
        codes: &[u32],
    ) -> Option<(&[u64], Folding)> {
        self.sorted_by(keys, |folding, words| fold_mixed(keys, codes, folding, words))
    }

    fn sorted_by<K: Key>(
        &mut self,
        keys: &[K],
        fold: impl FnOnce(Folding, &mut [u64]),
    ) -> Option<(&[u64], Folding)> {
        let (low, high) = halves(keys);
        let (folding, span) = Folding::new(low, high)?;
        let rows = keys.len();
        if self.words.len() < rows {
            self.words.grow_to(rows, 0);
            self.others.grow_to(rows, 0);
        }
        if self.counts.is_empty() {
            self.counts.grow_to(3 << BITS, 0);
        }
        let words = &mut self.words[..rows];
        fold(folding, words);
        let others = &mut self.others[..rows];
        sort(words, others, &mut self.counts, span);
        Some((words, folding))
    }
}

/// Sorts words by all bits but the lowest; `span` is the greatest word without its lowest bit.
fn sort(words: &mut [u64], others: &mut [u64], counts: &mut [u32], span: u64) {
    let rows = words.len();
    let passes = if rows < THREE_PASSES { 2 } else { 3 };
    let digit = ((usize::BITS - rows.leading_zeros()) * 3 / 4 + 1).min(BITS);
    let bits = u64::BITS - span.leading_zeros();
    let shift = bits.saturating_sub(digit * passes) + 1;
    let mask = (1_usize << digit) - 1;
    let of = |word: u64, pass: u32| (word >> (shift + pass * digit)) as usize & mask;
    let (first, rest) = counts.split_at_mut(1 << BITS);
    let (second, third) = rest.split_at_mut(1 << BITS);
    let (first, second, third) = (&mut first[..=mask], &mut second[..=mask], &mut third[..=mask]);
    first.fill(0);
    second.fill(0);
    for &word in &*words {
        first[of(word, 0)] += 1;
        second[of(word, 1)] += 1;
    }
    scatter(words, others, first, |word| of(word, 0));
    if passes == 3 {
        third.fill(0);
        for &word in &*words {
            third[of(word, 2)] += 1;
        }
        scatter(others, words, second, |word| of(word, 1));
        scatter(words, others, third, |word| of(word, 2));
        words.copy_from_slice(others);
    } else {
        scatter(others, words, second, |word| of(word, 1));
    }
    if shift > 1 {
        mend(words);
    }
}

/// Moves words to the places of their digits; `counts` has the number of words with each digit.
#[inline(always)]
fn scatter(from: &[u64], to: &mut [u64], counts: &mut [u32], digit: impl Fn(u64) -> usize) {
    let mut sum = 0;
    for count in counts.iter_mut() {
        sum += std::mem::replace(count, sum);
    }
    interrupt::check();
    for &word in from {
        let place = &mut counts[digit(word)];
        to[*place as usize] = word;
        *place += 1;
    }
}

/// Sorts nearly sorted words by all bits but the lowest.
fn mend(words: &mut [u64]) {
    let mut patience = PATIENCE * words.len();
    for place in 1..words.len() {
        let word = words[place];
        let mut to = place;
        while to > 0 && words[to - 1] >> 1 > word >> 1 {
            words[to] = words[to - 1];
            to -= 1;
        }
        words[to] = word;
        patience = match patience.checked_sub(place - to) {
            Some(left) => left,
            None => return words.sort_unstable(),
        };
    }
}

/// The distinct keys of ascending words, from high to low, in the form of [`merge`].
pub(crate) fn unfolded<K: Key>(
    words: &[u64],
    folding: Folding,
    (keys, p_counts, n_counts): (&mut [K], &mut [u32], &mut [u32]),
) -> usize {
    let Some(&highest) = words.last() else {
        return 0;
    };
    let (mut place, mut last) = (0, highest >> 1);
    for &word in words.iter().rev() {
        place += usize::from(word >> 1 != last);
        last = word >> 1;
        keys[place] = folding.key(word);
        let is_positive = (word & 1) as u32;
        p_counts[place] += is_positive;
        n_counts[place] += 1 - is_positive;
    }
    place + 1
}

/// Merges ascending keys of negatives and positives into distinct keys, from high to low, with the
/// numbers of positives and negatives of each, which must be 0 before. Returns the number of
/// distinct keys.
///
/// Which of two keys is greater is unpredictable, so no branch depends on it.
pub(crate) fn merge<K: Key>(
    negatives: &[K],
    positives: &[K],
    (keys, p_counts, n_counts): (&mut [K], &mut [u32], &mut [u32]),
) -> usize {
    let (mut n, mut p) = (negatives.len(), positives.len());
    let Some(&highest) = [negatives.last(), positives.last()].into_iter().flatten().max() else {
        return 0;
    };
    let (mut place, mut last) = (0, highest);
    while n > 0 && p > 0 {
        let (a, b) = (negatives[n - 1], positives[p - 1]);
        let key = a.max(b);
        let (is_negative, is_positive) = (a == key, b == key);
        place += usize::from(key != last);
        last = key;
        keys[place] = key;
        n_counts[place] += u32::from(is_negative);
        p_counts[place] += u32::from(is_positive);
        n -= usize::from(is_negative);
        p -= usize::from(is_positive);
    }
    for (rest, counts) in [(&negatives[..n], n_counts), (&positives[..p], p_counts)] {
        for &key in rest.iter().rev() {
            place += usize::from(key != last);
            last = key;
            keys[place] = key;
            counts[place] += 1;
        }
    }
    place + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::dtype::key_of_f64;
    use crate::groups::made::random;

    /// The keys and classes of rows, sorted by key.
    fn naive<K: Key>(keys: &[K], middle: usize) -> Vec<(K, bool)> {
        let rows = keys.iter().enumerate();
        let mut rows: Vec<(K, bool)> = rows.map(|(row, &key)| (key, row >= middle)).collect();
        rows.sort_unstable();
        rows
    }

    fn check<K: Key>(sorter: &mut Sorter, keys: &[K], middle: usize) {
        let (words, folding) = sorter.sorted(keys, middle).unwrap();
        let mut found: Vec<(K, bool)> =
            words.iter().map(|&word| (folding.key(word), word & 1 == 1)).collect();
        assert!(found.is_sorted_by_key(|row| row.0));
        found.sort_unstable();
        assert_eq!(found, naive(keys, middle));
    }

    #[test]
    fn words_are_the_sorted_rows() {
        let mut random = random(5);
        let mut sorter = Sorter::default();
        for rows in [1, 2, 40, 100, 1000, 5000, 20_000] {
            for shape in 0..6 {
                let keys: Vec<u64> = (0..rows)
                    .map(|row| {
                        let unit = random(1 << 30) as f64 / f64::from(1 << 30);
                        key_of_f64(match shape {
                            0 => unit,
                            1 => (unit / (1.0 - unit)).ln(),
                            2 => unit.powi(300),
                            3 => (unit * 7.0).floor() - 3.0,
                            // One row far from all others.
                            4 if row == 0 => -1e300,
                            4 => 1.0 + unit * 1e-9,
                            _ => -unit,
                        })
                    })
                    .collect();
                let middle = random(rows as u64 + 1) as usize;
                check(&mut sorter, &keys, middle);
                let narrow: Vec<u32> = keys.iter().map(|key| (key >> 32) as u32).collect();
                check(&mut sorter, &narrow, middle);
            }
        }
    }

    #[test]
    fn keys_without_a_bit_to_spare_are_left_to_others() {
        let mut sorter = Sorter::default();
        assert!(sorter.sorted(&[0, u64::MAX], 1).is_some()); // two halves of one key each
        let halves = [0, (1 << 63) - 1, 1 << 63, u64::MAX];
        assert!(sorter.sorted(&halves, 1).is_none());
        check(&mut sorter, &halves[..2], 1);
        check(&mut sorter, &halves[2..], 2);
        check(&mut sorter, &[0, u32::MAX, 1 << 31, (1 << 31) - 1], 3);
    }
}
