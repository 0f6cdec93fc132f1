//! The class of each row as a number: the place of its label among the ascending classes, which are
//! the columns of a matrix of scores.
//!
//! The number of classes is known beforehand, from the columns of the scores. So finding them needs
//! no pass over the rows: a block of rows nearly always shows as many labels as there are columns,
//! and any later label is one too many and refused. If the block shows fewer, the kernel scans some
//! blocks spread over the rows, then all of them.
//!
//! Lowering works as in [`crate::labels::codes`]: distances from the lowest label in vectors, then
//! one look-up in a table of 2^11 places at most, which stays in cache. Labels further apart use a
//! hash map.
//!
//! Cost: 0.3 ns a row; 10 ns through the hash map. Rejected: a bitmap of all labels first (an extra
//! pass, although the columns already tell the number of classes).

// Inlining is what compiles the loops for each instruction set.
#![allow(clippy::inline_always)]

use std::collections::HashSet;
use std::ops::Range;

use crate::base::dtype::Reading;
use crate::base::error::{Refusal, Result};
use crate::base::input::{Label, LabelKind, LabelSet, Labels, MISSING};
use crate::base::memory::{CopyAll, Gather, Room, map_of, no_room, with_room};
use crate::base::wide::wide;
use crate::labels::codes::{BLOCK, Map, NARROW_BITS, Pair, Source, Window};

/// The map from numbers to classes.
enum Table {
    /// The class of each number in the window, or [`MISSING`].
    Near(Window, Vec<u32>),
    /// The class of each number.
    Far(Map<i128, u32>),
}

/// A column of labels with its classes.
pub struct Classes<'a> {
    source: Source<'a>,
    /// The classes.
    pub(crate) labels: LabelSet,
    table: Table,
}

impl<'a> Classes<'a> {
    /// Finds the classes in a column; `expected` of them in valid input.
    ///
    /// # Errors
    /// A missing label, or a float that is not whole, if the search meets it: it does not visit
    /// every row.
    pub(crate) fn found(y_true: &Labels<'a>, expected: usize) -> Result<Self> {
        const SPREAD: usize = 16;
        let pair = Pair::new(y_true, y_true)?;
        let rows = y_true.len();
        let block = |start: usize| start..(start + BLOCK).min(rows);
        let mut numbers = scan(&pair.actual, std::iter::once(block(0)))?;
        if numbers.len() < expected && rows > BLOCK {
            if rows > 2 * SPREAD * BLOCK {
                let spread = (0..SPREAD).map(|step| block(rows / SPREAD * step));
                numbers = scan(&pair.actual, spread)?;
            }
            if numbers.len() < expected {
                numbers = scan(&pair.actual, (0..rows).step_by(BLOCK).map(block))?;
            }
        }
        let mut classes: Vec<(Label, i128)> =
            numbers.into_iter().map(|number| (pair.label(number), number)).gather();
        if !pair.is_ordered() {
            classes.sort_unstable();
        }
        let table = Table::of(classes.iter().map(|class| class.1));
        let labels =
            LabelSet { kind: pair.kind, values: classes.into_iter().map(|class| class.0).gather() };
        Ok(Self { source: pair.actual, labels, table })
    }

    /// The caller's classes, ascending; a label outside them is refused when it is met.
    ///
    /// # Errors
    /// Text against numbers, and classes that do not ascend.
    pub fn given(y_true: &Labels<'a>, labels: LabelSet) -> Result<Self> {
        check_ascending(&labels)?;
        let is_text = |kind| kind == LabelKind::Text;
        if is_text(labels.kind) != is_text(y_true.kind()) {
            return Err(Refusal::Type {
                argument: "labels",
                value: "of another type than y_true".into(),
                expected: "strings for strings and numbers for numbers".into(),
            });
        }
        let pair = Pair::new(y_true, y_true)?;
        let table = match y_true {
            Labels::Coded(coded) if !pair.is_ordered() => {
                let class = |label: &Label| labels.position(label).map_or(MISSING, |at| at as u32);
                let ranks: Vec<u32> = coded.labels.iter().map(class).gather();
                Table::from_ranks(&ranks)
            }
            _ => Table::of(labels.values.iter().map(|label| match label {
                Label::Int(number) => *number,
                // Refused above.
                Label::Text(_) => i128::MIN,
            })),
        };
        Ok(Self { source: pair.actual, labels, table })
    }

