//! Sums and differences of score tables, and tables combined from the rows of single classes.
//!
//! ```text
//! i = j = 0
//! while either table has keys left:
//!     key = the greater of x[i] and y[j]
//!     advance i if x[i] is key; advance j if y[j] is key
//!     emit key with total_x[i] + total_y[j], the totals of all keys so far
//! ```
//!
//! The code below differs from this in two ways: a selection replaces the branch on the greater
//! key, and keys are written to a buffer before they are kept.
//!
//! 1. Both tables are brought to the narrowest kind of score that holds all their scores exactly.
//! 2. Their descending keys are merged into one list. Each key gets two places: the numbers of keys
//!    of either table at or above it.
//! 3. The running totals at those places are added: counts as integers, weights as exact sums. So
//!    the sum is, bit for bit, the table of the pooled rows.
//!
//! 4. Subtraction works in the same way: the running totals of the other table at the own keys are
//!    subtracted. A score without remaining rows disappears.
//!
//! Cost: one walk over both tables, O(n + m). Doubt: adding many tables in a tree copies each row
//! once for each level; only tables of counts with few ties avoid this (`pooled.rs`).

use std::borrow::Cow;

use crate::arith::exact::{ExactSums, Fixed, Sums};
use crate::arith::weight_kind::{KINDS, WeightKind, added, other_squares, subtracted};
use crate::base::column::{CHUNK, chunks};
use crate::base::dtype::Number;
use crate::base::error::{Refusal, Result};
use crate::base::input::{Label, LabelKind};
use crate::base::interrupt;
use crate::base::memory::{Gather, Room, with_room, zeros};
use crate::base::threads::prefer_huge_pages;
use crate::labels::binary::Pair;
use crate::labels::binary_labels::{BinaryLabels, difference_of_labels};
use crate::scores::keys::{Keys, ScoreKind, TableKey};
use crate::scores::score_table::{Masses, ScoreTable};

impl ScoreTable {
    /// Adds the table of other rows. A table without rows changes only the known labels.
    ///
    /// # Errors
    /// [`Refusal::Merge`] if there are more than two labels between them, if they differ in which
    /// is positive, if one has weights and the other counts, if their weights are of two kinds, or
    /// if no type holds the scores of both exactly.
    pub fn add(&self, other: &Self) -> Result<Self> {
        match (self.is_empty(), other.is_empty()) {
            (false, true) => self.add_no_rows(other),
            (true, false) => other.add_no_rows(self),
            (true, true) => self.add_nothing(other),
            (false, false) => self.pool(other),
        }
    }

    /// The table of no rows, with the labels known to either.
    fn add_nothing(&self, other: &Self) -> Result<Self> {
        let labels = self.labels().add(other.labels())?;
        let is_weighted = self.is_weighted() || other.is_weighted();
        let is_sampling = self.squares().is_some() || other.squares().is_some();
        let kind = self.kind().common(other.kind()).unwrap_or(f64::KIND);
        let weight_kind = WeightKind::of(is_sampling);
        Ok(Self::empty_with(kind, is_weighted, weight_kind, labels))
    }

    /// This table, with the labels known to a table without rows.
    ///
    /// # Errors
    /// Like [`Self::add`].
    pub(crate) fn add_no_rows(&self, other: &Self) -> Result<Self> {
        if other.squares().is_some() && self.squares().is_none() {
            return Err(merge(KINDS.to_owned()));
        }
        let labels = self.labels().add_no_rows(other.labels())?;
        Ok(self.faced(&labels))
    }

    fn faced(&self, union: &BinaryLabels) -> Self {
        let squares = self.squares().map(|squares| Box::new(squares.faced(union)));
        let (keys, masses) = (self.keys().clone(), self.facing(union).into_owned());
        Self::from_sweep(self.kind(), keys, masses, union.clone()).beside(squares)
    }

