//! The groups with the most evidence that they are worse than the other rows.
//!
//! The worst value among many groups usually belongs to a small group with bad luck. So groups are
//! ordered by evidence, not by value:
//!
//! 1. Test each group's table against the table of all other rows. A share of whole rows is tested
//!    exactly ([`crate::fairness::fisher`]), any other share by the score test with the pooled
//!    share, any other index by its standard errors (delta method) on the scale of its intervals.
//!    The group's standard error is at least the one that as many rows of the rest would have. The
//!    p-value is two-sided.
//! 2. Adjust the p-values for the number of groups ([`crate::inference::same_rows::adjust`]).
//! 3. Put the worse groups first, by ascending p-value, and the better groups last.
//! 4. The `k` groups shown are selected among G tested groups, so intervals at the level 1 - q
//!    would miss too often. At the level 1 - q k / G, at most a share q of the shown intervals is
//!    expected to miss. So far in the tail, only the exact interval of a share holds its level.
//! 5. Report the shrunken value beside the raw one ([`crate::fairness::shrinkage`]).
//!
//! In simulations of groups that do not differ, at a level of .05, a group is found in at most .03
//! of the samples: by F1, MCC, kappa and informedness of 500 groups (15 to 400 rows each, 2 to 40 %
//! positive), by recall and accuracy of 10 to 1,000 groups.
//!
//! Tried and rejected: the group's own standard error alone. A small group whose few positives are
//! all wrong looks certain by it, and among 500 groups one was found in every sample.
//!
//! Cost: for a share about the root of a group's rows, else two sets of slopes.
//!
//! Sources: Benjamini, Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x; Benjamini, Yekutieli
//! 2005, doi:10.1198/016214504000001907 (intervals of selected groups).

use crate::arith::number::is_whole;
use crate::base::error::Result;
use crate::base::interrupt;
use crate::base::memory::{Gather, with_room};
use crate::fairness::bounds::{Groups, Of, exact};
use crate::fairness::fisher;
use crate::fairness::shrinkage;
use crate::index::parameter::Parameters;
use crate::index::row::{Better, Index};
use crate::index::spread::{Spread, Trials};
use crate::inference::interval::{Ask, Side};
use crate::inference::same_rows::adjust::{Adjust, adjusted};
use crate::inference::same_rows::difference::two_sided;
use crate::labels::view::BinaryCounts;

/// The most rows on the smaller side of an exact test. Beyond it, the score test gives the same
/// digits, and the tail has millions of terms.
const MOST_EXACT: f64 = 1e12;

/// Which values are bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bad {
    /// Low values.
    Low,
    /// High values.
    High,
    /// Values that differ in either direction.
    Either,
}

impl Bad {
    /// The bad direction of a row.
    pub fn of(row: &Index) -> Self {
        match row.better {
            Better::Higher => Self::Low,
            Better::Lower => Self::High,
            Better::Neither => Self::Either,
        }
    }
}

/// The options of [`worst`].
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// How many groups.
    pub k: usize,
    /// The level of the intervals; one minus the false discovery rate.
    pub level: f64,
    /// How p-values and intervals are adjusted for the number of groups.
    pub adjust: Adjust,
    /// Groups with fewer rows are not tested.
    pub min_rows: f64,
    /// Which values are bad.
    pub bad: Bad,
}

/// One group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// Its place among the groups given.
    pub group: usize,
    /// Its rows, or their weight.
    pub rows: f64,
    /// Its value.
    pub value: f64,
    /// The value of all other rows.
    pub rest: f64,
    /// The lower bound of its value.
    pub low: f64,
    /// The upper bound of its value.
    pub high: f64,
    /// The p-value of the test that the group does not differ from the other rows.
    pub p_value: f64,
    /// The p-value, adjusted for the number of groups.
    pub adjusted: f64,
    /// Its value, drawn towards the values of the other groups.
    pub shrunken: f64,
}

/// The groups shown, and the numbers of the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Worst {
    /// The groups, the worst first.
    pub groups: Vec<Ranked>,
    /// How many were tested.
    pub tested: usize,
    /// How many of the tested groups are worse by the adjusted p-value.
    pub found: usize,
    /// How many groups have too few rows.
    pub small: usize,
    /// How many groups have no value, or no test.
    pub without: usize,
    /// The level of each interval.
    pub interval_level: f64,
}