    /// Makes the rows with this label class 1 and all others class 0, if there are at most two
    /// classes.
    ///
    /// # Errors
    /// More than two classes, and text against numbers.
    pub(crate) fn against_the_rest(mut self, positive: &Label) -> Result<Self> {
        if self.labels.len() > 2 {
            let found = format!("a column of {} labels or more", self.labels.len());
            return Err(Refusal::argument("y_true", found, "two labels at most"));
        }
        let is_text = |label: &Label| matches!(label, Label::Text(_));
        if self.labels.values.iter().any(|label| is_text(label) != is_text(positive)) {
            return Err(Refusal::Type {
                argument: "pos_label",
                value: positive.to_string(),
                expected: "a label of y_true's type".into(),
            });
        }
        let values = &self.labels.values;
        let class = |old: &mut u32| {
            if *old != MISSING {
                *old = u32::from(values.get(*old as usize) == Some(positive));
            }
        };
        match &mut self.table {
            Table::Near(_, ranks) => ranks.iter_mut().for_each(class),
            Table::Far(ranks) => ranks.values_mut().for_each(class),
        }
        Ok(self)
    }

    /// Writes the classes of rows.
    ///
    /// # Errors
    /// A missing label, a float that is not whole, a label outside the classes.
    pub fn lower(&self, rows: Range<usize>, classes: &mut [u32]) -> Result<()> {
        let mut start = rows.start;
        for classes in classes.chunks_mut(BLOCK) {
            let range = start..start + classes.len();
            start = range.end;
            let good = match &self.table {
                Table::Near(window, ranks) => {
                    lower_widest(&self.source, range.clone(), *window, ranks, classes)
                }
                Table::Far(ranks) => {
                    let find = |reading| match reading {
                        Reading::Whole(number) => ranks.get(&number).copied(),
                        _ => None,
                    };
                    let mut found = with_room(classes.len());
                    let good = self.source.look_up(range.clone(), find, &mut found);
                    classes.copy_from_slice(&found[..classes.len()]);
                    good
                }
            };
            if !good {
                return Err(self.refusal(range));
            }
        }
        Ok(())
    }

    /// Refuses the first row without a class.
    #[cold]
    fn refusal(&self, rows: Range<usize>) -> Refusal {
        let (first, many) = (rows.start, self.labels.len());
        let bad = rows.into_iter().find_map(|row| {
            let reading = self.source.read(row);
            let known = match (reading, &self.table) {
                (Reading::Whole(_), Table::Near(window, ranks)) => {
                    let code = window.find(reading);
                    code.is_some_and(|code| ranks.get(code as usize).is_some_and(|&c| c != MISSING))
                }
                (Reading::Whole(number), Table::Far(ranks)) => ranks.contains_key(&number),
                _ => false,
            };
            (!known).then_some((row, reading))
        });
        // Another thread may have changed the buffer; then the first row will do.
        let (row, reading) = bad.unwrap_or((first, Reading::Missing));
        odd(row, reading).unwrap_or_else(|| {
            let expected = format!("one of the {many} classes");
            Refusal::row("y_true", row, "of another class", expected)
        })
    }
}

wide! {
    /// [`lower`], compiled for the widest instructions of the machine.
    fn lower_widest[](
        source: &Source<'_>, rows: Range<usize>, window: Window, ranks: &[u32], classes: &mut [u32],
    ) -> bool = lower;
}

/// Writes the classes of a block of rows; returns whether all rows have one.
#[inline(always)]
fn lower(
    source: &Source<'_>,
    rows: Range<usize>,
    window: Window,
    ranks: &[u32],
    classes: &mut [u32],
) -> bool {
    let mut codes = [0u16; BLOCK];
    let (inside, _) = source.lower(rows, window, &mut codes);
    if !inside {
        return false;
    }
    if let &[first, second] = ranks
        && first != MISSING
        && second != MISSING
    {
        // Two neighbouring numbers need no table.
        for (class, &code) in classes.iter_mut().zip(&codes) {
            *class = if code == 0 { first } else { second };
        }
        return true;
    }
    let mut greatest = 0;
    for (class, &code) in classes.iter_mut().zip(&codes) {
        // Always found: the window has as many numbers as the table has places.
        *class = ranks.get(usize::from(code)).copied().unwrap_or(MISSING);
        greatest = greatest.max(*class);
    }
    greatest != MISSING
}

