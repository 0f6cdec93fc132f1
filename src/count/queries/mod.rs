//! Rankings by query: rows (query, relevance, score) as one ranked list for each query.
//!
//! Uses `row_keys` and `base`. In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | [`row`] | one row of a list; how ties are broken |
//! | [`lists`] | the lists of all queries: from rows, added |
//! | `lists_bytes` | the bytes of lists |
//! | [`statistic`] | the lists with the keys of their queries |
//! | `difference` | subtraction |
//! | [`list`] | one query's list as measures read it: ties, hits, cutoffs |
//! | [`cutoff`] | measures of the first k rows: hits, average precision, reciprocal rank |
//! | [`gain`] | measures with discounts: DCG, NDCG, RBP, ERR |
//! | [`interpolated`] | precision at a recall; bpref |
//! | [`samples`] | samples of a task: pass@k, all of k right, the best of k |
//! | `naive` | the measures by definition, for tests |

pub mod cutoff;
mod difference;
pub mod gain;
pub mod interpolated;
pub mod list;
pub mod lists;
mod lists_bytes;
pub mod row;
pub mod samples;
pub mod statistic;

#[cfg(test)]
mod naive;
