//! Groups by keys: one column of keys or several.
//!
//! 1. The places of a row's keys in two columns make one integer, whose rank is the row's group. A
//!    third column joins the groups of the first two in the same way, and so on.
//! 2. So groups are numbered in the order of their keys, column by column, independent of the order
//!    of the rows, and every group has a row.
//! 3. To merge the groups of two sets of rows, their columns get common distinct keys, and then the
//!    groups themselves are grouped.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use crate::base::dtype::{Number, ScoreKind};
use crate::base::error::{Refusal, Result, check_length, shown};
use crate::base::memory::{CopyAll, Gather, Room, with_room};
use crate::base::threads::{joined_by, one_after_the_other, over_parts};

use crate::row_keys::column::{Distinct, KeyColumn};
use crate::row_keys::ranks::{few_enough, ranked};
use crate::row_keys::texts::Texts;

/// The keys of groups, in ascending order.
#[derive(Debug, PartialEq, Eq)]
pub struct Keys {
    /// The columns by name; places are by group. Clones share them.
    pub columns: Vec<(String, Arc<KeyColumn>)>,
    /// The number of groups.
    pub groups: usize,
}

impl Clone for Keys {
    fn clone(&self) -> Self {
        Self { columns: self.columns.copy_all(), groups: self.groups }
    }
}

/// The keys of the groups, and the group of each row.
#[derive(Debug, PartialEq, Eq)]
pub struct RowKeys {
    /// The keys of the groups.
    pub keys: Keys,
    /// The group of each row.
    pub codes: Vec<u32>,
}

impl RowKeys {
    /// Groups rows by columns of keys; without a column all rows are one group.
    ///
    /// # Errors
    /// Columns of several lengths, and too many groups.
    pub fn new(
        columns: Vec<(String, KeyColumn)>,
        rows: usize,
        argument: &'static str,
    ) -> Result<Self> {
        for (_, column) in &columns {
            check_length((argument, column.places.len()), ("y_true", rows))?;
        }
        let mut columns = columns.into_iter();
        let Some((name, first)) = columns.next() else {
            let groups = usize::from(rows > 0);
            return Ok(Self { keys: Keys { columns: Vec::new(), groups }, codes: vec![0; rows] });
        };
        let mut found = Self::from_column(name, first, argument)?;
        for (name, column) in columns {
            found = found.beside(name, &column, argument)?;
        }
        Ok(found)
    }

    /// Groups rows by one column of keys.
    fn from_column(name: String, column: KeyColumn, argument: &'static str) -> Result<Self> {
        let KeyColumn { distinct, places, is_missing } = column;
        let missing = distinct.len() as u32;
        let (codes, places) = if matches!(distinct, Distinct::Ordered(_)) {
            let lower = |rows: Range<usize>, out: &mut Vec<u64>| {
                out.grow_with(places[rows].iter().map(|&place| u64::from(place)));
            };
            let ranks = ranked(argument, places.len(), false, &lower)?;
            let used = ranks.distinct.iter().map(|&place| place as u32).gather();
            (ranks.ranks, used)
        } else {
            let groups = missing + u32::from(is_missing);
            (places, (0..groups).gather())
        };
        let groups = places.len();
        let column = KeyColumn { distinct, places, is_missing };
        Ok(Self { keys: Keys { columns: vec![(name, Arc::new(column))], groups }, codes })
    }

    /// Divides the groups by another column.
    fn beside(self, name: String, column: &KeyColumn, argument: &'static str) -> Result<Self> {
        // One more place for a missing key.
        let width = column.distinct.len() as u64 + 1;
        let lower = |rows: Range<usize>, out: &mut Vec<u64>| {
            let pairs = self.codes[rows.clone()].iter().zip(&column.places[rows]);
            let joined =
                |(&group, &place): (&u32, &u32)| u64::from(group) * width + u64::from(place);
            out.grow_with(pairs.map(joined));
        };
        let ranks = ranked(argument, self.codes.len(), false, &lower)?;
        let parents = ranks.distinct.iter().map(|joined| (joined / width) as usize);
        let places = ranks.distinct.iter().map(|joined| (joined % width) as u32);
        let mut columns = with_room(self.keys.columns.len() + 1);
        for (name, column) in self.keys.columns {
            let places = parents.clone().map(|group| column.places[group]).gather();
            let distinct = Arc::try_unwrap(column).map(|own| own.distinct);
            let distinct = distinct.unwrap_or_else(|shared| shared.distinct.clone());
            columns.push((name, Arc::new(KeyColumn::from_places(distinct, places))));
        }
        let places = places.gather();
        columns.push((name, Arc::new(KeyColumn::from_places(column.distinct.clone(), places))));
        Ok(Self { keys: Keys { columns, groups: ranks.distinct.len() }, codes: ranks.ranks })
    }
}