    /// Like [`Self::add`], but a table without rows keeps its kind of scores and of weights: for
    /// tables that must stay of one kind.
    ///
    /// # Errors
    /// Like [`Self::add`].
    pub(crate) fn pool(&self, other: &Self) -> Result<Self> {
        let labels = self.labels().add(other.labels())?;
        let kind = self.common_kind(other).map_err(merge)?;
        let (a, b) = (self.facing(&labels), other.facing(&labels));
        let (left, right) = (self.keys_as(kind), other.keys_as(kind));
        let (keys, masses) = match (&*left, &*right) {
            (Keys::Narrow(x), Keys::Narrow(y)) => union(x, y, &a, &b)?,
            (Keys::Wide(x), Keys::Wide(y)) => union(x, y, &a, &b)?,
            _ => return Err(merge("scores of two widths".to_owned())),
        };
        let squares = added(self.squares(), other.squares(), Self::pool)?;
        Ok(Self::from_sweep(kind, keys, masses, labels).beside(squares))
    }

    /// Subtracts the table of some of these rows: `(a + b) - b` is `a`, bit for bit, if `a` has the
    /// labels and the type of scores of `b`.
    ///
    /// # Errors
    /// [`Refusal::Difference`] for an unknown score, for rows at a score that would become
    /// negative, for different labels, for weights against counts, and for weights of two kinds.
    ///
    /// ```
    /// use rocksteady_count::base::column::Column;
    /// use rocksteady_count::base::input::{Labels, Scores};
    /// use rocksteady_count::scores::sweep::all_thresholds::score_table;
    /// use rocksteady_count::scores::sweep::rows::SweepOptions;
    ///
    /// let table = |labels: &[i64], scores: &[f64]| {
    ///     let labels = Labels::I64(Column::from_slice(labels));
    ///     let scores = Scores::F64(Column::from_slice(scores));
    ///     score_table(&labels, &scores, None, &SweepOptions::default())
    /// };
    /// let week = table(&[0, 1, 1, 0, 1], &[0.1, 0.9, 0.4, 0.4, 0.4])?;
    /// let monday = table(&[1, 0], &[0.4, 0.1])?;
    /// let rest = week.subtract(&monday)?;
    /// assert_eq!(rest.scores(), [0.9, 0.4]);
    /// assert_eq!(rest.add(&monday)?, week);
    /// # Ok::<(), rocksteady_count::base::error::Refusal>(())
    /// ```
    pub fn subtract(&self, other: &Self) -> Result<Self> {
        let labels = difference_of_labels(self.labels(), other.labels())?;
        if other.is_empty() && (self.squares().is_some() || other.squares().is_none()) {
            return Ok(self.clone());
        }
        let kind = self.common_kind(other).map_err(less)?;
        let (a, b) = (self.masses(), other.facing(&labels));
        let (own, their) = (self.keys_as(kind), other.keys_as(kind));
        let rest = match (&*own, &*their) {
            (Keys::Narrow(x), Keys::Narrow(y)) => rest(x, y, a, &b),
            (Keys::Wide(x), Keys::Wide(y)) => rest(x, y, a, &b),
            _ => return Err(less("scores of two widths".to_owned())),
        };
        let (keys, masses) = rest.map_err(|stop| stop.refusal(kind))?;
        let table = Self::from_sweep(kind, keys, masses, labels);
        match subtracted(self.squares(), other.squares(), Self::subtract)? {
            None => Ok(table),
            Some(squares) => table.with_squares(*squares).map_err(|_| other_squares()),
        }
    }

