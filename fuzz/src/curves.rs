//! Curves and calibration of a score table, against what their definitions say of its points.
//!
//! 1. A few rows, or many that follow from a few bytes: an actual class, a score, a weight. Weights
//!    are multiples of a quarter, so that sums of them are exact.
//! 2. Each curve has the points that counting gives: to the bit where it is one division, else
//!    within the error of a plain sum.
//! 3. A choice of points (hull, envelope, simplification, operating points) is as its definition
//!    says: no better point was left out, and every statement about the other points holds.
//! 4. Bins, moments, the parts of losses and the fits of calibration agree with plain loops, with
//!    pooling adjacent violators, and with the likelihood's slope.

use arbitrary::{Result, Unstructured};
use rocksteady::base::column::Column;
use rocksteady::base::input::{Label, Labels, ScoreMatrix, Scores};
use rocksteady::base::matrix::Matrix;
use rocksteady::classes::calibration::{Edges, calibration};
use rocksteady::scores::calibration::bins::{Binning, CalibrationBins, Norm};
use rocksteady::scores::calibration::brier_decomposition::Rule;
use rocksteady::scores::calibration::moments::Moments;
use rocksteady::scores::calibration::recalibration::classes_overlap;
use rocksteady::scores::curves::brier::fill_brier_curve;
use rocksteady::scores::curves::cost::CostCurve;
use rocksteady::scores::curves::curve_points::{SweepCurve, area_under, simplified};
use rocksteady::scores::curves::decision::{fill_net_benefit, net_benefit_at};
use rocksteady::scores::curves::det::DetectionErrorCurve;
use rocksteady::scores::curves::interpolated_precision_recall::InterpolatedCurve;
use rocksteady::scores::curves::operating_points::OperatingPoints;
use rocksteady::scores::curves::precision_recall::PrecisionRecallCurve;
use rocksteady::scores::curves::precision_recall_gain::{PrecisionRecallGain, fill_gains};
use rocksteady::scores::curves::roc::RocCurve;
use rocksteady::scores::curves::simplify::Join;
use rocksteady::scores::curves::threshold_counts::ThresholdCounts;
use rocksteady::scores::curves::vertical_average::{Polyline, vertical_average};
use rocksteady::scores::isotonic_hull::RocHull;
use rocksteady::scores::ranking::Ranking;
use rocksteady::scores::score_table::ScoreTable;
use rocksteady::scores::sweep::all_thresholds::score_table;
use rocksteady::scores::sweep::rows::SweepOptions;

use crate::input::Exact;

/// Too few bytes for an input are none.
pub fn run(data: &[u8]) {
    let _ = curves(&mut Unstructured::new(data));
}

struct Rows {
    y: Vec<u8>,
    /// Scores, all of which 32 bits hold if they are narrow.
    s: Vec<f64>,
    is_narrow: bool,
    w: Option<Vec<f64>>,
}

impl Rows {
    fn draw(u: &mut Unstructured) -> Result<Self> {
        let mut rows = Self::wide(u)?;
        rows.is_narrow = u.ratio(1, 4)?;
        if rows.is_narrow {
            rows.s.iter_mut().for_each(|s| *s = f64::from(*s as f32));
        }
        Ok(rows)
    }

    fn wide(u: &mut Unstructured) -> Result<Self> {
        let form = u.arbitrary::<u8>()?;
        let (kind, is_weighted, is_long) = (form & 7, form & 8 != 0, form >> 4 == 15);
        let drawn = usize::from(u.arbitrary::<u8>()? % 48);
        let mut rows = Vec::with_capacity(drawn);
        for _ in 0..drawn {
            rows.push((u.arbitrary::<u8>()?, u.arbitrary::<u8>()?));
        }
        if is_long && drawn > 0 {
            // Many distinct scores, in the order of the rows or not.
            let (len, step) = (200 + 4 * u.int_in_range(0..=200)?, u.int_in_range(1..=97)?);
            let y = (0..len).map(|row| rows[row % drawn].0 & 1).collect();
            let s = (0..len).map(|row| (row * step % len) as f64 / len as f64);
            return Ok(Self {
                y,
                s: s.collect(),
                is_narrow: false,
                w: is_weighted
                    .then(|| (0..len).map(|row| weight(rows[row * 7 % drawn].0)).collect()),
            });
        }
        let score = |byte: u8| match kind {
            0..=2 => f64::from(byte) / 255.0,
            3..=4 => f64::from(byte % 9) / 8.0,
            5 => f64::from(byte) / 16.0 - 8.0,
            // Close to 0 and 1, and beside each other in the last digits.
            6 => [0.0, 1.0, 5e-324, 1e-300, 1.0 - f64::EPSILON, 0.5, 1e-17, 0.999]
                [usize::from(byte % 8)],
            _ => f64::from_bits(0x3fd5_5555_5555_5500 + u64::from(byte)),
        };
        Ok(Self {
            y: rows.iter().map(|row| row.0 & 1).collect(),
            s: rows.iter().map(|row| score(row.1)).collect(),
            is_narrow: false,
            w: is_weighted.then(|| rows.iter().map(|row| weight(row.0)).collect()),
        })
    }