impl Keys {
    /// Merges groups to the groups of some of their columns: the keys of the coarser groups, and
    /// the coarser group of each group.
    ///
    /// # Errors
    /// Only for memory.
    pub fn over(&self, columns: &[usize]) -> Result<RowKeys> {
        let mut taken = with_room(columns.len());
        for &place in columns {
            let (name, column) = &self.columns[place];
            taken.push((name.clone(), column.copied()));
        }
        let grouped = RowKeys::new(taken, self.groups, "by")?;
        Ok(grouped.without_unused())
    }

    /// The keys of some groups, in the given order.
    pub fn taken(&self, groups: &[usize]) -> Self {
        let mut columns = with_room(self.columns.len());
        for (name, column) in &self.columns {
            let places = groups.iter().map(|&group| column.places[group]).gather();
            let mut column = KeyColumn::from_places(column.distinct.clone(), places);
            column.leave_out_unused();
            columns.push((name.clone(), Arc::new(column)));
        }
        Self { columns, groups: groups.len() }
    }

    /// The keys of a group in words.
    pub fn shown(&self, group: usize) -> String {
        let of = |(name, column): &(String, Arc<KeyColumn>)| {
            let key = column.distinct.shown(column.places[group] as usize);
            format!("{name} {}", key.as_deref().unwrap_or("missing"))
        };
        let all: Vec<String> = self.columns.iter().map(of).gather();
        all.join(", ")
    }

    /// Merges the groups of two: their keys, and the common group of each group of the first, then
    /// of the second.
    ///
    /// # Errors
    /// Columns with other names, or keys without a common order.
    pub fn united(&self, other: &Self) -> Result<RowKeys> {
        let names = |keys: &Self| -> Vec<String> {
            keys.columns.iter().map(|(name, _)| name.clone()).gather()
        };
        if names(self) != names(other) {
            return Err(Refusal::Merge {
                reason: format!(
                    "the groups have the key columns {} and {}; expected the same",
                    shown(&names(self).join(", ")),
                    shown(&names(other).join(", "))
                ),
            });
        }
        let mut columns = with_room(self.columns.len());
        for ((name, first), (_, second)) in self.columns.iter().zip(&other.columns) {
            let (distinct, places) = united(name, &first.distinct, &second.distinct)?;
            let missing = distinct.len() as u32;
            let places = [&places.0[..], &places.1];
            let all = one_after_the_other(&[&first.places, &second.places], |side, place: u32| {
                places[side].get(place as usize).copied().unwrap_or(missing)
            })?;
            columns.push((name.clone(), KeyColumn::from_places(distinct, all)));
        }
        RowKeys::new(columns, self.groups + other.groups, "by")
    }

    /// The group with the keys of the single group of `one`, if there is one.
    ///
    /// # Errors
    /// Keys of another kind.
    pub fn find(&self, one: &Self) -> Result<Option<usize>> {
        let mut places = with_room(self.columns.len());
        for ((name, own), (_, other)) in self.columns.iter().zip(&one.columns) {
            let wanted = other.places.first().copied().unwrap_or(0);
            let place = match (&own.distinct, &other.distinct) {
                _ if wanted as usize >= other.distinct.len() => Some(own.distinct.len() as u32),
                (Distinct::Ordered(texts), Distinct::Texts(wanted)) => {
                    let place = texts.iter().position(|text| text == wanted.get(0));
                    place.map(|place| place as u32)
                }
                (own, other) => {
                    let (distinct, (ours, theirs)) = united(name, own, other)?;
                    let common = theirs.first().copied().unwrap_or(distinct.len() as u32);
                    ours.binary_search(&common).ok().map(|place| place as u32)
                }
            };
            let Some(place) = place else {
                return Ok(None);
            };
            places.push(place);
        }
        Ok(self.find_places(&places))
    }

    /// The group with these places of keys, if there is one.
    fn find_places(&self, places: &[u32]) -> Option<usize> {
        let (mut low, mut high) = (0, self.groups);
        while low < high {
            let middle = low + (high - low) / 2;
            let own = self.columns.iter().map(|(_, column)| column.places[middle]);
            match own.cmp(places.iter().copied()) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Some(middle),
            }
        }
        None
    }
}

