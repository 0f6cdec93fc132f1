//! Several classes, and several labels a row, against loops over the rows.
//!
//! 1. Labels of K classes and a matrix of scores: top k, losses, hinge, areas, tables, decisions.
//! 2. Labels of two classes and one column: the same.
//! 3. A matrix of zeros and ones and one of scores: tables of labels, measures of each row, counts.
//!
//! What only counts, or sums weights, is compared to the bit; other sums within the error of a
//! plain one. A number that no kernel takes must be refused by all.

use arbitrary::{Result, Unstructured};
use rocksteady::arith::weight_kind::WeightKind;
use rocksteady::base::column::Column;
use rocksteady::base::cost_matrix::CostMatrix;
use rocksteady::base::input::{Label, LabelSet, Labels, ScoreMatrix, Scores};
use rocksteady::base::matrix::Matrix;
use rocksteady::classes::areas::{
    Area, each_label, labels_pooled, one_vs_one, one_vs_rest, one_vs_rest_pooled, rows_sum_to_one,
};
use rocksteady::classes::calibration::{Edges, calibration};
use rocksteady::classes::calibration_error::{Measure as Miscalibration, Mode, calibration_error};
use rocksteady::classes::column_tables::Rankings;
use rocksteady::classes::decision::{bayes_decisions, bayes_risks};
use rocksteady::classes::hinge::hinge_losses;
use rocksteady::classes::label_score_tables::{LabelScoreTables, label_score_tables};
use rocksteady::classes::listwise::{Discount, Measure, mean, measured};
use rocksteady::classes::losses::{Columns, class_probability_sums};
use rocksteady::classes::probability_sums::Wanted;
use rocksteady::classes::score_tables::{ScoreTables, score_tables};
use rocksteady::classes::top_k::top_k_hits;
use rocksteady::classes::top_label::top_labels;
use rocksteady::index::{Parameters, all};
use rocksteady::labels::indicator::{Indicator, indicator, indicator_rows};
use rocksteady::scores::calibration::bins::{Binning, Norm};
use rocksteady::scores::ranking::Ranking;
use rocksteady::scores::sweep::all_thresholds::score_table;
use rocksteady::scores::sweep::rows::SweepOptions;
use rocksteady::statistic::Statistic;

use crate::input::{Exact, Held, Number, is_bad, rows_of, shape, threads, weights};
use crate::scores::near;

/// Too few bytes for an input are none.
pub fn run(data: &[u8]) {
    let Some((&form, rest)) = data.split_first() else {
        return;
    };
    let mut u = Unstructured::new(rest);
    let _ = match form % 8 {
        0 | 2 | 4 => several_classes(&mut u),
        6 => two_classes(&mut u),
        _ => several_labels(&mut u),
    };
}

/// A matrix of floats, probabilities or not; now and then one that is refused is among them.
fn matrix(
    u: &mut Unstructured,
    shape: (usize, usize),
    columns: usize,
    probabilities: bool,
) -> Result<Held> {
    let dtype = *u.choose(&["f16", "f32", "f64"])?;
    let mut palette = Vec::new();
    for _ in 0..u.int_in_range(2..=12)? {
        let byte = f64::from(u.arbitrary::<u8>()?);
        palette.push(Number::Float(if probabilities { byte / 255.0 } else { byte / 8.0 - 16.0 }));
    }
    if u.ratio(1, 32)? {
        palette.push(Number::Float(*u.choose(&[f64::NAN, f64::INFINITY, -0.0, 1.5])?));
    }
    let cells = rows_of(u, &palette, (shape.0 * columns, shape.1))?;
    Held::of(u, dtype, &cells, columns)
}

fn some_weights(u: &mut Unstructured, shape: (usize, usize)) -> Result<Option<Held>> {
    if !u.arbitrary()? {
        return Ok(None);
    }
    let wanted: Vec<Number> = weights(u, shape)?.into_iter().map(Number::Float).collect();
    Held::of(u, "f64", &wanted, 1).map(Some)
}

/// The weights, or ones.
fn weighing(held: Option<&Held>, rows: usize) -> Vec<f64> {
    held.map_or_else(|| vec![1.0; rows], Held::floats)
}

/// Labels of several classes, and a score of each.
struct Scored<'a> {
    truth: &'a [u8],
    labels: Labels<'a>,
    scores: &'a Held,
    weights: Option<&'a Held>,
    classes: usize,
    floats: Vec<f64>,
    /// The weights, or ones.
    weighing: Vec<f64>,
}

