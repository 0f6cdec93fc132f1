//! Kernels against plain twins: drawn rows are written out and counted by the ordinary functions.

use proptest::prelude::*;

use super::draws::{Draws, LANES, POSITIVE, Resample, Sampler, class_totals};
use super::order::Order;
use super::replicates::{At, Plan, Replicates, Wanted, defined};
use crate::arith::special::chi_squared_upper_tail;
use crate::base::column::Column;
use crate::base::input::{Labels, Scores};
use crate::index::find;
use crate::index::parameter::Parameters;
use crate::scores::ranking::Ranking;
use crate::scores::score_table::Side;
use crate::scores::sweep::all_thresholds::score_table;
use crate::scores::sweep::rows::SweepOptions;

const INDICES: [&str; 9] =
    ["roc_auc", "gini", "average_precision", "ks", "brier", "log_loss", "f1", "mcc", "h_measure"];

fn wanted(name: &str) -> Wanted {
    let row = find(name).unwrap();
    Wanted { row, parameters: Parameters::defaults(row), place: 0 }
}

fn plan(names: &[&str], resample: Resample, is_stratified: bool) -> Plan {
    Plan {
        wanted: names.iter().map(|name| wanted(name)).collect(),
        at: At::Thresholds(vec![0.4]),
        replicates: 20,
        seed: 11,
        resample,
        is_stratified,
    }
}

/// Labels and scores with about `distinct` different scores.
fn rows(number: usize, distinct: u64, seed: u64) -> (Vec<u8>, Vec<f64>) {
    let mut state = seed;
    let mut next = || {
        state = super::random::mix(state.wrapping_add(77));
        state
    };
    (0..number)
        .map(|_| {
            let score = (next() % distinct) as f64 / distinct as f64;
            let chance = (next() >> 11) as f64 / 2_f64.powi(53);
            (u8::from(chance < 0.1 + 0.6 * score), score)
        })
        .unzip()
}

fn ranking(labels: &[u8], scores: &[f64]) -> Ranking {
    let labels = Labels::U8(Column::from_slice(labels));
    let scores = Scores::F64(Column::from_slice(scores));
    score_table(&labels, &scores, None, &SweepOptions::zero_one()).unwrap().into()
}

/// The rows of an order, from the highest score down, repeated as often as they are drawn.
fn drawn(order: &Order, draws: &[Draws], lane: usize) -> (Vec<u8>, Vec<f64>) {
    let (mut labels, mut scores, mut tie) = (Vec::new(), Vec::new(), 0);
    let each: Vec<f64> = order.scores().collect();
    for (draws, flag) in draws.iter().zip(order.flags()) {
        for _ in 0..draws[lane] {
            labels.push(flag & POSITIVE);
            scores.push(each[tie]);
        }
        tie += usize::from(flag & super::order::END != 0);
    }
    (labels, scores)
}

fn check(plan: &Plan, table: &Ranking, order: &Order, sampler: &Sampler, found: &Replicates) {
    for replicate in 0..plan.replicates {
        let draws = sampler.all_draws(replicate / LANES);
        let (labels, scores) = drawn(order, &draws, replicate % LANES);
        if labels.is_empty() {
            continue;
        }
        let twin = ranking(&labels, &scores);
        for (Wanted { row, .. }, values) in plan.wanted.iter().zip(&found.values) {
            let parameters = Parameters::defaults(row);
            let expected = if row.scores().is_some() {
                defined(row.of_scores(&twin, &parameters).unwrap())
            } else {
                let counts = twin.at(0.4, Side::GreaterEqual);
                assert_eq!(found.counts[0][replicate], counts);
                defined(row.of_counts(&counts, &parameters).unwrap())
            };
            let value = values[replicate];
            let is_exact = ["roc_auc", "ks", "h_measure"].contains(&row.name);
            let error = if is_exact { 4e-16 } else { 1e-12 };
            assert!(
                (value.is_nan() && expected.is_nan())
                    || (value - expected).abs() <= error * expected.abs().max(1.0),
                "{} of {} rows, {} scores: {value} {expected}",
                row.name,
                table.rows(),
                table.len(),
            );
        }
    }
}

/// Many sizes and ties; some ties cross one border of chunks, others several.
#[test]
fn values_are_those_of_the_drawn_rows_written_out() {
    let cases = [
        (1, 1),
        (2, 5),
        (30, 4),
        (30, 1000),
        (2047, 1 << 40),
        (2048, 300),
        (2049, 1 << 40),
        (5000, 3000),
        (7000, 40),
        (9000, 46),
    ];
    for (number, distinct) in cases {
        for (resample, is_stratified) in [
            (Resample::Multinomial, false),
            (Resample::Multinomial, true),
            (Resample::Poisson, false),
        ] {
            let (labels, scores) = rows(number, distinct, number as u64);
            let table = ranking(&labels, &scores);
            let plan = plan(&INDICES, resample, is_stratified);
            let order = Order::of_table(&table);
            let sampler = Sampler::new(plan.seed, order.flags().to_vec(), resample, is_stratified);
            let found = plan.of_rows(&sampler, &[(&order, &table)], true).unwrap();
            check(&plan, &table, &order, &sampler, &found[0]);
            // A table with many distinct scores gives the caller these very values.
            if 2 * table.len() * 100 >= number {
                let found_again = plan.of_scores(&table).unwrap();
                assert!(same(&found_again, &found[0]));
            }
        }
    }
}

