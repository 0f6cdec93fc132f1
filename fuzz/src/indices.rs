//! Every index of the registry, over random counts, against its exact value.
//!
//! 1. Of a 2×2 table and of a matrix: the number is the exact value, rounded, to one unit in the
//!    last place; and to the bit where a double is the exact value.
//! 2. A column over many tables has a number where the single table has one, nearly the same.
//! 3. Entropies of a matrix agree with a plain sum.
//! 4. Exact sums of weights agree with a long integer, merged in any order.
//! 5. An index of all thresholds has a number in its range, which is the exact value, rounded; and
//!    so has one of costs.
//!
//! The other ways to a value are in [`crate::doors`].

use arbitrary::{Result, Unstructured};
use rocksteady::arith::exact::{ExactSums, Span};
use rocksteady::base::column::Column;
use rocksteady::base::cost_matrix::CostMatrix;
use rocksteady::base::input::{LabelSet, Labels, Scores};
use rocksteady::costs::costs_of_rows::{Given, cost_table};
use rocksteady::index::parameter::Domain;
use rocksteady::index::tables::Tables;
use rocksteady::index::{Index, Parameters, all, find};
use rocksteady::labels::confusion::ConfusionMatrix;
use rocksteady::labels::view::{BinaryCounts, MatrixView};
use rocksteady::scores::calibration::losses::probability_sums;
use rocksteady::scores::ranking::Ranking;
use rocksteady::scores::sweep::all_thresholds::score_table;
use rocksteady::scores::sweep::rows::SweepOptions;

use crate::doors;
use crate::input::{Exact, is_bad, weights};

/// Too few bytes for an input are none.
pub fn run(data: &[u8]) {
    let Some((&form, rest)) = data.split_first() else {
        return;
    };
    let mut u = Unstructured::new(rest);
    // Kept inputs start with bytes below 192.
    let _ = if form >= 192 {
        doors::run(form - 192, &mut u)
    } else {
        match form % 6 {
            0 => of_table(&mut u),
            1 => of_matrix(&mut u),
            2 => entropies(&mut u),
            3 => sums(&mut u),
            4 => of_ranking(&mut u),
            _ => of_costs(&mut u),
        }
    };
}

fn count(u: &mut Unstructured) -> Result<u64> {
    Ok(match u.arbitrary::<u8>()? {
        byte @ 0..=159 => u64::from(byte % 12),
        160..=199 => u.arbitrary::<u16>()?.into(),
        200..=229 => u.arbitrary::<u32>()?.into(),
        // Four of them add up to less than 2^64.
        _ => u.arbitrary::<u64>()? >> 5,
    })
}

fn index(u: &mut Unstructured) -> Result<&'static Index> {
    let rows: Vec<&'static Index> = all().collect();
    Ok(rows[usize::from(u.arbitrary::<u16>()?) % rows.len()])
}

/// The row's own parameters, or others that it takes; and whether they are its own.
pub(crate) fn parameters(
    u: &mut Unstructured,
    row: &'static Index,
    classes: usize,
) -> Result<(Parameters, bool)> {
    let own = || (Parameters::defaults(row), true);
    if u.ratio(2, 3)? {
        return Ok(own());
    }
    let mut given = Vec::new();
    for parameter in row.parameters {
        if parameter.domain != Domain::Costs && u.arbitrary()? {
            let byte = u.arbitrary::<u8>()?;
            let number = f64::from(byte);
            let whole = f64::from(if byte < 128 { byte } else { byte % 4 });
            let number = *u.choose(&[number / 255.0, number / 16.0, whole])?;
            given.push((parameter.name, number));
        }
    }
    let mut costs = None;
    if u.ratio(1, 8)? {
        let mut cells = Vec::new();
        for _ in 0..classes * classes {
            cells.push(f64::from(u.arbitrary::<i8>()?));
        }
        costs = CostMatrix::new(classes, cells).ok();
    }
    let taken = Parameters::new(row, &given, costs);
    Ok(taken.map_or_else(|_| own(), |taken| (taken, false)))
}