impl Scored<'_> {
    fn rows(&self) -> usize {
        self.truth.len()
    }

    fn set(&self) -> Option<LabelSet> {
        Some(LabelSet::numbered(self.classes))
    }

    fn column(&self) -> Option<Column<'_, f64>> {
        self.weights.map(Held::weights)
    }

    fn of_row(&self, row: usize) -> &[f64] {
        &self.floats[row * self.classes..][..self.classes]
    }

    fn own(&self, row: usize) -> usize {
        self.truth[row].into()
    }

    fn all_finite(&self) -> bool {
        self.floats.iter().all(|score| score.is_finite())
    }

    fn all_probable(&self) -> bool {
        self.floats.iter().all(|score| (0.0..=1.0).contains(score))
    }

    fn good_weights(&self) -> bool {
        self.rows() > 0 && !self.weighing.iter().any(|&weight| is_bad(weight))
    }
}

fn several_classes(u: &mut Unstructured) -> Result<()> {
    threads(u)?;
    let (rows, repeats) = shape(u)?;
    let shape = (rows.min(40), repeats);
    let classes = u.int_in_range(3..=6_usize)? + if u.ratio(1, 16)? { 6 } else { 0 };
    let probabilities = u.arbitrary()?;
    let palette: Vec<u8> = (0..classes as u8).collect();
    let truth = rows_of(u, &palette, shape)?;
    let wanted: Vec<Number> = truth.iter().map(|&class| Number::Int(class.into())).collect();
    let dtype = *u.choose(&["i8", "u8", "i64", "f32", "u16"])?;
    let held = Held::of(u, dtype, &wanted, 1)?;
    let scores = matrix(u, shape, classes, probabilities)?;
    let weights = some_weights(u, shape)?;
    let of = Scored {
        truth: &truth,
        labels: held.labels(),
        scores: &scores,
        weights: weights.as_ref(),
        classes,
        floats: scores.floats(),
        weighing: weighing(weights.as_ref(), truth.len()),
    };
    // One of them for each input, so that inputs are quick.
    match u.arbitrary::<u8>()? % 6 {
        0 => hits(u, &of),
        1 => margins(&of),
        2 => sums(u, &of),
        3 if of.rows() > 0 && !(of.good_weights() && of.all_finite()) => {
            let (column, kind) = (of.column(), WeightKind::Counts);
            let found = score_tables(&of.labels, of.set(), &scores.matrix(), column, kind);
            assert!(found.is_err(), "{found:?}");
            let wide = LabelSet::numbered(classes + 1);
            let areas = |set, area| one_vs_rest(&of.labels, set, &scores.matrix(), None, area);
            assert!(areas(Some(wide), Area::Precision).is_err());
            let _ = areas(of.set(), Area::Roc(0.5));
            Ok(())
        }
        3 if of.good_weights() && of.all_finite() => {
            tables_of_classes(&of.labels, &truth, &scores, weights.as_ref(), classes)?;
            if (65..400).contains(&of.rows()) {
                // Scores that all differ are not counted but ordered.
                let cells = of.floats.iter().enumerate();
                let distinct: Vec<f64> = cells.map(|(at, x)| x + at as f64 / 4096.0).collect();
                let matrix = ScoreMatrix::F64(Matrix::from_slice(&distinct, classes));
                pairs(&of.labels, &truth, &distinct, &matrix, classes);
            }
            Ok(())
        }
        4 if of.good_weights() && of.all_probable() => {
            calibrations(u, &truth, &scores, weights.as_ref(), classes)
        }
        _ => {
            let _ = top_labels(&of.labels, of.set(), &scores.matrix());
            decisions(u, &scores, classes)
        }
    }
}

fn hits(u: &mut Unstructured, of: &Scored) -> Result<()> {
    let (rows, classes, weighing) = (of.rows(), of.classes, &of.weighing);
    let k = u.int_in_range(0..=classes + 1)?;
    let found = top_k_hits(&of.labels, &of.scores.matrix(), of.column(), k, of.set());
    assert_eq!(found.is_ok(), of.all_finite() && of.good_weights(), "{found:?}");
    if let Ok((hits, count)) = found {
        assert_eq!(count, classes);
        let is_hit = |row: usize| {
            let (scores, own) = (of.of_row(row), of.own(row));
            let before = (0..classes).filter(|&class| {
                scores[class] > scores[own] || scores[class] == scores[own] && class > own
            });
            before.count() < k
        };
        let hit = (0..rows).filter(|&row| is_hit(row)).map(|row| weighing[row]);
        assert_eq!(hits.total(), Exact::of(hit).rounded());
        assert_eq!(hits.weight(), Exact::of(weighing.iter().copied()).rounded());
    }
    Ok(())
}

