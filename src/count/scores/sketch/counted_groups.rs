//! A sketch from the result of a `GROUP BY`: groups of rows with their lowest and highest score,
//! and the number of rows of each class.
//!
//! 1. The rows of a group must lie in one cell; the level is the finest at which they do. So the
//!    bounds are valid for any grouping expression; wide groups only make them wider.
//! 2. A group with one score is an atom. Groups in the same cell are joined.
//! 3. If groups are narrower than the cells, the sketch equals, bit for bit, the sketch of the
//!    rows, without the sums of losses, which groups do not have.
//!
//! Cost: a sort of the groups.

use std::cmp::Reverse;

use crate::base::column::{CHUNK, chunks};
use crate::base::dtype::f64_of;
use crate::base::error::{Refusal, Result, check_length};
use crate::base::input::{OMITTED, Scores};
use crate::base::memory::{Gather, Room, with_room};
use crate::scores::keys::{Lowered, ScoreKind, ScoreReader, Stop};
use crate::scores::sketch::cells::{CellMasses, Joined, MIXED};
use crate::scores::sketch::collector::{SketchCollector, SketchOptions};
use crate::scores::sketch::levels::{Grid, joining, key_from, mirrored};
use crate::scores::sketch::score_sketch::{ScoreSketch, edges_of};

/// A group: the order keys of its lowest and highest score, and its rows, positives first.
type Group = (u64, u64, [u64; 2]);

/// The sketch of groups of rows. The options must have both labels.
///
/// # Errors
/// Columns of different lengths; a lowest score above the highest; a group with scores on both
/// sides of a threshold; more than 2^64 rows; the errors of [`SketchCollector::new`] and of a
/// sweep.
pub fn sketch_of_groups(
    least: &Scores,
    greatest: &Scores,
    counts: [&[u64]; 2],
    options: SketchOptions,
) -> Result<ScoreSketch> {
    let rows = ("least", least.len());
    check_length(("greatest", greatest.len()), rows)?;
    check_length(("positives", counts[0].len()), rows)?;
    check_length(("negatives", counts[1].len()), rows)?;
    check_total(counts)?;
    SketchCollector::new(options.clone())?; // refuses what no sketch can have
    let edges = edges_of(&options.thresholds)?;
    let low = keys_of(least, "least", &options)?;
    let high = keys_of(greatest, "greatest", &options)?;
    let mut groups: Vec<Group> = Vec::new();
    let mut level = 0;
    for (row, (&low, &high)) in low.iter().zip(&high).enumerate() {
        let masses = [counts[0][row], counts[1][row]];
        let (Some(from), Some(to)) = (low, high) else {
            if low != high {
                let expected = "missing where the least score is, and only there";
                return Err(Refusal::row("greatest", row, "missing or not", expected));
            }
            continue;
        };
        if masses == [0, 0] {
            continue;
        }
        if from > to {
            let expected = "at most the greatest score of the group";
            return Err(Refusal::row("least", row, "greater", expected));
        }
        if let Some(&edge) = edges.iter().find(|&&edge| from < edge && edge <= to) {
            let threshold = f64_of(edge);
            let found = format!("on both sides of the threshold {threshold}");
            return Err(Refusal::row("least", row, found, "groups on one side each"));
        }
        if from != to {
            level = level.max(joining(mirrored(from), mirrored(to)));
        }
        groups.grow((from, to, masses));
    }
    let grid = Grid::new(edges, level);
    groups.sort_unstable_by_key(|group| Reverse(grid.cell(group.0)));
    let mut joined = Joined::with_room(groups.len());
    let places: Vec<usize> = groups
        .iter()
        .map(|&(from, to, _)| joined.add(grid.cell(from), if from == to { from } else { MIXED }))
        .gather();
    let class = |class: usize| groups.iter().map(|group| group.2[class]).gather();
    let masses = CellMasses::Counts([class(0), class(1)]).moved(&places, joined.len());
    Ok(ScoreSketch {
        kind: ScoreKind::of(least).common(ScoreKind::of(greatest)),
        budget: options.cells,
        grid,
        cells: joined.with(masses),
        losses: None,
        labels: options.labels,
    }
    .within_budget())
}

fn check_total(counts: [&[u64]; 2]) -> Result<()> {
    let mut all = counts.iter().flat_map(|class| class.iter());
    if all.try_fold(0_u64, |sum, &count| sum.checked_add(count)).is_some() {
        return Ok(());
    }
    let expected = "a total of both classes below 2^64";
    Err(Refusal::argument("positives", "more than 2^64 in all", expected))
}