/// How many doubles apart two numbers are.
pub(crate) fn apart(a: f64, b: f64) -> u64 {
    let place = |x: f64| {
        let bits = x.to_bits() as i64;
        if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits }
    };
    place(a).abs_diff(place(b))
}

fn of_table(u: &mut Unstructured) -> Result<()> {
    let row = index(u)?;
    let (parameters, own) = parameters(u, row, 2)?;
    let mut tables = Vec::new();
    for _ in 0..u.int_in_range(1..=6)? {
        let [tp, fp, fn_, tn] = [count(u)?, count(u)?, count(u)?, count(u)?].map(|x| x as f64);
        tables.push(BinaryCounts { tp, fp, fn_, tn });
    }
    let mut column = vec![0.0; tables.len()];
    let filled = row.fill(Tables::new(&tables), &parameters, &mut column);
    for (table, &many) in tables.iter().zip(&column) {
        let Ok(value) = row.of_counts(table, &parameters) else {
            assert!(filled.is_err(), "{} has columns only", row.name);
            return Ok(());
        };
        if value.why.is_some() {
            continue;
        }
        assert!(!value.number.is_nan(), "{} of {table:?} is not a number", row.name);
        let (low, high) = row.range;
        // The range is that of the row's own parameters.
        let inside = !own || value.number >= low - 1e-9 && value.number <= high + 1e-9;
        assert!(inside, "{} of {table:?} is {}", row.name, value.number);
        // Columns are in doubles, which hold sums of cells to 2^53.
        let undefined = many.is_nan() && table.total() < 2_f64.powi(53);
        assert!(!undefined, "{} of {table:?} is undefined among many", row.name);
        if let Ok(Some(slopes)) = row.slopes_of_counts(table, &parameters) {
            assert!(!slopes.value.is_nan(), "{} of {table:?}", row.name);
        }
        if let Ok(exact) = row.fraction_of_counts(table, &parameters) {
            let expected = exact.to_f64();
            assert!(
                apart(value.number, expected) <= 1,
                "{} of {table:?}: {}, expected {expected}",
                row.name,
                value.number
            );
        }
    }
    Ok(())
}

fn of_matrix(u: &mut Unstructured) -> Result<()> {
    let row = index(u)?;
    let (parameters, _) = parameters(u, row, 2)?;
    let classes = u.int_in_range(1..=5_usize)?;
    let mut counts = Vec::new();
    for _ in 0..classes * classes {
        counts.push(count(u)? >> 3);
    }
    let labels = LabelSet::numbered(classes);
    let Ok(matrix) = ConfusionMatrix::from_counts(&counts, labels.clone()) else {
        return Ok(());
    };
    let view = matrix.view();
    if let Ok(value) = row.of_matrix(&view, &parameters)
        && value.why.is_none()
    {
        assert!(!value.number.is_nan(), "{} of {counts:?} is not a number", row.name);
        if let Ok(exact) = row.fraction_of_matrix(&matrix, None, &parameters) {
            let expected = exact.to_f64();
            assert!(
                apart(value.number, expected) <= 1,
                "{} of {counts:?}: {}, expected {expected}",
                row.name,
                value.number
            );
        }
    }
    let _ = row.slopes_of_matrix(&view, &parameters);
    for class in 0..classes {
        let _ = row.of_class(&view, class, &parameters);
        let _ = row.slopes_of_class(&view, class, &parameters);
    }
    // The same matrix from its cells, in the opposite order.
    let cells: Vec<usize> = (0..counts.len()).rev().filter(|&at| counts[at] > 0).collect();
    let actual: Vec<u32> = cells.iter().map(|&at| (at / classes) as u32).collect();
    let predicted: Vec<u32> = cells.iter().map(|&at| (at % classes) as u32).collect();
    let amounts: Vec<u64> = cells.iter().map(|&at| counts[at]).collect();
    let again = ConfusionMatrix::from_cell_counts(&actual, &predicted, &amounts, labels);
    assert_eq!(again.as_ref(), Ok(&matrix));
    Ok(())
}

