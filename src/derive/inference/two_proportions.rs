//! The difference and the ratio of two proportions, on different rows or on the same rows.
//!
//! | method | bounds |
//! |---|---|
//! | Newcombe | d ± the root of the sum of the squared distances of both Wilson intervals |
//! | Mee | the differences e at z √V from d, V of the most likely proportions that differ by e |
//! | Miettinen–Nurminen | as Mee, with V n / (n - 1) |
//! | Agresti–Caffo | Wald, with a success and a failure added to each |
//!
//! Sources: Newcombe 1998, Statistics in Medicine 17, 873-890, method 10, and for pairs 17,
//! 2635-2650, method 10; Mee 1984, Biometrics 40, 1175-1176; Miettinen, Nurminen 1985,
//! doi:10.1002/sim.4780040211; Agresti, Caffo 2000, doi:10.1080/00031305.2000.10474560. For ratios:
//! Koopman 1984, Biometrics 40, 513-517; Katz, Baptista, Azen, Pike 1978, doi:10.2307/2530610.

use crate::arith::special::normal_quantile;
use crate::inference::proportion::bounds;
use crate::inference::same_rows::difference::{Difference, p_value, quantile};

use crate::index::spread::Method as OfOne;

/// The method for a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Newcombe's hybrid of two Wilson intervals.
    Newcombe,
    /// The score interval with V n / (n - 1).
    MiettinenNurminen,
    /// The score interval.
    Mee,
    /// Wald with four rows added.
    AgrestiCaffo,
}

/// Successes and rows.
type Sample = (f64, f64);

/// The proportion of the first sample minus the proportion of the second, the bounds, and Wald's
/// standard error. NaN where a sample has no rows.
///
/// ```
/// use rocksteady_derive::inference::two_proportions::{Method, difference};
/// let [d, low, high, _] = difference((56.0, 70.0), (48.0, 80.0), 0.95, Method::Newcombe);
/// assert!((d - 0.2).abs() < 1e-15);
/// assert!((low - 0.052_431_472_4).abs() < 1e-9 && (high - 0.333_872_653_7).abs() < 1e-9);
/// ```
pub fn difference(first: Sample, second: Sample, level: f64, method: Method) -> [f64; 4] {
    let ((x1, n1), (x2, n2)) = (first, second);
    if !(n1 > 0.0 && n2 > 0.0) {
        return [f64::NAN; 4];
    }
    let tail = 0.5 * (1.0 - level);
    let z = normal_quantile(tail);
    let (p1, p2) = (x1 / n1, x2 / n2);
    let d = p1 - p2;
    let error = (p1 * (1.0 - p1) / n1 + p2 * (1.0 - p2) / n2).sqrt();
    let (low, high) = match method {
        Method::Newcombe => {
            let [(low1, high1), (low2, high2)] = wilson(first, second, tail);
            (d - (p1 - low1).hypot(high2 - p2), d + (high1 - p1).hypot(p2 - low2))
        }
        Method::AgrestiCaffo => {
            let (middle, error) = agresti_caffo(first, second);
            (middle - z * error, middle + z * error)
        }
        Method::Mee | Method::MiettinenNurminen => {
            let rows = n1 + n2;
            let factor = if method == Method::Mee { 1.0 } else { rows / (rows - 1.0) };
            let inside = |d0: f64| {
                let q2 = likely(first, second, d0);
                let q1 = (q2 + d0).clamp(0.0, 1.0);
                let variance = factor * (q1 * (1.0 - q1) / n1 + q2 * (1.0 - q2) / n2);
                (d - d0) * (d - d0) <= z * z * variance
            };
            (bound(d, -1.0, inside), bound(d, 1.0, inside))
        }
    };
    [d, low.max(-1.0), high.min(1.0), error]
}