fn margins(of: &Scored) -> Result<()> {
    let (rows, classes, weighing) = (of.rows(), of.classes, &of.weighing);
    let found = hinge_losses(&of.labels, &of.scores.matrix(), of.column(), of.set(), true);
    assert_eq!(found.is_ok(), of.all_finite() && of.good_weights(), "{found:?}");
    if let Ok(sum) = found {
        let loss = |row: usize| {
            let (scores, own) = (of.of_row(row), of.own(row));
            let others = (0..classes).filter(|&class| class != own).map(|class| scores[class]);
            let highest = others.fold(f64::NEG_INFINITY, f64::max);
            weighing[row] * (1.0 - (scores[own] - highest)).max(0.0)
        };
        close(sum.total(), (0..rows).map(loss).sum(), rows);
    }
    Ok(())
}

fn sums(u: &mut Unstructured, of: &Scored) -> Result<()> {
    let sum_to_one = rows_sum_to_one(&of.scores.matrix());
    if of.all_probable() {
        let apart = |row: usize| (of.of_row(row).iter().sum::<f64>() - 1.0).abs();
        // Sums in another order may differ at the limit itself.
        let all_below = |limit: f64| (0..of.rows()).all(|row| apart(row) < limit);
        assert!(sum_to_one || !all_below(0.99e-5));
        assert!(!sum_to_one || all_below(1.01e-5));
    }
    let (rows, classes, weighing) = (of.rows(), of.classes, &of.weighing);
    let (truth, floats) = (of.truth, &of.floats);
    let wanted = Wanted { log_loss: true, squared_log_loss: true, brier: true, classes: true };
    let given = || Columns::Given(LabelSet::numbered(of.classes));
    let found =
        class_probability_sums(&of.labels, &of.scores.matrix(), of.column(), given(), wanted);
    assert_eq!(found.is_ok(), of.all_probable() && of.good_weights(), "{found:?}");
    if let Ok(sums) = &found {
        // Of floats in the other byte order it is that of doubles, as scikit-learn has it.
        let epsilon = match of.scores.dtype {
            _ if of.scores.matrix().is_swapped() => f64::EPSILON,
            "f16" => f64::from(half::f16::EPSILON),
            "f32" => f64::from(f32::EPSILON),
            _ => f64::EPSILON,
        };
        let (mut log_loss, mut brier) = (0.0, 0.0);
        for row in 0..rows {
            let own = of.own(row);
            log_loss -= weighing[row] * of.of_row(row)[own].clamp(epsilon, 1.0 - epsilon).ln();
            for (class, p) in of.of_row(row).iter().enumerate() {
                brier += weighing[row] * (f64::from(u8::from(class == own)) - p).powi(2);
            }
        }
        close(sums.log_loss(), log_loss, rows);
        close(sums.brier(), brier, rows * classes);
        assert_eq!(sums.weight(), Exact::of(weighing.iter().copied()).rounded());
        // Cut anywhere, the sums are the same.
        let cut = u.int_in_range(0..=rows)?;
        let part = |range: std::ops::Range<usize>| {
            let labels: Vec<u8> = truth[range.clone()].to_vec();
            let cells = &floats[range.start * classes..range.end * classes];
            let weighing = &weighing[range];
            class_probability_sums(
                &Labels::U8(Column::from_slice(&labels)),
                &ScoreMatrix::F64(Matrix::from_slice(cells, classes)),
                of.weights.is_some().then(|| Column::from_slice(weighing)),
                given(),
                wanted,
            )
        };
        if let (Ok(first), Ok(second)) = (part(0..cut), part(cut..rows))
            && of.scores.dtype == "f64"
        {
            assert_eq!(first.add(&second).as_ref(), Ok(sums), "cut at {cut}");
        }
    }
    Ok(())
}

