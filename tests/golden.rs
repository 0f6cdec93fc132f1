//! Every row of the registry against values from independent sources: the files of
//! `tests/data/golden/`.
//!
//! To add an index, add its row and a case with its value there; nothing here changes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // that is how a test fails

use rocksteady::arith::fraction::Fraction;
use rocksteady::arith::weight_kind::WeightKind;
use rocksteady::base::column::Column;
use rocksteady::base::cost_matrix::CostMatrix;
use rocksteady::base::error::Result;
use rocksteady::base::input::{Label, LabelKind, LabelSet, Labels, ScoreMatrix, Scores};
use rocksteady::base::matrix::Matrix;
use rocksteady::classes::score_tables::ScoreTables;
use rocksteady::classes::score_tables::score_tables;
use rocksteady::costs::cost_table::CostView;
use rocksteady::costs::costs_of_rows::{Given, cost_counts};
use rocksteady::index;
use rocksteady::index::Index;
use rocksteady::index::average::How;
use rocksteady::index::parameter::{Domain, Parameters};
use rocksteady::index::value::Value;
use rocksteady::labels::confusion::ConfusionMatrix;
use rocksteady::labels::view::{BinaryCounts, MatrixView};
use rocksteady::queries::lists::{NoScore, RankedLists, Rows as QueryRows};
use rocksteady::queries::row::Ties;
use rocksteady::scores::calibration::losses::probability_sums;
use rocksteady::scores::ranking::Ranking;
use rocksteady::scores::sweep::all_thresholds::score_table;
use rocksteady::scores::sweep::rows::SweepOptions;
use serde_json::Value as Json;

/// The cases of all files.
fn cases() -> Vec<Json> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/golden");
    let files = std::fs::read_dir(folder).unwrap();
    let mut paths: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    let read =
        |path| -> Json { serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap() };
    let cases = |file: Json| file["cases"].as_array().unwrap().clone();
    paths.into_iter().map(read).flat_map(cases).collect()
}

fn number(json: &Json) -> f64 {
    json.as_f64().unwrap_or(f64::NAN)
}

fn numbers(json: &Json) -> Vec<f64> {
    json.as_array().unwrap().iter().map(number).collect()
}

fn rows(json: &Json) -> Vec<Vec<f64>> {
    json.as_array().unwrap().iter().map(numbers).collect()
}

fn matrix(rows: &[Vec<f64>]) -> MatrixView {
    let labels = LabelSet {
        kind: LabelKind::Int,
        values: (0..rows.len()).map(|k| Label::Int(k as i128)).collect(),
    };
    let matrix = ConfusionMatrix::from_weights(&rows.concat(), labels);
    matrix.unwrap().view()
}

fn counts(json: &Json) -> BinaryCounts {
    let get = |name: &str| json[name].as_f64().unwrap();
    BinaryCounts { tp: get("tp"), fp: get("fp"), fn_: get("fn"), tn: get("tn") }
}

/// The rows of a case, whose labels are 0 and 1.
struct Rows {
    labels: Vec<u8>,
    scores: Vec<f64>,
    weights: Option<Vec<f64>>,
}

impl Rows {
    fn of(case: &Json) -> Self {
        let labels = numbers(&case["labels"]);
        Self {
            labels: labels.into_iter().map(|y| y as u8).collect(),
            scores: numbers(&case["scores"]),
            weights: case.get("weights").map(numbers),
        }
    }

    fn with<T>(
        &self,
        kernel: impl FnOnce(&Labels, &Scores, Option<Column<f64>>, &SweepOptions) -> Result<T>,
    ) -> T {
        let options = SweepOptions { pos_label: Some(Label::Int(1)), ..SweepOptions::default() };
        let labels = Labels::U8(Column::from_slice(&self.labels));
        let scores = Scores::F64(Column::from_slice(&self.scores));
        let weights = self.weights.as_deref().map(Column::from_slice);
        kernel(&labels, &scores, weights, &options).unwrap()
    }
}

/// The scores of classes 0 to K - 1, a column each.
fn class_scores(case: &Json, rows: &[Vec<f64>]) -> ScoreTables {
    let labels: Vec<u8> = numbers(&case["labels"]).iter().map(|&y| y as u8).collect();
    let classes = rows[0].len();
    let given = LabelSet {
        kind: LabelKind::Int,
        values: (0..classes).map(|k| Label::Int(k as i128)).collect(),
    };
    let weights = case.get("weights").map(numbers);
    score_tables(
        &Labels::U8(Column::from_slice(&labels)),
        Some(given),
        &ScoreMatrix::F64(Matrix::from_slice(&rows.concat(), classes)),
        weights.as_deref().map(Column::from_slice),
        WeightKind::Counts,
    )
    .unwrap()
}

