//! Tail probabilities and quantiles of the normal, beta, binomial, gamma and chi-squared
//! distributions.
//!
//! Twelve digits are correct, also for counts of 2^53 and tails of 1e-300. General libraries lose
//! half of the digits there, because they subtract logarithms of gamma functions, which are of size
//! n ln n. Here a tail of the beta distribution is a product:
//!
//! ```text
//! I_x(a, b) = density * tail,  density = x^a (1-x)^b / B(a, b),
//! tail = integral of exp(-g(w)) over w >= 0,
//! g(w) = lean * w + (a + b) * bend(w),  lean = |(a + b) * x - a|,
//! bend(w) = ln(1 + x (exp(-w) - 1)) + x w
//! ```
//!
//! where w goes from x outwards along the logit ln(x / (1 - x)).
//!
//! 1. Choose the tail that does not contain the mode. The other tail is 1 minus it.
//! 2. Compute the density by Loader's saddle-point form. Nothing cancels in it if `lean` is
//!    accurate: `lean` is a difference of products, computed to 106 bits.
//! 3. Compute `tail` by Gauss-Legendre quadrature on a few panels. Along the logit the integrand is
//!    log-concave, starts at 1, falls, and has no singularity nearer than pi. So panels of suitable
//!    width give all digits for any counts.
//! 4. If x is well below 1 and below the mean, use the power series of 2F1(a + b, 1; a + 1; x) / a
//!    instead of step 3. Its terms are not negative either.
//!
//! The gamma distribution takes the same steps with another `bend`.
//!
//! Quantiles use Newton's method on the logarithm of a tail. Along the logit it is concave with
//! slope 1 / `tail`, so Newton's steps approach the root from one side, from any start. Near the
//! root a step uses the first four derivatives, which follow from `tail` and `lean`. Quantiles of
//! counts need one or two tails, each a sum of binomial probabilities.
//!
//! Cost: 1 to 3 µs for a tail (40 to 150 evaluations of the integrand) for any counts, and 0.2 µs
//! for the series and for the sum; one to four tails for a quantile.
//!
//! Sources: Loader 2000, Fast and accurate computation of binomial probabilities; Wichura 1988, AS
//! 241, doi:10.2307/2347330 (normal quantile). The error function and the logarithm of the gamma
//! function come from the crate `libm`.
//!
//! Tried and rejected:
//!
//! - the continued fraction: its number of terms grows with the root of the counts, to 10^7 at
//!   2^53;
//! - crates of special functions: they keep 6 to 9 digits at counts of 2^40.

#![allow(clippy::inline_always)] // What `count_quantiles` calls must be inlined into its loops.

use std::f64::consts::{PI, SQRT_2};

use crate::arith::products::{Products, unit_scale};

/// Nodes and weights of the Gauss-Legendre rule with 20 points on -1 to 1; each node stands for
/// both signs.
const GAUSS: [(f64, f64); 10] = [
    (0.993_128_599_185_094_9, 0.017_614_007_139_152_118),
    (0.963_971_927_277_913_8, 0.040_601_429_800_386_94),
    (0.912_234_428_251_326, 0.062_672_048_334_109_07),
    (0.839_116_971_822_218_8, 0.083_276_741_576_704_75),
    (0.746_331_906_460_150_8, 0.101_930_119_817_240_44),
    (0.636_053_680_726_515, 0.118_194_531_961_518_41),
    (0.510_867_001_950_827_1, 0.131_688_638_449_176_64),
    (0.373_706_088_715_419_55, 0.142_096_109_318_382_04),
    (0.227_785_851_141_645_07, 0.149_172_986_472_603_74),
    (0.076_526_521_133_497_34, 0.152_753_387_130_725_84),
];

/// Up to this number of trials, the terms of a binomial tail are added up, which takes 20 to 200
/// ns.
const FEW: f64 = 40.0;

/// Above this exponent g(w) the rest of a tail is lost in rounding.
const NEGLIGIBLE: f64 = 42.0;

