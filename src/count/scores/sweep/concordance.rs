//! How well scores order amounts: pairs of rows in the same and in the opposite order.
//!
//! ```text
//! s[i] = pairs of row i that outcome and score order alike, less those in the opposite order
//! u[i] = rows with another outcome than row i
//! Somers' D = Σ s / Σ u
//! ```
//!
//! 1. Rows are sorted by outcome. Each gets its rank: the rows with a lower outcome.
//! 2. Rows are sorted by score, and among equal scores by rank. Row i is now at place p, and
//!    `s[i] = 4 b + 2 (q - p) - 3 rank - upto + rows - w`. Here b rows before it have a lower rank,
//!    `upto` rows an outcome up to its own, and w rows of its score another outcome; q is its place
//!    among rows sorted by (outcome, p). Equal scores count as rising; w takes that back.
//! 3. A stable sort by the bits of the rank, from the highest down, counts b: in each group of
//!    equal higher bits, a row whose bit is 1 gains the rows before it whose bit is 0. There are no
//!    branches to mispredict, and groups soon fit the cache.
//! 4. s has 32 bits with its sign, so it is counted modulo 2^32. All sums are integers.
//! 5. The Gini coefficient is the sum of amount · (twice the mean place among equal scores), by
//!    the same sum with places by outcome. An amount is cut into three parts of 18 bits. The product of
//!    a part and a place is exact, and so is the sum of the products.
//!
//! Cost: two sorts by buckets, and 1 to 2 ns for each row and bit of the number of rows. Memory: up
//! to 44 bytes a row.
//!
//! Sources: Somers 1962, doi:10.2307/2090408; Newson 2002, doi:10.1177/1536867X0200200103; Knight
//! 1966, doi:10.1080/01621459.1966.10480879 (pairs counted by sorting). The Gini coefficient
//! divided by that of the best order: Schechtman, Yitzhaki 1987, doi:10.1080/03610928708829359.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::arith::exact::Wide;
use crate::arith::fast_sum::{BLOCK, add_block};
use crate::base::column::chunks;
use crate::base::error::{Refusal, Result, check_part};
use crate::base::input::{NanPolicy, Scores};
use crate::base::interrupt;
use crate::base::memory::{Room, in_place, joined, with_room};
use crate::base::threads::{over_items, prefer_huge_pages, zero_room, zeros_in_parts};
use crate::base::wide::{prefetch_read, prefetch_write};
use crate::scores::keys::{Key, Lowered, ScoreKind, ScoreReader, Stop};

use super::auc::{FEW_ROWS, sample_size, wanted_buckets};
use super::partition::{Partition, Payload, Reuse, Splitter};
use super::rows::{Chunk, Rows, scores_near, sorted_sample};

/// The pairs of rows by the order of their outcomes and scores.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Concordance {
    /// The number of rows.
    pub rows: u64,
    /// Pairs in the same order, less those in the opposite order.
    pub balance: i128,
    /// Pairs of one outcome.
    pub same_outcome: u128,
    /// Pairs of one score.
    pub same_score: u128,
    /// Pairs of one outcome and one score.
    pub same_both: u128,
    /// The sums of s², s u and u² over the rows.
    pub squares: [i128; 3],
    /// The Gini coefficient divided by that of the order of the outcomes; `None` if all outcomes
    /// are equal.
    pub gini: Option<f64>,
}

/// Sums up to here are counted in 32 bits.
const MOST_ROWS: usize = (1 << 31) - 1;

