//! How long the ranking kernels take, on one thread unless `ROCKSTEADY_NUM_THREADS` says otherwise,
//! for many shapes of data.
//!
//! `cargo bench --no-default-features --bench ranking -- [words]` runs the cases whose name
//! contains every word. Times are the least of several rounds (`ROUNDS` sets how many). Every
//! answer is compared with one that is found by sorting.
#![allow(missing_docs, clippy::unwrap_used)]

use std::time::Instant;

use rocksteady::base::column::Column;
use rocksteady::base::input::{Labels, Scores};
use rocksteady::scores::ranking::Ranking;
use rocksteady::scores::sweep::all_thresholds::score_table;
use rocksteady::scores::sweep::auc::{RankSum, roc_auc};
use rocksteady::scores::sweep::rows::SweepOptions;

/// A counter-based random stream (SplitMix64): small, and the same everywhere.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
    fn normal(&mut self) -> f64 {
        let (u, v) = (1.0 - self.uniform(), self.uniform());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }
}

fn digits(x: f64, n: i32) -> f64 {
    (x * 10_f64.powi(n)).round() / 10_f64.powi(n)
}

fn data(shape: &str, rows: usize) -> (Vec<i64>, Vec<f64>) {
    let mut random = Random(rows as u64);
    let share = if shape == "rare" { 0.01 } else { 0.3 };
    let mut y = Vec::new();
    let mut s = Vec::new();
    for _ in 0..rows {
        let label = i64::from(random.uniform() < share);
        let logit = random.normal() + label as f64;
        let sigmoid = 1.0 / (1.0 + (-logit).exp());
        y.push(label);
        s.push(match shape {
            "uniform" => random.uniform(),
            "logits" => logit,
            "digits2" => digits(sigmoid, 2),
            "digits3" => digits(sigmoid, 3),
            "digits4" => digits(sigmoid, 4),
            "digits5" => digits(sigmoid, 5),
            "digits6" => digits(sigmoid, 6),
            "tied" => 0.5,
            "single" => f64::from(sigmoid as f32),
            "integers" => (logit * 1000.0).round(),
            "split" if random.uniform() < 0.5 => 1e-9 * sigmoid,
            "sure" | "split" => 1.0 - 1e-9 * sigmoid,
            _ => sigmoid,
        });
    }
    match shape {
        "outlier" => s[rows / 2] = 1e300,
        "ascending" => s.sort_by(f64::total_cmp),
        "descending" => s.sort_by(|a, b| b.total_cmp(a)),
        _ => {}
    }
    (y, s)
}

fn sorted_answer(y: &[i64], s: &[f64]) -> RankSum {
    let mut rows: Vec<(f64, i64)> = s.iter().copied().zip(y.iter().copied()).collect();
    rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let mut sum = RankSum::default();
    for group in rows.chunk_by(|a, b| a.0 == b.0) {
        let positives = group.iter().filter(|row| row.1 == 1).count() as u64;
        let negatives = group.len() as u64 - positives;
        sum.twice_u +=
            u128::from(positives) * (2 * u128::from(sum.negatives) + u128::from(negatives));
        sum.positives += positives;
        sum.negatives += negatives;
    }
    sum
}

/// Milliseconds that this process has spent computing, in all its threads: other programs do not
/// disturb it.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn processor_ms() -> f64 {
    #[repr(C)]
    struct Time {
        seconds: i64,
        nanoseconds: i64,
    }
    unsafe extern "C" {
        fn clock_gettime(clock: i32, time: *mut Time) -> i32;
    }
    const CLOCK_PROCESS_CPUTIME_ID: i32 = 2;
    let mut time = Time { seconds: 0, nanoseconds: 0 };
    // SAFETY: on 64-bit Linux `Time` is what the call fills in.
    unsafe { clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    time.seconds as f64 * 1e3 + time.nanoseconds as f64 / 1e6
}

/// Wall time where there is nothing better.
#[cfg(not(target_os = "linux"))]
fn processor_ms() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e3
}

fn least_ms(rounds: usize, mut work: impl FnMut()) -> (f64, f64) {
    let (mut processor, mut wall) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..rounds {
        let (start, begun) = (processor_ms(), Instant::now());
        work();
        wall = wall.min(begun.elapsed().as_secs_f64() * 1e3);
        processor = processor.min(processor_ms() - start);
    }
    (processor, wall)
}

fn main() {
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    if std::env::var_os("ROCKSTEADY_NUM_THREADS").is_none() {
        rocksteady::base::threads::set_threads(Some(1)).unwrap();
    }
    let shapes = [
        "sigmoid",
        "uniform",
        "logits",
        "rare",
        "digits2",
        "digits3",
        "digits4",
        "digits5",
        "digits6",
        "tied",
        "single",
        "integers",
        "sure",
        "split",
        "outlier",
        "ascending",
        "descending",
    ];
    for rows in [1_000, 100_000, 1_000_000, 10_000_000] {
        for shape in shapes {
            let wanted =
                |case: &str| words.iter().all(|word| case.split(' ').any(|part| part == word));
            let names = ["auc f64", "auc f32", "table f64", "table f32"]
                .map(|what| format!("{what} {shape} {rows}"));
            if !names.iter().any(|name| wanted(name)) {
                continue;
            }
            let (y, s) = data(shape, rows);
            let narrow: Vec<f32> = s.iter().map(|&x| x as f32).collect();
            let labels = Labels::I64(Column::from_slice(&y));
            let rounds = std::env::var("ROUNDS").ok().and_then(|text| text.parse().ok());
            let rounds = rounds.unwrap_or((50_000_000 / rows).clamp(5, 10_000));
            let options = SweepOptions { infinite: true, ..SweepOptions::default() };
            let columns =
                [Scores::F64(Column::from_slice(&s)), Scores::F32(Column::from_slice(&narrow))];
            for (name, scores) in names.iter().zip([columns[0], columns[1], columns[0], columns[1]])
            {
                if !wanted(name) {
                    continue;
                }
                let exact: Vec<f64> = match scores {
                    Scores::F32(_) => narrow.iter().map(|&x| f64::from(x)).collect(),
                    _ => s.clone(),
                };
                let expected = sorted_answer(&y, &exact);
                let (processor, wall) = if name.starts_with("auc") {
                    assert_eq!(roc_auc(&labels, &scores, &options), Ok(expected), "{name}");
                    least_ms(rounds, || {
                        std::hint::black_box(roc_auc(&labels, &scores, &options).unwrap());
                    })
                } else {
                    let run = || score_table(&labels, &scores, None, &options).unwrap();
                    assert_eq!(Ranking::from(run()).roc_auc(), expected.area(), "{name}");
                    least_ms(rounds, || {
                        std::hint::black_box(run());
                    })
                };
                println!(
                    "{name:32} {processor:9.4} ms  {:6.2} ns a row  ({wall:.4} ms wall)",
                    processor * 1e6 / rows as f64
                );
            }
        }
    }
}