/// The difference of two proportions and its standard error, with a success and a failure added to
/// each.
#[inline]
pub(crate) fn agresti_caffo((x1, n1): Sample, (x2, n2): Sample) -> (f64, f64) {
    let part = |x: f64, n: f64| ((x + 1.0) / (n + 2.0), n + 2.0);
    let ((q1, m1), (q2, m2)) = (part(x1, n1), part(x2, n2));
    (q1 - q2, (q1 * (1.0 - q1) / m1 + q2 * (1.0 - q2) / m2).sqrt())
}

/// The method for a ratio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RatioMethod {
    /// The score interval.
    Koopman,
    /// The score interval with V n / (n - 1).
    MiettinenNurminen,
    /// Wald for the logarithm.
    Katz,
}

/// The proportion of the first sample divided by the proportion of the second, the bounds, and the
/// standard error. NaN where a sample has no rows, or where neither has a success.
///
/// ```
/// use rocksteady_derive::inference::two_proportions::{RatioMethod, ratio};
/// let [r, low, high, _] = ratio((36.0, 40.0), (16.0, 80.0), 0.95, RatioMethod::Koopman);
/// assert_eq!(r, 4.5);
/// assert!(low > 2.93 && low < 2.95 && high > 7.14 && high < 7.16);
/// ```
pub fn ratio(first: Sample, second: Sample, level: f64, method: RatioMethod) -> [f64; 4] {
    /// The search for a ratio ends at this logarithm on either side.
    const FAR: f64 = 80.0;
    let ((x1, n1), (x2, n2)) = (first, second);
    if !(n1 > 0.0 && n2 > 0.0 && x1 + x2 > 0.0) {
        return [f64::NAN; 4];
    }
    let z = normal_quantile(0.5 * (1.0 - level));
    let (p1, p2) = (x1 / n1, x2 / n2);
    let ratio = p1 / p2;
    let error = ((1.0 / x1 - 1.0 / n1) + (1.0 / x2 - 1.0 / n2)).max(0.0).sqrt();
    let (low, high) = if method == RatioMethod::Katz {
        if x1 > 0.0 && x2 > 0.0 && error > 0.0 {
            let factor = (z * error).exp();
            (ratio / factor, ratio * factor)
        } else {
            (f64::NAN, f64::NAN)
        }
    } else {
        let rows = n1 + n2;
        let factor = if method == RatioMethod::Koopman { 1.0 } else { rows / (rows - 1.0) };
        let inside = |log: f64| {
            let r = log.exp();
            // The most likely second proportion if the first is r times as great.
            let sum = r * (n1 + x2) + x1 + n2;
            let root = (sum * sum - 4.0 * rows * r * (x1 + x2)).max(0.0).sqrt();
            let q2 = 2.0 * (x1 + x2) / (sum + root);
            let q1 = (r * q2).min(1.0);
            let variance = q1 * (1.0 - q1) / n1 + r * r * (q2 * (1.0 - q2) / n2);
            (p1 - r * p2) * (p1 - r * p2) <= z * z * factor * variance
        };
        let middle = ratio.ln().clamp(-FAR, FAR);
        let low = if x1 > 0.0 { bound(middle, -FAR, inside).exp() } else { 0.0 };
        let high = if x2 > 0.0 { bound(middle, FAR, inside).exp() } else { f64::INFINITY };
        (low, high)
    };
    [ratio, low, high, ratio * error]
}

fn wilson(first: Sample, second: Sample, tail: f64) -> [(f64, f64); 2] {
    let z = normal_quantile(tail);
    [first, second].map(|(x, n)| bounds(OfOne::Wilson, x, n - x, z, tail))
}

/// The last place towards `end` that is inside; `from` is inside.
fn bound(from: f64, end: f64, inside: impl Fn(f64) -> bool) -> f64 {
    if inside(end) {
        return end;
    }
    let (mut near, mut far) = (from, end);
    for _ in 0..200 {
        let middle = 0.5 * (near + far);
        if middle == near || middle == far {
            break;
        }
        if inside(middle) {
            near = middle;
        } else {
            far = middle;
        }
    }
    near
}

