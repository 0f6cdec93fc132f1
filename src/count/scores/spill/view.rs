//! The view of rows beyond memory.
//!
//! ```text
//! for range of keys, from high to low:
//!     load its rows, and sweep them on top of the totals so far
//!     add its blocks to the sums, its points to the hull; update the widest gap
//!     keep its lowest score and the totals down to it
//! ```
//!
//! Indices are read from the sums and the hull; a threshold reads one range again.
//!
//! 1. One sweep over all ranges, from high to low, computes the sums for indices of the whole
//!    ranking, block by block as for a table in memory; the widest gap between the classes; and the
//!    hull of the ROC curve. The sums and the vertices replace the table
//!    (`Ranking::from_vertices`).
//! 2. The sweep also keeps the lowest score of each range and the totals down to it. So the counts
//!    at a threshold, and the top rows, need only one range again.
//!
//! Memory: the largest range, and less than a byte for each ten rows. Doubt: ranges are cut from
//! the first rows, so sorted input makes them uneven, and its rows are written again (`leaves.rs`).

use std::sync::{Arc, OnceLock};

use crate::arith::exact::{ExactSums, Sums};
use crate::base::error::{Refusal, Result};
use crate::base::input::LabelKind;
use crate::base::memory::kept::Pause;
use crate::base::memory::{Gather, Room, with_room};
use crate::base::temporary::TemporaryFile;
use crate::labels::binary::Pair;
use crate::labels::binary_labels::BinaryLabels;
use crate::labels::view::BinaryCounts;
use crate::scores::blocks::Pieced;
use crate::scores::keys::{Keys, ScoreKind};
use crate::scores::ranking::average_precision::WeightedPrecision;
use crate::scores::ranking::early_recognition::EARLY;
use crate::scores::ranking::fractions;
use crate::scores::ranking::ks::{Ks, WeightedGap, WidestGap};
use crate::scores::ranking::roc_areas::WeightedArea;
use crate::scores::ranking::threshold_sums::{Companions, Sum, ThresholdWalk};
use crate::scores::ranking::{Ranking, Walked};
use crate::scores::score_table::{Masses, ScoreTable, Side};
use crate::scores::spill::leaves::Leaf;
use crate::scores::spill::pieces::{Mark, Mass, Whole, sweep};
use crate::scores::spill::vertices::{Vertex, Vertices};
use crate::scores::sweep::given_thresholds::{Threshold, edge, reached};

/// The scores of all rows of a collector, in a temporary file.
#[derive(Debug)]
pub struct SpilledScores {
    file: Arc<TemporaryFile>,
    leaves: Vec<Leaf>,
    whole: Whole,
    totals: Totals,
    rows: u64,
    found: OnceLock<Found>,
    /// Promises the limit of memory.
    _pause: Pause,
}

/// The totals of both classes.
#[derive(Clone, Debug)]
enum Totals {
    Counts(u64, u64),
    Weights(ExactSums),
}

/// Whether a score is not a probability because it is too high, or a NaN ranked best.
fn is_above_one(score: f64) -> bool {
    score.is_nan() || score > 1.0
}

/// The results of the sweep over all ranges.
#[derive(Debug)]
struct Found {
    ranking: Ranking,
    marks: Marks,
    distinct: usize,
}

#[derive(Debug)]
enum Marks {
    Counts(Vec<Mark<u64>>),
    Narrow(Vec<Mark<u128>>),
    Wide(Vec<Mark<crate::arith::exact::Wide>>),
}

/// Calls a function with the type of the masses: their totals, and the form of their marks.
macro_rules! with_masses {
    ($self:expr, $call:expr) => {
        match &$self.totals {
            Totals::Counts(positives, negatives) => $call((*positives, *negatives), Marks::Counts),
            Totals::Weights(sums) => match sums.sums() {
                Sums::Narrow(sums) => $call((sums[0], sums[1]), Marks::Narrow),
                Sums::Wide(sums) => $call((sums[0], sums[1]), Marks::Wide),
            },
        }
    };
}