    /// The masses with the classes of `union`.
    fn facing(&self, union: &BinaryLabels) -> Cow<'_, Masses> {
        if self.labels().turned(union) {
            Cow::Owned(self.turned_masses())
        } else {
            Cow::Borrowed(self.masses())
        }
    }

    /// The keys in a kind that holds them exactly.
    fn keys_as(&self, kind: ScoreKind) -> Cow<'_, Keys> {
        if kind == self.kind() {
            Cow::Borrowed(self.keys())
        } else {
            Cow::Owned(promoted(self.keys(), self.kind(), kind))
        }
    }

    /// Where the scores of `other` lie among the scores of this table: for each of them, high to
    /// low, the positives above it, the positives at or above it, and the same of negatives. None
    /// if one table has weights.
    ///
    /// # Errors
    /// [`Refusal::Merge`] if no type holds the scores of both exactly.
    pub fn placements(&self, other: &Self) -> Result<Option<[Vec<u64>; 4]>> {
        let (Masses::Counts(p, n), Masses::Counts(..)) = (self.masses(), other.masses()) else {
            return Ok(None);
        };
        if self.is_empty() {
            return Ok(Some([(); 4].map(|()| zeros(other.len()))));
        }
        let kind = self.common_kind(other).map_err(merge)?;
        Ok(match (&*self.keys_as(kind), &*other.keys_as(kind)) {
            (Keys::Narrow(x), Keys::Narrow(y)) => Some(placements(x, y, [p, n])),
            (Keys::Wide(x), Keys::Wide(y)) => Some(placements(x, y, [p, n])),
            _ => None,
        })
    }

    /// The narrowest kind of score that holds all scores of both tables exactly.
    fn common_kind(&self, other: &Self) -> std::result::Result<ScoreKind, String> {
        let kinds = [(self.kind(), self.keys()), (other.kind(), other.keys())];
        common_kind_of(kinds).ok_or_else(|| {
            format!("no type holds scores of {:?} and {:?} exactly", self.kind(), other.kind())
        })
    }

    /// The table with these rows as positives and the rows of `rest` as negatives. Both must have
    /// only positives, and scores and weights of one kind; otherwise none.
    pub(crate) fn against(&self, rest: &Self) -> Option<Self> {
        let (positives, negatives) = (self.masses(), rest.turned_masses());
        let (keys, masses) = match (self.keys(), rest.keys()) {
            (Keys::Narrow(x), Keys::Narrow(y)) => union(x, y, positives, &negatives),
            (Keys::Wide(x), Keys::Wide(y)) => union(x, y, positives, &negatives),
            _ => return None,
        }
        .ok()?;
        let labels = BinaryLabels {
            pair: Pair { negative: Some(Label::Int(0)), positive: Some(Label::Int(1)) },
            pos_label: Some(Label::Int(1)),
            kind: LabelKind::Bool,
        };
        let squares = match (self.squares(), rest.squares()) {
            (Some(own), Some(their)) => Some(Box::new(own.against(their)?)),
            (None, None) => None,
            _ => return None,
        };
        Some(Self::from_sweep(self.kind(), keys, masses, labels).beside(squares))
    }
}

fn merge(reason: String) -> Refusal {
    Refusal::Merge { reason }
}

fn less(reason: String) -> Refusal {
    Refusal::Difference { reason }
}

/// A place with more rows to subtract than it has, whether they are positives, and both masses.
type Excess = (usize, bool, [f64; 2]);

/// Why rows cannot be subtracted.
enum NoPart {
    /// A score that is not in the table.
    Score(u64),
    /// A score with too few rows: its key, whether they are positives, and both masses.
    Mass(u64, bool, [f64; 2]),
    /// The remaining rows would have no weight, or be fewer than the remaining scores.
    Rows,
    /// One table has weights, the other counts.
    Weights,
}

impl NoPart {
    fn refusal(self, kind: ScoreKind) -> Refusal {
        let score = |key: u64| match kind.integer(key) {
            Some(integer) => integer.to_string(),
            None => kind.score(key).to_string(),
        };
        less(match self {
            Self::Score(key) => {
                let score = score(key);
                format!("there are rows of score {score}, but none in what they are taken from")
            }
            Self::Mass(key, is_positive, [own, their]) => {
                let class = if is_positive { "positives" } else { "negatives" };
                let score = score(key);
                format!("{class} of score {score}: {own} less {their} is below zero")
            }
            Self::Rows => "the rows that are left are not as many as their weights need".to_owned(),
            Self::Weights => "one has weights and the other has none".to_owned(),
        })
    }
}

