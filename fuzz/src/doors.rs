//! The other ways to the value of an index, a part of the target [`crate::indices`].
//!
//! 1. An interval of counts, of a matrix, of scores or of probabilities lies within the range and
//!    contains the value.
//! 2. A value of a matrix of weights or costs is the exact value, rounded.
//! 3. What a sketch of few cells knows of a value holds for the value of all rows.
//! 4. An index of the scores of several classes is what a plain sum gives.
//! 5. A ranked list with ties has the mean over all orders of its rows.
//! 6. Rows that go to a file, and counts around the scores of one class, have the bits of a table.

use std::ops::RangeInclusive;

use arbitrary::{Result, Unstructured};
use rocksteady::arith::weight_kind::WeightKind;
use rocksteady::base::column::Column;
use rocksteady::base::cost_matrix::CostMatrix;
use rocksteady::base::input::{Label, LabelKind, LabelSet, Labels, ScoreMatrix, Scores};
use rocksteady::base::matrix::Matrix;
use rocksteady::classes::score_tables::score_tables;
use rocksteady::index::queries::{find_for_queries, mean_of_queries, values_of_queries};
use rocksteady::index::row::Law;
use rocksteady::index::spread::Method;
use rocksteady::index::{Index, Parameters, Value, all, optimal_threshold};
use rocksteady::inference::interval::{Ask, Interval, Side};
use rocksteady::labels::binary::Pair;
use rocksteady::labels::binary_labels::BinaryLabels;
use rocksteady::labels::confusion::ConfusionMatrix;
use rocksteady::labels::view::BinaryCounts;
use rocksteady::queries::lists::{NoScore, RankedLists, Rows};
use rocksteady::queries::row::Ties;
use rocksteady::scores::anchored::{AnchoredCounts, anchors};
use rocksteady::scores::calibration::losses::probability_sums_with_squares;
use rocksteady::scores::ranking::Ranking;
use rocksteady::scores::sketch::arrangements::Arrangements;
use rocksteady::scores::sketch::collector::{SketchOptions, score_sketch};
use rocksteady::scores::spill::collector::SpillingCollector;
use rocksteady::scores::sweep::all_thresholds::score_table;
use rocksteady::scores::sweep::rows::SweepOptions;

use crate::indices::{apart, parameters, scored};

/// One of the ways, by a byte.
pub(crate) fn run(form: u8, u: &mut Unstructured) -> Result<()> {
    match form % 6 {
        0 => counts(u),
        1 => matrix(u),
        2 => sketch(u),
        3 => several(u),
        4 => lists(u),
        _ => rankings(u),
    }
}