/// The order keys of scores as doubles; none for scores left out.
fn keys_of(
    scores: &Scores,
    argument: &'static str,
    options: &SketchOptions,
) -> Result<Vec<Option<u64>>> {
    fn lowered<K: Lowered>(reader: &ScoreReader, kind: ScoreKind) -> Result<Vec<Option<u64>>> {
        let mut found = with_room(reader.scores.len());
        let (mut keys, mut codes) = ([K::default(); CHUNK], [0; CHUNK]);
        for rows in chunks(0..reader.scores.len()) {
            let (keys, codes) = (&mut keys[..rows.len()], &mut codes[..rows.len()]);
            codes.fill(0);
            reader.lower(rows, keys, codes).map_err(Stop::refusal)?;
            let pairs = keys.iter().zip(&*codes);
            found.grow_with(
                pairs.map(|(key, &code)| (code != OMITTED).then(|| key_from(kind, key.wide()))),
            );
        }
        Ok(found)
    }
    let reader = ScoreReader {
        scores: *scores,
        nan_policy: options.sweep.nan_policy,
        infinite: options.sweep.infinite,
        argument,
    };
    let kind = ScoreKind::of(scores);
    if !kind.is_float() {
        let expected = "floats, as sums over groups of doubles are made";
        return Err(Refusal::argument(argument, format!("{kind:?}"), expected));
    }
    if kind.is_wide() { lowered::<u64>(&reader, kind) } else { lowered::<u32>(&reader, kind) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Label, LabelKind, Labels};
    use crate::labels::binary::Pair;
    use crate::labels::binary_labels::BinaryLabels;
    use crate::scores::sketch::collector::score_sketch;
    use crate::scores::sweep::rows::SweepOptions;
    use crate::statistic::Statistic;
    use proptest::prelude::*;

    fn options(cells: u64) -> SketchOptions {
        let positive = Some(Label::Int(1));
        SketchOptions {
            sweep: SweepOptions { pos_label: positive.clone(), ..SweepOptions::default() },
            labels: BinaryLabels {
                pair: Pair::of([positive.clone(), Some(Label::Int(0))], positive.as_ref()),
                pos_label: positive,
                kind: LabelKind::Int,
            },
            cells,
            thresholds: vec![0.0, 0.5],
        }
    }

    fn of_groups(groups: &[(f64, f64, u64, u64)], options: SketchOptions) -> Result<ScoreSketch> {
        let least: Vec<f64> = groups.iter().map(|group| group.0).gather();
        let greatest: Vec<f64> = groups.iter().map(|group| group.1).gather();
        let positives: Vec<u64> = groups.iter().map(|group| group.2).gather();
        let negatives: Vec<u64> = groups.iter().map(|group| group.3).gather();
        sketch_of_groups(
            &Scores::F64(Column::from_slice(&least)),
            &Scores::F64(Column::from_slice(&greatest)),
            [&positives, &negatives],
            options,
        )
    }

    /// Rows grouped by the cells of a level, in any order.
    fn grouped(rows: &[(f64, i64)], level: u16) -> Vec<(f64, f64, u64, u64)> {
        let grid = Grid::new(edges_of(&[0.0, 0.5]).unwrap(), level);
        let mut groups: std::collections::BTreeMap<u64, (f64, f64, u64, u64)> =
            std::collections::BTreeMap::new();
        for &(score, label) in rows {
            let key = crate::base::dtype::key_of_f64(score);
            let group = groups.entry(grid.cell(key).wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let group = group.or_insert((score, score, 0, 0));
            *group = (group.0.min(score), group.1.max(score), group.2, group.3);
            if label == 1 {
                group.2 += 1;
            } else {
                group.3 += 1;
            }
        }
        groups.into_values().gather()
    }

    proptest! {
        #[test]
        fn narrow_groups_give_the_sketch_of_the_rows(
            rows in prop::collection::vec((-0.5_f64..1.5, 0_i64..2), 1..200),
            level in 0_u16..240,
            cells in 3_u64..60,
        ) {
            let scores: Vec<f64> = rows.iter().map(|row| row.0).gather();
            let labels: Vec<i64> = rows.iter().map(|row| row.1).gather();
            let whole = score_sketch(
                &Labels::I64(Column::from_slice(&labels)),
                &Scores::F64(Column::from_slice(&scores)),
                None,
                &options(cells),
            ).unwrap();
            let sketch = of_groups(&grouped(&rows, level), options(cells)).unwrap();
            if level <= whole.level() {
                prop_assert_eq!(&sketch.cells, &whole.cells);
                prop_assert_eq!(sketch.level(), whole.level());
                prop_assert_eq!(&sketch.labels, &whole.labels);
            }
            prop_assert_eq!(sketch.rows(), whole.rows());
            prop_assert!(sketch.len() <= whole.len());
            let bytes = sketch.to_bytes();
            prop_assert_eq!(ScoreSketch::from_bytes(&bytes).unwrap(), sketch);
        }
    }

    #[test]
    fn what_is_no_group_is_refused() {
        let said = |groups: &[(f64, f64, u64, u64)]| {
            of_groups(groups, options(9)).unwrap_err().to_string()
        };
        assert_eq!(
            said(&[(0.1, 0.2, 1, 1), (0.4, 0.6, 1, 0)]),
            "least[1] is on both sides of the threshold 0.5; expected groups on one side each"
        );
        assert_eq!(
            said(&[(0.2, 0.1, 1, 1)]),
            "least[0] is greater; expected at most the greatest score of the group"
        );
        assert_eq!(
            said(&[(0.1, 0.1, u64::MAX, 1)]),
            "positives is more than 2^64 in all; expected a total of both classes below 2^64"
        );
        assert!(of_groups(&[], options(9)).unwrap().is_empty());
    }
}