/// See [`ScoreTable::placements`].
fn placements<K: TableKey>(own: &[K], their: &[K], [p, n]: [&[u64]; 2]) -> [Vec<u64>; 4] {
    let mut found = [(); 4].map(|()| with_room(their.len()));
    let total = |masses: &[u64], end: usize| end.checked_sub(1).map_or(0, |place| masses[place]);
    let mut above = 0;
    for (place, key) in their.iter().enumerate() {
        if place.is_multiple_of(CHUNK) {
            interrupt::check();
        }
        while own.get(above).is_some_and(|own| own > key) {
            above += 1;
        }
        let reached = above + usize::from(own.get(above) == Some(key));
        let totals = [total(p, above), total(p, reached), total(n, above), total(n, reached)];
        for (column, total) in found.iter_mut().zip(totals) {
            column.grow(total);
        }
    }
    found
}

/// Subtracts a table with the same kind of keys and the same classes.
fn rest<K: TableKey>(
    x: &[K],
    y: &[K],
    a: &Masses,
    b: &Masses,
) -> std::result::Result<(Keys, Masses), NoPart> {
    // For each own key, the number of the other's keys at or above it.
    let mut from = with_room(x.len());
    let mut j = 0;
    for (place, &key) in x.iter().enumerate() {
        if place.is_multiple_of(CHUNK) {
            interrupt::check();
        }
        match y.get(j) {
            Some(&other) if other > key => return Err(NoPart::Score(other.wide())),
            Some(&other) if other == key => j += 1,
            _ => {}
        }
        from.grow(j);
    }
    if let Some(&other) = y.get(j) {
        return Err(NoPart::Score(other.wide()));
    }
    let mass = |(place, is_positive, masses)| {
        let key: K = x[place];
        NoPart::Mass(key.wide(), is_positive, masses)
    };
    let (masses, kept) = match (a, b) {
        (Masses::Counts(p, n), Masses::Counts(q, m)) => {
            let both = running_rest([p, n], [q, m], &from, |a, b| a - b, |count| count as f64);
            let ([p, n], kept) = both.map_err(mass)?;
            let take = |counts: &[u64]| kept.iter().map(|&place| counts[place]).gather();
            (Masses::Counts(take(&p), take(&n)), kept)
        }
        (Masses::Weights(a), Masses::Weights(b)) => {
            fn run<F: Fixed>(
                own: &[F],
                their: &[F],
                from: &[usize],
                quantum: i32,
            ) -> std::result::Result<(Vec<F>, Vec<usize>), Excess> {
                let (p, n) = own.split_at(own.len() / 2);
                let (q, m) = their.split_at(their.len() / 2);
                let read = |sum: F| sum.to_f64(quantum);
                let ([mut p, n], kept) = running_rest([p, n], [q, m], from, F::minus, read)?;
                p.grow_with(n);
                Ok((p, kept))
            }
            let weights = a.span().weights.checked_sub(b.span().weights);
            let (own, their) = a.alike(b);
            let (span, quantum) = (own.span(), own.span().quantum());
            let (sums, kept) = match (own.sums(), their.sums()) {
                (Sums::Narrow(own), Sums::Narrow(their)) => {
                    let (sums, kept) = run(own, their, &from, quantum).map_err(mass)?;
                    (Sums::Narrow(sums), kept)
                }
                (Sums::Wide(own), Sums::Wide(their)) => {
                    let (sums, kept) = run(own, their, &from, quantum).map_err(mass)?;
                    (Sums::Wide(sums), kept)
                }
                _ => return Err(NoPart::Weights),
            };
            let weights = weights.filter(|&weights| weights >= kept.len() as u64);
            let weights = weights.filter(|&weights| (weights == 0) == kept.is_empty());
            let weights = weights.ok_or(NoPart::Rows)?;
            let len = x.len();
            let places: Vec<usize> =
                kept.iter().copied().chain(kept.iter().map(|&place| len + place)).gather();
            // The same span has the same width.
            let sums = ExactSums::from_parts(span, sums).unwrap_or_else(|| ExactSums::new(0));
            let sums = sums.taken(&places);
            (Masses::from_weights(sums, weights), kept)
        }
        _ => return Err(NoPart::Weights),
    };
    let keys = kept.iter().map(|&place| x[place]).gather();
    Ok((K::keys(keys), masses))
}

