//! The natural logarithm, with the same bits on every machine, and at vector speed.
//!
//! The system's logarithm differs between systems, and between processors with and without fused
//! multiply-add. This one uses additions, multiplications and one division, in a fixed order and
//! without branches, so the compiler can vectorise it:
//!
//! 1. Write x = 2^k m with sqrt(1/2) <= m < sqrt(2). Let f = m - 1, s = f / (2 + f) and z = s^2.
//! 2. ln m = 2 atanh(s) = f - f^2/2 + s (f^2/2 + z P(z)). P is the series 2/3 + 2/5 z + 2/7 z^2 +
//!    ..., economised to degree 6 on the range of z (error 2^-57.5 of ln m).
//! 3. ln x = ln m + k ln 2. ln 2 has two parts, and the first has enough trailing zeros that its
//!    product with k is exact.
//!
//! Cost: `sum_of_logs` computes 10,000 quotients and their logarithms in about 20 µs, in blocks of
//! eight. Error: below 1 unit in the last place (tested against the system's function).
//!
//! Source: the reduction and the form are those of Ng's log in fdlibm (1993); the polynomial is our
//! own.

// Only inlined loops are compiled for each instruction set.
#![allow(clippy::inline_always)]

use crate::base::wide::wide;

const LN_2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
const LN_2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);

/// The polynomial, from the constant up.
const P: [f64; 7] = [
    0.666_666_666_666_667,
    0.399_999_999_998_989_44,
    0.285_714_286_262_009_6,
    0.222_222_111_015_772_05,
    0.181_828_913_362_378_3,
    0.153_316_537_992_258_2,
    0.146_172_291_140_090_48,
];

/// ln x of a positive, normal, finite number; for other numbers the result has no meaning.
#[inline(always)]
pub fn ln_normal(x: f64) -> f64 {
    ln_after_division(x, ln_division(x))
}

/// k and f of a positive, normal, finite number.
#[inline(always)]
fn reduced(x: f64) -> (f64, f64) {
    /// The bits of sqrt(1/2).
    const ROOT_HALF: u64 = 0x3fe6_a09e_667f_3bcd;
    const MANTISSA: u64 = (1 << 52) - 1;
    /// 2^52: its lowest bits have the value of an integer.
    const TWO_52: u64 = 0x4330_0000_0000_0000;
    // The shift makes the exponent change at sqrt(2) instead of 2; the bias keeps it positive.
    let shifted = x.to_bits().wrapping_add((1023 << 52) - ROOT_HALF);
    let k = f64::from_bits((shifted >> 52) | TWO_52) - (4_503_599_627_370_496.0 + 1023.0);
    let f = f64::from_bits((shifted & MANTISSA) + ROOT_HALF) - 1.0;
    (k, f)
}

/// The first half of [`ln_normal`], up to the quotient s.
///
/// The operations of a logarithm wait for each other, and a processor sees only a few of them
/// ahead. A loop for each half takes two thirds of the time of one loop.
#[inline(always)]
pub(crate) fn ln_division(x: f64) -> f64 {
    let (_, f) = reduced(x);
    f / (2.0 + f)
}

/// The second half of [`ln_normal`]: ln x from x and [`ln_division`] of it.
#[inline(always)]
pub(crate) fn ln_after_division(x: f64, s: f64) -> f64 {
    let (k, f) = reduced(x);
    let z = s * s;
    let zz = z * z;
    // Odd and even terms are separate: two short chains of operations instead of a long one.
    let odd = P[1] + zz * (P[3] + zz * P[5]);
    let even = P[0] + zz * (P[2] + zz * (P[4] + zz * P[6]));
    let rest = z * (even + z * odd);
    let half = 0.5 * f * f;
    k * LN_2_HIGH - ((half - (s * (half + rest) + k * LN_2_LOW)) - f)
}

/// ln x of any number: −∞ at 0, NaN below.
pub fn ln(x: f64) -> f64 {
    if (f64::MIN_POSITIVE..f64::INFINITY).contains(&x) {
        ln_normal(x)
    } else if x > 0.0 && x < 1.0 {
        // A subnormal number times 2^54 is normal.
        ln_normal(x * 18_014_398_509_481_984.0) - 54.0 * std::f64::consts::LN_2
    } else if x == 0.0 {
        f64::NEG_INFINITY
    } else if x > 0.0 {
        x
    } else {
        f64::NAN
    }
}

/// ln(1 + x) for x ≥ 0, exact also where x is small (Kahan's correction of the rounding in 1 + x).
pub(crate) fn ln_1p(x: f64) -> f64 {
    let sum = 1.0 + x;
    if sum == 1.0 { x } else { ln(sum) * (x / (sum - 1.0)) }
}

/// The number of running totals, the same on every machine, so the order of addition is the same.
const LANES: usize = 8;

/// How many groups of `LANES` terms are collected before their logarithms are computed.
const BLOCK: usize = 16;

/// Masses, and the numerators and denominators of their quotients.
type Terms = [[f64; LANES]; 3];