/// Labels of zero and one, scores of few values, and weights or none.
pub(crate) struct Scored {
    labels: Vec<u8>,
    scores: Vec<f64>,
    weights: Option<Vec<f64>>,
}

pub(crate) fn scored(u: &mut Unstructured) -> Result<Scored> {
    let rows = u.int_in_range(1..=40)?;
    let probabilities = u.arbitrary::<bool>()?;
    let is_weighted = u.ratio(1, 3)?;
    let mut drawn =
        Scored { labels: Vec::new(), scores: Vec::new(), weights: is_weighted.then(Vec::new) };
    for _ in 0..rows {
        let byte = u.arbitrary::<u8>()?;
        drawn.labels.push(byte & 1);
        let score = f64::from(byte >> 1);
        drawn.scores.push(if probabilities { score / 127.0 } else { score / 8.0 - 4.0 });
        if let Some(weights) = &mut drawn.weights {
            weights.push(f64::from(u.arbitrary::<u8>()?) / 10.0);
        }
    }
    Ok(drawn)
}

impl Scored {
    pub(crate) fn labels(&self) -> Labels<'_> {
        Labels::U8(Column::from_slice(&self.labels))
    }

    pub(crate) fn scores(&self) -> Scores<'_> {
        Scores::F64(Column::from_slice(&self.scores))
    }

    pub(crate) fn weights(&self) -> Option<Column<'_, f64>> {
        self.weights.as_deref().map(Column::from_slice)
    }
}

fn of_ranking(u: &mut Unstructured) -> Result<()> {
    let rows: Vec<&'static Index> =
        all().filter(|row| row.scores().is_some() || row.probabilities().is_some()).collect();
    let row = rows[usize::from(u.arbitrary::<u16>()?) % rows.len()];
    let (parameters, own) = parameters(u, row, 2)?;
    let drawn = scored(u)?;
    let (labels, scores) = (drawn.labels(), drawn.scores());
    let options = SweepOptions::zero_one();
    let table = score_table(&labels, &scores, drawn.weights(), &options).expect("good rows");
    let exact = row.fraction_of_scores(&table);
    let ranking = Ranking::from(table);
    let good = |value: rocksteady::index::Value| {
        let (low, high) = row.range;
        let number = value.number;
        assert!(
            value.why.is_some()
                || !own && !number.is_nan()
                || number >= low - 1e-9 && number <= high + 1e-9,
            "{} is {number}",
            row.name
        );
    };
    if let Ok(value) = row.of_scores(&ranking, &parameters) {
        good(value);
        if let Ok(exact) = exact
            && value.why.is_none()
        {
            let expected = exact.to_f64();
            let near = if drawn.weights.is_some() {
                (value.number - expected).abs() <= 1e-15
            } else {
                apart(value.number, expected) <= 1
            };
            assert!(near, "{}: {}, expected {expected}", row.name, value.number);
        }
    }
    if let Ok(sums) = probability_sums(&labels, &scores, drawn.weights(), &options)
        && let Ok(value) = row.of_probabilities(&sums, &parameters)
    {
        good(value);
    }
    Ok(())
}

fn of_costs(u: &mut Unstructured) -> Result<()> {
    let drawn = scored(u)?;
    let mut columns = Vec::new();
    for _ in 0..4 {
        let mut column = Vec::new();
        for _ in 0..drawn.labels.len() {
            column.push(f64::from(u.arbitrary::<i8>()?) / 4.0);
        }
        columns.push((u.arbitrary::<bool>()?, column));
    }
    let given = |place: usize| {
        let (each, column) = &columns[place];
        match each {
            true => Given::Each(column[0]),
            false => Given::Rows(Column::from_slice(column)),
        }
    };
    let table = cost_table(
        &drawn.labels(),
        &drawn.scores(),
        [0, 1, 2, 3].map(given),
        drawn.weights(),
        &SweepOptions::zero_one(),
    )
    .expect("good rows");
    for row in all() {
        for predicted in 0..=table.table().len() {
            let view = table.view(predicted);
            let Ok(value) = row.of_costs(&view) else {
                break;
            };
            if value.why.is_some() {
                continue;
            }
            assert!(value.number.is_finite(), "{} is {}", row.name, value.number);
            if let Ok(exact) = row.fraction_of_costs(&view) {
                assert_eq!(value.number, exact.to_f64(), "{}", row.name);
            }
        }
        let _ = row.of_cost_table(&table);
    }
    Ok(())
}