/// Running totals of two classes minus other totals, read at `from`, and the places where the
/// difference of neighbouring results is not zero.
///
/// # Errors
/// The first place where a class has too few rows, whether it is the first class, and both masses.
fn running_rest<A: Copy + Default + Ord>(
    own: [&[A]; 2],
    their: [&[A]; 2],
    from: &[usize],
    minus: impl Fn(A, A) -> A,
    read: impl Fn(A) -> f64,
) -> std::result::Result<([Vec<A>; 2], Vec<usize>), Excess> {
    let (mut totals, mut kept) = ([with_room(from.len()), with_room(from.len())], Vec::new());
    let mut before = [[A::default(); 2]; 2];
    for (place, &upto) in from.iter().enumerate() {
        let mut is_left = false;
        for class in 0..2 {
            let at = own[class][place];
            let less = upto.checked_sub(1).map_or(A::default(), |last| their[class][last]);
            let [at_before, less_before] = before[class];
            let (here, taken) = (minus(at, at_before), minus(less, less_before));
            if here < taken {
                return Err((place, class == 0, [read(here), read(taken)]));
            }
            is_left |= here > taken;
            totals[class].grow(minus(at, less));
            before[class] = [at, less];
        }
        if is_left {
            kept.grow(place);
        }
    }
    Ok((totals, kept))
}

/// Whether the score of a key is an integer outside the range in which doubles hold every integer.
pub(crate) fn is_large(kind: ScoreKind, key: u64) -> bool {
    let integer = kind.integer(key).unwrap_or(0);
    integer.unsigned_abs() > 1 << f64::MANTISSA_DIGITS
}

/// The narrowest kind that holds exactly these scores: 64-bit integers combine with floats as long
/// as doubles hold them.
pub fn common_kind_of(sides: [(ScoreKind, &Keys); 2]) -> Option<ScoreKind> {
    let [(a, _), (b, _)] = sides;
    let is_exact = |(kind, keys): (ScoreKind, &Keys)| {
        (0..keys.len()).all(|place| !is_large(kind, keys.get(place)))
    };
    a.common(b).or_else(|| sides.into_iter().all(is_exact).then_some(f64::KIND))
}

/// Converts keys to another kind, which holds them exactly.
pub fn promoted(keys: &Keys, from: ScoreKind, to: ScoreKind) -> Keys {
    if from == to {
        return keys.clone();
    }
    let one = |key: u64| -> u64 {
        if let Some(integer) = from.integer(key) {
            return to.key_of_whole(integer);
        }
        match key {
            0 => 0,
            _ if key == from.greatest() => to.greatest(),
            _ => to.key_of_float(from.score(key)),
        }
    };
    let all = (0..keys.len()).map(|place| one(keys.get(place)));
    if to.is_wide() {
        Keys::Wide(all.gather())
    } else {
        Keys::Narrow(all.map(|key| key as u32).gather())
    }
}

/// The number of keys in the buffer.
const BLOCK: usize = 512;