impl Table {
    /// Numbers whose class is their place.
    fn of(numbers: impl Iterator<Item = i128> + Clone) -> Self {
        let bounds = numbers.clone().min().zip(numbers.clone().max());
        let window =
            bounds.and_then(|(lowest, highest)| Window::over(lowest, highest, NARROW_BITS));
        match window {
            Some(window) => {
                let mut ranks = vec![MISSING; 1 << window.bits];
                for (class, number) in (0..).zip(numbers) {
                    if let Some(code) = window.find(Reading::Whole(number)) {
                        ranks[code as usize] = class;
                    }
                }
                Self::Near(window, ranks)
            }
            None => Self::Far(map_of(numbers.zip(0..))),
        }
    }

    /// Consecutive numbers from 0 with these classes.
    fn from_ranks(classes: &[u32]) -> Self {
        let places = || (0..).zip(classes.iter().copied());
        match Window::over(0, classes.len().max(1) as i128 - 1, NARROW_BITS) {
            Some(window) if window.low == 0 => {
                let mut ranks = classes.copy_all();
                ranks.grow_to(1 << window.bits, MISSING);
                Self::Near(window, ranks)
            }
            _ => Self::Far(map_of(places().filter(|place| place.1 != MISSING))),
        }
    }
}

/// Refuses a value that is no label.
fn odd(row: usize, reading: Reading) -> Option<Refusal> {
    match reading {
        Reading::Whole(_) => None,
        Reading::Missing => Some(Refusal::row("y_true", row, "missing", "a label")),
        Reading::Odd(value) => {
            let expected = "a label: a float that is a whole number";
            Some(Refusal::row("y_true", row, value, expected))
        }
    }
}

/// The distinct numbers in blocks of rows, ascending.
fn scan(
    source: &Source<'_>,
    blocks: impl Iterator<Item = Range<usize>> + Clone,
) -> Result<Vec<i128>> {
    let mut bounds: Option<(i128, i128)> = None;
    for block in blocks.clone() {
        if let Some((lowest, highest)) = source.bounds(block) {
            let (a, b) = bounds.unwrap_or((lowest, highest));
            bounds = Some((a.min(lowest), b.max(highest)));
        }
    }
    if let Some((lowest, highest)) = bounds
        && let Some(window) = Window::over(lowest, highest, NARROW_BITS)
    {
        let mut seen = vec![false; 1 << window.bits];
        let mut codes = [0u16; BLOCK];
        let good = blocks.clone().all(|block| {
            let rows = block.len();
            let (good, _) = source.lower(block, window, &mut codes);
            if good {
                for &code in &codes[..rows] {
                    // Always found: the window has as many numbers as there are places.
                    if let Some(place) = seen.get_mut(usize::from(code)) {
                        *place = true;
                    }
                }
            }
            good
        });
        if good {
            let numbers = (window.low..).zip(seen).filter(|number| number.1);
            return Ok(numbers.map(|number| number.0).gather());
        }
    }
    let mut numbers: HashSet<i128> = HashSet::new();
    for row in blocks.flatten() {
        match source.read(row) {
            Reading::Whole(number) => {
                if numbers.try_reserve(1).is_err() {
                    no_room::<i128>(numbers.len());
                }
                numbers.insert(number);
            }
            reading => return odd(row, reading).map_or(Ok(Vec::new()), Err),
        }
    }
    let mut numbers: Vec<i128> = numbers.into_iter().gather();
    numbers.sort_unstable();
    Ok(numbers)
}