impl RowKeys {
    /// Drops unused distinct keys, except ordered categories.
    fn without_unused(mut self) -> Self {
        for (_, column) in &mut self.keys.columns {
            if let Some(own) = Arc::get_mut(column) {
                own.leave_out_unused();
            } else {
                let mut own = column.copied();
                own.leave_out_unused();
                *column = Arc::new(own);
            }
        }
        self
    }
}

impl KeyColumn {
    fn copied(&self) -> Self {
        Self {
            distinct: self.distinct.clone(),
            places: self.places.copy_all(),
            is_missing: self.is_missing,
        }
    }

    /// Which distinct keys are used.
    fn used(&self) -> Vec<bool> {
        let mut is_used: Vec<bool> = vec![false; self.distinct.len()];
        for &place in &self.places {
            if let Some(used) = is_used.get_mut(place as usize) {
                *used = true;
            }
        }
        is_used
    }

    /// Whether every distinct key is used, except ordered categories.
    pub(crate) fn has_no_unused(&self) -> bool {
        matches!(self.distinct, Distinct::Ordered(_)) || self.used().iter().all(|&used| used)
    }

    /// Drops unused distinct keys, except ordered categories.
    fn leave_out_unused(&mut self) {
        if self.has_no_unused() {
            return;
        }
        let is_used = self.used();
        let mut renumbered: Vec<u32> = with_room(is_used.len() + 1);
        let mut used = 0;
        for &is_used in is_used.iter().chain([&true]) {
            renumbered.push(used);
            used += u32::from(is_used);
        }
        for place in &mut self.places {
            *place = renumbered[*place as usize];
        }
        self.distinct = match &self.distinct {
            Distinct::Truths(truths) => Distinct::Truths(kept(truths, &is_used)),
            Distinct::Numbers(kind, keys) => Distinct::Numbers(*kind, kept(keys, &is_used)),
            Distinct::Times(dtype, times) => Distinct::Times(dtype.clone(), kept(times, &is_used)),
            Distinct::Texts(texts) | Distinct::Ordered(texts) => {
                let all: Vec<&str> = texts.iter().gather();
                Distinct::Texts(Texts::of(&kept(&all, &is_used)))
            }
        };
    }
}

fn kept<T: Copy>(values: &[T], is_used: &[bool]) -> Vec<T> {
    let pairs = values.iter().zip(is_used);
    pairs.filter(|pair| *pair.1).map(|pair| *pair.0).gather()
}

/// The common distinct keys of two columns, and the place in them of each key of either column.
type United = (Distinct, Places);

/// The place of each value of two lists.
type Places = (Vec<u32>, Vec<u32>);

fn united(name: &str, first: &Distinct, second: &Distinct) -> Result<United> {
    let refused = |reason: &str| Refusal::Merge {
        reason: format!(
            "the key column {} has {} in one and {} in the other; {reason}",
            shown(name),
            first.name(),
            second.name()
        ),
    };
    Ok(match (first, second) {
        // A column with only missing keys may be of any kind.
        (_, other) if first.is_empty() && !matches!(first, Distinct::Ordered(_)) => {
            (other.clone(), (Vec::new(), (0..other.len() as u32).gather()))
        }
        (other, _) if second.is_empty() && !matches!(second, Distinct::Ordered(_)) => {
            (other.clone(), ((0..other.len() as u32).gather(), Vec::new()))
        }
        (Distinct::Truths(a), Distinct::Truths(b)) => {
            let (values, places) = merged(a, b)?;
            few_enough("by", values.len())?;
            (Distinct::Truths(values), places)
        }
        (Distinct::Numbers(kind, a), Distinct::Numbers(other, b)) => {
            let common = common_kind([(*kind, a), (*other, b)]);
            let common = common.ok_or_else(|| refused("no kind of number holds both exactly"))?;
            let a = converted(a, *kind, common);
            let b = converted(b, *other, common);
            let (values, places) = merged(&a, &b)?;
            few_enough("by", values.len())?;
            (Distinct::Numbers(common, values), places)
        }
        (Distinct::Times(dtype, a), Distinct::Times(other, b)) => {
            if dtype != other {
                return Err(refused("expected times of one unit"));
            }
            let (values, places) = merged(a, b)?;
            few_enough("by", values.len())?;
            (Distinct::Times(dtype.clone(), values), places)
        }
        (Distinct::Texts(a), Distinct::Texts(b)) => {
            let (a, b): (Vec<&str>, Vec<&str>) = (a.iter().gather(), b.iter().gather());
            let (values, places) = merged(&a, &b)?;
            few_enough("by", values.len())?;
            (Distinct::Texts(Texts::of(&values)), places)
        }
        (Distinct::Ordered(a), Distinct::Ordered(b)) => {
            if a != b {
                return Err(refused("expected the same categories in the same order"));
            }
            let places: Vec<u32> = (0..a.len() as u32).gather();
            (first.clone(), (places.copy_all(), places))
        }
        _ => return Err(refused("expected keys of one kind")),
    })
}