/// Adds two tables with the same kind of keys and the same classes.
pub(crate) fn union<K: TableKey>(
    x: &[K],
    y: &[K],
    a: &Masses,
    b: &Masses,
) -> Result<(Keys, Masses)> {
    let (keys, masses) = match (a, b) {
        (Masses::Counts(p, n), Masses::Counts(q, m)) => {
            let rows = [p, n, q, m]
                .into_iter()
                .try_fold(0_u64, |sum, part| sum.checked_add(part.last().copied().unwrap_or(0)));
            if rows.is_none() {
                return Err(merge("more rows than 64 bits can count".to_owned()));
            }
            let (keys, [p, n]) = united([x, y], [[p, n], [q, m]], |a, b| a + b);
            (keys, Masses::Counts(p, n))
        }
        (Masses::Weights(a), Masses::Weights(b)) => {
            fn run<K: TableKey, F: Fixed>(keys: [&[K]; 2], sums: [&[F]; 2]) -> (Vec<K>, Vec<F>) {
                let sums = sums.map(|sums| <[&[F]; 2]>::from(sums.split_at(sums.len() / 2)));
                let (keys, [mut positives, negatives]) = united(keys, sums, F::plus);
                positives.grow_with(negatives);
                (keys, positives)
            }
            let (own, their) = a.alike(b);
            let (keys, sums) = match (own.sums(), their.sums()) {
                (Sums::Narrow(own), Sums::Narrow(their)) => {
                    let (keys, sums) = run([x, y], [own, their]);
                    (keys, Sums::Narrow(sums))
                }
                (Sums::Wide(own), Sums::Wide(their)) => {
                    let (keys, sums) = run([x, y], [own, their]);
                    (keys, Sums::Wide(sums))
                }
                _ => return Err(merge("sums of two widths".to_owned())),
            };
            let sums = ExactSums::from_parts(own.span(), sums);
            let sums = sums.ok_or_else(|| merge("sums of two widths".to_owned()))?;
            (keys, Masses::Weights(sums))
        }
        _ => return Err(merge("one has weights and the other has none".to_owned())),
    };
    Ok((K::keys(keys), masses))
}

/// The distinct keys of two descending lists, and the sums of their running totals for two classes.
/// No branch depends on the next key.
fn united<K: TableKey, A: Copy + Default>(
    [x, y]: [&[K]; 2],
    [own, their]: [[&[A]; 2]; 2],
    plus: impl Fn(A, A) -> A + Copy,
) -> (Vec<K>, [Vec<A>; 2]) {
    fn room<T>(len: usize) -> Vec<T> {
        let mut room = with_room(len);
        prefer_huge_pages(room.spare_capacity_mut());
        room
    }
    let len = x.len() + y.len();
    let (mut keys, mut sums) = (room(len), [room(len), room(len)]);
    let [p, n] = own.map(|sums| &sums[..x.len()]);
    let [q, m] = their.map(|sums| &sums[..y.len()]);
    let mut block =
        (vec![K::default(); BLOCK], vec![A::default(); BLOCK], vec![A::default(); BLOCK]);
    // The next place of each list; totals are of the places before.
    let (mut i, mut j) = (0, 0);
    let (mut above_x, mut above_y) = ([A::default(); 2], [A::default(); 2]);
    while i < x.len() && j < y.len() {
        interrupt::check();
        let (to, ups, downs) =
            (&mut block.0[..BLOCK], &mut block.1[..BLOCK], &mut block.2[..BLOCK]);
        let mut filled = 0;
        while filled < BLOCK && i < x.len() && j < y.len() {
            let (first, second) = (x[i], y[j]);
            let (of_x, of_y) = (first >= second, second >= first);
            let (here_x, here_y) = ([p[i], n[i]], [q[j], m[j]]);
            above_x = if of_x { here_x } else { above_x };
            above_y = if of_y { here_y } else { above_y };
            to[filled] = if of_x { first } else { second };
            ups[filled] = plus(above_x[0], above_y[0]);
            downs[filled] = plus(above_x[1], above_y[1]);
            filled += 1;
            i += usize::from(of_x);
            j += usize::from(of_y);
        }
        keys.grow_by(&to[..filled]);
        sums[0].grow_by(&ups[..filled]);
        sums[1].grow_by(&downs[..filled]);
    }
    // The remainder of one list.
    let (rest, totals, at, above) =
        if i < x.len() { (x, [p, n], i, above_y) } else { (y, [q, m], j, above_x) };
    for part in chunks(at..rest.len()) {
        interrupt::check();
        keys.grow_by(&rest[part.clone()]);
        for ((sums, totals), &above) in sums.iter_mut().zip(totals).zip(&above) {
            sums.grow_with(totals[part.clone()].iter().map(|&total| plus(total, above)));
        }
    }
    keys.shrink_to_fit();
    sums.iter_mut().for_each(Vec::shrink_to_fit);
    (keys, sums)
}

