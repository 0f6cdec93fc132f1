//! Rankings by query: how well the rows of each query are ordered by their scores. The value of an
//! index is its mean over the queries. Tied rows count as the mean over all of their orders, unless
//! `Queries` breaks ties.
//!
//! In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | `cutoff` | the first k places, with binary relevance |
//! | `gain` | graded relevance, with discounts |
//! | `interpolated` | precision at recalls, pairs of judged rows |
//! | `samples` | samples of a task, whose order says nothing |

pub(crate) mod cutoff;
pub(crate) mod gain;
pub(crate) mod interpolated;
pub(crate) mod samples;

use crate::index::parameter::{Domain, Parameter, Parameters};
use crate::index::value::{Outcome, Undefined};
use crate::queries::list::{RankedList, Relevant};

const NO_RELEVANT: &str = "No row of the query is relevant.";
const MANNING: &str =
    "Manning, Raghavan, Schuetze 2008, Introduction to Information Retrieval, section 8.4";

const fn parameter(
    name: &'static str,
    default: Option<f64>,
    domain: Domain,
    about: &'static str,
) -> Parameter {
    Parameter { name, default, domain, about, two_classes: false }
}

/// A cutoff that is 10 unless it is given.
const AT_TEN: Parameter = parameter(
    "k",
    Some(10.0),
    Domain::Whole,
    "the number of rows at the top of each query that count",
);

/// A cutoff that is the whole list unless it is given.
const AT_END: Parameter = parameter(
    "k",
    None,
    Domain::Whole,
    "the number of rows at the top of each query that count; all of them by default",
);

const MIN_RELEVANCE: Parameter = parameter(
    "min_relevance",
    None,
    Domain::NotNegative,
    "the least relevance of a relevant row; anything above 0 by default",
);

/// The cutoff in a parameter's place.
fn cutoff_of(list: &RankedList<'_>, parameters: &Parameters, place: usize) -> usize {
    let k = parameters.number(place);
    if k.is_nan() { list.retrieved().len() } else { k as usize }
}

/// What is relevant by the parameter in a place.
fn relevant_of(parameters: &Parameters, place: usize) -> Relevant {
    Relevant::from(parameters.number(place))
}

/// The number of relevant rows, if there are any.
fn some_relevant(list: &RankedList<'_>, relevant: Relevant) -> Outcome<usize> {
    match list.relevant(relevant) {
        0 => Err(Undefined::NoRelevantRows),
        relevant => Ok(relevant),
    }
}