/// The narrowest kind that holds exactly these keys.
fn common_kind(sides: [(ScoreKind, &[u64]); 2]) -> Option<ScoreKind> {
    let holds = |to: &ScoreKind| {
        let (low, high) = to.whole_numbers();
        sides.iter().all(|&(kind, keys)| {
            let fits = |&key: &u64| match kind.integer(key) {
                Some(number) => (low..=high).contains(&number),
                None => to.is_float(),
            };
            keys.iter().all(fits)
        })
    };
    let [(a, _), (b, _)] = sides;
    (a.common(b)).or_else(|| [i64::KIND, u64::KIND, f64::KIND].into_iter().find(holds))
}

fn converted(keys: &[u64], from: ScoreKind, to: ScoreKind) -> Vec<u64> {
    if from == to {
        return keys.copy_all();
    }
    let key = |&key: &u64| match from.integer(key) {
        Some(number) => to.key_of_whole(number),
        None => to.key_of_float(from.score(key)),
    };
    keys.iter().map(key).gather()
}

/// Merges two ascending lists without duplicates; also returns the place in the result of each
/// value of either list. Threads merge stretches of the longer list with what lies between.
fn merged<T: Copy + Ord + Send + Sync>(first: &[T], second: &[T]) -> Result<(Vec<T>, Places)> {
    let is_longer = first.len() >= second.len();
    let (long, short) = if is_longer { (first, second) } else { (second, first) };
    let parts = over_parts(long.len(), |range| {
        let below = |end: usize| long.get(end).map(|cut| short.partition_point(|key| key < cut));
        let from = if range.start == 0 { Some(0) } else { below(range.start) };
        let between = from.unwrap_or(0)..below(range.end).unwrap_or(short.len());
        Ok(merged_stretch(&long[range], &short[between]))
    })?;
    let (mut starts, mut next) = (Vec::new(), 0);
    let (mut values, mut of_long, mut of_short) = (Vec::new(), Vec::new(), Vec::new());
    for (distinct, (long, short)) in parts {
        starts.grow(next);
        next += distinct.len() as u32;
        values.grow(distinct);
        of_long.grow(long);
        of_short.grow(short);
    }
    let values = joined_by(values, |_, value| value)?;
    let of_long = joined_by(of_long, |part, place| starts[part] + place)?;
    let of_short = joined_by(of_short, |part, place| starts[part] + place)?;
    Ok((values, if is_longer { (of_long, of_short) } else { (of_short, of_long) }))
}