    fn weight(&self, row: usize) -> f64 {
        self.w.as_ref().map_or(1.0, |w| w[row])
    }
}

fn weight(byte: u8) -> f64 {
    f64::from(1 + (byte >> 1) % 8) / 4.0
}

/// A threshold, and what is predicted positive at it.
#[derive(Clone, Copy, Debug)]
struct Point {
    score: f64,
    tp: f64,
    fp: f64,
}

/// All of them, from ∞ down.
struct Points {
    all: Vec<Point>,
    p: f64,
    n: f64,
}

impl Points {
    fn of(rows: &Rows) -> Self {
        let mut order: Vec<usize> = (0..rows.s.len()).collect();
        order.sort_by(|&a, &b| rows.s[b].partial_cmp(&rows.s[a]).expect("numbers"));
        let mut all = vec![Point { score: f64::INFINITY, tp: 0.0, fp: 0.0 }];
        for row in order {
            let mut next = *all.last().expect("the first");
            let is_new = next.score != rows.s[row];
            next.score = rows.s[row];
            if rows.y[row] == 1 {
                next.tp += rows.weight(row);
            } else {
                next.fp += rows.weight(row);
            }
            if is_new {
                all.push(next);
            } else {
                *all.last_mut().expect("the first") = next;
            }
        }
        let last = *all.last().expect("the first");
        Self { all, p: last.tp, n: last.fp }
    }

    fn len(&self) -> usize {
        self.all.len() - 1
    }

    /// Positives and negatives of the distinct scores, from the lowest up.
    fn steps_up(&self) -> Vec<Point> {
        let step = |pair: &[Point]| Point {
            score: pair[1].score,
            tp: pair[1].tp - pair[0].tp,
            fp: pair[1].fp - pair[0].fp,
        };
        self.all.windows(2).rev().map(step).collect()
    }
}

fn rate(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { f64::NAN }
}

fn same(a: &[f64], b: &[f64]) -> bool {
    let same = |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan();
    a.len() == b.len() && a.iter().zip(b).all(same)
}

/// Whether two numbers of about 1 are one but for roundings.
fn near(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-12 * a.abs().max(b.abs()).max(1.0)
}

fn all_near(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| near(*a, *b))
}

fn curves(u: &mut Unstructured) -> Result<()> {
    let rows = Rows::draw(u)?;
    let options = SweepOptions { pos_label: Some(Label::Int(1)), ..SweepOptions::default() };
    let narrow: Vec<f32> = rows.s.iter().map(|&s| s as f32).collect();
    let scores = if rows.is_narrow {
        Scores::F32(Column::from_slice(&narrow))
    } else {
        Scores::F64(Column::from_slice(&rows.s))
    };
    let table = score_table(
        &Labels::U8(Column::from_slice(&rows.y)),
        &scores,
        rows.w.as_deref().map(Column::from_slice),
        &options,
    );
    let Ok(table) = table else {
        assert!(rows.y.is_empty(), "{table:?}");
        return Ok(());
    };
    let points = Points::of(&rows);
    assert_eq!(table.len(), points.len());
    rates(&table, &points);
    precisions(&table, &points);
    interpolated(&table, &points);
    gains(&table, &points);
    let hull = hull(&table, &points);
    envelope(&table, &points, &hull);
    operating(u, &table, &points)?;
    let ranking = Ranking::from(table);
    fewer_points(u, &ranking, &points)?;
    averages(u, ranking.table(), &points)?;
    let probabilities = rows.s.iter().all(|s| (0.0..=1.0).contains(s));
    assert_eq!(ranking.are_probabilities(), probabilities);
    if probabilities {
        costs(&ranking, &points);
        calibrated(u, &ranking, &points)?;
        in_bins_of_rows(u, &rows)?;
    }
    Ok(())
}

