//! The curves of a score table, column by column, and curves with fewer points.

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::arith::special::normal_quantile;
use crate::base::error::Refusal;
use crate::base::memory::{Gather, in_place};
use crate::index;
use crate::index::parameter::Parameters;
use crate::scores::curves::brier::fill_brier_curve;
use crate::scores::curves::cost::CostCurve;
use crate::scores::curves::curve::need_probabilities;
use crate::scores::curves::curve_points;
use crate::scores::curves::curve_points::{SweepCurve, area_under};
use crate::scores::curves::decision::{fill_net_benefit, net_benefit_at};
use crate::scores::curves::interpolated_precision_recall::InterpolatedCurve;
use crate::scores::curves::operating_points::OperatingPoints;
use crate::scores::curves::precision_recall_gain::{PrecisionRecallGain, fill_gains};
use crate::scores::curves::simplify::{Join, Wish};
use crate::scores::score_table::{ScoreTable, Side};

use crate::py::argument;
use crate::py::error::PyResult;
use crate::py::gate;
use crate::py::index::named::Named;
use crate::py::memory::{Array, filled, written};
use crate::py::scores::cut::Cut;
use crate::py::scores::score_table::ScoreState;
use crate::scores::sweep::given_thresholds::reached;

type Places<'py> = Bound<'py, PyArray1<i64>>;

fn places_of(py: Python<'_>, places: Vec<usize>) -> Places<'_> {
    PyArray1::from_vec(py, in_place(places, |place| place as i64))
}

/// Infinity and the distinct scores, high to low. With `places`, only those at these places.
#[pyfunction]
pub(crate) fn sweep_thresholds<'py>(
    py: Python<'py>,
    state: &ScoreState,
    places: Option<PyReadonlyArray1<'py, i64>>,
) -> PyResult<Array<'py>> {
    let table = state.table();
    let Some(places) = places else {
        let columns = written(py, table.len() + 1, 1, |[to]| {
            table.fill_thresholds(0, to);
            Ok(())
        })?;
        return Ok(columns[0].clone());
    };
    let thresholds = within(table, places.as_slice()?)?.map(|place| match place.checked_sub(1) {
        Some(place) => table.score(place),
        None => f64::INFINITY,
    });
    Ok(PyArray1::from_vec(py, thresholds.gather()))
}

/// Places that a curve has.
fn within<'a>(
    table: &ScoreTable,
    places: &'a [i64],
) -> PyResult<impl ExactSizeIterator<Item = usize> + 'a> {
    let last = table.len();
    match places.iter().find(|&&place| usize::try_from(place).map_or(true, |at| at > last)) {
        Some(place) => {
            let expected = format!("places from 0 to {last}");
            Err(Refusal::argument("places", place.to_string(), expected).into())
        }
        None => Ok(places.iter().map(|&place| place as usize)),
    }
}

/// Indices of the four counts, with their own parameters, at some places of a curve.
#[pyfunction]
pub(crate) fn sweep_columns<'py>(
    py: Python<'py>,
    state: &ScoreState,
    names: Vec<Named>,
    places: PyReadonlyArray1<'py, i64>,
) -> PyResult<Vec<Array<'py>>> {
    let table = state.table();
    let places: Vec<usize> = within(table, places.as_slice()?)?.gather();
    let wanted: Vec<_> = names.iter().map(|&Named(row)| (row, Parameters::defaults(row))).gather();
    filled(py, wanted.len(), places.len(), 1, |mut columns| {
        index::fill_each(&wanted, &mut columns, |start, tables| {
            for (to, &place) in tables.iter_mut().zip(&places[start..]) {
                *to = table.counts_of_first(place);
            }
        })
    })
}

fn join_of(steps: bool) -> Join {
    if steps { Join::Steps } else { Join::Lines }
}

