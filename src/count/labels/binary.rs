//! Labels of two classes as one byte a row: 0 negative, 1 positive.
//!
//! 1. The two labels are found. The first 64 rows and a thousand rows spread over the column nearly
//!    always show both. If they show only one, the loop of step 2 scans the column until the other
//!    turns up. This costs one read of the labels, when a class is absent or rarer than one row in
//!    a thousand.
//! 2. Each chunk is compared with both labels: two vector compares a row, and one flag for the
//!    chunk: whether every row has one of the two labels.
//! 3. Only a chunk that fails is examined row by row.
//!
//! The positive label is `pos_label` if given, otherwise the greater label. A single label is
//! positive if it is 1 (or true), otherwise negative. A class without rows is counted as empty, not
//! refused.
//!
//! Tried and rejected:
//! - sorting or hashing for the distinct labels (where scikit-learn spends its time);
//! - renaming codes at the end of the pass (each thread may meet the labels in another order, for
//!   no gain in time).
#![allow(clippy::inline_always)] // A loop body must be inlined to be compiled for wider instructions.

use std::marker::PhantomData;
use std::ops::Range;

use crate::base::column::{CHUNK, Column, Element, chunks};
use crate::base::dtype::{Number, Reading, visit};
use crate::base::error::{Refusal, Result};
use crate::base::input::{Label, Labels, MISSING, NanPolicy, OMITTED};
use crate::base::wide::wide;

/// The two labels; a label without rows may be unknown.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Pair {
    /// The label of negative rows.
    pub negative: Option<Label>,
    /// The label of positive rows.
    pub positive: Option<Label>,
}

impl Pair {
    /// The pair of the labels found: two, one or none, in any order.
    pub fn of(found: [Option<Label>; 2], pos_label: Option<&Label>) -> Self {
        let [first, second] = found;
        match (first, second, pos_label) {
            (one, None, None) | (None, one, None) => {
                if one == Some(Label::Int(1)) {
                    Self { negative: None, positive: one }
                } else {
                    Self { negative: one, positive: None }
                }
            }
            (Some(a), Some(b), None) => {
                Self { negative: Some(a.clone().min(b.clone())), positive: Some(a.max(b)) }
            }
            (a, b, Some(positive)) => Self {
                negative: [a, b].into_iter().flatten().find(|label| label != positive),
                positive: Some(positive.clone()),
            },
        }
    }

    fn expected(&self) -> String {
        match (&self.negative, &self.positive) {
            (Some(a), Some(b)) => format!("{a} or {b}, the two labels"),
            (Some(a), None) | (None, Some(a)) => format!("{a} or one other label"),
            (None, None) => "one of two labels".to_owned(),
        }
    }
}

const fn is_text(label: &Label) -> bool {
    matches!(label, Label::Text(_))
}

/// Refuses a positive label that is text where the labels are numbers, or the other way round.
///
/// # Errors
/// Such a label, with the labels that the caller may have meant.
pub fn check_kind(pos_label: &Label, labels: &[Label], argument: &str) -> Result<()> {
    if labels.iter().all(|label| is_text(label) == is_text(pos_label)) {
        return Ok(());
    }
    let plain = |label: &Label| match label {
        Label::Text(text) => text.to_string(),
        Label::Int(number) => number.to_string(),
    };
    let meant = match plain(pos_label) {
        text if text == "True" => "1".to_owned(),
        text if text == "False" => "0".to_owned(),
        text => text,
    };
    let (kind, one) = if is_text(pos_label) { ("numbers", "a number") } else { ("text", "text") };
    let named = match (labels.iter().find(|label| plain(label) == meant), labels) {
        (Some(label), _) => label.to_string(),
        (None, [a, b]) => format!("{} or {}", a.min(b), a.max(b)),
        _ => format!("{one} like {}", labels[0]),
    };
    let expected = format!("{named}, as the labels of {argument} are {kind}");
    Err(Refusal::argument("pos_label", pos_label, expected))
}

/// A label column with its rules.
#[derive(Clone, Copy, Debug)]
pub struct LabelReader<'a> {
    /// The column.
    pub labels: Labels<'a>,
    /// The policy for missing labels; the policies for scores refuse them.
    pub nan_policy: NanPolicy,
    /// Whether all labels but the positive one are negative, however many there are.
    pub rest: bool,
    /// The column's name in refusals.
    pub argument: &'static str,
}

/// The label of one row, before its class is decided.
enum Seen {
    Label(Label),
    Missing,
    NotWhole(f64),
}