/// One column: a score of the second class, or its probability.
fn two_classes(u: &mut Unstructured) -> Result<()> {
    threads(u)?;
    let shape = shape(u)?;
    let rows = shape.0 * shape.1;
    let probabilities = u.arbitrary()?;
    let truth = rows_of(u, &[0_u8, 1], shape)?;
    let scores = matrix(u, shape, 1, probabilities)?;
    let weights = some_weights(u, shape)?;
    let labels = Labels::U8(Column::from_slice(&truth));
    let y_score = scores.matrix();
    let column = || weights.as_ref().map(Held::weights);
    // Without a set the labels are found.
    let set = u.arbitrary::<bool>()?.then(|| LabelSet::numbered(2));
    let is_known = set.is_some() || truth.contains(&0) && truth.contains(&1);
    let floats = scores.floats();
    let weighing = weighing(weights.as_ref(), rows);
    let all_finite = floats.iter().all(|score| score.is_finite());
    let all_probable = floats.iter().all(|score| (0.0..=1.0).contains(score));
    let good_weights = rows > 0 && !weighing.iter().any(|&weight| is_bad(weight));
    let weight = Exact::of(weighing.iter().copied().filter(|_| good_weights)).rounded();

    let k = u.int_in_range(1..=3)?;
    let found = top_k_hits(&labels, &y_score, column(), k, set.clone());
    assert_eq!(found.is_ok(), all_finite && good_weights && is_known, "{found:?}");
    if let Ok((hits, _)) = found {
        let limit = if all_probable { 0.5 } else { 0.0 };
        let is_hit = |&row: &usize| k > 1 || (floats[row] > limit) == (truth[row] == 1);
        let hit = (0..rows).filter(is_hit).map(|row| weighing[row]);
        assert_eq!(hits.total(), Exact::of(hit).rounded());
        assert_eq!(hits.weight(), weight);
    }
    let found = hinge_losses(&labels, &y_score, column(), set, true);
    assert_eq!(found.is_ok(), all_finite && good_weights, "{found:?}");
    if let Ok(sum) = found {
        // As in scikit-learn, a class that is alone is negative, whatever the labels are.
        let both = truth.contains(&0) && truth.contains(&1);
        let is_positive = |row: usize| both && truth[row] == 1;
        let side = |row: usize| if is_positive(row) { 1.0 } else { -1.0 };
        let loss = |row: usize| weighing[row] * (1.0 - side(row) * floats[row]).max(0.0);
        close(sum.total(), (0..rows).map(loss).sum(), rows);
    }
    let (squared_log_loss, classes) = (u.arbitrary()?, u.arbitrary()?);
    let wanted = Wanted { log_loss: true, squared_log_loss, brier: true, classes };
    let of_positive = Columns::Positive(Some(Label::Int(1)));
    let found = class_probability_sums(&labels, &y_score, column(), of_positive, wanted);
    assert_eq!(found.is_ok(), all_probable && good_weights, "{found:?}");
    if let Ok(sums) = &found {
        let apart = |row: usize| f64::from(truth[row]) - floats[row];
        let brier = (0..rows).map(|row| 2.0 * weighing[row] * apart(row).powi(2));
        close(sums.brier(), brier.sum(), 2 * rows);
        assert_eq!(sums.weight(), weight);
        let twice = sums.add(sums).expect("sums of the same kind");
        assert_eq!(twice.log_loss(), 2.0 * sums.log_loss());
        let _ = (sums.log_loss_saved(), sums.brier_saved());
    }
    decisions(u, &scores, 2)
}

/// Bins of the first class against the rest, and the error of calibration by each measure.
fn calibrations(
    u: &mut Unstructured,
    truth: &[u8],
    scores: &Held,
    weights: Option<&Held>,
    classes: usize,
) -> Result<()> {
    let bins = u.int_in_range(1..=32_usize)?;
    let flags: Vec<u8> = truth.iter().map(|&own| u8::from(own == 0)).collect();
    let flags = Labels::U8(Column::from_slice(&flags));
    let floats = scores.floats();
    let first: Vec<f64> = floats.iter().step_by(classes).copied().collect();
    let first = ScoreMatrix::F64(Matrix::from_slice(&first, 1));
    for edges in [Edges::Uniform, Edges::LeftClosed, Edges::Quantile] {
        let found = calibration(&flags, &first, Some(&Label::Int(1)), bins, edges);
        let found = found.expect("good rows");
        let place = |p: f64| match edges {
            Edges::Uniform => {
                Some((1..bins).filter(|&at| at as f64 * (1.0 / bins as f64) < p).count())
            }
            Edges::LeftClosed => Some((1..bins).filter(|&at| at as f64 / bins as f64 <= p).count()),
            Edges::Quantile => None,
        };
        let (mut rows, mut positives) = (vec![0; bins], vec![0; bins]);
        let mut sums = vec![Exact::default(); bins];
        for (row, &own) in truth.iter().enumerate() {
            let p = floats[row * classes];
            if let Some(bin) = place(p) {
                rows[bin] += 1;
                positives[bin] += u64::from(own == 0);
                sums[bin].add(p);
            }
        }
        if edges == Edges::Quantile {
            assert_eq!(found.rows.iter().sum::<u64>(), truth.len() as u64);
        } else {
            let sums: Vec<f64> = sums.iter().map(Exact::rounded).collect();
            assert_eq!((found.rows, found.positives, found.probability), (rows, positives, sums));
        }
    }
    let labels = Labels::U8(Column::from_slice(truth));
    let column = || weights.map(Held::weights);
    let binning = *u.choose(&[Binning::Uniform, Binning::Quantile, Binning::Isotonic])?;
    let norm = *u.choose(&[Norm::Mean, Norm::RootMeanSquare, Norm::Max])?;
    for mode in [Mode::Binary, Mode::TopLabel, Mode::ClassWise] {
        let measure = Miscalibration { mode, bins, binning, norm };
        let (labels, y_score, set) = match mode {
            Mode::Binary => (&flags, &first, None),
            _ => (&labels, &scores.matrix(), Some(LabelSet::numbered(classes))),
        };
        let found = calibration_error(labels, y_score, column(), set, None, &measure);
        if let Some(error) = found.expect("good rows") {
            assert!((0.0..=1.0 + 1e-12).contains(&error), "{error} by {measure:?}");
        }
    }
    Ok(())
}