/// Counts the pairs of all rows.
///
/// # Errors
/// Columns of different lengths or without rows; a value that is not finite; more than 2^31 - 1
/// rows.
///
/// ```
/// use rocksteady_count::base::column::Column;
/// use rocksteady_count::base::input::Scores;
/// use rocksteady_count::scores::sweep::concordance::concordance;
///
/// let outcome = Scores::F64(Column::from_slice(&[10.0, 20.0, 40.0, 40.0]));
/// let scores = Scores::F64(Column::from_slice(&[0.1, 0.5, 0.3, 0.5]));
/// let found = concordance(&outcome, &scores)?;
/// // 3 in the same order, 1 in the opposite one, 1 of one score; and 1 of one outcome.
/// assert_eq!((found.balance, found.same_score, found.same_outcome), (2, 1, 1));
/// # Ok::<(), rocksteady_count::base::error::Refusal>(())
/// ```
pub fn concordance(outcome: &Scores, scores: &Scores) -> Result<Concordance> {
    let rows = check_part(&[("outcome", outcome.len()), ("scores", scores.len())], false)?;
    if rows > MOST_ROWS {
        let expected = "at most 2**31 - 1 rows";
        return Err(Refusal::argument("outcome", format!("a column of {rows} rows"), expected));
    }
    let mut found = Concordance { rows: rows as u64, ..Concordance::default() };
    let (ranks, amounts, best) = if ScoreKind::of(outcome).is_wide() {
        ranks_of::<u64>(outcome, &mut found)
    } else {
        ranks_of::<u32>(outcome, &mut found)
    }
    .map_err(Stop::refusal)?;
    let (mut tallies, own) = if ScoreKind::of(scores).is_wide() {
        by_score::<u64>(scores, &ranks, &amounts, &mut found)
    } else {
        by_score::<u32>(scores, &ranks, &amounts, &mut found)
    }
    .map_err(Stop::refusal)?;
    drop((ranks, amounts));
    found.gini = (best != 0.0).then(|| own / best);
    add_pairs(&mut tallies, &mut found)?;
    Ok(found)
}

/// A column, and a place for each row: that which is given, or its number.
struct Placed<'a> {
    reader: ScoreReader<'a>,
    places: Option<&'a [u32]>,
}

impl<K: Lowered> Rows<K> for Placed<'_> {
    fn rows(&self) -> usize {
        self.reader.scores.len()
    }

    fn sample(&self, row: usize) -> Option<K> {
        let (mut key, mut code) = ([K::default()], [0]);
        self.reader.lower(row..row + 1, &mut key, &mut code).ok()?;
        Some(key[0])
    }

    fn prefetch(&self, rows: Range<usize>) {
        let all = self.reader.scores.len();
        scores_near(&self.reader.scores, rows.start.min(all)..rows.end.min(all));
    }

    fn lower(&self, rows: Range<usize>, chunk: &mut Chunk<K>) -> std::result::Result<(), Stop> {
        chunk.len = rows.len();
        let codes = &mut chunk.codes[..rows.len()];
        self.reader.lower(rows.clone(), &mut chunk.keys[..rows.len()], codes)?;
        chunk.places.clear();
        match self.places {
            Some(places) => chunk.places.grow_by(&places[rows]),
            None => chunk.places.grow_with(rows.map(|row| row as u32)),
        }
        Ok(())
    }
}

/// A key and the place of its row.
#[derive(Clone, Copy)]
struct Row<K> {
    key: K,
    place: u32,
}

impl<K: Key> Payload<K> for Row<K> {
    fn of<'a>(chunk: &'a Chunk<K>, scratch: &'a mut Vec<Self>) -> &'a [Self] {
        scratch.clear();
        let rows = chunk.keys[..chunk.len].iter().zip(&chunk.places);
        scratch.grow_with(rows.map(|(&key, &place)| Self { key, place }));
        scratch
    }
}

/// The rows by key, and by place among equal keys, in consecutive parts that no key crosses.
fn sorted<K: Lowered>(rows: &Placed<'_>) -> std::result::Result<Parts<K>, Stop> {
    // One number is compared without a branch.
    let order = |row: &Row<K>| u128::from(row.key.wide()) << 32 | u128::from(row.place);
    let sort = |rows: &mut [Row<K>]| rows.sort_unstable_by_key(order);
    let len = rows.reader.scores.len();
    if len <= FEW_ROWS {
        let (mut chunk, mut scratch) = (Chunk::<K>::of(len), Vec::new());
        let mut all = with_room(len);
        for range in chunks(0..len) {
            rows.lower(range, &mut chunk)?;
            all.grow_by(Row::of(&chunk, &mut scratch));
        }
        sort(&mut all);
        return Ok(Parts::of(vec![all]));
    }
    let sample: Vec<K> = sorted_sample(rows, sample_size(len));
    let splitter = Splitter::new(&sample, wanted_buckets(len));
    let partition = Partition::<Row<K>>::from_classes(rows, &splitter, 1, &Reuse::new())?;
    Ok(Parts::of(partition.over_buckets(|buckets| {
        let mut all = with_room(buckets.clone().map(|bucket| partition.len(bucket)).sum());
        for bucket in buckets {
            let start = all.len();
            for piece in partition.pieces(bucket) {
                all.grow_by(piece);
            }
            sort(&mut all[start..]);
        }
        all
    })))
}