/// The places of the points to keep of a curve, and the greatest distance of the curve from them.
#[pyfunction]
pub(crate) fn simplify_sweep<'py>(
    py: Python<'py>,
    state: &ScoreState,
    curve: &Bound<'py, PyAny>,
    max_points: Option<usize>,
    max_deviation: f64,
) -> PyResult<(Places<'py>, f64)> {
    let curves = [
        ("roc", SweepCurve::Roc),
        ("det", SweepCurve::DetectionErrors),
        ("gain", SweepCurve::Gain),
        ("lift", SweepCurve::Lift),
        ("step", SweepCurve::PrecisionRecall(Join::Steps)),
        ("linear", SweepCurve::PrecisionRecall(Join::Lines)),
        ("ks", SweepCurve::Ks),
    ];
    let curve = argument::option(curve, "curve", &curves)?;
    let ranking = state.ranking();
    let kept = gate::run(py, ranking.len(), || {
        curve_points::simplified(ranking, curve, max_points, max_deviation)
    })?;
    Ok((places_of(py, kept.places), kept.deviation))
}

/// The places of at most `max_points` points that represent all points of a table, and the greatest
/// rise of a rate between two of them.
#[pyfunction]
pub(crate) fn operating_points<'py>(
    py: Python<'py>,
    state: &ScoreState,
    max_points: usize,
) -> PyResult<(Places<'py>, f64)> {
    let table = state.table();
    let found = gate::run(py, max_points, || Ok(OperatingPoints::of(table, max_points)))?;
    Ok((places_of(py, found.places), found.step))
}

/// [`simplify_sweep`] for columns: one or two y over x. With `totals`, of x and of y, the columns
/// are counts divided by these totals, and are compared as counts.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn simplify_columns<'py>(
    py: Python<'py>,
    x: PyReadonlyArray1<'py, f64>,
    y: Vec<PyReadonlyArray1<'py, f64>>,
    totals: Option<(f64, f64)>,
    steps: bool,
    keep: Vec<usize>,
    max_points: Option<usize>,
    max_deviation: f64,
) -> PyResult<(Places<'py>, f64)> {
    let x = x.as_slice()?;
    let y = y.iter().map(|y| y.as_slice()).gather_all()?;
    let wish = Wish { max_points, max_deviation, keep };
    let kept = gate::run(py, x.len(), || {
        curve_points::simplify_columns(x, &y, totals, join_of(steps), &wish)
    })?;
    Ok((places_of(py, kept.places), kept.deviation))
}

/// The area under a curve; None where x turns back.
#[pyfunction]
pub(crate) fn area_of_curve(
    py: Python<'_>,
    x: PyReadonlyArray1<'_, f64>,
    y: PyReadonlyArray1<'_, f64>,
    steps: bool,
) -> PyResult<Option<f64>> {
    let (x, y) = (x.as_slice()?, y.as_slice()?);
    gate::run(py, x.len(), || Ok(area_under(x, y, join_of(steps))))
}

/// The places of the vertices of the convex hull.
#[pyfunction]
pub(crate) fn hull_places<'py>(py: Python<'py>, state: &ScoreState) -> PyResult<Places<'py>> {
    let ranking = state.ranking();
    let places = gate::run(py, ranking.len(), || Ok(ranking.roc_hull().predicted.clone()))?;
    Ok(places_of(py, places))
}

/// The ratios of costs for which a threshold is the cheapest; none if it is no vertex of the hull.
#[pyfunction]
pub(crate) fn cost_ratios(
    py: Python<'_>,
    state: &ScoreState,
    threshold: &Bound<'_, PyAny>,
) -> PyResult<Option<(f64, f64)>> {
    let ranking = state.ranking();
    let threshold = Cut::read(threshold, "threshold")?;
    gate::run(py, ranking.len(), || {
        let predicted = reached(ranking, threshold, Side::GreaterEqual);
        Ok(ranking.roc_hull().cost_ratios(ranking, predicted))
    })
}

