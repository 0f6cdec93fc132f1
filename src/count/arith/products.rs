//! Sums of products without cancellation and without overflow, for counts of any size.
//!
//! `tp*tn - fp*fn` of counts near 2^45 needs 90 bits, and its leading 60 bits may cancel.
//! [`Products`] keeps a sum of products with twice the precision of `f64`:
//!
//! 1. Split each product exactly into high + low.
//! 2. Add its high part to the high part of the running total, and keep the rounding error of this
//!    addition (Knuth's two-sum).
//! 3. Add this error and both low parts to the total, again by a two-sum.
//!
//! No fused instruction is used, so every machine gives the same bits. Masses must be between
//! 2^-400 and 2^400; callers scale others by [`unit_scale`].
//!
//! Source: Veltkamp 1968; Dekker 1971, doi:10.1007/BF01397083.

#![allow(clippy::inline_always)] // Formulas must be inlined to be compiled for wider instructions.

/// A sum of products, to about 106 bits.
#[derive(Clone, Copy, Default)]
pub struct Products {
    high: f64,
    low: f64,
}

impl Products {
    /// Adds `a * b`.
    #[inline(always)]
    #[must_use]
    pub fn plus(self, a: f64, b: f64) -> Self {
        let (product, product_error) = product(a, b);
        let (high, error) = sum(self.high, product);
        let (high, low) = sum(high, error + (self.low + product_error));
        Self { high, low }
    }

    /// Adds another sum.
    #[must_use]
    pub(crate) fn plus_sum(self, other: Self) -> Self {
        self.plus(other.high, 1.0).plus(other.low, 1.0)
    }

    /// Adds the product of two double numbers, without the product of their low parts.
    #[inline(always)]
    #[must_use]
    pub(crate) fn plus_of_two(self, (a, a_low): (f64, f64), (b, b_low): (f64, f64)) -> Self {
        let (product, product_error) = product(a, b);
        let (high, error) = sum(self.high, product);
        let rest = product_error + (a * b_low + a_low * b);
        let (high, low) = sum(high, error + (self.low + rest));
        Self { high, low }
    }

    /// The sum, rounded.
    #[inline]
    pub fn value(self) -> f64 {
        self.high + self.low
    }

    /// The sum as high and low part.
    pub(crate) fn parts(self) -> (f64, f64) {
        (self.high, self.low)
    }

    /// The rounded sum, if all numbers within `bound` of it round to the same `f64`.
    pub(crate) fn settled(self, bound: f64) -> Option<f64> {
        let (least, most) = (self.high + (self.low - bound), self.high + (self.low + bound));
        (least == most).then_some(least)
    }
}

/// Partial sums that vectors add to at once: two of the widest vectors, because each addition waits
/// for the one before.
pub(crate) const LANES: usize = 16;

/// A sum of products in [`LANES`] parts, each as precise as [`Products`].
#[derive(Clone, Copy, Default)]
pub(crate) struct LaneProducts {
    high: [f64; LANES],
    low: [f64; LANES],
}

impl LaneProducts {
    /// Adds `a * (b + b_low)` at each place. Numbers after the last full group of [`LANES`] are
    /// ignored.
    #[inline(always)]
    pub(crate) fn add(&mut self, a: &[f64], [b, b_low]: [&[f64]; 2]) {
        let (mut highs, mut lows) = (self.high, self.low);
        let b = b.as_chunks::<LANES>().0.iter().zip(b_low.as_chunks::<LANES>().0);
        for (a, (b, b_low)) in a.as_chunks::<LANES>().0.iter().zip(b) {
            for lane in 0..LANES {
                let sum = Products { high: highs[lane], low: lows[lane] };
                let sum = sum.plus_of_two((a[lane], 0.0), (b[lane], b_low[lane]));
                Products { high: highs[lane], low: lows[lane] } = sum;
            }
        }
        (self.high, self.low) = (highs, lows);
    }

    /// Adds `a * (b + c)` at each place; each number is a high and a low part.
    #[inline(always)]
    pub(crate) fn add_sums(
        &mut self,
        [a, a_low]: [&[f64]; 2],
        [b, b_low]: [&[f64]; 2],
        [c, c_low]: [&[f64]; 2],
    ) {
        let (mut highs, mut lows) = (self.high, self.low);
        let a = a.as_chunks::<LANES>().0.iter().zip(a_low.as_chunks::<LANES>().0);
        let b = b.as_chunks::<LANES>().0.iter().zip(b_low.as_chunks::<LANES>().0);
        let c = c.as_chunks::<LANES>().0.iter().zip(c_low.as_chunks::<LANES>().0);
        for (((a, a_low), (b, b_low)), (c, c_low)) in a.zip(b).zip(c) {
            for lane in 0..LANES {
                let (both, lost) = sum(b[lane], c[lane]);
                let sum = Products { high: highs[lane], low: lows[lane] };
                let rest = lost + (b_low[lane] + c_low[lane]);
                let sum = sum.plus_of_two((a[lane], a_low[lane]), (both, rest));
                Products { high: highs[lane], low: lows[lane] } = sum;
            }
        }
        (self.high, self.low) = (highs, lows);
    }

    /// The partial sums, each with its rounding error.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (f64, f64)> {
        self.high.into_iter().zip(self.low)
    }
}

