//! The vertices of the convex hull of a ROC curve, piece by piece.
//!
//! 1. The hull of each piece is computed first, as for a table in memory. Only its vertices can be
//!    vertices of the whole.
//! 2. They are appended to the vertices so far, and vertices that now lie below the hull are
//!    dropped.

use std::ops::Range;

use crate::arith::products::unit_scale;
use crate::base::memory::{Gather, Room};
use crate::scores::isotonic_hull::{is_rounded_above, vertices};
use crate::scores::score_table::ScoreTable;
use crate::scores::spill::pieces::Mass;

/// A vertex: its score and the masses at or above it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertex<A> {
    pub(crate) key: u64,
    pub(crate) positives: A,
    pub(crate) negatives: A,
    /// For weights: the rounded point for comparisons.
    point: (f64, f64),
}

impl<A> Vertex<A> {
    /// A vertex without a point for comparisons.
    pub(crate) fn of(key: u64, positives: A, negatives: A) -> Self {
        Self { key, positives, negatives, point: (0.0, 0.0) }
    }
}

/// The vertices so far, from the highest score to the lowest, the origin first.
pub(crate) struct Vertices<A> {
    found: Vec<Vertex<A>>,
    scales: (f64, f64),
}

impl<A: Mass> Vertices<A> {
    /// For a table with these totals.
    pub(crate) fn new((positives, negatives): (f64, f64)) -> Self {
        let origin =
            Vertex { key: 0, positives: A::default(), negatives: A::default(), point: (0.0, 0.0) };
        Self {
            found: [origin].into_iter().gather(),
            scales: (unit_scale(positives), unit_scale(negatives)),
        }
    }

    /// Adds some places of a piece.
    pub(crate) fn take(&mut self, piece: &ScoreTable, places: Range<usize>) {
        let start = places.start;
        for predicted in vertices(piece, places) {
            if predicted > 0 {
                self.add(piece, start + predicted - 1);
            }
        }
    }

    fn add(&mut self, piece: &ScoreTable, place: usize) {
        let (tp, fp) = piece.cumulative(place);
        let (positives, negatives) = A::at(piece.masses(), place);
        let new = Vertex {
            key: piece.keys().get(place),
            positives,
            negatives,
            point: (tp * self.scales.0, fp * self.scales.1),
        };
        while let [.., a, b] = &self.found[..] {
            if is_above(a, b, &new) {
                break;
            }
            self.found.pop();
        }
        self.found.grow(new);
    }

    /// The vertices after the origin.
    pub(crate) fn finish(mut self) -> Vec<Vertex<A>> {
        self.found.remove(0);
        self.found
    }
}

/// Whether b lies above the line from a to c.
fn is_above<A: Mass>(a: &Vertex<A>, b: &Vertex<A>, c: &Vertex<A>) -> bool {
    if let (Some(a), Some(b), Some(c)) = (counts(a), counts(b), counts(c)) {
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        return product(b.0 - a.0, c.1 - a.1) > product(c.0 - a.0, b.1 - a.1);
    }
    is_rounded_above(a.point, b.point, c.point)
}

fn counts<A: Mass>(vertex: &Vertex<A>) -> Option<(u64, u64)> {
    Some((vertex.positives.count()?, vertex.negatives.count()?))
}