/// A row, its parameters, and whether they are its own.
type Chosen = (&'static Index, Parameters, bool);

/// Rows of a kind, from a drawn one on, not all lest inputs are slow. The bytes that are left are
/// parameters of the first.
fn rows(u: &mut Unstructured, classes: usize, is: fn(&Index) -> bool) -> Result<Vec<Chosen>> {
    let mut rows: Vec<&'static Index> = all().filter(|row| is(row)).collect();
    let first = usize::from(u.arbitrary::<u8>()?) % rows.len();
    rows.rotate_left(first);
    rows.truncate(32);
    let mut chosen = Vec::new();
    for row in rows {
        let (parameters, own) = parameters(u, row, classes)?;
        chosen.push((row, parameters, own));
    }
    Ok(chosen)
}

/// A value has a reason why there is none, or is a number; by its row's own parameters in range.
fn check(row: &Index, value: &Value, own: bool) {
    let ((low, high), number) = (row.range, value.number);
    let inside = number >= low - 1e-9 && number <= high + 1e-9;
    let good = value.why.is_some() || inside || !own && !number.is_nan();
    assert!(good, "{} is {number}", row.name);
}

/// What all methods are asked for.
struct Wanted {
    level: f64,
    side: Side,
}

impl Wanted {
    fn draw(u: &mut Unstructured) -> Result<Self> {
        Ok(Self {
            level: *u.choose(&[0.95, 0.5, 0.999, 0.1])?,
            side: *u.choose(&[Side::Both, Side::Both, Side::Lower, Side::Upper])?,
        })
    }

    fn by(&self, method: Option<Method>) -> Ask {
        Ask::new(self.level, method, self.side).expect("a level")
    }

    /// Checks the interval of a value by each method of its row. Its range is that of its own
    /// parameters.
    fn check(
        &self,
        row: &Index,
        value: &Value,
        own: bool,
        interval: impl Fn(&Ask) -> rocksteady::base::error::Result<Interval>,
    ) {
        for method in std::iter::once(None).chain(row.methods().into_iter().map(Some)) {
            let Ok(found) = interval(&self.by(method)) else {
                continue;
            };
            let words = || format!("{} {method:?} of {value:?}: {found:?}", row.name);
            let (low, high) = (found.low, found.high);
            assert_eq!(found.why.is_some(), low.is_nan(), "{}", words());
            if found.why.is_some() || !own {
                continue;
            }
            let inside = low.min(high) >= row.range.0 && low.max(high) <= row.range.1;
            assert!(inside, "{}", words());
            if self.side == Side::Both {
                assert!(low <= high, "{}", words());
                let room = 1e-9 * value.number.abs().max(1.0);
                let around = low - room <= value.number && value.number <= high + room;
                // The middle of a beta distribution lies beside the share.
                assert!(around || found.method == Method::Jeffreys, "{}", words());
            }
        }
    }
}

/// Units of amounts that have intervals: standard errors go beyond doubles before values do.
const USUAL: RangeInclusive<f64> = 1.0..=10.0;

/// Amounts of one kind, whole or in parts of a unit: sums of eighths are exact, of others not.
fn amounts(u: &mut Unstructured, count: usize) -> Result<(Vec<f64>, f64)> {
    let unit = *u.choose(&[1.0, 1.0, 8.0, 10.0, 3e-200, 7e200])?;
    let empty = *u.choose(&[0, 0, 128, 224])?;
    let mut amounts = Vec::new();
    for _ in 0..count {
        let whole = match u.arbitrary::<u8>()? {
            byte if byte < empty => 0,
            byte @ 0..=239 => u16::from(byte % 40),
            _ => u.arbitrary()?,
        };
        amounts.push(f64::from(whole) / unit);
    }
    Ok((amounts, unit))
}

/// The standard error of an index by its definition; none of ratios where a cell is empty.
fn standard_error(row: &Index, method: Method, value: f64, c: &BinaryCounts) -> Option<f64> {
    let is_ratio = method == Method::Logarithm;
    if is_ratio && [c.tp, c.fp, c.fn_, c.tn].contains(&0.0) {
        return None;
    }
    let part = |a: f64, b: f64| 1.0 / a - 1.0 / (a + b);
    let variance = match (row.name, method) {
        ("accuracy", Method::Wilson) => {
            (c.tp + c.tn) / c.total() * ((c.fp + c.fn_) / c.total()) / c.total()
        }
        ("positive_likelihood_ratio", Method::Logarithm) => part(c.tp, c.fn_) + part(c.fp, c.tn),
        ("negative_likelihood_ratio", Method::Logarithm) => part(c.fn_, c.tp) + part(c.tn, c.fp),
        ("diagnostic_odds_ratio", Method::Logarithm) => {
            1.0 / c.tp + 1.0 / c.fp + 1.0 / c.fn_ + 1.0 / c.tn
        }
        _ => return None,
    };
    let error = variance.sqrt() * if is_ratio { value } else { 1.0 };
    (variance.is_finite() && variance > 1e-12).then_some(error)
}

fn counts(u: &mut Unstructured) -> Result<()> {
    let (drawn, unit) = amounts(u, 4)?;
    let table = BinaryCounts { tp: drawn[0], fp: drawn[1], fn_: drawn[2], tn: drawn[3] };
    let wanted = Wanted::draw(u)?;
    let reads_counts = |row: &Index| row.counts.is_some() || row.matrix.is_some();
    for (row, parameters, own) in rows(u, 2, reads_counts)? {
        let Ok(value) = row.of_counts(&table, &parameters) else {
            continue;
        };
        check(row, &value, own);
        if !USUAL.contains(&unit) {
            continue;
        }
        wanted.check(row, &value, own, |ask| {
            let found = row.interval_of_counts(&table, &parameters, ask)?;
            if let Some(expected) = standard_error(row, found.method, value.number, &table) {
                let near = (found.standard_error / expected - 1.0).abs() <= 1e-9;
                assert!(near, "{} of {table:?}: {found:?}, not {expected}", row.name);
            }
            let put = |mut one: Interval| {
                assert!(one.estimate.is_nan() || apart(one.estimate, found.estimate) <= 1);
                one.estimate = found.estimate;
                assert_eq!(format!("{one:?}"), format!("{found:?}"), "{}", row.name);
            };
            row.intervals_of_counts(&[table; 2], &parameters, ask, put)?;
            Ok(found)
        });
    }
    Ok(())
}

fn matrix(u: &mut Unstructured) -> Result<()> {
    let classes = u.int_in_range(1..=6_usize)?;
    let (amounts, unit) = amounts(u, classes * classes)?;
    let matrix = ConfusionMatrix::from_weights(&amounts, LabelSet::numbered(classes));
    let matrix = matrix.expect("good amounts");
    let view = matrix.view();
    let (class, wanted) = (usize::from(u.arbitrary::<u8>()?) % classes, Wanted::draw(u)?);
    for (row, parameters, own) in rows(u, classes, |row| row.matrix.is_some())? {
        if let Ok(value) = row.of_matrix(&view, &parameters) {
            check(row, &value, own);
            if value.why.is_none()
                && let Ok(exact) = row.fraction_of_matrix(&matrix, None, &parameters)
            {
                let expected = exact.to_f64();
                let (name, found) = (row.name, value.number);
                let is_near = (found - expected).abs() <= 1e-12 * expected.abs().max(1.0);
                let is_free = row.laws.contains(&Law::ScaleFree);
                let near = apart(found, expected) <= 1
                    // Sums of these are rounded.
                    || unit == 10.0 && is_near
                    || !USUAL.contains(&unit) && (is_near || !is_free);
                assert!(near, "{name} of {amounts:?}: {found}, expected {expected}");
            }
            if USUAL.contains(&unit) {
                wanted
                    .check(row, &value, own, |ask| row.interval_of_matrix(&view, &parameters, ask));
            }
        }
        if USUAL.contains(&unit)
            && let Ok(value) = row.of_class(&view, class, &parameters)
        {
            check(row, &value, own);
            wanted.check(row, &value, own, |ask| {
                row.interval_of_class(&view, class, &parameters, ask)
            });
        }
    }
    threshold(u)
}

/// At the best threshold both predictions cost the same.
fn threshold(u: &mut Unstructured) -> Result<()> {
    let classes = if u.ratio(1, 8)? { 3 } else { 2 };
    let mut costs = Vec::new();
    for _ in 0..classes * classes {
        costs.push(f64::from(u.arbitrary::<i16>()?) * *u.choose(&[1.0, 1e-300, 5e303])?);
    }
    let matrix = CostMatrix::new(classes, costs.clone()).expect("good costs");
    let is_usual = classes == 2 && costs[1] > costs[0] && costs[2] > costs[3];
    let found = optimal_threshold(&matrix);
    assert_eq!(found.is_ok(), is_usual, "{costs:?}");
    if let Ok(threshold) = found {
        // Parts of the greatest cost do not overflow.
        let most = costs.iter().fold(0.0, |most: f64, cost| most.max(cost.abs()));
        let part = |at: usize| costs[at] / most;
        let [positive, negative] =
            [[1, 3], [0, 2]].map(|[tn, tp]| part(tn) * (1.0 - threshold) + part(tp) * threshold);
        assert!((positive - negative).abs() <= 1e-14, "{costs:?} {threshold}");
    }
    Ok(())
}

fn sketch(u: &mut Unstructured) -> Result<()> {
    let drawn = scored(u)?;
    let (labels, scores, weights) = (drawn.labels(), drawn.scores(), drawn.weights());
    let sweep = SweepOptions::zero_one();
    let table = score_table(&labels, &scores, weights, &sweep).expect("good rows");
    let table = Ranking::from(table);
    let positive = Some(Label::Int(1));
    let options = SketchOptions {
        labels: BinaryLabels {
            pair: Pair::of([positive.clone(), Some(Label::Int(0))], positive.as_ref()),
            pos_label: positive,
            kind: LabelKind::Int,
        },
        cells: u.int_in_range(4..=20)?,
        thresholds: vec![0.25],
        sweep,
    };
    let sketch = score_sketch(&labels, &scores, weights, &options).expect("good rows");
    let sketch = Arrangements::from(sketch);
    let wanted = Wanted::draw(u)?;
    for (row, parameters, _) in rows(u, 2, |row| row.scores().is_some())? {
        let exact = row.of_scores(&table, &parameters).expect("all thresholds");
        let known = row.of_sketch(&sketch, &parameters).expect("all thresholds");
        let (number, words) = (exact.number, format!("{} {exact:?} {known:?}", row.name));
        if let Some(value) = known.value {
            assert_eq!(exact.why.map(|why| why.sentence()), known.why, "{words}");
            let error = 1e-11 * number.abs() + 1e-14;
            let same = (value - number).abs() <= error || value.is_nan() && number.is_nan();
            assert!(same, "{words}");
        } else if known.why.is_none() {
            let holds = known.low <= number && number <= known.high;
            assert!(holds && exact.why.is_none(), "{words}");
        }
        for method in row.methods() {
            let ask = wanted.by(Some(method));
            let (Ok(wide), Ok(exact)) = (
                row.interval_of_sketch(&sketch, &ask),
                row.interval_of_scores(&table, &parameters, &ask),
            ) else {
                continue;
            };
            if wide.why.is_none() && exact.why.is_none() {
                let less = |a: f64, b: f64| a <= b || a - b <= 1e-9 * b.abs().max(1.0);
                let holds = less(wide.low, exact.low) && less(exact.high, wide.high);
                assert!(holds, "{} {method:?} {wide:?} {exact:?}", row.name);
            }
        }
    }
    Ok(())
}

/// Rows of several classes, scored for each.
struct Several {
    classes: usize,
    truth: Vec<u8>,
    scores: Vec<f64>,
    weights: Vec<f64>,
}

impl Several {
    /// The weighted mean of a number of rows; none without rows.
    fn mean(&self, rows: impl Fn(usize) -> f64) -> f64 {
        let sum = |of: &dyn Fn(usize) -> f64| (0..self.truth.len()).map(of).sum::<f64>();
        sum(&|row| self.weights[row] * rows(row)) / sum(&|row| self.weights[row])
    }

    fn score(&self, row: usize, class: usize) -> f64 {
        self.scores[row * self.classes + class]
    }

    fn truth(&self, row: usize) -> usize {
        self.truth[row].into()
    }

    fn size(&self, class: usize) -> f64 {
        let rows = (0..self.truth.len()).filter(|&row| self.truth(row) == class);
        rows.map(|row| self.weights[row]).sum()
    }

    /// The mean over pairs, one row of a class and one of others, by the scores of the class.
    fn pairs(&self, class: usize, other: impl Fn(usize) -> bool, of: fn(f64, f64) -> f64) -> f64 {
        let all = || 0..self.truth.len();
        let (mut sum, mut weights) = (0.0, 0.0);
        for a in all().filter(|&row| self.truth(row) == class) {
            for b in all().filter(|&row| other(self.truth(row))) {
                let weight = self.weights[a] * self.weights[b];
                sum += weight * of(self.score(a, class), self.score(b, class));
                weights += weight;
            }
        }
        sum / weights
    }

    /// The mean over the classes that have rows, each with a weight.
    fn over(&self, weight: impl Fn(usize) -> f64, of: impl Fn(usize) -> f64) -> f64 {
        let present = || (0..self.classes).filter(|&class| self.size(class) > 0.0);
        let sum: f64 = present().map(|class| weight(class) * of(class)).sum();
        sum / present().map(weight).sum::<f64>()
    }

    /// The mean of each class against each other.
    fn one_vs_one(&self, weight: impl Fn(usize) -> f64, of: fn(f64, f64) -> f64) -> f64 {
        self.over(weight, |class| {
            let others = (0..self.classes).filter(|&k| k != class && self.size(k) > 0.0);
            let areas = others.map(|other| self.pairs(class, |k| k == other, of));
            let areas: Vec<f64> = areas.collect();
            areas.iter().sum::<f64>() / areas.len() as f64
        })
    }

    /// The value of an index by its definition.
    fn expected(&self, name: &str) -> Option<f64> {
        let wins = |a: f64, b: f64| f64::from(u8::from(a > b)) + f64::from(u8::from(a == b)) / 2.0;
        let area = |class: usize| self.pairs(class, |other| other != class, wins);
        let own = |row: usize| self.score(row, self.truth(row));
        let error = |row: usize| {
            let hit = |class: usize| f64::from(u8::from(class == self.truth(row)));
            let all = (0..self.classes).map(|class| (self.score(row, class) - hit(class)).powi(2));
            all.sum::<f64>() / if self.classes == 2 { 2.0 } else { 1.0 }
        };
        let (even, size) = (|_| 1.0, |class| self.size(class));
        Some(match name {
            "one_vs_rest_auc" => self.over(even, area),
            "weighted_one_vs_rest_auc" => self.over(size, area),
            "one_vs_one_auc" => self.one_vs_one(even, wins),
            "weighted_one_vs_one_auc" => self.one_vs_one(size, wins),
            "scored_auc" => self.one_vs_one(even, |a, b| (a - b).max(0.0)),
            "probabilistic_auc" => self.one_vs_one(even, |a, b| (a - b + 1.0) / 2.0),
            "mean_probability_rate" => self.mean(own),
            "log_loss" => self.mean(|row| -own(row).clamp(f64::EPSILON, 1.0 - f64::EPSILON).ln()),
            "brier" => self.mean(error),
            _ => return None,
        })
    }
}

fn several(u: &mut Unstructured) -> Result<()> {
    let classes = u.int_in_range(2..=4_usize)?;
    let count = u.int_in_range(1..=20_usize)?;
    let (probabilities, is_weighted) = (u.ratio(3, 4)?, u.ratio(1, 3)?);
    let mut drawn =
        Several { classes, truth: Vec::new(), scores: Vec::new(), weights: vec![1.0; count] };
    for row in 0..count {
        drawn.truth.push(u.arbitrary::<u8>()? % classes as u8);
        let mut scores = Vec::new();
        for _ in 0..classes {
            scores.push(f64::from(u.arbitrary::<u8>()? % 16));
        }
        let sum: f64 = scores.iter().sum();
        let score = |score: f64| {
            if probabilities { score / sum.max(1.0) } else { score - 8.0 }
        };
        drawn.scores.extend(scores.into_iter().map(score));
        if is_weighted {
            drawn.weights[row] = f64::from(u.arbitrary::<u8>()?) / 10.0;
        }
    }
    let tables = score_tables(
        &Labels::U8(Column::from_slice(&drawn.truth)),
        Some(LabelSet::numbered(classes)),
        &ScoreMatrix::F64(Matrix::from_slice(&drawn.scores, classes)),
        is_weighted.then(|| Column::from_slice(&drawn.weights)),
        WeightKind::Counts,
    );
    let tables = tables.expect("good rows");
    let wanted = Wanted::draw(u)?;
    for (row, parameters, own) in rows(u, classes, |row| row.score_tables().is_some())? {
        let Ok(value) = row.of_score_tables(&tables, &parameters) else {
            continue;
        };
        check(row, &value, own);
        if value.why.is_none()
            && let Some(expected) = drawn.expected(row.name)
        {
            let (name, found) = (row.name, value.number);
            let near = (found - expected).abs() <= 1e-12 * expected.abs().max(1.0);
            assert!(near, "{name}: {found}, expected {expected}");
        }
        wanted.check(row, &value, own, |ask| row.interval_of_score_tables(&tables, ask));
    }
    Ok(())
}

/// All orders of so many rows.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let Some(last) = count.checked_sub(1) else {
        return vec![Vec::new()];
    };
    let mut found = Vec::new();
    for order in orders(last) {
        for place in 0..count {
            let mut order = order.clone();
            order.insert(place, last);
            found.push(order);
        }
    }
    found
}