/// A sum that is the other but for roundings; a small weight makes products vanish.
fn close(found: f64, expected: f64, terms: usize) {
    let good =
        !expected.is_finite() || near(found, expected, terms) || (found - expected).abs() <= 1e-300;
    assert!(good, "{found}, expected {expected}");
}

fn tables_of_classes(
    labels: &Labels,
    truth: &[u8],
    scores: &Held,
    weights: Option<&Held>,
    classes: usize,
) -> Result<()> {
    let y_score = scores.matrix();
    let set = || Some(LabelSet::numbered(classes));
    let column = || weights.map(Held::weights);
    let tables =
        score_tables(labels, set(), &y_score, column(), WeightKind::Counts).expect("good rows");
    assert_eq!(ScoreTables::from_bytes(&tables.to_bytes()).as_ref(), Ok(&tables));
    for row in all() {
        let Ok(value) = row.of_score_tables(&tables, &Parameters::defaults(row)) else {
            continue;
        };
        let is_number = !value.number.is_nan();
        assert!(is_number || value.why.is_some(), "{} {value:?}", row.name);
    }
    let nothing = tables.subtract(&tables).expect("all rows are there");
    assert_eq!(nothing.add(&tables).as_ref(), Ok(&tables));
    let none = score_tables(
        &Labels::U8(Column::from_slice(&[])),
        set(),
        &ScoreMatrix::F64(Matrix::from_slice(&[], classes)),
        None,
        WeightKind::Counts,
    );
    if let Ok(none) = none
        && tables.rows() > 0
    {
        assert_eq!((none.rows(), tables.add(&none)), (0, Ok(tables.clone())));
        assert_eq!(none.add(&tables).as_ref(), Ok(&tables));
    }
    assert_eq!(tables.weight_kind(), WeightKind::Counts);
    tables.prepare().expect("good rows");
    let twice = tables.add(&tables).expect("the same classes");
    if weights.is_none() {
        assert_eq!(tables.rows(), truth.len() as u64);
        assert!(tables.subtract(&twice).is_err());
    }
    assert_eq!(twice.subtract(&tables).as_ref(), Ok(&tables));
    let areas = one_vs_rest(labels, set(), &y_score, column(), Area::Roc(1.0)).expect("good rows");
    let precisions =
        one_vs_rest(labels, set(), &y_score, column(), Area::Precision).expect("good rows");
    let each = tables.against_rest().expect("good rows");
    let mut flags_of_all = Vec::new();
    for class in 0..classes {
        let flags: Vec<u8> = truth.iter().map(|&own| u8::from(usize::from(own) == class)).collect();
        let table = score_table(
            &Labels::U8(Column::from_slice(&flags)),
            &y_score.column(class),
            column(),
            &SweepOptions::zero_one(),
        );
        let table = Ranking::from(table.expect("good rows"));
        assert_eq!(each[class].masses(), table.masses(), "class {class}");
        assert_eq!(each[class].keys(), table.keys(), "class {class}");
        if (table.totals().0 + table.totals().1).is_finite() {
            let (roc, precision) = (table.roc_auc(), table.average_precision());
            same(areas[class].area, roc.unwrap_or(f64::NAN));
            if precision.is_some() {
                same(precisions[class].area, precision.unwrap_or(f64::NAN));
            }
        }
        flags_of_all.push(flags);
    }
    // Every row and class as one row.
    let pooled = tables.pooled().expect("good rows");
    let pool = |row: usize| (0..classes).map(move |class| (row, class));
    let flags: Vec<u8> =
        (0..truth.len()).flat_map(pool).map(|(row, class)| flags_of_all[class][row]).collect();
    let floats = scores.floats();
    let weighing: Vec<f64> = weighing(weights, truth.len())
        .into_iter()
        .flat_map(|weight| vec![weight; classes])
        .collect();
    let expected = score_table(
        &Labels::U8(Column::from_slice(&flags)),
        &Scores::F64(Column::from_slice(&floats)),
        weights.is_some().then(|| Column::from_slice(&weighing)),
        &SweepOptions::zero_one(),
    )
    .expect("good rows");
    assert_eq!(pooled.masses(), expected.masses());
    if weights.is_none() {
        let found = one_vs_rest_pooled(labels, set(), &y_score, None, Area::Roc(1.0));
        let area = Ranking::from(expected).roc_auc();
        same(found.expect("good rows").area, area.unwrap_or(f64::NAN));
        pairs(labels, truth, &floats, &y_score, classes);
    }
    Ok(())
}

