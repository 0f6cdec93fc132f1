//! The special functions against values to 50 digits.
#![allow(clippy::unwrap_used, clippy::panic)] // that is how a test fails

use rocksteady::interval;
use serde_json::Value as Json;

#[test]
fn twelve_digits_are_right_at_any_size() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/special_functions.json"
    );
    let file: Json = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let mut wrong = Vec::new();
    for case in file["cases"].as_array().unwrap() {
        let at = |place: usize| case[1][place].as_f64().unwrap();
        let found = match case[0].as_str().unwrap() {
            "beta_cdf" => interval::beta_cdf(at(0), at(1), at(2)),
            "beta_quantile" => interval::beta_quantile(at(0), at(1), at(2)),
            "normal_cdf" => interval::normal_cdf(at(0)),
            "normal_quantile" => interval::normal_quantile(at(0)),
            "ln_gamma" => interval::ln_gamma(at(0)),
            "chi_squared_upper_tail" => interval::chi_squared_upper_tail(at(0), at(1)),
            other => panic!("no such function: {other}"),
        };
        let expected = case[2].as_f64().unwrap();
        let off = (found - expected).abs() / expected.abs().max(f64::MIN_POSITIVE);
        if off.is_nan() || off > 1e-12 {
            wrong.push(format!("{case}: {found}, off by {off:e}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} values differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
