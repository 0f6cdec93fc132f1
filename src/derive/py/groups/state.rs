//! Groups as Python holds them.
use std::ops::Range;

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arith::fraction::Fraction;
use crate::base::error::{Refusal, Result};
use crate::base::interrupt;
use crate::base::memory::{Gather, Room};
use crate::base::threads::{over_items, zeros_in_parts};
use crate::groups::counts::GroupCounts;
use crate::groups::pairs::Share;
use crate::groups::ranking::GroupRanking;
use crate::groups::state::Groups;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::value::Value;
use crate::index::{self, Reads};
use crate::inference::effective::Reading;
use crate::inference::means::mean::Mean;
use crate::labels::confusion::ConfusionMatrix;
use crate::labels::view::BinaryCounts;
use crate::scores::ranking::Ranking;
use crate::scores::sweep::rows::SweepOptions;

use crate::py::border::scalar::{SomeLabel, label_set_to_python, pair_to_python};
use crate::py::border::{HeldLabels, HeldScores, HeldWeights, pos_label_from_python};
use crate::py::error::PyResult;
use crate::py::index::named::Named;
use crate::py::index::registry::{answer, asked, check_two_classes, digits};
use crate::py::inference::interval::{Found, Wanted, ask, found};
use crate::py::labels::confusion::{ConfusionState, with_average};
use crate::py::memory::{Array, written};
use crate::py::row_keys::keys::{GroupedState, columns as key_columns, names as key_names};
use crate::py::rows::rank_options;
use crate::py::scores::score_table::ScoreState;
use crate::py::statistic::statistic;
use crate::py::{argument, gate, memory};

/// For each group 0, or the place, from 1, of the reason why it has no value; and the reasons.
type Reasons<'py> = (Bound<'py, PyArray1<u8>>, Vec<&'static str>);

/// A value for each group, and why there is none.
type Values<'py> = (Array<'py>, Reasons<'py>);

/// Why groups have no value. The registry has far fewer reasons than a byte can tell apart.
#[derive(Default)]
struct Noted {
    codes: Vec<u8>,
    sentences: Vec<&'static str>,
}

impl Noted {
    fn note(&mut self, why: Option<&'static str>) {
        let code = why.map_or(0, |why| self.code(why));
        self.codes.grow(code);
    }

    fn code(&mut self, why: &'static str) -> u8 {
        let known = self.sentences.iter().position(|sentence| *sentence == why);
        let place = known.unwrap_or_else(|| {
            self.sentences.grow(why);
            self.sentences.len() - 1
        });
        u8::try_from(place + 1).unwrap_or(u8::MAX)
    }

    /// What the parts of all groups have noted, in order.
    fn joined(parts: Vec<Self>) -> Self {
        let mut all = Self::default();
        all.codes.make_room(parts.iter().map(|part| part.codes.len()).sum());
        for part in &parts {
            let mut codes = vec![0_u8];
            codes.grow_with(part.sentences.iter().map(|why| all.code(why)));
            let code = |&own: &u8| codes.get(usize::from(own)).copied().unwrap_or(u8::MAX);
            if codes.iter().zip(0..).all(|(&code, own)| code == own) {
                all.codes.grow_by(&part.codes);
            } else {
                all.codes.grow_with(part.codes.iter().map(code));
            }
        }
        all
    }