/// Entropies in bits, and what follows from them.
fn entropies(u: &mut Unstructured) -> Result<()> {
    let classes = u.int_in_range(2..=6_usize)?;
    let mut counts = Vec::new();
    for _ in 0..classes * classes {
        counts.push(u64::from(u.arbitrary::<u16>()? >> (u.arbitrary::<u8>()? % 16)));
    }
    let matrix = ConfusionMatrix::from_counts(&counts, LabelSet::numbered(classes));
    let matrix = matrix.expect("few rows");
    let view: MatrixView = matrix.view();
    if view.total == 0.0 {
        return Ok(());
    }
    let entropy = |amounts: &mut dyn Iterator<Item = f64>| {
        let shares = amounts.filter(|&x| x > 0.0).map(|x| x / view.total);
        shares.map(|p| -p * p.ln()).sum::<f64>()
    };
    let actual = entropy(&mut view.actual.iter().copied());
    let predicted = entropy(&mut view.predicted.iter().copied());
    let joint = entropy(&mut counts.iter().map(|&x| x as f64));
    for (name, expected) in [
        ("reference_entropy", actual),
        ("response_entropy", predicted),
        ("joint_entropy", joint),
        ("mutual_information", actual + predicted - joint),
    ] {
        let Ok(row) = find(name) else { continue };
        let Ok(value) = row.of_matrix(&view, &Parameters::defaults(row)) else {
            continue;
        };
        if value.why.is_none() {
            let bits = expected / std::f64::consts::LN_2;
            let near = |x: f64| (value.number - x).abs() <= 1e-12 * (1.0 + actual + predicted);
            assert!(
                near(expected) || near(bits),
                "{name} of {counts:?}: {}, expected {expected} or {bits}",
                value.number
            );
        }
    }
    Ok(())
}

fn sums(u: &mut Unstructured) -> Result<()> {
    let places = u.int_in_range(1..=5_usize)?;
    let mut whole = ExactSums::new(places);
    let mut expected = vec![Exact::default(); places];
    let mut parts = Vec::new();
    for _ in 0..u.int_in_range(1..=4)? {
        let rows = usize::from(u.arbitrary::<u8>()? % 24);
        let weights = weights(u, (rows, 1))?;
        let span = Span::from_slice(&weights);
        assert_eq!(span.is_err(), weights.iter().any(|&weight| is_bad(weight)));
        let Ok(span) = span else { continue };
        let mut to = Vec::new();
        for &weight in &weights {
            let place = usize::from(u.arbitrary::<u8>()?) % places;
            expected[place].add(weight);
            to.push(place as u64);
        }
        let mut part = ExactSums::new(places);
        part.make_room(span);
        part.add_all(span, &to, &weights);
        whole.merge(&part);
        parts.push(part);
    }
    let mut backwards = ExactSums::new(places);
    for part in parts.iter().rev() {
        backwards.merge(part);
    }
    assert_eq!(backwards, whole);
    for (place, expected) in expected.iter().enumerate() {
        assert_eq!(whole.get(place), expected.rounded());
        let exact = whole.fraction(place).to_f64();
        assert!(exact == expected.rounded() || exact.is_infinite());
    }
    let canonical = whole.canonical();
    for (place, expected) in expected.iter().enumerate() {
        assert_eq!(canonical.get(place), expected.rounded());
    }
    Ok(())
}