/// Prefetch distance in rows, whose places lie in another order.
const AHEAD: usize = 32;

/// Sorted rows in parts, and how many rows come before each.
struct Parts<K> {
    parts: Vec<Vec<Row<K>>>,
    before: Vec<usize>,
}

impl<K: Key> Parts<K> {
    fn of(parts: Vec<Vec<Row<K>>>) -> Self {
        let mut before = with_room(parts.len() + 1);
        before.grow(0);
        for part in &parts {
            before.grow(before[before.len() - 1] + part.len());
        }
        Self { parts, before }
    }

    /// Works on the rows of each key, with the places that they take, by part. `make` makes what a
    /// part gives, for a number of rows; `near` prefetches what a row will need.
    fn each<T: Send>(
        &self,
        make: impl Fn(usize) -> T + Sync,
        near: impl Fn(usize) + Sync,
        work: impl Fn(&mut T, Range<usize>, &[Row<K>]) + Sync,
    ) -> Result<Vec<T>> {
        over_items(self.parts.len(), &|part| self.before[part], (), |parts, ()| {
            let mut found = make(self.before[parts.end] - self.before[parts.start]);
            for part in parts {
                let (rows, first) = (&self.parts[part], self.before[part]);
                let mut at = 0;
                for run in rows.chunk_by(|a, b| a.key == b.key) {
                    interrupt::check_at(at);
                    let end = at + run.len();
                    for row in rows.get(at + AHEAD..end + AHEAD).unwrap_or_default() {
                        near(row.place as usize);
                    }
                    work(&mut found, first + at..first + end, run);
                    at = end;
                }
            }
            Ok(found)
        })
    }
}

/// The number of pairs of so many rows.
fn pairs(rows: usize) -> u128 {
    rows as u128 * (rows.saturating_sub(1)) as u128 / 2
}

/// The exact sum of products of amounts and whole numbers below 2^32.
#[derive(Default)]
struct Products {
    sum: Wide,
    waiting: Vec<f64>,
}

impl Products {
    fn add(&mut self, amount: f64, times: i64) {
        let first = |x: f64| f64::from_bits(x.to_bits() >> 35 << 35);
        let high = first(amount);
        let middle = first(amount - high);
        let times = times as f64;
        let parts = [high, middle, amount - high - middle];
        self.waiting.grow_with(parts.into_iter().map(|part| part * times));
        if self.waiting.len() + parts.len() > BLOCK {
            self.settle();
        }
    }

    fn settle(&mut self) {
        add_block(&mut self.sum, &mut self.waiting);
        self.waiting.clear();
    }

    /// The sum of all, rounded once.
    fn total(all: impl Iterator<Item = Self>) -> f64 {
        let mut sum = Wide::default();
        for mut one in all {
            one.settle();
            let mut carry = false;
            for (limb, more) in sum.0.iter_mut().zip(one.sum.0) {
                let (partial, first) = limb.overflowing_add(more);
                let (total, second) = partial.overflowing_add(u64::from(carry));
                (*limb, carry) = (total, first | second);
            }
        }
        let is_negative = sum.0[Wide::LIMBS - 1] >> 63 == 1;
        if is_negative {
            let mut carry = true;
            for limb in &mut sum.0 {
                (*limb, carry) = (!*limb).overflowing_add(u64::from(carry));
            }
        }
        if is_negative { -sum.value() } else { sum.value() }
    }
}

/// Amounts above 2^900 are made smaller, so that no product is infinite.
const LARGE: f64 = f64::from_bits(1923 << 52);
const SMALLER: f64 = f64::from_bits(923 << 52);

type Ranks = (Vec<u32>, Vec<f64>, f64);

