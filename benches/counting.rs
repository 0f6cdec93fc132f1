//! How long counting takes beside reading both columns once. `cargo bench --no-default-features --bench counting`
//!
//! Every case is checked against a plain loop. Cases are interleaved with the sum of their own columns; the least of the
//! rounds counts. One thread. `ROUNDS` and `ROWS` in the environment set their numbers; an argument picks the cases whose
//! names contain it.

use std::hint::black_box;
use std::time::Instant;

use rocksteady::column::Column;
use rocksteady::input::{Coded, Label, LabelKind, Labels};
use rocksteady::kernel::count::{CountOptions, confusion};
use rocksteady::threads::set_threads;

/// Numbers without a pattern.
fn noise(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) % below
    }
}

/// Labels below `classes` and predictions of which six in ten are right.
fn columns(rows: usize, classes: u64) -> (Vec<i64>, Vec<i64>) {
    let mut random = noise(classes);
    let actual: Vec<i64> = (0..rows).map(|_| random(classes) as i64).collect();
    let predicted = actual.iter().map(|&y| {
        if random(10) < 6 {
            y
        } else {
            random(classes) as i64
        }
    });
    let predicted = predicted.collect();
    (actual, predicted)
}

/// Milliseconds.
fn time<T>(mut work: impl FnMut() -> T) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_secs_f64() * 1e3
}

struct Case<'a> {
    name: String,
    y_true: Labels<'a>,
    y_pred: Labels<'a>,
    weights: Option<&'a [f64]>,
    floor: Box<dyn Fn() -> u64 + 'a>,
    /// The dense counts, row by row, if the classes are 0, 1, 2, ….
    expected: Option<Vec<u64>>,
}

/// The sum of both columns: what reading them costs.
fn sum_words<'a>(a: &'a [i64], b: &'a [i64]) -> Box<dyn Fn() -> u64 + 'a> {
    let sum = |column: &[i64]| {
        column
            .iter()
            .fold(0u64, |sum, &x| sum.wrapping_add(x as u64))
    };
    Box::new(move || sum(a).wrapping_add(sum(b)))
}

/// The same for bytes, eight at a time.
fn sum_bytes<'a>(a: &'a [u8], b: &'a [u8]) -> Box<dyn Fn() -> u64 + 'a> {
    let sum = |column: &[u8]| {
        let words = column.as_chunks().0.iter();
        words.fold(0u64, |sum, &x| sum.wrapping_add(u64::from_le_bytes(x)))
    };
    Box::new(move || sum(a).wrapping_add(sum(b)))
}

fn dense(actual: &[i64], predicted: &[i64], classes: usize) -> Vec<u64> {
    let mut counts = vec![0; classes * classes];
    for (&a, &p) in actual.iter().zip(predicted) {
        counts[a as usize * classes + p as usize] += 1;
    }
    counts
}