/// Refuses given classes that do not ascend.
pub(crate) fn check_ascending(labels: &LabelSet) -> Result<()> {
    match (1..labels.len()).find(|&i| labels.values[i - 1] >= labels.values[i]) {
        None => Ok(()),
        Some(place) => {
            let value = labels.values[place].clone();
            Err(Refusal::row("labels", place, value, "ascending labels"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::Coded;
    use proptest::prelude::*;

    fn lowered(classes: &Classes<'_>, rows: usize) -> Result<Vec<u32>> {
        let mut out = vec![0; rows];
        classes.lower(0..rows, &mut out).map(|()| out)
    }

    /// The places of the labels among the distinct ones.
    fn naive<T: Ord + Clone>(labels: &[T]) -> (Vec<T>, Vec<u32>) {
        let mut classes = labels.to_vec();
        classes.sort_unstable();
        classes.dedup();
        let place = |label| classes.binary_search(label).unwrap() as u32;
        let places = labels.iter().map(place).collect();
        (classes, places)
    }

    proptest! {
        #[test]
        fn classes_are_the_places_among_the_distinct_labels(
            picks in prop::collection::vec(0usize..6, 1..2000),
            values in prop::collection::vec(prop_oneof![-3i64..9, -5000i64..5000, any::<i64>()], 6),
            late: bool,
        ) {
            let mut labels: Vec<i64> = picks.iter().map(|&i| values[i]).collect();
            if late {
                labels.splice(0..0, [values[0]; 700]);
            }
            let (distinct, places) = naive(&labels);
            let y_true = Labels::I64(Column::from_slice(&labels));
            let classes = Classes::found(&y_true, distinct.len()).unwrap();
            let expected: Vec<Label> = distinct.iter().map(|&x| Label::Int(x.into())).collect();
            prop_assert_eq!(&classes.labels.values, &expected);
            prop_assert_eq!(lowered(&classes, labels.len()).unwrap(), places.clone());
            let set = LabelSet { kind: LabelKind::Int, values: expected.clone() };
            let classes = Classes::given(&y_true, set).unwrap();
            prop_assert_eq!(lowered(&classes, labels.len()).unwrap(), places.clone());
            // Without the last class its rows are refused.
            let set = LabelSet { kind: LabelKind::Int, values: expected[..expected.len() - 1].to_vec() };
            prop_assert!(lowered(&Classes::given(&y_true, set).unwrap(), labels.len()).is_err());
            // As text: a dictionary in another order, with an unused label.
            let texts: Vec<Label> = values.iter().chain(&[77]).map(|x| Label::Text(x.to_string().into())).collect();
            let codes: Vec<u32> = labels.iter().map(|x| values.iter().position(|y| x == y).unwrap() as u32).collect();
            let (distinct, places) = naive(&labels.iter().map(ToString::to_string).collect::<Vec<_>>());
            let coded = Coded { codes: Column::from_slice(&codes), labels: &texts, kind: LabelKind::Text };
            let classes = Classes::found(&Labels::Coded(coded), distinct.len()).unwrap();
            prop_assert_eq!(classes.labels.len(), distinct.len());
            prop_assert_eq!(lowered(&classes, labels.len()).unwrap(), places.clone());
            let classes = Classes::given(&Labels::Coded(coded), classes.labels).unwrap();
            prop_assert_eq!(lowered(&classes, labels.len()).unwrap(), places);
        }
    }

    #[test]
    fn what_is_no_class_is_refused_by_row() {
        let mut labels: Vec<f64> = (0..5000).map(|i| f64::from(i % 3)).collect();
        let refusal = |labels: &[f64], expected| {
            let y_true = Labels::F64(Column::from_slice(labels));
            let found = Classes::found(&y_true, expected);
            found.and_then(|classes| lowered(&classes, labels.len())).unwrap_err().to_string()
        };
        labels[4321] = 3.0;
        assert!(refusal(&labels, 3).starts_with("y_true[4321] is of another class"));
        labels[4321] = 0.5;
        assert!(refusal(&labels, 3).starts_with("y_true[4321] is 0.5"));
        labels[4321] = f64::NAN;
        assert!(refusal(&labels, 4).starts_with("y_true[4321] is missing"));
        let y_true = Labels::U8(Column::from_slice(&[0, 1]));
        let unordered =
            LabelSet { kind: LabelKind::Int, values: vec![Label::Int(1), Label::Int(0)] };
        assert!(Classes::given(&y_true, unordered).is_err());
        let text = LabelSet { kind: LabelKind::Text, values: vec![Label::Text("a".into())] };
        assert!(Classes::given(&y_true, text).is_err());
    }

    #[test]
    fn one_class_against_the_rest() {
        let y_true = Labels::I8(Column::from_slice(&[3, 7, 7, 3]));
        let classes = |label| {
            let found = Classes::found(&y_true, 2).unwrap();
            lowered(&found.against_the_rest(&label).unwrap(), 4).unwrap()
        };
        assert_eq!(classes(Label::Int(3)), [1, 0, 0, 1]);
        assert_eq!(classes(Label::Int(7)), [0, 1, 1, 0]);
        assert_eq!(classes(Label::Int(1)), [0; 4]);
        let text = Classes::found(&y_true, 2).unwrap().against_the_rest(&Label::Text("3".into()));
        assert!(text.is_err());
        let three = Labels::I8(Column::from_slice(&[3, 7, 8]));
        assert!(Classes::found(&three, 2).unwrap().against_the_rest(&Label::Int(3)).is_err());
    }
}