/// The probability that a standard normal number is at most `z`.
///
/// ```
/// assert!((rocksteady_count::arith::special::normal_cdf(1.0) - 0.841_344_746_068_542_9).abs() < 1e-15);
/// ```
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

/// The `z` that a standard normal number exceeds with probability `tail`; infinite at 0 and 1.
///
/// ```
/// use rocksteady_count::arith::special::normal_quantile;
///
/// assert!((normal_quantile(0.025) - 1.959_963_984_540_054).abs() < 1e-14);
/// ```
pub fn normal_quantile(tail: f64) -> f64 {
    // The coefficients of AS 241, from the highest power down.
    let middle = (
        [
            2_509.080_928_730_122_7,
            33_430.575_583_588_13,
            67_265.770_927_008_7,
            45_921.953_931_549_87,
            13_731.693_765_509_46,
            1_971.590_950_306_551_3,
            133.141_667_891_784_38,
            3.387_132_872_796_366_5,
        ],
        [
            5_226.495_278_852_854,
            28_729.085_735_721_943,
            39_307.895_800_092_71,
            21_213.794_301_586_597,
            5_394.196_021_424_751,
            687.187_007_492_057_9,
            42.313_330_701_600_91,
            1.0,
        ],
    );
    let near = (
        [
            7.745_450_142_783_414e-4,
            2.272_384_498_926_918_4e-2,
            2.417_807_251_774_506e-1,
            1.270_458_252_452_368_4,
            3.647_848_324_763_204_5,
            5.769_497_221_460_691,
            4.630_337_846_156_546,
            1.423_437_110_749_683_5,
        ],
        [
            1.050_750_071_644_416_9e-9,
            5.475_938_084_995_345e-4,
            1.519_866_656_361_645_7e-2,
            1.481_039_764_274_800_8e-1,
            6.897_673_349_851e-1,
            1.676_384_830_183_803_8,
            2.053_191_626_637_759,
            1.0,
        ],
    );
    let far = (
        [
            2.010_334_399_292_288_1e-7,
            2.711_555_568_743_487_6e-5,
            1.242_660_947_388_078_4e-3,
            2.653_218_952_657_612_4e-2,
            2.965_605_718_285_048_7e-1,
            1.784_826_539_917_291_3,
            5.463_784_911_164_114,
            6.657_904_643_501_103,
        ],
        [
            2.044_263_103_389_939_8e-15,
            1.421_511_758_316_446e-7,
            1.846_318_317_510_054_8e-5,
            7.868_691_311_456_133e-4,
            1.487_536_129_085_061_5e-2,
            1.369_298_809_227_358e-1,
            5.998_322_065_558_88e-1,
            1.0,
        ],
    );
    let fraction = |(above, below): &([f64; 8], [f64; 8]), r: f64| {
        let polynomial = |constants: &[f64; 8]| constants.iter().fold(0.0, |sum, c| sum * r + c);
        polynomial(above) / polynomial(below)
    };
    let distance = 0.5 - tail;
    if distance.abs() <= 0.425 {
        return distance * fraction(&middle, 0.180_625 - distance * distance);
    }
    let least = if distance > 0.0 { tail } else { 1.0 - tail };
    if least <= 0.0 {
        return f64::INFINITY.copysign(distance);
    }
    let r = (-least.ln()).sqrt();
    let z = if r <= 5.0 { fraction(&near, r - 1.6) } else { fraction(&far, r - 5.0) };
    z.copysign(distance)
}

/// The logarithm of the gamma function of a positive number.
pub fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// ln(1 + x) - x, without cancellation; x > -1.
pub fn ln_1p_less(x: f64) -> f64 {
    if x.abs() > 0.4 {
        return x.ln_1p() - x;
    }
    // ln(1 + x) = 2 atanh(r), r = x / (2 + x), and 2 r - x = -r x.
    let r = x / (2.0 + x);
    let square = r * r;
    let series = |terms: i32| {
        let of = |sum: f64, k: i32| sum * square + 1.0 / f64::from(2 * k + 1);
        (1..=terms).rev().fold(0.0, of)
    };
    let series = if square < 1e-3 { series(5) } else { series(14) };
    r * (2.0 * square * series - x)
}

