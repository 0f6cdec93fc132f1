//! Groups: their keys, and the statistics of each group.
//!
//! Coarser groups are a merge: groups become one if the keys that are kept are equal, and so do the
//! groups of two sets of rows with equal keys. Counts are added as integers and weights as exact
//! sums, so a merge equals a new count to the bit.

use std::ops::Range;

use crate::base::error::{Refusal, Result};
use crate::base::input::Label;
use crate::base::interrupt;
use crate::base::memory::Gather;
use crate::base::threads::zeros_in_parts;
use crate::row_keys::keys::Keys;

use crate::groups::counts::GroupCounts;
use crate::groups::ranking::GroupRanking;

/// Statistics by group.
#[derive(Clone, Debug, PartialEq)]
pub struct Groups {
    /// The keys of the groups.
    pub keys: Keys,
    /// How many of the columns of keys, counted from the first, are controls.
    pub controls: usize,
    /// The positive label that was asked for, if one was.
    pub pos_label: Option<Label>,
    /// The threshold that was asked for, if one was.
    pub threshold: Option<f64>,
    /// The cells of each group, if predicted classes were given.
    pub counts: Option<GroupCounts>,
    /// The scores of each group, if scores were given.
    pub ranking: Option<GroupRanking>,
}

impl Groups {
    /// The groups by some of the columns of keys alone.
    ///
    /// # Errors
    /// None but for memory.
    pub fn over(&self, columns: &[usize]) -> Result<Self> {
        let coarse = self.keys.over(columns)?;
        let (codes, groups) = (&coarse.codes, coarse.keys.groups);
        let counts = self.counts.as_ref().map(|counts| {
            let classes: Vec<u32> = (0..counts.labels().len() as u32).gather();
            counts.moved((codes, groups), counts.labels(), &classes)
        });
        let ranking = self.ranking.as_ref().map(|ranking| ranking.moved(codes, groups));
        let controls = columns.iter().filter(|&&place| place < self.controls);
        Ok(Self {
            controls: controls.count(),
            pos_label: self.pos_label.clone(),
            threshold: self.threshold,
            counts: counts.transpose()?,
            ranking: ranking.transpose()?,
            keys: coarse.keys,
        })
    }

    /// The groups of the rows of both.
    ///
    /// # Errors
    /// [`Refusal::Merge`] for other keys, and for statistics that do not add.
    pub fn add(&self, other: &Self) -> Result<Self> {
        self.goes_with(other)?;
        let united = self.keys.united(&other.keys)?;
        let (codes, groups) = (&united.codes, united.keys.groups);
        // Statistics without groups do not know the kinds of scores and weights.
        let is_none = [self, other].map(|side| side.keys.groups == 0);
        let counts = match (&self.counts, &other.counts) {
            (Some(own), Some(their)) => Some(match is_none {
                [true, false] => their.none_with(own.labels()).added(their, codes, groups)?,
                [false, true] => own.added(&own.none_with(their.labels()), codes, groups)?,
                _ => own.added(their, codes, groups)?,
            }),
            _ => None,
        };
        let ranking = match (&self.ranking, &other.ranking) {
            (Some(own), Some(their)) => Some(match is_none {
                [true, false] => their.none_with(own.labels()).added(their, codes, groups)?,
                [false, true] => own.added(&own.none_with(their.labels()), codes, groups)?,
                _ => own.added(their, codes, groups)?,
            }),
            _ => None,
        };
        Ok(Self {
            keys: united.keys,
            controls: self.controls,
            pos_label: self.pos_label.clone().or_else(|| other.pos_label.clone()),
            threshold: self.threshold,
            counts,
            ranking,
        })
    }

    /// Refuses statistics of another kind.
    pub(crate) fn goes_with(&self, other: &Self) -> Result<()> {
        let merge = |reason: &str| Refusal::Merge { reason: reason.to_owned() };
        if self.controls != other.controls {
            return Err(merge("one has other control columns than the other"));
        }
        if self.threshold != other.threshold {
            return Err(merge("one has another threshold than the other"));
        }
        if let (Some(own), Some(their)) = (&self.pos_label, &other.pos_label)
            && own != their
        {
            let reason = format!("the positive label is {own} in one and {their} in the other");
            return Err(Refusal::Merge { reason });
        }
        if self.counts.is_some() != other.counts.is_some() {
            return Err(merge("one has predicted classes and the other has none"));
        }
        if self.ranking.is_some() != other.ranking.is_some() {
            return Err(merge("one has scores and the other has none"));
        }
        Ok(())
    }

    /// The number of rows of a group.
    pub fn rows(&self, group: usize) -> u64 {
        match (&self.counts, &self.ranking) {
            (Some(counts), _) => counts.rows(group),
            (None, Some(ranking)) => ranking.rows(group),
            (None, None) => 0,
        }
    }

    /// The number of rows of each group.
    ///
    /// # Errors
    /// None but for memory.
    pub fn sizes(&self) -> Result<Vec<i64>> {
        let mut sizes: Vec<i64> = zeros_in_parts(self.keys.groups);
        let count = |groups: Range<usize>, sizes: &mut [i64]| {
            for (group, size) in groups.zip(sizes) {
                interrupt::check_at(group);
                *size = self.rows(group) as i64;
            }
            Ok(())
        };
        match (&self.counts, &self.ranking) {
            (Some(counts), _) => counts.over_groups(&mut sizes[..], count)?,
            (None, Some(ranking)) => ranking.over_groups(&mut sizes[..], count)?,
            (None, None) => Vec::new(),
        };
        Ok(sizes)
    }

    /// The place of the positive label among the labels of counts of two classes.
    pub fn positive(&self) -> Option<usize> {
        let labels = self.counts.as_ref()?.labels();
        if labels.len() != 2 {
            return None;
        }
        let asked = self.pos_label.as_ref().and_then(|label| labels.position(label));
        Some(asked.unwrap_or(1))
    }

    /// How many bytes the statistics take, without the keys.
    pub fn bytes(&self) -> usize {
        self.counts.as_ref().map_or(0, GroupCounts::bytes)
            + self.ranking.as_ref().map_or(0, GroupRanking::bytes)
    }
}