/// The most likely second proportion if the first is greater by `d0`. The derivative of the
/// likelihood decreases, so Newton steps that leave the bracket are halved.
fn likely((x1, n1): Sample, (x2, n2): Sample, d0: f64) -> f64 {
    let (mut low, mut high) = ((-d0).max(0.0), (1.0 - d0).min(1.0));
    let part = |x: f64, p: f64| if x > 0.0 { x / p.max(0.0) } else { 0.0 };
    let slope = |p: f64| {
        part(x1, p + d0) - part(n1 - x1, 1.0 - p - d0) + part(x2, p) - part(n2 - x2, 1.0 - p)
    };
    let mut p = 0.5 * (low + high);
    for _ in 0..200 {
        let value = slope(p);
        if value == 0.0 {
            break;
        }
        *(if value > 0.0 { &mut low } else { &mut high }) = p;
        let square = |x: f64, p: f64| if x > 0.0 { x / (p * p) } else { 0.0 };
        let fall = square(x1, p + d0)
            + square(n1 - x1, 1.0 - p - d0)
            + square(x2, p)
            + square(n2 - x2, 1.0 - p);
        let step = p + value / fall;
        let next = if step > low && step < high { step } else { 0.5 * (low + high) };
        if (next - p).abs() <= 1e-15 * p {
            break;
        }
        p = next;
    }
    p
}

/// The difference of paired proportions, from the numbers of rows that succeed in both, only in the
/// first, only in the second, and in neither (Newcombe 1998, method 10).
///
/// ```
/// use rocksteady_derive::inference::two_proportions::paired_difference;
/// let [d, low, high, _] = paired_difference([36.0, 12.0, 2.0, 0.0], 0.95);
/// assert!((d - 0.2).abs() < 1e-15 && low > 0.05 && high < 0.35);
/// ```
pub fn paired_difference([both, first, second, neither]: [f64; 4], level: f64) -> [f64; 4] {
    let n = both + first + second + neither;
    if n <= 0.0 || n.is_nan() {
        return [f64::NAN; 4];
    }
    let d = (first - second) / n;
    let tail = 0.5 * (1.0 - level);
    let (x1, x2) = (both + first, both + second);
    let [(low1, high1), (low2, high2)] = wilson((x1, n), (x2, n), tail);
    let (p1, p2) = (x1 / n, x2 / n);
    let margins = (x1 / n) * (1.0 - p1) * (x2 / n) * (1.0 - p2);
    let cross = both * neither - first * second;
    let corrected = if cross > 0.0 { (cross - 0.5 * n).max(0.0) } else { cross };
    let correlation = if margins > 0.0 { corrected / (n * n) / margins.sqrt() } else { 0.0 };
    let variance = ((first + second) / n - d * d) / n;
    [
        d,
        (d - apart(p1 - low1, high2 - p2, correlation)).max(-1.0),
        (d + apart(high1 - p1, p2 - low2, correlation)).min(1.0),
        variance.max(0.0).sqrt(),
    ]
}

/// The distance from a difference to its bound, from those of two values with a correlation.
pub(crate) fn apart(one: f64, other: f64, correlation: f64) -> f64 {
    if correlation == 0.0 {
        return one.hypot(other);
    }
    (one * one - 2.0 * correlation * one * other + other * other).max(0.0).sqrt()
}

/// A value with its two-sided interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// The value.
    pub value: f64,
    /// The bounds.
    pub bounds: [f64; 2],
    /// The standard error of the value.
    pub error: f64,
    /// The level of the interval.
    pub level: f64,
}

/// How far a bound lies from the value at any level.
#[derive(Clone, Copy)]
struct Reach {
    /// The square of the distance for each standard error, near the value.
    variance: f64,
    /// What that square gains in proportion to the distance.
    gain: f64,
    /// The variance that a normal interval with this bound would have.
    normal: f64,
}

