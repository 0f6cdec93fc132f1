//! Every row of the registry against values from independent sources: `tests/data/golden_indices.json`.
//!
//! To add an index, add its row and a case with its value there; nothing here changes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // that is how a test fails

use rocksteady::index::{self, CostMatrix, How, Index, Parameters, Sweep, Value};
use rocksteady::kernel::proper::of_slices;
use rocksteady::stat::{BinaryCounts, Cell, MatrixView};
use serde_json::Value as Json;

const GOLDEN: &str = include_str!("data/golden_indices.json");

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
    let sum = |k: usize, axis: fn(usize, usize) -> (usize, usize)| -> f64 {
        (0..rows.len())
            .map(|i| axis(k, i))
            .map(|(i, j)| rows[i][j])
            .sum()
    };
    let classes = 0..rows.len();
    let mut cells = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        for (j, &amount) in row.iter().enumerate().filter(|&(_, &amount)| amount != 0.0) {
            cells.push(Cell {
                actual: i as u32,
                predicted: j as u32,
                amount,
            });
        }
    }
    MatrixView {
        total: rows.iter().flatten().sum(),
        actual: classes.clone().map(|k| sum(k, |k, i| (k, i))).collect(),
        predicted: classes.clone().map(|k| sum(k, |k, i| (i, k))).collect(),
        correct: classes.map(|k| rows[k][k]).collect(),
        cells,
    }
}

fn counts(json: &Json) -> BinaryCounts {
    let get = |name: &str| json[name].as_f64().unwrap();
    BinaryCounts {
        tp: get("tp"),
        fp: get("fp"),
        fn_: get("fn"),
        tn: get("tn"),
    }
}

/// The naive sweep: sort, then count.
struct Steps(Vec<(f64, f64, f64)>);

impl Steps {
    fn new(labels: &[u8], scores: &[f64], weights: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        let (mut steps, mut tp, mut fp) = (Vec::<(f64, f64, f64)>::new(), 0.0, 0.0);
        for row in order {
            *(if labels[row] == 1 { &mut tp } else { &mut fp }) += weights[row];
            match steps.last_mut() {
                Some(last) if last.0 == scores[row] => *last = (scores[row], tp, fp),
                _ => steps.push((scores[row], tp, fp)),
            }
        }
        Self(steps)
    }
}

impl Sweep for Steps {
    fn totals(&self) -> (f64, f64) {
        self.0.last().map_or((0.0, 0.0), |&(_, tp, fp)| (tp, fp))
    }

    fn each_step(&self, step: &mut dyn FnMut(f64, f64, f64)) {
        self.0
            .iter()
            .for_each(|&(score, tp, fp)| step(score, tp, fp));
    }
}

fn parameters(index: &Index, case: &Json) -> Parameters {
    let given: Vec<(&str, f64)> = case["parameters"]
        .as_object()
        .map(|map| {
            map.iter()
                .map(|(name, value)| (name.as_str(), number(value)))
                .collect()
        })
        .unwrap_or_default();
    let costs = case.get("costs").map(|costs| {
        let costs = rows(costs);
        CostMatrix::new(costs.len(), costs.concat()).unwrap()
    });
    Parameters::new(index, &given, costs).unwrap()
}

fn evaluate(index: &Index, case: &Json) -> Value {
    let parameters = parameters(index, case);
    if let Some(table) = case.get("counts") {
        return index.of_counts(&counts(table), &parameters).unwrap();
    }
    if let Some(rows_) = case.get("matrix") {
        let view = matrix(&rows(rows_));
        if let Some(class) = case.get("class") {
            return index
                .of_class(&view, class.as_u64().unwrap() as usize, &parameters)
                .unwrap();
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
    let labels: Vec<u8> = numbers(&case["labels"])
        .into_iter()
        .map(|y| y as u8)
        .collect();
    let scores = numbers(&case["scores"]);
    let weights = case.get("weights").map(numbers);
    if index.probability.is_some() {
        let sums = of_slices(&labels, &scores, weights.as_deref(), f64::EPSILON).unwrap();
        return index.of_probabilities(&sums, &parameters).unwrap();
    }
    let weights = weights.unwrap_or_else(|| vec![1.0; scores.len()]);
    index
        .of_sweep(&Steps::new(&labels, &scores, &weights), &parameters)
        .unwrap()
}

#[test]
fn every_golden_value_is_reached() {
    let golden: Json = serde_json::from_str(GOLDEN).unwrap();
    let (mut wrong, mut seen) = (Vec::new(), std::collections::BTreeSet::new());
    for case in golden["cases"].as_array().unwrap() {
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
                wrong.push(format!(
                    "{name}: {found:?}, but {source} says {expected} ({place})"
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} values differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    let unsourced: Vec<&str> = index::all()
        .map(|row| row.name)
        .filter(|name| !seen.contains(name))
        .collect();
    assert!(
        unsourced.is_empty(),
        "rows without a golden value: {unsourced:?}"
    );
}

/// Amounts near 2^40 and more: the same matrix scaled by an odd number has the same scale-free indices.
#[test]
fn amounts_beyond_2_to_the_40_change_nothing() {
    let golden: Json = serde_json::from_str(GOLDEN).unwrap();
    for case in golden["cases"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|case| case.get("matrix").is_some())
    {
        let small = rows(&case["matrix"]);
        let factor = (1_u64 << 40) as f64 + 12_345.0;
        let large: Vec<Vec<f64>> = small
            .iter()
            .map(|row| row.iter().map(|x| x * factor).collect())
            .collect();
        for name in [
            "mcc",
            "kappa",
            "cen",
            "mcen",
            "rci",
            "accuracy",
            "balanced_accuracy",
        ] {
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
        let counts = BinaryCounts {
            tp: tp as f64,
            fp: fp as f64,
            fn_: fn_ as f64,
            tn: tn as f64,
        };
        let product = |x: i128, y: i128| (x * y) as f64;
        let [p, n, top, ton] = [tp + fn_, fp + tn, tp + fp, fn_ + tn];
        let expected = [
            (
                "mcc",
                determinant as f64 / (product(p, n).sqrt() * product(top, ton).sqrt()),
            ),
            (
                "kappa",
                2.0 * determinant as f64 / (top * n + p * ton) as f64,
            ),
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
                let view = MatrixView::of_binary(&counts);
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
    let steps = Steps::new(&[1, 1, 0, 0], &[0.9, 0.8, 0.3, 0.1], &[1.0; 4]);
    let ks = steps.ks().unwrap();
    assert_eq!((ks.value, ks.threshold, ks.sign), (1.0, 0.8, 1));
    let ks = Steps::new(&[0, 0, 1, 1], &[0.9, 0.8, 0.3, 0.1], &[1.0; 4])
        .ks()
        .unwrap();
    assert_eq!((ks.value, ks.threshold, ks.sign), (1.0, 0.8, -1));
}