/// ROC, detection errors and the four counts.
fn rates(table: &ScoreTable, points: &Points) {
    let Points { all, p, n } = points;
    let column = |of: &dyn Fn(&Point) -> f64| all.iter().map(of).collect::<Vec<f64>>();
    let curve = RocCurve::of(table.clone(), false).expect("threads");
    assert!(same(&curve.fpr, &column(&|at| rate(at.fp, *n))));
    assert!(same(&curve.tpr, &column(&|at| rate(at.tp, *p))));
    assert_eq!(curve.thresholds, column(&|at| at.score));
    // Inner points from the second score on stay where the line turns.
    let turns = |at: usize| {
        let [a, b, c] = [all[at - 1], all[at], all[at + 1]];
        b.tp - a.tp != c.tp - b.tp || b.fp - a.fp != c.fp - b.fp
    };
    let kept: Vec<usize> =
        (0..all.len()).filter(|&at| at < 2 || at + 1 == all.len() || turns(at)).collect();
    let curve = RocCurve::of(table.clone(), true).expect("threads");
    let thresholds: Vec<f64> = kept.iter().map(|&at| all[at].score).collect();
    assert_eq!(curve.thresholds, thresholds);
    let tpr: Vec<f64> = kept.iter().map(|&at| rate(all[at].tp, *p)).collect();
    assert!(same(&curve.tpr, &tpr));

    let curve = DetectionErrorCurve::of(table, false);
    let first = all.iter().rposition(|at| at.fp == 0.0).expect("the first");
    let last = all.iter().position(|at| at.tp == *p).expect("the last");
    // Without positives the first score has them all.
    let last = if *p > 0.0 { last } else { 0 };
    let between: Vec<&Point> = (first..=last).rev().map(|at| &all[at]).collect();
    let between = if first == 0 && last == 0 { vec![&all[0]] } else { between };
    let column = |of: &dyn Fn(&Point) -> f64| between.iter().map(|at| of(at)).collect::<Vec<_>>();
    assert!(same(&curve.fpr, &column(&|at| at.fp / n)));
    assert!(same(&curve.fnr, &column(&|at| (p - at.tp) / p)));
    assert_eq!(curve.thresholds, column(&|at| at.score));
    for threshold in DetectionErrorCurve::of(table, true).thresholds {
        assert!(all.iter().any(|at| at.score == threshold));
    }

    let counts = ThresholdCounts::of(table.clone());
    let column = |of: &dyn Fn(&Point) -> f64| all[1..].iter().map(of).collect::<Vec<f64>>();
    assert_eq!(counts.tp, column(&|at| at.tp));
    assert_eq!(counts.fp, column(&|at| at.fp));
    assert_eq!(counts.fn_, column(&|at| p - at.tp));
    assert_eq!(counts.tn, column(&|at| n - at.fp));
    let scores: Vec<f64> = (counts.keys.iter()).map(|&key| table.kind().score(key)).collect();
    assert_eq!(scores, column(&|at| at.score));
}

fn precisions(table: &ScoreTable, points: &Points) {
    let Points { all, p, .. } = points;
    let recall = |at: &Point| if *p > 0.0 { at.tp / p } else { 1.0 };
    for drops in [false, true] {
        let mut kept: Vec<usize> = (1..all.len()).collect();
        if drops {
            // What finds nothing more, nor does the next.
            kept.retain(|&at| {
                let inner = at > 1 && at + 1 < all.len();
                !inner || all[at - 1].tp != all[at].tp || all[at].tp != all[at + 1].tp
            });
        }
        let curve = PrecisionRecallCurve::of(table.clone(), drops).expect("threads");
        let column = |of: &dyn Fn(&Point) -> f64, last: f64| {
            let inner = kept.iter().rev().map(|&at| of(&all[at]));
            inner.chain([last]).collect::<Vec<f64>>()
        };
        assert_eq!(curve.precision, column(&|at| at.tp / (at.tp + at.fp), 1.0));
        assert_eq!(curve.recall, column(&recall, 0.0));
        let scores: Vec<f64> = (curve.keys.iter()).map(|&key| table.kind().score(key)).collect();
        let expected: Vec<f64> = kept.iter().rev().map(|&at| all[at].score).collect();
        assert_eq!(scores, expected);
    }
}