/// exp(x) - 1 - x, without cancellation.
fn exp_m1_less(x: f64) -> f64 {
    /// 1 / k! from k = 16 down to 2.
    const INVERSES: [f64; 15] = {
        let (mut all, mut factorial, mut k) = ([0.0; 15], 1.0, 2);
        while k <= 16 {
            factorial *= k as f64;
            all[16 - k] = 1.0 / factorial;
            k += 1;
        }
        all
    };
    if x.abs() > 0.5 {
        return x.exp_m1() - x;
    }
    x * x * INVERSES.iter().fold(0.0, |sum, inverse| sum * x + inverse)
}

/// The error of Stirling's formula: ln Γ(x + 1) - (x + 1/2) ln x + x - ln(2 π) / 2, for x > 0.
fn stirling_error(x: f64) -> f64 {
    if x < 16.0 {
        return libm::lgamma(x + 1.0) - (x + 0.5) * x.ln() + x - 0.5 * (2.0 * PI).ln();
    }
    let terms = [
        1.0 / 12.0,
        -1.0 / 360.0,
        1.0 / 1_260.0,
        -1.0 / 1_680.0,
        1.0 / 1_188.0,
        -691.0 / 360_360.0,
        1.0 / 156.0,
    ];
    let square = 1.0 / (x * x);
    terms.iter().rev().fold(0.0, |sum, term| sum * square + term) / x
}

/// The integral over w ≥ 0 of exp(-lean w - mass bend(w)). `curvature` is the second derivative of
/// mass bend(w) at 0.
fn tail_integral(lean: f64, curvature: f64, mass: f64, bend: impl Fn(f64) -> f64) -> f64 {
    let fall = |w: f64| lean * w + mass * bend(w);
    // The greatest half width for which 20 nodes are accurate has three limits: the square in the
    // exponent, its slope, and the poles at a distance of pi. At half that distance exp(-exp(w))
    // begins to grow.
    let half = (12.5 / curvature).sqrt().min(6.0 / lean).min(1.25);
    let (mut start, mut whole) = (0.0, 0.0);
    for _ in 0..10_000 {
        let centre = start + half;
        let sum: f64 = GAUSS
            .iter()
            .map(|&(node, weight)| {
                let at = |w: f64| (-fall(w)).exp();
                weight * (at(centre + half * node) + at(centre - half * node))
            })
            .sum();
        whole += half * sum;
        start += 2.0 * half;
        if fall(start) > NEGLIGIBLE {
            break;
        }
    }
    whole
}

/// The parameters of a beta distribution, and what depends only on them.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    a: f64,
    b: f64,
    /// sqrt(a b / (2 π n)), n = a + b.
    root: f64,
    /// The error of Stirling's formula for ln(1 / B(a, b)).
    stirling: f64,
}

impl Shape {
    fn new(a: f64, b: f64) -> Self {
        Self::from_error(a, b, Self::error(a, b))
    }

    /// [`Self::new`] with a known error of Stirling's formula.
    #[inline(always)]
    pub(super) fn from_error(a: f64, b: f64, stirling: f64) -> Self {
        let root = (a / (a + b) * b / (2.0 * PI)).sqrt();
        Self { a, b, root, stirling }
    }

    /// The error of Stirling's formula for ln(1 / B(a, b)).
    pub(super) fn error(a: f64, b: f64) -> f64 {
        stirling_error(a + b) - stirling_error(a) - stirling_error(b)
    }

    /// sqrt(a b / (2 π n)).
    pub(super) fn root(&self) -> f64 {
        self.root
    }
}

/// A point of the beta distribution: x, y = 1 - x, and a - (a + b) x.
#[derive(Clone, Copy)]
pub(super) struct Beta {
    shape: Shape,
    pub(super) x: f64,
    pub(super) y: f64,
    /// a - (a + b) x.
    pub(super) above: f64,
}