/// The sum of mass ln(above / below) over terms (mass, above, below), in their order.
///
/// A term whose quotient is not a normal number is left out. With counts, its mass is negligible.
pub fn sum_of_logs(terms: impl Iterator<Item = (f64, f64, f64)>) -> f64 {
    const NOTHING: Terms = [[0.0; LANES], [1.0; LANES], [1.0; LANES]];
    let mut block: [Terms; BLOCK] = [[[0.0; LANES]; 3]; BLOCK];
    let (mut sums, mut len) = ([0.0; LANES], 0);
    terms.for_each(|(mass, above, below)| {
        let (row, lane) = (len / LANES % BLOCK, len % LANES);
        block[row][0][lane] = mass;
        block[row][1][lane] = above;
        block[row][2][lane] = below;
        len += 1;
        if len == BLOCK * LANES {
            add_logs(&block, &mut sums);
            len = 0;
        }
    });
    let (whole, rest) = (len / LANES, len % LANES);
    if rest > 0 {
        for (of_terms, nothing) in block[whole].iter_mut().zip(NOTHING) {
            of_terms[rest..].copy_from_slice(&nothing[rest..]);
        }
    }
    add_logs(&block[..len.div_ceil(LANES)], &mut sums);
    sums.iter().sum()
}

/// mass ln(above / below); 0 if the quotient is not a normal number.
#[inline(always)]
pub fn mass_by_log(mass: f64, above: f64, below: f64) -> f64 {
    let quotient = above / below;
    let product = mass * ln_normal(quotient);
    if (f64::MIN_POSITIVE..f64::INFINITY).contains(&quotient) { product } else { 0.0 }
}

wide! {
    fn add_logs[](terms: &[Terms], sums: &mut [f64; LANES]) -> () = add_logs_of;
}

#[inline(always)]
fn add_logs_of(terms: &[Terms], sums: &mut [f64; LANES]) {
    for [masses, above, below] in terms {
        for lane in 0..LANES {
            sums[lane] += mass_by_log(masses[lane], above[lane], below[lane]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ulps(a: f64, b: f64) -> u64 {
        (a.to_bits() as i64).abs_diff(b.to_bits() as i64)
    }

    #[test]
    fn it_is_the_systems_to_the_last_place_but_one() {
        assert_eq!(ln(1.0), 0.0);
        assert_eq!(ln(1.0 - f64::EPSILON), (1.0 - f64::EPSILON).ln());
        assert_eq!(ln(0.0), f64::NEG_INFINITY);
        assert_eq!(ln(f64::INFINITY), f64::INFINITY);
        assert!(ln(-1.0).is_nan() && ln(f64::NAN).is_nan());
        let mut worst = 0;
        for i in 1..2_000_000_u64 {
            // Numbers from all of (0, 1], numbers near 1, and all exponents.
            for x in [
                i as f64 / 2_000_000.0,
                1.0 + (i as f64 - 1_000_000.0) * 1e-9,
                f64::from_bits((1 << 52) + i * 4_600_000_000_000),
            ] {
                worst = worst.max(ulps(ln(x), x.ln()));
            }
        }
        assert!(worst <= 1, "{worst}");
    }

    proptest! {
        #[test]
        fn a_sum_of_logarithms_is_that_of_scalar_ones_to_the_bit(
            terms in prop::collection::vec((0.0..1e9, any::<f64>(), 1e-9..1e9), 0..400),
        ) {
            let mut sums = [0.0; LANES];
            for (place, &(mass, above, below)) in terms.iter().enumerate() {
                let quotient: f64 = above / below;
                if quotient.is_normal() && quotient > 0.0 {
                    sums[place % LANES] += mass * ln(quotient);
                }
            }
            let sum: f64 = sums.iter().sum();
            prop_assert_eq!(sum_of_logs(terms.iter().copied()).to_bits(), sum.to_bits());
            let blocks = |terms: &[(f64, f64, f64)]| -> Vec<Terms> {
                let block = |part: &[(f64, f64, f64)]| {
                    let of = |get: fn(&(f64, f64, f64)) -> f64| std::array::from_fn(|i| get(&part[i]));
                    [of(|t| t.0), of(|t| t.1), of(|t| t.2)]
                };
                terms.chunks_exact(LANES).map(block).collect()
            };
            // The baseline instruction set and the widest.
            let (mut narrow, mut widest) = ([0.0; LANES], [0.0; LANES]);
            add_logs_of(&blocks(&terms), &mut narrow);
            add_logs(&blocks(&terms), &mut widest);
            prop_assert_eq!(narrow.map(f64::to_bits), widest.map(f64::to_bits));
        }

        #[test]
        fn any_number(bits in any::<u64>()) {
            let x = f64::from_bits(bits >> 1);
            prop_assume!(x.is_finite() && x > 0.0);
            prop_assert!(ulps(ln(x), x.ln()) <= 1, "{x}");
        }
    }

    #[test]
    fn logarithms_of_one_and_more_are_right() {
        for x in [0.0, 1e-300, 1e-17, 1e-9, 0.5, 3.0, 1e15, 1e300] {
            assert!((ln_1p(x) - f64::ln_1p(x)).abs() <= 4e-16 * f64::ln_1p(x), "{x}");
        }
    }
}