/// The rank of each row by its outcome, the outcomes in ascending order, and the sum of outcome
/// times place.
fn ranks_of<K: Lowered>(
    outcome: &Scores,
    found: &mut Concordance,
) -> std::result::Result<Ranks, Stop> {
    #[derive(Default)]
    struct Found {
        amounts: Vec<f64>,
        same: u128,
        products: Products,
    }
    let rows = outcome.len();
    let reader = reader(*outcome, "outcome");
    let parts = sorted::<K>(&Placed { reader, places: None })?;
    let kind = ScoreKind::of(outcome);
    let amount = |row: &Row<K>| kind.score(row.key.wide());
    let ends = [
        parts.parts.iter().find_map(|part| part.first()),
        parts.parts.iter().rev().find_map(|part| part.last()),
    ];
    let is_large = ends.into_iter().flatten().any(|row| amount(row).abs() > LARGE);
    let scale = if is_large { SMALLER } else { 1.0 };
    let mut ranks = zero_room::<u32>("outcome", rows)?;
    prefer_huge_pages(&mut ranks);
    let ranks = in_place(ranks, AtomicU32::new);
    let make = |rows| {
        let mut amounts: Vec<f64> = with_room(rows);
        prefer_huge_pages(amounts.spare_capacity_mut());
        Found { amounts, ..Found::default() }
    };
    let near = |place: usize| prefetch_write(&raw const ranks[place]);
    let each = parts.each(make, near, |found, places, run| {
        let amount = amount(&run[0]) * scale;
        for row in run {
            ranks[row.place as usize].store(places.start as u32, Ordering::Relaxed);
            found.amounts.grow(amount);
            found.products.add(amount, middle(&places, rows));
        }
        found.same += pairs(run.len());
    })?;
    drop(parts);
    found.same_outcome = each.iter().map(|found| found.same).sum();
    let (mut amounts, mut products) = (with_room(each.len()), with_room(each.len()));
    for found in each {
        amounts.grow(found.amounts);
        products.grow(found.products);
    }
    let best = Products::total(products.into_iter());
    Ok((in_place(ranks, AtomicU32::into_inner), joined(amounts), best))
}

fn reader<'a>(scores: Scores<'a>, argument: &'static str) -> ScoreReader<'a> {
    ScoreReader { scores, nan_policy: NanPolicy::Raise, infinite: false, argument }
}

/// Twice the mean of places, less that of all places.
fn middle(places: &Range<usize>, rows: usize) -> i64 {
    (places.start + places.end) as i64 - rows as i64
}

/// A row in 64 bits: its rank, and the part of s that is known, modulo 2^32.
const RANK: u32 = 32;

/// The rows in the order of scores, and the sum of outcome times place.
fn by_score<K: Lowered>(
    scores: &Scores,
    ranks: &[u32],
    amounts: &[f64],
    found: &mut Concordance,
) -> std::result::Result<(Vec<u64>, f64), Stop> {
    #[derive(Default)]
    struct Found {
        tallies: Vec<u64>,
        same: u128,
        same_both: u128,
        products: Products,
    }
    let parts = sorted::<K>(&Placed { reader: reader(*scores, "scores"), places: Some(ranks) })?;
    let make = |rows| Found { tallies: with_room(rows), ..Found::default() };
    let near = |rank: usize| prefetch_read(&raw const amounts[rank]);
    let each = parts.each(make, near, |found, places, run| {
        let mut at = places.start as u32;
        for alike in run.chunk_by(|a, b| a.place == b.place) {
            let rank = alike[0].place;
            let others = (run.len() - alike.len()) as u32;
            let amount = amounts[rank as usize];
            for _ in alike {
                let known = at.wrapping_mul(2).wrapping_add(others).wrapping_neg();
                found.tallies.grow(u64::from(rank) << RANK | u64::from(known));
                found.products.add(amount, middle(&places, ranks.len()));
                at += 1;
            }
            found.same_both += pairs(alike.len());
        }
        found.same += pairs(run.len());
    })?;
    drop(parts);
    found.same_score = each.iter().map(|found| found.same).sum();
    found.same_both = each.iter().map(|found| found.same_both).sum();
    let (mut tallies, mut products) = (with_room(each.len()), with_room(each.len()));
    for found in each {
        tallies.grow(found.tallies);
        products.grow(found.products);
    }
    Ok((joined(tallies), Products::total(products.into_iter())))
}

/// The groups that are shared out among threads.
const GROUPS: usize = 16;

