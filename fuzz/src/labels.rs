//! Counting labels, against a map of pairs.
//!
//! Two columns of labels of any dtype and layout, weights and options: the confusion matrix has
//! the classes and the exact amounts of the map, or the row that the map refuses first is refused.
//! Then the same is asked of parts that are added, of the columns exchanged, of classes put
//! together, and of the places of one class.

use std::collections::{BTreeMap, BTreeSet};

use arbitrary::{Result, Unstructured};
use rocksteady::arith::weight_kind::WeightKind;
use rocksteady::base::column::Column;
use rocksteady::base::error::Refusal;
use rocksteady::base::input::{Coded, Label, LabelKind, LabelSet, Labels, MISSING, NanPolicy};
use rocksteady::labels::confusion::ConfusionMatrix;
use rocksteady::labels::counting::count::{CountOptions, confusion};
use rocksteady::labels::positions::positions;
use rocksteady::statistic::Statistic;

use crate::input::{Exact, Held, Number, dtype, is_bad, long_shape, rows_of, threads, weights};

/// What a row's label is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Row {
    Label(Label),
    Missing,
    Odd,
}

/// A column of labels and what its rows are.
pub(crate) enum Drawn {
    Numbers(Held),
    Codes(Vec<u32>, Vec<Label>, LabelKind),
}

impl Drawn {
    pub(crate) fn labels(&self) -> Labels<'_> {
        match self {
            Self::Numbers(held) => held.labels(),
            Self::Codes(codes, labels, kind) => {
                Labels::Coded(Coded { codes: Column::from_slice(codes), labels, kind: *kind })
            }
        }
    }

    pub(crate) fn rows(&self) -> Vec<Row> {
        match self {
            Self::Numbers(held) => held.values.iter().map(|&value| row_of(value)).collect(),
            Self::Codes(codes, labels, _) => codes
                .iter()
                .map(|&code| match labels.get(code as usize) {
                    Some(label) => Row::Label(label.clone()),
                    None => Row::Missing,
                })
                .collect(),
        }
    }

    fn is_text(&self) -> bool {
        matches!(self, Self::Codes(_, _, LabelKind::Text))
    }

    fn kind(&self) -> LabelKind {
        self.labels().kind()
    }

    /// Some of the rows.
    pub(crate) fn part(&self, range: std::ops::Range<usize>) -> Self {
        match self {
            Self::Numbers(held) => {
                let mut plain = Unstructured::new(&[]);
                let wanted = &held.values[range];
                Self::Numbers(Held::of(&mut plain, held.dtype, wanted, 1).expect("no bytes needed"))
            }
            Self::Codes(codes, labels, kind) => {
                Self::Codes(codes[range].to_vec(), labels.clone(), *kind)
            }
        }
    }
}

fn row_of(value: Number) -> Row {
    match value {
        Number::Int(value) => Row::Label(Label::Int(value)),
        Number::Float(value) if value.is_nan() => Row::Missing,
        Number::Float(value) if value.trunc() == value && value.abs() <= 2_f64.powi(126) => {
            Row::Label(Label::Int(value as i128))
        }
        Number::Float(_) => Row::Odd,
    }
}

fn palette(u: &mut Unstructured) -> Result<Vec<Number>> {
    let start = i128::from(u.arbitrary::<i8>()?);
    let step = match u.arbitrary::<u8>()? {
        0..=127 => 1,
        128..=191 => 100,
        192..=223 => 1 << 12,
        224..=239 => 1 << 31,
        _ => 1 << 60,
    };
    let classes = i128::from(u.int_in_range(1..=40)?);
    let mut palette: Vec<Number> =
        (0..classes).map(|class| Number::Int(start + class * step)).collect();
    if u.ratio(1, 8)? {
        palette.extend([
            Number::Float(f64::NAN),
            Number::Float(-0.0),
            Number::Int(i64::MAX.into()),
            Number::Int(i64::MIN.into()),
            Number::Int(u64::MAX.into()),
            Number::Float(1e30),
        ]);
    }
    if u.ratio(1, 32)? {
        palette.extend([Number::Float(0.5), Number::Float(f64::INFINITY), Number::Float(1e300)]);
    }
    Ok(palette)
}