impl Beta {
    /// The point x = `part / (part + rest)`, from exact parts.
    #[inline(always)]
    pub(super) fn from_parts(shape: Shape, part: f64, rest: f64) -> Self {
        let whole = part + rest;
        let above = Products::default().plus(shape.a, rest);
        let above = above.plus(-shape.b, part).value() / whole;
        Self { shape, x: part / whole, y: rest / whole, above }
    }

    fn from_share(a: f64, b: f64, x: f64) -> Self {
        let above = Products::default().plus(a, 1.0).plus(-a, x).plus(-b, x);
        Self { shape: Shape::new(a, b), x, y: 1.0 - x, above: above.value() }
    }

    fn swapped(self) -> Self {
        Self {
            shape: Shape { a: self.shape.b, b: self.shape.a, ..self.shape },
            x: self.y,
            y: self.x,
            above: -self.above,
        }
    }

    /// The logarithm of x^a y^b / B(a, b) over its root sqrt(a b / (2 π n)).
    fn exponent(self) -> f64 {
        let Self { shape, x, y, above } = self;
        let Shape { a, b, .. } = shape;
        let n = a + b;
        // a ln(a / (n x)) + n x - a. The last two terms of both calls cancel.
        let deviance = |a: f64, x: f64, above: f64| {
            let share = above / a;
            if share.abs() < 0.4 { -a * ln_1p_less(-share) } else { -a * (n * x / a).ln() - above }
        };
        shape.stirling - (deviance(a, x, above) + deviance(b, y, -above))
    }

    /// x^a y^b / B(a, b).
    fn density(self) -> f64 {
        self.shape.root * self.exponent().exp()
    }

    /// The integral of the density below x along the logit, divided by the density at x. x must be
    /// below the mean, and a at least 1.
    fn tail(self) -> f64 {
        /// If the ratio of successive terms is at most this, the power series needs at most a
        /// hundred terms.
        const STEEP: f64 = 0.7;
        /// Up to this variance of counts the probabilities are added up.
        const SMALL: f64 = 2_000.0;
        let Self { shape, x, y, above } = self;
        let n = shape.a + shape.b;
        if shape.b.fract() == 0.0 && n * x * y < SMALL {
            return self.tail_of_counts();
        }
        if x.max(n * x / (shape.a + 1.0)) <= STEEP {
            return self.tail_series();
        }
        let curvature = n * x * y;
        if x <= 0.5 {
            let bend = |w: f64| {
                if w < 1.0 {
                    ln_1p_less(x * (-w).exp_m1()) + x * exp_m1_less(-w)
                } else {
                    (x * (-w).exp_m1()).ln_1p() + x * w
                }
            };
            // exp(-w) - 1 = -w + (exp(-w) - 1 + w): the linear parts cancel.
            tail_integral(above, curvature, n, bend)
        } else {
            let bend = |w: f64| {
                if w < 1.0 {
                    ln_1p_less(y * w.exp_m1()) + y * exp_m1_less(w)
                } else {
                    (y * w.exp_m1()).ln_1p() - y * w
                }
            };
            tail_integral(above, curvature, n, bend)
        }
    }

    /// [`Beta::tail`] by its series: 1/a times the sum over k of
    /// n (n + 1) ... (n + k - 1) / ((a + 1) (a + 2) ... (a + k)) x^k, with n = a + b.
    ///
    /// No term is negative, and each is smaller than the one before it.
    fn tail_series(self) -> f64 {
        let Shape { a, b, .. } = self.shape;
        let (mut sum, mut lost, mut term, mut k) = (1.0, 0.0, 1.0, 0.0);
        while term > 0.25 * f64::EPSILON * sum {
            term *= self.x * ((a + b + k) / (a + 1.0 + k));
            let more = sum + term;
            lost += term - (more - sum);
            (sum, k) = (more, k + 1.0);
        }
        (sum + lost) / a
    }