/// For each group, the table of all other rows. The tables are added from both ends, as a
/// subtraction would lose the digits of weights.
fn rests(tables: &[BinaryCounts]) -> Vec<BinaryCounts> {
    let add = |a: &BinaryCounts, b: &BinaryCounts| BinaryCounts {
        tp: a.tp + b.tp,
        fp: a.fp + b.fp,
        fn_: a.fn_ + b.fn_,
        tn: a.tn + b.tn,
    };
    let mut found: Vec<BinaryCounts> = with_room(tables.len());
    let mut sum = BinaryCounts::default();
    for table in tables {
        found.push(sum);
        sum = add(&sum, table);
    }
    sum = BinaryCounts::default();
    for (rest, table) in found.iter_mut().zip(tables).rev() {
        *rest = add(rest, &sum);
        sum = add(&sum, table);
    }
    found
}

/// The two-sided p-value that the group does not differ from the rest; NaN if there is no test.
fn evidence(
    row: &Index,
    share: Option<Trials>,
    [group, rest]: [&BinaryCounts; 2],
    squares: Option<[&BinaryCounts; 2]>,
    parameters: &Parameters,
) -> Result<f64> {
    if let (Some(share), None) = (share, squares) {
        let ((x, y), (v, w)) = (share(group), share(rest));
        let (n, m) = (x + y, v + w);
        if n.min(m) <= MOST_EXACT && [x, y, v, w].into_iter().all(is_whole) {
            return Ok(fisher::two_sided([x, y], [v, w]));
        }
        let pooled = ((x + v) / (n + m)) * ((y + w) / (n + m));
        let z = (x / n - v / m) / (pooled * (1.0 / n + 1.0 / m)).sqrt();
        return Ok(if z.is_nan() { 1.0 } else { two_sided(z) });
    }
    let on_scale = |table: &BinaryCounts, squares: Option<&BinaryCounts>| -> Result<_> {
        let factor = match squares {
            None => 1.0,
            Some(squares) => row.effective_counts(table, squares, parameters, false)?.factor,
        };
        let rows = table.map(|cell| cell * factor);
        let found = row.on_scale(&rows, parameters)?;
        Ok(found.map(|[place, error]| (place, error, rows.total())))
    };
    let own = on_scale(group, squares.map(|[own, _]| own))?;
    let their = on_scale(rest, squares.map(|[_, rest]| rest))?;
    Ok(match (own, their) {
        (Some((a, own, n)), Some((b, error, m))) => {
            // The standard error that as many rows of the rest would have, in case the group's own
            // is smaller by chance.
            let usual = error * (m / n).sqrt();
            two_sided((a - b) / own.max(usual).hypot(error))
        }
        _ => f64::NAN,
    })
}

