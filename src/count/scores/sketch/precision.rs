//! Bounds of areas under functions of precision.
//!
//! A cell has p positives and n negatives, with t positives and f negatives above it. An atom has
//! one precision, (t + p) / (t + p + f + n). In any other cell:
//!
//! 1. Average precision is greatest if all positives are tied above all negatives: each has
//!    precision (t + p) / (t + p + f).
//! 2. It is least if the negatives come first and then the positives, one after the other: the sum
//!    over k of (t + k) / (t + k + f + n). Ties would make it greater, so even a cell with only
//!    positives is open. With weights, positives may be arbitrarily small, and the infimum is the
//!    integral.
//! 3. The precision at any threshold in the cell lies between t / (t + f + n) and
//!    (t + p) / (t + p + f). So does its mean over two neighbouring thresholds.
//!
//! The sum of step 2 is p − (f + n) Σ 1 / m over p successive m. By Hermite and Hadamard, Σ 1 / m
//! is below the logarithm of (m₁ + p − ½) / (m₁ − ½), because 1/x is convex; few terms are added
//! directly.

use crate::arith::logarithm::ln_1p;
use crate::arith::products::Products;
use crate::scores::sketch::arrangements::Arrangements;
use crate::scores::sketch::cells::MIXED;

/// Sums of up to this many terms are added directly.
const FEW: f64 = 32.0;

/// A cell, from the highest down: its masses and the masses above it.
#[derive(Clone, Copy, Debug)]
struct Step {
    p: f64,
    n: f64,
    /// The positives and the negatives above.
    t: f64,
    f: f64,
    is_atom: bool,
}

impl Step {
    /// The precision if the whole cell is predicted positive.
    fn precision(&self) -> f64 {
        (self.t + self.p) / (self.t + self.p + self.f + self.n)
    }

    /// The greatest precision at any threshold in the cell.
    fn greatest(&self) -> f64 {
        if self.t + self.p > 0.0 { (self.t + self.p) / (self.t + self.p + self.f) } else { 0.0 }
    }

    /// The least precision at any threshold in the cell.
    fn least(&self) -> f64 {
        if self.t > 0.0 { self.t / (self.t + self.f + self.n) } else { 0.0 }
    }

    /// The least and the greatest mean of the precisions at two neighbouring thresholds; the first
    /// may be the threshold above the cell.
    fn mean_precision(&self, before: f64) -> (f64, f64) {
        if self.is_atom {
            let mean = f64::midpoint(before, self.precision());
            (mean, mean)
        } else {
            (self.least().min(before), self.greatest().max(before))
        }
    }

    /// The least sum of precisions of the cell's positives, with or without weights.
    fn least_sum(&self, is_weighted: bool) -> f64 {
        let Self { p, n, t, f, .. } = *self;
        let below = f + n;
        if below == 0.0 {
            p
        } else if is_weighted {
            p - below * ln_1p(p / (t + below))
        } else if p <= FEW {
            let mut sum = 0.0;
            let mut k = 1.0;
            while k <= p {
                sum += (t + k) / (t + k + below);
                k += 1.0;
            }
            sum
        } else {
            p - below * ln_1p(p / (t + below + 0.5))
        }
    }
}

/// The class that counts as positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Facing {
    Positives,
    /// The negatives, ranked from the lowest score up.
    Negatives,
}

/// Sums that bound another.
#[derive(Clone, Copy, Default)]
struct Sums {
    low: Products,
    high: Products,
}

impl Sums {
    fn plus(self, weight: f64, (low, high): (f64, f64)) -> Self {
        Self { low: self.low.plus(weight, low), high: self.high.plus(weight, high) }
    }

    fn over(self, all: f64) -> (f64, f64) {
        (self.low.value() / all, self.high.value() / all)
    }
}

impl Arrangements {
    fn steps(&self, facing: Facing) -> impl Iterator<Item = Step> + '_ {
        let atoms = &self.sketch().cells.atoms;
        let table = self.tied().finite();
        let len = atoms.len();
        (0..len).map(move |step| {
            let at = match facing {
                Facing::Positives => step,
                Facing::Negatives => len - 1 - step,
            };
            let (positives, negatives) = table.masses_between(at, at + 1);
            let is_atom = atoms[at] != MIXED;
            match facing {
                Facing::Positives => {
                    let (t, f) = table.at_or_above(at);
                    let (p, n) = (positives, negatives);
                    Step { p, n, t, f, is_atom }
                }
                Facing::Negatives => {
                    let counts = table.counts_at(at);
                    let (t, f) = (counts.tn, counts.fn_);
                    let (p, n) = (negatives, positives);
                    Step { p, n, t, f, is_atom }
                }
            }
        })
    }

    /// Bounds of average precision; none without positives.
    pub fn average_precision(&self) -> Option<(f64, f64)> {
        self.average_precision_of(Facing::Positives)
    }

    /// Bounds of average precision with the negatives as positives, ranked from the lowest score
    /// up.
    pub fn negative_average_precision(&self) -> Option<(f64, f64)> {
        self.average_precision_of(Facing::Negatives)
    }

    fn average_precision_of(&self, facing: Facing) -> Option<(f64, f64)> {
        let is_open = |step: Step| !step.is_atom && step.p > 0.0;
        if !self.steps(facing).any(is_open) {
            let found = match facing {
                Facing::Positives => self.tied().average_precision(),
                Facing::Negatives => self.tied().negative_average_precision(),
            };
            return found.map(|value| (value, value));
        }
        let is_weighted = self.sketch().is_weighted();
        let mut sums = Sums::default();
        let mut all = Products::default();
        for step in self.steps(facing).filter(|step| step.p > 0.0) {
            all = all.plus(step.p, 1.0);
            let of_cell = if step.is_atom {
                let sum = step.p * step.precision();
                (sum, sum)
            } else {
                (step.least_sum(is_weighted), step.p * step.greatest())
            };
            sums = sums.plus(1.0, of_cell);
        }
        let (low, high) = sums.over(all.value());
        Some((low.max(0.0), high.min(1.0)))
    }

    /// Bounds of the area under precision over recall, straight between neighbouring points.
    pub fn linear_precision_area(&self) -> Option<(f64, f64)> {
        let mut sums = Sums::default();
        let mut all = Products::default();
        let mut before = 1.0;
        for step in self.steps(Facing::Positives) {
            if step.p > 0.0 {
                all = all.plus(step.p, 1.0);
                sums = sums.plus(step.p, step.mean_precision(before));
            }
            before = step.precision();
        }
        let all = all.value();
        (all > 0.0).then(|| sums.over(all))
    }

    /// Bounds of the area under lift over the share predicted positive, straight between the
    /// points, from the first score on.
    pub fn lift_area(&self) -> Option<(f64, f64)> {
        let mut sums = Sums::default();
        let mut all = Products::default();
        let mut before = None;
        for step in self.steps(Facing::Positives) {
            all = all.plus(step.p, 1.0);
            let rows = step.p + step.n;
            if let Some(before) = before {
                sums = sums.plus(rows, step.mean_precision(before));
            } else if !step.is_atom {
                // The area begins at the first score, which may be any part of the cell.
                sums = sums.plus(rows, (0.0, step.greatest()));
            }
            before = Some(step.precision());
        }
        // Lift is precision divided by prevalence, and shares are relative to all rows, so all rows
        // cancel.
        let all = all.value();
        (all > 0.0).then(|| sums.over(all))
    }
}