    /// [`Beta::tail`] for a whole b: the binomial probabilities of at least a among a + b - 1
    /// trials, divided by the first. About 8 standard deviations of terms matter.
    fn tail_of_counts(self) -> f64 {
        let Shape { a, b, .. } = self.shape;
        let odds = self.x / self.y;
        let (mut sum, mut term, mut k) = (1.0, 1.0, 1.0);
        // Two at a time, by one division; the second of the last two may be 0.
        while k < b && term > 0.5 * f64::EPSILON * sum {
            let (next, after) = (a + k, a + k + 1.0);
            let share = odds / (next * after);
            let one = (b - k) * after * share;
            let two = (b - k) * (b - k - 1.0) * odds * share;
            sum += term * (one + two);
            term *= two;
            k += 2.0;
        }
        sum / (a * self.y)
    }

    /// [`Beta::below`], itself and divided by the density.
    fn below_and_tail(self) -> (f64, f64) {
        let density = self.density();
        if self.above >= 0.0 && self.shape.a >= 1.0 && self.x > 0.0 {
            let tail = self.tail();
            return (density * tail, tail);
        }
        let below = self.below(density);
        (below, below / density)
    }

    /// The probabilities below and above x, given the density there. Only the smaller is summed.
    fn tails(self, density: f64) -> [f64; 2] {
        if self.above < 0.0 {
            let above = self.swapped().below(density);
            return [1.0 - above, above];
        }
        let below = self.below(density);
        [below, 1.0 - below]
    }

    /// The probability below x, given the density there.
    fn below(self, density: f64) -> f64 {
        if self.x <= 0.0 || self.y <= 0.0 {
            return if self.x <= 0.0 { 0.0 } else { 1.0 };
        }
        if self.above < 0.0 {
            return self.tails(density)[0];
        }
        let Shape { a, b, .. } = self.shape;
        if a < 1.0 {
            // I_x(a, b) = I_x(a + 1, b) + x^a y^b / (a B(a, b)).
            let next = Self { shape: Shape::new(a + 1.0, b), above: self.above + self.y, ..self };
            return next.below(next.density()) + density / a;
        }
        if density == 0.0 {
            return 0.0;
        }
        density * self.tail()
    }
}

/// The regularised incomplete beta function `I_x(a, b)`: the probability below x in a beta
/// distribution.
///
/// NaN unless a and b are positive and x is from 0 to 1.
///
/// ```
/// assert!((rocksteady_count::arith::special::beta_cdf(2.0, 3.0, 0.4) - 0.524_8).abs() < 1e-15);
/// ```
pub fn beta_cdf(a: f64, b: f64, x: f64) -> f64 {
    if !(a > 0.0 && b > 0.0 && (0.0..=1.0).contains(&x)) {
        return f64::NAN;
    }
    let point = Beta::from_share(a, b, x);
    point.below(point.density())
}

/// The probabilities below and above x = `part / (part + rest)` in a beta distribution, each to its
/// own last digits, and the slope along the logit, x^a (1-x)^b / B(a, b).
///
/// The returned function computes them; terms that depend only on a and b are computed once.
pub fn beta_tails_and_rise(a: f64, b: f64) -> impl Fn(f64, f64) -> ([f64; 2], f64) {
    let shape = Shape::new(a, b);
    move |part, rest| {
        if part <= 0.0 || rest <= 0.0 {
            let below = if part > 0.0 { 1.0 } else { 0.0 };
            return ([below, 1.0 - below], 0.0);
        }
        let point = Beta::from_parts(shape, part, rest);
        let density = point.density();
        (point.tails(density), density)
    }
}

/// The quantile of a beta distribution: the x with probability `share` below it.
///
/// NaN unless a and b are positive and `share` is in [0, 1].
///
/// ```
/// assert!((rocksteady_count::arith::special::beta_quantile(2.0, 3.0, 0.524_8) - 0.4).abs() < 1e-15);
/// ```
pub fn beta_quantile(a: f64, b: f64, share: f64) -> f64 {
    if !(a > 0.0 && b > 0.0 && (0.0..=1.0).contains(&share)) {
        return f64::NAN;
    }
    if share <= 0.0 || share >= 1.0 {
        return share;
    }
    if share <= 0.5 { lower_quantile(a, b, share).0 } else { lower_quantile(b, a, 1.0 - share).1 }
}

