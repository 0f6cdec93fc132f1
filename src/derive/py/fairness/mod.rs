//! Differences between groups, for Python.
//!
//! In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | `disparity` | differences and ratios of groups |
//! | `worst` | the groups with the most evidence against them |
//! | `scores` | selection rates at all thresholds, areas of subgroups |

pub(crate) mod disparity;
pub(crate) mod scores;
pub(crate) mod worst;