    fn into_python(self, py: Python<'_>) -> Reasons<'_> {
        (PyArray1::from_vec(py, self.codes), self.sentences)
    }
}

/// A fraction as the digits of its numerator and denominator.
type Digits = (String, String);

/// Statistics by group.
#[pyclass(frozen, module = "rocksteady._rocksteady")]
pub(crate) struct GroupsState {
    pub(crate) groups: Groups,
}

statistic!(GroupsState: Groups, groups => Self { groups }, own => &own.groups; own.groups => subtracted);

#[pymethods]
impl GroupsState {
    /// Counts and ranks rows by group. `matrix` is the matrix of all rows, which says what the
    /// classes are.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)]
    fn of_rows(
        py: Python<'_>,
        grouped: &GroupedState,
        y_true: &Bound<'_, PyAny>,
        predicted: Option<(Bound<'_, PyAny>, PyRef<'_, ConfusionState>)>,
        scores: Option<(Bound<'_, PyAny>, Bound<'_, PyAny>, Bound<'_, PyAny>)>,
        pos_label: Option<&Bound<'_, PyAny>>,
        threshold: Option<f64>,
        sample_weight: Option<&Bound<'_, PyAny>>,
        weight_kind: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let truth = HeldLabels::take(y_true, "y_true")?;
        let weights = HeldWeights::take(sample_weight, "sample_weight")?;
        let kind = argument::weight_kind(weight_kind)?;
        let y_pred =
            predicted.as_ref().map(|(column, _)| HeldLabels::take(column, "y_pred")).transpose()?;
        let labels = predicted.as_ref().map(|(_, matrix)| matrix.matrix().labels().clone());
        let ranked = scores
            .as_ref()
            .map(|(column, policy, infinite)| {
                let options =
                    SweepOptions { part: true, ..rank_options(pos_label, policy, infinite, kind)? };
                Ok::<_, PyErr>((HeldScores::take(column, "y_score")?, options))
            })
            .transpose()?;
        let pos_label = pos_label_from_python(pos_label)?;
        let all = &*grouped.grouped;
        let of = (&all.codes[..], all.keys.groups);
        let (truth, weights) = (truth.lend(), weights.lend());
        let groups = gate::run(py, all.codes.len(), || {
            let counts = match (&y_pred, labels) {
                (Some(column), Some(labels)) => {
                    Some(GroupCounts::new(of, &truth, &column.lend(), weights, kind, labels)?)
                }
                _ => None,
            };
            let ranking = match &ranked {
                Some((column, options)) => {
                    let scores = column.lend();
                    Some(GroupRanking::new(of, &truth, &scores, weights, options)?)
                }
                None => None,
            };
            Ok(Groups {
                keys: all.keys.clone(),
                controls: grouped.controls,
                pos_label,
                threshold,
                counts,
                ranking,
            })
        })?;
        Ok(Self { groups })
    }

    /// The number of groups.
    #[getter]
    fn groups(&self) -> usize {
        self.groups.keys.groups
    }

    /// How many of the columns of keys are controls.
    #[getter]
    fn controls(&self) -> usize {
        self.groups.controls
    }

    /// How many bytes the statistics take, without the keys.
    #[getter]
    fn size(&self) -> usize {
        self.groups.bytes()
    }

    /// Whether there are predicted classes, and whether there are scores.
    #[getter]
    fn has(&self) -> (bool, bool) {
        (self.groups.counts.is_some(), self.groups.ranking.is_some())
    }

    /// The threshold that was asked for.
    #[getter]
    fn threshold(&self) -> Option<f64> {
        self.groups.threshold
    }

    /// Whether rows have weights.
    #[getter]
    fn weighted(&self) -> bool {
        self.groups.counts.as_ref().is_some_and(GroupCounts::is_weighted)
            || self.groups.ranking.as_ref().is_some_and(GroupRanking::is_weighted)
    }

    /// What the weights mean.
    #[getter]
    fn weight_kind(&self) -> &'static str {
        let of_counts = self.groups.counts.as_ref().map(GroupCounts::weight_kind);
        let of_ranking = self.groups.ranking.as_ref().map(GroupRanking::weight_kind);
        of_counts.or(of_ranking).unwrap_or_default().name()
    }

    /// Whether all scores lie in [0, 1].
    #[getter]
    fn are_probabilities(&self, py: Python<'_>) -> PyResult<bool> {
        match &self.groups.ranking {
            None => Ok(false),
            Some(ranking) => gate::run(py, ranking.groups(), || ranking.are_probabilities()),
        }
    }

    /// The names of the columns of keys.
    fn names(&self) -> Vec<String> {
        key_names(&self.groups.keys)
    }

    /// The columns of keys: for each its kind and its values, a row for each group.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Vec<(String, Bound<'py, PyAny>)>> {
        key_columns(py, &self.groups.keys)
    }