/// One class against another: each column by its own pairs of rows.
fn pairs(labels: &Labels, truth: &[u8], floats: &[f64], y_score: &ScoreMatrix, classes: usize) {
    let Ok(found) = one_vs_one(labels, Some(LabelSet::numbered(classes)), y_score) else {
        return;
    };
    let of = |class: usize, column: usize| -> Vec<f64> {
        let rows = truth.iter().enumerate().filter(|row| usize::from(*row.1) == class);
        rows.map(|(row, _)| floats[row * classes + column]).collect()
    };
    let area = |class: usize, other: usize| {
        let (own, their) = (of(class, class), of(other, class));
        let mut twice = 0_u64;
        for a in &own {
            for b in &their {
                twice += 2 * u64::from(a > b) + u64::from(a == b);
            }
        }
        twice as f64 / (2 * own.len() * their.len()) as f64
    };
    let present: Vec<usize> =
        (0..classes).filter(|&class| truth.iter().any(|&own| usize::from(own) == class)).collect();
    let mut expected = Vec::new();
    for (at, &first) in present.iter().enumerate() {
        for &second in &present[at + 1..] {
            expected.push((area(first, second) + area(second, first)) / 2.0);
        }
    }
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!(near(found.area, expected, 1), "{}, expected {expected}", found.area);
    }
}

fn same(found: f64, expected: f64) {
    let good = found == expected || found.is_nan() && expected.is_nan();
    assert!(good, "{found}, expected {expected}");
}

fn decisions(u: &mut Unstructured, scores: &Held, classes: usize) -> Result<()> {
    let mut costs = Vec::new();
    for _ in 0..classes * classes {
        costs.push(f64::from(u.arbitrary::<i8>()?) / 4.0);
    }
    let reject = u.arbitrary::<bool>()?.then_some(1.25);
    let costs = CostMatrix::new(classes, costs).expect("finite costs");
    let floats = scores.floats();
    let good = floats.iter().all(|score| (0.0..=1.0).contains(score));
    let risks = bayes_risks(&scores.matrix(), &costs);
    let found = bayes_decisions(&scores.matrix(), &costs, reject);
    if !good {
        assert!(risks.is_err() && found.is_err());
        return Ok(());
    }
    let (Ok(risks), Ok(found)) = (risks, found) else {
        assert!(floats.is_empty());
        return Ok(());
    };
    let alone = scores.matrix().columns() == 1;
    let of_all: Vec<f64> =
        if alone { floats.iter().flat_map(|&p| [1.0 - p, p]).collect() } else { floats };
    for (row, row_scores) in of_all.chunks(classes).enumerate() {
        let risk =
            |j: usize| (0..classes).fold(0.0, |sum, i| sum + row_scores[i] * costs.cost(i, j));
        let all: Vec<f64> = (0..classes).map(risk).collect();
        assert_eq!(risks[row * classes..][..classes], all[..], "row {row}");
        let mut least = 0;
        for class in 1..classes {
            if all[class] < all[least] {
                least = class;
            }
        }
        let rejected = reject.is_some_and(|limit| all[least] > limit);
        assert_eq!(found[row], if rejected { -1 } else { least as i64 }, "row {row}");
    }
    Ok(())
}