pub(crate) fn column(
    u: &mut Unstructured,
    palette: &[Number],
    shape: (usize, usize),
    coded: u8,
) -> Result<Drawn> {
    if coded < 200 {
        let dtype = dtype(u)?;
        let values = rows_of(u, palette, shape)?;
        return Ok(Drawn::Numbers(Held::of(u, dtype, &values, 1)?));
    }
    let known = u.int_in_range(1..=20_u32)?;
    let text = coded < 240;
    let labels = (0..known).map(|code| {
        // Not in their order, and the numbers of the palette among them.
        let number = i128::from((code * 7) % 23) - 3;
        if text { Label::Text(format!("label {number}").into()) } else { Label::Int(number) }
    });
    let labels = labels.collect();
    let missing = u.ratio(1, 4)?;
    let codes: Vec<u32> =
        (0..known).chain(missing.then_some(MISSING)).chain(missing.then_some(known)).collect();
    let kind = if text { LabelKind::Text } else { LabelKind::Int };
    Ok(Drawn::Codes(rows_of(u, &codes, shape)?, labels, kind))
}

/// The map of pairs and what else is known of the rows, or the row that is refused.
#[derive(Debug)]
struct Naive {
    classes: Vec<Label>,
    cells: BTreeMap<(Label, Label), (u64, Exact)>,
    rows: u64,
}