impl SpilledScores {
    pub(crate) fn new(
        file: Arc<TemporaryFile>,
        leaves: Vec<Leaf>,
        (kind, labels, turn): (ScoreKind, BinaryLabels, u8),
        (rows, sums): ([u64; 2], Option<ExactSums>),
        most: usize,
    ) -> Result<Self> {
        let positive = usize::from(turn == 0);
        let totals = match sums {
            None => Totals::Counts(rows[positive], rows[1 - positive]),
            Some(sums) => Totals::Weights(sums.taken(&[positive, 1 - positive])),
        };
        let span = match &totals {
            Totals::Counts(..) => crate::arith::exact::Span::EMPTY,
            Totals::Weights(sums) => sums.span(),
        };
        let whole = Whole { kind, labels, turn, span, most: most.min(1 << 16) };
        let view = Self {
            file,
            leaves,
            whole,
            totals,
            rows: rows[0] + rows[1],
            found: OnceLock::new(),
            _pause: Pause::new(),
        };
        let (positives, negatives) = view.totals();
        if (positives + negatives).is_finite() {
            Ok(view)
        } else {
            let value = "more than the largest float64 in all";
            let expected = "a sum that a float64 holds where memory is given; divide all weights";
            Err(Refusal::argument("sample_weight", value, expected))
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The number, or weight, of positives and of negatives.
    pub fn totals(&self) -> (f64, f64) {
        match &self.totals {
            Totals::Counts(positives, negatives) => (*positives as f64, *negatives as f64),
            Totals::Weights(sums) => (sums.get(0), sums.get(1)),
        }
    }

    /// Whether rows have weights.
    pub fn is_weighted(&self) -> bool {
        matches!(self.totals, Totals::Weights(_))
    }

    /// The two labels.
    pub fn pair(&self) -> &Pair {
        &self.whole.labels.pair
    }

    /// The kind of the labels as given.
    pub fn label_kind(&self) -> LabelKind {
        self.whole.labels.kind
    }

    /// The number of distinct scores.
    ///
    /// # Errors
    /// The errors of the file.
    pub fn distinct(&self) -> Result<usize> {
        Ok(self.found()?.distinct)
    }

    /// The vertices of the hull of the ROC curve, with the results of a sweep over all scores. Only
    /// indices computed from these are valid for the rows.
    ///
    /// # Errors
    /// The errors of the file.
    pub fn ranking(&self) -> Result<&Ranking> {
        Ok(&self.found()?.ranking)
    }

    fn found(&self) -> Result<&Found> {
        if let Some(found) = self.found.get() {
            return Ok(found);
        }
        let found = with_masses!(self, |all, marks| self.find(all, marks))?;
        // If another thread was first, it has cached the same results.
        Ok(self.found.get_or_init(|| found))
    }

    /// Whether all scores lie in [0, 1], from the first and the last range.
    fn are_probabilities<A: Mass>(&self, all: (A, A)) -> Result<bool> {
        let (Some(first), Some(last)) = (self.leaves.first(), self.leaves.last()) else {
            return Ok(true);
        };
        let mut are = true;
        for (leaf, is_top) in [(first, true), (last, false)] {
            let one = std::slice::from_ref(leaf);
            let mut top = None;
            let marks =
                sweep::<A>(&self.file, &self.whole, all, one, None, &mut |piece, places| {
                    top = top.or_else(|| Some(piece.score(places.start)));
                    Ok(())
                })?;
            let score = match (is_top, marks.last()) {
                (false, Some(mark)) => self.whole.kind.score(mark.low),
                _ => top.unwrap_or(0.0),
            };
            are &= if is_top { score <= 1.0 } else { score >= 0.0 };
        }
        Ok(are)
    }

    /// Sweeps all ranges.
    fn find<A: Mass>(&self, all: (A, A), marks: fn(Vec<Mark<A>>) -> Marks) -> Result<Found> {
        let are_probabilities = self.are_probabilities(all)?;
        let totals = self.totals();
        let ends = self.table_of(all, &[]);
        let mut wanted = vec![
            Sum::Precision,
            Sum::NegativePrecision,
            Sum::Ties,
            Sum::Means,
            Sum::Margin,
            Sum::Early(EARLY),
        ];
        if are_probabilities {
            wanted.grow(Sum::LogLoss);
        }
        let (mut walk, with) = (Pieced::new(), ThresholdWalk::reads(&wanted));
        let empty = || {
            let companions = Companions::from_pieces(&ends, are_probabilities);
            ThresholdWalk::new(&ends, &wanted, companions)
        };
        let mut gap = WidestGap::new(all.0.count().zip(all.1.count()).unwrap_or_default());
        let mut vertices = Vertices::<A>::new(totals);
        let mut area = WeightedArea::new(&ends);
        let mut precision = WeightedPrecision::new(totals.0);
        let gaps = WeightedGap::new(&ends);
        let (mut widest, mut at_widest, mut highest) = (0.0_f64, None, None);
        let mut distinct = 0;
        let found =
            sweep(&self.file, &self.whole, all, &self.leaves, None, &mut |piece, places| {
                highest = highest.or_else(|| Some(piece.keys().get(0)));
                distinct += places.len();
                walk.take(piece, places.clone(), with, empty);
                if let Masses::Counts(positives, negatives) = piece.masses() {
                    gap.take(positives, negatives, places.clone());
                    if let Some(place) = gap.settled(positives, negatives) {
                        let score = (piece.score(place), piece.integer(place));
                        at_widest = Some(((positives[place], negatives[place]), score));
                    }
                }
                if self.is_weighted() {
                    if let Some(area) = &mut area {
                        area.take(piece, places.clone());
                    }
                    precision.take(piece, places.clone());
                    let gap = |place| gaps.at(piece, place).abs();
                    widest = places.clone().map(gap).fold(widest, f64::max);
                }
                vertices.take(piece, places);
                Ok(())
            })?;
        let ks = match all.0.count().zip(all.1.count()) {
            Some(all) => at_widest.and_then(|(counts, score)| Ks::from_counts(all, counts, score)),
            None => self.weighted_ks(all, &gaps, widest)?,
        };
        let area = match area {
            Some(area) => self.weighted_area(all, area.values())?,
            None => [None; 2],
        };
        let areas = [area[0], area[1], (totals.0 > 0.0).then(|| precision.mean())];
        let mut vertices = vertices.finish();
        if let Some(key) = highest.filter(|&key| is_above_one(self.whole.kind.score(key))) {
            // The highest score decides whether scores are probabilities. It is the first vertex,
            // or none.
            self.with_highest(&mut vertices, key, all)?;
        }
        let (sums, beside) = walk.finish().unwrap_or_else(empty).finish(&ends);
        let ranking = Ranking::from_vertices(
            self.table_of(all, &vertices),
            Walked {
                sums,
                ks,
                pairs: beside.pairs,
                moments: beside.moments,
                weighted_areas: self.is_weighted().then_some(areas),
            },
        );
        Ok(Found { ranking, marks: marks(found), distinct })
    }

    /// Adds the highest score, if it is missing.
    fn with_highest<A: Mass>(
        &self,
        vertices: &mut Vec<Vertex<A>>,
        key: u64,
        all: (A, A),
    ) -> Result<()> {
        if vertices.first().is_none_or(|vertex| vertex.key == key) {
            return Ok(());
        }
        let mut first = None;
        let one = &self.leaves[..1];
        sweep::<A>(&self.file, &self.whole, all, one, None, &mut |piece, _| {
            first = first.or_else(|| Some(A::at(piece.masses(), 0)));
            Ok(())
        })?;
        if let Some((positives, negatives)) = first {
            vertices.make_room(1);
            vertices.insert(0, Vertex::of(key, positives, negatives));
        }
        Ok(())
    }

    /// The area of weights and the Gini coefficient; if their rounding is open, by another sweep in
    /// fractions.
    fn weighted_area<A: Mass>(
        &self,
        all: (A, A),
        settled: [Option<f64>; 2],
    ) -> Result<[Option<f64>; 2]> {
        if settled.iter().all(Option::is_some) {
            return Ok(settled);
        }
        let mut area = fractions::Area::new();
        sweep::<A>(&self.file, &self.whole, all, &self.leaves, None, &mut |piece, places| {
            area.take(piece, places);
            Ok(())
        })?;
        let area = area.value();
        let gini = area.as_ref().map(fractions::gini_of);
        Ok([area, gini].map(|value| value.map(|value| value.to_f64())))
    }

    /// The distance of weights, at the last place that has it up to rounding: another sweep.
    fn weighted_ks<A: Mass>(
        &self,
        all: (A, A),
        gaps: &WeightedGap,
        widest: f64,
    ) -> Result<Option<Ks>> {
        let (positives, negatives) = self.totals();
        if !(positives > 0.0 && negatives > 0.0) {
            return Ok(None);
        }
        let (tied, mut best) = (gaps.tied(widest), None);
        sweep::<A>(&self.file, &self.whole, all, &self.leaves, None, &mut |piece, mut places| {
            let place = places.rfind(|&place| gaps.at(piece, place).abs() >= tied);
            let found = place
                .map(|place| (gaps.at(piece, place), (piece.score(place), piece.integer(place))));
            best = found.or(best);
            Ok(())
        })?;
        Ok(best.and_then(|(gap, score)| Ks::from_gap(gap, widest / gaps.of(), score)))
    }

    /// A table of some scores, with the totals of all rows at the lowest.
    fn table_of<A: Mass>(&self, all: (A, A), vertices: &[Vertex<A>]) -> ScoreTable {
        let keys = vertices.iter().map(|vertex| vertex.key);
        let keys = if self.whole.kind.is_wide() {
            Keys::Wide(keys.gather())
        } else {
            Keys::Narrow(keys.map(|key| key as u32).gather())
        };
        let mut columns = [with_room(vertices.len()), with_room(vertices.len())];
        for vertex in vertices {
            columns[0].grow(vertex.positives);
            columns[1].grow(vertex.negatives);
        }
        let [mut positives, mut negatives] = columns;
        let keys = if vertices.is_empty() && self.rows > 0 {
            positives.grow(all.0);
            negatives.grow(all.1);
            if self.whole.kind.is_wide() {
                Keys::Wide([0].into_iter().gather())
            } else {
                Keys::Narrow([0].into_iter().gather())
            }
        } else {
            keys
        };
        let masses = A::masses(positives, negatives, self.whole.span);
        ScoreTable::piece(self.whole.kind, keys, masses, self.whole.labels.clone())
    }

    /// The piece of the first range whose lowest score, with the masses down to it, satisfies
    /// `wanted`. The last range if none does.
    fn piece_where(&self, wanted: &dyn Fn(u64, f64, f64) -> bool) -> Result<Option<ScoreTable>> {
        fn of<A: Mass>(
            of: &SpilledScores,
            all: (A, A),
            marks: &[Mark<A>],
            wanted: &dyn Fn(u64, f64, f64) -> bool,
        ) -> Result<Option<ScoreTable>> {
            let quantum = of.whole.span.quantum();
            let is = |mark: &Mark<A>| {
                let [tp, fp] = [mark.positives, mark.negatives].map(|a| a.to_f64(quantum));
                wanted(mark.low, tp, fp)
            };
            let Some(last) = marks.len().checked_sub(1) else {
                return Ok(None);
            };
            let place = marks.partition_point(|mark| !is(mark)).min(last);
            let below = place.checked_sub(1).map(|place| marks[place]);
            let mut found = None;
            let leaves = &of.leaves[place..=place];
            let whole = Whole {
                most: usize::MAX, // the range in one piece
                ..of.whole.clone()
            };
            sweep(&of.file, &whole, all, leaves, below, &mut |piece, _| {
                found = Some(piece.clone());
                Ok(())
            })?;
            Ok(found)
        }
        let found = self.found()?;
        match (&self.totals, &found.marks) {
            (Totals::Counts(p, n), Marks::Counts(marks)) => of(self, (*p, *n), marks, wanted),
            (Totals::Weights(sums), marks) => match (sums.sums(), marks) {
                (Sums::Narrow(all), Marks::Narrow(marks)) => {
                    of(self, (all[0], all[1]), marks, wanted)
                }
                (Sums::Wide(all), Marks::Wide(marks)) => of(self, (all[0], all[1]), marks, wanted),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// The two-by-two table at a threshold that is not NaN.
    ///
    /// # Errors
    /// The errors of the file.
    pub fn at(&self, threshold: Threshold, side: Side) -> Result<BinaryCounts> {
        let least = edge(self.whole.kind, threshold, side);
        let piece = self.piece_where(&|low, _, _| least.is_none_or(|least| low < least))?;
        Ok(piece.map_or_else(BinaryCounts::default, |piece| {
            piece.counts_of_first(reached(&piece, threshold, side))
        }))
    }

    /// The scores around the end of the first `rows` rows, with the totals of all rows: enough for
    /// indices of the top rows; `None` without rows.
    ///
    /// # Errors
    /// The errors of the file.
    pub fn top(&self, rows: f64) -> Result<Option<Ranking>> {
        let piece = self.piece_where(&|_, tp, fp| tp + fp >= rows)?;
        Ok(piece.map(Ranking::from))
    }
}