    /// The labels of the predicted classes, in their order.
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let labels = self.groups.counts.as_ref().map(GroupCounts::labels);
        labels.map(|labels| label_set_to_python(py, labels)).transpose()
    }

    /// The place of the positive one of two classes among them.
    #[getter]
    fn positive(&self) -> Option<usize> {
        self.groups.positive()
    }

    /// The negative and the positive label of the scores; None for one that no row has.
    fn pair<'py>(&self, py: Python<'py>) -> PyResult<(SomeLabel<'py>, SomeLabel<'py>)> {
        let Some(ranking) = &self.groups.ranking else {
            return Ok((None, None));
        };
        let labels = ranking.labels();
        pair_to_python(py, &labels.pair, labels.kind)
    }

    /// The number of rows of each group.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let groups = &self.groups;
        memory::column(py, self.places(), || groups.sizes())
    }

    /// tp, fp, fn, tn of each group: of the predicted classes, or of the scores at a threshold; and
    /// the same of the squares of sampling weights, if they are such.
    #[allow(clippy::type_complexity)]
    fn tables<'py>(
        &self,
        py: Python<'py>,
        threshold: Option<f64>,
    ) -> PyResult<(Vec<Array<'py>>, Option<Vec<Array<'py>>>)> {
        if let Some(threshold) = threshold {
            let ranking = self.ranking()?;
            let at = ranking.threshold(threshold);
            let each = |of: &(dyn Fn(usize) -> BinaryCounts + Sync)| {
                self.four(py, |four| {
                    ranking.over_groups(four, |own, four| {
                        put(own, four, of);
                        Ok(())
                    })
                })
            };
            let tables = each(&|group| ranking.table_at(group, at))?;
            let squares = ranking
                .squares
                .is_some()
                .then(|| each(&|group| ranking.squares_at(group, at).unwrap_or_default()));
            return Ok((tables, squares.transpose()?));
        }
        let counts = self.counts()?;
        let positive = self.two_classes()?;
        let each = |of: &(dyn Fn(usize) -> BinaryCounts + Sync)| {
            self.four(py, |four| {
                counts.over_groups(four, |own, four| {
                    put(own, four, of);
                    Ok(())
                })
            })
        };
        let tables = each(&|group| counts.table(group, positive))?;
        let squares = counts
            .squares
            .is_some()
            .then(|| each(&|group| counts.squares_table(group, positive).unwrap_or_default()));
        Ok((tables, squares.transpose()?))
    }

    /// The positives and the negatives of each group, of the scores.
    fn totals<'py>(&self, py: Python<'py>) -> PyResult<Vec<Array<'py>>> {
        let ranking = self.ranking()?;
        let groups = self.groups.keys.groups;
        written(py, groups, 1 + ranking.keys.len() / groups.max(1), |[positives, negatives]| {
            ranking.over_groups((positives, negatives), |own, (positives, negatives)| {
                for ((group, p), n) in own.zip(positives).zip(negatives) {
                    interrupt::check_at(group);
                    (*p, *n) = ranking.totals(group);
                }
                Ok(())
            })?;
            Ok(())
        })
    }

    /// The confusion matrix of a group.
    fn matrix(&self, py: Python<'_>, group: usize) -> PyResult<ConfusionState> {
        self.check(group)?;
        let counts = self.counts()?;
        gate::run(py, 1, || Ok(counts.matrix(group).into()))
    }

    /// The score table of a group.
    fn table(&self, py: Python<'_>, group: usize) -> PyResult<ScoreState> {
        self.check(group)?;
        let ranking = self.ranking()?;
        gate::run(py, ranking.scores(group), || Ok(ScoreState::of(ranking.table(group))))
    }

    /// The number of distinct scores of each group.
    fn scores<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let ranking = self.ranking()?;
        let all = (0..ranking.groups()).map(|group| ranking.scores(group) as i64);
        memory::column(py, ranking.groups(), || Ok(all.gather()))
    }

    /// An index of each group's scores, and why it is undefined where it is.
    fn of_scores<'py>(
        &self,
        py: Python<'py>,
        name: Named,
        given: &Bound<'py, PyDict>,
    ) -> PyResult<Values<'py>> {
        let (row, parameters) = asked(name, given)?;
        let ranking = self.ranking()?;
        let groups = ranking.groups();
        if matches!(row.reads(), Some(Reads::Area | Reads::Gini)) && !ranking.is_weighted() {
            let found = gate::run(py, groups.max(ranking.keys.len()), || match row.reads() {
                Some(Reads::Gini) => ranking.ginis(),
                _ => ranking.areas(),
            })?;
            return self.quick(py, row, &parameters, found);
        }
        self.each(py, ranking.keys.len(), |group| {
            row.of_scores(&Ranking::from(ranking.table(group)), &parameters)
        })
    }

    /// An index of each group's matrix, and why it is undefined where it is.
    fn of_matrices<'py>(
        &self,
        py: Python<'py>,
        name: Named,
        given: &Bound<'py, PyDict>,
    ) -> PyResult<Values<'py>> {
        let counts = self.counts()?;
        with_reading(given, self.groups.positive(), |reading, given| {
            let (row, parameters) = asked(name, given)?;
            if let Reading::Overall(_) = reading {
                check_two_classes(row, Some(given), counts.labels().len())?;
            }
            self.each(py, counts.masses.len(), |group| {
                let view = counts.matrix(group).view();
                row.of_reading(&view, reading, &parameters)
            })
        })
    }

    /// Why an index of counts is undefined, where it is.
    fn why_tables<'py>(
        &self,
        py: Python<'py>,
        name: Named,
        given: &Bound<'py, PyDict>,
        threshold: Option<f64>,
    ) -> PyResult<Reasons<'py>> {
        let (row, parameters) = asked(name, given)?;
        let groups = self.groups.keys.groups;
        let note = |own: Range<usize>, of: &(dyn Fn(usize) -> BinaryCounts + Sync)| {
            let mut noted = Noted::default();
            let tables = own.inspect(|&group| interrupt::check_at(group)).map(of);
            row.of_each(tables, &parameters, |value| noted.note(answer(value).1))?;
            Ok(noted)
        };
        let work = groups.saturating_mul(gate::INDEX);
        let noted = if let Some(threshold) = threshold {
            let ranking = self.ranking()?;
            let at = ranking.threshold(threshold);
            gate::run(py, work, || {
                ranking.over_groups((), |own, ()| note(own, &|group| ranking.table_at(group, at)))
            })?
        } else {
            let (counts, positive) = (self.counts()?, self.two_classes()?);
            gate::run(py, work, || {
                counts.over_groups((), |own, ()| note(own, &|group| counts.table(group, positive)))
            })?
        };
        let noted = Noted::joined(noted);
        Ok(noted.into_python(py))
    }

    /// The interval of an index of each group's scores, or of its matrix.
    fn intervals(
        &self,
        py: Python<'_>,
        name: Named,
        wanted: Wanted<'_>,
        given: &Bound<'_, PyDict>,
        of_scores: bool,
    ) -> PyResult<Vec<Found>> {
        let ask = ask(&wanted)?;
        let groups = self.groups.keys.groups;
        let found_each = if of_scores {
            let (row, parameters) = asked(name, given)?;
            let ranking = self.ranking()?;
            gate::run(py, ranking.keys.len().max(groups).saturating_mul(gate::INTERVAL), || {
                let parts = ranking.over_groups((), |part, ()| {
                    part.map(|group| {
                        let table = Ranking::from(ranking.table(group));
                        row.interval_of_scores(&table, &parameters, &ask)
                    })
                    .gather_all()
                })?;
                Ok(parts.into_iter().flatten().gather())
            })?
        } else {
            let counts = self.counts()?;
            let work = counts.masses.len().max(groups).saturating_mul(gate::INTERVAL);
            with_reading(given, self.groups.positive(), |reading, given| {
                let (row, parameters) = asked(name, given)?;
                gate::run(py, work, || {
                    let parts = counts.over_groups((), |part, ()| {
                        part.map(|group| {
                            let matrix = counts.matrix(group);
                            let squares = matrix.squares().map(ConfusionMatrix::view);
                            let (view, squares) = (matrix.view(), squares.as_ref());
                            row.interval_of_reading(&view, squares, reading, &parameters, &ask)
                        })
                        .gather_all()
                    })?;
                    Ok(parts.into_iter().flatten().gather())
                })
            })?
        };
        Ok(found_each.iter().map(found).gather())
    }

    /// Pairs within groups and of all rows: those won, and all.
    fn pairs(&self, py: Python<'_>) -> PyResult<[Digits; 4]> {
        let ranking = self.ranking()?;
        let (within, all) =
            gate::run(py, ranking.keys.len().saturating_mul(gate::INDEX), || ranking.pairs())?;
        let written = |fraction: &Fraction| digits(fraction);
        Ok([&within.won, &within.all, &all.won, &all.all].map(written))
    }

    /// What each group counts in a mean: "rows", "positives" or "pairs".
    fn shares<'py>(&self, py: Python<'py>, weights: &Bound<'py, PyAny>) -> PyResult<Array<'py>> {
        let known =
            [("rows", Share::Rows), ("positives", Share::Positives), ("pairs", Share::Pairs)];
        let share = argument::option(weights, "weights", &known)?;
        let ranking = self.ranking()?;
        memory::column(py, self.places(), || ranking.shares(share))
    }

    /// The same by some of the columns of keys.
    fn over(&self, py: Python<'_>, columns: Vec<usize>) -> PyResult<Self> {
        if let Some(&column) = columns.iter().find(|&&at| at >= self.groups.keys.columns.len()) {
            return Err(Refusal::argument("by", column, "a column of keys").into());
        }
        let groups =
            gate::run(py, self.groups.bytes().max(1 << 15), || self.groups.over(&columns))?;
        Ok(Self { groups })
    }

    /// The place of the group that has the keys of the only group of others.
    fn find(&self, one: &GroupedState) -> PyResult<Option<usize>> {
        Ok(self.groups.keys.find(&one.grouped.keys)?)
    }
}