#[derive(Debug, PartialEq)]
enum Refused {
    Row(usize, &'static str),
    Whole,
}

fn naive(
    actual: &Drawn,
    predicted: &Drawn,
    weights: Option<&[f64]>,
    options: &CountOptions,
) -> std::result::Result<Naive, Refused> {
    let (own, their) = (actual.rows(), predicted.rows());
    if own.is_empty() || own.len() != their.len() {
        return Err(Refused::Whole);
    }
    if weights.is_some_and(|weights| weights.len() != own.len()) {
        return Err(Refused::Whole);
    }
    if matches!(options.nan_policy, NanPolicy::Worst | NanPolicy::Best) {
        return Err(Refused::Whole);
    }
    let given = options.labels.as_ref().map(|set| &set.values);
    if let Some(given) = given {
        let distinct: BTreeSet<&Label> = given.iter().collect();
        if given.is_empty() || distinct.len() < given.len() {
            return Err(Refused::Whole);
        }
    }
    if actual.is_text() != predicted.is_text() {
        return Err(Refused::Whole);
    }
    let mut found = Naive { classes: Vec::new(), cells: BTreeMap::new(), rows: 0 };
    let mut classes = BTreeSet::new();
    for (row, pair) in own.iter().zip(&their).enumerate() {
        let sides = [("y_true", pair.0), ("y_pred", pair.1)];
        let omit = options.nan_policy == NanPolicy::Omit;
        let left_out = omit && sides.iter().any(|side| *side.1 == Row::Missing);
        for (argument, side) in sides {
            match side {
                Row::Odd => return Err(Refused::Row(row, argument)),
                Row::Missing if !omit => return Err(Refused::Row(row, argument)),
                Row::Label(label)
                    if options.strict
                        && !left_out
                        && given.is_some_and(|given| !given.contains(label)) =>
                {
                    return Err(Refused::Row(row, argument));
                }
                _ => {}
            }
        }
        let weight = weights.map_or(1.0, |weights| weights[row]);
        if is_bad(weight) {
            return Err(Refused::Row(row, "sample_weight"));
        }
        let (Row::Label(a), Row::Label(p)) = pair else {
            continue;
        };
        if given.is_some_and(|given| !given.contains(a) || !given.contains(p)) {
            continue;
        }
        classes.extend([a.clone(), p.clone()]);
        found.rows += 1;
        let cell = found.cells.entry((a.clone(), p.clone())).or_default();
        cell.0 += 1;
        cell.1.add(weight);
    }
    found.classes = match given {
        Some(given) => given.clone(),
        None => classes.into_iter().collect(),
    };
    if found.classes.is_empty() {
        return Err(Refused::Whole);
    }
    Ok(found)
}

/// Whether a refusal is the one that is expected.
fn check_refusal(refusal: &Refusal, expected: &Refused) {
    match (refusal, expected) {
        (Refusal::Row { row, argument, .. }, Refused::Row(at, name)) => {
            assert_eq!((row, argument), (at, name), "{refusal}");
        }
        (_, Refused::Row(..)) | (Refusal::Row { .. }, _) => {
            panic!("{refusal}, expected {expected:?}")
        }
        _ => {}
    }
}

fn check(matrix: &ConfusionMatrix, naive: &Naive, weighted: bool) {
    assert_eq!(matrix.labels().values, naive.classes);
    assert_eq!(matrix.rows(), naive.rows);
    assert_eq!(matrix.is_weighted(), weighted);
    let place = |label: &Label| naive.classes.iter().position(|class| class == label);
    let mut margins = vec![(Exact::default(), Exact::default(), 0_u64); naive.classes.len()];
    let mut occupied = 0;
    for ((a, p), (count, sum)) in &naive.cells {
        let (a, p) = (place(a).expect("a class"), place(p).expect("a class"));
        if weighted {
            assert_eq!(matrix.mass(a, p).to_bits(), sum.rounded().to_bits());
        } else {
            assert_eq!(matrix.count(a, p), Some(*count));
        }
        occupied += usize::from(!weighted || !sum.is_zero());
        margins[a].2 += count;
    }
    assert_eq!(matrix.occupied(), occupied);
    let view = matrix.view();
    if !weighted {
        for (class, margin) in margins.iter().enumerate() {
            assert_eq!(view.actual[class], margin.2 as f64);
        }
        assert_eq!(view.total, naive.rows as f64);
    }
    assert_eq!(ConfusionMatrix::from_bytes(&matrix.to_bytes()).as_ref(), Ok(matrix));
}

/// Too few bytes for an input are none.
pub fn run(data: &[u8]) {
    let _ = counting(&mut Unstructured::new(data));
}

fn counting(u: &mut Unstructured) -> Result<()> {
    threads(u)?;
    let shape = long_shape(u)?;
    let palette = palette(u)?;
    let coded = u.arbitrary()?;
    let actual = column(u, &palette, shape, coded)?;
    // Now and then of another kind, or of another length.
    let odd = u.arbitrary::<u8>()?;
    let coded = if odd < 8 { u.arbitrary()? } else { coded };
    let shape = if odd == 255 { (shape.0 / 2, shape.1) } else { shape };
    let predicted = column(u, &palette, shape, coded)?;
    let held = if u.arbitrary()? {
        let wanted: Vec<Number> = weights(u, shape)?.into_iter().map(Number::Float).collect();
        Some(Held::of(u, "f64", &wanted, 1)?)
    } else {
        None
    };
    let mut options = CountOptions {
        nan_policy: *u.choose(&[NanPolicy::Raise, NanPolicy::Omit, NanPolicy::Omit])?,
        strict: u.ratio(1, 4)?,
        labels: None,
        weight_kind: WeightKind::Counts,
    };
    if u.ratio(1, 64)? {
        options.nan_policy = NanPolicy::Worst;
    }
    let all: Vec<Row> = actual.rows().into_iter().chain(predicted.rows()).collect();
    if u.ratio(1, 4)? {
        let mut values = Vec::new();
        for _ in 0..u.int_in_range(0..=6)? {
            if let Some(Row::Label(label)) = all.get(usize::from(u.arbitrary::<u16>()?))
                && (!values.contains(label) || u.ratio(1, 16)?)
            {
                values.push(label.clone());
            }
        }
        let kind = actual.kind().max(predicted.kind());
        options.labels = Some(LabelSet { kind, values });
    }

    let floats = held.as_ref().map(Held::floats);
    let expected = naive(&actual, &predicted, floats.as_deref(), &options);
    let weights = held.as_ref().map(Held::weights);
    let found = confusion(&actual.labels(), &predicted.labels(), weights, &options);
    let (matrix, naive) = match (&found, &expected) {
        (Ok(matrix), Ok(naive)) => (matrix, naive),
        (Err(refusal), Err(expected)) => {
            check_refusal(refusal, expected);
            return Ok(());
        }
        _ => panic!("{found:?}, expected {expected:?}"),
    };
    check(matrix, naive, weights.is_some());

    let turned = confusion(&predicted.labels(), &actual.labels(), weights, &options);
    assert_eq!(turned.as_ref(), Ok(&matrix.transposed()));

    // Two parts, added, are the whole.
    let rows = actual.rows().len();
    let cut = u.int_in_range(0..=rows)?;
    let part = |range: std::ops::Range<usize>| {
        let (own, their) = (actual.part(range.clone()), predicted.part(range.clone()));
        let weights = floats.as_ref().map(|floats| &floats[range]);
        confusion(&own.labels(), &their.labels(), weights.map(Column::from_slice), &options)
    };
    if let (Ok(first), Ok(second)) = (part(0..cut), part(cut..rows)) {
        assert_eq!(first.add(&second).as_ref(), Ok(matrix), "cut at {cut}");
        let backwards = second.add(&first);
        if options.labels.is_none() {
            assert_eq!(backwards.as_ref(), Ok(matrix), "cut at {cut}");
        }
    }

    // All classes put together in two.
    let two = LabelSet::numbered(2);
    let bit = u.arbitrary::<u64>()?;
    let side = |class: usize| (bit >> (class % 64) & 1) as u32;
    let classes: Vec<Option<u32>> = (0..matrix.classes()).map(|k| Some(side(k))).collect();
    let mapped = matrix.mapped(two, &classes).expect("two labels for all classes");
    let mut sums = [[Exact::default(), Exact::default()], Default::default()];
    let mut counts = [[0; 2]; 2];
    for ((a, p), (count, sum)) in &naive.cells {
        let place = |label: &Label| naive.classes.iter().position(|class| class == label);
        let side = |label: &Label| side(place(label).expect("a class")) as usize;
        counts[side(a)][side(p)] += count;
        sums[side(a)][side(p)].merge(sum);
    }
    for a in 0..2 {
        for p in 0..2 {
            if weights.is_some() {
                assert_eq!(mapped.mass(a, p), sums[a][p].rounded());
            } else {
                assert_eq!(mapped.count(a, p), Some(counts[a][p]));
            }
        }
    }

    // The rows of one class; left-out rows have no place.
    if options.labels.is_none() && naive.rows == rows as u64 {
        let label = &naive.classes[usize::from(u.arbitrary::<u8>()?) % naive.classes.len()];
        let found = positions(&actual.labels(), &predicted.labels(), label).expect("a class");
        let is = |row: &Row| *row == Row::Label(label.clone());
        for (row, pair) in actual.rows().iter().zip(&predicted.rows()).enumerate() {
            let list = match (is(pair.0), is(pair.1)) {
                (true, true) => &found.tp,
                (false, true) => &found.fp,
                (true, false) => &found.fn_,
                (false, false) => &found.tn,
            };
            assert!(list.binary_search(&(row as i64)).is_ok());
        }
        let listed = [&found.tp, &found.fp, &found.fn_, &found.tn];
        assert_eq!(listed.iter().map(|list| list.len()).sum::<usize>(), rows);
    }
    Ok(())
}