/// `a * b` as a rounded product and its error.
#[inline(always)]
pub(crate) fn product(a: f64, b: f64) -> (f64, f64) {
    /// The upper 26 bits of a number, and the remainder.
    #[inline]
    fn split(x: f64) -> (f64, f64) {
        let scaled = x * 134_217_729.0; // 2^27 + 1
        let upper = scaled - (scaled - x);
        (upper, x - upper)
    }
    let high = a * b;
    let ((a1, a2), (b1, b2)) = (split(a), split(b));
    (high, ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2)
}

/// `a + b` as a rounded sum and its error.
#[inline(always)]
pub(crate) fn sum(a: f64, b: f64) -> (f64, f64) {
    let high = a + b;
    let part = high - a;
    (high, (a - (high - part)) + (b - part))
}

/// `a*b - c*d` with the same bits as [`Products`], in two thirds of the steps, so that the compiler
/// inlines it into loops.
#[inline(always)]
pub(crate) fn difference_of_products(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let ((left, left_error), (right, right_error)) = (product(a, b), product(-c, d));
    let (high, error) = sum(left, right);
    high + (error + (left_error + right_error))
}

/// √(a b) for a, b ≥ 0, rounded only twice. It is exactly a if a = b, so the index of a perfect
/// prediction is exactly 1. The product may leave the range of `f64`.
#[inline(always)]
pub(crate) fn root_of_product(a: f64, b: f64) -> f64 {
    let product = a * b;
    if product > 1e-290 && product < 1e290 { product.sqrt() } else { a.sqrt() * b.sqrt() }
}

/// The power of two that scales a positive number into [1, 2), unless the number is huge or
/// subnormal. Masses scaled by it can be multiplied within the range of `f64`, and scaling does
/// not round.
#[inline]
pub fn unit_scale(x: f64) -> f64 {
    let exponent = (x.to_bits() >> 52 & 0x7ff).clamp(1, 2045);
    f64::from_bits((2046 - exponent) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn roots_of_squares_are_exact_and_nothing_overflows() {
        for x in [1.0, 3.0, 1e10 / 7.0, 2f64.powi(80) + 2f64.powi(40)] {
            assert_eq!(root_of_product(x, x), x);
        }
        assert!((root_of_product(1e200, 1e200) / 1e200 - 1.0).abs() < 1e-15);
        assert!((root_of_product(1e-200, 1e-200) / 1e-200 - 1.0).abs() < 1e-15);
        for x in [1.0, 1.5, f64::MAX, f64::MIN_POSITIVE, 3e300, 7e-300] {
            assert!((1.0..4.0).contains(&(x * unit_scale(x))), "{x}");
        }
        assert!((5e-324 * unit_scale(5e-324)) > 1e-20);
    }

    proptest! {
        #[test]
        fn differences_equal_exact_integers(
            a in 0i64..1 << 50, b in 0i64..1 << 50, slip in -3i64..4, turn in -3i64..4,
        ) {
            // The products nearly cancel: the second differs from the first by a few units.
            let (c, d) = ((a + slip).max(0), (b + turn).max(0));
            let exact = i128::from(a) * i128::from(b) - i128::from(c) * i128::from(d);
            let found = difference_of_products(a as f64, b as f64, c as f64, d as f64);
            prop_assert!((found - exact as f64).abs() <= (exact as f64).abs() * 4e-16, "{found} {exact}");
            let long = Products::default().plus(a as f64, b as f64).plus(-c as f64, d as f64);
            prop_assert_eq!(found.to_bits(), long.value().to_bits());
        }

        #[test]
        fn lanes_add_up_to_exact_integers(
            terms in prop::collection::vec((0i64..1 << 46, 0i64..1 << 45, 0i64..1 << 45), 0..100),
        ) {
            let terms = terms.split_at(terms.len() / LANES * LANES).0;
            let mut exact = 0;
            let (mut a, mut b, mut c) = (Vec::new(), Vec::new(), Vec::new());
            for &(x, y, z) in terms {
                exact += 2 * i128::from(x) * (i128::from(y) + i128::from(z));
                a.push(x as f64);
                b.push(y as f64);
                c.push(z as f64);
            }
            let mut lanes = LaneProducts::default();
            let none = vec![0.0; a.len()];
            lanes.add(&a, [&b, &none]);
            lanes.add(&a, [&c, &none]);
            lanes.add_sums([&a, &none], [&b, &none], [&c, &none]);
            let parts = lanes.parts().map(|(high, low)| high as i128 + low as i128);
            prop_assert_eq!(parts.sum::<i128>(), exact);
        }

        #[test]
        fn long_sums_equal_exact_integers(
            terms in prop::collection::vec((-(1i64 << 45)..1 << 45, 0i64..1 << 45), 1..60),
        ) {
            let (mut exact, mut found) = (0i128, Products::default());
            for &(a, b) in terms.iter().chain(terms.iter().rev().skip(1)) {
                exact += i128::from(a) * i128::from(b);
                found = found.plus(a as f64, b as f64);
            }
            for &(a, b) in &terms {
                exact -= i128::from(a) * i128::from(b);
                found = found.plus(-a as f64, b as f64);
            }
            prop_assert!((found.value() - exact as f64).abs() <= (exact as f64).abs() * 4e-16 + 1e-3);
        }
    }
}