impl Reach {
    fn of(known: &Known, bound: f64) -> Self {
        let own = (bound - known.value).abs();
        let step = own / normal_quantile(0.5 * (1.0 - known.level));
        let normal = step * step;
        let variance = if known.error.is_nan() { normal } else { known.error * known.error };
        let gain = if own > 0.0 && own < f64::INFINITY { (normal - variance) / own } else { 0.0 };
        Self { variance: if gain == 0.0 { normal } else { variance }, gain, normal }
    }

    /// The root d of d² = z² (variance + gain d).
    fn at(&self, z: f64) -> f64 {
        let half = 0.5 * z * z * self.gain;
        let root = half.hypot(z * self.variance.sqrt());
        if half > 0.0 {
            half + root
        } else if root > 0.0 && root < f64::INFINITY {
            z * z * self.variance / (root - half)
        } else {
            root
        }
    }
}

/// The difference of two values of different rows, by MOVER: the distance from the difference to
/// its bound is the root of the sum of the squared distances of the bounds of both, less what their
/// correlation takes off. The statistic is the number of standard errors at which the bound meets
/// 0, so that the p-value and the interval agree.
///
/// Between levels the square of a bound's distance changes as the variance of a share does near 0
/// and 1: the variance at the value, and a part in proportion to the distance, which the interval
/// tells. A normal interval is met at all levels, Wilson's nearly.
///
/// The quantiles are normal or, with the numbers of rows, Student's with the degrees of freedom of
/// Welch and Satterthwaite.
///
/// Source: Zou, Donner 2008, doi:10.1002/sim.3095. The bounds at other levels are our own.
///
/// ```
/// use rocksteady_derive::inference::two_proportions::{Known, independent};
/// // The Wilson intervals of 56 of 70 and 48 of 80 give Newcombe's of the difference.
/// let error = |share: f64, rows: f64| (share * (1.0 - share) / rows).sqrt();
/// let (one, other) = ([0.691_833_6, 0.876_952_6], [0.490_454_7, 0.700_381_7]);
/// let first = Known { value: 0.8, bounds: one, error: error(0.8, 70.0), level: 0.95 };
/// let second = Known { value: 0.6, bounds: other, error: error(0.6, 80.0), level: 0.95 };
/// let found = independent(&first, &second, None, 0.0, 0.95);
/// assert!((found.low - 0.052_431).abs() < 1e-5 && (found.high - 0.333_873).abs() < 1e-5);
/// ```
pub fn independent(
    first: &Known,
    second: &Known,
    rows: Option<[f64; 2]>,
    correlation: f64,
    level: f64,
) -> Difference {
    /// The p-value of so many standard errors is 0.
    const FAR: f64 = 40.0;
    let estimate = first.value - second.value;
    let tail = 0.5 * (1.0 - level);
    let sides = [0, 1].map(|side| {
        let parts =
            [Reach::of(first, first.bounds[side]), Reach::of(second, second.bounds[1 - side])];
        let variance = parts[0].normal + parts[1].normal;
        let freedom = rows.filter(|_| variance > 0.0).map(|rows| {
            let share = |place: usize| {
                let part = parts[place].normal / variance;
                part * part / (rows[place] - 1.0)
            };
            1.0 / (share(0) + share(1))
        });
        let reach = move |z: f64| apart(parts[0].at(z), parts[1].at(z), correlation);
        (reach, freedom, quantile(tail, freedom))
    });
    let [below, above] = [0, 1].map(|side| sides[side].0(sides[side].2));
    let (reach, freedom, z) = sides[usize::from(estimate < 0.0)];
    let statistic = bound(0.0, FAR, |z| reach(z) <= estimate.abs());
    Difference {
        estimate,
        low: estimate - below,
        high: estimate + above,
        standard_error: reach(z) / z,
        statistic: statistic.copysign(estimate),
        p_value: p_value(statistic, freedom),
        why: None,
    }
}