/// The `k` worst groups.
///
/// # Errors
/// A refusal for a level that is not between 0 and 1, and for a row without intervals.
///
/// ```
/// use rocksteady_derive::fairness::bounds::Groups;
/// use rocksteady_derive::fairness::worst::{Bad, Wanted, worst};
/// use rocksteady_derive::index::find;
/// use rocksteady_derive::index::parameter::Parameters;
/// use rocksteady_derive::inference::same_rows::adjust::Adjust;
/// use rocksteady_derive::labels::view::BinaryCounts;
///
/// let table = |tp: f64, fn_: f64| BinaryCounts { tp, fp: 0.0, fn_, tn: 0.0 };
/// // No value is worse than 0 of 2, but there is more evidence against 500 of 1000.
/// let tables = [table(0.0, 2.0), table(500.0, 500.0), table(9000.0, 1000.0)];
/// let wanted = Wanted {
///     k: 1, level: 0.95, adjust: Adjust::BenjaminiHochberg, min_rows: 0.0, bad: Bad::Low,
/// };
/// let recall = find("recall")?;
/// let groups = Groups { tables: &tables, squares: None };
/// let found = worst(recall, groups, &Parameters::defaults(recall), &wanted)?;
/// assert_eq!((found.groups[0].group, found.groups[0].value, found.tested), (1, 0.5, 3));
/// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
/// ```
pub fn worst(
    row: &Index,
    groups: Groups<'_>,
    parameters: &Parameters,
    wanted: &Wanted,
) -> Result<Worst> {
    let plain = Ask::new(wanted.level, None, Side::Both)?;
    row.method(&plain)?;
    let share = row.spreads.iter().find_map(|spread| match spread {
        Spread::Share { counts, .. } => Some(*counts),
        _ => None,
    });
    let tables = groups.tables;
    let others = rests(tables);
    let other_squares = groups.squares.map(rests);
    let mut all: Vec<Ranked> = with_room(tables.len());
    let (mut small, mut without) = (0, 0);
    for (place, table) in tables.iter().enumerate() {
        if place.is_multiple_of(1024) {
            interrupt::check();
        }
        let (value, rest) =
            (row.of_counts(table, parameters)?, row.of_counts(&others[place], parameters)?);
        let rows = table.total();
        if rows < wanted.min_rows {
            small += 1;
            continue;
        }
        let has_both = value.why.is_none() && rest.why.is_none();
        let p_value = if has_both {
            let squares = (groups.squares.zip(other_squares.as_ref()))
                .map(|(own, rest)| [&own[place], &rest[place]]);
            evidence(row, share, [table, &others[place]], squares, parameters)?
        } else {
            f64::NAN
        };
        if p_value.is_nan() {
            without += 1;
            continue;
        }
        all.push(Ranked {
            group: place,
            rows,
            value: value.number,
            rest: rest.number,
            low: f64::NAN,
            high: f64::NAN,
            p_value,
            adjusted: f64::NAN,
            shrunken: f64::NAN,
        });
    }
    let p_values: Vec<f64> = all.iter().map(|group| group.p_value).gather();
    for (group, p) in all.iter_mut().zip(adjusted(&p_values, wanted.adjust)) {
        group.adjusted = p;
    }
    let drawn = shrunken(row, share, groups, parameters, &all)?;
    for (group, value) in all.iter_mut().zip(drawn) {
        group.shrunken = value;
    }
    let tested = all.len();
    let is_worse = |group: &Ranked| match wanted.bad {
        Bad::Low => group.value < group.rest,
        Bad::High => group.value > group.rest,
        Bad::Either => group.value != group.rest,
    };
    let found = (all.iter())
        .filter(|group| is_worse(group) && group.adjusted <= 1.0 - wanted.level)
        .count();
    // Among groups with equal evidence, the larger comes first.
    all.sort_unstable_by(|a, b| {
        let (bad, worse) = (is_worse(a), is_worse(b));
        let by_evidence =
            if bad { a.p_value.total_cmp(&b.p_value) } else { b.p_value.total_cmp(&a.p_value) };
        (worse.cmp(&bad))
            .then(by_evidence)
            .then(b.rows.total_cmp(&a.rows))
            .then(a.group.cmp(&b.group))
    });
    all.truncate(wanted.k);
    let missed = match wanted.adjust {
        Adjust::None => 1.0 - wanted.level,
        Adjust::Holm => (1.0 - wanted.level) / tested.max(1) as f64,
        Adjust::BenjaminiHochberg => {
            (1.0 - wanted.level) * (all.len() as f64 / tested.max(1) as f64)
        }
    };
    let interval_level = 1.0 - missed.max(1e-15);
    let ask = Ask::new(interval_level, exact(row, Of::Least), Side::Both)?;
    for group in &mut all {
        let interval = groups.interval(group.group, row, parameters, &ask)?;
        (group.low, group.high) = (interval.low, interval.high);
    }
    Ok(Worst { groups: all, tested, found, small, without, interval_level })
}

fn shrunken(
    row: &Index,
    share: Option<Trials>,
    groups: Groups<'_>,
    parameters: &Parameters,
    tested: &[Ranked],
) -> Result<Vec<f64>> {
    let effective = |place: usize| -> Result<BinaryCounts> {
        let table = &groups.tables[place];
        let Some(squares) = groups.squares else {
            return Ok(*table);
        };
        let factor = row.effective_counts(table, &squares[place], parameters, false)?.factor;
        Ok(table.map(|cell| cell * factor))
    };
    let tables: Vec<BinaryCounts> =
        (tested.iter().map(|group| effective(group.group))).gather_all()?;
    if let Some(share) = share {
        let trials: Vec<[f64; 2]> = tables.iter().map(|table| share(table).into()).gather();
        return Ok(shrinkage::of_shares(&trials));
    }
    let places = tables.iter().map(|table| {
        let found = row.on_scale(table, parameters)?;
        Ok(found.unwrap_or([f64::NAN; 2]))
    });
    let places: Vec<[f64; 2]> = places.gather_all()?;
    let drawn = shrinkage::of_values(&places);
    Ok(drawn.into_iter().map(|place| row.value_of_place(place)).gather())
}
