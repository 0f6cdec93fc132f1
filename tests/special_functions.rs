//! The special functions against values to 50 digits.
#![allow(clippy::unwrap_used, clippy::panic)] // that is how a test fails

use proptest::prelude::*;
use rocksteady::arith::special;
use rocksteady::arith::special::{
    beta_cdf, beta_quantile, beta_upper_quantile, binomial_upper_tail,
};
use serde_json::Value as Json;

#[test]
fn twelve_digits_are_right_at_any_size() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/special_functions.json");
    let file: Json = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let mut wrong = Vec::new();
    for case in file["cases"].as_array().unwrap() {
        let at = |place: usize| case[1][place].as_f64().unwrap();
        let found = match case[0].as_str().unwrap() {
            "beta_cdf" => special::beta_cdf(at(0), at(1), at(2)),
            "beta_quantile" => special::beta_quantile(at(0), at(1), at(2)),
            "normal_cdf" => special::normal_cdf(at(0)),
            "normal_quantile" => special::normal_quantile(at(0)),
            "ln_gamma" => special::ln_gamma(at(0)),
            "chi_squared_upper_tail" => special::chi_squared_upper_tail(at(0), at(1)),
            "kolmogorov_upper_tail" => special::kolmogorov_upper_tail(at(0)),
            "brownian_upper_tail" => special::brownian_upper_tail(at(0)),
            "brownian_range_upper_tail" => special::brownian_range_upper_tail(at(0)),
            other => panic!("no such function: {other}"),
        };
        let expected = case[2].as_f64().unwrap();
        let off = (found - expected).abs() / expected.abs().max(f64::MIN_POSITIVE);
        if off.is_nan() || off > 1e-12 {
            wrong.push(format!("{case}: {found}, off by {off:e}"));
        }
    }
    assert!(wrong.is_empty(), "{} values differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// The tail term by term.
fn sum_of_terms(successes: u32, trials: u32, p: f64) -> f64 {
    let mut term = (1.0 - p).powi(trials as i32);
    let mut tail = 0.0;
    for k in 0..=trials {
        if k >= successes {
            tail += term;
        }
        term *= f64::from(trials - k) / f64::from(k + 1) * p / (1.0 - p);
    }
    tail
}

proptest! {
    #[test]
    fn a_tail_is_the_sum_of_its_terms(trials in 1_u32..60, share in 0.0..1.0_f64, part in 1_u32..9, rest in 1_u32..9) {
        let successes = (share * f64::from(trials)) as u32;
        let (part, rest) = (f64::from(part), f64::from(rest));
        let found = binomial_upper_tail(f64::from(successes), f64::from(trials), part, rest);
        let expected = sum_of_terms(successes, trials, part / (part + rest));
        prop_assert!((found - expected).abs() <= 1e-13 * expected, "{found} {expected}");
    }

    #[test]
    fn quantiles_turn_shares_round(a in -3.0..14.0_f64, b in -3.0..14.0_f64, share in -12.0..-0.01_f64) {
        let (a, b, share) = (10_f64.powf(a), 10_f64.powf(b), 10_f64.powf(share));
        let x = beta_quantile(a, b, share);
        prop_assert!((0.0..=1.0).contains(&x));
        // A quantile that is rounded to a few places of `f64` cannot be turned back exactly.
        if x > 1e-290 && x < 0.9 && a + b < 1e9 {
            let found = beta_cdf(a, b, x);
            prop_assert!((found - share).abs() <= 1e-9 * share, "{a} {b} {share}: {x} {found}");
        }
        let mirrored = beta_upper_quantile(b, a, share);
        prop_assert!((x + mirrored - 1.0).abs() <= 1e-15, "{x} {mirrored}");
    }
}