/// The lists of queries 0, 1, …; a relevance of null was not judged, a score of null not retrieved.
fn lists(case: &Json) -> RankedLists {
    let (relevance, scores) = (numbers(&case["relevance"]), numbers(&case["ranked"]));
    let queries: Vec<u32> = numbers(&case["queries"]).iter().map(|&q| q as u32).collect();
    let (_, ties) = Ties::ALL.into_iter().find(|(name, _)| case["ties"] == *name).unwrap();
    let documents = (ties == Ties::TrecEval).then(|| {
        let names = case["documents"].as_array().unwrap();
        let mut sorted: Vec<&str> = names.iter().map(|name| name.as_str().unwrap()).collect();
        sorted.sort_unstable();
        let rank = |name: &Json| sorted.partition_point(|other| *other < name.as_str().unwrap());
        names.iter().map(|name| rank(name) as u32).collect::<Vec<u32>>()
    });
    let columns = QueryRows {
        relevance: Scores::F64(Column::from_slice(&relevance)),
        scores: Scores::F64(Column::from_slice(&scores)),
        queries: &queries,
        weights: None,
        documents: documents.as_deref(),
    };
    let count = queries.iter().max().unwrap() + 1;
    RankedLists::new(&columns, count as usize, ties, NoScore::NotRetrieved).unwrap()
}

/// A parameter: a number, or a word as its place.
fn parameter(index: &Index, name: &str, value: &Json) -> f64 {
    let known = index.parameters.iter().find(|known| known.name == name);
    match known.unwrap().domain {
        Domain::Word(words) => words.iter().position(|word| value == word).unwrap() as f64,
        Domain::Flag => f64::from(u8::from(value.as_bool().unwrap())),
        _ => number(value),
    }
}

fn parameters(index: &Index, case: &Json) -> Parameters {
    let given: Vec<(&str, f64)> = case["parameters"]
        .as_object()
        .map(|map| {
            map.iter().map(|(name, value)| (name.as_str(), parameter(index, name, value))).collect()
        })
        .unwrap_or_default();
    let costs = case.get("costs").map(|costs| {
        let costs = rows(costs);
        CostMatrix::new(costs.len(), costs.concat()).unwrap()
    });
    Parameters::new(index, &given, costs).unwrap()
}

/// What predicted labels cost, with costs by row: errors 1 and correct predictions 0 where none are
/// given.
fn row_costs(case: &Json, given: &Json) -> CostView<Fraction> {
    let labels =
        |name: &str| -> Vec<u8> { numbers(&case[name]).iter().map(|&y| y as u8).collect() };
    let (actual, predicted) = (labels("labels"), labels("predicted"));
    let columns = ["tp", "fp", "fn", "tn"].map(|name| given.get(name).map(numbers));
    let costs = [0, 1, 2, 3].map(|place: usize| match &columns[place] {
        Some(column) => Given::Rows(Column::from_slice(column)),
        None => Given::Each([0.0, 1.0, 1.0, 0.0][place]),
    });
    let (actual, predicted) = (Column::from_slice(&actual), Column::from_slice(&predicted));
    let (actual, predicted) = (Labels::U8(actual), Labels::U8(predicted));
    let table = cost_counts(&actual, &predicted, costs, None, None).unwrap();
    let positive = (0..table.table().len()).filter(|&place| table.table().score(place) == 1.0);
    table.view(positive.count())
}

fn evaluate(index: &Index, case: &Json) -> Value {
    let parameters = parameters(index, case);
    if let Some(table) = case.get("counts") {
        return index.of_counts(&counts(table), &parameters).unwrap();
    }
    if let Some(rows_) = case.get("matrix") {
        let view = matrix(&rows(rows_));
        if let Some(class) = case.get("class") {
            return index.of_class(&view, class.as_u64().unwrap() as usize, &parameters).unwrap();
        }
        let Some(how) = case.get("average") else {
            return index.of_matrix(&view, &parameters).unwrap();
        };
        let how = match how.as_str() {
            Some("macro") => How::Macro,
            Some("micro") => How::Micro,
            Some("weighted") => How::Weighted,
            other => panic!("no such average: {other:?}"),
        };
        let zero_division = case.get("zero_division").map_or(0.0, number);
        return index::average(&view, index, how, zero_division, &parameters).unwrap();
    }
    if let Some(matrix) = case.get("probabilities") {
        let tables = class_scores(case, &rows(matrix));
        return index.of_score_tables(&tables, &parameters).unwrap();
    }
    if case.get("ranked").is_some() {
        let form = index.queries().unwrap();
        let mean = index::mean_of_queries(form, &lists(case), &parameters, f64::NAN);
        return mean.unwrap().value;
    }
    if let Some(given) = case.get("row_costs") {
        return index.of_costs(&row_costs(case, given)).unwrap();
    }
    let rows = Rows::of(case);
    if index.probabilities().is_some() {
        let sums = rows.with(probability_sums);
        return index.of_probabilities(&sums, &parameters).unwrap();
    }
    let table = Ranking::from(rows.with(score_table));
    index.of_scores(&table, &parameters).unwrap()
}