/// Each threshold is there, and what lies between two mixes them.
fn interpolated(table: &ScoreTable, points: &Points) {
    let Points { all, p, .. } = points;
    let curve = InterpolatedCurve::of(table);
    let mut met = 0;
    for (at, &threshold) in curve.thresholds.iter().enumerate() {
        let (recall, precision) = (curve.recall[at], curve.precision[at]);
        if !threshold.is_nan() {
            let point = all[met];
            assert_eq!(threshold, point.score);
            let expected = if met == 0 { 1.0 } else { point.tp / (point.tp + point.fp) };
            assert!(precision == expected && same(&[recall], &[rate(point.tp, *p)]));
            met += 1;
            continue;
        }
        let (a, b) = (all[met - 1], all[met]);
        let part = (recall * p - a.tp) / (b.tp - a.tp);
        assert!((-1e-12..=1.0 + 1e-12).contains(&part));
        let (tp, fp) = (recall * p, a.fp + (b.fp - a.fp) * part);
        let expected = if a.tp + a.fp > 0.0 { tp / (tp + fp) } else { b.tp / (b.tp + b.fp) };
        assert!((precision - expected).abs() < 1e-9);
    }
    assert_eq!(met, all.len());
}

fn gains(table: &ScoreTable, points: &Points) {
    let Points { all, p, n } = points;
    let Some(found) = PrecisionRecallGain::of(table) else {
        assert!(*p == 0.0 || *n == 0.0);
        return;
    };
    let first = all.iter().position(|at| at.tp * (p + n) >= p * p);
    let first = first.expect("the last");
    if table.is_weighted() {
        // Recall is rounded there, so a tie may go either way.
        let tie = |at: usize| near(all[at].tp * (p + n), p * p);
        assert!(found.first == first || tie(found.first) || tie(first));
    } else {
        assert_eq!(found.first, first);
    }
    let len = all.len() - found.first;
    let (mut recall, mut precision) = (vec![0.0; len], vec![0.0; len]);
    fill_gains(table, found.first, &mut recall, &mut precision);
    for (at, point) in all[found.first..].iter().enumerate() {
        let expected = 1.0 - p * (p - point.tp) / (n * point.tp);
        assert!(near(recall[at], expected));
        let expected = 1.0 - p * point.fp / (n * point.tp);
        assert!(near(precision[at], expected));
    }
    if let Some(crossing) = found.crossing {
        let (a, b) = (all[found.first - 1], all[found.first]);
        let tp = p * p / (p + n);
        let fp = a.fp + (b.fp - a.fp) * (tp - a.tp) / (b.tp - a.tp);
        assert!(near(crossing, 1.0 - p * fp / (n * tp)));
    }
}

/// The vertices, by the walk over all points.
fn hull(table: &ScoreTable, points: &Points) -> RocHull {
    let mut vertices: Vec<usize> = Vec::new();
    for (at, new) in points.all.iter().enumerate() {
        while let [.., a, b] = vertices[..] {
            let (a, b) = (points.all[a], points.all[b]);
            let up = (b.tp - a.tp) * (new.fp - a.fp);
            if up > (new.tp - a.tp) * (b.fp - a.fp) {
                break;
            }
            vertices.pop();
        }
        vertices.push(at);
    }
    let hull = RocHull::of(table);
    assert_eq!(hull.predicted, vertices);
    for pair in hull.predicted.windows(2) {
        let ratios = hull.cost_ratios(table, pair[1]);
        assert_eq!(ratios.is_some(), points.p > 0.0 && points.n > 0.0);
    }
    hull
}

/// No threshold costs less than the cost curve says.
fn envelope(table: &ScoreTable, points: &Points, hull: &RocHull) {
    let Points { all, p, n } = points;
    let curve = CostCurve::of(table, hull);
    let x = &curve.probability_cost;
    assert!(x[0] == 0.0 && x[x.len() - 1] == 1.0 && x.is_sorted());
    if *p == 0.0 || *n == 0.0 {
        assert!(curve.expected_cost.iter().all(|cost| cost.is_nan()));
        return;
    }
    let cost = |at: &Point, x: f64| (p - at.tp) / p * x + at.fp / n * (1.0 - x);
    let least = |x: f64| {
        let costs = all.iter().map(|at| cost(at, x));
        costs.fold(f64::INFINITY, f64::min)
    };
    for (&x, &expected) in x.iter().zip(&curve.expected_cost) {
        assert!(near(least(x), expected), "{expected} at {x}");
    }
    for (pair, &predicted) in x.windows(2).zip(&curve.predicted) {
        let middle = f64::midpoint(pair[0], pair[1]);
        assert!(near(cost(&all[predicted], middle), least(middle)));
    }
}