/// The x with probability `share` above it. Otherwise like [`beta_quantile`].
pub fn beta_upper_quantile(a: f64, b: f64, share: f64) -> f64 {
    if !(a > 0.0 && b > 0.0 && (0.0..=1.0).contains(&share)) {
        return f64::NAN;
    }
    if share <= 0.0 || share >= 1.0 {
        return 1.0 - share;
    }
    if share <= 0.5 { lower_quantile(b, a, share).1 } else { lower_quantile(a, b, 1.0 - share).0 }
}

/// The number that Student's t exceeds with probability `tail`.
///
/// NaN unless there are degrees of freedom and `tail` is in [0, 1].
///
/// ```
/// use rocksteady_count::arith::special::student_t_quantile;
/// assert!((student_t_quantile(0.025, 4.0) - 2.776_445_105_197_793).abs() < 1e-12);
/// ```
pub fn student_t_quantile(tail: f64, freedom: f64) -> f64 {
    if tail > 0.5 {
        return -student_t_quantile(1.0 - tail, freedom);
    }
    // t² / (t² + freedom) has a beta distribution.
    let share = beta_upper_quantile(0.5, freedom / 2.0, 2.0 * tail);
    (freedom * share / (1.0 - share)).sqrt()
}

/// The change of the logit that changes ln I by `difference`, inverted to the fourth order; `slope`
/// is the slope of ln I.
#[inline(always)]
pub(super) fn by_derivatives(difference: f64, slope: f64, point: &Beta) -> f64 {
    let Beta { shape, x, y, above } = *point;
    // The density rises by `above`, which falls by `fall`.
    let fall = (shape.a + shape.b) * x * y;
    let bend = slope * (above - slope);
    let third = bend * (above - slope) - slope * (fall + bend);
    let fourth =
        third * (above - slope) - 2.0 * bend * (fall + bend) - slope * (fall * (y - x) + third);
    let step = difference / slope;
    let (two, three, four) = (bend / slope / 2.0, third / slope / 6.0, fourth / slope / 24.0);
    let last = (5.0 * two * (three - two * two) - four) * step;
    step * (1.0 + step * (-two + step * (2.0 * two * two - three + last)))
}

/// The x with probability `share` below it, and 1 - x; `share` must be at most 1/2.
fn lower_quantile(a: f64, b: f64, share: f64) -> (f64, f64) {
    tail_quantile(a, b, share, normal_quantile(share))
}

/// Where the search for a quantile starts: the logarithm of (x / y) / (a / b), for a and b of at
/// least 1 (Abramowitz, Stegun 1964, 26.5.22).
#[inline(always)]
pub(super) fn start(a: f64, b: f64, z: f64) -> f64 {
    let (of_a, of_b) = (1.0 / (2.0 * a - 1.0), 1.0 / (2.0 * b - 1.0));
    let (mean, lambda) = (2.0 / (of_a + of_b), (z * z - 3.0) / 6.0);
    let bent = lambda + 5.0 / 6.0 - 2.0 / (3.0 * mean);
    let away = 2.0 * (z * (mean + lambda).max(0.0).sqrt() / mean - (of_b - of_a) * bent);
    -away.min(20.0)
}

