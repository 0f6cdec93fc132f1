//! Differences between groups: how large they are, how sure they are, and which groups are worst.
//!
//! Uses `inference` and the floors below it. A group is a 2×2 table, a value, or a score table;
//! this folder knows no rows and no keys. In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | [`disparity`] | least, greatest, difference and ratio of the values of groups |
//! | [`simultaneous`] | critical values for many groups at once |
//! | [`bounds`] | intervals of differences, ratios, the least and the greatest value |
//! | [`to_overall`] | intervals of the distance between a group and all rows |
//! | [`fisher`] | the exact test of a group's share against the share of the other rows |
//! | [`shrinkage`] | values of small groups, drawn towards the mean |
//! | [`worst`] | the groups with the most evidence against them |
//! | [`impact`] | the adverse impact ratio at every threshold |
//! | [`subgroups`] | areas of a subgroup's scores against the scores of the other rows |

pub mod bounds;
pub mod disparity;
pub mod fisher;
pub mod impact;
pub mod shrinkage;
pub mod simultaneous;
pub mod subgroups;
pub mod to_overall;
pub mod worst;