fn merged_stretch<T: Copy + Ord>(first: &[T], second: &[T]) -> (Vec<T>, Places) {
    let mut values = with_room(first.len().max(second.len()));
    let mut places = (with_room(first.len()), with_room(second.len()));
    let (mut a, mut b) = (first.iter().peekable(), second.iter().peekable());
    loop {
        let place = values.len() as u32;
        let order = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) => x.cmp(y),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return (values, places),
        };
        let mut next = None;
        if order.is_le() {
            next = a.next();
            places.0.push(place);
        }
        if order.is_ge() {
            next = b.next();
            places.1.push(place);
        }
        if let Some(&value) = next {
            values.grow(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::Labels;

    fn column(name: &str, values: &[f64]) -> (String, KeyColumn) {
        let labels = Labels::of::<f64>(Column::from_slice(values));
        (name.to_owned(), KeyColumn::new(&labels, "by").unwrap())
    }

    /// The keys of each group; NaN becomes 99.
    fn read(keys: &Keys) -> Vec<Vec<f64>> {
        let key = |column: &KeyColumn, group: usize| {
            let Distinct::Numbers(kind, keys) = &column.distinct else { panic!() };
            let key = keys.get(column.places[group] as usize);
            key.map_or(99.0, |&key| kind.score(key))
        };
        (0..keys.groups)
            .map(|group| keys.columns.iter().map(|(_, of)| key(of, group)).collect())
            .collect()
    }

    fn naive(columns: &[&[f64]]) -> (Vec<Vec<f64>>, Vec<u32>) {
        let rows: Vec<Vec<f64>> = (0..columns[0].len())
            .map(|row| {
                columns.iter().map(|of| if of[row].is_nan() { 99.0 } else { of[row] }).collect()
            })
            .collect();
        let mut keys = rows.clone();
        keys.sort_by(|a, b| a.partial_cmp(b).unwrap());
        keys.dedup();
        let code = |row| keys.iter().position(|key| key == row).unwrap() as u32;
        let codes = rows.iter().map(code).collect();
        (keys, codes)
    }

    #[test]
    fn groups_are_those_of_sorted_rows_and_unite_and_roll_up() {
        let nan = f64::NAN;
        let a = [3.0, 1.0, nan, 3.0, -2.0, nan, 1.0, 3.0];
        let b = [0.5, nan, 0.5, 0.5, 0.25, nan, nan, 0.25];
        let c = [1.0, 1.0, 2.0, 7.0, 1.0, 2.0, 1.0, 1.0];
        let group = |rows: Range<usize>| {
            let columns = vec![
                column("a", &a[rows.clone()]),
                column("b", &b[rows.clone()]),
                column("c", &c[rows.clone()]),
            ];
            RowKeys::new(columns, rows.len(), "by").unwrap()
        };
        let whole = group(0..8);
        let (keys, codes) = naive(&[&a, &b, &c]);
        assert_eq!((read(&whole.keys), &whole.codes), (keys.clone(), &codes));
        for cut in 0..=8 {
            let (first, second) = (group(0..cut), group(cut..8));
            let both = first.keys.united(&second.keys).unwrap();
            assert_eq!(read(&both.keys), keys);
            let own = first.codes.iter().map(|&code| both.codes[code as usize]);
            let offset = first.keys.groups;
            let other = second.codes.iter().map(|&code| both.codes[code as usize + offset]);
            assert_eq!(own.chain(other).collect::<Vec<_>>(), codes);
            assert_eq!(both.keys, whole.keys);
        }
        for columns in [&[0][..], &[1], &[2, 0], &[1, 2], &[]] {
            let coarse = whole.keys.over(columns).unwrap();
            let taken: Vec<&[f64]> = columns.iter().map(|&place| [&a[..], &b, &c][place]).collect();
            let rows: Vec<u32> = codes.iter().map(|&code| coarse.codes[code as usize]).collect();
            if taken.is_empty() {
                assert_eq!((coarse.keys.groups, rows), (1, std::vec![0; 8]));
            } else {
                assert_eq!((read(&coarse.keys), rows), naive(&taken));
            }
        }
        for (group, key) in keys.iter().enumerate() {
            let places: Vec<u32> =
                (whole.keys.columns.iter()).map(|(_, column)| column.places[group]).collect();
            assert_eq!(whole.keys.find_places(&places), Some(group), "{key:?}");
        }
        assert_eq!(whole.keys.find_places(&[9, 9, 9]), None);
    }

    #[test]
    fn lists_merge_in_parts_as_at_once() {
        let every =
            |step: u32, rows: u32| -> Vec<u32> { (0..rows).map(|row| row * step).collect() };
        let long = every(3, 300_000);
        let lists = [
            long.clone(),
            every(7, 100_000),
            every(1000, 90),
            vec![],
            vec![899_997],
            every(3, 150_000),
        ];
        for threads in [1, 2, 7] {
            crate::base::threads::set_threads(Some(threads)).unwrap();
            for (first, second) in lists.iter().flat_map(|list| [(&long, list), (list, &long)]) {
                let (values, places) = merged(first, second).unwrap();
                let expected: std::collections::BTreeSet<u32> =
                    first.iter().chain(second).copied().collect();
                assert!(values.iter().eq(&expected));
                let read = |places: &[u32]| -> Vec<u32> {
                    places.iter().map(|&place| values[place as usize]).collect()
                };
                assert_eq!((&read(&places.0), &read(&places.1)), (first, second));
            }
        }
        crate::base::threads::set_threads(None).unwrap();
    }
}