/// [`lower_quantile`] with a known `z`, which a standard normal number exceeds with probability
/// `share`.
pub(crate) fn tail_quantile(a: f64, b: f64, share: f64, z: f64) -> (f64, f64) {
    /// Below this relative error of the probability a step uses more than one derivative.
    const NEAR: f64 = 0.1;
    /// Below this relative error the step is the last: the fifth power of the error vanishes.
    const LAST: f64 = 1e-3;
    let odds = if a >= 1.0 && b >= 1.0 {
        start(a, b, z).exp()
    } else {
        // A normal distribution of the logit with variance 1/a + 1/b.
        (-(z * (1.0 / a + 1.0 / b).sqrt()).min(20.0)).exp()
    };
    let whole = a * odds + b;
    let (mut x, mut y) = (a * odds / whole, b / whole);
    let target = share.ln();
    let (shape, mut last) = (Shape::new(a, b), f64::INFINITY);
    let mut is_last = false;
    for _ in 0..200 {
        let point = Beta::from_parts(shape, x, y);
        // d ln I / d logit x = density / I, which is 1 / tail.
        let (below, tail) = point.below_and_tail();
        let step = if below > f64::MIN_POSITIVE {
            // Near the root a relative difference replaces the difference of logarithms, which
            // would cancel.
            let off = (share - below) / below;
            let difference = if off.abs() < 1e-3 { off.ln_1p() } else { target - below.ln() };
            if off.abs() < NEAR && point.above >= 0.0 {
                let step = by_derivatives(difference, 1.0 / tail, &point);
                is_last = off.abs() < LAST;
                step
            } else {
                difference * tail
            }
        } else {
            // The probability is below the range of `f64`, but its logarithm is not. The tail is
            // nearly exponential there, with slope `above`.
            (target - point.exponent() - (point.shape.root / point.above).ln()) / point.above
        };
        let step = step.clamp(-30.0, 30.0);
        let grown = step.exp();
        let whole = x * grown + y;
        (x, y) = if whole.is_finite() {
            (x * grown / whole, y / whole)
        } else {
            break;
        };
        // Newton's steps shrink until only rounding errors are left.
        if is_last || step == 0.0 || step.abs() < 1e-6 && step.abs() >= last {
            break;
        }
        last = step.abs();
    }
    (x, y)
}

/// The probability of at least `successes` in `trials`, if each succeeds with probability
/// `part / (part + rest)`.
///
/// Masses need not be whole: between whole numbers the incomplete beta function interpolates.
///
/// ```
/// use rocksteady_count::arith::special::binomial_upper_tail;
/// assert!((binomial_upper_tail(9.0, 10.0, 1.0, 1.0) - 11.0 / 1024.0).abs() < 1e-16);
/// ```
pub fn binomial_upper_tail(successes: f64, trials: f64, part: f64, rest: f64) -> f64 {
    if successes <= 1e-30 {
        return 1.0;
    }
    if successes > trials {
        return 0.0;
    }
    if trials > 1e30 {
        // Chance is smaller than rounding errors here: the share of successes equals the
        // probability, to about 10^-15 of it.
        let share = part / (part + rest);
        let found = successes / trials;
        return if found == share { 0.5 } else { f64::from(found < share) };
    }
    if trials <= FEW && trials.fract() == 0.0 && successes.fract() == 0.0 {
        let tail = few_trials(successes, trials, part, rest);
        if tail > 1e-280 {
            return tail;
        }
    }
    let factor = unit_scale(part + rest);
    let failures = trials - successes + 1.0;
    let shape = Shape::new(successes, failures);
    let point = Beta::from_parts(shape, part * factor, rest * factor);
    point.below(point.density())
}

/// The tail for few trials: the sum of its terms, each computed from the one before. NaN or 0 if
/// they leave the range of `f64`.
fn few_trials(successes: f64, trials: f64, part: f64, rest: f64) -> f64 {
    let (k, n) = (successes as i32, trials as i32);
    let choose = (1..=n - k).fold(1.0, |ways, j| ways * f64::from(k + j) / f64::from(j));
    let (chance, other) = (part / (part + rest), rest / (part + rest));
    let mut term = choose * chance.powi(k) * other.powi(n - k);
    let mut sum = term;
    for k in k..n {
        term *= f64::from(n - k) / f64::from(k + 1) * (part / rest);
        sum += term;
    }
    sum.min(1.0)
}