/// Probability-cost, least expected cost, and the place of the best threshold from there on.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub(crate) fn cost_curve<'py>(
    py: Python<'py>,
    state: &ScoreState,
) -> PyResult<(Array<'py>, Array<'py>, Places<'py>)> {
    let ranking = state.ranking();
    let curve = gate::run(py, ranking.len(), || Ok(CostCurve::of(ranking, ranking.roc_hull())))?;
    Ok((
        PyArray1::from_vec(py, curve.probability_cost),
        PyArray1::from_vec(py, curve.expected_cost),
        places_of(py, curve.predicted),
    ))
}

/// Cost proportion and loss.
#[pyfunction]
pub(crate) fn brier_curve<'py>(py: Python<'py>, state: &ScoreState) -> PyResult<Vec<Array<'py>>> {
    let table = state.table();
    need_probabilities(table, "the Brier curve")?;
    written(py, 2 * table.len() + 2, 1, |[cost_proportion, loss]| {
        fill_brier_curve(table, cost_proportion, loss)
    })
}

/// Net benefit, and the net benefit of predicting every row positive: at each distinct score,
/// ascending, or at the given thresholds.
#[pyfunction]
pub(crate) fn net_benefit<'py>(
    py: Python<'py>,
    state: &ScoreState,
    at: Option<PyReadonlyArray1<'py, f64>>,
) -> PyResult<Vec<Array<'py>>> {
    let table = state.table();
    need_probabilities(table, "the decision curve")?;
    match at {
        None => written(py, table.len(), 1, |[net, all]| fill_net_benefit(table, net, all)),
        Some(at) => {
            let at = at.as_slice()?;
            written(py, at.len(), 1, |[net, all]| {
                for ((net, all), &threshold) in net.iter_mut().zip(all).zip(at) {
                    (*net, *all) = net_benefit_at(table, threshold);
                }
                Ok(())
            })
        }
    }
}

/// Recall gain, precision gain and thresholds, from recall gain 0 on; one point without coordinates
/// if a class is absent.
#[pyfunction]
pub(crate) fn precision_recall_gain<'py>(
    py: Python<'py>,
    state: &ScoreState,
) -> PyResult<Vec<Array<'py>>> {
    let table = state.table();
    let Some(start) = PrecisionRecallGain::of(table) else {
        return Ok((0..3).map(|_| PyArray1::from_slice(py, &[f64::NAN])).gather());
    };
    let before = usize::from(start.crossing.is_some());
    let len = table.len() + 1 - start.first + before;
    written(py, len, 1, |[recall, precision, thresholds]| {
        if let Some(crossing) = start.crossing {
            (recall[0], precision[0], thresholds[0]) = (0.0, crossing, f64::NAN);
        }
        fill_gains(table, start.first, &mut recall[before..], &mut precision[before..]);
        table.fill_thresholds(start.first, &mut thresholds[before..]);
        Ok(())
    })
}

/// Recall, precision and thresholds of the curve of Davis and Goadrich.
#[pyfunction]
pub(crate) fn interpolated_precision_recall<'py>(
    py: Python<'py>,
    state: &ScoreState,
) -> PyResult<(Array<'py>, Array<'py>, Array<'py>)> {
    let table = state.table();
    let curve = gate::run(py, table.len(), || Ok(InterpolatedCurve::of(table)))?;
    Ok((
        PyArray1::from_vec(py, curve.recall),
        PyArray1::from_vec(py, curve.precision),
        PyArray1::from_vec(py, curve.thresholds),
    ))
}

/// The quantiles of the standard normal distribution at these shares.
#[pyfunction]
pub(crate) fn normal_deviates<'py>(
    py: Python<'py>,
    shares: PyReadonlyArray1<'py, f64>,
) -> PyResult<Array<'py>> {
    let shares = shares.as_slice()?;
    let columns = written(py, shares.len(), 1, |[to]| {
        for (to, &share) in to.iter_mut().zip(shares) {
            // Not -0 in the middle.
            *to = 0.0 - normal_quantile(share);
        }
        Ok(())
    })?;
    Ok(columns[0].clone())
}