/// Codes of rows that should equal `negative` or `positive`; returns whether all do.
#[inline(always)]
fn two_body<N: Number>(
    _: PhantomData<N>,
    values: &[N::Raw],
    negative: N::Raw,
    positive: N::Raw,
    codes: &mut [u8],
) -> bool {
    let mut wrong = 0;
    for (code, &value) in codes.iter_mut().zip(values) {
        let value = N::normal(value);
        let is_positive = u8::from(value == positive);
        *code = is_positive;
        wrong |= (is_positive | u8::from(value == negative)) ^ 1;
    }
    wrong == 0
}

wide! {
    fn two_codes[N: Number](
        of: PhantomData<N>, values: &[N::Raw], negative: N::Raw, positive: N::Raw, codes: &mut [u8],
    ) -> bool = two_body;
}

/// [`two_codes`] for a column whose labels may be unknown or outside its dtype.
fn pair_codes<N: Number>(
    column: &Column<N::Raw>,
    rows: Range<usize>,
    pair: [Option<N::Raw>; 2],
    codes: &mut [u8],
) -> bool {
    let mut scratch = Vec::new();
    let (of, values) = (PhantomData::<N>, column.chunk(rows, &mut scratch));
    match pair {
        [Some(negative), Some(positive)] => two_codes(of, values, negative, positive, codes),
        [None, Some(only)] => two_codes(of, values, only, only, codes),
        [Some(only), None] => {
            let all = two_codes(of, values, only, only, codes);
            codes.fill(0);
            all
        }
        [None, None] => values.is_empty(),
    }
}

/// Puts a new label into the first free place; returns whether both places are taken.
#[inline]
fn note(found: &mut [Option<Label>; 2], label: Option<Label>) -> bool {
    if label.is_some()
        && !found.contains(&label)
        && let Some(free) = found.iter_mut().find(|place| place.is_none())
    {
        *free = label;
    }
    found.iter().all(Option::is_some)
}

/// The first row with another value than the first row, or the end.
fn after_equals<T: Element + PartialEq>(column: &Column<T>, rows: Range<usize>) -> usize {
    let value = column.get(rows.start);
    let mut others = rows.start + 1..rows.end;
    others.find(|&row| column.get(row) != value).unwrap_or(rows.end)
}