/// tp, fp, fn and tn of groups.
type Four<'a> = ((&'a mut [f64], &'a mut [f64]), (&'a mut [f64], &'a mut [f64]));

/// Writes the tables of groups.
fn put(groups: Range<usize>, four: Four<'_>, of: &dyn Fn(usize) -> BinaryCounts) {
    let ((tp, fp), (fn_, tn)) = four;
    let columns = tp.iter_mut().zip(fp).zip(fn_.iter_mut().zip(tn));
    for (group, ((tp, fp), (fn_, tn))) in groups.zip(columns) {
        interrupt::check_at(group);
        let table = of(group);
        (*tp, *fp, *fn_, *tn) = (table.tp, table.fp, table.fn_, table.tn);
    }
}

/// Gives the value of a matrix that is asked for to `work`: the overall one, or an average over the
/// classes if "average" is among the parameters; and the parameters of the index.
fn with_reading<'py, T>(
    given: &Bound<'py, PyDict>,
    positive: Option<usize>,
    work: impl FnOnce(Reading<'_>, &Bound<'py, PyDict>) -> PyResult<T>,
) -> PyResult<T> {
    let Some(average) = given.get_item("average")? else {
        return work(Reading::Overall(positive), given);
    };
    let rest = given.copy()?;
    rest.del_item("average")?;
    let zero = match given.get_item("zero_division")? {
        None => 0.0,
        Some(zero) => {
            rest.del_item("zero_division")?;
            argument::number(&zero, "zero_division")?
        }
    };
    with_average(&average, |how| work(Reading::Average(how, zero), &rest))
}