#[cfg(test)]
mod tests {
    use crate::statistic::Statistic;
    use proptest::prelude::*;

    use super::*;
    use crate::arith::weight_kind::WeightKind;
    use crate::base::column::Column;
    use crate::base::input::{Labels, Scores};
    use crate::scores::sweep::all_thresholds::score_table;
    use crate::scores::sweep::rows::SweepOptions;

    type Row = (i64, i32, f64);

    const KINDS: [Option<WeightKind>; 3] =
        [None, Some(WeightKind::Counts), Some(WeightKind::Sampling)];

    fn table(rows: &[Row], weights: Option<WeightKind>, is_float: bool) -> ScoreTable {
        let labels: Vec<i64> = rows.iter().map(|row| row.0).collect();
        let integers: Vec<i32> = rows.iter().map(|row| row.1).collect();
        let floats: Vec<f64> = rows.iter().map(|row| f64::from(row.1) / 4.0).collect();
        let w: Vec<f64> = rows.iter().map(|row| row.2).collect();
        let scores = if is_float {
            Scores::F64(Column::from_slice(&floats))
        } else {
            Scores::I32(Column::from_slice(&integers))
        };
        let options = SweepOptions {
            pos_label: Some(Label::Int(1)),
            weight_kind: weights.unwrap_or_default(),
            ..SweepOptions::default()
        };
        let labels = Labels::I64(Column::from_slice(&labels));
        let weights = weights.is_some().then(|| Column::from_slice(&w));
        score_table(&labels, &scores, weights, &options).unwrap()
    }

    fn rows() -> impl Strategy<Value = Vec<Row>> {
        let weight = prop_oneof![
            Just(0.0),
            Just(1e-100),
            Just(1e100),
            0.0..3.0_f64,
            (1..9_u8).prop_map(|eighths| f64::from(eighths) / 8.0)
        ];
        let rows = prop::collection::vec((0..2_i64, -9..9_i32, weight), 0..60);
        // Every table has both labels.
        rows.prop_map(|mut rows| {
            rows.extend([(0, 0, 1.0), (1, 1, 0.5)]);
            rows
        })
    }

