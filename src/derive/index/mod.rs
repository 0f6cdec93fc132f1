//! The registry: one row per index, pure formulas over statistics; and what uses the rows.
//!
//! Uses the statistics of `classes`, `scores` and `labels`, and `arith` and `base`. In the order in
//! which data flow:
//!
//! | part | owns |
//! |---|---|
//! | [`row`] | what a row is: names, formula, range, laws, source, code |
//! | [`value`], [`parameter`], [`scale`] | what a row answers with, what can be chosen, words for values |
//! | `form` | the code of a row, one form for each statistic |
//! | `spread` | what a row says about intervals |
//! | [`rows`] | the rows, one file per family |
//! | [`user`] | rows that users define; conditions |
//! | `names` | spellings, names of other packages, suggestions |
//! | [`registry`] | built-in and defined rows behind one look-up |
//! | `tables` | many 2×2 tables, one by one and as columns |
//! | [`evaluate`] | rows over one statistic or many tables |
//! | [`queries`] | rows over ranked lists: each query, and the mean |
//! | [`sketched`] | proven bounds from a sketch of the scores |
//! | [`fractions`] | exact values |
//! | [`slopes`] | how a value changes with each cell |
//! | [`mod@average`] | averages over classes |
//! | [`mod@best`], [`mod@pareto`] | thresholds that are best, or that none dominates |

pub mod average;
pub mod best;
pub mod evaluate;
pub mod form;
pub mod fractions;
mod names;
pub mod parameter;
pub mod pareto;
pub mod queries;
pub mod registry;
pub mod row;
pub mod rows;
pub mod scale;
pub mod sketched;
pub mod slopes;
pub mod spread;
pub mod tables;
pub mod user;
pub mod value;

pub use average::{How, average, average_curve, average_of_each, average_of_rankings};
#[cfg(feature = "python")]
pub(crate) use average::{mean, numbers, pooled};
pub use best::{Best, Goal, Ties, best, best_among, meeting, why_no_best};
pub use evaluate::{TableSource, fill_each, fill_each_of, of_each, per_class};
pub use form::{
    ClassForm, CountForm, CountFormula, MatrixForm, ProbabilitiesForm, QueryForm, Reads,
    ScoreTablesForm, ScoresForm,
};
pub use parameter::{Domain, Parameter, Parameters};
pub use pareto::{Pareto, pareto};
pub use queries::{QueryMean, find_for_queries, mean_of_queries, values_of_queries};
#[cfg(feature = "python")]
pub(crate) use registry::version;
pub use registry::{FAMILIES, all, defined, find, undefine};
pub use row::{Better, Index, Law};
pub use rows::cost::optimal_threshold;
pub use scale::Scale;
pub use tables::Tables;
pub use user::condition::Condition;
pub use user::define::{Definition, define, of_expression};
pub use value::{Outcome, Undefined, Value};