#[test]
fn every_golden_value_is_reached() {
    let (mut wrong, mut seen) = (Vec::new(), std::collections::BTreeSet::new());
    for case in &cases() {
        let source = case["source"].as_str().unwrap();
        assert!(!source.is_empty(), "a case without a source: {case}");
        let tolerance = case.get("tolerance").map_or(1e-12, number);
        for (name, expected) in case["values"].as_object().unwrap() {
            let index = index::find(name).unwrap();
            seen.insert(index.name);
            let (found, expected) = (evaluate(index, case), number(expected));
            let near = (found.number - expected).abs() <= tolerance * expected.abs().max(1.0);
            if !(near || found.number.is_nan() && expected.is_nan() && found.why.is_some()) {
                let place = format!(
                    "{} class {:?} {:?}",
                    case["what"],
                    case.get("class"),
                    case.get("average")
                );
                wrong.push(format!("{name}: {found:?}, but {source} says {expected} ({place})"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} values differ:\n{}", wrong.len(), wrong.join("\n"));
    let unsourced: Vec<&str> =
        index::all().map(|row| row.name).filter(|name| !seen.contains(name)).collect();
    assert!(unsourced.is_empty(), "rows without a golden value: {unsourced:?}");
}

/// Amounts near 2^40 and more: the same matrix scaled by an odd number has the same scale-free
/// indices.
#[test]
fn amounts_beyond_2_to_the_40_change_nothing() {
    for case in cases().iter().filter(|case| case.get("matrix").is_some()) {
        let small = rows(&case["matrix"]);
        let factor = (1_u64 << 40) as f64 + 12_345.0;
        let large: Vec<Vec<f64>> =
            small.iter().map(|row| row.iter().map(|x| x * factor).collect()).collect();
        for name in ["mcc", "kappa", "cen", "mcen", "rci", "accuracy", "balanced_accuracy"] {
            let index = index::find(name).unwrap();
            let parameters = Parameters::defaults(index);
            let value = |rows: &[Vec<f64>]| index.of_matrix(&matrix(rows), &parameters).unwrap();
            let (small, large) = (value(&small), value(&large));
            assert_eq!(small.why, large.why, "{name}");
            let both = (small.number, large.number);
            let near = (both.0 - both.1).abs() <= 1e-13 || both.0.is_nan() && both.1.is_nan();
            assert!(near, "{name} {both:?}");
        }
    }
}

/// Numerators that all but cancel, against exact integers.
#[test]
fn near_cancelling_counts_agree_with_exact_integers() {
    let (a, b) = ((1_i128 << 41) + 7, (1_i128 << 40) - 3);
    for (slip, turn) in [(0, 0), (1, 0), (0, 1), (-1, 1), (1, -1), (2, 3)] {
        let (tp, tn, fp, fn_) = (a, b, a + slip, b + turn);
        let determinant = tp * tn - fp * fn_;
        let counts = BinaryCounts { tp: tp as f64, fp: fp as f64, fn_: fn_ as f64, tn: tn as f64 };
        let product = |x: i128, y: i128| (x * y) as f64;
        let [p, n, top, ton] = [tp + fn_, fp + tn, tp + fp, fn_ + tn];
        let expected = [
            ("mcc", determinant as f64 / (product(p, n).sqrt() * product(top, ton).sqrt())),
            ("kappa", 2.0 * determinant as f64 / (top * n + p * ton) as f64),
            ("informedness", determinant as f64 / product(p, n)),
            ("markedness", determinant as f64 / product(top, ton)),
        ];
        for (name, expected) in expected {
            let index = index::find(name).unwrap();
            let parameters = Parameters::defaults(index);
            let found = index.of_counts(&counts, &parameters).unwrap().number;
            assert!(
                (found - expected).abs() <= 1e-14 * expected.abs(),
                "{name} {found} {expected}"
            );
            if index.matrix.is_some() {
                let view = MatrixView::from_binary(&counts);
                let found = index.of_matrix(&view, &parameters).unwrap().number;
                assert!(
                    (found - expected).abs() <= 1e-14 * expected.abs(),
                    "{name} {found} {expected}"
                );
            }
        }
    }
}

/// Kolmogorov and Smirnov's distance comes with its threshold and sign.
#[test]
fn the_distance_tells_where_and_which_way() {
    for (labels, sign) in [([1, 1, 0, 0], 1), ([0, 0, 1, 1], -1)] {
        for weights in [None, Some(vec![0.1, 0.2, 0.3, 0.4])] {
            let rows = Rows { labels: labels.to_vec(), scores: vec![0.9, 0.8, 0.3, 0.1], weights };
            let ks = Ranking::from(rows.with(score_table)).ks().unwrap();
            assert_eq!((ks.value, ks.threshold, ks.sign), (1.0, 0.8, sign));
        }
    }
}