fn operating(u: &mut Unstructured, table: &ScoreTable, points: &Points) -> Result<()> {
    let Points { all, p, n } = points;
    let most = u.int_in_range(2..=40)?;
    let found = OperatingPoints::of(table, most);
    let places = &found.places;
    assert!(places.len() <= most.max(2) && places.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(places[0] == 0 && places[places.len() - 1] == points.len());
    let mut step = 0.0_f64;
    for pair in places.windows(2) {
        let (low, high) = (all[pair[0]], all[pair[1] - 1]);
        for (rise, whole) in [(high.tp - low.tp, *p), (high.fp - low.fp, *n)] {
            step = step.max(if whole > 0.0 { rise / whole } else { 0.0 });
        }
    }
    assert_eq!(found.step, step);
    Ok(())
}

/// What is left out of a curve lies as near to the rest as is said.
fn fewer_points(u: &mut Unstructured, ranking: &Ranking, points: &Points) -> Result<()> {
    let Points { all, p, n } = points;
    let most = match u.arbitrary::<u8>()? {
        byte @ 0..=127 => Some(2 + usize::from(byte % 30)),
        _ => None,
    };
    let allowed = *u.choose(&[0.0, 0.0, 1e-3, 0.02, 0.3])?;
    let curves = [
        SweepCurve::Roc,
        SweepCurve::DetectionErrors,
        SweepCurve::Gain,
        SweepCurve::Lift,
        SweepCurve::PrecisionRecall(Join::Lines),
        SweepCurve::PrecisionRecall(Join::Steps),
        SweepCurve::Ks,
    ];
    let curve = *u.choose(&curves)?;
    let both = p + n;
    let at = |point: &Point| -> (f64, f64) {
        let (tp, fp) = (point.tp, point.fp);
        let precision = if tp + fp > 0.0 { tp / (tp + fp) } else { 1.0 };
        match curve {
            SweepCurve::Roc => (rate(fp, *n), rate(tp, *p)),
            SweepCurve::DetectionErrors => (rate(fp, *n), rate(p - tp, *p)),
            SweepCurve::Gain => (rate(tp + fp, both), rate(tp, *p)),
            SweepCurve::Lift => (rate(tp + fp, both), rate(tp * both, (tp + fp) * p)),
            SweepCurve::PrecisionRecall(_) => (rate(tp, *p), precision),
            SweepCurve::Ks => (point.score, rate(tp, *p)),
        }
    };
    let kept = match simplified(ranking, curve, most, allowed) {
        Ok(kept) => kept,
        Err(refusal) => {
            assert!(most.is_some(), "{refusal}");
            return Ok(());
        }
    };
    assert!(kept.places.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(kept.places[0], 0);
    assert_eq!(kept.places[kept.places.len() - 1], points.len());
    assert!(most.is_none_or(|most| kept.places.len() <= most));
    assert!(most.is_some() || kept.deviation <= allowed);
    let is_step = curve == SweepCurve::PrecisionRecall(Join::Steps);
    let finite = |(x, y): (f64, f64)| x.is_finite() && y.is_finite();
    for pair in kept.places.windows(2) {
        let (a, b) = (at(&all[pair[0]]), at(&all[pair[1]]));
        for point in &all[pair[0] + 1..pair[1]] {
            let (x, y) = at(point);
            if is_step || !finite(a) || !finite(b) || !finite((x, y)) {
                continue;
            }
            let off = if a.0 == b.0 {
                (a.1.min(b.1) - y).max(y - a.1.max(b.1)).max(0.0)
            } else if (x - a.0) * (x - b.0) > 0.0 {
                continue; // a stretch that turns back is seen along its places
            } else {
                let part = (x - a.0) / (b.0 - a.0);
                // At an end a vertical stretch may go on to the other y.
                let on_line = (a.1 + (b.1 - a.1) * part - y).abs();
                if x == a.0 || x == b.0 { 0.0 } else { on_line }
            };
            assert!(
                off <= kept.deviation + 1e-12,
                "{curve:?}: {off} at {point:?}, said {}",
                kept.deviation
            );
        }
    }
    Ok(())
}

/// Limits of y at an x, from the left and from the right.
fn limits(curve: &Polyline, at: f64) -> (f64, f64) {
    let (x, y) = (&curve.x, &curve.y);
    let first = x.iter().position(|&x| x == at);
    if let Some(first) = first {
        let last = x.iter().rposition(|&x| x == at).expect("the first");
        return (y[first], y[last]);
    }
    let Some(after) = x.iter().position(|&x| x > at) else {
        return (y[y.len() - 1], y[y.len() - 1]);
    };
    if after == 0 {
        return (y[0], y[0]);
    }
    let part = (at - x[after - 1]) / (x[after] - x[after - 1]);
    let between = y[after - 1] + (y[after] - y[after - 1]) * part;
    (between, between)
}

fn averages(u: &mut Unstructured, table: &ScoreTable, points: &Points) -> Result<()> {
    if points.p == 0.0 || points.n == 0.0 {
        return Ok(());
    }
    let roc = RocCurve::of(table.clone(), true).expect("threads");
    let whole = Polyline::new(&roc.fpr, &roc.tpr, "fpr").expect("it never falls");
    let cut = u.int_in_range(1..=whole.x.len())?;
    let part = Polyline {
        x: whole.x[..cut].to_vec(),
        y: whole.y[..cut].iter().map(|y| y * 0.75).collect(),
    };
    let shares = [1.0, f64::from(u.int_in_range(0..=3_u8)?)];
    let count = u.int_in_range(0..=9)?;
    let asked = (count > 0).then_some(count);
    let lines = [whole.clone(), part];
    let found = vertical_average(&lines, &shares, asked);
    assert!(found.x.is_sorted());
    let used = if shares[1] > 0.0 { 2 } else { 1 };
    let total: f64 = shares[..used].iter().sum();
    for (place, &x) in found.x.iter().enumerate() {
        // Of two points at one x the second is the limit from the right.
        let twice = place > 0 && found.x[place - 1] == x;
        let again = found.x.get(place + 1) == Some(&x);
        let ys: Vec<f64> = lines[..used]
            .iter()
            .map(|line| {
                let (left, right) = limits(line, x);
                if twice || asked.is_some() {
                    right
                } else if again {
                    left
                } else {
                    assert!(near(left, right));
                    left
                }
            })
            .collect();
        let mean = ys.iter().zip(shares).map(|(y, share)| y * share).sum::<f64>() / total;
        assert!(near(found.y[place], mean));
        assert!(near(found.lowest[place], ys.iter().copied().fold(f64::INFINITY, f64::min)));
        assert!(near(found.highest[place], ys.iter().copied().fold(f64::NEG_INFINITY, f64::max)));
    }
    for join in [Join::Lines, Join::Steps] {
        let mut area = 0.0;
        for at in 1..whole.x.len() {
            let height = match join {
                Join::Lines => (whole.y[at - 1] + whole.y[at]) / 2.0,
                Join::Steps => whole.y[at],
            };
            area += (whole.x[at] - whole.x[at - 1]) * height;
        }
        let found = area_under(&whole.x, &whole.y, join).expect("it never falls");
        assert!(near(found, area));
    }
    Ok(())
}

/// The Brier curve and the decision curve.
fn costs(ranking: &Ranking, points: &Points) {
    let table = ranking.table();
    let Points { all, p, n } = points;
    let (len, both) = (points.len(), p + n);
    let (mut c, mut loss) = (vec![0.0; 2 * len + 2], vec![0.0; 2 * len + 2]);
    fill_brier_curve(table, &mut c, &mut loss).expect("probabilities");
    let cost = |at: &Point, c: f64| 2.0 * (c * at.fp + (1.0 - c) * (p - at.tp)) / both;
    let (mut expected_c, mut expected) = (vec![0.0], vec![0.0]);
    for at in (1..all.len()).rev() {
        let score = all[at].score;
        expected_c.extend([score, score]);
        expected.extend([cost(&all[at], score), cost(&all[at - 1], score)]);
    }
    expected_c.push(1.0);
    expected.push(0.0);
    assert_eq!(c, expected_c);
    assert!(all_near(&loss, &expected));

    let benefit = |tp: f64, fp: f64, at: f64| {
        let price = if fp > 0.0 { fp * (at / (1.0 - at)) } else { 0.0 };
        (tp - price) / both
    };
    let (mut net, mut all_positive) = (vec![0.0; len], vec![0.0; len]);
    fill_net_benefit(table, &mut net, &mut all_positive).expect("probabilities");
    for (place, at) in all[1..].iter().rev().enumerate() {
        assert!(near(net[place], benefit(at.tp, at.fp, at.score)));
        assert!(near(all_positive[place], benefit(*p, *n, at.score)));
        let (one, every) = net_benefit_at(table, at.score);
        assert!(one == net[place] && every == all_positive[place]);
    }
}

/// Scores that isotonic regression puts together, from the lowest up: pooling adjacent violators.
fn pooled(steps: &[Point]) -> Vec<(f64, f64)> {
    let mut pools: Vec<(f64, f64)> = Vec::new();
    for step in steps {
        let mut new = (step.tp, step.fp);
        while let Some(&(p, n)) = pools.last() {
            // The share of positives does not rise.
            if p * (new.0 + new.1) < new.0 * (p + n) {
                break;
            }
            new = (new.0 + p, new.1 + n);
            pools.pop();
        }
        pools.push(new);
    }
    pools
}

fn calibrated(u: &mut Unstructured, ranking: &Ranking, points: &Points) -> Result<()> {
    let table = ranking.table();
    let (p, n) = (points.p, points.n);
    let both = p + n;
    let steps = points.steps_up();
    let bins = u.int_in_range(1..=17_usize)?;
    let pools = pooled(&steps);
    for binning in [Binning::Uniform, Binning::Quantile, Binning::Isotonic] {
        let found = ranking.calibration_bins(bins, binning).expect("probabilities");
        let mut expected = vec![(0.0, 0.0, 0.0); bins.max(pools.len())];
        let mut below = 0.0;
        let (mut pool, mut left) = (0, pools[0]);
        for step in &steps {
            let edges = |holds: &dyn Fn(usize) -> bool| (1..bins).filter(|&bin| holds(bin)).count();
            let bin = match binning {
                Binning::Uniform => edges(&|bin| step.score >= bin as f64 / bins as f64),
                Binning::Quantile => edges(&|bin| below * bins as f64 >= bin as f64 * both),
                Binning::Isotonic => {
                    if left == (0.0, 0.0) {
                        pool += 1;
                        left = pools[pool];
                    }
                    left = (left.0 - step.tp, left.1 - step.fp);
                    pool
                }
            };
            let weight = step.tp + step.fp;
            below += weight;
            let sums = &mut expected[bin];
            *sums = (sums.0 + step.tp, sums.1 + step.fp, sums.2 + weight * step.score);
        }
        expected.retain(|sums| sums.0 + sums.1 > 0.0);
        let column = |of: &dyn Fn(&(f64, f64, f64)) -> f64| expected.iter().map(of).collect();
        let (positives, negatives, scores): (Vec<f64>, Vec<f64>, Vec<f64>) =
            (column(&|sums| sums.0), column(&|sums| sums.1), column(&|sums| sums.2));
        assert_eq!(found.positives, positives, "{binning:?} {bins}");
        assert_eq!(found.negatives, negatives, "{binning:?} {bins}");
        assert!(all_near(&found.score, &scores));
        errors(&found, &expected, both);
    }
    moments(table, points, &steps);
    parts(ranking, &pools, both);
    fits(ranking, &steps, both);
    Ok(())
}

fn errors(found: &CalibrationBins, bins: &[(f64, f64, f64)], both: f64) {
    let (mut mean, mut square, mut most) = (0.0, 0.0, 0.0_f64);
    for &(p, n, score) in bins {
        let gap = (p / (p + n) - score / (p + n)).abs();
        mean += gap * (p + n) / both;
        square += gap * gap * (p + n) / both;
        most = most.max(gap);
    }
    let norms = [(Norm::Mean, mean), (Norm::RootMeanSquare, square.sqrt()), (Norm::Max, most)];
    for (norm, expected) in norms {
        let found = found.error(norm).expect("there are rows");
        // A root makes much of the last digits.
        assert!((found - expected).abs() < 1e-7, "{found}, expected {expected}");
    }
}

fn moments(table: &ScoreTable, points: &Points, steps: &[Point]) {
    let found = Moments::of(table).expect("probabilities");
    let both = points.p + points.n;
    let (mut sums, mut height, mut reach) = ([0.0; 6], 0.0_f64, (0.0_f64, 0.0_f64));
    for step in steps {
        let (s, w) = (step.score, step.tp + step.fp);
        let share = step.tp / w;
        let terms = [
            w * s,
            step.tp * (1.0 - s) * (1.0 - s) + step.fp * s * s,
            w * s * (1.0 - s) * (1.0 - 2.0 * s) * (1.0 - 2.0 * s),
            (step.tp - w * s) * (1.0 - 2.0 * s),
            w * (s - share) * (s - share),
            w * share * (1.0 - share),
        ];
        for (sum, term) in sums.iter_mut().zip(terms) {
            *sum += term;
        }
        height += step.tp - w * s;
        reach = (reach.0.min(height), reach.1.max(height));
    }
    let most = reach.1.max(-reach.0);
    let expected = sums.map(|sum| sum / both);
    let numbers = [
        found.score,
        found.brier,
        found.variance,
        found.drift,
        found.reliability,
        found.refinement,
    ];
    assert!(all_near(&numbers, &expected), "{numbers:?} {expected:?}");
    assert!(near(found.cumulative, most / both));
    assert!(near(found.span, (reach.1 - reach.0) / both));
    assert!(near(found.weight(), both) && near(found.prevalence(), points.p / both));
}

/// Losses after isotonic regression.
fn parts(ranking: &Ranking, pools: &[(f64, f64)], both: f64) {
    let (mut brier, mut log) = (0.0, 0.0);
    for &(p, n) in pools {
        brier += p * n / (p + n);
        for own in [p, n] {
            log -= if own > 0.0 { own * (own / (p + n)).ln() } else { 0.0 };
        }
    }
    for (rule, expected) in [(Rule::Brier, brier / both), (Rule::LogLoss, log / both)] {
        if let Some(found) = ranking.decomposition(rule) {
            let recalibrated = found.uncertainty - found.discrimination;
            assert!(near(recalibrated, expected), "{rule:?} {found:?} {expected}");
            let sum = found.miscalibration - found.discrimination + found.uncertainty;
            assert!(!found.score.is_finite() || near(found.score, sum), "{found:?}");
        }
    }
}

/// At its highest point the likelihood is level.
fn fits(ranking: &Ranking, steps: &[Point], both: f64) {
    let table = ranking.table();
    let overlap = {
        let of = |is_asked: &dyn Fn(&Point) -> bool| {
            let low = steps.iter().find(|step| is_asked(step));
            let high = steps.iter().rfind(|step| is_asked(step));
            low.zip(high).map(|(low, high)| (low.score, high.score))
        };
        let (p, n) = (of(&|step| step.tp > 0.0), of(&|step| step.fp > 0.0));
        p.zip(n).is_some_and(|(p, n)| p.1 > n.0 && n.1 > p.0)
    };
    assert_eq!(classes_overlap(table), overlap);
    let epsilon = table.kind().epsilon();
    let slope_of = |intercept: f64, slope: f64| {
        let (mut level, mut tilt, mut size) = (0.0, 0.0, 1.0);
        for step in steps {
            let s = step.score.clamp(epsilon, 1.0 - epsilon);
            let x = (s / (1.0 - s)).ln();
            let expected = 1.0 / (1.0 + (-(intercept + slope * x)).exp());
            let gap = step.tp - (step.tp + step.fp) * expected;
            level += gap;
            tilt += gap * x;
            size += (step.tp + step.fp) * x.abs();
        }
        (level / both, tilt / size)
    };
    if let Some(fit) = ranking.calibration_fit() {
        assert!(overlap);
        let (level, tilt) = slope_of(fit.intercept, fit.slope);
        assert!(level.abs() < 1e-6 && tilt.abs() < 1e-6, "{fit:?}: {level} {tilt}");
    }
    if let Some(shift) = ranking.calibration_shift() {
        let (level, _) = slope_of(shift.intercept, shift.slope);
        assert!(level.abs() < 1e-6, "{shift:?}: {level}");
    }
}

/// scikit-learn's bins, which are counted from the rows.
fn in_bins_of_rows(u: &mut Unstructured, rows: &Rows) -> Result<()> {
    let bins = u.int_in_range(0..=30_usize)?;
    // The labels are 0 and 1, so that 1 is positive in any case.
    let one = Label::Int(1);
    let positive = u.arbitrary::<bool>()?.then_some(&one);
    let edges = *u.choose(&[Edges::Uniform, Edges::LeftClosed, Edges::Quantile])?;
    let labels = Labels::U8(Column::from_slice(&rows.y));
    let scores = ScoreMatrix::F64(Matrix::from_slice(&rows.s, 1));
    let found = calibration(&labels, &scores, positive, bins, edges);
    if bins == 0 {
        assert!(found.is_err());
        return Ok(());
    }
    let found = found.expect("probabilities");
    let mut sums = vec![(0_u64, 0_u64, Exact::default()); bins];
    for (&y, &s) in rows.y.iter().zip(&rows.s) {
        let bin = match edges {
            Edges::Uniform => {
                let width = 1.0 / bins as f64;
                (1..bins).filter(|&bin| (bin as f64 * width) < s).count()
            }
            Edges::LeftClosed => (1..bins).filter(|&bin| bin as f64 / bins as f64 <= s).count(),
            Edges::Quantile => 0,
        };
        sums[bin].0 += 1;
        sums[bin].1 += u64::from(y);
        sums[bin].2.add(s);
    }
    if edges == Edges::Quantile {
        assert_eq!(found.rows.iter().sum::<u64>(), sums[0].0);
        assert_eq!(found.positives.iter().sum::<u64>(), sums[0].1);
        assert!(near(found.probability.iter().sum(), sums[0].2.rounded()));
        return Ok(());
    }
    for (bin, (count, positives, sum)) in sums.iter().enumerate() {
        assert_eq!((found.rows[bin], found.positives[bin]), (*count, *positives));
        assert_eq!(found.probability[bin], sum.rounded());
    }
    Ok(())
}