impl GroupsState {
    /// The scores, for other files.
    pub(crate) fn ranking(&self) -> Result<&GroupRanking> {
        self.groups.ranking.as_ref().ok_or_else(|| {
            let expected = "scores, as the index is one of all thresholds";
            Refusal::argument("y_score", "None", expected)
        })
    }

    /// The cells, for other files.
    pub(crate) fn counts(&self) -> Result<&GroupCounts> {
        let refusal = || Refusal::argument("y_pred", "None", "predicted classes");
        self.groups.counts.as_ref().ok_or_else(refusal)
    }

    /// The place of the positive class.
    fn two_classes(&self) -> Result<usize> {
        let classes = self.counts()?.labels().len();
        self.groups.positive().ok_or_else(|| {
            let found = format!("of {classes} classes");
            Refusal::argument("y_true", found, "two classes, as these are counts of two")
        })
    }

    fn check(&self, group: usize) -> Result<()> {
        if group < self.groups.keys.groups {
            return Ok(());
        }
        let expected = format!("less than {}, the number of groups", self.groups.keys.groups);
        Err(Refusal::argument("group", group, expected))
    }

    /// A value for each group.
    fn each<'py>(
        &self,
        py: Python<'py>,
        size: usize,
        value: impl Fn(usize) -> Result<Value> + Sync + Send,
    ) -> PyResult<Values<'py>> {
        let groups = self.groups.keys.groups;
        let work = |own: Range<usize>, numbers: &mut [f64]| {
            let mut noted = Noted::default();
            for (group, number) in own.zip(numbers) {
                let (found, why) = answer(value(group)?);
                *number = found;
                noted.note(why);
            }
            Ok(noted)
        };
        let (numbers, noted) =
            gate::run(py, size.max(groups).saturating_mul(gate::INTERVAL), || {
                let mut numbers: Vec<f64> = zeros_in_parts(groups);
                // A value costs as much as many rows, also where a group has few.
                let before = |group: usize| group.saturating_mul(gate::INTERVAL);
                let of_rows = |group: usize| self.before(group).saturating_add(before(group));
                let noted = over_items(groups, &of_rows, &mut numbers[..], work)?;
                Ok((numbers, noted))
            })?;
        Ok((PyArray1::from_vec(py, numbers), Noted::joined(noted).into_python(py)))
    }

    /// How many scores and cells lie before a group.
    fn before(&self, group: usize) -> usize {
        let Groups { counts, ranking, .. } = &self.groups;
        counts.as_ref().map_or(0, |counts| counts.before(group))
            + ranking.as_ref().map_or(0, |ranking| ranking.before(group))
    }

    /// The number of all scores, cells and groups.
    fn places(&self) -> usize {
        let groups = self.groups.keys.groups;
        self.before(groups) + groups
    }

    /// tp, fp, fn and tn of each group, which `write` writes.
    fn four<'py>(
        &self,
        py: Python<'py>,
        write: impl Send + FnOnce(Four<'_>) -> Result<Vec<()>>,
    ) -> PyResult<Vec<Array<'py>>> {
        let groups = self.groups.keys.groups;
        written(py, groups, 1 + self.places() / groups.max(1), |[tp, fp, fn_, tn]| {
            write(((tp, fp), (fn_, tn)))?;
            Ok(())
        })
    }

    /// The AUC or Gini of each group, by the formula of the registry where a class is absent.
    fn quick<'py>(
        &self,
        py: Python<'py>,
        row: &'static Index,
        parameters: &Parameters,
        found: Vec<f64>,
    ) -> PyResult<Values<'py>> {
        let ranking = self.ranking()?;
        let mut numbers = found;
        let work = |own: Range<usize>, numbers: &mut [f64]| {
            let mut noted = Noted::default();
            noted.codes.make_room(own.len());
            // By whether there are positives, and negatives.
            let mut known: [Option<(f64, Option<&'static str>)>; 4] = [None; 4];
            for (group, number) in own.zip(numbers) {
                interrupt::check_at(group);
                let mut why = None;
                if number.is_nan() {
                    let (positives, negatives) = ranking.totals(group);
                    let place = 2 * usize::from(positives > 0.0) + usize::from(negatives > 0.0);
                    let found = if let Some(found) = known[place] {
                        found
                    } else {
                        let table = Ranking::from(ranking.table(group));
                        answer(row.of_scores(&table, parameters)?)
                    };
                    known[place] = Some(found);
                    (*number, why) = found;
                }
                noted.note(why);
            }
            Ok(noted)
        };
        let noted = gate::run(py, numbers.len().saturating_mul(gate::INDEX), || {
            ranking.over_groups(&mut numbers[..], work)
        })?;
        let noted = Noted::joined(noted);
        Ok((PyArray1::from_vec(py, numbers), noted.into_python(py)))
    }
}

/// The interval of the mean of an index over groups, each with its weight: level, method, side.
#[pyfunction]
pub(crate) fn group_interval(
    py: Python<'_>,
    name: Named,
    values: PyReadonlyArray1<'_, f64>,
    weights: PyReadonlyArray1<'_, f64>,
    wanted: Wanted<'_>,
) -> PyResult<Found> {
    let (Named(row), ask) = (name, ask(&wanted)?);
    gate::keep(py, || {
        let [values, weights] =
            [&values, &weights].map(|held| held.as_array().iter().copied().gather());
        Ok(found(&Mean::of(&values, &weights, row.range).interval(row.name, &ask)?))
    })
}

/// The mean of values, each times its weight, without those that are NaN; NaN if all are.
#[pyfunction]
pub(crate) fn group_mean(
    py: Python<'_>,
    values: PyReadonlyArray1<'_, f64>,
    weights: PyReadonlyArray1<'_, f64>,
) -> PyResult<f64> {
    gate::keep(py, || {
        let weights = weights.as_array().iter().copied().gather();
        let values = values.as_array();
        Ok(index::mean(values.iter().copied(), Some(&weights), f64::NAN, true).number)
    })
}