fn lists(u: &mut Unstructured) -> Result<()> {
    let count = u.int_in_range(1..=5_usize)?;
    let (mut relevance, mut scores) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let grade = *u.choose(&[0.0, 1.0, 0.0, 2.0, 1.0, 3.5, f64::NAN])?;
        let score = *u.choose(&[0.5, 1.0, -2.0, 0.5, f64::NAN])?;
        let is_judged = !f64::is_nan(grade);
        relevance.push(grade);
        scores.push(if is_judged { score } else { 1.0 });
    }
    let ranked = |order: &[usize], ties: Ties| {
        let of = |column: &[f64]| order.iter().map(|&row| column[row]).collect::<Vec<f64>>();
        let (relevance, scores) = (of(&relevance), of(&scores));
        let documents: Vec<u32> = (0..count as u32).collect();
        let columns = Rows {
            relevance: Scores::F64(Column::from_slice(&relevance)),
            scores: Scores::F64(Column::from_slice(&scores)),
            queries: &vec![0; count],
            weights: None,
            documents: (ties == Ties::TrecEval).then_some(&documents),
        };
        RankedLists::new(&columns, 1, ties, NoScore::NotRetrieved).expect("good rows")
    };
    let orders = orders(count);
    let stable: Vec<_> = orders.iter().map(|order| ranked(order, Ties::Stable)).collect();
    for (row, parameters, own) in rows(u, 2, |row| row.queries().is_some())? {
        let (_, form) = find_for_queries(row.name).expect("an index of queries");
        let value = |lists: &RankedLists| {
            let found = values_of_queries(form, lists, &parameters, f64::NAN);
            let found = found.expect("threads")[0];
            check(row, &found, own);
            found
        };
        value(&ranked(&orders[0], Ties::TrecEval));
        let lists = ranked(&orders[0], Ties::Expected);
        let found = value(&lists);
        let of_query = mean_of_queries(form, &lists, &parameters, f64::NAN).expect("threads");
        let same = of_query.value.number == found.number;
        assert!(same || found.why == of_query.value.why && found.why.is_some(), "{of_query:?}");
        let sum: f64 = stable.iter().map(|lists| value(lists).number).sum();
        let (name, mean) = (row.name, sum / stable.len() as f64);
        let near = (found.number - mean).abs() <= 1e-12 * mean.abs().max(1.0);
        let words = format!("{name} {parameters:?} of {relevance:?} by {scores:?}");
        assert!(near || found.why.is_some() && mean.is_nan(), "{words}: {found:?}, not {mean}");
    }
    Ok(())
}