fn several_labels(u: &mut Unstructured) -> Result<()> {
    threads(u)?;
    let (rows, repeats) = shape(u)?;
    let shape = (rows.min(40), repeats);
    let rows = shape.0 * shape.1;
    let columns = u.int_in_range(2..=9_usize)? * if u.ratio(1, 16)? { 7 } else { 1 };
    let cells = (shape.0 * columns, shape.1);
    let mut palette = vec![Number::Int(0), Number::Int(1), Number::Int(1)];
    if u.ratio(1, 32)? {
        palette.push(Number::Int(2));
    }
    let flags = |u: &mut Unstructured| -> Result<Held> {
        let drawn = rows_of(u, &palette, cells)?;
        let dtype = *u.choose(&["u8", "bool", "i32", "f64", "i8"])?;
        Held::of(u, dtype, &drawn, columns)
    };
    let (truth, guess) = (flags(u)?, flags(u)?);
    let probabilities = u.arbitrary()?;
    let scores = matrix(u, shape, columns, probabilities)?;
    let weights = some_weights(u, shape)?;
    let column = || weights.as_ref().map(Held::weights);
    let weighing = weighing(weights.as_ref(), rows);
    let (own, their) = (truth.floats(), guess.floats());
    let are_flags = |numbers: &[f64]| numbers.iter().all(|&x| x == 0.0 || x == 1.0);
    let good_weights = rows > 0 && !weighing.iter().any(|&weight| is_bad(weight));

    let (a, b) = (Indicator::Dense(truth.matrix()), Indicator::Dense(guess.matrix()));
    let found = indicator(&a, &b, column(), None);
    let good = are_flags(&own) && are_flags(&their) && good_weights;
    assert_eq!(found.is_ok(), good, "{found:?}");
    if let Ok(counts) = found {
        let cell = |sums: &mut [Exact; 4], at: usize, weight: f64| {
            let place = 2 * usize::from(own[at] == 1.0) + usize::from(their[at] == 1.0);
            sums[place].add(weight);
        };
        for (label, table) in counts.label_tables().iter().enumerate() {
            let mut sums: [Exact; 4] = Default::default();
            for (row, &weight) in weighing.iter().enumerate() {
                cell(&mut sums, row * columns + label, weight);
            }
            let found = [table.tn, table.fp, table.fn_, table.tp];
            assert_eq!(found, sums.map(|sum| sum.rounded()), "label {label}");
        }
        let each = indicator_rows(&a, &b, None, None).expect("good rows");
        for (row, table) in each.iter().enumerate() {
            let mut sums: [Exact; 4] = Default::default();
            for label in 0..columns {
                cell(&mut sums, row * columns + label, 1.0);
            }
            let found = [table.tn, table.fp, table.fn_, table.tp];
            assert_eq!(found, sums.map(|sum| sum.rounded()), "row {row}");
        }
        let _ = (counts.row_tables(), counts.right_rows(), counts.right_cells());
    }

    let floats = scores.floats();
    let all_finite = floats.iter().all(|score| score.is_finite());
    let found =
        label_score_tables(&truth.matrix(), &scores.matrix(), None, column(), WeightKind::Counts);
    assert_eq!(found.is_ok(), are_flags(&own) && good_weights && all_finite, "{found:?}");
    if let Ok(tables) = found {
        let areas = each_label(&truth.matrix(), &scores.matrix(), column(), Area::Roc(1.0));
        let areas = areas.expect("good rows");
        for (label, ranking) in tables.tables().iter().enumerate() {
            let (positives, negatives) = ranking.totals();
            assert_eq!((areas[label].positives, areas[label].negatives), (positives, negatives));
            if (positives + negatives).is_finite() {
                same(areas[label].area, ranking.roc_auc().unwrap_or(f64::NAN));
            }
        }
        let pooled = Ranking::from(tables.pooled().expect("good rows"));
        let area = labels_pooled(&truth.matrix(), &scores.matrix(), column(), Area::Roc(1.0));
        let area = area.expect("good rows");
        let (positives, negatives) = pooled.totals();
        assert_eq!((area.positives, area.negatives), (positives, negatives));
        if (positives + negatives).is_finite() {
            same(area.area, pooled.roc_auc().unwrap_or(f64::NAN));
        }
        let twice = tables.add(&tables).expect("the same labels");
        assert_eq!(twice.subtract(&tables).as_ref(), Ok(&tables));
        assert!(weights.is_some() || tables.subtract(&twice).is_err());
        assert_eq!(LabelScoreTables::from_bytes(&tables.to_bytes()).as_ref(), Ok(&tables));
    } else if rows > 0 {
        let area = Area::Roc(0.5);
        let _ = labels_pooled(&truth.matrix(), &scores.matrix(), column(), area);
    }
    listwise(u, (&truth, &own), (&scores, &floats), columns, &weighing)
}