fn same(one: &Replicates, other: &Replicates) -> bool {
    let bits = |all: &Replicates| -> Vec<u64> {
        all.values.iter().flatten().map(|value| value.to_bits()).collect()
    };
    bits(one) == bits(other) && one.counts == other.counts
}

/// Rows with units of their own: two models share their replicates.
#[test]
fn models_share_their_replicates() {
    let (labels, scores) = rows(4500, 1 << 30, 1);
    let others: Vec<f64> = scores.iter().map(|score| (score * 300.0).round() / 300.0).collect();
    let are_positive: Vec<bool> = labels.iter().map(|&label| label == 1).collect();
    let plan = plan(&INDICES, Resample::Multinomial, false);
    let sampler = Sampler::new(plan.seed, labels.clone(), plan.resample, false);
    let tables = [&scores, &others].map(|scores| ranking(&labels, scores));
    let orders: Vec<Order> = [&scores, &others]
        .iter()
        .zip(&tables)
        .map(|(scores, table)| {
            let keys: Vec<u64> =
                scores.iter().map(|&score| crate::scores::keys::key_of_f64(score)).collect();
            Order::of_rows(table.kind(), &keys, &are_positive, None)
        })
        .collect();
    let models: Vec<_> = orders.iter().zip(&tables).collect();
    let found = plan.of_rows(&sampler, &models, true).unwrap();
    for ((order, table), found) in models.iter().zip(&found) {
        for replicate in 0..plan.replicates {
            let draws = sampler.all_draws(replicate / LANES);
            let mut expected = (0.0, 0.0);
            let scores = if std::ptr::eq(*table, &raw const tables[0]) { &scores } else { &others };
            for i in 0..labels.len() {
                let weight = f64::from(draws[i][replicate % LANES]);
                if labels[i] == 1 && scores[i] >= 0.4 {
                    expected.0 += weight;
                } else if scores[i] >= 0.4 {
                    expected.1 += weight;
                }
            }
            let counts = found.counts[0][replicate];
            assert_eq!((counts.tp, counts.fp), expected);
        }
        assert_eq!(order.len(), labels.len());
    }
}

/// Multinomial draws: each class has its total, and the counts of single rows are binomial.
#[test]
fn draws_have_their_distribution() {
    const BATCHES: usize = 40;
    let number = 3000;
    let flags: Vec<u8> = (0..number).map(|row| u8::from(row % 3 == 0)).collect();
    for (resample, is_stratified) in
        [(Resample::Multinomial, false), (Resample::Multinomial, true), (Resample::Poisson, false)]
    {
        let sampler = Sampler::new(5, flags.clone(), resample, is_stratified);
        let mut often = [0_u64; 12];
        let (mut products, mut same_row) = (0.0, 0.0);
        for batch in 0..BATCHES {
            let draws = sampler.all_draws(batch);
            let totals = class_totals(&draws, &flags);
            for lane in 0..LANES {
                let [negative, positive] = totals.map(|class| class[lane]);
                match (resample, is_stratified) {
                    (Resample::Multinomial, false) => assert_eq!(negative + positive, 3000),
                    (Resample::Multinomial, true) => {
                        assert_eq!((negative, positive), (2000, 1000));
                    }
                    _ => {}
                }
                for row in 0..number {
                    often[usize::from(draws[row][lane]).min(11)] += 1;
                    let far = f64::from(draws[row][lane]) - 1.0;
                    // A neighbouring row, or a row of the other chunk.
                    let other = f64::from(draws[(row + 1) % number][lane]) - 1.0;
                    products += far * other;
                    same_row += far * (f64::from(draws[row][(lane + 1) % LANES]) - 1.0);
                }
            }
        }
        let all = (BATCHES * LANES * number) as f64;
        // Binomial numbers of this many draws, or Poisson numbers.
        let draws = match (resample, is_stratified) {
            (Resample::Poisson, _) => f64::INFINITY,
            _ => 3000.0,
        };
        let mut chance =
            if draws.is_finite() { (1.0 - 1.0 / draws).powf(draws) } else { (-1.0_f64).exp() };
        let (mut statistic, mut freedom) = (0.0, 0.0);
        if !is_stratified {
            for (k, &found) in often.iter().enumerate() {
                let expected = all * chance;
                if expected >= 5.0 {
                    statistic += (found as f64 - expected).powi(2) / expected;
                    freedom += 1.0;
                }
                let k = k as f64;
                chance *= if draws.is_finite() {
                    (draws - k) / (draws - 1.0) / (k + 1.0)
                } else {
                    1.0 / (k + 1.0)
                };
            }
            let p = chi_squared_upper_tail(statistic, freedom - 1.0);
            assert!(p > 1e-4, "{resample:?}: {often:?} {statistic} {freedom}");
        }
        let covariance = if draws.is_finite() { -1.0 / draws } else { 0.0 };
        assert!((products / all - covariance).abs() < 5.0 / all.sqrt(), "{}", products / all);
        assert!((same_row / all).abs() < 5.0 / all.sqrt());
    }
}