impl LabelReader<'_> {
    /// Writes the classes of the rows, [`OMITTED`] for a missing label that is left out; returns
    /// whether any was.
    ///
    /// # Errors
    /// A third label, a missing label under a policy other than `Omit`, a float that is not whole.
    pub fn lower(&self, rows: Range<usize>, pair: &Pair, codes: &mut [u8]) -> Result<bool> {
        let both = [pair.negative.as_ref(), pair.positive.as_ref()];
        let clean = visit!(
            Labels(&self.labels),
            |column, N| {
                let number = |label: Option<&Label>| match label? {
                    Label::Int(value) => N::from_whole(*value),
                    Label::Text(_) => None,
                };
                pair_codes::<N>(column, rows.clone(), both.map(number), codes)
            },
            Labels::Coded(coded) => {
                let place = |label: Option<&Label>| {
                    let place = coded.labels.iter().position(|other| Some(other) == label);
                    place.map(|place| place as u32)
                };
                pair_codes::<u32>(&coded.codes, rows.clone(), both.map(place), codes)
            }
        );
        // Integers are always labels, and two compares have separated the positive label from all
        // others.
        let whole = || {
            let numbers = self.labels.numbers();
            numbers.is_ok_and(|numbers| !numbers.kind().is_float())
        };
        if clean || (self.rest && pair.negative.is_some() && whole()) {
            Ok(false)
        } else {
            self.settle(rows, pair, codes)
        }
    }

    #[cold]
    fn settle(&self, rows: Range<usize>, pair: &Pair, codes: &mut [u8]) -> Result<bool> {
        let mut omitted = false;
        for (code, row) in codes.iter_mut().zip(rows) {
            *code = match self.seen(row) {
                Seen::Missing if self.nan_policy == NanPolicy::Omit => {
                    omitted = true;
                    OMITTED
                }
                Seen::Missing => {
                    return Err(Refusal::row(self.argument, row, "missing", "a label"));
                }
                Seen::NotWhole(value) => {
                    let expected = "a label: a float that is a whole number";
                    return Err(Refusal::row(self.argument, row, value, expected));
                }
                Seen::Label(label) if Some(&label) == pair.positive.as_ref() => 1,
                Seen::Label(label) if self.rest || Some(&label) == pair.negative.as_ref() => 0,
                Seen::Label(label) => {
                    return Err(Refusal::row(self.argument, row, label, pair.expected()));
                }
            };
        }
        Ok(omitted)
    }

    fn seen(&self, row: usize) -> Seen {
        visit!(
            Labels(&self.labels),
            |column, N| match N::read(column.get(row)) {
                Reading::Whole(number) => Seen::Label(Label::Int(number)),
                Reading::Missing => Seen::Missing,
                Reading::Odd(value) => Seen::NotWhole(value),
            },
            Labels::Coded(coded) => match coded.codes.get(row) {
                MISSING => Seen::Missing,
                code => coded
                    .labels
                    .get(code as usize)
                    .map_or(Seen::Missing, |label| Seen::Label(label.clone())),
            }
        )
    }

    fn label(&self, row: usize) -> Option<Label> {
        match self.seen(row) {
            Seen::Label(label) => Some(label),
            _ => None,
        }
    }

    /// Up to two distinct labels, including those `known`, in the order of appearance. `pos_label`
    /// is one of the known labels, if the caller named the positive one.
    ///
    /// # Errors
    /// A `pos_label` that is text where the labels are numbers, or the other way round.
    pub fn discover(
        &self,
        known: [Option<Label>; 2],
        pos_label: Option<&Label>,
    ) -> Result<[Option<Label>; 2]> {
        let found = self.distinct(known);
        if let Some(named) = pos_label
            && !self.rest
            && found.iter().flatten().any(|label| is_text(label) != is_text(named))
        {
            let labels: Vec<Label> = self.first_two().into_iter().flatten().collect();
            check_kind(named, &labels, self.argument)?;
        }
        Ok(found)
    }

    fn distinct(&self, known: [Option<Label>; 2]) -> [Option<Label>; 2] {
        const SPREAD: usize = 1024;
        let rows = self.labels.len();
        let mut found = known;
        if self.note_all(0..rows.min(64), &mut found) {
            return found;
        }
        if rows > CHUNK {
            for step in 0..SPREAD {
                if note(&mut found, self.label(rows / SPREAD * step)) {
                    return found;
                }
            }
        }
        // One label so far: compare whole chunks with it, and examine only the first chunk with
        // another value.
        let mut codes = [0; CHUNK];
        for range in chunks(0..rows) {
            let pair = Pair { negative: found[0].clone(), positive: None };
            let codes = &mut codes[..range.len()];
            let ignoring = LabelReader { nan_policy: NanPolicy::Omit, ..*self };
            if ignoring.lower(range.clone(), &pair, codes).is_ok() && found[0].is_some() {
                continue;
            }
            if self.note_all(range, &mut found) {
                return found;
            }
        }
        found
    }

    /// Notes the labels of rows in order; returns whether both places are taken.
    fn note_all(&self, rows: Range<usize>, found: &mut [Option<Label>; 2]) -> bool {
        let mut row = rows.start;
        while row < rows.end {
            if note(found, self.label(row)) {
                return true;
            }
            // Labels are slow to construct, and neighbouring rows often have the same one.
            row = visit!(Labels(&self.labels), |column, N| after_equals(column, row..rows.end),
                Labels::Coded(coded) => after_equals(&coded.codes, row..rows.end));
        }
        false
    }

    /// The first two distinct labels in the order of the rows: after a refusal, they decide which
    /// row has the third label.
    pub fn first_two(&self) -> [Option<Label>; 2] {
        let mut found: [Option<Label>; 2] = [None, None];
        for row in 0..self.labels.len() {
            if note(&mut found, self.label(row)) {
                break;
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::input::{Coded, LabelKind};
    use proptest::prelude::*;

    fn reader(labels: Labels<'_>) -> LabelReader<'_> {
        LabelReader { labels, nan_policy: NanPolicy::Raise, rest: false, argument: "y_true" }
    }

    fn codes(labels: Labels<'_>, pos_label: Option<&Label>) -> Result<Vec<u8>> {
        let reader = reader(labels);
        let seed = [pos_label.cloned(), None];
        let pair = Pair::of(reader.discover(seed, pos_label)?, pos_label);
        let mut codes = vec![0; labels.len()];
        for range in chunks(0..labels.len()) {
            reader.lower(range.clone(), &pair, &mut codes[range])?;
        }
        Ok(codes)
    }

    #[test]
    fn the_greater_label_is_positive_unless_told() {
        let y = [2_i64, 1, 2, 2];
        let labels = Labels::I64(Column::from_slice(&y));
        assert_eq!(codes(labels, None), Ok(vec![1, 0, 1, 1]));
        assert_eq!(codes(labels, Some(&Label::Int(1))), Ok(vec![0, 1, 0, 0]));
        let y = [-1.0_f32, 1.0, -1.0];
        assert_eq!(codes(Labels::F32(Column::from_slice(&y)), None), Ok(vec![0, 1, 0]));
        let y = [0_u8, 7, 1];
        assert_eq!(codes(Labels::Bool(Column::from_slice(&y)), None), Ok(vec![0, 1, 1]));
        assert_eq!(
            codes(Labels::Bool(Column::from_slice(&y)), Some(&Label::Int(0))),
            Ok(vec![1, 0, 0])
        );
    }

    #[test]
    fn one_label_alone_is_positive_if_it_is_one() {
        for (y, expected) in [([1_i8, 1], [1, 1]), ([0, 0], [0, 0]), ([3, 3], [0, 0])] {
            assert_eq!(codes(Labels::I8(Column::from_slice(&y)), None), Ok(expected.to_vec()));
        }
        let y = [1_u8; 3];
        assert_eq!(codes(Labels::Bool(Column::from_slice(&y)), None), Ok(vec![1; 3]));
        let y = [0_u8; 3];
        assert_eq!(codes(Labels::Bool(Column::from_slice(&y)), None), Ok(vec![0; 3]));
    }

    #[test]
    fn text_is_ordered_as_text_and_missing_refused_or_omitted() {
        let names = [Label::Text("yes".into()), Label::Text("no".into())];
        let rows = [0, 1, 1, MISSING];
        let coded =
            Coded { codes: Column::from_slice(&rows), labels: &names, kind: LabelKind::Text };
        let labels = Labels::Coded(coded);
        assert_eq!(
            codes(labels, None).unwrap_err().to_string(),
            "y_true[3] is missing; expected a label"
        );
        let omit = LabelReader { nan_policy: NanPolicy::Omit, ..reader(labels) };
        let pair = Pair::of(omit.discover([None, None], None).unwrap(), None);
        let mut out = [0; 4];
        assert_eq!(omit.lower(0..4, &pair, &mut out), Ok(true));
        assert_eq!(out, [1, 0, 0, OMITTED]);
    }

    #[test]
    fn against_the_rest_every_other_label_is_negative() {
        let check = |labels: Labels<'_>, positive: i128, expected: &[u8]| {
            let rest = LabelReader { rest: true, ..reader(labels) };
            let positive = Label::Int(positive);
            let known = [Some(positive.clone()), None];
            let found = rest.discover(known, Some(&positive)).unwrap();
            let pair = Pair::of(found, Some(&positive));
            let mut codes = vec![9; labels.len()];
            assert_eq!(rest.lower(0..labels.len(), &pair, &mut codes), Ok(false));
            assert_eq!(codes, expected);
        };
        let numbers = [3_i64, 1, 2, 3, 0, 1 << 40];
        check(Labels::I64(Column::from_slice(&numbers)), 3, &[1, 0, 0, 1, 0, 0]);
        check(Labels::I64(Column::from_slice(&numbers)), 5, &[0; 6]);
        check(Labels::U8(Column::from_slice(&[1, 2, 3])), 300, &[0; 3]);
        check(Labels::U8(Column::from_slice(&[1, 2, 3])), -1, &[0; 3]);
        check(Labels::F64(Column::from_slice(&[1.0, 2.0, 3.0])), 2, &[0, 1, 0]);
        check(Labels::Bool(Column::from_slice(&[1, 0, 1])), 5, &[0; 3]);
        check(Labels::Bool(Column::from_slice(&[1, 0, 1])), 0, &[0, 1, 0]);
    }

    #[test]
    fn refusals_name_the_row_and_the_two_labels() {
        let y = [0_i64, 1, 2];
        assert_eq!(
            codes(Labels::I64(Column::from_slice(&y)), None).unwrap_err().to_string(),
            "y_true[2] is 2; expected 0 or 1, the two labels"
        );
        let y = [0.0, 0.5];
        assert!(codes(Labels::F64(Column::from_slice(&y)), None).is_err());
        let y = [3_i64, 4];
        assert!(codes(Labels::I64(Column::from_slice(&y)), Some(&Label::Int(1))).is_err());
    }

    #[test]
    fn a_positive_label_of_another_kind_is_refused() {
        let refused = |y: &[i64], named: &str| {
            let labels = Labels::I64(Column::from_slice(y));
            codes(labels, Some(&Label::Text(named.into()))).unwrap_err().to_string()
        };
        let said = |rest: &str| format!("pos_label is {rest}, as the labels of y_true are numbers");
        assert_eq!(refused(&[1, 0], "1"), said("\"1\"; expected 1"));
        assert_eq!(refused(&[1, 0], "False"), said("\"False\"; expected 0"));
        assert_eq!(refused(&[1, 0, 1], "fraud"), said("\"fraud\"; expected 0 or 1"));
        assert_eq!(refused(&[7; 900], "1"), said("\"1\"; expected a number like 7"));
    }

    proptest! {
        #[test]
        fn a_rare_label_is_found_wherever_it_is(rows in 1_usize..9000, place in 0_usize..9000) {
            let place = place % rows;
            let mut y = vec![4_u16; rows];
            y[place] = 9;
            let mut expected = vec![0; rows];
            expected[place] = 1;
            if rows == 1 { expected[place] = 0; }
            prop_assert_eq!(codes(Labels::U16(Column::from_slice(&y)), None), Ok(expected));
        }
    }
}