/// Measures of each row of labels.
fn listwise(
    u: &mut Unstructured,
    (truth, own): (&Held, &[f64]),
    (scores, floats): (&Held, &[f64]),
    columns: usize,
    weighing: &[f64],
) -> Result<()> {
    let (first, ignore_ties) = (*u.choose(&[None, Some(1), Some(3), Some(20)])?, u.arbitrary()?);
    let discount = || Discount { first, base: 2.0, ignore_ties };
    let measures = [
        Measure::Coverage,
        Measure::AveragePrecision,
        Measure::Loss,
        Measure::RocArea,
        Measure::Gain(discount()),
        Measure::NormalizedGain(discount()),
    ];
    let all_finite = !own.is_empty() && floats.iter().all(|score| score.is_finite());
    let are_flags = own.iter().all(|&x| x == 0.0 || x == 1.0);
    for (place, measure) in measures.iter().enumerate() {
        let found = measured(&truth.matrix(), &scores.matrix(), measure);
        let good = all_finite && (are_flags || place >= 4);
        assert_eq!(found.is_ok(), good, "{found:?}");
        let Ok(found) = found else { continue };
        for (row, &found) in found.iter().enumerate() {
            let at = row * columns..(row + 1) * columns;
            let expected = of_row(&own[at.clone()], &floats[at], measure);
            let good = near(found, expected, columns) || found.is_nan() && expected.is_nan();
            assert!(good, "row {row}, {measure:?}: {found}, expected {expected}");
        }
        let weights = Column::from_slice(weighing);
        let _ = mean(&truth.matrix(), &scores.matrix(), Some(weights), measure);
    }
    Ok(())
}

fn of_row(relevance: &[f64], scores: &[f64], measure: &Measure) -> f64 {
    let labels = 0..scores.len();
    let relevant: Vec<usize> = labels.clone().filter(|&at| relevance[at] == 1.0).collect();
    let others: Vec<usize> = labels.clone().filter(|&at| relevance[at] != 1.0).collect();
    let reach = |of: &[usize], least: f64| of.iter().filter(|&&at| scores[at] >= least).count();
    let pairs = (relevant.len() * others.len()) as f64;
    match measure {
        Measure::Coverage => {
            let lowest = relevant.iter().map(|&at| scores[at]).fold(f64::INFINITY, f64::min);
            (reach(&relevant, lowest) + reach(&others, lowest)) as f64
        }
        Measure::AveragePrecision if relevant.is_empty() || others.is_empty() => 1.0,
        Measure::AveragePrecision => {
            let precision = |&at: &usize| {
                let right = reach(&relevant, scores[at]);
                right as f64 / (right + reach(&others, scores[at])) as f64
            };
            relevant.iter().map(precision).sum::<f64>() / relevant.len() as f64
        }
        Measure::Loss if pairs == 0.0 => 0.0,
        Measure::Loss => {
            let wrong: usize = relevant.iter().map(|&at| reach(&others, scores[at])).sum();
            wrong as f64 / pairs
        }
        Measure::RocArea => {
            let twice = |&at: &usize| {
                let above = others.iter().filter(|&&other| scores[at] > scores[other]);
                let level = others.iter().filter(|&&other| scores[at] == scores[other]);
                (2 * above.count() + level.count()) as f64
            };
            relevant.iter().map(twice).sum::<f64>() / (2.0 * pairs)
        }
        Measure::Gain(discount) => gain(relevance, scores, discount),
        Measure::NormalizedGain(discount) => {
            // Nothing is tied in the best order.
            let best = gain(relevance, relevance, discount);
            let found = gain(relevance, scores, discount);
            if best == 0.0 { 0.0 } else { found / best }
        }
    }
}

fn gain(relevance: &[f64], scores: &[f64], discount: &Discount) -> f64 {
    let mut order: Vec<usize> = (0..scores.len()).rev().collect();
    order.sort_by(|&a, &b| scores[b].partial_cmp(&scores[a]).expect("numbers"));
    let first = discount.first.unwrap_or(usize::MAX);
    let share = |place: usize| match place < first {
        true => discount.base.ln() / (place as f64 + 2.0).ln(),
        false => 0.0,
    };
    let mut sum = 0.0;
    let mut start = 0;
    while start < order.len() {
        let tied = |at: &usize| !discount.ignore_ties && scores[*at] == scores[order[start]];
        let rest = order[start + 1..].iter().take_while(|at| tied(at)).count();
        let group = start..start + 1 + rest;
        let mean = group.clone().map(share).sum::<f64>() / group.len() as f64;
        sum += group.clone().map(|place| relevance[order[place]] * mean).sum::<f64>();
        start = group.end;
    }
    sum
}