/// Sorts the rows by rank, and adds the pairs of each.
fn add_pairs(tallies: &mut [u64], found: &mut Concordance) -> Result<()> {
    let rows = tallies.len();
    let mut bits = usize::BITS - (rows - 1).leading_zeros();
    let mut scratch: Vec<u64> = zeros_in_parts(rows);
    let mut groups = vec![tallies];
    while groups.len() < GROUPS && bits > 0 && rows > FEW_ROWS {
        bits -= 1;
        let mut halves = with_room(2 * groups.len());
        for group in groups {
            let zeros = split(group, bits, &mut scratch);
            let (low, high) = group.split_at_mut(zeros);
            halves.grow(low);
            halves.grow(high);
        }
        groups = halves;
    }
    drop(scratch);
    let mut before = with_room(groups.len() + 1);
    before.grow(0);
    for group in &groups {
        before.grow(before[before.len() - 1] + group.len());
    }
    let sums = over_items(groups.len(), &|group| before[group], &mut groups[..], |range, own| {
        let room = own.iter().map(|group| group.len()).max().unwrap_or(0);
        let mut scratch = vec![0; room];
        let mut sums = [0_i128; 4];
        for (group, start) in own.iter_mut().zip(&before[range]) {
            count(group, bits, &mut scratch);
            add_sums(group, *start, rows, &mut sums);
        }
        Ok(sums)
    })?;
    let total = |at: usize| sums.iter().map(|sums| sums[at]).sum::<i128>();
    found.balance = total(0) / 2;
    found.squares = [total(1), total(2), total(3)];
    Ok(())
}

/// Moves rows with a bit of the rank of 0 before the others, all in their order; each of the
/// others gains four times the rows before it that have 0. Returns how many have 0.
fn split(rows: &mut [u64], bit: u32, scratch: &mut [u64]) -> usize {
    let mut zeros = 0;
    for at in 0..rows.len() {
        let row = rows[at];
        // Both are written, and the wrong one is written over.
        rows[zeros] = row;
        scratch[at - zeros] = gained(row, zeros);
        zeros += 1 - (row >> (RANK + bit) & 1) as usize;
    }
    let ones = rows.len() - zeros;
    rows[zeros..].copy_from_slice(&scratch[..ones]);
    zeros
}

/// A row with four times so many rows more.
#[inline]
fn gained(row: u64, rows: usize) -> u64 {
    let known = (row as u32).wrapping_add((rows as u32).wrapping_mul(4));
    row >> RANK << RANK | u64::from(known)
}

/// Up to this many rows, each is compared with all before it.
const FEW: usize = 16;

/// Sorts rows that are equal above so many bits of the rank, and counts for each the rows before it
/// with a lower rank.
fn count(rows: &mut [u64], bits: u32, scratch: &mut [u64]) {
    if rows.len() <= FEW {
        for at in 1..rows.len() {
            let row = rows[at];
            let (mut lower, mut upto) = (0, 0);
            for other in &rows[..at] {
                lower += usize::from(other >> RANK < row >> RANK);
                upto += usize::from(other >> RANK <= row >> RANK);
            }
            rows.copy_within(upto..at, upto + 1);
            rows[upto] = gained(row, lower);
        }
    } else if bits > 0 {
        interrupt::check();
        let zeros = split(rows, bits - 1, scratch);
        let (low, high) = rows.split_at_mut(zeros);
        count(low, bits - 1, scratch);
        count(high, bits - 1, scratch);
    }
}

