//! How long counting takes beside reading both columns once. `cargo bench --no-default-features
//! --bench counting`
//!
//! Every case is checked against a plain loop. Cases are interleaved with the sum of their own
//! columns; the least of the rounds counts. One thread. `ROUNDS` and `ROWS` in the environment set
//! their numbers; an argument picks the cases whose names contain it.

use std::hint::black_box;
use std::time::Instant;

use rocksteady::base::column::Column;
use rocksteady::base::input::{Coded, Label, LabelKind, Labels};
use rocksteady::base::threads::set_threads;
use rocksteady::labels::confusion::ConfusionMatrix;
use rocksteady::labels::counting::count::{CountOptions, confusion};

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
    let predicted = actual.iter().map(|&y| if random(10) < 6 { y } else { random(classes) as i64 });
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
    /// The dense counts, row by row, if there are not too many.
    expected: &'a [u64],
}

/// The sum of both columns: what reading them costs.
fn sum_words<'a>(a: &'a [i64], b: &'a [i64]) -> Box<dyn Fn() -> u64 + 'a> {
    let sum = |column: &[i64]| column.iter().fold(0u64, |sum, &x| sum.wrapping_add(x as u64));
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

fn dense(actual: &[i64], predicted: &[i64], classes: u64) -> Vec<u64> {
    let classes = classes as usize;
    let mut counts = vec![0; classes * classes];
    for (&a, &p) in actual.iter().zip(predicted) {
        counts[a as usize * classes + p as usize] += 1;
    }
    counts
}

/// One pair of columns in several types.
struct Data {
    classes: u64,
    ints: (Vec<i64>, Vec<i64>),
    /// The same classes, a million apart.
    far: (Vec<i64>, Vec<i64>),
    bytes: (Vec<u8>, Vec<u8>),
    floats: (Vec<f64>, Vec<f64>),
    codes: (Vec<u32>, Vec<u32>),
    words: Vec<Label>,
    expected: Vec<u64>,
}

impl Data {
    fn new(rows: usize, classes: u64) -> Self {
        fn both<T>(ints: &(Vec<i64>, Vec<i64>), cast: impl Fn(i64) -> T) -> (Vec<T>, Vec<T>) {
            let each = |column: &[i64]| column.iter().map(|&x| cast(x)).collect();
            (each(&ints.0), each(&ints.1))
        }
        let ints = columns(rows, classes);
        let word = |class| Label::Text(format!("{class:06}").into());
        Self {
            classes,
            far: both(&ints, |x| (x + 1) * 1_000_003),
            bytes: both(&ints, |x| x as u8),
            floats: both(&ints, |x| x as f64),
            codes: both(&ints, |x| x as u32),
            words: (0..classes).map(word).collect(),
            expected: if classes <= 1000 { dense(&ints.0, &ints.1, classes) } else { Vec::new() },
            ints,
        }
    }

    fn cases<'a>(&'a self, weights: &'a [f64], cases: &mut Vec<Case<'a>>) {
        let slice = Column::from_slice;
        let mut add = |name, (y_true, y_pred), weights, floor| {
            let name = format!("K={} {name}", self.classes);
            let expected = &self.expected;
            cases.push(Case { name, y_true, y_pred, weights, floor, expected });
        };
        let words = || sum_words(&self.ints.0, &self.ints.1);
        let ints =
            |(a, p): &'a (Vec<i64>, Vec<i64>)| (Labels::I64(slice(a)), Labels::I64(slice(p)));
        add("int64", ints(&self.ints), None, words());
        if self.classes > 1000 {
            return;
        }
        add("int64 weighted", ints(&self.ints), Some(weights), words());
        add("int64 far apart", ints(&self.far), None, words());
        let (a, p) = (Column::from_slice(&self.floats.0), Column::from_slice(&self.floats.1));
        add("float64", (Labels::F64(a), Labels::F64(p)), None, words());
        let coded = |codes: &'a [u32]| {
            let (codes, kind) = (Column::from_slice(codes), LabelKind::Text);
            Labels::Coded(Coded { codes, labels: &self.words, kind })
        };
        add("text", (coded(&self.codes.0), coded(&self.codes.1)), None, words());
        let (a, p) = (Column::from_slice(&self.bytes.0), Column::from_slice(&self.bytes.1));
        let bytes = || sum_bytes(&self.bytes.0, &self.bytes.1);
        if self.classes <= 100 {
            add("uint8", (Labels::U8(a), Labels::U8(p)), None, bytes());
        }
        if self.classes == 2 {
            add("bool", (Labels::Bool(a), Labels::Bool(p)), None, bytes());
        }
    }
}

fn from_environment(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok()
}

fn main() {
    // `cargo test --benches` and the like only want to know that it runs.
    let quick = std::env::args().any(|arg| arg == "--test");
    let picked = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let sizes = match from_environment("ROWS") {
        Some(rows) => vec![rows],
        None if quick => vec![1_000, 100_000],
        None => vec![1_000, 1_000_000, 10_000_000],
    };
    let rounds = from_environment("ROUNDS").unwrap_or(if quick { 1 } else { 15 });
    set_threads(Some(1)).ok();
    for rows in sizes {
        let mut random = noise(1);
        let weights: Vec<f64> = (0..rows).map(|_| random(1 << 30) as f64 / 1e9).collect();
        let data = [2, 10, 100, 1000, 100_000].map(|classes| Data::new(rows, classes));
        let mut cases = Vec::new();
        for data in &data {
            data.cases(&weights, &mut cases);
        }
        cases.retain(|case| picked.as_ref().is_none_or(|part| case.name.contains(part)));
        race(rows, if rows <= 1000 { 200 * rounds } else { rounds }, &cases);
    }
}

/// Times the cases and their floors in turn, and checks what they count.
fn race(rows: usize, rounds: usize, cases: &[Case<'_>]) {
    let options = CountOptions::default();
    let mut best = vec![(f64::MAX, f64::MAX); cases.len()];
    for _ in 0..rounds {
        for (case, best) in cases.iter().zip(&mut best) {
            let weights = case.weights.map(Column::from_slice);
            let mut matrix = None;
            best.0 = best.0.min(time(|| {
                matrix = confusion(&case.y_true, &case.y_pred, weights, &options).ok();
            }));
            best.1 = best.1.min(time(&case.floor));
            assert_eq!(
                matrix.as_ref().map(ConfusionMatrix::rows),
                Some(rows as u64),
                "{}",
                case.name
            );
            let counts = matrix.filter(|m| m.classes().pow(2) == case.expected.len());
            if let Some(counts) = counts.and_then(|matrix| matrix.to_counts()) {
                assert_eq!(&counts, case.expected, "{}", case.name);
            }
        }
    }
    println!(
        "\n{rows} rows\n{:24} {:>10} {:>8} {:>8} {:>8}",
        "case", "ms", "ns/row", "sum ms", "ratio"
    );
    for (case, (ms, floor)) in cases.iter().zip(best) {
        let ns = ms * 1e6 / rows as f64;
        println!("{:24} {ms:10.4} {ns:8.3} {floor:8.4} {:8.2}", case.name, ms / floor);
    }
}