fn main() {
    // `cargo test --benches` and the like only want to know that it runs.
    let quick = std::env::args().any(|arg| arg == "--test");
    let rounds = std::env::var("ROUNDS")
        .ok()
        .and_then(|r| r.parse().ok())
        .unwrap_or(15);
    let (rounds, large) = if quick {
        (1, 100_000)
    } else {
        (rounds, 10_000_000)
    };
    set_threads(Some(1)).ok();

    let wanted = std::env::var("ROWS")
        .ok()
        .and_then(|rows| rows.parse::<usize>().ok());
    for rows in wanted.map_or(vec![1_000, 1_000_000, large], |rows| vec![rows]) {
        let mut data = Vec::new();
        for classes in [2, 10, 100, 1000, 100_000] {
            let (actual, predicted) = columns(rows, classes);
            let bytes = |column: &[i64]| column.iter().map(|&x| x as u8).collect::<Vec<u8>>();
            let doubles = |column: &[i64]| column.iter().map(|&x| x as f64).collect::<Vec<f64>>();
            let far = |column: &[i64]| {
                column
                    .iter()
                    .map(|&x| (x + 1) * 1_000_003)
                    .collect::<Vec<i64>>()
            };
            let codes = |column: &[i64]| column.iter().map(|&x| x as u32).collect::<Vec<u32>>();
            let labels: Vec<Label> = (0..classes)
                .map(|i| Label::Text(format!("{i:06}").into()))
                .collect();
            data.push((
                classes,
                (bytes(&actual), bytes(&predicted)),
                (doubles(&actual), doubles(&predicted)),
                (far(&actual), far(&predicted)),
                (codes(&actual), codes(&predicted), labels),
                (actual, predicted),
            ));
        }
        let mut random = noise(1);
        let weights: Vec<f64> = (0..rows).map(|_| random(1 << 30) as f64 / 1e9).collect();
        let mut cases: Vec<Case<'_>> = Vec::new();
        for (classes, bytes, doubles, far, codes, (actual, predicted)) in &data {
            let expected = (*classes <= 1000 && rows > 1_000_000 || *classes <= 10)
                .then(|| dense(actual, predicted, *classes as usize));
            let mut add = |name: &str, y_true, y_pred, weights: Option<_>, floor| {
                let name = format!("K={classes} {name}");
                let expected = expected.clone().filter(|_| weights.is_none());
                cases.push(Case {
                    name,
                    y_true,
                    y_pred,
                    weights,
                    floor,
                    expected,
                });
            };
            let (a, p) = (Column::from_slice(actual), Column::from_slice(predicted));
            add(
                "int64",
                Labels::I64(a),
                Labels::I64(p),
                None,
                sum_words(actual, predicted),
            );
            if *classes > 1000 {
                continue;
            }
            add(
                "weighted",
                Labels::I64(a),
                Labels::I64(p),
                Some(&weights[..]),
                sum_words(actual, predicted),
            );
            let (a, p) = (Column::from_slice(&far.0), Column::from_slice(&far.1));
            add(
                "far int64",
                Labels::I64(a),
                Labels::I64(p),
                None,
                sum_words(actual, predicted),
            );
            let (a, p) = (
                Column::from_slice(&doubles.0),
                Column::from_slice(&doubles.1),
            );
            add(
                "float64",
                Labels::F64(a),
                Labels::F64(p),
                None,
                sum_words(actual, predicted),
            );
            let kind = LabelKind::Text;
            let (a, p) = (Column::from_slice(&codes.0), Column::from_slice(&codes.1));
            add(
                "text",
                Labels::Coded(Coded {
                    codes: a,
                    labels: &codes.2,
                    kind,
                }),
                Labels::Coded(Coded {
                    codes: p,
                    labels: &codes.2,
                    kind,
                }),
                None,
                sum_words(actual, predicted),
            );
            if *classes <= 100 {
                let (a, p) = (Column::from_slice(&bytes.0), Column::from_slice(&bytes.1));
                add(
                    "uint8",
                    Labels::U8(a),
                    Labels::U8(p),
                    None,
                    sum_bytes(&bytes.0, &bytes.1),
                );
            }
            if *classes == 2 {
                let (a, p) = (Column::from_slice(&bytes.0), Column::from_slice(&bytes.1));
                add(
                    "bool",
                    Labels::Bool(a),
                    Labels::Bool(p),
                    None,
                    sum_bytes(&bytes.0, &bytes.1),
                );
            }
        }
        let picked = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
        cases.retain(|case| picked.as_ref().is_none_or(|part| case.name.contains(part)));
        let options = CountOptions::default();
        let mut best = vec![(f64::MAX, f64::MAX); cases.len()];
        let rounds = if rows == 1000 { 200 * rounds } else { rounds };
        for _ in 0..rounds {
            for (case, best) in cases.iter().zip(&mut best) {
                let weights = case.weights.map(Column::from_slice);
                let mut matrix = None;
                best.0 = best.0.min(time(|| {
                    matrix = confusion(&case.y_true, &case.y_pred, weights, &options).ok();
                }));
                best.1 = best.1.min(time(&case.floor));
                let matrix = matrix.expect("a matrix");
                assert_eq!(matrix.rows(), rows as u64);
                if let Some(expected) = &case.expected
                    && expected.len() == matrix.classes() * matrix.classes()
                {
                    assert_eq!(matrix.to_counts().as_ref(), Some(expected), "{}", case.name);
                }
            }
        }
        println!(
            "\n{rows} rows\n{:24} {:>10} {:>8} {:>8} {:>8}",
            "case", "ms", "ns/row", "sum ms", "ratio"
        );
        for (case, (ms, floor)) in cases.iter().zip(best) {
            let ns = ms * 1e6 / rows as f64;
            println!(
                "{:24} {ms:10.4} {ns:8.3} {floor:8.4} {:8.2}",
                case.name,
                ms / floor
            );
        }
    }
}