/// Adds s, s², s u and u² of rows sorted by rank, the first of which is at place `start`.
fn add_sums(group: &[u64], start: usize, rows: usize, sums: &mut [i128; 4]) {
    let mut start = start;
    for run in group.chunk_by(|a, b| a >> RANK == b >> RANK) {
        interrupt::check_at(start);
        let (rank, end) = (start, start + run.len());
        let others = (rows - run.len()) as i128;
        let mut own = 0;
        for (place, &row) in (start..end).zip(run) {
            let known = (2 * place + rows) as i64 - (3 * rank + end) as i64;
            let s = (row as u32).wrapping_add(known as u32) as i32;
            own += i64::from(s);
            sums[1] += i128::from(i64::from(s) * i64::from(s));
        }
        sums[0] += i128::from(own);
        sums[2] += i128::from(own) * others;
        sums[3] += run.len() as i128 * others * others;
        start = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::threads::set_threads;
    use proptest::prelude::*;
    use std::cmp::Ordering::{Equal, Greater, Less};

    /// Each pair by itself.
    fn naive(outcome: &[f64], scores: &[f64]) -> Concordance {
        let rows = outcome.len();
        let mut found = Concordance { rows: rows as u64, ..Concordance::default() };
        let sign = |order| match order {
            Less => -1,
            Equal => 0,
            Greater => 1,
        };
        for i in 0..rows {
            let (mut s, mut u) = (0_i128, 0_i128);
            for j in 0..rows {
                let order = |values: &[f64]| sign(values[i].partial_cmp(&values[j]).unwrap());
                let (a, b) = (order(outcome), order(scores));
                s += a * b;
                u += a * a;
                if i < j {
                    found.same_outcome += u128::from(a == 0);
                    found.same_score += u128::from(b == 0);
                    found.same_both += u128::from(a == 0 && b == 0);
                }
            }
            found.balance += s;
            for (sum, more) in found.squares.iter_mut().zip([s * s, s * u, u * u]) {
                *sum += more;
            }
        }
        found.balance /= 2;
        let place = |values: &[f64], i: usize| {
            let counts = values.iter().map(|other| sign(values[i].partial_cmp(other).unwrap()));
            counts.sum::<i128>() as f64
        };
        let sum =
            |values: &[f64]| -> f64 { (0..rows).map(|i| outcome[i] * place(values, i)).sum() };
        let best = sum(outcome);
        found.gini = (best != 0.0).then(|| sum(scores) / best);
        found
    }

    fn found(outcome: &[f64], scores: &[f64]) -> Concordance {
        let columns = [outcome, scores].map(|column| Scores::F64(Column::from_slice(column)));
        concordance(&columns[0], &columns[1]).unwrap()
    }

    proptest! {
        #[test]
        fn pairs_are_those_of_all_pairs(
            rows in prop::collection::vec((-20_i8..20, -30_i8..30), 1..300),
            cut in 1_i8..12,
        ) {
            let outcome: Vec<f64> = rows.iter().map(|row| f64::from(row.0 / cut)).collect();
            let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.1 / cut) / 8.0).collect();
            let expected = naive(&outcome, &scores);
            prop_assert_eq!(found(&outcome, &scores), expected);
            // The same values in other types.
            let (whole, single): (Vec<i16>, Vec<f32>) =
                outcome.iter().zip(&scores).map(|(&y, &s)| (y as i16, s as f32)).unzip();
            let other = concordance(&Scores::I16(Column::from_slice(&whole)), &Scores::F32(Column::from_slice(&single)));
            prop_assert_eq!(other.unwrap(), expected);
        }
    }

    #[test]
    fn parts_and_groups_change_nothing() {
        let mut state = 1_u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 33) % below) as f64
        };
        for (rows, below) in [(6000, 1 << 30), (9000, 50), (5000, 2)] {
            let outcome: Vec<f64> = (0..rows).map(|_| random(below) / 3.0).collect();
            let scores: Vec<f64> = outcome.iter().map(|y| y + random(2 * below)).collect();
            let expected = naive(&outcome, &scores);
            let mut all = [1, 3].map(|threads| {
                set_threads(Some(threads)).unwrap();
                found(&outcome, &scores)
            });
            set_threads(None).unwrap();
            assert_eq!(all[0], all[1]);
            let gini = all[0].gini.take().unwrap();
            assert!((gini - expected.gini.unwrap()).abs() < 1e-12);
            assert_eq!(all[0], Concordance { gini: None, ..expected });
        }
    }

    #[test]
    fn amounts_of_any_size_have_a_gini_coefficient() {
        let scores = [1.0, 3.0, 2.0, 4.0];
        let expected = found(&[0.0, 1.0, 2.0, 7.0], &scores).gini;
        for scale in [f64::MAX / 8.0, 1.0, -1.0, 2.0 * f64::MIN_POSITIVE, f64::from_bits(1)] {
            let outcome = [0.0, 1.0, 2.0, 7.0].map(|amount| amount * scale);
            let scores = scores.map(|score| score * scale.signum());
            let found = found(&outcome, &scores).gini.unwrap();
            assert!((found - expected.unwrap()).abs() < 1e-15, "{scale}");
        }
        assert_eq!(found(&[3.0, 3.0], &[1.0, 2.0]).gini, None);
        assert_eq!(found(&[3.0], &[1.0]), Concordance { rows: 1, ..Concordance::default() });
    }
}