/// Rows in memory, in a file, around the scores of the positives, and their losses.
fn rankings(u: &mut Unstructured) -> Result<()> {
    let drawn = scored(u)?;
    let (labels, scores, weights) = (drawn.labels(), drawn.scores(), drawn.weights());
    let options = SweepOptions::zero_one();
    let table = score_table(&labels, &scores, weights, &options).expect("good rows");
    let anchors = anchors(&table).ok().filter(|anchors| !anchors.is_empty());
    let counts = anchors.map(|anchors| AnchoredCounts::new(anchors, &table));
    let counts = counts.map(|counts| counts.expect("the same rows"));
    let table = Ranking::from(table);
    let mut collector = SpillingCollector::new(options.clone(), 1, None).expect("counts");
    collector.update(&labels, &scores, weights).expect("good rows");
    let spilled = collector.view(None).expect("a file");
    let sums = probability_sums_with_squares(&labels, &scores, weights, &options);
    let wanted = Wanted::draw(u)?;
    for (row, parameters, own) in rows(u, 2, |row| row.scores().is_some())? {
        let value = row.of_scores(&table, &parameters).expect("all thresholds");
        check(row, &value, own);
        let same = |found: Value| {
            let bits = found.number.to_bits() == value.number.to_bits();
            assert!(bits && found.why == value.why, "{} {found:?} {value:?}", row.name);
        };
        match row.of_spilled(&spilled, &parameters) {
            Ok(found) => same(found),
            Err(_) => assert!(!own || !row.is_of_spilled(spilled.is_weighted())),
        }
        if let Some(counts) = &counts {
            match row.of_anchored(counts, &parameters) {
                Ok(found) => same(found),
                Err(_) => assert!(!row.is_of_anchored(), "{}", row.name),
            }
        }
        if !own {
            continue;
        }
        wanted.check(row, &value, own, |ask| row.interval_of_scores(&table, &parameters, ask));
        if let Ok(sums) = &sums
            && let Ok(value) = row.of_probabilities(sums, &parameters)
        {
            check(row, &value, own);
            wanted.check(row, &value, own, |ask| row.interval_of_probabilities(sums, ask));
        }
    }
    Ok(())
}