/// A chunk that begins with far too many or too few draws is corrected, and each row of a class
/// stays as likely as any other: the mean of each row over many replicates is 1.
#[test]
fn few_rows_are_balanced_without_bias() {
    let flags = vec![0, 1, 1, 0, 0];
    let sampler = Sampler::new(6, flags, Resample::Multinomial, true);
    let mut sums = [0_u64; 5];
    let mut squares = [0_u64; 5];
    for batch in 0..2000 {
        for (row, draws) in sampler.all_draws(batch).iter().enumerate() {
            sums[row] += draws.iter().map(|&draw| u64::from(draw)).sum::<u64>();
            squares[row] +=
                draws.iter().map(|&draw| u64::from(draw) * u64::from(draw)).sum::<u64>();
        }
    }
    for (row, size) in [3.0, 2.0, 2.0, 3.0, 3.0].into_iter().enumerate() {
        let mean = sums[row] as f64 / 32_000.0;
        let variance = squares[row] as f64 / 32_000.0 - mean * mean;
        assert!((mean - 1.0).abs() < 0.03, "{row}: {mean}");
        assert!((variance - (1.0 - 1.0 / size)).abs() < 0.03, "{row}: {variance}");
    }
}

#[test]
fn keys_alone_say_how_often_a_row_is_drawn() {
    let keys: Vec<u64> = (0..5000_u64).map(|key| key * key + 3).collect();
    let flags = vec![0; keys.len()];
    let whole = Sampler::keyed(4, flags.clone(), &keys).all_draws(3);
    let turned: Vec<u64> = keys.iter().rev().copied().collect();
    let mut back = Sampler::keyed(4, flags, &turned).all_draws(3);
    back.reverse();
    assert_eq!(whole, back);
    let (left, right) = keys.split_at(1234);
    let mut parts = Sampler::keyed(4, vec![0; left.len()], left).all_draws(3);
    parts.extend(Sampler::keyed(4, vec![0; right.len()], right).all_draws(3));
    assert_eq!(whole, parts);
    // Poisson numbers of mean 1, also for successive keys.
    let keys: Vec<u64> = (0..200_000).collect();
    let draws = Sampler::keyed(4, vec![0; keys.len()], &keys).all_draws(0);
    let mut often = [0_u64; 8];
    let (mut of_rows, mut of_lanes) = (0.0, 0.0);
    for (row, draws_of_row) in draws.iter().enumerate() {
        for lane in 0..LANES {
            often[usize::from(draws_of_row[lane]).min(7)] += 1;
            let far = f64::from(draws_of_row[lane]) - 1.0;
            of_rows += far * (f64::from(draws[(row + 1) % draws.len()][lane]) - 1.0);
            of_lanes += far * (f64::from(draws_of_row[(lane + 1) % LANES]) - 1.0);
        }
    }
    let all = (keys.len() * LANES) as f64;
    let (mut chance, mut left, mut statistic) = ((-1.0_f64).exp(), 1.0, 0.0);
    for (k, &found) in often.iter().enumerate() {
        let expected = all * if k == 7 { left } else { chance };
        statistic += (found as f64 - expected).powi(2) / expected;
        left -= chance;
        chance /= (k + 1) as f64;
    }
    assert!(chi_squared_upper_tail(statistic, 7.0) > 1e-4, "{often:?} {statistic}");
    assert!((of_rows / all).abs() < 5.0 / all.sqrt(), "{}", of_rows / all);
    assert!((of_lanes / all).abs() < 5.0 / all.sqrt(), "{}", of_lanes / all);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_small_table_has_the_values_of_its_drawn_rows(
        number in 1_usize..40, distinct in 1_u64..12, seed in any::<u64>(), poisson in any::<bool>(),
    ) {
        let (labels, scores) = rows(number, distinct, seed);
        let table = ranking(&labels, &scores);
        let resample = if poisson { Resample::Poisson } else { Resample::Multinomial };
        let plan = Plan { seed, ..plan(&INDICES, resample, false) };
        let order = Order::of_table(&table);
        let sampler = Sampler::new(seed, order.flags().to_vec(), resample, false);
        let found = plan.of_rows(&sampler, &[(&order, &table)], true).unwrap();
        check(&plan, &table, &order, &sampler, &found[0]);
    }
}