    proptest! {
        #[test]
        fn what_was_added_is_taken_away(a in rows(), b in rows(), is_float: bool) {
            for kind in KINDS {
                let (one, other) = (table(&a, kind, is_float), table(&b, kind, is_float));
                let sum = one.add(&other).unwrap();
                let rest = sum.subtract(&other).unwrap();
                prop_assert_eq!(&rest, &one);
                prop_assert_eq!(rest.to_bytes(), one.to_bytes());
                prop_assert_eq!(sum.subtract(&one).unwrap().to_bytes(), other.to_bytes());
                let nothing = sum.subtract(&sum).unwrap();
                prop_assert_eq!((nothing.len(), nothing.rows()), (0, 0));
                prop_assert_eq!(&nothing.add(&one).unwrap(), &one);
                prop_assert_eq!(&ScoreTable::from_bytes(&nothing.to_bytes()).unwrap(), &nothing);
            }
        }

        #[test]
        fn placements_are_rows_counted_one_by_one(a in rows(), b in rows(), is_float: bool) {
            let (one, other) = (table(&a, None, is_float), table(&b, None, true));
            let found = one.placements(&other).unwrap().unwrap();
            let scale = if is_float { 0.25 } else { 1.0 };
            for (place, score) in other.scores().into_iter().enumerate() {
                let count = |label: i64, reaches: fn(f64, f64) -> bool| {
                    let is = |row: &&Row| row.0 == label && reaches(f64::from(row.1) * scale, score);
                    a.iter().filter(is).count() as u64
                };
                let (above, reached) = (|own, score| own > score, |own, score| own >= score);
                let naive = [count(1, above), count(1, reached), count(0, above), count(0, reached)];
                prop_assert_eq!(found.each_ref().map(|column| column[place]), naive);
            }
            let weighted = table(&a, Some(WeightKind::Counts), is_float);
            prop_assert_eq!(weighted.placements(&other).unwrap(), None);
        }

        #[test]
        fn the_form_follows_from_the_rows_whatever_was_added(a in rows(), b in rows(), c in rows()) {
            for kind in KINDS {
                let [a, b, c] = [&a, &b, &c].map(|rows| table(rows, kind, true));
                let way = a.add(&b).unwrap().add(&c).unwrap().subtract(&a).unwrap();
                prop_assert_eq!(way.to_bytes(), c.add(&b).unwrap().to_bytes());
            }
        }

        #[test]
        fn what_is_no_part_is_refused(a in rows(), b in rows()) {
            for kind in KINDS {
                let (one, other) = (table(&a, kind, true), table(&b, kind, true));
                match one.subtract(&other) {
                    Ok(rest) => {
                        prop_assert_eq!(rest.add(&other).unwrap(), one);
                    }
                    Err(refusal) => {
                        let text = refusal.to_string();
                        prop_assert!(text.starts_with("cannot subtract: "), "{text}");
                        let is_part = one.rows() >= other.rows() && {
                            let weight = |rows: &[Row], score: i32, label: i64| -> f64 {
                                let rows = rows.iter().filter(|row| row.1 == score && row.0 == label);
                                rows.map(|row| if kind.is_some() { row.2 } else { 1.0 }).sum()
                            };
                            b.iter().all(|row| weight(&a, row.1, row.0) > 1.000_001 * weight(&b, row.1, row.0))
                        };
                        prop_assert!(!is_part || kind == Some(WeightKind::Sampling), "{text}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_place_is_named() {
        let of = |rows: &[(i64, i32)]| {
            let rows: Vec<Row> = rows.iter().map(|&(y, s)| (y, s, 1.0)).collect();
            table(&rows, None, true)
        };
        let week = of(&[(0, 1), (1, 3), (1, 2), (0, 2)]);
        let words = |less: &ScoreTable| week.subtract(less).unwrap_err().to_string();
        assert_eq!(
            words(&of(&[(1, 3), (1, 3), (0, 1)])),
            "cannot subtract: positives of score 0.75: 1 less 2 is below zero"
        );
        assert!(words(&of(&[(0, 3), (1, 3)])).contains("negatives of score 0.75: 0 less 1"));
        assert!(words(&of(&[(0, 4), (1, 3)])).contains("rows of score 1, but none"));
        assert!(words(&of(&[(0, 0), (1, 3)])).contains("rows of score 0, but none"));
        let weighed = table(&[(0, 1, 1.0), (1, 3, 1.0)], Some(WeightKind::Counts), true);
        assert!(words(&weighed).contains("one has weights and the other has none"));
        let sampled = table(&[(0, 1, 1.0), (1, 3, 1.0)], Some(WeightKind::Sampling), true);
        let refusal = weighed.subtract(&sampled).unwrap_err().to_string();
        assert!(refusal.contains("sampling weights"), "{refusal}");
        assert!(words(&of(&[(2, 1), (1, 3)])).contains("labels"));
    }
}