/// The regularised incomplete gamma function Q(a, x): the probability above x ≥ 0 in a gamma
/// distribution of shape `a` and scale 1.
///
/// ```
/// use rocksteady_count::arith::special::gamma_upper_tail;
///
/// assert!((gamma_upper_tail(1.0, 3.0) - (-3_f64).exp()).abs() < 1e-16);
/// ```
pub fn gamma_upper_tail(a: f64, x: f64) -> f64 {
    if !(a > 0.0 && x >= 0.0) {
        return f64::NAN;
    }
    if x == 0.0 || x == f64::INFINITY {
        return if x == 0.0 { 1.0 } else { 0.0 };
    }
    if x >= a {
        let bend = |w: f64| exp_m1_less(w);
        return gamma_density(a, x) * tail_integral(x - a, x, x, bend);
    }
    1.0 - gamma_lower(a, x)
}

/// The probability below x < a.
fn gamma_lower(a: f64, x: f64) -> f64 {
    if a < 1.0 {
        return gamma_lower(a + 1.0, x) + gamma_density(a, x) / a;
    }
    gamma_density(a, x) * tail_integral(a - x, x, x, |w| exp_m1_less(-w))
}

/// x^a exp(-x) / Γ(a).
fn gamma_density(a: f64, x: f64) -> f64 {
    let above = (x - a) / a;
    let deviance =
        if above.abs() < 0.4 { -a * ln_1p_less(above) } else { x - a - a * (x / a).ln() };
    (a / (2.0 * PI)).sqrt() * (-stirling_error(a) - deviance).exp()
}

/// The probability that a chi-squared number with `freedom` degrees of freedom exceeds `statistic`.
///
/// ```
/// let tail = rocksteady_count::arith::special::chi_squared_upper_tail(3.841_458_820_694_124, 1.0);
/// assert!((tail - 0.05).abs() < 1e-15);
/// ```
pub fn chi_squared_upper_tail(statistic: f64, freedom: f64) -> f64 {
    if freedom == 1.0 {
        return libm::erfc((0.5 * statistic).sqrt());
    }
    gamma_upper_tail(0.5 * freedom, 0.5 * statistic)
}

/// The probability that the largest distance of a Brownian bridge from 0 exceeds `x`: Kolmogorov's
/// distribution.
pub fn kolmogorov_upper_tail(x: f64) -> f64 {
    if x < 1.0 {
        let unit = -PI * PI / (8.0 * x * x);
        let terms = (1..20).step_by(2).map(|k| (unit * f64::from(k * k)).exp());
        return 1.0 - terms.sum::<f64>() * (2.0 * PI).sqrt() / x.max(f64::MIN_POSITIVE);
    }
    2.0 * alternating(|k| (-2.0 * (k * x) * (k * x)).exp())
}

/// The probability that the largest distance of a Brownian motion from 0, up to time 1, exceeds
/// `x`.
pub fn brownian_upper_tail(x: f64) -> f64 {
    if x < 1.5 {
        let unit = -PI * PI / (8.0 * x * x);
        let term = |k: f64| (unit * (2.0 * k - 1.0) * (2.0 * k - 1.0)).exp() / (2.0 * k - 1.0);
        return 1.0 - 4.0 / PI * alternating(term);
    }
    4.0 * alternating(|k| normal_cdf(-(2.0 * k - 1.0) * x))
}

/// The probability that the range of a Brownian motion up to time 1, its highest less its lowest
/// value, exceeds `x`. Source: Feller 1951, doi:10.1214/aoms/1177729589.
pub fn brownian_range_upper_tail(x: f64) -> f64 {
    if x < 0.1 {
        return 1.0; // within 1e-200
    }
    if x < 2.0 {
        let term = |k: f64| {
            let angle = (2.0 * k - 1.0) * PI;
            (1.0 / (x * x) + 1.0 / (angle * angle)) * (-0.5 * (angle / x) * (angle / x)).exp()
        };
        return 1.0 - 8.0 * (1..20).map(f64::from).map(term).sum::<f64>();
    }
    8.0 * alternating(|k| k * normal_cdf(-k * x))
}

/// The first term less the second plus the third, and so on, of a series that falls fast.
fn alternating(term: impl Fn(f64) -> f64) -> f64 {
    let signed = |k: i32| if k % 2 == 1 { term(f64::from(k)) } else { -term(f64::from(k)) };
    (1..40).map(signed).sum()
}
